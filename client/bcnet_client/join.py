"""Sitting down at another's table, and staying there: connect, say hello, take a seat; come back when the line drops.

Everything up to the hello has one deadline, so that whoever types a wrong address knows within ten seconds. A line that
is cut in mid-game is sought again with growing pauses until the player leaves; the same way leads back to a table that
was taken up again from disk.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable
from contextlib import suppress
from secrets import token_bytes
from typing import Any, TypeVar

import grpc
from grpc import aio

from bcnet import __version__
from bcnet.entry import Noise
from bcnet.errors import BcnetError, NetworkError
from bcnet.games import registry
from bcnet.hello import NONCE_SIZE, OtherVersion, Role, check_hello, check_proof, make_hello, sign_hello
from bcnet.home import Home
from bcnet.session import LineDown, Session
from bcnet.signing import Identity
from bcnet.table.membership import GameLookup
from bcnet.wire.v1 import table_pb2 as pb
from bcnet.wire.v1.table_pb2_grpc import TableStub
from bcnet_client import reasons
from bcnet_client.address import Address
from bcnet_client.line import OPTIONS, Departure, Line, carry
from bcnet_client.reach import reach, target

HELLO_TIME = 4.0
"""Seconds for both hellos, once somebody has taken the connection."""

SEAT_TIME = 30.0
"""Seconds for the offer to arrive and the join to be stored."""

FIRST_PAUSE = 0.25
LONGEST_PAUSE = 15.0
"""Seconds between two tries to come back: at first, and at most. Each is twice the last, and shortened by chance."""

GUEST_SEAT = 1
HOST_SEAT = 0

_OPTIONS = (
    *OPTIONS,
    (
        "grpc.enable_http_proxy",
        0,
    ),  # http_proxy is for web pages; what lies in the LAN is not reached through it
    ("grpc.enable_retries", 0),
    (
        "grpc.use_local_subchannel_pool",
        1,
    ),  # a line that is sought again is a new one, not gRPC's memory of the last
)

_T = TypeVar("_T")


class NotSeated(NetworkError):
    """The host answers, but there is no game to be had."""


class WrongProgram(NetworkError):
    """Something listens there that is no bcnet host."""


class Visit:
    """A seat at another's table, and the line to it, which is sought again whenever it drops."""

    def __init__(self, door: _Door, session: Session) -> None:
        """Made by `join` and `resume`."""
        self.session = session
        self._door = door
        self._next: asyncio.Future[Session] = asyncio.get_running_loop().create_future()
        self._keeping: asyncio.Task[None] | None = None
        self._is_seeking = False
        """Whether there is no line now, so that there is nothing to be said on leaving."""

    @property
    def host(self) -> pb.Hello:
        """The proven hello of the host that was reached last."""
        return self._door.host

    async def next_game(self) -> Session | None:
        """The session of the next game, once both want one; None if there will be none."""
        keeping = self._keeping
        assert keeping is not None
        either: set[asyncio.Future[Any]] = {self._next, keeping}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if not self._next.done():
            return None
        self.session, self._next = self._next.result(), asyncio.get_running_loop().create_future()
        return self.session

    async def close(self) -> None:
        """End the line. Close the session first: then what it still says is sent, and the other is told."""
        keeping = self._keeping
        if keeping is not None:
            if not keeping.done() and not self._is_seeking:
                await asyncio.wait({keeping}, timeout=3)
            keeping.cancel()
            with suppress(asyncio.CancelledError, BcnetError):
                await keeping
        await self._door.close()

    # --- inside ---

    def keep(self, carrying: asyncio.Task[Departure] | None) -> None:
        """From now on, keep the line; ``carrying``: the one that there is already."""
        self._keeping = asyncio.create_task(self._keep(carrying))

    async def _keep(self, carrying: asyncio.Task[Departure] | None) -> None:
        session = self.session
        departure = Departure() if carrying is None else await carrying
        while True:
            if departure.handed_over:
                try:
                    session, carrying = await self._door.sit_down()
                except BcnetError:
                    return
                self._next.set_result(session)
            else:
                if not self._is_wanted(session, departure):
                    return
                self._is_seeking = True
                carrying = await self._come_back(session, departure)
                self._is_seeking = False
                if carrying is None:
                    return
            departure = await carrying

    @staticmethod
    def _is_wanted(session: Session, departure: Departure) -> bool:
        """Whether the line is to be sought again."""
        if session.is_leaving or (session.delivered.is_set() and not session.keeps_lines):
            return False
        if session.ended is not None and session.ended.fault is not None:
            return False
        return reasons.passes(departure.reason, departure.noise)

    async def _come_back(self, session: Session, departure: Departure) -> asyncio.Task[Departure] | None:
        """Try until there is a line again; None if there will be none."""
        pause = FIRST_PAUSE
        said = ""
        is_paused = departure.reason == pb.REASON_PAUSED  # then nobody is expected to answer
        while not session.is_leaving:
            try:
                return await self._door.come_back(session)
            except OtherVersion as error:
                session.still_down(frozenset({HOST_SEAT}), error.message)
                return None
            except BcnetError as error:
                if error.message != said and not is_paused:
                    session.still_down(frozenset({HOST_SEAT}), error.message)
                    said = error.message
            await asyncio.sleep(pause * random.uniform(0.5, 1))  # noqa: S311 (so that not all come at once)
            pause = min(2 * pause, LONGEST_PAUSE)
        return None


async def join(
    home: Home, identity: Identity, name: str, address: Address, *, games: GameLookup = registry.get
) -> Visit:
    """Sit down at the table at ``address``. Raises `NetworkError`, `Noise` and `StorageError`; nothing stays open."""
    door = _Door(home, identity, name, address, games)
    try:
        await door.open(b"")
        session, carrying = await door.sit_down()
    except BaseException:
        await door.close()
        raise
    visit = Visit(door, session)
    visit.keep(carrying)
    return visit


def resume(
    home: Home,
    identity: Identity,
    name: str,
    address: Address,
    session: Session,
    *,
    games: GameLookup = registry.get,
) -> Visit:
    """Go back, with a session that was taken up again, to its table at ``address``; tries until there is a line."""
    visit = Visit(_Door(home, identity, name, address, games), session)
    visit.keep(None)
    return visit


class _Door:
    """The way to a host: a channel and a stream on it, opened anew for each line."""

    def __init__(
        self, home: Home, identity: Identity, name: str, address: Address, games: GameLookup
    ) -> None:
        self._home = home
        self._identity = identity
        self._name = name
        self._address = address
        self._games = games
        self._channel: aio.Channel | None = None
        self._line: Line | None = None
        self._hello: pb.Hello | None = None
        self._named = b""

    @property
    def host(self) -> pb.Hello:
        """The hello of the host that was reached last."""
        assert self._hello is not None
        return self._hello

    async def close(self) -> None:
        channel, self._channel = self._channel, None
        if channel is not None:
            await channel.close()

    async def open(self, table: bytes) -> tuple[Line, pb.Hello]:
        """Connect, and say hello; ``table``: the one that the guest comes back to, or empty."""
        await self.close()
        endpoint = await reach(self._address)
        self._channel = aio.insecure_channel(target(endpoint), options=_OPTIONS)
        line = Line(TableStub(self._channel).Play())
        try:
            host = await _within(
                HELLO_TIME, _greet(line, self._identity, self._address, table), self._address
            )
        except Noise as noise:
            raise WrongProgram(
                "What listens at {address} is no host to sit down with: {why}",
                hint="Check the address with the host. If it is right, somebody may sit in between, or play foul.",
                address=str(self._address),
                why=noise.message,
            ) from None
        self._line, self._hello, self._named = line, host, host.table
        return line, host

    async def come_back(self, session: Session) -> asyncio.Task[Departure]:
        """A new line for a table that has begun. Raises `NetworkError`."""
        table = session.table_id or session.lost_id
        line, host = await self.open(table)
        members = session.snapshot.members
        if host.table != table or (members and host.identity != members[HOST_SEAT].identity):
            raise WrongProgram(
                "Somebody else listens at {address} now, not the host of this table.",
                hint="Ask the host for the new address: bcnet resume TABLE ADDR",
                address=str(self._address),
            )
        wire = await session.attach(frozenset({HOST_SEAT}), identity=host.identity, table=host.table)
        return asyncio.create_task(carry(session, wire, line))

    async def sit_down(self) -> tuple[Session, asyncio.Task[Departure]]:
        """A seat at a new table of the host that has been greeted."""
        line, host = self._line, self.host
        assert line is not None
        session = await Session.join(self._home, self._identity, self._name, GUEST_SEAT, games=self._games)
        updates = session.updates()
        named, self._named = self._named, b""  # the host's hello has named the first table alone
        wire = await session.attach(frozenset({HOST_SEAT}), identity=host.identity, offer=named)
        carrying = asyncio.create_task(carry(session, wire, line))
        seated = asyncio.create_task(session.seated.wait())
        try:
            await asyncio.wait({carrying, seated}, timeout=SEAT_TIME, return_when=asyncio.FIRST_COMPLETED)
            if session.seated.is_set():
                session.remember(str(self._address))
                return session, carrying
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


async def _greet(line: Line, identity: Identity, address: Address, table: bytes) -> pb.Hello:
    """Both hellos and both proofs; gives the host's."""
    ours = make_hello(Role.GUEST, identity.public, token_bytes(NONCE_SIZE), table, __version__)
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


async def _ended(carrying: asyncio.Task[Departure]) -> None:
    """Wait until the carrier has sent what it had to; it limits itself."""
    if not carrying.done():
        await asyncio.wait({carrying})
    if not carrying.cancelled():
        carrying.exception()
