"""Whole games, stopped at every step around a write or a send; scripts/soak sweeps a whole Balloon Cup game."""

from __future__ import annotations

import pytest

from tests.table.crashes import Sweep
from tests.table.quick import quick_proofs

BALLOON_CUP_SHARE = 12
"""One crash of so many is tried in a game of Balloon Cup here; all of them in scripts/soak."""
TO_THE_END = 8
"""After one crash of so many, the game is played to its end."""


def test_a_crash_at_every_step_of_a_small_game() -> None:
    with quick_proofs():
        sweep = Sweep("toy", {}, seed=4)
        crashes = list(sweep.crashes())
        assert len(crashes) > 60
        for number, crash in enumerate(crashes):
            sweep.come_back(crash, to_the_end=number % TO_THE_END == 0)


@pytest.mark.parametrize(
    ("game", "seats", "share"), [("toy", 3, 8), ("toy", 5, 300), ("stones", 4, 50), ("edel", 3, 400)]
)
def test_a_crash_at_every_step_of_one_side_or_of_all(game: str, seats: int, share: int) -> None:
    with quick_proofs():
        sweep = Sweep(game, {}, seed=4, seats=seats)
        crashes = list(sweep.crashes())
        assert {crash.seats for crash in crashes} == {
            *((seat,) for seat in range(seats)),
            tuple(range(seats)),
        }
        for number, crash in enumerate(crashes[::share]):
            sweep.come_back(crash, to_the_end=number % TO_THE_END == 0)


def test_a_crash_at_every_step_with_private_hands() -> None:
    with quick_proofs():
        sweep = Sweep("short-toy", {}, seed=4, private_hands=True)
        crashes = list(sweep.crashes())
        assert len(crashes) > 100
        for number, crash in enumerate(crashes):
            sweep.come_back(crash, to_the_end=number % TO_THE_END == 0)


def test_crashes_of_a_whole_game_of_balloon_cup() -> None:
    with quick_proofs():
        sweep = Sweep("balloon-cup", {"fill": "designer"}, seed=7)
        crashes = list(sweep.crashes())
        assert len(crashes) > 300
        for number, crash in enumerate(crashes[::BALLOON_CUP_SHARE]):
            sweep.come_back(crash, to_the_end=number % TO_THE_END == 0)
