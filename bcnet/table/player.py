"""A player at a table: the public table and one seat's secrets, put together; still without any I/O.

Statements go in (another's entries and notes, the own player's decisions), and out comes a `Reaction`: the entries
that now stand in the log in the order in which they came to stand there, to be written to disk and then sent. All
that the seat owes by itself is said at once, without waiting for more.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace

from bcnet.entry import (
    MalformedBody,
    Noise,
    Signer,
    note_signed_by,
    read_body,
    read_carried_note,
    read_note,
    sign_entry,
    sign_note,
)
from bcnet.errors import IllegalStep
from bcnet.fairness.deck import Proofs
from bcnet.games import registry
from bcnet.games.interface import Action, State
from bcnet.games.interface import Event as News
from bcnet.secrets import Secrets
from bcnet.table.faults import Violation
from bcnet.table.membership import GameLookup, Member, Terms
from bcnet.table.payloads import Payload
from bcnet.table.rounds import DECISIONS, RESIGNABLE, Await, Kind
from bcnet.table.seat import Seat, guest_member, host_member
from bcnet.table.table import FIRST_TABLE_ROUND, Accepted, Faulted, OtherHistory, Progress, Table
from bcnet.table.table import Event as TableEvent
from bcnet.wire.v1 import log_pb2 as pb


class OtherSecrets(Noise):
    """The log is that of a seat with another seed or another key than this player's."""


@dataclass(frozen=True, slots=True)
class Standing:
    """An entry that has come to stand in the log (or convicts its author), and whose it is."""

    seat: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Seen(Progress):
    """The game has moved on by a step, as the own player sees it: what is new, and the position after it."""

    news: tuple[News, ...]
    view: State


Event = TableEvent | Seen


@dataclass(frozen=True, slots=True)
class Position:
    """How far a side's log reaches: how many rounds are closed, and the head after them (32 bytes, or none)."""

    rounds: int
    head: bytes


@dataclass(frozen=True, slots=True)
class Reaction:
    """What a statement has led to.

    ``entries`` are to be kept on disk, in this order, before any of them is sent, and so is ``note``, the own note of
    resignation. ``events`` say what happened, for people.
    """

    entries: tuple[Standing, ...] = ()
    events: tuple[Event, ...] = ()
    note: bytes | None = None


class Player:
    """One player's table. Not safe for use from several threads at once."""

    def __init__(
        self,
        seat: int,
        secrets: Secrets,
        identity: bytes,
        signer: Signer,
        name: str,
        *,
        games: GameLookup = registry.get,
    ) -> None:
        self.games = games
        self.table = Table(proofs=Proofs.CHECK, vouched=seat, games=games)
        self.seat = Seat(self.table.course, seat, secrets)
        self._identity = identity
        self._signer = signer
        self._name = name
        self._resigning = False
        self._is_held = False
        self._noted = -1
        """The round for which the own note was given last."""
        self._notes: dict[int, pb.CarriedNote] = {}
        """By author: others' notes for what was the open round when they came."""

    @property
    def number(self) -> int:
        """The own seat."""
        return self.seat.number

    @property
    def decision(self) -> Kind | None:
        """Whether the table waits for the own player's decision, and of which kind."""
        awaiting = self.table.awaiting
        if awaiting is not None and awaiting.kind in DECISIONS and self.number in awaiting.seats:
            return awaiting.kind
        return None

    def view(self) -> State:
        """The game as the own player sees it. Raises ValueError before it has begun."""
        return self.seat.view()

    # --- statements ---

    def offer(self, terms: Terms) -> Reaction:
        """Open a table: the host's first entry."""
        member = host_member(self.seat.secrets, terms, self._identity, self._name)
        return self._advance(
            self._say(Payload(Kind.OFFER, pb.Offer(terms=terms.message(), host=member.message())))
        )

    def receive(self, data: bytes) -> Reaction:
        """Take another seat's serialised entry. Raises `Noise`; nothing has changed then."""
        events = self._take(data)
        if not events:
            return Reaction()
        first = events[0]
        seat = first.fault.seat if isinstance(first, Faulted) else _accepted(first).seat
        return self._advance(Reaction((Standing(seat, data),), events))

    def restore(self, entries: Iterable[bytes]) -> Reaction:
        """Take back the own journal, in its order, and go on from there. Only what is new is in the reaction.

        Raises `Noise` if the entries are not those of one table.
        """
        self.recall(entries)
        return self.go_on()

    def recall(self, entries: Iterable[bytes]) -> tuple[Event, ...]:
        """Take back the own journal, in its order, and say nothing until `go_on`; gives what happened.

        The journal may be older than what this seat has signed (a copy of a home that was put back). So whoever
        comes back first takes the own entries from the other side, and only then signs anything new.
        Raises `OtherSecrets` if the own seat was taken with another seed or key, and `Noise` if the entries are not
        those of one table.
        """
        self._is_held = True
        events: list[Event] = []
        for data in entries:
            events += self._take(data)
            if len(self.table.log) <= FIRST_TABLE_ROUND and not self.knows_its_secrets():
                raise OtherSecrets(
                    "The seed or the key is not the one that seat {seat} has.", seat=self.number
                )
        return tuple(events)

    def go_on(self) -> Reaction:
        """After `recall`, and after the other side has sent what was missing: say all that is owed."""
        self._is_held = False
        return self._advance(Reaction())

    @property
    def is_held(self) -> bool:
        """Whether this player says nothing yet: recalled, and not gone on."""
        return self._is_held

    @property
    def is_resigning(self) -> bool:
        """Whether this seat has resigned, by a note if it owed nothing then."""
        return self._resigning

    @property
    def resigning(self) -> frozenset[int]:
        """The seats whose resignation is known here, and takes effect when the open round closes."""
        here, present = self.table.log.open, self.table.course.present
        seats = {self.number} if self._resigning else set()
        for entry in here.in_seat_order():
            body = read_body(entry.body)
            if body.HasField("resign"):
                seats.add(body.seat)
            elif body.HasField("note"):
                seats.add(read_note(body.note.body).seat)
        seats |= {seat for seat, note in [*self._notes.items()] if read_note(note.body).round == here.number}
        return frozenset(seats & set(present))

    def recall_resignation(self) -> None:
        """After `recall`: this seat had resigned by a note. It resigns in place of the next entry that it owes."""
        self._resigning = True

    def note(self) -> bytes | None:
        """The note of the own resignation for the open round, where one is good; the same bytes for the same round."""
        course, awaiting = self.table.course, self.table.awaiting
        if not self._resigning or awaiting is None or self.number not in course.present:
            return None
        if awaiting.kind is Kind.REVEAL or self.number in awaiting.seats:
            return None
        note = sign_note(self.table.note_body(self.number, self.seat.resignation()), self._signer)
        return note.SerializeToString(deterministic=True)

    def notes(self) -> list[bytes]:
        """All notes that are good for the open round: for a side that has come back, which no entry tells of them."""
        own = None if self._is_held else self.note()
        others = [note.SerializeToString(deterministic=True) for note in self._good_notes()]
        return others if own is None else [own, *others]

    def knows_its_secrets(self) -> bool:
        """Whether the own seat in the log, where it is taken, was taken with the own seed and key."""
        members = self.table.course.members
        return self.number >= len(members) or self.has_said(members[self.number])

    def has_said(self, member: Member, terms: Terms | None = None) -> bool:
        """Whether ``member`` is how this seat sits down, by the name given there; a host by ``terms`` or the log's."""
        course, own, name = self.table.course, self.number, member.name
        terms = terms or course.terms
        if own == 0:
            return terms is not None and member == host_member(self.seat.secrets, terms, self._identity, name)
        return member == guest_member(self.seat.secrets, course.offer_id, own, self._identity, name)

    @property
    def position(self) -> Position:
        """How far the own log reaches."""
        return Position(len(self.table.log), self.table.log.head)

    def missing(self, theirs: Position) -> list[bytes]:
        """The entries that a side whose log reaches so far may lack, its own included; none if it is ahead.

        Raises `OtherHistory` if its log is not the beginning of this one.
        """
        log = self.table.log
        if theirs.rounds > len(log):
            return []
        if theirs.head != log[theirs.rounds].head:
            raise OtherHistory(
                "The other side's log of this table is another one than ours, at the latest from round {round} on.",
                round=theirs.rounds,
            )
        return [entry.data for entry in log.since(theirs.rounds)]

    def receive_note(self, data: bytes) -> Reaction:
        """Take another seat's note. One that is void (late, for another round) changes nothing. Raises `Noise`."""
        note = read_carried_note(data)
        try:
            body = read_note(note.body)
        except MalformedBody as error:
            raise Noise("These {size} bytes are no note: {why}", size=len(data), why=error.message) from None
        course = self.table.course
        if not course.table_id or body.table != course.table_id or body.seat >= course.seats:
            raise Noise("A note of another table.")
        if not note_signed_by(note, course.members[body.seat].identity):
            raise Noise("The signature of a note of seat {seat} does not hold.", seat=body.seat)
        if body.round == self.table.log.open.number:
            self._notes[body.seat] = note
        return self._advance(Reaction())

    def act(self, action: Action) -> Reaction:
        """Decide. Raises `Refusal` if the rules do not allow it now; nothing has changed then."""
        if self._is_held:
            raise IllegalStep(
                "The other side has not come back yet.", hint="Wait until the line stands again."
            )
        here = self.table.log.open
        if self.decision is Kind.ACT:
            return self._advance(self._say(Payload(Kind.ACT, self.seat.act(action, here))))
        if self.decision is Kind.SEAL:
            return self._advance(self._say(Payload(Kind.SEAL, self.seat.seal(action, here))))
        raise IllegalStep("It is not your turn.", hint="Wait for the other player.")

    def resign(self) -> Reaction:
        """Give up: in place of the entry that is owed now or next, or by a note, whichever comes to stand first."""
        awaiting = self.table.awaiting
        if awaiting is None or not self.table.course.started or awaiting.kind is Kind.REVEAL:
            raise IllegalStep("There is no game to resign.")
        self._resigning = True
        if self._is_held:
            # A note is kept, and sent anew when this side goes on. Where an entry is owed there is no note: the
            # resignation takes the place of that entry then, and is forgotten if the program ends before.
            return Reaction(note=self.note())
        return self._advance(Reaction())

    # --- going on ---

    def _advance(self, reaction: Reaction) -> Reaction:
        """Say all that is owed and needs no decision.

        A resignation goes out again for each round, until it stands: what crossed the note for the last made that void.
        """
        if self._is_held:
            return reaction
        while (awaiting := self.table.awaiting) is not None and self.number in awaiting.seats:
            payload = self._due(awaiting)
            if payload is None:
                break
            said = self._say(payload)
            reaction = Reaction(reaction.entries + said.entries, reaction.events + said.events)
        here = self.table.log.open.number
        if here == self._noted or (note := self.note()) is None:
            return reaction
        self._noted = here
        return replace(reaction, note=note)

    def _due(self, awaiting: Await) -> Payload | None:
        course = self.table.course
        if awaiting.kind in RESIGNABLE:
            if self._resigning:
                return Payload(Kind.RESIGN, self.seat.resignation())
            if notes := self._good_notes():
                return Payload(Kind.NOTE, notes[0])
        if awaiting.kind in DECISIONS or awaiting.kind is Kind.OFFER:
            return None
        if awaiting.kind is Kind.JOIN:
            member = guest_member(self.seat.secrets, course.offer_id, self.number, self._identity, self._name)
            return Payload(Kind.JOIN, pb.Join(guest=member.message()))
        return Payload(awaiting.kind, self.seat.owed(awaiting.kind, self.table.log.open))

    def _good_notes(self) -> list[pb.CarriedNote]:
        """Others' notes that may be carried in the open round. The rest is void, and convicts nobody."""
        good = {}
        for author, note in self._notes.items():
            with suppress(Violation):
                self.table.course.take_note(self.number, note)
                good[author] = note
        self._notes = good
        return list(good.values())

    def _take(self, data: bytes) -> tuple[Event, ...]:
        """Take an entry, and follow the game with the own eyes."""
        return tuple([self._see(event) for event in self.table.receive(data)])

    def _see(self, event: TableEvent) -> Event:
        match event:
            case Progress(taken):
                return Seen(taken, self.seat.follow(taken), self.seat.view())
            case Accepted(number, seat, entry) if seat == self.number:
                body = read_body(entry.body)
                if body.HasField("seal"):
                    self.seat.has_sealed(body.seal.commitment, self.table.log[number])
            case _:
                pass
        return event

    def _say(self, payload: Payload) -> Reaction:
        data = sign_entry(self.table.body(self.number, payload), self._signer)
        events = self._take(data)
        if not events or isinstance(events[0], Faulted):
            raise AssertionError(f"this program's own entry was not accepted: {events}")
        return Reaction((Standing(self.number, data),), events)


def _accepted(event: Event) -> Accepted:
    assert isinstance(event, Accepted)
    return event
