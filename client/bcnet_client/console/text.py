"""Lines of styled text, measured as a terminal shows them: the material of which every view is made.

A line is a tuple of parts, a part a style and a text, as prompt_toolkit's formatted text has them. Everything here is
pure; widths count the columns of a terminal, so that a name in wide characters keeps its place.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from prompt_toolkit.utils import get_cwidth

from bcnet.names import clean_text

Part = tuple[str, str]
"""A style (as in ``class:red bold``) and a text without line breaks."""
Line = tuple[Part, ...]

PLAIN = ""

_ASCII = {
    "╭": "+", "╮": "+", "╰": "+", "╯": "+", "─": "-", "│": "|", "·": ".", "▶": ">", "★": "*", "…": "~", "–": "-",
    "◂": "<", "▸": ">", "▲": "^", "▼": "v", "◄": "<", "→": ">",
}  # fmt: skip


_CONSOLE = {
    "╭": "┌",
    "╮": "┐",
    "╰": "└",
    "╯": "┘",
    "▶": "►",
    "★": "*",
    "…": "~",
    "–": "-",
    "◂": "<",
    "▸": ">",
}
"""What the console of Linux lacks, with its own fonts (code page 437), and what stands for it there."""


_CONTROLS = "".join(map(chr, (*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029)))
_APART = str.maketrans(
    {chr(0x1F1E6 + at): chr(ord("A") + at) for at in range(26)}
    | dict.fromkeys(map(chr, range(0x1F3FB, 0x1F400)), "")
)
"""Two letters that a flag is made of stand for themselves; an emoji has no colour of skin."""


def line(*parts: str | Part) -> Line:
    """A line of these parts; a bare string has no style."""
    return tuple((PLAIN, part) if isinstance(part, str) else part for part in parts if part)


def clickable(style: str, target: str) -> str:
    """The style of a part on which a click means something, with a name for it (without blanks)."""
    return f"{style} [{target}]"  # what stands in brackets changes nothing in how it looks


def target_at(content: Line, column: int) -> str:
    """What a click at a column of a line means; empty for nothing."""
    for style, text in content:
        column -= width(text)
        if column < 0:
            found = [word[1:-1] for word in style.split() if word.startswith("[")]
            return found[-1] if found else ""
    return ""


def plain(content: Line) -> str:
    """The text of a line, without its styles."""
    return "".join(text for _, text in content)


def width(content: Line | str) -> int:
    """How many columns it takes."""
    return get_cwidth(content if isinstance(content, str) else plain(content))


def cut(text: str, columns: int) -> str:
    """The text in at most so many columns; what is cut off is marked."""
    if width(text) <= columns:
        return text
    kept = ""
    for character in text:
        if width(kept + character) > columns - 1:
            break
        kept += character
    return kept + "…" if columns > 0 else ""


def pad(text: str, columns: int) -> str:
    """The text in exactly so many columns."""
    text = cut(text, columns)
    return text + " " * (columns - width(text))


def fit(content: Line, columns: int, style: str = PLAIN) -> Line:
    """The line in exactly so many columns: cut off, or filled up with blanks in ``style``."""
    parts: list[Part] = []
    left = columns
    for part_style, text in content:
        if width(text) > left:
            text = cut(text, left)
        if text:
            parts.append((part_style, text))
        left -= width(text)
        if left <= 0:
            return tuple(parts)
    parts.append((style, " " * left))
    return tuple(parts)


def spread(left: Line, right: Line, columns: int, style: str = PLAIN) -> Line:
    """Two parts at both ends of a line; the left one gives way."""
    room = max(0, columns - width(right))
    return (*fit(left, room, style), *right)


def typeable(text: str) -> str:
    """As much of a text as a line that is typed can hold: controls, but for the last ones, and spaces are blanks.

    Nothing is left of what joins or changes characters before it: terminals and `width` do not agree on how wide those
    are then.
    """
    spaced = text.rstrip(_CONTROLS).translate(_APART)
    return "".join(" " if each.isspace() or each in _CONTROLS else clean_text(each) for each in spaced)


def wrap(text: str, columns: int, *, first: str = "", indent: str = "", style: str = PLAIN) -> list[Line]:
    """A text in lines of at most so many columns, broken between words; the first line begins with ``first``, the
    others are indented.

    A word that is longer than a line (a path, say) is broken where it must be.
    """
    lines: list[str] = []
    current = first
    for word in text.split():
        candidate = f"{current} {word}" if current.strip() and current[-1] != " " else current + word
        if width(candidate) <= columns:
            current = candidate
            continue
        if current.strip():
            lines.append(current)
            current = indent + word
        else:
            current = candidate
        while width(current) > columns:
            head = _head(current, columns)
            lines.append(head)
            current = indent + current[len(head) :]
    lines.append(current)
    return [line((style, each)) for each in lines]


def _head(text: str, columns: int) -> str:
    """As much of the text as fits, but at least one character, so that it ends."""
    count = 1
    while count < len(text) and width(text[: count + 1]) <= columns:
        count += 1
    return text[:count]


def wrap_parts(groups: Iterable[Line], columns: int, *, indent: int = 0) -> list[Line]:
    """Groups that are not to be broken, one after the other, in as many lines as it takes."""
    lines: list[Line] = []
    current: Line = ()
    for group in groups:
        if current and width(current) + width(group) > columns:
            lines.append(current)
            current = line(" " * indent)
        current = (*current, *group)
    if current:
        lines.append(current)
    return lines


def to_ascii(lines: Iterable[Line]) -> list[Line]:
    """The same for a terminal that knows nothing but ASCII, in the same columns."""
    return [tuple((style, _ascii(text)) for style, text in each) for each in lines]


def _ascii(text: str) -> str:
    if text.isascii():
        return text
    return "".join(
        character if character.isascii() else _ASCII.get(character, _letter(character)) for character in text
    )


def _letter(character: str) -> str:
    """The letter below an accent; else something as wide."""
    base = unicodedata.normalize("NFKD", character)[0]
    return base if base.isascii() and base.isalnum() else "?" * get_cwidth(character)


def to_console(lines: Iterable[Line]) -> list[Line]:
    """The same for the console of Linux, in the same columns."""
    table = str.maketrans(_CONSOLE)
    return [tuple((style, text.translate(table)) for style, text in each) for each in lines]


def joined(items: Sequence[str], last: str) -> str:
    """Items as in a sentence: ``a, b and c``, where ``last`` is the word before the last one."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"
