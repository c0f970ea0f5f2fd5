"""What lies in the box: colours, cubes, cards, trophies and tiles (docs/games.md, Material).

A set of cards is an int with bit ``card`` set for each card in it; cubes are counted in a tuple with one number a
colour, indexed by `Colour`.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, IntEnum

from bcnet.errors import Phrase
from bcnet.games.interface import Card

Cubes = tuple[int, int, int, int, int]
"""How many cubes of each colour, indexed by `Colour`."""
CardSet = int
"""A set of cards: bit ``card`` is set for each card in it."""

SEATS = 2


class Colour(IntEnum):
    """The five colours, in the order in which everything is sorted."""

    RED = 0
    YELLOW = 1
    GREEN = 2
    BLUE = 3
    GREY = 4

    @property
    def word(self) -> str:
        """``red``, ``yellow``, ``green``, ``blue`` or ``grey``."""
        return _WORDS[self]

    @property
    def letter(self) -> str:
        """``r y g b e``: grey has the one letter of its name with which no other colour begins."""
        return LETTERS[self]


class Terrain(Enum):
    """The two faces of a tile."""

    PLAINS = "plains"
    """The lower sum wins."""
    MOUNTAIN = "mountain"
    """The higher sum wins."""

    @property
    def flipped(self) -> Terrain:
        """The other face."""
        return Terrain.MOUNTAIN if self is Terrain.PLAINS else Terrain.PLAINS

    @property
    def word(self) -> str:
        """``plains`` or ``mountain``."""
        return _TERRAINS[self]


COLOURS = tuple(Colour)
_WORDS = (Phrase("red"), Phrase("yellow"), Phrase("green"), Phrase("blue"), Phrase("grey"))
_TERRAINS = {Terrain.PLAINS: Phrase("plains"), Terrain.MOUNTAIN: Phrase("mountain")}
LETTERS = ("r", "y", "g", "b", "e")
NO_CUBES: Cubes = (0, 0, 0, 0, 0)
ALL_CUBES: Cubes = (13, 11, 9, 7, 5)
TROPHY_PRICE: Cubes = (7, 6, 5, 4, 3)
"""Cubes of its own colour that a trophy costs."""
TROPHIES_TO_WIN = 3

TILE_NUMBERS = (1, 2, 3, 4)
FIRST_TERRAIN = (Terrain.PLAINS, Terrain.MOUNTAIN, Terrain.PLAINS, Terrain.MOUNTAIN)
HAND_SIZE = 8
MOST_EXCHANGED = 4

_VALUES = (
    (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13),
    (1, 2, 3, 5, 6, 7, 8, 9, 11, 12, 13),
    (1, 2, 4, 6, 7, 8, 10, 12, 13),
    (1, 3, 5, 7, 9, 11, 13),
    (1, 4, 7, 10, 13),
)
COLOUR_OF: tuple[Colour, ...] = tuple(colour for colour in COLOURS for _ in _VALUES[colour])
"""The colour of each card."""
VALUE_OF: tuple[int, ...] = tuple(value for colour in COLOURS for value in _VALUES[colour])
"""The value of each card."""
CARDS = len(COLOUR_OF)
DECK: tuple[str, ...] = tuple(f"{COLOUR_OF[card].word}-{VALUE_OF[card]}" for card in range(CARDS))
"""The canonical name of each card, as in a record: ``red-13``."""
ALL_CARDS: CardSet = (1 << CARDS) - 1
CARDS_OF: tuple[CardSet, ...] = tuple(
    sum(1 << card for card in range(CARDS) if COLOUR_OF[card] is colour) for colour in COLOURS
)
"""All cards of each colour."""


def cards_in(cards: CardSet) -> tuple[Card, ...]:
    """The cards of a set, ascending."""
    found = []
    while cards:
        highest = cards.bit_length() - 1
        found.append(highest)
        cards ^= 1 << highest
    return tuple(found[::-1])


def card_set(cards: Iterable[Card]) -> CardSet:
    """The set of these cards."""
    result = 0
    for card in cards:
        result |= 1 << card
    return result


def sum_of(cards: CardSet) -> int:
    """The values of the cards in a set, added up."""
    return sum(VALUE_OF[card] for card in cards_in(cards))


def say(card: Card) -> str:
    """A card in a player's words: ``red 13``."""
    return Phrase("{colour} {value}", colour=COLOUR_OF[card].word, value=VALUE_OF[card])


def add(a: Cubes, b: Cubes) -> Cubes:
    """All cubes of both."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4])


def subtract(a: Cubes, b: Cubes) -> Cubes:
    """The cubes of ``a`` without those of ``b``."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3], a[4] - b[4])
