"""The frames on their way from a session to another side. What carries them further is not known here."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from bcnet.table.player import Position
from bcnet.wire.v1 import table_pb2 as pb

MAX_WAITING = 1024
"""Frames that may wait for a side that does not read. A game is in lockstep and needs a handful a seat."""


class Wire:
    """The frames that are to go to another side, in their order; None ends it. Made by ``Session.attach``."""

    def __init__(
        self,
        seats: frozenset[int],
        identity: bytes = b"",
        name: str = "",
        table: bytes = b"",
    ) -> None:
        self.seats = seats
        """Whose entries come from there and need not be sent there."""
        self.identity = identity
        """The key that the side has proven (that of its lowest seat); empty if nobody asked for it."""
        self.name = name
        """The name in its hello, that it sits down under; empty if nobody asked for it."""
        self.table = table
        """The id of the table that the side has come back to; empty if it is new."""
        self.position: Position | None = None
        """How far the other side's log reaches, as it has said; None before."""
        self.is_open = False
        """Whether the other side has got what it lacked, and gets what is said from now on."""
        self.has_caught_up = False
        """Whether we have got from it what we lacked."""
        self.wanting: set[int] = set()
        """The seats that want another game, as said on this line."""
        self.handed_over = False
        """Whether the line outlives this wire: the next game, or the next offer, goes on over it."""
        self.closed = asyncio.Event()
        """Set when nothing more will be put into it."""
        self._frames: asyncio.Queue[pb.Frame | None] = asyncio.Queue()

    def put(self, frame: pb.Frame) -> None:
        """Send a frame, unless the wire is closed already. A side that takes nothing any more is given up."""
        if self._frames.qsize() >= MAX_WAITING:
            self.close()
        if not self.closed.is_set():
            self._frames.put_nowait(frame)

    def put_all(self, frames: Iterable[pb.Frame]) -> None:
        """Send frames, however many: what the other side lacks of a log that we hold anyway."""
        if not self.closed.is_set():
            for frame in frames:
                self._frames.put_nowait(frame)

    def hand_over(self) -> None:
        """Send what is waiting, then nothing more; the line stays for the next game."""
        self.handed_over = True
        self.close()

    async def get(self) -> pb.Frame | None:
        """The next frame to send; None when there will be none."""
        return await self._frames.get()

    def close(self, reason: int = pb.REASON_UNSPECIFIED) -> None:
        """Send what is waiting and a goodbye (none for REASON_UNSPECIFIED), then nothing more."""
        if not self.closed.is_set():
            if reason != pb.REASON_UNSPECIFIED:
                self._frames.put_nowait(pb.Frame(goodbye=pb.Goodbye(reason=pb.Reason.Name(reason))))
            self._frames.put_nowait(None)
            self.closed.set()
