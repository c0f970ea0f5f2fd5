"""The one way in which bcnet hashes: SHA-256 over a domain tag and parts, each with its length in front.

``H(tag, p1, ..., pk)`` is SHA-256 over ``len(tag) || tag || len(p1) || p1 || ...``, lengths as 4 bytes big-endian.
So no two different lists of parts ever give the same input, and no hash made for one purpose serves for another.
Tags read ``bcnet/1/purpose``, where 1 is the protocol version. docs/protocol.md lists them all.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256

PROTOCOL_VERSION = 1
HASH_SIZE = 32
_PREFIX = f"bcnet/{PROTOCOL_VERSION}/"


def tagged_hash(purpose: str, *parts: bytes) -> bytes:
    """Hash ``parts`` under the domain tag of ``purpose``; 32 bytes."""
    return sha256(tagged_bytes(purpose, *parts)).digest()


def tagged_bytes(purpose: str, *parts: bytes) -> bytes:
    """The unambiguous byte string that is hashed or signed for ``purpose``."""
    pieces = [_tag(purpose)]
    for part in parts:
        pieces += (len(part).to_bytes(4, "big"), part)
    return b"".join(pieces)


@cache
def _tag(purpose: str) -> bytes:
    """The domain tag with its length. Remembered: there are few purposes, and no hash is without one."""
    tag = (_PREFIX + purpose).encode("ascii")
    return u32(len(tag)) + tag


def u32(number: int) -> bytes:
    """A number below 2**32 as 4 bytes, big-endian: how rounds, seats, epochs and indices enter a hash."""
    return number.to_bytes(4, "big")
