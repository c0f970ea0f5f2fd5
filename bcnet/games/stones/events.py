"""What happens at the table, for people and for the record."""

from __future__ import annotations

from dataclasses import dataclass

from bcnet.games.interface import Event, Seat
from bcnet.games.stones.material import Colour


@dataclass(frozen=True, slots=True)
class FirstPlayerChosen(Event):
    """A fair coin, or die, said who starts."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class StoneLaid(Event):
    """A stone was laid."""

    seat: Seat
    colour: Colour
    column: int
    row: int
    points: int
    """What it brought, doubled where it was the seat's last of the colour."""
    doubled: bool


@dataclass(frozen=True, slots=True)
class TurnPassed(Event):
    """A seat laid nothing, for it could not by the rules."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class StoneTakenBack(Event):
    """Somebody objected, and rightly: the stone and its points are taken back, and it costs a penalty."""

    seat: Seat
    """Whose stone it was."""
    by: tuple[Seat, ...]
    """All who objected."""
    colour: Colour
    column: int
    row: int
    points: int
    """The points taken back, without the penalty."""
    penalty: int


@dataclass(frozen=True, slots=True)
class ObjectionFailed(Event):
    """Somebody objected to a stone that lies by the rules: it stays."""

    by: tuple[Seat, ...]
