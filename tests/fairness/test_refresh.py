"""Refreshes of a hand, without a table: what they change and what not, misuse, garbage, secrets that serve once."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bcnet.fairness.audit import Difference, Matter, audit
from bcnet.fairness.deck import Refresh, Rekeyed, StepKind
from bcnet.fairness.equality import Equality
from bcnet.fairness.errors import Flaw, Invalid
from bcnet.fairness.keeper import DeckKeeper
from bcnet.fairness.steps import SHADOWS, Published
from bcnet.secrets import Secrets
from tests.fairness.cheats import false_card
from tests.fairness.joint import Joint, some_bytes


def dealt(*seats: int, size: int = 6, among: int = 2) -> Joint:
    """A table at which these seats were dealt a card each."""
    joint = Joint(among, size, name="refresh")
    joint.shuffle()
    joint.trust()
    joint.deal(*seats)
    return joint


def publish(joint: Joint, seat: int) -> Refresh:
    """The refresh of a seat arrives."""
    refresh = joint.keepers[seat].make_refresh(joint.round, joint.head)
    joint.deck.add_refresh(seat, joint.round, joint.head, refresh)
    joint.round += 1
    return refresh


def prove(joint: Joint, seat: int) -> None:
    bits = joint.challenge(seat)
    joint.round += 1
    joint.deck.accept(joint.deck.check_responses(seat, bits, joint.keepers[seat].respond(bits)))
    joint.round += 1


def refresh(joint: Joint, seat: int) -> None:
    publish(joint, seat)
    prove(joint, seat)


def faces(joint: Joint, seat: int) -> list[int]:
    return [joint.face(slot) for slot in joint.deck.hand(seat)]


def test_the_cards_of_a_hand_change_their_slots_and_nothing_else() -> None:
    joint = dealt(0, 1, 0, 1, 0)
    deck, before, others = joint.deck, faces(joint, 0), faces(joint, 1)
    moved = set()
    for _ in range(4):
        points = {deck.slot(slot).point for slot in deck.hand(0)}
        deck._slots = [
            slot._replace(origin=deck.origins[slot.id]) if slot.owner == 0 else slot for slot in deck._slots
        ]  # as if drawn just now
        refresh(joint, 0)
        assert points.isdisjoint(deck.slot(slot).point for slot in deck.hand(0))
        assert sorted(faces(joint, 0)) == sorted(before)
        moved.add(tuple(faces(joint, 0)))
    assert len(moved) > 1
    assert faces(joint, 1) == others
    assert deck.hand(0) == (0, 2, 4)
    assert {deck.slot(slot).epoch for slot in deck.hand(0)} == {0}
    assert {deck.slot(slot).epoch for slot in deck.hand(1)} == {1}
    assert [joint.open(slot) for slot in deck.hand(0)] == faces(joint, 0)
    assert audit(deck, dict(enumerate(joint.secrets))).differences == ()


def test_a_new_card_of_a_later_pile_comes_under_the_hand_key() -> None:
    joint = dealt(0, 1, 0, 1, size=4)
    deck = joint.deck
    for seat in (0, 1):
        refresh(joint, seat)
    thrown = [joint.open(slot) for slot in (0, 1)]
    for slot in (0, 1):
        deck.drop(slot)
    joint.shuffle(sorted(thrown))
    joint.prove()
    (drawn,) = joint.deal(0)
    held = {*faces(joint, 0)}
    assert deck.slot(drawn).epoch == 2
    assert deck.unrefreshed == (0,)
    made = publish(joint, 0)
    assert len(made.cards) == 1
    prove(joint, 0)
    assert {*faces(joint, 0)} == held
    told = audit(deck, dict(enumerate(joint.secrets)))
    assert told.differences == ()
    assert {slot: told.held[slot] for slot in deck.hand(0)} == dict(
        zip(deck.hand(0), faces(joint, 0), strict=True)
    )


def test_an_opened_card_stays_where_it_is() -> None:
    joint = dealt(0, 0, 0)
    card = joint.open(1)
    point = joint.deck.slot(1).point
    assert joint.deck.hidden(0) == (0, 2)
    refresh(joint, 0)
    assert joint.deck.slot(1).point == point
    assert joint.face(1) == card  # under the key of its epoch still
    assert joint.deck.refreshes[0].slots == (0, 2)


def test_three_seats_and_one_that_leaves_in_the_middle() -> None:
    joint = dealt(0, 1, 2, 0, 1, 2, among=3)
    for seat in (0, 1, 2):
        publish(joint, seat)
    assert list(joint.deck.unproven) == [0, 1, 2]
    joint.deck.surrender(1, joint.secrets[1])
    assert list(joint.deck.unproven) == [0, 2]
    for seat in (2, 0):
        prove(joint, seat)
    assert joint.deck.unrefreshed == ()
    assert {joint.deck.slot(slot).epoch for slot in joint.deck.hand(1)} == {1}
    assert audit(joint.deck, dict(enumerate(joint.secrets))).differences == ()


def test_out_of_turn() -> None:
    joint = dealt(0, 1)
    deck, keeper = joint.deck, joint.keepers[0]
    made = publish(joint, 0)
    for misuse in (
        lambda: keeper.make_refresh(joint.round, joint.head),
        lambda: deck.add_refresh(0, joint.round, joint.head, made),
        lambda: deck.deal([0]),
        lambda: deck.begin([0, 1]),
    ):
        with pytest.raises(ValueError):
            misuse()
    prove(joint, 0)
    with pytest.raises(ValueError, match="no hand to refresh"):
        keeper.make_refresh(joint.round, joint.head)
    with pytest.raises(ValueError, match="nothing to prove"):
        deck.check_responses(0, joint.challenge(0), ())


def test_an_answer_to_an_earlier_refresh_is_not_accepted_for_a_later_one() -> None:
    joint = dealt(0, 0)
    publish(joint, 0)
    bits = joint.challenge(0)
    proven = joint.deck.check_responses(0, bits, joint.keepers[0].respond(bits))
    joint.deck.accept(proven)
    joint.deal(0)
    publish(joint, 0)
    with pytest.raises(ValueError, match="nothing to prove in round"):
        joint.deck.accept(proven)


@pytest.mark.parametrize("factor", [2, 5])
def test_what_is_wrong_changes_nothing(factor: int) -> None:
    joint = dealt(0, 0)
    refresh(joint, 0)
    joint.deal(0)
    deck = joint.deck
    before = (deck.slots, list(deck.refreshes), deck.unrefreshed)
    honest = joint.keepers[0].make_refresh(joint.round, joint.head)
    lie = false_card(joint.keepers[0], joint.round, joint.head, factor=factor)
    with pytest.raises(Invalid) as caught:
        deck.add_refresh(0, joint.round, joint.head, dataclasses.replace(honest, cards=(lie,)))
    assert caught.value.kind is Flaw.BAD_EQUALITY
    assert (deck.slots, deck.refreshes, deck.unrefreshed) == before
    deck.add_refresh(0, joint.round, joint.head, honest)


def test_no_secret_serves_twice() -> None:
    """A home that was put back meets another head: it has other keys then, other orders and other shadows."""
    joint = dealt(0, 0, 0)
    one = joint.keepers[0].make_refresh(joint.round, joint.head)
    again = joint.keepers[0].make_refresh(joint.round, joint.head)
    other = joint.keepers[0].make_refresh(joint.round, some_bytes("another head"))
    assert one == again
    assert one.step.key != other.step.key
    assert {*one.step.points}.isdisjoint(other.step.points)
    assert {*one.step.shadows}.isdisjoint(other.step.shadows)
    # Nor is a step of a refresh ever that of a shuffle at the same head.
    deck, secrets = joint.deck, joint.secrets[0]
    kinds = [deck.step_seeds(secrets, 1, joint.head, kind) for kind in StepKind]
    assert len({seed for step, shadows in kinds for seed in (step, *shadows)}) == 2 * (SHADOWS + 1)
    assert len({deck.step_context(0, joint.round, joint.head, kind) for kind in StepKind}) == 2


def test_another_step_than_the_seed_s_shows_in_the_audit() -> None:
    """The step that the seed gives for another head: as good as any, and not the one that is due."""
    joint = dealt(0, 0, 0)
    round_ = joint.round
    made = joint.keepers[0].make_refresh(round_, some_bytes("another head"))
    joint.deck.add_refresh(0, round_, joint.head, made)
    told = audit(joint.deck, dict(enumerate(joint.secrets)))
    assert told.differences == (Difference(0, round_, Matter.REFRESH, 1),)


BYTES = st.binary(max_size=33)
EQUALITIES = st.builds(Equality, BYTES, BYTES, BYTES)


@settings(max_examples=60)
@given(
    st.lists(st.builds(Rekeyed, BYTES, EQUALITIES), max_size=3).map(tuple),
    st.builds(
        Published, st.lists(BYTES, max_size=4).map(tuple), BYTES, st.lists(BYTES, max_size=41).map(tuple)
    ),
)
def test_garbage(cards: tuple[Rekeyed, ...], step: Published) -> None:
    joint = GARBAGE
    with pytest.raises(Invalid):
        joint.deck.add_refresh(0, joint.round, joint.head, Refresh(cards, step))


GARBAGE = dealt(0, 0)


def test_a_keeper_that_comes_back_knows_its_hand() -> None:
    """All follows from the seed and the public deck."""
    joint = dealt(0, 1, 0, 1)
    for seat in (0, 1):
        refresh(joint, seat)
    joint.deal(0)
    refresh(joint, 0)
    again = DeckKeeper(joint.deck, 0, Secrets(joint.secrets[0].seed))
    for slot in joint.deck.hand(0):
        assert again.face(slot) == joint.face(slot)
        assert again.open(9, joint.head, slot) == joint.keepers[0].open(9, joint.head, slot)
