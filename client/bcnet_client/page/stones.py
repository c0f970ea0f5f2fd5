# ruff: noqa: D102 (the base class says it)
"""The table of Stones as SVG: the field, and beside it the players. Every stone has its letter as well as its colour.

The field is drawn as far as stones lie and one place beyond, as long as it can grow there; where it cannot any more
stands a line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from bcnet.errors import Phrase
from bcnet.games.interface import Over, Seat, deciding
from bcnet.games.stones.events import StoneLaid
from bcnet.games.stones.field import Place, Reach
from bcnet.games.stones.material import COLOURS
from bcnet.games.stones.state import StonesState
from bcnet.replay import Moment, Playback
from bcnet_client.page.drawing import Drawing, Race
from bcnet_client.page.markup import Markup, tag
from bcnet_client.page.shapes import box, short, text

WIDTH, HEIGHT = 600, 384
_FIELD = 340
"""Width and height of the field, however far it has grown."""
_LEFT, _TOP = 34, 26
_PLAYERS = _LEFT + _FIELD + 20
_PLAYER_TALL = 84
_STONE = 15
_LETTERS_APART = 5


class StonesDrawing(Drawing):
    """Stones on a page."""

    title: ClassVar[str] = "Stones"
    style: ClassVar[str] = """
.red rect{fill:#c1272d}.black rect{fill:#1b1b1b}.grey rect{fill:#9a9a9a}.white rect{fill:#fff}
svg text{font:14px system-ui,sans-serif;fill:#1b1b1b}.red text,.black text{fill:#fff}
.stone text{text-anchor:middle;font-weight:700}.stone rect{stroke:#555}.last rect{stroke:#6a1b7a;stroke-width:4}
.open{fill:#bbb}.edge{stroke:#1b1b1b;stroke-width:3}.number{text-anchor:middle}svg .number{fill:#555;font-size:12px}
svg .turn{font-weight:700}svg .points{font-weight:700;text-anchor:end}svg .small{font-size:12px}
"""

    def board(self, moment: Moment, names: Sequence[str]) -> Markup:
        state = _state(moment)
        label = Phrase(
            "The field; stones: {stones}; points: {points}",
            stones=len(state.field.stones),
            points=", ".join(f"{name} {points}" for name, points in zip(names, state.points, strict=True)),
        )
        parts = [*_field(moment), *_players(state, names)]
        return tag(
            "svg", *parts, viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img", aria_label=label, class_="board"
        )

    def races(self, playback: Playback) -> tuple[Race, ...]:
        states = [_state(moment) for moment in playback.moments]
        seats = range(len(playback.names))
        marks = tuple(
            (event.seat, number, event.colour.letter.upper())
            for number, moment in enumerate(playback.moments)
            for event in moment.events
            if isinstance(event, StoneLaid) and event.doubled
        )
        points = tuple(tuple(state.points[seat] for state in states) for seat in seats)
        return (
            Race(Phrase("Points; a letter where the last stone of a colour counted double"), points, marks),
        )


def _state(moment: Moment) -> StonesState:
    assert isinstance(moment.state, StonesState)
    return moment.state


# --- the field ---


def _field(moment: Moment) -> Iterator[Markup]:
    state = _state(moment)
    field = state.field
    across, upright = field.reach(0), field.reach(1)
    cell = _FIELD / (field.span + 1)

    def corner(place: Place) -> tuple[float, float]:
        column, row = place
        left = _LEFT + (_FIELD - across.count * cell) / 2
        top = _TOP + (_FIELD - upright.count * cell) / 2
        return left + (column - across.low) * cell, top + (upright.high - row) * cell

    yield from _numbers(across, upright, corner((across.low, upright.high)), cell)
    laid = {(event.column, event.row) for event in moment.events if isinstance(event, StoneLaid)}
    for stone in field.stones:
        x, y = corner(stone.place)
        last = " last" if stone.place in laid else ""
        letter = stone.colour.letter.upper()
        yield box(x + 2, y + 2, cell - 4, cell - 4, letter, f"stone {stone.colour.word}{last}")
    if not isinstance(state.need, Over):
        for place in field.places:
            x, y = corner(place)
            yield tag("circle", cx=round(x + cell / 2, 1), cy=round(y + cell / 2, 1), r=3, class_="open")


def _numbers(across: Reach, upright: Reach, corner: tuple[float, float], cell: float) -> Iterator[Markup]:
    """The numbers of the columns and rows, and a line on each side on which the field cannot grow."""
    left, top = corner
    right, bottom = left + across.count * cell, top + upright.count * cell
    for index in range(across.count):
        yield text(left + (index + 0.5) * cell, top - 6, str(across.low + index), "number")
    for index in range(upright.count):
        yield text(left - 16, top + (index + 0.5) * cell + 5, str(upright.high - index), "number")
    lines: list[tuple[float, float, float, float]] = []
    if not across.is_open:
        lines += [(left, top, left, bottom), (right, top, right, bottom)]
    if not upright.is_open:
        lines += [(left, top, right, top), (left, bottom, right, bottom)]
    for x1, y1, x2, y2 in lines:
        yield tag("line", x1=x1, y1=y1, x2=x2, y2=y2, class_="edge")


# --- the players ---


def _players(state: StonesState, names: Sequence[str]) -> Iterator[Markup]:
    for seat in state.everybody:
        yield from _player(state, seat, names[seat], _TOP + 14 + seat * _PLAYER_TALL)


def _player(state: StonesState, seat: Seat, name: str, y: float) -> Iterator[Markup]:
    """Name and points, and below them the stones that are left."""
    on_turn = seat in deciding(state.need)
    yield text(_PLAYERS, y, f"{'▶ ' if on_turn else ''}{short(name)}", "turn" if on_turn else None)
    yield text(WIDTH - 8, y, str(state.points[seat]), "points")
    if seat not in state.present:
        yield text(_PLAYERS, y + 24, Phrase("has resigned"), "small")
        return
    x = float(_PLAYERS)
    supply = state.supply(seat)
    for colour in COLOURS:
        for _ in range(supply[colour]):
            yield box(x, y + 10, _STONE - 2, _STONE + 3, colour.letter.upper(), f"stone {colour.word} left")
            x += _STONE
        x += _LETTERS_APART if supply[colour] else 0


DRAWING = StonesDrawing()
