"""Advice: legal, from the seat's view alone, and with reasons that are true."""

from __future__ import annotations

import random

import pytest

from bcnet.games.balloon_cup.hints import (
    ChangesChance,
    EndsTile,
    Hint,
    KeepsCard,
    NothingFits,
    OnlyChoice,
    TakesTrophy,
    WinsGame,
    hint,
    in_words,
    reasons,
)
from bcnet.games.balloon_cup.judgement import Outlook
from bcnet.games.balloon_cup.material import Colour
from bcnet.games.balloon_cup.state import BalloonCupState
from bcnet.games.interface import Decide
from bcnet.games.search import Budget
from bcnet.games.simulate import walk
from tests.games.balloon_cup.positions import GAME, cards, cubes, position

A_LITTLE = Budget(iterations=60)


def advice(state: BalloonCupState, budget: Budget = A_LITTLE) -> Hint:
    need = state.need
    assert isinstance(need, Decide)
    return hint(state, need.seat, random.Random(1), budget)


def test_a_tile_that_ends_the_game() -> None:
    state = position(
        {1: "mountain r | | r5", 4: "plains yyyg"},
        ("r6 y1 y2 y3 y5 y6 g1 g2", "y7 y8"),
        won=("6r", "3b"),
        trophies=("be", ""),
    )
    found = advice(state)
    assert GAME.write(found.action) == "play r6 1 0"
    assert found.reasons[:3] == (
        WinsGame(),
        EndsTile(1, won=True, mine=6, theirs=5, cubes=cubes("r")),
        TakesTrophy(Colour.RED, mine=True),
    )
    assert in_words(found).startswith(
        "wins the game; wins tile 1 at 6 against 5 (1 red); takes the red trophy (about "
    )


def test_a_tile_that_cannot_be_held_is_given_up() -> None:
    state = position(
        {1: "mountain g | | g13", 4: "plains yyyb | y1 y2 y3 b1 | y11 y12 y13"}, ("g1", "g2"), won=("", "r")
    )
    found = advice(state)
    assert GAME.write(found.action) == "play g1 1 0"
    assert found.reasons == (
        EndsTile(1, won=False, mine=1, theirs=13, cubes=cubes("g")),
        OnlyChoice(),
    )
    assert in_words(found).startswith(
        "gives up tile 1 at 1 against 13 (1 green); there is nothing else to do"
    )


def test_a_chance_that_rises_and_a_card_that_is_kept() -> None:
    """Red 12 could be laid on either tile; low wins on tile 2, high on tile 1."""
    view = position({1: "mountain r", 2: "plains rr | | r9 r10", 4: "mountain yygg"}, ("r1 r12", "y5")).view(
        0
    )
    change, kept = reasons(view, 0, GAME.parse("play r1 2 0"))
    assert isinstance(change, ChangesChance)
    assert (change.tile, change.spoils) == (2, False)
    assert change.before == pytest.approx(Outlook(view, 0).chances[1])
    assert change.after > change.before
    assert kept == KeepsCard(cards("r12")[0], 1)
    text = in_words(Hint(GAME.parse("play r1 2 0"), (change, kept), 0.6, None, 0.0))
    assert text == (
        f"tile 2: your chance rises from {change.before:.0%} to {change.after:.0%}; "
        "keeps your red 12 for tile 1 (about 60% to win)"
    )


def test_a_card_that_spoils_the_other_side() -> None:
    view = position({2: "plains rr | r1 r2 | r9", 4: "mountain yygg"}, ("r13 y1", "y5")).view(0)
    (change,) = reasons(view, 0, GAME.parse("play r13 2 1"))
    assert change == EndsTile(2, won=True, mine=3, theirs=22, cubes=cubes("rr"))
    view = position({2: "plains rr | r1 | r9", 4: "mountain yygg"}, ("r13 y1", "y5")).view(0)
    (change,) = reasons(view, 0, GAME.parse("play r13 2 1"))
    assert isinstance(change, ChangesChance)
    assert change.spoils
    assert change.after > change.before


def test_a_third_trophy_of_the_other_is_no_win() -> None:
    view = position(
        {1: "mountain r | | r5", 4: "plains yyyg"}, ("r1 y1", "y7"), won=("3b", "6r"), trophies=("", "be")
    ).view(0)
    assert list(reasons(view, 0, GAME.parse("play r1 1 0"))) == [
        EndsTile(1, won=False, mine=1, theirs=5, cubes=cubes("r")),
        TakesTrophy(Colour.RED, mine=False),
    ]


def test_nothing_fits() -> None:
    state = position({1: "mountain r | | r5", 4: "plains yyyg"}, ("b1 b3 b13 e1 e7", "y7"), won=("6r", ""))
    found = advice(state, Budget(0))
    assert found.reasons == (NothingFits(4),)
    assert in_words(found).startswith("nothing in your hand fits; 4 new cards may (")


@pytest.mark.parametrize("seed", [8, 24])
def test_it_explains_every_decision_of_a_game(seed: int) -> None:
    """Legal, with a reason, one line; and where a chance is named, it is that of the tile played at."""
    normal = GAME.bots["normal"]
    state = GAME.initial(2, {})
    kinds = set()
    for _, after in walk(state, random.Random(seed), bots=(normal, normal)):
        if isinstance(state.need, Decide):
            assert isinstance(state, BalloonCupState)
            found = advice(state, Budget(3))
            assert found == advice(state.view(state.need.seat), Budget(3)), "it sees no more than the seat"
            assert found.action in state.legal_actions(state.need.seat)
            text = in_words(found)
            assert text.isascii()
            assert "\n" not in text
            assert len(text) < 160
            kinds |= {type(reason) for reason in found.reasons}
        state = after
    assert {EndsTile, ChangesChance, KeepsCard} <= kinds


def test_who_has_nothing_to_decide_gets_no_hint() -> None:
    state = position({1: "mountain r", 4: "plains yyyg"}, ("r1", "r2"))
    with pytest.raises(ValueError, match="nothing to decide"):
        hint(state, 1, random.Random(1), A_LITTLE)
