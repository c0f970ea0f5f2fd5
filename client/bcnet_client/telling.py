"""What happened at a table, in words: a line an event, the same for every onlooker.

For output that is read as it comes (bots, demo); the console has a screen and its own words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bcnet.games.balloon_cup.telling import tell
from bcnet.games.interface import Event
from bcnet.names import told_apart
from bcnet.session import Ended, Snapshot
from bcnet.table.membership import Terms


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
    if ended.fault is not None:
        yield f"{names[ended.fault.seat]} cheated in round {ended.fault.round}: {ended.fault.message}"
    elif ended.result is not None:
        yield ended.result.told(names)
    yield f"Verdict: {ended.report.verdict.value}. {ended.report.message}"
    yield f"Transcript: {ended.path}"
