"""What can have been picked at a table of Stones: a colour and its place, to pass, an answer about the last stone."""

from __future__ import annotations

from dataclasses import dataclass

from bcnet.games.stones.field import Place
from bcnet.games.stones.material import Colour
from bcnet_client.console.face import Picked


@dataclass(frozen=True, slots=True)
class Laying(Picked):
    """A colour of the own stones, and where the stone is to lie, once that is picked too."""

    colour: Colour
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Passing(Picked):
    """To lay nothing."""


@dataclass(frozen=True, slots=True)
class Answering(Picked):
    """Where in the list of answers about the last stone the player is, counted from 0."""

    at: int = 0
