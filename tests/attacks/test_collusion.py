"""What shows only in the end: two programs that let each other's lies pass, and lies that no proof can show.

Whoever plays honestly checks every proof. But two cheaters may play for a third person (a tournament, a bet), and
some rules bind only the seed. All of that the audit of the revealed seeds finds, in anybody's hands.
"""

from __future__ import annotations

import pytest

from bcnet.fairness import steps
from bcnet.fairness.beacon import Chain
from bcnet.fairness.group import GENERATOR
from bcnet.games.interface import Game
from bcnet.hashing import tagged_hash
from bcnet.secrets import Secrets
from bcnet.table.faults import FaultKind
from bcnet.table.payloads import Payload, write_responses, write_shuffle
from bcnet.table.rounds import Kind
from bcnet.verify import Report, Verdict, verify
from bcnet.wire.v1 import log_pb2 as pb
from tests.attacks import attackers, refreshers
from tests.attacks.arena import Arena, arena_with, check_not_convicted
from tests.attacks.cheats import Cheat, Cheater, OwnOrder, Spoil, Spoiler, cheater
from tests.table.room import lookup
from tests.toy import ShortToy, Toy


def colluding(cheat: Cheat, seat: int = 1, game: Game | None = None, *, private_hands: bool = False) -> Arena:
    """A room of two programs that check no proof, one of which cheats."""
    seated = {seat: cheater(cheat), 1 - seat: cheater(Cheat())}
    return Arena.of(game or ShortToy(), seated=seated, private_hands=private_hands)


def audited(arena: Arena, cheat: int, kind: FaultKind) -> Report:
    """The game has come to its end; both files are the same, and convict the cheater, whoever reads them."""
    arena.play()
    assert arena.complete
    assert not arena.noise
    assert arena.file(0) == arena.file(1)
    report = verify(arena.file(0), games=lookup)
    assert report.verdict is Verdict.CHEATED, report.message
    assert report.fault is not None
    assert (report.fault.seat, report.fault.kind) == (cheat, kind), report.message
    assert set(report.fault.evidence) <= set(arena.file(0))
    assert len(report.fault.evidence) == 2  # what was published, and the seed that does not give it
    return report


# --- against an honest seat: what no proof shows ---


@pytest.mark.parametrize("seat", [0, 1])
def test_a_shuffle_that_is_not_the_seed_s(seat: int) -> None:
    """Tries many orders of the deck, each as random as the other, and takes the one it likes. All of it is proven."""
    audited(arena_with(OwnOrder(), seat), seat, FaultKind.AUDIT_SHUFFLE)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_refresh_that_is_not_the_seed_s(seat: int) -> None:
    """Moves its cards in another order than its seed says. All of it is proven; what it plays is right."""
    arena = arena_with(OwnOrder(Kind.REFRESH), seat, private_hands=True)
    audited(arena, seat, FaultKind.AUDIT_REFRESH)


class OwnShadows(Cheat):
    """Draws the shadows from somewhere else than its seed."""

    def seeds(self, me: Cheater) -> list[bytes]:
        secret = me.seat.secrets.seed
        return [tagged_hash("test-shadow", secret, bytes([index])) for index in range(steps.SHADOWS)]

    def payload(self, me: Cheater, payload: Payload) -> Payload | None:
        deck = me.table.course.deck
        if deck is None or payload.kind not in (Kind.SHUFFLE, Kind.RESPONSES):
            return payload
        here = me.table.log.open
        if payload.kind is Kind.SHUFFLE:
            step, _ = deck.step_seeds(me.seat.secrets, deck.epoch.number, here.head)
            context = deck.step_context(me.number, here.number, here.head)
            made = steps.publish(context, step, self.seeds(me), deck.epoch.points, GENERATOR)
            return Payload(payload.kind, write_shuffle(made))
        made_in = deck.epoch.shuffles[me.number]
        step, _ = deck.step_seeds(me.seat.secrets, deck.epoch.number, made_in.head)
        bits = me.table.course.challenges[me.number]
        answers = steps.respond(step, self.seeds(me), len(made_in.claim.points), bits)
        return Payload(payload.kind, write_responses(answers))


def test_shadows_that_are_not_the_seed_s() -> None:
    """A weak random source of its own for the shadows: the shuffle is right, and still not as it must be."""
    audited(arena_with(OwnShadows()), 1, FaultKind.AUDIT_SHUFFLE)


class OwnChain(Cheat):
    """Has chosen its chain after it saw the other's tip, from another seed than the one it committed to."""

    def payload(self, me: Cheater, payload: Payload) -> Payload | None:
        if payload.kind is Kind.READY:
            other = Secrets(bytes(byte ^ 0xFF for byte in me.seat.secrets.seed))
            me.seat._chain = Chain(other, me.table.course.table_id, me.number, me.identity.public)
            return Payload(Kind.READY, pb.Ready(tip=me.seat._chain.tip))
        return payload


@pytest.mark.parametrize("seat", [0, 1])
def test_a_chain_that_is_not_the_seed_s(seat: int) -> None:
    report = audited(arena_with(OwnChain(), seat), seat, FaultKind.AUDIT_CHAIN)
    assert report.fault is not None
    assert report.fault.round == 2


# --- against nobody who would check ---


def bottom_card_marked(me: Cheater, shuffle: pb.Shuffle) -> None:
    """Masks the bottom card, which nobody will draw, with a second multiplier."""
    shuffle.points[-1] = attackers.times(7, shuffle.points[-1])


def bottom_card_doubled(me: Cheater, shuffle: pb.Shuffle) -> None:
    """Puts the top card at the bottom as well, under another multiplier."""
    shuffle.points[-1] = attackers.times(7, shuffle.points[0])


@pytest.mark.parametrize("spoil", [bottom_card_marked, bottom_card_doubled])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_false_shuffle_that_nobody_asks_to_prove(seat: int, spoil: object) -> None:
    assert callable(spoil)
    audited(colluding(Spoiler(Kind.SHUFFLE, spoil), seat, Toy()), seat, FaultKind.AUDIT_SHUFFLE)


def test_an_honest_seat_would_have_found_it() -> None:
    """The same against a program that checks: not a card is dealt."""
    arena = arena_with(Spoiler(Kind.SHUFFLE, bottom_card_marked), game=Toy())
    arena.play()
    assert arena.players[0].table.fault is not None
    assert arena.players[0].table.fault.kind is FaultKind.RESPONSES
    assert arena.players[0].table.course.deck is not None
    assert not arena.players[0].table.course.deck.slots


@pytest.mark.parametrize("seat", [0, 1])
def test_cards_dealt_in_another_order(seat: int) -> None:
    arena = colluding(Spoiler(Kind.UNMASK, attackers.two_positions_swapped), seat)
    audited(arena, seat, FaultKind.AUDIT_UNMASK)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_card_that_was_never_dealt(seat: int) -> None:
    """Plays a card that it does not hold, and the other lets it pass."""
    arena = colluding(Spoiler(Kind.ACT, attackers.card_that_is_not_held), seat, Toy())
    audited(arena, seat, FaultKind.AUDIT_OPENING)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    "lie",
    [refreshers.card_doubled_in_the_hand, refreshers.new_card_under_another_key],
    ids=lambda lie: lie.__name__,
)
def test_a_false_refresh_that_nobody_checks(lie: Spoil, seat: int) -> None:
    arena = colluding(Spoiler(Kind.REFRESH, lie, 2), seat, Toy(), private_hands=True)
    audited(arena, seat, FaultKind.AUDIT_REFRESH)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_card_that_is_not_in_a_refreshed_slot(seat: int) -> None:
    """The audit follows the cards through every refresh: it knows what the slot held when it was opened."""
    lie = Spoiler(Kind.ACT, attackers.card_that_is_not_held, 2)
    audited(colluding(lie, seat, Toy(), private_hands=True), seat, FaultKind.AUDIT_OPENING)


@pytest.mark.parametrize("seat", [0, 1])
def test_the_first_lie_counts(seat: int) -> None:
    """Both cheat: the earlier lie is named."""
    lies = {seat: Spoiler(Kind.ACT, attackers.card_that_is_not_held), 1 - seat: OwnChain()}
    arena = Arena.of(Toy(), seated={who: cheater(lie) for who, lie in lies.items()})
    audited(arena, 1 - seat, FaultKind.AUDIT_CHAIN)


# --- never clean without an audit ---


def garbage_proof(me: Cheater, unmask: pb.Unmask) -> None:
    """Takes the right masks off, and proves it with garbage."""
    for card in unmask.cards:
        card.proof.first, card.proof.second = bytes(31) + b"\x05", bytes(31) + b"\x06"


def test_a_proof_that_nobody_checked_is_said_to_be_unchecked() -> None:
    """Two programs that send no true proofs play a fair game: the audit says so, and says what it did not look at."""
    arena = colluding(Spoiler(Kind.UNMASK, garbage_proof, nth=0))
    arena.play()
    report = verify(arena.file(0), games=lookup)
    assert report.verdict is Verdict.CLEAN
    assert not report.proofs_checked
    assert [each.what for each in report.unchecked] == ["proofs"]


@pytest.mark.parametrize("missing", [1, 2])
def test_no_audit_no_clean(missing: int) -> None:
    """Without one seed the proofs are checked after all, and the lie in them is found."""
    arena = colluding(Spoiler(Kind.UNMASK, garbage_proof, nth=0))
    arena.play()
    report = verify(arena.file(0)[:-missing], games=lookup)
    assert report.verdict is Verdict.CHEATED
    assert report.proofs_checked
    check_not_convicted(report, 0)
