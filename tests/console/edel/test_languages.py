"""Edel, Stein & Reich in German and Dutch: nothing stays English, nothing is cut off that is not in English."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from bcnet import language
from bcnet.games.interface import Event, Over
from bcnet.language import told
from bcnet_client.console import view
from bcnet_client.console.edel import FACE
from bcnet_client.console.face import Frame
from bcnet_client.console.scene import Scene
from bcnet_client.console.text import plain, width
from bcnet_client.console.view import Pane
from tests.console.edel.scenes import GAME, NAMES, clever, game
from tests.console.edel.screens import SHOTS, looked_at, rich
from tests.console.edel.test_picking import SCENES, some
from tests.console.screens import DENSE, WIDE, Shot
from tests.console.test_languages import OTHERS, english_in, marks


@pytest.fixture(autouse=True)
def english_afterwards() -> Iterator[None]:
    yield
    language.use(language.ENGLISH)


def drawn(scene: Scene, pane: Pane, frame: Frame) -> list[str]:
    return [plain(each) for each in view.render(scene, pane, FACE, frame)]


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("frame", [WIDE, DENSE], ids=str)
@pytest.mark.parametrize("shot", SHOTS, ids=lambda shot: shot.name)
def test_screens(shot: Shot, frame: Frame, name: str) -> None:
    scene = shot.scene()
    pane = replace(shot.seen(scene), ask="", deciding=False)  # what is asked is said when it comes
    english = drawn(scene, pane, frame)
    language.use(name)
    lines = drawn(scene, pane, frame)
    assert {width(each) for each in lines} <= {frame.columns, 0}
    assert marks(lines) <= marks(english), "something is cut off"
    assert english_in("\n".join(lines), name) == []


@pytest.mark.parametrize("name", OTHERS)
def test_pages(name: str) -> None:
    language.use(name)
    for page in (view.MOVES, view.HAND, view.SCORE, view.STORY, view.HELP, *FACE.topics):
        for frame in (WIDE, DENSE):
            _, lines = view.page(page, rich(5), FACE, frame.columns - 2)
            assert max(width(each) for each in lines) <= frame.columns - 2
            assert english_in("\n".join(plain(each) for each in lines), name) == []


@pytest.mark.parametrize("name", OTHERS)
def test_all_that_is_asked(name: str) -> None:
    language.use(name)
    for scene in SCENES:
        assert width(FACE.call(scene)) <= DENSE.columns - 2, FACE.call(scene)
        assert 0 < width(FACE.picking.keys(None, scene)) <= 36
        for action in some(scene):
            picked = FACE.picking.standing_for(action, scene)
            said = f"{FACE.call(scene, picked)} {FACE.confirm(action, scene)}"
            assert english_in(said, name) == []
        assert english_in(FACE.advice(scene, float), name) == []


@pytest.mark.parametrize("name", OTHERS)
def test_all_that_is_told(name: str) -> None:
    """Of whole games, as a player is told it, as somebody who looks at them, and line by line."""
    language.use(name)
    for scene in (
        *(list(game(seed, seats))[-1] for seed in (1, 2) for seats in GAME.seats),
        clever(3, 4)[-1],
    ):
        said = [*FACE.summary(scene), FACE.outcome(_result(scene), scene)]
        for each in scene.story:
            if isinstance(each.event, Event):
                said += [FACE.tell(each.event, scene), FACE.tell(each.event, looked_at(scene))]
                said.append(told(GAME.tell(each.event, NAMES)))
        assert english_in("\n".join(said), name) == []


def _result(scene: Scene) -> Over:
    assert scene.state is not None
    assert isinstance(scene.state.need, Over)
    return scene.state.need
