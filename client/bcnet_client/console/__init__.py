"""The console: how a person plays.

`run` shows the table of a session and passes on what the player decides, until the player leaves; host and guest use
it alike. Inside, view, input and game are kept apart:

- `scene`: what is known, as one immutable value · `view`: a scene as lines, pure · `text`: lines and their widths
- `face`: what a game has to say about itself, and how something is picked in it · `balloon_cup`: the one for Balloon
  Cup, with its view, input, picking and words
- `desk`: what keys and a typed line do · `words`: all sentences · `style`: colours
- `screen`: the terminal · `lines`: the same without a screen · `terminal`: what kind of terminal there is
- `replaying`: a finished game, stepped through with its keys or printed as lines

Importing this package is cheap: what draws is imported by `run`.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bcnet.errors import Exit
from bcnet.session import Session
from bcnet_client.look import Look

__all__ = ["run"]


async def run(session: Session, look: Look, *, score: str = "", program: str = "bcnet") -> Exit:
    """Show the table, and play until the player leaves; gives the exit code (`Exit`).

    Call it when everything has been printed that is to stand above: for a host it first waits, below that, until all
    have sat down. ``program`` is what to type for this program. The session is not closed; what the player has still
    to be told is printed. Raises what ``session.failure`` got. Cancelling it restores the terminal.
    """
    from bcnet_client.console import lines, screen, terminal
    from bcnet_client.console.desk import Desk

    if not look.chat:
        session.stay_out_of_the_chat()
    is_plain = look.plain or not terminal.is_interactive()
    desk = Desk(session, score=score, program=program, confirm=look.confirm and not is_plain)
    ascii_only = terminal.knows_only_ascii()
    with told_to_end(desk.stop):
        if is_plain:
            await lines.Lines(desk, look, ascii_only=ascii_only).run()
        else:
            shown = screen.Screen(desk, look, ascii_only=ascii_only)
            await shown.wait_for_table()
            await shown.play()
    terminal.say(desk.farewell, ascii_only=ascii_only)
    return Exit.INCOMPLETE if desk.left is None else desk.left


@contextmanager
def told_to_end(stop: Callable[[], None]) -> Iterator[None]:
    """Leave properly when the program is told to end, unless whoever runs it has seen to that."""
    loop = asyncio.get_running_loop()
    own = [each for each in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(each) is signal.SIG_DFL]
    for each in own:
        loop.add_signal_handler(each, stop)
    try:
        yield
    finally:
        for each in own:
            loop.remove_signal_handler(each)
