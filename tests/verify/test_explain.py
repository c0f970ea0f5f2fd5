"""``--explain``: golden stories of a clean, a cheated and an incomplete game, and what every story must hold to."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bcnet.several import Asked, Group, verify_files
from bcnet.table.faults import FaultKind

TRANSCRIPTS = Path(__file__).resolve().parents[1] / "vectors" / "transcripts"
GOLDEN = Path(__file__).parent / "stories"
STORIES = {
    "clean-standstill": ["clean-standstill"],
    "clean-false-proof-audited": ["clean-false-proof-audited"],
    "cheated-audit-unmask": ["cheated-audit-unmask"],
    "cheated-audit-opening": ["cheated-audit-opening"],
    "cheated-notation-empty": ["cheated-notation-empty"],
    "cheated-opening-other-card": ["cheated-opening-other-card"],
    "incomplete-draw": ["incomplete-draw"],
    "two-heads": ["incomplete-two-heads-a", "incomplete-two-heads-b"],
    "unreadable": ["unreadable-entry-of-seat-2"],
}
"""By the name of the golden file, the transcripts that it tells of."""


def told(names: list[str], asked: Asked = Asked(story=True)) -> Group:  # noqa: B008 (frozen)
    (group,) = verify_files([TRANSCRIPTS / f"{name}.bct" for name in names], asked=asked)
    return group


def written(names: list[str]) -> str:
    return "".join(f"{line}\n" for line in told(names).story)


@pytest.mark.parametrize("name", STORIES)
def test_golden_stories(name: str) -> None:
    """Where they must change: ``.venv/bin/python -m tests.verify.test_explain`` writes them anew."""
    assert written(STORIES[name]) == (GOLDEN / f"{name}.txt").read_text()


def test_every_round_is_told_in_two_lines_at_most() -> None:
    lines = told(["clean-designer"]).story
    rounds = [int(found[1]) for line in lines if (found := re.match(r" {0,4}(\d+)  ", line))]
    assert rounds == list(range(217))
    assert len(lines) <= 2 * len(rounds) + 3
    assert max(map(len, lines)) < 500


def test_without_a_seed_nothing_is_said_to_be_computed_from_it() -> None:
    assert "computed again" not in "\n".join(told(["incomplete-unmask"]).story)


def test_proofs_are_told_of_only_where_they_were_run() -> None:
    asked = Asked(story=True, proofs=True)
    name = ["clean-resigned-on-turn"]
    assert "each answer leads to its shadow" not in "\n".join(told(name).story)
    assert "each answer leads to its shadow" in "\n".join(told(name, asked).story)


def test_the_fault_stands_where_it_was_signed() -> None:
    group = told(["cheated-audit-unmask"])
    assert group.report.fault is not None
    assert group.report.fault.kind is FaultKind.AUDIT_UNMASK
    at = next(index for index, line in enumerate(group.story) if "FAULT" in line)
    assert group.story[at].split()[0] == str(group.report.fault.round)
    before = [line for line in group.story[:at] if re.match(r" {0,4}\d+  ", line)]
    assert all(int(line.split()[0]) <= group.report.fault.round for line in before)


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for name, files in STORIES.items():
        (GOLDEN / f"{name}.txt").write_text(written(files))
