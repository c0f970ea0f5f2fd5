"""Simulator and conformance suite with three to five seats and sealed choices (`bids`)."""

from __future__ import annotations

import random

import pytest

from bcnet.games import play
from bcnet.games.interface import Chosen, Over
from tests.games import conformance
from tests.games.bids import Bids, any_bot

GAME = Bids()


@pytest.mark.parametrize("seats", GAME.seats)
def test_the_suite_fits_sealed_choices(seats: int) -> None:
    for seed in range(2):
        conformance.check_game(GAME, seats, {}, seed)


@pytest.mark.parametrize("seats", GAME.seats)
def test_the_simulator_plays_them(seats: int) -> None:
    played = play(GAME, random.Random(1), seats=seats, bots=(any_bot, None, *[any_bot] * (seats - 2)))
    assert isinstance(played.last.need, Over)
    chosen = [step for step in played.steps if isinstance(step, Chosen)]
    assert len(chosen) == 4
    assert all(len(step.actions) == seats for step in chosen)
    assert play(GAME, random.Random(1)).first == GAME.initial(3, {}), (
        "the smallest number if none is asked for"
    )


@pytest.mark.parametrize("wrong", [1, 2, 4])
def test_a_bot_a_seat(wrong: int) -> None:
    with pytest.raises(ValueError, match="one bot a seat"):
        play(GAME, random.Random(1), seats=3, bots=(any_bot,) * wrong)
