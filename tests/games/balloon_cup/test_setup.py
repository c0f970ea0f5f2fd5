"""docs/games.md, Material and Set-up."""

from __future__ import annotations

import pytest

from bcnet.errors import IllegalStep
from bcnet.games.balloon_cup.actions import CubesDrawn, Starter
from bcnet.games.balloon_cup.events import FirstPlayerChosen, HandDealt, PileShuffled, TileFilled
from bcnet.games.balloon_cup.material import (
    ALL_CUBES,
    COLOUR_OF,
    COLOURS,
    DECK,
    LETTERS,
    TROPHY_PRICE,
    VALUE_OF,
    Colour,
    Terrain,
    cards_in,
)
from bcnet.games.balloon_cup.state import BalloonCupState
from bcnet.games.interface import Chance, Deal, Dealt, Decide, Shuffle, Shuffled
from tests.games.balloon_cup.positions import GAME, cubes

MATERIAL = {
    "red": (13, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13], 7),
    "yellow": (11, [1, 2, 3, 5, 6, 7, 8, 9, 11, 12, 13], 6),
    "green": (9, [1, 2, 4, 6, 7, 8, 10, 12, 13], 5),
    "blue": (7, [1, 3, 5, 7, 9, 11, 13], 4),
    "grey": (5, [1, 4, 7, 10, 13], 3),
}


@pytest.mark.parametrize("colour", COLOURS)
def test_material(colour: Colour) -> None:
    count, values, price = MATERIAL[colour.word]
    assert ALL_CUBES[colour] == count == len(values)
    assert [VALUE_OF[card] for card in range(45) if COLOUR_OF[card] is colour] == values
    assert TROPHY_PRICE[colour] == price
    assert [name for name in DECK if name.startswith(colour.word)] == [f"{colour.word}-{v}" for v in values]
    assert colour.letter in colour.word


def test_the_material_is_complete() -> None:
    assert [colour.word for colour in COLOURS] == list(MATERIAL)
    assert len(set(LETTERS)) == 5
    assert len(DECK) == sum(ALL_CUBES) == 45
    assert DECK[0] == "red-1"
    assert DECK[44] == "grey-13"


ORDER = tuple(range(44, -1, -1))
FILLED = (cubes("r"), cubes("ry"), cubes("gbe"), cubes("rrye"))


def set_up(starter: int) -> list[BalloonCupState]:
    """Every position of a set-up."""
    state = GAME.initial(2, {})
    states = [state]
    steps = [
        Shuffled(ORDER),
        Starter(starter),
        *(CubesDrawn(number, drawn) for number, drawn in enumerate(FILLED, start=1)),
        Dealt(ORDER[:16]),
    ]
    for step in steps:
        state = state.apply(step)
        states.append(state)
    assert all(isinstance(state, BalloonCupState) for state in states)
    return states  # type: ignore[return-value]


@pytest.mark.parametrize("starter", [0, 1])
def test_set_up(starter: int) -> None:
    states = set_up(starter)
    assert [state.need for state in states] == [
        Shuffle(tuple(range(45))),
        Chance("first player"),
        *(Chance(f"fill tile {number}") for number in (1, 2, 3, 4)),
        Deal((0, 1) * 8),
        Decide(starter),
    ]
    last = states[-1]
    assert [tile.terrain for tile in last.tiles] == [
        Terrain.PLAINS,
        Terrain.MOUNTAIN,
        Terrain.PLAINS,
        Terrain.MOUNTAIN,
    ]
    assert tuple(tile.cubes for tile in last.tiles) == FILLED
    assert last.bag == cubes("9r 9y 8g 6b 3e")
    assert last.hand(0).known == tuple(sorted(ORDER[0:16:2]))
    assert last.hand(1).known == tuple(sorted(ORDER[1:16:2]))
    assert last.pile_size == 29
    assert last.discards == ()
    assert last.first_player == last.mover == starter
    assert last.won == (cubes(""), cubes(""))
    assert last.owners == (None,) * 5


def test_the_set_up_is_told() -> None:
    states = set_up(1)
    assert [event for state in states for event in state.news] == [
        PileShuffled(45, ORDER),
        FirstPlayerChosen(1),
        *(TileFilled(number, drawn) for number, drawn in enumerate(FILLED, start=1)),
        HandDealt(0, ORDER[0:16:2]),
        HandDealt(1, ORDER[1:16:2]),
    ]


def test_who_starts_is_asked_of_a_fair_coin() -> None:
    state = set_up(0)[1]
    asked = []

    def below(n: int) -> int:
        asked.append(n)
        return 1

    assert state.sample(below) == Starter(1)
    assert asked == [2]


@pytest.mark.parametrize("seat", [-1, 2])
def test_nobody_else_starts(seat: int) -> None:
    with pytest.raises(IllegalStep):
        set_up(0)[1].apply(Starter(seat))


@pytest.mark.parametrize(
    ("number", "drawn", "reason"),
    [
        (2, "re", "tile 1 is to be filled now, not tile 2"),
        (1, "re", "tile 1 takes as many cubes as its number says, not 2"),
        (1, "", "tile 1 takes as many cubes as its number says, not 0"),
    ],
)
def test_wrong_cubes_are_refused(number: int, drawn: str, reason: str) -> None:
    with pytest.raises(IllegalStep) as refusal:
        set_up(0)[2].apply(CubesDrawn(number, cubes(drawn)))
    assert refusal.value.message == reason


def test_cubes_that_the_bag_does_not_hold_are_refused() -> None:
    state = set_up(0)[2]
    with pytest.raises(IllegalStep):
        state.apply(CubesDrawn(1, (2, 0, 0, 0, -1)))


def test_cards_in_is_ascending() -> None:
    assert cards_in(0b1011) == (0, 1, 3)
