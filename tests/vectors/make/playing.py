"""Transcripts whose fault lies in the game: actions, openings, resignations and notes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bcnet.fairness import equality
from bcnet.fairness.errors import Flaw
from bcnet.games.balloon_cup.material import CARDS
from bcnet.games.balloon_cup.notation import write_card
from bcnet.games.balloon_cup.state import BalloonCupState
from bcnet.games.balloon_cup.tiles import fits
from bcnet.table.faults import FaultKind
from bcnet.table.payloads import write_equality
from bcnet.table.rounds import Kind
from bcnet.wire.v1 import log_pb2 as pb
from tests.vectors.make.case import Case, cheated, clean, incomplete
from tests.vectors.make.dealing import Spoil, spoilt
from tests.vectors.make.scribe import GUEST, Scribe, fixed


def cases() -> Iterator[Case]:
    yield from _notes(Scribe("notes").play(lambda s: s.kind is Kind.SHUFFLE))
    scribe = Scribe("playing").play(lambda s: s.kind is Kind.ACT)
    yield from _acts(scribe)
    yield from _draw(scribe)
    yield from _second_pile()


def public(scribe: Scribe) -> BalloonCupState:
    state = scribe.course.state
    assert isinstance(state, BalloonCupState)
    return state


def place_for(scribe: Scribe, card: int) -> str | None:
    """The tile and side where a card fits, as in an action."""
    return next((f"{t.number} {s}" for t in public(scribe).tiles for s in (0, 1) if fits(t, card, s)), None)


def opening(scribe: Scribe, seat: int, slot: int, card: int) -> pb.Opening:
    """The best false opening there is: the honest proof of a false statement, by whoever knows the key."""
    here, deck = scribe.table.log.open, scribe.course.deck
    assert deck is not None
    if slot >= len(deck.slots):
        return pb.Opening(
            slot=slot,
            card=card,
            proof=pb.Equality(first=bytes(32), second=bytes(32), answer=bytes(31) + b"\1"),
        )
    epoch = deck.slot(slot).epoch
    statement = deck.open_statement(seat, here.number, here.head, deck.slot(slot), card)
    scalar = deck.move(scribe.secrets[seat], seat, epoch).scalar
    proof = equality.prove(scribe.secrets[seat], statement, scalar)
    return pb.Opening(slot=slot, card=card, proof=write_equality(proof))


def _acts(scribe: Scribe) -> Iterator[Case]:
    seat = scribe.awaited[0]
    deck, round_ = scribe.course.deck, scribe.round
    assert deck is not None
    view = scribe.seats[seat].view()
    own = set(view.hand(seat).known)
    honest = scribe.honest(seat).act
    played, slot = honest.openings[0].card, honest.openings[0].slot
    elsewhere = next(c for c in range(CARDS) if c not in own and place_for(scribe, c))
    homeless = next((c for c in own if not place_for(scribe, c)), None)
    other_slot = next(s for s in deck.hand(seat) if s != slot)
    other_card = next(iter(sorted(own - {played})))
    named = write_card(played)

    def act(action: str, *openings: pb.Opening) -> list[bytes]:
        body = scribe.body(seat, Kind.ACT, pb.Act(action=action, openings=openings))
        return [*scribe.entries, scribe.entry(seat, body)]

    def fault(name: str, about: str, entries: list[bytes], kind: FaultKind, flaw: Flaw | None = None) -> Case:
        return cheated(name, about, entries, seat, round_, kind, flaw)

    texts = {
        "trailing-space": (f"play {named} 1 0 ", "a space at the end"),
        "empty": ("", "no action"),
        "fullwidth-digit": ("play r\uff11 1 0", "a digit that is not ASCII"),
    }  # more of them are in notation.json
    for name, (text, about) in texts.items():
        yield fault(name, f"{about}: {text!r}", act(text, *honest.openings), FaultKind.NOTATION)

    yield fault(
        "not-opened", "a card is played that is not opened", act(honest.action), FaultKind.ILLEGAL_ACTION
    )
    if homeless is not None:
        slot_of = next(s for s in deck.hand(seat) if scribe.seats[seat]._own_keeper().face(s) == homeless)
        text = f"play {write_card(homeless)} 1 {seat}"
        yield fault(
            "does-not-fit",
            "a card is rightly opened, and laid where it does not fit",
            act(text, opening(scribe, seat, slot_of, homeless)),
            FaultKind.ILLEGAL_ACTION,
        )
    yield fault(
        "claim", "a claim when nobody is asked for one", act("claim red red=7"), FaultKind.ILLEGAL_ACTION
    )
    yield fault("decline", "declining what was not offered", act("decline"), FaultKind.ILLEGAL_ACTION)
    whole = [opening(scribe, seat, s, scribe.seats[seat]._own_keeper().face(s)) for s in deck.hand(seat)]
    whole.sort(key=lambda o: o.card)
    yield fault(
        "exchange-though-one-fits",
        "the whole hand is shown, and a card in it fits",
        act("exchange", *whole),
        FaultKind.ILLEGAL_ACTION,
    )
    yield fault(
        "exchange-hand-hidden", "an exchange that shows nothing", act("exchange"), FaultKind.ILLEGAL_ACTION
    )
    yield fault(
        "named-twice",
        "one card is opened twice",
        act(honest.action, honest.openings[0], honest.openings[0]),
        FaultKind.ILLEGAL_ACTION,
    )
    yield fault(
        "no-such-card",
        "card 45 is opened",
        act(honest.action, pb.Opening(slot=slot, card=CARDS, proof=honest.openings[0].proof)),
        FaultKind.ILLEGAL_ACTION,
    )

    yield fault(
        "other-card",
        "a card that is not in the slot, with the best proof there is",
        act(
            f"play {write_card(elsewhere)} {place_for(scribe, elsewhere)}",
            opening(scribe, seat, slot, elsewhere),
        ),
        FaultKind.OPENING,
        Flaw.BAD_EQUALITY,
    )
    yield fault(
        "other-own-card",
        "a card of the own hand, opened from another slot",
        act(f"play {named} {place_for(scribe, played)}", opening(scribe, seat, other_slot, played)),
        FaultKind.OPENING,
        Flaw.BAD_EQUALITY,
    )
    theirs = deck.hand(1 - seat)[0]
    yield fault(
        "slot-of-other-seat",
        "a slot in the other's hand",
        act(honest.action, opening(scribe, seat, theirs, played)),
        FaultKind.OPENING,
        Flaw.BAD_OPENING,
    )
    yield fault(
        "no-such-slot",
        "a slot that there is not",
        act(honest.action, opening(scribe, seat, len(deck.slots), played)),
        FaultKind.OPENING,
        Flaw.BAD_OPENING,
    )
    more = opening(scribe, seat, other_slot, other_card)
    yield fault(
        "too-many",
        "a second card is opened that the action does not call for",
        act(honest.action, *sorted([honest.openings[0], more], key=lambda o: o.card)),
        FaultKind.OPENING,
    )

    yield fault(
        "more-than-cards",
        "nine openings from a hand of eight cards",
        act(honest.action, *[honest.openings[0]] * 9),
        FaultKind.OPENING,
    )

    def high(body: pb.Body) -> None:
        body.act.openings[0].proof.second = b"\xff" * 32

    yield fault(
        "proof-not-below-p",
        "R2 is not below p",
        spoilt(scribe, seat, high),
        FaultKind.OPENING,
        Flaw.POINT_NON_CANONICAL,
    )
    share = scribe.body(seat, Kind.SHARE, pb.Share(link=fixed("link")))
    yield cheated(
        "share",
        "a share where an action is due",
        [*scribe.entries, scribe.entry(seat, share)],
        seat,
        round_,
        FaultKind.WRONG_KIND,
    )
    act_of_other = scribe.body(1 - seat, Kind.ACT, pb.Act(action="pass"))
    yield cheated(
        "out-of-turn-act",
        "the seat that is not on turn acts",
        [*scribe.entries, scribe.entry(1 - seat, act_of_other)],
        1 - seat,
        round_,
        FaultKind.NOT_AWAITED,
    )
    past = scribe.table.log[3]
    late = scribe.body(GUEST, Kind.SHARE, pb.Share(link=fixed("link")))
    late.round, late.head = past.number, past.head
    yield cheated(
        "closed-round",
        "a seat speaks in a closed round that did not await it, on its right head",
        [*scribe.entries, scribe.entry(GUEST, late)],
        GUEST,
        past.number,
        FaultKind.NOT_AWAITED,
    )
    yield incomplete("act", "nobody has played yet", scribe.entries, round_, Kind.ACT, [seat])


def _notes(scribe: Scribe) -> Iterator[Case]:
    """The seat whose entry is due resigns in a wrong way, or carries a note of the other in place of it."""
    seat = scribe.awaited[0]
    body = scribe.body(seat, Kind.RESIGN, pb.Resign(seed=scribe.secrets[seat].seed))
    yield cheated(
        "seed",
        "a resignation of two that hands over the seed",
        [*scribe.entries, scribe.entry(seat, body)],
        seat,
        scribe.round,
        FaultKind.RESIGNATION,
    )
    other = 1 - seat
    right = scribe.note(other)

    def carried(note: pb.CarriedNote) -> list[bytes]:
        return [*scribe.entries, scribe.entry(seat, scribe.body(seat, Kind.NOTE, note))]

    def changed(spoil: Callable[[pb.NoteBody], None], signer: int = other) -> pb.CarriedNote:
        body = pb.NoteBody.FromString(right.body)
        spoil(body)
        return scribe.sign_note(signer, body)

    unsigned = pb.CarriedNote(body=right.body, signature=bytes(64))
    as_entry = pb.Entry.FromString(scribe.entry(other, right.body)).signature
    notes: dict[str, tuple[str, pb.CarriedNote]] = {
        "other-round": (
            "a note for the round before",
            changed(lambda n: setattr(n, "round", scribe.round - 1)),
        ),
        "other-head": ("a note on top of another log", changed(lambda n: setattr(n, "head", fixed("head")))),
        "other-table": ("a note of another table", changed(lambda n: setattr(n, "table", fixed("table")))),
        "version-2": ("a note of another version", changed(lambda n: setattr(n, "version", 2))),
        "no-resignation": ("a note that says nothing", changed(lambda n: n.ClearField("resign"))),
        "own": ("a note of the carrier's own", changed(lambda n: setattr(n, "seat", seat), seat)),
        "seat-2": ("a note of a seat that the table has not", changed(lambda n: setattr(n, "seat", 2))),
        "unsigned": ("a note that its author has not signed", unsigned),
        "signed-by-carrier": (
            "a note that the carrier has signed for the other",
            changed(lambda _: None, seat),
        ),
        "signed-as-entry": (
            "a note signed under the tag of an entry",
            pb.CarriedNote(body=right.body, signature=as_entry),
        ),
        "malformed": (
            "a note with a field that it has not",
            scribe.sign_note(other, right.body + b"\xf8\x07\x01"),
        ),
        "with-seed": (
            "a note of two that hands over a seed",
            changed(lambda n: setattr(n.resign, "seed", scribe.secrets[other].seed)),
        ),
        "empty": ("no note at all", pb.CarriedNote()),
    }
    for name, (about, note) in notes.items():
        yield cheated(name, about, carried(note), seat, scribe.round, FaultKind.NOTE)
    scribe.say(seat, scribe.body(seat, Kind.NOTE, right))
    yield clean(
        "resigned-by-note",
        "the seat that owed nothing resigned by a note, which the other carries",
        scribe.play().entries,
        scribe.result,
    )


def _draw(scribe: Scribe) -> Iterator[Case]:
    """After the first play: the other takes its mask off the card that is drawn."""
    scribe.say(scribe.awaited[0])
    seat = scribe.awaited[0]
    first = pb.Unmask.FromString(_unmask_of(scribe, seat, 6))

    def replayed(body: pb.Body) -> None:
        body.unmask.cards[0].CopyFrom(first.cards[0])

    assert scribe.kind is Kind.UNMASK
    yield cheated(
        "replayed",
        "the unmasking of another card, from an earlier round",
        spoilt(scribe, seat, replayed),
        seat,
        scribe.round,
        FaultKind.UNMASK,
        Flaw.BAD_EQUALITY,
    )

    def one_more(body: pb.Body) -> None:
        body.unmask.cards.add().CopyFrom(body.unmask.cards[0])

    yield cheated(
        "one-too-many",
        "a mask is taken off that nothing calls for",
        spoilt(scribe, seat, one_more),
        seat,
        scribe.round,
        FaultKind.UNMASK,
        Flaw.WRONG_LENGTH,
    )
    yield incomplete(
        "draw", "the card that is drawn cannot be seen yet", scribe.entries, scribe.round, Kind.UNMASK, [seat]
    )


def _unmask_of(scribe: Scribe, seat: int, round_: int) -> bytes:
    """What a seat unmasked in the deal."""
    for number in range(round_, scribe.round):
        entry = scribe.table.log[number].entries.get(seat)
        if entry is not None:
            body = pb.Body.FromString(entry.body)
            if body.HasField("unmask"):
                return body.unmask.SerializeToString()
    raise AssertionError("nothing was dealt")


def _second_pile() -> Iterator[Case]:
    """A card is named that was in a hand when the pile was shuffled that the slot comes from."""
    scribe = Scribe("second pile", policy=_low_tiles)
    found: list[Spoil] = []

    def possible(s: Scribe) -> bool:
        if s.kind is not Kind.ACT or s.course.deck is None or len(s.course.deck.epochs) < 2:
            return False
        seat, deck = s.awaited[0], s.course.deck
        body = s.honest(seat)
        if not body.act.action.startswith("play "):
            return False
        own = s.seats[seat].view().hand(seat).known
        theirs = s.seats[1 - seat].view().hand(1 - seat).known
        slots = [slot for slot in deck.hand(seat) if deck.slot(slot).epoch == 2]
        for card in theirs:
            place = place_for(s, card)
            if slots and place and card not in deck.epochs[1].cards and card not in own:

                def change(body: pb.Body, card: int = card, slot: int = slots[0], place: str = place) -> None:
                    body.act.action = f"play {write_card(card)} {place}"
                    body.act.ClearField("openings")
                    body.act.openings.append(opening(s, seat, slot, card))

                found.append(change)
                return True
        return False

    scribe.play(possible)
    seat = scribe.awaited[0]
    yield cheated(
        "card-not-in-pile",
        "a card that was in a hand when this pile was shuffled",
        spoilt(scribe, seat, found[0]),
        seat,
        scribe.round,
        FaultKind.OPENING,
        Flaw.BAD_OPENING,
    )


def _low_tiles(text: str) -> int:
    """Scores early, so that the pile is soon shuffled anew."""
    words = text.split(" ")
    return -int(words[2]) if words[0] == "play" else 0
