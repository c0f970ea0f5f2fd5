"""Positions for tests: fields drawn as text, and games told as moves."""

from __future__ import annotations

from dataclasses import replace

from bcnet.games import get
from bcnet.games.interface import Chosen, Seat
from bcnet.games.stones.actions import Agree, Object, Starter
from bcnet.games.stones.field import Field, Stone
from bcnet.games.stones.material import COLOURS, STONES_OF_A_COLOUR, Colour
from bcnet.games.stones.state import StonesState

GAME = get("stones")
_LETTERS = {colour.word[0]: colour for colour in COLOURS}


def colour(word: str) -> Colour:
    return Colour[word.upper()]


def field(*rows: str, span: int = 6, seat: Seat = 0) -> Field:
    """The upper row first, its letters being columns; the lower left corner is at 0 0. All stones are one seat's."""
    stones = [
        Stone(seat, _LETTERS[letter], (column, row))
        for row, line in enumerate(reversed(rows))
        for column, letter in enumerate(line.replace(" ", ""))
        if letter != "."
    ]
    return Field(span, tuple(stones))


def start(seats: int = 2, *, penalties: bool = False, first: Seat = 0) -> StonesState:
    """A game in which it has been drawn who begins."""
    return StonesState.start(seats, penalties=penalties).apply(Starter(first))


def on(lying: Field, mover: Seat, seats: int = 2, *, penalties: bool = False) -> StonesState:
    """This seat is on turn at this field."""
    begun = start(seats, penalties=penalties)
    return replace(begun, field=lying, mover=mover)


def left(lying: Field, *letters: str, penalties: bool = False) -> StonesState:
    """Each seat has only the stones of these letters left, and seat 0 is on turn.

    The stones that lie are nobody's; those that the seats no longer have are on a heap under the first of them.
    """
    heap = [
        Stone(seat, each, lying.stones[0].place)
        for seat, kept in enumerate(letters)
        for each in COLOURS
        for _ in range(STONES_OF_A_COLOUR - kept.count(each.word[0]))
    ]
    nobodys = [stone._replace(seat=-1) for stone in lying.stones]
    return on(Field(lying.span, (*heap, *nobodys)), 0, len(letters), penalties=penalties)


def act(state: StonesState, *moves: str) -> StonesState:
    """The moves of whoever is on turn. ``objections 1 2`` is what these seats say, and all others agree."""
    for move in moves:
        match move.split(" "):
            case ["objections", *seats]:
                said = [Object() if str(seat) in seats else Agree() for seat in state.others()]
                state = state.apply(Chosen(tuple(said)))
            case _:
                state = state.apply(GAME.parse(move))
    return state
