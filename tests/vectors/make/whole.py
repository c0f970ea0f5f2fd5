"""Whole games, files that are damaged, and files of one table that are taken together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from bcnet.entry import write_body
from bcnet.table.faults import FaultKind
from bcnet.table.rounds import Kind
from bcnet.wire.v1 import log_pb2 as pb
from tests.vectors.make.case import Case, cheated, clean, damaged, encode, incomplete, unreadable
from tests.vectors.make.scribe import GUEST, HOST, Scribe, anything, fixed


def cases() -> Iterator[Case]:
    yield from _games()
    yield from _damaged()
    yield from _after_a_fault()
    yield from {case.name: case for together in togethers() for case in together.cases}.values()


def exchanges_nothing(text: str) -> int:
    """A seat that has nothing to play keeps its cards."""
    return 1 if text == "exchange" else 0


def _games() -> Iterator[Case]:
    # The numbers were found by playing: with these seeds everything happens that is named.
    games = (
        (
            "designer",
            Scribe("designer 7", "designer"),
            "claims of three for one, a decline, an exchange, a pass, and three tiles that leave the game",
        ),
        (
            "blind",
            Scribe("blind 4", "blind"),
            "drawn: nobody can reach a third trophy any more; two exchanges",
        ),
        ("capped", Scribe("capped 3", "capped"), "five exchanges, a pass, a claim and a decline"),
        (
            "standstill",
            Scribe("blind 176", "blind", exchanges_nothing),
            "drawn: four passes in a row, each after exchanging nothing",
        ),
    )
    for name, scribe, about in games:
        assert scribe.policy in (anything, exchanges_nothing)
        scribe.play()
        yield clean(name, about, scribe.entries, scribe.result)


@cache
def _short_game() -> tuple[bytes, ...]:
    scribe = Scribe("short").play(lambda s: s.kind is Kind.SHUFFLE)
    return tuple(scribe.resign(HOST).entries)


def _damaged() -> Iterator[Case]:
    entries = _short_game()
    whole = encode(entries)
    line = len(b"bcnet transcript 1\n")
    first = 4 + len(entries[0])
    yield damaged("file-empty", "no bytes", b"", 0)
    yield damaged("file-other", "a file of another kind", b"\x89PNG\r\n\x1a\n" + bytes(64), 0)
    yield damaged("file-journal", "a journal of bcnet", b"bcnet journal 1\n" + bytes(64), 0)
    yield damaged("file-version-2", "a format that there is not yet", whole.replace(b" 1\n", b" 2\n", 1), 0)
    yield damaged("file-crlf", "a line feed turned into two characters", whole.replace(b"\n", b"\r\n", 1), 0)
    yield damaged("file-cut-in-line", "the first line is cut", whole[: line - 3], line - 3)
    yield damaged("file-no-entry", "the first line alone", whole[:line], line)
    yield damaged("file-cut-in-length", "cut inside a length", whole[: line + first + 2], line + first + 2)
    yield damaged("file-cut-in-entry", "cut inside an entry", whole[: line + first - 1], line + first - 1)
    yield damaged("file-length-zero", "an entry of no bytes", whole[: line + first] + bytes(4), line + first)
    yield damaged(
        "file-length-too-large",
        "an entry of 1,048,577 bytes",
        whole[: line + first] + (1048577).to_bytes(4, "big") + bytes(64),
        line + first,
    )
    yield damaged("file-trailing-byte", "a byte after the last entry", whole + b"\x00", len(whole) + 1)
    yield incomplete(
        "cut-between-entries", "the last entry is missing", entries[:-1], 4, Kind.REVEAL, [GUEST]
    )


def _after_a_fault() -> Iterator[Case]:
    scribe = Scribe("short").play(lambda s: s.kind is Kind.READY)
    fault = scribe.entry(HOST, scribe.body(HOST, Kind.READY, pb.Ready(tip=bytes(31))))
    scribe.say(HOST)
    honest = scribe.entry(GUEST, scribe.honest(GUEST))
    offer, join = scribe.entries[:2]
    yield cheated(
        "entry-after",
        "a fault, and an entry after it: the fault is proven, what follows does not count",
        [offer, join, fault, honest],
        HOST,
        2,
        FaultKind.CHAIN,
    )
    body = pb.Body.FromString(pb.Entry.FromString(honest).body)
    body.round, body.head = 5, fixed("head")
    yield unreadable(
        "after-the-end",
        "a whole game, and an entry after its end on top of another log",
        [*_short_game(), scribe.entry(GUEST, body)],
    )


# --- several files of one table ---


@dataclass(frozen=True, slots=True)
class Together:
    """Files of one table, and the verdict on all of them; each has one of its own besides."""

    about: str
    cases: tuple[Case, ...]
    expect: dict[str, object]

    def as_json(self) -> dict[str, object]:
        return {"files": [f"{case.name}.bct" for case in self.cases], "about": self.about, **self.expect}


def _fault(seat: int, round_: int, kind: FaultKind) -> dict[str, object]:
    return {"verdict": "cheated", "fault": {"seat": seat, "round": round_, "kind": kind.value}}


@cache
def togethers() -> tuple[Together, ...]:
    return (*_two_heads(), _cut_off(), _claims_other_seat())


def _two_heads() -> Iterator[Together]:
    """The guest signs two chain tips; each file holds one of them and is right in itself."""
    files = []
    for name in ("a", "b"):
        scribe = Scribe("two heads").play(lambda s: s.kind is Kind.READY)
        scribe.say(HOST)
        tip = pb.Ready(tip=fixed("tip", name))
        scribe.say(GUEST, scribe.body(GUEST, Kind.READY, tip))
        files.append(scribe)
    a, b = (
        incomplete(
            f"two-heads-{name}",
            "one of two files; the guest has signed another chain tip in each",
            s.entries,
            3,
            Kind.SHUFFLE,
            [HOST],
        )
        for name, s in zip("ab", files, strict=True)
    )
    yield Together(
        "two bodies of one seat for one round, one in each file",
        (a, b),
        _fault(GUEST, 2, FaultKind.EQUIVOCATION),
    )
    one, other = files
    resigns = one.entry(HOST, one.body(HOST, Kind.RESIGN, pb.Resign()))
    alone = incomplete(
        "two-heads-host",
        "the host's own entry on top of the other log",
        [*other.entries, resigns],
        3,
        Kind.SHUFFLE,
        [HOST],
    )
    yield Together(
        "as before, and the host has gone on with the other log: that convicts the guest, not the host",
        (a, alone),
        _fault(GUEST, 2, FaultKind.EQUIVOCATION),
    )


def _cut_off() -> Together:
    entries = _short_game()
    cut = incomplete(
        "cut-off",
        "the guest has cut off the host's last entry, and its own",
        entries[:-2],
        4,
        Kind.REVEAL,
        [HOST, GUEST],
    )
    whole = Case(
        "clean-cut-off",
        encode(entries),
        "the same game whole",
        {"result": {"winners": [GUEST], "reason": "resignation"}},
    )
    return Together(
        "a cut file proves nothing against anyone: the longer log counts",
        (cut, whole),
        {"verdict": "clean", "fault": None},
    )


def _claims_other_seat() -> Together:
    """A malformed body says that it is of the other seat; who signed it is who is at fault, alone and together."""
    scribe = Scribe("claims other seat").play(lambda s: s.kind is Kind.SHUFFLE)
    body = pb.Body()
    body.CopyFrom(scribe.body(HOST, Kind.READY, pb.Ready(tip=fixed("tip"))))
    body.round = 2
    bad = scribe.entry(GUEST, write_body(body) + b"\xf8\x07\x01")
    framing = cheated(
        "claims-other-seat",
        "a malformed body that names the host's seat and round, signed by the guest",
        [*scribe.entries, bad],
        GUEST,
        3,
        FaultKind.MALFORMED,
    )
    honest = incomplete(
        "claims-other-seat", "the host's file of the same table", scribe.entries, 3, Kind.SHUFFLE, [HOST]
    )
    return Together(
        "whoever signed the malformed body is at fault, not the seat that it names",
        (honest, framing),
        _fault(GUEST, 3, FaultKind.MALFORMED),
    )
