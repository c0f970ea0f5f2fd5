"""One seat's private side of a deck: everything it does with its secrets.

Nothing is kept here that matters: all follows from the seat's secrets and the public `Deck`, so that a
restarted program does the same again. docs/protocol.md, section "Deck".
"""

from __future__ import annotations

from collections.abc import Sequence

from bcnet.fairness import equality, steps
from bcnet.fairness.deck import (
    Card,
    Deck,
    Refresh,
    Rekeyed,
    Seat,
    Shuffled,
    Slot,
    SlotId,
    StepKind,
    Unmasked,
)
from bcnet.fairness.equality import Equality
from bcnet.fairness.group import GENERATOR, ORDER, Multiplier, Point, inverse
from bcnet.fairness.steps import Published, Response
from bcnet.secrets import Secrets


class DeckKeeper:
    """The secrets of one seat at work on a deck. Out of turn, every method raises ValueError."""

    def __init__(self, deck: Deck, seat: Seat, secrets: Secrets) -> None:
        self._deck = deck
        self._seat = seat
        self._secrets = secrets
        self._scalars: dict[Point, int] = {}  # of the own key points
        self._unmaskers: dict[Point, Multiplier] = {}
        self._faces: dict[Point, Card] = {}  # of the points of own slots

    def make_shuffle(self, round_: int, head: bytes) -> Published:
        """The seat's shuffle, to be published in the round that begins at ``head``.

        Heavy (see `steps.publish`); changes nothing, so it may run in another thread.
        """
        deck = self._deck
        if deck.shuffler != self._seat:
            raise ValueError(f"seat {self._seat} does not shuffle now")
        step, shadows = deck.step_seeds(self._secrets, deck.epoch.number, head)
        context = deck.step_context(self._seat, round_, head)
        return steps.publish(context, step, shadows, deck.epoch.points, GENERATOR)

    def make_refresh(self, round_: int, head: bytes) -> Refresh:
        """The seat's refresh of its hand, to be published in the round that begins at ``head``.

        Heavy (see `steps.publish`); changes nothing, so it may run in another thread.
        """
        deck = self._deck
        if self._seat not in deck.unrefreshed:
            raise ValueError(f"seat {self._seat} has no hand to refresh")
        key = deck.hand_key(self._seat)
        points = {slot: deck.slot(slot).point for slot in deck.hidden(self._seat)}
        cards = []
        for slot in deck.new_cards(self._seat):
            scalar = self._scalar(key) * inverse(self._scalar(slot.key)) % ORDER
            points[slot.id] = Multiplier(scalar).mask(slot.point)
            statement = deck.rekey_statement(self._seat, round_, head, slot, points[slot.id])
            cards.append(Rekeyed(points[slot.id].x, equality.prove(self._secrets, statement, scalar)))
        step, shadows = deck.step_seeds(self._secrets, deck.epoch.number, head, StepKind.REFRESH)
        context = deck.step_context(self._seat, round_, head, StepKind.REFRESH)
        return Refresh(tuple(cards), steps.publish(context, step, shadows, tuple(points.values()), key))

    def respond(self, bits: Sequence[int]) -> tuple[Response, ...]:
        """The answers to the challenge bits of the step that the seat has not proven yet."""
        deck = self._deck
        made = deck.unproven_step(self._seat)
        kind = StepKind.SHUFFLE if isinstance(made, Shuffled) else StepKind.REFRESH
        step, shadows = deck.step_seeds(self._secrets, deck.epoch.number, made.head, kind)
        return steps.respond(step, shadows, len(made.claim.points), bits)

    def unmask(self, round_: int, head: bytes) -> tuple[Unmasked, ...]:
        """The seat's masks taken off all slots that it has `pending`, with proofs."""
        deck = self._deck
        unmasked = []
        for slot_id in deck.pending(self._seat):
            slot = deck.slot(slot_id)
            key = deck.epochs[slot.epoch - 1].shuffles[self._seat].claim.new_key
            after = self._unmasker(key).mask(slot.point)
            statement = deck.unmask_statement(self._seat, round_, head, slot, after)
            unmasked.append(Unmasked(after.x, equality.prove(self._secrets, statement, self._scalar(key))))
        return tuple(unmasked)

    def face(self, slot_id: SlotId) -> Card:
        """The card in one of the seat's own slots. Raises ValueError while others still mask it."""
        slot = self._deck.slot(slot_id)
        if slot.owner != self._seat or not slot.ready:
            raise ValueError(f"seat {self._seat} cannot see slot {slot_id}")
        if slot.point not in self._faces:
            self._faces[slot.point] = self._card(slot)
        return self._faces[slot.point]

    def open(self, round_: int, head: bytes, slot_id: SlotId) -> Equality:
        """The proof of which card is in one of the seat's own slots."""
        slot = self._deck.slot(slot_id)
        statement = self._deck.open_statement(self._seat, round_, head, slot, self.face(slot_id))
        return equality.prove(self._secrets, statement, self._scalar(slot.key))

    def _scalar(self, key: Point) -> int:
        """The scalar of one of the seat's own key points: a deck key, or a key that its hand has had."""
        if key not in self._scalars:
            self._learn_scalars()
        return self._scalars[key]

    def _learn_scalars(self) -> None:
        deck, scalars = self._deck, self._scalars
        for epoch in deck.epochs:
            made = epoch.shuffles.get(self._seat)
            if made is not None and made.claim.new_key not in scalars:
                scalars[made.claim.new_key] = deck.move(self._secrets, self._seat, epoch.number).scalar
        for refreshed in deck.refreshes:
            claim = refreshed.claim
            if refreshed.seat == self._seat and claim.new_key not in scalars:
                step = deck.refresh_move(self._secrets, refreshed)
                scalars[claim.new_key] = step.scalar * scalars[claim.key] % ORDER

    def _unmasker(self, key: Point) -> Multiplier:
        if key not in self._unmaskers:
            self._unmaskers[key] = Multiplier(inverse(self._scalar(key)))
        return self._unmaskers[key]

    def _card(self, slot: Slot) -> Card:
        point = self._unmasker(slot.key).mask(slot.point)
        for card in self._deck.candidates(slot):
            if self._deck.card_points[card] == point:
                return card
        raise ValueError("a proven card has no face: the secrets are not those of this table")
