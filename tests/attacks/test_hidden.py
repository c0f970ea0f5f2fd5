"""Hidden faces stay hidden from those who only look: spectators, messages, and whatever a log might print."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bcnet.fairness.deck import Proofs
from bcnet.games import registry
from bcnet.games.interface import Game, State
from bcnet.table.player import Player, Seen
from bcnet.table.table import Progress, Table
from tests.table.quick import quick_proofs
from tests.table.room import Room, lookup
from tests.toy import Toy


@pytest.fixture(autouse=True)
def _quick() -> Iterator[None]:
    with quick_proofs():
        yield


GAMES = [(Toy(), 2), (Toy(), 3), (registry.get("balloon-cup"), 2)]


def hides(state: State, seats: range, but: int | None = None) -> bool:
    """Whether a state knows no hidden card of any hand but the one."""
    hands = {seat: state.hand(seat) for seat in seats if seat != but}
    return all(hand.known == hand.shown for hand in hands.values()) and state.view(but) == state


@pytest.mark.parametrize(("game", "seats"), GAMES, ids=["toy-2", "toy-3", "balloon-cup"])
def test_a_spectator_sees_what_lies_open(game: Game, seats: int) -> None:
    """Somebody who gets every entry and has no secret knows no card before it is opened, nor an order of the pile."""
    room = Room.of(game, seats)
    room.play()
    spectator = Table(proofs=Proofs.CHECK, games=lookup)
    steps = 0
    for data in room.file(0):
        for event in spectator.receive(data):
            if isinstance(event, Progress):
                steps += 1
                assert hides(event.taken.state, range(seats))
    assert spectator.complete
    assert steps == len(spectator.course.steps)


@pytest.mark.parametrize(("game", "seats"), GAMES, ids=["toy-2", "toy-3", "balloon-cup"])
def test_a_player_sees_its_own_hand_besides(game: Game, seats: int) -> None:
    room = Room.of(game, seats)
    room.play()
    for player, events in zip(room.players, room.events, strict=True):
        seen = [event for event in events if isinstance(event, Seen)]
        assert len(seen) == len(player.table.course.steps)
        for event in seen:
            assert hides(event.view, range(seats), but=player.number)
        knows = any(
            set(e.view.hand(player.number).known) - set(e.view.hand(player.number).shown) for e in seen
        )
        assert knows, "and what it holds it does see"


def secrets_in(player: Player, text: str) -> list[str]:
    """What of a player's secrets stands in a text."""
    seed = player.seat.secrets.seed
    keeper = player.seat._own_keeper()
    keeper._learn_scalars()
    spellings = {"seed": [seed.hex(), repr(seed), repr(seed)[2:-1]]}
    spellings |= {f"key {n}": [str(k), f"{k:x}"] for n, k in enumerate(keeper._scalars.values(), 1)}
    return [name for name, ways in spellings.items() if any(way in text for way in ways)]


def test_no_secret_in_what_a_program_would_print() -> None:
    """A debugger's print, a log line, a traceback with values: none of these objects shows what it keeps."""
    room = Room.of(Toy(), seed=3, private_hands=True)
    room.settle()
    for player in room.players:
        seat = player.seat
        keeper = seat._own_keeper()
        deck = player.table.course.deck
        assert deck is not None
        objects = [
            player,
            seat,
            seat.secrets,
            keeper,
            keeper._unmasker(deck.hand_key(player.number)),
            seat._own_chain(),
            player.table,
            player.table.course,
            deck,
        ]
        for shown in objects:
            assert secrets_in(player, f"{shown!r} {shown!s}") == []
    assert secrets_in(room.players[0], room.players[0].seat.secrets.seed.hex()) == ["seed"]


def test_the_public_side_of_a_player_holds_no_secret() -> None:
    """What a player's table says (faults, noise, steps) it says from bytes alone: a table without any secret says the
    same. So no message about another's entry can show a card of one's own."""
    room = Room.of(registry.get("balloon-cup"))
    room.play(until=lambda room: len(room.players[0].table.log) > 20)
    player = room.players[0]
    spectator = Table(proofs=Proofs.CHECK, games=lookup)
    for entry in player.table.log.entries():
        spectator.receive(entry.data)
    assert [taken.state for taken in spectator.course.steps] == [
        taken.state for taken in player.table.course.steps
    ]
    assert spectator.course.state == player.table.course.state
    assert spectator.log.head == player.table.log.head
