"""Public randomness to which every seat contributes, and unbiased choices from it.

Each seat publishes the end (tip) of a hash chain before the first draw and reveals one link a draw. A link is
checked against the one before it, so a seat has nothing to choose; and as long as one seat's links were
random and unknown, nobody could foresee the output. docs/protocol.md, section "Beacon".

This module does not know what is drawn, nor when.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from hmac import compare_digest
from typing import Final

from bcnet.fairness.errors import Flaw, Invalid, check_size
from bcnet.hashing import HASH_SIZE, tagged_bytes, tagged_hash, u32
from bcnet.secrets import Secrets

LINKS: Final = 2**12
"""Draws that a chain serves. A chain with none left is spent; what then happens is for the table to say."""


class Chain:
    """One seat's own chain. Links are numbered by the draw that reveals them: 1 .. `LINKS`; 0 is the tip.

    Link `LINKS` derives from the seed ("chain", table id); link i-1 is ``H("link", table id, seat, identity,
    i, link i)``: nobody can pass another's chain, or a part of it, off as his own.
    """

    def __init__(self, secrets: Secrets, table_id: bytes, seat: int, identity: bytes) -> None:
        links = _links(table_id, seat, identity, secrets.derive("chain", context=table_id))
        self._links = b"".join(reversed(links))

    @property
    def tip(self) -> bytes:
        """What is published before the first draw; 32 bytes."""
        return self._link(0)

    def link(self, draw: int) -> bytes:
        """The link, 32 bytes, to reveal in this draw, counted from 1. Raises ValueError beyond `LINKS`."""
        if not 1 <= draw <= LINKS:
            raise ValueError(f"a chain serves draws 1 to {LINKS}, not {draw}")
        return self._link(draw)

    def _link(self, index: int) -> bytes:
        return self._links[index * HASH_SIZE : (index + 1) * HASH_SIZE]


@dataclass(frozen=True, slots=True)
class Revealed:
    """What is public of a seat's chain: the draws that it has served and its latest link, at first the tip.

    Raises `Invalid` for a tip that does not have 32 bytes.
    """

    table_id: bytes
    seat: int
    identity: bytes
    latest: bytes
    draws: int = 0

    def __post_init__(self) -> None:
        check_size("a link", self.latest, HASH_SIZE)

    @property
    def left(self) -> int:
        """Draws that the chain still serves; 0 when it is spent."""
        return LINKS - self.draws

    def after(self, link: bytes, draw: int | None = None) -> Revealed:
        """Check the link of a draw, the next one by default. Raises `Invalid` if it does not lead to the latest one.

        A seat may have to skip draws that others have taken part in. Raises ValueError for a draw that is past, or
        beyond `LINKS`: nobody may ask for it.
        """
        draw = self.draws + 1 if draw is None else draw
        if not self.draws < draw <= LINKS:
            raise ValueError("the chain does not serve that draw")
        check_size("a link", link, HASH_SIZE)
        back = link
        for index in range(draw, self.draws, -1):
            back = _before(self.table_id, self.seat, self.identity, index, back)
        if not compare_digest(back, self.latest):
            raise Invalid(Flaw.BAD_LINK, "the share of draw {draw} does not continue the chain", draw=draw)
        return Revealed(self.table_id, self.seat, self.identity, link, draw)


def output(
    table_id: bytes, purpose: str, proved: int | None, round_: int, head: bytes, links: Sequence[bytes]
) -> bytes:
    """The beacon's output for one purpose in one draw; 32 bytes, to be expanded by `Choices`.

    ``proved`` is the seat whose step is challenged, None for any other purpose. ``round_`` and ``head`` are
    those of the round that reveals the links, ``links`` those of all seats in seat order.
    """
    seat = b"" if proved is None else u32(proved)
    return tagged_hash("beacon", table_id, purpose.encode("ascii"), seat, u32(round_), head, *links)


_AFTER_KEY = u32(len(u32(0)))
_BEFORE_KEY = tagged_bytes("stream", bytes(HASH_SIZE), u32(0))[: -HASH_SIZE - len(_AFTER_KEY + u32(0))]
"""What all blocks of all streams begin with; the key, the length of a number and the number of the block follow. An
audit starts thousands of streams.
"""


class Choices:
    """Unbiased choices from 32 bytes, as many as needed.

    The bytes expand to a stream of bits: block i = 0, 1, ... is ``H("stream", key, i)``, its most significant
    bit first. Nothing is ever reduced modulo: a number that does not fit is thrown away and the next bits are
    taken.
    """

    __slots__ = ("_block", "_count", "_pool", "_stem")

    def __init__(self, key: bytes) -> None:
        if len(key) != HASH_SIZE:
            raise ValueError(f"a stream starts from {HASH_SIZE} bytes, not {len(key)}")
        self._stem = _BEFORE_KEY + key + _AFTER_KEY  # what all blocks begin with
        self._block = 0
        self._pool = 0  # the bits made, as one number; those in front of the last _count are taken
        self._count = 0  # how many they are

    def number(self, bits: int) -> int:
        """The next ``bits`` bits as a number, the first of them most significant."""
        if self._count < bits:
            self._fill(bits)
        self._count -= bits
        return self._pool >> self._count & (1 << bits) - 1

    def _fill(self, bits: int) -> None:
        """Make blocks until ``bits`` bits can be taken."""
        self._pool &= (1 << self._count) - 1
        while self._count < bits:
            block = sha256(self._stem + self._block.to_bytes(4, "big")).digest()
            self._pool = self._pool << 8 * HASH_SIZE | int.from_bytes(block, "big")
            self._count += 8 * HASH_SIZE
            self._block += 1

    def bits(self, count: int) -> tuple[int, ...]:
        """The next ``count`` bits, each 0 or 1."""
        number = self.number(count)
        return tuple(number >> place & 1 for place in reversed(range(count)))

    def below(self, bound: int) -> int:
        """A uniform whole number from 0 to ``bound - 1``: as many bits as that has, again while too large.

        Nothing is taken from the stream when the bound is 1. Raises ValueError for a bound below 1.
        """
        if bound < 1:
            raise ValueError("there is no number to choose from")
        bits = (bound - 1).bit_length()
        while (number := self.number(bits)) >= bound:
            pass
        return number

    def permutation(self, count: int) -> tuple[int, ...]:
        """A uniform permutation of 0 .. count-1 (Fisher and Yates).

        It begins as 0, 1, ..., count-1; for i from count-1 down to 1, the entries at i and at
        ``below(i + 1)`` change places.
        """
        order = list(range(count))
        for last in range(count - 1, 0, -1):
            bits = last.bit_length()
            while True:
                # chosen = self.below(last + 1), without the calls: an audit makes thousands of choices
                if self._count < bits:
                    self._fill(bits)
                self._count -= bits
                chosen = self._pool >> self._count & (1 << bits) - 1
                if chosen <= last:
                    break
            order[last], order[chosen] = order[chosen], order[last]
        return tuple(order)


def _before(table_id: bytes, seat: int, identity: bytes, index: int, link: bytes) -> bytes:
    return tagged_hash("link", table_id, u32(seat), identity, u32(index), link)


def _links(table_id: bytes, seat: int, identity: bytes, last: bytes) -> list[bytes]:
    """Links `LINKS` down to 0, as `_before` gives them. Their hashes differ in the last two parts alone, so the others
    are hashed once: a verifier makes a whole chain for each seat of each table.
    """
    same = sha256(tagged_bytes("link", table_id, u32(seat), identity, u32(LINKS), last)[: -HASH_SIZE - 8])
    links = [last]
    for index in _indices():
        link = same.copy()
        link.update(index + last)
        last = link.digest()
        links.append(last)
    return links


@cache
def _indices() -> tuple[bytes, ...]:
    """What stands in those hashes between the parts that are the same and the link, for index `LINKS` down to 1."""
    return tuple(u32(index) + u32(HASH_SIZE) for index in range(LINKS, 0, -1))
