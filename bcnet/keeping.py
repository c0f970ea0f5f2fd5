"""What of a running table is on disk, and what has still to go there.

Every call reads or writes and may take its time; a session makes them one at a time, beside its event loop.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from bcnet import transcript
from bcnet.errors import StorageError
from bcnet.home import Home, TableFolder
from bcnet.journal import Kind, Record
from bcnet.table.player import Player, Reaction, Standing

UNFINISHED = "unfinished.bct"
"""The transcript so far, in the folder of a table that was left."""


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
