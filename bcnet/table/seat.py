"""One seat's own side of a table: its secrets, what it owes, and what it can see.

Everything that a seat sends by itself follows from its seed and the public course, so a restarted program says the
same bytes again. This module signs nothing
and sends nothing.
"""

from __future__ import annotations

from google.protobuf.message import Message

from bcnet.errors import IllegalStep
from bcnet.fairness import sealed
from bcnet.fairness.beacon import Chain
from bcnet.fairness.keeper import DeckKeeper
from bcnet.games.interface import Action, Choose, Decide, Event, State
from bcnet.log import Round
from bcnet.secrets import Secrets, commitment
from bcnet.table import payloads
from bcnet.table.course import Course, Taken
from bcnet.table.following import Follower
from bcnet.table.membership import Member, Terms, host_context
from bcnet.table.rounds import Kind
from bcnet.wire.v1 import log_pb2 as pb


def host_member(secrets: Secrets, terms: Terms, identity: bytes, name: str) -> Member:
    """How the host sits down with these secrets, which must be new for every offer."""
    nonce = secrets.derive("nonce", context=terms.hash)
    return Member(identity, nonce, commitment(host_context(terms, nonce), 0, identity, secrets.seed), name)


def guest_member(secrets: Secrets, offer: bytes, seat: int, identity: bytes, name: str) -> Member:
    """How a guest sits down at the table of this offer id with these secrets, which must be new for every join."""
    nonce = secrets.derive("nonce", context=offer)
    return Member(identity, nonce, commitment(offer, seat, identity, secrets.seed), name)


class Seat:
    """The secrets of ``seat`` at the table whose course is ``course``."""

    def __init__(self, course: Course, seat: int, secrets: Secrets) -> None:
        self.number = seat
        self.secrets = secrets
        self._course = course
        self._chain: Chain | None = None
        self._keeper: DeckKeeper | None = None
        self._follower: Follower | None = None
        self.chosen: Action | None = None
        """What this seat has sealed, from when it stands in the log until all is opened."""

    # --- what it owes ---

    def owed(self, kind: Kind, here: Round) -> Message:
        """What this seat says in the open round ``here``, which awaits ``kind`` from it. Not for decisions."""
        match kind:
            case Kind.READY:
                return pb.Ready(tip=self._own_chain().tip)
            case Kind.SHARE:
                return pb.Share(link=self._own_chain().link(self._course.draw))
            case Kind.SHUFFLE:
                return payloads.write_shuffle(self._own_keeper().make_shuffle(here.number, here.head))
            case Kind.RESPONSES:
                return payloads.write_responses(
                    self._own_keeper().respond(self._course.challenges[self.number])
                )
            case Kind.UNMASK:
                return payloads.write_unmask(self._own_keeper().unmask(here.number, here.head))
            case Kind.REFRESH:
                return payloads.write_refresh(self._own_keeper().make_refresh(here.number, here.head))
            case Kind.UNSEAL:
                return self._unseal()
            case Kind.REVEAL:
                return pb.Reveal(seed=self.secrets.seed)
            case _:
                raise ValueError(f"a seat does not send {kind} by itself")

    def resignation(self) -> pb.Resign:
        """What this seat says to give up. With three or more seats the others get the seed, to go on."""
        return pb.Resign(seed=self.secrets.seed if self._course.seats > 2 else b"")

    # --- what it decides ---

    def act(self, action: Action, here: Round) -> pb.Act:
        """Say ``action`` with the proofs for the cards that it shows. Raises `IllegalStep` if the rules forbid it."""
        state = self.view()
        if state.need != Decide(self.number):
            raise IllegalStep("It is not your turn.")
        opened = state.opens(self.number, action)
        state.reveal(self.number, opened, publicly=True).apply(action)
        assert self._course.game is not None
        shown = self._course.state.hand(self.number).shown
        hidden = [card for card in opened if card not in shown]
        slots = self._own_slots()
        openings = [
            pb.Opening(
                slot=slots[card],
                card=card,
                proof=payloads.write_equality(self._own_keeper().open(here.number, here.head, slots[card])),
            )
            for card in hidden
        ]
        return pb.Act(action=self._course.game.write(action), openings=openings)

    def seal(self, action: Action, here: Round) -> pb.Seal:
        """Commit to a choice that is opened together with the others'. Raises `IllegalStep` if the rules forbid it."""
        need = self.view().need
        if not isinstance(need, Choose) or self.number not in need.seats:
            raise IllegalStep("You have nothing to choose now.")
        if action not in self.view().legal_actions(self.number):
            raise IllegalStep("That is not among what you can choose now.")
        return pb.Seal(commitment=self._sealed(action, here)[0])

    def has_sealed(self, commitment: bytes, here: Round) -> None:
        """The own seal stands in the log, said just now or before a restart.

        The choice itself is stored nowhere: the one that gives the commitment is looked for.
        """
        actions = self.view().legal_actions(self.number)
        self.chosen = next((each for each in actions if self._sealed(each, here)[0] == commitment), None)

    def _unseal(self) -> pb.Unseal:
        if self.chosen is None:
            raise ValueError("the seal in the log is not of this seat's making")
        assert self._course.seal_round is not None
        _, salt = self._sealed(self.chosen, self._course.seal_round)
        return pb.Unseal(choice=self._write(self.chosen).decode(), salt=salt)

    def _sealed(self, action: Action, here: Round) -> tuple[bytes, bytes]:
        """Commitment and salt of a choice that is sealed in the round ``here``."""
        return sealed.seal(self.secrets, self._course.place(self.number, here), self._write(action))

    # --- what it can see ---

    def follow(self, taken: Taken) -> tuple[Event, ...]:
        """Take note of a step of the game, in its order; gives the news of it as this seat sees them."""
        self.chosen = None
        return self._own_follower().follow(taken)

    def view(self) -> State:
        """The game as this seat sees it, as far as it has followed."""
        return self._own_follower().state

    def _own_follower(self) -> Follower:
        if self._follower is None:
            if self._course.initial is None:
                raise ValueError("the game has not begun")
            self._follower = Follower(self._course.initial, self._face_of)
        return self._follower

    def _face_of(self, slot: int, owner: int) -> int | None:
        return self._own_keeper().face(slot) if owner == self.number else None

    def _own_slots(self) -> dict[int, int]:
        """Card to slot, of all cards in the own hand."""
        deck = self._course.deck
        return (
            {} if deck is None else {self._own_keeper().face(slot): slot for slot in deck.hand(self.number)}
        )

    # --- secrets, made when first needed ---

    def _own_chain(self) -> Chain:
        if self._chain is None:
            identity = self._course.members[self.number].identity
            self._chain = Chain(self.secrets, self._course.table_id, self.number, identity)
        return self._chain

    def _own_keeper(self) -> DeckKeeper:
        if self._keeper is None:
            assert self._course.deck is not None
            self._keeper = DeckKeeper(self._course.deck, self.number, self.secrets)
        return self._keeper

    def _write(self, action: Action) -> bytes:
        assert self._course.game is not None
        return self._course.game.write(action).encode()
