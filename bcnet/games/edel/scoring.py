"""Who gets which payout, and what is given back. Nothing in here changes a position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from bcnet.games.edel.holdings import Holding
from bcnet.games.edel.material import DOUBLERS, SURCHARGES, Colour, EventCard
from bcnet.games.interface import Seat

PAYOUT = (14, 12, 10, 8)
"""For most gems of each colour."""
SURCHARGE = 6
MOST_CERTIFICATES = 10
SECOND_CERTIFICATES = 4
TIED_GIVE_BACK = 2


class Payout(NamedTuple):
    """What a colour, or the certificates, bring one player."""

    seat: Seat
    money: int


def colour_payouts(holdings: Mapping[Seat, Holding], colour: Colour) -> tuple[Payout, ...]:
    """Most gems of a colour, at least one: the payout, divided among the tied and rounded down (house); a doubler makes
    the own payout twice as much, then a surcharge adds 6.
    """
    best = most({seat: holding.gems[colour] for seat, holding in holdings.items()})
    payouts = []
    for seat in best:
        cards = holdings[seat].cards
        money = PAYOUT[colour] // len(best)
        money *= 2 if DOUBLERS[colour] in cards else 1
        money += SURCHARGE if SURCHARGES[colour] in cards else 0
        payouts.append(Payout(seat, money))
    return tuple(payouts)


def given_back(count: int, *, tied: bool) -> int:
    """How many of so many gems go back: half of them, rounded up; two, or all there are, from each who is tied."""
    return min(TIED_GIVE_BACK, count) if tied else (count + 1) // 2


def certificate_payouts(holdings: Mapping[Seat, Holding]) -> tuple[Payout, ...]:
    """Most certificates 10, second most 4; at least one certificate (house).

    Tied for most: 14 divided, and no second; tied for second: 4 divided; all rounded down (house).
    """
    counts = {seat: holding.cards.count(EventCard.CERTIFICATE) for seat, holding in holdings.items()}
    best = most(counts)
    if len(best) != 1:
        return tuple(Payout(seat, (MOST_CERTIFICATES + SECOND_CERTIFICATES) // len(best)) for seat in best)
    second = most({seat: count for seat, count in counts.items() if seat not in best})
    return (
        Payout(best[0], MOST_CERTIFICATES),
        *(Payout(seat, SECOND_CERTIFICATES // len(second)) for seat in second),
    )


def most(counts: Mapping[Seat, int]) -> tuple[Seat, ...]:
    """Those who have most, at least one."""
    highest = max(counts.values(), default=0)
    return tuple(seat for seat, count in counts.items() if count == highest) if highest else ()
