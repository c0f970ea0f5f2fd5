"""What a game says: its events in words, the record of them, and its refusals. Part of `conformance`.

A sentence can be told in every language if ``scripts/messages`` finds it in the code (`sentences`); that each one found
is translated is what ``scripts/check`` watches over.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import bcnet.errors
import bcnet.games
from bcnet import language
from bcnet.errors import BcnetError, IllegalStep, Phrase
from bcnet.games.interface import Event, Game, Over, State, Step
from scripts.lib import extracting

RECORDS = Path(__file__).resolve().parents[2] / "docs/records.md"
COMMON = "Rows that all games have"
"""The section of docs/records.md with the rows of `bcnet.games.happened`."""


# --- sentences ---


@cache
def sentences(game: type[Game]) -> frozenset[str]:
    """All that ``scripts/messages`` finds to be translated in what all games have and in this one's own code."""
    paths = {Path(bcnet.errors.__file__), *Path(bcnet.games.__path__[0]).rglob("*.py")}
    if source := inspect.getsourcefile(game):
        paths.add(Path(source))
    errors = extracting.error_classes(paths)
    found: set[str] = set()
    for path in paths:
        with path.open("rb") as file:
            for _, _, texts, _ in extracting.extract(file, (), (), {"errors": errors}):
                found |= {texts} if isinstance(texts, str) else set(texts)
    return frozenset(found)


def check_sentences(game: Game, *texts: str) -> None:
    """Each is a `Phrase`, found by ``scripts/messages`` with all phrases in it, and can be told in every language."""
    for text in texts:
        assert isinstance(text, Phrase), f"{text!r} can be told in English alone: it is no Phrase"
        templates = frozenset(_templates(text))
        if (type(game), templates) in _CHECKED:
            continue
        unknown = templates - sentences(type(game))
        assert not unknown, f"scripts/messages does not find {sorted(unknown)}"
        for spoken in language.LANGUAGES:
            with speaking(spoken):
                assert language.told(text)
        _CHECKED.add((type(game), templates))


_CHECKED: set[tuple[type[Game], frozenset[str]]] = set()
"""Whatever the values, the sentence is the same."""


def _templates(text: Phrase) -> Iterator[str]:
    """The templates of a phrase and of all phrases in it that have something to translate."""
    yield from (each for each in (text.template, text.many) if extracting.says(each))
    for value in text.values.values():
        if isinstance(value, Phrase):
            yield from _templates(value)


@contextmanager
def speaking(name: str) -> Iterator[None]:
    """In this language, and then in the one before."""
    before = language.name()
    language.use(name)
    try:
        yield
    finally:
        language.use(before)


def check_refusal(game: Game, error: BcnetError) -> None:
    """A person can read why, and in every language."""
    assert readable(error), error
    check_sentences(game, error.message, *[error.hint] * bool(error.hint))


def readable(error: BcnetError) -> bool:
    """Template and hint can be filled in, and nothing of Python's shows."""
    text = error.message + error.hint
    return bool(error.message) and not re.search(r"object at 0x|<|(Error|Exception)\(", text)


# --- events ---


def check_told(game: Game, state: State, hidden: Iterable[str] = ()) -> None:
    """Each event has words, the end those of `Over.told`; none of them names a card that is ``hidden``."""
    names = tuple(f"Player {{{seat}}}" for seat in range(max(game.seats)))  # a name is no template
    texts = [game.tell(event, names) for event in state.news]
    if isinstance(state.need, Over):
        assert texts, "there is no event for the end"
        texts[-1] = state.need.told(names)
    for event, text in zip(state.news, texts, strict=True):
        assert text, f"there are no words for {event}"
        for card in hidden:
            shown = text.replace("-", " ")
            assert not re.search(rf"\b{re.escape(card.replace('-', ' '))}\b", shown), f"{text!r} names {card}"
    check_sentences(game, *texts)


def check_record(game: Game, first: State, steps: Sequence[Step]) -> list[dict[str, Any]]:
    """The record of these steps, with every face known: plain JSON, the same whenever it is made. Gives its rows."""
    (last, events), (_, again) = (_taken(first, steps) for _ in range(2))
    assert again == events, "the same steps bring about other events"
    record = game.record(events)
    text = json.dumps(record)
    assert json.loads(text) == record, "a record is plain JSON: lists, objects, numbers, texts, null"
    assert json.dumps(game.record(again)) == text, "the record differs when it is made again"
    assert list(record)[-1] == "events", "the last member of a record is its rows"
    rows: list[dict[str, Any]] = record["events"]
    for row in rows:
        assert next(iter(row)) == "type", row
    assert (rows[-1]["type"] == "end") == isinstance(last.need, Over), "the last row is the end"
    return rows


def check_record_hides_nothing(
    game: Game, public: Sequence[Event], rows: Sequence[Mapping[str, Any]]
) -> None:
    """From what everybody has seen there is either no record, or the same ``rows`` as where every face is known."""
    try:
        record = game.record(public)
    except IllegalStep as error:
        check_refusal(game, error)
    else:
        assert record["events"] == rows, "a record has every face"


def _taken(state: State, steps: Sequence[Step]) -> tuple[State, list[Event]]:
    events: list[Event] = []
    for step in steps:
        state = state.apply(step)
        events += state.news
    return state, events


# --- docs/records.md ---


def check_documented(game: Game, rows: Iterable[Mapping[str, Any]], page: Path = RECORDS) -> None:
    """docs/records.md has each row, with just these fields in this order."""
    listed = documented(game.title, page)
    for row in rows:
        kind, *fields = row.items()
        assert kind[1] in listed, f"docs/records.md does not have the row {kind[1]} of {game.title}"
        assert [name for name, _ in fields] == list(listed[kind[1]]), f"other fields than documented: {row}"


def documented(title: str, page: Path = RECORDS) -> dict[str, tuple[str, ...]]:
    """The rows that docs/records.md has for a game, with their fields: its own, and those of all games."""
    text = page.read_text("utf-8")
    rows: dict[str, tuple[str, ...]] = {}
    for heading in (COMMON, title):
        found = re.findall(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
        assert len(found) == 1, f"docs/records.md has no section {heading}"
        rows |= {
            kind: tuple(fields.replace("`", "").split(", "))
            for kind, fields in re.findall(r"^\| `([a-z-]+)` \| ([^|]*?) \|", found[0], re.MULTILINE)
        }
    return rows
