"""Whole random games, re-checked event by event by a second reading of the rules (`referee`)."""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from bcnet.games import get, play
from bcnet.games.balloon_cup.state import BalloonCupState, Phase
from bcnet.games.interface import Bot
from bcnet.games.search import Budget, thinking
from bcnet.games.simulate import walk
from tests.games.balloon_cup import referee
from tests.games.balloon_cup.referee import Objection, Referee

GAME = get("balloon-cup")
FILLS = GAME.options["fill"]
NORMAL = GAME.bots["normal"]


def recorded(fill: str, seed: int, bots: tuple[Bot, ...] = ()) -> dict[str, Any]:
    played = play(GAME, random.Random(seed), options={"fill": fill}, bots=bots)
    return GAME.record(played.events)


@pytest.mark.parametrize("fill", FILLS)
def test_random_games_keep_all_rules(fill: str) -> None:
    reasons = Counter(Referee(fill).replay(recorded(fill, seed)) for seed in range(20))
    assert reasons["third-trophy"] > 12, "a random game seldom ends in a draw"


@pytest.mark.parametrize("fill", FILLS)
def test_games_of_normal_bots_keep_all_rules(fill: str) -> None:
    for seed in range(3):
        Referee(fill).replay(recorded(fill, seed, (NORMAL, NORMAL)))


def wins_of(better: Bot, worse: Bot, games: int) -> int:
    """Wins of the better one; each starts as seat 0 in half of the games."""
    return sum(
        play(GAME, random.Random(seed), bots=bots).over.winners == (bots.index(better),)
        for seed in range(games)
        for bots in [(better, worse) if seed % 2 else (worse, better)]
    )


@pytest.mark.parametrize(("better", "worse"), [("easy", "random"), ("normal", "easy")])
def test_a_higher_level_beats_a_lower_one(better: str, worse: str) -> None:
    """By chance alone 15 of 20 wins would come once in 48 trials, 17 once in 776."""
    assert wins_of(GAME.bots[better], GAME.bots[worse], games=20) >= 15


def test_a_short_search_already_beats_easy() -> None:
    assert GAME.sense is not None
    assert wins_of(thinking(GAME.sense, Budget(20)), GAME.bots["easy"], games=10) >= 8


@pytest.mark.parametrize("fill", FILLS)
def test_legal_actions_and_endings_are_those_of_the_rules(fill: str) -> None:
    """At the start of every turn: legal actions, blocked tiles, and why the game is drawn, if it is."""
    for seed in range(6):
        for _, state in walk(GAME.initial(2, {"fill": fill}), random.Random(seed)):
            assert isinstance(state, BalloonCupState)
            if state.phase not in (Phase.TURN, Phase.OVER):
                continue
            seen = referee.from_saved(GAME.save(state))
            seen.check_conserved()
            assert set(state.blocked) == seen.blocked()
            if state.phase is Phase.TURN:
                assert state.mover is not None
                assert {GAME.write(a) for a in state.legal_actions(state.mover)} == seen.legal(state.mover)
                assert seen.drawn() is None


# --- the referee is no yes-man ---


def changed(record: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The record with one number, card or event changed, left out or doubled."""
    events = record["events"]
    yield {**record, "first_player": 1 - record["first_player"]}
    for index in range(0, len(events), 19):
        yield {**record, "events": events[:index] + events[index + 1 :]}
        yield {**record, "events": [*events[:index], events[index], *events[index:]]}
        for field, value in events[index].items():
            if isinstance(value, int):
                other: Any = value + 1
            elif isinstance(value, str):
                other = "red-1" if value == "red-13" else "red-13"
            elif isinstance(value, list):
                other = value[::-1]
            elif isinstance(value, dict):
                other = {**value, "red": value.get("red", 0) + 1}
            else:
                continue
            if other != value:
                yield {
                    **record,
                    "events": [*events[:index], {**events[index], field: other}, *events[index + 1 :]],
                }


def test_the_referee_objects_to_any_change() -> None:
    fill = "designer"
    record = recorded(fill, 11)
    tried = 0
    for wrong in changed(record):
        tried += 1
        with pytest.raises((Objection, KeyError)):
            Referee(fill).replay(copy.deepcopy(wrong))
    assert tried > 50
