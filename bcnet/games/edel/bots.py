"""A simple player: it weighs what an action would bring against how many may want the same."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from itertools import islice
from math import exp

from bcnet.games.bots import choose_best, choose_randomly
from bcnet.games.edel.actions import Accept, ChooseCard, Give, Swap, TakeEvent, TakeGems, UseVault
from bcnet.games.edel.holdings import Holding
from bcnet.games.edel.material import (
    CASH,
    COLOURS,
    DOUBLERS,
    FREE_GEMS,
    GEM_CARDS,
    SURCHARGES,
    ActionCard,
    EventCard,
    Gems,
    add,
    available,
    one,
    subtract,
)
from bcnet.games.edel.scoring import PAYOUT, SURCHARGE
from bcnet.games.edel.state import EdelState, Phase
from bcnet.games.edel.trade import offers
from bcnet.games.interface import Action, Seat, State

_CERTIFICATE = 4.0
"""About what a certificate brings."""
_STEADINESS = 2.0
"""By how many gems one must be ahead to be rather sure of a colour."""
_KEPT = 0.03
"""What a gem that is left after a scoring is worth, as a part of the payout."""
OFFERS_WEIGHED = 200
"""So many of the lowest offers are weighed: there can be thousands, and the higher ones cost more."""


def choose_greedily(state: State, seat: Seat, rng: random.Random) -> Action:
    """Take what brings most right now; choose action cards by chance, those of more promise more often."""
    assert isinstance(state, EdelState)
    worth = weighed(state, seat)
    if not worth:
        return choose_randomly(state, seat, rng)
    if state.phase is Phase.CHOOSE:
        (card,) = rng.choices(list(worth), [each**2 for each in worth.values()])
        return card
    accepting = worth.pop(Accept(), None)
    best = choose_best(list(worth), worth.__getitem__, rng)
    return best if accepting is None or accepting < worth[best] else Accept()


def weighed(state: EdelState, seat: Seat) -> dict[Action, float]:
    """What the legal actions of a seat bring it, as far as a glance can tell, in money's worth; of offers no more than
    the lowest `OFFERS_WEIGHED`. Empty where nothing is weighed.
    """
    match state.phase:
        case Phase.CHOOSE:
            return {ChooseCard(card): worth * share for card, (worth, share) in promises(state, seat).items()}
        case Phase.TRADE:
            return _weighed_trade(state, seat)
        case Phase.EVENT | Phase.GEMS | Phase.SWAP | Phase.LEVY:
            return {action: _gain(state, seat, action) for action in state.legal_actions(seat)}
        case Phase.VAULT:
            return {UseVault(use=True): 1.0, UseVault(use=False): 0.0}
        case _:
            return {}


# --- what things are worth ---


def wealth(state: EdelState, seat: Seat, gems: Mapping[Seat, Gems]) -> float:
    """What a seat can hope for from the next scoring if everybody had these gems."""
    others = [other for other in state.present if other != seat]
    cards = state.holdings[seat].cards
    total = 0.0
    for colour in COLOURS:
        ahead = gems[seat][colour] - max(gems[other][colour] for other in others)
        payout = float(PAYOUT[colour] * (2 if DOUBLERS[colour] in cards else 1))
        payout += SURCHARGE if SURCHARGES[colour] in cards else 0
        total += payout / (1 + exp(-ahead / _STEADINESS)) + _KEPT * PAYOUT[colour] * gems[seat][colour]
    return total


def _all_gems(state: EdelState) -> dict[Seat, Gems]:
    return {seat: state.gems(seat) for seat in state.present}


def _change(state: EdelState, seat: Seat, changed: Mapping[Seat, Gems]) -> float:
    """What it is worth to a seat that these have other gems."""
    before = _all_gems(state)
    return wealth(state, seat, {**before, **changed}) - wealth(state, seat, before)


def _event_worth(state: EdelState, seat: Seat, card: EventCard) -> float:
    gems = state.gems(seat)
    match card:
        case EventCard.CASH:
            return float(CASH)
        case EventCard.JEWEL_BOX:
            return _change(state, seat, {seat: add(gems, available((1, 1, 1, 0), state.supply))})
        case EventCard.CERTIFICATE:
            return _CERTIFICATE
        case EventCard.LEVY:
            return _KEPT * sum(PAYOUT) + len(state.present) - 1
        case EventCard.SWAP | EventCard.VAULT:
            return _CERTIFICATE / 2
        case _:
            richer = state.holdings[seat].with_card(card)
            return _change_of_holding(state, seat, richer)


def _change_of_holding(state: EdelState, seat: Seat, holding: Holding) -> float:
    after = state.with_holding(seat, holding)
    gems = _all_gems(state)
    return wealth(after, seat, gems) - wealth(state, seat, gems)


def _mean(values: Iterable[float]) -> float:
    known = list(values)
    return sum(known) / len(known) if known else 0.0


def _face_down_worth(state: EdelState, seat: Seat) -> float:
    """What a card of the deck brings on average: which there are can be counted."""
    worth = {card: _event_worth(state, seat, card) for card in set(state.deck)}
    return _mean(worth[card] for card in state.deck)


def _gems_worth(state: EdelState, seat: Seat, gems: Gems) -> float:
    return _change(state, seat, {seat: add(state.gems(seat), available(gems, state.supply))})


def action_worth(state: EdelState, seat: Seat, action: ActionCard) -> float:
    """What it brings a seat to perform an action in this round."""
    number = state.gem_cards[seat]
    assert number is not None
    match action:
        case ActionCard.MONEY:
            return float(GEM_CARDS[number].money)
        case ActionCard.GEMS:
            return _gems_worth(state, seat, GEM_CARDS[number].gems)
        case ActionCard.FREE:
            return max(_gems_worth(state, seat, one(colour, FREE_GEMS)) for colour in COLOURS)
        case ActionCard.EVENT:
            opened = state.open_event
            face_down = _face_down_worth(state, seat)
            return face_down if opened is None else max(face_down, _event_worth(state, seat, opened))


# --- decisions ---


def promises(state: EdelState, seat: Seat) -> dict[ActionCard, tuple[float, float]]:
    """What each action card would bring a seat, and how much of that is to be hoped for (0 to 1). Others are taken to
    choose by chance too, in proportion to what an action brings them.
    """
    hopes = {
        each: {action: max(0.1, action_worth(state, each, action)) for action in state.action_cards}
        for each in state.present
    }
    promise = {}
    for action in state.action_cards:
        chances = [
            hopes[other][action] / sum(hopes[other].values()) for other in state.present if other != seat
        ]
        promise[action] = (hopes[seat][action], _share(chances))
    return promise


def _share(chances: list[float]) -> float:
    """How much of an action is left on average: all of it alone, about half where one other wants it."""
    alone = 1.0
    for chance in chances:
        alone *= 1 - chance
    with_one = sum(chance * alone / (1 - chance) for chance in chances if chance < 1)
    return alone + with_one / 2


def _weighed_trade(state: EdelState, seat: Seat) -> dict[Action, float]:
    """Of an offer what is left of the action once it has been accepted; of accepting what the gems bring."""
    trade, action = state.trade, state.action
    assert trade is not None
    assert action is not None
    worth = action_worth(state, seat, action)
    gems = _all_gems(state)
    found: dict[Action, float] = {}
    for offer in islice(offers(gems[seat], trade.offer), OFFERS_WEIGHED):
        moved = {seat: subtract(gems[seat], offer.gems), trade.other: add(gems[trade.other], offer.gems)}
        found[offer] = worth + _change(state, seat, moved)
    if trade.offer is not None:
        moved = {seat: add(gems[seat], trade.offer), trade.other: subtract(gems[trade.other], trade.offer)}
        found[Accept()] = _change(state, seat, moved)
    return found


def _gain(state: EdelState, seat: Seat, action: Action) -> float:
    match action:
        case TakeEvent(face_down):
            assert state.open_event is not None
            return _face_down_worth(state, seat) if face_down else _event_worth(state, seat, state.open_event)
        case TakeGems(gems):
            return _change(state, seat, {seat: add(state.gems(seat), gems)})
        case Swap(give, other, take):
            mine = add(subtract(state.gems(seat), one(give)), one(take))
            theirs = add(subtract(state.gems(other), one(take)), one(give))
            return _change(state, seat, {seat: mine, other: theirs})
        case Give(colour):
            to = state.performer
            assert to is not None
            moved = {
                seat: subtract(state.gems(seat), one(colour)),
                to: add(state.gems(to), one(colour)),
            }
            return _change(state, seat, moved)
        case _:
            return 0.0
