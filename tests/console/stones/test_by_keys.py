"""Stones in a terminal: whole games through keys, the mouse and the line, against a bot."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.console.hands import BACK, CONFIRM, RIGHT, THE_END, UP
from tests.console.terminal import Terminal, alone, terminal
from tests.console.test_by_keys import click

pytestmark = [pytest.mark.end_to_end, pytest.mark.timeout(300)]


def table(home: Path, *more: str) -> list[str]:
    return alone(
        "--game", "stones", "--home", str(home), "--seat", "1", "--bot", "greedy", "--confirm", *more
    )


def is_asked(screen: Terminal) -> bool:
    """Whether the table waits for a decision, and nothing is typed or picked yet."""
    status, prompt = screen.lines[-2:]
    calls = (" Your turn", " Your stone", " Taken back", " Nothing of yours", " May ")
    return prompt.rstrip() in {">", "answer>"} and status.startswith(calls)


def play_on(screen: Terminal, answer: str = "agree") -> int:
    """Lay by arrows and Enter alone, and type what is to be said to the other's stones, to the end of the game."""
    count = 0
    while True:
        screen.wait_until(lambda: is_asked(screen) or THE_END in screen.words, "a question or the end")
        if THE_END in screen.words:
            return count
        before = screen.text
        count += 1
        if screen.lines[-1].startswith("answer>"):
            screen.enter(answer)
        else:
            screen.send(RIGHT)
            screen.wait_for("fits at")
            screen.send(UP)
            screen.wait_for("You would have")
            screen.send("\r")
            screen.wait_for(r"Enter lays it, Esc goes back\.")
            screen.send("\r")
        screen.wait_until(
            lambda was=before: (
                screen.text != was  # type: ignore[misc]
                and screen.lines[-1].rstrip() in {">", "answer>"}
                and "You would have" not in screen.text
            ),
            "the decision to be taken",
        )


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (60, 20)])
def test_a_whole_game_through_keys_alone(tmp_path: Path, columns: int, rows: int) -> None:
    with terminal(table(tmp_path / "home"), columns=columns, rows=rows) as screen:
        assert play_on(screen) >= 8
        assert re.search(
            r"(You win!|Bob won\.|You share) ?(All stones are laid|Nobody can lay)?", screen.words
        )
        screen.wait_for("Fair: every step was checked")
        screen.enter("score")
        screen.wait_for(r"You: \d+ points, \d+ left\. Bob: \d+ points")
        screen.send(BACK)
        screen.wait_for(THE_END)
        screen.send("\r")
        screen.finish()


def test_a_whole_game_with_penalties(tmp_path: Path) -> None:
    with terminal(table(tmp_path / "home", "--option", "penalties=on")) as screen:
        screen.wait_until(lambda: is_asked(screen), "a question")
        assert "with penalties" in screen.text
        assert play_on(screen) >= 16
        screen.wait_for("Fair: every step was checked")


def test_a_stone_is_laid_with_the_mouse_and_with_a_line(tmp_path: Path) -> None:
    with terminal(table(tmp_path / "home", "--mouse")) as screen:
        screen.wait_until(lambda: is_asked(screen), "a question")
        row = next(at for at, text in enumerate(screen.lines) if "RRR BBB" in text)
        click(screen, screen.lines[row].index("WWW") + 1, row)
        screen.wait_for("White fits at")
        row, column = next(
            (at, found.start()) for at, text in enumerate(screen.lines) if (found := re.search(r"\+\d", text))
        )
        click(screen, column, row)
        screen.wait_for(rf"Lay white at -?\d+ -?\d+\? Enter lays it, Esc goes back\. {re.escape(CONFIRM)}$")
        screen.send("\r")
        screen.wait_for("You lay white at")
        screen.wait_until(lambda: is_asked(screen), "the next question")
        screen.enter("1")
        screen.wait_for(re.escape(CONFIRM))
        screen.send("\r")
        screen.wait_for(r"You lay .* You lay ")
