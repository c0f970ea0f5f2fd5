"""What a transcript proves: clean, cheated, unreadable or incomplete (docs/protocol.md, section "Verdicts").

The verifier drives the same pure table that players do, and nothing of the program that made the log. A verdict
depends on nothing but the bytes. It reads bytes and says what they prove; printing is for ``bcnet.cli``. One file is
judged here, many in ``bcnet.several``; ``bcnet.explain`` narrates.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from bcnet import transcript
from bcnet.entry import Noise
from bcnet.errors import Exit, Phrase, StorageError, UnreadableError, in_a_row
from bcnet.fairness.audit import Audit, Difference, Matter, audit
from bcnet.fairness.beacon import Chain
from bcnet.fairness.deck import Proofs
from bcnet.fairness.errors import Invalid
from bcnet.games import registry
from bcnet.games.interface import Over
from bcnet.hashing import PROTOCOL_VERSION
from bcnet.secrets import Secrets
from bcnet.signing import fingerprint
from bcnet.table.course import Course
from bcnet.table.faults import Fault, FaultKind
from bcnet.table.membership import GameLookup
from bcnet.table.rounds import Kind
from bcnet.table.table import FIRST_TABLE_ROUND, Accepted, OtherHistory, Table
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

    @property
    def word(self) -> Phrase:
        """What it is called before people."""
        return _WORDS[self]


_EXIT_CODES = {
    Verdict.CLEAN: Exit.OK,
    Verdict.CHEATED: Exit.CHEATED,
    Verdict.UNREADABLE: Exit.UNREADABLE,
    Verdict.INCOMPLETE: Exit.INCOMPLETE,
}
_WORDS = {
    Verdict.CLEAN: Phrase("clean"),
    Verdict.CHEATED: Phrase("cheated"),
    Verdict.UNREADABLE: Phrase("unreadable"),
    Verdict.INCOMPLETE: Phrase("incomplete"),
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
class Unchecked:
    """Something that a verdict does not cover: a word for machines, and a sentence that says why."""

    what: str
    message: str


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
    """Seats whose secrets were not computed again: their seed is not in the file, or a fault came before."""
    proofs_checked: bool = False
    """Whether the proofs were run again; not needed where all seeds were audited."""
    false_proof: Fault | None = None
    """The first proof that does not hold, in a complete file whose audit finds that what it claims is true."""
    unchecked: tuple[Unchecked, ...] = ()
    notes: tuple[str, ...] = ()
    entry: int | None = None
    """Of an unreadable file: the entry, counted from 1, at which reading ended; None in its first line."""
    byte: int | None = None
    """Of an unreadable file: where in the file that was; where the entry begins, if it could be read at all."""

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
            "false_proof": None if self.false_proof is None else _fault_json(self.false_proof),
            "unchecked": [{"what": each.what, "message": each.message} for each in self.unchecked],
            "notes": list(self.notes),
            "entry": self.entry,
            "byte": self.byte,
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
    audited: bool = False
    """Whether the seeds that are there were compared with all that was published; ``audit`` is None without a deck."""
    other: bytes | None = None
    """A last entry that was signed on top of another log."""

    @property
    def course(self) -> Course:
        """What the table knows."""
        return self.table.course


def verify(entries: Iterable[bytes], *, games: GameLookup = registry.get, proofs: bool = False) -> Report:
    """The verdict on the entries of one transcript, in its order."""
    return examine(list(entries), games=games, proofs=proofs)[0]


def examine(
    entries: Sequence[bytes], *, games: GameLookup = registry.get, proofs: bool = False
) -> tuple[Report, Replay | None]:
    """The verdict, and the replay it rests on (None for what is unreadable).

    Where all seeds are there the audit makes the proofs of the game unnecessary; with ``proofs`` they are run all the
    same, which does not change the verdict. Where a seed is missing, or something is wrong, the game is always played
    through again with every proof.
    """
    try:
        # Whether an entry is out of place may depend on proofs: one that is refused stands last, where it came last.
        # What is no point ends the audit (`Invalid`), and convicts its seat where points are looked at on arrival.
        with suppress(UnreadableError, Invalid):
            replay = _replay(entries, Proofs.LEAVE_TO_AUDIT, games)
            if replay.table.complete and replay.table.fault is None:
                replay = _audited(replay)
                fault = _audit_fault(replay)
                report = _clean(replay) if fault is None else cheated(replay, fault)
                if replay.course.deck is None:
                    return report, replay  # there are no proofs
                return (_proven(report, entries, games) if proofs else _unproven(report)), replay
        replay = _replay(entries, Proofs.CHECK, games)
    except UnreadableError as error:
        return unreadable(error, entries), None
    if replay.table.fault is not None:
        return _checked(cheated(replay, replay.table.fault, len(entries)), replay), replay
    replay = _audited(replay)
    fault = _audit_fault(replay)
    return _checked(_incomplete(replay) if fault is None else cheated(replay, fault), replay), replay


def verify_file(path: Path, *, games: GameLookup = registry.get, proofs: bool = False) -> Report:
    """The verdict on a file. Raises `StorageError` if there is no such file or it cannot be read."""
    return examine_file(path, games=games, proofs=proofs)[0]


def examine_file(
    path: Path, *, games: GameLookup = registry.get, proofs: bool = False
) -> tuple[Report, Replay | None]:
    """As `examine`, for a file."""
    try:
        entries = transcript.read(path)
    except UnreadableError as error:
        return unreadable(error), None
    return examine(entries, games=games, proofs=proofs)


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """The verdict that decides the exit code of several: cheated, unreadable, incomplete, clean, in this order."""
    present = set(verdicts)
    return next(verdict for verdict in _WORST_FIRST if verdict in present)


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
        accepted = events[0]
        if not isinstance(accepted, Accepted):
            # A fault is proven; what follows can neither add to it nor take from it.
            return Replay(table, entries[:number])
        place = (accepted.round, accepted.seat)
        if place <= last:
            raise _unreadable("Entry {number} does not stand in the order of rounds and seats.", number)
        last = place
    return Replay(table, entries)


def _unreadable(template: str, number: int, **values: object) -> UnreadableError:
    return UnreadableError(template, hint="", number=number, **values)


def unreadable(error: UnreadableError, entries: Sequence[bytes] = ()) -> Report:
    """The report on what cannot be read; ``error`` knows the byte, or the number of one of the entries."""
    number = error.values.get("entry", error.values.get("number"))
    entry = number if isinstance(number, int) else None
    offset = error.values.get("offset")
    if not isinstance(offset, int):
        offset = transcript.offset_of(entries, entry - 1) if entry else None
    return Report(Verdict.UNREADABLE, error.message, entries=len(entries), entry=entry, byte=offset)


def _audited(replay: Replay) -> Replay:
    course = replay.course
    secrets = {seat: Secrets(seed) for seat, seed in course.seeds.items()}
    return replace(replay, audited=True, audit=audit(course.deck, secrets) if course.deck else None)


def _audit_fault(replay: Replay) -> Fault | None:
    """What the seeds contradict, the earliest first."""
    course = replay.course
    for seat, seed in sorted(course.seeds.items()):
        if (
            Chain(Secrets(seed), course.table_id, seat, course.members[seat].identity).tip
            != course.tips[seat]
        ):
            return _audit_find(replay, seat, FIRST_TABLE_ROUND, FaultKind.AUDIT_CHAIN, Phrase("the chain"))
    for difference in replay.audit.differences if replay.audit else ():
        kind, what = AUDIT_FAULTS[difference.matter], _what_differs(difference)
        return _audit_find(replay, difference.seat, difference.round, kind, what)
    return None


def _what_differs(difference: Difference) -> Phrase:
    epoch = difference.epoch
    match difference.matter:
        case Matter.SHUFFLE:
            return Phrase("the shuffle of epoch {epoch}", epoch=epoch)
        case Matter.RESPONSES:
            return Phrase("the responses of epoch {epoch}", epoch=epoch)
        case Matter.UNMASK:
            return Phrase("the unmask of epoch {epoch}", epoch=epoch)
        case Matter.OPENING:
            return Phrase("the opening of epoch {epoch}", epoch=epoch)
        case Matter.REFRESH:
            return Phrase("the refresh of epoch {epoch}", epoch=epoch)


def _audit_find(replay: Replay, seat: int, round_: int, kind: FaultKind, what: str) -> Fault:
    evidence = [replay.table.log[round_].entries[seat].data]
    revealed = [entry.data for entry in replay.table.log.entries() if _is_reveal_of(entry.body, seat)]
    message = Phrase(
        "Seat {seat} has revealed a seed that does not give {what}, published in round {round}.",
        seat=seat,
        what=what,
        round=round_,
    )
    return Fault(seat, round_, kind, message, tuple(evidence + revealed))


def _is_reveal_of(body: bytes, seat: int) -> bool:
    message = pb.Body.FromString(body)
    return message.seat == seat and message.HasField("reveal")


# --- reports ---


def _base(replay: Replay, verdict: Verdict, message: str) -> Report:
    course = replay.course
    result = course.state.need if course.started else None
    unaudited = tuple(seat for seat in course.everyone if not replay.audited or seat not in course.seeds)
    unchecked = [Unchecked("secrets", _unaudited(replay, seat)) for seat in unaudited if course.table_id]
    if replay.other is not None:
        unchecked.append(
            Unchecked(
                "entries", Phrase("The last entry stands on another log, which this file does not hold.")
            )
        )
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
        unaudited=unaudited,
        unchecked=tuple(unchecked),
    )


def _unaudited(replay: Replay, seat: int) -> str:
    if seat in replay.course.seeds:
        return Phrase(
            "What seat {seat} kept secret was not computed again, for a fault ends a table at once.",
            seat=seat,
        )
    return Phrase(
        "The seed of seat {seat} is not in the file, so what it kept secret could not be computed again.",
        seat=seat,
    )


def _clean(replay: Replay) -> Report:
    message = Phrase("Complete, every step checks, and the audit of all seeds agrees.")
    return _base(replay, Verdict.CLEAN, message)


def _checked(report: Report, replay: Replay) -> Report:
    """The report on a log of which every proof was checked, where it has any."""
    return replace(report, proofs_checked=replay.course.deck is not None)


def _unproven(report: Report) -> Report:
    why = Phrase("The proofs were not run again: the audit of all seeds makes that unnecessary.")
    return replace(report, unchecked=(*report.unchecked, Unchecked("proofs", why)))


def _proven(report: Report, entries: Sequence[bytes], games: GameLookup) -> Report:
    """The report on a complete log, with what its proofs say; they do not change it (docs/protocol.md, "Verdicts")."""
    false = _replay(entries, Proofs.CHECK, games).table.fault
    if false is None:
        return replace(report, proofs_checked=True)
    note = Phrase(
        "A proof of seat {seat} in round {round} does not hold, and the others let it pass. "
        "The audit has computed again what it claims.",
        seat=false.seat,
        round=false.round,
    )
    why = Phrase("The proofs after round {round} were not run again.", round=false.round)
    return replace(
        report,
        false_proof=false,
        unchecked=(*report.unchecked, Unchecked("proofs", why)),
        notes=(*report.notes, note),
    )


def cheated(replay: Replay, fault: Fault, entries: int = 0) -> Report:
    """The report that ``fault`` convicts; ``entries`` is how many the file has, where some follow the fault."""
    who = replay.course.members[fault.seat].name
    message = Phrase(
        "Seat {seat} ({name}) cheated in round {round}: {kind}. {message}",
        seat=fault.seat,
        name=who,
        round=fault.round,
        kind=fault.kind.value,
        message=fault.message,
    )
    report = replace(_base(replay, Verdict.CHEATED, message), fault=fault)
    if (after := entries - len(replay.entries)) > 0:
        why = Phrase(
            "{count} entries follow the fault and were not looked at: they can neither add to it nor take from it.",
            count=after,
        )
        report = replace(report, unchecked=(*report.unchecked, Unchecked("entries", why)))
    return report


def _incomplete(replay: Replay) -> Report:
    awaiting = replay.table.awaiting
    number = replay.table.log.open.number
    lacks = tuple(Lack(seat, number, awaiting.kind) for seat in awaiting.seats) if awaiting else ()
    missing = in_a_row(
        [Phrase("{kind} of seat {seat}", kind=lack.kind.value, seat=lack.seat) for lack in lacks]
    )
    notes = [Phrase("What is not in the file proves nothing against anyone.")]
    if replay.other is not None:
        notes.append(
            Phrase(
                "The last entry was signed on top of another log of this table. "
                "Verify it together with the other side's file."
            )
        )
    return replace(
        _base(
            replay,
            Verdict.INCOMPLETE,
            Phrase("Valid up to round {round}, which lacks: {missing}.", round=number, missing=missing),
        ),
        lacks=lacks,
        notes=tuple(notes),
    )


__all__ = [
    "Replay",
    "Report",
    "StorageError",
    "Verdict",
    "cheated",
    "examine",
    "unreadable",
    "verify",
    "verify_file",
    "worst",
]
