"""Attackers on the log: two entries for one round, entries from elsewhere, bytes that are no entry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from bcnet import transcript
from bcnet.entry import Noise, place_of
from bcnet.hashing import PROTOCOL_VERSION
from bcnet.table.faults import FaultKind
from bcnet.table.rounds import Kind
from bcnet.table.table import OtherHistory, OtherProtocol
from bcnet.verify import Verdict, verify
from bcnet.wire.v1 import log_pb2 as pb
from tests.attacks.arena import Arena, arena_with, check_conviction, check_not_convicted, groups, kind_of
from tests.attacks.cheats import Cheat, Cheater, Says, body_of
from tests.table.quick import quick_proofs
from tests.table.room import Room, come_back, honest, identity_of, lookup, secrets_of
from tests.toy import ShortToy, Toy


def resignation_beside(me: Cheater, data: bytes) -> bytes:
    """A second entry for the same round."""
    body = body_of(data)
    body.resign.SetInParent()
    return me.sign(body)


# --- two entries for one round ---


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("kind", [Kind.SHARE, Kind.ACT, Kind.SEAL, Kind.UNMASK, Kind.SHUFFLE])
def test_two_entries_for_one_round(kind: Kind, seat: int) -> None:
    """Plays, and resigns as well, to choose later which of the two it was."""
    arena = arena_with(Says(kind, lambda me, data: [data, resignation_beside(me, data)]), seat)
    arena.play()
    fault = check_conviction(arena, 1 - seat, seat, FaultKind.EQUIVOCATION)
    assert len(fault.evidence) == 2
    assert kind_of(fault.evidence[0]) is kind


def test_two_entries_for_a_round_long_past() -> None:
    """Takes a move back when the game has gone on."""
    first_move: list[bytes] = []

    def say(me: Cheater, data: bytes) -> Sequence[bytes]:
        first_move.append(data)
        return [data]

    arena = arena_with(Says(Kind.ACT, say))
    arena.play(until=lambda arena: len(arena.players[0].table.log) > 20)
    other = resignation_beside(arena.cheater(1), first_move[0])
    arena.hand_over(0, other)
    fault = check_conviction(arena, 0, 1, FaultKind.EQUIVOCATION)
    assert fault.round == place_of(first_move[0])[0]
    assert fault.evidence == (first_move[0], other)


def test_a_second_entry_that_is_no_good_itself() -> None:
    """What is wrong with the second entry does not matter: it is a second one."""
    arena = arena_with(
        Says(Kind.SHARE, lambda me, data: [data, me.entry(Kind.SHARE, pb.Share(link=b"short"))])
    )
    arena.play()
    check_conviction(arena, 0, 1, FaultKind.EQUIVOCATION)


def test_a_second_entry_on_another_head() -> None:
    """The other body names another head: two bodies for one round all the same."""

    def say(me: Cheater, data: bytes) -> Sequence[bytes]:
        body = body_of(data)
        body.head = bytes(32)
        return [data, me.sign(body)]

    arena = arena_with(Says(Kind.ACT, say))
    arena.play()
    check_conviction(arena, 0, 1, FaultKind.EQUIVOCATION)


def test_the_same_entry_again_is_no_second_one() -> None:
    """After a reconnect everything may come twice, or ten times."""
    arena = arena_with(Says(Kind.ACT, lambda me, data: [data] * 10))
    arena.play()
    assert arena.complete
    assert not arena.noise
    assert verify(arena.file(0), games=lookup).verdict is Verdict.CLEAN


def test_two_heads_shown_to_two_seats() -> None:
    """Three seats: one plays two different cards against two others. Each log goes on, until the two of them meet.

    Nobody is convicted by what the honest seats have signed on their different logs; both files together convict the
    one that signed twice.
    """
    with quick_proofs():
        arena = arena_with(Cheat(), 2, seats=3, game=Toy())
        arena.settle()
        while not arena.players[2].decision:
            player = next(player for player in arena.players if player.decision)
            arena.react(player.number, player.act(player.view().legal_actions(player.number)[0]))
            arena.settle()
        cheater = arena.cheater(2)
        here = cheater.table.log.open
        one, other = (
            cheater.entry(Kind.ACT, cheater.seat.act(action, here))
            for action in cheater.view().legal_actions(2)[:2]
        )
        arena.react(0, arena.players[0].receive(one))
        arena.react(1, arena.players[1].receive(other))
        arena.settle()
        assert any(isinstance(noise, OtherHistory) for _, noise in arena.noise)
        assert arena.players[0].table.fault is None
        assert arena.players[1].table.fault is None
        for seat in (0, 1):
            assert verify(arena.file(seat), games=lookup).verdict is Verdict.INCOMPLETE
        (report,) = groups(arena.file(0), arena.file(1))
        assert report.verdict is Verdict.CHEATED
        assert report.fault is not None
        assert (report.fault.seat, report.fault.round, report.fault.kind) == (
            2,
            here.number,
            FaultKind.EQUIVOCATION,
        )
        assert set(report.fault.evidence) == {one, other}


@pytest.mark.parametrize("accuser", [0, 1])
def test_an_entry_on_another_log_convicts_nobody_alone(accuser: int) -> None:
    """A file may end with an entry on top of another log: who has shown whom what, it does not tell."""
    with quick_proofs():
        arena = arena_with(Cheat(), 2, seats=3, game=Toy())
        arena.settle()
        log = arena.file(accuser)
        cheater = arena.cheater(2)
        strange = cheater.entry(Kind.SHARE, pb.Share(link=bytes(32)), head=bytes(32))
        report = verify([*log, strange], games=lookup)
        assert report.verdict is Verdict.INCOMPLETE
        assert any("another log" in note for note in report.notes)


# --- entries from elsewhere ---


def other_game(seed: int = 1) -> Room:
    """The same two people at another table."""
    room = Room.of(ShortToy(), seed=seed)
    room.settle()
    return room


@pytest.mark.parametrize("which", range(1, 12, 2))
def test_replay_from_another_table(which: int) -> None:
    """Whatever anyone has said at another table is noise at this one, from him or from anybody else."""
    said = [data for _, data in other_game().sent][which]
    room = Room.of(ShortToy())
    for _ in range(8):
        for player in room.players:
            before = player.position
            with pytest.raises(Noise):
                player.receive(said)
            assert player.position == before
        room.deliver()
    room.play()
    assert room.complete


@pytest.mark.parametrize("kind", [Kind.SHUFFLE, Kind.RESPONSES, Kind.UNMASK])
def test_replay_from_another_epoch(kind: Kind) -> None:
    """Says what it said in the first epoch, in the second: the bytes of then are a repetition, and change nothing.

    Signed anew for the round of now it is what `attackers` try: a fault.
    """
    first: list[bytes] = []
    seen: list[int] = []

    def say(me: Cheater, data: bytes) -> Sequence[bytes]:
        seen.append(len(me.table.course.deck.epochs) if me.table.course.deck else 0)
        if not first:
            first.append(data)
            return [data]
        return [*first, data]

    arena = arena_with(Again(kind, say))
    arena.play()
    assert max(seen) > 1
    assert arena.complete
    assert not arena.noise


class Again(Says):
    """The same at every entry of the kind."""

    def sent(self, me: Cheater, data: bytes) -> Sequence[bytes]:
        return self.say(me, data) if kind_of(data) is self.kind else [data]


def test_an_entry_for_a_later_round() -> None:
    """Skips a round: nobody can say yet what it is worth."""
    arena = arena_with(Cheat())
    arena.settle()
    me = arena.cheater(1)
    entry = me.entry(Kind.SHARE, pb.Share(link=bytes(32)), round=me.table.log.open.number + 1)
    with pytest.raises(Noise):
        arena.players[0].receive(entry)
    arena.play()
    assert arena.complete


def not_awaited(arena: Arena) -> int:
    """The round of a turn of seat 0, in which seat 1 owes nothing."""
    arena.play(until=lambda arena: arena.players[0].decision is Kind.ACT)
    return arena.players[0].table.log.open.number


def test_an_entry_for_a_past_round_that_did_not_await_it() -> None:
    """Speaks in a round of the other's, when that is over."""
    arena = arena_with(Cheat())
    number = not_awaited(arena)
    me = arena.cheater(1)
    head = me.table.log.open.head
    arena.play(until=lambda arena: len(arena.players[0].table.log) > number + 1)
    entry = me.entry(Kind.ACT, pb.Act(action="left"), round=number, head=head)
    arena.hand_over(0, entry)
    fault = check_conviction(arena, 0, 1, FaultKind.NOT_AWAITED)
    assert fault.round == number


def test_playing_out_of_turn() -> None:
    """Moves when it is the other's turn."""
    arena = arena_with(Cheat())
    number = not_awaited(arena)
    me = arena.cheater(1)
    arena.hand_over(0, me.entry(Kind.ACT, pb.Act(action="play 0")))
    fault = check_conviction(arena, 0, 1, FaultKind.NOT_AWAITED)
    assert fault.round == number


def test_speaking_after_the_end() -> None:
    """Adds an entry to a complete log."""
    arena = arena_with(Cheat())
    arena.play()
    assert arena.complete
    me = arena.cheater(1)
    arena.hand_over(0, me.entry(Kind.REVEAL, pb.Reveal(seed=me.seat.secrets.seed)))
    fault = check_conviction(arena, 0, 1, FaultKind.NOT_AWAITED)
    assert fault.round == len(arena.players[0].table.log)


def test_another_protocol_version() -> None:
    """Signs for another version of the protocol under this table's id."""
    arena = arena_with(Cheat())
    arena.play(until=lambda arena: arena.players[1].decision is Kind.ACT)
    me = arena.cheater(1)
    for version in (0, 2, 2**32 - 1):
        with pytest.raises(Noise):
            arena.players[0].receive(me.entry(Kind.ACT, pb.Act(action="left"), version=version))
    arena.play()
    assert arena.complete


# --- asking for what is not due ---


def test_unlock_oracle() -> None:
    """Asks for a card that is not due by all means that there are: an unmasking out of turn, a shuffle, a share.

    The honest side unmasks what the rules call for, and nothing on request.
    """
    arena = arena_with(Cheat())
    not_awaited(arena)
    me, victim = arena.cheater(1), arena.players[0]
    deck = victim.table.course.deck
    assert deck is not None
    removals = len(deck.removals)
    requests = [
        (Kind.UNMASK, pb.Unmask()),
        (Kind.SHUFFLE, pb.Shuffle()),
        (Kind.SHARE, pb.Share(link=bytes(32))),
        (Kind.ACT, pb.Act(action="draw")),
    ]
    for kind, message in requests:
        asked = come_back(victim)
        reaction = asked.receive(me.entry(kind, message))
        assert [standing.seat for standing in reaction.entries] == [1], "the honest side answers"
        assert asked.table.fault is not None
        assert asked.table.fault.kind is FaultKind.NOT_AWAITED
    assert len(deck.removals) == removals


# --- bytes that are no entry ---


def varint(number: int) -> bytes:
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def field(number: int, wire: int, content: bytes) -> bytes:
    """A field as protobuf writes it."""
    return varint(number << 3 | wire) + (varint(len(content)) + content if wire == 2 else content)


MALFORMED: dict[str, Callable[[bytes], bytes]] = {
    "unknown field": lambda body: body + field(99, 2, b"hidden"),
    "unknown field inside": lambda body: _inside(body, field(99, 0, b"\x01")),
    "first field twice": lambda body: body[:2] + body,
    "long varint": lambda body: b"\x08\x81\x00" + body[2:],
    "default spelt out": lambda body: body + field(30, 0, b"\x00"),
    "wrong order": lambda body: body[2:] + body[:2],
    "cut": lambda body: body[:-1],
    "trailing zero": lambda body: body + b"\x00",
    "no payload": lambda body: _without_payload(body),  # noqa: PLW0108 (defined below)
    "two payloads": lambda body: body + field(26, 2, b""),
    "garbage": lambda body: b"\xff" * 40,
    "empty": lambda body: b"",
}


def _inside(body: bytes, more: bytes) -> bytes:
    """Something unknown inside the payload."""
    message = pb.Body.FromString(body)
    inner = message.share.SerializeToString() + more
    message.ClearField("share")
    return message.SerializeToString() + field(20, 2, inner)


def _without_payload(body: bytes) -> bytes:
    message = pb.Body.FromString(body)
    message.ClearField("share")
    return message.SerializeToString()


class Malformed(Cheat):
    """Signs the bytes of its first share in another spelling."""

    def __init__(self, spell: Callable[[bytes], bytes]) -> None:
        self.spell = spell
        self.done = False

    def body(self, me: Cheater, body: pb.Body) -> bytes:
        right = super().body(me, body)
        if self.done or not body.HasField("share"):
            return right
        self.done = True
        return self.spell(right)


@pytest.mark.parametrize("name", MALFORMED)
def test_signed_bytes_that_are_no_canonical_body(name: str) -> None:
    arena = arena_with(Malformed(MALFORMED[name]))
    arena.play()
    check_conviction(arena, 0, 1, FaultKind.MALFORMED)


def test_malformed_bytes_before_there_is_a_table_convict_nobody() -> None:
    room = Room.of(ShortToy())
    me = identity_of(1)
    entry = pb.Entry(body=b"\xff", signature=me.sign("entry", b"\xff")).SerializeToString()
    with pytest.raises(Noise):
        room.players[0].receive(entry)
    room.play()
    assert room.complete


def forgeries(data: bytes) -> dict[str, bytes]:
    entry = pb.Entry.FromString(data)
    return {
        "signed by nobody": pb.Entry(body=entry.body, signature=bytes(64)).SerializeToString(),
        "not signed": pb.Entry(body=entry.body).SerializeToString(),
        "signed by the other": pb.Entry(
            body=entry.body, signature=identity_of(0).sign("entry", entry.body)
        ).SerializeToString(),
        "signed by a stranger": pb.Entry(
            body=entry.body, signature=identity_of(9).sign("entry", entry.body)
        ).SerializeToString(),
        "signed as a note": pb.Entry(
            body=entry.body, signature=identity_of(1).sign("note", entry.body)
        ).SerializeToString(),
        "signed as a hello": pb.Entry(
            body=entry.body, signature=identity_of(1).sign("hello", entry.body)
        ).SerializeToString(),
        "signature of 63 bytes": pb.Entry(
            body=entry.body, signature=entry.signature[:63]
        ).SerializeToString(),
        "signature of 65 bytes": pb.Entry(
            body=entry.body, signature=entry.signature + b"x"
        ).SerializeToString(),
        "signature with its order added": pb.Entry(
            body=entry.body, signature=entry.signature[:32] + _plus_order(entry.signature[32:])
        ).SerializeToString(),
        "something behind": data + b"\x1a\x00",
        "wrong order": pb.Entry(signature=entry.signature).SerializeToString()
        + pb.Entry(body=entry.body).SerializeToString(),
        "too long": bytes((1 << 20) + 1),
        "empty": b"",
    }


def _plus_order(scalar: bytes) -> bytes:
    """The second half of an Ed25519 signature in its other spelling (which a lenient check accepts)."""
    order = 2**252 + 27742317777372353535851937790883648493
    return (int.from_bytes(scalar, "little") + order).to_bytes(32, "little")


@pytest.mark.parametrize(
    "name", sorted(forgeries(pb.Entry(body=b"x", signature=bytes(64)).SerializeToString()))
)
def test_forged_entries_are_noise(name: str) -> None:
    room = Room.of(ShortToy())
    room.play(until=lambda room: room.players[1].decision is Kind.ACT)
    mover = room.players[1]
    action = mover.view().legal_actions(1)[0]
    data = mover.act(action).entries[0].data
    with pytest.raises(Noise):
        room.players[0].receive(forgeries(data)[name])
    assert room.players[0].receive(data).entries


# --- sitting down twice ---


def test_a_host_that_offers_the_same_table_twice() -> None:
    """Hands the same offer to two people. Each brings something fresh of his own, so that there are two tables, with
    two ids; nothing that anybody says at one is worth anything at the other."""
    offer = Room.of(ShortToy()).sent[0][1]
    guests = [honest(1, secrets_of(1, seed), identity_of(seed)) for seed in (4, 5)]
    for guest in guests:
        guest.receive(offer)
    host = honest(0, secrets_of(0), identity_of(0))
    host.restore([offer])
    joins = [guest.table.log[1].entries[1].data for guest in guests]
    said = host.receive(joins[0])
    with pytest.raises(Noise):
        host.receive(joins[1])
    assert guests[0].table.course.table_id != guests[1].table.course.table_id
    assert guests[0].receive(said.entries[1].data).entries
    with pytest.raises(Noise):
        guests[1].receive(said.entries[1].data)


def test_a_second_join_after_a_dropped_line() -> None:
    """A guest joins, loses the line, and joins the same offer with a new seed: he knows what the first would bring."""
    room = Room.of(ShortToy())
    room.deliver()
    offer, join = (data for _, data in room.sent[:2])
    again = honest(1, secrets_of(1, 77), identity_of(1))
    second = again.receive(offer).entries[1].data
    assert kind_of(second) is Kind.JOIN
    host = room.players[0]
    host.receive(join)
    with pytest.raises(Noise):
        host.receive(second)
    assert host.receive(join).entries == ()
    assert host.table.fault is None


def test_a_join_to_another_offer() -> None:
    """Uses the join that it has signed for another offer of the same host."""
    elsewhere = Room.of(ShortToy(), seed=5)
    elsewhere.settle()
    join = elsewhere.sent[1][1]
    host = Room.of(ShortToy()).players[0]
    with pytest.raises(Noise):
        host.receive(join)


def test_an_identity_key_of_small_order() -> None:
    """Joins with the identity point as its key: under a lenient check one signature holds for every message."""
    room = Room.of(ShortToy())
    point = (1).to_bytes(32, "little")
    base = bytes.fromhex("58" + "66" * 31)
    any_message = base + (1).to_bytes(32, "little")  # R = B, s = 1: s*B = R + h*A for A = 0 and every h
    guest = room.players[1]
    join = body_of(guest.receive(room.sent[0][1]).entries[1].data)
    assert join.HasField("join")
    join.join.guest.identity = point
    data = pb.Entry(body=join.SerializeToString(deterministic=True), signature=any_message)
    with pytest.raises(Noise):
        room.players[0].receive(data.SerializeToString())
    assert room.players[0].table.course.table_id == b""


# --- the same home twice ---


def test_a_home_folder_copied_and_run_twice() -> None:
    """Two programs with one seed and one key say the same until somebody decides; then they convict themselves."""
    room = Room.of(Toy())
    room.settle()
    mover = next(player for player in room.players if player.decision)
    copy = come_back(mover)
    one, other = mover.view().legal_actions(mover.number)[:2]
    judge = room.players[1 - mover.number]
    judge.receive(mover.act(one).entries[0].data)
    judge.receive(copy.act(other).entries[0].data)
    fault = judge.table.fault
    assert fault is not None
    assert (fault.seat, fault.kind) == (mover.number, FaultKind.EQUIVOCATION)


def test_a_copy_of_a_home_uses_no_secret_for_two_things() -> None:
    """A rolled-back home goes on differently: proofs of the same card under another head have another nonce.

    With one nonce for two challenges everybody could compute the seat's deck key.
    """
    room = Room.of(Toy())
    room.settle()
    mover = next(player for player in room.players if player.decision)
    copy = come_back(mover)
    here = mover.table.log.open
    action = mover.view().legal_actions(mover.number)[0]
    one = mover.seat.act(action, here).openings[0].proof
    same = copy.seat.act(action, copy.table.log.open).openings[0].proof
    assert one == same
    elsewhere = type(here)(here.number, bytes(32), {})
    other = copy.seat.act(action, elsewhere).openings[0].proof
    assert one.first != other.first
    assert one.second != other.second


# --- files ---


def test_the_other_s_last_entry_cut_off_to_blame_him() -> None:
    """Whatever is not in a file proves nothing: it is incomplete, says what it lacks, and accuses nobody."""
    room = Room.of(ShortToy())
    room.play()
    file = room.file(0)
    with quick_proofs():
        for cut in range(2, len(file), 2):
            report = verify(file[:cut], games=lookup)
            assert report.verdict is Verdict.INCOMPLETE
            assert report.fault is None
            assert report.lacks
            lack = body_of(file[cut])
            assert (lack.seat, lack.round) in {(each.seat, each.round) for each in report.lacks}
            assert not any(word in report.message.lower() for word in ("cheat", "fault", "guilty"))


def test_a_complaint_about_a_good_card() -> None:
    """He stops at a card that the honest seat has unmasked, and says that it was bad; or hands it in with its proof
    changed. With every proof run again there is nothing against anyone: there is no way to complain."""
    path = Path(__file__).resolve().parents[1] / "vectors" / "transcripts" / "clean-resigned-on-turn.bct"
    entries = transcript.read(path)
    seen = 0
    for at, data in enumerate(entries):
        body = pb.Body.FromString(pb.Entry.FromString(data).body)
        if not body.HasField("unmask"):
            continue
        seen += 1
        report = verify(entries[: at + 1])
        assert (report.verdict, report.proofs_checked) == (Verdict.INCOMPLETE, True)
        body.unmask.cards[0].proof.answer = bytes(31) + b"\1"
        entry = pb.Entry.FromString(data)
        changed = pb.Entry(body=body.SerializeToString(deterministic=True), signature=entry.signature)
        forged = [*entries[:at], changed.SerializeToString(deterministic=True)]
        assert verify(forged).verdict is Verdict.UNREADABLE
        assert all(report.fault is None for report in groups(entries, forged))
    assert seen >= 2


def test_what_a_cheater_can_make_of_an_honest_file() -> None:
    """Nothing that an attacker writes into the file of an honest game makes the honest seat guilty."""
    room = Room.of(ShortToy())
    room.play()
    file = room.file(0)
    me = identity_of(1)
    with quick_proofs():
        for at in range(3, len(file), 9):
            body = body_of(file[at])
            mine = pb.Body(version=1, table=body.table, round=body.round, seat=1, head=body.head)
            mine.resign.SetInParent()
            data = mine.SerializeToString(deterministic=True)
            entry = pb.Entry(body=data, signature=me.sign("entry", data)).SerializeToString(
                deterministic=True
            )
            for forged in ([*file[:at], entry], [*file[:at], entry, *file[at:]], [*file, entry]):
                for report in [verify(forged, games=lookup), *groups(file, forged)]:
                    check_not_convicted(report, 0)


@pytest.mark.parametrize(
    ("version", "hint"),
    [(0, "Use the older bcnet that wrote it."), (PROTOCOL_VERSION + 1, "Use a newer bcnet.")],
)
def test_an_entry_of_another_version_says_which_bcnet_reads_it(version: int, hint: str) -> None:
    arena = arena_with(Cheat(), 0)
    arena.settle()
    body = body_of(arena.said_by(0)[-1])
    body.version = version
    with pytest.raises(OtherProtocol, match=rf"version {version}; .* version {PROTOCOL_VERSION}\.") as other:
        arena.players[1].receive(arena.cheater(0).sign(body))
    assert other.value.hint == hint
    assert arena.players[1].table.fault is None
