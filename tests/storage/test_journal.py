"""The journal: its form, and what every kind of damage does."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bcnet import entry, files, journal, transcript
from bcnet.errors import StorageError, UnreadableError
from bcnet.journal import Journal, Kind, Record

HEADER_SIZE = len(b"bcnet journal 1\n") + 16
FRAME_SIZE = 29
RECORDS = [
    Record(Kind.OWN, b"offer"),
    Record(Kind.RECEIVED, b"j"),
    Record(Kind.NOTE, bytes(range(30))),
    Record(Kind.OWN, b"ready of seat 0"),
]
records_of_any_kind = st.lists(
    st.builds(Record, st.sampled_from(Kind), st.binary(min_size=1, max_size=200)), max_size=8
)


def make(path: Path, records: list[Record]) -> bytes:
    """A journal with ``records``; its bytes."""
    Journal.create(path)
    with Journal(path) as it:
        for record in records:
            it.append(record.kind, record.data)
    return path.read_bytes()


def ends(records: list[Record]) -> list[int]:
    """Where each record ends, the header first."""
    offsets = [HEADER_SIZE]
    for record in records:
        offsets.append(offsets[-1] + FRAME_SIZE + len(record.data))
    return offsets


def reopened(path: Path, data: bytes) -> list[Record]:
    """What is found when the file holds ``data``; that it can be written on, and that a reader sees the same."""
    path.write_bytes(data)
    seen = list(journal.read(path))
    assert path.read_bytes() == data, "reading changes nothing"
    with Journal(path) as it:
        found = list(it.records)
        assert it.torn == len(data) - ends(found)[-1]
        it.append(Kind.OWN, b"one more")
    assert list(journal.read(path)) == [*found, Record(Kind.OWN, b"one more")]
    assert seen == found
    return found


def refused(path: Path, data: bytes) -> UnreadableError:
    """The error for a file with ``data``, which stays as it is."""
    path.write_bytes(data)
    with pytest.raises(UnreadableError) as caught:
        Journal(path)
    with pytest.raises(UnreadableError, match=r"."):
        journal.read(path)
    assert path.read_bytes() == data, "what is damaged is left alone"
    assert caught.value.hint
    assert str(path) in caught.value.message
    return caught.value


@contextmanager
def no_sync() -> Iterator[None]:
    """Thousands of openings, and no power cut to fear."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(journal, "sync", lambda _: None)
        patch.setattr(os, "fsync", lambda _: None)
        yield


def test_what_was_appended_comes_back_in_order(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    data = make(path, RECORDS)
    assert data.startswith(b"bcnet journal 1\n")
    assert len(data) == ends(RECORDS)[-1]
    with Journal(path) as it:
        assert list(it.records) == RECORDS
        assert it.torn == 0
    assert path.stat().st_mode & 0o7777 == 0o600


def test_every_transcript_fits_into_a_journal() -> None:
    assert journal.MAX_RECORD_SIZE == entry.MAX_ENTRY
    assert journal.MAX_SIZE <= transcript.MAX_SIZE, "and what fits into a journal fits into a transcript"


@given(records_of_any_kind, records_of_any_kind)
def test_it_goes_on_where_it_ended(
    tmp_path_factory: pytest.TempPathFactory, first: list[Record], then: list[Record]
) -> None:
    path = tmp_path_factory.mktemp("journal") / "journal"
    with no_sync():
        make(path, first)
        with Journal(path) as it:
            assert list(it.records) == first
            for record in then:
                it.append(record.kind, record.data)
    assert list(journal.read(path)) == first + then


def test_each_record_is_on_disk_before_append_returns(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    steps: list[str] = []
    write, sync = os.write, files.sync

    def watched_write(fd: int, data: bytes) -> int:
        steps.append("write")
        return write(fd, data)

    def watched_sync(fd: int) -> None:
        steps.append("sync")
        sync(fd)

    Journal.create(path)
    with pytest.MonkeyPatch.context() as patch, Journal(path) as it:
        patch.setattr(os, "write", watched_write)
        patch.setattr(journal, "sync", watched_sync)
        for _ in range(3):
            it.append(Kind.OWN, b"said")
            steps.append("sent")
    assert steps == ["write", "sync", "sent"] * 3


def test_what_a_killed_program_left_unsynced_is_synced_before_it_counts(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    make(path, RECORDS)
    synced: list[int] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(journal, "sync", synced.append)
        with Journal(path):
            assert synced


# ------------------------------------------------------------------------------------------------------ damage


def test_cut_anywhere_only_the_last_record_is_lost(tmp_path: Path) -> None:
    data = make(tmp_path / "made", RECORDS)
    with no_sync():
        for size in range(HEADER_SIZE, len(data)):
            whole = sum(end <= size for end in ends(RECORDS)[1:])
            assert reopened(tmp_path / "cut", data[:size]) == RECORDS[:whole]


def test_a_cut_header_is_no_torn_record(tmp_path: Path) -> None:
    data = make(tmp_path / "made", RECORDS)
    for size in range(HEADER_SIZE):
        refused(tmp_path / "cut", data[:size])


def test_a_tail_of_zeros_or_old_bytes_after_a_power_cut_is_dropped(tmp_path: Path) -> None:
    """The file has its new length, but only a part of the new bytes, or none, have reached the disk."""
    data = make(tmp_path / "made", RECORDS)
    start, end = ends(RECORDS)[-2:]
    with no_sync():
        for size in range(start, end):
            for rest in (bytes(end - size), b"\xa5" * (end - size), os.urandom(end - size)):
                torn = data[:size] + rest
                expected = RECORDS if torn == data else RECORDS[:-1]
                assert reopened(tmp_path / "torn", torn) == expected
        # The other way round: the later page of the record is there, the earlier one is not.
        for size in range(start + 1, end):
            torn = data[:start] + bytes(size - start) + data[size:]
            assert reopened(tmp_path / "torn", torn) == RECORDS[:-1]


def test_a_torn_first_record_is_dropped(tmp_path: Path) -> None:
    data = make(tmp_path / "made", RECORDS[:1])
    with no_sync():
        for size in range(HEADER_SIZE, len(data)):
            assert reopened(tmp_path / "torn", data[:size] + bytes(len(data) - size)) == []


def test_no_flipped_bit_costs_an_earlier_record(tmp_path: Path) -> None:
    data = make(tmp_path / "made", RECORDS)
    last = ends(RECORDS)[-2]
    with no_sync():
        for at in range(len(data)):
            for bit in range(8):
                flipped = data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :]
                if at < last:
                    error = refused(tmp_path / "flipped", flipped)
                    record = sum(end <= at for end in ends(RECORDS))
                    if at >= HEADER_SIZE:
                        assert error.values["entry"] == record
                        assert error.values["offset"] == ends(RECORDS)[record - 1]
                else:
                    assert reopened(tmp_path / "flipped", flipped) == RECORDS[:-1]


def test_no_lost_moved_or_doubled_record_goes_unnoticed(tmp_path: Path) -> None:
    data = make(tmp_path / "made", RECORDS)
    at = ends(RECORDS)
    head, pieces = data[: at[0]], [data[a:b] for a, b in pairwise(at)]
    for order in ([1, 2, 3], [0, 2, 3], [0, 0, 1, 2, 3], [1, 0, 2, 3], [0, 2, 1, 3], [3, 2, 1, 0]):
        refused(tmp_path / "mixed", head + b"".join(pieces[each] for each in order))
    with no_sync():
        assert (
            reopened(tmp_path / "mixed", head + b"".join(pieces[each] for each in (0, 1, 3))) == RECORDS[:2]
        )


def test_more_than_one_record_of_rubbish_is_no_torn_end(tmp_path: Path) -> None:
    data = make(tmp_path / "made", RECORDS)
    assert "entry 5" in refused(tmp_path / "long", data + bytes((1 << 20) + FRAME_SIZE + 1)).message
    assert reopened(tmp_path / "long", data + bytes((1 << 20) + FRAME_SIZE)) == RECORDS


def test_nobody_can_make_a_torn_end_look_like_damage(tmp_path: Path) -> None:
    """Records carry what others send: also a copy of another journal's bytes, in case they know ours."""
    foreign = make(tmp_path / "foreign", RECORDS)
    data = make(tmp_path / "made", [*RECORDS, Record(Kind.RECEIVED, foreign * 2)])
    with no_sync():
        for size in range(ends(RECORDS)[-1], len(data), 7):
            assert reopened(tmp_path / "torn", data[:size]) == RECORDS


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty"),
        (b"bcnet jour", "ends at byte 10, inside its first line"),
        (b"not ours at all", "is not a bcnet journal"),
        (b"bcnet transcript 1\n\0\0\0\1x", "is a bcnet transcript, not a journal"),
        (b"bcnet journal 0\n", "has format version 0; this bcnet reads version 1"),
        (b"bcnet journal 2\n" + bytes(64), "has format version 2; this bcnet reads version 1"),
        (b"bcnet journal 1\n", r"is damaged in its header \(byte 16"),
        (b"bcnet journal 1\n" + bytes(64), r"is damaged in its header \(byte 16"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, data: bytes, message: str) -> None:
    error = refused(tmp_path / "it", data)
    assert error.exit_code == 2
    with pytest.raises(UnreadableError, match=message):
        raise error


def test_a_kind_from_the_future_is_not_guessed_at(tmp_path: Path) -> None:
    class Later(int):
        pass

    path = tmp_path / "journal"
    Journal.create(path)
    with Journal(path) as it:
        it.append(Kind.OWN, b"offer")
        it.append(Later(9), b"?")  # type: ignore[arg-type]
    error = refused(path, path.read_bytes())
    assert "unknown kind 9" in error.message
    assert "newer bcnet" in error.hint
    assert error.values["entry"] == 2


@given(st.binary(max_size=300))
def test_garbage_is_a_journal_or_an_error(tmp_path_factory: pytest.TempPathFactory, noise: bytes) -> None:
    folder = tmp_path_factory.mktemp("garbage")
    data = make(folder / "made", RECORDS[:1])
    refused(folder / "noise", noise)
    refused(folder / "noise", b"bcnet journal 1\n" + noise)
    (folder / "tail").write_bytes(data + noise)
    with Journal(folder / "tail") as it:
        assert list(it.records) == RECORDS[:1]


def test_a_file_over_the_limit_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "huge"
    make(path, RECORDS)
    os.truncate(path, 1 << 33)
    with pytest.raises(UnreadableError, match="is larger than 67108864 bytes"):
        journal.read(path)


# -------------------------------------------------------------------------------------------------- appending


def test_records_have_1_byte_to_1_mib(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    Journal.create(path)
    with Journal(path) as it:
        for size in (0, (1 << 20) + 1):
            with pytest.raises(ValueError, match="1 to 1048576 bytes"):
                it.append(Kind.OWN, bytes(size))
        it.append(Kind.OWN, bytes(1 << 20))
    assert journal.read(path) == (Record(Kind.OWN, bytes(1 << 20)),)


def test_the_journal_itself_has_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    Journal.create(path)
    with no_sync(), Journal(path) as it:
        for _ in range(63):
            it.append(Kind.RECEIVED, bytes(1 << 20))
        with pytest.raises(StorageError, match=r"journal has reached its limit of 67108864 bytes") as caught:
            it.append(Kind.RECEIVED, bytes(1 << 20))
        assert caught.value.hint
        it.append(Kind.OWN, b"resign")
    assert len(journal.read(path)) == 64


def test_a_closed_journal_takes_nothing(tmp_path: Path) -> None:
    make(tmp_path / "journal", [])
    it = Journal(tmp_path / "journal")
    it.close()
    it.close()
    with pytest.raises(ValueError, match="closed"):
        it.append(Kind.OWN, b"late")


def test_a_journal_is_made_once(tmp_path: Path) -> None:
    make(tmp_path / "journal", RECORDS)
    with pytest.raises(FileExistsError):
        Journal.create(tmp_path / "journal")
    assert list(journal.read(tmp_path / "journal")) == RECORDS


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG])
@pytest.mark.parametrize("step", ["write", "second write", "sync"])
@pytest.mark.parametrize("can_truncate", [True, False])
def test_a_failed_append_leaves_the_journal_as_it_was(
    tmp_path: Path, number: int, step: str, can_truncate: bool
) -> None:
    path = tmp_path / "journal"
    make(path, RECORDS)
    write = os.write
    calls = 0

    def fails(*_: object) -> int:
        raise OSError(number, os.strerror(number))

    def fails_the_second_time(fd: int, data: bytes) -> int:
        nonlocal calls
        calls += 1
        return fails() if calls == 2 else write(fd, data[:11])

    with closing(Journal(path)) as it:
        with pytest.MonkeyPatch.context() as patch:
            if step == "second write":
                patch.setattr(os, "write", fails_the_second_time)
            elif step == "write":
                patch.setattr(os, "write", fails)
            else:
                patch.setattr(journal, "sync", fails)
            if not can_truncate:
                patch.setattr(os, "ftruncate", fails)
            for _ in range(2):
                calls = 0
                with pytest.raises(StorageError, match=f"Cannot write the journal {path}: ") as caught:
                    it.append(Kind.OWN, b"a move that does not fit")
                assert caught.value.hint
            if can_truncate:
                assert path.stat().st_size == ends(RECORDS)[-1]
            if can_truncate or step != "sync":
                assert list(journal.read(path)) == RECORDS
        it.append(Kind.OWN, b"short")
        assert list(journal.read(path)) == [*RECORDS, Record(Kind.OWN, b"short")]
        assert path.stat().st_size == ends(RECORDS)[-1] + FRAME_SIZE + len(b"short")
        it.append(Kind.RECEIVED, b"and on it goes")
    assert list(journal.read(path)) == [
        *RECORDS,
        Record(Kind.OWN, b"short"),
        Record(Kind.RECEIVED, b"and on it goes"),
    ]


def test_an_append_that_is_interrupted_leaves_no_half_record(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    make(path, RECORDS)
    write = os.write

    def interrupted(fd: int, data: bytes) -> int:
        write(fd, data[:5])
        raise KeyboardInterrupt

    with closing(Journal(path)) as it:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(os, "write", interrupted)
            with pytest.raises(KeyboardInterrupt):
                it.append(Kind.OWN, b"said")
        it.append(Kind.OWN, b"said")
    assert list(journal.read(path)) == [*RECORDS, Record(Kind.OWN, b"said")]


def test_errors_name_the_file(tmp_path: Path) -> None:
    for opens in (Journal, journal.read):
        with pytest.raises(StorageError, match=r"missing: there is no such file"):
            opens(tmp_path / "missing")
        with pytest.raises(StorageError, match="folder"):
            opens(tmp_path)
