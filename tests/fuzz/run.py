"""The fuzzer for as long as one likes: ``scripts/fuzz SECONDS SEED``, or ``.venv/bin/python -m tests.fuzz.run``.

Prints a line for each round with its seed; the first failure ends it with its traceback, and the same seed brings it
back: ``scripts/fuzz 1 SEED``.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Callable

from bcnet.games import registry
from tests.fuzz.entries import Entries
from tests.fuzz.others import Notes, Transcripts, fuzz_hello
from tests.table.quick import quick_proofs
from tests.toy import ShortToy, Toy


def entries_of_two(rng: random.Random) -> Counter[str]:
    """Entries of a short game of two."""
    fuzz = Entries(ShortToy(), 2, rng)
    fuzz.run(60)
    return fuzz.seen


def entries_of_more(rng: random.Random) -> Counter[str]:
    """Entries of a game of three to five."""
    fuzz = Entries(Toy(), rng.choice([3, 3, 4, 5]), rng)
    fuzz.run(10)
    return fuzz.seen


def entries_of_balloon_cup(rng: random.Random) -> Counter[str]:
    """Entries of a whole game of Balloon Cup."""
    fuzz = Entries(registry.get("balloon-cup"), 2, rng)
    fuzz.run(15)
    return fuzz.seen


def notes(rng: random.Random) -> Counter[str]:
    """Notes, for two and for three."""
    with quick_proofs():
        fuzz = Notes(ShortToy(), rng.choice([2, 3]), rng)
        fuzz.run(10)
    return fuzz.seen


def hellos(rng: random.Random) -> Counter[str]:
    """First words."""
    return fuzz_hello(rng, 5000)


def transcripts(rng: random.Random) -> Counter[str]:
    """Files."""
    fuzz = Transcripts(ShortToy(), rng.choice([2, 3]), rng)
    fuzz.run(100)
    return fuzz.seen


ROUNDS: list[Callable[[random.Random], Counter[str]]] = [
    entries_of_two,
    entries_of_balloon_cup,
    notes,
    entries_of_more,
    transcripts,
    hellos,
]


def main(seconds: float, seed: int) -> None:
    """Fuzz for so many seconds (one round at least), beginning with this seed."""
    end = time.monotonic() + seconds
    while True:
        fuzz = ROUNDS[seed % len(ROUNDS)]
        sys.stdout.write(f"seed {seed}: {fuzz.__name__.replace('_', ' ')} … ")
        sys.stdout.flush()
        seen = fuzz(random.Random(seed))
        sys.stdout.write(", ".join(f"{count} {what}" for what, count in sorted(seen.items()) if count) + "\n")
        seed += 1
        if time.monotonic() >= end:
            return


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]))
