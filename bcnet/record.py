"""The game record: what happened at a table as plain JSON (docs/records.md), from a fully audited transcript.

Only the revealed seeds make every face known, so a record exists only of a game whose verdict is clean.
"""

from __future__ import annotations

from typing import Any

from bcnet.errors import BcnetError, Exit
from bcnet.games.interface import Event
from bcnet.table.following import Follower
from bcnet.verify import Replay, Report, Verdict

FORMAT = "bcnet-record/1"


class NoRecord(BcnetError):
    """A transcript from which no record can be made, for not all faces are known and checked."""

    def __init__(self, report: Report) -> None:
        self.exit_code: Exit = report.verdict.exit_code
        super().__init__(
            "There is no record of a game that is {verdict}: {why}",
            hint="A record needs every face, and so the whole transcript with all seeds.",
            verdict=report.verdict.word,
            why=report.message,
        )


def make_record(report: Report, replay: Replay | None) -> dict[str, Any]:
    """The record of an examined transcript. Raises `NoRecord` unless its verdict is clean."""
    if report.verdict is not Verdict.CLEAN or replay is None:
        raise NoRecord(report)
    course = replay.course
    assert course.game is not None
    assert course.terms is not None
    return {
        "format": FORMAT,
        "game": course.terms.game,
        "options": dict(course.terms.options),
        "players": [
            {"seat": who.seat, "name": who.name, "identity": who.identity.hex()} for who in report.players
        ],
        **course.game.record(events_of(replay)),
    }


def events_of(replay: Replay) -> list[Event]:
    """All that happened, in its order, with every face that the audit has brought to light."""
    follower = follower_of(replay)
    return [event for taken in replay.course.steps for event in follower.follow(taken)]


def follower_of(replay: Replay) -> Follower:
    """Somebody who follows the game from its beginning with every face that the audit has brought to light."""
    initial, found = replay.course.initial, replay.audit
    assert initial is not None

    def face_of(slot: int, _owner: int) -> int | None:
        return found.faces.get(slot) if found else None

    def order_of(epoch: int) -> tuple[int, ...] | None:
        return found.orders[epoch - 1] if found else None

    return Follower(initial, face_of, order_of)
