"""What ties a host's TLS certificate to its identity: the identity's own signature, inside the certificate.

A host makes a key and a self-signed certificate whenever its program starts. In it stands, as an extension of our
own, its identity key with a signature over the certificate's public key. So a joiner knows whose certificate it has
before it says a word, and can hold it against an invite code or a known player. That the other side has the
certificate's key, TLS proves; that it has the identity's key at this moment, the hello proves, which covers the
certificate's hash once more.

Pure: it neither makes certificates (`bcnet_host.certificate`) nor fetches them (`bcnet_client.pinning`).
docs/protocol.md, section "TLS".
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from bcnet.errors import NetworkError, Phrase
from bcnet.hashing import PROTOCOL_VERSION, tagged_bytes, u32
from bcnet.signing import PUBLIC_SIZE, SIGNATURE_SIZE, BadKey, Identity, check_public, verify

HOST_NAME = "bcnet"
"""The one name in every certificate; hosts are told apart by their keys."""
EXTENSION = x509.ObjectIdentifier("2.25.180976682898953346378935756256476608230")
"""Made from a random UUID, as everybody may (ITU-T X.667)."""
MAX_SIZE = 4096
"""Bytes of a certificate (DER); ours have some 500."""

_VERSION_SIZE = 4


class NoVoucher(NetworkError):
    """A certificate in which no identity vouches for it: not of a bcnet host, or forged."""


@dataclass(frozen=True, slots=True)
class Presented:
    """A certificate that a host presents, and who vouches for it."""

    der: bytes
    protocol: int
    """The version of the protocol that the host speaks."""
    identity: bytes
    """The identity key (32 bytes) that has signed the certificate's key; empty if ``protocol`` is not ours.

    Then nobody is authenticated. The hellos will end it, and tell both sides both versions.
    """

    @property
    def fingerprint(self) -> bytes:
        """What hellos and words are bound to: the SHA-256 of the certificate; 32 bytes."""
        return sha256(self.der).digest()


def voucher(identity: Identity, key: EllipticCurvePublicKey) -> x509.UnrecognizedExtension:
    """The extension by which ``identity`` vouches for the certificate with this public key."""
    signature = identity.sign("certificate", _encoded(key))
    return x509.UnrecognizedExtension(EXTENSION, u32(PROTOCOL_VERSION) + identity.public + signature)


def read_certificate(der: bytes) -> Presented:
    """Whose certificate this is. Raises `NoVoucher`."""
    try:
        if len(der) > MAX_SIZE:
            raise ValueError(f"{len(der)} bytes")
        certificate = x509.load_der_x509_certificate(der)
        extension = certificate.extensions.get_extension_for_oid(EXTENSION).value
        key = certificate.public_key()
    except (
        ValueError,
        UnsupportedAlgorithm,
        x509.DuplicateExtension,
        x509.ExtensionNotFound,
        x509.InvalidVersion,
        x509.UnsupportedGeneralNameType,
    ):
        raise _no_voucher(Phrase("it has no certificate of a bcnet host")) from None
    assert isinstance(extension, x509.UnrecognizedExtension)
    version, rest = extension.value[:_VERSION_SIZE], extension.value[_VERSION_SIZE:]
    if len(version) < _VERSION_SIZE:
        raise _no_voucher(Phrase("its certificate is damaged"))
    protocol = int.from_bytes(version, "big")
    if protocol != PROTOCOL_VERSION:
        return Presented(der, protocol, b"")
    if len(rest) != PUBLIC_SIZE + SIGNATURE_SIZE:
        raise _no_voucher(Phrase("its certificate is damaged"))
    if not isinstance(key, EllipticCurvePublicKey) or not isinstance(key.curve, SECP256R1):
        raise _no_voucher(Phrase("its certificate has a key of another kind"))
    identity, signature = rest[:PUBLIC_SIZE], rest[PUBLIC_SIZE:]
    try:
        check_public(identity)
    except BadKey:
        raise _no_voucher(Phrase("its identity key is unsound")) from None
    if not verify(identity, tagged_bytes("certificate", _encoded(key)), signature):
        raise _no_voucher(Phrase("its certificate is not signed by the identity that it names"))
    return Presented(der, protocol, identity)


def _encoded(key: EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def _no_voucher(why: str) -> NoVoucher:
    return NoVoucher(
        "What listens there is no bcnet host that could be trusted: {why}.",
        hint="Check the address and the port. If they are right, somebody may be in between: do not play then.",
        why=why,
    )
