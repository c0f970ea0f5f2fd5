"""Two players want one action: what may be offered, and which offer is higher.

The one who accepts takes the offered gems; the one who offered them performs the action.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from typing import NamedTuple

from bcnet.games.edel.actions import Offer
from bcnet.games.edel.material import Gems
from bcnet.games.interface import Seat


class Trade(NamedTuple):
    """A trade as it stands."""

    asked: Seat
    """Who makes an offer now, or accepts the standing one."""
    other: Seat
    offer: Gems | None = None
    """What ``other`` offers; None at first."""


def weight(gems: Gems) -> tuple[int, int]:
    """An offer is higher than another if this is: its number of gems, then the sum of their values (house), red 4,
    yellow 3, green 2, blue 1.
    """
    red, yellow, green, blue = gems
    return red + yellow + green + blue, 4 * red + 3 * yellow + 2 * green + blue


def is_higher(gems: Gems, standing: Gems | None) -> bool:
    """Whether it may be offered where this offer stands (None: no offer yet)."""
    return weight(gems) > (weight(standing) if standing else (0, 0))


def can_offer(own: Gems, standing: Gems | None) -> bool:
    """Whether anything higher can be offered from these gems: if anything can, all of them can."""
    return is_higher(own, standing)


def offers(own: Gems, standing: Gems | None) -> tuple[Offer, ...]:
    """All offers that can be made from these gems, the lowest first; of equally high ones the one with more red first,
    then yellow, then green.

    At most 23 ** 4 - 1, for somebody who has all gems there are; with a dozen gems, three of each colour, 255.
    """
    every = _offers(own)
    if standing is None:
        return every
    return every[bisect_right(every, weight(standing), key=lambda offer: weight(offer.gems)) :]


@lru_cache(maxsize=16)
def _offers(own: Gems) -> tuple[Offer, ...]:
    """Whatever can be offered from these gems where no offer stands. Asked again and again in one trade."""
    red, yellow, green, blue = (range(count + 1) for count in own)
    parts = [
        (*weight((r, y, g, b)), -r, -y, -g, -b) for r in red for y in yellow for g in green for b in blue
    ]
    parts.sort()
    return tuple(Offer((-r, -y, -g, -b)) for _, _, r, y, g, b in parts[1:])  # the first is nothing at all
