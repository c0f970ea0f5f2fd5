"""The games that there are, by name. A game is imported when it is first asked for."""

from __future__ import annotations

from importlib import import_module

from bcnet.errors import UsageError
from bcnet.games.interface import Game

_MODULES = {
    "balloon-cup": "bcnet.games.balloon_cup.game",
    "stones": "bcnet.games.stones.game",
    "edel": "bcnet.games.edel.game",
}
"""Each module has the game as ``GAME``. The first is the default."""


def names() -> tuple[str, ...]:
    """The names of all games, the default one first."""
    return tuple(_MODULES)


def get(name: str) -> Game:
    """The game of this name. Raises `UsageError` if there is none."""
    if name not in _MODULES:
        raise _no_such_game(name, names())
    game = import_module(_MODULES[name]).GAME
    assert isinstance(game, Game)
    assert game.name == name
    return game


def _no_such_game(name: str, known: tuple[str, ...]) -> UsageError:
    return UsageError(
        "there is no game {name!r}", hint="There is: {names}", name=name, names=", ".join(known)
    )
