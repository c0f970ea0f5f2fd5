"""Gems, cards and numbers. The card lists and all else that is marked (house) are ours, not the source's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum, IntEnum
from typing import NamedTuple

from bcnet.errors import Phrase

SEATS = range(3, 6)


class Colour(IntEnum):
    """The four colours of gems, in the order in which everything is sorted."""

    RED = 0
    YELLOW = 1
    GREEN = 2
    BLUE = 3

    @property
    def word(self) -> str:
        """``red``, ``yellow``, ``green`` or ``blue``."""
        return _WORDS[self]

    @property
    def letter(self) -> str:
        """``R``, ``Y``, ``G`` or ``B``."""
        return self.name[0]


_WORDS = (Phrase("red"), Phrase("yellow"), Phrase("green"), Phrase("blue"))

COLOURS = tuple(Colour)

Gems = tuple[int, int, int, int]
"""How many gems of each colour, indexed by `Colour`."""

NO_GEMS: Gems = (0, 0, 0, 0)
ALL_GEMS: Gems = (22, 22, 22, 22)
FIRST_GEMS: Gems = (3, 3, 3, 3)
"""What every player starts with."""

PASSES = 3
ROUNDS: Mapping[int, int] = {3: 8, 4: 7, 5: 6}
"""Number of players to the rounds of a pass."""
PLAYERS_WITH_FREE_CHOICE = 5
FREE_GEMS = 2
"""What Free Choice gives (house)."""
CASH = 8
JEWELS = 3
"""Gems of as many colours that a jewel box gives (house)."""


class ActionCard(Enum):
    """What can be chosen in a round, in the order in which it is performed."""

    MONEY = "money"
    EVENT = "event"
    GEMS = "gems"
    FREE = "free"


class EventCard(Enum):
    """The kinds of event cards (house), in the order in which everything is sorted."""

    CERTIFICATE = "certificate"
    SURCHARGE_RED = "surcharge-red"
    SURCHARGE_YELLOW = "surcharge-yellow"
    SURCHARGE_GREEN = "surcharge-green"
    SURCHARGE_BLUE = "surcharge-blue"
    DOUBLER_RED = "doubler-red"
    DOUBLER_YELLOW = "doubler-yellow"
    DOUBLER_GREEN = "doubler-green"
    DOUBLER_BLUE = "doubler-blue"
    VAULT = "vault"
    CASH = "cash"
    JEWEL_BOX = "jewel-box"
    SWAP = "swap"
    LEVY = "levy"


SURCHARGES = tuple(EventCard(f"surcharge-{colour.word}") for colour in COLOURS)
DOUBLERS = tuple(EventCard(f"doubler-{colour.word}") for colour in COLOURS)
AT_ONCE = frozenset((EventCard.CASH, EventCard.JEWEL_BOX, EventCard.SWAP, EventCard.LEVY))
"""The cards that work when they are taken. All others are kept until the next scoring."""

Cards = tuple[EventCard, ...]
"""Some event cards, sorted."""

_EVENT_COUNTS = {
    EventCard.CERTIFICATE: 15,
    EventCard.VAULT: 4,
    EventCard.CASH: 3,
    EventCard.JEWEL_BOX: 3,
    EventCard.SWAP: 3,
    EventCard.LEVY: 3,
}
EVENT_CARDS: Cards = tuple(card for card in EventCard for _ in range(_EVENT_COUNTS.get(card, 1)))
"""All 39 of them."""
_PLACE = {card: place for place, card in enumerate(EventCard)}


class GemCard(NamedTuple):
    """A gem card: money or gems, whichever is performed."""

    money: int
    gems: Gems


_GEM_CARDS = {
    7: "RB RB YG YG YB GG BB",
    6: "RR RY RG YY YBB GGB GBB BBB",
    5: "RYB RYB RGB RGG RGG YYG YGG YGB",
    4: "RRY RRG RRB RYY RYG YYY RGBB",
}
"""Money to the gems of each card that shows it (house)."""


def _gems(letters: str) -> Gems:
    red, yellow, green, blue = (letters.count(colour.name[0]) for colour in COLOURS)
    return (red, yellow, green, blue)


GEM_CARDS = tuple(
    GemCard(money, _gems(letters)) for money, cards in _GEM_CARDS.items() for letters in cards.split()
)
"""All 30 of them; a gem card is an index into this."""


def add(some: Gems, more: Gems) -> Gems:
    """Both together."""
    return (some[0] + more[0], some[1] + more[1], some[2] + more[2], some[3] + more[3])


def subtract(some: Gems, less: Gems) -> Gems:
    """What is left. The caller has made sure that it is not less than nothing."""
    return (some[0] - less[0], some[1] - less[1], some[2] - less[2], some[3] - less[3])


def available(wanted: Gems, supply: Gems) -> Gems:
    """A short supply gives what it has."""
    red, yellow, green, blue = map(min, wanted, supply)
    return (red, yellow, green, blue)


def one(colour: Colour, count: int = 1) -> Gems:
    """Gems of one colour."""
    red, yellow, green, blue = (count if each == colour else 0 for each in COLOURS)
    return (red, yellow, green, blue)


def is_gems(gems: object, most: Gems) -> bool:
    """Whether these are four whole numbers, none below zero and none above ``most``."""
    return (
        isinstance(gems, tuple)
        and len(gems) == len(COLOURS)
        and all(type(count) is int and 0 <= count <= limit for count, limit in zip(gems, most, strict=True))
    )


def in_order(cards: Iterable[EventCard]) -> Cards:
    """These cards, sorted."""
    return tuple(sorted(cards, key=_PLACE.__getitem__))


def without(cards: Cards, card: EventCard) -> Cards:
    """All but one of these."""
    at = cards.index(card)
    return (*cards[:at], *cards[at + 1 :])
