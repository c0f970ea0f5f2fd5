"""A game that is running: a player's table, its folder on disk, and the wires to the other sides.

Whoever plays (console, bot, test) and whatever carries the frames (gRPC, a pipe of the tests) meets here. Order is
everything: a statement is judged, then it is on disk, then what follows from it is sent. Heavy steps run beside the
event loop, one at a time, and a step that has begun is finished whoever stops waiting for it. No gRPC and no screen
in here.

Every wire, the first and each later one, begins alike: both sides say how far their logs reach, each sends what the
other lacks (the other's own entries too) and that it has caught up. Only then does it carry what is said from now on.
A session that was taken up again from disk signs nothing before the other side has caught up.

A player takes ``snapshot`` and ``updates()`` in one go, answers ``snapshot.decision`` if there is one, and from then
on every `Asked`. A carrier attaches a `Wire`, passes what comes from the other side to ``receive`` and what the wire
gives to the other side, and detaches it when the side is gone.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from bcnet import transcript
from bcnet.chat import MAX_BYTES, Conversation, clean
from bcnet.entry import Noise, place_of, read_body
from bcnet.errors import BcnetError, Refusal, StorageError
from bcnet.games import registry
from bcnet.games.interface import Action, Game, Over
from bcnet.gathering import MOST_SEATS, Gathering
from bcnet.home import Home, TableFolder, new_seed
from bcnet.keeping import CannotResume, Keeping, recall, revealed
from bcnet.language import N_
from bcnet.origin import check_origin
from bcnet.secrets import Secrets
from bcnet.signing import Identity
from bcnet.table.membership import GameLookup, Terms
from bcnet.table.player import Event, Player, Position, Reaction, Seen
from bcnet.table.rounds import DECISIONS
from bcnet.table.table import OtherHistory
from bcnet.updates import (
    AnotherWanted,
    Asked,
    Awaited,
    ChatOff,
    Ended,
    LineDown,
    LineUp,
    Moved,
    Said,
    Seated,
    Snapshot,
    Trouble,
    Update,
    Watched,
)
from bcnet.verify import verify
from bcnet.wire.v1 import table_pb2 as pb
from bcnet.wires import Wire
from bcnet.words import four_words

DISK_PAUSE = 2.0
"""Seconds between two tries to write what the disk would not take."""

MAX_AUDIENCE = 999
"""So many watchers are shown at most, whatever the host says."""

HOST_SEAT = 0

NOBODY_HEARS = N_("Nobody is there who could hear you.")

_T = TypeVar("_T")


class SessionOver(BcnetError):
    """The table was left while something had still to be done."""

    def __init__(self) -> None:
        super().__init__("The table has been left.")


class Session:
    """One player's running game. All methods are for the event loop's thread."""

    def __init__(self, home: Home, player: Player) -> None:
        """Made by `host` and `join`."""
        self.player = player
        self._keeping = Keeping(home, player)
        self._gathering: Gathering | None = None
        """Who is to sit where, as the host has told; None if it has told nothing."""
        self._wires: list[Wire] = []
        self._listeners: list[asyncio.Queue[Update]] = []
        self._past: list[Moved] = []
        self._lock = asyncio.Lock()
        self._beside = ThreadPoolExecutor(max_workers=1, thread_name_prefix="bcnet-table")
        self._working: set[asyncio.Task[Any]] = set()
        self._leaving = asyncio.Event()
        self._last_word: int = pb.REASON_UNSPECIFIED
        """What a side that comes back now is told: why this one leaves the game."""
        self._has_left = False
        self._left_at: Path | None = None
        self._asked_in = -1
        self._words: tuple[str, ...] = ()
        self._certificate: bytes | None = None
        """That of the first line, for the words; empty if there is none, or once there was another: then no words."""
        self._audience = 0
        self._was_watched = False
        self._public_rounds = 0
        """Closed rounds that are on disk, and so may be seen by anybody."""
        self._news = asyncio.Event()
        """Set, and replaced, whenever there is more for onlookers, or nothing more."""
        self._down: set[int] = set()
        self._down_since: dict[frozenset[int], LineDown] = {}
        """What was told last of each line that is down still."""
        self._wanting: set[int] = set()
        """The seats that want another game."""
        self._served: set[int] = set()
        """The seats whose side has said that it has the whole table, or has gone with that."""
        self._chat = Conversation(player.number)
        self._told_silent: set[int] = set()
        self.remembered = ""
        """Where the table is to be found again, as far as anybody has said."""
        self.keeps_lines = False
        """Whether the lines stay when the game has ended, until ``another`` or ``close``: for another game."""
        self.delivered = asyncio.Event()
        """Set when all other sides have said that they have the whole table as well; after a fault, when all whom the
        host has still to show it have it."""
        self.seated = asyncio.Event()
        """Set when all have sat down."""
        self.all_here = asyncio.Event()
        """Set when nobody has to come back before the table can go on."""
        self.all_here.set()
        self.ended: Ended | None = None
        self.failure: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Gets the exception when this program is found to be defective; never a result."""
        self.failure.add_done_callback(lambda done: done.cancelled() or done.exception())
        self.snapshot = self._look()

    @classmethod
    async def host(
        cls, home: Home, identity: Identity, name: str, terms: Terms, *, games: GameLookup = registry.get
    ) -> Session:
        """Open a table: a new seed and an offer, both on disk. Raises `StorageError`."""
        session = cls(
            home, Player(0, Secrets(new_seed()), identity.public, identity.sign_message, name, games=games)
        )
        try:
            await session._step(session._do(lambda: session.player.offer(terms)))
        except BaseException:
            await session.close(pb.REASON_TROUBLE)
            raise
        return session

    @classmethod
    async def join(
        cls,
        home: Home,
        identity: Identity,
        name: str,
        seat: int,
        *,
        gathering: Gathering | None = None,
        games: GameLookup = registry.get,
    ) -> Session:
        """A guest's session for a seat; it begins when the offer is received, which it answers with its join.

        ``gathering`` is what the host has told of game and players: this side sits down at no other table.
        """
        session = cls(
            home, Player(seat, Secrets(new_seed()), identity.public, identity.sign_message, name, games=games)
        )
        session._gathering = gathering
        return session

    @classmethod
    async def resume(
        cls,
        home: Home,
        identity: Identity,
        name: str,
        folder: TableFolder,
        *,
        games: GameLookup = registry.get,
    ) -> Session:
        """Take up an unfinished table from its folder, which is the session's from now on.

        Nothing is signed before the other side has come back and has sent what is missing here. ``name`` is used
        only where this side had not sat down yet. Raises `CannotResume` and `StorageError`; the folder is closed
        then, and nothing has changed.
        """
        player = Player(
            folder.seat, Secrets(folder.seed), identity.public, identity.sign_message, name, games=games
        )
        session = cls(home, player)
        session._keeping.folder = folder
        session._certificate = b""
        session.all_here.clear()
        try:
            events = await session._run(lambda: recall(player, folder))
            session._down = set(session.others)
            if not folder.is_offer and not player.table.course.table_id and not folder.table_id:
                raise CannotResume(
                    "Table {table} has lost its journal and its name.",
                    hint="Put back a copy of its folder. Without one it cannot go on here.",
                    table=folder.table,
                )
            if folder.is_offer and player.table.course.table_id:
                await session._run(lambda: folder.become_table(player.table.course.table_id))
        except BaseException:
            folder.close()
            session._beside.shutdown(wait=False)
            raise
        session._public_rounds = len(player.table.log)
        session.snapshot = session._look()
        await session._step(session._taken_up(events))
        return session

    @classmethod
    async def finished(
        cls, home: Home, identity: Identity, path: Path, seat: int, *, games: GameLookup = registry.get
    ) -> Session:
        """A table whose transcript lies at ``path``, for another side that lacks the last of it.

        Raises `UnreadableError`, `StorageError`, and `CannotResume` if it is no complete table of this identity.
        """
        entries = await asyncio.to_thread(transcript.read, path)
        player = Player(
            seat, Secrets(revealed(entries, seat)), identity.public, identity.sign_message, "", games=games
        )
        session = cls(home, player)
        try:
            await session._run(lambda: player.recall(entries))
            if not player.table.complete:
                raise Noise("it is not complete")
        except Noise as noise:
            session._beside.shutdown(wait=False)
            raise CannotResume("{path} is of no use: {why}", path=path, why=noise.message) from None
        report = await session._run(lambda: verify(entries, games=games))
        session.ended = Ended(path, report, report.result, None)
        session.seated.set()
        session.snapshot = session._look()
        return session

    @property
    def offer_id(self) -> bytes:
        """The id of the offer that this table began with; empty before there is one."""
        return self.player.table.course.offer_id

    @property
    def table_id(self) -> bytes:
        """The id of the table; empty before all have sat down."""
        return self.player.table.course.table_id

    @property
    def occupants(self) -> Mapping[int, bytes]:
        """The identity keys by seat, as far as anybody has sat down; the guests' also while some are missing."""
        course, log = self.player.table.course, self.player.table.log
        taken = {seat: member.identity for seat, member in enumerate(course.members)}
        if course.offer_id and not course.table_id:
            for seat, entry in log.open.entries.items():
                taken[seat] = read_body(entry.body).join.guest.identity
        return taken

    @property
    def game(self) -> Game:
        """The rules of the table's game. Raises ValueError before there is an offer."""
        game = self.player.table.course.game
        if game is None:
            raise ValueError("there is no offer yet")
        return game

    @property
    def has_joined(self) -> bool:
        """Whether this side has sat down, be it that others have not."""
        return self.player.number in self.occupants

    @property
    def others(self) -> frozenset[int]:
        """All seats but the own one; every seat that there could be, where the log that says so was lost."""
        return frozenset(range(self._seats or MOST_SEATS)) - {self.player.number}

    @property
    def plays_on(self) -> bool:
        """Whether all want another game: the lines are handed over to its session."""
        return bool(self._seats) and len(self._wanting) == self._seats

    @property
    def lost_id(self) -> bytes:
        """The id of the table as its folder has it, where the log that holds it was lost; empty otherwise."""
        folder = self._keeping.folder
        return b"" if self.table_id or folder is None else folder.table_id

    @property
    def is_leaving(self) -> bool:
        """Whether this side has left the table."""
        return self._leaving.is_set()

    def remember(self, address: str) -> None:
        """Keep, beside the journal, where the table is to be found again. A convenience: failing does no harm."""
        self.remembered = address
        self._keeping.remember(address)

    @property
    def folder(self) -> Path | None:
        """Where the table lies on disk while it is unfinished."""
        return self._keeping.folder.path if self._keeping.folder else None

    # --- for whoever plays ---

    def updates(self, *, past: bool = False) -> asyncio.Queue[Update]:
        """A queue that gets everything that happens from now on.

        With ``past`` it begins with what has happened in the game, and with the lines that are down now. What was
        said beside the game is kept nowhere.
        """
        queue: asyncio.Queue[Update] = asyncio.Queue()
        silent = [ChatOff(seat) for seat in sorted(self._told_silent)]
        present: list[Update] = [*self._past, *silent, *self._down_since.values()]
        for update in present if past else ():
            queue.put_nowait(update)
        self._listeners.append(queue)
        return queue

    async def act(self, action: Action) -> None:
        """Decide. Raises `Refusal` if the rules do not allow it now; nothing has changed then."""
        await self._step(self._do(lambda: self.player.act(action)))

    async def resign(self) -> None:
        """Give up the game. Raises `Refusal` if there is none."""
        await self._step(self._do(self.player.resign))

    def another(self) -> None:
        """Say, after the end of a game, that the own player wants another one with the same people."""
        if self.ended is not None and self.player.number not in self._wanting:
            self._want_another(self.player.number)

    def say(self, text: str) -> None:
        """Say something to the others beside the game. Raises `Refusal` where nobody would hear it."""
        hearing = [wire for wire in self._wires if wire.position is not None and not wire.closed.is_set()]
        if not hearing or not self.seated.is_set():
            raise Refusal(NOBODY_HEARS)
        own = self.player.number
        others = {
            seat: member.name for seat, member in enumerate(self.player.table.course.members) if seat != own
        }
        said = self._chat.speak(text, others, asyncio.get_running_loop().time())
        for wire in hearing:
            wire.put(pb.Frame(chat=pb.Chat(seat=own, text=said)))
        self._tell(Said(own, said))

    def stay_out_of_the_chat(self) -> None:
        """The own player wants no chat: nothing is sent or told of any more, and the others are told so, once."""
        self._chat.silent.add(self.player.number)
        for wire in self._wires:
            self._say_silent(wire)

    async def close(self, reason: int = pb.REASON_PAUSED) -> Path | None:
        """Leave: say goodbye on all wires and let go of the folder, where an unfinished table stays.

        Gives the path of the transcript so far, written there, if a game was left. An offer that nobody was answered
        on leaves nothing behind.
        """
        return await self._leave(reason, keep=True)

    async def abandon(self, reason: int) -> None:
        """Give up an offer whose game has not begun: nothing of it stays on disk, and it is never taken up again."""
        await self._leave(reason, keep=False)

    async def withdraw(self, staying: frozenset[int]) -> None:
        """Give up an offer that not all have answered. The lines of the ``staying`` seats are left for the next."""
        for wire in self._wires:
            if wire.seats <= staying:
                wire.hand_over()
        await self.abandon(pb.REASON_IDLE)

    # --- for whatever carries frames ---

    async def attach(
        self,
        seats: frozenset[int],
        *,
        identity: bytes = b"",
        name: str = "",
        certificate: bytes = b"",
        table: bytes = b"",
    ) -> Wire:
        """A wire to the side that holds ``seats``; it first says how far the own log reaches.

        ``identity`` is the key that the side has proven in its hello, ``name`` the name that it gave there: with no
        other key and under no other name can it sit down.
        ``certificate`` is the fingerprint of the line's certificate, which goes into the four words. ``table`` is the
        id of the table that it has come back to. An older wire to the same side is closed: its line is dead, though
        nobody may have noticed yet.
        """
        wire = Wire(seats, identity, name, table)
        async with self._lock:
            if self._certificate is None:
                self._certificate = certificate
            elif certificate != self._certificate:
                # This certificate may have been made when the draw was known; the log vouches for who is who by now.
                self._certificate, self._words = b"", ()
                self.snapshot = self._look()
            for older in [each for each in self._wires if each.seats & seats]:
                self._wires.remove(older)
                older.close(pb.REASON_REPLACED)
            if self._leaving.is_set():
                wire.close(self._last_word)
            elif self._has_cheated(wire):
                wire.close(pb.REASON_FAULT)
            else:
                here = self.player.position
                position = pb.Position(rounds=here.rounds, head=here.head, seat=self.player.number)
                wire.put(pb.Frame(position=position))
            self._wires.append(wire)
            self._chat.silent -= seats  # whoever stays out of the chat says so on every connection
            self._say_audience(wire)
            self._say_silent(wire)
        return wire

    def detach(self, wire: Wire, reason: int = pb.REASON_UNSPECIFIED, noise: Noise | None = None) -> None:
        """The side is gone.

        ``reason`` is what it gave, if it said goodbye, ``noise`` what came from it and has no place here.
        """
        if reason == pb.REASON_FINISHED or (reason == pb.REASON_FAULT and self._has_found_another(wire)):
            self._serve(wire)
        if wire in self._wires:
            self._wires.remove(wire)
            wire.close(_answer_to(noise))
            if HOST_SEAT in wire.seats:
                # Only the host knows; when it is back it says so again, if anybody watches.
                self._audience = 0
                self.snapshot = replace(self.snapshot, audience=0)
            if not wire.handed_over:
                self._miss(wire.seats, LineDown(wire.seats, reason, noise))
                self._say_presence(wire, reason)

    def still_down(self, why: str) -> None:
        """Tell that a guest's host cannot be reached again so far, and why."""
        if self.ended is None and not self._leaving.is_set():
            self._miss(self.others, LineDown(self.others, pb.REASON_UNSPECIFIED, None, why))

    def lose(self, seats: frozenset[int], why: str) -> None:
        """Tell that whoever sits there does not come back as long as this program runs, and why."""
        if not self._leaving.is_set():
            self._miss(seats, LineDown(seats, pb.REASON_LEAVING, None, why))

    def _miss(self, seats: frozenset[int], down: LineDown) -> None:
        """Seats cannot be reached; the player is told, unless nothing is awaited of them any more."""
        self._down |= seats
        self.snapshot = replace(self.snapshot, away=self._away)
        awaited = seats & self._present if self.ended is None else seats if self.keeps_lines else ()
        if awaited or not self._seats:
            self._tell(down)

    async def receive(self, wire: Wire, frame: pb.Frame) -> None:
        """Take an entry or a note from a wire. Raises `Noise`; nothing has changed then.

        Raises `StorageError` if it would have begun the game and could not be stored, and `SessionOver`.
        """
        await self._step(self._receive(wire, frame))

    def _say_silent(self, wire: Wire) -> None:
        for seat in sorted(self._chat.silent - wire.seats):
            if seat == self.player.number or self.player.number == HOST_SEAT:
                wire.put(pb.Frame(chat=pb.Chat(seat=seat)))

    # --- for onlookers ---

    async def public(self) -> AsyncIterator[bytes]:
        """All entries of closed rounds in round and seat order, as they come, with the evidence of a fault at the end.

        Ends when the table has ended or is left. Whoever takes them slowly holds up nobody, and costs nothing.
        """
        log = self.player.table.log
        number = 0
        while True:
            news = self._news
            while number < self._public_rounds:
                for entry in log[number].in_seat_order():
                    yield entry.data
                number += 1
            if self.ended is not None:
                for data in self.ended.fault.evidence if self.ended.fault else ():
                    yield data
                return
            if self._leaving.is_set():
                return
            await news.wait()

    def set_audience(self, count: int) -> None:
        """The host tells all players how many watch."""
        self._watched_by(count)
        for wire in self._wires:
            self._say_audience(wire)

    def _say_audience(self, wire: Wire) -> None:
        if self.player.number == HOST_SEAT and (self._audience or self._was_watched):
            wire.put(pb.Frame(audience=pb.Audience(count=self._audience)))

    def _watched_by(self, count: int) -> None:
        if count != self._audience:
            self._audience = count
            self._was_watched = True
            self.snapshot = replace(self.snapshot, audience=count)
            self._tell(Watched(count))

    def _wake_onlookers(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    # --- inside ---

    async def _step(self, work: Coroutine[Any, Any, _T]) -> _T:
        """One step at a time, each finished even if nobody waits for it any more."""
        task = asyncio.create_task(self._locked(work))
        self._working.add(task)
        task.add_done_callback(self._worked)
        return await asyncio.shield(task)

    async def _locked(self, work: Coroutine[Any, Any, _T]) -> _T:
        async with self._lock:
            return await work

    def _worked(self, task: asyncio.Task[Any]) -> None:
        self._working.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, BcnetError) and not self.failure.done():
            self.failure.set_exception(error)

    async def _receive(self, wire: Wire, frame: pb.Frame) -> None:
        if self._leaving.is_set():
            raise SessionOver
        if wire not in self._wires and wire.closed.is_set():
            return  # what still comes by a line that a newer one has replaced
        if frame.HasField("position"):
            self._take_position(wire, frame.position)
            return
        if wire.position is None:
            raise Noise("Something is said before the side has told how far its log reaches.")
        if frame.HasField("caught_up"):
            await self._caught_up(wire)
            return
        if frame.HasField("complete"):
            if self.ended is None:
                raise Noise("A side says that it has the whole table before this one has ended.")
            self._serve(wire)
            return
        if frame.HasField("another"):
            self._take_another(wire, frame.another.seat)
            return
        if frame.HasField("chat"):
            self._hear(wire, frame)
            return
        if frame.HasField("presence") and HOST_SEAT in wire.seats:
            self._take_presence(wire, frame.presence)
            return
        if self.ended is not None:
            return  # all has been said; what still comes changes nothing
        if frame.HasField("entry"):
            check_origin(self.player, wire, frame.entry, self._gathering)
            await self._do(lambda: self.player.receive(frame.entry))
            self._hear_from(wire, frame.entry)
        elif frame.HasField("note"):
            await self._do(lambda: self.player.receive_note(frame.note))
            self._relay(wire, frame)
        elif frame.HasField("audience") and HOST_SEAT in wire.seats:
            self._watched_by(min(frame.audience.count, MAX_AUDIENCE))
        else:
            raise Noise("A frame that has no place here.")

    def _hear(self, wire: Wire, frame: pb.Frame) -> None:
        """Take what somebody says beside the game. Too much of it is passed over; it holds up nothing else."""
        seat, text = frame.chat.seat, frame.chat.text
        if seat not in wire.seats:
            raise Noise("What seat {seat} says does not come from there.", seat=seat)
        if len(text.encode()) > MAX_BYTES:
            raise Noise("Seat {seat} says more than a line of chat may hold.", seat=seat)
        if not self._chat.hear(seat, text, asyncio.get_running_loop().time()):
            return
        self._relay(wire, frame)
        if self._chat.is_off or not self.seated.is_set():
            return
        if heard := clean(text):
            self._tell(Said(seat, heard))
        self._tell_silent()

    def _tell_silent(self) -> None:
        """Tell who takes no part in the chat, each once; nobody who takes no part himself wants to know."""
        if self._chat.is_off:
            return
        for seat in sorted(self._chat.silent - self._told_silent):
            self._told_silent.add(seat)
            self._tell(ChatOff(seat))

    @property
    def _seats(self) -> int:
        terms = self.player.table.course.terms
        return terms.seats if terms else 0

    @property
    def _present(self) -> frozenset[int]:
        """The seats without which the table cannot go on: all but those that have left the game for good."""
        course = self.player.table.course
        return frozenset(course.present if course.started else range(self._seats))

    @property
    def _away(self) -> frozenset[int]:
        """Who cannot be reached and is still in the game."""
        return self._present & self._down

    @property
    def _awaited_back(self) -> frozenset[int]:
        """Who has to come back before a table that was taken up from disk can go on.

        Anybody may, as long as the log that says who plays is not back: no seat is known to be missing then.
        """
        return self._away if self._seats else frozenset(self._down)

    def _take_position(self, wire: Wire, position: pb.Position) -> None:
        if wire.position is not None:
            raise Noise("A side has told twice how far its log reaches.")
        wire.position = Position(position.rounds, position.head)
        if self._may_lack_what_others_have(wire):
            self.player.missing(wire.position)  # whoever is on another log is told at once
        else:
            self._open(wire)

    def _may_lack_what_others_have(self, wire: Wire) -> bool:
        """Whether this is a host, taken up from disk, that awaits others than those behind the wire.

        Its copy may be an old one, and so may be the other side's: what both lack the others have, and whoever is told
        that nothing is missing signs.
        """
        is_held_host = self.player.number == HOST_SEAT and self.player.is_held and self.ended is None
        return is_held_host and bool(self._awaited_back - wire.seats)

    def _open(self, wire: Wire) -> None:
        """Send what the other side lacks; from then on the wire carries what is said. Raises `OtherHistory`."""
        assert wire.position is not None
        if self._has_cheated(wire):
            wire.close(pb.REASON_FAULT)
            return
        wire.put_all(pb.Frame(entry=data) for data in self.player.missing(wire.position))
        if self.player.table.fault is not None:  # another's: who was away when it was found judges it now
            wire.put(pb.Frame(entry=self.player.table.fault.evidence[-1]))
        wire.put(pb.Frame(caught_up=pb.CaughtUp()))
        wire.is_open = True
        for note in self.player.notes():
            wire.put(pb.Frame(note=note))
        if self.ended is not None and self.ended.fault is None:
            wire.put(pb.Frame(complete=pb.Complete()))
        if self.ended is not None and self.ended.fault is not None:
            wire.close(pb.REASON_FAULT)
        elif self.ended is not None and not self.keeps_lines:
            wire.close(pb.REASON_FINISHED)
        else:
            self._say_who_is_down(wire)
            for seat in sorted(self._wanting - wire.seats):
                wire.put(pb.Frame(another=pb.Another(seat=seat)))

    def _open_who_waits(self) -> None:
        """Open the wires that this side could not open so far, for it may have lacked something itself."""
        for wire in tuple(self._wires):
            is_waiting = wire.position is not None and not wire.is_open and not wire.closed.is_set()
            if is_waiting and not self._may_lack_what_others_have(wire):
                try:
                    self._open(wire)
                except OtherHistory as noise:
                    self.detach(wire, noise=noise)

    async def _caught_up(self, wire: Wire) -> None:
        """The other side has sent all that was missing here: go on."""
        if wire.has_caught_up:
            raise Noise("A side has caught up twice.")
        wire.has_caught_up = True
        was_down = bool(wire.seats & self._down)
        self._down -= wire.seats
        goes_on = self.player.is_held and not self._awaited_back and self.ended is None
        # Whoever is told that the line is up looks at the table at once, and nothing else may happen.
        held = self.player.is_held and not goes_on
        self.snapshot = replace(self.snapshot, held=held, away=self._away)
        if goes_on:
            self.all_here.set()
        if was_down and (self.ended is None or self.keeps_lines):
            self._tell(LineUp(wire.seats, same_log=not held))
            self._say_presence(wire)
        if goes_on:
            await self._do(self.player.go_on)
            if not was_down:  # nothing has told yet that this side goes on
                self._tell(Awaited(self.snapshot.awaited))
        self._open_who_waits()
        if not wire.is_open:
            self._say_who_is_down(wire)

    def _take_another(self, wire: Wire, seat: int) -> None:
        if self.ended is None:
            raise Noise("Another game is asked for before this one has ended.")
        if seat not in wire.seats:
            raise Noise("What seat {seat} wants does not come from there.", seat=seat)
        self._serve(wire)
        wire.wanting.add(seat)
        if seat in self._wanting:  # said once more, on a new line
            self._hand_over()
        else:
            self._want_another(seat)
            self._tell(AnotherWanted(frozenset({seat})))

    def _want_another(self, seat: int) -> None:
        self._wanting.add(seat)
        for wire in self._wires:
            if wire.is_open and seat not in wire.seats:
                wire.put(pb.Frame(another=pb.Another(seat=seat)))
        self._hand_over()

    def _hand_over(self) -> None:
        """Where all want another game: leave each line to it on which all have said so that are behind it."""
        for wire in self._wires if self.plays_on else ():
            if wire.is_open and wire.wanting >= wire.seats and not wire.closed.is_set():
                wire.hand_over()

    def _serve(self, wire: Wire) -> None:
        """A side has the whole table."""
        self._served |= wire.seats
        if self._served >= self._to_serve:
            self.delivered.set()

    @property
    def _to_serve(self) -> frozenset[int]:
        """The seats that are to get what this side has of a table that has ended."""
        fault, own = self.player.table.fault, self.player.number
        if fault is None:
            return self._present - {own}
        return self._present - {own, fault.seat} if own == HOST_SEAT else frozenset()

    def _say_presence(self, wire: Wire, reason: int | None = None) -> None:
        """As the host: tell the other guests that one is gone, and how, or is back."""
        if self.player.number == HOST_SEAT:
            for seat in wire.seats:
                self._relay(wire, pb.Frame(presence=_presence(seat, reason)))

    def _say_who_is_down(self, wire: Wire) -> None:
        if self.player.number == HOST_SEAT:
            for seat in sorted(self._down & self._present - wire.seats):
                told = self._down_since.get(frozenset({seat}))
                reason = told.reason if told else pb.REASON_UNSPECIFIED
                wire.put(pb.Frame(presence=_presence(seat, reason)))

    def _take_presence(self, wire: Wire, presence: pb.Presence) -> None:
        seats = frozenset({presence.seat})
        if presence.seat == HOST_SEAT or presence.seat not in wire.seats:
            raise Noise("The host tells of seat {seat}, which is no other guest's.", seat=presence.seat)
        # It is there, and awaits others itself before it can say that nothing is missing.
        if HOST_SEAT in self._down:
            self._is_here(wire.seats, wire)
        if not presence.here:
            self._miss(seats, LineDown(seats, int(presence.reason)))
        else:
            self._is_here(seats, wire)

    def _hear_from(self, wire: Wire, data: bytes) -> None:
        """Whoever speaks is not away, whatever the host has told; unless the line was cut while that was judged."""
        if wire in self._wires and HOST_SEAT in wire.seats and wire.has_caught_up and self.ended is None:
            self._is_here(frozenset({place_of(data)[1]}), wire)

    def _is_here(self, seats: frozenset[int], wire: Wire) -> None:
        """The host's ``wire`` tells so of itself or of others."""
        if seats & self._down:
            self._down -= seats
            self.snapshot = replace(self.snapshot, away=self._away)
            self._tell(LineUp(seats, same_log=wire.has_caught_up))

    async def _taken_up(self, events: tuple[Event, ...]) -> None:
        """Tell what had happened before; end a table that had been complete, or ended by a fault, already."""
        self._tell_of(Reaction(events=events))
        await self._finish_if_ended()

    async def _do(self, work: Callable[[], Reaction]) -> None:
        """Judge, store, send, tell: in this order.

        Where nothing of ours follows, the player need not wait for the disk: nobody has been told anything that
        depends on it, and what is lost with the power the other side sends again.
        """
        if self._leaving.is_set():
            raise SessionOver
        reaction, error = await self._run(lambda: self._judge_and_store(work))
        is_told = bool(reaction.entries) and self._keeping.is_behind and error is None
        if is_told:
            self._tell_of(reaction)
            error = await self._run(self._keeping.store)
        if error is not None:
            await self._wait_for_the_disk(error)
        self._send(reaction)
        if not is_told:
            self._tell_of(reaction)
        await self._finish_if_ended()

    async def _finish_if_ended(self) -> None:
        if (self.player.table.complete or self.player.table.fault is not None) and self.ended is None:
            await self._finish()

    def _judge_and_store(self, work: Callable[[], Reaction]) -> tuple[Reaction, StorageError | None]:
        """What a statement leads to; stored already if something of ours is to be sent, or the table just begins."""
        reaction = work()
        self._keeping.take(reaction)
        speaks = any(standing.seat == self.player.number for standing in reaction.entries)
        if speaks or reaction.note is not None or not self.seated.is_set():
            return reaction, self._keeping.store()
        return reaction, None

    async def _wait_for_the_disk(self, error: StorageError | None) -> None:
        """Wait until all is stored. Raises the error where nothing has begun yet that would be lost by giving up."""
        if error is not None and not self.seated.is_set():
            raise error
        while error is not None:
            self._tell(Trouble(error))
            await self._pause()
            error = await self._run(self._keeping.store)
        self._tell(Trouble(None))

    async def _pause(self) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._leaving.wait(), DISK_PAUSE)
            raise SessionOver

    def _send(self, reaction: Reaction) -> None:
        self._public_rounds = len(self.player.table.log)
        self._wake_onlookers()
        for wire in self._wires:
            if not wire.is_open:
                continue  # it gets them when it has told what it lacks
            if self._has_cheated(wire):
                continue  # a cheater gets nothing more; the others get the evidence, and judge it themselves
            for standing in reaction.entries:
                if standing.seat not in wire.seats:
                    wire.put(pb.Frame(entry=standing.data))
            if reaction.note is not None:
                wire.put(pb.Frame(note=reaction.note))

    def _has_found_another(self, wire: Wire) -> bool:
        """Whether this side has found somebody cheating who is not behind a wire."""
        return self.player.table.fault is not None and not self._has_cheated(wire)

    def _has_cheated(self, wire: Wire) -> bool:
        """Whether the side behind a wire has a seat that was found cheating."""
        fault = self.player.table.fault
        return fault is not None and fault.seat in wire.seats

    def _relay(self, source: Wire, frame: pb.Frame) -> None:
        for wire in self._wires:
            if wire is not source and wire.position is not None:
                wire.put(frame)

    def _tell_of(self, reaction: Reaction) -> None:
        before, self.snapshot = self.snapshot, self._look()
        if self.player.table.course.table_id and not self.seated.is_set():
            self.seated.set()
            self._tell(Seated(self.snapshot))
            self._tell_silent()
        for event in reaction.events:
            if isinstance(event, Seen):
                self._tell(Moved(event.taken, event.news, event.view))
        have_some = self.snapshot.awaiting in DECISIONS and self.player.table.log.open.entries
        if (have_some and reaction.entries) or self.snapshot.resigning != before.resigning:
            self._tell(Awaited(self.snapshot.awaited))
        if self.snapshot.decision and self._asked_in != self.snapshot.round:
            self._asked_in = self.snapshot.round
            self._tell(Asked(self.snapshot))

    async def _finish(self) -> None:
        table = self.player.table
        entries = [entry.data for entry in table.log.entries()]
        if table.fault is not None:
            entries.append(table.fault.evidence[-1])
        report = await self._run(lambda: verify(entries, games=self.player.games))
        need = table.course.state.need if table.course.started else None
        path = await self._stored_transcript(entries)
        self.ended = Ended(path, report, need if isinstance(need, Over) else None, table.fault)
        reason = pb.REASON_FINISHED if table.fault is None else pb.REASON_FAULT
        waiting = [wire for wire in self._wires if wire.position is not None and not wire.is_open]
        for wire in self._wires:
            if table.fault is None and wire.is_open:
                wire.put(pb.Frame(complete=pb.Complete()))
            if (table.fault is not None and wire not in waiting) or (wire.is_open and not self.keeps_lines):
                wire.close(reason)
        self._open_who_waits()
        if table.fault is not None and not self._to_serve:
            self.delivered.set()
        self._tell(self.ended)
        if self.keeps_lines and (gone := frozenset(self._down - self._present)):
            self._tell(
                LineDown(gone, pb.REASON_LEAVING)
            )  # who resigned and went: nobody has missed them so far
        self._wake_onlookers()

    async def _stored_transcript(self, entries: list[bytes]) -> Path:
        in_trouble = False
        while True:
            try:
                path = await self._run(lambda: self._keeping.finish(entries))
            except StorageError as error:
                in_trouble = True
                self._tell(Trouble(error))
                await self._pause()
            else:
                if in_trouble:
                    self._tell(Trouble(None))
                return path

    async def _leave(self, reason: int, *, keep: bool) -> Path | None:
        self._leaving.set()
        self._wake_onlookers()
        if self.ended is None:
            self._last_word = reason
        for wire in self._wires:
            wire.close(reason if self.ended is None else pb.REASON_FINISHED)
        self._wires.clear()
        async with self._lock:
            if not self._has_left:
                self._has_left = True
                self._left_at = await self._run(lambda: self._keeping.let_go(keep=keep))
                self._beside.shutdown(wait=False)
        return self._left_at

    async def _run(self, work: Callable[[], _T]) -> _T:
        return await asyncio.get_running_loop().run_in_executor(self._beside, work)

    def _tell(self, update: Update) -> None:
        match update:
            case Moved():
                self._past.append(update)
            case LineDown(seats) | LineUp(seats):
                for known in [known for known in self._down_since if known <= seats]:
                    del self._down_since[known]
                if isinstance(update, LineDown):
                    self._down_since[seats] = update
            case _:
                pass
        for listener in self._listeners:
            listener.put_nowait(update)

    def _find_words(self) -> None:
        """The four words, once the first draw is complete.

        From the certificate of the first line, which was made before the draw: a later one could have been made to
        fit. A session that was taken up again cannot know the first, and has no words.
        """
        course = self.player.table.course
        draw = course.first_draw
        if draw is not None and self._certificate and not self._words:
            identities = [member.identity for member in course.members]
            self._words = four_words(course.table_id, identities, self._certificate, draw.output("words"))

    def _look(self) -> Snapshot:
        table = self.player.table
        course = table.course
        self._find_words()
        awaiting = table.awaiting
        return Snapshot(
            seat=self.player.number,
            terms=course.terms,
            members=tuple(course.members),
            table_id=course.table_id,
            view=self.player.view() if course.started else None,
            awaiting=awaiting.kind if awaiting else None,
            awaited=awaiting.seats if awaiting else (),
            round=table.log.open.number,
            words=self._words,
            audience=self._audience,
            held=self.player.is_held,
            away=self._away,
            left=frozenset(course.everyone) - self._present,
            resigning=self.player.resigning if course.started else frozenset(),
            chosen=self.player.seat.chosen,
        )


def _presence(seat: int, reason: int | None) -> pb.Presence:
    """That a seat is gone, for this ``Reason``, or is here (None)."""
    if reason is None:
        return pb.Presence(seat=seat, here=True)
    return pb.Presence(seat=seat, reason=pb.Reason.Name(reason))


def _answer_to(noise: Noise | None) -> int:
    """With what goodbye a side is left that has sent this."""
    if noise is None:
        return pb.REASON_UNSPECIFIED
    return pb.REASON_OTHER_HISTORY if isinstance(noise, OtherHistory) else pb.REASON_NOISE
