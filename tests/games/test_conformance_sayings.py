"""The suite notices what a game says wrongly: each test breaks one thing of the toy of tests/adding and sees it."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bcnet.errors import IllegalStep, MalformedNotation, Phrase
from bcnet.games import plain, play
from bcnet.games.happened import GameEnded
from bcnet.games.interface import Event
from bcnet.games.simulate import walk
from tests.adding import eleven
from tests.adding.eleven import Eleven, ElevenState, Number, NumberDrawn
from tests.games import bids, conformance, saves, sayings

SEED = 1
PAGE = """# Records

## Rows that all games have

| `resign` | seat | |
| `end` | winners, reason | |

## Eleven

| `draw` | seat, value, total, out | |
| `stop` | seat, total | |
"""


def run_the_suite() -> None:
    conformance.check_game(eleven.GAME, 3, {"limit": "11"}, SEED)


def check_saves() -> None:
    first = eleven.GAME.initial(3, {})
    states = [first, *(state for _, state in walk(first, random.Random(SEED)))]
    for state in (first, states[len(states) // 2], states[-1]):
        saves.check_damaged(eleven.GAME, state)


def test_the_toy_itself_passes(tmp_path: Path) -> None:
    run_the_suite()
    check_saves()
    sayings.check_documented(eleven.GAME, rows(), page(tmp_path, PAGE))


def rows() -> list[dict[str, Any]]:
    played = play(eleven.GAME, random.Random(SEED), seats=3)
    return sayings.check_record(eleven.GAME, played.first, played.steps)


def page(folder: Path, text: str) -> Path:
    path = folder / "records.md"
    path.write_text(text)
    return path


Patch = Callable[[pytest.MonkeyPatch], None]


def telling(tell: Callable[[Event, Sequence[str]], str]) -> Patch:
    """Numbers that are drawn are told so; all else as ever."""
    right = Eleven.tell

    def patched(self: Eleven, event: Event, names: Sequence[str]) -> str:
        return tell(event, names) if isinstance(event, NumberDrawn) else right(self, event, names)

    return lambda patch: patch.setattr(Eleven, "tell", patched)


def refusing(error: IllegalStep) -> Patch:
    """A wrong number is refused so."""
    right = ElevenState._drawn

    def drawn(self: ElevenState, value: int) -> ElevenState:
        try:
            return right(self, value)
        except IllegalStep:
            raise error from None

    def sample(self: ElevenState, below: Callable[[int], int]) -> Number:
        if not self.awaits:
            raise error
        return Number(1 + below(6))

    def patch(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(ElevenState, "_drawn", drawn)
        patch.setattr(ElevenState, "sample", sample)

    return patch


def recording(record: Callable[[Eleven, Sequence[Event]], dict[str, Any]]) -> Patch:
    return lambda patch: patch.setattr(Eleven, "record", record)


def saving(save: Callable[[dict[str, Any]], dict[str, Any]]) -> Patch:
    right = Eleven.save
    return lambda patch: patch.setattr(Eleven, "save", lambda self, state: save(right(self, state)))


def loading(load: Callable[[Eleven, Mapping[str, Any]], ElevenState]) -> Patch:
    return lambda patch: patch.setattr(Eleven, "load", load)


def number_of(event: Event) -> int:
    assert isinstance(event, NumberDrawn)
    return event.value


def of_the_moment(events: Sequence[Event]) -> dict[str, Any]:
    """A record that holds how often one was made."""
    return {"made": next(_MADE), "events": [eleven._row(event) for event in events]}


_MADE = itertools.count(1)


def no_end(events: Sequence[Event]) -> dict[str, Any]:
    return {"events": [eleven._row(event) for event in events][:-1]}


def last_first(data: dict[str, Any]) -> dict[str, Any]:
    """The same in another order, each third time: when what was loaded is saved."""
    number = next(_SAVED)
    return dict(reversed(data.items())) if number % 3 == 0 else data


_SAVED = itertools.count(1)


@pytest.mark.parametrize(
    ("patch", "found"),
    [
        (telling(lambda _event, _names: ""), "there are no words for NumberDrawn"),
        (telling(lambda event, _: f"Somebody draws {number_of(event)}."), "it is no Phrase"),
        (telling(lambda _event, _names: Phrase("No" + " catalogue has this.")), "does not find"),
        (telling(lambda _event, names: names[9]), "IndexError"),
        (refusing(IllegalStep("No" + " catalogue has this.")), "does not find"),
        (refusing(IllegalStep("{what}", what=object())), "object at 0x"),
        (refusing(IllegalStep("{what}", what=repr(KeyError("x")))), "KeyError"),
        (recording(lambda _self, events: {"events": [(each,) for each in events]}), "JSON serializable"),
        (recording(lambda _self, _events: {"events": [("end",)]}), "plain JSON"),
        (recording(lambda _self, events: of_the_moment(events)), "differs when it is made again"),
        (recording(lambda _self, events: no_end(events)), "the last row is the end"),
        (recording(lambda _self, _events: {"events": [{"seat": 1, "type": "end"}]}), "'seat'"),
        (saving(last_first), "saved otherwise"),
    ],
)
def test_what_is_said_wrongly_is_found(patch: Patch, found: str, monkeypatch: pytest.MonkeyPatch) -> None:
    patch(monkeypatch)
    with pytest.raises(Exception) as failure:
        run_the_suite()
    assert found in f"{failure.typename}: {failure.value}"


def other_events(patch: pytest.MonkeyPatch) -> None:
    """What happens depends on how often it has happened."""
    right = ElevenState._drawn
    calls = iter(range(10**6))

    def drawn(self: ElevenState, value: int) -> ElevenState:
        after = right(self, value)
        event = NumberDrawn(self.mover, value, next(calls), out=False)
        return replace(after, news=(event, *after.news[1:]))

    patch.setattr(ElevenState, "_drawn", drawn)


def test_other_events_from_the_same_steps_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    played = play(eleven.GAME, random.Random(SEED), seats=3)
    other_events(monkeypatch)
    with pytest.raises(AssertionError, match="other events"):
        sayings.check_record(eleven.GAME, played.first, played.steps)


def test_words_that_name_a_hidden_card_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """As they would if a position for everybody knew what only one seat does."""
    played = play(bids.Bids(), random.Random(SEED), seats=3)
    state = played.first.apply(played.steps[0]).apply(played.steps[1])
    drawn = state.news[0]
    assert isinstance(drawn, bids.Drawn)
    assert drawn.card is not None
    sayings.check_told(bids.Bids(), state)
    with pytest.raises(AssertionError, match="names number-"):
        sayings.check_told(bids.Bids(), state, [bids.NAMES[drawn.card]])
    sayings.check_told(bids.Bids(), state.view(None), [bids.NAMES[drawn.card]])


def test_a_record_with_faces_that_are_hidden_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    game = bids.Bids()
    monkeypatch.setattr(
        bids,
        "_row",
        lambda event: {"type": "end"} if isinstance(event, GameEnded) else {"type": str(event)},
    )
    with pytest.raises(AssertionError, match="a record has every face"):
        conformance.check_game(game, 3, {}, 0)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (PAGE.replace("| `stop` | seat, total | |\n", ""), "does not have the row stop"),
        (PAGE.replace("seat, value, total, out", "seat, value, total"), "other fields than documented"),
        (PAGE.replace("seat, value, total, out", "value, seat, total, out"), "other fields than documented"),
        (PAGE.replace("## Eleven", "## Twelve"), "no section Eleven"),
    ],
)
def test_rows_that_are_not_documented_are_found(text: str, found: str, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=found):
        sayings.check_documented(eleven.GAME, rows(), page(tmp_path, text))


def takes_anything(self: Eleven, data: Mapping[str, Any]) -> ElevenState:
    return self._read(data)


def takes_numbers_for_truth(self: Eleven, data: Mapping[str, Any]) -> ElevenState:
    """1 and true are equal, to Python."""
    state = self._read({**data, "awaits": bool(data["awaits"])})
    if self.save(state) != data:
        raise MalformedNotation(
            "this is no saved position of {title}, or not as it was written", title="Eleven"
        )
    return state


def forgets_a_check(self: Eleven, data: Mapping[str, Any]) -> ElevenState:
    """What is more than there should be is passed over."""
    return plain.load(
        self.title, {key: data[key] for key in self.save(self.initial(2, {}))}, self._read, self.save
    )


def refuses_in_words_of_python(self: Eleven, data: Mapping[str, Any]) -> ElevenState:
    try:
        return plain.load(self.title, data, self._read, self.save)
    except MalformedNotation as error:
        raise MalformedNotation("{why}", why=repr(error.__cause__)) from None


@pytest.mark.parametrize(
    ("load", "found"),
    [
        (takes_anything, "it takes|Error"),
        (takes_numbers_for_truth, "it takes what it would not have written|Error"),
        (forgets_a_check, "it takes|KeyError"),
        (refuses_in_words_of_python, "Error\\("),
    ],
)
def test_what_is_loaded_wrongly_is_found(
    load: Callable[[Eleven, Mapping[str, Any]], ElevenState], found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    loading(load)(monkeypatch)
    with pytest.raises(Exception) as failure:
        check_saves()
    assert re.search(found, f"{failure.typename}: {failure.value}")
