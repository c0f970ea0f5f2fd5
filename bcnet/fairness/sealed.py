"""Choices that several seats make at once: first a commitment of each, then all openings.

docs/protocol.md, section "Sealed choices". A choice is opaque bytes here.
"""

from __future__ import annotations

from dataclasses import dataclass
from hmac import compare_digest
from typing import Final

from bcnet.fairness.errors import Flaw, Invalid, check_size
from bcnet.hashing import HASH_SIZE, tagged_bytes, tagged_hash, u32
from bcnet.secrets import Secrets

SALT_SIZE: Final = 32


@dataclass(frozen=True, slots=True)
class Place:
    """Where a choice is sealed: table, round, head at its start, seat, and the seat's identity key.

    All of it enters the commitment, so that one copied from another seat, round or table can never be opened.
    """

    table_id: bytes
    round: int
    head: bytes
    seat: int
    identity: bytes

    def _parts(self, choice: bytes) -> tuple[bytes, ...]:
        return (self.table_id, u32(self.round), self.head, u32(self.seat), self.identity, choice)


def seal(secrets: Secrets, place: Place, choice: bytes) -> tuple[bytes, bytes]:
    """The commitment to a choice and the salt that opens it, 32 bytes each.

    The salt derives from the seed and everything that is committed to: another choice has another salt.
    """
    salt = secrets.derive("salt", context=tagged_bytes("seal", *place._parts(choice)), size=SALT_SIZE)
    return _commitment(place, choice, salt), salt


def check_commitment(commitment: bytes) -> None:
    """Check the form of a commitment as it arrives. Raises `Invalid`."""
    check_size("a commitment", commitment, HASH_SIZE)


def check_opening(place: Place, commitment: bytes, choice: bytes, salt: bytes) -> None:
    """Check that choice and salt open the commitment. Raises `Invalid`."""
    check_size("a salt", salt, SALT_SIZE)
    if not compare_digest(_commitment(place, choice, salt), commitment):
        raise Invalid(Flaw.BAD_SEAL, "the choice that was opened is not the one that was sealed")


def _commitment(place: Place, choice: bytes, salt: bytes) -> bytes:
    return tagged_hash("seal", *place._parts(choice), salt)
