"""Sessions joined by pipes of memory: no process, no port, no gRPC, but real homes, and a disk that can be full."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bcnet import journal, transcript
from bcnet import session as sessions
from bcnet.entry import Noise, place_of, sign_entry
from bcnet.errors import IllegalStep, Refusal, StorageError
from bcnet.home import Home
from bcnet.journal import Journal, Record
from bcnet.journal import read as read_journal
from bcnet.session import Session, SessionOver
from bcnet.table.faults import FaultKind
from bcnet.table.payloads import Payload
from bcnet.table.rounds import Kind
from bcnet.updates import Asked, Ended, LineDown, Moved, Seated, Trouble, Update
from bcnet.verify import Verdict, verify_file
from bcnet.wire.v1 import log_pb2
from bcnet.wire.v1 import table_pb2 as pb
from bcnet.wires import MAX_WAITING, Wire
from tests.net.people import TERMS
from tests.table.room import identity_of, lookup

PATIENCE = 30


@dataclass
class Pair:
    """A host and a guest, and what each is told."""

    host: Session
    guest: Session
    told: dict[int, list[Update]] = field(default_factory=lambda: {0: [], 1: []})
    tasks: list[asyncio.Task[None]] = field(default_factory=list)
    line: list[asyncio.Task[None]] = field(default_factory=list)
    wires: tuple[Wire, Wire] = field(init=False)

    def side(self, seat: int) -> Session:
        return (self.host, self.guest)[seat]

    def said(self, seat: int) -> int:
        """How many entries of a seat have reached the other."""
        log = self.side(1 - seat).player.table.log.entries()
        return sum(place_of(entry.data)[1] == seat for entry in log)

    async def connect(self) -> tuple[Wire, Wire]:
        """A line between them."""
        to_guest = await self.host.attach(frozenset({1}), identity=identity_of(1).public)
        to_host = await self.guest.attach(frozenset({0}), identity=identity_of(0).public)
        self.line = [
            asyncio.create_task(pump(to_guest, self.guest, to_host)),
            asyncio.create_task(pump(to_host, self.host, to_guest)),
        ]
        self.wires = to_guest, to_host
        self.tasks += self.line
        return to_guest, to_host

    async def cut(self) -> None:
        """The line drops; what is on its way is lost."""
        for task in self.line:
            task.cancel()
        await asyncio.gather(*self.line, return_exceptions=True)
        self.host.detach(self.wires[0])
        self.guest.detach(self.wires[1])

    async def until_asked(self) -> None:
        """Both are in one round, and a decision is due in it."""
        here, there = self.host, self.guest
        await asyncio.wait_for(
            until(
                lambda: (
                    here.snapshot.round == there.snapshot.round
                    and (here.snapshot.decision or there.snapshot.decision)
                )
            ),
            PATIENCE,
        )

    async def play(self, *, turns: int = 1000) -> None:
        """Both play at random, until so many decisions are made or both have ended."""
        queues = [side.updates(past=True) for side in (self.host, self.guest)]
        # A decision on its way is finished first, or it would be made twice.
        await until(lambda: not (self.host._working or self.guest._working))
        enough = asyncio.Event()

        async def player(seat: int) -> None:
            nonlocal turns
            side, rng = self.side(seat), random.Random(seat)
            updates = queues[seat]
            for update in [updates.get_nowait() for _ in range(updates.qsize())]:
                self.told[seat].append(update)
            asked = side.snapshot.decision is not None
            while not enough.is_set():
                if asked:
                    await decide(side, rng)
                    turns -= 1
                    if turns <= 0:
                        enough.set()
                update = await updates.get()
                self.told[seat].append(update)
                asked = isinstance(update, Asked)
                if isinstance(update, Ended):
                    return

        playing = [asyncio.create_task(player(seat)) for seat in (0, 1)]
        stopped = asyncio.create_task(enough.wait())
        both = asyncio.create_task(_all(playing))
        await asyncio.wait({both, stopped}, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        for task in (both, stopped, *playing):
            task.cancel()
        await asyncio.gather(both, stopped, *playing, return_exceptions=True)
        assert enough.is_set() or (self.host.ended and self.guest.ended)


async def _all(tasks: list[asyncio.Task[None]]) -> None:
    await asyncio.wait(tasks)


async def decide(side: Session, rng: random.Random) -> None:
    view = side.snapshot.view
    assert view is not None
    with suppress(Refusal):  # where the decision of a player who was stopped is still on its way
        await side.act(rng.choice(view.legal_actions(side.snapshot.seat)))


async def pump(wire: Wire, target: Session, at: Wire) -> None:
    """Carry what one side says to the other."""
    while (frame := await wire.get()) is not None:
        if frame.HasField("goodbye"):
            target.detach(at, int(frame.goodbye.reason))
            return
        try:
            await target.receive(at, frame)
        except SessionOver:
            return
        except Noise as noise:
            target.detach(at, noise=noise)
            return


@asynccontextmanager
async def pair(folder: Path) -> AsyncIterator[Pair]:
    homes = [Home(folder / "host"), Home(folder / "guest")]
    for home in homes:
        home.prepare()
    host = await Session.host(homes[0], identity_of(0), "Ann", TERMS, games=lookup)
    guest = await Session.join(homes[1], identity_of(1), "Bob", 1, games=lookup)
    made = Pair(host, guest)
    try:
        yield made
    finally:
        await host.close()
        await guest.close()
        await asyncio.gather(*made.tasks, return_exceptions=True)


NOTHING_YET = pb.Frame(position=pb.Position())


def entries_in(wire: Wire) -> list[pb.Frame]:
    """The entries that wait in a wire, taken out of it."""
    frames = [wire._frames.get_nowait() for _ in range(wire._frames.qsize())]
    return [frame for frame in frames if frame is not None and frame.HasField("entry")]


async def until(true: Callable[[], object]) -> None:
    while not true():  # noqa: ASYNC110 (what is asked tells nobody when it changes)
        await asyncio.sleep(0.005)


@pytest.fixture
def quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "DISK_PAUSE", 0.02)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch, quick_disk: None) -> dict[Path, bool]:
    """Folders whose disk is full, by the home."""
    full: dict[Path, bool] = {}
    append = Journal.append_all

    def full_or_not(self: Journal, records: Sequence[Record]) -> None:
        if any(is_full and home in self.path.parents for home, is_full in full.items()):
            raise StorageError("The disk is full.")
        append(self, records)

    monkeypatch.setattr(Journal, "append_all", full_or_not)
    return full


async def test_a_whole_game(tmp_path: Path) -> None:
    async with pair(tmp_path) as two:
        await two.connect()
        await two.play()
        ends = [side.ended for side in (two.host, two.guest)]
        assert all(end is not None and end.report.verdict is Verdict.CLEAN for end in ends)
        hers, his = (end.path for end in ends if end)
        assert hers.read_bytes() == his.read_bytes()
        for seat, told in two.told.items():
            kinds = [type(update) for update in told]
            assert kinds[-1] is Ended
            assert kinds.count(Seated) <= 1
            assert sum(kind is Moved for kind in kinds) > 10
            assert two.side(seat).folder is None
        assert [u.news for u in two.told[0] if isinstance(u, Moved)] == [
            u.news for u in two.told[1] if isinstance(u, Moved)
        ]


async def test_all_is_on_disk_before_what_follows_from_it_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put = Wire.put
    missing: list[tuple[int, int]] = []
    looked = 0

    async with pair(tmp_path) as two:

        def look_and_put(wire: Wire, frame: pb.Frame) -> None:
            nonlocal looked
            side = two.host if wire.seats == {1} else two.guest
            if frame.HasField("entry") and side.folder is not None:
                looked += 1
                kept = {record.data for record in read_journal(side.folder / "journal")}
                before = place_of(frame.entry)[0]
                log = side.player.table.log
                needed = [entry.data for number in range(before) for entry in log[number].in_seat_order()]
                missing.extend(place_of(data) for data in [*needed, frame.entry] if data not in kept)
            put(wire, frame)

        monkeypatch.setattr(Wire, "put", look_and_put)
        await two.connect()
        await two.play()
    assert looked > 20
    assert not missing


async def test_whoever_stops_waiting_does_not_stop_a_step(tmp_path: Path) -> None:
    async with pair(tmp_path) as two:
        await two.connect()
        await two.until_asked()
        side = two.host if two.host.snapshot.decision else two.guest
        round_ = side.snapshot.round
        acting = asyncio.create_task(decide(side, random.Random(1)))
        await asyncio.sleep(0)
        acting.cancel()
        await asyncio.gather(acting, return_exceptions=True)
        # It was sent all the same, and the game goes on.
        await asyncio.wait_for(
            until(lambda: two.host.snapshot.round > round_ + 1 and two.guest.snapshot.round > round_ + 1),
            PATIENCE,
        )
        await two.play()
        assert two.host.ended is not None


async def test_what_comes_after_the_end_changes_nothing(tmp_path: Path) -> None:
    async with pair(tmp_path) as two:
        to_guest, _ = await two.connect()
        await two.play()
        table = two.guest.player.table
        late = sign_entry(
            table.body(1, Payload(Kind.READY, log_pb2.Ready(tip=bytes(32)))), identity_of(1).sign_message
        )
        await two.host.receive(to_guest, pb.Frame(entry=late))
        assert two.host.player.table.fault is None
        assert two.host.folder is None
        assert not list((tmp_path / "host" / "offers").iterdir())


async def test_a_cheater_is_named_and_the_line_is_ended(tmp_path: Path) -> None:
    async with pair(tmp_path) as two:
        to_guest, _ = await two.connect()
        await two.until_asked()
        table = two.host.player.table
        lie = table.body(1, Payload(Kind.ACT, log_pb2.Act(action="play 1")))
        await two.host.receive(to_guest, pb.Frame(entry=sign_entry(lie, identity_of(1).sign_message)))
        ended = two.host.ended
        assert ended is not None
        assert ended.fault is not None
        assert ended.fault.seat == 1
        assert ended.fault.kind in {FaultKind.NOT_AWAITED, FaultKind.OPENING, FaultKind.ILLEGAL_ACTION}
        assert ended.report.verdict is Verdict.CHEATED
        assert verify_file(ended.path, games=lookup).verdict is Verdict.CHEATED
        await asyncio.wait_for(until(lambda: not two.guest._wires), PATIENCE)
        assert two.guest.ended is None


# --- who may sit down ---


@pytest.mark.parametrize("wrong", ["seat", "identity"])
async def test_an_offer_must_be_that_of_the_hello(wrong: str, tmp_path: Path) -> None:
    async with pair(tmp_path) as two:
        offer = next(two.host.player.table.log.entries()).data
        at = await two.guest.attach(
            frozenset({2 if wrong == "seat" else 0}),
            identity=identity_of(5 if wrong == "identity" else 0).public,
        )
        await two.guest.receive(at, NOTHING_YET)
        with pytest.raises(Noise):
            await two.guest.receive(at, pb.Frame(entry=offer))
        assert not entries_in(at)  # no join
        assert two.guest.folder is None


async def test_an_entry_of_another_seat_is_noise(tmp_path: Path) -> None:
    async with pair(tmp_path) as two:
        to_guest = await two.host.attach(frozenset({1}))
        await two.host.receive(to_guest, NOTHING_YET)
        await two.host.receive(to_guest, pb.Frame(caught_up=pb.CaughtUp()))
        offer = next(two.host.player.table.log.entries()).data
        with pytest.raises(Noise):
            await two.host.receive(to_guest, pb.Frame(entry=offer))
        with pytest.raises(Noise):
            await two.host.receive(to_guest, pb.Frame(hello=pb.Hello()))
        with pytest.raises(Noise):
            await two.host.receive(to_guest, pb.Frame(entry=b"garbage"))


# --- the disk ---


async def test_a_full_disk_makes_the_game_wait_and_go_on(tmp_path: Path, disk: dict[Path, bool]) -> None:
    async with pair(tmp_path) as two:
        await two.connect()
        await two.play(turns=3)
        disk[tmp_path / "host"] = True
        updates = two.host.updates()
        playing = asyncio.create_task(two.play())
        told: list[Update] = []
        while not told or not isinstance(told[-1], Trouble):
            told.append(await asyncio.wait_for(updates.get(), PATIENCE))
        await asyncio.sleep(0.1)
        said = two.said(0)
        await asyncio.sleep(0.1)
        assert two.said(0) == said  # nothing leaves that is not on disk
        disk.clear()
        await playing
        assert two.host.ended is not None
        assert two.host.ended.report.verdict is Verdict.CLEAN
        troubles = [u.error for u in two.told[0] if isinstance(u, Trouble)]
        assert troubles[0] is not None
        assert troubles[-1] is None


async def test_a_player_can_leave_while_the_disk_is_full(tmp_path: Path, disk: dict[Path, bool]) -> None:
    async with pair(tmp_path) as two:
        await two.connect()
        await two.play(turns=2)
        disk[tmp_path / "host"] = True
        updates = two.host.updates()
        playing = asyncio.create_task(two.play())
        while not isinstance(await asyncio.wait_for(updates.get(), PATIENCE), Trouble):
            pass
        path = await asyncio.wait_for(two.host.close(), 5)
        assert path is not None
        assert verify_file(path, games=lookup).verdict is Verdict.INCOMPLETE
        kept = {record.data for record in journal.read(path.parent / "journal")}
        assert set(transcript.read(path)) == kept
        assert len(kept) < len(list(two.host.player.table.log.entries()))
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)


@pytest.mark.parametrize("seat", [0, 1])
async def test_a_game_that_cannot_be_stored_does_not_begin(
    seat: int, tmp_path: Path, disk: dict[Path, bool]
) -> None:
    async with pair(tmp_path) as two:
        disk[tmp_path / ("host", "guest")[seat]] = True
        _, to_host = await two.host.attach(frozenset({1})), await two.guest.attach(frozenset({0}))
        offer = next(two.host.player.table.log.entries()).data
        await two.guest.receive(to_host, NOTHING_YET)
        if seat == 1:
            with pytest.raises(StorageError):
                await two.guest.receive(to_host, pb.Frame(entry=offer))
            assert not entries_in(to_host)  # not a word was said
        else:
            await two.guest.receive(to_host, pb.Frame(entry=offer))
            at = two.host._wires[0]
            await two.host.receive(at, NOTHING_YET)
            join, *_ = entries_in(to_host)
            with pytest.raises(StorageError):
                await two.host.receive(at, join)
            assert not two.host.seated.is_set()


async def test_no_offer_without_a_disk(tmp_path: Path, disk: dict[Path, bool]) -> None:
    home = Home(tmp_path / "host")
    home.prepare()
    disk[home.path] = True
    with pytest.raises(StorageError):
        await Session.host(home, identity_of(0), "Ann", TERMS, games=lookup)
    assert not list(home.offers.iterdir())


# --- leaving ---


async def test_leaving_in_mid_game(tmp_path: Path) -> None:
    async with pair(tmp_path) as two:
        await two.connect()
        await two.play(turns=4)
        updates = two.guest.updates()
        path = await two.host.close()
        assert path is not None
        assert path.parent.parent == Home(tmp_path / "host").tables
        assert transcript.read(path) == [entry.data for entry in two.host.player.table.log.entries()]
        down = await asyncio.wait_for(updates.get(), PATIENCE)
        while not isinstance(down, LineDown):
            down = await asyncio.wait_for(updates.get(), PATIENCE)
        assert (down.reason, down.seats) == (pb.REASON_PAUSED, frozenset({0}))
        assert await two.host.close() == path  # once more does no harm
        with pytest.raises(SessionOver):
            await two.host.resign()
        assert list(Home(tmp_path / "host").unfinished())


async def test_an_offer_that_nobody_answered_leaves_nothing_behind(tmp_path: Path) -> None:
    async with pair(tmp_path) as two:
        assert list(Home(tmp_path / "host").offers.iterdir())
        assert await two.host.close() is None
        assert not list(Home(tmp_path / "host").offers.iterdir())


async def test_an_abandoned_offer_is_gone(tmp_path: Path) -> None:
    async with pair(tmp_path) as two:
        at = await two.host.attach(frozenset({1}))
        await two.host.abandon(pb.REASON_IDLE)
        assert not list(Home(tmp_path / "host").offers.iterdir())
        frames = [await at.get(), await at.get(), await at.get()]
        assert frames[1] is not None
        assert frames[1].goodbye.reason == pb.REASON_IDLE
        assert frames[2] is None
        with pytest.raises(SessionOver):
            await two.host.receive(at, pb.Frame(entry=b"\n\x00\x12@" + bytes(64)))


async def test_resigning_out_of_turn_goes_by_note(tmp_path: Path) -> None:
    async with pair(tmp_path) as two:
        with pytest.raises(IllegalStep):
            await two.host.resign()
        await two.connect()
        await two.until_asked()
        waiting = two.guest if two.host.snapshot.decision else two.host
        await waiting.resign()
        await asyncio.wait_for(until(lambda: two.host.ended and two.guest.ended), PATIENCE)
        assert two.host.ended is not None
        assert two.host.ended.result is not None
        assert two.host.ended.result.winners == (1 - waiting.snapshot.seat,)
        assert two.host.ended.report.verdict is Verdict.CLEAN


async def test_a_side_that_takes_nothing_is_given_up() -> None:
    wire = Wire(frozenset({1}))
    for _ in range(MAX_WAITING * 2):
        wire.put(pb.Frame(note=b"x"))
    assert wire.closed.is_set()
    assert wire._frames.qsize() <= MAX_WAITING + 1


async def test_a_defect_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with pair(tmp_path) as two:

        def broken() -> None:
            raise ZeroDivisionError

        monkeypatch.setattr(two.host.player, "resign", broken)
        with pytest.raises(ZeroDivisionError):
            await two.host.resign()
        assert isinstance(two.host.failure.exception(), ZeroDivisionError)
