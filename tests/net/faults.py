"""A bad network for tests and soak runs: a relay in a thread of its own that delays, stalls, cuts and falls silent.

What it loses it loses as a network does under TCP: packets that are dropped and sent again are a stall, a connection
that is given up is a cut, and order is lost only between an old connection and the one that replaces it.
"""

from __future__ import annotations

import asyncio
import random
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

CUT, MID_FRAME, HALF_OPEN = "cut", "cut in mid-frame", "half-open"
STALL = "packets dropped and sent again"
LATE = "what was under way arrives after the next connection"


@dataclass
class Weather:
    """What the network does, and how often; seconds."""

    seed: int = 0
    calm: tuple[float, float] = (0.5, 3.0)
    """How long a connection is left alone before something happens to it."""
    delay: float = 0.02
    """The longest that a piece of data is held up."""
    faults: tuple[str, ...] = (CUT, CUT, MID_FRAME, MID_FRAME, LATE, LATE, STALL, HALF_OPEN)
    silence: float = 3.0
    """How long a half-open connection stays silent before the network forgets it."""
    most: int = 1000
    """After so many faults the weather is fine; may be changed while it runs."""
    stall: float = 1.5
    """How long dropped packets hold everything up."""
    late: tuple[float, float] = (0.3, 1.5)
    """How long a connection collects what it delivers late, and how long after its guest's end was reset that is."""


@dataclass
class _Connection:
    """What the weather is doing to one connection."""

    passing: asyncio.Event = field(default_factory=asyncio.Event)
    """Cleared while nothing passes."""
    half: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the next piece is delivered in half and nothing more."""

    is_late: bool = False
    """Whether the guest's end is gone, and the host's gets what was under way."""


@dataclass
class BadNetwork:
    """The relay. ``target`` may be changed while it runs: the host has moved."""

    weather: Weather
    target: int
    port: int = 0
    happened: Counter[str] = field(default_factory=Counter)

    async def serve(self, ready: threading.Event, stopping: asyncio.Event) -> None:
        self._rng = random.Random(self.weather.seed)
        self._tasks: set[asyncio.Task[None]] = set()
        server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        await stopping.wait()
        server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        here = _Connection()
        here.passing.set()
        ways = [asyncio.create_task(self._relay(*way, here)) for way in ((reader, back), (there, writer))]
        try:
            storm = asyncio.create_task(self._storm(here, writer))
            await asyncio.wait({*ways, storm}, return_when=asyncio.FIRST_COMPLETED)
            if not storm.done() and (here.half.is_set() or here.is_late):
                await asyncio.wait({storm} if here.is_late else ways, timeout=5 if here.is_late else 0.2)
        finally:
            for each in (*ways, storm):
                each.cancel()
            for end in (writer, back):
                end.transport.abort()
            self._tasks.discard(task)

    async def _storm(self, here: _Connection, guest: asyncio.StreamWriter) -> None:
        while True:
            await asyncio.sleep(self._rng.uniform(*self.weather.calm))
            while self.happened.total() >= self.weather.most:  # noqa: ASYNC110 (changed from another thread)
                await asyncio.sleep(0.1)
            fault = self._rng.choice(self.weather.faults)
            self.happened[fault] += 1
            if fault == STALL:
                here.passing.clear()
                await asyncio.sleep(self.weather.stall)
                here.passing.set()
                continue
            if fault == HALF_OPEN:
                here.passing.clear()
                await asyncio.sleep(self.weather.silence)
            elif fault == MID_FRAME:
                here.half.set()
                await asyncio.sleep(0.5)
            elif fault == LATE:
                collecting, after = self.weather.late
                here.passing.clear()
                await asyncio.sleep(collecting)
                here.is_late = True
                guest.transport.abort()
                await asyncio.sleep(after)
                here.passing.set()
                await asyncio.sleep(0.5)
            return

    async def _relay(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, here: _Connection
    ) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(1 << 14):
                await asyncio.sleep(self._rng.uniform(0, self.weather.delay))
                await here.passing.wait()
                if here.half.is_set():
                    writer.write(data[: len(data) // 2])
                    await writer.drain()
                    return
                writer.write(data)
                await writer.drain()


@contextmanager
def bad_network(target: int, weather: Weather | None = None) -> Iterator[BadNetwork]:
    """A relay to a port of this machine, for as long as the block lasts."""
    network = BadNetwork(weather or Weather(), target)
    ready = threading.Event()
    loop = asyncio.new_event_loop()
    stopping = asyncio.Event()

    def run() -> None:
        asyncio.set_event_loop(loop)
        loop.run_until_complete(network.serve(ready, stopping))
        loop.close()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    if not ready.wait(10):
        raise RuntimeError("the relay does not start")
    try:
        yield network
    finally:
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(stopping.set)
        thread.join(10)
