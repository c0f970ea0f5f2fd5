"""Writes tests/vectors/: the transcripts with their index, and the derivations. scripts/vectors calls it.

Nothing in it is random, and nothing is read from what it writes: every run gives the same bytes.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from tests.vectors.make import (
    dealing,
    ending,
    hands,
    meeting,
    playing,
    proofs,
    rules,
    sitting,
    statements,
    whole,
)
from tests.vectors.make.case import Case

FOLDER = Path(__file__).resolve().parents[1]


PARTS = {part.__name__.rpartition(".")[2]: part for part in (sitting, dealing, playing, hands, ending, whole)}
"""The modules that write transcripts, by name; each has ``cases``."""


def make() -> dict[str, bytes]:
    """Every file by its path below tests/vectors/. Raises ValueError if two transcripts have one name."""
    cases = sorted((case for part in PARTS.values() for case in part.cases()), key=lambda case: case.name)
    made = {transcript_path(case): case.data for case in cases}
    if len(made) < len(cases):
        raise ValueError("two transcripts have one name")
    made["transcripts/index.json"] = _json(
        {
            "transcripts": [case.as_json() for case in cases],
            "together": [together.as_json() for together in whole.togethers()],
        }
    )
    return made | make_derivations()


def make_derivations() -> dict[str, bytes]:
    """The files of derivations/ by their paths."""
    return {
        f"derivations/{name}.json": _json(data)
        for part in (statements, proofs, rules, meeting)
        for name, data in part.files()
    }


def transcript_path(case: Case) -> str:
    """Where a transcript stands, below tests/vectors/."""
    return f"transcripts/{case.name}.bct"


def committed() -> dict[str, bytes]:
    """The files that stand in the tree."""
    found = [*FOLDER.glob("transcripts/*"), *FOLDER.glob("derivations/*")]
    return {path.relative_to(FOLDER).as_posix(): path.read_bytes() for path in found}


def _json(data: Any) -> bytes:
    return (json.dumps(data, indent=1, ensure_ascii=True) + "\n").encode("ascii")


def main() -> int:
    """Writes what differs, or with --check names it; gives the exit code."""
    parser = argparse.ArgumentParser(prog="scripts/vectors", description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing, fail if something would change")
    check: bool = parser.parse_args().check
    wanted, present = make(), committed()
    differing = sorted(
        path for path in wanted.keys() | present.keys() if wanted.get(path) != present.get(path)
    )
    if check:
        for path in differing:
            sys.stderr.write(f"tests/vectors/{path} is not what scripts/vectors makes\n")
        return 1 if differing else 0
    for path in differing:
        target = FOLDER / path
        if path in wanted:
            target.parent.mkdir(exist_ok=True)
            target.write_bytes(wanted[path])
        else:
            target.unlink()
        sys.stdout.write(f"tests/vectors/{path}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
