"""A host that lies about who has come, about the game or the table, against the offer and the joins that follow."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pytest

from bcnet.errors import NetworkError
from bcnet.signing import Identity
from bcnet.table.membership import Terms
from bcnet.wire.v1 import table_pb2 as pb
from bcnet_client.join import Visit
from bcnet_client.line import Line
from bcnet_host import server
from tests.net.people import Inn, anybody, inn, until
from tests.relay.liars import OTHER
from tests.toy import Toy

Lie = Callable[[pb.Gathering], None]


def key_of_another(gathering: pb.Gathering) -> None:
    gathering.sitters[OTHER].identity = Identity(bytes(range(32))).public


def key_of_another_host(gathering: pb.Gathering) -> None:
    gathering.sitters[0].identity = Identity(bytes(range(32))).public


def key_of_another_reader(gathering: pb.Gathering) -> None:
    gathering.sitters[gathering.seat].identity = Identity(bytes(range(32))).public


def guests_exchanged(gathering: pb.Gathering) -> None:
    first, second = gathering.sitters[1].identity, gathering.sitters[2].identity
    gathering.sitters[1].identity, gathering.sitters[2].identity = second, first


def another_game(gathering: pb.Gathering) -> None:
    gathering.game = "stones"


def one_more(gathering: pb.Gathering) -> None:
    gathering.seats += 1
    gathering.sitters.add(name="Puppet", identity=Identity(bytes(range(32))).public)


def one_less(gathering: pb.Gathering) -> None:
    gathering.seats -= 1
    gathering.seat -= 1
    del gathering.sitters[OTHER]


def name_of_another(gathering: pb.Gathering) -> None:
    gathering.sitters[OTHER].name = "Somebody nicer"


def telling(lie: Lie, victim: int) -> type[Line]:
    """A host's line on which the last Gathering before the offer, to one guest, is false."""

    class LyingLine(Line):
        async def write(self, frame: pb.Frame) -> bool:
            if frame.gathering.begins and frame.gathering.seat == victim:
                told = pb.Frame.FromString(frame.SerializeToString())
                lie(told.gathering)
                frame = told
            return await super().write(frame)

    return LyingLine


def has_come(here: Inn, number: int) -> bool:
    return len(here.admission._waiting.guests) == number


async def come(here: Inn, seats: int) -> list[asyncio.Task[Visit]]:
    """So many guests as are awaited, in the order of their seats."""
    coming = []
    for number in range(1, seats):
        coming.append(asyncio.create_task(here.guest(confirm=anybody)))
        if number < seats - 1:
            await until(partial(has_come, here, number))
    return coming


async def leave(coming: Sequence[asyncio.Task[Visit]]) -> None:
    """All go: those who have sat down, as far as they know, and those who wait for that."""
    for each in coming:
        each.cancel()
    for visit in await asyncio.gather(*coming, return_exceptions=True):
        if isinstance(visit, Visit):
            await visit.session.close()
            await visit.close()


@pytest.mark.parametrize("seats", [3, 5])
@pytest.mark.parametrize(
    ("lie", "why"),
    [
        (key_of_another, f"Seat {OTHER} is taken by another key than the host has told of"),
        (key_of_another_host, "Seat 0 is taken by another key"),
        (key_of_another_reader, "takes this side for somebody else"),
        (guests_exchanged, "another key than|takes this side for somebody else"),
        (another_game, "another table than it has told of"),
        (one_more, "another table than it has told of"),
        (one_less, "another table than it has told of"),
    ],
)
async def test_a_guest_does_not_sit_down_with_others_than_it_was_told_of(
    lie: Lie, why: str, seats: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At another game, for another number, or with another key than the host has told of when it began."""
    monkeypatch.setattr(server, "Line", telling(lie, seats - 1))
    async with inn(tmp_path, is_open=True, terms=Terms.of(Toy(), seats, {})) as here:
        *others, victim = await come(here, seats)
        with pytest.raises(NetworkError, match=why):
            await victim
        await leave(others)
    home = tmp_path / f"guest-{seats - 1}"
    assert not [*(home / "tables").iterdir(), *(home / "offers").iterdir()], "nothing is left of it"


async def test_names_are_those_of_who_sits_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the host calls another guest before is its own word; at the table it is called as it has signed."""
    monkeypatch.setattr(server, "Line", telling(name_of_another, 2))
    async with inn(tmp_path, is_open=True, terms=Terms.of(Toy(), 3, {})) as here:
        coming = await come(here, 3)
        for visit in [await each for each in coming]:
            members = visit.session.snapshot.members
            assert [member.name for member in members] == ["the host", "guest 1", "guest 2"]
        await leave(coming)
