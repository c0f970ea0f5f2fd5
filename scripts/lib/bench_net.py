"""What a move costs over the real service, beside a bare gRPC echo of the same sizes; part of scripts/bench.

The host is a process of its own, as its player would start it, with a bot that answers at once. The guest is this
process, through the same session as any guest. `python bench_net.py PORT` is the echo's server.
"""

from __future__ import annotations

import asyncio
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
from grpc import aio

ECHO = "/bench.Echo/Echo"
ACT_SIZE = 270
UNMASK_SIZE = 286
"""Sizes of an entry that plays a card and of one that unmasks one, in bytes; checked against the game's."""
MOVES = 25
CUTS = 7
PATIENCE = 60.0
"""Seconds after which the game is given up; then there is no figure, and the bench fails."""
HOST_LINE = re.compile(r"join (127\.0\.0\.1:\d+) (\S+)")


class _Bytes:
    """An echo without any message type: bytes in, bytes out."""

    def service(self, details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[Any, Any] | None:
        """The one method there is."""
        if details.method != ECHO:
            return None
        return grpc.stream_stream_rpc_method_handler(self._answer)

    async def _answer(self, requests: Any, _context: Any) -> Any:
        async for _ in requests:
            yield bytes(UNMASK_SIZE)


async def serve_echo() -> None:
    """Serve until the standard input ends; the port is printed."""
    server = aio.server()
    server.add_generic_rpc_handlers((_Bytes(),))  # type: ignore[arg-type]
    print(server.add_insecure_port("127.0.0.1:0"), flush=True)
    await server.start()
    await asyncio.to_thread(sys.stdin.read)
    await server.stop(0)


async def echo_seconds(port: int, times: int) -> list[float]:
    """The round trips of as many messages of the size of a move, one after another."""
    taken = []
    async with aio.insecure_channel(f"127.0.0.1:{port}", options=(("grpc.enable_http_proxy", 0),)) as channel:
        call: Any = channel.stream_stream(ECHO)()
        for number in range(times + 20):
            start = time.perf_counter()
            await call.write(bytes(ACT_SIZE))
            await call.read()
            if number >= 20:
                taken.append(time.perf_counter() - start)
        await call.done_writing()
    return taken


@contextmanager
def child(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A process of this Python that ends with this block."""
    process = subprocess.Popen(
        [sys.executable, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=20)


async def move_seconds(home: Path, address: str, code: str) -> tuple[list[float], list[tuple[int, ...]]]:
    """Times from an own card's play until the card drawn for it is known, and the sizes of both entries."""
    from bcnet.games.interface import Dealt
    from bcnet.home import Home
    from bcnet.invite import Invite
    from bcnet.updates import Asked, Ended, LineDown, Moved
    from bcnet_client.address import parse_address
    from bcnet_client.join import Joiner, join
    from bcnet_client.trust import Trust

    where = Home(home)
    joiner = Joiner(where, where.identity(), "Bench", Trust(Invite.parse(code)))
    visit = await join(joiner, parse_address(address))
    session = visit.session
    updates = session.updates()
    rng = random.Random(1)  # noqa: S311 (a bot's choices)
    asked: Any = session.snapshot if session.snapshot.decision else None
    taken: list[float] = []
    sizes: list[tuple[int, ...]] = []
    log = session.player.table.log
    while len(taken) < MOVES and session.ended is None:
        while asked is None and session.ended is None:
            update = await updates.get()
            asked = update.snapshot if isinstance(update, Asked) else None
        if asked is None:
            break
        action = rng.choice(asked.view.legal_actions(asked.seat))
        asked, round_ = None, log.open.number
        start = time.perf_counter()
        await session.act(action)
        while True:
            update = await updates.get()
            if isinstance(update, Asked):
                asked = update.snapshot
            if isinstance(update, Asked | Ended | LineDown):
                break
            if isinstance(update, Moved) and isinstance(update.taken.step, Dealt):
                # Two rounds, the play and the unmasking: no scoring, no reshuffle, nothing else in between.
                if update.taken.round == round_ + 1:
                    taken.append(time.perf_counter() - start)
                    sizes.append(tuple(len(log[round_ + k].in_seat_order()[0].data) for k in (0, 1)))
                break
    await session.close()
    await visit.close()
    return taken, sizes


async def cut_seconds() -> float:
    """The median time from a cut line to a line that stands again, between two processes' sessions."""
    from bcnet.home import Home
    from bcnet.invite import Invite
    from bcnet.updates import LineUp
    from bcnet_client.address import parse_address
    from bcnet_client.join import Joiner, join
    from bcnet_client.trust import Trust

    taken = []
    with (
        tempfile.TemporaryDirectory() as folder,
        child("-P", "-m", "bcnet", "--home", f"{folder}/host", "host", "--listen", "127.0.0.1:0", "--bot", "random")
        as host,
    ):  # fmt: skip
        assert host.stdout is not None
        found = None
        while found is None:
            found = HOST_LINE.search(host.stdout.readline())
        drain = asyncio.create_task(asyncio.to_thread(host.stdout.read))
        where = Home(Path(folder) / "guest")
        joiner = Joiner(where, where.identity(), "Bench", Trust(Invite.parse(found[2])))
        visit = await join(joiner, parse_address(found[1]))
        updates = visit.session.updates()
        for _ in range(CUTS):
            await asyncio.sleep(0.5)
            start = time.perf_counter()
            await visit._door.close()  # as if the network had dropped it
            async with asyncio.timeout(PATIENCE):
                while not isinstance(await updates.get(), LineUp):
                    pass
            taken.append(time.perf_counter() - start)
        await visit.session.close()
        await visit.close()
        host.terminate()
        await drain
    return statistics.median(taken)


async def measure() -> tuple[float, float, int]:
    """The median of a move, that of an echo, and the peak of the host's memory in mid-game in bytes."""
    from scripts.lib.bench_verify import peak_bytes

    with (
        tempfile.TemporaryDirectory() as folder,
        child(str(Path(__file__)), "echo") as echo,
        child("-P", "-m", "bcnet", "--home", f"{folder}/host", "host", "--listen", "127.0.0.1:0", "--bot", "random")
        as host,
    ):  # fmt: skip
        assert echo.stdout is not None
        assert host.stdout is not None
        port = int(echo.stdout.readline())
        found = None
        while not found:
            found = HOST_LINE.search(host.stdout.readline())
        drain = asyncio.create_task(asyncio.to_thread(host.stdout.read))
        before = await echo_seconds(port, 200)
        async with asyncio.timeout(PATIENCE):
            moves, sizes = await move_seconds(Path(folder) / "guest", found[1], found[2])
        memory = peak_bytes(host.pid)
        after = await echo_seconds(port, 200)
        host.terminate()
        await drain
    if len(moves) < MOVES // 2:
        raise RuntimeError(f"only {len(moves)} plain moves in the whole game")
    for right, real in zip((ACT_SIZE, UNMASK_SIZE), zip(*sizes, strict=True), strict=True):
        if abs(statistics.median(real) - right) > right / 20:
            raise RuntimeError(f"the entries of a move have {sizes} bytes; the echo sends {right}")
    return statistics.median(moves), statistics.median(before + after), memory


if __name__ == "__main__":
    asyncio.run(serve_echo())
