"""What happened at a table, in words: a line an event, the same for every onlooker.

For output that is read as it comes (bots, demo); the console has a screen and its own words.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Sequence

from bcnet.games.balloon_cup.telling import tell
from bcnet.games.interface import Event
from bcnet.names import told_apart
from bcnet.table.faults import FaultKind
from bcnet.table.membership import Terms
from bcnet.updates import Ended, Snapshot


def names_of(snapshot: Snapshot) -> tuple[str, ...]:
    """What the seats are called."""
    return told_apart([member.name for member in snapshot.members])


def lines(news: Iterable[Event], names: Sequence[str]) -> Iterator[str]:
    """The news as lines; an event that says nothing to people gives none."""
    for event in news:
        if text := tell(event, names):
            yield text


def about_words(words: Sequence[str]) -> str:
    """The four words, and what they are for."""
    return f"Words of this table: {' '.join(words)}. They are the same on both screens if nobody sits in between."


def about_terms(terms: Terms) -> str:
    """What is agreed at this table."""
    return f"Agreed: {', '.join([terms.game, *(f'{key} {value}' for key, value in terms.options)])}."


def about_audience(count: int) -> str:
    """How many watch."""
    return "1 watches." if count == 1 else f"{count or 'Nobody'} watch{'' if count else 'es any more'}."


def ending(ended: Ended, snapshot: Snapshot) -> Iterator[str]:
    """How a table has ended, and what the transcript proves."""
    names = names_of(snapshot)
    fault = ended.report.fault  # found at the table, or in the audit
    if fault is not None:
        yield f"{names[fault.seat]} cheated in round {fault.round}: {what_was_done(fault.kind)}."
        yield with_names(fault.message, names)
    elif ended.result is not None:
        yield ended.result.told(names)
    yield f"Verdict: {ended.report.verdict.value}. {ended.report.message}"
    yield f"Transcript: {ended.path}"
    if fault is not None:
        yield f"It is the proof, and anyone can check it: bcnet verify {shlex.quote(str(ended.path))}"


def what_was_done(kind: FaultKind) -> str:
    """A kind of fault, for people."""
    return _DONE[kind]


_DONE = {
    FaultKind.MALFORMED: "bytes signed that no bcnet makes",
    FaultKind.NOT_AWAITED: "something said out of turn",
    FaultKind.WRONG_KIND: "something else said than was due",
    FaultKind.EQUIVOCATION: "two different statements signed for one round",
    FaultKind.CHAIN: "a false share of the chance that both make together",
    FaultKind.SHUFFLE: "a false shuffle",
    FaultKind.RESPONSES: "a shuffle without a proof that holds",
    FaultKind.UNMASK: "a card dealt falsely",
    FaultKind.REFRESH: "a hand refreshed falsely",
    FaultKind.NOTATION: "a move that is none",
    FaultKind.ILLEGAL_ACTION: "a move against the rules",
    FaultKind.OPENING: "a card that was played or shown falsely",
    FaultKind.SEALED_CHOICE: "a sealed choice that was changed",
    FaultKind.RESIGNATION: "a false resignation",
    FaultKind.NOTE: "a false resignation in another's name",
    FaultKind.SEED: "another seed revealed than the one committed to",
    FaultKind.AUDIT_CHAIN: "chance that does not come from the seed",
    FaultKind.AUDIT_SHUFFLE: "a shuffle that does not come from the seed",
    FaultKind.AUDIT_UNMASK: "a card dealt otherwise than the seed says",
    FaultKind.AUDIT_REFRESH: "a refreshed hand that does not come from the seed",
    FaultKind.AUDIT_OPENING: "another card named than was held",
}


def with_names(text: str, names: Sequence[str]) -> str:
    """A sentence about seats with the names of those who sit there."""
    for seat, name in enumerate(names):
        text = re.sub(rf"\b[Ss]eat {seat}\b", name.replace("\\", r"\\"), text)
    return text
