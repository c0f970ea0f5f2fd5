"""What a player may type at a table of Stones, and what the answer is to what cannot be done."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bcnet.errors import Refusal
from bcnet.games.stones.actions import Agree, Lay, Object, Pass
from bcnet.games.stones.material import Colour
from bcnet.games.stones.state import Phase
from bcnet_client.console.scene import Scene
from bcnet_client.console.stones import FACE
from bcnet_client.console.stones.input import complete, read
from bcnet_client.console.stones.picked import Laying
from tests.console.stones.scenes import GAME, game, state_of
from tests.console.stones.screens import asked, clever, nothing_fits, penalised

# The own stones: R BB GG WWW. Red fits nowhere, black at 3 3, 4 2, -1 1, 0 1, -2 0, -1 -1, 0 -1 and 1 -1
# (tests/console/stones/screens/two.txt).
TURN = asked(clever(2), 4)
LATE = asked(clever(2), 8)
"""The own stones: B WWW."""
ANSWER = asked(penalised(), 4, Phase.OBJECTIONS)
AGAIN = asked(penalised(), 0, Phase.AGAIN)
FREE = asked(penalised(), 2)
NOTHING_FITS = nothing_fits()
ELSEWHERE = clever(2)[9]

VOCABULARY = [
    "lay",
    "red",
    "r",
    "b",
    "2",
    "-1",
    "33",
    "-",
    "at",
    "object",
    "agree",
    "pass",
    "weiß",
    ",",
    "1000000",
]


def refusal(text: str, scene: Scene = TURN) -> str:
    """What is said to a line that cannot be obeyed: the message and the hint."""
    with pytest.raises(Refusal) as caught:
        FACE.read(text, scene)
    message, hint = FACE.explain(caught.value, scene)
    return f"{message} {hint}".rstrip()


@pytest.mark.parametrize(
    "text",
    [
        "lay black -1 -1", "black -1 -1", "b -1 -1", "B -1 -1", "b-1-1", "b -1,-1", "lay my black stone at -1 -1",
        "black at column -1 row -1", "-1 -1 black", "-1 -1 b", "schwarz -1 -1", "lege schwarz -1 -1", "zwart -1 -1",
        "  b   -1   -1 ", "1", "lay 1",
    ],
)  # fmt: skip
def test_ways_to_lay_a_stone(text: str) -> None:
    assert read(text, TURN) == Lay(Colour.BLACK, -1, -1)


@pytest.mark.parametrize(
    "text", ["white 3 3", "w 3 3", "weiß 3 3", "Weiss 3 3", "wit 3 3", "grey 3 3", "gray 3 3", "grijs 3 3"]
)
def test_white_and_grey(text: str) -> None:
    assert read(text, TURN) == Lay(Colour.WHITE if text[0] in "wW" else Colour.GREY, 3, 3)


def test_answers_and_passing() -> None:
    for text in ("object", "o", "Einspruch", "bezwaar", "1"):
        assert read(text, ANSWER) == Object()
    for text in ("agree", "a", "einverstanden", "akkoord", "2"):
        assert read(text, ANSWER) == Agree()
    for text in ("pass", "aussetzen", "overslaan"):
        assert read(text, NOTHING_FITS) == Pass()


def test_every_legal_action_is_understood_as_the_game_writes_it() -> None:
    seen = set()
    for scene in [*penalised(), NOTHING_FITS]:
        if scene.asked:
            for action in state_of(scene).legal_actions(0):
                assert FACE.read(GAME.write(action), scene) == action
                seen.add(type(action))
    assert seen == {Lay, Pass, Object, Agree}


@pytest.mark.parametrize("text", ["", "hello", "score", "redo", "moves", "say lay", "?", "-"])
def test_what_is_no_attempt(text: str) -> None:
    assert read(text, TURN) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("r", "Red fits nowhere now. These fit somewhere: black, grey and white."),
        ("red 3 3", "Red fits nowhere now. These fit somewhere: black, grey and white."),
        ("b", "Where does black go? Black fits at 3 3 (+11), 4 2 (+11), -1 1 (+11), -2 0 (+11) and 4 more."),
        ("b 0 0", "There is a stone at 0 0 already. Black fits at 3 3 (+11), 4 2 (+11), -1 1 (+11), -2 0"),
        ("b 0 5", "No stone lies next to 0 5: a stone touches another with a side. Black fits at 3 3 (+11), 4"),
        ("b 1 1", "The stone at 2 1 has two black neighbours already. Black fits at"),
        ("g 2 2", "The stone next to 2 2 is grey too. Grey fits at"),
        ("b 2 -1", "The stone next to 2 -1 is black too."),
        ("b 5", "b 5 is no place. A place is a column and a row, as in black -1 -1."),
        ("b 1 2 3", "b 1 2 3 is no place."),
        ("b 99999 1", "99999 1 is no place. A place is a column and a row, as in black -1 -1."),
        ("lay", "Which colour? There are red, black, grey and white. Type black -1 -1, say."),
        ("3 3", "Which colour?"),
        ("lay blue 3 3", "blue is no colour. There are red, black, grey and white."),
        ("99", "There is no move 99: the list goes from 1 to"),
        ("0", "There is no move 0"),
        ("pass", "Something of yours fits, so you must lay. For instance black -1 -1. Type moves to see all."),
        ("object", "At this table every stone is checked: there is nothing to object to."),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_explained(text: str, said: str) -> None:
    assert refusal(text).startswith(said)


def test_refusals_elsewhere() -> None:
    assert refusal("g 0 0", LATE) == "You have no grey left. You have 1 black and 3 white."
    assert "would make the field larger than 6 by 6. White fits at" in refusal("w 5 0", LATE)
    assert refusal("r 1 1", ANSWER) == "First say whether the last stone may lie: type object or agree."
    assert refusal("3", ANSWER).startswith("There is no move 3: the list goes from 1 to 2.")
    assert refusal("b 0 2", AGAIN) == "Your grey stone was taken back: lay that one again."
    assert refusal("object", FREE).startswith("Nobody is asked about a stone now.")
    assert refusal("b 0 0", ELSEWHERE).startswith("It is not your turn: Bob to move.")
    assert refusal("red 2 2", clever(4)[9]).startswith("It is not your turn: ")
    assert read("scores", ELSEWHERE) is None


def test_seats_get_their_names() -> None:
    state = state_of(clever(3)[5])
    with pytest.raises(Refusal) as caught:
        state.apply(Lay(Colour.RED, 40, 40))
    assert "seat" not in " ".join(FACE.explain(caught.value, clever(3)[5])).lower()
    error = Refusal("seat {seat} cannot begin", seat=2)
    assert FACE.explain(error, clever(3)[5])[0] == "Cleo cannot begin."


def words_of(text: str, scene: Scene) -> list[str]:
    """The lines that completion could make of a line."""
    return [text[: len(text) - each.replaces] + each.text for each in complete(text, scene)]


def test_completion_leads_from_nothing_to_every_stone() -> None:
    for scene in (TURN, LATE, FREE, AGAIN, NOTHING_FITS):
        lines = {
            line
            for colour in words_of("", scene)
            for line in ([colour] if colour == "pass" else words_of(f"{colour} ", scene))
        }
        assert {read(line, scene) for line in lines} == set(state_of(scene).legal_actions(0))


def test_completion() -> None:
    assert words_of("", TURN) == ["black", "grey", "white"]
    assert words_of("lay g", TURN) == ["lay grey"]
    assert words_of("black 3", TURN) == ["black 3 3"]
    assert words_of("lay b -1 ", TURN) == ["lay b -1 1", "lay b -1 -1"]
    assert [each.meaning for each in complete("black 3", TURN)] == ["+11"]
    assert {each.meaning[-1] for each in complete("red ", FREE)} > {"!"}
    assert [each.meaning for each in complete("bl", TURN)] == ["black, +11"]
    assert words_of("red ", TURN) == words_of("blue ", TURN) == words_of("g", ELSEWHERE) == []
    assert words_of("", ANSWER) == ["object", "agree"]
    assert words_of("a", ANSWER) == ["agree"]


def test_what_a_line_names_is_picked() -> None:
    picking = FACE.picking
    assert picking.typed("b", TURN) == Laying(Colour.BLACK)
    assert picking.typed("b 3", TURN) == Laying(Colour.BLACK)
    assert picking.typed("b 3 3", TURN) == Laying(Colour.BLACK, (3, 3))
    assert picking.typed("lay b 0 0", TURN) == Laying(Colour.BLACK)
    assert picking.typed("grey 0 0", LATE) is None  # there is none left
    assert picking.typed("hello", TURN) is None


LINES = st.one_of(st.text(max_size=30), st.lists(st.sampled_from(VOCABULARY), max_size=6).map(" ".join))


@settings(deadline=None)
@given(LINES, st.sampled_from([TURN, LATE, ANSWER, AGAIN, FREE, NOTHING_FITS]))
@example("²", TURN)
@example("b ² ³", TURN)
@example("b 1 ٣", TURN)
def test_whatever_is_typed_is_an_action_a_refusal_or_nothing(text: str, scene: Scene) -> None:
    try:
        action = FACE.read(text, scene)
    except Refusal as refused:
        message, hint = FACE.explain(refused, scene)
        assert message.endswith((".", "?"))
        assert "{" not in message + hint
    else:
        assert action is None or action in state_of(scene).legal_actions(0)
    complete(text, scene)
    FACE.picking.typed(text, scene)


def test_advice_is_legal_and_can_be_typed() -> None:
    for scene in [*penalised()[::3], *clever(2), NOTHING_FITS, *list(game(9, seats=4))[::5]]:
        if scene.asked:
            said = FACE.advice(scene, lambda: 0.0)
            assert said.startswith("Hint: ")
            typed, why = said.removeprefix("Hint: ").split(". ", 1)
            assert FACE.read(typed, scene) in state_of(scene).legal_actions(0)
            assert why.endswith(".")
