"""Practice: the other players are bots, other processes of this program that join over the loopback.

Nothing else is different from a game between people: the same protocol, the same proofs, a transcript that verifies.
Each bot of a level has a home of its own inside the person's (``practice-LEVEL``, ``practice-LEVEL-2`` and so on). It
stays, so that the person meets the same player again, and an unfinished game can be taken up on all sides: a bot whose
program has died in mid-game is started again, and comes back to its seat.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

from bcnet.cli import children
from bcnet.cli.play import LEVELS
from bcnet.cli.table import Bring
from bcnet.errors import BcnetError, NetworkError, Phrase
from bcnet.home import Home
from bcnet.session import Session
from bcnet_host.admission import Admission

GAMES = 1_000_000
"""More than any evening has: the bot plays as many as the person likes."""

PATIENCE = 86400
"""Seconds that a bot waits for another game, or for another bot: whoever reads how a game has ended is in no hurry, and
it ends with the person's program anyway."""
STARTS = 3
"""So many times a bot is started again at one table: one that dies again and again is left alone."""
PAUSE = 1.0
"""Seconds between the end of a bot's program and what is done about it."""


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
    """What brings so many bots of that level to a table, and brings back those whose programs die in mid-game."""

    @asynccontextmanager
    async def bring(
        admission: Admission, address: str, code: str = ""
    ) -> AsyncIterator[asyncio.Future[BcnetError]]:
        for number in range(1, count + 1):
            _tidy(home, _home_of(home, level, number))
        bots = [
            asyncio.create_task(_keep(home, level, number, admission, address, code))
            for number in range(1, count + 1)
        ]
        gone = asyncio.ensure_future(_first(bots))
        try:
            yield gone
        finally:
            for task in (gone, *bots):
                task.cancel()
            await asyncio.gather(gone, *bots, return_exceptions=True)

    return bring


async def _first(ends: Sequence[asyncio.Task[BcnetError]]) -> BcnetError:
    done, _pending = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
    return done.pop().result()


async def _keep(
    home: Home, level: str, number: int, admission: Admission, address: str, code: str
) -> BcnetError:
    """Let a bot play at the table at ``address``, where it sits down with ``code``, or comes back without one.

    Gives what it has to say when it is not started again; the person at the table is told so.
    """
    bots = _home_of(home, level, number)
    name = f"Bot ({level})" if number == 1 else f"Bot {number} ({level})"
    try:
        error = await _run_again(level, bots, name, admission, address, code)
    except BcnetError as caught:
        error = caught
    session = _playing(admission)
    if session is not None and not session.is_leaving:
        why = Phrase(
            "{what} Type quit to pause the game; `bcnet resume` starts the bot again.", what=error.message
        )
        session.lose(_seats_of(name, session), why)
    return error


async def _run_again(
    level: str, bots: Home, name: str, admission: Admission, address: str, code: str
) -> BcnetError:
    """Run a bot's program, and if it ends in mid-game without a word, again, a few times a table. Gives what the last
    one had to say. Raises `StorageError` if the bot's home cannot be read, and `BotGone` if it cannot be started.
    """
    words = ["join", address, code] if code else ["resume", _table(_playing(admission)), address]
    started: Counter[str] = Counter()
    while True:
        error = await _run(level, bots, name, words)
        await asyncio.sleep(PAUSE)  # its line has been seen to end by then
        session = _playing(admission)
        if session is None or session.is_leaving:
            return error
        table = _table(session)
        # what is finished for the bot need not be for the person, who may lack the last entries
        can_go_on = session.ended is None and _knows(bots, table)
        if error.values["why"] or not can_go_on or started[table] == STARTS:
            return error
        started[table] += 1
        words = ["resume", table, address]


def _playing(admission: Admission) -> Session | None:
    """The session of the game that is played now, or was last; None before the first."""
    playing = admission.playing
    if not playing.done() or playing.cancelled() or playing.exception():
        return None
    return playing.result()


def _table(session: Session | None) -> str:
    """The table as the bot's home has it."""
    return (session.table_id or session.lost_id)[:8].hex() if session is not None else ""


def _seats_of(name: str, session: Session) -> frozenset[int]:
    """Where the bot of that name sits; all other seats, where nobody knows any more."""
    members = session.snapshot.members
    seats = {seat for seat, member in enumerate(members) if member.name == name}
    return frozenset(seats - {session.snapshot.seat}) or session.others


async def _run(level: str, bots: Home, name: str, words: Sequence[str]) -> BcnetError:
    """Run a bot's program to its end; gives what it has to say. Raises `BotGone` if it cannot be started."""
    words = (*words, "--name", name, "--games", str(GAMES), "--patience", str(PATIENCE))
    try:
        with tempfile.TemporaryFile() as complaint:
            async with children.bot(level, bots.path, *words, quiet=True, errors=complaint) as process:
                code = await process.wait()
            complaint.seek(0)
            said = complaint.read().decode(errors="replace").split("\n")
    except OSError as error:
        raise BotGone(
            "The bot's program cannot be started: {reason}.",
            hint="Try again.",
            reason=error.strerror or error,
        ) from error
    why = next((line.removeprefix("bcnet: ") for line in said if line.startswith("bcnet: ")), "")
    return BotGone(
        "The bot's program has ended ({how}). {why}",
        hint="Try again.",
        how=children.how_it_ended(code),
        why=why,
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
