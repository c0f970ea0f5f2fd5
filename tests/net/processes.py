"""bcnet as people start it: real processes, spoken to through their terminals' ends, each with a home of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PATIENCE = 120.0
"""Seconds that a test waits for what takes a moment, on a machine that does other things as well."""

THINKS = """
import asyncio, sys
from bcnet_client import bot
decide = bot._decide
async def think(*those):
    await asyncio.sleep(0.5)
    await decide(*those)
bot._decide = think
from bcnet.cli import main
main(sys.argv[1:])
"""
"""A bot that takes some time, so that the game outlasts what happens to it."""


@dataclass
class Bcnet:
    """A running bcnet; what it prints is collected as it comes."""

    process: subprocess.Popen[str]
    lines: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    _news: threading.Condition = field(default_factory=threading.Condition)
    _readers: list[threading.Thread] = field(default_factory=list)

    def __post_init__(self) -> None:
        for stream, into in ((self.process.stdout, self.lines), (self.process.stderr, self.errors)):
            reader = threading.Thread(target=self._read, args=(stream, into), daemon=True)
            reader.start()
            self._readers.append(reader)

    def _read(self, stream: Iterator[str], into: list[str]) -> None:
        for line in stream:
            with self._news:
                into.append(line.rstrip("\n"))
                self._news.notify_all()
        with self._news:
            self._news.notify_all()

    @property
    def output(self) -> str:
        return "\n".join(self.lines)

    @property
    def complaint(self) -> str:
        """What it has said on standard error."""
        return "\n".join(self.errors)

    def wait_for(self, pattern: str, patience: float = PATIENCE) -> re.Match[str]:
        """The first line that matches, as soon as it is there."""
        deadline = time.monotonic() + patience
        with self._news:
            while True:
                for line in self.lines:
                    if found := re.search(pattern, line):
                        return found
                left = deadline - time.monotonic()
                ended = self.process.poll() is not None and not any(r.is_alive() for r in self._readers)
                assert left > 0, f"no {pattern!r} in {self.lines} {self.errors}"
                assert not ended, f"ended without {pattern!r}: {self.lines} {self.errors}"
                self._news.wait(min(left, 0.2))

    def address(self) -> str:
        """What a guest types after ``join``, once the table is open."""
        return self.invitation()[0]

    def invitation(self) -> tuple[str, str]:
        """The address and the code that a guest types after ``join``."""
        found = self.wait_for(r"^  \S+ join '?([^' ]+)'? (\S+)$")
        self.wait_for("^Waiting for the other player")
        return found[1], found[2]

    def address_again(self) -> str:
        """What a guest types after ``resume``, once the table is open again: the table and the address."""
        return self.wait_for(r"^  \S+ resume [0-9a-f]+ '?([^' ]+)'?$")[1]

    def finish(self, patience: float = PATIENCE) -> int:
        """Its exit code, once it has ended."""
        try:
            code = self.process.wait(patience)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"not ended: {self.lines[-40:]} {self.errors}") from None
        for reader in self._readers:
            reader.join(5)
        return code

    def close(self) -> None:
        """Let go of its ends, once it has ended."""
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()
        if self.process.stdin is not None:
            with suppress(BrokenPipeError):
                self.process.stdin.close()

    def type(self, *lines: str) -> None:
        """Write lines to its standard input, where that is a pipe; one that has ended reads them no more."""
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.write("".join(f"{line}\n" for line in lines))
            self.process.stdin.flush()

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)


Start = Callable[..., Bcnet]


@contextmanager
def starting(folder: Path) -> Iterator[Start]:
    """Starts processes; none of them outlives the block."""
    running: list[Bcnet] = []

    def start(
        *arguments: str,
        home: str = "home",
        prog: str = "bcnet",
        module: str = "bcnet",
        code: str = "",
        within: Sequence[str] = (),
        stdin: int = subprocess.DEVNULL,
        **environment: str,
    ) -> Bcnet:
        """``code`` stands in place of bcnet's main program, ``within`` before the command; ``stdin`` as in Popen."""
        process = subprocess.Popen(
            [*within, sys.executable, *(("-c", code) if code else ("-m", module)), *arguments],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=folder,
            env=os.environ
            | {"BCNET_HOME": str(folder / home), "BCNET_PROG": prog, "TMPDIR": str(folder)}
            | environment,
        )
        running.append(Bcnet(process))
        return running[-1]

    try:
        yield start
    finally:
        for each in running:
            if each.process.poll() is None:
                each.process.send_signal(signal.SIGCONT)
                each.process.kill()
            each.finish()
            each.close()


def host(start: Start, *arguments: str, listen: str = "127.0.0.1:0", **more: Any) -> Bcnet:
    """A host with a bot, at a free port, where anybody may sit down."""
    bot = ("--bot", "random", "--name", "Ann")
    return start("host", "--listen", listen, "--open", *bot, *arguments, home="host", **more)


def guest(start: Start, address: str, *arguments: str, home: str = "guest", **more: Any) -> Bcnet:
    """A guest with a bot, who takes whatever host there is."""
    bot = ("--bot", "random", "--name", "Bob")
    return start("join", address, "--trust-first", *bot, *arguments, home=home, **more)


def resume(start: Start, home: str, *arguments: str, **more: str) -> Bcnet:
    """Whoever has this home goes on with the one unfinished table, with a bot."""
    return start("resume", *arguments, "--bot", "random", home=home, **more)


def transcripts(folder: Path, home: str) -> list[Path]:
    return sorted((folder / home / "transcripts").glob("*.bct"))


def children_of(pid: int) -> list[int]:
    """The processes that a process has started, as Linux shows them."""
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(each) for each in found.split()]


def await_end(processes: Sequence[int]) -> None:
    """Wait until none of these processes is alive."""
    deadline = time.monotonic() + 8
    while any(_is_alive(each) for each in processes):
        assert time.monotonic() < deadline, "a process has outlived its parent"
        time.sleep(0.05)


def _is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
