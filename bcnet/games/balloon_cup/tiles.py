"""The four tiles: what may lie next to them, and which of them can never be filled (docs/games.md, Drawn games).

Nothing in here knows whose turn it is or who holds which card.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bcnet.games.balloon_cup.material import (
    CARDS_OF,
    COLOUR_OF,
    COLOURS,
    FIRST_TERRAIN,
    NO_CUBES,
    SEATS,
    TILE_NUMBERS,
    CardSet,
    Cubes,
    Terrain,
    cards_in,
    sum_of,
)
from bcnet.games.interface import Card, Seat


class Tile(NamedTuple):
    """One tile with its cubes and the cards on both sides of it."""

    number: int
    """1 to 4: so many cubes lie on it, and so many cards on each full side."""
    terrain: Terrain
    cubes: Cubes
    """All zero before the tile is first filled, while it waits to be filled again, and once it is out of the game."""
    laid: tuple[CardSet, CardSet]
    """The cards on each side."""
    in_play: bool
    """False once the bag held too few cubes for it."""

    def cards(self, side: Seat) -> tuple[Card, ...]:
        """The cards on one side, ascending."""
        return cards_in(self.laid[side])

    def open(self, side: Seat) -> Cubes:
        """How many more cards of each colour one side takes."""
        laid = self.laid[side]
        red, yellow, green, blue, grey = (
            self.cubes[colour] - (laid & CARDS_OF[colour]).bit_count() for colour in COLOURS
        )
        return (red, yellow, green, blue, grey)

    def total(self, side: Seat) -> int:
        """The sum of the cards on one side."""
        return sum_of(self.laid[side])

    @property
    def ahead(self) -> Seat | None:
        """The side with the better sum as the cards lie now: the higher on a mountain, the lower on plains; None where
        the sums are equal.
        """
        first, second = sum_of(self.laid[0]), sum_of(self.laid[1])
        if first == second:
            return None
        return int((first < second) == (self.terrain is Terrain.MOUNTAIN))

    @property
    def full(self) -> bool:
        """Whether both sides have all their cards."""
        return (self.laid[0] | self.laid[1]).bit_count() == 2 * self.number

    def with_card(self, card: Card, side: Seat) -> Tile:
        """The tile with one more card. The caller has made sure that it fits."""
        mine, theirs = self.laid
        laid = (mine | 1 << card, theirs) if side == 0 else (mine, theirs | 1 << card)
        return Tile(self.number, self.terrain, self.cubes, laid, self.in_play)


EMPTY_TILES: tuple[Tile, ...] = tuple(
    Tile(number, terrain, NO_CUBES, (0, 0), True)
    for number, terrain in zip(TILE_NUMBERS, FIRST_TERRAIN, strict=True)
)


def place_bit(number: int, side: Seat) -> int:
    """The bit that stands for one side of a tile in `room_on`."""
    return 1 << (SEATS * (number - 1) + side)


def room_on(tiles: Iterable[Tile]) -> tuple[int, ...]:
    """For each colour the sides that still take a card of it: `place_bit` of each, or-ed."""
    room = [0, 0, 0, 0, 0]
    place = 1
    for tile in tiles:
        for laid in tile.laid:
            for colour, cubes in enumerate(tile.cubes):
                if cubes and (laid & CARDS_OF[colour]).bit_count() < cubes:
                    room[colour] |= place
            place <<= 1
    return tuple(room)


def fits(tile: Tile, card: Card, side: Seat) -> bool:
    """Whether a card may be laid on this side of this tile."""
    return tile.open(side)[COLOUR_OF[card]] > 0


def blocked_tiles(tiles: Sequence[Tile]) -> tuple[Tile, ...]:
    """The tiles that can never be filled, whatever is drawn and played.

    docs/games.md: "the largest set of tiles in which each has a colour with more open places, on both sides, than there
    are cards of it that do not lie next to tiles of the set". If two sets are like that, so is their union
    (it has more cards lying on it), so there is one largest set, and it is what remains of all tiles when those that
    break the condition are taken out until none does.
    """
    blocked = [tile for tile in tiles if tile.in_play]
    while True:
        lying = 0
        for tile in blocked:
            lying |= tile.laid[0] | tile.laid[1]
        remaining = [tile for tile in blocked if lacks_cards(tile, lying)]
        if len(remaining) == len(blocked):
            return tuple(blocked)
        blocked = remaining


def lacks_cards(tile: Tile, lying: CardSet) -> bool:
    """Whether some colour has more open places on the tile than there are cards of it not in ``lying``."""
    for colour, cubes in enumerate(tile.cubes):  # noqa: SIM110 (asked at every scoring, and slower)
        if cubes and _lacks(tile, colour, lying):
            return True
    return False


def anything_lacks(tiles: Iterable[Tile], colour: int, lying: CardSet) -> bool:
    """Whether any tile has more open places of this colour than there are cards of it not in ``lying``."""
    elsewhere = (CARDS_OF[colour] & ~lying).bit_count()
    for tile in tiles:
        cubes = tile.cubes[colour]
        if 2 * cubes > elsewhere and _lacks(tile, colour, lying):
            return True
    return False


def _lacks(tile: Tile, colour: int, lying: CardSet) -> bool:
    cards = CARDS_OF[colour]
    laid = (tile.laid[0] | tile.laid[1]) & cards
    return 2 * tile.cubes[colour] - laid.bit_count() > (cards & ~lying).bit_count()
