"""Marked-up text in which nothing that was not meant as markup can be any.

Everything goes through `tag`: what is not `Markup` already is escaped, whoever wrote it, and told in the player's
language if it is `Phrase`.
"""

from __future__ import annotations

from html import escape

from bcnet.language import told


class Markup(str):
    """Text that may stand in a page as it is."""

    __slots__ = ()


def tag(name: str, /, *children: str | Markup, **attributes: object) -> Markup:
    """An element. In the names of attributes ``_`` stands for ``-``, a last one is left out (``class_``).

    An attribute that is None is left out, one that is True has no value.
    """
    said = "".join(_attribute(key, value) for key, value in attributes.items() if value is not None)
    return Markup(f"<{name}{said}>{joined(*children)}</{name}>")


def void(name: str, /, **attributes: object) -> Markup:
    """An element that has no content and no end, as ``input``."""
    said = "".join(_attribute(key, value) for key, value in attributes.items() if value is not None)
    return Markup(f"<{name}{said}>")


def joined(*children: str | Markup) -> Markup:
    """Elements and text one after the other."""
    return Markup("".join(each if isinstance(each, Markup) else escape(told(each)) for each in children))


def _attribute(key: str, value: object) -> str:
    name = key.rstrip("_").replace("_", "-")
    if value is True:
        return f" {name}"
    return f' {name}="{escape(told(value) if isinstance(value, str) else str(value))}"'
