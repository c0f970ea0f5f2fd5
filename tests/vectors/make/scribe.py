"""A whole table in one hand: every seat's statements, honest ones by default, any others on request.

The maker of vectors has the keys and seeds of all seats, so it can write a game at will, and put any words into any
seat's mouth under its true signature. Nothing is random: keys, seeds and moves follow from the name of the vector.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256

from google.protobuf.message import Message

from bcnet.entry import sign_entry, sign_note, write_body
from bcnet.fairness.beacon import Choices
from bcnet.fairness.deck import Proofs
from bcnet.games import registry
from bcnet.games.balloon_cup.notation import write
from bcnet.games.interface import Action, Over
from bcnet.secrets import Secrets
from bcnet.signing import Identity
from bcnet.table.course import Course
from bcnet.table.membership import Member, Terms
from bcnet.table.payloads import Payload
from bcnet.table.rounds import DECISIONS, Kind
from bcnet.table.seat import Seat, guest_member, host_member
from bcnet.table.table import Table
from bcnet.wire.v1 import log_pb2 as pb

GAME = "balloon-cup"
NAMES = ("Ada", "Grace")
HOST, GUEST = 0, 1


def fixed(label: str, *parts: str | int) -> bytes:
    """32 bytes that follow from a label: the keys, seeds and nonces of the vectors."""
    return sha256(" ".join(map(str, ("bcnet vectors:", label, *parts))).encode()).digest()


def identity(seat: int) -> Identity:
    """The identity key of a seat; the same in all vectors."""
    return Identity(fixed("identity", seat))


_PURPOSES = {
    Kind.READY: "chain",
    Kind.SHARE: "chain",
    Kind.SHUFFLE: "deck",
    Kind.RESPONSES: "deck",
    Kind.UNMASK: "deck",
    Kind.REFRESH: "deck",
}
"""For which purpose a seat uses its secrets, by what it says."""

Policy = Callable[[str], int]
"""How much a seat likes an action, given in its notation; among those that it likes best it takes one by lot."""


def anything(_text: str) -> int:
    return 0


@dataclass
class Scribe:
    """One table, its entries so far, and all seats' secrets.

    ``lies`` replaces the secrets from which a seat makes what it publishes for one purpose: ``lies["chain", 1]`` is
    a chain that the committed seed of seat 1 does not give.
    """

    name: str
    fill: str = "designer"
    policy: Policy = anything
    lies: dict[tuple[str, int], bytes] = field(default_factory=dict)
    entries: list[bytes] = field(default_factory=list)
    blind: bool = False
    """Whether the seats no longer look at their cards: after a lie that goes unpunished they find none."""
    private_hands: bool = False

    def __post_init__(self) -> None:
        # The proofs of what is written here are true or false on purpose: nothing is gained by checking them.
        self.table = Table(proofs=Proofs.LEAVE_TO_AUDIT)
        self.identities = [identity(seat) for seat in (HOST, GUEST)]
        self.secrets = [Secrets(fixed("seed", self.name, seat)) for seat in (HOST, GUEST)]
        self.seats = [Seat(self.course, seat, self.secrets[seat]) for seat in (HOST, GUEST)]
        self._moves = Choices(fixed("moves", self.name))
        self._followed = 0

    # --- where the table stands ---

    @property
    def course(self) -> Course:
        return self.table.course

    @property
    def kind(self) -> Kind | None:
        """What the open round awaits; None when the table is complete."""
        return self.table.awaiting.kind if self.table.awaiting else None

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seats that the open round still awaits."""
        return self.table.awaiting.seats if self.table.awaiting else ()

    @property
    def round(self) -> int:
        return self.table.log.open.number

    @property
    def result(self) -> Over:
        """How the game has ended."""
        need = self.course.state.need
        assert isinstance(need, Over)
        return need

    # --- what seats say ---

    def terms(self) -> Terms:
        return Terms.of(registry.get(GAME), 2, {"fill": self.fill}, private_hands=self.private_hands)

    def honest(self, seat: int, action: str | None = None) -> pb.Body:
        """What an honest program of this seat would say now, as a message that may be spoilt."""
        kind = self.kind
        assert kind is not None
        return self.body(seat, kind, self._payload(kind, seat, action))

    def note(self, seat: int) -> pb.CarriedNote:
        """A note by which a seat resigns in the open round."""
        return self.sign_note(seat, pb.NoteBody.FromString(self.table.note_body(seat, pb.Resign())))

    def entry(self, seat: int, body: pb.Body | bytes) -> bytes:
        """A signed entry over any body."""
        return sign_entry(body if isinstance(body, bytes) else write_body(body), self._signer(seat))

    def sign_note(self, seat: int, body: pb.NoteBody | bytes) -> pb.CarriedNote:
        """A signed note over any body."""
        return sign_note(body if isinstance(body, bytes) else write_body(body), self._signer(seat))

    def body(self, seat: int, kind: Kind, message: Message) -> pb.Body:
        """A body of any kind for the open round."""
        return pb.Body.FromString(self.table.body(seat, Payload(kind, message)))

    # --- what happens ---

    def say(self, seat: int, body: pb.Body | None = None) -> None:
        """Put the seat's entry into the log: an honest one, or this one, which must be one that the table takes."""
        data = self.entry(seat, self.honest(seat) if body is None else body)
        events = self.table.receive(data)
        assert events, self.name
        assert self.table.fault is None, (self.name, self.table.fault)
        self.entries.append(data)
        while not self.blind and self._followed < len(self.course.steps):
            for own in self.seats:
                own.follow(self.course.steps[self._followed])
            self._followed += 1

    def play(self, until: Callable[[Scribe], bool] = lambda _: False) -> Scribe:
        """All say what they owe, seat 0 first, until the table is complete or ``until`` holds."""
        while self.awaited and not until(self):
            self.say(self.awaited[0])
        return self

    def resign(self, seat: int) -> Scribe:
        """The seat gives up in the open round, which awaits it; then all say what they owe."""
        self.say(seat, self.body(seat, Kind.RESIGN, pb.Resign()))
        return self.play()

    # --- inside ---

    def _signer(self, seat: int) -> Callable[[bytes], bytes]:
        return self.identities[seat].sign_message

    def _payload(self, kind: Kind, seat: int, action: str | None) -> Message:
        own = self._liar(kind, seat)
        if kind is Kind.OFFER:
            return pb.Offer(terms=self.terms().message(), host=self.member(HOST).message())
        if kind is Kind.JOIN:
            return pb.Join(guest=self.member(seat).message())
        if kind in DECISIONS:
            return own.act(self._choice(own, action), self.table.log.open)
        return own.owed(kind, self.table.log.open)

    def member(self, seat: int) -> Member:
        """How a seat sits down."""
        key = self.identities[seat].public
        if seat == HOST:
            return host_member(self.secrets[HOST], self.terms(), key, NAMES[HOST])
        return guest_member(self.secrets[seat], self.course.offer_id, seat, key, NAMES[seat])

    def _choice(self, own: Seat, action: str | None) -> Action:
        # Sorted by their notation, so that the order in which the game lists them changes no vector.
        actions = {write(action): action for action in own.view().legal_actions(own.number)}
        if action is not None:
            return actions[action]
        best = max(map(self.policy, actions))
        liked = sorted(text for text in actions if self.policy(text) == best)
        return actions[liked[self._moves.below(len(liked))]]

    def _liar(self, kind: Kind, seat: int) -> Seat:
        purpose = _PURPOSES.get(kind)
        if purpose is None or (purpose, seat) not in self.lies:
            return self.seats[seat]
        return Seat(self.course, seat, Secrets(self.lies[purpose, seat]))
