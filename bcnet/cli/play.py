"""``bcnet play``, ``host``, ``join``, ``resume`` and ``watch``: their words."""

from __future__ import annotations

import getpass
import math
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from bcnet.cli import program
from bcnet.cli.agreeing import terms_of, terms_options
from bcnet.cli.options import home_option, listen_address, locate, log_option, look_options, player_name
from bcnet.cli.settings import was_typed
from bcnet.language import _

if TYPE_CHECKING:
    from bcnet.cli.evening import Player, Self
    from bcnet.cli.table import Publicity
    from bcnet.home import Home, Unfinished
    from bcnet_client.address import Address
    from bcnet_client.look import Look

LEVELS = ("easy", "normal", "hard")
BOTS = (*LEVELS, "random", "greedy")

_F = TypeVar("_F", bound=Callable[..., Any])


def _a_number(_context: click.Context, _option: click.Parameter, seconds: float) -> float:
    if math.isnan(seconds):  # no range keeps it out: it is neither below nor above anything
        raise click.BadParameter(_("nan is no number of seconds."))
    return seconds


def _playing_options(command: _F) -> _F:
    """What ``host`` and ``join`` share."""
    for option in (
        click.option("--leash", is_flag=True, hidden=True, help="End when standard input ends."),
        click.option(
            "--patience",
            type=click.FloatRange(0),
            callback=_a_number,
            default=60.0,
            metavar="SECONDS",
            help="How long a bot waits for the other side to come back (60).",
        ),
        click.option(
            "--games",
            "count",
            type=click.IntRange(1),
            default=1,
            metavar="N",
            help="So many games with a bot (1).",
        ),
        click.option("--seed-bot", type=int, metavar="N", help="Make the bot's choices repeatable."),
        click.option("--bot", type=click.Choice(BOTS), help="Let a bot play, a line for each event."),
        _name_option,
    ):
        command = option(command)
    return home_option(log_option(look_options(command)))


_name_option = click.option(
    "--name", type=player_name, metavar="NAME", help="What the other player sees you called."
)


def _publicity_options(command: _F) -> _F:
    """What ``host`` and ``resume`` share."""
    for option in (
        click.option(
            "--announce/--no-announce",
            "announced",
            default=True,
            show_default=True,
            help="As host, whether the local network is told that there is a table.",
        ),
        click.option(
            "--spectators",
            type=click.IntRange(0, 16),
            default=0,
            metavar="N",
            help="As host, let up to N people watch: bcnet watch.",
        ),
    ):
        command = option(command)
    return command


@click.command("play")
@click.option(
    "--level", type=click.Choice(LEVELS), default="normal", show_default=True, help="How well the bot plays."
)
@terms_options
@_name_option
@look_options
@log_option
@home_option
def practise(
    level: str,
    game: str,
    seats: int | None,
    name: str | None,
    home: Path | None,
    *,
    private_hands: bool,
    look: Look,
    **chosen: str,
) -> int:
    """Practise against bots on this machine; against one where the game allows that.

    A bot is another process, and plays over the same protocol as a person elsewhere would: it cannot see your
    cards, and the transcript verifies as any other. `hint` at the table says what a search finds best. A game that
    you have paused is offered again by the next `bcnet play`; `bcnet resume` takes it up, too.

    \b
    bcnet play
    bcnet play --level hard
    bcnet play --game stones --seats 3
    """
    terms = terms_of(game, seats, chosen, private_hands=private_hands, fewest=True)
    us = _who(home, name)

    from bcnet.cli.evening import Person
    from bcnet.cli.practice import opponents
    from bcnet.cli.running import run
    from bcnet.cli.table import Hosting, Publicity, host_table
    from bcnet_client.address import Address

    player = Person(look)
    if (
        table := _rather(us.home, seat=0, asks=True, levels=(level,) if was_typed("level") else LEVELS)
    ) is not None:
        return _go_on(us, table, None, player, leash=False)
    hosting = Hosting(
        Address("127.0.0.1", 0),
        terms,
        publicity=Publicity(announced=False),
        bring=opponents(us.home, level, terms.seats - 1),
    )
    return run(lambda deadline: host_table(us, hosting, player, deadline))


@click.command()
@click.option(
    "--listen",
    type=listen_address,
    default="",
    metavar="ADDR:PORT",
    help="Where to wait: every address and port 4680 unless given.",
)
@_publicity_options
@click.option(
    "--open/--no-open",
    "is_open",
    default=False,
    show_default=True,
    help="Whether anybody may sit down, without the code and without asking you.",
)
@terms_options
@_playing_options
def host(
    listen: str,
    game: str,
    seats: int | None,
    name: str | None,
    bot: str | None,
    seed_bot: int | None,
    count: int,
    patience: float,
    home: Path | None,
    *,
    spectators: int,
    announced: bool,
    is_open: bool,
    private_hands: bool,
    leash: bool,
    look: Look,
    **chosen: str,
) -> int:
    """Open a table and wait for the other players.

    It shows the line that the others have to type, with a code that lets them in. Whoever comes without the code is
    let in if you say yes. All need to be in one network (LAN or VPN), and port 4680 (TCP) of this machine must be open
    to the others. Where a game can be played by fewer than are awaited, `start` begins with those who are here.

    \b
    bcnet host                            on every address, port 4680
    bcnet host --listen :5000             on another port
    bcnet host --listen 192.168.1.5:0     on one address, any free port
    bcnet host --game stones --seats 3    another game, for three
    """
    terms = terms_of(game, seats, chosen, private_hands=private_hands)
    from bcnet.cli.running import run
    from bcnet.cli.table import Hosting, Publicity, host_table
    from bcnet_client.address import parse_address

    address = parse_address(listen, listening=True)
    us, player = _who(home, name), _player(bot, seed_bot, count, patience, look)
    publicity = Publicity(spectators, announced)
    if (table := _rather(us.home, seat=0, asks=bot is None)) is not None:
        return _go_on(us, table, address if was_typed("listen") else None, player, publicity, leash=leash)
    hosting = Hosting(address, terms, is_open=is_open, publicity=publicity)
    return run(lambda deadline: host_table(us, hosting, player, deadline), leash=leash)


@click.command()
@click.argument("address", metavar="[ADDR[:PORT]]", required=False)
@click.argument("code", metavar="[CODE]", required=False)
@click.option(
    "--trust-first",
    is_flag=True,
    help="Without CODE, take the key of a host whom you never met as it is. That authenticates nobody.",
)
@_playing_options
def join(
    address: str | None,
    code: str | None,
    name: str | None,
    bot: str | None,
    seed_bot: int | None,
    count: int,
    patience: float,
    home: Path | None,
    *,
    trust_first: bool,
    leash: bool,
    look: Look,
) -> int:
    """Sit down at the table of the host at ADDR, with the CODE that the host's program shows.

    Without the code the host has to say yes, and you are shown the host's key if you have not met before. Without
    anything you choose from the tables on the local network.

    \b
    bcnet join
    bcnet join 192.168.1.5 k5ma7-8qd2x-w4ch9-nt60z-3vbe2
    bcnet join ann.local:5000
    bcnet join fd00::7
    bcnet join '[fe80::1%eth0]:5000'
    """
    from bcnet.invite import Invite
    from bcnet_client.address import parse_address

    there = parse_address(address) if address is not None else None
    invite = Invite.parse(code) if code is not None else None
    us, player = _who(home, name), _player(bot, seed_bot, count, patience, look)
    if (table := _rather(us.home, seat=1, asks=bot is None)) is not None:
        return _go_on(us, table, there, player, leash=leash)

    from bcnet.cli.running import run
    from bcnet.cli.table import Joining, choose_table, join_table

    if there is None:
        return run(lambda deadline: choose_table(us, player, deadline), leash=leash)
    joining = Joining((there,), invite, trust_first=trust_first)
    return run(lambda deadline: join_table(us, joining, player, deadline), leash=leash)


@click.command()
@click.argument("address", metavar="ADDR[:PORT]")
@click.argument("code", metavar="[CODE]", required=False)
@click.option(
    "--trust-first",
    is_flag=True,
    help="Without CODE, take the key of a host whom you never met as it is. That authenticates nobody.",
)
@click.option("--name", type=player_name, metavar="NAME", help="What the host's program sees you called.")
@click.option("--leash", is_flag=True, hidden=True, help="End when standard input ends.")
@log_option
@home_option
def watch(
    address: str, code: str | None, name: str | None, home: Path | None, *, trust_first: bool, leash: bool
) -> int:
    """Watch the table at ADDR, where the host allows it (bcnet host --spectators N).

    You see what is public, a line for each event; every entry is checked as it comes. The CODE says which host is
    meant, and is not used up.
    """
    from bcnet.invite import Invite
    from bcnet_client.address import parse_address

    there, invite = parse_address(address), Invite.parse(code) if code is not None else None
    us = _who(home, name)

    from bcnet.cli.running import run
    from bcnet.cli.table import Joining, watch_table

    joining = Joining((there,), invite, trust_first=trust_first)
    return run(lambda _deadline: watch_table(us, joining), leash=leash)


@click.command()
@click.argument("table", required=False, metavar="[TABLE]")
@click.argument("address", required=False, metavar="[ADDR[:PORT]]")
@click.option("--restore", is_flag=True, help="Get a damaged journal back from the other side's copy.")
@_publicity_options
@_playing_options
def resume(
    table: str | None,
    address: str | None,
    name: str | None,
    bot: str | None,
    seed_bot: int | None,
    count: int,
    patience: float,
    home: Path | None,
    *,
    restore: bool,
    spectators: int,
    announced: bool,
    leash: bool,
    look: Look,
) -> int:
    """Go on with an unfinished table, as its host or its guest, after whatever has ended it.

    TABLE is as `bcnet games` shows it, or its beginning; it can be left out where there is only one. A guest whose
    host has another address now gives that; a host listens where it did, or at the ADDR:PORT given.

    \b
    bcnet resume
    bcnet resume 3f9a
    bcnet resume 3f9a 192.168.1.5:5000
    """
    from bcnet.cli.table import Publicity
    from bcnet.cli.unfinished import choose, finished_at
    from bcnet_client.address import parse_address

    us, player = _who(home, name), _player(bot, seed_bot, count, patience, look)
    if table is not None and address is None and not _HEX.fullmatch(table):
        table, address = None, table  # the only table, at another address
    done = finished_at(us.home, table)
    if done is not None:
        from bcnet.cli.running import run
        from bcnet.cli.table import hand_out

        there = parse_address(address, listening=done.seat == 0) if address else None
        return run(lambda deadline: hand_out(us, done.path, done.seat, there, player, deadline), leash=leash)
    found = choose(us.home, table)
    there = parse_address(address, listening=found.seat == 0) if address else None
    publicity = Publicity(spectators, announced)
    return _go_on(us, found, there, player, publicity, restore=restore, leash=leash)


_HEX = re.compile(r"[0-9a-f]{1,16}(-[0-9]+)?")


def _go_on(
    us: Self,
    table: Unfinished,
    address: Address | None,
    player: Player,
    publicity: Publicity | None = None,
    *,
    restore: bool = False,
    leash: bool,
) -> int:
    from bcnet.cli.practice import bots_at, opponents
    from bcnet.cli.running import run
    from bcnet.cli.table import Publicity, resume_table
    from bcnet_client.address import Address

    known, bring = publicity or Publicity(), None
    if table.seat == 0 and (bots := bots_at(us.home, table.table)) is not None:
        address, known, bring = Address("127.0.0.1", 0), Publicity(announced=False), opponents(us.home, *bots)
    return run(
        lambda deadline: resume_table(
            us, table, address, player, deadline, restore=restore, publicity=known, bring=bring
        ),
        leash=leash,
    )


def _rather(
    home: Home, *, seat: int, asks: bool, levels: tuple[str | None, ...] = (None,)
) -> Unfinished | None:
    """The unfinished table that the player would rather go on with than begin a new one: with a bot of one of these
    ``levels``, or with somebody who comes by himself (None).

    Only a person at a terminal is asked; otherwise the new table is begun, and a line says how to go on.
    """
    from bcnet.cli.asking import yes_or_no_alone
    from bcnet.cli.practice import bots_at
    from bcnet.cli.unfinished import in_words

    tables = [
        each
        for each in home.unfinished()
        if not each.is_offer
        and (each.seat == 0) == (seat == 0)
        and (bots_at(home, each.table) or (None, 0))[0] in levels
        and not home.is_in_use(each)
    ]
    if not tables:
        return None
    latest = max(tables, key=lambda each: each.changed)
    there_is = _("There is an unfinished table {table}: {words}.")
    click.echo(there_is.format(table=latest.table, words=in_words(latest)))
    if asks and sys.stdin.isatty() and sys.stdout.isatty():
        return latest if yes_or_no_alone(_("Go on with it?")) else None
    command = f"{program.at_home(home)} resume {latest.table}"
    click.echo(_("To go on with it: {command}").format(command=command))
    return None


def _who(home: Path | None, name: str | None) -> Self:
    from bcnet.cli.evening import Self

    place = locate(home)
    place.prepare()
    place.sweep()
    return Self(place, place.identity(), name or own_name(place), named=was_typed("name"))


def own_name(place: Home) -> str:
    """What one is called in this home where the settings say nothing: as was set there, else as one has logged in."""
    from bcnet.names import clean_name

    return place.name() or clean_name(_login())


def _login() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # an account without a name
        return ""


def _player(name: str | None, seed: int | None, games: int, patience: float, look: Look) -> Player:
    from bcnet.cli.evening import BotPlayer, Person

    return Person(look) if name is None else BotPlayer(name, seed, games=games, patience=patience)
