"""A host and a guest as two processes of this program, for ``bcnet demo``."""

from __future__ import annotations

import asyncio
import re
import shlex
import shutil
import sys
import tempfile
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from pathlib import Path

from bcnet.cli import children, program
from bcnet.cli.running import say
from bcnet.errors import BcnetError, Exit, Phrase
from bcnet.files import storage_errors
from bcnet.language import N_, _, told
from bcnet.names import told_apart
from bcnet.several import verify_files
from bcnet.transcript import SUFFIX
from bcnet.verify import Report, worst

SIDES = (Phrase("host"), Phrase("guest"))
"""What they are called, and their folders."""

QUIET_TIME = 60.0
"""Seconds without a word from the host after which a game is given up."""

_LAID = (
    N_("{name} lays {card} next to tile {tile}, on their own side."),
    N_("{name} lays {card} next to tile {tile}, on the side of {other}."),
)
"""What the host says of a card that is laid."""
_JOIN_LINE = re.compile(r"  bcnet join (\S+) (\S+)")


class DemoFailed(BcnetError):
    """One of the two processes has not played to the end."""


async def play_and_verify(count: int, out: Path | None) -> int:
    """Play ``count`` games, verify both files of each, and say where they lie."""
    folder = _new_folder(out)
    say(_("Two processes of bcnet, each with a bot, play over the network of this machine."))
    reports = []
    with tempfile.TemporaryDirectory(prefix="bcnet-demo-") as homes:
        for number in range(1, count + 1):
            label = _("Game {number} of {count}:").format(number=number, count=count) if count > 1 else ""
            try:
                reports.append(await _game(label, Path(homes), folder))
            except asyncio.CancelledError:
                say("\n" + _("Interrupted; both processes are told to leave."))
                raise
    say(_("Transcripts: {one} and {other}").format(one=folder / "host", other=folder / "guest"))
    command = f"{program.name()} verify {shlex.quote(str(folder))}/*/*{SUFFIX}"
    say(_("To verify them once more: {command}").format(command=command))
    return worst(report.verdict for report in reports).exit_code


async def _game(label: str, homes: Path, folder: Path) -> Report:
    began = time.monotonic()
    moves = 0
    async with children.bot(
        "normal", homes / "host", "host", "--listen", "127.0.0.1:0", "--name", "Ann"
    ) as host:
        lines = _lines(host)
        invitation = await _invitation(lines, host)
        async with children.bot(
            "normal", homes / "guest", "join", *invitation, "--name", "Bob", quiet=True
        ) as guest:
            async for line in lines:
                moves += _is_move(line)
                if str(homes) not in line:  # the transcript is moved to its place afterwards
                    _show(label, line, moves)
            for side, process in zip(SIDES, (host, guest), strict=True):
                if code := await process.wait():
                    raise _failed(side, code)
    seconds = time.monotonic() - began
    files = [_keep(homes / side, folder / side) for side in SIDES]
    report = (await asyncio.to_thread(lambda: next(verify_files(files)))).report
    same = len({path.read_bytes() for path in files}) == 1
    if label and sys.stdout.isatty():
        say("\r", end="")
    if report.result is not None:
        result = told(report.result.told(told_apart([who.name for who in report.players])))
        counted = _("{moves} cards were played in {seconds:.1f} seconds.")
        say(f"{label} {result} {counted.format(moves=moves, seconds=seconds)}".lstrip())
    verdict = (
        _("Verdict on both transcripts, equal to the byte: {verdict}.")
        if same
        else _("Verdict on both transcripts, which differ: {verdict}.")
    )
    say(f"{label} {verdict.format(verdict=told(report.verdict.word))}".lstrip())
    return report


def _show(label: str, line: str, moves: int) -> None:
    """One game is shown line by line, of several only how far they are."""
    if not label:
        say(f"  {line}".rstrip())
    elif sys.stdout.isatty():
        say("\r" + _("{label} {moves} cards played").format(label=label, moves=moves) + " ", end="")


def _is_move(line: str) -> bool:
    """Whether a line, in the language that the processes share with this one, tells of a card that is laid."""
    return any(re.fullmatch(re.sub(r"\\\{\w+\\\}", ".+", re.escape(_(said))), line) for said in _LAID)


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
    raise _failed(SIDES[0], await host.wait())


def _failed(side: str, code: int) -> DemoFailed:
    error = DemoFailed("The process of the {side} has ended with exit code {code}.", side=side, code=code)
    error.exit_code = Exit(code) if code in set(Exit) else Exit.DEFECT
    return error


def _new_folder(out: Path | None) -> Path:
    """Where the transcripts go; made with a folder for each side."""
    name = time.strftime("bcnet-demo-%Y%m%d-%H%M%S")
    wanted = out if out is not None else Path(name)
    number = 1
    while out is None and wanted.exists():
        number += 1
        wanted = Path(f"{name}-{number}")
    for side in SIDES:
        with storage_errors("make the folder", wanted / side):
            (wanted / side).mkdir(parents=True, exist_ok=True)
    return wanted


def _keep(home: Path, folder: Path) -> Path:
    """Move the one transcript of a home to where the person finds it."""
    (found,) = (home / "transcripts").glob(f"*{SUFFIX}")
    kept = folder / found.name
    with storage_errors("store", kept):
        shutil.move(found, kept)
    return kept
