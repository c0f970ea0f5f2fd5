"""Somebody's hands at a console: they type what the table proposes, and play until something stands on the screen."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from tests.console.terminal import PATIENCE, Terminal

PROMPTS = {">", "exchange>", "pass>", "claim>"}
CALLS = (" Your turn", " Nothing in your hand", " Still nothing", " You may pay")
THE_END = "Press Enter to leave"


def is_asked(screen: Terminal) -> bool:
    """Whether the table has asked and waits for a line, and nothing is typed yet."""
    status, prompt = screen.lines[-2:]
    return prompt.rstrip() in PROMPTS and status.startswith(CALLS)


def answer(screen: Terminal) -> None:
    """Answer what the table asks by what it proposes, and wait until it is taken."""
    before = screen.text
    prompt = screen.lines[-1]
    if prompt.startswith("exchange>"):
        screen.enter("1 2")
    elif prompt.startswith("pass>"):
        screen.enter("pass")
    elif prompt.startswith("claim>"):
        screen.enter("1")
    else:
        found = re.search("as in (.*)", screen.lines[-2])
        assert found, screen.text
        screen.enter(found[1])
    # The line is seen while it is typed; taken it is when the line is empty and the rest has changed.
    screen.wait_until(
        lambda: screen.lines[-1].rstrip() in PROMPTS and screen.text != before, "the decision to be taken"
    )


def await_question(screen: Terminal) -> None:
    """Wait until the table asks."""
    screen.wait_until(lambda: is_asked(screen), "a question")


def play_on(*screens: Terminal, until: str = THE_END, patience: float = PATIENCE) -> None:
    """Play at one console, or in turn at all of them, until something stands on each."""
    while not all(until in screen.words for screen in screens):
        waiting = [screen for screen in screens if until not in screen.words]
        screens[0].wait_until(partial(_any_ready, waiting, until), f"a question or {until!r}", patience)
        for screen in waiting:
            if until not in screen.words and is_asked(screen):
                answer(screen)


def _any_ready(screens: Sequence[Terminal], until: str) -> bool:
    for screen in screens:
        screen.update()
    return any(until in screen.words or is_asked(screen) for screen in screens)
