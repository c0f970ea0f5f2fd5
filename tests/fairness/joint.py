"""Several seats around one deck, without a table: rounds are numbers, heads are hashes of them.

Used by the tests and by benchmarks; nothing here measures time.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from bcnet.fairness.beacon import Choices, output
from bcnet.fairness.deck import Deck, Proofs, Proven, SlotId
from bcnet.fairness.equality import Equality
from bcnet.fairness.keeper import DeckKeeper
from bcnet.fairness.steps import SHADOWS
from bcnet.secrets import Secrets


def some_bytes(*of: object) -> bytes:
    """32 bytes, always the same for the same values."""
    return sha256(repr(of).encode()).digest()


class Joint:
    """All seats in one place: each with its secrets, all looking at the same public deck."""

    def __init__(
        self, seats: int = 2, size: int = 5, name: str = "joint", proofs: Proofs = Proofs.CHECK
    ) -> None:
        self.table_id = some_bytes("table", name)
        self.deck = Deck("test", "cards", size, seats, self.table_id, proofs=proofs)
        self.secrets = [Secrets(some_bytes("seed", name, seat)) for seat in range(seats)]
        self.keepers = [DeckKeeper(self.deck, seat, secrets) for seat, secrets in enumerate(self.secrets)]
        self.round = 0

    @property
    def head(self) -> bytes:
        """The head at the start of the round."""
        return some_bytes("head", self.table_id, self.round)

    def challenge(self, seat: int) -> tuple[int, ...]:
        """The challenge bits of a seat's shuffle, were the links of all seats revealed in this round."""
        links = [some_bytes("link", self.table_id, self.round, other) for other in range(len(self.secrets))]
        return Choices(output(self.table_id, "challenge", seat, self.round, self.head, links)).bits(SHADOWS)

    def shuffle(self, cards: Sequence[int] | None = None) -> None:
        """A new epoch, shuffled by all seats, nothing proven yet."""
        self.deck.begin(range(len(self.deck.card_points)) if cards is None else cards)
        while (seat := self.deck.shuffler) is not None:
            self.deck.add_shuffle(
                seat, self.round, self.head, self.keepers[seat].make_shuffle(self.round, self.head)
            )
            self.round += 1

    def prove(self) -> None:
        """All shuffles proven and checked."""
        challenges = {seat: self.challenge(seat) for seat in self.deck.unproven}
        self.round += 1
        for seat, bits in challenges.items():
            self.deck.accept(self.deck.check_responses(seat, bits, self.keepers[seat].respond(bits)))
        self.round += 1

    def trust(self) -> None:
        """All shuffles taken as proven, for tests of what comes later."""
        for seat in self.deck.unproven:
            self.deck.accept(self.proof(seat))
        self.round += 1

    def proof(self, seat: int) -> Proven:
        """A seat's shuffle as proven, without the work of checking it."""
        bits = self.challenge(seat)
        return Proven(seat, self.deck.unproven_step(seat).round, bits, self.keepers[seat].respond(bits))

    def deal(self, *seats: int) -> tuple[SlotId, ...]:
        """Cards to these seats, and all masks taken off that must be."""
        slots = self.deck.deal(seats)
        self.unmask()
        return slots

    def unmask(self) -> None:
        """All unmask rounds that are due."""
        while awaited := self.deck.awaited:
            unmasked = {seat: self.keepers[seat].unmask(self.round, self.head) for seat in awaited}
            for seat, cards in unmasked.items():
                self.deck.add_unmask(seat, self.round, self.head, cards)
            self.round += 1

    def face(self, slot: SlotId) -> int:
        """The card of a slot, as its owner sees it."""
        return self.keepers[self.deck.slot(slot).owner].face(slot)

    def opening(self, slot: SlotId) -> Equality:
        """The owner's proof of what is in a slot, for this round."""
        return self.keepers[self.deck.slot(slot).owner].open(self.round, self.head, slot)

    def open(self, slot: SlotId) -> int:
        """The owner shows a card; gives it."""
        owner, card = self.deck.slot(slot).owner, self.face(slot)
        self.deck.add_opening(owner, self.round, self.head, slot, card, self.opening(slot))
        self.round += 1
        return card


class SetUp:
    """The joint, fully proven set-up of a deck: every seat with a public deck of its own, as on separate
    machines.

    What it takes altogether is one shuffle and its answers of each seat, and every seat's check of all the
    others'."""

    def __init__(self, seats: int = 2, size: int = 45, name: str = "set-up") -> None:
        self.table_id = some_bytes("table", name)
        self.decks = [
            Deck("test", "cards", size, seats, self.table_id, vouched=seat) for seat in range(seats)
        ]
        self.keepers = [
            DeckKeeper(deck, seat, Secrets(some_bytes("seed", name, seat)))
            for seat, deck in enumerate(self.decks)
        ]
        for deck in self.decks:
            deck.begin(range(size))

    def run(self) -> None:
        """Shuffle by every seat in turn, then all answers, then every seat's checks."""
        for seat, keeper in enumerate(self.keepers):
            head = some_bytes("head", seat)
            published = keeper.make_shuffle(seat, head)
            for deck in self.decks:
                deck.add_shuffle(seat, seat, head, published)
        links = [some_bytes("link", seat) for seat in range(len(self.decks))]
        round_, head = len(self.decks), some_bytes("head", "challenge")
        bits = [
            Choices(output(self.table_id, "challenge", seat, round_, head, links)).bits(SHADOWS)
            for seat in range(len(self.decks))
        ]
        responses = [keeper.respond(bits[seat]) for seat, keeper in enumerate(self.keepers)]
        for deck in self.decks:
            for seat, answers in enumerate(responses):
                deck.accept(deck.check_responses(seat, bits[seat], answers))
