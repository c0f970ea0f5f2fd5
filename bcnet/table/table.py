"""The table: bytes in, events or one fault out.

This is the receiving boundary. It takes serialised entries in any order in which they may honestly arrive, sorts out
what is noise (`Noise`: proves nothing, changes nothing), what is a repetition (no event), and what is a fault (named,
final), and feeds the rest to the `Course`. It does no I/O and knows no clock, no random source and no side.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bcnet.entry import MalformedBody, Noise, SignedEntry, read_body, read_entry, write_body
from bcnet.fairness.deck import Proofs
from bcnet.fairness.errors import Invalid
from bcnet.games import registry
from bcnet.hashing import PROTOCOL_VERSION
from bcnet.log import Log
from bcnet.table.course import Course, Taken
from bcnet.table.faults import ROUND_FAULT, Fault, FaultKind, Violation
from bcnet.table.membership import GameLookup
from bcnet.table.payloads import Payload
from bcnet.table.rounds import RESIGNABLE, Await, Kind
from bcnet.wire.v1 import log_pb2 as pb

FIRST_TABLE_ROUND = 2
"""From here on entries stand under the table id, and two of one seat for one round are proof of cheating."""


class OtherProtocol(Noise):
    """An entry of another version of the protocol, of which nothing is guessed."""

    def __init__(self, version: int) -> None:
        super().__init__(
            "An entry of protocol version {version}; this bcnet speaks version {ours}.",
            hint="Use a newer bcnet." if version > PROTOCOL_VERSION else "Use the older bcnet that wrote it.",
            version=version,
            ours=PROTOCOL_VERSION,
        )


class OtherHistory(Noise):
    """A seat has validly signed an entry on top of another log than ours.

    It convicts nobody alone: the seat may answer what somebody else has shown it. Both sides' files together tell.
    """


@dataclass(frozen=True, slots=True)
class Accepted:
    """An entry has been checked and stands in the log."""

    round: int
    seat: int
    entry: SignedEntry


@dataclass(frozen=True, slots=True)
class Progress:
    """The game has moved on by a step."""

    taken: Taken


@dataclass(frozen=True, slots=True)
class Faulted:
    """A seat has been found cheating; the table is at its end."""

    fault: Fault


@dataclass(frozen=True, slots=True)
class Completed:
    """All seeds are revealed: the log is complete."""


Event = Accepted | Progress | Faulted | Completed


class Table:
    """One table as everybody sees it; see the top of this module.

    ``proofs`` says whether the proofs of shuffles, unmaskings and openings are checked as they come (whoever plays
    must) or are left to the audit (a verifier may, if all seeds are at hand); ``vouched`` is the seat whose proofs
    this program has made itself, which are not checked again.
    """

    def __init__(
        self, *, proofs: Proofs = Proofs.CHECK, vouched: int | None = None, games: GameLookup = registry.get
    ) -> None:
        self.log = Log()
        self.course = Course(self.log, games, proofs, vouched)
        self.fault: Fault | None = None
        self._script = self.course.run()
        self._awaited: Await | None = next(self._script)
        self._answers: dict[int, Any] = {}

    @property
    def awaiting(self) -> Await | None:
        """The open round with the seats that it still lacks; None at the end of the table."""
        if self._awaited is None or self.fault is not None:
            return None
        missing = tuple(seat for seat in self._awaited.seats if seat not in self.log.open.entries)
        return Await(self._awaited.kind, missing, self._awaited.take)

    @property
    def complete(self) -> bool:
        """Whether everything has been said, the seeds included."""
        return self.course.complete

    def body(self, seat: int, payload: Payload) -> bytes:
        """The body that ``seat`` has to sign to say ``payload`` in the open round."""
        here = self.log.open
        context = b"" if here.number == 0 else self._context(here.number)
        message = pb.Body(
            version=PROTOCOL_VERSION, table=context, round=here.number, seat=seat, head=here.head
        )
        getattr(message, payload.kind).CopyFrom(payload.message)
        if not payload.message.ByteSize():
            getattr(message, payload.kind).SetInParent()
        return write_body(message)

    def note_body(self, seat: int, resign: pb.Resign) -> bytes:
        """The body of a note by which ``seat``, which owes no entry in the open round, resigns."""
        here = self.log.open
        return write_body(
            pb.NoteBody(
                version=PROTOCOL_VERSION,
                table=self.course.table_id,
                round=here.number,
                seat=seat,
                head=here.head,
                resign=resign,
            )
        )

    def receive(self, data: bytes) -> tuple[Event, ...]:
        """Take a serialised entry. Returns what it brought about; nothing for a repetition.

        Raises `Noise` for what proves nothing about anyone; the table is then as it was before. After a fault
        everything is noise.
        """
        if self.fault is not None:
            raise Noise("This table has ended with a fault; it takes no more entries.")
        entry = read_entry(data)
        try:
            body = read_body(entry.body)
        except MalformedBody as error:
            return self._malformed(entry, error)
        if body.round < FIRST_TABLE_ROUND:
            return self._sit_down(body, entry)
        self._attribute(body, entry)
        if (earlier := self._earlier(body)) is not None:
            return self._again(body, entry, earlier)
        return self._judge(body, entry)

    # --- whose is it, and where does it belong ---

    def _sit_down(self, body: pb.Body, entry: SignedEntry) -> tuple[Event, ...]:
        """Offers and joins: no table yet, so nothing in them convicts anyone."""
        here = self.log.open
        earlier = self._earlier(body)
        if earlier is not None and earlier.body == entry.body:
            return ()
        if earlier is not None or body.round != here.number:
            raise Noise(
                "An entry of round {round} comes when round {open} is open.",
                round=body.round,
                open=here.number,
            )
        if body.version != PROTOCOL_VERSION:
            raise OtherProtocol(body.version)
        context = b"" if body.round == 0 else self.course.offer_id
        if (body.table, body.head) != (context, here.head):
            raise Noise("An entry of round {round} does not belong to this offer.", round=body.round)
        if self._awaited is None or body.seat not in self._awaited.seats:
            raise Noise("Seat {seat} is not awaited in round {round}.", seat=body.seat, round=body.round)
        kind = Kind(body.WhichOneof("payload") or "")
        if kind is not self._awaited.kind:
            raise Noise(
                "Round {round} awaits {right}, not {kind}.",
                round=body.round,
                right=self._awaited.kind,
                kind=kind,
            )
        member = body.offer.host if kind is Kind.OFFER else body.join.guest
        if not entry.signed_by(member.identity):
            raise Noise("The signature of the {kind} does not hold.", kind=kind)
        return self._accept(body.seat, entry, self._awaited.take(body.seat, getattr(body, kind)))

    def _attribute(self, body: pb.Body, entry: SignedEntry) -> None:
        """Raise `Noise` unless a seat of this table has signed this for this table."""
        if not self.course.table_id or body.table != self.course.table_id:
            raise Noise("An entry of another table.")
        if body.seat >= self.course.seats:
            raise Noise("There is no seat {seat} at this table.", seat=body.seat)
        if not entry.signed_by(self.course.members[body.seat].identity):
            raise Noise(
                "The signature of seat {seat} in round {round} does not hold.",
                seat=body.seat,
                round=body.round,
            )
        if body.version != PROTOCOL_VERSION:
            raise OtherProtocol(body.version)

    def _earlier(self, body: pb.Body) -> SignedEntry | None:
        if body.round > self.log.open.number:
            return None
        return self.log[body.round].entries.get(body.seat)

    def _again(self, body: pb.Body, entry: SignedEntry, earlier: SignedEntry) -> tuple[Event, ...]:
        if earlier.body == entry.body:
            return ()
        return self._faulted(
            body.seat,
            body.round,
            Violation(
                FaultKind.EQUIVOCATION,
                "Seat {seat} has signed two different entries for round {round}.",
                seat=body.seat,
                round=body.round,
            ),
            earlier.data,
            entry.data,
        )

    def _malformed(self, entry: SignedEntry, error: MalformedBody) -> tuple[Event, ...]:
        if self.course.table_id:
            for seat, member in enumerate(self.course.members):
                if entry.signed_by(member.identity):
                    violation = Violation(
                        FaultKind.MALFORMED,
                        "Seat {seat} has signed bytes that are {why}.",
                        seat=seat,
                        why=error.message,
                    )
                    return self._faulted(seat, self.log.open.number, violation, entry.data)
        raise Noise("These bytes are no entry: {why}", why=error.message)

    # --- is it right ---

    def _judge(self, body: pb.Body, entry: SignedEntry) -> tuple[Event, ...]:
        here = self.log.open
        seat = body.seat
        if body.round > here.number:
            raise Noise(
                "An entry of round {round} comes when round {open} is open.",
                round=body.round,
                open=here.number,
            )
        if body.head != self.log[body.round].head:
            raise OtherHistory(
                "Seat {seat} has signed round {round} on top of another log than this one.",
                seat=seat,
                round=body.round,
            )
        try:
            meaning = self._meaning(body)
        except Violation as error:
            return self._faulted(seat, body.round, error, entry.data)
        except Invalid as error:
            flawed = Violation(
                ROUND_FAULT[Kind(body.WhichOneof("payload") or "")],
                "Seat {seat} in round {round}: {why}",
                flaw=error.kind,
                seat=seat,
                round=body.round,
                why=error.message,
            )
            return self._faulted(seat, body.round, flawed, entry.data)
        return self._accept(seat, entry, meaning)

    def _meaning(self, body: pb.Body) -> Any:
        """What an entry of the open round means. Raises `Violation`, `Invalid`, or `Noise` where no one is to blame."""
        awaited, seat = self._awaited, body.seat
        if awaited is None or body.round != self.log.open.number or seat not in awaited.seats:
            raise Violation(
                FaultKind.NOT_AWAITED,
                "Seat {seat} speaks in round {round}, which does not await it.",
                seat=seat,
                round=body.round,
            )
        kind = Kind(body.WhichOneof("payload") or "")
        if kind is Kind.RESIGN and awaited.kind in RESIGNABLE:
            return self.course.take_resign(seat, body.resign)
        if kind is Kind.NOTE and awaited.kind in RESIGNABLE:
            return self.course.take_note(seat, body.note)
        if kind is not awaited.kind:
            raise Violation(
                FaultKind.WRONG_KIND,
                "Seat {seat} sends {sent} in round {round}, which awaits {right}.",
                seat=seat,
                sent=kind,
                round=body.round,
                right=awaited.kind,
            )
        return awaited.take(seat, getattr(body, kind))

    # --- what follows ---

    def _accept(self, seat: int, entry: SignedEntry, meaning: Any) -> tuple[Event, ...]:
        here = self.log.open
        self.log.add(seat, entry)
        self._answers[seat] = meaning
        events: list[Event] = [Accepted(here.number, seat, entry)]
        assert self._awaited is not None
        if len(here.entries) == len(self._awaited.seats):
            events += self._close()
        return tuple(events)

    def _close(self) -> list[Event]:
        self.log.close()
        answers, self._answers = self._answers, {}
        before = len(self.course.steps)
        try:
            self._awaited = self._script.send(answers)
        except StopIteration:
            self._awaited = None
        events: list[Event] = [Progress(taken) for taken in self.course.steps[before:]]
        if self.complete:
            events.append(Completed())
        return events

    def _faulted(self, seat: int, round_: int, violation: Violation, *evidence: bytes) -> tuple[Event, ...]:
        self.fault = Fault(seat, round_, violation.kind, violation.message, evidence, violation.flaw)
        return (Faulted(self.fault),)

    def _context(self, number: int) -> bytes:
        return self.course.offer_id if number < FIRST_TABLE_ROUND else self.course.table_id
