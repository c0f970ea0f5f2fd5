"""Practice: the other players are bots, other processes of this program that join over the loopback.

Nothing else is different from a game between people: the same protocol, the same proofs, a transcript that verifies.
Each bot of a level has a home of its own inside the person's (``practice-LEVEL``, ``practice-LEVEL-2`` and so on). It
stays, so that the person meets the same player again, and an unfinished game can be taken up on all sides.
"""

from __future__ import annotations

import asyncio
import tempfile
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import IO

from bcnet.cli import children
from bcnet.cli.play import LEVELS
from bcnet.cli.table import Bring
from bcnet.errors import BcnetError, NetworkError
from bcnet.home import Home

GAMES = 1_000_000
"""More than any evening has: the bot plays as many as the person likes."""


class BotGone(NetworkError):
    """The bot's process has ended, though nobody has told it to."""


def bots_at(home: Home, table: str) -> tuple[str, int] | None:
    """The level of the bots that sit at a table of this home (`Unfinished.table`), and how many there are; None if it
    is no practice game.
    """
    for level in LEVELS:
        count = 0
        while _knows(_home_of(home, level, count + 1), table):
            count += 1
        if count:
            return level, count
    return None


def opponents(home: Home, level: str, count: int) -> Bring:
    """What brings so many bots of that level to a table."""

    @asynccontextmanager
    async def bring(*words: str) -> AsyncIterator[asyncio.Future[BcnetError]]:
        async with AsyncExitStack() as bots:
            ends = [
                await bots.enter_async_context(_brought(home, level, number, *words))
                for number in range(1, count + 1)
            ]
            gone = asyncio.ensure_future(_first(ends))
            bots.callback(gone.cancel)
            yield gone

    return bring


async def _first(ends: Sequence[asyncio.Task[BcnetError]]) -> BcnetError:
    done, _pending = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
    return done.pop().result()


@asynccontextmanager
async def _brought(
    home: Home, level: str, number: int, *words: str
) -> AsyncIterator[asyncio.Task[BcnetError]]:
    bots = _home_of(home, level, number)
    _tidy(home, bots)
    name = f"Bot ({level})" if number == 1 else f"Bot {number} ({level})"
    names = ("--name", name, "--games", str(GAMES))
    with tempfile.TemporaryFile() as complaint:
        async with children.bot(level, bots.path, *words, *names, quiet=True, errors=complaint) as process:
            gone = asyncio.create_task(_ended(process, complaint))
            try:
                yield gone
            finally:
                gone.cancel()


async def _ended(process: Process, complaint: IO[bytes]) -> BcnetError:
    """Wait for the end of the bot's process; gives what it has to say."""
    code = await process.wait()
    complaint.seek(0)
    said = complaint.read().decode(errors="replace").split("\n")
    why = next((line.removeprefix("bcnet: ") for line in said if line.startswith("bcnet: ")), "")
    return BotGone(
        "The bot's program has ended (exit code {code}). {why}", hint="Try again.", code=code, why=why
    )


def _home_of(home: Home, level: str, number: int) -> Home:
    return Home(home.path / (f"practice-{level}" if number == 1 else f"practice-{level}-{number}"))


def _knows(bots: Home, table: str) -> bool:
    return table in {each.table for each in bots.unfinished()} | {each.table for each in bots.finished()}


def _tidy(home: Home, bots: Home) -> None:
    """Remove from the bot's home what the person has as well or wants no more."""
    finished = {each.table for each in home.finished()}
    unfinished = {each.table for each in home.unfinished()}
    for transcript in bots.finished():
        if transcript.table in finished:
            with suppress(OSError):
                transcript.path.unlink()
    for table in bots.unfinished():
        if table.table not in unfinished and not bots.is_in_use(table):
            bots.forget(table)
