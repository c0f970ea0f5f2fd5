"""The players that a person has met, remembered by key: the file ``players.json`` in the home.

A key, not a name, says who somebody is; this file remembers which names went with which key. So a program can tell
a first meeting (show the fingerprint, ask) from somebody known, and from a known name that comes with another key:
an impostor, or a friend with a new machine. That last one is refused out loud, and the way out is a person's act
(``bcnet players forget``).

::

    {
      "format": "bcnet players",
      "version": 1,
      "players": [
        {
          "key": "d04ab232742bb4ab3a1368bd4615e4e6d0224ab71a016baf8520a332c9778737",
          "fingerprint": "k5ma-7qd2-xw4c-hnt6",
          "names": ["Ben", "Benny"],
          "first_met": "2026-01-05T19:30:00Z",
          "last_met": "2026-03-01T20:15:42Z"
        }
      ]
    }

UTF-8; the key (Ed25519) in hex, its fingerprint as its checksum; the names, the latest first; times in UTC. Every
field must be there and no other: a change of the format is a new version. The file is replaced whole, under the lock
of ``players.lock``; a damaged one is never overwritten. It is for its owner alone: with whom one plays is private.

This module knows nothing of tables, nor how a key was proven; only hand it keys that were.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bcnet.errors import NetworkError, StorageError, UsageError
from bcnet.files import PRIVATE_FILE, storage_errors, write_over
from bcnet.names import BadName, check_name
from bcnet.signing import BadKey, check_public, fingerprint

FILE_NAME = "players.json"
LOCK_TIME = 5.0
"""Seconds that one waits for another bcnet on this machine, which holds the lock for some milliseconds."""
MAX_NAMES = 8
"""Names remembered with one key; the oldest is forgotten first."""

_FORMAT = "bcnet players"
_VERSION = 1
_FIELDS = {"key", "fingerprint", "names", "first_met", "last_met"}


@dataclass(frozen=True, slots=True)
class Known:
    """A player whom one has met."""

    key: bytes
    """32 bytes."""
    names: tuple[str, ...]
    """The names that came with the key, the latest first; at least one."""
    first_met: datetime
    last_met: datetime

    @property
    def name(self) -> str:
        """The latest name."""
        return self.names[0]

    @property
    def fingerprint(self) -> str:
        """What people compare."""
        return fingerprint(self.key)


class AnotherKey(NetworkError):
    """Somebody comes by a known name, but with another key. Never let that pass unseen."""

    def __init__(self, name: str, key: bytes, known: Known) -> None:
        super().__init__(
            "{name} is not the one you know by that name. You last met {name} on {date}, with the key {old}; this one "
            "has the key {new}.",
            hint="Ask {name}, by voice, whether the key is new (on a new machine, say). If it is: bcnet players forget "
            "{old}. If this is somebody else of that name, one of the two needs another: --name. Else do not play.",
            name=name,
            date=known.last_met.date().isoformat(),
            old=known.fingerprint,
            new=fingerprint(key),
        )
        self.known = known
        """Who is known by that name."""


class UnknownPlayer(UsageError):
    """Nobody is remembered by that name or fingerprint, or more than one is."""


class Players:
    """The players that the owner of a home has met. Reads the file when it is asked; keeps nothing in memory."""

    def __init__(self, path: Path) -> None:
        """``path`` is the file; its folder must be there before anybody is remembered."""
        self.path = path

    def all(self) -> list[Known]:
        """Everybody who is remembered, whom one met last first. Raises `StorageError`, also for a damaged file."""
        return sorted(self._read(), key=lambda each: each.last_met, reverse=True)

    def by_key(self, key: bytes) -> Known | None:
        """Who has this key."""
        return next((each for each in self._read() if each.key == key), None)

    def by_fingerprint(self, text: str) -> Known | None:
        """Who has the key with this fingerprint, as `bcnet.signing.fingerprint` writes it."""
        return next((each for each in self._read() if each.fingerprint == text), None)

    def meet(self, key: bytes, name: str) -> Known | None:
        """Who comes, with a proven key and the name that goes with it; None at a first meeting.

        Raises `AnotherKey` where somebody else is known by that name, `StorageError`. Nothing is written.
        """
        return _meet(self._read(), key, name)

    def remember(self, key: bytes, name: str, now: datetime) -> Known:
        """Write down that one has met: new, or known and now called so. Raises `AnotherKey` and `StorageError`."""
        check_public(key)
        check_name(name)
        now = now.astimezone(UTC).replace(microsecond=0)
        with self._changing() as players:
            before = _meet(players, key, name)
            if before is None:
                after = Known(key, (name,), now, now)
            else:
                others = [each for each in before.names if each != name]
                after = replace(before, names=(name, *others)[:MAX_NAMES], last_met=max(now, before.last_met))
            self._write([*(each for each in players if each.key != key), after])
        return after

    def forget(self, who: str) -> Known:
        """Forget whoever has this fingerprint, or is or was called so; gives who that was.

        Raises `UnknownPlayer` if it is nobody or several, `StorageError`.
        """
        with self._changing() as players:
            found = [each for each in players if who.strip().lower() == each.fingerprint] or [
                each for each in players if any(_same(who, name) for name in each.names)
            ]
            if not found:
                raise UnknownPlayer(
                    "You know nobody called {who}, and no key with that fingerprint.",
                    hint="`bcnet players` lists whom you know.",
                    who=repr(who),
                )
            if len(found) > 1:
                raise UnknownPlayer(
                    "Several that you know are or were called {who}: {fingerprints}.",
                    hint="Say the fingerprint of the one to forget.",
                    who=repr(who),
                    fingerprints=", ".join(f"{each.fingerprint} ({each.name})" for each in found),
                )
            self._write([each for each in players if each is not found[0]])
        return found[0]

    # --- the file ---

    @contextmanager
    def _changing(self) -> Iterator[list[Known]]:
        """What the file holds, with nobody else changing it until the end."""
        lock = self.path.with_suffix(".lock")
        with storage_errors("lock", lock):
            fd = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE_FILE)
        try:
            with storage_errors("lock", lock):
                _wait_for_lock(fd, self.path)
            yield self._read()
        finally:
            os.close(fd)

    def _write(self, players: Sequence[Known]) -> None:
        document = {
            "format": _FORMAT,
            "version": _VERSION,
            "players": [
                {
                    "key": each.key.hex(),
                    "fingerprint": each.fingerprint,
                    "names": list(each.names),
                    "first_met": _written(each.first_met),
                    "last_met": _written(each.last_met),
                }
                for each in players
            ],
        }
        text = json.dumps(document, ensure_ascii=False, indent=2) + "\n"
        with storage_errors("write", self.path):
            write_over(self.path, [text.encode()])

    def _read(self) -> list[Known]:
        with storage_errors("read", self.path):
            try:
                data = self.path.read_bytes()
            except FileNotFoundError:
                return []
        try:
            document = json.loads(data.decode())
            if not isinstance(document, dict) or document.get("format") != _FORMAT:
                raise ValueError("it does not begin like one")
            version = document.get("version")
            if version == _VERSION:
                return _players(document)
        except (ValueError, RecursionError) as error:
            raise StorageError(
                "The list of known players {path} is damaged: {why}. It was left as it is.",
                hint="Put back a copy of it if you have one. If not, move it away: bcnet then knows nobody, and shows "
                "you everybody's key as at a first meeting.",
                path=self.path,
                why=str(error),
            ) from None
        raise StorageError(
            "The list of known players {path} has format version {version}; this bcnet knows version {ours}.",
            hint="Use the newer bcnet that wrote it.",
            path=self.path,
            version=repr(version),
            ours=_VERSION,
        )


def _meet(players: Sequence[Known], key: bytes, name: str) -> Known | None:
    for each in players:
        if each.key != key and any(_same(name, other) for other in each.names):
            raise AnotherKey(name, key, each)
    return next((each for each in players if each.key == key), None)


def _same(one: str, other: str) -> bool:
    return _folded(one) == _folded(other)


def _folded(name: str) -> str:
    """Names that people take for the same: case, width and accents' encoding do not count."""
    return " ".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).split())


def _wait_for_lock(fd: int, path: Path) -> None:
    deadline = time.monotonic() + LOCK_TIME
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise StorageError(
                    "The list of known players {path} is being changed by another bcnet on this machine, and has been "
                    "for too long.",
                    hint="That one hangs, or is stopped: end it, and try again.",
                    path=path,
                ) from None
            time.sleep(0.01)
        else:
            return


def _players(document: dict[str, Any]) -> list[Known]:
    """Raises ``ValueError`` for anything that `Players._write` would not write."""
    listed = document.get("players")
    if set(document) != {"format", "version", "players"} or not isinstance(listed, list):
        raise ValueError("it has other parts")
    players = [_player(each, place) for place, each in enumerate(listed, 1)]
    if len({each.key for each in players}) != len(players):
        raise ValueError("it has one key twice")
    return players


def _player(fields: object, place: int) -> Known:
    try:
        if not isinstance(fields, dict) or set(fields) != _FIELDS:
            raise ValueError("other fields")
        names = fields["names"]
        if not isinstance(names, list) or not 1 <= len(names) <= MAX_NAMES:
            raise ValueError("no names, or too many")
        for name in names:
            check_name(_text(name))
        key = bytes.fromhex(_text(fields["key"]))
        check_public(key)
        if fingerprint(key) != fields["fingerprint"]:
            raise ValueError("a key that its fingerprint does not fit")
        return Known(key, tuple(names), _read_time(fields["first_met"]), _read_time(fields["last_met"]))
    except (BadKey, BadName, ValueError) as error:
        raise ValueError(f"player {place} in it has {error}") from None


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("something that is no text")
    return value


def _written(when: datetime) -> str:
    return when.isoformat().replace("+00:00", "Z")


def _read_time(value: object) -> datetime:
    when = datetime.fromisoformat(_text(value))
    if when.tzinfo is None:
        raise ValueError("a time without its zone")
    return when.astimezone(UTC)
