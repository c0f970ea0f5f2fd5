"""A little game for three to five that has what Balloon Cup has not: more seats, and choices made in secret.

Everybody holds two cards. All bid one of them, in secret and at once; a public draw says whether the highest or the
lowest bid scores. Then all draw again. After four rounds the best score wins. It is here so that the conformance suite
and the simulator are known to fit such games; no player ever meets it.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from bcnet.errors import IllegalStep, MalformedNotation, Phrase
from bcnet.games import happened
from bcnet.games.happened import RESIGNATION, STANDSTILL, GameEnded
from bcnet.games.interface import (
    Action,
    Below,
    Bot,
    Card,
    Chance,
    Choose,
    Chosen,
    Deal,
    Dealt,
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

NAMES = tuple(f"number-{number}" for number in range(1, 14))
ROUNDS = 4
POINTS = "points"
IN_WORDS = (Phrase("points"),)


@dataclass(frozen=True, slots=True)
class Bid(Action):
    """Bid a card, boldly or not."""

    card: Card
    bold: bool


@dataclass(frozen=True, slots=True)
class Wins(Outcome):
    """Whether the highest bid scores."""

    high: bool


@dataclass(frozen=True, slots=True)
class Drawn(Event):
    seat: Seat
    card: Card | None


@dataclass(frozen=True, slots=True)
class Scored(Event):
    seat: Seat
    points: int


@dataclass(frozen=True, slots=True)
class BidState(State):
    """A position."""

    seats: int
    phase: str = "shuffle"
    hands: tuple[tuple[int, frozenset[Card]], ...] = ()  # size and known cards
    pile: int = 0
    order: tuple[Card, ...] | None = None
    discards: tuple[Card, ...] = ()
    bids: tuple[Bid, ...] = ()
    shown: frozenset[Card] = frozenset()
    scores: tuple[int, ...] = ()
    round: int = 0
    due: tuple[Seat, ...] = ()
    over: Over | None = None
    news: tuple[Event, ...] = field(default=(), compare=False)

    @property
    def need(self) -> Need:
        everybody = tuple(range(self.seats))
        if self.over:
            return self.over
        if self.phase == "shuffle":
            return Shuffle(tuple(range(len(NAMES))))
        if self.phase == "deal":
            return Deal(self.due[: self.pile]) if self.pile else Shuffle(tuple(sorted(self.discards)))
        return Choose(everybody) if self.phase == "bid" else Chance("high or low")

    def apply(self, step: Step) -> BidState:
        state = replace(self, news=())
        match self.need, step:
            case Over(), _:
                raise IllegalStep("the game is over")
            case _, Resigned(seats):
                if not seats or list(seats) != sorted(set(seats) & set(range(self.seats))):
                    raise IllegalStep("no such seats")
                return state._ended(tuple(s for s in range(self.seats) if s not in seats), RESIGNATION)
            case _, Exhausted():
                return state._ended((), STANDSTILL)
            case Shuffle(cards), Shuffled(order):
                if order is not None and tuple(sorted(order)) != cards:
                    raise IllegalStep("each card once")
                due = self.due or tuple(range(self.seats)) * 2
                return replace(state, phase="deal", pile=len(cards), order=order, discards=(), due=due)
            case Deal(seats), Dealt(faces):
                return state._deal(seats, faces)
            case Choose(), Chosen(actions):
                return state._choose(actions)
            case Chance(), Wins(high):
                return state._score(high)
            case _:
                raise IllegalStep("something else comes first")

    def _deal(self, seats: tuple[Seat, ...], faces: tuple[Card | None, ...]) -> BidState:
        if len(seats) != len(faces):
            raise IllegalStep("another number of cards is due")
        hands, news, order = list(self.hands or ((0, frozenset()),) * self.seats), [], self.order
        for seat, face in zip(seats, faces, strict=True):
            if order is not None:
                face = order[0] if face is None else face
                if face != order[0]:
                    raise IllegalStep("another card is next")
                order = order[1:]
            elif face is not None:
                replace(self, hands=tuple(hands))._check_unseen(face)
            size, known = hands[seat]
            hands[seat] = (size + 1, known if face is None else known | {face})
            news.append(Drawn(seat, face))
        due = self.due[len(seats) :]
        phase = "deal" if due else "bid"
        return replace(
            self,
            hands=tuple(hands),
            order=order,
            pile=self.pile - len(seats),
            due=due,
            phase=phase,
            news=tuple(news),
        )

    def _choose(self, actions: tuple[Action, ...]) -> BidState:
        if len(actions) != self.seats:
            raise IllegalStep("everybody bids")
        hands = list(self.hands)
        for seat, action in enumerate(actions):
            size, known = hands[seat]
            if not isinstance(action, Bid) or action.card not in known or type(action.bold) is not bool:
                raise IllegalStep("that card is not in the hand")
            hands[seat] = (size - 1, known - {action.card})
        bids = tuple(action for action in actions if isinstance(action, Bid))
        shown = self.shown - {bid.card for bid in bids}
        return replace(self, hands=tuple(hands), bids=bids, shown=shown, phase="chance")

    def _score(self, high: bool) -> BidState:
        cards = [bid.card for bid in self.bids]
        seat = cards.index(max(cards) if high else min(cards))
        points = 2 if self.bids[seat].bold else 1
        scores = tuple(
            score + points * (each == seat) for each, score in enumerate(self.scores or (0,) * self.seats)
        )
        after = replace(
            self,
            scores=scores,
            bids=(),
            discards=(*self.discards, *cards),
            round=self.round + 1,
            phase="deal",
            due=tuple(range(self.seats)),
            news=(Scored(seat, points),),
        )
        if after.round < ROUNDS:
            return after
        best = tuple(seat for seat, score in enumerate(scores) if score == max(scores))
        return after._ended(best, POINTS)

    def _ended(self, winners: tuple[Seat, ...], reason: str) -> BidState:
        news = (*self.news, GameEnded(winners, reason))
        return replace(self, over=Over(winners, reason), news=news)

    def _check_unseen(self, card: Card) -> None:
        seen = {*self.discards, *(bid.card for bid in self.bids), *(self.order or ())}
        for _, known in self.hands:
            seen |= known
        if card not in range(len(NAMES)) or card in seen:
            raise IllegalStep("that card cannot be there")

    def legal_actions(self, seat: Seat) -> tuple[Action, ...]:
        if not isinstance(self.need, Choose) or seat not in range(self.seats):
            return ()
        size, known = self.hands[seat]
        if len(known) < size:
            raise IllegalStep("that hand is hidden")
        return tuple(Bid(card, bold) for card in sorted(known) for bold in (False, True))

    def sample(self, below: Below) -> Outcome:
        if not isinstance(self.need, Chance):
            raise IllegalStep("nothing is drawn now")
        return Wins(below(2) == 1)

    def hand(self, seat: Seat) -> Hand:
        if seat not in range(self.seats):
            raise IllegalStep("no such seat")
        size, known = self.hands[seat] if self.hands else (0, frozenset())
        return Hand(size, tuple(sorted(known)), tuple(sorted(known & self.shown)))

    def opens(self, seat: Seat, action: Action) -> tuple[Card, ...]:
        return (action.card,) if isinstance(action, Bid) else ()

    def reveal(self, seat: Seat, cards: Iterable[Card], *, publicly: bool) -> BidState:
        if seat not in range(self.seats):
            raise IllegalStep("no such seat")
        cards = tuple(cards)
        if len(set(cards)) < len(cards):
            raise IllegalStep("a card is named twice")
        size, known = self.hands[seat] if self.hands else (0, frozenset())
        for card in cards:
            if card not in known:
                if len(known) == size:
                    raise IllegalStep("that card is not in the hand")
                self._check_unseen(card)
                known = known | {card}
        hands = tuple((size, known) if each == seat else hand for each, hand in enumerate(self.hands))
        return replace(self, hands=hands, shown=self.shown | set(cards) if publicly else self.shown)

    def view(self, seat: Seat | None) -> BidState:
        if seat is not None and seat not in range(self.seats):
            raise IllegalStep("no such seat")
        hands = tuple(
            (size, known if owner == seat else known & self.shown)
            for owner, (size, known) in enumerate(self.hands)
        )
        news = tuple(
            Drawn(event.seat, None) if isinstance(event, Drawn) and event.seat != seat else event
            for event in self.news
        )
        return replace(self, hands=hands, order=None, news=news)


class Bids(Game):
    """The game."""

    name = "bids"
    title = "Bids"
    seats = range(3, 6)
    options: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    deck = NAMES
    rules = "Bid."
    notation = "bid 7 boldly"
    bots: ClassVar[Mapping[str, Bot]] = {
        "random": lambda state, seat, rng: rng.choice(state.legal_actions(seat)),
        "greedy": lambda state, seat, _: state.legal_actions(seat)[-1],
    }

    def initial(self, seats: int, options: Mapping[str, str]) -> BidState:
        if seats not in self.seats or options:
            raise IllegalStep("three to five, no options")
        return BidState(seats)

    def parse(self, text: str) -> Action:
        match text.split(" "):
            case ["bid", number, how] if number in map(str, range(13)) and how in ("boldly", "shyly"):
                return Bid(int(number), how == "boldly")
        raise MalformedNotation("no bid")

    def write(self, action: Action) -> str:
        assert isinstance(action, Bid)
        return f"bid {action.card} {'boldly' if action.bold else 'shyly'}"

    def save(self, state: State) -> dict[str, Any]:
        assert isinstance(state, BidState)
        named = [[size, sorted(NAMES[card] for card in known)] for size, known in state.hands]
        return {
            "seats": state.seats,
            "phase": state.phase,
            "hands": named,
            "pile": state.pile,
            "order": None if state.order is None else [NAMES[card] for card in state.order],
            "discards": list(state.discards),
            "bids": [[bid.card, bid.bold] for bid in state.bids],
            "shown": sorted(state.shown),
            "scores": list(state.scores),
            "round": state.round,
            "due": list(state.due),
            "over": state.over and [list(state.over.winners), state.over.reason],
        }

    def load(self, data: Mapping[str, Any]) -> State:
        return BidState(
            data["seats"],
            data["phase"],
            tuple((size, frozenset(map(NAMES.index, names))) for size, names in data["hands"]),
            data["pile"],
            None if data["order"] is None else tuple(map(NAMES.index, data["order"])),
            tuple(data["discards"]),
            tuple(Bid(card, bold) for card, bold in data["bids"]),
            frozenset(data["shown"]),
            tuple(data["scores"]),
            data["round"],
            tuple(data["due"]),
            data["over"] and Over(tuple(data["over"][0]), data["over"][1]),
        )

    def record(self, events: Sequence[Event]) -> dict[str, Any]:
        return {"events": [_row(event) for event in events]}

    def tell(self, event: Event, names: Sequence[str]) -> str:
        match event:
            case Drawn(seat, card):
                what = Phrase("a card") if card is None else NAMES[card]
                return Phrase("{name} draws {card}.", name=names[seat], card=what)
            case Scored(seat, points):
                return Phrase("{name} scores {points}.", name=names[seat], points=points)
            case _:
                return ""


def _row(event: Event) -> dict[str, Any]:
    match event:
        case Drawn(_, None):
            raise IllegalStep("a card is hidden")
        case Drawn(seat, card) if card is not None:
            return {"type": "draw", "seat": seat, "card": NAMES[card]}
        case Scored(seat, points):
            return {"type": "score", "seat": seat, "points": points}
        case _:
            return happened.row(event)


def any_bot(state: State, seat: Seat, rng: random.Random) -> Action:
    """For tests that want a bot in each seat."""
    return rng.choice(state.legal_actions(seat))
