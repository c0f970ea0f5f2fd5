"""Homes of a host and a guest that were put back from older copies, while somebody else at the table knows more.

A copy that is put back may lack what its owner has signed since, and the player would decide otherwise now. Whoever has
it gives it back before anything is signed: nobody signs twice, in whatever order they come back.
"""

from __future__ import annotations

import asyncio
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import permutations
from pathlib import Path

import pytest

from bcnet.entry import place_of, read_entry
from bcnet.home import Home
from bcnet.session import Session
from bcnet.table.rounds import Kind
from bcnet.updates import Snapshot
from tests.net.company import NAMES, Company, company
from tests.net.test_session import PATIENCE, until
from tests.table.quick import quick_proofs
from tests.table.room import identity_of, lookup
from tests.toy import Side, Toy


@pytest.fixture(autouse=True)
def quick() -> Iterator[None]:
    with quick_proofs():
        yield


async def play_until(here: Company, waits_with: Callable[[Snapshot], bool]) -> None:
    """All decide until nothing but such a decision is left to make, and all have all that was said."""
    here.waits_with = waits_with
    here.play()

    def is_at_rest() -> bool:
        asked = [side.snapshot for side in here.sides if side.snapshot.decision]
        logs = {frozenset(here.log(seat)) for seat in range(len(here.sides))}
        return bool(asked) and all(map(waits_with, asked)) and len(logs) == 1

    await here.rest()
    assert is_at_rest()


def decides(seat: int, kind: Kind) -> Callable[[Snapshot], bool]:
    return lambda here: here.seat == seat and here.decision is kind


def from_round(number: int) -> Callable[[Snapshot], bool]:
    return lambda here: here.round >= number


def copied(here: Company, name: str, *seats: int) -> None:
    for seat in seats:
        shutil.copytree(here.folder / NAMES[seat], here.folder / name / NAMES[seat])


async def put_back(here: Company, copies: dict[int, str]) -> None:
    """These sides are killed and their homes replaced by older copies; whoever plays them has changed their mind."""
    await here.kill(*copies)
    for seat, name in copies.items():
        shutil.rmtree(here.folder / NAMES[seat])
        shutil.copytree(here.folder / name / NAMES[seat], here.folder / NAMES[seat])
    here.mood = "other"
    await here.revive(*copies)


async def comes_to_its_end(here: Company, logs: list[set[bytes]]) -> None:
    """All have the same clean file, and nobody has signed another body than those that were in ``logs`` before."""
    async with asyncio.timeout(PATIENCE):
        sides = here.sides
        await until(
            lambda: all(side.ended for side in sides) or any(side.player.table.fault for side in sides)
        )
    nobody_signed_twice([*logs, *(here.log(seat) for seat in range(len(sides)))])
    assert [side.player.table.fault for side in sides] == [None] * len(sides)
    await here.end()


async def come_back(
    here: Company, order: tuple[int, ...], waits_with: Callable[[Snapshot], bool] = lambda _: False
) -> None:
    """The guests come back one after another, each when all has followed from the one before; all decide at once."""
    here.waits_with = waits_with
    here.play()
    for seat in order:
        if seat not in here.lines:
            await here.connect(seat)
        if len(here.lines) < len(here.guests):
            await here.rest()
            assert here.lines[seat][0].has_caught_up


def nobody_signed_twice(logs: list[set[bytes]]) -> None:
    said: defaultdict[tuple[int, int], set[bytes]] = defaultdict(set)
    for data in set().union(*logs):
        said[place_of(data)].add(read_entry(data).body)
    assert {place: len(bodies) for place, bodies in said.items() if len(bodies) > 1} == {}


ORDERS = [(3, (0, 1), order) for order in permutations((1, 2))] + [
    (4, (0, 1, 3), order) for order in permutations((1, 2, 3))
]


@pytest.mark.parametrize(("seats", "old", "order"), ORDERS, ids=str)
@pytest.mark.parametrize("older", [0, 1, None], ids=["host-older", "guest-older", "equally-old"])
async def test_nobody_signs_twice(
    seats: int, old: tuple[int, ...], order: tuple[int, ...], older: int | None, tmp_path: Path
) -> None:
    async with company(tmp_path, Toy(), seats) as here:
        await play_until(here, decides(1, Kind.ACT))
        first = here.sides[1].snapshot.round
        copied(here, "first", *old)
        await play_until(here, from_round(first + 2))
        copied(here, "second", *old)
        await play_until(here, from_round(first + 10))
        logs = [here.log(seat) for seat in range(seats)]
        await put_back(here, {seat: "first" if older in {None, seat} else "second" for seat in old})
        await come_back(here, order)
        await comes_to_its_end(here, logs)


@pytest.mark.parametrize("order", [(1, 2), (2, 1)], ids=str)
async def test_a_choice_that_was_sealed_stands(order: tuple[int, int], tmp_path: Path) -> None:
    async with company(tmp_path, Toy(), 3) as here:
        await play_until(here, lambda at: at.decision is Kind.SEAL)
        copied(here, "old", 0, 1)
        chosen = Side("left")
        await here.sides[1].act(chosen)
        await until(lambda: here.said(1) <= here.log(2))
        logs = [here.log(seat) for seat in range(3)]
        await put_back(here, {0: "old", 1: "old"})
        assert here.sides[1].snapshot.chosen is None
        await come_back(here, order, waits_with=lambda _: True)
        async with asyncio.timeout(PATIENCE):
            await until(lambda: here.sides[1].snapshot.chosen == chosen)
        here.waits_with = lambda _: False
        here.play()
        await comes_to_its_end(here, logs)


@pytest.mark.parametrize("order", [(1, 2), (2, 1)], ids=str)
async def test_nobody_signs_before_lost_logs_are_back(order: tuple[int, int], tmp_path: Path) -> None:
    """Host and guest have lost theirs: neither can say who plays, or that nobody is missing."""
    async with company(tmp_path, Toy(), 3) as here:
        await play_until(here, from_round(20))
        logs = [here.log(seat) for seat in range(3)]
        await here.kill(0, 1)
        for seat in (0, 1):
            home = Home(here.folder / NAMES[seat])
            (table,) = home.unfinished()
            home.set_journal_aside(table)
        here.mood = "other"
        await here.revive(0, 1)
        await come_back(here, order[:1])
        assert [here.sides[seat].snapshot.held for seat in (0, 1)] == [True, True]
        await come_back(here, order[1:])
        await comes_to_its_end(here, logs)


async def test_a_host_from_before_the_end_gets_the_end_from_one_guest(tmp_path: Path) -> None:
    async with company(tmp_path, Toy(), 3) as here:
        await play_until(here, from_round(20))
        copied(here, "old", 0)
        here.waits_with = lambda _: False
        here.play()
        await here.end()
        ends = [side.ended for side in here.sides]
        assert ends[1] is not None
        for side in here.sides:
            await side.close()
        shutil.rmtree(here.folder / NAMES[0])
        shutil.copytree(here.folder / "old" / NAMES[0], here.folder / NAMES[0])
        await here.revive(0)
        here.lines.clear()
        here.sides[1] = await Session.finished(
            Home(here.folder / NAMES[1]), identity_of(1), ends[1].path, 1, games=lookup
        )
        await here.connect(1)
        await here.end(0, 1)
