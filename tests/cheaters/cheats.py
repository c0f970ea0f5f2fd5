"""Every cheat that is tried with real programs, and what becomes of it: the one list of them.

The table in docs/threats.md is made from this list (``python -m tests.cheaters``), the tests go through it.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from signal import SIGTERM
from typing import Any

from bcnet import transcript
from bcnet.entry import MAX_ENTRY, place_of, sign_entry, sign_note
from bcnet.errors import Exit
from bcnet.fairness import equality
from bcnet.fairness.group import GENERATOR, Multiplier, inverse
from bcnet.games.balloon_cup.actions import Play
from bcnet.home import new_seed
from bcnet.signing import Identity
from bcnet.table.faults import FaultKind
from bcnet.table.payloads import Payload, write_equality
from bcnet.table.rounds import Kind
from bcnet.verify import Verdict
from bcnet.wire.v1 import log_pb2
from bcnet.wire.v1 import table_pb2 as pb
from bcnet_host.certificate import make_certificate
from tests.attacks import attackers
from tests.attacks.cheats import ATTACKS, Attack, Cheat, Cheater, OwnOrder, Says, Spoiler, body_of
from tests.cheaters.program import REHEARSED, Sent, Then, Trick, kept

GUEST, HOST = "guest", "host"
CLEAN, CHEATED, UNREADABLE, INCOMPLETE = (
    Verdict.CLEAN,
    Verdict.CHEATED,
    Verdict.UNREADABLE,
    Verdict.INCOMPLETE,
)


@dataclass(frozen=True)
class Files:
    """What ``bcnet verify`` says of the honest side's file, the cheater's own, and both; None where there is none."""

    honest: Verdict | None = None
    own: Verdict | None = None
    both: Verdict | None = None


@dataclass(frozen=True)
class Outcome:
    """What becomes of a cheat."""

    caught: str
    """When."""
    ends: Exit | None
    """The exit code of the honest process; None where it stays, for the next who comes to the table."""
    files: Files
    says: str
    """What the honest side tells its player, a regular expression."""
    fault: FaultKind | None = None
    """What the cheater is convicted of; None where nobody is named."""
    goodbye: int | None = None
    """The reason with which the honest side ends the line, where it does."""
    leaves: bool = False
    """Whether the honest player has to leave, for nothing more happens."""


@dataclass(frozen=True)
class RealCheat:
    """A cheat with a name, tried with two real programs."""

    name: str
    layer: str
    does: str
    make: Callable[[], Cheat]
    outcome: Outcome
    seat: str = GUEST
    """What the cheater is."""
    rehearsal: Callable[[], Cheat] | None = None
    """What it does in an earlier run, whose record it has."""


# --- what becomes of them ---


def convicted(
    fault: FaultKind,
    own: Verdict = INCOMPLETE,
    caught: str = "at once",
    says: str = r"^Mallory cheated in round \d+",
) -> Outcome:
    """Named, with proof. ``own``: what the cheater's file says, which may lack what it is convicted by."""
    files = Files(CHEATED, own, CHEATED)
    return Outcome(caught, Exit.CHEATED, files, says, fault, pb.REASON_FAULT)


def line_ended(why: str, goodbye: int | None = pb.REASON_NOISE) -> Outcome:
    """Nobody is named: the line ends, the table stays."""
    says = rf"^The game is unfinished: .*{why}"
    return Outcome("at once", Exit.INCOMPLETE, Files(INCOMPLETE, INCOMPLETE, INCOMPLETE), says, None, goodbye)


def turned_away(says: str = "", goodbye: int | None = pb.REASON_NOISE) -> Outcome:
    """There is no game, and the honest host's table stays open for others."""
    return Outcome("at the door", None, Files(), says, None, goodbye)


def not_seated(why: str) -> Outcome:
    """There is no game: the honest guest does not sit down."""
    return Outcome("at the door", Exit.NETWORK, Files(), why)


STILL_OPEN = "^Key .* came to the table and did not sit down. The table is open again"
WITHHELD = Files(INCOMPLETE, INCOMPLETE, INCOMPLETE)


# --- what they do ---


def known(name: str) -> Attack:
    """One of the attackers of ``tests/attacks``."""
    return next(attack for attack in ATTACKS if attack.name == name)


def real(name: str, layer: str, outcome: Outcome, seat: str = GUEST) -> RealCheat:
    """An attacker of ``tests/attacks``, as a program."""
    attack = known(name)
    assert attack.fault is outcome.fault
    return RealCheat(name, layer, attack.does, attack.cheat, outcome, seat)


class Before(Trick):
    """Sends frames in place of the first own one of a kind: a frame's own name, or the kind of its entry."""

    def __init__(self, kind: str, make: Callable[[Before, pb.Frame], Iterable[Sent]]) -> None:
        self._kind = kind
        self._make = make
        self.is_done = False

    def frames(self, frame: pb.Frame) -> Iterable[Sent]:
        if self.is_done or self._kind not in (frame.WhichOneof("kind"), payload_of(frame)):
            return [frame]
        self.is_done = True
        return self._make(self, frame)


def payload_of(frame: pb.Frame) -> str | None:
    """The kind of the entry in a frame."""
    return body_of(frame.entry).WhichOneof("payload") if frame.HasField("entry") else None


def replaced(kind: str, *frames: Sent) -> Callable[[], Cheat]:
    """These frames, and not the right one."""
    return lambda: Before(kind, lambda _me, _frame: frames)


def preceded(kind: str, *frames: Sent) -> Callable[[], Cheat]:
    """These frames, and then the right one."""
    return lambda: Before(kind, lambda _me, frame: [*frames, frame])


def changed(kind: str, change: Callable[[pb.Frame], None]) -> Callable[[], Cheat]:
    """The right frame with something else in it."""

    def make(_me: Before, frame: pb.Frame) -> Iterable[Sent]:
        frame = copy.deepcopy(frame)
        change(frame)
        return [frame]

    return lambda: Before(kind, make)


def says(kind: Kind, say: Callable[[Cheater, bytes], Sequence[bytes]]) -> Callable[[], Cheat]:
    return lambda: Says(kind, say)


def spoils(kind: Kind, spoil: Callable[[Cheater, Any], Any], nth: int = 1) -> Callable[[], Cheat]:
    return lambda: Spoiler(kind, spoil, nth)


def ends(make: Callable[[], Cheat] = Cheat) -> Callable[[], Cheat]:
    """The same in a game that is resigned at once."""
    return lambda: Then(make())


def signed_otherwise(
    change: Callable[[Cheater, log_pb2.Body], None],
) -> Callable[[Cheater, bytes], list[bytes]]:
    """In place of the right entry another, over a body that was changed."""

    def say(me: Cheater, data: bytes) -> list[bytes]:
        body = body_of(data)
        change(me, body)
        return [me.sign(body)]

    return say


def against_the_rules(me: Cheater, act: log_pb2.Act) -> None:
    """The card that is played goes where the tile has no cube of its colour left to win."""
    game = me.table.course.game
    assert game is not None
    play = game.parse(act.action)
    assert isinstance(play, Play)
    elsewhere = [replace(play, tile=tile, side=side) for tile in (1, 2, 3, 4) for side in (0, 1)]
    legal = me.view().legal_actions(me.number)
    act.action = game.write(next(action for action in elsewhere if action not in legal))


def claim_not_earned(_me: Cheater, act: log_pb2.Act) -> None:
    act.action = "claim red red=7"
    del act.openings[:]


class OutOfTurn(Trick):
    """Moves when the other one has to."""

    def __init__(self) -> None:
        self._is_done = False

    def beside(self, me: Cheater) -> Sequence[bytes]:
        awaiting = me.table.awaiting
        if self._is_done or awaiting is None or awaiting.kind is not Kind.ACT or me.number in awaiting.seats:
            return ()
        self._is_done = True
        return [me.entry(Kind.ACT, log_pb2.Act(action="decline"))]


def multiples_of_g(_me: Cheater, shuffle: log_pb2.Shuffle) -> None:
    masks = [Multiplier(number).mask(GENERATOR).x for number in range(2, 2 + len(shuffle.points))]
    del shuffle.points[:]
    shuffle.points.extend(masks)


def proof_for_another_table(me: Cheater, unmask: log_pb2.Unmask) -> None:
    """The card is the right one, and the proof is a true one: of the same card at another table."""
    deck = me.table.course.deck
    assert deck is not None
    here, slot = me.table.log.open, deck.slot(deck.pending(me.number)[0])
    scalar = attackers.own_scalar(me)
    after = Multiplier(inverse(scalar)).mask(slot.point)
    there = replace(
        deck.unmask_statement(me.number, here.number, here.head, slot, after), table_id=bytes(range(32))
    )
    unmask.cards[0].proof.CopyFrom(write_equality(equality.prove(me.seat.secrets, there, scalar)))


def resigning_as_well(me: Cheater, data: bytes) -> list[bytes]:
    body = body_of(data)
    body.resign.SetInParent()
    return [data, me.sign(body)]


def with_an_unknown_field(me: Cheater, data: bytes) -> list[bytes]:
    unknown_field = b"\xf8\x07\x01"
    return [me.sign(log_pb2.Entry.FromString(data).body + unknown_field)]


def another_signature(_me: Cheater, data: bytes) -> list[bytes]:
    entry = log_pb2.Entry.FromString(data)
    entry.signature = bytes(64)
    return [entry.SerializeToString(deterministic=True)]


def of_another_table(_me: Cheater, body: log_pb2.Body) -> None:
    body.table = bytes(range(32))


def of_the_other_seat(me: Cheater, body: log_pb2.Body) -> None:
    body.seat = 1 - me.number


def on_another_head(_me: Cheater, body: log_pb2.Body) -> None:
    body.head = bytes(range(32))


def note_of_another_table(me: Before, frame: pb.Frame) -> Iterable[Sent]:
    body = log_pb2.NoteBody(
        version=1, table=bytes(range(32)), round=9, seat=me.me.number, head=bytes(32), resign={}
    )
    note = sign_note(body.SerializeToString(deterministic=True), me.me.identity.sign_message)
    return [pb.Frame(note=note.SerializeToString(deterministic=True)), frame]


class Replay(Trick):
    """Says hello and proof of an earlier run, and nothing of its own."""

    patches = {"bcnet_client.join.check_proof": lambda *_: None}  # noqa: RUF012 (the host proves the other hello)

    def frames(self, frame: pb.Frame) -> Iterable[Sent]:
        said = [data for way, data in kept(Path(os.environ[REHEARSED])) if way == "said"]
        return said[:2] if frame.HasField("hello") else []


class Withholds(Trick):
    """Says nothing any more from its ``nth`` entry of a kind on, and goes: its player presses Ctrl-C."""

    def __init__(self, kind: Kind, nth: int = 1, *, goes: bool = True) -> None:
        self._kind = kind
        self._left = nth
        self._goes = goes

    def payload(self, me: Cheater, payload: Payload) -> Payload | None:
        self._left -= payload.kind is self._kind
        if self._left > 0 or payload.kind is not self._kind:
            return payload
        me.is_done = True
        if self._goes:
            os.kill(os.getpid(), SIGTERM)
        return None


class OtherCertificate(Trick):
    """Shows the certificate of somebody else's key, and says hello with its own."""

    patches = {"bcnet.cli.table.make_certificate": lambda _: make_certificate(Identity(new_seed()))}  # noqa: RUF012


def head_of_nothing(frame: pb.Frame) -> None:
    frame.position.rounds, frame.position.head = 0, bytes(range(32))


def of_no_table_of_ours(frame: pb.Frame) -> None:
    frame.hello.table = bytes(range(32))


LEAVE = pb.Frame(goodbye=pb.Goodbye(reason=pb.REASON_LEAVING))

CHEATS: tuple[RealCheat, ...] = (
    # --- rules ---
    RealCheat(
        "against-the-rules",
        "rules",
        "Plays a card where it may not lie.",
        spoils(Kind.ACT, against_the_rules),
        convicted(FaultKind.ILLEGAL_ACTION),
    ),
    RealCheat(
        "claim-not-earned",
        "rules",
        "Takes a trophy without having the cubes.",
        spoils(Kind.ACT, claim_not_earned),
        convicted(FaultKind.ILLEGAL_ACTION),
        HOST,
    ),
    RealCheat(
        "out-of-turn",
        "rules",
        "Moves when the other one has to.",
        OutOfTurn,
        convicted(FaultKind.NOT_AWAITED),
    ),
    real("card-that-is-not-held", "rules", convicted(FaultKind.OPENING, CHEATED)),
    real("card-of-the-other", "rules", convicted(FaultKind.OPENING), HOST),
    real("card-not-shown", "rules", convicted(FaultKind.ILLEGAL_ACTION)),
    real("nonsense", "rules", convicted(FaultKind.NOTATION)),
    # --- deck ---
    real("doubled-position", "deck", convicted(FaultKind.SHUFFLE)),
    real("card-laid-open", "deck", convicted(FaultKind.SHUFFLE), HOST),
    real("key-of-the-other", "deck", convicted(FaultKind.SHUFFLE)),
    real(
        "swapped-after-the-shadows",
        "deck",
        convicted(FaultKind.RESPONSES, CHEATED, "at the challenge"),
        HOST,
    ),
    real("doubled-card", "deck", convicted(FaultKind.RESPONSES, CHEATED, "at the challenge")),
    real("other-s-mask-left-off", "deck", convicted(FaultKind.RESPONSES, CHEATED, "at the challenge")),
    real("key-of-another-mask", "deck", convicted(FaultKind.RESPONSES, CHEATED, "at the challenge")),
    RealCheat(
        "related-points",
        "deck",
        "Shuffles points whose relation it knows (2·G, 3·G, …) in place of the masked cards.",
        spoils(Kind.SHUFFLE, multiples_of_g),
        convicted(FaultKind.RESPONSES, CHEATED, "at the challenge"),
    ),
    RealCheat(
        "own-order",
        "deck",
        "Shuffles in another order than its seed says, and proves it: one of many that it has tried.",
        ends(OwnOrder),
        replace(convicted(FaultKind.AUDIT_SHUFFLE, CHEATED, "in the audit"), goodbye=pb.REASON_FINISHED),
    ),
    # --- beacon ---
    RealCheat(
        "copied-chain",
        "beacon",
        known("copied-chain").does,
        known("copied-chain").cheat,
        line_ended("is a copy of another seat's"),
    ),
    real("invented-link", "beacon", convicted(FaultKind.CHAIN)),
    real("link-of-the-next-draw", "beacon", convicted(FaultKind.CHAIN), HOST),
    real("link-of-the-other", "beacon", convicted(FaultKind.CHAIN)),
    RealCheat(
        "copied-commitment",
        "beacon",
        known("copied-commitment").does,
        known("copied-commitment").cheat,
        turned_away(STILL_OPEN),
    ),
    RealCheat(
        "share-withheld",
        "beacon",
        "Looks at the other's link and keeps its own back.",
        lambda: Withholds(Kind.SHARE),
        Outcome("not caught", Exit.INCOMPLETE, WITHHELD, "^The game is unfinished: .*paused"),
    ),
    # --- proofs ---
    real("answer-to-the-other-bit", "proofs", convicted(FaultKind.RESPONSES)),
    real("one-response-less", "proofs", convicted(FaultKind.RESPONSES), HOST),
    real("no-responses", "proofs", convicted(FaultKind.RESPONSES)),
    real("bridge-with-a-place-twice", "proofs", convicted(FaultKind.RESPONSES)),
    real("unmasking-with-another-key", "proofs", convicted(FaultKind.UNMASK, CHEATED), HOST),
    real("two-positions-swapped", "proofs", convicted(FaultKind.UNMASK, CHEATED)),
    real("proof-of-the-round-before", "proofs", convicted(FaultKind.UNMASK, CHEATED)),
    RealCheat(
        "proof-for-another-table",
        "proofs",
        "Carries over the proof of an unmasking at another table.",
        spoils(Kind.UNMASK, proof_for_another_table),
        convicted(FaultKind.UNMASK, CHEATED),
    ),
    # --- log ---
    RealCheat(
        "two-bodies",
        "log",
        "Plays and resigns in one round, to choose later which of the two it was.",
        says(Kind.ACT, resigning_as_well),
        convicted(FaultKind.EQUIVOCATION),
    ),
    RealCheat(
        "bytes-not-canonical",
        "log",
        "Signs a share with a field that the protocol does not know.",
        says(Kind.SHARE, with_an_unknown_field),
        convicted(FaultKind.MALFORMED),
    ),
    real("seed-in-place-of-a-move", "log", convicted(FaultKind.WRONG_KIND)),
    real("invented-resignation-of-the-other", "log", convicted(FaultKind.NOTE), HOST),
    RealCheat(
        "wrong-head",
        "log",
        "Signs a share on top of another log.",
        says(Kind.SHARE, signed_otherwise(on_another_head)),
        line_ended("on top of another log than this one", pb.REASON_OTHER_HISTORY),
    ),
    RealCheat(
        "entry-of-another-table",
        "log",
        "Sends what it has signed for another table.",
        says(Kind.SHARE, signed_otherwise(of_another_table)),
        line_ended("An entry of another table"),
        HOST,
    ),
    RealCheat(
        "entry-of-the-other-seat",
        "log",
        "Speaks for the other seat.",
        says(Kind.SHARE, signed_otherwise(of_the_other_seat)),
        line_ended("An entry of seat 0 does not come from there"),
    ),
    RealCheat(
        "wrong-signature",
        "log",
        "Sends a share whose signature does not hold.",
        says(Kind.SHARE, another_signature),
        line_ended("The signature of seat 1 in round .* does not hold"),
    ),
    RealCheat(
        "oversize",
        "log",
        "Sends an entry of a byte more than a mebibyte.",
        replaced("share", pb.Frame(entry=bytes(MAX_ENTRY + 1))),
        line_ended("is over the limit"),
    ),
    RealCheat(
        "note-of-another-table",
        "log",
        "Sends a note by which it has resigned elsewhere.",
        lambda: Before("share", note_of_another_table),
        line_ended("A note of another table"),
    ),
    # --- transport ---
    RealCheat(
        "garbage",
        "transport",
        "Sends bytes that are no frame, and comes back.",
        ends(preceded("share", b"\xff" * 300)),
        Outcome("harmless", Exit.OK, Files(CLEAN, CLEAN, CLEAN), "^The line is down: the line is cut"),
    ),
    RealCheat(
        "empty-frame",
        "transport",
        "Sends a frame of a kind that the protocol does not know.",
        preceded("share", b"\xf8\x07\x01"),
        line_ended("A frame that has no place here"),
    ),
    RealCheat(
        "hello-in-mid-game",
        "transport",
        "Says hello once more, as somebody else.",
        preceded("share", pb.Frame(hello=pb.Hello(protocol=1, name="Ann"))),
        line_ended("A frame that has no place here"),
    ),
    RealCheat(
        "audience-of-a-guest",
        "transport",
        "Tells the host how many watch.",
        preceded("share", pb.Frame(audience=pb.Audience(count=1000))),
        line_ended("A frame that has no place here"),
    ),
    RealCheat(
        "chat-as-the-other",
        "transport",
        "Says something beside the game in the other's name.",
        preceded("share", pb.Frame(chat=pb.Chat(seat=0, text="I resign, well played"))),
        line_ended("What seat 0 says does not come from there"),
    ),
    RealCheat(
        "chat-without-end",
        "transport",
        "Says a line of chat of 100,000 characters.",
        preceded("share", pb.Frame(chat=pb.Chat(seat=1, text="x" * 100_000))),
        line_ended("says more than a line of chat may hold"),
    ),
    RealCheat(
        "chat-flood",
        "transport",
        "Says 1,000 lines of chat at once, with what a terminal would obey in them.",
        preceded("share", *[pb.Frame(chat=pb.Chat(seat=1, text="\x1b[2J\x1b]2;gone\x07 hi"))] * 1000),
        Outcome("harmless", Exit.OK, Files(CLEAN, CLEAN, CLEAN), "^Verdict: clean", None, pb.REASON_FINISHED),
    ),
    RealCheat(
        "caught-up-twice",
        "transport",
        "Says in mid-game that it has caught up.",
        preceded("share", pb.Frame(caught_up=pb.CaughtUp())),
        line_ended("caught up twice"),
    ),
    RealCheat(
        "position-twice",
        "transport",
        "Asks in mid-game for everything from the start.",
        preceded("share", pb.Frame(position=pb.Position())),
        line_ended("told twice how far"),
        HOST,
    ),
    RealCheat(
        "another-in-mid-game",
        "transport",
        "Wants another game before this one has ended.",
        preceded("share", pb.Frame(another=pb.Another())),
        line_ended("Another game is asked for before"),
    ),
    RealCheat(
        "complete-in-mid-game",
        "transport",
        "Says that it has the whole table before this one has ended.",
        preceded("share", pb.Frame(complete=pb.Complete())),
        line_ended("has the whole table before"),
    ),
    RealCheat(
        "flood",
        "transport",
        "Sends its resignation 700 times.",
        lambda: Then(Says(Kind.RESIGN, lambda _me, data: [data] * 700)),
        Outcome("harmless", Exit.OK, Files(CLEAN, CLEAN, CLEAN), "^Ann won", None, pb.REASON_FINISHED),
    ),
    RealCheat(
        "position-lies",
        "transport",
        "Says that its log of a table that has not begun is another.",
        changed("position", head_of_nothing),
        turned_away(STILL_OPEN, pb.REASON_OTHER_HISTORY),
    ),
    RealCheat(
        "entry-before-position",
        "transport",
        "Speaks before it has said how far its log reaches.",
        preceded("position", pb.Frame(entry=bytes(100))),
        turned_away(STILL_OPEN),
    ),
    RealCheat(
        "no-hello",
        "transport",
        "Skips the hello.",
        replaced("hello", pb.Frame(position=pb.Position())),
        turned_away(),
    ),
    RealCheat(
        "hello-replayed",
        "transport",
        "Says the hello and the proof of an earlier connection.",
        Replay,
        turned_away(),
        rehearsal=lambda: Before("position", lambda _me, _frame: [LEAVE]),
    ),
    RealCheat(
        "other-table-named",
        "transport",
        "Comes back to a table at which it never sat.",
        changed("hello", of_no_table_of_ours),
        turned_away("", pb.REASON_UNKNOWN_TABLE),
    ),
    RealCheat(
        "other-certificate",
        "transport",
        "Shows a certificate for which somebody else vouches: it sits in between.",
        OtherCertificate,
        not_seated("The host's key is another one than its certificate is vouched for with"),
        HOST,
    ),
    # --- seeds ---
    RealCheat(
        "another-seed",
        "seeds",
        known("another-seed").does,
        ends(known("another-seed").cheat),
        convicted(FaultKind.SEED),
    ),
    RealCheat(
        "seed-of-the-other",
        "seeds",
        known("seed-of-the-other").does,
        ends(known("seed-of-the-other").cheat),
        convicted(FaultKind.SEED),
    ),
    RealCheat(
        "seed-refused",
        "seeds",
        "Does not reveal its seed when the game is over, and goes.",
        ends(lambda: Withholds(Kind.REVEAL)),
        Outcome("not caught", Exit.INCOMPLETE, WITHHELD, "^The game is unfinished: .*paused"),
    ),
    RealCheat(
        "silence",
        "seeds",
        "Says nothing when its seed is due, and stays.",
        ends(lambda: Withholds(Kind.REVEAL, goes=False)),
        Outcome(
            "not caught", Exit.INCOMPLETE, WITHHELD, "^Mallory resigns", None, pb.REASON_PAUSED, leaves=True
        ),
    ),
)


# --- files ---


@dataclass(frozen=True)
class FileCheat:
    """What somebody makes of the file of a game, to hand it in for the true one."""

    name: str
    does: str
    forge: Callable[[Sequence[bytes], Identity], bytes]
    """From the entries of a clean game (the forger resigned it from seat 1) and the forger's key: the file."""
    own: Verdict
    both: Verdict
    """Together with the honest side's file."""
    alone: FaultKind | None = None
    """What the forger is convicted of by the forged file."""
    together: FaultKind | None = None
    """The same by both files."""


def encoded(entries: Iterable[bytes]) -> bytes:
    return b"".join(transcript.encode(entries))


def index_of(entries: Sequence[bytes], kind: Kind, seat: int) -> int:
    """Where a seat's first entry of a kind stands."""
    return next(
        index
        for index, data in enumerate(entries)
        if body_of(data).WhichOneof("payload") == kind and place_of(data)[1] == seat
    )


def with_another(
    kind: Kind, seat: int, change: Callable[[log_pb2.Body], None], *, cut: bool = False
) -> Callable[[Sequence[bytes], Identity], bytes]:
    """The file with another entry, signed by the forger, in the place of one; ``cut``: which is the last."""

    def forge(entries: Sequence[bytes], identity: Identity) -> bytes:
        index = index_of(entries, kind, seat)
        body = body_of(entries[index])
        change(body)
        other = sign_entry(body.SerializeToString(deterministic=True), identity.sign_message)
        return encoded([*entries[:index], other, *(() if cut else entries[index + 1 :])])

    return forge


def byte_altered(entries: Sequence[bytes], _: Identity) -> bytes:
    data = bytearray(encoded(entries))
    data[len(data) // 2] ^= 1
    return bytes(data)


def entries_swapped(entries: Sequence[bytes], _: Identity) -> bytes:
    index = index_of(entries, Kind.SHUFFLE, 0)
    return encoded([*entries[:index], entries[index + 1], entries[index], *entries[index + 2 :]])


def other_tip(body: log_pb2.Body) -> None:
    body.ready.tip = bytes(range(32))


def other_link(body: log_pb2.Body) -> None:
    body.share.link = bytes(32)


def other_seed(body: log_pb2.Body) -> None:
    body.reveal.seed = bytes(range(32))


FILES: tuple[FileCheat, ...] = (
    FileCheat("byte-altered", "Changes a byte in the middle.", byte_altered, UNREADABLE, UNREADABLE),
    FileCheat("file-cut", "Cuts the last two entries off.", lambda e, _: encoded(e[:-2]), INCOMPLETE, CLEAN),
    FileCheat(
        "file-cut-inside", "Cuts it inside an entry.", lambda e, _: encoded(e)[:-9], UNREADABLE, UNREADABLE
    ),
    FileCheat("bytes-appended", "Appends bytes.", lambda e, _: encoded(e) + b"more", UNREADABLE, UNREADABLE),
    FileCheat("entries-swapped", "Swaps two entries.", entries_swapped, UNREADABLE, UNREADABLE),
    FileCheat(
        "other-s-entry-forged",
        "Replaces an entry of the other by one of its own making.",
        with_another(Kind.SHARE, 0, other_link),
        UNREADABLE,
        UNREADABLE,
    ),
    FileCheat(
        "own-tip-rewritten",
        "Puts another chain in the place of its own, signs it, and leaves out what followed.",
        with_another(Kind.READY, 1, other_tip, cut=True),
        INCOMPLETE,
        CHEATED,
        together=FaultKind.EQUIVOCATION,
    ),
    FileCheat(
        "own-seed-rewritten",
        "Reveals another seed in the file than at the table.",
        with_another(Kind.REVEAL, 1, other_seed),
        CHEATED,
        CHEATED,
        FaultKind.SEED,
        FaultKind.EQUIVOCATION,
    ),
)


def cheat_of(name: str) -> RealCheat:
    """A cheat by its name."""
    return next(cheat for cheat in CHEATS if cheat.name == name)
