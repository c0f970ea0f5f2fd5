"""Another game, agreed on over a line that is cut at any moment: the evening goes on when it is back."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from bcnet.errors import StorageError
from bcnet.session import HOST_SEAT, Session
from bcnet.table.membership import Terms
from bcnet.table.rounds import DECISIONS
from bcnet.updates import AnotherWanted, LineDown
from bcnet.verify import Verdict
from bcnet.wire.v1 import table_pb2 as pb
from bcnet_client import join as joining
from bcnet_client import line as lines
from bcnet_client.join import NotSeated, Visit
from bcnet_host.admission import Admission
from tests.net.people import Inn, inn, until
from tests.net.test_dead_line import Cable
from tests.table.quick import quick_proofs
from tests.toy import Toy

FRAMES = 24
"""So many frames both sides send from the wish for another game until that game runs, and some more."""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(joining, "FIRST_PAUSE", 0.05)
    monkeypatch.setattr(lines, "LINGER", 0.2)
    with quick_proofs():
        yield


async def end_of(session: Session) -> None:
    await until(lambda: session.ended)
    assert session.ended is not None
    assert session.ended.report.verdict is Verdict.CLEAN


async def begun(session: Session) -> None:
    """The game has come so far that somebody has to decide."""
    await until(lambda: session.snapshot.awaiting in DECISIONS)


async def gives_up(session: Session, seat: int) -> None:
    """One guest after another: a note that crosses another's is void, and the next entry owed may be far away."""
    course = session.player.table.course
    await begun(session)
    await until(lambda: not set(range(1, seat)) & set(course.present))
    await begun(session)
    await session.resign()


async def evening(session: Session, side: Visit | Admission, games: int, ended: list[bytes]) -> None:
    """Play, end each game by the guests' giving up, and ask for another until there were enough."""
    for number in range(games):
        session.keeps_lines = number < games - 1
        if (seat := session.snapshot.seat) != HOST_SEAT:
            await gives_up(session, seat)
        await end_of(session)
        ended.append(session.table_id)
        if not session.keeps_lines:
            return
        session.another()
        following = await side.next_game()
        assert following is not None
        await session.close()
        session = following


async def play(here: Inn, *visits: Visit, games: int) -> None:
    """All play so many games; each has all sides' transcripts."""
    sides: list[tuple[Session, Visit | Admission]] = [(await here.game(), here.admission)]
    sides += [(visit.session, visit) for visit in visits]
    ended: list[list[bytes]] = [[] for _ in sides]
    async with asyncio.timeout(50):
        await asyncio.gather(
            *(evening(*side, games, tables) for side, tables in zip(sides, ended, strict=True))
        )
    assert all(tables == ended[0] for tables in ended)
    assert len(set(ended[0])) == games
    for visit in visits:
        await visit.session.close()
        await visit.close()


@pytest.mark.parametrize("lost", range(1, FRAMES + 1))
async def test_a_line_cut_at_any_frame_between_two_games(
    lost: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the first side's wish on, one frame of either side is lost with the line."""
    cable, sent = Cable(), 0
    write = lines.Line.write

    async def counted(self: lines.Line, frame: pb.Frame) -> bool:
        nonlocal sent
        if sent or frame.HasField("another"):
            sent += 1
            if sent == lost:
                cable.cut()
        return await write(self, frame)

    monkeypatch.setattr(lines.Line, "write", counted)
    async with inn(tmp_path) as here, cable.to(here.server.port) as address:
        await play(here, await here.guest(address), games=2)
    assert sent >= lost


@pytest.mark.parametrize("lost", range(3, 48, 11))
async def test_one_line_of_three_cut_at_any_frame_between_two_games(
    lost: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lines of the others are good, and go over to the next game before the one that was cut."""
    cable, sent = Cable(), 0
    write = lines.Line.write

    async def counted(self: lines.Line, frame: pb.Frame) -> bool:
        nonlocal sent
        if sent or frame.HasField("another"):
            sent += 1
            if sent == lost:
                cable.cut()
        return await write(self, frame)

    monkeypatch.setattr(lines.Line, "write", counted)
    async with inn(tmp_path, terms=Terms.of(Toy(), 3, {})) as here, cable.to(here.server.port) as address:
        visits = await asyncio.gather(here.guest(address), here.guest())
        await play(here, *visits, games=2)
    assert sent >= lost


async def test_one_of_three_who_leaves_in_between_ends_the_evening_for_all(tmp_path: Path) -> None:
    async with inn(tmp_path, terms=Terms.of(Toy(), 3, {})) as here:
        visits = await asyncio.gather(here.guest(), here.guest())
        sessions = [await here.game(), *[visit.session for visit in visits]]
        for session in sessions:
            session.keeps_lines = True
        await asyncio.gather(*(gives_up(visit.session, visit.session.snapshot.seat) for visit in visits))
        for session in sessions:
            await end_of(session)
        told = visits[0].session.updates()
        sessions[0].another()
        visits[0].session.another()
        await visits[1].session.close()
        await visits[1].close()
        assert await asyncio.wait_for(here.admission.next_game(), 10) is None
        async with asyncio.timeout(10):
            while not isinstance(update := await told.get(), LineDown):
                pass
        assert update.seats == {visits[1].session.snapshot.seat}
        assert update.reason == pb.REASON_FINISHED
        await visits[0].session.close()
        await visits[0].close()


async def test_an_agreement_while_the_line_is_cut(tmp_path: Path) -> None:
    cable = Cable()
    async with inn(tmp_path) as here, cable.to(here.server.port) as address:
        visit = await here.guest(address)
        session = await here.game()
        session.keeps_lines = visit.session.keeps_lines = True
        await begun(visit.session)
        await visit.session.resign()
        for side in (session, visit.session):
            await end_of(side)
        told = session.updates()
        cable.whole.clear()
        cable.cut()
        session.another()
        visit.session.another()
        assert not session.plays_on
        cable.whole.set()
        async with asyncio.timeout(20):
            games = await asyncio.gather(here.admission.next_game(), visit.next_game())
        assert games[0] is not None
        assert games[1] is not None
        assert games[0].table_id == games[1].table_id != session.table_id
        assert any(isinstance(told.get_nowait(), AnotherWanted) for _ in range(told.qsize()))
        # In the meantime nobody else could sit down.
        with pytest.raises(NotSeated, match="taken"):
            await here.guest()
        for each in (session, visit.session, games[0]):
            await each.close()
        await visit.close()


async def test_whoever_leaves_in_between_ends_the_evening(tmp_path: Path) -> None:
    async with inn(tmp_path) as here:
        visit = await here.guest()
        session = await here.game()
        session.keeps_lines = visit.session.keeps_lines = True
        await begun(visit.session)
        await visit.session.resign()
        for side in (session, visit.session):
            await end_of(side)
        session.another()
        await visit.session.close()
        await visit.close()
        assert await asyncio.wait_for(here.admission.next_game(), 10) is None


async def test_a_next_game_that_the_own_disk_does_not_take(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The guest is told what is wrong here, and not that the host has left."""
    async with inn(tmp_path) as here:
        visit = await here.guest()
        session = await here.game()

        async def full(*_: object, **__: object) -> Session:
            raise StorageError("The disk is full.")

        for side in (session, visit.session):
            side.keeps_lines = True
        await begun(visit.session)
        await visit.session.resign()
        await asyncio.gather(end_of(session), end_of(visit.session))
        monkeypatch.setattr(Session, "join", full)
        for side in (session, visit.session):
            side.another()
        with pytest.raises(StorageError, match="The disk is full"):
            await asyncio.wait_for(visit.next_game(), 20)
        await visit.session.close()
        await visit.close()
