"""bcnet with one thing changed: the program of a cheater, over the real network service.

It is the program that everybody has (commands, TLS, hellos, session, journal), in which a player says what a `Trick`
makes of it, in place of what is right. Everything that passes the line is kept, for the test to look at.
"""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from bcnet import cli
from bcnet.entry import Noise, Signer
from bcnet.home import Home
from bcnet.secrets import Secrets
from bcnet.session import Session
from bcnet.table.membership import GameLookup
from bcnet.table.payloads import Payload
from bcnet.table.player import Reaction, Standing
from bcnet.table.rounds import Kind
from bcnet.wire.v1 import log_pb2
from bcnet.wire.v1 import table_pb2 as pb
from bcnet.wire.v1.table_pb2_grpc import TableStub
from bcnet_client.line import Line
from tests.attacks.cheats import Cheat, Cheater
from tests.relay.liars import Liar, TwoVersionsOfAGuest

RECORD = "BCNET_CHEATER_RECORD"
"""Names the file in which all frames are kept, in both directions."""
REHEARSED = "BCNET_CHEATER_REHEARSED"
"""Names the record of an earlier run, for whoever replays it."""
ACCOMPLICE = "BCNET_CHEATER_ACCOMPLICE"
"""Names the home of the guest that is in league with a lying host."""

Sent = pb.Frame | bytes
"""What is sent as a frame; bytes need not be one."""


class Trick(Cheat):
    """What the modified program does otherwise: with an entry, as any `Cheat`, or with the frames on the line."""

    patches: Mapping[str, Any] = {}
    """What else of the program is another: dotted names, and what stands there."""
    me: Mallory
    """The player, once there is one."""

    def beside(self, me: Cheater) -> Sequence[bytes]:
        """Entries to send though nobody waits for them; asked whenever something has happened."""
        return ()

    def frames(self, frame: pb.Frame) -> Iterable[Sent]:
        """What to send where an honest program sends this frame."""
        return [frame]

    def to(self, guest: int, frame: pb.Frame) -> Iterable[Sent]:
        """The same, of a host, to the guest on a seat (0: nobody sits there yet)."""
        return self.frames(frame)


class Then(Trick):
    """Another cheat, in a game that this side resigns at its first move: so that what comes at the end comes soon."""

    def __init__(self, cheat: Cheat | None = None) -> None:
        self._cheat = cheat or Cheat()

    def waits(self, me: Cheater, kind: Kind) -> bool:
        return self._cheat.waits(me, kind)

    def payload(self, me: Cheater, payload: Payload) -> Payload | None:
        if payload.kind is Kind.ACT:
            payload = Payload(Kind.RESIGN, log_pb2.Resign())
        return self._cheat.payload(me, payload)

    def sent(self, me: Cheater, data: bytes) -> Sequence[bytes]:
        return self._cheat.sent(me, data)

    def frames(self, frame: pb.Frame) -> Iterable[Sent]:
        return self._cheat.frames(frame) if isinstance(self._cheat, Trick) else [frame]


class Lies(Trick):
    """Lies as a host about what it passes on."""

    def __init__(self, liar: Liar) -> None:
        self._liar = liar
        if isinstance(liar, TwoVersionsOfAGuest) and ACCOMPLICE in os.environ:
            liar.accomplice = lambda _seat: Home(Path(os.environ[ACCOMPLICE])).identity()

    def to(self, guest: int, frame: pb.Frame) -> Iterable[Sent]:
        self._liar.identity = self.me.identity
        return self._liar.frames(guest, frame)


class Mallory(Cheater):
    """The cheater's player, made by a session as it makes any."""

    def __init__(self, trick: Cheat, seat: int, secrets: Secrets, signer: Signer, name: str) -> None:
        super().__init__(trick, seat, secrets, signer.__self__, name)  # type: ignore[attr-defined]
        if isinstance(trick, Trick):
            trick.me = self

    def receive(self, data: bytes) -> Reaction:
        try:
            return super().receive(data)
        except Noise:
            if not self.is_done:
                raise
            return Reaction()  # its own table has ended with its lie; it listens on

    def _advance(self, reaction: Reaction) -> Reaction:
        reaction = super()._advance(reaction)
        trick = self.cheat
        if isinstance(trick, Trick) and (more := trick.beside(self)):
            standing = tuple(Standing(self.number, data) for data in more)
            return Reaction(reaction.entries + standing, reaction.events, reaction.note)
        return reaction


class CheatingSession(Session):
    """A session that does not care whether its own table has found a fault of its own."""

    def _send(self, reaction: Reaction) -> None:
        for wire in self._wires:
            if wire.is_open:
                for standing in reaction.entries:
                    if standing.seat not in wire.seats:
                        wire.put(pb.Frame(entry=standing.data))

    async def _finish_if_ended(self) -> None:
        if self.player.table.fault is None:
            await super()._finish_if_ended()


class CheatingLine(Line):
    """A line on which the trick changes what is sent, and all that passes is kept."""

    trick: Cheat
    record: Path
    guest = 0
    """The seat at the other end, where that is a guest who has one."""

    async def read(self) -> pb.Frame | None:
        frame = await super().read()
        if frame is not None:
            self._keep("heard", frame.SerializeToString())
        return frame

    async def write(self, frame: pb.Frame) -> bool:
        if frame.HasField("gathering"):
            self.guest = frame.gathering.seat
        frames = self.trick.to(self.guest, frame) if isinstance(self.trick, Trick) else [frame]
        is_up = True
        for each in frames:
            self._keep("said", each if isinstance(each, bytes) else each.SerializeToString())
            is_up = await super().write(each)  # type: ignore[arg-type]
        return is_up

    def _keep(self, way: str, data: bytes) -> None:
        with self.record.open("a") as file:
            file.write(json.dumps([way, data.hex()]) + "\n")


class RawStub(TableStub):
    """A guest's end of the service that sends bytes as they are."""

    def __init__(self, channel: Any) -> None:
        super().__init__(channel)  # type: ignore[no-untyped-call]
        self.Play = channel.stream_stream(
            "/bcnet.wire.v1.Table/Play",
            request_serializer=lambda frame: frame if isinstance(frame, bytes) else frame.SerializeToString(),
            response_deserializer=pb.Frame.FromString,
        )


def kept(record: Path) -> list[tuple[str, bytes]]:
    """What has passed the line: whether it was ``said`` or ``heard``, and the serialised frame."""
    lines = record.read_text().splitlines() if record.exists() else []
    return [(way, bytes.fromhex(data)) for way, data in map(json.loads, lines)]


def run(trick: Cheat, arguments: Sequence[str]) -> NoReturn:
    """Run bcnet's own command line with the trick in it; ends the process with its exit code."""

    def player(
        seat: int, secrets: Secrets, _identity: bytes, signer: Signer, name: str, *, games: GameLookup
    ) -> Mallory:
        return Mallory(trick, seat, secrets, signer, name)

    CheatingLine.trick = trick
    CheatingLine.record = Path(os.environ.get(RECORD, os.devnull))
    patches: dict[str, Any] = {
        "bcnet.session.Player": player,
        "bcnet_client.join.Session": CheatingSession,
        "bcnet_client.join.Line": CheatingLine,
        "bcnet_client.join.TableStub": RawStub,
        "bcnet_host.admission.Session": CheatingSession,
        "bcnet_host.server.Line": CheatingLine,
    }
    if isinstance(trick, Trick):
        patches |= trick.patches
    for place, put in patches.items():
        module, _, name = place.rpartition(".")
        setattr(importlib.import_module(module), name, put)
    cli.main(arguments)
