"""Giving up: in place of an entry, by note, and everything that somebody might try with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from bcnet.entry import Noise, place_of, sign_entry, sign_note
from bcnet.errors import IllegalStep
from bcnet.games import registry
from bcnet.games.interface import Over, Resigned, State
from bcnet.table.faults import FaultKind
from bcnet.table.payloads import Payload
from bcnet.table.player import Player
from bcnet.table.rounds import Kind
from bcnet.table.table import Faulted
from bcnet.verify import Verdict, verify
from bcnet.wire.v1 import log_pb2 as pb
from tests.table.quick import quick_proofs
from tests.table.room import Room, at_random, identity_of, lookup, secrets_of
from tests.toy import Toy

RESIGN = pb.Resign()


@pytest.fixture(autouse=True)
def _quick() -> Iterator[None]:
    with quick_proofs():
        yield


def decider(room: Room) -> Player:
    """Whose turn it is."""
    return next(player for player in room.players if player.decision)


def other(room: Room) -> Player:
    """With two seats, the one who waits."""
    return next(player for player in room.players if not player.decision)


def first_turn(seats: int = 2, seed: int = 0) -> Room:
    """A room before the first decision."""
    room = Room.of(Toy(), seats, seed=seed)
    room.settle()
    return room


def at(room: Room, kind: Kind) -> Room:
    """The same room before the first decision of a kind."""
    room.play(until=lambda room: any(player.decision is kind for player in room.players))
    return room


def resign(room: Room, seat: int) -> None:
    room.react(seat, room.players[seat].resign())


def result(room: Room) -> Over:
    """How the game ended, the same for all, with complete and clean files."""
    room.settle()
    assert room.complete
    files = {tuple(room.file(seat)) for seat in range(len(room.players))}
    assert len(files) == 1
    report = verify(files.pop(), games=lookup)
    assert report.verdict is Verdict.CLEAN, report.message
    assert report.result is not None
    return report.result


def say(room: Room, seat: int, payload: Payload) -> bytes:
    """What this seat's key signs when its program says something else than it should."""
    return sign_entry(room.players[seat].table.body(seat, payload), identity_of(seat).sign_message)


def note_of(room: Room, author: int, resignation: pb.Resign = RESIGN, **changes: object) -> pb.CarriedNote:
    """A note of this seat for the open round, signed, with changes."""
    body = pb.NoteBody.FromString(room.players[author].table.note_body(author, resignation))
    for name, value in changes.items():
        setattr(body, name, value)
    return sign_note(body.SerializeToString(deterministic=True), identity_of(author).sign_message)


def fault(room: Room, accused: int, data: bytes, judge: int | None = None) -> FaultKind:
    """What an honest side makes of an entry of ``accused``: the fault, named and proven to anyone."""
    judge = 1 - accused if judge is None else judge
    reaction = room.players[judge].receive(data)
    (event,) = reaction.events
    assert isinstance(event, Faulted)
    assert event.fault.seat == accused
    assert event.fault.round == place_of(data)[0]
    report = verify(room.file(judge), games=lookup)
    assert report.verdict is Verdict.CHEATED
    assert report.fault == event.fault
    return event.fault.kind


# --- two seats ---


def test_in_place_of_a_decision() -> None:
    room = first_turn()
    resign(room, decider(room).number)
    loser = 1 - result(room).winners[0]
    kinds = [kind_of(data) for seat, data in room.sent if seat == loser]
    assert kinds[-2:] == [Kind.RESIGN, Kind.REVEAL]


def kind_of(data: bytes) -> Kind:
    return Kind(pb.Body.FromString(pb.Entry.FromString(data).body).WhichOneof("payload") or "")


def test_by_a_note_which_the_other_carries() -> None:
    room = first_turn()
    loser = other(room).number
    resign(room, loser)
    assert result(room) == Over((1 - loser,), "resignation")
    assert Kind.NOTE in [kind_of(data) for seat, data in room.sent if seat != loser]
    assert Kind.RESIGN not in [kind_of(data) for _, data in room.sent]


def test_a_note_that_comes_too_late_is_void_and_the_resignation_follows_by_itself() -> None:
    room = first_turn()
    loser, mover = other(room), decider(room)
    resign(room, loser.number)
    room.react(mover.number, mover.act(at_random(mover, room.rng)))  # before the note arrives
    assert result(room) == Over((mover.number,), "resignation")
    assert Kind.NOTE not in [kind_of(data) for _, data in room.sent]
    assert kind_of(
        next(d for s, d in reversed(room.sent) if s == loser.number and kind_of(d) != Kind.REVEAL)
    ) == (Kind.RESIGN)


def turns(seats: int = 3) -> Room:
    """A game without secrets, in which one decision follows another: who is not on turn owes nothing for long."""
    room = Room.of(registry.get("stones"), seats)
    room.settle()
    return room


def test_a_note_that_has_crossed_is_sent_again_for_the_next_round() -> None:
    """The resignation does not wait for the author's own turn."""
    room = turns()
    mover = decider(room)
    second = (mover.number + 1) % 3
    third = (mover.number + 2) % 3
    resign(room, third)
    room.react(mover.number, mover.act(at_random(mover, room.rng)))  # before the note arrives
    room.settle()
    assert decider(room).number == second, "nobody has decided since"
    assert has_resigned(room, third)
    assert [kind_of(data) for seat, data in room.sent if seat == second][-1] is Kind.NOTE
    notes = [note for wire, note in room.noted if wire[0] == third]
    rounds = [pb.NoteBody.FromString(pb.CarriedNote.FromString(note).body).round for note in notes]
    here = room.players[0].table.log.open.number
    assert rounds == [here - 2] * 2 + [here - 1] * 2, "one for each round, to both others, and none any more"


def test_two_notes_for_one_round_count_one_after_the_other() -> None:
    """Whoever is on turn carries one of them; the other is void, and its author sends it anew."""
    room = turns(4)
    mover = decider(room).number
    others = [seat for seat in range(4) if seat != mover]
    for seat in others[:2]:
        resign(room, seat)
    room.settle()
    assert decider(room).number == mover, "whose turn it is still"
    assert all(has_resigned(room, seat) for seat in others[:2])
    room.play()
    assert set(result(room).winners) <= {mover, others[2]}


def test_both_in_one_round_is_drawn() -> None:
    room = at(first_turn(), Kind.SEAL)
    resign(room, 0)
    resign(room, 1)
    assert result(room) == Over((), "resignation")


def test_across_each_other_the_entry_counts_and_the_note_is_void() -> None:
    """Whoever is awaited resigns in place while the other's note is on its way: only the first stands in the log."""
    room = first_turn()
    mover, waiting = decider(room).number, other(room).number
    resign(room, waiting)
    resign(room, mover)
    assert result(room) == Over((waiting,), "resignation")


@pytest.mark.parametrize("late", [False, True])
def test_a_seat_that_answers_a_share_may_be_resigned_by_its_own_note_as_well(late: bool) -> None:
    """A strange program says its seal and resigns by note in the same round; whoever is still to speak may carry it."""
    room = at(first_turn(), Kind.SEAL)
    strange, carrier = room.players
    note = note_of(room, 0)
    if not late:
        room.react(0, strange.act(at_random(strange, room.rng)))
        room.settle()
    room.react(1, carrier.receive_note(note.SerializeToString(deterministic=True)))
    if late:
        room.react(0, strange.act(at_random(strange, room.rng)))
    assert result(room) == Over((1,), "resignation")


@pytest.mark.parametrize("moment", range(1, 62, 5))
@pytest.mark.parametrize("seat", [0, 1])
def test_at_any_moment(moment: int, seat: int) -> None:
    """Set-up, deal, play, choice, anybody's turn: the other wins, unless the game was over or had not begun."""
    room = Room.of(Toy(), 2, seed=moment)
    before = advance(room, moment)
    if before is None:
        return
    ended = room.players[seat].table.course.started and isinstance(state_of(room, seat).need, Over)
    if not room.players[seat].table.course.started or ended:
        with pytest.raises(IllegalStep):
            room.players[seat].resign()
        room.play()
        assert result(room).reason == "points"
    else:
        resign(room, seat)
        room.play()
        over = result(room)
        assert over == Over((1 - seat,), "resignation") or not has_resigned(room, seat)


def has_resigned(room: Room, seat: int) -> bool:
    """Whether a resignation has come in time: the game may end while a note is on its way."""
    steps = room.players[0].table.course.steps
    return any(seat in taken.step.seats for taken in steps if isinstance(taken.step, Resigned))


def state_of(room: Room, seat: int) -> State:
    return room.players[seat].table.course.state


def advance(room: Room, moment: int) -> int | None:
    """Let so many deliveries and decisions pass; None if the game is over before."""
    for passed in range(moment):
        if room.deliver():
            continue
        deciding = [player for player in room.players if player.decision]
        if not deciding:
            return None
        player = room.rng.choice(deciding)
        room.react(player.number, player.act(at_random(player, room.rng)))
        del passed
    return moment


def test_before_the_game_and_after_it_there_is_nothing_to_resign() -> None:
    room = Room.of(Toy(), 2)
    for player in room.players:
        with pytest.raises(IllegalStep):
            player.resign()
    room.play()
    for player in room.players:
        with pytest.raises(IllegalStep):
            player.resign()
    assert result(room).reason == "points"


# --- notes that are no good ---


def forged(note: pb.CarriedNote) -> pb.CarriedNote:
    return pb.CarriedNote(body=note.body, signature=note.signature[:-1] + bytes([note.signature[-1] ^ 1]))


def signed_as_entry(note: pb.CarriedNote, seat: int) -> pb.CarriedNote:
    entry = pb.Entry.FromString(sign_entry(note.body, identity_of(seat).sign_message))
    return pb.CarriedNote(body=note.body, signature=entry.signature)


def with_body(room: Room, author: int, change: Callable[[bytes], bytes]) -> pb.CarriedNote:
    return sign_note(change(note_of(room, author).body), identity_of(author).sign_message)


BAD_NOTES: dict[str, Callable[[Room, int, int], pb.CarriedNote]] = {
    "another round": lambda room, author, _: note_of(room, author, round=99),
    "past round": lambda room, author, _: note_of(room, author, round=7),
    "another head": lambda room, author, _: note_of(room, author, head=bytes(32)),
    "another table": lambda room, author, _: note_of(room, author, table=bytes(32)),
    "another version": lambda room, author, _: note_of(room, author, version=2),
    "no such seat": lambda room, author, _: note_of(room, author, seat=7),
    "the carrier's own": lambda room, _, carrier: note_of(room, carrier),
    "signed by the carrier": lambda room, author, carrier: sign_note(
        note_of(room, author).body, identity_of(carrier).sign_message
    ),
    "forged": lambda room, author, _: forged(note_of(room, author)),
    "not signed": lambda room, author, _: pb.CarriedNote(body=note_of(room, author).body),
    "signed as an entry": lambda room, author, _: signed_as_entry(note_of(room, author), author),
    "with a seed that is not due": lambda room, author, _: note_of(
        room, author, pb.Resign(seed=secrets_of(author).seed)
    ),
    "not canonical": lambda room, author, _: with_body(room, author, lambda body: body + b"\xfa\x1f\x01x"),
    "no note": lambda room, author, _: with_body(room, author, lambda _: b"\xff"),
    "resigns nothing": lambda room, author, _: with_body(
        room, author, lambda body: body.removesuffix(b"\x32\x00")
    ),
    "empty": lambda *_: pb.CarriedNote(),
}
"""Notes that must not resign the author, by what is wrong with them; made for room, author and carrier."""


@pytest.mark.parametrize("name", BAD_NOTES)
def test_whoever_carries_a_bad_note_is_at_fault(name: str) -> None:
    room = first_turn()
    carrier = decider(room).number
    note = BAD_NOTES[name](room, 1 - carrier, carrier)
    entry = say(room, carrier, Payload(Kind.NOTE, note))
    assert fault(room, carrier, entry) is FaultKind.NOTE


@pytest.mark.parametrize("name", BAD_NOTES)
def test_an_honest_player_carries_no_bad_note(name: str) -> None:
    room = first_turn()
    player = decider(room)
    data = BAD_NOTES[name](room, 1 - player.number, player.number).SerializeToString(deterministic=True)
    try:
        reaction = player.receive_note(data)
    except Noise:
        pass
    else:
        assert not reaction.entries
    assert player.decision is Kind.ACT
    room.play()
    assert result(room).reason == "points"


@pytest.mark.parametrize(
    "garbage", [b"", b"\xff", b"\xff\xff", bytes(200), b"\x0a\xff\xff\xff\xff\x0f", b"\x12\x00", b"x" * 100]
)
def test_garbage_for_a_note_is_noise(garbage: bytes) -> None:
    """In place of a note, or wrapped as one."""
    wrapped = pb.CarriedNote(body=garbage, signature=bytes(64)).SerializeToString(deterministic=True)
    room = first_turn()
    for player in room.players:
        for note in (garbage, wrapped):
            with pytest.raises(Noise) as refused:
                player.receive_note(note)
            assert "None" not in refused.value.message


@pytest.mark.parametrize("poison", [b"\xfa\x01\x01x", b"\x12\x00", b"\x0a\x00"])
def test_a_poisoned_note_does_not_make_its_carrier_sign_malformed_bytes(poison: bytes) -> None:
    """A good note in a wrapping that is not canonical: in the carrier's entry it would be the carrier's own fault.

    (Found by review: the honest carrier copied what it did not know, signed it, and convicted itself.)
    """
    room = first_turn()
    carrier, author = decider(room), other(room)
    note = author.resign().note
    assert note is not None
    with pytest.raises(Noise):
        carrier.receive_note(note + poison)
    with pytest.raises(Noise):
        carrier.receive_note(poison + note)
    assert carrier.table.fault is None
    room.play()
    assert result(room) == Over((carrier.number,), "resignation")  # by the entry that the author owed next


def test_a_note_used_twice() -> None:
    """A note that was not carried in its round is brought up in the next one."""
    room = first_turn()
    author, mover = other(room).number, decider(room).number
    note = note_of(room, author)
    room.play(until=lambda room: decider(room).number == mover and room.players[0].table.log.open.number > 9)
    assert fault(room, mover, say(room, mover, Payload(Kind.NOTE, note))) is FaultKind.NOTE


def test_a_note_carried_by_a_seat_that_owes_nothing() -> None:
    room = first_turn()
    author, mover = other(room).number, decider(room).number
    entry = say(room, author, Payload(Kind.NOTE, note_of(room, mover)))
    assert fault(room, author, entry) is FaultKind.NOT_AWAITED


def test_a_resignation_out_of_turn() -> None:
    room = first_turn()
    author = other(room).number
    entry = say(room, author, Payload(Kind.RESIGN, RESIGN))
    assert fault(room, author, entry) is FaultKind.NOT_AWAITED


def test_a_resignation_with_a_seed_that_is_not_due() -> None:
    """With two seats nobody goes on, so nobody needs it: a program that says more than it must."""
    room = first_turn()
    mover = decider(room).number
    entry = say(room, mover, Payload(Kind.RESIGN, pb.Resign(seed=secrets_of(mover).seed)))
    assert fault(room, mover, entry) is FaultKind.RESIGNATION


def test_the_winner_carries_the_note_and_says_his_own_entry_too() -> None:
    """Two entries for one round: one for us, one for his own file."""
    room = first_turn()
    author, carrier = other(room), decider(room)
    note = note_of(room, author.number)
    action = carrier.view().legal_actions(carrier.number)[0]
    carried = say(room, carrier.number, Payload(Kind.NOTE, note))
    played = say(room, carrier.number, Payload(Kind.ACT, carrier.seat.act(action, carrier.table.log.open)))
    author.receive(played)
    assert fault(room, carrier.number, carried) is FaultKind.EQUIVOCATION


# --- in place of what cannot be resigned ---


@pytest.mark.parametrize("kind", [Kind.RESIGN, Kind.NOTE])
def test_instead_of_a_seed(kind: Kind) -> None:
    room = Room.of(Toy(), 2)
    while room.players[0].table.awaiting is None or room.players[0].table.awaiting.kind is not Kind.REVEAL:
        if not room.deliver():
            player = decider(room)
            room.react(player.number, player.act(at_random(player, room.rng)))
    room.wires[1, 0].clear()
    message = RESIGN if kind is Kind.RESIGN else note_of(room, 0)
    entry = say(room, 0, Payload(kind, message))
    entry = resigned_as(room, 1, entry)
    assert fault(room, 1, entry, judge=0) is FaultKind.WRONG_KIND


def resigned_as(room: Room, seat: int, entry: bytes) -> bytes:
    """The same body said and signed by another seat."""
    body = pb.Body.FromString(pb.Entry.FromString(entry).body)
    body.seat = seat
    return sign_entry(body.SerializeToString(deterministic=True), identity_of(seat).sign_message)


def test_instead_of_sitting_down() -> None:
    """Before there is a table it is noise; in the first round under the table's id a fault."""
    room = Room.of(Toy(), 2)
    with pytest.raises(Noise):
        room.players[0].receive(resigned_as(room, 1, say(room, 0, Payload(Kind.RESIGN, RESIGN))))
    room.deliver()
    room.deliver()
    room.wires[1, 0].clear()
    host = room.players[0].table
    assert host.awaiting is not None
    assert (host.awaiting.kind, host.awaiting.seats) == (Kind.READY, (1,))
    entry = resigned_as(room, 1, say(room, 0, Payload(Kind.RESIGN, RESIGN)))
    assert fault(room, 1, entry) is FaultKind.WRONG_KIND


# --- three seats: the game goes on ---


def test_three_seats_go_on_without_the_third() -> None:
    room = first_turn(3)
    resign(room, decider(room).number)
    room.play()
    over = result(room)
    assert over.reason == "points"
    gone = next(iter(room.players[0].table.course.seeds.keys() - set(room.players[0].table.course.present)))
    assert gone not in over.winners
    assert [kind_of(data) for seat, data in room.sent if seat == gone][-1] is Kind.RESIGN


def test_three_seats_two_of_them_leave_and_the_last_has_won() -> None:
    room = at(first_turn(3), Kind.SEAL)
    resign(room, 0)
    resign(room, 2)
    room.play()
    assert result(room) == Over((1,), "resignation")


def test_three_seats_all_leave_at_once() -> None:
    room = at(first_turn(3), Kind.SEAL)
    for seat in range(3):
        resign(room, seat)
    assert result(room) == Over((), "resignation")


@pytest.mark.parametrize("moment", range(3, 130, 14))
def test_three_seats_at_any_moment(moment: int) -> None:
    """One leaves, and some time later another: by entry or note, in any round. All logs stay equal and clean."""
    room = Room.of(Toy(), 3, seed=moment)
    seat = moment % 3
    if advance(room, moment) is None:
        return
    try:
        resign(room, seat)
    except IllegalStep:
        room.play()
        assert result(room).reason == "points"
        return
    advance(room, 4)
    with suppress(IllegalStep):
        resign(room, (seat + 1) % 3)
    room.play()
    assert seat not in result(room).winners or not has_resigned(room, seat)


@pytest.mark.parametrize("whose", ["none", "half", "another's", "another game's"])
def test_three_seats_a_resignation_without_the_right_seed(whose: str) -> None:
    room = first_turn(3)
    mover = decider(room).number
    judge = (mover + 1) % 3
    seed = {
        "none": b"",
        "half": secrets_of(mover).seed[:16],
        "another's": secrets_of(judge).seed,
        "another game's": secrets_of(mover, 1).seed,
    }[whose]
    entry = say(room, mover, Payload(Kind.RESIGN, pb.Resign(seed=seed)))
    assert fault(room, mover, entry, judge) is FaultKind.RESIGNATION


def test_three_seats_a_note_without_the_right_seed() -> None:
    """An honest carrier lets it lie; a dishonest one is at fault himself, for he could have known."""
    room = first_turn(3)
    carrier = decider(room)
    author = (carrier.number + 1) % 3
    judge = (carrier.number + 2) % 3
    note = note_of(room, author, pb.Resign(seed=secrets_of(author, 1).seed))
    assert carrier.receive_note(note.SerializeToString(deterministic=True)).entries == ()
    entry = say(room, carrier.number, Payload(Kind.NOTE, note))
    assert fault(room, carrier.number, entry, judge) is FaultKind.NOTE
