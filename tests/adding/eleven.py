"""Eleven: draw numbers from 1 to 6, or stop; whoever comes above the limit is out, and the highest sum wins.

Written from docs/adding-a-game.md, as one module; `test_adding` puts it where that page says.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from bcnet.errors import IllegalStep, MalformedNotation, Phrase
from bcnet.games import happened, plain
from bcnet.games.bots import levels
from bcnet.games.happened import RESIGNATION, STANDSTILL, GameEnded, PlayerResigned
from bcnet.games.interface import (
    Action,
    Below,
    Bot,
    Chance,
    Decide,
    Event,
    Exhausted,
    Game,
    Need,
    Outcome,
    Over,
    Resigned,
    Seat,
    State,
    Step,
)
from bcnet.games.open_state import OpenState
from bcnet.games.options import settle
from bcnet.games.refusals import check_resigned, comes_first

SEATS = range(2, 5)
LIMITS = ("11", "21")
HIGHEST = 6
HIGHEST_SUM = "highest-sum"
"""Reason of an end: nobody draws any more."""
IN_WORDS = (Phrase("highest sum"),)
"""The same as `Over.told` says it."""
REASONS = (HIGHEST_SUM, RESIGNATION, STANDSTILL)


# --- what is decided, drawn and told ---


@dataclass(frozen=True, slots=True)
class Draw(Action):
    """Take another number."""


@dataclass(frozen=True, slots=True)
class Stop(Action):
    """Keep the sum as it is."""


@dataclass(frozen=True, slots=True)
class Number(Outcome):
    """What is drawn."""

    value: int


@dataclass(frozen=True, slots=True)
class NumberDrawn(Event):
    """A seat has drawn; above the limit it is out."""

    seat: Seat
    value: int
    total: int
    out: bool


@dataclass(frozen=True, slots=True)
class Stopped(Event):
    """A seat draws no more."""

    seat: Seat
    total: int


# --- the position ---


@dataclass(frozen=True, slots=True)
class ElevenState(OpenState):
    """One position of the game."""

    limit: int
    sums: tuple[int, ...]
    drawing: tuple[Seat, ...]
    """The seats, ascending, that have neither stopped nor gone above the limit nor resigned."""
    present: tuple[Seat, ...]
    """The seats that have not resigned."""
    mover: Seat = 0
    """Whose turn it is, or was when the game ended."""
    awaits: bool = False
    """Whether the mover's number is being drawn."""
    result: Over | None = None
    news: tuple[Event, ...] = field(default=(), compare=False)

    @property
    def everybody(self) -> range:
        """All seats that the game began with."""
        return range(len(self.sums))

    @property
    def need(self) -> Need:
        """What must come next."""
        if self.result is not None:
            return self.result
        return Chance("number") if self.awaits else Decide(self.mover)

    def legal_actions(self, seat: Seat) -> tuple[Action, ...]:
        """`Draw`, then `Stop`."""
        return (Draw(), Stop()) if self.need == Decide(seat) else ()

    def sample(self, below: Below) -> Number:
        """Answer a `Chance`: one more than ``below(6)``."""
        if not isinstance(self.need, Chance):
            raise comes_first(self.need)
        return Number(1 + below(HIGHEST))

    def apply(self, step: Step) -> ElevenState:
        """The state after ``step``. Raises `IllegalStep`."""
        fresh = replace(self, news=())
        match self.need, step:
            case Over(), _:
                raise comes_first(self.need)
            case _, Resigned(seats):
                return fresh._resigned(seats)
            case _, Exhausted():
                return fresh._over((), STANDSTILL)
            case Decide(), Draw():
                return replace(fresh, awaits=True)
            case Decide(seat), Stop():
                return fresh._told(Stopped(seat, self.sums[seat]))._leave(seat)
            case Chance(), Number(value):
                return fresh._drawn(value)
            case _:
                raise comes_first(self.need)

    def _drawn(self, value: int) -> ElevenState:
        if type(value) is not int or not 1 <= value <= HIGHEST:
            raise IllegalStep("a number from 1 to {highest} is drawn", highest=HIGHEST)
        seat = self.mover
        total = self.sums[seat] + value
        out = total > self.limit
        told = self._told(NumberDrawn(seat, value, total, out))
        sums = (*self.sums[:seat], total, *self.sums[seat + 1 :])
        after = replace(told, sums=sums, awaits=False)
        return after._leave(seat) if out else after._next()

    def _leave(self, *seats: Seat) -> ElevenState:
        """These draw no more; the game goes on if anybody does."""
        return replace(self, drawing=tuple(seat for seat in self.drawing if seat not in seats))._next()

    def _next(self) -> ElevenState:
        if self.drawing:
            after = [seat for seat in self.drawing if seat > self.mover]
            return replace(self, mover=(after or self.drawing)[0])
        counting = {seat: self.sums[seat] for seat in self.present if self.sums[seat] <= self.limit}
        most = max(counting.values(), default=0)
        return self._over(tuple(seat for seat, total in counting.items() if total == most), HIGHEST_SUM)

    def _resigned(self, gone: tuple[Seat, ...]) -> ElevenState:
        check_resigned(gone, self.present)
        left = tuple(seat for seat in self.present if seat not in gone)
        told = replace(self._told(*map(PlayerResigned, gone)), present=left)
        if len(left) < 2:
            return told._over(left, RESIGNATION)
        if self.mover in gone:
            return replace(told, awaits=False)._leave(*gone)
        return replace(told, drawing=tuple(seat for seat in self.drawing if seat in left))

    def _over(self, winners: tuple[Seat, ...], reason: str) -> ElevenState:
        ended = self._told(GameEnded(winners, reason))
        return replace(ended, drawing=(), awaits=False, result=Over(winners, reason))

    def _told(self, *events: Event) -> ElevenState:
        return replace(self, news=(*self.news, *events))


# --- bots ---


def choose_soberly(state: State, seat: Seat, rng: random.Random) -> Action:
    """Draw while more than half of the numbers are safe."""
    assert isinstance(state, ElevenState)
    return Draw() if state.limit - state.sums[seat] > HIGHEST // 2 else Stop()


def choose_with_a_look_round(state: State, seat: Seat, rng: random.Random) -> Action:
    """The same, but draw as well where another has stopped with more."""
    assert isinstance(state, ElevenState)
    to_beat = max((state.sums[s] for s in state.present if s not in state.drawing), default=0)
    if state.sums[seat] < to_beat <= state.limit:
        return Draw()
    return choose_soberly(state, seat, rng)


# --- the game ---

_WORD_OF: Mapping[Action, str] = {Draw(): "draw", Stop(): "stop"}
_ACTION_OF = {word: action for action, word in _WORD_OF.items()}


class Eleven(Game):
    """Two to four players, nothing hidden."""

    name: ClassVar[str] = "eleven"
    title: ClassVar[str] = "Eleven"
    seats: ClassVar[range] = SEATS
    options: ClassVar[Mapping[str, tuple[str, ...]]] = {"limit": LIMITS}
    deck: ClassVar[tuple[str, ...]] = ()
    rules: ClassVar[str] = Phrase(
        "ELEVEN, for two to four\n\nIn turn, draw a number from 1 to 6 or stop. Whoever comes above eleven is out. "
        "When nobody draws any more the highest sum wins; those who have equally many share the win.\n"
    )
    notation: ClassVar[str] = Phrase("draw      take another number\nstop      keep what you have\n")
    bots: ClassVar[Mapping[str, Bot]] = levels(choose_soberly, choose_with_a_look_round)

    def initial(self, seats: int, options: Mapping[str, str]) -> ElevenState:
        """The position before anything has happened; see `Game.initial`."""
        agreed = settle(self, seats, options)
        everybody = tuple(range(seats))
        return ElevenState(int(agreed["limit"]), (0,) * seats, everybody, everybody)

    def parse(self, text: str) -> Action:
        """``draw`` or ``stop``."""
        try:
            return _ACTION_OF[text]
        except KeyError:
            raise MalformedNotation("{text!r} is no action", hint="draw or stop", text=text) from None

    def write(self, action: Action) -> str:
        """``draw`` or ``stop``."""
        try:
            return _WORD_OF[action]
        except KeyError:
            raise MalformedNotation("{action} is no action of Eleven", action=type(action).__name__) from None

    def save(self, state: State) -> dict[str, Any]:
        """All that a state knows, as JSON data."""
        if not isinstance(state, ElevenState):
            raise IllegalStep("this is no position of Eleven")
        return {
            "limit": str(state.limit),
            "sums": list(state.sums),
            "drawing": list(state.drawing),
            "present": list(state.present),
            "mover": state.mover,
            "awaits": state.awaits,
            "result": plain.save_result(state.result),
        }

    def load(self, data: Mapping[str, Any]) -> ElevenState:
        """The state that ``save`` wrote."""
        return plain.load(self.title, data, self._read, self.save)

    def _read(self, data: Mapping[str, Any]) -> ElevenState:
        limit = int(LIMITS[LIMITS.index(data["limit"])])
        sums = tuple(plain.whole(value, 0, limit + HIGHEST) for value in data["sums"])
        seats = SEATS[SEATS.index(len(sums))]
        drawing, present = (plain.some_of(data[key], range(seats)) for key in ("drawing", "present"))
        result = plain.load_result(data["result"], range(seats), REASONS)
        mover, awaits = plain.one_of(data["mover"], range(seats)), plain.yes_or_no(data["awaits"])
        if (
            not set(drawing) <= set(present)
            or list(present) != sorted(present)
            or list(drawing) != sorted(drawing)
        ):
            raise ValueError(drawing)
        if (result is None) != (mover in drawing) or (awaits and result is not None):
            raise ValueError(mover)
        return ElevenState(limit, sums, drawing, present, mover, awaits, result)

    def record(self, events: Sequence[Event]) -> dict[str, Any]:
        """``events``: ``draw`` with seat, value, total and whether the seat is out; ``stop`` with seat and total."""
        return {"events": [_row(event) for event in events]}

    def tell(self, event: Event, names: Sequence[str]) -> str:
        """An event as a sentence."""
        match event:
            case NumberDrawn(seat, value, total, out):
                return Phrase(
                    "{name} draws {value}, makes {total}, and is out."
                    if out
                    else "{name} draws {value}: {total}.",
                    name=names[seat],
                    value=value,
                    total=total,
                )
            case Stopped(seat, total):
                return Phrase("{name} stops at {total}.", name=names[seat], total=total)
            case PlayerResigned(seat):
                return Phrase("{name} resigns.", name=names[seat])
            case _:
                return ""


def _row(event: Event) -> dict[str, Any]:
    match event:
        case NumberDrawn(seat, value, total, out):
            return {"type": "draw", "seat": seat, "value": value, "total": total, "out": out}
        case Stopped(seat, total):
            return {"type": "stop", "seat": seat, "total": total}
        case _:
            return happened.row(event)


GAME = Eleven()
