"""Where everything of one person lies, and what may stand there.

::

    identity.pem                              the identity key (bcnet.identity)
    players.json  players.lock                whom one has met (bcnet.players)
    name                                      the display name, if one was set (bcnet id)
    offers/<offer id>-<seat>/                 a table whose id is not known yet
    tables/<table id>-<seat>/                 a table that is being played
        seed  journal  lock  spent-<seat>  id  address
    transcripts/<date>-<table id>-<seat>.bct  finished tables
    scorebook.sqlite                          what they add up to, a cache (bcnet.scorebook)
    settings.toml                             if this folder was asked for by name (bcnet.places)

Ids are cut to their first 8 bytes, in hex. The date is the day on which the table began, as this machine saw
it. Folders are made whole under another name and appear by a rename, seed and empty journal inside: a folder
that can be seen has both. One person may hold several seats and run several programs at once; each table
folder belongs to the process that has its lock. Missing folders are made when something is first stored.

This module knows files, names and locks. It must not know what a journal says, and holds no rule of the
protocol but this one (docs/protocol.md, "What a player's program owes"): an offer that nobody was answered on (no
``spent`` marker, and nothing received in the journal, which is written just before the marker) is never taken up
again.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_bytes, token_hex
from typing import Self

from bcnet import identity, journal, places, transcript
from bcnet.errors import BcnetError, Phrase, StorageError, UnreadableError
from bcnet.files import (
    PRIVATE_FOLDER,
    TEMPORARY_PREFIX,
    FolderInUse,
    FolderLock,
    SecretLock,
    make_folder,
    storage_error,
    storage_errors,
    sync_folder,
    write_new,
    write_over,
)
from bcnet.journal import Journal, Kind
from bcnet.names import clean_name
from bcnet.players import FILE_NAME as PLAYERS_FILE
from bcnet.players import Players
from bcnet.secrets import SEED_SIZE
from bcnet.signing import Identity

MAX_SEATS = 256
MAX_NAME_FILE = 1024
"""Bytes of the file with the display name that are read."""

_JOURNAL = "journal"
_SEED = "seed"
_SPENT = "spent-"
_ID = "id"
_ADDRESS = "address"
_ID_BYTES = 8
_LEAVING_PREFIX = ".old-"
_FOLDER = re.compile(r"([0-9a-f]{16})-(0|[1-9][0-9]{0,2})")
_HOSTS = re.compile(r"[0-9a-f]{16}-0")
_TRANSCRIPT = re.compile(r"\d{4}-\d\d-\d\d-([0-9a-f]{16})-(0|[1-9][0-9]{0,2})\.bct")
_DAY = 24 * 60 * 60


def new_seed() -> bytes:
    """A fresh seed from the operating system, 32 bytes: one for every offer and every join."""
    return token_bytes(SEED_SIZE)


@dataclass(frozen=True, slots=True)
class Finished:
    """A stored transcript. Who played, and how it ended, stands in the transcript."""

    path: Path
    table: str
    """First 8 bytes of the table id, in hex."""
    seat: int
    """Whose file it is."""
    stored: float
    """When, in seconds since the epoch."""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A table that can be resumed; `Home.open` opens it, ``bcnet.journal.read(journal)`` only looks."""

    path: Path
    table: str
    """First 8 bytes in hex: of the table id, or of the offer id while `is_offer`."""
    seat: int
    is_offer: bool
    began: float
    """In seconds since the epoch, as `changed`."""
    changed: float

    @property
    def journal(self) -> Path:
        """Where the journal lies."""
        return self.path / _JOURNAL


class TableFolder:
    """The folder of one seat at one table, open and locked. Use as a context manager, or close it."""

    def __init__(self, home: Home, path: Path, lock: FolderLock) -> None:
        """Made by `Home`; takes over ``lock``."""
        self.home = home
        self.path = path
        self._lock = lock
        match = _FOLDER.fullmatch(path.name)
        assert match, path
        self.table, self.seat = match[1], int(match[2])
        self.seed = _read_seed(path / _SEED)
        self._secret_lock = SecretLock(
            self.seed, Phrase("Table {table} (seat {seat})", table=self.table, seat=self.seat)
        )
        try:
            self.journal = Journal(path / _JOURNAL)
        except BaseException:
            self._secret_lock.release()
            raise

    def __repr__(self) -> str:
        return f"<TableFolder {self.path.name}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the journal and let go of the folder; everything stays on disk."""
        self.journal.close()
        self._lock.release()
        self._secret_lock.release()

    @property
    def is_offer(self) -> bool:
        """Whether the table id is still unknown here."""
        return self.path.parent == self.home.offers

    @property
    def spent(self) -> frozenset[int]:
        """The guest seats of which a join has been answered, or was about to be."""
        with storage_errors("read", self.path):
            return _spent(self.path)

    def spend(self, seat: int) -> None:
        """Mark, on disk, that a join for ``seat`` is about to be answered; call this before answering.

        Raises ``ValueError`` if that has been done before: a seat of an offer is given once.
        """
        marker = self.path / f"{_SPENT}{_seat(seat)}"
        with storage_errors("write", marker):
            try:
                write_new(marker, [])
            except FileExistsError:
                raise ValueError(f"seat {seat} of this offer has been given before") from None

    def become_table(self, table_id: bytes) -> None:
        """The table id is known: move from ``offers`` to ``tables``, on disk, all at once.

        With two seats this also spends the offer, so call it before the join is answered. Raises
        `StorageError`; where that table is known already, too.
        """
        if not self.is_offer:
            raise ValueError(f"{self.path.name} is a table already")
        target = self.home.tables / _folder_name(table_id, self.seat)
        self.home.refuse_known(table_id, self.seat)
        with storage_errors("move the table to", target):
            write_over(self.path / _ID, [table_id.hex().encode("ascii")])
            _rename_new(self.path, target)
        self.path, self.table = target, table_id[:_ID_BYTES].hex()
        self.journal.path = target / _JOURNAL

    @property
    def table_id(self) -> bytes:
        """The whole table id; empty where it is not known (a folder that has lost it along with its journal)."""
        return _read_id(self.path / _ID)

    def remember(self, address: str) -> None:
        """Keep where the table is found: a host's own address, or the host's. Raises `StorageError`."""
        with storage_errors("write", self.path / _ADDRESS):
            write_over(self.path / _ADDRESS, [address.encode()])

    @property
    def address(self) -> str:
        """What `remember` has kept; empty if nothing."""
        try:
            return (self.path / _ADDRESS).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            return ""

    def finish(self, entries: Iterable[bytes]) -> Path:
        """Store the transcript of ``entries`` (in round and seat order) and remove this folder, seed and all.

        Gives the path of the transcript. Doing it again after a crash in between does no harm. Raises
        `StorageError`; the folder is then still there.
        """
        if self.is_offer:
            raise ValueError(f"{self.path.name} has no table id yet")
        path = self.home.transcript_of(self.table, self.seat)
        if path is None:
            with storage_errors("read", self.path / _SEED):
                began = (self.path / _SEED).stat().st_mtime
            day = time.strftime("%Y-%m-%d", time.localtime(began))
            path = self.home.transcripts / f"{day}-{self.path.name}{transcript.SUFFIX}"
        transcript.write(path, entries)
        self.remove()
        return path

    def remove(self) -> None:
        """Remove the folder with its seed and journal, for good, and close it.

        Raises `StorageError`; the folder is then still ours, and the same call can be made again.
        """
        self.journal.close()
        with storage_errors("remove", self.path), suppress(FileNotFoundError):
            _remove(self.path)
        self._lock.release()
        self._secret_lock.release()


class Home:
    """The folder of one person. Nothing is read or written before it is asked for."""

    def __init__(self, path: Path, *, make_parents: bool = False) -> None:
        """``path`` is made when needed; the folders above it only with ``make_parents``."""
        self.path = places.absolute(path)
        self._make_parents = make_parents
        self.identity_path = self.path / "identity.pem"
        self.players = Players(self.path / PLAYERS_FILE)
        self.name_path = self.path / "name"
        self.scorebook_path = self.path / "scorebook.sqlite"
        self.offers = self.path / "offers"
        self.tables = self.path / "tables"
        self.transcripts = self.path / "transcripts"

    @classmethod
    def locate(cls, option: Path | None = None, environment: Mapping[str, str] = os.environ) -> Home:
        """The home that ``--home`` names, else ``BCNET_HOME``, else the platform's folder for data."""
        if (folder := places.asked_for(option, environment)) is not None:
            return cls(folder)
        return cls(places.usual(), make_parents=True)

    def identity(self) -> Identity:
        """The identity of this home, made on first use. Raises `StorageError`."""
        try:
            return identity.load(self.identity_path)
        except FileNotFoundError:
            self.prepare()
            return identity.load_or_create(self.identity_path)

    def name(self) -> str | None:
        """The display name that was set here; None if none was. Raises `StorageError`."""
        with storage_errors("read", self.name_path):
            try:
                return clean_name(self.name_path.read_bytes()[:MAX_NAME_FILE].decode(errors="replace"))
            except FileNotFoundError:
                return None

    def set_name(self, name: str) -> None:
        """Set the display name (an allowed one). Raises `StorageError`."""
        self.prepare()
        with storage_errors("write", self.name_path):
            write_over(self.name_path, [f"{name}\n".encode()])

    def prepare(self) -> None:
        """Make the folders that are missing, each for its owner alone. Raises `StorageError`."""
        make_folder(self.path, parents=self._make_parents)
        for folder in (self.offers, self.tables, self.transcripts):
            make_folder(folder)

    # ------------------------------------------------------------------------------------------- tables

    def create_offer(self, offer_id: bytes, seat: int, seed: bytes) -> TableFolder:
        """A new folder for a table whose id is not known yet: seed on disk, journal empty, locked.

        Raises `StorageError`; also if this home has that seat of that offer already.
        """
        if os.path.lexists(self.offers / _folder_name(offer_id, seat)):
            raise StorageError(
                "Offer {offer} (seat {seat}) is known here already; it is never taken up anew.",
                hint="Resume it, or ask the other side for a new table.",
                offer=offer_id[:_ID_BYTES].hex(),
                seat=seat,
            )
        return self._create(self.offers / _folder_name(offer_id, seat), seed)

    def create_table(self, table_id: bytes, seat: int, seed: bytes) -> TableFolder:
        """A new folder for a table, likewise. Raises `StorageError` if the table is known here already."""
        self.refuse_known(table_id, seat)
        return self._create(self.tables / _folder_name(table_id, seat), seed)

    def open(self, table: Unfinished) -> TableFolder:
        """Open the folder of an unfinished table.

        Raises `FolderInUse` if another process has it, `StorageError`, and `UnreadableError` for a damaged
        seed or journal; nothing is changed then.
        """
        self.prepare()
        with storage_errors("open the table at", table.path):
            lock = FolderLock(
                table.path, Phrase("Table {table} (seat {seat})", table=table.table, seat=table.seat)
            )
            return _opened(self, table.path, lock)

    def set_journal_aside(self, table: Unfinished) -> Path:
        """Put an empty journal in the place of a damaged one, which is kept under another name; gives its path.

        The seed stays, so the other side's copy can restore the log: this side takes its own entries back before it
        says anything. Raises `FolderInUse` and `StorageError`.
        """
        with storage_errors("set the journal aside in", table.path):
            lock = FolderLock(
                table.path, Phrase("Table {table} (seat {seat})", table=table.table, seat=table.seat)
            )
            try:
                number = 1
                while os.path.lexists(aside := table.path / f"{_JOURNAL}.damaged-{number}"):
                    number += 1
                if os.path.lexists(table.journal):
                    table.journal.rename(aside)
                Journal.create(table.journal)
                return aside
            finally:
                lock.release()

    def is_in_use(self, table: Unfinished) -> bool:
        """Whether another process has the table now. Raises `StorageError`."""
        with storage_errors("look at", table.path):
            try:
                FolderLock(table.path, table.table).release()
            except FolderInUse:
                return True
            return False

    def forget(self, table: Unfinished) -> None:
        """Remove an unfinished table for good, damaged or not. Raises `FolderInUse` and `StorageError`."""
        with storage_errors("remove", table.path):
            lock = FolderLock(
                table.path, Phrase("Table {table} (seat {seat})", table=table.table, seat=table.seat)
            )
            try:
                _remove(table.path)
            finally:
                lock.release()

    def unfinished(self) -> list[Unfinished]:
        """The tables that can be resumed, oldest first: all in ``tables``, and offers that were answered."""
        found = [self._unfinished(path) for path in _folders(self.tables)]
        found += [self._unfinished(path) for path in _folders(self.offers) if _is_answered(path)]
        return sorted((each for each in found if each), key=lambda each: (each.began, each.path))

    def finished(self) -> list[Finished]:
        """The stored transcripts, oldest first. Files with other names are passed over."""
        found = [
            Finished(path, match[1], int(match[2]), status.st_mtime)
            for path in _children(self.transcripts)
            if (match := _TRANSCRIPT.fullmatch(path.name)) and (status := _status(path))
        ]
        return sorted(found, key=lambda each: (each.stored, each.path))

    def transcript_of(self, table: str, seat: int) -> Path | None:
        """Where the transcript of a table (first 8 bytes of its id in hex) lies, if there is one."""
        paths = (each.path for each in self.finished() if (each.table, each.seat) == (table, seat))
        return next(paths, None)

    def refuse_known(self, table_id: bytes, seat: int) -> None:
        """Raise `StorageError` if this home has that seat at that table, finished or not."""
        table = table_id[:_ID_BYTES].hex()
        if self.transcript_of(table, seat) or os.path.lexists(self.tables / _folder_name(table_id, seat)):
            raise StorageError(
                "Table {table} (seat {seat}) is known here already; it is never begun anew.",
                hint="Resume it if it is not finished, or ask the other side for a new table.",
                table=table,
                seat=seat,
            )

    def sweep(self) -> None:
        """Remove what crashes left behind and nobody can need; what another process uses stays.

        That is: offers on which no join was answered (so nobody can resume them, and their seeds will never be
        used), and half-made or half-removed folders and files. Never a table.
        """
        for path in _folders(self.offers):
            if not _is_answered(path):
                _sweep_folder(path, unless=_is_answered)
        for path in _children(self.offers) + _children(self.tables):
            if path.name.startswith((TEMPORARY_PREFIX, _LEAVING_PREFIX)):
                _sweep_folder(path, unless=lambda _: False)
        for path in _children(self.path) + _children(self.transcripts):
            # A file in the making has no lock, but none takes a day.
            status = _status(path) if path.name.startswith(TEMPORARY_PREFIX) else None
            if status and time.time() - status.st_mtime > _DAY:
                with suppress(OSError):
                    path.unlink()

    def _create(self, target: Path, seed: bytes) -> TableFolder:
        if len(seed) != SEED_SIZE:
            raise ValueError(f"a seed has {SEED_SIZE} bytes, not {len(seed)}")
        self.prepare()
        with storage_errors("make the folder", target):
            made, lock = _new_folder(target.parent)
            try:
                write_new(made / _SEED, [seed])
                Journal.create(made / _JOURNAL)
                _rename_new(made, target)
            except BaseException:
                with suppress(OSError):
                    _remove(made)
                lock.release()
                raise
            return _opened(self, target, lock)

    def _unfinished(self, path: Path) -> Unfinished | None:
        match = _FOLDER.fullmatch(path.name)
        seed, journal = _status(path / _SEED), _status(path / _JOURNAL)
        if not match or not seed:
            return None
        changed = journal.st_mtime if journal else seed.st_mtime
        return Unfinished(path, match[1], int(match[2]), path.parent == self.offers, seed.st_mtime, changed)


# ---------------------------------------------------------------------------------------------------- folders


def _opened(home: Home, path: Path, lock: FolderLock) -> TableFolder:
    try:
        return TableFolder(home, path, lock)
    except BaseException:
        lock.release()
        raise


def _seat(seat: int) -> int:
    if not 0 <= seat < MAX_SEATS:
        raise ValueError(f"seat {seat} is outside 0..{MAX_SEATS - 1}")
    return seat


def _folder_name(whole_id: bytes, seat: int) -> str:
    if len(whole_id) < _ID_BYTES:
        raise ValueError(f"an id of {len(whole_id)} bytes is too short")
    return f"{whole_id[:_ID_BYTES].hex()}-{_seat(seat)}"


def _new_folder(parent: Path) -> tuple[Path, FolderLock]:
    """An empty folder under a passing name, locked."""
    while True:
        path = parent / f"{TEMPORARY_PREFIX}{token_hex(8)}"
        path.mkdir(mode=PRIVATE_FOLDER)
        # Before the lock is ours, another process may sweep the empty folder away; then a new one is made.
        with suppress(FolderInUse, FileNotFoundError):
            return path, FolderLock(path, path.name)


def _rename_new(source: Path, target: Path) -> None:
    """Rename a folder, on disk, to a name that is free; raises ``FileExistsError`` if it is not."""
    sync_folder(source)
    try:
        source.rename(target)
    except OSError as error:
        if error.errno in {errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR} and os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target)) from error
        raise
    sync_folder(target.parent)
    if source.parent != target.parent:
        sync_folder(source.parent)


def _remove(path: Path) -> None:
    """Remove a folder that we hold the lock of.

    With its name it is gone. What a crash, or another process that sweeps, leaves of the rest, a sweep takes.
    """
    leaving = path.with_name(f"{_LEAVING_PREFIX}{token_hex(8)}")
    path.rename(leaving)
    sync_folder(path.parent)
    shutil.rmtree(leaving, ignore_errors=True)


def _sweep_folder(path: Path, unless: Callable[[Path], object]) -> None:
    """Remove a folder that no process uses, ``unless`` something speaks against it, asked under its lock."""
    with suppress(OSError, StorageError):
        lock = FolderLock(path, path.name)
        try:
            if not unless(path):
                _remove(path)
        finally:
            lock.release()


def _children(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except FileNotFoundError:
        return []
    except OSError as error:
        raise storage_error("read the folder", folder, error) from error


def _folders(parent: Path) -> list[Path]:
    return [path for path in _children(parent) if _FOLDER.fullmatch(path.name) and path.is_dir()]


def _spent(path: Path) -> frozenset[int]:
    return frozenset(
        int(number)
        for each in _children(path)
        if each.name.startswith(_SPENT) and (number := each.name[len(_SPENT) :]).isdecimal()
    )


def _is_answered(path: Path) -> bool:
    """Whether a join to this offer may have been answered, or would have been if the program had not died just then."""
    if _spent(path):
        return True
    if _HOSTS.fullmatch(path.name) is None:
        return False  # a guest whose own join was not sent: the folder moves before
    try:
        return any(record.kind is Kind.RECEIVED for record in journal.read(path / _JOURNAL))
    except BcnetError:
        return False


def _status(path: Path) -> os.stat_result | None:
    """What the system knows of ``path``; None if it has gone in the meantime."""
    try:
        return path.stat()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise storage_error("read", path, error) from error


def _read_id(path: Path) -> bytes:
    try:
        return bytes.fromhex(path.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return b""


def _read_seed(path: Path) -> bytes:
    with storage_errors("read the seed", path), path.open("rb") as file:
        seed = file.read(SEED_SIZE + 1)
    if len(seed) != SEED_SIZE:
        raise UnreadableError(
            "The seed {path} is damaged: {size} bytes where {right} belong.",
            hint="Without it this table cannot go on here. Put back a copy of the file if you have one.",
            path=path,
            size=len(seed),
            right=SEED_SIZE,
        )
    return seed
