"""docs/games.md, Fill rule: limits, waivers, the protocol of drawing, and the exact distribution of draws."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bcnet.errors import IllegalStep
from bcnet.games.balloon_cup.actions import CubesDrawn
from bcnet.games.balloon_cup.fill import FillRule, can_keep, draw_cubes, keeps, limit
from bcnet.games.balloon_cup.material import ALL_CUBES, COLOURS, NO_CUBES, Cubes, Terrain
from bcnet.games.balloon_cup.state import BalloonCupState, Phase
from bcnet.games.balloon_cup.tiles import Tile
from bcnet.games.simulate import walk
from tests.games.balloon_cup.positions import GAME, cubes

DESIGNER, BLIND, CAPPED = FillRule


def tile(number: int, on_it: str = "") -> Tile:
    return Tile(number, Terrain.PLAINS, cubes(on_it), (0, 0), True)


def possible_draws(bag: Cubes, number: int) -> Iterator[Cubes]:
    """Every number of cubes of each colour that can be drawn."""
    for red, yellow, green, blue, grey in product(*(range(min(count, number) + 1) for count in bag)):
        if red + yellow + green + blue + grey == number:
            yield (red, yellow, green, blue, grey)


def ways(bag: Cubes, drawn: Cubes) -> int:
    """In how many ways these can be taken from the bag, cubes told apart."""
    return prod(comb(have, taken) for have, taken in zip(bag, drawn, strict=True))


def breaks_limit(rule: FillRule, drawn: Cubes, others: Cubes) -> bool:
    """The words of docs/games.md."""
    match rule:
        case FillRule.BLIND:
            return False
        case FillRule.DESIGNER:
            return drawn[4] in (3, 4) or drawn[3] == 4
        case FillRule.CAPPED:
            together = [a + b for a, b in zip(drawn, others, strict=True)]
            return any(count > most for count, most in zip(together, (6, 5, 4, 3, 2), strict=True))


def exact(rule: FillRule, bag: Cubes, number: int, others: Cubes = NO_CUBES) -> dict[Cubes, Fraction]:
    """The right probability of each draw: every set that keeps the limit equally likely; blind if there is none."""
    weights = {drawn: ways(bag, drawn) for drawn in possible_draws(bag, number)}
    kept = {drawn: w for drawn, w in weights.items() if not breaks_limit(rule, drawn, others)} or weights
    return {drawn: Fraction(weight, sum(kept.values())) for drawn, weight in kept.items()}


class Recorder:
    """Answers ``below`` from a list and writes down what was asked."""

    def __init__(self, *answers: int) -> None:
        self.answers = list(answers)
        self.asked: list[int] = []

    def __call__(self, n: int) -> int:
        self.asked.append(n)
        answer = self.answers.pop(0)
        assert 0 <= answer < n
        return answer


# --- limits ---


@pytest.mark.parametrize(
    ("rule", "number", "drawn", "others", "kept"),
    [
        (DESIGNER, 3, "eee", "", False),
        (DESIGNER, 3, "eer", "", True),
        (DESIGNER, 3, "bbb", "", True),
        (DESIGNER, 4, "eeer", "", False),
        (DESIGNER, 4, "eeee", "", False),
        (DESIGNER, 4, "bbbb", "", False),
        (DESIGNER, 4, "bbbr", "", True),
        (DESIGNER, 4, "rrrr", "", True),
        (DESIGNER, 4, "yyyy", "", True),
        (DESIGNER, 4, "gggg", "", True),
        (DESIGNER, 2, "ee", "eee", True),  # on one tile, not on all together
        (CAPPED, 1, "e", "ee", False),
        (CAPPED, 1, "e", "e", True),
        (CAPPED, 3, "bbb", "", True),
        (CAPPED, 3, "bbb", "b", False),
        (CAPPED, 4, "gggg", "", True),
        (CAPPED, 4, "gggg", "g", False),
        (CAPPED, 4, "yyyy", "y", True),
        (CAPPED, 4, "yyyy", "yy", False),
        (CAPPED, 4, "rrrr", "rr", True),
        (CAPPED, 4, "rrrr", "rrr", False),
        (CAPPED, 2, "re", "ee", False),
    ],
)
def test_limits(rule: FillRule, number: int, drawn: str, others: str, kept: bool) -> None:
    tiles = [tile(1), tile(number)] if number != 1 else [tile(2), tile(1)]
    tiles[0] = tiles[0]._replace(cubes=cubes(others))
    most = limit(rule, tiles[1], tiles)
    assert most is not None
    assert keeps(most, cubes(drawn)) is kept
    assert breaks_limit(rule, cubes(drawn), cubes(others)) is not kept


def test_blind_has_no_limit() -> None:
    assert limit(BLIND, tile(4), [tile(4)]) is None


@given(
    st.sampled_from([DESIGNER, CAPPED]),
    st.integers(1, 4),
    st.tuples(*(st.integers(0, most) for most in ALL_CUBES)),
    st.tuples(*(st.integers(0, most) for most in (3, 3, 3, 3, 3))),
)
def test_the_limit_is_waived_exactly_where_no_draw_can_keep_it(
    rule: FillRule, number: int, bag: Cubes, others: Cubes
) -> None:
    """``others`` may break the cap already, after an earlier draw for which it was waived."""
    if sum(bag) < number:
        return
    waiting = tile(number)
    other = Tile(number % 4 + 1, Terrain.PLAINS, others, (0, 0), True)
    most = limit(rule, waiting, [waiting, other])
    assert most is not None
    can = any(not breaks_limit(rule, drawn, others) for drawn in possible_draws(bag, number))
    assert can_keep(most, bag, number) is can


# --- the protocol of drawing ---


def test_the_bag_is_a_list_in_the_order_of_the_colours() -> None:
    bag = cubes("2r 1y 2g 1b 1e")  # r r y g g b e
    for index, letter in enumerate("rryggbe"):
        below = Recorder(index)
        assert draw_cubes(BLIND, tile(1), [tile(1)], bag, below) == cubes(letter)
        assert below.asked == [7]


def test_cubes_are_drawn_without_putting_back_and_the_others_keep_their_order() -> None:
    below = Recorder(2, 2, 0, 3)  # r r y g g b e: y; r r g g b e: g; r r g b e: r; r g b e: e
    assert draw_cubes(BLIND, tile(4), [tile(4)], cubes("2r 1y 2g 1b 1e"), below) == cubes("ygre")
    assert below.asked == [7, 6, 5, 4]


def test_a_draw_that_breaks_the_limit_goes_back_and_all_of_it_is_drawn_again() -> None:
    below = Recorder(6, 5, 4, 0, 0, 0)  # r r y g e e e
    assert draw_cubes(DESIGNER, tile(3), [tile(3)], cubes("2r 1y 1g 3e"), below) == cubes("rry")
    assert below.asked == [7, 6, 5, 7, 6, 5]


def test_a_limit_that_nothing_can_keep_is_waived_for_all_colours() -> None:
    below = Recorder(0, 0, 0, 0)
    assert draw_cubes(DESIGNER, tile(4), [tile(4)], cubes("1b 4e"), below) == cubes("b eee")
    assert below.asked == [5, 4, 3, 2]
    tiles = [tile(1, "e"), tile(2, "re"), tile(3)]
    below = Recorder(0, 0, 0)
    assert draw_cubes(CAPPED, tiles[2], tiles, cubes("2r 2e"), below) == cubes("rr e")
    assert below.asked == [4, 3, 2]


def test_the_cap_is_over_all_tiles_together() -> None:
    tiles = [tile(1, "e"), tile(2, "re"), tile(3)]
    below = Recorder(6, 0, 0, 0, 0, 0)  # r r r b e e e: the grey one breaks the cap
    assert draw_cubes(CAPPED, tiles[2], tiles, cubes("3r 1b 3e"), below) == cubes("rrr")
    assert below.asked == [7, 6, 5, 7, 6, 5]


def test_at_set_up_each_tile_is_a_draw_of_its_own() -> None:
    """What breaks tile 3's limit sends tile 3's cubes back; those on tiles 1 and 2 stay."""
    state = GAME.initial(2, {"fill": "designer"})
    states = [state, *(after for _, after in walk(state, random.Random(1)))]
    waiting = [s for s in states if isinstance(s, BalloonCupState) and s.phase is Phase.FILL]
    assert [state.turn.tile for state in waiting] == [1, 2, 3, 4]
    third = waiting[2]
    size = sum(third.bag)
    below = Recorder(size - 1, size - 2, size - 3, 0, 0, 0)  # the three last are grey
    assert third.bag[4] >= 3
    drawn = third.sample(below)
    assert below.asked == [size, size - 1, size - 2] * 2
    after = third.apply(drawn)
    assert isinstance(after, BalloonCupState)
    assert [t.cubes for t in after.tiles[:2]] == [t.cubes for t in third.tiles[:2]]


# --- the exact distribution ---


class OutOfAnswers(Exception):
    pass


def every_draw(rule: FillRule, waiting: Tile, tiles: list[Tile], bag: Cubes) -> Counter[Cubes | None]:
    """What comes of every possible row of answers to one round of ``below``; None where it is drawn again."""
    number, size = waiting.number, sum(bag)
    results: Counter[Cubes | None] = Counter()
    for answers in product(*(range(size - taken) for taken in range(number))):
        left = list(answers)

        def below(n: int, left: list[int] = left) -> int:
            if not left:
                raise OutOfAnswers
            answer = left.pop(0)
            assert answer < n
            return answer

        try:
            results[draw_cubes(rule, waiting, tiles, bag, below)] += 1
        except OutOfAnswers:
            results[None] += 1
    return results


@pytest.mark.parametrize("rule", FillRule)
@pytest.mark.parametrize(
    ("number", "bag", "others"),
    [
        (1, "2r 1y 1g 2b 3e", "rree"),
        (2, "2r 1y 1g 2b 3e", "re"),
        (3, "1r 1y 1g 2b 4e", "re"),
        (3, "4e", ""),
        (4, "1r 2b 5e", "bb"),
        (4, "5b 2e 1y", "ee"),
        (4, "2r 4b 2e", "bbb"),
        (4, "4e 1b", ""),
    ],
)
def test_every_set_that_keeps_the_limit_is_equally_likely(
    rule: FillRule, number: int, bag: str, others: str
) -> None:
    """All rows of answers are gone through, so this is exact: each set of cubes, cubes told apart, has its share."""
    waiting = tile(number)
    tiles = [waiting, Tile(number % 4 + 1, Terrain.PLAINS, cubes(others), (0, 0), True)]
    results = every_draw(rule, waiting, tiles, cubes(bag))
    kept = results.total() - results.pop(None, 0)
    expected = exact(rule, cubes(bag), number, cubes(others))
    assert {drawn: Fraction(count, kept) for drawn, count in results.items()} == expected


def chance_to_keep(rule: FillRule, bag: Cubes, number: int, others: Cubes) -> Fraction:
    kept = sum(ways(bag, d) for d in possible_draws(bag, number) if not breaks_limit(rule, d, others))
    return Fraction(kept, comb(sum(bag), number))


def test_the_worst_bags() -> None:
    """Found by going through all bags with all cubes on other tiles (3.3 million) in another language."""
    assert chance_to_keep(DESIGNER, cubes("2b 5e"), 4, NO_CUBES) == Fraction(2, 7)
    assert chance_to_keep(CAPPED, cubes("1y 5g 3b 3e"), 4, cubes("4g 2e")) == Fraction(1, 495)


@given(
    st.sampled_from([DESIGNER, CAPPED]),
    st.integers(1, 4),
    st.data(),
)
def test_no_bag_is_worse(rule: FillRule, number: int, data: st.DataObject) -> None:
    others = data.draw(st.tuples(*(st.integers(0, most) for most in (6, 5, 4, 3, 2))))
    if sum(others) > 10 - number:
        return
    bag = data.draw(st.tuples(*(st.integers(0, a - o) for a, o in zip(ALL_CUBES, others, strict=True))))
    if sum(bag) < number:
        return
    chance = chance_to_keep(rule, bag, number, others)
    assert chance == 0 or chance >= (Fraction(2, 7) if rule is DESIGNER else Fraction(1, 495))


# --- outcomes from elsewhere are checked ---


def waiting_for_tile_3(rule: str) -> BalloonCupState:
    state = GAME.initial(2, {"fill": rule})
    for step, after in walk(state, random.Random(1)):
        if isinstance(step, CubesDrawn) and step.tile == 2:
            assert isinstance(after, BalloonCupState)
            return after
    raise AssertionError


def test_a_draw_that_breaks_the_limit_is_refused() -> None:
    drawn = CubesDrawn(3, cubes("eee"))
    for rule in ("designer", "capped"):
        with pytest.raises(IllegalStep) as refusal:
            waiting_for_tile_3(rule).apply(drawn)
        assert "break the limit" in refusal.value.message
    assert waiting_for_tile_3("blind").apply(drawn).tiles[2].cubes == cubes("eee")


def test_a_waived_limit_refuses_nothing() -> None:
    state = waiting_for_tile_3("designer")
    poor = state._replace(board=state.board._replace(bag=cubes("4e")))
    assert poor.apply(CubesDrawn(3, cubes("eee"))).tiles[2].cubes == cubes("eee")


@pytest.mark.parametrize("rule", FillRule)
def test_whole_games_keep_the_rule(rule: FillRule) -> None:
    most_on_all = (6, 5, 4, 3, 2)
    for seed in range(15):
        for _, state in walk(GAME.initial(2, {"fill": rule.value}), random.Random(seed)):
            assert isinstance(state, BalloonCupState)
            if rule is CAPPED and sum(state.bag) > 10:
                for colour in COLOURS:
                    assert sum(t.cubes[colour] for t in state.tiles) <= most_on_all[colour]
            if rule is DESIGNER and sum(state.bag) > 10:
                assert all(t.cubes[4] <= 2 and t.cubes[3] <= 3 for t in state.tiles)
