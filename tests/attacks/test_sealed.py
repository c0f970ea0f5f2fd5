"""Attackers on choices that all make at once."""

from __future__ import annotations

import pytest

from bcnet.errors import IllegalStep
from bcnet.fairness import sealed
from bcnet.games.interface import Choose, Over
from bcnet.table.faults import FaultKind, Violation
from bcnet.table.payloads import Payload
from bcnet.table.rounds import Kind
from bcnet.verify import Verdict, verify
from bcnet.wire.v1 import log_pb2 as pb
from tests.attacks.arena import arena_with, check_conviction
from tests.attacks.cheats import Cheat, Cheater
from tests.table.quick import quick_proofs
from tests.table.room import lookup, secrets_of
from tests.toy import Toy


class SealsSomethingElse(Cheat):
    """Seals, and later opens truly, what was not to be chosen from."""

    def __init__(self, choice: str) -> None:
        self.choice = choice
        self.salt = b""

    def payload(self, me: Cheater, payload: Payload) -> Payload | None:
        if payload.kind is Kind.SEAL:
            place = me.table.course.place(me.number, me.table.log.open)
            commitment, self.salt = sealed.seal(me.seat.secrets, place, self.choice.encode())
            return Payload(Kind.SEAL, pb.Seal(commitment=commitment))
        return payload

    def improvise(self, me: Cheater, kind: Kind) -> Payload | None:
        return Payload(kind, pb.Unseal(choice=self.choice, salt=self.salt))


@pytest.mark.parametrize(
    ("choice", "fault"),
    [
        ("play 3", FaultKind.ILLEGAL_ACTION),
        ("up", FaultKind.NOTATION),
        ("", FaultKind.NOTATION),
        ("left ", FaultKind.NOTATION),
        ("x" * 100_000, FaultKind.NOTATION),
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_sealed_choice_that_was_not_to_be_chosen(choice: str, fault: FaultKind, seat: int) -> None:
    arena = arena_with(SealsSomethingElse(choice), seat)
    arena.play()
    check_conviction(arena, 1 - seat, seat, fault, found=Kind.UNSEAL)


def test_a_choice_of_a_hand_that_nobody_knows_is_a_fault_and_no_defect() -> None:
    """A game may ask for choices from hands that the public does not know: its refusal is the seat's fault, too."""
    arena = arena_with(Cheat())
    arena.play(until=lambda arena: isinstance(arena.players[0].table.course.state.need, Choose))
    table = arena.players[0].table.course
    place = table.place(0, arena.players[0].table.log.open)
    commitment, salt = sealed.seal(secrets_of(0), place, b"left")
    table.seal_round, table.seals = arena.players[0].table.log.open, {0: commitment}

    def unknown(_: object, _seat: int) -> tuple[()]:
        raise IllegalStep("the hand is not known")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(table.state), "legal_actions", unknown)
        with pytest.raises(Violation) as caught:
            table._take_unseal(0, pb.Unseal(choice="left", salt=salt))
    assert caught.value.kind is FaultKind.ILLEGAL_ACTION
    assert table._take_unseal(0, pb.Unseal(choice="left", salt=salt)) == table._read_action("left")


class LeavesUnopened(Cheat):
    """Waits for what the others have chosen, does not like it, and resigns in place of opening its own choice."""

    def waits(self, me: Cheater, kind: Kind) -> bool:
        return kind is Kind.UNSEAL

    def payload(self, me: Cheater, payload: Payload) -> Payload | None:
        return Payload(Kind.RESIGN, me.seat.resignation()) if payload.kind is Kind.UNSEAL else payload


def test_with_two_seats_an_unopened_choice_is_a_lost_game() -> None:
    arena = arena_with(LeavesUnopened())
    arena.play()
    assert arena.complete
    assert arena.players[0].table.course.state.need == Over((0,), "resignation")


def test_with_three_seats_the_others_choose_anew() -> None:
    """They have seen each other's choices; so these count for nothing any more, and all choose again, unseen."""
    with quick_proofs():
        arena = arena_with(LeavesUnopened(), 1, seats=3, game=Toy())
        arena.play()
        assert arena.complete
        report = verify(arena.file(0), games=lookup)
    assert report.verdict is Verdict.CLEAN
    assert report.result is not None
    assert 1 not in report.result.winners
    bodies = [pb.Body.FromString(pb.Entry.FromString(data).body) for data in arena.said_by(0)]
    seals = [body.seal.commitment for body in bodies if body.HasField("seal")]
    assert len(set(seals)) == len(seals) > 2
    salts = [body.unseal.salt for body in bodies if body.HasField("unseal")]
    assert len(set(salts)) == len(salts)
