"""What the drawings of all games are made of."""

from __future__ import annotations

from bcnet_client.page.markup import Markup, tag

_MOST_NAME = 16


def text(x: float, y: float, said: str, class_: str | None = None) -> Markup:
    """A text."""
    return tag("text", said, x=x, y=y, class_=class_)


def short(name: str) -> str:
    """A name for which there is little room."""
    return name if len(name) <= _MOST_NAME else f"{name[: _MOST_NAME - 1]}…"


def box(x: float, y: float, wide: float, tall: float, said: str, class_: str) -> Markup:
    """A box with a text in its middle."""
    rect = tag("rect", x=x, y=y, width=wide, height=tall, rx=4)
    return tag("g", rect, text(x + wide / 2, y + tall / 2 + 5, said), class_=class_)
