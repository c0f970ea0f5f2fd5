"""Everything on the table that is no card in a hand, the pile or the discards; all of it is public."""

from __future__ import annotations

from typing import NamedTuple

from bcnet.games.balloon_cup.actions import Claim
from bcnet.games.balloon_cup.material import (
    ALL_CUBES,
    CARDS_OF,
    COLOURS,
    NO_CUBES,
    CardSet,
    Colour,
    Cubes,
    add,
    subtract,
)
from bcnet.games.balloon_cup.tiles import EMPTY_TILES, Tile, anything_lacks, lacks_cards, place_bit, room_on
from bcnet.games.balloon_cup.trophies import Owners, anybody_can_reach_third
from bcnet.games.interface import Card, Seat


class Board(NamedTuple):
    """Tiles, cubes and trophies.

    The fields from ``room`` on follow from the first five. They are kept because every turn asks for them; `of`
    computes them, and the tests compare.
    """

    tiles: tuple[Tile, ...]
    bag: Cubes
    box: Cubes
    """Cubes paid for trophies."""
    won: tuple[Cubes, Cubes]
    """The cubes in front of each seat."""
    owners: Owners
    room: tuple[int, ...]
    """For each colour the sides that still take a card of it (`room_on`)."""
    lying: CardSet
    """All cards next to tiles."""
    scarce: bool
    """Whether any tile has more open places of a colour than there are such cards that lie next to no tile. If not,
    no tile is blocked."""
    in_reach: bool
    """Whether anybody could reach a third trophy if no tile is blocked."""

    @staticmethod
    def of(
        tiles: tuple[Tile, ...], bag: Cubes, box: Cubes, won: tuple[Cubes, Cubes], owners: Owners
    ) -> Board:
        """A board with all that follows from its tiles, cubes and trophies."""
        lying = 0
        for tile in tiles:
            lying |= tile.laid[0] | tile.laid[1]
        scarce = any(lacks_cards(tile, lying) for tile in tiles)
        in_reach = anybody_can_reach_third(won, owners, box)
        return Board(tiles, bag, box, won, owners, room_on(tiles), lying, scarce, in_reach)

    def with_card(self, card: Card, colour: Colour, number: int, side: Seat) -> Board:
        """The board after a card has been laid where it fits."""
        tiles, bag, box, won, owners, room, lying, scarce, in_reach = self
        tile = tiles[number - 1].with_card(card, side)
        tiles = (*tiles[: number - 1], tile, *tiles[number:])
        if (tile.laid[side] & CARDS_OF[colour]).bit_count() == tile.cubes[colour]:
            left = room[colour] & ~place_bit(number, side)
            room = (*room[:colour], left, *room[colour + 1 :])
        lying |= 1 << card
        scarce = scarce or anything_lacks(tiles, colour, lying)
        return Board(tiles, bag, box, won, owners, room, lying, scarce, in_reach)

    def cleared(self, tile: Tile, winner: Seat, *, stays: bool) -> Board:
        """The board after a full tile: the winner has its cubes, its cards are gone. If it stays it is flipped and
        waits for new cubes.
        """
        first, second = self.won
        won = (add(first, tile.cubes), second) if winner == 0 else (first, add(second, tile.cubes))
        terrain = tile.terrain.flipped if stays else tile.terrain
        emptied = Tile(tile.number, terrain, NO_CUBES, (0, 0), stays)
        tiles = (*self.tiles[: tile.number - 1], emptied, *self.tiles[tile.number :])
        lying = self.lying & ~(tile.laid[0] | tile.laid[1])
        scarce = self.scarce and any(lacks_cards(tile, lying) for tile in tiles)
        in_reach = anybody_can_reach_third(won, self.owners, self.box)
        # room stays as it is: there was none left here
        return Board(tiles, self.bag, self.box, won, self.owners, self.room, lying, scarce, in_reach)

    def filled(self, number: int, cubes: Cubes) -> Board:
        """The board after cubes have come from the bag to an empty tile."""
        tile = self.tiles[number - 1]
        filled = Tile(number, tile.terrain, cubes, tile.laid, tile.in_play)
        tiles = (*self.tiles[: number - 1], filled, *self.tiles[number:])
        bag = subtract(self.bag, cubes)
        both_sides = place_bit(number, 0) | place_bit(number, 1)
        room = tuple(
            [room | both_sides if count else room for room, count in zip(self.room, cubes, strict=True)]
        )
        scarce = self.scarce or lacks_cards(filled, self.lying)
        # in_reach stays as it is: what was in the bag could be won before
        return Board(tiles, bag, self.box, self.won, self.owners, room, self.lying, scarce, self.in_reach)

    def paid(self, seat: Seat, claim: Claim) -> Board:
        """The board after a trophy has been paid for."""
        first, second = self.won
        won = (
            (subtract(first, claim.payment), second)
            if seat == 0
            else (first, subtract(second, claim.payment))
        )
        owners = (*self.owners[: claim.trophy], seat, *self.owners[claim.trophy + 1 :])
        box = add(self.box, claim.payment)
        in_reach = anybody_can_reach_third(won, owners, box)
        return Board(self.tiles, self.bag, box, won, owners, self.room, self.lying, self.scarce, in_reach)


EMPTY_BOARD = Board.of(EMPTY_TILES, ALL_CUBES, NO_CUBES, (NO_CUBES, NO_CUBES), (None,) * len(COLOURS))
"""Before anything has happened."""
