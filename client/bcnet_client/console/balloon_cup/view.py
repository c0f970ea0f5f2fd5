"""The table of Balloon Cup, drawn: pure functions from a scene to lines.

Every card, cube and trophy has its letter as well as its colour (R Y G B, E for grey). A side of a tile takes one card
for each cube, so both sides are drawn in columns, one for each cube:

    ╭ 2 mountain ──╮        the other's side: the red 13, and room for a green card
    │ R13 G··  =13◄│        its sum, which would win as it stands
    │  R   G       │        the cubes
    │ R4  G··   =4 │        the own side
    ╰ ▲ high wins ─╯

What is picked stands in brackets; where it could lie, the open places are marked, and the sums are what they would be:

    │ R13[G10] →23◄│
    │  R   G       │
    │ R4  G◂▸   =4 │

There are two layouts: this one from 80 columns and 24 rows up, and one with a tile in a row for less.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

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
from bcnet.language import told
from bcnet_client.console.balloon_cup import words
from bcnet_client.console.balloon_cup.picked import Laying, Place
from bcnet_client.console.face import THEN_HIDDEN, Frame, Picked
from bcnet_client.console.scene import Scene
from bcnet_client.console.text import Line, Part, clickable, cut, fit, line, pad, spread, width
from bcnet_client.console.words import say

WIDE = 79
"""Columns that the four tiles take side by side."""
TALL = 24
_CARD = 3
"""Columns of a card: a letter and two digits."""
_NAME = 12
CARD: Final = "card"
PLACE: Final = "place"
CLAIM: Final = "claim"
"""What can be clicked, followed by numbers: ``card:7``, ``place:2:0``."""


@dataclass(frozen=True, slots=True)
class _Table:
    """What the parts of the drawing share."""

    scene: Scene
    state: BalloonCupState
    picked: Laying | None
    last: CardPlayed | None
    columns: int

    @property
    def own(self) -> Seat:
        return self.scene.seat

    @property
    def other(self) -> Seat:
        return 1 - self.scene.seat

    def picks(self, tile: Tile, side: Seat) -> bool:
        """Whether the picked card is to lie there."""
        return self.picked is not None and self.picked.place == (tile.number, side)

    def foreseen(self, tile: Tile) -> Tile:
        """The tile as it would be with the picked card, if that is to lie next to it."""
        if self.picked is None or self.picked.place is None or self.picked.place[0] != tile.number:
            return tile
        return tile.with_card(self.picked.card, self.picked.place[1])


def is_roomy(frame: Frame) -> bool:
    """Whether the tiles stand side by side, and not each in a row."""
    return frame.columns >= WIDE + 1 and frame.rows >= TALL


def where(place: Place, own: Seat, frame: Frame) -> tuple[int, int]:
    """Where a side of a tile lies among the others: how far to the right, how far down."""
    tile, side = place
    ahead = int(side == own)
    return (tile, ahead) if is_roomy(frame) else (ahead, tile)


def board(scene: Scene, frame: Frame, picked: Picked | None) -> list[Line]:
    """The whole table, without what has happened and without the prompt."""
    state = scene.state
    assert isinstance(state, BalloonCupState)
    laying = picked if isinstance(picked, Laying) else None
    table = _Table(scene, state, laying, last_card(scene), frame.columns)
    roomy = is_roomy(frame)
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


def _place(colour: Colour, lit: str = "") -> tuple[Part, ...]:
    """An open place in three columns; where it is lit, ``lit`` is what a click on it means."""
    letter = colour.letter.upper()
    if lit:
        return ((clickable(f"class:{colour.word}", lit), letter), (clickable("class:lit", lit), "◂▸"))
    return ((f"class:{colour.word}", letter), ("class:dim", "··"))


def cards(faces: Sequence[Card]) -> Line:
    """Cards, the colours set apart from one another."""
    parts: list[Part] = []
    for index, face in enumerate(faces):
        if index:
            parts.append(("", _gap(faces, index)))
        parts.append(card(face))
    return tuple(parts)


def _gap(faces: Sequence[Card], index: int) -> str:
    return " " if COLOUR_OF[faces[index]] is COLOUR_OF[faces[index - 1]] else "  "


def _own_cards(faces: Sequence[Card], picked: Card | None) -> Line:
    """The same for the own hand, after a blank: each card can be clicked, the picked one stands in brackets."""
    parts: list[Part] = []
    for index, face in enumerate(faces):
        gap = _gap(faces, index) if index else " "
        is_picked = face == picked
        if index and faces[index - 1] == picked:
            parts += [("class:picked", "]"), ("", gap[1:])]
        else:
            parts.append(("", gap[:-1] if is_picked else gap))
        if is_picked:
            parts.append(("class:picked", "["))
        colour, text = card(face, "class:picked" if is_picked else "")
        parts.append((clickable(colour, f"{CARD}:{face}"), text))
    if faces and faces[-1] == picked:
        parts.append(("class:picked", "]"))
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
    parts: list[Part] = [marker, ("class:turn" if on_turn else "class:name", name)]
    if own and not table.scene.open_hands:
        picked = table.picked.card if table.picked is not None else None
        return fit((*parts, ("", " "), *_own_cards(hand.known, picked)), table.columns)
    parts.append(("", "  "))
    if table.scene.open_hands:
        return fit((*parts, *_open_hand(hand)), table.columns)
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
    parts: list[Part] = [("class:dim", pad(f"  {say(words.PILE_NEXT)}", _NAME + 4))]
    for face in order[: words.NEXT_CARDS]:
        parts += [card(face), ("class:secret", THEN_HIDDEN), ("", " ")]
    return fit(tuple(parts), table.columns)


def _called(table: _Table, seat: Seat) -> str:
    is_you = seat == table.own and not table.scene.open_hands
    return say(words.YOU) if is_you else table.scene.names[seat]


# --- tiles ---


def _side(table: _Table, tile: Tile, side: Seat) -> Line:
    """What lies on one side: for each cube of the tile a slot of three columns, with a blank on both sides of it. The
    picked card stands in the first of its places, in brackets.
    """
    picked = table.picked
    laid = tile.cards(side)
    room = tile.open(side)
    parts: list[Part] = [("", " ")]
    for colour in COLOURS:
        for face in laid:
            if COLOUR_OF[face] is colour:
                last = table.last is not None and (table.last.card, table.last.tile) == (face, tile.number)
                parts += [card(face, "class:last" if last else ""), ("", " ")]
        is_lit = picked is not None and COLOUR_OF[picked.card] is colour
        open_places = room[colour]
        if picked is not None and is_lit and open_places and table.picks(tile, side):
            parts[-1] = ("class:picked", "[")
            parts += [card(picked.card, "class:picked"), ("class:picked", "]")]
            open_places -= 1
        lit = f"{PLACE}:{tile.number}:{side}" if is_lit else ""
        parts += [*_place(colour, lit), ("", " ")] * open_places
    return tuple(parts)


def _cubes(tile: Tile) -> Line:
    cubes = [cube(colour) for colour in COLOURS for _ in range(tile.cubes[colour])]
    return (("", " "), *(part for each in cubes for part in (each, ("", " "))))


def _sum(table: _Table, tile: Tile, side: Seat) -> Line:
    """The sum of a side, and whether it is the better one, in four columns; with the picked card, if that is to lie
    next to this tile.
    """
    tile = table.foreseen(tile)
    mark = "→" if table.picks(tile, side) else "="
    style = "class:picked" if table.picks(tile, side) else "class:sum"
    ahead = ("class:ahead", "◄") if tile.ahead == side else ("", " ")
    return (("", " " * (2 - len(str(tile.total(side))))), (style, f"{mark}{tile.total(side)}"), ahead)


def _rule(table: _Table, tile: Tile) -> str:
    if tile.number in table.state.blocked:
        return say(words.BLOCKED)
    return f"▼ {say(words.LOW_WINS)}" if tile.terrain is Terrain.PLAINS else f"▲ {say(words.HIGH_WINS)}"


def _box(table: _Table, tile: Tile) -> list[Line]:
    """A tile as five lines."""
    inside = max(14, 4 * tile.number + 6)
    terrain = f"class:{tile.terrain.value}"
    rows: list[Line]
    head: Line
    foot: Line
    if not tile.in_play:
        rows = [(), line(" ", ("class:dim", say(words.GONE)[: inside - 2])), ()]
        head, foot = (("class:dim", f"{tile.number}"),), ()
    else:
        rows = [
            spread(_side(table, tile, table.other), _sum(table, tile, table.other), inside),
            _cubes(tile),
            spread(_side(table, tile, table.own), _sum(table, tile, table.own), inside),
        ]
        head = (("class:number", f"{tile.number}"), (terrain, f" {told(tile.terrain.word)}"))
        foot = ((terrain, _rule(table, tile)),)
    edge = ("class:edge", "│")
    return [
        _edge("╭", head, "╮", inside),
        *(line(edge, *fit(row, inside), edge) for row in rows),
        _edge("╰", foot, "╯", inside),
    ]


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
    own = say(words.SIDE_OF, name=cut(names[table.own], 10)) if is_open else say(words.YOUR_SIDE)
    head = line(("class:dim", f"  {pad(say(words.HEAD_TILE), 15)}{theirs} │ {own}"))
    return [head, *(_tile_in_row(table, tile) for tile in table.state.tiles)]


def _tile_in_row(table: _Table, tile: Tile) -> Line:
    if not tile.in_play:
        return line(("class:number", f"{tile.number} "), ("class:dim", say(words.GONE)))
    high = tile.terrain is Terrain.MOUNTAIN
    label = f" {told(tile.terrain.word)} {say(words.HIGH) if high else say(words.LOW)}"
    if tile.number in table.state.blocked:
        label = f" {say(words.BLOCKED)}"
    parts: list[Part] = [("class:number", f"{tile.number}"), (f"class:{tile.terrain.value}", pad(label, 15))]
    for side in (table.other, table.own):
        if side == table.own:
            parts.append(("class:edge", "│"))
        parts += fit(_side(table, tile, side), 4 * (_CARD + 1) + 1)
        parts += _sum(table, tile, side)
    return tuple(parts)


# --- trophies ---


def _trophies(table: _Table) -> list[Line]:
    """Cubes won against what each trophy needs, and who owns which."""
    cell = 9 if table.columns >= WIDE else 7
    head: list[Part] = [("class:dim", pad(f"  {say(words.TROPHY_COSTS)}", _NAME + 4))]
    for colour in COLOURS:
        name = f"{colour.letter.upper()} {told(colour.word)}" if cell > 8 else f" {colour.letter.upper()} "
        head += [(f"class:{colour.word}", name), ("", " " * (cell - width(name)))]
    head.append(("class:dim", say(words.TROPHIES)))
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
