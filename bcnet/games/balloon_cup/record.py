"""A game's events as plain JSON (docs/records.md): the members of a record that follow ``players``."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

from bcnet.errors import IllegalStep
from bcnet.games.balloon_cup.events import (
    CardDrawn,
    CardPlayed,
    CardsExchanged,
    ClaimDeclined,
    FirstPlayerChosen,
    GameEnded,
    HandDealt,
    HandShown,
    PileShuffled,
    PlayerResigned,
    TileFilled,
    TileRefilled,
    TileRemoved,
    TileScored,
    TrophyClaimed,
    TurnPassed,
)
from bcnet.games.balloon_cup.material import COLOURS, DECK, Cubes
from bcnet.games.interface import Card, Event

_SET_UP = (TileFilled, PileShuffled, HandDealt)
"""The order of people. The game itself shuffles first, so that nobody knows who starts or what lies on the tiles while
the deck can still be influenced.
"""


def record(events: Sequence[Event]) -> dict[str, Any]:
    """``first_player`` (null if the game ended before) and ``events``.

    Takes all events of a game in which every face is known. Raises `IllegalStep` where one is hidden.
    """
    first = next((event.seat for event in events if isinstance(event, FirstPlayerChosen)), None)
    set_up = list(takewhile(lambda event: isinstance(event, (FirstPlayerChosen, *_SET_UP)), events))
    rest = events[len(set_up) :]
    ordered = [event for kind in _SET_UP for event in set_up if isinstance(event, kind)]
    rows = [_row(event) for event in (*ordered, *rest)]
    return {"first_player": first, "events": [row for row in rows if row is not None]}


def _row(event: Event) -> dict[str, Any] | None:
    """One event as the record has it; None if the record does not have it."""
    match event:
        case TileFilled(tile, cubes):
            return {"type": "fill", "tile": tile, "cubes": _cubes(cubes)}
        case PileShuffled(_, order):
            if order is None:
                raise IllegalStep("a record needs every face, and the order of a pile is hidden")
            return {"type": "shuffle", "order": _cards(order)}
        case HandDealt(seat, cards):
            return {"type": "deal", "seat": seat, "cards": _cards(cards)}
        case CardPlayed(seat, card, tile, side):
            return {"type": "play", "seat": seat, "card": _card(card), "tile": tile, "side": side}
        case TileScored(tile, _, winner, totals, cubes):
            return {
                "type": "score",
                "tile": tile,
                "winner": winner,
                "totals": list(totals),
                "cubes": _cubes(cubes),
            }
        case TileRefilled(tile, terrain, cubes):
            return {"type": "refill", "tile": tile, "terrain": terrain.value, "cubes": _cubes(cubes)}
        case TileRemoved(tile):
            return {"type": "remove", "tile": tile}
        case TrophyClaimed(seat, trophy, paid, _):
            return {"type": "claim", "seat": seat, "trophy": trophy.word, "paid": _cubes(paid)}
        case CardDrawn(seat, drawn):
            return {"type": "draw", "seat": seat, "card": _card(drawn)}
        case HandShown(seat, shown):
            return {"type": "show", "seat": seat, "cards": _cards(shown)}
        case CardsExchanged(seat, discarded):
            return {"type": "exchange", "seat": seat, "discarded": _cards(discarded)}
        case TurnPassed(seat):
            return {"type": "pass", "seat": seat}
        case PlayerResigned(seat):
            return {"type": "resign", "seat": seat}
        case GameEnded(victor, reason):
            return {"type": "end", "winner": victor, "reason": reason}
        case FirstPlayerChosen() | ClaimDeclined():
            return None
        case _:
            raise IllegalStep("{event} is no event of Balloon Cup", event=event)


def _card(card: Card | None) -> str:
    if card is None:
        raise IllegalStep("a record needs every face, and a card is hidden")
    return DECK[card]


def _cards(cards: Sequence[Card | None]) -> list[str]:
    return [_card(card) for card in cards]


def _cubes(cubes: Cubes) -> dict[str, int]:
    """Colour to number, without zeros."""
    return {colour.word: cubes[colour] for colour in COLOURS if cubes[colour]}
