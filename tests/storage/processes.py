"""Other processes for the tests of storage: started with a piece of Python, spoken to by lines."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def python(code: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    """A process running ``code``; it is killed at the end if it still runs."""
    process = subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def line(process: subprocess.Popen[str]) -> str:
    """The next line that it prints."""
    assert process.stdout
    return process.stdout.readline().rstrip("\n")


def say(process: subprocess.Popen[str], text: str = "") -> None:
    """Send it a line."""
    assert process.stdin
    process.stdin.write(text + "\n")
    process.stdin.flush()


def run(code: str, *arguments: object) -> str:
    """What ``code`` prints; it must end well."""
    with python(code, *arguments) as process:
        output, _ = process.communicate(timeout=50)
        assert process.returncode == 0
        return output
