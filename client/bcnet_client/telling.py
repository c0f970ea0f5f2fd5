"""What happened at a table, in words: a line an event, the same for every onlooker.

For output that is read as it comes (bots, demo); the console has a screen and its own words.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Sequence

from bcnet.games.balloon_cup import events as bc
from bcnet.games.balloon_cup.material import COLOURS, Cubes, say
from bcnet.games.interface import Card, Event, Over
from bcnet.session import Ended, Snapshot
from bcnet.table.faults import FaultKind


def names_of(snapshot: Snapshot) -> tuple[str, ...]:
    """What the seats are called."""
    return told_apart([member.name for member in snapshot.members])


def told_apart(names: Sequence[str]) -> tuple[str, ...]:
    """The names, with their seats where two are the same."""
    if len(set(names)) < len(names):
        return tuple(f"{name} (seat {seat})" for seat, name in enumerate(names))
    return tuple(names)


def lines(news: Iterable[Event], names: Sequence[str]) -> Iterator[str]:
    """The news as lines; an event that says nothing to people gives none."""
    for event in news:
        if text := _line(event, names):
            yield text


def about_words(words: Sequence[str]) -> str:
    """The four words, and what they are for."""
    return f"Words of this table: {' '.join(words)}. They are the same on both screens if nobody sits in between."


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
        yield outcome(ended.result, names)
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
    FaultKind.AUDIT_OPENING: "another card named than was held",
}


def with_names(text: str, names: Sequence[str]) -> str:
    """A sentence about seats with the names of those who sit there."""
    for seat, name in enumerate(names):
        text = re.sub(rf"\b[Ss]eat {seat}\b", name.replace("\\", r"\\"), text)
    return text


def outcome(result: Over, names: Sequence[str]) -> str:
    """Who has won, and why."""
    reason = result.reason.replace("-", " ")
    if not result.winners:
        return f"The game is drawn ({reason})."
    return f"{' and '.join(names[seat] for seat in result.winners)} won ({reason})."


def _line(event: Event, names: Sequence[str]) -> str:
    match event:
        case bc.PileShuffled(size):
            return f"{size} cards are shuffled."
        case bc.FirstPlayerChosen(seat):
            return f"{names[seat]} begins."
        case bc.TileFilled(tile, cubes):
            return f"Tile {tile} gets {_cubes(cubes)}."
        case bc.HandDealt(seat, cards):
            return f"{names[seat]} is dealt {_cards(cards)}."
        case bc.CardPlayed(seat, card, tile, side):
            where = "their own side" if side == seat else f"the side of {names[side]}"
            return f"{names[seat]} lays {say(card)} next to tile {tile}, on {where}."
        case bc.TileScored(tile, terrain, winner, totals, cubes):
            return (
                f"Tile {tile} ({terrain.name.lower()}) is full, {totals[0]} against {totals[1]}: "
                f"{names[winner]} takes {_cubes(cubes)}."
            )
        case bc.TileRefilled(tile, terrain, cubes):
            return f"Tile {tile} is now {terrain.name.lower()} and gets {_cubes(cubes)}."
        case bc.TileRemoved(tile):
            return f"Tile {tile} leaves the game: the bag holds too few cubes."
        case bc.TrophyClaimed(seat, trophy, paid, _):
            return f"{names[seat]} takes the {trophy.word} trophy for {_cubes(paid)}."
        case bc.ClaimDeclined(seat):
            return f"{names[seat]} claims nothing."
        case bc.CardDrawn(seat, card):
            return f"{names[seat]} draws {_cards([card])}."
        case bc.HandShown(seat, cards):
            return f"{names[seat]} shows that nothing fits: {_cards(cards)}."
        case bc.CardsExchanged(seat, discarded):
            return f"{names[seat]} discards {_cards(discarded) if discarded else 'nothing'}."
        case bc.TurnPassed(seat):
            return f"{names[seat]} passes."
        case bc.PlayerResigned(seat):
            return f"{names[seat]} resigns."
        case _:
            return ""


def _cubes(cubes: Cubes) -> str:
    parts = [f"{cubes[colour]} {colour.word}" for colour in COLOURS if cubes[colour]]
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts or ["nothing"])


def _cards(cards: Sequence[Card | None]) -> str:
    known = [say(card) for card in cards if card is not None]
    hidden = len(cards) - len(known)
    if hidden:
        known.append("a card" if hidden == 1 else f"{hidden} cards")
    return ", ".join(known) or "nothing"
