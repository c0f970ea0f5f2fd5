"""Standard input, output and errors, as every command may count on them: open, and able to say everything."""

from __future__ import annotations

import io
import os
import sys

_STREAMS = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))
"""Python's names for them, by the numbers of their files."""


def prepare() -> None:
    """Put ``/dev/null`` where one is closed (``bcnet <&-``): nothing can be read there, what is said goes nowhere.
    Otherwise Python has None there, and the next file or connection would get its number and all that is said.

    What the encoding of the output does not know (a file's name that is no UTF-8, a letter in a terminal of another
    time) is shown as an escape, which JSON reads as what it is.
    """
    for number, (name, mode) in enumerate(_STREAMS):
        if getattr(sys, name) is None:
            fd = os.open(os.devnull, os.O_RDWR)
            if fd != number:
                os.dup2(fd, number)
                os.close(fd)
            os.set_inheritable(number, True)
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115 (till the end)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
