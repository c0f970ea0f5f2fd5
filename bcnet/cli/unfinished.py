"""Unfinished tables: ``bcnet forget`` and ``bcnet close``, and how a table is named and told of."""

from __future__ import annotations

import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bcnet.cli import program
from bcnet.cli.options import home_option, locate
from bcnet.errors import visible
from bcnet.language import _, told

if TYPE_CHECKING:
    from bcnet.home import Finished, Home, Unfinished


def choose(home: Home, name: str | None) -> Unfinished:
    """The unfinished table that a player means. Raises `UsageError`."""
    from bcnet.errors import UsageError

    tables = home.unfinished()
    named = [
        each for each in tables if name is None or (name and f"{each.table}-{each.seat}".startswith(name))
    ]
    if len(named) == 1:
        return named[0]
    if not tables:
        raise UsageError(
            "There is no unfinished table in {home}.", hint="Begin a game with: bcnet host", home=home.path
        )
    if not named:
        raise UsageError(
            "There is no unfinished table {name}.",
            hint="See which there are with: bcnet games",
            name=repr(name),
        )
    raise UsageError(
        "More than one table could be meant: {names}.",
        hint="Name one of them, or enough of its beginning.",
        names=", ".join(f"{each.table}-{each.seat}" for each in named),
    )


def finished_at(home: Home, name: str | None) -> Finished | None:
    """The finished table that a player means by name, if it is none of the unfinished ones."""
    if not name or any(f"{each.table}-{each.seat}".startswith(name) for each in home.unfinished()):
        return None
    found = [each for each in home.finished() if f"{each.table}-{each.seat}".startswith(name)]
    return found[0] if len(found) == 1 else None


def in_words(table: Unfinished) -> str:
    """With whom, since when, and whom the table waits for, as its journal tells."""
    from bcnet import journal
    from bcnet.errors import BcnetError, listed
    from bcnet.fairness.deck import Proofs
    from bcnet.table.table import Table

    began = time.strftime("%Y-%m-%d %H:%M", time.localtime(table.began))
    replay = Table(proofs=Proofs.LEAVE_TO_AUDIT)
    try:
        for record in journal.read(table.journal):
            if record.kind is not journal.Kind.NOTE:
                replay.receive(record.data)
    except BcnetError as error:
        why = f"{told(error.message)} {told(error.hint)}".rstrip(". ")
        return _("begun {began}; {why}").format(began=began, why=why)
    members = replay.course.members
    others = listed([member.name for seat, member in enumerate(members) if seat != table.seat])
    awaiting = replay.awaiting
    if awaiting is None:
        due = _("nothing is missing")
    elif table.seat in awaiting.seats:
        due = _("waits for you")
    else:
        names = listed(
            [
                members[seat].name if seat < len(members) else _("seat {seat}").format(seat=seat)
                for seat in awaiting.seats
            ]
        )
        due = _("waits for {names}").format(names=told(names))
    return _("{game} with {names}, begun {began}, round {round}, {due}").format(
        game=replay.course.game.title if replay.course.game else _("a game"),
        names=told(others) or _("nobody"),
        began=began,
        round=replay.log.open.number,
        due=due,
    )


@click.command()
@click.argument("table", metavar="TABLE")
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
@home_option
def forget(table: str, home: Path | None, *, yes: bool) -> int:
    """Remove an unfinished table for good: seed, journal and all.

    It can never go on then, and nothing of it can be proven any more; `bcnet close` keeps a transcript.
    """
    from bcnet.cli.asking import yes_or_no_alone

    place = locate(home)
    found = choose(place, table)
    click.echo(_("Table {table}: {words}.").format(table=found.table, words=in_words(found)))
    if not yes and not yes_or_no_alone(_("Remove it for good?")):
        click.echo(_("It was left as it is."))
        return 0
    place.forget(found)
    click.echo(_("Table {table} is forgotten.").format(table=found.table))
    return 0


@click.command()
@click.argument("table", metavar="TABLE")
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
@home_option
def close(table: str, home: Path | None, *, yes: bool) -> int:
    """Close an unfinished table for yourself, and keep the transcript of what was played.

    The transcript proves what it holds and nothing more: `bcnet verify` calls it incomplete, and says whose entry
    has been missing since which round. The table cannot go on afterwards.
    """
    from bcnet import journal
    from bcnet.cli.asking import yes_or_no_alone
    from bcnet.fairness.deck import Proofs
    from bcnet.table.table import Table
    from bcnet.verify import verify_file

    place = locate(home)
    found = choose(place, table)
    click.echo(_("Table {table}: {words}.").format(table=found.table, words=in_words(found)))
    if not yes and not yes_or_no_alone(_("Close it? It cannot go on then.")):
        click.echo(_("It was left as it is."))
        return 0
    with place.open(found) as folder:
        replay = Table(proofs=Proofs.LEAVE_TO_AUDIT)
        for record in folder.journal.records:
            if record.kind is not journal.Kind.NOTE:
                replay.receive(record.data)
        entries = [entry.data for entry in replay.log.entries()]
        if replay.fault is not None:
            entries.append(replay.fault.evidence[-1])
        path = folder.finish(entries)
    report = verify_file(path)
    click.echo(f"{told(report.verdict.word)}: {visible(path)}")
    click.echo(f"  {told(report.message)}")
    command = f"{program.name()} verify {visible(shlex.quote(str(path)))}"
    click.echo(_("Anyone can check it: {command}").format(command=command))
    return 0
