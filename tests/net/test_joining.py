"""What a joiner is told about the address it has typed: one clear line within ten seconds, or a seat."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from secrets import token_bytes
from typing import Any

import pytest
from grpc import aio

from bcnet.errors import BcnetError, Exit, NetworkError
from bcnet.hashing import PROTOCOL_VERSION
from bcnet.hello import NONCE_SIZE, OtherVersion, Role, make_hello, sign_hello
from bcnet.signing import Identity
from bcnet.wire.v1 import table_pb2 as pb
from bcnet.wire.v1 import table_pb2_grpc
from bcnet_client import reach
from bcnet_client.address import Address, parse_address
from bcnet_client.join import Visit, join
from bcnet_client.line import Line
from bcnet_host.addresses import of_this_machine
from bcnet_host.certificate import make_certificate
from tests.net.people import inn, stranger_from

HOST = Identity(bytes([66]) * 32)
CERTIFICATE = make_certificate(HOST)


async def sit_down(folder: Path, address: Address) -> Visit:
    return await join(stranger_from(folder / "guest", "guest"), address)


async def complaint(folder: Path, address: Address) -> BcnetError:
    """What a joiner at ``address`` is told, in time."""
    began = time.monotonic()
    with pytest.raises(BcnetError) as caught:
        await sit_down(folder, address)
    assert time.monotonic() - began < 10
    assert "\n" not in caught.value.message
    assert caught.value.hint
    offers = folder / "guest" / "offers"
    assert not list(offers.iterdir())
    return caught.value


# --- it works ---


def addresses_here() -> list[str]:
    """What the host of a table at every address may be reached by: names, IPv4, IPv6, with and without zone."""
    return ["localhost", socket.gethostname(), *(each.host for each in of_this_machine())]


@pytest.mark.parametrize("host", addresses_here())
async def test_every_address_that_a_host_shows_leads_to_it(host: str, tmp_path: Path) -> None:
    """Case N2, in one process."""
    async with inn(tmp_path, Address("", 0)) as here:
        port = here.server.port
        text = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        try:
            visit = await here.guest(parse_address(text))
        except reach.Unreachable:
            if host != socket.gethostname():
                raise
            pytest.skip("this machine's own name leads nowhere")
        await visit.session.close()
        await visit.close()


@pytest.mark.parametrize("variable", ["http_proxy", "HTTP_PROXY", "grpc_proxy", "https_proxy", "all_proxy"])
async def test_proxies_are_for_web_pages(
    variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, "http://127.0.0.1:9")
    async with inn(tmp_path) as here:
        visit = await here.guest(Address("localhost", here.server.port))
        await visit.session.close()
        await visit.close()


async def test_the_second_address_of_a_name_is_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def resolve(address: Address) -> list[reach.Endpoint]:
        return [
            (socket.AF_INET6, ("::1", free_port(), 0, 0)),
            (socket.AF_INET, ("127.0.0.1", address.port)),
        ]

    monkeypatch.setattr(reach, "_resolve", resolve)
    async with inn(tmp_path) as here:
        visit = await here.guest()
        await visit.session.close()
        await visit.close()


# --- nobody there ---


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def test_refused_names_the_firewall(tmp_path: Path) -> None:
    error = await complaint(tmp_path, Address("127.0.0.1", free_port()))
    assert "refuses the connection" in error.message
    assert "firewall" in error.hint
    assert error.exit_code is Exit.NETWORK


async def test_a_silent_network_names_the_firewall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(_: reach.Endpoint) -> None:
        await asyncio.sleep(60)

    monkeypatch.setattr(reach, "_connect", never)
    monkeypatch.setattr(reach, "CONNECT_TIME", 0.5)
    error = await complaint(tmp_path, Address("192.0.2.77", 4680))
    assert "192.0.2.77 does not answer" in error.message
    assert "firewall" in error.hint


async def test_a_name_that_nobody_has(tmp_path: Path) -> None:
    error = await complaint(tmp_path, Address("nobody.invalid", 4680))
    assert "no machine by the name of nobody.invalid" in error.message


async def test_a_name_server_that_does_not_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(_: Address) -> list[reach.Endpoint]:
        await asyncio.sleep(60)
        return []

    monkeypatch.setattr(reach, "_resolve", never)
    monkeypatch.setattr(reach, "CONNECT_TIME", 0.5)
    assert "does not answer" in (await complaint(tmp_path, Address("ann.example", 4680))).message


async def test_a_zone_that_this_machine_does_not_have(tmp_path: Path) -> None:
    error = await complaint(tmp_path, Address("fe80::1%nowhere7", 4680))
    assert "no network interface nowhere7" in error.message
    assert "lo" in error.hint


async def test_a_link_local_address_without_its_zone(tmp_path: Path) -> None:
    error = await complaint(tmp_path, Address("fe80::1234", 4680))
    assert "needs the interface" in error.message or "cannot be reached" in error.message


# --- the wrong program ---

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def program(serve: Serve) -> AsyncIterator[Address]:
    """Some other program that listens."""
    serving: set[asyncio.Task[Any]] = set()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        serving.add(task)
        try:
            await serve(reader, writer)
        finally:
            writer.transport.abort()
            with suppress(ConnectionError):
                await writer.wait_closed()

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    try:
        yield Address("127.0.0.1", server.sockets[0].getsockname()[1])
    finally:
        server.close()
        for task in serving:
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)


async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read()


async def web(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(100)
    writer.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    await writer.drain()
    writer.close()


async def shell(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"SSH-2.0-OpenSSH_9.2\r\n")
    await reader.read()


async def curt(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.close()


async def chatty(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while True:
            writer.write(token_bytes(1 << 12))
            await writer.drain()


@pytest.mark.parametrize("serve", [web, shell, curt, chatty], ids=lambda serve: str(serve.__name__))
async def test_another_program_is_no_host(serve: Serve, tmp_path: Path) -> None:
    async with program(serve) as address:
        error = await complaint(tmp_path, address)
    assert error.exit_code is Exit.NETWORK
    assert "no bcnet host" in error.message or "not answer like a bcnet host" in error.message


async def test_a_program_that_says_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bcnet_client.pinning.FETCH_TIME", 1.0)
    async with program(silent) as address:
        assert "does not answer" in (await complaint(tmp_path, address)).message


# --- a host that is not as it should be ---

Play = Callable[[Line], Awaitable[None]]


@asynccontextmanager
async def grpc_host(play: Play | None) -> AsyncIterator[Address]:
    """A gRPC server with a table of its own making, or with none."""

    class Table(table_pb2_grpc.TableServicer):
        async def Play(self, request_iterator: object, context: Any) -> None:  # noqa: N802
            assert play is not None
            await play(Line(context))

    server = aio.server()
    if play is not None:
        table_pb2_grpc.add_TableServicer_to_server(Table(), server)
    port = server.add_secure_port("127.0.0.1:0", CERTIFICATE.credentials())
    await server.start()
    try:
        yield Address("127.0.0.1", port)
    finally:
        await server.stop(None)


async def greet(line: Line, **changed: Any) -> None:
    """The host's half of the hellos."""
    frame = await line.read()
    assert frame is not None
    ours = make_hello(Role.HOST, HOST.public, token_bytes(NONCE_SIZE), bytes(32), "7.0", "Ann")
    ours.MergeFrom(pb.Hello(**changed))
    await line.write(pb.Frame(hello=ours))
    await line.write(
        pb.Frame(proof=sign_hello(frame.hello, ours, Role.HOST, CERTIFICATE.fingerprint, HOST.sign_message))
    )
    await line.read()


async def test_a_grpc_server_of_another_kind(tmp_path: Path) -> None:
    async with grpc_host(None) as address:
        assert "no bcnet host" in (await complaint(tmp_path, address)).message


async def test_an_older_host_both_versions_are_named(tmp_path: Path) -> None:
    async def play(line: Line) -> None:
        await greet(line, protocol=PROTOCOL_VERSION + 1)

    async with grpc_host(play) as address:
        error = await complaint(tmp_path, address)
    assert isinstance(error, OtherVersion)
    for part in ("bcnet 7.0", f"protocol {PROTOCOL_VERSION + 1}", f"protocol {PROTOCOL_VERSION}"):
        assert part in error.message
    assert error.exit_code is Exit.NETWORK


@pytest.mark.parametrize("reason", [reason for reason in pb.Reason.values() if reason])
async def test_every_goodbye_is_explained(reason: Any, tmp_path: Path) -> None:
    async def play(line: Line) -> None:
        await line.read()
        await line.write(pb.Frame(goodbye=pb.Goodbye(reason=reason)))

    async with grpc_host(play) as address:
        error = await complaint(tmp_path, address)
    assert isinstance(error, NetworkError)
    assert ("taken" in error.message) == (reason == pb.REASON_TAKEN)


@pytest.mark.parametrize(
    "frame",
    [pb.Frame(), pb.Frame(entry=b"x"), pb.Frame(hello=pb.Hello(protocol=PROTOCOL_VERSION))],
    ids=["nothing", "entry", "empty hello"],
)
async def test_wrong_first_words_of_a_host(frame: pb.Frame, tmp_path: Path) -> None:
    async def play(line: Line) -> None:
        await line.read()
        await line.write(frame)
        await line.read()

    async with grpc_host(play) as address:
        assert (await complaint(tmp_path, address)).exit_code is Exit.NETWORK


async def test_a_host_that_cannot_prove_its_key(tmp_path: Path) -> None:
    async def play(line: Line) -> None:
        frame = await line.read()
        assert frame is not None
        ours = make_hello(Role.HOST, HOST.public, token_bytes(NONCE_SIZE), bytes(32), "7.0", "Ann")
        await line.write(pb.Frame(hello=ours))
        await line.write(pb.Frame(proof=pb.HelloProof(signature=bytes(64))))
        await line.read()

    async with grpc_host(play) as address:
        error = await complaint(tmp_path, address)
    assert "cannot prove" in error.message
    assert error.exit_code is Exit.NETWORK


ANN, BOB = pb.Sitter(name="Ann", identity=HOST.public), pb.Sitter(name="Bob", identity=HOST.public)


@pytest.mark.parametrize(
    "gathering",
    [
        pb.Gathering(),
        pb.Gathering(game="toy", seats=3, seat=1, sitters=[ANN]),
        pb.Gathering(game="toy", seats=3, seat=0, sitters=[ANN, BOB]),
        pb.Gathering(game="toy", seats=3, seat=2, sitters=[ANN, BOB]),
        pb.Gathering(game="toy", seats=2, seat=1, sitters=[ANN, BOB, BOB]),
        pb.Gathering(game="toy", seats=1 << 31, seat=1, sitters=[ANN, BOB]),
        pb.Gathering(game="toy", seats=3, seat=1, sitters=[ANN, BOB], begins=True),
        pb.Gathering(game="", seats=2, seat=1, sitters=[ANN, BOB]),
        pb.Gathering(game="\x1b[2J", seats=2, seat=1, sitters=[ANN, BOB]),
        pb.Gathering(game="g" * 33, seats=2, seat=1, sitters=[ANN, BOB]),
        pb.Gathering(game="toy", seats=2, seat=1, sitters=[ANN, pb.Sitter(name="\n", identity=HOST.public)]),
        pb.Gathering(game="toy", seats=2, seat=1, sitters=[ANN, pb.Sitter(name="Bob", identity=bytes(32))]),
    ],
    ids=[
        "nothing",
        "alone",
        "the host's seat",
        "nobody's seat",
        "too many",
        "no end of seats",
        "begins too early",
        "no game",
        "escape",
        "a long name of a game",
        "a name that cannot be shown",
        "an unsound key",
    ],
)
async def test_a_host_that_tells_of_a_table_that_cannot_be(gathering: pb.Gathering, tmp_path: Path) -> None:
    async def play(line: Line) -> None:
        await greet(line)
        await line.write(pb.Frame(gathering=gathering))
        await line.read()

    async with grpc_host(play) as address:
        assert "does not do as a bcnet host" in (await complaint(tmp_path, address)).message


async def test_a_host_that_plays_before_all_have_come(tmp_path: Path) -> None:
    async def play(line: Line) -> None:
        await greet(line)
        await line.write(pb.Frame(position=pb.Position()))
        await line.read()

    async with grpc_host(play) as address:
        assert "before all have come" in (await complaint(tmp_path, address)).message


async def test_a_host_that_hangs_up(tmp_path: Path) -> None:
    async def play(_: Line) -> None:
        return

    async with grpc_host(play) as address:
        assert (await complaint(tmp_path, address)).exit_code is Exit.NETWORK
