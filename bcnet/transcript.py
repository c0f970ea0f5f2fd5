"""The finished log as a file: every signed entry exactly as it came, in round and seat order.

A transcript is the line ``bcnet transcript 1``, then for each entry its length (4 bytes, big-endian) and its
bytes, and nothing else. For every list of entries there is exactly one such byte string, so the files of both
sides are equal to the byte. There is no checksum: the entries are signed and chained, and what one flipped
bit does, the signatures tell. What stands in an entry is for ``bcnet.entry`` and ``bcnet.verify`` to say;
this module must not know.

A transcript may come from anybody. Nothing is allocated because of a length that it claims.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from bcnet.errors import StorageError, UnreadableError
from bcnet.files import FIRST_LINE_LIMIT, check_first_line, first_line, storage_errors, write_new

FORMAT_VERSION = 1
SUFFIX = ".bct"
"""How the names of transcripts end."""
MAX_ENTRY_SIZE = 1 << 20
MAX_SIZE = 64 << 20
MAX_ENTRIES = 1 << 17

_KIND = "transcript"
_LENGTH_SIZE = 4
_PIECE = 1 << 16
_READABLE_BY_OTHERS = 0o666  # less the umask: nothing in a finished transcript is secret
_LOOK = "Check the path, and that you may read the file (ls -l)."
_AGAIN = "It is damaged or was not copied whole; ask for it once more, or take the other side's file."


def encode(entries: Iterable[bytes]) -> Iterator[bytes]:
    """The transcript of ``entries`` in pieces; joined, they are the file.

    Raises ``ValueError`` for no entry at all and for an entry that is empty or over `MAX_ENTRY_SIZE`, and
    `StorageError` for more than `MAX_ENTRIES` entries or `MAX_SIZE` bytes.
    """
    line = first_line(_KIND, FORMAT_VERSION)
    yield line
    size, count = len(line), 0
    for count, entry in enumerate(entries, 1):
        if not 0 < len(entry) <= MAX_ENTRY_SIZE:
            raise ValueError(f"entry {count} has {len(entry)} bytes; 1 to {MAX_ENTRY_SIZE} are possible")
        size += _LENGTH_SIZE + len(entry)
        if size > MAX_SIZE or count > MAX_ENTRIES:
            raise StorageError(
                "A transcript holds at most {entries} entries and {bytes} bytes; entry {entry} does not fit.",
                entries=MAX_ENTRIES,
                bytes=MAX_SIZE,
                entry=count,
            )
        yield len(entry).to_bytes(_LENGTH_SIZE, "big")
        yield entry
    if not count:
        raise ValueError("a transcript has at least one entry")


def offset_of(entries: Sequence[bytes], index: int) -> int:
    """The byte of the file at which the entry ``entries[index]`` begins, after its length."""
    lengths = sum(_LENGTH_SIZE + len(entry) for entry in entries[:index])
    return len(first_line(_KIND, FORMAT_VERSION)) + lengths + _LENGTH_SIZE


def write(path: Path, entries: Iterable[bytes]) -> None:
    """Store ``entries`` at ``path``, whole or not at all.

    An equal file that is there already is left as it is; a different one is never replaced (`StorageError`).
    Also raises what `encode` raises, and `StorageError` for all that the disk may say.
    """
    entries = list(entries)
    with storage_errors("write the transcript", path):
        try:
            write_new(path, encode(entries), mode=_READABLE_BY_OTHERS)
        except FileExistsError:
            if not _holds(path, entries):
                raise StorageError(
                    "There is another file at {path} already; it was left as it is.",
                    hint="Move it away, or choose another name.",
                    path=path,
                ) from None


def read(source: Path | bytes) -> list[bytes]:
    """All entries of a transcript, given as a path or as its bytes.

    Raises `UnreadableError` with the byte and the entry (counted from 1) where reading ended, `StorageError`
    if the file cannot be read at all.
    """
    if isinstance(source, bytes):
        return list(stream(BytesIO(source), "the transcript"))
    with opened(source) as file:
        return list(stream(file, str(source)))


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """The file of a transcript, to read. `StorageError` if there is none, for all that the disk may say, and for what
    is no file: a file is read more than once, which a pipe is not, and from a pipe nothing may ever come.
    """
    with storage_errors("read the transcript", path, hint=_LOOK):
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
        with os.fdopen(fd, "rb") as file:
            kind = os.fstat(fd).st_mode
            if stat.S_ISDIR(kind):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            if not stat.S_ISREG(kind):
                raise StorageError(
                    "Cannot read the transcript {path}: it is a pipe or a device, not a file.",
                    hint="Store in a file what comes from there, and name that.",
                    path=path,
                )
            yield file


def stream(file: BinaryIO, name: str) -> Iterator[bytes]:
    """The entries of an open file one by one, with no more than one in memory; ``name`` is for the errors.

    Raises as `read` does, in the course of it; ``OSError`` as it comes.
    """
    head = _read_up_to(file, len(first_line(_KIND, FORMAT_VERSION)))
    if head != first_line(_KIND, FORMAT_VERSION):
        head += _read_up_to(file, FIRST_LINE_LIMIT - len(head))
    offset = check_first_line(head, _KIND, FORMAT_VERSION, name)
    number = 0
    while length_bytes := _read_up_to(file, _LENGTH_SIZE):
        number += 1
        if number > MAX_ENTRIES:
            raise _unreadable(
                "{file} has more than {limit} entries (byte {offset}, entry {entry}).",
                name,
                offset,
                number,
                limit=MAX_ENTRIES,
            )
        if len(length_bytes) < _LENGTH_SIZE:
            raise _unreadable(
                "{file} ends inside the length of an entry (byte {offset}, entry {entry}).",
                name,
                offset + len(length_bytes),
                number,
            )
        length = int.from_bytes(length_bytes, "big")
        if not 0 < length <= MAX_ENTRY_SIZE:
            raise _unreadable(
                "{file} claims an entry of {length} bytes, but 1 to {limit} are possible "
                "(byte {offset}, entry {entry}).",
                name,
                offset,
                number,
                length=length,
                limit=MAX_ENTRY_SIZE,
            )
        offset += _LENGTH_SIZE
        if offset + length > MAX_SIZE:
            raise _unreadable(
                "{file} is larger than {limit} bytes (byte {offset}, entry {entry}).",
                name,
                offset,
                number,
                limit=MAX_SIZE,
            )
        entry = _read_up_to(file, length)
        offset += len(entry)
        if len(entry) < length:
            raise _unreadable(
                "{file} has only {present} of the {length} bytes of an entry (byte {offset}, entry {entry}).",
                name,
                offset,
                number,
                present=len(entry),
                length=length,
            )
        yield entry
    if not number:
        raise _unreadable(
            "{file} ends before its first entry (byte {offset}, entry {entry}).", name, offset, 1
        )


def _unreadable(template: str, name: str, offset: int, entry: int, **values: object) -> UnreadableError:
    return UnreadableError(
        template,
        hint=_AGAIN,
        file=name,
        offset=offset,
        entry=entry,
        **values,
    )


def _read_up_to(file: BinaryIO, size: int) -> bytes:
    """``size`` bytes, or fewer at the end of the file. Asks for a piece at a time: ``size`` is a claim."""
    pieces = []
    while size and (piece := file.read(min(size, _PIECE))):
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def _holds(path: Path, entries: list[bytes]) -> bool:
    """Whether the file at ``path`` is the transcript of ``entries``."""
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        pieces = list(encode(entries))
        return size == sum(map(len, pieces)) and all(file.read(len(piece)) == piece for piece in pieces)
