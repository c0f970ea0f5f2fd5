"""Plays any game without a table: a `random.Random` is chance, the dealer, and whoever has no bot.

For bots, teachers, statistics and tests. All faces are known to the state that is played; a bot is shown its own view.

    python -c "import random; from bcnet.games import get, play; print(play(get('balloon-cup'), random.Random(1)).over)"
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bcnet.games.interface import (
    Action,
    Bot,
    Card,
    Chance,
    Choose,
    Chosen,
    Deal,
    Dealt,
    Decide,
    Event,
    Game,
    Over,
    Seat,
    Shuffle,
    Shuffled,
    State,
    Step,
)


@dataclass(frozen=True, slots=True)
class Played:
    """A whole game."""

    first: State
    steps: tuple[Step, ...]
    last: State
    events: tuple[Event, ...]

    @property
    def over(self) -> Over:
        """How it ended."""
        need = self.last.need
        assert isinstance(need, Over)
        return need


def play(
    game: Game,
    rng: random.Random,
    *,
    seats: int | None = None,
    options: Mapping[str, str] | None = None,
    bots: Sequence[Bot | None] = (),
) -> Played:
    """Play one game to its end. ``seats`` is the smallest number if not given; seats without a bot choose among
    their legal actions at random.
    """
    seats = game.seats[0] if seats is None else seats
    if bots and len(bots) != seats:
        raise ValueError("one bot a seat, or None")
    first = game.initial(seats, options or {})
    steps = []
    events: list[Event] = []
    last = first
    for step, last in walk(first, rng, bots=bots):
        steps.append(step)
        events += last.news
    return Played(first, tuple(steps), last, tuple(events))


def walk(
    state: State, rng: random.Random, *, bots: Sequence[Bot | None] = ()
) -> Iterator[tuple[Step, State]]:
    """Play on from a state that knows all faces, and yield each step with the state it led to."""
    dealer = Dealer()
    while True:
        need = state.need
        step: Step
        match need:
            case Decide(seat):
                step = _decide(state, seat, rng, bots)
            case Deal(receivers):
                step = dealer.deal(len(receivers))
            case Choose(choosing):
                step = Chosen(tuple(_decide(state, seat, rng, bots) for seat in choosing))
            case Chance():
                step = state.sample(rng.randrange)
            case Shuffle(cards):
                step = dealer.shuffle(cards, rng)
            case Over():
                return
        state = state.apply(step)
        yield step, state


class Dealer:
    """The pile, for whoever drives a game: ``pile`` at first, top card first, later what it has shuffled."""

    def __init__(self, pile: Iterable[Card] = ()) -> None:
        self._pile = tuple(pile)
        self._next = 0

    def shuffle(self, cards: Sequence[Card], rng: random.Random) -> Shuffled:
        """Answer a `Shuffle` need."""
        pile = list(cards)
        rng.shuffle(pile)
        self._pile, self._next = tuple(pile), 0
        return Shuffled(self._pile)

    def deal(self, count: int) -> Dealt:
        """Answer a `Deal` need for so many cards; not knowing the pile, leave them to a state that does."""
        cards = self._pile[self._next : self._next + count]
        self._next += count
        return Dealt(cards or (None,) * count)


def _decide(state: State, seat: Seat, rng: random.Random, bots: Sequence[Bot | None]) -> Action:
    bot = bots[seat] if bots else None
    if bot is None:
        return rng.choice(state.legal_actions(seat))
    return bot(state.view(seat), seat, rng)
