"""What holds at every position of every game, however it is played."""

from __future__ import annotations

import random
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from bcnet.games import play
from bcnet.games.interface import Over, Resigned
from bcnet.games.simulate import walk
from bcnet.games.stones.events import StoneLaid, StoneTakenBack
from bcnet.games.stones.material import COLOURS, FIRST_STONE, POINTS, SPAN, STONES_OF_A_COLOUR
from bcnet.games.stones.state import StonesState
from tests.games.stones.positions import GAME

SIDES = ((0, 1), (0, -1), (1, 0), (-1, 0))


def check_rules(state: StonesState) -> None:
    """The laying rules, asked of the whole field at once."""
    lying = {stone.place: stone.colour for stone in state.field.stones}
    for (column, row), colour in lying.items():
        around = Counter(lying[column + x, row + y] for x, y in SIDES if (column + x, row + y) in lying)
        assert colour not in around
        assert all(count <= 2 for count in around.values())
        for x, y in ((1, 1), (1, -1)):
            diagonal = [lying.get((column + x * at, row + y * at)) for at in range(4)]
            assert diagonal != [colour] * 4


def check_material(state: StonesState) -> None:
    """Twelve stones each, all in one piece and within the span."""
    places = [stone.place for stone in state.field.stones]
    assert len(set(places)) == len(places)
    for seat in state.everybody:
        for colour in COLOURS:
            laid = sum(stone[:2] == (seat, colour) for stone in state.field.stones)
            assert laid + state.supply(seat)[colour] == STONES_OF_A_COLOUR
    for axis in (0, 1):
        ends = [place[axis] for place in places] or [0]
        assert max(ends) - min(ends) < SPAN[len(state.everybody)]
    reached = set(places[:1])
    while more := {p for p in places if any((p[0] + x, p[1] + y) in reached for x, y in SIDES)} - reached:
        reached |= more
    assert len(reached) == len(places)


@given(st.sampled_from(GAME.seats), st.sampled_from(GAME.options["penalties"]), st.integers(0, 2**64))
@settings(max_examples=15, deadline=None)
def test_every_position(seats: int, penalties: str, seed: int) -> None:
    states = [state for _, state in walk(GAME.initial(seats, {"penalties": penalties}), random.Random(seed))]
    for state in states:
        assert isinstance(state, StonesState)
        check_material(state)
        if penalties == "off":
            check_rules(state)
    last = states[-1]
    assert isinstance(last, StonesState)
    assert isinstance(last.need, Over)
    assert last.need.winners == tuple(s for s in range(seats) if last.points[s] == max(last.points))


@given(st.sampled_from((3, 4)), st.sampled_from(GAME.options["penalties"]), st.integers(0, 2**64))
@settings(max_examples=15, deadline=None)
def test_the_field_and_the_points_stay_when_somebody_leaves(seats: int, penalties: str, seed: int) -> None:
    rng = random.Random(seed)
    start = GAME.initial(seats, {"penalties": penalties})
    before = rng.choice([state for _, state in walk(start, rng) if not isinstance(state.need, Over)])
    gone = rng.randrange(seats)
    left = before.apply(Resigned((gone,)))
    assert isinstance(before, StonesState)
    for state in (left, *(state for _, state in walk(left, rng))):
        assert isinstance(state, StonesState)
        check_material(state)
        assert state.points[gone] == before.points[gone]
        laid = [stone for stone in before.field.stones if stone.seat == gone]
        assert [stone for stone in state.field.stones if stone.seat == gone] == laid


@given(st.sampled_from(GAME.seats), st.integers(0, 2**64))
@settings(max_examples=15, deadline=None)
def test_the_points_are_those_of_the_stones(seats: int, seed: int) -> None:
    """Counted anew from the events of a game, pair by pair."""
    played = play(GAME, random.Random(seed), seats=seats, options={"penalties": "on"})
    assert isinstance(played.last, StonesState)
    lying: dict[tuple[int, int], int] = {}
    had: Counter[tuple[int, int]] = Counter()
    points = [0] * seats
    for event in played.events:
        match event:
            case StoneLaid(seat, colour, column, row, worth, doubled):
                had[seat, colour] += 1
                pairs = sum(
                    POINTS[colour][lying[column + x, row + y]]
                    for x, y in SIDES
                    if (column + x, row + y) in lying
                )
                due = (pairs if lying else FIRST_STONE) * (2 if had[seat, colour] == 3 else 1)
                assert (worth, doubled) == (due, had[seat, colour] == 3)
                lying[column, row] = colour
                points[seat] += worth
            case StoneTakenBack(seat, by, colour, column, row, worth, penalty):
                assert seat not in by
                had[seat, colour] -= 1
                del lying[column, row]
                points[seat] -= worth + penalty
            case _:
                pass
    assert tuple(points) == played.last.points


def test_the_greedy_bot_beats_chance() -> None:
    greedy = GAME.bots["greedy"]
    won = 0
    for seed in range(8):
        ours = seed % 2
        bots = [None, None]
        bots[ours] = greedy  # type: ignore[call-overload]
        over = play(GAME, random.Random(seed), bots=bots).over
        won += over.winners == (ours,)
    assert won >= 7
