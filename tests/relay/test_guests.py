"""A guest that cheats at a table for three and for five whose host is honest: who is told, and what all files say."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from bcnet.entry import place_of
from bcnet.home import Home, new_seed
from bcnet.secrets import Secrets
from bcnet.session import Session
from bcnet.table.faults import FaultKind
from bcnet.table.rounds import Kind
from bcnet.verify import Verdict, verify
from bcnet.wire.v1 import table_pb2 as pb
from tests.attacks.cheats import Cheater, Says, body_of
from tests.cheaters.program import CheatingSession, Mallory
from tests.relay.circle import Circle, MakeSession, circle, name_of
from tests.relay.liars import Liar, another
from tests.table.room import identity_of, lookup

CHEAT = 1
"""The guest that cheats."""


def two_bodies(me: Cheater, data: bytes) -> Sequence[bytes]:
    """One to be passed on, and another."""
    body = body_of(data)
    another(body)
    return [data, me.sign(body)]


def cheating(kind: Kind) -> MakeSession:
    """A guest that signs two different entries in its first round of a kind."""

    def make(home: Home, seat: int) -> Session:
        signer = identity_of(seat).sign_message
        return CheatingSession(
            home, Mallory(Says(kind, two_bodies), seat, Secrets(new_seed()), signer, name_of(seat))
        )

    return make


def check_convicted(here: Circle, seat: int) -> None:
    """A side has found the cheat by itself, and its file says so to anybody."""
    session = here.sessions[seat]
    assert session.ended is not None
    assert session.ended.fault is not None
    assert (session.ended.fault.seat, session.ended.fault.kind) == (CHEAT, FaultKind.EQUIVOCATION)
    report = verify(here.file(seat), games=lookup)
    assert report.verdict is Verdict.CHEATED
    assert report.fault == session.ended.fault


@pytest.mark.parametrize("seats", [3, 5])
@pytest.mark.parametrize("kind", [Kind.READY, Kind.SEAL])
async def test_two_entries_one_of_them_to_be_passed_on(kind: Kind, seats: int, tmp_path: Path) -> None:
    """The host names the guest, passes the evidence on, and all others find the same; the cheater gets nothing more."""
    async with circle(tmp_path, Liar(seats), seats, seated={CHEAT: cheating(kind)}) as here:
        await here.play()
        for seat in set(range(seats)) - {CHEAT}:
            check_convicted(here, seat)
        assert here.goodbyes[CHEAT] == [pb.REASON_FAULT]
        assert all(here.sessions[seat].delivered.is_set() for seat in set(range(seats)) - {CHEAT})


@pytest.mark.parametrize("seats", [3, 5])
async def test_who_was_away_is_shown_the_evidence_too(seats: int, tmp_path: Path) -> None:
    """The line of the last guest was cut when another was found cheating. It comes back, and is told by the proof."""
    away = seats - 1
    async with circle(tmp_path, Liar(seats), seats, seated={CHEAT: cheating(Kind.SEAL)}) as here:
        await here.cut(away)
        await here.play()
        check_convicted(here, 0)
        assert here.sessions[away].ended is None
        assert not here.host.delivered.is_set(), "somebody has still to be shown it"
        await here.connect(away)
        await here.quiet()
        check_convicted(here, away)
        assert here.host.delivered.is_set()
        await here.connect(CHEAT)
        await here.quiet()
        assert here.goodbyes[CHEAT][-1] == pb.REASON_FAULT
        said = [place_of(data) for data in here.sessions[CHEAT].player.heard]  # type: ignore[attr-defined]
        assert max(said) <= max(place_of(data) for data in here.file(0))
