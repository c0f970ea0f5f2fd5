"""Whoever falls silent: nothing goes on, nobody is accused, and the file says what it lacks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bcnet.table.rounds import Kind
from bcnet.verify import Lack, Verdict, verify
from tests.attacks.arena import arena_with, groups
from tests.attacks.cheats import Silent
from tests.table.quick import quick_proofs
from tests.table.room import lookup


@pytest.fixture(autouse=True)
def _quick() -> Iterator[None]:
    with quick_proofs():
        yield


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    ("kind", "nth"),
    [
        (Kind.READY, 1),
        (Kind.SHUFFLE, 1),
        (Kind.SHARE, 1),
        (Kind.RESPONSES, 1),
        (Kind.UNMASK, 1),
        (Kind.ACT, 1),
        (Kind.UNMASK, 2),
        (Kind.SEAL, 1),
        (Kind.UNSEAL, 1),
        (Kind.SHARE, 2),
        (Kind.SHUFFLE, 2),
        (Kind.RESPONSES, 2),
        (Kind.REVEAL, 1),
        (Kind.REFRESH, 1),
        (Kind.REFRESH, 2),
    ],
)
def test_withheld(kind: Kind, nth: int, seat: int) -> None:
    """A last share that would bring bad luck, a seed that would tell too much, or just a closed laptop."""
    arena = arena_with(Silent(kind, nth), seat, private_hands=kind is Kind.REFRESH)
    arena.play()
    honest = arena.players[1 - seat]
    assert honest.table.fault is None
    awaiting = honest.table.awaiting
    assert awaiting is not None
    assert (awaiting.kind, awaiting.seats) == (kind, (seat,))
    for report in (verify(arena.file(1 - seat), games=lookup), *groups(arena.file(0), arena.file(1))):
        assert report.verdict is Verdict.INCOMPLETE
        assert report.fault is None
        assert report.lacks == (Lack(seat, honest.table.log.open.number, kind),)
        assert seat in report.unaudited
    mine = verify(arena.file(seat), games=lookup)
    assert mine.verdict is Verdict.INCOMPLETE
    assert mine.lacks == report.lacks


def test_the_result_stands_without_the_seeds() -> None:
    """Whoever has lost and keeps his seed back has lost all the same; only the audit of his secrets is missing."""
    arena = arena_with(Silent(Kind.REVEAL))
    arena.play()
    report = verify(arena.file(0), games=lookup)
    assert report.result is not None
    assert report.result.reason == "points"
    assert report.unaudited == (1,)
    assert report.proofs_checked
