"""A player that plays on in its mind: from each action that looks good, again and again, with a simple player in every
seat.

Policy improvement by rollouts (Tesauro and Galperin, "On-line Policy Improvement using Monte-Carlo Search", Advances in
Neural Information Processing Systems 9, 1996) with successive halving: all candidates are played out a few times, the
worse half drops out, and so on until one is left. It takes any number of seats, chance, and choices that are made in
secret at once; but a position must know all that there is to know, so it is for games without hidden cards.

This module knows no game and no clock: what may be spent is a number of steps, so the same seed finds the same action.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bcnet.games.interface import Action, Bot, Choose, Chosen, Seat, State
from bcnet.games.simulate import walk

_MOST_SEATS = 5
"""Of any game."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How a game is played on, and what comes of it."""

    candidates: Callable[[State, Seat], Sequence[Action]]
    """The actions of a seat that are worth a thought; where there are none, ``quick`` decides."""
    quick: Bot
    """Who sits in every seat while it is played on."""
    ends: Callable[[State, State], bool]
    """Whether a playout from the first position goes no further than the second. It never goes beyond the end."""
    worth: Callable[[State, Seat], float]
    """How good the position where a playout has ended is for a seat."""
    steps: int
    """How many steps may be played for one decision; each halving has an equal part, and finishes what it has begun."""
    playouts: int
    """How many times each candidate is played out at most between two halvings."""


def playing_on(plan: Plan) -> Bot:
    """A bot that takes what ends best on average."""

    def choose(state: State, seat: Seat, rng: random.Random) -> Action:
        left = list(plan.candidates(state, seat))
        if not left:
            return plan.quick(state, seat, rng)
        halvings = (len(left) - 1).bit_length()
        worth = dict.fromkeys(left, 0.0)
        for _ in range(halvings):
            spent = played = 0
            while played < plan.playouts and spent < plan.steps // halvings:
                luck = rng.random()  # the same for all candidates: what differs is what they have done
                for action in left:
                    end, steps = _play_out(plan, state, seat, action, random.Random(luck))
                    worth[action] += end
                    spent += steps
                played += 1
            left = sorted(left, key=worth.__getitem__, reverse=True)[: (len(left) + 1) // 2]
        return left[0]

    return choose


def _play_out(plan: Plan, state: State, seat: Seat, action: Action, rng: random.Random) -> tuple[float, int]:
    """Do this and play on once: what it is worth to the seat where that ends, and how many steps it took."""

    def decide(other: Seat) -> Action:
        return action if other == seat else plan.quick(state.view(other), other, rng)

    need = state.need
    first = state.apply(Chosen(tuple(map(decide, need.seats))) if isinstance(need, Choose) else action)
    end, steps = first, 1
    if not plan.ends(state, first):
        for _, end in walk(first, rng, bots=(plan.quick,) * _MOST_SEATS):
            steps += 1
            if plan.ends(state, end):
                break
    return plan.worth(end, seat), steps
