"""Samples of what chance decides, judged against the exact probabilities.

All seeds are fixed, so each test is the same every time. `ACCEPTED` is the bound: a sample is rejected if one at least
as far off would come less than once in 10,000 tries from a sampler that is right. There are fewer than ten samples
here, so with seeds picked blindly less than one set of tests in 1,000 would reject a right sampler; if one does after
a change, the change is to be suspected and not the seed. Each sample has a biased twin, wrong in a way in which such
code is wrong, which must be rejected by the same test: that shows that the samples are large enough to see it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache

import pytest

from bcnet.games.balloon_cup.actions import Starter
from bcnet.games.balloon_cup.fill import FillRule, can_keep, draw_cubes, keeps, limit
from bcnet.games.balloon_cup.material import ALL_CUBES, COLOURS, NO_CUBES, Cubes, Terrain
from bcnet.games.balloon_cup.tiles import Tile
from bcnet.games.interface import Below, Shuffled
from tests.games.balloon_cup.chance import how_likely, tail
from tests.games.balloon_cup.positions import GAME, cubes
from tests.games.balloon_cup.test_fill import exact

pytestmark = pytest.mark.statistics

ACCEPTED = 1e-4
TRIALS = 6000

Sampler = Callable[[FillRule, Tile, list[Tile], Cubes, Below], Cubes]


# --- the judge himself ---


def test_the_tail_of_chi_square() -> None:
    """Quantiles as printed in tables."""
    for statistic, freedom, chance in [
        (3.841, 1, 0.05),
        (6.635, 1, 0.01),
        (5.991, 2, 0.05),
        (18.307, 10, 0.05),
        (29.588, 10, 0.001),
        (124.342, 100, 0.05),
        (43.773, 30, 0.05),
        (0, 3, 1),
    ]:
        assert tail(statistic, freedom) == pytest.approx(chance, rel=2e-3)


def test_what_cannot_happen_is_never_accepted() -> None:
    assert how_likely(Counter({"a": 100, "b": 1}), {"a": 1.0}) == 0


# --- who starts ---


def starts(below_of: Callable[[random.Random], Below], trials: int = TRIALS) -> float:
    waiting = GAME.initial(2, {}).apply(Shuffled())
    rng = random.Random(2024)
    below = below_of(rng)
    seen: Counter[int] = Counter()
    for _ in range(trials):
        outcome = waiting.sample(below)
        assert isinstance(outcome, Starter)
        seen[outcome.seat] += 1
    return how_likely(seen, {0: 0.5, 1: 0.5})


def test_either_player_starts_equally_often() -> None:
    assert starts(lambda rng: rng.randrange) > ACCEPTED


def test_twin_a_byte_modulo_three_halved() -> None:
    """Whoever maps three outcomes onto two gives one seat two of them."""
    assert starts(lambda rng: lambda n: rng.randrange(3) % n) < ACCEPTED


# --- cubes ---

CASES = {
    # (rule, tile, bag, on other tiles): bags in which the limit matters
    "first tile 4, designer": (FillRule.DESIGNER, 4, ALL_CUBES, NO_CUBES),
    "first tile 4, blind": (FillRule.BLIND, 4, ALL_CUBES, NO_CUBES),
    "first tile 4, capped": (FillRule.CAPPED, 4, cubes("11r 9y 7g 6b 4e"), cubes("2r 1y 1g 1b 1e")),
    "late tile 3, designer": (FillRule.DESIGNER, 3, cubes("1r 1y 3b 5e"), NO_CUBES),
    "late tile 3, blind": (FillRule.BLIND, 3, cubes("1r 1y 3b 5e"), NO_CUBES),
    "late tile 3, capped": (FillRule.CAPPED, 3, cubes("3r 2y 2g 4b 3e"), cubes("2r 1y 2g 2b 1e")),
    "waived, designer": (FillRule.DESIGNER, 4, cubes("1r 5e"), NO_CUBES),
}


def judge(case: str, sampler: Sampler, below_of: Callable[[random.Random], Below], trials: int) -> float:
    rule, number, bag, others = CASES[case]
    waiting = Tile(number, Terrain.PLAINS, NO_CUBES, (0, 0), True)
    tiles = [waiting, Tile(number % 4 + 1, Terrain.PLAINS, others, (0, 0), True)]
    below = below_of(random.Random(case))
    seen = Counter(sampler(rule, waiting, tiles, bag, below) for _ in range(trials))
    expected: Mapping[Cubes, float] = {
        drawn: float(chance) for drawn, chance in exact(rule, bag, number, others).items()
    }
    return how_likely(seen, expected)


def fair(rng: random.Random) -> Below:
    return rng.randrange


@pytest.mark.parametrize("case", CASES)
def test_cubes_are_drawn_with_the_right_probabilities(case: str) -> None:
    assert judge(case, draw_cubes, fair, TRIALS) > ACCEPTED


def with_replacement(rule: FillRule, tile: Tile, tiles: list[Tile], bag: Cubes, below: Below) -> Cubes:
    """Wrong: each cube goes back before the next is drawn."""
    while True:
        one = Tile(1, tile.terrain, NO_CUBES, (0, 0), True)
        picked = [draw_cubes(FillRule.BLIND, one, tiles, bag, below) for _ in range(tile.number)]
        red, yellow, green, blue, grey = (sum(column) for column in zip(*picked, strict=True))
        drawn = (red, yellow, green, blue, grey)
        most = limit(rule, tile, tiles)
        possible = all(taken <= have for taken, have in zip(drawn, bag, strict=True))
        if possible and (most is None or not can_keep(most, bag, tile.number) or keeps(most, drawn)):
            return drawn


def one_goes_back(rule: FillRule, tile: Tile, tiles: list[Tile], bag: Cubes, below: Below) -> Cubes:
    """Wrong: only the cube that broke the limit goes back, not the whole draw."""
    most = limit(rule, tile, tiles)
    if most is None or not can_keep(most, bag, tile.number):
        most = ALL_CUBES
    left, drawn = list(bag), [0, 0, 0, 0, 0]
    for _ in range(tile.number):
        while True:
            index = below(sum(left))
            colour = next(c for c in COLOURS if index < sum(left[: c + 1]))
            if drawn[colour] < most[colour]:
                break
        left[colour] -= 1
        drawn[colour] += 1
    red, yellow, green, blue, grey = drawn
    return (red, yellow, green, blue, grey)


def colours_alike(rule: FillRule, tile: Tile, tiles: list[Tile], bag: Cubes, below: Below) -> Cubes:
    """Wrong: every draw of different colours equally likely, as if cubes of one colour were not told apart."""
    draws = _all_draws(rule, bag, tile.number, tiles[1].cubes)
    return draws[below(len(draws))]


@cache
def _all_draws(rule: FillRule, bag: Cubes, number: int, others: Cubes) -> list[Cubes]:
    return sorted(exact(rule, bag, number, others))


def no_limit(_: FillRule, tile: Tile, tiles: list[Tile], bag: Cubes, below: Below) -> Cubes:
    """Wrong: the limit is forgotten."""
    return draw_cubes(FillRule.BLIND, tile, tiles, bag, below)


def never_waived(_: FillRule, tile: Tile, tiles: list[Tile], bag: Cubes, below: Below) -> Cubes:
    """Wrong: where nothing can keep the limit, the draw that breaks it least is taken."""
    return min(
        (draw_cubes(FillRule.BLIND, tile, tiles, bag, below) for _ in range(4)), key=lambda drawn: drawn[4]
    )


def modulo(rng: random.Random) -> Below:
    """Wrong: a six-bit number modulo n."""
    return lambda n: rng.randrange(64) % n


@pytest.mark.parametrize(
    ("case", "twin"),
    [
        ("first tile 4, designer", with_replacement),
        ("first tile 4, designer", colours_alike),
        ("first tile 4, designer", no_limit),
        ("late tile 3, designer", one_goes_back),
        ("late tile 3, designer", with_replacement),
        ("late tile 3, designer", no_limit),
        ("first tile 4, blind", with_replacement),
        ("late tile 3, blind", colours_alike),
        ("late tile 3, blind", with_replacement),
        ("first tile 4, capped", no_limit),
        ("late tile 3, capped", one_goes_back),
        ("late tile 3, capped", no_limit),
        ("late tile 3, capped", colours_alike),
        ("waived, designer", never_waived),
    ],
)
def test_twins_are_rejected(case: str, twin: Sampler) -> None:
    assert judge(case, twin, fair, TRIALS) < ACCEPTED


@pytest.mark.parametrize("case", ["first tile 4, designer", "first tile 4, blind", "first tile 4, capped"])
def test_twin_modulo_bias(case: str) -> None:
    """64 modulo 45 favours the first 19 cubes of the list, red ones and some yellow."""
    assert judge(case, draw_cubes, modulo, TRIALS) < ACCEPTED
