"""Onlookers: they see the game and nothing hidden, check it themselves, and slow nobody down."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from bcnet.entry import Noise
from bcnet.errors import Exit
from bcnet.session import Session
from bcnet.signing import Identity
from bcnet.updates import Watched
from bcnet.verify import Verdict, verify
from bcnet.wire.v1 import table_pb2 as pb
from bcnet.wire.v1.table_pb2_grpc import TableStub
from bcnet_client.join import NotSeated, WrongProgram
from bcnet_client.watch import Onlooker, watch
from bcnet_host import spectators
from tests.net.people import Inn, farewell, hello, inn, stranger_from, until
from tests.net.processes import Start, starting
from tests.table.room import lookup


async def play_on(*sessions: Session) -> None:
    """Both sides decide, whatever comes first, until the table has ended."""
    while not all(session.ended for session in sessions):
        for session in sessions:
            here = session.snapshot
            if here.decision and here.view is not None:
                await session.act(here.view.legal_actions(here.seat)[0])
        await asyncio.sleep(0.01)


def onlooker(here: Inn, said: list[str], name: str = "Eve") -> asyncio.Task[Exit]:
    watcher = stranger_from(here.folder / name, name)
    return asyncio.create_task(watch(watcher, here.address, said.append))


async def test_onlookers_see_the_game_to_its_end_early_or_late(tmp_path: Path) -> None:
    async with inn(tmp_path, spectators=3) as here:
        early: list[str] = []
        watching = [onlooker(here, early)]
        await until(lambda: early)
        visit = await here.guest()
        session = await here.game()
        updates, theirs = session.updates(), visit.session.updates()
        await until(lambda: session.snapshot.audience == 1)
        await until(lambda: visit.session.snapshot.audience == 1)
        assert isinstance(updates.get_nowait(), Watched) or not updates.empty()
        assert not theirs.empty()
        late: list[str] = []
        await until(lambda: session.snapshot.decision or visit.session.snapshot.decision)
        watching.append(onlooker(here, late, "Dave"))
        await until(lambda: session.snapshot.audience == 2)
        await play_on(session, visit.session)
        codes = await asyncio.gather(*watching)
        assert codes == [Exit.OK, Exit.OK]
        assert early[1:] == late[1:]
        assert "Verdict: clean" in late[-1]
        await visit.session.close()
        await visit.close()


async def test_an_onlooker_is_shown_nothing_before_the_game(tmp_path: Path) -> None:
    async with inn(tmp_path, spectators=1) as here:
        said: list[str] = []
        watching = onlooker(here, said)
        await until(lambda: said)
        await asyncio.sleep(0.2)
        assert len(said) == 1  # the offer is for the guest alone
        watching.cancel()


async def test_no_more_than_are_allowed(tmp_path: Path) -> None:
    async with inn(tmp_path, spectators=1) as here:
        said: list[str] = []
        watching = onlooker(here, said)
        await until(lambda: said)
        with pytest.raises(NotSeated, match="nobody more, may watch"):
            await onlooker(here, [], "Dave")
        watching.cancel()
    async with inn(tmp_path / "none") as here:
        with pytest.raises(NotSeated, match="nobody more, may watch"):
            await onlooker(here, [], "Dave")


async def test_who_takes_nothing_holds_nobody_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spectators, "STALL_TIME", 0.5)
    async with inn(tmp_path, spectators=2) as here:
        visit = await here.guest()
        session = await here.game()
        async with here.channel() as channel:
            calls = [TableStub(channel).Watch() for _ in range(2)]
            for call in calls:
                await here.greet_as_watcher(call, Identity(bytes([99]) * 32))
            await until(lambda: session.snapshot.audience == 2)
            await play_on(session, visit.session)  # nobody reads
            assert session.ended is not None
            assert session.ended.report.verdict is Verdict.CLEAN
        await visit.session.close()
        await visit.close()


async def test_who_speaks_has_to_go(tmp_path: Path) -> None:
    async with inn(tmp_path, spectators=1) as here:
        visit = await here.guest()
        session = await here.game()
        async with here.channel() as channel:
            call = TableStub(channel).Watch()
            await here.greet_as_watcher(call, Identity(bytes([99]) * 32))
            await until(lambda: session.snapshot.audience == 1)
            await call.write(pb.Frame(entry=b"let me play"))
            await until(lambda: session.snapshot.audience == 0)
        await visit.session.close()
        await visit.close()


@pytest.mark.parametrize(
    "words", [pb.Frame(), pb.Frame(hello=hello(Identity(bytes([99]) * 32)))], ids=["nothing", "a guest"]
)
async def test_wrong_first_words_of_an_onlooker(words: pb.Frame, tmp_path: Path) -> None:
    async with inn(tmp_path, spectators=1) as here, here.channel() as channel:
        call = TableStub(channel).Watch()
        await call.write(words)
        assert await farewell(call) == pb.REASON_NOISE


async def test_a_host_that_changes_an_entry_is_caught(tmp_path: Path) -> None:
    async with inn(tmp_path) as here:
        visit = await here.guest()
        session = await here.game()
        await play_on(session, visit.session)
        entries = [data async for data in session.public()]
        assert verify(entries, games=lookup).verdict is Verdict.CLEAN
        for number in range(len(entries)):
            seen = Onlooker(lookup)
            for data in entries[:number]:
                seen.receive(data)
            with pytest.raises(Noise):
                seen.receive(bytes([*entries[number][:-1], entries[number][-1] ^ 1]))
        await visit.session.close()
        await visit.close()


async def test_a_table_of_another_host_is_refused(tmp_path: Path) -> None:
    """A host passes on somebody else's game as his own."""
    async with inn(tmp_path / "one") as other, inn(tmp_path / "two", spectators=1) as here:
        visits = [await other.guest(), await here.guest()]
        stolen = await other.game()
        await here.game()
        here.watched = stolen
        with pytest.raises(WrongProgram, match="another host"):
            await onlooker(here, [])
        for visit in visits:
            await visit.session.close()
            await visit.close()


@pytest.mark.end_to_end
def test_watching_with_processes(start: Start, tmp_path: Path) -> None:
    ann = start(
        "host",
        "--listen",
        "127.0.0.1:0",
        "--bot",
        "greedy",
        "--name",
        "Ann",
        "--spectators",
        "1",
        "--no-private-hands",
        home="host",
    )
    address, code = ann.invitation()
    eve = start("watch", address, code, "--name", "Eve", home="eve")
    eve.wait_for("^You watch the table of Ann, key .{19}")
    bob = start("join", address, code, "--bot", "greedy", "--name", "Bob", home="bob")  # it was not used up
    assert (bob.finish(), ann.finish(), eve.finish()) == (0, 0, 0)
    ann.wait_for("^1 watches")
    bob.wait_for("^1 watches")
    assert "Verdict: clean" in eve.lines[-1]
    hidden = [line for line in eve.lines if "is dealt" in line or " draws " in line]
    assert hidden
    assert all(line.endswith(("cards.", "a card.")) for line in hidden)
    assert [line for line in eve.lines if " lays " in line] == [
        line for line in ann.lines if " lays " in line
    ]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    with starting(tmp_path) as start:
        yield start
