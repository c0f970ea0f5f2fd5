"""Coverage-guided fuzzing of one target for as long as one likes (atheris, which is libFuzzer for Python).

``scripts/fuzz --guided TARGET SECONDS`` calls this. What is new of interest stays in a folder outside the tree; a
find is written there as well, with its path. Once mended, it belongs into ``corpus/TARGET``, where the tests see it
for ever.
"""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["bcnet"]):  # before anything else imports what is to be watched
    from tests.fuzz.targets import TARGETS, seeds

LONGEST = 8192
"""Bytes of the longest input."""


def main(target: str, seconds: int, folder: Path) -> None:
    """Fuzz a target for so many seconds; ends the process, with 0 if nothing was found."""
    begin, finds = folder / "seeds", folder / "finds"
    for place in (begin, finds):
        place.mkdir(parents=True, exist_ok=True)
    for name, data in seeds(target):
        (begin / name).write_bytes(data)
    run = TARGETS[target]
    atheris.Setup(
        [
            sys.argv[0],
            f"-max_total_time={seconds}",
            f"-max_len={LONGEST}",
            "-timeout=20",
            "-print_final_stats=1",
            f"-artifact_prefix={finds}/",
            str(begin),
        ],
        lambda data: void(run(data)),
    )
    atheris.Fuzz()


def void(_: object) -> None:
    """An input that was dealt with: libFuzzer wants to hear no more."""


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))
