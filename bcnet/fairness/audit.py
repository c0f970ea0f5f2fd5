"""The deck again from all seeds: every shuffle, unmasking and refresh recomputed and compared with what was published.

Needs no proof and trusts none; given the seeds of all seats it also tells the order of every pile.
docs/protocol.md, section "Audit".

Everything is a multiple of a card's point or of the generator, and the audit knows which. So a point that it has
recomputed is never decoded: what comes of it is computed from where it came from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from bcnet.fairness import steps
from bcnet.fairness.deck import Card, Deck, Epoch, Opened, Refreshed, Seat, SlotId, StepKind
from bcnet.fairness.group import ORDER, Multiplier, Point, inverse, on_all_cores
from bcnet.fairness.steps import Claim, Move
from bcnet.secrets import Secrets


class Matter(StrEnum):
    """What a seat did that its seed does not give."""

    SHUFFLE = "shuffle"
    RESPONSES = "responses"
    UNMASK = "unmask"
    OPENING = "opening"
    REFRESH = "refresh"


@dataclass(frozen=True, slots=True)
class Difference:
    """Something published by ``seat`` in ``round`` that is not what its seed gives."""

    seat: Seat
    round: int
    matter: Matter
    epoch: int
    slot: SlotId | None = None


@dataclass(frozen=True, slots=True)
class Audit:
    """What the seeds tell.

    ``orders`` has for each epoch its cards, top of the pile first, or None where a seed is missing or a
    shuffle differs; ``faces`` the card that was dealt to every slot in the other epochs, ``held`` the
    card that is in a slot, or was when it left its hand, where it can be followed there. ``unaudited`` are the seats
    without a seed.
    """

    differences: tuple[Difference, ...]
    orders: tuple[tuple[Card, ...] | None, ...]
    faces: Mapping[SlotId, Card]
    held: Mapping[SlotId, Card]
    unaudited: tuple[Seat, ...]


def audit(deck: Deck, secrets: Mapping[Seat, Secrets]) -> Audit:
    """Compare all that the deck has seen with the seats' secrets.

    Differences are sorted by round and seat. Raises `Invalid` if a deck that leaves this to the audit has taken
    something for a point that is none (`Proofs.LEAVE_TO_AUDIT`), and nothing else, whatever the seats have published.
    """
    multiples = _Multiples()
    moves: dict[tuple[int, Seat], Move] = {}
    differences: list[Difference] = []
    orders: list[tuple[Card, ...] | None] = []
    for epoch in deck.epochs:
        for seat, made in epoch.shuffles.items():
            if seat not in secrets:
                continue
            move = deck.move(secrets[seat], seat, epoch.number)
            if not multiples.lead(move, made.claim):
                differences.append(Difference(seat, made.round, Matter.SHUFFLE, epoch.number))
                continue
            moves[epoch.number, seat] = move
            if made.proven is not None and made.proven.bits:
                shadows = deck.shadow_seeds(secrets[seat], epoch.number, made.head)
                if not steps.agree(move, shadows, made.proven.responses):
                    differences.append(Difference(seat, made.round, Matter.RESPONSES, epoch.number))
        orders.append(_order(deck, epoch, moves))
    differences += _unmaskings(deck, moves, multiples)
    faces = {
        slot: order[origin.position]
        for slot, origin in enumerate(deck.origins)
        if (order := orders[origin.epoch - 1]) is not None
    }
    hands = _Hands(deck, secrets, moves, faces, multiples)
    differences += hands.differences()
    multiples.check(deck.unchecked)
    differences.sort(key=lambda difference: (difference.round, difference.seat))
    unaudited = tuple(seat for seat in range(deck.seats) if seat not in secrets)
    return Audit(tuple(differences), tuple(orders), faces, hands.held, unaudited)


def _order(deck: Deck, epoch: Epoch, moves: Mapping[tuple[int, Seat], Move]) -> tuple[Card, ...] | None:
    order = epoch.cards
    for seat in epoch.shuffles:
        move = moves.get((epoch.number, seat))
        if move is None:
            return None
        order = tuple(order[index] for index in move.permutation)
    return order if deck.shuffler is None or epoch is not deck.epochs[-1] else None


class _Multiples:
    """Multiplies points, and knows of every result which point it began with and what that was multiplied by in all."""

    def __init__(self) -> None:
        self._origins: dict[Point, tuple[Point, int]] = {}
        self._results: dict[tuple[Point, int], Point] = {}
        self._multipliers: dict[
            int, Multiplier
        ] = {}  # few: all cards of a pile or a hand are under the same scalar

    def times(self, scalar: int, points: Sequence[Point]) -> list[Point]:
        """The points multiplied, in order. Raises `Invalid` for one that is none."""
        wanted: list[tuple[Point, int]] = []
        for point in points:
            origin, factor = self._origins.get(point, (point, 1))
            wanted.append((origin, factor * scalar % ORDER))
        missing = [each for each in wanted if each not in self._results]
        for _, total in missing:
            if total not in self._multipliers:
                self._multipliers[total] = Multiplier(total)
        for each, result in zip(missing, on_all_cores(self._multiple, missing), strict=True):
            self._results[each] = result
            self._origins[result] = each
        return [self._results[each] for each in wanted]

    def _multiple(self, wanted: tuple[Point, int]) -> Point:
        origin, total = wanted
        return self._multipliers[total].mask(origin)

    def lead(self, move: Move, claim: Claim) -> bool:
        """Whether the move leads to what a step claims."""
        before = [*(claim.points[index] for index in move.permutation), claim.key]
        return self.times(move.scalar, before) == [*claim.new_points, claim.new_key]

    def check(self, points: Iterable[Point]) -> None:
        """Check that all of these are points. Raises `Invalid`. What was computed here is one."""
        for point in points:
            if point not in self._origins:
                point.check()


def _unmaskings(
    deck: Deck, moves: Mapping[tuple[int, Seat], Move], multiples: _Multiples
) -> list[Difference]:
    groups: dict[tuple[int, Seat], list[int]] = {}
    for index, removal in enumerate(deck.removals):
        groups.setdefault((deck.origins[removal.slot].epoch, removal.seat), []).append(index)
    differences = []
    for (epoch, seat), indices in groups.items():
        if (epoch, seat) not in moves:
            continue
        removals = [deck.removals[index] for index in indices]
        found = multiples.times(inverse(moves[epoch, seat].scalar), [removal.before for removal in removals])
        differences += [
            Difference(seat, removal.round, Matter.UNMASK, epoch, removal.slot)
            for removal, point in zip(removals, found, strict=True)
            if point != removal.after
        ]
    return differences


class _Hands:
    """Refreshes and openings, in their order; ``held`` follows the cards from slot to slot as far as they are known."""

    def __init__(
        self,
        deck: Deck,
        secrets: Mapping[Seat, Secrets],
        moves: Mapping[tuple[int, Seat], Move],
        dealt: Mapping[SlotId, Card],
        multiples: _Multiples,
    ) -> None:
        self.held = dict(dealt)
        self._multiples = multiples
        self._deck = deck
        self._secrets = secrets
        # Of few scalars: all new cards of a seat are under its key of the epoch.
        self._inverse = cache(inverse)
        self._scalars = {
            (seat, deck.epochs[epoch - 1].shuffles[seat].claim.new_key): move.scalar
            for (epoch, seat), move in moves.items()
        }

    def differences(self) -> Iterator[Difference]:
        """All that the seeds do not give."""
        published: list[Refreshed | Opened] = [*self._deck.refreshes, *self._deck.openings]
        for made in sorted(published, key=lambda made: made.round):
            if isinstance(made, Refreshed):
                move, is_right = self._move(made)
                if not is_right:
                    yield Difference(made.seat, made.round, Matter.REFRESH, made.epoch)
                if made.proven is not None:
                    self._follow(made, move if is_right else None)
            elif self.held.get(made.slot, made.card) != made.card:
                epoch = self._deck.origins[made.slot].epoch
                yield Difference(made.seat, made.round, Matter.OPENING, epoch, made.slot)

    def _follow(self, made: Refreshed, move: Move | None) -> None:
        before = [self.held.pop(slot, None) for slot in made.slots]
        for slot, index in zip(made.slots, move.permutation if move else (), strict=False):
            if (card := before[index]) is not None:
                self.held[slot] = card

    def _move(self, made: Refreshed) -> tuple[Move | None, bool]:
        """The move of a refresh, None where it cannot be told, and whether all is as the seed gives it.

        Nothing can be told without a seed, nor after an earlier difference of the seat, which counts in its place.
        """
        deck, seat, claim = self._deck, made.seat, made.claim
        keys = [claim.key, *(slot.key for slot, _ in made.rekeyed)]
        if seat not in self._secrets or any((seat, key) not in self._scalars for key in keys):
            return None, True
        secrets, hand = self._secrets[seat], self._scalars[seat, claim.key]
        for slot, after in made.rekeyed:
            scalar = hand * self._inverse(self._scalars[seat, slot.key]) % ORDER
            if self._multiples.times(scalar, [slot.point]) != [after]:
                return None, False
        move = deck.refresh_move(secrets, made)
        if not self._multiples.lead(move, claim):
            return None, False
        if made.proven is not None:
            shadows = deck.shadow_seeds(secrets, made.epoch, made.head, StepKind.REFRESH)
            if not steps.agree(move, shadows, made.proven.responses):
                return None, False
        self._scalars[seat, claim.new_key] = hand * move.scalar % ORDER
        return move, True
