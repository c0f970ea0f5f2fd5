"""What a seat has sealed it knows, and shows its own player alone, until all is opened."""

from __future__ import annotations

import pytest

from bcnet.games import registry
from bcnet.games.interface import Chosen, Game
from bcnet.table.player import Player
from bcnet.table.rounds import Kind
from tests.games.bids import Bids
from tests.table.quick import quick_proofs
from tests.table.room import Room, honest, identity_of
from tests.toy import Toy


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


@pytest.mark.parametrize("game", [registry.get("edel"), Bids(), Toy()], ids=lambda game: game.name)
@pytest.mark.parametrize("sealed_by", ["one", "all"])
def test_a_seat_that_comes_back_knows_what_it_had_sealed(game: Game, sealed_by: str) -> None:
    """From its own journal, and from what the others give back where the journal has lost it."""
    with quick_proofs():
        room = Room.of(game, seats=3)
        room.play(until=lambda room: any(player.decision is Kind.SEAL for player in room.players))
        choosing = [player for player in room.players if player.decision is Kind.SEAL]
        before = [entry.data for entry in choosing[0].table.log.entries()]
        seals = []
        for player in choosing if sealed_by == "all" else choosing[:1]:
            action = player.view().legal_actions(player.number)[-1]
            seals += [(player.number, action, each.data) for each in player.act(action).entries]
        number, action, own = seals[0]
        said = [data for _, _, data in seals[1:]]
        for kept, given_back in (([*before, own, *said], []), ([*before, own], said), (before, [own, *said])):
            again = honest(number, room.players[number].seat.secrets, identity_of(number))
            again.recall(kept)
            for data in given_back:
                again.receive(data)
            assert again.seat.chosen == action
            assert again.view().need == choosing[0].view().need
