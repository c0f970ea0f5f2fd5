"""Finding out whether anybody listens at an address, in plain words if not.

gRPC tells a name that does not resolve, a refused connection and a silent network apart only in texts for
programmers. So the joiner first connects by itself, to every address that the host's name has, and hands the one that
answers to gRPC.
"""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Sequence
from contextlib import suppress

from bcnet.errors import NetworkError, Phrase
from bcnet_client.address import Address

CONNECT_TIME = 5.0
"""Seconds for the name and the connection together."""

STAGGER = 0.25
"""Seconds after which the next address is tried as well (RFC 8305 calls it the connection attempt delay)."""

Endpoint = tuple[int, tuple[str, int] | tuple[str, int, int, int]]
"""Address family and socket address."""


class Unreachable(NetworkError):
    """Nobody can be reached at an address; says why, as far as the network says it."""


async def reach(address: Address) -> Endpoint:
    """The first endpoint of ``address`` that takes a connection, which is closed at once. Raises `Unreachable`."""
    try:
        async with asyncio.timeout(CONNECT_TIME):
            return await _first_open(address, await _resolve(address))
    except TimeoutError:
        raise Unreachable(
            "{address} does not answer.",
            hint="Check the address, that both machines are in one network or VPN, and that no firewall on the "
            "host drops connections to port {port} (TCP).",
            address=str(address),
            port=address.port,
        ) from None


def target(endpoint: Endpoint) -> str:
    """An endpoint as gRPC writes it."""
    family, place = endpoint
    if family != socket.AF_INET6:
        return f"ipv4:{place[0]}:{place[1]}"
    host = place[0].partition("%")[0]
    zone = place[3] if len(place) == 4 else 0
    return f"ipv6:[{host}%25{zone}]:{place[1]}" if zone else f"ipv6:[{host}]:{place[1]}"


async def _resolve(address: Address) -> list[Endpoint]:
    host, _, zone = address.host.partition("%")
    if zone and zone not in {name for _, name in socket.if_nameindex()} and not zone.isdecimal():
        raise Unreachable(
            "This machine has no network interface {zone}.",
            hint="In {host}%ZONE, ZONE is the interface of this machine that leads to the other: {names}.",
            zone=zone,
            host=host,
            names=", ".join(name for _, name in socket.if_nameindex()),
        )
    try:
        found = await asyncio.get_running_loop().getaddrinfo(
            address.host, address.port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP
        )
    except (socket.gaierror, UnicodeError):
        raise Unreachable(
            "There is no machine by the name of {host}.",
            hint="Check the spelling, or use the address in numbers that the host's program shows.",
            host=address.host,
        ) from None
    endpoints: list[Endpoint] = [(int(family), place) for family, _, _, _, place in found]  # type: ignore[misc]
    return list(dict.fromkeys(endpoints))


async def _first_open(address: Address, endpoints: Sequence[Endpoint]) -> Endpoint:
    """Try them one after the other, the next when the last has failed or keeps us waiting."""
    waiting = list(endpoints)
    trying: dict[asyncio.Task[None], Endpoint] = {}
    errors: list[OSError] = []
    try:
        while waiting or trying:
            if waiting:
                endpoint = waiting.pop(0)
                trying[asyncio.create_task(_connect(endpoint))] = endpoint
            done, _ = await asyncio.wait(
                trying, timeout=STAGGER if waiting else None, return_when=asyncio.FIRST_COMPLETED
            )
            for task in done:
                endpoint = trying.pop(task)
                error = task.exception()
                if error is None:
                    return endpoint
                if not isinstance(error, OSError):
                    raise error
                errors.append(error)
    finally:
        for task in trying:
            task.cancel()
    raise _explained(address, errors)


async def _connect(endpoint: Endpoint) -> None:
    family, place = endpoint
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setblocking(False)
        await asyncio.get_running_loop().sock_connect(probe, place)
        with suppress(OSError):
            probe.shutdown(socket.SHUT_RDWR)


def _explained(address: Address, errors: Sequence[OSError]) -> Unreachable:
    codes = [error.errno for error in errors]
    if errno.ECONNREFUSED in codes:
        return Unreachable(
            "{address} refuses the connection: no table is open at port {port} there.",
            hint="Ask whether `bcnet host` is still running, and for the line that it shows. If it is, a firewall "
            "on the host may refuse port {port} (TCP).",
            address=str(address),
            port=address.port,
        )
    if errno.EINVAL in codes and address.host.lower().startswith("fe80:"):
        return Unreachable(
            "{host} is a link-local address: it needs the interface that leads there.",
            hint="Write {host}%ZONE, where ZONE is an interface of this machine: {names}.",
            host=address.host,
            names=", ".join(name for _, name in socket.if_nameindex()),
        )
    if {errno.EACCES, errno.EPERM} & set(codes):
        return Unreachable(
            "This machine does not allow connections to {address}.",
            hint="Its firewall forbids it; allow port {port} (TCP).",
            address=str(address),
            port=address.port,
        )
    last = errors[-1] if errors else None
    return Unreachable(
        "{address} cannot be reached: {why}.",
        hint="Check the address, and that both machines are in one network or VPN. A firewall may be in the way.",
        address=str(address),
        why=(last.strerror or str(last)).lower() if last else Phrase("it has no address"),
    )
