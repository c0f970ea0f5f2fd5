"""Stones in German and Dutch: nothing of it is English, and nothing is cut off."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from bcnet import language
from bcnet_client.console import view
from bcnet_client.console.face import Frame
from bcnet_client.console.stones import FACE
from bcnet_client.console.text import plain, width
from tests.console.screens import DENSE, WIDE
from tests.console.stones.screens import LARGE, SHOTS, Shot, asked, clever, nothing_fits, penalised
from tests.console.test_languages import OTHERS, english_in, marks

PAGES = (view.MOVES, view.HAND, view.SCORE, view.STORY, view.HELP, *FACE.topics)


@pytest.fixture(autouse=True)
def english_afterwards() -> Iterator[None]:
    yield
    language.use(language.ENGLISH)


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("frame", [WIDE, DENSE, LARGE], ids=str)
@pytest.mark.parametrize("shot", SHOTS, ids=lambda shot: shot.name)
def test_screens(shot: Shot, frame: Frame, name: str) -> None:
    scene = shot.scene()
    english = view.render(scene, shot.seen(scene), FACE, frame)
    language.use(name)
    lines = view.render(scene, shot.seen(scene), FACE, frame)
    assert {width(each) for each in lines} <= {frame.columns, 0}
    assert marks([plain(each) for each in lines]) <= marks([plain(each) for each in english])
    assert english_in("\n".join(plain(each) for each in lines), name) == []


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("page", PAGES)
def test_pages(page: str, name: str) -> None:
    for frame in (WIDE, DENSE):
        language.use(name)
        _, lines = view.page(page, asked(clever(3), 4), FACE, frame.columns - 2)
        assert max(width(each) for each in lines) <= frame.columns - 2
        assert english_in("\n".join(plain(each) for each in lines), name) == []


@pytest.mark.parametrize("name", OTHERS)
def test_what_happens_is_told_in_the_language(name: str) -> None:
    """To each seat, to onlookers, and what the advice says."""
    language.use(name)
    scenes = penalised()
    for seat in range(3):
        scene = replace(scenes[-1], seat=seat)
        told = [view.tell(each.event, scene, FACE) for each in scene.story]
        assert english_in("\n".join(told), name) == []
    for scene in (asked(scenes, 2), nothing_fits(), asked(clever(2), 4)):
        assert english_in(FACE.advice(scene, lambda: 0.0), name) == []


@pytest.mark.parametrize("name", OTHERS)
def test_what_the_keys_do_fits(name: str) -> None:
    language.use(name)
    for shot in SHOTS:
        scene = shot.scene()
        assert width(FACE.picking.keys(shot.seen(scene).picked, scene)) <= 36
