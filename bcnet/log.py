"""The log of one table: its rounds, and the hash that chains them.

Responsible for order and chaining alone. It knows neither what an entry means nor whether it is right: ``bcnet.table``
opens each round for the seats it awaits and adds only entries that it has checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bcnet.entry import SignedEntry
from bcnet.hashing import tagged_hash, u32


@dataclass(frozen=True, slots=True)
class Round:
    """A round: its number, the head at its start (empty for round 0) and its entries so far by seat."""

    number: int
    head: bytes
    entries: dict[int, SignedEntry]

    def in_seat_order(self) -> list[SignedEntry]:
        """The entries so far, ascending by seat."""
        return [self.entries[seat] for seat in sorted(self.entries)]

    def next_head(self) -> bytes:
        """The head after this round; 32 bytes (docs/protocol.md, section "The log")."""
        return tagged_hash(
            "head", self.head, u32(self.number), *(entry.body for entry in self.in_seat_order())
        )


class Log:
    """All rounds of a table so far. The last one is open."""

    def __init__(self) -> None:
        self._rounds = [Round(0, b"", {})]

    @property
    def open(self) -> Round:
        """The round that is still being filled."""
        return self._rounds[-1]

    @property
    def head(self) -> bytes:
        """The head at the start of the open round: what its entries must name."""
        return self.open.head

    def __len__(self) -> int:
        """How many rounds are closed."""
        return len(self._rounds) - 1

    def __getitem__(self, number: int) -> Round:
        return self._rounds[number]

    def add(self, seat: int, entry: SignedEntry) -> None:
        """Put a checked entry into the open round."""
        if seat in self.open.entries:
            raise ValueError(f"seat {seat} has an entry in round {self.open.number} already")
        self.open.entries[seat] = entry

    def close(self) -> Round:
        """Close the open round and open the next; returns the closed one."""
        closed = self.open
        self._rounds.append(Round(closed.number + 1, closed.next_head(), {}))
        return closed

    def since(self, number: int) -> Iterator[SignedEntry]:
        """All entries of the rounds from ``number`` on, in round and seat order."""
        for round_ in self._rounds[number:]:
            yield from round_.in_seat_order()

    def entries(self) -> Iterator[SignedEntry]:
        """All entries in round and seat order, those of the open round included: the order of a transcript."""
        return self.since(0)
