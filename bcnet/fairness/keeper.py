"""One seat's private side of a deck: everything it does with its secrets.

Nothing is kept here that matters: all follows from the seat's secrets and the public `Deck`, so that a
restarted program does the same again. docs/protocol.md, section "Deck".
"""

from __future__ import annotations

from collections.abc import Sequence

from bcnet.fairness import equality, steps
from bcnet.fairness.deck import Card, Deck, Seat, SlotId, Unmasked
from bcnet.fairness.equality import Equality
from bcnet.fairness.group import GENERATOR, Multiplier, Point, inverse
from bcnet.fairness.steps import Published, Response
from bcnet.secrets import Secrets


class DeckKeeper:
    """The secrets of one seat at work on a deck. Out of turn, every method raises ValueError."""

    def __init__(self, deck: Deck, seat: Seat, secrets: Secrets) -> None:
        self._deck = deck
        self._seat = seat
        self._secrets = secrets
        self._scalars: dict[int, int] = {}
        self._unmaskers: dict[int, Multiplier] = {}
        self._faces: dict[SlotId, Card] = {}

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

    def respond(self, bits: Sequence[int]) -> tuple[Response, ...]:
        """The answers to the challenge bits of the seat's shuffle of the current epoch."""
        deck = self._deck
        if self._seat not in deck.unproven:
            raise ValueError(f"seat {self._seat} has nothing to prove")
        made = deck.epoch.shuffles[self._seat]
        step, shadows = deck.step_seeds(self._secrets, deck.epoch.number, made.head)
        return steps.respond(step, shadows, len(made.claim.points), bits)

    def unmask(self, round_: int, head: bytes) -> tuple[Unmasked, ...]:
        """The seat's masks taken off all slots that it has `pending`, with proofs."""
        deck = self._deck
        unmasked = []
        for slot_id in deck.pending(self._seat):
            slot = deck.slot(slot_id)
            after = self._unmasker(slot.epoch).mask(slot.point)
            statement = deck.unmask_statement(self._seat, round_, head, slot, after)
            proof = equality.prove(self._secrets, statement, self._scalar(slot.epoch))
            unmasked.append(Unmasked(after.x, proof))
        return tuple(unmasked)

    def face(self, slot_id: SlotId) -> Card:
        """The card in one of the seat's own slots. Raises ValueError while others still mask it."""
        if slot_id not in self._faces:
            slot = self._deck.slot(slot_id)
            if slot.owner != self._seat or not slot.ready:
                raise ValueError(f"seat {self._seat} cannot see slot {slot_id}")
            self._faces[slot_id] = self._card(slot.epoch, self._unmasker(slot.epoch).mask(slot.point))
        return self._faces[slot_id]

    def open(self, round_: int, head: bytes, slot_id: SlotId) -> Equality:
        """The proof of which card is in one of the seat's own slots."""
        slot = self._deck.slot(slot_id)
        statement = self._deck.open_statement(self._seat, round_, head, slot, self.face(slot_id))
        return equality.prove(self._secrets, statement, self._scalar(slot.epoch))

    def _scalar(self, epoch: int) -> int:
        if epoch not in self._scalars:
            self._scalars[epoch] = self._deck.move(self._secrets, self._seat, epoch).scalar
        return self._scalars[epoch]

    def _unmasker(self, epoch: int) -> Multiplier:
        if epoch not in self._unmaskers:
            self._unmaskers[epoch] = Multiplier(inverse(self._scalar(epoch)))
        return self._unmaskers[epoch]

    def _card(self, epoch: int, point: Point) -> Card:
        for card in self._deck.epochs[epoch - 1].cards:
            if self._deck.card_points[card] == point:
                return card
        raise ValueError("a proven card has no face: the secrets are not those of this table")
