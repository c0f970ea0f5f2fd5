# ruff: noqa: D102 (the base class says it)
"""The table of Balloon Cup as SVG. Every card and cube has its letter as well as its colour.

From top to bottom: the hand of seat 1, the tiles with seat 1's side above and seat 0's below, the hand of seat 0, the
cubes won against what the trophies cost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from bcnet.errors import Phrase
from bcnet.games.balloon_cup.events import CardPlayed
from bcnet.games.balloon_cup.material import (
    COLOUR_OF,
    COLOURS,
    SEATS,
    TROPHY_PRICE,
    VALUE_OF,
    Colour,
    Terrain,
)
from bcnet.games.balloon_cup.state import BalloonCupState
from bcnet.games.balloon_cup.tiles import Tile
from bcnet.games.interface import Card, Decide, Seat
from bcnet.replay import Moment, Playback
from bcnet_client.page.drawing import Drawing, Race
from bcnet_client.page.markup import Markup, joined, tag
from bcnet_client.page.shapes import box, short, text

WIDTH, HEIGHT = 600, 438
_CARD, _TALL = 36, 44
_STEP = _CARD + 4
_LEFT = 12
_NAME_ROOM = 130
_TOP_HAND, _TILES, _BOTTOM_HAND, _TROPHIES = 14, 70, 288, 352
_TILE_TALL = 200
_NEXT = 8
"""So many cards of the pile are shown."""


class BalloonCupDrawing(Drawing):
    """Balloon Cup on a page."""

    title: ClassVar[str] = "Balloon Cup"
    style: ClassVar[str] = """
.red rect,rect.red{fill:#c1272d}.yellow rect,rect.yellow{fill:#f5d90a}.green rect,rect.green{fill:#00804a}
.blue rect,rect.blue{fill:#1f5fd0}.grey rect,rect.grey{fill:#b8b8b8}
svg text{font:14px system-ui,sans-serif;fill:#1b1b1b}.red text,.green text,.blue text{fill:#fff}
.card text,.cube text{text-anchor:middle;font-weight:700}.card rect{stroke:#1b1b1b}
.secret rect{stroke-width:3;stroke-dasharray:5 3}.last rect{stroke-width:4}
.open rect{fill:none;stroke:#8a8a8a;stroke-dasharray:2 3}.open text{fill:#555;text-anchor:middle}
.back rect{fill:#ddd;stroke:#8a8a8a}.tile>rect{fill:#eef3f7;stroke:#6b7b8a}.mountain>rect{fill:#e9e2d8}

svg .mark{text-anchor:middle;font-weight:700;fill:#6a1b7a}svg .turn{font-weight:700}svg .sum{font-weight:700}
svg .small{font-size:12px}
"""

    def board(self, moment: Moment, names: Sequence[str]) -> Markup:
        state = _state(moment)
        parts = [
            *_hand(moment, 1, names, _TOP_HAND),
            *_tiles(moment),
            *_hand(moment, 0, names, _BOTTOM_HAND),
            *_trophies(state, names),
        ]
        counts = Phrase(
            "pile {pile} · discards {discards} · bag {bag}",
            pile=state.pile_size,
            discards=len(state.discards),
            bag=sum(state.bag),
        )
        parts.append(text(_LEFT, HEIGHT - 8, counts, "small"))
        if state.pile_order:
            cards = [
                f"{COLOUR_OF[card].letter.upper()}{VALUE_OF[card]}*" for card in state.pile_order[:_NEXT]
            ]
            parts.append(
                text(WIDTH / 2 - 60, HEIGHT - 8, Phrase("next: {cards}", cards=" ".join(cards)), "small next")
            )
        label = Phrase("The table: both hands, four tiles, cubes won; {counts}", counts=counts)
        return tag(
            "svg", *parts, viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img", aria_label=label, class_="board"
        )

    def races(self, playback: Playback) -> tuple[Race, ...]:
        states = [_state(moment) for moment in playback.moments]
        marks = tuple(
            (seat, number, colour.letter.upper())
            for number in range(1, len(states))
            for seat in range(SEATS)
            for colour in COLOURS
            if states[number].owners[colour] == seat and states[number - 1].owners[colour] is None
        )
        trophies = tuple(tuple(len(state.trophies(seat)) for state in states) for seat in range(SEATS))
        cubes = tuple(tuple(sum(state.won[seat]) for state in states) for seat in range(SEATS))
        return (
            Race(
                Phrase("The trophy race: trophies won, each with the letter of its colour"), trophies, marks
            ),
            Race(Phrase("Cubes won and not yet paid for a trophy"), cubes),
        )


def _state(moment: Moment) -> BalloonCupState:
    assert isinstance(moment.state, BalloonCupState)
    return moment.state


# --- single things ---


def _card(x: float, y: float, card: Card, *, last: bool = False, secret: bool = False) -> Markup:
    colour = COLOUR_OF[card]
    more = f"{' last' if last else ''}{' secret' if secret else ''}"
    drawn = box(x, y, _CARD, _TALL, f"{colour.letter.upper()}{VALUE_OF[card]}", f"card {colour.word}{more}")
    return joined(drawn, text(x + _CARD - 4, y - 1, "*", "mark")) if secret else drawn


# --- hands ---


def _hand(moment: Moment, seat: Seat, names: Sequence[str], y: float) -> Iterator[Markup]:
    state = _state(moment)
    hand, secret = state.hand(seat), moment.secret(seat)
    on_turn = state.need == Decide(seat)
    yield text(
        _LEFT,
        y + _TALL / 2 + 5,
        f"{'▶ ' if on_turn else ''}{short(names[seat])}",
        "turn" if on_turn else None,
    )
    x = _LEFT + _NAME_ROOM
    for card in hand.known:
        yield _card(x, y, card, secret=card in secret)
        x += _STEP
    for _ in range(hand.size - len(hand.known)):
        yield box(x, y, _CARD, _TALL, "?", "card back")
        x += _STEP


# --- tiles ---


def _tiles(moment: Moment) -> Iterator[Markup]:
    played = [event for event in moment.events if isinstance(event, CardPlayed)]
    last = (played[-1].card, played[-1].tile) if played else None
    x: float = _LEFT
    for tile in _state(moment).tiles:
        wide = max(2, tile.number) * _STEP + 20
        terrain = tile.terrain.value
        yield tag("g", *_tile(tile, x, wide, last), class_=f"tile {terrain}")
        x += wide + 12


def _tile(tile: Tile, x: float, wide: float, last: tuple[Card, int] | None) -> Iterator[Markup]:
    yield tag("rect", x=x, y=_TILES, width=wide, height=_TILE_TALL, rx=8)
    if not tile.in_play:
        yield text(x + 10, _TILES + 20, Phrase("{tile} out of play", tile=tile.number), "small")
        return
    rule = Phrase("▼ low wins" if tile.terrain is Terrain.PLAINS else "▲ high wins")
    label = Phrase("{tile} {terrain}", tile=tile.number, terrain=tile.terrain.word)
    yield text(x + 10, _TILES + 17, label, "small")
    yield text(x + 10, _TILES + _TILE_TALL - 8, rule, "small")
    for side, y in ((1, _TILES + 24), (0, _TILES + 130)):
        yield from _side(tile, side, x + 12, y, last)
    cubes = [colour for colour in COLOURS for _ in range(tile.cubes[colour])]
    for index, colour in enumerate(cubes):
        yield box(
            x + 12 + index * _STEP + 7, _TILES + 88, 22, 22, colour.letter.upper(), f"cube {colour.word}"
        )
    sums = f"{tile.total(1)} : {tile.total(0)}"
    yield text(x + 12, _TILES + 126, sums, "sum small")


def _side(tile: Tile, side: Seat, x: float, y: float, last: tuple[Card, int] | None) -> Iterator[Markup]:
    laid, room = tile.cards(side), tile.open(side)
    for colour in COLOURS:
        for card in (each for each in laid if COLOUR_OF[each] is colour):
            yield _card(x, y, card, last=last == (card, tile.number))
            x += _STEP
        for _ in range(room[colour]):
            yield box(x, y, _CARD, _TALL, colour.letter.upper(), "open")
            x += _STEP


# --- trophies ---


def _trophies(state: BalloonCupState, names: Sequence[str]) -> Iterator[Markup]:
    for column, colour in enumerate(COLOURS):
        x = _LEFT + _NAME_ROOM + column * 84
        yield box(x, _TROPHIES, 22, 18, colour.letter.upper(), f"cube {colour.word}")
        yield text(x + 28, _TROPHIES + 14, Phrase("costs {price}", price=TROPHY_PRICE[colour]), "small")
        for row, seat in enumerate((1, 0)):
            yield text(x, _TROPHIES + 38 + 20 * row, _progress(state, seat, colour))
    for row, seat in enumerate((1, 0)):
        yield text(_LEFT, _TROPHIES + 38 + 20 * row, short(names[seat]))


def _progress(state: BalloonCupState, seat: Seat, colour: Colour) -> str:
    count, owner = state.won[seat][colour], state.owners[colour]
    if owner == seat:
        return f"★ +{count}" if count else "★"
    return f"{count}/{TROPHY_PRICE[colour]}" if owner is None else str(count)


DRAWING = BalloonCupDrawing()
