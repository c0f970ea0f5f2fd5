"""Dishonest programs: what a seat could publish in place of an honest shuffle, with all the effort that
helps.

A cheat that wants to get past the challenge has to guess its bits. For a shadow that it expects to be asked
bit 0 it makes an honest one from (X, K); for bit 1 it works backwards from its false (Y, K'). Each shadow
answers the bit that was guessed and no other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bcnet.fairness import equality
from bcnet.fairness.deck import Deck, Rekeyed, Seat
from bcnet.fairness.group import GENERATOR, ORDER, Multiplier, Point, encode_scalar, inverse
from bcnet.fairness.keeper import DeckKeeper
from bcnet.fairness.steps import SHADOWS, Bridge, Move, Published, Response, ShadowSeed, shadow_commitment
from tests.fairness.joint import some_bytes


@dataclass(frozen=True)
class FalseShuffle:
    """A shuffle that is none, with shadows made for the challenge bits that were guessed."""

    published: Published
    guess: tuple[int, ...]
    answers: tuple[Response, ...]

    def respond(self, bits: Sequence[int]) -> tuple[Response, ...]:
        """The best answers there are: of the kind that is asked for, right where the guess was."""
        return tuple(
            answer if bit == guessed else self._stuck(bit)
            for answer, bit, guessed in zip(self.answers, bits, self.guess, strict=True)
        )

    def _stuck(self, bit: int) -> Response:
        count = len(self.published.points)
        return Bridge(encode_scalar(7), bytes(range(count))) if bit else ShadowSeed(some_bytes("any seed"))


def false_shuffle(
    deck: Deck,
    seat: Seat,
    round_: int,
    head: bytes,
    points: Sequence[Point],
    key: Point,
    guess: Sequence[int],
) -> FalseShuffle:
    """Publish ``points`` and ``key`` for the deck's next shuffle, whatever they are."""
    context = deck.step_context(seat, round_, head)
    shadows: list[bytes] = []
    answers: list[Response] = []
    for index, bit in enumerate(guess):
        seed = some_bytes("shadow", head, index)
        move = Move.from_seed(seed, len(points))
        start = (points, key) if bit else (deck.epoch.points, GENERATOR)
        shadows.append(shadow_commitment(context, *move.apply(*start)))
        answers.append(
            Bridge(encode_scalar(move.scalar), bytes(move.permutation)) if bit else ShadowSeed(seed)
        )
    published = Published(tuple(point.x for point in points), key.x, tuple(shadows))
    return FalseShuffle(published, tuple(guess), tuple(answers))


def honest_move(deck: Deck, name: str = "cheat") -> tuple[list[Point], Point, Multiplier]:
    """A true shuffle of the deck's next list, to be spoilt: points, key point and the multiplier."""
    move = Move.from_seed(some_bytes(name), len(deck.epoch.points))
    points, key = move.apply(deck.epoch.points, GENERATOR)
    return list(points), key, Multiplier(move.scalar)


ALTERNATELY = tuple(index % 2 for index in range(SHADOWS))
"""A guess like any other."""


def false_card(
    keeper: DeckKeeper, round_: int, head: bytes, *, factor: int = 1, place: tuple[int, bytes] | None = None
) -> Rekeyed:
    """The first new card of a hand, under ``factor`` times its hand key, with the best proof there is; ``place`` is
    the round and head that the proof names, where they are others than those of the refresh."""
    deck, seat = keeper._deck, keeper._seat
    slot = deck.new_cards(seat)[0]
    right = keeper._scalar(deck.hand_key(seat)) * inverse(keeper._scalar(slot.key))
    scalar = right * factor % ORDER
    after = Multiplier(scalar).mask(slot.point)
    statement = deck.rekey_statement(seat, *(place or (round_, head)), slot, after)
    return Rekeyed(after.x, equality.prove(keeper._secrets, statement, scalar))
