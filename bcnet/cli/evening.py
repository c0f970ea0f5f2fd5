"""The games of one sitting: who plays them, how they end, and what is said in between."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from bcnet.cli import program
from bcnet.cli.running import Deadline, say
from bcnet.errors import BcnetError, Exit, UsageError, visible
from bcnet.games import registry
from bcnet.games.interface import Bot
from bcnet.home import Home
from bcnet.language import _, told
from bcnet.names import told_apart
from bcnet.session import Session
from bcnet.signing import Identity, fingerprint
from bcnet_client.bot import PATIENCE, play
from bcnet_client.look import Look
from bcnet_client.telling import about_shared_keys, about_terms, names_of

TIDY_TIME = 1.0
"""Seconds that a player gets to put the screen in order."""

HAND_OUT_TIME = 20.0
"""Seconds that a side whose game is complete stays for the other, whose line has dropped, to get the last of it."""

NEXT_SOON = 5.0
"""Seconds after which a player is told that the next game has not begun yet, though both want it."""
NEXT_TIME = 300.0
"""Seconds until it has to begin; the line may have to come back first."""


class Player(Protocol):
    """Whoever plays the sessions of an evening, one after another."""

    @property
    def plays_several(self) -> bool:
        """Whether there may be another game after this one."""

    async def play(self, session: Session, score: str) -> int:
        """Play a session to its end; gives the exit code. ``session.plays_on`` then tells of another game."""


@dataclass(frozen=True, slots=True)
class Self:
    """Who this side is."""

    home: Home
    identity: Identity
    name: str
    named: bool = False
    """Whether by ``--name``, and not by habit."""

    def __str__(self) -> str:
        return _("You are {name}, key {fingerprint}.").format(
            name=self.name, fingerprint=self.identity.fingerprint
        )

    def at(self, session: Session) -> Self:
        """Who this side is at a table that it takes up, and in the games that follow: called as there, unless it has
        just been given another name.
        """
        here = session.snapshot
        if self.named or len(here.members) <= here.seat:
            return self
        return replace(self, name=here.members[here.seat].name)


class Person:
    """The person at the terminal."""

    plays_several = True

    def __init__(self, look: Look) -> None:
        self.look = look

    async def play(self, session: Session, score: str) -> int:
        """Show the console."""
        from bcnet_client import console

        return int(await console.run(session, self.look, score=score, program=program.name()))


class BotPlayer:
    """A bot that writes what happens to standard output."""

    def __init__(self, name: str, seed: int | None, *, games: int = 1, patience: float = PATIENCE) -> None:
        self._name = name
        self._rng = random.Random(seed)  # noqa: S311 (a bot's choices; nothing secret)
        self._left = games
        self._patience = patience

    @property
    def plays_several(self) -> bool:
        """Whether this is not the last of its games."""
        return self._left > 1

    async def play(self, session: Session, score: str) -> int:
        """Play one of the games. Raises `UsageError` if there is no such bot for it."""
        chooser = bot_for(session, self._name)
        if score:
            say(score)
        again = self.plays_several
        self._left -= 1
        return await play(session, chooser, self._rng, say, patience=self._patience, again=again)


def bot_for(session: Session, name: str) -> Bot:
    """The bot of that name for the game of a session. Raises `UsageError`."""
    terms = session.snapshot.terms
    game = registry.get(terms.game if terms else registry.names()[0])
    if name not in game.bots:
        raise UsageError(
            "There is no bot {name!r} for {game}.",
            hint="There is: {names}",
            name=name,
            game=game.title,
            names=", ".join(game.bots),
        )
    return game.bots[name]


class Lines(Protocol):
    """The side of a connection that brings the next game: a host's door, a guest's visit."""

    async def next_game(self) -> Session | None:
        """The session of the next game; None if there will be none."""


@dataclass
class Evening:
    """How the games of one sitting have ended."""

    games: int = 0
    drawn: int = 0
    won: dict[bytes, int] = field(default_factory=dict)

    def count(self, session: Session) -> None:
        """Count a game that has ended."""
        if session.ended is None or session.ended.result is None:
            return
        self.games += 1
        self.drawn += not session.ended.result.winners
        for seat in session.ended.result.winners:
            key = session.snapshot.members[seat].identity + bytes([seat])
            self.won[key] = self.won.get(key, 0) + 1

    def score(self, session: Session) -> str:
        """The score so far, for a line of its own; empty before a second game."""
        members = session.snapshot.members
        if self.games == 0 or not members:
            return ""
        names = told_apart([member.name for member in members])
        parts = [
            f"{told(name)} {self.won.get(member.identity + bytes([seat]), 0)}"
            for seat, (name, member) in enumerate(zip(names, members, strict=True))
        ]
        if self.drawn:
            parts.append(_("{count} drawn").format(count=self.drawn))
        return _("The evening so far: {results}.").format(results=", ".join(parts))


def _introduce(us: Self, session: Session) -> None:
    """Who the other is, as proven and signed, and whether one has met before."""
    here = session.snapshot
    keys = [fingerprint(member.identity) for member in here.members]
    for seat, other in enumerate(here.members):
        if seat == here.seat:
            continue
        met = "" if other.identity == us.identity.public else _met(us, other.identity, other.name)
        greeting = _("You play with {name}, key {fingerprint}.").format(
            name=other.name, fingerprint=keys[seat]
        )
        say(f"{greeting} {met}".rstrip())
    if here.terms is not None:
        for line in about_terms(here.terms):
            say(line)
    if len(keys) > 1 and len(set(keys)) == 1:
        say(_("Another seat has the same key: you are playing against yourself."))
    for line in about_shared_keys(names_of(here), keys):
        say(line)


def _met(us: Self, key: bytes, name: str) -> str:
    try:
        known = us.home.players.by_key(key)
    except BcnetError:
        return ""
    if known is None or known.first_met == known.last_met:
        return _("A first meeting.")
    others = [each for each in known.names if each != name]
    if others:
        return _("You have met since {date}, also as {name}.").format(
            date=known.first_met.date(), name=others[0]
        )
    return _("You have met since {date}.").format(date=known.first_met.date())


async def play_evening(us: Self, session: Session, lines: Lines, player: Player, deadline: Deadline) -> Exit:
    """Play one game after another, as long as both want another."""
    evening = Evening()
    _introduce(us, session)
    while True:
        code = await _play(us, session, player, evening, deadline)
        if not session.plays_on:
            return code
        try:  # the last table stays until there is another: if the line is cut now, it leads back to it
            following = await _following(lines)
            if following is not None and session.remembered:
                following.remember(session.remembered)
        finally:
            await session.close()
        if following is None:
            say(_("There is no other game: somebody has left."))
            return code
        session = following


async def _following(lines: Lines) -> Session | None:
    """The session of the next game; None if there will be none."""
    coming = asyncio.ensure_future(lines.next_game())
    try:
        done, _pending = await asyncio.wait({coming}, timeout=NEXT_SOON)
        if not done:
            say(_("Another game: waiting for the others … Ctrl-C ends the evening."))
            await asyncio.wait({coming}, timeout=NEXT_TIME)
        return coming.result() if coming.done() else None
    finally:
        coming.cancel()


async def _play(us: Self, session: Session, player: Player, evening: Evening, deadline: Deadline) -> Exit:
    """Play to the end, or until this side or the other leaves.

    Then the table is let go of, whatever happens, unless another game is to follow (``session.plays_on``).
    """
    session.keeps_lines = player.plays_several
    playing = asyncio.ensure_future(player.play(session, evening.score(session)))
    code = Exit.INCOMPLETE
    left = False
    try:
        either: set[asyncio.Future[Any]] = {playing, session.failure}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if session.failure.done():
            session.failure.result()
        code = Exit(playing.result())
        await _hand_over_the_end(session)
    except asyncio.CancelledError:
        left = True
        if session.ended is None:
            say(_("You have left; the game is unfinished."))
    finally:
        if not session.plays_on or left:
            deadline.start()
        playing.cancel()
        await asyncio.wait({playing}, timeout=TIDY_TIME)
        path = None if session.plays_on and not left else await session.close()
    evening.count(session)
    if session.ended is not None:
        code = session.ended.report.verdict.exit_code
        if evening.games > 1:
            say(evening.score(session))
    elif path is not None:
        say(_("What was played so far: {path}").format(path=visible(path)))
        command = f"{program.at_home(us.home)} resume {session.table_id[:8].hex()}"
        say(_("To go on: {command}").format(command=command))
    deadline.code = code
    if left and session.plays_on:
        raise asyncio.CancelledError
    return code


async def _hand_over_the_end(session: Session) -> None:
    """Stay until the other sides have the whole table as well, but not for long.

    A cheat gets nothing more; whoever was away when a guest was found cheating is shown it.
    """
    ended = session.ended
    if ended is None or session.plays_on or (ended.report.fault is not None and ended.fault is None):
        return
    try:
        async with asyncio.timeout(2):
            await session.delivered.wait()
    except TimeoutError:
        say(
            _(
                "The other side lacks the last entries; waiting {seconds:.0f} seconds for it. Ctrl-C ends."
            ).format(seconds=HAND_OUT_TIME)
        )
        with suppress(TimeoutError):
            async with asyncio.timeout(HAND_OUT_TIME):
                await session.delivered.wait()
