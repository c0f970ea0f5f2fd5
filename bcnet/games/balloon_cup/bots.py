"""Simple players. A bot sees ``state.view(seat)`` and nothing else."""

from __future__ import annotations

import random

from bcnet.games.interface import Action, Seat, State


def choose_randomly(state: State, seat: Seat, rng: random.Random) -> Action:
    """Any legal action, each equally likely."""
    return rng.choice(state.legal_actions(seat))
