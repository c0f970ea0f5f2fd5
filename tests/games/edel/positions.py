"""Positions for tests: what lies before each player, and rounds told as moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bcnet.games import get
from bcnet.games.edel.actions import ChooseCard, EventCardDrawn, GemCardsDrawn
from bcnet.games.edel.holdings import Holding
from bcnet.games.edel.material import (
    COLOURS,
    EVENT_CARDS,
    GEM_CARDS,
    NO_GEMS,
    ActionCard,
    EventCard,
    Gems,
    add,
    in_order,
    one,
    without,
)
from bcnet.games.edel.state import EdelState
from bcnet.games.interface import Chosen

GAME = get("edel")


def gems(text: str) -> Gems:
    """``3r b`` is three red gems and a blue one."""
    found = NO_GEMS
    for item in text.split():
        (colour,) = (each for each in COLOURS if each.word[0] == item[-1])
        found = add(found, one(colour, int(item[:-1] or 1)))
    return found


def held(text: str, money: int = 0, *cards: str) -> Holding:
    """What lies before a player: gems as in `gems`, money, and event cards by name."""
    return Holding(money, gems(text), in_order(map(EventCard, cards)))


def gem_card(money: int, text: str) -> int:
    """The first gem card that shows this."""
    return GEM_CARDS.index((money, gems(text)))


def begun(*holdings: Holding, cards: Sequence[int] = (), event: str = "certificate") -> EdelState:
    """All are about to choose in the first round. Without ``cards`` the seats get those of 7 money in their order."""
    state = replace(EdelState.start(len(holdings)), holdings=holdings)
    deck = EVENT_CARDS
    for holding in holdings:
        for card in holding.cards:
            deck = without(deck, card)
    state = replace(state, deck=deck)
    dealt = state.apply(GemCardsDrawn(tuple(cards) or tuple(range(len(holdings)))))
    return dealt.apply(EventCardDrawn(EventCard(event)))


def choose(state: EdelState, *words: str) -> EdelState:
    """Everybody still in the game chooses."""
    return state.apply(Chosen(tuple(ChooseCard(ActionCard(word)) for word in words)))


def act(state: EdelState, *moves: str) -> EdelState:
    """The moves of whoever is asked."""
    for move in moves:
        state = state.apply(GAME.parse(move))
    return state


def taking(event: str, *others: str, face_down: bool = False) -> EdelState:
    """Seat 1 takes this event card; seat 0 has three red gems, seat 1 and those after it what is named.

    All others choose money: they are three or more, so nothing comes of it.
    """
    named = [held("3r"), *map(held, others)]
    holdings = [*named, *[held("")] * (4 - len(named))]
    state = begun(*holdings, event="certificate" if face_down else event)
    state = choose(state, *("event" if seat == 1 else "money" for seat in range(len(holdings))))
    if not face_down:
        return act(state, "event open")
    return act(state, "event face-down").apply(EventCardDrawn(EventCard(event)))


def last_round(*holdings: Holding, passing: int = 1) -> EdelState:
    """All are about to choose in the last round of a pass. Where all choose money there is nothing but the scoring."""
    state = begun(*holdings)
    return replace(state, passing=passing, round=state.rounds)


def scored(*holdings: Holding, passing: int = 1) -> EdelState:
    """The scoring of these holdings, as far as it goes without a decision."""
    return choose(last_round(*holdings, passing=passing), *["money"] * len(holdings))


def money(state: EdelState) -> list[int]:
    return [holding.money for holding in state.holdings]
