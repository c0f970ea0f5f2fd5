"""F3: with only one of the two files at hand the verdict is the same, whichever it is."""

from __future__ import annotations

import pytest

from bcnet.table.rounds import Kind
from bcnet.verify import Verdict, verify
from tests.attacks import attackers
from tests.attacks.arena import arena_with
from tests.attacks.cheats import Spoil, Spoiler
from tests.table.room import Room, lookup
from tests.toy import ShortToy

KINDS = {
    attackers.forged_point: Kind.SHUFFLE,
    attackers.doubled_card: Kind.SHUFFLE,
    attackers.bridge_of_zero: Kind.RESPONSES,
    attackers.two_positions_swapped: Kind.UNMASK,
    attackers.card_that_is_not_held: Kind.ACT,
    attackers.changed_mind: Kind.UNSEAL,
    attackers.another_seed: Kind.REVEAL,
}


@pytest.mark.parametrize("spoil", KINDS, ids=lambda spoil: spoil.__name__)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_cheater_s_own_file_convicts_him_as_well(spoil: Spoil, seat: int) -> None:
    """Also where his program went on after the lie, which no honest one had accepted."""
    arena = arena_with(Spoiler(KINDS[spoil], spoil), seat)
    arena.play()
    ours, his = (verify(arena.file(each), games=lookup) for each in (1 - seat, seat))
    assert ours.verdict is Verdict.CHEATED
    assert his.verdict is Verdict.CHEATED
    assert ours.fault is not None
    assert his.fault is not None
    assert (his.fault.seat, his.fault.round, his.fault.kind, his.fault.flaw) == (
        seat,
        ours.fault.round,
        ours.fault.kind,
        ours.fault.flaw,
    )


def test_of_a_fair_game_both_files_are_the_same() -> None:
    room = Room.of(ShortToy())
    room.play()
    assert room.file(0) == room.file(1)
    one, other = (verify(room.file(seat), games=lookup) for seat in (0, 1))
    assert one == other
    assert one.verdict is Verdict.CLEAN
