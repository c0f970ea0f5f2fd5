"""The errors that a person may read, in one tree.

Every error pairs what happened (with card, tile, seat, round or file) with a hint: what to do next. The text is a
template and its values stay apart, so that a console can show it in the player's language; ``str(error)`` is the
English text. This module knows nothing of games, networks or files.
"""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """Exit codes of every command (DESIGN.md, section 9)."""

    OK = 0
    CHEATED = 1
    UNREADABLE = 2
    INCOMPLETE = 3
    OTHER_PLAYERS = 4
    USAGE = 64
    NETWORK = 69
    DEFECT = 70


class BcnetError(Exception):
    """Something went wrong that a person can understand and act upon.

    ``template`` and ``hint`` are format strings over ``values``.
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
    def message(self) -> str:
        """What happened, in English."""
        return self.template.format(**self._shown)

    @property
    def hint(self) -> str:
        """What to do next, in English; may be empty."""
        return self.hint_template.format(**self._shown)

    @property
    def _shown(self) -> dict[str, object]:
        return {
            name: value if isinstance(value, (int, float)) else visible(str(value))
            for name, value in self.values.items()
        }


def visible(text: str) -> str:
    """A text of others (the name of a file, say) on one line: what cannot be printed is shown as an escape."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


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
