"""The certificate under which a host speaks TLS: made when its program starts, gone when that ends.

Nothing of it is stored, so nothing of it can be stolen from a disk: whoever knows the host knows its identity, which
signs for every new certificate (`bcnet.certificate`). It is self-signed with a P-256 key, because gRPC's TLS takes no
Ed25519 certificates, and valid at every time that a computer's clock can show: a joiner whose clock is days, or half a
century, wrong gets in all the same. How long a certificate is good for is decided by the hello, not by a date.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256

import grpc
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from bcnet.certificate import HOST_NAME, voucher
from bcnet.signing import Identity

# Naive on purpose: that is how x509 writes UTC. The second one means "no end" (RFC 5280, section 4.1.2.5).
_ALWAYS = datetime(1970, 1, 1), datetime(9999, 12, 31, 23, 59, 59)  # noqa: DTZ001


@dataclass(frozen=True, slots=True)
class HostCertificate:
    """A certificate with its private key."""

    der: bytes
    key: bytes = field(repr=False)
    """PKCS#8 in PEM; only ever in memory."""

    @property
    def fingerprint(self) -> bytes:
        """The SHA-256 of the certificate, 32 bytes: what the hello signs."""
        return sha256(self.der).digest()

    def credentials(self) -> grpc.ServerCredentials:
        """What ``add_secure_port`` asks for."""
        chain = x509.load_der_x509_certificate(self.der).public_bytes(Encoding.PEM)
        return grpc.ssl_server_credentials([(self.key, chain)])


def make_certificate(identity: Identity) -> HostCertificate:
    """A new key and certificate from the system's randomness, for which ``identity`` vouches."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST_NAME)])
    usage = x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=False,
        crl_sign=False,
        encipher_only=False,
        decipher_only=False,
    )
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(_ALWAYS[0])
        .not_valid_after(_ALWAYS[1])
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST_NAME)]), critical=False)
        # No authority: under this root there is this one certificate, so that pinning it pins the line.
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(voucher(identity, key.public_key()), critical=False)
        .sign(key, SHA256())
    )
    return HostCertificate(
        certificate.public_bytes(Encoding.DER),
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()),
    )
