"""What a player types at a table of Balloon Cup: read forgivingly, refused with the reason and a way on.

    play r13 2 me · r13 2 · red 13 on tile 2, them · 7 (a number of the list of moves)
    r1 e4 · 1 8 · none                 where cards are exchanged
    2 · blue · none                    where a trophy may be paid for
    pass

The game's own notation (``play r13 2 0``) is understood as well. Pure: a scene and a line give an action.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bcnet.errors import MalformedNotation, Refusal
from bcnet.games.balloon_cup import notation
from bcnet.games.balloon_cup.actions import Claim, Decline, Exchange, Pass, Play
from bcnet.games.balloon_cup.material import (
    COLOUR_OF,
    COLOURS,
    DECK,
    MOST_EXCHANGED,
    SEATS,
    TILE_NUMBERS,
    VALUE_OF,
    Colour,
)
from bcnet.games.balloon_cup.material import say as card_in_words
from bcnet.games.balloon_cup.state import BalloonCupState, Phase
from bcnet.games.balloon_cup.tiles import Tile
from bcnet.games.interface import Action, Card, Seat
from bcnet.language import told
from bcnet_client.console.balloon_cup import words
from bcnet_client.console.balloon_cup.picked import Place
from bcnet_client.console.face import Candidate
from bcnet_client.console.scene import Scene
from bcnet_client.console.text import joined
from bcnet_client.console.words import answers, say

PLAY_WORDS = ("play", "p", "lay", "spiel", "lege", "leg", "speel")
EXCHANGE_WORDS = ("exchange", "swap", "discard", "x", "tausche", "tausch", "ruil")
CLAIM_WORDS = ("claim", "take", "nimm", "neem")
PASS_WORDS = ("pass", "passe", "aussetzen", "pas", "overslaan")
NOTHING_WORDS = ("none", "nothing", "no", "decline", "keine", "nichts", "nein", "geen", "niets", "nee")
_OWN_SIDE = ("me", "my", "mine", "own", "m", "us", "you", "ich", "mir", "mich", "ik", "mij")
_OTHER_SIDE = (
    "them",
    "they",
    "their",
    "theirs",
    "other",
    "opponent",
    "t",
    "him",
    "her",
    "his",
    "hers",
    "gegner",
    "ander",
)
_FILLERS = frozenset({"on", "to", "at", "next", "tile", "side", "the", "in", "'s", "s"})
_OTHER_COLOUR_WORDS = dict(zip(("rot", "gelb", "grün", "blau", "grau"), COLOURS, strict=True)) | dict(
    zip(("rood", "geel", "groen", "blauw", "grijs"), COLOURS, strict=True)
)
_COLOUR_WORDS = {colour.word: colour for colour in COLOURS} | {"gray": Colour.GREY} | _OTHER_COLOUR_WORDS
_COLOUR_LETTERS = {colour.letter: colour for colour in COLOURS}
_CARD_NUMBER = {(COLOUR_OF[card], VALUE_OF[card]): card for card in range(len(DECK))}
_TOKEN = re.compile(r"[^\W\d_]+-?\d+|\d+|[^\W\d]+|=")
_CARD = re.compile(r"([a-z]+)-?(\d+)")


@dataclass(frozen=True, slots=True)
class Asked:
    """What the own player has to decide, and what there is to choose from."""

    state: BalloonCupState
    own: Seat
    names: tuple[str, ...]
    legal: tuple[Action, ...]

    @property
    def hand(self) -> tuple[Card, ...]:
        """The own cards, ascending."""
        return self.state.hand(self.own).known

    @property
    def plays(self) -> list[Play]:
        """Where cards can be laid, in the order of the list of moves."""
        return [action for action in self.legal if isinstance(action, Play)]

    def places(self, card: Card) -> list[Place]:
        """Where a card can be laid."""
        return [(play.tile, play.side) for play in self.plays if play.card == card]

    @property
    def example(self) -> str:
        """One of the plays as it is typed, if possible one on the own side."""
        plays = self.plays
        return write_play(next((play for play in plays if play.side == self.own), plays[0]), self.own)

    @property
    def claims(self) -> list[Claim]:
        """What can be claimed, in the order of the list."""
        return [action for action in self.legal if isinstance(action, Claim)]

    @property
    def exchanges(self) -> bool:
        """Whether cards are to be exchanged."""
        return any(isinstance(action, Exchange) for action in self.legal)

    @property
    def passes(self) -> bool:
        """Whether nothing is left but to pass."""
        return any(isinstance(action, Pass) for action in self.legal)

    @property
    def is_claiming(self) -> bool:
        """Whether a trophy may be paid for."""
        return self.state.phase is Phase.CLAIMS

    @property
    def other(self) -> str:
        """The other player's name."""
        return self.names[1 - self.own]


def asked_of(scene: Scene) -> Asked | None:
    """What the own player has to decide now; None if nothing."""
    state = scene.state
    if not scene.asked or not isinstance(state, BalloonCupState):
        return None
    return Asked(state, scene.seat, scene.names, state.legal_actions(scene.seat))


# --- words and numbers ---


def tokens(text: str) -> list[str]:
    """The words of a line, in small letters; ``red 13`` is one word, as ``r13`` is."""
    found = [token for token in _TOKEN.findall(text.casefold()) if token not in _FILLERS]
    merged: list[str] = []
    for token in found:
        if token.isdecimal() and merged and (merged[-1] in _COLOUR_WORDS or merged[-1] in _COLOUR_LETTERS):
            merged[-1] += token
        else:
            merged.append(token)
    return merged


def find_card(token: str) -> Card | None:
    """The card of a word like ``r13``, ``red13`` or ``red-13``; None if it is not even written like one.

    Raises `Refusal` for a card that there is not.
    """
    match = _CARD.fullmatch(token)
    if match is None:
        return None
    colour = _COLOUR_LETTERS.get(match[1], _COLOUR_WORDS.get(match[1]))
    if colour is None:
        return None
    found = _CARD_NUMBER.get((colour, int(match[2]))) if len(match[2]) < 3 else None
    if found is None:
        values = [str(VALUE_OF[card]) for card in range(len(DECK)) if COLOUR_OF[card] is colour]
        raise Refusal(
            words.NO_CARD,
            hint=words.NO_CARD_HINT,
            text=token,
            colour=colour.word,
            values=joined(values, say(words.AND)),
        )
    return found


def write_card(card: Card) -> str:
    """A card as it is typed."""
    return notation.write_card(card)


def write_play(play: Play, own: Seat) -> str:
    """A play as it is typed: ``r13 2 me``."""
    return f"{write_card(play.card)} {play.tile} {side_word(play.side, own)}"


def write(action: Action, scene: Scene) -> str:
    """A legal decision of the own player as it is typed."""
    match action:
        case Play():
            return write_play(action, scene.seat)
        case Exchange(cards):
            return " ".join(write_card(card) for card in cards) or NOTHING_WORDS[0]
        case Claim():
            asked = asked_of(scene)
            assert asked is not None
            return f"{asked.claims.index(action) + 1}, {claim_in_words(action)}"
        case Pass():
            return PASS_WORDS[0]
        case _:
            return NOTHING_WORDS[0]


def side_word(side: Seat, own: Seat) -> str:
    """``me`` or ``them``."""
    return words.ME if side == own else words.THEM


# --- reading ---


def read(text: str, scene: Scene) -> Action | None:
    """The action of a typed line; None if it is no attempt at one. Raises `Refusal` if it cannot be done."""
    asked = asked_of(scene)
    found = tokens(text)
    if asked is None or not found or not _is_attempt(found, asked):
        return None
    if asked.is_claiming:
        return _read_claim(found, asked)
    if asked.exchanges:
        return _read_exchange(found, asked)
    if asked.passes:
        return _read_pass(found)
    return _read_play(found, asked)


def is_attempt(text: str) -> bool:
    """Whether a line looks like a decision, whoever's turn it is."""
    return any(_looks_like_decision(token) for token in tokens(text)[:1])


def _is_attempt(found: Sequence[str], asked: Asked) -> bool:
    first = found[0]
    if _looks_like_decision(first):
        return True
    if asked.is_claiming:
        return first in _COLOUR_WORDS or first in _COLOUR_LETTERS or first in NOTHING_WORDS
    return asked.exchanges and first in NOTHING_WORDS


def _looks_like_decision(token: str) -> bool:
    if token.isdecimal() or token in (*PLAY_WORDS, *EXCHANGE_WORDS, *CLAIM_WORDS, *PASS_WORDS, "decline"):
        return True
    match = _CARD.fullmatch(token)
    return match is not None and (match[1] in _COLOUR_LETTERS or match[1] in _COLOUR_WORDS)


# plays


def _read_play(found: Sequence[str], asked: Asked) -> Play:
    first, *rest = found
    if first in EXCHANGE_WORDS or first in PASS_WORDS:
        template = say(words.MUST_PLAY) if first in EXCHANGE_WORDS else say(words.NO_SKIP)
        raise Refusal(template, hint=words.MUST_PLAY_HINT, example=asked.example)
    if first in CLAIM_WORDS or first == "decline":
        raise Refusal(words.NOTHING_TO_CLAIM, hint=words.MUST_PLAY_HINT, example=asked.example)
    if first.isdecimal() and not rest:
        return _numbered(asked.plays, first)
    if first in PLAY_WORDS:
        if rest and rest[0].isdecimal() and len(rest) == 1:
            return _numbered(asked.plays, rest[0])
        found = rest
    return _play_of(found, asked)


def _play_of(found: Sequence[str], asked: Asked) -> Play:
    if not found:
        raise Refusal(words.WHICH_CARD, hint=words.MUST_PLAY_HINT, example=asked.example)
    card = find_card(found[0])
    if card is None:
        raise Refusal(words.NO_SUCH_CARD, hint=words.NO_SUCH_CARD_HINT, text=found[0], example=asked.example)
    if card not in asked.hand:
        raise Refusal(
            words.NOT_IN_HAND,
            hint=words.IN_HAND,
            card=card_in_words(card),
            cards=words.cards_in_words(asked.hand),
        )
    places = [play for play in asked.plays if play.card == card]
    if len(found) == 1:
        return _only_place(card, places, asked)
    tile = _tile(found[1], asked)
    side = _side(found[2:], asked)
    if side is None:
        return _on_either_side(card, tile, places, asked)
    play = Play(card, tile.number, side)
    if play not in places:
        raise _no_place(card, tile, side, places, asked)
    return play


def _only_place(card: Card, places: Sequence[Play], asked: Asked) -> Play:
    if not places:
        raise _fits_nowhere(card, asked)
    if len(places) > 1:
        raise Refusal(
            words.WHERE,
            hint=words.WHERE_HINT,
            card=card_in_words(card),
            places=_places_in_words(places, asked),
            example=write_play(places[0], asked.own),
        )
    return places[0]


def _on_either_side(card: Card, tile: Tile, places: Sequence[Play], asked: Asked) -> Play:
    """The side is not said: the own one. Where only the other has room, it must be said."""
    own = Play(card, tile.number, asked.own)
    across = Play(card, tile.number, 1 - asked.own)
    if own in places:
        return own
    if across in places:
        raise Refusal(
            words.WHICH_SIDE,
            hint=words.WHICH_SIDE_HINT,
            tile=tile.number,
            card=card_in_words(card),
            name=asked.other,
            example=write_play(across, asked.own),
        )
    raise _no_place(card, tile, asked.own, places, asked)


def _tile(token: str, asked: Asked) -> Tile:
    number = token.removeprefix("tile").removeprefix("t")
    if not number.isdecimal() or int(number) not in TILE_NUMBERS:
        raise Refusal(words.NO_TILE, hint=words.MUST_PLAY_HINT, text=token, example=asked.example)
    return asked.state.tiles[int(number) - 1]


def _side(found: Sequence[str], asked: Asked) -> Seat | None:
    """The side that is meant; None if none is named."""
    if not found:
        return None
    text = " ".join(found)
    seats = {str(seat): seat for seat in range(SEATS)}
    if text in seats:
        return seats[text]
    if text in _OWN_SIDE:
        return asked.own
    if text in _OTHER_SIDE:
        return 1 - asked.own
    named = [seat for seat, name in enumerate(asked.names) if " ".join(tokens(name)).startswith(text)]
    if len(named) == 1:
        return named[0]
    raise Refusal(words.NO_SIDE, hint=words.NO_SIDE_HINT, text=text, name=asked.other)


def _no_place(card: Card, tile: Tile, side: Seat, places: Sequence[Play], asked: Asked) -> Refusal:
    """Why a card cannot be laid there, and where it can."""
    if not places:
        return _fits_nowhere(card, asked)
    colour = COLOUR_OF[card]
    count = tile.cubes[colour]
    if not tile.in_play:
        why = say(words.TILE_GONE)
    elif not count:
        why = words.NO_CUBE
    else:
        why = {1: words.TAKEN_ONE, 2: words.TAKEN_BOTH}.get(count, words.TAKEN_ALL)
    return Refusal(
        words.NO_PLACE,
        hint=words.FITS_AT,
        card=card_in_words(card),
        tile=tile.number,
        side=say(words.YOUR_SIDE) if side == asked.own else say(words.SIDE_OF, name=asked.other),
        why=say(why, colour=colour.word, count=count),
        places=_places_in_words(places, asked),
    )


def _fits_nowhere(card: Card, asked: Asked) -> Refusal:
    others = sorted({play.card for play in asked.plays})
    return Refusal(
        words.FITS_NOWHERE,
        hint=words.TRY_OTHERS,
        card=card_in_words(card),
        cards=words.cards_in_words(others),
    )


def _places_in_words(places: Sequence[Play], asked: Asked) -> str:
    return joined(
        [
            say(
                words.PLACE_WORDS if play.side == asked.own else words.PLACE_WORDS_OTHER,
                tile=play.tile,
                name=asked.other,
            )
            for play in places
        ],
        say(words.AND),
    )


def _numbered(plays: Sequence[Play], number: str) -> Play:
    return plays[_index(number, len(plays))]


def _index(number: str, count: int) -> int:
    if len(number) > 4 or not 1 <= int(number) <= count:
        raise Refusal(words.NO_NUMBER, hint=words.NO_NUMBER_HINT, number=number, count=count)
    return int(number) - 1


# exchanges


def _read_exchange(found: Sequence[str], asked: Asked) -> Exchange:
    first, *rest = found
    if first in PLAY_WORDS or first in CLAIM_WORDS or first in PASS_WORDS:
        raise Refusal(words.EXCHANGE_FIRST)
    if first in EXCHANGE_WORDS:
        if not rest:
            raise Refusal(words.WHICH_CARDS)
        found = rest
    if len(found) == 1 and found[0] in NOTHING_WORDS:
        return Exchange(())
    chosen = [_held(token, asked) for token in found if token not in answers((words.AND,))]
    for index, card in enumerate(chosen):
        if card in chosen[:index]:
            raise Refusal(words.TWICE, card=card_in_words(card))
    if len(chosen) > MOST_EXCHANGED:
        raise Refusal(words.TOO_MANY, count=len(chosen))
    return Exchange(tuple(sorted(chosen)))


def _held(token: str, asked: Asked) -> Card:
    """A card of the hand, by its name or its number in the list."""
    if token.isdecimal():
        return asked.hand[_index(token, len(asked.hand))]
    card = find_card(token)
    if card is None:
        raise Refusal(
            words.NO_SUCH_CARD, hint=words.EXCHANGE_EXAMPLE, text=token, example=write_card(asked.hand[0])
        )
    if card not in asked.hand:
        raise Refusal(
            words.NOT_IN_HAND,
            hint=words.IN_HAND,
            card=card_in_words(card),
            cards=words.cards_in_words(asked.hand),
        )
    return card


def _read_pass(found: Sequence[str]) -> Pass:
    if found[0] not in PASS_WORDS and found != ["1"]:
        raise Refusal(words.JUST_SKIP)
    return Pass()


# claims


def _read_claim(found: Sequence[str], asked: Asked) -> Claim | Decline:
    first, *rest = found
    if first in CLAIM_WORDS and rest:
        first, *rest = rest
    if first in NOTHING_WORDS:
        return Decline()
    if first.isdecimal() and not rest:
        return asked.claims[_index(first, len(asked.claims))]
    colour = _COLOUR_WORDS.get(first, _COLOUR_LETTERS.get(first))
    if colour is None:
        raise Refusal(words.CLAIM_NOW, hint=words.CLAIM_NOW_HINT)
    ways = [claim for claim in asked.claims if claim.trophy is colour]
    if not ways:
        raise Refusal(words.CANNOT_CLAIM, hint=words.CLAIM_NOW_HINT, trophy=colour.word)
    if rest:
        return _spelled_out(colour, rest, ways)
    if len(ways) > 1:
        raise Refusal(words.CLAIM_WHICH, hint=words.CLAIM_NOW_HINT, trophy=colour.word)
    return ways[0]


def _spelled_out(trophy: Colour, rest: Sequence[str], ways: Sequence[Claim]) -> Claim:
    """A claim in the game's notation: ``blue blue=3 red=3``."""
    payment = " ".join(rest).replace(" = ", "=")
    try:
        claim = notation.parse(f"claim {trophy.word} {payment}")
    except MalformedNotation:
        claim = None
    if not isinstance(claim, Claim) or claim not in ways:
        raise Refusal(words.CANNOT_CLAIM, hint=words.CLAIM_NOW_HINT, trophy=trophy.word)
    return claim


# --- while it is being typed ---


def card_of(text: str, asked: Asked) -> Card | None:
    """The card of the own hand that a line begins with; None as long as it names none."""
    found = tokens(text)
    if found and found[0] in PLAY_WORDS:
        found = found[1:]
    try:
        card = find_card(found[0]) if found else None
    except Refusal:
        return None
    return card if card in asked.hand else None


def complete(text: str, scene: Scene) -> list[Candidate]:
    """What could stand next in a decision."""
    asked = asked_of(scene)
    if asked is None:
        return []
    before, _, last = text.rpartition(" ")
    done = before.split()
    if asked.is_claiming:
        candidates = _claim_words(asked) if not done or done[-1].casefold() in CLAIM_WORDS else iter(())
    elif asked.exchanges:
        candidates = _exchange_words(before, asked)
    elif asked.passes:
        candidates = iter([("pass", "")] if not done else [])
    else:
        candidates = _play_words(done, asked)
    return [
        Candidate(word, len(last), meaning)
        for word, meaning in candidates
        if word.startswith(last.casefold())
    ]


def _play_words(done: list[str], asked: Asked) -> Iterator[tuple[str, str]]:
    if done and done[0].casefold() in PLAY_WORDS:
        done = done[1:]
    if not done:
        for fitting in sorted({play.card for play in asked.plays}):
            yield write_card(fitting), told(card_in_words(fitting))
        return
    try:
        card = find_card(done[0].casefold())
    except Refusal:
        return
    places = [play for play in asked.plays if play.card == card]
    if len(done) == 1:
        for number in sorted({play.tile for play in places}):
            yield str(number), _tile_in_words(asked.state.tiles[number - 1], asked)
    elif len(done) == 2:
        for play in places:
            if str(play.tile) == done[1]:
                yield side_word(play.side, asked.own), _side_in_words(play.side, asked)


def _tile_in_words(tile: Tile, asked: Asked) -> str:
    rule = say(words.HIGH_WINS) if tile.terrain.value == "mountain" else say(words.LOW_WINS)
    sums = f"{tile.total(asked.own)}:{tile.total(1 - asked.own)}"
    return f"{told(tile.terrain.word)}, {rule}, {sums}"


def _side_in_words(side: Seat, asked: Asked) -> str:
    return say(words.YOUR_SIDE) if side == asked.own else say(words.SIDE_OF, name=asked.other)


def _exchange_words(before: str, asked: Asked) -> Iterator[tuple[str, str]]:
    named: set[Card | None] = set()
    for token in tokens(before):
        try:
            named.add(find_card(token))
        except Refusal:
            continue
    for card in asked.hand:
        if card not in named:
            yield write_card(card), told(card_in_words(card))
    if not before:
        yield "none", say(words.KEEP_ALL)


def _claim_words(asked: Asked) -> Iterator[tuple[str, str]]:
    for number, claim in enumerate(asked.claims, 1):
        yield str(number), claim_in_words(claim)
    yield "none", say(words.CLAIM_NOTHING)


def claim_in_words(claim: Claim) -> str:
    """What is taken, and what is paid."""
    return say(words.CLAIM_LINE, trophy=claim.trophy.word, paid=words.cubes_in_words(claim.payment))
