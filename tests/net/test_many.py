"""Stones and Edel, Stein & Reich with two to five real processes: whole games, kills, onlookers, and what is left."""

from __future__ import annotations

import json
import shutil
import signal
from collections.abc import Sequence
from pathlib import Path

import pytest

from bcnet.errors import Exit
from bcnet.games.interface import Action, Chosen
from bcnet.verify import Verdict, examine_file, verify_file
from tests.net.processes import THINKS as SLOW
from tests.net.processes import Bcnet, Start, guest, host, resume, transcripts

pytestmark = [pytest.mark.end_to_end, pytest.mark.timeout(300)]

NAMES = ("Ann", "Bob", "Carol", "Dan", "Eve")
THINKS = SLOW.replace("0.5", "0.1")
"""Five of them decide a good hundred times."""


def open_table(start: Start, *arguments: str, **more: str) -> tuple[Bcnet, str]:
    """A host with a bot, and where it listens."""
    ann = host(start, *arguments, **more)
    found = ann.wait_for(r"^  \S+ join '?([^' ]+)'? \S+$")[1]
    ann.wait_for("^Waiting for ")
    return ann, found


def table_of(
    start: Start, seats: int, *arguments: str, extra: Sequence[str] = (), **more: str
) -> list[Bcnet]:
    """So many bots at a table, by seat, each with the home of its name (the host's is "host")."""
    ann, there = open_table(start, "--seats", str(seats), *arguments, *extra, **more)
    sides = [ann]
    for name in NAMES[1:seats]:
        sides.append(guest(start, there, "--name", name, *extra, home=name, **more))
        # They sit in the order of their coming.
        if seats > 2:
            ann.wait_for(f"^At the table: .*{name}")
    return sides


def homes(seats: int) -> list[str]:
    return ["host", *NAMES[1:seats]]


def all_clean(folder: Path, seats: int) -> list[Path]:
    """All homes have the one game, whole and the same, and nothing unfinished; gives the files."""
    files = []
    for home in homes(seats):
        (found,) = transcripts(folder, home)
        files.append(found)
        assert not list((folder / home / "tables").iterdir())
        assert not list((folder / home / "offers").iterdir())
    assert len({path.read_bytes() for path in files}) == 1
    report = verify_file(files[0])
    assert report.verdict is Verdict.CLEAN
    assert [who.name for who in report.players] == list(NAMES[:seats])
    return files


def finished(sides: Sequence[Bcnet]) -> None:
    assert [side.finish() for side in sides] == [0] * len(sides)
    assert [side.complaint for side in sides] == [""] * len(sides)


def test_four_play_stones_and_one_watches(start: Start, tmp_path: Path) -> None:
    """And everything that there is for a finished game."""
    ann, there = open_table(start, "--game", "stones", "--seats", "4", "--spectators", "1")
    zoe = start("watch", there, "--trust-first", home="zoe")
    sides = [ann]
    for name in NAMES[1:4]:
        sides.append(guest(start, there, "--name", name, home=name))
        ann.wait_for(f"^At the table: .*{name}")
    finished(sides)
    assert zoe.finish() == 0
    assert "Verdict: clean" in zoe.output
    for side in sides:
        side.wait_for("^Agreed: stones, 4 players, penalties off")
    files = all_clean(tmp_path, 4)
    judged = start("verify", *map(str, files))
    assert judged.finish() == 0
    assert judged.output.count("seat 3") == 1
    exported = start("export", str(files[0]))
    assert exported.finish() == 0
    record = json.loads(exported.output)
    replayed = start("replay", str(files[0]))
    assert replayed.finish() == 0
    stats = start("stats", "--json", home="Carol")
    assert stats.finish() == 0
    sums = json.loads(stats.output)
    assert sums["games"] == 1
    assert sorted(each["name"] for each in sums["opponents"]) == ["Ann", "Bob", "Dan"]
    listed = start("games", home="Dan")
    assert listed.finish() == 0
    listed.wait_for("with Ann, Bob,? and Carol  .*  clean$")
    assert record


def test_one_person_at_two_of_four_seats_is_told_to_all_and_counts_for_nobody(
    start: Start, tmp_path: Path
) -> None:
    ann, there = open_table(start, "--game", "stones", "--seats", "4", "--spectators", "1")
    zoe = start("watch", there, "--trust-first", home="zoe")
    sides = [ann]
    for name, home in (("Bob", "Bob"), ("Carol", "Carol"), ("Bobby", "Bob")):
        sides.append(guest(start, there, "--name", name, home=home))
        ann.wait_for(f"^At the table: .*{name}")
    for side in (*sides, zoe):
        side.wait_for("^Bob and Bobby have the same key: one person plays for them")
        assert "playing against yourself" not in side.output
    finished(sides)
    for home in ("host", "Bob", "Carol"):
        stats = start("stats", home=home)
        assert stats.finish() == 0
        assert stats.output == "Not counted, for one player had several seats: 1 game."


def test_two_play_stones_twice(start: Start, tmp_path: Path) -> None:
    sides = table_of(start, 2, "--game", "stones", extra=("--games", "2"))
    finished(sides)
    hers, his = transcripts(tmp_path, "host"), transcripts(tmp_path, "Bob")
    assert {path.read_bytes() for path in hers} == {path.read_bytes() for path in his}
    assert [verify_file(path).verdict for path in hers] == [Verdict.CLEAN] * 2


def test_five_play_edel_and_some_are_killed(start: Start, tmp_path: Path) -> None:
    """First a guest, then the host and another guest at once; all go on where they were."""
    sides = table_of(start, 5, "--game", "edel", code=THINKS)
    sides[0].wait_for("^Words of this table")
    sides[3].signal(signal.SIGKILL)
    sides[3].finish()
    sides[0].wait_for("^The line (to .* )?is down")
    sides[1].wait_for("^The line (to .* )?is down")
    sides[3] = resume(start, "Dan")
    sides[0].wait_for("^The line is up again")
    sides[1].wait_for("^The line is up again")
    for seat in (0, 2):
        sides[seat].signal(signal.SIGKILL)
        sides[seat].finish()
    sides[0] = resume(start, "host")
    sides[0].wait_for("is open again")
    sides[2] = resume(start, "Carol")
    finished(sides)
    all_clean(tmp_path, 5)


def test_host_and_guest_are_put_back_from_older_copies(start: Start, tmp_path: Path) -> None:
    """It was Bob's turn then, and would be again; what he has signed since comes from Carol, the last to be back."""
    ann, there = open_table(start, "--seats", "3", "--game", "edel")
    bob = guest(start, there, "--name", "Bob", home="Bob", code=SLOW)
    ann.wait_for("^At the table: .*Bob")
    carol = guest(start, there, "--name", "Carol", home="Carol")
    bob.wait_for("round 1")
    old = {"host": ann, "Bob": bob}
    for home, side in old.items():
        side.signal(signal.SIGSTOP)
        shutil.copytree(tmp_path / home, tmp_path / "copies" / home)
    for side in old.values():
        side.signal(signal.SIGCONT)
    bob.wait_for("round 3")
    carol.signal(signal.SIGSTOP)
    for home, side in old.items():
        side.signal(signal.SIGKILL)
        side.finish()
        shutil.rmtree(tmp_path / home)
        shutil.copytree(tmp_path / "copies" / home, tmp_path / home)
    ann, bob = resume(start, "host"), resume(start, "Bob")
    ann.wait_for("^The line is up again")
    bob.wait_for("^The line to Carol is down")
    carol.signal(signal.SIGCONT)
    finished([ann, bob, carol])
    all_clean(tmp_path, 3)


def test_a_seat_that_stays_away_is_named(start: Start, tmp_path: Path) -> None:
    """Three play, one is gone for good: the others see who, and close with a transcript that says what is lacking."""
    sides = table_of(start, 3, "--game", "edel", extra=("--patience", "2"), code=THINKS)
    sides[1].wait_for("^Words of this table")
    sides[2].signal(signal.SIGKILL)
    sides[2].finish()
    for side, home in zip(sides[:2], homes(2), strict=True):
        assert side.finish() == Exit.INCOMPLETE
        side.wait_for("^The line to .* is down: .*")
        (table,) = (tmp_path / home / "tables").iterdir()
        closed = start("close", table.name[:16], "--yes", home=home)
        assert closed.finish() == 0
        (path,) = transcripts(tmp_path, home)
        report = verify_file(path)
        assert report.verdict is Verdict.INCOMPLETE
        assert {lack.seat for lack in report.lacks} == {2}, report.message


def test_three_play_edel_twice_and_one_has_enough(start: Start, tmp_path: Path) -> None:
    ann, there = open_table(start, "--game", "edel", "--seats", "3", "--games", "3")
    bob = guest(start, there, "--name", "Bob", "--games", "3", home="Bob")
    ann.wait_for("^At the table: .*Bob")
    carol = guest(start, there, "--name", "Carol", "--games", "2", home="Carol")
    assert [side.finish() for side in (ann, bob, carol)] == [0, 0, 0]
    for home in homes(3):
        files = transcripts(tmp_path, home)
        assert [verify_file(path).verdict for path in files] == [Verdict.CLEAN] * 2
    ann.wait_for("^The evening so far: Ann [012], Bob [012], Carol [012]")
    stats = start("stats", "--json", home="Bob")
    assert stats.finish() == 0
    sums = json.loads(stats.output)
    assert {each["name"]: each["games"] for each in sums["opponents"]} == {"Ann": 2, "Carol": 2}
    replays = [examine_file(path)[1] for path in transcripts(tmp_path, "Bob")]
    steps = [[taken.step for taken in each.course.steps] for each in replays if each]
    moves = [sum(isinstance(step, Action | Chosen) for step in each) for each in steps]
    assert [sums["moves"]["shortest"], sums["moves"]["longest"]] == [min(moves), max(moves)]
    assert ann.complaint == bob.complaint == carol.complaint == ""
