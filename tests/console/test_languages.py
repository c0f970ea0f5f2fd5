"""The console in German and Dutch: nothing of it is English, and nothing is cut off."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from bcnet import language
from bcnet_client.console import view
from bcnet_client.console import words as general
from bcnet_client.console.balloon_cup import FACE, words
from bcnet_client.console.face import Frame
from bcnet_client.console.scene import Scene
from bcnet_client.console.text import plain, width
from bcnet_client.console.view import Pane
from bcnet_client.console.words import say
from scripts.lib import messages
from tests.console.scenes import game
from tests.console.screens import DENSE, SHOTS, WIDE, Shot, at
from tests.console.terminal import Terminal, alone, terminal

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


# --- a whole game in a terminal ---


def answer_for(screen: Terminal) -> str | None:
    """What to type now; None while nothing is asked. Commands and moves are typed the same in every language."""
    status, prompt = screen.lines[-2:]
    answers = {
        say(words.PROMPT_EXCHANGE): ("1 2", words.CALL_EXCHANGE),
        say(words.PROMPT_SKIP): ("pass", words.CALL_SKIP),
        say(words.PROMPT_CLAIM): ("1", words.CALL_CLAIM),
        say(general.PROMPT): ("1", words.CALL_PLAY),
    }
    for shown, (text, call) in answers.items():
        if prompt.strip() == shown.strip() and status.strip().startswith(say(call, example="").strip()):
            return text
    return None


@pytest.mark.end_to_end
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize(
    ("columns", "rows", "most"), [(80, 24, None), (60, 20, 3)], ids=["to its end", "given up"]
)
def test_a_game_in_a_terminal(name: str, columns: int, rows: int, most: int | None, tmp_path: Path) -> None:
    """Nothing that stands on the screen in between is English; ``most``: moves after which it is given up."""
    command = alone("--home", str(tmp_path / "home"), "--seat", "1", "--seed", "13")
    language.use(name)
    the_end = say(general.LEAVE).rstrip(".")
    with terminal(command, columns=columns, rows=rows, env={"BCNET_LANG": name}) as screen:
        seen = set()

        def await_question() -> bool:
            """Whether something is asked; else the game is over."""
            screen.wait_until(lambda: answer_for(screen) or the_end in screen.words, "a question or the end")
            seen.add(screen.text)
            return the_end not in screen.words

        def enter(text: str) -> None:
            before = screen.text
            screen.enter(text)
            screen.wait_until(lambda: screen.text != before and _is_empty(screen), f"{text} to be taken")
            seen.add(screen.text)

        await_question()
        for text in ("help", "rules", "keys", "score", "moves", "nonsense", "r1 9", "board"):
            enter(text)
        moves = 0
        while await_question() and moves != most:
            moves += 1
            enter(answer_for(screen) or "1")
        if most is not None:
            enter("resign")
            enter(say(general.YES[-1]))
            assert not await_question()
        screen.enter("")
        screen.finish()
        seen.add(screen.text)
    assert moves == most if most else moves > 20
    assert english_in("\n\n".join(seen), name) == []


def _is_empty(screen: Terminal) -> bool:
    """Whether nothing stands in the line that is typed."""
    return screen.lines[-1].rstrip().endswith((">", say(general.ASK_RESIGN_PROMPT).rstrip()))
