"""The first words on a connection: who speaks, and the signature that proves it for this very connection.

Both sides sign both fresh nonces, both identities and names, the role, the table and the fingerprint of the
connection's certificate. docs/protocol.md, section "Hello". Pure: nonces are handed in.
"""

from __future__ import annotations

from enum import IntEnum

from bcnet.entry import Noise, Signer
from bcnet.errors import NetworkError, Phrase
from bcnet.hashing import HASH_SIZE, PROTOCOL_VERSION, tagged_bytes, tagged_hash, u32
from bcnet.names import BadName, check_name
from bcnet.signing import BadKey, check_public, verify
from bcnet.wire.v1 import table_pb2 as pb

NONCE_SIZE = 32
MAX_PROGRAM = 32
"""Characters of the program version that a hello may carry."""


class Role(IntEnum):
    """Who says a hello; numbered as in the wire format (`bcnet.wire.v1.Role`)."""

    HOST = 1
    GUEST = 2
    WATCHER = 3

    @property
    def word(self) -> Phrase:
        """What it is called before people."""
        return _ROLES[self]


_ROLES = {Role.HOST: Phrase("host"), Role.GUEST: Phrase("guest"), Role.WATCHER: Phrase("watcher")}


class OtherVersion(NetworkError):
    """The other side speaks another version of the protocol."""


def make_hello(role: Role, identity: bytes, nonce: bytes, table: bytes, program: str, name: str) -> pb.Hello:
    """A hello of this program. ``nonce``: 32 fresh random bytes; ``table``: 32 bytes or empty; ``name``: to show."""
    return pb.Hello(
        protocol=PROTOCOL_VERSION,
        program=program,
        identity=identity,
        nonce=nonce,
        role=pb.Role.Name(role),
        table=table,
        name=name,
    )


def check_hello(hello: pb.Hello, role: Role, program: str) -> None:
    """Judge the other side's hello. Raises `OtherVersion` or `Noise`."""
    theirs = "".join(c for c in hello.program if c.isascii() and c.isprintable())[:MAX_PROGRAM]
    if hello.protocol != PROTOCOL_VERSION:
        raise OtherVersion(
            "The other side runs bcnet {theirs} (protocol {their_protocol}), "
            "this is bcnet {ours} (protocol {protocol}).",
            hint="Both need programs with the same protocol: update the older one.",
            theirs=theirs or Phrase("unknown"),
            their_protocol=hello.protocol,
            ours=program,
            protocol=PROTOCOL_VERSION,
        )
    if (
        int(hello.role) != int(role)
        or len(hello.nonce) != NONCE_SIZE
        or len(hello.table) not in (0, HASH_SIZE)
    ):
        raise Noise("The other side's first words are no hello of a {role}.", role=role.word)
    try:
        check_public(hello.identity)
        check_name(hello.name)
    except BadKey as error:
        raise Noise("The other side's identity key is unsound: {why}", why=error.args[0]) from None
    except BadName as error:
        raise Noise("The other side's name cannot be shown: {why}", why=error.message) from None


def sign_hello(
    guest: pb.Hello,
    host: pb.Hello,
    signed_by: Role,
    fingerprint: bytes,
    signer: Signer,
    admission: bytes = b"",
) -> pb.HelloProof:
    """Prove our own hello. ``fingerprint``: SHA-256 of the connection's certificate; ``admission``: by an invite."""
    return pb.HelloProof(signature=signer(_signed(guest, host, signed_by, fingerprint)), admission=admission)


def check_proof(
    guest: pb.Hello, host: pb.Hello, signed_by: Role, fingerprint: bytes, proof: pb.HelloProof
) -> None:
    """Judge the other side's proof of its hello. Raises `Noise`."""
    identity = host.identity if signed_by is Role.HOST else guest.identity
    if not verify(identity, _signed(guest, host, signed_by, fingerprint), proof.signature):
        raise Noise("The {role} cannot prove the identity that it claims.", role=signed_by.word)


def greeting(guest: pb.Hello, host: pb.Hello, fingerprint: bytes) -> bytes:
    """What both sides have said on this connection, and no two connections share; 32 bytes.

    An invite's token is proven over it (`bcnet.invite`).
    """
    return tagged_hash("greeting", *_said(guest, host), fingerprint)


def _signed(guest: pb.Hello, host: pb.Hello, signed_by: Role, fingerprint: bytes) -> bytes:
    return tagged_bytes("hello", *_said(guest, host), u32(signed_by), fingerprint)


def _said(guest: pb.Hello, host: pb.Hello) -> list[bytes]:
    return [
        part
        for hello in (guest, host)
        for part in (
            u32(hello.protocol),
            hello.program.encode(),
            hello.identity,
            hello.nonce,
            hello.table,
            hello.name.encode(),
        )
    ]
