"""The stones that lie, and where another may be laid. Nothing in here knows whose turn it is.

The field has no fixed centre: a place is a column and a row counted from the first stone, which lies at 0 0; columns
grow to the right and rows upwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from bcnet.errors import IllegalStep
from bcnet.games.interface import Seat
from bcnet.games.stones.material import COLOURS, POINTS, STONES_OF_A_COLOUR, Colour

Place = tuple[int, int]
"""Column and row."""

START: Place = (0, 0)
"""Where the first stone lies."""
MOST_OF_A_COLOUR = 2
"""No stone has more neighbours of one colour."""
LONGEST_DIAGONAL = 3
"""No more stones of one colour lie in an unbroken diagonal (house)."""
_SIDES = ((0, -1), (-1, 0), (1, 0), (0, 1))
_DIAGONALS = ((1, 1), (1, -1))


class Stone(NamedTuple):
    """A stone that lies."""

    seat: Seat
    """Who laid it."""
    colour: Colour
    place: Place


@dataclass(frozen=True, slots=True)
class Reach:
    """How far the stones lie along columns or rows, and whether there can be any beyond: what is to be drawn."""

    low: int
    high: int
    """The first and the last number with a stone, or one beyond where there can be one."""
    taken: int
    """How many of them stones span."""
    is_open: bool
    """Whether there can be a stone beyond those that lie, on both sides."""

    @property
    def count(self) -> int:
        """How many there are from ``low`` to ``high``."""
        return self.high - self.low + 1


@dataclass(frozen=True, slots=True)
class Field:
    """All stones in the order in which they were laid, and the span that they must keep within."""

    span: int
    stones: tuple[Stone, ...] = ()
    _lying: Mapping[Place, Colour] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        lying = {stone.place: stone.colour for stone in self.stones}
        object.__setattr__(self, "_lying", MappingProxyType(lying))

    def at(self, place: Place) -> Colour | None:
        """The colour of the stone that lies there, if any."""
        return self._lying.get(place)

    def with_stone(self, stone: Stone) -> Field:
        """The field after one more stone. The caller has made sure that it may lie there."""
        return Field(self.span, (*self.stones, stone))

    def without_last(self) -> Field:
        """The field after the last stone has been taken back."""
        return Field(self.span, self.stones[:-1])

    def supply(self, seat: Seat) -> tuple[int, ...]:
        """How many stones of each colour a seat has not laid yet."""
        laid = [stone.colour for stone in self.stones if stone.seat == seat]
        return tuple(STONES_OF_A_COLOUR - laid.count(colour) for colour in COLOURS)

    def neighbours(self, place: Place) -> Iterator[tuple[Place, Colour]]:
        """The stones orthogonally next to a place."""
        for side in _SIDES:
            there = _beyond(place, side)
            colour = self._lying.get(there)
            if colour is not None:
                yield there, colour

    @property
    def places(self) -> tuple[Place, ...]:
        """Where a stone of some colour could lie: empty, next to a stone, within the span. By row, then column."""
        return _places(self)[0]

    @property
    def lawful(self) -> tuple[tuple[Place, ...], ...]:
        """For each colour those of the `places` where the laying rules allow it."""
        return _places(self)[1]

    def check_place(self, place: Place) -> None:
        """Raise `IllegalStep` unless a stone of some colour could lie there."""
        if not self.stones:
            if place != START:
                raise _at("the first stone is laid at 0 0, not at {column} {row}", place)
        elif place in self._lying:
            raise _at("there is a stone at {column} {row} already", place)
        elif next(self.neighbours(place), None) is None:
            raise _at("no stone lies next to {column} {row}: a stone touches another with a side", place)
        elif not self._in_span(place):
            raise _at(
                "a stone at {column} {row} would make the field larger than {span} by {span}",
                place,
                span=self.span,
            )

    def broken_rule(self, colour: Colour, place: Place) -> IllegalStep | None:
        """Why a stone of this colour may not lie at one of the `places` by the laying rules; None if it may.

        Only the stones that the new one touches, and the diagonals through it, are looked at: whatever lies elsewhere
        against the rules (in the penalty variant) was there before.
        """
        around: list[Colour] = []
        for there, neighbour in self.neighbours(place):
            if neighbour == colour:
                return _at("the stone next to {column} {row} is {colour} too", place, colour=colour.word)
            around.append(neighbour)
            if sum(other == colour for _, other in self.neighbours(there)) >= MOST_OF_A_COLOUR:
                return _at(
                    "the stone at {column} {row} has two {colour} neighbours already",
                    there,
                    colour=colour.word,
                )
        for each in COLOURS:
            if around.count(each) > MOST_OF_A_COLOUR:
                return _at(
                    "a stone at {column} {row} would have more than two {colour} neighbours",
                    place,
                    colour=each.word,
                )
        for step in _DIAGONALS:
            back = (-step[0], -step[1])
            if 1 + self._run(colour, place, step) + self._run(colour, place, back) > LONGEST_DIAGONAL:
                return _at(
                    "with {column} {row} more than three {colour} stones would lie in one diagonal",
                    place,
                    colour=colour.word,
                )
        return None

    def may_lie(self, colour: Colour, place: Place) -> bool:
        """Whether a stone of this colour may lie there."""
        return place in self.lawful[colour]

    def pairs(self, colour: Colour, place: Place) -> int:
        """The points of a stone for all its neighbours."""
        return sum(POINTS[colour][neighbour] for _, neighbour in self.neighbours(place))

    def _run(self, colour: Colour, place: Place, step: Place) -> int:
        """How many stones of the colour lie one after another from beyond the place."""
        length = 0
        while self._lying.get(place := _beyond(place, step)) == colour:
            length += 1
        return length

    def reach(self, axis: int) -> Reach:
        """Along the columns (``axis`` 0) or the rows (1); before the first stone one on each side of `START`."""
        numbers = [place[axis] for place in self._lying] or [START[axis]]
        low, high = min(numbers), max(numbers)
        taken = high - low + 1 if self.stones else 0
        is_open = taken < self.span
        return Reach(low - is_open, high + is_open, taken, is_open)

    def free_places(self) -> tuple[Place, ...]:
        """The `places`, looked for anew."""
        if not self.stones:
            return (START,)
        around = {_beyond(place, side) for place in self._lying for side in _SIDES}
        return tuple(sorted((p for p in around if p not in self._lying and self._in_span(p)), key=_by_row))

    def _in_span(self, place: Place) -> bool:
        for axis in (0, 1):
            taken = [there[axis] for there in self._lying]
            if max(*taken, place[axis]) - min(*taken, place[axis]) >= self.span:
                return False
        return True


@lru_cache(maxsize=256)
def _places(field: Field) -> tuple[tuple[Place, ...], tuple[tuple[Place, ...], ...]]:
    """All places, and the lawful ones by colour: asked again and again for one field, and slow to find."""
    places = field.free_places()
    lawful = tuple(
        tuple(place for place in places if field.broken_rule(colour, place) is None) for colour in COLOURS
    )
    return places, lawful


def _beyond(place: Place, step: Place) -> Place:
    return (place[0] + step[0], place[1] + step[1])


def _by_row(place: Place) -> Place:
    return (place[1], place[0])


def _at(template: str, place: Place, **values: str | int) -> IllegalStep:
    column, row = place
    return IllegalStep(template, hint="", column=column, row=row, **values)
