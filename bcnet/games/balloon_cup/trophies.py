"""Trophies: what they cost, who could pay, and whether anybody can still win (docs/games.md, Trophies, Drawn games)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bcnet.games.balloon_cup.actions import Claim
from bcnet.games.balloon_cup.material import (
    ALL_CUBES,
    COLOURS,
    NO_CUBES,
    TROPHIES_TO_WIN,
    TROPHY_PRICE,
    Colour,
    Cubes,
    subtract,
)
from bcnet.games.interface import Seat

Owners = tuple[Seat | None, ...]
"""Who owns the trophy of each colour; None while it is free."""
TRIPLE = 3
"""So many cubes of a colour whose trophy is taken stand for one missing cube."""


def triples(cubes: Cubes, owners: Owners) -> int:
    """How many missing cubes these could replace."""
    spare = 0
    for count, owner in zip(cubes, owners, strict=True):
        if owner is not None:
            spare += count // TRIPLE
    return spare


def natural_claim(cubes: Cubes, owners: Owners) -> Claim | None:
    """The first free trophy that can be paid with cubes of its own colour alone."""
    for colour in COLOURS:
        if cubes[colour] >= TROPHY_PRICE[colour] and owners[colour] is None:
            return Claim(colour, _only(colour, TROPHY_PRICE[colour]))
    return None


def can_claim(cubes: Cubes, owners: Owners) -> bool:
    """Whether any free trophy could be paid, triples included."""
    spare = triples(cubes, owners)
    for count, owner, price in zip(cubes, owners, TROPHY_PRICE, strict=True):
        if owner is None and count + spare >= price:
            return True
    return False


def claims(cubes: Cubes, owners: Owners) -> Iterator[Claim]:
    """All claims that could be paid, with every choice of triples, in a stable order."""
    for trophy in COLOURS:
        if owners[trophy] is not None:
            continue
        own = min(cubes[trophy], TROPHY_PRICE[trophy])
        missing = TROPHY_PRICE[trophy] - own
        sources = [colour for colour in COLOURS if owners[colour] is not None]
        for counts in _splits(missing, [cubes[colour] // TRIPLE for colour in sources]):
            paid = list(_only(trophy, own))
            for colour, count in zip(sources, counts, strict=True):
                paid[colour] = TRIPLE * count
            red, yellow, green, blue, grey = paid
            yield Claim(trophy, (red, yellow, green, blue, grey))


def _splits(total: int, most: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All ways to write ``total`` as a sum with one summand for each of ``most``, none larger than that."""
    if not most:
        if total == 0:
            yield ()
        return
    for first in range(min(total, most[0]), -1, -1):
        for rest in _splits(total - first, most[1:]):
            yield (first, *rest)


def _only(colour: Colour, count: int) -> Cubes:
    red, yellow, green, blue, grey = (count if each is colour else 0 for each in COLOURS)
    return (red, yellow, green, blue, grey)


def can_reach_third(trophies: int, cubes: Cubes, owners: Owners) -> bool:
    """Whether a player with so many trophies could have a third one if all of ``cubes`` were theirs.

    The player claims in the best order: trophies that can be paid outright first, because what is left over of their
    colours then gives triples. So of the free trophies each costs the triples that replace its missing cubes, or
    brings those that its surplus makes; the cheapest ones are taken. What the other player might yet claim does not
    help: only trophies taken now count as taken, besides those that the player takes.
    """
    costs = []
    for count, owner, price in zip(cubes, owners, TROPHY_PRICE, strict=True):
        if owner is None:
            missing = price - count
            costs.append(missing if missing > 0 else -(-missing // TRIPLE))
    wanted = TROPHIES_TO_WIN - trophies
    if len(costs) < wanted:
        return False
    costs.sort()
    return sum(costs[:wanted]) <= triples(cubes, owners)


def anybody_can_reach_third(
    won: tuple[Cubes, Cubes], owners: Owners, box: Cubes, lost: Cubes = NO_CUBES
) -> bool:
    """Whether either player could reach three trophies with their own cubes and all that can still be won: all cubes
    but those in the box, in front of the other player, and ``lost`` on blocked tiles.
    """
    left = subtract(subtract(ALL_CUBES, box), lost)
    return can_reach_third(owners.count(0), subtract(left, won[1]), owners) or can_reach_third(
        owners.count(1), subtract(left, won[0]), owners
    )
