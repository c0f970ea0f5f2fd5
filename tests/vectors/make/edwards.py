"""The curve of Ed25519 in plain numbers (RFC 8032), for keys and signatures that no library makes."""

from __future__ import annotations

from hashlib import sha512

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)

Point = tuple[int, int]
ZERO: Point = (0, 1)


def add(a: Point, b: Point) -> Point:
    (x1, y1), (x2, y2) = a, b
    product = D * x1 * x2 * y1 * y2
    return (
        (x1 * y2 + x2 * y1) * pow(1 + product, -1, P) % P,
        (y1 * y2 + x1 * x2) * pow(1 - product, -1, P) % P,
    )


def times(scalar: int, point: Point) -> Point:
    result = ZERO
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point = add(point, point)
        scalar >>= 1
    return result


def encode(point: Point) -> bytes:
    x, y = point
    return (y | (x & 1) << 255).to_bytes(32, "little")


def point_of(y: int, odd: int) -> Point:
    """The point with this y and the parity of x."""
    xx = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(xx, (P + 3) // 8, P)
    if x * x % P != xx:
        x = x * ROOT_OF_MINUS_ONE % P
    assert x * x % P == xx
    return (x if x & 1 == odd else P - x, y)


BASE = point_of(4 * pow(5, -1, P) % P, 0)


def torsion() -> list[Point]:
    """All eight points of small order, the identity first."""
    y = 2
    while True:
        try:
            generator = times(ORDER, point_of(y, 0))
        except AssertionError:
            y += 1
            continue
        points = [times(k, generator) for k in range(8)]
        if len(set(points)) == 8:
            return points
        y += 1


def challenge(r: bytes, key: bytes, message: bytes) -> int:
    return int.from_bytes(sha512(r + key + message).digest(), "little") % ORDER


def sign(secret: int, nonce: int, key: bytes, message: bytes) -> bytes:
    """A signature by the scalar ``secret`` that claims to be of ``key``."""
    r = encode(times(nonce, BASE))
    return r + ((nonce + challenge(r, key, message) * secret) % ORDER).to_bytes(32, "little")
