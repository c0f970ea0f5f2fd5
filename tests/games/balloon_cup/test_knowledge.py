"""Who knows what: states with hidden faces, what must be opened, and what a view hides."""

from __future__ import annotations

import random

import pytest

from bcnet.errors import IllegalStep
from bcnet.games.balloon_cup.actions import CubesDrawn, Decline, Exchange, Pass, Play, Starter
from bcnet.games.balloon_cup.events import CardDrawn, HandDealt, PileShuffled
from bcnet.games.balloon_cup.state import BalloonCupState
from bcnet.games.interface import Dealt, Decide, Hand, Shuffled
from tests.games.balloon_cup.positions import GAME, act, cards, claim, cubes, go_on, position

HAND = "r1 r2 y1 y2 g1 g2 b1 e1"
OTHER = "r3 r4 y3 y5 g4 g6 b3 e4"
STUCK = "y1 y2 y3 y5 y6 y7 y8 y9"


def table() -> BalloonCupState:
    return position({2: "mountain ry", 3: "plains ggb"}, (HAND, OTHER))


def stuck() -> BalloonCupState:
    other = "r3 r4 b1 b3 b5 b7 g4 e4"
    return position({2: "mountain rr | r1"}, (STUCK, other), pile="g7 g8 r13 r12")


# --- views ---


def test_everybody_sees_sizes_only() -> None:
    public = table().view(None)
    assert isinstance(public, BalloonCupState)
    assert public.hand(0) == public.hand(1) == Hand(8)
    assert public.pile_size == table().pile_size
    assert public.board == table().board


def test_a_player_sees_the_own_hand() -> None:
    view = table().view(0)
    assert view.hand(0) == Hand(8, cards(HAND))
    assert view.hand(1) == Hand(8)


def test_shown_cards_stay_known() -> None:
    state = go_on(act(stuck(), "exchange y1"))
    assert state.view(1).hand(0) == Hand(8, cards("y2 y3 y5 y6 y7 y8 y9"), cards("y2 y3 y5 y6 y7 y8 y9"))
    assert state.view(0).hand(0).known == cards("y2 y3 y5 y6 y7 y8 y9 g7")
    state = act(state, "pass")
    assert state.view(1).hand(0).known == cards("y2 y3 y5 y6 y7 y8 y9 g7")


def test_a_card_played_is_no_longer_in_the_hand_as_seen() -> None:
    state = act(table().reveal(0, cards("r1 y1"), publicly=True), "play r1 2 0")
    assert state.view(1).hand(0) == Hand(7, cards("y1"), cards("y1"))


def test_news_hide_what_the_seat_cannot_know() -> None:
    order = tuple(range(45))
    start = GAME.initial(2, {})
    shuffled = start.apply(Shuffled(order))
    assert shuffled.view(0).news == (PileShuffled(45, None),)
    state = shuffled.apply(Starter(0))
    for number, drawn in enumerate(("r", "ry", "ggb", "rrye"), start=1):
        state = state.apply(CubesDrawn(number, cubes(drawn)))
    state = state.apply(Dealt(order[:16]))
    assert state.view(0).news == (HandDealt(0, order[0:16:2]), HandDealt(1, (None,) * 8))
    assert state.view(None).news == (HandDealt(0, (None,) * 8), HandDealt(1, (None,) * 8))
    state = act(state, "play r1 2 0").apply(Dealt((16,)))
    assert state.news == state.view(0).news == (CardDrawn(0, 16),)
    assert state.view(1).news == state.view(None).news == (CardDrawn(0, None),)


# --- what must be opened ---


def test_opens() -> None:
    state = stuck()
    assert state.opens(0, Play(3, 2, 0)) == (3,)
    assert state.opens(0, Exchange(())) == cards(STUCK)
    assert state.opens(0, Exchange(cards("y1"))) == cards(STUCK)
    assert state.opens(0, Pass()) == cards(STUCK)
    assert state.opens(0, Decline()) == ()
    assert state.opens(0, claim("r", "7r")) == ()
    with pytest.raises(IllegalStep) as refusal:
        state.view(None).opens(0, Exchange(()))
    assert refusal.value.message == "the hand of seat 0 is hidden here, so its moves are not known"


def test_a_play_must_have_been_opened() -> None:
    public = table().view(None)
    with pytest.raises(IllegalStep) as refusal:
        act(public, "play r1 2 0")
    assert refusal.value.message == "red 1 has not been opened from the hand of seat 0"
    after = public.reveal(0, cards("r1"), publicly=True).apply(GAME.parse("play r1 2 0"))
    assert after == act(table(), "play r1 2 0").view(None)


@pytest.mark.parametrize("text", ["exchange", "exchange y1"])
def test_an_exchange_needs_the_whole_hand_shown(text: str) -> None:
    public = stuck().view(None)
    with pytest.raises(IllegalStep):
        public.apply(GAME.parse(text))
    part = public.reveal(0, cards(STUCK)[:7], publicly=True)
    with pytest.raises(IllegalStep) as refusal:
        part.apply(GAME.parse(text))
    assert refusal.value.message == "seat 0 must show the whole hand: only then can all see that nothing fits"
    shown = public.reveal(0, cards(STUCK), publicly=True)
    assert shown.apply(GAME.parse(text)) == act(stuck(), text).view(None)


def test_a_pass_needs_the_whole_hand_shown_again() -> None:
    full = go_on(act(stuck(), "exchange y1 y2"))
    public = full.view(None)
    with pytest.raises(IllegalStep) as refusal:
        public.apply(Pass())
    assert refusal.value.message == "seat 0 must show the whole hand: only then can all see that nothing fits"
    assert public.reveal(0, cards("g7 g8"), publicly=True).apply(Pass()) == full.apply(Pass()).view(None)


def test_a_hand_shown_that_could_play_is_refused() -> None:
    """The cheat: claiming to be stuck."""
    public = table().view(None).reveal(0, cards(HAND), publicly=True)
    with pytest.raises(IllegalStep) as refusal:
        public.apply(Exchange(()))
    assert refusal.value.message == "red 1 fits next to tile 2 on side 0, so a card must be played"


def test_a_player_may_play_a_card_that_only_the_player_knows() -> None:
    """In the player's own state the play itself makes it public."""
    own = table().view(0)
    assert own.apply(GAME.parse("play r1 2 0")) == act(table(), "play r1 2 0").view(0)


# --- revealing ---


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ("r8", "red 8 cannot be here: it lies next to a tile"),
        ("g13", "green 13 cannot be here: it lies on the discard pile"),
        ("r1", "red 1 cannot be here: seat 0 holds it"),
    ],
)
def test_a_card_that_is_elsewhere_is_not_believed(wrong: str, reason: str) -> None:
    full = position({2: "mountain ry | r8", 3: "plains ggb"}, (HAND, OTHER), discards="g13")
    own = full.view(0)
    with pytest.raises(IllegalStep) as refusal:
        own.reveal(1, cards(wrong), publicly=True)
    assert refusal.value.message == reason


def test_a_card_is_in_one_hand() -> None:
    for owner, card in ((0, "g2"), (1, "g4")):
        own = table().view(owner)
        with pytest.raises(IllegalStep) as refusal:
            own.reveal(1 - owner, cards(card), publicly=True)
        assert refusal.value.message.endswith(f"cannot be here: seat {owner} holds it")


def test_a_full_hand_is_not_made_fuller() -> None:
    with pytest.raises(IllegalStep) as refusal:
        table().view(0).reveal(0, cards("r13"), publicly=False)
    assert refusal.value.message == "red 13 is not in the hand of seat 0"


def test_a_state_that_knows_the_pile_does_not_believe_a_card_of_it() -> None:
    state = table()
    hidden = state._replace(cards=state.cards.with_hand(1, Hand(8)))
    with pytest.raises(IllegalStep) as refusal:
        hidden.reveal(1, cards("r13"), publicly=True)
    assert refusal.value.message == "red 13 cannot be here: it is in the pile"


def test_a_drawn_card_that_is_elsewhere_is_not_believed() -> None:
    own = act(table(), "play r1 2 0").view(0)
    for wrong in cards("r1 r2"):
        with pytest.raises(IllegalStep):
            own.apply(Dealt((wrong,)))
    assert own.apply(Dealt(cards("r13"))).hand(0).known == cards("r2 r13 y1 y2 g1 g2 b1 e1")


def test_a_card_is_not_dealt_twice() -> None:
    state = GAME.initial(2, {}).apply(Shuffled()).apply(Starter(0))
    for number, drawn in enumerate(("r", "ry", "ggb", "rrye"), start=1):
        state = state.apply(CubesDrawn(number, cubes(drawn)))
    mine = cards("r1 r2 r3 r4 y1 y2 y3")
    for last in (*mine, 45, -1):
        dealt = Dealt(tuple(face for card in (*mine, last) for face in (card, None)))
        with pytest.raises(IllegalStep):
            state.apply(dealt)
    right = Dealt(tuple(face for card in (*mine, *cards("e13")) for face in (card, None)))
    assert state.apply(right).hand(0).known == cards("r1 r2 r3 r4 y1 y2 y3 e13")
    assert state.apply(right).hand(1) == Hand(8)


def test_a_state_that_knows_the_pile_takes_its_top_card() -> None:
    state = act(table(), "play r1 2 0")
    assert state.cards.pile_order is not None
    top = state.cards.pile_order[0]
    assert state.apply(Dealt((None,))) == state.apply(Dealt((top,)))
    with pytest.raises(IllegalStep) as refusal:
        state.apply(Dealt((state.cards.pile_order[1],)))
    assert "the next card of the pile is" in refusal.value.message


def test_as_many_cards_are_dealt_as_are_due() -> None:
    state = act(table(), "play r1 2 0").view(None)
    for wrong in ((), (None, None)):
        with pytest.raises(IllegalStep):
            state.apply(Dealt(wrong))


def test_legal_actions_of_a_hidden_hand_are_not_guessed() -> None:
    public = table().view(None)
    assert public.need == Decide(0)
    with pytest.raises(IllegalStep):
        public.legal_actions(0)
    assert public.legal_actions(1) == ()
    part = public.reveal(0, cards("r1"), publicly=True)
    with pytest.raises(IllegalStep):
        part.legal_actions(0)


def test_claims_are_public() -> None:
    full = position(
        {1: "mountain r | | r1", 2: "plains yg"}, ("r13 y1", "b1"), won=("3b 2r", ""), trophies=("r", "")
    )
    full = act(full, "play r13 1 0").apply(CubesDrawn(1, cubes("y")))
    assert full.view(None).legal_actions(0) == full.legal_actions(0)
    assert len(full.legal_actions(0)) == 2


def test_a_bot_needs_no_more_than_its_view() -> None:
    for bot in GAME.bots.values():
        state = table()
        assert bot(state.view(0), 0, random.Random(1)) in state.legal_actions(0)
