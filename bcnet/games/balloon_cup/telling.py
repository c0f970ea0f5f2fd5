"""What happened, in words: a sentence an event, the same for every onlooker."""

from __future__ import annotations

from collections.abc import Sequence

from bcnet.games.balloon_cup import events as bc
from bcnet.games.balloon_cup.material import COLOURS, Cubes, say
from bcnet.games.interface import Card, Event


def tell(event: Event, names: Sequence[str]) -> str:
    """One event as a sentence; empty for an event that says nothing to people. ``names`` are by seat."""
    match event:
        case bc.PileShuffled(size):
            return f"{size} cards are shuffled."
        case bc.FirstPlayerChosen(seat):
            return f"{names[seat]} begins."
        case bc.TileFilled(tile, cubes):
            return f"Tile {tile} gets {_cubes(cubes)}."
        case bc.HandDealt(seat, cards):
            return f"{names[seat]} is dealt {_cards(cards)}."
        case bc.CardPlayed(seat, card, tile, side):
            where = "their own side" if side == seat else f"the side of {names[side]}"
            return f"{names[seat]} lays {say(card)} next to tile {tile}, on {where}."
        case bc.TileScored(tile, terrain, winner, totals, cubes):
            return (
                f"Tile {tile} ({terrain.name.lower()}) is full, {totals[0]} against {totals[1]}: "
                f"{names[winner]} takes {_cubes(cubes)}."
            )
        case bc.TileRefilled(tile, terrain, cubes):
            return f"Tile {tile} is now {terrain.name.lower()} and gets {_cubes(cubes)}."
        case bc.TileRemoved(tile):
            return f"Tile {tile} leaves the game: the bag holds too few cubes."
        case bc.TrophyClaimed(seat, trophy, paid, _):
            return f"{names[seat]} takes the {trophy.word} trophy for {_cubes(paid)}."
        case bc.ClaimDeclined(seat):
            return f"{names[seat]} claims nothing."
        case bc.CardDrawn(seat, card):
            return f"{names[seat]} draws {_cards([card])}."
        case bc.HandShown(seat, cards):
            return f"{names[seat]} shows that nothing fits: {_cards(cards)}."
        case bc.CardsExchanged(seat, discarded):
            return f"{names[seat]} discards {_cards(discarded) if discarded else 'nothing'}."
        case bc.TurnPassed(seat):
            return f"{names[seat]} passes."
        case bc.PlayerResigned(seat):
            return f"{names[seat]} resigns."
        case _:
            return ""


def _cubes(cubes: Cubes) -> str:
    parts = [f"{cubes[colour]} {colour.word}" for colour in COLOURS if cubes[colour]]
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts or ["nothing"])


def _cards(cards: Sequence[Card | None]) -> str:
    known = [say(card) for card in cards if card is not None]
    hidden = len(cards) - len(known)
    if hidden:
        known.append("a card" if hidden == 1 else f"{hidden} cards")
    return ", ".join(known) or "nothing"
