"""Whole games over a network that delays, cuts and falls silent, and with programs that are killed: none is lost."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.net.faults import Weather, bad_network
from tests.net.processes import Bcnet, Start, guest, host, resume
from tests.net.test_recovery import both_clean, kill

pytestmark = pytest.mark.end_to_end

KILLS = 6


@pytest.mark.parametrize("seed", [1, 2])
def test_a_game_over_a_bad_network(seed: int, start: Start, tmp_path: Path) -> None:
    ann = host(start)
    port = int(ann.address().rpartition(":")[2])
    with bad_network(port, Weather(seed, calm=(0.3, 1.5), most=6)) as network:
        bob = guest(start, f"127.0.0.1:{network.port}")
        assert (bob.finish(150), ann.finish(60)) == (0, 0)
        assert network.happened.total()
    assert ann.complaint == bob.complaint == ""
    both_clean(tmp_path)


def test_a_game_whose_programs_are_killed_again_and_again(start: Start, tmp_path: Path) -> None:
    rng = random.Random(5)
    ann = host(start)
    bob = guest(start, ann.address())
    bob.wait_for(" lays ")
    for _ in range(KILLS):
        rng.choice([ann, bob]).process.poll()
        victims: list[Bcnet] = rng.choice([[ann], [bob], [ann, bob]])
        for victim in victims:
            kill(victim)
        if ann in victims:
            ann = resume(start, "host")
        if bob in victims:
            bob = resume(start, "guest")
        if rng.random() < 0.7:
            (ann if ann in victims else bob).wait_for("^(The line is up again|Verdict)")
        if {ann.process.poll(), bob.process.poll()} != {None}:
            break
    assert bob.finish() in {0, 64}
    assert ann.finish() in {0, 64}
    both_clean(tmp_path)
