# ruff: noqa: D102 (the base class says it)
"""The face of Balloon Cup: what `bcnet_client.console` shows and reads, put together from words, view and input."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from bcnet.errors import Refusal
from bcnet.games.balloon_cup import endings, hints
from bcnet.games.balloon_cup.actions import Claim, Exchange, Pass, Play
from bcnet.games.balloon_cup.bots import THINKING
from bcnet.games.balloon_cup.events import TileScored, TrophyClaimed
from bcnet.games.balloon_cup.material import COLOURS, MOST_EXCHANGED, TROPHY_PRICE, Colour, Terrain
from bcnet.games.balloon_cup.material import say as card_in_words
from bcnet.games.balloon_cup.notation import write_card
from bcnet.games.balloon_cup.state import BalloonCupState, Phase
from bcnet.games.balloon_cup.text import NOTATION, RULES
from bcnet.games.balloon_cup.tiles import Tile
from bcnet.games.interface import Action, Card, Event, Over, Seat, Shuffle
from bcnet.language import _, told
from bcnet_client.console import words as general
from bcnet_client.console.balloon_cup import input as reading
from bcnet_client.console.balloon_cup import view, words
from bcnet_client.console.balloon_cup.picked import Claiming, Exchanging, Laying, Place
from bcnet_client.console.balloon_cup.picking import BalloonCupPicking
from bcnet_client.console.face import THEN_HIDDEN, Candidate, Face, Frame, Picked, Picking
from bcnet_client.console.scene import Scene
from bcnet_client.console.text import Line, Part, clickable, joined, line, wrap, wrap_parts
from bcnet_client.console.words import say

ADVICE_SECONDS = 3.0
"""Within these, advice has thought as long as a hard bot on a machine of today; a slower one is cut short."""


class BalloonCupFace(Face):
    """Balloon Cup on the console."""

    title: ClassVar[str] = "Balloon Cup"
    topics: ClassVar[Mapping[str, str]] = {"rules": RULES, "notation": NOTATION}
    usage: ClassVar[tuple[tuple[str, str], ...]] = words.USAGE
    decisions: ClassVar[tuple[str, ...]] = ("play", "exchange", "pass", "claim", "decline")
    picking: ClassVar[Picking] = BalloonCupPicking()

    def board(self, scene: Scene, frame: Frame, picked: Picked | None = None) -> list[Line]:
        return view.board(scene, frame, picked)

    def tell(self, event: Event, scene: Scene) -> str:
        return words.tell(event, scene.seat, scene.names)

    def call(self, scene: Scene, picked: Picked | None = None) -> str:
        asked = reading.asked_of(scene)
        if asked is None:
            return ""
        if isinstance(picked, Laying):
            text = _foreseen(picked, asked)
            return text[:1].upper() + text[1:]
        if asked.is_claiming:
            return say(words.CALL_CLAIM)
        if asked.exchanges:
            return say(words.CALL_EXCHANGE)
        if asked.passes:
            return say(words.CALL_SKIP)
        return say(words.CALL_PLAY, example=asked.example)

    def confirm(self, action: Action, scene: Scene) -> str:
        name = scene.names[1 - scene.seat]
        match action:
            case Play(card, tile, side):
                template = words.CONFIRM_PLAY if side == scene.seat else words.CONFIRM_PLAY_ACROSS
                return say(template, card=card_in_words(card), tile=tile, name=name)
            case Exchange(cards):
                template = words.CONFIRM_EXCHANGE if cards else words.CONFIRM_KEEP
                return say(template, cards=words.cards_in_words(cards))
            case Claim(trophy, payment):
                return say(words.CONFIRM_CLAIM, trophy=trophy.word, paid=words.cubes_in_words(payment))
            case Pass():
                return ""
            case _:
                return say(words.CONFIRM_DECLINE)

    def progress(self, scene: Scene) -> str:
        state = _state(scene)
        if state.phase is Phase.REFILL:
            return say(words.DRAWING_CUBES)
        return say(general.SHUFFLING) if isinstance(state.need, Shuffle) else say(words.DEALING)

    def prompt(self, scene: Scene) -> str:
        asked = reading.asked_of(scene)
        if asked is not None and asked.is_claiming:
            return say(words.PROMPT_CLAIM)
        if asked is not None and asked.exchanges:
            return say(words.PROMPT_EXCHANGE)
        if asked is not None and asked.passes:
            return say(words.PROMPT_SKIP)
        return say(general.PROMPT)

    def question(self, scene: Scene, columns: int, picked: Picked | None = None) -> list[Line]:
        asked = reading.asked_of(scene)
        if asked is None or asked.plays:
            return []
        if asked.is_claiming:
            return _claims(asked, columns, picked)
        if asked.exchanges:
            return _exchange(asked, columns, picked)
        return wrap(say(words.SKIP_TITLE), columns)

    def moves(self, scene: Scene, columns: int) -> list[Line]:
        asked = reading.asked_of(scene)
        if asked is None:
            return wrap(say(general.NOTHING_TO_LIST), columns)
        if not asked.plays:
            return self.question(scene, columns)
        return _plays(asked, columns)

    def hand(self, scene: Scene) -> list[str]:
        state = _state(scene)
        other = 1 - scene.seat
        if scene.open_hands:
            return [_open_hand(state, seat, scene) for seat in (scene.seat, other)]
        own, theirs = state.hand(scene.seat), state.hand(other)
        template = words.HAND_OTHER_SHOWN if theirs.shown else words.HAND_OTHER
        return [
            say(words.HAND_YOURS, cards=words.cards_in_words(own.known) or say(words.NOTHING)),
            say(
                template,
                name=scene.names[other],
                count=theirs.size,
                cards=words.cards_in_words(theirs.shown),
            ),
        ]

    def score(self, scene: Scene) -> list[str]:
        state = _state(scene)
        other = 1 - scene.seat
        free = [
            say(words.FREE_ONE, trophy=colour.word, price=TROPHY_PRICE[colour])
            for colour in COLOURS
            if state.owners[colour] is None
        ]
        return [
            _standing(words.SCORE_OTHER if scene.open_hands else words.SCORE_YOURS, state, scene.seat, scene),
            _standing(words.SCORE_OTHER, state, other, scene),
            say(words.FREE, trophies=joined(free, say(words.AND)) or say(words.NOTHING)),
            *(_tile_in_words(tile, scene) for tile in state.tiles),
            say(words.COUNTS, pile=state.pile_size, discards=len(state.discards), bag=sum(state.bag)),
            *(_next_cards(state) if scene.open_hands else ()),
        ]

    def summary(self, scene: Scene) -> list[str]:
        scored = [(each.event, each.move) for each in scene.story if isinstance(each.event, TileScored)]
        won = [event.winner for event, _ in scored]
        other = 1 - scene.seat
        tally = say(
            words.TILES_WON, own=won.count(scene.seat), theirs=won.count(other), name=scene.names[other]
        )
        taken = [
            _by_whom(
                words.TROPHY_TAKEN, each.event.seat, scene, trophy=each.event.trophy.word, move=each.move
            )
            for each in scene.story
            if isinstance(each.event, TrophyClaimed)
        ]
        tiles = {event.tile for event, _ in scored}
        return [
            *([say(words.TROPHIES_TAKEN, taken=", ".join(taken))] if taken else ()),
            tally,
            *(_tile_summary(number, scored, scene) for number in sorted(tiles)),
        ]

    def outcome(self, result: Over, scene: Scene) -> str:
        if result.reason == endings.RESIGNATION and scene.seat not in result.winners:
            return say(words.YOU_RESIGNED) if result.winners else say(words.BOTH_RESIGNED)
        return say(words.OUTCOMES.get(result.reason, ""))

    def read(self, text: str, scene: Scene) -> Action | None:
        if reading.asked_of(scene) is not None:
            return reading.read(text, scene)
        if not reading.is_attempt(text):
            return None
        names = joined(scene.awaited_others, say(words.AND))
        raise Refusal(general.NOT_YOUR_TURN, hint=general.NOT_YOUR_TURN_HINT, names=names)

    def explain(self, error: Refusal, scene: Scene) -> tuple[str, str]:
        names = scene.names
        values = dict(error.values)
        for key in ("seat", "owner"):
            if isinstance(seat := values.get(key), int) and seat in range(len(names)):
                values[key] = names[seat]
        if isinstance(side := values.get("side"), int) and side in range(len(names)):
            values["side"] = (
                say(words.YOUR_SIDE) if side == scene.seat else say(words.SIDE_OF, name=names[side])
            )
        message = _filled(error.template, values)
        if not error.template.startswith("{text}"):  # what the player typed stays as it is
            message = message[:1].upper() + message[1:]
        return message, _filled(error.hint_template, values)

    def advice(self, scene: Scene, clock: Callable[[], float]) -> str:
        budget = replace(THINKING, seconds=ADVICE_SECONDS, clock=clock)
        found = hints.hint(_state(scene), scene.seat, random.Random(), budget)  # noqa: S311 (nothing secret)
        why = told(hints.in_words(found))
        action = reading.write(found.action, scene)
        return say(words.ADVICE, action=action, why=why[:1].upper() + why[1:])

    def complete(self, text: str, scene: Scene) -> list[Candidate]:
        return reading.complete(text, scene)


def _state(scene: Scene) -> BalloonCupState:
    assert isinstance(scene.state, BalloonCupState)
    return scene.state


def _filled(template: str, values: dict[str, object]) -> str:
    """A sentence of the game, which speaks of seats and sides by number, with names put in."""
    text = _(template)
    for number, name in (
        (_("seat {seat}"), "{seat}"),
        (_("seat {owner}"), "{owner}"),
        (_("on side {side}"), _("on {side}")),
    ):
        text = text.replace(number, name)
    text = text.format(
        **{name: told(value) if isinstance(value, str) else value for name, value in values.items()}
    )
    return text + ("." if text and text[-1] not in ".!?" else "")


# --- what can be chosen ---


def _plays(asked: reading.Asked, columns: int) -> list[Line]:
    """A line for each card of the hand, with the numbers of its places."""
    lines: list[Line] = []
    numbers = {play: number for number, play in enumerate(asked.plays, 1)}
    for card in asked.hand:
        places = [
            line(
                ("class:number", f"{number:>3}"),
                f") {play.tile} {reading.side_word(play.side, asked.own):<5}",
            )
            for play, number in numbers.items()
            if play.card == card
        ]
        if places:
            groups = [line(" ", view.card(card), " "), *places]
            lines += wrap_parts(groups, columns, indent=5)
    return lines


def _exchange(asked: reading.Asked, columns: int, picked: Picked | None) -> list[Line]:
    """The hand with its numbers; once the player has begun to mark cards, with a box before each."""
    exchanging = picked if isinstance(picked, Exchanging) else Exchanging(-1)
    groups = []
    for at, card in enumerate(asked.hand):
        is_here, is_marked = at == exchanging.at, card in exchanging.marked
        target = f"{view.CARD}:{card}"
        colour, name = view.card(card)
        box = ("[x]" if is_marked else "[ ]") if picked else " "
        groups.append(
            line(
                ("class:picked", "▶") if is_here else " ",
                ("class:number", f"{at + 1}"),
                (clickable("class:lit" if is_marked else "", target), box),
                (clickable(colour, target), name),
                " ",
            )
        )
    example = asked.hand[:2]
    how = say(words.EXCHANGE_HOW, cards=" ".join(reading.write_card(card) for card in example), numbers="1 2")
    lines = [*wrap(say(words.EXCHANGE_TITLE), columns), *wrap_parts(groups, columns)]
    if picked is None:
        lines += wrap(how, columns)
    if exchanging.marked:
        cards = words.cards_in_words(exchanging.marked)
        text = say(words.EXCHANGE_CHOSEN, cards=cards, count=len(exchanging.marked), most=MOST_EXCHANGED)
        lines += wrap(text, columns, style="class:lit")
    return lines


def _claims(asked: reading.Asked, columns: int, picked: Picked | None) -> list[Line]:
    """What can be claimed, a line each, and to claim nothing as the last."""
    at = picked.at if isinstance(picked, Claiming) else -1
    lines = wrap(say(words.CLAIM_TITLE), columns)
    for index, claim in enumerate(asked.claims):
        trophy = view.cube(Colour(claim.trophy))
        number = ("class:number", f"{index + 1:>2}")
        lines.append(_answer(index, at, number, trophy, ("", f" {reading.claim_in_words(claim)}")))
    nothing = (("class:number", f"{reading.NOTHING_WORDS[0]} "), ("", f" {say(words.CLAIM_NOTHING)}"))
    return [*lines, _answer(len(asked.claims), at, *nothing)]


def _answer(index: int, at: int, *parts: Part) -> Line:
    """A line of the list of claims, with a mark if the player is there."""
    mark = ("class:picked", "▶") if index == at else ("", " ")
    target = f"{view.CLAIM}:{index}"
    return tuple((clickable(style, target), text) for style, text in (mark, *parts))


# --- what would come of it ---


def _foreseen(picked: Laying, asked: reading.Asked) -> str:
    """What the picked card would do where it is to lie; before there is a place, whether there is one."""
    card = card_in_words(picked.card)
    if picked.place is not None:
        return (
            f"{_sums_with(picked.card, picked.place, asked)} {_winner_with(picked.card, picked.place, asked)}"
        )
    count = len(asked.places(picked.card))
    if not count:
        return say(words.CALL_NOWHERE, card=card)
    return say(words.CALL_WHERE if count > 1 else words.CALL_WHERE_ONE, card=card, count=count)


def _sums_with(card: Card, place: Place, asked: reading.Asked) -> str:
    number, side = place
    tile = asked.state.tiles[number - 1].with_card(card, side)
    return say(
        words.FORESEEN if side == asked.own else words.FORESEEN_ACROSS,
        card=card_in_words(card),
        tile=number,
        name=asked.other,
        own=tile.total(asked.own),
        theirs=tile.total(1 - asked.own),
    )


def _winner_with(card: Card, place: Place, asked: reading.Asked) -> str:
    """Who would win the tile, or does."""
    number, side = place
    tile = asked.state.tiles[number - 1].with_card(card, side)
    cubes = words.cubes_in_words(tile.cubes)
    if tile.ahead is None:
        return say(words.WINS_EVEN if tile.full else words.NOBODY_AHEAD, cubes=cubes)
    templates = words.WINS if tile.full else words.AHEAD
    return say(templates[tile.ahead != asked.own], name=asked.other, cubes=cubes)


# --- the table in words ---


def _next_cards(state: BalloonCupState) -> list[str]:
    if not state.pile_order:
        return []
    marked = [f"{write_card(card).upper()}{THEN_HIDDEN}" for card in state.pile_order[: words.NEXT_CARDS]]
    return [say(words.PILE_NEXT_WORDS, cards=", ".join(marked))]


def _open_hand(state: BalloonCupState, seat: Seat, scene: Scene) -> str:
    hand = state.hand(seat)
    hidden = hand.size - len(hand.known)
    return say(
        words.HAND_OPEN_HIDDEN if hidden else words.HAND_OPEN,
        name=scene.names[seat],
        cards=words.open_hand_in_words(hand),
        count=hidden,
    )


def _standing(template: str, state: BalloonCupState, seat: Seat, scene: Scene) -> str:
    trophies = [told(colour.word) for colour in state.trophies(seat)]
    return say(
        template,
        name=scene.names[seat],
        trophies=joined(trophies, say(words.AND)) or say(words.NOTHING),
        cubes=words.cubes_in_words(state.won[seat]),
    )


def _by_whom(templates: tuple[str, str], seat: Seat, scene: Scene, **values: object) -> str:
    """A sentence about a seat: the first of two if that is the own one."""
    return say(templates[seat != scene.seat], name=scene.names[seat], **values)


def _tile_summary(number: int, scored: Sequence[tuple[TileScored, int]], scene: Scene) -> str:
    """Who has won a tile, when, and with what sums."""
    wins = [
        _by_whom(
            words.TILE_WON,
            event.winner,
            scene,
            move=move,
            sum=event.totals[event.winner],
            other=event.totals[1 - event.winner],
        )
        for event, move in scored
        if event.tile == number
    ]
    return say(words.TILE_SUMMARY, tile=number, wins=", ".join(wins))


def _tile_in_words(tile: Tile, scene: Scene) -> str:
    if not tile.in_play:
        return say(words.TILE_GONE_WORDS, tile=tile.number)
    other = 1 - scene.seat
    return say(
        words.TILE_WORDS_OPEN if scene.open_hands else words.TILE_WORDS,
        own=scene.names[scene.seat],
        tile=tile.number,
        terrain=tile.terrain.word,
        rule=say(words.HIGH_WINS) if tile.terrain is Terrain.MOUNTAIN else say(words.LOW_WINS),
        cubes=words.cubes_in_words(tile.cubes),
        yours=_side_in_words(tile, scene.seat),
        theirs=_side_in_words(tile, other),
        name=scene.names[other],
    )


def _side_in_words(tile: Tile, side: Seat) -> str:
    room = tile.open(side)
    return say(
        words.SIDE_WORDS if any(room) else words.SIDE_FULL,
        cards=words.cards_in_words(tile.cards(side)) or say(words.NOTHING),
        sum=tile.total(side),
        open=words.cubes_in_words(room),
    )


FACE = BalloonCupFace()
