"""A host that lies to one guest about what another has said, at tables for three and for five.

What each side is told, and what its file says. Nobody but who has signed two things is ever named.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bcnet.cli.files import _told
from bcnet.table.rounds import Kind
from bcnet.updates import LineDown, LineUp
from bcnet.verify import Lack, Verdict, verify
from tests.relay.circle import Circle, circle
from tests.relay.liars import OTHER, AboutAnEntry, HoldsBack, Liar
from tests.relay.lies import LIES, Lie, lie_of
from tests.table.room import lookup

ENOUGH = 24
"""Rounds after which all resign."""


async def play(here: Circle) -> None:
    """Some of a game, the lie in it, and its end: at a move, for whoever resigns where all choose is needed no more."""
    liar = here.liar
    waits = isinstance(liar, AboutAnEntry) and liar.kind is not Kind.REVEAL

    def is_enough() -> bool:
        now = here.host.snapshot
        return now.round > ENOUGH and now.awaiting is Kind.ACT and (liar.is_done or not waits)

    await here.play(until=is_enough)
    await here.end()


def verdict_of(here: Circle, seat: int) -> Verdict:
    return verify(here.file(seat), games=lookup).verdict


@pytest.mark.parametrize("seats", [3, 5])
@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.name)
async def test_lie(lie: Lie, seats: int, tmp_path: Path) -> None:
    liar = lie.make(seats)
    async with circle(tmp_path, liar, seats) as here:
        await play(here)
        assert liar.is_done
        victim, rest = liar.victim, range(seats - 1)
        if lie.tells:
            assert re.search(lie.tells, here.noise.pop(victim).message)
        assert not here.noise, "nobody else notices anything"
        if lie.victim is None:
            assert not here.sessions[victim].player.table.course.started
            return
        assert verdict_of(here, victim) is lie.victim
        assert {verdict_of(here, seat) for seat in rest} == {lie.rest}
        for seat in range(seats):
            fault = verify(here.file(seat), games=lookup).fault
            assert fault is None, "no file alone names anybody"
        report = here.verdict(*range(seats)).report
        assert report.verdict is lie.together, report.message
        assert (report.fault and (report.fault.seat, report.fault.kind)) == (
            None if lie.named is None else (lie.named, lie.fault)
        )
        if lie.named is not None:
            # The victim's and any one other's are enough, in whatever order.
            for other in rest:
                assert here.verdict(victim, other).report.fault == report.fault
                assert here.verdict(other, victim).report.fault == report.fault
            assert here.verdict(*rest).report.verdict is lie.rest, "without it nobody knows"


@pytest.mark.parametrize("seats", [3, 5])
async def test_what_a_guest_sees_of_an_entry_that_is_hidden(seats: int, tmp_path: Path) -> None:
    """It waits for that seat; the others have it, and wait for the victim. Each file says what it lacks, of whom."""
    victim = seats - 1
    async with circle(tmp_path, lie_of("entry-hidden").make(seats), seats) as here:
        await play(here)
        assert OTHER in here.sessions[victim].snapshot.awaited
        for seat in range(victim):
            assert here.sessions[seat].snapshot.awaited == (victim,)
        group = here.verdict(*range(seats))
        number = here.sessions[victim].snapshot.round
        assert Lack(OTHER, number, Kind.SHARE) in group.single[victim].lacks
        for report in (group.report, *group.single[:victim]):
            assert report.lacks == (Lack(victim, number + 1, Kind.SEAL),)
        # `bcnet verify` of all files says what each lacks, and which of them lacks something else than all together.
        each = group.as_json()["each"]
        assert [file["rounds"] for file in each] == [number + 1] * victim + [number]
        assert {"seat": OTHER, "round": number, "kind": "share"} in each[victim]["lacks"]
        assert [path for path, _ in group.different] == [group.files[victim]]
        (line,) = (
            line for line in _told(group, brief=False) if line.startswith(f"  {group.files[victim]}: ")
        )
        assert f"round {number}, which lacks: share of seat {OTHER}" in line


@pytest.mark.parametrize("seats", [3, 5])
async def test_what_was_hidden_comes_with_the_next_line(seats: int, tmp_path: Path) -> None:
    """An honest program at the host's end, or the next whim of this one, gives the victim what it lacks."""
    liar = lie_of("entry-hidden").make(seats)
    async with circle(tmp_path, liar, seats) as here:
        await play(here)
        await here.cut(liar.victim)
        await here.connect(liar.victim)
        await play(here)
        assert {verdict_of(here, seat) for seat in range(seats)} == {Verdict.CLEAN}
        assert len({tuple(here.file(seat)) for seat in range(seats)}) == 1


@pytest.mark.parametrize("seats", [3, 5])
async def test_what_makes_a_delay_visible(seats: int, tmp_path: Path) -> None:
    """The victim sees for whom it waits, and that nobody is said to be away; when the host lets go, all is as ever."""
    liar = HoldsBack(seats)
    async with circle(tmp_path, liar, seats) as here:
        await here.play()
        victim = here.sessions[liar.victim]
        assert OTHER in victim.snapshot.awaited
        assert here.host.snapshot.awaited == (liar.victim,)
        assert not [update for update in here.updates(liar.victim) if isinstance(update, LineDown)]
        liar.lets_go = True
        await here.release(liar.victim, liar.held)
        await play(here)
        assert not here.noise
        assert {verdict_of(here, seat) for seat in range(seats)} == {Verdict.CLEAN}


@pytest.mark.parametrize("seats", [3, 5])
async def test_presence_is_the_host_s_word_and_holds_nothing_up(seats: int, tmp_path: Path) -> None:
    liar = lie_of("false-presence").make(seats)
    async with circle(tmp_path, liar, seats) as here:
        await play(here)
        told = [u for u in here.updates(liar.victim) if isinstance(u, LineDown | LineUp)]
        # The last LineUp comes of itself: whoever speaks is not away.
        assert [type(update) for update in told] == [LineDown, LineUp, LineDown, LineUp]
        assert {update.seats for update in told} == {frozenset({OTHER})}
        assert not [u for u in here.updates(OTHER) if isinstance(u, LineDown) and u.seats == {OTHER}]


@pytest.mark.parametrize("seats", [3, 5])
async def test_who_is_really_away_is_told_by_an_honest_host(seats: int, tmp_path: Path) -> None:
    """And the game waits for that seat alone; with its line it goes on."""
    async with circle(tmp_path, Liar(seats), seats) as here:
        await here.play(until=lambda: here.host.snapshot.round > 4)
        await here.cut(OTHER)
        for seat in range(2, seats):
            assert [u.seats for u in here.updates(seat) if isinstance(u, LineDown)] == [{OTHER}]
        await here.connect(OTHER)
        await play(here)
        assert {verdict_of(here, seat) for seat in range(seats)} == {Verdict.CLEAN}
