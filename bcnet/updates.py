"""What a session tells whoever plays: where the table stands, and what happens. Values that any thread may keep."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bcnet.entry import Noise
from bcnet.errors import StorageError
from bcnet.games.interface import Action, Over, State
from bcnet.games.interface import Event as News
from bcnet.table.course import Taken
from bcnet.table.faults import Fault
from bcnet.table.membership import Member, Terms
from bcnet.table.rounds import DECISIONS, Kind
from bcnet.verify import Report


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Where the table stands, as the own player may see it; a value that any thread may keep."""

    seat: int
    terms: Terms | None
    members: tuple[Member, ...]
    table_id: bytes
    view: State | None
    """The game as the own player sees it; None before it has begun."""
    awaiting: Kind | None
    """What the open round awaits; None when the table has ended."""
    awaited: tuple[int, ...]
    """The seats that it awaits still."""
    round: int
    words: tuple[str, ...] = ()
    """four words that are the same on every screen if nobody sits in between; none before the first draw."""
    audience: int = 0
    """How many watch; where this is a guest, as the host says."""
    held: bool = False
    """Whether nothing can be decided before the other side has come back."""
    away: frozenset[int] = frozenset()
    """The seats that cannot be reached now and without which the table cannot go on."""
    left: frozenset[int] = frozenset()
    """The seats that have resigned from a game that goes on without them."""
    resigning: frozenset[int] = frozenset()
    """The seats that have resigned, as far as is known here; it takes effect when the open round closes."""
    chosen: Action | None = None
    """What the own player has sealed, until all is opened."""

    @property
    def decision(self) -> Kind | None:
        """The decision that the table awaits of the own player."""
        if self.held or self.awaiting not in DECISIONS or self.seat not in self.awaited:
            return None
        return self.awaiting


# --- what happens ---


@dataclass(frozen=True, slots=True)
class Seated:
    """All have sat down: there is a table."""

    snapshot: Snapshot


@dataclass(frozen=True, slots=True)
class Moved:
    """The game has moved on by a step: the news of it and the position after it, as the own player sees them."""

    taken: Taken
    news: tuple[News, ...]
    view: State


@dataclass(frozen=True, slots=True)
class Asked:
    """The own player has to decide; answered by ``Session.act``."""

    snapshot: Snapshot


@dataclass(frozen=True, slots=True)
class Awaited:
    """Of several who have to decide, some have; or somebody resigns; or the table goes on: these are awaited still."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LineDown:
    """A side cannot be reached any more."""

    seats: frozenset[int]
    reason: int
    """What it said before (``Reason``), REASON_UNSPECIFIED if nothing."""
    noise: Noise | None = None
    """What it sent that has no place here, if that is why the line was ended."""
    why: str = ""
    """Why it cannot be reached again, where somebody has tried; a sentence for people."""


@dataclass(frozen=True, slots=True)
class LineUp:
    """A side that could not be reached is back."""

    seats: frozenset[int]
    same_log: bool
    """Whether the logs are equal again; if not, others are awaited before anybody can say so."""


@dataclass(frozen=True, slots=True)
class AnotherWanted:
    """A side wants another game after this one."""

    seats: frozenset[int]


@dataclass(frozen=True, slots=True)
class Trouble:
    """The disk does not take what has to be written; the session waits and tries again. ``error`` None: it does now."""

    error: StorageError | None


@dataclass(frozen=True, slots=True)
class Ended:
    """The table has ended, complete or by a fault. ``report`` is the verdict on the transcript at ``path``."""

    path: Path
    report: Report
    result: Over | None
    fault: Fault | None


@dataclass(frozen=True, slots=True)
class Watched:
    """So many watch now; where this is a guest, as the host says."""

    count: int


@dataclass(frozen=True, slots=True)
class Said:
    """A player says something beside the game; cleaned (`bcnet.chat.clean`)."""

    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class ChatOff:
    """A player takes no part in the chat."""

    seat: int


Update = (
    Seated
    | Moved
    | Asked
    | Awaited
    | LineDown
    | LineUp
    | Trouble
    | Watched
    | Ended
    | AnotherWanted
    | Said
    | ChatOff
)
