"""What is no position is not loaded, and the reason is said."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from bcnet.errors import IllegalStep, MalformedNotation
from bcnet.games import get
from tests.games.edel.positions import GAME, act, begun, choose, held

Save = dict[str, Any]


def saved() -> Save:
    """Seat 1 is asked whether it takes a red gem for the event, or offers more."""
    state = begun(held("2r", 4), held("3r y", 0, "vault"), held("g"))
    return json.loads(json.dumps(GAME.save(act(choose(state, "event", "event", "gems"), "offer red=1"))))  # type: ignore[no-any-return]


def too_many_gems(save: Save) -> None:
    save["players"][2]["gems"] = [18, 0, 1, 0]


def an_event_card_twice(save: Save) -> None:
    save["discards"] = ["cash"]


def a_gem_card_twice(save: Save) -> None:
    save["gem_cards"][0] = save["gem_cards"][1]


def seats_out_of_order(save: Save) -> None:
    save["present"] = [1, 0, 2]


def rich_though_gone(save: Save) -> None:
    save["present"] = [0, 1]


def end_without_a_result(save: Save) -> None:
    save["phase"] = "over"


def alone(save: Save) -> None:
    save["present"] = [0]
    save["players"][1] = save["players"][2] = {"money": 0, "gems": [0, 0, 0, 0], "cards": []}
    save["discards"] = ["vault"]


def no_gem_cards_left(save: Save) -> None:
    save["phase"] = "gem-cards"
    save["gem_pile"] = [5]


def no_event_card_left(save: Save) -> None:
    save["phase"] = "event"
    save["deck"], save["discards"] = [], save["deck"]


def no_trade(save: Save) -> None:
    save["trade"] = None


def no_gem_card(save: Save) -> None:
    save["gem_cards"][2] = None


def no_choice(save: Save) -> None:
    save["choices"][2] = None


def no_action(save: Save) -> None:
    save["action"] = None


def an_event_at_work(save: Save) -> None:
    save["event"] = "swap"


def an_offer_too_high(save: Save) -> None:
    save["trade"]["offer"] = [3, 0, 0, 0]


def a_trade_with_oneself(save: Save) -> None:
    save["trade"]["other"] = 1


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (too_many_gems, "more than 22 red gems"),
        (an_event_card_twice, "not the 39 event cards"),
        (a_gem_card_twice, "in two places"),
        (seats_out_of_order, "not in order"),
        (rich_though_gone, "who has resigned holds something"),
        (end_without_a_result, "a result when it is over"),
        (alone, "two players or more"),
        (no_gem_cards_left, "too few gem cards"),
        (no_event_card_left, "the event deck is empty"),
        (no_trade, "something else to go by"),
        (no_gem_card, "seat 2 has a gem card"),
        (no_choice, "seat 2 has chosen, or not"),
        (no_action, "an action is performed when"),
        (an_event_at_work, "no event card is at work"),
        (an_offer_too_high, "seat 0 has offered more than it has"),
        (a_trade_with_oneself, "no saved position of Edel"),
    ],
)
def test_damaged(damage: Callable[[Save], None], reason: str) -> None:
    save = saved()
    assert GAME.load(save) is not None
    damage(save)
    with pytest.raises(MalformedNotation) as refusal:
        GAME.load(save)
    assert reason in refusal.value.message


def test_another_games_position_is_not_saved() -> None:
    with pytest.raises(IllegalStep):
        GAME.save(get("stones").initial(3, {}))
