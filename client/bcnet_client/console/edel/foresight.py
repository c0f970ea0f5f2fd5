"""What would come of what is picked, in a sentence: it stands in the status line before anything is decided."""

from __future__ import annotations

from collections.abc import Mapping

from bcnet.games.edel.actions import ChooseCard, Give, Swap, TakeEvent, TakeGems, UseVault
from bcnet.games.edel.material import (
    COLOURS,
    GEM_CARDS,
    ActionCard,
    Colour,
    Gems,
    add,
    available,
    one,
    subtract,
)
from bcnet.games.edel.naming import ACTION_NAMES, cards_in_words, event_card, gems_in_words, what_it_does
from bcnet.games.edel.scoring import given_back
from bcnet.games.edel.trade import can_offer, is_higher, weight
from bcnet.games.interface import Action, Seat
from bcnet.language import told
from bcnet_client.console.edel import view, words
from bcnet_client.console.edel.input import Asked
from bcnet_client.console.edel.picked import ACCEPT, Choosing, Offering, Swapping
from bcnet_client.console.face import Picked
from bcnet_client.console.text import joined
from bcnet_client.console.words import say


def foreseen(picked: Picked, asked: Asked) -> str:
    """What comes of it; empty for what is not of this question."""
    match picked:
        case Offering(at) if at == ACCEPT and asked.can_accept:
            return _accepted(asked)
        case Offering(gems=gems) if asked.state.trade is not None:
            return _offered(gems, asked)
        case Swapping(_, give, seat, take):
            return _with(_swapped(Swap(give, seat, take), asked), asked)
        case Choosing(at) if at < len(asked.answers):
            return _answered(asked.answers[at], asked)
        case _:
            return ""


def _answered(action: Action, asked: Asked) -> str:
    state = asked.state
    match action:
        case ChooseCard(card):
            what = view.what_it_brings(state, asked.own, card)
            text = say(words.FORESEEN_CHOOSE, action=ACTION_NAMES[card], what=what)
            number = state.gem_cards[asked.own]
            if card is not ActionCard.GEMS or number is None:
                return text
            gems = available(GEM_CARDS[number].gems, state.supply)
            return f"{text} {_with({asked.own: add(asked.gems, gems)}, asked)}"
        case TakeEvent(face_down):
            if face_down:
                return say(words.FORESEEN_FACE_DOWN, cards=told(cards_in_words(state.deck)))
            assert state.open_event is not None
            opened = state.open_event
            text = say(words.FORESEEN_CARD, card=event_card(opened), what=what_it_does(opened))
            return text[:1].upper() + text[1:]
        case TakeGems(gems):
            return _with({asked.own: add(asked.gems, gems)}, asked)
        case Give(colour):
            assert state.performer is not None
            gem = one(colour)
            theirs = add(state.gems(state.performer), gem)
            return _with({asked.own: subtract(asked.gems, gem), state.performer: theirs}, asked)
        case UseVault(use):
            assert state.colour is not None
            count = given_back(asked.gems[state.colour], tied=state.tied)
            template = words.FORESEEN_USE if use else words.FORESEEN_SAVE
            return say(template, count=count, colour=state.colour.word)
        case _:
            return ""


def _swapped(swap: Swap, asked: Asked) -> dict[Seat, Gems]:
    mine = add(subtract(asked.gems, one(Colour(swap.give))), one(Colour(swap.take)))
    theirs = asked.state.gems(swap.seat)
    theirs = add(subtract(theirs, one(Colour(swap.take))), one(Colour(swap.give)))
    return {asked.own: mine, swap.seat: theirs}


def _with(changed: Mapping[Seat, Gems], asked: Asked) -> str:
    """What the own player would have, and of which colours most."""
    state = asked.state
    gems = {seat: changed.get(seat, state.gems(seat)) for seat in state.present}
    own = gems[asked.own]
    others = [each for seat, each in gems.items() if seat != asked.own]
    most = [
        told(colour.word)
        for colour in COLOURS
        if own[colour] > max((each[colour] for each in others), default=0)
    ]
    template = words.FORESEEN_MOST if most else words.FORESEEN_GEMS
    return say(template, gems=gems_in_words(own), colours=joined(most, say(words.AND)))


def _accepted(asked: Asked) -> str:
    state, action = asked.state, asked.state.action
    assert state.trade is not None
    assert action is not None
    return say(
        words.FORESEEN_ACCEPT,
        gems=gems_in_words(asked.standing or (0, 0, 0, 0)),
        name=asked.partner,
        action=ACTION_NAMES[action],
        what=view.what_it_brings(state, state.trade.other, action),
    )


def _offered(gems: Gems, asked: Asked) -> str:
    state, action = asked.state, asked.state.action
    assert state.trade is not None
    assert action is not None
    if not any(gems):
        return say(words.NOTHING_MARKED)
    if not is_higher(gems, asked.standing):
        assert asked.standing is not None
        count, least = weight(asked.standing)
        return say(words.TOO_LOW, gems=gems_in_words(gems), sum=weight(gems)[1], count=count, least=least)
    other = state.trade.other
    template = words.FORESEEN_OFFER if can_offer(state.gems(other), gems) else words.FORESEEN_FORCED
    return say(
        template,
        gems=gems_in_words(gems),
        sum=weight(gems)[1],
        name=asked.partner,
        action=ACTION_NAMES[action],
    )
