"""Rules and other texts, broken anew for windows of every width."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from bcnet import language
from bcnet.cli.topics import TOPICS
from bcnet.games import registry
from bcnet.language import told
from bcnet_client.console.pages import reflow
from bcnet_client.console.text import plain, width

NARROWEST = 39
WIDTHS = (NARROWEST, 58, 78, 118)


@pytest.fixture(autouse=True)
def english_afterwards() -> Iterator[None]:
    yield
    language.use(language.ENGLISH)


def shown(text: str, columns: int) -> list[str]:
    lines = reflow(text, columns)
    assert all(width(each) <= columns for each in lines), [plain(each) for each in lines]
    return [plain(each).rstrip() for each in lines]


@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize("name", language.LANGUAGES)
def test_every_text_keeps_its_words_and_the_width(name: str, columns: int) -> None:
    language.use(name)
    texts = [
        told(text) for game in map(registry.get, registry.names()) for text in (game.rules, game.notation)
    ]
    texts += [topic.text() for topic in TOPICS.values()]
    for text in filter(None, texts):
        assert " ".join(" ".join(shown(text, columns)).split()) == " ".join(text.split())


@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize("name", language.LANGUAGES)
@pytest.mark.parametrize("game", registry.names())
def test_headings_stand_out_and_begin_a_line(game: str, name: str, columns: int) -> None:
    language.use(name)
    rules = told(registry.get(game).rules)
    headings = re.findall(r"^[A-ZÄÖÜ][^a-z\n]+  (?=\S)", rules, re.MULTILINE)
    lines = shown(rules, columns)
    assert len(headings) >= 4
    assert all(any(line.startswith(heading) for line in lines) for heading in headings)


RULES = """\
A ROUND  Each gets a card, and all choose one of these in secret.
  Money        as much as your card shows
  Free Choice  two gems as you like
If the supply is short it gives what it has.

EVENTS*  Some work at once.
  15 certificate            see below
   4 surcharge, one a colour  +6 if you win or share that colour
"""


def test_a_table_of_words_stands_in_columns() -> None:
    assert shown(RULES, 60) == [
        "A ROUND  Each gets a card, and all choose one of these in",
        "secret.",
        "  Money        as much as your card shows",
        "  Free Choice  two gems as you like",
        "If the supply is short it gives what it has.",
        "",
        "EVENTS*  Some work at once.",
        "  15 certificate              see below",
        "   4 surcharge, one a colour  +6 if you win or share that",
        "                              colour",
    ]


def test_where_there_is_no_room_for_columns_a_row_goes_on_below() -> None:
    assert shown(RULES, 40)[-3:] == [
        "  15 certificate  see below",
        "   4 surcharge, one a colour  +6 if you",
        "       win or share that colour",
    ]


def test_lines_that_begin_with_a_blank_and_points() -> None:
    text = (
        "Two ways to say it, with a line that is shown as it is to be typed:\n\n  name = a\n  level = b\n\n"
    )
    text += "Both\n1. one that is longer than a line\n   has room\n- another that is longer, too\nthan that\n"
    assert shown(text, 24)[3:] == [
        "",
        "  name = a",
        "  level = b",
        "",
        "Both",
        "1. one that is longer",
        "   than a line has room",
        "- another that is",
        "  longer, too than that",
    ]


def test_a_point_with_two_digits_hangs_as_far_as_its_own_text() -> None:
    assert shown("9. the last with one digit\n10. the first with two digits\n", 20) == [
        "9. the last with one",
        "   digit",
        "10. the first with",
        "    two digits",
    ]


GRID = """\
              red  yellow  green
  cubes        13      11      9     in the bag at first
  trophy        7       6      5     to pay
"""


@pytest.mark.parametrize(
    ("columns", "wanted"),
    [
        (60, GRID),
        (
            48,
            """\
        red  yellow  green
cubes    13      11      9  in the bag at first
trophy    7       6      5  to pay
""",
        ),
        (
            44,
            """\
       red yellow green
cubes   13     11     9 in the bag at first
trophy   7      6     5 to pay
""",
        ),
        (
            30,
            """\
       red yellow green
cubes   13     11     9
    in the bag at first
trophy   7      6     5
    to pay
""",
        ),
    ],
)
def test_a_table_of_numbers_is_squeezed(columns: int, wanted: str) -> None:
    assert shown(GRID, columns) == wanted.splitlines()
