"""Spent chains: a game that has used up its public randomness ends drawn, whatever it was about to draw."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bcnet.fairness import beacon
from bcnet.games import registry
from bcnet.games.interface import Game, Over
from bcnet.table import course
from bcnet.table.rounds import Kind
from bcnet.verify import Verdict, verify
from tests.attacks.arena import kind_of
from tests.table.quick import quick_proofs
from tests.table.room import Room, lookup
from tests.toy import ShortToy, Toy


@pytest.fixture(autouse=True)
def _quick() -> Iterator[None]:
    with quick_proofs():
        yield


@pytest.mark.parametrize("links", [1, 2])
@pytest.mark.parametrize(
    ("game", "seats"),
    [(ShortToy(), 2), (Toy(), 3), (registry.get("balloon-cup"), 2)],
    ids=["short-toy", "toy-3", "balloon-cup"],
)
def test_spent_chains(game: Game, seats: int, links: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the middle of a set-up, before a refill, or when a pile is to be shuffled again: drawn, and auditable."""
    monkeypatch.setattr(beacon, "LINKS", links)
    room = Room.of(game, seats)
    room.play()
    assert room.complete
    shares = [data for seat, data in room.sent if seat == 0 and kind_of(data) is Kind.SHARE]
    assert len(shares) == links
    report = verify(room.file(0), games=lookup)
    assert report.verdict is Verdict.CLEAN
    assert report.result == Over((), "standstill")


@pytest.mark.parametrize("rounds", [1, 9, 16])
@pytest.mark.parametrize(("game", "seats"), [(Toy(), 2), (Toy(), 3), (registry.get("balloon-cup"), 2)])
def test_a_table_does_not_go_on_for_ever(
    game: Game, seats: int, rounds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After so many rounds nothing that the game needs is met any more: drawn, in a few rounds, and auditable."""
    monkeypatch.setattr(course, "MAX_ROUNDS", rounds)
    room = Room.of(game, seats)
    room.play()
    assert room.complete
    assert len(room.players[0].table.log) <= max(3, rounds) + seats + 4
    report = verify(room.file(0), games=lookup)
    assert report.verdict is Verdict.CLEAN
    assert report.result == Over((), "standstill")


def test_no_game_of_people_comes_near_the_end() -> None:
    room = Room.of(registry.get("balloon-cup"))
    room.play()
    assert len(room.players[0].table.log) < course.MAX_ROUNDS / 10
