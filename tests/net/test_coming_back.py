"""Lines that drop and programs that die, in memory: sessions go on with the same bytes, whoever comes back how."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from bcnet.entry import place_of
from bcnet.files import FolderInUse
from bcnet.home import Home
from bcnet.journal import Journal
from bcnet.journal import Kind as RecordKind
from bcnet.keeping import CannotResume
from bcnet.session import Session
from bcnet.table.rounds import Kind as Decision
from bcnet.updates import AnotherWanted, Asked, Ended, LineDown, LineUp, Moved, Update
from bcnet.verify import Verdict
from bcnet.wire.v1 import table_pb2 as pb
from tests.net.test_session import PATIENCE, Pair, pair, pump, until
from tests.table.quick import quick_proofs
from tests.table.room import identity_of, lookup

HOMES = ("host", "guest")


@pytest.fixture(autouse=True)
def quick() -> Iterator[None]:
    with quick_proofs():
        yield


@pytest.fixture
async def two(tmp_path: Path) -> AsyncIterator[Pair]:
    """Two who have played a little."""
    async with pair(tmp_path) as made:
        await made.connect()
        await made.play(turns=2)
        yield made


def entries(session: Session) -> list[bytes]:
    return [entry.data for entry in session.player.table.log.entries()]


async def kill(session: Session) -> None:
    """The program is gone; what it has on disk stays, and the lock goes with it."""
    await until(lambda: not session._working)
    assert session._keeping.folder is not None
    session._keeping.folder.close()
    session._keeping.folder = None
    session._leaving.set()


async def revive(two: Pair, seat: int, folder: Path) -> Session:
    """The program is started again, and takes the one unfinished table up."""
    home = Home(folder / HOMES[seat])
    (table,) = home.unfinished()
    session = await Session.resume(home, identity_of(seat), "", home.open(table), games=lookup)
    if seat == 0:
        two.host = session
    else:
        two.guest = session
    return session


def drained(updates: asyncio.Queue[Update]) -> list[Update]:
    return [updates.get_nowait() for _ in range(updates.qsize())]


async def to_a_turn(two: Pair) -> None:
    """Play until one of them has to decide alone."""
    while [side.snapshot.decision for side in (two.host, two.guest)].count(Decision.ACT) != 1:
        if two.host.snapshot.decision or two.guest.snapshot.decision:
            await two.play(turns=1)
        await asyncio.sleep(0.005)


async def finished(two: Pair) -> None:
    """The game is played to its end; both files are clean and the same."""
    await two.play()
    await asyncio.wait_for(until(lambda: two.host.ended and two.guest.ended), PATIENCE)
    ends = [two.host.ended, two.guest.ended]
    assert all(end and end.report.verdict is Verdict.CLEAN for end in ends)
    assert len({end.path.read_bytes() for end in ends if end}) == 1


async def test_a_line_that_drops_and_comes_back(two: Pair) -> None:
    await until(lambda: two.host.snapshot.decision or two.guest.snapshot.decision)
    told = two.host.updates(), two.guest.updates()
    await two.cut()
    assert [type(update) for update in map(asyncio.Queue.get_nowait, told)] == [LineDown, LineDown]
    # Whoever is asked decides all the same; nobody is held, for nothing was lost.
    asked = two.host if two.host.snapshot.decision else two.guest
    assert asked.snapshot.decision
    view = asked.snapshot.view
    assert view is not None
    await asked.act(view.legal_actions(asked.snapshot.seat)[0])
    assert two.said(asked.snapshot.seat) < two.said(1 - asked.snapshot.seat) + 3
    await two.connect()
    await asyncio.wait_for(until(lambda: set(entries(two.host)) == set(entries(two.guest))), PATIENCE)
    for updates in told:
        while not isinstance(await asyncio.wait_for(updates.get(), PATIENCE), LineUp):
            pass
    await finished(two)


@pytest.mark.parametrize("count", [0, 2])
async def test_nobody_is_shown_to_watch_while_the_host_is_not_there_to_say_so(two: Pair, count: int) -> None:
    two.host.set_audience(2)
    await until(lambda: two.guest.snapshot.audience == 2)
    await two.cut()
    assert two.guest.snapshot.audience == 0
    assert two.host.snapshot.audience == 2
    two.host.set_audience(count)
    await two.connect()
    await until(lambda: not two.guest._down)
    await until(lambda: two.guest.snapshot.audience == count)


async def test_a_move_is_applied_once_though_its_arrival_was_never_known(two: Pair) -> None:
    """Case N5."""
    for _ in range(3):
        await two.play(turns=1)
        await two.cut()
        await two.connect()
    await finished(two)
    places = [place_of(data) for data in entries(two.host)]
    assert len(places) == len(set(places))


@pytest.mark.parametrize("killed", [(0,), (1,), (0, 1)], ids=["host", "guest", "both"])
async def test_who_was_killed_comes_back(two: Pair, killed: tuple[int, ...], tmp_path: Path) -> None:
    await until(lambda: not (two.host._working or two.guest._working))
    await two.cut()
    before = [entries(two.host), entries(two.guest)]
    for seat in killed:
        await kill(two.side(seat))
        session = await revive(two, seat, tmp_path)
        assert entries(session) == before[seat]
        assert session.snapshot.held
        assert session.snapshot.decision is None
        assert [u for u in drained(session.updates(past=True)) if isinstance(u, Moved)]
    updates = two.side(killed[0]).updates()
    await two.connect()
    await asyncio.wait_for(until(lambda: not two.side(killed[0]).snapshot.held), PATIENCE)
    assert isinstance(updates.get_nowait(), LineUp)
    await finished(two)


async def test_the_other_may_have_gone_on_in_the_meantime(two: Pair, tmp_path: Path) -> None:
    """A home that was put back from an older copy takes its own entries back before it signs anything."""
    old = tmp_path / "copy"
    await until(lambda: not (two.host._working or two.guest._working))
    shutil.copytree(tmp_path / "host", old)
    await two.play(turns=2)
    await until(lambda: not (two.host._working or two.guest._working))
    said = entries(two.guest)
    await two.cut()
    await kill(two.host)
    shutil.rmtree(tmp_path / "host")
    old.rename(tmp_path / "host")
    host = await revive(two, 0, tmp_path)
    assert len(entries(host)) < len(said)
    await two.connect()
    await asyncio.wait_for(until(lambda: not host.snapshot.held), PATIENCE)
    assert entries(host)[: len(said)] == said
    assert host.folder is not None
    kinds = {record.kind for record in Journal(host.folder / "journal").records}
    assert kinds == {RecordKind.OWN, RecordKind.RECEIVED}
    await finished(two)


@pytest.mark.parametrize("seat", [0, 1])
async def test_a_lost_journal_is_restored_from_the_other_side(two: Pair, seat: int, tmp_path: Path) -> None:
    await two.cut()
    side = two.side(seat)
    assert side.folder is not None
    await kill(side)
    home = Home(tmp_path / HOMES[seat])
    (table,) = home.unfinished()
    data = table.journal.read_bytes()
    table.journal.write_bytes(data[:200] + bytes([data[200] ^ 1]) + data[201:])
    with pytest.raises(Exception, match="is damaged"):
        home.open(table)
    aside = home.set_journal_aside(table)
    assert aside.read_bytes() != data
    session = await revive(two, seat, tmp_path)
    assert session.lost_id == two.side(1 - seat).table_id
    table_id = session.lost_id
    to_guest = await two.host.attach(
        frozenset({1}), identity=identity_of(1).public, table=table_id if seat == 0 else b""
    )
    to_host = await two.guest.attach(
        frozenset({0}), identity=identity_of(0).public, table=table_id if seat == 1 else b""
    )
    two.tasks.append(asyncio.create_task(pump(to_guest, two.guest, to_host)))
    two.tasks.append(asyncio.create_task(pump(to_host, two.host, to_guest)))
    await asyncio.wait_for(until(lambda: not session.snapshot.held), PATIENCE)
    await finished(two)


async def test_another_history_is_said(two: Pair) -> None:
    told = two.host.updates()
    await two.cut()
    wire = await two.host.attach(frozenset({1}))
    with pytest.raises(Exception, match="another one than ours") as caught:
        await two.host.receive(wire, pb.Frame(position=pb.Position(rounds=4, head=bytes(32))))
    two.host.detach(wire, noise=caught.value)  # type: ignore[arg-type]
    frames = [await wire.get(), await wire.get()]
    assert frames[1] is not None
    assert frames[1].goodbye.reason == pb.REASON_OTHER_HISTORY
    down = [update for update in drained(told) if isinstance(update, LineDown)]
    assert down[-1].noise is not None


async def test_a_newer_line_replaces_the_older_one(two: Pair) -> None:
    told = two.host.updates()
    before = two.wires[0]
    again = await two.host.attach(frozenset({1}), identity=identity_of(1).public, table=two.host.table_id)
    assert before.closed.is_set()
    assert two.host._wires == [again]
    await asyncio.sleep(0.05)
    assert not [update for update in drained(told) if isinstance(update, LineDown)]


async def test_a_folder_with_another_seed_is_not_taken_up(two: Pair, tmp_path: Path) -> None:
    await kill(two.host)
    home = Home(tmp_path / "host")
    (table,) = home.unfinished()
    (table.path / "seed").write_bytes(bytes(32))
    with pytest.raises(CannotResume, match="seed"):
        await Session.resume(home, identity_of(0), "", home.open(table), games=lookup)
    with pytest.raises(CannotResume, match="identity"):
        await Session.resume(home, identity_of(3), "", home.open(table), games=lookup)
    home.open(table).close()  # nobody holds it


async def test_two_programs_on_one_table(two: Pair, tmp_path: Path) -> None:
    home = Home(tmp_path / "host")
    (table,) = home.unfinished()
    with pytest.raises(FolderInUse, match="open in another bcnet"):
        home.open(table)


@pytest.mark.parametrize("dies", [False, True], ids=["line", "program"])
async def test_a_resignation_out_of_turn_survives(two: Pair, dies: bool, tmp_path: Path) -> None:
    await to_a_turn(two)
    seat = 1 if two.host.snapshot.decision else 0
    await two.cut()
    await two.side(seat).resign()
    if dies:
        await kill(two.side(seat))
        await revive(two, seat, tmp_path)
    await two.connect()
    await asyncio.wait_for(until(lambda: two.host.ended and two.guest.ended), PATIENCE)
    assert two.host.ended is not None
    assert two.host.ended.result is not None
    assert two.host.ended.result.winners == (1 - seat,)


@pytest.mark.parametrize("lacking", [0, 1])
async def test_a_side_that_is_through_hands_out_the_end(two: Pair, lacking: int, tmp_path: Path) -> None:
    """The line drops when one side has all seeds and the other lacks the last."""
    through = two.side(1 - lacking)
    side = two.side(lacking)
    receive = side.receive

    async def deaf(wire: object, frame: pb.Frame) -> None:
        if frame.HasField("entry"):
            body = frame.entry
            if len(two.side(lacking).player.table.log) and body != b"" and _is_reveal(body):
                await asyncio.sleep(60)
        await receive(wire, frame)  # type: ignore[arg-type]

    side.receive = deaf  # type: ignore[method-assign]
    playing = asyncio.create_task(two.play())
    await asyncio.wait_for(until(lambda: through.ended), PATIENCE)
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)
    await two.cut()
    assert side.ended is None
    assert through.ended is not None
    path = through.ended.path
    await through.close()
    await kill(side)
    await revive(two, lacking, tmp_path)
    home = Home(tmp_path / HOMES[1 - lacking])
    back = await Session.finished(home, identity_of(1 - lacking), path, 1 - lacking, games=lookup)
    if lacking == 0:
        two.guest = back
    else:
        two.host = back
    await two.connect()
    await asyncio.wait_for(until(lambda: two.side(lacking).ended), PATIENCE)
    ended = two.side(lacking).ended
    assert ended is not None
    assert ended.report.verdict is Verdict.CLEAN
    assert ended.path.read_bytes() == path.read_bytes()
    await asyncio.wait_for(until(back.delivered.is_set), PATIENCE)


def _is_reveal(data: bytes) -> bool:
    from bcnet.entry import read_body, read_entry

    return read_body(read_entry(data).body).HasField("reveal")


async def test_another_game_on_the_same_line(two: Pair) -> None:
    two.host.keeps_lines = two.guest.keeps_lines = True
    await finished(two)
    await asyncio.wait_for(until(two.host.delivered.is_set), PATIENCE)
    told = two.guest.updates()
    two.host.another()
    await asyncio.wait_for(until(lambda: not told.empty()), PATIENCE)
    assert isinstance(told.get_nowait(), AnotherWanted)
    assert not any(each.plays_on for each in (two.host, two.guest))
    two.guest.another()
    await asyncio.wait_for(until(lambda: two.host.plays_on and two.guest.plays_on), PATIENCE)
    assert two.wires[0].handed_over
    assert two.wires[1].handed_over
    assert not [update for update in drained(told) if isinstance(update, Asked | Ended | LineDown)]
