"""Measures what matters to players, and what it is made of; scripts/bench calls it.

Machines are shared and noisy. So every figure stands beside a yardstick that is measured in the same run, right
before and after it, and the ratio is what can be compared between two runs. Medians of several runs.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from unittest.mock import patch

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import bcnet.entry  # noqa: E402
from bcnet import transcript  # noqa: E402
from bcnet.entry import place_of  # noqa: E402
from bcnet.fairness.group import GENERATOR, Multiplier, Point  # noqa: E402
from bcnet.fairness.steps import SHADOWS  # noqa: E402
from bcnet.games import get, names, play  # noqa: E402
from bcnet.games.interface import Shuffled  # noqa: E402
from bcnet.home import Home  # noqa: E402
from bcnet.journal import Kind as RecordKind  # noqa: E402
from bcnet.session import Session  # noqa: E402
from bcnet.several import cores, verify_files  # noqa: E402
from bcnet.signing import Identity, verify  # noqa: E402
from bcnet.table.rounds import Kind  # noqa: E402
from bcnet.verify import Verdict  # noqa: E402
from bcnet.verify import verify as verify_transcript  # noqa: E402
from scripts.lib import bench_net, bench_seats  # noqa: E402
from tests.table.quick import quick_proofs  # noqa: E402
from tests.table.room import Room, identity_of, lookup, secrets_of  # noqa: E402

GAME = "balloon-cup"


@dataclass(frozen=True)
class Figure:
    """One measured figure. ``ratio`` is it divided by its yardstick, both measured in this run."""

    name: str
    value: float
    unit: str
    yardstick: str
    ratio: float | None
    note: str = ""


def seconds(work: Callable[[], object], runs: int) -> float:
    """The median time of one call."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def one_mask() -> float:
    """The time of one scalar multiplication on one core, the yardstick of all that the deck does."""
    multiplier = Multiplier(0x1234567890ABCDEF)
    return seconds(lambda: [multiplier.mask(GENERATOR) for _ in range(200)], 9) / 200


def settled_room(seed: int, *, private_hands: bool = False) -> Room:
    """A table of two in memory, set up: everything proven and dealt."""
    room = Room.of(get(GAME), 2, seed=seed, private_hands=private_hands)
    room.settle()
    return room


def set_up() -> list[Figure]:
    """Both seats in one process, one after the other, from the offer to the first decision; no network, no disk."""
    seeds = iter(range(1000))
    mask = one_mask()
    took = seconds(lambda: settled_room(next(seeds)), 7)
    private = seconds(lambda: settled_room(next(seeds), private_hands=True), 7)
    mask = (mask + one_mask()) / 2
    work = 2 * 2 * (SHADOWS + 1) * (len(get(GAME).deck) + 1)
    note = f"{work} masks are due for making and checking both shuffles; more than one core is used"
    return [
        Figure("set-up of a table, two seats, proven", took * 1000, "ms", "one mask", took / mask, note),
        Figure(
            "the same with private hands",
            private * 1000,
            "ms",
            "the line above",
            private / took,
            "both dealt hands are refreshed as well",
        ),
    ]


def reshuffle() -> list[Figure]:
    """The rounds of a second epoch in a real game: both shuffles, the draw of the challenge, both proofs."""
    mask = one_mask()
    times: list[float] = []
    sizes: list[int] = []
    for seed in range(40):
        room = settled_room(seed)
        start = 0.0
        before = _shuffles(room)
        while not room.complete and len(times) < 5:
            awaiting = room.players[0].table.awaiting
            if awaiting is not None and awaiting.kind is Kind.SHUFFLE and start == 0.0:
                start = time.perf_counter()
                sizes.append(len(room.players[0].table.course.deck.epoch.cards))  # type: ignore[union-attr]
            if start and _shuffles(room) > before and awaiting is not None and awaiting.kind is Kind.UNMASK:
                times.append(time.perf_counter() - start)
                break
            if not room.deliver():
                player = next(p for p in room.players if p.decision)
                legal = player.view().legal_actions(player.number)
                room.react(player.number, player.act(room.rng.choice(legal)))
        if len(times) == 5:
            break
    if not times:
        raise RuntimeError("no game of the sample needed a second epoch")
    took = statistics.median(times)
    mask = (mask + one_mask()) / 2
    note = f"{statistics.median(sizes):.0f} cards (median of {len(times)} games)"
    return [Figure("reshuffle of the discards, proven", took * 1000, "ms", "one mask", took / mask, note)]


def turns() -> list[Figure]:
    """What private hands add to a turn: from a move said to the next decision, alternately with them and without."""
    mask = one_mask()
    rooms = {on: settled_room(11, private_hands=on) for on in (False, True)}
    times: dict[bool, list[float]] = {False: [], True: []}
    work: dict[bool, list[float]] = {False: [], True: []}
    for _ in range(40):
        for on, room in rooms.items():
            start = time.process_time()
            if (took := _turn(room)) is not None:
                times[on].append(took)
                work[on].append(time.process_time() - start)
    mask = (mask + one_mask()) / 2
    without, private = (statistics.median(times[on]) for on in (False, True))
    added = statistics.median(work[True]) - statistics.median(work[False])
    note = f"both seats in one process, no network, no disk; medians of {len(times[True])} turns"
    return [
        Figure("a turn without private hands", without * 1000, "ms", "one mask", without / mask, note),
        Figure("a turn with private hands", private * 1000, "ms", "one mask", private / mask, note),
        Figure(
            "wait that private hands add",
            (private - without) * 1000,
            "ms",
            "one mask",
            (private - without) / mask,
            f"{added * 1000:.0f} ms of CPU time, all threads; they are on by default while the wait is under 150 ms",
        ),
    ]


def _turn(room: Room) -> float | None:
    """The seconds of one player's move and all that both programs do for it; None if a pile was shuffled in it."""
    player = next(p for p in room.players if p.decision)
    action = room.rng.choice(player.view().legal_actions(player.number))
    shuffles = _shuffles(room)
    start = time.perf_counter()
    room.react(player.number, player.act(action))
    room.settle()
    return time.perf_counter() - start if _shuffles(room) == shuffles else None


def _shuffles(room: Room) -> int:
    return sum(isinstance(taken.step, Shuffled) for taken in room.players[0].table.course.steps)


def verification() -> list[Figure]:
    """Verdicts on a whole game: from all seeds, and with every proof run again (one seed held back)."""
    room = Room.of(get(GAME), 2, seed=5)
    room.play()
    entries = [entry.data for entry in room.players[0].table.log.entries()]
    signer = Identity(bytes(32))
    signed = signer.sign_message(b"yardstick")
    one_signature = (
        seconds(lambda: [verify(signer.public, b"yardstick", signed) for _ in range(100)], 9) / 100
    )

    def audited() -> None:
        if verify_transcript(entries).verdict is not Verdict.CLEAN:
            raise RuntimeError("a clean game was not found clean")

    def proven() -> None:
        if verify_transcript(entries[:-1]).verdict is not Verdict.INCOMPLETE:
            raise RuntimeError("a game without one seed was not found incomplete")

    fast, slow = seconds(audited, 7), seconds(proven, 3)
    note = f"{len(entries)} entries, {sum(map(len, entries)) // 1000} kB"
    return [
        Figure(
            "verify a game from its seeds", fast * 1000, "ms", "one signature", fast / one_signature, note
        ),
        Figure("verify with all proofs run again", slow * 1000, "ms", "the line above", slow / fast, note),
    ]


def many_files() -> list[Figure]:
    """Verdicts on the files of many tables: how many a second on one core and on all, and what memory they take."""
    shown = _verified("", private_hands=False)
    return [*shown, *_verified(", private hands", private_hands=True, beside=shown[0])]


def _verified(kind: str, *, private_hands: bool, beside: Figure | None = None) -> list[Figure]:
    with tempfile.TemporaryDirectory() as place, quick_proofs():  # the verifier does not run them here
        paths = []
        for seed in range(32):
            room = Room.of(get(GAME), 2, seed=seed, private_hands=private_hands)
            room.play()
            paths.append(Path(place) / f"{seed:02}.bct")
            transcript.write(paths[-1], room.file(0))
        few, many = _verify_in_a_process(paths[:4]), _verify_in_a_process(paths)
        start = time.perf_counter()
        found = list(verify_files(paths, jobs=cores()))
        took = time.perf_counter() - start
        entries = sum(len(list(transcript.read(path))) for path in paths) / len(paths)
        signatures, masks, floor = _floor(paths)
    if {group.report.verdict for group in found} != {Verdict.CLEAN}:
        raise RuntimeError("a clean game was not found clean")
    one_core = [many[0] / len(paths), many[1] / len(paths)]
    note = f"{len(paths)} games in one process, {1 / one_core[0]:.1f}/s by the clock; {entries:.0f} entries a game"
    made_of = f"{signatures:.0f} signatures and {masks:.0f} masks; the time that OpenSSL takes for them"
    rate = 1 / one_core[1]
    return [
        Figure(
            f"games verified a second of one core{kind}",
            rate,
            "1/s",
            "without" if beside else "",
            rate / beside.value if beside else None,
            note,
        ),
        Figure(
            f"signatures and masks of a game{kind}",
            floor * 1000,
            "ms",
            "a whole verdict",
            floor / one_core[1],
            made_of,
        ),
        Figure(
            f"games verified a second, {cores()} processes{kind}",
            32 / took,
            "1/s",
            "",
            None,
            "32 games, start included",
        ),
        *(
            [
                Figure(f"peak memory, 4 files{kind}", few[2], "MB", "", None),
                Figure(f"peak memory, 32 files{kind}", many[2], "MB", "4 files", many[2] / few[2]),
            ]
            if few[2]
            else []
        ),
    ]


def _floor(paths: list[Path]) -> tuple[float, float, float]:
    """What a verdict asks of OpenSSL: signatures to check, points to multiply, and the processor seconds for both."""
    signatures: list[None] = []
    masks: list[None] = []

    def check(public: bytes, message: bytes, signature: bytes) -> bool:
        signatures.append(None)
        return verify(public, message, signature)

    def mask(multiplier: Multiplier, point: Point) -> Point:
        masks.extend([] if point == GENERATOR else [None])
        return one(multiplier, point)

    one = Multiplier.mask
    with patch.object(bcnet.entry, "verify", check), patch.object(Multiplier, "mask", mask):
        for path in paths:
            verify_transcript(transcript.read(path))
    signer, multiplier = Identity(bytes(32)), Multiplier(0x1234567890ABCDEF)
    point = Multiplier(2).mask(GENERATOR)
    signed = signer.sign_message(b"yardstick")
    to_check, to_mask = len(signatures) / len(paths), len(masks) / len(paths)
    one_signature = _busy(lambda: verify(signer.public, b"yardstick", signed))
    return to_check, to_mask, to_check * one_signature + to_mask * _busy(lambda: multiplier.mask(point))


def _busy(work: Callable[[], object]) -> float:
    """The processor seconds of one call, at the least."""
    times = []
    for _ in range(9):
        start = time.process_time()
        for _ in range(200):
            work()
        times.append((time.process_time() - start) / 200)
    return min(times)


def _verify_in_a_process(paths: list[Path]) -> tuple[float, float, float]:
    """Verify these files in a process of its own, on one core: seconds, processor seconds, peak memory in MB."""
    command = [sys.executable, "-m", "scripts.lib.bench_verify", *map(str, paths)]
    out = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    seconds_, busy, peak = map(float, out.split())
    return seconds_, busy, peak / 1e6


def games() -> list[Figure]:
    """Random games through the rules alone, on one core."""
    game = get(GAME)
    count = 300
    start = time.perf_counter()
    steps = sum(len(play(game, random.Random(seed)).steps) for seed in range(count))  # noqa: S311
    took = time.perf_counter() - start
    loops = 200_000

    def busy() -> None:
        total = 0
        for number in range(loops):
            total += number

    plain = seconds(busy, 9) / loops
    note = f"{count} games, {steps / count:.0f} steps each; the yardstick is one turn of an empty Python loop"
    return [
        Figure("random games a second", count / took, "1/s", "loop turns a step", took / steps / plain, note)
    ]


def moves() -> list[Figure]:
    """A whole move over the real service, journal on both sides, and the host's memory."""
    move, echo, memory = asyncio.run(bench_net.measure())
    note = (
        "action sent until the new card is known, both journals on disk; echo: same sizes, no checks, no disk"
    )
    figures = [Figure("a move over gRPC", move * 1000, "ms", "bare gRPC echo", move / echo, note)]
    if memory:
        figures.append(Figure("peak memory of a host in mid-game", memory / 1e6, "MB", "", None))
    return figures


def coming_back() -> list[Figure]:
    """How long a cut line and a restarted program keep the players."""
    cut = asyncio.run(bench_net.cut_seconds())
    room = Room.of(get(GAME), 2, {"fill": "designer"}, seed=11)
    room.play()
    entries = [entry.data for entry in room.players[0].table.log.entries()][:-1]
    resumed = asyncio.run(_resume_seconds(entries))
    return [
        Figure("from a cut to play again", cut * 1000, "ms", "", None, "the guest notices the cut at once"),
        Figure(
            "resume of a whole game",
            resumed * 1000,
            "ms",
            "",
            None,
            f"{len(entries)} entries, all proofs checked",
        ),
    ]


async def _resume_seconds(entries: list[bytes]) -> float:
    """Seconds to take up a host's journal of so many entries."""
    with tempfile.TemporaryDirectory() as place:
        home = Home(Path(place))
        with home.create_table(bytes(32), 0, secrets_of(0, 11).seed) as folder:
            for data in entries:
                own = place_of(data)[1] == 0
                folder.journal.append(RecordKind.OWN if own else RecordKind.RECEIVED, data)
        (table,) = home.unfinished()
        (table.path / "id").write_text(bytes(32).hex())
        start = time.perf_counter()
        session = await Session.resume(home, identity_of(0), "Ann", home.open(table))
        taken = time.perf_counter() - start
        await session.close()
    return taken


def more_seats(name: str) -> list[Figure]:
    """What a seat more costs in a game."""
    found = bench_seats.costs(name)
    fewest = min(found)
    shown: list[tuple[str, str, Callable[[bench_seats.Cost], float]]] = [
        ("processor time to set up", "ms", lambda cost: cost.set_up * 1000),
        ("processor time of a round", "ms", lambda cost: cost.round * 1000),
        ("processor time to verify", "ms", lambda cost: cost.verify * 1000),
        ("rounds", "", lambda cost: cost.rounds),
        ("transcript", "kB", lambda cost: cost.size / 1000),
        ("a round over gRPC", "ms", lambda cost: cost.over_grpc * 1000),
        ("peak memory of the host", "MB", lambda cost: cost.memory / 1e6),
    ]
    return [
        Figure(f"{name}, {seats} seats: {what}", value, unit, f"{fewest} seats", value / least)
        for what, unit, of in shown
        for seats, cost in found.items()
        if (value := of(cost)) and (least := of(found[fewest]))
    ]


MEASURES: dict[str, Callable[[], list[Figure]]] = {
    "set-up": set_up,
    "reshuffle": reshuffle,
    "turns": turns,
    "verify": verification,
    "many-files": many_files,
    "games": games,
    "moves": moves,
    "coming-back": coming_back,
    **{
        f"seats-{name}": partial(more_seats, name)
        for name in (*names(), bench_seats.DECK_GAME)
        if len(lookup(name).seats) > 1
    },
}


def show(figures: list[Figure]) -> None:
    """The table for people."""
    width = max(len(figure.name) for figure in figures)
    for figure in figures:
        ratio = "" if figure.ratio is None else f"{figure.ratio:10.1f} x {figure.yardstick}"
        print(f"{figure.name:<{width}}  {figure.value:10.2f} {figure.unit:<4}{ratio}")
        if figure.note:
            print(f"{'':<{width}}  {figure.note}")


def main() -> None:
    """Measure, print, and write down if asked."""
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE")
    parser.add_argument("--only", nargs="+", choices=tuple(MEASURES), help="measure these alone")
    parser.add_argument("--list", action="store_true", help="name what can be measured")
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join(MEASURES))
        return
    figures = []
    for name in arguments.only or MEASURES:
        print(f"measuring: {name}", file=sys.stderr)
        figures += MEASURES[name]()
    show(figures)
    if arguments.json:
        arguments.json.write_text(json.dumps([asdict(figure) for figure in figures], indent=2) + "\n")


if __name__ == "__main__":
    main()
