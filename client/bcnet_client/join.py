"""Sitting down at another's table, and staying there: connect, see whose certificate it is, say hello, take a seat.

Nothing is said before the certificate is one that is trusted (`bcnet_client.trust`), and from then on over nothing
but that certificate. Everything up to the hello has its deadlines, so that whoever types a wrong address knows within
ten seconds. A line that is cut in mid-game is sought again with growing pauses until the player leaves; the same way
leads back to a table that was taken up again from disk. Whoever comes back expects the key of the table's host, and
nobody is asked.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from secrets import token_bytes
from typing import Any, TypeVar

import grpc
from grpc import aio

from bcnet import __version__
from bcnet.certificate import Presented
from bcnet.entry import Noise
from bcnet.errors import BcnetError, NetworkError, StorageError
from bcnet.games import registry
from bcnet.gathering import Gathering
from bcnet.hello import (
    NONCE_SIZE,
    OtherVersion,
    Role,
    check_hello,
    check_proof,
    greeting,
    make_hello,
    sign_hello,
)
from bcnet.home import Home
from bcnet.language import N_, _
from bcnet.session import HOST_SEAT, Session
from bcnet.signing import Identity
from bcnet.table.membership import GameLookup
from bcnet.updates import LineDown, Update
from bcnet.wire.v1 import table_pb2 as pb
from bcnet.wire.v1.table_pb2_grpc import TableStub
from bcnet_client import reasons
from bcnet_client.address import Address
from bcnet_client.line import OPTIONS, Departure, Line, carry
from bcnet_client.pinning import WrongHost, fetch_certificate, pinned_channel
from bcnet_client.reach import Unreachable, reach
from bcnet_client.trust import NOTHING_IN_HAND, Trust

HELLO_TIME = 4.0
"""Seconds for both hellos, once somebody has taken the connection."""

SEAT_TIME = 45.0
"""Seconds for the offer to arrive and for all to sit down: more than a host gives them, whose word is waited for."""
ANSWER_TIME = 75.0
"""The same where there is no code, so that the host may have to say yes."""
SOON = 1.0
"""Seconds after which a joiner without a code is told what it waits for."""

FIRST_PAUSE = 0.25
LONGEST_PAUSE = 15.0
"""Seconds between two tries to come back: at first, and at most. Each is twice the last, and shortened by chance."""

_OPTIONS = (
    *OPTIONS,
    # http_proxy is for web pages; what lies in the LAN is not reached through it.
    ("grpc.enable_http_proxy", 0),
    ("grpc.enable_retries", 0),
    # A line that is sought again is a new one, not gRPC's memory of the last.
    ("grpc.use_local_subchannel_pool", 1),
)

_log = logging.getLogger(__name__)
_T = TypeVar("_T")


class NotSeated(NetworkError):
    """The host answers, but there is no game to be had."""


class Interrupted(NotSeated):
    """The line was cut before there was a game."""


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
        """The session of the next game, once both want one; None if there will be none.

        Raises `StorageError` if it cannot be begun on this side.
        """
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
                except Interrupted:
                    # Both have said that they want another game: back to the last table, which leads to the next.
                    departure = Departure()
                    continue
                except StorageError as error:
                    self._next.set_exception(error)  # what is wrong with our own disk the player has to know
                    self._next.exception()  # if the player still wants to: else nobody is to complain of it
                    return
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
                session.still_down(error.message)
                return None
            except BcnetError as error:
                if error.message != said and not is_paused:
                    session.still_down(error.message)
                    said = error.message
            await asyncio.sleep(pause * random.uniform(0.5, 1))  # noqa: S311 (so that not all come at once)
            pause = min(2 * pause, LONGEST_PAUSE)
        return None


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
    gathered: Callable[[Gathering], None] = lambda _: None
    """Called with who has come, at first and whenever it changes, while others are awaited."""


async def join(joiner: Joiner, address: Address) -> Visit:
    """Sit down at the table at ``address``.

    Raises `NetworkError` (`bcnet_client.trust.NotTrusted` and `bcnet_client.pinning.WrongHost` among them), `Noise`
    and `StorageError`; nothing stays open.
    """
    door = _Door(joiner, address)
    try:
        await door.open()
        session, carrying = await door.sit_down()
    except BaseException:
        await door.close()
        raise
    visit = Visit(door, session)
    visit.keep(carrying)
    return visit


def resume(joiner: Joiner, address: Address, session: Session) -> Visit:
    """Go back, with a session that was taken up again, to its table at ``address``; tries until there is a line."""
    visit = Visit(_Door(joiner, address), session)
    visit.keep(None)
    return visit


async def connect(joiner: Joiner, address: Address) -> tuple[aio.Channel, Presented]:
    """A channel that takes nothing but the certificate of a host that is trusted; nothing is said yet."""
    endpoint = await reach(address)
    presented = await fetch_certificate(endpoint, str(address))
    ground = await joiner.trust.judge(presented, address, joiner.identity.public, joiner.home.players)
    _log.info("the host at %s is trusted: %s", address, ground.value)
    return pinned_channel(endpoint, presented, _OPTIONS), presented


async def say_hello(
    joiner: Joiner,
    line: Line,
    address: Address,
    presented: Presented,
    role: Role = Role.GUEST,
    table: bytes = b"",
) -> pb.Hello:
    """Both hellos and both proofs, in time; gives the host's. ``table``: the one that a guest comes back to."""
    try:
        return await _within(HELLO_TIME, _greet(joiner, line, address, presented, role, table), address)
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


class _Door:
    """The way to a host: a channel and a stream on it, opened anew for each line."""

    def __init__(self, joiner: Joiner, address: Address) -> None:
        self._joiner = joiner
        self._address = address
        self._channel: aio.Channel | None = None
        self._line: Line | None = None
        self._hello: pb.Hello | None = None
        self._certificate = b""
        self._has_sat = False

    @property
    def host(self) -> pb.Hello:
        """The hello of the host that was reached last."""
        assert self._hello is not None
        return self._hello

    async def close(self) -> None:
        channel, self._channel = self._channel, None
        if channel is not None:
            await channel.close()

    async def open(self) -> None:
        """Connect, and say hello to a host as a new guest."""
        await self._open(self._joiner, b"")

    async def _open(self, joiner: Joiner, table: bytes) -> tuple[Line, pb.Hello]:
        await self.close()
        self._channel, presented = await connect(joiner, self._address)
        line = Line(TableStub(self._channel).Play())
        host = await say_hello(joiner, line, self._address, presented, table=table)
        self._line, self._hello, self._certificate = line, host, presented.fingerprint
        return line, host

    async def come_back(self, session: Session) -> asyncio.Task[Departure]:
        """A new line for a table that this side has sat down at. Raises `NetworkError`."""
        table = session.table_id or session.lost_id or session.offer_id
        host_key = session.occupants.get(HOST_SEAT, b"")
        try:
            joiner = replace(self._joiner, trust=Trust(table_host=host_key))
            line, host = await self._open(joiner, table)
        except WrongHost:
            raise self._another_host() from None
        if host.table != table:
            raise self._another_host()
        self._has_sat = True
        wire = await session.attach(
            session.others, identity=host.identity, certificate=self._certificate, table=table
        )
        return asyncio.create_task(carry(session, wire, line))

    def _another_host(self) -> WrongProgram:
        return WrongProgram(
            "Somebody else listens at {address} now, not the host of this table.",
            hint="Ask the host for the new address: bcnet resume TABLE ADDR",
            address=str(self._address),
        )

    async def sit_down(self) -> tuple[Session, asyncio.Task[Departure]]:
        """A seat at a new table of the host that has been greeted, once the table is filled."""
        while True:
            gathering, seat = await self._gather()
            if (seated := await self._take_seat(gathering, seat)) is not None:
                return seated

    async def _gather(self) -> tuple[Gathering, int]:
        """Wait until all are here; gives who they are, and the own seat."""
        joiner, line = self._joiner, self._line
        assert line is not None
        is_first, self._has_sat = not self._has_sat, True
        patience: float | None = SEAT_TIME
        was_let_in = not is_first
        if is_first and joiner.trust.invite is None:
            done, _pending = await asyncio.wait({line.ahead()}, timeout=SOON)
            if not done:
                joiner.waiting()
                patience = ANSWER_TIME
        while True:
            try:
                async with asyncio.timeout(patience):
                    frame = await asyncio.shield(line.ahead())
            except TimeoutError:
                raise _no_game(_("the host says nothing more")) from None
            await line.read()
            if frame is None:
                raise _gone(pb.REASON_UNSPECIFIED, was_let_in=was_let_in)
            if frame.HasField("goodbye"):
                raise _gone(int(frame.goodbye.reason), was_let_in=was_let_in)
            if not frame.HasField("gathering"):
                raise wrong_program(self._address, Noise("Something is said before all have come."))
            message = frame.gathering
            try:
                gathering = Gathering.from_message(message)
            except Noise as noise:
                raise wrong_program(self._address, noise) from None
            if message.begins:
                return gathering, message.seat
            joiner.gathered(gathering)
            was_let_in, patience = True, None  # the others may take their time; a line that is cut is noticed

    async def _take_seat(
        self, gathering: Gathering, seat: int
    ) -> tuple[Session, asyncio.Task[Departure]] | None:
        """Sit down; None where the host has taken the offer back and waits for others once more."""
        joiner, line, host = self._joiner, self._line, self.host
        assert line is not None
        if gathering.sitters[seat].identity != joiner.identity.public:
            raise wrong_program(self._address, Noise("The host takes this side for somebody else."))
        session = await Session.join(
            joiner.home, joiner.identity, joiner.name, seat, gathering=gathering, games=joiner.games
        )
        updates = session.updates()
        wire = await session.attach(
            frozenset(range(gathering.seats)) - {seat},
            identity=host.identity,
            name=host.name,
            certificate=self._certificate,
        )
        carrying = asyncio.create_task(carry(session, wire, line))
        seated = asyncio.create_task(session.seated.wait())
        try:
            async with asyncio.timeout(SEAT_TIME):
                carrying = await self._until_seated(session, carrying, seated)
        except TimeoutError:
            pass
        except BaseException:
            await self._give_up(session, carrying)
            raise
        finally:
            seated.cancel()
        if session.seated.is_set():
            session.remember(str(self._address))
            _remember(joiner, session)
            return session, carrying
        await self._give_up(session, carrying)
        if carrying.done() and carrying.result().handed_over:
            return None
        raise _not_seated(updates)

    async def _until_seated(
        self, session: Session, carrying: asyncio.Task[Departure], seated: asyncio.Task[bool]
    ) -> asyncio.Task[Departure]:
        """Return when all have sat down, or cannot any more; gives what carries the line then.

        Whoever has sat down, and waits for others, comes back when the line is cut.
        """
        pause = FIRST_PAUSE
        while True:
            either: set[asyncio.Task[Any]] = {carrying, seated}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if seated.done():
                return carrying
            departure = carrying.result()
            passes = reasons.passes(departure.reason, departure.noise) and not departure.handed_over
            if not passes or not session.has_joined:
                return carrying
            await asyncio.sleep(pause * random.uniform(0.5, 1))  # noqa: S311 (so that not all come at once)
            pause *= 2
            with suppress(Unreachable, Interrupted):
                carrying = await self.come_back(session)

    @staticmethod
    async def _give_up(session: Session, carrying: asyncio.Task[Departure]) -> None:
        await session.abandon(pb.REASON_LEAVING)
        await _ended(carrying)


def _gone(reason: int, *, was_let_in: bool) -> NetworkError:
    """The line has ended before there was a table to sit down at."""
    is_cut = reasons.passes(reason)
    if not is_cut and (reason in _HINTS or not was_let_in):
        return refused(reason)
    return _no_game(reasons.why(reason), is_cut=is_cut)


def _not_seated(updates: asyncio.Queue[Update]) -> NetworkError:
    """Why a guest that was shown an offer has no seat."""
    down = updates.get_nowait() if not updates.empty() else None
    if not isinstance(down, LineDown):
        why = _("the host says nothing more")
    elif down.noise is None and down.reason in _HINTS:
        return refused(down.reason)
    else:
        why = reasons.why(down.reason, down.noise)
    return _no_game(why, is_cut=isinstance(down, LineDown) and reasons.passes(down.reason, down.noise))


def _no_game(why: str, *, is_cut: bool = False) -> NotSeated:
    error = Interrupted if is_cut else NotSeated
    return error(N_("There was no game: {why}."), hint=N_("Try again, or ask the host."), why=why)


def _remember(joiner: Joiner, session: Session) -> None:
    """Keep who else sits here."""
    for member in session.snapshot.members:
        if member.identity != joiner.identity.public:
            try:
                joiner.home.players.remember(member.identity, member.name, datetime.now(UTC))
            except (NetworkError, StorageError) as error:  # no reason not to play
                _log.warning("a player could not be remembered: %s", error.message)


async def _greet(
    joiner: Joiner, line: Line, address: Address, presented: Presented, role: Role, table: bytes
) -> pb.Hello:
    """Both hellos and both proofs; gives the host's.

    What the invite's token gives is shown only to a host that has proven, on this line, to be the right one.
    """
    identity, certificate = joiner.identity, presented.fingerprint
    ours = make_hello(role, identity.public, token_bytes(NONCE_SIZE), table, __version__, joiner.name)
    await line.write(pb.Frame(hello=ours))
    theirs = (await _read(line, "hello", address)).hello
    check_hello(theirs, Role.HOST, __version__)
    if theirs.identity != presented.identity:
        raise Noise("The host's key is another one than its certificate is vouched for with.")
    proof = await _read(line, "proof", address)
    check_proof(ours, theirs, Role.HOST, certificate, proof.proof)
    if theirs.identity != identity.public and not table:  # who sits at a table has a key; the name is settled
        joiner.home.players.meet(theirs.identity, theirs.name)
    invite = joiner.trust.invite
    admission = b""
    if invite is not None and role is Role.GUEST and not table:
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
    int(pb.REASON_CODE_NEEDED): N_(
        "Ask the host for the whole line that its program shows: bcnet join ADDR CODE."
    ),
    int(pb.REASON_CODE_WRONG): N_(
        "Every `bcnet host` has a code of its own. Ask for the line that is shown now."
    ),
    int(pb.REASON_CODE_USED): N_(
        "If that was not you, tell the host at once: somebody else has the code. The host opens "
        "a new table, with a new code."
    ),
    int(pb.REASON_LATER): N_("Wait a minute, and try again."),
    int(pb.REASON_NO_WATCHERS): N_("The host decides how many may: bcnet host --spectators N."),
    int(pb.REASON_DECLINED): N_(
        "Ask the host. If it knows your name with another key, its program says what to do."
    ),
}
_ASK_AGAIN = N_("Try again, or ask the host.")


def refused(reason: int) -> NetworkError:
    """What the host's goodbye means, where it was the first that it had to say."""
    if reason == pb.REASON_TAKEN:
        return NotSeated(
            "The table is taken: somebody else sits there already.",
            hint="Ask the host, or open a table yourself: bcnet host",
        )
    return NotSeated(
        "The host turns you away: {why}.",
        hint=_HINTS.get(reason, _ASK_AGAIN),
        why=reasons.why(reason),
    )


async def _ended(carrying: asyncio.Task[Departure]) -> None:
    """Wait until the carrier has sent what it had to; it limits itself."""
    if not carrying.done():
        await asyncio.wait({carrying})
    if not carrying.cancelled():
        carrying.exception()
