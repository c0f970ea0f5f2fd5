"""Choosing by keys, clicks, lines and numbers: that everything can be reached, and that what is foretold comes."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bcnet.games.interface import Action
from bcnet.games.stones.actions import Agree, Lay, Object, Pass
from bcnet.games.stones.events import StoneLaid
from bcnet.games.stones.material import Colour
from bcnet.games.stones.state import Phase
from bcnet_client.console import view
from bcnet_client.console.face import Frame, Key, Picked
from bcnet_client.console.scene import Scene
from bcnet_client.console.stones import FACE
from bcnet_client.console.stones.input import write
from bcnet_client.console.stones.picked import Answering, Laying, Passing
from bcnet_client.console.text import target_at, width
from bcnet_client.console.view import Pane
from tests.console.screens import DENSE, WIDE
from tests.console.stones.scenes import game, state_of
from tests.console.stones.screens import LARGE, asked, clever, nothing_fits, penalised

PICKING = FACE.picking
TURN = asked(clever(2), 4)
ANSWER = asked(penalised(), 4, Phase.OBJECTIONS)
AGAIN = asked(penalised(), 0, Phase.AGAIN)
NOTHING_FITS = nothing_fits()
MANY = st.builds(
    lambda seed, seats, penalties, at: _position(seed, seats, at, penalties=penalties),
    st.integers(0, 10_000),
    st.integers(2, 4),
    st.booleans(),
    st.integers(0, 30),
)
"""Positions of random games in which the first seat is asked."""


def _position(seed: int, seats: int, at: int, *, penalties: bool) -> Scene:
    last = TURN
    for scene in game(seed, seats=seats, penalties=penalties):
        if scene.asked:
            last = scene
            at -= 1
        if at < 0:
            break
    return last


def press(names: str, scene: Scene) -> Picked | Action | None:
    """What comes of pressing these keys, from nothing picked."""
    picked: Picked | Action | None = None
    for name in names.split():
        assert not isinstance(picked, Action), "decided before the last key"
        picked = PICKING.press(Key[name.upper()], picked, scene, WIDE)
    return picked


def reachable(scene: Scene, keys: frozenset[Key] = frozenset(Key)) -> tuple[set[Action], set[Picked]]:
    """All decisions and all that can be picked on the way to them, by these keys."""
    decisions: set[Action] = set()
    seen: set[Picked | None] = {None}
    todo: deque[Picked | None] = deque(seen)
    while todo:
        picked = todo.popleft()
        for key in keys:
            found = PICKING.press(key, picked, scene, WIDE)
            if isinstance(found, Action):
                decisions.add(found)
            elif found not in seen:
                seen.add(found)
                todo.append(found)
    return decisions, {each for each in seen if each is not None}


def targets(scene: Scene, picked: Picked | None, frame: Frame) -> Iterator[str]:
    """All that can be clicked on the screen."""
    for each in view.render(scene, Pane(picked=picked), FACE, frame):
        for column in range(width(each)):
            if target := target_at(each, column):
                yield target


def clickable(scene: Scene, frame: Frame) -> set[Action]:
    """All decisions that clicks lead to."""
    decisions: set[Action] = set()
    seen: set[Picked | None] = {None}
    todo: deque[Picked | None] = deque(seen)
    while todo:
        picked = todo.popleft()
        for target in set(targets(scene, picked, frame)):
            found = PICKING.click(target, picked, scene)
            if isinstance(found, Action):
                decisions.add(found)
            elif found not in seen:
                seen.add(found)
                todo.append(found)
    return decisions


@settings(max_examples=25, deadline=None)
@given(MANY, st.sampled_from([WIDE, DENSE, LARGE]))
def test_every_decision_can_be_reached_by_keys_clicks_lines_and_numbers(scene: Scene, frame: Frame) -> None:
    legal = state_of(scene).legal_actions(0)
    assert reachable(scene)[0] == set(legal)
    assert reachable(scene, frozenset({Key.RIGHT, Key.NEXT, Key.UP, Key.DOWN, Key.CHOOSE}))[0] == set(legal)
    assert clickable(scene, frame) == set(legal)
    for number, action in enumerate(legal, 1):
        assert FACE.read(write(action), scene) == action
        assert FACE.read(str(number), scene) == action
        assert PICKING.standing_for(action, scene) is not None
    listed = view.as_text(FACE.moves(scene, frame.columns - 2))
    assert [int(n) for n in re.findall(r"(\d+)\) ", listed)] == list(
        range(1, len(legal) + 1)
    ) or not isinstance(legal[0], Lay)


@pytest.mark.parametrize("scene", [TURN, ANSWER, AGAIN, NOTHING_FITS])
def test_nothing_but_what_is_legal_can_be_reached(scene: Scene) -> None:
    assert reachable(scene)[0] == set(state_of(scene).legal_actions(0)) == clickable(scene, DENSE)


def test_arrows_reach_the_places_of_a_colour() -> None:
    arrows = frozenset({Key.LEFT, Key.RIGHT, Key.UP, Key.DOWN, Key.CHOOSE})
    reached = total = 0
    for scene in [*clever(2), *clever(4)]:
        if scene.asked:
            legal = set(state_of(scene).legal_actions(0))
            reached += len(reachable(scene, arrows)[0] & legal)
            total += len(legal)
    assert reached == total


def test_nothing_is_picked_while_nothing_is_asked() -> None:
    elsewhere = clever(2)[9]
    assert not elsewhere.asked
    assert reachable(elsewhere) == (set(), set())
    assert PICKING.typed("r", elsewhere) is None
    assert PICKING.click("colour:0", None, elsewhere) is None
    assert PICKING.keys(None, elsewhere) == ""


def test_the_colours_are_gone_through_from_either_end() -> None:
    """Red fits nowhere in this turn: one begins with black, and can look at red all the same."""
    assert press("right", TURN) == press("next", TURN) == Laying(Colour.BLACK)
    assert press("left", TURN) == press("previous", TURN) == Laying(Colour.WHITE)
    assert press("right left", TURN) == Laying(Colour.RED)
    assert press("right left up", TURN) == Laying(Colour.RED)
    assert press("right back", TURN) is None
    assert press("up", TURN) is press("down", TURN) is press("choose", TURN) is press("mark", TURN) is None


def test_the_place_that_brings_most_comes_first_and_tab_goes_on_downwards() -> None:
    field = state_of(TURN).field
    points = []
    for count in range(8):
        found = press("right choose" + " next" * count, TURN)
        assert isinstance(found, Laying)
        assert found.place is not None
        points.append(field.pairs(found.colour, found.place))
    assert points == sorted(points, reverse=True)
    assert press("right choose" + " next" * 8, TURN) == press("right choose", TURN)
    assert press("right choose previous", TURN) == press("right choose" + " next" * 7, TURN)


def test_the_arrows_go_where_they_point() -> None:
    """Black fits at 3 3, 4 2, -1 1, 0 1, -2 0, -1 -1, 0 -1 and 1 -1 (tests/console/stones/screens/two.txt)."""

    def place(names: str) -> tuple[int, int] | None:
        found = press(names, TURN)
        assert isinstance(found, Laying)
        return found.place

    assert place("right up") == (3, 3)
    assert place("right up down") == (4, 2)
    assert place("right up right") == (4, 2)
    assert place("right up up") == (3, 3)
    assert place("right up down up") == (3, 3)
    assert place("right up left") in {(0, 1), (-1, 1)}
    assert place("right up back") is None


def test_space_takes_another_colour_at_the_same_place() -> None:
    found = press("right up", TURN)
    assert found == Laying(Colour.BLACK, (3, 3))
    assert press("right up mark", TURN) == Laying(Colour.GREY, (3, 3))
    assert press("right up mark mark", TURN) == Laying(Colour.WHITE, (3, 3))
    assert press("right up mark mark mark", TURN) == found
    assert press("right up mark choose", TURN) == Lay(Colour.GREY, 3, 3)


def test_with_penalties_what_is_against_the_rules_comes_last() -> None:
    scene = asked(penalised(), 2)
    field = state_of(scene).field
    lawful = []
    for count in range(20):
        found = press("right choose" + " next" * count, scene)
        assert isinstance(found, Laying)
        assert found.place is not None
        if count and found == press("right choose", scene):
            break
        lawful.append(field.may_lie(found.colour, found.place))
    assert lawful == sorted(lawful, reverse=True)
    assert set(lawful) == {True, False}


def test_to_pass_is_the_last_of_what_can_be_picked() -> None:
    assert press("left", NOTHING_FITS) == Passing()
    assert press("left choose", NOTHING_FITS) == Pass()
    assert press("left up", NOTHING_FITS) == Passing()
    assert PICKING.click("passing", None, NOTHING_FITS) == Pass()
    assert PICKING.click("passing", None, TURN) is None
    assert "[pass]" in view.as_text(FACE.board(NOTHING_FITS, DENSE, Passing()))
    assert "pass" not in view.as_text(FACE.board(TURN, DENSE))


def test_an_answer_is_picked_from_the_list() -> None:
    assert press("choose", ANSWER) is None
    assert press("down choose", ANSWER) == Object()
    assert press("up choose", ANSWER) == press("down down choose", ANSWER) == Agree()
    assert press("down right next", ANSWER) == Answering(0)
    assert PICKING.typed("agree", ANSWER) == Answering(1)
    assert PICKING.typed("red", ANSWER) is None


# --- what is foretold ---


@settings(max_examples=25, deadline=None)
@given(MANY)
def test_what_is_foretold_of_a_stone_comes_true(scene: Scene) -> None:
    """The points that are said, the sum they come from, and what one would have."""
    state = state_of(scene)
    for lay in state.legal_actions(0):
        if not isinstance(lay, Lay):
            continue
        place = (lay.column, lay.row)
        after = state.apply(lay)
        laid = after.news[0]
        assert isinstance(laid, StoneLaid)
        said = FACE.call(scene, Laying(lay.colour, place))
        points = "1 point" if laid.points == 1 else f"{laid.points} points"
        assert re.search(rf"\b{points}( \(|\. You)", said)
        assert f"You would have {after.points[0]}." in said
        terms = [int(number) for number in re.findall(r"(\d+) \(", said)]
        if len(terms) > 1 or laid.doubled:
            assert sum(terms) * (1 + laid.doubled) == laid.points or not state.field.stones
        assert ("Against the rules" in said) == (not state.field.may_lie(lay.colour, place))
        board = view.as_text(FACE.board(scene, WIDE, Laying(lay.colour, place)))
        assert f"{state.points[0]}→{after.points[0]}" in board


def test_what_is_foretold_of_a_colour_is_what_its_places_bring() -> None:
    assert FACE.call(TURN, Laying(Colour.BLACK)) == "Black fits at 8 places, for 5 to 11 points. Where?"
    assert FACE.call(TURN, Laying(Colour.RED)) == "Red fits nowhere now."
    first = asked(clever(2), 0)
    assert FACE.call(first, Laying(Colour.RED)) == "Red fits at one place, for 10 points."


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(list(Key)), max_size=40), st.sampled_from([TURN, ANSWER, AGAIN, NOTHING_FITS])
)
def test_any_keys_lead_to_what_can_be_drawn_or_done(keys: list[Key], scene: Scene) -> None:
    picked: Picked | None = None
    for key in keys:
        found = PICKING.press(key, picked, scene, WIDE)
        if isinstance(found, Action):
            assert found in state_of(scene).legal_actions(0)
            question = FACE.confirm(found, scene)
            assert (question.count("?"), question.endswith("Esc goes back.")) == (1, True) or found == Agree()
            picked = PICKING.standing_for(found, scene)
        else:
            picked = found
        assert FACE.call(scene, picked)
        assert len(PICKING.keys(picked, scene)) <= 36
    assert view.render(scene, Pane(picked=picked), FACE, DENSE)
