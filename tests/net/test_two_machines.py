"""A game between two machines whose cable is pulled: packets vanish, and nobody is told. Needs Linux and root."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.meeting.networks import Cable, machines
from tests.net.processes import THINKS, Start, guest, host
from tests.net.test_recovery import both_clean

pytestmark = [pytest.mark.end_to_end, pytest.mark.timeout(240)]

SHORT = 2.0
"""Seconds that TCP gets over by itself."""
NOTICED = 30.0
"""Seconds in which both sides have noticed that the line is dead."""


def test_a_cable_that_is_pulled_and_a_guest_that_moves(start: Start, tmp_path: Path) -> None:
    """Cases N3 and N10: both are told of a dead line within 30 s, and the game goes on by itself."""
    with machines() as (anna, ben):
        cable = Cable(anna, ben, "lan0", "192.168.77")
        anna.interface("docker0", "172.17.0.1/16")
        ann = host(start, listen=":0", within=anna.within, code=THINKS)
        address = ann.address()
        assert address.startswith("192.168.77.1:")  # the likely one first; the others too
        ann.wait_for(r"join 172\.17\.0\.1:\d+ ")
        bob = guest(start, address, within=ben.within, code=THINKS)
        bob.wait_for(" lays ")
        with cable.pulled():
            time.sleep(SHORT)
        assert "The line is down" not in ann.output + bob.output
        with cable.pulled():
            ben.ip("addr", "del", "192.168.77.2/24", "dev", "lan0")
            ben.ip("addr", "add", "192.168.77.9/24", "dev", "lan0")
            for side in (ann, bob):
                side.wait_for("^The line is down", NOTICED)
        for side in (ann, bob):
            side.wait_for("^The line is up again", 30)
        assert (bob.finish(120), ann.finish(30)) == (0, 0)
    assert ann.complaint == bob.complaint == ""
    for side in (ann, bob):
        assert side.lines.count("The line is up again.") == 1
    both_clean(tmp_path)
