"""Every byte of a transcript matters: flip a bit, add, move or take away an entry, and it is not clean any more."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import pytest

from bcnet import transcript
from bcnet.entry import Noise, sign_entry
from bcnet.errors import UnreadableError
from bcnet.fairness.deck import Proofs
from bcnet.games import registry
from bcnet.games.interface import Game
from bcnet.table.rounds import Kind
from bcnet.table.table import Table
from bcnet.verify import Verdict, verify
from bcnet.wire.v1 import log_pb2 as pb
from tests.attacks.arena import kind_of
from tests.table.quick import quick_proofs
from tests.table.room import Room, identity_of, lookup
from tests.toy import ShortToy

FEW_BITS = 2000
"""Entries with more bits than this are sampled."""


@pytest.fixture(autouse=True)
def _quick() -> Iterator[None]:
    with quick_proofs():
        yield


@cache
def game(name: str = "short-toy", ending: str = "", *, private: bool = False) -> tuple[bytes, ...]:
    """The entries of a finished game, with private hands, or ended by a resignation or a note, if that is asked for."""
    rules: Game = ShortToy() if name == "short-toy" else registry.get(name)
    room = Room.of(rules, private_hands=private)
    if ending:
        room.settle()
        loser = next(p for p in room.players if bool(p.decision) == (ending == "resign"))
        room.react(loser.number, loser.resign())
    room.play()
    entries = room.file(0)
    assert verify(entries, games=lookup).verdict is Verdict.CLEAN
    return tuple(entries)


def encoded(entries: tuple[bytes, ...]) -> bytes:
    return b"".join(transcript.encode(entries))


def verdict(file: bytes) -> Verdict:
    """The verdict on the bytes of a file."""
    try:
        return verify(transcript.read(file), games=lookup).verdict
    except UnreadableError:
        return Verdict.UNREADABLE


def flipped(data: bytes, bit: int) -> bytes:
    return data[: bit // 8] + bytes([data[bit // 8] ^ 1 << bit % 8]) + data[bit // 8 + 1 :]


def framing(entries: tuple[bytes, ...]) -> list[int]:
    """The bytes of the file that belong to no entry: the first line and the lengths."""
    at = len(encoded(entries)) - sum(4 + len(entry) for entry in entries)
    places = list(range(at))
    for entry in entries:
        places += range(at, at + 4)
        at += 4 + len(entry)
    return places


def test_every_bit_of_the_framing() -> None:
    file = encoded(game())
    places = framing(game())
    assert len(places) == len(b"bcnet transcript 1\n") + 4 * len(game())
    for place in places:
        for bit in range(8):
            assert verdict(flipped(file, 8 * place + bit)) is not Verdict.CLEAN


def smallest() -> dict[Kind, tuple[tuple[bytes, ...], int]]:
    """For each kind of entry a game, and the place of the smallest of the kind in it."""
    found: dict[Kind, tuple[tuple[bytes, ...], int]] = {}
    for entries in (game(), game(ending="resign"), game(ending="note"), game(private=True)):
        for number, data in enumerate(entries):
            kind = kind_of(data)
            if kind not in found or len(data) < len(found[kind][0][found[kind][1]]):
                found[kind] = (entries, number)
    return found


@pytest.mark.parametrize("kind", list(Kind))
def test_every_bit_of_one_entry_of_each_kind(kind: Kind) -> None:
    """A table that stands before the entry takes none of its variants. (So the verdict is `unreadable` each time; the
    whole way through the file is gone in the test below.)"""
    entries, number = smallest()[kind]
    table = Table(proofs=Proofs.LEAVE_TO_AUDIT, games=lookup)
    for data in entries[:number]:
        table.receive(data)
    entry = entries[number]
    bits = range(8 * len(entry))
    if len(bits) > FEW_BITS:
        bits = sorted(random.Random(1).sample(bits, FEW_BITS))  # type: ignore[assignment]
    for bit in bits:
        with pytest.raises(Noise):
            table.receive(flipped(entry, bit))
    assert table.receive(entry)


@pytest.mark.parametrize(("name", "count"), [("short-toy", 100), ("balloon-cup", 20)])
def test_bits_anywhere(name: str, count: int) -> None:
    file = encoded(game(name))
    rng = random.Random(2)
    for _ in range(count):
        assert verdict(flipped(file, rng.randrange(8 * len(file)))) is Verdict.UNREADABLE


@pytest.mark.parametrize("seed", range(3))
def test_two_bits_that_undo_each_other_in_a_sum(seed: int) -> None:
    """There is no sum to be fooled: the same bit flipped in two places."""
    file = encoded(game())
    rng = random.Random(seed)
    for _ in range(20):
        bit = rng.randrange(8)
        one, other = rng.sample(range(19, len(file)), 2)
        assert verdict(flipped(flipped(file, 8 * one + bit), 8 * other + bit)) is not Verdict.CLEAN


# --- whole entries ---


def places() -> range:
    return range(len(game()))


def test_an_entry_taken_away() -> None:
    """At the end the file is incomplete; anywhere else what follows has lost its ground."""
    entries = game()
    for at in places():
        report = verify([*entries[:at], *entries[at + 1 :]], games=lookup)
        assert report.verdict in (Verdict.UNREADABLE, Verdict.INCOMPLETE)
        last_round = at >= len(entries) - 2
        assert (report.verdict is Verdict.INCOMPLETE) == last_round


def test_a_file_that_ends_early() -> None:
    for at in range(1, len(game())):
        assert verify(game()[:at], games=lookup).verdict is Verdict.INCOMPLETE


def test_an_entry_twice() -> None:
    entries = game()
    for at in places():
        for where in {at + 1, len(entries)}:
            doubled = [*entries[:where], entries[at], *entries[where:]]
            assert verify(doubled, games=lookup).verdict is Verdict.UNREADABLE


def test_two_entries_in_another_order() -> None:
    """Also within a round, where a table takes them in any order: a file has one order."""
    entries = list(game())
    for at in range(len(entries) - 1):
        swapped = [*entries[:at], entries[at + 1], entries[at], *entries[at + 2 :]]
        assert verify(swapped, games=lookup).verdict is Verdict.UNREADABLE


def test_entries_of_another_game_added() -> None:
    other = game(ending="resign")
    assert verify([*game(), other[-1]], games=lookup).verdict is not Verdict.CLEAN
    assert verify([*game(), *other], games=lookup).verdict is not Verdict.CLEAN
    assert verify([*other, *game()], games=lookup).verdict is not Verdict.CLEAN


@pytest.mark.parametrize("round_", [3, 8, 12, -1])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_signed_entry_of_another_log_added(round_: int, seat: int) -> None:
    """A seat signs something on top of a head that never was, for a round in which it did not speak, and appends it to
    the complete log. (Found by review: the file stayed clean.)"""
    entries = game()
    last = pb.Body.FromString(pb.Entry.FromString(entries[-1]).body)
    body = pb.Body(
        version=1,
        table=last.table,
        round=round_ % (last.round + 1),
        seat=seat,
        head=bytes(32),
        resign=pb.Resign(),
    )
    added = sign_entry(body.SerializeToString(deterministic=True), identity_of(seat).sign_message)
    report = verify([*entries, added], games=lookup)
    assert report.verdict in (Verdict.UNREADABLE, Verdict.CHEATED)
    assert report.fault is None or report.fault.seat == seat


def test_bytes_behind_the_last_entry() -> None:
    file = encoded(game())
    for more in (b"\x00", b"\n", bytes(4), b"\x00\x00\x00\x01x", file):
        assert verdict(file + more) is not Verdict.CLEAN
    for cut in range(1, 300):
        assert verdict(file[:-cut]) is not Verdict.CLEAN


def test_the_verdict_depends_on_nothing_but_the_bytes() -> None:
    """The same file twice gives the same report, and no report depends on what was verified before."""
    entries = game()
    first = verify(entries, games=lookup)
    verify(entries[:-1], games=lookup)
    verify([*entries, entries[0]], games=lookup)
    assert verify(entries, games=lookup) == first
