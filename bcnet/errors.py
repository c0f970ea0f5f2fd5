"""The errors that a person may read, in one tree.

Every error pairs what happened (with card, tile, seat, round or file) with a hint: what to do next. The text is a
template and its values stay apart (`Phrase`), so that a console can show it in the player's language; ``str(error)`` is
the English text. This module knows nothing of games, networks or files.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Self


class Exit(IntEnum):
    """Exit codes of every command (man/bcnet.1, EXIT STATUS)."""

    OK = 0
    CHEATED = 1
    UNREADABLE = 2
    INCOMPLETE = 3
    OTHER_PLAYERS = 4
    USAGE = 64
    NETWORK = 69
    DEFECT = 70


class Phrase(str):
    """An English text for people that remembers how it was made, so that it can be told in another language.

    ``template`` is a format string over ``values``, of which texts may be `Phrase` themselves; ``many`` takes its place
    where ``values["count"]`` asks for a plural. Equality and all else are those of the English text. What is built out
    of it by adding or formatting is an ordinary text: put it in as a value instead.
    """

    __slots__ = ("many", "number", "template", "values")

    template: str
    many: str
    number: int
    values: dict[str, object]

    def __new__(cls, template: str, /, *, many: str = "", **values: object) -> Self:
        """The text; values that are not numbers are shown as texts on one line (`visible`)."""
        return cls.of(template, many, values)

    @classmethod
    def of(cls, template: str, many: str, values: Mapping[str, object]) -> Self:
        """The same, of values that are together already."""
        shown = {name: _shown(value) for name, value in values.items()}
        count = shown.get("count")
        number = count if isinstance(count, int) else 1
        text = super().__new__(cls, (many if many and number != 1 else template).format(**shown))
        text.template, text.many, text.number, text.values = template, many, number, shown
        return text

    def __reduce__(self) -> tuple[object, ...]:
        """How it comes from another process: with all it remembers."""
        return Phrase.of, (self.template, self.many, self.values)


def _shown(value: object) -> object:
    if isinstance(value, (int, float, Phrase)) and not isinstance(value, bool):
        return value
    return visible(value)


def listed(parts: Sequence[str]) -> str:
    """Several in one text: "one", "one and two", "one, two and three"; empty for none."""
    if len(parts) < 2:
        return in_a_row(parts)
    return Phrase("{some} and {last}", some=in_a_row(parts[:-1]), last=parts[-1])


def in_a_row(parts: Sequence[str]) -> str:
    """Several in one text, set apart by commas alone; empty for none."""
    if len(parts) < 2:
        return parts[0] if parts else ""
    values = {f"part{number}": part for number, part in enumerate(parts)}
    return Phrase.of(", ".join(f"{{{name}}}" for name in values), "", values)


class BcnetError(Exception):
    """Something went wrong that a person can understand and act upon.

    ``template`` and ``hint`` are format strings over ``values``; a ``hint`` that is `Phrase` brings its own.
    """

    exit_code: Exit = Exit.DEFECT

    def __init__(self, template: str, *, hint: str = "", **values: object) -> None:
        self.template = template
        self.hint_template = hint
        self.values = values
        super().__init__(self.message)

    def __reduce__(self) -> tuple[object, ...]:
        """How it comes from another process: whole, whatever its own way of being made asks for."""
        return _as_it_was, (type(self), self.args, self.__dict__)

    @property
    def message(self) -> Phrase:
        """What happened."""
        return Phrase.of(self.template, "", self.values)

    @property
    def hint(self) -> Phrase:
        """What to do next; may be empty."""
        if isinstance(self.hint_template, Phrase):
            return self.hint_template
        return Phrase.of(self.hint_template, "", self.values)


def visible(what: object) -> str:
    """A text of others (the name of a file, say) on one line: what cannot be printed is shown as an escape."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(what))


def shortened(text: str, most: int = 60) -> str:
    """A text of any length as it fits into a sentence: at most so many characters."""
    return text if len(text) <= most else text[: most - 1] + "…"


def _as_it_was(kind: type[BcnetError], args: tuple[object, ...], state: dict[str, object]) -> BcnetError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


class Refusal(BcnetError):
    """Our own player tried something that the rules do not allow now; nothing has changed."""

    exit_code = Exit.USAGE


class IllegalStep(Refusal):
    """A step that the rules do not allow in this state of a game."""


class MalformedNotation(Refusal):
    """A text that is no notation of the game, or not the canonical one."""


class UsageError(BcnetError):
    """A command was given words that it cannot use."""

    exit_code = Exit.USAGE


class NetworkError(BcnetError):
    """The other side cannot be reached, or is not what it should be."""

    exit_code = Exit.NETWORK


class StorageError(BcnetError):
    """A file or folder of bcnet's home cannot be read or written."""

    exit_code = Exit.USAGE


class UnreadableError(BcnetError):
    """Bytes that are no transcript or journal, damaged, or of an unknown version."""

    exit_code = Exit.UNREADABLE
