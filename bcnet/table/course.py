"""The course of a table: which rounds follow one another, and what each brings about.

Two rules, as one would want them of any protocol's state machine:

1. All transitions live here. `Course.run` is the whole order of a table from the offer to the revealed seeds, a
   script that yields each round it awaits (`Await`) and goes on when the round is closed.
2. This file does not know which side we are. It holds no secret and sees only what everybody sees; a player, an
   onlooker and the verifier run the same course.

The game says what it needs (``state.need``), and each need has one way of being met here. Where a game goes on
without a seat that resigned, that seat has handed over its seed: everybody takes its masks off from then on, it adds
nothing to the beacon any more, and none of its entries is awaited.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Any

from bcnet.entry import MalformedBody, Noise, note_signed_by, read_note
from bcnet.errors import IllegalStep, MalformedNotation, UsageError
from bcnet.fairness import beacon, sealed
from bcnet.fairness.deck import Deck, Proofs
from bcnet.fairness.errors import Invalid
from bcnet.fairness.steps import SHADOWS
from bcnet.games.interface import (
    MAX_NOTATION,
    Action,
    Chance,
    Choose,
    Chosen,
    Deal,
    Dealt,
    Decide,
    Exhausted,
    Game,
    Over,
    Resigned,
    Shuffle,
    Shuffled,
    State,
    Step,
)
from bcnet.hashing import HASH_SIZE, PROTOCOL_VERSION
from bcnet.log import Log, Round
from bcnet.secrets import SEED_SIZE, Secrets, commitment
from bcnet.table import payloads
from bcnet.table.faults import FaultKind, Violation
from bcnet.table.membership import GameLookup, Member, Terms, host_context, offer_id, table_id
from bcnet.table.rounds import Await, Kind, Resignation
from bcnet.wire.v1 import log_pb2 as pb

DECK = "main"
"""The name of a game's one deck, as it enters the card points."""

MAX_ROUNDS = 1 << 13
"""Closed rounds after which a game is ended, drawn: a game has some 200. Two players who are stuck could exchange cards
for ever, and what they have signed would keep every verifier busy."""

Script = Generator[Await, Mapping[int, Any], None]
Answers = Generator[Await, Mapping[int, Any], Mapping[int, Any]]


@dataclass(frozen=True, slots=True)
class Taken:
    """A step of the game: the round in which it came about, the seat whose decision it was (None: nobody's), the cards
    that were opened for it (ascending), and what everybody knows after it.
    """

    round: int
    seat: int | None
    step: Step
    opened: tuple[int, ...]
    state: State


@dataclass(frozen=True, slots=True)
class Draw:
    """One draw of the beacon: the round that revealed the links, the head at its start, the links in seat order."""

    table_id: bytes
    round: int
    head: bytes
    links: tuple[bytes, ...]

    def output(self, purpose: str, seat: int | None = None) -> bytes:
        """The output for one purpose, 32 bytes; for the challenge of a seat's step one of its own."""
        return beacon.output(self.table_id, purpose, seat, self.round, self.head, self.links)

    def choices(self, purpose: str, seat: int | None = None) -> beacon.Choices:
        """The stream from an output."""
        return beacon.Choices(self.output(purpose, seat))


@dataclass(frozen=True, slots=True)
class _Move:
    """What an accepted action means: it, the state after it, and slots by card that it showed."""

    action: Action
    state: State
    slots: Mapping[int, int]


class _Over(Exception):
    """Somebody's resignation has ended the game, wherever the course stood."""


class _Reconsider(Exception):
    """Somebody resigned and the game goes on: ask it anew what it needs."""


class Course:
    """Where a table stands. Everything here is public; attributes are read by all, written by this class alone."""

    def __init__(self, log: Log, games: GameLookup, proofs: Proofs, vouched: int | None) -> None:
        self._log = log
        self._games = games
        self._proofs = proofs
        self._vouched = vouched
        self.game: Game | None = None
        self.terms: Terms | None = None
        self.initial: State | None = None
        """The game before anything has happened."""
        self.members: list[Member] = []
        """By seat, as far as they have sat down."""
        self.offer_id = b""
        self.table_id = b""
        """Empty until everybody has joined."""
        self.tips: dict[int, bytes] = {}
        """The end of each seat's chain, 32 bytes."""
        self.chains: dict[int, beacon.Revealed] = {}
        """What is revealed of the chain of each seat that still takes part."""
        self.draw = 0
        """The number of the latest draw of the beacon, counted from 1: the index of the links that it takes."""
        self.first_draw: Draw | None = None
        """The first draw of the beacon, from which the four words come; None before it."""
        self.deck: Deck | None = None
        self.challenges: dict[int, tuple[int, ...]] = {}
        """The challenge bits of each seat's latest step."""
        self.seals: dict[int, bytes] = {}
        """The commitments of the choice that is being opened, and the round in which they stand."""
        self.seal_round: Round | None = None
        self.steps: list[Taken] = []
        self.seeds: dict[int, bytes] = {}
        """The seeds that have been revealed."""
        self.complete = False
        self._state: State | None = None
        self._shown: dict[int, dict[int, int]] = {}  # seat -> card -> slot, of cards shown and still held

    @property
    def state(self) -> State:
        """The game as everybody sees it. Raises ValueError before it has begun."""
        if self._state is None:
            raise ValueError("the game has not begun")
        return self._state

    @property
    def started(self) -> bool:
        """Whether the game has begun, so that there is a state."""
        return self._state is not None

    @property
    def seats(self) -> int:
        """The number of seats; 0 before the offer."""
        return self.terms.seats if self.terms else 0

    @property
    def everyone(self) -> tuple[int, ...]:
        """All seats, ascending."""
        return tuple(range(self.seats))

    @property
    def present(self) -> tuple[int, ...]:
        """The seats, ascending, that have not left a game which goes on without them."""
        return tuple(sorted(self.chains))

    def shown(self, seat: int) -> Mapping[int, int]:
        """Card to slot, of the cards that a seat has shown and still holds."""
        return self._shown.get(seat, {})

    def place(self, seat: int, here: Round) -> sealed.Place:
        """Where ``seat`` seals a choice in this round."""
        return sealed.Place(self.table_id, here.number, here.head, seat, self.members[seat].identity)

    # --- the whole course ---

    def run(self) -> Script:
        """The course of a table from the offer to the seeds."""
        yield from self._sit_down()
        while not isinstance(self.state.need, Over):
            try:
                yield from self._meet_need()
            except (_Reconsider, _Over):
                continue
        yield from self._reveal()
        self.complete = True

    def _meet_need(self) -> Script:
        if len(self._log) >= MAX_ROUNDS:
            self._take(Exhausted())
            return
        match self.state.need:
            case Decide() | Choose() if self._owes_refresh:
                yield from self._refresh()
            case Shuffle(cards):
                yield from self._shuffle(cards)
            case Chance():
                draw = yield from self._draw()
                self._settle(draw)
            case Deal(seats):
                yield from self._deal(seats)
            case Decide(seat):
                yield from self._decide(seat)
            case Choose(seats):
                yield from self._choose(seats)
            case Over():
                raise ValueError("a game that is over needs nothing")

    # --- sitting down ---

    def _sit_down(self) -> Script:
        offers = yield Await(Kind.OFFER, (0,), self._take_offer)
        self.game, self.terms, host = offers[0]
        self.members = [host]
        self.offer_id = offer_id(self.terms, host)
        joins = yield Await(Kind.JOIN, self.everyone[1:], self._take_join)
        self.members += [joins[seat] for seat in self.everyone[1:]]
        self.table_id = table_id(self.offer_id, self.members[1:])
        self.tips = dict((yield Await(Kind.READY, self.everyone, self._take_ready)))
        self.chains = {
            seat: beacon.Revealed(self.table_id, seat, self.members[seat].identity, tip)
            for seat, tip in self.tips.items()
        }
        self._shown = {seat: {} for seat in self.everyone}
        if self.game.deck:
            size = len(self.game.deck)
            self.deck = Deck(
                self.game.name,
                DECK,
                size,
                self.seats,
                self.table_id,
                proofs=self._proofs,
                vouched=self._vouched,
            )
        self.initial = self._state = self.game.initial(self.seats, self.terms.game_options)

    def _take_offer(self, _seat: int, payload: pb.Offer) -> tuple[Game, Terms, Member]:
        terms = Terms.from_message(payload.terms)
        try:
            game = self._games(terms.game)
        except UsageError:
            raise Noise("This program does not know the game {game}.", game=repr(terms.game[:40])) from None
        terms.check(game)
        host = Member.from_message(payload.host)
        host.check()
        return game, terms, host

    def _take_join(self, seat: int, payload: pb.Join) -> Member:
        guest = Member.from_message(payload.guest)
        guest.check()
        others = [Member.from_message(body.join.guest) for body in self._said_in_this_round()]
        if any(guest.commitment == other.commitment for other in [*self.members, *others]):
            raise Noise("The commitment of seat {seat} is a copy of another seat's.", seat=seat)
        return guest

    def _take_ready(self, seat: int, payload: pb.Ready) -> bytes:
        if len(payload.tip) != HASH_SIZE:
            raise Violation(
                FaultKind.CHAIN,
                "The chain tip of seat {seat} has {size} bytes.",
                seat=seat,
                size=len(payload.tip),
            )
        if any(payload.tip == body.ready.tip for body in self._said_in_this_round()):
            # Nobody can tell who copied whom, and the copy could never be opened: refused, and no one is accused.
            raise Noise("The chain tip of seat {seat} is a copy of another seat's.", seat=seat)
        return payload.tip

    def _said_in_this_round(self) -> list[pb.Body]:
        return [pb.Body.FromString(entry.body) for entry in self._log.open.in_seat_order()]

    # --- needs ---

    def _shuffle(self, cards: tuple[int, ...]) -> Script:
        """A new epoch: every seat's shuffle in turn, the challenges, every seat's proof."""
        deck = self._deck()
        deck.begin(cards)
        while (shuffler := deck.shuffler) is not None:
            yield from self._round(Kind.SHUFFLE, (shuffler,), self._take_shuffle)
        draw = yield from self._challenge()
        self._take(Shuffled())
        self._settle(draw)
        yield from self._prove()

    def _challenge(self) -> Generator[Await, Mapping[int, Any], Draw]:
        """Draw the challenge for every step that is not proven."""
        draw = yield from self._draw()
        unproven = self._deck().unproven
        self.challenges = {seat: draw.choices("challenge", seat).bits(SHADOWS) for seat in unproven}
        return draw

    def _prove(self) -> Script:
        """Every seat's answers to its challenge."""
        while owing := self._deck().unproven:
            yield from self._round(Kind.RESPONSES, owing, self._take_responses)

    def _take_shuffle(self, seat: int, payload: pb.Shuffle) -> None:
        here = self._log.open
        self._deck().add_shuffle(seat, here.number, here.head, payloads.read_shuffle(payload))

    def _take_responses(self, seat: int, payload: pb.Responses) -> None:
        deck = self._deck()
        responses = payloads.read_responses(payload)
        deck.accept(deck.check_responses(seat, self.challenges[seat], responses))

    def _draw(self) -> Generator[Await, Mapping[int, Any], Draw]:
        """One draw of the beacon, to which every seat that is present adds a link.

        Spent chains end the game. After a resignation the round is awaited again, with the chains' next links: whoever
        resigned had seen the others' links, and must not have chosen between two outcomes that were known.
        """
        while True:
            if self.draw == beacon.LINKS:
                self._take(Exhausted())
                raise _Over
            self.draw += 1
            here = self._log.open
            awaited = self.present
            answers = yield from self._round(Kind.SHARE, awaited, self._take_share)
            if len(answers) == len(awaited):
                break
        self.chains = {seat: answers[seat] for seat in self.present}
        links = tuple(self.chains[seat].latest for seat in self.present)
        draw = Draw(self.table_id, here.number, here.head, links)
        if self.first_draw is None:
            self.first_draw = draw
        return draw

    def _take_share(self, seat: int, payload: pb.Share) -> beacon.Revealed:
        return self.chains[seat].after(payload.link, self.draw)

    def _settle(self, draw: Draw) -> None:
        """Answer all that the game leaves to chance just now from one draw, each from a stream of its own."""
        count = 0
        while isinstance(self.state.need, Chance):
            self._take(self.state.sample(draw.choices(f"chance-{count}").below))
            count += 1

    def _deal(self, seats: tuple[int, ...]) -> Script:
        """The next cards of the pile: all others take their masks off, one after another."""
        deck = self._deck()
        deck.deal(seats)
        while owing := deck.awaited:
            yield from self._round(Kind.UNMASK, owing, self._take_unmask)
        self._take(Dealt((None,) * len(seats)))

    def _take_unmask(self, seat: int, payload: pb.Unmask) -> None:
        here = self._log.open
        self._deck().add_unmask(seat, here.number, here.head, payloads.read_unmask(payload))

    @property
    def _owes_refresh(self) -> bool:
        """Whether some card in a hand must be hidden among the others before anything is decided."""
        assert self.terms is not None
        return self.terms.private_hands and bool(self._deck().unrefreshed)

    def _refresh(self) -> Script:
        """All hands that have new cards, refreshed and proven. Then the game is asked anew: somebody may have left."""
        deck = self._deck()
        while owing := deck.unrefreshed:
            yield from self._round(Kind.REFRESH, owing, self._take_refresh)
        if deck.unproven:
            yield from self._challenge()
            yield from self._prove()

    def _take_refresh(self, seat: int, payload: pb.Refresh) -> None:
        here = self._log.open
        self._deck().add_refresh(seat, here.number, here.head, payloads.read_refresh(payload))

    def _decide(self, seat: int) -> Script:
        answers = yield from self._round(Kind.ACT, (seat,), self._take_act)
        if seat not in answers:
            raise _Reconsider
        move: _Move = answers[seat]
        self._shown[seat].update(move.slots)
        self._record(move.action, move.state, seat, tuple(move.slots))
        self._drop_what_left_hands()

    def _take_act(self, seat: int, payload: pb.Act) -> _Move:
        action = self._read_action(payload.action)
        hand = self.state.hand(seat)
        if len(payload.openings) > hand.size:
            raise Violation(
                FaultKind.OPENING, "Seat {seat} opens {count} cards and holds {size}.",
                seat=seat, count=len(payload.openings), size=hand.size,
            )  # fmt: skip
        shown_before = set(hand.shown)
        cards = [opening.card for opening in payload.openings]
        try:
            state = self.state.reveal(seat, cards, publicly=True) if cards else self.state
            due = [card for card in state.opens(seat, action) if card not in shown_before]
            after = state.apply(action)
        except IllegalStep as error:
            raise Violation(
                FaultKind.ILLEGAL_ACTION, "Seat {seat} says {said}: {why}",
                seat=seat, said=repr(payload.action), why=error.message,
            ) from None  # fmt: skip
        if cards != due:
            raise Violation(
                FaultKind.OPENING, "To say {said}, seat {seat} has to open the cards {due} and opens {cards}.",
                seat=seat, said=repr(payload.action), due=due, cards=cards,
            )  # fmt: skip
        self._take_openings(seat, payload)
        return _Move(action, after, {opening.card: opening.slot for opening in payload.openings})

    def _take_openings(self, seat: int, payload: pb.Act) -> None:
        here = self._log.open
        opened = set(self._shown[seat].values())
        for opening in payload.openings:
            if opening.slot in opened:
                raise Violation(
                    FaultKind.OPENING, "Seat {seat} opens slot {slot} twice.", seat=seat, slot=opening.slot
                )
            opened.add(opening.slot)
            proof = payloads.read_equality(opening.proof)
            self._deck().add_opening(seat, here.number, here.head, opening.slot, opening.card, proof)

    def _drop_what_left_hands(self) -> None:
        """A card leaves a hand only after it was shown; its slot is free then."""
        for seat, slots in self._shown.items():
            held = self.state.hand(seat).shown
            for card in [card for card in slots if card not in held]:
                self._deck().drop(slots.pop(card))

    def _choose(self, seats: tuple[int, ...]) -> Script:
        """All choose at once: everybody's commitment first, then the openings."""
        self.seal_round = self._log.open
        self.seals = dict((yield from self._round(Kind.SEAL, seats, self._take_seal)))
        if len(self.seals) < len(seats):
            raise _Reconsider
        chosen = yield from self._round(Kind.UNSEAL, seats, self._take_unseal)
        if len(chosen) < len(seats):
            raise _Reconsider
        self._take(Chosen(tuple(chosen[seat] for seat in seats)))

    def _take_seal(self, _seat: int, payload: pb.Seal) -> bytes:
        sealed.check_commitment(payload.commitment)
        return payload.commitment

    def _take_unseal(self, seat: int, payload: pb.Unseal) -> Action:
        assert self.seal_round is not None
        place = self.place(seat, self.seal_round)
        sealed.check_opening(place, self.seals[seat], payload.choice.encode(), payload.salt)
        action = self._read_action(payload.choice)
        try:
            legal = action in self.state.legal_actions(seat)
        except IllegalStep:  # what everybody knows of the seat's hand does not allow it to choose at all
            legal = False
        if not legal:
            raise Violation(
                FaultKind.ILLEGAL_ACTION, "Seat {seat} has chosen {said}, which it may not.",
                seat=seat, said=repr(payload.choice),
            )  # fmt: skip
        return action

    def _reveal(self) -> Script:
        """At every ending each seat hands over its seed; those that left earlier have done so."""
        owing = self.present
        yield Await(Kind.REVEAL, owing, self._take_reveal)

    def _take_reveal(self, seat: int, payload: pb.Reveal) -> None:
        self._check_seed(seat, payload.seed, FaultKind.SEED)
        self.seeds[seat] = payload.seed

    def _check_seed(self, seat: int, seed: bytes, kind: FaultKind) -> None:
        member = self.members[seat]
        assert self.terms is not None
        context = host_context(self.terms, member.nonce) if seat == 0 else self.offer_id
        if len(seed) != SEED_SIZE or commitment(context, seat, member.identity, seed) != member.commitment:
            raise Violation(kind, "The seed of seat {seat} is not the one it committed to.", seat=seat)

    def _check_surrender(self, seat: int, seed: bytes) -> None:
        """A seed that opens the commitment, but with which the others could not go on, is no better than none."""
        try:
            if self.deck is not None:
                self.deck.check_surrender(seat, Secrets(seed))
        except Invalid as error:
            raise Violation(
                FaultKind.RESIGNATION,
                "Seat {seat} hands over a seed, but {why}.",
                flaw=error.kind,
                seat=seat,
                why=error.message,
            ) from None

    # --- rounds and resignations ---

    def _round(self, kind: Kind, seats: tuple[int, ...], take: Callable[[int, Any], Any]) -> Answers:
        """Await an entry of each of these seats; gives what they meant, by seat.

        Resignations take effect when the round closes. Raises `_Over` if they end the game; if it goes on, the
        answers lack those who resigned, and those who carried another's note in place of an answer.
        """
        answers = yield Await(kind, seats, take)
        resigned = {a.seat: a for a in answers.values() if isinstance(a, Resignation)}
        if not resigned:
            return answers
        self._take(Resigned(tuple(sorted(resigned))))
        if isinstance(self.state.need, Over):
            raise _Over
        for seat, resignation in resigned.items():
            del self.chains[seat]
            self.seeds[seat] = resignation.seed
            if self.deck is not None:
                self.deck.surrender(seat, Secrets(resignation.seed))
        return {s: a for s, a in answers.items() if not isinstance(a, Resignation) and s not in resigned}

    def take_resign(self, seat: int, payload: pb.Resign) -> Resignation:
        """Judge a resignation that stands in place of an owed entry."""
        if self.seats > 2:
            self._check_seed(seat, payload.seed, FaultKind.RESIGNATION)
            self._check_surrender(seat, payload.seed)
        elif payload.seed:
            raise Violation(
                FaultKind.RESIGNATION, "Seat {seat} hands over a seed that is not due.", seat=seat
            )
        return Resignation(seat, payload.seed)

    def take_note(self, carrier: int, note: pb.CarriedNote) -> Resignation:
        """Judge another seat's note that ``carrier`` puts in place of the own entry.

        Who carries a note has to check it first: one that is no good here is the carrier's fault.
        """
        here = self._log.open
        try:
            body = read_note(note.body)
        except MalformedBody as error:
            raise Violation(
                FaultKind.NOTE, "Seat {seat} carries a note: {why}", seat=carrier, why=error.message
            ) from None
        named = (body.version, body.table, body.round, body.head)
        if named != (PROTOCOL_VERSION, self.table_id, here.number, here.head) or not body.HasField("resign"):
            raise Violation(
                FaultKind.NOTE, "Seat {seat} carries a note that is not for this round.", seat=carrier
            )
        if body.seat == carrier or body.seat not in self.present:
            raise Violation(FaultKind.NOTE, "Seat {seat} carries a note of no other seat.", seat=carrier)
        if not note_signed_by(note, self.members[body.seat].identity):
            raise Violation(
                FaultKind.NOTE, "Seat {seat} carries a note that its author has not signed.", seat=carrier
            )
        try:
            return self.take_resign(body.seat, body.resign)
        except Violation as error:
            raise Violation(
                FaultKind.NOTE, "Seat {seat} carries a note: {why}", seat=carrier, why=error.message
            ) from None

    # --- steps of the game ---

    def _take(self, step: Step) -> None:
        self._record(step, self.state.apply(step))

    def _record(
        self, step: Step, after: State, seat: int | None = None, opened: tuple[int, ...] = ()
    ) -> None:
        self._state = after
        self.steps.append(Taken(len(self._log) - 1, seat, step, opened, after))

    def _read_action(self, text: str) -> Action:
        assert self.game is not None
        if len(text) > MAX_NOTATION:
            raise Violation(FaultKind.NOTATION, "No action of a game has {size} characters.", size=len(text))
        try:
            return self.game.parse(text)
        except MalformedNotation as error:
            raise Violation(FaultKind.NOTATION, "{text}: {why}", text=repr(text), why=error.message) from None

    def _deck(self) -> Deck:
        if self.deck is None:
            raise ValueError("this game has no deck of hidden cards")
        return self.deck
