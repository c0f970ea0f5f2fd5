"""No honest seat can be framed: files that cheaters put together from all that they have, and from all they can sign.

They have every entry and note of the honest seat, in its bytes, and their own keys. They cut, repeat, mix and invent.
No such file convicts the honest seat, neither alone nor beside that seat's own file.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from bcnet.entry import place_of, sign_entry
from bcnet.table.faults import FaultKind
from bcnet.table.payloads import Payload
from bcnet.table.rounds import Kind
from bcnet.verify import Report, Verdict, verify
from bcnet.wire.v1 import log_pb2 as pb
from tests.attacks.arena import check_not_convicted, groups
from tests.fuzz import mutants
from tests.table.quick import quick_proofs
from tests.table.room import Room, honest, identity_of, lookup, secrets_of
from tests.toy import ShortToy, Toy

HONEST = 0


@pytest.fixture(autouse=True)
def _quick() -> Iterator[None]:
    with quick_proofs():
        yield


class Forger:
    """All seats but the honest one, after a game in which the honest one once wanted to resign."""

    def __init__(self, seats: int, seed: int) -> None:
        self.rng = random.Random(seed)
        self.seats = seats
        room = Room.of(ShortToy() if seats == 2 else Toy(), seats, seed=seed)
        room.settle()
        self.notes: list[bytes] = []
        while not room.complete:
            room.play(until=lambda room: not room.players[HONEST].decision)
            if not room.players[HONEST].decision and not self.notes and self.rng.random() < 0.3:
                self._note(room)
            room.play(until=lambda room: self.rng.random() < 0.3)
        self.honest_file = room.file(HONEST)
        self.seen: Counter[str] = Counter()

    def _note(self, room: Room) -> None:
        """The honest seat signs a note that comes too late, and goes on, for it has thought better of it."""
        player = room.players[HONEST]
        try:
            note = player.resign().note
        except Exception:  # noqa: BLE001 (there may be nothing to resign just now)
            return
        player._resigning = False
        if note:
            self.notes.append(note)

    def file(self) -> list[bytes]:
        """Some file."""
        rng = self.rng
        entries = list(self.honest_file)
        if rng.random() < 0.7:
            entries = entries[: rng.randrange(2, len(entries) + 1)]
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            at = rng.choice([len(entries), rng.randrange(len(entries) + 1)])
            match rng.randrange(5):
                case 0:
                    entries[at:at] = [rng.choice(self.honest_file)]
                case 1 if entries:
                    del entries[rng.randrange(len(entries)) :][:1]
                case 2:
                    entries = [*entries[:at], self.own_entry(at)]
                case _:
                    entries[at:at] = [self.own_entry(at)]
        return entries or list(self.honest_file[:1])

    def own_entry(self, at: int) -> bytes:
        """An entry that a cheater signs, for a place near ``at`` or any other; it may claim any seat."""
        rng = self.rng
        signer = rng.randrange(1, self.seats)
        model = self.honest_file[min(at, len(self.honest_file) - 1)]
        if rng.random() < 0.3:
            model = rng.choice(self.honest_file)
        right = pb.Entry.FromString(model).body
        if rng.random() < 0.2:  # what the honest seat has said, or somebody else, in another spelling
            return sign_entry(mutants.spelt_otherwise(rng, right), identity_of(signer).sign_message)
        body = pb.Body.FromString(right)
        if rng.random() < 0.6:
            body.seat = signer
        match rng.randrange(5):
            case 0:
                body.resign.SetInParent()
            case 1 if self.notes:
                body.note.CopyFrom(pb.CarriedNote.FromString(rng.choice(self.notes)))
            case 2:
                getattr(body, rng.choice(list(Kind))).SetInParent()
            case 3:
                mutants.mutate_message(rng, body)
            case _:
                pass
        data = body.SerializeToString(deterministic=True)
        if rng.random() < 0.3:
            data = mutants.mutate_encoding(rng, [data], data)
        return sign_entry(data, identity_of(signer).sign_message)

    def try_once(self) -> list[Report]:
        forged = self.file()
        reports = [verify(forged, games=lookup)]
        if self.rng.random() < 0.5:
            reports += groups(self.honest_file, forged)
        for report in reports:
            self.seen[report.verdict.value] += 1
            check_not_convicted(report, HONEST)
        return reports


@pytest.mark.parametrize(("seats", "count"), [(2, 80), (3, 15)])
def test_nobody_can_be_framed(seats: int, count: int) -> None:
    forger = Forger(seats, seats)
    assert forger.notes
    for _ in range(count):
        forger.try_once()
    assert forger.seen["cheated"] > count / 10
    assert forger.seen["unreadable"] > count / 10


def test_a_note_in_its_round_is_a_resignation_and_no_fault() -> None:
    """The honest seat has signed that it resigns; the winner carries the note in his file, in place of the move that he
    sent. Together the files convict him, who has signed both."""
    room = Room.of(ShortToy())
    room.play(until=lambda room: room.players[1].decision is not None)
    loser, winner = room.players
    note = loser.resign().note
    assert note is not None
    file = room.file(1)
    move = winner.act(winner.view().legal_actions(1)[0]).entries[0].data
    body = pb.Body.FromString(pb.Entry.FromString(move).body)
    body.note.CopyFrom(pb.CarriedNote.FromString(note))
    carried = sign_entry(body.SerializeToString(deterministic=True), identity_of(1).sign_message)
    loser.receive(move)
    alone = verify([*file, carried], games=lookup)
    assert alone.fault is None
    assert alone.result is not None
    assert alone.result.winners == (1,)
    (report,) = groups(room.file(HONEST), [*file, carried])
    assert report.fault is not None
    assert report.fault.seat == 1
    assert report.fault.round == place_of(move)[0]


@pytest.mark.parametrize("seats", [2, 3])
def test_a_note_used_once_more(seats: int) -> None:
    """A note is good for its round. Whoever carries it in a later one is at fault; its author is not."""
    room = Room.of(Toy(), seats, seed=3)
    room.play(until=lambda room: not room.players[HONEST].decision)
    author = room.players[HONEST]
    reaction = author.resign()
    assert reaction.note is not None
    author._resigning = False  # nobody carries it in time, and the honest seat has thought better of it
    first = author.table.log.open.number
    room.play(
        until=lambda room: room.players[HONEST].table.log.open.number > first + 2 and not author.decision
    )
    carrier = next(player for player in room.players if player.decision)
    file = room.file(carrier.number)
    body = carrier.table.body(carrier.number, Payload(Kind.NOTE, pb.CarriedNote.FromString(reaction.note)))
    late = sign_entry(body, identity_of(carrier.number).sign_message)
    for report in (verify([*file, late], games=lookup), *groups(room.file(HONEST), [*file, late])):
        assert report.fault is not None
        assert (report.fault.seat, report.fault.kind) == (carrier.number, FaultKind.NOTE)


def test_the_other_s_last_entries_cut_off() -> None:
    """Alone such a file is incomplete; beside the whole one it is of no weight."""
    room = Room.of(ShortToy())
    room.play()
    whole = room.file(HONEST)
    for cut in range(2, len(whole), 5):
        assert verify(whole[:cut], games=lookup).verdict is Verdict.INCOMPLETE
        assert [report.verdict for report in groups(whole[:cut], whole)] == [Verdict.CLEAN]
    without = [data for data in whole if place_of(data)[1] != HONEST or place_of(data)[0] < 5]
    check_not_convicted(verify(without, games=lookup), HONEST)


def test_absence_convicts_nobody() -> None:
    """Whatever entries are missing, of whichever seat, at the end or in the middle."""
    room = Room.of(ShortToy())
    room.play()
    whole = room.file(HONEST)
    rng = random.Random(4)
    for _ in range(40):
        missing = set(rng.sample(range(len(whole)), rng.randrange(1, 6)))
        report = verify([data for at, data in enumerate(whole) if at not in missing], games=lookup)
        assert report.verdict in (Verdict.INCOMPLETE, Verdict.UNREADABLE)
        assert report.fault is None


def test_a_host_that_offers_one_table_twice() -> None:
    """Two guests take one offer: two tables. All files together convict nobody; no entry tells at the other."""
    rooms = []
    for seed in (4, 5):
        room = Room.of(ShortToy())
        room.players[1] = honest(1, secrets_of(1, seed), identity_of(1))
        room.play()
        rooms.append(room)
    one, other = (room.file(0) for room in rooms)
    assert one[0] == other[0]
    assert [report.verdict for report in groups(one, other)] == [Verdict.CLEAN, Verdict.CLEAN]
    for at in range(1, len(other), 4):
        for report in groups(one, [*one[: at + 1], other[at]]):
            assert report.fault is None


def test_malformed_bytes_of_another_table_tell_against_their_signer_alone() -> None:
    """They are bound to no table: whoever has signed them once is convicted by them wherever they are shown."""
    room = Room.of(ShortToy())
    room.play()
    file = room.file(HONEST)
    spelt = sign_entry(b"\xfa\x3f\x01x", identity_of(1).sign_message)
    for at in (3, len(file)):
        report = verify([*file[:at], spelt], games=lookup)
        assert report.fault is not None
        assert (report.fault.seat, report.fault.kind) == (1, FaultKind.MALFORMED)
    stranger = sign_entry(b"\xfa\x3f\x01x", identity_of(7).sign_message)
    assert verify([*file, stranger], games=lookup).verdict is Verdict.UNREADABLE


def test_evidence_from_another_table_convicts_nobody() -> None:
    """A fault is a fault where it was signed: at another table it is noise."""
    here, there = Room.of(ShortToy(), seed=1), Room.of(ShortToy(), seed=2)
    for room in (here, there):
        room.play()
    for data in there.file(HONEST)[2::4]:
        for at in (3, len(here.file(HONEST))):
            file = [*here.file(HONEST)[:at], data]
            check_not_convicted(verify(file, games=lookup), HONEST)
