"""Stones in German and Dutch: nothing of it is English, and nothing is cut off."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from bcnet import language
from bcnet.updates import LineDown
from bcnet.wire.v1 import table_pb2 as pb
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


@pytest.mark.parametrize(
    ("name", "one", "several"),
    [
        (
            "en",
            "when Bob comes back.",
            "The seats of Bob and Cleo are kept; the game goes on by itself when all",
        ),
        (
            "de",
            "wenn Bob zurückkommt.",
            "Die Sitze von Bob und Cleo bleiben frei; das Spiel geht von selbst weiter",
        ),
        (
            "nl",
            "als Bob terugkomt.",
            "De plaatsen van Bob en Cleo blijven vrij; het spel gaat vanzelf verder als",
        ),
    ],
)
def test_one_who_is_missed_and_several(name: str, one: str, several: str) -> None:
    language.use(name)
    scene = clever(3)[-2]
    missing = [LineDown(frozenset(seats), pb.REASON_UNSPECIFIED) for seats in ((1,), (1, 2))]
    told = [view.troubles(replace(scene, lost=down))[1] for down in missing]
    assert told[0].endswith(one)
    assert told[1].startswith(several)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        (
            "en",
            ["Bob has left", "Bob and Cleo have left", "Bob is thinking", "Bob and Cleo are thinking"],
        ),
        (
            "de",
            ["Bob ist gegangen", "Bob und Cleo sind gegangen", "Bob denkt nach", "Bob und Cleo denken nach"],
        ),
        ("nl", ["Bob is weg", "Bob en Cleo zijn weg", "Bob denkt na", "Bob en Cleo denken na"]),
    ],
)
def test_one_who_has_left_or_thinks_and_several(name: str, wanted: list[str]) -> None:
    language.use(name)
    scene = clever(3)[-2]
    told = [view.again_gone(replace(scene, gone=frozenset(seats))) for seats in ((1,), (1, 2))]
    told += [view.thinking(replace(scene, awaited=seats), 5) for seats in ((1,), (1, 2))]
    assert [each.startswith(begin) for each, begin in zip(told, wanted, strict=True)] == [True] * 4, told


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
