"""What is no position is not loaded, and the reason is said."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from bcnet.errors import MalformedNotation
from bcnet.games.balloon_cup.material import DECK
from bcnet.games.interface import Resigned, Shuffled, State
from bcnet.games.simulate import walk
from tests.games.balloon_cup.positions import GAME, act, position

Save = dict[str, Any]


def saved() -> Save:
    """A position in the middle of a turn, some of the hand shown."""
    state = position(
        {2: "mountain rr | r1", 3: "plains ggb"},
        ("y1 y2 y3 y5 y6 y7 y8 y9", "b1 b3 b5 b7 g1 g2 g4 g6"),
        won=("3r", "2y"),
        trophies=("e", ""),
        discards="r2 r3",
    )
    return json.loads(json.dumps(GAME.save(act(state, "exchange y1"))))  # type: ignore[no-any-return]


def move_cube(save: Save) -> None:
    save["bag"][0] += 1


def crowd_a_tile(save: Save) -> None:
    save["tiles"][1]["sides"][0] += ["red-2", "red-3"]
    save["discards"] = [card for card in save["discards"] if card not in ("red-2", "red-3")]


def double_a_card(save: Save) -> None:
    save["discards"] = sorted(["blue-1", *save["discards"]], key=DECK.index)


def double_a_card_in_the_pile(save: Save) -> None:
    save["pile"]["order"][0] = "red-1"


def lose_a_card(save: Save) -> None:
    save["discards"].pop()


def show_a_hidden_card(save: Save) -> None:
    save["hands"][1]["shown"] = ["red-13"]


def hold_more_than_the_hand_has(save: Save) -> None:
    save["hands"][1]["size"] = 7


def hold_a_hidden_card_too_many(save: Save) -> None:
    save["hands"][1]["size"] = 9


def shorten_the_pile(save: Save) -> None:
    save["pile"]["size"] -= 1


def end_without_a_result(save: Save) -> None:
    save["turn"]["phase"] = "over"


def result_without_an_end(save: Save) -> None:
    save["result"] = {"winners": [0], "reason": "third-trophy"}


def nobody_on_turn(save: Save) -> None:
    save["turn"]["mover"] = None


def fill_no_tile(save: Save) -> None:
    save["turn"] |= {"phase": "refill", "due": 0}


def fill_a_tile_between_turns(save: Save) -> None:
    save["turn"]["tile"] = 2


def draw_nothing(save: Save) -> None:
    save["turn"]["due"] = 0


def draw_in_a_turn(save: Save) -> None:
    save["turn"]["phase"] = "turn"


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (move_cube, "the cubes of this position are (14, 11, 9, 7, 5), not (13, 11, 9, 7, 5)"),
        (crowd_a_tile, "too many cards lie next to tile 2"),
        (double_a_card, "blue-1 is in two places"),
        (double_a_card_in_the_pile, "red-1 is in two places"),
        (lose_a_card, "this position does not have 45 cards"),
        (show_a_hidden_card, "a hand of this position knows more cards than it holds"),
        (hold_more_than_the_hand_has, "a hand of this position knows more cards than it holds"),
        (hold_a_hidden_card_too_many, "this position does not have 45 cards"),
        (shorten_the_pile, "the order of the pile has another length than the pile"),
        (end_without_a_result, "a position has a result when it is over, and only then"),
        (result_without_an_end, "a position has a result when it is over, and only then"),
        (nobody_on_turn, "a position after the first steps has a player on turn"),
        (fill_no_tile, "a tile waits for cubes in the phases fill and refill"),
        (fill_a_tile_between_turns, "a tile waits for cubes in the phases fill and refill"),
        (draw_nothing, "cards are to be drawn in the phases draw and redraw, and only there"),
        (draw_in_a_turn, "cards are to be drawn in the phases draw and redraw, and only there"),
    ],
)
def test_what_cannot_be_is_not_loaded(damage: Callable[[Save], None], reason: str) -> None:
    save = saved()
    assert GAME.save(GAME.load(copy.deepcopy(save))) == save
    damage(save)
    with pytest.raises(MalformedNotation) as refusal:
        GAME.load(save)
    assert refusal.value.message == reason


@pytest.mark.parametrize(
    "path", [("tiles",), ("hands",), ("won",), ("trophies",), ("tiles", 1, "sides"), ("bag",), ("turn",)]
)
def test_parts_of_another_shape_are_not_loaded(path: tuple[Any, ...]) -> None:
    nonsense: Any
    for nonsense in ([], None, 3, "x", [[]], {}):
        save = saved()
        part: Any = save
        for key in path[:-1]:
            part = part[key]
        part[path[-1]] = nonsense
        with pytest.raises(MalformedNotation) as refusal:
            GAME.load(save)
        assert refusal.value.message


def test_games_that_ended_early_are_loaded() -> None:
    start = GAME.initial(2, {})
    states: list[State] = [start, *(state for _, state in walk(start, random.Random(1)))][:12]
    for state in states:
        for over in (state.apply(Resigned((0,))), state.view(None).apply(Resigned((1,)))):
            assert GAME.load(GAME.save(over)) == over
    hidden = start.apply(Shuffled())
    assert GAME.load(GAME.save(hidden)) == hidden


def test_a_save_holds_nothing_hidden() -> None:
    state = GAME.load(saved())
    view = json.dumps(GAME.save(state.view(None)))
    for card in ("red-13", "blue-1", "yellow-11"):
        assert f'"{card}"' not in view
    assert '"yellow-2"' in view, "that one was shown"
