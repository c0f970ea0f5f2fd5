"""Somebody's hands at a console: they type what the table proposes, or choose with the arrows, and confirm it, and play
until something stands on the screen."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from tests.console.terminal import PATIENCE, Terminal

PROMPTS = {">", "exchange>", "pass>", "claim>"}
CALLS = (" Your turn", " Nothing in your hand", " Still nothing", " You may pay")
CONFIRM = "Enter or Esc?"
THE_END = "Press Enter to leave"
LEFT, RIGHT, UP, DOWN, TAB, BACK = "\x1b[D", "\x1b[C", "\x1b[A", "\x1b[B", "\t", "\x1b"


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
    _confirm(screen, before)


def choose(screen: Terminal) -> None:
    """Answer what the table asks with arrows, Space and Enter alone, and wait until it is taken."""
    before = screen.text
    prompt = screen.lines[-1]
    if prompt.startswith("exchange>"):
        _press(screen, RIGHT, "▶1")
        _press(screen, " ", r"▶1\[x\]")
        _press(screen, RIGHT, "▶2")
        _press(screen, " ", r"▶2\[x\]")
    elif prompt.startswith("claim>"):
        _press(screen, DOWN, "▶ 1")
    elif not prompt.startswith("pass>"):
        _press(screen, RIGHT, "It fits at|fits at one place")
        _press(screen, UP, "Enter lays it")
    screen.send("\r")
    _confirm(screen, before)


def _press(screen: Terminal, key: str, then: str) -> None:
    screen.send(key)
    screen.wait_for(then)


def _confirm(screen: Terminal, before: str) -> None:
    """Wait until a decision is taken; confirm it, if the table asks for that."""

    def is_taken() -> bool:
        # The line is seen while it is typed; taken it is when the line is empty and the rest has changed.
        return screen.lines[-1].rstrip() in PROMPTS and screen.text != before and is_unpicked(screen)

    def is_asked_to_confirm() -> bool:
        return screen.lines[-1].rstrip() == CONFIRM

    screen.wait_until(lambda: is_taken() or is_asked_to_confirm(), "the decision to be taken")
    if is_asked_to_confirm():
        screen.send("\r")
        screen.wait_until(is_taken, "the confirmed decision to be taken")


def is_unpicked(screen: Terminal) -> bool:
    """Whether nothing is picked."""
    return not re.search(r"\[[RYGBE]\d|▶\d| ▶ \d|▶none", screen.text)


def await_question(screen: Terminal) -> None:
    """Wait until the table asks."""
    screen.wait_until(lambda: is_asked(screen), "a question")


def play_on(
    *screens: Terminal,
    until: str = THE_END,
    patience: float = PATIENCE,
    answering: Callable[[Terminal], None] = answer,
) -> None:
    """Play at one console, or in turn at all of them, until something stands on each."""
    while not all(until in screen.words for screen in screens):
        waiting = [screen for screen in screens if until not in screen.words]
        screens[0].wait_until(partial(_any_ready, waiting, until), f"a question or {until!r}", patience)
        for screen in waiting:
            if until not in screen.words and is_asked(screen):
                answering(screen)


def _any_ready(screens: Sequence[Terminal], until: str) -> bool:
    for screen in screens:
        screen.update()
    return any(until in screen.words or is_asked(screen) for screen in screens)
