"""What happened at a table, in words: a line an event, the same for every onlooker.

For output that is read as it comes (bots, demo); the console has a screen and its own words.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Sequence

from bcnet.errors import listed, visible
from bcnet.games import registry
from bcnet.games.interface import Event, Game
from bcnet.gathering import Gathering
from bcnet.language import N_, _, ngettext, told
from bcnet.names import told_apart
from bcnet.table.faults import FaultKind
from bcnet.table.membership import PRIVATE_HANDS, TABLE_OPTIONS, Terms
from bcnet.updates import Ended, Snapshot
from bcnet.verify import Report


def names_of(snapshot: Snapshot) -> tuple[str, ...]:
    """What the seats are called, in the player's language."""
    return tuple(map(told, told_apart([member.name for member in snapshot.members])))


def lines(game: Game, news: Iterable[Event], names: Sequence[str]) -> Iterator[str]:
    """The news as lines; an event that says nothing to people gives none."""
    for event in news:
        if text := game.tell(event, names):
            yield told(text)


def about_gathering(gathering: Gathering) -> str:
    """Who has come to a table that is being filled."""
    here = _("At the table: {names}.").format(
        names=", ".join(told_apart([sitter.name for sitter in gathering.sitters]))
    )
    if not gathering.missing:
        return here
    awaited = ngettext("{count} more is awaited.", "{count} more are awaited.", gathering.missing)
    return f"{here} {awaited.format(count=gathering.missing)}"


def about_words(words: Sequence[str]) -> str:
    """The four words, and what they are for."""
    return _(
        "Words of this table: {words}. They are the same on every screen if nobody sits in between."
    ).format(words=" ".join(words))


def about_terms(terms: Terms) -> list[str]:
    """What is agreed at this table, and a sentence on each option: what it means. Options are called as they are
    typed.
    """
    agreed = [terms.game, *_for_players(terms), *(f"{key} {value}" for key, value in terms.options)]
    known = registry.options(terms.game) if terms.game in registry.names() else {}
    meanings = {(key, value): told(text) for key in known for value, text in known[key].values.items()}
    meanings |= {option: _(text) for option, text in _OF_TABLES.items()}
    return [
        _("Agreed: {terms}.").format(terms=", ".join(agreed)),
        *(
            f"{key} {value}: {meanings[key, value]}."
            for key, value in terms.options
            if (key, value) in meanings
        ),
    ]


_OF_TABLES = {(PRIVATE_HANDS, TABLE_OPTIONS[PRIVATE_HANDS]): N_("nobody sees when a played card was drawn")}
"""What the options of the table mean, whatever the game."""


def _for_players(terms: Terms) -> list[str]:
    """For how many a game is played that is not always for two."""
    return [_("{seats} players").format(seats=terms.seats)] if terms.seats > 2 else []


def about_shared_keys(names: Sequence[str], keys: Sequence[str]) -> Iterator[str]:
    """Who of a table has one key, and so is one person; nothing where nobody else is there. Both by seat."""
    if len(set(keys)) < 2:
        return
    for key in dict.fromkeys(keys):
        seats = [name for name, own in zip(names, keys, strict=True) if own == key]
        if len(seats) > 1:
            yield _(
                "{names} have the same key: one person plays for them and knows what each of them knows. "
                "That is not fair to anybody else here."
            ).format(names=told(listed(seats)))


def about_audience(count: int) -> str:
    """How many watch."""
    if not count:
        return _("Nobody watches any more.")
    return ngettext("{count} watches.", "{count} watch.", count).format(count=count)


def ending(ended: Ended, snapshot: Snapshot) -> Iterator[str]:
    """How a table has ended, and what the transcript proves."""
    names = names_of(snapshot)
    fault = ended.report.fault  # found at the table, or in the audit
    if fault is not None:
        yield cheated(names[fault.seat], fault.round, what_was_done(fault.kind))
        yield with_names(told(fault.message), names)
    elif ended.result is not None:
        yield told(ended.result.told(names))
    yield about_verdict(ended.report)
    yield _("Transcript: {path}").format(path=visible(ended.path))
    if fault is not None:
        command = f"bcnet verify {visible(shlex.quote(str(ended.path)))}"
        yield _("It is the proof, and anyone can check it: {command}").format(command=command)


def cheated(name: str, number: int, what: str) -> str:
    """Who has cheated, in which round, and what was done."""
    return _("{name} cheated in round {round}: {what}.").format(
        name=name, round=number, what=what.rstrip(".")
    )


def about_verdict(report: Report) -> str:
    """What a transcript proves."""
    return _("Verdict: {verdict}. {message}").format(
        verdict=told(report.verdict.word), message=told(report.message)
    )


def what_was_done(kind: FaultKind) -> str:
    """A kind of fault, for people."""
    return _(_DONE[kind])


_DONE = {
    FaultKind.MALFORMED: N_("bytes signed that no bcnet makes"),
    FaultKind.NOT_AWAITED: N_("something said out of turn"),
    FaultKind.WRONG_KIND: N_("something else said than was due"),
    FaultKind.EQUIVOCATION: N_("two different statements signed for one round"),
    FaultKind.CHAIN: N_("a false share of the chance that both make together"),
    FaultKind.SHUFFLE: N_("a false shuffle"),
    FaultKind.RESPONSES: N_("a shuffle without a proof that holds"),
    FaultKind.UNMASK: N_("a card dealt falsely"),
    FaultKind.REFRESH: N_("a hand refreshed falsely"),
    FaultKind.NOTATION: N_("a move that is none"),
    FaultKind.ILLEGAL_ACTION: N_("a move against the rules"),
    FaultKind.OPENING: N_("a card that was played or shown falsely"),
    FaultKind.SEALED_CHOICE: N_("a sealed choice that was changed"),
    FaultKind.RESIGNATION: N_("a false resignation"),
    FaultKind.NOTE: N_("a false resignation in another's name"),
    FaultKind.SEED: N_("another seed revealed than the one committed to"),
    FaultKind.AUDIT_CHAIN: N_("chance that does not come from the seed"),
    FaultKind.AUDIT_SHUFFLE: N_("a shuffle that does not come from the seed"),
    FaultKind.AUDIT_UNMASK: N_("a card dealt otherwise than the seed says"),
    FaultKind.AUDIT_REFRESH: N_("a refreshed hand that does not come from the seed"),
    FaultKind.AUDIT_OPENING: N_("another card named than was held"),
}


def with_names(text: str, names: Sequence[str]) -> str:
    """A sentence about seats, in the player's language, with the names of those who sit there."""
    for seat, name in enumerate(names):
        called = re.escape(_("seat {seat}").format(seat=seat))
        text = re.sub(rf"\b{called}\b", name.replace("\\", r"\\"), text, flags=re.IGNORECASE)
    return text
