"""One seed, and every other secret of a seat at a table derived from it.

A restarted program derives the same secrets again and so says the same bytes again; whoever is given the seed after
the game can recompute all of it (the audit). This module draws no randomness: seeds are handed in.
Identity and TLS keys never come from here.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand

from bcnet.hashing import HASH_SIZE, tagged_bytes, tagged_hash, u32

SEED_SIZE = 32


@dataclass(frozen=True, slots=True)
class Secrets:
    """The secrets of one seat for one table, all from its 32-byte seed."""

    seed: bytes = field(repr=False)
    _extracted: bytes = field(init=False, repr=False, compare=False)
    """What the first half of HKDF makes of the seed: the same for all that is derived."""

    def __post_init__(self) -> None:
        if len(self.seed) != SEED_SIZE:
            raise ValueError(f"a seed has {SEED_SIZE} bytes, not {len(self.seed)}")
        object.__setattr__(self, "_extracted", hmac.digest(bytes(HASH_SIZE), self.seed, "sha256"))

    def derive(
        self,
        purpose: str,
        *,
        context: bytes,
        epoch: int = 0,
        index: int = 0,
        head: bytes = b"",
        size: int = HASH_SIZE,
    ) -> bytes:
        """Derive ``size`` bytes with HKDF-SHA256 (RFC 5869, no salt); docs/protocol.md, section "Secrets".

        ``context`` is the offer or table id. ``head`` is the head of the log where the secret is first used, so that
        a rolled-back copy of a home never uses one secret for two different things.
        """
        info = tagged_bytes("secret", purpose.encode("ascii"), context, u32(epoch), u32(index), head)
        return HKDFExpand(algorithm=SHA256(), length=size, info=info).derive(self._extracted)


def commitment(context: bytes, seat: int, identity: bytes, seed: bytes) -> bytes:
    """The commitment of a seat to its seed; 32 bytes.

    ``context`` is the terms hash with the host's nonce (see ``bcnet.table.ids.terms_context``) for seat 0, and the
    offer id for the guests.
    """
    return tagged_hash("commitment", context, u32(seat), identity, seed)
