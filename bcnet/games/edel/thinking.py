"""A player that thinks: it plays each action that looks good on to the end of the round, and sees what all have then.

What the others choose in secret it takes to be what the simple player would, by chance. So it does not merely count how
many may want the same: it lets them trade for it, and sees what the trade costs.
"""

from __future__ import annotations

from collections.abc import Sequence

from bcnet.games.edel.actions import Accept
from bcnet.games.edel.bots import choose_greedily, wealth, weighed
from bcnet.games.edel.state import EdelState
from bcnet.games.interface import Action, Over, Seat, State
from bcnet.games.playouts import Plan, playing_on

_CANDIDATES = 6
"""So many actions are played out: offers can be many more."""
_STEPS = 200
"""A round has seven or eight."""
_PLAYOUTS = 32


def _candidates(state: State, seat: Seat) -> Sequence[Action]:
    assert isinstance(state, EdelState)
    worth = weighed(state, seat)
    accepting = [action for action in worth if action == Accept()]
    others = sorted((action for action in worth if action != Accept()), key=lambda action: -worth[action])
    return [*accepting, *others[:_CANDIDATES]]


def _ends(first: State, now: State) -> bool:
    assert isinstance(first, EdelState)
    assert isinstance(now, EdelState)
    return (now.passing, now.round) != (first.passing, first.round)


def _lead(state: State, seat: Seat) -> float:
    """How much richer a seat is than the others: half way between the best of them and their average. Money counts, and
    until the end what can be hoped for from the next scoring.
    """
    assert isinstance(state, EdelState)
    gems = {each: state.gems(each) for each in state.present}
    hopes = {
        each: 0.0 if isinstance(state.need, Over) else wealth(state, each, gems) for each in state.present
    }
    has = {each: state.holdings[each].money + hopes[each] for each in state.present}
    others = [has[each] for each in state.present if each != seat]
    return has[seat] - (sum(others) / len(others) + max(others)) / 2


HARD = playing_on(Plan(_candidates, choose_greedily, _ends, _lead, _STEPS, _PLAYOUTS))
"""Plays on in its mind before it decides."""
