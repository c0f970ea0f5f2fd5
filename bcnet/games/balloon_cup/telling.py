"""What happened, in words: a sentence an event, the same for every onlooker."""

from __future__ import annotations

from collections.abc import Sequence

from bcnet.errors import Phrase, in_a_row, listed
from bcnet.games.balloon_cup import events as bc
from bcnet.games.balloon_cup.material import COLOURS, Cubes, say
from bcnet.games.interface import Card, Event


def tell(event: Event, names: Sequence[str]) -> str:
    """One event as a sentence; empty for an event that says nothing to people. ``names`` are by seat."""
    match event:
        case bc.PileShuffled(size):
            return Phrase("{size} cards are shuffled.", size=size)
        case bc.FirstPlayerChosen(seat):
            return Phrase("{name} begins.", name=names[seat])
        case bc.TileFilled(tile, cubes):
            return Phrase("Tile {tile} gets {cubes}.", tile=tile, cubes=_cubes(cubes))
        case bc.HandDealt(seat, cards):
            return Phrase("{name} is dealt {cards}.", name=names[seat], cards=_cards(cards))
        case bc.CardPlayed(seat, card, tile, side):
            return Phrase(
                "{name} lays {card} next to tile {tile}, on their own side."
                if side == seat
                else "{name} lays {card} next to tile {tile}, on the side of {other}.",
                name=names[seat],
                card=say(card),
                tile=tile,
                other=names[side],
            )
        case bc.TileScored(tile, terrain, winner, totals, cubes):
            return Phrase(
                "Tile {tile} ({terrain}) is full, {first} against {second}: {name} takes {cubes}.",
                tile=tile,
                terrain=terrain.word,
                first=totals[0],
                second=totals[1],
                name=names[winner],
                cubes=_cubes(cubes),
            )
        case bc.TileRefilled(tile, terrain, cubes):
            return Phrase(
                "Tile {tile} is now {terrain} and gets {cubes}.",
                tile=tile,
                terrain=terrain.word,
                cubes=_cubes(cubes),
            )
        case bc.TileRemoved(tile):
            return Phrase("Tile {tile} leaves the game: the bag holds too few cubes.", tile=tile)
        case bc.TrophyClaimed(seat, trophy, paid, _):
            return Phrase(
                "{name} takes the {trophy} trophy for {cubes}.",
                name=names[seat],
                trophy=trophy.word,
                cubes=_cubes(paid),
            )
        case bc.ClaimDeclined(seat):
            return Phrase("{name} claims nothing.", name=names[seat])
        case bc.CardDrawn(seat, card):
            return Phrase("{name} draws {cards}.", name=names[seat], cards=_cards([card]))
        case bc.HandShown(seat, cards):
            return Phrase("{name} shows that nothing fits: {cards}.", name=names[seat], cards=_cards(cards))
        case bc.CardsExchanged(seat, discarded):
            return Phrase("{name} discards {cards}.", name=names[seat], cards=_cards(discarded))
        case bc.TurnPassed(seat):
            return Phrase("{name} passes.", name=names[seat])
        case bc.PlayerResigned(seat):
            return Phrase("{name} resigns.", name=names[seat])
        case _:
            return ""


def _cubes(cubes: Cubes) -> str:
    parts = [
        Phrase("{count} {colour}", count=cubes[colour], colour=colour.word)
        for colour in COLOURS
        if cubes[colour]
    ]
    return listed(parts) or Phrase("nothing")


def _cards(cards: Sequence[Card | None]) -> str:
    known = [say(card) for card in cards if card is not None]
    hidden = len(cards) - len(known)
    if hidden:
        known.append(Phrase("a card", many="{count} cards", count=hidden))
    return in_a_row(known) or Phrase("nothing")
