"""What a transcript proves: clean, cheated, unreadable or incomplete (docs/protocol.md, section "Verdicts").

The verifier drives the same pure table that players do, and nothing of the program that made the log. A verdict
depends on nothing but the bytes. It reads bytes and says what they prove; printing is for ``bcnet.cli``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from bcnet import transcript
from bcnet.entry import MalformedBody, Noise, place_of, read_body
from bcnet.errors import Exit, StorageError, UnreadableError
from bcnet.fairness.audit import Audit, Matter, audit
from bcnet.fairness.beacon import Chain
from bcnet.fairness.deck import Proofs
from bcnet.games import registry
from bcnet.games.interface import Over
from bcnet.hashing import PROTOCOL_VERSION
from bcnet.secrets import Secrets
from bcnet.signing import fingerprint
from bcnet.table.course import Course
from bcnet.table.faults import Fault, FaultKind
from bcnet.table.membership import GameLookup
from bcnet.table.rounds import Kind
from bcnet.table.table import FIRST_TABLE_ROUND, OtherHistory, Table
from bcnet.wire.v1 import log_pb2 as pb


class Verdict(StrEnum):
    """What a transcript proves."""

    CLEAN = "clean"
    """Complete; every signature, link, opening and move checks, and the audit of all seeds agrees."""
    CHEATED = "cheated"
    """A seat has signed what no honest program would."""
    UNREADABLE = "unreadable"
    """Not a transcript, damaged, or of an unknown version."""
    INCOMPLETE = "incomplete"
    """Valid as far as it goes."""

    @property
    def exit_code(self) -> Exit:
        """What ``bcnet verify`` exits with."""
        return _EXIT_CODES[self]


_EXIT_CODES = {
    Verdict.CLEAN: Exit.OK,
    Verdict.CHEATED: Exit.CHEATED,
    Verdict.UNREADABLE: Exit.UNREADABLE,
    Verdict.INCOMPLETE: Exit.INCOMPLETE,
}
_WORST_FIRST = (Verdict.CHEATED, Verdict.UNREADABLE, Verdict.INCOMPLETE, Verdict.CLEAN)

AUDIT_FAULTS = {
    Matter.SHUFFLE: FaultKind.AUDIT_SHUFFLE,
    Matter.RESPONSES: FaultKind.AUDIT_SHUFFLE,
    Matter.UNMASK: FaultKind.AUDIT_UNMASK,
    Matter.REFRESH: FaultKind.AUDIT_REFRESH,
    Matter.OPENING: FaultKind.AUDIT_OPENING,
}


@dataclass(frozen=True, slots=True)
class Who:
    """A seat as it signed itself: name and identity key (32 bytes)."""

    seat: int
    name: str
    identity: bytes

    @property
    def fingerprint(self) -> str:
        """The identity key as people compare it."""
        return fingerprint(self.identity)


@dataclass(frozen=True, slots=True)
class Lack:
    """An entry that this file does not hold. Who is to blame it does not say."""

    seat: int
    round: int
    kind: Kind


@dataclass(frozen=True, slots=True)
class Report:
    """The verdict on one table, and what it rests on."""

    verdict: Verdict
    message: str
    """The verdict in one sentence."""
    table_id: bytes = b""
    game: str = ""
    options: tuple[tuple[str, str], ...] = ()
    players: tuple[Who, ...] = ()
    entries: int = 0
    rounds: int = 0
    """Closed rounds."""
    result: Over | None = None
    fault: Fault | None = None
    lacks: tuple[Lack, ...] = ()
    unaudited: tuple[int, ...] = ()
    """Seats whose seed is not in the file, so that what they kept secret could not be recomputed."""
    proofs_checked: bool = False
    """Whether the proofs were run again; not needed where all seeds were audited."""
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The report as plain data, for ``bcnet verify --json``; docs/protocol.md, section "Verdicts"."""
        return {
            "verdict": self.verdict.value,
            "message": self.message,
            "table": self.table_id.hex() or None,
            "protocol": PROTOCOL_VERSION,
            "game": self.game or None,
            "options": dict(self.options),
            "players": [
                {
                    "seat": who.seat,
                    "name": who.name,
                    "identity": who.identity.hex(),
                    "fingerprint": who.fingerprint,
                }
                for who in self.players
            ],
            "entries": self.entries,
            "rounds": self.rounds,
            "result": None
            if self.result is None
            else {"winners": list(self.result.winners), "reason": self.result.reason},
            "fault": None if self.fault is None else _fault_json(self.fault),
            "lacks": [
                {"seat": lack.seat, "round": lack.round, "kind": lack.kind.value} for lack in self.lacks
            ],
            "unaudited": list(self.unaudited),
            "proofs_checked": self.proofs_checked,
            "notes": list(self.notes),
        }


def _fault_json(fault: Fault) -> dict[str, Any]:
    return {
        "seat": fault.seat,
        "round": fault.round,
        "kind": fault.kind.value,
        "flaw": fault.flaw or None,
        "message": fault.message,
        "evidence": [data.hex() for data in fault.evidence],
    }


@dataclass(frozen=True, slots=True)
class Replay:
    """A transcript played through a table, as far as it went."""

    table: Table
    entries: Sequence[bytes]
    """Up to a fault, if there is one. All of them are validly signed."""
    audit: Audit | None = None
    other: bytes | None = None
    """A last entry that was signed on top of another log."""

    @property
    def course(self) -> Course:
        """What the table knows."""
        return self.table.course


def verify(entries: Iterable[bytes], *, games: GameLookup = registry.get) -> Report:
    """The verdict on the entries of one transcript, in its order."""
    return examine(list(entries), games=games)[0]


def examine(entries: Sequence[bytes], *, games: GameLookup = registry.get) -> tuple[Report, Replay | None]:
    """The verdict, and the replay it rests on (None for what is unreadable).

    Where all seeds are there the audit makes the proofs of the game unnecessary. Where one is missing, or something
    is wrong, the game is played through again with every proof.
    """
    try:
        # Whether an entry is out of place may depend on proofs: one that is refused stands last, where it came last.
        with suppress(UnreadableError):
            replay = _replay(entries, Proofs.LEAVE_TO_AUDIT, games)
            if replay.table.complete and replay.table.fault is None:
                replay = _audited(replay)
                fault = _audit_fault(replay)
                return (_clean(replay) if fault is None else _cheated(replay, fault)), replay
        replay = _replay(entries, Proofs.CHECK, games)
    except UnreadableError as error:
        return Report(Verdict.UNREADABLE, error.message, entries=len(entries)), None
    if replay.table.fault is not None:
        return replace(_cheated(replay, replay.table.fault), proofs_checked=True), replay
    replay = _audited(replay)
    fault = _audit_fault(replay)
    report = _incomplete(replay) if fault is None else _cheated(replay, fault)
    return replace(report, proofs_checked=True), replay


def verify_file(path: Path, *, games: GameLookup = registry.get) -> Report:
    """The verdict on a file. Raises `StorageError` if there is no such file or it cannot be read."""
    return examine_file(path, games=games)[0]


def examine_file(path: Path, *, games: GameLookup = registry.get) -> tuple[Report, Replay | None]:
    """As `examine`, for a file."""
    try:
        entries = transcript.read(path)
    except UnreadableError as error:
        return Report(Verdict.UNREADABLE, error.message), None
    return examine(entries, games=games)


@dataclass(frozen=True, slots=True)
class Group:
    """The files of one table, and the verdict on all of them together."""

    files: tuple[Path, ...]
    report: Report
    single: tuple[Report, ...] = field(repr=False)


def verify_files(
    paths: Sequence[Path],
    *,
    games: GameLookup = registry.get,
    progress: Callable[[Path], None] = lambda _: None,
) -> list[Group]:
    """The verdicts on several files, grouped by table in the order in which they are named.

    Files of one table are taken together: the longest valid log counts, and two different bodies that one seat has
    validly signed for one round convict it, wherever they stand. Entries in one file only convict nobody.
    """
    found: dict[object, list[tuple[Path, Report, Replay | None]]] = {}
    for number, path in enumerate(paths):
        progress(path)
        report, replay = examine_file(path, games=games)
        found.setdefault(report.table_id or number, []).append((path, report, replay))
    groups = []
    for members in found.values():
        reports = tuple(report for _, report, _ in members)
        replays = [replay for _, _, replay in members if replay is not None]
        groups.append(Group(tuple(path for path, _, _ in members), _together(reports, replays), reports))
    return groups


def worst(reports: Iterable[Report]) -> Verdict:
    """The verdict that decides the exit code of several: cheated, unreadable, incomplete, clean, in this order."""
    verdicts = {report.verdict for report in reports}
    return next(verdict for verdict in _WORST_FIRST if verdict in verdicts)


# --- one file ---


def _replay(entries: Sequence[bytes], proofs: Proofs, games: GameLookup) -> Replay:
    table = Table(proofs=proofs, games=games)
    last = (-1, -1)
    for number, data in enumerate(entries, 1):
        try:
            events = table.receive(data)
        except OtherHistory:
            if number == len(entries) and not table.complete:
                return Replay(table, entries, other=data)
            raise _unreadable(
                "Entry {number} belongs to another log, and is not the last one of an unfinished log.", number
            ) from None
        except Noise as noise:
            raise _unreadable("Entry {number}: {why}", number, why=noise.message) from None
        if not events:
            raise _unreadable("Entry {number} stands in the file twice.", number)
        if table.fault is not None:
            # Proven; what follows can neither add to it nor take from it.
            return Replay(table, entries[:number])
        place = place_of(data)
        if place <= last:
            raise _unreadable("Entry {number} does not stand in the order of rounds and seats.", number)
        last = place
    return Replay(table, entries)


def _unreadable(template: str, number: int, **values: object) -> UnreadableError:
    return UnreadableError(template, hint="", number=number, **values)


def _audited(replay: Replay) -> Replay:
    course = replay.course
    if course.deck is None:
        return replay
    return replace(
        replay, audit=audit(course.deck, {seat: Secrets(seed) for seat, seed in course.seeds.items()})
    )


def _audit_fault(replay: Replay) -> Fault | None:
    """What the seeds contradict, the earliest first."""
    course = replay.course
    for seat, seed in sorted(course.seeds.items()):
        if (
            Chain(Secrets(seed), course.table_id, seat, course.members[seat].identity).tip
            != course.tips[seat]
        ):
            return _audit_find(replay, seat, FIRST_TABLE_ROUND, FaultKind.AUDIT_CHAIN, "the chain")
    for difference in replay.audit.differences if replay.audit else ():
        what = f"the {difference.matter.value} of epoch {difference.epoch}"
        return _audit_find(replay, difference.seat, difference.round, AUDIT_FAULTS[difference.matter], what)
    return None


def _audit_find(replay: Replay, seat: int, round_: int, kind: FaultKind, what: str) -> Fault:
    evidence = [replay.table.log[round_].entries[seat].data]
    revealed = [entry.data for entry in replay.table.log.entries() if _is_reveal_of(entry.body, seat)]
    message = f"Seat {seat} has revealed a seed that does not give {what}, published in round {round_}."
    return Fault(seat, round_, kind, message, tuple(evidence + revealed))


def _is_reveal_of(body: bytes, seat: int) -> bool:
    message = pb.Body.FromString(body)
    return message.seat == seat and message.HasField("reveal")


# --- reports ---


def _base(replay: Replay, verdict: Verdict, message: str) -> Report:
    course = replay.course
    result = course.state.need if course.started else None
    return Report(
        verdict,
        message,
        table_id=course.table_id,
        game=course.terms.game if course.terms else "",
        options=course.terms.options if course.terms else (),
        players=tuple(Who(seat, member.name, member.identity) for seat, member in enumerate(course.members)),
        entries=len(replay.entries),
        rounds=len(replay.table.log),
        result=result if isinstance(result, Over) else None,
        unaudited=tuple(seat for seat in course.everyone if seat not in course.seeds),
    )


def _clean(replay: Replay) -> Report:
    note = "The proofs were not run again: the audit of all seeds makes that unnecessary."
    return replace(
        _base(replay, Verdict.CLEAN, "Complete, every step checks, and the audit of all seeds agrees."),
        notes=(note,),
    )


def _cheated(replay: Replay, fault: Fault) -> Report:
    who = replay.course.members[fault.seat].name
    message = f"Seat {fault.seat} ({who}) cheated in round {fault.round}: {fault.kind.value}. {fault.message}"
    return replace(_base(replay, Verdict.CHEATED, message), fault=fault)


def _incomplete(replay: Replay) -> Report:
    awaiting = replay.table.awaiting
    number = replay.table.log.open.number
    lacks = tuple(Lack(seat, number, awaiting.kind) for seat in awaiting.seats) if awaiting else ()
    missing = ", ".join(f"{lack.kind.value} of seat {lack.seat}" for lack in lacks)
    notes = ["What is not in the file proves nothing against anyone."]
    if replay.other is not None:
        notes.append(
            "The last entry was signed on top of another log of this table. "
            "Verify it together with the other side's file."
        )
    return replace(
        _base(replay, Verdict.INCOMPLETE, f"Valid up to round {number}, which lacks: {missing}."),
        lacks=lacks,
        notes=tuple(notes),
    )


# --- several files of one table ---


def _together(reports: Sequence[Report], replays: Sequence[Replay]) -> Report:
    if fault := _two_bodies(replays):
        replay = max(replays, key=lambda r: len(r.table.log))
        return _cheated(replay, fault)
    if any(report.verdict is Verdict.CHEATED for report in reports):
        return next(report for report in reports if report.verdict is Verdict.CHEATED)
    return max(reports, key=lambda report: (report.verdict is Verdict.CLEAN, report.rounds, report.entries))


def _two_bodies(replays: Sequence[Replay]) -> Fault | None:
    """Two different bodies that a seat has signed for one round; the earliest such pair."""
    said: dict[tuple[int, int], tuple[bytes, bytes]] = {}
    pairs: dict[tuple[int, int], tuple[bytes, bytes]] = {}
    for replay in replays:
        for data in replay.entries:
            body = pb.Entry.FromString(data).body
            place = _place_in_log(body)
            if place is None:
                continue
            first, earlier = said.setdefault(place, (body, data))
            if first != body:
                pairs.setdefault(place, (earlier, data))
    if not pairs:
        return None
    (round_, seat), evidence = min(pairs.items())
    message = f"Seat {seat} has signed two different entries for round {round_}."
    return Fault(seat, round_, FaultKind.EQUIVOCATION, message, evidence)


def _place_in_log(body: bytes) -> tuple[int, int] | None:
    """Round and seat of a body under the table's id; None for what stands in no log.

    All that a replay holds is validly signed, a well-formed body by the seat that it names. A malformed one convicts
    its author for what it is, but the seat that it seems to name may be anybody's.
    """
    try:
        message = read_body(body)
    except MalformedBody:
        return None
    return (message.round, message.seat) if message.round >= FIRST_TABLE_ROUND else None


__all__ = [
    "Group",
    "Replay",
    "Report",
    "StorageError",
    "Verdict",
    "examine",
    "verify",
    "verify_file",
    "verify_files",
    "worst",
]
