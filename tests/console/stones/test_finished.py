"""A finished game of Stones, looked at again: on the console, as lines and as a page."""

from __future__ import annotations

import re
from functools import cache

import pytest

from bcnet.games.stones.events import StoneLaid
from bcnet.games.stones.state import StonesState
from bcnet.replay import Playback, play_back
from bcnet.verify import Verdict, examine
from bcnet_client.console import replaying
from bcnet_client.console.face import Frame
from bcnet_client.console.replaying import Shown
from bcnet_client.console.stones import FACE
from bcnet_client.console.text import plain, width
from bcnet_client.console.view import as_text
from bcnet_client.page import page_of
from bcnet_client.page.drawing import drawing_of
from tests.console.stones.scenes import GAME
from tests.console.test_page import Page, moments_of
from tests.table.quick import quick_proofs
from tests.table.room import Room, at_random, lookup


@cache
def playback_of(seats: int, *, penalties: bool = False) -> Playback:
    """A whole game at a table in memory, by chance, and its transcript examined."""
    with quick_proofs():
        room = Room.of(GAME, seats, {"penalties": "on"} if penalties else {})
        room.play(at_random)
        assert room.complete
        return play_back(*examine(room.file(0), games=lookup))


def state_at(playback: Playback, number: int) -> StonesState:
    state = playback.moments[number].state
    assert isinstance(state, StonesState)
    return state


GAMES = pytest.mark.parametrize(("seats", "penalties"), [(2, False), (4, False), (3, True)])


@GAMES
def test_every_move_is_shown(seats: int, penalties: bool) -> None:
    playback = playback_of(seats, penalties=penalties)
    assert playback.report.verdict is Verdict.CLEAN
    for at in range(0, playback.last + 1, 3):
        for frame in (Frame(80, 24), Frame(60, 20), Frame(120, 40)):
            lines = replaying.render(playback, Shown(at), FACE, frame)
            assert len(lines) == frame.rows
            assert {width(each) for each in lines} <= {frame.columns, 0}
            text = as_text(lines)
            assert not re.search(r"\byou|secret", text, re.IGNORECASE)
            for name, points in zip(playback.names, state_at(playback, at).points, strict=True):
                assert re.search(rf"\b{re.escape(name)} +{points}\b", text)
            for sentence in playback.moments[at].sentences:
                assert not sentence.secret


@GAMES
def test_as_lines_every_sentence_and_stone_is_said(seats: int, penalties: bool) -> None:
    playback = playback_of(seats, penalties=penalties)
    text = "\n".join(replaying.as_lines(playback))
    assert "in which nothing was hidden" in text
    assert "secret" not in text
    assert all(sentence.text in text for moment in playback.moments for sentence in moment.sentences)
    assert len(re.findall(r"points?, \d+ left", text)) == seats * len(playback.moments)
    last = state_at(playback, playback.last)
    final = text[text.rindex("Columns ") :]
    assert sum(final.count(f"{word} at ") for word in ("red", "black", "grey", "white")) == len(
        last.field.stones
    )


@GAMES
def test_the_page_is_whole_and_has_every_moment(seats: int, penalties: bool) -> None:
    playback = playback_of(seats, penalties=penalties)
    text = page_of(playback)
    page = Page(text)
    assert page.open == []
    assert "secret then" not in page.text("p")
    assert page.tags["section"] == playback.last + 1
    assert page.tags["svg"] == playback.last + 2  # and the chart
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    for number, moment in enumerate(moments_of(text)):
        state = state_at(playback, number)
        assert len(re.findall(r'class="stone \w+( last)?"', moment)) == len(state.field.stones)
        left = sum(sum(state.supply(seat)) for seat in state.present)
        assert len(re.findall(r'class="stone \w+ left"', moment)) == left
        shown = re.findall(r'class="points">(-?\d+)<', moment)
        assert [int(points) for points in shown] == list(state.points)
        laid = [event for event in playback.moments[number].events if isinstance(event, StoneLaid)]
        assert moment.count(' last"') == len(
            {(event.column, event.row) for event in laid} & set(_lying(state))
        )


def _lying(state: StonesState) -> list[tuple[int, int]]:
    return [stone.place for stone in state.field.stones]


@GAMES
def test_what_is_drawn_is_within_the_picture(seats: int, penalties: bool) -> None:
    playback = playback_of(seats, penalties=penalties)
    for moment in playback.moments:
        drawn = drawing_of("stones").board(moment, playback.names)
        for x, y, wide, tall in re.findall(
            r'<rect x="([\d.-]+)" y="([\d.-]+)" width="([\d.]+)" height="([\d.]+)"', drawn
        ):
            assert 0 <= float(x) <= float(x) + float(wide) <= 600
            assert 0 <= float(y) <= float(y) + float(tall) <= 384


def test_the_race_is_the_points() -> None:
    playback = playback_of(3, penalties=True)
    (race,) = drawing_of("stones").races(playback)
    assert [counts[-1] for counts in race.counts] == list(state_at(playback, playback.last).points)
    assert all(len(counts) == playback.last + 1 for counts in race.counts)
    doubled = [
        event
        for moment in playback.moments
        for event in moment.events
        if isinstance(event, StoneLaid) and event.doubled
    ]
    assert len(race.marks) == len(doubled) > 0


def test_points_below_zero_stay_in_the_chart() -> None:
    playback = playback_of(3, penalties=True)
    lowest = min(min(state_at(playback, at).points) for at in range(playback.last + 1))
    text = page_of(playback)
    chart = text[text.index('class="race"') :]
    heights = [float(y) for y in re.findall(r"V([\d.-]+)", chart)]
    assert lowest < 0
    assert min(heights) >= 0
    assert max(heights) <= 130
    assert f">{lowest}<" in chart


def test_plain_words_of_the_console_are_all_there() -> None:
    scene = replaying.scene_at(playback_of(4), 20)
    assert len(FACE.hand(scene)) == 4
    assert [plain(each) for each in FACE.moves(scene, 60)] == ["There is nothing to choose now."]
    assert FACE.question(scene, 60) == []
    assert FACE.call(scene) == ""
