"""The stones and what they are worth. What is marked (house) is ours: the source of the game does not give it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

from bcnet.errors import Phrase

SEATS = range(2, 5)


class Colour(IntEnum):
    """The four colours, in the order in which everything is sorted."""

    RED = 0
    BLACK = 1
    GREY = 2
    WHITE = 3

    @property
    def word(self) -> str:
        """``red``, ``black``, ``grey`` or ``white``."""
        return _WORDS[self]

    @property
    def letter(self) -> str:
        """``r b g w``."""
        return _LETTERS[self]


COLOURS = tuple(Colour)
_WORDS = (Phrase("red"), Phrase("black"), Phrase("grey"), Phrase("white"))
_LETTERS = ("r", "b", "g", "w")
STONES_OF_A_COLOUR = 3
"""Each player has so many of each colour."""
FIRST_STONE = 10
"""Points for the first stone of the game."""
POINTS = (
    (0, 12, 8, 10),
    (11, 0, 5, 7),
    (9, 6, 0, 3),
    (4, 2, 1, 0),
)
"""``POINTS[laid][lying]``: what a laid stone scores for one neighbour (house, but that red at black is the most and
white at grey the least). A colour next to itself, which only a stone against the rules can be, scores nothing (house).
"""
SPAN: Mapping[int, int] = {2: 6, 3: 7, 4: 8}
"""Number of players to the width and height that all stones together may span (house)."""
PENALTY = 10
"""Points that a stone laid against the rules costs when somebody objects."""
