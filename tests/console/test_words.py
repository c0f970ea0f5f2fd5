"""Sentences: every one can be said, and nothing that the other side wrote is obeyed by the terminal."""

from __future__ import annotations

import string
from collections.abc import Iterator
from types import ModuleType

import pytest

from bcnet.games.balloon_cup import endings
from bcnet.table.faults import FaultKind
from bcnet_client.console import terminal, view, words
from bcnet_client.console.balloon_cup import FACE
from bcnet_client.console.balloon_cup import words as cup
from bcnet_client.telling import what_was_done
from tests.console.scenes import game


def sentences(module: ModuleType) -> Iterator[tuple[str, str]]:
    """All templates of a module, with their names."""
    for name, value in vars(module).items():
        if name.isupper():
            found = (
                value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else (value,)
            )
            for each in found:
                for text in each if isinstance(each, tuple) else (each,):
                    if isinstance(text, str):
                        yield f"{module.__name__}.{name}", text


@pytest.mark.parametrize("module", [words, cup])
def test_every_template_is_well_formed(module: ModuleType) -> None:
    count = 0
    for name, text in sentences(module):
        fields = [field for _, field, _, _ in string.Formatter().parse(text) if field is not None]
        assert all(field.isidentifier() for field in fields), name
        count += 1
    assert count > 30


def test_both_sides_of_an_event_have_the_same_values() -> None:
    for name, value in vars(cup).items():
        if name.isupper() and isinstance(value, tuple) and len(value) == 2 and all(value):
            own, others = ({f for _, f, _, _ in string.Formatter().parse(text) if f} for text in value)
            assert own <= others | {"name", "other"}, name


def test_every_event_of_many_games_is_told_without_seats() -> None:
    told = set()
    for seed in range(30):
        for scene in game(seed):
            for each in scene.story[-scene.fresh :]:
                text = view.tell(each.event, scene, FACE)
                assert "seat" not in text
                assert not text or (text[0].isupper() and text.endswith("."))
                if text:
                    told.add(type(each.event).__name__)
    assert len(told) >= 11


def test_every_ending_has_its_words() -> None:
    reasons = {value for name, value in vars(endings).items() if name.isupper() and isinstance(value, str)}
    assert set(cup.OUTCOMES) == reasons


def test_nothing_that_a_terminal_would_obey_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    terminal.say(["Seat 1 says '\x1b[2J\x07\x9b1m\u202eabc'."], ascii_only=False)
    assert capsys.readouterr().out == "Seat 1 says '?[2J??1m?abc'.\n"


def test_lines_that_others_print_are_overheard_whole() -> None:
    heard: list[str] = []
    out = terminal.Overheard(heard.append)
    for text in ("One li", "ne.\nAno", "ther.\n\n", "rest"):
        assert out.write(text) == len(text)
    assert heard == ["One line.", "Another."]
    assert out.writable()


def test_every_fault_has_words_for_people() -> None:
    said = [what_was_done(kind) for kind in FaultKind]
    assert len(set(said)) == len(said)
    assert all(text and text[-1].isalpha() for text in said)
