"""Advice for the player on turn: the action that the search finds best, and why, in the player's terms.

The reasons follow from the rules and from what the position promises (`judgement`); they are data, and ``in_words``
says them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from bcnet.errors import Phrase, in_a_row
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


def in_words(advice: Hint) -> Phrase:
    """The reasons in one line."""
    reasons = _say(advice.reasons[-1])
    for reason in reversed(advice.reasons[:-1]):
        reasons = Phrase("{reason}; {others}", reason=_say(reason), others=reasons)
    return Phrase("{reasons} (about {chance:.0%} to win)", reasons=reasons, chance=advice.chance)


def _say(reason: Reason) -> Phrase:
    match reason:
        case WinsGame():
            return Phrase("wins the game")
        case EndsTile(tile, won, mine, theirs, cubes):
            return Phrase(
                "wins tile {tile} at {mine} against {theirs} ({cubes})"
                if won
                else "gives up tile {tile} at {mine} against {theirs} ({cubes})",
                tile=tile,
                mine=mine,
                theirs=theirs,
                cubes=in_a_row(
                    [
                        Phrase("{count} {colour}", count=cubes[colour], colour=colour.word)
                        for colour in COLOURS
                        if cubes[colour]
                    ]
                ),
            )
        case TakesTrophy(trophy, mine):
            return Phrase(
                "takes the {trophy} trophy" if mine else "the other takes the {trophy} trophy",
                trophy=trophy.word,
            )
        case ChangesChance(tile, spoils, before, after):
            return _say_chance(tile, before, after, spoils=spoils)
        case KeepsCard(card, tile):
            return Phrase("keeps your {card} for tile {tile}", card=say(card), tile=tile)
        case NothingFits(0):
            return Phrase("nothing in your hand fits")
        case NothingFits(count):
            return Phrase("nothing in your hand fits; {count} new cards may", count=count)
        case SavesCubes():
            return Phrase("the cubes are better spent later")
        case OnlyChoice():
            return Phrase("there is nothing else to do")
        case _:
            raise AssertionError(f"{reason!r} has no words")


def _say_chance(tile: int, before: float, after: float, *, spoils: bool) -> Phrase:
    if after > before + _NOTICEABLE:
        return Phrase(
            "tile {tile}: spoils it for the other: your chance rises from {before:.0%} to {after:.0%}"
            if spoils
            else "tile {tile}: your chance rises from {before:.0%} to {after:.0%}",
            tile=tile,
            before=before,
            after=after,
        )
    if after < before - _NOTICEABLE:
        return Phrase(
            "tile {tile}: costs least here, your chance falls from {before:.0%} to {after:.0%}",
            tile=tile,
            before=before,
            after=after,
        )
    return Phrase("tile {tile}: leaves your chance at {after:.0%}", tile=tile, after=after)
