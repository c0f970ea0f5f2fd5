"""docs/games.md, Drawn games and Resigning."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bcnet.errors import IllegalStep
from bcnet.games.balloon_cup.board import Board
from bcnet.games.balloon_cup.endings import drawn_because, play_left, third_trophy_left
from bcnet.games.balloon_cup.events import GameEnded, PlayerResigned
from bcnet.games.balloon_cup.material import ALL_CUBES, CARDS_OF, COLOURS, NO_CUBES, Terrain, add, cards_in
from bcnet.games.balloon_cup.state import BalloonCupState, Phase
from bcnet.games.balloon_cup.tiles import Tile, blocked_tiles
from bcnet.games.balloon_cup.trophies import can_reach_third
from bcnet.games.interface import Decide, Exhausted, Over, Resigned
from bcnet.games.simulate import walk
from tests.games.balloon_cup.positions import GAME, act, cubes, go_on, position

# --- no-play-left ---


def test_r1_grey_split() -> None:
    """Two tiles with two grey cubes each hold three and two grey cards, nothing else can be played anywhere."""
    state = position(
        {2: "mountain ee | e1 e4 | e7", 4: "plains eerr | e10 e13 r1 r2 | r3 r4"},
        bag="9y",
        won=("7g 7b", "7r"),
    )
    assert not play_left(state.board)
    assert drawn_because(state.board, 0) == "no-play-left"


def test_one_card_elsewhere_is_enough_to_go_on() -> None:
    state = position({2: "mountain ee | e1 e4 | e7", 4: "plains eerr | e10 r1 r2 | r3 r4"}, bag="9y")
    assert play_left(state.board), "grey 13 may be in a hand or in the pile"


def test_hands_do_not_count() -> None:
    """The one card that could be played is in a hand, on the discard pile or in the pile: the same."""
    tiles = {2: "mountain ee | e1 e4 | e7", 4: "plains eerr | e10 r1 r2 | r3 r4"}
    for state in (
        position(tiles, ("e13", "")),
        position(tiles, ("", "e13")),
        position(tiles, discards="e13"),
        position(tiles),
    ):
        assert play_left(state.board)


def test_the_draw_is_found_at_the_start_of_a_turn_after_the_draw() -> None:
    state = position(
        {2: "mountain ee | e1 e4 | e7", 4: "plains eerr | e10 r1 r2 | r3 r4"}, ("e13 y1", "y2"), bag="9y"
    )
    state = act(state, "play e13 4 0")
    assert not isinstance(state.need, Over)
    state = go_on(state)
    assert state.need == Over((), "no-play-left")
    assert state.news[-1] == GameEnded(None, "no-play-left")
    assert state.hand(0).size == 2, "the draw came first"


def test_without_tiles_there_is_no_play_left() -> None:
    assert drawn_because(position({}, bag="").board, 0) == "no-play-left"


# --- no-third-trophy ---


def blocked(state: BalloonCupState) -> tuple[int, ...]:
    return state.blocked


def test_a_tile_that_lacks_cards_is_blocked() -> None:
    """Tile 2 takes four grey cards, but two lie at tile 3, which cannot be filled either."""
    state = position({2: "mountain ee", 3: "plains eer | e1 | e4"})
    assert blocked(state) == ()
    state = position({2: "mountain ee | e1", 3: "plains eee | e4 e7 | e10"})
    assert blocked(state) == (2, 3)


def test_cards_on_a_tile_that_can_be_filled_come_back() -> None:
    """Tile 3 can be filled with what is elsewhere, and then its cards are free for tile 2."""
    state = position({2: "mountain ee", 3: "plains eer | e1 e4 | e7"})
    # three grey cards lie at tile 3, two are elsewhere: enough for its one open place, not for tile 2's four
    assert blocked(state) == ()
    state = position({2: "mountain ee", 3: "plains eey | e1 e4 | e7", 4: "plains yrrr"})
    assert blocked(state) == ()


def test_a_blocked_tile_does_not_block_one_that_shares_no_colour() -> None:
    state = position({1: "plains y", 2: "mountain ee | e1", 3: "plains eee | e4 e7 | e10"})
    assert blocked(state) == (2, 3)


@pytest.mark.parametrize(
    ("won", "trophies", "tiles", "bag", "possible"),
    [
        # own cubes and those that can be won
        (("6r", ""), ("yg", "be"), {1: "plains r"}, "", True),
        (("5r", ""), ("yg", "be"), {1: "plains r"}, "", False),
        (("5r", ""), ("yg", "be"), {1: "plains r"}, "r", True),
        # either player is enough
        (("", "6r"), ("yg", "be"), {1: "plains r"}, "", True),
        # three for one: with the cube on the tile there are three yellow ones for the seventh red one
        (("6r 2y", ""), ("yg", "be"), {1: "plains y"}, "", True),
        (("6r 1y", ""), ("yg", "be"), {1: "plains y"}, "", False),
        (("6r 3y", ""), ("yg", "be"), {1: "plains b"}, "", True),
        # two trophies wanted, one colour free each
        (("7r 3e", ""), ("y", "bg"), {1: "plains y"}, "", True),
        (("7r 2e", ""), ("y", "bg"), {1: "plains y"}, "", False),
        (("7r 2e 2y", ""), ("y", "bg"), {1: "plains y"}, "", True),
        # not enough free trophies
        (("7r 6y", ""), ("", "gbe"[:2]), {1: "plains e"}, "", False),
    ],
)
def test_whether_a_third_trophy_is_in_reach(
    won: tuple[str, str], trophies: tuple[str, str], tiles: dict[int, str], bag: str, possible: bool
) -> None:
    state = position(tiles, won=won, trophies=trophies, bag=bag)
    assert third_trophy_left(state.board) is possible
    assert drawn_because(state.board, 0) == (None if possible else "no-third-trophy")


def test_what_is_left_of_a_trophy_taken_on_the_way_gives_triples() -> None:
    """Thirteen red cubes pay the red trophy and two missing green ones."""
    yellow_taken = (None, 0, None, None, None)
    assert can_reach_third(1, cubes("13r 3g"), yellow_taken)
    assert not can_reach_third(1, cubes("12r 3g"), yellow_taken)
    assert not can_reach_third(1, cubes("13r 2g"), yellow_taken)


def test_cubes_on_blocked_tiles_cannot_be_won() -> None:
    tiles = {1: "plains y", 2: "mountain ee | e1", 4: "plains eeer | e4 e7 | e10"}
    state = position(tiles, won=("6r", ""), trophies=("yg", "be"), bag="")
    assert blocked(state) == (2, 4)
    assert not third_trophy_left(state.board), "the seventh red cube lies on a blocked tile"
    state = position({**tiles, 1: "plains r"}, won=("6r", ""), trophies=("yg", "be"), bag="")
    assert third_trophy_left(state.board)


def test_the_bag_counts_while_an_unblocked_tile_is_in_the_game() -> None:
    tiles = {2: "mountain ee | e1", 4: "plains eeey | e4 e7 | e10"}
    state = position({**tiles, 1: "plains y"}, won=("6r", ""), trophies=("yg", "be"), bag="r")
    assert blocked(state) == (2, 4)
    assert third_trophy_left(state.board)


def test_if_all_tiles_are_blocked_the_game_is_drawn_whatever_the_players_own() -> None:
    """Without another scoring nobody is asked for claims, even if three for one would do."""
    tiles = {2: "mountain ee | e1", 4: "plains eeey | e4 e7 | e10"}
    state = position(tiles, won=("6r 3y", ""), trophies=("yg", "b"), bag="y")
    assert blocked(state) == (2, 4)
    assert play_left(state.board), "yellow cards can still be laid at tile 4"
    assert drawn_because(state.board, 0) == "no-third-trophy"


def test_the_order_of_the_reasons() -> None:
    state = position({1: "plains r"}, won=("5r", ""), trophies=("yg", "be"), bag="")
    assert drawn_because(state.board, 4) == "no-third-trophy", "before standstill"
    state = position({2: "mountain ee | e1 e4 | e7", 4: "plains eerr | e10 e13 r1 r2 | r3 r4"}, bag="")
    assert not third_trophy_left(state.board)
    assert drawn_because(state.board, 4) == "no-play-left", "before both others"


def brute_force_blocked(tiles: tuple[Tile, ...]) -> tuple[int, ...]:
    """Try all sets of tiles, as the words of docs/games.md say."""

    def as_the_words_say(chosen: tuple[Tile, ...]) -> bool:
        lying = {card for tile in chosen for side in (0, 1) for card in tile.cards(side)}
        return all(
            any(
                tile.open(0)[colour] + tile.open(1)[colour] > len(set(cards_in(CARDS_OF[colour])) - lying)
                for colour in COLOURS
            )
            for tile in chosen
        )

    in_play = [tile for tile in tiles if tile.in_play]
    sets = [
        c for count in range(len(in_play) + 1) for c in combinations(in_play, count) if as_the_words_say(c)
    ]
    return tuple(tile.number for tile in max(sets, key=len))


@st.composite
def boards(draw: st.DrawFn) -> tuple[Tile, ...]:
    """Four tiles with many cubes of few colours, and cards that fit on them."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    colours = rng.sample(COLOURS, rng.choice((1, 2, 2, 3, 5)))
    free = {colour: list(cards_in(CARDS_OF[colour])) for colour in COLOURS}
    tiles = []
    for number in (1, 2, 3, 4):
        on_tile = [0, 0, 0, 0, 0]
        for _ in range(number):
            on_tile[rng.choice(colours)] += 1
        sides = [0, 0]
        for side in (0, 1):
            for colour in COLOURS:
                for _ in range(rng.randint(0, on_tile[colour])):
                    if free[colour]:
                        sides[side] |= 1 << free[colour].pop()
        red, yellow, green, blue, grey = on_tile
        tiles.append(
            Tile(
                number,
                Terrain.PLAINS,
                (red, yellow, green, blue, grey),
                (sides[0], sides[1]),
                rng.random() < 0.9,
            )
        )
    return tuple(tiles)


@given(boards())
def test_blocked_tiles_are_those_that_trying_all_sets_finds(tiles: tuple[Tile, ...]) -> None:
    assert tuple(tile.number for tile in blocked_tiles(tiles)) == brute_force_blocked(tiles)
    board = Board.of(tiles, NO_CUBES, NO_CUBES, (NO_CUBES, NO_CUBES), (None,) * 5)
    if brute_force_blocked(tiles):
        assert board.scarce


def claims_reach_third(trophies: int, own: list[int], owners: list[int | None]) -> bool:
    """Try every order of claiming and every choice of triples."""
    if trophies == 3:
        return True
    prices = (7, 6, 5, 4, 3)
    for trophy in range(5):
        if owners[trophy] is not None:
            continue
        used = min(own[trophy], prices[trophy])
        sources = [c for c in range(5) if owners[c] is not None for _ in range(own[c] // 3)]
        for triples in set(combinations(sources, prices[trophy] - used)):
            left = list(own)
            left[trophy] -= used
            for colour in triples:
                left[colour] -= 3
            taken = [*owners[:trophy], 0, *owners[trophy + 1 :]]
            if claims_reach_third(trophies + 1, left, taken):
                return True
    return False


@given(
    st.tuples(*(st.integers(0, most) for most in ALL_CUBES)),
    st.lists(st.sampled_from([None, None, 0, 1]), min_size=5, max_size=5),
)
def test_a_third_trophy_is_in_reach_if_some_order_of_claims_gets_there(
    own: tuple[int, int, int, int, int], owners: list[int | None]
) -> None:
    trophies = owners.count(0)
    if trophies >= 3 or owners.count(1) >= 3:
        return
    assert can_reach_third(trophies, own, tuple(owners)) == claims_reach_third(trophies, list(own), owners)


@pytest.mark.parametrize("seed", range(10))
def test_what_the_board_keeps_is_what_follows_from_it(seed: int) -> None:
    """``room`` and the others are updated step by step and equal what is counted anew."""
    for _, state in walk(GAME.initial(2, {"fill": "blind"}), random.Random(seed)):
        assert isinstance(state, BalloonCupState)
        board = state.board
        assert board == Board.of(board.tiles, board.bag, board.box, board.won, board.owners)


# --- standstill ---

STUCK = "y1 y2 y3 y5 y6 y7 y8 y9"
OTHER = "b1 b3 b5 b7 b9 b11 b13 g1"


def nothing_fits() -> BalloonCupState:
    return position({2: "mountain rr | r1", 1: "plains e"}, (STUCK, OTHER), pile="r13 r12 g2 g4 g6 g7 g8 g10")


def test_four_passes_in_a_row_after_exchanging_nothing() -> None:
    state = act(nothing_fits(), "exchange", "exchange", "exchange")
    assert state.need == Decide(1)
    state = act(state, "exchange")
    assert state.need == Over((), "standstill")
    assert state.news[-1] == GameEnded(None, "standstill")


def test_an_exchange_of_something_begins_the_count_anew() -> None:
    state = position(
        {2: "mountain rr | r1", 1: "plains e"}, (OTHER, STUCK), mover=1, pile="g2 g4 g6 g7 g8 g10", idle=3
    )
    state = act(go_on(act(state, "exchange y1")), "pass")
    assert state.need == Decide(0)
    state = act(state, "exchange", "exchange", "exchange")
    assert state.need == Decide(1)
    assert act(state, "exchange").need == Over((), "standstill")


def test_a_play_begins_the_count_anew() -> None:
    state = position({2: "mountain rr | r1", 1: "plains e"}, ("r2 r5", OTHER), idle=3)
    state = go_on(act(state, "play r2 2 1"))
    assert state.turn.idle == 0


def test_a_play_after_an_exchange_begins_the_count_anew() -> None:
    state = position({2: "mountain rr | r1", 1: "plains e"}, (STUCK, OTHER), pile="r13 g2 g4", idle=3)
    state = go_on(act(go_on(act(state, "exchange y1")), "play r13 2 0"))
    assert state.need == Decide(1)
    assert state.turn.idle == 0


# --- resigning, exhausted ---


@pytest.mark.parametrize("seat", [0, 1])
def test_who_resigns_loses_at_any_time(seat: int) -> None:
    states = [GAME.initial(2, {})]
    states += [state for _, state in walk(states[0], random.Random(9))]
    for state in states[:-1]:
        after = state.apply(Resigned((seat,)))
        assert after.need == Over((1 - seat,), "resignation")
        assert after.news == (PlayerResigned(seat), GameEnded(1 - seat, "resignation"))
    with pytest.raises(IllegalStep):
        states[-1].apply(Resigned((seat,)))


def test_both_in_one_round_is_a_draw() -> None:
    after = nothing_fits().apply(Resigned((0, 1)))
    assert after.need == Over((), "resignation")
    assert after.news == (PlayerResigned(0), PlayerResigned(1), GameEnded(None, "resignation"))


def test_without_randomness_the_game_is_drawn() -> None:
    after = nothing_fits().apply(Exhausted())
    assert after.need == Over((), "standstill")
    assert after.news == (GameEnded(None, "standstill"),)


def test_a_position_that_is_over_keeps_its_board() -> None:
    state = nothing_fits()
    after = state.apply(Resigned((0,)))
    assert after.phase is Phase.OVER
    assert after.board == state.board
    assert after.hand(0) == state.hand(0)


def test_cubes_add_up() -> None:
    assert add(cubes("rr e"), cubes("r y")) == cubes("3r y e")
