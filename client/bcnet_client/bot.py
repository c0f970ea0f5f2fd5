"""Plays for a person: the same calls of a session as the console's, and what happens in words, a line each."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

from bcnet.errors import Exit, Refusal, listed
from bcnet.games.interface import Bot
from bcnet.language import _, told
from bcnet.session import Session
from bcnet.updates import (
    AnotherWanted,
    Asked,
    Awaited,
    ChatOff,
    Ended,
    LineDown,
    LineUp,
    Moved,
    Said,
    Seated,
    Snapshot,
    Trouble,
    Update,
    Watched,
)
from bcnet.wire.v1 import table_pb2 as pb
from bcnet_client import reasons, telling

PATIENCE = 60.0
"""Seconds that a bot waits for the other side to come back."""

Say = Callable[[str], None]


async def play(
    session: Session,
    bot: Bot,
    rng: random.Random,
    say: Say,
    *,
    patience: float = PATIENCE,
    again: bool = False,
) -> Exit:
    """Play until the table ends or the other side is gone for good; gives the exit code of `host` and `join`.

    A side that can be expected back is waited for, ``patience`` seconds each time. ``again``: ask for another game
    at the end, and wait for the answer (``session.plays_on``).
    """
    updates = session.updates(past=True)
    session.stay_out_of_the_chat()
    if session.ended is not None:
        return _end(session.ended, session.snapshot, say)
    asked = session.snapshot if session.snapshot.decision else None
    words: tuple[str, ...] = ()
    waiting = _Waiting(patience)
    down: set[int] = set()
    if session.snapshot.held:
        say(_("Waiting for the other side to come back …"))
        waiting.begin()
    while True:
        if session.snapshot.words and not words:
            words = session.snapshot.words
            say(telling.about_words(words))
        if asked is not None:
            await _decide(session, asked, bot, rng)
            asked = None
        update = await waiting.next(updates)
        match update:
            case None:
                say(_("The game is unfinished: the other side has not come back."))
                return Exit.INCOMPLETE
            case Asked(snapshot):
                asked = snapshot
            case Moved(news=news):
                for line in telling.lines(session.game, news, telling.names_of(session.snapshot)):
                    say(line)
            case LineDown(seats, reason, noise, why):
                down |= seats
                some = len(seats) < len(session.others)
                # Where others are still there, somebody who pauses is waited for like them.
                lasting = (reason == pb.REASON_PAUSED and not some) or not reasons.passes(reason, noise)
                if why:
                    template = (
                        _("The game is unfinished. {why}")
                        if lasting
                        else _("The line is down. {why} Waiting for the other side to come back …")
                    )
                    say(template.format(why=told(why)))
                elif some and not lasting:
                    names = telling.names_of(session.snapshot)
                    gone = told(listed([names[seat] for seat in sorted(seats)]))
                    template = _("The line to {names} is down: {why}.")
                    say(template.format(names=gone, why=reasons.why(reason, noise)))
                else:
                    template = (
                        _("The game is unfinished: {why}.")
                        if lasting
                        else _("The line is down: {why}. Waiting for the other side to come back …")
                    )
                    say(template.format(why=reasons.why(reason, noise)))
                if lasting:
                    return Exit.INCOMPLETE
                waiting.begin()
            case LineUp(seats):
                say(_("The line is up again."))
                down -= seats
                if not down:
                    waiting.end()
            case Trouble(error):
                if error is None:
                    say(_("The disk takes it again."))
                else:
                    trouble = _("{what} Waiting. {hint}")
                    say(trouble.format(what=told(error.message), hint=told(error.hint)))
            case Ended():
                code = _end(update, session.snapshot, say)
                if again and update.report.fault is None:
                    await _ask_again(session, updates, patience)
                return code
            case Watched(count):
                say(telling.about_audience(count))
            case Seated() | Awaited() | AnotherWanted() | Said() | ChatOff():
                pass


class _Waiting:
    """How long the other side may stay away."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._until: float | None = None

    def begin(self) -> None:
        if self._until is None:
            self._until = asyncio.get_running_loop().time() + self._patience

    def end(self) -> None:
        self._until = None

    async def next(self, updates: asyncio.Queue[Update]) -> Update | None:
        """The next update; None if the other side stays away too long."""
        try:
            async with asyncio.timeout_at(self._until):
                return await updates.get()
        except TimeoutError:
            return None


async def _ask_again(session: Session, updates: asyncio.Queue[Update], patience: float) -> None:
    session.another()
    waiting = _Waiting(patience)
    waiting.begin()
    while not session.plays_on:
        update = await waiting.next(updates)
        if update is None or (
            isinstance(update, LineDown) and not reasons.passes(update.reason, update.noise)
        ):
            return


async def _decide(session: Session, asked: Snapshot, bot: Bot, rng: random.Random) -> None:
    assert asked.view is not None
    try:
        # A bot may think for a while; meanwhile the line is served.
        action = await asyncio.to_thread(bot, asked.view, asked.seat, rng)
        await session.act(action)
    except Refusal:
        if session.snapshot.decision and session.snapshot.round == asked.round:
            raise
        # The other resigned in the meantime.


def _end(ended: Ended, snapshot: Snapshot, say: Say) -> Exit:
    for line in telling.ending(ended, snapshot):
        say(line)
    return ended.report.verdict.exit_code
