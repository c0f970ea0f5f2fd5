"""What cannot be done is explained, with card, tile and side."""

from __future__ import annotations

import pytest

from bcnet.errors import IllegalStep
from bcnet.games.balloon_cup.actions import Decline, Play
from bcnet.games.interface import Dealt, Exhausted, Resigned, Shuffled
from tests.games.balloon_cup.positions import GAME, act, cards, position


@pytest.mark.parametrize(
    ("text", "reason", "hint"),
    [
        (
            "play g4 3 0",
            "green 4 does not fit next to tile 3 on side 0: both green places on that side are taken",
            "Its other side may still have room.",
        ),
        (
            "play b5 3 1",
            "blue 5 does not fit next to tile 3 on side 1: the one blue place on that side is taken",
            "Its other side may still have room.",
        ),
        (
            "play y1 4 1",
            "yellow 1 does not fit next to tile 4 on side 1: all 3 yellow places on that side are taken",
            "",
        ),
        (
            "play r13 3 0",
            "red 13 does not fit next to tile 3: there is no red cube on it",
            "A side takes as many cards of a colour as there are cubes of it on the tile.",
        ),
        ("play r13 1 0", "red 13 cannot be laid next to tile 1: that tile has left the game", ""),
        ("play r12 2 0", "red 12 is not in the hand of seat 0", ""),
        (
            "exchange r13",
            "green 4 fits next to tile 3 on side 1, so a card must be played",
            "Playing is compulsory while any card in hand fits anywhere.",
        ),
        (
            "decline",
            "seat 0 is on turn and plays a card, or exchanges cards if none fits",
            "Play a card. If nothing in your hand fits, exchange 0 to 4 cards.",
        ),
    ],
)
def test_refusals_say_why(text: str, reason: str, hint: str) -> None:
    state = position(
        {
            2: "mountain ee",
            3: "plains ggb | g1 g2 | b7",
            4: "mountain yyye | y2 y3 y5 | y6 y7 y8",
        },
        ("g4 b5 y1 r13", "r12"),
    )
    with pytest.raises(IllegalStep) as refusal:
        act(state, text)
    assert refusal.value.message == reason
    assert refusal.value.hint == hint


def test_a_refusal_keeps_its_values_apart_from_its_words() -> None:
    with pytest.raises(IllegalStep) as refusal:
        act(position({2: "mountain rr"}, ("g4 r1", "")), "play g4 2 1")
    assert (
        refusal.value.template == "{card} does not fit next to tile {tile}: there is no {colour} cube on it"
    )
    assert refusal.value.values == {"card": "green 4", "tile": 2, "side": 1, "colour": "green", "count": 0}


@pytest.mark.parametrize(
    ("play", "reason"),
    [
        (Play(45, 1, 0), "there is no card 45"),
        (Play(-1, 1, 0), "there is no card -1"),
        (Play(0, 0, 0), "there is no tile 0"),
        (Play(0, 5, 0), "there is no tile 5"),
        (Play(0, 1, 2), "there is no side 2"),
        (Play(0, 1, -1), "there is no side -1"),
    ],
)
def test_nonsense_is_refused(play: Play, reason: str) -> None:
    with pytest.raises(IllegalStep) as refusal:
        position({2: "mountain rr"}, ("r1", "")).apply(play)
    assert refusal.value.message == reason


def test_what_must_come_first_is_said() -> None:
    start = GAME.initial(2, {})
    with pytest.raises(IllegalStep) as refusal:
        start.apply(Decline())
    assert refusal.value.message == "the cards must be shuffled first"
    with pytest.raises(IllegalStep) as refusal:
        start.apply(Shuffled()).apply(Decline())
    assert refusal.value.message == "chance comes first: first player"
    state = act(position({2: "mountain rr"}, ("r1", "")), "play r1 2 0")
    with pytest.raises(IllegalStep) as refusal:
        act(state, "play r2 2 0")
    assert refusal.value.message == "the cards that are due must be dealt first"
    with pytest.raises(IllegalStep) as refusal:
        start.apply(Dealt(()))
    assert refusal.value.message == "the cards must be shuffled first"


def test_nothing_follows_the_end() -> None:
    over = GAME.initial(2, {}).apply(Resigned((0,)))
    for step in (Decline(), Shuffled(), Dealt(cards("r1")), Resigned((1,)), Exhausted()):
        with pytest.raises(IllegalStep) as refusal:
            over.apply(step)
        assert refusal.value.message == "the game is over (resignation)"
    assert over.legal_actions(0) == over.legal_actions(1) == ()


@pytest.mark.parametrize("seats", [(), (1, 0), (0, 0), (2,), (-1,)])
def test_only_seats_of_the_game_resign(seats: tuple[int, ...]) -> None:
    with pytest.raises(IllegalStep):
        GAME.initial(2, {}).apply(Resigned(seats))


@pytest.mark.parametrize(
    ("seats", "options", "reason"),
    [
        (3, {}, "Balloon Cup is a game for two, not for 3"),
        (2, {"filling": "blind"}, "Balloon Cup has no option filling"),
        (2, {"fill": "Blind"}, "the option fill has no value Blind"),
    ],
)
def test_a_game_that_does_not_exist_is_refused(seats: int, options: dict[str, str], reason: str) -> None:
    with pytest.raises(IllegalStep) as refusal:
        GAME.initial(seats, options)
    assert refusal.value.message == reason
