"""Players in one room of memory: whole games without a thread, a socket or a file.

Every statement goes through the same bytes as over a wire. A test can look into everybody's hands, hold back, change
or repeat any entry, and sees everything that passes.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from bcnet.entry import place_of
from bcnet.games import registry
from bcnet.games.interface import Action, Game
from bcnet.hashing import u32
from bcnet.secrets import Secrets
from bcnet.signing import Identity
from bcnet.table.membership import Terms
from bcnet.table.player import Event, Player, Reaction
from tests.games.bids import Bids
from tests.toy import ShortToy, Toy

Chooser = Callable[[Player, random.Random], Action]
MakePlayer = Callable[[int, Secrets, Identity], Player]
"""Makes a player for a seat: how a dishonest program gets into a room."""


def secrets_of(seat: int, seed: int = 0) -> Secrets:
    """The secrets of a seat in a game of the tests: not secret, always the same."""
    return Secrets(u32(seat) + u32(seed) + bytes(24))


def identity_of(seat: int) -> Identity:
    return Identity(bytes([seat + 1]) * 32)


def lookup(name: str) -> Game:
    """The games that a room knows: those of the program and the toys."""
    toys: dict[str, type[Game]] = {toy.name: toy for toy in (Toy, ShortToy, Bids)}
    return toys[name]() if name in toys else registry.get(name)


def honest(seat: int, secrets: Secrets, identity: Identity) -> Player:
    """An honest player for a seat."""
    return Player(seat, secrets, identity.public, identity.sign_message, f"player {seat}", games=lookup)


def come_back(player: Player) -> Player:
    """The same player, honest, as it comes back from all that stands in its log."""
    again = honest(player.number, player.seat.secrets, identity_of(player.number))
    reaction = again.restore(entry.data for entry in player.table.log.entries())
    assert not reaction.entries, "what was owed had been said"
    return again


def at_random(player: Player, rng: random.Random) -> Action:
    return rng.choice(player.view().legal_actions(player.number))


@dataclass
class Room:
    """Some players, and the entries on their way to each: a queue from every seat to every other."""

    players: list[Player]
    rng: random.Random
    wires: dict[tuple[int, int], deque[bytes]] = field(default_factory=dict)
    notes: dict[tuple[int, int], deque[bytes]] = field(default_factory=dict)
    events: list[list[Event]] = field(default_factory=list)
    sent: list[tuple[int, bytes]] = field(default_factory=list)
    """Every entry that was sent, with its seat, in the order of sending."""
    noted: list[tuple[tuple[int, int], bytes]] = field(default_factory=list)
    """Every note that was sent, from whom to whom."""

    @classmethod
    def of(
        cls,
        game: Game,
        seats: int = 2,
        options: dict[str, str] | None = None,
        seed: int = 0,
        seated: Mapping[int, MakePlayer] | None = None,
        *,
        private_hands: bool = False,
    ) -> Self:
        """A room in which the host has made the offer; ``seated`` makes other than honest players for their seats."""
        players = [
            (seated or {}).get(seat, honest)(seat, secrets_of(seat, seed), identity_of(seat))
            for seat in range(seats)
        ]
        room = cls(players, random.Random(seed), events=[[] for _ in players])
        for a in range(seats):
            for b in range(seats):
                if a != b:
                    room.wires[a, b] = deque()
                    room.notes[a, b] = deque()
        room.react(0, players[0].offer(Terms.of(game, seats, options or {}, private_hands=private_hands)))
        return room

    def react(self, seat: int, reaction: Reaction) -> None:
        """Send on what a player's reaction adds of his own."""
        self.events[seat].extend(reaction.events)
        for standing in reaction.entries:
            if standing.seat == seat:
                self.sent.append((seat, standing.data))
                for other in range(len(self.players)):
                    if other != seat:
                        self.wires[seat, other].append(standing.data)
        if reaction.note is not None:
            for other in range(len(self.players)):
                if other != seat:
                    self.notes[seat, other].append(reaction.note)
                    self.noted.append(((seat, other), reaction.note))

    def deliver(self) -> bool:
        """Deliver what one wire holds next, if the receiver can take it yet; False when nothing moves."""
        order = [wire for wire, queue in self.wires.items() if queue]
        self.rng.shuffle(order)
        for wire in order:
            receiver = wire[1]
            data = self.wires[wire][0]
            if place_of(data)[0] > self.players[receiver].table.log.open.number:
                continue
            self.wires[wire].popleft()
            self.hand_over(receiver, data)
            return True
        for (_, receiver), queue in self.notes.items():
            if queue:
                self.react(receiver, self.players[receiver].receive_note(queue.popleft()))
                return True
        return False

    def hand_over(self, receiver: int, data: bytes) -> None:
        """A player gets an entry."""
        self.react(receiver, self.players[receiver].receive(data))

    def settle(self) -> None:
        """Deliver until nothing moves."""
        while self.deliver():
            pass

    def play(
        self, choose: Sequence[Chooser] | Chooser = at_random, *, until: Callable[[Self], bool] | None = None
    ) -> None:
        """Play on until the tables are complete, or ``until`` says so before somebody's next decision."""
        while True:
            self.settle()
            deciding = [player for player in self.players if player.decision]
            if not deciding or (until and until(self)):
                return
            player = self.rng.choice(deciding)
            chooser = choose if callable(choose) else choose[player.number]
            self.react(player.number, player.act(chooser(player, self.rng)))

    @property
    def complete(self) -> bool:
        return all(player.table.complete for player in self.players)

    def file(self, seat: int) -> list[bytes]:
        """The transcript of a seat: its log, and the entry that convicts somebody, if there is one, last."""
        table = self.players[seat].table
        entries = [entry.data for entry in table.log.entries()]
        return entries if table.fault is None else [*entries, table.fault.evidence[-1]]
