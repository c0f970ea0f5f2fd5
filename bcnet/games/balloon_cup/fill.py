"""Drawing cubes from the bag under the fill rule of the table (docs/games.md, Fill rule).

One draw is the cubes of one tile. At set-up the four tiles are four draws, tile 1 first: each has its own limit and
goes back into the bag on its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from operator import le

from bcnet.games.balloon_cup.material import Cubes
from bcnet.games.balloon_cup.tiles import Tile
from bcnet.games.interface import Below


class FillRule(Enum):
    """Which draws go back into the bag."""

    DESIGNER = "designer"
    """Three or four grey or four blue cubes on one tile."""
    BLIND = "blind"
    """None."""
    CAPPED = "capped"
    """More than 2 grey, 3 blue, 4 green, 5 yellow or 6 red over all tiles together."""


_MOST_ON_ONE_TILE: Cubes = (4, 4, 4, 3, 2)
_MOST_ON_ALL_TILES: Cubes = (6, 5, 4, 3, 2)


def limit(rule: FillRule, tile: Tile, tiles: Sequence[Tile]) -> Sequence[int] | None:
    """How many cubes of each colour a draw for ``tile`` may have; None if any number. May be negative: cubes drawn
    when the limit was waived can already be too many.
    """
    match rule:
        case FillRule.BLIND:
            return None
        case FillRule.DESIGNER:
            return _MOST_ON_ONE_TILE
        case FillRule.CAPPED:
            others = [other.cubes for other in tiles if other.number != tile.number]
            return [
                most - sum(cubes[colour] for cubes in others)
                for colour, most in enumerate(_MOST_ON_ALL_TILES)
            ]


def can_keep(most: Sequence[int], bag: Cubes, number: int) -> bool:
    """Whether ``number`` cubes from this bag can keep the limit. If not, it is waived for this draw."""
    return min(most) >= 0 and sum(map(min, bag, most)) >= number


def keeps(most: Sequence[int], cubes: Cubes) -> bool:
    """Whether these cubes keep the limit."""
    return all(map(le, cubes, most))


def draw_cubes(rule: FillRule, tile: Tile, tiles: Sequence[Tile], bag: Cubes, below: Below) -> Cubes:
    """Draw the cubes for a tile. The bag must hold at least ``tile.number``.

    The calls of ``below`` are part of the protocol:

    1. The bag is a list of its cubes, all red ones first, then yellow, green, blue, grey.
    2. As often as the tile's number says: ``i = below(length of the list)``; the cube at index i (from 0) is taken
       out, the others keep their order.
    3. If the cubes taken break the limit (`limit`, `keeps`) and the limit is not waived (`can_keep`), all of them go
       back, and it begins again at 1.

    So every set of cubes that keeps the limit is equally likely, cubes told apart. It always ends: where the limit is
    not waived a draw keeps it with a chance of at least 2 in 7 (designer) or 1 in 495 (capped, from the worst of all
    bags); most keep it the first time.
    """
    most = limit(rule, tile, tiles)
    if most is not None and not can_keep(most, bag, tile.number):
        most = None
    while True:
        cubes = _draw_blindly(tile.number, bag, below)
        if most is None or keeps(most, cubes):
            return cubes


def _draw_blindly(number: int, bag: Cubes, below: Below) -> Cubes:
    left = list(bag)
    drawn = [0, 0, 0, 0, 0]
    size = sum(left)
    for _ in range(number):
        index = below(size)
        colour = 0
        while index >= left[colour]:
            index -= left[colour]
            colour += 1
        left[colour] -= 1
        drawn[colour] += 1
        size -= 1
    red, yellow, green, blue, grey = drawn
    return (red, yellow, green, blue, grey)
