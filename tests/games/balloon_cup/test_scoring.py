"""docs/games.md, Scoring a tile."""

from __future__ import annotations

import pytest

from bcnet.games.balloon_cup.actions import CubesDrawn
from bcnet.games.balloon_cup.events import CardPlayed, TileRefilled, TileRemoved, TileScored
from bcnet.games.balloon_cup.material import Terrain
from bcnet.games.interface import Deal, Decide
from tests.games.balloon_cup.positions import act, cards, cubes, go_on, is_refill, news, position

OTHER_TILES = {3: "plains rrr", 4: "mountain yyyy"}
BAG = "5r 5y 5g"


def scored(terrain: str, first: str, second: str, play: str, mover: int) -> TileScored:
    """Tile 2, with a red and a green cube, is filled by ``play``."""
    card = play.split()[1]
    hands = (card, "b1") if mover == 0 else ("b1", card)
    state = position({2: f"{terrain} rg | {first} | {second}", **OTHER_TILES}, hands, mover=mover, bag=BAG)
    (event,) = news(act(state, play), TileScored)
    assert isinstance(event, TileScored)
    return event


@pytest.mark.parametrize(
    ("terrain", "first", "second", "play", "mover", "winner", "totals"),
    [
        # docs/games.md, example 1
        ("mountain", "r10 g4", "r5", "play g8 2 1", 1, 0, (14, 13)),
        ("mountain", "r10 g4", "r5", "play g10 2 1", 1, 1, (14, 15)),
        ("plains", "r10 g4", "r5", "play g8 2 1", 1, 1, (14, 13)),
        ("plains", "r10 g4", "r5", "play g10 2 1", 1, 0, (14, 15)),
        ("mountain", "r10 g4", "r5", "play g8 2 1", 0, 0, (14, 13)),
        ("plains", "r10 g4", "r5", "play g8 2 1", 0, 1, (14, 13)),
        # equal sums: whoever laid the last card wins, on whichever side it lies (docs/games.md, example 2)
        ("mountain", "r10 g4", "r6", "play g8 2 1", 1, 1, (14, 14)),
        ("mountain", "r10 g4", "r6", "play g8 2 1", 0, 0, (14, 14)),
        ("plains", "r10 g4", "r6", "play g8 2 1", 1, 1, (14, 14)),
        ("plains", "r10 g4", "r6", "play g8 2 1", 0, 0, (14, 14)),
        ("mountain", "r6", "r10 g4", "play g8 2 0", 1, 1, (14, 14)),
        ("plains", "r6", "r10 g4", "play g8 2 0", 1, 1, (14, 14)),
    ],
)
def test_who_wins(
    terrain: str, first: str, second: str, play: str, mover: int, winner: int, totals: tuple[int, int]
) -> None:
    event = scored(terrain, first, second, play, mover)
    assert event == TileScored(2, Terrain(terrain), winner, totals, cubes("rg"))


def test_the_winner_takes_the_cubes_and_the_cards_are_discarded() -> None:
    tiles = {2: "mountain rg | r10 g4 | r5", **OTHER_TILES}
    state = position(tiles, ("b1", "g8"), mover=1, won=("r", "r"), bag=BAG)
    before = state.discards
    state = act(state, "play g8 2 1")
    assert state.won == (cubes("rrg"), cubes("r"))
    assert set(state.discards) == {*before, *cards("r10 g4 r5 g8")}
    assert state.tiles[1].cards(0) == state.tiles[1].cards(1) == ()
    assert state.tiles[1].cubes == cubes("")


@pytest.mark.parametrize(("terrain", "after"), [("mountain", Terrain.PLAINS), ("plains", Terrain.MOUNTAIN)])
def test_the_tile_is_flipped_and_filled_again(terrain: str, after: Terrain) -> None:
    tiles = {2: f"{terrain} rg | r10 g4 | r5", **OTHER_TILES}
    state = act(position(tiles, ("b1", "g8"), mover=1, bag=BAG), "play g8 2 1")
    assert is_refill(state.need, 2)
    state = state.apply(CubesDrawn(2, cubes("yy")))
    assert news(state, TileRefilled) == [TileRefilled(2, after, cubes("yy"))]
    assert state.tiles[1].terrain is after
    assert state.tiles[1].cubes == cubes("yy")
    assert state.tiles[1].open(0) == state.tiles[1].open(1) == cubes("yy")
    assert state.bag == cubes("5r 3y 5g")


@pytest.mark.parametrize("bag", ["", "r"])
def test_a_tile_for_which_the_bag_holds_too_few_cubes_leaves_the_game(bag: str) -> None:
    state = position({2: "mountain rg | r10 g4 | r5", **OTHER_TILES}, ("r1", "g8"), mover=1, bag=bag)
    state = act(state, "play g8 2 1")
    assert state.news == (
        CardPlayed(1, cards("g8")[0], 2, 1),
        TileScored(2, Terrain.MOUNTAIN, 0, (14, 13), cubes("rg")),
        TileRemoved(2),
    )
    assert not state.tiles[1].in_play
    assert state.bag == cubes(bag), "no cubes are drawn; they stay for the smaller tiles"
    assert state.need == Deal((1,))
    state = go_on(state)
    assert not any(play.startswith("play r1 2") for play in map(str, state.legal_actions(0)))


def test_a_smaller_tile_is_filled_with_what_stayed() -> None:
    tiles = {1: "plains r | r1", 2: "mountain rg | r10 g4 | r5"}
    state = position(tiles, ("b1", "g8 r13"), mover=1, won=("", "2y 2e"), trophies=("g", "yb"), bag="y")
    state = go_on(act(state, "play g8 2 1"))
    assert state.need == Decide(1)
    state = act(state, "play r13 1 1")
    assert is_refill(state.need, 1)


def test_a_tile_is_filled_with_the_last_cubes() -> None:
    state = position({2: "mountain rg | r10 g4 | r5", **OTHER_TILES}, ("b1", "g8"), mover=1, bag="yg")
    state = act(state, "play g8 2 1").apply(CubesDrawn(2, cubes("yg")))
    assert state.bag == cubes("")
    assert state.tiles[1].in_play


@pytest.mark.parametrize(
    ("mover", "play", "following"),
    [
        (0, "play g8 2 1", 1),  # 14 to 13 on a mountain: seat 0 wins
        (1, "play g8 2 1", 1),  # the same, laid by the loser: on turn again
        (0, "play g10 2 1", 0),  # 14 to 15: seat 1 wins
        (1, "play g10 2 1", 0),
    ],
)
def test_the_loser_is_on_turn_after_the_one_who_laid_the_last_card_has_drawn(
    mover: int, play: str, following: int
) -> None:
    card = play.split()[1]
    hands = (f"{card} r1", "r2") if mover == 0 else ("r2", f"{card} r1")
    state = position({2: "mountain rg | r10 g4 | r5", **OTHER_TILES}, hands, mover=mover, bag=BAG)
    state = act(state, play).apply(CubesDrawn(2, cubes("yy")))
    assert state.need == Deal((mover,))
    assert state.mover == mover
    state = go_on(state)
    assert state.need == Decide(following)
    assert state.mover == following


def test_a_tile_with_one_full_side_is_not_scored() -> None:
    state = act(position({2: "mountain rg | r10", **OTHER_TILES}, ("g4 g6", "r1")), "play g4 2 0")
    assert news(state, TileScored) == []
    assert state.need == Deal((0,))
