"""Plays for a person: the same calls of a session as the console's, and what happens in words, a line each."""

from __future__ import annotations

import random
from collections.abc import Callable

from bcnet.errors import Exit, Refusal
from bcnet.games.interface import Bot
from bcnet.session import Asked, Ended, LineDown, Moved, Seated, Session, Snapshot, Trouble, Watched
from bcnet_client import reasons, telling

Say = Callable[[str], None]


async def play(session: Session, bot: Bot, rng: random.Random, say: Say) -> Exit:
    """Play until the table ends or the other side is gone; gives the exit code of `host` and `join`."""
    updates = session.updates(past=True)
    if session.ended is not None:
        return _end(session.ended, session.snapshot, say)
    asked = session.snapshot if session.snapshot.decision else None
    words: tuple[str, ...] = ()
    while True:
        if session.snapshot.words and not words:
            words = session.snapshot.words
            say(telling.about_words(words))
        if asked is not None:
            await _decide(session, asked, bot, rng)
            asked = None
        update = await updates.get()
        match update:
            case Asked(snapshot):
                asked = snapshot
            case Moved(_, news, _):
                for line in telling.lines(news, telling.names_of(session.snapshot)):
                    say(line)
            case LineDown(_, reason, noise):
                say(f"The game is unfinished: {reasons.why(reason, noise)}.")
                return Exit.INCOMPLETE
            case Trouble(error):
                say("The disk takes it again." if error is None else f"{error.message} Waiting. {error.hint}")
            case Ended():
                return _end(update, session.snapshot, say)
            case Watched(count):
                say(telling.about_audience(count))
            case Seated():
                pass


async def _decide(session: Session, asked: Snapshot, bot: Bot, rng: random.Random) -> None:
    assert asked.view is not None
    try:
        await session.act(bot(asked.view, asked.seat, rng))
    except Refusal:
        if session.snapshot.decision and session.snapshot.round == asked.round:
            raise
        # The other resigned in the meantime.


def _end(ended: Ended, snapshot: Snapshot, say: Say) -> Exit:
    for line in telling.ending(ended, snapshot):
        say(line)
    return ended.report.verdict.exit_code
