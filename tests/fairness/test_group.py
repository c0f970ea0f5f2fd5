"""Points and scalars: the group of bcnet.fairness.group against plain arithmetic, and against bad
encodings."""

from __future__ import annotations

import contextlib
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bcnet.fairness import group
from bcnet.fairness.errors import Flaw, Invalid
from bcnet.fairness.group import GENERATOR, Multiplier, Point, card_points, inverse, on_all_cores
from tests.fairness import plain

scalars = st.integers(1, group.ORDER - 1)
CARDS = card_points("test", "cards", 8)


def kind_of(call: object, *args: object) -> Flaw:
    """The flaw that a call finds."""
    assert callable(call)
    with pytest.raises(Invalid) as caught:
        call(*args)
    return caught.value.kind


def test_the_constants_are_those_of_p256() -> None:
    assert (plain.P256.p, plain.P256_ORDER, plain.P256.b) == (group.FIELD, group.ORDER, group.CURVE_B)
    assert plain.P256.a % plain.P256.p == group.CURVE_A
    assert int.from_bytes(GENERATOR.x, "big") == plain.P256_BASE[0]


@given(scalars, st.sampled_from([GENERATOR, *CARDS]))
def test_masks_are_those_of_plain_arithmetic(scalar: int, point: Point) -> None:
    assert Multiplier(scalar).mask(point).x == plain.masked(scalar, point.x)


@given(scalars, scalars, st.sampled_from([GENERATOR, *CARDS]))
def test_masks_commute_and_come_off(one: int, other: int, point: Point) -> None:
    once = Multiplier(one).mask(point)
    both = Multiplier(other).mask(once)
    assert both == Multiplier(one).mask(Multiplier(other).mask(point))
    assert Multiplier(inverse(one)).mask(both) == Multiplier(other).mask(point)
    # The sign of a scalar is the sign of a point, and points have none.
    assert Multiplier(group.ORDER - one).mask(point) == once


def test_many_points_are_masked_in_their_order() -> None:
    multiplier = Multiplier(20250701)
    points = [multiplier.mask(point) for point in CARDS] * 9
    assert multiplier.mask_all(points) == [multiplier.mask(point) for point in points]
    assert multiplier.mask_all([]) == []


@pytest.mark.parametrize("scalar", [0, group.ORDER, group.ORDER + 1, -1, 2**256])
def test_own_scalars_out_of_range_are_a_misuse(scalar: int) -> None:
    with pytest.raises(ValueError, match="a scalar lies in"):
        Multiplier(scalar)


# --- what others send ---


@given(scalars)
def test_scalars_have_one_encoding(scalar: int) -> None:
    encoded = group.encode_scalar(scalar)
    assert len(encoded) == 32
    assert group.decode_scalar(encoded) == scalar


@pytest.mark.parametrize("scalar", [0, group.ORDER, group.ORDER + 1, 2**256 - 1])
def test_scalars_that_are_zero_or_too_large(scalar: int) -> None:
    assert kind_of(group.decode_scalar, scalar.to_bytes(32, "big")) is Flaw.SCALAR_OUT_OF_RANGE


@pytest.mark.parametrize("size", [0, 1, 31, 33, 48])
def test_encodings_of_the_wrong_length(size: int) -> None:
    assert kind_of(group.decode_scalar, bytes([1]) * size) is Flaw.WRONG_LENGTH
    assert kind_of(Point.decode, bytes([1]) * size) is Flaw.WRONG_LENGTH
    assert kind_of(group.check_coordinate, bytes([1]) * size) is Flaw.WRONG_LENGTH


def test_a_second_encoding_of_the_same_point() -> None:
    # A point whose x fits into 32 bytes even with p added: it would have two encodings if nobody looked.
    x = next(x for x in range(2**16) if is_on_the_curve(x))
    assert Point.decode(x.to_bytes(32, "big")).x == x.to_bytes(32, "big")
    assert kind_of(Point.decode, (x + group.FIELD).to_bytes(32, "big")) is Flaw.POINT_NON_CANONICAL
    assert kind_of(Point.decode, group.FIELD.to_bytes(32, "big")) is Flaw.POINT_NON_CANONICAL
    assert kind_of(Point.decode, b"\xff" * 32) is Flaw.POINT_NON_CANONICAL


@given(st.integers(0, group.FIELD - 1))
def test_points_are_accepted_exactly_on_the_curve(x: int) -> None:
    data = x.to_bytes(32, "big")
    if is_on_the_curve(x):
        assert Point.decode(data).x == data
    else:
        assert kind_of(Point.decode, data) is Flaw.POINT_OFF_CURVE


@given(st.binary(max_size=80))
def test_garbage_is_one_typed_error_or_a_point(data: bytes) -> None:
    with contextlib.suppress(Invalid):
        assert Point.decode(data).x == data


def is_on_the_curve(x: int) -> bool:
    """By Euler's criterion."""
    square = (x**3 - 3 * x + plain.P256.b) % plain.P256.p
    return square == 0 or pow(square, (plain.P256.p - 1) // 2, plain.P256.p) == 1


# --- cards ---


def test_card_points_are_the_first_hashes_on_the_curve() -> None:
    for card, point in enumerate(card_points("some game", "its deck", 4)):
        counter = 0
        while True:
            x = plain.plain_hash(
                "card", b"some game", b"its deck", bytes([0, 0, 0, card]), bytes([0, 0, 0, counter])
            )
            if int.from_bytes(x, "big") < plain.P256.p and is_on_the_curve(int.from_bytes(x, "big")):
                break
            counter += 1
        assert point.x == x


def test_every_card_of_every_deck_has_a_point_of_its_own() -> None:
    decks = [card_points("a", "b", 255), card_points("a", "c", 255), card_points("ab", "", 255)]
    assert len({point.x for deck in decks for point in deck}) == 3 * 255
    assert card_points("a", "b", 10) == card_points("a", "b", 255)[:10]


def test_no_card_point_is_a_small_multiple_of_another() -> None:
    # What gave away 33 of 52 cards of a public library: points i*G, or squares of one another.
    points = card_points("balloon-cup", "balloon", 45)
    known = {GENERATOR.x, *(point.x for point in points)}
    for factor in range(2, 60):
        multiplier = Multiplier(factor)
        assert known.isdisjoint(multiplier.mask(point).x for point in [GENERATOR, *points])


# --- all cores ---


def test_work_on_all_cores_keeps_the_order_and_passes_errors_on() -> None:
    assert on_all_cores(lambda item: item * item, range(1000)) == [item * item for item in range(1000)]
    with pytest.raises(ZeroDivisionError):
        on_all_cores(lambda item: 1 // (item - 700), range(1000))


def test_work_within_work_does_not_wait_for_itself() -> None:
    # More outer items than workers, each of them work for all cores: if those queued, all would stand still.
    def inner(item: int) -> int:
        return sum(on_all_cores(lambda other: other, range(item)))

    done: list[list[int]] = []
    worker = threading.Thread(target=lambda: done.append(on_all_cores(inner, range(200))), daemon=True)
    worker.start()
    worker.join(timeout=30)
    assert done == [[sum(range(item)) for item in range(200)]]


def test_secrets_do_not_show_in_a_repr() -> None:
    assert "271828" not in repr(Multiplier(271828))
