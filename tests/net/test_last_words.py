"""Why a side leaves reaches the other, whatever that one is doing at the moment."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from grpc import aio

from bcnet.hello import Role, sign_hello
from bcnet.home import Home
from bcnet.session import Session
from bcnet.wire.v1 import table_pb2 as pb
from bcnet_client.line import Line, carry
from tests.net.people import TERMS, hello, inn, read
from tests.net.test_session import PATIENCE, until
from tests.table.room import identity_of, lookup


class Talker:
    """The other end of a stream: it says what the test lets it say, and keeps what it hears."""

    def __init__(self) -> None:
        self.says: asyncio.Queue[Any] = asyncio.Queue()
        self.heard: list[pb.Frame] = []

    async def read(self) -> Any:
        return await self.says.get()

    async def write(self, message: pb.Frame) -> None:
        self.heard.append(message)

    @property
    def goodbyes(self) -> list[int]:
        return [int(frame.goodbye.reason) for frame in self.heard if frame.HasField("goodbye")]


async def test_who_leaves_listens_until_the_other_has_ended_the_line(tmp_path: Path) -> None:
    """A call that ends while the other writes loses what the other has not read: gRPC throws it away."""
    home = Home(tmp_path)
    home.prepare()
    session = await Session.host(home, identity_of(0), "Ann", TERMS, games=lookup)
    wire = await session.attach(frozenset({1}))
    talker = Talker()
    carrying = asyncio.create_task(carry(session, wire, Line(talker)))
    await session.close(pb.REASON_PAUSED)
    for _ in range(5):
        talker.says.put_nowait(pb.Frame(note=b"said before the goodbye was heard"))
    await asyncio.wait_for(until(lambda: talker.says.empty() and talker.goodbyes), PATIENCE)
    await asyncio.sleep(0.05)
    assert talker.goodbyes == [pb.REASON_PAUSED]
    assert not carrying.done()
    talker.says.put_nowait(aio.EOF)
    await asyncio.wait_for(carrying, PATIENCE)


async def test_who_was_sent_noise_listens_as_well(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.prepare()
    session = await Session.host(home, identity_of(0), "Ann", TERMS, games=lookup)
    wire = await session.attach(frozenset({1}))
    talker = Talker()
    carrying = asyncio.create_task(carry(session, wire, Line(talker)))
    for _ in range(5):
        talker.says.put_nowait(pb.Frame(note=b"before its position"))
    await asyncio.wait_for(until(lambda: talker.says.empty() and talker.goodbyes), PATIENCE)
    await asyncio.sleep(0.05)
    assert talker.goodbyes == [pb.REASON_NOISE]
    assert not carrying.done()
    talker.says.put_nowait(aio.EOF)
    departure = await asyncio.wait_for(carrying, PATIENCE)
    assert departure.noise is not None


@pytest.mark.parametrize("door_is_closed", [False, True])
async def test_who_comes_back_while_the_host_leaves_is_told_why(
    tmp_path: Path, *, door_is_closed: bool
) -> None:
    async with inn(tmp_path) as here:
        visit = await here.guest()
        session = await here.game()
        identity = Home(tmp_path / "guest-1").identity()
        await session.close(pb.REASON_PAUSED)
        await visit.session.close()
        await visit.close()
        if door_is_closed:
            await here.admission.close()
        async with here.stranger() as call:
            ours = hello(identity, table=session.table_id)
            await call.write(pb.Frame(hello=ours))
            theirs = (await read(call)).hello
            assert theirs.table == session.table_id
            assert (await read(call)).HasField("proof")
            proof = sign_hello(ours, theirs, Role.GUEST, here.certificate.fingerprint, identity.sign_message)
            await call.write(pb.Frame(proof=proof))
            await call.write(pb.Frame(position=pb.Position(seat=1)))
            said = await read(call)
            assert said.goodbye.reason == pb.REASON_PAUSED
