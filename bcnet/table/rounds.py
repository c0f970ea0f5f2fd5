"""What a table can await: kinds of entries, and rounds that are open for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Kind(StrEnum):
    """The kinds of payload, each named as its field in ``Body.payload`` (proto/bcnet/wire/v1/log.proto)."""

    OFFER = "offer"
    JOIN = "join"
    READY = "ready"
    SHUFFLE = "shuffle"
    SHARE = "share"
    RESPONSES = "responses"
    UNMASK = "unmask"
    ACT = "act"
    SEAL = "seal"
    UNSEAL = "unseal"
    RESIGN = "resign"
    NOTE = "note"
    REVEAL = "reveal"
    REFRESH = "refresh"


DECISIONS = frozenset({Kind.ACT, Kind.SEAL})
"""Rounds that wait for a person (or a bot); every other entry a program sends by itself."""

RESIGNABLE = frozenset(
    {
        Kind.SHUFFLE,
        Kind.SHARE,
        Kind.RESPONSES,
        Kind.UNMASK,
        Kind.REFRESH,
        Kind.ACT,
        Kind.SEAL,
        Kind.UNSEAL,
    },
)
"""Rounds in which a resignation may stand in place of the entry that is owed."""


@dataclass(frozen=True, slots=True)
class Await:
    """An open round: which seats (ascending) owe an entry of which kind, and how such an entry is taken.

    ``take(seat, payload)`` returns what the entry means or raises `Violation` or ``bcnet.fairness.Invalid``. It judges
    by the seat's own matters at the start of the round, never by the other entries of the round, which the author may
    not have seen; and what it changes (a mask taken off the deck, say) is the seat's own matter too.
    """

    kind: Kind
    seats: tuple[int, ...]
    take: Callable[[int, Any], Any]


@dataclass(frozen=True, slots=True)
class Resignation:
    """What a resignation means: who gives up, and the seed handed over (empty with two seats)."""

    seat: int
    seed: bytes
