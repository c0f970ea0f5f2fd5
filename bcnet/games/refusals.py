"""Refusals that every game has. A function returns the error for its caller to raise; a ``check_`` raises it."""

from __future__ import annotations

from collections.abc import Sequence

from bcnet.errors import IllegalStep, listed
from bcnet.games.interface import Chance, Choose, Deal, Decide, Need, Over, Seat, Shuffle


def no_such_seat(seat: object, seats: int) -> IllegalStep:
    """A seat that a game for so many does not have."""
    return IllegalStep(
        "there is no seat {seat}",
        hint="The seats are {seats}.",
        seat=seat,
        seats=listed([*map(str, range(seats))]),
    )


def check_resigned(seats: Sequence[Seat], present: Sequence[Seat]) -> None:
    """Those who resign are all still in the game, each named once, ascending."""
    if not seats or list(seats) != sorted(set(seats) & set(present)):
        raise IllegalStep(
            "{seats} cannot resign together: name seats of this game, each once, ascending", seats=seats
        )


def comes_first(need: Need) -> IllegalStep:
    """A step of another kind than the one needed."""
    match need:
        case Chance(purpose):
            return IllegalStep("chance comes first: {purpose}", purpose=purpose)
        case Shuffle():
            return IllegalStep("the cards must be shuffled first")
        case Deal():
            return IllegalStep("the cards that are due must be dealt first")
        case Decide(seat):
            return IllegalStep("seat {seat} has something else to decide now", seat=seat)
        case Choose(seats):
            return IllegalStep("these seats choose at once first: {seats}", seats=", ".join(map(str, seats)))
        case Over(_, reason):
            return IllegalStep("the game is over ({reason})", reason=reason)
