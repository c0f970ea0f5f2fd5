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
from itertools import permutations

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
    """Some sides stop before the step of this number; what everybody has on disk then, in the order of writing."""

    seats: tuple[int, ...]
    step: int
    disks: tuple[tuple[bytes, ...], ...]

    def __str__(self) -> str:
        return f"seats {self.seats} before step {self.step}"


class Sweep:
    """A whole game and all its crashes: of each side, and with three or more, of all at once."""

    def __init__(
        self, game: str, options: dict[str, str], seed: int, *, seats: int = 2, private_hands: bool = False
    ) -> None:
        self.seed = seed
        self.seats = range(seats)
        found: Game = lookup(game)
        self.room = Recorded.of(found, seats, options, seed, private_hands=private_hands)
        self.room.play(same_again)
        assert self.room.complete
        self.files = [self.room.file(seat) for seat in self.seats]
        assert all(file == self.files[0] for file in self.files)
        self.whole = set(self.files[0])
        self.own = [
            [data for kind, by, data in self.room.steps if (kind, by) == ("send", seat)]
            for seat in self.seats
        ]

    def crashes(self) -> Iterator[Crash]:
        """Every crash that leaves something else on the disks, from the first answered offer on."""
        steps = self.room.steps
        seen: set[tuple[int, ...]] = set()
        everybody = [tuple(self.seats)] if len(self.seats) > 2 else []
        for seats in [*((seat,) for seat in self.seats), *everybody]:
            for step in range(len(steps) + 1):
                near = {by for _, by, _ in steps[max(step - 1, 0) : step + 1]}
                if not near & set(seats):
                    continue
                disks = tuple(
                    tuple(data for kind, by, data in steps[:step] if (kind, by) == ("write", each))
                    for each in self.seats
                )
                key = (*seats, -1, *map(len, disks))
                # Before all guests' joins are on their disks there is no table that could go on.
                if key not in seen and all(
                    any(place_of(data) == (1, seat) for data in disks[seat]) for seat in self.seats[1:]
                ):
                    seen.add(key)
                    yield Crash(seats, step, disks)

    def come_back(self, crash: Crash, *, to_the_end: bool) -> None:
        """Go on after a crash. Raises AssertionError where anything is not as it would have been."""
        players = [honest(seat, secrets_of(seat, self.seed), identity_of(seat)) for seat in self.seats]
        for player in players:
            player.recall(crash.disks[player.number])
            if player.number not in crash.seats:
                assert not player.go_on().entries, f"{crash}: seat {player.number} had said all that it owed"
        room = Room(players, random.Random(self.seed), events=[[] for _ in players])
        for wire in permutations(self.seats, 2):
            room.wires[wire], room.notes[wire] = deque(), deque()
        # What was on its way when the lines went is lost; host and guests say how far they are, and send what is
        # missing. Nobody who was away says anything new before: a host not before all guests have been there.
        host, *guests = players
        positions = [player.position for player in players]
        for guest in guests:
            for data in guest.missing(positions[0]):
                self._give(room, host, data, crash)
        for guest in guests:
            for data in host.missing(positions[guest.number]):
                self._give(room, guest, data, crash)
        for seat in crash.seats:
            room.react(seat, players[seat].go_on())
        room.settle()
        for player in players:
            log = {entry.data for entry in player.table.log.entries()}
            assert player.table.fault is None, f"{crash}: {player.table.fault}"
            assert log <= self.whole, f"{crash}: other bytes than in the game without a crash"
        for seat in crash.seats:
            said = [data for by, data in room.sent if by == seat]
            before = [data for data in crash.disks[seat] if place_of(data)[1] == seat]
            following = self.own[seat][len(before) : len(before) + len(said)]
            assert said == following or set(said) <= set(self.own[seat]), f"{crash}: not the next bytes"
        if to_the_end:
            room.play(same_again)
            assert room.complete, str(crash)
            assert [room.file(seat) for seat in self.seats] == self.files, str(crash)

    @staticmethod
    def _give(room: Room, player: Player, data: bytes, crash: Crash) -> None:
        reaction = player.receive(data)
        if player.number in crash.seats:
            assert all(each.data == data for each in reaction.entries if each.seat == player.number), (
                f"{crash}: seat {player.number} says something new before it has caught up"
            )
            return  # an own entry that was taken back has been sent before
        room.react(player.number, reaction)
