"""The curious opponent: an honest program that looks at all it gets, to find out when a played card was drawn.

It has all entries and its own seed. Before each move it writes down, for every hidden slot of the other's hand, from
which draw the card in it comes (each draw once); it follows the slots through the refreshes by the best guess that it
can make of each permutation. Then a card is played from a slot, and the guess is right or wrong.

The bound. Let n cards be hidden. If the permutations of the refreshes are uniform and independent of what the opponent
sees, the slot of the card that is played is uniform among the n whatever card it is and why it is played, so a guess
that was written down before is right with chance 1/n, whatever happened before. Over N moves from hands of n = 8 the
number of hits is then binomial (N, 1/8) exactly. The opponent has several ways to guess and counts the best of them: a
sound implementation would, were the fixed seeds drawn anew, have *one* of them beyond the bound once in a million at
most (``FALSE_ALARM``, divided among the ways).

Proofs are not computed here (`quick_proofs`): commitments to shadows are hashes of their seeds alone, and everything
else that is published is as ever.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

import pytest

from bcnet.fairness.audit import audit
from bcnet.fairness.deck import Deck, Opened, Refreshed, Seat, SlotId
from bcnet.fairness.group import Multiplier, decode_scalar
from bcnet.fairness.steps import Bridge, Move, ShadowSeed
from bcnet.games import registry
from bcnet.secrets import Secrets
from tests.fairness.chance import FALSE_ALARM
from tests.table.quick import quick_proofs
from tests.table.room import Room, secrets_of

HAND = 8
MOVES = 300

Guess = Callable[[Deck, Refreshed, Secrets], Sequence[int]]
"""From a refresh, all that was published with it and the opponent's own secrets: for each slot, which of the slots
before it guesses that the card came from."""


# --- ways to guess a permutation ---


def as_they_were(_deck: Deck, made: Refreshed, _own: Secrets) -> Sequence[int]:
    """Cards stay in their slots."""
    return range(len(made.slots))


def newest_first(_deck: Deck, made: Refreshed, _own: Secrets) -> Sequence[int]:
    """The last card goes to the first slot, the others move up."""
    return [len(made.slots) - 1, *range(len(made.slots) - 1)]


def in_order_of_points(_deck: Deck, made: Refreshed, _own: Secrets) -> Sequence[int]:
    """Points that were in order are in order again."""
    before = sorted(range(len(made.slots)), key=lambda place: made.claim.points[place].x)
    after = sorted(range(len(made.slots)), key=lambda place: made.claim.new_points[place].x)
    return [before[after.index(place)] for place in range(len(made.slots))]


def like_a_shadow(_deck: Deck, made: Refreshed, _own: Secrets) -> Sequence[int]:
    """The cards moved as those of a shadow that was shown."""
    return next(move for move in _shadows(made)).permutation


def like_a_bridge(_deck: Deck, made: Refreshed, _own: Secrets) -> Sequence[int]:
    """The cards moved back along a bridge that was shown."""
    bridge = next(_bridges(made)).permutation
    return [bridge.index(place) for place in range(len(made.slots))]


def like_my_own(deck: Deck, made: Refreshed, own: Secrets) -> Sequence[int]:
    """The other's seed is mine."""
    return deck.refresh_move(own, made).permutation


WAYS: Sequence[Guess] = (
    as_they_were,
    newest_first,
    in_order_of_points,
    like_a_shadow,
    like_a_bridge,
    like_my_own,
)


def _responses(made: Refreshed) -> Sequence[object]:
    assert made.proven is not None
    return made.proven.responses


def _shadows(made: Refreshed) -> Iterator[Move]:
    for response in _responses(made):
        if isinstance(response, ShadowSeed):
            yield Move.from_seed(response.seed, len(made.slots))


def _bridges(made: Refreshed) -> Iterator[Move]:
    for response in _responses(made):
        if isinstance(response, Bridge):
            yield Move(decode_scalar(response.scalar), tuple(response.permutation))


# --- hits ---


def hits(deck: Deck, seat: Seat, truth: dict[int, SlotId], own: Secrets, guess: Guess) -> Iterator[bool]:
    """For each card that ``seat`` played from eight hidden ones, in order, whether the draw was guessed.

    ``truth`` has the draws by the rounds of the openings; a draw is known by the slot that it was dealt to.
    """
    dealt = {removal.slot: removal.round for removal in deck.removals}
    mine = [slot.id for slot in deck.slots if slot.owner == seat]
    drawn: dict[SlotId, SlotId] = {}
    steps: list[tuple[int, int, int | Refreshed | Opened]] = sorted(
        [
            *((round_, 0, slot) for slot, round_ in dealt.items() if slot in mine),
            *((made.round, 1, made) for made in deck.refreshes if made.seat == seat and made.proven),
            *((opened.round, 2, opened) for opened in deck.openings if opened.seat == seat),
        ],
        key=lambda step: step[:2],
    )
    opened_in = [opened.round for opened in deck.openings]
    for round_, _, step in steps:
        if isinstance(step, int):
            drawn[step] = step
        elif isinstance(step, Refreshed):
            before = [drawn[slot] for slot in step.slots]
            sources = guess(deck, step, own)
            drawn |= {slot: before[source] for slot, source in zip(step.slots, sources, strict=True)}
        else:
            if len(drawn) == HAND and opened_in.count(round_) == 1:
                yield drawn[step.slot] == truth[round_]
            del drawn[step.slot]


def draws(deck: Deck, secrets: dict[Seat, Secrets]) -> dict[int, SlotId]:
    """By the round in which a single card was opened: the slot that it had been dealt to, as the seeds tell."""
    faces = audit(deck, secrets).faces
    dealt = {removal.slot: removal.round for removal in deck.removals}
    return {
        opened.round: max(
            slot
            for slot, face in faces.items()
            if face == opened.card and deck.slot(slot).owner == opened.seat and dealt[slot] < opened.round
        )
        for opened in deck.openings
    }


def finished(seed: int, *, private_hands: bool) -> Deck:
    """The public deck of a whole game."""
    with quick_proofs():
        room = Room.of(registry.get("balloon-cup"), seed=seed, private_hands=private_hands)
        room.play()
    deck = room.players[0].table.course.deck
    assert deck is not None
    return deck


def watched(*, private_hands: bool, moves: int) -> dict[str, list[bool]]:
    """Each way's hits over the first so many moves, of as many games as it takes; each seat looks at the other."""
    found: dict[str, list[bool]] = {guess.__name__: [] for guess in WAYS}
    seed = 0
    while min(map(len, found.values())) < moves:
        deck = finished(seed, private_hands=private_hands)
        secrets = {seat: secrets_of(seat, seed) for seat in (0, 1)}
        truth = draws(deck, secrets)
        for guess in WAYS:
            for seat in (0, 1):
                found[guess.__name__] += hits(deck, seat, truth, secrets[1 - seat], guess)
        seed += 1
    return {name: each[:moves] for name, each in found.items()}


def chance_of(count: int, moves: int) -> float:
    """The chance of so many hits or more, if each has the chance 1/8."""
    return sum(
        math.comb(moves, k) * (1 / HAND) ** k * (1 - 1 / HAND) ** (moves - k) for k in range(count, moves + 1)
    )


def test_no_guess_is_better_than_chance() -> None:
    for name, each in watched(private_hands=True, moves=MOVES).items():
        assert chance_of(sum(each), MOVES) > FALSE_ALARM / len(WAYS), f"{name}: {sum(each)} of {MOVES}"


def test_no_scalar_that_was_shown_leads_from_a_hand_to_the_next() -> None:
    """With the scalar of a step in hand, all points could be told apart: no shadow and no bridge gives it away."""
    deck = finished(0, private_hands=True)
    assert len(deck.refreshes) > 50
    for made in deck.refreshes[:20]:
        for move in (*_shadows(made), *_bridges(made)):
            assert Multiplier(move.scalar).mask(made.claim.key) != made.claim.new_key


def test_without_private_hands_every_guess_is_right() -> None:
    for each in watched(private_hands=False, moves=60).values():
        assert all(each)
    assert chance_of(60, 60) < FALSE_ALARM / len(WAYS)


@pytest.mark.parametrize(
    ("order", "way"), [(range(HAND), as_they_were), ([HAND - 1, *range(HAND - 1)], newest_first)]
)
def test_a_program_that_does_not_mix_is_seen_through(
    monkeypatch: pytest.MonkeyPatch, order: Sequence[int], way: Guess
) -> None:
    """The twin: new keys, true proofs, and always the same permutation."""
    moves = 60
    from_seed = Move.from_seed

    class Unmixed(Move):
        @classmethod
        def from_seed(cls, seed: bytes, count: int) -> Move:
            move = from_seed(seed, count)
            return Move(move.scalar, tuple(order)) if count == HAND else move

    for module in ("bcnet.fairness.deck", "bcnet.fairness.steps", "tests.table.quick"):
        monkeypatch.setattr(f"{module}.Move", Unmixed)
    found = watched(private_hands=True, moves=moves)[way.__name__]
    assert chance_of(sum(found), moves) < FALSE_ALARM / len(WAYS)
