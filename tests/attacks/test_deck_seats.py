"""A deck for three and for five: whole games with private cards, and cheats of which the right one is named."""

from __future__ import annotations

from contextlib import nullcontext

import pytest

from bcnet.table.rounds import Kind
from bcnet.verify import Verdict, verify
from tests.attacks.arena import arena_with, check_conviction
from tests.attacks.cheats import Spoiler, body_of
from tests.attacks.seated import CASES, DECK, known
from tests.table.quick import quick_proofs
from tests.table.room import Room, lookup
from tests.toy import HAND, Toy

CHEAT = 2
"""The third seat: it shuffles what two have shuffled, and unmasks first for one, second for another."""


@pytest.mark.parametrize("private_hands", [False, True])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_whole_game(seats: int, *, private_hands: bool) -> None:
    """Beacon, deck and sealed choices; every file is clean and the same. The proofs of three seats are checked too."""
    with nullcontext() if seats == 3 else quick_proofs():
        room = Room.of(Toy(), seats, private_hands=private_hands)
        room.play(until=lambda room: any(player.decision for player in room.players))
        for player in room.players:
            hands = player.view().hands  # type: ignore[attr-defined]
            assert None not in hands[player.number]
            assert [hand for seat, hand in enumerate(hands) if seat != player.number] == [(None,) * HAND] * (
                seats - 1
            )
        room.play()
        assert room.complete
        assert len({tuple(room.file(seat)) for seat in range(seats)}) == 1
        report = verify(room.file(0), games=lookup)
    assert report.verdict is Verdict.CLEAN, report.message
    assert report.unaudited == ()
    said = [body_of(data) for data in room.file(0)]
    for kind in (
        "share",
        "shuffle",
        "responses",
        "seal",
        "unseal",
        "reveal",
        *(["refresh"] if private_hands else []),
    ):
        assert {body.seat for body in said if body.WhichOneof("payload") == kind} == set(range(seats)), kind
    unmasked = [body.seat for body in said if body.HasField("unmask")]
    assert all(unmasked.count(seat) >= seats - 1 for seat in range(seats)), (
        "each takes its mask off for all others"
    )


@pytest.mark.parametrize(("name", "nth", "seats"), CASES)
def test_the_right_one_is_named(name: str, nth: int, seats: int) -> None:
    attack = known(name)
    cheat = attack.cheat()
    assert isinstance(cheat, Spoiler)
    cheat.nth = nth
    assert attack.fault is not None
    private_hands = attack.private_hands or cheat.kind is Kind.REFRESH
    arena = arena_with(cheat, CHEAT, game=Toy(), seats=seats, private_hands=private_hands)
    arena.play()
    fault = check_conviction(arena, 0, CHEAT, attack.fault, attack.flaws)
    (row,) = (cheat for cheat in DECK if cheat.name == name)
    assert verify(arena.file(0), games=lookup).verdict is row.verdict
    proven = body_of(fault.evidence[-1]).HasField("responses") and cheat.kind is not Kind.RESPONSES
    assert (row.caught == "at the challenge") is proven, "the step itself looked well made"
    for honest in set(range(1, seats)) - {CHEAT}:
        assert arena.players[honest].table.fault == fault, "each has found it by itself"
    said = [data for data in arena.said_by(CHEAT) if body_of(data).WhichOneof("payload") == attack.found]
    assert fault.evidence[-1] in said
    if attack.found is cheat.kind:
        assert fault.evidence[-1] == said[nth - 1], "the very entry that lies"
