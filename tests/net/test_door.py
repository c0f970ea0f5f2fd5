"""Who gets in at a host's door, who does not, and what that costs the host."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from bcnet.hashing import PROTOCOL_VERSION
from bcnet.home import Home
from bcnet.secrets import Secrets
from bcnet.signing import Identity
from bcnet.table.player import Player
from bcnet.wire.v1 import table_pb2 as pb
from bcnet_client.join import NotSeated, Visit
from bcnet_client.line import Pace
from bcnet_host import admission
from bcnet_host.admission import Idle, Turned
from bcnet_host.server import SERVICE, PortTaken, listen
from tests.net.people import farewell, hello, inn, read, shake_hands, until
from tests.table.room import lookup

STRANGER = Identity(bytes([77]) * 32)


async def test_a_guest_sits_down(tmp_path: Path) -> None:
    async with inn(tmp_path) as here:
        visit = await here.guest()
        session = await here.game()
        assert [member.name for member in session.snapshot.members] == ["the host", "guest 1"]
        assert session.snapshot.table_id == visit.session.snapshot.table_id
        assert visit.host.identity == session.snapshot.members[0].identity
        await visit.session.close()
        await visit.close()


async def test_a_third_is_told_that_the_table_is_taken(tmp_path: Path) -> None:
    async with inn(tmp_path) as here:
        visit = await here.guest()
        session = await here.game()
        with pytest.raises(NotSeated, match="The table is taken"):
            await here.guest()
        assert session.ended is None
        assert session.snapshot.decision is not None or session.snapshot.awaited
        await visit.session.close()
        await visit.close()


async def test_two_at_once_one_gets_the_seat(tmp_path: Path) -> None:
    async with inn(tmp_path) as here:
        came = await asyncio.gather(*(here.guest() for _ in range(4)), return_exceptions=True)
        turned = [each for each in came if isinstance(each, NotSeated)]
        seated = [each for each in came if not isinstance(each, BaseException)]
        assert (len(turned), len(seated)) == (3, 1)
        assert all("taken" in each.message for each in turned)
        assert isinstance(seated[0], Visit)
        await seated[0].session.close()
        await seated[0].close()


async def test_a_newer_guest_is_shown_this_version_and_the_host_that_one(tmp_path: Path) -> None:
    async with inn(tmp_path) as here:
        for _ in range(3):
            async with here.stranger() as call:
                newer = hello(STRANGER, protocol=PROTOCOL_VERSION + 1, program="9.9.9")
                await call.write(pb.Frame(hello=newer))
                ours = await read(call)
                assert ours.hello.protocol == PROTOCOL_VERSION
                assert await farewell(call) == pb.REASON_VERSION
        (notice,) = here.notices  # once, not for every try
        assert isinstance(notice, Turned)
        for part in ("9.9.9", f"protocol {PROTOCOL_VERSION + 1}", f"protocol {PROTOCOL_VERSION}"):
            assert part in notice.why.message
        visit = await here.guest()
        await visit.session.close()
        await visit.close()


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ([pb.Frame()], pb.REASON_NOISE),
        ([pb.Frame(entry=b"x")], pb.REASON_NOISE),
        ([pb.Frame(proof=pb.HelloProof(signature=bytes(64)))], pb.REASON_NOISE),
        ([pb.Frame(hello=hello(STRANGER, nonce=bytes(31)))], pb.REASON_NOISE),
        ([pb.Frame(hello=hello(STRANGER, identity=bytes(32)))], pb.REASON_NOISE),
        ([pb.Frame(hello=hello(STRANGER, role="ROLE_HOST"))], pb.REASON_NOISE),
        ([pb.Frame(hello=hello(STRANGER, table=bytes(32)))], pb.REASON_UNKNOWN_TABLE),
        ([pb.Frame(hello=hello(STRANGER)), pb.Frame(entry=b"")], pb.REASON_NOISE),
        (
            [pb.Frame(hello=hello(STRANGER)), pb.Frame(proof=pb.HelloProof(signature=bytes(64)))],
            pb.REASON_NOISE,
        ),
    ],
    ids=[
        "nothing", "entry", "proof", "nonce", "key", "role", "table", "no proof", "forged proof",
    ],
)  # fmt: skip
async def test_wrong_first_words_are_turned_away(words: list[pb.Frame], reason: int, tmp_path: Path) -> None:
    async with inn(tmp_path) as here:
        async with here.stranger() as call:
            for frame in words:
                await call.write(frame)
            assert await farewell(call) == reason
        visit = await here.guest()  # and the seat is still free
        await visit.session.close()
        await visit.close()


async def test_who_says_nothing_has_to_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "HELLO_TIME", 0.3)
    async with inn(tmp_path) as here, here.stranger() as call:
        assert await farewell(call) == pb.REASON_IDLE


async def test_a_crowd_of_silent_strangers_does_not_keep_a_guest_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admission, "STRANGERS_OF_ONE", 1000)  # as if each came from elsewhere
    async with inn(tmp_path) as here:
        waiting = [here.stranger() for _ in range(admission.MAX_STRANGERS + 4)]
        calls = [await each.__aenter__() for each in waiting]
        await until(lambda: len(here.admission._strangers) == admission.MAX_STRANGERS)
        visit = await here.guest()
        assert len(here.admission._strangers) < admission.MAX_STRANGERS
        assert (
            sum(not call.done() for call in calls) >= admission.MAX_STRANGERS - 1
        )  # only as many as must go
        await visit.session.close()
        await visit.close()
        for each in waiting:
            await each.__aexit__(None, None, None)


async def test_one_address_holds_few_places_at_the_door(tmp_path: Path) -> None:
    async with inn(tmp_path) as here:
        waiting = [here.stranger() for _ in range(admission.STRANGERS_OF_ONE + 3)]
        calls = [await each.__aenter__() for each in waiting]
        await until(lambda: sum(call.done() for call in calls) == 3)
        assert len(here.admission._strangers) == admission.STRANGERS_OF_ONE
        for each in waiting:
            await each.__aexit__(None, None, None)


async def test_an_idle_joiner_loses_the_seat_and_the_offer_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admission, "SEAT_TIME", 0.5)
    async with inn(tmp_path, is_open=True) as here:
        offers = Home(tmp_path / "host").offers
        async with here.stranger() as call:
            await shake_hands(here, call, STRANGER)
            assert (await read(call)).HasField("entry")
            (seen,) = offers.iterdir()
            with pytest.raises(NotSeated, match="taken"):  # for as long as it may still answer
                await here.guest()
            assert await farewell(call) == pb.REASON_IDLE
        await until(lambda: here.notices)
        assert here.notices == [Idle(STRANGER.public)]
        await until(lambda: here.admission.is_open)
        (fresh,) = offers.iterdir()
        assert fresh != seen
        monkeypatch.setattr(admission, "SEAT_TIME", 30)
        visit = await here.guest()
        assert fresh.name.startswith(visit.session.offer_id[:8].hex())
        await visit.session.close()
        await visit.close()


async def test_who_leaves_before_sitting_down_takes_the_offer_along(tmp_path: Path) -> None:
    async with inn(tmp_path, is_open=True) as here:
        offers = Home(tmp_path / "host").offers
        async with here.stranger() as call:
            await shake_hands(here, call, STRANGER)
            assert (await read(call)).HasField("entry")
            (seen,) = offers.iterdir()
        await until(lambda: here.notices)
        await until(lambda: here.admission.is_open)
        visit = await here.guest()
        assert not seen.name.startswith(visit.session.offer_id[:8].hex())
        await visit.session.close()
        await visit.close()


async def test_a_join_by_another_key_than_the_proven_one_is_noise(tmp_path: Path) -> None:
    async with inn(tmp_path) as here:
        async with here.stranger() as call:
            await shake_hands(here, call, STRANGER)
            offer = (await read(call)).entry
            other = Identity(bytes([78]) * 32)
            player = Player(1, Secrets(bytes(32)), other.public, other.sign_message, "Eve", games=lookup)
            said = [standing.data for standing in player.receive(offer).entries if standing.seat == 1]
            await call.write(pb.Frame(entry=said[0]))
            assert await farewell(call) == pb.REASON_NOISE
        assert not here.admission.game.done()


async def test_health_and_reflection_answer(tmp_path: Path) -> None:
    async with inn(tmp_path) as here, here.channel() as channel:
        ask: Any = health_pb2_grpc.HealthStub(channel)
        for service in ("", SERVICE):
            answer = await ask.Check(health_pb2.HealthCheckRequest(service=service))
            assert answer.status == health_pb2.HealthCheckResponse.SERVING
        describe: Any = reflection_pb2_grpc.ServerReflectionStub(channel)  # type: ignore[arg-type]
        call = describe.ServerReflectionInfo(iter([reflection_pb2.ServerReflectionRequest(list_services="")]))
        listed = await call.read()
        assert SERVICE in {each.name for each in listed.list_services_response.service}
        call.cancel()


async def test_a_second_host_on_the_port_is_refused(tmp_path: Path) -> None:
    async with inn(tmp_path) as here:
        for host in ("127.0.0.1", ""):
            with pytest.raises(PortTaken, match=f"Port {here.server.port} is in use") as caught:
                await listen(type(here.address)(host, here.server.port), here.certificate)
            assert "--listen" in caught.value.hint


async def test_a_flood_is_taken_at_its_pace() -> None:
    loop = asyncio.get_running_loop()
    pace = Pace(rate=100, burst=20)
    began = loop.time()
    for _ in range(20):
        await pace.step()
    assert loop.time() - began < 0.1
    for _ in range(20):
        await pace.step()
    assert loop.time() - began >= 0.19
