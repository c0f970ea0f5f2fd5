"""Durable writes and locks."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from bcnet import files
from bcnet.errors import StorageError
from bcnet.files import FolderInUse, FolderLock, SecretLock, storage_error, write_new, write_over
from tests.storage.processes import line, python, run, say

PASSING = files.passing_folder
"""As it is outside of tests: other processes look there."""

HOLD_LOCK = """
import sys
from pathlib import Path
from bcnet.files import FolderLock
lock = FolderLock(Path(sys.argv[1]), "Table 1")
print("locked", flush=True)
sys.stdin.read()
"""


def test_a_file_is_written_whole_and_for_its_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        write_new(tmp_path / "file", [b"one ", b"two"])
    finally:
        os.umask(before)
    assert (tmp_path / "file").read_bytes() == b"one two"
    assert (tmp_path / "file").stat().st_mode & 0o7777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_file_is_replaced_whole_and_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"what stood there before")
    with path.open("rb") as reader:
        write_over(path, [b"one ", b"two"])
        assert reader.read() == b"what stood there before"  # who reads it has it whole
    assert path.read_bytes() == b"one two"
    assert path.stat().st_mode & 0o7777 == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["file"]
    write_over(tmp_path / "new", [b"three"])
    assert (tmp_path / "new").read_bytes() == b"three"


@pytest.mark.parametrize("step", ["write", "fsync", "replace"])
def test_a_file_that_cannot_be_replaced_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "file"
    path.write_bytes(b"before")
    monkeypatch.setattr(os, step, full)
    with pytest.raises(OSError, match="No space"):
        write_over(path, [b"after"])
    assert path.read_bytes() == b"before"
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("kind", ["file", "folder", "dangling link"])
def test_nothing_is_ever_replaced(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "taken"
    if kind == "file":
        path.write_bytes(b"mine")
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("nowhere")
    before = path.lstat()
    with pytest.raises(FileExistsError):
        write_new(path, [b"other"])
    assert path.lstat() == before
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


def test_nothing_is_replaced_where_there_are_no_hard_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*_: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    write_new(tmp_path / "file", [b"one"])
    with pytest.raises(FileExistsError):
        write_new(tmp_path / "file", [b"two"])
    assert (tmp_path / "file").read_bytes() == b"one"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("step", ["write", "fsync", "link"])
def test_a_failed_write_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    def fails(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, step, fails)
    with pytest.raises(OSError, match="No space"):
        write_new(tmp_path / "file", [b"one"])
    assert list(tmp_path.iterdir()) == []


def test_the_bytes_are_on_disk_before_the_name_and_the_name_before_the_return(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    fsync, link = os.fsync, os.link

    def watched_fsync(fd: int) -> None:
        steps.append("folder" if stat.S_ISDIR(os.fstat(fd).st_mode) else "file")
        fsync(fd)

    def watched_link(source: Path, target: Path) -> None:
        steps.append("name")
        link(source, target)

    monkeypatch.setattr(os, "fsync", watched_fsync)
    monkeypatch.setattr(os, "link", watched_link)
    write_new(tmp_path / "file", [b"one"])
    assert steps == ["file", "name", "folder"]


@pytest.mark.parametrize("number", sorted(errno.errorcode))
def test_every_refusal_of_the_system_says_what_where_and_what_next(number: int) -> None:
    error = storage_error("write", Path("/some/{where}"), OSError(number, os.strerror(number)))
    assert "Cannot write /some/{where}: " in error.message
    assert error.hint


def test_one_lock_a_folder(tmp_path: Path) -> None:
    lock = FolderLock(tmp_path, "Table 1")
    with pytest.raises(FolderInUse, match=rf"Table 1 is open .*process {os.getpid()}"):
        FolderLock(tmp_path, "Table 1")
    lock.release()
    lock.release()
    FolderLock(tmp_path, "Table 1").release()


def test_the_lock_of_another_process(tmp_path: Path) -> None:
    with python(HOLD_LOCK, tmp_path) as other:
        assert line(other) == "locked"
        with pytest.raises(FolderInUse, match=rf"Table 1 is open .*process {other.pid}\)") as caught:
            FolderLock(tmp_path, "Table 1")
        assert caught.value.hint
        assert isinstance(caught.value, StorageError)
        # The file alone means nothing: whoever is killed leaves it, and it hinders nobody.
        other.kill()
        other.wait()
        assert (tmp_path / "lock").exists()
        FolderLock(tmp_path, "Table 1").release()


def test_the_lock_follows_a_renamed_folder(tmp_path: Path) -> None:
    (tmp_path / "offer").mkdir()
    lock = FolderLock(tmp_path / "offer", "Table 1")
    (tmp_path / "offer").rename(tmp_path / "table")
    with pytest.raises(FolderInUse):
        FolderLock(tmp_path / "table", "Table 1")
    lock.release()


def test_programs_that_we_start_do_not_keep_the_lock(tmp_path: Path) -> None:
    lock = FolderLock(tmp_path, "Table 1")
    with python("import sys; print('up', flush=True); sys.stdin.read()") as other:
        assert line(other) == "up"
        lock.release()
        FolderLock(tmp_path, "Table 1").release()


def test_a_lock_in_a_folder_that_was_removed_meanwhile_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    flock = fcntl.flock

    def slow_flock(fd: int, operation: int) -> None:
        (tmp_path / "lock").unlink()  # the one who had it before us removes the folder, and lets go
        (tmp_path / "lock").touch()
        flock(fd, operation)

    monkeypatch.setattr(fcntl, "flock", slow_flock)
    with pytest.raises(FileNotFoundError):
        FolderLock(tmp_path, "Table 1")


def test_a_lock_needs_no_room_on_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "pwrite", full)
    FolderLock(tmp_path, "Table 1").release()


def test_two_writers_at_the_same_moment_make_one_file(tmp_path: Path) -> None:
    code = """
import sys
from pathlib import Path
from bcnet.files import write_new
path, mine = Path(sys.argv[1]), sys.argv[2].encode()
print("ready", flush=True)
sys.stdin.readline()
for number in range(50):
    try:
        write_new(path / str(number), [mine])
        print(number, end=" ")
    except FileExistsError:
        pass
"""
    with python(code, tmp_path, "a") as first, python(code, tmp_path, "b") as second:
        for process in (first, second):
            assert line(process) == "ready"
        for process in (first, second):
            assert process.stdin
            process.stdin.write("go\n")
            process.stdin.flush()
        won = {name: set(process.communicate()[0].split()) for name, process in (("a", first), ("b", second))}
    assert won["a"] | won["b"] == {str(number) for number in range(50)}
    assert not won["a"] & won["b"]
    for name, numbers in won.items():
        assert all((tmp_path / number).read_text() == name for number in numbers)


def test_importing_storage_needs_no_network_library() -> None:
    modules = run("import sys, bcnet.home; print(*sys.modules)").split()
    assert not {"grpc", "asyncio", "prompt_toolkit"} & set(modules)


SECRET = """
import sys
from bcnet.files import SecretLock
lock = SecretLock(bytes.fromhex(sys.argv[1]), "Table 1")
print("locked", flush=True)
sys.stdin.readline()
lock.release()
print("released", flush=True)
sys.stdin.readline()
"""


def test_a_secret_is_locked_wherever_its_copies_lie(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """By process: this one is refused as long as the other has it, however that one ends."""
    monkeypatch.setattr(files, "passing_folder", PASSING)
    secret = os.urandom(32)
    with python(SECRET, secret.hex()) as other:
        assert line(other) == "locked"
        with pytest.raises(FolderInUse, match="Table 1 is played by another bcnet"):
            SecretLock(secret, "Table 1")
        SecretLock(os.urandom(32), "Table 2").release()
        say(other)
        assert line(other) == "released"
        SecretLock(secret, "Table 1").release()
    with python(SECRET, secret.hex()) as other:
        assert line(other) == "locked"
        other.kill()
        other.wait()
        SecretLock(secret, "Table 1").release()


def test_no_lock_where_there_can_be_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It is a help against an accident: nobody is kept from playing because it is not to be had."""
    for place in (tmp_path / "no" / "folder", tmp_path / "file"):
        (tmp_path / "file").write_text("mine")
        monkeypatch.setattr(files, "passing_folder", lambda place=place: place)
        SecretLock(bytes(32), "Table 1").release()
    assert (tmp_path / "file").read_text() == "mine"
