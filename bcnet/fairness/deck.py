"""The public side of a deck of hidden cards: what everybody at the table, and the verifier, knows of it.

Seat after seat masks and shuffles the pile; a card reaches a seat when all others take their mask off it, in
turn; its seat opens it by proving which card its own mask hides. docs/protocol.md, section "Deck".

The rules of this file:

1. A `Deck` knows no secret and trusts nobody: whatever comes from a seat is checked when it is added, or
   raises `Invalid` and changes nothing. Calling out of turn is misuse by our own side: ValueError.
2. It is told what to shuffle and to whom to deal. No point that another sends is ever unmasked on request:
   what is to be unmasked follows from `Deck.deal` alone.
3. Everything heavy is in `Deck.check_responses`, which changes nothing and may run in a thread of its own.
4. A slot is a place in a hand for one card, hidden or not. Slots are numbered from 0 in the order in which
   they are dealt, through all epochs, and a number never comes back. A refresh moves the hidden cards of a
   hand between its slots; which card went where, its owner alone knows.

A seat's own secrets are at work in `bcnet.fairness.keeper`, the comparison with all seeds in
`bcnet.fairness.audit`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum
from typing import Final, NamedTuple

from bcnet.fairness import equality
from bcnet.fairness.equality import Equality, Purpose, Statement
from bcnet.fairness.errors import Flaw, Invalid, check_count
from bcnet.fairness.group import GENERATOR, Multiplier, Point, card_points, inverse
from bcnet.fairness.steps import MAX_POINTS, SHADOWS, Claim, Move, Published, Response
from bcnet.hashing import tagged_hash, u32
from bcnet.secrets import Secrets

Seat = int
Card = int
SlotId = int


class Proofs(Enum):
    """Who runs the proofs. Sizes, canonical forms and everything else is checked either way."""

    CHECK = "check"
    """Every proof is checked when it arrives: the only choice for play."""
    LEAVE_TO_AUDIT = "leave-to-audit"
    """For a verifier who has all seeds and compares with them instead (`bcnet.fairness.audit`). Whether what is sent as
    a point lies on the curve is left to the audit as well: what it computes needs no decoding."""


class StepKind(StrEnum):
    """What a step is for, as it enters the context and the seed of the step."""

    SHUFFLE = "shuffle"
    REFRESH = "refresh"

    @property
    def shadow(self) -> str:
        """The purpose of the seeds of its shadows."""
        return "shadow" if self is StepKind.SHUFFLE else "refresh-shadow"


@dataclass(frozen=True, slots=True)
class Unmasked:
    """One card with a mask taken off: the new point (32 bytes) and the proof that the mask was the seat's."""

    point: bytes
    proof: Equality


@dataclass(frozen=True, slots=True)
class Rekeyed:
    """A new card under the hand key: the new point (32 bytes) and the proof that nothing but the key has changed."""

    point: bytes
    proof: Equality


@dataclass(frozen=True, slots=True)
class Refresh:
    """A seat's refresh of its hand: the new cards under the hand key, then the step of all hidden cards."""

    cards: tuple[Rekeyed, ...]
    step: Published


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a card was dealt from: a position (0 is the top) of the pile of an epoch (counted from 1)."""

    epoch: int
    position: int


class Slot(NamedTuple):
    """A place in the hand of ``owner`` for one card.

    ``point`` is what its masks make of the card now, ``key`` the key point of the owner's mask, the last to
    remain. ``awaiting`` are the seats that still have to take theirs off, in turn. ``origin`` is where the card
    came from; None once it was refreshed, for then nobody but the owner knows.
    """

    id: SlotId
    owner: Seat
    origin: Origin | None
    point: Point
    key: Point
    awaiting: tuple[Seat, ...]

    @property
    def ready(self) -> bool:
        """Whether only the owner's mask is left."""
        return not self.awaiting

    @property
    def epoch(self) -> int:
        """The epoch whose pile the card came from; 0 if nobody else knows."""
        return self.origin.epoch if self.origin else 0


@dataclass(frozen=True, slots=True)
class Proven:
    """A step, published in ``round``, whose answers were checked by `Deck.check_responses`; for `Deck.accept`."""

    seat: Seat
    round: int
    bits: tuple[int, ...]
    responses: tuple[Response, ...]


@dataclass(frozen=True, slots=True)
class Shuffled:
    """One seat's shuffle: when it was published, what it claims, and its proof when there is one."""

    seat: Seat
    round: int
    head: bytes
    claim: Claim
    proven: Proven | None = None


@dataclass(frozen=True, slots=True)
class Refreshed:
    """One seat's refresh: when it was published, in which epoch; ``rekeyed`` has the slots as they were, new cards
    alone, with the points under the hand key; ``slots`` are those of the step, ascending.
    """

    seat: Seat
    round: int
    head: bytes
    epoch: int
    rekeyed: tuple[tuple[Slot, Point], ...]
    slots: tuple[SlotId, ...]
    claim: Claim
    proven: Proven | None = None


@dataclass(frozen=True, slots=True)
class Removal:
    """One mask taken off a slot, for the audit."""

    slot: SlotId
    seat: Seat
    round: int
    before: Point
    after: Point


@dataclass(frozen=True, slots=True)
class Opened:
    """A card that was named for a slot, for the audit."""

    slot: SlotId
    seat: Seat
    round: int
    card: Card


@dataclass(slots=True)
class Epoch:
    """One pile, from its shuffles to its last card. Keeper and audit read it, and change nothing in it."""

    number: int
    cards: tuple[Card, ...]
    seats: tuple[Seat, ...]
    """Who shuffles, in this order."""
    points: tuple[Point, ...]
    """The points as the latest shuffle left them, top of the pile first."""
    shuffles: dict[Seat, Shuffled] = field(default_factory=dict)
    dealt: int = 0


class Deck:
    """One deck of cards at one table: see the rules at the top of this file."""

    def __init__(
        self,
        game: str,
        name: str,
        size: int,
        seats: int,
        table_id: bytes,
        *,
        proofs: Proofs = Proofs.CHECK,
        vouched: Seat | None = None,
    ) -> None:
        """A deck of ``size`` cards, called ``name`` in ``game``, of which nothing is shuffled yet.

        ``vouched`` is the seat whose proofs this very program makes: it need not check them.
        """
        if not 1 <= size <= MAX_POINTS or seats < 2:
            raise ValueError(f"a deck has 1 to {MAX_POINTS} cards and a table two seats or more")
        self.seats: Final = seats
        self.table_id: Final = table_id
        self.proofs: Final = proofs
        self._vouched: Final = vouched
        self.card_points: Final = card_points(game, name, size)
        self.removals: Final[list[Removal]] = []
        self.openings: Final[list[Opened]] = []
        self.epochs: Final[list[Epoch]] = []
        self.refreshes: Final[list[Refreshed]] = []
        self.origins: Final[list[Origin]] = []
        """Where the card came from that was dealt to a slot, by the slot's number."""
        self.unchecked: Final[list[Point]] = []
        """What the seats have sent as points, as long as that is left to the audit."""
        self._card_set = {point.x for point in self.card_points}
        self._keys = {GENERATOR.x: -1}  # and the round in which each was published
        self._slots: list[Slot] = []
        self._latest = 0  # the first slot of the latest deal: no slot before it awaits anything
        self._hands: list[list[SlotId]] = [[] for _ in range(seats)]
        self._opened: set[SlotId] = set()
        self._refreshing: dict[
            Seat, int
        ] = {}  # refreshes that are not proven yet, by their place in the list
        self._surrendered: dict[Seat, Secrets] = {}

    # --- shuffling ---

    def begin(self, cards: Sequence[Card]) -> None:
        """Begin a new epoch: these cards, ascending, are to be shuffled by every seat in turn.

        Raises ValueError while masks are still to be taken off, or for cards that the deck does not have.
        """
        if self.shuffler is not None or self.unproven or self.awaited:
            raise ValueError("the epoch before is not finished")
        if (
            not cards
            or list(cards) != sorted(set(cards))
            or cards[0] < 0
            or cards[-1] >= len(self.card_points)
        ):
            raise ValueError("the cards to shuffle are not an ascending choice of the deck's")
        seats = tuple(seat for seat in range(self.seats) if seat not in self._surrendered)
        points = tuple(self.card_points[card] for card in cards)
        self.epochs.append(Epoch(len(self.epochs) + 1, tuple(cards), seats, points))

    @property
    def epoch(self) -> Epoch:
        """The current epoch. Raises ValueError before the first."""
        if not self.epochs:
            raise ValueError("nothing has been shuffled yet")
        return self.epochs[-1]

    @property
    def shuffler(self) -> Seat | None:
        """The seat whose shuffle is next; None when all have shuffled (or nothing has begun)."""
        if not self.epochs:
            return None
        for seat in self.epoch.seats:
            if seat not in self.epoch.shuffles and seat not in self._surrendered:
                return seat
        return None

    def add_shuffle(self, seat: Seat, round_: int, head: bytes, published: Published) -> None:
        """Take the shuffle of the seat whose turn it is, published in the round that began at ``head``.

        Raises `Invalid` for wrong sizes, for a point that is invalid, a card's, or there twice, and for a key
        point that has been one before (the generator included). That it is a shuffle is shown by
        `check_responses`.
        """
        if seat != self.shuffler:
            raise ValueError(f"seat {seat} does not shuffle now")
        claim = self._arrive(seat, round_, head, StepKind.SHUFFLE, self.epoch.points, GENERATOR, published)
        self.epoch.shuffles[seat] = Shuffled(seat, round_, head, claim)
        self.epoch.points = claim.new_points

    def _arrive(
        self,
        seat: Seat,
        round_: int,
        head: bytes,
        kind: StepKind,
        points: tuple[Point, ...],
        key: Point,
        published: Published,
    ) -> Claim:
        """Check all of a step that can be checked before the challenge. Raises `Invalid`."""
        context = self.step_context(seat, round_, head, kind)
        claim = Claim.arrive(context, points, key, published, self._decode)
        if not self._card_set.isdisjoint(published.points):
            raise Invalid(Flaw.CARD_POINT_IN_LIST, "a masked list contains the point of a card")
        # Of two equal keys in one round nobody can tell which came first; the copy cannot be proven anyway.
        if self._keys.get(published.key, round_) < round_:
            raise Invalid(Flaw.KEY_REUSED, "a key point was used before")
        self._keys.setdefault(published.key, round_)
        return claim

    @property
    def unproven(self) -> tuple[Seat, ...]:
        """The seats that owe answers to a challenge, ascending."""
        if not self.epochs:
            return ()
        shuffled = [seat for seat, made in self.epoch.shuffles.items() if made.proven is None]
        return tuple(sorted([*shuffled, *self._refreshing]))

    def unproven_step(self, seat: Seat) -> Shuffled | Refreshed:
        """The step for which a seat owes answers. Raises ValueError if it owes none."""
        if seat in self._refreshing:
            return self.refreshes[self._refreshing[seat]]
        made = self.epochs[-1].shuffles.get(seat) if self.epochs else None
        if made is None or made.proven is not None:
            raise ValueError(f"seat {seat} has nothing to prove")
        return made

    def check_responses(self, seat: Seat, bits: Sequence[int], responses: Sequence[Response]) -> Proven:
        """Check the answers of a seat to the `SHADOWS` challenge bits of its step. Raises `Invalid`.

        Heavy (see `Claim.check`); changes nothing, so it may run in another thread while this deck takes the
        answers of others. The result goes to `accept`.
        """
        made = self.unproven_step(seat)
        if self._is_checked(seat):
            made.claim.check(bits, responses)
        else:
            made.claim.check_form(bits, responses)
        return Proven(seat, made.round, tuple(bits), tuple(responses))

    def accept(self, proven: Proven) -> None:
        """Take the step of a seat as proven: nothing is dealt before all are. A refreshed hand takes its place now."""
        made = self.unproven_step(proven.seat)
        if proven.round != made.round:
            raise ValueError(f"seat {proven.seat} has nothing to prove in round {proven.round}")
        if isinstance(made, Shuffled):
            self.epoch.shuffles[proven.seat] = replace(made, proven=proven)
            return
        self.refreshes[self._refreshing.pop(proven.seat)] = replace(made, proven=proven)
        for slot_id, point in zip(made.slots, made.claim.new_points, strict=True):
            slot = self._slots[slot_id]
            self._slots[slot_id] = slot._replace(origin=None, point=point, key=made.claim.new_key)

    # --- dealing ---

    @property
    def left(self) -> int:
        """Cards left in the pile."""
        return len(self.epoch.cards) - self.epoch.dealt if self.epochs else 0

    def deal(self, seats: Sequence[Seat]) -> tuple[SlotId, ...]:
        """Deal the next cards of the pile to these seats, one each in this order; gives the new slots.

        Each still has to be unmasked by all the others: see `awaited`. Raises ValueError if the pile is too
        short, or not ready: a shuffle is missing or unproven, or cards dealt before still wait for masks to
        be taken off; and for a seat that did not shuffle this pile.
        """
        if self.shuffler is not None or self.unproven or self.awaited:
            raise ValueError("the pile is not ready")
        if len(seats) > self.left:
            raise ValueError(f"{len(seats)} cards are called for and {self.left} are left")
        epoch = self.epoch
        if not set(seats) <= epoch.shuffles.keys():
            raise ValueError("a card is dealt to a seat that did not shuffle")
        self._latest = len(self._slots)
        for owner in seats:
            turn = [(owner + k) % self.seats for k in range(1, self.seats)]
            self.origins.append(Origin(epoch.number, epoch.dealt))
            self._hands[owner].append(len(self._slots))
            self._slots.append(
                Slot(
                    id=len(self._slots),
                    owner=owner,
                    origin=self.origins[-1],
                    point=epoch.points[epoch.dealt],
                    key=epoch.shuffles[owner].claim.new_key,
                    awaiting=tuple([seat for seat in turn if seat in epoch.shuffles]),
                )
            )
            epoch.dealt += 1
        self._unmask_for_the_absent()
        return tuple(range(self._latest, len(self._slots)))

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """The seats, ascending, that have masks to take off in the current round; empty when all is done.

        In round k = 1 .. n-1 after a deal, seat (p + k) mod n does so for the cards of seat p. The next round
        begins when all masks of this one are off.
        """
        return tuple(sorted({slot.awaiting[0] for slot in self._current()}))

    def pending(self, seat: Seat) -> tuple[SlotId, ...]:
        """The slots, ascending, off which ``seat`` has to take its mask in the current round."""
        return tuple(slot.id for slot in self._current() if slot.awaiting[0] == seat)

    def _current(self) -> list[Slot]:
        waiting = [slot for slot in self._slots[self._latest :] if slot.awaiting]
        if len(waiting) < 2:
            return waiting
        first = min(map(self._turn, waiting))
        return [slot for slot in waiting if self._turn(slot) == first]

    def _turn(self, slot: Slot) -> int:
        """The k of the round in which the next mask of a slot comes off."""
        return (slot.awaiting[0] - slot.owner) % self.seats

    def add_unmask(self, seat: Seat, round_: int, head: bytes, cards: Sequence[Unmasked]) -> None:
        """Take the masks that a seat takes off its `pending` slots, in their order. Raises `Invalid`."""
        pending = self.pending(seat)
        if not pending:
            raise ValueError(f"seat {seat} has no mask to take off")
        check_count("unmasked cards", len(cards), len(pending))
        changed = []
        for slot_id, unmasked in zip(pending, cards, strict=True):
            slot = self._slots[slot_id]
            point = self._decode(unmasked.point)
            statement = self.unmask_statement(seat, round_, head, slot, point)
            self._check(statement, unmasked.proof)
            changed.append((slot, point))
        for slot, point in changed:
            self.removals.append(Removal(slot.id, seat, round_, slot.point, point))
            self._slots[slot.id] = slot._replace(point=point, awaiting=slot.awaiting[1:])
        self._unmask_for_the_absent()

    # --- hands ---

    def slot(self, slot_id: SlotId) -> Slot:
        """A slot, in a hand or dropped. Raises ValueError if there was never one of that number."""
        if not 0 <= slot_id < len(self._slots):
            raise ValueError(f"there is no slot {slot_id}")
        return self._slots[slot_id]

    @property
    def slots(self) -> tuple[Slot, ...]:
        """All slots of the game, dropped ones included, in the order of their numbers."""
        return tuple(self._slots)

    def hand(self, seat: Seat) -> tuple[SlotId, ...]:
        """The slots in the hand of a seat, ascending."""
        return tuple(self._hands[seat])

    def hidden(self, seat: Seat) -> tuple[SlotId, ...]:
        """The slots in the hand of a seat whose cards it has not opened, ascending."""
        return tuple([slot for slot in self._hands[seat] if slot not in self._opened])

    def add_opening(
        self, seat: Seat, round_: int, head: bytes, slot_id: SlotId, card: Card, proof: Equality
    ) -> None:
        """Take a seat's word, and proof, that ``card`` is in one of its slots. Raises `Invalid`."""
        if slot_id not in self._hands[seat]:
            raise Invalid(
                Flaw.BAD_OPENING, "slot {slot} is not in the hand of seat {seat}", slot=slot_id, seat=seat
            )
        slot = self._slots[slot_id]
        if not slot.ready:
            raise Invalid(Flaw.BAD_OPENING, "slot {slot} is still masked by another seat", slot=slot_id)
        if card not in self.candidates(slot):
            raise Invalid(
                Flaw.BAD_OPENING, "card {card} was not in the pile of slot {slot}", card=card, slot=slot_id
            )
        self._check(self.open_statement(seat, round_, head, slot, card), proof)
        self.openings.append(Opened(slot_id, seat, round_, card))
        self._opened.add(slot_id)

    def candidates(self, slot: Slot) -> Sequence[Card]:
        """The cards that can be in a slot: those of the pile it came from, any card once it was refreshed."""
        return self.epochs[slot.origin.epoch - 1].cards if slot.origin else range(len(self.card_points))

    def drop(self, slot_id: SlotId) -> None:
        """The card of this slot has left its hand. Raises ValueError if it was in none."""
        slot = self.slot(slot_id)
        if not slot.ready or slot_id not in self._hands[slot.owner]:
            raise ValueError(f"slot {slot_id} is in no hand")
        self._hands[slot.owner].remove(slot_id)

    # --- private hands ---

    def hand_key(self, seat: Seat) -> Point:
        """The key point of a seat's hand: its deck key point of epoch 1, then that of its latest proven refresh."""
        for made in reversed(self.refreshes):
            if made.seat == seat and made.proven is not None:
                return made.claim.new_key
        return self.epochs[0].shuffles[seat].claim.new_key

    @property
    def unrefreshed(self) -> tuple[Seat, ...]:
        """The seats, ascending, whose hand holds a hidden card of which all know where it came from."""
        return tuple(
            seat
            for seat in range(self.seats)
            if seat not in self._surrendered
            and seat not in self._refreshing
            and any(self._slots[slot].origin for slot in self.hidden(seat))
        )

    def new_cards(self, seat: Seat) -> tuple[Slot, ...]:
        """The slots of hidden cards, ascending, that have to be brought under the hand key of a seat."""
        key = self.hand_key(seat)
        return tuple(slot for slot in map(self.slot, self.hidden(seat)) if slot.key != key)

    def add_refresh(self, seat: Seat, round_: int, head: bytes, refresh: Refresh) -> None:
        """Take the refresh of a seat, published in the round that began at ``head``. Raises `Invalid`.

        The new cards are checked; that the step is one is shown by `check_responses`, and nothing changes in the hand
        before `accept`.
        """
        if seat not in self.unrefreshed or self.awaited:
            raise ValueError(f"seat {seat} does not refresh its hand now")
        new = self.new_cards(seat)
        check_count("new cards", len(refresh.cards), len(new))
        points = {slot_id: self._slots[slot_id].point for slot_id in self.hidden(seat)}
        for slot, card in zip(new, refresh.cards, strict=True):
            points[slot.id] = self._decode(card.point)
            self._check(self.rekey_statement(seat, round_, head, slot, points[slot.id]), card.proof)
        rekeyed = tuple((slot, points[slot.id]) for slot in new)
        key, listed = self.hand_key(seat), tuple(points.values())
        claim = self._arrive(seat, round_, head, StepKind.REFRESH, listed, key, refresh.step)
        self._refreshing[seat] = len(self.refreshes)
        made = Refreshed(seat, round_, head, self.epoch.number, rekeyed, tuple(points), claim)
        self.refreshes.append(made)

    # --- a seat that leaves its seed ---

    def check_surrender(self, seat: Seat, secrets: Secrets) -> None:
        """Check that a seed gives every shuffle that its seat has published. Raises `Invalid`.

        For when the seed arrives; it changes nothing. The caller has checked the seed's commitment.
        """
        if seat in self._surrendered:
            raise ValueError(f"seat {seat} has handed over its seed before")
        for point in self.unchecked:  # from now on the deck itself multiplies them
            point.check()
        for epoch in self.epochs:
            made = epoch.shuffles.get(seat)
            if made is None:
                continue
            move = self.move(secrets, seat, epoch.number)
            if move.apply(made.claim.points, made.claim.key) != (made.claim.new_points, made.claim.new_key):
                raise Invalid(
                    Flaw.BAD_SEED, "the seed does not give the shuffle of epoch {epoch}", epoch=epoch.number
                )

    def surrender(self, seat: Seat, secrets: Secrets) -> None:
        """A seat has handed over its seed: from now on everybody takes its masks off in its place.

        It is awaited no more, and shuffles in no later epoch; with its seed, a shuffle that is still unproven is
        proven. A refresh that is still unproven is void: nobody needs its hand any more. Raises `Invalid` as
        `check_surrender` does.
        """
        self.check_surrender(seat, secrets)
        self._surrendered[seat] = secrets
        self._refreshing.pop(seat, None)
        if seat in self.unproven:
            self.accept(Proven(seat, self.epoch.shuffles[seat].round, (), ()))
        self._unmask_for_the_absent()

    def _unmask_for_the_absent(self) -> None:
        """Take off the masks of the seats that left their seeds, each when its turn has come and not before.

        Earlier, a point would change under the hands of a seat that is unmasking it in this very round.
        """
        for slot in self._slots[self._latest :]:
            while slot.awaiting and slot.awaiting[0] in self._surrendered:
                seat, *later = slot.awaiting
                scalar = self.move(self._surrendered[seat], seat, slot.epoch).scalar
                point = Multiplier(inverse(scalar)).mask(slot.point)
                slot = slot._replace(point=point, awaiting=tuple(later))
            self._slots[slot.id] = slot

    # --- what is derived and proven, the same for keeper and checker ---

    def step_context(self, seat: Seat, round_: int, head: bytes, kind: StepKind = StepKind.SHUFFLE) -> bytes:
        """What binds the shadows of a step to their place; 32 bytes."""
        return tagged_hash(kind, self.table_id, head, u32(round_), u32(seat), u32(self.epoch.number))

    def step_seeds(
        self, secrets: Secrets, epoch: int, head: bytes, kind: StepKind = StepKind.SHUFFLE
    ) -> tuple[bytes, tuple[bytes, ...]]:
        """The seeds of a seat's step and of its shadows; ``head`` is that of the round that publishes it."""
        return self._step_seed(secrets, epoch, head, kind), self.shadow_seeds(secrets, epoch, head, kind)

    def shadow_seeds(
        self, secrets: Secrets, epoch: int, head: bytes, kind: StepKind = StepKind.SHUFFLE
    ) -> tuple[bytes, ...]:
        """The seeds of the shadows of a seat's step."""
        return tuple(
            [
                secrets.derive(kind.shadow, context=self.table_id, epoch=epoch, index=index, head=head)
                for index in range(SHADOWS)
            ]
        )

    def _step_seed(self, secrets: Secrets, epoch: int, head: bytes, kind: StepKind) -> bytes:
        return secrets.derive(kind, context=self.table_id, epoch=epoch, head=head)

    def move(self, secrets: Secrets, seat: Seat, epoch: int) -> Move:
        """The move that a seat's secrets give for the shuffle that it published in an epoch."""
        made = self.epochs[epoch - 1].shuffles[seat]
        seed = self._step_seed(secrets, epoch, made.head, StepKind.SHUFFLE)
        return Move.from_seed(seed, len(made.claim.points))

    def refresh_move(self, secrets: Secrets, made: Refreshed) -> Move:
        """The move that a seat's secrets give for the step of a refresh that it published."""
        seed = self._step_seed(secrets, made.epoch, made.head, StepKind.REFRESH)
        return Move.from_seed(seed, len(made.slots))

    def unmask_statement(self, seat: Seat, round_: int, head: bytes, slot: Slot, after: Point) -> Statement:
        """That ``slot.point`` is the point ``after`` under the seat's deck key of that epoch."""
        key = self.epochs[slot.epoch - 1].shuffles[seat].claim.new_key
        return Statement(
            self.table_id, head, round_, seat, Purpose.UNMASK, slot.epoch, slot.id, None,
            base=after, result=slot.point, key=GENERATOR, new_key=key,
        )  # fmt: skip

    def rekey_statement(self, seat: Seat, round_: int, head: bytes, slot: Slot, after: Point) -> Statement:
        """That the point ``after`` is ``slot.point`` under the seat's hand key in place of the slot's."""
        return Statement(
            self.table_id, head, round_, seat, Purpose.REKEY, slot.epoch, slot.id, None,
            base=slot.point, result=after, key=slot.key, new_key=self.hand_key(seat),
        )  # fmt: skip

    def open_statement(self, seat: Seat, round_: int, head: bytes, slot: Slot, card: Card) -> Statement:
        """That ``slot.point`` is the point of ``card`` under the slot's key."""
        return Statement(
            self.table_id, head, round_, seat, Purpose.OPEN, slot.epoch, slot.id, card,
            base=self.card_points[card], result=slot.point, key=GENERATOR, new_key=slot.key,
        )  # fmt: skip

    def _decode(self, x: bytes) -> Point:
        """What a seat has sent as a point. Raises `Invalid`."""
        if self.proofs is Proofs.CHECK or self._surrendered:
            return Point.decode(x)
        self.unchecked.append(Point.claimed(x))
        return self.unchecked[-1]

    def _is_checked(self, seat: Seat) -> bool:
        return self.proofs is Proofs.CHECK and seat != self._vouched

    def _check(self, statement: Statement, proof: Equality) -> None:
        if self._is_checked(statement.seat):
            equality.verify(statement, proof)
        else:
            equality.check_form(proof)
