"""The record of docs/records.md."""

from __future__ import annotations

import json
import random

import pytest

from bcnet.errors import IllegalStep
from bcnet.games import play
from bcnet.games.balloon_cup.events import TileRemoved
from bcnet.games.interface import Event, Resigned
from bcnet.games.stones.state import StonesState
from tests.games.sayings import documented
from tests.games.stones.positions import GAME, act, field, left, start


def rows_of(*states: StonesState) -> list[dict[str, object]]:
    happened: list[Event] = [event for state in states for event in state.news]
    rows: list[dict[str, object]] = GAME.record(happened)["events"]
    return rows


def test_the_rows() -> None:
    first = act(start(penalties=True), "lay red 0 0")
    agreed = act(first, "objections")
    wrong = act(agreed, "lay red 1 0")
    back = act(wrong, "objections 0")
    assert rows_of(first, agreed, wrong, back, back.apply(Resigned((0,)))) == [
        {"type": "lay", "seat": 0, "colour": "red", "place": [0, 0], "points": 10, "doubled": False},
        {"type": "lay", "seat": 1, "colour": "red", "place": [1, 0], "points": 0, "doubled": False},
        {
            "type": "take-back",
            "seat": 1,
            "by": [0],
            "colour": "red",
            "place": [1, 0],
            "points": 0,
            "penalty": 10,
        },
        {"type": "resign", "seat": 0},
        {"type": "end", "winners": [1], "reason": "resignation"},
    ]
    assert rows_of(act(first, "objections 1")) == [{"type": "objection-failed", "by": [1]}]


def test_the_members() -> None:
    record = GAME.record(play(GAME, random.Random(4)).events)
    assert list(record) == ["first_player", "events"]
    assert record == json.loads(json.dumps(record))
    assert record["first_player"] in (0, 1)
    assert GAME.record(())["first_player"] is None


def test_another_games_event_is_refused() -> None:
    with pytest.raises(IllegalStep, match="no event of this game"):
        GAME.record([TileRemoved(1)])


def test_the_document_has_every_row_with_its_fields() -> None:
    seen: dict[str, tuple[str, ...]] = {}
    for seed in range(6):
        played = play(GAME, random.Random(seed), seats=3, options={"penalties": "on"})
        for row in GAME.record(played.events)["events"]:
            seen[row["type"]] = tuple(list(row)[1:])
    passed_over = left(field("r .", "w b", span=2), "gw", "r", "w").apply(Resigned((0,)))
    for row in rows_of(passed_over):
        seen[str(row["type"])] = tuple(list(row)[1:])
    assert seen == documented(GAME.title)
