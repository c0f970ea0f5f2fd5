"""Trophies: what they cost, who could pay, and whether anybody can still win (RULES.md, Trophies, Drawn games)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from bcnet.games.balloon_cup.actions import Claim
from bcnet.games.balloon_cup.material import (
    COLOURS,
    TROPHIES_TO_WIN,
    TROPHY_PRICE,
    Colour,
    Cubes,
)
from bcnet.games.interface import Seat

Owners = tuple[Seat | None, ...]
"""Who owns the trophy of each colour; None while it is free."""
TRIPLE = 3
"""So many cubes of a colour whose trophy is taken stand for one missing cube."""


def triples(cubes: Cubes, owners: Owners) -> int:
    """How many missing cubes these could replace."""
    return sum(cubes[colour] // TRIPLE for colour in COLOURS if owners[colour] is not None)


def natural_claim(cubes: Cubes, owners: Owners) -> Claim | None:
    """The first free trophy that can be paid with cubes of its own colour alone."""
    for colour in COLOURS:
        if owners[colour] is None and cubes[colour] >= TROPHY_PRICE[colour]:
            return Claim(colour, _only(colour, TROPHY_PRICE[colour]))
    return None


def can_claim(cubes: Cubes, owners: Owners) -> bool:
    """Whether any free trophy could be paid, triples included."""
    spare = triples(cubes, owners)
    return any(
        owner is None and price <= have + spare
        for owner, price, have in zip(owners, TROPHY_PRICE, cubes, strict=True)
    )


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


def can_reach_third(seat: Seat, cubes: Cubes, owners: Owners) -> bool:
    """Whether ``seat`` could have a third trophy if it owned all of ``cubes``.

    The seat claims in the best order: trophies that it can pay outright first, because what is left over of their
    colours then gives triples. So of the free trophies each costs the triples that replace its missing cubes, or
    brings those that its surplus makes; the cheapest ones are taken. What the other player might yet claim does not
    help: trophies taken now are all that counts as taken, besides those that the seat takes itself.
    """
    wanted = TROPHIES_TO_WIN - owners.count(seat)
    costs = []
    for colour in COLOURS:
        if owners[colour] is None:
            missing = TROPHY_PRICE[colour] - cubes[colour]
            costs.append(missing if missing > 0 else -(-missing // TRIPLE))
    if len(costs) < wanted:
        return False
    costs.sort()
    return sum(costs[:wanted]) <= triples(cubes, owners)


@lru_cache(maxsize=1 << 12)
def anybody_can_reach_third(won: tuple[Cubes, Cubes], owners: Owners, winnable: Cubes) -> bool:
    """Whether either player could reach three trophies with their own cubes and all winnable ones.

    Remembered, because it is asked at every turn and changes only when cubes move or a tile is blocked.
    """
    return any(
        can_reach_third(seat, (a + e, b + f, c + g, d + h, x + y), owners)
        for seat, (a, b, c, d, x) in enumerate(won)
        for e, f, g, h, y in (winnable,)
    )
