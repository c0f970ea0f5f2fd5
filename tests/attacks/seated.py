"""Cheats at tables of three to five in what two seats have not, or have otherwise: choices in secret, and the deck.

The one list of them: tests go through it; the table in docs/threats.md is made from it (``python -m tests.cheaters``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bcnet.table.faults import FaultKind
from bcnet.table.payloads import Payload
from bcnet.table.rounds import Kind
from bcnet.verify import Verdict
from bcnet.wire.v1 import log_pb2 as pb
from tests.attacks import attackers, refreshers
from tests.attacks.attackers import heard
from tests.attacks.cheats import ATTACKS, Attack, Cheat, Cheater, Says, Silent, body_of

assert attackers.__doc__  # what is known stands in ATTACKS when these are imported
assert refreshers.__doc__


# --- choices in secret ---


class LastWord(Cheat):
    """Sees all the others' openings, and then opens something else than it has sealed."""

    def waits(self, me: Cheater, kind: Kind) -> bool:
        return kind is Kind.UNSEAL

    def payload(self, me: Cheater, payload: Payload) -> Payload | None:
        if payload.kind is not Kind.UNSEAL:
            return payload
        state, game = me.table.course.state, me.table.course.game
        assert game is not None
        legal = [game.write(action) for action in state.legal_actions(me.number)]
        other = next(text for text in legal if text != payload.message.choice)  # type: ignore[attr-defined]
        return Payload(Kind.UNSEAL, pb.Unseal(choice=other, salt=payload.message.salt))  # type: ignore[attr-defined]


class CopiesASeal(Cheat):
    """Waits for the others' commitments, says the first seat's as its own, and opens it as that seat does."""

    def waits(self, me: Cheater, kind: Kind) -> bool:
        return kind in (Kind.SEAL, Kind.UNSEAL)

    def payload(self, me: Cheater, payload: Payload) -> Payload | None:
        return Payload(Kind.SEAL, heard(me, "seal").seal) if payload.kind is Kind.SEAL else payload

    def improvise(self, me: Cheater, kind: Kind) -> Payload | None:
        return Payload(Kind.UNSEAL, heard(me, "unseal").unseal)


class SealsTwice(Says):
    """Seals two choices, to open later the one that it likes."""

    def __init__(self) -> None:
        def say(me: Cheater, data: bytes) -> list[bytes]:
            body = body_of(data)
            body.seal.commitment = bytes(range(32))
            return [data, me.sign(body)]

        super().__init__(Kind.SEAL, say)


class RefusesLast(Silent):
    """Sees all the others' openings, and says nothing more."""

    def __init__(self) -> None:
        super().__init__(Kind.UNSEAL)

    def waits(self, me: Cheater, kind: Kind) -> bool:
        return kind is Kind.UNSEAL


class Leaves(LastWord):
    """Sees all the others' openings, and resigns in place of its own: the others choose anew."""

    def payload(self, me: Cheater, payload: Payload) -> Payload | None:
        return Payload(Kind.RESIGN, me.seat.resignation()) if payload.kind is Kind.UNSEAL else payload


# --- the list ---


@dataclass(frozen=True)
class SeatedCheat:
    """A cheat with a name, and what becomes of it at a table for three to five, on the side of each honest seat."""

    name: str
    layer: str
    does: str
    make: Callable[[], Cheat]
    caught: str
    """When."""
    verdict: Verdict
    """What ``bcnet verify`` says of each honest seat's file, and of all of them."""
    fault: FaultKind | None = None
    """What the cheater is convicted of; None where nobody is named."""


def _secret(
    name: str, make: type[Cheat], caught: str, verdict: Verdict, fault: FaultKind | None = None
) -> SeatedCheat:
    return SeatedCheat(name, "sealed choices", make.__doc__ or "", make, caught, verdict, fault)


SECRET = (
    _secret("last-word", LastWord, "at once", Verdict.CHEATED, FaultKind.SEALED_CHOICE),
    _secret("seal-of-another", CopiesASeal, "at once", Verdict.CHEATED, FaultKind.SEALED_CHOICE),
    _secret("two-choices-sealed", SealsTwice, "at once", Verdict.CHEATED, FaultKind.EQUIVOCATION),
    _secret("opening-refused", RefusesLast, "not caught", Verdict.INCOMPLETE),
    _secret("resignation-in-place-of-the-opening", Leaves, "harmless", Verdict.CLEAN),
)

CASES = (
    ("unmasking-with-another-key", 1, 3),
    ("unmasking-with-another-key", 2, 3),  # as the second to take its mask off
    ("unmasking-with-another-key", 2, 5),
    ("two-positions-swapped", 2, 3),
    ("swapped-after-the-shadows", 1, 3),
    ("swapped-after-the-shadows", 1, 5),
    ("doubled-card", 1, 3),
    ("one-response-less", 1, 3),
    ("card-that-is-not-held", 1, 3),
    ("card-that-is-not-held", 1, 5),
    ("card-of-no-deck", 1, 3),
    ("card-swapped-in", 1, 3),
    ("card-swapped-in", 1, 5),
    ("new-card-twice", 1, 3),
)
"""With the deck: the attacker of `ATTACKS`, which of its chances it takes, and at a table for how many."""


def known(name: str) -> Attack:
    """One of the attackers that are known from tables of two."""
    return next(attack for attack in ATTACKS if attack.name == name)


def _with_the_deck(name: str) -> SeatedCheat:
    attack = known(name)
    # a proof that leads nowhere comes when the challenge is known, where the step itself was well made
    caught = (
        "at the challenge" if attack.found is Kind.RESPONSES and name != "one-response-less" else "at once"
    )
    return SeatedCheat(name, "deck", attack.does, attack.cheat, caught, Verdict.CHEATED, attack.fault)


DECK = tuple(map(_with_the_deck, dict.fromkeys(name for name, _, _ in CASES)))
SEATED = (*SECRET, *DECK)
