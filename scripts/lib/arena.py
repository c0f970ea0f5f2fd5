"""Two levels of bots against each other; see scripts/arena.

The first level has one seat, the second all others. Every deal is played once from each seat: the same shuffle, first
tiles and starter, so that neither level has the better cards. What is drawn later differs, as the games do. Whoever
shares a win has a part of it. Without a limit in seconds the same arguments give the same games.
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
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from itertools import repeat
from pathlib import Path
from typing import Any

from bcnet.cli.play import BOTS
from bcnet.errors import IllegalStep
from bcnet.games import get, names, play, registry
from bcnet.games.interface import Action, Bot, Game, Seat, State
from bcnet.games.options import settle
from bcnet.games.search import Budget, thinking

CONFIDENCE = 1.96
"""Standard deviations on either side of an interval that holds the true value in 95 % of cases."""


@dataclass(frozen=True)
class Match:
    """What is played."""

    game: str
    seats: int
    options: Mapping[str, str]
    levels: tuple[str, str]
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
    wins: list[float] = field(default_factory=lambda: [0.0, 0.0])
    """Of each level."""
    drawn: int = 0
    starter_wins: float = 0.0
    reasons: dict[str, int] = field(default_factory=dict)
    steps: int = 0
    thinking: tuple[Thinking, Thinking] = field(default_factory=lambda: (Thinking(), Thinking()))

    def add(self, other: Result) -> None:
        """Count another's games with these."""
        self.games += other.games
        self.drawn += other.drawn
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


def level_bot(game: Game, name: str, budget: Budget | None) -> Bot:
    """The bot of a level."""
    if name == "hard" and budget is not None:
        assert game.sense is not None
        return thinking(game.sense, budget)
    return game.bots[name]


def play_one(match: Match, number: int) -> Result:
    """The game of this number."""
    game = get(match.game)
    deal, own = divmod(number, match.seats)
    result = Result(games=1)

    def seated(seat: int) -> Bot:
        level = 0 if seat == own else 1
        bot = level_bot(game, match.levels[level], match.budget)
        rng = random.Random(f"{match.seed} {number} {(seat - own) % match.seats}")  # noqa: S311
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

    chance = random.Random(f"{match.seed} {deal}")  # noqa: S311
    bots = [seated(seat) for seat in range(match.seats)]
    played = play(game, chance, seats=match.seats, options=match.options, bots=bots)
    winners = played.over.winners
    starter = game.save(played.last).get("first_player")
    result.steps = len(played.steps)
    result.reasons[played.over.reason] = 1
    result.drawn = not winners
    for seat in winners:
        result.wins[0 if seat == own else 1] += 1 / len(winners)
        result.starter_wins += (seat == starter) / len(winners)
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
        "game": match.game,
        "seats": match.seats,
        "options": dict(match.options),
        "levels": list(match.levels),
        "budget": None
        if match.budget is None
        else {
            "iterations": match.budget.iterations if match.budget.clock is None else None,
            "seconds": match.budget.seconds if match.budget.clock is not None else None,
        },
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
            f"{'AB'[level]} {name:<7} wins {wins:>5.6g} of {games} = {wins / games:6.1%}"
            f"   95 %: {low:.1%} to {high:.1%}   {each:8.2f} ms a move, longest {1000 * thought.longest:.0f}"
        )
    even = f", even would be {1 / match.seats:.1%}" if match.seats > 2 else ""
    starter = f"the starter won {result.starter_wins:.6g}"
    print(f"drawn {result.drawn}, {starter}, {result.steps / games:.0f} steps a game{even}")
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
    parser.add_argument("first", choices=BOTS, metavar="LEVEL", help=", ".join(BOTS))
    parser.add_argument("second", choices=BOTS, metavar="LEVEL")
    parser.add_argument("--game", choices=names(), default=names()[0], help=f"({names()[0]})")
    parser.add_argument(
        "--seats", type=positive, metavar="N", help="for how many (as few as the game allows)"
    )
    for name in names():
        for key, option in registry.options(name).items():
            parser.add_argument(f"--{key}", choices=list(option.values), help=option.meaning)
    parser.add_argument("--games", type=positive, default=100, metavar="N", help="how many (100)")
    parser.add_argument("--budget", type=budget, metavar="N|Ns", help="iterations, or seconds, for hard")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="which deals (1)")
    parser.add_argument("--jobs", type=positive, default=os.cpu_count() or 1, metavar="N", help="processes")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE")
    arguments = parser.parse_args()
    if arguments.json and not arguments.json.parent.is_dir():
        parser.error(f"there is no folder {arguments.json.parent}")
    game = get(arguments.game)
    given = {
        key: value for each in names() for key in registry.options(each) if (value := vars(arguments)[key])
    }
    seats = arguments.seats or game.seats[0]
    try:
        options = settle(game, seats, given)
    except IllegalStep as error:
        parser.error(f"{error.message}. {error.hint}".rstrip())
    if arguments.budget and game.sense is None:
        parser.error(f"{game.title} has no search that takes a budget")
    levels = (arguments.first, arguments.second)
    match = Match(game.name, seats, options, levels, arguments.seed, arguments.budget)
    start = time.monotonic()
    result = play_all(match, arguments.games, arguments.jobs)
    seconds = time.monotonic() - start
    show(match, result, seconds)
    if arguments.json:
        arguments.json.write_text(json.dumps(figures(match, result, seconds), indent=2) + "\n")


if __name__ == "__main__":
    main()
