"""When a game is drawn, and the words for how games end (docs/games.md, Drawn games). All of it is public knowledge."""

from __future__ import annotations

from bcnet.errors import Phrase
from bcnet.games.balloon_cup.board import Board
from bcnet.games.balloon_cup.material import CARDS_OF, NO_CUBES, add
from bcnet.games.balloon_cup.tiles import blocked_tiles
from bcnet.games.balloon_cup.trophies import anybody_can_reach_third

THIRD_TROPHY = "third-trophy"
RESIGNATION = "resignation"
NO_PLAY_LEFT = "no-play-left"
NO_THIRD_TROPHY = "no-third-trophy"
STANDSTILL = "standstill"
REASONS = (THIRD_TROPHY, RESIGNATION, NO_PLAY_LEFT, NO_THIRD_TROPHY, STANDSTILL)
IN_WORDS = (
    Phrase("third trophy"),
    Phrase("resignation"),
    Phrase("no play left"),
    Phrase("no third trophy"),
    Phrase("standstill"),
)
"""The same as `Over.told` says them."""

IDLE_PASSES = 4
"""So many passes in a row, each after exchanging nothing, end the game."""


def drawn_because(board: Board, idle: int) -> str | None:
    """Why the game is drawn at the start of a turn; None if it goes on. ``idle`` counts the passes in a row."""
    if not play_left(board):
        return NO_PLAY_LEFT
    if not third_trophy_left(board):
        return NO_THIRD_TROPHY
    if idle >= IDLE_PASSES:
        return STANDSTILL
    return None


def play_left(board: Board) -> bool:
    """Whether some open place could take a card that does not lie next to a tile."""
    elsewhere = ~board.lying
    for places, cards in zip(board.room, CARDS_OF, strict=True):  # noqa: SIM110 (asked at every turn, and slower)
        if places and cards & elsewhere:
            return True
    return False


def third_trophy_left(board: Board) -> bool:
    """Whether either player could still reach three trophies with the cubes that can still be won.

    Some tile must be in the game; else there is no play left.
    """
    if not board.scarce:
        return board.in_reach  # no tile is blocked
    blocked = blocked_tiles(board.tiles)
    if all(tile in blocked for tile in board.tiles if tile.in_play):
        return False
    lost = NO_CUBES
    for tile in blocked:
        lost = add(lost, tile.cubes)
    return anybody_can_reach_third(board.won, board.owners, board.box, lost)
