"""``bcnet demo``: two processes, two transcripts, and nothing left behind."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bcnet.errors import Exit
from bcnet.verify import Verdict, verify_file
from tests.net.processes import Start, await_end, children_of, starting

pytestmark = [pytest.mark.end_to_end, pytest.mark.timeout(180)]


def test_the_demo_plays_verifies_and_says_where_the_files_lie(tmp_path: Path) -> None:
    with starting(tmp_path) as start:
        demo = start("demo", "--out", "o")
        assert demo.finish(150) == 0
        assert demo.complaint == ""
        demo.wait_for("equal to the byte: clean")
        demo.wait_for(r"^Transcripts: o/host and o/guest$")
        assert sum(" lays " in line for line in demo.lines) > 10
        assert not any("Transcript: " in line for line in demo.lines), (
            "it does not stay where the host has put it"
        )
    (hers,) = (tmp_path / "o" / "host").iterdir()
    (his,) = (tmp_path / "o" / "guest").iterdir()
    assert hers.read_bytes() == his.read_bytes()
    report = verify_file(hers)
    assert report.verdict is Verdict.CLEAN
    assert [who.name for who in report.players] == ["Ann", "Bob"]
    assert not (tmp_path / "home").exists()  # the player's own home has nothing to do with it


def test_several_games_and_a_folder_of_its_own(tmp_path: Path) -> None:
    with starting(tmp_path) as start:
        demo = start("demo", "--games", "2")
        assert demo.finish(150) == 0
        folder = tmp_path / demo.wait_for(r"^Transcripts: (bcnet-demo-\S+)/host ")[1]
        assert [line for line in demo.lines if re.match(r"Game [12] of 2: Verdict .*: clean\.", line)][1:]
        files = [sorted((folder / side).iterdir()) for side in ("host", "guest")]
        assert [len(each) for each in files] == [2, 2]
        check = start("verify", "-q", *(str(path) for each in files for path in each))
        assert check.finish() == 0
        assert [line.count(".bct") for line in check.lines] == [2, 2]  # two tables, two files each


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes as Linux shows them")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_the_two_processes_end_with_the_demo(number: signal.Signals, tmp_path: Path, start: Start) -> None:
    demo = start("demo", "--games", "50")
    deadline = time.monotonic() + 40
    while len(children := children_of(demo.process.pid)) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    demo.signal(number)
    demo.finish(10)
    await_end(children)
    assert "Traceback" not in demo.complaint


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes as Linux shows them")
@pytest.mark.parametrize(("word", "name"), [("host", "Ann"), ("join", "Bob")])
def test_whose_process_was_killed_is_named(word: str, name: str, tmp_path: Path, start: Start) -> None:
    demo = start("demo", "--games", "50", "--out", "o")
    deadline = time.monotonic() + 40
    while not (found := [each for each in children_of(demo.process.pid) if word in words_of(each)]):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    os.kill(found[0], signal.SIGKILL)
    assert demo.finish(60) == Exit.DEFECT
    assert f"bcnet: The process of {name} has ended (killed by signal 9)." in demo.errors
    assert "Traceback" not in demo.complaint


def words_of(pid: int) -> list[str]:
    """The command line of a process, as Linux shows it."""
    return Path(f"/proc/{pid}/cmdline").read_text().split("\0")


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ran = subprocess.run(
        [sys.executable, "-m", "bcnet", "demo", "--out", "file/x"],
        cwd=tmp_path,
        env=os.environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 64
    assert len(ran.stderr.splitlines()) == 2
