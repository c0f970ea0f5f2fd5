"""A state as plain JSON data, and back. News are not saved, since they belong to the step and not to the position.

What follows from the stones that lie, in the order of laying, is not written: what each seat has left, and the field
before the last stone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bcnet.errors import MalformedNotation
from bcnet.games import plain
from bcnet.games.interface import Over
from bcnet.games.stones.actions import Lay, Pass
from bcnet.games.stones.field import Field, Place, Stone
from bcnet.games.stones.material import SEATS, SPAN
from bcnet.games.stones.notation import parse_colour
from bcnet.games.stones.state import REASONS, Phase, StonesState

_MOST_POINTS = 10_000
"""More than anybody can win or lose."""


def save(state: StonesState) -> dict[str, Any]:
    """All that a state knows."""
    return {
        "penalties": state.penalties,
        "points": list(state.points),
        "present": list(state.present),
        "stones": [
            {"seat": stone.seat, "colour": stone.colour.word, "place": list(stone.place)}
            for stone in state.field.stones
        ],
        "phase": state.phase.value,
        "first_player": state.first_player,
        "mover": state.mover,
        "again": None if state.again is None else state.again.word,
        "result": plain.save_result(state.result),
    }


def load(data: Mapping[str, Any]) -> StonesState:
    """The state that `save` wrote. Raises `MalformedNotation` for anything that is not a position of the game."""
    state = plain.load("Stones", data, _read, save)
    _check(state)
    return state


def _read(data: Mapping[str, Any]) -> StonesState:
    points = tuple(plain.whole(value, -_MOST_POINTS, _MOST_POINTS) for value in data["points"])
    if len(points) not in SEATS:
        raise ValueError(points)
    seats = range(len(points))
    stones = tuple(
        Stone(plain.one_of(each["seat"], seats), parse_colour(each["colour"]), _place(each["place"]))
        for each in data["stones"]
    )
    phase = Phase(data["phase"])
    field = Field(SPAN[len(points)], stones)
    return StonesState(
        plain.yes_or_no(data["penalties"]),
        points,
        field,
        plain.some_of(data["present"], seats),
        phase,
        plain.seat_or_none(data["first_player"], seats),
        plain.seat_or_none(data["mover"], seats),
        field.without_last() if phase is Phase.OBJECTIONS else None,
        None if data["again"] is None else parse_colour(data["again"]),
        plain.load_result(data["result"], seats, REASONS),
    )


def _place(data: Any) -> Place:
    column, row = data
    most = max(SPAN.values()) - 1
    return (plain.whole(column, -most, most), plain.whole(row, -most, most))


def _check(state: StonesState) -> None:
    """Every stone lies where one could be laid, nobody has laid more than there are, the phase has what it needs."""
    field = Field(state.field.span)
    for stone in state.field.stones:
        if stone.place not in field.places:
            raise MalformedNotation("no stone could be laid at {place}", place=stone.place)
        if not (state.penalties or field.may_lie(stone.colour, stone.place)):
            raise MalformedNotation("the stone at {place} lies against the rules", place=stone.place)
        field = field.with_stone(stone)
    if any(left < 0 for seat in state.everybody for left in field.supply(seat)):
        raise MalformedNotation("a seat has laid more stones than it has")
    if list(state.present) != sorted(state.present):
        raise MalformedNotation("the seats still in the game are not in order")
    _check_phase(state)


def _check_phase(state: StonesState) -> None:
    phase = state.phase
    if (phase is Phase.OVER) != isinstance(state.result, Over):
        raise MalformedNotation("a position has a result when it is over, and only then")
    if phase is not Phase.AGAIN and state.again is not None:
        raise MalformedNotation("a stone is laid again in the phase again, and only there")
    if phase is Phase.OVER:
        return
    if len(state.present) < 2:
        raise MalformedNotation("a game that goes on has two players or more")
    if (phase is Phase.FIRST_PLAYER) != (state.mover is None):
        raise MalformedNotation("a position after the first step has a player on turn")
    if state.mover is not None and state.mover not in state.present:
        raise MalformedNotation("the player on turn has resigned")
    if phase in (Phase.OBJECTIONS, Phase.AGAIN) and not state.penalties:
        raise MalformedNotation("nobody objects in a game without penalties")
    if phase is Phase.OBJECTIONS and (not state.field.stones or state.field.stones[-1].seat != state.mover):
        raise MalformedNotation("the stone that may be objected to is missing")
    if phase in (Phase.LAY, Phase.AGAIN):
        _check_can_lay(state)


def _check_can_lay(state: StonesState) -> None:
    assert state.mover is not None
    actions = state.legal_actions(state.mover)
    may_pass = state.penalties and state.phase is Phase.LAY
    if not isinstance(actions[0], Lay) or (isinstance(actions[-1], Pass) and not may_pass):
        raise MalformedNotation("the player on turn has no stone to lay")
