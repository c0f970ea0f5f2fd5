"""What a seat has sealed it knows, and shows its own player alone, until all is opened."""

from __future__ import annotations

from bcnet.games import registry
from bcnet.games.interface import Chosen
from bcnet.table.player import Player
from bcnet.table.rounds import Kind
from tests.table.quick import quick_proofs
from tests.table.room import Room


def test_a_seat_knows_what_it_has_sealed_until_all_is_opened() -> None:
    with quick_proofs():
        room = Room.of(registry.get("edel"), seats=3)
        room.play(until=lambda room: any(player.decision is Kind.SEAL for player in room.players))
        first = next(player for player in room.players if player.decision is Kind.SEAL)
        action = first.view().legal_actions(first.number)[-1]
        first.act(action)
        assert first.seat.chosen == action


def test_what_is_opened_is_no_secret_any_more() -> None:
    def has_opened(player: Player) -> bool:
        steps = player.table.course.steps
        return bool(steps) and isinstance(steps[-1].step, Chosen)

    with quick_proofs():
        room = Room.of(registry.get("edel"), seats=3)
        room.play(until=lambda room: any(map(has_opened, room.players)))
    opened = [player for player in room.players if has_opened(player)]
    assert opened
    assert [player.seat.chosen for player in opened] == [None] * len(opened)
