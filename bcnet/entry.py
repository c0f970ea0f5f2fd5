"""Entries and notes as bytes: how a statement of a seat is written, signed and read.

Responsible for the form of the bytes alone: sizes, canonical encoding, signatures. Whether a statement is right at
its place is for ``bcnet.table`` to say. Received bytes are kept as they came; nothing is ever serialised again.

Two kinds of failure, and the difference matters: `Noise` is anything without a seat's valid signature, it convicts
nobody; `MalformedBody` is raised for the body alone, and becomes a fault once the signature over it is known to hold.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from google.protobuf.message import DecodeError, Message

from bcnet.errors import BcnetError, Exit
from bcnet.hashing import tagged_bytes
from bcnet.signing import SIGNATURE_SIZE, verify
from bcnet.wire.v1 import log_pb2 as pb

MAX_ENTRY = 1 << 20
"""Upper limit of a serialised entry in bytes; the largest honest one (responses over 255 cards) has some 360,000."""

Signer = Callable[[bytes], bytes]
"""Signs a byte string with a seat's identity key; 64 bytes."""

_M = TypeVar("_M", bound=Message)


class Noise(BcnetError):
    """Bytes that prove nothing about anyone: not an entry, not signed by a seat, or not for this table.

    On a connection they end it; in a file they make it unreadable.
    """

    exit_code = Exit.UNREADABLE


class MalformedBody(BcnetError):
    """The body of an entry or note is not the canonical encoding of a message of this protocol."""

    exit_code = Exit.UNREADABLE


@dataclass(frozen=True, slots=True)
class SignedEntry:
    """An entry as it came: ``data`` whole, its ``body`` (what is signed) and the 64-byte ``signature``."""

    data: bytes
    body: bytes
    signature: bytes

    def signed_by(self, identity: bytes) -> bool:
        """Whether ``identity`` (32 bytes) has signed the body as an entry."""
        return verify(identity, tagged_bytes("entry", self.body), self.signature)


def read_entry(data: bytes) -> SignedEntry:
    """Take an entry apart without judging its body. Raises `Noise`."""
    if len(data) > MAX_ENTRY:
        raise Noise("An entry of {size} bytes is over the limit of {limit}.", size=len(data), limit=MAX_ENTRY)
    try:
        message = _read_canonical(pb.Entry, data)
    except MalformedBody as error:
        raise Noise("These {size} bytes are no entry: {why}", size=len(data), why=error.message) from None
    if len(message.signature) != SIGNATURE_SIZE:
        raise Noise(
            "A signature has {right} bytes, not {size}.", right=SIGNATURE_SIZE, size=len(message.signature)
        )
    return SignedEntry(data, message.body, message.signature)


def read_body(body: bytes) -> pb.Body:
    """Parse the body of an entry; its payload is set. Raises `MalformedBody`."""
    message = _read_canonical(pb.Body, body)
    if message.WhichOneof("payload") is None:
        raise MalformedBody("the body carries no payload")
    return message


def place_of(data: bytes) -> tuple[int, int]:
    """Round and seat that a serialised entry claims to be of; ``(-1, -1)`` if it claims nothing readable."""
    try:
        body = pb.Body.FromString(pb.Entry.FromString(data).body)
    except DecodeError:
        return (-1, -1)
    return (body.round, body.seat)


def read_carried_note(data: bytes) -> pb.CarriedNote:
    """Take a note as it is sent without judging its body. Raises `Noise`.

    Canonical, so that whoever carries it in an entry signs nothing but what the protocol knows.
    """
    try:
        return _read_canonical(pb.CarriedNote, data)
    except MalformedBody as error:
        raise Noise("These {size} bytes are no note: {why}", size=len(data), why=error.message) from None


def read_note(body: bytes) -> pb.NoteBody:
    """Parse the body of a note. Raises `MalformedBody`."""
    return _read_canonical(pb.NoteBody, body)


def write_body(message: Message) -> bytes:
    """The canonical encoding of a body or note that this program makes itself."""
    return message.SerializeToString(deterministic=True)


def sign_entry(body: bytes, signer: Signer) -> bytes:
    """The serialised entry over ``body``."""
    return write_body(pb.Entry(body=body, signature=signer(tagged_bytes("entry", body))))


def sign_note(body: bytes, signer: Signer) -> pb.CarriedNote:
    """The signed note over ``body``, as it is sent and later carried in an entry."""
    return pb.CarriedNote(body=body, signature=signer(tagged_bytes("note", body)))


def note_signed_by(note: pb.CarriedNote, identity: bytes) -> bool:
    """Whether ``identity`` (32 bytes) has signed the note."""
    return verify(identity, tagged_bytes("note", note.body), note.signature)


def _read_canonical(kind: type[_M], data: bytes) -> _M:
    message = kind()
    try:
        message.ParseFromString(data)
    except DecodeError:
        raise MalformedBody("not a {kind} message", kind=kind.DESCRIPTOR.name) from None
    message.DiscardUnknownFields()
    if message.SerializeToString(deterministic=True) != data:
        raise MalformedBody("not the canonical encoding of a {kind} message", kind=kind.DESCRIPTOR.name)
    return message
