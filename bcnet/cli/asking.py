"""Asking the person at the terminal something that is answered with yes, no or a number, before there is a table."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import termios
from contextlib import suppress

from bcnet.cli.running import say
from bcnet.language import _


def yes() -> frozenset[str]:
    """What means yes: in English, and in the player's language."""
    return frozenset({"y", "yes", _("y"), _("yes")})


def no() -> frozenset[str]:
    """What means no."""
    return frozenset({"n", "no", _("n"), _("no")})


def is_possible() -> bool:
    """Whether there is somebody to ask."""
    return sys.stdin.isatty() and sys.stdout.isatty()


async def yes_or_no(*question: str) -> bool:
    """Ask, until the person says yes or no; the end of the input is a no. Can be cancelled."""
    with suppress(termios.error):
        termios.tcflush(0, termios.TCIFLUSH)  # what was typed before is no answer to this
    for text in question:
        say(text)
    while True:
        answer = await line(_("yes or no?"))
        if answer is None or answer.lower() in no():
            return False
        if answer.lower() in yes():
            return True


def yes_or_no_alone(*question: str) -> bool:
    """The same for a command that does nothing else meanwhile. Raises ``KeyboardInterrupt``."""
    return asyncio.run(yes_or_no(*question))


async def number(question: str, most: int) -> int | None:
    """Ask for a number from 1 to ``most``; None if the answer is anything else. Can be cancelled."""
    answer = await line(question)
    if answer is None or not (answer.isascii() and answer.isdigit()):
        return None
    return int(answer) if 0 < int(answer) <= most else None


async def line(question: str) -> str | None:
    """A line of standard input; None for its end. Nothing is read after a cancellation."""
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[None] = loop.create_future()
    say(f"{question} ", end="")
    # After Ctrl-Z and fg the question would be out of sight.
    loop.add_signal_handler(signal.SIGCONT, say, f"{question} ", "")
    answer = b""
    try:
        try:
            loop.add_reader(0, lambda: None if ready.done() else ready.set_result(None))
        except PermissionError:  # a file, which has nothing that could be waited for
            ready.set_result(None)
        await ready
        answer = os.read(0, 4096)
    except OSError:
        pass
    finally:
        loop.remove_reader(0)
        loop.remove_signal_handler(signal.SIGCONT)
        if not answer:
            say()  # what is said next does not stand behind the question
    return answer.partition(b"\n")[0].decode(errors="replace").strip() if answer else None
