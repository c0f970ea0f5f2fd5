"""Two people meet, or somebody else tries to: who is let in, who is believed, and what is said of the rest."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bcnet import certificate
from bcnet.hashing import PROTOCOL_VERSION
from bcnet.home import Home
from bcnet.invite import Invite, Turnstile
from bcnet.players import AnotherKey
from bcnet.session import Session
from bcnet.signing import Identity, fingerprint
from bcnet.wire.v1 import table_pb2 as pb
from bcnet_client.address import Address
from bcnet_client.join import Joiner, NotSeated, Visit, WrongProgram, join
from bcnet_client.pinning import WrongHost
from bcnet_client.trust import NotTrusted, Stranger, Trust
from bcnet_host import admission
from bcnet_host.admission import Applicant, Turned
from bcnet_host.certificate import make_certificate
from tests.meeting.lines import in_between, tapped
from tests.net.people import TOKEN, Inn, farewell, inn, read, shake_hands, stranger_from, until

ANNA = Identity(b"a" * 32)
MALLORY = Identity(b"m" * 32)
NOW = datetime(2026, 3, 1, 20, 0, tzinfo=UTC)


async def leave(*visits: Visit) -> None:
    for visit in visits:
        await visit.session.close()
        await visit.close()


async def yes(_: Applicant) -> bool:
    return True


async def no(_: Applicant) -> bool:
    return False


def guest(here: Inn, name: str = "Ben") -> Joiner:
    """Somebody with a home of his own, who has not met anybody and does not take whatever key there is."""
    return replace(stranger_from(here.folder / name, name), trust=Trust())


def with_code(joiner: Joiner, invite: Invite) -> Joiner:
    return replace(joiner, trust=Trust(invite))


# --- the code ---


async def test_a_code_lets_its_bearer_in_and_both_remember_each_other(tmp_path: Path) -> None:
    async with inn(tmp_path) as here:
        ben = guest(here)
        visit = await join(with_code(ben, here.invite), here.address)
        await here.game()
        (anna,) = ben.home.players.all()
        assert (anna.name, anna.key) == ("the host", visit.host.identity)
        (known,) = Home(tmp_path / "host").players.all()
        assert (known.name, known.key) == ("Ben", ben.identity.public)
        await leave(visit)


async def test_a_wrong_code_is_turned_away_and_guesses_are_slowed(tmp_path: Path) -> None:
    async with inn(tmp_path) as here:
        wrong = Invite(here.invite.pin, TOKEN + 1)
        for _ in range(Turnstile.TRIES):
            with pytest.raises(NotSeated, match="not the code of this table") as caught:
                await join(with_code(guest(here), wrong), here.address)
            assert "shown now" in caught.value.hint
        with pytest.raises(NotSeated, match="too many tries"):
            await join(with_code(guest(here), wrong), here.address)
        with pytest.raises(NotSeated, match="too many tries"):  # not even the right one is looked at
            await join(with_code(guest(here), here.invite), here.address)
        assert here.admission.is_open
        assert not here.notices


async def test_a_code_is_good_for_one_key(tmp_path: Path) -> None:
    async with inn(tmp_path) as here:
        async with here.stranger() as call:
            await shake_hands(here, call, MALLORY)  # has read the code over a shoulder, and was quicker
            assert (await read(call)).HasField("entry")
        await until(lambda: here.notices)
        await until(lambda: here.admission.is_open)
        with pytest.raises(NotSeated, match="somebody else has sat down with this code") as caught:
            await join(with_code(guest(here), here.invite), here.address)
        assert "tell the host at once" in caught.value.hint
        async with here.stranger() as call:  # while that one may come again
            await shake_hands(here, call, MALLORY)
            assert (await read(call)).HasField("entry")


async def test_the_token_is_never_shown_to_a_host_that_is_not_the_right_one(tmp_path: Path) -> None:
    async with inn(tmp_path, identity=MALLORY) as fake:
        joiner = with_code(guest(fake), Invite.make(ANNA.public, TOKEN))
        with pytest.raises(WrongHost, match=fingerprint(MALLORY.public)):
            await join(joiner, fake.address)
        assert not fake.admission._strangers
        assert fake.admission.is_open


async def test_the_own_key_needs_no_code_and_is_not_remembered(tmp_path: Path) -> None:
    async with inn(tmp_path) as here:
        home = Home(tmp_path / "host")
        visit = await join(Joiner(home, home.identity(), "the host", games=guest(here).games), here.address)
        await here.game()
        assert home.players.all() == []
        await leave(visit)


# --- without a code ---


async def test_without_a_code_nobody_comes_in_where_nobody_can_be_asked(tmp_path: Path) -> None:
    async with inn(tmp_path) as here:
        joiner = stranger_from(tmp_path / "Ben", "Ben")
        with pytest.raises(NotSeated, match="without the code") as caught:
            await join(joiner, here.address)
        assert "bcnet join ADDR CODE" in caught.value.hint


async def test_the_host_says_yes(tmp_path: Path) -> None:
    asked: list[Applicant] = []

    async def ask(applicant: Applicant) -> bool:
        asked.append(applicant)
        return True

    async with inn(tmp_path, ask=ask) as here:
        joiner = stranger_from(tmp_path / "Ben", "Ben")
        visit = await join(joiner, here.address)
        assert asked == [Applicant("Ben", joiner.identity.public, None)]
        await leave(visit)


async def test_the_host_says_no_and_is_not_asked_again(tmp_path: Path) -> None:
    asked: list[Applicant] = []

    async def ask(applicant: Applicant) -> bool:
        asked.append(applicant)
        return False

    async with inn(tmp_path, ask=ask) as here:
        joiner = stranger_from(tmp_path / "Eve", "Eve")
        for _ in range(3):
            with pytest.raises(NotSeated, match="the host has said no"):
                await join(joiner, here.address)
        assert len(asked) == 1
        visit = await here.guest()  # a friend with the code is not kept out by that
        await leave(visit)


async def test_a_friend_with_the_code_passes_a_question_that_is_open(tmp_path: Path) -> None:
    gone = asyncio.Event()

    async def never(_: Applicant) -> bool:
        try:
            await asyncio.sleep(600)
        finally:
            gone.set()
        return False

    async with inn(tmp_path, ask=never) as here:
        waiting = asyncio.create_task(join(stranger_from(tmp_path / "Eve", "Eve"), here.address))
        await until(lambda: here.admission._asking)
        with pytest.raises(NotSeated, match="somebody else is at the door"):
            await join(stranger_from(tmp_path / "Dave", "Dave"), here.address)
        visit = await here.guest()
        with pytest.raises(NotSeated, match="taken"):
            await waiting
        assert gone.is_set()
        await leave(visit)


async def test_who_goes_away_is_not_asked_about_any_longer(tmp_path: Path) -> None:
    gone = asyncio.Event()

    async def never(_: Applicant) -> bool:
        try:
            await asyncio.sleep(600)
        finally:
            gone.set()
        return False

    async with inn(tmp_path, ask=never) as here:
        waiting = asyncio.create_task(join(stranger_from(tmp_path / "Eve", "Eve"), here.address))
        await until(lambda: here.admission._asking)
        waiting.cancel()
        async with asyncio.timeout(20):
            await gone.wait()
        await until(lambda: not here.admission._asking)


async def test_a_host_that_does_not_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "ASK_TIME", 0.3)

    async def never(_: Applicant) -> bool:
        await asyncio.sleep(600)
        return True

    async with inn(tmp_path, ask=never) as here:
        with pytest.raises(NotSeated, match="too many tries, or somebody else"):
            await join(stranger_from(tmp_path / "Eve", "Eve"), here.address)
        assert here.admission.is_open


async def test_a_host_is_not_asked_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "QUESTIONS", 2)
    async with inn(tmp_path, ask=no) as here:
        for number in range(2):
            with pytest.raises(NotSeated, match="said no"):
                await join(stranger_from(tmp_path / f"Eve{number}", "Eve"), here.address)
        with pytest.raises(NotSeated, match="without the code"):
            await join(stranger_from(tmp_path / "Eve9", "Eve"), here.address)


async def test_words_in_the_wait_end_it(tmp_path: Path) -> None:
    async def never(_: Applicant) -> bool:
        await asyncio.sleep(600)
        return True

    async with inn(tmp_path, ask=never) as here, here.stranger() as call:
        await shake_hands(here, call, MALLORY, no_code=True)
        await until(lambda: here.admission._asking)
        await call.write(pb.Frame(entry=b"hurry up"))
        assert await farewell(call) == pb.REASON_NOISE


# --- the first meeting, and the next ---


async def test_a_first_meeting_is_shown_and_confirmed(tmp_path: Path) -> None:
    shown: list[Stranger] = []

    def answering(answer: bool) -> Callable[[Stranger], Awaitable[bool]]:
        async def confirm(stranger: Stranger) -> bool:
            shown.append(stranger)
            return answer

        return confirm

    async with inn(tmp_path, is_open=True, identity=ANNA) as here:
        joiner = guest(here)
        with pytest.raises(NotTrusted, match="never met") as caught:
            await join(joiner, here.address)
        assert "--trust-first" in caught.value.hint
        with pytest.raises(NotTrusted, match="not joined"):
            await join(replace(joiner, trust=Trust(confirm=answering(answer=False))), here.address)
        assert here.admission.is_open
        visit = await join(replace(joiner, trust=Trust(confirm=answering(answer=True))), here.address)
        assert shown == [Stranger(here.address, ANNA.fingerprint)] * 2
        await leave(visit)
    async with inn(tmp_path, is_open=True, identity=ANNA) as here:
        await leave(await join(joiner, here.address))  # now they know each other


async def test_who_was_chosen_from_the_list_must_have_its_fingerprint(tmp_path: Path) -> None:
    async with inn(tmp_path, is_open=True, identity=ANNA) as here:
        listed = Trust(fingerprint=fingerprint(MALLORY.public))
        with pytest.raises(WrongHost, match=ANNA.fingerprint):
            await join(replace(guest(here), trust=listed), here.address)
        right = Trust(fingerprint=ANNA.fingerprint)
        await leave(await join(replace(guest(here), trust=right), here.address))


# --- another key ---


async def test_a_guest_by_a_known_name_with_another_key_is_refused_out_loud(tmp_path: Path) -> None:
    async with inn(tmp_path) as here:
        players = Home(tmp_path / "host").players
        players.remember(MALLORY.public, "Ben", NOW)
        for _ in range(2):
            with pytest.raises(NotSeated, match="the host has said no"):
                await join(with_code(guest(here), here.invite), here.address)
        (notice,) = here.notices  # once
        assert isinstance(notice, Turned)
        assert isinstance(notice.why, AnotherKey)
        assert "bcnet players forget" in notice.why.hint
        players.forget("Ben")  # the way out; the code is still good
        await leave(await join(with_code(guest(here), here.invite), here.address))


async def test_a_host_by_a_known_name_with_another_key_is_refused_before_the_code_is_shown(
    tmp_path: Path,
) -> None:
    async with inn(tmp_path) as here:
        joiner = guest(here)
        joiner.home.players.remember(MALLORY.public, "The  Host", NOW)
        with pytest.raises(AnotherKey, match="not the one you know") as caught:
            await join(with_code(joiner, here.invite), here.address)
        assert fingerprint(MALLORY.public) in caught.value.hint
        assert here.admission.is_open
        assert not here.admission._door.turnstile.used_by  # type: ignore[union-attr]


async def test_a_damaged_list_of_players_lets_nobody_in_and_is_not_the_friends_fault(tmp_path: Path) -> None:
    async with inn(tmp_path) as here:
        (tmp_path / "host" / "players.json").write_text("{")
        with pytest.raises(NotSeated, match="in trouble"):
            await here.guest()


async def test_a_certificate_of_another_version_authenticates_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody claims a later version in the certificate, which nobody can check, and this one in the hello."""
    async with AsyncExitStack() as stack:
        with monkeypatch.context() as later:
            later.setattr(certificate, "PROTOCOL_VERSION", PROTOCOL_VERSION + 1)
            here = await stack.enter_async_context(inn(tmp_path, is_open=True, identity=MALLORY))
        for trust in (Trust(Invite.make(ANNA.public, TOKEN)), Trust(fingerprint=ANNA.fingerprint), Trust()):
            with pytest.raises(WrongProgram, match="another one than its certificate"):
                await join(replace(guest(here), trust=trust), here.address)
        assert here.admission.is_open


# --- somebody in between, who ends TLS himself ---


async def test_he_is_caught_by_the_code(tmp_path: Path) -> None:
    async with inn(tmp_path) as here, in_between(here.server.port, make_certificate(MALLORY)) as (port, tap):
        with pytest.raises(WrongHost, match=fingerprint(MALLORY.public)):
            await join(with_code(guest(here), here.invite), Address("127.0.0.1", port))
        assert tap.bytes == b""


async def test_he_is_caught_by_whoever_has_met_the_host(tmp_path: Path) -> None:
    async with inn(tmp_path, is_open=True) as here:
        joiner = stranger_from(tmp_path / "Ben", "Ben")
        joiner.home.players.remember(Home(tmp_path / "host").identity().public, "the host", NOW)
        async with in_between(here.server.port, make_certificate(MALLORY)) as (port, _):
            # The person was careless, and took the unknown key; but he passes on the true host's words.
            with pytest.raises(Exception, match="another one than its certificate"):
                await join(joiner, Address("127.0.0.1", port))
        async with inn(tmp_path / "fake", identity=MALLORY, is_open=True) as fake:
            # Or he is a host himself, by the name of the one who is known.
            with pytest.raises(AnotherKey):
                await join(joiner, fake.address)


async def test_he_is_caught_by_the_words(tmp_path: Path) -> None:
    """He has a table with each of the two, who have no code and took whatever key there was."""
    async with inn(tmp_path / "true", is_open=True) as here, inn(tmp_path / "fake", is_open=True) as fake:
        his = await here.guest(confirm=_whoever)
        victim = await fake.guest(confirm=_whoever)
        sides = [await here.game(), his.session, await fake.game(), victim.session]
        await until(lambda: all(side.snapshot.words for side in sides))
        found = [side.snapshot.words for side in sides]
        assert found[0] == found[1]
        assert found[2] == found[3]
        assert found[0] != found[3]  # what the two people read out to each other
        await leave(his, victim)


async def _whoever(_: Stranger) -> bool:
    return True


async def test_a_recorded_game_shows_nothing(tmp_path: Path) -> None:
    """Everything on the wire, from the first byte of the handshake to the last goodbye."""
    async with inn(tmp_path) as here, tapped(here.server.port) as (port, tap):
        ben = with_code(guest(here), here.invite)
        visit = await join(ben, Address("127.0.0.1", port))
        session = await here.game()
        while not (session.ended and visit.session.ended):
            for side in (session, visit.session):
                at = side.snapshot
                if at.decision and at.view is not None:
                    await side.act(at.view.legal_actions(at.seat)[0])
            await asyncio.sleep(0.01)
        await leave(visit)
    entries = [entry.data for entry in session.player.table.log.entries()]
    assert len(tap.bytes) > sum(map(len, entries))
    members = session.snapshot.members
    plain = [b"bcnet.wire", b"Ben", b"the host", here.invite.code.encode(), session.snapshot.table_id]
    plain += [member.commitment for member in members] + [ben.identity.public]
    plain += [data[:40] for data in entries] + [data[-64:] for data in entries]
    assert [each for each in plain if each in tap.bytes] == []


async def test_words_do_not_outlive_their_line(tmp_path: Path) -> None:
    async with inn(tmp_path) as here:
        visit = await here.guest()
        session = await here.game()
        await until(lambda: session.snapshot.words)
        await _attached(session, here.certificate.fingerprint)
        assert session.snapshot.words
        await _attached(session, bytes(32))
        assert not session.snapshot.words
        await leave(visit)


async def _attached(session: Session, certificate: bytes) -> None:
    wire = await session.attach(frozenset({1}), certificate=certificate)
    session.detach(wire)
