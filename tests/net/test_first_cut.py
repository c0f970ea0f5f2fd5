"""A line that is cut at any moment from the first hello on: who was told of a seat has one, and others try again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bcnet.errors import NetworkError
from bcnet.session import Session
from bcnet.table.membership import Terms
from bcnet.wire.v1 import table_pb2 as pb
from bcnet_client import join as joining
from bcnet_client import line as lines
from bcnet_client.address import Address
from bcnet_client.join import Interrupted, Joiner, NotSeated, Visit, join
from tests.net.people import inn, until
from tests.net.test_dead_line import Cable
from tests.table.quick import quick_proofs
from tests.toy import Toy

FRAMES = 18
"""So many frames the two sides send until the game runs, and some more."""
TRIES = 5


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(joining, "FIRST_PAUSE", 0.05)
    monkeypatch.setattr(lines, "LINGER", 0.2)
    with quick_proofs():
        yield


async def sits(joiner: Joiner, address: Address) -> Visit:
    """As somebody does who is told that there was no game, and tries again."""
    for _ in range(TRIES - 1):
        try:
            return await join(joiner, address)
        except NetworkError:
            await asyncio.sleep(0.2)
    return await join(joiner, address)


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
        try:
            await game_runs(await here.game(), visit.session)
        finally:
            await visit.session.close()
            await visit.close()
            cable.cut()
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
        try:
            await game_runs(await here.game(), *(visit.session for visit in visits))
        finally:
            for visit in visits:
                await visit.session.close()
                await visit.close()
            cable.cut()
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
        try:
            await game_runs(await here.game(), visit.session)
        finally:
            await visit.session.close()
            await visit.close()
            cable.cut()
    assert offers[0] == offers[1]
