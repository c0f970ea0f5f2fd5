"""Watching another's table: everything that is public, each entry checked as it comes.

The host passes on what the players have signed; it can leave something out, which ends the show, and change nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

from bcnet.entry import Noise
from bcnet.errors import Exit
from bcnet.games.interface import Over
from bcnet.hello import Role
from bcnet.language import _, told
from bcnet.names import told_apart
from bcnet.signing import fingerprint
from bcnet.table.course import Taken
from bcnet.table.following import Follower
from bcnet.table.membership import GameLookup
from bcnet.table.table import Faulted, Progress, Table
from bcnet.verify import verify
from bcnet.wire.v1 import table_pb2 as pb
from bcnet.wire.v1.table_pb2_grpc import TableStub
from bcnet_client import reasons, telling
from bcnet_client.address import Address
from bcnet_client.join import Joiner, connect, refused, say_hello, wrong_program
from bcnet_client.line import Line

Say = Callable[[str], None]


class Onlooker:
    """A table as somebody without a seat sees it: what is checked goes in, lines come out."""

    def __init__(self, games: GameLookup) -> None:
        self.table = Table(games=games)
        self.entries: list[bytes] = []
        self._games = games
        self._follower: Follower | None = None
        self._is_introduced = False

    @property
    def has_ended(self) -> bool:
        """Whether everything has been said, or somebody has cheated."""
        return self.table.complete or self.table.fault is not None

    def receive(self, data: bytes) -> list[str]:
        """Take an entry; gives what it brought about. Raises `Noise`."""
        events = self.table.receive(data)
        self.entries.append(data)
        lines = list(self._introduction())
        for event in events:
            match event:
                case Progress(taken):
                    lines += self._told(taken)
                case Faulted(fault):
                    lines.append(telling.cheated(self.names[fault.seat], fault.round, told(fault.message)))
                case _:
                    pass
        return lines

    @property
    def names(self) -> tuple[str, ...]:
        """What the seats are called, in the onlooker's language."""
        return tuple(map(told, told_apart([member.name for member in self.table.course.members])))

    def _introduction(self) -> Iterator[str]:
        course = self.table.course
        if course.table_id and not self._is_introduced:
            self._is_introduced = True
            keys = [fingerprint(member.identity) for member in course.members]
            for name, key in zip(self.names, keys, strict=True):
                yield _("{name} plays, key {key}.").format(name=name, key=key)
            yield from telling.about_shared_keys(self.names, keys)
            assert course.terms is not None
            yield from telling.about_terms(course.terms)

    def _told(self, taken: Taken) -> Iterator[str]:
        if self._follower is None:
            assert self.table.course.initial is not None
            self._follower = Follower(self.table.course.initial, lambda _slot, _seat: None)
        assert self.table.course.game is not None
        return telling.lines(self.table.course.game, self._follower.follow(taken), self.names)

    def ending(self) -> tuple[list[str], Exit]:
        """How it has ended, and what that proves."""
        report = verify(self.entries, games=self._games)
        course = self.table.course
        lines = []
        if self.table.fault is None and course.started and isinstance(over := course.state.need, Over):
            lines.append(told(over.told(self.names)))
        return [*lines, telling.about_verdict(report)], report.verdict.exit_code


async def watch(joiner: Joiner, address: Address, say: Say) -> Exit:
    """Follow the table at ``address`` to its end. Raises `NetworkError`, `StorageError`."""
    channel, presented = await connect(joiner, address)
    try:
        line = Line(TableStub(channel).Watch())
        host = await say_hello(joiner, line, address, presented, Role.WATCHER)
        watched = _("You watch the table of {name}, key {key}. Waiting for the game …")
        say(watched.format(name=host.name, key=fingerprint(host.identity)))
        onlooker = Onlooker(joiner.games)
        reason = 0
        while (frame := await line.read()) is not None:
            if frame.HasField("goodbye"):
                reason = int(frame.goodbye.reason)
                break
            for text in await asyncio.to_thread(_taken, onlooker, frame, host.identity, address):
                say(text)
    finally:
        await channel.close()
    if not onlooker.entries and reason:
        raise refused(reason)
    lines, code = await asyncio.to_thread(onlooker.ending)
    if not onlooker.has_ended:
        say(_("There is nothing more to see: {why}.").format(why=reasons.why(reason)))
    for text in lines:
        say(text)
    return code


def _taken(onlooker: Onlooker, frame: pb.Frame, host: bytes, address: Address) -> list[str]:
    try:
        if not frame.HasField("entry"):
            raise Noise("A frame that has no place here.")
        lines = onlooker.receive(frame.entry)
        if onlooker.table.course.members[0].identity != host:
            raise Noise("The table is that of another host.")
    except Noise as noise:
        raise wrong_program(address, noise) from None
    return lines
