"""What ``bcnet host`` and ``bcnet join`` do, once their words are understood."""

from __future__ import annotations

import asyncio
import random
import shlex
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bcnet.cli import program
from bcnet.cli.running import Deadline, say
from bcnet.errors import Exit
from bcnet.games import registry
from bcnet.home import Home
from bcnet.session import Session
from bcnet.signing import Identity, fingerprint
from bcnet.table.membership import Terms
from bcnet_client.address import Address, written
from bcnet_client.bot import play
from bcnet_client.join import join
from bcnet_host.addresses import Kind, Reachable, of_this_machine
from bcnet_host.admission import Admission, Idle, Notice, Turned
from bcnet_host.server import listen

GAME = "balloon-cup"

NOT_PRIVATE = "The line is not private yet: it can be read on its way, though not changed."

TIDY_TIME = 1.0
"""Seconds that a player gets to put the screen in order."""

_EVERY_ADDRESS = frozenset({"", "::", "0.0.0.0"})  # noqa: S104 (compared, not bound)

Player = Callable[[Session], Awaitable[int]]
"""Whoever plays a session to its end; gives the exit code."""


@dataclass(frozen=True, slots=True)
class Self:
    """Who this side is."""

    home: Home
    identity: Identity
    name: str

    def __str__(self) -> str:
        return f"You are {self.name}, key {self.identity.fingerprint}."


async def person(session: Session) -> int:
    """The person at the terminal."""
    from bcnet_client import console

    return int(await console.run(session))


def bot(name: str, seed: int | None) -> Player:
    """A bot that writes what happens to standard output."""
    chooser = registry.get(GAME).bots[name]
    rng = random.Random(seed)  # noqa: S311 (a bot's choices; nothing secret)
    return lambda session: play(session, chooser, rng, say)


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
        return await _play(session, player, deadline)
    finally:
        deadline.start()
        await admission.close()
        await server.stop()


async def join_table(us: Self, address: Address, player: Player, deadline: Deadline) -> Exit:
    """Sit down at another's table and play."""
    say(f"{us} Joining {address} …")
    say(NOT_PRIVATE)
    visit = await join(us.home, us.identity, us.name, address)
    try:
        return await _play(visit.session, player, deadline)
    finally:
        deadline.start()
        await visit.close()


def opening(us: Self, address: Address, port: int) -> Sequence[str]:
    """What a host shows before anything else: whole lines for the other to type, for each address."""
    if address.host in _EVERY_ADDRESS:
        ways = [(_PLACES[way.kind], way) for way in of_this_machine()]
    else:
        ways = [("this line:", Reachable(address.host, "", Kind.LAN))]
    lines = [f"The table is open. {us}", ""]
    for number, (place, way) in enumerate(ways):
        if number == 0:
            lines.append(f"The other player types {place}")
        elif place != ways[number - 1][0]:
            lines.append(f"or {place}")
        lines.append(f"  {program.name()} join {shlex.quote(written(way.host, port))}")
    return [*lines, "", NOT_PRIVATE, "Waiting for the other player. Ctrl-C closes the table."]


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
    if any(other.identity == here.members[here.seat].identity for other in others):
        say("Both seats have the same key: you are playing against yourself.")


async def _play(session: Session, player: Player, deadline: Deadline) -> Exit:
    """Play to the end, or until this side or the other leaves; the table is let go of whatever happens."""
    _introduce(session)
    playing = asyncio.ensure_future(player(session))
    code = Exit.INCOMPLETE
    try:
        either: set[asyncio.Future[Any]] = {playing, session.failure}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if session.failure.done():
            session.failure.result()
        code = Exit(playing.result())
    except asyncio.CancelledError:
        say("You have left; the game is unfinished.")
    finally:
        deadline.start()
        playing.cancel()
        await asyncio.wait({playing}, timeout=TIDY_TIME)
        path = await session.close()
    if session.ended is not None:
        code = session.ended.report.verdict.exit_code
    elif path is not None:
        say(f"What was played so far: {path}")
    deadline.code = code
    return code
