"""The finished log as a file."""

from __future__ import annotations

import io
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bcnet import entry, transcript
from bcnet.errors import StorageError, UnreadableError

LINE = b"bcnet transcript 1\n"
ENTRIES = [b"offer", b"j", b"ready of seat 0", bytes(range(40))]
entry_lists = st.lists(st.binary(min_size=1, max_size=300), min_size=1, max_size=12)


def encoded(entries: list[bytes]) -> bytes:
    return b"".join(transcript.encode(entries))


def failure(source: bytes) -> UnreadableError:
    with pytest.raises(UnreadableError) as caught:
        transcript.read(source)
    assert caught.value.hint
    return caught.value


def test_the_form_to_the_byte() -> None:
    assert encoded([b"ab", b"c"]) == LINE + b"\0\0\0\2ab" + b"\0\0\0\1c"


def test_an_entry_of_any_allowed_size_fits() -> None:
    assert transcript.MAX_ENTRY_SIZE == entry.MAX_ENTRY


@given(entry_lists)
def test_what_was_written_is_read(entries: list[bytes]) -> None:
    assert transcript.read(encoded(entries)) == entries


@given(entry_lists, entry_lists)
def test_two_lists_never_have_one_file(one: list[bytes], other: list[bytes]) -> None:
    assert (encoded(one) == encoded(other)) == (one == other)


@given(st.one_of(st.binary(max_size=200), st.binary(max_size=200).map(lambda tail: LINE + tail)))
def test_whatever_can_be_read_has_this_one_form(data: bytes) -> None:
    try:
        entries = transcript.read(data)
    except UnreadableError as error:
        assert 0 <= int(str(error.values["offset"])) <= len(data)  # noqa: PT017
    else:
        assert encoded(entries) == data


def test_every_cut_gives_fewer_entries_or_an_error_that_says_where() -> None:
    data = encoded(ENTRIES)
    for size in range(len(data)):
        try:
            entries = transcript.read(data[:size])
        except UnreadableError as error:
            assert error.values["offset"] == size  # noqa: PT017
            assert f"byte {size}" in error.message or size == 0  # noqa: PT017
        else:
            assert entries == ENTRIES[: len(entries)]
            assert len(entries) < len(ENTRIES)


def test_every_flipped_bit_gives_other_entries_or_an_error() -> None:
    data = encoded(ENTRIES)
    for at in range(len(data)):
        for bit in range(8):
            try:
                entries = transcript.read(data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :])
            except UnreadableError:
                continue
            assert entries != ENTRIES


def test_every_byte_more_gives_an_error_or_more_entries() -> None:
    data = encoded(ENTRIES)
    for tail in (b"\0", b"\n", b"\0\0\0\0", b"\0\0\0\1", b"\xff" * 9, data):
        error = failure(data + tail)
        assert error.values["entry"] == len(ENTRIES) + 1


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty"),
        (b"bcnet trans", "ends at byte 11, inside its first line"),
        (LINE, r"ends before its first entry \(byte 19, entry 1\)"),
        (b"\x89PNG\r\n\x1a\n", "is not a bcnet transcript"),
        (b"bcnet transcript 01\nx", "is not a bcnet transcript"),
        (b"bcnet transcript 1\r\nx", "is not a bcnet transcript"),
        (b"bcnet transcript " + b"9" * 400, "is not a bcnet transcript"),
        (b"bcnet journal 1\nabc", "is a bcnet journal, not a transcript"),
        (b"bcnet journal 7\n", "is a bcnet journal, not a transcript"),
        (b"bcnet transcript 0\n", "has format version 0; this bcnet reads version 1"),
        (b"bcnet transcript 2\nanything", "has format version 2; this bcnet reads version 1"),
        (b"bcnet transcript 123456789\n", "has format version 123456789"),
        (LINE + b"\0\0", r"ends inside the length of an entry \(byte 21, entry 1\)"),
        (LINE + b"\0\0\0\1a\0\0\0\5ab", r"has only 2 of the 5 bytes of an entry \(byte 30, entry 2\)"),
        (LINE + b"\0\0\0\0", r"an entry of 0 bytes, but 1 to 1048576 are possible \(byte 19, entry 1\)"),
        (LINE + b"\0\0\0\1a\0\x10\0\1", r"an entry of 1048577 bytes.*\(byte 24, entry 2\)"),
        (LINE + b"\xff\xff\xff\xff", r"an entry of 4294967295 bytes"),
    ],
)
def test_what_is_wrong_is_said(data: bytes, message: str) -> None:
    error = failure(data)
    assert error.exit_code == 2
    with pytest.raises(UnreadableError, match=message):
        raise error


def test_a_newer_file_asks_for_a_newer_program_and_an_older_one_for_an_older() -> None:
    assert "newer" in failure(b"bcnet transcript 2\n").hint
    assert "older" in failure(b"bcnet transcript 0\n").hint


# ----------------------------------------------------------------------------------------------- hostile sizes


class Endless(io.RawIOBase):
    """A file that goes on for ever; it counts what was taken from it."""

    def __init__(self, start: bytes, cycle: bytes) -> None:
        super().__init__()
        self.start, self.cycle, self.taken = start, cycle, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        wanted = len(buffer)
        head = self.start[self.taken : self.taken + wanted]
        at = max(0, self.taken - len(self.start)) % len(self.cycle)
        rest = wanted - len(head)
        buffer[:wanted] = head + (self.cycle[at:] + self.cycle * (rest // len(self.cycle) + 1))[:rest]
        self.taken += wanted
        return wanted


def drain(file: Endless) -> tuple[int, UnreadableError]:
    """How many entries it gives before it is given up, and why that was."""
    count = 0
    try:
        for _ in transcript.stream(io.BufferedReader(file), "it"):
            count += 1
    except UnreadableError as error:
        return count, error
    raise AssertionError("a file without end came to an end")


def test_a_file_without_end_is_left_at_64_mib() -> None:
    file = Endless(LINE, (1 << 20).to_bytes(4, "big") + bytes(1 << 20))
    count, error = drain(file)
    assert count == 63
    assert "is larger than 67108864 bytes" in error.message
    assert file.taken < 65 << 20


def test_entries_without_end_are_left_too() -> None:
    count, error = drain(Endless(LINE, b"\0\0\0\1x"))
    assert count == transcript.MAX_ENTRIES
    assert "has more than 131072 entries" in error.message


def test_noise_without_end_is_left_at_once() -> None:
    file = Endless(b"", b"\0")
    drain(file)
    assert file.taken <= 1 << 16


def test_a_claimed_length_costs_no_memory(tmp_path: Path) -> None:
    path = tmp_path / "short.bct"
    tracemalloc.start()
    try:
        for length in ((1 << 20).to_bytes(4, "big"), b"\xff\xff\xff\xff"):
            path.write_bytes(LINE + length + b"x")
            with pytest.raises(UnreadableError, match=r"has only 1 of the|claims an entry"):
                transcript.read(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 200_000


def test_reading_keeps_one_entry_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "long.bct"
    transcript.write(path, [bytes([n]) * 100_000 for n in range(200)])
    tracemalloc.start()
    try:
        with path.open("rb") as file:
            assert sum(len(each) for each in transcript.stream(file, "it")) == 20_000_000
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1_000_000


def test_what_could_not_be_read_again_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "it.bct"
    for entries in ([], [b""], [b"x", b""], [bytes((1 << 20) + 1)]):
        with pytest.raises(ValueError, match="entry"):
            transcript.write(path, entries)
    for entries in ([bytes(1 << 20)] * 64, [b"x"] * (transcript.MAX_ENTRIES + 1)):
        with pytest.raises(StorageError, match="holds at most"):
            transcript.write(path, entries)
    assert list(tmp_path.iterdir()) == []
    transcript.write(path, [bytes(1 << 20)] * 63)
    assert len(transcript.read(path)) == 63


# ------------------------------------------------------------------------------------------------------- files


def test_a_file_is_the_encoding_and_readable_by_others(tmp_path: Path) -> None:
    path = tmp_path / "it.bct"
    transcript.write(path, iter(ENTRIES))
    assert path.read_bytes() == encoded(ENTRIES)
    assert path.stat().st_mode & 0o600 == 0o600
    assert transcript.read(path) == ENTRIES
    assert [each.name for each in tmp_path.iterdir()] == ["it.bct"]


def test_writing_the_same_again_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "it.bct"
    transcript.write(path, ENTRIES)
    before = path.stat()
    transcript.write(path, ENTRIES)
    assert path.stat() == before


@pytest.mark.parametrize(
    "other", [b"", b"mine", encoded(ENTRIES)[:-1], encoded(ENTRIES) + b"x", encoded([*ENTRIES, b"more"])]
)
def test_another_file_is_never_replaced(tmp_path: Path, other: bytes) -> None:
    path = tmp_path / "it.bct"
    path.write_bytes(other)
    with pytest.raises(
        StorageError, match=r"^There is another file at .*it\.bct already; it was left as it is\.$"
    ):
        transcript.write(path, ENTRIES)
    assert path.read_bytes() == other
    assert [each.name for each in tmp_path.iterdir()] == ["it.bct"]


def test_errors_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / "cut.bct"
    path.write_bytes(encoded(ENTRIES)[:-1])
    with pytest.raises(UnreadableError, match=r"cut\.bct has only 39 of the 40 bytes"):
        transcript.read(path)
    with pytest.raises(StorageError, match=r"missing\.bct: there is no such file"):
        transcript.read(tmp_path / "missing.bct")
    with pytest.raises(StorageError, match="it is a folder"):
        transcript.read(tmp_path)
    with pytest.raises(StorageError, match="there is no such file or folder"):
        transcript.write(tmp_path / "missing" / "it.bct", ENTRIES)
    with pytest.raises(StorageError, match="a part of the path is a file"):
        transcript.write(path / "it.bct", ENTRIES)
