"""The host's gRPC server: binds the port, and lets strangers in as far as `bcnet_host.admission` does.

All limits that hold before anybody has said a word are set here, so that garbage, floods and half-open connections
end by themselves and fill nothing.
"""

from __future__ import annotations

import asyncio
import errno
import socket
from contextlib import suppress
from typing import Any

from grpc import aio
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from bcnet.errors import NetworkError
from bcnet.wire.v1 import table_pb2 as pb
from bcnet.wire.v1 import table_pb2_grpc
from bcnet_client.address import Address, written
from bcnet_client.line import OPTIONS, Line
from bcnet_host.admission import Admission
from bcnet_host.certificate import HostCertificate
from bcnet_host.gate import Caller, Gate, bind
from bcnet_host.spectators import Spectators

GRACE = 1.0
"""Seconds that calls under way get when the server stops."""

MAX_STREAMS = 8
"""Streams on one connection."""
MAX_CALLS = 64
"""Calls at once on all connections."""
MAX_CONNECTIONS = 128

_INNER = ("127.0.0.1", "::1")
"""Where gRPC listens, behind the gate: this machine's own ends of the line."""

SERVICE = pb.DESCRIPTOR.services_by_name["Table"].full_name

_OPTIONS = (
    *OPTIONS,
    ("grpc.max_concurrent_streams", MAX_STREAMS),
    ("grpc.max_allowed_incoming_connections", MAX_CONNECTIONS),
    ("grpc.server_handshake_timeout_ms", 10_000),  # whoever connects and says nothing
    # Whoever says something but calls nothing. A connection with an open call is never idle, however long nothing is
    # said on it, so a table may think for hours. Whoever is sent away finds "connection idle" in gRPC's own log.
    ("grpc.max_connection_idle_ms", 30_000),
    ("grpc.http2.bdp_probe", 0),  # else the window, and with it what a flood may fill, grows
    # The guest's keepalive pings are welcome in a long, quiet turn.
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
    ("grpc.http2.max_ping_strikes", 0),
)


class PortTaken(NetworkError):
    """The address cannot be listened at."""


class Server:
    """A bound port, with the gate before it."""

    def __init__(self, server: aio.Server, inner: tuple[str, int], gate: Gate) -> None:
        """Made by `listen`."""
        self._server = server
        self._inner = inner
        self.gate = gate
        self.port = gate.port

    async def start(self, admission: Admission | None, spectators: Spectators | None = None) -> None:
        """Take calls from now on; without a table, none but those after this program's health."""
        if admission is not None:
            table_pb2_grpc.add_TableServicer_to_server(_Table(self.gate, admission, spectators), self._server)
        healthy = health.aio.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(healthy, self._server)
        await healthy.set("", health_pb2.HealthCheckResponse.SERVING)
        await healthy.set(SERVICE, health_pb2.HealthCheckResponse.SERVING)
        reflection.enable_server_reflection(
            [SERVICE, health.SERVICE_NAME, reflection.SERVICE_NAME], self._server
        )
        await self._server.start()
        self.gate.open(self._inner)

    async def stop(self) -> None:
        """End all calls, after a moment, and free the port."""
        await self._server.stop(GRACE)
        await self.gate.close()


async def listen(address: Address, certificate: HostCertificate) -> Server:
    """Bind ``address`` (an empty host: every address of this machine, IPv4 and IPv6). Raises `PortTaken`.

    There is no way to listen without TLS.
    """
    try:
        gate = await asyncio.to_thread(bind, address.host, address.port)
    except OSError as error:
        raise _cannot_listen(address, error) from None
    server = aio.server(options=_OPTIONS, maximum_concurrent_rpcs=MAX_CALLS)
    for inner in _INNER:
        with suppress(RuntimeError):
            port = server.add_secure_port(
                f"[{inner}]:0" if ":" in inner else f"{inner}:0", certificate.credentials()
            )
            return Server(server, (inner, port), gate)
    await gate.close()
    await server.stop(None)
    raise PortTaken(
        "This machine has no loopback interface, which bcnet needs.", hint="Switch it on: ip link set lo up."
    )


class _Table(table_pb2_grpc.TableServicer):
    """The service of proto/bcnet/wire/v1/table.proto."""

    def __init__(self, gate: Gate, admission: Admission, spectators: Spectators | None) -> None:
        self._gate = gate
        self._admission = admission
        self._spectators = spectators

    async def Play(self, request_iterator: object, context: Any) -> None:  # noqa: ARG002, N802 (generated name)
        """One guest, from its hello to its goodbye."""
        await self._admission.meet(Line(context), self._caller(context))

    async def Watch(self, request_iterator: object, context: Any) -> None:  # noqa: ARG002, N802 (generated name)
        """One onlooker, from its hello to its goodbye."""
        if self._spectators is None:
            await context.write(pb.Frame(goodbye=pb.Goodbye(reason=pb.REASON_NO_WATCHERS)))
            return
        await self._spectators.meet(Line(context), self._caller(context))

    def _caller(self, context: Any) -> Caller:
        port = context.peer().rpartition(":")[2]
        return self._gate.caller(int(port) if port.isdecimal() else 0)


def _cannot_listen(address: Address, error: OSError) -> PortTaken:
    """Why an address could not be bound, and what to do."""
    host = address.host or "::"
    if isinstance(error, socket.gaierror):
        return PortTaken(
            "This machine has no address {host}.",
            hint="Give an address of this machine with --listen, or leave --listen out to use all of them.",
            host=host,
        )
    if error.errno == errno.EADDRINUSE:
        return PortTaken(
            "Port {port} is in use: another program, perhaps another bcnet host, listens there.",
            hint="Choose another port, as in --listen :{other}, or --listen :0 for any free one.",
            port=address.port,
            other=address.port + 1 if address.port < 65535 else 4680,
        )
    if error.errno in {errno.EACCES, errno.EPERM}:
        return PortTaken(
            "This account may not listen at port {port}.",
            hint="Choose a port from 1024 up, as in --listen :4680.",
            port=address.port,
        )
    return PortTaken(
        "{address} cannot be listened at: {why}.",
        hint="Give an address of this machine with --listen, or leave --listen out to use all of them.",
        address=written(host, address.port),
        why=(error.strerror or str(error)).lower(),
    )
