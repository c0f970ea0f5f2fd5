"""docs/adding-a-game.md: what it names exists, and a game that does what it says can be played, verified and exported.

The toy game is put into a copy of bcnet, where the note says, and nothing else of the copy is changed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from bcnet.cli import play
from bcnet.errors import Exit
from bcnet.games import interface, names, registry
from bcnet.verify import Verdict
from tests.adding import eleven
from tests.games import conformance
from tests.net.processes import Start, starting, transcripts

ROOT = Path(__file__).resolve().parents[2]
NOTE = (ROOT / "docs/adding-a-game.md").read_text("utf-8")
PROSE = re.sub(r"^```.*?^```", "", NOTE, flags=re.DOTALL | re.MULTILINE)
"""The note without what it shows in lines of their own."""
PACKAGES = {"bcnet": "bcnet", "bcnet_client": "client/bcnet_client", "bcnet_host": "host/bcnet_host"}


# --- the note ---


def named() -> list[str]:
    """All that the note shows as code in its lines."""
    return re.findall(r"`([^`]+)`", PROSE)


def test_every_path_of_the_note_is_there() -> None:
    paths = {path for each in named() if "/" in (path := each.split()[0])}
    there = {path for path in paths if "NAME" not in path}
    assert len(there) > 15
    assert {path for path in there if not (ROOT / path).exists()} == set()
    for path in paths - there:  # as it is for a game that there is
        assert (ROOT / path.replace("NAME", "balloon_cup")).exists(), path


def test_every_name_of_the_note_is_in_the_code() -> None:
    code = "\n".join(
        path.read_text("utf-8")
        for folder in ("bcnet", "client", "host", "tests/games", "tests/adding", "scripts")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in {".py", ""} and path.is_file()
    )
    words = {word for each in named() if "/" not in each for word in re.findall(r"[A-Za-z_]{3,}", each)}
    words -= {"NAME", "eleven", "Eleven"}
    assert len(words) > 60
    assert {word for word in words if not re.search(rf"\b{word}\b", code)} == set()


def test_the_note_has_all_that_a_game_must_define() -> None:
    said = {word for each in named() for word in re.findall(r"[A-Za-z_]+", each)}
    for kind in (interface.Game, interface.State):
        assert set(kind.__abstractmethods__) <= said, kind
    assert {each for each in interface.Game.__annotations__ if each != "ClassVar"} <= said
    rows = re.findall(r"^\| `(\w+)(?:\([\w, ]+\))?` \| ", PROSE, re.MULTILINE)
    assert rows == ["need", "Chance", "Decide", "Choose", "Shuffle", "Deal", "Over"]


def shown(section: int, kind: str) -> str:
    """The first lines of a kind that the note shows in a section."""
    found = re.findall(rf"^## {section}\. .*?^```{kind}\n(.*?)^```", NOTE, re.DOTALL | re.MULTILINE)
    return str(found[0])


def entry() -> str:
    """The lines for the registry."""
    return shown(2, "python")


# --- what makes a game easy to add ---


@pytest.mark.parametrize("name", names())
def test_a_game_has_its_options_in_one_place_of_the_command_line(name: str) -> None:
    known = registry.options(name)
    assert registry.get(name).options == {key: tuple(option.values) for key, option in known.items()}
    taken = {opt for command in (play.host, play.practise) for each in command.params for opt in each.opts}
    assert {f"--{key}" for key in known} <= taken
    for key, option in known.items():
        assert sum(f"--{key}" in each.opts for each in play.host.params) == 1
        assert option.meaning.startswith(registry.get(name).title)


def test_a_part_is_found_by_the_name_of_the_game() -> None:
    found = registry.part("balloon-cup", "bcnet_client.page")
    assert found is not None
    assert found.__name__ == "bcnet_client.page.balloon_cup"
    assert registry.part("balloon-cup", "bcnet.table") is None
    assert registry.part("course", "bcnet.table") is None, "there is no such game"


# --- the toy game ---


@pytest.mark.parametrize("limit", eleven.LIMITS)
@pytest.mark.parametrize("seats", eleven.SEATS)
def test_the_toy_game_keeps_to_the_interface(seats: int, limit: str) -> None:
    for seed in (1, 2):
        conformance.check_game(eleven.GAME, seats, {"limit": limit}, seed)


def copied(folder: Path) -> dict[str, str]:
    """bcnet with one game more, in a folder; gives the environment in which Python finds it."""
    for package in PACKAGES.values():
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    rules = folder / "bcnet/games/eleven"
    rules.mkdir()
    (rules / "__init__.py").write_text('"""Eleven."""\n')
    shutil.copy(Path(eleven.__file__), rules / "game.py")
    registered = folder / "bcnet/games/registry.py"
    before = registered.read_text("utf-8")
    start, games, rest = before.partition("_GAMES: Mapping[str, Mapping[str, Option]] = {\n")
    inside, end, after = rest.partition("\n}\n")
    assert games
    assert end
    registered.write_text(f"{start}{games}{inside}\n{entry().rstrip()}{end}{after}", "utf-8")
    (folder / "docs").mkdir()
    records = (ROOT / "docs/records.md").read_text("utf-8")
    (folder / "docs/records.md").write_text(f"{records}\n{shown(5, 'text')}", "utf-8")
    path = [folder, *(folder / package for package in ("client", "host"))]
    return {"PYTHONPATH": os.pathsep.join(map(str, path)), "PYTHONDONTWRITEBYTECODE": "1"}


@pytest.fixture(scope="module")
def added(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    return copied(tmp_path_factory.mktemp("added"))


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    with starting(tmp_path) as start:
        yield start


def bcnet(added: Mapping[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-m", "bcnet", *words],
        env=os.environ | added,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


@pytest.mark.end_to_end
def test_it_is_played_by_three_processes_verified_and_exported(
    start: Start, added: Mapping[str, str], tmp_path: Path
) -> None:
    terms = ("--game", "eleven", "--seats", "3", "--limit", "21")
    listening = ("--listen", "127.0.0.1:0", "--open", "--name", "Ann", "--bot", "hard")
    ann = start("host", *terms, *listening, home="ann", **added)
    address = ann.wait_for(r"^  \S+ join '?([^' ]+)'? (\S+)$")[1]
    guests = [
        start("join", address, "--trust-first", "--name", name, "--bot", level, home=name.lower(), **added)
        for name, level in (("Bob", "easy"), ("Carol", "normal"))
    ]
    assert [side.finish() for side in (ann, *guests)] == [0, 0, 0], ann.complaint
    ann.wait_for(r"^Agreed: eleven, 3 players, limit 21\.$")
    ann.wait_for(r"^limit 21: whoever comes above 21 is out\.$")
    ann.wait_for(r"^(Ann|Bob|Carol) draws [1-6](: \d+| makes \d+, and is out)?")
    told = [[line for line in side.lines if re.search(" draws | stops ", line)] for side in (ann, *guests)]
    assert told[0] == told[1] == told[2] != []
    files = [path for home in ("ann", "bob", "carol") for path in transcripts(tmp_path, home)]
    assert len({path.read_bytes() for path in files}) == 1
    assert len(files) == 3

    verified = bcnet(added, "verify", "--json", *map(str, files))
    assert verified.returncode == Verdict.CLEAN.exit_code, verified.stdout
    explained = bcnet(added, "verify", "--explain", str(files[0]))
    assert explained.returncode == 0
    assert all(line in explained.stdout for line in told[0])
    exported = bcnet(added, "export", str(files[0]))
    assert exported.returncode == 0, exported.stderr
    record = json.loads(exported.stdout)
    assert record["game"] == "eleven"
    assert record["options"]["limit"] == "21"
    rows = record["events"]
    assert rows[-1]["type"] == "end"
    sums = {row["seat"]: row["total"] for row in rows if "total" in row}
    inside = {seat: total for seat, total in sums.items() if total <= 21}
    best = [seat for seat, total in inside.items() if total == max(inside.values())]
    assert rows[-1]["winners"] == sorted(best)
    shown = bcnet(added, "replay", "--plain", str(files[0]))  # there is no face for it
    assert shown.returncode == 64
    assert "Traceback" not in shown.stderr
    assert "eleven" in shown.stderr


@pytest.mark.end_to_end
def test_commands_know_it(added: Mapping[str, str], tmp_path: Path) -> None:
    helped = bcnet(added, "host", "--help")
    assert "--limit [11|21]" in helped.stdout
    assert "edel|eleven" in helped.stdout
    demo = bcnet(added, "demo", "--game", "eleven", "--seats", "4", "--out", str(tmp_path / "out"))
    assert demo.returncode == 0, demo.stderr
    assert "equal to the byte: clean." in demo.stdout
    refused = bcnet(added, "demo", "--game", "eleven", "--seats", "5", "--out", str(tmp_path / "out"))
    assert refused.returncode == 64
    assert "Eleven" in refused.stderr
    assert "2 to 4" in refused.stderr


CRASHES = {
    "in one program": ("state.sums[seat] > HIGHEST // 2", "state.sums[seat] > HIGHEST // (seat - 1)"),
    "in all": ("total = self.sums[seat] + value", "total = self.sums[seat] + value // 0"),
}
"""What is changed in the toy: the bot of seat 1 fails at its first move, or the rules at the first number."""


@pytest.mark.end_to_end
@pytest.mark.parametrize("where", CRASHES)
def test_a_game_that_crashes_leaves_the_traces_of_a_demo(
    where: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    broken = copied(tmp_path_factory.mktemp("broken"))
    rules = Path(broken["PYTHONPATH"].split(os.pathsep)[0]) / "bcnet/games/eleven/game.py"
    right, wrong = CRASHES[where]
    text = rules.read_text("utf-8")
    assert text.count(right) == 1
    rules.write_text(text.replace(right, wrong), "utf-8")
    out = tmp_path / "out"
    demo = bcnet(broken, "demo", "--game", "eleven", "--seats", "3", "--out", str(out))
    assert demo.returncode == Exit.DEFECT
    assert "Traceback" not in demo.stderr
    (noted,) = re.findall(r"^What the processes have noted: (.*)$", demo.stdout, re.MULTILINE)
    logs = [Path(each) for each in re.split(r", | and ", noted)]
    traces = [path for path in logs if "ZeroDivisionError" in path.read_text("utf-8")]
    told = re.findall(
        r"this is a defect of bcnet: ZeroDivisionError. The details are in (.*)\.$", demo.stderr, re.MULTILINE
    )
    assert traces == list(map(Path, told)) != []
    if where == "in one program":
        (name,) = [name for name, side in (("Bob", "guest-1"), ("Carol", "guest-2")) if side in str(traces)]
        assert f"The process of {name} has ended (exit code 70)." in demo.stderr


@pytest.mark.end_to_end
def test_the_suite_for_all_games_runs_for_it(added: Mapping[str, str]) -> None:
    """All that `tests/games/test_conformance.py` wants, but a golden playthrough."""
    folder = Path(added["PYTHONPATH"].split(os.pathsep)[0])
    shutil.copytree(
        ROOT / "tests/games", folder / "tests/games", ignore=shutil.ignore_patterns("__pycache__")
    )
    for part in ("__init__.py", "conftest.py"):
        shutil.copy(ROOT / "tests" / part, folder / "tests" / part)
    shutil.copy(ROOT / "pyproject.toml", folder)
    (folder / "scripts/lib").mkdir(parents=True)
    shutil.copy(ROOT / "scripts/lib/extracting.py", folder / "scripts/lib")
    ran = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"),
            *("-k", "eleven and not golden", "tests/games/test_conformance.py"),
        ],
        cwd=folder,
        env=os.environ | added,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout
    assert int(re.findall(r"(\d+) passed", ran.stdout)[0]) > 40
