"""What players decide and what chance brings."""

from __future__ import annotations

from dataclasses import dataclass

from bcnet.games.interface import Action, Outcome, Seat
from bcnet.games.stones.material import Colour


@dataclass(frozen=True, slots=True)
class Lay(Action):
    """Lay a stone of one's own."""

    colour: Colour
    column: int
    row: int


@dataclass(frozen=True, slots=True)
class Pass(Action):
    """Lay nothing. Only with penalties is it a decision: without, whoever can lay nothing is passed over."""


@dataclass(frozen=True, slots=True)
class Object(Action):
    """Say that the stone just laid breaks the laying rules."""


@dataclass(frozen=True, slots=True)
class Agree(Action):
    """Let the stone just laid lie."""


@dataclass(frozen=True, slots=True)
class Starter(Outcome):
    """Who begins."""

    seat: Seat
