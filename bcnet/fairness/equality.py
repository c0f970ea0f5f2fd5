"""One multiplier for two pairs of points, proven without showing it. docs/protocol.md, section "Equality".

To show ``C = u * B`` and ``K' = u * K`` for one secret u: Chaum and Pedersen (1992), made non-interactive
(Fiat and Shamir), on x-coordinates. The prover takes r, publishes R1 = x(r * B), R2 = x(r * K) and s = r + c
* u mod n, with the challenge c hashed from the statement, R1 and R2. The verifier has points without signs,
so he checks ``s * B = +-R1 +- c * C`` and ``s * K = +-R2 +- c * K'`` through the third summation polynomial
(Semaev 2004). A false statement survives at most 8 of the n - 1 challenges; docs/fairness-arguments.md has
the argument, signs included.

This module does not know what is unmasked or opened; the purpose is a word in the statement.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bcnet.fairness.errors import Flaw, Invalid
from bcnet.fairness.group import (
    CURVE_A,
    CURVE_B,
    FIELD,
    ORDER,
    Multiplier,
    Point,
    check_coordinate,
    decode_scalar,
    encode_scalar,
    scalar_from_number,
)
from bcnet.hashing import tagged_bytes, tagged_hash, u32
from bcnet.secrets import Secrets

NO_FACE: Final = 2**32 - 1


class Purpose(StrEnum):
    """What a proof is for. Part of the statement: no proof serves for another purpose."""

    UNMASK = "unmask"
    OPEN = "open"
    REKEY = "rekey"
    """A new card brought under the hand key (private hands)."""


@dataclass(frozen=True, slots=True)
class Statement:
    """What is proven, where and by whom: ``result = u * base`` and ``new_key = u * key`` for one u.

    Of C = u * B and K' = u * K, ``base`` is B, ``result`` C, ``key`` K and ``new_key`` K'. ``head`` is the
    head at the start of the round; ``face`` the card that is named, None where none is.
    """

    table_id: bytes
    head: bytes
    round: int
    seat: int
    purpose: Purpose
    epoch: int
    slot: int
    face: int | None
    base: Point
    result: Point
    key: Point
    new_key: Point

    def encode(self) -> bytes:
        """The statement as bytes: every part with its length, under the tag of its own."""
        return tagged_bytes(
            "statement",
            self.table_id,
            self.head,
            u32(self.round),
            u32(self.seat),
            self.purpose.encode("ascii"),
            u32(self.epoch),
            u32(self.slot),
            u32(NO_FACE if self.face is None else self.face),
            self.base.x,
            self.result.x,
            self.key.x,
            self.new_key.x,
        )


@dataclass(frozen=True, slots=True)
class Equality:
    """The proof: R1, R2 and s, 32 bytes each."""

    first: bytes
    second: bytes
    answer: bytes


def prove(secrets: Secrets, statement: Statement, scalar: int) -> Equality:
    """Prove a true statement, given its multiplier. Always the same proof for the same statement and seed.

    r derives from the seed and the whole statement: nothing enters c that did not enter r, or a home that was
    rolled back would answer two challenges with one r and give ``scalar`` away.
    """
    encoded = statement.encode()
    counter = 0
    while True:
        secret = secrets.derive("equality", context=encoded, index=counter, size=48)
        nonce = scalar_from_number(int.from_bytes(secret, "big"))
        multiplier = Multiplier(nonce)
        first, second = multiplier.mask(statement.base).x, multiplier.mask(statement.key).x
        challenge = _challenge(encoded, first, second)
        answer = (nonce + challenge * scalar) % ORDER
        if challenge and answer:
            return Equality(first, second, encode_scalar(answer))
        counter += 1


def check_form(proof: Equality) -> int:
    """Check sizes and canonical forms alone; gives s. Raises `Invalid`."""
    check_coordinate(proof.first)
    check_coordinate(proof.second)
    return decode_scalar(proof.answer)


def verify(statement: Statement, proof: Equality) -> None:
    """Check a proof. Raises `Invalid`. Whoever made the statement has seen to it that its points are valid.

    R1 and R2 need not be looked up on the curve: the polynomial vanishes for nothing else.
    """
    answer = Multiplier(check_form(proof))
    scalar = _challenge(statement.encode(), proof.first, proof.second)
    if scalar == 0:
        raise Invalid(Flaw.BAD_EQUALITY, "the challenge of a proof is zero")
    challenge = Multiplier(scalar)
    for base, result, nonce in (
        (statement.base, statement.result, proof.first),
        (statement.key, statement.new_key, proof.second),
    ):
        if not related(_x(answer.mask(base).x), _x(challenge.mask(result).x), _x(nonce)):
            raise Invalid(Flaw.BAD_EQUALITY, "the proof of an unmasked, opened or new card does not hold")


def related(x1: int, x2: int, x3: int, *, a: int = CURVE_A, b: int = CURVE_B, p: int = FIELD) -> bool:
    """Whether points with these x-coordinates can be given signs so that their sum is infinity.

    The third summation polynomial of y**2 = x**3 + a*x + b over the field of p elements (Semaev 2004). Exact
    when x1 and x2 belong to points of the curve that are not of order 2: then every root x3 belongs to one
    too.
    """
    product, total = x1 * x2, x1 + x2
    return (
        (x1 - x2) ** 2 * x3**2 - 2 * (total * (product + a) + 2 * b) * x3 + (product - a) ** 2 - 4 * b * total
    ) % p == 0


def _challenge(statement: bytes, first: bytes, second: bytes) -> int:
    return int.from_bytes(tagged_hash("equality", statement, first, second), "big") % ORDER


def _x(x: bytes) -> int:
    return int.from_bytes(x, "big")
