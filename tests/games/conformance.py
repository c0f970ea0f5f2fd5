"""What every game must keep to, whatever its rules: the promises of ``bcnet/games/interface.py``, checked in play.

A game is played at random on several *tracks* at once: the one that knows all faces, the one that knows what
everybody knows, and one for each seat. They are fed as a table feeds them, and at each position they must agree.
``test_conformance.py`` runs this for every registered game; a game's own tests may run it on positions of their own.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, cast

import pytest

from bcnet.errors import IllegalStep, MalformedNotation
from bcnet.games.interface import (
    Action,
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
    Need,
    Over,
    Resigned,
    Seat,
    Shuffle,
    Shuffled,
    State,
    Step,
    deciding,
)
from bcnet.games.simulate import walk
from tests.games.saves import check_saved
from tests.games.sayings import check_record, check_record_hides_nothing, check_refusal, check_told

MOST_STEPS = 5000
"""A random game that takes longer than this is taken never to end."""

MOST_WRITTEN = 200
"""Where a seat can choose among more than twice as many actions, only about so many are written and read again."""


class Tracks:
    """One game at random, as the onlooker, each player and the audit see it."""

    def __init__(self, game: Game, seats: int, options: Mapping[str, str], seed: int) -> None:
        self.game = game
        self.rng = random.Random(seed)
        self.seats = range(seats)
        self.first = self.full = game.initial(seats, options)
        self.public = game.initial(seats, options)
        self.own = [game.initial(seats, options) for _ in self.seats]
        self.pile: list[Card] = []
        self.steps: list[Step] = []
        self.public_events: list[Event] = []

    def play(self) -> Iterator[Need]:
        """Play to the end; before each step its need is yielded, and at last `Over`."""
        while not isinstance(need := self.full.need, Over):
            assert len(self.steps) < MOST_STEPS, "this game does not end"
            yield need
            self.answer(need)
        yield need

    def answer(self, need: Need) -> None:
        """Take one random step."""
        match need:
            case Chance():
                self._take(self.full.sample(self.rng.randrange))
            case Shuffle(cards):
                self.pile = list(cards)
                self.rng.shuffle(self.pile)
                order = tuple(self.pile)
                self._take(Shuffled(order), hidden=Shuffled())
            case Deal(seats):
                assert 0 < len(seats) <= len(self.pile)
                dealt = tuple(self.pile[: len(seats)])
                del self.pile[: len(seats)]
                self._take(
                    Dealt(dealt),
                    hidden=Dealt((None,) * len(dealt)),
                    own=[
                        Dealt(tuple(c if to == seat else None for to, c in zip(seats, dealt, strict=True)))
                        for seat in self.seats
                    ],
                )
            case Decide(seat):
                action = self.rng.choice(self.full.legal_actions(seat))
                self._open(seat, action)
                self._take(action)
            case Choose(seats):
                actions = tuple(self.rng.choice(self.full.legal_actions(seat)) for seat in seats)
                for seat, action in zip(seats, actions, strict=True):
                    self._open(seat, action)
                self._take(Chosen(actions))
            case Over():
                raise AssertionError("the game is over")

    def _open(self, seat: Seat, action: Action) -> None:
        """All that the rules want shown for an action is shown to everybody."""
        cards = self.full.opens(seat, action)
        assert list(cards) == sorted(set(cards))
        assert set(cards) <= set(self.full.hand(seat).known)
        self.public = self.public.reveal(seat, cards, publicly=True)
        self.own = [state.reveal(seat, cards, publicly=True) for state in self.own]

    def _take(self, step: Step, hidden: Step | None = None, own: list[Dealt] | None = None) -> None:
        self.steps.append(step)
        self.full = self.full.apply(step)
        self.public = self.public.apply(hidden or step)
        self.public_events += self.public.news
        for seat in self.seats:
            self.own[seat] = self.own[seat].apply(own[seat] if own else hidden or step)

    def all(self) -> list[State]:
        """Every track, the full one first."""
        return [self.full, self.public, *self.own]


def check_game(game: Game, seats: int, options: Mapping[str, str], seed: int) -> None:
    """Play one game at random and check everything below."""
    tracks = Tracks(game, seats, options, seed)
    pool = Pool(game, seats, options)
    texts: set[str] = set()
    met: Counter[frozenset[type[Action]]] = Counter()
    for count, need in enumerate(tracks.play()):
        check_tracks_agree(tracks)
        check_hands(tracks)
        check_legal_actions(tracks, need)
        check_nothing_leaks(tracks)
        check_told(game, tracks.full)
        check_hidden_hands_decide_nothing(tracks, need)
        kinds = frozenset(type(a) for seat in deciding(need) for a in tracks.full.legal_actions(seat))
        met[kinds] += 1
        if met[kinds] <= 4 or count % 6 == seed % 6:
            check_illegal_steps(tracks, need, pool.some(tracks.rng, 1))
        if count % 7 == seed % 7 or isinstance(need, Over) or count < 8:
            check_values(tracks)
            check_resigning(tracks, need)
            check_revealing(tracks)
        if count % 16 == seed % 16:
            check_going_on(tracks, need)
        texts |= {game.write(a) for seat in deciding(need) for a in spread(tracks.full.legal_actions(seat))}
    check_notation(game, sorted(texts), tracks.rng)
    assert isinstance(tracks.full.need, Over)
    assert set(tracks.full.need.winners) <= set(tracks.seats)
    rows = check_record(game, tracks.first, tracks.steps)
    check_record_hides_nothing(game, tracks.public_events, rows)


# --- what must hold at each position ---


def check_tracks_agree(tracks: Tracks) -> None:
    """The public track and the players' tracks are the views of the full one, news included."""
    assert tracks.public == tracks.full.view(None)
    assert tracks.public.news == tracks.full.view(None).news
    for seat, own in zip(tracks.seats, tracks.own, strict=True):
        assert own == tracks.full.view(seat)
        assert own.news == tracks.full.view(seat).news
        assert own == tracks.public.reveal(seat, own.hand(seat).known, publicly=False)
        assert own.legal_actions(seat) == tracks.full.legal_actions(seat)
    assert len({repr(state.need) for state in tracks.all()}) == 1
    assert tracks.full.view(None).view(None) == tracks.full.view(None)


def check_hands(tracks: Tracks) -> None:
    """Hands are as the interface describes them, on every track."""
    for state in tracks.all():
        for seat in tracks.seats:
            hand = state.hand(seat)
            assert hand.size == len(tracks.full.hand(seat).known) == tracks.full.hand(seat).size
            assert list(hand.known) == sorted(set(hand.known))
            assert list(hand.shown) == sorted(set(hand.shown))
            assert set(hand.shown) <= set(hand.known) <= set(tracks.full.hand(seat).known)
            assert hand.shown == tracks.full.hand(seat).shown


def check_values(tracks: Tracks) -> None:
    """States are values: hashable, unchangeable, equal to a state saved and loaded."""
    for state in tracks.all():
        hash(state)
        for name in _fields(state):
            with pytest.raises((AttributeError, TypeError)):
                setattr(state, name, getattr(state, name))
        check_saved(tracks.game, state)


def check_nothing_leaks(tracks: Tracks) -> None:
    """No view holds a face that it should not know, and nothing that is told of it names one."""
    deck = tracks.game.deck
    for seat, view in ((None, tracks.full.view(None)), *((s, tracks.full.view(s)) for s in tracks.seats)):
        unseen = set(tracks.pile)
        for owner in tracks.seats:
            hand = tracks.full.hand(owner)
            known = hand.shown if owner != seat else hand.known
            unseen |= set(hand.known) - set(known)
            assert view.hand(owner).known == known
        text = json.dumps(tracks.game.save(view)) + repr(view.news)
        for card in unseen:
            assert f'"{deck[card]}"' not in text, f"the view of seat {seat} shows {deck[card]}"
        assert not unseen & _cards_of_news(view)
        check_told(tracks.game, view, [deck[card] for card in unseen])

        # A world that differs only in what the seat cannot see looks the same to it.
        hidden = sorted(unseen)
        tracks.rng.shuffle(hidden)
        world = view
        for owner in tracks.seats:
            missing = view.hand(owner).size - len(view.hand(owner).known)
            world = world.reveal(owner, hidden[:missing], publicly=False)
            del hidden[:missing]
        again = world.view(seat)
        assert again == view
        assert repr(again) == repr(view)
        assert tracks.game.save(again) == tracks.game.save(view)


def check_legal_actions(tracks: Tracks, need: Need) -> None:
    """Legal actions are distinct, can be applied and written, and are given to those who decide and nobody else."""
    state, game = tracks.full, tracks.game
    asked = deciding(need)
    for seat in tracks.seats:
        actions = state.legal_actions(seat)
        assert bool(actions) == (seat in asked)
        assert len(set(actions)) == len(actions)
        assert actions == state.legal_actions(seat)
        for action in spread(actions):
            text = game.write(action)
            assert text.isascii()
            assert 0 < len(text) <= 200
            assert game.parse(text) == action
        if isinstance(need, Decide):
            for action in _some(tracks.rng, actions, 12):
                shown = tracks.public.reveal(seat, state.opens(seat, action), publicly=True)
                assert shown.apply(action) == state.apply(action).view(None)


class Pool:
    """Actions that were legal somewhere, of every kind."""

    def __init__(self, game: Game, seats: int, options: Mapping[str, str], games: int = 6) -> None:
        self._kinds: dict[type[Action], list[Action]] = {}
        seen: set[Action] = set()
        for seed in range(games):
            start = game.initial(seats, options)
            for _, state in islice(walk(start, random.Random(seed)), MOST_STEPS):
                for seat in range(seats):
                    seen.update(spread(state.legal_actions(seat)))
        for action in sorted(seen, key=game.write):
            self._kinds.setdefault(type(action), []).append(action)

    def some(self, rng: random.Random, of_a_kind: int) -> list[Action]:
        """So many of each kind."""
        return [a for kind in self._kinds.values() for a in rng.sample(kind, min(of_a_kind, len(kind)))]


def check_illegal_steps(tracks: Tracks, need: Need, others: Iterable[Action]) -> None:
    """Every step but the one needed is refused, and so is every action but the legal ones.

    ``others`` are actions that were legal elsewhere; with them, some that are legal here, and all their mutants are
    tried.
    """
    here = [a for seat in deciding(need) for a in tracks.full.legal_actions(seat)]
    others = [*others, *_some(tracks.rng, tuple(here), 3)]
    state = tracks.full
    kinds: list[tuple[type[Need], Step]] = [
        (Shuffle, Shuffled()),
        (Deal, Dealt((None,))),
        (Choose, Chosen(())),
    ]
    for kind, step in kinds:
        if not isinstance(need, kind):
            refuse(tracks.game, state.apply, step)
    if not isinstance(need, Chance):
        refuse(tracks.game, state.sample, tracks.rng.randrange)
    match need:
        case Shuffle(cards):
            for order in (cards[1:], (*cards, cards[0]), (*cards[1:], cards[1]), (*cards[1:], 255), (-1,)):
                refuse(tracks.game, state.apply, Shuffled(order))
        case Deal(seats):
            top, bottom = tracks.pile[0], tracks.pile[-1]
            right = tuple(tracks.pile[: len(seats)])
            for dealt in (right[1:], (*right, bottom), (255, *right[1:]), (-1, *right[1:])):
                refuse(tracks.game, state.apply, Dealt(dealt))
            if top != bottom:
                refuse(tracks.game, state.apply, Dealt((bottom, *right[1:])))
            for seat in tracks.seats:
                known = tracks.full.hand(seat).known
                if known and seat in seats:
                    faces = tuple(known[0] if to == seat else None for to in seats)
                    refuse(tracks.game, tracks.own[seat].apply, Dealt(faces))
        case Decide(seat):
            legal = set(state.legal_actions(seat))
            for action in {mutant for other in others for mutant in (other, *mutants(other))} - legal:
                refuse(tracks.game, state.apply, action)
        case Choose(seats):
            refuse(tracks.game, state.apply, Chosen((state.legal_actions(seats[0])[0],) * (len(seats) + 1)))
            for index, seat in enumerate(seats):
                right_ones = [state.legal_actions(each)[0] for each in seats]
                legal = set(state.legal_actions(seat))
                for action in {mutant for other in others for mutant in (other, *mutants(other))} - legal:
                    chosen = (*right_ones[:index], action, *right_ones[index + 1 :])
                    refuse(tracks.game, state.apply, Chosen(chosen))
        case Chance() | Over():
            pass
    if not isinstance(need, Decide):
        for action in others:
            refuse(tracks.game, state.apply, action)


def check_resigning(tracks: Tracks, need: Need) -> None:
    """Anybody can give up at any time before the end, and the randomness can run out."""
    everybody = tuple(tracks.seats)
    for state in tracks.all():
        for seat in tracks.seats:
            if isinstance(need, Over):
                refuse(tracks.game, state.apply, Resigned((seat,)))
                continue
            after = state.apply(Resigned((seat,)))
            check_told(tracks.game, after)
            if len(everybody) == 2:
                assert isinstance(after.need, Over)
            if isinstance(after.need, Over):
                assert seat not in after.need.winners
        if isinstance(need, Over):
            refuse(tracks.game, state.apply, Exhausted())
            continue
        for end in (state.apply(Resigned(everybody)), state.apply(Exhausted())):
            assert isinstance(end.need, Over)
            assert end.need.winners == ()
            check_told(tracks.game, end)
        for seats in ((), everybody[::-1], (len(everybody),), (-1,), (0, 0)):
            refuse(tracks.game, state.apply, Resigned(seats))


def check_going_on(tracks: Tracks, need: Need) -> None:
    """Where the others go on, whoever resigned is asked nothing more, is dealt nothing, and cannot win."""
    if isinstance(need, Over) or len(tracks.seats) == 2:
        return
    rng = random.Random(len(tracks.steps))
    gone = rng.choice(tracks.seats)
    left = tracks.full.apply(Resigned((gone,)))
    if isinstance(left.need, Over):
        return
    refuse(tracks.game, left.apply, Resigned((gone,)))
    check_saved(tracks.game, left)
    check_told(tracks.game, left)
    states = [left, *(state for _, state in islice(walk(left, rng), MOST_STEPS))]
    for state in states:
        assert gone not in _named(state.need), f"seat {gone} has resigned and is named"
        assert state.legal_actions(gone) == ()
    assert isinstance(states[-1].need, Over), "this game does not end"


def check_revealing(tracks: Tracks) -> None:
    """What cannot be is not taken for true: a card known elsewhere, one too many, one that does not exist."""
    for seat in tracks.seats:
        hand = tracks.full.hand(seat)
        own = tracks.own[seat]
        for card in {-1, len(tracks.game.deck), *range(len(tracks.game.deck))} - set(hand.known):
            refuse(tracks.game, own.reveal, seat, (card,), publicly=True)
        for other_seat in tracks.seats:
            other_hand = own.hand(other_seat)
            if other_seat != seat and len(other_hand.known) < other_hand.size:
                for card in hand.known:
                    refuse(tracks.game, own.reveal, other_seat, (card,), publicly=True)
        if hand.known:
            other = tracks.own[1 - seat] if len(tracks.seats) == 2 else tracks.public
            assert other.reveal(seat, hand.known, publicly=True).hand(seat).shown == hand.known
            refuse(tracks.game, own.reveal, seat, hand.known[:1] * 2, publicly=True)
    for state in tracks.all():
        for wrong in (len(tracks.seats), -1):
            refuse(tracks.game, state.hand, wrong)
            refuse(tracks.game, state.view, wrong)
            refuse(tracks.game, state.reveal, wrong, (), publicly=True)


def check_hidden_hands_decide_nothing(tracks: Tracks, need: Need) -> None:
    """A state that does not know the hand of whoever decides says so, or its answer is the same for all hands."""
    for seat in deciding(need):
        hand = tracks.public.hand(seat)
        if len(hand.known) == hand.size:
            continue
        try:
            actions = tracks.public.legal_actions(seat)
        except IllegalStep:
            continue
        assert actions == tracks.full.legal_actions(seat)


def check_notation(game: Game, texts: Iterable[str], rng: random.Random) -> None:
    """Every text has one spelling: what `parse` takes is what `write` gives, and all else is refused."""
    for text in texts:
        words = text.split(" ")
        for mutant in (
            f" {text}",
            f"{text} ",
            text.replace(" ", "  ", 1) + ("  " if " " not in text else ""),
            text.upper(),
            text.replace(" ", "\t", 1) + ("\t" if " " not in text else ""),
            f"{text}\n",
            " ".join((words[0], *reversed(words[1:]))),
            " ".join((words[0], *(f"0{word}" for word in words[1:]))),
            " ".join((*words, words[-1])),
            " ".join(words[:-1]),
            text[: rng.randrange(len(text))],
            text.replace("1", "\N{SUPERSCRIPT ONE}").replace("2", "\N{ARABIC-INDIC DIGIT TWO}"),
        ):
            with contextlib.suppress(MalformedNotation):
                assert game.write(game.parse(mutant)) == mutant


# --- helpers ---


def refuse(game: Game, attempt: Callable[..., object], *arguments: object, **named: object) -> None:
    """It is refused, with a reason that can be read."""
    with pytest.raises(IllegalStep) as refusal:
        attempt(*arguments, **named)
    check_refusal(game, refusal.value)


def mutants(action: Action) -> Iterator[Action]:
    """Actions one step away: each field a little different, or nonsense."""
    for field in _data_fields(action):
        value = getattr(action, field)
        for changed in _changed(value):
            yield dataclasses.replace(cast(Any, action), **{field: changed})


def _changed(value: Any) -> Iterator[Any]:
    match value:
        case int():
            yield from (value - 1, value + 1, 0, -1, 99)
        case str():
            yield from ("", value + value)
        case tuple():
            yield from ((), value[1:], value[::-1], (*value, 0), value + value[:1])
            for index, item in enumerate(value):
                for changed in _changed(item):
                    yield (*value[:index], changed, *value[index + 1 :])
        case _:
            pass


def _cards_of_news(state: State) -> set[Card]:
    """All numbers in fields of the news that are called after cards."""
    found: set[Card] = set()
    for event in state.news:
        for field in _data_fields(event):
            if field in ("card", "cards", "order", "discarded"):
                value = getattr(event, field)
                found |= {
                    card for card in (value if isinstance(value, tuple) else (value,)) if card is not None
                }
    return found


def _named(need: Need) -> tuple[Seat, ...]:
    """The seats that a need asks something of or gives something to, or that win."""
    match need:
        case Deal(seats):
            return seats
        case Over(winners, _):
            return winners
        case _:
            return deciding(need)


def _fields(state: State) -> list[str]:
    """The fields of a state, which may be a dataclass or a named tuple."""
    return list(getattr(state, "_fields", ())) or _data_fields(state)


def _data_fields(value: object) -> list[str]:
    """The fields of a dataclass; actions and events are all that (``bcnet/games/interface.py``)."""
    return [field.name for field in dataclasses.fields(cast(Any, value))]


def spread(actions: tuple[Action, ...]) -> tuple[Action, ...]:
    """All actions, or where there are very many, some from all over their order, the last one included."""
    return actions[:: -max(1, len(actions) // MOST_WRITTEN)]


def _some(rng: random.Random, actions: tuple[Action, ...], most: int) -> list[Action]:
    return rng.sample(actions, min(most, len(actions)))
