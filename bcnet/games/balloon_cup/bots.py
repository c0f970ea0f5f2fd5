"""A simple player: it plays where it helps most right now."""

from __future__ import annotations

import random
from math import erf, sqrt

from bcnet.games.balloon_cup.actions import Claim, Exchange, Play
from bcnet.games.balloon_cup.material import (
    CARDS_OF,
    COLOUR_OF,
    COLOURS,
    MOST_EXCHANGED,
    SEATS,
    VALUE_OF,
    Terrain,
    sum_of,
)
from bcnet.games.balloon_cup.state import BalloonCupState
from bcnet.games.balloon_cup.tiles import Tile
from bcnet.games.balloon_cup.trophies import TRIPLE
from bcnet.games.bots import choose_best
from bcnet.games.interface import Action, Card, Seat, State

_MEAN = tuple(sum_of(cards) / cards.bit_count() for cards in CARDS_OF)
"""The mean value of each colour's cards."""
_SPREAD = 4.0
"""About the standard deviation of a card's value."""


def choose_greedily(state: State, seat: Seat, rng: random.Random) -> Action:
    """Play where it helps most right now, exchange as much as is allowed, claim whatever can be claimed.

    Of equally good actions any one.
    """
    assert isinstance(state, BalloonCupState)
    return choose_best(state.legal_actions(seat), lambda action: _worth(state, seat, action), rng)


def _worth(state: BalloonCupState, seat: Seat, action: Action) -> float:
    match action:
        case Play(card, number, side):
            tile = state.tiles[number - 1]
            return _prospect(state, tile.with_card(card, side), seat) - _prospect(state, tile, seat)
        case Exchange(cards):
            # as many as possible, and those that are neither high nor low
            return sum(_SPREAD * MOST_EXCHANGED - abs(_deviation(card)) for card in cards)
        case Claim(_, payment):
            return 1 / sum(payment)
        case _:
            return 0


def _prospect(state: BalloonCupState, tile: Tile, seat: Seat) -> float:
    """What a tile promises: its cubes' use to the seat times the chance of winning it, less the same of the other."""
    chance = _chance(*_outlook(tile, seat))
    return chance * _use(state, tile, seat) - (1 - chance) * _use(state, tile, 1 - seat)


def _chance(margin: float, places: int) -> float:
    """The chance to win by any margin, where this one is expected with so many places open."""
    if places:
        return (1 + erf(margin / (_SPREAD * sqrt(2 * places)))) / 2
    return float(margin >= 0)  # the seat has laid the last card, so it wins a tie


def _outlook(tile: Tile, seat: Seat) -> tuple[float, int]:
    """By how much the seat would win with average cards on all open places, and how many there are."""
    margin, places = 0.0, 0
    for side in range(SEATS):
        open_places = tile.open(side)
        total = tile.total(side) + sum(_MEAN[colour] * open_places[colour] for colour in COLOURS)
        margin += total if side == seat else -total
        places += sum(open_places)
    return (margin if tile.terrain is Terrain.MOUNTAIN else -margin), places


def _use(state: BalloonCupState, tile: Tile, seat: Seat) -> float:
    """How much the cubes of a tile are worth to a seat: cubes of a taken trophy count a third."""
    return sum(
        count if state.owners[colour] is None else count / TRIPLE for colour, count in enumerate(tile.cubes)
    ) + 0.5 * len(state.trophies(seat))


def _deviation(card: Card) -> float:
    return VALUE_OF[card] - _MEAN[COLOUR_OF[card]]
