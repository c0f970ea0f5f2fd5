"""A game's events as plain JSON (docs/records.md): the members of a record that follow ``players``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bcnet.games import happened
from bcnet.games.interface import Event
from bcnet.games.stones.events import (
    FirstPlayerChosen,
    ObjectionFailed,
    StoneLaid,
    StoneTakenBack,
    TurnPassed,
)


def record(events: Sequence[Event]) -> dict[str, Any]:
    """``first_player`` (null if the game ended before) and ``events``."""
    first = next((event.seat for event in events if isinstance(event, FirstPlayerChosen)), None)
    rows = [_row(event) for event in events if not isinstance(event, FirstPlayerChosen)]
    return {"first_player": first, "events": rows}


def _row(event: Event) -> dict[str, Any]:
    match event:
        case StoneLaid(seat, colour, column, row, points, doubled):
            return {
                "type": "lay",
                "seat": seat,
                "colour": colour.word,
                "place": [column, row],
                "points": points,
                "doubled": doubled,
            }
        case TurnPassed(seat):
            return {"type": "pass", "seat": seat}
        case StoneTakenBack(seat, by, colour, column, row, points, penalty):
            return {
                "type": "take-back",
                "seat": seat,
                "by": list(by),
                "colour": colour.word,
                "place": [column, row],
                "points": points,
                "penalty": penalty,
            }
        case ObjectionFailed(by):
            return {"type": "objection-failed", "by": list(by)}
        case _:
            return happened.row(event)
