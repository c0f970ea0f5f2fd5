"""The games that there are, by name. A game is imported when it is first asked for.

What there is to know of a game before that stands here: its name, and the options that a command line offers. All
else is found by the name, with ``_`` for ``-``: the rules in ``bcnet.games.NAME.game``, and whatever other packages
have for a game in a module of that name (`part`). docs/adding-a-game.md says how a game is added.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from bcnet.errors import BcnetError, Phrase, UsageError
from bcnet.games.interface import Game


@dataclass(frozen=True, slots=True)
class Option:
    """Something that is agreed before a game."""

    values: Mapping[str, Phrase]
    """Those in `Game.options`, the default first; and what is agreed by each, the end of a sentence."""
    meaning: Phrase
    """A sentence for the help of commands; it begins with the title of the game."""


_GAMES: Mapping[str, Mapping[str, Option]] = {
    "balloon-cup": {
        "fill": Option(
            {
                "designer": Phrase("no tile gets three or four grey cubes, or four blue ones"),
                "blind": Phrase("tiles get cubes as they come"),
                "capped": Phrase(
                    "all tiles together get at most 2 grey, 3 blue, 4 green, 5 yellow and 6 red"
                ),
            },
            Phrase("Balloon Cup: how tiles get cubes."),
        ),
    },
    "stones": {
        "penalties": Option(
            {
                "off": Phrase("no stone can be laid against the rules"),
                "on": Phrase("a stone may be laid against the rules, and costs points if anybody objects"),
            },
            Phrase(
                "Stones: whether a stone may be laid against the rules, and costs points if anybody objects."
            ),
        ),
    },
    "edel": {},
}
"""By name, with the options by their names. No two games have an option of one name. The first game is the default."""


def names() -> tuple[str, ...]:
    """The names of all games, the default one first."""
    return tuple(_GAMES)


def options(name: str) -> Mapping[str, Option]:
    """The options of a game, without importing it. Raises `UsageError` if there is no such game."""
    if name not in _GAMES:
        raise _no_such_game(name, names())
    return _GAMES[name]


class DefectiveGame(BcnetError):
    """An entry of the registry whose package is not the game that the entry says; for whoever adds one."""

    def __init__(self, name: str, lacks: Phrase) -> None:
        super().__init__(
            "the game {name!r} of bcnet/games/registry.py is not complete: {lacks}",
            hint="docs/adding-a-game.md says what a game must have.",
            name=name,
            lacks=lacks,
        )


def get(name: str) -> Game:
    """The game of this name. Raises `UsageError` if there is none, and `DefectiveGame` if its package lacks something
    that every game has.
    """
    known = options(name)
    module = f"bcnet.games.{_module(name)}.game"
    try:
        game = getattr(import_module(module), "GAME", None)
    except Exception as error:
        raise DefectiveGame(
            name, Phrase("{module} cannot be imported ({error})", module=module, error=repr(error))
        ) from error
    if not isinstance(game, Game):
        raise DefectiveGame(name, Phrase("{module} has no GAME that is a Game", module=module))
    if missing := [each for each in Game.__annotations__ if not hasattr(game, each)]:
        raise DefectiveGame(
            name, Phrase("{game} has no {missing}", game=type(game).__name__, missing=", ".join(missing))
        )
    if game.name != name:
        raise DefectiveGame(name, Phrase("it calls itself {other!r}", other=game.name))
    if game.options != (entry := {key: tuple(option.values) for key, option in known.items()}):
        raise DefectiveGame(
            name,
            Phrase("its options are {options}, and its entry has {entry}", options=game.options, entry=entry),
        )
    return game


def part(name: str, package: str) -> ModuleType | None:
    """What a package has for the game of this name: its module that is called after the game; None if there is none."""
    module = f"{package}.{_module(name)}"
    return import_module(module) if name in _GAMES and find_spec(module) is not None else None


def _module(name: str) -> str:
    return name.replace("-", "_")


def _no_such_game(name: str, known: tuple[str, ...]) -> UsageError:
    return UsageError(
        "there is no game {name!r}", hint="There is: {names}", name=name, names=", ".join(known)
    )
