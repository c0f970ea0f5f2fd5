"""Every lie of a host about what it passes on, and what becomes of it: the one list of them.

The table in docs/threats.md is made from this list (``python -m tests.cheaters``), the tests go through it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from bcnet.table.faults import FaultKind
from bcnet.table.rounds import Kind
from bcnet.verify import Verdict
from tests.relay import liars
from tests.relay.liars import Liar
from tests.table.room import identity_of

CLEAN, CHEATED, INCOMPLETE = Verdict.CLEAN, Verdict.CHEATED, Verdict.INCOMPLETE


@dataclass(frozen=True)
class Lie:
    """A lie with a name, and what becomes of it; the same at a table for three and for five."""

    name: str
    make: Callable[[int], Liar]
    """The host that tells it, at a table with so many seats."""
    caught: str
    """When, by the guest that is lied to."""
    tells: str
    """What that guest is told of it, a regular expression; empty where nothing is noticed."""
    victim: Verdict | None
    """What ``bcnet verify`` says of the file of the guest that was lied to; None where there is no table for it."""
    rest: Verdict | None
    """The same of each of the others' files."""
    together: Verdict | None
    """The same of all of them."""
    named: int | None = None
    """The seat that the files together convict, of two different entries for one round."""
    is_real: bool = False
    """Whether it is tried with real programs as well."""
    what: str = ""
    """What the host does, where its liar does not say it."""

    @property
    def does(self) -> str:
        """What the host does."""
        return self.what or type(self.make(3)).__doc__ or ""

    @property
    def fault(self) -> FaultKind | None:
        """What somebody is convicted of."""
        return None if self.named is None else FaultKind.EQUIVOCATION

    @property
    def is_harmless(self) -> bool:
        """Whether the game comes to its end with all of them."""
        return self.victim is CLEAN


UNFINISHED = (INCOMPLETE, INCOMPLETE, INCOMPLETE)
NO_TABLE = (None, None, None)
OTHER_LOG = "on top of another log than this one"
NO_SUCH_GUEST = "which is no other guest's"

LIES: tuple[Lie, ...] = (
    Lie(
        "entry-forged",
        liars.ForgesAnEntry,
        "at once",
        "The signature of seat 1 in round 3 does not hold",
        *UNFINISHED,
        is_real=True,
    ),
    Lie(
        "byte-changed",
        liars.ChangesAByte,
        "at once",
        "The signature of seat 1 in round 3 does not hold",
        *UNFINISHED,
        is_real=True,
    ),
    Lie(
        "entry-hidden",
        liars.HidesAnEntry,
        "at the next round",
        "An entry of round 4 comes when round 3 is open",
        *UNFINISHED,
        is_real=True,
    ),
    Lie(
        "seed-hidden",
        partial(liars.HidesAnEntry, kind=Kind.REVEAL),
        "at the end",
        "has the whole table before this one has ended",
        INCOMPLETE,
        CLEAN,
        CLEAN,
        what="Does not pass on to one guest the seed that another reveals at the end.",
    ),
    Lie("held-back", liars.HoldsBack, "not caught", "", *UNFINISHED, is_real=True),
    Lie(
        "two-histories",
        liars.TwoHistories,
        "at the next round",
        OTHER_LOG,
        INCOMPLETE,
        INCOMPLETE,
        CHEATED,
        named=0,
        is_real=True,
    ),
    Lie(
        "two-histories-in-mid-game",
        partial(liars.TwoHistories, kind=Kind.SEAL, nth=2),
        "at the next round",
        OTHER_LOG,
        INCOMPLETE,
        INCOMPLETE,
        CHEATED,
        named=0,
        what="The same with its sealed choice, in the middle of the game.",
    ),
    Lie(
        "two-versions-of-a-guest",
        partial(liars.TwoVersionsOfAGuest, accomplice=identity_of),
        "at the next round",
        OTHER_LOG,
        INCOMPLETE,
        INCOMPLETE,
        CHEATED,
        named=liars.OTHER,
        is_real=True,
    ),
    Lie(
        "two-versions-of-a-choice",
        partial(liars.TwoVersionsOfAGuest, accomplice=identity_of, kind=Kind.SEAL),
        "at the next round",
        OTHER_LOG,
        INCOMPLETE,
        INCOMPLETE,
        CHEATED,
        named=liars.OTHER,
        what="The same with that guest's sealed choice.",
    ),
    Lie(
        "entry-of-another-evening",
        partial(liars.EntryOfAnotherTable, guest=identity_of),
        "at once",
        "An entry of another table",
        *UNFINISHED,
    ),
    Lie("entry-once-more", liars.EntryOfAnEarlierRound, "harmless", "", CLEAN, CLEAN, CLEAN),
    Lie(
        "entry-too-soon",
        liars.EntryOfALaterRound,
        "at once",
        "An entry of round 4 comes when round 3 is open",
        *UNFINISHED,
    ),
    Lie("join-dropped", liars.DropsAJoin, "at the door", "An entry of another table", *NO_TABLE),
    Lie("join-of-somebody-else", liars.AnotherJoin, "at the door", "An entry of another table", *NO_TABLE),
    Lie("false-presence", liars.FalsePresence, "harmless", "", CLEAN, CLEAN, CLEAN, is_real=True),
    Lie(
        "presence-of-nobody",
        partial(liars.PresenceOf, of=9),
        "at once",
        NO_SUCH_GUEST,
        *UNFINISHED,
        what="Tells a guest that a seat has gone that there is not.",
    ),
    Lie(
        "presence-of-the-host",
        partial(liars.PresenceOf, of=0),
        "at once",
        NO_SUCH_GUEST,
        *UNFINISHED,
        what="Tells a guest that the host has gone.",
    ),
    Lie(
        "presence-of-the-reader",
        partial(liars.PresenceOf, of=None),
        "at once",
        NO_SUCH_GUEST,
        *UNFINISHED,
        what="Tells a guest that it has gone itself.",
    ),
)


def lie_of(name: str) -> Lie:
    """A lie by its name."""
    return next(lie for lie in LIES if lie.name == name)
