"""What holds at every position of every game, however it is played: nothing is lost, and every sum can be made anew."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bcnet.games import play
from bcnet.games.edel.events import (
    CertificatesScored,
    ColourScored,
    GemGiven,
    GemsReturned,
    GemsSwapped,
    GemsTaken,
    MoneyTaken,
    OfferAccepted,
    RoundBegun,
)
from bcnet.games.edel.holdings import NOTHING
from bcnet.games.edel.material import ALL_GEMS, COLOURS, EVENT_CARDS, FIRST_GEMS, ROUNDS, in_order
from bcnet.games.edel.state import EdelState
from bcnet.games.interface import Over, Resigned
from bcnet.games.simulate import walk
from tests.games.edel.positions import GAME

GREEDY = GAME.bots["greedy"]


def check_material(state: EdelState) -> None:
    """88 gems and 39 event cards, each in one place; nobody has less than nothing."""
    supply = state.supply
    for colour in COLOURS:
        owned = [holding.gems[colour] for holding in state.holdings]
        assert min(*owned, supply[colour]) >= 0
        assert sum(owned) + supply[colour] == ALL_GEMS[colour]
    cards = [card for holding in state.holdings for card in holding.cards]
    cards += [*state.deck, *state.discards, *([state.open_event] if state.open_event else [])]
    assert in_order(cards) == EVENT_CARDS
    assert all(holding.money >= 0 for holding in state.holdings)
    dealt = [card for card in state.gem_cards if card is not None]
    assert len({*dealt, *state.gem_pile}) == len(dealt) + len(state.gem_pile)


@given(st.sampled_from(GAME.seats), st.booleans(), st.integers(0, 2**64))
@settings(max_examples=12, deadline=None)
def test_nothing_is_lost_and_every_game_ends(seats: int, clever: bool, seed: int) -> None:
    bots = (GREEDY,) * seats if clever else ()
    states = [state for _, state in walk(GAME.initial(seats, {}), random.Random(seed), bots=bots)]
    for state in states:
        assert isinstance(state, EdelState)
        check_material(state)
    last = states[-1]
    assert isinstance(last, EdelState)
    assert isinstance(last.need, Over)
    best = max(holding.rank for holding in last.holdings)
    assert last.need == Over(
        tuple(seat for seat in range(seats) if last.holdings[seat].rank == best), "richest"
    )


@given(st.sampled_from(GAME.seats), st.integers(0, 2**64))
@settings(max_examples=10, deadline=None)
def test_money_and_gems_are_those_of_the_events(seats: int, seed: int) -> None:
    """Counted anew from what was told."""
    played = play(GAME, random.Random(seed), seats=seats, bots=(GREEDY,) * seats)
    assert isinstance(played.last, EdelState)
    money: Counter[int] = Counter()
    gems = {seat: Counter(dict(zip(COLOURS, FIRST_GEMS, strict=True))) for seat in range(seats)}
    rounds = 0
    for event in played.events:
        match event:
            case MoneyTaken(seat, amount):
                money[seat] += amount
            case ColourScored(_, payouts) | CertificatesScored(payouts):
                for seat, amount in payouts:
                    money[seat] += amount
            case GemsTaken(seat, taken):
                gems[seat].update(dict(zip(COLOURS, taken, strict=True)))
            case OfferAccepted(seat, by, offered):
                gems[seat].update(dict(zip(COLOURS, offered, strict=True)))
                gems[by].subtract(dict(zip(COLOURS, offered, strict=True)))
            case GemsSwapped(seat, gave, other, took):
                gems[seat].update({took: 1})
                gems[other].subtract({took: 1})
                gems[other].update({gave: 1})
                gems[seat].subtract({gave: 1})
            case GemGiven(seat, to, colour):
                gems[seat].subtract({colour: 1})
                gems[to].update({colour: 1})
            case GemsReturned(seat, colour, count):
                gems[seat].subtract({colour: count})
            case RoundBegun():
                rounds += 1
            case _:
                pass
    assert rounds == 3 * ROUNDS[seats]
    for seat, holding in enumerate(played.last.holdings):
        assert holding.money == money[seat]
        assert holding.gems == tuple(gems[seat][colour] for colour in COLOURS)


@given(st.sampled_from(GAME.seats), st.integers(0, 2**64))
@settings(max_examples=12, deadline=None)
def test_nothing_is_lost_when_somebody_leaves(seats: int, seed: int) -> None:
    """Gems go back to the supply and event cards to the discards, whatever was going on."""
    rng = random.Random(seed)
    before = [state for _, state in walk(GAME.initial(seats, {}), rng) if not isinstance(state.need, Over)]
    gone = rng.randrange(seats)
    left = rng.choice(before).apply(Resigned((gone,)))
    for state in (left, *(state for _, state in walk(left, rng))):
        assert isinstance(state, EdelState)
        check_material(state)
        assert state.holdings[gone] == NOTHING
        assert gone not in state.present


@pytest.mark.parametrize("seats", GAME.seats)
def test_the_greedy_bot_beats_chance(seats: int) -> None:
    for seed in range(4):
        ours = seed % seats
        bots = [GREEDY if seat == ours else None for seat in range(seats)]
        assert play(GAME, random.Random(seed), seats=seats, bots=bots).over.winners == (ours,)
