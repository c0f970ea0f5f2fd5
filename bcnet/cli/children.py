"""This program once more, as a process of its own: both sides of a demo, the bot of a practice game."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import IO

from bcnet import language
from bcnet.cli import program
from bcnet.errors import Phrase

KILL_TIME = 3.0
"""Seconds that a process gets to leave."""


@asynccontextmanager
async def bot(
    level: str, home: Path, *arguments: str, quiet: bool = False, errors: IO[bytes] | None = None
) -> AsyncIterator[Process]:
    """A bot that hosts, joins or resumes, as ``arguments`` say, in a process with a home of its own.

    The process is gone at the end of the block; also when this process dies, for its standard input ends then.
    Its standard output is a pipe, or ``quiet``; what it complains of goes to ``errors``, else to where this one's does.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", "bcnet", "--home", str(home), *arguments, "--bot", level, "--leash",
        stdin=PIPE, stdout=DEVNULL if quiet else PIPE, stderr=errors, process_group=0,
        env=os.environ | {program.VARIABLE: "bcnet", language.VARIABLE: language.name()},
    )  # fmt: skip
    try:
        yield process
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.terminate()
            try:
                await asyncio.wait_for(process.wait(), KILL_TIME)
            except TimeoutError:
                process.kill()
                await process.wait()


def how_it_ended(code: int) -> Phrase:
    """What the return code of a process says, negative where a signal has ended it (`Process.returncode`)."""
    if code < 0:
        return Phrase("killed by signal {number}", number=-code)
    return Phrase("exit code {code}", code=code)
