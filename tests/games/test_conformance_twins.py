"""The conformance suite can fail: each twin of a game breaks one promise of the interface, and the suite says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bcnet.errors import IllegalStep
from bcnet.games import get
from bcnet.games.balloon_cup import explain, notation, state
from bcnet.games.balloon_cup.actions import Exchange
from bcnet.games.balloon_cup.cards import Cards
from bcnet.games.balloon_cup.state import BalloonCupState
from bcnet.games.interface import Hand, Over, Resigned
from bcnet.games.stones import state as stones
from tests.games import conformance

SEED = 23
"""A game with claims, exchanges and passes."""


def run_the_suite() -> None:
    conformance.check_game(get("balloon-cup"), 2, {"fill": "blind"}, SEED)


def test_the_game_itself_passes() -> None:
    run_the_suite()


Patch = Callable[[pytest.MonkeyPatch], None]


def views_show_everything(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(BalloonCupState, "view", lambda self, _seat: self)


def views_show_the_other_hand(patch: pytest.MonkeyPatch) -> None:
    right = Cards.view
    patch.setattr(Cards, "view", lambda self, seat: right(self, seat)._replace(hands=self.hands))


def views_show_the_pile(patch: pytest.MonkeyPatch) -> None:
    right = Cards.view
    patch.setattr(Cards, "view", lambda self, seat: right(self, seat)._replace(pile_order=self.pile_order))


def news_show_draws(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(state, "_seen_by", lambda _seat, event: event)


def any_side_will_do(patch: pytest.MonkeyPatch) -> None:
    """A card may be laid wherever its colour still has room at all."""
    patch.setattr(state, "place_bit", lambda _number, _side: 0b11111111)


def tiles_are_not_checked(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(explain, "check_place", lambda _play: None)


def anybody_may_exchange(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(BalloonCupState, "_check_stuck", lambda _self, _seat: None)


def payments_are_not_checked(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(explain, "check_claim", lambda _cubes, _owners, _claim: None)


def exchanges_are_not_checked(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(explain, "check_exchange", lambda _state, _seat, _chosen: None)


def anything_is_believed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Cards, "_check_unseen", lambda _self, _card, _lying: None)


def shown_cards_are_forgotten(patch: pytest.MonkeyPatch) -> None:
    right = Cards.reveal

    def reveal(self: Cards, seat: int, named: Any, lying: int, *, publicly: bool) -> Cards:
        after = right(self, seat, named, lying, publicly=publicly)
        hand = after.hands[seat]
        return after.with_hand(seat, Hand(hand.size, hand.known, self.hands[seat].shown))

    patch.setattr(Cards, "reveal", reveal)


def piles_are_not_checked(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Cards, "shuffle", lambda self, pile, order: Cards(self.hands, len(pile), order, 0))


def hands_are_guessed(patch: pytest.MonkeyPatch) -> None:
    right = BalloonCupState.legal_actions

    def legal_actions(self: BalloonCupState, seat: int) -> tuple[Any, ...]:
        try:
            return right(self, seat)
        except IllegalStep:
            return (Exchange(()),)

    patch.setattr(BalloonCupState, "legal_actions", legal_actions)


def spaces_do_not_matter(patch: pytest.MonkeyPatch) -> None:
    right = notation.parse
    patch.setattr(notation, "parse", lambda text: right(" ".join(text.split())))


def nothing_is_hashable(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(BalloonCupState, "__hash__", None)


def saves_forget_the_pile(patch: pytest.MonkeyPatch) -> None:
    right = state.BalloonCupState
    game = type(get("balloon-cup"))
    save = game.save

    def forgetful(self: Any, of: Any) -> dict[str, Any]:
        assert isinstance(of, right)
        return save(self, of._replace(cards=of.cards._replace(pile_order=None)))

    patch.setattr(game, "save", forgetful)


def the_winner_resigns(patch: pytest.MonkeyPatch) -> None:
    right = BalloonCupState._over

    def over(self: BalloonCupState, winners: tuple[int, ...], reason: str, news: Any) -> BalloonCupState:
        if reason == "resignation":
            winners = tuple(1 - seat for seat in winners)
        return right(self, winners, reason, news)

    patch.setattr(BalloonCupState, "_over", over)


TWINS = [
    views_show_everything,
    views_show_the_other_hand,
    views_show_the_pile,
    news_show_draws,
    any_side_will_do,
    tiles_are_not_checked,
    anybody_may_exchange,
    payments_are_not_checked,
    exchanges_are_not_checked,
    anything_is_believed,
    shown_cards_are_forgotten,
    piles_are_not_checked,
    hands_are_guessed,
    spaces_do_not_matter,
    nothing_is_hashable,
    saves_forget_the_pile,
    the_winner_resigns,
]


@pytest.mark.parametrize("twin", TWINS, ids=lambda twin: twin.__name__)
def test_a_broken_twin_does_not_pass(twin: Patch, monkeypatch: pytest.MonkeyPatch) -> None:
    twin(monkeypatch)
    # whatever it is: an assertion, a step not refused, or an error where the twin trips over itself
    with pytest.raises((AssertionError, pytest.fail.Exception, Exception)):
        run_the_suite()


# --- three seats, of which one resigns ---


def whoever_resigned_is_still_asked(patch: pytest.MonkeyPatch) -> None:
    right = stones.StonesState._resigned

    def resigned(before: stones.StonesState, step: Resigned) -> stones.StonesState:
        after = right(before, step)
        return after if isinstance(after.need, Over) else before

    patch.setitem(stones._STEPS, Resigned, resigned)


def whoever_resigned_can_win(patch: pytest.MonkeyPatch) -> None:
    right = stones.StonesState._over

    def over(self: stones.StonesState, winners: tuple[int, ...], reason: str) -> stones.StonesState:
        return right(self, tuple(self.everybody) if reason == stones.ALL_LAID else winners, reason)

    patch.setattr(stones.StonesState, "_over", over)


@pytest.mark.parametrize(
    ("twin", "reason"),
    [
        (whoever_resigned_is_still_asked, "DID NOT RAISE"),
        (whoever_resigned_can_win, "has resigned and is named"),
    ],
    ids=lambda twin: getattr(twin, "__name__", None),
)
def test_a_twin_that_forgets_who_resigned_does_not_pass(
    twin: Patch, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    twin(monkeypatch)
    with pytest.raises((AssertionError, pytest.fail.Exception), match=reason):
        conformance.check_game(get("stones"), 3, {}, 8)
