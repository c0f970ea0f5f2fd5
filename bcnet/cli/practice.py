"""Practice: the other player is a bot, a second process of this program that joins over the loopback.

Nothing else is different from a game between people: the same protocol, the same proofs, a transcript that verifies.
The bot of each level has a home of its own inside the person's (``practice-LEVEL``). It stays, so that the person
meets the same player again, and an unfinished game can be taken up on both sides.
"""

from __future__ import annotations

import asyncio
import tempfile
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
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


def level_of(home: Home, table: str) -> str | None:
    """The level of the bot that sits at a table of this home (`Unfinished.table`); None if it is no practice game."""
    for level in LEVELS:
        bots = _home_of(home, level)
        known = {each.table for each in bots.unfinished()} | {each.table for each in bots.finished()}
        if table in known:
            return level
    return None


def opponent(home: Home, level: str) -> Bring:
    """What brings the bot of that level to a table."""

    def bring(*words: str) -> AbstractAsyncContextManager[asyncio.Future[BcnetError]]:
        return _brought(home, level, *words)

    return bring


@asynccontextmanager
async def _brought(home: Home, level: str, *words: str) -> AsyncIterator[asyncio.Future[BcnetError]]:
    bots = _home_of(home, level)
    _tidy(home, bots)
    names = ("--name", f"Bot ({level})", "--games", str(GAMES))
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


def _home_of(home: Home, level: str) -> Home:
    return Home(home.path / f"practice-{level}")


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
