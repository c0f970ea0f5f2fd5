"""Resigning, in every phase: the others go on."""

from __future__ import annotations

import random

import pytest

from bcnet.games.edel.actions import GemCardsDrawn
from bcnet.games.edel.events import ActionLapsed, MoneyTaken
from bcnet.games.edel.holdings import NOTHING
from bcnet.games.edel.material import ActionCard, EventCard
from bcnet.games.edel.state import EdelState, Phase
from bcnet.games.interface import Chance, Choose, Decide, Exhausted, Over, Resigned
from bcnet.games.simulate import walk
from tests.games.edel.positions import GAME, act, begun, choose, gems, held, scored, taking

FOUR = (held("2r"), held("3r"), held("4r"), held("5r"))


def test_what_the_seat_had_goes_back() -> None:
    state = begun(held("3r", 5, "vault"), *FOUR[1:])
    after = state.apply(Resigned((0,)))
    assert after.holdings[0] == NOTHING
    assert after.supply == (22 - 12, 22, 22, 22)
    assert EventCard.VAULT in after.discards
    assert after.need == Choose((1, 2, 3))


def test_fewer_gem_cards_are_dealt() -> None:
    state = EdelState.start(4).apply(Resigned((1,)))
    assert state.need == Chance("gem cards")
    dealt = state.apply(GemCardsDrawn((5, 6, 7)))
    assert dealt.gem_cards == (5, None, 6, 7)


def test_the_last_one_left_has_won() -> None:
    state = begun(*FOUR).apply(Resigned((0, 2)))
    assert state.need == Choose((1, 3))
    assert state.apply(Resigned((1,))).need == Over((3,), "resignation")
    assert state.apply(Resigned((1, 3))).need == Over((), "resignation")
    assert begun(*FOUR).apply(Resigned((0, 1, 2, 3))).need == Over((), "resignation")


def test_of_two_who_trade_the_other_performs() -> None:
    state = act(choose(begun(*FOUR), "money", "money", "gems", "event"), "offer red=1")
    assert state.need == Decide(1)
    left = state.apply(Resigned((0,)))
    assert MoneyTaken(1, 7) in left.news
    assert left.holdings[1].gems == gems("3r"), "the offer came to nothing"
    other = state.apply(Resigned((1,)))
    assert MoneyTaken(0, 7) in other.news
    both = state.apply(Resigned((0, 1)))
    assert both.need == Decide(3), "nobody takes the money, and the event is next"
    assert state.apply(Resigned((2,))).need == Decide(1), "the trade goes on"


def test_an_action_card_counts_no_more() -> None:
    """Three want gems, and while an event is chosen one of them leaves: two are left to trade."""
    state = choose(begun(*FOUR), "event", "gems", "gems", "gems")
    assert state.need == Decide(0)
    after = act(state.apply(Resigned((3,))), "event open")
    assert after.phase is Phase.TRADE
    assert after.need == Decide(1)


@pytest.mark.parametrize("event", ["jewel-box", "swap", "levy"])
def test_the_performer_leaves(event: str) -> None:
    state = taking(event, "r y", "r b", "r g")
    assert isinstance(state.need, Decide)
    after = state.apply(Resigned((1,)))
    assert after.need == Chance("gem cards"), "what was left to do lapses"
    assert after.performer is None


def test_a_seat_that_owes_a_levy_leaves() -> None:
    state = taking("levy", "y", "r b", "r g")
    assert state.need == Decide(2)
    assert state.apply(Resigned((2,))).need == Decide(3)
    assert state.apply(Resigned((2, 3))).need == Chance("gem cards"), "seat 0 has one colour and is not asked"


def test_the_only_partner_of_a_swap_leaves() -> None:
    state = taking("swap", "y g")
    assert state.need == Decide(1)
    left = state.apply(Resigned((0,)))
    assert ActionLapsed(ActionCard.EVENT, (1,)) in left.news
    assert left.need == Chance("gem cards")


def test_a_winner_leaves_before_giving_back() -> None:
    state = scored(held("3b", 0, "vault"), held("3b", 0, "vault"), held(""))
    assert state.need == Decide(0)
    after = state.apply(Resigned((0,)))
    assert after.need == Decide(1)
    assert act(after, "vault use").need == Chance("gem cards")


def test_who_resigned_cannot_win() -> None:
    state = begun(held("5r", 500), *FOUR[1:]).apply(Resigned((0,)))
    *_, (_, last) = walk(state, random.Random(1))
    assert isinstance(last.need, Over)
    assert 0 not in last.need.winners
    assert last.need.reason == "richest"


def test_without_randomness_the_game_is_drawn() -> None:
    assert GAME.initial(3, {}).apply(Exhausted()).need == Over((), "standstill")
