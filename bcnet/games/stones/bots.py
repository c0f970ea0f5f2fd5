"""Simple players: they look one stone ahead."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bcnet.games.bots import choose_best
from bcnet.games.interface import Action, Seat, State
from bcnet.games.stones.actions import Agree, Lay, Object
from bcnet.games.stones.field import Field, Stone
from bcnet.games.stones.material import COLOURS, Colour
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
    """What it is kept for (`kept`)."""

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
            points, answer = state.worth(seat, lay), _best(after, following)
            found.append(Prospect(lay, points, answer, len(state.present) - 1, kept(supply, lay.colour)))
    return tuple(found)


def _following(state: StonesState, seat: Seat) -> Seat:
    later = [other for other in state.present if other > seat]
    return later[0] if later else state.present[0]


def layable(field: Field, seat: Seat) -> Iterator[tuple[Lay, int]]:
    """Every stone but the first of the game that a seat could lay by the rules, and its points; by colour and place."""
    supply = field.supply(seat)
    for colour in COLOURS:
        if supply[colour]:
            times = 2 if supply[colour] == 1 else 1
            for place in field.lawful[colour]:
                yield Lay(colour, *place), times * field.pairs(colour, place)


def kept(supply: Sequence[int], colour: Colour) -> float:
    """What a stone of a colour is kept for: the last one counts double, so it waits for a good place while there is
    another to lay.
    """
    return _KEPT if supply[colour] == 1 and sum(supply) > 1 else 0.0


def _best(field: Field, seat: Seat) -> int:
    """The most that a seat could score with one stone."""
    return max((points for _, points in layable(field, seat)), default=0)
