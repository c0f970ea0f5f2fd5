"""What ``bcnet host`` and ``bcnet join`` do, once their words are understood."""

from __future__ import annotations

import asyncio
import random
import secrets
import shlex
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any

from bcnet.cli import asking, program
from bcnet.cli.running import Deadline, say
from bcnet.errors import BcnetError, Exit, NetworkError
from bcnet.games import registry
from bcnet.home import Home
from bcnet.invite import TOKEN_BITS, Invite, Turnstile
from bcnet.players import AnotherKey
from bcnet.session import Session
from bcnet.signing import Identity, fingerprint
from bcnet.table.membership import Terms
from bcnet_client.address import Address, written
from bcnet_client.bot import play
from bcnet_client.discovery import Browser
from bcnet_client.discovery import Notice as Announced
from bcnet_client.join import Joiner, join
from bcnet_client.reach import Unreachable, reach
from bcnet_client.trust import Confirm, Stranger, Trust
from bcnet_client.watch import watch
from bcnet_host.addresses import Kind, Reachable, of_this_machine
from bcnet_host.admission import Admission, Applicant, Door, Idle, Notice, Turned
from bcnet_host.announce import Announcement, reachable_hosts
from bcnet_host.certificate import make_certificate
from bcnet_host.server import listen
from bcnet_host.spectators import Spectators

GAME = "balloon-cup"

LOOK_TIME = 4.0
"""Seconds for which the network is searched where there is nobody to choose."""

TIDY_TIME = 1.0
"""Seconds that a player gets to put the screen in order."""

_EVERY_ADDRESS = frozenset({"", "::", "0.0.0.0"})  # noqa: S104 (compared, not bound)

Player = Callable[[Session], Awaitable[int]]
"""Whoever plays a session to its end; gives the exit code."""


_goodbyes: set[asyncio.Task[None]] = set()
"""Notices that are being taken back."""


class NothingFound(NetworkError):
    """There is no table to choose from."""


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


@dataclass(frozen=True, slots=True)
class Hosting:
    """How a table is opened."""

    address: Address
    options: dict[str, str]
    is_open: bool = False
    """Whether anybody may sit down, without the code."""
    spectators: int = 0
    """How many may watch."""
    announced: bool = True
    """Whether the local network is told, if the table can be reached from there."""


async def host_table(us: Self, hosting: Hosting, player: Player, deadline: Deadline) -> Exit:
    """Open a table, show how to get there, play with whoever sits down."""
    game = registry.get(GAME)
    terms = Terms.of(game, game.seats[0], hosting.options)
    us.home.players.all()  # a damaged list is found now, and not when a friend is at the door
    certificate = make_certificate(us.identity)
    server = await listen(hosting.address, certificate)
    invite = Invite.make(us.identity.public, secrets.randbits(TOKEN_BITS))
    ask = _may_sit_down if player is person and asking.is_possible() else None
    door = Door(certificate.fingerprint, Turnstile(invite), hosting.is_open, ask)
    admission = Admission(us.home, us.identity, us.name, terms, door, _tell)
    spectators = (
        Spectators(us.identity, us.name, certificate.fingerprint, hosting.spectators, lambda: admission.game)
        if hosting.spectators
        else None
    )
    try:
        await admission.open()
        await server.start(admission, spectators)
        for line in opening(us, hosting, server.port, invite.code):
            say(line)
        async with _announced(us, hosting, server.port):
            try:
                session = await asyncio.shield(admission.game)
            except asyncio.CancelledError:
                say("The table is closed.")
                raise
        return await _play(us, session, player, deadline)
    finally:
        deadline.start()
        await admission.close()
        await server.stop()


@asynccontextmanager
async def _announced(us: Self, hosting: Hosting, port: int) -> AsyncIterator[None]:
    """Tell the local network of the table as long as it is open."""
    host = hosting.address.host
    if not hosting.announced or _is_loopback(host):
        yield
        return
    hosts = reachable_hosts if host in _EVERY_ADDRESS else lambda: [host]
    announcement = Announcement(Announced(us.name, us.identity.fingerprint), port, hosts)
    await announcement.__aenter__()
    try:
        yield
    finally:
        _goodbyes.add(task := asyncio.create_task(announcement.close()))  # the game does not wait for it
        task.add_done_callback(_goodbyes.discard)


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return host == "localhost"


@dataclass(frozen=True, slots=True)
class Joining:
    """Where one sits down, and what one knows of the host."""

    addresses: Sequence[Address]
    """Those of one host; the first that can be reached is taken."""
    invite: Invite | None = None
    fingerprint: str = ""
    trust_first: bool = False
    """Whether a host whom one has never met is trusted without a question."""


async def join_table(us: Self, joining: Joining, player: Player, deadline: Deadline) -> Exit:
    """Sit down at another's table and play."""
    address = joining.addresses[0] if len(joining.addresses) == 1 else await _first(joining.addresses)
    say(f"{us} Joining {address} …")
    visit = await join(_joiner(us, joining), address)
    try:
        return await _play(us, visit.session, player, deadline)
    finally:
        deadline.start()
        await visit.close()


async def watch_table(us: Self, joining: Joining) -> Exit:
    """Follow another's table, a line for each event."""
    return await watch(_joiner(us, joining), joining.addresses[0], say)


def _joiner(us: Self, joining: Joining) -> Joiner:
    confirm: Confirm | None = None
    if joining.trust_first:
        confirm = _take_as_it_is
    elif asking.is_possible():
        confirm = _is_the_right_one
    trust = Trust(joining.invite, joining.fingerprint, confirm)
    return Joiner(us.home, us.identity, us.name, trust, waiting=lambda: say(WAITING_FOR_YES))


WAITING_FOR_YES = "The host is asked whether you may sit down …"


def opening(us: Self, hosting: Hosting, port: int, code: str) -> Sequence[str]:
    """What a host shows before anything else: whole lines for the other to type, for each address."""
    if hosting.address.host in _EVERY_ADDRESS:
        ways = [(_PLACES[way.kind], way) for way in of_this_machine()]
    else:
        ways = [("this line:", Reachable(hosting.address.host, "", Kind.LAN))]
    lines = [f"The table is open. {us}", ""]
    for number, (place, way) in enumerate(ways):
        if number == 0:
            lines.append(f"The other player types {place}")
        elif place != ways[number - 1][0]:
            lines.append(f"or {place}")
        lines.append(f"  {program.name()} join {shlex.quote(written(way.host, port))} {code}")
    who = (
        "Anybody may sit down, with or without the code."
        if hosting.is_open
        else "The code lets one player in, whoever is first: send the line to nobody else."
    )
    if hosting.spectators:
        who += (
            f" Up to {hosting.spectators} may watch: {program.name()} watch instead of {program.name()} join."
        )
    return [*lines, "", who, "Waiting for the other player. Ctrl-C closes the table."]


async def _first(addresses: Sequence[Address]) -> Address:
    """The first of a host's addresses that can be reached; the first of all if none can."""
    for address in addresses:
        with suppress(Unreachable):
            await reach(address)
            return address
    return addresses[0]


async def choose_table(us: Self, player: Player, deadline: Deadline) -> Exit:
    """List the tables on the local network; a person chooses one and sits down."""
    if player is person and asking.is_possible():
        from bcnet_client.console.tables import choose

        found = await choose(us.home.players.all)
        if found is None:
            return Exit.OK
        joining = Joining(found.addresses, fingerprint=found.notice.fingerprint)
        return await join_table(us, joining, player, deadline)
    return await _list_tables(us)


async def _list_tables(us: Self) -> Exit:
    """What is found in a few seconds, as lines."""
    from bcnet_client.console.tables import as_text

    known = us.home.players.all()
    async with Browser() as browser:
        await asyncio.sleep(LOOK_TIME)
    for text in as_text(browser, known):
        say(text)
    if browser.tables:
        return Exit.OK
    raise NothingFound(
        "No table was found on the local network{why}.",
        hint="Ask the host for the line that its program shows: bcnet join ADDR CODE.",
        why=f": {browser.trouble}" if browser.trouble else "",
    )


async def _may_sit_down(applicant: Applicant) -> bool:
    """Ask the host about somebody who has no code."""
    known = applicant.known
    since = f"You know this key since {known.first_met.date()}." if known else "You have never met this key."
    say()
    try:
        return await asking.yes_or_no(
            f"{applicant.name}, key {fingerprint(applicant.identity)}, wants to join.",
            f"They have no code. {since} Let them sit down?",
        )
    except asyncio.CancelledError:
        say("\nThe question has settled itself.")
        raise


async def _is_the_right_one(stranger: Stranger) -> bool:
    """Ask the joiner about a host that nobody has vouched for."""
    return await asking.yes_or_no(
        f"You have never met the host at {stranger.address}. Its key is {stranger.fingerprint}.",
        "Ask your friend, by voice, whether that is the key on the other screen. Is it?",
    )


async def _take_as_it_is(stranger: Stranger) -> bool:
    say(f"You have never met the host; its key {stranger.fingerprint} is taken as it is.")
    return True


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
            if isinstance(why, AnotherKey):
                say(f"  {why.hint}")
        case Idle(identity):
            say(
                f"Key {fingerprint(identity)} came to the table and did not sit down. The table is open again."
            )


def _introduce(us: Self, session: Session) -> None:
    """Who the other is, as proven and signed, and whether one has met before."""
    here = session.snapshot
    others = [member for seat, member in enumerate(here.members) if seat != here.seat]
    for other in others:
        met = "" if other.identity == us.identity.public else _met(us, other.identity, other.name)
        say(f"You play with {other.name}, key {fingerprint(other.identity)}.{met}")
    if any(other.identity == here.members[here.seat].identity for other in others):
        say("Both seats have the same key: you are playing against yourself.")


def _met(us: Self, key: bytes, name: str) -> str:
    try:
        known = us.home.players.by_key(key)
    except BcnetError:
        return ""
    if known is None or known.first_met == known.last_met:
        return " A first meeting."
    others = [each for each in known.names if each != name]
    before = f", also as {others[0]}" if others else ""
    return f" You have met since {known.first_met.date()}{before}."


async def _play(us: Self, session: Session, player: Player, deadline: Deadline) -> Exit:
    """Play to the end, or until this side or the other leaves; the table is let go of whatever happens."""
    _introduce(us, session)
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
