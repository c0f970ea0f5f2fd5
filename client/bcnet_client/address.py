"""Addresses as people write them: ``192.168.1.5``, ``ann.local:4681``, ``::1``, ``[fe80::1%eth0]:4680``.

Reads and writes them; asks neither the network nor a name server.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv6Address

from bcnet.errors import Phrase, UsageError

DEFAULT_PORT = 4680
MAX_PORT = 65535

_NAME = re.compile(r"[^\s\[\]:/@%'\"\\]{1,253}")
_ZONE = re.compile(r"[^\s\[\]:/%'\"\\]{1,64}")
_PORT = re.compile(r"[0-9]{1,5}", re.ASCII)


class BadAddress(UsageError):
    """A text that is no address."""


@dataclass(frozen=True, slots=True)
class Address:
    """A host (a name, an IPv4 address, or an IPv6 address, then without brackets) and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        return written(self.host, self.port)


def written(host: str, port: int) -> str:
    """An address as a person can type it: without the port where it is the default one."""
    if port == DEFAULT_PORT:
        return host
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def parse_address(text: str, *, listening: bool = False) -> Address:
    """Read ``HOST``, ``HOST:PORT``, an IPv6 address, or one in brackets with or without a port.

    ``listening`` also allows an empty host (every address of this machine) and port 0 (any free port). Raises
    `BadAddress`.
    """
    text = text.strip()
    host, port = _split(text)
    if not host and not listening:
        raise _bad(text, Phrase("it names no host"))
    if host and ":" in host:
        digits, percent, zone = host.partition("%")
        try:
            IPv6Address(digits)
        except AddressValueError:
            raise _bad(text, Phrase("an IPv6 address would have other parts")) from None
        if percent and not _ZONE.fullmatch(zone):
            raise _bad(text, Phrase("what follows % is no interface"))
    elif host and not _NAME.fullmatch(host):
        raise _bad(text, Phrase("a host has no such characters"))
    if port is None:
        return Address(host, DEFAULT_PORT)
    number = int(port) if _PORT.fullmatch(port) else -1
    if not (0 if listening else 1) <= number <= MAX_PORT:
        raise _bad(text, Phrase("a port is a number from 1 to {most}", most=MAX_PORT))
    return Address(host, number)


def _split(text: str) -> tuple[str, str | None]:
    if text.startswith("["):
        host, bracket, rest = text[1:].partition("]")
        if not bracket or (rest and not rest.startswith(":")) or ":" not in host:
            raise _bad(text, Phrase("the brackets do not hold an IPv6 address"))
        return host, rest[1:] if rest else None
    if text.count(":") > 1:
        return text, None
    host, colon, port = text.partition(":")
    return host, port if colon else None


def _bad(text: str, why: str) -> BadAddress:
    return BadAddress(
        "{text} is no address: {why}.",
        hint="Write HOST or HOST:PORT, as in 192.168.1.5, ann.local:4681 or [fd00::7]:4681.",
        text=repr(text),
        why=why,
    )
