"""Colours: that they can be told apart, and that nobody needs them."""

from __future__ import annotations

import itertools
import re

import pytest
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import _256ColorCache  # how a colour comes out where there are 256

from bcnet.games.balloon_cup.material import COLOURS
from bcnet.games.interface import Action
from bcnet_client.console import view
from bcnet_client.console.balloon_cup import FACE
from bcnet_client.console.face import Frame, Key
from bcnet_client.console.style import style_of
from bcnet_client.console.text import plain, to_console
from tests.console.screens import DENSE, SHOTS, WIDE, at

Triple = tuple[float, float, float]

NORMAL = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
# Machado, Oliveira and Fernandes, A Physiologically-based Model for Simulation of Color Vision Deficiency (2009),
# at severity 1.0, for linear RGB.
PROTAN = ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998))
DEUTAN = ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881))
TRITAN = ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900))
XYZ = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
WHITE = (0.95047, 1.0, 1.08883)
CONTROL_PICTURES = "☺☻♥♦♣♠•◘○◙♂♀♪♫☼►◄↕‼¶§▬↨↑↓→←∟↔▲▼"
"""What code page 437 draws for the codes below the blank."""


def times(matrix: tuple[Triple, ...], vector: Triple) -> Triple:
    first, second, third = (sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)
    return (first, second, third)


def seen(colour: str, eyes: tuple[Triple, ...]) -> Triple:
    """A colour (``d70000``) as somebody sees it, in CIE L*a*b*."""

    def linear(value: int) -> float:
        share = value / 255
        return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)

    def cubic(share: float) -> float:
        return float(share ** (1 / 3)) if share > 216 / 24389 else (24389 / 27 * share + 16) / 116

    red, green, blue = (linear(int(colour[at : at + 2], 16)) for at in (0, 2, 4))
    red, green, blue = (min(1.0, max(0.0, each)) for each in times(eyes, (red, green, blue)))
    x, y, z = (cubic(each / white) for each, white in zip(times(XYZ, (red, green, blue)), WHITE, strict=True))
    return (116 * y - 16, 500 * (x - y), 200 * (y - z))


def ground(word: str, depth: ColorDepth = ColorDepth.DEPTH_24_BIT) -> str:
    """The ground on which a colour's letter stands."""
    return style_of(depth).get_attrs_for_style_str(f"class:{word}").bgcolor or ""


@pytest.mark.parametrize(
    ("eyes", "least"), [(NORMAL, 60), (PROTAN, 35), (DEUTAN, 28), (TRITAN, 29)],
    ids=["all cones", "no L cones", "no M cones", "no S cones"],
)  # fmt: skip
def test_the_five_colours_are_far_apart_for_all_eyes(eyes: tuple[Triple, ...], least: float) -> None:
    """As distances in CIE L*a*b* (1976), where 2 can just be seen by somebody who looks for it."""
    for one, other in itertools.combinations(COLOURS, 2):
        ends = zip(seen(ground(one.word), eyes), seen(ground(other.word), eyes), strict=True)
        assert sum((a - b) ** 2 for a, b in ends) ** 0.5 >= least, (one, other)


def test_where_there_are_256_colours_they_are_the_same() -> None:
    cache = _256ColorCache()
    for colour in COLOURS:
        red, green, blue = (int(ground(colour.word)[at : at + 2], 16) for at in (0, 2, 4))
        assert cache.colors[cache[red, green, blue]] == (red, green, blue)


def test_where_there_are_16_they_are_five_of_them() -> None:
    found = {ground(colour.word, ColorDepth.DEPTH_4_BIT) for colour in COLOURS}
    assert len(found) == 5
    assert all(each.startswith("ansi") for each in found)


def test_a_letter_can_be_read_on_its_ground() -> None:
    """By the contrast of WCAG 2.1, which wants 4.5."""

    def luminance(colour: str) -> float:
        lightness = (seen(colour, NORMAL)[0] + 16) / 116
        return float(lightness**3)

    for colour in COLOURS:
        attrs = style_of(ColorDepth.DEPTH_24_BIT).get_attrs_for_style_str(f"class:{colour.word}")
        bright, dark = sorted((luminance(attrs.color or ""), luminance(attrs.bgcolor or "")), reverse=True)
        assert (bright + 0.05) / (dark + 0.05) >= 4.5, colour


@pytest.mark.parametrize("frame", [WIDE, DENSE], ids=str)
def test_nothing_is_said_by_colour_alone(frame: Frame) -> None:
    """Whatever is picked, the text of the screen differs from that with anything else, also without its last lines,
    which say it in words."""
    scene = at(1, 6)
    shown: dict[str, object] = {}
    for typed in ("", "r3", "r6", "e7", "r3 2 me", "r3 2 them", "r3 3 me", "r6 2 me"):
        picked = FACE.picking.typed(typed, scene) if typed else None
        text = view.as_text(FACE.board(scene, frame, picked))
        assert text not in shown, (typed, shown[text])
        shown[text] = typed


def test_marks_and_cursors_of_the_dialogs_are_characters() -> None:
    for scene, presses in ((at(1, 117), "mark right mark right"), (at(13, 200), "down down down down")):
        texts = set()
        picked = None
        for name in presses.split():
            found = FACE.picking.press(Key[name.upper()], picked, scene, WIDE)
            assert not isinstance(found, Action)
            picked = found
            texts.add(view.as_text(FACE.question(scene, 78, picked)))
        assert len(texts) == 4


def test_the_console_of_linux_can_show_what_is_drawn() -> None:
    """With its own font, that of code page 437."""
    for shot in SHOTS:
        scene = shot.scene()
        if scene.sitters[1].name == "Bob":
            for each in to_console(view.render(scene, shot.seen(scene), FACE, shot.frame)):
                rest = re.sub(f"[{CONTROL_PICTURES}]", "", plain(each))
                rest.encode("cp437")  # raises where it cannot
