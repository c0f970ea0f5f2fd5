"""A simple player: it looks one stone ahead."""

from __future__ import annotations

import random
from dataclasses import dataclass

from bcnet.games.bots import choose_best
from bcnet.games.interface import Action, Seat, State
from bcnet.games.stones.actions import Agree, Lay, Object
from bcnet.games.stones.field import Field, Stone
from bcnet.games.stones.material import COLOURS
from bcnet.games.stones.state import Phase, StonesState

_KEPT = 10.0
"""Points that the last stone of a colour must bring more than any other stone to be laid before the end."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """What a stone promises."""

    lay: Lay
    points: int
    """What it brings."""
    answer: int
    """The most that the next player can then score with one stone."""
    others: int
    """How many others there are: the next player's points count against one's own by so much less."""
    kept: float
    """What it is kept for: a colour's last stone counts double, so it waits for a good place while there is another."""

    @property
    def lead(self) -> float:
        """Its points, less the share that the next player's answer has in them."""
        return self.points - self.answer / self.others

    @property
    def gain(self) -> float:
        """The lead, less what the stone is kept for."""
        return self.lead - self.kept


def choose_greedily(state: State, seat: Seat, rng: random.Random) -> Action:
    """Lay by the rules where it brings most, less what the next player could then make of it.

    Object to what breaks the rules.
    """
    assert isinstance(state, StonesState)
    if state.phase is Phase.OBJECTIONS:
        return Agree() if lies_by_the_rules(state) else Object()
    found = {each.lay: each for each in prospects(state, seat)}
    if not found:
        return state.legal_actions(seat)[-1]  # a pass
    return choose_best(tuple(found), lambda lay: found[lay].gain, rng)


def lies_by_the_rules(state: StonesState) -> bool:
    """Whether the stone that may be objected to does."""
    assert state.before is not None
    stone = state.field.stones[-1]
    return state.before.may_lie(stone.colour, stone.place)


def prospects(state: StonesState, seat: Seat) -> tuple[Prospect, ...]:
    """What each stone promises that the seat, which is on turn, can lay by the rules; in the order of its actions."""
    following = _following(state, seat)
    supply = state.supply(seat)
    found = []
    for lay in state.legal_actions(seat):
        if isinstance(lay, Lay) and state.field.may_lie(lay.colour, (lay.column, lay.row)):
            after = state.field.with_stone(Stone(seat, lay.colour, (lay.column, lay.row)))
            kept = _KEPT if supply[lay.colour] == 1 and sum(supply) > 1 else 0.0
            found.append(
                Prospect(lay, state.worth(seat, lay), _best(after, following), len(state.present) - 1, kept)
            )
    return tuple(found)


def _following(state: StonesState, seat: Seat) -> Seat:
    later = [other for other in state.present if other > seat]
    return later[0] if later else state.present[0]


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
