"""Transcripts whose fault lies in the set-up: shuffles, shares, responses, unmaskings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256

from bcnet.fairness import equality, steps
from bcnet.fairness.errors import Flaw
from bcnet.fairness.group import CURVE_A, CURVE_B, FIELD, GENERATOR, ORDER, Multiplier, Point, inverse
from bcnet.table.faults import FaultKind
from bcnet.table.payloads import write_equality, write_responses, write_shuffle
from bcnet.table.rounds import Kind
from bcnet.wire.v1 import log_pb2 as pb
from tests.vectors.make.case import Case, cheated, incomplete
from tests.vectors.make.scribe import GUEST, HOST, Scribe, fixed

Spoil = Callable[[pb.Body], None]


def cases() -> Iterator[Case]:
    scribe = Scribe("dealing").play(lambda s: s.kind is Kind.SHUFFLE)
    scribe.say(HOST)
    yield from _shuffle(scribe)
    scribe.say(GUEST)
    yield from _share(scribe)
    scribe.play(lambda s: s.kind is Kind.RESPONSES)
    yield from _responses(scribe)
    scribe.play(lambda s: s.kind is Kind.UNMASK)
    yield from _unmask(scribe)
    yield from _no_shuffle()


def spoilt(scribe: Scribe, seat: int, spoil: Spoil) -> list[bytes]:
    """All entries so far, and the one that is due from ``seat`` with something changed in it."""
    body = scribe.honest(seat)
    spoil(body)
    return [*scribe.entries, scribe.entry(seat, body)]


def off_curve() -> bytes:
    """The first hash that is below p and no x-coordinate of the curve."""
    counter = 0
    while True:
        candidate = sha256(f"off the curve {counter}".encode()).digest()
        x = int.from_bytes(candidate, "big")
        if x < FIELD and pow(x**3 + CURVE_A * x + CURVE_B, (FIELD - 1) // 2, FIELD) == FIELD - 1:
            return candidate
        counter += 1


NOT_BELOW_P = (FIELD + 5).to_bytes(32, "big")
"""5 is the x-coordinate of a point; this is the same number modulo p, 32 bytes long."""


def _shuffle(scribe: Scribe) -> Iterator[Case]:
    deck = scribe.course.deck
    assert deck is not None
    card = deck.card_points[3].x
    key_of_host = deck.epoch.shuffles[HOST].claim.new_key.x

    def point(index: int, value: bytes) -> Spoil:
        def change(body: pb.Body) -> None:
            body.shuffle.points[index] = value

        return change

    def shadow(index: int, value: bytes) -> Spoil:
        def change(body: pb.Body) -> None:
            body.shuffle.shadows[index] = value

        return change

    def key(value: bytes) -> Spoil:
        return lambda body: setattr(body.shuffle, "key", value)

    def first_twice(body: pb.Body) -> None:
        body.shuffle.points[44] = body.shuffle.points[0]

    def first_shadow_twice(body: pb.Body) -> None:
        body.shuffle.shadows[39] = body.shuffle.shadows[0]

    spoils: dict[str, tuple[str, Spoil, Flaw]] = {
        "point-missing": ("44 points", lambda b: b.shuffle.points.__delitem__(44), Flaw.WRONG_LENGTH),
        "point-short": ("a point of 31 bytes", point(7, bytes(31)), Flaw.WRONG_LENGTH),
        "point-not-below-p": ("x = p + 5 in 32 bytes", point(7, NOT_BELOW_P), Flaw.POINT_NON_CANONICAL),
        "point-off-curve": ("no point has this x", point(7, off_curve()), Flaw.POINT_OFF_CURVE),
        "point-twice": ("one point at two positions", first_twice, Flaw.DUPLICATE_POINT),
        "card-point": ("a bare card point in the list", point(7, card), Flaw.CARD_POINT_IN_LIST),
        "key-generator": ("the key point is G", key(GENERATOR.x), Flaw.KEY_REUSED),
        "key-of-host": ("the key point is the host's", key(key_of_host), Flaw.KEY_REUSED),
        "key-off-curve": ("no point has the key's x", key(off_curve()), Flaw.POINT_OFF_CURVE),
        "shadow-missing": ("39 shadows", lambda b: b.shuffle.shadows.__delitem__(39), Flaw.WRONG_LENGTH),
        "shadow-short": ("a commitment of 31 bytes", shadow(3, bytes(31)), Flaw.WRONG_LENGTH),
        "shadow-twice": ("two shadows with one commitment", first_shadow_twice, Flaw.DUPLICATE_SHADOW),
    }
    for name, (about, spoil, flaw) in spoils.items():
        yield cheated(name, about, spoilt(scribe, GUEST, spoil), GUEST, scribe.round, FaultKind.SHUFFLE, flaw)


def _share(scribe: Scribe) -> Iterator[Case]:
    def link(value: bytes) -> Spoil:
        return lambda body: setattr(body.share, "link", value)

    tip = scribe.course.tips[GUEST]
    spoils: dict[str, tuple[str, bytes, Flaw]] = {
        "link-made-up": ("a share that does not continue the chain", fixed("link"), Flaw.BAD_LINK),
        "link-of-before": ("the chain tip once more as a share", tip, Flaw.BAD_LINK),
        "link-short": ("a share of 31 bytes", bytes(31), Flaw.WRONG_LENGTH),
    }
    yield incomplete(
        "share", "no share of the beacon", scribe.entries, scribe.round, Kind.SHARE, [HOST, GUEST]
    )
    scribe.say(HOST)
    yield incomplete("last-share", "one share of two", scribe.entries, scribe.round, Kind.SHARE, [GUEST])
    for name, (about, value, flaw) in spoils.items():
        yield cheated(
            name, about, spoilt(scribe, GUEST, link(value)), GUEST, scribe.round, FaultKind.CHAIN, flaw
        )


def _responses(scribe: Scribe) -> Iterator[Case]:
    bits = scribe.course.challenges[HOST]
    zero, one = bits.index(0), bits.index(1)

    def bridge(**fields: bytes) -> Spoil:
        def change(body: pb.Body) -> None:
            for field, value in fields.items():
                setattr(body.responses.responses[one].bridge, field, value)

        return change

    def first(**fields: bytes) -> Spoil:
        def change(body: pb.Body) -> None:
            for field, value in fields.items():
                setattr(body.responses.responses[zero], field, value)

        return change

    def other_kind(body: pb.Body) -> None:
        body.responses.responses[one].seed = fixed("seed")

    def empty(body: pb.Body) -> None:
        body.responses.responses[zero].Clear()

    def swapped(body: pb.Body) -> None:
        answer = body.responses.responses[one].bridge
        permutation = bytearray(answer.permutation)
        permutation[0], permutation[1] = permutation[1], permutation[0]
        answer.permutation = bytes(permutation)

    def twice(body: pb.Body) -> None:
        answer = body.responses.responses[one].bridge
        answer.permutation = answer.permutation[1:2] + answer.permutation[1:]

    honest = scribe.honest(HOST).responses.responses[one].bridge.permutation
    beyond = bytes(45 if index == 44 else index for index in honest)
    spoils: dict[str, tuple[str, Spoil, Flaw | None]] = {
        "one-missing": ("39 responses", lambda b: b.responses.responses.__delitem__(39), Flaw.WRONG_LENGTH),
        "none": ("no responses", lambda b: b.responses.ClearField("responses"), Flaw.WRONG_LENGTH),
        "empty": ("a response that is neither kind", empty, None),
        "other-kind": ("a seed where a bridge is asked for", other_kind, Flaw.WRONG_ANSWER),
        "seed-made-up": (
            "a seed that does not give the shadow",
            first(seed=fixed("seed")),
            Flaw.BAD_SHADOW_SEED,
        ),
        "seed-short": ("a shadow's seed of 31 bytes", first(seed=bytes(31)), Flaw.WRONG_LENGTH),
        "seed-empty": ("a shadow's seed of no bytes", first(seed=b""), Flaw.WRONG_LENGTH),
        "scalar-made-up": (
            "a scalar that does not lead to the shadow",
            bridge(scalar=fixed("scalar")),
            Flaw.BAD_BRIDGE,
        ),
        "scalar-zero": ("a scalar of zero", bridge(scalar=bytes(32)), Flaw.SCALAR_OUT_OF_RANGE),
        "scalar-order": ("a scalar of n", bridge(scalar=ORDER.to_bytes(32, "big")), Flaw.SCALAR_OUT_OF_RANGE),
        "scalar-short": ("a scalar of 31 bytes", bridge(scalar=bytes(31)), Flaw.WRONG_LENGTH),
        "permutation-swapped": (
            "two positions of a permutation have changed places",
            swapped,
            Flaw.BAD_BRIDGE,
        ),
        "permutation-entry-twice": ("a permutation with an entry twice", twice, Flaw.BAD_PERMUTATION),
        "permutation-entry-beyond": (
            "a permutation with an entry of 45",
            bridge(permutation=beyond),
            Flaw.BAD_PERMUTATION,
        ),
        "permutation-short": (
            "a permutation of 44 bytes",
            bridge(permutation=bytes(range(44))),
            Flaw.WRONG_LENGTH,
        ),
    }
    for name, (about, spoil, flaw) in spoils.items():
        yield cheated(name, about, spoilt(scribe, HOST, spoil), HOST, scribe.round, FaultKind.RESPONSES, flaw)
    scribe.say(HOST)
    yield incomplete("responses", "one proof of two", scribe.entries, scribe.round, Kind.RESPONSES, [GUEST])


def _no_shuffle() -> Iterator[Case]:
    """A list that is no shuffle, with shadows of the shuffle that it pretends to be: a card twice, and one gone."""
    scribe = Scribe("no shuffle").play(lambda s: s.kind is Kind.SHUFFLE)
    scribe.say(HOST)
    deck = scribe.course.deck
    assert deck is not None
    here = scribe.table.log.open
    step, shadows = deck.step_seeds(scribe.secrets[GUEST], 1, here.head)
    context = deck.step_context(GUEST, here.number, here.head)
    published = steps.publish(context, step, shadows, deck.epoch.points, GENERATOR)
    doubled = Multiplier(2).mask(Point(published.points[1])).x
    forged = steps.Published((doubled, *published.points[1:]), published.key, published.shadows)
    scribe.say(GUEST, scribe.body(GUEST, Kind.SHUFFLE, write_shuffle(forged)))
    scribe.play(lambda s: s.kind is Kind.RESPONSES)
    scribe.say(HOST)
    answers = steps.respond(step, shadows, len(deck.card_points), scribe.course.challenges[GUEST])
    body = scribe.body(GUEST, Kind.RESPONSES, write_responses(answers))
    yield cheated(
        "card-doubled",
        "a position holds twice the point of another: no shuffle, with the honest shadows of one",
        [*scribe.entries, scribe.entry(GUEST, body)],
        GUEST,
        scribe.round,
        FaultKind.RESPONSES,
        Flaw.BAD_BRIDGE,
    )


def _unmask(scribe: Scribe) -> Iterator[Case]:
    scribe.say(HOST)
    deck = scribe.course.deck
    assert deck is not None
    here, before = scribe.table.log.open, scribe.table.log[scribe.round - 1]
    secrets, epoch = scribe.secrets[GUEST], deck.epoch.number
    scalar = deck.move(secrets, GUEST, epoch).scalar
    slot = deck.slot(deck.pending(GUEST)[0])

    def proven(wrong: int, round_: int, head: bytes) -> Spoil:
        after = Multiplier(inverse(wrong)).mask(slot.point)
        statement = deck.unmask_statement(GUEST, round_, head, slot, after)
        proof = write_equality(equality.prove(secrets, statement, wrong))

        def change(body: pb.Body) -> None:
            body.unmask.cards[0].point = after.x
            body.unmask.cards[0].proof.CopyFrom(proof)

        return change

    def proof_field(field: str, value: bytes) -> Spoil:
        return lambda body: setattr(body.unmask.cards[0].proof, field, value)

    def point(value: bytes) -> Spoil:
        return lambda body: setattr(body.unmask.cards[0], "point", value)

    def swapped(body: pb.Body) -> None:
        one, other = pb.Unmasked(), pb.Unmasked()
        one.CopyFrom(body.unmask.cards[0])
        other.CopyFrom(body.unmask.cards[1])
        body.unmask.cards[0].CopyFrom(other)
        body.unmask.cards[1].CopyFrom(one)

    spoils: dict[str, tuple[str, Spoil, Flaw]] = {
        "one-missing": (
            "seven cards where eight are due",
            lambda b: b.unmask.cards.__delitem__(7),
            Flaw.WRONG_LENGTH,
        ),
        "other-key": (
            "a mask of another key, with an honest proof for that key",
            proven(scalar + 1, here.number, here.head),
            Flaw.BAD_EQUALITY,
        ),
        "proof-of-other-round": (
            "a right mask with a proof made for the round before",
            proven(scalar, before.number, before.head),
            Flaw.BAD_EQUALITY,
        ),
        "positions-swapped": ("two right unmaskings in the place of each other", swapped, Flaw.BAD_EQUALITY),
        "point-off-curve": ("no point has this x", point(off_curve()), Flaw.POINT_OFF_CURVE),
        "point-not-below-p": ("x = p + 5 in 32 bytes", point(NOT_BELOW_P), Flaw.POINT_NON_CANONICAL),
        "proof-first-not-below-p": (
            "R1 is not below p",
            proof_field("first", NOT_BELOW_P),
            Flaw.POINT_NON_CANONICAL,
        ),
        "proof-second-short": ("R2 of 31 bytes", proof_field("second", bytes(31)), Flaw.WRONG_LENGTH),
        "proof-answer-zero": ("s is zero", proof_field("answer", bytes(32)), Flaw.SCALAR_OUT_OF_RANGE),
        "proof-answer-order": (
            "s is n",
            proof_field("answer", ORDER.to_bytes(32, "big")),
            Flaw.SCALAR_OUT_OF_RANGE,
        ),
        "proof-answer-missing": (
            "s is not there",
            lambda b: b.unmask.cards[0].proof.ClearField("answer"),
            Flaw.WRONG_LENGTH,
        ),
        "proof-missing": ("no proof", lambda b: b.unmask.cards[0].ClearField("proof"), Flaw.WRONG_LENGTH),
    }
    for name, (about, spoil, flaw) in spoils.items():
        yield cheated(name, about, spoilt(scribe, GUEST, spoil), GUEST, scribe.round, FaultKind.UNMASK, flaw)
    bad = spoilt(scribe, GUEST, spoils["proof-of-other-round"][1])
    yield cheated(
        "noise-after",
        "a proof that does not hold, and the entry once more: the fault counts, not what comes after it",
        [*bad, bad[-1]],
        GUEST,
        scribe.round,
        FaultKind.UNMASK,
        Flaw.BAD_EQUALITY,
    )
    yield incomplete(
        "unmask", "the guest's cards cannot be seen yet", scribe.entries, scribe.round, Kind.UNMASK, [GUEST]
    )
