"""Whole games between tables in memory."""

from __future__ import annotations

import pytest

from tests.table.room import Room
from tests.toy import Toy


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_a_whole_toy_game(seats: int) -> None:
    room = Room.of(Toy(), seats)
    room.play()
    assert room.complete
    assert len({player.table.log.head for player in room.players}) == 1
    assert len({tuple(e.data for e in player.table.log.entries()) for player in room.players}) == 1
