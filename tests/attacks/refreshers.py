"""Attackers at tables with private hands: each changes one message of an otherwise honest program.

As in ``attackers``. The first refresh of a seat (``nth=1``) hides the dealt hand; the second brings its first drawn
card under the hand key; the third belongs to the turn after that.
"""

from __future__ import annotations

from functools import partial

from bcnet.fairness import equality
from bcnet.fairness.deck import Deck, Rekeyed, StepKind
from bcnet.fairness.errors import Flaw
from bcnet.fairness.group import GENERATOR, Point
from bcnet.fairness.steps import Move, shadow_commitment
from bcnet.table.faults import FaultKind
from bcnet.table.payloads import Payload, write_equality
from bcnet.table.rounds import Kind
from bcnet.wire.v1 import log_pb2 as pb
from tests.attacks import cheats
from tests.attacks.attackers import OFF_CURVE, heard, said, times
from tests.attacks.cheats import Cheater
from tests.fairness.cheats import false_card

spoils = partial(cheats.spoils, private_hands=True)
BOTH = (0, 1)
UNPROVEN = (Flaw.BAD_BRIDGE, Flaw.BAD_SHADOW_SEED)


def own_deck(me: Cheater) -> Deck:
    deck = me.table.course.deck
    assert deck is not None
    return deck


def first_card(refresh: pb.Refresh, card: Rekeyed) -> None:
    """Put this card in the place of the first new one."""
    refresh.cards[0].CopyFrom(pb.Rekeyed(point=card.point, proof=write_equality(card.proof)))


# --- new cards ---


@spoils(Kind.REFRESH, FaultKind.REFRESH, Flaw.BAD_EQUALITY, nth=2, seats=BOTH)
def another_card_for_the_new_one(me: Cheater, refresh: pb.Refresh) -> None:
    """Swaps the card that it drew for a better one: one that was played, under its own hand key."""
    deck, keeper = own_deck(me), me.seat._own_keeper()
    better = deck.card_points[deck.openings[0].card]
    refresh.cards[0].point = times(keeper._scalar(deck.hand_key(me.number)), better.x)


@spoils(Kind.REFRESH, FaultKind.REFRESH, Flaw.BAD_EQUALITY, nth=2)
def card_of_the_hand_for_the_new_one(me: Cheater, refresh: pb.Refresh) -> None:
    """Puts another card of its hand in the place of the new one, to hold that twice."""
    deck = own_deck(me)
    refresh.cards[0].point = deck.slot(deck.hidden(me.number)[0]).point.x


@spoils(Kind.REFRESH, FaultKind.REFRESH, Flaw.BAD_EQUALITY, nth=2, seats=BOTH)
def new_card_under_another_key(me: Cheater, refresh: pb.Refresh) -> None:
    """Brings the new card under twice the hand key, and proves just that."""
    here = me.table.log.open
    first_card(refresh, false_card(me.seat._own_keeper(), here.number, here.head, factor=2))


@spoils(Kind.REFRESH, FaultKind.REFRESH, Flaw.BAD_EQUALITY, nth=2)
def new_card_left_under_its_key(me: Cheater, refresh: pb.Refresh) -> None:
    """Hands the new card on as it was drawn."""
    deck = own_deck(me)
    refresh.cards[0].point = deck.new_cards(me.number)[0].point.x


@spoils(Kind.REFRESH, FaultKind.REFRESH, Flaw.BAD_EQUALITY, nth=2)
def new_card_proven_for_the_round_before(me: Cheater, refresh: pb.Refresh) -> None:
    """A true proof, made for another round."""
    here = me.table.log.open
    before = (here.number - 1, me.table.log[here.number - 1].head)
    first_card(refresh, false_card(me.seat._own_keeper(), here.number, here.head, place=before))


@spoils(Kind.REFRESH, FaultKind.REFRESH, Flaw.BAD_EQUALITY, nth=3, seats=BOTH)
def new_card_of_the_turn_before(me: Cheater, refresh: pb.Refresh) -> None:
    """Sends the new card of an earlier turn once more, proof and all."""
    refresh.cards[0].CopyFrom(said(me, "refresh").refresh.cards[0])


@spoils(Kind.REFRESH, FaultKind.REFRESH, Flaw.WRONG_LENGTH, nth=2, seats=BOTH)
def new_card_left_out(me: Cheater, refresh: pb.Refresh) -> None:
    """Does not bring the new card under the hand key."""
    del refresh.cards[:]


@spoils(Kind.REFRESH, FaultKind.REFRESH, Flaw.WRONG_LENGTH, nth=2)
def new_card_twice(me: Cheater, refresh: pb.Refresh) -> None:
    """Draws one card and brings two."""
    refresh.cards.add().CopyFrom(refresh.cards[0])


@spoils(Kind.REFRESH, FaultKind.REFRESH, Flaw.POINT_OFF_CURVE, nth=2)
def new_card_off_the_curve(me: Cheater, refresh: pb.Refresh) -> None:
    """Brings a number that is no point."""
    refresh.cards[0].point = OFF_CURVE


# --- the step, at once ---


@spoils(Kind.REFRESH, FaultKind.REFRESH, Flaw.WRONG_LENGTH, seats=BOTH)
def card_dropped(me: Cheater, refresh: pb.Refresh) -> None:
    """Gets rid of a bad card."""
    del refresh.step.points[-1]


@spoils(Kind.REFRESH, FaultKind.REFRESH, Flaw.WRONG_LENGTH)
def card_added(me: Cheater, refresh: pb.Refresh) -> None:
    """Holds one card more."""
    refresh.step.points.append(times(99, GENERATOR.x))


@spoils(Kind.REFRESH, FaultKind.REFRESH, Flaw.DUPLICATE_POINT, seats=BOTH)
def card_in_two_slots(me: Cheater, refresh: pb.Refresh) -> None:
    """Holds one card twice, and the other not at all."""
    refresh.step.points[1] = refresh.step.points[0]


@spoils(Kind.REFRESH, FaultKind.REFRESH, Flaw.CARD_POINT_IN_LIST)
def card_laid_open_in_the_hand(me: Cheater, refresh: pb.Refresh) -> None:
    """Puts a bare card into its hand."""
    refresh.step.points[0] = own_deck(me).card_points[3].x


@spoils(Kind.REFRESH, FaultKind.REFRESH, Flaw.KEY_REUSED, seats=BOTH)
def hand_key_kept(me: Cheater, refresh: pb.Refresh) -> None:
    """Publishes its hand key as the new one."""
    refresh.step.key = own_deck(me).hand_key(me.number).x


@spoils(Kind.REFRESH, FaultKind.REFRESH, Flaw.KEY_REUSED, nth=2)
def first_hand_key_again(me: Cheater, refresh: pb.Refresh) -> None:
    """Comes back to the key under which its hand was dealt."""
    refresh.step.key = own_deck(me).epochs[0].shuffles[me.number].claim.new_key.x


@spoils(Kind.REFRESH, FaultKind.REFRESH, Flaw.KEY_REUSED, nth=2)
def hand_key_of_the_other(me: Cheater, refresh: pb.Refresh) -> None:
    """Takes over the other's hand key."""
    refresh.step.key = own_deck(me).hand_key(1 - me.number).x


@spoils(Kind.REFRESH, FaultKind.REFRESH, Flaw.KEY_REUSED)
def no_hand_key(me: Cheater, refresh: pb.Refresh) -> None:
    """Takes every mask off its hand: the key point is G."""
    refresh.step.key = GENERATOR.x


@spoils(Kind.REFRESH, FaultKind.REFRESH, Flaw.WRONG_LENGTH)
def no_step(me: Cheater, refresh: pb.Refresh) -> None:
    """Brings the new cards alone."""
    refresh.ClearField("step")


@spoils(Kind.REFRESH, FaultKind.REFRESH, Flaw.WRONG_LENGTH)
def hand_without_shadows(me: Cheater, refresh: pb.Refresh) -> None:
    """Publishes nothing that could be asked for."""
    del refresh.step.shadows[:]


@spoils(Kind.REFRESH, FaultKind.REFRESH, Flaw.DUPLICATE_SHADOW)
def one_shadow_of_the_hand_for_two(me: Cheater, refresh: pb.Refresh) -> None:
    """Commits twice to one shadow."""
    refresh.step.shadows[1] = refresh.step.shadows[0]


@spoils(Kind.REFRESH, FaultKind.REFRESH, Flaw.BAD_EQUALITY, nth=3)
def whole_refresh_of_the_turn_before(me: Cheater, refresh: pb.Refresh) -> pb.Refresh:
    """Sends an earlier refresh once more."""
    return said(me, "refresh").refresh


# --- the step, at the challenge ---


@spoils(Kind.REFRESH, FaultKind.RESPONSES, Flaw.BAD_BRIDGE, found=Kind.RESPONSES, seats=BOTH)
def card_swapped_in(me: Cheater, refresh: pb.Refresh) -> None:
    """Puts a card that it would like to have into its hand, under its new hand key."""
    deck = own_deck(me)
    move = Move.from_seed(
        deck.step_seeds(me.seat.secrets, 1, me.table.log.open.head, StepKind.REFRESH)[0],
        len(refresh.step.points),
    )
    scalar = me.seat._own_keeper()._scalar(deck.hand_key(me.number))
    better = times(move.scalar, times(scalar, deck.card_points[-1].x))
    refresh.step.points[0] = better if better not in refresh.step.points else times(2, better)


@spoils(Kind.REFRESH, FaultKind.RESPONSES, Flaw.BAD_BRIDGE, found=Kind.RESPONSES, nth=2, seats=BOTH)
def card_doubled_in_the_hand(me: Cheater, refresh: pb.Refresh) -> None:
    """Holds one card twice, under two multipliers so that no point stands twice."""
    refresh.step.points[0] = times(2, refresh.step.points[1])


@spoils(Kind.REFRESH, FaultKind.RESPONSES, Flaw.BAD_BRIDGE, found=Kind.RESPONSES)
def hand_key_of_another_step(me: Cheater, refresh: pb.Refresh) -> None:
    """Publishes the key point of another step than it made, to name other cards later."""
    refresh.step.key = times(7, GENERATOR.x)


@spoils(Kind.REFRESH, FaultKind.RESPONSES, Flaw.BAD_BRIDGE, found=Kind.RESPONSES, last=True, seats=BOTH)
def hand_key_that_the_other_has_just_shown(me: Cheater, refresh: pb.Refresh) -> None:
    """Waits for the other's refresh of the same round and copies its key: nobody can tell who was first."""
    refresh.step.key = heard(me, "refresh").refresh.step.key


@spoils(Kind.REFRESH, FaultKind.RESPONSES, UNPROVEN, found=Kind.RESPONSES, last=True, seats=BOTH)
def hand_that_the_other_has_just_shown(me: Cheater, refresh: pb.Refresh) -> None:
    """Waits for the other's refresh of the same round and copies its whole step."""
    refresh.step.CopyFrom(heard(me, "refresh").refresh.step)


@spoils(Kind.REFRESH, FaultKind.RESPONSES, UNPROVEN, found=Kind.RESPONSES, nth=2)
def shadows_of_the_hand_for_a_guessed_challenge(me: Cheater, refresh: pb.Refresh) -> None:
    """A doubled card, with every shadow made to answer the one bit that it guessed: 2**-40 to get through."""
    deck, here = own_deck(me), me.table.log.open
    refresh.step.points[0] = times(2, refresh.step.points[1])
    after, new_key = [Point(x) for x in refresh.step.points], Point(refresh.step.key)
    listed = {slot: deck.slot(slot).point for slot in deck.hidden(me.number)}
    listed |= {
        slot.id: Point(card.point)
        for slot, card in zip(deck.new_cards(me.number), refresh.cards, strict=True)
    }
    context = deck.step_context(me.number, here.number, here.head, StepKind.REFRESH)
    _, seeds = deck.step_seeds(me.seat.secrets, deck.epoch.number, here.head, StepKind.REFRESH)
    for index, seed in enumerate(seeds):
        start = (after, new_key) if index % 2 else (list(listed.values()), deck.hand_key(me.number))
        moved = Move.from_seed(seed, len(after)).apply(*start)
        refresh.step.shadows[index] = shadow_commitment(context, *moved)


@spoils(Kind.REFRESH, FaultKind.RESPONSES, UNPROVEN, found=Kind.RESPONSES, nth=3)
def shadows_of_the_turn_before(me: Cheater, refresh: pb.Refresh) -> None:
    """Commits to the shadows of an earlier refresh, whose challenge is known."""
    refresh.step.shadows[:] = said(me, "refresh").refresh.step.shadows


# --- answers ---


@spoils(Kind.RESPONSES, FaultKind.RESPONSES, Flaw.WRONG_LENGTH, nth=2, seats=BOTH)
def no_responses_for_the_hand(me: Cheater, responses: pb.Responses) -> None:
    """Answers nothing after a refresh."""
    del responses.responses[:]


@spoils(Kind.RESPONSES, FaultKind.RESPONSES, Flaw.WRONG_LENGTH, nth=2)
def one_response_for_the_hand_left_out(me: Cheater, responses: pb.Responses) -> None:
    """Leaves out the answer that it does not have."""
    del responses.responses[17]


@spoils(Kind.RESPONSES, FaultKind.RESPONSES, (*UNPROVEN, Flaw.WRONG_ANSWER), nth=3)
def responses_of_the_turn_before(me: Cheater, responses: pb.Responses) -> pb.Responses:
    """Answers an earlier challenge once more."""
    return said(me, "responses").responses


# --- in the wrong place ---


@spoils(Kind.REFRESH, FaultKind.WRONG_KIND, nth=2, found=Kind.SHARE, seats=BOTH)
def challenge_before_the_refresh(me: Cheater, refresh: pb.Refresh) -> Payload:
    """Draws the challenge first, to make a refresh that fits it."""
    return Payload(Kind.SHARE, pb.Share(link=me.seat._own_chain().link(me.table.course.draw + 1)))


@spoils(Kind.REFRESH, FaultKind.WRONG_KIND, found=Kind.ACT)
def play_without_a_refresh(me: Cheater, refresh: pb.Refresh) -> Payload:
    """Plays on with the hand as it was dealt."""
    return Payload(Kind.ACT, pb.Act(action="play 0"))


@spoils(Kind.ACT, FaultKind.WRONG_KIND, found=Kind.REFRESH)
def refresh_in_place_of_a_move(me: Cheater, act: pb.Act) -> Payload:
    """Refreshes its hand when it should move."""
    return Payload(Kind.REFRESH, said(me, "refresh").refresh)


@spoils(Kind.ACT, FaultKind.OPENING, Flaw.BAD_EQUALITY, seats=BOTH)
def slot_as_it_was_dealt(me: Cheater, act: pb.Act) -> None:
    """Plays a card with a proof for the point that its slot had before the refresh."""
    deck, here, opening = own_deck(me), me.table.log.open, act.openings[0]
    refreshed = next(made for made in deck.refreshes if made.seat == me.number)
    before = refreshed.claim.points[refreshed.slots.index(opening.slot)]
    statement = equality.Statement(
        deck.table_id, here.head, here.number, me.number, equality.Purpose.OPEN, 1, opening.slot, opening.card,
        base=deck.card_points[opening.card], result=before, key=GENERATOR, new_key=refreshed.claim.key,
    )  # fmt: skip
    scalar = me.seat._own_keeper()._scalar(refreshed.claim.key)
    opening.proof.CopyFrom(write_equality(equality.prove(me.seat.secrets, statement, scalar)))


@spoils(Kind.ACT, FaultKind.OPENING, Flaw.BAD_EQUALITY, nth=2)
def card_of_another_slot(me: Cheater, act: pb.Act) -> None:
    """Plays a card of its refreshed hand from the slot of another one, to hold on to that."""
    deck = own_deck(me)
    act.openings[0].slot = next(slot for slot in deck.hidden(me.number) if slot != act.openings[0].slot)


@spoils(Kind.ACT, FaultKind.OPENING, Flaw.BAD_OPENING)
def card_beyond_the_deck(me: Cheater, act: pb.Act) -> None:
    """Plays a card that the deck does not have, from a slot that could hold any."""
    act.action = "play 200"
    act.openings[0].card = 200
