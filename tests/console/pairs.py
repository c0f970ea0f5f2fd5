"""Two sessions joined by their wires in one process, without proofs: for what lies between table and screen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bcnet.games import registry
from bcnet.games.interface import Action
from bcnet.home import Home
from bcnet.session import Session
from bcnet.signing import Identity
from bcnet.table.membership import Terms
from bcnet.wires import Wire
from bcnet_client.console.desk import Desk
from tests.console.alone import carry
from tests.table.quick import quick_proofs


@dataclass
class Pair:
    """Ann's session with the desk before it, and Bob's."""

    ann: Session
    bob: Session
    desk: Desk
    wires: tuple[Wire, Wire]
    tasks: list[asyncio.Task[None]] = field(default_factory=list)

    async def until(self, what: Callable[[], object]) -> None:
        """Take updates until something is so. (Two sessions are waited for, so it is looked for again and again.)"""
        async with asyncio.timeout(30):
            while not what():
                while not self.desk._updates.empty():
                    await self.desk.next_update()
                await asyncio.sleep(0.002)

    async def settle(self) -> None:
        """Take updates until somebody has to decide, or the table has ended."""
        await self.until(self._is_settled)

    def _is_settled(self) -> bool:
        if self.desk.pane.sending or not self.desk._updates.empty():
            return False
        if self.desk.scene.ended or self.desk.scene.lost:
            return True
        snapshots = self.ann.snapshot, self.bob.snapshot
        same = snapshots[0].round == snapshots[1].round
        return same and any(each.decision for each in snapshots)

    async def bob_acts(self, action: Action | None = None) -> None:
        """Bob decides: the first of his legal actions, if not told another."""
        view = self.bob.snapshot.view
        assert view is not None
        await self.bob.act(action or view.legal_actions(1)[0])
        await self.settle()

    async def anns_turn(self) -> None:
        """Play until Ann has to decide."""
        await self.settle()
        while not self.desk.scene.asked:
            await self.bob_acts()

    async def bobs_turn(self) -> None:
        """Play until Bob has to decide."""
        await self.settle()
        while self.desk.scene.asked:
            await self.enter(self.first_move())

    def first_move(self) -> str:
        """Ann's first legal action, as the game writes it."""
        view = self.ann.snapshot.view
        assert view is not None
        return registry.get("balloon-cup").write(view.legal_actions(0)[0])

    async def enter(self, text: str) -> str:
        """Ann types a line; gives the answer, once what it has led to has settled."""
        self.desk.enter(text)
        answer = self.desk.pane.answer
        if self.desk.left is None:
            await self.settle()
        return self.desk.pane.answer or answer


@asynccontextmanager
async def pair(folder: Path, *, confirm: bool = False) -> AsyncIterator[Pair]:
    """Ann hosts, Bob joins; both play by hand. ``confirm``: Ann is asked before a decision is final."""
    with quick_proofs():
        game = registry.get("balloon-cup")
        ann = await Session.host(Home(folder / "ann"), Identity(b"\1" * 32), "Ann", Terms.of(game, 2, {}))
        bob = await Session.join(Home(folder / "bob"), Identity(b"\2" * 32), "Bob", 1)
        desk = Desk(ann, confirm=confirm)
        wires = await ann.attach(frozenset({1})), await bob.attach(frozenset({0}))
        two = Pair(ann, bob, desk, wires)
        two.tasks.append(asyncio.create_task(carry(ann, wires[0], bob, wires[1])))
        two.tasks.append(asyncio.create_task(carry(bob, wires[1], ann, wires[0])))
        try:
            yield two
        finally:
            await ann.close()
            await bob.close()
            for task in two.tasks:
                task.cancel()
            await asyncio.gather(*two.tasks, return_exceptions=True)
