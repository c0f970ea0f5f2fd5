"""The table of Balloon Cup, drawn: pure functions from a scene to lines.

Every card, cube and trophy has its letter as well as its colour (R Y G B, E for grey). A side of a tile takes one card
for each cube, so both sides are drawn in columns, one for each cube:

    ╭ 2 mountain ──╮        the other's side: the red 13, and room for a green card
    │ R13 G··  =13 │        the sum of that side
    │  R   G       │        the cubes
    │ R4  G··   =4 │        the own side
    ╰ ▲ high wins ─╯

There are two layouts: this one from 80 columns and 24 rows up, and one with a tile in a row for less.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bcnet.games.balloon_cup.events import CardPlayed
from bcnet.games.balloon_cup.material import (
    COLOUR_OF,
    COLOURS,
    TROPHY_PRICE,
    VALUE_OF,
    Colour,
    Terrain,
)
from bcnet.games.balloon_cup.state import BalloonCupState
from bcnet.games.balloon_cup.tiles import Tile
from bcnet.games.interface import Card, Decide, Hand, Seat
from bcnet_client.console.balloon_cup import words
from bcnet_client.console.face import THEN_HIDDEN, Frame
from bcnet_client.console.scene import Scene
from bcnet_client.console.text import Line, Part, cut, fit, line, pad, spread, width
from bcnet_client.console.words import say

WIDE = 79
"""Columns that the four tiles take side by side."""
TALL = 24
_CARD = 3
"""Columns of a card: a letter and two digits."""
_NAME = 12


@dataclass(frozen=True, slots=True)
class Focus:
    """What is being typed: a card, perhaps with a tile and a side; the places where it fits light up."""

    card: Card
    tile: int | None = None
    side: Seat | None = None

    def lights(self, tile: Tile, side: Seat, colour: Colour) -> bool:
        """Whether the open places of a colour on a side are meant."""
        return (
            COLOUR_OF[self.card] is colour and self.tile in {None, tile.number} and self.side in {None, side}
        )


@dataclass(frozen=True, slots=True)
class _Table:
    """What the parts of the drawing share."""

    scene: Scene
    state: BalloonCupState
    focus: Focus | None
    last: CardPlayed | None
    columns: int

    @property
    def own(self) -> Seat:
        return self.scene.seat

    @property
    def other(self) -> Seat:
        return 1 - self.scene.seat


def board(scene: Scene, frame: Frame, focus: Focus | None) -> list[Line]:
    """The whole table, without what has happened and without the prompt."""
    state = scene.state
    assert isinstance(state, BalloonCupState)
    table = _Table(scene, state, focus, last_card(scene), frame.columns)
    roomy = frame.columns >= WIDE + 1 and frame.rows >= TALL
    lines = [_title(table)]
    if roomy:
        lines.append(())
    lines.append(_seat_line(table, table.other))
    lines += _tiles_side_by_side(table) if roomy else _tiles_in_rows(table)
    lines.append(_seat_line(table, table.own))
    if roomy:
        lines.append(_next_cards(table))
    return [*lines, *_trophies(table)]


def last_card(scene: Scene) -> CardPlayed | None:
    """The last card that was laid."""
    played = (told.event for told in reversed(scene.story) if isinstance(told.event, CardPlayed))
    return next(played, None)


# --- single things ---


def card(face: Card, style: str = "") -> Part:
    """A card in three columns."""
    colour = COLOUR_OF[face]
    return (f"class:{colour.word} {style}".rstrip(), f"{colour.letter.upper()}{VALUE_OF[face]:<2}")


def cube(colour: Colour) -> Part:
    """A cube in three columns."""
    return (f"class:{colour.word}", f" {colour.letter.upper()} ")


def _place(colour: Colour, *, lit: bool) -> tuple[Part, ...]:
    """An open place in three columns."""
    if lit:
        return ((f"class:{colour.word}", colour.letter.upper()), ("class:lit", "◂▸"))
    return ((f"class:{colour.word}", colour.letter.upper()), ("class:dim", "··"))


def cards(faces: Sequence[Card], gap: str = " ") -> Line:
    """Cards, the colours set apart from one another."""
    parts: list[Part] = []
    for index, face in enumerate(faces):
        if index:
            same = COLOUR_OF[face] is COLOUR_OF[faces[index - 1]]
            parts.append(("", gap if same else gap + " "))
        parts.append(card(face))
    return tuple(parts)


def _title(table: _Table) -> Line:
    state = table.state
    left = f" Balloon Cup  {' – '.join(cut(name, 16) for name in _in_order(table))}"
    counts = (
        say(words.PILE, count=state.pile_size),
        say(words.DISCARDS, count=len(state.discards)),
        say(words.BAG, count=sum(state.bag)),
    )
    return spread(
        line(("class:title", left)),
        line(("class:title", f"  {' · '.join(counts)} ")),
        table.columns,
        "class:title",
    )


def _in_order(table: _Table) -> tuple[str, str]:
    names = table.scene.names
    return names[table.own], names[table.other]


# --- players ---


def _seat_line(table: _Table, seat: Seat) -> Line:
    """Whose seat it is, whether it is on turn, and its hand."""
    on_turn = table.state.need == Decide(seat)
    marker = ("class:turn", "▶ ") if on_turn else ("", "  ")
    name = pad(_called(table, seat), _NAME)
    hand = table.state.hand(seat)
    own = seat == table.own
    parts: list[Part] = [marker, ("class:turn" if on_turn else "class:name", name), ("", "  ")]
    if table.scene.open_hands:
        return fit((*parts, *_open_hand(hand)), table.columns)
    if own:
        return fit((*parts, *cards(hand.known)), table.columns)
    if hand.shown:
        parts += [("", say(words.SHOWN, count=hand.size)), ("", " ")]
        return fit((*parts, *cards(hand.shown)), table.columns)
    return fit((*parts, ("", say(words.HAND_SIZE, count=hand.size))), table.columns)


def _open_hand(hand: Hand) -> Line:
    """All cards that are known by now; those that only their player knew then carry a mark."""
    parts: list[Part] = []
    for face in hand.known:
        parts += [
            card(face),
            ("class:secret", THEN_HIDDEN) if face not in hand.shown else ("", " "),
            ("", " "),
        ]
    if hidden := hand.size - len(hand.known):
        parts.append(
            ("class:dim", say(words.HAND_SIZE if not hand.known else words.MORE_CARDS, count=hidden))
        )
    return tuple(parts)


def _next_cards(table: _Table) -> Line:
    """The next cards of the pile, where a finished game is looked at and they are known."""
    order = table.state.pile_order
    if not table.scene.open_hands or not order:
        return ()
    parts: list[Part] = [("class:dim", pad(f"  {words.PILE_NEXT}", _NAME + 4))]
    for face in order[: words.NEXT_CARDS]:
        parts += [card(face), ("class:secret", THEN_HIDDEN), ("", " ")]
    return fit(tuple(parts), table.columns)


def _called(table: _Table, seat: Seat) -> str:
    is_you = seat == table.own and not table.scene.open_hands
    return words.YOU if is_you else table.scene.names[seat]


# --- tiles ---


def _slots(table: _Table, tile: Tile, side: Seat) -> list[tuple[Part, ...]]:
    """What lies on one side, a slot of three columns for each cube of the tile."""
    laid = tile.cards(side)
    room = tile.open(side)
    slots: list[tuple[Part, ...]] = []
    for colour in COLOURS:
        for face in laid:
            if COLOUR_OF[face] is colour:
                last = table.last is not None and (table.last.card, table.last.tile) == (face, tile.number)
                slots.append((card(face, "class:last" if last else ""),))
        lit = table.focus is not None and table.focus.lights(tile, side, colour)
        slots += [_place(colour, lit=lit)] * room[colour]
    return slots


def _cubes(tile: Tile) -> list[tuple[Part, ...]]:
    return [(cube(colour),) for colour in COLOURS for _ in range(tile.cubes[colour])]


def _row(slots: Sequence[tuple[Part, ...]]) -> Line:
    parts: list[Part] = []
    for index, slot in enumerate(slots):
        if index:
            parts.append(("", " "))
        parts += slot
    return tuple(parts)


def _rule(table: _Table, tile: Tile) -> str:
    if tile.number in table.state.blocked:
        return words.BLOCKED
    return f"▼ {words.LOW_WINS}" if tile.terrain is Terrain.PLAINS else f"▲ {words.HIGH_WINS}"


def _box(table: _Table, tile: Tile) -> list[Line]:
    """A tile as five lines."""
    inside = max(14, 4 * tile.number + 6)
    terrain = f"class:{tile.terrain.value}"
    rows: list[Line]
    head: Line
    foot: Line
    if not tile.in_play:
        rows = [(), line(("class:dim", words.GONE[: inside - 2])), ()]
        head, foot = (("class:dim", f"{tile.number}"),), ()
    else:
        rows = [
            _with_sum(_row(_slots(table, tile, table.other)), tile.total(table.other), inside - 2),
            _row(_cubes(tile)),
            _with_sum(_row(_slots(table, tile, table.own)), tile.total(table.own), inside - 2),
        ]
        head = (("class:number", f"{tile.number}"), (terrain, f" {words.TERRAIN[tile.terrain]}"))
        foot = ((terrain, _rule(table, tile)),)
    edge = ("class:edge", "│")
    return [
        _edge("╭", head, "╮", inside),
        *(line(edge, " ", *fit(row, inside - 2), " ", edge) for row in rows),
        _edge("╰", foot, "╯", inside),
    ]


def _with_sum(slots: Line, total: int, columns: int) -> Line:
    return spread(slots, line(("class:sum", f" ={total}")), columns)


def _edge(left: str, label: Line, right: str, inside: int) -> Line:
    if not label:
        return line(("class:edge", left + "─" * inside + right))
    rest = "─" * (inside - 2 - width(label))
    return line(("class:edge", left + " "), *label, ("class:edge", f" {rest}{right}"))


def _tiles_side_by_side(table: _Table) -> list[Line]:
    boxes = [_box(table, tile) for tile in table.state.tiles]
    lines = []
    for row in zip(*boxes, strict=True):
        parts: list[Part] = []
        for index, box_line in enumerate(row):
            if index:
                parts.append(("", " "))
            parts += box_line
        lines.append(tuple(parts))
    return lines


def _tiles_in_rows(table: _Table) -> list[Line]:
    names = table.scene.names
    theirs = pad(say(words.SIDE_OF, name=cut(names[table.other], 10)), 19)
    is_open = table.scene.open_hands
    own = say(words.SIDE_OF, name=cut(names[table.own], 10)) if is_open else words.YOUR_SIDE
    head = line(("class:dim", f"  {pad(words.HEAD_TILE, 15)}{theirs} │ {own}"))
    return [head, *(_tile_in_row(table, tile) for tile in table.state.tiles)]


def _tile_in_row(table: _Table, tile: Tile) -> Line:
    if not tile.in_play:
        return line(("class:number", f"{tile.number} "), ("class:dim", words.GONE))
    high = tile.terrain is Terrain.MOUNTAIN
    label = f" {words.TERRAIN[tile.terrain]} {words.HIGH if high else words.LOW}"
    if tile.number in table.state.blocked:
        label = f" {words.BLOCKED}"
    parts: list[Part] = [("class:number", f"{tile.number}"), (f"class:{tile.terrain.value}", pad(label, 16))]
    for side in (table.other, table.own):
        if side == table.own:
            parts.append(("class:edge", " │ "))
        parts += fit(_row(_slots(table, tile, side)), 4 * _CARD + 3)
        parts.append(("class:sum", f"{f'={tile.total(side)}':>4}"))
    return tuple(parts)


# --- trophies ---


def _trophies(table: _Table) -> list[Line]:
    """Cubes won against what each trophy needs, and who owns which."""
    cell = 9 if table.columns >= WIDE else 7
    head: list[Part] = [("class:dim", pad(f"  {words.TROPHY_COSTS}", _NAME + 4))]
    for colour in COLOURS:
        name = f"{colour.letter.upper()} {colour.word}" if cell > 8 else f" {colour.letter.upper()} "
        head += [(f"class:{colour.word}", name), ("", " " * (cell - width(name)))]
    head.append(("class:dim", words.TROPHIES))
    return [tuple(head), *(_trophy_row(table, seat, cell) for seat in (table.other, table.own))]


def _trophy_row(table: _Table, seat: Seat, cell: int) -> Line:
    state = table.state
    parts: list[Part] = [("class:name", pad(f"  {_called(table, seat)}", _NAME + 2)), ("", "  ")]
    for colour in COLOURS:
        count, owner, price = state.won[seat][colour], state.owners[colour], TROPHY_PRICE[colour]
        if owner == seat:
            text = f"★ +{count}" if count else "★"
            parts.append(("class:trophy", text))
        elif owner is not None:
            text = f"{count}"
            parts.append(("class:dim", text))
        else:
            text = f"{count}/{price}"
            parts.append(("class:count" if count else "", text))
        parts.append(("", " " * (cell - width(text))))
    parts.append(("class:count", say(words.OF_THREE, count=len(state.trophies(seat)))))
    return fit(tuple(parts), table.columns)
