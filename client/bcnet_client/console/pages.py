"""Texts of several paragraphs (rules, notation, help) in lines of any width.

A text is written in lines of at most some 110 columns, and what stands in a line says how it can be broken anew:
``1. …`` and ``- …`` begin a point, whose other lines are indented; ``HEADING  text`` keeps its gap; lines with a gap
in them are the rows of a table; lines that begin with a blank stay lines. All else is running text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from bcnet_client.console.text import Line, line, pad, width, wrap

LEAST_MEANING = 24
"""Columns that the right side of a table must have, not to be better off below the left one."""
_HANGING = 4
"""Columns by which a row is indented that goes on."""

_POINT = re.compile(r"\d+\. |- ")
_HEADING = re.compile(r"(?P<key>[^a-z]*[^a-z\s])  (?P<rest>\S.*)")
_ROW = re.compile(r"(?P<key> *\S+(?: \S+)*) {2,}(?P<rest>\S.*)")


def reflow(text: str, columns: int) -> list[Line]:
    """A text in lines of at most so many columns; a paragraph that has room stays as it is written."""
    lines: list[Line] = []
    for has_text, group in groupby(text.splitlines(), key=bool):
        lines += _paragraph(list(group), columns) if has_text else [()]
    return lines


def _paragraph(source: Sequence[str], columns: int) -> Iterator[Line]:
    has_room = all(width(each) <= columns for each in source)
    for is_row, group in groupby(source, key=_is_row):
        if is_row:
            yield from _table(list(group), columns)
        elif has_room:
            yield from map(line, group)
        else:
            for item in _items(group):
                yield from _item(item, columns)


def _is_row(text: str) -> bool:
    return _ROW.fullmatch(text) is not None and _HEADING.fullmatch(text) is None


def _items(source: Iterator[str]) -> list[str]:
    """The lines of a paragraph, put together where one goes on with the other."""
    items: list[str] = []
    for each in source:
        is_line = each[:1] == " " and not (items and _POINT.match(items[-1]))
        if items and not is_line and not _POINT.match(each) and items[-1][:1] != " ":
            items[-1] += f" {each.strip()}"
        else:
            items.append(each)
    return items


def _item(text: str, columns: int) -> list[Line]:
    if heading := _HEADING.fullmatch(text):
        return wrap(heading["rest"], columns, first=f"{heading['key']}  ")
    blank = text[: len(text) - len(text.lstrip())]
    point = _POINT.match(text)
    indent = " " * point.end() if point else blank
    return wrap(text, columns, first=blank, indent=indent)


def _table(rows: Sequence[str], columns: int) -> list[Line]:
    found = [match for each in rows if (match := _ROW.fullmatch(each))]
    if any("  " in each["rest"] for each in found):
        return _grid(rows, columns)
    room = columns - (left := max(width(each["key"]) for each in found) + 2)
    fits = room >= max(width(each["rest"]) for each in found)
    if fits or room >= LEAST_MEANING:
        return [
            each_line
            for each in found
            for each_line in wrap(each["rest"], columns, first=pad(each["key"], left), indent=" " * left)
        ]
    lines = []
    for each in found:
        indent = " " * (len(each["key"]) - len(each["key"].lstrip()) + _HANGING)
        lines += wrap(each["rest"], columns, first=f"{each['key']}  ", indent=indent)
    return lines


def _grid(rows: Sequence[str], columns: int) -> list[Line]:
    """A table of several columns: as it is if there is room, else with narrow gaps, else with its last column below."""
    longest = max(map(width, rows))
    if longest <= columns:
        return [line(each) for each in rows]
    padded = [pad(each, longest) for each in rows]
    written = "".join(" " if all(each[at] == " " for each in padded) else "x" for at in range(longest))
    cells = [found.span() for found in re.finditer(r"x+(?: x+)*", written)]
    for gap in ("  ", " "):
        squeezed = [gap.join(each[begin:end] for begin, end in cells).rstrip() for each in padded]
        if max(map(width, squeezed)) <= columns:
            return [line(each) for each in squeezed]
    last = cells.pop()[0]
    indent = " " * _HANGING
    lines = []
    for each in padded:
        lines += wrap("", columns, first=" ".join(each[begin:end] for begin, end in cells).rstrip())
        if meaning := each[last:].strip():
            lines += wrap(meaning, columns, first=indent, indent=indent)
    return lines
