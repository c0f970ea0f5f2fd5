"""What kind of terminal there is, and what is kept off it. The only module that asks the environment."""

from __future__ import annotations

import curses
import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from prompt_toolkit.output import ColorDepth

from bcnet_client.console.text import line, plain, to_ascii

if TYPE_CHECKING:
    from prompt_toolkit.output import Output

_KEEP_TITLE, _GIVE_TITLE_BACK = "\x1b[22;2t", "\x1b[23;2t"
"""XTWINOPS 22 and 23 for the window's title: the terminal puts it on a stack, and takes it back from there."""
_UNTITLED = frozenset({"", "linux", "eterm-color"})


def is_interactive() -> bool:
    """Whether a person sits at a terminal that can draw."""
    return is_conversation() and os.environ.get("TERM", "") not in {"", "dumb"}


def is_typed_in() -> bool:
    """Whether what is read comes from a terminal."""
    return sys.stdin.isatty()


def is_conversation() -> bool:
    """Whether somebody types at a terminal, and reads there."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def knows_only_ascii() -> bool:
    """Whether the locale is not one of UTF-8, so that a box drawn with lines would come out as garbage."""
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    locale = next((os.environ[name] for name in ("LC_ALL", "LC_CTYPE", "LANG") if os.environ.get(name)), "")
    return encoding != "utf8" or "utf8" not in locale.lower().replace("-", "")


def colour_depth() -> ColorDepth:
    """How many colours there are to be: none by https://no-color.org, else by COLORTERM, else by what the database of
    terminals says of TERM.
    """
    if os.environ.get("NO_COLOR"):
        return ColorDepth.DEPTH_1_BIT
    try:
        curses.setupterm(fd=1)
        colours = curses.tigetnum("colors")
    except curses.error:  # there is no database, or it does not know this one
        colours = 256 if "256color" in os.environ.get("TERM", "") else 8
    if colours >= 8 and os.environ.get("COLORTERM", "").casefold() in {"truecolor", "24bit"}:
        return ColorDepth.DEPTH_24_BIT
    depths = ((1 << 24, ColorDepth.DEPTH_24_BIT), (256, ColorDepth.DEPTH_8_BIT), (8, ColorDepth.DEPTH_4_BIT))
    return next((depth for least, depth in depths if colours >= least), ColorDepth.DEPTH_1_BIT)


def is_plain_console() -> bool:
    """Whether it is the console of Linux, whose fonts have few characters that draw."""
    return os.environ.get("TERM") == "linux"


def say(texts: Iterable[str], *, ascii_only: bool, end: str = "\n") -> None:
    """Print lines, as far as there is somebody to read them."""
    lines = [line(text) for text in texts]
    with suppress(OSError):
        for each in to_ascii(lines) if ascii_only else lines:
            sys.stdout.write(f"{_harmless(plain(each))}{end}")
        sys.stdout.flush()


def ring() -> None:
    """Ring the terminal's bell, if there is a terminal."""
    if sys.stdout.isatty():
        with suppress(OSError):
            sys.stdout.write("\a")
            sys.stdout.flush()


@contextmanager
def titled(output: Output | None) -> Iterator[Callable[[str], None]]:
    """Gives what sets the terminal's title; afterwards it is as it was, where the terminal keeps titles for programs,
    else empty. Does nothing without an ``output``, and on the Linux console, which has no title.

    A title is never made of what others have written.
    """
    if output is None or os.environ.get("TERM", "") in _UNTITLED:
        yield lambda _: None
        return
    last = ""

    def show(title: str) -> None:
        nonlocal last
        if title != last:
            last = title
            output.set_title(title)
            output.flush()

    output.write_raw(_KEEP_TITLE)
    try:
        yield show
    finally:
        with suppress(OSError):
            output.clear_title()
            output.write_raw(_GIVE_TITLE_BACK)
            output.flush()


def _harmless(text: str) -> str:
    """The text without anything that a terminal would obey: some of it was written by the other side."""
    return "".join(character if character.isprintable() else "?" for character in text)


class Overheard(io.TextIOBase):
    """Stands for the standard output while there is a screen: gives each line to somebody instead."""

    encoding = "utf-8"
    errors = "replace"

    def __init__(self, heard: Callable[[str], None]) -> None:
        self._heard = heard
        self._rest = ""

    def writable(self) -> bool:
        """It takes what is written."""
        return True

    def write(self, text: str) -> int:
        """Take some text; whole lines are passed on."""
        *lines, self._rest = (self._rest + text).split("\n")
        for each in lines:
            if each.strip():
                self._heard(each.strip())
        return len(text)


@contextmanager
def quiet_errors() -> Iterator[None]:
    """Keep what libraries write to the error output off the screen, where it goes to the terminal."""
    if not os.isatty(2):
        yield
        return
    sys.stderr.flush()
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        with suppress(OSError):
            sys.stderr.flush()
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
