"""What can have been picked at a table of Edel, Stein & Reich: an answer from a list, an offer, a swap."""

from __future__ import annotations

from dataclasses import dataclass

from bcnet.games.edel.material import COLOURS, Colour, Gems
from bcnet.games.interface import Seat
from bcnet_client.console.face import Picked

ACCEPT = len(COLOURS)
"""Where in an offer, after its colours, to accept stands instead."""
GIVE, FROM, TAKE = range(3)
"""The three things that a swap says: which own gem, whose, which gem of theirs."""


@dataclass(frozen=True, slots=True)
class Choosing(Picked):
    """Where in the list of answers the player is, counted from 0."""

    at: int


@dataclass(frozen=True, slots=True)
class Offering(Picked):
    """The gems that are marked for an offer, and at which colour the player is (or `ACCEPT`)."""

    at: int
    gems: Gems


@dataclass(frozen=True, slots=True)
class Swapping(Picked):
    """A swap as it would be, and which of its parts (`GIVE`, `FROM`, `TAKE`) the player is at."""

    at: int
    give: Colour
    seat: Seat
    take: Colour
