"""Real hosts that lie to one of their guests, against unmodified programs, for three and for five: each a process."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from bcnet.errors import Exit
from bcnet.home import Home
from bcnet.keeping import UNFINISHED
from bcnet.several import verify_files
from bcnet.verify import verify_file
from tests.cheaters.program import ACCOMPLICE
from tests.console.terminal import ROOT
from tests.net.processes import Bcnet, starting
from tests.relay.lies import LIES, Lie

pytestmark = [pytest.mark.end_to_end, pytest.mark.timeout(180)]

ROUND_1 = "^Pass 1 of 3, round 1"
STILL = 1.0
"""Seconds in which an honest host would have told a guest what the others know."""

BOT = ("--bot", "random", "--patience", "3")


def seat_and_file(home: Path) -> tuple[int, Path]:
    """The seat that somebody has had, and the one file of the game."""
    place = Home(home)
    (found,) = [
        *((each.seat, each.path) for each in place.finished()),
        *((each.seat, each.path / UNFINISHED) for each in place.unfinished()),
    ]
    return found


def leave_where_nothing_moves(guests: Sequence[Bcnet]) -> None:
    """All guests but the victim have the first cards; it waits for what it is not told, and they for it. All go."""
    *others, victim = guests
    for guest in others:
        guest.wait_for(ROUND_1)
    victim.wait_for("^Agreed: ")
    time.sleep(STILL)
    assert not re.search(ROUND_1, victim.output, re.MULTILINE), "it has got what was held back"
    for guest in guests:
        assert guest.process.poll() is None, "it waits"
        guest.signal(signal.SIGINT)


@pytest.mark.parametrize("seats", [3, 5])
@pytest.mark.parametrize("lie", [lie for lie in LIES if lie.is_real], ids=lambda lie: lie.name)
def test_lie(lie: Lie, seats: int, tmp_path: Path) -> None:
    with starting(tmp_path) as start:
        hosting = ("--listen", "127.0.0.1:0", "--open", "--game", "edel", "--seats", str(seats))
        host = start(
            lie.name, "host", *hosting, *BOT, "--name", "Mallory",
            home="0", module="tests.cheaters", PYTHONPATH=str(ROOT), **{ACCOMPLICE: str(tmp_path / "1")},
        )  # fmt: skip
        address = host.wait_for(r"^  \S+ join '?([^' ]+)'? (\S+)$")[1]
        guests: dict[str, Bcnet] = {}
        for number in range(1, seats):
            name = f"Guest {number}"
            guests[str(number)] = start(
                "join", address, "--trust-first", *BOT, "--name", name, home=str(number)
            )
            host.wait_for(f"{name}")  # so that seats are given in this order
        if lie.caught == "not caught":
            leave_where_nothing_moves(list(guests.values()))
        codes = {name: guest.finish() for name, guest in guests.items()}
        host.finish()
        files: dict[int, Path] = {}
        by_seat: dict[int, Bcnet] = {}
        for name, program in {"0": host, **guests}.items():
            seat, path = seat_and_file(tmp_path / name)
            files[seat], by_seat[seat] = path, program
    victim = seats - 1
    assert set(codes.values()) == {Exit.OK if lie.is_harmless else Exit.INCOMPLETE}
    if lie.tells:
        assert re.search(f"^The game is unfinished: .*{lie.tells}", by_seat[victim].output, re.MULTILINE)
    elif lie.is_harmless:
        by_seat[victim].wait_for("^The line is up again")
    for seat, program in by_seat.items():
        assert program.complaint == ""
        if seat not in (0, victim):
            assert not re.search(lie.tells or "^$x", program.output)
    assert verify_file(files[victim]).verdict is lie.victim
    assert {verify_file(files[seat]).verdict for seat in range(victim)} == {lie.rest}
    (group,) = verify_files([files[seat] for seat in sorted(files)])
    assert group.report.verdict is lie.together
    fault = group.report.fault
    assert (fault and (fault.seat, fault.kind)) == (None if lie.named is None else (lie.named, lie.fault))
