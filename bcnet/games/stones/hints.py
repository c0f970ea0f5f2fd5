"""Advice for a player: what the simple player (`bots`) would do in its place, and why, in the player's terms.

The reasons are data, and ``in_words`` says them.
"""

from __future__ import annotations

from dataclasses import dataclass

from bcnet.errors import Phrase
from bcnet.games.interface import Action, Seat
from bcnet.games.stones.actions import Agree, Lay, Object, Pass
from bcnet.games.stones.bots import Prospect, lies_by_the_rules, prospects
from bcnet.games.stones.material import Colour
from bcnet.games.stones.state import Phase, StonesState


class Reason:
    """Why an action is good. All reasons are frozen dataclasses."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Brings(Reason):
    """A stone's points, and the most that the next player can score right after it."""

    points: int
    doubled: bool
    answer: int


@dataclass(frozen=True, slots=True)
class KeepsLast(Reason):
    """The last stone of a colour, which counts double, would bring more now, and waits for a better place still."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class NextBest(Reason):
    """What comes next, with the same of it."""

    lay: Lay
    points: int
    answer: int


@dataclass(frozen=True, slots=True)
class BreaksRule(Reason):
    """The stone just laid breaks a laying rule, and which."""

    why: str


@dataclass(frozen=True, slots=True)
class LiesByTheRules(Reason):
    """The stone just laid breaks no rule."""


@dataclass(frozen=True, slots=True)
class NothingFits(Reason):
    """No stone can be laid by the rules."""


@dataclass(frozen=True, slots=True)
class Hint:
    """What to do and why."""

    action: Action
    reasons: tuple[Reason, ...]
    """At least one, the most important first."""


def hint(state: StonesState, seat: Seat) -> Hint:
    """The best action of a seat that has to decide, as far as one stone ahead shows. Raises ValueError where it has
    nothing to decide.
    """
    if not state.legal_actions(seat):
        raise ValueError(f"seat {seat} has nothing to decide")
    if state.phase is Phase.OBJECTIONS:
        return _objection(state)
    found = sorted(prospects(state, seat), key=lambda each: -each.gain)
    if not found:
        return Hint(Pass(), (NothingFits(),))
    best, *rest = found
    doubled = bool(state.field.stones) and state.supply(seat)[best.lay.colour] == 1
    reasons: list[Reason] = [Brings(best.points, doubled, best.answer)]
    waiting = [each for each in rest if each.kept and each.lead > best.lead]
    if waiting:
        reasons.append(KeepsLast(max(waiting, key=_lead).lay.colour))
    if rest:
        reasons.append(NextBest(rest[0].lay, rest[0].points, rest[0].answer))
    return Hint(best.lay, tuple(reasons))


def _lead(prospect: Prospect) -> float:
    return prospect.lead


def _objection(state: StonesState) -> Hint:
    if lies_by_the_rules(state):
        return Hint(Agree(), (LiesByTheRules(),))
    stone = state.field.stones[-1]
    assert state.before is not None
    broken = state.before.broken_rule(stone.colour, stone.place)
    assert broken is not None
    return Hint(Object(), (BreaksRule(broken.message),))


def in_words(advice: Hint) -> Phrase:
    """The reasons in one line."""
    said = _say(advice.reasons[-1])
    for reason in reversed(advice.reasons[:-1]):
        said = Phrase("{reason}; {others}", reason=_say(reason), others=said)
    return said


def _say(reason: Reason) -> Phrase:
    match reason:
        case Brings(points, True, answer):
            return Phrase(
                "brings {points} points, doubled, and leaves the next player {answer} at most",
                points=points,
                answer=answer,
            )
        case Brings(points, _, answer):
            return Phrase(
                "brings {count} point, and leaves the next player {answer} at most",
                many="brings {count} points, and leaves the next player {answer} at most",
                count=points,
                answer=answer,
            )
        case KeepsLast(colour):
            return Phrase("keeps your last {colour}, which counts double", colour=colour.word)
        case NextBest(lay, points, answer):
            return Phrase(
                "next best: {colour} {column} {row} ({points}, and {answer} for the next)",
                colour=lay.colour.word,
                column=lay.column,
                row=lay.row,
                points=points,
                answer=answer,
            )
        case BreaksRule(why):
            return Phrase("it breaks a rule: {why}", why=why)
        case LiesByTheRules():
            return Phrase("it breaks no rule")
        case NothingFits():
            return Phrase("nothing fits by the rules")
        case _:
            raise AssertionError(f"{reason!r} has no words")
