"""The game once more, for somebody who knows more faces than everybody does.

A player knows the own cards, the audit knows all. Either follows the public steps and puts in the faces it knows, so
that it has a position, and news, of its own. This module must not know where the faces come from.
"""

from __future__ import annotations

from collections.abc import Callable

from bcnet.games.interface import Action, Card, Deal, Dealt, Event, Seat, Shuffled, State
from bcnet.table.course import Taken

FaceOf = Callable[[int, Seat], Card | None]
"""The card in a slot that was dealt to a seat; None if that is not known."""
OrderOf = Callable[[int], tuple[Card, ...] | None]
"""The order of the pile of an epoch (counted from 1), top card first; None if that is not known."""


def _no_order(_epoch: int) -> tuple[Card, ...] | None:
    return None


class Follower:
    """Follows the steps of one table from the game's initial state, in their order, each once."""

    def __init__(self, initial: State, face_of: FaceOf, order_of: OrderOf = _no_order) -> None:
        self.state = initial
        self._face_of = face_of
        self._order_of = order_of
        self._slots = 0
        self._epochs = 0

    def follow(self, taken: Taken) -> tuple[Event, ...]:
        """Take one more step; gives the news of it, faces included where they are known."""
        step = taken.step
        state = self.state
        if isinstance(step, Shuffled):
            self._epochs += 1
            step = Shuffled(self._order_of(self._epochs))
        elif isinstance(step, Dealt):
            assert isinstance(state.need, Deal)
            first, owners = self._slots, state.need.seats
            self._slots += len(owners)
            step = Dealt(tuple(self._face_of(first + index, owner) for index, owner in enumerate(owners)))
        elif isinstance(step, Action) and taken.opened:
            assert taken.seat is not None
            state = state.reveal(taken.seat, taken.opened, publicly=True)
        self.state = state.apply(step)
        return self.state.news
