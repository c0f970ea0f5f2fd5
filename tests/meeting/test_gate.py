"""The gate: who comes too often, who stays too long, and who gets through all the same."""

from __future__ import annotations

import asyncio
import errno
import socket
import struct
import tracemalloc
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

import pytest

from bcnet_host import gate
from bcnet_host.gate import MAX_ADDRESSES, OF_ONE, Gate, Rates, bind, origin


async def until(condition: Callable[[], object], seconds: float = 20) -> None:
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - what is waited for knows of no events
            await asyncio.sleep(0.01)


@asynccontextmanager
async def opened(host: str = "127.0.0.1") -> AsyncIterator[tuple[Gate, list[int]]]:
    """A gate before a server that sends back what it gets, and the ports under which that sees its callers."""
    seen: list[int] = []

    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.append(writer.get_extra_info("peername")[1])
        with suppress(OSError):
            while data := await reader.read(1 << 16):
                writer.write(data)
                await writer.drain()
        writer.close()

    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    here = bind(host, 0)
    here.open(server.sockets[0].getsockname())
    try:
        yield here, seen
    finally:
        await here.close()
        server.close()


async def connect(here: Gate, source: str = "127.0.0.1") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection("127.0.0.1", here.port, local_addr=(source, 0))


async def is_through(here: Gate, source: str = "127.0.0.1") -> bool:
    try:
        reader, writer = await connect(here, source)
        writer.write(b"hello")
        said = await asyncio.wait_for(reader.read(5), 10)
        writer.transport.abort()
    except OSError:
        return False
    return said == b"hello"


# --- counting ---


@pytest.mark.parametrize(
    ("host", "place"),
    [
        ("192.168.1.5", "192.168.1.5"),
        ("::ffff:192.168.1.5", "192.168.1.5"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::1"),
        ("nonsense", "nonsense"),
    ],
)
def test_an_address_counts_as_its_network(host: str, place: str) -> None:
    assert origin(host) == place


def test_a_burst_then_a_rate_for_each_address() -> None:
    rates = Rates()
    assert [rates.allow("a", 0) for _ in range(gate.BURST + 5)] == [True] * gate.BURST + [False] * 5
    assert rates.allow("b", 0)
    assert [rates.allow("a", 0.5) for _ in range(20)].count(True) == int(gate.RATE * 0.5)
    assert [rates.allow("a", 1000) for _ in range(gate.BURST)] == [True] * gate.BURST


def test_the_memory_of_addresses_is_bounded() -> None:
    rates = Rates()
    for number in range(MAX_ADDRESSES * 2):
        rates.allow(str(number), number)
    assert len(rates) == MAX_ADDRESSES


# --- passing on ---


async def test_all_bytes_pass_both_ways_and_the_end_too() -> None:
    async with opened() as (here, _):
        reader, writer = await connect(here)
        data = bytes(range(256)) * 8000
        writer.write(data)
        assert await asyncio.wait_for(reader.readexactly(len(data)), 20) == data
        writer.close()
        await until(lambda: not here._passages)
        assert not here._by_port


async def test_who_reads_nothing_fills_nothing() -> None:
    async with opened() as (here, _):
        _, writer = await connect(here)
        writer.transport.set_write_buffer_limits(0)
        tracemalloc.start()
        try:
            with suppress(TimeoutError):
                while True:  # until the kernel's own buffers are full
                    writer.write(bytes(1 << 16))
                    await asyncio.wait_for(writer.drain(), 1)
                    assert tracemalloc.get_traced_memory()[0] < 4 << 20
        finally:
            tracemalloc.stop()
        writer.transport.abort()


async def test_callers_are_known_by_the_port_that_grpc_sees() -> None:
    async with opened() as (here, seen):
        assert await is_through(here, "127.0.0.9")
        reader, writer = await connect(here, "127.0.0.7")
        writer.write(b"x")
        await reader.read(1)
        assert here.caller(seen[-1]).origin == "127.0.0.7"
        assert here.caller(1).origin == "this machine"
        writer.transport.abort()


async def test_a_port_is_taken_once() -> None:
    async with opened("") as (here, _):
        for host in ("127.0.0.1", "", "::"):
            with pytest.raises(OSError, match="in use") as caught:
                bind(host, here.port)
            assert caught.value.errno == errno.EADDRINUSE


async def test_every_address_is_every_address() -> None:
    async with opened("") as (here, _):
        for host in ("127.0.0.1", "::1"):
            _, writer = await asyncio.open_connection(host, here.port)
            writer.transport.abort()
    async with opened("localhost") as (here, _):
        assert len({listener.getsockname()[1] for listener in here._listeners}) == 1


# --- floods ---


async def test_the_silent_of_one_address_displace_each_other() -> None:
    async with opened() as (here, _):
        friend = await connect(here, "127.0.0.2")
        lines = [await connect(here) for _ in range(OF_ONE + 10)]
        await until(lambda: here.turned_away == 10)
        await until(lambda: len(here._passages) == OF_ONE + 1)
        assert await asyncio.wait_for(lines[0][0].read(), 10) == b""  # the oldest had to go
        friend[1].write(b"still here")
        assert await asyncio.wait_for(friend[0].read(10), 10) == b"still here"
        for _, writer in [friend, *lines]:
            writer.transport.abort()


async def test_who_is_admitted_gives_way_to_nobody() -> None:
    async with opened() as (here, seen):
        reader, writer = await connect(here)
        writer.write(b"x")
        await reader.read(1)
        here.caller(seen[-1]).admit()
        lines = [await connect(here) for _ in range(OF_ONE + 10)]
        await until(lambda: here.turned_away >= 10)
        writer.write(b"y")
        assert await asyncio.wait_for(reader.read(1), 10) == b"y"
        for _, each in [(reader, writer), *lines]:
            each.transport.abort()


async def test_from_elsewhere_one_gets_through_a_flood(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty addresses hold all places; somebody new gets one of theirs."""
    monkeypatch.setattr(gate, "MOST", 40)
    async with opened() as (here, _):
        lines = [await connect(here, f"127.0.1.{1 + number % 20}") for number in range(60)]
        await until(lambda: len(here._passages) <= 40)
        assert await is_through(here, "127.0.0.2")
        for _, writer in lines:
            writer.transport.abort()


async def test_thousands_from_one_address_are_cut_off_at_once() -> None:
    async with opened() as (here, seen):
        loop = asyncio.get_running_loop()
        began = loop.time()
        for _ in range(2000):
            line = socket.socket()
            line.setblocking(False)
            with suppress(OSError):
                await loop.sock_connect(line, ("127.0.0.1", here.port))
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            line.close()
        assert len(seen) <= gate.BURST + gate.RATE * (loop.time() - began) + 1
        assert here.turned_away > 0
        assert await is_through(here, "127.0.0.2")


async def test_who_is_never_admitted_has_to_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "PATIENCE", 0.3)
    async with opened() as (here, seen):
        reader, writer = await connect(here)
        admitted = await connect(here)
        admitted[1].write(b"x")
        await admitted[0].read(1)
        here.caller(seen[-1]).admit()
        assert await asyncio.wait_for(reader.read(), 10) == b""
        admitted[1].write(b"y")
        assert await asyncio.wait_for(admitted[0].read(1), 10) == b"y"
        for each in (writer, admitted[1]):
            each.transport.abort()
