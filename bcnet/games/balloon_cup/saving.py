"""A state as plain JSON data, and back.

Cards are written as in a record (``red-13``), cubes as five numbers in the order of the colours. What a state does not
know is not written: hidden cards are counted in ``size``, an unknown order of the pile is null. News are not saved,
since they belong to the step and not to the position.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from bcnet.errors import MalformedNotation
from bcnet.games import plain
from bcnet.games.balloon_cup.board import Board
from bcnet.games.balloon_cup.cards import Cards
from bcnet.games.balloon_cup.endings import REASONS
from bcnet.games.balloon_cup.fill import FillRule
from bcnet.games.balloon_cup.material import (
    ALL_CUBES,
    CARDS,
    COLOURS,
    DECK,
    SEATS,
    TILE_NUMBERS,
    CardSet,
    Cubes,
    Terrain,
    add,
    card_set,
    cards_in,
)
from bcnet.games.balloon_cup.notation import card_named
from bcnet.games.balloon_cup.state import BalloonCupState, Phase, Turn
from bcnet.games.balloon_cup.tiles import Tile
from bcnet.games.interface import Hand

_T = TypeVar("_T")
_SEATS = range(SEATS)


def save(state: BalloonCupState) -> dict[str, Any]:
    """All that a state knows."""
    board, cards, turn = state.board, state.cards, state.turn
    return {
        "fill": state.fill.value,
        "first_player": state.first_player,
        "tiles": [
            {
                "number": tile.number,
                "terrain": tile.terrain.value,
                "cubes": list(tile.cubes),
                "sides": [_names(laid) for laid in tile.laid],
                "in_play": tile.in_play,
            }
            for tile in board.tiles
        ],
        "bag": list(board.bag),
        "box": list(board.box),
        "won": [list(cubes) for cubes in board.won],
        "trophies": list(board.owners),
        "hands": [
            {
                "size": hand.size,
                "known": [DECK[card] for card in hand.known],
                "shown": [DECK[card] for card in hand.shown],
            }
            for hand in cards.hands
        ],
        "pile": {
            "size": cards.pile_size,
            "order": None if cards.pile_order is None else [DECK[card] for card in cards.pile_order],
        },
        "discards": _names(cards.discards),
        "turn": {
            "phase": turn.phase.value,
            "mover": turn.mover,
            "following": turn.following,
            "due": turn.due,
            "tile": turn.tile,
            "asked": turn.asked,
            "declined": turn.declined,
            "idle": turn.idle,
        },
        "result": plain.save_result(state.result),
    }


def load(data: Mapping[str, Any]) -> BalloonCupState:
    """The state that `save` wrote. Raises `MalformedNotation` for anything that is not a position of the game."""
    state = plain.load("Balloon Cup", data, _read, save)
    _check_conserved(state)
    return state


def _read(data: Mapping[str, Any]) -> BalloonCupState:
    tiles = tuple(
        Tile(
            number,
            Terrain(tile["terrain"]),
            _cubes(tile["cubes"]),
            _pair(_set(side) for side in tile["sides"]),
            plain.yes_or_no(tile["in_play"]),
        )
        for number, tile in zip(TILE_NUMBERS, data["tiles"], strict=True)
    )
    owners = tuple(plain.seat_or_none(owner, _SEATS) for owner in data["trophies"])
    if len(owners) != len(COLOURS):
        raise ValueError(owners)
    won = _pair(_cubes(cubes) for cubes in data["won"])
    board = Board.of(tiles, _cubes(data["bag"]), _cubes(data["box"]), won, owners)
    hands = _pair(
        Hand(_count(hand["size"]), cards_in(_set(hand["known"])), cards_in(_set(hand["shown"])))
        for hand in data["hands"]
    )
    pile = data["pile"]
    order = None if pile["order"] is None else tuple(card_named(name) for name in pile["order"])
    cards = Cards(hands, _count(pile["size"]), order, _set(data["discards"]))
    saved = data["turn"]
    turn = Turn(
        Phase(saved["phase"]),
        plain.seat_or_none(saved["mover"], _SEATS),
        plain.one_of(saved["following"], _SEATS),
        _count(saved["due"]),
        _count(saved["tile"]),
        plain.one_of(saved["asked"], _SEATS),
        _count(saved["declined"]),
        _count(saved["idle"]),
    )
    result = plain.load_result(data["result"], _SEATS, REASONS)
    first = plain.seat_or_none(data["first_player"], _SEATS)
    return BalloonCupState(FillRule(data["fill"]), first, board, cards, turn, result)


def _check_conserved(state: BalloonCupState) -> None:
    """Every cube and every card is in one place, and the phase has what it needs."""
    board, cards, turn = state.board, state.cards, state.turn
    cubes = add(add(board.bag, board.box), add(*board.won))
    for tile in board.tiles:
        cubes = add(cubes, tile.cubes)
        if any(places < 0 for side in range(SEATS) for places in tile.open(side)):
            raise MalformedNotation("too many cards lie next to tile {tile}", tile=tile.number)
    if cubes != ALL_CUBES:
        raise MalformedNotation(
            "the cubes of this position are {cubes}, not {all}", cubes=cubes, all=ALL_CUBES
        )

    places = [side for tile in board.tiles for side in tile.laid]
    places += [cards.discards, card_set(cards.pile_order or ())]
    seen: CardSet = 0
    for hand in cards.hands:
        places.append(card_set(hand.known))
        if not set(hand.shown) <= set(hand.known) or len(hand.known) > hand.size:
            raise MalformedNotation("a hand of this position knows more cards than it holds")
    for place in places:
        if seen & place:
            raise MalformedNotation("{card} is in two places", card=DECK[cards_in(seen & place)[0]])
        seen |= place
    hidden = sum(hand.size - len(hand.known) for hand in cards.hands)
    in_pile = cards.pile_size if cards.pile_order is None else 0
    # before the first shuffle there are no cards, and a player may have resigned then
    before = turn.phase is Phase.SHUFFLE or (
        turn.phase is Phase.OVER and turn.mover is None and not cards.pile_size
    )
    if seen.bit_count() + hidden + in_pile != (0 if before else CARDS):
        raise MalformedNotation("this position does not have {count} cards", count=CARDS)
    if cards.pile_order is not None and len(cards.pile_order) != cards.pile_size:
        raise MalformedNotation("the order of the pile has another length than the pile")
    if (turn.phase is Phase.OVER) != (state.result is not None):
        raise MalformedNotation("a position has a result when it is over, and only then")
    if (turn.mover is None) != (
        turn.phase in (Phase.SHUFFLE, Phase.FIRST_PLAYER)
    ) and turn.phase is not Phase.OVER:
        raise MalformedNotation("a position after the first steps has a player on turn")
    if (turn.tile in TILE_NUMBERS) != (turn.phase in (Phase.FILL, Phase.REFILL)):
        raise MalformedNotation("a tile waits for cubes in the phases fill and refill")
    if (turn.due > 0) != (turn.phase in (Phase.DRAW, Phase.REDRAW)):
        raise MalformedNotation("cards are to be drawn in the phases draw and redraw, and only there")


def _names(cards: CardSet) -> list[str]:
    return [DECK[card] for card in cards_in(cards)]


def _set(names: Iterable[str]) -> CardSet:
    return card_set(card_named(name) for name in names)


def _count(value: object) -> int:
    return plain.whole(value, 0, CARDS)


def _cubes(values: Iterable[object]) -> Cubes:
    red, yellow, green, blue, grey = (_count(value) for value in values)
    return (red, yellow, green, blue, grey)


def _pair(values: Iterable[_T]) -> tuple[_T, _T]:
    first, second = values
    return (first, second)
