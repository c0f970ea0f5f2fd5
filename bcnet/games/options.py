"""The seats and options that a game is opened with."""

from __future__ import annotations

from collections.abc import Mapping

from bcnet.errors import IllegalStep
from bcnet.games.interface import Game

_WORDS = ("none", "one", "two", "three", "four", "five")


def settle(game: Game, seats: int, options: Mapping[str, str]) -> dict[str, str]:
    """All options of the game, with the default for each that is not given.

    Raises `IllegalStep` for a number of seats, an option or a value that the game does not have.
    """
    if seats not in game.seats:
        ends = dict.fromkeys((game.seats[0], game.seats[-1]))
        raise IllegalStep(
            "{title} is a game for {players}, not for {seats}",
            title=game.title,
            players=" to ".join(_WORDS[end] for end in ends),
            seats=seats,
        )
    for name, value in options.items():
        allowed = game.options.get(name)
        if allowed is None:
            raise IllegalStep(
                "{title} has no option {name}",
                hint="It has: {options}" if game.options else "It has no options of its own.",
                title=game.title,
                name=name,
                options=", ".join(game.options),
            )
        if value not in allowed:
            raise IllegalStep(
                "the option {name} has no value {value}",
                hint="It may be {allowed}.",
                name=name,
                value=value,
                allowed=", ".join(allowed),
            )
    return {name: options.get(name, values[0]) for name, values in game.options.items()}
