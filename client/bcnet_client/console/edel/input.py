"""What a player types at a table of Edel, Stein & Reich: read forgivingly, refused with the reason and a way on.

    money · choose event · 3 (a number of the list of moves)
    r2 b1 · offer red 2, blue · 2 red 1 blue · rrb · accept       in a trade
    open · face-down                                              an event card
    r y · take 2 red                                              gems from the supply
    r bob b · swap red 1 blue · give red · use · save

The game's own notation is understood as well. Pure: a scene and a line give an action.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bcnet.errors import Refusal
from bcnet.games.edel.actions import (
    Accept,
    ChooseCard,
    Give,
    Offer,
    Swap,
    TakeEvent,
    TakeGems,
    UseVault,
)
from bcnet.games.edel.material import (
    ALL_GEMS,
    COLOURS,
    NO_GEMS,
    ActionCard,
    Colour,
    Gems,
    add,
    is_gems,
    one,
)
from bcnet.games.edel.naming import ACTION_NAMES, event_card, gems_in_words, what_it_does
from bcnet.games.edel.state import EdelState, Phase
from bcnet.games.edel.trade import is_higher
from bcnet.games.interface import Action, Seat
from bcnet.language import told
from bcnet_client.console.edel import words
from bcnet_client.console.face import Candidate
from bcnet_client.console.scene import Scene
from bcnet_client.console.text import joined
from bcnet_client.console.words import say

_ACTIONS: Mapping[str, ActionCard] = {
    **dict.fromkeys(("money", "m", "geld"), ActionCard.MONEY),
    **dict.fromkeys(("event", "e", "ereignis", "gebeurtenis"), ActionCard.EVENT),
    **dict.fromkeys(("gems", "gem", "edelsteine", "steine", "edelstenen", "stenen"), ActionCard.GEMS),
    **dict.fromkeys(("free", "f", "freie", "wahl", "vrije", "vrij"), ActionCard.FREE),
}
_COLOUR_WORDS: Mapping[str, Colour] = {
    **{colour.word: colour for colour in COLOURS},
    **dict(zip(("rot", "gelb", "grün", "blau"), COLOURS, strict=True)),
    **dict(zip(("rood", "geel", "groen", "blauw"), COLOURS, strict=True)),
    **{colour.letter.casefold(): colour for colour in COLOURS},
}
_LETTERS = frozenset(colour.letter.casefold() for colour in COLOURS)
_CHOOSE_WORDS = ("choose", "wähle", "kies")
_OFFER_WORDS = ("offer", "biete", "bied")
_ACCEPT_WORDS = ("accept", "annehmen", "nimm", "aanvaard", "aanvaarden", "aannemen")
_TAKE_WORDS = ("take", "nimm", "neem")
_EVENT_WORDS = ("open", "offen", "face", "down", "unseen", "deck", "verdeckt", "gedekt", "dicht")
_OPEN_WORDS = ("open", "offen")
_SWAP_WORDS = ("swap", "tausche", "ruil")
_GIVE_WORDS = ("give", "gib", "geef")
_VAULT_WORDS: Mapping[str, bool] = {
    **dict.fromkeys(("use", "nutze", "nutzen", "gebruik"), True),
    **dict.fromkeys(("save", "spare", "sparen", "spaar"), False),
}
_FILLERS = frozenset(
    {"a", "an", "and", "the", "for", "to", "from", "card", "choice", "s", "und", "für", "en", "voor"}
)
_TOKEN = re.compile(r"[^\W\d_]+|\d+")
_VERBS = frozenset(
    {
        *(word for word in _ACTIONS if len(word) > 1),
        *_CHOOSE_WORDS,
        *_OFFER_WORDS,
        *_ACCEPT_WORDS,
        *_TAKE_WORDS,
        *_EVENT_WORDS,
        *_SWAP_WORDS,
        *_GIVE_WORDS,
        *_VAULT_WORDS,
        "vault",
    }
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What the own player has to decide, and what there is to choose from."""

    state: EdelState
    own: Seat
    names: tuple[str, ...]
    answers: tuple[Action, ...]
    """All legal actions in the order of the list of moves: in a trade `Accept` before the offers, else as the game has
    them.
    """

    @property
    def phase(self) -> Phase:
        """What is asked."""
        return self.state.phase

    @property
    def gems(self) -> Gems:
        """The own gems."""
        return self.state.gems(self.own)

    @property
    def standing(self) -> Gems | None:
        """The offer that lies on the table; None if there is none yet."""
        return self.state.trade.offer if self.state.trade is not None else None

    @property
    def can_accept(self) -> bool:
        """Whether there is an offer to accept."""
        return self.phase is Phase.TRADE and self.standing is not None

    @property
    def offers(self) -> tuple[Action, ...]:
        """In a trade: what can be offered, the lowest first."""
        return self.answers[1:] if self.can_accept else self.answers

    @property
    def partner(self) -> str:
        """Whom the own player deals with: the other of a trade, or who gets a levy."""
        if self.state.trade is not None:
            return self.names[self.state.trade.other]
        assert self.state.performer is not None
        return self.names[self.state.performer]

    @property
    def example(self) -> str:
        """An answer as it is typed."""
        if self.phase is Phase.TRADE:
            return write(self.offers[0], self.names)
        if self.phase is Phase.SWAP:
            return write(self.first_swap, self.names)
        return write(self.answers[0], self.names)

    @property
    def first_swap(self) -> Swap:
        """A swap to begin with: one for another colour, if there is one."""
        swaps = [action for action in self.answers if isinstance(action, Swap)]
        return next((swap for swap in swaps if swap.give != swap.take), swaps[0])


def asked_of(scene: Scene) -> Asked | None:
    """What the own player has to decide now; None if nothing."""
    state = scene.state
    if not scene.asked or not isinstance(state, EdelState):
        return None
    legal = state.legal_actions(scene.seat)
    if legal and legal[-1] == Accept():
        legal = (legal[-1], *legal[:-1])
    return Asked(state, scene.seat, scene.names, legal)


def write_gems(gems: Gems) -> str:
    """Gems as they are typed: ``r2 b1``."""
    return " ".join(f"{colour.letter.casefold()}{gems[colour]}" for colour in COLOURS if gems[colour])


def write(action: Action, names: Sequence[str]) -> str:
    """A legal decision of the own player as it is typed."""
    match action:
        case ChooseCard(card):
            return card.value
        case Offer(gems) | TakeGems(gems):
            return write_gems(gems)
        case TakeEvent(face_down):
            return "face-down" if face_down else _OPEN_WORDS[0]
        case Swap(give, seat, take):
            return f"{give.letter.casefold()} {_name_as_typed(seat, names)} {take.letter.casefold()}"
        case Give(colour):
            return colour.letter.casefold()
        case UseVault(use):
            return "use" if use else "save"
        case _:
            return words.ACCEPT_WORD


def _name_as_typed(seat: Seat, names: Sequence[str]) -> str:
    """A name if it can be typed as one word, else the number of the seat."""
    name = names[seat].casefold()
    others = [other for at, other in enumerate(names) if at != seat]
    is_clear = re.fullmatch(r"[^\W\d_]{2,}", name) and name not in _FILLERS | _COLOUR_WORDS.keys() | _VERBS
    return name if is_clear and not any(other.casefold().startswith(name) for other in others) else str(seat)


# --- reading ---


def read(text: str, scene: Scene) -> Action | None:
    """The action of a typed line; None if it is no attempt at one. Raises `Refusal` if it cannot be done."""
    asked = asked_of(scene)
    found = tokens(text)
    if asked is None or not found or not _is_attempt(found, asked):
        return None
    if len(found) == 1 and found[0].isdecimal():
        return _numbered(found[0], asked.answers)
    match asked.phase:
        case Phase.CHOOSE:
            return _read_choice(found, asked)
        case Phase.TRADE:
            return _read_trade(found, asked)
        case Phase.EVENT:
            return _read_event(found, asked)
        case Phase.GEMS:
            return _read_taking(found, asked)
        case Phase.SWAP:
            return _read_swap(found, asked)
        case Phase.LEVY:
            return _read_gift(found, asked)
        case _:
            return _read_vault(found, asked)


def tokens(text: str) -> list[str]:
    """The words and numbers of a line, in small letters."""
    return [token for token in _TOKEN.findall(text.casefold()) if token not in _FILLERS]


def is_attempt(text: str) -> bool:
    """Whether a line looks like a decision, whoever's turn it is."""
    found = tokens(text)
    return bool(found) and (found[0] in _VERBS or found[0].isdecimal())


def _is_attempt(found: Sequence[str], asked: Asked) -> bool:
    first = found[0]
    if first in _VERBS or first.isdecimal():
        return True
    if asked.phase is Phase.CHOOSE:
        return first in _ACTIONS and len(found) == 1
    return first in _COLOUR_WORDS or _is_letters(first)


def _is_letters(token: str) -> bool:
    """Whether it is colours one after the other, as in ``rrb``."""
    return _LETTERS.issuperset(token)


def _numbered(number: str, answers: Sequence[Action]) -> Action:
    if len(number) > 6 or not 1 <= int(number) <= len(answers):
        raise Refusal(words.NO_NUMBER, hint=words.NO_NUMBER_HINT, number=number, count=len(answers))
    return answers[int(number) - 1]


def _without(found: Sequence[str], verbs: Sequence[str]) -> Sequence[str]:
    return found[1:] if found[0] in verbs else found


def _read_choice(found: Sequence[str], asked: Asked) -> Action:
    rest = _without(found, _CHOOSE_WORDS)
    card = _ACTIONS.get(rest[0]) if rest else None
    if card not in asked.state.action_cards:
        actions = joined([told(ACTION_NAMES[each]) for each in asked.state.action_cards], say(words.AND))
        text = " ".join(rest or found)
        raise Refusal(words.NO_ACTION, hint=words.ACTIONS, text=text, actions=actions)
    return ChooseCard(card)


def _read_trade(found: Sequence[str], asked: Asked) -> Action:
    if found[0] in _ACCEPT_WORDS or (found[0] in _TAKE_WORDS and len(found) == 1):
        if asked.standing is None:
            raise Refusal(words.NO_OFFER_YET, hint=words.GEMS_EXAMPLE, example=asked.example)
        return Accept()
    gems = _gems(_without(found, _OFFER_WORDS), found, asked)
    if not is_gems(gems, asked.gems):
        raise Refusal(
            words.NOT_YOURS, hint=words.YOU_HAVE, gems=gems_in_words(gems), own=gems_in_words(asked.gems)
        )
    if not is_higher(gems, asked.standing):
        standing = gems_in_words(asked.standing or NO_GEMS)
        raise Refusal(
            words.TOO_LOW_TYPED,
            hint=words.TOO_LOW_HINT,
            gems=gems_in_words(gems),
            name=asked.partner,
            standing=standing,
        )
    return Offer(gems)


def _read_event(found: Sequence[str], asked: Asked) -> Action:
    rest = [token for token in found if token not in (*_TAKE_WORDS, *_ACTIONS)]
    if not rest or rest[0] not in _EVENT_WORDS:
        raise _not_now(asked)
    return TakeEvent(face_down=rest[0] not in _OPEN_WORDS)


def _read_taking(found: Sequence[str], asked: Asked) -> Action:
    action = TakeGems(_gems(_without(found, _TAKE_WORDS), found, asked))
    if action not in asked.answers:
        hint = words.TAKE_THREE if asked.state.event is not None else words.TAKE_TWO
        raise Refusal(words.CANNOT_TAKE, hint=hint, gems=gems_in_words(action.gems))
    return action


def _read_swap(found: Sequence[str], asked: Asked) -> Action:
    rest = _without(found, _SWAP_WORDS)
    if len(rest) >= 3 and rest[0] in _COLOUR_WORDS and rest[-1] in _COLOUR_WORDS:
        seat = _seat(" ".join(rest[1:-1]), asked)
        if seat is not None:
            action = Swap(_COLOUR_WORDS[rest[0]], seat, _COLOUR_WORDS[rest[-1]])
            if action in asked.answers:
                return action
    raise Refusal(words.CANNOT_SWAP, hint=words.SWAP_HINT, example=asked.example)


def _seat(text: str, asked: Asked) -> Seat | None:
    """Another's seat, by its number or by the beginning of a name."""
    if text in {str(seat) for seat in asked.state.everybody}:
        return int(text)
    named = [
        seat
        for seat, name in enumerate(asked.names)
        if seat != asked.own and " ".join(tokens(name)).startswith(text)
    ]
    return named[0] if len(named) == 1 else None


def _read_gift(found: Sequence[str], asked: Asked) -> Action:
    rest = _without(found, _GIVE_WORDS)
    colour = _COLOUR_WORDS.get(rest[0]) if len(rest) == 1 else None
    if colour is None:
        raise Refusal(
            words.ONE_GEM, hint=words.YOU_HAVE, example=asked.example, own=gems_in_words(asked.gems)
        )
    if not asked.gems[colour]:
        raise Refusal(
            words.NOT_YOURS,
            hint=words.YOU_HAVE,
            gems=gems_in_words(one(colour)),
            own=gems_in_words(asked.gems),
        )
    return Give(colour)


def _read_vault(found: Sequence[str], asked: Asked) -> Action:
    rest = _without(found, ("vault",))
    if not rest or rest[0] not in _VAULT_WORDS:
        raise _not_now(asked)
    return UseVault(use=_VAULT_WORDS[rest[0]])


def _not_now(asked: Asked) -> Refusal:
    return Refusal(words.NOT_NOW, hint=words.SAY_INSTEAD, example=asked.example)


def _gems(rest: Sequence[str], found: Sequence[str], asked: Asked) -> Gems:
    gems = gems_of(rest)
    if gems is None:
        text = " ".join(rest or found)
        raise Refusal(words.WHICH_GEMS, hint=words.GEMS_EXAMPLE, text=text, example=asked.example)
    return gems


def gems_of(rest: Sequence[str]) -> Gems | None:
    """The gems that some words name: ``r 2 b``, ``2 red 1 blue``, ``rrb``; None if they name none, or more than there
    are, or anything else.
    """
    gems = NO_GEMS
    numbers_first = bool(rest) and rest[0].isdecimal()
    pending = list(rest)
    while pending:
        count, token = "1", pending.pop(0)
        if numbers_first and token.isdecimal():
            if not pending:
                return None
            count, token = token, pending.pop(0)
        elif not numbers_first and pending and pending[0].isdecimal():
            count = pending.pop(0)
        if len(count) > 2:
            return None
        if token in _COLOUR_WORDS:
            gems = add(gems, one(_COLOUR_WORDS[token], int(count)))
        elif _is_letters(token):
            for letter in token:
                gems = add(gems, one(_COLOUR_WORDS[letter]))
            gems = add(gems, one(_COLOUR_WORDS[token[-1]], int(count) - 1))
        else:
            return None
    return gems if any(gems) and is_gems(gems, ALL_GEMS) else None


def offer_of(text: str, asked: Asked) -> Gems | None:
    """The gems of a line that is being typed, as far as the own player has them; None if it names none."""
    found = tokens(text)
    gems = gems_of(_without(found, _OFFER_WORDS)) if found else None
    return gems if gems is not None and is_gems(gems, asked.gems) else None


# --- while it is being typed ---


def complete(text: str, scene: Scene) -> list[Candidate]:
    """What could stand next in a decision."""
    asked = asked_of(scene)
    if asked is None:
        return []
    before, _, last = text.rpartition(" ")
    return [
        Candidate(word, len(last), meaning)
        for word, meaning in _candidates(tokens(before), asked)
        if word.startswith(last.casefold())
    ]


def _candidates(done: Sequence[str], asked: Asked) -> Iterator[tuple[str, str]]:
    match asked.phase:
        case Phase.CHOOSE:
            if not done or not _without(done, _CHOOSE_WORDS):
                for card in asked.state.action_cards:
                    yield card.value, told(ACTION_NAMES[card])
        case Phase.TRADE:
            if not done and asked.can_accept:
                yield words.ACCEPT_WORD, told(gems_in_words(asked.standing or NO_GEMS))
            yield from _more_gems(_without(done, _OFFER_WORDS) if done else (), asked.gems)
        case Phase.GEMS:
            yield from _more_gems(_without(done, _TAKE_WORDS) if done else (), asked.state.supply)
        case Phase.EVENT if not done:
            opened = asked.state.open_event
            assert opened is not None
            yield _OPEN_WORDS[0], f"{told(event_card(opened))}: {told(what_it_does(opened))}"
            yield "face-down", say(words.TAKE_FACE_DOWN, count=len(asked.state.deck))
        case Phase.SWAP:
            yield from _swap_words(_without(done, _SWAP_WORDS) if done else (), asked)
        case Phase.LEVY | Phase.VAULT if not done:
            for action in asked.answers:
                yield write(action, asked.names), ""
        case _:
            return


def _more_gems(named: Sequence[str], most: Gems) -> Iterator[tuple[str, str]]:
    """The colours that are not named yet, each with how many there are."""
    gems = gems_of(named) or NO_GEMS
    for colour in COLOURS:
        if most[colour] and not gems[colour]:
            yield colour.letter.casefold(), told(gems_in_words(one(colour, most[colour])))


def _swap_words(done: Sequence[str], asked: Asked) -> Iterator[tuple[str, str]]:
    swaps = [action for action in asked.answers if isinstance(action, Swap)]
    if not done:
        for give in sorted({swap.give for swap in swaps}):
            yield give.letter.casefold(), told(give.word)
    elif len(done) == 1:
        for seat in sorted({swap.seat for swap in swaps}):
            yield _name_as_typed(seat, asked.names), told(gems_in_words(asked.state.gems(seat)))
    elif len(done) == 2 and (whose := _seat(done[1], asked)) is not None:
        for colour in COLOURS:
            if asked.state.gems(whose)[colour]:
                yield colour.letter.casefold(), told(colour.word)
