"""Whole games over a network that delays, cuts and falls silent, and with programs that are killed: none is lost."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bcnet import transcript
from bcnet.entry import read_body, read_entry
from bcnet.verify import Verdict, verify_file
from tests.net.faults import CUT, HALF_OPEN, LATE, MID_FRAME, STALL, Weather, bad_network
from tests.net.processes import Bcnet, Start, guest, host, resume, transcripts
from tests.net.test_recovery import both_clean, kill

pytestmark = pytest.mark.end_to_end

KILLS = 6


def plays_in(path: Path) -> int:
    """How many cards were laid, as the transcript has it."""
    bodies = [read_body(read_entry(data).body) for data in transcript.read(path)]
    return sum(body.act.action.startswith("play ") for body in bodies)


def both_end(first: Bcnet, second: Bcnet, patience: float) -> None:
    """Both end as after a whole game; who ends otherwise says so before the other is waited for."""
    for side, its_patience in ((first, patience), (second, 60)):
        assert side.finish(its_patience) == 0, (
            "\n".join(  # a string: pytest shortens everything else
                [
                    *first.lines[-30:],
                    "--- and the other",
                    *second.lines[-30:],
                    "--- errors",
                    *first.errors,
                    *second.errors,
                ]
            )
        )


@pytest.mark.timeout(240)
@pytest.mark.parametrize("fault", [CUT, MID_FRAME, STALL, LATE, HALF_OPEN])
def test_a_game_over_a_bad_network(fault: str, start: Start, tmp_path: Path) -> None:
    """Cases N3 and N5: whenever the connection dies, nothing is lost and nothing is played twice."""
    ann = host(start)
    port = int(ann.address().rpartition(":")[2])
    with bad_network(port, Weather(1, calm=(0.3, 1.5), faults=(fault,), most=0)) as network:
        bob = guest(start, f"127.0.0.1:{network.port}")
        bob.wait_for("^You play with")  # before, there is nothing to lose
        network.weather.most = 5
        both_end(bob, ann, 150)
        assert network.happened[fault]
    assert ann.complaint == bob.complaint == ""
    both_clean(tmp_path)
    (path,) = transcripts(tmp_path, "host")
    for side in (ann, bob):
        assert sum(" lays " in line for line in side.lines) == plays_in(path)


@pytest.mark.timeout(300)
def test_an_evening_over_a_bad_network(start: Start, tmp_path: Path) -> None:
    """No cut between two games ends it (tests/net/test_another.py cuts at each frame)."""
    ann = host(start, "--games", "3")
    port = int(ann.address().rpartition(":")[2])
    with bad_network(port, Weather(3, calm=(0.2, 1.5), faults=(CUT, MID_FRAME, LATE), most=0)) as network:
        bob = guest(start, f"127.0.0.1:{network.port}", "--games", "3")
        bob.wait_for("^You play with")
        network.weather.most = 20
        both_end(bob, ann, 250)
    assert ann.complaint == bob.complaint == ""
    hers, his = transcripts(tmp_path, "host"), transcripts(tmp_path, "guest")
    assert len(hers) == len(his) == 3
    assert {path.read_bytes() for path in hers} == {path.read_bytes() for path in his}
    assert all(verify_file(path).verdict is Verdict.CLEAN for path in hers)
    assert not [*tmp_path.glob("*/tables/*"), *tmp_path.glob("*/offers/*")]


def test_a_game_whose_programs_are_killed_again_and_again(start: Start, tmp_path: Path) -> None:
    """Case N11; scripts/soak kills more often."""
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
