"""The console in German and Dutch: nothing of it is English, and nothing is cut off."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from bcnet import language
from bcnet_client.console import view
from bcnet_client.console.balloon_cup import FACE
from bcnet_client.console.face import Frame
from bcnet_client.console.scene import Scene
from bcnet_client.console.text import plain, width
from bcnet_client.console.view import Pane
from scripts.lib import messages
from tests.console.scenes import game
from tests.console.screens import DENSE, SHOTS, WIDE, Shot, at

OTHERS = [name for name in language.LANGUAGES if name != language.ENGLISH]
PAGES = (view.MOVES, view.HAND, view.SCORE, view.STORY, view.KEYS, view.HELP, *FACE.topics)


@pytest.fixture(autouse=True)
def english_afterwards() -> Iterator[None]:
    yield
    language.use(language.ENGLISH)


@cache
def english_sentences(name: str) -> list[re.Pattern[str]]:
    """What must not be on a screen in this language: sentences of three words or more that it says otherwise."""
    patterns = []
    for message in messages.read(name):
        ids = [message.id] if isinstance(message.id, str) else [*message.id]
        for text in filter(None, ids):
            bare = re.sub(r"{[^}]*}", " ", text)
            if text not in (message.string or ()) and len(re.findall(r"[A-Za-z']{2,}", bare)) > 2:
                parts = re.split(r"{[^}]*}", " ".join(text.split()))
                patterns.append(
                    re.compile(r"\b" + ".{1,40}?".join(map(re.escape, parts)) if parts[0] else text)
                )
    return patterns


def english_in(text: str, name: str) -> list[str]:
    collapsed = " ".join(text.split())
    return [each.pattern for each in english_sentences(name) if each.search(collapsed)]


def drawn(scene: Scene, pane: Pane, frame: Frame) -> list[str]:
    return [plain(each) for each in view.render(scene, pane, FACE, frame)]


def marks(lines: list[str]) -> int:
    return sum(each.count("…") for each in lines)


def test_english_is_recognised() -> None:
    language.use("de")
    assert english_in("It says: Waiting for the other player. Ctrl-C closes\nthe table. Well.", "de")
    assert english_in("Bob lays red 13 next to tile 2, on your side.", "de")
    assert not english_in("Bob legt Rot 13 an Plättchen 2, auf deine Seite.", "de")


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("frame", [WIDE, DENSE, Frame(100, 30)], ids=str)
@pytest.mark.parametrize("shot", SHOTS, ids=lambda shot: shot.name)
def test_screens(shot: Shot, frame: Frame, name: str) -> None:
    scene = shot.scene()
    pane = replace(shot.pane, answer="", ask="", heard="")  # these were said when they came
    english = drawn(scene, pane, frame)
    language.use(name)
    lines = drawn(scene, pane, frame)
    assert {width(each) for each in lines} <= {frame.columns, 0}
    assert marks(lines) <= marks(english), "something is cut off"
    assert english_in("\n".join(lines), name) == []


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("page", PAGES)
def test_pages(page: str, name: str) -> None:
    for frame in (WIDE, DENSE):
        language.use(name)
        _, lines = view.page(page, at(1, 62), FACE, frame.columns - 2)
        assert max(width(each) for each in lines) <= frame.columns - 2
        assert english_in("\n".join(plain(each) for each in lines), name) == []


@pytest.mark.parametrize("name", OTHERS)
def test_a_game_from_its_beginning_to_its_end(name: str) -> None:
    for scene in itertools.islice(game(13), 0, None, 5):
        for frame in (WIDE, DENSE):
            language.use(language.ENGLISH)
            english = drawn(scene, Pane(), frame)
            language.use(name)
            lines = drawn(scene, Pane(), frame)
            assert marks(lines) <= marks(english), lines
            assert english_in("\n".join(lines), name) == []
