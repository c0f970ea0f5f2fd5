"""Positions written by hand, as short as they can be read."""

from __future__ import annotations

from collections.abc import Mapping

from bcnet.games import get
from bcnet.games.balloon_cup.actions import Claim
from bcnet.games.balloon_cup.board import Board
from bcnet.games.balloon_cup.cards import Cards
from bcnet.games.balloon_cup.fill import FillRule
from bcnet.games.balloon_cup.material import (
    ALL_CARDS,
    ALL_CUBES,
    COLOURS,
    LETTERS,
    NO_CUBES,
    SEATS,
    TILE_NUMBERS,
    Colour,
    Cubes,
    Terrain,
    add,
    card_set,
    cards_in,
    subtract,
)
from bcnet.games.balloon_cup.notation import parse_card
from bcnet.games.balloon_cup.state import BalloonCupState, Phase, Turn
from bcnet.games.balloon_cup.tiles import Tile
from bcnet.games.interface import (
    Action,
    Card,
    Chance,
    Deal,
    Dealt,
    Event,
    Hand,
    Need,
    Seat,
    Shuffle,
    Shuffled,
    State,
)

GAME = get("balloon-cup")


def position(
    tiles: Mapping[int, str],
    hands: tuple[str, str] = ("", ""),
    *,
    mover: Seat = 0,
    won: tuple[str, str] = ("", ""),
    trophies: tuple[str, str] = ("", ""),
    bag: str | None = None,
    pile: str | None = None,
    discards: str = "",
    fill: str = "designer",
    idle: int = 0,
) -> BalloonCupState:
    """The start of a turn.

    A tile is written ``mountain rre | r1 r3 | e4``: terrain, cubes, the cards on the sides of seat 0 and seat 1; tiles
    not named have left the game. Cubes not named are in the bag, or in the box where ``bag`` is given. Cards not named
    are in the pile, lowest on top; where ``pile`` is given (top first) they are discards.
    """
    on_table = tuple(_tile(number, tiles.get(number)) for number in TILE_NUMBERS)
    placed = NO_CUBES
    for tile in on_table:
        placed = add(placed, tile.cubes)
    owned = (cubes(won[0]), cubes(won[1]))
    rest = subtract(ALL_CUBES, add(placed, add(*owned)))
    in_bag = rest if bag is None else cubes(bag)
    owners = tuple(next((s for s in range(SEATS) if letter in trophies[s]), None) for letter in LETTERS)
    board = Board.of(on_table, in_bag, subtract(rest, in_bag), owned, owners)

    first, second = (card_set(cards(hand)) for hand in hands)
    held = (Hand(first.bit_count(), cards_in(first)), Hand(second.bit_count(), cards_in(second)))
    thrown = card_set(cards(discards))
    unnamed = ALL_CARDS & ~(board.lying | first | second | thrown)
    order = cards_in(unnamed) if pile is None else cards(pile)
    if pile is not None:
        thrown |= unnamed & ~card_set(order)
    turn = Turn(Phase.TURN, mover, idle=idle)
    state = BalloonCupState(FillRule(fill), mover, board, Cards(held, len(order), order, thrown), turn)
    assert GAME.load(GAME.save(state)) == state, "a position with all cubes and cards, each once"
    return state


def _tile(number: int, text: str | None) -> Tile:
    if text is None:
        return Tile(number, Terrain.PLAINS, NO_CUBES, (0, 0), False)
    face, first, second = (part.strip() for part in (text + "||").split("|")[:3])
    terrain, _, letters = face.partition(" ")
    on_tile = cubes(letters)
    assert sum(on_tile) == number, f"tile {number} takes {number} cubes"
    tile = Tile(number, Terrain(terrain), on_tile, (card_set(cards(first)), card_set(cards(second))), True)
    assert all(places >= 0 for side in range(SEATS) for places in tile.open(side))
    return tile


def cubes(letters: str) -> Cubes:
    """``rre`` is two red ones and a grey one; ``7r 2e`` seven and two."""
    counts = [0] * len(COLOURS)
    number = ""
    for letter in letters.replace(" ", ""):
        if letter.isdigit():
            number += letter
        else:
            counts[LETTERS.index(letter)] += int(number or 1)
            number = ""
    red, yellow, green, blue, grey = counts
    return (red, yellow, green, blue, grey)


def cards(text: str) -> tuple[Card, ...]:
    """``r1 e4``."""
    return tuple(parse_card(word) for word in text.split())


def claim(letter: str, payment: str) -> Claim:
    """``claim("b", "3b 3r")``."""
    return Claim(Colour(LETTERS.index(letter)), cubes(payment))


def act(state: State, *texts: str) -> BalloonCupState:
    """Apply actions written in notation, one after the other."""
    for text in texts:
        state = state.apply(GAME.parse(text))
    assert isinstance(state, BalloonCupState)
    return state


def go_on(state: BalloonCupState) -> BalloonCupState:
    """Answer draws and shuffles until somebody has to decide, with the cards in ascending order."""
    while isinstance(need := state.need, Deal | Shuffle):
        state = state.apply(
            Dealt((None,) * len(need.seats)) if isinstance(need, Deal) else Shuffled(need.cards)
        )
    return state


def legal(state: BalloonCupState) -> list[str]:
    """The legal actions of whoever decides, in notation."""
    return [GAME.write(action) for action in actions(state)]


def actions(state: BalloonCupState) -> tuple[Action, ...]:
    """The legal actions of whoever decides."""
    return tuple(action for seat in range(SEATS) for action in state.legal_actions(seat))


def news(state: BalloonCupState, *kinds: type[Event]) -> list[Event]:
    """The news of these kinds."""
    return [event for event in state.news if isinstance(event, kinds)]


def is_refill(need: Need, number: int) -> bool:
    return need == Chance(f"refill tile {number}")
