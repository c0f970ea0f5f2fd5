"""The console without a terminal: lines in, lines out."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.console.terminal import ROOT, alone, in_shell, terminal

pytestmark = [pytest.mark.end_to_end, pytest.mark.timeout(120)]

FIRST_MOVES = "1\n" * 400
"""The first move of every list, the first card of every exchange, the first claim: a whole game."""


def piped(folder: Path, given: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A console whose input is a pipe that ends."""
    return subprocess.run(
        alone("--home", str(folder), *arguments),
        input=given,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | {"LC_ALL": "C.UTF-8"},
        timeout=110,
        check=False,
    )


def test_a_whole_game_through_a_pipe(tmp_path: Path) -> None:
    result = piped(tmp_path, FIRST_MOVES, "--seat", "1")
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0].startswith("Your key is ")
    assert sum(each.startswith("Words of this table: ") for each in lines) == 1
    assert any(re.match("Your hand: ([RYGBE][0-9]+(, | and )?){8}", each) for each in lines)
    assert any(re.match("You lay .* next to tile [1-4]", each) for each in lines)
    assert any(re.match("Bob lays .* next to tile [1-4]", each) for each in lines)
    end = lines[lines.index("The game is over; everything is checked …") + 1 :]
    expected = [
        "You win!|Bob won|The game is drawn", "You: trophies .*; cubes .*", "Bob: trophies .*; cubes .*",
        "Fair: every step was checked", "Trophies: move [0-9]+ (you|Bob) ", "Tiles won: you [0-9]+, Bob [0-9]+.",
        "Tile [1-4]: move",
    ]  # fmt: skip
    for pattern, line in zip(expected, end, strict=False):
        assert re.match(pattern, line), end
    file = end[-3].removeprefix("Transcript: ")
    assert end[-2:] == [f"Look at it again: bcnet replay {file}", f"Anyone can check it: bcnet verify {file}"]
    assert Path(file).exists()
    assert result.stderr == ""
    assert "\x1b" not in result.stdout
    # Everything is told in its order: after each question comes what the player did.
    asked = [at for at, each in enumerate(lines) if each.startswith("Your turn: lay a card")]
    assert all(lines[at + 1].startswith("You lay") for at in asked)


def test_the_end_of_the_input_leaves(tmp_path: Path) -> None:
    result = piped(tmp_path, "", "--seat", "1")
    assert result.returncode == 3
    assert result.stdout.splitlines()[-1] == "You have left the table."


def test_lines_wait_until_there_is_something_to_decide(tmp_path: Path) -> None:
    result = piped(
        tmp_path, "hand\nmoves\nnonsense\nboard\n1\nresign\nno\nresign\nyes\n", "--seat", "0", "--late", "1"
    )
    lines = result.stdout.splitlines()
    assert result.returncode == 0, result.stdout
    assert lines[1] == "Waiting until all have sat down … quit or Ctrl-C leaves."
    expected = [
        "Your turn: lay a card", "The hands", "Legal moves", "I do not know what nonsense means.", "You: trophies none",
        "Tile 1, plains", "You lay", "Really resign?", "The game goes on.", "Really resign?", "You resign.",
        "Bob won. You resigned.", "Fair:", "Transcript:",
    ]  # fmt: skip
    rest = iter(lines)
    for start in expected:
        assert any(each.strip().startswith(start) for each in rest), f"no {start!r} in its order: {lines}"


def test_a_hint_is_waited_for_and_the_input_may_end_with_it(tmp_path: Path) -> None:
    result = piped(tmp_path, "hint\n1\nhint\n", "--seat", "1")
    lines = result.stdout.splitlines()
    hints = [at for at, each in enumerate(lines) if re.match(r"Hint: .* \(about \d+% to win\)\.$", each)]
    assert len(hints) == 2, lines
    assert all(lines[at - 1].startswith("Looking for a good move") for at in hints)
    assert lines[hints[0] + 1].startswith("You lay")
    assert lines[-1] == "You have left the table."


def test_the_other_leaves(tmp_path: Path) -> None:
    result = piped(tmp_path, FIRST_MOVES, "--seat", "1", "--leave-at", "3")
    assert result.returncode == 3
    assert "The line is down: the other player has left." in result.stdout
    assert result.stdout.splitlines()[-1] == "The game is unfinished: the other player has left."


def test_the_disk_is_full_for_a_while(tmp_path: Path) -> None:
    result = piped(tmp_path, FIRST_MOVES, "--seat", "1", "--trouble-at", "2", "--trouble-for", "0.05")
    assert result.returncode == 0
    assert "The disk is full. The game waits and tries again. Make room.\n" in result.stdout
    assert "The disk takes it again; the game goes on.\n" in result.stdout


def test_a_defect_is_not_swallowed(tmp_path: Path) -> None:
    result = piped(tmp_path, FIRST_MOVES, "--seat", "1", "--defect-at", "2")
    assert result.returncode == 1
    assert "RuntimeError: a defect" in result.stderr


def test_nobody_reads_what_is_printed(tmp_path: Path) -> None:
    process = subprocess.Popen(
        alone("--home", str(tmp_path), "--seat", "1"), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, cwd=ROOT, text=True,
    )  # fmt: skip
    assert process.stdout
    process.stdout.close()
    _, errors = process.communicate(FIRST_MOVES, timeout=100)
    assert process.returncode == 0, errors
    assert errors == ""


def test_input_from_a_file(tmp_path: Path) -> None:
    given = tmp_path / "moves"
    given.write_text(FIRST_MOVES)
    with given.open() as file:
        result = subprocess.run(
            alone("--home", str(tmp_path / "home"), "--seat", "1"),
            stdin=file, capture_output=True, text=True, cwd=ROOT, timeout=110, check=False,
        )  # fmt: skip
    assert result.returncode == 0, result.stderr


def test_plain_lines_in_a_terminal(tmp_path: Path) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    with terminal(in_shell(alone("--seat", "1", "--plain"), before, after)) as screen:
        screen.wait_for("Your turn: lay a card")
        screen.send("99\r")
        screen.wait_for("There is no move 99")
        screen.send("1\r")
        screen.wait_for("You lay .* next to tile")
        screen.send("\x04")
        screen.wait_for(r"You have left the table. code 3 \$$")
        assert not screen.is_alternate
        assert b"\x1b" not in screen.raw
    assert before.read_text() == after.read_text()


def test_a_dumb_terminal_gets_lines() -> None:
    with terminal(alone("--seat", "1"), env={"TERM": "dumb"}) as screen:
        screen.wait_for("Your turn: lay a card")
        screen.send("quit\r")
        screen.wait_for("Leave in mid-game")
        screen.send("yes\r")
        assert screen.finish() == 3
        assert b"\x1b" not in screen.raw


def test_importing_the_console_is_cheap() -> None:
    code = "import sys, bcnet_client.console; print('prompt_toolkit' in sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert result.stdout == "False\n"
