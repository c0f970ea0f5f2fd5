"""What a seat more costs: one game with ever more seats, each figure beside that of the fewest; part of scripts/bench.

In memory all seats are in one process and take turns, so the figures are the work of the whole table. Over gRPC, every
seat but one is a process of its own, as its player would start it, with a bot that answers at once; the last is this
process, through the same session as any guest. What one guest says reaches the others through the host.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import tempfile
import time
from contextlib import ExitStack
from dataclasses import astuple, dataclass, replace
from pathlib import Path

from bcnet.games.interface import Game
from bcnet.home import Home
from bcnet.invite import Invite
from bcnet.updates import Asked, Ended
from bcnet.verify import Verdict
from bcnet.verify import verify as verify_transcript
from bcnet_client.address import parse_address
from bcnet_client.join import Joiner, join
from bcnet_client.trust import Trust
from scripts.lib.bench_net import HOST_LINE, PATIENCE, child
from scripts.lib.bench_verify import peak_bytes
from tests.table.room import Room, lookup

RUNS = 3
"""Tables of each number of seats; the medians are shown."""
DECK_GAME = "toy"
"""The game of the tests in which every seat draws private cards. No program knows it, so it stays in memory."""


@dataclass(frozen=True)
class Cost:
    """What a table of so many seats costs; processor time is that of all seats and all threads."""

    set_up: float
    """Processor seconds from the offer to the first decision."""
    round: float
    """Processor seconds for a round after that, on average."""
    verify: float
    """Processor seconds for the verdict from all seeds."""
    rounds: float
    size: float
    """Bytes of the transcript's entries."""
    over_grpc: float = 0.0
    """Seconds for a round by the clock; 0 for a game that no program knows."""
    memory: float = 0.0
    """Bytes at the peak of the host's process; 0 where the system does not tell."""


def costs(name: str) -> dict[int, Cost]:
    """By number of seats, the medians of whole games with random players, one of each number in turn."""
    game = lookup(name)
    runs = [{seats: one_game(game, seats, seed) for seats in game.seats} for seed in range(RUNS)]
    return {
        seats: Cost(*map(statistics.median, zip(*(astuple(run[seats]) for run in runs), strict=True)))
        for seats in game.seats
    }


def one_game(game: Game, seats: int, seed: int) -> Cost:
    """One of them: in memory, and where it can be over gRPC as well."""
    start = time.process_time()
    room = Room.of(game, seats, seed=seed, private_hands=bool(game.deck))
    room.settle()
    begun = time.process_time()
    log = room.players[0].table.log
    before = len(log)
    room.play()
    ended = time.process_time()
    entries = [entry.data for entry in log.entries()]
    if verify_transcript(entries, games=lookup).verdict is not Verdict.CLEAN:
        raise RuntimeError(f"a clean game of {game.name} was not found clean")
    cost = Cost(
        begun - start,
        (ended - begun) / (len(log) - before),
        time.process_time() - ended,
        len(log),
        sum(map(len, entries)),
    )
    if game.name == DECK_GAME:
        return cost
    taken, memory = over_grpc(game.name, seats)
    return replace(cost, over_grpc=taken, memory=memory)


def over_grpc(name: str, seats: int) -> tuple[float, int]:
    """Seconds for a round of a game that is played to its end, from the guest's first decision, and the peak of the
    host's memory in bytes (0 where the system does not tell).
    """
    return asyncio.run(_over_grpc(name, seats))


async def _over_grpc(name: str, seats: int) -> tuple[float, int]:
    bcnet = ("-P", "-m", "bcnet", "--home")
    bot = ("--bot", "random", "--seed-bot", "1")
    with tempfile.TemporaryDirectory() as folder, ExitStack() as processes:
        terms = ("--game", name, "--seats", str(seats), "--listen", "127.0.0.1:0")
        host = processes.enter_context(
            child(*bcnet, f"{folder}/host", "host", *terms, *bot, "--name", "Host")
        )
        assert host.stdout is not None
        found = None
        while not found:
            found = HOST_LINE.search(host.stdout.readline())
        drains = [asyncio.create_task(asyncio.to_thread(host.stdout.read))]
        for number in range(seats - 2):
            guest = processes.enter_context(
                child(
                    *bcnet,
                    f"{folder}/{number}",
                    "join",
                    found[1],
                    found[2],
                    *bot,
                    "--name",
                    f"Guest {number}",
                )
            )
            assert guest.stdout is not None
            drains.append(asyncio.create_task(asyncio.to_thread(guest.stdout.read)))
        where = Home(Path(folder) / "guest")
        joiner = Joiner(where, where.identity(), "Bench", Trust(Invite.parse(found[2])))
        async with asyncio.timeout(PATIENCE * seats):
            visit = await join(joiner, parse_address(found[1]))
            session = visit.session
            updates = session.updates()
            log = session.player.table.log
            rng = random.Random(1)  # noqa: S311 (a bot's choices)
            start, before = 0.0, 0
            asked = session.snapshot if session.snapshot.decision else None
            while session.ended is None:
                if asked is not None and asked.view is not None:
                    if not before:
                        start, before = time.perf_counter(), log.open.number
                    await session.act(rng.choice(asked.view.legal_actions(asked.seat)))
                update = await updates.get()
                asked = update.snapshot if isinstance(update, Asked) else None
                if isinstance(update, Ended):
                    break
            taken = (time.perf_counter() - start) / (len(log) - before)
        memory = peak_bytes(host.pid)
        await session.close()
        await visit.close()
        host.terminate()
        await asyncio.gather(*drains)
    return taken, memory
