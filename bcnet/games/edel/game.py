"""Edel, Stein & Reich behind the interface of `bcnet.games`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from bcnet.errors import IllegalStep
from bcnet.games.bots import levels
from bcnet.games.edel import bots, notation, record, saving, telling, text, thinking
from bcnet.games.edel.material import SEATS
from bcnet.games.edel.state import EdelState
from bcnet.games.interface import Action, Bot, Event, Game, State
from bcnet.games.options import settle


class Edel(Game):
    """Three to five players, 88 gems, actions chosen in secret, trades between two. Everything else lies open."""

    name: ClassVar[str] = "edel"
    title: ClassVar[str] = "Edel, Stein & Reich"
    seats: ClassVar[range] = SEATS
    options: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    deck: ClassVar[tuple[str, ...]] = ()
    rules: ClassVar[str] = text.RULES
    notation: ClassVar[str] = text.NOTATION
    bots: ClassVar[Mapping[str, Bot]] = levels(bots.choose_greedily, thinking.HARD)

    def initial(self, seats: int, options: Mapping[str, str]) -> EdelState:
        """The position before anything has happened; see `Game.initial`."""
        settle(self, seats, options)
        return EdelState.start(seats)

    def parse(self, text: str) -> Action:
        """Read an action; see `notation`."""
        return notation.parse(text)

    def write(self, action: Action) -> str:
        """Write an action; see `notation`."""
        return notation.write(action)

    def save(self, state: State) -> dict[str, Any]:
        """All that a state knows, as JSON data; see `saving`."""
        if not isinstance(state, EdelState):
            raise IllegalStep("this is no position of Edel, Stein & Reich")
        return saving.save(state)

    def load(self, data: Mapping[str, Any]) -> EdelState:
        """The state that ``save`` wrote; see `saving`."""
        return saving.load(data)

    def record(self, events: Sequence[Event]) -> dict[str, Any]:
        """``events`` of a record; see `record`."""
        return record.record(events)

    def tell(self, event: Event, names: Sequence[str]) -> str:
        """An event as a sentence; see `telling`."""
        return telling.tell(event, names)


GAME = Edel()
