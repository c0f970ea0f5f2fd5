"""The group: NIST P-256 (FIPS 186-5, SEC 2), points known by their x-coordinate alone.

Multiplying by a scalar is all that happens to a point: ``mask(k, x) = x(k * P)`` with P either point of that
x; the sign of P does not matter, because x(-Q) = x(Q). The order is prime and there is no cofactor, so a
scalar in 1..n-1 takes every point to a point and its inverse takes it back. Arithmetic on secrets is
OpenSSL's ECDH, through ``cryptography``; this module adds canonical encodings and uses all cores (ECDH
releases the interpreter's lock).

It must not know what a point stands for.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Final, TypeVar

from cryptography.hazmat.primitives.asymmetric import ec

from bcnet.fairness.errors import Flaw, Invalid, check_size
from bcnet.hashing import tagged_hash, u32

POINT_SIZE: Final = 32
SCALAR_SIZE: Final = 32
FIELD: Final = 0xFFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF
"""p: coordinates are whole numbers below it."""
ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""n: the number of points, infinity included; scalars are 1..n-1."""
CURVE_A: Final = FIELD - 3
CURVE_B: Final = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B

_FIELD_BYTES: Final = FIELD.to_bytes(POINT_SIZE, "big")
_CURVE: Final = ec.SECP256R1()
_ECDH: Final = ec.ECDH()
_EVEN: Final = b"\x02"  # SEC 1, 2.3.3: compressed, even y; which of the two points is meant plays no part

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


class Point:
    """A point other than infinity, without its sign: 32 bytes of x, big-endian, below p.

    Equal and hashed by these bytes. The decoded form that OpenSSL needs is made once and kept.
    """

    __slots__ = ("_handle", "x")

    def __init__(self, x: bytes) -> None:
        """For points that were computed here. What another seat sent goes through `decode`."""
        self.x: Final = x
        self._handle: ec.EllipticCurvePublicKey | None = None

    @classmethod
    def decode(cls, x: bytes) -> Point:
        """Check 32 bytes that came from elsewhere: canonical and on the curve. Raises `Invalid`."""
        point = cls.claimed(x)
        point.check()
        return point

    @classmethod
    def claimed(cls, x: bytes) -> Point:
        """Check that 32 bytes are canonical, and leave it to `check` whether they are a point. Raises `Invalid`."""
        check_coordinate(x)
        return cls(x)

    def check(self) -> None:
        """Check that this is a point of the curve. Raises `Invalid`."""
        _ = self.handle

    @property
    def handle(self) -> ec.EllipticCurvePublicKey:
        """The point as ``cryptography`` wants it. Raises `Invalid` for what was only `claimed` and is none."""
        if self._handle is None:
            try:
                self._handle = ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, _EVEN + self.x)
            except ValueError:
                raise Invalid(Flaw.POINT_OFF_CURVE, "a point is not on the curve") from None
        return self._handle

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Point) and self.x == other.x

    def __hash__(self) -> int:
        return hash(self.x)

    def __repr__(self) -> str:
        return f"Point({self.x.hex()})"


GENERATOR: Final = Point(bytes.fromhex("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"))
"""G, the base point of SEC 2."""


class Multiplier:
    """A secret scalar in 1..n-1, ready to multiply many points. Raises ValueError for any other scalar."""

    __slots__ = ("_key", "scalar")

    def __init__(self, scalar: int) -> None:
        if not 0 < scalar < ORDER:
            raise ValueError("a scalar lies in 1..n-1")
        self.scalar: Final = scalar
        self._key = ec.derive_private_key(scalar, _CURVE)

    def mask(self, point: Point) -> Point:
        """x(scalar * point)."""
        if point.x == GENERATOR.x:  # OpenSSL has computed this one already
            return Point(self._key.public_key().public_numbers().x.to_bytes(POINT_SIZE, "big"))
        return Point(self._key.exchange(_ECDH, point.handle))

    def mask_all(self, points: Sequence[Point]) -> list[Point]:
        """All points masked, in order."""
        return on_all_cores(self.mask, points)

    def __repr__(self) -> str:
        return "Multiplier(...)"


def check_coordinate(x: bytes) -> None:
    """Check that ``x`` is the canonical form of a field element: 32 bytes, below p. Raises `Invalid`."""
    check_size("a point", x, POINT_SIZE)
    if x >= _FIELD_BYTES:
        raise Invalid(Flaw.POINT_NON_CANONICAL, "a point is not in its canonical form")


def decode_scalar(data: bytes) -> int:
    """The scalar in 1..n-1 that another seat sent as 32 bytes, big-endian. Raises `Invalid`."""
    check_size("a scalar", data, SCALAR_SIZE)
    scalar = int.from_bytes(data, "big")
    if not 0 < scalar < ORDER:
        raise Invalid(Flaw.SCALAR_OUT_OF_RANGE, "a scalar is zero or not below the order of the curve")
    return scalar


def encode_scalar(scalar: int) -> bytes:
    """32 bytes, big-endian."""
    return scalar.to_bytes(SCALAR_SIZE, "big")


def scalar_from_number(number: int) -> int:
    """A scalar in 1..n-1 from a uniform number of 384 bits (48 bytes): ``number mod (n - 1) + 1``.

    384 bits leave a bias below 2**-128.
    """
    return number % (ORDER - 1) + 1


def inverse(scalar: int) -> int:
    """The scalar that undoes ``scalar``."""
    return pow(scalar, -1, ORDER)


@cache
def card_points(game: str, deck: str, count: int) -> tuple[Point, ...]:
    """The points that stand for cards 0 .. count-1 of a deck, all different.

    Card i is the first of ``H("card", game, deck, i, counter)``, counter = 0, 1, ... (both numbers 4 bytes),
    that is the x-coordinate of a point. So nobody knows how two of them are related. docs/protocol.md,
    section "Cards".
    """
    return tuple(_card_point(game, deck, card) for card in range(count))


def _card_point(game: str, deck: str, card: int) -> Point:
    counter = 0
    while True:
        candidate = tagged_hash("card", game.encode(), deck.encode(), u32(card), u32(counter))
        try:
            return Point.decode(candidate)
        except Invalid:
            counter += 1


# --- all cores ---


def on_all_cores(function: Callable[[_Item], _Result], items: Iterable[_Item]) -> list[_Result]:
    """``[function(item) for item in items]``, spread over the cores where that pays; for work done by OpenSSL."""
    listed = list(items)
    is_worker = getattr(_worker, "busy", False)  # one that waits for workers hangs
    if _CORES < 2 or len(listed) < _FEW or is_worker:
        return [function(item) for item in listed]
    shares = min(len(listed), 4 * _CORES)
    size = -(-len(listed) // shares)
    pieces = [listed[start : start + size] for start in range(0, len(listed), size)]

    def run(piece: list[_Item]) -> list[_Result]:
        _worker.busy = True
        return [function(item) for item in piece]

    return [result for results in _pool().map(run, pieces) for result in results]


def on_this_core() -> None:
    """From now on this thread spreads no work: its process is one of several that keep all cores busy."""
    _worker.busy = True


_FEW: Final = 8
"""Multiplications of a point that take no longer than sending them to other threads."""
_CORES: Final = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
_worker = threading.local()


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_CORES, thread_name_prefix="bcnet-mask")


if hasattr(os, "register_at_fork"):  # the child of a fork has the pool but none of its threads
    os.register_at_fork(after_in_child=_pool.cache_clear)
