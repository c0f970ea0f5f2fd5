"""People who resign at a table for more than two, as real processes: the others go on, and all sides tell the same."""

from __future__ import annotations

import json
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from bcnet.verify import Verdict, verify_file
from tests.net.processes import Bcnet, Start, transcripts

pytestmark = [pytest.mark.end_to_end, pytest.mark.timeout(240)]

FIRST_MOVE = {"stones": ("^Your turn", "1"), "edel": ("^Choose an action card", "money")}
"""What a person is asked first, and an answer."""


def table(start: Start, game: str, names: tuple[str, ...], people: tuple[str, ...]) -> dict[str, Bcnet]:
    """A table of these, the first of them the host; all but ``people`` are bots."""
    sides: dict[str, Bcnet] = {}
    address = ""
    for name in names:
        plays = ("--plain",) if name in people else ("--bot", "normal")
        words = (
            ("join", address, "--trust-first")
            if address
            else ("host", "--listen", "127.0.0.1:0", "--open", "--game", game, "--seats", str(len(names)))
        )
        sides[name] = start(*words, "--name", name, *plays, home=name, stdin=subprocess.PIPE)
        address = address or sides[name].wait_for(r"^  \S+ join '?([^' ]+)'? (\S+)$")[1]
        sides[names[0]].wait_for(name)  # so that seats are given in this order
    return sides


def resign(game: str, person: Bcnet) -> None:
    """Make one move, and at the next resign."""
    asked, answer = FIRST_MOVE[game]
    person.wait_for(asked)
    person.type(answer, "resign", "yes")


def said(start: Start, home: str, *words: str) -> str:
    ran = start(*words, home=home)
    assert ran.finish() == 0
    assert ran.complaint == ""
    return ran.output


@pytest.mark.parametrize(
    ("game", "names", "leaving"),
    [
        ("stones", ("Ann", "Bob", "Carol"), ("Bob",)),
        ("stones", ("Ann", "Bob", "Carol"), ("Bob", "Carol")),
        ("edel", ("Ann", "Bob", "Carol", "Dan"), ("Carol",)),
    ],
    ids=["stones", "stones-all-but-one", "edel"],
)
def test_the_others_go_on(
    game: str, names: tuple[str, ...], leaving: tuple[str, ...], start: Start, tmp_path: Path
) -> None:
    sides = table(start, game, names, leaving)
    with ThreadPoolExecutor() as pool:  # whoever begins, nobody waits for another to have resigned
        list(pool.map(lambda name: resign(game, sides[name]), leaving))
    for name in leaving:
        sides[name].wait_for("^Press Enter to leave")
        sides[name].type("")
    for name, side in sides.items():
        assert side.finish() == 0, side.output
        assert side.complaint == "", name

    files = {name: path for name in names for path in transcripts(tmp_path, name)}
    assert len(files) == len(names)
    assert len({path.read_bytes() for path in files.values()}) == 1
    report = verify_file(files["Ann"])
    assert report.verdict is Verdict.CLEAN
    assert [who.name for who in report.players] == list(names)
    assert report.result is not None
    winners = [names[seat] for seat in report.result.winners]
    assert winners
    assert not set(winners) & set(leaving)
    assert said(start, "Ann", "verify", *map(str, files.values())).startswith("clean: ")
    check_rows(json.loads(said(start, "Ann", "export", str(files["Ann"]))), names, leaving)

    reason = report.result.reason.replace("-", " ")
    assert (reason == "resignation") == (len(leaving) == len(names) - 1)
    told = rf"{' and '.join(winners)} won \({reason}\)\.  clean"
    for name in names:
        others = [other for other in names if other != name]
        listed = said(start, name, "games").splitlines()
        assert re.search(rf"  with {', '.join(others[:-1])} and {others[-1]}  {told}$", listed[0])
        assert listed[1:] == [f"    {files[name]}"]
        sums = json.loads(said(start, name, "stats", "--json"))
        has_won = name in winners
        assert (sums["games"], sums["won"], sums["drawn"], sums["lost"]) == (1, has_won, 0, not has_won)
        assert {each["name"] for each in sums["opponents"]} == set(others)
        assert sums["left_out"] == []


def check_rows(record: dict[str, Any], names: tuple[str, ...], leaving: tuple[str, ...]) -> None:
    """Whoever has resigned does nothing more (docs/games.md, Resigning)."""
    rows = record["events"]
    gone = [names.index(name) for name in leaving]
    assert sorted(row["seat"] for row in rows if row["type"] == "resign") == gone
    for seat in gone:
        at = rows.index({"type": "resign", "seat": seat})
        assert seat not in {row.get("seat") for row in rows[at + 1 :]}
        for row in rows[at + 1 :]:
            assert seat not in {each["seat"] for each in (*row.get("choices", ()), *row.get("payouts", ()))}
            assert row["type"] != "round" or seat not in {card["seat"] for card in row["cards"]}
    if len(gone) < len(names) - 1:
        assert len(rows) > rows.index({"type": "resign", "seat": gone[0]}) + 2, "the others have gone on"
