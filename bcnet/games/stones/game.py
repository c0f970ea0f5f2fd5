"""Stones behind the interface of `bcnet.games`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from bcnet.errors import IllegalStep
from bcnet.games.bots import levels
from bcnet.games.interface import Action, Bot, Event, Game, State
from bcnet.games.options import settle
from bcnet.games.stones import bots, notation, record, saving, telling, text, thinking
from bcnet.games.stones.material import SEATS
from bcnet.games.stones.state import StonesState


class Stones(Game):
    """Two to four players, twelve stones each, a field that grows. Nothing is hidden."""

    name: ClassVar[str] = "stones"
    title: ClassVar[str] = "Stones"
    seats: ClassVar[range] = SEATS
    options: ClassVar[Mapping[str, tuple[str, ...]]] = {"penalties": ("off", "on")}
    deck: ClassVar[tuple[str, ...]] = ()
    rules: ClassVar[str] = text.RULES
    notation: ClassVar[str] = text.NOTATION
    bots: ClassVar[Mapping[str, Bot]] = levels(bots.choose_greedily, thinking.HARD)

    def initial(self, seats: int, options: Mapping[str, str]) -> StonesState:
        """The position before anything has happened; see `Game.initial`."""
        agreed = settle(self, seats, options)
        return StonesState.start(seats, penalties=agreed["penalties"] == "on")

    def parse(self, text: str) -> Action:
        """Read an action; see `notation`."""
        return notation.parse(text)

    def write(self, action: Action) -> str:
        """Write an action; see `notation`."""
        return notation.write(action)

    def save(self, state: State) -> dict[str, Any]:
        """All that a state knows, as JSON data; see `saving`."""
        if not isinstance(state, StonesState):
            raise IllegalStep("this is no position of Stones")
        return saving.save(state)

    def load(self, data: Mapping[str, Any]) -> StonesState:
        """The state that ``save`` wrote; see `saving`."""
        return saving.load(data)

    def record(self, events: Sequence[Event]) -> dict[str, Any]:
        """``first_player`` and ``events`` of a record; see `record`."""
        return record.record(events)

    def tell(self, event: Event, names: Sequence[str]) -> str:
        """An event as a sentence; see `telling`."""
        return telling.tell(event, names)


GAME = Stones()
