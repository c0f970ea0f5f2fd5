"""Events that games have in common, and how a record has them (docs/records.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bcnet.errors import IllegalStep
from bcnet.games.interface import Event, Seat

RESIGNATION = "resignation"
"""Reason of an end: all but one, or all, have resigned."""
STANDSTILL = "standstill"
"""Reason of an end: there is no more public randomness."""


@dataclass(frozen=True, slots=True)
class PlayerResigned(Event):
    """A player gave up."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    """The game is over. Several winners share the win; without any it is drawn."""

    winners: tuple[Seat, ...]
    reason: str


def row(event: Event) -> dict[str, Any]:
    """One of these events as a record has it. Raises `IllegalStep` for any other."""
    match event:
        case PlayerResigned(seat):
            return {"type": "resign", "seat": seat}
        case GameEnded(winners, reason):
            return {"type": "end", "winners": list(winners), "reason": reason}
        case _:
            raise IllegalStep("{event} is no event of this game", event=type(event).__name__)
