"""The page of a finished game in a real browser: what it shows, what moves it, and that it is quiet and alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bcnet.games.balloon_cup.notation import write_card
from bcnet.games.balloon_cup.state import BalloonCupState
from bcnet_client.page import page_of
from tests.console.browser import VARIABLE, Browser, browser, found
from tests.console.test_page import playback_of

pytestmark = [
    pytest.mark.end_to_end,
    pytest.mark.skipif(
        found() is None,
        reason=f"no Chromium, Chrome or Edge here ({VARIABLE} names one): the page was not looked at in a browser",
    ),
]

PLAYBACK = playback_of("clean-designer")
LAST = PLAYBACK.last

SHOWN = "[...document.querySelectorAll('.moment')].filter((each) => each.checkVisibility()).map((each) => each.id)"
CARDS = "[...document.querySelectorAll('.moment:not(.away) g.card text:not(.mark)')].map((each) => each.textContent)"
CURSORS = "[...document.querySelectorAll('.cursor')].map((each) => each.getBoundingClientRect().x)"
FITS = "document.documentElement.scrollWidth <= innerWidth"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "a game, with spaces.html"
    path.write_text(page_of(PLAYBACK), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    program = found()
    assert program is not None
    with browser(program) as started:
        yield started


@pytest.fixture
def page(chromium: Browser, file: Path) -> Iterator[Browser]:
    """The page, from its beginning; at the end it has said nothing and asked for nothing."""
    chromium.resize(1000, 900)
    chromium.open(file)
    yield chromium
    assert chromium.complaints() == []
    assert chromium.requests() == [file.absolute().as_uri()]


def at(page: Browser) -> int:
    """The only moment that is shown."""
    (shown,) = page.value(SHOWN)
    return int(shown.removeprefix("m"))


def cards_of(number: int) -> list[str]:
    """All that are known at a moment: in hands and on the tiles."""
    state = PLAYBACK.moments[number].state
    assert isinstance(state, BalloonCupState)
    cards = [card for seat in (0, 1) for card in state.hand(seat).known]
    cards += [card for tile in state.tiles for side in (0, 1) for card in tile.cards(side)]
    return sorted(write_card(card).upper() for card in cards)


@pytest.mark.parametrize("number", [0, 1, LAST // 3, LAST // 2, LAST])
def test_the_board_of_a_moment(number: int, page: Browser, file: Path) -> None:
    page.open(file, f"#m{number}")
    assert at(page) == number
    assert sorted(page.value(CARDS)) == cards_of(number)
    said = page.value("[...document.querySelectorAll('.moment:not(.away) li')].map((e) => e.innerText)")
    assert said == [sentence.text for sentence in PLAYBACK.moments[number].sentences]
    box = page.value(
        "(({width, height}) => [width, height])"
        "(document.querySelector('.moment:not(.away) svg').getBoundingClientRect())"
    )
    assert box[0] > 600
    assert box[1] > 300
    # What is shown is drawn, and not only in the document: a card in the first hand has another colour than the paper.
    colours = page.value(
        "[...document.querySelectorAll('.moment:not(.away) g.card rect')]"
        ".map((each) => getComputedStyle(each).fill)"
    )
    assert len(set(colours)) > 1


def test_keys_as_a_person_presses_them(page: Browser) -> None:
    moves = [
        ("ArrowRight", 39, 1), ("ArrowRight", 39, 2), ("ArrowLeft", 37, 1), ("PageDown", 34, 11), ("PageUp", 33, 1),
        ("End", 35, LAST), ("ArrowRight", 39, LAST), ("Home", 36, 0), ("ArrowLeft", 37, 0),
    ]  # fmt: skip
    for key, code, number in moves:
        page.press(key, code)
        assert at(page) == number, key


def test_buttons_and_the_slider_with_the_mouse(page: Browser) -> None:
    for button, number in (("forward", 1), ("last", LAST), ("back", LAST - 1), ("first", 0)):
        page.click(f"#{button}")
        assert at(page) == number, button
    page.click("#slider")  # its middle
    assert abs(at(page) - LAST / 2) <= 2
    before = at(page)
    page.press("ArrowRight", 39)  # the slider has the keys now, and does not move twice
    assert at(page) == before + 1


def test_it_goes_on_by_itself(page: Browser) -> None:
    page.press(" ", 32)
    assert page.value("document.getElementById('auto').textContent") == "Stop"
    page.value("new Promise((done) => setTimeout(done, 2600))")
    assert at(page) == 1
    page.press(" ", 32)
    assert page.value("document.getElementById('auto').textContent") == "Play"


def test_the_charts_follow(page: Browser) -> None:
    begin = page.value(CURSORS)
    assert len(begin) == 2
    page.press("End", 35)
    end = page.value(CURSORS)
    assert all(right - left > 300 for left, right in zip(begin, end, strict=True))
    lines = page.value(
        "[...document.querySelectorAll('.race path.line')].map((each) => each.getTotalLength())"
    )
    assert len(lines) == 8  # two charts, a line and its sample in the legend for each player
    assert all(length > 0 for length in lines)


@pytest.mark.parametrize("width", [1600, 1000, 600, 360, 320])
def test_it_fits_into_a_window(width: int, page: Browser, file: Path) -> None:
    page.resize(width, 700)
    page.open(file, f"#m{LAST}")
    assert page.value(FITS)
    inside = page.value(
        "[...document.querySelectorAll('.controls *')].every((each) =>"
        " each.getBoundingClientRect().left >= 0 && each.getBoundingClientRect().right <= innerWidth)"
    )
    assert inside
    # The heading that a link leads to is not under the bar with the buttons.
    assert page.value(
        f"document.querySelector('#m{LAST} h2').getBoundingClientRect().top"
        " >= document.querySelector('.controls').getBoundingClientRect().bottom - 1"
    )


def test_without_a_script_all_moments_are_there(page: Browser, file: Path) -> None:
    page.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        page.open(file)
    finally:
        page.call("Emulation.setScriptExecutionDisabled", value=False)
    assert len(page.value(SHOWN)) == LAST + 1
    assert not page.value("document.querySelector('.controls').checkVisibility()")


def test_its_policy_stops_what_is_not_its_own(page: Browser, file: Path, tmp_path: Path) -> None:
    """The same page with a script, a picture and a style of somebody else in it: none of them does anything."""
    text = file.read_text("utf-8")
    foreign = (
        "<script>document.title = 'theirs'</script><img src='theirs.png' onerror=\"document.title = 'theirs'\">"
        "<style>h1{color:#010203}</style>"
    )
    other = tmp_path / "other.html"
    other.write_text(text.replace("</body>", f"{foreign}</body>"), encoding="utf-8")
    page.open(other)
    assert page.value("document.title") != "theirs"
    assert page.value("getComputedStyle(document.querySelector('h1')).color") != "rgb(1, 2, 3)"
    assert len(page.complaints()) >= 3
    page.open(file)


def test_a_picture_can_be_taken(page: Browser, tmp_path: Path) -> None:
    page.picture(tmp_path / "page.png")
    assert (tmp_path / "page.png").read_bytes().startswith(b"\x89PNG")
