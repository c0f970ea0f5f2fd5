"""Runs mutmut for scripts/mutation, over everything or a sample, and prints what came of it."""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import random
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]
MUTANTS = ROOT / "mutants"
MUTMUT = [str(ROOT / ".venv/bin/mutmut"), "run"]
NOBODY = "no.such.mutant"
"""Fits nothing: makes the mutants, and runs none."""

SEED = 1
OUTCOMES = {
    0: "survived",
    1: "killed",
    3: "killed",
    5: "no tests",
    33: "no tests",
    36: "timeout",
    24: "timeout",
}
"""Exit codes that mutmut notes, as it names them; whatever else a mutant ends with has been noticed too."""


def found() -> dict[str, int | None]:
    """Every mutant by name, with what its tests ended with; None if they were not run."""
    exits: dict[str, int | None] = {}
    for path in MUTANTS.rglob("*.meta"):
        exits |= json.loads(path.read_text())["exit_code_by_key"]
    return exits


def fitting(patterns: list[str]) -> list[str]:
    """The names of the mutants that fit one of the patterns, in order."""
    return sorted(name for name in found() if any(fnmatch.fnmatch(name, pattern) for pattern in patterns))


def run(names: list[str]) -> None:
    """Let the tests see these mutants; with the same examples each time, so that a red run means the mutant."""
    subprocess.run(
        [*MUTMUT, *names], cwd=ROOT, check=False, stdout=sys.stderr, env=os.environ | {"CI": "true"}
    )


def main() -> int:
    """Run, and print the figures."""
    parser = argparse.ArgumentParser(prog="scripts/mutation")
    parser.add_argument("--sample", type=int, metavar="N")
    parser.add_argument("patterns", nargs="*", default=["*"])
    asked = parser.parse_args()
    patterns = asked.patterns or ["*"]
    if asked.sample is None:
        run([] if patterns == ["*"] else patterns)
        wanted = fitting(patterns)
    else:
        run([NOBODY])
        wanted = fitting(patterns)
        rng = random.Random(SEED)  # noqa: S311 (which to try)
        wanted = sorted(rng.sample(wanted, min(asked.sample, len(wanted))))
        run(wanted)
    exits = found()
    modules: defaultdict[str, Counter[str]] = defaultdict(Counter)
    survivors = []
    for name in wanted:
        code = exits[name]
        outcome = "not run" if code is None else OUTCOMES.get(code, "killed")
        modules[name.rpartition(".")[0]][outcome] += 1
        if outcome in {"survived", "no tests"}:
            survivors.append(f"{outcome}: {name}")
    total = sum(modules.values(), Counter[str]())
    for module, count in [*sorted(modules.items()), ("all", total)]:
        noticed = count["killed"] + count["timeout"]
        tried = noticed + count["survived"] + count["no tests"]
        share = f"{noticed / tried:4.0%}" if tried else "   –"
        print(f"{module:32} {share} noticed of {tried} ({dict(count)})")
    print(*survivors, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
