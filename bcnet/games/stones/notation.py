"""How actions are written: one spelling for each.

    lay red 2 -1      a red stone two columns to the right of the first stone and one row below it
    pass              nothing can be laid by the rules (with penalties)
    object            the stone just laid breaks the rules (with penalties)
    agree             it may lie (with penalties)

One space between words, no leading zeros, nothing else.
"""

from __future__ import annotations

from bcnet.errors import MalformedNotation
from bcnet.games.interface import Action
from bcnet.games.stones.actions import Agree, Lay, Object, Pass
from bcnet.games.stones.material import COLOURS, SPAN, Colour

_COLOUR_OF = {colour.word: colour for colour in COLOURS}
_MOST = max(SPAN.values()) - 1
_NUMBER_OF = {str(number): number for number in range(-_MOST, _MOST + 1)}
_PLAIN: dict[str, Action] = {"pass": Pass(), "object": Object(), "agree": Agree()}
_WORD_OF = {action: word for word, action in _PLAIN.items()}


def write(action: Action) -> str:
    """An action in canonical notation."""
    if isinstance(action, Lay):
        return f"lay {action.colour.word} {action.column} {action.row}"
    try:
        return _WORD_OF[action]
    except KeyError:
        raise MalformedNotation("{action} is no action of Stones", action=type(action).__name__) from None


def parse(text: str) -> Action:
    """Read an action. Raises `MalformedNotation` for everything but the one canonical spelling."""
    match text.split(" "):
        case ["lay", colour, column, row]:
            return Lay(parse_colour(colour), _number(column), _number(row))
        case [word] if word in _PLAIN:
            return _PLAIN[word]
        case _:
            raise MalformedNotation(
                "{text!r} is no action",
                hint="Written as: lay red 2 -1 · pass · object · agree",
                text=text,
            )


def parse_colour(text: str) -> Colour:
    """Read a colour's word. Raises `MalformedNotation`."""
    try:
        return _COLOUR_OF[text]
    except (KeyError, TypeError):
        raise MalformedNotation(
            "{text!r} is no colour", hint="red, black, grey or white", text=text
        ) from None


def _number(text: str) -> int:
    try:
        return _NUMBER_OF[text]
    except KeyError:
        raise MalformedNotation(
            "{text!r} is no column or row", hint="From -{most} to {most}.", text=text, most=_MOST
        ) from None
