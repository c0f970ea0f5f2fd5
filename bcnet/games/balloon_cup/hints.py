"""Advice for the player on turn: the action that the search finds best, and why, in the player's terms.

The reasons follow from the rules and from what the position promises (`judgement`); they are data, so that a console
can say them in any language. ``english`` is one way to say them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from bcnet.games.balloon_cup.actions import Claim, Decline, Exchange, Pass, Play
from bcnet.games.balloon_cup.events import TileScored, TrophyClaimed
from bcnet.games.balloon_cup.judgement import SENSE, Outlook
from bcnet.games.balloon_cup.material import COLOUR_OF, COLOURS, TROPHIES_TO_WIN, Colour, Cubes, say
from bcnet.games.balloon_cup.state import BalloonCupState
from bcnet.games.balloon_cup.trophies import natural_claim
from bcnet.games.interface import Action, Card, Seat
from bcnet.games.search import Budget, search

_WORTH_KEEPING = 0.08
"""A card is kept for a tile where it would raise the chance to win it by at least this."""
_NOTICEABLE = 0.01
"""A smaller change of a chance is none."""


# --- reasons ---


class Reason:
    """Why an action is good. All reasons are frozen dataclasses."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class WinsGame(Reason):
    """It brings the third trophy."""


@dataclass(frozen=True, slots=True)
class EndsTile(Reason):
    """It fills a tile, which is scored: for the player if ``won``."""

    tile: int
    won: bool
    mine: int
    theirs: int
    """The sums; where they are equal, whoever laid the last card has won."""
    cubes: Cubes


@dataclass(frozen=True, slots=True)
class TakesTrophy(Reason):
    """A trophy comes with it; the other's if not ``mine``."""

    trophy: Colour
    mine: bool


@dataclass(frozen=True, slots=True)
class ChangesChance(Reason):
    """How likely the player is to win a tile, from 0 to 1, before and after a card on one's own side or (``spoils``)
    on the other's.
    """

    tile: int
    spoils: bool
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class KeepsCard(Reason):
    """A card stays in hand for a tile."""

    card: Card
    tile: int


@dataclass(frozen=True, slots=True)
class NothingFits(Reason):
    """No card can be played; so many are exchanged."""

    exchanged: int


@dataclass(frozen=True, slots=True)
class SavesCubes(Reason):
    """A claim can be made later, too."""


@dataclass(frozen=True, slots=True)
class OnlyChoice(Reason):
    """There is nothing else to do."""


@dataclass(frozen=True, slots=True)
class Hint:
    """What to do and why."""

    action: Action
    reasons: tuple[Reason, ...]
    """At least one, the most important first."""
    chance: float
    """The chance to win with it, from 0 to 1, as far as the search can tell."""
    next_best: Action | None
    next_chance: float
    """The same for the action that comes next; 0 if there is none."""


# --- finding them ---


def hint(state: BalloonCupState, seat: Seat, rng: random.Random, budget: Budget) -> Hint:
    """The best action of a seat that has to decide, from what it can see alone. Raises ValueError where it has nothing
    to decide.
    """
    view = state.view(seat)
    findings = search(view, seat, SENSE, rng, budget)
    best = findings[0]
    why = tuple(reasons(view, seat, best.action))
    if len(findings) == 1:
        return Hint(best.action, (*why, OnlyChoice()), best.chance, None, 0.0)
    second = findings[1]
    return Hint(best.action, why, best.chance, second.action, second.chance)


def reasons(view: BalloonCupState, seat: Seat, action: Action) -> Iterator[Reason]:
    """What speaks for a legal action of a seat, as far as ``view`` shows; one reason or more."""
    match action:
        case Play():
            yield from _reasons_for_play(view, seat, action)
        case Exchange(cards):
            yield NothingFits(len(cards))
        case Pass():
            yield NothingFits(0)
        case Claim():
            yield from _outcome(view.apply(action), seat)
        case Decline():
            yield SavesCubes()
        case _:
            raise AssertionError(f"{action!r} is no action of Balloon Cup")


def _outcome(after: BalloonCupState, seat: Seat) -> Iterator[Reason]:
    """What an action brings about at once, the end of the game first; a trophy is taken once the tile is refilled."""
    found: list[Reason] = []
    board = after.board
    for event in after.news:
        match event:
            case TileScored(number, _, winner, totals, cubes):
                found.append(EndsTile(number, winner == seat, totals[seat], totals[1 - seat], cubes))
                while (claim := natural_claim(board.won[winner], board.owners)) is not None:
                    board = board.paid(winner, claim)
                    found.append(TakesTrophy(claim.trophy, winner == seat))
            case TrophyClaimed(owner, trophy, _, _):
                found.append(TakesTrophy(trophy, owner == seat))
            case _:
                pass
    if board.owners.count(seat) >= TROPHIES_TO_WIN:
        found.insert(0, WinsGame())
    return iter(found)


def _reasons_for_play(view: BalloonCupState, seat: Seat, play: Play) -> Iterator[Reason]:
    after = view.apply(play)
    at_once = tuple(_outcome(after, seat))
    yield from at_once
    before = Outlook(view, seat)
    if not at_once:
        index = play.tile - 1
        chance = Outlook(after, seat).chances[index]
        yield ChangesChance(play.tile, play.side != seat, before.chances[index], chance)
    kept = _kept(view, seat, play)
    if kept is not None:
        yield kept


def _kept(view: BalloonCupState, seat: Seat, play: Play) -> KeepsCard | None:
    """The card of the same colour that would help most on the player's own side of another tile."""
    colour = COLOUR_OF[play.card]
    now = Outlook(view, seat)
    best, found = _WORTH_KEEPING, None
    for action in view.legal_actions(seat):
        match action:
            case Play(card, number, side) if (
                side == seat and number != play.tile and card != play.card and COLOUR_OF[card] is colour
            ):
                index = number - 1
                gained = Outlook(view.apply(action), seat).chances[index] - now.chances[index]
                if gained > best:
                    best, found = gained, KeepsCard(card, number)
            case _:
                pass
    return found


# --- saying them ---


def english(advice: Hint) -> str:
    """The reasons in one line."""
    chance = f"about {advice.chance:.0%} to win"
    return f"{'; '.join(_say(reason) for reason in advice.reasons)} ({chance})"


def _say(reason: Reason) -> str:
    match reason:
        case WinsGame():
            return "wins the game"
        case EndsTile(tile, won, mine, theirs, cubes):
            verb = "wins" if won else "gives up"
            what = ", ".join(f"{cubes[colour]} {colour.word}" for colour in COLOURS if cubes[colour])
            return f"{verb} tile {tile} at {mine} against {theirs} ({what})"
        case TakesTrophy(trophy, mine):
            return f"takes the {trophy.word} trophy" if mine else f"the other takes the {trophy.word} trophy"
        case ChangesChance(tile, spoils, before, after):
            return _say_chance(tile, before, after, spoils=spoils)
        case KeepsCard(card, tile):
            return f"keeps your {say(card)} for tile {tile}"
        case NothingFits(0):
            return "nothing in your hand fits"
        case NothingFits(count):
            return f"nothing in your hand fits; {count} new cards may"
        case SavesCubes():
            return "the cubes are better spent later"
        case OnlyChoice():
            return "there is nothing else to do"
        case _:
            raise AssertionError(f"{reason!r} has no words")


def _say_chance(tile: int, before: float, after: float, *, spoils: bool) -> str:
    percents = f"{before:.0%} to {after:.0%}"
    if after > before + _NOTICEABLE:
        how = "spoils it for the other: your chance rises" if spoils else "your chance rises"
        return f"tile {tile}: {how} from {percents}"
    if after < before - _NOTICEABLE:
        return f"tile {tile}: costs least here, your chance falls from {percents}"
    return f"tile {tile}: leaves your chance at {after:.0%}"
