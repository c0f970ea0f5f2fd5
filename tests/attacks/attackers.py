"""Attackers by name: each changes one message of an otherwise honest program.

The name of the function is the name of the attack, its docstring says what it does. All of them are tried on an honest
table by ``test_attackers``; those that need more than one message are in the other test modules of this folder.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from bcnet.fairness import equality
from bcnet.fairness.beacon import Chain
from bcnet.fairness.errors import Flaw
from bcnet.fairness.group import FIELD, GENERATOR, ORDER, Multiplier, Point, inverse
from bcnet.fairness.steps import Move, shadow_commitment
from bcnet.secrets import Secrets
from bcnet.table.faults import FaultKind
from bcnet.table.payloads import Payload, write_equality
from bcnet.table.rounds import Kind
from bcnet.wire.v1 import log_pb2 as pb
from tests.attacks.cheats import Cheater, spoils

OFF_CURVE = (1).to_bytes(32, "big")
NOT_BELOW_P = (5 + FIELD).to_bytes(32, "big")


def own_scalar(me: Cheater) -> int:
    """The cheater's deck key of the current epoch."""
    deck = me.table.course.deck
    assert deck is not None
    here = me.table.log.open.head
    made = deck.epoch.shuffles.get(me.number)
    seed = me.seat.secrets.derive(
        "shuffle", context=deck.table_id, epoch=deck.epoch.number, head=made.head if made else here
    )
    return Move.from_seed(seed, 1).scalar


def times(scalar: int, point: bytes) -> bytes:
    return Multiplier(scalar).mask(Point(point)).x


def heard(me: Cheater, kind: str) -> pb.Body:
    """The last entry of a kind that the cheater was sent."""
    bodies = (pb.Body.FromString(pb.Entry.FromString(data).body) for data in reversed(me.heard))
    return next(body for body in bodies if body.WhichOneof("payload") == kind)


def said(me: Cheater, kind: str) -> pb.Body:
    """The last entry of a kind that the cheater has said before."""
    rounds = (me.table.log[number].entries.get(me.number) for number in reversed(range(len(me.table.log))))
    bodies = (pb.Body.FromString(entry.body) for entry in rounds if entry)
    return next(body for body in bodies if body.WhichOneof("payload") == kind)


def own_link(me: Cheater, draw: int) -> bytes:
    return Chain(me.seat.secrets, me.table.course.table_id, me.number, me.identity.public).link(draw)


# --- sitting down ---


@spoils(Kind.JOIN, None, noise="signature")
def key_of_somebody_else(me: Cheater, join: pb.Join) -> None:
    """Joins with the host's own identity key."""
    join.guest.identity = me.table.course.members[0].identity


@spoils(Kind.JOIN, None, noise="copy")
def copied_commitment(me: Cheater, join: pb.Join) -> None:
    """Commits to whatever the host has committed to."""
    join.guest.commitment = me.table.course.members[0].commitment


@spoils(Kind.JOIN, None, noise="32 bytes")
def no_nonce(me: Cheater, join: pb.Join) -> None:
    """Brings nothing fresh to the table's id."""
    join.guest.nonce = b""


@spoils(Kind.JOIN, None, noise="sit down")
def name_that_turns_the_line(me: Cheater, join: pb.Join) -> None:
    """Has a name with a character that reverses the direction of writing."""
    join.guest.name = "player \u202e0"


@spoils(Kind.READY, None, noise="copy", last=True, seats=(0, 1))
def copied_chain(me: Cheater, ready: pb.Ready) -> None:
    """Publishes the other's chain tip as its own, to say the other's links after it."""
    ready.tip = heard(me, "ready").ready.tip


@spoils(Kind.READY, FaultKind.CHAIN, seats=(0, 1))
def short_tip(me: Cheater, ready: pb.Ready) -> None:
    """Publishes half a chain tip."""
    ready.tip = ready.tip[:16]


# --- the shuffle, as it arrives ---


@spoils(Kind.SHUFFLE, FaultKind.SHUFFLE, Flaw.DUPLICATE_POINT, seats=(0, 1))
def doubled_position(me: Cheater, shuffle: pb.Shuffle) -> None:
    """Puts one masked card in two places."""
    shuffle.points[1] = shuffle.points[4]


@spoils(Kind.SHUFFLE, FaultKind.SHUFFLE, Flaw.CARD_POINT_IN_LIST, seats=(0, 1))
def card_laid_open(me: Cheater, shuffle: pb.Shuffle) -> None:
    """Puts the very point of a card into the list, to be dealt face up."""
    assert me.table.course.deck is not None
    shuffle.points[0] = me.table.course.deck.card_points[2].x


@spoils(Kind.SHUFFLE, FaultKind.SHUFFLE, Flaw.KEY_REUSED, seats=(0, 1))
def no_mask(me: Cheater, shuffle: pb.Shuffle) -> None:
    """Only permutes: its key point is the generator, its mask 1."""
    assert me.table.course.deck is not None
    del shuffle.points[:]
    shuffle.points.extend(point.x for point in reversed(me.table.course.deck.epoch.points))
    shuffle.key = GENERATOR.x


@spoils(Kind.SHUFFLE, FaultKind.SHUFFLE, Flaw.KEY_REUSED)
def key_of_the_other(me: Cheater, shuffle: pb.Shuffle) -> None:
    """Names the other seat's key point as its own."""
    assert me.table.course.deck is not None
    shuffle.key = me.table.course.deck.epoch.shuffles[0].claim.new_key.x


@spoils(Kind.SHUFFLE, FaultKind.SHUFFLE, Flaw.KEY_REUSED)
def repeated_shuffle(me: Cheater, shuffle: pb.Shuffle) -> pb.Shuffle:
    """Says the other seat's shuffle once more."""
    return heard(me, "shuffle").shuffle


@spoils(Kind.SHUFFLE, FaultKind.SHUFFLE, Flaw.KEY_REUSED, nth=2)
def key_of_the_epoch_before(me: Cheater, shuffle: pb.Shuffle) -> None:
    """Shuffles the second pile under the key of the first."""
    assert me.table.course.deck is not None
    shuffle.key = me.table.course.deck.epochs[0].shuffles[me.number].claim.new_key.x


@spoils(Kind.SHUFFLE, FaultKind.SHUFFLE, Flaw.POINT_OFF_CURVE, seats=(0, 1))
def point_off_the_curve(me: Cheater, shuffle: pb.Shuffle) -> None:
    """Sends a number that is no x-coordinate of the curve, to learn about the other's key from its twist."""
    shuffle.points[5] = OFF_CURVE


@spoils(Kind.SHUFFLE, FaultKind.SHUFFLE, Flaw.POINT_OFF_CURVE)
def key_off_the_curve(me: Cheater, shuffle: pb.Shuffle) -> None:
    """Sends a key point that is none."""
    shuffle.key = OFF_CURVE


@spoils(Kind.SHUFFLE, FaultKind.SHUFFLE, Flaw.POINT_NON_CANONICAL)
def point_not_below_p(me: Cheater, shuffle: pb.Shuffle) -> None:
    """Sends a point in a second spelling, its x with p added."""
    shuffle.points[5] = NOT_BELOW_P


@spoils(Kind.SHUFFLE, FaultKind.SHUFFLE, Flaw.WRONG_LENGTH)
def point_of_33_bytes(me: Cheater, shuffle: pb.Shuffle) -> None:
    """Sends a compressed point with its sign."""
    shuffle.points[5] = b"\x02" + shuffle.points[5]


@spoils(Kind.SHUFFLE, FaultKind.SHUFFLE, Flaw.WRONG_LENGTH, seats=(0, 1))
def short_pile(me: Cheater, shuffle: pb.Shuffle) -> None:
    """Leaves a card out of the pile."""
    del shuffle.points[-1]


@spoils(Kind.SHUFFLE, FaultKind.SHUFFLE, Flaw.WRONG_LENGTH)
def long_pile(me: Cheater, shuffle: pb.Shuffle) -> None:
    """Adds a card to the pile."""
    shuffle.points.append(times(3, shuffle.points[0]))


@spoils(Kind.SHUFFLE, FaultKind.SHUFFLE, Flaw.WRONG_LENGTH)
def empty_pile(me: Cheater, shuffle: pb.Shuffle) -> None:
    """Shuffles nothing."""
    del shuffle.points[:]


@spoils(Kind.SHUFFLE, FaultKind.SHUFFLE, Flaw.WRONG_LENGTH)
def no_shadows(me: Cheater, shuffle: pb.Shuffle) -> None:
    """Commits to no shadow, so that nothing can be asked."""
    del shuffle.shadows[:]


@spoils(Kind.SHUFFLE, FaultKind.SHUFFLE, Flaw.WRONG_LENGTH)
def one_shadow_less(me: Cheater, shuffle: pb.Shuffle) -> None:
    """Commits to 39 shadows."""
    del shuffle.shadows[0]


@spoils(Kind.SHUFFLE, FaultKind.SHUFFLE, Flaw.DUPLICATE_SHADOW)
def one_shadow_for_two(me: Cheater, shuffle: pb.Shuffle) -> None:
    """Uses one shadow for two challenges, so that there is less to guess."""
    shuffle.shadows[1] = shuffle.shadows[0]


# --- the shuffle, at its proof ---


@spoils(Kind.SHUFFLE, FaultKind.RESPONSES, Flaw.BAD_BRIDGE, found=Kind.RESPONSES, seats=(0, 1))
def forged_point(me: Cheater, shuffle: pb.Shuffle) -> None:
    """F1: replaces one masked card by a multiple of another."""
    shuffle.points[0] = times(7, shuffle.points[1])


@spoils(Kind.SHUFFLE, FaultKind.RESPONSES, Flaw.BAD_BRIDGE, found=Kind.RESPONSES, seats=(0, 1))
def doubled_card(me: Cheater, shuffle: pb.Shuffle) -> None:
    """F2: the same card in two places, under two multipliers so that no point stands twice."""
    assert me.table.course.deck is not None
    shuffle.points[4] = times(2 * own_scalar(me) % ORDER, me.table.course.deck.epoch.points[0].x)


@spoils(Kind.SHUFFLE, FaultKind.RESPONSES, Flaw.BAD_BRIDGE, found=Kind.RESPONSES, seats=(0, 1))
def swapped_after_the_shadows(me: Cheater, shuffle: pb.Shuffle) -> None:
    """F2: swaps two cards after the shadows were made for another order."""
    shuffle.points[0], shuffle.points[5] = shuffle.points[5], shuffle.points[0]


@spoils(Kind.SHUFFLE, FaultKind.RESPONSES, Flaw.BAD_BRIDGE, found=Kind.RESPONSES)
def marked_card(me: Cheater, shuffle: pb.Shuffle) -> None:
    """Masks one card with a second multiplier, to know it again."""
    shuffle.points[3] = times(12345, shuffle.points[3])


@spoils(Kind.SHUFFLE, FaultKind.RESPONSES, Flaw.BAD_BRIDGE, found=Kind.RESPONSES)
def stranger_in_the_pile(me: Cheater, shuffle: pb.Shuffle) -> None:
    """Puts a point that is no card at all in place of one."""
    shuffle.points[2] = times(99, GENERATOR.x)


@spoils(Kind.SHUFFLE, FaultKind.RESPONSES, Flaw.BAD_BRIDGE, found=Kind.RESPONSES)
def other_s_mask_left_off(me: Cheater, shuffle: pb.Shuffle) -> None:
    """Shuffles the bare cards in place of the list that the other has masked: it alone could read them all."""
    assert me.table.course.deck is not None
    mask = Multiplier(own_scalar(me))
    del shuffle.points[:]
    shuffle.points.extend(mask.mask(point).x for point in me.table.course.deck.card_points)


@spoils(Kind.SHUFFLE, FaultKind.RESPONSES, Flaw.BAD_BRIDGE, found=Kind.RESPONSES)
def key_of_another_mask(me: Cheater, shuffle: pb.Shuffle) -> None:
    """Publishes the key point of another mask than it used, to unmask as it likes later."""
    shuffle.key = times(7, GENERATOR.x)


@spoils(Kind.SHUFFLE, FaultKind.RESPONSES, (Flaw.BAD_BRIDGE, Flaw.BAD_SHADOW_SEED), found=Kind.RESPONSES)
def shadows_for_a_guessed_challenge(me: Cheater, shuffle: pb.Shuffle) -> None:
    """A forged list, with every shadow made to answer the one bit that it guessed: 2**-40 to get through."""
    deck = me.table.course.deck
    assert deck is not None
    here = me.table.log.open
    shuffle.points[0] = times(7, shuffle.points[1])
    points, key = [Point(x) for x in shuffle.points], Point(shuffle.key)
    context = deck.step_context(me.number, here.number, here.head)
    _, seeds = deck.step_seeds(me.seat.secrets, deck.epoch.number, here.head)
    for index, seed in enumerate(seeds):
        start = (points, key) if index % 2 else (deck.epoch.points, GENERATOR)
        moved = Move.from_seed(seed, len(points)).apply(*start)
        shuffle.shadows[index] = shadow_commitment(context, *moved)


@spoils(Kind.SHUFFLE, FaultKind.RESPONSES, (Flaw.BAD_BRIDGE, Flaw.BAD_SHADOW_SEED), found=Kind.RESPONSES)
def shadows_from_another_place(me: Cheater, shuffle: pb.Shuffle) -> None:
    """Commits to shadows under the context of another seat: a proof carried over."""
    deck = me.table.course.deck
    assert deck is not None
    here = me.table.log.open
    context = deck.step_context(1 - me.number, here.number, here.head)
    _, seeds = deck.step_seeds(me.seat.secrets, deck.epoch.number, here.head)
    for index, seed in enumerate(seeds):
        moved = Move.from_seed(seed, len(shuffle.points)).apply(deck.epoch.points, GENERATOR)
        shuffle.shadows[index] = shadow_commitment(context, *moved)


# --- answers to the challenge ---


def first(responses: pb.Responses, kind: str) -> pb.Response:
    """The first response of a kind."""
    return next(each for each in responses.responses if each.WhichOneof("kind") == kind)


@spoils(Kind.RESPONSES, FaultKind.RESPONSES, Flaw.WRONG_LENGTH, seats=(0, 1))
def no_responses(me: Cheater, responses: pb.Responses) -> None:
    """Answers with an empty list."""
    del responses.responses[:]


@spoils(Kind.RESPONSES, FaultKind.RESPONSES, Flaw.WRONG_LENGTH)
def one_response_less(me: Cheater, responses: pb.Responses) -> None:
    """Leaves out the answer that it does not have."""
    del responses.responses[-1]


@spoils(Kind.RESPONSES, FaultKind.RESPONSES, Flaw.WRONG_LENGTH)
def one_response_more(me: Cheater, responses: pb.Responses) -> None:
    """Answers a challenge that nobody has made."""
    responses.responses.append(responses.responses[0])


@spoils(Kind.RESPONSES, FaultKind.RESPONSES)
def empty_response(me: Cheater, responses: pb.Responses) -> None:
    """Gives an answer that says nothing."""
    responses.responses[0].Clear()


@spoils(Kind.RESPONSES, FaultKind.RESPONSES, Flaw.WRONG_ANSWER)
def answer_to_the_other_bit(me: Cheater, responses: pb.Responses) -> None:
    """Answers the bit that it would rather have been asked."""
    first(responses, "bridge").seed = bytes(32)


@spoils(Kind.RESPONSES, FaultKind.RESPONSES, Flaw.BAD_SHADOW_SEED)
def seed_of_another_shadow(me: Cheater, responses: pb.Responses) -> None:
    """Says the same shadow's seed twice."""
    seeds = [each for each in responses.responses if each.WhichOneof("kind") == "seed"]
    seeds[0].seed = seeds[1].seed


@spoils(Kind.RESPONSES, FaultKind.RESPONSES, Flaw.SCALAR_OUT_OF_RANGE)
def bridge_of_zero(me: Cheater, responses: pb.Responses) -> None:
    """Bridges with the scalar zero, which takes everything to the same place."""
    first(responses, "bridge").bridge.scalar = bytes(32)


@spoils(Kind.RESPONSES, FaultKind.RESPONSES, Flaw.SCALAR_OUT_OF_RANGE)
def bridge_of_n(me: Cheater, responses: pb.Responses) -> None:
    """Bridges with the group's order, which is zero in another spelling."""
    first(responses, "bridge").bridge.scalar = ORDER.to_bytes(32, "big")


@spoils(Kind.RESPONSES, FaultKind.RESPONSES, Flaw.WRONG_LENGTH)
def bridge_without_scalar(me: Cheater, responses: pb.Responses) -> None:
    """Bridges without a scalar."""
    first(responses, "bridge").bridge.scalar = b""


@spoils(Kind.RESPONSES, FaultKind.RESPONSES, Flaw.BAD_PERMUTATION)
def bridge_with_a_place_twice(me: Cheater, responses: pb.Responses) -> None:
    """Bridges with a list in which one position stands twice."""
    bridge = first(responses, "bridge").bridge
    bridge.permutation = bridge.permutation[:1] + bridge.permutation[:-1]


@spoils(Kind.RESPONSES, FaultKind.RESPONSES, Flaw.BAD_BRIDGE)
def bridge_with_two_places_swapped(me: Cheater, responses: pb.Responses) -> None:
    """Bridges with two positions swapped."""
    bridge = first(responses, "bridge").bridge
    order = bridge.permutation
    bridge.permutation = order[1:2] + order[:1] + order[2:]


@spoils(
    Kind.RESPONSES,
    FaultKind.RESPONSES,
    (Flaw.WRONG_ANSWER, Flaw.BAD_SHADOW_SEED, Flaw.BAD_BRIDGE, Flaw.WRONG_LENGTH),
    nth=2,
)
def responses_of_the_epoch_before(me: Cheater, responses: pb.Responses) -> pb.Responses:
    """Answers the second pile's challenge with the answers for the first pile."""
    return said(me, "responses").responses


# --- the beacon ---


@spoils(Kind.SHARE, FaultKind.CHAIN, Flaw.BAD_LINK, seats=(0, 1))
def invented_link(me: Cheater, share: pb.Share) -> None:
    """Says a link that it has chosen after it heard the other's."""
    share.link = bytes(32)


@spoils(Kind.SHARE, FaultKind.CHAIN, Flaw.BAD_LINK, nth=2)
def link_of_the_draw_before(me: Cheater, share: pb.Share) -> None:
    """Says the last draw's link again, to have the same luck."""
    share.link = Chain(me.seat.secrets, me.table.course.table_id, me.number, me.identity.public).link(1)


@spoils(Kind.SHARE, FaultKind.CHAIN, Flaw.BAD_LINK)
def link_of_the_next_draw(me: Cheater, share: pb.Share) -> None:
    """Skips a link, having looked at what both would bring."""
    share.link = Chain(me.seat.secrets, me.table.course.table_id, me.number, me.identity.public).link(2)


@spoils(Kind.SHARE, FaultKind.CHAIN, Flaw.BAD_LINK, last=True, seats=(0, 1))
def link_of_the_other(me: Cheater, share: pb.Share) -> None:
    """Says the other's link, so that the two might cancel out."""
    share.link = heard(me, "share").share.link


@spoils(Kind.SHARE, FaultKind.CHAIN, Flaw.WRONG_LENGTH)
def no_link(me: Cheater, share: pb.Share) -> None:
    """Adds nothing to the draw."""
    share.link = b""


# --- masks taken off ---


def unmasked_with(me: Cheater, unmask: pb.Unmask, index: int, scalar: int) -> None:
    """Take another mask off than the own one, and prove just that."""
    deck = me.table.course.deck
    assert deck is not None
    here = me.table.log.open
    slot = deck.slot(deck.pending(me.number)[index])
    after = Multiplier(inverse(scalar)).mask(slot.point)
    statement = deck.unmask_statement(me.number, here.number, here.head, slot, after)
    unmask.cards[index].point = after.x
    unmask.cards[index].proof.CopyFrom(write_equality(equality.prove(me.seat.secrets, statement, scalar)))


@spoils(Kind.UNMASK, FaultKind.UNMASK, Flaw.BAD_EQUALITY, seats=(0, 1))
def unmasking_with_another_key(me: Cheater, unmask: pb.Unmask) -> None:
    """Takes another mask off than the one it put on, so that the other draws garbage."""
    unmasked_with(me, unmask, 0, 4711)


@spoils(Kind.UNMASK, FaultKind.UNMASK, Flaw.BAD_EQUALITY)
def mask_left_on(me: Cheater, unmask: pb.Unmask) -> None:
    """Does not take its mask off at all."""
    deck = me.table.course.deck
    assert deck is not None
    unmask.cards[1].point = deck.slot(deck.pending(me.number)[1]).point.x


@spoils(Kind.UNMASK, FaultKind.UNMASK, Flaw.BAD_EQUALITY, seats=(0, 1))
def two_positions_swapped(me: Cheater, unmask: pb.Unmask) -> None:
    """Deals two cards in the other order, each with its true proof."""
    one, other = pb.Unmasked(), pb.Unmasked()
    one.CopyFrom(unmask.cards[0])
    other.CopyFrom(unmask.cards[1])
    unmask.cards[0].CopyFrom(other)
    unmask.cards[1].CopyFrom(one)


@spoils(Kind.UNMASK, FaultKind.UNMASK, Flaw.BAD_EQUALITY)
def one_card_twice(me: Cheater, unmask: pb.Unmask) -> None:
    """Deals the same card twice, with its true proof both times."""
    unmask.cards[1].CopyFrom(unmask.cards[0])


@spoils(Kind.UNMASK, FaultKind.UNMASK, Flaw.BAD_EQUALITY)
def next_card_of_the_pile(me: Cheater, unmask: pb.Unmask) -> None:
    """Skips a card of the pile: unmasks the one below it, truly."""
    deck = me.table.course.deck
    assert deck is not None
    here = me.table.log.open
    slot = deck.slot(deck.pending(me.number)[0])
    scalar = own_scalar(me)
    after = Multiplier(inverse(scalar)).mask(deck.epoch.points[-1])
    statement = deck.unmask_statement(me.number, here.number, here.head, slot, after)
    unmask.cards[0].point = after.x
    unmask.cards[0].proof.CopyFrom(write_equality(equality.prove(me.seat.secrets, statement, scalar)))


@spoils(Kind.UNMASK, FaultKind.UNMASK, Flaw.BAD_EQUALITY, nth=2)
def proof_of_the_round_before(me: Cheater, unmask: pb.Unmask) -> None:
    """Carries the proof of an earlier unmasking over."""
    unmask.cards[0].proof.CopyFrom(said(me, "unmask").unmask.cards[0].proof)


@spoils(Kind.UNMASK, FaultKind.UNMASK, Flaw.WRONG_LENGTH)
def one_card_not_dealt(me: Cheater, unmask: pb.Unmask) -> None:
    """Keeps a card back that is due to the other."""
    del unmask.cards[-1]


@spoils(Kind.UNMASK, FaultKind.UNMASK, Flaw.WRONG_LENGTH)
def nothing_dealt(me: Cheater, unmask: pb.Unmask) -> None:
    """Deals nothing."""
    del unmask.cards[:]


@spoils(Kind.UNMASK, FaultKind.UNMASK, Flaw.WRONG_LENGTH)
def one_card_more(me: Cheater, unmask: pb.Unmask) -> None:
    """Takes its mask off a card that was not dealt."""
    unmask.cards.append(unmask.cards[0])


@spoils(Kind.UNMASK, FaultKind.UNMASK, Flaw.POINT_OFF_CURVE)
def unmasked_off_the_curve(me: Cheater, unmask: pb.Unmask) -> None:
    """Hands over a number that is no point."""
    unmask.cards[0].point = OFF_CURVE


@spoils(Kind.UNMASK, FaultKind.UNMASK, Flaw.POINT_NON_CANONICAL)
def unmasked_not_below_p(me: Cheater, unmask: pb.Unmask) -> None:
    """Hands over a point in a second spelling."""
    unmask.cards[0].point = NOT_BELOW_P


@spoils(Kind.UNMASK, FaultKind.UNMASK, Flaw.SCALAR_OUT_OF_RANGE)
def proof_with_answer_zero(me: Cheater, unmask: pb.Unmask) -> None:
    """Proves with s = 0, for which the equation would ask for the challenge alone."""
    unmask.cards[0].proof.answer = bytes(32)


@spoils(Kind.UNMASK, FaultKind.UNMASK, Flaw.SCALAR_OUT_OF_RANGE)
def proof_with_answer_over_n(me: Cheater, unmask: pb.Unmask) -> None:
    """Proves with an answer that is not below the order."""
    unmask.cards[0].proof.answer = b"\xff" * 32


@spoils(Kind.UNMASK, FaultKind.UNMASK, Flaw.BAD_EQUALITY)
def proof_of_zeros(me: Cheater, unmask: pb.Unmask) -> None:
    """Publishes zeros for both nonces, hoping that the polynomial vanishes."""
    unmask.cards[0].proof.first = bytes(32)
    unmask.cards[0].proof.second = bytes(32)


@spoils(Kind.UNMASK, FaultKind.UNMASK, Flaw.WRONG_LENGTH)
def no_proof(me: Cheater, unmask: pb.Unmask) -> None:
    """Gives no proof at all."""
    unmask.cards[0].ClearField("proof")


# --- cards played and shown ---


def other_card(me: Cheater, act: pb.Act) -> int:
    """A card that nobody has seen and the cheater does not hold, of the colour that it plays if cards have colours."""
    game = me.table.course.game
    assert game is not None
    played = act.openings[0].card
    gone = {card for taken in me.table.course.steps for card in taken.opened}
    held = me.view().hand(me.number).known
    unseen = [card for card in range(len(game.deck)) if card not in held and card not in gone]
    colour = game.deck[played].partition("-")[0]
    return next((card for card in unseen if game.deck[card].startswith(colour)), unseen[0])


def named_otherwise(me: Cheater, act: pb.Act, card: int) -> None:
    """The same move, of another card."""
    game = me.table.course.game
    assert game is not None
    action: Any = game.parse(act.action)
    act.action = game.write(dataclasses.replace(action, card=card))
    act.openings[0].card = card


@spoils(Kind.ACT, FaultKind.OPENING, Flaw.BAD_EQUALITY, seats=(0, 1))
def card_that_is_not_held(me: Cheater, act: pb.Act) -> None:
    """Plays a card that it does not hold, with the proof for one that it holds."""
    named_otherwise(me, act, other_card(me, act))


@spoils(Kind.ACT, FaultKind.OPENING, Flaw.BAD_EQUALITY)
def card_that_is_not_held_proven_anew(me: Cheater, act: pb.Act) -> None:
    """Plays a card that it does not hold, with a proof made for just that lie."""
    deck = me.table.course.deck
    assert deck is not None
    card = other_card(me, act)
    here = me.table.log.open
    slot = deck.slot(act.openings[0].slot)
    statement = deck.open_statement(me.number, here.number, here.head, slot, card)
    proof = equality.prove(me.seat.secrets, statement, own_scalar(me))
    named_otherwise(me, act, card)
    act.openings[0].proof.CopyFrom(write_equality(proof))


@spoils(Kind.ACT, FaultKind.OPENING, Flaw.BAD_OPENING, seats=(0, 1))
def card_of_the_other(me: Cheater, act: pb.Act) -> None:
    """Opens a slot in the other's hand."""
    deck = me.table.course.deck
    assert deck is not None
    act.openings[0].slot = deck.hand(1 - me.number)[0]


@spoils(Kind.ACT, FaultKind.OPENING, Flaw.BAD_OPENING)
def slot_that_was_never_dealt(me: Cheater, act: pb.Act) -> None:
    """Opens a slot that nobody was dealt."""
    act.openings[0].slot = 99


@spoils(Kind.ACT, FaultKind.OPENING, Flaw.BAD_OPENING, nth=2)
def slot_played_before(me: Cheater, act: pb.Act) -> None:
    """Plays from a slot whose card has left the hand."""
    deck = me.table.course.deck
    assert deck is not None
    act.openings[0].slot = next(
        slot.id for slot in deck.slots if slot.owner == me.number and slot.id not in deck.hand(me.number)
    )


@spoils(Kind.ACT, FaultKind.OPENING, Flaw.BAD_OPENING)
def card_of_no_deck(me: Cheater, act: pb.Act) -> None:
    """Plays a card that the deck does not have."""
    act.action = "play 200"
    act.openings[0].card = 200


@spoils(Kind.ACT, FaultKind.ILLEGAL_ACTION, seats=(0, 1))
def card_not_shown(me: Cheater, act: pb.Act) -> None:
    """Says what it plays and shows nothing."""
    del act.openings[:]


@spoils(Kind.ACT, FaultKind.OPENING)
def card_shown_early(me: Cheater, act: pb.Act) -> None:
    """Shows a second card that nobody has asked for."""
    deck = me.table.course.deck
    assert deck is not None
    here = me.table.log.open
    keeper = me.seat._own_keeper()
    slot = next(slot for slot in deck.hand(me.number) if slot != act.openings[0].slot)
    act.openings.append(
        pb.Opening(
            slot=slot,
            card=keeper.face(slot),
            proof=write_equality(keeper.open(here.number, here.head, slot)),
        )
    )
    ordered = sorted(act.openings, key=lambda opening: opening.card)
    openings = [pb.Opening.FromString(each.SerializeToString()) for each in ordered]
    del act.openings[:]
    act.openings.extend(openings)


@spoils(Kind.ACT, FaultKind.OPENING)
def card_shown_twice(me: Cheater, act: pb.Act) -> None:
    """Shows the same card twice."""
    act.openings.append(act.openings[0])


@spoils(Kind.ACT, FaultKind.OPENING)
def thousands_of_openings(me: Cheater, act: pb.Act) -> None:
    """Opens a card thousands of times, for the other's memory and screen."""
    act.openings.extend([act.openings[0]] * 5000)


@spoils(Kind.ACT, FaultKind.OPENING, Flaw.WRONG_LENGTH)
def card_without_proof(me: Cheater, act: pb.Act) -> None:
    """Names a card without proof."""
    act.openings[0].ClearField("proof")


@spoils(Kind.ACT, FaultKind.OPENING, Flaw.BAD_EQUALITY, nth=2)
def opening_of_the_round_before(me: Cheater, act: pb.Act) -> None:
    """Carries the proof of its last card over to this one."""
    act.openings[0].proof.CopyFrom(said(me, "act").act.openings[0].proof)


@spoils(Kind.ACT, FaultKind.NOTATION, seats=(0, 1))
def nonsense(me: Cheater, act: pb.Act) -> None:
    """Says what is no action of the game."""
    act.action = "win"


@spoils(Kind.ACT, FaultKind.NOTATION)
def second_spelling(me: Cheater, act: pb.Act) -> None:
    """Says a legal action in a spelling of its own."""
    act.action = act.action.replace("play ", "play 0")


@spoils(Kind.ACT, FaultKind.NOTATION)
def endless_action(me: Cheater, act: pb.Act) -> None:
    """Says an action of half a megabyte, for the other's screen."""
    act.action = "play " + "9" * 500_000


@spoils(Kind.ACT, FaultKind.ILLEGAL_ACTION)
def action_of_another_need(me: Cheater, act: pb.Act) -> None:
    """Chooses a side when a card is to be played."""
    act.action = "left"
    del act.openings[:]


# --- sealed choices ---


@spoils(Kind.SEAL, FaultKind.SEALED_CHOICE, Flaw.BAD_SEAL, found=Kind.UNSEAL, last=True, seats=(0, 1))
def copied_seal(me: Cheater, seal: pb.Seal) -> None:
    """Seals what the other has sealed, to choose the same unseen."""
    seal.commitment = heard(me, "seal").seal.commitment


@spoils(Kind.SEAL, FaultKind.SEALED_CHOICE, Flaw.WRONG_LENGTH, seats=(0, 1))
def short_seal(me: Cheater, seal: pb.Seal) -> None:
    """Seals with 16 bytes, so that a second choice can be found for them."""
    seal.commitment = seal.commitment[:16]


@spoils(Kind.UNSEAL, FaultKind.SEALED_CHOICE, Flaw.BAD_SEAL, seats=(0, 1))
def changed_mind(me: Cheater, unseal: pb.Unseal) -> None:
    """Opens the seal with the other choice, having seen what the other chose."""
    unseal.choice = "left" if unseal.choice == "right" else "right"


@spoils(Kind.UNSEAL, FaultKind.SEALED_CHOICE, Flaw.WRONG_LENGTH)
def no_salt(me: Cheater, unseal: pb.Unseal) -> None:
    """Opens the seal without its salt."""
    unseal.salt = b""


# --- the seed ---


@spoils(Kind.REVEAL, FaultKind.SEED, seats=(0, 1))
def another_seed(me: Cheater, reveal: pb.Reveal) -> None:
    """Reveals a seed that would make its game an honest one."""
    reveal.seed = bytes(range(32))


@spoils(Kind.REVEAL, FaultKind.SEED)
def half_a_seed(me: Cheater, reveal: pb.Reveal) -> None:
    """Reveals half of its seed."""
    reveal.seed = reveal.seed[:16]


@spoils(Kind.REVEAL, FaultKind.SEED, last=True)
def seed_of_the_other(me: Cheater, reveal: pb.Reveal) -> None:
    """Reveals the other's seed as its own."""
    reveal.seed = heard(me, "reveal").reveal.seed


# --- the wrong thing in its place ---


@spoils(Kind.RESPONSES, FaultKind.WRONG_KIND, found=Kind.SHARE)
def share_in_place_of_responses(me: Cheater, responses: pb.Responses) -> Payload:
    """Goes past the challenge with a second share."""
    return Payload(Kind.SHARE, pb.Share(link=own_link(me, 2)))


@spoils(Kind.SHARE, FaultKind.WRONG_KIND, found=Kind.RESPONSES, seats=(0, 1))
def responses_before_the_challenge(me: Cheater, share: pb.Share) -> Payload:
    """Answers a challenge that it has made itself, before the beacon has spoken."""
    assert me.table.course.deck is not None
    return Payload(Kind.RESPONSES, pb.Responses(responses=[pb.Response(seed=bytes(32)) for _ in range(40)]))


@spoils(Kind.ACT, FaultKind.WRONG_KIND, found=Kind.REVEAL, seats=(0, 1))
def seed_in_place_of_a_move(me: Cheater, act: pb.Act) -> Payload:
    """Ends the game by revealing its seed in the middle of it."""
    return Payload(Kind.REVEAL, pb.Reveal(seed=me.seat.secrets.seed))


@spoils(Kind.ACT, FaultKind.WRONG_KIND, found=Kind.OFFER)
def offer_in_place_of_a_move(me: Cheater, act: pb.Act) -> Payload:
    """Offers another table inside this one."""
    return Payload(Kind.OFFER, pb.Offer())


@spoils(Kind.ACT, FaultKind.RESIGNATION, found=Kind.RESIGN)
def resignation_with_a_seed(me: Cheater, act: pb.Act) -> Payload:
    """Resigns with a seed that is not due, though it is the right one."""
    return Payload(Kind.RESIGN, pb.Resign(seed=me.seat.secrets.seed))


@spoils(Kind.ACT, FaultKind.NOTE, found=Kind.NOTE, seats=(0, 1))
def invented_resignation_of_the_other(me: Cheater, act: pb.Act) -> Payload:
    """Resigns for the other with a note that it has signed itself."""
    body = pb.NoteBody.FromString(me.table.note_body(1 - me.number, pb.Resign()))
    note = pb.CarriedNote(body=body.SerializeToString(deterministic=True), signature=bytes(64))
    return Payload(Kind.NOTE, note)


@spoils(Kind.REVEAL, FaultKind.WRONG_KIND, found=Kind.RESIGN)
def resignation_in_place_of_the_seed(me: Cheater, reveal: pb.Reveal) -> Payload:
    """Resigns when the game is over, so that nobody audits it."""
    return Payload(Kind.RESIGN, pb.Resign())


def another(secrets: Secrets) -> Secrets:
    """Other secrets than those it has committed to."""
    return Secrets(bytes(byte ^ 0xFF for byte in secrets.seed))
