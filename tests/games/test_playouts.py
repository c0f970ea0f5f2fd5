"""The player that plays on in its mind: finds what wins, keeps to its steps, repeats with a seed, fits the games."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from bcnet.games import get
from bcnet.games.edel.actions import Offer
from bcnet.games.interface import Action, Seat, State, deciding
from bcnet.games.playouts import Plan, playing_on
from bcnet.games.simulate import walk
from tests.adding.eleven import GAME as ELEVEN
from tests.adding.eleven import Draw, ElevenState, Stop, choose_soberly
from tests.games.edel import positions as edel
from tests.games.stones import positions as stones


def plan(
    *,
    steps: int = 400,
    playouts: int = 16,
    candidates: Sequence[Action] = (Draw(), Stop()),
    until: int = 1000,
) -> Plan:
    """For Eleven: whether one wins. A playout ends after so many stops and draws at the latest."""

    def won(state: State, seat: Seat) -> float:
        assert isinstance(state, ElevenState)
        return float(state.result is not None and seat in state.result.winners)

    def ends(first: State, now: State) -> bool:
        assert isinstance(first, ElevenState)
        assert isinstance(now, ElevenState)
        return sum(now.sums) - sum(first.sums) >= until

    return Plan(lambda _state, _seat: candidates, choose_soberly, ends, won, steps, playouts)


def at(*sums: int, drawing: tuple[Seat, ...] = (0,)) -> ElevenState:
    """Seat 0 is on turn; those who do not draw any more have stopped."""
    start = ELEVEN.initial(len(sums), {})
    assert isinstance(start, ElevenState)
    return replace(start, sums=sums, drawing=drawing)


@pytest.mark.parametrize(
    ("state", "right"),
    [
        (at(11, 10), Stop()),  # drawing loses for certain
        (at(8, 10), Draw()),  # stopping does; the simple player would stop
        (at(9, 3, 10), Draw()),
        (at(9, 8, drawing=(0, 1)), Stop()),  # the other stops at 8
        (at(5, 5, drawing=(0, 1)), Draw()),
    ],
    ids=lambda value: (
        "-".join(map(str, value.sums)) if isinstance(value, ElevenState) else type(value).__name__
    ),
)
def test_it_finds_what_wins(state: ElevenState, right: Action) -> None:
    bot = playing_on(plan(steps=4000, playouts=200))
    assert {bot(state, 0, random.Random(seed)) for seed in range(3)} == {right}


def test_the_same_seed_finds_the_same_action() -> None:
    bot = playing_on(plan(playouts=2))
    doubtful = at(7, 7, 7, drawing=(0, 1, 2))
    found = [bot(doubtful, 0, random.Random(seed)) for seed in range(20)]
    assert found == [bot(doubtful, 0, random.Random(seed)) for seed in range(20)]
    assert len(set(found)) == 2, "with few playouts it is a matter of luck"


def counted(some: Plan) -> tuple[Plan, Counter[str]]:
    """The same plan, and how often it is asked."""
    count: Counter[str] = Counter()

    def quick(state: State, seat: Seat, rng: random.Random) -> Action:
        count["quick"] += 1
        return some.quick(state, seat, rng)

    def worth(state: State, seat: Seat) -> float:
        count["worth"] += 1
        return some.worth(state, seat)

    return replace(some, quick=quick, worth=worth), count


def test_it_keeps_to_its_steps_and_its_playouts() -> None:
    start = at(0, 0, drawing=(0, 1))
    by_playouts, count = counted(plan(steps=10**6, playouts=7))
    playing_on(by_playouts)(start, 0, random.Random(1))
    assert count["worth"] == 2 * 7
    by_steps, count = counted(plan(steps=60, playouts=10**6))
    playing_on(by_steps)(start, 0, random.Random(1))
    longest = 2 * 11 + 2  # a draw is a decision and a number; nobody draws more than eleven times
    assert 60 / longest <= count["worth"] <= 2 * 60
    assert count["quick"] <= 60 + 2 * 2 * longest


def test_a_playout_goes_no_further_than_it_shall() -> None:
    short, count = counted(plan(until=0, playouts=5))
    playing_on(short)(at(0, 0, drawing=(0, 1)), 0, random.Random(1))
    assert count == {"worth": 2 * 5}, "each ends with the action itself"


@pytest.mark.parametrize("candidates", [(), (Draw(),)])
def test_nothing_is_played_out_where_nothing_is_to_be_chosen(candidates: tuple[Action, ...]) -> None:
    some, count = counted(plan(candidates=candidates))
    assert playing_on(some)(at(0, 0, drawing=(0, 1)), 0, random.Random(1)) == Draw()
    assert count == ({} if candidates else {"quick": 1})


# --- the hard players of the games that lie open ---


@pytest.mark.parametrize(
    ("name", "seats", "options"),
    [
        ("stones", 2, {"penalties": "on"}),
        ("stones", 4, {"penalties": "off"}),
        ("edel", 3, {}),
        ("edel", 5, {}),
    ],
)
def test_a_hard_player_chooses_what_is_legal_whatever_it_is_asked(
    name: str, seats: int, options: dict[str, str]
) -> None:
    game = get(name)
    asked: Counter[str] = Counter()
    for _, state in walk(game.initial(seats, options), random.Random(4)):
        for seat in deciding(state.need):
            kind = str(game.save(state)["phase"])
            asked[kind] += 1
            if asked[kind] > 2:
                continue
            action = game.bots["hard"](state.view(seat), seat, random.Random(7))
            assert action in state.legal_actions(seat)
            assert action == game.bots["hard"](state.view(seat), seat, random.Random(7))
    assert asked


def test_a_hard_player_of_stones_keeps_a_stone_for_a_better_place() -> None:
    """Both its stones are its last of their colours, and the other has none: it finds the best way to lay them."""
    state = stones.left(stones.field("b.", "wg"), "rw", "")
    for seed in range(3):
        first = stones.GAME.bots["hard"](state, 0, random.Random(seed))
        after = state.apply(first)
        second = stones.GAME.bots["hard"](after, 0, random.Random(seed))
        points = after.apply(second).points[0]
        best = max(
            state.apply(one).apply(two).points[0]
            for one in state.legal_actions(0)
            for two in state.apply(one).legal_actions(0)
        )
        assert points == best


def test_a_hard_player_of_edel_does_not_sell_its_money_for_gems_that_win_nothing() -> None:
    """In the last round somebody has most of every colour: a gem more is worth nothing to anybody else."""
    holdings = [edel.held("3r 3b"), edel.held("2r 3b"), edel.held("10r 10y 10g 10b")]
    state = edel.choose(edel.last_round(*holdings, passing=3), "money", "money", "event")
    offered = edel.act(state, "offer blue=1")
    assert deciding(offered.need) == (0,)
    for seed in range(3):
        assert isinstance(edel.GAME.bots["hard"](offered, 0, random.Random(seed)), Offer)
