"""scripts/bench: what it counts is what there is. How long it takes is not for a test to say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from bcnet.games import names
from scripts.lib import bench_seats
from tests.table.room import Room, lookup

ROOT = Path(__file__).resolve().parents[1]


def test_a_table_of_more_seats_is_measured_whole() -> None:
    cost = bench_seats.one_game(lookup("stones"), 3, seed=1)
    assert cost.over_grpc
    room = Room.of(lookup("stones"), 3, seed=1)
    room.play()
    log = room.players[0].table.log
    assert cost.rounds == len(log)
    assert cost.size == sum(len(entry.data) for entry in log.entries())
    assert min(cost.set_up, cost.round, cost.verify) > 0


def test_every_game_for_more_than_two_can_be_measured_by_seats() -> None:
    ran = subprocess.run(
        [sys.executable, "-P", str(ROOT / "scripts/lib/bench.py"), "--list"],
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )
    listed = ran.stdout.split()
    wanted = {f"seats-{name}" for name in names() if len(lookup(name).seats) > 1}
    assert {"seats-stones", "seats-edel"} <= wanted <= set(listed)
    assert f"seats-{bench_seats.DECK_GAME}" in listed
