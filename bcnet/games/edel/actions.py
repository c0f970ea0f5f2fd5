"""What players decide and what chance brings."""

from __future__ import annotations

from dataclasses import dataclass

from bcnet.games.edel.material import ActionCard, Colour, EventCard, Gems
from bcnet.games.interface import Action, Outcome, Seat


@dataclass(frozen=True, slots=True)
class ChooseCard(Action):
    """Choose an action card, in secret."""

    card: ActionCard


@dataclass(frozen=True, slots=True)
class Offer(Action):
    """Offer these gems for the action that two have chosen."""

    gems: Gems


@dataclass(frozen=True, slots=True)
class Accept(Action):
    """Take the gems offered, and leave the action to the one who offered them."""


@dataclass(frozen=True, slots=True)
class TakeEvent(Action):
    """Take the open event card, or the top one of the face-down deck, unseen."""

    face_down: bool


@dataclass(frozen=True, slots=True)
class TakeGems(Action):
    """Take these gems from the supply: for Free Choice, or from a jewel box."""

    gems: Gems


@dataclass(frozen=True, slots=True)
class Swap(Action):
    """A swap card: give one own gem for one of another player's."""

    give: Colour
    seat: Seat
    take: Colour


@dataclass(frozen=True, slots=True)
class Give(Action):
    """A levy card: give one gem to whoever took it."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class UseVault(Action):
    """At a scoring: use a vault for the colour just paid out, and give nothing back; or save it for a later one."""

    use: bool


@dataclass(frozen=True, slots=True)
class GemCardsDrawn(Outcome):
    """A gem card for each player still in the game, in the order of the seats."""

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class EventCardDrawn(Outcome):
    """The top card of the face-down event deck."""

    card: EventCard


@dataclass(frozen=True, slots=True)
class Opener(Outcome):
    """Who makes the first offer where both are alike."""

    seat: Seat
