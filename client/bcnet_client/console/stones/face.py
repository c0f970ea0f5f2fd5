# ruff: noqa: D102 (the base class says it)
"""The face of Stones: what `bcnet_client.console` shows and reads, put together from words, view and input."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import ClassVar

from bcnet.errors import Refusal
from bcnet.games.happened import RESIGNATION
from bcnet.games.interface import Action, Event, Over, Seat
from bcnet.games.stones import hints
from bcnet.games.stones.actions import Lay, Object, Pass
from bcnet.games.stones.events import StoneLaid, StoneTakenBack
from bcnet.games.stones.field import Place
from bcnet.games.stones.material import COLOURS, PENALTY, POINTS, Colour
from bcnet.games.stones.state import Phase, StonesState
from bcnet.games.stones.text import NOTATION, RULES
from bcnet.language import _, told
from bcnet_client.console import words as general
from bcnet_client.console.face import Candidate, Face, Frame, Picked, Picking
from bcnet_client.console.scene import Scene
from bcnet_client.console.stones import input as reading
from bcnet_client.console.stones import view, words
from bcnet_client.console.stones.input import Asked, asked_of
from bcnet_client.console.stones.picked import Answering, Laying, Passing
from bcnet_client.console.stones.picking import StonesPicking
from bcnet_client.console.text import Line, Part, clickable, joined, line, wrap, wrap_parts
from bcnet_client.console.words import say


class StonesFace(Face):
    """Stones on the console."""

    title: ClassVar[str] = "Stones"
    topics: ClassVar[Mapping[str, str]] = {"rules": RULES, "notation": NOTATION}
    usage: ClassVar[tuple[tuple[str, str], ...]] = words.USAGE
    decisions: ClassVar[tuple[str, ...]] = ("lay", "object", "agree", "pass")
    picking: ClassVar[Picking] = StonesPicking()

    def board(self, scene: Scene, frame: Frame, picked: Picked | None = None) -> list[Line]:
        return view.board(scene, frame, picked)

    def tell(self, event: Event, scene: Scene) -> str:
        return words.tell(event, scene.seat, scene.names)

    def call(self, scene: Scene, picked: Picked | None = None) -> str:
        asked = asked_of(scene)
        if asked is None:
            return ""
        if isinstance(picked, Laying):
            text = _foreseen(picked, asked)
            return text[:1].upper() + text[1:]
        if isinstance(picked, Passing):
            return say(words.CALL_PASS)
        return _called_for(asked)

    def confirm(self, action: Action, scene: Scene) -> str:
        asked = asked_of(scene)
        match action:
            case Lay(colour, column, row) if asked is not None:
                place = (column, row)
                template = words.CONFIRM_AGAINST if asked.broken(colour, place) else words.CONFIRM_LAY
                return say(template, colour=colour.word, place=words.place_in_words(place))
            case Pass():
                return say(words.CONFIRM_PASS)
            case Object():
                return say(words.CONFIRM_OBJECT, name=_last_to_lay(scene))
            case _:
                return ""  # to agree costs nothing and is said after nearly every stone

    def progress(self, scene: Scene) -> str:
        return say(words.CASTING if _state(scene).phase is Phase.FIRST_PLAYER else words.OPENING)

    def prompt(self, scene: Scene) -> str:
        asked = asked_of(scene)
        return say(words.PROMPT_ANSWER if asked is not None and asked.is_answering else general.PROMPT)

    def question(self, scene: Scene, columns: int, picked: Picked | None = None) -> list[Line]:
        asked = asked_of(scene)
        if asked is None or not asked.is_answering:
            return []
        return _answers(asked, scene, columns, picked)

    def moves(self, scene: Scene, columns: int) -> list[Line]:
        asked = asked_of(scene)
        if asked is None:
            return wrap(say(general.NOTHING_TO_LIST), columns)
        if asked.is_answering:
            return self.question(scene, columns)
        return [*_lays(asked, columns), *_passes(asked)]

    def hand(self, scene: Scene) -> list[str]:
        state = _state(scene)
        return [
            say(
                words.HAND_YOURS if _is_you(seat, scene) else words.HAND_OTHER,
                name=scene.names[seat],
                stones=words.stones_in_words(state.supply(seat)),
            )
            for seat in (scene.seat, *scene.others)
        ]

    def score(self, scene: Scene) -> list[str]:
        return [*(_standing(seat, scene) for seat in (scene.seat, *scene.others)), *_field(_state(scene))]

    def summary(self, scene: Scene) -> list[str]:
        return [text for seat in (scene.seat, *scene.others) for text in _how_it_went(seat, scene)]

    def outcome(self, result: Over, scene: Scene) -> str:
        winners = [scene.names[seat] for seat in result.winners if seat != scene.seat]
        if result.reason == RESIGNATION and scene.seat not in result.winners:
            return say(words.YOU_RESIGNED if result.winners else words.ALL_RESIGNED)
        if result.reason == RESIGNATION and len(scene.others) == 1:
            return say(words.OTHER_RESIGNED)
        why = say(words.OUTCOMES.get(result.reason, ""))
        if len(result.winners) > 1:
            shared = words.SHARED[scene.seat not in result.winners]
            return f"{why} {say(shared, names=joined(winners, say(words.AND)))}"
        return why

    def read(self, text: str, scene: Scene) -> Action | None:
        if asked_of(scene) is not None:
            return reading.read(text, scene)
        if not reading.is_attempt(text):
            return None
        names = joined(scene.awaited_others, say(words.AND))
        raise Refusal(general.NOT_YOUR_TURN, hint=general.NOT_YOUR_TURN_HINT, names=names)

    def explain(self, error: Refusal, scene: Scene) -> tuple[str, str]:
        return _filled(error.template, error.values, scene), _filled(error.hint_template, error.values, scene)

    def advice(self, scene: Scene, clock: Callable[[], float]) -> str:
        del clock  # it looks one stone ahead, which takes no time
        found = hints.hint(_state(scene), scene.seat)
        why = told(hints.in_words(found))
        return say(words.ADVICE, action=reading.write(found.action), why=why[:1].upper() + why[1:])

    def complete(self, text: str, scene: Scene) -> list[Candidate]:
        return reading.complete(text, scene)


def _state(scene: Scene) -> StonesState:
    assert isinstance(scene.state, StonesState)
    return scene.state


def _is_you(seat: Seat, scene: Scene) -> bool:
    return seat == scene.seat and not scene.open_hands


def _filled(template: str, values: Mapping[str, object], scene: Scene) -> str:
    """A sentence of the game, which speaks of seats by number, with names put in."""
    shown = {key: told(value) if isinstance(value, str) else value for key, value in values.items()}
    if isinstance(seat := values.get("seat"), int) and seat in range(len(scene.names)):
        shown["seat"] = scene.names[seat]
    text = _(template).replace(_("seat {seat}"), "{seat}").format(**shown)
    if not template.startswith("{text}"):  # what the player typed stays as it is
        text = text[:1].upper() + text[1:]
    return text + ("." if text and text[-1] not in ".!?" else "")


def _last_to_lay(scene: Scene) -> str:
    return scene.names[_state(scene).field.stones[-1].seat]


# --- what is asked, and what would come of it ---


def _called_for(asked: Asked) -> str:
    state = asked.state
    match state.phase:
        case Phase.OBJECTIONS:
            return say(words.CALL_OBJECT, name=asked.names[state.field.stones[-1].seat])
        case Phase.AGAIN if state.again is not None:
            return say(words.CALL_AGAIN, colour=state.again.word)
        case Phase.AGAIN:
            return say(words.CALL_ANOTHER)
        case _:
            template = words.CALL_NOTHING_FITS if asked.may_pass else words.CALL_LAY
            return say(template, example=asked.example)


def _foreseen(picked: Laying, asked: Asked) -> str:
    """What the picked colour would bring where it is to lie; before there is a place, whether there is one."""
    if picked.place is not None:
        return _foreseen_at(picked.colour, picked.place, asked)
    colour = picked.colour.word
    points = [asked.points(picked.colour, place) for place in asked.places(picked.colour)]
    if not points:
        return say(words.CALL_NOWHERE, colour=colour)
    most = words.points_in_words(max(points))
    if len(points) == 1:
        return say(words.CALL_WHERE_ONE, colour=colour, most=most)
    template = words.CALL_WHERE_SAME if min(points) == max(points) else words.CALL_WHERE
    return say(template, colour=colour, places=len(points), least=min(points), most=most)


def _foreseen_at(colour: Colour, place: Place, asked: Asked) -> str:
    field = asked.state.field
    points = asked.points(colour, place)
    neighbours = sorted(lying for _there, lying in field.neighbours(place))
    terms = [say(words.TERM, points=POINTS[colour][lying], colour=lying.word) for lying in neighbours]
    template = words.FORESEEN if len(terms) > 1 else words.FORESEEN_ONE
    if not field.stones:
        template = words.FORESEEN_FIRST
    elif asked.supply[colour] == 1:
        template = words.FORESEEN_DOUBLED
    said = say(
        template,
        colour=colour.word,
        place=words.place_in_words(place),
        sum=" + ".join(terms),
        neighbour=neighbours[0].word if neighbours else "",
        points=words.points_in_words(points),
        total=asked.state.points[asked.own] + points,
    )
    broken = asked.broken(colour, place)
    if broken is None:
        return said
    return f"{said} {say(words.FORESEEN_AGAINST, why=broken.message, penalty=PENALTY)}"


# --- what can be chosen ---


def _lays(asked: Asked, columns: int) -> Iterator[Line]:
    """The places of each colour with their numbers and points."""
    numbers = {lay: number for number, lay in enumerate(asked.legal, 1)}
    for colour in COLOURS:
        places = [
            line(
                ("class:number", f"{numbers[lay]:>3}"),
                f") {words.place_in_words((lay.column, lay.row))} ",
                ("class:dim", f"{asked.brings(colour, (lay.column, lay.row))} "),
            )
            for lay in asked.lays
            if lay.colour is colour
        ]
        if places:
            letters = f" {colour.letter.upper()} "
            yield from wrap_parts([line((f"class:{colour.word}", letters)), *places], columns, indent=3)


def _passes(asked: Asked) -> Iterator[Line]:
    if asked.may_pass:
        yield line(("class:number", f"   {len(asked.legal)}"), f") {say(words.PASS_ITEM)}")


def _answers(asked: Asked, scene: Scene, columns: int, picked: Picked | None) -> list[Line]:
    """The two answers about the last stone, with their numbers."""
    stone = asked.state.field.stones[-1]
    name = scene.names[stone.seat]
    at = picked.at if isinstance(picked, Answering) else -1
    place = words.place_in_words(stone.place)
    title = say(words.ANSWER_TITLE, name=name, colour=stone.colour.word, place=place)
    lines = wrap(title, columns)
    for index, action in enumerate(asked.legal):
        template = words.ANSWER_OBJECT if isinstance(action, Object) else words.ANSWER_AGREE
        text = say(template, name=name, penalty=PENALTY)
        first, *rest = wrap(text, columns - 4)
        mark: Part = ("class:picked", "▶") if index == at else ("", " ")
        parts = (mark, ("class:number", f"{index + 1} "), *first)
        target = f"{view.ANSWER}:{index}"
        lines.append(tuple((clickable(style, target), each) for style, each in parts))
        lines += [line("   ", *each) for each in rest]
    return lines


# --- the table in words ---


def _standing(seat: Seat, scene: Scene) -> str:
    state = _state(scene)
    template = words.SCORE_YOURS if _is_you(seat, scene) else words.SCORE_OTHER
    if seat not in state.present:
        template = words.SCORE_RESIGNED
    return say(
        template,
        name=scene.names[seat],
        points=words.points_in_words(state.points[seat]),
        stones=sum(state.supply(seat)),
    )


def _field(state: StonesState) -> Iterator[str]:
    """What lies, row by row from the top."""
    field = state.field
    if not field.stones:
        yield say(words.FIELD_EMPTY, span=field.span)
        return
    across, upright = field.reach(0), field.reach(1)
    rows = sorted({stone.place[1] for stone in field.stones}, reverse=True)
    yield say(
        words.FIELD,
        left=across.low + across.is_open,
        right=across.high - across.is_open,
        low=rows[-1],
        high=rows[0],
        columns=across.taken,
        rows=upright.taken,
        span=field.span,
    )
    for row in rows:
        stones = sorted((s for s in field.stones if s.place[1] == row), key=lambda stone: stone.place)
        said = [say(words.FIELD_STONE, colour=s.colour.word, column=s.place[0]) for s in stones]
        yield say(words.FIELD_ROW, row=row, stones=", ".join(said))


def _how_it_went(seat: Seat, scene: Scene) -> Iterator[str]:
    """What a seat has laid, its best stone, and what was taken back."""
    is_other = not _is_you(seat, scene)
    laid: list[tuple[StoneLaid, int]] = []
    back: list[StoneTakenBack] = []
    for each in scene.story:
        match each.event:
            case StoneLaid() as event if event.seat == seat:
                laid.append((event, each.move))
            case StoneTakenBack() as event if event.seat == seat:
                laid.pop()
                back.append(event)
            case _:
                pass
    if laid:
        best, move = max(laid, key=lambda found: found[0].points)
        yield say(
            words.SUMMARY[is_other],
            name=scene.names[seat],
            count=len(laid),
            colour=best.colour.word,
            place=words.place_in_words((best.column, best.row)),
            move=move,
            points=words.points_in_words(best.points),
        )
    if back:
        yield say(words.TAKEN_BACK[is_other], name=scene.names[seat], count=len(back), penalty=PENALTY)


FACE = StonesFace()
