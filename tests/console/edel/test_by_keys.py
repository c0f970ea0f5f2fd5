"""Keys, the mouse and lines at a table of Edel, Stein & Reich, in a real terminal."""

from __future__ import annotations

import re
import sys

import pytest

from tests.console.hands import BACK, CONFIRM, DOWN, LEFT, RIGHT, TAB, UP
from tests.console.terminal import terminal
from tests.console.test_by_keys import click, find


def posed(scene: str, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "tests.console.edel.posed", scene, *arguments]


@pytest.mark.parametrize(
    ("scene", "keys", "question", "decided"),
    [
        ("choose", DOWN + DOWN + "\r", "Choose Event", "choose event"),
        ("choose", UP + "\r", "Choose Free Choice", "choose free"),
        ("choose", "gems\r", "Choose Gems", "choose gems"),
        ("choose", "1\r", "Choose Money", "choose money"),
        ("trade", LEFT + "\r", "Take 2 red, and leave Event to Bob", "accept"),
        ("trade", "accept\r", "Take 2 red, and leave Event to Bob", "accept"),
        ("trade", RIGHT + UP + UP + RIGHT + " \r", "Offer .+ for Event", "offer .+"),
        ("trade", TAB + DOWN + UP + TAB + TAB + "\r", "Offer .+ for Event", "offer .+"),
        ("trade", "3 red, 1 blue\r", "Offer 3 red and 1 blue for Event", "offer red=3 blue=1"),
        ("gems", RIGHT + RIGHT + "\r", "Take .+", "take .+"),
        ("swap", RIGHT + UP + RIGHT + UP + "\r", "Give Cid a .+ gem for a .+ one", "swap .+ 2 .+"),
    ],
    ids=lambda value: value.replace("\x1b", "^").replace("\r", "^M") if isinstance(value, str) else "",
)
def test_dialogs(scene: str, keys: str, question: str, decided: str) -> None:
    columns, rows = (60, 20) if len(keys) % 2 else (80, 24)
    with terminal(posed(scene), columns=columns, rows=rows) as screen:
        screen.wait_for("(action|offer|)> *$")
        screen.send(keys)
        screen.wait_for(f"{question}\\? Enter .*{re.escape(CONFIRM)}$")
        screen.send("\r")
        screen.wait_for(f"^Decided: {decided}$")
        assert screen.finish() == 0


def test_dialogs_through_the_mouse() -> None:
    with terminal(posed("choose", "--mouse")) as screen:
        screen.wait_for("action>$")
        click(screen, *find(screen, "Gems  "))
        screen.wait_for("Choose Gems. Enter")
        click(screen, *find(screen, "Choose Gems"))
        screen.wait_for("^Decided: choose gems$")
    with terminal(posed("trade", "--mouse", "--no-confirm")) as screen:
        screen.wait_for("offer>$")
        for marked in (r"\[R1/4\]", r"\[R2/4\]", r"\[R3/4\]"):
            click(screen, *find(screen, r"R\d/4"))
            screen.wait_for(marked)
        click(screen, *find(screen, "offer  accept"))
        screen.wait_for("^Decided: offer red=3.*$")
    with terminal(posed("trade", "--mouse", "--no-confirm")) as screen:
        screen.wait_for("offer>$")
        click(screen, *find(screen, "accept$"))
        screen.wait_for("^Decided: accept$")


def test_what_is_typed_is_marked_and_goes_on_by_keys() -> None:
    with terminal(posed("trade")) as screen:
        screen.wait_for("offer>$")
        screen.send("y1 b1")
        screen.wait_for("1 yellow and 1 blue, a sum of 4, is too low")
        screen.send(UP)
        screen.wait_for(r"\[B2/2\].*1 yellow and 2 blue, a sum of 5: Bob takes them.*offer>$")
        screen.send(BACK)
        screen.wait_for("Bob offers R2 for Event: accept, or more")
        screen.enter("r1")
        screen.wait_for("1 red is too low: Bob offers 2 red")
        screen.enter("hint")
        screen.wait_for(r"Hint: .+\. [A-Z].+\.")
        screen.enter("accept")
        screen.wait_for("Take 2 red, and leave Event to Bob")
        screen.send("\r")
        screen.wait_for("^Decided: accept$")
