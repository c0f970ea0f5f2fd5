"""docs/records.md: types, fields, order. Whole records are checked again in test_whole_games.py, details here."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from bcnet.errors import IllegalStep
from bcnet.games import play
from bcnet.games.balloon_cup.actions import CubesDrawn, Starter
from bcnet.games.balloon_cup.events import ClaimDeclined
from bcnet.games.balloon_cup.material import DECK
from bcnet.games.balloon_cup.state import BalloonCupState
from bcnet.games.interface import Dealt, Decide, Event, Exhausted, Resigned, Shuffle, Shuffled, State, Step
from tests.games.balloon_cup.positions import GAME, act, cards, cubes, go_on, position
from tests.games.balloon_cup.referee import FIELDS, Referee
from tests.games.sayings import documented

ORDER = tuple(range(45))
SET_UP: list[Step] = [
    Shuffled(ORDER),
    Starter(1),
    CubesDrawn(1, cubes("r")),
    CubesDrawn(2, cubes("ry")),
    CubesDrawn(3, cubes("rge")),
    CubesDrawn(4, cubes("yybb")),
    Dealt(ORDER[:16]),
]


def events_of(state: State, *steps: Step) -> list[dict[str, Any]]:
    """The rows of a record of these steps."""
    happened: list[Event] = []
    for step in steps:
        state = state.apply(step)
        happened += state.news
    rows: list[dict[str, Any]] = GAME.record(happened)["events"]
    return rows


def rows_of(*states: BalloonCupState) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = GAME.record([event for state in states for event in state.news])["events"]
    return rows


def test_set_up_stands_in_the_order_of_people() -> None:
    """The table shuffles before it fills; the record has it the other way round."""
    assert events_of(GAME.initial(2, {}), *SET_UP) == [
        {"type": "fill", "tile": 1, "cubes": {"red": 1}},
        {"type": "fill", "tile": 2, "cubes": {"red": 1, "yellow": 1}},
        {"type": "fill", "tile": 3, "cubes": {"red": 1, "green": 1, "grey": 1}},
        {"type": "fill", "tile": 4, "cubes": {"yellow": 2, "blue": 2}},
        {"type": "shuffle", "order": list(DECK)},
        {"type": "deal", "seat": 0, "cards": list(DECK[0:16:2])},
        {"type": "deal", "seat": 1, "cards": list(DECK[1:16:2])},
    ]


def test_the_members_of_a_record() -> None:
    played = play(GAME, random.Random(4))
    record = GAME.record(played.events)
    assert list(record) == ["first_player", "events"]
    assert record == json.loads(json.dumps(record))
    assert isinstance(played.last, BalloonCupState)
    assert record["first_player"] == played.last.first_player


def test_a_turn() -> None:
    state = position({2: "mountain ry"}, ("r13 y1", "b1"), pile="g1")
    played = act(state, "play r13 2 1")
    assert rows_of(played, go_on(played)) == [
        {"type": "play", "seat": 0, "card": "red-13", "tile": 2, "side": 1},
        {"type": "draw", "seat": 0, "card": "green-1"},
    ]


def test_a_scoring_with_a_claim_and_a_shuffle_before_the_draw() -> None:
    state = position(
        {1: "mountain r | | r1", 2: "plains yg"}, ("r13 y1", "b1 b3"), won=("7r", ""), bag="yg", pile=""
    )
    played = act(state, "play r13 1 0")
    refilled = played.apply(CubesDrawn(1, cubes("y")))
    assert isinstance(refilled.need, Shuffle)
    order = refilled.need.cards[::-1]
    shuffled = refilled.apply(Shuffled(order))
    assert rows_of(played, refilled, shuffled, shuffled.apply(Dealt(order[:1])))[:-1] == [
        {"type": "play", "seat": 0, "card": "red-13", "tile": 1, "side": 0},
        {"type": "score", "tile": 1, "winner": 0, "totals": [13, 1], "cubes": {"red": 1}},
        {"type": "refill", "tile": 1, "terrain": "plains", "cubes": {"yellow": 1}},
        {"type": "claim", "seat": 0, "trophy": "red", "paid": {"red": 7}},
        {"type": "shuffle", "order": [DECK[card] for card in order]},
        {"type": "draw", "seat": 0, "card": DECK[order[0]]},
    ]


def test_a_three_for_one_claim_and_no_word_of_declining() -> None:
    tiles = {1: "mountain r | | r1", 2: "plains yg"}
    state = position(tiles, ("r13 y1", "b1"), won=("5r 3b", "2e 3r"), trophies=("", "r"), bag="y")
    asked = act(state, "play r13 1 0").apply(CubesDrawn(1, cubes("y")))
    claimed = act(asked, "claim blue blue=3 red=3")
    declined = act(claimed, "decline")
    assert declined.news == (ClaimDeclined(1),)
    assert rows_of(claimed, declined) == [
        {"type": "claim", "seat": 0, "trophy": "blue", "paid": {"red": 3, "blue": 3}}
    ]


def test_a_tile_that_leaves() -> None:
    state = position({2: "mountain rg | r10 g4 | r5", 1: "plains y"}, ("y1", "g8"), mover=1, bag="y")
    assert rows_of(act(state, "play g8 2 1"))[1:] == [
        {"type": "score", "tile": 2, "winner": 0, "totals": [14, 13], "cubes": {"red": 1, "green": 1}},
        {"type": "remove", "tile": 2},
    ]


STUCK = "y1 y2 y3 y5 y6 y7 y8 y9"
STUCK_NAMES = ["yellow-1", "yellow-2", "yellow-3", "yellow-5", "yellow-6", "yellow-7", "yellow-8", "yellow-9"]


def test_stuck_then_a_play() -> None:
    state = position({2: "mountain rr | r1"}, (STUCK, "b1"), pile="g1 r13 g2")
    exchanged = act(state, "exchange y1 y9")
    drawn = go_on(exchanged)
    assert rows_of(exchanged, drawn, act(drawn, "play r13 2 0")) == [
        {"type": "show", "seat": 0, "cards": STUCK_NAMES},
        {"type": "exchange", "seat": 0, "discarded": ["yellow-1", "yellow-9"]},
        {"type": "draw", "seat": 0, "card": "green-1"},
        {"type": "draw", "seat": 0, "card": "red-13"},
        {"type": "play", "seat": 0, "card": "red-13", "tile": 2, "side": 0},
    ]


def test_stuck_then_a_shuffle_between_the_draws_and_a_pass() -> None:
    state = position({2: "mountain rr | r1"}, (STUCK, "b1"), pile="g1")
    exchanged = act(state, "exchange y1 y9")
    first = exchanged.apply(Dealt(cards("g1")))
    assert isinstance(first.need, Shuffle)
    order = (cards("y9")[0], *(card for card in first.need.cards if card != cards("y9")[0]))
    shuffled = first.apply(Shuffled(order))
    second = shuffled.apply(Dealt(order[:1]))
    rows = rows_of(exchanged, first, shuffled, second, act(second, "pass"))
    assert [row["type"] for row in rows] == ["show", "exchange", "draw", "shuffle", "draw", "show", "pass"]
    assert rows[-3] == {"type": "draw", "seat": 0, "card": "yellow-9"}
    assert rows[-2] == {"type": "show", "seat": 0, "cards": [*STUCK_NAMES[1:], "green-1"]}
    assert rows[-1] == {"type": "pass", "seat": 0}


def test_after_exchanging_nothing_pass_stands_alone() -> None:
    state = position({2: "mountain rr | r1"}, (STUCK, "b1"))
    assert rows_of(act(state, "exchange")) == [
        {"type": "show", "seat": 0, "cards": STUCK_NAMES},
        {"type": "exchange", "seat": 0, "discarded": []},
        {"type": "pass", "seat": 0},
    ]


@pytest.mark.parametrize("count", range(len(SET_UP) + 1))
@pytest.mark.parametrize(
    ("step", "end"),
    [
        (
            Resigned((1,)),
            [{"type": "resign", "seat": 1}, {"type": "end", "winner": 0, "reason": "resignation"}],
        ),
        (
            Resigned((0, 1)),
            [
                {"type": "resign", "seat": 0},
                {"type": "resign", "seat": 1},
                {"type": "end", "winner": None, "reason": "resignation"},
            ],
        ),
        (Exhausted(), [{"type": "end", "winner": None, "reason": "standstill"}]),
    ],
)
def test_a_game_that_ends_before_it_has_begun(count: int, step: Step, end: list[dict[str, Any]]) -> None:
    whole = events_of(GAME.initial(2, {}), *SET_UP)
    rows = events_of(GAME.initial(2, {}), *SET_UP[:count], step)
    assert rows[len(rows) - len(end) :] == end
    kept = rows[: len(rows) - len(end)]
    assert kept == [row for row in whole if row in kept], "in the same order"
    happened = {0: 0, 1: 1, 2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 7}
    assert len(kept) == happened[count]


def test_the_first_player_is_null_if_nobody_was_chosen() -> None:
    state = GAME.initial(2, {}).apply(Resigned((1,)))
    assert GAME.record(state.news)["first_player"] is None


def test_a_third_trophy_is_followed_by_the_end_alone() -> None:
    state = position(
        {1: "mountain r | | r1", 2: "plains yg"},
        ("r13 y1", "b1"),
        won=("6r", ""),
        trophies=("gb", ""),
        bag="yy",
    )
    rows = rows_of(act(state, "play r13 1 0").apply(CubesDrawn(1, cubes("y"))))
    assert rows[-2:] == [
        {"type": "claim", "seat": 0, "trophy": "red", "paid": {"red": 7}},
        {"type": "end", "winner": 0, "reason": "third-trophy"},
    ]


def test_a_drawn_end_follows_the_draw() -> None:
    tiles = {2: "mountain ee | e1 e4 | e7", 4: "plains eerr | e10 r1 r2 | r3 r4"}
    played = act(position(tiles, ("e13 y1", "y2"), bag="9y"), "play e13 4 0")
    rows = rows_of(played, go_on(played))
    assert [row["type"] for row in rows] == ["play", "draw", "end"]
    assert rows[-1] == {"type": "end", "winner": None, "reason": "no-play-left"}


def test_hidden_faces_make_no_record() -> None:
    hidden: list[list[Step]] = [
        [Shuffled()],
        [*SET_UP[:1], *SET_UP[1:6], Dealt((None,) * 16)],
    ]
    with pytest.raises(IllegalStep):
        events_of(GAME.initial(2, {}), *hidden[0])
    public = GAME.initial(2, {}).apply(Shuffled())
    happened: list[Event] = []
    for step in SET_UP[1:6]:
        public = public.apply(step)
        happened += public.news
    happened += public.apply(Dealt((None,) * 16)).news
    with pytest.raises(IllegalStep):
        GAME.record(happened)


def test_every_type_has_its_fields_and_no_others() -> None:
    seen = set()
    for seed in range(40):
        for row in GAME.record(play(GAME, random.Random(seed)).events)["events"]:
            assert list(row) == FIELDS[row["type"]]
            seen.add(row["type"])
    assert seen == set(FIELDS) - {"resign"}
    assert {kind: ("type", *fields) for kind, fields in documented(GAME.title).items()} == {
        kind: tuple(fields) for kind, fields in FIELDS.items()
    }


def test_a_resigned_game_is_a_right_record() -> None:
    played = play(GAME, random.Random(8), options={"fill": "blind"})
    for seats, winner in (((0,), 1), ((1,), 0), ((0, 1), None)):
        state: State = GAME.initial(2, {"fill": "blind"})
        happened: list[Event] = []
        steps = iter(played.steps)
        while len(happened) < 60 or not isinstance(state.need, Decide):
            state = state.apply(next(steps))
            happened += state.news
        happened += state.apply(Resigned(seats)).news
        record = GAME.record(happened)
        assert record["events"][-1]["winner"] == winner
        assert Referee("blind").replay(record) == "resignation"
