"""Display names."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bcnet.names import FALLBACK_NAME, BadName, check_name, clean_name, parse_name, told_apart


def is_allowed(name: str) -> bool:
    try:
        check_name(name)
    except BadName as error:
        return not (error.message and error.hint)  # a silent refusal fails every test here
    return True


@pytest.mark.parametrize(
    "name",
    [
        "A",
        "Anna",
        "Jürgen Groß",
        "李小龍",
        "Ἀθηνᾶ",
        "אנה",
        "خديجة",
        "O'Neill-Smith 3rd",
        "Ann 🎈",
        "x" * 32,
        "한글",
    ],
)
def test_ordinary_names_are_allowed(name: str) -> None:
    check_name(name)
    assert parse_name(name) == name == clean_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "   ",
        " Anna",
        "Anna ",
        "x" * 33,
        "An\nna",
        "An\x1b[2Jna",
        "An\x00na",
        "An\x7fna",
        "An\x9bna",
        "An\u00a0na",
        "An\u00adna",
        "An\u200bna",
        "An\u202ena",
        "An\u2066na",
        "An\u2028na",
        "An\u3000na",
        "\u3164",
        "\u2800",
        "An\ud800na",
        "An\ue000na",
        "An\ufeffna",
        "An\uffffna",
        "An\U000e0041na",
        "An\U0010ffffna",
    ],
)
def test_tricks_are_not(name: str) -> None:
    assert not is_allowed(name)
    assert is_allowed(clean_name(name))


def test_nothing_invisible_that_this_python_knows_is_allowed() -> None:
    for code in range(0x110000):
        character = chr(code)
        category = unicodedata.category(character)
        if category in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"} or (category == "Zs" and character != " "):
            assert not is_allowed(f"x{character}x"), f"U+{code:04X}"


def test_everything_that_can_be_seen_is_allowed() -> None:
    """Of letters and signs only what shows nothing is left out: fillers, joiners, variation selectors."""
    refused = [
        unicodedata.name(chr(code))
        for code in range(0x110000)
        if unicodedata.category(chr(code))[0] in "LMNPS" and not is_allowed(f"x{chr(code)}x")
    ]
    unseen = ("VARIATION SELECTOR", "FILLER", "INHERENT", "JOINER", "BLANK")
    assert refused
    assert [name for name in refused if not any(word in name for word in unseen)] == []


def test_the_rule_asks_no_unicode_database(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else two Pythons could come to different verdicts over one file."""
    monkeypatch.setattr("bcnet.names.unicodedata", None)
    check_name("Ann 🎈")
    check_name("x\u0378")  # assigned to nothing so far
    check_name("e\u0301")
    assert not is_allowed("An\u202ena")


def test_our_own_player_gets_a_composed_name_of_known_characters() -> None:
    assert parse_name("Zoe\u0301") == "Zo\u00e9"
    with pytest.raises(BadName, match=r"U\+0378"):
        parse_name("x\u0378")
    with pytest.raises(BadName, match=r"Character 3 .*U\+202E"):
        parse_name("An\u202ena")


@pytest.mark.parametrize(
    ("given_by_the_system", "name"),
    [
        ("anna", "anna"),
        ("  Anna \t Maria\n", "Anna Maria"),
        ("\x1b]0;evil\x07bob", "]0;evilbob"),
        ("\u202egnp.exe", "gnp.exe"),
        ("e\u200b\u0301", "\u00e9"),
        ("", FALLBACK_NAME),
        ("a \x1b b", "a b"),
        ("\u200b \u3164", FALLBACK_NAME),
        ("DOMAIN\\user", "DOMAIN\\user"),
        ("a" * 31 + " b", "a" * 31),
    ],
)
def test_defaults_are_cleaned(given_by_the_system: str, name: str) -> None:
    assert clean_name(given_by_the_system) == name


@given(st.text(max_size=60))
def test_a_cleaned_name_is_always_allowed_and_stays(text: str) -> None:
    name = clean_name(text)
    check_name(name)
    assert clean_name(name) == name
    assert parse_name(name) == name


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["Ann", "Bob"], ("Ann", "Bob")),
        (["Ann", "Ann"], ("Ann (seat 0)", "Ann (seat 1)")),
        (["Ann", "ann"], ("Ann (seat 0)", "ann (seat 1)")),
        (["You", "Bob"], ("You (seat 0)", "Bob")),
        (["Ann", "du", "JIJ"], ("Ann", "du (seat 1)", "JIJ (seat 2)")),
    ],
)
def test_nobody_is_taken_for_another_or_for_the_reader(names: list[str], told: tuple[str, ...]) -> None:
    assert told_apart(names) == told
    assert told_apart(names, "{}{}".format) == tuple(each.replace(" (seat ", "").rstrip(")") for each in told)
