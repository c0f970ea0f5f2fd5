# ruff: noqa: D102 (the base class says it)
"""How a player picks at a table of Edel, Stein & Reich: an answer from a list, the gems of an offer, a swap.

In a list any arrow goes to the next or the one before. In an offer left and right go from colour to colour (and to what
accepts), Space, up and down change how many gems of it are offered; a swap has three parts that are changed just so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from bcnet.errors import Refusal
from bcnet.games.edel.actions import Accept, Offer, Swap
from bcnet.games.edel.material import COLOURS, Colour, Gems, add, one, subtract
from bcnet.games.edel.state import Phase
from bcnet.games.edel.trade import is_higher
from bcnet.games.interface import Action
from bcnet_client.console.edel import input as reading
from bcnet_client.console.edel import view, words
from bcnet_client.console.edel.input import Asked, asked_of
from bcnet_client.console.edel.picked import ACCEPT, FROM, GIVE, TAKE, Choosing, Offering, Swapping
from bcnet_client.console.face import Frame, Key, Picked, Picking
from bcnet_client.console.scene import Scene
from bcnet_client.console.words import say

_T = TypeVar("_T")
_ASIDE = {Key.RIGHT: 1, Key.NEXT: 1, Key.LEFT: -1, Key.PREVIOUS: -1}
_ONWARD = {**_ASIDE, Key.DOWN: 1, Key.UP: -1}
"""In a list, one on or one back."""


class EdelPicking(Picking):
    """See `Picking`."""

    def typed(self, text: str, scene: Scene) -> Picked | None:
        asked = asked_of(scene)
        if asked is None:
            return None
        try:
            action = reading.read(text, scene)
        except Refusal:
            gems = reading.offer_of(text, asked) if asked.phase is Phase.TRADE else None
            return None if gems is None else Offering(_last(gems), gems)
        return None if action is None else self.standing_for(action, scene)

    def standing_for(self, action: Action, scene: Scene) -> Picked | None:
        asked = asked_of(scene)
        if asked is None or action not in asked.answers:
            return None
        match action:
            case Offer(gems):
                return Offering(_last(gems), gems)
            case Accept():
                return Offering(ACCEPT, _lowest(asked))
            case Swap(give, seat, take):
                return Swapping(TAKE, Colour(give), seat, Colour(take))
            case _:
                return Choosing(asked.answers.index(action))

    def press(self, key: Key, picked: Picked | None, scene: Scene, frame: Frame) -> Picked | Action | None:
        del frame  # all of it lies in a list, or in a row
        asked = asked_of(scene)
        if asked is None or key is Key.BACK:
            return None
        match asked.phase:
            case Phase.TRADE:
                return _press_offer(key, picked if isinstance(picked, Offering) else None, asked)
            case Phase.SWAP:
                return _press_swap(key, picked if isinstance(picked, Swapping) else None, asked)
            case _:
                return _press_list(key, picked if isinstance(picked, Choosing) else None, asked)

    def click(self, target: str, picked: Picked | None, scene: Scene) -> Picked | Action | None:
        asked = asked_of(scene)
        if asked is None:
            return None
        kind, _, number = target.partition(":")
        match kind:
            case view.ANSWER if asked.phase not in {Phase.TRADE, Phase.SWAP}:
                return asked.answers[int(number)]
            case view.GEM if asked.phase is Phase.TRADE:
                gems = picked.gems if isinstance(picked, Offering) else _lowest(asked)
                return _one_more(Offering(int(number), gems), asked)
            case view.OFFER if isinstance(picked, Offering) and asked.phase is Phase.TRADE:
                return _offered(picked, asked)
            case view.ACCEPT if asked.can_accept:
                return Accept()
            case view.PART if asked.phase is Phase.SWAP:
                swapping = picked if isinstance(picked, Swapping) else _first_swap(asked)
                return _changed(replace(swapping, at=int(number)), 1, asked)
            case view.SWAP if isinstance(picked, Swapping) and asked.phase is Phase.SWAP:
                return Swap(picked.give, picked.seat, picked.take)
            case _:
                return None

    def keys(self, picked: Picked | None, scene: Scene) -> str:
        del picked  # the keys do the same before
        asked = asked_of(scene)
        if asked is None:
            return ""
        match asked.phase:
            case Phase.TRADE:
                return say(words.KEYS_OFFER)
            case Phase.SWAP:
                return say(words.KEYS_SWAP)
            case _:
                return say(words.KEYS_LIST)


# --- lists ---


def _press_list(key: Key, picked: Choosing | None, asked: Asked) -> Choosing | Action | None:
    count = len(asked.answers)
    if key is Key.CHOOSE:
        return None if picked is None else asked.answers[picked.at]
    if key is Key.MARK:
        return picked
    step = _ONWARD[key]
    if picked is None:
        return Choosing(0 if step > 0 else count - 1)
    return Choosing((picked.at + step) % count)


# --- offers ---


def _lowest(asked: Asked) -> Gems:
    offer = asked.offers[0]
    assert isinstance(offer, Offer)
    return offer.gems


def _last(gems: Gems) -> int:
    return max(colour for colour in COLOURS if gems[colour])


def _press_offer(key: Key, picked: Offering | None, asked: Asked) -> Offering | Action | None:
    if picked is None:
        if key is Key.CHOOSE:
            return None
        is_back = key in {Key.LEFT, Key.PREVIOUS} and asked.can_accept
        return Offering(ACCEPT if is_back else COLOURS[0], _lowest(asked))
    if key in _ASIDE:
        places = len(COLOURS) + asked.can_accept
        return replace(picked, at=(picked.at + _ASIDE[key]) % places)
    if key is Key.CHOOSE:
        return Accept() if picked.at == ACCEPT else _offered(picked, asked)
    if picked.at == ACCEPT:
        return picked
    colour = COLOURS[picked.at]
    if key is Key.MARK:
        return _one_more(picked, asked)
    if key is Key.UP and picked.gems[colour] < asked.gems[colour]:
        return replace(picked, gems=add(picked.gems, one(colour)))
    if key is Key.DOWN and picked.gems[colour]:
        return replace(picked, gems=subtract(picked.gems, one(colour)))
    return picked


def _offered(picked: Offering, asked: Asked) -> Offering | Offer:
    """The offer, if it is high enough; what is picked stays if not, and the call says why."""
    return Offer(picked.gems) if is_higher(picked.gems, asked.standing) else picked


def _one_more(picked: Offering, asked: Asked) -> Offering:
    """One more gem of the colour; after all there are, none."""
    colour = COLOURS[picked.at]
    count = (picked.gems[colour] + 1) % (asked.gems[colour] + 1)
    return replace(
        picked, gems=add(subtract(picked.gems, one(colour, picked.gems[colour])), one(colour, count))
    )


# --- swaps ---


def _first_swap(asked: Asked) -> Swapping:
    swap = asked.first_swap
    return Swapping(GIVE, Colour(swap.give), swap.seat, Colour(swap.take))


def _press_swap(key: Key, picked: Swapping | None, asked: Asked) -> Swapping | Swap | None:
    if picked is None:
        return None if key is Key.CHOOSE else _first_swap(asked)
    match key:
        case Key.CHOOSE:
            return Swap(picked.give, picked.seat, picked.take)
        case Key.LEFT | Key.RIGHT | Key.NEXT | Key.PREVIOUS:
            return replace(picked, at=(picked.at + _ASIDE[key]) % (TAKE + 1))
        case _:
            return _changed(picked, -1 if key is Key.DOWN else 1, asked)


def _changed(picked: Swapping, step: int, asked: Asked) -> Swapping:
    """The same with another value where the player is; what cannot be taken from another player gives way."""
    swaps = [action for action in asked.answers if isinstance(action, Swap)]
    if picked.at == GIVE:
        return replace(picked, give=_next(sorted({Colour(swap.give) for swap in swaps}), picked.give, step))
    theirs = {
        seat: sorted({Colour(s.take) for s in swaps if s.seat == seat}) for seat in {s.seat for s in swaps}
    }
    if picked.at == FROM:
        seat = _next(sorted(theirs), picked.seat, step)
        take = picked.take if picked.take in theirs[seat] else theirs[seat][0]
        return replace(picked, seat=seat, take=take)
    return replace(picked, take=_next(theirs[picked.seat], picked.take, step))


def _next(values: Sequence[_T], value: _T, step: int) -> _T:
    return values[(values.index(value) + step) % len(values)]
