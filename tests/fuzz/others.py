"""Mutants of everything that is not an entry: notes, hellos, whole transcripts."""

from __future__ import annotations

import random
from collections import Counter

from bcnet import transcript
from bcnet.entry import Noise, place_of, sign_entry, sign_note
from bcnet.errors import UnreadableError
from bcnet.games.interface import Game
from bcnet.hello import OtherVersion, Role, check_hello, check_proof, make_hello, sign_hello
from bcnet.table.player import Player
from bcnet.table.rounds import Kind
from bcnet.verify import Verdict, examine, verify
from bcnet.wire.v1 import log_pb2 as pb
from bcnet.wire.v1 import table_pb2
from tests.fuzz import mutants
from tests.fuzz.entries import LONGEST_MESSAGE
from tests.table.room import Room, identity_of, lookup

# --- notes ---


class Notes:
    """Notes thrown at honest players, who carry one or let it lie; their own entries are always good."""

    def __init__(self, game: Game, seats: int, rng: random.Random) -> None:
        self.rng = rng
        self.room = Room.of(game, seats, seed=rng.randrange(100))
        self.seen: Counter[str] = Counter()

    def run(self, each: int) -> None:
        """Throw ``each`` notes at everybody at every delivery of a game, to its end, which a good one may bring."""
        while self._go_on():
            for player in self.room.players:
                for _ in range(each):
                    self.throw(player)
        assert self.room.complete
        assert verify(self.room.file(0), games=lookup).verdict is Verdict.CLEAN

    def _go_on(self) -> bool:
        if self.room.deliver():
            return True
        deciding = [player for player in self.room.players if player.decision]
        if not deciding:
            return False
        player = self.rng.choice(deciding)
        action = self.rng.choice(player.view().legal_actions(player.number))
        self.room.react(player.number, player.act(action))
        return True

    def throw(self, player: Player) -> None:
        """Hand a mutant of a note to a player, and check what he makes of it."""
        data = self.mutant(player)
        before = player.position
        try:
            reaction = player.receive_note(data)
        except Noise:
            self.seen["noise"] += 1
            assert player.position == before
        else:
            self.seen["carried" if reaction.entries else "void"] += 1
            self.room.react(player.number, reaction)
        assert player.table.fault is None

    def mutant(self, player: Player) -> bytes:
        """A note by anybody for anything, right in most of its parts."""
        rng = self.rng
        table = player.table
        author = rng.randrange(len(self.room.players))
        body = pb.NoteBody(
            version=1,
            table=table.course.table_id,
            round=table.log.open.number,
            seat=author,
            head=table.log.head,
            resign=pb.Resign(),
        )
        if len(self.room.players) > 2 and rng.random() < 0.5:
            body.resign.seed = self.room.players[author].seat.secrets.seed
        if rng.random() < 0.6:
            mutants.mutate_message(rng, body)
        signed = body.SerializeToString(deterministic=True)
        if rng.random() < 0.2:
            signed = mutants.mutate_encoding(rng, [signed], signed)
        note = sign_note(signed, identity_of(author).sign_message)
        if rng.random() < 0.2:
            mutants.mutate_message(rng, note)
        data = note.SerializeToString(deterministic=True)
        return mutants.mutate_encoding(rng, [data], data) if rng.random() < 0.3 else data


# --- hellos ---


def fuzz_hello(rng: random.Random, count: int) -> Counter[str]:
    """Hellos and their proofs: accepted, another version, or noise."""
    seen: Counter[str] = Counter()
    identity = identity_of(1)
    right = make_hello(Role.GUEST, identity.public, bytes(range(32)), b"", "1.0", "Bob")
    host = make_hello(Role.HOST, identity_of(0).public, bytes(32), b"", "1.0", "Ann")
    proof = sign_hello(right, host, Role.GUEST, b"", identity.sign_message)
    encoded = table_pb2.Frame(hello=right).SerializeToString()
    for _ in range(count):
        frame = table_pb2.Frame.FromString(encoded)
        for _ in range(rng.choice([0, 1, 1, 2])):
            mutants.mutate_message(rng, frame.hello)
        hello = frame.hello
        try:
            check_hello(hello, Role.GUEST, "1.0")
        except OtherVersion as error:
            seen["version"] += 1
            seen["many words"] += len(str(error)) > LONGEST_MESSAGE
            continue
        except Noise:
            seen["noise"] += 1
            continue
        seen["hello"] += 1
        signed = table_pb2.HelloProof(signature=proof.signature)
        if rng.random() < 0.3:
            mutants.mutate_message(rng, signed)
        changed = hello != right or signed.signature != proof.signature  # the admission proves itself
        try:
            check_proof(hello, host, Role.GUEST, b"", signed)
        except Noise:
            assert changed
            seen["unproven"] += 1
        else:
            assert not changed, "a proof holds for another hello"
            seen["proven"] += 1
    return seen


# --- transcripts ---


class Transcripts:
    """Mutants of the file of a finished game: there is always a report, and it is never clean."""

    def __init__(self, game: Game, seats: int, rng: random.Random) -> None:
        self.rng = rng
        room = Room.of(game, seats, seed=rng.randrange(100))
        room.play()
        self.entries = room.file(0)
        self.file = b"".join(transcript.encode(self.entries))
        self.seats = seats
        self.seen: Counter[str] = Counter()

    def run(self, count: int) -> None:
        """Verify so many mutants, half of them of the bytes, half of the list of entries."""
        for _ in range(count):
            if self.rng.random() < 0.5:
                self.throw_bytes(self._bytes())
            else:
                self.throw_entries(self._entries())

    def throw_bytes(self, data: bytes) -> None:
        """Verify a file."""
        try:
            entries = transcript.read(data)
        except UnreadableError as error:
            self.seen["no transcript"] += 1
            self.seen["many words"] += len(str(error)) > LONGEST_MESSAGE
            return
        self.throw_entries(entries)

    def throw_entries(self, entries: list[bytes]) -> None:
        """Verify a list of entries."""
        report, replay = examine(entries, games=lookup)
        self.seen[report.verdict.value] += 1
        assert (replay is None) == (report.verdict is Verdict.UNREADABLE)
        assert report.message
        assert len(report.message) < 2 * LONGEST_MESSAGE
        assert (report.verdict is Verdict.CLEAN) == (entries == self.entries)
        assert (report.fault is not None) == (report.verdict is Verdict.CHEATED)

    def _bytes(self) -> bytes:
        data = self.file
        for _ in range(self.rng.choice([1, 1, 2])):
            data = mutants.mutate_bytes(self.rng, data)
        return data

    def _entries(self) -> list[bytes]:
        rng = self.rng
        entries = list(self.entries)
        at, other = rng.randrange(len(entries)), rng.randrange(len(entries))
        match rng.randrange(8):
            case 0:
                del entries[at]
            case 1:
                entries = entries[:at]
            case 2:
                entries[at], entries[other] = entries[other], entries[at]
            case 3:
                entries.insert(at, entries[other])
            case 4:
                entries.append(entries[at])
            case 5:
                entries[at] = self._signed_anew(entries[at])
            case 6:
                entries.append(self._signed_anew(entries[at]))
            case _:
                entries = [*entries[:at], self._signed_anew(entries[at])]
        return entries

    def _signed_anew(self, data: bytes) -> bytes:
        """Another body for the same place, or another place, signed with the right key."""
        rng = self.rng
        body = pb.Body.FromString(pb.Entry.FromString(data).body)
        kind = body.WhichOneof("payload")
        assert kind is not None
        if rng.random() < 0.3:
            getattr(body, rng.choice(list(Kind))).SetInParent()
        mutants.mutate_message(rng, getattr(body, kind) if rng.random() < 0.7 else body)
        seat = place_of(data)[1]
        return sign_entry(body.SerializeToString(deterministic=True), identity_of(seat).sign_message)
