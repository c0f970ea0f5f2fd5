"""Real cheating programs against an unmodified bcnet, each in a process of its own: what comes of every one of them."""

from __future__ import annotations

import json
import re
import shutil
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bcnet import cli, transcript
from bcnet.entry import MAX_ENTRY, place_of
from bcnet.errors import Exit
from bcnet.home import Home
from bcnet.keeping import UNFINISHED
from bcnet.table.faults import FaultKind
from bcnet.verify import Verdict, verify_file
from bcnet.wire.v1 import table_pb2 as pb
from tests.cheaters.cheats import CHEATS, FILES, HOST, FileCheat, RealCheat, cheat_of
from tests.cheaters.program import RECORD, REHEARSED, kept
from tests.console.terminal import ROOT
from tests.net.processes import Bcnet, Start, guest, resume, starting, transcripts

pytestmark = [pytest.mark.end_to_end, pytest.mark.timeout(180)]

CHEATER = "cheater"
"""The cheater's home."""


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts bcnet processes that end with the test."""
    with starting(tmp_path) as start:
        yield start


def mallory(start: Start, folder: Path, cheat: RealCheat, *arguments: str, rehearsal: bool = False) -> Bcnet:
    """The cheating program; what passes its line is kept in ``record``, or in ``rehearsed``."""
    more = ("--bot", "random", "--name", "Mallory", "--patience", "3")
    return start(
        cheat.name,
        *arguments,
        *more,
        *(("--rehearsal",) if rehearsal else ()),
        home=CHEATER,
        module="tests.cheaters",
        PYTHONPATH=str(ROOT),
        **{
            RECORD: str(folder / ("rehearsed" if rehearsal else "record")),
            REHEARSED: str(folder / "rehearsed"),
        },
    )


def play(start: Start, folder: Path, cheat: RealCheat, *more: str) -> tuple[Bcnet, Bcnet, str]:
    """Let an honest program and the cheater meet; gives both, and the address. ``more``: said to both commands."""
    hosting, joining = ("host", "--listen", "127.0.0.1:0", "--open"), ("--trust-first",)
    honestly = ("--bot", "random", "--patience", "3", *more)
    if cheat.seat == HOST:
        eve = mallory(start, folder, cheat, *hosting, *more)
        address = eve.address()
        return start("join", address, *joining, *honestly, "--name", "Bob", home="honest"), eve, address
    honest = start(*hosting, *honestly, "--name", "Ann", home="honest")
    address = honest.address()
    if cheat.rehearsal is not None:
        mallory(start, folder, cheat, "join", address, *joining, rehearsal=True).finish()
    return honest, mallory(start, folder, cheat, "join", address, *joining, *more), address


def file_in(home: Path) -> Path | None:
    """The one file that a side has of a game: the transcript, or that of an unfinished table."""
    found = [*home.glob("transcripts/*.bct"), *home.glob(f"tables/*/{UNFINISHED}")]
    assert len(found) <= 1
    return found[0] if found else None


@dataclass(frozen=True)
class Verified:
    """What ``bcnet verify`` says, in words for machines."""

    verdict: Verdict
    faults: tuple[dict[str, Any], ...]


def verified(capsys: pytest.CaptureFixture[str], *files: Path) -> Verified:
    """The verdict of ``bcnet verify``; its exit code is the one that goes with it."""
    with pytest.raises(SystemExit) as ended:
        cli.main(["verify", "--json", *map(str, files)])
    said = json.loads(capsys.readouterr().out)
    verdict = Verdict(said["verdict"])
    assert ended.value.code == verdict.exit_code
    return Verified(verdict, tuple(table["fault"] for table in said["tables"] if table["fault"]))


@pytest.mark.parametrize("cheat", CHEATS, ids=lambda cheat: cheat.name)
def test_cheat(cheat: RealCheat, start: Start, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    honest, eve, address = play(start, tmp_path, cheat)
    outcome = cheat.outcome
    if outcome.ends is None:
        eve.finish()
        if outcome.says:
            honest.wait_for(outcome.says)
        assert file_in(tmp_path / "honest") is None
        guest(start, address, home="bob").wait_for("^You play with Ann")
    else:
        if outcome.leaves:
            honest.wait_for(outcome.says)
            honest.signal(signal.SIGINT)
        assert honest.finish() == outcome.ends, honest.output
        if outcome.ends is Exit.NETWORK:
            assert re.search(outcome.says, honest.complaint), honest.complaint
            eve.signal(signal.SIGINT)  # its table stands open still
        else:
            honest.wait_for(outcome.says)
        eve.finish()
        ours, theirs = file_in(tmp_path / "honest"), file_in(tmp_path / CHEATER)
        evidence = check_files(cheat, ours, theirs, capsys)
        check_told(cheat, honest, ours)
        check_nothing_helps(cheat, tmp_path, evidence)
    if outcome.ends is not Exit.NETWORK:
        assert honest.complaint == ""
    assert "Traceback" not in honest.output + honest.complaint
    check_last_words(cheat, tmp_path)


def check_files(
    cheat: RealCheat, ours: Path | None, theirs: Path | None, capsys: pytest.CaptureFixture[str]
) -> bytes | None:
    """Verdicts and exit codes, of each file and of both; nobody but the cheater is ever named. Gives the evidence."""
    expected = cheat.outcome.files
    cheater = 0 if cheat.seat == HOST else 1
    assert (expected.honest is None) == (ours is None)
    evidence = None
    for files, verdict in (
        ((ours,), expected.honest), ((theirs,), expected.own), ((ours, theirs), expected.both),
    ):  # fmt: skip
        there = [path for path in files if path is not None]
        if len(there) < len(files):
            continue
        found = verified(capsys, *there)
        assert found.verdict is verdict, (there, found)
        assert {fault["seat"] for fault in found.faults} <= {cheater}
        if files == (ours,) and found.faults:
            (fault,) = found.faults
            assert fault["kind"] == cheat.outcome.fault
            evidence = bytes.fromhex(fault["evidence"][-1])
    return evidence


def check_told(cheat: RealCheat, honest: Bcnet, ours: Path | None) -> None:
    """The player is told who has cheated, and where the proof lies; of an unfinished game, how to go on."""
    if ours is None:
        return
    if cheat.outcome.fault is not None:
        assert honest.wait_for("^Transcript: (.*)")[1] == str(ours)
        assert honest.wait_for("^It is the proof, and anyone can check it: bcnet verify (.*)")[1] == str(ours)
        assert not any(" won (" in line for line in honest.lines)
    elif cheat.outcome.ends is Exit.INCOMPLETE:
        assert honest.wait_for("^What was played so far: (.*)")[1] == str(ours)
        table = honest.wait_for("^To go on: bcnet resume (.*)")[1]
        assert ours.parent.name.startswith(table)


def check_last_words(cheat: RealCheat, folder: Path) -> None:
    """The honest side says why it goes, and then nothing more."""
    heard = [pb.Frame.FromString(data) for way, data in kept(folder / "record") if way == "heard"]
    if cheat.outcome.goodbye is not None:
        assert heard[-1].goodbye.reason == cheat.outcome.goodbye, heard[-1]
    assert not any(frame.HasField("goodbye") for frame in heard[:-1])


def check_nothing_helps(cheat: RealCheat, folder: Path, evidence: bytes | None) -> None:
    """After the lie (the evidence, or the entry that was not taken) the honest side says nothing that builds on it."""
    frames = kept(folder / "record")
    path = file_in(folder / "honest")
    if path is None or cheat.outcome.caught in ("in the audit", "harmless"):
        return
    if cheat.outcome.fault is FaultKind.EQUIVOCATION:
        return  # the first of the two was good, and its answer may be under way when the second comes
    taken = set(transcript.read(path)) - {evidence}
    is_told = False
    limit = 0
    for way, data in frames:
        entry = entry_of(data)
        if way == "said" and entry and entry not in taken and len(entry) <= MAX_ENTRY:
            is_told, limit = True, max(limit, place_of(entry)[0])
        elif way == "heard" and entry and is_told:
            assert place_of(entry)[0] <= limit
    assert is_told or evidence is None


def entry_of(data: bytes) -> bytes:
    """The entry in a frame that was sent or heard; empty if it holds none."""
    try:
        return pb.Frame.FromString(data).entry
    except Exception:  # noqa: BLE001 (what the cheater sends need not be a frame)
        return b""


def test_cheats_have_names_of_their_own() -> None:
    names = [*(cheat.name for cheat in CHEATS), *(cheat.name for cheat in FILES)]
    assert len(names) == len(set(names)) >= 25
    assert {cheat.layer for cheat in CHEATS} == {
        "rules", "deck", "beacon", "proofs", "log", "transport", "seeds",
    }  # fmt: skip


def test_the_table_goes_on_with_an_honest_program(start: Start, tmp_path: Path) -> None:
    """What closes the line convicts nobody, and loses nothing."""
    honest, eve, _ = play(start, tmp_path, cheat_of("audience-of-a-guest"))
    assert honest.finish() == eve.finish() == Exit.INCOMPLETE
    again = resume(start, "honest")
    address = again.address_again()
    (table,) = Home(tmp_path / CHEATER).unfinished()
    other = resume(start, CHEATER, table.table, address)
    assert (again.finish(), other.finish()) == (Exit.OK, Exit.OK)
    (ours,), (theirs,) = transcripts(tmp_path, "honest"), transcripts(tmp_path, CHEATER)
    assert ours.read_bytes() == theirs.read_bytes()
    assert verify_file(ours).verdict is Verdict.CLEAN


def test_there_is_no_other_game_with_who_has_cheated(start: Start, tmp_path: Path) -> None:
    """Also where only the audit has found it, and the exit code is that of the game."""
    honest, eve, _ = play(start, tmp_path, cheat_of("own-order"), "--games", "2")
    assert honest.finish() == Exit.CHEATED
    eve.finish()
    assert len(transcripts(tmp_path, "honest")) == 1


# --- files ---


@dataclass(frozen=True)
class Finished:
    """A clean game, and the key of whoever sat at seat 1."""

    path: Path
    home: Home


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    folder = tmp_path_factory.mktemp("finished")
    with starting(folder) as start:
        honest, eve, _ = play(start, folder, cheat_of("flood"))
        assert honest.finish() == eve.finish() == Exit.OK
    (path,) = transcripts(folder, "honest")
    return Finished(path, Home(folder / CHEATER))


@pytest.mark.parametrize("cheat", FILES, ids=lambda cheat: cheat.name)
def test_forged_file(
    cheat: FileCheat, finished: Finished, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ours, forged = tmp_path / "ours.bct", tmp_path / "forged.bct"
    shutil.copy(finished.path, ours)
    forged.write_bytes(cheat.forge(transcript.read(ours), finished.home.identity()))
    assert verified(capsys, ours).verdict is Verdict.CLEAN
    for files, verdict, fault in (
        ((forged,), cheat.own, cheat.alone), ((ours, forged), cheat.both, cheat.together),
    ):  # fmt: skip
        found = verified(capsys, *files)
        assert found.verdict is verdict
        assert [(each["seat"], each["kind"]) for each in found.faults] == ([(1, fault)] if fault else [])
