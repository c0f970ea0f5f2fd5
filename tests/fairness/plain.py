"""Another implementation of what bcnet.fairness computes, slow and straight, to compare with.

Points of short Weierstrass curves y**2 = x**3 + a*x + b over small or large prime fields, by the formulas of
any textbook; and the hash with its prefixes spelled out. Shares no code with bcnet."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

Affine = tuple[int, int] | None
"""A point; None is infinity."""


@dataclass(frozen=True)
class Curve:
    p: int
    a: int
    b: int

    def negated(self, point: Affine) -> Affine:
        return None if point is None else (point[0], -point[1] % self.p)

    def added(self, one: Affine, other: Affine) -> Affine:
        if one is None:
            return other
        if other is None:
            return one
        (x1, y1), (x2, y2) = one, other
        if x1 == x2 and (y1 + y2) % self.p == 0:
            return None
        if one == other:
            slope = (3 * x1 * x1 + self.a) * pow(2 * y1, -1, self.p)
        else:
            slope = (y2 - y1) * pow(x2 - x1, -1, self.p)
        x3 = (slope * slope - x1 - x2) % self.p
        return x3, (slope * (x1 - x3) - y1) % self.p

    def times(self, scalar: int, point: Affine) -> Affine:
        result: Affine = None
        while scalar:
            if scalar & 1:
                result = self.added(result, point)
            point = self.added(point, point)
            scalar >>= 1
        return result

    def points(self) -> list[tuple[int, int]]:
        """All points but infinity; for small fields."""
        return [
            (x, y)
            for x in range(self.p)
            for y in range(self.p)
            if (y * y - x**3 - self.a * x - self.b) % self.p == 0
        ]


P256 = Curve(
    p=2**256 - 2**224 + 2**192 + 2**96 - 1,
    a=-3,
    b=int("5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b", 16),
)
P256_BASE = (
    int("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296", 16),
    int("4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5", 16),
)
P256_ORDER = int("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551", 16)


def lifted(x: int) -> tuple[int, int]:
    """A point of P-256 with this x-coordinate."""
    square = (x**3 - 3 * x + P256.b) % P256.p
    y = pow(square, (P256.p + 1) // 4, P256.p)
    assert y * y % P256.p == square, "no point has this x-coordinate"
    return x, y


def masked(scalar: int, x: bytes) -> bytes:
    """x(scalar * point of x) on P-256."""
    point = P256.times(scalar, lifted(int.from_bytes(x, "big")))
    assert point is not None
    return point[0].to_bytes(32, "big")


def plain_hash(purpose: str, *parts: bytes) -> bytes:
    """SHA-256 over tag and parts, each with its length in front."""
    data = b""
    for part in (b"bcnet/1/" + purpose.encode(), *parts):
        data += len(part).to_bytes(4, "big") + part
    return sha256(data).digest()
