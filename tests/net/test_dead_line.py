"""A line that dies without a word: no reset, no end, just nothing any more."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from grpc import ChannelConnectivity

from bcnet.session import Session
from bcnet.updates import LineDown, LineUp, Update
from bcnet.wire.v1 import table_pb2 as pb
from bcnet_client import join as joining
from bcnet_client.address import Address
from bcnet_client.line import OPTIONS
from bcnet_host import server
from tests.net.people import inn

SCALE = 10
"""The test is so many times as fast as life, where twenty seconds of silence mean that the line is dead."""

TIMES = {"grpc.keepalive_time_ms", "grpc.keepalive_timeout_ms", "grpc.http2.ping_timeout_ms"}
IDLE = "grpc.max_connection_idle_ms"


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(dict(OPTIONS)) > TIMES
    assert sum(dict(OPTIONS)[name] for name in TIMES - {"grpc.http2.ping_timeout_ms"}) < 30_000
    for module in (joining, server):
        scaled = {*TIMES, IDLE}
        options = [(name, value // SCALE if name in scaled else value) for name, value in module._OPTIONS]
        monkeypatch.setattr(module, "_OPTIONS", options)


class Cable:
    """A relay between guest and host that can be cut, also without either end noticing."""

    def __init__(self) -> None:
        self.whole = asyncio.Event()
        """Cleared, nothing passes, and nobody is told."""
        self.whole.set()
        self._ends: list[asyncio.StreamWriter] = []
        self.port = 0

    def cut(self) -> None:
        """Every connection is reset; what is on its way is lost."""
        for end in self._ends:
            end.transport.abort()
        self._ends.clear()

    @asynccontextmanager
    async def to(self, port: int) -> AsyncIterator[Address]:
        tasks: set[asyncio.Task[None]] = set()

        async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                while data := await reader.read(1 << 16):
                    await self.whole.wait()
                    writer.write(data)
                    await writer.drain()
            except ConnectionError:
                pass
            finally:
                writer.close()

        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            there_reader, there_writer = await asyncio.open_connection("127.0.0.1", port)
            self._ends += [writer, there_writer]
            for way in ((reader, there_writer), (there_reader, writer)):
                tasks.add(asyncio.create_task(relay(*way)))

        relaying = await asyncio.start_server(connected, "127.0.0.1", 0)
        try:
            yield Address("127.0.0.1", relaying.sockets[0].getsockname()[1])
        finally:
            relaying.close()
            self.whole.set()
            await asyncio.wait(tasks, timeout=5)
            self.cut()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def line_down(session: Session) -> LineDown:
    updates: asyncio.Queue[Update] = session.updates()
    while not isinstance(update := await updates.get(), LineDown):
        pass
    return update


async def test_both_are_told_that_the_line_is_dead(tmp_path: Path, quick: None) -> None:
    """Case N3."""
    cable = Cable()
    async with inn(tmp_path) as here, cable.to(here.server.port) as address:
        visit = await here.guest(address)
        session = await here.game()
        cable.whole.clear()
        async with asyncio.timeout(30 / SCALE + 1):
            told = await asyncio.gather(line_down(session), line_down(visit.session))
        assert [each.reason for each in told] == [pb.REASON_UNSPECIFIED] * 2
        await visit.session.close()
        await visit.close()


async def test_play_goes_on_by_itself_when_the_line_is_back(
    tmp_path: Path, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Case N3."""
    monkeypatch.setattr(joining, "FIRST_PAUSE", 0.05)
    cable = Cable()
    async with inn(tmp_path) as here, cable.to(here.server.port) as address:
        visit = await here.guest(address)
        session = await here.game()
        updates = [each.updates() for each in (session, visit.session)]
        cable.whole.clear()
        for queue in updates:
            async with asyncio.timeout(30 / SCALE + 1):
                while not isinstance(await queue.get(), LineDown):
                    pass
        cable.whole.set()
        for queue in updates:
            async with asyncio.timeout(20):
                while not isinstance(await queue.get(), LineUp):
                    pass
        assert not any(each.snapshot.held for each in (session, visit.session))
        await visit.session.close()
        await visit.close()


async def test_a_long_quiet_turn_is_no_dead_line(tmp_path: Path, quick: None) -> None:
    """Nor does the host take the connection for an idle one, as it does with one over which nobody calls anything."""
    assert dict(server._OPTIONS)[IDLE] == 3000
    async with inn(tmp_path) as here, here.channel() as other:
        visit = await here.guest()
        session = await here.game()
        await other.channel_ready()
        watching = [asyncio.create_task(line_down(each)) for each in (session, visit.session)]
        async with asyncio.timeout(20):
            await other.wait_for_state_change(ChannelConnectivity.READY)
        done, _ = await asyncio.wait(watching, timeout=4)  # forty seconds in life, with pings all the time
        assert not done
        for task in watching:
            task.cancel()
        await visit.session.close()
        await visit.close()
