"""The audit: what the seeds tell when the game is over, with and without proofs run before."""

from __future__ import annotations

import dataclasses

import pytest

from bcnet.fairness.audit import Difference, Matter, audit
from bcnet.fairness.deck import Deck, Proofs, Unmasked
from bcnet.fairness.equality import Equality
from bcnet.fairness.errors import Flaw, Invalid
from bcnet.fairness.group import Multiplier
from bcnet.fairness.steps import Published, ShadowSeed
from tests.fairness.cheats import ALTERNATELY, false_shuffle, honest_move
from tests.fairness.joint import Joint, some_bytes


def unchecked(seats: int = 2, size: int = 5) -> Joint:
    """A table as a verifier replays it who has all seeds and runs no proofs."""
    return Joint(seats, size, proofs=Proofs.LEAVE_TO_AUDIT)


def seeds(joint: Joint, *without: int) -> dict[int, object]:
    """All seeds, or all but some."""
    return {seat: secrets for seat, secrets in enumerate(joint.secrets) if seat not in without}


def found(joint: Joint, *without: int) -> tuple[Difference, ...]:
    """What the audit finds."""
    return audit(joint.deck, seeds(joint, *without)).differences  # type: ignore[arg-type]


def played(joint: Joint) -> Joint:
    """Two epochs, honestly."""
    joint.shuffle()
    joint.prove()
    for slot in joint.deal(0, 1, 0, 1, 0):
        joint.open(slot)
    joint.shuffle([0, 2, 4])
    joint.prove()
    joint.open(joint.deal(1)[0])
    return joint


def test_an_honest_game_agrees_with_its_seeds() -> None:
    joint = played(unchecked())
    told = audit(joint.deck, dict(enumerate(joint.secrets)))
    assert (told.differences, told.unaudited) == ((), ())
    assert all(told.faces[slot.id] == joint.face(slot.id) for slot in joint.deck.slots)
    first, second = told.orders
    assert first is not None
    assert second is not None
    assert (sorted(first), sorted(second)) == ([0, 1, 2, 3, 4], [0, 2, 4])


def test_without_a_seed_it_says_what_it_could_not_audit() -> None:
    joint = played(unchecked())
    told = audit(joint.deck, {1: joint.secrets[1]})
    assert told.unaudited == (0,)
    assert told.orders == (None, None)
    assert told.faces == {}
    assert told.differences == ()


def test_an_unfinished_shuffle_has_no_order() -> None:
    joint = unchecked()
    joint.deck.begin(range(5))
    assert audit(joint.deck, dict(enumerate(joint.secrets))).orders == (None,)
    joint.deck.add_shuffle(0, 0, joint.head, joint.keepers[0].make_shuffle(0, joint.head))
    told = audit(joint.deck, dict(enumerate(joint.secrets)))
    assert (told.orders, told.differences) == ((None,), ())


def test_a_seed_that_is_another() -> None:
    joint = played(unchecked())
    told = audit(joint.deck, {0: joint.secrets[0], 1: joint.secrets[0]})
    assert {(each.seat, each.matter, each.epoch) for each in told.differences} == {
        (1, Matter.SHUFFLE, 1),
        (1, Matter.SHUFFLE, 2),
    }
    assert told.orders == (None, None)


def test_a_shuffle_by_another_key_than_the_seed_s() -> None:
    """A true shuffle, well proven, only not the one that the seed gives: a seat that draws its own lots."""
    joint = Joint()
    joint.deck.begin(range(5))
    other = Joint(name="own lots").secrets[0]
    keeper = type(joint.keepers[0])(joint.deck, 0, other)
    joint.deck.add_shuffle(0, 0, joint.head, keeper.make_shuffle(0, joint.head))
    joint.round += 1
    joint.deck.add_shuffle(1, 1, joint.head, joint.keepers[1].make_shuffle(1, joint.head))
    bits = joint.challenge(0)
    joint.deck.accept(joint.deck.check_responses(0, bits, keeper.respond(bits)))
    assert found(joint) == (Difference(0, 0, Matter.SHUFFLE, 1),)
    assert found(joint, 0) == ()


def test_a_replaced_point_is_found_by_the_audit_alone() -> None:
    joint = unchecked()
    joint.deck.begin(range(5))
    published = joint.keepers[0].make_shuffle(0, joint.head)
    forged = Multiplier(3).mask(joint.deck.card_points[0]).x
    forgery = dataclasses.replace(published, points=(forged, *published.points[1:]))
    joint.deck.add_shuffle(0, 0, joint.head, forgery)
    assert found(joint) == (Difference(0, 0, Matter.SHUFFLE, 1),)


def test_a_swapped_list_is_found_by_the_audit_alone() -> None:
    """The right points in another order than the seed's: a permutation that was chosen."""
    joint = unchecked()
    joint.deck.begin(range(5))
    published = joint.keepers[0].make_shuffle(0, joint.head)
    swapped = (published.points[1], published.points[0], *published.points[2:])
    joint.deck.add_shuffle(0, 0, joint.head, dataclasses.replace(published, points=swapped))
    assert found(joint) == (Difference(0, 0, Matter.SHUFFLE, 1),)


def test_false_responses_are_found_by_the_audit_alone() -> None:
    joint = unchecked()
    joint.shuffle()
    bits = joint.challenge(1)
    responses = list(joint.keepers[1].respond(bits))
    responses[bits.index(0)] = ShadowSeed(some_bytes("false"))
    joint.deck.accept(joint.deck.check_responses(1, bits, responses))
    assert found(joint) == (Difference(1, 1, Matter.RESPONSES, 1),)


def test_a_false_unmasking_is_found_by_the_audit_alone() -> None:
    joint = unchecked()
    joint.shuffle()
    joint.trust()
    joint.deck.deal([0, 0])
    first, second = joint.keepers[1].unmask(joint.round, joint.head)
    joint.deck.add_unmask(
        1, joint.round, joint.head, (second, dataclasses.replace(second, point=first.point))
    )
    assert found(joint) == (
        Difference(1, joint.round, Matter.UNMASK, 1, 0),
        Difference(1, joint.round, Matter.UNMASK, 1, 1),
    )


def test_a_false_opening_is_found_by_the_audit_alone() -> None:
    joint = unchecked()
    joint.shuffle()
    joint.trust()
    (slot,) = joint.deal(0)
    lie = (joint.face(slot) + 1) % 5
    joint.deck.add_opening(0, joint.round, joint.head, slot, lie, joint.opening(slot))
    assert found(joint) == (Difference(0, joint.round, Matter.OPENING, 1, slot),)
    assert found(joint, 1) == ()


def test_differences_are_sorted_by_round_and_seat() -> None:
    joint = unchecked()
    joint.shuffle()
    joint.trust()
    slots = joint.deal(1, 0)
    for slot in slots:
        seat = joint.deck.slot(slot).owner
        lie = (joint.face(slot) + 1) % 5
        joint.deck.add_opening(seat, joint.round, joint.head, slot, lie, joint.opening(slot))
    assert [(each.round, each.seat) for each in found(joint)] == [(joint.round, 0), (joint.round, 1)]


# --- leaving proofs to the audit leaves nothing else out ---


@pytest.mark.parametrize(
    ("proof", "kind"),
    [
        (Equality(bytes(31), bytes(32), bytes(31) + b"\1"), Flaw.WRONG_LENGTH),
        (Equality(bytes(32), b"\xff" * 32, bytes(31) + b"\1"), Flaw.POINT_NON_CANONICAL),
        (Equality(bytes(32), bytes(32), bytes(32)), Flaw.SCALAR_OUT_OF_RANGE),
    ],
)
def test_forms_are_checked_all_the_same(proof: Equality, kind: Flaw) -> None:
    joint = unchecked()
    joint.shuffle()
    joint.trust()
    (slot,) = joint.deal(0)
    with pytest.raises(Invalid) as caught:
        joint.deck.add_opening(0, joint.round, joint.head, slot, joint.face(slot), proof)
    assert caught.value.kind is kind
    joint.deck.deal([0])
    point = joint.keepers[1].unmask(joint.round, joint.head)[0].point
    with pytest.raises(Invalid) as caught:
        joint.deck.add_unmask(1, joint.round, joint.head, [Unmasked(point, proof)])
    assert caught.value.kind is kind


def test_responses_keep_their_form_too() -> None:
    joint = unchecked()
    joint.shuffle()
    bits = joint.challenge(0)
    for responses, kind in (((), Flaw.WRONG_LENGTH), ((ShadowSeed(bytes(32)),) * 40, Flaw.WRONG_ANSWER)):
        with pytest.raises(Invalid) as caught:
            joint.deck.check_responses(0, bits, responses)
        assert caught.value.kind is kind


def test_play_cannot_leave_proofs_out_by_accident() -> None:
    assert Deck("test", "cards", 5, 2, some_bytes("table")).proofs is Proofs.CHECK


def test_a_cheat_that_guessed_all_bits_is_still_found_by_the_audit() -> None:
    """One in 2**40 gets past the proof; the seed does not forget."""
    joint = Joint()
    joint.deck.begin(range(5))
    points, key, multiplier = honest_move(joint.deck)
    points[0] = multiplier.mask(Multiplier(5).mask(joint.deck.card_points[0]))
    cheat = false_shuffle(joint.deck, 0, 0, joint.head, points, key, ALTERNATELY)
    joint.deck.add_shuffle(0, 0, joint.head, cheat.published)
    joint.deck.accept(joint.deck.check_responses(0, ALTERNATELY, cheat.respond(ALTERNATELY)))
    assert found(joint) == (Difference(0, 0, Matter.SHUFFLE, 1),)


NO_POINT = (1).to_bytes(32, "big")


def audit_finds_no_point(joint: Joint) -> bool:
    """Whether the audit says that something on the table is not on the curve."""
    with pytest.raises(Invalid) as caught:
        found(joint)
    return caught.value.kind is Flaw.POINT_OFF_CURVE


@pytest.mark.parametrize("others", [0, 1])
def test_a_list_that_is_no_points_is_found_by_the_audit(others: int) -> None:
    """Whether somebody shuffles on from it or not."""
    joint = unchecked()
    joint.deck.begin(range(5))
    published = joint.keepers[0].make_shuffle(0, joint.head)
    spoilt = dataclasses.replace(published, points=(NO_POINT, *published.points[1:]))
    joint.deck.add_shuffle(0, 0, joint.head, spoilt)
    for seat in range(1, 1 + others):
        other = Joint(name="other")
        other.deck.begin(range(5))
        joint.deck.add_shuffle(seat, seat, joint.head, other.keepers[0].make_shuffle(0, other.head))
    assert audit_finds_no_point(joint)


def test_an_unmasked_card_that_is_no_point_is_found_by_the_audit() -> None:
    """Though it is never multiplied."""
    joint = unchecked()
    joint.shuffle()
    joint.trust()
    joint.deck.deal([0])
    (card,) = joint.keepers[1].unmask(joint.round, joint.head)
    joint.deck.add_unmask(1, joint.round, joint.head, [dataclasses.replace(card, point=NO_POINT)])
    assert audit_finds_no_point(joint)


def test_a_seed_handed_over_shows_what_is_no_point() -> None:
    """From then on the deck itself multiplies the points of others."""
    joint = unchecked(seats=3)
    joint.deck.begin(range(5))
    published = joint.keepers[0].make_shuffle(0, joint.head)
    spoilt = dataclasses.replace(published, points=(NO_POINT, *published.points[1:]))
    joint.deck.add_shuffle(0, 0, joint.head, spoilt)
    for _ in range(2):
        with pytest.raises(Invalid) as caught:
            joint.deck.surrender(2, joint.secrets[2])
        assert caught.value.kind is Flaw.POINT_OFF_CURVE
    joint = unchecked(seats=3)
    joint.deck.begin(range(5))
    joint.deck.surrender(2, joint.secrets[2])
    with pytest.raises(Invalid) as caught:
        joint.deck.add_shuffle(0, 0, joint.head, spoilt)
    assert caught.value.kind is Flaw.POINT_OFF_CURVE


def test_an_audit_raises_nothing_whatever_was_published() -> None:
    joint = unchecked()
    joint.deck.begin(range(5))
    points, key, _ = honest_move(joint.deck)
    published = Published(tuple(point.x for point in points), key.x, tuple(some_bytes(i) for i in range(40)))
    joint.deck.add_shuffle(0, 0, joint.head, published)
    joint.round += 1
    joint.deck.add_shuffle(1, 1, joint.head, joint.keepers[1].make_shuffle(1, joint.head))
    joint.trust()
    assert [each.matter for each in found(joint)] == [Matter.SHUFFLE]
