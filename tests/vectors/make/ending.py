"""Transcripts whose fault shows at the end, when the seeds are revealed: wrong seeds, and what the audit finds.

What the audit finds is either something that no proof shows (a right shuffle from another seed), or a false proof
that the other seat has let pass; an honest program lets none pass, so those games are written by two dishonest ones.
"""

from __future__ import annotations

from collections.abc import Iterator

from bcnet.fairness import equality, steps
from bcnet.fairness.errors import Flaw
from bcnet.fairness.group import GENERATOR, Multiplier, inverse
from bcnet.games.balloon_cup.material import CARDS
from bcnet.games.balloon_cup.notation import write_card
from bcnet.table.faults import FaultKind
from bcnet.table.payloads import write_equality, write_responses, write_shuffle
from bcnet.table.rounds import Kind
from bcnet.wire.v1 import log_pb2 as pb
from tests.vectors.make.case import Case, cheated, clean, incomplete
from tests.vectors.make.playing import opening, place_for
from tests.vectors.make.scribe import GUEST, HOST, Scribe, fixed


def cases() -> Iterator[Case]:
    yield from _resigned()
    yield from _chain()
    yield from _deck_of_other_seed()
    yield from _shadows_of_other_seed()
    yield from _unmasked_wrongly()
    yield from _opened_wrongly()
    yield from _proof_that_nobody_needs()


def _resigned() -> Iterator[Case]:
    scribe = Scribe("resigned").play(lambda s: s.kind is Kind.SHUFFLE)
    scribe.say(HOST, scribe.body(HOST, Kind.RESIGN, pb.Resign()))
    round_ = scribe.round
    yield incomplete(
        "reveal", "the game is over, no seed is revealed", scribe.entries, round_, Kind.REVEAL, [HOST, GUEST]
    )

    def revealed(seed: bytes) -> list[bytes]:
        return [*scribe.entries, scribe.entry(HOST, scribe.body(HOST, Kind.REVEAL, pb.Reveal(seed=seed)))]

    yield cheated(
        "made-up", "a seed that was not committed to", revealed(fixed("seed")), HOST, round_, FaultKind.SEED
    )
    yield cheated("short", "a seed of 31 bytes", revealed(bytes(31)), HOST, round_, FaultKind.SEED)
    yield cheated(
        "of-guest",
        "the other seat's seed",
        revealed(scribe.secrets[GUEST].seed),
        HOST,
        round_,
        FaultKind.SEED,
    )
    resign = scribe.entry(HOST, scribe.body(HOST, Kind.RESIGN, pb.Resign()))
    yield cheated(
        "resigns-too-late",
        "nobody can resign when seeds are due",
        [*scribe.entries, resign],
        HOST,
        round_,
        FaultKind.WRONG_KIND,
    )
    note = scribe.body(HOST, Kind.NOTE, scribe.note(GUEST))
    yield cheated(
        "carries-too-late",
        "nobody can resign by a note when seeds are due",
        [*scribe.entries, scribe.entry(HOST, note)],
        HOST,
        round_,
        FaultKind.WRONG_KIND,
    )
    scribe.say(HOST)
    yield incomplete("last-seed", "one seed of two", scribe.entries, round_, Kind.REVEAL, [GUEST])
    scribe.say(GUEST)
    yield clean(
        "resigned-at-once",
        "the host resigned in place of its shuffle: the shortest game",
        scribe.entries,
        scribe.result,
    )
    more = scribe.body(HOST, Kind.REVEAL, pb.Reveal(seed=scribe.secrets[HOST].seed))
    yield cheated(
        "after-the-end",
        "a seat speaks when all has been said, on the last head",
        [*scribe.entries, scribe.entry(HOST, more)],
        HOST,
        scribe.round,
        FaultKind.NOT_AWAITED,
    )

    both = Scribe("both resigned").play(lambda s: s.kind is Kind.SHARE)
    both.say(HOST, both.body(HOST, Kind.RESIGN, pb.Resign()))
    both.resign(GUEST)
    yield clean("both-resigned", "both resigned in one round: drawn", both.entries, both.result)

    mover = Scribe("mover resigned").play(lambda s: s.kind is Kind.ACT)
    mover.resign(mover.awaited[0])
    yield clean(
        "resigned-on-turn",
        "the seat on turn resigned before the first card was played",
        mover.entries,
        mover.result,
    )


def _chain() -> Iterator[Case]:
    scribe = Scribe("other chain", lies={("chain", GUEST): fixed("other seed")}, blind=True)
    scribe.play(lambda s: s.kind is Kind.RESPONSES).resign(HOST)
    yield cheated(
        "", "a chain that the revealed seed does not give", scribe.entries, GUEST, 2, FaultKind.AUDIT_CHAIN
    )


def _deck_of_other_seed() -> Iterator[Case]:
    scribe = Scribe("other deck", lies={("deck", GUEST): fixed("other seed")}, blind=True)
    scribe.play(lambda s: s.kind is Kind.ACT)
    seat = scribe.awaited[0]
    scribe.say(seat, scribe.body(seat, Kind.RESIGN, pb.Resign()))
    scribe.play(lambda s: s.awaited == (GUEST,))
    yield incomplete(
        "seed-of-cheat",
        "as audit-shuffle-other-seed, but the seed that would show it is not revealed",
        scribe.entries,
        scribe.round,
        Kind.REVEAL,
        [GUEST],
    )
    before = scribe.entries[:-1]
    scribe.say(GUEST)
    yield cheated(
        "other-seed",
        "a right shuffle, rightly proven, that the revealed seed does not give",
        scribe.entries,
        GUEST,
        4,
        FaultKind.AUDIT_SHUFFLE,
    )
    yield cheated(
        "other-seed-one-seed",
        "the same, without the other seat's seed",
        [*before, scribe.entries[-1]],
        GUEST,
        4,
        FaultKind.AUDIT_SHUFFLE,
    )


def _shadows_of_other_seed() -> Iterator[Case]:
    scribe = Scribe("other shadows", blind=True).play(lambda s: s.kind is Kind.SHUFFLE)
    deck, here = scribe.course.deck, scribe.table.log.open
    assert deck is not None
    step, _ = deck.step_seeds(scribe.secrets[HOST], 1, here.head)
    shadows = [fixed("shadow", index) for index in range(steps.SHADOWS)]
    published = steps.publish(
        deck.step_context(HOST, here.number, here.head), step, shadows, deck.epoch.points, GENERATOR
    )
    scribe.say(HOST, scribe.body(HOST, Kind.SHUFFLE, write_shuffle(published)))
    scribe.play(lambda s: s.kind is Kind.RESPONSES)
    answers = steps.respond(step, shadows, CARDS, scribe.course.challenges[HOST])
    scribe.say(HOST, scribe.body(HOST, Kind.RESPONSES, write_responses(answers)))
    scribe.resign(GUEST)
    yield cheated(
        "other-shadows",
        "the shuffle that the seed gives, with shadows that it does not give",
        scribe.entries,
        HOST,
        3,
        FaultKind.AUDIT_SHUFFLE,
    )


def _unmasked_wrongly() -> Iterator[Case]:
    scribe = Scribe("unmasked wrongly", blind=True).play(lambda s: s.kind is Kind.UNMASK)
    body = scribe.honest(HOST)
    _replace(scribe, body, add=1)
    round_ = scribe.round
    scribe.say(HOST, body)
    scribe.resign(GUEST)
    yield cheated(
        "",
        "a mask of another key taken off, which the other seat let pass",
        scribe.entries,
        HOST,
        round_,
        FaultKind.AUDIT_UNMASK,
    )


def _replace(scribe: Scribe, body: pb.Body, add: int) -> None:
    """Let the host unmask its first pending slot with its key + ``add``, and prove that key, not its own."""
    deck, here = scribe.course.deck, scribe.table.log.open
    assert deck is not None
    slot = deck.slot(deck.pending(HOST)[0])
    scalar = deck.move(scribe.secrets[HOST], HOST, slot.epoch).scalar
    after = Multiplier(inverse(scalar + add)).mask(slot.point)
    statement = deck.unmask_statement(HOST, here.number, here.head, slot, after)
    proof = equality.prove(scribe.secrets[HOST], statement, scalar + 1)
    body.unmask.cards[0].point = after.x
    body.unmask.cards[0].proof.CopyFrom(write_equality(proof))


def _opened_wrongly() -> Iterator[Case]:
    scribe = Scribe("opened wrongly").play(lambda s: s.kind is Kind.ACT)
    seat, round_ = scribe.awaited[0], scribe.round
    honest = scribe.honest(seat).act
    own = scribe.seats[seat].view().hand(seat).known
    card = next(c for c in range(CARDS) if c not in own and place_for(scribe, c))
    lie = opening(scribe, seat, honest.openings[0].slot, card)
    body = scribe.body(
        seat, Kind.ACT, pb.Act(action=f"play {write_card(card)} {place_for(scribe, card)}", openings=[lie])
    )
    scribe.blind = True
    scribe.say(seat, body)
    scribe.resign(1 - seat)
    yield cheated(
        "",
        "a card that is not in the slot, which the other seat let pass",
        scribe.entries,
        seat,
        round_,
        FaultKind.AUDIT_OPENING,
    )


def _proof_that_nobody_needs() -> Iterator[Case]:
    scribe = Scribe("useless proof", blind=True).play(lambda s: s.kind is Kind.UNMASK)
    body = scribe.honest(HOST)
    _replace(scribe, body, add=0)
    round_ = scribe.round
    scribe.say(HOST, body)
    entries = list(scribe.entries)
    yield cheated(
        "proof-alone",
        "the right point with a proof that does not hold, at the end of the file",
        entries,
        HOST,
        round_,
        FaultKind.UNMASK,
        Flaw.BAD_EQUALITY,
    )
    scribe.resign(GUEST)
    yield clean(
        "false-proof-audited",
        "the same in a complete log: the other seat let it pass, and the audit finds the point right",
        scribe.entries,
        scribe.result,
    )
