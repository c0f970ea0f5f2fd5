"""Balloon Cup behind the interface of `bcnet.games`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from bcnet.errors import IllegalStep
from bcnet.games.balloon_cup import bots, judgement, notation, record, saving, telling, text
from bcnet.games.balloon_cup.fill import FillRule
from bcnet.games.balloon_cup.material import DECK, SEATS
from bcnet.games.balloon_cup.state import BalloonCupState
from bcnet.games.interface import Action, Bot, Event, Game, Sense, State
from bcnet.games.options import settle


class BalloonCup(Game):
    """Two players, 45 cards, 45 cubes, five trophies, four tiles (docs/games.md)."""

    name: ClassVar[str] = "balloon-cup"
    title: ClassVar[str] = "Balloon Cup"
    seats: ClassVar[range] = range(SEATS, SEATS + 1)
    options: ClassVar[Mapping[str, tuple[str, ...]]] = {"fill": tuple(rule.value for rule in FillRule)}
    deck: ClassVar[tuple[str, ...]] = DECK
    rules: ClassVar[str] = text.RULES
    notation: ClassVar[str] = text.NOTATION
    bots: ClassVar[Mapping[str, Bot]] = bots.BOTS
    sense: ClassVar[Sense] = judgement.SENSE

    def initial(self, seats: int, options: Mapping[str, str]) -> BalloonCupState:
        """The position before anything has happened; see `Game.initial`."""
        agreed = settle(self, seats, options)
        return BalloonCupState.start(FillRule(agreed["fill"]))

    def parse(self, text: str) -> Action:
        """Read an action; see `notation`."""
        return notation.parse(text)

    def write(self, action: Action) -> str:
        """Write an action; see `notation`."""
        return notation.write(action)

    def save(self, state: State) -> dict[str, Any]:
        """All that a state knows, as JSON data; see `saving`."""
        return saving.save(_ours(state))

    def load(self, data: Mapping[str, Any]) -> BalloonCupState:
        """The state that ``save`` wrote; see `saving`."""
        return saving.load(data)

    def record(self, events: Sequence[Event]) -> dict[str, Any]:
        """``first_player`` and ``events`` of a record; see `record`."""
        return record.record(events)

    def tell(self, event: Event, names: Sequence[str]) -> str:
        """An event as a sentence; see `telling`."""
        return telling.tell(event, names)


def _ours(state: State) -> BalloonCupState:
    if not isinstance(state, BalloonCupState):
        raise IllegalStep("this is no position of Balloon Cup")
    return state


GAME = BalloonCup()
