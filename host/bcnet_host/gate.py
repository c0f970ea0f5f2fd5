"""The gate before gRPC: takes connections, counts them by where they come from, and passes their bytes on.

gRPC has no limits by address. So the port that others reach belongs to this gate, and gRPC listens behind it, on the
loopback interface. The gate sees nothing of what is said: TLS goes through it. A connection is *admitted* once whoever
is behind it may play or watch; until then it can be made to give way. Who comes too often is cut off at once, and
that costs next to nothing.

Rules, in this order: at most `RATE` connections a second from one address after a burst, at most `OF_ONE` of an
address that are not admitted, at most `MOST` in all, of which the address with most gives up its oldest. So whoever
floods displaces only himself, and from elsewhere a friend gets through.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import socket
import struct
from collections import Counter, OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv6Address, IPv6Network, ip_address

MOST = 96
"""Connections at once that are not admitted."""
OF_ONE = 24
"""The same from one address; a whole family behind one router gets by with that."""
RATE, BURST = 20.0, 100
"""Connections a second from one address, and how many may come at once before that counts."""
MAX_ADDRESSES = 1024
"""Addresses of which is remembered how often they came; who has been quiet for longest is forgotten first."""
PATIENCE = 120.0
"""Seconds in which a connection has to be admitted: longer than a hello and the host's yes together."""
BUFFER = 16 << 10
"""Bytes that wait for one side of a connection, twice that at most."""
LINGER = 1.0
"""Seconds in which the last words have to be taken."""
BACKLOG = 128

_log = logging.getLogger(__name__)


def origin(host: str) -> str:
    """Where an address counts as being: itself, or for IPv6 the network of its first 64 bits."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(address) if address.is_loopback else str(IPv6Network((int(address) >> 64 << 64, 64)))
    return str(address)


@dataclass(frozen=True, slots=True)
class Caller:
    """Whoever is behind a connection."""

    origin: str
    """Where it comes from, for counting."""
    admit: Callable[[], None] = lambda: None
    """Called when it may play or watch: from then on it gives way to nobody."""


class Rates:
    """How often each address comes: a token bucket each. ``now`` is a clock in seconds that never goes back."""

    def __init__(self) -> None:
        self._spent: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allow(self, place: str, now: float) -> bool:
        """Whether one more may come from there; it is counted if so."""
        spent, then = self._spent.pop(place, (0.0, now))
        spent = max(0.0, spent - (now - then) * RATE)
        is_allowed = spent <= BURST - 1
        self._spent[place] = (spent + 1 if is_allowed else spent, now)
        if len(self._spent) > MAX_ADDRESSES:
            self._spent.popitem(last=False)
        return is_allowed

    def __len__(self) -> int:
        return len(self._spent)


@dataclass(eq=False)
class _Passage:
    """One connection through the gate."""

    origin: str
    task: asyncio.Task[None] | None = None
    is_admitted: bool = False
    inner_port: int = 0

    def admit(self) -> None:
        self.is_admitted = True


class Gate:
    """Listens where others come, and leads to a port of this machine's own."""

    def __init__(self, listeners: list[socket.socket]) -> None:
        """Made by `bind`; takes over the sockets."""
        self._listeners = listeners
        self._rates = Rates()
        self._passages: dict[_Passage, None] = {}
        """Oldest first."""
        self._by_port: dict[int, _Passage] = {}
        """By the port under which gRPC sees them."""
        self._accepting: list[asyncio.Task[None]] = []
        self.turned_away = 0
        """Connections that were cut off or had to give way."""

    @property
    def port(self) -> int:
        """Where others come."""
        return int(self._listeners[0].getsockname()[1])

    def open(self, inner: tuple[str, int]) -> None:
        """Take connections from now on, and pass them on to ``inner``."""
        for listener in self._listeners:
            self._accepting.append(asyncio.create_task(self._accept(listener, inner)))

    async def close(self) -> None:
        """Take nobody any more; who is inside is given a moment for the last words."""
        for task in self._accepting:
            task.cancel()
        await asyncio.gather(*self._accepting, return_exceptions=True)
        for listener in self._listeners:
            listener.close()
        tasks = [passage.task for passage in self._passages if passage.task]
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=LINGER)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late)

    def caller(self, inner_port: int) -> Caller:
        """Who is behind the connection that gRPC sees coming from this port."""
        passage = self._by_port.get(inner_port)
        return Caller("this machine") if passage is None else Caller(passage.origin, passage.admit)

    # --- inside ---

    async def _accept(self, listener: socket.socket, inner: tuple[str, int]) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, place = await loop.sock_accept(listener)
            except OSError as error:
                if error.errno not in {errno.ECONNABORTED, errno.EPERM, errno.EPROTO}:
                    _log.warning("the gate takes nobody for a moment: %s", error)
                    await asyncio.sleep(0.1)  # no descriptors left, say
                continue
            self._take(connection, origin(str(place[0])), inner)

    def _take(self, connection: socket.socket, place: str, inner: tuple[str, int]) -> None:
        if not self._rates.allow(place, asyncio.get_running_loop().time()):
            self.turned_away += 1
            _cut(connection)
            return
        self._make_room(place)
        passage = _Passage(place)
        passage.task = asyncio.create_task(self._pass_on(passage, connection, inner))
        self._passages[passage] = None
        passage.task.add_done_callback(lambda _: self._gone(passage))

    def _gone(self, passage: _Passage) -> None:
        self._passages.pop(passage, None)
        self._by_port.pop(passage.inner_port, None)

    def _make_room(self, place: str) -> None:
        waiting = [each for each in self._passages if not each.is_admitted]
        of_one = [each for each in waiting if each.origin == place]
        if len(of_one) >= OF_ONE:
            self._displace(of_one[0])
        elif len(waiting) >= MOST:
            most, _ = Counter(each.origin for each in waiting).most_common(1)[0]
            self._displace(next(each for each in waiting if each.origin == most))

    def _displace(self, passage: _Passage) -> None:
        self.turned_away += 1
        del self._passages[passage]
        if passage.task:
            passage.task.cancel()

    async def _pass_on(self, passage: _Passage, connection: socket.socket, inner: tuple[str, int]) -> None:
        outside = inside = None
        try:
            outside = await _streams(connection)
            inside = await asyncio.open_connection(*inner, limit=BUFFER)
            inside[1].transport.set_write_buffer_limits(BUFFER)
            passage.inner_port = int(inside[1].get_extra_info("sockname")[1])
            self._by_port[passage.inner_port] = passage
            ways = [
                asyncio.create_task(_one_way(outside[0], inside[1])),
                asyncio.create_task(_one_way(inside[0], outside[1])),
            ]
            try:
                await self._until_over(passage, ways)
            finally:
                for way in ways:
                    way.cancel()
                await asyncio.gather(*ways, return_exceptions=True)
            # Either side has ended; what it said last is still taken by the other.
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout(LINGER):
                    for _, writer in (outside, inside):
                        writer.close()
                        await writer.wait_closed()
        except OSError:
            pass
        finally:
            for side in (outside, inside):
                if side is not None:
                    side[1].transport.abort()
            if outside is None:
                connection.close()

    async def _until_over(self, passage: _Passage, ways: list[asyncio.Task[None]]) -> None:
        await asyncio.wait(ways, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        if passage.is_admitted:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)


Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def _streams(connection: socket.socket) -> Streams:
    connection.setblocking(False)
    streams = await asyncio.open_connection(sock=connection, limit=BUFFER)
    streams[1].transport.set_write_buffer_limits(BUFFER)
    return streams


async def _one_way(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(BUFFER):
            writer.write(data)
            await writer.drain()


def _cut(connection: socket.socket) -> None:
    """End a connection at once, leaving nothing behind."""
    with suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def bind(host: str, port: int) -> Gate:
    """Bind ``host`` (empty: every address of this machine, IPv4 and IPv6) at ``port``, or any free one for 0.

    Raises ``OSError`` as it comes.
    """
    listeners: list[socket.socket] = []
    try:
        for family, place in _places(host, port):
            listener = socket.socket(family, socket.SOCK_STREAM)
            listeners.append(listener)
            listener.setblocking(False)
            if os.name == "posix":
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0 if host in {"", "::"} else 1)
            if port == 0 and len(listeners) > 1:
                place = (place[0], listeners[0].getsockname()[1], *place[2:])
            listener.bind(place)
            listener.listen(BACKLOG)
    except BaseException:
        for listener in listeners:
            listener.close()
        raise
    return Gate(listeners)


def _places(host: str, port: int) -> list[tuple[int, tuple[object, ...]]]:
    if host in {"", "::"}:
        if socket.has_ipv6 and _has_ipv6():
            return [(socket.AF_INET6, ("::", port))]
        return [(socket.AF_INET, ("0.0.0.0", port))]  # noqa: S104 (asked for)
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    return list(dict.fromkeys((int(family), place) for family, _, _, _, place in found))


def _has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True
