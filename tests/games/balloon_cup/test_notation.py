"""How actions are written and read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bcnet.errors import MalformedNotation
from bcnet.games.balloon_cup import text
from bcnet.games.balloon_cup.actions import Claim, CubesDrawn, Decline, Exchange, Pass, Play
from bcnet.games.balloon_cup.material import ALL_CUBES, CARDS, COLOURS, DECK, Colour
from bcnet.games.balloon_cup.notation import card_named, parse_card, parse_colour, write_card
from bcnet.games.interface import Action
from tests.games.balloon_cup.positions import GAME, cards, cubes

WRITTEN = [
    (Play(12, 2, 0), "play r13 2 0"),
    (Play(0, 1, 1), "play r1 1 1"),
    (Play(44, 4, 1), "play e13 4 1"),
    (Exchange(cards("r1 e4")), "exchange r1 e4"),
    (Exchange(cards("r1 r10 y5 b3")), "exchange r1 r10 y5 b3"),
    (Exchange(()), "exchange"),
    (Pass(), "pass"),
    (Claim(Colour.BLUE, cubes("3b 3r")), "claim blue blue=3 red=3"),
    (Claim(Colour.RED, cubes("7r")), "claim red red=7"),
    (Claim(Colour.GREY, cubes("9r")), "claim grey red=9"),
    (Claim(Colour.GREEN, cubes("2g 3r 3y 3e")), "claim green green=2 red=3 yellow=3 grey=3"),
    (Decline(), "decline"),
]


@pytest.mark.parametrize(("action", "written"), WRITTEN)
def test_one_spelling(action: Action, written: str) -> None:
    assert GAME.write(action) == written
    assert GAME.parse(written) == action


@pytest.mark.parametrize(
    "text",
    [
        "play r14 2 0",  # no such card
        "play r0 2 0",
        "play g3 2 0",
        "play y4 2 0",
        "play b2 2 0",
        "play e2 2 0",
        "play x1 2 0",
        "play r01 2 0",
        "play R1 2 0",
        "play red-1 2 0",
        "play r1 0 0",
        "play r1 5 0",
        "play r1 02 0",
        "play r1 +2 0",
        "play r1 2 2",
        "play r1 2 -1",
        "play r1 2 me",
        "play r1 2",
        "play r1 2 0 0",
        "play r1  2 0",
        "Play r1 2 0",
        "play\tr1 2 0",
        "play r1 2 0\n",
        "play r1 2 ٠",
        "exchange e4 r1",  # not sorted
        "exchange r1 r1",
        "exchange r10 r2",  # by value, not by letters
        "exchange r1 r2 r3 r4 r5",
        "exchange ",
        "pass ",
        "pass pass",
        "decline red",
        "claim blue red=3 blue=3",  # the own colour first
        "claim blue blue=3 yellow=3 red=3",
        "claim blue blue=3 blue=3",
        "claim blue blue=0 red=12",
        "claim blue blue=03 red=3",
        "claim blue blue=+3 red=3",
        "claim blue blue=3 red=",
        "claim blue blue=3 red",
        "claim blue blue=3=3",
        "claim blue blue=46",
        "claim purple blue=3",
        "claim blue purple=3",
        "claim Blue blue=3",
        "claim",
    ],
)
def test_everything_else_is_refused(text: str) -> None:
    with pytest.raises(MalformedNotation) as refusal:
        GAME.parse(text)
    assert refusal.value.message


@given(st.text(st.sampled_from("playexchgdcim rygbe=0123456789"), max_size=30))
def test_what_is_read_is_written_the_same(text: str) -> None:
    try:
        action = GAME.parse(text)
    except MalformedNotation:
        return
    assert GAME.write(action) == text


@given(
    st.one_of(
        st.builds(Play, st.integers(0, CARDS - 1), st.integers(1, 4), st.integers(0, 1)),
        st.builds(
            lambda chosen: Exchange(tuple(sorted(chosen))), st.sets(st.integers(0, CARDS - 1), max_size=4)
        ),
        st.builds(Claim, st.sampled_from(COLOURS), st.tuples(*(st.integers(0, most) for most in ALL_CUBES))),
    )
)
def test_what_is_written_is_read_the_same(action: Action) -> None:
    text = GAME.write(action)
    assert text.isascii()
    assert len(text) <= 200
    assert GAME.parse(text) == action


def test_no_outcome_is_written() -> None:
    with pytest.raises(MalformedNotation):
        GAME.write(CubesDrawn(1, cubes("r")))  # type: ignore[arg-type]


def test_cards_and_colours() -> None:
    for card in range(CARDS):
        assert parse_card(write_card(card)) == card == card_named(DECK[card])
        assert DECK[card].startswith(parse_colour(DECK[card].split("-")[0]).word)
    with pytest.raises(MalformedNotation) as refusal:
        parse_card("q7")
    assert refusal.value.message == "'q7' is no card"
    assert refusal.value.hint == "A letter (r y g b, e for grey) and a value, as in r13."


def test_the_help_shows_notation_that_is_read() -> None:
    shown = [line.split("   ")[0].strip() for line in text.NOTATION.split("\n\n")[0].splitlines()]
    assert len(shown) == 6
    for example in shown:
        assert GAME.write(GAME.parse(example)) == example


def test_the_rules_fit_a_page() -> None:
    lines = text.RULES.splitlines()
    assert len(lines) <= 60
    assert max(map(len, lines)) <= 110
    for word in ("no-play-left", "no-third-trophy", "standstill", "designer", "blind", "capped"):
        assert word in text.RULES
