"""What the tests of TLS stand on: a host that echoes, wires that can be tapped, and somebody in between."""

from __future__ import annotations

import asyncio
import socket
import ssl
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from grpc import aio

from bcnet.certificate import Presented, read_certificate
from bcnet.signing import Identity
from bcnet.wire.v1 import table_pb2 as pb
from bcnet.wire.v1.table_pb2_grpc import TableServicer, TableStub, add_TableServicer_to_server
from bcnet_client.pinning import pinned_channel
from bcnet_client.reach import Endpoint
from bcnet_host.certificate import HostCertificate, make_certificate

HOST = Identity(b"h" * 32)
GUEST = Identity(b"g" * 32)
MALLORY = Identity(b"m" * 32)


Behaviour = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def local(port: int) -> Endpoint:
    return socket.AF_INET, ("127.0.0.1", port)


class Echo(TableServicer):
    """Sends every frame back, and keeps it."""

    def __init__(self) -> None:
        self.heard: list[pb.Frame] = []

    async def Play(self, frames, context):  # type: ignore[no-untyped-def]  # noqa: N802
        async for frame in frames:
            self.heard.append(frame)
            yield frame


@asynccontextmanager
async def host(
    certificate: HostCertificate | None, address: str = "127.0.0.1:0"
) -> AsyncIterator[tuple[int, Echo]]:
    """A host at a free port; without a certificate it speaks no TLS."""
    server, echo = aio.server(), Echo()
    add_TableServicer_to_server(echo, server)
    port = (
        server.add_secure_port(address, certificate.credentials())
        if certificate
        else server.add_insecure_port(address)
    )
    await server.start()
    try:
        yield port, echo
    finally:
        await server.stop(None)


async def say(channel: aio.Channel, frame: pb.Frame) -> pb.Frame:
    """What the host answers to a frame; raises what gRPC raises."""
    call = TableStub(channel).Play(timeout=10)
    await call.write(frame)
    answer = await call.read()
    if answer is aio.EOF:
        raise AssertionError(await call.code())
    call.cancel()
    assert isinstance(answer, pb.Frame)
    return answer


async def say_pinned(endpoint: Endpoint, presented: Presented, frame: pb.Frame) -> pb.Frame:
    async with pinned_channel(endpoint, presented) as channel:
        return await say(channel, frame)


def with_the_voucher_of(stolen: bytes, thief: Identity = MALLORY) -> HostCertificate:
    """A certificate with a key of the thief's, and with the words by which another vouches for his own."""
    made = make_certificate(thief)
    old, new = x509.load_der_x509_certificate(made.der), x509.load_der_x509_certificate(stolen)
    voucher_old, voucher_new = old.extensions[-1].value, new.extensions[-1].value
    assert isinstance(voucher_old, x509.UnrecognizedExtension)
    assert isinstance(voucher_new, x509.UnrecognizedExtension)
    # The self-signature breaks, which nobody looks at: a root is trusted for what it is.
    return HostCertificate(made.der.replace(voucher_old.value, voucher_new.value), made.key)


class Tap:
    """What went over a wire, both ways."""

    def __init__(self) -> None:
        self.bytes = b""
        self.connections = 0


@asynccontextmanager
async def tapped(target: int) -> AsyncIterator[tuple[int, Tap]]:
    """A port that leads to the port ``target``, with somebody who listens on the wire."""
    tap = Tap()

    async def between(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tap.connections += 1
        further = await asyncio.open_connection("127.0.0.1", target)
        await _both_ways((reader, writer), further, tap)

    async with serving(between) as port:
        yield port, tap


@asynccontextmanager
async def in_between(target: int, own: HostCertificate) -> AsyncIterator[tuple[int, Tap]]:
    """A port that leads to ``target``, with somebody who ends TLS on both sides, and so reads all that is said."""
    tap = Tap()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_alpn_protocols(["h2"])
    with tempfile.NamedTemporaryFile() as file:
        file.write(own.key + x509.load_der_x509_certificate(own.der).public_bytes(Encoding.PEM))
        file.flush()
        context.load_cert_chain(file.name)
    outwards = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    outwards.check_hostname, outwards.verify_mode = False, ssl.CERT_NONE
    outwards.set_alpn_protocols(["h2"])

    async def between(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tap.connections += 1
        further = await asyncio.open_connection("127.0.0.1", target, ssl=outwards)
        await _both_ways((reader, writer), further, tap)

    async with serving(between, context) as port:
        yield port, tap


@asynccontextmanager
async def serving(behave: Behaviour, context: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    """A port at which every connection is treated so, and then cut."""
    tasks: set[asyncio.Task[None]] = set()

    async def took(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        tasks.add(task)
        with suppress(OSError, asyncio.CancelledError):
            await behave(reader, writer)
        writer.transport.abort()
        tasks.discard(task)

    server = await asyncio.start_server(took, "127.0.0.1", 0, ssl=context)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)


Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def _both_ways(near: Ends, far: Ends, tap: Tap) -> None:
    async def one_way(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            tap.bytes += data
            writer.write(data)
            await writer.drain()

    ways = {
        asyncio.create_task(one_way(near[0], far[1])),
        asyncio.create_task(one_way(far[0], near[1])),
    }
    try:
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)
        far[1].transport.abort()


def presented(certificate: HostCertificate) -> Presented:
    return read_certificate(certificate.der)
