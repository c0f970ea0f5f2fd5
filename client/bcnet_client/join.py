"""Sitting down at another's table: connect, say hello, take a seat.

Everything up to the hello has one deadline, so that whoever types a wrong address knows within ten seconds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from secrets import token_bytes
from typing import TypeVar

import grpc
from grpc import aio

from bcnet import __version__
from bcnet.entry import Noise
from bcnet.errors import NetworkError
from bcnet.games import registry
from bcnet.hello import NONCE_SIZE, Role, check_hello, check_proof, make_hello, sign_hello
from bcnet.home import Home
from bcnet.session import LineDown, Session
from bcnet.signing import Identity
from bcnet.table.membership import GameLookup
from bcnet.wire.v1 import table_pb2 as pb
from bcnet.wire.v1.table_pb2_grpc import TableStub
from bcnet_client import reasons
from bcnet_client.address import Address
from bcnet_client.line import OPTIONS, Line, carry
from bcnet_client.reach import reach, target

HELLO_TIME = 4.0
"""Seconds for both hellos, once somebody has taken the connection."""

SEAT_TIME = 30.0
"""Seconds for the offer to arrive and the join to be stored."""

GUEST_SEAT = 1
HOST_SEAT = 0

_OPTIONS = (
    *OPTIONS,
    (
        "grpc.enable_http_proxy",
        0,
    ),  # http_proxy is for web pages; what lies in the LAN is not reached through it
    ("grpc.enable_retries", 0),
)

_T = TypeVar("_T")


class NotSeated(NetworkError):
    """The host answers, but there is no game to be had."""


class WrongProgram(NetworkError):
    """Something listens there that is no bcnet host."""


class Visit:
    """A seat at another's table, and the line to it."""

    def __init__(
        self, channel: aio.Channel, session: Session, host: pb.Hello, carrying: asyncio.Task[None]
    ) -> None:
        """Made by `join`."""
        self.session = session
        self.host = host
        """The host's proven hello."""
        self._channel = channel
        self._carrying = carrying

    async def close(self) -> None:
        """End the line. Close the session first: then what it still says is sent, and the other is told."""
        await _ended(self._carrying)
        await self._channel.close()


async def join(
    home: Home, identity: Identity, name: str, address: Address, *, games: GameLookup = registry.get
) -> Visit:
    """Sit down at the table at ``address``. Raises `NetworkError`, `Noise` and `StorageError`; nothing stays open."""
    endpoint = await reach(address)
    channel = aio.insecure_channel(target(endpoint), options=_OPTIONS)
    try:
        return await _sit_down(channel, address, home, identity, name, games)
    except BaseException:
        await channel.close()
        raise


async def _sit_down(
    channel: aio.Channel, address: Address, home: Home, identity: Identity, name: str, games: GameLookup
) -> Visit:
    line = Line(TableStub(channel).Play())
    try:
        host = await _within(HELLO_TIME, _greet(line, identity, address), address)
    except Noise as noise:
        raise WrongProgram(
            "What listens at {address} is no host to sit down with: {why}",
            hint="Check the address with the host. If it is right, somebody may sit in between, or play foul.",
            address=str(address),
            why=noise.message,
        ) from None
    session = await Session.join(home, identity, name, GUEST_SEAT, games=games)
    updates = session.updates()
    wire = await session.attach(frozenset({HOST_SEAT}), identity=host.identity, offer=host.table)
    carrying = asyncio.create_task(carry(session, wire, line))
    seated = asyncio.create_task(session.seated.wait())
    try:
        await asyncio.wait({carrying, seated}, timeout=SEAT_TIME, return_when=asyncio.FIRST_COMPLETED)
        if session.seated.is_set():
            return Visit(channel, session, host, carrying)
        if carrying.done():
            carrying.result()
        down = updates.get_nowait() if not updates.empty() else None
        why = (
            reasons.why(down.reason, down.noise)
            if isinstance(down, LineDown)
            else "the host says nothing more"
        )
        raise NotSeated("There was no game: {why}.", hint="Try again, or ask the host.", why=why)
    except BaseException:
        await session.abandon(pb.REASON_LEAVING)
        await _ended(carrying)
        raise
    finally:
        seated.cancel()


async def _greet(line: Line, identity: Identity, address: Address) -> pb.Hello:
    """Both hellos and both proofs; gives the host's."""
    ours = make_hello(Role.GUEST, identity.public, token_bytes(NONCE_SIZE), b"", __version__)
    await line.write(pb.Frame(hello=ours))
    theirs = await _read(line, "hello", address)
    check_hello(theirs.hello, Role.HOST, __version__)
    proof = await _read(line, "proof", address)
    check_proof(ours, theirs.hello, Role.HOST, b"", proof.proof)
    await line.write(pb.Frame(proof=sign_hello(ours, theirs.hello, Role.GUEST, b"", identity.sign_message)))
    return theirs.hello


async def _read(line: Line, kind: str, address: Address) -> pb.Frame:
    """A frame of this kind. Raises what anything else means."""
    frame = await line.read()
    if frame is None:
        raise _wrong_program(line, address)
    if frame.HasField("goodbye"):
        raise _turned_away(int(frame.goodbye.reason))
    if not frame.HasField(kind):
        raise Noise("The host's first words are no {kind}.", kind=kind)
    return frame


async def _within(seconds: float, work: Awaitable[_T], address: Address) -> _T:
    try:
        async with asyncio.timeout(seconds):
            return await work
    except TimeoutError:
        raise WrongProgram(
            "Something listens at {address}, but it does not answer like a bcnet host.",
            hint="Check the port. If it is the right one, the host's program hangs.",
            address=str(address),
        ) from None


def _wrong_program(line: Line, address: Address) -> NetworkError:
    code = line.error.code() if line.error else None
    if code in {grpc.StatusCode.UNIMPLEMENTED, grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.INTERNAL, None}:
        return WrongProgram(
            "What listens at {address} is no bcnet host.",
            hint="Check the address and the port (bcnet's own is 4680). If they are right, try again in a moment.",
            address=str(address),
        )
    return NotSeated(
        "The host at {address} has ended the connection.", hint="Try again.", address=str(address)
    )


def _turned_away(reason: int) -> NetworkError:
    if reason == pb.REASON_TAKEN:
        return NotSeated(
            "The table is taken: somebody else sits there already.",
            hint="Ask the host, or open a table yourself: bcnet host",
        )
    return NotSeated(
        "The host turns you away: {why}.", hint="Try again, or ask the host.", why=reasons.why(reason)
    )


async def _ended(carrying: asyncio.Task[None]) -> None:
    """Wait until the carrier has sent what it had to; it limits itself."""
    if not carrying.done():
        await asyncio.wait({carrying})
    if not carrying.cancelled():
        carrying.exception()
