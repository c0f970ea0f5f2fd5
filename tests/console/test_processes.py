"""Two people at two terminals, each with a bcnet of their own."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.console.hands import await_question, is_asked, play_on
from tests.console.terminal import ROOT, Terminal, in_shell, terminal

pytestmark = [pytest.mark.end_to_end, pytest.mark.timeout(300)]

BCNET = [sys.executable, "-m", "bcnet"]


def command(folder: Path, name: str, *words: str) -> list[str]:
    """bcnet in a shell that notes how the terminal is set before and after it."""
    bcnet = [*BCNET, *words, "--name", name, "--home", str(folder / name)]
    return in_shell(bcnet, folder / f"{name}-before", folder / f"{name}-after")


def is_as_it_was(folder: Path, name: str) -> bool:
    """Whether the terminal is set as before."""
    return (folder / f"{name}-before").read_text() == (folder / f"{name}-after").read_text()


@contextmanager
def two_people(folder: Path, **how: Any) -> Iterator[tuple[Terminal, Terminal]]:
    """Ann hosts on any free port, and Bob joins with the line that he was told."""
    with terminal(command(folder, "Ann", "host", "--listen", "127.0.0.1:0"), **how) as ann:
        line = ann.wait_for(r"join (127\.0\.0\.1:\d+) (\S{29}) ")
        with terminal(command(folder, "Bob", "join", line[1], line[2]), **how) as bob:
            yield ann, bob


def test_two_people_play_a_whole_game_by_typing(tmp_path: Path) -> None:
    """Case T2: the game ends."""
    with two_people(tmp_path, rows=60) as (ann, bob):
        for screen, name in ((ann, "Bob"), (bob, "Ann")):
            screen.wait_for(rf"Your key is .{{19}}\. The key of {name} is .{{19}}\.")
            screen.wait_for("The coin says")
        play_on(ann, bob)
        for screen, name in ((ann, "Ann"), (bob, "Bob")):
            screen.wait_for("Fair: every step was checked, and the audit of all seeds agrees.")
            screen.enter("")
            screen.wait_for(r"code 0 \$$")
            assert screen.cursor_is_visible
            assert not screen.is_alternate
            assert is_as_it_was(tmp_path, name)
            assert "127.0.0.1" in screen.words  # what was printed before still stands there
    files = [next((tmp_path / name / "transcripts").iterdir()) for name in ("Ann", "Bob")]
    assert files[0].read_bytes() == files[1].read_bytes()
    verified = subprocess.run([*BCNET, "verify", str(files[0])], cwd=ROOT, capture_output=True, check=False)
    assert verified.returncode == 0


def test_one_leaves_and_the_other_is_told(tmp_path: Path) -> None:
    """Case T2: the other side ends."""
    with two_people(tmp_path) as (ann, bob):
        for screen in (ann, bob):
            screen.wait_for("The coin says")
        bob.send("\x03\x03")
        bob.wait_for(r"You have left the table\. .*code 3 \$$")
        ann.wait_for(
            "The line is down: the other player has paused the game. .* Type quit to pause the game."
        )
        ann.enter("quit")
        ann.wait_for(r"The game is unfinished: the other player has paused the game\. .*code 3 \$$")
        assert is_as_it_was(tmp_path, "Ann")
        assert is_as_it_was(tmp_path, "Bob")


def test_one_is_killed_and_no_library_line_comes_to_the_others_screen(tmp_path: Path) -> None:
    """Case N4."""
    with two_people(tmp_path) as (ann, bob):
        ann.wait_for("The coin says")
        bob.wait_for("The coin says")
        ann.send("an unfinished line")
        bob.signal_program(signal.SIGKILL)
        ann.wait_for("The line is down: .*> an unfinished line$")
        ann.update(1)
        assert ann.lines[0].startswith(" Balloon Cup  Ann – Bob")
        assert "GOAWAY" not in ann.raw.decode()
        assert "grpc" not in ann.raw.decode().lower()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_from_outside(tmp_path: Path, number: int) -> None:
    with two_people(tmp_path) as (ann, bob):
        ann.wait_for("The coin says")
        bob.wait_for("The coin says")
        ann.signal_program(number)
        ann.wait_for(r"code \d+ \$$")
        assert ann.cursor_is_visible
        assert not ann.is_alternate
        assert "Traceback" not in ann.words
        assert is_as_it_was(tmp_path, "Ann")
        bob.wait_for("The line is down: the other player has paused the game.")


def test_a_person_against_a_bot_of_another_process(tmp_path: Path) -> None:
    with terminal(command(tmp_path, "Ann", "host", "--listen", "127.0.0.1:0")) as ann:
        address = ann.wait_for(r"join (127\.0\.0\.1:\d+ \S{29}) ")[1].split()
        bot = subprocess.Popen(
            [*BCNET, "join", *address, "--bot", "random", "--name", "Bot", "--home", str(tmp_path / "Bot")],
            cwd=ROOT, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            await_question(ann)
            assert is_asked(ann)
            ann.enter("resign")
            ann.wait_for("Really resign")
            ann.enter("yes")
            ann.wait_for("Bot won. You resigned.")
            assert bot.wait(30) == 0
            ann.enter("")
            ann.wait_for(r"code 0 \$$")
        finally:
            bot.kill()
            bot.wait()


def test_a_cheating_program_is_named_and_the_player_can_check_it(tmp_path: Path) -> None:
    with terminal(command(tmp_path, "Ann", "host", "--listen", "127.0.0.1:0")) as ann:
        address = ann.wait_for(r"join (127\.0\.0\.1:\d+ \S{29}) ")[1].split()
        cheater = ["doubled-position", "join", *address, "--bot", "random", "--name", "Mallory"]
        mallory = subprocess.Popen(
            [sys.executable, "-m", "tests.cheaters", *cheater, "--home", str(tmp_path / "Mallory")],
            cwd=ROOT, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            ann.wait_for(r"Mallory cheated in round 4: a false shuffle\. .*Press Enter to leave")
            ann.enter("")
            ann.wait_for(r"Anyone can check it: python3 -m bcnet verify .*code 1 \$$")
            assert "Look at it again" not in ann.words  # nobody had moved
            (path,) = (tmp_path / "Ann" / "transcripts").iterdir()
            assert f"bcnetverify{path}" in ann.words.replace(" ", "")
            assert is_as_it_was(tmp_path, "Ann")
            verified = subprocess.run(
                [*BCNET, "verify", "-q", str(path)], cwd=ROOT, capture_output=True, check=False
            )
            assert verified.returncode == 1
        finally:
            mallory.kill()
            mallory.wait()
