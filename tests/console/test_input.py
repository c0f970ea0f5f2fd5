"""What a player may type at a table of Balloon Cup, and what the answer is to what cannot be done."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bcnet.errors import Refusal
from bcnet.games.balloon_cup import notation
from bcnet.games.balloon_cup.actions import Claim, Decline, Exchange, Pass, Play
from bcnet.games.balloon_cup.state import BalloonCupState
from bcnet_client.console.balloon_cup import FACE
from bcnet_client.console.balloon_cup.input import complete, read, write
from bcnet_client.console.balloon_cup.picked import Claiming, Exchanging, Laying
from bcnet_client.console.face import Picked
from bcnet_client.console.scene import Scene
from tests.console.scenes import GAME, game
from tests.console.screens import at

# Hand: R8 Y12 G6 G7 B13 E1 E7 E10. Bob's side of tile 1 wants red, tile 2 blue on ours, tile 3 blue on Bob's,
# tile 4 yellow, blue and grey on both sides and green on Bob's (tests/console/screens/your-turn.txt).
TURN = at(1, 62)
EXCHANGE = at(1, 117)
PASS = at(7, 71)
CLAIM = at(13, 200)
ELSEWHERE = at(1, 60)


VOCABULARY = [
    "play",
    "r13",
    "b13",
    "2",
    "4",
    "me",
    "them",
    "bob",
    "e10",
    "=",
    "none",
    "claim",
    "red,",
    "1",
    "'",
    "x",
]


def card(name: str) -> int:
    return notation.parse_card(name)


def refusal(text: str, scene: Scene = TURN) -> str:
    """What is said to a line that cannot be obeyed: the message and the hint."""
    with pytest.raises(Refusal) as caught:
        FACE.read(text, scene)
    message, hint = FACE.explain(caught.value, scene)
    return f"{message} {hint}".rstrip()


@pytest.mark.parametrize("scene", [TURN, EXCHANGE, PASS, CLAIM], ids=["turn", "exchange", "pass", "claim"])
def test_what_is_advised_can_be_typed(scene: Scene) -> None:
    assert scene.state is not None
    for action in scene.state.legal_actions(scene.seat)[:200]:
        typed, _, meaning = write(action, scene).partition(", ")
        assert read(typed, scene) == action
        assert meaning.startswith("the ") == isinstance(action, Claim)


@pytest.mark.parametrize(
    "text",
    [
        "play b13 2 me", "b13 2 me", "B13 2 ME", "p b13 2 mine", "lay b13 2 my side", "blue 13 2 me", "blue13 2",
        "blue-13 2", "b 13 2 me", "play blue 13 on tile 2, my side", "b13 to tile 2", "b13 t2", "b13 tile2 own",
        "play b13 2 0", "b13 2 Ann", "  b13   2   me  ", "b13,2,me", "6", "play 6", "b13 next to tile 2 on Ann's side",
    ],
)  # fmt: skip
def test_ways_to_lay_a_card_on_the_own_side(text: str) -> None:
    assert read(text, TURN) == Play(card("b13"), 2, 0)


@pytest.mark.parametrize(
    "text",
    [
        "r8 1 them",
        "r8 1 they",
        "r8 1 their side",
        "r8 1 Bob",
        "r8 1 bob's side",
        "r8 1 b",
        "r8 1 1",
        "r8",
        "1",
    ],
)
def test_ways_to_lay_a_card_on_the_other_side(text: str) -> None:
    assert read(text, TURN) == Play(card("r8"), 1, 1)


@pytest.mark.parametrize("text", ["e10 4 me", "grey 10 4", "gray 10 4 me", "e10 4"])
def test_grey_is_e(text: str) -> None:
    assert read(text, TURN) == Play(card("e10"), 4, 0)


def test_every_legal_action_is_understood_as_it_is_listed_and_as_the_game_writes_it() -> None:
    seen = set()
    for seed in (1, 7, 13):
        for scene in game(seed):
            if not scene.asked:
                continue
            assert isinstance(scene.state, BalloonCupState)
            for action in scene.state.legal_actions(0):
                if action != Exchange(()):  # alone the word is too near to a slip: it asks back
                    assert FACE.read(GAME.write(action), scene) == action
                seen.add(type(action))
            for number, action in enumerate(scene.state.legal_actions(0), 1):
                if isinstance(action, Play | Claim | Pass):
                    assert FACE.read(str(number), scene) == action
    assert seen == {Play, Exchange, Pass, Claim, Decline}


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("r14 1 me", ("r14 is no card: there is no red card of that value. There are red 1, 2, 3, 4, 5, 6, 7, 8, 9, "
                     "10, 11, 12 and 13.")),
        ("r999 1 me", ("r999 is no card: there is no red card of that value. There are red 1, 2, 3, 4, 5, 6, 7, 8, 9, "
                      "10, 11, 12 and 13.")),
        ("b2", "b2 is no card: there is no blue card of that value. There are blue 1, 3, 5, 7, 9, 11 and 13."),
        ("play me", "me is no card. A card is the letter of its colour and its value (e for grey), as in y12 4 me."),
        ("play", "Which card? For instance y12 4 me. Type moves to see all."),
        ("r13 2 me", "Red 13 is not in your hand. You hold R8, Y12, G6, G7, B13, E1, E7 and E10."),
        ("b13", ("Where does blue 13 go? It fits next to tile 2 on your side, tile 3 on Bob's side, tile 4 on your "
                "side and tile 4 on Bob's side. Type b13 2 me.")),
        ("r8 1", "Your side of tile 1 has no place for red 8, but Bob's side has. To lay it there, type r8 1 them."),
        ("r8 1 me", ("Red 8 does not fit next to tile 1 on your side: the red place on that side is taken. "
                    "It fits next to tile 1 on Bob's side.")),
        ("r8 2 me", ("Red 8 does not fit next to tile 2 on your side: there is no red cube on it. "
                    "It fits next to tile 1 on Bob's side.")),
        ("b13 2 them", ("Blue 13 does not fit next to tile 2 on Bob's side: both blue places on that side are taken. "
                       "It fits next to tile 2 on your side, tile 3 on Bob's side, tile 4 on your side and tile "
                       "4 on Bob's side.")),
        ("b13 5 me", "There is no tile 5: the tiles are 1 to 4. For instance y12 4 me. Type moves to see all."),
        ("b13 x me", "There is no tile x: the tiles are 1 to 4. For instance y12 4 me. Type moves to see all."),
        ("b13 2 zoe", "I do not know whose side zoe is. Say me for your side, them for Bob's."),
        ("16", "There is no move 16: the list goes from 1 to 15. Type moves to see them."),
        ("0", "There is no move 0: the list goes from 1 to 15. Type moves to see them."),
        ("99999999999", "There is no move 99999999999: the list goes from 1 to 15. Type moves to see them."),
        ("exchange r8", ("You can play, so you must: cards are exchanged only while nothing fits. For instance "
                        "y12 4 me. Type moves to see all.")),
        ("pass", ("A turn passes only where nothing fits after an exchange. For instance y12 4 me. Type moves to see "
                 "all.")),
        ("claim red", ("Nobody is asked for a claim now: trophies you can pay outright are yours at once. For "
                      "instance y12 4 me. Type moves to see all.")),
    ],
)  # fmt: skip
def test_what_cannot_be_laid_is_explained(text: str, answer: str) -> None:
    assert refusal(text) == answer


def test_a_tile_out_of_play_is_explained() -> None:
    assert refusal("y9 3 me", CLAIM) == "You are asked for a claim now. Type the number of a claim, or none."
    scene = next(
        scene
        for seed in range(20)
        for scene in game(seed)
        if scene.asked and isinstance(scene.state, BalloonCupState) and not scene.state.tiles[2].in_play
        and any(isinstance(action, Play) for action in scene.state.legal_actions(0))
    )  # fmt: skip
    assert isinstance(scene.state, BalloonCupState)
    play = next(action for action in scene.state.legal_actions(0) if isinstance(action, Play))
    assert "that tile has left the game" in refusal(f"{notation.write_card(play.card)} 3 me", scene)


def test_a_card_that_fits_nowhere_is_explained() -> None:
    scene, misfit = next(
        (scene, min(misfits))
        for scene in game(2)
        if scene.asked and isinstance(scene.state, BalloonCupState)
        and (plays := {action.card for action in scene.state.legal_actions(0) if isinstance(action, Play)})
        and (misfits := set(scene.state.hand(0).known) - plays)
    )  # fmt: skip
    for text in (notation.write_card(misfit), f"{notation.write_card(misfit)} 2 me"):
        assert "fits nowhere now. These of your cards fit somewhere: " in refusal(text, scene)


# --- exchanges and passes ---


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("y6 y8", ["y6", "y8"]), ("g8 y6", ["y6", "g8"]), ("exchange y6", ["y6"]), ("1 8", ["y6", "g8"]),
        ("exchange 1 2 3 4", ["y6", "y8", "y9", "y12"]), ("x yellow 6 and yellow 8", ["y6", "y8"]),
        ("y6, y8", ["y6", "y8"]), ("none", []), ("nothing", []), ("exchange nothing", []), ("no", []), ("1", ["y6"]),
    ],
)  # fmt: skip
def test_ways_to_exchange(text: str, names: list[str]) -> None:
    assert read(text, EXCHANGE) == Exchange(tuple(card(name) for name in names))


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("exchange", "Which cards? Name up to four, or say none."),
        ("y6 y6", "Yellow 6 is named twice."),
        ("1 y6", "Yellow 6 is named twice."),
        ("1 2 3 4 5", "At most four cards are exchanged, not 5."),
        ("r1", "Red 1 is not in your hand. You hold Y6, Y8, Y9, Y12, Y13, G1, G2 and G8."),
        ("9", "There is no move 9: the list goes from 1 to 8. Type moves to see them."),
        ("y6 me", "me is no card. A card is the letter of its colour and its value (e for grey), as in y6."),
        ("play y6 4 me", "Nothing in your hand fits. Say which cards you exchange, or none."),
        ("pass", "Nothing in your hand fits. Say which cards you exchange, or none."),
    ],
)
def test_what_cannot_be_exchanged_is_explained(text: str, answer: str) -> None:
    assert refusal(text, EXCHANGE) == answer


def test_passing() -> None:
    assert read("pass", PASS) == Pass()
    assert refusal("r4 1 me", PASS) == "After the exchange still nothing fits. Type pass."


# --- claims ---


@pytest.mark.parametrize(
    "text", ["1", "red", "claim red", "take red", "r", "claim 1", "claim red red=6 green=3"]
)
def test_ways_to_claim(text: str) -> None:
    assert read(text, CLAIM) == notation.parse("claim red red=6 green=3")


@pytest.mark.parametrize("text", ["none", "decline", "nothing", "no", "claim nothing"])
def test_ways_to_claim_nothing(text: str) -> None:
    assert read(text, CLAIM) == Decline()


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("4", "There is no move 4: the list goes from 1 to 3. Type moves to see them."),
        ("claim blue", "The blue trophy cannot be paid now. Type the number of a claim, or none."),
        ("claim red red=7", "The red trophy cannot be paid now. Type the number of a claim, or none."),
        ("claim", "You are asked for a claim now. Type the number of a claim, or none."),
        ("b7 1 me", "You are asked for a claim now. Type the number of a claim, or none."),
    ],
)
def test_what_cannot_be_claimed_is_explained(text: str, answer: str) -> None:
    assert refusal(text, CLAIM) == answer


# --- out of turn, and whatever else ---


@pytest.mark.parametrize("text", ["r8 1 them", "play", "1", "pass", "claim red", "exchange r8"])
def test_out_of_turn(text: str) -> None:
    assert refusal(text, ELSEWHERE).startswith("It is not your turn: Bob to move.")


@pytest.mark.parametrize("text", ["hello", "rules", "me", "what now?", "red", "…", "none"])
def test_what_is_no_attempt_at_a_decision(text: str) -> None:
    assert FACE.read(text, TURN) is None
    assert FACE.read(text, ELSEWHERE) is None


@given(st.text(max_size=60) | st.lists(st.sampled_from(VOCABULARY)).map(" ".join))
@example("\N{SUPERSCRIPT ONE}")
@example("r\N{SUPERSCRIPT TWO} \N{CIRCLED DIGIT THREE} me")
@example("\N{ARABIC-INDIC DIGIT ONE}")
def test_any_line_is_an_action_that_is_legal_or_refused_or_nothing(text: str) -> None:
    for scene in (TURN, EXCHANGE, PASS, CLAIM, ELSEWHERE):
        assert isinstance(scene.state, BalloonCupState)
        try:
            action = FACE.read(text, scene)
        except Refusal as refused:
            message, _ = FACE.explain(refused, scene)
            assert message
        else:
            assert action is None or action in scene.state.legal_actions(0)
        FACE.question(scene, 58, FACE.picking.typed(text, scene))
        for candidate in complete(text, scene):
            assert candidate.replaces <= len(text)


# --- completion ---


def words(text: str, scene: Scene = TURN) -> list[str]:
    return [candidate.text for candidate in complete(text, scene)]


def test_completion_knows_the_hand_the_tiles_and_the_sides() -> None:
    assert words("") == ["r8", "y12", "g6", "g7", "b13", "e1", "e7", "e10"]
    assert words("play e") == ["e1", "e7", "e10"]
    assert words("play b13 ") == ["2", "3", "4"]
    assert words("b13 4 ") == ["me", "them"]
    assert words("r8 1 ") == ["them"]
    assert words("r8 1 m") == []
    assert words("r13 ") == []
    assert words("b13 4 me ") == []
    assert next(each.meaning for each in complete("b13 ", TURN)) == "plains, low wins, 9:6"


def test_completion_where_something_else_is_asked() -> None:
    assert words("", EXCHANGE)[-2:] == ["g8", "none"]
    assert "y6" not in words("y6 ", EXCHANGE)
    assert words("", PASS) == ["pass"]
    assert words("", CLAIM) == ["1", "2", "3", "none"]
    assert words("", ELSEWHERE) == []


def test_what_is_typed_lights_up_as_soon_as_it_is_known() -> None:
    def picked(text: str, scene: Scene = TURN) -> Picked | None:
        return FACE.picking.typed(text, scene)

    assert picked("pl") is None
    assert picked("b1") is None
    found = [picked(text) for text in ("b13", "play b13 ", "b13 4", "b13 4 t", "b13 4 them", "b13 9")]
    places = [None, None, (4, 0), (4, 1), (4, 1), None]
    assert [each.place for each in found if isinstance(each, Laying)] == places
    assert picked("b13", ELSEWHERE) is None
    assert picked("1 3", EXCHANGE) == Exchanging(0, (17, 20))
    assert picked("2", CLAIM) == Claiming(1)
    assert picked("none", CLAIM) == Claiming(3)
