"""What ``bcnet host``, ``bcnet join`` and ``bcnet resume`` do, once their words are understood."""

from __future__ import annotations

import asyncio
import random
import shlex
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Protocol

from bcnet.cli import program
from bcnet.cli.running import Deadline, say
from bcnet.errors import Exit, UsageError
from bcnet.games import registry
from bcnet.home import Home, TableFolder, Unfinished
from bcnet.session import Session
from bcnet.signing import Identity, fingerprint
from bcnet.table.membership import Terms
from bcnet_client.address import Address, parse_address, written
from bcnet_client.bot import PATIENCE, play
from bcnet_client.join import join, resume
from bcnet_client.telling import told_apart
from bcnet_host.addresses import Kind, Reachable, of_this_machine
from bcnet_host.admission import Admission, Idle, Notice, Turned
from bcnet_host.server import Server, listen

GAME = "balloon-cup"

NOT_PRIVATE = "The line is not private yet: it can be read on its way, though not changed."

TIDY_TIME = 1.0
"""Seconds that a player gets to put the screen in order."""

HAND_OUT_TIME = 20.0
"""Seconds that a side whose game is complete stays for the other, whose line has dropped, to get the last of it."""

NEXT_TIME = 45.0
"""Seconds until the next game of an evening has begun, once both want it."""

_EVERY_ADDRESS = frozenset({"", "::", "0.0.0.0"})  # noqa: S104 (compared, not bound)


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

    def __str__(self) -> str:
        return f"You are {self.name}, key {self.identity.fingerprint}."


class Person:
    """The person at the terminal."""

    plays_several = True

    async def play(self, session: Session, score: str) -> int:
        """Show the console."""
        from bcnet_client import console

        return int(await console.run(session, score=score))


class BotPlayer:
    """A bot that writes what happens to standard output."""

    def __init__(self, name: str, seed: int | None, *, games: int = 1, patience: float = PATIENCE) -> None:
        self._chooser = registry.get(GAME).bots[name]
        self._rng = random.Random(seed)  # noqa: S311 (a bot's choices; nothing secret)
        self._left = games
        self._patience = patience

    @property
    def plays_several(self) -> bool:
        """Whether this is not the last of its games."""
        return self._left > 1

    async def play(self, session: Session, score: str) -> int:
        """Play one of the games."""
        if score:
            say(score)
        again = self.plays_several
        self._left -= 1
        return await play(session, self._chooser, self._rng, say, patience=self._patience, again=again)


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
            f"{name} {self.won.get(member.identity + bytes([seat]), 0)}"
            for seat, (name, member) in enumerate(zip(names, members, strict=True))
        ]
        drawn = f", {self.drawn} drawn" if self.drawn else ""
        return f"The evening so far: {', '.join(parts)}{drawn}."


async def host_table(
    us: Self, address: Address, options: dict[str, str], player: Player, deadline: Deadline
) -> Exit:
    """Open a table, show how to get there, play with whoever sits down."""
    game = registry.get(GAME)
    terms = Terms.of(game, game.seats[0], options)
    server = await listen(address)
    admission = Admission(us.home, us.identity, us.name, terms, _tell)
    try:
        await admission.open()
        await server.start(admission)
        for line in opening(us, address, server.port):
            say(line)
        try:
            session = await asyncio.shield(admission.game)
        except asyncio.CancelledError:
            say("The table is closed.")
            raise
        session.remember(written(address.host, server.port))
        return await _play_evening(session, admission, player, deadline)
    finally:
        await _shut(admission, server, deadline)


async def join_table(us: Self, address: Address, player: Player, deadline: Deadline) -> Exit:
    """Sit down at another's table and play."""
    say(f"{us} Joining {address} …")
    say(NOT_PRIVATE)
    visit = await join(us.home, us.identity, us.name, address)
    try:
        return await _play_evening(visit.session, visit, player, deadline)
    finally:
        deadline.start()
        await visit.close()


async def resume_table(
    us: Self, table: Unfinished, address: Address | None, player: Player, deadline: Deadline, *, restore: bool
) -> Exit:
    """Take up an unfinished table: the host listens again, the guest goes to where the host was, or to ``address``."""
    if restore:
        say(f"The journal that was here is kept as {us.home.set_journal_aside(table)}")
        say("The other side's copy restores the game when it comes back.")
    folder = us.home.open(table)
    there = address or _remembered(folder, listening=table.seat == 0)
    if there is None:
        folder.close()
        raise UsageError(
            "Where the host of table {table} listens is not known here.",
            hint="Give the address: bcnet resume {table} ADDR",
            table=table.table,
        )
    session = await Session.resume(us.home, us.identity, us.name, folder)
    return await _resumed(us, session, table.seat, there, player, deadline)


async def hand_out(
    us: Self, path: Any, seat: int, address: Address | None, player: Player, deadline: Deadline
) -> Exit:
    """Give the other side what it lacks of a table that is finished here."""
    session = await Session.finished(us.home, us.identity, path, seat)
    if seat != 0 and address is None:
        raise UsageError(
            "That table is finished here; its transcript lies at {path}",
            hint="If the other side lacks the last of it, give its address: bcnet resume TABLE ADDR",
            path=path,
        )
    say("This table is finished here. The other side gets what it lacks when it comes; Ctrl-C ends.")
    return await _resumed(us, session, seat, address or Address("", 4680), player, deadline)


def _remembered(folder: TableFolder, *, listening: bool) -> Address | None:
    if folder.address:
        with suppress(UsageError):
            return parse_address(folder.address, listening=listening)
    return Address("", 4680) if listening else None


async def _resumed(
    us: Self, session: Session, seat: int, there: Address, player: Player, deadline: Deadline
) -> Exit:
    if seat != 0:
        say(f"{us} Going back to the table at {there} …")
        visit = resume(us.home, us.identity, us.name, there, session)
        session.remember(str(there))
        try:
            return await _play_evening(session, visit, player, deadline)
        finally:
            deadline.start()
            await visit.close()
    terms = session.snapshot.terms or Terms.of(registry.get(GAME), 2, {"fill": "designer"})
    server: Server | None = None
    admission = Admission(us.home, us.identity, us.name, terms, _tell)
    try:
        server = await listen(there)
        admission.take_up(session)
        await server.start(admission)
        session.remember(written(there.host, server.port))
        for line in reopening(us, session, there, server.port):
            say(line)
        return await _play_evening(session, admission, player, deadline)
    finally:
        await session.close()
        if server is not None:
            await _shut(admission, server, deadline)


async def _shut(admission: Admission, server: Server, deadline: Deadline) -> None:
    deadline.start()
    await admission.close()
    await server.stop()


def opening(us: Self, address: Address, port: int) -> Sequence[str]:
    """What a host shows before anything else: whole lines for the other to type, for each address."""
    lines = [f"The table is open. {us}", "", *_ways("join", "", address, port)]
    return [*lines, "", NOT_PRIVATE, "Waiting for the other player. Ctrl-C closes the table."]


def reopening(us: Self, session: Session, address: Address, port: int) -> Sequence[str]:
    """What a host shows that has taken a table up again."""
    table = (session.table_id or session.lost_id)[:8].hex()
    lines = [f"Table {table} is open again. {us}", "", *_ways("resume", f"{table} ", address, port)]
    return [
        *lines,
        "",
        "The other player's program comes back by itself if it is running; if not, by that line.",
    ]


def _ways(verb: str, what: str, address: Address, port: int) -> Sequence[str]:
    if address.host in _EVERY_ADDRESS:
        ways = [(_PLACES[way.kind], way) for way in of_this_machine()]
    else:
        ways = [("this line:", Reachable(address.host, "", Kind.LAN))]
    lines = []
    for number, (place, way) in enumerate(ways):
        if number == 0:
            lines.append(f"The other player types {place}")
        elif place != ways[number - 1][0]:
            lines.append(f"or {place}")
        lines.append(f"  {program.name()} {verb} {what}{shlex.quote(written(way.host, port))}")
    return lines


_PLACES = {
    Kind.LAN: "one of these lines, the likely one first:",
    Kind.VPN: "over a VPN:",
    Kind.VIRTUAL: "in a container or a virtual machine here:",
    Kind.LINK_LOCAL: "on the same cable or WLAN (with the other's own interface after %):",
    Kind.LOOPBACK: "on this machine:",
}


def _tell(notice: Notice) -> None:
    match notice:
        case Turned(why):
            say(f"Somebody was turned away: {why.message}")
        case Idle(identity):
            say(
                f"Key {fingerprint(identity)} came to the table and did not sit down. The table is open again."
            )


def _introduce(session: Session) -> None:
    """Who the other is, as proven and signed."""
    here = session.snapshot
    others = [member for seat, member in enumerate(here.members) if seat != here.seat]
    for other in others:
        say(f"You play with {other.name}, key {fingerprint(other.identity)}.")
    if others and any(other.identity == here.members[here.seat].identity for other in others):
        say("Both seats have the same key: you are playing against yourself.")


async def _play_evening(session: Session, lines: Lines, player: Player, deadline: Deadline) -> Exit:
    """Play one game after another, as long as both want another."""
    evening = Evening()
    while True:
        code = await _play(session, player, evening, deadline)
        if not session.plays_on:
            return code
        try:
            async with asyncio.timeout(NEXT_TIME):
                following = await lines.next_game()
        except TimeoutError:
            following = None
        if following is None:
            say("There is no other game: the other player has left.")
            return code
        session = following


async def _play(session: Session, player: Player, evening: Evening, deadline: Deadline) -> Exit:
    """Play to the end, or until this side or the other leaves; the table is let go of whatever happens."""
    _introduce(session)
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
            say("You have left; the game is unfinished.")
    finally:
        if not session.plays_on or left:
            deadline.start()
        playing.cancel()
        await asyncio.wait({playing}, timeout=TIDY_TIME)
        path = await session.close()
    evening.count(session)
    if session.ended is not None:
        code = session.ended.report.verdict.exit_code
        if evening.games > 1:
            say(evening.score(session))
    elif path is not None:
        say(f"What was played so far: {path}")
        say(f"To go on: {program.name()} resume {session.table_id[:8].hex()}")
    deadline.code = code
    if left and session.plays_on:
        raise asyncio.CancelledError
    return code


async def _hand_over_the_end(session: Session) -> None:
    """Stay until the other side has the whole table as well, but not for long."""
    if session.ended is None or session.ended.fault is not None or session.plays_on:
        return
    try:
        async with asyncio.timeout(2):
            await session.delivered.wait()
    except TimeoutError:
        say(
            f"The other side lacks the last entries; waiting {HAND_OUT_TIME:.0f} seconds for it. Ctrl-C ends."
        )
        with suppress(TimeoutError):
            async with asyncio.timeout(HAND_OUT_TIME):
                await session.delivered.wait()
