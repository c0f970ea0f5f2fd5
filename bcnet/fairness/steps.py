"""One secret multiplier for a whole permuted list, proven by cut and choose; docs/protocol.md, "Steps".

A step takes points X and a key point K to ``Y[j] = u * X[pi(j)]`` and ``K' = u * K``: one u for all, pi
secret. Every shuffle is one (K is the generator, K' the seat's deck key), and so is every refresh of a hand.

With the step the prover publishes commitments to T shadows, each a step of the same kind from (X, K). When
they lie on the table the beacon asks one bit of each shadow:

- bit 0: how it came from (X, K): the shadow's seed.
- bit 1: how it comes from (Y, K'): scalar and permutation (`Bridge`).

Either way the verifier computes the shadow himself and compares its hash, so no point of a shadow is ever
sent. Who could answer both bits of one shadow has a right step: Y and K' follow from X and K through the
shadow. A false step survives each bit with chance 1/2 at most, all T with 2**-40. An honest prover's answers
show nothing: the shadow's scalar and permutation are random, and only one of the two ways to it becomes
known.

This module does not know cards, seats or beacons. Scalars and permutations come from seeds that are handed
in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from bcnet.fairness.beacon import Choices
from bcnet.fairness.errors import Flaw, Invalid, check_count, check_size
from bcnet.fairness.group import (
    ORDER,
    Multiplier,
    Point,
    decode_scalar,
    encode_scalar,
    inverse,
    on_all_cores,
    scalar_from_number,
)
from bcnet.hashing import HASH_SIZE, tagged_hash

SHADOWS: Final = 40
"""T: shadows of a step, and challenge bits. A constant of the protocol; nothing lowers it."""
SEED_SIZE: Final = 32
MAX_POINTS: Final = 255
"""A permutation is sent as one byte a position."""


@dataclass(frozen=True, slots=True)
class Published:
    """A step as it is sent: new points, new key point and `SHADOWS` commitments, each of 32 bytes."""

    points: tuple[bytes, ...]
    key: bytes
    shadows: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class ShadowSeed:
    """The answer to bit 0: the 32-byte seed of the shadow."""

    seed: bytes


@dataclass(frozen=True, slots=True)
class Bridge:
    """The answer to bit 1, what leads from (Y, K') to the shadow: a scalar, 32 bytes, and a permutation.

    The permutation has one byte a position: the index of the point that comes there.
    """

    scalar: bytes
    permutation: bytes


Response = ShadowSeed | Bridge


@dataclass(frozen=True, slots=True)
class Move:
    """A scalar with a permutation: takes X to ``scalar * X[permutation[j]]`` for each j."""

    scalar: int
    permutation: tuple[int, ...]

    @classmethod
    def from_seed(cls, seed: bytes, count: int) -> Move:
        """The move for ``count`` points that a 32-byte seed stands for.

        The seed starts a `Choices` stream: its first 384 bits give the scalar, the rest the permutation.
        """
        choices = Choices(seed)
        scalar = scalar_from_number(choices.number(384))
        return cls(scalar, choices.permutation(count))

    def apply(self, points: Sequence[Point], key: Point) -> tuple[tuple[Point, ...], Point]:
        """The moved points and key point."""
        multiplier = Multiplier(self.scalar)
        return tuple(multiplier.mask_all([points[index] for index in self.permutation])), multiplier.mask(key)

    def back(self) -> Move:
        """The move that undoes this one."""
        position = {index: place for place, index in enumerate(self.permutation)}
        return Move(inverse(self.scalar), tuple(position[index] for index in range(len(position))))

    def then(self, after: Move) -> Move:
        """This move and then ``after``, as one."""
        return Move(
            self.scalar * after.scalar % ORDER,
            tuple([self.permutation[index] for index in after.permutation]),
        )


@dataclass(frozen=True, slots=True)
class Claim:
    """What a published step claims: points and key before and after, and the commitments to its shadows.

    ``context`` (32 bytes) names table, round, seat and purpose; no commitment serves elsewhere.
    """

    context: bytes
    points: tuple[Point, ...]
    key: Point
    new_points: tuple[Point, ...]
    new_key: Point
    shadows: tuple[bytes, ...]

    @classmethod
    def arrive(
        cls,
        context: bytes,
        points: tuple[Point, ...],
        key: Point,
        published: Published,
        decode: Callable[[bytes], Point] = Point.decode,
    ) -> Claim:
        """Check all that can be checked before the challenge, before any arithmetic. Raises `Invalid`.

        As many points as before, each once, all valid as ``decode`` finds; a new key point other than the old;
        `SHADOWS` commitments, each once. What more a key point must not be is for the caller to know.
        """
        check_count("points", len(published.points), len(points))
        check_count("shadow commitments", len(published.shadows), SHADOWS)
        for shadow in published.shadows:
            check_size("a commitment", shadow, HASH_SIZE)
        if len(set(published.shadows)) != SHADOWS:
            raise Invalid(Flaw.DUPLICATE_SHADOW, "two shadows have the same commitment")
        if len(set(published.points)) != len(published.points):
            raise Invalid(Flaw.DUPLICATE_POINT, "a point stands twice in a list")
        new_key = decode(published.key)
        if new_key == key:
            raise Invalid(Flaw.KEY_REUSED, "the new key point is the old one")
        new_points = tuple(map(decode, published.points))
        return cls(context, points, key, new_points, new_key, published.shadows)

    def check_form(self, bits: Sequence[int], responses: Sequence[Response]) -> None:
        """Check the form of the answers to the challenge ``bits`` and compute nothing. Raises `Invalid`."""
        if len(bits) != SHADOWS or any(bit not in (0, 1) for bit in bits):
            raise ValueError(f"a challenge has {SHADOWS} bits")
        check_count("responses", len(responses), SHADOWS)
        positions = set(range(len(self.points)))
        for index, (bit, response) in enumerate(zip(bits, responses, strict=True)):
            _check_answer(index, bit, response, positions)

    def check(self, bits: Sequence[int], responses: Sequence[Response]) -> None:
        """Check the answers to the challenge ``bits``, by SHADOWS * (points + 1) masks. Raises `Invalid`."""
        self.check_form(bits, responses)
        found = on_all_cores(self._shadow, responses)
        for index, (bit, shadow) in enumerate(zip(bits, found, strict=True)):
            if shadow != self.shadows[index]:
                kind = Flaw.BAD_BRIDGE if bit else Flaw.BAD_SHADOW_SEED
                raise Invalid(
                    kind, "the answer to challenge {index} does not lead to the shadow", index=index
                )

    def _shadow(self, response: Response) -> bytes:
        """The commitment to the shadow that an answer, right in its form, leads to."""
        if isinstance(response, ShadowSeed):
            move = Move.from_seed(response.seed, len(self.points))
            return shadow_commitment(self.context, *move.apply(self.points, self.key))
        move = Move(decode_scalar(response.scalar), tuple(response.permutation))
        return shadow_commitment(self.context, *move.apply(self.new_points, self.new_key))


def _check_answer(index: int, bit: int, response: Response, positions: set[int]) -> None:
    if isinstance(response, ShadowSeed) and bit == 0:
        check_size("a shadow's seed", response.seed, SEED_SIZE)
    elif isinstance(response, Bridge) and bit == 1:
        check_size("a permutation", response.permutation, len(positions))
        if set(response.permutation) != positions:
            raise Invalid(Flaw.BAD_PERMUTATION, "a permutation has an entry twice or one too large")
        decode_scalar(response.scalar)
    else:
        raise Invalid(Flaw.WRONG_ANSWER, "challenge {index} asks for the other kind of answer", index=index)


def shadow_commitment(context: bytes, points: Sequence[Point], key: Point) -> bytes:
    """The commitment to a shadow, 32 bytes: ``H("shadow", context, key point, points in order)``."""
    return tagged_hash("shadow", context, key.x, *(point.x for point in points))


def publish(
    context: bytes, step_seed: bytes, shadow_seeds: Sequence[bytes], points: Sequence[Point], key: Point
) -> Published:
    """Make a step and the commitments to its shadows. Heavy: (SHADOWS + 1) * (points + 1) masks.

    All seeds have 32 bytes, are secret, and serve for this step alone. Raises ValueError for seeds or lists
    that can not make one.
    """
    _check_seeds(step_seed, shadow_seeds)
    if not 1 <= len(points) <= MAX_POINTS:
        raise ValueError(f"a step has 1 to {MAX_POINTS} points, not {len(points)}")

    def shadow(seed: bytes) -> bytes:
        return shadow_commitment(context, *Move.from_seed(seed, len(points)).apply(points, key))

    new_points, new_key = Move.from_seed(step_seed, len(points)).apply(points, key)
    shadows = on_all_cores(shadow, shadow_seeds)
    return Published(tuple(point.x for point in new_points), new_key.x, tuple(shadows))


def respond(
    step_seed: bytes, shadow_seeds: Sequence[bytes], count: int, bits: Sequence[int]
) -> tuple[Response, ...]:
    """The answers to the challenge ``bits``, for the step of ``count`` points that these seeds make.

    For one challenge only: the answers to two different ones give the step's scalar away. So whoever answers
    has the answers on disk before they are sent, and says the same again when asked again.
    """
    _check_seeds(step_seed, shadow_seeds)
    if len(bits) != SHADOWS or any(bit not in (0, 1) for bit in bits):
        raise ValueError(f"a challenge has {SHADOWS} bits")
    back = Move.from_seed(step_seed, count).back()
    return tuple(_answer(back, seed, bit) for seed, bit in zip(shadow_seeds, bits, strict=True))


def agree(move: Move, shadow_seeds: Sequence[bytes], responses: Sequence[Response]) -> bool:
    """Whether answers, right in their form (`Claim.check_form`), are those that `respond` gives for the step that is
    this move.

    No bridge is made again: the step and then the bridge have to be the shadow, and with any other bridge they are not.
    """
    return all(
        _leads_to(move, seed, response) for seed, response in zip(shadow_seeds, responses, strict=True)
    )


def _leads_to(move: Move, shadow_seed: bytes, response: Response) -> bool:
    """Whether a step and one answer lead to the shadow of this seed."""
    if isinstance(response, ShadowSeed):
        return response.seed == shadow_seed
    bridge = Move(int.from_bytes(response.scalar, "big"), tuple(response.permutation))
    return move.then(bridge) == Move.from_seed(shadow_seed, len(move.permutation))


def _answer(back: Move, seed: bytes, bit: int) -> Response:
    """The answer to one bit; ``back`` undoes the step."""
    if bit == 0:
        return ShadowSeed(seed)
    bridge = back.then(Move.from_seed(seed, len(back.permutation)))
    return Bridge(encode_scalar(bridge.scalar), bytes(bridge.permutation))


def _check_seeds(step_seed: bytes, shadow_seeds: Sequence[bytes]) -> None:
    seeds = [step_seed, *shadow_seeds]
    if (
        len(seeds) != SHADOWS + 1
        or len(set(seeds)) != len(seeds)
        or any(len(seed) != SEED_SIZE for seed in seeds)
    ):
        raise ValueError(f"a step needs {SHADOWS + 1} different seeds of {SEED_SIZE} bytes")
