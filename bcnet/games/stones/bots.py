"""A simple player: it looks one stone ahead."""

from __future__ import annotations

import random

from bcnet.games.bots import choose_best
from bcnet.games.interface import Action, Seat, State
from bcnet.games.stones.actions import Agree, Lay, Object
from bcnet.games.stones.field import Field, Stone
from bcnet.games.stones.material import COLOURS
from bcnet.games.stones.state import Phase, StonesState

_KEPT = 10.0
"""Points that the last stone of a colour must bring more than any other stone to be laid before the end."""


def choose_greedily(state: State, seat: Seat, rng: random.Random) -> Action:
    """Lay by the rules where it brings most, less what the next player could then make of it.

    Object to what breaks the rules.
    """
    assert isinstance(state, StonesState)
    if state.phase is Phase.OBJECTIONS:
        stone = state.field.stones[-1]
        assert state.before is not None
        return Agree() if state.before.may_lie(stone.colour, stone.place) else Object()
    actions = state.legal_actions(seat)
    lays = [
        each
        for each in actions
        if isinstance(each, Lay) and state.field.may_lie(each.colour, (each.column, each.row))
    ]
    if not lays:
        return actions[-1]  # a pass
    following = _following(state, seat)
    return choose_best(lays, lambda lay: _gain(state, seat, lay, following), rng)


def _following(state: StonesState, seat: Seat) -> Seat:
    later = [other for other in state.present if other > seat]
    return later[0] if later else state.present[0]


def _gain(state: StonesState, seat: Seat, lay: Lay, following: Seat) -> float:
    """The points of a stone, less the most that the next player can score right after it, less what it is kept for."""
    after = state.field.with_stone(Stone(seat, lay.colour, (lay.column, lay.row)))
    return (
        state.worth(seat, lay) - _best(after, following) / (len(state.present) - 1) - _kept(state, seat, lay)
    )


def _best(field: Field, seat: Seat) -> int:
    """The most that a seat could score with one stone."""
    supply = field.supply(seat)
    return max(
        (
            field.pairs(colour, place) * (2 if supply[colour] == 1 else 1)
            for colour in COLOURS
            if supply[colour]
            for place in field.lawful[colour]
        ),
        default=0,
    )


def _kept(state: StonesState, seat: Seat, lay: Lay) -> float:
    """A colour's last stone counts double, so it is kept for a good place while there is another to lay."""
    supply = state.supply(seat)
    return _KEPT if supply[lay.colour] == 1 and sum(supply) > 1 else 0.0
