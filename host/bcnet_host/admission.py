"""Who gets a seat: hellos, the one free seat, and offers that are spent on those who only looked.

Strangers are let through one narrow door: a hello within ten seconds, a proof of the key that it names, and a join
within thirty. An offer that a guest has seen and not answered is never shown to another: it goes with the guest, and
a new table with a new seed takes its place.

Whoever has sat down keeps the seat: when the line drops, or the host has taken the table up again from disk, the same
key comes back to the same table by name, and nobody else does.

This module knows lines and sessions, and nothing of gRPC.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from secrets import token_bytes

from bcnet import __version__
from bcnet.entry import Noise
from bcnet.games import registry
from bcnet.hello import NONCE_SIZE, OtherVersion, Role, check_hello, check_proof, make_hello, sign_hello
from bcnet.home import Home
from bcnet.session import Session
from bcnet.signing import Identity
from bcnet.table.membership import GameLookup, Terms
from bcnet.wire.v1 import table_pb2 as pb
from bcnet_client.line import Departure, Line, carry

HELLO_TIME = 10.0
"""Seconds in which a stranger has to say who it is."""
SEAT_TIME = 30.0
"""Seconds in which a guest that was shown the offer has to answer it."""
MAX_STRANGERS = 16
"""Strangers who may be saying hello at once; one more, and the one who takes longest has to go."""

MAX_NOTICES = 16
"""Versions of strangers that the host is told of, each once."""

GUEST_SEAT = 1

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Turned:
    """Somebody whose program speaks another version was not let in. Other strangers are not worth a word."""

    why: OtherVersion


@dataclass(frozen=True, slots=True)
class Idle:
    """A guest has proven a key, but not sat down; the seat is free again."""

    identity: bytes


Notice = Turned | Idle


class Admission:
    """The door of one host's table."""

    def __init__(
        self,
        home: Home,
        identity: Identity,
        name: str,
        terms: Terms,
        notice: Callable[[Notice], None] = lambda _: None,
        *,
        games: GameLookup = registry.get,
    ) -> None:
        self._home = home
        self._identity = identity
        self._name = name
        self._terms = terms
        self._games = games
        self._notice = notice
        self._turned: set[str] = set()
        self._strangers: dict[asyncio.Task[object], None] = {}
        self._session: Session | None = None
        self._guest = b""
        """The key of whoever has the seat, or is being shown to it; empty while it is free."""
        self._carrying: set[asyncio.Task[None]] = set()
        self.game: asyncio.Future[Session] = asyncio.get_running_loop().create_future()
        """The session of the first game, once all have sat down; or why there will be none."""
        self._next: asyncio.Future[Session | None] = asyncio.get_running_loop().create_future()

    @property
    def is_open(self) -> bool:
        """Whether the seat is free, and there is an offer for whoever comes."""
        return self._session is not None and not self._guest

    async def open(self) -> None:
        """Make the first offer. Raises `StorageError`."""
        self._session = await self._offer()

    def take_up(self, session: Session) -> None:
        """Wait, instead of making an offer, for the guest of a table that was taken up again from disk."""
        self._session = session
        members = session.snapshot.members
        self._guest = members[GUEST_SEAT].identity if len(members) > GUEST_SEAT else b"?"
        self.game.set_result(session)

    async def next_game(self) -> Session | None:
        """The session of the next game, once both want one and sit; None if there will be none."""
        session = await asyncio.shield(self._next)
        self._next = asyncio.get_running_loop().create_future()
        return session

    async def close(self, reason: int = pb.REASON_LEAVING) -> None:
        """Give up a table that nobody has sat down at, and let all lines say their last. A game is closed before."""
        session, self._session = self._session, None
        if session is not None and not session.seated.is_set():
            await session.abandon(reason)
        if not self.game.done():
            self.game.cancel()
        if self._carrying:
            await asyncio.wait(self._carrying)

    async def meet(self, line: Line) -> None:
        """Take one stranger from its first word to the end of its line."""
        try:
            guest = await self._greeted(line)
            if guest is None:
                return
            if not guest.table:
                if self._guest:
                    await _turn_away(line, pb.REASON_TAKEN)
                    return
                self._guest = guest.identity
        except OtherVersion as error:
            if error.message not in self._turned and len(self._turned) < MAX_NOTICES:
                self._turned.add(error.message)
                self._tell(Turned(error))
            return
        except Noise as noise:
            _log.info("a stranger was turned away: %s", noise.message)
            return
        # From here on a task of our own, for gRPC cancels ours when the line breaks.
        seated = asyncio.create_task(self._return(line, guest) if guest.table else self._seat(line, guest))
        self._carrying.add(seated)
        seated.add_done_callback(self._carrying.discard)
        seated.add_done_callback(self._failed)
        await asyncio.wait({seated})

    # --- strangers ---

    async def _greeted(self, line: Line) -> pb.Hello | None:
        """The proven hello of a guest for this table; None for whoever had none in time."""
        if len(self._strangers) >= MAX_STRANGERS:
            next(iter(self._strangers)).cancel()
        task: asyncio.Task[pb.Hello | None] = asyncio.create_task(self._greet(line))
        self._strangers[task] = None
        try:
            async with asyncio.timeout(HELLO_TIME):
                return await asyncio.shield(task)
        except TimeoutError:
            await _turn_away(line, pb.REASON_IDLE)
            return None
        except asyncio.CancelledError:
            if not task.cancelled():
                raise
            return None  # made way for another
        finally:
            self._strangers.pop(task, None)
            task.cancel()

    async def _greet(self, line: Line) -> pb.Hello | None:
        frame = await line.read()
        if frame is None:
            return None
        if not frame.HasField("hello"):
            raise await _noise(line, "The first words of a stranger are no hello.")
        guest = frame.hello
        table = self._session.offer_id if self._session is not None and not self._guest else b""
        if guest.table:
            table = guest.table if self._is_back(guest) else b""
        host = make_hello(Role.HOST, self._identity.public, token_bytes(NONCE_SIZE), table, __version__)
        try:
            check_hello(guest, Role.GUEST, __version__)
        except OtherVersion:
            await line.write(pb.Frame(hello=host))  # so that the other can name both versions as well
            await _turn_away(line, pb.REASON_VERSION)
            raise
        except Noise:
            await _turn_away(line, pb.REASON_NOISE)
            raise
        if not table:
            unknown = guest.table and not self._is_table(guest.table)
            await _turn_away(line, pb.REASON_UNKNOWN_TABLE if unknown else pb.REASON_TAKEN)
            return None
        await line.write(pb.Frame(hello=host))
        proof = sign_hello(guest, host, Role.HOST, b"", self._identity.sign_message)
        await line.write(pb.Frame(proof=proof))
        frame = await line.read()
        if frame is None:
            return None
        if not frame.HasField("proof"):
            raise await _noise(line, "The second words of a stranger are no proof.")
        try:
            check_proof(guest, host, Role.GUEST, b"", frame.proof)
        except Noise:
            await _turn_away(line, pb.REASON_NOISE)
            raise
        if guest.table:
            is_good = self._is_back(guest)
        else:
            is_good = self._session is not None and not self._guest and self._session.offer_id == table
        if not is_good:
            await _turn_away(line, pb.REASON_TAKEN)
            return None
        return guest

    def _is_table(self, table: bytes) -> bool:
        """Whether this is the table that is being played."""
        session = self._session
        if session is None or not self.game.done():
            return False
        # A host whose log was lost has its table's name in the folder; the guest gives the log back.
        return table == (session.table_id or session.lost_id)

    def _is_back(self, guest: pb.Hello) -> bool:
        """Whether this is a guest of the table that is being played, who comes back to it."""
        session = self._session
        if session is None or not self._is_table(guest.table):
            return False
        members = session.snapshot.members
        return len(members) <= GUEST_SEAT or members[GUEST_SEAT].identity == guest.identity

    # --- guests ---

    async def _seat(self, line: Line, guest: pb.Hello) -> None:
        """Show the offer to a guest, and carry the game if it sits down."""
        session = self._session
        assert session is not None
        wire = await session.attach(frozenset({GUEST_SEAT}), identity=guest.identity)
        carrying = asyncio.create_task(carry(session, wire, line))
        sitting = asyncio.create_task(session.seated.wait())
        try:
            await asyncio.wait({carrying, sitting}, timeout=SEAT_TIME, return_when=asyncio.FIRST_COMPLETED)
            if session.seated.is_set():
                if not self.game.done():
                    self.game.set_result(session)
            elif self._session is not None:
                # What it was shown must not be shown to another: a new table, with a new seed.
                self._session = None
                if carrying.done():
                    carrying.result()  # where our disk was to blame
                self._tell(Idle(guest.identity))
                await session.abandon(pb.REASON_IDLE)
                self._session = await self._offer()
                self._guest = b""
            departure = await carrying
        finally:
            sitting.cancel()
            carrying.cancel()
        await self._after(session, departure, line, guest)

    async def _return(self, line: Line, guest: pb.Hello) -> None:
        """Carry on a game with a guest who has come back."""
        session = self._session
        assert session is not None
        wire = await session.attach(frozenset({GUEST_SEAT}), identity=guest.identity, table=guest.table)
        await self._after(session, await carry(session, wire, line), line, guest)

    async def _after(self, session: Session, departure: Departure, line: Line, guest: pb.Hello) -> None:
        if departure.handed_over:
            await self._play_another(line, guest)
        elif session.ended is not None and departure.reason == pb.REASON_FINISHED and not self._next.done():
            self._next.set_result(None)

    async def _play_another(self, line: Line, guest: pb.Hello) -> None:
        """A new table for the same two, on the same line."""
        while True:
            self._session = session = await self._offer()
            wire = await session.attach(frozenset({GUEST_SEAT}), identity=guest.identity)
            carrying = asyncio.create_task(carry(session, wire, line))
            sitting = asyncio.create_task(session.seated.wait())
            try:
                await asyncio.wait(
                    {carrying, sitting}, timeout=SEAT_TIME, return_when=asyncio.FIRST_COMPLETED
                )
                if not session.seated.is_set():
                    await session.abandon(pb.REASON_IDLE)
                    self._next.set_result(None)
                    return
                self._next.set_result(session)
                departure = await carrying
                if not departure.handed_over:
                    await self._after(session, departure, line, guest)
                    return
            finally:
                sitting.cancel()
                carrying.cancel()

    async def _offer(self) -> Session:
        return await Session.host(self._home, self._identity, self._name, self._terms, games=self._games)

    def _tell(self, notice: Notice) -> None:
        """Tell the host, as long as there is no game that the words would run into."""
        if not self.game.done():
            self._notice(notice)

    def _failed(self, seated: asyncio.Task[None]) -> None:
        error = None if seated.cancelled() else seated.exception()
        if error is None:
            return
        if not self.game.done():
            self.game.set_exception(error)
        elif not self._next.done():
            self._next.set_exception(error)


async def _turn_away(line: Line, reason: int) -> None:
    with suppress(asyncio.CancelledError):
        await line.write(pb.Frame(goodbye=pb.Goodbye(reason=pb.Reason.Name(reason))))


async def _noise(line: Line, what: str) -> Noise:
    await _turn_away(line, pb.REASON_NOISE)
    return Noise(what)
