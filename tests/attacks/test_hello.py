"""Attackers on the first words of a connection: whoever claims another's identity, or carries a proof elsewhere."""

from __future__ import annotations

import dataclasses
import tracemalloc
from collections.abc import Callable

import pytest

from bcnet.entry import Noise
from bcnet.hello import OtherVersion, Role, check_hello, check_proof, make_hello, sign_hello
from bcnet.wire.v1 import table_pb2 as pb
from tests.table.room import identity_of

HOST, GUEST, STRANGER = identity_of(0), identity_of(1), identity_of(7)
TABLE = bytes(range(32))
CERTIFICATE = bytes([9]) * 32
ROLES = [Role.HOST, Role.GUEST]


@dataclasses.dataclass(frozen=True)
class Said:
    """What passes when two honest programs meet."""

    host: pb.Hello
    guest: pb.Hello
    proofs: dict[Role, pb.HelloProof]


def said(nonce: int = 1) -> Said:
    host = make_hello(Role.HOST, HOST.public, bytes([nonce]) * 32, TABLE, "1.0", "Ann")
    guest = make_hello(Role.GUEST, GUEST.public, bytes([nonce + 100]) * 32, TABLE, "1.0", "Bob")
    proofs = {
        Role.HOST: sign_hello(guest, host, Role.HOST, CERTIFICATE, HOST.sign_message),
        Role.GUEST: sign_hello(guest, host, Role.GUEST, CERTIFICATE, GUEST.sign_message),
    }
    return Said(host, guest, proofs)


def changed(hello: pb.Hello, **fields: object) -> pb.Hello:
    other = pb.Hello()
    other.CopyFrom(hello)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def test_two_honest_programs() -> None:
    here = said()
    check_hello(here.guest, Role.GUEST, "1.0")
    check_hello(here.host, Role.HOST, "1.0")
    for role in ROLES:
        check_proof(here.guest, here.host, role, CERTIFICATE, here.proofs[role])


@pytest.mark.parametrize("role", ROLES)
def test_a_proof_recorded_on_another_connection(role: Role) -> None:
    """Replays what somebody has proven before: the nonces of now are others."""
    recorded, here = said(1), said(2)
    with pytest.raises(Noise):
        check_proof(here.guest, here.host, role, CERTIFICATE, recorded.proofs[role])
    # Also where the replayer says the recorded hello again: the other side's nonce is fresh.
    mixed = (recorded.guest, here.host) if role is Role.GUEST else (here.guest, recorded.host)
    with pytest.raises(Noise):
        check_proof(*mixed, role, CERTIFICATE, recorded.proofs[role])


def test_a_proof_sent_back() -> None:
    """Answers with the other's own proof, in the other role."""
    here = said()
    for signed_by, claimed in ((Role.HOST, Role.GUEST), (Role.GUEST, Role.HOST)):
        with pytest.raises(Noise):
            check_proof(here.guest, here.host, claimed, CERTIFICATE, here.proofs[signed_by])


def test_playing_against_oneself_no_proof_serves_both_roles() -> None:
    """One identity on both sides: still each role proves itself."""
    here = said()
    guest = changed(here.guest, identity=HOST.public)
    proof = sign_hello(guest, here.host, Role.HOST, CERTIFICATE, HOST.sign_message)
    check_proof(guest, here.host, Role.HOST, CERTIFICATE, proof)
    with pytest.raises(Noise):
        check_proof(guest, here.host, Role.GUEST, CERTIFICATE, proof)


def test_an_identity_that_is_somebody_else_s() -> None:
    here = said()
    proof = sign_hello(here.guest, here.host, Role.GUEST, CERTIFICATE, STRANGER.sign_message)
    with pytest.raises(Noise):
        check_proof(here.guest, here.host, Role.GUEST, CERTIFICATE, proof)


def test_a_man_in_the_middle_who_ends_the_line_himself() -> None:
    """Relays all first words between two lines of his own; each line has another certificate."""
    here = said()
    for role in ROLES:
        for other in (b"", bytes(32), CERTIFICATE[:31]):
            with pytest.raises(Noise):
                check_proof(here.guest, here.host, role, other, here.proofs[role])


@pytest.mark.parametrize("field", ["protocol", "program", "identity", "nonce", "table", "name"])
@pytest.mark.parametrize("whose", ["host", "guest"])
def test_every_part_of_both_hellos_is_signed_by_both(whose: str, field: str) -> None:
    here = said()
    values = {
        "protocol": 2,
        "program": "1.1",
        "identity": STRANGER.public,
        "nonce": bytes(32),
        "table": b"",
        "name": "Eve",
    }
    guest, host = here.guest, here.host
    if whose == "host":
        host = changed(host, **{field: values[field]})
    else:
        guest = changed(guest, **{field: values[field]})
    for role in ROLES:
        with pytest.raises(Noise):
            check_proof(guest, host, role, CERTIFICATE, here.proofs[role])


def test_nothing_moves_from_one_part_of_a_hello_to_the_next() -> None:
    """A longer program name and a shorter identity are other signed bytes, though they read the same in a row."""
    here = said()
    longer = changed(here.guest, program=here.guest.program + "x", identity=here.guest.identity[1:])
    with pytest.raises(Noise):
        check_proof(longer, here.host, Role.HOST, CERTIFICATE, here.proofs[Role.HOST])


UNSOUND: dict[str, Callable[[pb.Hello], pb.Hello]] = {
    "no role": lambda hello: changed(hello, role=0),
    "the other role": lambda hello: changed(hello, role=1),
    "a role of its own": lambda hello: changed(hello, role=17),
    "short nonce": lambda hello: changed(hello, nonce=bytes(31)),
    "no nonce": lambda hello: changed(hello, nonce=b""),
    "short table": lambda hello: changed(hello, table=bytes(31)),
    "no name": lambda hello: changed(hello, name=""),
    "a name that moves the cursor": lambda hello: changed(hello, name="Ann\x1b[2J"),
    "a name that turns the writing": lambda hello: changed(hello, name="Ann\u202e"),
    "endless name": lambda hello: changed(hello, name="A" * 33),
    "no identity": lambda hello: changed(hello, identity=b""),
    "identity of small order": lambda hello: changed(hello, identity=(1).to_bytes(32, "little")),
    "identity off the curve": lambda hello: changed(hello, identity=(2).to_bytes(32, "little")),
    "identity not canonical": lambda hello: changed(hello, identity=b"\xff" * 32),
    "endless identity": lambda hello: changed(hello, identity=bytes(100_000)),
}


@pytest.mark.parametrize("name", UNSOUND)
def test_unsound_first_words(name: str) -> None:
    with pytest.raises(Noise):
        check_hello(UNSOUND[name](said().guest), Role.GUEST, "1.0")


@pytest.mark.parametrize("version", [0, 2, 2**32 - 1])
def test_another_version_is_told_with_both_versions(version: int) -> None:
    hello = changed(said().guest, protocol=version, program="9.9\x1b[31m" + "x" * 1000)
    with pytest.raises(OtherVersion) as caught:
        check_hello(hello, Role.GUEST, "1.0")
    message = caught.value.message
    assert str(version) in message
    assert "9.9" in message
    assert "\x1b" not in message
    assert len(message) < 200


@pytest.mark.parametrize("signature", [b"", bytes(63), bytes(64), bytes(65), b"\xff" * 64])
def test_a_proof_that_is_none(signature: bytes) -> None:
    here = said()
    with pytest.raises(Noise):
        check_proof(here.guest, here.host, Role.GUEST, CERTIFICATE, pb.HelloProof(signature=signature))


def test_endless_identities_do_not_fill_the_memory() -> None:
    """What is no key is forgotten at once, however long it was. (Found by review: refused keys were remembered.)"""
    here = said()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        for number in range(300):
            identity = number.to_bytes(4, "big") * 10_000
            with pytest.raises(Noise):
                check_hello(changed(here.guest, identity=identity), Role.GUEST, "1.0")
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 1_000_000
