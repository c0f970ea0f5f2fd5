"""What is no position is not loaded, and the reason is said."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from bcnet.errors import IllegalStep, MalformedNotation
from bcnet.games import get
from tests.games.stones.positions import GAME, act, start

Save = dict[str, Any]


def saved() -> Save:
    """Seat 1 has laid a stone against the rules, and all are asked."""
    state = act(start(3, penalties=True), "lay red 0 0", "objections", "lay red 1 0")
    return json.loads(json.dumps(GAME.save(state)))  # type: ignore[no-any-return]


def stone_in_the_air(save: Save) -> None:
    save["stones"][1]["place"] = [2, 0]


def stone_twice(save: Save) -> None:
    save["stones"][1]["place"] = [0, 0]


def stone_against_the_rules(save: Save) -> None:
    save["penalties"] = False


def stone_too_many(save: Save) -> None:
    save["stones"] += [{"seat": 1, "colour": "red", "place": [at, 0]} for at in (2, 3, 4)]


def seats_out_of_order(save: Save) -> None:
    save["present"] = [1, 0, 2]


def end_without_a_result(save: Save) -> None:
    save["phase"] = "over"


def result_without_an_end(save: Save) -> None:
    save["result"] = {"winners": [0], "reason": "all-laid"}


def unknown_reason(save: Save) -> None:
    save["phase"] = "over"
    save["result"] = {"winners": [0], "reason": "weather"}


def again_elsewhere(save: Save) -> None:
    save["again"] = "red"


def alone(save: Save) -> None:
    save["present"] = [1]


def nobody_on_turn(save: Save) -> None:
    save["mover"] = None


def somebody_else_asked(save: Save) -> None:
    save["mover"] = 2


def gone_player_on_turn(save: Save) -> None:
    save["present"] = [0, 2]


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (stone_in_the_air, "no stone could be laid"),
        (stone_twice, "no stone could be laid"),
        (stone_against_the_rules, "lies against the rules"),
        (stone_too_many, "more stones than it has"),
        (seats_out_of_order, "not in order"),
        (end_without_a_result, "a result when it is over"),
        (result_without_an_end, "a result when it is over"),
        (unknown_reason, "no saved position of Stones"),
        (again_elsewhere, "laid again in the phase again"),
        (alone, "two players or more"),
        (nobody_on_turn, "has a player on turn"),
        (somebody_else_asked, "objected to is missing"),
        (gone_player_on_turn, "has resigned"),
    ],
)
def test_damaged(damage: Callable[[Save], None], reason: str) -> None:
    save = saved()
    assert GAME.load(save) is not None
    damage(save)
    with pytest.raises(MalformedNotation) as refusal:
        GAME.load(save)
    assert reason in refusal.value.message


def test_a_stone_to_be_laid_again_that_fits_nowhere() -> None:
    state = act(start(penalties=True), "lay red 0 0", "objections", "lay black 1 0", "objections")
    save = GAME.save(state) | {"phase": "again", "again": "red"}
    assert GAME.load(save) is not None
    save["stones"] = save["stones"][:1]
    with pytest.raises(MalformedNotation, match="no stone to lay"):
        GAME.load(save)


def test_another_games_position_is_not_saved() -> None:
    with pytest.raises(IllegalStep):
        GAME.save(get("balloon-cup").initial(2, {}))
