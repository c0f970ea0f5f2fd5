"""How the classes of the views look: in true colour, in 256 colours, in 16, and without any.

Nothing is said by colour alone: every card, cube and trophy has its letter, what is picked stands in brackets, what is
lit has a mark of its own. Colours make it quicker to see.

The five of the game have to be told apart by people who see colours in any way. Red, yellow, green, blue and grey are
all there is to choose from; which shades was found by looking for those that lie furthest apart for each kind of
colour-blindness (their distances are in the tests, with the model by which they were computed). They differ in
lightness as well as in hue. The well-known palette of Okabe and Ito was tried first: its bluish green and its blue come
closer to each other, as somebody sees them who lacks the cones for blue. All shades are ones of the 256 colours that
terminals have in common, so that 256 and true colour look the same. Where there are 16, the terminal's own are taken:
nobody but the player knows what they look like.

Stones has red and grey as well, and a black and a white that are not quite that: either could be the terminal's ground.
"""

from __future__ import annotations

from prompt_toolkit.output import ColorDepth
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
    "said": "italic",
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
    "last": "bold underline",
    "lit": "reverse bold noinherit",
    "picked": "reverse bold noinherit",
    "turn": "bold ansigreen",
    "alert": "ansired bold",
    "error": "ansired bold",
    "trophy": "ansiyellow bold",
    "secret": "ansimagenta bold",
    "mountain": "bold",
}

_MANY = {
    "red": "bg:#d70000 #ffffff",
    "yellow": "bg:#ffff5f #000000",
    "green": "bg:#00d787 #000000",
    "blue": "bg:#005fd7 #ffffff",
    "grey": "bg:#8a8a8a #000000",
    "black": "bg:#303030 #ffffff",
    "white": "bg:#eeeeee #000000",
    "title": "bg:#1d3557 #ffffff noreverse bold",
    "call": "bg:#1b7f3b #ffffff noreverse bold",
    "ask": "bg:#f5d90a #000000 noreverse bold",
    "edge": "#808080",
    "dim": "#808080",
    "completion-menu": "bg:#333333 #ffffff",
    "completion-menu.completion.current": "bg:#ffffff #000000",
    "completion-menu.meta.completion": "bg:#444444 #cccccc",
}

_SIXTEEN = {
    "red": "bg:ansired ansiwhite",
    "yellow": "bg:ansiyellow ansiblack",
    "green": "bg:ansigreen ansiblack",
    "blue": "bg:ansiblue ansiwhite",
    "grey": "bg:ansigray ansiblack",
    "black": "bg:ansibrightblack ansiwhite",
    "white": "bg:ansiwhite ansiblack",
    "title": "bg:ansiblue ansiwhite noreverse bold",
    "call": "bg:ansigreen ansiblack noreverse",
    "ask": "bg:ansiyellow ansiblack noreverse",
    "completion-menu": "reverse",
    "completion-menu.completion.current": "noreverse bold underline",
    "completion-menu.meta.completion": "reverse",
}

_UNCOLOURED = {
    "red": "bold",
    "yellow": "bold",
    "green": "bold",
    "blue": "bold",
    "grey": "bold",
    "black": "bold",
    "white": "bold",
    "completion-menu": "reverse",
    "completion-menu.completion.current": "noreverse bold underline",
    "completion-menu.meta.completion": "reverse",
}


def style_of(depth: ColorDepth) -> Style:
    """The style sheet for a terminal with so many colours."""
    if depth is ColorDepth.DEPTH_1_BIT:
        return Style.from_dict(_COMMON | _UNCOLOURED)
    return Style.from_dict(_COMMON | _COLOURED | (_SIXTEEN if depth is ColorDepth.DEPTH_4_BIT else _MANY))
