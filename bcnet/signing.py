"""Signatures: the private side of an identity, and the strict way to check another's.

Ed25519 (RFC 8032) through ``cryptography``. A signature counts only if OpenSSL's check accepts it: S below
the group order, and R equal, byte for byte, to the encoding of S*B - h*A (the check without the cofactor).
Public keys are held to more than OpenSSL asks: they must be the one canonical encoding of a point of the
curve, and not of small order, because for such a point one signature fits many messages.

This module is pure: no files, no clock, no random source. Whoever needs a key hands in its 32 private bytes;
``bcnet.identity`` keeps them in a file. It knows nothing of entries, tables or games.
"""

from __future__ import annotations

from base64 import b32encode
from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from bcnet.errors import Phrase
from bcnet.hashing import tagged_bytes, tagged_hash

PUBLIC_SIZE = 32
PRIVATE_SIZE = 32
SIGNATURE_SIZE = 64
FINGERPRINT_BITS = 80

_P = 2**255 - 19
_D = -121665 * pow(121666, -1, _P) % _P
_SIGN_BIT = 1 << 255


class BadKey(ValueError):
    """Bytes that must not be taken as anybody's identity key; the text says why."""


class Identity:
    """The private side of an identity: it signs, and it knows its public key.

    Signing draws no randomness: the same bytes are signed the same way again, after any restart.
    """

    __slots__ = ("_key", "public")

    def __init__(self, private: bytes) -> None:
        """Take the 32 private bytes (the "seed" of RFC 8032, section 5.1.5)."""
        if len(private) != PRIVATE_SIZE:
            raise ValueError(f"a private key has {PRIVATE_SIZE} bytes, not {len(private)}")
        self._key = Ed25519PrivateKey.from_private_bytes(private)
        self.public: bytes = self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    def __repr__(self) -> str:
        return f"<Identity {self.fingerprint}>"

    @property
    def fingerprint(self) -> str:
        """What a person compares; see :func:`fingerprint`."""
        return fingerprint(self.public)

    def sign(self, purpose: str, *parts: bytes) -> bytes:
        """Sign ``parts`` under the domain tag of ``purpose``; 64 bytes."""
        return self.sign_message(tagged_bytes(purpose, *parts))

    def sign_message(self, message: bytes) -> bytes:
        """Sign what ``bcnet.hashing.tagged_bytes`` made; 64 bytes. Never sign bytes without a domain tag."""
        return self._key.sign(message)


def verify(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether ``signature`` (64 bytes) is one by ``public`` (32 bytes) over ``message``, domain tag included.

    Never raises. A key that :func:`check_public` refuses has no valid signatures.
    """
    if _objection(bytes(public)):
        return False
    try:
        _loaded(bytes(public)).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def check_public(public: bytes) -> None:
    """Raise :class:`BadKey` unless ``public`` may be somebody's identity key.

    It must have 32 bytes, be the canonical encoding (y below p, no negative zero) of a point of edwards25519
    (RFC 8032, section 5.1.3), and its order must not divide 8.
    """
    if objection := _objection(bytes(public)):
        raise BadKey(objection)


def fingerprint(public: bytes) -> str:
    """A public key as people compare it: 80 bits of its hash, base32, as in ``k5ma-7qd2-xw4c-hnt6``."""
    letters = b32encode(fingerprint_bytes(public)).decode("ascii").lower()
    return "-".join(letters[i : i + 4] for i in range(0, len(letters), 4))


def fingerprint_bytes(public: bytes) -> bytes:
    """The 80 bits that a fingerprint shows; 10 bytes."""
    return tagged_hash("fingerprint", public)[: FINGERPRINT_BITS // 8]


def _objection(public: bytes) -> str:
    """Why a key is refused; empty if it is not."""
    if len(public) != PUBLIC_SIZE:
        return Phrase("a public key has {right} bytes, not {size}", right=PUBLIC_SIZE, size=len(public))
    return _objection_to_point(public)


_loaded = lru_cache(maxsize=256)(Ed25519PublicKey.from_public_bytes)
"""All entries of a game come under few keys."""


@lru_cache(maxsize=256)
def _objection_to_point(public: bytes) -> str:
    """The same for 32 bytes. Remembered, for all entries of a game come under few keys."""
    y = int.from_bytes(public, "little") % _SIGN_BIT
    if y >= _P:
        return Phrase("the key is not in its canonical encoding: its y is not below p")
    xx = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    if xx and pow(xx, (_P - 1) // 2, _P) != 1:
        return Phrase("the key is not a point of the curve")
    if _order_divides_8(xx, y):  # with them all encodings of an x of zero, the negative one included
        return Phrase("the key is a point of small order")
    return ""


def _order_divides_8(xx: int, y: int) -> bool:
    """Whether 8 times the point with x*x = ``xx`` is the identity.

    Nothing depends on the sign of x here, so x*x and y are enough: with -x*x + y*y = 1 + d*x*x*y*y, the
    double of (x, y) has x' = 2xy / (y*y - x*x) and y' = (y*y + x*x) / (2 - y*y + x*x). Neither denominator is
    ever zero on this curve (its addition law is complete).
    """
    for _ in range(3):
        yy = y * y % _P
        xx, y = (
            4 * xx * yy * pow((yy - xx) ** 2, -1, _P) % _P,
            (yy + xx) * pow(2 - yy + xx, -1, _P) % _P,
        )
    return xx == 0 and y == 1
