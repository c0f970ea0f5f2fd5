"""Steps: one multiplier for a permuted list, honest and otherwise."""

from __future__ import annotations

import contextlib
import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bcnet.fairness.errors import Flaw, Invalid
from bcnet.fairness.group import FIELD, GENERATOR, ORDER, Multiplier, card_points, inverse
from bcnet.fairness.steps import (
    SHADOWS,
    Bridge,
    Claim,
    Move,
    Published,
    Response,
    ShadowSeed,
    agree,
    publish,
    respond,
    shadow_commitment,
)
from tests.fairness.joint import some_bytes
from tests.fairness.plain import masked, plain_hash

COUNT = 4
CONTEXT = some_bytes("context")
POINTS = card_points("test", "cards", COUNT)
STEP_SEED = some_bytes("step")
SHADOW_SEEDS = [some_bytes("shadow", index) for index in range(SHADOWS)]
PUBLISHED = publish(CONTEXT, STEP_SEED, SHADOW_SEEDS, POINTS, GENERATOR)
CLAIM = Claim.arrive(CONTEXT, POINTS, GENERATOR, PUBLISHED)
BITS = tuple(index % 3 % 2 for index in range(SHADOWS))
RESPONSES = respond(STEP_SEED, SHADOW_SEEDS, COUNT, BITS)

seeds = st.binary(min_size=32, max_size=32)


def kind_of(claim: Claim, bits: tuple[int, ...], responses: tuple[Response, ...]) -> Flaw:
    """The flaw of the answers to a challenge."""
    with pytest.raises(Invalid) as caught:
        claim.check(bits, responses)
    return caught.value.kind


def arrival(**changes: object) -> Flaw:
    """The flaw of a step as it arrives."""
    with pytest.raises(Invalid) as caught:
        Claim.arrive(CONTEXT, POINTS, GENERATOR, dataclasses.replace(PUBLISHED, **changes))  # type: ignore[arg-type]
    return caught.value.kind


# --- honest steps ---


def test_forty_shadows_and_no_way_to_have_fewer() -> None:
    assert SHADOWS == 40
    for fewer in (SHADOW_SEEDS[:39], SHADOW_SEEDS[:0], [*SHADOW_SEEDS, some_bytes("one more")]):
        with pytest.raises(ValueError, match="41 different seeds"):
            publish(CONTEXT, STEP_SEED, fewer, POINTS, GENERATOR)


@given(st.lists(st.integers(0, 1), min_size=SHADOWS, max_size=SHADOWS))
@settings(max_examples=20)
def test_an_honest_step_answers_every_challenge(bits: list[int]) -> None:
    CLAIM.check(bits, respond(STEP_SEED, SHADOW_SEEDS, COUNT, bits))


def test_a_step_under_another_key_than_the_generator() -> None:
    """As for the refresh of a hand: K is the old hand key."""
    key = Multiplier(99).mask(GENERATOR)
    published = publish(CONTEXT, STEP_SEED, SHADOW_SEEDS, POINTS[:1], key)
    claim = Claim.arrive(CONTEXT, POINTS[:1], key, published)
    claim.check(BITS, respond(STEP_SEED, SHADOW_SEEDS, 1, BITS))
    assert published.key == Multiplier(99 * Move.from_seed(STEP_SEED, 1).scalar % ORDER).mask(GENERATOR).x


def test_a_step_is_made_of_its_seed_as_documented() -> None:
    step = Move.from_seed(STEP_SEED, COUNT)
    stream = b"".join(plain_hash("stream", STEP_SEED, index.to_bytes(4, "big")) for index in range(2))
    assert step.scalar == int.from_bytes(stream[:48], "big") % (ORDER - 1) + 1
    assert PUBLISHED.points == tuple(masked(step.scalar, POINTS[index].x) for index in step.permutation)
    assert PUBLISHED.key == masked(step.scalar, GENERATOR.x)
    shadow = Move.from_seed(SHADOW_SEEDS[5], COUNT)
    points = [masked(shadow.scalar, POINTS[index].x) for index in shadow.permutation]
    assert PUBLISHED.shadows[5] == plain_hash("shadow", CONTEXT, masked(shadow.scalar, GENERATOR.x), *points)


@given(seeds, seeds, st.integers(1, 60))
def test_a_bridge_leads_from_one_move_to_another(one: bytes, other: bytes, count: int) -> None:
    start, target = Move.from_seed(one, count), Move.from_seed(other, count)
    bridge = start.back().then(target)
    assert bridge.scalar * start.scalar % ORDER == target.scalar
    assert tuple(start.permutation[index] for index in bridge.permutation) == target.permutation


def test_a_large_list_and_a_single_point() -> None:
    for count in (1, 255):
        points = card_points("test", "many", count)
        claim = Claim.arrive(
            CONTEXT, points, GENERATOR, publish(CONTEXT, STEP_SEED, SHADOW_SEEDS, points, GENERATOR)
        )
        claim.check_form(BITS, respond(STEP_SEED, SHADOW_SEEDS, count, BITS))
        with pytest.raises(ValueError, match="255 points"):
            publish(CONTEXT, STEP_SEED, SHADOW_SEEDS, [*points, *points[:1]] * 128, GENERATOR)


# --- secrets ---


def test_whoever_knows_the_seeds_tells_the_right_answers_from_all_others() -> None:
    move = Move.from_seed(STEP_SEED, COUNT)
    assert agree(move, SHADOW_SEEDS, RESPONSES)
    bridge = RESPONSES[BITS.index(1)]
    assert isinstance(bridge, Bridge)
    scalar, order = bridge.scalar, bridge.permutation
    for bit, false in (
        (0, ShadowSeed(some_bytes("false"))),
        (0, ShadowSeed(SHADOW_SEEDS[BITS.index(1)])),
        (1, Bridge((int.from_bytes(scalar, "big") ^ 1).to_bytes(32, "big"), order)),
        (1, Bridge((ORDER - int.from_bytes(scalar, "big")).to_bytes(32, "big"), order)),
        (1, Bridge(scalar, bytes([order[1], order[0], *order[2:]]))),
    ):
        place = BITS.index(bit)
        answers = (*RESPONSES[:place], false, *RESPONSES[place + 1 :])
        CLAIM.check_form(BITS, answers)
        assert not agree(move, SHADOW_SEEDS, answers)
    assert not agree(Move.from_seed(some_bytes("another step"), COUNT), SHADOW_SEEDS, RESPONSES)
    assert not agree(move, SHADOW_SEEDS[::-1], RESPONSES)


def test_one_seed_for_two_shadows_is_a_misuse() -> None:
    for seeds_ in ([SHADOW_SEEDS[0], *SHADOW_SEEDS[:39]], [STEP_SEED, *SHADOW_SEEDS[1:]]):
        with pytest.raises(ValueError, match="different seeds"):
            publish(CONTEXT, STEP_SEED, seeds_, POINTS, GENERATOR)
        with pytest.raises(ValueError, match="different seeds"):
            respond(STEP_SEED, seeds_, COUNT, BITS)


def test_bit_one_never_shows_the_shadow_s_seed_nor_bit_zero_the_bridge() -> None:
    for bits in (BITS, tuple(1 - bit for bit in BITS), (0,) * SHADOWS, (1,) * SHADOWS):
        answers = respond(STEP_SEED, SHADOW_SEEDS, COUNT, bits)
        sent = {answer.seed for answer in answers if isinstance(answer, ShadowSeed)}
        assert sent == {seed for seed, bit in zip(SHADOW_SEEDS, bits, strict=True) if bit == 0}
        bridges = [answer for answer in answers if isinstance(answer, Bridge)]
        assert len(bridges) == sum(bits)
        hidden = {Move.from_seed(seed, COUNT).scalar for seed in [STEP_SEED, *SHADOW_SEEDS]}
        assert hidden.isdisjoint(int.from_bytes(bridge.scalar, "big") for bridge in bridges)


def test_what_two_answers_to_one_shadow_would_give_away() -> None:
    """Why nobody may answer two challenges for one step: seed and bridge together give the step itself."""
    zero, one = (respond(STEP_SEED, SHADOW_SEEDS, COUNT, (bit,) * SHADOWS)[0] for bit in (0, 1))
    assert isinstance(zero, ShadowSeed)
    assert isinstance(one, Bridge)
    shadow = Move.from_seed(zero.seed, COUNT)
    stolen = shadow.scalar * inverse(int.from_bytes(one.scalar, "big")) % ORDER
    assert stolen == Move.from_seed(STEP_SEED, COUNT).scalar


@pytest.mark.parametrize("bits", [(), BITS[:39], (*BITS, 0), (2, *BITS[1:]), (-1, *BITS[1:])])
def test_a_challenge_has_forty_bits(bits: tuple[int, ...]) -> None:
    for call in (lambda: CLAIM.check(bits, RESPONSES), lambda: respond(STEP_SEED, SHADOW_SEEDS, COUNT, bits)):
        with pytest.raises(ValueError, match="40 bits"):
            call()


# --- as it arrives ---


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"points": ()}, Flaw.WRONG_LENGTH),
        ({"points": PUBLISHED.points[:-1]}, Flaw.WRONG_LENGTH),
        ({"points": (*PUBLISHED.points, PUBLISHED.key)}, Flaw.WRONG_LENGTH),
        ({"points": (*PUBLISHED.points[:-1], PUBLISHED.points[0])}, Flaw.DUPLICATE_POINT),
        ({"points": (*PUBLISHED.points[:-1], bytes(31))}, Flaw.WRONG_LENGTH),
        ({"points": (*PUBLISHED.points[:-1], b"\xff" * 32)}, Flaw.POINT_NON_CANONICAL),
        ({"points": (*PUBLISHED.points[:-1], (1).to_bytes(32, "big"))}, Flaw.POINT_OFF_CURVE),
        ({"key": b""}, Flaw.WRONG_LENGTH),
        ({"key": FIELD.to_bytes(32, "big")}, Flaw.POINT_NON_CANONICAL),
        ({"key": (1).to_bytes(32, "big")}, Flaw.POINT_OFF_CURVE),
        ({"key": GENERATOR.x}, Flaw.KEY_REUSED),
        ({"shadows": ()}, Flaw.WRONG_LENGTH),
        ({"shadows": PUBLISHED.shadows[:-1]}, Flaw.WRONG_LENGTH),
        ({"shadows": (*PUBLISHED.shadows, bytes(32))}, Flaw.WRONG_LENGTH),
        ({"shadows": (*PUBLISHED.shadows[:-1], bytes(31))}, Flaw.WRONG_LENGTH),
        ({"shadows": (*PUBLISHED.shadows[:-1], PUBLISHED.shadows[0])}, Flaw.DUPLICATE_SHADOW),
    ],
)
def test_what_is_seen_at_arrival(changes: dict[str, object], kind: Flaw) -> None:
    assert arrival(**changes) is kind


# --- answers ---


@pytest.mark.parametrize("count", [0, 1, 39, 41, 80])
def test_short_empty_and_long_lists_of_responses(count: int) -> None:
    assert kind_of(CLAIM, BITS, (RESPONSES * 2)[:count]) is Flaw.WRONG_LENGTH


@pytest.mark.parametrize("index", [0, 1, SHADOWS - 1])
def test_the_other_kind_of_answer(index: int) -> None:
    other = respond(STEP_SEED, SHADOW_SEEDS, COUNT, tuple(1 - bit for bit in BITS))
    mixed = (*RESPONSES[:index], other[index], *RESPONSES[index + 1 :])
    assert kind_of(CLAIM, BITS, mixed) is Flaw.WRONG_ANSWER


def test_answers_in_another_order() -> None:
    assert kind_of(CLAIM, (0,) * SHADOWS, tuple(map(ShadowSeed, SHADOW_SEEDS[::-1]))) is Flaw.BAD_SHADOW_SEED


@pytest.mark.parametrize(
    ("bridge", "kind"),
    [
        (Bridge(bytes(32), bytes(range(COUNT))), Flaw.SCALAR_OUT_OF_RANGE),
        (Bridge(ORDER.to_bytes(32, "big"), bytes(range(COUNT))), Flaw.SCALAR_OUT_OF_RANGE),
        (Bridge(b"", bytes(range(COUNT))), Flaw.WRONG_LENGTH),
        (Bridge(bytes(31) + b"\1", bytes(range(COUNT - 1))), Flaw.WRONG_LENGTH),
        (Bridge(bytes(31) + b"\1", b""), Flaw.WRONG_LENGTH),
        (Bridge(bytes(31) + b"\1", bytes([0, 1, 2, 2])), Flaw.BAD_PERMUTATION),
        (Bridge(bytes(31) + b"\1", bytes([0, 1, 2, COUNT])), Flaw.BAD_PERMUTATION),
        (Bridge(bytes(31) + b"\1", bytes([1, 2, 3, 255])), Flaw.BAD_PERMUTATION),
        (Bridge(bytes(31) + b"\1", bytes(range(COUNT))), Flaw.BAD_BRIDGE),
    ],
)
def test_bridges_that_lead_nowhere(bridge: Bridge, kind: Flaw) -> None:
    at = BITS.index(1)
    assert kind_of(CLAIM, BITS, (*RESPONSES[:at], bridge, *RESPONSES[at + 1 :])) is kind


@pytest.mark.parametrize(
    ("seed", "kind"),
    [(b"", Flaw.WRONG_LENGTH), (bytes(33), Flaw.WRONG_LENGTH), (bytes(32), Flaw.BAD_SHADOW_SEED)],
)
def test_seeds_of_no_shadow(seed: bytes, kind: Flaw) -> None:
    at = BITS.index(0)
    assert kind_of(CLAIM, BITS, (*RESPONSES[:at], ShadowSeed(seed), *RESPONSES[at + 1 :])) is kind


def test_a_bridge_with_a_part_of_another() -> None:
    one, other = (RESPONSES[index] for index in [index for index, bit in enumerate(BITS) if bit][:2])
    assert isinstance(one, Bridge)
    assert isinstance(other, Bridge)
    at = BITS.index(1)
    for mixed in (Bridge(one.scalar, other.permutation), Bridge(other.scalar, one.permutation)):
        assert kind_of(CLAIM, BITS, (*RESPONSES[:at], mixed, *RESPONSES[at + 1 :])) is Flaw.BAD_BRIDGE


def test_the_first_wrong_answer_is_named() -> None:
    stranger = ShadowSeed(some_bytes("wrong"))
    wrong = tuple(answer if isinstance(answer, Bridge) else stranger for answer in RESPONSES)
    with pytest.raises(Invalid) as caught:
        CLAIM.check(BITS, wrong)
    assert caught.value.values["index"] == BITS.index(0)


@pytest.mark.parametrize(
    "elsewhere",
    [
        dataclasses.replace(CLAIM, context=some_bytes("another context")),
        dataclasses.replace(CLAIM, points=CLAIM.points[::-1]),
        dataclasses.replace(CLAIM, key=Multiplier(2).mask(GENERATOR)),
        dataclasses.replace(CLAIM, new_points=CLAIM.new_points[::-1]),
        dataclasses.replace(CLAIM, new_key=Multiplier(2).mask(CLAIM.new_key)),
        dataclasses.replace(CLAIM, shadows=CLAIM.shadows[::-1]),
    ],
)
def test_carried_over_proof(elsewhere: Claim) -> None:
    """Answers for another table, round, list or key."""
    assert kind_of(elsewhere, BITS, RESPONSES) in (Flaw.BAD_BRIDGE, Flaw.BAD_SHADOW_SEED)


@given(st.data())
@settings(max_examples=60)
def test_garbage_is_one_typed_error(data: st.DataObject) -> None:
    answer = st.builds(ShadowSeed, st.binary(max_size=40)) | st.builds(
        Bridge,
        st.binary(max_size=40),
        st.binary(max_size=COUNT + 1) | st.permutations(range(COUNT)).map(bytes),
    )
    at = data.draw(st.integers(0, SHADOWS - 1))
    kind_of(CLAIM, BITS, (*RESPONSES[:at], data.draw(answer), *RESPONSES[at + 1 :]))


@given(
    st.lists(st.binary(max_size=33) | st.sampled_from(PUBLISHED.points), max_size=COUNT + 1),
    st.binary(max_size=33),
    st.lists(st.binary(max_size=33), max_size=3),
)
def test_a_garbage_step_is_one_typed_error(points: list[bytes], key: bytes, shadows: list[bytes]) -> None:
    for garbage in (
        Published(tuple(points), key, tuple(shadows)),
        Published(tuple(points), PUBLISHED.key, PUBLISHED.shadows),
        Published(PUBLISHED.points, key, PUBLISHED.shadows),
    ):
        with contextlib.suppress(Invalid):  # a random x may well be a point: 0 is one
            Claim.arrive(CONTEXT, POINTS, GENERATOR, garbage)


def test_a_commitment_hides_nothing_but_binds_all() -> None:
    points, key = Move.from_seed(SHADOW_SEEDS[0], COUNT).apply(POINTS, GENERATOR)
    commitments = {
        shadow_commitment(CONTEXT, points, key),
        shadow_commitment(some_bytes("another context"), points, key),
        shadow_commitment(CONTEXT, points[::-1], key),
        shadow_commitment(CONTEXT, points[1:], key),
        shadow_commitment(CONTEXT, points, points[0]),
    }
    assert len(commitments) == 5
