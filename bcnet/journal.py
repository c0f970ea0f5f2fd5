"""The append-only file in which a running game survives: records as they arrive, each on disk at once.

`Journal.append` returns when the record cannot be lost any more; only then may anything depend on it. Opening
gives all records back. A record that was being written when the power went (it can only be the last) is
dropped; any other damage is reported and nothing is touched. This module must not know what the records mean.

Form: the line ``bcnet journal 1``, 8 random bytes (the *mark*) and 8 bytes of a hash over both. Then for each
record: the mark, the length of its data (4 bytes, big-endian), its kind (1 byte), its data, and 16 bytes of a
hash over kind, data and the hash before. The chain of hashes finds records that are missing or out of order.
The mark, which nobody outside knows and so cannot plant in an entry, tells damage in the middle, after which
it occurs again, from a torn end, after which it does not.

Whoever opens a journal holds the lock of its folder (``bcnet.home``).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from secrets import token_bytes
from typing import Self

from bcnet.errors import StorageError, UnreadableError
from bcnet.files import (
    FIRST_LINE_LIMIT,
    check_first_line,
    first_line,
    storage_errors,
    sync,
    write_all,
    write_new,
)
from bcnet.hashing import tagged_hash

FORMAT_VERSION = 1
MAX_RECORD_SIZE = 1 << 20
MAX_SIZE = 64 << 20

_NAME = "journal"
_MARK_SIZE = 8
_HEADER_CHECK_SIZE = 8
_LENGTH_SIZE = 4
_CHECK_SIZE = 16
_FRAME_SIZE = _MARK_SIZE + _LENGTH_SIZE + 1 + _CHECK_SIZE


class Kind(IntEnum):
    """What a record is. Other numbers come from a newer bcnet; what they mean is never guessed."""

    RECEIVED = 1
    """An entry of another seat, as it came."""
    OWN = 2
    """An entry of ours, as it is sent."""
    NOTE = 3
    """A signed note, ours or another's."""


@dataclass(frozen=True, slots=True)
class Record:
    """One record: 1 to `MAX_RECORD_SIZE` bytes and what they are."""

    kind: Kind
    data: bytes


class Journal:
    """A journal open for appending. Not for several threads at once."""

    def __init__(self, path: Path) -> None:
        """Open the journal at ``path`` and drop a torn last record from it.

        Raises `UnreadableError` for any other damage, and `StorageError`; nothing is changed then.
        """
        self.path = path
        """Where it is, for error messages; whoever moves the folder says so here."""
        with storage_errors("open the journal", path):
            self._fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        try:
            with storage_errors("read the journal", path):
                content = _parse(_read_all(self._fd, path), str(path))
            self.records: tuple[Record, ...] = content.records
            """What it held when it was opened."""
            self.torn: int = content.torn
            """How many bytes of a torn last record were dropped when it was opened."""
            self._mark, self._check, self._end = content.mark, content.check, content.end
            self._is_tail_clean = content.torn == 0
            with storage_errors("mend the end of the journal", path):
                self._drop_tail()
                # A program killed between writing and syncing left a record that a power cut can still take.
                sync(self._fd)
        except BaseException:
            os.close(self._fd)
            raise

    @staticmethod
    def create(path: Path) -> None:
        """Make an empty journal at ``path``, which must not exist. Raises ``OSError`` as it comes."""
        write_new(path, [_header(token_bytes(_MARK_SIZE))])

    def append(self, kind: Kind, data: bytes) -> None:
        """Add a record; when this returns it is on disk. Raises as `append_all` does."""
        self.append_all([Record(kind, data)])

    def append_all(self, records: Sequence[Record]) -> None:
        """Add records; when this returns all are on disk, and the disk was waited for once.

        Raises `StorageError` if they cannot be stored (a full disk, above all). The journal is then as it was
        before, and the same call can be made again when there is room. Raises ``ValueError`` for data that is
        empty or over `MAX_RECORD_SIZE`, and if the journal is closed.
        """
        if self._fd < 0:
            raise ValueError("the journal is closed")
        frames, check = [], self._check
        for record in records:
            size = len(record.data)
            if not 0 < size <= MAX_RECORD_SIZE:
                raise ValueError(f"a record has 1 to {MAX_RECORD_SIZE} bytes, not {size}")
            check = _chain(check, record.kind, record.data)
            frames += [
                self._mark,
                size.to_bytes(_LENGTH_SIZE, "big"),
                bytes([record.kind]),
                record.data,
                check,
            ]
        data = b"".join(frames)
        if self._end + len(data) > MAX_SIZE:
            raise StorageError(
                "The journal {path} has reached its limit of {limit} bytes; nothing more fits.",
                hint="End the game here. No game between honest programs comes near that size.",
                path=self.path,
                limit=MAX_SIZE,
            )
        with storage_errors("write the journal", self.path):
            try:
                self._drop_tail()
                self._is_tail_clean = False
                os.lseek(self._fd, self._end, os.SEEK_SET)
                write_all(self._fd, data)
                sync(self._fd)
            except BaseException:
                # After a failed sync the system may believe the bytes to be on disk; so they are taken back
                # and written anew the next time. If even that fails now, the next append does it first.
                with suppress(OSError):
                    self._drop_tail()
                raise
        self._is_tail_clean = True
        self._check = check
        self._end += len(data)

    def close(self) -> None:
        """Close the file; harmless when done before."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _drop_tail(self) -> None:
        if not self._is_tail_clean:
            os.ftruncate(self._fd, self._end)
            sync(self._fd)
            self._is_tail_clean = True


def read(path: Path) -> tuple[Record, ...]:
    """The records of the journal at ``path``, which is not changed; another process may be appending to it.

    Raises `UnreadableError` and `StorageError`.
    """
    with storage_errors("read the journal", path):
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            return _parse(_read_all(fd, path), str(path)).records
        finally:
            os.close(fd)


# ------------------------------------------------------------------------------------------------------- form


@dataclass(frozen=True, slots=True)
class _Content:
    """What stands in a journal: the sound records, their end, and how many bytes of a torn one follow."""

    mark: bytes
    records: tuple[Record, ...]
    check: bytes
    end: int
    torn: int


def _header(mark: bytes) -> bytes:
    start = first_line(_NAME, FORMAT_VERSION) + mark
    return start + tagged_hash("journal-header", start)[:_HEADER_CHECK_SIZE]


def _chain(before: bytes, kind: int, data: bytes) -> bytes:
    return tagged_hash("journal-record", before, bytes([kind]), data)[:_CHECK_SIZE]


def _read_all(fd: int, path: Path) -> bytes:
    with os.fdopen(fd, "rb", closefd=False) as file:
        data = file.read(MAX_SIZE + 1)
    if len(data) > MAX_SIZE:
        raise _unreadable(
            "{file} is larger than {limit} bytes (byte {offset}, entry {entry}).",
            str(path),
            MAX_SIZE,
            1,
            limit=MAX_SIZE,
        )
    return data


def _parse(data: bytes, name: str) -> _Content:
    line_end = check_first_line(data[:FIRST_LINE_LIMIT], _NAME, FORMAT_VERSION, name)
    mark = data[line_end : line_end + _MARK_SIZE]
    header = _header(mark)
    # The header was on disk, whole, before the journal got its name; so nothing here can be torn.
    if data[: len(header)] != header:
        raise _unreadable(
            "{file} is damaged in its header (byte {offset}, entry {entry}).", name, line_end, 1
        )
    offset, check = len(header), header
    records: list[Record] = []
    while sound := _record_at(data, offset, mark, check):
        number, body, check = sound
        try:
            kind = Kind(number)
        except ValueError:
            raise UnreadableError(
                "{file} holds a record of the unknown kind {kind} (byte {offset}, entry {entry}).",
                hint="It was written by a newer bcnet; use that one. Nothing in it was changed.",
                file=name,
                kind=number,
                offset=offset,
                entry=len(records) + 1,
            ) from None
        records.append(Record(kind, body))
        offset += _FRAME_SIZE + len(body)
    torn = len(data) - offset
    if torn > _FRAME_SIZE + MAX_RECORD_SIZE or data.find(mark, offset + _MARK_SIZE) >= 0:
        raise _unreadable("{file} is damaged (byte {offset}, entry {entry}).", name, offset, len(records) + 1)
    return _Content(mark, tuple(records), check, offset, torn)


def _record_at(data: bytes, offset: int, mark: bytes, before: bytes) -> tuple[int, bytes, bytes] | None:
    """Kind, data and hash of the record at ``offset``; None if no whole, sound one stands there."""
    start = offset + _MARK_SIZE + _LENGTH_SIZE + 1
    frame = data[offset:start]
    size = int.from_bytes(frame[_MARK_SIZE : _MARK_SIZE + _LENGTH_SIZE], "big")
    if not frame.startswith(mark) or not 0 < size <= len(data) - start - _CHECK_SIZE:
        return None
    body, stored = data[start : start + size], data[start + size : start + size + _CHECK_SIZE]
    return (frame[-1], body, stored) if stored == _chain(before, frame[-1], body) else None


def _unreadable(template: str, name: str, offset: int, record: int, **values: object) -> UnreadableError:
    return UnreadableError(
        template,
        hint="Nothing in it was changed. Put back a copy, or get it from the other side: bcnet resume --restore",
        file=name,
        offset=offset,
        entry=record,
        **values,
    )
