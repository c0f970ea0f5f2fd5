"""What holds at every position of every game, however it is played."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bcnet.games.balloon_cup.actions import Decline, Exchange
from bcnet.games.balloon_cup.material import ALL_CARDS, ALL_CUBES, NO_CUBES, SEATS, add, card_set
from bcnet.games.balloon_cup.state import BalloonCupState, Phase
from bcnet.games.interface import Action, Chance, Deal, Dealt, Decide, Over, Shuffle, Shuffled
from tests.games.balloon_cup.positions import GAME

Policy = Callable[[Sequence[Action], random.Random], Action]


def run(fill: str, rng: random.Random, policy: Policy, most_steps: int = 3000) -> list[BalloonCupState]:
    """All positions of a game."""
    state = BalloonCupState.start(GAME.initial(2, {"fill": fill}).fill)  # type: ignore[attr-defined]
    states = [state]
    while not isinstance(need := state.need, Over):
        match need:
            case Chance():
                state = state.apply(state.sample(rng.randrange))
            case Shuffle(cards):
                state = state.apply(Shuffled(tuple(rng.sample(cards, len(cards)))))
            case Deal(seats):
                state = state.apply(Dealt((None,) * len(seats)))
            case Decide(seat):
                state = state.apply(policy(state.legal_actions(seat), rng))
            case _:
                raise AssertionError(need)
        states.append(state)
        assert len(states) < most_steps, "the game does not end"
    return states


def check_position(state: BalloonCupState) -> None:
    """Every cube and every card is in one place, and the sizes are right."""
    cubes = add(add(state.bag, state.box), add(*state.won))
    for tile in state.tiles:
        cubes = add(cubes, tile.cubes)
        assert all(places >= 0 for side in range(SEATS) for places in tile.open(side))
        if not tile.in_play:
            assert tile.cubes == NO_CUBES
            assert tile.laid == (0, 0)
    assert cubes == ALL_CUBES

    if state.phase not in (Phase.SHUFFLE, Phase.OVER):
        assert state.cards.pile_order is not None
        places = [tile.laid[side] for tile in state.tiles for side in range(SEATS)]
        places += [state.cards.discards, card_set(state.cards.pile_order)]
        places += [card_set(hand.known) for hand in state.cards.hands]
        assert sum(place.bit_count() for place in places) == 45
        assert card_set(card for card in range(45) if any(place >> card & 1 for place in places)) == ALL_CARDS
    if state.phase in (Phase.TURN, Phase.STUCK):
        assert [state.hand(seat).size for seat in range(SEATS)] == [8, 8]
        assert state.pile_size + len(state.discards) >= 13 - 4 * (state.phase is Phase.STUCK)
        assert all(not tile.full for tile in state.tiles if tile.in_play)
    for seat in range(SEATS):
        assert len(state.trophies(seat)) < 3 or state.result == Over((seat,), "third-trophy")


def anything(actions: Sequence[Action], rng: random.Random) -> Action:
    return rng.choice(actions)


def first(actions: Sequence[Action], _: random.Random) -> Action:
    return actions[0]


def last(actions: Sequence[Action], _: random.Random) -> Action:
    return actions[-1]


def idle(actions: Sequence[Action], rng: random.Random) -> Action:
    """Exchange nothing, claim nothing."""
    return next((a for a in actions if a in (Exchange(()), Decline())), rng.choice(actions))


def busy(actions: Sequence[Action], rng: random.Random) -> Action:
    """Exchange one card again and again."""
    return next((a for a in actions if isinstance(a, Exchange) and len(a.cards) == 1), rng.choice(actions))


@given(st.sampled_from(GAME.options["fill"]), st.integers(0, 2**64))
@settings(max_examples=25)
def test_nothing_is_lost_and_every_game_ends(fill: str, seed: int) -> None:
    for state in run(fill, random.Random(seed), anything):
        check_position(state)


@pytest.mark.parametrize("policy", [first, last, idle, busy])
@pytest.mark.parametrize("fill", GAME.options["fill"])
def test_stubborn_players_come_to_an_end_too(fill: str, policy: Policy) -> None:
    for seed in range(3):
        for state in run(fill, random.Random(seed), policy):
            check_position(state)


def test_a_state_is_never_changed() -> None:
    """Playing on from a position leaves it as it was."""
    states = run("designer", random.Random(12), anything)
    saved = [GAME.save(state) for state in states]
    for state in states[:-1]:
        if isinstance(state.need, Decide):
            for action in state.legal_actions(state.need.seat):
                state.apply(action)
    assert [GAME.save(state) for state in states] == saved
