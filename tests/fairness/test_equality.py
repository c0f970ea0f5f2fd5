"""One multiplier for two pairs: the polynomial on tiny curves, the proof, and proofs of what is not so."""

from __future__ import annotations

import dataclasses
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bcnet.fairness import equality
from bcnet.fairness.equality import Equality, Purpose, Statement, prove, related, verify
from bcnet.fairness.errors import Flaw, Invalid
from bcnet.fairness.group import FIELD, GENERATOR, ORDER, Multiplier, Point, card_points
from bcnet.secrets import Secrets
from tests.fairness import plain
from tests.fairness.joint import some_bytes

SECRETS = Secrets(some_bytes("seed"))
SCALAR = 0x1234567890ABCDEF1234567890ABCDEF1234567890ABCDEF
CARDS = card_points("test", "cards", 4)


def statement(scalar: int = SCALAR, **changes: object) -> Statement:
    """That one card and the generator were multiplied by the same scalar."""
    multiplier = Multiplier(scalar)
    true = Statement(
        table_id=some_bytes("table"),
        head=some_bytes("head"),
        round=11,
        seat=1,
        purpose=Purpose.OPEN,
        epoch=1,
        slot=7,
        face=0,
        base=CARDS[0],
        result=multiplier.mask(CARDS[0]),
        key=GENERATOR,
        new_key=multiplier.mask(GENERATOR),
    )
    return dataclasses.replace(true, **changes)  # type: ignore[arg-type]


TRUE = statement()
PROOF = prove(SECRETS, TRUE, SCALAR)


def kind_of(claim: Statement, proof: Equality) -> Flaw:
    """The flaw of a proof."""
    with pytest.raises(Invalid) as caught:
        verify(claim, proof)
    return caught.value.kind


# --- the polynomial, exhaustively ---

TINY = [
    plain.Curve(p, a, b)
    for p in (5, 7, 11, 13, 17, 19, 23)
    for a in (-3 % p, 1)
    for b in range(1, p)
    if (4 * a**3 + 27 * b * b) % p
]


def prime(number: int) -> bool:
    """Whether a small number is a prime."""
    return number > 1 and all(number % divisor for divisor in range(2, number))


PRIME_ORDER = [curve for curve in TINY if len(curve.points()) + 1 > 3 and prime(len(curve.points()) + 1)]


def test_there_are_tiny_curves_of_prime_order() -> None:
    assert len(PRIME_ORDER) >= 20


@pytest.mark.parametrize("curve", PRIME_ORDER, ids=str)
def test_the_polynomial_is_exact_for_all_inputs(curve: plain.Curve) -> None:
    """For all x1, x2 of points and every x3 of the field, on the curve or not.

    The verifier computes x1 and x2 himself; x3 is whatever the other sent.
    """
    points = curve.points()
    sums: dict[tuple[int, int], set[int]] = {}
    for one, other in product(points, points):
        total = curve.added(one, other)
        if total is not None:
            sums.setdefault((one[0], other[0]), set()).add(total[0])
    for (x1, x2), right in sums.items():
        found = {x3 for x3 in range(curve.p) if related(x1, x2, x3, a=curve.a, b=curve.b, p=curve.p)}
        assert found == right, (x1, x2)


@pytest.mark.parametrize("curve", [max(PRIME_ORDER, key=lambda curve: len(curve.points()))], ids=str)
def test_a_false_statement_survives_at_most_eight_challenges(curve: plain.Curve) -> None:
    """Over a whole tiny curve: all g, k, R1 and R2, off the curve too. True statements pass, whatever the
    signs."""
    points = curve.points()
    order = len(points) + 1
    base = points[0]
    x = [0] + [point[0] for scalar in range(1, order) if (point := curve.times(scalar, base)) is not None]
    classes = range(1, (order + 1) // 2)  # multipliers but for the sign

    def passing(multiplier: int, nonce: int) -> dict[int, set[int]]:
        """For each challenge the answers that satisfy one of the two equations."""
        return {
            c: {
                s
                for s in range(1, order)
                if related(x[s], x[c * multiplier % order], nonce, a=curve.a, b=curve.b, p=curve.p)
            }
            for c in range(1, order)
        }

    passed = {
        (multiplier, nonce): passing(multiplier, nonce) for multiplier in classes for nonce in range(curve.p)
    }
    most = 0
    for g, k in product(classes, classes):
        for first, second in product(range(curve.p), range(curve.p)):
            survived = sum(bool(passed[g, first][c] & passed[k, second][c]) for c in range(1, order))
            if g != k:
                most = max(most, survived)
            elif first == second and first in x[1:]:
                assert survived == order - 1
    assert 1 < most <= 8


# --- true statements ---


def test_a_proof_is_accepted_and_always_the_same() -> None:
    verify(TRUE, PROOF)
    assert prove(SECRETS, TRUE, SCALAR) == PROOF
    assert {len(PROOF.first), len(PROOF.second), len(PROOF.answer)} == {32}


@given(st.integers(1, ORDER - 1))
def test_every_true_statement_can_be_proven(scalar: int) -> None:
    claim = statement(scalar)
    verify(claim, prove(SECRETS, claim, scalar))
    # Points have no sign, so the negative of the multiplier is as good.
    verify(claim, prove(SECRETS, claim, ORDER - scalar))


def test_the_generator_is_only_one_key_among_others() -> None:
    claim = statement(key=CARDS[1], new_key=Multiplier(SCALAR).mask(CARDS[1]))
    verify(claim, prove(SECRETS, claim, SCALAR))


def test_both_pairs_may_be_the_same() -> None:
    claim = statement(key=TRUE.base, new_key=TRUE.result)
    verify(claim, prove(SECRETS, claim, SCALAR))


def test_the_statement_is_all_that_enters_the_nonce() -> None:
    """Nothing enters c that does not enter r: otherwise two proofs with one r would give the multiplier
    away."""
    nonces = {prove(SECRETS, claim, SCALAR).first for claim in [TRUE, *changed()]}
    assert len(nonces) == len(changed()) + 1
    others = prove(Secrets(some_bytes("another seed")), TRUE, SCALAR)
    assert others.first != PROOF.first
    verify(TRUE, others)


def test_the_proof_spelled_out() -> None:
    encoded = TRUE.encode()
    parts = [b"bcnet/1/statement", TRUE.table_id, TRUE.head, bytes([0, 0, 0, 11]), bytes([0, 0, 0, 1])]
    parts += [b"open", bytes([0, 0, 0, 1]), bytes([0, 0, 0, 7]), bytes(4)]
    parts += [TRUE.base.x, TRUE.result.x, TRUE.key.x, TRUE.new_key.x]
    assert encoded == b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    secret = SECRETS.derive("equality", context=encoded, index=0, size=48)
    nonce = int.from_bytes(secret, "big") % (ORDER - 1) + 1
    first, second = plain.masked(nonce, TRUE.base.x), plain.masked(nonce, TRUE.key.x)
    challenge = int.from_bytes(plain.plain_hash("equality", encoded, first, second), "big") % ORDER
    answer = (nonce + challenge * SCALAR) % ORDER
    assert Equality(first, second, answer.to_bytes(32, "big")) == PROOF


def test_no_face_is_no_card() -> None:
    assert statement(face=None).encode() != statement(face=0).encode()
    assert bytes([255] * 4) in statement(face=None).encode()


@pytest.mark.parametrize("zero", ["challenge", "answer"])
def test_the_counter_rises_past_zero(zero: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Challenge or answer 0 comes up once in 2**256; here it is made to."""
    counters: list[int] = []
    derive = Secrets.derive

    def counted(secrets: Secrets, purpose: str, **values: object) -> bytes:
        counters.append(values["index"])  # type: ignore[arg-type]
        return derive(secrets, purpose, **values)  # type: ignore[arg-type]

    def challenge(encoded: bytes, first: bytes, second: bytes) -> int:
        if len(counters) > 1:
            return 5
        nonce = derive(SECRETS, "equality", context=encoded, index=0, size=48)
        r = int.from_bytes(nonce, "big") % (ORDER - 1) + 1
        return 0 if zero == "challenge" else -r * pow(SCALAR, -1, ORDER) % ORDER

    monkeypatch.setattr(Secrets, "derive", counted)
    monkeypatch.setattr(equality, "_challenge", challenge)
    verify(TRUE, prove(SECRETS, TRUE, SCALAR))
    assert counters == [0, 1]


def test_a_challenge_of_zero_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(equality, "_challenge", lambda *_: 0)
    assert kind_of(TRUE, PROOF) is Flaw.BAD_EQUALITY


# --- attackers ---


def changed() -> list[Statement]:
    """The statement in another place, or about other points."""
    return [
        dataclasses.replace(TRUE, table_id=some_bytes("another table")),
        dataclasses.replace(TRUE, head=some_bytes("another head")),
        dataclasses.replace(TRUE, round=12),
        dataclasses.replace(TRUE, seat=0),
        dataclasses.replace(TRUE, purpose=Purpose.UNMASK),
        dataclasses.replace(TRUE, purpose=Purpose.REKEY),
        dataclasses.replace(TRUE, epoch=2),
        dataclasses.replace(TRUE, slot=8),
        dataclasses.replace(TRUE, face=1),
        dataclasses.replace(TRUE, face=None),
        dataclasses.replace(TRUE, base=CARDS[1]),
        dataclasses.replace(TRUE, result=CARDS[1]),
        dataclasses.replace(TRUE, key=CARDS[1]),
        dataclasses.replace(TRUE, new_key=CARDS[1]),
        dataclasses.replace(TRUE, base=TRUE.key, key=TRUE.base, result=TRUE.new_key, new_key=TRUE.result),
    ]


@pytest.mark.parametrize("claim", changed())
def test_carried_over_proof(claim: Statement) -> None:
    """A proof taken from another table, round, seat, purpose, epoch, position or card."""
    assert kind_of(claim, PROOF) is Flaw.BAD_EQUALITY


@pytest.mark.parametrize("factor", [2, 3, SCALAR])
def test_another_multiplier_for_the_second_pair(factor: int) -> None:
    """An honest prover's formula on a false statement: neither pair's multiplier helps."""
    false = statement(new_key=Multiplier(SCALAR * factor % ORDER).mask(GENERATOR))
    for scalar in (SCALAR, SCALAR * factor % ORDER):
        assert kind_of(false, prove(SECRETS, false, scalar)) is Flaw.BAD_EQUALITY


def test_one_pair_alone_is_not_enough() -> None:
    """The equation of the first pair can be satisfied with any R2; the second is checked as well."""
    false = statement(new_key=CARDS[2])
    proof = prove(SECRETS, false, SCALAR)
    encoded = false.encode()
    challenge = (
        int.from_bytes(plain.plain_hash("equality", encoded, proof.first, proof.second), "big") % ORDER
    )
    left = Multiplier(int.from_bytes(proof.answer, "big")).mask(false.base)
    right = Multiplier(challenge).mask(false.result)
    x1, x2, x3 = (int.from_bytes(x, "big") for x in (left.x, right.x, proof.first))
    assert related(x1, x2, x3)
    assert kind_of(false, proof) is Flaw.BAD_EQUALITY


def test_answer_chosen_before_the_challenge() -> None:
    """The simulator's trick: R1, R2 from s and c. The hash then gives another c."""
    answer, challenge = 111, 222
    result, new_key = (
        plain.lifted(int.from_bytes(TRUE.result.x, "big")),
        plain.lifted(int.from_bytes(TRUE.new_key.x, "big")),
    )
    nonces = []
    for base, point in ((TRUE.base, result), (TRUE.key, new_key)):
        there = plain.P256.times(answer, plain.lifted(int.from_bytes(base.x, "big")))
        nonce = plain.P256.added(there, plain.P256.negated(plain.P256.times(challenge, point)))
        assert nonce is not None
        nonces.append(nonce[0].to_bytes(32, "big"))
    forged = Equality(nonces[0], nonces[1], answer.to_bytes(32, "big"))
    assert kind_of(TRUE, forged) is Flaw.BAD_EQUALITY


@pytest.mark.parametrize(
    ("field", "data", "kind"),
    [
        ("first", b"", Flaw.WRONG_LENGTH),
        ("second", PROOF.second + b"\0", Flaw.WRONG_LENGTH),
        ("answer", PROOF.answer[:-1], Flaw.WRONG_LENGTH),
        ("first", FIELD.to_bytes(32, "big"), Flaw.POINT_NON_CANONICAL),
        ("second", b"\xff" * 32, Flaw.POINT_NON_CANONICAL),
        ("answer", bytes(32), Flaw.SCALAR_OUT_OF_RANGE),
        ("answer", ORDER.to_bytes(32, "big"), Flaw.SCALAR_OUT_OF_RANGE),
        ("answer", (1).to_bytes(32, "big"), Flaw.BAD_EQUALITY),
        ("first", bytes(32), Flaw.BAD_EQUALITY),
        ("first", PROOF.second, Flaw.BAD_EQUALITY),
        ("second", PROOF.first, Flaw.BAD_EQUALITY),
    ],
)
def test_parts_that_are_not_what_they_should_be(field: str, data: bytes, kind: Flaw) -> None:
    assert kind_of(TRUE, dataclasses.replace(PROOF, **{field: data})) is kind


def test_the_negative_answer_is_no_second_proof_of_anything_else() -> None:
    """s and n - s satisfy the same equations, for points have no sign: a second form of a proof, not a
    forgery."""
    negative = ORDER - int.from_bytes(PROOF.answer, "big")
    verify(TRUE, dataclasses.replace(PROOF, answer=negative.to_bytes(32, "big")))


@given(st.sampled_from(["first", "second", "answer"]), st.integers(0, 255))
def test_flipping_any_bit_of_a_proof(field: str, bit: int) -> None:
    flipped = (int.from_bytes(getattr(PROOF, field), "big") ^ 1 << bit).to_bytes(32, "big")
    assert kind_of(TRUE, dataclasses.replace(PROOF, **{field: flipped})) in (
        Flaw.BAD_EQUALITY,
        Flaw.POINT_NON_CANONICAL,
        Flaw.SCALAR_OUT_OF_RANGE,
    )


@given(st.binary(max_size=40), st.binary(max_size=40), st.binary(max_size=40))
def test_garbage_is_one_typed_error(first: bytes, second: bytes, answer: bytes) -> None:
    kind_of(TRUE, Equality(first, second, answer))


def test_points_need_not_be_decoded_twice() -> None:
    """What a statement holds was decoded when it came; verifying must not depend on who made the object."""
    fresh = dataclasses.replace(
        TRUE, result=Point.decode(TRUE.result.x), new_key=Point.decode(TRUE.new_key.x)
    )
    verify(fresh, PROOF)
