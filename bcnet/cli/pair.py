"""A host and its guests as processes of this program, for ``bcnet demo``."""

from __future__ import annotations

import asyncio
import re
import shlex
import shutil
import sys
import tempfile
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import click

from bcnet.cli import children, logs, program
from bcnet.cli.running import say
from bcnet.errors import BcnetError, Exit, listed, visible
from bcnet.files import storage_errors
from bcnet.games.interface import is_move
from bcnet.language import _, told
from bcnet.names import told_apart
from bcnet.several import verify_files
from bcnet.table.membership import Terms
from bcnet.transcript import SUFFIX
from bcnet.verify import Report, examine_file, worst

NAMES = ("Ann", "Bob", "Carol", "Dan", "Eve")

BOT = "normal"
TIME_TO_FAIL = 3.0
"""Seconds that the others get to end when one has, so that the one to blame is named."""
QUIET_TIME = 60.0
"""Seconds without a word from the host after which a game is given up."""

_COMPLAINTS = ".complaints"
"""Beside its home lies what a process has written to its standard error."""

_JOIN_LINE = re.compile(r"  bcnet join (\S+) (\S+)")


class DemoFailed(BcnetError):
    """One of the two processes has not played to the end."""


async def play_and_verify(terms: Terms, count: int, out: Path | None) -> int:
    """Play ``count`` games, verify all files of each, and say where they lie."""
    sides = _sides(terms.seats)
    folder = _new_folder(out, sides)
    announced = _("{count} processes of bcnet, each with a bot, play over the network of this machine.")
    say(announced.format(count=terms.seats))
    reports = []
    with tempfile.TemporaryDirectory(prefix="bcnet-demo-") as homes:
        for number in range(1, count + 1):
            label = _("Game {number} of {count}:").format(number=number, count=count) if count > 1 else ""
            try:
                reports.append(await _game(terms, label, Path(homes), folder))
            except asyncio.CancelledError:
                say("\n" + _("Interrupted; all processes are told to leave."))
                raise
            except DemoFailed:
                if kept := _keep_logs(Path(homes), folder, sides):
                    paths = listed([visible(str(path)) for path in kept])
                    say(_("What the processes have noted: {paths}").format(paths=told(paths)))
                raise
            finally:
                _pass_complaints_on(Path(homes), folder, sides)
    folders = listed([visible(str(folder / side)) for side in sides])
    say(_("Transcripts: {folders}").format(folders=told(folders)))
    command = f"{program.name()} verify {shlex.quote(str(folder))}/*/*{SUFFIX}"
    say(_("To verify them once more: {command}").format(command=command))
    return worst(report.verdict for report in reports).exit_code


def _sides(seats: int) -> tuple[str, ...]:
    """What the seats' folders are called."""
    return ("host", "guest") if seats == 2 else ("host", *(f"guest-{seat}" for seat in range(1, seats)))


async def _game(terms: Terms, label: str, homes: Path, folder: Path) -> Report:
    began = time.monotonic()
    host_side, *guest_sides = sides = _sides(terms.seats)
    async with AsyncExitStack() as stack:

        async def start(side: str, *words: str, quiet: bool = False) -> Process:
            errors = stack.enter_context((homes / side).with_suffix(_COMPLAINTS).open("wb"))
            return await stack.enter_async_context(
                children.bot(BOT, homes / side, *words, quiet=quiet, errors=errors)
            )

        host = await start(host_side, "host", "--listen", "127.0.0.1:0", "--name", NAMES[0], *_typed(terms))
        lines = _lines(host)
        invitation = await _invitation(lines, host)
        guests = [
            await start(side, "join", *invitation, "--name", name, quiet=True)
            for side, name in zip(guest_sides, NAMES[1:], strict=False)
        ]
        await _all_end_well([host, *guests], _show_all(lines, label, homes))
    seconds = time.monotonic() - began
    files = [_keep(homes / side, folder / side) for side in sides]
    same = len({path.read_bytes() for path in files}) == 1
    report, replay = await asyncio.to_thread(examine_file, files[0])
    if not same:
        report = (await asyncio.to_thread(lambda: next(verify_files(files)))).report
    if label and sys.stdout.isatty():
        say("\r", end="")
    if report.result is not None and replay is not None:
        moves = sum(is_move(taken.step) for taken in replay.course.steps)
        result = told(report.result.told(told_apart([who.name for who in report.players])))
        counted = _("{moves} moves were made in {seconds:.1f} seconds.")
        say(f"{label} {result} {counted.format(moves=moves, seconds=seconds)}".lstrip())
    verdict = (
        _("Verdict on all transcripts, equal to the byte: {verdict}.")
        if same
        else _("Verdict on all transcripts, which differ: {verdict}.")
    )
    said = verdict.format(verdict=told(report.verdict.word))
    say(f"{label} {said}".lstrip())
    return report


async def _show_all(lines: AsyncIterator[str], label: str, homes: Path) -> None:
    count = 0
    async for line in lines:
        if str(homes) not in line:  # the transcript is moved to its place afterwards
            count += 1
            _show(label, line, count)


async def _all_end_well(processes: Sequence[Process], showing: Coroutine[Any, Any, None]) -> None:
    """Return when all have ended. As soon as one has not played to the end, raises `DemoFailed`: of that one, or of one
    with a defect, which takes the others along.
    """
    together = asyncio.gather(showing, *map(_ended_well, processes))
    try:
        await together
    except _EndedEarly:
        if Exit.DEFECT not in {process.returncode for process in processes}:
            await asyncio.wait(
                [asyncio.create_task(process.wait()) for process in processes], timeout=TIME_TO_FAIL
            )
        failed = [
            (each.returncode, name) for each, name in zip(processes, NAMES, strict=False) if each.returncode
        ]
        # one that was killed may leave the others waiting, or take them along
        code, name = max(failed, key=lambda each: (each[0] < 0, each[0]))
        raise _failed(name, code) from None
    finally:
        together.cancel()


class _EndedEarly(Exception):
    """A process has ended with another code than 0."""


async def _ended_well(process: Process) -> None:
    if await process.wait():
        raise _EndedEarly


def _typed(terms: Terms) -> list[str]:
    """The words that open such a table."""
    chosen = [word for key, value in terms.game_options.items() for word in (f"--{key}", value)]
    hands = [] if terms.private_hands else ["--no-private-hands"]
    return ["--game", terms.game, "--seats", str(terms.seats), *chosen, *hands]


def _show(label: str, line: str, count: int) -> None:
    """One game is shown line by line, of several only how far they are."""
    if not label:
        say(f"  {line}".rstrip())
    elif sys.stdout.isatty():
        say("\r" + _("{label} {count} lines").format(label=label, count=count) + " ", end="")


async def _lines(process: Process) -> AsyncIterator[str]:
    assert process.stdout is not None
    try:
        while line := await asyncio.wait_for(process.stdout.readline(), QUIET_TIME):
            yield line.decode(errors="replace").rstrip("\n")
    except TimeoutError:
        raise DemoFailed("The host says nothing more.", hint="Is this machine overloaded?") from None


async def _invitation(lines: AsyncIterator[str], host: Process) -> tuple[str, str]:
    """Address and code, as the host shows them."""
    async for line in lines:
        if found := _JOIN_LINE.fullmatch(line):
            return found[1], found[2]
    raise _failed(NAMES[0], await host.wait())


def _failed(name: str, code: int) -> DemoFailed:
    error = DemoFailed("The process of {name} has ended ({how}).", name=name, how=children.how_it_ended(code))
    error.exit_code = Exit(code) if code in set(Exit) - {Exit.OK} else Exit.DEFECT
    return error


def _new_folder(out: Path | None, sides: Sequence[str]) -> Path:
    """Where the transcripts go; made with a folder for each side."""
    name = time.strftime("bcnet-demo-%Y%m%d-%H%M%S")
    wanted = out if out is not None else Path(name)
    number = 1
    while out is None and wanted.exists():
        number += 1
        wanted = Path(f"{name}-{number}")
    for side in sides:
        with storage_errors("make the folder", wanted / side):
            (wanted / side).mkdir(parents=True, exist_ok=True)
    return wanted


def _keep_logs(homes: Path, folder: Path, sides: Sequence[str]) -> list[Path]:
    """Move the logs that there are to where the person finds them."""
    kept = []
    for side in sides:
        log, there = homes / side / logs.FOLDER / logs.FILE, folder / side / logs.FILE
        if log.exists():
            with storage_errors("store", there):
                shutil.move(log, there)
            kept.append(there)
    return kept


def _pass_complaints_on(homes: Path, folder: Path, sides: Sequence[str]) -> None:
    """What the processes have complained of, with the place where their logs are now."""
    for side in sides:
        path = (homes / side).with_suffix(_COMPLAINTS)
        text = path.read_text("utf-8", "replace") if path.exists() else ""
        there = str(homes / side / logs.FOLDER / logs.FILE)
        click.echo(text.replace(there, visible(str(folder / side / logs.FILE))), err=True, nl=False)


def _keep(home: Path, folder: Path) -> Path:
    """Move the one transcript of a home to where the person finds it."""
    (found,) = (home / "transcripts").glob(f"*{SUFFIX}")
    kept = folder / found.name
    with storage_errors("store", kept):
        shutil.move(found, kept)
    return kept
