"""How long the joint, fully proven set-up of a deck takes: ``.venv/bin/python -m tests.fairness.bench``.

Two seats, 45 cards, no network, both seats' work in one process; compared with LibTMCG 1.4 (C++) on a machine
of the same kind, and with one core alone."""

from __future__ import annotations

import statistics
import sys
from time import perf_counter

from tests.fairness.joint import SetUp

LIBTMCG_MS = 1216.0
RUNS = 7


def set_up_ms(seats: int = 2, cards: int = 45, runs: int = RUNS) -> float:
    """The median duration of a set-up in milliseconds, after one to warm up."""
    SetUp(seats, cards).run()
    taken = []
    for run in range(runs):
        set_up = SetUp(seats, cards, name=f"bench {run}")
        start = perf_counter()
        set_up.run()
        taken.append((perf_counter() - start) * 1000)
    return statistics.median(taken)


def main() -> None:
    """Prints one line for each figure, with the ratio to LibTMCG."""
    for seats, cards in ((2, 45), (2, 52), (3, 45)):
        taken = set_up_ms(seats, cards)
        line = f"set-up, {seats} seats, {cards} cards: {taken:6.0f} ms"
        if (seats, cards) == (2, 45):
            line += f"   LibTMCG {LIBTMCG_MS:.0f} ms, ratio {LIBTMCG_MS / taken:.1f}"
        sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
