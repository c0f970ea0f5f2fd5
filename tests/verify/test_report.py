"""The report as plain data, and files that cannot even be read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from bcnet import transcript
from bcnet.entry import place_of
from bcnet.errors import StorageError
from bcnet.table.rounds import Kind
from bcnet.verify import Verdict, verify, verify_file
from tests.attacks import attackers
from tests.attacks.arena import arena_with
from tests.attacks.cheats import Spoiler
from tests.table.quick import quick_proofs
from tests.table.room import Room, identity_of, lookup
from tests.toy import ShortToy


@pytest.fixture(autouse=True)
def _quick() -> Iterator[None]:
    with quick_proofs():
        yield


@pytest.fixture
def game() -> list[bytes]:
    room = Room.of(ShortToy())
    room.play()
    return room.file(0)


def test_clean(game: list[bytes]) -> None:
    report = verify(game, games=lookup)
    data = json.loads(json.dumps(report.as_json()))
    assert data["verdict"] == "clean"
    assert data["game"] == "short-toy"
    assert data["options"] == {}
    assert data["entries"] == len(game)
    assert data["rounds"] == place_of(game[-1])[0] + 1
    assert data["result"]["reason"] == "points"
    assert data["fault"] is None
    assert data["lacks"] == []
    assert data["unaudited"] == []
    assert [(each["seat"], each["identity"]) for each in data["players"]] == [
        (seat, identity_of(seat).public.hex()) for seat in (0, 1)
    ]
    assert all(each["fingerprint"].count("-") == 3 for each in data["players"])


def test_cheated() -> None:
    arena = arena_with(Spoiler(Kind.REVEAL, attackers.another_seed))
    arena.play()
    data = json.loads(json.dumps(verify(arena.file(0), games=lookup).as_json()))
    assert data["verdict"] == "cheated"
    assert data["fault"]["seat"] == 1
    assert data["fault"]["kind"] == "seed"
    assert data["fault"]["flaw"] is None
    assert bytes.fromhex(data["fault"]["evidence"][-1]) == arena.file(0)[-1]
    assert "Seat 1 (player 1) cheated in round" in data["message"]


def test_incomplete(game: list[bytes]) -> None:
    data = json.loads(json.dumps(verify(game[:-1], games=lookup).as_json()))
    assert data["verdict"] == "incomplete"
    assert data["lacks"] == [{"seat": 1, "round": place_of(game[-1])[0], "kind": "reveal"}]
    assert data["unaudited"] == [1]
    assert data["proofs_checked"]


def test_unreadable(game: list[bytes]) -> None:
    data = json.loads(json.dumps(verify([game[1]], games=lookup).as_json()))
    assert data["verdict"] == "unreadable"
    assert data["table"] is None
    assert data["game"] is None
    assert data["players"] == []


def test_just_an_offer(game: list[bytes]) -> None:
    """A table to which nobody came."""
    report = verify(game[:1], games=lookup)
    assert report.verdict is Verdict.INCOMPLETE
    assert [(lack.seat, lack.kind) for lack in report.lacks] == [(1, "join")]
    assert len(report.players) == 1


def test_nothing_at_all() -> None:
    report = verify([], games=lookup)
    assert report.verdict is Verdict.INCOMPLETE
    assert [(lack.seat, lack.kind) for lack in report.lacks] == [(0, "offer")]


def test_a_game_that_this_program_does_not_know(game: list[bytes]) -> None:
    assert verify(game).verdict is Verdict.UNREADABLE


def test_files(game: list[bytes], tmp_path: Path) -> None:
    path = tmp_path / "game"
    with pytest.raises(StorageError):
        verify_file(path, games=lookup)
    transcript.write(path, game)
    assert verify_file(path, games=lookup) == verify(game, games=lookup)
    path.write_bytes(b"")
    assert verify_file(path, games=lookup).verdict is Verdict.UNREADABLE
    with pytest.raises(StorageError):
        verify_file(tmp_path, games=lookup)
