"""Asking the person at the terminal something that is answered with yes, no or a number, before there is a table."""

from __future__ import annotations

import asyncio
import os
import sys
import termios
from contextlib import suppress

import click

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
    for line in question:
        say(line)
    while True:
        say(_("yes or no? "), end="")
        answer = (await _line()).strip().lower()
        if answer in yes():
            return True
        if answer in no():
            return False


async def number(question: str, most: int) -> int | None:
    """Ask for a number from 1 to ``most``; None if the answer is anything else. Can be cancelled."""
    say(question + " ", end="")
    answer = (await _line()).strip()
    return int(answer) if answer.isascii() and answer.isdigit() and 0 < int(answer) <= most else None


def confirmed(question: str, *, default: bool) -> bool:
    """Ask on a terminal that nothing else uses; Enter alone takes the default. Raises ``click.Abort`` at the end of
    the input.
    """
    choice = _("[Y/n]") if default else _("[y/N]")
    while True:
        answer = str(click.prompt(f"{question} {choice}", default="", show_default=False)).strip().lower()
        if not answer:
            return default
        if answer in yes():
            return True
        if answer in no():
            return False
        say(_("Please answer yes or no."))


async def _line() -> str:
    """A line of the terminal; no for its end. Nothing is read after a cancellation."""
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[None] = loop.create_future()
    loop.add_reader(0, lambda: None if ready.done() else ready.set_result(None))
    try:
        await ready
        return os.read(0, 4096).decode(errors="replace") or "no"
    except OSError:
        return "no"
    finally:
        loop.remove_reader(0)
