"""What of a running table is on disk, what has still to go there, and how a table is taken back from there.

Every call reads or writes and may take its time; a session makes them one at a time, beside its event loop.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from bcnet import transcript
from bcnet.entry import MalformedBody, Noise, read_body, read_entry
from bcnet.errors import BcnetError, Exit, Phrase, StorageError
from bcnet.home import Home, TableFolder
from bcnet.journal import Kind, Record
from bcnet.secrets import SEED_SIZE
from bcnet.table.player import Event, OtherSecrets, Player, Reaction, Standing
from bcnet.table.table import OtherProtocol

UNFINISHED = "unfinished.bct"
"""The transcript so far, in the folder of a table that was left."""


class CannotResume(BcnetError):
    """What lies in a table's folder does not let its game go on."""

    exit_code = Exit.UNREADABLE


class Keeping:
    """The folder of a player's table. It is made, seed first, when the table's offer is known."""

    def __init__(self, home: Home, player: Player) -> None:
        self._home = home
        self._player = player
        self._waiting: deque[Standing] = deque()
        self._note: bytes | None = None
        self.folder: TableFolder | None = None

    @property
    def is_behind(self) -> bool:
        """Whether there are entries that are not on disk."""
        return bool(self._waiting)

    def take(self, reaction: Reaction) -> None:
        """Take what is to be stored; `store` does it."""
        self._waiting.extend(reaction.entries)
        self._note = reaction.note or self._note

    def store(self) -> StorageError | None:
        """Write what is not on disk yet; gives what the disk did not take. The same call can be made again then."""
        try:
            self._store()
        except StorageError as error:
            return error
        return None

    def _store(self) -> None:
        course, own = self._player.table.course, self._player.number
        if self.folder is None and self._waiting:
            self.folder = self._home.create_offer(course.offer_id, own, self._player.seat.secrets.seed)
        folder = self.folder
        if folder is None:
            return
        if self._waiting:
            folder.journal.append_all(
                [
                    Record(Kind.OWN if standing.seat == own else Kind.RECEIVED, standing.data)
                    for standing in self._waiting
                ]
            )
            joined = {standing.seat for standing in self._waiting if folder.is_offer} - {0}
            for seat in joined - folder.spent:
                folder.spend(seat)
            self._waiting.clear()
        if self._note is not None:
            folder.journal.append(Kind.NOTE, self._note)
            self._note = None
        if folder.is_offer and course.table_id:
            folder.become_table(course.table_id)

    def remember(self, address: str) -> None:
        """Keep where the table is to be found again. A convenience: failing does no harm."""
        if self.folder is not None:
            with suppress(StorageError):
                self.folder.remember(address)

    def finish(self, entries: Iterable[bytes]) -> Path:
        """Store the transcript in place of the folder; gives its path. Raises `StorageError`, and the folder stays."""
        assert self.folder is not None
        path = self.folder.finish(entries)
        self.folder = None
        return path

    def let_go(self, *, keep: bool) -> Path | None:
        """Close the folder; one that nobody needs, or is not to be kept, is removed.

        Gives the path of the transcript so far, written there, where a table is kept and the disk takes it.
        """
        folder, self.folder = self.folder, None
        if folder is None:
            return None
        if not keep or (folder.is_offer and not folder.spent):
            folder.remove()
            return None
        path = folder.path / UNFINISHED
        # What is not on disk must not be seen by anybody: whoever goes on from here may decide otherwise.
        unkept = {standing.data for standing in self._waiting}
        log = [entry.data for entry in self._player.table.log.entries() if entry.data not in unkept]
        try:
            path.unlink(missing_ok=True)
            transcript.write(path, log)
        except (OSError, StorageError):
            return None  # the journal has all of it
        finally:
            folder.close()
        return path


def revealed(entries: Iterable[bytes], seat: int) -> bytes:
    """The seed that a seat has revealed in a transcript, 32 bytes; zeros if it has revealed none."""
    for data in entries:
        with suppress(MalformedBody, Noise):
            body = read_body(read_entry(data).body)
            if body.seat == seat and body.HasField("reveal") and len(body.reveal.seed) == SEED_SIZE:
                return body.reveal.seed
    return bytes(SEED_SIZE)


def recall(player: Player, folder: TableFolder) -> tuple[Event, ...]:
    """Let a player take back what its journal holds. Raises `CannotResume`."""
    records = folder.journal.records
    try:
        events = player.recall(record.data for record in records if record.kind is not Kind.NOTE)
    except OtherSecrets:
        raise CannotResume(
            "The seed, or the identity key, of table {table} is not the one that this side has sat down with.",
            hint="Put back the files of this table, and the identity, from one and the same copy.",
            table=folder.table,
        ) from None
    except OtherProtocol as other:
        raise CannotResume(
            "The journal of table {table} cannot be read here: {why}",
            hint=Phrase("{hint} Nothing in it was changed.", hint=other.hint),
            table=folder.table,
            why=other.message,
        ) from None
    except Noise as noise:
        raise CannotResume(
            "The journal of table {table} does not hold the entries of one table: {why}",
            hint="Put back a copy of it, or let the other side's copy restore it: bcnet resume {table} --restore",
            table=folder.table,
            why=noise.message,
        ) from None
    if any(record.kind is Kind.NOTE for record in records):
        player.recall_resignation()
    return events
