"""What players say to each other beside the game, between two sessions."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bcnet.chat import HEAR_BURST, MAX_BYTES, MAX_LENGTH
from bcnet.entry import Noise
from bcnet.errors import Refusal
from bcnet.session import Session
from bcnet.updates import ChatOff, Said, Update
from bcnet.wire.v1 import table_pb2 as pb
from bcnet.wires import Wire
from tests.net.test_session import pair, until


def taken(queue: asyncio.Queue[Update]) -> list[Update]:
    """What of the chat was told so far."""
    found = [queue.get_nowait() for _ in range(queue.qsize())]
    return [update for update in found if isinstance(update, Said | ChatOff)]


def chat_in(wire: Wire) -> list[str]:
    """The lines of chat that wait in a wire, taken out of it."""
    frames = [wire._frames.get_nowait() for _ in range(wire._frames.qsize())]
    return [frame.chat.text for frame in frames if frame is not None and frame.HasField("chat")]


def all_bytes(folder: Path) -> bytes:
    """Everything that both homes hold."""
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


async def test_a_line_reaches_both_and_no_disk(tmp_path: Path) -> None:
    async with pair(tmp_path) as two:
        await two.connect()
        await two.until_asked()
        hers, his = two.host.updates(), two.guest.updates()
        two.host.say("  good\x1b luck,\u202e  Bob  ")
        two.guest.say("thank you")
        await until(lambda: his.qsize() > 1 and hers.qsize() > 1)
        expected = [Said(0, "good luck, Bob"), Said(1, "thank you")]
        assert sorted(taken(hers), key=str) == sorted(taken(his), key=str) == expected
        assert not taken(two.host.updates(past=True))
        two.host.keeps_lines = two.guest.keeps_lines = True
        await two.play()
        his = two.guest.updates()
        two.host.say("well played")
        await until(his.qsize)
        assert taken(his) == [Said(0, "well played")]
        assert two.host.ended is not None
        assert two.guest.ended is not None
        assert two.host.ended.path.read_bytes() == two.guest.ended.path.read_bytes()
        everything = all_bytes(tmp_path)
        assert b"Ann" in everything
        for text in (b"good luck", b"thank you", b"well played"):
            assert text not in everything


async def test_with_chat_off_nothing_is_sent_or_told_and_the_other_is_told_once(tmp_path: Path) -> None:
    async with pair(tmp_path) as two:
        hers, his = two.host.updates(), two.guest.updates()
        two.guest.stay_out_of_the_chat()
        await two.connect()
        await two.until_asked()
        assert taken(hers) == [ChatOff(1)]
        with pytest.raises(Refusal, match="Bob has chat off; nothing was sent"):
            two.host.say("hello?")
        with pytest.raises(Refusal, match="off on this side"):
            two.guest.say("hello")
        # A modified program sends all the same.
        two.wires[0].put(pb.Frame(chat=pb.Chat(seat=0, text="hello!")))
        await two.play(turns=3)
        assert not taken(his)
        await two.cut()
        await two.connect()  # it is said again, and not told again
        await two.play(turns=3)
        assert not taken(hers)
        with pytest.raises(Refusal, match="Bob has chat off"):
            two.host.say("hello?")
        assert taken(two.host.updates(past=True)) == [ChatOff(1)]


async def test_whoever_comes_back_with_chat_on_is_heard_again(tmp_path: Path) -> None:
    async with pair(tmp_path) as two:
        two.guest.stay_out_of_the_chat()
        await two.connect()
        await two.until_asked()
        await two.cut()
        two.guest._chat.silent.clear()
        await two.connect()
        await until(lambda: two.host._wires and two.host._wires[0].is_open)
        hers = two.host.updates()
        two.guest.say("here I am")
        await until(hers.qsize)
        assert taken(hers) == [Said(1, "here I am")]


async def test_chat_off_in_mid_game(tmp_path: Path) -> None:
    async with pair(tmp_path) as two:
        await two.connect()
        await two.until_asked()
        his = two.guest.updates()
        two.host.stay_out_of_the_chat()
        await until(his.qsize)
        assert taken(his) == [ChatOff(0)]


async def test_nobody_is_there(tmp_path: Path) -> None:
    async with pair(tmp_path) as two:
        with pytest.raises(Refusal, match="Nobody is there"):
            two.host.say("hello?")
        await two.connect()
        await two.until_asked()
        await two.cut()
        with pytest.raises(Refusal, match="Nobody is there"):
            two.host.say("hello?")


async def test_a_flood_is_passed_over_and_the_game_goes_on(tmp_path: Path) -> None:
    async with pair(tmp_path) as two:
        await two.connect()
        await two.until_asked()
        hers = two.host.updates()
        began = asyncio.get_running_loop().time()

        async def flood() -> None:
            while two.host.ended is None:
                two.wires[1].put(pb.Frame(chat=pb.Chat(seat=1, text="x" * MAX_LENGTH)))
                await asyncio.sleep(0.0005)

        flooding = asyncio.create_task(flood())
        await two.play()
        flooding.cancel()
        took = asyncio.get_running_loop().time() - began
        assert two.host.ended is not None
        assert two.host.ended.fault is None
        heard = [update for update in taken(hers) if isinstance(update, Said)]
        assert 0 < len(heard) <= HEAR_BURST + took + 1


async def attached(two: Session) -> Wire:
    wire = await two.attach(frozenset({1}))
    await two.receive(wire, pb.Frame(position=pb.Position()))
    return wire


@pytest.mark.parametrize(
    ("chat", "message"),
    [
        (pb.Chat(seat=0, text="I am the host"), "does not come from there"),
        (pb.Chat(seat=7), "does not come from there"),
        (pb.Chat(seat=1, text="x" * (MAX_BYTES + 1)), "more than a line"),
        (pb.Chat(seat=1, text="😀" * (MAX_BYTES // 4 + 1)), "more than a line"),
    ],
    ids=["as another", "as nobody", "long", "wide"],
)
async def test_what_no_honest_program_sends_is_noise(tmp_path: Path, chat: pb.Chat, message: str) -> None:
    async with pair(tmp_path) as two:
        wire = await attached(two.host)
        with pytest.raises(Noise, match=message):
            await two.host.receive(wire, pb.Frame(chat=chat))


async def test_chat_comes_after_the_position_and_is_not_heard_before_all_sit(tmp_path: Path) -> None:
    async with pair(tmp_path) as two:
        hers = two.host.updates()
        wire = await two.host.attach(frozenset({1}))
        with pytest.raises(Noise, match="before the side has told"):
            await two.host.receive(wire, pb.Frame(chat=pb.Chat(seat=1, text="hi")))
        wire = await attached(two.host)
        await two.host.receive(wire, pb.Frame(chat=pb.Chat(seat=1, text="hi")))
        await two.host.receive(wire, pb.Frame(chat=pb.Chat(seat=1)))
        assert not taken(hers)
        assert not chat_in(wire)
