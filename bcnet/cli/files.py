"""``bcnet verify``, ``bcnet export`` and ``bcnet games``: what is said about files, without a network."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bcnet.cli import program
from bcnet.cli.options import home_option, locate
from bcnet.cli.unfinished import in_words

if TYPE_CHECKING:
    from bcnet.games.interface import Over
    from bcnet.verify import Group, Report, Who

_FILE = click.Path(path_type=Path)


@click.command()
@click.argument("files", nargs=-1, required=True, type=_FILE, metavar="FILE...")
@click.option("--json", "as_json", is_flag=True, help="Print the reports for machines.")
@click.option("--brief", "-q", is_flag=True, help="Print the verdicts alone.")
def verify(files: Sequence[Path], *, as_json: bool, brief: bool) -> int:
    """Say what a transcript proves: clean, cheated, unreadable or incomplete.

    A file is judged by nothing but its bytes. Several files of one table, such as both players', are judged together.

    \b
    Exit codes: 0 clean, 1 cheated, 2 unreadable, 3 incomplete; of several, the worst in the order 1, 2, 3, 0.
    """
    from bcnet.verify import verify_files, worst

    groups = verify_files(files)
    verdict = worst(group.report for group in groups)
    if as_json:
        tables = [{"files": [str(path) for path in group.files]} | group.report.as_json() for group in groups]
        click.echo(json.dumps({"verdict": verdict.value, "tables": tables}, indent=2, ensure_ascii=False))
    else:
        for group in groups:
            for line in _told(group, brief=brief):
                click.echo(line)
    return verdict.exit_code


def _told(group: Group, *, brief: bool) -> Iterator[str]:
    report = group.report
    yield f"{report.verdict.value}: {', '.join(map(str, group.files))}"
    if brief:
        return
    yield f"  {report.message}"
    if report.game:
        options = "".join(f", {key} {value}" for key, value in report.options)
        yield f"  table    {report.table_id.hex() or 'not begun'} ({report.game}{options})"
    for who in report.players:
        yield f"  seat {who.seat}   {who.name}, key {who.fingerprint}"
    if report.result is not None:
        yield f"  result   {_outcome(report.result, report.players)}"
    if report.table_id:
        yield f"  entries  {report.entries} in {report.rounds} rounds"
        yield f"  audit    {_audited(report)}"
    if report.fault is not None:
        for data in report.fault.evidence:
            yield f"  signed   {data.hex()}"
    for note in report.notes:
        yield f"  note     {note}"


def _outcome(result: Over, players: Sequence[Who]) -> str:
    from bcnet_client.telling import outcome, told_apart

    return outcome(result, told_apart([who.name for who in players]))


def _audited(report: Report) -> str:
    if not report.unaudited:
        return "everything that was secret was computed again from all seeds"
    seats = ", ".join(map(str, report.unaudited))
    proofs = "; all proofs were checked" if report.proofs_checked else ""
    return f"the seed of seat {seats} is not in the file, so its secrets could not be computed again{proofs}"


@click.command()
@click.argument("file", type=_FILE)
@click.option("--output", "-o", type=_FILE, metavar="OUT", help="Write to OUT, not to standard output.")
@click.option("--force", is_flag=True, help="Replace OUT if it is there already.")
def export(file: Path, output: Path | None, *, force: bool) -> int:
    """Write the record of a finished game as JSON: every card, every cube, every move.

    Only of a clean transcript can a record be made. An existing OUT is not replaced without --force.
    """
    from bcnet.errors import UsageError
    from bcnet.files import storage_errors, write_new
    from bcnet.record import make_record
    from bcnet.verify import examine_file

    record = make_record(*examine_file(file))
    text = json.dumps(record, indent=2, ensure_ascii=False) + "\n"
    if output is None or str(output) == "-":
        click.echo(text, nl=False)
        return 0
    with storage_errors("write the record", output):
        try:
            if force and output.exists():
                beside = output.with_name(f"{output.name}.new")
                write_new(beside, [text.encode()], mode=0o666)
                beside.replace(output)
            else:
                write_new(output, [text.encode()], mode=0o666)
        except FileExistsError:
            raise UsageError(
                "{path} is there already; it was left as it is.",
                hint="Choose another name, or replace it with --force.",
                path=output,
            ) from None
    return 0


@click.command()
@home_option
def games(home: Path | None) -> int:
    """List your games: finished transcripts and unfinished tables."""
    from bcnet.verify import examine_file

    place = locate(home)
    finished, unfinished = place.finished(), place.unfinished()
    if not finished and not unfinished:
        click.echo(f"There are no games in {place.path} yet. Begin with: bcnet host")
    for each in finished:
        report = examine_file(each.path)[0]
        result = _outcome(report.result, report.players) if report.result else "no result"
        day = time.strftime("%Y-%m-%d %H:%M", time.localtime(each.stored))
        click.echo(f"{day}  {_opponents(report.players, each.seat)}  {result}  {report.verdict.value}")
        click.echo(f"    {each.path}")
    if unfinished:
        click.echo("Unfinished:")
    for table in unfinished:
        day = time.strftime("%Y-%m-%d %H:%M", time.localtime(table.changed))
        now = " (being played now)" if place.is_in_use(table) else ""
        click.echo(f"{day}  table {table.table}, seat {table.seat}: {in_words(table)}{now}")
        click.echo(f"    {table.path}")
    if unfinished:
        click.echo(f"To go on: {program.name()} resume TABLE; to end one: {program.name()} close TABLE")
    return 0


def _opponents(players: Sequence[Who], seat: int) -> str:
    others = [who for who in players if who.seat != seat]
    return "with " + (" and ".join(who.name for who in others) or "nobody")
