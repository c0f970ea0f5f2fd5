"""A bad network for tests and soak runs: a relay in a thread of its own that delays, cuts and falls silent."""

from __future__ import annotations

import asyncio
import random
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

CUT, MID_FRAME, HALF_OPEN = "cut", "cut in mid-frame", "half-open"


@dataclass
class Weather:
    """What the network does, and how often; seconds."""

    seed: int = 0
    calm: tuple[float, float] = (0.5, 3.0)
    """How long a connection is left alone before something happens to it."""
    delay: float = 0.02
    """The longest that a piece of data is held up."""
    faults: tuple[str, ...] = (CUT, CUT, MID_FRAME, MID_FRAME, CUT, HALF_OPEN)
    silence: float = 3.0
    """How long a half-open connection stays silent before the network forgets it."""
    most: int = 1000
    """After so many faults the weather is fine."""


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
        silent, half = asyncio.Event(), asyncio.Event()
        ways = [
            asyncio.create_task(self._relay(*way, silent, half)) for way in ((reader, back), (there, writer))
        ]
        try:
            storm = asyncio.create_task(self._storm(silent, half))
            await asyncio.wait({*ways, storm}, return_when=asyncio.FIRST_COMPLETED)
            if half.is_set() and not storm.done():
                await asyncio.wait(ways, timeout=0.2)
        finally:
            for each in (*ways, storm):
                each.cancel()
            for end in (writer, back):
                end.transport.abort()
            self._tasks.discard(task)

    async def _storm(self, silent: asyncio.Event, half: asyncio.Event) -> None:
        await asyncio.sleep(self._rng.uniform(*self.weather.calm))
        if self.happened.total() >= self.weather.most:
            await asyncio.sleep(3600)
        fault = self._rng.choice(self.weather.faults)
        self.happened[fault] += 1
        if fault == HALF_OPEN:
            silent.set()
            await asyncio.sleep(self.weather.silence)
        elif fault == MID_FRAME:
            half.set()
            await asyncio.sleep(0.5)

    async def _relay(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        silent: asyncio.Event,
        half: asyncio.Event,
    ) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(1 << 14):
                await asyncio.sleep(self._rng.uniform(0, self.weather.delay))
                if silent.is_set():
                    await asyncio.sleep(3600)
                if half.is_set():
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
