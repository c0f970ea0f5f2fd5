"""Vectors of how two people find out that they have met the right one: certificate, invite, words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from bcnet.certificate import voucher
from bcnet.hello import Role, greeting, make_hello
from bcnet.invite import Invite
from bcnet.words import four_words
from tests.vectors.make.scribe import GUEST, HOST, fixed, identity

Json = dict[str, Any]


def files() -> Iterator[tuple[str, Json]]:
    """The name of each file and what stands in it."""
    yield "certificate", _certificate()
    yield "invite", _invite()
    yield "words", _words()


def _certificate() -> Json:
    key = ec.derive_private_key(
        int.from_bytes(fixed("certificate key"), "big") >> 8, ec.SECP256R1()
    ).public_key()
    return {
        "private": fixed("identity", HOST).hex(),
        "identity": identity(HOST).public.hex(),
        "key": key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo).hex(),
        "extension": voucher(identity(HOST), key).value.hex(),
    }


def _invite() -> Json:
    guest = make_hello(Role.GUEST, identity(GUEST).public, fixed("nonce", GUEST), b"", "0.1.0", "Bob")
    host = make_hello(Role.HOST, identity(HOST).public, fixed("nonce", HOST), fixed("offer"), "0.1.0", "Ann")
    said = greeting(guest, host, fixed("certificate"))
    tokens = [0, 1, 2**35 - 1, int.from_bytes(fixed("token"), "big") >> 221]
    invites = [(token, Invite.make(identity(HOST).public, token)) for token in tokens]
    return {
        "identity": identity(HOST).public.hex(),
        "guest": guest.SerializeToString().hex(),
        "host": host.SerializeToString().hex(),
        "fingerprint": fixed("certificate").hex(),
        "greeting": said.hex(),
        "invites": [
            {"token": token, "code": invite.code, "proof": invite.proof(said).hex()}
            for token, invite in invites
        ],
    }


def _words() -> Json:
    table, certificate, output = fixed("table"), fixed("certificate"), fixed("output")
    keys = [identity(HOST).public, identity(GUEST).public]
    return {
        "table": table.hex(),
        "identities": [key.hex() for key in keys],
        "certificate": certificate.hex(),
        "output": output.hex(),
        "words": list(four_words(table, keys, certificate, output)),
    }
