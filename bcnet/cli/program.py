"""What this program is called, as the person typed it."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

VARIABLE = "BCNET_PROG"
"""Set by scripts that start bcnet under a name of their own."""


def name() -> str:
    """The words to type for this program: ``bcnet``, ``scripts/bcnet``, ``python3 -m bcnet``."""
    if given := os.environ.get(VARIABLE):
        return shlex.quote(given)
    called = Path(sys.argv[0])
    if called.name == "__main__.py":
        return "python3 -m bcnet"
    found = shutil.which(called.name)
    if found is not None and Path(found).resolve() == called.resolve():
        return shlex.quote(called.name)
    return shlex.quote(str(called))
