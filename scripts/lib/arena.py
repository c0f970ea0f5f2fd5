"""Two levels of bots against each other; see scripts/arena.

Every deal is played twice with the seats exchanged: the same shuffle, first tiles and starter, so that neither level
has the better cards. What is drawn from the bag later differs, as the games do. Without a limit in seconds the same
arguments give the same games.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import signal
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from itertools import repeat
from pathlib import Path
from typing import Any

from bcnet.games import get, play
from bcnet.games.interface import Action, Bot, Seat, State
from bcnet.games.search import Budget, thinking

GAME = get("balloon-cup")
CONFIDENCE = 1.96
"""Standard deviations on either side of an interval that holds the true value in 95 % of cases."""


@dataclass(frozen=True)
class Match:
    """What is played."""

    levels: tuple[str, str]
    fill: str
    seed: int
    budget: Budget | None
    """What hard may think; None for what it thinks by itself."""


@dataclass
class Thinking:
    """How long a level thought about its actions, in seconds of processor time."""

    moves: int = 0
    seconds: float = 0.0
    longest: float = 0.0


@dataclass
class Result:
    """One game, or many added up."""

    games: int = 0
    wins: list[int] = field(default_factory=lambda: [0, 0])
    """Of each level."""
    starter_wins: int = 0
    reasons: dict[str, int] = field(default_factory=dict)
    steps: int = 0
    thinking: tuple[Thinking, Thinking] = field(default_factory=lambda: (Thinking(), Thinking()))

    @property
    def drawn(self) -> int:
        """Games without a winner."""
        return self.games - sum(self.wins)

    def add(self, other: Result) -> None:
        """Count another's games with these."""
        self.games += other.games
        self.starter_wins += other.starter_wins
        self.steps += other.steps
        for level in range(2):
            self.wins[level] += other.wins[level]
            mine, theirs = self.thinking[level], other.thinking[level]
            mine.moves += theirs.moves
            mine.seconds += theirs.seconds
            mine.longest = max(mine.longest, theirs.longest)
        for reason, count in other.reasons.items():
            self.reasons[reason] = self.reasons.get(reason, 0) + count


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The interval in which the true share of wins lies, with 95 % confidence (Wilson 1927)."""
    share, square = wins / games, CONFIDENCE**2
    middle = share + square / (2 * games)
    around = CONFIDENCE * math.sqrt(share * (1 - share) / games + square / (4 * games**2))
    scale = 1 + square / games
    return max((middle - around) / scale, 0.0), min((middle + around) / scale, 1.0)


def level_bot(name: str, budget: Budget | None) -> Bot:
    """The bot of a level."""
    if name == "hard" and budget is not None:
        assert GAME.sense is not None
        return thinking(GAME.sense, budget)
    return GAME.bots[name]


def play_one(match: Match, number: int) -> Result:
    """The game of this number."""
    deal = number // 2
    swapped = number % 2
    result = Result(games=1)

    def seated(level: int) -> Bot:
        bot = level_bot(match.levels[level], match.budget)
        rng = random.Random(f"{match.seed} {number} {level}")  # noqa: S311
        thought = result.thinking[level]

        def choose(state: State, seat: Seat, _: random.Random) -> Action:
            start = time.process_time()
            action = bot(state, seat, rng)
            took = time.process_time() - start
            thought.moves += 1
            thought.seconds += took
            thought.longest = max(thought.longest, took)
            return action

        return choose

    bots = [seated(0), seated(1)]
    chance = random.Random(f"{match.seed} {deal}")  # noqa: S311
    played = play(GAME, chance, options={"fill": match.fill}, bots=bots[::-1] if swapped else bots)
    result.steps = len(played.steps)
    result.reasons[played.over.reason] = 1
    for seat in played.over.winners:
        result.wins[seat ^ swapped] += 1
        result.starter_wins += seat == GAME.save(played.last)["first_player"]
    return result


def play_all(match: Match, games: int, jobs: int) -> Result:
    """So many games over so many processes."""
    total = Result()

    def count(results: Iterable[Result]) -> None:
        for result in results:
            total.add(result)
            if sys.stderr.isatty():
                print(f"\r{total.games} of {games} games", end="", file=sys.stderr, flush=True)

    try:
        if jobs == 1:
            count(map(play_one, repeat(match), range(games)))
        else:
            # Ctrl-C reaches every process; this one alone answers it.
            ignoring = (signal.SIGINT, signal.SIG_IGN)
            with ProcessPoolExecutor(jobs, initializer=signal.signal, initargs=ignoring) as pool:
                try:
                    count(pool.map(play_one, repeat(match), range(games)))
                finally:
                    pool.shutdown(cancel_futures=True)
    except KeyboardInterrupt:
        print(f"stopped after {total.games} games", file=sys.stderr)
        if not total.games:
            raise SystemExit(1) from None
    if sys.stderr.isatty():
        print(file=sys.stderr)
    return total


def figures(match: Match, result: Result, seconds: float) -> dict[str, Any]:
    """All that is printed, as JSON data."""
    return {
        "levels": list(match.levels),
        "budget": None
        if match.budget is None
        else {
            "iterations": match.budget.iterations if match.budget.clock is None else None,
            "seconds": match.budget.seconds if match.budget.clock is not None else None,
        },
        "fill": match.fill,
        "seed": match.seed,
        "games": result.games,
        "wins": result.wins,
        "drawn": result.drawn,
        "win_share": [wins / result.games for wins in result.wins],
        "interval": [wilson(wins, result.games) for wins in result.wins],
        "starter_wins": result.starter_wins,
        "reasons": result.reasons,
        "steps": result.steps,
        "seconds": seconds,
        "thinking": [asdict(thought) for thought in result.thinking],
    }


def show(match: Match, result: Result, seconds: float) -> None:
    """The table for people."""
    games = result.games
    for level, (name, wins, thought) in enumerate(
        zip(match.levels, result.wins, result.thinking, strict=True)
    ):
        low, high = wilson(wins, games)
        each = 1000 * thought.seconds / max(thought.moves, 1)
        print(
            f"{'AB'[level]} {name:<7} wins {wins:>5} of {games} = {wins / games:6.1%}"
            f"   95 %: {low:.1%} to {high:.1%}   {each:8.2f} ms a move, longest {1000 * thought.longest:.0f}"
        )
    print(
        f"drawn {result.drawn}, the starter won {result.starter_wins}, {result.steps / games:.0f} steps a game"
    )
    print(f"{games / seconds:.2f} games a second")


def positive(text: str) -> int:
    """A whole number above zero."""
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def budget(text: str) -> Budget:
    """``300`` are iterations, ``0.5s`` seconds."""
    if not text.endswith("s"):
        return Budget(positive(text))
    seconds = float(text[:-1])
    if not 0 < seconds < math.inf:
        raise ValueError
    return Budget(sys.maxsize, seconds, time.monotonic)


def main() -> None:
    """Play, print, and write down if asked."""
    parser = argparse.ArgumentParser(prog="scripts/arena", description=__doc__)
    levels = tuple(GAME.bots)
    parser.add_argument("first", choices=levels, metavar="LEVEL", help=", ".join(levels))
    parser.add_argument("second", choices=levels, metavar="LEVEL")
    parser.add_argument("--games", type=positive, default=100, metavar="N", help="how many (100)")
    parser.add_argument("--budget", type=budget, metavar="N|Ns", help="iterations, or seconds, for hard")
    parser.add_argument("--fill", choices=GAME.options["fill"], default=GAME.options["fill"][0])
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="which deals (1)")
    parser.add_argument("--jobs", type=positive, default=os.cpu_count() or 1, metavar="N", help="processes")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE")
    arguments = parser.parse_args()
    if arguments.json and not arguments.json.parent.is_dir():
        parser.error(f"there is no folder {arguments.json.parent}")
    match = Match((arguments.first, arguments.second), arguments.fill, arguments.seed, arguments.budget)
    start = time.monotonic()
    result = play_all(match, arguments.games, arguments.jobs)
    seconds = time.monotonic() - start
    show(match, result, seconds)
    if arguments.json:
        arguments.json.write_text(json.dumps(figures(match, result, seconds), indent=2) + "\n")


if __name__ == "__main__":
    main()
