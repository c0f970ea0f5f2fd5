"""The deck in honest hands: every card once, seen by its owner alone, for two to five seats and several
epochs."""

from __future__ import annotations

import dataclasses
import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bcnet.fairness.audit import audit
from bcnet.fairness.deck import Deck
from bcnet.fairness.errors import Flaw, Invalid
from bcnet.fairness.group import GENERATOR, Multiplier, inverse
from bcnet.fairness.keeper import DeckKeeper
from bcnet.fairness.steps import ShadowSeed
from bcnet.secrets import Secrets
from tests.fairness.joint import Joint, SetUp, some_bytes


def ready(seats: int = 2, size: int = 5, name: str = "joint") -> Joint:
    """A shuffled pile, its proofs taken for granted."""
    joint = Joint(seats, size, name)
    joint.shuffle()
    joint.trust()
    return joint


# --- whole games ---


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_every_card_comes_once_and_can_be_opened(seats: int) -> None:
    joint = Joint(seats, size=2 * seats)
    joint.shuffle()
    joint.prove()
    slots = [*joint.deal(*range(seats)), *(joint.deal(seat)[0] for seat in range(seats))]
    assert sorted(joint.face(slot) for slot in slots) == list(range(2 * seats))
    assert joint.deck.left == 0
    assert sorted(joint.open(slot) for slot in slots) == list(range(2 * seats))


def test_several_epochs_with_cards_left_in_hands() -> None:
    joint = ready()
    slots = joint.deal(0, 1, 0, 1, 0)
    thrown = [joint.open(slot) for slot in slots[1:]]
    for slot in slots[1:]:
        joint.deck.drop(slot)
    joint.shuffle(sorted(thrown))
    joint.trust()
    assert (joint.deck.epoch.number, joint.deck.left) == (2, 4)
    later = joint.deal(1, 0, 1)
    assert later == (5, 6, 7)
    faces = [joint.face(slot) for slot in (slots[0], *later)]
    assert len(set(faces)) == 4
    assert joint.open(slots[0]) == faces[0]  # still under the key of the first epoch
    assert {joint.open(slot) for slot in later} <= set(thrown)
    assert joint.deck.hand(0) == (0, 6)
    assert joint.deck.hand(1) == (5, 7)
    assert joint.deck.slot(1).epoch == 1
    assert [origin.position for origin in joint.deck.origins] == [0, 1, 2, 3, 4, 0, 1, 2]


def test_each_seat_has_a_deck_of_its_own_as_on_separate_machines() -> None:
    set_up = SetUp(seats=3, size=6)
    set_up.run()
    points = {tuple(point.x for point in deck.epoch.points) for deck in set_up.decks}
    assert len(points) == 1
    assert {deck.unproven for deck in set_up.decks} == {()}


def test_a_restarted_program_says_the_same_again() -> None:
    """All of it follows from the seed and what is public."""
    joint = Joint()
    joint.deck.begin(range(5))
    first = joint.keepers[0].make_shuffle(0, joint.head)
    again = DeckKeeper(joint.deck, 0, Secrets(joint.secrets[0].seed))
    assert again.make_shuffle(0, joint.head) == first
    joint.deck.add_shuffle(0, 0, joint.head, first)
    bits = joint.challenge(0)
    assert again.respond(bits) == joint.keepers[0].respond(bits)
    joint.deck.add_shuffle(1, 1, joint.head, joint.keepers[1].make_shuffle(1, joint.head))
    joint.trust()
    joint.deck.deal([1, 0])
    assert again.unmask(5, joint.head) == joint.keepers[0].unmask(5, joint.head)
    joint.unmask()
    assert again.face(1) == joint.face(1)
    assert again.open(9, joint.head, 1) == joint.keepers[0].open(9, joint.head, 1)


# --- who unmasks when ---


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_in_round_k_seat_p_plus_k_unmasks_for_p(seats: int) -> None:
    joint = ready(seats, size=seats)
    owners = list(range(seats))[::-1]
    joint.deck.deal(owners)
    for k in range(1, seats):
        assert joint.deck.awaited == tuple(range(seats))
        expected = {(owner + k) % seats: (slot,) for slot, owner in enumerate(owners)}
        assert {seat: joint.deck.pending(seat) for seat in range(seats)} == expected
        for seat in joint.deck.awaited:
            joint.deck.add_unmask(
                seat, joint.round, joint.head, joint.keepers[seat].unmask(joint.round, joint.head)
            )
        joint.round += 1
    assert joint.deck.awaited == ()
    assert all(slot.ready for slot in joint.deck.slots)


def test_entries_of_one_round_in_any_order() -> None:
    """What a seat unmasks in a round does not depend on whose entry came first."""
    points = set()
    for order in itertools.permutations(range(3)):
        joint = ready(seats=3, size=6)
        joint.deck.deal([0, 1, 2, 0, 1, 2])
        for _ in range(2):
            sent = {seat: joint.keepers[seat].unmask(joint.round, joint.head) for seat in joint.deck.awaited}
            for seat in order:
                joint.deck.add_unmask(seat, joint.round, joint.head, sent[seat])
            joint.round += 1
        points.add(tuple(slot.point.x for slot in joint.deck.slots))
    assert len(points) == 1


def test_before_the_last_mask_is_off_nobody_sees_a_card() -> None:
    joint = ready(seats=3, size=6)
    slots = joint.deck.deal([0, 1])
    known = {point.x for point in joint.deck.card_points}
    for _ in range(2):
        for slot in slots:
            with pytest.raises(ValueError, match="cannot see"):
                joint.keepers[joint.deck.slot(slot).owner].face(slot)
        for seat in joint.deck.awaited:
            joint.deck.add_unmask(
                seat, joint.round, joint.head, joint.keepers[seat].unmask(joint.round, joint.head)
            )
        joint.round += 1
        assert known.isdisjoint(slot.point.x for slot in joint.deck.slots)
    for seat, keeper in enumerate(joint.keepers):
        for slot in slots:
            if joint.deck.slot(slot).owner == seat:
                assert keeper.face(slot) in range(6)
            else:
                with pytest.raises(ValueError, match="cannot see"):
                    keeper.face(slot)


def test_a_slot_carries_the_key_of_its_last_mask() -> None:
    joint = ready()
    (slot,) = joint.deal(1)
    held = joint.deck.slot(slot)
    assert held.key == joint.deck.epoch.shuffles[1].claim.new_key
    scalar = joint.deck.move(joint.secrets[1], 1, 1).scalar
    assert Multiplier(scalar).mask(GENERATOR) == held.key
    assert Multiplier(inverse(scalar)).mask(held.point) == joint.deck.card_points[joint.face(slot)]


# --- keys and secrets ---


def test_no_secret_serves_twice() -> None:
    """Over seats, epochs, heads, steps and shadows."""
    joint = Joint(seats=3)
    seen = [
        seed
        for secrets, epoch, head in itertools.product(
            joint.secrets, (1, 2), (some_bytes("a"), some_bytes("b"))
        )
        for step, shadows in [joint.deck.step_seeds(secrets, epoch, head)]
        for seed in (step, *shadows)
    ]
    assert len(seen) == 3 * 2 * 2 * 41
    assert len(set(seen)) == len(seen)


def test_an_epoch_has_keys_of_its_own() -> None:
    joint = ready()
    joint.deal(0, 1, 0, 1, 0)
    keys = [made.claim.new_key for made in joint.deck.epoch.shuffles.values()]
    joint.shuffle()
    keys += [made.claim.new_key for made in joint.deck.epoch.shuffles.values()]
    assert len(set(keys)) == 4


# --- misuse by our own side: never an Invalid, which would accuse another ---


def test_calls_out_of_turn_are_misuse() -> None:
    joint = Joint()
    published = SetUp(size=5).keepers[0].make_shuffle(0, some_bytes("head"))
    for call in (
        lambda: joint.deck.epoch,
        lambda: joint.keepers[0].make_shuffle(0, joint.head),
        lambda: joint.deck.deal([0]),
        lambda: joint.deck.slot(0),
        lambda: joint.deck.drop(0),
        lambda: joint.deck.add_unmask(0, 0, joint.head, ()),
        lambda: joint.deck.add_shuffle(0, 0, joint.head, published),
    ):
        with pytest.raises(ValueError, match=r"\w"):
            call()
    assert joint.deck.shuffler is None
    assert joint.deck.unproven == joint.deck.awaited == joint.deck.pending(0) == joint.deck.hand(0) == ()
    assert joint.deck.left == 0
    joint.deck.begin(range(5))
    with pytest.raises(ValueError, match="seat 1 does not shuffle now"):
        joint.keepers[1].make_shuffle(0, joint.head)
    with pytest.raises(ValueError, match="seat 1 does not shuffle now"):
        joint.deck.add_shuffle(1, 0, joint.head, published)
    with pytest.raises(ValueError, match="not finished"):
        joint.deck.begin(range(5))
    with pytest.raises(ValueError, match="nothing to prove"):
        joint.keepers[0].respond(joint.challenge(0))
    with pytest.raises(ValueError, match="nothing to prove"):
        joint.deck.check_responses(0, joint.challenge(0), ())


def test_nothing_is_dealt_from_a_pile_that_is_not_proven() -> None:
    joint = Joint()
    joint.shuffle()
    assert joint.deck.unproven == (0, 1)
    with pytest.raises(ValueError, match="not ready"):
        joint.deck.deal([0])
    bits = joint.challenge(0)
    proven = joint.deck.check_responses(0, bits, joint.keepers[0].respond(bits))
    assert joint.deck.unproven == (0, 1), "a check changes nothing"
    joint.deck.accept(proven)
    assert list(joint.deck.unproven) == [1]
    with pytest.raises(ValueError, match="not ready"):
        joint.deck.deal([0])
    with pytest.raises(ValueError, match="nothing to prove"):
        joint.deck.accept(proven)


def test_a_proof_of_one_epoch_is_not_taken_in_the_next() -> None:
    joint = Joint()
    joint.shuffle()
    stale = joint.proof(0)
    joint.trust()
    joint.deal(0, 1, 0, 1, 0)
    joint.shuffle()
    with pytest.raises(ValueError, match="nothing to prove"):
        joint.deck.accept(stale)


def test_an_epoch_does_not_begin_while_a_proof_is_owed() -> None:
    joint = Joint()
    joint.shuffle()
    with pytest.raises(ValueError, match="not finished"):
        joint.deck.begin(range(5))


def test_who_makes_a_proof_need_not_check_it_but_checks_all_others() -> None:
    joint = Joint()
    mine = Deck("test", "cards", 5, 2, joint.table_id, vouched=0)
    mine.begin(range(5))
    joint.deck.begin(range(5))
    for seat in range(2):
        published = joint.keepers[seat].make_shuffle(seat, joint.head)
        for deck in (mine, joint.deck):
            deck.add_shuffle(seat, seat, joint.head, published)
    false = tuple(ShadowSeed(some_bytes("false")) for _ in range(40))
    mine.check_responses(0, (0,) * 40, false)
    for deck, seat in ((mine, 1), (joint.deck, 0), (joint.deck, 1)):
        with pytest.raises(Invalid) as caught:
            deck.check_responses(seat, (0,) * 40, false)
        assert caught.value.kind is Flaw.BAD_SHADOW_SEED


def test_dealing_waits_for_masks_and_ends_with_the_pile() -> None:
    joint = ready()
    joint.deck.deal([0, 1])
    for call in (lambda: joint.deck.deal([0]), lambda: joint.deck.begin(range(5))):
        with pytest.raises(ValueError, match="not"):
            call()
    with pytest.raises(ValueError, match="in no hand"):
        joint.deck.drop(0)  # still masked
    joint.unmask()
    with pytest.raises(ValueError, match="4 cards are called for and 3 are left"):
        joint.deck.deal([0, 1, 0, 1])
    assert joint.deck.deal([]) == ()
    joint.deck.drop(0)
    with pytest.raises(ValueError, match="in no hand"):
        joint.deck.drop(0)
    with pytest.raises(ValueError, match="has no mask to take off"):
        joint.deck.add_unmask(0, joint.round, joint.head, ())


@pytest.mark.parametrize("cards", [[], [1, 0], [0, 0], [-1, 0], [4, 5]])
def test_an_epoch_is_made_of_the_deck_s_cards(cards: list[int]) -> None:
    with pytest.raises(ValueError, match="ascending choice"):
        Joint().deck.begin(cards)


@pytest.mark.parametrize(("size", "seats"), [(0, 2), (256, 2), (45, 1), (45, 0)])
def test_decks_that_cannot_be(size: int, seats: int) -> None:
    with pytest.raises(ValueError, match="1 to 255 cards"):
        Deck("test", "cards", size, seats, some_bytes("table"))


@pytest.mark.parametrize("size", [1, 255])
def test_the_smallest_and_the_largest_deck(size: int) -> None:
    deck = Deck("test", "cards", size, 2, some_bytes("table"))
    deck.begin(range(size))
    assert deck.left == size


# --- a seat that resigned and left its seed (three seats or more) ---


def unmask_all_but(joint: Joint, absent: int) -> None:
    """The unmask rounds, of those who are still there."""
    while joint.deck.awaited:
        assert absent not in joint.deck.awaited
        joint.unmask()


@pytest.mark.parametrize("when", ["before", "within", "after one round"])
@pytest.mark.parametrize("leaver", [0, 1, 2])
def test_the_others_go_on_without_it(leaver: int, when: str) -> None:
    joint = ready(seats=3, size=9)
    staying = [seat for seat in range(3) if seat != leaver]
    if when == "before":
        joint.deck.surrender(leaver, joint.secrets[leaver])
        joint.deck.deal([*staying, *staying])
    else:
        joint.deck.deal([0, 1, 2, 0, 1, 2])
        rounds = 1 if when == "after one round" else 0
        for _ in range(rounds):
            for seat in joint.deck.awaited:
                joint.deck.add_unmask(
                    seat, joint.round, joint.head, joint.keepers[seat].unmask(joint.round, joint.head)
                )
            joint.round += 1
        joint.deck.surrender(leaver, joint.secrets[leaver])
    unmask_all_but(joint, leaver)
    mine = [slot for seat in staying for slot in joint.deck.hand(seat)]
    faces = {joint.face(slot) for slot in mine}
    assert len(faces) == len(mine) == 4
    assert {joint.open(slot) for slot in mine} == faces
    found = audit(joint.deck, dict(enumerate(joint.secrets)))
    assert found.differences == ()
    assert {found.faces[slot] for slot in mine} == faces


def test_an_entry_that_crosses_the_resignation_is_still_right() -> None:
    """Seat 2 resigns in the round in which 0 and 1 unmask; whichever entry comes first, nobody is at
    fault."""
    ends = set()
    for order in itertools.permutations(range(3)):
        joint = ready(seats=3, size=6)
        joint.deck.deal([0, 1, 2, 0, 1, 2])
        sent = {seat: joint.keepers[seat].unmask(joint.round, joint.head) for seat in (0, 1)}
        for seat in order:
            if seat == 2:
                joint.deck.surrender(2, joint.secrets[2])
            else:
                joint.deck.add_unmask(seat, joint.round, joint.head, sent[seat])
        joint.round += 1
        unmask_all_but(joint, 2)
        ends.add(tuple(slot.point.x for slot in joint.deck.slots))
    assert len(ends) == 1


def test_a_seat_that_left_shuffles_no_more_and_is_dealt_nothing() -> None:
    joint = ready(seats=3, size=6)
    joint.deal(0, 1, 2)
    joint.deck.surrender(1, joint.secrets[1])
    with pytest.raises(ValueError, match="before"):
        joint.deck.surrender(1, joint.secrets[1])
    joint.shuffle()
    assert tuple(joint.deck.epoch.shuffles) == (0, 2)
    joint.trust()
    with pytest.raises(ValueError, match="did not shuffle"):
        joint.deck.deal([1])
    slots = joint.deal(0, 2, 0, 2, 0, 2)
    assert sorted(joint.open(slot) for slot in slots) == list(range(6))


def test_it_may_leave_in_the_middle_of_the_shuffling() -> None:
    joint = Joint(seats=3, size=6)
    joint.deck.begin(range(6))
    joint.deck.add_shuffle(0, 0, joint.head, joint.keepers[0].make_shuffle(0, joint.head))
    joint.round += 1
    joint.deck.surrender(1, joint.secrets[1])
    joint.deck.add_shuffle(2, 1, joint.head, joint.keepers[2].make_shuffle(1, joint.head))
    joint.deck.surrender(0, joint.secrets[0])  # shuffled, and owes the proof: its seed is the proof
    assert joint.deck.shuffler is None
    assert list(joint.deck.unproven) == [2]
    joint.trust()
    slots = joint.deal(2, 2, 2, 2, 2, 2)
    assert sorted(joint.face(slot) for slot in slots) == list(range(6))


def test_a_seed_that_does_not_fit_the_published_key() -> None:
    joint = ready(seats=3)
    for call in (joint.deck.check_surrender, joint.deck.surrender):
        with pytest.raises(Invalid) as caught:
            call(1, Secrets(some_bytes("another seed")))
        assert caught.value.kind is Flaw.BAD_SEED
    joint.deck.check_surrender(1, joint.secrets[1])
    joint.deck.surrender(1, joint.secrets[1])


def test_a_seed_that_gives_the_key_but_not_the_order() -> None:
    """Found when the seed arrives, not only by the audit: a list in another order than the seed's."""
    joint = Joint(seats=3)
    joint.deck.begin(range(5))
    published = joint.keepers[0].make_shuffle(0, joint.head)
    swapped = dataclasses.replace(published, points=published.points[::-1])
    joint.deck.add_shuffle(0, 0, joint.head, swapped)
    with pytest.raises(Invalid) as caught:
        joint.deck.check_surrender(0, joint.secrets[0])
    assert caught.value.kind is Flaw.BAD_SEED


# --- properties ---


@given(st.data())
@settings(max_examples=15)
def test_whatever_is_dealt_to_whom(data: st.DataObject) -> None:
    seats = data.draw(st.integers(2, 4))
    size = data.draw(st.integers(1, 8))
    joint = ready(seats, size, name=data.draw(st.text(max_size=3)))
    owners = data.draw(st.lists(st.integers(0, seats - 1), max_size=size))
    cut = data.draw(st.integers(0, len(owners)))
    slots = [*joint.deal(*owners[:cut]), *joint.deal(*owners[cut:])]
    assert [joint.deck.slot(slot).owner for slot in slots] == owners
    faces = {slot: joint.face(slot) for slot in slots}
    assert len(set(faces.values())) == len(owners)
    found = audit(joint.deck, dict(enumerate(joint.secrets)))
    assert (found.differences, found.unaudited) == ((), ())
    assert found.faces == faces
    (order,) = found.orders
    assert order is not None
    assert sorted(order) == list(range(size))
    assert list(order[: len(owners)]) == list(faces.values())
