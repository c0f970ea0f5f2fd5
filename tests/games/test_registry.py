"""The registry: what is said of an entry whose game is not complete."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from types import ModuleType

import pytest

from bcnet import cli
from bcnet.errors import Exit, Phrase
from bcnet.games import registry
from bcnet.games.registry import DefectiveGame, Option
from tests.adding.eleven import GAME, Eleven
from tests.games.sayings import check_refusal

NAME = "eleven"
MODULE = "bcnet.games.eleven.game"


def enter(patch: pytest.MonkeyPatch, game: object | None, options: Mapping[str, Iterable[str]]) -> None:
    """Put an entry into the registry; None for a game whose module has none."""
    entry = {
        key: Option(dict.fromkeys(values, Phrase("limited")), Phrase("Eleven."))
        for key, values in options.items()
    }
    patch.setattr(registry, "_GAMES", {**registry._GAMES, NAME: entry})
    module = ModuleType(MODULE)
    if game is not None:
        module.GAME = game  # type: ignore[attr-defined]
    patch.setitem(sys.modules, MODULE, module)


def test_a_game_that_is_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    enter(monkeypatch, GAME, GAME.options)
    assert registry.get(NAME) is GAME


class Renamed(Eleven):
    name = "twelve"


LIMITS = GAME.options


@pytest.mark.parametrize(
    ("game", "options", "lacks"),
    [
        (None, LIMITS, f"{MODULE} has no GAME that is a Game"),
        (Eleven, LIMITS, f"{MODULE} has no GAME that is a Game"),  # the class, and no game
        (Renamed(), LIMITS, "it calls itself 'twelve'"),
        (GAME, {}, "its options are {'limit': ('11', '21')}, and its entry has {}"),
        (GAME, {"limit": ("21", "11")}, "and its entry has {'limit': ('21', '11')}"),
    ],
)
def test_what_an_entry_lacks_is_said(
    game: object | None, options: Mapping[str, Iterable[str]], lacks: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    enter(monkeypatch, game, options)
    with pytest.raises(DefectiveGame, match=re.escape(lacks)) as error:
        registry.get(NAME)
    assert "the game 'eleven' of bcnet/games/registry.py" in error.value.message
    assert "docs/adding-a-game.md" in error.value.hint
    check_refusal(GAME, error.value)


def test_what_a_game_does_not_say_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    enter(monkeypatch, GAME, GAME.options)
    for missing in ("title", "bots"):
        monkeypatch.delattr(Eleven, missing)
    with pytest.raises(DefectiveGame, match=r"Eleven has no title, bots$"):
        registry.get(NAME)


def test_an_entry_without_a_package_in_a_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(registry, "_GAMES", {**registry._GAMES, NAME: {}})
    with pytest.raises(SystemExit) as ended:
        cli.main(["rules", NAME])
    assert ended.value.code == Exit.DEFECT
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("bcnet: the game 'eleven' of bcnet/games/registry.py is not complete: ")
    assert "No module named 'bcnet.games.eleven'" in first
    assert second == "  docs/adding-a-game.md says what a game must have."
