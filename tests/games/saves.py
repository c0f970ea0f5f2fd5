"""What `load` of a game takes, and what it refuses. Part of `conformance`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from bcnet.errors import MalformedNotation
from bcnet.games.interface import Game, State
from tests.games.sayings import check_refusal

Path = tuple[str | int, ...]
"""Where a value stands in a save: keys and indices, from the outside in."""

NONSENSE: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    10**30,
    0.5,
    float("nan"),
    "",
    "no such word",
    [],
    [[]],
    {},
    {"a": 1},
)
"""What stands in place of each value in turn."""


def check_saved(game: Game, state: State) -> None:
    """A position goes through a file to the byte."""
    text = json.dumps(game.save(state))
    loaded = game.load(json.loads(text))
    assert loaded == state
    assert hash(loaded) == hash(state)
    assert loaded.need == state.need
    assert json.dumps(game.save(loaded)) == text, "a position that is loaded is saved otherwise"


def check_damaged(game: Game, state: State) -> None:
    """A save with any one value taken away, added or replaced loads as another position, or is refused in words."""
    saved = json.loads(json.dumps(game.save(state)))
    touched = set()
    for where, damaged, may_load in damages(saved):
        touched.add(where)
        _check(game, damaged, may_load=may_load)
    assert touched == set(places(saved)), "some value was left as it is"
    nonsense: Any
    for nonsense in (None, 1, "", [], {}, [saved], {"fill": 1}, {"tiles": []}):
        _check(game, nonsense, may_load=False)


def _check(game: Game, damaged: Any, *, may_load: bool) -> None:
    try:
        loaded = game.load(damaged)
    except MalformedNotation as error:
        check_refusal(game, error)
        return
    assert may_load, f"it takes {json.dumps(damaged)}"
    assert _text(game.save(loaded)) == _text(damaged), "it takes what it would not have written"


def _text(data: Any) -> str:
    return json.dumps(data, sort_keys=True)  # tells 1 from 1.0 and from true


def places(data: Any, here: Path = ()) -> Iterator[Path]:
    """Where there is anything."""
    yield here
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield from places(value, (*here, key))


def damages(data: Any, here: Path = ()) -> Iterator[tuple[Path, Any, bool]]:
    """All damages of one place: where, what is left, and whether that might be a position as well."""
    match data:
        case dict():
            yield here, {**data, "more": 1}, False
            for key, value in data.items():
                yield (*here, key), {other: kept for other, kept in data.items() if other != key}, False
                for where, changed, may_load in damages(value, (*here, key)):
                    yield where, {**data, key: changed}, may_load
        case list():
            yield here, [*data, *(data[:1] or [0])], True
            yield here, data[::-1], True
            for index, value in enumerate(data):
                yield (*here, index), [*data[:index], *data[index + 1 :]], True
                for where, changed, may_load in damages(value, (*here, index)):
                    yield where, [*data[:index], changed, *data[index + 1 :]], may_load
        case bool() | None:
            yield here, not data, True
            yield here, int(bool(data)), True
        case int():
            for changed in (data + 1, data - 1, str(data), data + 0.5, float(data), bool(data)):
                yield here, changed, True
        case str():
            yield here, data + "x", True
            yield here, data.upper(), True
        case _:
            pytest.fail(f"{data!r} is no JSON")
    for changed in NONSENSE:
        yield here, changed, True
