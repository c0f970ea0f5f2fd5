"""Mutants of entries, thrown at honest tables and players at every round of a game.

What must hold: bytes in, and out comes an event, nothing, `Noise`, or one fault of the seat whose key has signed. No
other exception, and after noise or a repetition the table is as it was.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bcnet.entry import Noise, place_of, sign_entry, sign_note
from bcnet.fairness.deck import Proofs
from bcnet.games.interface import Game
from bcnet.table.rounds import Kind
from bcnet.table.table import Accepted, Completed, Faulted, Progress, Table
from bcnet.wire.v1 import log_pb2 as pb
from tests.fuzz import mutants
from tests.table.room import Room, identity_of, lookup

LONGEST_MESSAGE = 1000
"""Characters of what a person is told, however long the bytes are that it is about."""


@dataclass
class Entries:
    """A recorded game, and a table that is led through it while mutants are thrown at it."""

    game: Game
    seats: int
    rng: random.Random
    seen: Counter[str] = field(default_factory=Counter)
    """How often each outcome has been seen, and each kind of fault."""

    def __post_init__(self) -> None:
        room = Room.of(self.game, self.seats, seed=self.rng.randrange(100))
        room.play()
        self.entries = room.file(0)
        self.bodies = [pb.Entry.FromString(data).body for data in self.entries]
        self.table = self._table_at(0)

    def run(self, each: int) -> None:
        """Throw ``each`` mutants at the table before every entry of the game."""
        for number, genuine in enumerate(self.entries):
            for _ in range(each):
                signer, mutant = self.mutant(number)
                self.throw(number, signer, mutant)
            events = self.table.receive(genuine)
            assert isinstance(events[0], Accepted), "a mutant has changed the table"
        assert self.table.complete
        assert not self.seen["noise of many words"]

    def throw(self, number: int, signer: int | None, mutant: bytes) -> None:
        """Hand a mutant to the table that stands before entry ``number``, and check what comes of it."""
        table = self.table
        before = (len(table.log), table.log.head, dict(table.log.open.entries), len(table.course.steps))
        try:
            events = table.receive(mutant)
        except Noise as noise:
            self.seen["noise"] += 1
            self.seen["noise of many words"] += len(noise.message) > LONGEST_MESSAGE
            events = ()
        else:
            self.seen["nothing"] += not events
        if not events:
            after = (len(table.log), table.log.head, dict(table.log.open.entries), len(table.course.steps))
            assert before == after, "what proves nothing has changed the table"
        elif isinstance(first := events[0], Faulted):
            assert len(events) == 1
            fault = first.fault
            assert fault.seat == signer, f"seat {fault.seat} is blamed for what {signer} has signed"
            assert fault.evidence[-1] == mutant
            assert 0 < len(fault.message) < LONGEST_MESSAGE
            self.seen["fault"] += 1
            self.seen[fault.kind.value] += 1
            table.fault = None  # nothing else has changed: the game goes on to its end after this
        else:
            assert isinstance(first, Accepted)
            assert all(isinstance(event, Progress | Completed) for event in events[1:])
            assert first.seat == signer or place_of(mutant)[0] < 2
            self.seen["accepted"] += 1
            self.table = self._table_at(number)

    def _table_at(self, number: int) -> Table:
        """A table that has taken this many entries, and checks every proof from here on."""
        table = Table(proofs=Proofs.LEAVE_TO_AUDIT, games=lookup)
        for data in self.entries[:number]:
            table.receive(data)
        table.course._proofs = Proofs.CHECK
        if table.course.deck is not None:
            object.__setattr__(table.course.deck, "proofs", Proofs.CHECK)
        return table

    # --- mutants ---

    def mutant(self, number: int) -> tuple[int | None, bytes]:
        """A mutant for the place of entry ``number``, and the seat whose key has signed it (None: nobody's)."""
        rng = self.rng
        body = self._body(number)
        if rng.random() < 0.2:
            body = mutants.mutate_encoding(rng, self.bodies, body)
        seat = place_of(self.entries[number])[1]
        if rng.random() < 0.5:
            signer = seat if rng.random() < 0.9 else rng.randrange(self.seats)
            return signer, sign_entry(body, identity_of(signer).sign_message)
        signature = pb.Entry.FromString(self.entries[number]).signature
        data = pb.Entry(body=body, signature=signature).SerializeToString(deterministic=True)
        if body == self.bodies[number]:
            data = mutants.mutate_bytes(rng, data)
            if data == self.entries[number]:
                return seat, data
        elif rng.random() < 0.3:
            data = mutants.mutate_bytes(rng, data)
        return None, data

    def _body(self, number: int) -> bytes:
        rng = self.rng
        body = pb.Body.FromString(self.bodies[number])
        match rng.randrange(10):
            case 0 | 1:  # what somebody else says, or the same one elsewhere
                other = pb.Body.FromString(rng.choice(self.bodies))
                kind = other.WhichOneof("payload")
                assert kind is not None
                getattr(body, kind).CopyFrom(getattr(other, kind))
            case 2:
                self._strange_payload(body)
            case _:
                pass
        if rng.random() < 0.05:
            return body.SerializeToString(deterministic=True)
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            kind = body.WhichOneof("payload")
            target = getattr(body, kind) if kind and rng.random() < 0.8 else body
            mutants.mutate_message(rng, target)
        return body.SerializeToString(deterministic=True)

    def _strange_payload(self, body: pb.Body) -> None:
        """A payload that stands nowhere in an undisturbed game, or of another kind."""
        rng = self.rng
        match rng.randrange(4):
            case 0:
                body.resign.SetInParent()
            case 1:
                body.resign.seed = rng.choice(mutants.BYTES)
            case 2:
                author = rng.randrange(self.seats)
                note = pb.NoteBody(
                    version=1,
                    table=body.table,
                    round=body.round,
                    seat=author,
                    head=body.head,
                    resign=pb.Resign(),
                )
                data = note.SerializeToString(deterministic=True)
                body.note.CopyFrom(sign_note(data, identity_of(author).sign_message))
            case _:
                kind = rng.choice(list(Kind))
                getattr(body, kind).SetInParent()


def games(rng: random.Random, choices: Sequence[tuple[Game, int]]) -> Iterator[Entries]:
    """Recorded games to fuzz, one after another."""
    while True:
        game, seats = rng.choice(choices)
        yield Entries(game, seats, rng)
