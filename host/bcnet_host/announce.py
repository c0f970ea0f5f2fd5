"""Telling the local network that there is a table: by multicast DNS, on every interface, until the seat is taken.

What is told is public: the host's display name, the fingerprint of its key, the port and the version
(`bcnet_client.discovery` has the form). Where multicast does not work nobody hears it, and nothing else changes: the
game never waits for this, nor fails by it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from ipaddress import ip_address
from secrets import token_hex
from typing import Self

import zeroconf
from zeroconf.asyncio import AsyncZeroconf

from bcnet_client.discovery import (
    MAX_ADDRESSES,
    RESCAN,
    SERVICE,
    Interfaces,
    Notice,
    Trouble,
    close_multicast,
    open_multicast,
)
from bcnet_host import addresses

TIME_TO_LIVE = 60
"""Seconds for which others believe what they have heard: a host that was killed leaves their lists after that."""


def reachable_hosts() -> list[str]:
    """The addresses of this machine that others might reach, the likely one first; loopback if there are no others."""
    found = [each.host for each in addresses.of_this_machine()]
    return [host for host in found if not ip_address(host).is_loopback] or found


class Announcement:
    """A table's notice on the local network, while it is open: ``async with Announcement(…)``."""

    def __init__(
        self,
        notice: Notice,
        port: int,
        hosts: Callable[[], Iterable[str]] = reachable_hosts,
        *,
        interfaces: Interfaces = zeroconf.InterfaceChoice.All,
    ) -> None:
        """``hosts`` gives the addresses to announce, as of now: it is asked again from time to time."""
        self.trouble = ""
        """Why nobody hears of the table, for a person who asks; empty if all is well."""
        self._notice = notice
        self._port = port
        self._hosts = hosts
        self._interfaces = interfaces
        self._label = token_hex(4)
        self._said: zeroconf.ServiceInfo | None = None
        self._telling: asyncio.Future[None] | None = None
        """What is being sent just now: an announcement is repeated for some seconds."""
        self._zeroconf: AsyncZeroconf | None = None
        self._running: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._running = asyncio.create_task(self._run())
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Take the notice back. Takes half a second, in which the goodbyes are said."""
        for task in (self._running, self._telling):  # or a repetition would come after the goodbye
            if task:
                task.cancel()
                with suppress(asyncio.CancelledError, *Trouble):
                    await task
        if self._zeroconf:
            await close_multicast(self._zeroconf)
        self._running = self._telling = self._zeroconf = self._said = None

    async def _run(self) -> None:
        while True:
            try:
                await self._say()
                self.trouble = ""
            except Trouble as error:
                self.trouble = str(error)
            await asyncio.sleep(RESCAN)

    async def _say(self) -> None:
        if self._zeroconf is None:
            self._zeroconf = open_multicast(self._interfaces)
        else:
            await self._zeroconf.async_update_interfaces()
        info = self._info()
        if self._said is None:
            self._telling = asyncio.ensure_future(await self._zeroconf.async_register_service(info))
        elif info.parsed_addresses() != self._said.parsed_addresses():
            self._telling = asyncio.ensure_future(await self._zeroconf.async_update_service(info))
        self._said = info

    def _info(self) -> zeroconf.ServiceInfo:
        hosts = [host.partition("%")[0] for host in self._hosts()]
        return zeroconf.ServiceInfo(
            SERVICE,
            f"table-{self._label}.{SERVICE}",
            self._port,
            properties=self._notice.properties(),
            server=f"bcnet-{self._label}.local.",
            parsed_addresses=hosts[:MAX_ADDRESSES],
            host_ttl=TIME_TO_LIVE,
            other_ttl=TIME_TO_LIVE,
        )
