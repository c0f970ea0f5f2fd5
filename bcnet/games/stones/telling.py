"""What happened, in words: a sentence an event, the same for every onlooker."""

from __future__ import annotations

from collections.abc import Sequence

from bcnet.errors import Phrase, listed
from bcnet.games.happened import PlayerResigned
from bcnet.games.interface import Event, Seat
from bcnet.games.stones.events import (
    FirstPlayerChosen,
    ObjectionFailed,
    StoneLaid,
    StoneTakenBack,
    TurnPassed,
)


def tell(event: Event, names: Sequence[str]) -> str:
    """One event as a sentence; empty for an event that says nothing to people. ``names`` are by seat."""
    match event:
        case FirstPlayerChosen(seat):
            return Phrase("{name} begins.", name=names[seat])
        case StoneLaid():
            return _laid(event, names)
        case TurnPassed(seat):
            return Phrase("{name} passes: nothing fits.", name=names[seat])
        case StoneTakenBack(seat, by, colour, column, row, points, penalty):
            return Phrase(
                "{others} objected: {colour} at {column} {row} breaks a rule. {name} takes it back, and loses its "
                "points ({points}) and {penalty} more.",
                others=_listed(by, names),
                name=names[seat],
                colour=colour.word,
                column=column,
                row=row,
                points=points,
                penalty=penalty,
            )
        case ObjectionFailed(by):
            return Phrase("{others} objected, but the stone lies by the rules.", others=_listed(by, names))
        case PlayerResigned(seat):
            return Phrase("{name} resigns.", name=names[seat])
        case _:
            return ""


def _laid(event: StoneLaid, names: Sequence[str]) -> str:
    if event.doubled:
        return Phrase(
            "{name} lays the last {colour} at {column} {row}: {points} points, doubled.",
            name=names[event.seat],
            colour=event.colour.word,
            column=event.column,
            row=event.row,
            points=event.points,
        )
    return Phrase(
        "{name} lays {colour} at {column} {row}: {count} point.",
        many="{name} lays {colour} at {column} {row}: {count} points.",
        name=names[event.seat],
        colour=event.colour.word,
        column=event.column,
        row=event.row,
        count=event.points,
    )


def _listed(seats: Sequence[Seat], names: Sequence[str]) -> str:
    return listed([names[seat] for seat in seats])
