"""What games add up to, and the cache of it, which may be missing, old, damaged or nowhere without any harm."""

from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest

from bcnet import cli, scorebook
from bcnet.home import Home
from bcnet.scorebook import LeftOut, Played, Player, Result, Scorebook, Tally, add_up
from bcnet.verify import Verdict, examine_file

TRANSCRIPTS = Path(__file__).resolve().parents[1] / "vectors" / "transcripts"
OWN, BEN, CLEO = (f"{number:02x}" * 32 for number in (1, 2, 3))


def game(
    number: int,
    winners: Sequence[int],
    *,
    seat: int = 0,
    other: str = BEN,
    name: str = "Ben",
    moves: int = 80,
) -> Played:
    seats = [Player(OWN, "me"), Player(other, name)]
    return Played(
        f"{number:064x}", seat, float(number), tuple(seats[:: 1 if seat == 0 else -1]), tuple(winners), moves
    )


# --- counting ---


def test_nothing_adds_up_to_nothing() -> None:
    sums = add_up([])
    assert sums.tally == Tally()
    assert sums.tally.share is None
    assert (sums.streak, sums.longest, sums.moves, sums.opponents) == (None, 0, None, ())


def test_wins_streaks_and_lengths() -> None:
    games = [
        game(1, [0], moves=60),
        game(2, [1], seat=1, moves=90),
        game(3, [1], moves=70),
        game(4, [], moves=101),
        game(5, [0]),
        game(6, [0], seat=0),
        game(7, [1], seat=1),
        game(8, [0], seat=1),
        game(9, [0], seat=1),
    ]
    random.Random(1).shuffle(games)
    sums = add_up(games)
    assert sums.tally == Tally(won=5, drawn=1, lost=3)
    assert sums.tally.share == pytest.approx(5 / 9)
    assert sums.streak == (Result.LOST, 2)
    assert sums.longest == 3
    assert sums.moves == (60, 80, 101)


def test_opponents_are_told_apart_by_key_and_called_by_the_latest_name() -> None:
    games = [
        game(1, [0], name="Benjamin"),
        game(2, [0], other=CLEO, name="Ben"),
        game(3, [1], name="Ben"),
        game(4, [], other=CLEO, name="Cleo"),
        game(5, [1], name="Benny"),
    ]
    ben, cleo = add_up(reversed(games)).opponents
    assert (ben.player, ben.tally, ben.last) == (Player(BEN, "Benny"), Tally(1, 0, 2), 5.0)
    assert (cleo.player, cleo.tally, cleo.last) == (Player(CLEO, "Cleo"), Tally(1, 1, 0), 4.0)


def test_a_table_with_oneself_counts_nowhere_and_once() -> None:
    both = [game(1, [0], other=OWN), game(1, [0], other=OWN, seat=1)]
    sums = add_up([*both, game(2, [0])])
    assert sums.several_seats == 1
    assert sums.tally == Tally(won=1)
    assert len(sums.opponents) == 1


@pytest.mark.parametrize("keys", [(OWN, BEN, OWN, CLEO), (OWN, BEN, BEN, CLEO)], ids=["own", "anothers"])
def test_a_table_at_which_one_key_had_several_seats_counts_nowhere_and_once(keys: tuple[str, ...]) -> None:
    """Whoever sees two hands, and plays for both, measures nobody: neither itself nor the others."""
    players = tuple(Player(key, f"seat {seat}") for seat, key in enumerate(keys))
    files = [Played(f"{1:064x}", seat, 1.0, players, (2,), 40) for seat, key in enumerate(keys) if key == OWN]
    sums = add_up([*files, game(2, [0])])
    assert sums.several_seats == 1
    assert sums.tally == Tally(won=1)
    assert [each.tally for each in sums.opponents] == [Tally(won=1)]


# --- the cache ---


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Three finished games of Ada, seat 0, and a file that is not complete."""
    home = Home(tmp_path / "home")
    home.prepare()
    names = ["clean-designer", "clean-standstill", "clean-resigned-on-turn", "incomplete-draw"]
    for number, name in enumerate(names, 1):
        path = home.transcripts / f"2026-11-30-{number:016x}-0.bct"
        shutil.copyfile(TRANSCRIPTS / f"{name}.bct", path)
        os.utime(path, (number, number))
    return home


class Verified:
    """Counts what is verified."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.names: list[str] = []
        monkeypatch.setattr(scorebook, "examine_file", self._examine)

    def _examine(self, path: Path) -> object:
        self.names.append(path.name[11:27].lstrip("0"))
        return examine_file(path)

    def since(self) -> list[str]:
        names, self.names = self.names, []
        return names


@pytest.fixture
def verified(monkeypatch: pytest.MonkeyPatch) -> Verified:
    return Verified(monkeypatch)


def games_of(home: Home, *, rebuild: bool = False) -> tuple[list[Played], list[LeftOut]]:
    with Scorebook(home.scorebook_path) as book:
        return book.games(home.finished(), rebuild=rebuild)


def test_only_what_verifies_counts_and_is_verified_once(home: Home, verified: Verified) -> None:
    games, left_out = games_of(home)
    assert [(each.moves, each.winners, each.result) for each in games] == [
        (93, (1,), Result.LOST),
        (18, (), Result.DRAWN),
        (0, (1,), Result.LOST),
    ]
    assert [[player.name for player in each.players] for each in games] == [["Ada", "Grace"]] * 3
    assert [(each.path.name[-7:], each.verdict) for each in left_out] == [("4-0.bct", Verdict.INCOMPLETE)]
    assert verified.since() == ["1", "2", "3", "4"]
    assert games_of(home) == (games, left_out)
    assert verified.since() == ["4"]  # might be complete one day
    assert games_of(home, rebuild=True) == (games, left_out)
    assert verified.since() == ["1", "2", "3", "4"]


def test_a_changed_transcript_is_verified_again_and_a_removed_one_is_gone(
    home: Home, verified: Verified
) -> None:
    first = games_of(home)[0]
    verified.since()
    changed, removed, *_ = [each.path for each in home.finished()]
    data = changed.read_bytes()
    changed.write_bytes(data[: len(data) // 2])
    removed.unlink()
    games, left_out = games_of(home)
    assert verified.since() == ["4", "1"]  # in the order of their times
    assert games == [first[2]]
    assert [each.path for each in left_out] == [
        home.transcripts / "2026-11-30-0000000000000004-0.bct",
        changed,
    ]
    rows = sqlite3.connect(home.scorebook_path)
    assert rows.execute("SELECT COUNT(*) FROM game").fetchone() == (1,)
    rows.close()


@pytest.mark.parametrize("fault", ["garbage", "version", "rows", "folder", "missing", "other table"])
def test_a_cache_that_is_no_good_costs_time_only(fault: str, home: Home, verified: Verified) -> None:
    good = games_of(home)
    path = home.scorebook_path
    if fault == "garbage":
        path.write_bytes(b"no database" * 1000)
    elif fault in {"folder", "missing"}:
        path.unlink()
        if fault == "folder":
            path.mkdir()
    else:
        cache = sqlite3.connect(path)
        if fault == "version":
            cache.execute("PRAGMA user_version = 99")
        elif fault == "rows":
            cache.execute("UPDATE game SET players = '[[\"xy\"', winners = 'no'")
        else:
            cache.execute("DROP TABLE game")
            cache.execute("CREATE TABLE game (x)")
        cache.commit()
        cache.close()
    verified.since()
    assert games_of(home) == good
    assert verified.since() == ["1", "2", "3", "4"]
    assert games_of(home) == good
    again = ["1", "2", "3"] if fault in {"folder", "other table"} else []
    assert verified.since() == [*again, "4"]


def test_another_bcnet_that_has_the_cache_does_no_harm(
    home: Home, verified: Verified, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = games_of(home)
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda target: connect(target, timeout=0.01))
    other = connect(home.scorebook_path)
    other.execute("BEGIN EXCLUSIVE")
    try:
        assert games_of(home) == good
    finally:
        other.close()
    verified.since()
    assert games_of(home) == good
    assert verified.since() == ["4"]  # and the cache is what it was


def test_a_file_of_a_seat_that_was_not_there_does_not_count(home: Home) -> None:
    path = home.transcripts / f"2026-11-30-{9:016x}-7.bct"
    shutil.copyfile(TRANSCRIPTS / "clean-designer.bct", path)
    games, left_out = games_of(home)
    assert len(games) == 3
    assert path in [each.path for each in left_out]


# --- the command ---


def test_the_command_says_what_there_is(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli._code(["stats", "--home", str(home.path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:4] == [
        "3 games: 0 won, 1 drawn, 2 lost (0% won).",
        "Streak: you lost the last game.",
        "Longest winning streak: 0.",
        "Moves in a game: 0 to 93, median 18.",
    ]
    assert lines[4].endswith("  Grace")
    assert lines[-1] == f"Not counted: {home.transcripts}/2026-11-30-0000000000000004-0.bct (incomplete)"


def test_the_command_for_machines(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli._code(["stats", "--json", "--rebuild", "--home", str(home.path)]) == 0
    data = json.loads(capsys.readouterr().out)
    assert {key: data[key] for key in ("games", "won", "drawn", "lost", "share", "several_seats")} == {
        "games": 3, "won": 0, "drawn": 1, "lost": 2, "share": 0.0, "several_seats": 0,
    }  # fmt: skip
    assert data["streak"] == {"result": "lost", "games": 1}
    assert data["moves"] == {"shortest": 0, "median": 18, "longest": 93}
    (grace,) = data["opponents"]
    assert grace["name"] == "Grace"
    assert grace["games"] == 3
    assert len(grace["identity"]) == 64
    assert [each["verdict"] for each in data["left_out"]] == ["incomplete"]


def test_the_command_without_games_makes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = tmp_path / "home"
    assert cli._code(["stats", "--home", str(home)]) == 0
    assert "no finished games" in capsys.readouterr().out
    assert not home.exists()
    assert cli._code(["stats", "--json", "--home", str(home)]) == 0
    assert json.loads(capsys.readouterr().out)["share"] is None
