"""What this program is called, as the person typed it, and how to come back to the same home."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bcnet.errors import visible

if TYPE_CHECKING:
    from bcnet.home import Home

VARIABLE = "BCNET_PROG"
"""Set by scripts that start bcnet under a name of their own."""


def name() -> str:
    """The words to type for this program: ``bcnet``, ``scripts/bcnet``, ``python3 -m bcnet``."""
    called = _called()
    return "python3 -m bcnet" if called is None else visible(shlex.quote(called))


def environment() -> dict[str, str]:
    """That of a process which is to be called what this one is called."""
    called = _called()
    return os.environ | ({} if called is None else {VARIABLE: called})


def _called() -> str | None:
    """The file or the word by which this program was started; None if it is a module of Python's."""
    if given := os.environ.get(VARIABLE):
        return given
    called = Path(sys.argv[0])
    if called.name == "__main__.py":
        return None
    found = shutil.which(called.name)
    if found is not None and Path(found).resolve() == called.resolve():
        return called.name
    return str(called)


def at_home(home: Home) -> str:
    """The words to type for this program with ``home``: `name`, and the option where another home would be found."""
    if home.path == type(home).locate().path:
        return name()
    return f"{name()} --home {visible(shlex.quote(str(home.path)))}"
