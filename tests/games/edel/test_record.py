"""The record of docs/records.md."""

from __future__ import annotations

import json
import random
from dataclasses import replace

from bcnet.games import play
from bcnet.games.interface import Resigned
from tests.games.edel.positions import GAME, act, begun, choose, gem_card, held
from tests.games.sayings import documented


def test_the_rows_of_a_round() -> None:
    cards = (gem_card(7, "r b"), gem_card(6, "2g b"), gem_card(5, "r y b"))
    dealt = begun(held("2r"), held("3r"), held(""), cards=cards)
    chosen = choose(dealt, "money", "money", "gems")
    offered = act(chosen, "offer red=1")
    after = act(offered, "accept")
    events = [event for state in (chosen, offered, after) for event in state.news]
    assert GAME.record(events)["events"] == [
        {
            "type": "choose",
            "choices": [
                {"seat": 0, "action": "money"},
                {"seat": 1, "action": "money"},
                {"seat": 2, "action": "gems"},
            ],
        },
        {"type": "trade", "action": "money", "opener": 0, "other": 1},
        {"type": "offer", "seat": 0, "gems": {"red": 1}},
        {"type": "accept", "seat": 1, "by": 0, "gems": {"red": 1}, "forced": False},
        {"type": "money", "seat": 0, "money": 7},
        {"type": "gems", "seat": 2, "gems": {"red": 1, "yellow": 1, "blue": 1}},
    ]


def test_the_members() -> None:
    record = GAME.record(play(GAME, random.Random(4)).events)
    assert list(record) == ["events"]
    assert record == json.loads(json.dumps(record))


def test_the_document_has_every_row_with_its_fields() -> None:
    events = list(GAME.initial(3, {}).apply(Resigned((0, 1, 2))).news)
    state = begun(held("2r"), held("3r"), held(""))
    events += choose(replace(state, deck=(), discards=state.deck), "event", "money", "gems").news
    for seed in range(6):
        for bot in (None, GAME.bots["greedy"]):
            events += play(GAME, random.Random(seed), seats=3, bots=(bot,) * 3).events
    assert {row["type"]: tuple(list(row)[1:]) for row in GAME.record(events)["events"]} == documented(
        GAME.title
    )
