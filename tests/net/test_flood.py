"""Thousands of bad and half-open connections: the game goes on, a friend gets in, and memory stays what it was.

The attackers have addresses of their own in 127.0.0.0/8, which is all that the host can tell them apart by.
"""

from __future__ import annotations

import random
import socket
import ssl
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest

from tests.net.processes import Start, guest, host
from tests.net.test_garbage import endpoint, raw, resident

pytestmark = [
    pytest.mark.end_to_end,
    pytest.mark.timeout(180),
    pytest.mark.skipif(sys.platform != "linux", reason="needs the many loopback addresses of Linux"),
]

COUNT = 3000
"""Connections of a flood."""
LINES = 300
"""Half-open connections that are held at once."""
SECONDS = 60.0
"""A flood is over by then, however fast this machine is."""
GROWTH = 48 << 20
"""Bytes by which the host's memory may grow: what its buffers hold when all of its places are taken."""


def attacker(number: int) -> str:
    """One of 250 addresses."""
    return f"127.0.66.{number % 250 + 1}"


def opened(where: tuple[str, int], source: str) -> socket.socket | None:
    with suppress(OSError):
        return socket.create_connection(where, timeout=2, source_address=(source, 0))
    return None


def cut(line: socket.socket) -> None:
    with suppress(OSError):
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    line.close()


def client_hello() -> bytes:
    """The first bytes of a true TLS handshake."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    said = ssl.MemoryBIO()
    with suppress(ssl.SSLWantReadError):
        context.wrap_bio(ssl.MemoryBIO(), said, server_hostname="bcnet").do_handshake()
    return said.read()


def flood(where: tuple[str, int], done: threading.Event) -> None:
    """Garbage, handshakes broken off, and nothing at all, from one address and from many."""
    rng = random.Random(5)
    end = time.monotonic() + SECONDS
    for number in range(COUNT):
        if done.is_set() or time.monotonic() > end:
            return
        line = opened(where, attacker(0 if number % 2 else number))
        if line is None:
            continue
        with suppress(OSError):
            if number % 50 == 0:
                line.settimeout(1)
                line.sendall(client_hello())
                line.recv(4096)
            else:
                line.sendall(raw(rng))
        cut(line)


def slow_loris(where: tuple[str, int], done: threading.Event) -> None:
    """Holds as many connections as it can and says a byte now and then."""
    end = time.monotonic() + SECONDS
    lines: list[socket.socket] = []
    number = 0
    hello = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500)
    while not done.is_set() and time.monotonic() < end:
        number += 1
        if len(lines) < LINES and (line := opened(where, attacker(number))) is not None:
            line.setblocking(False)
            lines.append(line)
        for at, line in enumerate(lines[:40]):
            try:
                line.send(hello[number % 500 : number % 500 + 1])
            except BlockingIOError:
                pass
            except OSError:
                cut(lines.pop(at))
                break
        lines = lines[1:] + lines[:1]
        time.sleep(0.005)
    for line in lines:
        cut(line)


@contextmanager
def attack(
    *ways: Callable[[tuple[str, int], threading.Event], None], where: tuple[str, int]
) -> Iterator[None]:
    done = threading.Event()
    threads = [threading.Thread(target=way, args=(where, done)) for way in ways]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        done.set()
        for thread in threads:
            thread.join()


def test_a_running_game_goes_on_under_a_flood(start: Start) -> None:
    ann = host(start)
    address = ann.address()
    bob = guest(start, address)
    bob.wait_for(" lays ")
    before = resident(ann)
    with attack(flood, slow_loris, where=endpoint(address)):
        began = time.monotonic()
        assert bob.finish(120) == 0
        took = time.monotonic() - began
    assert ann.finish(30) == 0
    assert took < 100
    assert before < 400 << 20
    assert ann.complaint == bob.complaint == ""
    assert "turned away" not in ann.output


def test_a_friend_gets_in_through_a_flood_and_memory_stays_flat(start: Start) -> None:
    ann = host(start)
    address = ann.address()
    before = resident(ann)
    with attack(flood, slow_loris, where=endpoint(address)):
        time.sleep(5)  # all places are taken by now
        bob = guest(start, address)
        bob.wait_for("^You play with Ann", 60)
        bob.wait_for(" lays ", 60)
        assert resident(ann) - before < GROWTH
    assert ann.process.poll() is None or ann.finish() == 0
