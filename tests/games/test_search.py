"""The search: it sees what its seat sees, keeps to its budget, repeats with a seed, and finds what there is to find."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from bcnet.games import get
from bcnet.games.interface import Bot, Choose, Decide, Seat, Sense, State
from bcnet.games.search import Budget, at_a_glance, imagine, search, thinking
from tests.games.balloon_cup.positions import position
from tests.games.bids import Bids
from tests.games.conformance import Tracks

GAME = get("balloon-cup")
assert GAME.sense is not None
SENSE: Sense = GAME.sense
FEW = Budget(iterations=12)


def decisions(seed: int, every: int = 1) -> Iterator[tuple[Tracks, Seat]]:
    """A random game at its decisions."""
    tracks = Tracks(GAME, 2, {}, seed)
    count = 0
    for need in tracks.play():
        if isinstance(need, Decide):
            count += 1
            if count % every == 0:
                yield tracks, need.seat


def other_world(tracks: Tracks, seat: Seat, rng: random.Random) -> State:
    """Another full position that looks the same to the seat: hidden hands and pile mixed anew."""
    view = tracks.full.view(seat)
    theirs = set(tracks.full.hand(1 - seat).known) - set(view.hand(1 - seat).known)
    hidden = [*tracks.pile, *theirs]
    rng.shuffle(hidden)
    return view.reveal(1 - seat, hidden[: len(theirs)], publicly=False)


@pytest.mark.parametrize(
    "bot",
    [at_a_glance(SENSE), at_a_glance(SENSE, looks=2), thinking(SENSE, FEW)],
    ids=["glance", "two looks", "thinking"],
)
def test_what_a_seat_cannot_see_changes_nothing(bot: Bot) -> None:
    """The bot is handed positions in which everything is known; they differ in what its seat cannot see alone."""
    rng = random.Random(3)
    different = 0
    for tracks, seat in decisions(seed=5, every=3):
        world = other_world(tracks, seat, rng)
        assert world.view(seat) == tracks.full.view(seat)
        different += world.hand(1 - seat) != tracks.full.hand(1 - seat)
        here, there = (bot(state, seat, random.Random(7)) for state in (tracks.full, world))
        assert here == there
    assert different > 15, "the two positions did differ"


def test_it_is_legal_everywhere() -> None:
    bot = thinking(SENSE, FEW)
    for fill in GAME.options["fill"]:
        tracks = Tracks(GAME, 2, {"fill": fill}, 24)
        for need in tracks.play():
            if isinstance(need, Decide):
                view = tracks.own[need.seat]
                assert bot(view, need.seat, random.Random(1)) in view.legal_actions(need.seat)


def test_imagined_positions_look_like_the_view() -> None:
    for tracks, seat in decisions(seed=8, every=6):
        view = tracks.full.view(seat)
        unseen = SENSE.unseen(view)
        assert sorted(
            {*tracks.pile, *set(tracks.full.hand(1 - seat).known) - set(view.hand(1 - seat).known)}
        ) == list(unseen)
        state, dealer = imagine(view, unseen, 2, random.Random(1))
        assert state.view(seat) == view
        assert all(len(state.hand(each).known) == state.hand(each).size for each in range(2))
        held = set(state.hand(1 - seat).known)
        if tracks.pile:
            dealt = {card for card in dealer.deal(len(tracks.pile)).cards if card is not None}
            assert len(dealt) == len(tracks.pile)
            assert sorted(dealt | held & set(unseen)) == list(unseen)
            assert not dealt & held


@pytest.mark.statistics
def test_every_unseen_card_is_imagined_equally_often() -> None:
    tracks, seat = next(decisions(seed=8))
    view = tracks.full.view(seat)
    unseen = SENSE.unseen(view)
    rng = random.Random(1)
    rounds = 1000
    held = Counter(
        card for _ in range(rounds) for card in imagine(view, unseen, 2, rng)[0].hand(1 - seat).known
    )
    expected = rounds * view.hand(1 - seat).size / len(unseen)
    deviation = (expected * (1 - view.hand(1 - seat).size / len(unseen))) ** 0.5
    assert set(held) == set(unseen)
    assert all(abs(count - expected) < 5 * deviation for count in held.values())


def test_the_same_seed_finds_the_same() -> None:
    tracks, seat = next(decisions(seed=8, every=5))
    one, same, other = (
        search(tracks.full, seat, SENSE, random.Random(seed), Budget(60)) for seed in (1, 1, 2)
    )
    assert one == same
    assert one != other


def test_it_keeps_to_its_iterations() -> None:
    tracks, seat = next(decisions(seed=8, every=5))
    findings = search(tracks.full, seat, SENSE, random.Random(1), Budget(37))
    assert sum(finding.visits for finding in findings) == 37
    assert {finding.action for finding in findings} == set(tracks.full.legal_actions(seat))
    assert [finding.visits for finding in findings] == sorted((f.visits for f in findings), reverse=True)
    assert all(0 <= finding.chance <= 1 for finding in findings)


def test_it_keeps_to_its_time() -> None:
    tracks, seat = next(decisions(seed=8, every=5))
    ticks = iter(range(1000))
    budget = Budget(500, seconds=10, clock=lambda: float(next(ticks)))
    findings = search(tracks.full, seat, SENSE, random.Random(1), budget)
    assert sum(finding.visits for finding in findings) == 9, (
        "the first tick is the beginning, the eleventh the end"
    )


def test_without_time_it_still_says_what_is_best_at_a_glance() -> None:
    tracks, seat = next(decisions(seed=8, every=5))
    findings = search(tracks.full, seat, SENSE, random.Random(1), Budget(0))
    promised = SENSE.appraise(tracks.full.view(seat), seat, [finding.action for finding in findings])
    assert promised[0] == max(promised)


def test_it_takes_the_win_that_lies_on_the_table() -> None:
    state = position(
        {1: "mountain r | | r5", 4: "plains yyyg"},
        ("r6 y1 y2 y3 y5 y6 g1 g2", "y7 y8"),
        won=("6r", "3b"),
        trophies=("be", ""),
    )
    best, *_ = search(state, 0, SENSE, random.Random(1), Budget(80))
    assert GAME.write(best.action) == "play r6 1 0"
    assert best.chance > 0.95


def test_where_nothing_is_to_be_decided_it_says_so() -> None:
    tracks, seat = next(decisions(seed=8))
    with pytest.raises(ValueError, match="nothing to decide"):
        search(tracks.full, 1 - seat, SENSE, random.Random(1), FEW)


class _NoSense(Sense):
    def unseen(self, view: State) -> list[int]:
        return sorted(set(range(13)) - {*view.hand(0).known})

    def values(self, state: State) -> list[float]:
        return [0.5] * 3

    def appraise(self, state: State, seat: Seat, actions: object) -> list[float]:
        assert isinstance(actions, list | tuple)
        return [0.5] * len(actions)


def test_choices_made_in_secret_are_beyond_it() -> None:
    tracks = Tracks(Bids(), 3, {}, 1)
    next(need for need in tracks.play() if isinstance(need, Choose))
    with pytest.raises(NotImplementedError):
        search(tracks.full, 0, _NoSense(), random.Random(1), FEW)
