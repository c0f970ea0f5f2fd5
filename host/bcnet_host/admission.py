"""Who gets a seat: hellos, invites, the host's own yes, the one free seat, and offers spent on those who only looked.

Strangers are let through one narrow door: a hello within ten seconds, a proof of the key that it names, the invite's
code or the host's word, and a join within thirty seconds. An offer that a guest has seen and not answered is never
shown to another: it goes with the guest, and a new table with a new seed takes its place.

Whoever has sat down keeps the seat: when the line drops, or the host has taken the table up again from disk, the same
key comes back to the same table by name, and nobody else does.

This module knows lines and sessions, and nothing of gRPC.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from secrets import token_bytes
from typing import Any

from bcnet import __version__
from bcnet.entry import Noise
from bcnet.errors import BcnetError, Phrase, StorageError
from bcnet.games import registry
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
from bcnet.invite import Pass, Turnstile
from bcnet.players import AnotherKey, Known
from bcnet.session import Session
from bcnet.signing import Identity
from bcnet.table.membership import GameLookup, Terms
from bcnet.wire.v1 import table_pb2 as pb
from bcnet.wires import Wire
from bcnet_client import reasons
from bcnet_client.line import Departure, Line, carry
from bcnet_host.gate import Caller

HELLO_TIME = 10.0
"""Seconds in which a stranger has to say who it is."""
SEAT_TIME = 30.0
"""Seconds in which a guest that was shown the offer has to answer it."""
MAX_STRANGERS = 16
"""Strangers who may be saying hello at once; one more, and the one who takes longest has to go."""

STRANGERS_OF_ONE = 4
"""Strangers from one address who may be saying hello at once; one more, and the oldest of them has to go."""
ASK_TIME = 60.0
"""Seconds in which the host can say whether somebody may sit down."""
MAX_DECLINED = 64
"""Keys that are remembered as declined, so that they are not asked about once more."""
QUESTIONS = 8
"""Questions that an evening has room for; whoever comes after that needs the code."""

MAX_NOTICES = 16
"""Strangers that the host is told of, each once."""

_PASSES = {
    Pass.WRONG: pb.REASON_CODE_WRONG,
    Pass.USED: pb.REASON_CODE_USED,
    Pass.LATER: pb.REASON_LATER,
}

GUEST_SEAT = 1

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Turned:
    """Somebody was not let in whose program speaks another version, or who has a known name and another key.

    Other strangers are not worth a word.
    """

    why: OtherVersion | AnotherKey


@dataclass(frozen=True, slots=True)
class Idle:
    """A guest has proven a key, but not sat down; the seat is free again."""

    identity: bytes


Notice = Turned | Idle


@dataclass(frozen=True, slots=True)
class Applicant:
    """Somebody without a code who wants to sit down, with a proven key."""

    name: str
    identity: bytes
    known: Known | None
    """Who that is, if the host has met that key."""


@dataclass(frozen=True, slots=True)
class Door:
    """Who is let in, and by what line they come."""

    certificate: bytes
    """The fingerprint of the certificate, 32 bytes."""
    turnstile: Turnstile | None = None
    """For whoever has the code."""
    is_open: bool = False
    """Whether anybody may sit down."""
    ask: Callable[[Applicant], Awaitable[bool]] | None = None
    """Asks the host about somebody without a code; may be cancelled. None: there is nobody to ask."""


@dataclass(frozen=True, slots=True)
class _Greeted:
    """Who has said and proven a hello."""

    guest: pb.Hello
    host: pb.Hello
    admission: bytes


class _TurnedAway(Exception):
    """Somebody is not let in, for this ``Reason``."""

    def __init__(self, reason: int) -> None:
        super().__init__()
        self.reason = reason


class Admission:
    """The door of one host's table."""

    def __init__(
        self,
        home: Home,
        identity: Identity,
        name: str,
        terms: Terms,
        door: Door,
        notice: Callable[[Notice], None] = lambda _: None,
        *,
        games: GameLookup = registry.get,
    ) -> None:
        self._home = home
        self._identity = identity
        self._name = name
        self._terms = terms
        self._games = games
        self._door = door
        self._notice = notice
        self._turned: set[str] = set()
        self._strangers: dict[asyncio.Task[_Greeted | None], str] = {}
        """Who is saying hello, and from where; the one who takes longest first."""
        self._asking: asyncio.Future[bool] | None = None
        self._questions = 0
        self._declined: set[bytes] = set()
        self._session: Session | None = None
        self._before: Session | None = None
        """The game before, while the next one is agreed on and its guest has not sat down."""
        self._guest = b""
        """The key of whoever has the seat, or is being shown to it; empty while it is free."""
        self._carrying: set[asyncio.Task[None]] = set()
        self.game: asyncio.Future[Session] = asyncio.get_running_loop().create_future()
        """The session of the first game, once all have sat down; or why there will be none."""
        self.playing = self.game
        """The same of the game that is played now, or was last."""
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
        """Give up a table that nobody has sat down at, and let all lines say their last.

        A game is closed before; who comes back to it now is told by its session why that was.
        """
        self._stop_asking()
        if self._session is not None and not self._session.seated.is_set():
            session, self._session = self._session, None
            await session.abandon(reason)
        if not self.game.done():
            self.game.cancel()
        if self._carrying:
            await asyncio.wait(self._carrying)

    async def meet(self, line: Line, caller: Caller) -> None:
        """Take one stranger from its first word to the end of its line."""
        try:
            greeted = await self._greeted(line, caller.origin)
            if greeted is None:
                return
            guest = greeted.guest
            if guest.table:
                self._let_back(guest)
            else:
                await self._let_in(greeted, caller.origin, line)
                self._guest = guest.identity
        except _TurnedAway as turned:
            await _turn_away(line, turned.reason)
            return
        except OtherVersion:
            return
        except Noise as noise:
            _log.info("a stranger was turned away: %s", noise.message)
            return
        caller.admit()
        self._stop_asking()
        # From here on a task of our own, for gRPC cancels ours when the line breaks.
        seated = asyncio.create_task(self._return(line, guest) if guest.table else self._seat(line, guest))
        self._carrying.add(seated)
        seated.add_done_callback(self._carrying.discard)
        seated.add_done_callback(self._failed)
        await asyncio.wait({seated})

    # --- strangers ---

    async def _greeted(self, line: Line, origin: str) -> _Greeted | None:
        """The proven hello of a guest for this table; None for whoever had none in time."""
        if Counter(self._strangers.values())[origin] >= STRANGERS_OF_ONE:
            next(task for task, place in self._strangers.items() if place == origin).cancel()
        elif len(self._strangers) >= MAX_STRANGERS:
            next(iter(self._strangers)).cancel()
        task: asyncio.Task[_Greeted | None] = asyncio.create_task(self._greet(line))
        self._strangers[task] = origin
        try:
            async with asyncio.timeout(HELLO_TIME):
                return await asyncio.shield(task)
        except TimeoutError:
            raise _TurnedAway(pb.REASON_IDLE) from None
        except asyncio.CancelledError:
            if not task.cancelled():
                raise
            return None  # made way for another
        finally:
            self._strangers.pop(task, None)
            task.cancel()

    async def _greet(self, line: Line) -> _Greeted | None:
        frame = await line.read()
        if frame is None:
            return None
        if not frame.HasField("hello"):
            raise await _noise(line, Phrase("The first words of a stranger are no hello."))
        guest = frame.hello
        table = self._session.offer_id if self._session is not None and not self._guest else b""
        if guest.table:
            table = guest.table if self._is_back(guest) else b""
        host = make_hello(
            Role.HOST, self._identity.public, token_bytes(NONCE_SIZE), table, __version__, self._name
        )
        try:
            check_hello(guest, Role.GUEST, __version__)
        except OtherVersion as error:
            self._tell_once(
                error
            )  # now: gRPC cancels the call when the other has read what follows, and goes
            await line.write(pb.Frame(hello=host))  # so that the other can name both versions as well
            await _turn_away(line, pb.REASON_VERSION)
            raise
        except Noise:
            await _turn_away(line, pb.REASON_NOISE)
            raise
        if not table:
            raise _TurnedAway(
                pb.REASON_UNKNOWN_TABLE
                if guest.table and not self._is_table(guest.table)
                else pb.REASON_TAKEN
            )
        await line.write(pb.Frame(hello=host))
        proof = sign_hello(guest, host, Role.HOST, self._door.certificate, self._identity.sign_message)
        await line.write(pb.Frame(proof=proof))
        frame = await line.read()
        if frame is None:
            return None
        if not frame.HasField("proof"):
            raise await _noise(line, Phrase("The second words of a stranger are no proof."))
        try:
            check_proof(guest, host, Role.GUEST, self._door.certificate, frame.proof)
        except Noise:
            await _turn_away(line, pb.REASON_NOISE)
            raise
        return _Greeted(guest, host, frame.proof.admission)

    # --- who may sit down ---

    def _let_back(self, guest: pb.Hello) -> None:
        """Return if this is a guest of the table that is being played: no code, and nobody is asked.

        Raises `_TurnedAway`.
        """
        if not self._is_back(guest):
            raise _TurnedAway(pb.REASON_TAKEN)

    async def _let_in(self, greeted: _Greeted, origin: str, line: Line) -> None:
        """Return if the guest may sit down now. Raises `_TurnedAway`."""
        guest, own = greeted.guest, self._identity.public
        self._check_free(greeted.host.table)
        if guest.identity == own:
            return  # one person, both seats
        try:
            known = self._home.players.meet(guest.identity, guest.name)
        except AnotherKey as error:
            self._tell_once(error)
            raise _TurnedAway(pb.REASON_DECLINED) from None
        except StorageError as error:
            _log.warning("nobody can be let in: %s", error.message)
            raise _TurnedAway(pb.REASON_TROUBLE) from None
        if self._door.is_open:
            return
        turnstile = self._door.turnstile
        if greeted.admission and turnstile is not None:
            said = greeting(guest, greeted.host, self._door.certificate)
            now = asyncio.get_running_loop().time()
            judged = turnstile.admit(guest.identity, greeted.admission, said, origin, now)
            if judged is not Pass.ADMITTED:
                _log.info("a guest from %s is not let in: the code is %s", origin, judged.value)
                raise _TurnedAway(_PASSES[judged])
        elif turnstile is None or turnstile.used_by != guest.identity:
            await self._ask(Applicant(guest.name, guest.identity, known), line)
            self._check_free(greeted.host.table)

    def _check_free(self, table: bytes) -> None:
        if self._session is None or self._guest or self._session.offer_id != table:
            raise _TurnedAway(pb.REASON_TAKEN)

    async def _ask(self, applicant: Applicant, line: Line) -> None:
        """Have the host say yes. Raises `_TurnedAway`."""
        if applicant.identity in self._declined:
            raise _TurnedAway(pb.REASON_DECLINED)
        if self._door.ask is None or self._questions >= QUESTIONS:
            raise _TurnedAway(pb.REASON_CODE_NEEDED)
        if self._asking is not None:
            raise _TurnedAway(pb.REASON_LATER)
        self._questions += 1
        self._asking = asyncio.ensure_future(self._door.ask(applicant))
        try:
            try:
                async with asyncio.timeout(ASK_TIME):
                    has_gone = await _is_gone_before(self._asking, line)
            except TimeoutError:
                raise _TurnedAway(pb.REASON_LATER) from None
            if has_gone:
                raise _TurnedAway(pb.REASON_NOISE)
            if self._asking.cancelled():
                raise _TurnedAway(pb.REASON_TAKEN)
            if not self._asking.result():
                if len(self._declined) < MAX_DECLINED:
                    self._declined.add(applicant.identity)
                raise _TurnedAway(pb.REASON_DECLINED)
        finally:
            self._stop_asking()
            self._asking = None

    def _stop_asking(self) -> None:
        """The question has no sense any more: the seat is taken, or who has asked is gone."""
        if self._asking is not None:
            self._asking.cancel()

    def _is_table(self, table: bytes) -> bool:
        """Whether this is the table that is being played."""
        session = self._session
        if session is None or not self.game.done():
            return False
        if self._before is not None:
            return True  # the last one, or one that the guest has just sat down at, as far as it knows
        # A host whose log was lost has its table's name in the folder; the guest gives the log back.
        return table == (session.table_id or session.lost_id)

    def _is_back(self, guest: pb.Hello) -> bool:
        """Whether this is a guest of the table that is being played, who comes back to it."""
        session = self._before or self._session
        if session is None or not self._is_table(guest.table):
            return False
        members = session.snapshot.members
        return len(members) <= GUEST_SEAT or members[GUEST_SEAT].identity == guest.identity

    # --- guests ---

    async def _seat(self, line: Line, guest: pb.Hello) -> None:
        """Show the offer to a guest, and carry the game if it sits down."""
        session = self._session
        assert session is not None
        wire = await session.attach(
            frozenset({GUEST_SEAT}),
            identity=guest.identity,
            name=guest.name,
            certificate=self._door.certificate,
        )
        carrying = asyncio.create_task(carry(session, wire, line))
        sitting = asyncio.create_task(session.seated.wait())
        try:
            await asyncio.wait({carrying, sitting}, timeout=SEAT_TIME, return_when=asyncio.FIRST_COMPLETED)
            if session.seated.is_set():
                self._remember(guest)
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
        """Carry on a game, or the agreement on the next, with a guest who has come back."""
        session, before = self._session, self._before
        if before is not None and guest.table == before.table_id:
            session = before
        assert session is not None
        wire = await session.attach(
            frozenset({GUEST_SEAT}),
            identity=guest.identity,
            certificate=self._door.certificate,
            table=guest.table,
        )
        is_next = before is not None and session is not before
        departure = await (self._begin_next if is_next else carry)(session, wire, line)
        await self._after(session, departure, line, guest)

    async def _after(self, session: Session, departure: Departure, line: Line, guest: pb.Hello) -> None:
        while departure.handed_over:
            session, departure = await self._play_another(line, guest)
        if session.ended is not None and departure.reason == pb.REASON_FINISHED and not self._next.done():
            self._next.set_result(None)

    async def _play_another(self, line: Line, guest: pb.Hello) -> tuple[Session, Departure]:
        """A new table for the same two, on the same line; how that went."""
        if self._before is None:
            self._before, self._session = self._session, await self._offer()
        session = self._session
        assert session is not None
        wire = await session.attach(
            frozenset({GUEST_SEAT}),
            identity=guest.identity,
            name=guest.name,
            certificate=self._door.certificate,
        )
        return session, await self._begin_next(session, wire, line)

    async def _begin_next(self, session: Session, wire: Wire, line: Line) -> Departure:
        """Carry the next game, which begins when its guest sits down.

        Where the line is cut before, the offer is kept for that guest, who comes back for it. A guest who goes, or
        does not answer, ends the evening.
        """
        carrying = asyncio.create_task(carry(session, wire, line))
        sitting = asyncio.create_task(session.seated.wait())
        try:
            await asyncio.wait({carrying, sitting}, timeout=SEAT_TIME, return_when=asyncio.FIRST_COMPLETED)
            if session.seated.is_set():
                if self._session is session and self._before is not None:
                    self._before = None
                    self.playing = asyncio.get_running_loop().create_future()
                    self.playing.set_result(session)
                    self._next.set_result(session)
                return await carrying
            departure = carrying.result() if carrying.done() else None
            if departure is None or not reasons.passes(departure.reason, departure.noise):
                await session.abandon(pb.REASON_IDLE)
                if not self._next.done():
                    self._next.set_result(None)
            return departure or Departure()
        finally:
            sitting.cancel()
            carrying.cancel()

    def _remember(self, guest: pb.Hello) -> None:
        if guest.identity != self._identity.public:
            try:
                self._home.players.remember(guest.identity, guest.name, datetime.now(UTC))
            except BcnetError as error:  # no reason not to play
                _log.warning("a player could not be remembered: %s", error.message)

    async def _offer(self) -> Session:
        return await Session.host(self._home, self._identity, self._name, self._terms, games=self._games)

    def _tell(self, notice: Notice) -> None:
        """Tell the host, as long as there is no game that the words would run into."""
        if not self.game.done():
            self._notice(notice)

    def _tell_once(self, why: OtherVersion | AnotherKey) -> None:
        if why.message not in self._turned and len(self._turned) < MAX_NOTICES:
            self._turned.add(why.message)
            self._tell(Turned(why))

    def _failed(self, seated: asyncio.Task[None]) -> None:
        error = None if seated.cancelled() else seated.exception()
        if error is None:
            return
        if not self.game.done():
            self.game.set_exception(error)
        elif not self._next.done():
            self._next.set_exception(error)


async def _is_gone_before(answer: asyncio.Future[bool], line: Line) -> bool:
    """Whether a guest goes, or says anything but its position, before there is an answer; the position is not lost."""
    position: pb.Frame | None = None
    while True:
        ahead = line.ahead()
        either: set[asyncio.Future[Any]] = {answer, ahead}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if answer.done():
            break
        frame = await line.read()
        if position is not None or frame is None or not frame.HasField("position"):
            return True
        position = frame
    if position is not None:
        line.put_back(position)
    return False


async def _turn_away(line: Line, reason: int) -> None:
    with suppress(asyncio.CancelledError):
        await line.write(pb.Frame(goodbye=pb.Goodbye(reason=pb.Reason.Name(reason))))


async def _noise(line: Line, what: str) -> Noise:
    await _turn_away(line, pb.REASON_NOISE)
    return Noise(what)
