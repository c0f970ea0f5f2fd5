"""A table for three to five is filled: who is told what, who moves up, who comes back, and who holds nobody up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from grpc import aio

from bcnet.entry import read_body, read_entry
from bcnet.hello import Role, sign_hello
from bcnet.home import Home
from bcnet.secrets import Secrets
from bcnet.session import Session
from bcnet.signing import Identity
from bcnet.table.membership import Terms
from bcnet.table.player import Player
from bcnet.wire.v1 import table_pb2 as pb
from bcnet_client import join as joining
from bcnet_client.address import Address
from bcnet_client.join import Joiner, NotSeated, Visit, join
from bcnet_client.line import Line
from bcnet_client.trust import Trust
from bcnet_host import admission
from bcnet_host.admission import Gathered, Idle
from tests.games.bids import Bids
from tests.net.people import Inn, come_together, farewell, hello, inn, read, shake_hands, stranger_from, until
from tests.net.test_dead_line import Cable
from tests.table.quick import quick_proofs
from tests.table.room import lookup
from tests.toy import Toy

Call = aio.StreamStreamCall[pb.Frame, pb.Frame]
STRANGER = Identity(bytes([77]) * 32)
PATIENCE = 20


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(joining, "FIRST_PAUSE", 0.05)
    with quick_proofs():
        yield


def toy(seats: int) -> Terms:
    return Terms.of(Toy(), seats, {})


@dataclass
class Guest:
    """Somebody who is on the way to a seat, and who was told to be there."""

    name: str
    gathered: list[list[str]] = field(default_factory=list)
    joining: asyncio.Task[Visit] = field(init=False)

    async def visit(self) -> Visit:
        async with asyncio.timeout(PATIENCE):
            return await self.joining

    async def error(self) -> BaseException:
        """Why there was no seat."""
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await asyncio.wait({self.joining})
        error = self.joining.exception()
        assert error is not None
        return error


@dataclass
class Hall:
    """An inn whose table is filled by one guest after another."""

    inn: Inn
    guests: list[Guest] = field(default_factory=list)

    async def come(self, address: Address | None = None, joiner: Joiner | None = None) -> Guest:
        """The next guest is let in and has been told so."""
        joiner = joiner or self.inn.joiner()
        guest = Guest(joiner.name)
        joiner = replace(
            joiner, gathered=lambda gathering: guest.gathered.append([s.name for s in gathering.sitters])
        )
        guest.joining = asyncio.create_task(join(joiner, address or self.inn.address))
        self.guests.append(guest)
        awaited = len(self.waiting)
        await until(lambda: guest.gathered or guest.joining.done() or len(self.waiting) > awaited)
        return guest

    @property
    def waiting(self) -> list[str]:
        return [guest.name for guest in self.inn.admission._waiting.guests]

    @property
    def told(self) -> list[list[str]]:
        """What the host was told of the guests, one after another."""
        return [
            [sitter.name for sitter in notice.gathering.sitters]
            for notice in self.inn.notices
            if isinstance(notice, Gathered)
        ]

    async def game(self, *guests: Guest) -> list[Session]:
        """All sit, at one table; every side's session by seat."""
        async with asyncio.timeout(PATIENCE):
            sessions = [await self.inn.game(), *[(await guest.visit()).session for guest in guests]]
        assert [session.snapshot.seat for session in sessions] == list(range(len(sessions)))
        assert len({session.table_id for session in sessions}) == 1
        names = [member.name for member in sessions[0].snapshot.members]
        assert names == ["the host", *[guest.name for guest in guests]]
        async with asyncio.timeout(PATIENCE):
            await until(lambda: any(session.snapshot.decision for session in sessions))
        return sessions


@asynccontextmanager
async def hall(folder: Path, terms: Terms, *, is_open: bool = False) -> AsyncIterator[Hall]:
    async with inn(folder, terms=terms, is_open=is_open) as here:
        made = Hall(here)
        try:
            yield made
        finally:
            for guest in made.guests:
                guest.joining.cancel()
                with suppress(BaseException):
                    visit = await guest.joining
                    await visit.session.close()
                    await visit.close()


@pytest.mark.parametrize("seats", [3, 4, 5])
async def test_everybody_is_told_who_is_in(seats: int, tmp_path: Path) -> None:
    async with hall(tmp_path, toy(seats)) as here:
        guests = [await here.come() for _ in range(seats - 1)]
        await here.game(*guests)
        names = ["the host", *[guest.name for guest in guests]]
        assert here.told == [names[:count] for count in range(2, seats + 1)]
        for number, guest in enumerate(guests[:-1], 2):
            assert guest.gathered[-1] == names[: seats - 1]
            assert guest.gathered[0] == names[:number]
        with pytest.raises(NotSeated, match="taken"):
            await here.inn.guest()


async def test_who_leaves_while_waiting_is_gone_and_those_behind_move_up(tmp_path: Path) -> None:
    async with hall(tmp_path, toy(4)) as here:
        first, second = await here.come(), await here.come()
        first.joining.cancel()
        await until(lambda: here.waiting == ["guest 2"])
        await until(lambda: second.gathered[-1:] == [["the host", "guest 2"]])
        # The code is for three keys, and the first has used it: two new ones, and the first once more.
        third = await here.come()
        with suppress(asyncio.CancelledError):
            await first.joining
        again = await here.come(joiner=self_again(here, 1))
        await here.game(second, third, again)
        assert here.told[2] == ["the host", "guest 2"]


def self_again(here: Hall, number: int) -> Joiner:
    """A guest of before, with the same home and the same code."""
    joiner = stranger_from(here.inn.folder / f"guest-{number}", f"guest {number}")
    return replace(joiner, trust=Trust(invite=here.inn.invite))


async def test_the_code_lets_in_as_many_keys_as_there_are_seats_and_no_more(tmp_path: Path) -> None:
    async with hall(tmp_path, toy(3)) as here:
        first, second = await here.come(), here.inn.joiner()
        first.joining.cancel()
        await until(lambda: not here.waiting)
        leaver = await here.come(joiner=second)
        leaver.joining.cancel()
        await until(lambda: not here.waiting)
        with pytest.raises(NotSeated, match="somebody else has sat down with this code"):
            await here.inn.guest()
        one = await here.come(joiner=self_again(here, 1))
        two = await here.come(joiner=self_again(here, 2))
        await here.game(one, two)


async def test_the_host_begins_with_fewer_where_the_game_allows_it(tmp_path: Path) -> None:
    async with hall(tmp_path, toy(5)) as here:
        assert not here.inn.admission.begin()  # nobody plays alone
        offers = Home(tmp_path / "host").offers
        (unused,) = offers.iterdir()
        guests = [await here.come() for _ in range(2)]
        assert here.inn.admission.begin()
        assert not here.inn.admission.begin()
        sessions = await here.game(*guests)
        for session in sessions:
            terms = session.snapshot.terms
            assert terms is not None
            assert terms.seats == len(session.snapshot.members) == 3
        assert not unused.exists()
        assert sessions[0].offer_id[:8].hex() not in unused.name


async def test_the_host_does_not_begin_with_fewer_where_the_game_does_not_allow_it(tmp_path: Path) -> None:
    async with hall(tmp_path, Terms.of(Bids(), 4, {})) as here:
        guests = [await here.come()]
        assert not here.inn.admission.begin()
        guests.append(await here.come())
        assert here.inn.admission.begin()  # three may
        await here.game(*guests)


async def answer(call: Call, gathering: pb.Gathering, identity: Identity) -> bytes:
    """Take the offer and sit down as a bare stranger; gives the offer."""
    while not (frame := await read(call)).HasField("entry"):
        pass
    player = Player(
        gathering.seat, Secrets(bytes(32)), identity.public, identity.sign_message, "stranger", games=lookup
    )
    said = [each.data for each in player.receive(frame.entry).entries if each.seat == gathering.seat]
    await call.write(pb.Frame(entry=said[0]))
    return frame.entry


@pytest.mark.parametrize("stalls", [1, 2, 3], ids=["first", "middle", "last"])
async def test_one_who_stalls_costs_the_others_nothing_but_the_time(
    stalls: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others stay on their lines, and get another offer, with another seed; the old one is nowhere again."""
    monkeypatch.setattr(admission, "SEAT_TIME", 1.0)
    async with hall(tmp_path, toy(4), is_open=True) as here:
        guests: list[Guest] = []
        async with here.inn.stranger() as call:
            for seat in (1, 2, 3):
                if seat == stalls:
                    await shake_hands(here.inn, call, STRANGER, waits=True)
                    await until(lambda: "stranger" in here.waiting)
                else:
                    guests.append(await here.come())
            await come_together(call)
            entry = await read(call)
            offer = read_body(read_entry(entry.entry).body).offer
            (seen,) = [path.name for path in Home(tmp_path / "host").offers.iterdir()]
            assert await farewell(call) == pb.REASON_IDLE
        await until(lambda: here.inn.admission.is_open)
        assert Idle(STRANGER.public) in here.inn.notices
        assert here.waiting == [guest.name for guest in guests]
        assert not any(guest.joining.done() for guest in guests)
        monkeypatch.setattr(admission, "SEAT_TIME", 30)
        guests.append(await here.come())
        sessions = await here.game(*guests)
        assert sessions[0].player.table.course.members[0].commitment != offer.host.commitment
        for name in ("host", *[f"guest-{number}" for number in (1, 2, 3)]):
            home = tmp_path / name
            left = [path.name for name in ("tables", "offers") for path in (home / name).iterdir()]
            assert len(left) == 1
            assert seen not in left


async def test_one_who_goes_at_the_last_moment_takes_nobody_along(tmp_path: Path) -> None:
    """The other has been shown the offer and answers it late: it stays, and waits for somebody else."""
    async with (
        hall(tmp_path, toy(3), is_open=True) as here,
        here.inn.stranger() as slow,
        here.inn.stranger() as leaver,
    ):
        await shake_hands(here.inn, slow, STRANGER, waits=True)
        await until(lambda: "stranger" in here.waiting)
        await shake_hands(here.inn, leaver, Identity(bytes([78]) * 32))
        gathering = await come_together(slow)
        session = here.inn.admission._session
        assert session is not None
        await leaver.write(pb.Frame(goodbye=pb.Goodbye(reason=pb.REASON_LEAVING)))
        await until(lambda: 2 in session._down)
        await asyncio.sleep(0.2)
        await answer(slow, gathering, STRANGER)
        while not (frame := await read(slow)).HasField("gathering"):
            assert not frame.HasField("goodbye")
        assert not frame.gathering.begins
        assert [sitter.name for sitter in frame.gathering.sitters] == ["the host", "stranger"]


def test_a_guest_is_more_patient_than_the_host() -> None:
    """Else those who have sat down might leave just when they are to be shown another offer."""
    assert joining.SEAT_TIME > admission.SEAT_TIME + admission.HELLO_TIME


async def is_back_after_a_cut(session: Session, seat: int, cable: Cable) -> None:
    """Whichever end notices first: a guest may be back before its host has seen that it was away."""
    before = [wire for wire in session._wires if seat in wire.seats]
    cable.cut()
    await until(
        lambda: any(seat in wire.seats and wire.is_open for wire in session._wires if wire not in before)
    )


async def test_a_line_that_is_cut_after_the_join_leads_back_by_the_offer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It gives back the other guest's join, too, which it had been sent."""
    cable = Cable()
    joined: list[Session] = []
    sits_down = Session.join

    async def noted(*told: Any, **more: Any) -> Session:
        joined.append(await sits_down(*told, **more))
        return joined[-1]

    monkeypatch.setattr(Session, "join", noted)
    async with hall(tmp_path, toy(4), is_open=True) as here, cable.to(here.inn.server.port) as address:
        first = await here.come(address)
        second = await here.come()
        async with here.inn.stranger() as call:
            await shake_hands(here.inn, call, STRANGER)  # and takes its time
            session = here.inn.admission._session
            assert session is not None
            await until(lambda: {0, 1, 2} <= set(session.occupants))
            await until(lambda: all({0, 1, 2} <= set(each.occupants) for each in joined))
            await is_back_after_a_cut(session, 1, cable)
            await answer(call, pb.Gathering(seat=3), STRANGER)
            async with asyncio.timeout(PATIENCE):
                visits = [await first.visit(), await second.visit()]
                game = await here.inn.game()
            assert game is session
            assert {visit.session.table_id for visit in visits} == {game.table_id}


async def test_who_came_back_stays_like_the_others_when_somebody_stalls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its line was cut after its join; it has answered, and waits on for another offer."""
    monkeypatch.setattr(admission, "SEAT_TIME", 8.0)
    cable = Cable()
    async with hall(tmp_path, toy(4), is_open=True) as here, cable.to(here.inn.server.port) as address:
        first = await here.come(address)
        second = await here.come()
        async with here.inn.stranger() as call:
            await shake_hands(here.inn, call, STRANGER)
            session = here.inn.admission._session
            assert session is not None
            await until(lambda: {0, 1, 2} <= set(session.occupants))
            await is_back_after_a_cut(session, 1, cable)
            assert await farewell(call) == pb.REASON_IDLE
        await until(lambda: here.inn.admission.is_open)
        assert here.waiting == ["guest 1", "guest 2"]
        assert [notice.identity for notice in here.inn.notices if isinstance(notice, Idle)] == [
            STRANGER.public
        ]
        monkeypatch.setattr(admission, "SEAT_TIME", 30)
        await here.game(first, second, await here.come())


async def test_a_host_that_closes_tells_all_who_wait(tmp_path: Path) -> None:
    async with hall(tmp_path, toy(4)) as here:
        guests = [await here.come() for _ in range(2)]
        await here.inn.admission.close(pb.REASON_LEAVING)
        for guest in guests:
            error = await guest.error()
            assert isinstance(error, NotSeated), error
            assert "left" in str(error)
        assert not list(Home(tmp_path / "host").offers.iterdir())


@pytest.mark.parametrize(
    "frame",
    [
        pb.Frame(),
        pb.Frame(entry=b"x"),
        pb.Frame(position=pb.Position(seat=1)),
        pb.Frame(another=pb.Another(seat=1)),
        pb.Frame(gathering=pb.Gathering(game="toy", seats=3)),
        pb.Frame(chat=pb.Chat(seat=1, text="hello")),
    ],
    ids=["nothing", "entry", "position", "another", "gathering", "chat"],
)
async def test_whoever_says_anything_while_waiting_has_gone(frame: pb.Frame, tmp_path: Path) -> None:
    async with hall(tmp_path, toy(4)) as here:
        async with here.inn.stranger() as call:
            await shake_hands(here.inn, call, STRANGER, waits=True)
            assert (await read(call)).gathering.seat == 1
            guest = await here.come()
            assert len((await read(call)).gathering.sitters) == 3
            await call.write(frame)
            assert await farewell(call) == pb.REASON_NOISE
        await until(lambda: here.waiting == ["guest 1"])
        await until(lambda: guest.gathered[-1:] == [["the host", "guest 1"]])


async def test_who_has_sat_down_does_not_come_back_to_anothers_seat(tmp_path: Path) -> None:
    """Be it that the other has not sat down yet."""
    async with hall(tmp_path, toy(4), is_open=True) as here:
        other = Identity(bytes([78]) * 32)
        async with here.inn.stranger() as mine, here.inn.stranger() as his:
            await shake_hands(here.inn, mine, STRANGER, waits=True)
            await shake_hands(here.inn, his, other, waits=True)
            third = await here.come()
            gathering = await come_together(mine)
            await come_together(his)  # and takes its time
            offer = await answer(mine, gathering, STRANGER)
            session = here.inn.admission._session
            assert session is not None
            await until(lambda: {0, 1, 3} <= set(session.occupants))
            async with here.inn.stranger() as thief:
                await greet(here.inn, thief, STRANGER, session.offer_id)
                await thief.write(pb.Frame(position=pb.Position(seat=2)))
                assert await farewell(thief) == pb.REASON_NOISE
            assert await answer(his, pb.Gathering(seat=2), other) == offer
            await here.inn.game()
            assert (await third.visit()).session.table_id == session.table_id


async def greet(here: Inn, call: Call, identity: Identity, table: bytes) -> None:
    """Both hellos and proofs, as somebody says them who comes back."""
    ours = hello(identity, table=table)
    await call.write(pb.Frame(hello=ours))
    theirs = await read(call)
    assert (await read(call)).HasField("proof")
    proof = sign_hello(
        ours, theirs.hello, Role.GUEST, here.certificate.fingerprint, identity.sign_message, b""
    )
    await call.write(pb.Frame(proof=proof))


async def test_one_person_at_every_seat(tmp_path: Path) -> None:
    """On one machine, with one key: the lines lead back each to its own seat."""
    cable = Cable()
    async with hall(tmp_path, toy(3)) as here, cable.to(here.inn.server.port) as address:
        home = Home(tmp_path / "host")
        joiner = Joiner(home, home.identity(), "the host", Trust(invite=here.inn.invite), lookup)
        guests = [await here.come(address, replace(joiner, name=f"hand {number}")) for number in (1, 2)]
        sessions = await here.game(*guests)
        cable.cut()
        await until(lambda: sessions[0]._down == {1, 2})
        await until(lambda: not any(session._down for session in sessions))
        rounds = sessions[0].snapshot.round
        asked = next(session for session in sessions if session.snapshot.decision)
        assert asked.snapshot.view is not None
        await asked.act(asked.snapshot.view.legal_actions(asked.snapshot.seat)[0])
        await until(lambda: min(session.snapshot.round for session in sessions) > rounds)
        assert len(list((tmp_path / "host" / "tables").iterdir())) == 3


async def test_who_reads_nothing_holds_nobody_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the others, nor the beginning, nor the host's leaving."""
    monkeypatch.setattr(admission, "SEAT_TIME", 1.0)
    write = Line.write
    stuck: set[Line] = set()

    async def slow(self: Line, frame: pb.Frame) -> bool:
        if self in stuck:
            await asyncio.sleep(600)  # its buffers are full, and so are ours
        return await write(self, frame)

    monkeypatch.setattr(Line, "write", slow)
    async with hall(tmp_path, toy(4), is_open=True) as here:
        async with here.inn.stranger() as call:
            await shake_hands(here.inn, call, STRANGER, waits=True)
            await until(lambda: here.waiting)
            stuck.add(here.inn.admission._waiting.guests[0].line)
            guests = [await here.come() for _ in range(2)]
            await until(lambda: here.waiting == ["guest 1", "guest 2"])
            assert here.told[-1] == ["the host", "guest 1", "guest 2"]
            began = asyncio.get_running_loop().time()
            await here.inn.admission.close()
            assert asyncio.get_running_loop().time() - began < 10
        for guest in guests:
            assert isinstance(await guest.error(), NotSeated)


@pytest.mark.parametrize("by_the_table", [True, False])
async def test_who_left_before_the_offer_does_not_come_back_to_it(
    by_the_table: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It goes while the host makes an offer for fewer than were awaited; its seat of that offer is nobody's then."""
    making, made = asyncio.Event(), asyncio.Event()
    host = Session.host

    async def slow(*told: Any, **more: Any) -> Session:
        making.set()
        await made.wait()
        return await host(*told, **more)

    async with hall(tmp_path, toy(4), is_open=True) as here:
        first = await here.come()
        async with here.inn.stranger() as leaver:
            await shake_hands(here.inn, leaver, STRANGER, waits=True)
            await until(lambda: "stranger" in here.waiting)
            monkeypatch.setattr(Session, "host", slow)
            assert here.inn.admission.begin()
            await making.wait()
            await leaver.write(pb.Frame(goodbye=pb.Goodbye(reason=pb.REASON_LEAVING)))
            await until(lambda: "stranger" not in here.waiting)
        monkeypatch.setattr(Session, "host", host)
        made.set()
        await until(lambda: here.inn.admission._seating or here.inn.admission.is_open)
        async with here.inn.stranger() as again:
            said = hello(STRANGER, table=bytes(32)) if by_the_table else hello(STRANGER)
            await again.write(pb.Frame(hello=said))
            while not (frame := await read(again)).HasField("goodbye") and not frame.HasField("proof"):
                assert frame.HasField("hello")
            assert frame.HasField("proof") or frame.goodbye.reason in {
                pb.REASON_TAKEN,
                pb.REASON_UNKNOWN_TABLE,
            }
        async with asyncio.timeout(admission.SEAT_TIME / 2):  # nobody is awaited who has gone
            await until(lambda: here.inn.admission.is_open)
        assert here.waiting == ["guest 1"]
        await here.game(first, await here.come(), await here.come())
