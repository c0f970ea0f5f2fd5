"""Programs that cheat: players like any other, until the cheat spoils what they say, before it is signed.

A `Cheater` stands wherever a `Player` does: in a room of the tests, or behind a session and a real line. What it does
is a `Cheat`; the simplest ones are a function that changes one message (`spoils`), and all of those are collected in
`ATTACKS`, by name, with what an honest side must find.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from google.protobuf.message import Message

from bcnet.entry import Noise, place_of, read_entry, sign_entry
from bcnet.errors import IllegalStep
from bcnet.fairness.deck import Proofs
from bcnet.fairness.errors import Flaw
from bcnet.secrets import Secrets
from bcnet.signing import Identity
from bcnet.table.faults import FaultKind
from bcnet.table.payloads import Payload
from bcnet.table.player import Event, Player, Reaction, Standing
from bcnet.table.rounds import Await, Kind
from bcnet.table.seat import Seat
from bcnet.table.table import Accepted, Table
from bcnet.wire.v1 import log_pb2 as pb
from tests.table.room import MakePlayer, lookup


class Cheat:
    """What a dishonest program does otherwise. This one does nothing: it is honest."""

    def waits(self, me: Cheater, kind: Kind) -> bool:
        """Whether to say nothing in a round of this kind until all others have spoken."""
        return False

    def payload(self, me: Cheater, payload: Payload) -> Payload | None:
        """What to say in place of ``payload``; None to say nothing any more."""
        return payload

    def improvise(self, me: Cheater, kind: Kind) -> Payload | None:
        """What to say where earlier lies have left nothing honest to say; None for silence."""
        return None

    def body(self, me: Cheater, body: pb.Body) -> bytes:
        """The bytes to sign, where an honest program signs ``body``."""
        return body.SerializeToString(deterministic=True)

    def sent(self, me: Cheater, data: bytes) -> Sequence[bytes]:
        """What to send where an honest program sends the entry ``data``."""
        return [data]


class Cheater(Player):
    """A player with a modified program. It checks no proof, and sends also what its own table does not take."""

    def __init__(
        self, cheat: Cheat, seat: int, secrets: Secrets, identity: Identity, name: str | None = None
    ) -> None:
        super().__init__(
            seat, secrets, identity.public, identity.sign_message, name or f"player {seat}", games=lookup
        )
        self.cheat = cheat
        self.identity = identity
        self.table = Table(proofs=Proofs.LEAVE_TO_AUDIT, games=lookup)
        self.seat = Seat(self.table.course, seat, secrets)
        self.is_done = False
        """It has nothing more to say: its own table does not go on from here."""
        self.is_lost = False
        """Its lies do not fit what it sees: its own program cannot follow the game any more."""
        self.heard: list[bytes] = []
        """Every entry that it was sent."""

    def receive(self, data: bytes) -> Reaction:
        self.heard.append(data)
        return super().receive(data)

    def sign(self, body: pb.Body | bytes) -> bytes:
        """An entry over whatever it likes, signed with its own key."""
        data = body if isinstance(body, bytes) else body.SerializeToString(deterministic=True)
        return sign_entry(data, self._signer)

    def entry(self, kind: Kind, message: Message, **changes: object) -> bytes:
        """An entry in the open round with changes: ``round``, ``seat``, ``table``, ``head``, ``version``."""
        body = pb.Body.FromString(self.table.body(self.number, Payload(kind, message)))
        for name, value in changes.items():
            setattr(body, name, value)
        return self.sign(body)

    def _take(self, data: bytes) -> tuple[Event, ...]:
        """As a player does; where it cannot follow its own lies, it gives up at the next occasion."""
        if not self.is_lost:
            try:
                return super()._take(data)
            except (IllegalStep, ValueError):
                self.is_lost = self._resigning = True
        return self.table.receive(data) or (Accepted(*place_of(data), read_entry(data)),)

    @property
    def decision(self) -> Kind | None:
        return None if self._is_silent or self.is_lost else super().decision

    @property
    def _is_silent(self) -> bool:
        awaiting = self.table.awaiting
        is_last = awaiting is not None and awaiting.seats == (self.number,)
        return self.is_done or (
            awaiting is not None and not is_last and self.cheat.waits(self, awaiting.kind)
        )

    def _due(self, awaiting: Await) -> Payload | None:
        if self._is_silent:
            return None
        try:
            payload = super()._due(awaiting)
        except ValueError:  # its lies have made it impossible to go on honestly
            payload = self.cheat.improvise(self, awaiting.kind)
        return None if payload is None else self.cheat.payload(self, payload)

    def act(self, action: Any) -> Reaction:
        self._acting = True
        try:
            return super().act(action)
        except ValueError:  # it finds its own card no more
            self.is_lost = self._resigning = True
        finally:
            self._acting = False
        return self._advance(Reaction())

    _acting = False

    def _say(self, payload: Payload) -> Reaction:
        if self._acting and payload.kind in (Kind.ACT, Kind.SEAL):
            spoilt = self.cheat.payload(self, payload)
            if spoilt is None:
                self.is_done = True
                return Reaction()
            payload = spoilt
        body = pb.Body.FromString(self.table.body(self.number, payload))
        data = self.sign(self.cheat.body(self, body))
        sent = [Standing(self.number, each) for each in self.cheat.sent(self, data)]
        events: tuple[Event, ...] = ()
        try:
            events = self._take(data)
        except Noise:
            self.is_done = True
        if not events or self.table.fault is not None:
            self.is_done = True
        return Reaction(tuple(sent), events)


def cheater(cheat: Cheat) -> MakePlayer:
    """How a cheater sits down in a room."""
    return lambda seat, secrets, identity: Cheater(cheat, seat, secrets, identity)


Spoil = Callable[[Cheater, Any], Any]
"""Changes a message of one kind in place, or gives another message or payload to say instead."""


class Spoiler(Cheat):
    """Changes what is said in a round of ``kind``: the ``nth`` time (counted from 1), or each time with 0.

    With ``last`` it waits for all others to speak in such a round before it does.
    """

    def __init__(self, kind: Kind, spoil: Spoil, nth: int = 1, *, last: bool = False) -> None:
        self.kind = kind
        self.nth = nth
        self.spoil = spoil
        self.last = last
        self.said = 0

    def waits(self, me: Cheater, kind: Kind) -> bool:
        return self.last and kind is self.kind

    def improvise(self, me: Cheater, kind: Kind) -> Payload | None:
        return Payload(kind, pb.Unseal(choice="left", salt=bytes(32))) if kind is Kind.UNSEAL else None

    def payload(self, me: Cheater, payload: Payload) -> Payload | None:
        if payload.kind is not self.kind:
            return payload
        self.said += 1
        if self.nth and self.said != self.nth:
            return payload
        message = type(payload.message)()
        message.CopyFrom(payload.message)
        spoilt = self.spoil(me, message)
        if isinstance(spoilt, Payload):
            return spoilt
        return Payload(payload.kind, message if spoilt is None else spoilt)


class Silent(Cheat):
    """Says nothing any more, from its ``nth`` entry of a kind on (counted from 1)."""

    def __init__(self, kind: Kind, nth: int = 1) -> None:
        self.kind = kind
        self.nth = nth

    def payload(self, me: Cheater, payload: Payload) -> Payload | None:
        if payload.kind is self.kind:
            self.nth -= 1
        if self.nth > 0 or payload.kind is not self.kind:
            return payload
        me.is_done = True
        return None


class OwnOrder(Cheat):
    """Shuffles as well as anybody, but in another order than its seed says, and proves it: nothing shows until the end.

    Whoever does so could have tried many orders, each as random as the other, against what it had committed to. With
    ``kind`` refresh it does so with its hand.
    """

    def __init__(self, kind: Kind = Kind.SHUFFLE) -> None:
        self.kind = kind
        self.owes = False

    def payload(self, me: Cheater, payload: Payload) -> Payload | None:
        message: Any = type(payload.message)()
        message.CopyFrom(payload.message)
        if payload.kind is self.kind:
            points = message.points if self.kind is Kind.SHUFFLE else message.step.points
            points.append(points.pop(0))
            self.owes = True
        elif payload.kind is Kind.RESPONSES and self.owes:
            self.owes = False
            for response in message.responses:
                if response.HasField("bridge"):
                    order = response.bridge.permutation
                    response.bridge.permutation = bytes((place - 1) % len(order) for place in order)
        return Payload(payload.kind, message)


def body_of(data: bytes) -> pb.Body:
    """The body of a well-formed entry."""
    return pb.Body.FromString(pb.Entry.FromString(data).body)


class Says(Cheat):
    """Says something of its own at the first entry of a kind, and what is right as well or not."""

    def __init__(self, kind: Kind, say: Callable[[Cheater, bytes], Sequence[bytes]]) -> None:
        self.kind = kind
        self.say = say
        self.done = False

    def sent(self, me: Cheater, data: bytes) -> Sequence[bytes]:
        if self.done or body_of(data).WhichOneof("payload") != self.kind:
            return [data]
        self.done = True
        return self.say(me, data)


@dataclass(frozen=True)
class Attack:
    """A cheat with a name, and what comes of it."""

    name: str
    does: str
    cheat: Callable[[], Cheat]
    fault: FaultKind | None
    """What the cheater is convicted of; None where its entry is noise and proves nothing."""
    flaws: tuple[str, ...] = ("",)
    """The flaw that is named, or those that may be: the challenge decides what is stumbled over first."""
    found: Kind | None = None
    """The kind of round whose entry convicts it, where that is another one than the cheat was in."""
    seats: Sequence[int] = (1,)
    """The seats that a test lets the cheater take."""
    noise: str = ""
    """Words of what an honest side says of the noise."""
    private_hands: bool = False
    """Whether it needs a table with private hands."""


ATTACKS: list[Attack] = []


def spoils(
    kind: Kind,
    fault: FaultKind | None,
    flaws: Flaw | tuple[Flaw, ...] | None = None,
    *,
    nth: int = 1,
    last: bool = False,
    found: Kind | None = None,
    seats: Sequence[int] = (1,),
    noise: str = "",
    private_hands: bool = False,
) -> Callable[[Spoil], Spoil]:
    """Enter a function that changes a message as an attack; its docstring says what the cheat is."""

    def enter(spoil: Spoil) -> Spoil:
        ATTACKS.append(
            Attack(
                name=spoil.__name__.replace("_", "-"),
                does=(spoil.__doc__ or "").strip(),
                cheat=lambda: Spoiler(kind, spoil, nth, last=last),
                fault=fault,
                flaws=("",) if flaws is None else (flaws,) if isinstance(flaws, Flaw) else flaws,
                found=found or kind,
                seats=seats,
                noise=noise,
                private_hands=private_hands,
            )
        )
        return spoil

    return enter
