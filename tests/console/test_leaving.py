"""Case T2: however a table is left, the terminal is as it was, the cursor visible, the prompt on a line of its own.

Two real processes, each in a terminal of its own; with a screen and with plain lines.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.console.terminal import Terminal, alone, in_shell, terminal

pytestmark = [pytest.mark.end_to_end, pytest.mark.timeout(300)]

LOOKS = {"screen": (), "lines": ("--plain",)}


def bcnet(folder: Path, name: str, *words: str) -> list[str]:
    return [sys.executable, "-m", "bcnet", *words, "--name", name, "--home", str(folder / name)]


def noted(folder: Path, command: list[str]) -> list[str]:
    """The command in a shell that notes how the terminal is set before and after it."""
    return in_shell(command, folder / "before", folder / "after")


@contextmanager
def two_at_a_table(folder: Path, look: str) -> Iterator[tuple[Terminal, subprocess.Popen[str]]]:
    """Ann at a terminal, asked to decide or waiting; Bob's program, which reads a pipe."""
    words = bcnet(folder, "Ann", "host", "--listen", "127.0.0.1:0", *LOOKS[look])
    with terminal(noted(folder, words)) as ann:
        line = ann.wait_for(r"join (127\.0\.0\.1:\d+) (\S{29}) ")
        bob = subprocess.Popen(
            bcnet(folder, "Bob", "join", line[1], line[2]),
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        try:
            ann.wait_for("The coin says: .*(Your turn|Waiting for Bob|Bob is thinking)")
            ann.update(0.3)
            yield ann, bob
        finally:
            bob.kill()
            bob.communicate()


def check_left_well(screen: Terminal, folder: Path, code: int) -> None:
    """The shell's prompt is there, and everything as before."""
    screen.wait_for(rf"code {code} \$$")
    assert screen.cursor_is_visible
    assert not screen.is_alternate
    assert screen.lines[screen.cursor[1]] == "$"
    assert screen.lines[screen.cursor[1] - 1] == f"code {code}"
    assert not screen.colours(), "no colour is left behind, nor is anything else than words"
    assert (folder / "before").read_text() == (folder / "after").read_text()
    assert "Traceback" not in screen.words


@pytest.mark.parametrize("look", LOOKS)
def test_quit(tmp_path: Path, look: str) -> None:
    with two_at_a_table(tmp_path, look) as (ann, bob):
        ann.enter("quit")
        ann.wait_for("Leave in mid-game")
        ann.enter("pause")
        ann.wait_for("You have left the table.*To go on: ")
        check_left_well(ann, tmp_path, 3)
        assert bob.poll() is None


@pytest.mark.parametrize(("look", "keys"), [("screen", "\x03\x03"), ("lines", "\x03")])
def test_ctrl_c(tmp_path: Path, look: str, keys: str) -> None:
    with two_at_a_table(tmp_path, look) as (ann, _):
        ann.send(keys)
        check_left_well(ann, tmp_path, 3)


@pytest.mark.parametrize(("look", "keys"), [("screen", "\x04p\r"), ("lines", "\x04")])
def test_ctrl_d(tmp_path: Path, look: str, keys: str) -> None:
    with two_at_a_table(tmp_path, look) as (ann, _):
        ann.send(keys)
        ann.wait_for("You have left the table")
        check_left_well(ann, tmp_path, 3)


@pytest.mark.parametrize("look", LOOKS)
def test_the_other_side_leaves(tmp_path: Path, look: str) -> None:
    with two_at_a_table(tmp_path, look) as (ann, bob):
        bob.send_signal(signal.SIGTERM)
        ann.wait_for("The line is down: the other player has paused the game.")
        ann.enter("quit")
        if look == "lines":
            ann.wait_for("Leave in mid-game|The game is unfinished")
            if "Leave in mid-game" in ann.words:
                ann.enter("pause")
        ann.wait_for("unfinished|You have left")
        check_left_well(ann, tmp_path, 3)


@pytest.mark.parametrize("look", LOOKS)
def test_the_other_side_resigns(tmp_path: Path, look: str) -> None:
    command = alone("--seat", "1", "--resign-at", "1", *LOOKS[look])
    with terminal(noted(tmp_path, command)) as screen:
        if "Your turn" in screen.wait_for("Your turn|You win!")[0]:
            screen.enter("1")
        screen.wait_for("You win! The other side resigned.")
        if look == "screen":  # without one, nothing is left to be read or asked for
            screen.enter("")
        check_left_well(screen, tmp_path, 0)


@pytest.mark.parametrize("look", LOOKS)
def test_an_error(tmp_path: Path, look: str) -> None:
    """A defect of the program, in its own words: the only case with a traceback, which the test's program prints."""
    command = alone("--seat", "1", "--defect-at", "1", *LOOKS[look])
    with terminal(noted(tmp_path, command)) as screen:
        screen.wait_for(r"RuntimeError: a defect code 1 \$$")
        assert screen.cursor_is_visible
        assert not screen.is_alternate
        assert screen.lines[screen.cursor[1]] == "$"
    assert (tmp_path / "before").read_text() == (tmp_path / "after").read_text()
