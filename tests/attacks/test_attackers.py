"""Every attacker by name, over whole tables: when it is caught, who is named, and what each side's file proves."""

from __future__ import annotations

import re

import pytest

from bcnet.games import registry
from bcnet.verify import Verdict, verify
from tests.attacks import attackers, refreshers
from tests.attacks.arena import arena_with, check_conviction, check_not_convicted
from tests.attacks.cheats import ATTACKS, Attack
from tests.table.room import lookup

assert attackers.__doc__
assert refreshers.__doc__

EVERY = [
    pytest.param(attack, seat, id=f"{attack.name}-by-seat-{seat}")
    for attack in ATTACKS
    for seat in attack.seats
    if attack.fault is not None
]
NOISE = [
    pytest.param(attack, seat, id=f"{attack.name}-by-seat-{seat}")
    for attack in ATTACKS
    for seat in attack.seats
    if attack.fault is None
]


@pytest.mark.parametrize(("attack", "seat"), EVERY)
def test_attacker(attack: Attack, seat: int) -> None:
    arena = arena_with(attack.cheat(), seat, private_hands=attack.private_hands)
    arena.play()
    assert attack.fault is not None
    check_conviction(arena, 1 - seat, seat, attack.fault, attack.flaws, attack.found)


@pytest.mark.parametrize(("attack", "seat"), NOISE)
def test_attacker_who_does_not_get_a_table(attack: Attack, seat: int) -> None:
    """What he says proves nothing against him; nor does he get any further."""
    arena = arena_with(attack.cheat(), seat)
    arena.play()
    honest = arena.players[1 - seat]
    assert honest.table.fault is None
    assert not honest.table.course.started
    receiver, noise = arena.noise[0]
    assert receiver == 1 - seat
    assert re.search(attack.noise, noise.message), noise.message
    assert verify(arena.file(1 - seat), games=lookup).verdict is Verdict.INCOMPLETE
    mine = verify(arena.file(seat), games=lookup)
    assert mine.verdict in (Verdict.UNREADABLE, Verdict.INCOMPLETE)
    check_not_convicted(mine, 1 - seat)


@pytest.mark.parametrize(
    "name",
    [
        "forged-point",
        "unmasking-with-another-key",
        "card-that-is-not-held",
        "new-card-under-another-key",
        "card-doubled-in-the-hand",
    ],
)
def test_attacker_at_balloon_cup(name: str) -> None:
    attack = next(attack for attack in ATTACKS if attack.name == name)
    arena = arena_with(
        attack.cheat(), 1, game=registry.get("balloon-cup"), private_hands=attack.private_hands
    )
    arena.play()
    assert attack.fault is not None
    check_conviction(arena, 0, 1, attack.fault, attack.flaws, attack.found)


def test_attackers_have_names_of_their_own() -> None:
    names = [attack.name for attack in ATTACKS]
    assert len(names) == len(set(names))
    assert all(attack.does.endswith(".") for attack in ATTACKS)
