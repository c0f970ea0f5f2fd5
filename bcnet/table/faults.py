"""What an honest program never sends, and how it is said.

Inside the table a wrong statement is raised as a `Violation`: a local error that knows the kind and the reason. Only
the receiving boundary (``Table.receive``) turns it into a `Fault`, which names the seat and is final.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from bcnet.errors import BcnetError, Exit
from bcnet.table.rounds import Kind


class FaultKind(StrEnum):
    """Every kind of fault; docs/protocol.md, section "Faults", says when each is found and what proves it."""

    MALFORMED = "malformed"
    NOT_AWAITED = "not-awaited"
    WRONG_KIND = "wrong-kind"
    EQUIVOCATION = "equivocation"
    CHAIN = "chain"
    SHUFFLE = "shuffle"
    RESPONSES = "responses"
    UNMASK = "unmask"
    REFRESH = "refresh"
    NOTATION = "notation"
    ILLEGAL_ACTION = "illegal-action"
    OPENING = "opening"
    SEALED_CHOICE = "sealed-choice"
    RESIGNATION = "resignation"
    NOTE = "note"
    SEED = "seed"
    AUDIT_CHAIN = "audit-chain"
    AUDIT_SHUFFLE = "audit-shuffle"
    AUDIT_UNMASK = "audit-unmask"
    AUDIT_REFRESH = "audit-refresh"
    AUDIT_OPENING = "audit-opening"


class Violation(BcnetError):
    """A statement that the protocol does not allow where it stands; becomes a fault of whoever signed it."""

    exit_code = Exit.CHEATED

    def __init__(self, kind: FaultKind, template: str, *, flaw: str = "", **values: object) -> None:
        self.kind = kind
        self.flaw = flaw
        super().__init__(template, hint="", **values)


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that ``seat`` signed and no honest program would have.

    ``evidence`` holds the serialised entries that contradict each other or the rules, the offending one last;
    ``flaw`` is the finer word of the part that found it (``bcnet.fairness.Flaw`` for masks and proofs), else empty.
    """

    seat: int
    round: int
    kind: FaultKind
    message: str
    evidence: tuple[bytes, ...]
    flaw: str = ""


ROUND_FAULT: dict[Kind, FaultKind] = {
    Kind.SHARE: FaultKind.CHAIN,
    Kind.READY: FaultKind.CHAIN,
    Kind.SHUFFLE: FaultKind.SHUFFLE,
    Kind.RESPONSES: FaultKind.RESPONSES,
    Kind.UNMASK: FaultKind.UNMASK,
    Kind.REFRESH: FaultKind.REFRESH,
    Kind.ACT: FaultKind.OPENING,
    Kind.SEAL: FaultKind.SEALED_CHOICE,
    Kind.UNSEAL: FaultKind.SEALED_CHOICE,
    Kind.REVEAL: FaultKind.SEED,
}
"""The kind of fault that a flaw found by ``bcnet.fairness`` is, by the kind of round it stands in."""
