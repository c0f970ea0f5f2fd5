"""The players that the program has. A bot sees ``state.view(seat)`` and nothing else."""

from __future__ import annotations

from collections.abc import Mapping

from bcnet.games.balloon_cup.judgement import SENSE
from bcnet.games.bots import choose_randomly
from bcnet.games.interface import Bot
from bcnet.games.search import Budget, at_a_glance, thinking

_LOOKS = 2
"""Of how many of its actions an easy player takes the best; there are 16 on average."""
THINKING = Budget(iterations=300)
"""What a hard player thinks before each action."""


NORMAL = at_a_glance(SENSE)

BOTS: Mapping[str, Bot] = {
    "easy": at_a_glance(SENSE, looks=_LOOKS),
    "normal": NORMAL,
    "hard": thinking(SENSE, THINKING),
    "random": choose_randomly,
    "greedy": NORMAL,  # what `normal` was called before there were levels
}
"""The levels from easy to hard; ``random`` plays anything legal."""
