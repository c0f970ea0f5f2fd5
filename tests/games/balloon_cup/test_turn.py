"""docs/games.md, A turn: playing, drawing, and what to do when nothing fits."""

from __future__ import annotations

from itertools import combinations

import pytest

from bcnet.errors import IllegalStep
from bcnet.games.balloon_cup.actions import Exchange, Pass
from bcnet.games.balloon_cup.events import CardDrawn, CardsExchanged, HandShown, PileShuffled, TurnPassed
from bcnet.games.balloon_cup.state import BalloonCupState
from bcnet.games.interface import Deal, Dealt, Decide, Over, Shuffle, Shuffled
from tests.games.balloon_cup.positions import GAME, act, cards, go_on, legal, news, position

# --- play ---


def test_a_side_takes_as_many_cards_of_a_colour_as_there_are_cubes() -> None:
    state = position(
        {3: "plains rry | r1 | y2", 2: "mountain bb | b1 b3"}, ("r5 y5 b5 g4 e7 r6 r7 r8", "r9 r10")
    )
    assert set(legal(state)) == {
        *(f"play {card} 3 {side}" for card in ("r5", "r6", "r7", "r8") for side in (0, 1)),
        "play y5 3 0",
        "play b5 2 1",
    }


def test_legal_actions_are_sorted_by_card_tile_and_side() -> None:
    state = position({1: "plains r", 2: "mountain ry"}, ("y5 r2 r1", ""))
    assert legal(state) == [
        *(f"play {card} {tile} {side}" for card in ("r1", "r2") for tile in (1, 2) for side in (0, 1)),
        "play y5 2 0",
        "play y5 2 1",
    ]


def test_a_card_may_be_laid_on_the_other_side() -> None:
    state = act(position({2: "mountain rr"}, ("r1 r2", "")), "play r1 2 1")
    assert state.tiles[1].cards(1) == cards("r1")
    assert state.tiles[1].cards(0) == ()
    assert state.tiles[1].open(1)[0] == 1


def test_playing_is_compulsory_even_where_it_only_helps_the_other() -> None:
    state = position({1: "mountain r | r1", 2: "mountain gg | g1 g2 | g4 g6"}, ("r13 g13", "y1"))
    assert legal(state) == ["play r13 1 1"]
    with pytest.raises(IllegalStep) as refusal:
        act(state, "exchange g13")
    assert refusal.value.message == "red 13 fits next to tile 1 on side 1, so a card must be played"


def test_after_a_play_one_card_is_drawn_and_the_other_is_on_turn() -> None:
    state = act(position({2: "mountain rr"}, ("r1 r2", "y1 y2"), pile="b1 b3 b5"), "play r1 2 0")
    assert state.need == Deal((0,))
    state = state.apply(Dealt(cards("b1")))
    assert state.news == (CardDrawn(0, cards("b1")[0]),)
    assert state.hand(0).known == cards("r2 b1")
    assert state.need == Decide(1)
    assert state.pile_size == 2


def test_hands_hold_eight_cards_at_the_start_of_a_turn() -> None:
    first, second = "r1 r2 r3 r4 r5 r6 r7 r8", "y1 y2 y3 y5 y6 y7 y8 y9"
    state = position({2: "mountain ry", 4: "plains rygb"}, (first, second))
    state = go_on(act(state, "play r1 2 0"))
    assert [state.hand(seat).size for seat in (0, 1)] == [8, 8]
    state = go_on(act(state, "play y1 2 0"))
    assert [state.hand(seat).size for seat in (0, 1)] == [8, 8]


# --- the pile ---


def test_a_pile_emptied_by_a_draw_waits_for_the_next_draw() -> None:
    state = act(position({4: "mountain rryy"}, ("r1 r2", "y1 y2"), pile="b1"), "play r1 4 0")
    state = state.apply(Dealt(cards("b1")))
    assert state.pile_size == 0
    assert state.discards
    assert state.need == Decide(1)
    state = act(state, "play y1 4 0")
    assert state.need == Shuffle(state.discards)
    discards = state.discards
    state = state.apply(Shuffled(discards[::-1]))
    assert state.news == (PileShuffled(len(discards), discards[::-1]),)
    assert state.discards == ()
    assert state.need == Deal((1,))
    state = state.apply(Dealt(discards[-1:]))
    assert state.need == Decide(0)


def test_cards_just_scored_are_shuffled_too() -> None:
    state = position({1: "plains r | r1", 2: "mountain yy"}, ("r5 y1", "y2"), pile="", bag="yyy")
    state = act(state, "play r5 1 1")
    state = state.apply(state.sample(lambda _: 0))
    assert isinstance(state.need, Shuffle)
    assert set(cards("r1 r5")) <= set(state.need.cards)


def test_the_new_pile_holds_each_discard_once() -> None:
    state = act(position({2: "mountain rr"}, ("r1 r2", "y1"), pile=""), "play r1 2 0")
    assert isinstance(state.need, Shuffle)
    right = state.need.cards
    for wrong in (right[1:], (*right, right[0]), (right[1], *right[1:]), (*right[1:], cards("r1")[0])):
        with pytest.raises(IllegalStep):
            state.apply(Shuffled(wrong))


# --- nothing fits ---

STUCK = "y1 y2 y3 y5 y6 y7 y8 y9"


def stuck(pile: str = "r13 r12 r11 r10", other: str = "b1") -> BalloonCupState:
    return position({2: "mountain rr | r1"}, (STUCK, other), pile=pile)


def test_where_nothing_fits_none_to_four_cards_may_be_exchanged() -> None:
    expected = [Exchange(chosen) for count in range(5) for chosen in combinations(cards(STUCK), count)]
    assert len(expected) == 163
    assert list(stuck().legal_actions(0)) == expected


def test_the_hand_is_shown_and_the_cards_are_discarded_before_the_first_draw() -> None:
    state = act(stuck(), "exchange y1 y9")
    assert state.news == (HandShown(0, cards(STUCK)), CardsExchanged(0, cards("y1 y9")))
    assert state.need == Deal((0, 0))
    assert set(cards("y1 y9")) <= set(state.discards)
    assert state.hand(0).size == 6
    assert state.hand(0).shown == cards("y2 y3 y5 y6 y7 y8")
    state = state.apply(Dealt(cards("r13 r12")))
    assert state.news == tuple(CardDrawn(0, card) for card in cards("r13 r12"))
    assert state.hand(0).shown == cards("y2 y3 y5 y6 y7 y8")
    assert state.hand(0).size == 8


def test_after_an_exchange_a_card_that_fits_must_be_played() -> None:
    state = go_on(act(stuck(), "exchange y1"))
    assert legal(state) == ["play r13 2 0", "play r13 2 1"]
    with pytest.raises(IllegalStep) as refusal:
        state.apply(Pass())
    assert refusal.value.message == "red 13 fits next to tile 2 on side 0, so a card must be played"
    state = act(state, "play r13 2 0")
    assert state.need == Deal((0,)), "the play is followed by its own draw"
    state = go_on(state)
    assert state.need == Decide(1)
    assert state.hand(0).size == 8


def test_where_still_nothing_fits_the_hand_is_shown_again_and_the_turn_passes() -> None:
    state = go_on(act(stuck(pile="g1 g2 g4"), "exchange y1 y2 y3"))
    assert legal(state) == ["pass"]
    state = act(state, "pass")
    assert state.news == (HandShown(0, cards("y5 y6 y7 y8 y9 g1 g2 g4")), TurnPassed(0))
    assert state.need == Decide(1), "without a draw"
    assert state.hand(0).shown == cards("y5 y6 y7 y8 y9 g1 g2 g4")


def test_cards_are_exchanged_once_a_turn() -> None:
    state = go_on(act(stuck(pile="g1 g2 g4"), "exchange y1"))
    with pytest.raises(IllegalStep) as refusal:
        act(state, "exchange y2")
    assert refusal.value.message == "seat 0 has exchanged cards and now plays one, or passes if none fits"
    assert refusal.value.hint == "Cards are exchanged once a turn."


def test_after_exchanging_nothing_the_turn_passes_by_itself() -> None:
    state = act(stuck(), "exchange")
    assert state.news == (HandShown(0, cards(STUCK)), CardsExchanged(0, ()), TurnPassed(0))
    assert state.need == Decide(1)
    assert state.hand(0).size == 8


def test_an_exchange_that_empties_the_pile_is_split_by_a_shuffle() -> None:
    """Four cards with two in the pile: two, a shuffle that holds the cards exchanged, two."""
    state = act(stuck(pile="g1 g2"), "exchange y1 y2 y3 y5")
    assert state.need == Deal((0, 0))
    state = state.apply(Dealt(cards("g1 g2")))
    assert isinstance(state.need, Shuffle)
    assert set(cards("y1 y2 y3 y5")) <= set(state.need.cards)
    rest = [card for card in state.need.cards if card not in cards("y1 y2")]
    state = state.apply(Shuffled((*cards("y1 y2"), *rest)))
    assert state.need == Deal((0, 0))
    state = state.apply(Dealt(cards("y1 y2")))
    assert state.hand(0).known == cards("y1 y2 y6 y7 y8 y9 g1 g2")
    assert state.need == Decide(0)


def test_an_exchange_with_an_empty_pile_begins_with_a_shuffle() -> None:
    state = act(stuck(pile=""), "exchange y1")
    assert isinstance(state.need, Shuffle)
    assert cards("y1")[0] in state.need.cards


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("exchange r2", "red 2 is not in the hand of seat 0"),
        ("play y1 2 0", "yellow 1 does not fit next to tile 2: there is no yellow cube on it"),
        ("pass", "seat 0 is on turn and plays a card, or exchanges cards if none fits"),
        ("decline", "seat 0 is on turn and plays a card, or exchanges cards if none fits"),
    ],
)
def test_what_cannot_be_done_when_stuck(text: str, reason: str) -> None:
    with pytest.raises(IllegalStep) as refusal:
        act(stuck(), text)
    assert refusal.value.message == reason


@pytest.mark.parametrize("chosen", [(14, 13), (13, 13), (13, 14, 15, 16, 17), (13, 99), (-1,)])
def test_an_exchange_names_at_most_four_cards_in_order(chosen: tuple[int, ...]) -> None:
    with pytest.raises(IllegalStep):
        stuck().apply(Exchange(chosen))


def test_one_passes_the_other_plays() -> None:
    state = act(stuck(other="r5"), "exchange")
    assert not isinstance(state.need, Over)
    assert legal(state) == ["play r5 2 0", "play r5 2 1"]
    assert news(state, TurnPassed) == [TurnPassed(0)]
    assert GAME.write(state.legal_actions(1)[0]) == "play r5 2 0"
