"""Tables of three and five: lines of any of them that drop, programs of any of them that die, and who is told what."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from bcnet.entry import Noise
from bcnet.games import registry
from bcnet.home import Home
from bcnet.session import Session
from bcnet.table.membership import Terms
from bcnet.table.player import Player, Reaction
from bcnet.table.rounds import Kind
from bcnet.table.table import OtherHistory
from bcnet.updates import Awaited, ChatOff, Ended, LineDown, LineUp, Said, Update
from bcnet.verify import Verdict, verify_file
from bcnet.wire.v1 import table_pb2 as pb
from tests.net.company import NAMES, Company, company, drained, subsets
from tests.net.people import home_in
from tests.net.test_session import PATIENCE, until
from tests.table.quick import quick_proofs
from tests.table.room import identity_of, lookup, secrets_of
from tests.toy import Toy


@pytest.fixture(autouse=True)
def quick() -> Iterator[None]:
    with quick_proofs():
        yield


@pytest.fixture
async def three(tmp_path: Path) -> AsyncIterator[Company]:
    """Three who have played a little."""
    async with company(tmp_path, Toy(), 3) as made:
        made.play()
        await made.until_round(12)
        yield made


@pytest.mark.parametrize(("seats", "step"), [(3, 5), (3, 6), (3, 7), (5, 40)])
async def test_lines_of_any_of_them_cut_at_any_frame(seats: int, step: int, tmp_path: Path) -> None:
    """At every so-manieth frame the lines of another subset drop, and come back in whatever order."""
    rng = random.Random(step)
    ways = subsets(range(1, seats))
    cuts = 0
    async with company(tmp_path, Toy(), seats) as here:
        due = asyncio.Event()
        left = step

        def count(_: int) -> None:
            nonlocal left
            left -= 1
            if left == 0:
                due.set()

        here.at_frame = count
        here.play()
        async with asyncio.timeout(PATIENCE):
            while not all(side.ended for side in here.sides):
                waiting = asyncio.create_task(due.wait())
                ending = asyncio.create_task(until(lambda: all(side.ended for side in here.sides)))
                await asyncio.wait({waiting, ending}, return_when=asyncio.FIRST_COMPLETED)
                waiting.cancel()
                ending.cancel()
                if not due.is_set():
                    break
                lost = [seat for seat in ways[cuts % len(ways)] if seat in here.lines]
                cuts += 1
                await here.cut(*lost)
                rng.shuffle(lost)
                due.clear()
                # More is said until the lines stand again than before: positions, what is missing, who is down.
                left = step + 12 * len(lost)
                if lost:
                    await here.connect(*lost)
        assert cuts >= min(len(ways), 8)
        await here.end()


def told(updates: asyncio.Queue[Update]) -> list[tuple[type[Update], frozenset[int]]]:
    return [
        (type(update), update.seats) for update in drained(updates) if isinstance(update, LineDown | LineUp)
    ]


@pytest.mark.parametrize("lost", subsets([1, 2]), ids=str)
async def test_everybody_is_told_who_is_away_and_back(lost: tuple[int, ...], three: Company) -> None:
    three.stays_silent = {0, 1, 2}
    await until(lambda: not any(side._working for side in three.sides))
    await asyncio.sleep(0.05)
    updates = [side.updates() for side in three.sides]
    await three.cut(*lost)
    await asyncio.sleep(0.05)
    here = [told(queue) for queue in updates]
    assert here[0] == [(LineDown, frozenset({seat})) for seat in lost]
    for seat in (1, 2):
        if seat in lost:
            # Its line leads to all others.
            assert here[seat] == [(LineDown, frozenset({0, 1, 2} - {seat}))] or lost == (1, 2)
            assert here[seat][-1] == (LineDown, frozenset({0, 1, 2} - {seat}))
        else:
            assert here[seat] == [(LineDown, frozenset({each})) for each in lost]
    for seat in lost:
        await three.connect(seat)
        await asyncio.sleep(0.05)
    here = [told(queue) for queue in updates]
    assert here[0] == [(LineUp, frozenset({seat})) for seat in lost]
    if lost == (1, 2):
        # The first to come back is told that the other is still away, and then that it is back.
        assert here[1] == [
            (LineUp, frozenset({0, 2})),
            (LineDown, frozenset({2})),
            (LineUp, frozenset({2})),
        ]
        assert here[2] == [(LineUp, frozenset({0, 1}))]
    else:
        (one,) = lost
        assert here[one] == [(LineUp, frozenset({0, 1, 2} - {one}))]
        assert here[3 - one] == [(LineUp, frozenset({one}))]
    three.stays_silent = set()
    three.play()
    await three.end()


async def test_a_line_that_is_cut_while_something_of_it_is_judged_stays_down(three: Company) -> None:
    three.waits_with = lambda here: here.seat == 0
    guest, host = three.sides[1], three.sides[0]
    await three.rest()  # what was decided before is done
    async with asyncio.timeout(PATIENCE):
        await until(
            lambda: host.snapshot.decision and all(side.snapshot.awaited == (0,) for side in three.sides)
        )
    is_judging, goes_on, receive = threading.Event(), threading.Event(), guest.player.receive

    def slowly(data: bytes) -> Reaction:
        is_judging.set()
        assert goes_on.wait(PATIENCE)
        return receive(data)

    guest.player.receive = slowly  # type: ignore[method-assign]
    updates = guest.updates()
    assert host.snapshot.view is not None
    await host.act(host.snapshot.view.legal_actions(0)[0])
    async with asyncio.timeout(PATIENCE):
        await until(is_judging.is_set)
    await three.cut(1)
    goes_on.set()
    async with asyncio.timeout(PATIENCE):
        await until(lambda: not guest._working)
    assert told(updates) == [(LineDown, frozenset({0, 2}))]
    assert guest.snapshot.away == {0, 2}


@pytest.mark.parametrize("killed", [(0,), (0, 1)], ids=str)
async def test_who_is_back_before_others_is_told_whom_the_host_awaits(
    killed: tuple[int, ...], three: Company
) -> None:
    """A host that was started anew says that nothing is missing only when all are back; until then, who is not."""
    await three.kill(*killed)
    await three.revive(*killed)
    guest = three.sides[1]
    updates = guest.updates()
    await three.connect(1)
    async with asyncio.timeout(PATIENCE):
        await until(lambda: guest.snapshot.away == {2})
    assert guest.snapshot.held == (1 in killed)
    assert told(updates) == [(LineUp, frozenset({0, 2})), (LineDown, frozenset({2}))]
    guest.say("Where is Carol?")
    three.sides[0].say("She will come.")
    heard: list[Said] = []
    async with asyncio.timeout(PATIENCE):
        while len(heard) < 2:
            if isinstance(update := await updates.get(), Said):
                heard.append(update)
    assert heard == [Said(1, "Where is Carol?"), Said(0, "She will come.")]
    await three.connect(2)
    async with asyncio.timeout(PATIENCE):
        await until(lambda: not guest.snapshot.held and not guest.snapshot.away)
    assert told(updates) == [(LineUp, frozenset({2}))]
    three.play()
    await three.end()


@pytest.mark.parametrize("killed", [(0,), (0, 1)], ids=str)
async def test_logs_are_equal_once_they_were_compared(killed: tuple[int, ...], three: Company) -> None:
    """A host that awaits others cannot say so yet; with the last one back it is so."""
    await three.kill(*killed)
    await three.revive(*killed)
    updates = [side.updates() for side in three.sides]
    await three.connect(1)
    await three.rest()
    for seat, others in ((0, {1}), (1, {0, 2})):
        ups = [update for update in drained(updates[seat]) if isinstance(update, LineUp)]
        assert ups == [LineUp(frozenset(others), same_log=False)]
    await three.connect(2)
    await three.rest()
    for seat, others in ((0, {2}), (2, {0, 1})):
        ups = [update for update in drained(updates[seat]) if isinstance(update, LineUp)]
        assert ups == [LineUp(frozenset(others), same_log=True)]


async def test_a_host_that_learns_late_of_another_history_tells_its_player(
    three: Company, tmp_path: Path
) -> None:
    """Without a log nothing contradicts a guest; once another has given it back, that guest's is another one."""
    await three.kill(0)
    home = Home(tmp_path / NAMES[0])
    (table,) = home.unfinished()
    home.set_journal_aside(table)
    await three.revive(0)
    host = three.sides[0]
    updates = host.updates()
    wire = await host.attach(frozenset({1}), identity=identity_of(1).public, table=host.lost_id)
    await host.receive(wire, pb.Frame(position=pb.Position(rounds=4, head=bytes(32), seat=1)))
    await host.receive(wire, pb.Frame(caught_up=pb.CaughtUp()))
    await three.connect(2)
    await three.rest()
    (down,) = [update for update in drained(updates) if isinstance(update, LineDown)]
    assert down.seats == {1}
    assert isinstance(down.noise, OtherHistory)
    assert [side.snapshot.away for side in (host, three.sides[2])] == [{1}, {1}]
    frames = []
    while (frame := await wire.get()) is not None:
        frames.append(frame)
    assert frames[-1].goodbye.reason == pb.REASON_OTHER_HISTORY


async def test_how_somebody_has_gone_is_told_to_all(three: Company) -> None:
    updates = three.sides[2].updates()
    three.stop(1)
    await three.sides[1].close(pb.REASON_PAUSED)
    async with asyncio.timeout(PATIENCE):
        while not isinstance(update := await updates.get(), LineDown):
            pass
    assert (update.seats, update.reason) == (frozenset({1}), pb.REASON_PAUSED)


@pytest.mark.parametrize("killed", subsets([0, 1, 2]), ids=str)
async def test_any_of_three_are_killed_and_come_back(killed: tuple[int, ...], three: Company) -> None:
    await three.kill(*killed)
    before = {seat: three.said(seat) for seat in killed}
    await three.revive(*killed)
    three.play(*killed)
    assert all(three.said(seat) == before[seat] for seat in killed)
    missing = [seat for seat in three.guests if seat not in three.lines]
    for seat in reversed(missing):
        if 0 in killed:
            assert three.sides[0].snapshot.held
            assert three.said(0) == before[0], "a host signs nothing before all are back"
        await three.connect(seat)
        await asyncio.sleep(0.05)
    async with asyncio.timeout(PATIENCE):
        await three.sides[0].all_here.wait()
    await three.end()
    assert all(three.said(seat) > before[seat] for seat in killed)


@pytest.mark.parametrize("killed", [(0,), (3,), (1, 4), (0, 2, 3), (0, 1, 2, 3, 4)], ids=str)
async def test_any_of_five_are_killed_and_come_back(killed: tuple[int, ...], tmp_path: Path) -> None:
    async with company(tmp_path, Toy(), 5) as five:
        five.play()
        await five.until_round(14)
        await five.kill(*killed)
        await five.revive(*killed)
        five.play(*killed)
        for seat in five.guests:
            if seat not in five.lines:
                await five.connect(seat)
        await five.end()


@pytest.mark.parametrize("first", [1, 2])
async def test_a_host_that_lost_its_journal_gets_everybodys_entries_from_one_guest(
    first: int, three: Company, tmp_path: Path
) -> None:
    await three.kill(0)
    home = Home(tmp_path / NAMES[0])
    (table,) = home.unfinished()
    home.set_journal_aside(table)
    known = three.log(first)
    await three.revive(0)
    host = three.sides[0]
    assert not three.log(0)
    three.play(0)
    await three.connect(first)
    async with asyncio.timeout(PATIENCE):
        await until(lambda: three.log(0) >= known)
    assert host.snapshot.held
    await three.connect(3 - first)
    await three.end()


async def test_nobody_sits_down_for_another(tmp_path: Path) -> None:
    """A guest may give back what it has of others when it comes back to a table, and not before there is one."""
    home = home_in(tmp_path, "host")
    terms = Terms.of(Toy(), 3, {})
    host = await Session.host(home, identity_of(0), "Ann", terms, games=lookup)
    (offer,) = host.player.table.log.entries()
    puppet = Player(
        2, secrets_of(2), identity_of(7).public, identity_of(7).sign_message, "Puppet", games=lookup
    )
    (join,) = [each.data for each in puppet.receive(offer.data).entries if each.seat == 2]
    for table in (b"", host.offer_id):
        wire = await host.attach(frozenset({1}), identity=identity_of(1).public, table=table)
        await host.receive(wire, pb.Frame(position=pb.Position(seat=1)))
        with pytest.raises(Noise, match="An entry of seat 2 does not come from there"):
            await host.receive(wire, pb.Frame(entry=join))
    assert set(host.occupants) == {0}
    await host.abandon(pb.REASON_LEAVING)


async def test_nobody_speaks_for_another_once_caught_up(three: Company) -> None:
    three.stays_silent = {0, 1, 2}
    await until(lambda: not any(side._working for side in three.sides))
    entry = next(iter(three.said(2)))
    to_guest, _ = three.lines[1]
    with pytest.raises(Noise, match="An entry of seat 2 does not come from there"):
        await three.sides[0].receive(to_guest, pb.Frame(entry=entry))


# --- somebody says nothing ---


async def test_a_seat_that_is_silent_is_named_in_the_transcript(three: Company) -> None:
    """All lines stand: the others see whom the table waits for, and the file says whose entry it lacks."""
    three.stays_silent = {2}
    await until(lambda: {side.snapshot.awaited for side in three.sides} == {(2,)})
    for side in (three.sides[0], three.sides[1]):
        path = await side.close()
        assert path is not None
        report = verify_file(path, games=lookup)
        assert report.verdict is Verdict.INCOMPLETE
        assert {lack.seat for lack in report.lacks} == {2}


# --- giving up ---


@pytest.mark.parametrize("leaver", [0, 1, 2])
async def test_the_game_goes_on_without_one_who_gives_up_and_leaves(leaver: int, three: Company) -> None:
    three.stop(leaver)
    await three.sides[leaver].resign()
    others = [seat for seat in range(3) if seat != leaver]
    course = three.sides[others[0]].player.table.course
    await until(lambda: leaver not in course.present)
    if leaver:  # without the host's program there is no line between the others
        await three.sides[leaver].close(pb.REASON_PAUSED)
        await three.cut(leaver)
    report = await three.end(*others)
    assert report.result is not None
    assert set(report.result.winners) <= set(others)


async def test_who_gave_up_and_left_is_missed_once_another_game_could_follow(three: Company) -> None:
    for side in three.sides:
        side.keeps_lines = True
    three.stop(2)
    await three.sides[2].resign()
    await until(lambda: all(side.snapshot.left == {2} for side in three.sides[:2]))
    await three.sides[2].close(pb.REASON_PAUSED)
    await three.cut(2)
    told = [side.updates() for side in three.sides[:2]]
    await three.end(0, 1)
    for queue in told:
        said = [each for each in drained(queue) if isinstance(each, LineDown | Ended)]
        assert isinstance(said[-2], Ended)
        assert said[-1] == LineDown(frozenset({2}), pb.REASON_LEAVING)
        assert len(said) == 2, "nobody was missed while the game went on"


async def test_who_has_chosen_is_seen_while_others_still_choose(tmp_path: Path) -> None:
    async with company(tmp_path, registry.get("edel"), 3) as made:
        async with asyncio.timeout(PATIENCE):
            await until(lambda: all(side.snapshot.decision is Kind.SEAL for side in made.sides))
            told = made.sides[1].updates()
            chooser = made.sides[2]
            assert chooser.snapshot.view is not None
            await chooser.act(chooser.snapshot.view.legal_actions(2)[0])
            while not isinstance(update := await told.get(), Awaited):
                pass
        assert update.seats == (0, 1)
        assert made.sides[1].snapshot.awaited == (0, 1)


async def test_who_resigns_is_known_before_it_counts(tmp_path: Path) -> None:
    """One has chosen and resigns; another carries the note in place of a choice; the third is away, so all wait."""
    async with company(tmp_path, registry.get("edel"), 3) as made, asyncio.timeout(PATIENCE):
        await until(lambda: all(side.snapshot.decision is Kind.SEAL for side in made.sides))
        host, leaver = made.sides[0], made.sides[2]
        await made.cut(1)
        told = host.updates()
        assert leaver.snapshot.view is not None
        await leaver.act(leaver.snapshot.view.legal_actions(2)[0])
        await leaver.resign()
        await until(lambda: host.snapshot.awaited == (1,))
        assert host.snapshot.resigning == leaver.snapshot.resigning == {2}
        assert host.snapshot.chosen is None
        assert any(isinstance(update, Awaited) for update in drained(told))
        await made.connect(1)
        await until(lambda: all(side.snapshot.left == {2} for side in made.sides))
        assert not any(side.snapshot.resigning for side in made.sides)
        assert host.snapshot.awaited == (0, 1)


async def test_that_a_held_table_goes_on_is_told(tmp_path: Path) -> None:
    """A guest that was back before others were, at a host that awaited these."""
    async with company(tmp_path, registry.get("edel"), 3) as made, asyncio.timeout(PATIENCE):
        await until(lambda: all(side.snapshot.decision is Kind.SEAL for side in made.sides))
        chooser = made.sides[1]
        assert chooser.snapshot.view is not None
        await chooser.act(chooser.snapshot.view.legal_actions(1)[0])
        await made.rest()
        await made.kill(0, 1)
        await made.revive(0, 1)
        await made.connect(1)
        await made.rest()
        guest = made.sides[1]
        assert guest.snapshot.held
        told = guest.updates()
        await made.connect(2)
        await until(lambda: not guest.snapshot.held)
        await made.rest()
        assert Awaited((0, 2)) in drained(told)


async def test_what_one_has_chosen_is_shown_again_after_a_restart(tmp_path: Path) -> None:
    async with company(tmp_path, registry.get("edel"), 3) as made:
        async with asyncio.timeout(PATIENCE):
            await until(lambda: all(side.snapshot.decision is Kind.SEAL for side in made.sides))
        chooser = made.sides[2]
        assert chooser.snapshot.view is not None
        choice = chooser.snapshot.view.legal_actions(2)[1]
        await chooser.act(choice)
        await made.kill(2)
        await made.revive(2)
        assert made.sides[2].snapshot.held
        assert made.sides[2].snapshot.chosen == choice
        await made.connect(2)
        async with asyncio.timeout(PATIENCE):
            await until(lambda: not made.sides[2].snapshot.held)
        assert made.sides[2].snapshot.chosen == choice
        assert [side.snapshot.chosen for side in made.sides[:2]] == [None, None]


async def test_all_but_one_give_up(three: Company) -> None:
    for seat in (2, 0):
        three.stop(seat)
        await three.sides[seat].resign()
    report = await three.end()
    assert report.result is not None
    assert report.result.winners == (1,)


async def test_all_give_up_across_each_other(tmp_path: Path) -> None:
    """Their notes and entries cross on the lines; all sides come to the same end."""
    async with company(tmp_path, Toy(), 4) as four:
        four.play()
        await four.until_round(14)
        for seat in range(4):
            four.stop(seat)
        await asyncio.gather(*(side.resign() for side in four.sides))
        report = await four.end()
        assert report.result is not None
        assert len(report.result.winners) <= 1


async def test_a_note_of_resignation_comes_to_who_was_away_when_it_was_sent(tmp_path: Path) -> None:
    """It is its turn: it carries the note as soon as it is back, before its player has to decide anything."""
    async with company(tmp_path, registry.get("stones"), 3) as here:
        here.waits_with = lambda at: at.seat == 2
        here.play()
        async with asyncio.timeout(PATIENCE):
            await until(lambda: all(side.snapshot.awaited == (2,) for side in here.sides))
        await here.cut(2)
        await here.sides[1].resign()
        async with asyncio.timeout(PATIENCE):
            await until(lambda: not any(side._working for side in here.sides))
        await asyncio.sleep(0.05)
        assert here.sides[0].snapshot.left == frozenset()
        await here.sides[1].close(pb.REASON_PAUSED)
        await here.cut(1)
        await here.connect(2)
        async with asyncio.timeout(PATIENCE):
            await until(lambda: all(here.sides[seat].snapshot.left == {1} for seat in (0, 2)))
        assert here.sides[2].snapshot.decision is Kind.ACT, "whose turn it is still"


async def test_a_resignation_is_known_by_who_was_away_meanwhile(three: Company) -> None:
    """Neither the one who resigned nor the one who was away owes a word: it comes with the next entry owed."""
    await three.cut(2)
    three.stop(1)
    await three.sides[1].resign()
    await asyncio.sleep(0.05)
    await three.connect(2)
    report = await three.end()
    assert report.result is not None
    assert 1 not in report.result.winners


# --- beside the game ---


async def test_what_one_says_is_heard_by_all_others_once(three: Company) -> None:
    queues = [side.updates() for side in three.sides]
    for seat, side in enumerate(three.sides):
        side.say(f"I am {seat}")
    heard: list[set[Said]] = [set(), set(), set()]
    async with asyncio.timeout(PATIENCE):
        for seat, queue in enumerate(queues):
            while len(heard[seat]) < 3:
                if isinstance(update := await queue.get(), Said):
                    assert update not in heard[seat]
                    heard[seat].add(update)
    assert heard == [{Said(seat, f"I am {seat}") for seat in range(3)}] * 3
    three.sides[1].stay_out_of_the_chat()
    async with asyncio.timeout(PATIENCE):
        for queue in (queues[0], queues[2]):
            while not isinstance(update := await queue.get(), ChatOff):
                pass
            assert update.seat == 1
