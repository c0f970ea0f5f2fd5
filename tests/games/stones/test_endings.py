"""Passing, the end, and resigning with two, three and four players."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bcnet.errors import IllegalStep
from bcnet.games.happened import GameEnded, PlayerResigned
from bcnet.games.interface import Chance, Decide, Exhausted, Over, Resigned
from bcnet.games.stones.events import TurnPassed
from bcnet.games.stones.state import StonesState
from tests.games.stones.positions import act, field, left, start

ONE_PLACE = field("r .", "w b", span=2)
"""At 1 1, next to red and black: a white stone scores 4 + 2 there, doubled if it is the last."""


def test_who_can_lay_nothing_is_passed_over() -> None:
    state = left(ONE_PLACE, "gw", "r", "w")
    assert state.field.places == ((1, 1),)
    assert [bool(places) for places in state.field.lawful] == [False, False, True, True]
    after = state.apply(Resigned((0,)))
    assert after.news == (PlayerResigned(0), TurnPassed(1))
    assert after.need == Decide(2)
    with pytest.raises(IllegalStep, match="must be laid"):
        act(after, "pass")


@pytest.mark.parametrize(("others", "winners"), [(11, (0,)), (12, (0, 1, 2)), (13, (1, 2))])
def test_when_nothing_fits_the_game_ends_and_equal_points_share(
    others: int, winners: tuple[int, ...]
) -> None:
    state = replace(left(ONE_PLACE, "gw", "r", "r"), points=(0, others, others))
    after = act(state, "lay white 1 1")
    assert after.points == (12, others, others)
    assert after.need == Over(winners, "nothing-fits")
    assert after.news[-1] == GameEnded(winners, "nothing-fits")


def test_when_all_stones_are_laid_the_game_ends() -> None:
    assert act(left(ONE_PLACE, "w", ""), "lay white 1 1").need == Over((0,), "all-laid")


def test_a_resignation_of_two() -> None:
    state = act(start(), "lay red 0 0")
    assert state.apply(Resigned((0,))).need == Over((1,), "resignation")
    assert state.apply(Resigned((0,))).news == (PlayerResigned(0), GameEnded((1,), "resignation"))
    assert state.apply(Resigned((0, 1))).need == Over((), "resignation")


def test_of_three_the_others_go_on() -> None:
    state = act(start(3), "lay red 0 0")
    assert state.need == Decide(1)
    assert state.apply(Resigned((1,))).need == Decide(2)
    assert state.apply(Resigned((0,))).need == Decide(1)
    after = act(state.apply(Resigned((0,))), "lay black 1 0", "lay red 2 0")
    assert after.need == Decide(1), "seat 0 is left out"
    assert after.apply(Resigned((2,))).need == Over((1,), "resignation")
    assert after.apply(Resigned((1, 2))).need == Over((), "resignation")
    with pytest.raises(IllegalStep, match="cannot resign together"):
        after.apply(Resigned((0,)))


def test_of_four_who_resigned_cannot_win() -> None:
    state = replace(start(4), points=(100, 0, 0, 0)).apply(Resigned((0,)))
    while not isinstance(state.need, Over):
        state = state.apply(state.legal_actions(state.mover)[0])  # type: ignore[arg-type]
    assert 0 not in state.need.winners
    assert state.points[0] == 100, "what was scored stays to be seen"


def test_resigning_before_it_is_known_who_starts() -> None:
    state = StonesState.start(3, penalties=False).apply(Resigned((1,)))
    assert state.need == Chance("first player")
    assert [state.sample(lambda _n, at=at: at).seat for at in range(2)] == [0, 2]  # type: ignore[misc]


def test_without_randomness_the_game_is_drawn() -> None:
    assert start().apply(Exhausted()).need == Over((), "standstill")
