"""Playing without a table."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from bcnet.games import get, play, simulate
from bcnet.games.interface import Action, Dealt, Decide, Event, Seat, Shuffled, State
from bcnet.games.simulate import Dealer, walk

GAME = get("balloon-cup")


def test_the_line_in_the_documentation_runs() -> None:
    """Each documented one-liner plays a game."""
    for text in (simulate.__doc__, sys.modules["bcnet.games"].__doc__):
        assert text is not None
        code = text.split('python -c "')[1].split('"')[0]
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout.startswith("Over(winners=")


def test_a_game_is_its_steps() -> None:
    played = play(GAME, random.Random(3))
    state = played.first
    events: list[Event] = []
    for step in played.steps:
        state = state.apply(step)
        events += state.news
    assert state == played.last
    assert tuple(events) == played.events
    assert played.over == state.need


def test_a_bot_sees_its_view_and_nothing_else() -> None:
    seen: list[tuple[Seat, State]] = []

    def spy(state: State, seat: Seat, rng: random.Random) -> Action:
        seen.append((seat, state))
        return rng.choice(state.legal_actions(seat))

    play(GAME, random.Random(1), bots=(spy, None))
    assert {seat for seat, _ in seen} == {0}
    for seat, state in seen:
        assert state == state.view(seat)
        assert len(state.hand(0).known) == state.hand(0).size
        assert state.hand(1).known == state.hand(1).shown


def test_options_are_passed_on() -> None:
    assert play(GAME, random.Random(1), options={"fill": "capped"}).first == GAME.initial(
        2, {"fill": "capped"}
    )


def test_going_on_from_the_middle() -> None:
    states = [state for _, state in walk(GAME.initial(2, {}), random.Random(1))]
    middle = next(state for state in states[60:] if isinstance(state.need, Decide))
    steps = [step for step, _ in walk(middle, random.Random(2))]
    assert any(isinstance(step, Dealt) for step in steps)


def test_a_dealer_deals_from_the_top_of_what_was_shuffled() -> None:
    dealer = Dealer()
    assert dealer.deal(2) == Dealt((None, None))
    shuffled = dealer.shuffle((1, 2, 3, 4, 5), random.Random(1))
    assert isinstance(shuffled, Shuffled)
    assert shuffled.order is not None
    assert sorted(shuffled.order) == [1, 2, 3, 4, 5]
    assert dealer.deal(2) == Dealt(shuffled.order[:2])
    assert dealer.deal(3) == Dealt(shuffled.order[2:])


@pytest.mark.parametrize("seed", range(3))
def test_a_seed_repeats_a_game(seed: int) -> None:
    normal = GAME.bots["normal"]
    first, second = (play(GAME, random.Random(seed), bots=(normal, normal)) for _ in range(2))
    assert first.steps == second.steps
