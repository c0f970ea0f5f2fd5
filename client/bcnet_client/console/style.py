"""How the classes of the views look, with and without colours.

The five colours differ in lightness as well as in hue, so that they can be told apart with any kind of
colour-blindness; each is a background with a letter on it. Without colours, letters, bold and reverse say the same.
"""

from __future__ import annotations

from prompt_toolkit.styles import Style

_COMMON = {
    "title": "reverse bold",
    "name": "bold",
    "number": "bold",
    "heading": "bold",
    "command": "bold",
    "count": "bold",
    "sum": "",
    "mountain": "bold",
    "plains": "",
    "last": "underline",
    "secret": "bold",
    "lit": "reverse bold",
    "picked": "reverse bold",
    "ahead": "bold",
    "turn": "bold reverse",
    "news": "",
    "alert": "bold",
    "ask": "bold reverse",
    "call": "bold reverse",
    "prompt": "bold",
    "waiting": "",
    "status": "",
    "edge": "",
    "dim": "",
    "error": "bold",
    "answer": "",
    "trophy": "bold",
}

_COLOURED = {
    "red": "bg:#c1272d #ffffff",
    "yellow": "bg:#f5d90a #000000",
    "green": "bg:#00a85a #000000",
    "blue": "bg:#1f5fd0 #ffffff",
    "grey": "bg:#b8b8b8 #000000",
    "last": "bold underline",
    "lit": "reverse bold noinherit",
    "picked": "reverse bold noinherit",
    "turn": "bold ansigreen",
    "title": "bg:#1d3557 #ffffff noreverse bold",
    "call": "bg:#1b7f3b #ffffff noreverse bold",
    "ask": "bg:#f5d90a #000000 noreverse bold",
    "alert": "ansired bold",
    "error": "ansired bold",
    "edge": "#808080",
    "dim": "#808080",
    "trophy": "ansiyellow bold",
    "secret": "ansimagenta bold",
    "mountain": "bold",
    "completion-menu": "bg:#333333 #ffffff",
    "completion-menu.completion.current": "bg:#ffffff #000000",
    "completion-menu.meta.completion": "bg:#444444 #cccccc",
}

_UNCOLOURED = {
    "red": "bold",
    "yellow": "bold",
    "green": "bold",
    "blue": "bold",
    "grey": "bold",
    "completion-menu": "reverse",
    "completion-menu.completion.current": "noreverse bold underline",
    "completion-menu.meta.completion": "reverse",
}


def style_of(*, coloured: bool) -> Style:
    """The style sheet for a terminal with or without colours."""
    return Style.from_dict(_COMMON | (_COLOURED if coloured else _UNCOLOURED))
