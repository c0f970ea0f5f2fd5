"""Frames on a gRPC stream, and the carrying of a session's frames over it; both sides use this.

A line never raises what gRPC raises: it gives frames until it is over, and remembers why. How fast frames are taken
from it is limited by waiting, so that a flood stays in the sender's own buffers (HTTP/2 flow control). It knows
neither what a frame says nor who is on the other side.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

import grpc
from grpc import aio

from bcnet.entry import MAX_ENTRY, Noise
from bcnet.session import Session, SessionOver
from bcnet.wire.v1 import table_pb2 as pb
from bcnet.wires import Wire

MAX_MESSAGE = MAX_ENTRY + 64
"""Bytes of a frame on the wire: the largest entry and what a frame adds to it."""

FRAMES_A_SECOND = 200
BURST = 400
"""Frames that may come at once before they are taken at their pace. A game between bots needs some 100 a second."""

LINGER = 2.0
"""Seconds that a side whose wire is closed gives the other to take what is under way."""

OPTIONS: tuple[tuple[str, int], ...] = (
    ("grpc.max_receive_message_length", MAX_MESSAGE),
    ("grpc.max_send_message_length", MAX_MESSAGE),
    ("grpc.max_metadata_size", 8 << 10),
    ("grpc.absolute_max_metadata_size", 16 << 10),
    # A line that died without a word is noticed after keepalive_time + keepalive_timeout, also in a long, quiet turn.
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),  # else a minute, whatever keepalive says
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
)
"""What holds for every channel and server."""


class Stream(Protocol):
    """What gRPC gives either side of a bidirectional stream."""

    async def read(self) -> Any:
        """The next message; ``aio.EOF`` at the end."""

    async def write(self, message: pb.Frame) -> None:
        """Send a message."""


class Pace:
    """Lets ``burst`` things happen at once and ``rate`` a second from then on (a token bucket)."""

    def __init__(self, rate: float, burst: int) -> None:
        self._rate = rate
        self._burst = burst
        self._left = float(burst)
        self._seen = asyncio.get_running_loop().time()

    async def step(self) -> None:
        """Return when the next may happen."""
        now = asyncio.get_running_loop().time()
        self._left = min(self._burst, self._left + (now - self._seen) * self._rate) - 1
        self._seen = now
        if self._left < 0:
            await asyncio.sleep(-self._left / self._rate)


class Line:
    """One bidirectional stream."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._pace = Pace(FRAMES_A_SECOND, BURST)
        self._ahead: asyncio.Future[pb.Frame | None] | None = None
        self._reading: asyncio.Task[Any] | None = None
        self.error: aio.AioRpcError | None = None
        """Why it broke, where gRPC has said so."""

    def ahead(self) -> asyncio.Future[pb.Frame | None]:
        """The next frame, as soon as it comes; whoever reads next gets the same. Not to be cancelled."""
        if self._ahead is None:
            self._ahead = asyncio.create_task(self._next())
        return self._ahead

    def put_back(self, frame: pb.Frame) -> None:
        """Whoever reads next gets this frame, the one that was read last, once more."""
        self._ahead = asyncio.get_running_loop().create_future()
        self._ahead.set_result(frame)

    async def read(self) -> pb.Frame | None:
        """The next frame; None when the line is over, for whatever reason."""
        if self._ahead is not None:
            ahead, self._ahead = self._ahead, None
            return await ahead
        return await self._next()

    async def _next(self) -> pb.Frame | None:
        await self._pace.step()
        # Whoever stops waiting for a frame does not end the line: gRPC cancels the call of a read that is cancelled.
        if self._reading is None:
            self._reading = asyncio.create_task(_read(self._stream))
            self._reading.add_done_callback(lambda done: done.cancelled() or done.exception())
        reading = self._reading
        try:
            await asyncio.wait({reading})
            self._reading = None
            frame = reading.result()
        except asyncio.CancelledError:
            if _is_wanted():
                raise
            return None  # the call, not we, was cancelled
        except aio.AioRpcError as error:
            self.error = error
            return None
        except Exception:  # noqa: BLE001 (gRPC has many; whatever it is, nothing more comes)
            return None
        return frame if isinstance(frame, pb.Frame) else None

    async def write(self, frame: pb.Frame) -> bool:
        """Send a frame; False when the line is over."""
        try:
            await self._stream.write(frame)
        except asyncio.CancelledError:
            if _is_wanted():
                raise
            return False
        except aio.AioRpcError as error:
            self.error = error
            return False
        except Exception:  # noqa: BLE001
            return False
        return True

    async def finish(self) -> None:
        """Say that nothing more will be sent. (A server does so by returning from its handler.)"""
        if isinstance(self._stream, aio.StreamStreamCall):
            with suppress(asyncio.InvalidStateError, grpc.RpcError):
                await self._stream.done_writing()


async def _read(stream: Stream) -> Any:
    return await stream.read()


def _is_wanted() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


@dataclass(frozen=True, slots=True)
class Departure:
    """How the other side went: the reason that it gave, or what it sent that has no place here."""

    reason: int = pb.REASON_UNSPECIFIED
    noise: Noise | None = None
    handed_over: bool = False
    """All want another game, or the offer was taken back: the line is still good, and the next session's frames follow
    on it."""


async def carry(session: Session, wire: Wire, line: Line) -> Departure:
    """Carry frames between a session and a line until either ends, and detach the wire.

    Gives how the other side went; the line can be used again only where it says so.
    Raises `StorageError` where the session does: a game could not be begun, for the disk does not take it.
    """
    sending = asyncio.create_task(_send(wire, line))
    receiving = asyncio.create_task(_receive(session, wire, line))
    closing = asyncio.create_task(wire.closed.wait())
    listening: asyncio.Task[Any] = receiving
    departure = Departure()
    try:
        await asyncio.wait({sending, receiving, closing}, return_when=asyncio.FIRST_COMPLETED)
        if wire.handed_over:
            receiving.cancel()
            await asyncio.wait({sending}, timeout=LINGER)
            if sending.done() and sending.result():
                departure = Departure(pb.REASON_FINISHED, handed_over=True)
            return departure
        if receiving.done():
            departure = receiving.result()
            session.detach(wire, departure.reason, departure.noise)
            if departure.noise is not None:
                listening = asyncio.create_task(_pass_over(line))
        # What is under way may still arrive; a side that has stopped taking anything holds nobody up.
        await asyncio.wait({sending, listening}, timeout=LINGER)
        if receiving.done():
            departure = receiving.result()
    finally:
        for task in (sending, receiving, listening, closing):
            task.cancel()
        session.detach(wire, departure.reason, departure.noise)
    return departure


async def _send(wire: Wire, line: Line) -> bool:
    """Send all that the wire gives; False where the line is over before."""
    while (frame := await wire.get()) is not None:
        if not await line.write(frame):
            return False
    if not wire.handed_over:
        await line.finish()
    return True


async def _pass_over(line: Line) -> None:
    """Take what comes, to the other's end of the line: a call that ends before may lose our goodbye."""
    while await line.read() is not None:
        pass


async def _receive(session: Session, wire: Wire, line: Line) -> Departure:
    while (frame := await line.read()) is not None:
        if frame.HasField("goodbye"):
            return Departure(int(frame.goodbye.reason))
        if frame.HasField("gathering") and not session.seated.is_set():
            # Not all have sat down: the host has taken the offer back, and waits for others once more.
            line.put_back(frame)
            wire.hand_over()
            break
        try:
            await session.receive(wire, frame)
        except Noise as noise:
            return Departure(noise=noise)
        except SessionOver:
            continue  # to the other's end of the line: a call that ends before may lose our goodbye
        if wire.handed_over:
            break  # what follows is the next game's
    return Departure()
