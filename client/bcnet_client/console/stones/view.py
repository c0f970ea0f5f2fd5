"""The table of Stones, drawn: pure functions from a scene to lines.

Every stone has its letter as well as its colour (R B G W). The field grows, so it is drawn as far as stones lie and one
place beyond, as long as it can grow there; where it cannot any more stands a line. Columns and rows have the numbers
by which a place is called:

     -1   0   1   2        beside it the players: points, and the stones that are left
     1      ·   ·
     0  ·   R   B   ·
    -1      ·  [R] +9      the picked stone in its place; what the same would bring elsewhere

There are three layouts, by room: small cells, wider ones from 80 columns and 24 rows up, and ones of two lines from 100
columns and 36 rows up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from typing import Final

from bcnet.games.interface import Seat, deciding
from bcnet.games.stones.field import Place, Reach
from bcnet.games.stones.material import COLOURS, Colour
from bcnet.games.stones.state import StonesState
from bcnet_client.console.face import Frame, Picked
from bcnet_client.console.scene import Scene
from bcnet_client.console.stones import words
from bcnet_client.console.stones.input import Asked, asked_of
from bcnet_client.console.stones.picked import Laying, Passing
from bcnet_client.console.text import Line, Part, clickable, cut, fit, line, spread, width
from bcnet_client.console.words import say

COLOUR: Final = "colour"
PLACE: Final = "place"
PASSING: Final = "passing"
ANSWER: Final = "answer"
"""What can be clicked, followed by numbers: ``colour:0``, ``place:2:-1``."""
_LABEL = 3
"""Columns of a row's number, with a blank."""
_GAP = 2
"""Columns between the field and the players."""
_PLAYERS = 36
"""Columns that the players take at most."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How large a place is drawn."""

    cell: int
    """Columns, the last of which is a gap."""
    tall: int
    """Lines."""


def layout_of(frame: Frame) -> Layout:
    """The largest layout for which there is room, whoever plays."""
    if frame.columns >= 100 and frame.rows >= 36:
        return Layout(6, 2)
    return Layout(5, 1) if frame.columns >= 80 and frame.rows >= 24 else Layout(4, 1)


@dataclass(frozen=True)
class _Table:
    """What the parts of the drawing share."""

    scene: Scene
    state: StonesState
    asked: Asked | None
    picked: Picked | None
    layout: Layout
    columns: int

    @cached_property
    def across(self) -> Reach:
        """Of the columns."""
        return self.state.field.reach(0)

    @cached_property
    def upright(self) -> Reach:
        """Of the rows."""
        return self.state.field.reach(1)

    @cached_property
    def open_places(self) -> frozenset[Place]:
        """Where something may be laid: by the own player who is asked, else by anybody."""
        if self.asked is None:
            return frozenset(self.state.field.places)
        return frozenset((lay.column, lay.row) for lay in self.asked.lays)

    @cached_property
    def lit(self) -> frozenset[Place]:
        """Where the picked colour may be laid."""
        if self.asked is None or not isinstance(self.picked, Laying):
            return frozenset()
        return frozenset(self.asked.places(self.picked.colour))

    @property
    def last(self) -> Place | None:
        stones = self.state.field.stones
        return stones[-1].place if stones else None

    @property
    def field_width(self) -> int:
        """Columns of the field, however far it has grown."""
        return _LABEL + 1 + (self.state.field.span + 1) * self.layout.cell

    @property
    def field_height(self) -> int:
        """Lines of the field, however far it has grown, with the numbers of the columns above it."""
        span, tall = self.state.field.span, self.layout.tall
        return 1 + max((span + 1) * tall, span * tall + 2)


def board(scene: Scene, frame: Frame, picked: Picked | None) -> list[Line]:
    """The whole table, without what has happened and without the prompt."""
    state = scene.state
    assert isinstance(state, StonesState)
    table = _Table(scene, state, asked_of(scene), picked, layout_of(frame), frame.columns)
    left = table.field_width
    beside = min(_PLAYERS, frame.columns - left - _GAP)
    rows = zip_longest(_field(table), _players(table, beside), fillvalue=())
    body = [(*fit(field, left + _GAP), *players) for field, players in rows]
    return [_title(table), *body]


def _title(table: _Table) -> Line:
    names = " – ".join(cut(name, 16) for name in table.scene.names)
    field = table.state.field
    lying = say(words.LYING, count=len(field.stones), all=_all_stones(table.state))
    return spread(
        line(("class:title", f" Stones  {names}")),
        line(("class:title", f"  {lying} ")),
        table.columns,
        "class:title",
    )


def _all_stones(state: StonesState) -> int:
    """How many stones lie or can still be laid."""
    return len(state.field.stones) + sum(sum(state.supply(seat)) for seat in state.present)


# --- the field ---


def _field(table: _Table) -> list[Line]:
    """Numbers, stones and places; always of one height, so that what stands below stays where it is."""
    across, upright, layout = table.across, table.upright, table.layout
    most = table.state.field.span + 1
    aside = " " * ((most - across.count) // 2 * layout.cell)
    above = (most - upright.count) // 2 * layout.tall if upright.is_open else 0
    lines: list[Line] = [()] * above
    lines.append(line(aside + " " * (_LABEL + 1), *_column_numbers(table)))
    lines += _edge(table, aside, "╭", "╮")
    for row in range(upright.high, upright.low - 1, -1):
        lines += _row(table, row, aside)
    lines += _edge(table, aside, "╰", "╯")
    lines += [()] * (table.field_height - len(lines))
    return lines


def _column_numbers(table: _Table) -> Iterator[Part]:
    wide = table.layout.cell - 1
    for column in range(table.across.low, table.across.high + 1):
        yield ("class:dim", f"{_centred(str(column), wide)} ")


def _edge(table: _Table, aside: str, left: str, right: str) -> list[Line]:
    """A line above or below the field, if it cannot grow there."""
    if table.upright.is_open:
        return []
    inside = "─" * (table.across.count * table.layout.cell - 1)
    if table.across.is_open:
        return [line(aside + " " * (_LABEL + 1), ("class:edge", inside))]
    return [line(aside + " " * _LABEL, ("class:edge", left + inside + right))]


def _row(table: _Table, row: int, aside: str) -> list[Line]:
    across = table.across
    edge = " " if across.is_open else "│"
    lines: list[Line] = []
    for index in range(table.layout.tall):
        number = f"{row:>{_LABEL - 1}} " if index == 0 else " " * _LABEL
        parts: list[Part] = [("", aside), ("class:dim", number), ("class:edge", edge)]
        for column in range(across.low, across.high + 1):
            parts += _place(table, (column, row), index)
            parts.append(("class:edge", edge) if column == across.high else ("", " "))
        lines.append(tuple(parts))
    return lines


def _place(table: _Table, place: Place, index: int) -> list[Part]:
    """What stands at a place, in all columns of a cell but the gap; ``index``: in which of its lines."""
    wide = table.layout.cell - 1
    colour = table.state.field.at(place)
    if colour is not None:
        letter = colour.letter.upper() if index == 0 else ""
        if place != table.last:
            return [(f"class:{colour.word}", _centred(letter, wide))]
        is_asked_about = table.asked is not None and table.asked.is_answering and index == 0
        shown = f"[{_centred(letter, wide - 2)}]" if is_asked_about else _centred(letter, wide)
        return [(f"class:{colour.word} class:last", shown)]
    picked = table.picked
    if table.asked is not None and isinstance(picked, Laying) and picked.place == place:
        letter = _centred(picked.colour.letter.upper(), wide - 2)
        return [("class:picked", f"[{letter}]" if index == 0 else " " * wide)]
    if table.asked is not None and isinstance(picked, Laying) and place in table.lit:
        style = clickable("class:lit", f"{PLACE}:{place[0]}:{place[1]}")
        return [(style, (table.asked.brings(picked.colour, place) if index == 0 else "").ljust(wide))]
    if place in table.open_places:
        return [("class:dim", _centred("·" if index == 0 else "", wide))]
    return [("", " " * wide)]


def _centred(text: str, columns: int) -> str:
    """A text in the middle, rather to the right: the minus of a number stands apart."""
    return text.rjust((columns + len(text) + 1) // 2).ljust(columns)


# --- the players ---


def _players(table: _Table, columns: int) -> list[Line]:
    """Two lines for each seat, the own one first and then in the order of turns; below them what is left to know."""
    lines: list[Line] = []
    seats = (table.scene.seat, *table.scene.others)
    for seat in seats:
        lines.append(_name_line(table, seat, columns))
        lines.append(_supply_line(table, seat))
        if seat == table.scene.seat and table.asked is not None and table.asked.may_pass:
            lines.append(_pass_line(table))
    room = table.field_height - len(lines) - 1
    notes = [line(("class:dim", each)) for each in _notes(table, columns)]
    return [*lines, (), *notes[:room]]


def _name_line(table: _Table, seat: Seat, columns: int) -> Line:
    state = table.state
    on_turn = seat in deciding(state.need)
    is_you = seat == table.scene.seat and not table.scene.open_hands
    name = say(words.YOU) if is_you else table.scene.names[seat]
    style = "class:turn" if on_turn else "class:name" if seat in state.present else "class:dim"
    points = f"{state.points[seat]}"
    then = _points_then(table) if is_you else None
    score: Line = (("class:count", points),)
    if then is not None:
        score = (("class:count", points), ("class:picked", f"→{then}"))
    marker = ("class:turn", "▶ ") if on_turn else ("", "  ")
    room = columns - 3 - width(score)
    return line(marker, (style, cut(name, room)), " " * (room - width(cut(name, room)) + 1), *score)


def _points_then(table: _Table) -> int | None:
    """The own points with the picked stone, if that has a place."""
    picked, asked = table.picked, table.asked
    if asked is None or not isinstance(picked, Laying) or picked.place is None:
        return None
    return table.state.points[asked.own] + asked.points(picked.colour, picked.place)


def _supply_line(table: _Table, seat: Seat) -> Line:
    """The stones that a seat has left, a letter each: ``RRR BB GGG W``. The own ones can be clicked."""
    if seat not in table.state.present:
        return line(("class:dim", f"  {say(words.RESIGNED_SEAT)}"))
    supply = table.state.supply(seat)
    is_own = table.asked is not None and seat == table.asked.own
    picked = table.picked.colour if is_own and isinstance(table.picked, Laying) else None
    parts: list[Part] = [("", " ")]
    before: Colour | None = None
    for colour in COLOURS:
        opens, closes = colour is picked, before is not None and before is picked
        mark = "[" if opens else "]" if closes else " "
        parts.append(("class:picked" if opens or closes else "", mark))
        letters = colour.letter.upper() * supply[colour]
        style = f"class:{colour.word}"
        if letters:
            target = f"{COLOUR}:{int(colour)}"
            parts.append((clickable(style, target) if is_own else style, letters))
        before = colour
    if before is picked and picked is not None:
        parts.append(("class:picked", "]"))
    return line(*parts)


def _pass_line(table: _Table) -> Line:
    is_picked = isinstance(table.picked, Passing)
    text = say(words.PASS_ITEM)
    shown = f"[{text}]" if is_picked else f" {text} "
    return line(" ", (clickable("class:picked" if is_picked else "class:command", PASSING), shown))


def _notes(table: _Table, columns: int) -> list[str]:
    """How large the field is, by what rules is played, and what stands in it, as far as that fits."""
    span = table.state.field.span
    notes = [
        say(words.COLUMNS, count=table.across.taken, most=span),
        say(words.ROWS, count=table.upright.taken, most=span),
        *([say(words.WITH_PENALTIES)] if table.state.penalties else ()),
    ]
    if table.asked is not None and not table.asked.is_answering:
        notes += _legend(table)
    return [shown for each in notes if width(shown := f"  {each}") <= columns]


def _legend(table: _Table) -> list[str]:
    if not isinstance(table.picked, Laying):
        return [say(words.LEGEND[0], place="·")]
    against = [say(words.LEGEND[2], points="12!")] if table.state.penalties else []
    return [say(words.LEGEND[1], points="+12"), *against]
