"""However entries travel, all tables come to the same log: properties over arbitrary schedules.

A schedule delivers what some wire holds next, or something again that was delivered before, lets somebody resign, kills
a program and brings it back from its log. What is left when it ends is played on in some order.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from bcnet.entry import place_of
from bcnet.errors import IllegalStep
from bcnet.games.interface import Over
from bcnet.record import events_of
from bcnet.verify import Verdict, examine
from tests.table.quick import quick_proofs
from tests.table.room import Room, at_random, come_back, lookup
from tests.toy import ShortToy, Toy

Step = tuple[str, int]

QUICKLY = (Phase.explicit, Phase.reuse, Phase.generate)
"""A failing schedule is shown as it is: to shrink it would take longer than a test may."""

CALM = ("deliver", "deliver", "deliver", "again")
WILD = (*CALM, "deliver", "deliver", "deliver", "resign", "crash", "decide")


def schedules(kinds: Sequence[str], most: int) -> st.SearchStrategy[list[Step]]:
    return st.lists(st.tuples(st.sampled_from(kinds), st.integers(0, 255)), max_size=most)


class Scheduled(Room):
    """A room that does as it is told."""

    def step(self, step: Step) -> None:
        what, which = step
        match what:
            case "deliver":
                wires = [
                    wire
                    for wire, queue in sorted(self.wires.items())
                    if queue and place_of(queue[0])[0] <= self.players[wire[1]].table.log.open.number
                ]
                if wires:
                    wire = wires[which % len(wires)]
                    self.hand_over(wire[1], self.wires[wire].popleft())
            case "again" if self.sent:
                author, data = self.sent[which % len(self.sent)]
                receiver = (author + 1 + which) % len(self.players)
                open_round = self.players[receiver].table.log.open.number
                if place_of(data)[0] < open_round:
                    assert not self.players[receiver].receive(data).entries
            case "decide":
                player = self.players[which % len(self.players)]
                if player.decision:
                    self.react(player.number, player.act(at_random(player, self.rng)))
            case "resign":
                seat = which % len(self.players)
                with suppress(IllegalStep):
                    self.react(seat, self.players[seat].resign())
            case "crash":
                seat = which % len(self.players)
                if self.players[seat].table.course.started:
                    self.players[seat] = come_back(self.players[seat])
            case _:
                pass


def all_agree(room: Room) -> Over:
    """Complete, with one head, one file and one result; and every player has seen the cards that it held."""
    assert room.complete
    assert len({player.table.log.head for player in room.players}) == 1
    files = {tuple(room.file(seat)) for seat in range(len(room.players))}
    assert len(files) == 1
    report, replay = examine(list(files.pop()), games=lookup)
    assert report.verdict is Verdict.CLEAN, report.message
    assert replay is not None
    events_of(replay)
    course = replay.course
    for player in room.players:
        assert player.table.course.state == course.state
        assert player.view().view(None) == course.state
        if replay.audit and course.deck:
            for slot in course.deck.hand(player.number):
                if not course.deck.slot(slot).ready:
                    continue  # the game has ended in the middle of a deal
                assert player.seat._own_keeper().face(slot) == replay.audit.held[slot]
    assert report.result is not None
    return report.result


@pytest.mark.parametrize(("seats", "examples"), [(2, 15), (3, 8), (5, 2)])
def test_any_order_and_any_repetition(seats: int, examples: int) -> None:
    @settings(max_examples=examples, phases=QUICKLY)
    @given(schedules(CALM, 80), st.integers(0, 3), st.booleans())
    def any_schedule(schedule: list[Step], seed: int, private: bool) -> None:
        with quick_proofs():
            game = Toy() if seats > 2 else ShortToy()
            room = Scheduled.of(game, seats, seed=seed, private_hands=private)
            for step in schedule:
                room.step(step)
            room.play()
            assert all_agree(room).reason == "points"

    any_schedule()


@pytest.mark.parametrize(("seats", "examples"), [(2, 20), (3, 12), (5, 3)])
def test_any_resignation_and_any_crash(seats: int, examples: int) -> None:
    @settings(max_examples=examples, phases=QUICKLY)
    @given(schedules(WILD, 120), st.integers(0, 3), st.booleans())
    def any_schedule(schedule: list[Step], seed: int, private: bool) -> None:
        with quick_proofs():
            game = Toy() if seats > 2 else ShortToy()
            room = Scheduled.of(game, seats, seed=seed, private_hands=private)
            for step in schedule:
                room.step(step)
            room.play()
            all_agree(room)

    any_schedule()


def test_the_result_does_not_depend_on_the_order_of_arrival() -> None:
    """The same decisions in the same game, delivered in many orders: the same log to the byte."""
    with quick_proofs():
        logs = set()
        for schedule_seed in range(8):
            room = Room.of(Toy(), 3)
            room.rng.seed(schedule_seed)
            room.play(lambda player, _: player.view().legal_actions(player.number)[0])
            logs.add(tuple(room.file(0)))
        assert len(logs) == 1
