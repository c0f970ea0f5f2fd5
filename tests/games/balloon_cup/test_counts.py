"""Exhaustive counts, in the manner of perft: how many lines of play there are from a position, to some depth.

The numbers were counted twice: with the game's legal actions, and with the referee's, which know nothing of each other.
"""

from __future__ import annotations

import pytest

from bcnet.games.balloon_cup.actions import CubesDrawn
from bcnet.games.balloon_cup.state import BalloonCupState, Phase
from bcnet.games.interface import Chance, Deal, Dealt, Decide, Over, Shuffle, Shuffled, State
from tests.games.balloon_cup import referee
from tests.games.balloon_cup.positions import GAME, position

OPENING = position(
    {1: "plains r", 2: "mountain ry", 3: "plains gbe", 4: "mountain rrgb"},
    ("r1 r5 r9 y3 y8 g2 b7 e10", "r2 r8 r13 y1 y12 g6 b5 e4"),
)
LATE = position(
    {1: "mountain b | b1", 2: "plains re | r13 | r6 e1", 4: "mountain ggyy | g1 y1 y2 | g2 g4 y3 y5"},
    ("b13 e13 g13 y13 r1 r2 r3 r4", "b3 b5 g6 g7 y6 y7 r5 r7"),
    won=("5r 2b 2e", "5y 3g"),
    trophies=("y", ""),
    mover=1,
    bag="rr",
    pile="e4 e7 e10",
)
STUCK = position(
    {2: "mountain rr | r1 r2", 1: "plains e | e1"},
    ("y1 y2 y3 y5 y6 y7 y8 y9", "b1 b3 b5 b7 b9 b11 b13 g1"),
    pile="r13 g2",
)


def settle(state: State) -> State:
    """Answer everything but decisions: the first cubes in the bag, the cards as they lie, discards ascending."""
    while not isinstance(need := state.need, Decide | Over):
        match need:
            case Chance():
                outcome = state.sample(lambda _: 0)
                assert isinstance(outcome, CubesDrawn)
                state = state.apply(outcome)
            case Deal(seats):
                state = state.apply(Dealt((None,) * len(seats)))
            case Shuffle(cards):
                state = state.apply(Shuffled(cards))
            case _:
                raise AssertionError(need)
    return state


def count(state: State, depth: int) -> int:
    """The lines of play of so many decisions; a game that ends earlier is one line."""
    state = settle(state)
    if depth == 0 or isinstance(state.need, Over):
        return 1
    assert isinstance(state.need, Decide)
    return sum(count(state.apply(action), depth - 1) for action in state.legal_actions(state.need.seat))


def count_plainly(state: State, depth: int) -> int:
    """The same with the referee's legal actions."""
    state = settle(state)
    assert isinstance(state, BalloonCupState)
    if depth == 0 or isinstance(state.need, Over):
        return 1
    assert isinstance(state.need, Decide)
    assert state.mover is not None
    if state.phase is not Phase.TURN:  # claims, and plays after an exchange: the referee has no list of these
        choices = state.legal_actions(state.need.seat)
        return sum(count_plainly(state.apply(action), depth - 1) for action in choices)
    texts = referee.from_saved(GAME.save(state)).legal(state.mover)
    return sum(count_plainly(state.apply(GAME.parse(text)), depth - 1) for text in texts)


COUNTS = [
    ("opening", OPENING, (1, 32, 970)),
    ("late", LATE, (1, 4, 24, 116, 528)),
    ("stuck", STUCK, (1, 163, 521)),
]


@pytest.mark.parametrize(("name", "state", "counts"), COUNTS)
def test_counts(name: str, state: BalloonCupState, counts: tuple[int, ...]) -> None:
    assert tuple(count(state, depth) for depth in range(len(counts))) == counts


@pytest.mark.parametrize(("name", "state", "counts"), COUNTS)
def test_counts_by_the_referee(name: str, state: BalloonCupState, counts: tuple[int, ...]) -> None:
    assert tuple(count_plainly(state, depth) for depth in range(len(counts))) == counts


if __name__ == "__main__":
    for name, state, _ in COUNTS:
        for depth in range(6 if name == "late" else 3):
            print(name, depth, count(state, depth), flush=True)  # noqa: T201
