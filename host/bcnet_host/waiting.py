"""The guests who wait until a table is filled. Each is told on its own line who has come: a slow one holds up nobody.

This module knows lines and sessions, and nothing of gRPC.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from bcnet.gathering import Gathering, Sitter
from bcnet.session import Session
from bcnet.wire.v1 import table_pb2 as pb
from bcnet_client.line import LINGER, Line


@dataclass(frozen=True, slots=True)
class Place:
    """Where a guest sits down: the table, the seat, and who else is there."""

    session: Session
    seat: int
    gathering: Gathering


class Guest:
    """Somebody who has been let in, on a line; or has come back to a ``place`` on a new one."""

    def __init__(self, identity: bytes, name: str, line: Line, place: Place | None = None) -> None:
        self.identity = identity
        self.name = name
        self.line = line
        self.place: asyncio.Future[Place] = asyncio.get_running_loop().create_future()
        if place is not None:
            self.place.set_result(place)
        self.gone: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        """Done when the line has ended: whether it may come back; or the exception where our own disk was to blame."""
        self.gone.add_done_callback(lambda done: done.cancelled() or done.exception())


class Waiting:
    """Everybody who has been let in to a table that has not begun, in the order of their coming."""

    def __init__(self, game: str, seats: int, host: Sitter, changed: Callable[[Gathering], None]) -> None:
        self._game = game
        self._seats = seats
        self._host = host
        self._changed = changed
        self._news = asyncio.Event()
        self._goodbye: int | None = None
        self.guests: list[Guest] = []

    @property
    def is_full(self) -> bool:
        """Whether nobody more is awaited."""
        return len(self.guests) >= self._seats - 1

    def gathering(self) -> Gathering:
        """Who is here, and how many are awaited."""
        return replace(self.complete(self.guests), seats=self._seats)

    def complete(self, guests: Sequence[Guest]) -> Gathering:
        """These are all, and the table begins with them."""
        sitters = (self._host, *(Sitter(guest.name, guest.identity) for guest in guests))
        return Gathering(self._game, len(sitters), sitters)

    def enter(self, guest: Guest) -> None:
        """Somebody has been let in."""
        self.guests.append(guest)
        self._tell()

    def leave(self, guest: Guest) -> None:
        """Somebody has gone."""
        if guest in self.guests:
            self.guests.remove(guest)
            self._tell()

    def replace(self, before: Guest, after: Guest) -> None:
        """Somebody who has sat down, while others have not, is on another line now."""
        self.guests[self.guests.index(before)] = after

    def close(self, reason: int) -> None:
        """Say goodbye to all who wait."""
        self._goodbye = reason
        self._wake()

    async def wait(self, guest: Guest) -> Place | None:
        """Tell a guest who is here until there is a place for it; None where it goes, or says anything, before."""
        while self._goodbye is None:
            news = self._news
            if not guest.place.done():
                seat = self.guests.index(guest) + 1
                if not await write_soon(guest.line, pb.Frame(gathering=self.gathering().message(seat))):
                    self.leave(guest)
                    return None
            ahead, woken = guest.line.ahead(), asyncio.ensure_future(news.wait())
            first: set[asyncio.Future[Any]] = {ahead, woken, guest.place}
            await asyncio.wait(first, return_when=asyncio.FIRST_COMPLETED)
            woken.cancel()
            if guest.place.done():
                place = guest.place.result()
                await write_soon(
                    guest.line, pb.Frame(gathering=place.gathering.message(place.seat, begins=True))
                )
                return place
            if ahead.done():
                self.leave(guest)
                if (frame := ahead.result()) is not None and not frame.HasField("goodbye"):
                    await turn_away(guest.line, pb.REASON_NOISE)
                return None
        await turn_away(guest.line, self._goodbye)
        return None

    def _tell(self) -> None:
        self._changed(self.gathering())
        self._wake()

    def _wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()


async def turn_away(line: Line, reason: int) -> None:
    """Say goodbye; nothing follows on this line."""
    with suppress(asyncio.CancelledError):
        await write_soon(line, pb.Frame(goodbye=pb.Goodbye(reason=pb.Reason.Name(reason))))


async def write_soon(line: Line, frame: pb.Frame) -> bool:
    """Send a frame; False when the line is over, as it is for a side that takes nothing any more. Holds nobody up."""
    try:
        async with asyncio.timeout(LINGER):
            return await line.write(frame)
    except TimeoutError:
        return False
