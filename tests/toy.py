"""A toy game for two to five seats that needs everything a table can give.

Everybody holds two private cards of a small deck. In turn each plays one openly and draws; the pile runs out and is
shuffled again; after each full turn all choose ``left`` or ``right`` in secret, and chance says which of them scores.
A seat that resigns is left out; the last one left has won.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from bcnet.errors import IllegalStep, MalformedNotation
from bcnet.games.interface import (
    Action,
    Below,
    Card,
    Chance,
    Choose,
    Chosen,
    Deal,
    Dealt,
    Decide,
    Event,
    Exhausted,
    Game,
    Hand,
    Need,
    Outcome,
    Over,
    Resigned,
    Seat,
    Shuffle,
    Shuffled,
    State,
    Step,
)

DECK = tuple(f"card-{number}" for number in range(13))
SHORT_DECK = DECK[:6]
"""With two seats the pile runs out soon after the deal."""
HAND = 2
CIRCLES = 2


@dataclass(frozen=True, slots=True)
class Play(Action):
    card: Card


@dataclass(frozen=True, slots=True)
class Side(Action):
    name: str


@dataclass(frozen=True, slots=True)
class Number(Outcome):
    value: int


@dataclass(frozen=True, slots=True)
class Happened(Event):
    text: str


@dataclass(frozen=True, slots=True)
class ToyState(State):
    seats: int
    need_: Need
    hands: tuple[tuple[Card | None, ...], ...]
    shown: frozenset[Card] = frozenset()
    pile: int = 0
    discards: tuple[Card, ...] = ()
    present: tuple[Seat, ...] = ()
    mover: Seat = 0
    turns: int = 0
    scores: tuple[int, ...] = ()
    chosen: tuple[str, ...] = ()

    @property
    def need(self) -> Need:
        return self.need_

    @property
    def news(self) -> tuple[Event, ...]:
        return ()

    def apply(self, step: Step) -> ToyState:
        match self.need_, step:
            case (Over(), _):
                raise IllegalStep("The game is over.")
            case (_, Resigned(gone)):
                return self._resign(gone)
            case (_, Exhausted()):
                return replace(self, need_=Over((), "standstill"))
            case (Shuffle(cards), Shuffled()):
                after = replace(self, pile=len(cards), discards=())
                return after._draw() if after.turns else replace(after, need_=Chance("first"))
            case (Chance("first"), Number(value)):
                return replace(self, mover=value, need_=Deal(self.present * HAND))
            case (Deal(seats), Dealt(cards)) if len(seats) == len(cards):
                hands = list(self.hands)
                for seat, card in zip(seats, cards, strict=True):
                    hands[seat] += (card,)
                after = replace(self, hands=tuple(hands), pile=self.pile - len(seats))
                return after._after_draw() if after.turns else after._ask_mover()
            case (Decide(seat), Play(card)):
                if card not in self.hands[seat] or card not in self.shown:
                    raise IllegalStep("Card {card} is not in the hand of seat {seat}.", card=card, seat=seat)
                hands = list(self.hands)
                hands[seat] = tuple(held for held in hands[seat] if held != card)
                after = replace(
                    self,
                    hands=tuple(hands),
                    shown=self.shown - {card},
                    discards=(*self.discards, card),
                    turns=self.turns + 1,
                )
                return after._draw()
            case (Choose(), Chosen(actions)):
                names = tuple(action.name for action in actions if isinstance(action, Side))
                return replace(self, chosen=names, need_=Chance("score"))
            case (Chance("score"), Number(value)):
                right = ("left", "right")[value]
                scores = list(self.scores)
                for seat, name in zip(self.present, self.chosen, strict=True):
                    scores[seat] += name == right
                return replace(self, scores=tuple(scores))._next_circle()
            case _:
                raise IllegalStep("{step} does not fit here.", step=step)

    def _draw(self) -> ToyState:
        if self.mover not in self.present:
            return self._after_draw()
        if self.pile == 0:
            return replace(self, need_=Shuffle(tuple(sorted(self.discards))))
        return replace(self, need_=Deal((self.mover,)))

    def _after_draw(self) -> ToyState:
        if self.turns % len(self.present) == 0:
            return replace(self, need_=Choose(self.present))
        return self._next_mover()

    def _ask_mover(self) -> ToyState:
        return replace(self, need_=Decide(self.mover)) if self.mover in self.present else self._next_mover()

    def _next_mover(self) -> ToyState:
        seat = (self.mover + 1) % self.seats
        while seat not in self.present:
            seat = (seat + 1) % self.seats
        return replace(self, mover=seat, need_=Decide(seat))

    def _next_circle(self) -> ToyState:
        if self.turns >= CIRCLES * self.seats:
            best = max(self.scores[seat] for seat in self.present)
            return replace(
                self, need_=Over(tuple(s for s in self.present if self.scores[s] == best), "points")
            )
        return self._next_mover()

    def _resign(self, gone: tuple[Seat, ...]) -> ToyState:
        present = tuple(seat for seat in self.present if seat not in gone)
        if len(present) < 2:
            return replace(self, present=present, need_=Over(present, "resignation"))
        after = replace(self, present=present)
        match self.need_:
            case Decide(seat) if seat in gone:
                return after._next_mover()
            case Choose():
                return replace(after, need_=Choose(present))
            case Chance("score"):
                left = tuple(n for s, n in zip(self.present, self.chosen, strict=True) if s in present)
                return replace(after, chosen=left)
            case _:
                return after

    def legal_actions(self, seat: Seat) -> tuple[Action, ...]:
        match self.need_:
            case Decide(mover) if mover == seat:
                return tuple(Play(card) for card in self.hands[seat] if card is not None)
            case Choose(seats) if seat in seats:
                return (Side("left"), Side("right"))
        return ()

    def sample(self, below: Below) -> Outcome:
        return Number(below(self.seats) if self.need_ == Chance("first") else below(2))

    def hand(self, seat: Seat) -> Hand:
        known = tuple(sorted(card for card in self.hands[seat] if card is not None))
        return Hand(len(self.hands[seat]), known, tuple(card for card in known if card in self.shown))

    def opens(self, seat: Seat, action: Action) -> tuple[Card, ...]:
        return (action.card,) if isinstance(action, Play) else ()

    def reveal(self, seat: Seat, cards: Iterable[Card], *, publicly: bool) -> ToyState:
        hand = list(self.hands[seat])
        wanted = list(cards)
        for card in wanted:
            if card in hand:
                continue
            if None not in hand or any(card in other for other in self.hands) or card in self.discards:
                raise IllegalStep("Card {card} cannot be in the hand of seat {seat}.", card=card, seat=seat)
            hand[hand.index(None)] = card
        hands = (*self.hands[:seat], tuple(hand), *self.hands[seat + 1 :])
        return replace(self, hands=hands, shown=self.shown | (set(wanted) if publicly else set()))

    def view(self, seat: Seat | None) -> ToyState:
        hands = [
            hand if owner == seat else tuple(card if card in self.shown else None for card in hand)
            for owner, hand in enumerate(self.hands)
        ]
        return replace(self, hands=tuple(hands))


class Toy(Game):
    name = "toy"
    title = "Toy"
    seats = range(2, 6)
    options: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    deck = DECK
    bots: ClassVar[Mapping[str, Any]] = {}

    def initial(self, seats: int, options: Mapping[str, str]) -> ToyState:
        empty: tuple[Card | None, ...] = ()
        return ToyState(
            seats,
            Shuffle(tuple(range(len(self.deck)))),
            (empty,) * seats,
            present=tuple(range(seats)),
            scores=(0,) * seats,
        )

    def parse(self, text: str) -> Action:
        if text in ("left", "right"):
            return Side(text)
        verb, _, number = text.partition(" ")
        if verb == "play" and number.isascii() and number.isdigit() and str(int(number)) == number:
            return Play(int(number))
        raise MalformedNotation("{text} is no action.", text=repr(text))

    def write(self, action: Action) -> str:
        return action.name if isinstance(action, Side) else f"play {action.card}"  # type: ignore[attr-defined]

    def save(self, state: State) -> dict[str, Any]:
        raise NotImplementedError

    def load(self, data: Mapping[str, Any]) -> State:
        raise NotImplementedError

    def record(self, events: Sequence[Event]) -> dict[str, Any]:
        return {}


class ShortToy(Toy):
    """The same with so few cards that there are several epochs, and little to compute."""

    name = "short-toy"
    deck = SHORT_DECK
