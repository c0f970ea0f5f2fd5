"""Hands, pile and discards, and who knows which face.

What everybody knows and what only this state knows are kept apart, so that hiding is forgetting the second part:

- everybody: the sizes of hands and pile, ``shown`` cards in hands, and the discards;
- this state: ``known`` cards in hands (the shown ones among them), and the order of the pile.

Nothing in here knows the rules of a turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bcnet.errors import IllegalStep, Phrase
from bcnet.games.balloon_cup.material import CARDS, CardSet, say
from bcnet.games.interface import Card, Hand, Seat


class Cards(NamedTuple):
    """All cards that do not lie next to tiles."""

    hands: tuple[Hand, Hand]
    pile_size: int
    pile_order: tuple[Card, ...] | None
    """Top card first; None if this state does not know it."""
    discards: CardSet

    def with_hand(self, seat: Seat, hand: Hand) -> Cards:
        """The same with another hand."""
        hands = (hand, self.hands[1]) if seat == 0 else (self.hands[0], hand)
        return Cards(hands, self.pile_size, self.pile_order, self.discards)

    def without(self, seat: Seat, cards: Sequence[Card]) -> Cards:
        """These known cards have left the hand."""
        hand = self.hands[seat]
        known = tuple([card for card in hand.known if card not in cards])
        shown = tuple([card for card in hand.shown if card not in cards])
        return self.with_hand(seat, Hand(hand.size - len(cards), known, shown))

    def discard(self, cards: CardSet) -> Cards:
        """These cards, which have left wherever they were, lie on the discard pile."""
        return self._replace(discards=self.discards | cards)

    def shuffle(self, cards: Sequence[Card], order: tuple[Card, ...] | None) -> Cards:
        """``cards`` (ascending) are the new pile; the discards, if there were any, are in it."""
        if order is not None and sorted(order) != list(cards):
            raise IllegalStep(
                "the order of the new pile must hold each of its {count} cards once", count=len(cards)
            )
        return Cards(self.hands, len(cards), order, 0)

    def deal(self, seats: Sequence[Seat], faces: Sequence[Card | None], lying: CardSet) -> Cards:
        """The top cards of the pile go to these seats. ``lying`` are the cards next to tiles."""
        if len(faces) != len(seats):
            raise IllegalStep("{count} cards are due, not {given}", count=len(seats), given=len(faces))
        order = self.pile_order
        if order is None:
            self._check_dealable(faces, lying)
        else:
            _check_top(order, faces)
            faces = order[: len(faces)]
            order = order[len(faces) :]
        first, second = self.hands
        for seat, face in zip(seats, faces, strict=True):
            if seat == 0:
                first = _with_card(first, face)
            else:
                second = _with_card(second, face)
        return Cards((first, second), self.pile_size - len(faces), order, self.discards)

    def _check_dealable(self, faces: Sequence[Card | None], lying: CardSet) -> None:
        """These can be the next cards of a pile whose order this state does not know."""
        dealt: CardSet = 0
        for face in faces:
            if face is not None:
                self._check_unseen(face, lying)
                if dealt >> face & 1:
                    raise IllegalStep("{card} is dealt twice", card=say(face))
                dealt |= 1 << face

    def reveal(self, seat: Seat, cards: Iterable[Card], lying: CardSet, *, publicly: bool) -> Cards:
        """These cards turn out to be in the hand."""
        hand = self.hands[seat]
        named: set[Card] = set()
        known = set(hand.known)
        for card in cards:
            if card in named:
                raise IllegalStep("{card} is named twice", card=_say(card))
            named.add(card)
            if card not in known:
                if len(known) == hand.size:
                    raise IllegalStep("{card} is not in the hand of seat {seat}", card=_say(card), seat=seat)
                self._check_unseen(card, lying)
                known.add(card)
        shown = {*hand.shown, *named} if publicly else hand.shown
        return self.with_hand(seat, Hand(hand.size, tuple(sorted(known)), tuple(sorted(shown))))

    def _check_unseen(self, card: Card, lying: CardSet) -> None:
        """This state does not know where the card is, so it can be anywhere."""
        if card not in range(CARDS):
            raise IllegalStep("there is no card {card}", card=card)
        if lying >> card & 1:
            place = Phrase("it lies next to a tile")
        elif self.discards >> card & 1:
            place = Phrase("it lies on the discard pile")
        elif card in self.hands[0].known:
            place = Phrase("seat {seat} holds it", seat=0)
        elif card in self.hands[1].known:
            place = Phrase("seat {seat} holds it", seat=1)
        elif self.pile_order is not None and card in self.pile_order:
            place = Phrase("it is in the pile")
        else:
            return
        raise IllegalStep("{card} cannot be here: {place}", card=say(card), place=place)

    def view(self, seat: Seat | None) -> Cards:
        """What ``seat`` (or everybody) knows of this."""
        first, second = (
            hand if owner == seat else Hand(hand.size, hand.shown, hand.shown)
            for owner, hand in enumerate(self.hands)
        )
        return Cards((first, second), self.pile_size, None, self.discards)


def _with_card(hand: Hand, face: Card | None) -> Hand:
    """The hand with one more card, known or not."""
    known = hand.known if face is None else tuple(sorted((*hand.known, face)))
    return Hand(hand.size + 1, known, hand.shown)


def _check_top(order: Sequence[Card], faces: Sequence[Card | None]) -> None:
    """These are the next cards of a pile in this order."""
    for face, top in zip(faces, order):  # noqa: B905 (the pile goes on)
        if face != top and face is not None:
            raise IllegalStep("the next card of the pile is {top}, not {face}", top=say(top), face=_say(face))


def _say(card: Card) -> str:
    return say(card) if card in range(CARDS) else f"card {card}"


NO_CARDS = Cards((Hand(0), Hand(0)), 0, None, 0)
"""Before the first shuffle."""
