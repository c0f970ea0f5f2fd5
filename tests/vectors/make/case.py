"""What a transcript vector is: a file, and what it proves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bcnet import transcript
from bcnet.fairness.errors import Flaw
from bcnet.games.interface import Over
from bcnet.table.faults import FaultKind
from bcnet.table.rounds import Kind


@dataclass(frozen=True, slots=True)
class Case:
    """One transcript with at most one fault. ``name`` begins with its verdict and goes on with the class of it."""

    name: str
    data: bytes
    about: str
    """The one thing that is wrong, in words; for a clean one, what it shows."""
    expect: dict[str, Any]
    """What a verifier must find; tests/vectors/README.md has the members."""

    @property
    def verdict(self) -> str:
        return self.name.partition("-")[0]

    def as_json(self) -> dict[str, Any]:
        return {"file": f"{self.name}.bct", "about": self.about, "verdict": self.verdict, **self.expect}


def encode(entries: Sequence[bytes]) -> bytes:
    """The bytes of a transcript."""
    return b"".join(transcript.encode(entries))


def clean(name: str, about: str, entries: Sequence[bytes], result: Over) -> Case:
    outcome = {"winners": list(result.winners), "reason": result.reason}
    return Case(f"clean-{name}", encode(entries), about, {"result": outcome})


def cheated(
    name: str,
    about: str,
    entries: Sequence[bytes],
    seat: int,
    round_: int,
    kind: FaultKind,
    flaw: Flaw | None = None,
) -> Case:
    fault = {"seat": seat, "round": round_, "kind": kind.value, "flaw": flaw.value if flaw else None}
    prefix = kind.value if not name else f"{kind.value}-{name}"
    return Case(f"cheated-{prefix}", encode(entries), about, {"fault": fault})


def incomplete(
    name: str, about: str, entries: Sequence[bytes], round_: int, kind: Kind, seats: Sequence[int]
) -> Case:
    lacks = [{"seat": seat, "round": round_, "kind": kind.value} for seat in seats]
    return Case(f"incomplete-{name}", encode(entries), about, {"lacks": lacks})


def unreadable(name: str, about: str, entries: Sequence[bytes], entry: int = 0) -> Case:
    """``entry`` (counted from 1) is the first that cannot stand where it does; by default the last."""
    return Case(f"unreadable-{name}", encode(entries), about, {"entry": entry or len(entries)})


def damaged(name: str, about: str, data: bytes, byte: int) -> Case:
    """No transcript at all, or one that breaks off: reading ends at ``byte`` (counted from 0)."""
    return Case(f"unreadable-{name}", data, about, {"byte": byte})
