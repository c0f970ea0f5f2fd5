"""What lies before one player."""

from __future__ import annotations

from typing import NamedTuple

from bcnet.games.edel.material import (
    FIRST_GEMS,
    NO_GEMS,
    Cards,
    EventCard,
    Gems,
    add,
    in_order,
    subtract,
    without,
)


class Holding(NamedTuple):
    """Money, gems and the event cards kept for the next scoring; all of it lies open."""

    money: int = 0
    gems: Gems = FIRST_GEMS
    cards: Cards = ()

    @property
    def rank(self) -> tuple[int, ...]:
        """Who has more of this wins: money, then red, yellow, green, blue gems (house)."""
        return (self.money, *self.gems)

    @property
    def opening(self) -> tuple[int, ...]:
        """Who has less of this opens a trade: red, yellow, green, blue gems, then money (house)."""
        return (*self.gems, self.money)

    def paid(self, money: int) -> Holding:
        """With more money."""
        return self._replace(money=self.money + money)

    def given(self, gems: Gems) -> Holding:
        """With more gems."""
        return self._replace(gems=add(self.gems, gems))

    def robbed(self, gems: Gems) -> Holding:
        """With fewer gems."""
        return self._replace(gems=subtract(self.gems, gems))

    def with_card(self, card: EventCard) -> Holding:
        """With one more event card."""
        return self._replace(cards=in_order((*self.cards, card)))

    def without_card(self, card: EventCard) -> Holding:
        """With one event card less."""
        return self._replace(cards=without(self.cards, card))


NOTHING = Holding(0, NO_GEMS, ())
"""What is left of a player who has resigned."""
