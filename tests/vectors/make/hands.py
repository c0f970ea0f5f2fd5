"""Transcripts of tables with private hands: refreshes that are none, and games with the option on."""

from __future__ import annotations

from collections.abc import Iterator

from bcnet.fairness import equality
from bcnet.fairness.deck import Rekeyed
from bcnet.fairness.errors import Flaw
from bcnet.fairness.group import GENERATOR, Multiplier, Point
from bcnet.table.faults import FaultKind
from bcnet.table.payloads import write_equality
from bcnet.table.rounds import Kind
from bcnet.wire.v1 import log_pb2 as pb
from tests.fairness.cheats import false_card
from tests.vectors.make.case import Case, cheated, clean, incomplete
from tests.vectors.make.dealing import Spoil, off_curve, spoilt
from tests.vectors.make.scribe import Scribe


def cases() -> Iterator[Case]:
    scribe = until_a_new_card(Scribe("private hands", private_hands=True))
    yield from _refreshes(scribe)
    yield from _proofs(scribe)
    yield from _other_move()
    yield from _games()


def until_a_new_card(scribe: Scribe) -> Scribe:
    """Up to the refresh after the first draw: the one that brings a card under the hand key."""
    return scribe.play(lambda s: s.kind is Kind.REFRESH and s.round > _first_refresh(s))


def _first_refresh(scribe: Scribe) -> int:
    deck = scribe.course.deck
    assert deck is not None
    return deck.refreshes[0].round if deck.refreshes else scribe.round


def _refreshes(scribe: Scribe) -> Iterator[Case]:
    (seat,) = scribe.awaited
    deck, here = scribe.course.deck, scribe.table.log.open
    assert deck is not None
    keeper = scribe.seats[seat]._own_keeper()
    other_key = false_card(keeper, here.number, here.head, factor=2)
    before = (here.number - 1, scribe.table.log[here.number - 1].head)
    carried_over = false_card(keeper, here.number, here.head, place=before)
    hand_key, deck_key = deck.hand_key(seat).x, deck.epoch.shuffles[seat].claim.new_key.x

    def card(made: Rekeyed) -> Spoil:
        written = pb.Rekeyed(point=made.point, proof=write_equality(made.proof))
        return lambda body: body.refresh.cards[0].CopyFrom(written)

    def card_off_curve(body: pb.Body) -> None:
        body.refresh.cards[0].point = off_curve()

    def point(index: int, value: bytes) -> Spoil:
        def change(body: pb.Body) -> None:
            body.refresh.step.points[index] = value

        return change

    def key(value: bytes) -> Spoil:
        return lambda body: setattr(body.refresh.step, "key", value)

    def first_twice(body: pb.Body) -> None:
        body.refresh.step.points[7] = body.refresh.step.points[0]

    spoils: dict[str, tuple[str, Spoil, Flaw]] = {
        "card-missing": (
            "the new card is not brought under the hand key",
            lambda b: b.refresh.ClearField("cards"),
            Flaw.WRONG_LENGTH,
        ),
        "card-twice": (
            "the new card comes twice",
            lambda b: b.refresh.cards.add().CopyFrom(b.refresh.cards[0]),
            Flaw.WRONG_LENGTH,
        ),
        "card-off-curve": ("no point has the new card's x", card_off_curve, Flaw.POINT_OFF_CURVE),
        "card-other-key": (
            "the new card under twice the hand key",
            card(other_key),
            Flaw.BAD_EQUALITY,
        ),
        "card-proof-of-other-round": (
            "the proof of the new card names the round before",
            card(carried_over),
            Flaw.BAD_EQUALITY,
        ),
        "step-missing": ("no step", lambda b: b.refresh.ClearField("step"), Flaw.WRONG_LENGTH),
        "point-missing": (
            "7 points of 8",
            lambda b: b.refresh.step.points.__delitem__(7),
            Flaw.WRONG_LENGTH,
        ),
        "point-twice": ("one point in two slots", first_twice, Flaw.DUPLICATE_POINT),
        "card-point": (
            "a bare card point in the hand",
            point(3, deck.card_points[3].x),
            Flaw.CARD_POINT_IN_LIST,
        ),
        "key-of-hand": ("the hand key stays", key(hand_key), Flaw.KEY_REUSED),
        "key-of-deck": ("the deck key comes back as the hand key", key(deck_key), Flaw.KEY_REUSED),
        "key-generator": ("the key point is G", key(GENERATOR.x), Flaw.KEY_REUSED),
    }
    for name, (about, spoil, flaw) in spoils.items():
        yield cheated(name, about, spoilt(scribe, seat, spoil), seat, scribe.round, FaultKind.REFRESH, flaw)
    yield incomplete(
        "refresh", "the drawn card is not hidden yet", scribe.entries, scribe.round, Kind.REFRESH, [seat]
    )
    shares = scribe.body(seat, Kind.SHARE, pb.Share(link=bytes(32)))
    yield cheated(
        "share-in-place-of-refresh",
        "the challenge is to be drawn before there is a refresh",
        [*scribe.entries, scribe.entry(seat, shares)],
        seat,
        scribe.round,
        FaultKind.WRONG_KIND,
    )


def _proofs(scribe: Scribe) -> Iterator[Case]:
    """The refresh after the first draw, with another card in it; and an opening of a slot as it was before."""
    (seat,) = scribe.awaited
    honest = scribe.honest(seat)
    other = pb.Body.FromString(honest.SerializeToString())
    step = other.refresh.step
    step.points[0] = Multiplier(2).mask(Point(step.points[1])).x
    entries = list(scribe.entries)
    forged = Scribe("private hands", private_hands=True)
    for data in entries:
        forged.table.receive(data)
    forged.entries, forged.blind = entries, True
    forged.say(seat, other)
    forged.play(lambda s: s.kind is Kind.RESPONSES)
    yield cheated(
        "refresh-card-swapped",
        "a slot holds twice the point of another, with the honest shadows of the hand",
        [*forged.entries, forged.entry(seat, forged.honest(seat))],
        seat,
        forged.round,
        FaultKind.RESPONSES,
        Flaw.BAD_BRIDGE,
    )
    deck = scribe.course.deck
    assert deck is not None
    scribe.say(seat)
    scribe.play(lambda s: s.kind is Kind.RESPONSES)
    old = {slot: deck.slot(slot) for slot in deck.hidden(seat)}
    scribe.play(lambda s: s.kind is Kind.ACT and s.awaited == (seat,))
    here = scribe.table.log.open
    body = scribe.honest(seat)
    opening = body.act.openings[0]
    before = old[opening.slot]
    statement = deck.open_statement(seat, here.number, here.head, before, opening.card)
    scalar = scribe.seats[seat]._own_keeper()._scalar(before.key)
    opening.proof.CopyFrom(write_equality(equality.prove(scribe.secrets[seat], statement, scalar)))
    yield cheated(
        "slot-before-refresh",
        "a card proven for the point that its slot had before the refresh",
        [*scribe.entries, scribe.entry(seat, body)],
        seat,
        scribe.round,
        FaultKind.OPENING,
        Flaw.BAD_EQUALITY,
    )


def _other_move() -> Iterator[Case]:
    """Another permutation than the seed's, proven as well as any."""
    scribe = until_a_new_card(Scribe("other move", private_hands=True))
    (seat,), round_ = scribe.awaited, scribe.round
    body = scribe.honest(seat)
    points = body.refresh.step.points
    points.append(points.pop(0))
    scribe.blind = True
    scribe.say(seat, body)
    scribe.play(lambda s: s.kind is Kind.RESPONSES)
    answers = scribe.honest(seat)
    for response in answers.responses.responses:
        if response.HasField("bridge"):
            order = response.bridge.permutation
            response.bridge.permutation = bytes((place - 1) % len(order) for place in order)
    scribe.say(seat, answers)
    scribe.resign(scribe.awaited[0])
    yield cheated(
        "",
        "a refresh in another order than the seed gives; all of it is proven",
        scribe.entries,
        seat,
        round_,
        FaultKind.AUDIT_REFRESH,
    )


def _games() -> Iterator[Case]:
    scribe = Scribe("private 1", private_hands=True).play(_has_refreshed_in_epoch_2)
    scribe.resign(scribe.awaited[0])
    yield clean(
        "private-hands",
        "hands are refreshed through two epochs, then one resigns",
        scribe.entries,
        scribe.result,
    )
    leaving = until_a_new_card(Scribe("leaving", private_hands=True))
    leaving.resign(leaving.awaited[0])
    yield clean(
        "resigned-in-refresh", "a seat resigns in place of a refresh", leaving.entries, leaving.result
    )


def _has_refreshed_in_epoch_2(scribe: Scribe) -> bool:
    deck = scribe.course.deck
    return (
        scribe.kind is Kind.ACT
        and deck is not None
        and any(made.epoch == 2 and made.proven for made in deck.refreshes)
    )
