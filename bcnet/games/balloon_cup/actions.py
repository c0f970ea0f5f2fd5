"""What players decide and what chance brings."""

from __future__ import annotations

from dataclasses import dataclass

from bcnet.games.balloon_cup.material import Colour, Cubes
from bcnet.games.interface import Action, Card, Outcome, Seat


@dataclass(frozen=True, slots=True)
class Play(Action):
    """Lay a card next to a tile."""

    card: Card
    tile: int
    """1 to 4."""
    side: Seat
    """The seat whose side it is laid on."""


@dataclass(frozen=True, slots=True)
class Exchange(Action):
    """Nothing fits: show the hand, lay these cards (0 to 4, ascending) on the discard pile and draw as many."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Pass(Action):
    """Nothing fits after an exchange either: show the hand and let the turn pass."""


@dataclass(frozen=True, slots=True)
class Claim(Action):
    """Take a free trophy, paying with triples what is missing."""

    trophy: Colour
    payment: Cubes
    """All cubes paid: those of the trophy's own colour, and three for each one missing."""


@dataclass(frozen=True, slots=True)
class Decline(Action):
    """Claim nothing now."""


@dataclass(frozen=True, slots=True)
class Starter(Outcome):
    """Who begins."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CubesDrawn(Outcome):
    """The cubes drawn from the bag for a tile, at set-up and later."""

    tile: int
    cubes: Cubes
