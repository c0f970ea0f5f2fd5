"""Full disks, kill -9 and file systems that cannot be written: with real ones."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from bcnet import journal, transcript
from bcnet.errors import StorageError
from bcnet.home import Home, new_seed
from bcnet.journal import Journal, Kind
from tests.storage.processes import run

OFFER_ID, TABLE_ID = bytes(range(32)), bytes(range(32, 64))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 256 KiB of its own."""
    path = tmp_path / "disk"
    path.mkdir()
    mount = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k,mode=700", "tmpfs", str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    if mount.returncode:
        pytest.skip(f"NOT TESTED: a full disk. Mounting a small tmpfs needs root: {mount.stderr.strip()}")
    try:
        yield path
    finally:
        subprocess.run(["umount", str(path)], check=True)


def fill(disk: Path) -> Path:
    """Use up the last byte."""
    filler = disk / "filler"
    with pytest.raises(OSError, match="No space"), filler.open("wb", buffering=0) as file:  # noqa: PT012
        while True:
            file.write(bytes(4096))
    return filler


def test_a_game_waits_while_the_disk_is_full_and_goes_on(small_disk: Path) -> None:
    home = Home(small_disk / "home")
    with home.create_table(TABLE_ID, 0, new_seed()) as folder:
        folder.journal.append(Kind.OWN, b"before")
        path = folder.path / "journal"
        size = path.stat().st_size
        filler = fill(small_disk)
        for _ in range(3):
            with pytest.raises(
                StorageError, match=f"Cannot write the journal {path}: the disk is full"
            ) as caught:
                folder.journal.append(Kind.OWN, b"x" * 9000)
            assert "Make room" in caught.value.hint
        assert path.stat().st_size == size
        filler.unlink()
        folder.journal.append(Kind.OWN, b"x" * 9000)
        folder.journal.append(Kind.RECEIVED, b"after")
    records = journal.read(path)
    assert [record.data for record in records] == [b"before", b"x" * 9000, b"after"]


def test_a_table_on_a_full_disk_is_opened_and_closed_without_loss(small_disk: Path) -> None:
    home = Home(small_disk / "home")
    with home.create_table(TABLE_ID, 0, new_seed()) as folder:
        folder.journal.append(Kind.OWN, b"before")
    (table,) = home.unfinished()
    fill(small_disk)
    with home.open(table) as folder:
        assert [record.data for record in folder.journal.records] == [b"before"]
        with pytest.raises(StorageError, match="full"):
            folder.finish([b"x" * 5000])
    assert home.unfinished() == [table]
    assert home.finished() == []


def test_nothing_begins_on_a_full_disk_and_nothing_is_left_of_the_attempt(small_disk: Path) -> None:
    home = Home(small_disk / "home")
    home.prepare()
    filler = fill(small_disk)
    for attempt in (
        home.identity,
        lambda: home.create_offer(OFFER_ID, 0, new_seed()),
        lambda: home.create_table(TABLE_ID, 1, new_seed()),
        lambda: transcript.write(home.transcripts / "it.bct", [b"x" * 5000]),
    ):
        with pytest.raises(StorageError, match="the disk is full") as caught:
            attempt()
        assert "Make room" in caught.value.hint
    assert [path for path in home.path.rglob("*") if path.is_file()] == []
    assert list(home.offers.iterdir()) == list(home.tables.iterdir()) == []
    filler.unlink()
    identity = home.identity()
    assert home.identity().public == identity.public
    home.create_offer(OFFER_ID, 0, new_seed()).close()


def test_a_torn_end_is_mended_on_a_full_disk(small_disk: Path) -> None:
    path = small_disk / "journal"
    Journal.create(path)
    with Journal(path) as it:
        it.append(Kind.OWN, b"whole")
        it.append(Kind.OWN, b"y" * 5000)
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size - 4500)
    filler = fill(small_disk)
    with Journal(path) as it:
        assert [record.data for record in it.records] == [b"whole"]
        filler.unlink()
        it.append(Kind.OWN, b"again")


def test_a_limit_on_the_size_of_files(tmp_path: Path) -> None:
    """The same with RLIMIT_FSIZE, which needs no root: the write that crosses it is cut, the next one refused."""
    output = run(
        """
import resource, sys
from pathlib import Path
from bcnet.errors import StorageError
from bcnet.journal import Journal, Kind, read
path = Path(sys.argv[1])
Journal.create(path)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
with Journal(path) as it:
    it.append(Kind.OWN, b"a" * 500)
    for _ in range(2):
        try:
            it.append(Kind.OWN, b"b" * 600)
        except StorageError as error:
            print(error.message, "|", error.hint)
            print([len(record.data) for record in read(path)])
    resource.setrlimit(resource.RLIMIT_FSIZE, (5000, resource.RLIM_INFINITY))
    it.append(Kind.OWN, b"b" * 600)
print([len(record.data) for record in read(path)])
""",
        tmp_path / "journal",
    )
    refusal = f"Cannot write the journal {tmp_path}/journal: the file may not grow any further."
    hint = "Raise the limit (ulimit -f) or make room."
    assert output.splitlines() == [f"{refusal} | {hint}", "[500]"] * 2 + ["[500, 600]"]


# --------------------------------------------------------------------------------------------------- kill -9

# Each round, a child opens the journal and appends numbered records, in writes of a few bytes each, telling after
# each append; then it is killed. What was told must be there, in order, with at most one record more.
KILL = """
import os, random, signal, sys, time
from pathlib import Path
from bcnet.journal import Journal, Kind, read

path, rounds, seconds = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
rng = random.Random(4680)
whole_write = os.write
Journal.create(path)
stored = torn = 0
stop = time.monotonic() + seconds
for number in range(rounds):
    if time.monotonic() > stop:
        break
    told_end, child_end = os.pipe()
    size = rng.randrange(1, 9)
    child = os.fork()
    if not child:
        os.write = lambda fd, data: whole_write(fd, data[:size])
        with Journal(path) as it:
            while True:
                count = len(it.records)
                for index in range(count, 10**9):
                    it.append(Kind.OWN, b"record %d " % index + bytes(index * 37 % 600))
                    whole_write(child_end, b"%d\\n" % index)
    os.close(child_end)
    os.read(told_end, 1)
    time.sleep(rng.random() * 0.005)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    told = b""
    while piece := os.read(told_end, 1 << 16):
        told += piece
    os.close(told_end)
    last = int(told.rsplit(b"\\n", 2)[-2].strip() or stored) if b"\\n" in told[:-1] else stored
    records = read(path)
    for index, record in enumerate(records):
        assert record.data == b"record %d " % index + bytes(index * 37 % 600), index
    assert last + 1 <= len(records) <= last + 2, (last, len(records))
    with Journal(path) as it:
        torn += it.torn > 0
        assert it.records == records
    stored = len(records)
    if stored > 300:  # keep the rounds short
        path.unlink()
        Journal.create(path)
        stored = 0
print(number + 1, torn)
"""


@pytest.mark.slow
def test_hundreds_of_kills_in_the_middle_of_appends_lose_nothing(tmp_path: Path) -> None:
    rounds, torn = map(int, run(KILL, tmp_path / "journal", 300, 40).split())
    assert rounds >= 200
    assert torn >= 10, "too few kills have hit a write for this test to mean much"


KILL_HOME = """
import os, random, signal, sys, time
from pathlib import Path
from bcnet.home import Home, new_seed
from bcnet.journal import Kind, read

rng = random.Random(4680)
for number in range(int(sys.argv[2])):
    home = Home(Path(sys.argv[1]) / str(number % 10))
    told_end, child_end = os.pipe()
    child = os.fork()
    if not child:
        os.write(child_end, home.identity().public)
        while True:
            with home.create_offer(new_seed(), 0, new_seed()) as folder:
                folder.journal.append(Kind.OWN, b"offer")
                table = new_seed()
                folder.become_table(table)
                folder.journal.append(Kind.RECEIVED, b"join")
                os.write(child_end, table)
                folder.finish([b"offer", b"join", folder.seed])
                os.write(child_end, table)
    os.close(child_end)
    told = os.read(told_end, 32)
    time.sleep(rng.random() * 0.03)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while piece := os.read(told_end, 1 << 16):
        told += piece
    os.close(told_end)
    assert home.identity().public == told[:32]
    tables = [told[at : at + 8].hex() for at in range(32, len(told), 32)]
    finished = {each.table for each in home.finished()}
    unfinished = {each.table: each for each in home.unfinished()}
    begun = set(tables)
    assert {table for table in begun if tables.count(table) == 2} <= finished
    assert begun <= finished | set(unfinished)
    home.sweep()
    assert set(each.table for each in home.unfinished()) == set(unfinished)
    assert not list(home.offers.iterdir())
    for each in home.unfinished():
        with home.open(each) as folder:
            data = [record.data for record in folder.journal.records]
            assert data[:1] == [b"offer"] and len(folder.seed) == 32, data
            folder.finish([b"offer", b"join", folder.seed])
    assert not home.unfinished() and not list(home.tables.iterdir())
print("ok")
"""


@pytest.mark.slow
def test_a_hundred_kills_between_offer_and_transcript_leave_no_table_behind(tmp_path: Path) -> None:
    assert run(KILL_HOME, tmp_path, 100) == "ok\n"
