"""What happens at the table, for people and for the record. A face that a state does not know is None."""

from __future__ import annotations

from dataclasses import dataclass

from bcnet.games.balloon_cup.material import Colour, Cubes, Terrain
from bcnet.games.interface import Card, Event, Seat


@dataclass(frozen=True, slots=True)
class PileShuffled(Event):
    """A new face-down pile: at set-up of all cards, later of the discards."""

    size: int
    order: tuple[Card, ...] | None
    """Top card first."""


@dataclass(frozen=True, slots=True)
class FirstPlayerChosen(Event):
    """A fair coin said who starts."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TileFilled(Event):
    """Set-up: a tile got its first cubes."""

    tile: int
    cubes: Cubes


@dataclass(frozen=True, slots=True)
class HandDealt(Event):
    """Set-up: a seat got its eight cards, in the order of the pile."""

    seat: Seat
    cards: tuple[Card | None, ...]


@dataclass(frozen=True, slots=True)
class CardPlayed(Event):
    """A card was laid next to a tile; ``side`` is the seat whose side it lies on."""

    seat: Seat
    card: Card
    tile: int
    side: Seat


@dataclass(frozen=True, slots=True)
class TileScored(Event):
    """Both sides of a tile were full."""

    tile: int
    terrain: Terrain
    """The terrain it was scored on."""
    winner: Seat
    totals: tuple[int, int]
    """The sums of side 0 and side 1; where they are equal, whoever laid the last card is the winner."""
    cubes: Cubes


@dataclass(frozen=True, slots=True)
class TileRefilled(Event):
    """The tile just scored was flipped and got new cubes."""

    tile: int
    terrain: Terrain
    """After the flip."""
    cubes: Cubes


@dataclass(frozen=True, slots=True)
class TileRemoved(Event):
    """The bag held too few cubes: the tile left the game."""

    tile: int


@dataclass(frozen=True, slots=True)
class TrophyClaimed(Event):
    """A trophy was taken and paid for."""

    seat: Seat
    trophy: Colour
    paid: Cubes
    natural: bool
    """Paid with cubes of its own colour alone, and so taken by itself."""


@dataclass(frozen=True, slots=True)
class ClaimDeclined(Event):
    """A seat that could have claimed claimed nothing (not in the record)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CardDrawn(Event):
    """A card was drawn from the pile."""

    seat: Seat
    card: Card | None


@dataclass(frozen=True, slots=True)
class HandShown(Event):
    """Nothing in this hand fits."""

    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CardsExchanged(Event):
    """Cards laid on the discard pile; the draws follow."""

    seat: Seat
    discarded: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class TurnPassed(Event):
    """A turn passed without a play."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class PlayerResigned(Event):
    """A player gave up."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    """The game is over; without a winner it is drawn."""

    winner: Seat | None
    reason: str
