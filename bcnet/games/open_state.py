"""States of games in which everything lies open: no hands, no pile, and every view is the position itself."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import Self

from bcnet.errors import IllegalStep
from bcnet.games.interface import Action, Card, Hand, Seat, State
from bcnet.games.refusals import no_such_seat

_NO_HAND = Hand(0)


class OpenState(State):
    """A position that hides nothing. What is chosen in secret (`Choose`) is in no position before all have chosen."""

    __slots__ = ()

    @property
    @abstractmethod
    def everybody(self) -> range:
        """All seats that the game began with."""

    def hand(self, seat: Seat) -> Hand:
        """Empty: there are no cards in hands."""
        self.check_seat(seat)
        return _NO_HAND

    def opens(self, seat: Seat, action: Action) -> tuple[Card, ...]:  # noqa: ARG002 (the interface's)
        """Nothing: there is nothing to open."""
        return ()

    def reveal(self, seat: Seat, cards: Iterable[Card], *, publicly: bool) -> Self:  # noqa: ARG002
        """The position itself. Raises `IllegalStep` for any card."""
        self.check_seat(seat)
        for card in cards:
            raise IllegalStep("there is no hidden card {card}: all of this game lies open", card=card)
        return self

    def view(self, seat: Seat | None) -> Self:
        """The position itself."""
        if seat is not None:
            self.check_seat(seat)
        return self

    def check_seat(self, seat: Seat) -> None:
        """Raise `IllegalStep` for a seat that the game does not have."""
        if seat not in self.everybody:
            raise no_such_seat(seat, len(self.everybody))
