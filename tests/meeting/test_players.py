"""Known players: remembered by key, whatever crashes or runs at the same time, and never replaced unseen."""

from __future__ import annotations

import json
import os
import signal
from contextlib import ExitStack, suppress
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bcnet import players as module
from bcnet.errors import StorageError
from bcnet.names import BadName
from bcnet.players import FILE_NAME, MAX_NAMES, AnotherKey, Known, Players, UnknownPlayer
from bcnet.signing import BadKey, Identity, fingerprint
from tests.storage.processes import line, python, run, say

BEN = Identity(b"b" * 32).public
EVE = Identity(b"e" * 32).public
CLEO = Identity(b"c" * 32).public
THEN = datetime(2026, 1, 5, 19, 30, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def players(tmp_path: Path) -> Players:
    return Players(tmp_path / FILE_NAME)


# --- meeting ---


def test_at_first_nobody_is_known(players: Players) -> None:
    assert players.all() == []
    assert players.meet(BEN, "Ben") is None
    assert players.by_key(BEN) is None
    assert not players.path.exists()


def test_a_player_is_known_by_key_afterwards(players: Players) -> None:
    met = players.remember(BEN, "Ben", THEN)
    assert met == Known(BEN, ("Ben",), THEN, THEN)
    again = Players(players.path)
    assert again.meet(BEN, "Ben") == met
    assert again.by_key(BEN) == met
    assert again.by_fingerprint(fingerprint(BEN)) == met
    assert again.by_fingerprint(fingerprint(EVE)) is None


def test_times_are_those_of_the_first_and_the_last_meeting(players: Players) -> None:
    players.remember(BEN, "Ben", THEN)
    players.remember(BEN, "Ben", THEN + DAY)
    met = players.remember(BEN, "Ben", THEN - DAY)  # a clock that went back
    assert (met.first_met, met.last_met) == (THEN, THEN + DAY)


def test_times_are_kept_in_utc_to_the_second(players: Players) -> None:
    there = datetime(2026, 1, 5, 21, 30, 0, 999, tzinfo=timezone(timedelta(hours=2)))
    assert players.remember(BEN, "Ben", there).last_met == THEN
    assert '"2026-01-05T19:30:00Z"' in players.path.read_text()


def test_a_new_name_stands_before_the_old_ones(players: Players) -> None:
    for name in ("Ben", "Benny", "Ben"):
        players.remember(BEN, name, THEN)
    assert players.meet(BEN, "Benjamin") == Known(BEN, ("Ben", "Benny"), THEN, THEN)


def test_only_so_many_names_are_remembered(players: Players) -> None:
    for number in range(MAX_NAMES + 2):
        players.remember(BEN, f"Ben {number}", THEN)
    assert players.all()[0].names == tuple(f"Ben {number}" for number in range(MAX_NAMES + 1, 1, -1))


def test_whom_one_met_last_comes_first(players: Players) -> None:
    players.remember(BEN, "Ben", THEN)
    players.remember(EVE, "Eve", THEN - DAY)
    players.remember(CLEO, "Cleo", THEN + DAY)
    assert [each.name for each in players.all()] == ["Cleo", "Ben", "Eve"]


# --- a known name with another key ---


@pytest.mark.parametrize("name", ["Ben", "ben", "BEN", "\N{FULLWIDTH LATIN CAPITAL LETTER B}en"])
def test_a_known_name_with_another_key_is_refused_out_loud(players: Players, name: str) -> None:
    players.remember(BEN, "Ben", THEN)
    before = players.path.read_bytes()
    with pytest.raises(AnotherKey) as caught:
        players.meet(EVE, name)
    for part in (name, fingerprint(BEN), fingerprint(EVE), "2026-01-05"):
        assert part in caught.value.message
    assert f"bcnet players forget {fingerprint(BEN)}" in caught.value.hint
    with pytest.raises(AnotherKey):
        players.remember(EVE, name, THEN)
    assert players.path.read_bytes() == before


def test_an_earlier_name_is_held_too(players: Players) -> None:
    players.remember(BEN, "Ben", THEN)
    players.remember(BEN, "Benny", THEN)
    with pytest.raises(AnotherKey):
        players.meet(EVE, "Ben")


def test_somebody_known_cannot_take_the_name_of_another(players: Players) -> None:
    players.remember(BEN, "Ben", THEN)
    players.remember(EVE, "Eve", THEN)
    with pytest.raises(AnotherKey):
        players.meet(EVE, "Ben")


def test_the_way_out_is_to_forget(players: Players) -> None:
    players.remember(BEN, "Ben", THEN)
    with pytest.raises(AnotherKey) as caught:
        players.meet(EVE, "Ben")
    assert players.forget(caught.value.known.fingerprint).key == BEN
    assert players.meet(EVE, "Ben") is None
    assert players.remember(EVE, "Ben", THEN).key == EVE


# --- forgetting ---


@pytest.mark.parametrize("who", ["Ben", " ben ", "Benny", fingerprint(BEN), fingerprint(BEN).upper()])
def test_one_forgets_by_name_or_fingerprint(players: Players, who: str) -> None:
    players.remember(BEN, "Benny", THEN)
    players.remember(BEN, "Ben", THEN)
    players.remember(EVE, "Eve", THEN)
    assert players.forget(who).key == BEN
    assert [each.name for each in players.all()] == ["Eve"]


def test_nobody_of_that_name(players: Players) -> None:
    players.remember(BEN, "Ben", THEN)
    with pytest.raises(UnknownPlayer, match="'Eve'"):
        players.forget("Eve")


def test_two_of_that_name_are_told_apart(players: Players) -> None:
    players.remember(BEN, "Ben", THEN)
    players.remember(EVE, "Eve", THEN)
    players.path.write_text(players.path.read_text().replace('"Eve"', '"Ben"'))  # by hand: we refuse it
    with pytest.raises(UnknownPlayer, match=fingerprint(EVE)):
        players.forget("Ben")
    assert players.forget(fingerprint(EVE)).key == EVE


# --- what is handed in ---


def test_what_may_not_be_remembered(players: Players) -> None:
    with pytest.raises(BadName):
        players.remember(BEN, "Ben\x1b[2J", THEN)
    with pytest.raises(BadKey):
        players.remember(b"\x01" + bytes(31), "Ben", THEN)
    assert not players.path.exists()


# --- the file ---


def test_the_file_is_as_documented_and_private(players: Players) -> None:
    players.remember(BEN, "Benny", THEN)
    players.remember(BEN, "Bén", THEN + DAY)
    assert json.loads(players.path.read_text()) == {
        "format": "bcnet players",
        "version": 1,
        "players": [
            {
                "key": BEN.hex(),
                "fingerprint": fingerprint(BEN),
                "names": ["Bén", "Benny"],
                "first_met": "2026-01-05T19:30:00Z",
                "last_met": "2026-01-06T19:30:00Z",
            }
        ],
    }
    assert "Bén" in players.path.read_text()
    assert {path.stat().st_mode & 0o777 for path in players.path.parent.iterdir()} == {0o600}
    assert {path.name for path in players.path.parent.iterdir()} == {"players.json", "players.lock"}


def damage(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"format"', '"form"', "does not begin like one"),
        ('"players": [', '"gamers": [', "other parts"),
        ('"names": [', '"name": [', "player 1 in it has other fields"),
        ('"Ben"', "", "player 1 in it has no names"),
        ('"Ben"', "7", "something that is no text"),
        ('"Ben"', '"B\\u001b[2Jn"', "not allowed"),
        (BEN.hex(), BEN.hex()[:-1] + "7", "player 1"),
        (BEN.hex(), EVE.hex(), "does not fit"),
        (BEN.hex(), "01" + 31 * "00", "player 1"),
        ("2026-01-05T19:30:00Z", "2026-13-05T19:30:00Z", "player 1"),
        ("2026-01-05T19:30:00Z", "2026-01-05T19:30:00", "without its zone"),
        ("{", "", "damaged"),
        ("{", "[" * 100_000, "damaged"),
    ],
)
def test_a_damaged_file_is_said_to_be_and_left_alone(players: Players, old: str, new: str, says: str) -> None:
    players.remember(BEN, "Ben", THEN)
    players.path.write_text(damage(players.path.read_text(), old, new))
    before = players.path.read_bytes()
    for attempt in (
        players.all,
        lambda: players.meet(EVE, "Eve"),
        lambda: players.remember(EVE, "Eve", THEN),
        lambda: players.forget("Ben"),
    ):
        with pytest.raises(StorageError, match="damaged") as caught:
            attempt()
        assert says in caught.value.message
        assert caught.value.hint
    assert players.path.read_bytes() == before


def test_one_key_twice_is_damage(players: Players) -> None:
    players.remember(BEN, "Ben", THEN)
    document = json.loads(players.path.read_text())
    document["players"] *= 2
    players.path.write_text(json.dumps(document))
    with pytest.raises(StorageError, match="one key twice"):
        players.all()


@given(
    cut=st.integers(0, 400), flips=st.lists(st.tuples(st.integers(0, 399), st.integers(1, 255)), max_size=3)
)
def test_no_damage_passes_for_somebody_else(
    tmp_path_factory: pytest.TempPathFactory, cut: int, flips: list[tuple[int, int]]
) -> None:
    players = Players(tmp_path_factory.mktemp("home") / FILE_NAME)
    players.remember(BEN, "Ben", THEN)
    data = bytearray(players.path.read_bytes())
    for place, flip in flips:
        data[place % len(data)] ^= flip
    players.path.write_bytes(data[:cut])
    with suppress(StorageError):
        assert [each.key for each in players.all()] == [BEN]


def test_a_newer_format_is_not_touched(players: Players) -> None:
    players.path.write_text('{"format": "bcnet players", "version": 2, "people": {}}')
    with pytest.raises(StorageError, match="version 2") as caught:
        players.remember(BEN, "Ben", THEN)
    assert "newer" in caught.value.hint
    assert "people" in players.path.read_text()


def test_an_empty_file_is_damage(players: Players) -> None:
    players.path.touch()
    with pytest.raises(StorageError, match="damaged"):
        players.all()


def test_a_home_that_is_not_there(tmp_path: Path) -> None:
    players = Players(tmp_path / "nowhere" / FILE_NAME)
    assert players.all() == []
    with pytest.raises(StorageError, match="no such file"):
        players.remember(BEN, "Ben", THEN)


def test_a_disk_that_takes_nothing_changes_nothing(players: Players, monkeypatch: pytest.MonkeyPatch) -> None:
    players.remember(BEN, "Ben", THEN)
    before = players.path.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StorageError, match="disk is full"):
        players.remember(EVE, "Eve", THEN)
    assert players.path.read_bytes() == before
    assert {path.name for path in players.path.parent.iterdir()} == {"players.json", "players.lock"}


# --- several processes ---

MEET = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from bcnet.players import Players
from bcnet.signing import Identity

players, start = Players(Path(sys.argv[1])), int(sys.argv[2])
input()
for number in range(start, start + int(sys.argv[3])):
    key = Identity(number.to_bytes(32, "big")).public
    players.remember(key, f"Player {number}", datetime(2026, 1, 5, tzinfo=UTC))
print("done")
"""


def test_several_at_once_lose_nobody(players: Players) -> None:
    with ExitStack() as stack:
        processes = [
            stack.enter_context(python(MEET, players.path, 100 * number, 25)) for number in range(1, 5)
        ]
        for process in processes:
            say(process)
        for process in processes:
            assert line(process) == "done"
    assert len(players.all()) == 100


def test_a_killed_one_leaves_the_old_or_the_new_list_and_no_lock(players: Players) -> None:
    for number in range(1, 9):
        known = len(players.all())
        with python(MEET, players.path, 1000 * number, 1000) as process:
            say(process)
            while len(players.all()) < known + number:
                assert process.poll() is None
            os.kill(process.pid, signal.SIGKILL)
        assert len(players.all()) >= known + number
    players.remember(BEN, "Ben", THEN)
    assert players.by_key(BEN)


def test_one_that_hangs_is_not_waited_for_for_ever(players: Players, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOCK_TIME", 0.2)
    with (
        python(
            """
import fcntl, sys
file = open(sys.argv[1], "w")
fcntl.flock(file, fcntl.LOCK_EX)
print("locked", flush=True)
input()
""",
            players.path.with_suffix(".lock"),
        ) as process,
    ):
        assert line(process) == "locked"
        with pytest.raises(StorageError, match="another bcnet"):
            players.remember(BEN, "Ben", THEN)
        assert players.all() == []  # who only looks does not wait


def test_the_first_two_meetings_of_one_name_cannot_both_win(players: Players) -> None:
    code = MEET.replace('f"Player {number}"', '"Ben"').replace("print(", "print(len(players.all()), ")
    assert run(f"import io, sys\nsys.stdin = io.StringIO('\\n')\n{code}", players.path, 1, 1) == "1 done\n"
    with pytest.raises(AnotherKey):
        players.remember(BEN, "Ben", THEN)
