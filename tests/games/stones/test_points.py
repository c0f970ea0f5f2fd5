"""Points: the examples of docs/games.md, worked by hand, and the table of points."""

from __future__ import annotations

import re

import pytest

from bcnet.games.stones.actions import Lay
from bcnet.games.stones.events import StoneLaid
from bcnet.games.stones.material import COLOURS, POINTS, Colour
from tests.games.stones.positions import GAME, act, colour, field, on, start


def test_the_first_stone_scores_ten() -> None:
    for first in COLOURS:
        assert act(start(), f"lay {first.word} 0 0").points == (10, 0)


def test_a_stone_scores_the_sum_of_its_pairs() -> None:
    """docs/games.md, example 1: red between black and grey, 12 + 8; white would bring 2 + 1."""
    state = on(field("b . g", seat=1), 0)
    assert act(state, "lay red 1 0").points == (20, 0)
    assert act(state, "lay white 1 0").points == (3, 0)


def test_the_order_of_a_pair_matters() -> None:
    """docs/games.md, example 2: red next to white brings 10, white next to red 4."""
    assert act(on(field("w", seat=1), 0), "lay red 1 0").points == (10, 0)
    assert act(on(field("r", seat=1), 0), "lay white 1 0").points == (4, 0)


def test_the_last_stone_of_a_colour_scores_double() -> None:
    """docs/games.md, example 3: the third own red next to black brings 24, whatever others have laid."""
    state = on(field("b . . . .", "w r w r w"), 0)
    after = act(state, "lay red 0 2")
    assert after.points == (24, 0)
    assert after.news[0] == StoneLaid(0, Colour.RED, 0, 2, 24, doubled=True)
    second = on(field("b . . . .", "w r w . w"), 0)
    assert act(second, "lay red 0 2").points == (12, 0)
    others = on(field("b . . . .", "w r w r w", seat=1), 0)
    assert act(others, "lay red 0 2").points == (12, 0)


def test_four_neighbours() -> None:
    """docs/games.md, example 4: red amid black, grey, black and grey: 2 x 12 + 2 x 8."""
    state = on(field(". b .", "g . g", ". b .", seat=1), 0)
    assert act(state, "lay red 1 1").points == (40, 0)


@pytest.mark.parametrize(
    ("laid", "row"),
    [("red", "- 12 8 10"), ("black", "11 - 5 7"), ("grey", "9 6 - 3"), ("white", "4 2 1 -")],
)
def test_the_table_of_points(laid: str, row: str) -> None:
    values = [0 if value == "-" else int(value) for value in row.split()]
    assert list(POINTS[colour(laid)]) == values


def test_the_rules_show_the_same_table_and_say_whose_it_is() -> None:
    rows = re.findall(r"^ +(?:you lay +)?(red|black|grey|white) +([-0-9 ]+)$", GAME.rules, re.MULTILINE)
    assert [word for word, _ in rows] == [each.word for each in COLOURS]
    for word, values in rows:
        assert [0 if value == "-" else int(value) for value in values.split()] == list(POINTS[colour(word)])
    assert "(All values * but that red at black" in GAME.rules
    assert "marked * is a house rule" in GAME.rules


def test_red_at_black_is_the_most_and_white_at_grey_the_least() -> None:
    pairs = {(a, b): POINTS[a][b] for a in COLOURS for b in COLOURS if a != b}
    assert [pair for pair, points in pairs.items() if points == max(pairs.values())] == [
        (Colour.RED, Colour.BLACK)
    ]
    assert [pair for pair, points in pairs.items() if points == min(pairs.values())] == [
        (Colour.WHITE, Colour.GREY)
    ]


def test_what_a_place_would_bring_is_said_before() -> None:
    state = on(field("b . g", seat=1), 0)
    for action in state.legal_actions(0):
        assert isinstance(action, Lay)
        assert state.apply(action).points[0] == state.worth(0, action)
