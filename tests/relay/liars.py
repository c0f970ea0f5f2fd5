"""Hosts that lie about what they pass on, by name: each changes the frames on their way to a guest, nothing else.

A liar is the same in memory (``circle``) and as a program (``tests/cheaters``). The guest on the last seat is the
*victim*, who is lied to; mostly about the guest on the first.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from bcnet.entry import place_of, sign_entry
from bcnet.signing import Identity
from bcnet.table.rounds import Kind
from bcnet.wire.v1 import log_pb2
from bcnet.wire.v1 import table_pb2 as pb

OTHER = 1
"""The guest whose entries are tampered with."""


class Liar:
    """An honest host; the liars are made from it."""

    def __init__(self, seats: int) -> None:
        self.victim = seats - 1
        self.identity = Identity(bytes(range(32)))
        """The host's own key, once it has one."""
        self.is_done = False
        """Whether the lie has been told."""

    def frames(self, guest: int, frame: pb.Frame) -> Iterable[pb.Frame]:
        """What a guest is sent where an honest host sends this frame."""
        if guest == self.victim and not self.is_done and self.is_it(frame):
            self.is_done = True
            return self.instead(frame)
        return [frame]

    def is_it(self, frame: pb.Frame) -> bool:
        """Whether it is about this frame to the victim that it lies."""
        return False

    def instead(self, frame: pb.Frame) -> Iterable[pb.Frame]:
        """What the victim is sent in place of it."""
        return [frame]


class AboutAnEntry(Liar):
    """Lies about one entry: the ``nth`` of a kind that a seat has said."""

    def __init__(self, seats: int, kind: Kind = Kind.SHARE, nth: int = 1, seat: int = OTHER) -> None:
        super().__init__(seats)
        self.kind = kind
        self.seat = seat
        self._left = nth

    def is_it(self, frame: pb.Frame) -> bool:
        body = body_in(frame)
        is_such = body is not None and (body.seat, body.WhichOneof("payload")) == (self.seat, self.kind)
        self._left -= is_such
        return is_such and self._left <= 0


def body_in(frame: pb.Frame) -> log_pb2.Body | None:
    """The body of the entry in a frame; None if it holds none."""
    return log_pb2.Body.FromString(entry_in(frame).body) if frame.HasField("entry") else None


def entry_in(frame: pb.Frame) -> log_pb2.Entry:
    return log_pb2.Entry.FromString(frame.entry)


def framed(body: bytes, signature: bytes) -> pb.Frame:
    """An entry of these parts on its way."""
    return pb.Frame(entry=log_pb2.Entry(body=body, signature=signature).SerializeToString(deterministic=True))


def signed(body: log_pb2.Body, identity: Identity) -> pb.Frame:
    """An entry signed by this key on its way."""
    return pb.Frame(entry=sign_entry(body.SerializeToString(deterministic=True), identity.sign_message))


class ForgesAnEntry(AboutAnEntry):
    """Says something of its own in a guest's name, signed with its own key."""

    def instead(self, frame: pb.Frame) -> Iterable[pb.Frame]:
        body = body_in(frame)
        assert body is not None
        body.share.link = bytes(32)
        return [signed(body, self.identity)]


class ChangesAByte(AboutAnEntry):
    """Changes the last byte of what a guest has said, under that guest's signature."""

    def instead(self, frame: pb.Frame) -> Iterable[pb.Frame]:
        entry = entry_in(frame)
        return [framed(entry.body[:-1] + bytes([entry.body[-1] ^ 1]), entry.signature)]


class HidesAnEntry(AboutAnEntry):
    """Does not pass on to one guest what another has said, and goes on as if it had."""

    def instead(self, frame: pb.Frame) -> Iterable[pb.Frame]:
        return []


class HoldsBack(AboutAnEntry):
    """Passes nothing on to one guest from an entry of another on, until it sees fit: that one looks slow."""

    def __init__(self, seats: int, kind: Kind = Kind.SHARE, nth: int = 1, seat: int = OTHER) -> None:
        super().__init__(seats, kind, nth, seat)
        self.held: deque[pb.Frame] = deque()
        self.lets_go = False

    def frames(self, guest: int, frame: pb.Frame) -> Iterable[pb.Frame]:
        if guest != self.victim or self.lets_go or not (self.is_done or self.is_it(frame)):
            return [frame]
        self.is_done = True
        self.held.append(frame)
        return []


class TwoHistories(AboutAnEntry):
    """Signs two entries for one round: one for its own log and most guests, another for one of them."""

    def __init__(self, seats: int, kind: Kind = Kind.READY, nth: int = 1, seat: int = 0) -> None:
        super().__init__(seats, kind, nth, seat)

    def author(self) -> Identity:
        """Who signs the second."""
        return self.identity

    def instead(self, frame: pb.Frame) -> Iterable[pb.Frame]:
        body = body_in(frame)
        assert body is not None
        another(body)
        return [signed(body, self.author())]


def another(body: log_pb2.Body) -> None:
    """Change a body to another that is right where it stands, as far as anybody can see then."""
    if body.HasField("ready"):
        body.ready.tip = bytes(range(32))
    else:
        body.seal.commitment = bytes(range(32))


class TwoVersionsOfAGuest(TwoHistories):
    """Passes on two entries for one round of a guest who is in league with it: one of them to one guest alone."""

    def __init__(
        self, seats: int, accomplice: Callable[[int], Identity], kind: Kind = Kind.READY, nth: int = 1
    ) -> None:
        super().__init__(seats, kind, nth, OTHER)
        self.accomplice = accomplice
        """Gives the key of the guest on a seat, who has told it to the host."""

    def author(self) -> Identity:
        return self.accomplice(self.seat)


class EntryOfAnotherTable(AboutAnEntry):
    """Passes on what a guest has truly said, at a table of another evening."""

    def __init__(self, seats: int, guest: Callable[[int], Identity]) -> None:
        super().__init__(seats)
        self._guest = guest

    def instead(self, frame: pb.Frame) -> Iterable[pb.Frame]:
        body = body_in(frame)
        assert body is not None
        body.table = bytes(range(32))
        return [signed(body, self._guest(self.seat)), frame]


class EntryOfAnEarlierRound(AboutAnEntry):
    """Passes on once more, in place of what a guest says, what it has said some rounds before; then what it says."""

    def __init__(self, seats: int) -> None:
        super().__init__(seats, nth=2)
        self._said: list[pb.Frame] = []

    def is_it(self, frame: pb.Frame) -> bool:
        if frame.HasField("entry") and place_of(frame.entry)[1] == self.seat:
            self._said.append(frame)
        return super().is_it(frame)

    def instead(self, frame: pb.Frame) -> Iterable[pb.Frame]:
        return [*self._said[:-1], frame]


class EntryOfALaterRound(AboutAnEntry):
    """Passes on to one guest what comes after an entry before that entry itself."""

    def __init__(self, seats: int) -> None:
        super().__init__(seats)
        self._late: pb.Frame | None = None

    def frames(self, guest: int, frame: pb.Frame) -> Iterable[pb.Frame]:
        if self._late is not None and guest == self.victim and frame.HasField("entry"):
            late, self._late = self._late, None
            if place_of(frame.entry)[0] > place_of(late.entry)[0]:
                return [frame, late]
            self._late = late
        return super().frames(guest, frame)

    def instead(self, frame: pb.Frame) -> Iterable[pb.Frame]:
        self._late = frame
        return []


class DropsAJoin(AboutAnEntry):
    """Does not pass on to one guest that another has sat down."""

    def __init__(self, seats: int) -> None:
        super().__init__(seats, Kind.JOIN)

    def instead(self, frame: pb.Frame) -> Iterable[pb.Frame]:
        return []


class AnotherJoin(AboutAnEntry):
    """Tells one guest that somebody else has sat down in another's place: a key of the host's own making."""

    def __init__(self, seats: int) -> None:
        super().__init__(seats, Kind.JOIN)

    def instead(self, frame: pb.Frame) -> Iterable[pb.Frame]:
        body = body_in(frame)
        assert body is not None
        puppet = Identity(bytes(range(1, 33)))
        body.join.guest.identity = puppet.public
        return [signed(body, puppet)]


class FalsePresence(AboutAnEntry):
    """Tells one guest that another has gone, and soon that it is back; it had been there all the time."""

    def instead(self, frame: pb.Frame) -> Iterable[pb.Frame]:
        gone = pb.Presence(seat=self.seat)
        return [
            pb.Frame(presence=gone),
            pb.Frame(presence=pb.Presence(seat=self.seat, here=True)),
            pb.Frame(presence=gone),
            frame,
        ]


class PresenceOf(AboutAnEntry):
    """Tells a guest that a seat has gone of which it has nothing to tell."""

    def __init__(self, seats: int, of: int | None) -> None:
        super().__init__(seats)
        self._of = self.victim if of is None else of

    def instead(self, frame: pb.Frame) -> Iterable[pb.Frame]:
        return [pb.Frame(presence=pb.Presence(seat=self._of)), frame]
