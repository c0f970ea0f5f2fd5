"""Vectors of what is hashed, signed and encoded: bytes as hex, inputs beside outputs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bcnet import hello, names
from bcnet.entry import read_entry, sign_entry, sign_note
from bcnet.hashing import tagged_bytes, tagged_hash, u32
from bcnet.log import Log
from bcnet.secrets import Secrets, commitment
from bcnet.signing import Identity, check_public, fingerprint, verify
from bcnet.table.membership import Member, Terms, host_context, offer_id, table_id
from bcnet.wire.v1 import table_pb2
from tests.vectors.make import edwards
from tests.vectors.make.scribe import GUEST, HOST, Scribe, fixed, identity

Json = dict[str, Any]
TABLE = fixed("table")
HEAD = fixed("head")


def files() -> Iterator[tuple[str, Json]]:
    """The name of each file and what stands in it."""
    yield "hashing", _hashing()
    yield "secrets", _secrets()
    yield "keys", _keys()
    yield "signatures", _signatures()
    yield "names", _names()
    yield "ids", _ids()
    yield "encoding", _encoding()
    yield "hello", _hello()


def _hashing() -> Json:
    lists: list[tuple[str, list[bytes]]] = [
        ("terms", []),
        ("terms", [b""]),
        ("terms", [b"ab", b"c"]),
        ("terms", [b"a", b"bc"]),
        ("head", [bytes(32), u32(7), b"x" * 300]),
    ]
    return {
        "hashes": [
            {
                "purpose": p,
                "parts": [x.hex() for x in parts],
                "bytes": tagged_bytes(p, *parts).hex(),
                "hash": tagged_hash(p, *parts).hex(),
            }
            for p, parts in lists
        ]
    }


def _secrets() -> Json:
    seed = fixed("seed")
    asked: list[tuple[str, bytes, int, int, bytes, int]] = [
        ("nonce", TABLE, 0, 0, b"", 32),
        ("chain", TABLE, 0, 0, b"", 32),
        ("shuffle", TABLE, 1, 0, HEAD, 32),
        ("shuffle", TABLE, 2, 0, HEAD, 32),
        ("shadow", TABLE, 1, 0, HEAD, 32),
        ("shadow", TABLE, 1, 39, HEAD, 32),
        ("refresh", TABLE, 1, 0, HEAD, 32),
        ("refresh-shadow", TABLE, 1, 39, HEAD, 32),
        ("equality", b"any statement", 0, 0, b"", 48),
        ("equality", b"any statement", 0, 1, b"", 48),
        ("salt", b"any choice", 0, 0, b"", 32),
    ]
    return {
        "secrets": [
            {
                "seed": seed.hex(),
                "purpose": purpose,
                "context": context.hex(),
                "epoch": epoch,
                "index": index,
                "head": head.hex(),
                "size": size,
                "info": tagged_bytes("secret", purpose.encode(), context, u32(epoch), u32(index), head).hex(),
                "secret": Secrets(seed)
                .derive(purpose, context=context, epoch=epoch, index=index, head=head, size=size)
                .hex(),
            }
            for purpose, context, epoch, index, head, size in asked
        ]
    }


# --- keys and signatures ---


def _mixed_key() -> tuple[int, bytes]:
    """A scalar and a key that is its point plus one of order 8: allowed, and a trap for other checks."""
    secret = int.from_bytes(fixed("mixed"), "big") % edwards.ORDER
    torsion = next(t for t in edwards.torsion() if edwards.times(4, t) != edwards.ZERO)
    return secret, edwards.encode(edwards.add(edwards.times(secret, edwards.BASE), torsion))


def _keys() -> Json:
    sound = [identity(HOST).public, identity(GUEST).public, Identity(bytes(32)).public, _mixed_key()[1]]
    small = sorted(edwards.encode(point) for point in edwards.torsion())
    sign = 1 << 255
    refused = [("small-order", key) for key in small]
    refused += [
        ("not-canonical", (edwards.P + 1).to_bytes(32, "little")),
        ("not-canonical", (edwards.P + 3).to_bytes(32, "little")),
        ("not-canonical", (edwards.P | sign).to_bytes(32, "little")),
        ("not-canonical", b"\xff" * 32),
        ("negative-zero", (1 | sign).to_bytes(32, "little")),
        ("negative-zero", (edwards.P - 1 | sign).to_bytes(32, "little")),
        ("not-on-curve", (2).to_bytes(32, "little")),
        ("wrong-length", bytes(31)),
        ("wrong-length", identity(HOST).public + b"\0"),
    ]
    for key in sound:
        check_public(key)
    return {
        "sound": [{"key": key.hex(), "fingerprint": fingerprint(key)} for key in sound],
        "refused": [{"key": key.hex(), "class": name} for name, key in refused],
    }


def _signatures() -> Json:
    ours = identity(GUEST)
    body = Scribe("sitting").honest(HOST).SerializeToString()
    message = tagged_bytes("entry", body)
    right = ours.sign_message(message)
    high = int.from_bytes(right[32:], "little") + edwards.ORDER
    scalar, mixed = _mixed_key()
    by_mixed = [
        edwards.sign(scalar, int.from_bytes(fixed("nonce", i), "big") % edwards.ORDER, mixed, message)
        for i in range(40)
    ]
    holds = next(s for s in by_mixed if verify(mixed, message, s))
    fails = next(s for s in by_mixed if not verify(mixed, message, s))
    small = bytes([1]) + bytes(31)
    listed: list[tuple[str, str, bytes, str, bytes, bool]] = [
        ("right", "entry", ours.public, "", right, True),
        ("right-for-note", "note", ours.public, "", ours.sign("note", body), True),
        ("other-tag", "note", ours.public, "", right, False),
        ("other-key", "entry", identity(HOST).public, "", right, False),
        ("flipped", "entry", ours.public, "", bytes([right[0] ^ 1]) + right[1:], False),
        ("high-s", "entry", ours.public, "", right[:32] + high.to_bytes(32, "little"), False),
        ("short", "entry", ours.public, "", right[:63], False),
        ("long", "entry", ours.public, "", right + b"\0", False),
        ("small-order-key", "entry", small, "", small + bytes(32), False),
        ("mixed-order-key", "entry", mixed, "holds without the cofactor", holds, True),
        ("mixed-order-key", "entry", mixed, "holds with the cofactor only", fails, False),
    ]
    return {
        "body": body.hex(),
        "signatures": [
            {
                "class": name,
                "tag": f"bcnet/1/{tag}",
                "key": key.hex(),
                "about": about,
                "signature": signature.hex(),
                "valid": valid,
            }
            for name, tag, key, about, signature, valid in listed
        ],
        "entry": {
            "private": fixed("identity", GUEST).hex(),
            "entry": sign_entry(body, ours.sign_message).hex(),
        },
        "note": {
            "private": fixed("identity", GUEST).hex(),
            "note": sign_note(body, ours.sign_message).SerializeToString().hex(),
        },
    }


def _names() -> Json:
    allowed = [
        "A",
        "x" * 32,
        "Zoë",
        "Zoe\u0308",
        "李明",
        "🎈" * 32,
        "a b",
        "a  b",
        "O'Neill",
        "-",
        "ﬃ",
        "\u0378",
        "\u2010",
        "¡",
        "\u00ae",
        "\u2027",
        "\u303f",
    ]
    refused = {
        "empty": "",
        "too-long": "x" * 33,
        "space-first": " a",
        "space-last": "a ",
        "only-space": " ",
        "tab": "a\tb",
        "nul": "a\0b",
        "delete": "a\x7fb",
        "c1": "a\x85b",
        "no-break-space": "a\u00a0b",
        "soft-hyphen": "a\u00adb",
        "zero-width": "a\u200bb",
        "joiner": "a\u200db",
        "bidi": "a\u202eb",
        "isolate": "a\u2066b",
        "line-separator": "a\u2028b",
        "ideographic-space": "a\u3000b",
        "filler": "\u3164",
        "braille-blank": "\u2800",
        "private": "a\ue000b",
        "non-character": "a\ufdd0b",
        "variation": "a\ufe0fb",
        "byte-order-mark": "\ufeffa",
        "annotation": "a\ufffbb",
        "plane-end": "a\U0001fffeb",
        "tag": "a\U000e0041b",
        "plane-16": "a\U00100000b",
    }
    for name in allowed:
        names.check_name(name)
    return {
        "allowed": [_escaped(name) for name in allowed],
        "refused": [{"class": why, "name": _escaped(name)} for why, name in refused.items()],
    }


def _escaped(text: str) -> str:
    """Names stand in the file as code points, so that no editor changes them."""
    return " ".join(f"{ord(character):04X}" for character in text)


def _ids() -> Json:
    scribe = Scribe("ids").play(lambda s: s.round == 3)
    course = scribe.course
    assert course.terms is not None
    host, guest = course.members
    terms = [Terms("balloon-cup", 2, (("fill", fill),)) for fill in ("designer", "blind", "capped")]
    terms.append(Terms("balloon-cup", 2, (("fill", "designer"), ("private-hands", "on"))))
    log = Log()
    heads = []
    bodies: list[list[bytes]] = []
    for number in range(3):
        here = scribe.table.log[number]
        for seat, entry in here.entries.items():
            log.add(seat, read_entry(entry.data))
        bodies.append([entry.body for entry in here.in_seat_order()])
        log.close()
        heads.append(log.head)
    three = [Member(fixed("key", i), fixed("nonce", i), fixed("commitment", i), "x") for i in range(3)]
    return {
        "terms": [
            {"game": t.game, "seats": t.seats, "options": dict(t.options), "hash": t.hash.hex()}
            for t in terms
        ],
        "host": {
            "terms": course.terms.hash.hex(),
            "seed": scribe.secrets[HOST].seed.hex(),
            "identity": host.identity.hex(),
            "nonce": host.nonce.hex(),
            "host_context": host_context(course.terms, host.nonce).hex(),
            "commitment": host.commitment.hex(),
            "offer": course.offer_id.hex(),
        },
        "guest": {
            "seed": scribe.secrets[GUEST].seed.hex(),
            "identity": guest.identity.hex(),
            "nonce": guest.nonce.hex(),
            "commitment": commitment(
                course.offer_id, GUEST, guest.identity, scribe.secrets[GUEST].seed
            ).hex(),
            "table": course.table_id.hex(),
        },
        "two_guests": {
            "terms": terms[0].hash.hex(),
            "members": [
                {"identity": m.identity.hex(), "nonce": m.nonce.hex(), "commitment": m.commitment.hex()}
                for m in three
            ],
            "offer": offer_id(terms[0], three[0]).hex(),
            "table": table_id(offer_id(terms[0], three[0]), three[1:]).hex(),
        },
        "heads": [
            {"round": n, "bodies": [b.hex() for b in bodies[n]], "head": heads[n].hex()} for n in range(3)
        ],
    }


def _encoding() -> Json:
    """Bodies that are canonical though they do not look like it; those that are not are among the transcripts."""
    place = bytes.fromhex("0801") + b"\x12\x20" + TABLE + bytes.fromhex("1805") + b"\x2a\x20" + HEAD
    canonical = {
        "resign with an empty message": place + bytes.fromhex("d20100"),
        "response with an empty seed: a set member of a oneof is written": place
        + bytes.fromhex("aa01040a020a00"),
        "response that is empty": place + bytes.fromhex("aa01020a00"),
        "responses without any": place + bytes.fromhex("aa0100"),
        "act without an action": place + bytes.fromhex("ba0100"),
        "opening of slot 0 and card 0 with an empty proof": place + bytes.fromhex("ba010412021a00"),
        "unmasked card without point and proof": place + bytes.fromhex("b201020a00"),
        "shuffle with an empty point": place + bytes.fromhex("9a01020a00"),
        "offer without terms": bytes.fromhex("0801820100"),
        "offer with empty terms": bytes.fromhex("08018201020a00"),
        "round of 2^32 - 1": bytes.fromhex("0801") + bytes.fromhex("18ffffffff0f") + bytes.fromhex("d20100"),
    }
    return {"canonical": [{"about": about, "body": body.hex()} for about, body in canonical.items()]}


def _hello() -> Json:
    guest = hello.make_hello(
        hello.Role.GUEST, identity(GUEST).public, fixed("nonce", GUEST), b"", "0.1.0", "Bob"
    )
    host = hello.make_hello(
        hello.Role.HOST, identity(HOST).public, fixed("nonce", HOST), fixed("offer"), "0.1.0", "Ann"
    )
    listed = []
    for role, seat in ((hello.Role.GUEST, GUEST), (hello.Role.HOST, HOST)):
        for print_ in (b"", fixed("certificate")):
            proof = hello.sign_hello(guest, host, role, print_, identity(seat).sign_message)
            hello.check_proof(guest, host, role, print_, proof)
            signed = _signed_hello(guest, host, role, print_)
            assert verify(identity(seat).public, signed, proof.signature)
            listed.append(
                {
                    "signed_by": role.name.lower(),
                    "fingerprint": print_.hex(),
                    "bytes": signed.hex(),
                    "signature": proof.signature.hex(),
                }
            )
    return {
        "guest": guest.SerializeToString().hex(),
        "host": host.SerializeToString().hex(),
        "proofs": listed,
    }


def _signed_hello(guest: table_pb2.Hello, host: table_pb2.Hello, role: hello.Role, print_: bytes) -> bytes:
    parts: list[bytes] = []
    for side in (guest, host):
        parts += [u32(side.protocol), side.program.encode(), side.identity, side.nonce, side.table]
        parts.append(side.name.encode())
    return tagged_bytes("hello", *parts, u32(role), print_)
