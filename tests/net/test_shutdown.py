"""Whoever is told to end has paused and is gone within five seconds, whatever the other side does."""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
from pathlib import Path

import pytest

from bcnet.errors import Exit
from tests.net.processes import Bcnet, Start, guest, host, resume
from tests.net.test_recovery import both_clean

pytestmark = [pytest.mark.end_to_end, pytest.mark.timeout(120)]

SIGNALS = [signal.SIGTERM, signal.SIGHUP]

FLOODS = """
import asyncio, sys
from bcnet.entry import place_of
from bcnet.wire.v1 import table_pb2 as pb
from bcnet_client import bot
async def flood(session, asked, *_):
    (wire,) = session._wires
    mine = [entry.data for entry in session.player.table.log.entries() if place_of(entry.data)[1] == asked.seat]
    print("flooding", flush=True)
    while True:
        if wire._frames.qsize() < 10000:
            for data in mine:
                wire._frames.put_nowait(pb.Frame(entry=data))
        await asyncio.sleep(0)
bot._decide = flood
from bcnet.cli import main
main(sys.argv[1:])
"""
"""Says again what it has said before, which is no noise, as fast as it can, and never goes on."""


def children(side: Bcnet) -> list[int]:
    """The processes that it has started."""
    if sys.platform != "linux":
        return []
    tasks = Path(f"/proc/{side.process.pid}/task").iterdir()
    return [int(pid) for task in tasks for pid in (task / "children").read_text().split()]


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def ends(side: Bcnet, number: signal.Signals) -> None:
    """It pauses: in time, without a complaint, and nothing of it is left."""
    started = children(side)
    began = time.monotonic()
    side.signal(number)
    assert side.finish(10) == Exit.INCOMPLETE
    assert time.monotonic() - began < 5
    assert side.complaint == ""
    side.wait_for("^You have left; the game is unfinished.")
    side.wait_for("^To go on: bcnet resume [0-9a-f]{16}")
    assert not [pid for pid in started if is_alive(pid)]


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("does", ["hangs", "is killed", "floods"])
def test_a_host_ends_whatever_its_guest_does(does: str, number: signal.Signals, start: Start) -> None:
    ann = host(start)
    address = ann.address()
    bob = guest(start, address, code=FLOODS if does == "floods" else "")
    if does == "floods":
        bob.wait_for("^flooding")
        time.sleep(1)
    else:
        ann.wait_for(" lays ")
        bob.signal(signal.SIGSTOP if does == "hangs" else signal.SIGKILL)
        time.sleep(0.2)
    ends(ann, number)
    with socket.socket() as probe, pytest.raises(ConnectionRefusedError):
        probe.connect(("127.0.0.1", int(address.rpartition(":")[2])))


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("does", ["hangs", "is killed", "floods"])
def test_a_guest_ends_whatever_its_host_does(does: str, number: signal.Signals, start: Start) -> None:
    ann = host(start, code=FLOODS if does == "floods" else "")
    bob = guest(start, ann.address())
    if does == "floods":
        ann.wait_for("^flooding")
        time.sleep(1)
    else:
        bob.wait_for(" lays ")
        ann.signal(signal.SIGSTOP if does == "hangs" else signal.SIGKILL)
        time.sleep(0.2)
    ends(bob, number)


def test_who_was_hung_while_the_other_ended_goes_on_with_it(start: Start, tmp_path: Path) -> None:
    ann = host(start)
    bob = guest(start, ann.address())
    ann.wait_for(" lays ")
    bob.signal(signal.SIGSTOP)
    ends(ann, signal.SIGTERM)
    again = resume(start, "host")
    again.address_again()
    bob.signal(signal.SIGCONT)
    if bob.finish() == Exit.INCOMPLETE:  # it has read the goodbye: a pause
        bob = resume(start, "guest")
        bob.finish()
    assert again.finish() == 0
    both_clean(tmp_path)
