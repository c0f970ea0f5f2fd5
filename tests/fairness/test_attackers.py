"""Attackers on the deck, by name: what each does, when it is caught, and by which flaw.

All of them speak to an honest deck; none calls a checker of its own. A deck that has caught one is as it was
before."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bcnet.fairness import equality
from bcnet.fairness.beacon import Choices, output
from bcnet.fairness.deck import Unmasked
from bcnet.fairness.equality import Equality
from bcnet.fairness.errors import Flaw, Invalid
from bcnet.fairness.group import FIELD, GENERATOR, ORDER, Multiplier, Point, inverse
from bcnet.fairness.steps import SHADOWS, Published
from bcnet.hashing import tagged_hash
from tests.fairness.cheats import ALTERNATELY, FalseShuffle, false_shuffle, honest_move
from tests.fairness.joint import Joint, some_bytes

OPPOSITE = tuple(1 - bit for bit in ALTERNATELY)


def begun(name: str = "joint") -> Joint:
    """Seat 0 has shuffled; seat 1, the attacker, is next."""
    joint = Joint(name=name)
    joint.deck.begin(range(5))
    joint.deck.add_shuffle(0, 0, joint.head, joint.keepers[0].make_shuffle(0, joint.head))
    joint.round += 1
    return joint


def ready(name: str = "joint") -> Joint:
    """A shuffled and proven pile."""
    joint = Joint(name=name)
    joint.shuffle()
    joint.trust()
    return joint


def refused(joint: Joint, published: Published) -> Flaw:
    """The flaw of seat 1's shuffle, which leaves no trace."""
    before = joint.deck.epoch.points
    with pytest.raises(Invalid) as caught:
        joint.deck.add_shuffle(1, joint.round, joint.head, published)
    assert (joint.deck.shuffler, joint.deck.epoch.points) == (1, before)
    return caught.value.kind


def dishonest(
    joint: Joint, points: Sequence[Point], key: Point, guess: Sequence[int] = ALTERNATELY
) -> FalseShuffle:
    """Seat 1 publishes a false shuffle, which arrives."""
    cheat = false_shuffle(joint.deck, 1, joint.round, joint.head, points, key, guess)
    joint.deck.add_shuffle(1, joint.round, joint.head, cheat.published)
    return cheat


def fails(joint: Joint, cheat: FalseShuffle, bits: Sequence[int]) -> int:
    """At which challenge a false shuffle fails."""
    with pytest.raises(Invalid) as caught:
        joint.deck.check_responses(1, bits, cheat.respond(bits))
    assert caught.value.kind in (Flaw.BAD_BRIDGE, Flaw.BAD_SHADOW_SEED)
    assert 1 in joint.deck.unproven
    index = caught.value.values["index"]
    assert isinstance(index, int)
    return index


# --- false shuffles, F1 and F2 ---


def forged_point(joint: Joint, points: list[Point], mine: Multiplier) -> None:
    """F1: one masked card replaced by a multiple of another."""
    points[0] = Multiplier(7).mask(points[1])


def doubled_card(joint: Joint, points: list[Point], mine: Multiplier) -> None:
    """F2: the same card twice, under two multipliers so that no point stands twice."""
    points[0] = Multiplier(mine.scalar * 2 % ORDER).mask(joint.deck.epoch.points[0])
    points[1] = mine.mask(joint.deck.epoch.points[0])


def two_multipliers(joint: Joint, points: list[Point], mine: Multiplier) -> None:
    """All cards there, half of them marked by another multiplier."""
    points[2:] = [Multiplier(3).mask(point) for point in points[2:]]


def stranger(joint: Joint, points: list[Point], mine: Multiplier) -> None:
    """A point that is no card at all: it would open to nothing."""
    points[0] = Multiplier(12345).mask(GENERATOR)


def earlier_list(joint: Joint, points: list[Point], mine: Multiplier) -> None:
    """Seat 0's mask never put on: the cards themselves under the attacker's alone. All would be open to
    it."""
    points[:] = [mine.mask(point) for point in joint.deck.card_points]


CHEATS = [forged_point, doubled_card, two_multipliers, stranger, earlier_list]


@pytest.mark.parametrize("spoil", CHEATS)
def test_false_shuffle(spoil: Callable[[Joint, list[Point], Multiplier], None]) -> None:
    """Prepared for one challenge out of 2**40 it survives that one and fails the others, at the first bit
    missed."""
    joint = begun()
    points, key, mine = honest_move(joint.deck)
    spoil(joint, points, mine)
    cheat = dishonest(joint, points, key)
    assert fails(joint, cheat, joint.challenge(1)) in range(SHADOWS)
    assert fails(joint, cheat, OPPOSITE) == 0
    joint.deck.check_responses(1, ALTERNATELY, cheat.respond(ALTERNATELY))


def test_right_points_under_a_false_key() -> None:
    """The list is shuffled well, but the key point belongs to another scalar: unmaskings could be
    anything."""
    joint = begun()
    points, _, _ = honest_move(joint.deck)
    cheat = dishonest(joint, points, Multiplier(999).mask(GENERATOR))
    fails(joint, cheat, joint.challenge(1))


def test_each_shadow_of_a_cheat_survives_exactly_one_bit() -> None:
    """So all T of them survive with 2**-40: one challenge in 2**T, which nobody can choose."""
    joint = begun()
    points, key, mine = honest_move(joint.deck)
    forged_point(joint, points, mine)
    cheat = dishonest(joint, points, key)
    joint.deck.check_responses(1, cheat.guess, cheat.respond(cheat.guess))
    for index in range(SHADOWS):
        one_off = tuple(bit ^ (place == index) for place, bit in enumerate(cheat.guess))
        assert fails(joint, cheat, one_off) == index


def test_an_honest_shuffle_survives_what_the_cheat_does_not() -> None:
    """The control: with nothing spoilt, every challenge can be answered."""
    joint = begun()
    joint.deck.add_shuffle(1, joint.round, joint.head, joint.keepers[1].make_shuffle(joint.round, joint.head))
    for bits in (ALTERNATELY, OPPOSITE, joint.challenge(1)):
        joint.deck.check_responses(1, bits, joint.keepers[1].respond(bits))


def test_swapped_after_the_shadows_were_made() -> None:
    """F2: two positions of an honest list exchanged after the fact; the answers lead to the list as it
    was."""
    joint = begun()
    published = joint.keepers[1].make_shuffle(joint.round, joint.head)
    swapped = (published.points[1], published.points[0], *published.points[2:])
    joint.deck.add_shuffle(1, joint.round, joint.head, dataclasses.replace(published, points=swapped))
    bits = joint.challenge(1)
    with pytest.raises(Invalid) as caught:
        joint.deck.check_responses(1, bits, joint.keepers[1].respond(bits))
    assert caught.value.kind is Flaw.BAD_BRIDGE


def test_challenge_known_before_the_shadows_are_fixed() -> None:
    """The challenge hashes the head, which hashes the shadows: shadows made for a challenge change it.

    Here the attacker even knows all links of the round, which at a table it cannot, and tries again and
    again."""
    links = [some_bytes("known link", seat) for seat in range(2)]

    def challenge(head: bytes) -> tuple[int, ...]:
        return Choices(output(joint.table_id, "challenge", 1, 2, head, links)).bits(SHADOWS)

    joint = begun()
    points, key, mine = honest_move(joint.deck)
    forged_point(joint, points, mine)
    wanted = challenge(joint.head)
    seen = {wanted}
    for _ in range(20):
        cheat = false_shuffle(joint.deck, 1, 1, joint.head, points, key, wanted)
        entry = b"".join((*cheat.published.points, cheat.published.key, *cheat.published.shadows))
        comes = challenge(tagged_hash("head", joint.head, entry))
        assert comes != wanted
        assert comes not in seen
        seen.add(comes)
        wanted = comes


def test_shadows_of_an_honest_proof_for_a_false_list() -> None:
    """Commitments carried over from the seat's own true shuffle in the same place."""
    joint = begun()
    honest = joint.keepers[1].make_shuffle(joint.round, joint.head)
    forged = (Multiplier(3).mask(Point(honest.points[0])).x, *honest.points[1:])
    joint.deck.add_shuffle(1, joint.round, joint.head, dataclasses.replace(honest, points=forged))
    joint.deck.check_responses(
        1, (0,) * SHADOWS, joint.keepers[1].respond((0,) * SHADOWS)
    )  # as good as can be
    with pytest.raises(Invalid):
        joint.deck.check_responses(1, (1,) * SHADOWS, joint.keepers[1].respond((1,) * SHADOWS))


def test_shadows_made_for_another_round_table_or_seat() -> None:
    """The context of a commitment is its place: the very same shuffle published elsewhere proves nothing."""
    joint = begun()
    published = joint.keepers[1].make_shuffle(joint.round, joint.head)
    joint.deck.add_shuffle(1, joint.round + 1, joint.head, published)
    bits = joint.challenge(1)
    with pytest.raises(Invalid) as caught:
        joint.deck.check_responses(1, bits, joint.keepers[1].respond(bits))
    assert caught.value.values["index"] == 0


# --- lists and keys that are refused at once ---


@pytest.mark.parametrize("points", [0, 1, 4, 6])
def test_short_empty_and_long_lists(points: int) -> None:
    joint = begun()
    published = joint.keepers[1].make_shuffle(joint.round, joint.head)
    more = (published.points * 2)[:points]
    assert refused(joint, dataclasses.replace(published, points=more)) is Flaw.WRONG_LENGTH


def test_the_same_point_twice() -> None:
    joint = begun()
    published = joint.keepers[1].make_shuffle(joint.round, joint.head)
    doubled = (published.points[0], *published.points[:-1])
    assert refused(joint, dataclasses.replace(published, points=doubled)) is Flaw.DUPLICATE_POINT


def test_a_card_laid_open_in_the_list() -> None:
    joint = begun()
    published = joint.keepers[1].make_shuffle(joint.round, joint.head)
    for card in joint.deck.card_points:
        laid_open = (*published.points[:-1], card.x)
        assert refused(joint, dataclasses.replace(published, points=laid_open)) is Flaw.CARD_POINT_IN_LIST


def test_keys_that_have_been_used() -> None:
    """The generator (no mask at all), seat 0's key (its shuffle repeated), and keys of an earlier epoch."""
    joint = ready()
    joint.deal(0, 1, 0, 1, 0)
    earlier = [made.claim.new_key.x for made in joint.deck.epoch.shuffles.values()]
    joint.deck.begin(range(5))
    joint.deck.add_shuffle(0, joint.round, joint.head, joint.keepers[0].make_shuffle(joint.round, joint.head))
    joint.round += 1
    published = joint.keepers[1].make_shuffle(joint.round, joint.head)
    for key in [GENERATOR.x, *earlier, joint.deck.epoch.shuffles[0].claim.new_key.x]:
        assert refused(joint, dataclasses.replace(published, key=key)) is Flaw.KEY_REUSED


def test_no_shuffle_at_all() -> None:
    """The list and key handed on as they are, or seat 0's whole entry sent again."""
    joint = begun()
    made = joint.deck.epoch.shuffles[0]
    points = tuple(point.x for point in joint.deck.epoch.points)
    for key in (GENERATOR.x, made.claim.new_key.x):
        assert refused(joint, Published(points, key, made.claim.shadows)) is Flaw.KEY_REUSED


@pytest.mark.parametrize(
    ("point", "kind"),
    [
        (b"", Flaw.WRONG_LENGTH),
        (b"\2" + GENERATOR.x, Flaw.WRONG_LENGTH),  # compressed in the manner of SEC 1
        ((1).to_bytes(32, "big"), Flaw.POINT_OFF_CURVE),
        (FIELD.to_bytes(32, "big"), Flaw.POINT_NON_CANONICAL),
        ((5 + FIELD).to_bytes(32, "big"), Flaw.POINT_NON_CANONICAL),
    ],
)
def test_points_that_are_none(point: bytes, kind: Flaw) -> None:
    joint = begun()
    published = joint.keepers[1].make_shuffle(joint.round, joint.head)
    assert refused(joint, dataclasses.replace(published, points=(*published.points[:-1], point))) is kind
    assert refused(joint, dataclasses.replace(published, key=point)) is kind


# --- false unmaskings ---


def unmask_refused(joint: Joint, cards: Sequence[Unmasked]) -> Flaw:
    """The flaw of seat 1's unmaskings, which leave no trace."""
    before = joint.deck.slots
    with pytest.raises(Invalid) as caught:
        joint.deck.add_unmask(1, joint.round, joint.head, cards)
    assert joint.deck.slots == before
    return caught.value.kind


def test_unmasking_with_another_key() -> None:
    joint = ready()
    joint.deck.deal([0])
    slot = joint.deck.slot(0)
    for scalar in (2, inverse(joint.deck.move(joint.secrets[1], 1, 1).scalar * 2 % ORDER)):
        point = Multiplier(scalar).mask(slot.point)
        statement = joint.deck.unmask_statement(1, joint.round, joint.head, slot, point)
        proof = equality.prove(joint.secrets[1], statement, inverse(scalar))
        assert unmask_refused(joint, [Unmasked(point.x, proof)]) is Flaw.BAD_EQUALITY


def test_unmasking_another_position() -> None:
    """The next card of the pile in place of the one that is due, truly unmasked."""
    joint = ready()
    joint.deck.deal([0])
    scalar = joint.deck.move(joint.secrets[1], 1, 1).scalar
    other = Multiplier(inverse(scalar)).mask(joint.deck.epoch.points[1])
    statement = joint.deck.unmask_statement(1, joint.round, joint.head, joint.deck.slot(0), other)
    proof = equality.prove(joint.secrets[1], statement, scalar)
    assert unmask_refused(joint, [Unmasked(other.x, proof)]) is Flaw.BAD_EQUALITY


def test_mask_left_on() -> None:
    joint = ready()
    joint.deck.deal([0])
    honest = joint.keepers[1].unmask(joint.round, joint.head)[0]
    left_on = dataclasses.replace(honest, point=joint.deck.slot(0).point.x)
    assert unmask_refused(joint, [left_on]) is Flaw.BAD_EQUALITY


def test_swapped_positions() -> None:
    joint = ready()
    joint.deck.deal([0, 0])
    first, second = joint.keepers[1].unmask(joint.round, joint.head)
    assert unmask_refused(joint, [second, first]) is Flaw.BAD_EQUALITY
    assert unmask_refused(joint, [first, first]) is Flaw.BAD_EQUALITY
    points_only = [
        dataclasses.replace(first, point=second.point),
        dataclasses.replace(second, point=first.point),
    ]
    assert unmask_refused(joint, points_only) is Flaw.BAD_EQUALITY
    joint.deck.add_unmask(1, joint.round, joint.head, [first, second])


@pytest.mark.parametrize("count", [0, 1, 3])
def test_short_empty_and_long_unmaskings(count: int) -> None:
    joint = ready()
    joint.deck.deal([0, 0])
    honest = joint.keepers[1].unmask(joint.round, joint.head)
    assert unmask_refused(joint, (honest * 2)[:count]) is Flaw.WRONG_LENGTH


def test_proof_from_another_round_head_or_table() -> None:
    joint, elsewhere = ready(), ready("elsewhere")
    for table in (joint, elsewhere):
        table.deck.deal([0])
    here = joint.round, joint.head
    for round_, head in ((here[0] + 1, here[1]), (here[0], some_bytes("another head"))):
        assert unmask_refused(joint, joint.keepers[1].unmask(round_, head)) is Flaw.BAD_EQUALITY
    assert unmask_refused(joint, elsewhere.keepers[1].unmask(*here)) is Flaw.BAD_EQUALITY


def test_unlock_oracle() -> None:
    """There is no way to ask: what a seat unmasks is what the rules deal, and nothing when nothing is
    dealt."""
    joint = ready()
    assert joint.keepers[0].unmask(joint.round, joint.head) == ()
    joint.deck.deal([0])
    assert joint.deck.pending(0) == ()
    assert joint.keepers[0].unmask(joint.round, joint.head) == ()
    assert len(joint.keepers[1].unmask(joint.round, joint.head)) == 1
    joint.unmask()
    assert joint.keepers[1].unmask(joint.round, joint.head) == ()


# --- false openings ---


def open_refused(joint: Joint, seat: int, slot: int, card: int, proof: Equality) -> Flaw:
    """The flaw of an opening, which leaves no trace."""
    before = list(joint.deck.openings)
    with pytest.raises(Invalid) as caught:
        joint.deck.add_opening(seat, joint.round, joint.head, slot, card, proof)
    assert joint.deck.openings == before
    return caught.value.kind


def test_naming_another_card() -> None:
    joint = ready()
    (slot,) = joint.deal(1)
    true, scalar = joint.face(slot), joint.deck.move(joint.secrets[1], 1, 1).scalar
    for lie in set(range(5)) - {true}:
        assert open_refused(joint, 1, slot, lie, joint.opening(slot)) is Flaw.BAD_EQUALITY
        statement = joint.deck.open_statement(1, joint.round, joint.head, joint.deck.slot(slot), lie)
        proof = equality.prove(joint.secrets[1], statement, scalar)
        assert open_refused(joint, 1, slot, lie, proof) is Flaw.BAD_EQUALITY


def test_opening_what_is_not_in_the_hand() -> None:
    """Another's slot, none, one played before, one that is not unmasked yet, and cards that cannot be
    there."""
    joint = ready()
    mine, theirs = joint.deal(1, 0)
    proof, card = joint.opening(mine), joint.face(mine)
    for slot in (theirs, 2, 99, 2**32 - 1):
        assert open_refused(joint, 1, slot, card, proof) is Flaw.BAD_OPENING
    for unknown in (5, 255, 2**32 - 1):
        assert open_refused(joint, 1, mine, unknown, proof) is Flaw.BAD_OPENING
    joint.open(mine)
    joint.deck.drop(mine)
    assert open_refused(joint, 1, mine, card, joint.opening(mine)) is Flaw.BAD_OPENING
    joint.deck.deal([1])
    assert open_refused(joint, 1, 2, card, proof) is Flaw.BAD_OPENING


def test_a_card_that_was_not_in_the_pile_of_its_epoch() -> None:
    joint = ready()
    joint.deal(0, 1, 0, 1, 0)
    joint.deck.begin([0, 1])
    while (seat := joint.deck.shuffler) is not None:
        joint.deck.add_shuffle(
            seat, joint.round, joint.head, joint.keepers[seat].make_shuffle(joint.round, joint.head)
        )
        joint.round += 1
    joint.trust()
    (slot,) = joint.deal(1)
    for card in (2, 3, 4):
        assert open_refused(joint, 1, slot, card, joint.opening(slot)) is Flaw.BAD_OPENING


def test_proof_of_an_opening_carried_over() -> None:
    """From another slot, another round, another table, or from an unmasking."""
    joint, elsewhere = ready(), ready("elsewhere")
    one, other = joint.deal(1, 1)
    elsewhere.deal(1, 1)
    proofs = [
        joint.opening(other),
        joint.keepers[1].open(joint.round + 1, joint.head, one),
        joint.keepers[1].open(joint.round, some_bytes("another head"), one),
        elsewhere.keepers[1].open(joint.round, joint.head, one),
    ]
    for proof in proofs:
        assert open_refused(joint, 1, one, joint.face(one), proof) is Flaw.BAD_EQUALITY
    joint.open(one)


# --- garbage ---

HONEST = begun("garbage")
HONEST_SHUFFLE = HONEST.keepers[1].make_shuffle(HONEST.round, HONEST.head)


@given(st.data())
@settings(max_examples=60)
def test_a_flipped_bit_of_a_shuffle(data: st.DataObject) -> None:
    """Refused on arrival, or by any challenge: even commitments alone, for all are opened."""
    parts = [*HONEST_SHUFFLE.points, HONEST_SHUFFLE.key, *HONEST_SHUFFLE.shadows]
    index = data.draw(st.integers(0, len(parts) - 1))
    flipped = int.from_bytes(parts[index], "big") ^ 1 << data.draw(st.integers(0, 255))
    parts[index] = flipped.to_bytes(32, "big")
    joint = begun("garbage")
    try:
        joint.deck.add_shuffle(
            1, joint.round, joint.head, Published(tuple(parts[:5]), parts[5], tuple(parts[6:]))
        )
    except Invalid:
        return
    bits = joint.challenge(1)
    with pytest.raises(Invalid):
        joint.deck.check_responses(1, bits, joint.keepers[1].respond(bits))


@given(
    st.lists(st.builds(Unmasked, st.binary(max_size=33), st.builds(Equality, *[st.binary(max_size=33)] * 3)))
)
def test_garbage_for_unmaskings(cards: list[Unmasked]) -> None:
    joint = DEALT
    unmask_refused(joint, cards)


@given(
    st.integers(0, 2**32 - 1) | st.just(0),
    st.integers(0, 2**32 - 1) | st.integers(0, 4),
    st.builds(Equality, *[st.binary(max_size=33) | st.binary(min_size=32, max_size=32)] * 3),
)
def test_garbage_for_openings(slot: int, card: int, proof: Equality) -> None:
    open_refused(OPENABLE, 1, slot, card, proof)


DEALT = ready("dealt")
DEALT.deck.deal([0, 1, 0])
OPENABLE = ready("openable")
OPENABLE.deal(1)
