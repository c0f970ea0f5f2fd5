"""A state as plain JSON data, and back. News are not saved, since they belong to the step and not to the position.

What follows from the rest is not written: the supply, and what can be chosen from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from bcnet.errors import MalformedNotation
from bcnet.games import plain
from bcnet.games.edel.holdings import Holding
from bcnet.games.edel.material import (
    ALL_GEMS,
    COLOURS,
    EVENT_CARDS,
    GEM_CARDS,
    PASSES,
    ROUNDS,
    SEATS,
    ActionCard,
    Cards,
    EventCard,
    Gems,
    in_order,
    is_gems,
)
from bcnet.games.edel.notation import parse_colour
from bcnet.games.edel.state import REASONS, EdelState, Phase
from bcnet.games.edel.trade import Trade
from bcnet.games.interface import Decide, Seat

_MOST_MONEY = 100_000
"""More than anybody can win."""


def save(state: EdelState) -> dict[str, Any]:
    """All that a state knows."""
    trade = state.trade
    return {
        "players": [
            {"money": held.money, "gems": list(held.gems), "cards": _names(held.cards)}
            for held in state.holdings
        ],
        "present": list(state.present),
        "pass": state.passing,
        "round": state.round,
        "gem_pile": list(state.gem_pile),
        "gem_cards": list(state.gem_cards),
        "deck": _names(state.deck),
        "discards": _names(state.discards),
        "open_event": _value(state.open_event),
        "choices": [_value(choice) for choice in state.choices],
        "phase": state.phase.value,
        "action": _value(state.action),
        "performer": state.performer,
        "trade": None
        if trade is None
        else {
            "asked": trade.asked,
            "other": trade.other,
            "offer": None if trade.offer is None else list(trade.offer),
        },
        "event": _value(state.event),
        "owing": list(state.owing),
        "colour": None if state.colour is None else state.colour.word,
        "tied": state.tied,
        "result": plain.save_result(state.result),
    }


def load(data: Mapping[str, Any]) -> EdelState:
    """The state that `save` wrote. Raises `MalformedNotation` for anything that is not a position of the game."""
    state = plain.load("Edel, Stein & Reich", data, _read, save)
    _check_material(state)
    _check_phase(state)
    return state


def _read(data: Mapping[str, Any]) -> EdelState:
    holdings = tuple(
        Holding(plain.whole(held["money"], 0, _MOST_MONEY), _gems(held["gems"]), _cards(held["cards"]))
        for held in data["players"]
    )
    if len(holdings) not in SEATS:
        raise ValueError(holdings)
    seats = range(len(holdings))
    choices = tuple(None if each is None else ActionCard(each) for each in data["choices"])
    gem_cards = tuple(None if each is None else _gem_card(each) for each in data["gem_cards"])
    if not len(choices) == len(gem_cards) == len(holdings):
        raise ValueError(choices)
    return EdelState(
        holdings,
        plain.some_of(data["present"], seats),
        plain.whole(data["pass"], 1, PASSES),
        plain.whole(data["round"], 1, ROUNDS[len(holdings)]),
        tuple(map(_gem_card, data["gem_pile"])),
        gem_cards,
        _cards(data["deck"]),
        _cards(data["discards"]),
        _card(data["open_event"]),
        choices,
        Phase(data["phase"]),
        None if data["action"] is None else ActionCard(data["action"]),
        plain.seat_or_none(data["performer"], seats),
        _trade(data["trade"], seats),
        _card(data["event"]),
        plain.some_of(data["owing"], seats),
        None if data["colour"] is None else parse_colour(data["colour"]),
        plain.yes_or_no(data["tied"]),
        plain.load_result(data["result"], seats, REASONS),
    )


def _trade(data: Any, seats: Sequence[Seat]) -> Trade | None:
    if data is None:
        return None
    asked, other = plain.some_of((data["asked"], data["other"]), seats)
    return Trade(asked, other, None if data["offer"] is None else _gems(data["offer"]))


def _check_material(state: EdelState) -> None:
    """Every gem and every card is in one place."""
    for colour in COLOURS:
        if sum(held.gems[colour] for held in state.holdings) > ALL_GEMS[colour]:
            raise MalformedNotation("there are more than 22 {colour} gems", colour=colour.word)
    cards = [card for held in state.holdings for card in held.cards]
    opened = () if state.open_event is None else (state.open_event,)
    if in_order((*cards, *state.deck, *state.discards, *opened)) != EVENT_CARDS:
        raise MalformedNotation("these are not the 39 event cards")
    dealt = [card for card in state.gem_cards if card is not None]
    seen = (*state.gem_pile, *dealt)
    if list(state.gem_pile) != sorted(state.gem_pile) or len(set(seen)) < len(seen):
        raise MalformedNotation("a gem card is in two places, or the gem cards are not in order")
    if list(state.present) != sorted(state.present):
        raise MalformedNotation("the seats still in the game are not in order")
    gone = [held for seat, held in enumerate(state.holdings) if seat not in state.present]
    if any(held.money or any(held.gems) or held.cards for held in gone):
        raise MalformedNotation("a player who has resigned holds something")


def _check_phase(state: EdelState) -> None:
    """The phase has what it needs, and nothing else."""
    phase = state.phase
    if (phase is Phase.OVER) != (state.result is not None):
        raise MalformedNotation("a position has a result when it is over, and only then")
    if phase is Phase.OVER:
        return
    if len(state.present) < 2:
        raise MalformedNotation("a game that goes on has two players or more")
    if len(state.gem_pile) < len(state.present) and phase is Phase.GEM_CARDS:
        raise MalformedNotation("there are too few gem cards")
    needs_deck = phase in (Phase.EVENT_CARD, Phase.EVENT, Phase.FACE_DOWN)
    if needs_deck and not state.deck:
        raise MalformedNotation("the event deck is empty")
    has = _Has(
        performer=phase in (Phase.EVENT, Phase.FACE_DOWN, Phase.GEMS, Phase.SWAP, Phase.LEVY),
        trade=phase in (Phase.OPENER, Phase.TRADE),
        owing=phase in (Phase.LEVY, Phase.VAULT),
        colour=phase is Phase.VAULT,
    )
    if has != _Has(
        performer=state.performer is not None,
        trade=state.trade is not None,
        owing=bool(state.owing),
        colour=state.colour is not None,
    ):
        raise MalformedNotation("the phase {phase} has something else to go by", phase=phase.value)
    _check_players(state)


class _Has(NamedTuple):
    performer: bool
    trade: bool
    owing: bool
    colour: bool


def _check_players(state: EdelState) -> None:
    """Whoever is named is in the game, has what is needed for it, and can do something."""
    phase, trade = state.phase, state.trade
    between = phase in (Phase.GEM_CARDS, Phase.VAULT)
    chosen = not between and phase not in (Phase.EVENT_CARD, Phase.CHOOSE)
    for seat in state.everybody:
        playing = seat in state.present
        if (state.gem_cards[seat] is not None) != (playing and not between):
            raise MalformedNotation("seat {seat} has a gem card and no round, or none in a round", seat=seat)
        if (state.choices[seat] is not None) != (playing and chosen):
            raise MalformedNotation("seat {seat} has chosen, or not, at the wrong time", seat=seat)
    if (state.action is not None) != chosen:
        raise MalformedNotation("an action is performed when all have chosen, and only then")
    if (state.event is not None) and phase not in (Phase.GEMS, Phase.SWAP, Phase.LEVY):
        raise MalformedNotation("no event card is at work in the phase {phase}", phase=phase.value)
    named = {state.performer, *state.owing, *(trade[:2] if trade else ())} - {None}
    if not named <= set(state.present) or state.performer in state.owing:
        raise MalformedNotation("somebody is asked who cannot be")
    if trade and trade.offer is not None and not is_gems(trade.offer, state.gems(trade.other)):
        raise MalformedNotation("seat {seat} has offered more than it has", seat=trade.other)
    if phase is Phase.VAULT and EventCard.VAULT not in state.holdings[state.owing[0]].cards:
        raise MalformedNotation("seat {seat} has no vault", seat=state.owing[0])
    if isinstance(state.need, Decide) and not state.legal_actions(state.need.seat):
        raise MalformedNotation("seat {seat} has nothing to decide", seat=state.need.seat)


def _names(cards: Cards) -> list[str]:
    return [card.value for card in cards]


def _value(card: ActionCard | EventCard | None) -> str | None:
    return None if card is None else str(card.value)


def _card(name: Any) -> EventCard | None:
    return None if name is None else EventCard(name)


def _cards(names: Iterable[Any]) -> Cards:
    return tuple(map(EventCard, names))


def _gem_card(number: Any) -> int:
    return plain.whole(number, 0, len(GEM_CARDS) - 1)


def _gems(counts: Iterable[Any]) -> Gems:
    gems = tuple(counts)
    if not is_gems(gems, ALL_GEMS):
        raise ValueError(gems)
    red, yellow, green, blue = gems
    return (red, yellow, green, blue)
