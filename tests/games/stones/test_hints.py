"""Advice, and what happens in words."""

from __future__ import annotations

import random

import pytest

from bcnet.games.happened import PlayerResigned
from bcnet.games.interface import Event
from bcnet.games.simulate import play
from bcnet.games.stones.actions import Agree, Lay, Object, Pass
from bcnet.games.stones.bots import choose_greedily, prospects
from bcnet.games.stones.hints import (
    BreaksRule,
    Brings,
    KeepsLast,
    LiesByTheRules,
    NothingFits,
    hint,
    in_words,
)
from bcnet.games.stones.material import Colour
from tests.games.stones.positions import GAME, act, field, left, on, start

NAMES = ("Ann", "Bob", "Cleo")


def test_the_stone_that_brings_most_is_advised_and_what_it_leaves_is_said() -> None:
    found = hint(left(field("b.g"), "r", "w"), 0)
    assert found.action == Lay(Colour.RED, 1, 0)
    assert found.reasons[0] == Brings(40, doubled=True, answer=8)  # the last white next to red: 4, doubled
    assert in_words(found).startswith("brings 40 points, doubled, and leaves the next player")
    assert "; next best: " in in_words(found)


def test_what_the_next_player_can_make_of_it_is_what_it_can_score() -> None:
    state = on(field("rb", "br"), 0)
    for each in prospects(state, 0):
        after = state.apply(each.lay)
        assert each.points == after.points[0]
        most = max(after.apply(lay).points[1] for lay in after.legal_actions(1))
        assert each.answer == most


def test_a_last_stone_is_kept() -> None:
    state = left(field("b"), "rbb", "w")
    assert any(lay.colour is Colour.RED for lay in state.legal_actions(0) if isinstance(lay, Lay))
    found = hint(state, 0)
    assert isinstance(found.action, Lay)
    assert KeepsLast(Colour.RED) in found.reasons or found.action.colour is Colour.RED


def test_answers() -> None:
    state = act(start(3, penalties=True), "lay red 0 0")
    assert hint(state, 1).action == Agree()
    assert hint(state, 1).reasons == (LiesByTheRules(),)
    state = act(state, "objections", "lay red 0 1")
    found = hint(state, 0)
    assert found.action == Object()
    (reason,) = found.reasons
    assert isinstance(reason, BreaksRule)
    assert in_words(found) == "it breaks a rule: the stone next to 0 1 is red too"


def test_nothing_fits() -> None:
    found = hint(left(field("rbr"), "r", "b", penalties=True), 0)
    assert found == hint(left(field("rbr"), "r", "b", penalties=True), 0)
    assert (found.action, found.reasons) == (Pass(), (NothingFits(),))
    assert in_words(found) == "nothing fits by the rules"


def test_who_has_nothing_to_decide_gets_no_advice() -> None:
    with pytest.raises(ValueError, match="seat 1"):
        hint(start(2), 1)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_advice_is_what_the_simple_player_could_do(seats: int) -> None:
    state = start(seats)
    rng = random.Random(5)
    for _ in range(3 * seats):
        seat = state.mover
        assert seat is not None
        found = hint(state, seat)
        gains = {each.lay: each.gain for each in prospects(state, seat)}
        chosen = choose_greedily(state, seat, rng)
        assert isinstance(chosen, Lay)
        assert isinstance(found.action, Lay)
        assert gains[found.action] == gains[chosen] == max(gains.values())
        state = state.apply(chosen)


# --- what happens ---


def told(event: Event) -> str:
    return GAME.tell(event, NAMES)


def sentences(*moves: str) -> list[str]:
    """What the last of the moves brings about, in words."""
    return [text for event in act(start(3, penalties=True), *moves).news if (text := told(event))]


def test_what_happens_is_told() -> None:
    assert [told(event) for event in start(3).news] == ["Ann begins."]
    assert sentences("lay red 0 0") == ["Ann lays red at 0 0: 10 points."]
    moves = ("lay grey 0 0", "objections", "lay white 1 0")
    assert sentences(*moves) == ["Bob lays white at 1 0: 1 point."]
    assert sentences(*moves, "objections 0 2") == ["Ann and Cleo objected, but the stone lies by the rules."]
    against = ("lay red 0 0", "objections", "lay red 0 1", "objections 2")
    assert sentences(*against) == [
        "Cleo objected: red at 0 1 breaks a rule. Bob takes it back, and loses its points (0) and 10 more."
    ]
    assert told(PlayerResigned(2)) == "Cleo resigns."


def test_every_event_of_a_game_is_told_but_its_end() -> None:
    for penalties in ("off", "on"):
        played = play(GAME, random.Random(3), seats=3, options={"penalties": penalties})
        silent = [type(event).__name__ for event in played.events if not told(event)]
        assert silent == ["GameEnded"]
        texts = [told(event) for event in played.events]
        assert any(text.endswith("points, doubled.") for text in texts)
        assert all("{" not in text for text in texts)
