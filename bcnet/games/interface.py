"""What a game is: the interface of the interface.

The rules of this file:

1. A state is immutable. ``apply`` returns a new state or raises `IllegalStep`, whoever calls it and with whatever.
2. A state says what it *needs* next, as data (`Need`); whoever drives the game (a table, a simulator, a teacher)
   answers with the *step* that belongs to that need. Chance is a need like any other: nothing in a game is random.
3. A game does not know where randomness, shuffled cards or decisions come from. It knows no cryptography, no
   network and no screen.
4. A card is an index into the game's deck. A state may lack the faces of cards in hands and in the pile: the same
   class serves the onlooker who sees only what lies open, the player who sees one hand more, and the audit that
   sees all. A state never guesses: what it cannot know is hidden, and a step that would need it is refused.
5. Whatever a person may read is said in the player's own words, with card, tile and side.

need                answered by
------------------  ------------------------------------------------------------------------------
`Chance`            a game's own outcome step, as made by ``state.sample``; everyone sees it
`Shuffle`           `Shuffled`: the cards become the new face-down pile, order known or not
`Deal`              `Dealt`: the next cards of the pile, each to one seat, face known or not
`Decide`            one of the game's actions, by that seat
`Choose`            `Chosen`: the actions of several seats, chosen in secret and opened together
`Over`              nothing: the game has ended
any but `Over`      `Resigned`: these seats give up · `Exhausted`: no more public randomness is to be had
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from bcnet.errors import Phrase, listed

Card = int
Seat = int
Below = Callable[[int], int]
"""``below(n)`` gives a uniform whole number from 0 to n - 1."""
Bot = Callable[["State", Seat, random.Random], "Action"]
"""Chooses an action for a seat from what that seat can see (``state.view(seat)``)."""
MAX_NOTATION = 200
"""Characters of the longest action in canonical notation. No longer text is ever given to ``Game.parse``."""


# --- needs ---


@dataclass(frozen=True, slots=True)
class Chance:
    """A public random outcome. ``purpose`` names it for people and for the record of how it came about."""

    purpose: str


@dataclass(frozen=True, slots=True)
class Shuffle:
    """``cards`` (ascending) are to be shuffled into a new face-down pile."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Deal:
    """The next ``len(seats)`` cards of the pile go to these seats in this order. Never more than the pile holds."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Decide:
    """One seat has to act."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Choose:
    """Several seats (ascending) choose at once, in secret."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Over:
    """The game has ended. ``winners`` is empty when it is drawn; ``reason`` is one of the game's own words."""

    winners: tuple[Seat, ...]
    reason: str

    def told(self, names: Sequence[str]) -> str:
        """Who has won, and why, as a sentence; ``names`` are by seat."""
        reason = Phrase(self.reason.replace("-", " "))
        if not self.winners:
            return Phrase("The game is drawn ({reason}).", reason=reason)
        return Phrase(
            "{names} won ({reason}).",
            many="{names} won ({reason}).",
            names=listed([names[seat] for seat in self.winners]),
            reason=reason,
            count=len(self.winners),
        )


Need = Chance | Shuffle | Deal | Decide | Choose | Over


def is_move(step: Step) -> bool:
    """Whether a step counts where moves are numbered: a decision, or what ends a game without one."""
    return isinstance(step, Action | Chosen | Resigned | Exhausted)


def deciding(need: Need) -> tuple[Seat, ...]:
    """The seats that a need asks for a decision."""
    match need:
        case Decide(seat):
            return (seat,)
        case Choose(seats):
            return seats
        case _:
            return ()


# --- steps ---


class Step:
    """Whatever can be applied to a state."""

    __slots__ = ()


class Action(Step):
    """A decision of one seat. Each game has its own; all are frozen dataclasses."""

    __slots__ = ()


class Outcome(Step):
    """What chance brought. Each game has its own; all are frozen dataclasses."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Shuffled(Step):
    """The pile is ready. ``order`` has the top card first, where it is known (a simulation, an audit)."""

    order: tuple[Card, ...] | None = None


@dataclass(frozen=True, slots=True)
class Dealt(Step):
    """Cards dealt as `Deal` asked, one an entry, None where the face is not known to whoever deals. A state that knows
    the order of its pile knows it all the same, and refuses another.
    """

    cards: tuple[Card | None, ...]


@dataclass(frozen=True, slots=True)
class Chosen(Step):
    """All sealed choices, in the order of ``Choose.seats``."""

    actions: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class Resigned(Step):
    """These seats (ascending) gave up in one round.

    With two seats the game is over. With more it may go on: then no need names them any more, and they cannot win.
    """

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Exhausted(Step):
    """The table can draw no more public randomness: the game is drawn."""


class Event:
    """Something that happened, for people and for the record. Each game has its own; all are frozen dataclasses."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand as a state knows it.

    ``known`` are the faces that this state knows, ``shown`` those of them that everybody knows, ``size`` counts all
    cards, hidden ones included. Both tuples are ascending.
    """

    size: int
    known: tuple[Card, ...] = ()
    shown: tuple[Card, ...] = ()


class State(ABC):
    """One position of a game, immutable; see the rules at the top of this file."""

    __slots__ = ()

    @property
    @abstractmethod
    def need(self) -> Need:
        """What must come next."""

    @property
    @abstractmethod
    def news(self) -> tuple[Event, ...]:
        """What the step that led here brought about, in the order in which it happened."""

    @abstractmethod
    def apply(self, step: Step) -> Self:
        """The state after ``step``. Raises `IllegalStep` with the reason if the rules do not allow it here."""

    @abstractmethod
    def legal_actions(self, seat: Seat) -> tuple[Action, ...]:
        """All actions that ``seat`` may choose from now, in a stable order; empty if it has nothing to decide.

        Always finite, but it can be long; ``apply`` must not need it. What is chosen in secret must be short: whoever
        opens a choice looks for it here.

        Raises `IllegalStep` when this state does not know the seat's hand.
        """

    @abstractmethod
    def sample(self, below: Below) -> Outcome:
        """Answer a `Chance` need from unbiased choices. The calls of ``below`` and their order are part of the
        protocol: another implementation must make the same ones.
        """

    @abstractmethod
    def hand(self, seat: Seat) -> Hand:
        """The hand of a seat, as far as this state knows it."""

    @abstractmethod
    def opens(self, seat: Seat, action: Action) -> tuple[Card, ...]:
        """The cards of the seat's hand (ascending) that everybody must have seen for ``action``."""

    @abstractmethod
    def reveal(self, seat: Seat, cards: Iterable[Card], *, publicly: bool) -> Self:
        """The same position, knowing more: hidden cards of the hand turn out to be ``cards``; those already known
        may become public. Raises `IllegalStep` if that cannot be (no hidden card left, card known elsewhere).
        """

    @abstractmethod
    def view(self, seat: Seat | None) -> Self:
        """The same position, knowing only what ``seat`` can see (None: what everybody can see)."""


class Sense(ABC):
    """A sense for a game: what a search must know of it beyond the rules. It may look at all that a state knows."""

    @abstractmethod
    def unseen(self, view: State) -> Sequence[Card]:
        """The cards whose place this view does not know, ascending: those in hidden hands and in the pile."""

    @abstractmethod
    def values(self, state: State) -> Sequence[float]:
        """Each seat's chance to win, from 0 to 1, where a decision is due."""

    @abstractmethod
    def appraise(self, state: State, seat: Seat, actions: Sequence[Action]) -> Sequence[float]:
        """The seat's chance to win after each of these legal actions, at a glance."""


class Game(ABC):
    """The rules of one game, and how its states, actions and events are written."""

    name: ClassVar[str]
    """As in ``bcnet host --game NAME`` and in the terms that are signed."""
    title: ClassVar[str]
    seats: ClassVar[range]
    """The numbers of players it allows."""
    options: ClassVar[Mapping[str, tuple[str, ...]]]
    """Option name to allowed values; the first value is the default."""
    deck: ClassVar[tuple[str, ...]]
    """The canonical names of all cards; a card is an index into it. Empty for a game without hidden cards. At most
    255 cards: a permutation is sent as one byte a position."""
    bots: ClassVar[Mapping[str, Bot]]
    sense: ClassVar[Sense | None] = None
    """For `bcnet.games.search`, where the game has one."""
    rules: ClassVar[str] = ""
    """The rules for players: plain text, about a page."""
    notation: ClassVar[str] = ""
    """How actions are written, for players: plain text."""

    @abstractmethod
    def initial(self, seats: int, options: Mapping[str, str]) -> State:
        """The position before anything has happened. Raises `IllegalStep` for seats or options it does not have."""

    @abstractmethod
    def parse(self, text: str) -> Action:
        """Read an action in canonical notation. Raises `MalformedNotation` for anything else: ``write(parse(t)) == t``
        for every t that it accepts.
        """

    @abstractmethod
    def write(self, action: Action) -> str:
        """An action in canonical notation: ASCII, at most `MAX_NOTATION` characters."""

    @abstractmethod
    def save(self, state: State) -> dict[str, Any]:
        """A state as plain JSON data, all that it knows."""

    @abstractmethod
    def load(self, data: Mapping[str, Any]) -> State:
        """The state that ``save`` wrote. Raises `MalformedNotation`."""

    @abstractmethod
    def record(self, events: Sequence[Event]) -> dict[str, Any]:
        """The game's own part of a record (docs/records.md): the members that follow ``players``, from all events of a
        game in which every face is known.
        """

    def tell(self, event: Event, names: Sequence[str]) -> str:  # noqa: ARG002 (for a game to use)
        """An event as a sentence for people; empty for the end, which `Over.told` tells. ``names`` are by seat."""
        return ""
