"""Trades: who opens, what may be offered, who performs."""

from __future__ import annotations

import pytest

from bcnet.errors import IllegalStep
from bcnet.games.edel.actions import Accept, Offer, Opener
from bcnet.games.edel.events import ActionLapsed, OfferAccepted, OfferMade, TradeOpened
from bcnet.games.edel.holdings import Holding
from bcnet.games.edel.material import ActionCard
from bcnet.games.edel.state import EdelState
from bcnet.games.edel.trade import is_higher, offers
from bcnet.games.interface import Chance, Decide
from tests.games.edel.positions import GAME, act, begun, choose, gems, held, money


def trading(first: Holding, second: Holding) -> EdelState:
    """Seats 0 and 1 both want money; seat 2 takes gems."""
    return choose(begun(first, second, held("")), "money", "money", "gems")


@pytest.mark.parametrize(
    ("first", "second", "opener"),
    [
        (held("2r"), held("3r"), 0),
        (held("3r"), held("2r 9b"), 1),
        (held("2r 3y"), held("2r 2y 5g"), 1),
        (held("2r y 3g"), held("2r y 4g"), 0),
        (held("2r b"), held("2r 2b"), 0),
        (held("2r", 8), held("2r", 7), 1),
        (held("", 0), held("9r"), 1),
        (held("b", 9), held("", 0), 0),
    ],
)
def test_who_opens(first: Holding, second: Holding, opener: int) -> None:
    state = trading(first, second)
    assert state.need == Decide(opener)
    assert state.news[-1] == TradeOpened(ActionCard.MONEY, opener, 1 - opener)
    with pytest.raises(IllegalStep, match="no offer to accept"):
        act(state, "accept")


def test_chance_says_who_opens_where_all_is_equal() -> None:
    state = trading(held("2r", 3), held("2r", 3))
    assert state.need == Chance("who opens the trade")
    assert [state.sample(lambda _n, at=at: at) for at in (0, 1)] == [Opener(0), Opener(1)]  # type: ignore[misc]
    assert state.apply(Opener(1)).need == Decide(1)
    with pytest.raises(IllegalStep, match="no part in this trade"):
        state.apply(Opener(2))


def test_without_gems_the_action_lapses() -> None:
    state = trading(held("", 1), held("", 2))
    assert ActionLapsed(ActionCard.MONEY, (0, 1)) in state.news
    assert money(state) == [1, 2, 0]


def test_offers_go_back_and_forth() -> None:
    """docs/games.md, the trade: the accepter takes the gems, the one who offered them performs the action."""
    state = trading(held("2r y"), held("3r 2b"))
    state = act(state, "offer yellow=1")
    assert state.news == (OfferMade(0, gems("y")),)
    assert state.need == Decide(1)
    with pytest.raises(IllegalStep, match="must be higher"):
        act(state, "offer blue=1")
    state = act(state, "offer red=1", "offer red=1 yellow=1", "offer red=1 blue=2", "accept")
    assert state.news[0] == OfferAccepted(0, 1, gems("r 2b"), forced=False)
    assert [h.gems for h in state.holdings[:2]] == [gems("3r y 2b"), gems("2r")]
    assert money(state)[:2] == [0, 7], "seat 1 has performed the action"


def test_who_cannot_raise_must_accept() -> None:
    state = act(trading(held("2r"), held("3r b")), "offer red=2", "offer red=3")
    assert state.news[1] == OfferAccepted(0, 1, gems("3r"), forced=True)
    assert money(state)[1] == 7
    to_nobody = act(trading(held("", 0), held("9r")), "offer red=1")
    assert to_nobody.news[1] == OfferAccepted(0, 1, gems("r"), forced=True)


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("2b", "r"),
        ("r", "y"),
        ("y", "g"),
        ("g", "b"),
        ("r b", "2g"),
        ("2y", "r b"),
        ("r y", "2y"),
        ("3b", "2r"),
    ],
)
def test_which_offer_is_higher(higher: str, lower: str) -> None:
    assert is_higher(gems(higher), gems(lower))
    assert not is_higher(gems(lower), gems(higher))


@pytest.mark.parametrize(("one", "other"), [("r b", "y g"), ("2y", "r g"), ("r", "r")])
def test_equally_high_offers(one: str, other: str) -> None:
    assert not is_higher(gems(one), gems(other))
    assert not is_higher(gems(other), gems(one))


def test_offers_are_listed_from_the_lowest() -> None:
    found = [GAME.write(offer).removeprefix("offer ") for offer in offers(gems("r y b"), None)]
    assert found == [
        "blue=1",
        "yellow=1",
        "red=1",
        "yellow=1 blue=1",
        "red=1 blue=1",
        "red=1 yellow=1",
        "red=1 yellow=1 blue=1",
    ]
    above = offers(gems("r y b"), gems("y g"))
    assert [GAME.write(offer).removeprefix("offer ") for offer in above] == found[5:], "5 is no more than 5"
    assert len(offers(gems("3r 3y 3g 3b"), None)) == 255


def test_all_that_is_listed_is_all_that_is_legal() -> None:
    state = act(trading(held("2r y"), held("2r 2y 2g 2b")), "offer red=1 yellow=1")
    listed = {offer.gems for offer in state.legal_actions(1) if isinstance(offer, Offer)}
    assert state.legal_actions(1)[-1] == Accept()
    for red in range(4):
        for yellow in range(4):
            for green in range(4):
                for blue in range(4):
                    offered = (red, yellow, green, blue)
                    if offered in listed:
                        assert state.apply(Offer(offered)).news[0] == OfferMade(1, offered)
                    else:
                        with pytest.raises(IllegalStep):
                            state.apply(Offer(offered))


def test_two_want_free_choice() -> None:
    state = choose(begun(*[held("2r")] * 2, *[held("3r")] * 3), "free", "money", "money", "money", "free")
    state = act(state, "offer red=1", "accept")
    assert state.need == Decide(0)
    assert act(state, "take red=1 blue=1").holdings[0].gems == gems("2r b")
