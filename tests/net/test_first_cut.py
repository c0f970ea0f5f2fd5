"""A line that is cut at any moment from the first hello on: who was told of a seat has one, and others try again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bcnet.errors import NetworkError
from bcnet.hello import Role, sign_hello
from bcnet.secrets import Secrets
from bcnet.session import Session
from bcnet.signing import Identity
from bcnet.table.membership import Terms
from bcnet.table.player import Player
from bcnet.wire.v1 import table_pb2 as pb
from bcnet_client import join as joining
from bcnet_client import line as lines
from bcnet_client.address import Address
from bcnet_client.join import Interrupted, Joiner, NotSeated, Visit, join
from bcnet_host import admission
from tests.net.people import farewell, hello, inn, read, shake_hands, until
from tests.net.test_dead_line import Cable
from tests.table.quick import quick_proofs
from tests.table.room import lookup
from tests.toy import Toy

FRAMES = 18
"""So many frames the two sides send until the game runs, and some more."""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(joining, "FIRST_PAUSE", 0.05)
    monkeypatch.setattr(lines, "LINGER", 0.2)
    monkeypatch.setattr(admission, "SEAT_TIME", 10.0)
    with quick_proofs():
        yield


async def sits(joiner: Joiner, address: Address) -> Visit:
    """As somebody does who is told that there was no game, and tries again."""
    while True:
        try:
            return await join(joiner, address)
        except NetworkError:
            await asyncio.sleep(0.2)


@asynccontextmanager
async def sitting(cable: Cable, *visits: Visit) -> AsyncIterator[None]:
    """They leave at the end, and the cable with them."""
    try:
        yield
    finally:
        for visit in visits:
            await visit.session.close()
            await visit.close()
        cable.cut()


def cut_at(monkeypatch: pytest.MonkeyPatch, cable: Cable, lost: int) -> list[pb.Frame]:
    """The frame with that number is lost with the line, whoever sends it; gives all that are sent."""
    sent: list[pb.Frame] = []
    write = lines.Line.write

    async def counted(self: lines.Line, frame: pb.Frame) -> bool:
        sent.append(frame)
        if len(sent) == lost:
            cable.cut()
        return await write(self, frame)

    monkeypatch.setattr(lines.Line, "write", counted)
    return sent


async def game_runs(*sessions: Session) -> None:
    await until(lambda: any(session.snapshot.decision for session in sessions))
    assert len({session.table_id for session in sessions}) == 1


@pytest.mark.parametrize("lost", range(1, FRAMES + 1))
async def test_a_line_cut_at_any_frame_before_a_game(
    lost: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cable = Cable()
    sent = cut_at(monkeypatch, cable, lost)
    async with inn(tmp_path) as here, cable.to(here.server.port) as address, asyncio.timeout(100):
        visit = await sits(here.joiner(), address)
        async with sitting(cable, visit):
            await game_runs(await here.game(), visit.session)
    assert len(sent) >= lost


@pytest.mark.parametrize("lost", range(3, 40, 3))
async def test_one_line_of_three_cut_at_any_frame_before_a_game(
    lost: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cable = Cable()
    sent = cut_at(monkeypatch, cable, lost)
    async with (
        inn(tmp_path, terms=Terms.of(Toy(), 3, {})) as here,
        cable.to(here.server.port) as address,
        asyncio.timeout(100),
    ):
        visits = await asyncio.gather(sits(here.joiner(), address), sits(here.joiner(), here.address))
        async with sitting(cable, *visits):
            await game_runs(await here.game(), *(visit.session for visit in visits))
    assert len(sent) >= lost


async def test_whoever_was_cut_off_before_its_join_is_shown_the_same_offer_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And nobody else is: another key finds the table taken meanwhile."""
    cable = Cable()
    sits_down = Session.join
    offers: list[bytes] = []

    async def cut_first(*told: Any, **more: Any) -> Session:
        cable.cut()
        monkeypatch.setattr(Session, "join", sits_down)
        return await sits_down(*told, **more)

    monkeypatch.setattr(Session, "join", cut_first)
    async with inn(tmp_path) as here, cable.to(here.server.port) as address, asyncio.timeout(100):
        joiner, other = here.joiner(), here.joiner()
        with pytest.raises(Interrupted):
            await join(joiner, address)
        assert here.admission._session is not None
        offers.append(here.admission._session.offer_id)
        await until(lambda: all(guest.gone.done() for guest in here.admission._seating.values()))
        with pytest.raises(NotSeated, match="taken"):
            await join(other, address)
        visit = await join(joiner, address)
        offers.append(visit.session.offer_id)
        async with sitting(cable, visit):
            await game_runs(await here.game(), visit.session)
    assert offers[0] == offers[1]


async def test_a_line_that_died_silently_before_the_join_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host believes the old line to be good yet; the same key under the same name comes by another."""
    monkeypatch.setattr(joining, "HELLO_TIME", 5.0)
    cable = Cable()
    sits_down = Session.join

    async def silent_first(*told: Any, **more: Any) -> Session:
        cable.whole.clear()
        monkeypatch.setattr(Session, "join", sits_down)
        return await sits_down(*told, **more)

    monkeypatch.setattr(Session, "join", silent_first)
    async with inn(tmp_path) as here, cable.to(here.server.port) as address, asyncio.timeout(100):
        joiner = here.joiner()
        first = asyncio.create_task(join(joiner, address))
        await until(lambda: not cable.whole.is_set())
        visit = await join(joiner, here.address)
        async with sitting(cable, visit):
            await game_runs(await here.game(), visit.session)
            first.cancel()


async def test_nobody_comes_back_under_another_name_than_it_was_let_in_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host was asked for one name, and said yes to that."""
    key = Identity(bytes([78]) * 32)
    async with inn(tmp_path) as here, asyncio.timeout(100):
        async with here.stranger() as call:
            await shake_hands(here, call, key)
        session = here.admission._session
        assert session is not None
        await until(lambda: 1 in session._down)
        async with here.stranger() as call:
            ours = hello(key, table=session.offer_id, name="somebody known")
            await call.write(pb.Frame(hello=ours))
            theirs = await read(call)
            assert (await read(call)).HasField("proof")
            certificate = here.certificate.fingerprint
            proof = sign_hello(ours, theirs.hello, Role.GUEST, certificate, key.sign_message)
            await call.write(pb.Frame(proof=proof))
            await call.write(pb.Frame(position=pb.Position(seat=1)))
            player = Player(
                1, Secrets(bytes(32)), key.public, key.sign_message, "somebody known", games=lookup
            )
            while not (frame := await read(call)).HasField("entry"):
                pass
            said = [each.data for each in player.receive(frame.entry).entries if each.seat == 1]
            await call.write(pb.Frame(entry=said[0]))
            assert await farewell(call) == pb.REASON_NOISE
        assert not session.seated.is_set()
