"""Who gets a seat: hellos, invites, the host's own yes, the free seats, and offers spent on those who only looked.

Strangers are let through one narrow door: a hello within ten seconds, a proof of the key that it names, the invite's
code or the host's word, and a join within thirty seconds. Whoever is let in waits with the others until the table is
filled, and then all are shown the offer at once. One that not all have answered is never shown again: it goes with
those who have not, and a new table with a new seed takes its place.

Whoever has sat down keeps the seat: when the line drops, or the host has taken the table up again from disk, the same
key comes back to the same table by name, and nobody else does. That holds from the offer on: a join may have been lost
with the line, and the guest that has sent it knows of no difference.

This module knows lines and sessions, and nothing of gRPC.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from secrets import token_bytes
from typing import Any

from bcnet import __version__
from bcnet.entry import Noise
from bcnet.errors import BcnetError, Phrase, StorageError
from bcnet.games import registry
from bcnet.gathering import Gathering, Sitter
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
from bcnet.session import HOST_SEAT, Session
from bcnet.signing import Identity
from bcnet.table.membership import GameLookup, Terms
from bcnet.wire.v1 import table_pb2 as pb
from bcnet.wires import Wire
from bcnet_client import reasons
from bcnet_client.line import Departure, Line, carry
from bcnet_host.gate import Caller
from bcnet_host.waiting import Guest, Place, Waiting, turn_away, write_soon

HELLO_TIME = 10.0
"""Seconds in which a stranger has to say who it is."""
SEAT_TIME = 30.0
"""Seconds in which a guest that was shown the offer has to answer it."""
JOIN_PAUSE = 0.05
"""Seconds between two looks at who has answered, where the offer is void and only those who stay are awaited."""
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


@dataclass(frozen=True, slots=True)
class Gathered:
    """Somebody has come, or gone, while the table is being filled."""

    gathering: Gathering


Notice = Turned | Idle | Gathered


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
        """The game before, while the next one is agreed on and not all have sat down."""
        self._following: asyncio.Future[Session] | None = None
        """The session of that next one, as soon as there is an offer."""
        self._waiting = Waiting(terms.game, terms.seats, Sitter(name, identity.public), self._gathered)
        self._beginning: asyncio.Task[None] | None = None
        """Shows the offer to all who are here."""
        self._seating: dict[int, Guest] = {}
        """Whom the offer is shown to, by seat, until all have sat down."""
        self._carrying: set[asyncio.Task[None]] = set()
        self.game: asyncio.Future[Session] = asyncio.get_running_loop().create_future()
        """The session of the first game, once all have sat down; or why there will be none."""
        self.playing = self.game
        """The same of the game that is played now, or was last."""
        self._next: asyncio.Future[Session | None] = asyncio.get_running_loop().create_future()

    @property
    def is_open(self) -> bool:
        """Whether a seat is free, and there is an offer for whoever comes."""
        return self._session is not None and not self._is_beginning and not self._waiting.is_full

    @property
    def _is_beginning(self) -> bool:
        return self._beginning is not None or self.game.done()

    async def open(self) -> None:
        """Make the first offer. Raises `StorageError`."""
        self._session = await self._offer(self._terms)

    def begin(self) -> bool:
        """Begin with those who are here, though more were awaited; whether the game allows that."""
        if self._is_beginning or len(self._waiting.guests) + 1 not in self._games(self._terms.game).seats:
            return False
        self._begin()
        return True

    def take_up(self, session: Session) -> None:
        """Wait, instead of making an offer, for the guests of a table that was taken up again from disk."""
        self._session = session
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
        self._waiting.close(reason)
        if self._beginning is not None:
            self._beginning.cancel()
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
            elif self._unanswered(guest) is None:
                await self._let_in(greeted, caller.origin, line)
        except _TurnedAway as turned:
            await turn_away(line, turned.reason)
            return
        except OtherVersion:
            return
        except Noise as noise:
            _log.info("a stranger was turned away: %s", noise.message)
            return
        caller.admit()
        if guest.table:
            following = self._return(line, guest)
        elif (seat := self._unanswered(guest)) is not None:
            following = self._attend(self._back(seat, line), guest)
        else:
            following = self._attend(come := Guest(guest.identity, guest.name, line), guest)
            self._waiting.enter(come)
            if self._waiting.is_full:
                self._begin()
        # From here on a task of our own, for gRPC cancels ours when the line breaks.
        seated = asyncio.create_task(following)
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
        is_welcome = (
            self._is_back(guest) if guest.table else self.is_open or self._unanswered(guest) is not None
        )
        table = guest.table if is_welcome else b""
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
            await turn_away(line, pb.REASON_VERSION)
            raise
        except Noise:
            await turn_away(line, pb.REASON_NOISE)
            raise
        if not is_welcome:
            unknown = guest.table and self._session_of(guest.table) is None
            raise _TurnedAway(pb.REASON_UNKNOWN_TABLE if unknown else pb.REASON_TAKEN)
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
            await turn_away(line, pb.REASON_NOISE)
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
        self._check_room()
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
        elif turnstile is None or guest.identity not in turnstile.used_by:
            await self._ask(Applicant(guest.name, guest.identity, known), line)
            self._check_room()

    def _check_room(self) -> None:
        if not self.is_open:
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

    def _session_of(self, table: bytes) -> Session | None:
        """The session of the table that a guest comes back to; None if it is no table of this host's now."""
        for session in (self._before, self._session):
            if session is not None and table in _names(session):
                return session
        # While an offer is answered, a guest may have sat down already, as far as it knows: by a join that was lost.
        return self._session if self._before is not None or self._seating else None

    def _is_back(self, guest: pb.Hello) -> bool:
        """Whether this is a guest of the table that is being played, who comes back to it."""
        session = self._session_of(guest.table)
        if session is None:
            return False
        guests = {key for seat, key in self._occupants(session).items() if seat != HOST_SEAT}
        return guest.identity in guests or not guests

    def _occupants(self, session: Session) -> Mapping[int, bytes]:
        """Who sits at a table, or is to: an offer is for whom it is shown to, the next game for those of the last."""
        shown = {seat: guest.identity for seat, guest in self._seating.items() if self._may_return(guest)}
        return {**(self._before or session).occupants, **shown}

    def _may_return(self, guest: Guest) -> bool:
        """Whether somebody who is shown the offer has not gone for good."""
        has_gone = guest.gone.done() and (guest.gone.exception() is not None or not guest.gone.result())
        return guest in self._waiting.guests and not has_gone

    def _unanswered(self, guest: pb.Hello) -> int | None:
        """The seat of a guest that was shown the offer, has lost its line before it answered, and begins anew.

        Its host may not have noticed yet; one whose line is known to be gone comes first.
        """
        if guest.table or self._session is None:
            return None
        seats = [
            seat
            for seat, before in self._seating.items()
            if (guest.identity, guest.name) == (before.identity, before.name)
            and seat not in self._session.occupants
            and self._may_return(before)
        ]
        return min(seats, key=lambda seat: not self._seating[seat].gone.done(), default=None)

    def _back(self, seat: int, line: Line) -> Guest:
        """A guest that was shown the offer is on another line now; it has the name that it was let in with."""
        before = self._seating[seat]
        back = Guest(before.identity, before.name, line, before.place.result())
        self._waiting.replace(before, back)
        self._seating[seat] = back
        return back

    # --- the table is being filled ---

    async def _attend(self, guest: Guest, hello: pb.Hello, place: Place | None = None) -> None:
        """A guest who has been let in, or has come back to its ``place``, from then to the end of its line."""
        session, departure, table = None, Departure(), hello.table
        try:
            while place is not None or (place := await self._waiting.wait(guest)) is not None:
                if self._seating.get(place.seat, guest) is not guest:
                    session, departure = None, Departure()
                    await turn_away(guest.line, pb.REASON_REPLACED)
                    break
                session = place.session
                wire = await session.attach(
                    frozenset({place.seat}),
                    identity=guest.identity,
                    name=guest.name,
                    certificate=self._door.certificate,
                    table=table,
                )
                departure = await carry(session, wire, guest.line)
                if session.seated.is_set() or not departure.handed_over:
                    break
                place, table = None, b""
        except BaseException as error:
            _settle(guest.gone, error)
            raise
        was_shown = place is not None  # the offer; whoever has gone before does not come back to it
        _settle(guest.gone, may_return=was_shown and reasons.passes(departure.reason, departure.noise))
        if not guest.place.done():  # its line was cut when it was to wait once more
            self._waiting.leave(guest)
        if place is not None and session is not None:
            await self._after(session, departure, guest.line, hello, place.seat)

    def _begin(self) -> None:
        """Show the offer to all who are here."""
        self._stop_asking()
        self._beginning = asyncio.create_task(self._seat(tuple(self._waiting.guests)))
        self._carrying.add(self._beginning)
        self._beginning.add_done_callback(self._carrying.discard)
        self._beginning.add_done_callback(self._failed)

    async def _seat(self, guests: Sequence[Guest]) -> None:
        session = await self._prepared(len(guests) + 1)
        gathering = self._waiting.complete(guests)  # not those who wait now: one may just have gone
        self._seating = seats = dict(enumerate(guests, HOST_SEAT + 1))
        for seat, guest in seats.items():
            guest.place.set_result(Place(session, seat, gathering))
        has_begun = await self._all_sit(session, seats)
        self._seating = {}
        if has_begun:
            for guest in guests:
                self._remember(guest)
            self.game.set_result(session)
            return
        # What it was shown must not be shown to another: a new table, with a new seed.
        staying = {
            seat: guest
            for seat, guest in seats.items()
            if seat in session.occupants and not guest.gone.done()
        }
        for guest in staying.values():
            guest.place = asyncio.get_running_loop().create_future()
        self._session = None
        for seat, guest in seats.items():
            if seat not in session.occupants:
                self._tell(Idle(guest.identity))
            if seat not in staying:
                self._waiting.leave(guest)
        await session.withdraw(frozenset(staying))
        self._session = await self._offer(self._terms)
        self._beginning = None
        if self._waiting.is_full:  # somebody was let in at that moment
            self._begin()

    async def _prepared(self, seats: int) -> Session:
        """The session of the offer for so many seats."""
        session = self._session
        assert session is not None
        if seats != self._terms.seats:  # fewer have come than it was made for
            self._session = None
            await session.abandon(pb.REASON_LEAVING)
            session = await self._offer(replace(self._terms, seats=seats))
            self._session = session
        return session

    async def _all_sit(self, session: Session, seats: Mapping[int, Guest]) -> bool:
        """Wait until all have sat down; whether they have.

        Where one goes who has not, it ends as soon as all others have answered or gone: they are to stay. A line that
        is only cut may come back.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + SEAT_TIME
        sitting = asyncio.ensure_future(session.seated.wait())
        try:
            while not session.seated.is_set() and (left := until - loop.time()) > 0:
                silent = [guest for seat, guest in seats.items() if seat not in session.occupants]
                # Raises what was wrong with our own disk.
                gone = [guest.gone.result() for guest in silent if guest.gone.done()]
                if gone and len(gone) == len(silent) and not all(gone):
                    return False
                awaited: set[asyncio.Future[Any]] = {sitting}
                awaited |= {guest.gone for guest in seats.values() if not guest.gone.done()}
                # Nothing tells of a join that is not the last.
                pause = min(left, JOIN_PAUSE) if gone else left
                await asyncio.wait(awaited, timeout=pause, return_when=asyncio.FIRST_COMPLETED)
            return session.seated.is_set()
        finally:
            sitting.cancel()

    def _gathered(self, gathering: Gathering) -> None:
        if gathering.seats > 2:
            self._tell(Gathered(gathering))

    # --- coming back, and another game ---

    async def _return(self, line: Line, guest: pb.Hello) -> None:
        """Carry on a game, or the agreement on the next, with a guest who has come back."""
        session = self._session_of(guest.table)
        if session is None:  # the offer has become void just now
            await turn_away(line, pb.REASON_UNKNOWN_TABLE)
            return
        seat = await self._seat_named(line, session, guest)
        if seat is None:
            await turn_away(line, pb.REASON_NOISE)
            return
        if seat in self._seating:
            back = self._back(seat, line)
            await self._attend(back, guest, back.place.result())
            return
        wire = await session.attach(
            frozenset({seat}),
            identity=guest.identity,
            certificate=self._door.certificate,
            table=guest.table,
        )
        is_next = self._before is not None and session is not self._before
        departure = await (self._begin_next if is_next else carry)(session, wire, line)
        await self._after(session, departure, line, guest, seat)

    async def _seat_named(self, line: Line, session: Session, guest: pb.Hello) -> int | None:
        """The seat that a guest comes back to, as it says with its position; None if it is not its own."""
        try:
            async with asyncio.timeout(HELLO_TIME):
                await asyncio.shield(line.ahead())
        except TimeoutError:
            return None
        frame = await line.read()
        if frame is None or not frame.HasField("position"):
            return None
        line.put_back(frame)
        seat, occupants = frame.position.seat, self._occupants(session)
        # Where the log was lost, nobody's seat is known: the entries that the guest gives back tell.
        is_own = not occupants.keys() - {HOST_SEAT} or occupants.get(seat) == guest.identity
        return seat if is_own and seat in session.others else None

    async def _after(
        self, session: Session, departure: Departure, line: Line, guest: pb.Hello, seat: int
    ) -> None:
        while departure.handed_over:
            session, departure = await self._play_another(line, guest, seat)
        if session.ended is not None and departure.reason == pb.REASON_FINISHED and not self._next.done():
            self._next.set_result(None)

    async def _play_another(self, line: Line, guest: pb.Hello, seat: int) -> tuple[Session, Departure]:
        """A new table for the same players, on the same line; how that went."""
        if self._before is None:
            last = self._session
            assert last is not None
            assert last.snapshot.terms is not None
            self._before = last
            self._following = asyncio.ensure_future(self._offer(last.snapshot.terms))
        assert self._following is not None
        self._session = session = await asyncio.shield(self._following)
        sitters = tuple(Sitter(member.name, member.identity) for member in self._before.snapshot.members)
        # Those of the last table, which may be another than this door was opened for.
        terms = session.snapshot.terms
        assert terms is not None
        gathering = Gathering(terms.game, terms.seats, sitters)
        await write_soon(line, pb.Frame(gathering=gathering.message(seat, begins=True)))
        wire = await session.attach(
            frozenset({seat}),
            identity=guest.identity,
            name=guest.name,
            certificate=self._door.certificate,
        )
        return session, await self._begin_next(session, wire, line)

    async def _begin_next(self, session: Session, wire: Wire, line: Line) -> Departure:
        """Carry the next game, which begins when all have sat down.

        Where the line is cut before, the offer is kept for that guest, who comes back for it. A guest who goes, or
        does not answer, ends the evening.
        """
        carrying = asyncio.create_task(carry(session, wire, line))
        sitting = asyncio.create_task(session.seated.wait())
        try:
            await asyncio.wait({carrying, sitting}, timeout=SEAT_TIME, return_when=asyncio.FIRST_COMPLETED)
            if session.seated.is_set():
                if self._session is session and self._before is not None:
                    self._before = self._following = None
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

    def _remember(self, guest: Guest) -> None:
        if guest.identity != self._identity.public:
            try:
                self._home.players.remember(guest.identity, guest.name, datetime.now(UTC))
            except BcnetError as error:  # no reason not to play
                _log.warning("a player could not be remembered: %s", error.message)

    async def _offer(self, terms: Terms) -> Session:
        return await Session.host(self._home, self._identity, self._name, terms, games=self._games)

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


def _names(session: Session) -> frozenset[bytes]:
    """What a guest of this table calls it who comes back: by its id, or by its offer's while others have to sit down.

    A host whose log was lost has its table's id in the folder; the guest gives the log back.
    """
    offer = session.offer_id if len(session.occupants) > 1 else b""
    return frozenset({session.table_id or session.lost_id, offer} - {b""})


def _settle(
    gone: asyncio.Future[bool], error: BaseException | None = None, *, may_return: bool = False
) -> None:
    if gone.done():
        return
    if isinstance(error, Exception):
        gone.set_exception(error)
    else:
        gone.set_result(may_return)


async def _is_gone_before(answer: asyncio.Future[bool], line: Line) -> bool:
    """Whether a guest goes, or says anything, before there is an answer."""
    ahead = line.ahead()
    either: set[asyncio.Future[Any]] = {answer, ahead}
    await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
    return not answer.done()


async def _noise(line: Line, what: str) -> Noise:
    await turn_away(line, pb.REASON_NOISE)
    return Noise(what)
