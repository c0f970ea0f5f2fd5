"""The penalty variant: stones against the rules, objections, and what they cost."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bcnet.errors import IllegalStep
from bcnet.games.interface import Choose, Chosen, Decide, Over, Resigned
from bcnet.games.stones.actions import Agree, Lay, Object, Pass
from bcnet.games.stones.events import ObjectionFailed, StoneTakenBack
from bcnet.games.stones.material import Colour
from bcnet.games.stones.state import Phase, StonesState
from tests.games.stones.positions import GAME, act, field, left, on, start


def begun(seats: int = 3) -> StonesState:
    return act(start(seats, penalties=True), "lay red 0 0", "objections")


def test_all_others_are_asked_after_every_stone() -> None:
    state = act(start(3, penalties=True), "lay red 0 0")
    assert state.need == Choose((1, 2))
    assert state.legal_actions(1) == (Object(), Agree())
    assert state.legal_actions(0) == ()
    assert act(state, "objections").need == Decide(1)


def test_without_penalties_nobody_is_asked() -> None:
    assert act(start(3), "lay red 0 0").need == Decide(1)
    with pytest.raises(IllegalStep):
        act(start(3), "lay red 0 0", "lay red 1 0")


def test_a_stone_against_the_rules_stays_when_nobody_objects() -> None:
    """Two red stones side by side bring nothing, and nobody can object later."""
    state = act(begun(), "lay red 1 0")
    assert state.points == (10, 0, 0)
    later = act(state, "objections", "lay black 2 0", "objections 0 1")
    assert later.field.at((1, 0)) is Colour.RED
    assert later.news[0] == ObjectionFailed((0, 1)), "black next to red is right"
    assert later.points == (10, 0, 11)


def test_a_rightful_objection_takes_the_stone_back() -> None:
    """docs/games.md, example 5: red next to red and black brings 12; taken back it costs 10; laid again it scores."""
    state = act(begun(), "lay black 1 0", "objections", "lay red 0 1", "objections", "lay red 1 1")
    assert state.points == (10 + 12, 11, 0), "seat 0 has laid red next to black, and next to red"
    after = act(state, "objections 1")
    assert after.news == (StoneTakenBack(0, (1,), Colour.RED, 1, 1, 12, 10),)
    assert after.points == (0, 11, 0)
    assert after.field == state.before
    assert after.need == Decide(0)
    assert after.phase is Phase.AGAIN
    assert {a.colour for a in after.legal_actions(0) if isinstance(a, Lay)} == {Colour.RED}
    with pytest.raises(IllegalStep, match="lays the stone again"):
        act(after, "lay grey 2 0")
    with pytest.raises(IllegalStep, match="is red too"):
        act(after, "lay red 1 1")
    again = act(after, "lay red 2 0")
    assert again.points == (12, 11, 0)
    assert again.need == Decide(1), "a stone laid again lies by the rules: nobody is asked"


def test_an_old_breach_elsewhere_stops_nobody() -> None:
    state = act(begun(), "lay red 1 0", "objections", "lay black 2 0")
    assert state.before is not None
    assert state.before.may_lie(Colour.BLACK, (2, 0))


def test_a_third_of_a_colour_is_taken_back_with_its_double_points() -> None:
    state = replace(on(field("b b .", "r w r"), 0, penalties=True), points=(50, 0))
    after = act(state, "lay red -1 0", "objections 1")
    assert isinstance(after.news[0], StoneTakenBack)
    assert after.points == (40, 0)


ONE_PLACE = field("r .", "w b", span=2)
"""At 1 1, next to red and black."""


def test_another_stone_is_laid_where_that_one_fits_nowhere() -> None:
    """Else a player could lay the same stone against the rules for ever."""
    after = act(on(ONE_PLACE, 1, penalties=True), "lay red 1 1", "objections 0")
    assert after.phase is Phase.AGAIN
    assert {a.colour for a in after.legal_actions(1) if isinstance(a, Lay)} == {Colour.GREY, Colour.WHITE}
    done = act(after, "lay grey 1 1")
    assert done.points == (0, -10 + 9 + 6)
    assert done.need == Over((1,), "nothing-fits")


def test_who_can_lay_nothing_by_the_rules_may_pass_or_dare() -> None:
    state = left(ONE_PLACE, "r", "w", penalties=True)
    assert state.legal_actions(0) == (Lay(Colour.RED, 1, 1), Pass())
    assert act(state, "pass").need == Decide(1)
    taken_back = act(state, "lay red 1 1", "objections 1")
    assert taken_back.need == Decide(1), "it can be laid again nowhere"
    assert taken_back.points == (-10, 0)


def test_pass_is_no_choice_where_something_fits() -> None:
    with pytest.raises(IllegalStep, match="must be laid"):
        act(begun(), "pass")


def test_answers_of_the_wrong_kind_are_refused() -> None:
    state = act(start(3, penalties=True), "lay red 0 0")
    for said in ((), (Agree(),), (Agree(), Pass()), (Agree(), Agree(), Agree())):
        with pytest.raises(IllegalStep, match="everybody but seat 0"):
            state.apply(Chosen(said))


def test_resigning_while_all_are_asked() -> None:
    state = act(begun(4), "lay red 1 0")
    assert state.need == Choose((0, 2, 3))
    assert state.apply(Resigned((2,))).need == Choose((0, 3))
    assert state.apply(Resigned((1,))).need == Decide(2), "the stone stays, its seat has left"
    objected = act(state, "objections 3")
    assert objected.need == Decide(1)
    assert objected.apply(Resigned((1,))).need == Decide(2)


def test_the_greedy_bot_objects_where_it_is_right() -> None:
    greedy = GAME.bots["greedy"]
    wrong, right = act(begun(), "lay red 1 0"), act(begun(), "lay black 1 0")
    assert greedy(wrong, 0, random.Random(1)) == Object()
    assert greedy(right, 0, random.Random(1)) == Agree()
