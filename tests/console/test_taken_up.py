"""The console at a table that was taken up again: what stands there is true before the other comes back, and after."""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path

import pytest

from bcnet.home import Home
from bcnet.session import Session
from bcnet.signing import Identity
from bcnet.updates import LineDown
from bcnet.wire.v1 import table_pb2 as pb
from bcnet_client.console.desk import Desk
from tests.console.alone import carry
from tests.console.hands import answer, is_asked
from tests.console.pairs import Pair, pair
from tests.console.terminal import Terminal, terminal
from tests.console.test_desk import status
from tests.net.people import until
from tests.net.processes import THINKS, guest, host, starting

BACK = "to come back"


async def again(two: Pair, folder: Path) -> tuple[Desk, Desk]:
    """Both programs are ended and started again; there is no line yet."""
    desks = []
    for number, name in ((1, "ann"), (2, "bob")):
        session: Session = getattr(two, name)
        await session.close()
        home = Home(folder / name)
        (table,) = home.unfinished()
        taken_up = await Session.resume(home, Identity(bytes([number]) * 32), "", home.open(table))
        setattr(two, name, taken_up)
        desks.append(Desk(taken_up))
    return desks[0], desks[1]


async def connect(two: Pair) -> None:
    wires = await two.ann.attach(frozenset({1})), await two.bob.attach(frozenset({0}))
    two.tasks.append(asyncio.create_task(carry(two.ann, wires[0], two.bob, wires[1])))
    two.tasks.append(asyncio.create_task(carry(two.bob, wires[1], two.ann, wires[0])))


async def watch(desk: Desk) -> None:
    """As a console does: each update is taken as soon as it is told."""
    while True:
        await desk.next_update()


@pytest.mark.parametrize("whose", ["ann", "bob"])
async def test_nobody_is_waited_for_who_is_back(whose: str, tmp_path: Path) -> None:
    """Whoever's turn it is: at the side that has nothing to say, no move tells that the line is up."""
    async with pair(tmp_path) as two:
        await (two.anns_turn if whose == "ann" else two.bobs_turn)()
        desks = await again(two, tmp_path)
        assert all(BACK in status(desk) for desk in desks)
        assert not any(desk.scene.asked for desk in desks)
        two.tasks += [asyncio.create_task(watch(desk)) for desk in desks]
        await connect(two)
        async with asyncio.timeout(20):
            await until(lambda: any(d.is_asked for d in desks) and not any(d.scene.held for d in desks))
        assert not any(BACK in status(desk) for desk in desks)
        assert [desk.scene.asked for desk in desks] == [whose == "ann", whose == "bob"]


async def test_whoever_looks_late_sees_a_line_that_is_down(tmp_path: Path) -> None:
    async with pair(tmp_path) as two:
        await two.anns_turn()
        two.ann.detach(two.wires[0], pb.REASON_PAUSED)
        late = two.ann.updates(past=True)
        told = [late.get_nowait() for _ in range(late.qsize())]
        assert told[-1] == LineDown(frozenset({1}), pb.REASON_PAUSED)
        assert [update for update in told if isinstance(update, LineDown)] == told[-1:]
        two.bob.detach(two.wires[1])
        await connect(two)
        async with asyncio.timeout(20):
            await until(lambda: not two.ann._down)
        late = two.ann.updates(past=True)
        assert not [u for _ in range(late.qsize()) if isinstance(u := late.get_nowait(), LineDown)]


# --- two processes ---


def bcnet(folder: Path, name: str, *words: str) -> list[str]:
    return [sys.executable, "-m", "bcnet", *words, "--name", name, "--home", str(folder / name)]


@pytest.mark.end_to_end
@pytest.mark.timeout(300)
@pytest.mark.parametrize("plain", [False, True], ids=["screen", "lines"])
def test_both_resume_in_their_terminals(plain: bool, tmp_path: Path) -> None:
    """Case N6: one is killed, then the other; both come back, and both consoles know it before anybody moves."""
    how = {"env": {"TERM": "dumb"}} if plain else {}
    asks = "Your turn: lay a card"
    with terminal(bcnet(tmp_path, "Ann", "host", "--listen", "127.0.0.1:0"), **how) as ann:
        line = ann.wait_for(r"join (127\.0\.0\.1:\d+) (\S{29}) ")
        with terminal(bcnet(tmp_path, "Bob", "join", line[1], line[2]), **how) as bob:
            asked = _first(asks, ann, bob)
            for each in (bob, ann):
                each.signal(signal.SIGKILL)
    with terminal(bcnet(tmp_path, "Ann", "resume"), **how) as ann:
        ann.wait_for("Waiting for Bob to come back")
        with terminal(bcnet(tmp_path, "Bob", "resume"), **how) as bob:
            sides = (ann, bob)
            mover, other = (sides[asked], sides[1 - asked])
            mover.wait_for(asks)
            if plain:
                for each in sides:
                    each.wait_for("The line is up again; all sides have the same game.")
                    assert each.raw.count(b"Agreed: ") == 1
                assert BACK not in bob.words  # Ann was there
                return
            other.wait_for("Waiting for (Ann|Bob) …")
            for each in sides:
                each.update(1)
                assert BACK not in each.words
            assert is_asked(mover)
            answer(mover)


@pytest.mark.end_to_end
@pytest.mark.timeout(300)
def test_what_was_chosen_in_secret_stands_there_again(tmp_path: Path) -> None:
    """At a table of three whose other two have not chosen yet."""
    sleeps = THINKS.replace("0.5", "600")
    assert sleeps != THINKS
    with starting(tmp_path) as start:
        ann = host(start, "--game", "edel", "--seats", "3", code=sleeps)
        there = ann.wait_for(r"^  \S+ join '?([^' ]+)'? \S+$")[1]
        guest(start, there, code=sleeps)
        ann.wait_for("^At the table: .*Bob")
        with terminal(bcnet(tmp_path, "Cleo", "join", there, "--trust-first")) as cleo:
            cleo.wait_for("action> *$")
            cleo.send("gems\r")
            cleo.wait_for("Choose Gems")
            cleo.send("\r")
            cleo.wait_for(r"you .*\(gems\)")
            cleo.signal(signal.SIGKILL)
        with terminal(bcnet(tmp_path, "Cleo", "resume")) as cleo:
            cleo.wait_for(r"you .*\(gems\)")
            cleo.wait_until(lambda: BACK not in cleo.words, "the line is up")
            cleo.update(1)
            assert "(gems)" in cleo.text


def _first(what: str, one: Terminal, other: Terminal) -> int:
    """Which of the screens shows it first, 0 or 1."""

    def shown() -> bool:
        other.update()
        return what in one.words or what in other.words

    one.wait_until(shown, what)
    return 0 if what in one.words else 1
