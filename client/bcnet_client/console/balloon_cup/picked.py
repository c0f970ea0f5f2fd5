"""What can have been picked at a table of Balloon Cup: a card and its place, cards to exchange, a claim."""

from __future__ import annotations

from dataclasses import dataclass

from bcnet.games.interface import Card, Seat
from bcnet_client.console.face import Picked

Place = tuple[int, Seat]
"""A tile, by its number, and the side of it."""


@dataclass(frozen=True, slots=True)
class Laying(Picked):
    """A card of the own hand, and where it is to lie, once that is picked too."""

    card: Card
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Exchanging(Picked):
    """The cards that are marked for an exchange (ascending), and where in the hand the player is (counted from 0)."""

    at: int = 0
    marked: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Claiming(Picked):
    """Where in the list of claims the player is, counted from 0; after the last stands to claim nothing."""

    at: int = 0
