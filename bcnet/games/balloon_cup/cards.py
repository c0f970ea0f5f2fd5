"""Hands, pile and discards, and who knows which face.

What everybody knows and what only this state knows are kept apart, so that hiding is forgetting the second part:

- everybody: the sizes of hands and pile, ``shown`` cards in hands, and the discards;
- this state: ``known`` cards in hands (the shown ones among them), and the order of the pile.

Nothing in here knows the rules of a turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bcnet.errors import IllegalStep
from bcnet.games.balloon_cup.material import ALL_CARDS, CARDS, CardSet, cards_in, say
from bcnet.games.interface import Card, Seat


class Held(NamedTuple):
    """One hand."""

    size: int
    known: CardSet
    """The faces that this state knows."""
    shown: CardSet
    """The faces that everybody knows; all of them are known."""

    @property
    def hidden(self) -> int:
        """How many faces this state does not know."""
        return self.size - self.known.bit_count()


class Cards(NamedTuple):
    """All cards that do not lie next to tiles."""

    hands: tuple[Held, Held]
    pile_size: int
    pile_order: tuple[Card, ...] | None
    """Top card first; None if this state does not know it."""
    discards: CardSet

    def with_hand(self, seat: Seat, hand: Held) -> Cards:
        """The same with another hand."""
        hands = (hand, self.hands[1]) if seat == 0 else (self.hands[0], hand)
        return Cards(hands, self.pile_size, self.pile_order, self.discards)

    def without(self, seat: Seat, cards: CardSet) -> Cards:
        """These known cards have left the hand."""
        size, known, shown = self.hands[seat]
        left = Held(size - cards.bit_count(), known & ~cards, shown & ~cards)
        hands = (left, self.hands[1]) if seat == 0 else (self.hands[0], left)
        return Cards(hands, self.pile_size, self.pile_order, self.discards)

    def discard(self, cards: CardSet) -> Cards:
        """These cards, which have left wherever they were, lie on the discard pile."""
        return self._replace(discards=self.discards | cards)

    def shuffle(self, cards: CardSet, order: tuple[Card, ...] | None) -> Cards:
        """``cards`` are the new pile; the discards, if there were any, are in it."""
        if order is not None and (len(order) != cards.bit_count() or set(order) != set(cards_in(cards))):
            raise IllegalStep(
                "the order of the new pile must hold each of its {count} cards once", count=cards.bit_count()
            )
        return Cards(self.hands, cards.bit_count(), order, 0)

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
            size, known, shown = first if seat == 0 else second
            held = Held(size + 1, known if face is None else known | 1 << face, shown)
            if seat == 0:
                first = held
            else:
                second = held
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
        size, known, shown = self.hands[seat]
        named: CardSet = 0
        for card in cards:
            if card in range(CARDS) and named >> card & 1:
                raise IllegalStep("{card} is named twice", card=say(card))
            if not (card in range(CARDS) and known >> card & 1):
                if known.bit_count() == size:
                    raise IllegalStep("{card} is not in the hand of seat {seat}", card=_say(card), seat=seat)
                self._check_unseen(card, lying)
                known |= 1 << card
            named |= 1 << card
        if publicly:
            shown |= named
        return self.with_hand(seat, Held(size, known, shown))

    def _unseen(self, lying: CardSet) -> CardSet:
        """The cards of which this state does not know where they are."""
        in_pile = 0 if self.pile_order is None else sum(1 << card for card in self.pile_order)
        return ALL_CARDS & ~(lying | self.discards | self.hands[0].known | self.hands[1].known | in_pile)

    def _check_unseen(self, card: Card, lying: CardSet) -> None:
        if card not in range(CARDS):
            raise IllegalStep("there is no card {card}", card=card)
        if self._unseen(lying) >> card & 1:
            return
        if lying >> card & 1:
            place = "it lies next to a tile"
        elif self.discards >> card & 1:
            place = "it lies on the discard pile"
        elif self.hands[0].known >> card & 1:
            place = "seat 0 holds it"
        elif self.hands[1].known >> card & 1:
            place = "seat 1 holds it"
        else:
            place = "it is in the pile"
        raise IllegalStep("{card} cannot be here: {place}", card=say(card), place=place)

    def view(self, seat: Seat | None) -> Cards:
        """What ``seat`` (or everybody) knows of this."""
        first, second = (
            held if owner == seat else Held(held.size, held.shown, held.shown)
            for owner, held in enumerate(self.hands)
        )
        return Cards((first, second), self.pile_size, None, self.discards)


def _check_top(order: Sequence[Card], faces: Sequence[Card | None]) -> None:
    """These are the next cards of a pile in this order."""
    for top, face in zip(order, faces, strict=False):
        if face is not None and face != top:
            raise IllegalStep("the next card of the pile is {top}, not {face}", top=say(top), face=_say(face))


def _say(card: Card) -> str:
    return say(card) if card in range(CARDS) else f"card {card}"


NO_CARDS = Cards((Held(0, 0, 0), Held(0, 0, 0)), 0, None, 0)
"""Before the first shuffle."""
