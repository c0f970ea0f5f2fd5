"""The bot's side of a session, with a session that does nothing by itself."""

from __future__ import annotations

import asyncio
import random
import threading
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

from bcnet.errors import Exit
from bcnet.games.interface import Action, Seat, State
from bcnet.session import Session
from bcnet.updates import LineDown, Update
from bcnet.wire.v1 import table_pb2 as pb
from bcnet_client import bot
from tests.games.balloon_cup.positions import position


@dataclass
class Asking:
    """It asks for one action; then the other side pauses."""

    snapshot: Any
    ended: None = None
    others: frozenset[int] = frozenset({1})
    acted: list[Action] = field(default_factory=list)
    queue: asyncio.Queue[Update] = field(default_factory=asyncio.Queue)

    def updates(self, *, past: bool) -> asyncio.Queue[Update]:
        return self.queue

    def stay_out_of_the_chat(self) -> None:
        pass

    async def act(self, action: Action) -> None:
        self.acted.append(action)
        self.queue.put_nowait(LineDown(frozenset({1}), pb.REASON_PAUSED, why="Ann has paused."))


async def test_a_bot_that_thinks_keeps_nothing_else_waiting() -> None:
    """The bot ends its thinking only when the loop has gone on meanwhile."""
    view = position({1: "mountain r", 4: "plains yyyg"}, ("r1 y1", "r2")).view(0)
    session = Asking(SimpleNamespace(decision=True, words=(), held=False, view=view, seat=0, round=1))
    loop_goes_on = threading.Event()

    def thinker(state: State, seat: Seat, rng: random.Random) -> Action:
        assert loop_goes_on.wait(10)
        return rng.choice(state.legal_actions(seat))

    async def something_else() -> None:
        await asyncio.sleep(0.01)
        loop_goes_on.set()

    said: list[str] = []
    playing = bot.play(cast(Session, session), thinker, random.Random(1), said.append)
    code, _ = await asyncio.gather(playing, something_else())
    assert code == Exit.INCOMPLETE
    assert [action in view.legal_actions(0) for action in session.acted] == [True]
    assert said == ["The game is unfinished. Ann has paused."]
