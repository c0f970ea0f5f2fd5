"""A host at a terminal who is asked two things at once: who may sit down, and whether to begin with fewer."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.console.terminal import ROOT, Terminal, terminal

pytestmark = [pytest.mark.end_to_end, pytest.mark.timeout(240)]

BCNET = [sys.executable, "-m", "bcnet"]


class Door:
    """A table of Stones for three that Ann hosts at a terminal, and bots who come to it."""

    def __init__(self, folder: Path, ann: Terminal, stack: ExitStack) -> None:
        self._folder, self.ann, self._stack = folder, ann, stack
        found = ann.wait_for(r"join (127\.0\.0\.1:\d+) (\S{29})")
        self.address, self.code = found[1], found[2]

    def comes(self, name: str, *code: str) -> None:
        """Somebody types the line of the invite, or the address alone."""
        how = code or ("--trust-first",)
        words = [
            "--home",
            str(self._folder / name),
            "join",
            self.address,
            *how,
            "--name",
            name,
            "--bot",
            "normal",
        ]
        guest = subprocess.Popen(
            [*BCNET, *words], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
        self._stack.callback(guest.wait)
        self._stack.callback(guest.kill)


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    words = ["--home", str(tmp_path / "Ann"), "host", "--listen", "127.0.0.1:0", "--game", "stones"]
    with ExitStack() as stack:
        ann = stack.enter_context(terminal([*BCNET, *words, "--seats", "3", "--name", "Ann"], columns=100))
        yield Door(tmp_path, ann, stack)


def test_somebody_without_the_code_while_the_host_may_begin(door: Door) -> None:
    door.comes("Bob", door.code)
    door.ann.wait_for("Type start to begin with 2 players")
    door.comes("Zoe")
    door.ann.wait_for(r"Zoe, key .* yes or no\?$")
    door.ann.enter("yes")
    door.ann.wait_for(r"\d of 36 stones lie")


def test_somebody_with_the_code_while_the_host_is_asked(door: Door) -> None:
    door.comes("Zoe")
    door.ann.wait_for(r"Zoe, key .* yes or no\?$")
    door.comes("Bob", door.code)
    door.ann.wait_for("At the table: Ann, Bob")
    door.ann.enter("yes")
    door.ann.wait_for(r"\d of 36 stones lie")


def test_the_host_begins_with_fewer(door: Door) -> None:
    door.comes("Bob", door.code)
    door.ann.wait_for("Type start to begin with 2 players")
    door.ann.enter("begin")
    door.ann.wait_for("There is no 'begin' here")
    door.ann.enter("start")
    door.ann.wait_for(r"\d of 24 stones lie")
