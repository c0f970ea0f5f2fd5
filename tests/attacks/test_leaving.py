"""Three seats: what can be done by leaving, for oneself or against somebody else."""

from __future__ import annotations

import pytest

from bcnet.entry import place_of, sign_entry, sign_note
from bcnet.fairness.errors import Flaw
from bcnet.table.faults import FaultKind
from bcnet.table.payloads import Payload
from bcnet.table.rounds import Kind
from bcnet.wire.v1 import log_pb2 as pb
from tests.attacks.arena import Arena, arena_with, check_conviction, kind_of
from tests.attacks.cheats import Cheater, OwnOrder
from tests.table.room import Room, identity_of


class LeavesUnproven(OwnOrder):
    """Shuffles in an order of its own, and resigns when it has to prove that it was a shuffle."""

    def payload(self, me: Cheater, payload: Payload) -> Payload | None:
        if payload.kind is Kind.RESPONSES:
            return Payload(Kind.RESIGN, me.seat.resignation())
        return super().payload(me, payload)


def test_leaving_a_seed_that_does_not_give_the_shuffle() -> None:
    """The seed opens his commitment, but with it the others could not take his masks off: his fault.

    (Found by review: the tables of all others broke down when the round closed.)
    """
    arena = arena_with(LeavesUnproven(), 1, seats=3)
    arena.play()
    for honest in (0, 2):
        check_conviction(arena, honest, 1, FaultKind.RESIGNATION, Flaw.BAD_SEED, Kind.RESIGN)


def awaiting_responses(room: Room, seat: int) -> bool:
    awaiting = room.players[seat].table.awaiting
    return awaiting is not None and awaiting.kind is Kind.RESPONSES


def note_of_the_leaver(arena: Arena) -> bytes:
    """Seat 1 resigns by a note, with the seed that it has committed to."""
    leaver = arena.cheater(1)
    body = arena.players[0].table.note_body(1, leaver.seat.resignation())
    return sign_note(body, leaver.identity.sign_message).SerializeToString(deterministic=True)


@pytest.mark.parametrize("responses_first", [False, True])
def test_a_note_with_a_seed_that_does_not_give_the_shuffle(responses_first: bool) -> None:
    """An honest seat lets it lie, and whoever carries it is at fault, for he could have known.

    What he could have known must not depend on what has arrived: the leaver's own proof, which holds, may come
    before the note or after it, and before it at one seat and after it at another.
    """
    arena = arena_with(OwnOrder(), 1, seats=3)
    while not awaiting_responses(arena, 2) or not awaiting_responses(arena, 1):
        assert arena.deliver()
    judge, carrier = arena.players[0], arena.players[2]
    while not awaiting_responses(arena, 0):
        assert arena.deliver()
    note = note_of_the_leaver(arena)
    assert carrier.receive_note(note).entries == ()
    responses = next(data for data in arena.said_by(1) if kind_of(data) is Kind.RESPONSES)
    body = pb.Body.FromString(judge.table.body(2, Payload(Kind.NOTE, pb.CarriedNote.FromString(note))))
    carried = sign_entry(body.SerializeToString(deterministic=True), identity_of(2).sign_message)
    if responses_first:
        judge.receive(responses)
    judge.receive(carried)
    fault = judge.table.fault
    assert fault is not None
    assert (fault.seat, fault.kind, fault.round) == (2, FaultKind.NOTE, place_of(carried)[0])
