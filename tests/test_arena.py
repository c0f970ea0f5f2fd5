"""scripts/arena: tiny runs of it, in a process of its own as a contributor starts it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]


def arena(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", str(ROOT / "scripts/lib/arena.py"), *arguments],
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )


def figures(path: Path, *arguments: str) -> dict[str, Any]:
    ran = arena(*arguments, "--json", str(path))
    assert ran.returncode == 0, ran.stderr
    data: dict[str, Any] = json.loads(path.read_text())
    return data


def without_times(data: dict[str, Any]) -> dict[str, Any]:
    thinking = [each["moves"] for each in data["thinking"]]
    return {**data, "seconds": None, "thinking": thinking}


def test_the_same_arguments_give_the_same_games_over_one_process_or_two(tmp_path: Path) -> None:
    arguments = ("normal", "easy", "--games", "8", "--seed", "5")
    one = figures(tmp_path / "one", *arguments, "--jobs", "1")
    two = figures(tmp_path / "two", *arguments, "--jobs", "2")
    assert without_times(one) == without_times(two)
    assert one["games"] == sum(one["wins"]) + one["drawn"] == sum(one["reasons"].values()) == 8
    assert one["wins"][0] > one["wins"][1]
    for share, (low, high) in zip(one["win_share"], one["interval"], strict=True):
        assert 0 <= low <= share <= high <= 1
    assert all(each["moves"] > 8 * 10 and each["seconds"] > 0 for each in one["thinking"])


def test_it_prints_what_a_person_wants_to_know() -> None:
    ran = arena("hard", "random", "--games", "2", "--jobs", "1", "--budget", "2")
    assert ran.returncode == 0, ran.stderr
    first, second, drawn, speed = ran.stdout.splitlines()
    assert first.startswith("A hard ")
    assert "of 2 =" in first
    assert "ms a move" in second
    assert drawn.startswith("drawn ")
    assert speed.endswith("games a second")


def test_one_seat_against_all_others(tmp_path: Path) -> None:
    found = figures(
        tmp_path / "found", "normal", "random", "--game", "stones", "--seats", "3", "--games", "6"
    )
    assert (found["game"], found["seats"], found["options"]) == ("stones", 3, {"penalties": "off"})
    assert found["games"] == 6
    assert sum(found["wins"]) + found["drawn"] == pytest.approx(6)
    assert found["wins"][0] > 3, "it has one seat of three, and looks where it lays"
    assert [each["moves"] for each in found["thinking"]] == [6 * 12, 2 * 6 * 12]


def test_a_budget_in_seconds() -> None:
    ran = arena("hard", "easy", "--games", "1", "--jobs", "1", "--budget", "0.002s")
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize(
    "wrong",
    [
        ("hard",), ("hard", "clever"), ("hard", "easy", "--games", "0"), ("hard", "easy", "--budget", "x"),
        ("hard", "easy", "--budget", "-1s"), ("hard", "easy", "--budget", "nans"), ("hard", "easy", "--jobs", "0"),
        ("easy", "normal", "--games", "1", "--json", "/no such folder/file"), ("easy", "normal", "--seats", "3"),
        ("easy", "normal", "--game", "edel", "--fill", "blind"), ("hard", "easy", "--game", "edel", "--budget", "9"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_wrong_arguments_get_a_line(wrong: tuple[str, ...]) -> None:
    ran = arena(*wrong)
    assert ran.returncode != 0
    assert "Traceback" not in ran.stderr
    assert ran.stderr.splitlines()[-1].startswith("scripts/arena: error: ")
    assert ran.stdout == ""


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (65, 100, 0.5525, 0.7364)],
)
def test_the_interval_is_wilsons(wins: int, games: int, low: float, high: float) -> None:
    """Against values from elsewhere (the score interval without correction for continuity)."""
    code = f"import arena; print(*arena.wilson({wins}, {games}))"
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT / "scripts/lib", capture_output=True, text=True, check=True
    )
    assert [float(each) for each in ran.stdout.split()] == pytest.approx([low, high], abs=1e-4)
