"""Transcripts whose fault lies in the form of an entry, or in the rounds before the cards: offer, join, ready."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bcnet.entry import write_body
from bcnet.hashing import tagged_bytes
from bcnet.table.faults import FaultKind
from bcnet.table.rounds import Kind
from bcnet.wire.v1 import log_pb2 as pb
from tests.vectors.make.case import Case, cheated, incomplete, unreadable
from tests.vectors.make.scribe import GUEST, HOST, Scribe, fixed

ED25519_ORDER = 2**252 + 27742317777372353535851937790883648493
IDENTITY_POINT = bytes([1]) + bytes(31)


def cases() -> Iterator[Case]:
    yield from _offers()
    yield from _joins()
    yield from _ready()
    yield from _malformed()
    yield from _unsigned()


def _offers() -> Iterator[Case]:
    scribe = Scribe("sitting")

    def spoilt(spoil: Callable[[pb.Offer], None]) -> list[bytes]:
        body = scribe.honest(HOST)
        spoil(body.offer)
        return [scribe.entry(HOST, body)]

    def unsound(offer: pb.Offer) -> None:
        offer.host.identity = IDENTITY_POINT

    small = pb.Entry(
        body=pb.Entry.FromString(spoilt(unsound)[0]).body, signature=IDENTITY_POINT + bytes(32)
    ).SerializeToString()

    def set_to(field: str, value: object) -> Callable[[pb.Offer], None]:
        return lambda offer: setattr(offer.host, field, value)

    def with_option(key: str, value: str) -> Callable[[pb.Offer], None]:
        def change(offer: pb.Offer) -> None:
            offer.terms.options[0].key, offer.terms.options[0].value = key, value

        return change

    yield unreadable(
        "offer-key-of-small-order", "the identity point as a key: this signature fits every message", [small]
    )
    yield unreadable("offer-name-forbidden", "a name with a bidi control", spoilt(set_to("name", "A\u202eb")))
    yield unreadable("offer-name-too-long", "a name of 33 characters", spoilt(set_to("name", "x" * 33)))
    yield unreadable("offer-nonce-short", "a nonce of 31 bytes", spoilt(set_to("nonce", bytes(31))))
    yield unreadable(
        "offer-unknown-game", "a game that nobody has", spoilt(lambda o: setattr(o.terms, "game", "chess"))
    )
    yield unreadable(
        "offer-three-seats", "a game for two, for three", spoilt(lambda o: setattr(o.terms, "seats", 3))
    )
    yield unreadable(
        "offer-unknown-option", "an option value that the game has not", spoilt(with_option("fill", "rigged"))
    )
    yield unreadable("offer-option-missing", "no options", spoilt(lambda o: o.terms.ClearField("options")))
    yield unreadable(
        "offer-option-twice",
        "the option stands there twice",
        spoilt(lambda o: o.terms.options.append(pb.Option(key="fill", value="blind"))),
    )
    yield unreadable(
        "offer-private-hands-off",
        "a table without private hands does not name them",
        spoilt(lambda o: o.terms.options.append(pb.Option(key="private-hands", value="off"))),
    )
    scribe.say(HOST)
    yield incomplete("offer", "an offer that nobody took", scribe.entries, 1, Kind.JOIN, [GUEST])


def _joins() -> Iterator[Case]:
    scribe = Scribe("sitting").play(lambda s: s.kind is Kind.JOIN)

    def spoilt(spoil: Callable[[pb.Body], None], signer: int = GUEST) -> list[bytes]:
        body = scribe.honest(GUEST)
        spoil(body)
        return [*scribe.entries, scribe.entry(signer, body)]

    def copy_commitment(body: pb.Body) -> None:
        body.join.guest.commitment = scribe.member(HOST).commitment

    def other(field: str, value: object) -> Callable[[pb.Body], None]:
        return lambda body: setattr(body, field, value)

    yield unreadable(
        "join-copied-commitment", "the guest's commitment is the host's", spoilt(copy_commitment)
    )
    yield unreadable(
        "join-other-offer", "a join that names another offer", spoilt(other("table", fixed("offer")))
    )
    yield unreadable(
        "join-other-head", "a join on top of another offer's head", spoilt(other("head", fixed("head")))
    )
    yield unreadable("join-seat-0", "a join for the host's seat", spoilt(other("seat", 0)))
    yield unreadable(
        "join-wrong-signer", "signed with the host's key, not the one it names", spoilt(lambda _: None, HOST)
    )
    scribe.say(GUEST)
    yield incomplete("join", "both have sat down", scribe.entries, 2, Kind.READY, [HOST, GUEST])


def _ready() -> Iterator[Case]:
    scribe = Scribe("sitting").play(lambda s: s.kind is Kind.READY)

    def spoilt(seat: int, spoil: Callable[[pb.Body], None]) -> list[bytes]:
        body = scribe.honest(seat)
        spoil(body)
        return [*scribe.entries, scribe.entry(seat, body)]

    yield cheated(
        "tip-short",
        "a chain tip of 31 bytes",
        spoilt(HOST, lambda b: setattr(b.ready, "tip", bytes(31))),
        HOST,
        2,
        FaultKind.CHAIN,
    )
    resign = scribe.body(HOST, Kind.RESIGN, pb.Resign())
    yield cheated(
        "resigns-too-early",
        "nobody can resign before the first shuffle",
        [*scribe.entries, scribe.entry(HOST, resign)],
        HOST,
        2,
        FaultKind.WRONG_KIND,
    )
    offer = scribe.body(
        HOST, Kind.OFFER, pb.Offer(terms=scribe.terms().message(), host=scribe.member(HOST).message())
    )
    yield cheated(
        "second-offer",
        "an offer under the table id",
        [*scribe.entries, scribe.entry(HOST, offer)],
        HOST,
        2,
        FaultKind.WRONG_KIND,
    )
    scribe.say(HOST)
    tip = pb.Body.FromString(pb.Entry.FromString(scribe.entries[-1]).body).ready.tip
    yield unreadable(
        "ready-copied-tip",
        "the guest's chain tip is the host's",
        spoilt(GUEST, lambda b: setattr(b.ready, "tip", tip)),
    )
    yield incomplete("ready", "one chain tip of two", scribe.entries, 2, Kind.READY, [GUEST])
    again = scribe.entry(HOST, scribe.body(HOST, Kind.READY, pb.Ready(tip=fixed("another tip"))))
    yield cheated(
        "open-round",
        "two different chain tips of one seat, in the round that is open",
        [*scribe.entries, again],
        HOST,
        2,
        FaultKind.EQUIVOCATION,
    )
    scribe.say(GUEST)
    yield cheated(
        "closed-round",
        "two different chain tips of one seat, the second after the round was closed",
        [*scribe.entries, again],
        HOST,
        2,
        FaultKind.EQUIVOCATION,
    )
    same = pb.Entry(body=pb.Entry.FromString(scribe.entries[-1]).body, signature=fixed("r") + bytes(32))
    yield unreadable(
        "entry-twice", "the last entry stands there twice", [*scribe.entries, scribe.entries[-1]]
    )
    yield unreadable(
        "entry-twice-false-signature",
        "the last body once more under a signature that does not hold",
        [*scribe.entries, same.SerializeToString()],
    )
    share = scribe.body(GUEST, Kind.SHARE, pb.Share(link=fixed("link")))
    yield cheated(
        "out-of-turn",
        "the guest speaks in the round that awaits the host's shuffle",
        [*scribe.entries, scribe.entry(GUEST, share)],
        GUEST,
        3,
        FaultKind.NOT_AWAITED,
    )
    yield incomplete("shuffle", "nothing is shuffled yet", scribe.entries, 3, Kind.SHUFFLE, [HOST])


def _malformed() -> Iterator[Case]:
    """One signed body in every way in which an encoding can fail to be canonical."""
    scribe = Scribe("sitting").play(lambda s: s.kind is Kind.READY)
    scribe.say(HOST)
    honest = write_body(scribe.honest(GUEST))
    table, head = scribe.course.table_id, scribe.table.log.head
    start = b"\x08\x01\x12\x20" + table
    seat_and_head = b"\x20\x01\x2a\x20" + head
    ready = honest[len(start) + 2 + len(seat_and_head) :]
    assert honest == start + b"\x18\x02" + seat_and_head + ready
    tip = ready[-32:]
    bodies = {
        "unknown-field": ("a field that no message has", honest + b"\xf8\x07\x01"),
        "unknown-field-inside": (
            "a field in Ready that it has not",
            honest[: -len(ready)] + b"\x92\x01\x24" + ready[3:] + b"\x10\x01",
        ),
        "long-varint": (
            "the round in two bytes where one is enough",
            start + b"\x18\x82\x00" + seat_and_head + ready,
        ),
        "wide-varint": (
            "a round of more than 32 bits",
            start + b"\x18\x82\x80\x80\x80\x10" + seat_and_head + ready,
        ),
        "long-length": (
            "a length in two bytes where one is enough",
            b"\x08\x01\x12\xa0\x00" + table + b"\x18\x02" + seat_and_head + ready,
        ),
        "default-written": ("seat 0 written out", start + b"\x18\x02\x20\x00\x2a\x20" + head + ready),
        "order": ("the head before the seat", start + b"\x18\x02\x2a\x20" + head + b"\x20\x01" + ready),
        "field-twice": ("the round twice", start + b"\x18\x02\x18\x02" + seat_and_head + ready),
        "two-payloads": ("two payloads", honest + b"\xa2\x01\x22\x0a\x20" + tip),
        "no-payload": ("no payload", honest[: -len(ready)]),
        "wrong-wire-type": ("the head as a group", start + b"\x18\x02\x20\x01\x2b\x2c" + ready),
        "trailing-bytes": ("bytes after the last field", honest + b"\x00"),
        "cut": ("the last byte is missing", honest[:-1]),
        "empty": ("nothing at all", b""),
        "text-not-utf8": (
            "an action that is no UTF-8",
            start + b"\x18\x02" + seat_and_head + b"\xba\x01\x03\x0a\x01\xff",
        ),
        "text-surrogate": (
            "an action with a surrogate",
            start + b"\x18\x02" + seat_and_head + b"\xba\x01\x05\x0a\x03\xed\xa0\x80",
        ),
    }
    for name, (about, body) in bodies.items():
        yield cheated(
            name, about, [*scribe.entries, scribe.entry(GUEST, body)], GUEST, 2, FaultKind.MALFORMED
        )


def _unsigned() -> Iterator[Case]:
    """Entries that are nobody's: they convict no one, and the file is unreadable."""
    scribe = Scribe("sitting").play(lambda s: s.kind is Kind.READY)
    scribe.say(HOST)
    honest = scribe.honest(GUEST)
    entry = pb.Entry.FromString(scribe.entry(GUEST, honest))

    def with_signature(signature: bytes) -> list[bytes]:
        return [*scribe.entries, pb.Entry(body=entry.body, signature=signature).SerializeToString()]

    def changed(field: str, value: object, seat: int = GUEST) -> list[bytes]:
        body = pb.Body()
        body.CopyFrom(honest)
        setattr(body, field, value)
        return [*scribe.entries, scribe.entry(seat, body)]

    high = int.from_bytes(entry.signature[32:], "little") + ED25519_ORDER
    flipped = bytes([entry.signature[0] ^ 1]) + entry.signature[1:]
    as_note = scribe.identities[GUEST].sign_message(tagged_bytes("note", entry.body))
    stranger = pb.Entry(body=entry.body[:-1], signature=fixed("r") + bytes(32)).SerializeToString()
    yield unreadable("signature-flipped", "one bit of a signature", with_signature(flipped))
    yield unreadable(
        "signature-high-s",
        "S of a signature, plus the order of the group",
        with_signature(entry.signature[:32] + high.to_bytes(32, "little")),
    )
    yield unreadable("signature-of-note", "signed under the tag of a note", with_signature(as_note))
    yield unreadable("signature-short", "a signature of 63 bytes", with_signature(entry.signature[:-1]))
    yield unreadable("signature-of-other-seat", "the host signs for the guest", changed("seat", GUEST, HOST))
    yield unreadable(
        "entry-of-other-table", "rightly signed, for another table", changed("table", fixed("table"))
    )
    yield unreadable("entry-of-seat-2", "a seat that the table has not", changed("seat", 2))
    yield unreadable(
        "entry-of-later-round", "rightly signed, for round 3 while round 2 is open", changed("round", 3)
    )
    yield unreadable("entry-of-version-2", "rightly signed, in another version", changed("version", 2))
    yield unreadable("body-of-nobody", "a cut body that no seat has signed", [*scribe.entries, stranger])
    data = scribe.entry(GUEST, honest)
    yield unreadable(
        "entry-unknown-field", "a field in Entry that it has not", [*scribe.entries, data + b"\x18\x01"]
    )
    scribe.say(GUEST)
    offer, join, first, second = scribe.entries
    yield unreadable("order", "seat 1 before seat 0 within a round", [offer, join, second, first], 4)
    yield incomplete(
        "other-history",
        "the last entry was signed on top of another log of this table",
        [offer, join, first, changed("head", fixed("head"))[-1]],
        2,
        Kind.READY,
        [GUEST],
    )
    yield unreadable(
        "other-history-goes-on",
        "an entry on top of another log, and more entries after it",
        [offer, join, first, changed("head", fixed("head"))[-1], second],
        4,
    )
    yield unreadable(
        "gap",
        "an entry is missing in the middle",
        [offer, join, second, scribe.entry(HOST, scribe.honest(HOST))],
        4,
    )
