"""How fast the rules are: random games a second, in one process.

    python -m tests.games.bench

A game is played as `bcnet.games.play` plays it: every need answered, all legal actions listed at every decision and
one picked, every step checked and applied, all news kept.
"""

from __future__ import annotations

import platform
import random
import time

from bcnet.games import get, play


def random_games(games: int = 200, rounds: int = 5, name: str = "balloon-cup") -> float:
    """Random games for each second of processor time: the best of some rounds, as a machine has other things to do."""
    game = get(name)
    best = 0.0
    for _ in range(rounds):
        start = time.process_time()
        for seed in range(games):
            play(game, random.Random(seed))
        best = max(best, games / (time.process_time() - start))
    return best


if __name__ == "__main__":
    print(f"{random_games():.0f} random games a second, Python {platform.python_version()}")  # noqa: T201
