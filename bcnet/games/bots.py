"""What simple players of all games have in common. A bot sees ``state.view(seat)`` and nothing else."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from bcnet.games.interface import Action, Bot, Seat, State

_A = TypeVar("_A", bound=Action)


def choose_randomly(state: State, seat: Seat, rng: random.Random) -> Action:
    """Any legal action, each equally likely."""
    return rng.choice(state.legal_actions(seat))


def choose_best(actions: Sequence[_A], worth: Callable[[_A], float], rng: random.Random) -> _A:
    """The action of most worth; of equally good ones any."""
    worths = [worth(action) for action in actions]
    best = max(worths)
    return rng.choice([action for action, each in zip(actions, worths, strict=True) if each == best])


def careless(bot: Bot) -> Bot:
    """One that does half of the time what ``bot`` would, and else anything."""

    def choose(state: State, seat: Seat, rng: random.Random) -> Action:
        return (bot if rng.random() < 0.5 else choose_randomly)(state, seat, rng)

    return choose


def levels(normal: Bot, hard: Bot) -> Mapping[str, Bot]:
    """The bots of a game by the names that the commands know: an easy one is a careless normal one."""
    return {
        "random": choose_randomly,
        "easy": careless(normal),
        "normal": normal,
        "hard": hard,
        "greedy": normal,  # what `normal` was called before there were levels
    }
