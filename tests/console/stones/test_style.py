"""The colours of Stones: that they can be told apart, and that nobody needs them."""

from __future__ import annotations

import itertools

import pytest
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import _256ColorCache  # how a colour comes out where there are 256

from bcnet.games.stones.material import COLOURS
from bcnet_client.console import view
from bcnet_client.console.face import Frame
from bcnet_client.console.stones import FACE
from bcnet_client.console.style import style_of
from bcnet_client.console.text import plain, to_console
from tests.console.screens import DENSE, WIDE
from tests.console.stones.screens import LARGE, SHOTS, asked, clever
from tests.console.test_style import CONTROL_PICTURES, DEUTAN, NORMAL, PROTAN, TRITAN, Triple, ground, seen


def lightness(colour: str, eyes: tuple[Triple, ...]) -> float:
    return seen(colour, eyes)[0]


@pytest.mark.parametrize("eyes", [NORMAL, PROTAN, DEUTAN, TRITAN], ids=["all", "no L", "no M", "no S"])
def test_the_four_colours_are_far_apart_for_all_eyes(eyes: tuple[Triple, ...]) -> None:
    """As distances in CIE L*a*b* (1976), where 2 can just be seen by somebody who looks for it."""
    for one, other in itertools.combinations(COLOURS, 2):
        ends = zip(seen(ground(one.word), eyes), seen(ground(other.word), eyes), strict=True)
        assert sum((a - b) ** 2 for a, b in ends) ** 0.5 >= 35, (one, other)


def test_a_letter_can_be_read_on_its_ground() -> None:
    for colour in COLOURS:
        attrs = style_of(ColorDepth.DEPTH_24_BIT).get_attrs_for_style_str(f"class:{colour.word}")
        assert attrs.color
        assert attrs.bgcolor
        apart = lightness(attrs.color, NORMAL) - lightness(attrs.bgcolor, NORMAL)
        assert abs(apart) > 50, colour


def test_fewer_colours_are_as_many_stones() -> None:
    cache = _256ColorCache()
    for colour in COLOURS:
        red, green, blue = (int(ground(colour.word)[at : at + 2], 16) for at in (0, 2, 4))
        assert cache.colors[cache[red, green, blue]] == (red, green, blue)
    found = {ground(colour.word, ColorDepth.DEPTH_4_BIT) for colour in COLOURS}
    assert len(found) == 4
    assert all(each.startswith("ansi") for each in found)


@pytest.mark.parametrize("frame", [WIDE, DENSE, LARGE], ids=str)
def test_nothing_is_said_by_colour_alone(frame: Frame) -> None:
    """Whatever is picked, the text of the table differs from that with anything else."""
    scene = asked(clever(2), 4)
    shown: dict[str, str] = {}
    for typed in ("", "r", "b", "g", "w", "b 3 3", "g 3 3", "b 4 2", "w -1 1"):
        text = view.as_text(FACE.board(scene, frame, FACE.picking.typed(typed, scene) if typed else None))
        assert text not in shown, (typed, shown[text])
        shown[text] = typed


def test_the_console_of_linux_has_all_characters() -> None:
    """Its fonts have code page 437."""
    known = {bytes([code]).decode("cp437") for code in range(0x20, 0x100)} | set(CONTROL_PICTURES)
    for shot in SHOTS:
        scene = shot.scene()
        if scene.sitters[1].name == "Bob":
            lines = to_console(view.render(scene, shot.seen(scene), FACE, shot.frame))
            assert {each for line in lines for each in plain(line)} <= known
