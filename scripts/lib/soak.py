"""The long runs of scripts/soak: what the tests do in a fixed small share, here for whole games and by the hundred."""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from bcnet.verify import Verdict, verify_file
from tests.net.faults import Weather, bad_network
from tests.net.processes import Bcnet, Start, guest, host, resume, starting, transcripts
from tests.table.crashes import Sweep
from tests.table.quick import quick_proofs

Figures = dict[str, Any]

GAMES_AT_ONCE = 100
"""Games that a pair of processes plays before a new pair is started (an evening)."""
WEATHER_SHARE = 2
"""One evening of so many is played over a bad network."""


def sweep(games: int) -> Figures:
    """Whole games of Balloon Cup, with private hands and without, stopped at every step; every tenth is played on."""
    crashes = ended = 0
    with quick_proofs():
        for seed in range(games):
            found = Sweep("balloon-cup", {"fill": "designer"}, seed + 7, private_hands=seed % 2 == 1)
            for number, crash in enumerate(found.crashes()):
                found.come_back(crash, to_the_end=number % 10 == 0)
                crashes += 1
                if crashes % 50 == 0:
                    _show(f"{crashes} crashes")
                ended += number % 10 == 0
    return {"games": games, "crashes": crashes, "played to the end": ended, "lost": 0}


def judged(folder: Path) -> int:
    """How many games both homes have, whole and the same. Raises AssertionError for any other."""
    hers, his = ({path.name[:-6]: path for path in transcripts(folder, home)} for home in ("host", "guest"))
    assert set(hers) == set(his), f"one side lacks a game: {set(hers) ^ set(his)}"
    for name, path in hers.items():
        assert path.read_bytes() == his[name].read_bytes(), f"{name} differs"
        assert verify_file(path).verdict is Verdict.CLEAN, name
    for home in ("host", "guest"):
        assert not list((folder / home / "tables").iterdir()), f"{home} has an unfinished table"
    return len(hers)


def kills(wanted: int, seed: int = 1) -> Figures:
    """Kill -9 of either or both at random moments, until there were enough; every game is played to its end."""
    rng = random.Random(seed)  # noqa: S311 (when to kill)
    done = games = 0
    back: list[float] = []
    while done < wanted:
        with tempfile.TemporaryDirectory() as place, starting(Path(place)) as start:
            folder = Path(place)
            ann = host(start)
            bob = guest(start, ann.address())
            bob.wait_for("^You play with")
            while {ann.process.poll(), bob.process.poll()} == {None}:
                time.sleep(rng.uniform(0, 1.5))
                victims: list[Bcnet] = rng.choice([[ann], [bob], [ann, bob]])
                for victim in victims:
                    victim.process.kill()
                    victim.finish()
                    done += 1
                began = time.monotonic()
                ann, bob = _again(start, folder, ann, bob)
                waiting = next((each for each in (ann, bob) if each.process.poll() is None), None)
                if waiting is None:
                    break
                waiting.wait_for("^(The line is up again|Verdict|.*finished here|You play with)", 60)
                back.append(time.monotonic() - began)
            _to_the_end(start, folder, ann, bob)
            games += judged(folder)
            _show(f"{done} of {wanted} kills, {games} games")
    return {
        "kills": done,
        "games": games,
        "lost": 0,
        "seconds until it goes on, median": round(statistics.median(back), 2),
        "seconds until it goes on, longest": round(max(back), 2),
    }


def _unfinished(folder: Path, home: str) -> bool:
    return any((folder / home / "tables").glob("*-*"))


def _again(start: Start, folder: Path, ann: Bcnet, bob: Bcnet) -> tuple[Bcnet, Bcnet]:
    """Whoever is gone and has not finished takes the table up again; who has finished hands out what is missing."""
    if ann.process.poll() is not None:
        if _unfinished(folder, "host"):
            ann = resume(start, "host")
        elif _unfinished(folder, "guest") and transcripts(folder, "host"):
            ann = resume(start, "host", transcripts(folder, "host")[0].name[11:27], _address(folder))
    if bob.process.poll() is not None:
        if _unfinished(folder, "guest"):
            bob = resume(start, "guest")
        elif _unfinished(folder, "host") and transcripts(folder, "guest"):
            bob = resume(start, "guest", transcripts(folder, "guest")[0].name[11:27], _address(folder))
    return ann, bob


def _address(folder: Path) -> str:
    return next(
        path.read_text()
        for home in ("guest", "host")
        for path in (folder / home / "tables").glob("*/address")
    )


def _to_the_end(start: Start, folder: Path, ann: Bcnet, bob: Bcnet) -> None:
    deadline = time.monotonic() + 180
    while _unfinished(folder, "host") or _unfinished(folder, "guest"):
        assert time.monotonic() < deadline, (
            f"stuck: {ann.lines[-3:]} {bob.lines[-3:]} {bob.errors} {ann.errors}"
        )
        ann, bob = _again(start, folder, ann, bob)
        time.sleep(0.3)
    for each in (ann, bob):
        each.finish(60)


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/status").read_text().split("VmRSS:")[1].split()[0])
    except (OSError, IndexError):
        return 0


def games(wanted: int, seed: int = 1) -> Figures:
    """Whole games between two processes, an evening each pair; some evenings over a bad network."""
    played = faults = evenings = short = 0
    memory: list[list[int]] = []
    while played < wanted:
        evenings += 1
        count = str(min(GAMES_AT_ONCE, wanted - played))
        stormy = evenings % WEATHER_SHARE == 0
        with tempfile.TemporaryDirectory() as place, starting(Path(place)) as start:
            folder = Path(place)
            ann = host(start, "--games", count)
            port = int(ann.address().rpartition(":")[2])
            weather = Weather(seed + evenings, calm=(2, 8), most=0)
            with bad_network(port, weather) as network:
                bob = guest(start, f"127.0.0.1:{network.port}", "--games", count)
                bob.wait_for("^You play with", 180)
                weather.most = 1000 if stormy else 0
                began, sizes, seen = time.monotonic(), [], 0
                while {ann.process.poll(), bob.process.poll()} == {None}:
                    time.sleep(0.5)
                    finished = len(transcripts(folder, "host"))
                    if finished > seen:
                        seen = finished
                        began = time.monotonic()
                        sizes.append(_resident(ann.process.pid))
                    assert time.monotonic() - began < 180, f"stuck: {ann.lines[-3:]} {bob.lines[-3:]}"
                ann.finish(60)
                bob.finish(60)
                faults += network.happened.total()
            _to_the_end(start, folder, ann, bob)
            here = judged(folder)
            assert here, "an evening without a game"
            short += here < int(count)
            played += here
            memory.append([size for size in sizes if size])
            _show(f"{played} of {wanted} games")
    longest = max(memory, key=len)
    settled = longest[len(longest) // 2 :]  # the first games fill caches that stay as they are
    slope = statistics.linear_regression(range(len(settled)), settled).slope if len(settled) > 2 else 0.0
    return {
        "games": played,
        "evenings": evenings,
        "evenings that a cut between two games has ended": short,
        "faults of the network": faults,
        "lost": 0,
        "stuck": 0,
        "host's memory, peak KiB": max(map(max, filter(None, memory)), default=0),
        "host's memory after each tenth game, KiB": " ".join(map(str, longest[::10])),
        "host's memory, KiB a game (second half)": round(slope, 1),
    }


def _show(text: str) -> None:
    is_terminal = sys.stderr.isatty()
    print(f"\r{text} " if is_terminal else text, end="" if is_terminal else "\n", file=sys.stderr, flush=True)


def main() -> None:
    """Run what is asked for, and print the figures."""
    parser = argparse.ArgumentParser(prog="scripts/soak")
    parser.add_argument("--sweeps", type=int, default=1)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    runs: list[tuple[str, Callable[[int], Figures], int]] = [
        ("crashes in memory", sweep, asked.sweeps),
        ("kill -9", kills, asked.kills),
        ("games", games, asked.games),
    ]
    figures: dict[str, Figures] = {}
    for name, run, count in runs:
        if count:
            began = time.monotonic()
            figures[name] = run(count) | {"seconds": round(time.monotonic() - began, 1)}
            print(name)
            for what, value in figures[name].items():
                print(f"  {what:48} {value}")
            sys.stdout.flush()
    if asked.json:
        asked.json.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
