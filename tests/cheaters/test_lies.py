"""Real hosts that lie to one of their guests, against unmodified programs, for three and for five: each a process."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bcnet.errors import Exit
from bcnet.home import Home
from bcnet.keeping import UNFINISHED
from bcnet.several import verify_files
from bcnet.verify import verify_file
from tests.console.terminal import ROOT
from tests.net.processes import Bcnet, starting
from tests.relay.lies import LIES, Lie

pytestmark = [pytest.mark.end_to_end, pytest.mark.timeout(180)]

BOT = ("--bot", "random", "--patience", "3")


def seat_and_file(home: Path) -> tuple[int, Path]:
    """The seat that somebody has had, and the one file of the game."""
    place = Home(home)
    (found,) = [
        *((each.seat, each.path) for each in place.finished()),
        *((each.seat, each.path / UNFINISHED) for each in place.unfinished()),
    ]
    return found


@pytest.mark.parametrize("seats", [3, 5])
@pytest.mark.parametrize("lie", [lie for lie in LIES if lie.is_real], ids=lambda lie: lie.name)
def test_lie(lie: Lie, seats: int, tmp_path: Path) -> None:
    with starting(tmp_path) as start:
        hosting = ("--listen", "127.0.0.1:0", "--open", "--game", "edel", "--seats", str(seats))
        host = start(
            lie.name, "host", *hosting, *BOT, "--name", "Mallory",
            home="0", module="tests.cheaters", PYTHONPATH=str(ROOT),
        )  # fmt: skip
        address = host.wait_for(r"^  \S+ join '?([^' ]+)'? (\S+)$")[1]
        guests = {
            str(number): start(
                "join", address, "--trust-first", *BOT, "--name", f"Guest {number}", home=str(number)
            )
            for number in range(1, seats)
        }
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
    else:
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
