"""Reading positions from plain JSON data: numbers and names that are what they should be, or `ValueError`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from bcnet.errors import MalformedNotation
from bcnet.games.interface import Over, Seat, State

_S = TypeVar("_S", bound=State)


def whole(value: object, least: int, most: int) -> int:
    """A whole number from ``least`` to ``most``."""
    if type(value) is not int or not least <= value <= most:
        raise ValueError(value)
    return value


def yes_or_no(value: object) -> bool:
    """True or false."""
    if type(value) is not bool:
        raise ValueError(value)
    return value


def seat_or_none(value: object, seats: Iterable[Seat]) -> Seat | None:
    """One of these seats, or null."""
    return None if value is None else one_of(value, seats)


def one_of(value: object, seats: Iterable[Seat]) -> Seat:
    """One of these seats."""
    if type(value) is not int or value not in seats:
        raise ValueError(value)
    return value


def some_of(values: Iterable[object], seats: Iterable[Seat]) -> tuple[Seat, ...]:
    """Some of these seats, each once."""
    found = tuple(one_of(value, seats) for value in values)
    if len(set(found)) < len(found):
        raise ValueError(found)
    return found


def save_result(result: Over | None) -> dict[str, Any] | None:
    """How a game ended, as JSON data; null if it has not."""
    return None if result is None else {"winners": list(result.winners), "reason": result.reason}


def load_result(data: Any, seats: Iterable[Seat], reasons: Iterable[str]) -> Over | None:
    """What `save_result` wrote."""
    if data is None:
        return None
    if data["reason"] not in reasons:
        raise ValueError(data)
    return Over(some_of(data["winners"], seats), data["reason"])


def load(
    title: str, data: Mapping[str, Any], read: Callable[[Any], _S], save: Callable[[_S], dict[str, Any]]
) -> _S:
    """The state that ``read`` finds in ``data``, if ``save`` writes just these from it. Raises `MalformedNotation`."""
    try:
        state = read(data)
        well_formed = _text(save(state)) == _text(data)
    except KeyError as error:
        raise MalformedNotation(
            "this is no saved position of {title}: {name} is missing", title=title, name=error.args[0]
        ) from error
    except (TypeError, ValueError, IndexError, AttributeError) as error:
        raise _malformed(title) from error
    if not well_formed:
        raise _malformed(title)
    return state


def _malformed(title: str) -> MalformedNotation:
    return MalformedNotation("this is no saved position of {title}, or not as it was written", title=title)


def _text(data: Any) -> str:
    """Data as a text that differs for 1, 1.0 and true."""
    return json.dumps(data, sort_keys=True)
