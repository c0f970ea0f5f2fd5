"""The fuzzer, for a bounded time and with fixed seeds; ``scripts/fuzz`` lets it run as long as one likes."""

from __future__ import annotations

import random

import pytest

from bcnet.games import registry
from bcnet.games.interface import Game
from tests.fuzz.entries import Entries
from tests.fuzz.others import Notes, Transcripts, fuzz_hello
from tests.fuzz.targets import TARGETS, outcomes
from tests.table.quick import quick_proofs
from tests.toy import ShortToy

BALLOON_CUP = registry.get("balloon-cup")


@pytest.mark.parametrize(
    ("game", "seats", "each"),
    [(ShortToy(), 2, 120), (ShortToy(), 3, 30), (BALLOON_CUP, 2, 5)],
    ids=["toy-2", "toy-3", "balloon-cup"],
)
def test_entries(game: Game, seats: int, each: int) -> None:
    fuzz = Entries(game, seats, random.Random(1))
    fuzz.run(each)
    assert min(fuzz.seen[outcome] for outcome in ("noise", "fault", "accepted")) > 0
    assert fuzz.seen["fault"] > sum(fuzz.seen[outcome] for outcome in ("noise", "fault", "accepted")) / 5


@pytest.mark.parametrize(("seats", "each"), [(2, 20), (3, 10)])
def test_notes(seats: int, each: int) -> None:
    with quick_proofs():
        fuzz = Notes(ShortToy(), seats, random.Random(seats))
        fuzz.run(each)
    assert fuzz.seen["noise"] > 0
    assert fuzz.seen["void"] > 0


def test_hellos() -> None:
    seen = fuzz_hello(random.Random(1), 2000)
    assert min(seen[outcome] for outcome in ("proven", "unproven", "noise", "version")) > 100
    assert not seen["many words"]


def test_transcripts() -> None:
    with quick_proofs():
        fuzz = Transcripts(ShortToy(), 2, random.Random(1))
        fuzz.run(250)
    assert min(fuzz.seen[each] for each in ("no transcript", "unreadable", "cheated", "incomplete")) > 0
    assert not fuzz.seen["many words"]


def test_the_fuzzer_finds_what_there_is_to_find(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table with a hole in it does not get through: one that lets an error of the rules out, one that blames another.

    Without this a fuzzer might throw blanks.
    """
    from bcnet.table.course import Course
    from bcnet.table.table import Table

    with monkeypatch.context() as patch:
        patch.setattr(Course, "_read_action", lambda self, text: self.game.parse(text))
        with pytest.raises(Exception, match="is no action"):
            Entries(ShortToy(), 2, random.Random(1)).run(60)
    faulted = Table._faulted
    with monkeypatch.context() as patch:
        patch.setattr(Table, "_faulted", lambda self, seat, *rest: faulted(self, 0, *rest))
        with pytest.raises(AssertionError, match="is blamed for"):
            Entries(ShortToy(), 2, random.Random(1)).run(5)


@pytest.mark.parametrize(
    ("target", "reached"),
    [
        ("entry", {"offer", "ready", "resign", "malformed", "noise"}),
        ("note", {"note", "noise"}),
        ("file", {"clean", "cheated", "incomplete", "unreadable", "no transcript"}),
        ("frame", {"hello", "version", "noise", "position", "chat", "no frame"}),
        ("conversation", {"position", "caught_up", "chat", "noise", "no frame"}),
        ("certificate", {"presented", "no voucher"}),
        ("code", {"code", "typo"}),
    ],
)
def test_what_a_guided_fuzzer_begins_with(target: str, reached: set[str]) -> None:
    """The corpus, once found and mended things in it, gives no exception, and gets as far in as out."""
    assert target in TARGETS
    assert reached <= set(outcomes(target))
