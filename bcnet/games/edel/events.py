"""What happens at the table, for people and for the record."""

from __future__ import annotations

from dataclasses import dataclass

from bcnet.games.edel.material import ActionCard, Cards, Colour, EventCard, Gems
from bcnet.games.edel.scoring import Payout
from bcnet.games.interface import Event, Seat


@dataclass(frozen=True, slots=True)
class RoundBegun(Event):
    """A round, and the gem card of each player still in the game."""

    passing: int
    """1 to 3."""
    round: int
    seats: tuple[Seat, ...]
    gem_cards: tuple[int, ...]
    """Indices into `bcnet.games.edel.material.GEM_CARDS`, in the order of ``seats``."""


@dataclass(frozen=True, slots=True)
class EventOpened(Event):
    """The top event card was opened; it covers an older one that nobody took."""

    event: EventCard


@dataclass(frozen=True, slots=True)
class EventsShuffled(Event):
    """The deck was empty: these cards, discarded and covered, are the new one."""

    events: Cards


@dataclass(frozen=True, slots=True)
class CardsChosen(Event):
    """All action cards were opened at once."""

    seats: tuple[Seat, ...]
    choices: tuple[ActionCard, ...]


@dataclass(frozen=True, slots=True)
class ActionLapsed(Event):
    """Nothing happens: three or more have chosen the action, or it has nothing to give, or nobody to give it."""

    action: ActionCard
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class TradeOpened(Event):
    """Two have chosen one action; ``opener`` makes the first offer."""

    action: ActionCard
    opener: Seat
    other: Seat


@dataclass(frozen=True, slots=True)
class OfferMade(Event):
    """An offer, higher than the one before."""

    seat: Seat
    gems: Gems


@dataclass(frozen=True, slots=True)
class OfferAccepted(Event):
    """The gems change hands; the one who offered them performs the action."""

    seat: Seat
    """Who takes them."""
    by: Seat
    """Whose gems they were."""
    gems: Gems
    forced: bool
    """Whether nothing higher could be offered."""


@dataclass(frozen=True, slots=True)
class MoneyTaken(Event):
    """Money: from a gem card, or from a cash card."""

    seat: Seat
    money: int


@dataclass(frozen=True, slots=True)
class GemsTaken(Event):
    """Gems from the supply."""

    seat: Seat
    gems: Gems


@dataclass(frozen=True, slots=True)
class EventTaken(Event):
    """An event card was taken."""

    seat: Seat
    event: EventCard
    face_down: bool


@dataclass(frozen=True, slots=True)
class GemsSwapped(Event):
    """One gem for another."""

    seat: Seat
    gave: Colour
    other: Seat
    took: Colour


@dataclass(frozen=True, slots=True)
class GemGiven(Event):
    """A levy was paid."""

    seat: Seat
    to: Seat
    colour: Colour


@dataclass(frozen=True, slots=True)
class ColourScored(Event):
    """A colour was paid out, doublers and surcharges included."""

    colour: Colour
    payouts: tuple[Payout, ...]
    """Empty where nobody has a gem of it."""


@dataclass(frozen=True, slots=True)
class GemsReturned(Event):
    """Gems of the colour just paid out went back to the supply."""

    seat: Seat
    colour: Colour
    count: int


@dataclass(frozen=True, slots=True)
class VaultUsed(Event):
    """Nothing went back."""

    seat: Seat
    colour: Colour


@dataclass(frozen=True, slots=True)
class CertificatesScored(Event):
    """The certificates were paid out, and all event cards given back."""

    payouts: tuple[Payout, ...]
