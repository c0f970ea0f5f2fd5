"""What the console says of Edel, Stein & Reich: events as a player is told them, advice, how it stands and ended."""

from __future__ import annotations

import re
from time import monotonic

import pytest

from bcnet.games.edel import hints
from bcnet.games.edel.actions import Accept, Offer
from bcnet.games.edel.bots import weighed
from bcnet.games.edel.events import GemGiven, GemsSwapped, OfferAccepted, OfferMade, TradeOpened
from bcnet.games.edel.material import ActionCard, Colour
from bcnet.games.edel.state import IN_WORDS, REASONS
from bcnet.games.happened import RESIGNATION, PlayerResigned
from bcnet.games.interface import Event, Over
from bcnet.language import told
from bcnet_client.console import words as general
from bcnet_client.console.edel import FACE
from bcnet_client.console.edel import input as reading
from bcnet_client.console.edel.words import OUTCOMES
from bcnet_client.console.face import face_of
from tests.console.edel.scenes import GAME, NAMES, clever, game, state_of
from tests.console.edel.screens import rich, trading
from tests.console.edel.test_picking import SCENES

THREE = NAMES[:3]


def test_the_face_is_found() -> None:
    assert face_of("edel") is FACE
    assert FACE.title == GAME.title
    assert FACE.topics == {"rules": GAME.rules, "notation": GAME.notation}


@pytest.mark.parametrize(("event", "to_me", "to_all"), [
    (TradeOpened(ActionCard.EVENT, 0, 1),
     "Event: you and Bob trade, and you make the first offer.",
     "Event: Ann and Bob trade, and Ann makes the first offer."),
    (TradeOpened(ActionCard.GEMS, 1, 0),
     "Gems: Bob and you trade, and Bob makes the first offer.",
     "Gems: Bob and Ann trade, and Bob makes the first offer."),
    (OfferMade(0, (2, 0, 0, 1)), "You offer 2 red and 1 blue.", "Ann offers 2 red and 1 blue."),
    (OfferAccepted(0, 1, (1, 0, 0, 0), forced=False),
     "You accept and take 1 red: Bob performs the action.",
     "Ann accepts and takes 1 red: Bob performs the action."),
    (OfferAccepted(1, 0, (1, 0, 0, 0), forced=True),
     "Bob cannot offer more and takes 1 red: you perform the action.",
     "Bob cannot offer more and takes 1 red: Ann performs the action."),
    (GemGiven(2, 0, Colour.RED), "Cid gives you a red gem.", "Cid gives Ann a red gem."),
    (GemGiven(0, 2, Colour.RED), "You give Cid a red gem.", "Ann gives Cid a red gem."),
    (GemsSwapped(1, Colour.BLUE, 0, Colour.RED),
     "Bob gives you a blue gem for a red one.", "Bob gives Ann a blue gem for a red one."),
    (PlayerResigned(1), "Bob resigns and gives all back.", "Bob resigns and gives all back."),
])  # fmt: skip
def test_an_event_as_a_player_is_told_it_and_as_all_are(event: Event, to_me: str, to_all: str) -> None:
    assert FACE.tell(event, rich()) == to_me
    assert told(GAME.tell(event, THREE)) == to_all


def test_every_event_but_the_end_has_its_sentence() -> None:
    """For players and for all who look on; nothing is left unfilled."""
    kinds = set()
    for seats in GAME.seats:
        for seed in range(3):
            last = list(game(seed, seats))[-1]
            for each in last.story:
                assert isinstance(each.event, Event)
                kinds.add(type(each.event).__name__)
                texts = (FACE.tell(each.event, last), GAME.tell(each.event, NAMES[:seats]))
                if type(each.event).__name__ == "GameEnded":
                    assert texts == ("", "")
                else:
                    assert all(re.search(r"\.$", text) and "{" not in text for text in texts)
    assert len(kinds) >= 17


def test_advice_is_legal_says_why_and_comes_at_once() -> None:
    for scene in SCENES:
        begun = monotonic()
        text = FACE.advice(scene, monotonic)
        assert monotonic() - begun < 2
        found = re.fullmatch(r"Hint: (.+?)\. [A-Z].+\.", text)
        assert found is not None, text
        assert FACE.read(found[1], scene) in state_of(scene).legal_actions(scene.seat)


def test_advice_is_what_weighs_most() -> None:
    for scene in SCENES:
        state = state_of(scene)
        worth = weighed(state, scene.seat)
        assert worth
        action, _ = hints.hint(state, scene.seat)
        assert worth[action] == max(worth.values())


def test_advice_in_a_trade() -> None:
    """A gem of the deck's most wanted colour is worth more than a cheap action to somebody who is behind there."""
    scene = trading(3, "red=2 yellow=5 green=2")  # all that Bob has
    assert hints.hint(state_of(scene), 0)[0] == Accept()
    assert "Hint: accept. The gems are worth about " in FACE.advice(scene, monotonic)
    action, why = hints.hint(state_of(trading(3, "", 1)), 1)
    assert isinstance(action, Offer)
    assert re.match(r"Event is worth about \d+ to you, and these gems cost you about \d+ of it", why)


def test_what_it_stands_at_begins_with_a_line_for_each_player() -> None:
    scene = rich(5)
    lines = FACE.score(scene)
    assert [line.split(":")[0] for line in lines[:5]] == ["You", *NAMES[1:]]
    assert lines[5] == (
        "If it were scored now: red: you 13, Cid 7; yellow: Bob 12; green: Cid 20; blue: Cid 8; "
        "certificates: you 10, Cid 4."
    )
    assert FACE.hand(scene)[0] == (
        "You: 31 money; 4 red, 3 yellow, 1 green and 2 blue; event cards: 2 × certificate, red surcharge and blue "
        "doubler. Your gem card: 4 money, or 2 red and 1 yellow."
    )


def test_ends_in_words() -> None:
    assert set(OUTCOMES) == set(REASONS)
    assert [str(each) for each in IN_WORDS] == [each.replace("-", " ") for each in REASONS]
    scene = clever(4, 3)[-1]
    assert FACE.outcome(Over((1,), "richest"), scene) == "The richest after three scorings wins."
    assert FACE.outcome(Over((1,), RESIGNATION), scene) == "You resigned."
    assert FACE.outcome(Over((), RESIGNATION), scene) == "All resigned."
    assert FACE.outcome(Over((0,), RESIGNATION), scene) == "All others resigned."


def test_what_the_programs_do() -> None:
    said = {FACE.progress(scene) for scene in game(1, 3) if not scene.asked}
    assert "One moment: gem cards are dealt …" in said
    assert "One moment: the top event card is opened …" in said
    assert FACE.progress(rich(3, sealed=(0,))) == "Your choice is sealed. Waiting for Bob and Cid …"
    assert FACE.progress(rich(3, sealed=(0, 1, 2))) == "All have chosen: the action cards are opened …"


def test_prompts() -> None:
    assert FACE.prompt(rich()) == "action> "
    assert FACE.prompt(trading(3, "red=1")) == "offer> "
    assert {FACE.prompt(scene) for scene in SCENES} == {"action> ", "offer> ", general.PROMPT}


def test_nothing_is_asked_for_in_the_pane() -> None:
    """What has happened stays in sight while a player decides."""
    assert all(FACE.question(scene, 58) == [] for scene in SCENES)
    assert all(reading.asked_of(scene) is not None for scene in SCENES)
