"""The course of a game: what is needed next, and what each step leads to.

Without penalties a turn is one stone. Whoever can lay none is passed over and may lay again later. With penalties:

    LAY ─┬─ Lay ── OBJECTIONS ─┬─ nobody objects, or wrongly ───────────── next turn
         │                     └─ rightly: taken back ─┬─ AGAIN ── Lay ──── next turn
         └─ Pass (nothing fits) ── next turn           └─ nothing fits ──── next turn

Before the first turn: FIRST_PLAYER. OVER can follow anything. A seat that resigns keeps its points and lays no more;
what it laid stays. The others go on; the last one left has won.

All rules about the order of things live here; this file does not know what a table, a network or a screen is. Who is
asked is settled by the need: an action is applied for the seat of `Decide`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from bcnet.errors import IllegalStep, Phrase
from bcnet.games.happened import RESIGNATION, STANDSTILL, GameEnded, PlayerResigned
from bcnet.games.interface import (
    Action,
    Below,
    Chance,
    Choose,
    Chosen,
    Decide,
    Event,
    Exhausted,
    Need,
    Over,
    Resigned,
    Seat,
    Step,
)
from bcnet.games.open_state import OpenState
from bcnet.games.refusals import check_resigned, comes_first
from bcnet.games.stones.actions import Agree, Lay, Object, Pass, Starter
from bcnet.games.stones.events import (
    FirstPlayerChosen,
    ObjectionFailed,
    StoneLaid,
    StoneTakenBack,
    TurnPassed,
)
from bcnet.games.stones.field import Field, Stone
from bcnet.games.stones.material import COLOURS, FIRST_STONE, PENALTY, SPAN, Colour

ALL_LAID = "all-laid"
"""Reason of an end: nobody has a stone left."""
NOTHING_FITS = "nothing-fits"
"""Reason of an end: nobody can lay a stone by the rules."""
REASONS = (ALL_LAID, NOTHING_FITS, RESIGNATION, STANDSTILL)
_REASONS_IN_WORDS = (Phrase("all laid"), Phrase("nothing fits"))
"""As `Over.told` says them; the other two are said of any game."""


class Phase(Enum):
    """Where in a turn the game is."""

    FIRST_PLAYER = "first-player"
    LAY = "lay"
    OBJECTIONS = "objections"
    """With penalties: all others say whether the stone just laid may lie."""
    AGAIN = "again"
    """With penalties: a stone was taken back and is laid again by the rules, or another where it fits nowhere."""
    OVER = "over"


@dataclass(frozen=True, slots=True)
class StonesState(OpenState):
    """One position of the game."""

    penalties: bool
    points: tuple[int, ...]
    """A seat's score. With penalties it can be below zero."""
    field: Field
    present: tuple[Seat, ...]
    """The seats that have not resigned."""
    phase: Phase = Phase.FIRST_PLAYER
    first_player: Seat | None = None
    mover: Seat | None = None
    """Whose turn it is; None before the first player is known. (Who is *asked* is in ``need``.)"""
    before: Field | None = None
    """In OBJECTIONS: the field before the stone just laid."""
    again: Colour | None = None
    """In AGAIN: the colour of the stone taken back; None if it fits nowhere and any other may be laid."""
    result: Over | None = None
    news: tuple[Event, ...] = dataclasses.field(default=(), compare=False)

    @classmethod
    def start(cls, seats: int, *, penalties: bool) -> StonesState:
        """The position before anything has happened."""
        return cls(penalties, (0,) * seats, Field(SPAN[seats]), tuple(range(seats)))

    # --- what can be read ---

    @property
    def everybody(self) -> range:
        """All seats that the game began with."""
        return range(len(self.points))

    def supply(self, seat: Seat) -> tuple[int, ...]:
        """How many stones of each colour a seat can still lay."""
        self.check_seat(seat)
        return self.field.supply(seat)

    def worth(self, seat: Seat, lay: Lay) -> int:
        """The points that a stone would bring the seat now."""
        return _worth(self.field, seat, lay)

    def others(self) -> tuple[Seat, ...]:
        """All who may object to the mover's stone."""
        return tuple(seat for seat in self.present if seat != self.mover)

    # --- what comes next ---

    @property
    def need(self) -> Need:
        """What must come next."""
        match self.phase:
            case Phase.FIRST_PLAYER:
                return Chance("first player")
            case Phase.LAY | Phase.AGAIN:
                assert self.mover is not None
                return Decide(self.mover)
            case Phase.OBJECTIONS:
                return Choose(self.others())
            case Phase.OVER:
                assert self.result is not None
                return self.result

    def legal_actions(self, seat: Seat) -> tuple[Action, ...]:
        """Stones by colour, row and column, then `Pass`; `Object` before `Agree`."""
        if self.phase is Phase.OBJECTIONS:
            return (Object(), Agree()) if seat in self.others() else ()
        if seat != self.mover or self.phase not in (Phase.LAY, Phase.AGAIN):
            return ()
        supply = self.field.supply(seat)
        colours = [colour for colour in COLOURS if supply[colour] and self.again in (None, colour)]
        field = self.field
        lays = tuple(
            Lay(colour, *place)
            for colour in colours
            for place in (field.places if self._is_free() else field.lawful[colour])
        )
        return lays if any(field.lawful[colour] for colour in colours) else (*lays, Pass())

    def sample(self, below: Below) -> Starter:
        """Answer the one `Chance` need, ``first player``: the seat is ``below`` the number of seats present, counted
        among those in ascending order.
        """
        if self.phase is not Phase.FIRST_PLAYER:
            raise comes_first(self.need)
        return Starter(self.present[below(len(self.present))])

    # --- steps ---

    def apply(self, step: Step) -> StonesState:
        """The state after ``step``. Raises `IllegalStep`."""
        take = _STEPS.get(type(step))
        if self.phase is Phase.OVER or take is None:
            raise comes_first(self.need)
        return take(replace(self, news=()), step)

    def _starter(self, step: Starter) -> StonesState:
        if self.phase is not Phase.FIRST_PLAYER:
            raise comes_first(self.need)
        if step.seat not in self.present:
            raise IllegalStep("seat {seat} cannot begin", seat=step.seat)
        told = self._told(FirstPlayerChosen(step.seat))
        return replace(told, phase=Phase.LAY, first_player=step.seat, mover=step.seat)

    def _lay(self, lay: Lay) -> StonesState:
        if self.phase not in (Phase.LAY, Phase.AGAIN):
            raise comes_first(self.need)
        seat, place = self._mover, (lay.column, lay.row)
        supply = self.field.supply(seat)
        if lay.colour not in COLOURS or not supply[lay.colour]:
            raise IllegalStep("seat {seat} has no stone of that colour left", seat=seat)
        colour = COLOURS[lay.colour]
        if self.again not in (None, colour):
            raise IllegalStep("seat {seat} lays the stone again that was taken back", seat=seat)
        self.field.check_place(place)
        broken = self.field.broken_rule(colour, place)
        if broken and not self._is_free():
            raise broken
        worth = _worth(self.field, seat, lay)
        points = _with(self.points, seat, worth)
        after = replace(
            self._told(StoneLaid(seat, colour, *place, worth, supply[colour] == 1)),
            points=points,
            field=self.field.with_stone(Stone(seat, colour, place)),
        )
        if self._is_free():
            return replace(after, phase=Phase.OBJECTIONS, before=self.field)
        return after._next_turn()

    def _pass(self, _: Pass) -> StonesState:
        if self.phase not in (Phase.LAY, Phase.AGAIN):
            raise comes_first(self.need)
        if Pass() not in self.legal_actions(self._mover):
            raise IllegalStep("a stone can be laid by the rules, so one must be laid")
        return self._told(TurnPassed(self._mover))._next_turn()

    def _objections(self, step: Chosen) -> StonesState:
        if self.phase is not Phase.OBJECTIONS:
            raise comes_first(self.need)
        others = self.others()
        if len(step.actions) != len(others) or any(
            type(each) not in (Object, Agree) for each in step.actions
        ):
            raise IllegalStep("everybody but seat {seat} objects or agrees", seat=self._mover)
        by = tuple(
            seat for seat, action in zip(others, step.actions, strict=True) if isinstance(action, Object)
        )
        after = replace(self, before=None)
        if not by:
            return after._next_turn()
        assert self.before is not None
        stone = self.field.stones[-1]
        if self.before.may_lie(stone.colour, stone.place):
            return after._told(ObjectionFailed(by))._next_turn()
        return after._take_back(stone, self.before, by)

    def _take_back(self, stone: Stone, before: Field, by: tuple[Seat, ...]) -> StonesState:
        """The stone and its points are gone, and 10 points more; it is laid again by the rules if that is possible.

        If it is not, whoever can lay another stone must (house): else a player could go on for ever with one that is
        taken back each time.
        """
        worth = _worth(before, stone.seat, Lay(stone.colour, *stone.place))
        told = self._told(StoneTakenBack(stone.seat, by, stone.colour, *stone.place, worth, PENALTY))
        after = replace(told, field=before, points=_with(self.points, stone.seat, -worth - PENALTY))
        supply = before.supply(stone.seat)
        fitting = [colour for colour in COLOURS if supply[colour] and before.lawful[colour]]
        if not fitting:
            return after._next_turn()
        again = stone.colour if stone.colour in fitting else None
        return replace(after, phase=Phase.AGAIN, before=None, again=again)

    def _resigned(self, step: Resigned) -> StonesState:
        check_resigned(step.seats, self.present)
        left = tuple(seat for seat in self.present if seat not in step.seats)
        after = replace(self._told(*map(PlayerResigned, step.seats)), present=left)
        if len(left) < 2:
            return after._over(left, RESIGNATION)
        if self.mover in step.seats:
            return after._next_turn()
        return after

    def _exhausted(self, _: Exhausted) -> StonesState:
        return self._over((), STANDSTILL)

    # --- turns and the end ---

    def _next_turn(self) -> StonesState:
        """The next seat that can lay is on turn. With penalties, one that has a stone decides whether to pass."""
        state = replace(self, before=None, again=None)
        field, seats = self.field, len(self.everybody)
        following = [(self._mover + step) % seats for step in range(1, seats + 1)]
        circle = [seat for seat in following if seat in self.present]
        supplies = {seat: field.supply(seat) for seat in circle}
        able = [
            seat
            for seat in circle
            if any(supplies[seat][colour] and field.lawful[colour] for colour in COLOURS)
        ]
        if not able:
            reason = NOTHING_FITS if any(map(any, supplies.values())) else ALL_LAID
            most = max(self.points[seat] for seat in self.present)
            return state._over(tuple(seat for seat in self.present if self.points[seat] == most), reason)
        for seat in circle:
            if seat in able or (self.penalties and any(supplies[seat])):
                return replace(state, phase=Phase.LAY, mover=seat)
            state = state._told(TurnPassed(seat))
        raise AssertionError("somebody is able")

    def _over(self, winners: tuple[Seat, ...], reason: str) -> StonesState:
        ended = self._told(GameEnded(winners, reason))
        return replace(ended, phase=Phase.OVER, before=None, again=None, result=Over(winners, reason))

    def _told(self, *events: Event) -> StonesState:
        return replace(self, news=(*self.news, *events))

    def _is_free(self) -> bool:
        """Whether the mover may lay against the laying rules."""
        return self.penalties and self.phase is Phase.LAY

    @property
    def _mover(self) -> Seat:
        """Before the first player is known the last seat, so that seat 0 follows."""
        return self.everybody[-1] if self.mover is None else self.mover


def _worth(field: Field, seat: Seat, lay: Lay) -> int:
    """The points of a stone that is about to be laid: the seat's last of a colour counts twice."""
    if not field.stones:
        return FIRST_STONE
    points = field.pairs(lay.colour, (lay.column, lay.row))
    return 2 * points if field.supply(seat)[lay.colour] == 1 else points


def _with(points: tuple[int, ...], seat: Seat, more: int) -> tuple[int, ...]:
    return (*points[:seat], points[seat] + more, *points[seat + 1 :])


_STEPS: dict[type[Step], Callable[[StonesState, Any], StonesState]] = {
    Starter: StonesState._starter,
    Lay: StonesState._lay,
    Pass: StonesState._pass,
    Chosen: StonesState._objections,
    Resigned: StonesState._resigned,
    Exhausted: StonesState._exhausted,
}
"""Every step there is, and what it leads to."""
