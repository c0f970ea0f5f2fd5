"""The host's gRPC server: binds the port, and lets strangers in as far as `bcnet_host.admission` does.

All limits that hold before anybody has said a word are set here, so that garbage, floods and half-open connections
end by themselves and fill nothing.
"""

from __future__ import annotations

import errno
import os
import socket
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Any
from urllib.parse import unquote

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
from bcnet_host.spectators import Spectators

GRACE = 1.0
"""Seconds that calls under way get when the server stops."""

MAX_STREAMS = 8
"""Streams on one connection."""
MAX_CALLS = 64
"""Calls at once on all connections."""
MAX_CONNECTIONS = 128

SERVICE = pb.DESCRIPTOR.services_by_name["Table"].full_name

_OPTIONS = (
    *OPTIONS,
    ("grpc.so_reuseport", 0),  # a second host on the port must fail, not share it
    ("grpc.max_concurrent_streams", MAX_STREAMS),
    ("grpc.max_allowed_incoming_connections", MAX_CONNECTIONS),
    ("grpc.server_handshake_timeout_ms", 10_000),  # whoever connects and says nothing
    ("grpc.max_connection_idle_ms", 30_000),  # whoever says something but calls nothing
    ("grpc.http2.bdp_probe", 0),  # else the window, and with it what a flood may fill, grows
    # The guest's keepalive pings are welcome in a long, quiet turn.
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
    ("grpc.http2.max_ping_strikes", 0),
)


class PortTaken(NetworkError):
    """The address cannot be listened at."""


class Server:
    """A bound port."""

    def __init__(self, server: aio.Server, port: int) -> None:
        """Made by `listen`."""
        self._server = server
        self.port = port

    async def start(self, admission: Admission | None, spectators: Spectators | None = None) -> None:
        """Take calls from now on; without a table, none but those after this program's health."""
        if admission is not None:
            table_pb2_grpc.add_TableServicer_to_server(_Table(admission, spectators), self._server)
        healthy = health.aio.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(healthy, self._server)
        await healthy.set("", health_pb2.HealthCheckResponse.SERVING)
        await healthy.set(SERVICE, health_pb2.HealthCheckResponse.SERVING)
        reflection.enable_server_reflection(
            [SERVICE, health.SERVICE_NAME, reflection.SERVICE_NAME], self._server
        )
        await self._server.start()

    async def stop(self) -> None:
        """End all calls, after a moment, and free the port."""
        await self._server.stop(GRACE)


async def listen(address: Address, certificate: HostCertificate) -> Server:
    """Bind ``address`` (an empty host: every address of this machine, IPv4 and IPv6). Raises `PortTaken`.

    There is no way to listen without TLS.
    """
    server = aio.server(options=_OPTIONS, maximum_concurrent_rpcs=MAX_CALLS)
    host = address.host or "::"
    try:
        port = server.add_secure_port(
            f"[{host}]:{address.port}" if ":" in host else f"{host}:{address.port}", certificate.credentials()
        )
    except RuntimeError:
        await server.stop(None)
        raise _cannot_listen(address) from None
    return Server(server, port)


def origin(peer: str) -> str:
    """Where a peer (as gRPC names it) comes from, for counting: its IPv4 address, or the first 64 bits of IPv6."""
    _, _, place = unquote(peer).partition(":")
    host = place.rpartition(":")[0].strip("[]").partition("%")[0]
    try:
        address = ip_address(host)
    except ValueError:
        return peer
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(IPv6Network((int(address) >> 64 << 64, 64)))
    return str(address)


class _Table(table_pb2_grpc.TableServicer):
    """The service of proto/bcnet/wire/v1/table.proto."""

    def __init__(self, admission: Admission, spectators: Spectators | None) -> None:
        self._admission = admission
        self._spectators = spectators

    async def Play(self, request_iterator: object, context: Any) -> None:  # noqa: ARG002, N802 (generated name)
        """One guest, from its hello to its goodbye."""
        await self._admission.meet(Line(context), origin(context.peer()))

    async def Watch(self, request_iterator: object, context: Any) -> None:  # noqa: ARG002, N802 (generated name)
        """One onlooker, from its hello to its goodbye."""
        if self._spectators is None:
            await context.write(pb.Frame(goodbye=pb.Goodbye(reason=pb.REASON_NO_WATCHERS)))
            return
        await self._spectators.meet(Line(context), origin(context.peer()))


def _cannot_listen(address: Address) -> PortTaken:
    """Why an address could not be bound: gRPC does not say, so it is tried once more by hand."""
    host = address.host or "::"
    error = OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))
    try:
        infos = socket.getaddrinfo(host, address.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, place = infos[0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
            probe.listen()
    except socket.gaierror:
        return PortTaken(
            "This machine has no address {host}.",
            hint="Give an address of this machine with --listen, or leave --listen out to use all of them.",
            host=host,
        )
    except OSError as found:
        error = found
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
