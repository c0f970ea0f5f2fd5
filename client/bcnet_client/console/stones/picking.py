# ruff: noqa: D102 (the base class says it)
"""How a player picks at a table of Stones: a colour and then a place, or an answer about the last stone.

Left and right go through the colours; Up, Tab and Enter lead to the place where the colour brings most. The arrows go
to the next place in their direction, Tab to the next best, Space takes another colour that may lie there, and Enter
chooses. What the line that is being typed names is picked just so.
"""

from __future__ import annotations

from collections.abc import Sequence

from bcnet.errors import Refusal
from bcnet.games.interface import Action
from bcnet.games.stones.actions import Agree, Lay, Object, Pass
from bcnet.games.stones.field import Place
from bcnet.games.stones.material import COLOURS, Colour
from bcnet_client.console.face import Frame, Key, Picked, Picking
from bcnet_client.console.scene import Scene
from bcnet_client.console.stones import input as reading
from bcnet_client.console.stones import view, words
from bcnet_client.console.stones.input import Asked, asked_of
from bcnet_client.console.stones.picked import Answering, Laying, Passing
from bcnet_client.console.words import say

_STEPS = {Key.LEFT: (-1, 0), Key.RIGHT: (1, 0), Key.UP: (0, 1), Key.DOWN: (0, -1)}
"""Columns grow to the right, rows upwards."""
_ONWARD = {Key.RIGHT: 1, Key.DOWN: 1, Key.NEXT: 1, Key.LEFT: -1, Key.UP: -1, Key.PREVIOUS: -1}
"""In a list, one on or one back."""


class StonesPicking(Picking):
    """See `Picking`."""

    def typed(self, text: str, scene: Scene) -> Picked | None:
        asked = asked_of(scene)
        if asked is None:
            return None
        try:
            action = reading.read(text, scene)
        except Refusal:
            colour = None if asked.is_answering else reading.colour_of(text, asked)
            return None if colour is None else Laying(colour)
        return None if action is None else self.standing_for(action, scene)

    def standing_for(self, action: Action, scene: Scene) -> Picked | None:
        asked = asked_of(scene)
        match action:
            case Lay(colour, column, row):
                return Laying(colour, (column, row))
            case Pass():
                return Passing()
            case Object() | Agree() if asked is not None:
                return Answering(asked.legal.index(action))
            case _:
                return None

    def press(
        self,
        key: Key,
        picked: Picked | None,
        scene: Scene,
        frame: Frame,  # noqa: ARG002 (places lie the same way in every layout)
    ) -> Picked | Action | None:
        asked = asked_of(scene)
        if asked is None:
            return None
        if asked.is_answering:
            return _press_answers(key, picked if isinstance(picked, Answering) else None, asked)
        match picked:
            case Laying(colour, place) if place is not None:
                return _press_places(key, colour, place, asked)
            case Laying() | Passing():
                return _press_supply(key, picked, asked)
            case _:
                return _first(key, asked)

    def click(self, target: str, picked: Picked | None, scene: Scene) -> Picked | Action | None:
        asked = asked_of(scene)
        if asked is None:
            return None
        kind, *numbers = target.split(":")
        match kind, [int(number) for number in numbers]:
            case view.COLOUR, [number] if COLOURS[number] in asked.colours and not asked.is_answering:
                return Laying(COLOURS[number])
            case view.PLACE, [column, row] if isinstance(picked, Laying):
                lay = Lay(picked.colour, column, row)
                return lay if lay in asked.lays else None
            case view.PASSING, [] if asked.may_pass:
                return Pass()
            case view.ANSWER, [at] if asked.is_answering:
                return asked.legal[at]
            case _:
                return None

    def keys(self, picked: Picked | None, scene: Scene) -> str:
        asked = asked_of(scene)
        if asked is None:
            return ""
        if asked.is_answering:
            return say(words.KEYS_ANSWER)
        match picked:
            case Laying(_, None):
                return say(words.KEYS_COLOUR)
            case Laying():
                return say(words.KEYS_PLACE)
            case Passing():
                return say(words.KEYS_PASS)
            case _:
                return say(words.KEYS_BEGIN)


# --- a colour and its place ---


def _supply(asked: Asked) -> list[Laying | Passing]:
    """What left and right go through."""
    colours: list[Laying | Passing] = [Laying(colour) for colour in asked.colours]
    return [*colours, *([Passing()] if asked.may_pass else [])]


def _first(key: Key, asked: Asked) -> Laying | Passing | None:
    fitting = [each for each in _supply(asked) if not isinstance(each, Laying) or asked.places(each.colour)]
    if key in {Key.RIGHT, Key.NEXT}:
        return fitting[0]
    return fitting[-1] if key in {Key.LEFT, Key.PREVIOUS} else None


def _press_supply(key: Key, picked: Laying | Passing, asked: Asked) -> Picked | Action | None:
    match key:
        case Key.LEFT | Key.RIGHT:
            supply = _supply(asked)
            return supply[(supply.index(picked) + _ONWARD[key]) % len(supply)]
        case Key.CHOOSE if isinstance(picked, Passing):
            return Pass()
        case Key.UP | Key.DOWN | Key.NEXT | Key.PREVIOUS | Key.CHOOSE:
            if isinstance(picked, Passing):
                return picked
            places = asked.places(picked.colour)
            return Laying(picked.colour, places[0] if places else None)
        case _:
            return None


def _press_places(key: Key, colour: Colour, place: Place, asked: Asked) -> Laying | Lay | None:
    places = asked.places(colour)
    match key:
        case Key.CHOOSE:
            return Lay(colour, *place)
        case Key.BACK:
            return Laying(colour)
        case Key.MARK:
            return Laying(_another(colour, place, asked), place)
        case Key.NEXT | Key.PREVIOUS:
            at = places.index(place) + _ONWARD[key]
            return Laying(colour, places[at % len(places)])
        case _:
            return Laying(colour, _neighbour(key, place, places) or place)


def _another(colour: Colour, place: Place, asked: Asked) -> Colour:
    """The next colour that may lie at a place, or the same if it is the only one."""
    fitting = [each for each in asked.colours if Lay(each, *place) in asked.lays]
    return fitting[(fitting.index(colour) + 1) % len(fitting)]


def _neighbour(key: Key, place: Place, places: Sequence[Place]) -> Place | None:
    """The next place in a direction, rather straight ahead than near; None if there is none."""
    across, up = _STEPS[key]

    def distance(other: Place) -> tuple[int, int]:
        to_right, to_top = other[0] - place[0], other[1] - place[1]
        ahead = to_right * across + to_top * up
        aside = abs(to_right * up) + abs(to_top * across)
        return (ahead, aside)

    def cost(other: Place) -> tuple[int, int]:
        ahead, aside = distance(other)
        return (ahead + 2 * aside, aside)

    onward = [other for other in places if distance(other)[0] > 0]
    return min(onward, key=cost, default=None)


# --- an answer about the last stone ---


def _press_answers(key: Key, picked: Answering | None, asked: Asked) -> Answering | Action | None:
    count = len(asked.legal)
    if key is Key.CHOOSE:
        return None if picked is None else asked.legal[picked.at]
    if key not in _ONWARD:
        return None
    if picked is None:
        return Answering(0 if _ONWARD[key] > 0 else count - 1)
    return Answering((picked.at + _ONWARD[key]) % count)
