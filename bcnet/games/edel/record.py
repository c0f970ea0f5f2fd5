"""A game's events as plain JSON (docs/records.md): the members of a record that follow ``players``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bcnet.games import happened
from bcnet.games.edel.events import (
    ActionLapsed,
    CardsChosen,
    CertificatesScored,
    ColourScored,
    EventOpened,
    EventsShuffled,
    EventTaken,
    GemGiven,
    GemsReturned,
    GemsSwapped,
    GemsTaken,
    MoneyTaken,
    OfferAccepted,
    OfferMade,
    RoundBegun,
    TradeOpened,
    VaultUsed,
)
from bcnet.games.edel.material import COLOURS, GEM_CARDS, Gems
from bcnet.games.edel.scoring import Payout
from bcnet.games.interface import Event

Row = dict[str, Any]


def record(events: Sequence[Event]) -> dict[str, Any]:
    """``events``."""
    return {"events": [_row(event) for event in events]}


def _row(event: Event) -> Row:
    write = _ROWS.get(type(event))
    if write is None:
        return happened.row(event)
    kind, fields = write
    return {"type": kind, **fields(event)}


def _round(event: RoundBegun) -> Row:
    cards = [
        {"seat": seat, "money": GEM_CARDS[card].money, "gems": _gems(GEM_CARDS[card].gems)}
        for seat, card in zip(event.seats, event.gem_cards, strict=True)
    ]
    return {"pass": event.passing, "round": event.round, "cards": cards}


def _choices(event: CardsChosen) -> Row:
    pairs = zip(event.seats, event.choices, strict=True)
    return {"choices": [{"seat": seat, "action": card.value} for seat, card in pairs]}


def _accepted(event: OfferAccepted) -> Row:
    return {"seat": event.seat, "by": event.by, "gems": _gems(event.gems), "forced": event.forced}


def _swapped(event: GemsSwapped) -> Row:
    return {"seat": event.seat, "gave": event.gave.word, "other": event.other, "took": event.took.word}


def _payouts(payouts: tuple[Payout, ...]) -> list[Row]:
    return [{"seat": seat, "money": money} for seat, money in payouts]


def _gems(gems: Gems) -> dict[str, int]:
    """Colour to number, without zeros."""
    return {colour.word: gems[colour] for colour in COLOURS if gems[colour]}


_ROWS: Mapping[type[Event], tuple[str, Callable[[Any], Row]]] = {
    RoundBegun: ("round", _round),
    EventOpened: ("open", lambda event: {"event": event.event.value}),
    EventsShuffled: ("shuffle", lambda event: {"events": [card.value for card in event.events]}),
    CardsChosen: ("choose", _choices),
    ActionLapsed: ("lapse", lambda event: {"action": event.action.value, "seats": list(event.seats)}),
    TradeOpened: (
        "trade",
        lambda event: {"action": event.action.value, "opener": event.opener, "other": event.other},
    ),
    OfferMade: ("offer", lambda event: {"seat": event.seat, "gems": _gems(event.gems)}),
    OfferAccepted: ("accept", _accepted),
    MoneyTaken: ("money", lambda event: {"seat": event.seat, "money": event.money}),
    GemsTaken: ("gems", lambda event: {"seat": event.seat, "gems": _gems(event.gems)}),
    EventTaken: (
        "event",
        lambda event: {"seat": event.seat, "event": event.event.value, "face_down": event.face_down},
    ),
    GemsSwapped: ("swap", _swapped),
    GemGiven: ("give", lambda event: {"seat": event.seat, "to": event.to, "colour": event.colour.word}),
    ColourScored: ("colour", lambda event: {"colour": event.colour.word, "payouts": _payouts(event.payouts)}),
    GemsReturned: (
        "return",
        lambda event: {"seat": event.seat, "colour": event.colour.word, "count": event.count},
    ),
    VaultUsed: ("vault", lambda event: {"seat": event.seat, "colour": event.colour.word}),
    CertificatesScored: ("certificates", lambda event: {"payouts": _payouts(event.payouts)}),
}
"""Every event of this game: the type of its row, and the fields."""
