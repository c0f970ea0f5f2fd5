"""Scoring: the examples of docs/games.md, worked by hand."""

from __future__ import annotations

from bcnet.games.edel.events import CertificatesScored, ColourScored, GemsReturned
from bcnet.games.edel.material import Colour
from bcnet.games.edel.scoring import Payout, certificate_payouts, given_back
from bcnet.games.interface import Chance, Decide, Over
from tests.games.edel.positions import act, gems, held, money, scored


def test_most_gems_get_the_payout_and_give_back_half() -> None:
    """Example 1: red 5, 3, 2: 14 for the first, who gives back 3; blue 2, 2, 1: 4 each, and two gems each."""
    state = scored(held("5r 2b"), held("3r 2b"), held("2r b"))
    assert money(state) == [14 + 4, 4, 0]
    assert [holding.gems for holding in state.holdings] == [gems("2r"), gems("3r"), gems("2r b")]
    assert [each for each in state.news if isinstance(each, ColourScored)] == [
        ColourScored(Colour.RED, (Payout(0, 14),)),
        ColourScored(Colour.YELLOW, ()),
        ColourScored(Colour.GREEN, ()),
        ColourScored(Colour.BLUE, (Payout(0, 4), Payout(1, 4))),
    ]
    assert [each for each in state.news if isinstance(each, GemsReturned)] == [
        GemsReturned(0, Colour.RED, 3),
        GemsReturned(0, Colour.BLUE, 2),
        GemsReturned(1, Colour.BLUE, 2),
    ]


def test_three_share_a_colour() -> None:
    """Example 2: yellow 1, 1, 1: 12 / 3 = 4 each, and the only gem goes back; green 3, 3, 3: 10 / 3 = 3 each."""
    state = scored(held("y 3g"), held("y 3g"), held("y 3g"))
    assert money(state) == [7, 7, 7]
    assert [holding.gems for holding in state.holdings] == [gems("g")] * 3


def test_doubler_before_surcharge() -> None:
    """Example 3: green alone 10 x 2 + 6 = 26; green shared 5 x 2 + 6 = 16 for one and 5 for the other."""
    alone = scored(held("4g", 0, "doubler-green", "surcharge-green"), held("g"), held(""))
    assert money(alone) == [26, 0, 0]
    shared = scored(held("4g", 0, "doubler-green", "surcharge-green"), held("4g"), held(""))
    assert money(shared) == [16, 5, 0]
    lost = scored(held("3g", 0, "doubler-green", "surcharge-green"), held("4g"), held(""))
    assert money(lost) == [0, 10, 0]
    other = scored(held("4g", 0, "doubler-red", "surcharge-blue"), held(""), held(""))
    assert money(other) == [10, 0, 0]


def test_a_vault_keeps_all_gems_of_one_colour() -> None:
    """Example 4: most red and most green, one vault: saved at red, used at green."""
    state = scored(held("5r 4g", 0, "vault"), held("r"), held("g"))
    assert state.need == Decide(0)
    assert state.colour is Colour.RED
    assert money(state) == [14, 0, 0], "paid out before it is asked"
    saved = act(state, "vault save")
    assert saved.need == Decide(0)
    assert saved.colour is Colour.GREEN
    used = act(saved, "vault use")
    assert used.holdings[0].gems == gems("2r 4g")
    assert act(state, "vault use").holdings[0].gems == gems("5r 2g"), "one vault is for one colour"
    assert used.need == Chance("gem cards")
    assert used.holdings[0].cards == ()


def test_two_with_a_vault_are_asked_in_turn() -> None:
    state = scored(held("3b", 0, "vault"), held("3b", 0, "vault"), held(""))
    assert state.need == Decide(0)
    second = act(state, "vault use")
    assert second.need == Decide(1)
    assert [h.gems for h in act(second, "vault save").holdings] == [gems("3b"), gems("b"), gems("")]


def certificates(*counts: int) -> list[int]:
    paid = certificate_payouts(
        {seat: held("", 0, *["certificate"] * count) for seat, count in enumerate(counts)}
    )
    by_seat = dict(paid)
    return [by_seat.get(seat, 0) for seat in range(len(counts))]


def test_certificates() -> None:
    """Example 5, row by row."""
    assert certificates(3, 2, 1) == [10, 4, 0]
    assert certificates(2, 2, 1) == [7, 7, 0]
    assert certificates(1, 1, 1) == [4, 4, 4]
    assert certificates(3, 1, 1, 0) == [10, 2, 2, 0]
    assert certificates(3, 1, 1, 1) == [10, 1, 1, 1]
    assert certificates(2, 0, 0) == [10, 0, 0]
    assert certificates(0, 0, 0) == [0, 0, 0]
    assert certificates(1, 1, 1, 1, 1) == [2, 2, 2, 2, 2]


def test_event_cards_are_given_back() -> None:
    state = scored(held("", 0, "certificate", "surcharge-red"), held("", 0, "vault"), held(""))
    assert CertificatesScored((Payout(0, 10),)) in state.news
    assert all(not holding.cards for holding in state.holdings)
    assert [card.value for card in state.discards] == ["certificate", "surcharge-red", "vault"]


def test_half_is_rounded_up() -> None:
    assert [given_back(count, tied=False) for count in range(1, 6)] == [1, 1, 2, 2, 3]
    assert [given_back(count, tied=True) for count in range(1, 6)] == [1, 2, 2, 2, 2]


def test_a_new_pass_has_all_gem_cards() -> None:
    state = scored(held("r"), held("y"), held("g"))
    assert (state.passing, state.round) == (2, 1)
    assert len(state.gem_pile) == 30


def test_the_end() -> None:
    """Example 6: equal money: more red, yellow, green, blue gems; else shared."""
    # what is given back: red 2 of 4 from seat 0 (14); blue 1 of 2 from seat 1 (8)
    assert scored(held("4r"), held("2b", 6), held(""), passing=3).need == Over((0,), "richest")
    assert scored(held("4r"), held("2b", 7), held(""), passing=3).need == Over((1,), "richest")
    assert scored(held("4r"), held("2b r", 6), held("", 14), passing=3).need == Over((0,), "richest")
    nobody = scored(held("", 5), held("", 5), held("", 4), passing=3)
    assert nobody.need == Over((0, 1), "richest")
    two_short = scored(held("", 5), held("", 5), held("", 4), passing=2)
    assert two_short.need == Chance("gem cards")
