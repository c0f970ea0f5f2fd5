"""The folder of one person: what lies where, who may use it, and what is left after a crash."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bcnet import journal, transcript
from bcnet.errors import StorageError, UnreadableError
from bcnet.files import FolderInUse, FolderLock
from bcnet.home import Home, new_seed
from bcnet.journal import Kind, Record
from tests.storage.processes import line, python, run, say

OFFER_ID, TABLE_ID, OTHER_ID = (bytes(range(first, first + 32)) for first in (0, 32, 64))
SEED = bytes(range(100, 132))
ENTRIES = [b"offer", b"join", b"ready"]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def everything(path: Path) -> list[str]:
    return sorted(str(each.relative_to(path)) for each in path.rglob("*"))


# ------------------------------------------------------------------------------------------------------- where


def test_the_option_goes_before_the_variable_and_both_before_the_platform(tmp_path: Path) -> None:
    environment = {"BCNET_HOME": str(tmp_path / "variable")}
    assert Home.locate(tmp_path / "option", environment).path == tmp_path / "option"
    assert Home.locate(None, environment).path == tmp_path / "variable"
    for nothing in ({}, {"BCNET_HOME": ""}):
        path = Home.locate(None, nothing).path
        assert path.is_absolute()
        assert path.name == "bcnet"


def test_the_platforms_folder_is_made_with_all_above_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "new" / "person"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "new" / "person" / "share"))
    home = Home.locate(None, {})
    assert home.path.is_relative_to(tmp_path / "new" / "person")
    home.identity()
    assert home.identity_path.exists()


def test_relative_paths_and_tildes_mean_what_they_mean_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    home = Home(Path("here"))
    monkeypatch.chdir("/")
    assert home.path == tmp_path / "here"
    monkeypatch.setenv("HOME", str(tmp_path))
    assert Home(Path("~/there")).path == tmp_path / "there"
    assert Home(Path("~nobody-of-this-name/there")).path.name == "there"


def test_looking_makes_nothing(home: Home) -> None:
    assert home.finished() == []
    assert home.unfinished() == []
    assert home.transcript_of("00" * 8, 0) is None
    home.sweep()
    assert not home.path.exists()


def test_what_lies_where(home: Home) -> None:
    home.identity()
    home.create_offer(OFFER_ID, 0, SEED).close()
    home.create_table(TABLE_ID, 1, SEED).close()
    with home.create_table(OTHER_ID, 0, SEED) as folder:
        path = folder.finish(ENTRIES)
    day = time.strftime("%Y-%m-%d", time.localtime())
    assert everything(home.path) == [
        "identity.pem",
        "offers",
        "offers/0001020304050607-0",
        "offers/0001020304050607-0/journal",
        "offers/0001020304050607-0/lock",
        "offers/0001020304050607-0/seed",
        "tables",
        "tables/2021222324252627-1",
        "tables/2021222324252627-1/journal",
        "tables/2021222324252627-1/lock",
        "tables/2021222324252627-1/seed",
        "transcripts",
        f"transcripts/{day}-4041424344454647-0.bct",
    ]
    assert path == home.transcripts / f"{day}-4041424344454647-0.bct"


def test_everything_is_for_its_owner_alone(home: Home) -> None:
    before = os.umask(0)
    try:
        home.identity()
        with home.create_offer(OFFER_ID, 0, SEED) as folder:
            folder.journal.append(Kind.OWN, b"offer")
            folder.spend(1)
            folder.become_table(TABLE_ID)
            for each in [home.path, *home.path.rglob("*")]:
                assert each.stat().st_mode & 0o777 == (0o700 if each.is_dir() else 0o600), each
            folder.finish(ENTRIES)
    finally:
        os.umask(before)


# --------------------------------------------------------------------------------------------- what may go wrong


@pytest.fixture
def others_folder() -> Iterator[Path]:
    """A folder in which one may look and do nothing else."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name)
        (path / "home").mkdir()
        for each in (path / "home", path):
            each.chmod(0o555)
        yield path
        for each in (path, path / "home"):
            each.chmod(0o755)


AS_NOBODY = """
import os, sys
from pathlib import Path
from bcnet.errors import StorageError
from bcnet.home import Home
if os.getuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
try:
    Home(Path(sys.argv[1])).identity()
except StorageError as error:
    print(error.message, error.hint)
"""


@pytest.mark.parametrize("name", ["home", "new"])
def test_a_folder_that_one_may_not_write(others_folder: Path, name: str) -> None:
    output = run(AS_NOBODY, others_folder / name)
    assert output.startswith(f"Cannot make the folder {others_folder / name}")
    assert "you have no permission" in output
    assert "--home DIR or BCNET_HOME" in output


def test_a_path_that_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "tables").write_text("mine")
    for path, what in [
        (tmp_path / "missing" / "home", "there is no such file or folder"),
        (tmp_path / "file", "a part of the path is a file"),
        (tmp_path / "file" / "home", "a part of the path is a file"),
        (tmp_path / "home", "tables is a file, but bcnet needs a folder there"),
        (tmp_path / ("x" * 300), "the name is too long"),
    ]:
        with pytest.raises(StorageError, match=what) as caught:
            Home(path).identity()
        assert str(path) in caught.value.message
        assert caught.value.hint
    assert (tmp_path / "file").read_text() == "mine"


def test_a_file_in_the_place_of_the_home(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    home = Home(tmp_path / "file")
    for attempt in (home.prepare, home.identity, home.finished, home.unfinished, home.sweep):
        with pytest.raises(StorageError, match="is a file"):
            attempt()


def test_a_seed_has_32_bytes_and_an_id_at_least_8(home: Home) -> None:
    for size in (0, 31, 33):
        with pytest.raises(ValueError, match="32 bytes"):
            home.create_offer(OFFER_ID, 0, bytes(size))
    with pytest.raises(ValueError, match="too short"):
        home.create_offer(b"short", 0, SEED)
    for seat in (-1, 256):
        with pytest.raises(ValueError, match=r"outside 0\.\.255"):
            home.create_offer(OFFER_ID, seat, SEED)
    assert not home.path.exists() or everything(home.path) == ["offers", "tables", "transcripts"]


def test_seeds_are_fresh() -> None:
    seeds = {new_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert {len(seed) for seed in seeds} == {32}


# ------------------------------------------------------------------------------------------------- life of a table


def test_from_offer_to_transcript(home: Home) -> None:
    with home.create_offer(OFFER_ID, 0, SEED) as folder:
        assert folder.is_offer
        assert (folder.path / "seed").read_bytes() == folder.seed == SEED
        folder.journal.append(Kind.OWN, b"offer")
        folder.become_table(TABLE_ID)
        assert folder.path.parent == home.tables
        assert (folder.table, folder.seat) == (TABLE_ID[:8].hex(), 0)
        folder.journal.append(Kind.RECEIVED, b"join")
    (table,) = home.unfinished()
    assert (table.path, table.table, table.seat) == (folder.path, TABLE_ID[:8].hex(), 0)
    assert not table.is_offer
    assert abs(table.began - time.time()) < 100
    assert table.began <= table.changed
    records = (Record(Kind.OWN, b"offer"), Record(Kind.RECEIVED, b"join"))
    assert journal.read(table.journal) == records
    with home.open(table) as folder:
        assert folder.seed == SEED
        assert folder.journal.records == records
        path = folder.finish(iter(ENTRIES))
    assert transcript.read(path) == ENTRIES
    assert home.unfinished() == []
    (finished,) = home.finished()
    assert (finished.path, finished.table, finished.seat) == (path, TABLE_ID[:8].hex(), 0)
    assert abs(finished.stored - time.time()) < 100
    assert home.transcript_of(TABLE_ID[:8].hex(), 0) == path
    assert home.transcript_of(TABLE_ID[:8].hex(), 1) is None


def test_errors_after_the_move_name_the_new_place(home: Home) -> None:
    with home.create_offer(OFFER_ID, 0, SEED) as folder:
        folder.become_table(TABLE_ID)
        assert (
            folder.journal.path == folder.path / "journal" == home.tables / "2021222324252627-0" / "journal"
        )
        assert folder.journal.path.exists()


def test_a_move_is_on_disk_before_anything_is_answered(home: Home) -> None:
    with home.create_offer(OFFER_ID, 0, SEED) as folder, pytest.MonkeyPatch.context() as patch:
        synced: list[tuple[Path, list[str]]] = []
        patch.setattr("bcnet.home.sync_folder", lambda path: synced.append((path, everything(home.tables))))
        folder.become_table(TABLE_ID)
    moved = [path for path, tables in synced if "2021222324252627-0" in tables]
    assert moved == [home.tables, home.offers]


def test_the_seed_is_on_disk_before_the_folder_can_be_seen(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    rename, fsync = Path.rename, os.fsync

    def watched_fsync(fd: int) -> None:
        fsync(fd)
        if stat.S_ISREG(os.fstat(fd).st_mode):
            steps.append("file synced")

    def watched_rename(source: Path, target: Path) -> Path:
        assert (source / "seed").read_bytes() == SEED
        assert (source / "journal").exists()
        steps.append(target.name)
        return rename(source, target)

    monkeypatch.setattr(os, "fsync", watched_fsync)
    monkeypatch.setattr(Path, "rename", watched_rename)
    home.create_offer(OFFER_ID, 0, SEED).close()
    assert steps == ["file synced", "file synced", "0001020304050607-0"]


def test_a_table_is_never_begun_twice(home: Home) -> None:
    with home.create_table(TABLE_ID, 0, SEED) as folder:
        folder.journal.append(Kind.OWN, b"first time")
        with pytest.raises(
            StorageError, match=r"2021222324252627 \(seat 0\) is known here already"
        ) as caught:
            home.create_table(TABLE_ID, 0, new_seed())
        assert caught.value.hint
        with home.create_offer(OFFER_ID, 0, new_seed()) as offer:
            with pytest.raises(StorageError, match="is known here already"):
                offer.become_table(TABLE_ID)
            assert offer.is_offer
            offer.remove()
        folder.finish(ENTRIES)
    with pytest.raises(StorageError, match="is known here already"):
        home.create_table(TABLE_ID, 0, new_seed())
    with home.create_offer(OFFER_ID, 0, new_seed()) as offer:
        with pytest.raises(StorageError, match="is known here already"):
            offer.become_table(TABLE_ID)
        offer.become_table(OTHER_ID)
        with pytest.raises(ValueError, match="is a table already"):
            offer.become_table(OTHER_ID)


def test_an_offer_is_never_made_twice(home: Home) -> None:
    known = r"Offer 0001020304050607 \(seat 0\) is known here already"
    with home.create_offer(OFFER_ID, 0, SEED), pytest.raises(StorageError, match=known):
        home.create_offer(OFFER_ID, 0, new_seed())
    with pytest.raises(StorageError, match=known):
        home.create_offer(OFFER_ID, 0, new_seed())
    assert (home.offers / "0001020304050607-0" / "seed").read_bytes() == SEED
    assert len(list(home.offers.iterdir())) == 1


def test_one_person_may_hold_both_seats(home: Home) -> None:
    with home.create_table(TABLE_ID, 0, SEED) as host, home.create_table(TABLE_ID, 1, OTHER_ID) as guest:
        host.journal.append(Kind.OWN, b"host")
        guest.journal.append(Kind.OWN, b"guest")
        assert {each.seat for each in home.unfinished()} == {0, 1}
        assert host.finish(ENTRIES) != guest.finish(ENTRIES)
    first, second = home.finished()
    assert first.path.read_bytes() == second.path.read_bytes()


def test_finishing_again_after_a_crash_in_between(home: Home) -> None:
    """The transcript is stored, the folder not yet removed: nothing is lost and nothing doubled."""
    with home.create_table(TABLE_ID, 0, SEED) as folder:
        day = "2001-02-03"  # it may also have been written under another date: the clock was set, say
        transcript.write(home.transcripts / f"{day}-{folder.path.name}.bct", ENTRIES)
    (table,) = home.unfinished()
    with home.open(table) as folder, pytest.raises(StorageError, match="There is another file"):
        folder.finish([*ENTRIES, b"more"])
    with home.open(table) as folder:
        assert folder.finish(ENTRIES).name == f"{day}-2021222324252627-0.bct"
    assert (home.unfinished(), len(home.finished())) == ([], 1)


def test_an_offer_has_no_transcript(home: Home) -> None:
    with home.create_offer(OFFER_ID, 0, SEED) as folder, pytest.raises(ValueError, match="no table id"):
        folder.finish(ENTRIES)


def test_what_is_removed_is_gone(home: Home) -> None:
    with home.create_table(TABLE_ID, 0, SEED) as folder:
        folder.remove()
        with pytest.raises(ValueError, match="closed"):
            folder.journal.append(Kind.OWN, b"late")
    assert everything(home.path) == ["offers", "tables", "transcripts"]
    home.create_table(TABLE_ID, 0, SEED).close()


@pytest.mark.parametrize("step", ["pathlib.Path.rename", "bcnet.home.sync_folder"])
def test_a_removal_that_fails_can_be_tried_again(home: Home, step: str) -> None:
    def fails(*_: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with home.create_table(TABLE_ID, 0, SEED) as folder:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(step, fails)
            with pytest.raises(StorageError, match=r"Cannot remove .*: the disk reports an error"):
                folder.finish(ENTRIES)
        assert transcript.read(folder.finish(ENTRIES)) == ENTRIES
    assert (home.unfinished(), len(home.finished())) == ([], 1)


def test_lists_are_in_the_order_of_time_and_pass_over_what_is_not_ours(home: Home) -> None:
    for age, each in ((1, OFFER_ID), (3, TABLE_ID), (2, OTHER_ID)):
        with home.create_table(each, 0, SEED) as folder:
            then = time.time() - age * 1000
            os.utime(folder.path / "seed", (then, then))
    assert [each.table[:2] for each in home.unfinished()] == ["20", "40", "00"]
    for table in home.unfinished():
        with home.open(table) as folder:
            path = folder.finish(ENTRIES)
        os.utime(path, (table.began, table.began))
    assert [each.table[:2] for each in home.finished()] == ["20", "40", "00"]
    (home.transcripts / "notes.txt").write_text("mine")
    (home.transcripts / "2026-01-01-4041424344454647-0.bct.bak").write_text("mine")
    (home.tables / "notes").mkdir()
    (home.tables / "4041424344454647-9").write_text("mine")
    (home.offers / "4041424344454647-9").write_text("mine")
    assert len(home.finished()) == 3
    assert home.unfinished() == []
    home.sweep()
    assert (home.tables / "notes").exists()
    assert (home.offers / "4041424344454647-9").exists()


# ------------------------------------------------------------------------------------------------------ damage


@pytest.mark.parametrize("seed", [b"", SEED[:-1], SEED + b"x"])
def test_a_damaged_seed(home: Home, seed: bytes) -> None:
    home.create_table(TABLE_ID, 0, SEED).close()
    (table,) = home.unfinished()
    (table.path / "seed").write_bytes(seed)
    with pytest.raises(UnreadableError, match=f"{len(seed)} bytes where 32 belong") as caught:
        home.open(table)
    assert caught.value.hint
    assert SEED.hex()[:8] not in repr(caught.value.values)


@pytest.mark.parametrize("name", ["seed", "journal"])
def test_a_missing_file_is_not_made_anew(home: Home, name: str) -> None:
    home.create_table(TABLE_ID, 0, SEED).close()
    (table,) = home.unfinished()
    (table.path / name).unlink()
    with pytest.raises(StorageError, match=name):
        home.open(table)
    assert not (table.path / name).exists()


def test_a_damaged_journal_keeps_its_folder_closed_and_unlocked(home: Home) -> None:
    home.create_table(TABLE_ID, 0, SEED).close()
    (table,) = home.unfinished()
    sound = table.journal.read_bytes()
    table.journal.write_bytes(b"?" + sound[1:])
    for _ in range(2):
        with pytest.raises(UnreadableError, match="is not a bcnet journal"):
            home.open(table)
    table.journal.write_bytes(sound)
    home.open(table).close()


def test_a_table_that_was_removed_meanwhile(home: Home) -> None:
    home.create_table(TABLE_ID, 0, SEED).close()
    (table,) = home.unfinished()
    with home.open(table) as folder:
        folder.remove()
    with pytest.raises(StorageError, match="there is no such file or folder"):
        home.open(table)


def test_nothing_shows_a_seed(home: Home) -> None:
    with home.create_table(TABLE_ID, 0, SEED) as folder:
        shown = f"{folder!r} {folder} {home.unfinished()}"
        assert SEED.hex()[:8] not in shown
        assert repr(SEED)[2:10] not in shown


# --------------------------------------------------------------------------------------------------- spent offers


def test_an_offer_is_spent_once_for_each_seat_and_that_survives(home: Home) -> None:
    with home.create_offer(OFFER_ID, 0, SEED) as folder:
        assert folder.spent == frozenset()
        folder.spend(2)
        with pytest.raises(ValueError, match="given before"):
            folder.spend(2)
        folder.spend(1)
        assert folder.spent == {1, 2}
    (table,) = home.unfinished()
    assert table.is_offer
    with home.open(table) as folder:
        assert folder.spent == {1, 2}
        with pytest.raises(ValueError, match="given before"):
            folder.spend(1)
        folder.become_table(TABLE_ID)
        assert folder.spent == {1, 2}
    assert [each.is_offer for each in home.unfinished()] == [False]


def test_an_offer_that_nobody_was_answered_on_is_not_there_after_a_restart(home: Home) -> None:
    with home.create_offer(OFFER_ID, 0, SEED) as folder:
        folder.journal.append(Kind.OWN, b"offer")
        home.sweep()
        assert folder.path.exists(), "it is still open"
    assert home.unfinished() == []
    home.sweep()
    assert not folder.path.exists()


def test_sweeping_never_touches_what_can_be_resumed(home: Home) -> None:
    with home.create_offer(OFFER_ID, 0, SEED) as folder:
        folder.spend(1)
    home.create_table(TABLE_ID, 1, SEED).close()
    with home.create_table(OTHER_ID, 1, SEED) as folder:
        folder.finish(ENTRIES)
    home.identity()
    before = everything(home.path)
    home.sweep()
    assert everything(home.path) == before


def test_sweeping_does_not_even_lock_what_can_be_resumed(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else somebody who resumes it at this moment would be told that it is in use."""
    with home.create_offer(OFFER_ID, 0, SEED) as folder:
        folder.spend(1)
    home.create_table(TABLE_ID, 1, SEED).close()
    locked: list[Path] = []
    monkeypatch.setattr("bcnet.home.FolderLock", lambda path, _: locked.append(path))
    home.sweep()
    assert locked == []


def test_an_offer_that_is_answered_just_before_the_sweep_stays(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.create_offer(OFFER_ID, 0, SEED).close()
    path = home.offers / "0001020304050607-0"

    def locked_late(folder: Path, what: str) -> FolderLock:
        (folder / "spent-1").touch()  # its process answers a join, and dies
        return FolderLock(folder, what)

    monkeypatch.setattr("bcnet.home.FolderLock", locked_late)
    home.sweep()
    assert path.exists()


def test_sweeping_takes_what_crashes_left(home: Home) -> None:
    home.prepare()
    for parent in (home.offers, home.tables):
        for name in (".new-0123", ".old-0123"):
            (parent / name).mkdir()
            for inside in ("seed", "spent-1", "lock"):
                (parent / name / inside).write_text("x")
    old, new = home.transcripts / ".new-1", home.path / ".new-2"
    for each in (old, new):
        each.write_text("half")
    os.utime(old, (1, 1))
    home.sweep()
    assert everything(home.path) == [".new-2", "offers", "tables", "transcripts"]


# ------------------------------------------------------------------------------------------------- two processes

HOLD = """
import sys
from pathlib import Path
from bcnet.home import Home, new_seed
from bcnet.journal import Kind
home = Home(Path(sys.argv[1]))
offer = home.create_offer(bytes(range(32)), 0, new_seed())
table = home.create_table(bytes(range(32, 64)), 0, new_seed())
table.journal.append(Kind.OWN, b"by the other process")
print("open", flush=True)
sys.stdin.readline()
print("never printed")
"""


def test_a_table_in_another_process(home: Home) -> None:
    with python(HOLD, home.path) as other:
        assert line(other) == "open"
        (table,) = home.unfinished()
        with pytest.raises(
            FolderInUse, match=rf"Table 2021222324252627 \(seat 0\) is open .*process {other.pid}"
        ) as caught:
            home.open(table)
        assert caught.value.hint
        home.sweep()
        assert (home.offers / "0001020304050607-0").exists(), "an open offer is nobody's to remove"
        assert [each.data for each in journal.read(table.journal)] == [b"by the other process"]
        other.kill()
        other.wait()
        with home.open(table) as folder:
            assert [each.data for each in folder.journal.records] == [b"by the other process"]
        home.sweep()
        assert list(home.offers.iterdir()) == []


BUSY = """
import sys
from pathlib import Path
from bcnet.home import Home, new_seed
home = Home(Path(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
for number in range(60):
    home.sweep()
    with home.create_offer(new_seed(), 0, new_seed()) as folder:
        home.sweep()
        if number % 3 == 0:
            folder.remove()
        elif number % 3 == 1:
            folder.become_table(new_seed())
            folder.finish([b"offer", b"join"])
    home.unfinished(), home.finished()
print(home.identity().public.hex())
"""


def test_processes_that_share_a_home_do_not_disturb_each_other(home: Home) -> None:
    with python(BUSY, home.path) as a, python(BUSY, home.path) as b, python(BUSY, home.path) as c:
        everyone = (a, b, c)
        assert [line(each) for each in everyone] == ["ready"] * 3
        for each in everyone:
            say(each)
        assert {line(each) for each in everyone} == {home.identity().public.hex()}
        assert [each.wait() for each in everyone] == [0, 0, 0]
    home.sweep()
    assert list(home.offers.iterdir()) == []
    assert home.unfinished() == []
    assert len(home.finished()) == 60
