"""What the finished games of a home add up to: how many, against whom, with what end.

Only games whose transcript verifies as clean count. Verifying takes its time, so what was found is kept in an SQLite
file, by the name, size and time of change of each transcript. It is a cache and nothing more: transcripts alone say
what was played, and a scorebook that is missing, damaged, of another version or cannot be written costs time only.

`Scorebook` gives the games, `add_up` counts them and is pure. Neither knows how anything is shown.
"""

from __future__ import annotations

import json
import sqlite3
import statistics
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Self

from bcnet.errors import StorageError
from bcnet.games.interface import Action, Chosen, Seat
from bcnet.home import Finished
from bcnet.signing import fingerprint
from bcnet.verify import Verdict, examine_file

_VERSION = 1
_SCHEMA = """
CREATE TABLE game (
    file TEXT PRIMARY KEY, size INTEGER NOT NULL, changed INTEGER NOT NULL, table_id TEXT NOT NULL,
    seat INTEGER NOT NULL, stored REAL NOT NULL, players TEXT NOT NULL, winners TEXT NOT NULL, moves INTEGER NOT NULL
)
"""
_Mark = tuple[str, int, int]
"""Name, size in bytes and time of change (nanoseconds) of a transcript: whether it is the one that was seen."""


class Result(StrEnum):
    """How a game ended for its player."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Player:
    """Who sat at a table: the identity key in hex, and the name at that table."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class Played:
    """One finished game."""

    table_id: str
    """In hex."""
    seat: Seat
    """Whose file it is."""
    stored: float
    """When, in seconds since the epoch."""
    players: tuple[Player, ...]
    """By seat."""
    winners: tuple[Seat, ...]
    """None where it was drawn."""
    moves: int
    """Decisions that were made, claims among them; what all choose at once counts once."""

    @property
    def result(self) -> Result:
        """How it ended for whose file it is."""
        if not self.winners:
            return Result.DRAWN
        return Result.WON if self.seat in self.winners else Result.LOST

    @property
    def opponents(self) -> tuple[Player, ...]:
        """All but whose file it is."""
        return tuple(player for seat, player in enumerate(self.players) if seat != self.seat)

    @property
    def is_one_seat_each(self) -> bool:
        """Whether each seat was another person's, by the keys."""
        return len({player.key for player in self.players}) == len(self.players)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A transcript that does not count, and its verdict."""

    path: Path
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Tally:
    """Games, by their end."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        """All of them."""
        return self.won + self.drawn + self.lost

    @property
    def share(self) -> float | None:
        """The share of games that were won, 0 to 1; None of no game."""
        return self.won / self.games if self.games else None

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
        share = None if self.share is None else round(self.share, 4)
        return {"games": self.games, "won": self.won, "drawn": self.drawn, "lost": self.lost, "share": share}


@dataclass(frozen=True, slots=True)
class Opponent:
    """Somebody one has played with."""

    player: Player
    """With the name at the latest table."""
    tally: Tally
    last: float
    """When the latest game was stored, in seconds since the epoch."""

    @property
    def fingerprint(self) -> str:
        """The key as people compare it."""
        return fingerprint(bytes.fromhex(self.player.key))


@dataclass(frozen=True, slots=True)
class Sums:
    """What games add up to."""

    tally: Tally
    opponents: tuple[Opponent, ...]
    """The one with most games first."""
    streak: tuple[Result, int] | None
    """How the latest games ended, and how many of them in a row; None of no game."""
    longest: int
    """The most games won in a row."""
    moves: tuple[int, float, int] | None
    """Of the shortest game, the median, of the longest; None of no game."""
    several_seats: int
    """Tables at which one key had several seats: no measure of anybody, and they count nowhere else."""

    def as_json(self) -> dict[str, Any]:
        """As plain data, for ``bcnet stats --json``."""
        return {
            **self.tally.as_json(),
            "streak": None if self.streak is None else {"result": self.streak[0], "games": self.streak[1]},
            "longest_winning_streak": self.longest,
            "moves": None
            if self.moves is None
            else dict(zip(("shortest", "median", "longest"), self.moves, strict=True)),
            "opponents": [
                {
                    "name": each.player.name,
                    "identity": each.player.key,
                    "fingerprint": each.fingerprint,
                    "last": each.last,
                    **each.tally.as_json(),
                }
                for each in self.opponents
            ],
            "several_seats": self.several_seats,
        }


# --- counting ---


def add_up(games: Iterable[Played]) -> Sums:
    """What these games, in whatever order, add up to."""
    ordered = sorted(games, key=lambda game: (game.stored, game.table_id, game.seat))
    counted = [game for game in ordered if game.is_one_seat_each]
    results = [game.result for game in counted]
    by_key: dict[str, list[Played]] = {}
    for game in counted:
        for opponent in game.opponents:
            by_key.setdefault(opponent.key, []).append(game)
    opponents = [_opponent(key, played) for key, played in by_key.items()]
    opponents.sort(key=lambda each: (-each.tally.games, -each.last, each.player.key))
    runs = _runs(results)
    lengths = [game.moves for game in counted]
    return Sums(
        tally=_tally(results),
        opponents=tuple(opponents),
        streak=runs[-1] if runs else None,
        longest=max((count for result, count in runs if result is Result.WON), default=0),
        moves=(min(lengths), statistics.median(lengths), max(lengths)) if lengths else None,
        several_seats=len({game.table_id for game in ordered if not game.is_one_seat_each}),
    )


def _opponent(key: str, played: Sequence[Played]) -> Opponent:
    latest = next(each for each in played[-1].opponents if each.key == key)
    return Opponent(latest, _tally([game.result for game in played]), played[-1].stored)


def _tally(results: Sequence[Result]) -> Tally:
    return Tally(*(results.count(result) for result in (Result.WON, Result.DRAWN, Result.LOST)))


def _runs(results: Iterable[Result]) -> list[tuple[Result, int]]:
    """Equal ends in a row, as (end, how many)."""
    runs: list[tuple[Result, int]] = []
    for result in results:
        count = runs.pop()[1] if runs and runs[-1][0] is result else 0
        runs.append((result, count + 1))
    return runs


# --- the games ---


class Scorebook:
    """The games of a home, with the cache at a path. Use as a context manager, or close it."""

    def __init__(self, path: Path) -> None:
        self._cache = _opened(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the cache."""
        self._cache.close()

    def games(
        self,
        finished: Sequence[Finished],
        *,
        rebuild: bool = False,
        progress: Callable[[int], object] = lambda _: None,
    ) -> tuple[list[Played], list[LeftOut]]:
        """The games of these transcripts, and those that do not count.

        A transcript is verified unless the cache knows it; with ``rebuild`` the cache is made anew. ``progress`` is
        called with 1 for each. One that has gone in the meantime is passed over.
        """
        known = {} if rebuild else self._known()
        games: dict[_Mark, Played] = {}
        left_out = []
        for each in finished:
            progress(1)
            try:
                mark = _mark(each.path)
                found = known.get(mark) or _examined(each)
            except (FileNotFoundError, StorageError):
                continue
            if isinstance(found, LeftOut):  # a newer bcnet may read it: looked at again next time
                left_out.append(found)
            else:
                games[mark] = found
        if rebuild or games != known:
            self._store(games)
        return list(games.values()), left_out

    def _known(self) -> dict[_Mark, Played]:
        known = {}
        with suppress(sqlite3.Error):
            for file, size, changed, *fields in self._cache.execute("SELECT * FROM game"):
                with suppress(ValueError, TypeError, KeyError):  # somebody has written in it
                    known[file, size, changed] = _from_row(fields)
        return known

    def _store(self, games: dict[_Mark, Played]) -> None:
        rows = [(*mark, *_row(game)) for mark, game in games.items()]
        with suppress(sqlite3.Error), self._cache:  # a full disk, or another bcnet at the same moment
            self._cache.execute("DELETE FROM game")
            self._cache.executemany("INSERT OR REPLACE INTO game VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)


def _mark(path: Path) -> _Mark:
    status = path.stat()
    return path.name, status.st_size, status.st_mtime_ns


def _examined(each: Finished) -> Played | LeftOut:
    report, replay = examine_file(each.path)
    if report.verdict is not Verdict.CLEAN or report.result is None or replay is None:
        return LeftOut(each.path, report.verdict)
    if each.seat >= len(report.players):  # by its name, of somebody who did not sit there
        return LeftOut(each.path, report.verdict)
    return Played(
        table_id=report.table_id.hex(),
        seat=each.seat,
        stored=each.stored,
        players=tuple(Player(who.identity.hex(), who.name) for who in report.players),
        winners=report.result.winners,
        moves=sum(isinstance(taken.step, Action | Chosen) for taken in replay.course.steps),
    )


# --- the cache ---


def _row(game: Played) -> tuple[object, ...]:
    players = [astuple(player) for player in game.players]
    return (
        game.table_id, game.seat, game.stored, json.dumps(players), json.dumps(game.winners), game.moves,
    )  # fmt: skip


def _from_row(fields: Sequence[Any]) -> Played:
    table_id, seat, stored, players, winners, moves = fields
    read = tuple(Player(*player) for player in json.loads(players))
    if seat not in range(len(read)) or any(len(bytes.fromhex(player.key)) != 32 for player in read):
        raise ValueError("no seat or key of a game")
    return Played(table_id, seat, float(stored), read, tuple(json.loads(winners)), int(moves))


def _opened(path: Path) -> sqlite3.Connection:
    """The cache: empty where it is new or unreadable, and in memory alone where it cannot be stored."""
    try:
        return _connected(str(path))
    except sqlite3.OperationalError:
        return _connected(":memory:")
    except sqlite3.DatabaseError:  # damaged, or no database at all
        with suppress(OSError):
            path.unlink()
    try:
        return _connected(str(path))
    except sqlite3.Error:
        return _connected(":memory:")


def _connected(target: str) -> sqlite3.Connection:
    cache = sqlite3.connect(target)
    try:
        if cache.execute("PRAGMA user_version").fetchone() != (_VERSION,):
            with cache:
                cache.execute("DROP TABLE IF EXISTS game")
                cache.execute(_SCHEMA)
                cache.execute(f"PRAGMA user_version = {_VERSION}")
    except BaseException:
        cache.close()
        raise
    return cache
