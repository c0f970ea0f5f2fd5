"""What a verdict says, for every transcript that there is a vector of: whole sentences, with all that they name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bcnet import transcript
from bcnet.verify import Report, Unchecked, Verdict, verify, verify_file
from tests.verify.test_many_files import TRANSCRIPTS


def sentences(report: Report) -> Iterator[str]:
    """All that a report says to people."""
    yield report.message
    yield from report.notes
    yield from (each.message for each in report.unchecked)
    for fault in (report.fault, report.false_proof):
        if fault is not None:
            yield fault.message


def check_whole(report: Report) -> None:
    for said in sentences(report):
        assert "None" not in said
        assert said[0] == said[0].upper()
        assert said[-1] not in ": "


@pytest.mark.parametrize("path", sorted(TRANSCRIPTS.glob("*.bct")), ids=lambda path: path.stem)
def test_every_sentence_is_whole(path: Path) -> None:
    check_whole(verify_file(path))


def test_every_sentence_about_a_false_proof_is_whole() -> None:
    report = verify_file(TRANSCRIPTS / "clean-false-proof-audited.bct", proofs=True)
    check_whole(report)
    assert "A proof of seat 0 in round 7 does not hold" in report.notes[-1]


def test_what_follows_a_fault_is_said_not_to_be_looked_at() -> None:
    entries = transcript.read(TRANSCRIPTS / "cheated-opening-other-card.bct")
    alone = verify(entries)
    more = verify([*entries, entries[0], entries[1]])
    assert alone.verdict is more.verdict is Verdict.CHEATED
    assert set(more.unchecked) - set(alone.unchecked) == {
        Unchecked(
            "entries",
            "2 entries follow the fault and were not looked at: they can neither add to it nor take from it.",
        )
    }
