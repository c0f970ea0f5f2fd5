"""``bcnet host`` and ``bcnet join``."""

from __future__ import annotations

import asyncio
import getpass
import random
import shlex
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bcnet.cli import program
from bcnet.cli.options import locate, playing_options
from bcnet.cli.running import Deadline, end_with_parent, run, say
from bcnet.errors import Exit

if TYPE_CHECKING:
    from bcnet.home import Home
    from bcnet.session import Session
    from bcnet.signing import Identity
    from bcnet_client.address import Address
    from bcnet_host.addresses import Reachable
    from bcnet_host.admission import Notice

FILLS = ("designer", "blind", "capped")
GAME = "balloon-cup"

Player = Callable[["Session"], Awaitable[int]]


@click.command()
@click.option(
    "--listen",
    default="",
    metavar="ADDR:PORT",
    help="Where to wait: every address and port 4680 unless given.",
)
@click.option(
    "--fill", type=click.Choice(FILLS), default=FILLS[0], show_default=True, help="How tiles get cubes."
)
@playing_options
def host(
    listen: str,
    fill: str,
    name: str | None,
    bot: str | None,
    seed_bot: int | None,
    home: Path | None,
    *,
    leash: bool,
) -> int:
    """Open a table and wait for the other player.

    It shows what the other has to type. Both need to be in one network (LAN or VPN), and port 4680 (TCP) of this
    machine must be open to the other.

    \b
    bcnet host                            on every address, port 4680
    bcnet host --listen :5000             on another port
    bcnet host --listen 192.168.1.5:0     on one address, any free port
    """
    from bcnet_client.address import parse_address

    address = parse_address(listen, listening=True)
    player = _player(bot, seed_bot)
    place, identity, name = _who(home, name)
    if leash:
        end_with_parent()
    deadline = Deadline()
    return run(_host(place, identity, name, address, fill, player, deadline), deadline)


@click.command()
@click.argument("address", metavar="ADDR[:PORT]")
@playing_options
def join(
    address: str, name: str | None, bot: str | None, seed_bot: int | None, home: Path | None, *, leash: bool
) -> int:
    """Sit down at the table of the host at ADDR, as the host's program shows it.

    \b
    bcnet join 192.168.1.5
    bcnet join ann.local:5000
    bcnet join fd00::7
    bcnet join '[fe80::1%eth0]:5000'
    """
    from bcnet_client.address import parse_address

    there = parse_address(address)
    player = _player(bot, seed_bot)
    place, identity, name = _who(home, name)
    if leash:
        end_with_parent()
    deadline = Deadline()
    return run(_join(place, identity, name, there, player, deadline), deadline)


def _who(home: Path | None, name: str | None) -> tuple[Home, Identity, str]:
    from bcnet.names import clean_name, parse_name

    called = parse_name(name) if name is not None else clean_name(_login())
    place = locate(home)
    place.prepare()
    return place, place.identity(), called


def _login() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # an account without a name
        return ""


def _player(bot: str | None, seed: int | None) -> Player:
    """Whoever plays: a bot, or the person at the console."""
    if bot is None:

        async def person(session: Session) -> int:
            from bcnet_client import console

            return int(await console.run(session))

        return person
    from bcnet.games import registry
    from bcnet_client.bot import play

    chooser = registry.get(GAME).bots[bot]
    rng = random.Random(seed)  # noqa: S311 (a bot's choices; nothing secret)
    return lambda session: play(session, chooser, rng, say)


# --- host ---


async def _host(
    home: Home, identity: Identity, name: str, address: Address, fill: str, player: Player, deadline: Deadline
) -> Exit:
    from bcnet.games import registry
    from bcnet.table.membership import Terms
    from bcnet_host.admission import Admission
    from bcnet_host.server import listen

    game = registry.get(GAME)
    terms = Terms.of(game, game.seats[0], {"fill": fill})
    server = await listen(address)
    admission = Admission(home, identity, name, terms, _tell)
    try:
        await admission.open()
        await server.start(admission)
        for line in _opening(name, identity, address, server.port):
            say(line)
        session = await asyncio.shield(admission.game)
        _introduce(session)
        return await _play(session, player, deadline)
    finally:
        deadline.start()
        await admission.close()
        await server.stop()


def _opening(name: str, identity: Identity, address: Address, port: int) -> Sequence[str]:
    """What a host shows before anything else: what the other has to type."""
    from bcnet_client.address import written
    from bcnet_host.addresses import Kind, Reachable, of_this_machine

    everywhere = address.host in {"", "::", "0.0.0.0"}  # noqa: S104 (compared, not bound)
    ways = of_this_machine() if everywhere else [Reachable(address.host, "", Kind.LAN)]
    lines = [f"The table is open. You are {name}, key {identity.fingerprint}.", ""]
    heading = ""
    for way in ways:
        if (wanted := _heading(way, everywhere=everywhere)) != heading:
            heading = wanted
            lines.append(heading)
        lines.append(f"  {program.name()} join {shlex.quote(written(way.host, port))}")
    lines += [
        "",
        "The line is not private yet: whoever sits between you can read it, though not change the game.",
        "Waiting for the other player. Ctrl-C closes the table.",
    ]
    return lines


def _heading(way: Reachable, *, everywhere: bool) -> str:
    from bcnet_host.addresses import Kind

    if not everywhere:
        return "The other player types:"
    return {
        Kind.LAN: "The other player types one of these lines (the likely one first):",
        Kind.VPN: f"or, over the VPN ({way.interface}):",
        Kind.VIRTUAL: f"or, from a container or virtual machine ({way.interface}):",
        Kind.LINK_LOCAL: "or, on the same cable or WLAN (after % belongs the other machine's own interface):",
        Kind.LOOPBACK: "or, on this machine:",
    }[way.kind]


def _tell(notice: Notice) -> None:
    from bcnet.signing import fingerprint
    from bcnet_host.admission import Idle, Turned

    match notice:
        case Turned(why):
            say(f"Somebody was turned away: {why.message}")
        case Idle(identity):
            say(
                f"Key {fingerprint(identity)} came to the table and did not sit down. The table is open again."
            )


# --- join ---


async def _join(
    home: Home, identity: Identity, name: str, address: Address, player: Player, deadline: Deadline
) -> Exit:
    from bcnet_client.join import join as sit_down

    say(f"You are {name}, key {identity.fingerprint}. Joining {address} …")
    visit = await sit_down(home, identity, name, address)
    try:
        _introduce(visit.session)
        return await _play(visit.session, player, deadline)
    finally:
        deadline.start()
        await visit.close()


# --- both ---


def _introduce(session: Session) -> None:
    """Who the other is, as proven and signed."""
    from bcnet.signing import fingerprint

    here = session.snapshot
    others = [member for seat, member in enumerate(here.members) if seat != here.seat]
    for other in others:
        say(f"You play with {other.name}, key {fingerprint(other.identity)}.")
    if any(other.identity == here.members[here.seat].identity for other in others):
        say("Both seats have the same key: you are playing against yourself.")
    say("The line is not private yet: whoever sits between you can read it, though not change the game.")


async def _play(session: Session, player: Player, deadline: Deadline) -> Exit:
    """Play to the end, or until this side or the other leaves; the table is let go of whatever happens."""
    playing = asyncio.ensure_future(player(session))
    try:
        first: set[asyncio.Future[Any]] = {playing, session.failure}
        await asyncio.wait(first, return_when=asyncio.FIRST_COMPLETED)
        if session.failure.done():
            session.failure.result()
        code = Exit(playing.result())
    except asyncio.CancelledError:
        code = Exit.INCOMPLETE
    finally:
        playing.cancel()
        deadline.start()
        path = await session.close()
    if session.ended is not None:
        code = session.ended.report.verdict.exit_code
    elif path is not None:
        say(f"The game is unfinished. What was played so far: {path}")
    deadline.code = code
    return code
