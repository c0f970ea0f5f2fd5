"""A room with cheaters in it, and what must come of every attack there."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bcnet import transcript
from bcnet.entry import Noise, place_of
from bcnet.errors import Exit
from bcnet.games.interface import Game
from bcnet.several import Group, verify_files
from bcnet.table.faults import Fault, FaultKind
from bcnet.table.player import Player
from bcnet.table.rounds import Kind
from bcnet.verify import Report, Verdict
from bcnet.wire.v1 import log_pb2 as pb
from tests.attacks.cheats import Cheat, Cheater, cheater
from tests.table.room import Room, lookup
from tests.toy import ShortToy


def kind_of(data: bytes) -> Kind:
    """The kind of payload of a well-formed entry."""
    return Kind(pb.Body.FromString(pb.Entry.FromString(data).body).WhichOneof("payload") or "")


@dataclass
class Arena(Room):
    """A room in which what is noise to its receiver is noted, where a line would be closed."""

    noise: list[tuple[int, Noise]] = field(default_factory=list)
    """Who was sent something that proves nothing, and what he makes of it."""

    def hand_over(self, receiver: int, data: bytes) -> None:
        """A player gets an entry."""
        try:
            super().hand_over(receiver, data)
        except Noise as noise:
            self.noise.append((receiver, noise))

    def cheater(self, seat: int) -> Cheater:
        """The cheater on a seat."""
        player = self.players[seat]
        assert isinstance(player, Cheater)
        return player

    def said_by(self, seat: int) -> list[bytes]:
        """All entries that a seat has sent."""
        return [data for sender, data in self.sent if sender == seat]


def arena_with(
    cheat: Cheat,
    seat: int = 1,
    *,
    game: Game | None = None,
    seats: int = 2,
    seed: int = 0,
    private_hands: bool = False,
) -> Arena:
    """A room in which ``seat`` cheats and all others are honest, right after the offer."""
    return Arena.of(
        game or ShortToy(), seats, seed=seed, seated={seat: cheater(cheat)}, private_hands=private_hands
    )


def check_conviction(
    arena: Arena,
    honest: int,
    cheat: int,
    kind: FaultKind,
    flaws: str | Sequence[str] = "",
    found: Kind | None = None,
) -> Fault:
    """An honest seat has found the cheat, and can prove it to anybody. Gives the fault.

    The fault names seat, round and kind, and stands on the last entry (of the kind ``found``) that the cheater has
    sent; the honest side's file says the same; nothing that the cheater can show turns it round; and the honest
    side has said nothing since.
    """
    player = arena.players[honest]
    fault = player.table.fault
    assert fault is not None, f"not found; noise: {[noise.message for _, noise in arena.noise]}"
    assert (fault.seat, fault.kind) == (cheat, kind), fault.message
    assert fault.flaw in ((flaws,) if isinstance(flaws, str) else flaws), fault.message
    assert len(fault.message) < 1000, "for a person to read, however long the bytes are"
    assert re.match(rf"Seat (?!{cheat}\b)", fault.message) is None, f"names another: {fault.message}"
    if found is not None:
        last = [data for data in arena.said_by(cheat) if kind_of(data) is found][-1]
        assert fault.evidence[-1] == last
        assert fault.round == place_of(last)[0]
    check_nothing_more_is_said(player)
    files = arena.file(honest), arena.file(cheat)
    first, *others = verified(*files)
    report = first.single[0]
    assert report.verdict is Verdict.CHEATED
    assert report.fault == fault
    assert report.verdict.exit_code is Exit.CHEATED
    # Nor does the cheater's own file turn it round; ``test_framing`` tries whatever else it could put together.
    assert first.report.verdict is Verdict.CHEATED
    for group in (first, *others):
        for each in (group.report, *group.single):
            check_not_convicted(each, honest)
    return fault


def check_nothing_more_is_said(player: Player) -> None:
    """A table that has found a fault is at its end: nothing that could help the cheater leaves it."""
    assert player.table.awaiting is None
    assert player.decision is None
    assert player.go_on().entries == ()


def check_not_convicted(report: Report, honest: int) -> None:
    """Whatever else a file proves, it is nothing against this seat."""
    assert report.fault is None or report.fault.seat != honest, report.message


def verified(*files: Sequence[bytes]) -> list[Group]:
    """What ``bcnet verify`` makes of several files: one group for each table (and for each unreadable file)."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number, entries in enumerate(files):
            path = Path(folder) / f"{number}.bcnet"
            transcript.write(path, entries)
            paths.append(path)
        return list(verify_files(paths, games=lookup))


def groups(*files: Sequence[bytes]) -> list[Report]:
    """The verdict on each group of several files."""
    return [group.report for group in verified(*files)]


def together(*files: Sequence[bytes]) -> Report:
    """The verdict on several files of one table."""
    (report,) = groups(*files)
    return report
