"""Tables on the local network: what a host says about its table by multicast DNS, and a live list of all that do.

A table is a service of the type ``_bcnet._tcp`` (RFC 6762, RFC 6763). Its SRV record has the port; its TXT record::

    txtvers=1     the form of this record
    proto=1       the version of the protocol
    name=Anna     the display name, UTF-8
    key=k5ma-…    the fingerprint of the host's identity key

Anybody on the network can say anything here. So nothing of it is believed: names are cleaned, everything is bounded,
records that make no sense are passed over, and whoever joins a table of the list insists on the fingerprint that the
list showed. Where there is no multicast (most VPNs) the list stays empty and nothing else happens.

This module knows neither players nor screens. `bcnet_host.announce` is the other half.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_interface,
    ip_network,
)
from typing import Self

import ifaddr
import zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from bcnet.hashing import PROTOCOL_VERSION
from bcnet.names import clean_name
from bcnet_client.address import Address

SERVICE = "_bcnet._tcp.local."
MAX_TABLES = 64
"""Tables that are listed."""
MAX_SEEN = 256
"""Services whose records are looked at; what comes after them is passed over until some go."""
MAX_ADDRESSES = 8
"""Addresses of one table; the likelier ones are kept."""
LOOKUPS = 8
"""Services that are asked for their records at the same time."""
LOOKUP_TIME = 3.0
"""Seconds for one to answer."""
RESCAN = 10.0
"""Seconds after which interfaces (a VPN may have come up) and listed tables are looked at again."""

_TXT_VERSION = b"1"
_FINGERPRINT = re.compile(r"[a-z2-7]{4}(?:-[a-z2-7]{4}){3}")
_NUMBER = re.compile(rb"[1-9][0-9]{0,8}")

Interfaces = zeroconf.InterfaceChoice | Sequence[str]
"""All interfaces of this machine, or those with these addresses."""

Trouble = (zeroconf.Error, OSError, RuntimeError)
"""What the library raises where multicast does not work."""


# --- what a table says about itself ---


@dataclass(frozen=True, slots=True)
class Notice:
    """What the TXT record says."""

    name: str
    """Cleaned, fit for a screen."""
    fingerprint: str
    """The host's, as `bcnet.signing.fingerprint` writes it. Not proven."""
    protocol: int = PROTOCOL_VERSION

    def properties(self) -> dict[str, bytes]:
        """The TXT record."""
        return {
            "txtvers": _TXT_VERSION,
            "proto": b"%d" % self.protocol,
            "name": self.name.encode(),
            "key": self.fingerprint.encode("ascii"),
        }


def read_notice(properties: Mapping[bytes, bytes | None]) -> Notice | None:
    """The notice in a TXT record; None if it makes no sense. Never raises."""
    proto, key, name = (properties.get(field) or b"" for field in (b"proto", b"key", b"name"))
    fingerprint = key.decode("ascii", "replace")
    if (
        properties.get(b"txtvers") != _TXT_VERSION
        or not _NUMBER.fullmatch(proto)
        or not _FINGERPRINT.fullmatch(fingerprint)
    ):
        return None
    return Notice(clean_name(name.decode(errors="replace")), fingerprint, int(proto))


# --- what is found ---


@dataclass(frozen=True, slots=True)
class Found:
    """A table on the network."""

    notice: Notice
    addresses: tuple[Address, ...]
    """Where it says to be, the likeliest first; at least one."""
    service: str
    """The name of the service, unique in the network; as it came, not fit for a screen."""


def in_order(hosts: Iterable[str], networks: Sequence[IPv4Network | IPv6Network]) -> list[str]:
    """Usable addresses (zones and all), the likeliest first: in a network of ours, IPv4, not link-local."""
    usable: dict[str, tuple[bool, bool, bool, bool]] = {}
    for host in hosts:
        try:
            address = ip_address(host)
        except ValueError:
            continue
        if address.is_multicast or address.is_unspecified or (address.is_reserved and address.version == 4):
            continue
        if isinstance(address, IPv6Address) and address.is_link_local and not address.scope_id:
            continue  # nobody knows which way that is
        usable[host] = (
            address.is_loopback,
            address.is_link_local,
            not any(_is_in(address, network) for network in networks),
            address.version == 6,
        )
    return sorted(usable, key=lambda host: usable[host])[:MAX_ADDRESSES]


def _is_in(address: IPv4Address | IPv6Address, network: IPv4Network | IPv6Network) -> bool:
    return address.version == network.version and address in network


def own_networks() -> list[IPv4Network | IPv6Network]:
    """The networks that this machine is in."""
    found: list[IPv4Network | IPv6Network] = []
    for adapter in ifaddr.get_adapters():
        for ip in adapter.ips:
            host = ip.ip if isinstance(ip.ip, str) else ip.ip[0].partition("%")[0]
            with suppress(ValueError):
                network = ip_interface(f"{host}/{ip.network_prefix}").network
                found.append(ip_network(network))
    return found


class Browser:
    """The list of tables on the local network, alive while it is open: ``async with Browser(…) as browser``."""

    def __init__(
        self,
        on_change: Callable[[tuple[Found, ...]], None] = lambda _: None,
        *,
        interfaces: Interfaces = zeroconf.InterfaceChoice.All,
    ) -> None:
        """``on_change`` is called, in the event loop, with the list whenever that has changed."""
        self.tables: tuple[Found, ...] = ()
        """By name."""
        self.trouble = ""
        """Why nothing can be found here, for a person who asks; empty if all is well."""
        self.is_crowded = False
        """Whether there were more services than are looked at."""
        self._on_change = on_change
        self._interfaces = interfaces
        self._seen: dict[str, asyncio.Task[None] | None] = {}
        self._tables: set[str] = set()
        """Of those seen, the ones that have been a table."""
        self._found: dict[str, Found] = {}
        self._lookups = asyncio.Semaphore(LOOKUPS)
        self._zeroconf: AsyncZeroconf | None = None
        self._browser: AsyncServiceBrowser | None = None
        self._running: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._running = asyncio.create_task(self._run())
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Stop looking. The list stays as it was last."""
        tasks = [task for task in (self._running, *self._seen.values()) if task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._browser:
            await self._browser.async_cancel()
        if self._zeroconf:
            await close_multicast(self._zeroconf)
        self._running = self._browser = self._zeroconf = None

    async def _run(self) -> None:
        while True:
            try:
                if self._zeroconf is None:
                    self._zeroconf = open_multicast(self._interfaces)
                    listener = _Listener(self._heard, self._gone)
                    self._browser = AsyncServiceBrowser(self._zeroconf.zeroconf, SERVICE, listener=listener)
                else:
                    await self._zeroconf.async_update_interfaces()
                for name in self._tables:  # a host that was killed says no goodbye, but stops answering
                    self._heard(name)
                self.trouble = ""
            except Trouble as error:
                self.trouble = str(error)
            await asyncio.sleep(RESCAN)

    def _heard(self, name: str) -> None:
        """A service has come, or has something new to say."""
        if name not in self._seen and len(self._seen) >= MAX_SEEN:
            self.is_crowded = True
            return
        if (before := self._seen.get(name)) and not before.done():
            return  # its records are being asked for just now
        self._seen[name] = asyncio.create_task(self._look(name))

    def _gone(self, name: str) -> None:
        if task := self._seen.pop(name, None):
            task.cancel()
        self._tables.discard(name)
        self._list(name, None)

    async def _look(self, name: str) -> None:
        async with self._lookups:
            found = None
            with suppress(*Trouble):
                found = await self._ask(name)
        if name in self._seen:
            self._seen[name] = None
            self._list(name, found)

    async def _ask(self, name: str) -> Found | None:
        if self._zeroconf is None:
            return None
        info = AsyncServiceInfo(SERVICE, name)
        if not await info.async_request(self._zeroconf.zeroconf, LOOKUP_TIME * 1000):
            return None
        notice = read_notice(info.properties)
        hosts = in_order(info.parsed_scoped_addresses(), own_networks())
        if notice is None or not hosts or not info.port or not 0 < info.port < 1 << 16:
            return None
        return Found(notice, tuple(Address(host, info.port) for host in hosts), name)

    def _list(self, name: str, found: Found | None) -> None:
        if found is None:
            self._found.pop(name, None)
        else:
            self._tables.add(name)
            self._found[name] = found
        by_name = sorted(self._found.values(), key=lambda each: (each.notice.name.casefold(), each.service))
        tables = tuple(by_name[:MAX_TABLES])
        if tables != self.tables:
            self.tables = tables
            self._on_change(tables)


class _Listener(zeroconf.ServiceListener):
    """What the library calls."""

    def __init__(self, heard: Callable[[str], None], gone: Callable[[str], None]) -> None:
        self._heard = heard
        self._gone = gone

    def add_service(self, zc: zeroconf.Zeroconf, type_: str, name: str) -> None:  # noqa: ARG002
        self._heard(name)

    def update_service(self, zc: zeroconf.Zeroconf, type_: str, name: str) -> None:  # noqa: ARG002
        self._heard(name)

    def remove_service(self, zc: zeroconf.Zeroconf, type_: str, name: str) -> None:  # noqa: ARG002
        self._gone(name)


# --- multicast ---


def open_multicast(interfaces: Interfaces) -> AsyncZeroconf:
    """Multicast DNS on these interfaces, by both versions of IP where they are. Raises `Trouble`."""
    choice = interfaces if isinstance(interfaces, zeroconf.InterfaceChoice) else list(interfaces)
    versions = (zeroconf.IPVersion.All, zeroconf.IPVersion.V4Only, zeroconf.IPVersion.V6Only)
    if not isinstance(choice, zeroconf.InterfaceChoice):
        return AsyncZeroconf(interfaces=choice)  # the addresses say which version
    for version in versions[:-1]:
        with suppress(*Trouble):
            return AsyncZeroconf(interfaces=choice, ip_version=version)
    return AsyncZeroconf(interfaces=choice, ip_version=versions[-1])


async def close_multicast(multicast: AsyncZeroconf) -> None:
    """Say goodbye, if there is something to take back, and close the sockets."""
    with suppress(*Trouble):
        await multicast.async_close()
