"""A line of chat: what is left of it, and how often somebody may speak."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bcnet.chat import (
    HEAR_BURST,
    MAX_BYTES,
    MAX_LENGTH,
    MAX_MARKS,
    SPEAK_BURST,
    Allowance,
    Conversation,
    clean,
)
from bcnet.errors import Refusal


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("good game", "good game"),
        ("  well \t played\n", "well played"),
        ("\x1b[2J\x1b]2;owned\x07hello\x9b31m", "[2J]2;ownedhello31m"),
        ("abc\u202edef\u2066ghi\u200b\u200f", "abcdefghi"),
        ("a\ufeffb\u2028c\u00a0d", "ab c d"),
        ("\ue000\U000f0000x\U0010ffff", "x"),
        ("Zoe\u0308 😀", "Zoë 😀"),
        ("a\r\nBob resigns.", "a Bob resigns."),
        ("\x00\x01\x02", ""),
        ("", ""),
        ("{name} {0} %s", "{name} {0} %s"),
    ],
)
def test_what_is_left_of_a_line(said: str, left: str) -> None:
    assert clean(said) == left


def test_marks_do_not_climb_over_other_lines() -> None:
    assert clean("z" + "\u0310" * 50 + "a") == "z" + "\u0310" * MAX_MARKS + "a"


@given(st.text(max_size=2 * MAX_LENGTH))
def test_whatever_is_said_what_is_left_is_harmless(said: str) -> None:
    left = clean(said)
    assert len(left) <= MAX_LENGTH
    assert len(left.encode()) <= MAX_BYTES
    assert left == left.strip(" ")
    assert "  " not in left
    assert all(unicodedata.category(each) not in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"} for each in left)
    assert clean(left) == left  # the receiver shows what the sender has seen


def test_an_allowance_is_used_up_and_comes_back() -> None:
    allowance = Allowance(3, 2.0)
    assert [allowance.take(10.0) for _ in range(5)] == [True, True, True, False, False]
    assert not allowance.take(11.9)
    assert allowance.take(12.0)
    assert not allowance.take(12.0)
    assert [allowance.take(1000.0) for _ in range(4)] == [True, True, True, False]


def test_a_conversation() -> None:
    talk = Conversation(0)
    bob = {1: "Bob"}
    assert talk.speak(" hi ", bob, 0.0) == "hi"
    with pytest.raises(Refusal, match="nothing in that"):
        talk.speak("\x1b", bob, 0.0)
    for _ in range(SPEAK_BURST - 1):
        talk.speak("hi", bob, 0.0)
    with pytest.raises(Refusal, match="Not so fast"):
        talk.speak("hi", bob, 0.0)
    assert talk.hear(1, "", 0.0)
    assert not talk.hear(1, "", 0.0)  # once is enough
    with pytest.raises(Refusal, match="Bob has chat off"):
        talk.speak("hi", bob, 100.0)
    talk.silent.add(0)
    with pytest.raises(Refusal, match="off on this side"):
        talk.speak("hi", bob, 100.0)


def test_with_three_at_a_table_one_who_listens_is_enough() -> None:
    talk = Conversation(0)
    talk.hear(1, "", 0.0)
    assert talk.speak("hi", {1: "Bob", 2: "Cy"}, 0.0) == "hi"


def test_each_seat_is_heard_at_its_own_pace() -> None:
    talk = Conversation(0)
    assert sum(talk.hear(1, "x", 0.0) for _ in range(1000)) == HEAR_BURST
    assert talk.hear(2, "x", 0.0)
    assert sum(talk.hear(1, "x", 10.0) for _ in range(1000)) == 10
