"""Finds a good action in a game with hidden cards and chance, knowing nothing but what the seat can see.

Single-observer information set Monte Carlo tree search (SO-ISMCTS; Cowling, Powley and Whitehouse, "Information Set
Monte Carlo Tree Search", IEEE Transactions on Computational Intelligence and AI in Games 4(2), 2012). Each iteration
imagines where the cards that the seat cannot see might be (a *determinization*), and walks down one tree that all
imagined positions share:

- At a decision it goes where the average result plus a bonus for what was seldom tried is highest (UCB1). An action
  may be legal in some of the imagined positions only, so the bonus counts how often it was *available*, not how often
  its parent was visited.
- Public chance is sampled, and each outcome has its own branch. Cards dealt are sampled too, but branch nowhere: they
  show in the actions that are available later.
- At a decision where nobody has been, the game's `Sense` says what the position is worth, in place of a random game to
  its end, and all nodes on the way learn it. The same sense says what each untried action promises; this counts like
  some visits (`_CONFIDENCE`), so that few iterations go to what is plainly bad.

This module knows no game, and no clock: who wants a limit in time hands one in (`Budget`). Games in which several
seats choose in secret (`Choose`) are beyond it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf, log, sqrt

from bcnet.games.interface import (
    Action,
    Bot,
    Card,
    Chance,
    Choose,
    Deal,
    Decide,
    Over,
    Seat,
    Sense,
    Shuffle,
    State,
    Step,
)
from bcnet.games.simulate import Dealer

_CURIOSITY = 0.1
"""The weight of the bonus for what was seldom tried, where results go from 0 to 1."""
_CONFIDENCE = 4.0
"""How many visits the first impression of an action counts."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a search may take: so many iterations, or so many seconds on a clock, whichever ends first.

    Without a clock the same seed finds the same action.
    """

    iterations: int
    seconds: float = inf
    clock: Callable[[], float] | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """What a search found out about one action."""

    action: Action
    visits: int
    chance: float
    """The average result for the seat, 1 for a win."""
    reply: Action | None
    """What was most often tried next, by whoever decided then."""


def search(state: State, seat: Seat, sense: Sense, rng: random.Random, budget: Budget) -> tuple[Finding, ...]:
    """All legal actions of a seat that has to decide, the best first: the one that was tried most often.

    ``state`` is brought down to ``state.view(seat)`` first, so nothing that the seat cannot see plays a part. Raises
    ValueError where the seat has nothing to decide.
    """
    view = state.view(seat)
    actions = view.legal_actions(seat)
    if not actions:
        raise ValueError(f"seat {seat} has nothing to decide here")
    root = _Node()
    root.visits = 1
    root.meet(actions, view, seat, sense)
    if len(actions) > 1:
        unseen = tuple(sense.unseen(view))
        seats = len(sense.values(view))
        end = inf if budget.clock is None else budget.clock() + budget.seconds
        for _ in range(budget.iterations):
            if budget.clock is not None and budget.clock() >= end:
                break
            _iterate(root, *imagine(view, unseen, seats, rng), sense, seats, rng)
    ranked = sorted(root.children.items(), key=lambda item: (item[1].visits, item[1].mean), reverse=True)
    return tuple(
        Finding(action, node.visits, node.mean, node.favourite())
        for action, node in ranked
        if isinstance(action, Action)
    )


def imagine(view: State, unseen: Sequence[Card], seats: int, rng: random.Random) -> tuple[State, Dealer]:
    """A position that looks like ``view`` to its owner: every hidden hand filled from the unseen cards, each way
    equally likely, and a dealer that has the others as the pile.
    """
    cards = list(unseen)
    rng.shuffle(cards)
    for seat in range(seats):
        hand = view.hand(seat)
        missing = hand.size - len(hand.known)
        if missing:
            view = view.reveal(seat, cards[:missing], publicly=False)
            del cards[:missing]
    return view, Dealer(cards)


def at_a_glance(sense: Sense, looks: int | None = None) -> Bot:
    """A bot that takes what promises most without looking ahead; of equally good actions any one. With ``looks`` it
    sees only so many of its actions, picked at random.
    """

    def choose(state: State, seat: Seat, rng: random.Random) -> Action:
        view = state.view(seat)
        actions = view.legal_actions(seat)
        if looks is not None and looks < len(actions):
            actions = tuple(rng.sample(actions, looks))
        promises = sense.appraise(view, seat, actions)
        best = max(promises)
        return rng.choice([action for action, each in zip(actions, promises, strict=True) if each == best])

    return choose


def thinking(sense: Sense, budget: Budget) -> Bot:
    """A bot that searches."""

    def choose(state: State, seat: Seat, rng: random.Random) -> Action:
        return search(state, seat, sense, rng, budget)[0].action

    return choose


class _Node:
    """What is known about one action, or one outcome of chance, at one place of the tree."""

    __slots__ = ("available", "children", "total", "visits", "weight")

    def __init__(self, impression: float = 0.0, weight: float = 0.0) -> None:
        self.visits = 0
        self.available = 0
        """How often it could have been chosen."""
        self.weight = weight
        """Visits, and those that the first impression counts."""
        self.total = weight * impression
        """The sum of all results, for the seat whose decision led here."""
        self.children: dict[Step, _Node] = {}

    @property
    def mean(self) -> float:
        """The average result."""
        return self.total / self.weight

    def select(self, actions: Sequence[Action], state: State, seat: Seat, sense: Sense) -> Action:
        """The action to try next. Those that are new here get their first impression."""
        known = list(map(self.children.get, actions))
        if None in known:
            self.meet(
                [action for action, node in zip(actions, known, strict=True) if node is None],
                state,
                seat,
                sense,
            )
            known = list(map(self.children.get, actions))
        best, found = -inf, actions[0]
        for action, child in zip(actions, known, strict=True):
            assert child is not None
            weight = child.weight
            child.available = available = child.available + 1
            score = (child.total + _CURIOSITY * sqrt(weight * log(available + 1))) / weight
            if score > best:
                best, found = score, action
        return found

    def meet(self, actions: Sequence[Action], state: State, seat: Seat, sense: Sense) -> None:
        """Form a first impression of actions that are new here."""
        for action, promise in zip(actions, sense.appraise(state, seat, actions), strict=True):
            self.children[action] = _Node(promise, _CONFIDENCE)

    def outcome(self, step: Step) -> _Node:
        """The branch of an outcome of chance."""
        child = self.children.get(step)
        if child is None:
            child = self.children[step] = _Node()
        return child

    def favourite(self) -> Action | None:
        """The action that was tried most often next, across all outcomes of chance in between."""
        visits: dict[Action, int] = {}
        nodes = [self]
        for node in nodes:
            for step, child in node.children.items():
                if isinstance(step, Action):
                    visits[step] = visits.get(step, 0) + child.visits
                else:
                    nodes.append(child)
        tried = {action: count for action, count in visits.items() if count}
        return max(tried, key=tried.__getitem__) if tried else None


def _iterate(root: _Node, state: State, dealer: Dealer, sense: Sense, seats: int, rng: random.Random) -> None:
    """One walk down the tree, and what it teaches."""
    node = root
    decider = 0
    path: list[tuple[_Node, Seat]] = []
    results: Sequence[float]
    while True:
        need = state.need
        step: Step
        match need:
            case Decide(decider):
                if not node.visits:
                    results = sense.values(state)
                    break
                actions = state.legal_actions(decider)
                step = node.select(actions, state, decider, sense)
                node = node.children[step]
                path.append((node, decider))
            case Deal(receivers):
                step = dealer.deal(len(receivers))
            case Chance():
                step = state.sample(rng.randrange)
                node = node.outcome(step)
                path.append((node, decider))
            case Shuffle(cards):
                step = dealer.shuffle(cards, rng)
            case Over(winners):
                share = 1 / len(winners or range(seats))
                results = [share if not winners or seat in winners else 0.0 for seat in range(seats)]
                break
            case Choose():
                raise NotImplementedError("choices made in secret are not searched")
        state = state.apply(step)
    for node, decider in path:
        node.visits += 1
        node.weight += 1
        node.total += results[decider]
