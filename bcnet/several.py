"""Many files: grouped by table, the files of each table judged together, on all cores.

A table with all its files is one task. Whatever a task needs is gone when its verdict is there, so memory does not grow
with the number of tables (but for the names of the files); and verdicts come in the order in which their first files
are named, however many processes work. docs/protocol.md, section "Verdicts".
"""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from bcnet import transcript
from bcnet.entry import MalformedBody, Noise, place_of, read_body
from bcnet.errors import Exit, Phrase, UnreadableError
from bcnet.explain import explain
from bcnet.fairness.deck import Proofs
from bcnet.fairness.group import on_this_core
from bcnet.games import registry
from bcnet.table.faults import Fault, FaultKind
from bcnet.table.membership import GameLookup
from bcnet.table.table import FIRST_TABLE_ROUND, Table
from bcnet.verify import Replay, Report, Unchecked, Verdict, cheated, examine, unreadable, worst
from bcnet.wire.v1 import log_pb2 as pb

MANY = 8
"""Tables from which on it pays to start processes."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of every table, beyond its verdict."""

    proofs: bool = False
    """Run all proofs again, also where the audit makes that unnecessary."""
    story: bool = False
    """Narrate the game."""
    identities: Mapping[int, str] = field(default_factory=dict)
    """The fingerprints that seats are expected to have."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where an entry of the evidence stands: its bytes, the file, its number there counted from 1, its first byte."""

    data: bytes = field(repr=False)
    file: Path
    entry: int
    byte: int


@dataclass(frozen=True, slots=True)
class Stranger:
    """A seat that somebody else holds than was expected; ``found`` is empty if nobody holds it."""

    seat: int
    expected: str
    found: str

    @property
    def message(self) -> str:
        """What is not as expected, as a sentence."""
        return Phrase(
            "Seat {seat} has the key {found}, and {expected} is expected."
            if self.found
            else "Seat {seat} is not taken in this file, and {expected} is expected.",
            seat=self.seat,
            found=self.found,
            expected=self.expected,
        )


@dataclass(frozen=True, slots=True)
class Group:
    """The files of one table, and the verdict on all of them together."""

    files: tuple[Path, ...]
    report: Report
    single: tuple[Report, ...] = field(repr=False)
    """The verdicts on each file alone."""
    strangers: tuple[Stranger, ...] = ()
    places: tuple[Place, ...] = ()
    """Where the evidence of a fault stands, entry by entry."""
    story: tuple[str, ...] = field(default=(), repr=False)
    """The game as `bcnet.explain` tells it, if that was asked for."""

    def as_json(self) -> dict[str, Any]:
        """The group as plain data; docs/protocol.md, section "Verdicts"."""
        data = self.report.as_json()
        if data["fault"] is not None:
            data["fault"]["places"] = [
                {"file": str(place.file), "entry": place.entry, "byte": place.byte, "size": len(place.data)}
                for place in self.places
            ]
        strangers = [
            {"seat": each.seat, "expected": each.expected, "found": each.found or None}
            for each in self.strangers
        ]
        story = {"story": list(self.story)} if self.story else {}
        each = [
            {
                "file": str(path),
                "verdict": report.verdict.value,
                "rounds": report.rounds,
                "lacks": report.as_json()["lacks"],
            }
            for path, report in zip(self.files, self.single, strict=True)
        ]
        files = {"files": [str(path) for path in self.files]}
        return files | data | {"strangers": strangers, "each": each} | story

    @property
    def different(self) -> tuple[tuple[Path, Report], ...]:
        """The files that say something else alone than all of them together, with what each says."""
        return tuple(
            (path, report)
            for path, report in zip(self.files, self.single, strict=True)
            if (report.verdict, report.lacks) != (self.report.verdict, self.report.lacks)
        )


def exit_code(outcomes: Iterable[tuple[Verdict, bool]]) -> Exit:
    """What ``bcnet verify`` exits with, from each group's verdict and whether strangers play in it.

    Strangers go before everything: what is proven about them says nothing about those who were expected.
    """
    listed = list(outcomes)
    if any(strange for _, strange in listed):
        return Exit.OTHER_PLAYERS
    return worst(verdict for verdict, _ in listed).exit_code


def verify_files(
    paths: Sequence[Path],
    *,
    games: GameLookup = registry.get,
    asked: Asked = Asked(),
    jobs: int = 1,
    progress: Callable[[int], None] = lambda _: None,
) -> Iterator[Group]:
    """The verdicts on several files, grouped by table in the order in which they are named.

    Files of one table are taken together: the longest valid log counts, and two different bodies that one seat has
    validly signed for one round convict it, wherever they stand. Entries in one file only convict nobody.

    ``jobs`` processes work at most; ``games`` must be a function of a module then. ``progress`` is told of how many
    more files there is a verdict. Raises `StorageError` for a file that is not there or cannot be read, if possible
    before the first verdict.
    """
    tables: dict[object, list[tuple[int, Path]]] = {}
    for number, path in enumerate(paths):
        tables.setdefault(_table_of(path, games) or number, []).append((number, path))
    tasks = [_Task(tuple(members), games, asked) for members in tables.values()]
    finished: list[tuple[int, Group]] = []
    for number, found in enumerate(_worked(tasks, jobs if len(tasks) >= MANY else 1)):
        progress(len(tasks[number].members))
        finished += found
        # A file that is unreadable further on stands alone, and so after tables that are named before it.
        next_one = tasks[number + 1].members[0][0] if number + 1 < len(tasks) else len(paths)
        finished.sort(key=lambda each: each[0])
        while finished and finished[0][0] < next_one:
            yield finished.pop(0)[1]


def _table_of(path: Path, games: GameLookup) -> bytes:
    """The id of the table that a file begins with; empty if there is none."""
    table = Table(proofs=Proofs.LEAVE_TO_AUDIT, games=games)
    with transcript.opened(path) as file, suppress(UnreadableError, Noise):
        for data in transcript.stream(file, str(path)):
            if not table.receive(data) or table.course.table_id:
                break
    return table.course.table_id


# --- one table ---


@dataclass(frozen=True, slots=True)
class _Task:
    """The files that begin with one table, each with its number in the list of all."""

    members: tuple[tuple[int, Path], ...]
    games: GameLookup
    asked: Asked


@dataclass(frozen=True, slots=True)
class _Found:
    """What one log says, and its replay."""

    report: Report
    replay: Replay


class _Evidence:
    """What the files of one table say, one after the other; no more is kept than a few logs have.

    What comes of it does not depend on the order of the files.
    """

    def __init__(self, task: _Task) -> None:
        self._task = task
        self._said: dict[
            tuple[int, int], list[bytes]
        ] = {}  # round and seat -> the first two by bytes, bodies differ
        self._logged: dict[tuple[int, int], bytes] = {}
        self._longest: _Found | None = None
        self._guilty: _Found | None = None
        self._count = 0

    def add(self, found: _Found) -> None:
        """Take one more log of the table."""
        self._count += 1
        if self._longest is None:  # one log alone has nothing to be compared with
            self._longest = found
        else:
            if self._count == 2:
                self._collect(self._longest.replay)
            self._collect(found.replay)
            self._longest = max(self._longest, found, key=_length)
        if found.report.fault is not None:
            self._guilty = min(self._guilty or found, found, key=_moment)

    def _collect(self, replay: Replay) -> None:
        for data in replay.entries:
            place = _place_in_log(data)
            if place is None:
                continue
            others = [each for each in self._said.get(place, []) if _body(each) != _body(data)]
            same = [each for each in self._said.get(place, []) if _body(each) == _body(data)]
            self._said[place] = sorted([*others, min([data, *same])])[:2]
            if data is not replay.other:
                self._logged[place] = min(data, self._logged.get(place, data))

    def together(self) -> _Found:
        """The verdict on all of them (docs/protocol.md, section "Verdicts")."""
        assert self._longest is not None
        if self._count == 1:
            return self._longest
        replay = self._longest.replay
        pairs = [(place, tuple(pair)) for place, pair in self._said.items() if len(pair) > 1]
        if pairs:
            (round_, seat), pair = min(pairs)
            message = Phrase(
                "Seat {seat} has signed two different entries for round {round}.", seat=seat, round=round_
            )
            return _Found(cheated(replay, Fault(seat, round_, FaultKind.EQUIVOCATION, message, pair)), replay)
        if self._guilty is not None:
            return self._guilty
        before = [data for data in replay.entries if place_of(data)[0] < FIRST_TABLE_ROUND]
        merged = before + [data for _, data in sorted(self._logged.items())]
        if len(merged) > len(replay.entries) - (replay.other is not None):
            report, whole = examine(merged, games=self._task.games, proofs=self._task.asked.proofs)
            if whole is not None:
                return _Found(report, whole)
        return self._longest


def _length(found: _Found) -> tuple[int, int, bytes]:
    entries = found.replay.entries
    return found.report.rounds, len(entries), _digest(entries)


def _moment(found: _Found) -> tuple[int, int, str, tuple[bytes, ...], bytes]:
    fault = found.report.fault
    assert fault is not None
    return fault.round, fault.seat, fault.kind, fault.evidence, _digest(found.replay.entries)


def _digest(entries: Sequence[bytes]) -> bytes:
    return sha256(b"".join(transcript.encode(entries))).digest()


def _body(data: bytes) -> bytes:
    return pb.Entry.FromString(data).body


def _place_in_log(data: bytes) -> tuple[int, int] | None:
    """Round and seat of an entry under the table's id; None for what stands in no log.

    All that a replay holds is validly signed, a well-formed body by the seat that it names. A malformed one convicts
    its author for what it is, but the seat that it seems to name may be anybody's.
    """
    try:
        message = read_body(_body(data))
    except MalformedBody:
        return None
    return (message.round, message.seat) if message.round >= FIRST_TABLE_ROUND else None


def _judged(task: _Task) -> list[tuple[int, Group]]:
    """The groups of one task, each with the number of its first file. A file that is unreadable, or ends before there
    is a table, stands alone.
    """
    evidence = _Evidence(task)
    known: dict[bytes, Report] = {}
    members: list[tuple[int, Path, Report]] = []
    groups: list[tuple[int, Group]] = []
    for number, path in task.members:
        try:
            entries = transcript.read(path)
        except UnreadableError as error:
            groups.append((number, _group(task, [(number, path, unreadable(error))], None)))
            continue
        digest = _digest(entries)
        if digest not in known:  # the files of both sides are usually the same
            report, replay = examine(entries, games=task.games, proofs=task.asked.proofs)
            if replay is None or not report.table_id:
                found = None if replay is None else _Found(report, replay)
                groups.append((number, _group(task, [(number, path, report)], found)))
                continue
            known[digest] = report
            evidence.add(_Found(report, replay))
        members.append((number, path, known[digest]))
    if members:
        groups.append((members[0][0], _group(task, members, evidence.together())))
    return groups


def _group(task: _Task, members: Sequence[tuple[int, Path, Report]], found: _Found | None) -> Group:
    files = tuple(path for _, path, _ in members)
    single = tuple(report for _, _, report in members)
    report = single[0] if found is None else found.report
    strangers = tuple(_strangers(report, task.asked.identities))
    if report.players and not task.asked.identities:
        report = replace(report, unchecked=(*report.unchecked, Unchecked("identities", _UNCOMPARED)))
    places = _places(files, report.fault.evidence) if report.fault else ()
    story = explain(report, found.replay if found else None) if task.asked.story else ()
    return Group(files, report, single, strangers, places, tuple(story))


_UNCOMPARED = Phrase("Whose keys these are: compare them, or name those you expect with --expect-identity.")


def _strangers(report: Report, identities: Mapping[int, str]) -> Iterator[Stranger]:
    if report.verdict is Verdict.UNREADABLE:
        return
    keys = {who.seat: who.fingerprint for who in report.players}
    for seat, expected in sorted(identities.items()):
        if keys.get(seat) != expected:
            yield Stranger(seat, expected, keys.get(seat, ""))


def _places(files: Sequence[Path], evidence: Sequence[bytes]) -> tuple[Place, ...]:
    """Where each entry of the evidence stands, in the first of the files that holds it."""
    found: dict[bytes, Place] = {}
    for path in files:
        entries = transcript.read(path)
        for data in evidence:
            if data not in found and data in entries:
                index = entries.index(data)
                found[data] = Place(data, path, index + 1, transcript.offset_of(entries, index))
    return tuple(found[data] for data in evidence if data in found)


# --- processes ---


def cores() -> int:
    """How many processes can work at once on this machine."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _worked(tasks: Sequence[_Task], jobs: int) -> Iterator[list[tuple[int, Group]]]:
    """What comes of each task, in their order; on several processes if there are to be more than one."""
    if jobs < 2:
        yield from map(_judged, tasks)
        return
    context = get_context("spawn")  # a fork would take over whatever locks other threads hold just then
    leash, held = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin, initargs=(leash,))
    waiting: deque[Future[list[tuple[int, Group]]]] = deque()
    try:
        for task in tasks:
            with _without_interrupts():
                waiting.append(pool.submit(_judged, task))
            if len(waiting) > 2 * jobs:
                yield waiting[0].result()
                waiting.popleft()
        while waiting:
            yield waiting[0].result()
            waiting.popleft()
    finally:
        if waiting:  # interrupted, or something is wrong: nobody waits for what is still being worked on
            held.close()
        pool.shutdown(cancel_futures=True)
        held.close()


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Processes that are started within this know no Ctrl-C: it is for the one at the terminal, which ends them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(leash: Connection) -> None:
    """At the start of a process: it works on one core, and ends with whoever has started it, however that ends."""
    on_this_core()

    def leave() -> None:
        wait([leash])
        os._exit(0)

    threading.Thread(target=leave, daemon=True).start()
