"""What a player types at a table of Stones: read forgivingly, refused with the reason and a way on.

    lay red 2 -1 · red 2 -1 · r 2 -1 · r2,-1 · 2 -1 red · 7 (a number of the list of moves)
    object · agree · pass              with penalties

Pure: a scene and a line give an action.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from bcnet.errors import IllegalStep, Refusal
from bcnet.games.interface import Action, Seat
from bcnet.games.stones import notation
from bcnet.games.stones.actions import Agree, Lay, Object, Pass
from bcnet.games.stones.field import Place
from bcnet.games.stones.material import COLOURS, Colour
from bcnet.games.stones.state import Phase, StonesState
from bcnet.language import told
from bcnet_client.console.face import Candidate
from bcnet_client.console.scene import Scene
from bcnet_client.console.stones import words
from bcnet_client.console.text import joined
from bcnet_client.console.words import say

LAY_WORDS = ("lay", "l", "play", "lege", "leg", "speel", "spiel")
PASS_WORDS = ("pass", "passe", "aussetzen", "pas", "overslaan")
OBJECT_WORDS = ("object", "objection", "o", "einspruch", "bezwaar")
AGREE_WORDS = ("agree", "a", "einverstanden", "akkoord")
_FILLERS = frozenset({"at", "on", "stone", "the", "my", "in", "column", "row", "to"})
_COLOUR_WORDS = (
    {colour.word: colour for colour in COLOURS}
    | {colour.letter: colour for colour in COLOURS}
    | dict(zip(("rot", "schwarz", "grau", "weiss"), COLOURS, strict=True))  # as ``casefold`` has it
    | dict(zip(("rood", "zwart", "grijs", "wit"), COLOURS, strict=True))
    | {"gray": Colour.GREY}
)
_TOKEN = re.compile(r"-?\d+|[^\W\d_]+")
_FITTING = 4
"""So many places are named where a stone fits."""
_DIGITS = 4


@dataclass(frozen=True)
class Asked:
    """What the own player has to decide, and what there is to choose from."""

    state: StonesState
    own: Seat
    names: tuple[str, ...]

    @cached_property
    def legal(self) -> tuple[Action, ...]:
        """All decisions, in the order of the list of moves."""
        return self.state.legal_actions(self.own)

    @cached_property
    def lays(self) -> tuple[Lay, ...]:
        """Where stones can be laid, in the order of the list of moves."""
        return tuple(action for action in self.legal if isinstance(action, Lay))

    @property
    def is_answering(self) -> bool:
        """Whether it is asked if the last stone may lie."""
        return self.state.phase is Phase.OBJECTIONS

    @property
    def may_pass(self) -> bool:
        """Whether to pass is a choice."""
        return Pass() in self.legal

    @property
    def supply(self) -> tuple[int, ...]:
        """How many stones of each colour are left."""
        return self.state.supply(self.own)

    @property
    def colours(self) -> list[Colour]:
        """The colours of which a stone could be laid, if it fits."""
        again = self.state.again
        return [colour for colour in COLOURS if self.supply[colour] and again in (None, colour)]

    def places(self, colour: Colour) -> list[Place]:
        """Where a colour can be laid, the place that brings most first, among equals from the top left; those that are
        against the rules come last.
        """
        found = [(lay.column, lay.row) for lay in self.lays if lay.colour is colour]

        def order(place: Place) -> tuple[bool, int, int, int]:
            column, row = place
            return (self.broken(colour, place) is not None, -self.points(colour, place), -row, column)

        return sorted(found, key=order)

    def points(self, colour: Colour, place: Place) -> int:
        """What a stone would bring there."""
        return self.state.worth(self.own, Lay(colour, *place))

    def broken(self, colour: Colour, place: Place) -> IllegalStep | None:
        """The laying rule that a stone there would break."""
        return self.state.field.broken_rule(colour, place)

    def brings(self, colour: Colour, place: Place) -> str:
        """The same as it is shown: ``+12``; against the rules ``12!``."""
        points = self.points(colour, place)
        return f"{points}!" if self.broken(colour, place) else f"+{points}"

    @property
    def example(self) -> str:
        """One of the stones as it is typed."""
        return write(self.lays[0]) if self.lays else "red 2 -1"


def asked_of(scene: Scene) -> Asked | None:
    """What the own player has to decide now; None if nothing."""
    state = scene.state
    if not scene.asked or not isinstance(state, StonesState):
        return None
    return Asked(state, scene.seat, scene.names)


def write(action: Action) -> str:
    """A decision as it is typed: ``red 2 -1``."""
    return notation.write(action).removeprefix("lay ")


# --- reading ---


def tokens(text: str) -> list[str]:
    """The words and numbers of a line, in small letters."""
    return [token for token in _TOKEN.findall(text.casefold()) if token not in _FILLERS]


def read(text: str, scene: Scene) -> Action | None:
    """The action of a typed line; None if it is no attempt at one. Raises `Refusal` if it cannot be done."""
    asked = asked_of(scene)
    found = tokens(text)
    if asked is None or not found or not is_attempt(text):
        return None
    if found[0] in OBJECT_WORDS or found[0] in AGREE_WORDS:
        return _read_answer(found[0], asked)
    if len(found) == 1 and found[0].isdecimal():
        return asked.legal[_index(found[0], len(asked.legal))]
    if asked.is_answering:
        raise Refusal(words.ANSWER_FIRST)
    if found[0] in PASS_WORDS:
        return _read_pass(asked)
    return _read_lay(found[1:] if found[0] in LAY_WORDS else found, asked)


def is_attempt(text: str) -> bool:
    """Whether a line looks like a decision, whoever's turn it is."""
    return any(_looks_like_decision(token) for token in tokens(text)[:1])


def _looks_like_decision(token: str) -> bool:
    known = (*LAY_WORDS, *PASS_WORDS, *OBJECT_WORDS, *AGREE_WORDS)
    return token in known or token in _COLOUR_WORDS or _is_number(token)


def _is_number(token: str) -> bool:
    return token.removeprefix("-").isdecimal()


def _index(number: str, count: int) -> int:
    if len(number) > _DIGITS or not 1 <= int(number) <= count:
        raise Refusal(words.NO_NUMBER, hint=words.NO_NUMBER_HINT, number=number, count=count)
    return int(number) - 1


def _read_answer(word: str, asked: Asked) -> Action:
    if asked.is_answering:
        return Object() if word in OBJECT_WORDS else Agree()
    template = words.NOTHING_TO_ANSWER if asked.state.penalties else words.NO_PENALTIES
    raise Refusal(template, hint=words.MUST_LAY_HINT, example=asked.example)


def _read_pass(asked: Asked) -> Pass:
    if not asked.may_pass:
        raise Refusal(words.MUST_LAY, hint=words.MUST_LAY_HINT, example=asked.example)
    return Pass()


def _read_lay(found: Sequence[str], asked: Asked) -> Lay:
    numbers = [token for token in found if _is_number(token)]
    others = [token for token in found if not _is_number(token)]
    if len(found) == 1 and found[0].isdecimal():
        action = asked.legal[_index(found[0], len(asked.legal))]
        if isinstance(action, Lay):
            return action
    if not others:
        raise Refusal(words.WHICH_COLOUR, hint=words.EXAMPLE, example=asked.example)
    colour = _COLOUR_WORDS.get(others[0])
    if colour is None:
        raise Refusal(words.NO_COLOUR, hint=words.EXAMPLE, text=others[0], example=asked.example)
    _check_colour(colour, asked)
    if len(others) > 1 or len(numbers) > 2 or (len(numbers) == 1 and len(found) > 1):
        text = " ".join(found)
        raise Refusal(words.NO_PLACE, hint=words.PLACE_HINT, text=text, example=asked.example)
    if not numbers:
        return _only_place(colour, asked)
    column, row = numbers
    if max(len(column), len(row)) > _DIGITS:
        raise Refusal(words.NO_PLACE, hint=words.PLACE_HINT, text=f"{column} {row}", example=asked.example)
    lay = Lay(colour, int(column), int(row))
    if lay not in asked.lays:
        raise _no_place(colour, (lay.column, lay.row), asked)
    return lay


def _check_colour(colour: Colour, asked: Asked) -> None:
    if not asked.supply[colour]:
        stones = words.stones_in_words(asked.supply)
        raise Refusal(words.NONE_LEFT, hint=words.YOU_HAVE, colour=colour.word, stones=stones)
    if asked.state.again not in (None, colour):
        assert asked.state.again is not None
        raise Refusal(words.LAY_AGAIN, colour=asked.state.again.word)


def _only_place(colour: Colour, asked: Asked) -> Lay:
    places = asked.places(colour)
    if len(places) == 1:
        return Lay(colour, *places[0])
    if not places:
        raise _fits_nowhere(colour, asked)
    raise Refusal(
        words.WHERE, hint=words.FITS_AT, stone=colour.word, places=places_in_words(colour, places, asked)
    )


def _no_place(colour: Colour, place: Place, asked: Asked) -> Refusal:
    """Why a stone cannot be laid there, and where it can."""
    field = asked.state.field
    places = asked.places(colour)
    error: IllegalStep | None = None
    try:
        field.check_place(place)
        error = field.broken_rule(colour, place)
    except IllegalStep as caught:
        error = caught
    assert error is not None
    if not places:
        return _fits_nowhere(colour, asked)
    return Refusal(
        error.template,
        hint=words.FITS_AT,
        **error.values,
        stone=colour.word,
        places=places_in_words(colour, places, asked),
    )


def _fits_nowhere(colour: Colour, asked: Asked) -> Refusal:
    others = [told(each.word) for each in asked.colours if asked.places(each)]
    return Refusal(
        words.FITS_NOWHERE, hint=words.TRY_OTHERS, stone=colour.word, stones=joined(others, say(words.AND))
    )


def places_in_words(colour: Colour, places: Sequence[Place], asked: Asked) -> str:
    """The best of the places, with the points of each: ``2 -1 (+12), 0 1 (+8) and 3 more``."""
    named = [f"{words.place_in_words(place)} (+{asked.points(colour, place)})" for place in places[:_FITTING]]
    more = len(places) - _FITTING
    if more > 0:
        return say(words.AND_MORE, places=", ".join(named), count=more)
    return joined(named, say(words.AND))


# --- while it is being typed ---


def colour_of(text: str, asked: Asked) -> Colour | None:
    """The colour of the own stones that a line names; None as long as it names none."""
    named = [_COLOUR_WORDS[token] for token in tokens(text) if token in _COLOUR_WORDS]
    return named[0] if named and named[0] in asked.colours else None


def complete(text: str, scene: Scene) -> list[Candidate]:
    """What could stand next in a decision."""
    asked = asked_of(scene)
    if asked is None:
        return []
    if asked.is_answering:
        return _fitting(text, [("object", ""), ("agree", "")])
    first, space, rest = text.partition(" ")
    if space and first.casefold() in LAY_WORDS:
        first, space, rest = rest.partition(" ")
    if not space:
        return _fitting(first, [*_colour_words(asked)])
    colour = _COLOUR_WORDS.get(first.casefold())
    if colour is None or colour not in asked.colours:
        return []
    places = asked.places(colour)
    return _fitting(
        rest,
        [(words.place_in_words(place), asked.brings(colour, place)) for place in places],
    )


def _fitting(start: str, candidates: Sequence[tuple[str, str]]) -> list[Candidate]:
    begun = start.casefold()
    return [Candidate(word, len(start), meaning) for word, meaning in candidates if word.startswith(begun)]


def _colour_words(asked: Asked) -> Iterator[tuple[str, str]]:
    for colour in asked.colours:
        if places := asked.places(colour):
            yield str(colour.word), f"{told(colour.word)}, {asked.brings(colour, places[0])}"
    if asked.may_pass:
        yield PASS_WORDS[0], ""
