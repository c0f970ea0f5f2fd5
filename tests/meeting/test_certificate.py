"""Certificates: made by a host, and read by whoever does not trust it yet."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.asymmetric.types import CertificateIssuerPrivateKeyTypes
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding
from hypothesis import given
from hypothesis import strategies as st

from bcnet.certificate import EXTENSION, HOST_NAME, MAX_SIZE, NoVoucher, read_certificate, voucher
from bcnet.hashing import PROTOCOL_VERSION, u32
from bcnet_host.certificate import make_certificate
from tests.meeting.lines import HOST, MALLORY, with_the_voucher_of

CERTIFICATE = make_certificate(HOST)


def certificate_with(
    *extensions: bytes, key: CertificateIssuerPrivateKeyTypes | None = None, padding: int = 0
) -> bytes:
    key = key or ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, HOST_NAME)])
    now = datetime.now(UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now)
        .not_valid_after(now + timedelta(days=1))
    )
    if padding:
        builder = builder.add_extension(
            x509.UnrecognizedExtension(x509.ObjectIdentifier("2.25.1"), bytes(padding)), critical=False
        )
    for extension in extensions:
        builder = builder.add_extension(x509.UnrecognizedExtension(EXTENSION, extension), critical=False)
    algorithm = None if isinstance(key, ed25519.Ed25519PrivateKey) else SHA256()
    return builder.sign(key, algorithm).public_bytes(Encoding.DER)


def test_a_certificate_says_whose_it_is() -> None:
    presented = read_certificate(CERTIFICATE.der)
    assert presented.identity == HOST.public
    assert presented.protocol == PROTOCOL_VERSION
    assert presented.fingerprint == CERTIFICATE.fingerprint
    assert len(presented.fingerprint) == 32


def test_every_start_of_a_host_has_a_certificate_and_key_of_its_own() -> None:
    other = make_certificate(HOST)
    assert other.key != CERTIFICATE.key
    assert other.fingerprint != CERTIFICATE.fingerprint
    assert read_certificate(other.der).identity == HOST.public


def test_a_certificate_is_valid_whatever_a_clock_shows() -> None:
    parsed = x509.load_der_x509_certificate(CERTIFICATE.der)
    assert parsed.not_valid_before_utc == datetime.fromtimestamp(0, UTC)
    assert parsed.not_valid_after_utc == datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)


def test_a_certificate_is_no_authority_and_names_nobody() -> None:
    parsed = x509.load_der_x509_certificate(CERTIFICATE.der)
    assert not parsed.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    assert not parsed.extensions.get_extension_for_class(x509.KeyUsage).value.key_cert_sign
    names = parsed.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == [HOST_NAME]
    assert parsed.subject == parsed.issuer
    assert len(CERTIFICATE.der) < 600


def test_a_key_never_shows_by_accident() -> None:
    assert "PRIVATE" not in repr(CERTIFICATE)


def test_a_voucher_for_another_key_is_none() -> None:
    with pytest.raises(NoVoucher, match="not signed by the identity"):
        read_certificate(with_the_voucher_of(CERTIFICATE.der).der)


def test_a_signature_for_another_purpose_is_no_voucher() -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    good = voucher(HOST, key.public_key()).value
    assert read_certificate(certificate_with(good, key=key)).identity == HOST.public
    for signature in (HOST.sign("hello", good[36:]), MALLORY.sign("certificate", good[36:])):
        with pytest.raises(NoVoucher, match="not signed by the identity"):
            read_certificate(certificate_with(good[:36] + signature, key=key))


def test_an_unsound_identity_vouches_for_nothing() -> None:
    with pytest.raises(NoVoucher, match="unsound"):
        read_certificate(certificate_with(u32(PROTOCOL_VERSION) + b"\x01" + bytes(31) + bytes(64)))


@pytest.mark.parametrize(
    "extension", [b"", b"\0\0\0", u32(PROTOCOL_VERSION), u32(PROTOCOL_VERSION) + bytes(97)]
)
def test_a_voucher_of_another_size_is_damaged(extension: bytes) -> None:
    with pytest.raises(NoVoucher, match="damaged"):
        read_certificate(certificate_with(extension))


@pytest.mark.parametrize("rest", [b"", b"whatever a later version puts there"])
def test_a_host_of_another_version_is_told_apart_from_a_forgery(rest: bytes) -> None:
    presented = read_certificate(certificate_with(u32(PROTOCOL_VERSION + 1) + rest))
    assert (presented.protocol, presented.identity) == (PROTOCOL_VERSION + 1, b"")


def test_certificates_of_others_have_no_voucher() -> None:
    for der in (
        certificate_with(),
        certificate_with(key=rsa.generate_private_key(65537, 2048)),
        certificate_with(key=ed25519.Ed25519PrivateKey.generate()),
    ):
        with pytest.raises(NoVoucher, match="no certificate of a bcnet host"):
            read_certificate(der)


@pytest.mark.parametrize("kind", ["P-384", "Ed25519", "RSA"])
def test_another_kind_of_key_is_refused(kind: str) -> None:
    keys: dict[str, CertificateIssuerPrivateKeyTypes] = {
        "P-384": ec.generate_private_key(ec.SECP384R1()),
        "Ed25519": ed25519.Ed25519PrivateKey.generate(),
        "RSA": rsa.generate_private_key(65537, 2048),
    }
    good = voucher(HOST, ec.generate_private_key(ec.SECP256R1()).public_key()).value
    with pytest.raises(NoVoucher, match="another kind"):
        read_certificate(certificate_with(good, key=keys[kind]))


def test_a_certificate_without_end_is_not_read() -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    good = voucher(HOST, key.public_key()).value
    assert read_certificate(certificate_with(good, key=key, padding=MAX_SIZE // 2)).identity == HOST.public
    with pytest.raises(NoVoucher, match="no certificate"):
        read_certificate(certificate_with(good, key=key, padding=MAX_SIZE))


@given(st.binary(max_size=600))
def test_noise_is_no_certificate(data: bytes) -> None:
    with pytest.raises(NoVoucher):
        read_certificate(data)


def test_no_flipped_bit_makes_it_somebody_elses() -> None:
    chance = random.Random(7)
    der = CERTIFICATE.der
    for place in range(len(der)):
        changed = bytearray(der)
        changed[place] ^= 1 << chance.randrange(8)
        try:
            presented = read_certificate(bytes(changed))
        except NoVoucher:
            continue
        assert presented.identity in (HOST.public, b"")
        assert presented.fingerprint != CERTIFICATE.fingerprint


@given(st.integers(0, len(CERTIFICATE.der) - 1))
def test_a_cut_certificate_is_none(end: int) -> None:
    with pytest.raises(NoVoucher):
        read_certificate(CERTIFICATE.der[:end])
