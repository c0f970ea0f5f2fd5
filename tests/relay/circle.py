"""Sessions of one table in one process, joined by pipes of memory: the host's frames to each guest pass through a liar.

Everything is as between real programs (sessions, journals, homes, wires) but for the network. Nothing waits for a
clock: a circle is *quiet* when nothing is on its way and nobody works, and then the test sees how things stand.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from bcnet import transcript
from bcnet.entry import Noise
from bcnet.errors import Refusal
from bcnet.home import Home
from bcnet.session import HOST_SEAT, Session, SessionOver
from bcnet.several import Group
from bcnet.table.membership import Terms
from bcnet.updates import Update
from bcnet.wire.v1 import table_pb2 as pb
from bcnet.wires import Wire
from tests.attacks.arena import verified
from tests.relay.liars import Liar
from tests.table.room import identity_of, lookup

TURNS = 400
"""Decisions after which a game is taken for endless."""


@dataclass
class Circle:
    """A host and its guests, by seat, and what each is told."""

    sessions: list[Session]
    liar: Liar
    rng: random.Random
    told: dict[int, asyncio.Queue[Update]] = field(default_factory=dict)
    lines: dict[int, tuple[Wire, Wire]] = field(default_factory=dict)
    """By guest: the host's wire to it, and its own to the host."""
    noise: dict[int, Noise] = field(default_factory=dict)
    """What a guest could make nothing of."""
    goodbyes: dict[int, list[int]] = field(default_factory=dict)
    """The reasons with which the host has ended the line of a guest, or the guest its own."""
    _tasks: list[asyncio.Task[None]] = field(default_factory=list)
    _carrying: int = 0

    @property
    def host(self) -> Session:
        return self.sessions[HOST_SEAT]

    @property
    def guests(self) -> Mapping[int, Session]:
        return dict(enumerate(self.sessions[1:], 1))

    async def connect(self, seat: int) -> None:
        """A line between the host and a guest, the first or a new one."""
        guest = self.sessions[seat]
        down = await self.host.attach(
            frozenset({seat}), identity=identity_of(seat).public, name=name_of(seat)
        )
        others = frozenset(range(len(self.sessions))) - {seat}
        up = await guest.attach(others, identity=identity_of(HOST_SEAT).public, name=name_of(HOST_SEAT))
        self.lines[seat] = down, up
        self._tasks += [
            asyncio.create_task(self._carry(seat, down, guest, up)),
            asyncio.create_task(self._carry(seat, up, self.host, down)),
        ]

    async def cut(self, seat: int) -> None:
        """The line of a guest drops; both sides notice."""
        down, up = self.lines[seat]
        self.host.detach(down)
        self.sessions[seat].detach(up)
        await self.quiet()

    async def _carry(self, seat: int, wire: Wire, target: Session, at: Wire) -> None:
        """Carry what one side says to the other, or what the liar makes of it on the way to a guest."""
        while (frame := await wire.get()) is not None:
            self._carrying += 1
            try:
                said = self.liar.frames(seat, frame) if target is not self.host else [frame]
                for each in said:
                    if not await self._deliver(seat, each, target, at):
                        return
            finally:
                self._carrying -= 1

    async def _deliver(self, seat: int, frame: pb.Frame, target: Session, at: Wire) -> bool:
        if frame.HasField("goodbye"):
            self.goodbyes.setdefault(seat, []).append(int(frame.goodbye.reason))
            target.detach(at, int(frame.goodbye.reason))
            return False
        try:
            await target.receive(at, frame)
        except SessionOver:
            return False
        except Noise as noise:
            if target is not self.host:
                self.noise[seat] = noise
            target.detach(at, noise=noise)
            return False
        return True

    async def release(self, seat: int, frames: Iterable[pb.Frame]) -> None:
        """A guest gets what was held back."""
        for frame in frames:
            await self._deliver(seat, frame, self.sessions[seat], self.lines[seat][1])
        await self.quiet()

    async def quiet(self) -> None:
        """Return when nothing moves any more without a decision."""
        calm = 0
        while calm < 3:
            await asyncio.sleep(0)
            wires = [wire for pair in self.lines.values() for wire in pair if not wire.closed.is_set()]
            busy = self._carrying or any(session._working for session in self.sessions)
            calm = 0 if busy or any(wire._frames.qsize() for wire in wires) else calm + 1
            if busy:
                await asyncio.sleep(0.001)

    async def play(self, until: Callable[[], object] = lambda: False) -> None:
        """All play at random until nobody has anything to decide, or it is so."""
        await self.quiet()
        for _ in range(TURNS):
            deciding = [session for session in self.sessions if session.snapshot.decision]
            if not deciding or until():
                return
            session = self.rng.choice(deciding)
            view = session.snapshot.view
            assert view is not None
            await session.act(self.rng.choice(view.legal_actions(session.snapshot.seat)))
            await self.quiet()
        raise AssertionError("the game does not end")

    async def end(self) -> None:
        """All guests resign, the first of them last, so that what comes at the end comes soon."""
        for session in reversed(self.sessions[1:]):
            with suppress(Refusal):  # where there is no game, or nothing of it is left
                await session.resign()
            await self.quiet()
        await self.play()

    def file(self, seat: int) -> list[bytes]:
        """The entries that a side would hand in now."""
        session = self.sessions[seat]
        if session.ended is not None:
            return transcript.read(session.ended.path)
        return [entry.data for entry in session.player.table.log.entries()]

    def verdict(self, *seats: int) -> Group:
        """What ``bcnet verify`` makes of the files of these seats together."""
        (group,) = verified(*map(self.file, seats))
        return group

    def updates(self, seat: int) -> list[Update]:
        """What a side has been told so far."""
        queue = self.told[seat]
        told = [queue.get_nowait() for _ in range(queue.qsize())]
        for update in told:
            queue.put_nowait(update)
        return told


def name_of(seat: int) -> str:
    """What a player is called."""
    return f"player {seat}"


MakeSession = Callable[[Home, int], Session]
"""Makes a session for a seat: how a dishonest guest gets into a circle."""


@asynccontextmanager
async def circle(
    folder: Path,
    liar: Liar,
    seats: int,
    *,
    game: str = "edel",
    seated: Mapping[int, MakeSession] | None = None,
    private_hands: bool = False,
) -> AsyncIterator[Circle]:
    """A table for so many, at which all are told of the offer; the host passes things on as the liar does."""
    homes = [Home(folder / f"home-{seat}") for seat in range(seats)]
    for home in homes:
        home.prepare()
    liar.identity = identity_of(HOST_SEAT)
    rules = lookup(game)
    options = {key: values[0] for key, values in rules.options.items()}
    terms = Terms.of(rules, seats, options, private_hands=private_hands)
    sessions = [await Session.host(homes[0], identity_of(0), name_of(0), terms, games=lookup)]
    for seat in range(1, seats):
        if seated and seat in seated:
            sessions.append(seated[seat](homes[seat], seat))
        else:
            sessions.append(
                await Session.join(homes[seat], identity_of(seat), name_of(seat), seat, games=lookup)
            )
    made = Circle(sessions, liar, random.Random(seats))
    made.told = {seat: session.updates() for seat, session in enumerate(sessions)}
    try:
        for seat in range(1, seats):
            await made.connect(seat)
        await made.quiet()
        yield made
    finally:
        for session in made.sessions:
            await session.close()
        await asyncio.gather(*made._tasks, return_exceptions=True)
