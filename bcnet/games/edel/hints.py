"""Advice for a player who has to decide: the action that a glance finds best, and why, in the player's terms.

The worth of things is that of the greedy player (`bots`): about how much money an action brings, counting what gems may
bring at the next scoring.
"""

from __future__ import annotations

from bcnet.errors import Phrase
from bcnet.games.edel.actions import Accept, ChooseCard, Offer, UseVault
from bcnet.games.edel.bots import action_worth, promises, weighed
from bcnet.games.edel.material import ActionCard
from bcnet.games.edel.naming import ACTION_NAMES
from bcnet.games.edel.scoring import given_back
from bcnet.games.edel.state import EdelState
from bcnet.games.interface import Action, Seat


def hint(state: EdelState, seat: Seat) -> tuple[Action, Phrase]:
    """The action of a seat that has to decide which looks best, and the reason, as the rest of a sentence."""
    worth = weighed(state, seat)
    best = max(worth, key=lambda action: (worth[action], action == Accept()))
    return best, _why(state, seat, best, worth)


def _why(state: EdelState, seat: Seat, best: Action, worth: dict[Action, float]) -> Phrase:
    match best:
        case ChooseCard(card):
            return _why_card(state, seat, card)
        case Accept():
            return _why_accept(worth)
        case Offer():
            return _why_offer(state, seat, worth[best])
        case UseVault():
            return _why_vault(state, seat)
        case _:
            return _why_most(worth[best], [each for action, each in worth.items() if action != best])


def _why_card(state: EdelState, seat: Seat, card: ActionCard) -> Phrase:
    worth, share = promises(state, seat)[card]
    return Phrase(
        "it is worth about {worth} to you, and {percent} % of that can be hoped for with what the others may choose",
        worth=round(worth),
        percent=round(100 * share),
    )


def _why_accept(worth: dict[Action, float]) -> Phrase:
    raises = [each for action, each in worth.items() if action != Accept()]
    return Phrase(
        "the gems are worth about {gain} to you, the action with a higher offer about {left}",
        gain=round(worth[Accept()]),
        left=round(max(raises, default=0.0)),
    )


def _why_offer(state: EdelState, seat: Seat, left: float) -> Phrase:
    assert state.action is not None
    worth = action_worth(state, seat, state.action)
    return Phrase(
        "{action} is worth about {worth} to you, and these gems cost you about {cost} of it",
        action=ACTION_NAMES[state.action],
        worth=round(worth),
        cost=max(0, round(worth) - round(left)),
    )


def _why_vault(state: EdelState, seat: Seat) -> Phrase:
    assert state.colour is not None
    kept = given_back(state.gems(seat)[state.colour], tied=state.tied)
    return Phrase("you keep {count} {colour} that would go back", count=kept, colour=state.colour.word)


def _why_most(worth: float, others: list[float]) -> Phrase:
    if not others:
        return Phrase("there is nothing else to do")
    return Phrase(
        "it changes what you can hope for by about {worth}, the next best by about {second}",
        worth=round(worth, 1),
        second=round(max(others), 1),
    )
