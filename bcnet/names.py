"""Display names: which are allowed, and how to make an allowed one.

A name travels in signed bytes, so whether it is allowed must be the same for every program for ever: a
verdict depends on it. Therefore :func:`check_name` asks no Unicode database, whose answers change with its
version, but a fixed list of ranges (docs/protocol.md, "Names"). What our own player is called is held to
more: :func:`parse_name`.

This module is pure and knows neither keys nor tables. Names identify nobody; keys do.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import chain

from bcnet.errors import Phrase, UsageError

MAX_NAME_LENGTH = 32
FALLBACK_NAME = "player"

_THE_READER = frozenset({"you", "du", "je", "jij"})
"""What a player is called on the own screen, in every language that there is."""

# Everything that is not seen, moves the cursor, turns the direction of writing, or is no character: controls,
# format characters and bidi controls (Cc, Cf), all spaces but U+0020, line and paragraph separators,
# surrogates, private use, non-characters, and what Unicode calls default ignorable, with the places it
# reserves for more.
_FORBIDDEN: tuple[tuple[int, int], ...] = (
    (0x0000, 0x001F),
    (0x007F, 0x00A0),
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x0600, 0x0605),
    (0x061C, 0x061C),
    (0x06DD, 0x06DD),
    (0x070F, 0x070F),
    (0x0890, 0x0891),
    (0x08E2, 0x08E2),
    (0x115F, 0x1160),
    (0x1680, 0x1680),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x2000, 0x200F),
    (0x2028, 0x202F),
    (0x205F, 0x206F),
    (0x2800, 0x2800),
    (0x3000, 0x3000),
    (0x3164, 0x3164),
    (0xD800, 0xF8FF),
    (0xFDD0, 0xFDEF),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFB),
    (0xFFFE, 0xFFFF),
    (0x110BD, 0x110BD),
    (0x110CD, 0x110CD),
    (0x13430, 0x1345F),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    *((plane | 0xFFFE, plane | 0xFFFF) for plane in range(0x10000, 0xE0000, 0x10000)),
    (0xE0000, 0x10FFFF),
)
_BOUNDS = tuple(chain.from_iterable((first, last + 1) for first, last in _FORBIDDEN))


class BadName(UsageError):
    """A display name that is not allowed."""


def check_name(name: str) -> None:
    """Raise :class:`BadName` unless ``name`` may stand in an offer or a join.

    1 to 32 characters (code points); none that is invisible, a control, a format or bidi character, a space
    other than U+0020, private or no character at all; no space at either end.
    """
    if not name:
        raise BadName(
            "A name must not be empty.", hint="Choose 1 to {most} characters.", most=MAX_NAME_LENGTH
        )
    if len(name) > MAX_NAME_LENGTH:
        raise BadName(
            "A name of {length} characters is too long.",
            hint="Choose 1 to {most} characters.",
            length=len(name),
            most=MAX_NAME_LENGTH,
        )
    for position, character in enumerate(name, 1):
        if not _is_allowed(character):
            raise BadName(
                "Character {position} of the name (U+{code:04X}) is not allowed in a name.",
                hint="Use letters, digits, signs and single spaces that can be seen.",
                position=position,
                code=ord(character),
            )
    if name != name.strip(" "):
        raise BadName("A name must not begin or end with a space.", hint="Leave the space out.")


def parse_name(text: str) -> str:
    """The name that our own player asked for, in normal form C; raises :class:`BadName`.

    Beyond :func:`check_name`, it refuses characters that this Python's Unicode does not know.
    """
    name = unicodedata.normalize("NFC", text)
    check_name(name)
    for position, character in enumerate(name, 1):
        if unicodedata.category(character) == "Cn":
            raise BadName(
                "Character {position} of the name (U+{code:04X}) is not a known character.",
                hint="Choose another one.",
                position=position,
                code=ord(character),
            )
    return name


def clean_name(text: str) -> str:
    """An allowed name made of whatever ``text`` the system gave us (a login, say); else ``player``."""
    return clean_text(text)[:MAX_NAME_LENGTH].strip(" ") or FALLBACK_NAME


def clean_text(text: str) -> str:
    """What of ``text`` may stand in a name, whatever its length: in normal form C, with single spaces between words."""
    spaced = (" " if c.isspace() else c for c in unicodedata.normalize("NFC", text))
    kept = "".join(c for c in spaced if _is_allowed(c) and unicodedata.category(c) != "Cn")
    return unicodedata.normalize("NFC", " ".join(kept.split()))


def _is_allowed(character: str) -> bool:
    return bisect_right(_BOUNDS, ord(character)) % 2 == 0


def with_seat(name: str, seat: int) -> Phrase:
    """A name that alone does not say who is meant."""
    return Phrase("{name} (seat {seat})", name=name, seat=seat)


def told_apart(names: Sequence[str], form: Callable[[str, int], str] = with_seat) -> tuple[str, ...]:
    """The names of a table by seat, for people; in ``form`` where two are the same (but for capitals), and where one
    would be taken for the reader.
    """
    folded = [name.casefold() for name in names]
    are_alike = len(set(folded)) < len(names)
    return tuple(
        form(name, seat) if are_alike or name.casefold() in _THE_READER else name
        for seat, name in enumerate(names)
    )
