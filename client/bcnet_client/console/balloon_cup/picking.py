# ruff: noqa: D102 (the base class says it)
"""How a player picks at a table of Balloon Cup: a card and then a place, cards to exchange, a claim from the list.

Left and right go through the hand; Up, Tab and Enter lead to the places where the card fits, the arrows go to the next
of them in their direction, and Enter chooses. What the line that is being typed names is picked just so.
"""

from __future__ import annotations

from collections.abc import Sequence

from bcnet.errors import Refusal
from bcnet.games.balloon_cup.actions import Claim, Decline, Exchange, Pass, Play
from bcnet.games.balloon_cup.material import MOST_EXCHANGED
from bcnet.games.interface import Action, Card, Seat
from bcnet_client.console.balloon_cup import input as reading
from bcnet_client.console.balloon_cup import view, words
from bcnet_client.console.balloon_cup.input import Asked, asked_of
from bcnet_client.console.balloon_cup.picked import Claiming, Exchanging, Laying, Place
from bcnet_client.console.face import Frame, Key, Picked, Picking
from bcnet_client.console.scene import Scene
from bcnet_client.console.words import say

_STEPS = {Key.LEFT: (-1, 0), Key.RIGHT: (1, 0), Key.UP: (0, -1), Key.DOWN: (0, 1)}
_ONWARD = {Key.RIGHT: 1, Key.DOWN: 1, Key.NEXT: 1, Key.LEFT: -1, Key.UP: -1, Key.PREVIOUS: -1}
"""In a list, one on or one back."""


class BalloonCupPicking(Picking):
    """See `Picking`."""

    def typed(self, text: str, scene: Scene) -> Picked | None:
        asked = asked_of(scene)
        if asked is None:
            return None
        try:
            action = reading.read(text, scene)
        except Refusal:
            card = reading.card_of(text, asked) if asked.plays else None
            return None if card is None else Laying(card)
        return None if action is None else self.standing_for(action, scene)

    def standing_for(self, action: Action, scene: Scene) -> Picked | None:
        asked = asked_of(scene)
        match action:
            case Play(card, tile, side):
                return Laying(card, (tile, side))
            case Exchange(cards) if asked is not None:
                return Exchanging(asked.hand.index(cards[0]) if cards else 0, cards)
            case Claim() | Decline() if asked is not None:
                return Claiming(_answers(asked).index(action))
            case _:
                return None

    def press(self, key: Key, picked: Picked | None, scene: Scene, frame: Frame) -> Picked | Action | None:
        asked = asked_of(scene)
        if asked is None:
            return None
        if asked.is_claiming:
            return _press_claims(key, picked if isinstance(picked, Claiming) else None, asked)
        if asked.exchanges:
            return _press_exchange(key, picked if isinstance(picked, Exchanging) else None, asked)
        if asked.passes:
            return Pass() if key is Key.CHOOSE else None
        laying = picked if isinstance(picked, Laying) else None
        if laying is None:
            return _first_card(key, asked)
        if laying.place is None:
            return _press_hand(key, laying, asked)
        return _press_places(key, laying.card, laying.place, asked, frame)

    def click(self, target: str, picked: Picked | None, scene: Scene) -> Picked | Action | None:
        asked = asked_of(scene)
        if asked is None:
            return None
        kind, *numbers = target.split(":")
        match kind, [int(number) for number in numbers]:
            case view.CARD, [card] if asked.plays:
                return Laying(card)
            case view.CARD, [card] if asked.exchanges:
                marked = picked.marked if isinstance(picked, Exchanging) else ()
                return _toggled(Exchanging(asked.hand.index(card), marked), asked)
            case view.PLACE, [tile, side] if isinstance(picked, Laying):
                play = Play(picked.card, tile, side)
                return play if play in asked.plays else None
            case view.CLAIM, [at] if asked.is_claiming:
                return _answers(asked)[at]
            case _:
                return None

    def keys(self, picked: Picked | None, scene: Scene) -> str:
        asked = asked_of(scene)
        if asked is None:
            return ""
        if asked.is_claiming:
            return say(words.KEYS_CLAIM)
        if asked.exchanges:
            return say(words.KEYS_EXCHANGE)
        if asked.passes:
            return say(words.KEYS_SKIP)
        if not isinstance(picked, Laying):
            return say(words.KEYS_BEGIN)
        return say(words.KEYS_CARD if picked.place is None else words.KEYS_PLACE)


# --- a card and its place ---


def _first_card(key: Key, asked: Asked) -> Laying | None:
    fitting = [card for card in asked.hand if asked.places(card)]
    if key in {Key.RIGHT, Key.NEXT}:
        return Laying(fitting[0])
    return Laying(fitting[-1]) if key in {Key.LEFT, Key.PREVIOUS} else None


def _press_hand(key: Key, laying: Laying, asked: Asked) -> Laying | None:
    hand = asked.hand
    match key:
        case Key.LEFT | Key.RIGHT:
            at = hand.index(laying.card) + _ONWARD[key]
            return Laying(hand[at % len(hand)])
        case Key.UP | Key.NEXT | Key.PREVIOUS | Key.CHOOSE:
            return Laying(laying.card, _best_known(asked.places(laying.card), asked.own))
        case Key.DOWN:
            return laying
        case _:
            return None


def _best_known(places: Sequence[Place], own: Seat) -> Place | None:
    """Where most cards go: the own side, where there is a place on it."""
    return next((place for place in places if place[1] == own), places[0] if places else None)


def _press_places(key: Key, card: Card, place: Place, asked: Asked, frame: Frame) -> Laying | Play | None:
    places = asked.places(card)
    match key:
        case Key.CHOOSE:
            return Play(card, *place)
        case Key.BACK:
            return Laying(card)
        case Key.NEXT | Key.PREVIOUS:
            at = places.index(place) + _ONWARD[key]
            return Laying(card, places[at % len(places)])
        case Key.LEFT | Key.RIGHT | Key.UP | Key.DOWN:
            found = _neighbour(key, place, places, asked.own, frame)
            below = None if key is Key.DOWN else place  # the hand is below the tiles
            return Laying(card, found or below)
        case _:
            return None


def _neighbour(key: Key, place: Place, places: Sequence[Place], own: Seat, frame: Frame) -> Place | None:
    """The next place in a direction; None if there is none."""
    across, down = _STEPS[key]

    def distance(other: Place) -> tuple[int, int]:
        (x, y), (to_x, to_y) = view.where(place, own, frame), view.where(other, own, frame)
        ahead = (to_x - x) * across + (to_y - y) * down
        aside = abs((to_x - x) * down) + abs((to_y - y) * across)
        return (ahead, aside)

    onward = [other for other in places if distance(other)[0] > 0]
    return min(onward, key=distance, default=None)


# --- cards to exchange ---


def _press_exchange(key: Key, picked: Exchanging | None, asked: Asked) -> Exchanging | Exchange | None:
    match key:
        case Key.CHOOSE if picked is not None:
            return Exchange(picked.marked)
        case Key.MARK:
            return _toggled(picked or Exchanging(), asked)
        case Key.LEFT | Key.RIGHT | Key.NEXT | Key.PREVIOUS:
            return Exchanging() if picked is None else _moved(picked, _ONWARD[key], asked)
        case Key.UP | Key.DOWN if picked is not None:
            return picked
        case _:
            return None


def _moved(picked: Exchanging, step: int, asked: Asked) -> Exchanging:
    return Exchanging((picked.at + step) % len(asked.hand), picked.marked)


def _toggled(picked: Exchanging, asked: Asked) -> Exchanging:
    """The same with the card marked or not marked any more; no more are marked than can be exchanged."""
    card = asked.hand[picked.at]
    if card in picked.marked:
        marked = tuple(other for other in picked.marked if other != card)
    elif len(picked.marked) < MOST_EXCHANGED:
        marked = tuple(sorted((*picked.marked, card)))
    else:
        marked = picked.marked
    return Exchanging(picked.at, marked)


# --- claims ---


def _answers(asked: Asked) -> list[Claim | Decline]:
    return [*asked.claims, Decline()]


def _press_claims(key: Key, picked: Claiming | None, asked: Asked) -> Claiming | Claim | Decline | None:
    answers = _answers(asked)
    if key is Key.CHOOSE:
        return None if picked is None else answers[picked.at]
    if key not in _ONWARD:
        return None
    if picked is None:
        return Claiming(0 if _ONWARD[key] > 0 else len(answers) - 1)
    return Claiming((picked.at + _ONWARD[key]) % len(answers))
