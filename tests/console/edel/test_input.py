"""What a player types at a table of Edel, Stein & Reich: how it is read, and what is said to what cannot be done."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bcnet.errors import Refusal
from bcnet.games.edel.actions import Accept, ChooseCard, Give, Offer, Swap, TakeEvent, TakeGems, UseVault
from bcnet.games.edel.material import ActionCard, Colour
from bcnet.games.edel.state import Phase
from bcnet.games.interface import Action
from bcnet_client.console.edel import FACE
from bcnet_client.console.edel.input import gems_of, tokens
from bcnet_client.console.scene import Scene
from tests.console.edel.scenes import first, state_of
from tests.console.edel.screens import rich, trading

CHOOSE, TRADE, OPEN = rich(), trading(3, "red=1"), trading(3, "", 1)
EVENT, GEMS, FREE = first(3, Phase.EVENT), first(3, Phase.GEMS), first(5, Phase.GEMS)
SWAP, LEVY, VAULT = first(3, Phase.SWAP), first(3, Phase.LEVY), first(3, Phase.VAULT)


WORDS = (
    *("r", "y", "g", "b", "red", "1r", "rry", "2", "1", "22", "9", "=", ","),
    *("offer", "swap", "give", "take", "accept", "use", "open", "money", "bob"),
)


def refused(text: str, scene: Scene) -> str:
    with pytest.raises(Refusal) as caught:
        FACE.read(text, scene)
    return " ".join(FACE.explain(caught.value, scene)).strip()


@pytest.mark.parametrize(
    "text", ["money", "Money", "choose money", "m", "1", "geld", "kies geld", "wähle Geld"]
)
def test_money(text: str) -> None:
    assert FACE.read(text, CHOOSE) == ChooseCard(ActionCard.MONEY)


@pytest.mark.parametrize("text", ["free", "free choice", "choose free", "4", "freie Wahl", "vrije keuze"])
def test_free_choice_is_for_five(text: str) -> None:
    assert FACE.read(text, rich(5)) == ChooseCard(ActionCard.FREE)
    if text != "4":
        assert refused(text, CHOOSE).endswith("There is: Money, Event and Gems.")


@pytest.mark.parametrize(
    "text",
    [
        "r2 b1",
        "offer r2 b1",
        "offer red=2 blue=1",
        "red 2, blue",
        "2 red 1 blue",
        "2 red and 1 blue",
        "rrb",
        "r r b",
        "b r r",
        "Offer RRB.",
        "rot 2 blau 1",
        "2 rood 1 blauw",
        "offer 2r 1b",
    ],
)
def test_an_offer(text: str) -> None:
    assert FACE.read(text, TRADE) == Offer((2, 0, 0, 1))


@pytest.mark.parametrize("text", ["accept", "1", "take", "annehmen", "aanvaard", "nimm an"])
def test_accepting(text: str) -> None:
    assert FACE.read(text, TRADE) == Accept()


def test_what_is_said_to_a_wrong_offer() -> None:
    assert refused("b", TRADE) == (
        "1 blue is too low: Bob offers 1 red. It takes more gems, or as many with a higher sum: red counts 4, "
        "yellow 3, green 2, blue 1."
    )
    assert refused("g3", TRADE) == "You do not have 3 green. You have 4 red, 3 yellow, 1 green and 2 blue."
    assert refused("offer x", TRADE) == "Which gems? x says none. Type colours and numbers, as in b2."
    assert refused("accept", OPEN) == (
        "There is no offer to accept yet: you make the first one. Type colours and numbers, as in g1."
    )
    assert refused("offer r99", TRADE).startswith("Which gems?")
    count = len(state_of(TRADE).legal_actions(0))
    assert refused("999", TRADE) == (
        f"There is no move 999: the list goes from 1 to {count}. Type moves to see them."
    )
    assert refused("0", TRADE).startswith("There is no move 0")


@pytest.mark.parametrize(("text", "face_down"), [
    ("open", False), ("event open", False), ("take open", False), ("1", False), ("offen", False),
    ("face-down", True), ("down", True), ("event face-down", True), ("verdeckt", True), ("gedekt", True), ("2", True),
])  # fmt: skip
def test_an_event_card(text: str, face_down: bool) -> None:
    assert FACE.read(text, EVENT) == TakeEvent(face_down)


def test_gems_from_the_supply() -> None:
    assert state_of(GEMS).event is not None
    assert FACE.read("ryg", GEMS) == TakeGems((1, 1, 1, 0))
    assert FACE.read("take red yellow green", GEMS) == TakeGems((1, 1, 1, 0))
    assert refused("rrr", GEMS) == "3 red cannot be taken now. Take three gems of three different colours."


def test_a_swap() -> None:
    state = state_of(SWAP)
    (give,) = [colour for colour in Colour if state.gems(0)[colour]][:1]
    for text in (
        f"{give.letter} Bob b",
        f"swap {give.word} 1 blue",
        f"{give.word} for Bob's blue",
        f"{give.letter} bo b",
    ):
        assert FACE.read(text, SWAP) == Swap(give, 1, Colour.BLUE)
    for text in ("swap", "swap r ann b", "r b", "swap red 7 blue"):
        assert refused(text, SWAP).startswith(
            "That swap cannot be made. Say your gem, whose, and theirs, as in "
        )


def test_a_levy_and_a_vault() -> None:
    assert FACE.read("red", LEVY) == Give(Colour.RED)
    assert FACE.read("give a red", LEVY) == Give(Colour.RED)
    assert refused("rr", LEVY).startswith("Give one gem, as in ")
    assert FACE.read("use", VAULT) == UseVault(use=True)
    assert FACE.read("vault save", VAULT) == UseVault(use=False)
    assert (
        refused("money", VAULT)
        == "That cannot be decided now. Type what is asked, as in use; moves lists all."
    )


def test_what_is_no_decision_is_left_to_others() -> None:
    for scene in (CHOOSE, TRADE, EVENT, SWAP, LEVY, VAULT):
        for text in ("moves", "hello there", "", "help", "hint"):
            assert FACE.read(text, scene) is None


def test_out_of_turn() -> None:
    watching = trading(4, "red=1", 2)
    assert refused("accept", watching).startswith("It is not your turn: Ann to move.")
    assert FACE.read("hello", watching) is None
    assert refused("money", rich(5, sealed=(0, 1))).startswith(
        "It is not your turn: Cid, Dora and Emil to move."
    )


@given(st.text(max_size=30))
def test_whatever_is_typed_gives_a_legal_action_nothing_or_a_refusal(text: str) -> None:
    for scene in (CHOOSE, TRADE, OPEN, EVENT, GEMS, FREE, SWAP, LEVY, VAULT):
        _check(text, scene)


@given(st.lists(st.sampled_from(WORDS)))
def test_words_of_the_game_in_any_order(parts: list[str]) -> None:
    for scene in (CHOOSE, TRADE, OPEN, EVENT, GEMS, FREE, SWAP, LEVY, VAULT):
        _check(" ".join(parts), scene)


def _check(text: str, scene: Scene) -> None:
    FACE.picking.typed(text, scene)
    FACE.complete(text, scene)
    found: Action | None = None
    try:
        found = FACE.read(text, scene)
    except Refusal as refusal:
        said = " ".join(FACE.explain(refusal, scene))
        assert re.search(r"\w", said)
        assert "{" not in said or "{" in text
    assert found is None or found in state_of(scene).legal_actions(scene.seat)


@pytest.mark.parametrize(
    ("text", "gems"),
    [("r", (1, 0, 0, 0)), ("r3 y", (3, 1, 0, 0)), ("3 r y", (3, 1, 0, 0)), ("22 r", (22, 0, 0, 0)), ("23 r", None),
     ("ryggb", (1, 1, 2, 1)), ("r0", None), ("", None), ("3", None), ("rx", None)],
)  # fmt: skip
def test_gems(text: str, gems: tuple[int, ...] | None) -> None:
    assert gems_of(tokens(text)) == gems
