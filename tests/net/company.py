"""A host and its guests in memory: no process, no port, no gRPC, but real homes; lines that are cut and programs that
die at any moment. The same decision is made the same way whenever it is asked.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from bcnet.entry import place_of
from bcnet.errors import Refusal
from bcnet.games.interface import Game
from bcnet.home import Home
from bcnet.session import Session
from bcnet.table.membership import Terms
from bcnet.updates import Ended, Snapshot, Update
from bcnet.verify import Report, Verdict
from bcnet.wire.v1 import table_pb2 as pb
from bcnet.wires import Wire
from tests.net.test_session import PATIENCE, pump, until
from tests.table.room import identity_of, lookup

HOPS = 20
"""Turns of the event loop in which what was just told of becomes a step of some side, if it leads to one."""

NAMES = ("Ann", "Bob", "Carol", "Dan", "Eve")


@dataclass
class Company:
    """All sides of a table, by seat, and the lines between the host and each guest."""

    folder: Path
    sides: list[Session]
    lines: dict[int, tuple[Wire, Wire]] = field(default_factory=dict)
    """By guest: the host's wire to it, and its wire to the host."""
    carrying: dict[int, list[asyncio.Task[None]]] = field(default_factory=dict)
    playing: dict[int, asyncio.Task[None]] = field(default_factory=dict)
    idle: set[Wire] = field(default_factory=set)
    """Wires whose carrier waits for a frame."""
    frames: int = 0
    """So many frames have come out of all wires."""
    at_frame: Callable[[int], None] = lambda _: None
    """Called with their number before a frame is carried."""
    stays_silent: set[int] = field(default_factory=set)
    """Seats whose player decides nothing."""
    waits_with: Callable[[Snapshot], bool] = lambda _: False
    """Decisions that nobody makes, by where the table stands."""
    mood: str = ""
    """With another one, other decisions are made in the same place."""

    @property
    def guests(self) -> range:
        return range(1, len(self.sides))

    async def connect(self, *guests: int) -> None:
        """A new line for each of these guests, to the seat that it has."""
        host = self.sides[0]
        for seat in guests or self.guests:
            side = self.sides[seat]
            table = side.table_id or side.lost_id
            to_guest = await host.attach(frozenset({seat}), identity=identity_of(seat).public, table=table)
            to_host = await side.attach(side.others, identity=identity_of(0).public, table=table)
            self.lines[seat] = to_guest, to_host
            self.carrying[seat] = [
                asyncio.create_task(self._carry(to_guest, side, to_host)),
                asyncio.create_task(self._carry(to_host, host, to_guest)),
            ]

    async def _carry(self, wire: Wire, target: Session, at: Wire) -> None:
        get = wire.get

        async def counted() -> pb.Frame | None:
            self.idle.add(wire)
            frame = await get()
            self.idle.discard(wire)
            self.frames += 1
            self.at_frame(self.frames)
            await asyncio.sleep(0)  # whoever cuts the line now loses this frame
            return frame

        wire.get = counted  # type: ignore[method-assign]
        await pump(wire, target, at)

    async def cut(self, *guests: int) -> None:
        """The lines of these guests drop; what is on its way is lost."""
        for seat in guests:
            tasks = self.carrying.pop(seat, [])
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            to_guest, to_host = self.lines.pop(seat)
            self.sides[0].detach(to_guest)
            self.sides[seat].detach(to_host)

    async def kill(self, *seats: int) -> None:
        """These programs are gone, with their lines; what they have on disk stays."""
        await self.cut(*(self.lines.keys() & (self.guests if 0 in seats else seats)))
        for seat in seats:
            side = self.sides[seat]
            self.stop(seat)
            await asyncio.gather(*side._working, return_exceptions=True)
            assert side._keeping.folder is not None
            side._keeping.folder.close()
            side._keeping.folder = None
            side._leaving.set()

    async def revive(self, *seats: int) -> None:
        """They are started again, and take their table up."""
        for seat in seats:
            home = Home(self.folder / NAMES[seat])
            (table,) = home.unfinished()
            self.sides[seat] = await Session.resume(
                home, identity_of(seat), "", home.open(table), games=lookup
            )

    def play(self, *seats: int) -> None:
        """These sides (all, if none are named) decide from now on, and go on until the end."""
        for seat in seats or range(len(self.sides)):
            self.stop(seat)
            self.playing[seat] = asyncio.create_task(self._play(self.sides[seat]))

    def stop(self, seat: int) -> None:
        if (task := self.playing.pop(seat, None)) is not None:
            task.cancel()

    async def _play(self, side: Session) -> None:
        updates = side.updates()
        while side.ended is None:
            here = side.snapshot
            waits = here.seat in self.stays_silent or self.waits_with(here)
            if here.decision and here.view is not None and not waits:
                rng = random.Random(f"{here.seat}-{here.round}{self.mood}")
                with suppress(Refusal):
                    await side.act(rng.choice(here.view.legal_actions(here.seat)))
                    continue
            if isinstance(await updates.get(), Ended):
                return

    async def until_round(self, number: int) -> None:
        """All have come so far."""
        async with asyncio.timeout(PATIENCE):
            await until(lambda: min(side.snapshot.round for side in self.sides) >= number)

    async def rest(self) -> None:
        """Wait until nothing is carried, judged or decided any more: all has followed that can follow."""
        is_still = False
        async with asyncio.timeout(PATIENCE):
            while not is_still:
                await until(self._is_still)
                for _ in range(HOPS):
                    await asyncio.sleep(0)
                    is_still = self._is_still()
                    if not is_still:
                        break

    def _is_still(self) -> bool:
        ways = [
            way for seat, wires in self.lines.items() for way in zip(wires, self.carrying[seat], strict=True)
        ]
        return not any(side._working for side in self.sides) and all(
            carrying.done() or (wire in self.idle and wire._frames.empty()) for wire, carrying in ways
        )

    def log(self, seat: int) -> set[bytes]:
        """All entries that the seat's side has."""
        return {entry.data for entry in self.sides[seat].player.table.log.entries()}

    def said(self, seat: int) -> set[bytes]:
        """The seat's own among them."""
        return {data for data in self.log(seat) if place_of(data)[1] == seat}

    async def end(self, *seats: int) -> Report:
        """The game has ended for these (all, if none are named), with the same clean transcript."""
        sides = [self.sides[seat] for seat in seats] or self.sides
        async with asyncio.timeout(PATIENCE):
            await until(lambda: all(side.ended for side in sides))
        ends = [side.ended for side in sides if side.ended]
        assert len({end.path.read_bytes() for end in ends}) == 1
        assert {end.report.verdict for end in ends} == {Verdict.CLEAN}
        return ends[0].report


@asynccontextmanager
async def company(folder: Path, game: Game, seats: int) -> AsyncIterator[Company]:
    """A table at which all sit, with their lines."""
    homes = [Home(folder / name) for name in NAMES[:seats]]
    for home in homes:
        home.prepare()
    terms = Terms.of(game, seats, {})
    sides = [
        await Session.host(homes[0], identity_of(0), NAMES[0], terms, games=lookup),
        *[
            await Session.join(homes[seat], identity_of(seat), NAMES[seat], seat, games=lookup)
            for seat in range(1, seats)
        ],
    ]
    made = Company(folder, sides)
    host = made.sides[0]
    for seat in made.guests:  # nobody of them knows yet how many others there are
        to_guest = await host.attach(frozenset({seat}), identity=identity_of(seat).public)
        others = frozenset(range(seats)) - {seat}
        to_host = await sides[seat].attach(others, identity=identity_of(0).public)
        made.lines[seat] = to_guest, to_host
        made.carrying[seat] = [
            asyncio.create_task(made._carry(to_guest, sides[seat], to_host)),
            asyncio.create_task(made._carry(to_host, host, to_guest)),
        ]
    try:
        async with asyncio.timeout(PATIENCE):
            for side in sides:
                await side.seated.wait()
        yield made
    finally:
        for seat in list(made.playing):
            made.stop(seat)
        for side in made.sides:
            await side.close()
        for tasks in made.carrying.values():
            await asyncio.gather(*tasks, return_exceptions=True)


def drained(updates: asyncio.Queue[Update]) -> list[Update]:
    return [updates.get_nowait() for _ in range(updates.qsize())]


def subsets(seats: Iterable[int]) -> list[tuple[int, ...]]:
    """All but the empty one."""
    known = list(seats)
    return [
        tuple(seat for bit, seat in enumerate(known) if mask >> bit & 1) for mask in range(1, 1 << len(known))
    ]
