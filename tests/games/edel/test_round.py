"""A round: the order of actions, who gets what, and each event card."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bcnet.errors import IllegalStep
from bcnet.games.edel.actions import Accept, ChooseCard, EventCardDrawn, GemCardsDrawn
from bcnet.games.edel.events import (
    ActionLapsed,
    CardsChosen,
    EventOpened,
    EventsShuffled,
    GemGiven,
    GemsSwapped,
)
from bcnet.games.edel.material import ActionCard, Colour, EventCard
from bcnet.games.edel.state import EdelState, Phase
from bcnet.games.interface import Chance, Choose, Chosen, Decide
from tests.games.edel.positions import act, begun, choose, gem_card, gems, held, money, taking

THREE = (held("3r"), held("4r"), held("5r"))


def test_each_gets_what_the_own_card_shows() -> None:
    cards = (gem_card(4, "2r g"), gem_card(6, "2g b"), gem_card(7, "r b"))
    state = choose(begun(*THREE, cards=cards), "money", "gems", "gems")
    assert money(state) == [4, 0, 0]
    assert state.phase is Phase.TRADE, "seats 1 and 2 want gems"
    alone = choose(begun(*THREE, cards=cards), "money", "gems", "event")
    assert alone.need == Decide(2)
    after = act(alone, "event open")
    assert after.holdings[1].gems == gems("4r 2g b")
    assert after.need == Chance("gem cards")
    assert after.round == 2


def test_money_comes_before_event_before_gems() -> None:
    state = choose(begun(*THREE), "gems", "event", "money")
    assert state.news[0] == CardsChosen((0, 1, 2), (ActionCard.GEMS, ActionCard.EVENT, ActionCard.MONEY))
    assert money(state) == [0, 0, 7]
    assert state.holdings[0].gems == gems("3r"), "gems wait for the event"
    assert state.need == Decide(1)


def test_of_three_nobody_gets_anything() -> None:
    state = choose(begun(*THREE), "money", "money", "money")
    assert ActionLapsed(ActionCard.MONEY, (0, 1, 2)) in state.news
    assert money(state) == [0, 0, 0]


def test_a_short_supply_gives_what_it_has() -> None:
    rich = (held("22r 21b"), held("y"), held("g"))
    some = choose(begun(*rich, cards=(gem_card(7, "2g"), gem_card(7, "r b"), 2)), "money", "gems", "event")
    assert act(some, "event open").holdings[1].gems == gems("y b"), "the last blue one, and no red"
    empty = (held("22r"), held("22g"), held("y"))
    none = choose(begun(*empty, cards=(0, 1, gem_card(6, "r g"))), "money", "event", "gems")
    assert ActionLapsed(ActionCard.GEMS, (2,)) in act(none, "event open").news


def test_free_choice_gives_two_gems() -> None:
    state = choose(begun(*[held("22r"), *[held("")] * 4]), "money", "money", "money", "free", "event")
    state = act(state, "event open")
    assert state.need == Decide(3)
    assert {tuple(a.gems) for a in state.legal_actions(3)} == {  # type: ignore[attr-defined]
        gems(text) for text in ("2y", "2g", "2b", "y g", "y b", "g b")
    }
    with pytest.raises(IllegalStep, match="cannot be taken"):
        act(state, "take red=1 blue=1")
    with pytest.raises(IllegalStep, match="cannot be taken"):
        act(state, "take blue=1")
    assert act(state, "take blue=2").holdings[3].gems == gems("2b")


def test_free_choice_from_a_short_supply() -> None:
    holdings = (held("22r 22y 22g 21b"), *[held("")] * 4)
    state = act(choose(begun(*holdings), "money", "money", "money", "free", "event"), "event open")
    assert state.holdings[3].gems == gems("b"), "there is but one gem, so nobody is asked"


def test_kept_cards_lie_open() -> None:
    state = taking("doubler-red", "", "")
    assert state.holdings[1].cards == (EventCard.DOUBLER_RED,)
    assert state.open_event is None


def test_a_face_down_card_leaves_the_open_one() -> None:
    state = taking("vault", "", "", face_down=True)
    assert state.holdings[1].cards == (EventCard.VAULT,)
    assert state.open_event is EventCard.CERTIFICATE
    again = state.apply(GemCardsDrawn(state.gem_pile[:4]))
    opened = again.apply(EventCardDrawn(EventCard.SWAP))
    assert EventOpened(EventCard.SWAP) in opened.news
    assert opened.discards == (EventCard.CERTIFICATE,), "covered"


def test_cash() -> None:
    state = taking("cash", "", "")
    assert money(state)[1] == 8
    assert state.discards == (EventCard.CASH,)
    assert state.holdings[1].cards == ()


def test_jewel_box() -> None:
    state = taking("jewel-box", "", "")
    assert state.need == Decide(1)
    assert len(state.legal_actions(1)) == 4
    with pytest.raises(IllegalStep, match="cannot be taken"):
        act(state, "take red=2 blue=1")
    assert act(state, "take red=1 green=1 blue=1").holdings[1].gems == gems("r g b")
    short = taking("jewel-box", "22b", "22g")
    assert short.holdings[1].gems == gems("r y 22b")


def test_swap() -> None:
    state = taking("swap", "y", "2g b")
    assert state.need == Decide(1)
    assert len(state.legal_actions(1)) >= 3
    after = act(state, "swap yellow 2 green")
    assert GemsSwapped(1, Colour.YELLOW, 2, Colour.GREEN) in after.news
    assert after.holdings[2].gems == gems("y g b")
    for wrong in ("swap green 2 blue", "swap yellow 1 yellow", "swap yellow 2 red", "swap yellow 4 red"):
        with pytest.raises(IllegalStep):
            act(state, wrong)


def test_swap_with_nothing_to_give() -> None:
    state = taking("swap", "", "2g b")
    assert ActionLapsed(ActionCard.EVENT, (1,)) in state.news


def test_levy() -> None:
    """Each opponent in turn from the performer on; who has one colour is not asked, who has none gives nothing."""
    state = taking("levy", "y", "2g", "", "r b")
    assert GemGiven(2, 1, Colour.GREEN) in state.news
    assert state.need == Decide(4)
    with pytest.raises(IllegalStep, match="does not have such a gem"):
        act(state, "give yellow")
    after = act(state, "give blue")
    assert after.news[:2] == (GemGiven(4, 1, Colour.BLUE), GemGiven(0, 1, Colour.RED))
    assert after.holdings[1].gems == gems("r y g b")


def test_an_empty_deck_is_made_of_the_discards() -> None:
    state = begun(*THREE)
    state = choose(replace(state, deck=(), discards=state.deck), "event", "money", "gems")
    assert EventsShuffled(state.deck) in state.news
    assert len(state.deck) == 38
    assert state.discards == ()
    assert state.open_event is EventCard.CERTIFICATE, "the open card is not among them"


def test_outcomes_that_cannot_be_are_refused() -> None:
    start = EdelState.start(3)
    for cards in ((0, 1), (0, 1, 1), (0, 1, 30), (0, 1, -1)):
        with pytest.raises(IllegalStep):
            start.apply(GemCardsDrawn(cards))
    dealt = start.apply(GemCardsDrawn((0, 1, 2)))
    assert dealt.gem_pile == tuple(range(3, 30))
    with pytest.raises(IllegalStep):
        replace(dealt, deck=(EventCard.CASH,)).apply(EventCardDrawn(EventCard.LEVY))


def test_choices_of_the_wrong_kind_are_refused() -> None:
    state = begun(*THREE)
    assert state.need == Choose((0, 1, 2))
    right = ChooseCard(ActionCard.MONEY)
    for said in ((), (right, right), (right, right, Accept()), (right, right, ChooseCard(ActionCard.FREE))):
        with pytest.raises(IllegalStep):
            state.apply(Chosen(said))


def test_chance_draws_one_card_after_another() -> None:
    asked = []

    def last(count: int) -> int:
        asked.append(count)
        return count - 1

    assert EdelState.start(4).sample(last) == GemCardsDrawn((29, 28, 27, 26))
    assert asked == [30, 29, 28, 27]
