"""Crashes at every step of a game, in memory: what was written stays, what was said stays said, nothing else does.

A game is played once without a crash, and every write and every send of both sides is recorded in order. Then, for
each step, a side is stopped before it and after it; what it has on disk is what it had written by then. It comes back
from that alone, exchanges positions with the other, and the next bytes must be those of the game without a crash.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from bcnet.entry import place_of
from bcnet.games.interface import Action, Game
from bcnet.table.player import Player, Reaction
from tests.table.room import Room, honest, identity_of, lookup, secrets_of


def same_again(player: Player, _: random.Random) -> Action:
    """A choice at random, but the same one whenever the same decision is asked again."""
    rng = random.Random(f"{player.number}-{player.table.log.open.number}")
    return rng.choice(player.view().legal_actions(player.number))


@dataclass
class Recorded(Room):
    """A room that records what each side writes and sends, in order."""

    steps: list[tuple[str, int, bytes]] = field(default_factory=list)

    def react(self, seat: int, reaction: Reaction) -> None:
        # The order of a session: all that is new is on disk, then what is its own is sent.
        self.steps += [("write", seat, standing.data) for standing in reaction.entries]
        self.steps += [("send", seat, each.data) for each in reaction.entries if each.seat == seat]
        super().react(seat, reaction)


@dataclass(frozen=True, slots=True)
class Crash:
    """A side stops before the step of this number; what both have on disk then, in the order of writing."""

    seat: int
    step: int
    disks: tuple[tuple[bytes, ...], tuple[bytes, ...]]

    def __str__(self) -> str:
        return f"seat {self.seat} before step {self.step}"


class Sweep:
    """A whole game and all its crashes."""

    def __init__(self, game: str, options: dict[str, str], seed: int, *, private_hands: bool = False) -> None:
        self.seed = seed
        found: Game = lookup(game)
        self.room = Recorded.of(found, 2, options, seed, private_hands=private_hands)
        self.room.play(same_again)
        assert self.room.complete
        self.files = [self.room.file(seat) for seat in (0, 1)]
        assert self.files[0] == self.files[1]
        self.whole = set(self.files[0])
        self.own = [
            [data for kind, by, data in self.room.steps if (kind, by) == ("send", seat)] for seat in (0, 1)
        ]

    def crashes(self) -> Iterator[Crash]:
        """Every crash that leaves something else on the two disks, from the first answered offer on."""
        steps = self.room.steps
        seen: set[tuple[int, int, int]] = set()
        for seat in (0, 1):
            for step in range(len(steps) + 1):
                near = [by for _, by, _ in steps[max(step - 1, 0) : step + 1]]
                if seat not in near:
                    continue
                disks = tuple(
                    tuple(data for kind, by, data in steps[:step] if (kind, by) == ("write", each))
                    for each in (0, 1)
                )
                key = seat, len(disks[0]), len(disks[1])
                # Before the guest's join is on disk there is no table that could go on.
                if key not in seen and any(place_of(data) == (1, 1) for data in disks[1]):
                    seen.add(key)
                    yield Crash(seat, step, (disks[0], disks[1]))

    def come_back(self, crash: Crash, *, to_the_end: bool) -> None:
        """Go on after a crash. Raises AssertionError where anything is not as it would have been."""
        players = [honest(seat, secrets_of(seat, self.seed), identity_of(seat)) for seat in (0, 1)]
        other = players[1 - crash.seat]
        other.recall(crash.disks[other.number])
        assert not other.go_on().entries, f"{crash}: the other side had said all that it owed"
        back = players[crash.seat]
        back.recall(crash.disks[back.number])
        room = Room(players, random.Random(self.seed), events=[[], []])
        for wire in ((0, 1), (1, 0)):
            room.wires[wire], room.notes[wire] = deque(), deque()
        # What was on its way when the line went is lost; both say how far they are, and send what is missing.
        here, there = back.position, other.position
        for data in back.missing(there):
            room.react(other.number, other.receive(data))
        for data in other.missing(here):
            assert not [
                each for each in back.receive(data).entries if each.seat == crash.seat and data != each.data
            ]
        room.react(back.number, back.go_on())
        room.settle()
        for player in players:
            log = {entry.data for entry in player.table.log.entries()}
            assert player.table.fault is None, f"{crash}: {player.table.fault}"
            assert log <= self.whole, f"{crash}: other bytes than in the game without a crash"
        said = [data for seat, data in room.sent if seat == crash.seat]
        before = [data for data in crash.disks[crash.seat] if place_of(data)[1] == crash.seat]
        following = self.own[crash.seat][len(before) : len(before) + len(said)]
        assert said == following or set(said) <= set(self.own[crash.seat]), f"{crash}: not the next bytes"
        if to_the_end:
            room.play(same_again)
            assert room.complete, str(crash)
            assert [room.file(seat) for seat in (0, 1)] == self.files, str(crash)
