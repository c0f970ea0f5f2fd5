"""Whole games between two processes, and what ends them early."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest

from bcnet.errors import Exit
from bcnet.verify import Verdict, verify_file
from tests.net.processes import Start, guest, host, transcripts

pytestmark = pytest.mark.end_to_end


def test_a_whole_game_leaves_two_equal_clean_transcripts(start: Start, tmp_path: Path) -> None:
    ann = host(start, "--fill", "blind")
    bob = guest(start, ann.address())
    assert (bob.finish(), ann.finish()) == (0, 0)
    assert ann.complaint == bob.complaint == ""
    (hers,), (his,) = transcripts(tmp_path, "host"), transcripts(tmp_path, "guest")
    assert hers.read_bytes() == his.read_bytes()
    report = verify_file(hers)
    assert report.verdict is Verdict.CLEAN
    assert dict(report.options) == {"fill": "blind", "private-hands": "on"}
    for here in (ann, bob):
        here.wait_for(r"^Agreed: balloon-cup, fill blind, private-hands on\.$")
    # Both say who the other is, by name and key, and the four words; both tell the same game.
    for here, other in ((ann, report.players[1]), (bob, report.players[0])):
        here.wait_for(rf"^You play with {other.name}, key {other.fingerprint}\. A first meeting\.$")
    found = [here.wait_for(r"^Words of this table: (\w+ \w+ \w+ \w+)\.")[1] for here in (ann, bob)]
    assert found[0] == found[1]
    told = [
        [line for line in side.lines if " lays " in line or "takes the" in line or " won " in line]
        for side in (ann, bob)
    ]
    assert told[0] == told[1]
    assert not list((tmp_path / "host" / "tables").iterdir())
    assert not list((tmp_path / "guest" / "tables").iterdir())


def test_one_home_for_both_seats_is_said(start: Start, tmp_path: Path) -> None:
    ann = start("host", "--listen", "127.0.0.1:0", "--bot", "greedy", "--seed-bot", "1")
    bob = start("join", ann.address(), "--bot", "greedy", "--seed-bot", "1")
    for side in (ann, bob):
        side.wait_for("same key: you are playing against yourself")
        side.wait_for(" lays ")
    assert len(list((tmp_path / "home" / "tables").iterdir())) == 2


@pytest.mark.parametrize("killed", ["host", "guest"])
def test_a_killed_side_leaves_the_other_an_unfinished_game(killed: str, start: Start, tmp_path: Path) -> None:
    ann = host(start, "--patience", "1")
    bob = guest(start, ann.address(), "--patience", "1")
    victim, left = (ann, bob) if killed == "host" else (bob, ann)
    left.wait_for(" lays ")
    victim.signal(signal.SIGKILL)
    assert left.finish(10) == Exit.INCOMPLETE
    left.wait_for("^The line is down: ")
    left.wait_for("unfinished: the other side has not come back")
    path = Path(left.wait_for("What was played so far: (.*)")[1])
    assert verify_file(path).verdict is Verdict.INCOMPLETE
    assert left.complaint == ""
    check = start("verify", str(path))
    assert check.finish() == Exit.INCOMPLETE
    assert check.lines[0] == f"incomplete: {path}"
    listed = start("games", home="host" if left is ann else "guest")
    assert listed.finish() == 0
    listed.wait_for(f"with {'Bob' if left is ann else 'Ann'}, begun .*, round ")


@pytest.mark.parametrize(("left", "number"), [("host", signal.SIGTERM), ("guest", signal.SIGINT)])
def test_leaving_is_told_and_quick(left: str, number: signal.Signals, start: Start) -> None:
    ann = host(start)
    bob = guest(start, ann.address())
    leaver, other = (ann, bob) if left == "host" else (bob, ann)
    other.wait_for(" lays ")
    began = time.monotonic()
    leaver.signal(number)
    assert leaver.finish(10) == Exit.INCOMPLETE
    assert time.monotonic() - began < 5
    assert other.finish(10) == Exit.INCOMPLETE
    other.wait_for("unfinished: the other player has paused the game")
    assert ann.complaint == bob.complaint == ""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_host_that_waits_can_be_ended(number: signal.Signals, start: Start, tmp_path: Path) -> None:
    ann = host(start)
    ann.address()
    ann.signal(number)
    assert ann.finish(10) == 128 + number
    assert ann.complaint == ""
    assert not list((tmp_path / "host" / "offers").iterdir())
