"""``bcnet verify``, ``bcnet export`` and ``bcnet games``: what is said about files, without a network."""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bcnet.cli import program
from bcnet.cli.options import NamedPath, home_option, locate
from bcnet.cli.output import put_out
from bcnet.cli.unfinished import in_words
from bcnet.errors import Phrase, listed, visible
from bcnet.language import _, told

if TYPE_CHECKING:
    from bcnet.games.interface import Over
    from bcnet.several import Group
    from bcnet.table.faults import Fault
    from bcnet.verify import Report, Who

_FILE = NamedPath()
_EXPECTED = re.compile(r"(0|[1-9][0-9]{0,2})=([a-z2-7]{4}(?:-[a-z2-7]{4}){3})")
SHORT = 400
"""Bytes of an entry up to which it is shown, and not only where it stands."""


def _identity(_context: click.Context, _option: click.Parameter, given: tuple[str, ...]) -> dict[int, str]:
    """``SEAT=KEY`` for several seats."""
    found: dict[int, str] = {}
    for text in given:
        match = _EXPECTED.fullmatch(text.strip().lower())
        if match is None:
            raise click.BadParameter(
                _(
                    "{text} is not SEAT=KEY: a seat's number and a key as `bcnet id` shows it, such as {example}"
                ).format(text=repr(text), example="0=3b5c-pjxu-6oze-onaf")
            )
        if found.setdefault(int(match[1]), match[2]) != match[2]:
            raise click.BadParameter(_("seat {seat} cannot have two keys").format(seat=match[1]))
    return found


@click.command()
@click.argument("files", nargs=-1, required=True, type=_FILE, metavar="FILE|DIR...")
@click.option("--explain", is_flag=True, help="Tell each game round by round, with what was checked.")
@click.option(
    "--proofs", is_flag=True, help="Run all proofs again, also where the audit makes that unnecessary."
)
@click.option(
    "--expect-identity",
    "identities",
    multiple=True,
    metavar="SEAT=KEY",
    callback=_identity,
    help="Fail unless this seat has this key (as `bcnet id` shows it); once for each seat.",
)
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(1, 256),
    metavar="N",
    help="Work with N processes. Default: one a core.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the reports for machines.")
@click.option("--brief", "-q", is_flag=True, help="Print the verdicts alone.")
def verify(
    files: Sequence[Path],
    *,
    explain: bool,
    proofs: bool,
    identities: dict[int, str],
    jobs: int | None,
    as_json: bool,
    brief: bool,
) -> int:
    """Say what a transcript proves: clean, cheated, unreadable or incomplete.

    A file is judged by nothing but its bytes. Several files of one table, such as both players', are judged together.
    Of a folder all transcripts (*.bct) in it and below are taken.

    \b
    Exit codes: 0 clean, 1 cheated, 2 unreadable, 3 incomplete, 4 other players
    than expected; of several, the worst in the order 4, 1, 2, 3, 0.
    """
    from bcnet.several import Asked, cores, exit_code, verify_files
    from bcnet.verify import worst

    paths = [path for each in files for path in _transcripts(each)]
    asked = Asked(proofs=proofs, story=explain, identities=identities)
    outcomes, tables = [], []
    with Progress(len(paths)) as progress:
        for group in verify_files(paths, asked=asked, jobs=jobs or cores(), progress=progress.add):
            outcomes.append((group.report.verdict, bool(group.strangers)))
            if as_json:
                tables.append(group.as_json())
                continue
            progress.clear()
            for line in _told(group, brief=brief):
                click.echo(visible(line))
    if as_json:
        verdict = worst(verdict for verdict, _strange in outcomes)
        click.echo(json.dumps({"verdict": verdict.value, "tables": tables}, indent=2, ensure_ascii=False))
    return exit_code(outcomes)


def _transcripts(path: Path) -> list[Path]:
    """A file, or all transcripts in and below a folder, in the order of their names."""
    from bcnet.errors import UsageError
    from bcnet.transcript import SUFFIX

    if not path.is_dir():
        return [path]
    found = sorted(each for each in path.rglob(f"*{SUFFIX}") if each.is_file())
    if not found:
        raise UsageError(
            "There are no transcripts (*{suffix}) in {path}.",
            hint="Name a transcript, or a folder that holds some.",
            suffix=SUFFIX,
            path=path,
        )
    return found


class Progress:
    """How many of several files are verified: a line that is written over, on standard error if it is a terminal."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        self._shown = total > 1 and sys.stderr.isatty()

    def __enter__(self) -> Progress:
        self.add(0)
        return self

    def __exit__(self, *_error: object) -> None:
        self.clear()

    def add(self, count: int) -> None:
        """So many more are done."""
        self._done += count
        if self._shown:
            done = _("{done} of {total} files verified").format(done=self._done, total=self._total)
            click.echo(f"\r\x1b[K{done} ", nl=False, err=True)

    def clear(self) -> None:
        """Make place for other lines."""
        if self._shown:
            click.echo("\r\x1b[K", nl=False, err=True)


def _told(group: Group, *, brief: bool) -> Iterator[str]:
    report = group.report
    word = _("other players") if group.strangers else told(report.verdict.word)
    yield f"{word}: {', '.join(map(str, group.files))}"
    if brief:
        return
    for stranger in group.strangers:
        yield f"  {told(stranger.message)}"
    if group.strangers:
        yield "  " + _("What the file itself proves: {verdict}.").format(verdict=told(report.verdict.word))
    yield f"  {told(report.message)}"
    for path, single in group.different:
        yield f"  {path}: {told(single.message)}"
    if report.game:
        options = "".join(f", {key} {value}" for key, value in report.options)
        yield _row(_("table"), f"{report.table_id.hex() or _('not begun')} ({report.game}{options})")
    for who in report.players:
        label = _("seat {seat}").format(seat=who.seat)
        yield _row(label, _("{name}, key {fingerprint}").format(name=who.name, fingerprint=who.fingerprint))
    if report.result is not None:
        yield _row(_("result"), _outcome(report.result, report.players))
    if report.table_id:
        counts = _("{entries} in {rounds} rounds").format(entries=report.entries, rounds=report.rounds)
        yield _row(_("entries"), counts)
        if report.proofs_checked:
            whole = report.fault is None
            yield _row(
                _("proofs"), _("all were run again") if whole else _("all were run again, up to the fault")
            )
        yield _row(_("audit"), _audited(report))
    if report.fault is not None:
        yield from _evidence(group, report.fault)
    if report.byte is not None:
        where = _("byte {byte}") if report.entry is None else _("byte {byte}, entry {entry}")
        yield _row(_("where"), where.format(byte=report.byte, entry=report.entry))
    for each in report.unchecked:
        yield "  " + _("not checked: {what}").format(what=told(each.message))
    for note in report.notes:
        yield _row(_("note"), told(note))
    for line in group.story:
        yield f"  {told(line)}"


def _row(label: str, text: str) -> str:
    return f"  {label:<8} {text}"


def _evidence(group: Group, fault: Fault) -> Iterator[str]:
    """The signed entries: where they stand, and the bytes themselves where they are few."""
    places = {place.data: place for place in group.places}
    for data in fault.evidence:
        place = places.get(data)
        if place:
            where = _("entry {entry} of {file}, {size} bytes from byte {byte}").format(
                entry=place.entry, file=place.file, size=len(data), byte=place.byte
            )
        else:
            where = _("{size} bytes").format(size=len(data))
        yield _row(_("signed"), where)
        if len(data) <= SHORT or not place:
            yield _row("", data.hex())


def _outcome(result: Over, players: Sequence[Who]) -> str:
    from bcnet.names import told_apart

    return told(result.told(told_apart([who.name for who in players])))


def _audited(report: Report) -> str:
    if not report.unaudited:
        return _("everything that was secret was computed again from all seeds")
    audited = [str(who.seat) for who in report.players if who.seat not in report.unaudited]
    if not audited:
        return _("not made")
    return _("made with the seed of seat {seat} alone").format(seat=", ".join(audited))


@click.command()
@click.argument("file", type=_FILE)
@click.option("--output", "-o", type=_FILE, metavar="OUT", help="Write to OUT, not to standard output.")
@click.option("--force", is_flag=True, help="Replace OUT if it is there already.")
def export(file: Path, output: Path | None, *, force: bool) -> int:
    """Write the record of a finished game as JSON: every card, every cube, every move.

    Only of a clean transcript can a record be made. An existing OUT is not replaced without --force.
    """
    from bcnet.record import make_record
    from bcnet.verify import examine_file

    record = make_record(*examine_file(file))
    text = json.dumps(record, indent=2, ensure_ascii=False) + "\n"
    if put_out(text, output := output or Path("-"), Phrase("the record"), force=force):
        click.echo(_("The record is in {path}.").format(path=visible(output)))
    return 0


@click.command()
@home_option
def games(home: Path | None) -> int:
    """List your games: finished transcripts and unfinished tables."""
    from bcnet.verify import examine_file

    place = locate(home)
    finished, unfinished = place.finished(), place.unfinished()
    if not finished and not unfinished:
        click.echo(
            _("There are no games in {path} yet. Begin with: bcnet host").format(path=visible(place.path))
        )
    for each in finished:
        report = examine_file(each.path)[0]
        result = _outcome(report.result, report.players) if report.result else _("no result")
        day = time.strftime("%Y-%m-%d %H:%M", time.localtime(each.stored))
        click.echo(f"{day}  {_opponents(report.players, each.seat)}  {result}  {told(report.verdict.word)}")
        click.echo(f"    {visible(each.path)}")
    if unfinished:
        click.echo(_("Unfinished:"))
    for table in unfinished:
        day = time.strftime("%Y-%m-%d %H:%M", time.localtime(table.changed))
        label = (
            _("table {table}, seat {seat}: {words} (being played now)")
            if place.is_in_use(table)
            else _("table {table}, seat {seat}: {words}")
        )
        words = label.format(table=table.table, seat=table.seat, words=in_words(table))
        click.echo(f"{day}  {words}")
        click.echo(f"    {visible(table.path)}")
    if unfinished:
        called = program.at_home(place)
        click.echo(
            _("To go on: {program} resume TABLE; to end one: {program} close TABLE").format(program=called)
        )
    return 0


def _opponents(players: Sequence[Who], seat: int) -> str:
    others = [who for who in players if who.seat != seat]
    return _("with {names}").format(names=told(listed([who.name for who in others])) or _("nobody"))
