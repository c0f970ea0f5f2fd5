"""Sitting down at another's table: connect, see whose certificate it is, say hello, take a seat.

Nothing is said before the certificate is one that is trusted (`bcnet_client.trust`), and from then on over nothing
but that certificate. Everything up to the hello has its deadlines, so that whoever types a wrong address knows within
ten seconds.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from secrets import token_bytes
from typing import Any, TypeVar

import grpc
from grpc import aio

from bcnet import __version__
from bcnet.certificate import Presented
from bcnet.entry import Noise
from bcnet.errors import NetworkError, StorageError
from bcnet.games import registry
from bcnet.hello import NONCE_SIZE, Role, check_hello, check_proof, greeting, make_hello, sign_hello
from bcnet.home import Home
from bcnet.session import LineDown, Session
from bcnet.signing import Identity
from bcnet.table.membership import GameLookup
from bcnet.wire.v1 import table_pb2 as pb
from bcnet.wire.v1.table_pb2_grpc import TableStub
from bcnet_client import reasons
from bcnet_client.address import Address
from bcnet_client.line import OPTIONS, Line, carry
from bcnet_client.pinning import fetch_certificate, pinned_channel
from bcnet_client.reach import reach
from bcnet_client.trust import NOTHING_IN_HAND, Trust

HELLO_TIME = 4.0
"""Seconds for both hellos, once somebody has taken the connection."""

SEAT_TIME = 30.0
"""Seconds for the offer to arrive and the join to be stored."""
ANSWER_TIME = 75.0
"""The same where there is no code, so that the host may have to say yes."""
SOON = 1.0
"""Seconds after which a joiner without a code is told what it waits for."""

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

_log = logging.getLogger(__name__)
_T = TypeVar("_T")


class NotSeated(NetworkError):
    """The host answers, but there is no game to be had."""


class WrongProgram(NetworkError):
    """Something listens there that is no bcnet host."""


class Visit:
    """A seat at another's table, and the line to it."""

    def __init__(
        self,
        channel: aio.Channel,
        session: Session,
        host: pb.Hello,
        carrying: asyncio.Task[None],
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


@dataclass(frozen=True, slots=True)
class Joiner:
    """Who sits down, with what, and for which games."""

    home: Home
    identity: Identity
    name: str
    trust: Trust = NOTHING_IN_HAND
    games: GameLookup = registry.get
    waiting: Callable[[], None] = lambda: None
    """Called when the host has to say yes, and takes its time."""


async def join(joiner: Joiner, address: Address) -> Visit:
    """Sit down at the table at ``address``.

    Raises `NetworkError` (`bcnet_client.trust.NotTrusted` and `bcnet_client.pinning.WrongHost` among them), `Noise`
    and `StorageError`; nothing stays open.
    """
    channel, presented = await connect(joiner, address)
    try:
        return await _sit_down(joiner, channel, address, presented)
    except BaseException:
        await channel.close()
        raise


async def connect(joiner: Joiner, address: Address) -> tuple[aio.Channel, Presented]:
    """A channel that takes nothing but the certificate of a host that is trusted; nothing is said yet."""
    endpoint = await reach(address)
    presented = await fetch_certificate(endpoint, str(address))
    ground = await joiner.trust.judge(presented, address, joiner.identity.public, joiner.home.players)
    _log.info("the host at %s is trusted: %s", address, ground.value)
    return pinned_channel(endpoint, presented, _OPTIONS), presented


async def say_hello(
    joiner: Joiner, line: Line, address: Address, presented: Presented, role: Role = Role.GUEST
) -> pb.Hello:
    """Both hellos and both proofs, in time; gives the host's."""
    try:
        return await _within(HELLO_TIME, _greet(joiner, line, address, presented, role), address)
    except Noise as noise:
        raise wrong_program(address, noise) from None


def wrong_program(address: Address, noise: Noise) -> WrongProgram:
    """What listens there speaks the language, and says what no honest host does."""
    return WrongProgram(
        "What listens at {address} does not do as a bcnet host: {why}",
        hint="Check the address and the port. If they are right, its program may be defective, or be lying.",
        address=str(address),
        why=noise.message,
    )


async def _sit_down(joiner: Joiner, channel: aio.Channel, address: Address, presented: Presented) -> Visit:
    line = Line(TableStub(channel).Play())
    host = await say_hello(joiner, line, address, presented)
    session = await Session.join(joiner.home, joiner.identity, joiner.name, GUEST_SEAT, games=joiner.games)
    updates = session.updates()
    wire = await session.attach(
        frozenset({HOST_SEAT}),
        identity=host.identity,
        offer=host.table,
        name=host.name,
        certificate=presented.fingerprint,
    )
    carrying = asyncio.create_task(carry(session, wire, line))
    seated = asyncio.create_task(session.seated.wait())
    try:
        await _until_seated(joiner, carrying, seated)
        if session.seated.is_set():
            _remember(joiner, host)
            return Visit(channel, session, host, carrying)
        if carrying.done():
            carrying.result()
        down = updates.get_nowait() if not updates.empty() else None
        if isinstance(down, LineDown) and down.noise is None and down.reason in _HINTS:
            raise refused(down.reason)
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


async def _until_seated(joiner: Joiner, carrying: asyncio.Task[None], seated: asyncio.Task[bool]) -> None:
    either: set[asyncio.Task[Any]] = {carrying, seated}
    if joiner.trust.invite is None:
        done, _ = await asyncio.wait(either, timeout=SOON, return_when=asyncio.FIRST_COMPLETED)
        if done:
            return
        joiner.waiting()
    patience = SEAT_TIME if joiner.trust.invite is not None else ANSWER_TIME
    await asyncio.wait(either, timeout=patience, return_when=asyncio.FIRST_COMPLETED)


def _remember(joiner: Joiner, host: pb.Hello) -> None:
    if host.identity != joiner.identity.public:
        try:
            joiner.home.players.remember(host.identity, host.name, datetime.now(UTC))
        except (NetworkError, StorageError) as error:  # no reason not to play
            _log.warning("a player could not be remembered: %s", error.message)


async def _greet(joiner: Joiner, line: Line, address: Address, presented: Presented, role: Role) -> pb.Hello:
    """Both hellos and both proofs; gives the host's.

    What the invite's token gives is shown only to a host that has proven, on this line, to be the right one.
    """
    identity, certificate = joiner.identity, presented.fingerprint
    ours = make_hello(role, identity.public, token_bytes(NONCE_SIZE), b"", __version__, joiner.name)
    await line.write(pb.Frame(hello=ours))
    theirs = (await _read(line, "hello", address)).hello
    check_hello(theirs, Role.HOST, __version__)
    if theirs.identity != presented.identity:
        raise Noise("The host's key is another one than its certificate is vouched for with.")
    proof = await _read(line, "proof", address)
    check_proof(ours, theirs, Role.HOST, certificate, proof.proof)
    if theirs.identity != identity.public:
        joiner.home.players.meet(theirs.identity, theirs.name)
    invite = joiner.trust.invite
    admission = b""
    if invite is not None and role is Role.GUEST:
        admission = invite.proof(greeting(ours, theirs, certificate))
    signed = sign_hello(ours, theirs, role, certificate, identity.sign_message, admission)
    await line.write(pb.Frame(proof=signed))
    return theirs


async def _read(line: Line, kind: str, address: Address) -> pb.Frame:
    """A frame of this kind. Raises what anything else means."""
    frame = await line.read()
    if frame is None:
        raise _wrong_program(line, address)
    if frame.HasField("goodbye"):
        raise refused(int(frame.goodbye.reason))
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


_HINTS: dict[int, str] = {
    int(
        pb.REASON_CODE_NEEDED
    ): "Ask the host for the whole line that its program shows: bcnet join ADDR CODE.",
    int(
        pb.REASON_CODE_WRONG
    ): "Every `bcnet host` has a code of its own. Ask for the line that is shown now.",
    int(
        pb.REASON_CODE_USED
    ): "If that was not you, tell the host at once: somebody else has the code. The host opens "
    "a new table, with a new code.",
    int(pb.REASON_LATER): "Wait a minute, and try again.",
    int(pb.REASON_NO_WATCHERS): "The host decides how many may: bcnet host --spectators N.",
    int(
        pb.REASON_DECLINED
    ): "Ask the host. If it knows your name with another key, its program says what to do.",
}


def refused(reason: int) -> NetworkError:
    """What the host's goodbye means, where it was the first that it had to say."""
    if reason == pb.REASON_TAKEN:
        return NotSeated(
            "The table is taken: somebody else sits there already.",
            hint="Ask the host, or open a table yourself: bcnet host",
        )
    return NotSeated(
        "The host turns you away: {why}.",
        hint=_HINTS.get(reason, "Try again, or ask the host."),
        why=reasons.why(reason),
    )


async def _ended(carrying: asyncio.Task[None]) -> None:
    """Wait until the carrier has sent what it had to; it limits itself."""
    if not carrying.done():
        await asyncio.wait({carrying})
    if not carrying.cancelled():
        carrying.exception()
