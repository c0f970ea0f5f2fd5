"""A player that thinks: it takes the stones that promise most, and plays each game on to its end."""

from __future__ import annotations

import random
from collections.abc import Sequence

from bcnet.games.bots import choose_best
from bcnet.games.interface import Action, Seat, State
from bcnet.games.playouts import Plan, playing_on
from bcnet.games.stones.bots import choose_greedily, kept, layable, prospects
from bcnet.games.stones.state import Phase, StonesState

_CANDIDATES = 8
"""So many stones are played out, of some hundred that could be laid."""
_STEPS = 400
"""Stones that are laid in the mind before one is laid: the whole game of two has 24, of four 48."""
_PLAYOUTS = 8


def _candidates(state: State, seat: Seat) -> Sequence[Action]:
    assert isinstance(state, StonesState)
    if state.phase is Phase.OBJECTIONS:
        return ()
    return [each.lay for each in sorted(prospects(state, seat), key=lambda each: -each.gain)[:_CANDIDATES]]


def choose_quickly(state: State, seat: Seat, rng: random.Random) -> Action:
    """Lay by the rules where it brings most, whatever the next player makes of it."""
    assert isinstance(state, StonesState)
    if state.phase is Phase.OBJECTIONS:
        return choose_greedily(state, seat, rng)
    supply = state.supply(seat)
    worth = {
        lay: points - kept(supply, lay.colour)
        for lay, points in layable(state.field, seat)
        if state.again in (None, lay.colour)
    }
    return choose_best(list(worth), worth.__getitem__, rng) if worth else state.legal_actions(seat)[-1]


def _lead(state: State, seat: Seat) -> float:
    """By how many points a seat is ahead of the best of the others."""
    assert isinstance(state, StonesState)
    return float(state.points[seat] - max(state.points[other] for other in state.present if other != seat))


HARD = playing_on(Plan(_candidates, choose_quickly, lambda _first, _now: False, _lead, _STEPS, _PLAYOUTS))
"""Plays on in its mind before it lays a stone."""
