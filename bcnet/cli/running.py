"""Running a game from a command: signals, the deadline for leaving, the leash of a parent.

Ctrl-C and SIGTERM leave the table in an orderly way: the other is told, the folder is let go. Whatever happens then,
the process is gone five seconds later.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

import click

from bcnet.errors import Exit
from bcnet.language import told

LEAVING_TIME = 4.5
"""Seconds from the wish to leave to the end of the process, at most."""

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Deadline:
    """Ends the process if it has not ended by itself in time."""

    def __init__(self) -> None:
        self.code: int = Exit.INCOMPLETE
        self._timer: threading.Timer | None = None

    def start(self) -> None:
        """From now on `LEAVING_TIME` are left."""
        if self._timer is None:
            self._timer = threading.Timer(LEAVING_TIME, self._end)
            self._timer.daemon = True
            self._timer.start()

    def _end(self) -> None:
        os._exit(self.code)


def run(work: Callable[[Deadline], Coroutine[Any, Any, int]], *, leash: bool = False) -> int:
    """Run ``work`` to its end; a signal cancels it. Gives its exit code, or 128 + the signal if it has none.

    ``leash``: leave when standard input ends. A parent that holds its other end cannot die without letting go of it.
    """
    if leash:
        threading.Thread(target=_watch_standard_input, daemon=True).start()
    deadline = Deadline()
    with asyncio.Runner() as runner:
        return runner.run(_run(work(deadline), deadline))


async def _run(work: Coroutine[Any, Any, int], deadline: Deadline) -> int:
    loop = asyncio.get_running_loop()
    task = asyncio.create_task(work)
    caught: list[signal.Signals] = []

    def leave(number: signal.Signals) -> None:
        if caught:
            if number is signal.SIGINT:
                os._exit(deadline.code)  # asked twice: at once
            return  # it is being done
        caught.append(number)
        deadline.start()
        task.cancel()

    for number in _SIGNALS:
        loop.add_signal_handler(number, leave, number)
    try:
        return await task
    except asyncio.CancelledError:
        if not caught:
            raise
        return 128 + caught[0]
    finally:
        deadline.start()


def _watch_standard_input() -> None:
    with suppress(OSError):
        while os.read(0, 1 << 12):
            pass
    os.kill(os.getpid(), signal.SIGTERM)


def say(text: str = "", end: str = "\n") -> None:
    """A line on standard output at once, in the player's language if it is `Phrase`. Goes nowhere when nobody reads any
    more; a game does not end for that.
    """
    try:
        click.echo(told(text) + end, nl=False)
    except OSError:
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
