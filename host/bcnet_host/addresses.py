"""Which addresses of this machine another could reach, the likely one first.

A machine has many: LAN, VPN, containers, loopback. All are listed, for nobody knows which network the other is in;
what cannot be reached from elsewhere comes last and says so.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from ipaddress import IPv6Address, ip_address

import ifaddr

_VPN = re.compile(r"(tun|tap|wg|utun|ppp|tailscale|zt|nordlynx|ipsec|gpd|vpn)", re.IGNORECASE)
_VIRTUAL = re.compile(
    r"(docker|br-|veth|virbr|vmnet|vboxnet|vnet|lxc|lxd|cni|podman|flannel|cali|bridge|awdl|llw|anpi)",
    re.IGNORECASE,
)
_DOCUMENTATION = {4: ("192.0.2.1", 9), 6: ("2001:db8::1", 9)}
"""Addresses that no machine has; asked only by which way they would be reached, nothing is sent."""


class Kind(IntEnum):
    """What network an address is in, as far as the interface shows; the likeliest first."""

    LAN = 0
    VPN = 1
    VIRTUAL = 2
    LINK_LOCAL = 3
    LOOPBACK = 4


@dataclass(frozen=True, slots=True)
class Reachable:
    """An address of this machine, without brackets; a link-local one with the zone that it has here."""

    host: str
    interface: str
    kind: Kind


def of_this_machine() -> list[Reachable]:
    """All addresses, the likely one first."""
    found = []
    try:
        adapters = list(ifaddr.get_adapters())
    except OSError:  # a system that tells nothing
        return [Reachable(host, "", Kind.LAN) for version in (4, 6) if (host := _way_out(version))]
    for adapter in adapters:
        for ip in adapter.ips:
            host = str(ip.ip) if ip.is_IPv4 else str(ip.ip[0])
            zone = 0 if ip.is_IPv4 else int(ip.ip[2])
            found.append(_classified(host.partition("%")[0], zone, adapter.name))
    return in_order(found, [way for version in (4, 6) if (way := _way_out(version))])


def in_order(found: Iterable[Reachable], ways_out: Iterable[str]) -> list[Reachable]:
    """The likely one first: by network, then the address by which this machine goes out, then IPv4."""
    out = set(ways_out)
    return sorted(
        dict.fromkeys(found),
        key=lambda each: (each.kind, each.host not in out, ":" in each.host, each.interface, each.host),
    )


def _classified(host: str, zone: int, interface: str) -> Reachable:
    address = ip_address(host)
    if address.is_loopback:
        return Reachable(host, interface, Kind.LOOPBACK)
    if address.is_link_local:
        named = f"{host}%{interface}" if isinstance(address, IPv6Address) and zone else host
        return Reachable(named, interface, Kind.LINK_LOCAL)
    if _VIRTUAL.match(interface):
        return Reachable(host, interface, Kind.VIRTUAL)
    return Reachable(host, interface, Kind.VPN if _VPN.match(interface) else Kind.LAN)


def _way_out(version: int) -> str:
    """The address with which this machine would speak to one far away; empty if it has no such way."""
    family = socket.AF_INET if version == 4 else socket.AF_INET6
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect(_DOCUMENTATION[version])
            return str(probe.getsockname()[0])
    except OSError:
        return ""
