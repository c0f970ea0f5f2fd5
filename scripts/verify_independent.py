#!/bin/sh -eu
""":"
# Up to exec this is for the shell; to Python it is the beginning of a text.
root=$(CDPATH='' cd -P -- "$(dirname -- "$0")/.." && pwd)
[ "${1:-}" != --help ] || { sed -n '/^A second/,/^Exit codes/p' "$0" && exit 0; }
. "$root/scripts/lib/venv.sh"
ensure_venv runtime
exec "$root/.venv/bin/python" -P "$0" "$@"
A second verifier of bcnet's transcripts, written from docs/protocol.md alone.

    scripts/verify_independent.py FILE...               each file on its own
    scripts/verify_independent.py --together FILE...    grouped by table, section 20 "Several files"
    scripts/verify_independent.py --json FILE...        a JSON object on a line for each verdict

Exit codes: 0 clean, 1 cheated, 2 unreadable, 3 incomplete; of several the worst, in the order 1 2 3 0. Wrong usage: 64.

Its author has not read the program, and it shares no code with it: what it uses is the standard library, `cryptography`
(P-256, Ed25519) and the messages that protoc generates. It is meant to be read beside the document. It stands in the
document's order; each part names its section, and letters and words are those used there.

It knows the three games that the document specifies: Balloon Cup, Stones, and Edel, Stein & Reich, each in a part of
its own at the end. The offer of any other is *unreadable* here, as section 7 says of a game that is not known. Section
23 (transport) leaves no trace in a transcript. The one game with a deck is for two, so what section 16 says of the
shuffles and the masks of a seat that has left a larger table is not here.
"""

from __future__ import annotations

import argparse
import hashlib
import hmac
import json
import re
import sys
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import product
from pathlib import Path
from typing import ClassVar, NoReturn, TypeVar

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from google.protobuf.message import DecodeError, Message

from bcnet.wire.v1 import log_pb2 as wire

# ------------------------------------------------------------------------------------- 1 Words and notation


def u32(number: int) -> bytes:
    """Four bytes, big-endian (section 1)."""
    return number.to_bytes(4, "big")


class Noise(Exception):
    """What proves nothing about anyone (sections 8 and 17); its text says why it cannot stand."""


class Wrong(Exception):
    """What the judgement of one payload finds: the kind of a fault, and why. Seat and round are the entry's."""

    def __init__(self, kind: str, why: str) -> None:
        super().__init__(why)
        self.kind = kind


class Fault(Exception):
    """What no honest program signs (section 17): seat, round, kind, and why."""

    def __init__(self, seat: int, round_number: int, kind: str, why: str) -> None:
        super().__init__(why)
        self.seat = seat
        self.round = round_number
        self.kind = kind


# ----------------------------------------------------------------------------------------------- 2 Hashing

PROTOCOL_VERSION = 1


def B(purpose: str, *parts: bytes) -> bytes:  # noqa: N802 - the document's name
    """The one way to join parts into bytes (section 2)."""
    return b"".join(u32(len(part)) + part for part in (b"bcnet/1/" + purpose.encode(), *parts))


def H(purpose: str, *parts: bytes) -> bytes:  # noqa: N802 - the document's name
    """The one way to hash (section 2): 32 bytes."""
    return hashlib.sha256(B(purpose, *parts)).digest()


# -------------------------------------------------------------------------------------------- 3 Signatures

EDWARDS_P = 2**255 - 19
EDWARDS_D = -121665 * pow(121666, -1, EDWARDS_P) % EDWARDS_P


def edwards_point(encoded: bytes) -> tuple[int, int] | None:
    """Decode a point of edwards25519 (RFC 8032, 5.1.3), or None. Needs 32 bytes."""
    number = int.from_bytes(encoded, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    if y >= EDWARDS_P:
        return None
    square = (y * y - 1) * pow(EDWARDS_D * y * y + 1, -1, EDWARDS_P) % EDWARDS_P
    x = pow(square, (EDWARDS_P + 3) // 8, EDWARDS_P)
    if x * x % EDWARDS_P != square:
        x = x * pow(2, (EDWARDS_P - 1) // 4, EDWARDS_P) % EDWARDS_P
    if x * x % EDWARDS_P != square or (x == 0 and sign):
        return None
    return (x if x % 2 == sign else EDWARDS_P - x), y


def edwards_double(point: tuple[int, int]) -> tuple[int, int]:
    """Twice a point, by the complete law of addition."""
    x, y = point
    product = EDWARDS_D * x * x * y * y % EDWARDS_P
    return (
        2 * x * y * pow(1 + product, -1, EDWARDS_P) % EDWARDS_P,
        (y * y + x * x) * pow(1 - product, -1, EDWARDS_P) % EDWARDS_P,
    )


@lru_cache(maxsize=64)
def is_sound_key(key: bytes) -> bool:
    """Whether a key may be an identity (section 3, point 1)."""
    point = edwards_point(key) if len(key) == 32 else None
    if point is None:
        return False
    return edwards_double(edwards_double(edwards_double(point))) != (0, 1)


def is_signed(key: bytes, purpose: str, message: bytes, signature: bytes) -> bool:
    """Whether a signature counts under a sound key (section 3).

    OpenSSL, behind `cryptography`, makes the check that is asked for: without the cofactor, S below the order, R
    compared as bytes.
    """
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, B(purpose, message))
    except InvalidSignature:
        return False
    return True


# ------------------------------------------------------------------------------------------------- 4 Names

FORBIDDEN_IN_NAMES = re.compile(
    "["
    "\u0000-\u001f\u007f-\u00a0\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890-\u0891\u08e2"
    "\u115f-\u1160\u1680\u17b4-\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164"
    "\ud800-\uf8ff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe-\uffff\U000110bd\U000110cd"
    "\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U0010ffff"
    + "".join(f"{chr(16**4 * x + 0xFFFE)}-{chr(16**4 * x + 0xFFFF)}" for x in range(1, 0xE))
    + "]"
)


def is_allowed_name(name: str) -> bool:
    """Whether a display name is allowed (section 4)."""
    if not 1 <= len(name) <= 32 or name[0] == " " or name[-1] == " ":
        return False
    return FORBIDDEN_IN_NAMES.search(name) is None


# ---------------------------------------------------------------------------------------------- 5 Encoding

M = TypeVar("M", bound=Message)


class NotCanonical(Exception):
    """The bytes are not the one encoding of a message."""


def parse(kind: type[M], data: bytes) -> M:
    """Read a message whose bytes must be its canonical encoding (section 5); else NotCanonical."""
    message = kind()
    try:
        message.ParseFromString(data)
    except DecodeError as error:
        raise NotCanonical(str(error)) from error
    message.DiscardUnknownFields()
    if message.SerializeToString(deterministic=True) != data:
        raise NotCanonical("there is another encoding of the same message")
    return message


# ------------------------------------------------------------------------------------------ 7 Sitting down


@dataclass(frozen=True)
class Member:
    """Who sits down: what an offer or a join says of its author."""

    identity: bytes
    nonce: bytes
    commitment: bytes
    name: str


PRIVATE_HANDS = "private-hands"
TABLE_OPTIONS = {PRIVATE_HANDS: ("on",)}  # named only if they are on


def terms_hash(terms: wire.Terms) -> bytes:
    """T, of terms that are allowed."""
    options = (text.encode() for option in terms.options for text in (option.key, option.value))
    return H("terms", u32(PROTOCOL_VERSION), terms.game.encode(), u32(terms.seats), *options)


def commitment(context: bytes, seat: int, identity: bytes, seed: bytes) -> bytes:
    """C of a seat: the host's context is X0, a guest's the offer id."""
    return H("commitment", context, u32(seat), identity, seed)


def check_terms(terms: wire.Terms) -> None:
    """The game, the number of seats and the options are among those that are allowed; else Noise."""
    game = GAMES.get(terms.game)
    if game is None:
        raise Noise(f"this verifier cannot check the game {terms.game[:40]!r}: it knows {', '.join(GAMES)}")
    if terms.seats not in game.SEATS:
        raise Noise(f"{terms.game} is not for {terms.seats} seats")
    given = [(option.key, option.value) for option in terms.options]
    due = dict(game.OPTIONS)
    if game.CARDS and any(key in TABLE_OPTIONS for key, _ in given):
        due |= TABLE_OPTIONS
    if [key for key, _ in given] != sorted(due) or any(value not in due[key] for key, value in given):
        raise Noise("options that there are not, or not all of them once and in order")


def check_member(member: wire.Member, others: Iterable[Member]) -> Member:
    """What an offer or a join says of its author is right; else Noise."""
    if any(len(part) != 32 for part in (member.identity, member.nonce, member.commitment)):
        raise Noise("an identity, a nonce or a commitment has not 32 bytes")
    if not is_sound_key(member.identity):
        raise Noise("the identity is no sound key")
    if not is_allowed_name(member.name):
        raise Noise("the name is not allowed")
    if any(member.commitment == other.commitment for other in others):
        raise Noise("the commitment is that of another seat")
    return Member(member.identity, member.nonce, member.commitment, member.name)


# ------------------------------------------------------------------------------------------------ 8 The log

MAX_ENTRY = 1_048_576


@dataclass(frozen=True)
class Statement:
    """An entry that stands in the log: the bytes of its body, and what they say."""

    data: bytes
    body: wire.Body

    @property
    def kind(self) -> str:
        """The field of the payload."""
        return self.body.WhichOneof("payload") or ""


Judge = Callable[[int, wire.Body], None]
"""Judges a payload of the kind that a round awaits, said by this seat: raises Wrong, or Noise."""


Points = list[tuple["Slot", bytes]]
"""Slots in ascending order, and the points that they have when a round begins."""


@dataclass
class Round:
    """What the table awaits next, from whom, and how it is judged; then what was said."""

    number: int
    head: bytes
    kind: str
    awaited: tuple[int, ...]
    judge: Judge
    said: dict[int, Statement] = field(default_factory=dict)
    epoch: Epoch | None = None  # of shuffle and refresh
    due: dict[int, Points] = field(default_factory=dict)  # of unmask and refresh: the slots of each seat
    hidden: dict[int, Points] = field(default_factory=dict)  # of refresh and its responses
    hand_keys: dict[int, bytes] = field(default_factory=dict)  # of refresh: K of each seat
    steps: dict[int, Step] = field(default_factory=dict)  # of responses: what they prove
    bits: dict[int, list[int]] = field(default_factory=dict)  # of responses: the challenges
    seals: Round | None = None  # of unseal: the round of the commitments

    @property
    def missing(self) -> tuple[int, ...]:
        """The seats that are awaited and have said nothing."""
        return tuple(seat for seat in self.awaited if seat not in self.said)


def next_head(round_: Round) -> bytes:
    """The head after a closed round."""
    bodies = (round_.said[seat].data for seat in sorted(round_.said))
    return H("head", round_.head, u32(round_.number), *bodies)


@dataclass(frozen=True)
class Received:
    """What became of an entry that is neither noise nor a fault."""

    how: str  # "stands", "repetition" or "other history"
    statement: Statement


class Log:
    """All rounds of one table; judges every entry as it is received (section 8)."""

    def __init__(self, check_proofs: bool) -> None:
        self.members: list[Member] = []
        self.terms_hash = b""
        self.offer_id = b""
        self.table_id: bytes | None = None
        self.rounds: list[Round] = []  # the last is the open one
        self.course = Course(self, check_proofs)
        self._course = self.course.rounds()
        self.rounds.append(next(self._course))

    @property
    def open(self) -> Round:
        """The open round. After the last round of a table it is one that awaits nobody."""
        return self.rounds[-1]

    @property
    def complete(self) -> bool:
        """Whether all has been said."""
        return not self.open.awaited

    def receive(self, data: bytes) -> Received:
        """Take the steps of "Receiving an entry". Raises Noise or Fault."""
        # 1
        if len(data) > MAX_ENTRY:
            raise Noise("an entry of more than 1,048,576 bytes")
        try:
            entry = parse(wire.Entry, data)
        except NotCanonical as error:
            raise Noise(f"no canonical entry: {error}") from error
        if len(entry.signature) != 64:
            raise Noise("a signature that has not 64 bytes")
        # 2
        try:
            statement = Statement(entry.body, parse(wire.Body, entry.body))
        except NotCanonical as error:
            self._malformed(entry, f"the body is not canonical: {error}")
        body = statement.body
        if not statement.kind:
            self._malformed(entry, "the body has no payload")
        # 3
        if body.round in (0, 1):
            return self._receive_before_the_table(entry, statement)
        # 4
        if self.table_id is None:
            raise Noise("an entry of a table before there is one")
        if body.table != self.table_id:
            raise Noise("an entry of another table")
        if body.seat >= len(self.members):
            raise Noise(f"the table has no seat {body.seat}")
        if not is_signed(self.members[body.seat].identity, "entry", entry.body, entry.signature):
            raise Noise(f"seat {body.seat} has not signed this")
        if body.version != PROTOCOL_VERSION:
            raise Noise(f"an entry of version {body.version} of the protocol")
        # 5
        round_ = self.rounds[body.round] if body.round < len(self.rounds) else None
        if round_ is not None and body.seat in round_.said:
            if round_.said[body.seat].data == entry.body:
                return Received("repetition", statement)
            raise Fault(body.seat, body.round, "equivocation", "two different bodies for one round")
        # 6
        if round_ is None:
            raise Noise(f"an entry of round {body.round}, but round {self.open.number} is open")
        # 7
        if body.head != round_.head:
            return Received("other history", statement)
        try:
            # 8
            if round_ is not self.open or body.seat not in round_.awaited:
                raise Wrong("not-awaited", "a seat speaks where it owes nothing")
            # 9
            if statement.kind in ("resign", "note") and round_.kind in RESIGNABLE:
                judge_resignation(self, body)
            elif statement.kind != round_.kind:
                raise Wrong("wrong-kind", f"{statement.kind} where {round_.kind} is awaited")
            # 10
            else:
                round_.judge(body.seat, body)
        except Wrong as wrong:
            raise Fault(body.seat, body.round, wrong.kind, str(wrong)) from wrong
        return self._stand(statement)

    def _malformed(self, entry: wire.Entry, why: str) -> NoReturn:
        """Step 2: a body that cannot be read convicts the lowest seat whose signature it has."""
        if self.table_id is not None:
            for seat, member in enumerate(self.members):
                if is_signed(member.identity, "entry", entry.body, entry.signature):
                    raise Fault(seat, self.open.number, "malformed", why)
        raise Noise(why)

    def _receive_before_the_table(self, entry: wire.Entry, statement: Statement) -> Received:
        """Offers and joins: step 3."""
        body = statement.body
        # 1
        round_ = self.rounds[body.round] if body.round < len(self.rounds) else None
        if round_ is not None and body.seat in round_.said:
            if round_.said[body.seat].data == entry.body:
                return Received("repetition", statement)
            raise Noise(f"a second {round_.kind}")
        # 2
        if round_ is not self.open:
            raise Noise(f"an entry of round {body.round}, but round {self.open.number} is open")
        if body.version != PROTOCOL_VERSION:
            raise Noise(f"an entry of version {body.version} of the protocol")
        if body.table != self.offer_id or body.head != round_.head:
            raise Noise(f"the {round_.kind} names another offer or another head")
        if body.seat not in round_.awaited:
            raise Noise(f"seat {body.seat} does not owe this")
        if statement.kind != round_.kind:
            raise Noise(f"{statement.kind} where {round_.kind} is awaited")
        member = body.offer.host if statement.kind == "offer" else body.join.guest
        round_.judge(body.seat, body)
        if not is_signed(member.identity, "entry", entry.body, entry.signature):
            raise Noise(f"the {round_.kind} is not signed by the key in it")
        # 3
        return self._stand(statement)

    def _stand(self, statement: Statement) -> Received:
        """The entry stands in the log. When it was the last that the round awaited, the round closes."""
        round_ = self.open
        round_.said[statement.body.seat] = statement
        if not round_.missing:
            resigned = resignations(round_)
            course = self._course
            self.rounds.append(course.throw(Resigned(resigned)) if resigned else next(course))
        return Received("stands", statement)


# ------------------------------------------------------------------------------------------------ 9 Secrets


def hkdf(key: bytes, info: bytes, size: int) -> bytes:
    """HKDF-SHA256 (RFC 5869) without salt."""
    extracted = hmac.digest(bytes(32), key, "sha256")
    block, output = b"", b""
    for counter in range(1, -(-size // 32) + 1):
        block = hmac.digest(extracted, block + info + bytes([counter]), "sha256")
        output += block
    return output[:size]


def secret(
    seed: bytes, purpose: str, context: bytes, epoch: int = 0, index: int = 0, head: bytes = b""
) -> bytes:
    """A secret of 32 bytes that derives from a seat's seed (section 9)."""
    return hkdf(seed, B("secret", purpose.encode(), context, u32(epoch), u32(index), head), 32)


# ------------------------------------------------------------------------------------------------ 10 Beacon

CHAIN = 4096


def link_before(table_id: bytes, seat: int, identity: bytes, index: int, link: bytes) -> bytes:
    """link(index - 1) from link(index)."""
    return H("link", table_id, u32(seat), identity, u32(index), link)


def chain_tip(seed: bytes, table_id: bytes, seat: int, identity: bytes) -> bytes:
    """The tip that a seed gives."""
    link = secret(seed, "chain", table_id)
    for index in range(CHAIN, 0, -1):
        link = link_before(table_id, seat, identity, index, link)
    return link


class Choices:
    """Choices from a key of 32 bytes: an output of the beacon, or the seed of a step."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._blocks = 0
        self._stream = 0  # bits that are not taken yet, as a number
        self._left = 0  # and how many

    def number(self, bits: int) -> int:
        """The next bits as a number, the first most significant."""
        while self._left < bits:
            block = H("stream", self._key, u32(self._blocks))
            self._stream = self._stream << 256 | int.from_bytes(block, "big")
            self._left += 256
            self._blocks += 1
        self._left -= bits
        taken = self._stream >> self._left
        self._stream &= (1 << self._left) - 1
        return taken

    def below(self, bound: int) -> int:
        """A number below the bound, all equally likely."""
        bits = (bound - 1).bit_length()
        while (number := self.number(bits)) >= bound:
            pass
        return number

    def permutation(self, count: int) -> list[int]:
        """A permutation of 0 .. count-1."""
        order = list(range(count))
        for index in range(count - 1, 0, -1):
            choice = self.below(index + 1)
            order[index], order[choice] = order[choice], order[index]
        return order


@dataclass(frozen=True)
class Draw:
    """One draw of the beacon: the round of its shares, the head at its start, a link of each seat that takes part."""

    table_id: bytes
    number: int
    head: bytes
    links: tuple[bytes, ...]

    def choices(self, purpose: str, proved: int | None = None) -> Choices:
        """The choices from the output for a purpose."""
        seat = b"" if proved is None else u32(proved)
        output = H("beacon", self.table_id, purpose.encode(), seat, u32(self.number), self.head, *self.links)
        return Choices(output)


# -------------------------------------------------------------------------------------------------- 11 Deck

P = 0xFFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
CURVE_B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
G = bytes.fromhex("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296")
SHADOWS = 40  # T

# Group


@lru_cache(maxsize=4096)
def decoded(x: bytes) -> ec.EllipticCurvePublicKey | None:
    """One of the two points with this x-coordinate, or None if there is none or the encoding is not right."""
    if len(x) != 32 or int.from_bytes(x, "big") >= P:
        return None
    try:
        return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), b"\x02" + x)
    except ValueError:
        return None


def is_point(x: bytes) -> bool:
    """Whether received bytes are a point."""
    return decoded(x) is not None


@lru_cache(maxsize=256)
def multiplier(k: int) -> ec.EllipticCurvePrivateKey:
    """A scalar in 1..n-1 as what multiplies."""
    return ec.derive_private_key(k, ec.SECP256R1())


def multiply(k: int, x: bytes) -> bytes:
    """The point k * X, for a scalar in 1..n-1 and a point."""
    point = decoded(x)
    assert point is not None, "points are checked before any arithmetic"
    return multiplier(k).exchange(ec.ECDH(), point)


def scalar(data: bytes) -> int | None:
    """A received scalar, or None if it is not one."""
    number = int.from_bytes(data, "big")
    return number if len(data) == 32 and 1 <= number < N else None


# Cards


@lru_cache(maxsize=256)
def card_point(game: str, card: int) -> bytes:
    """The point of a card of a game's deck."""
    counter = 0
    while not is_point(x := H("card", game.encode(), b"main", u32(card), u32(counter))):
        counter += 1
    return x


# Steps


@dataclass(frozen=True)
class StepSecret:
    """What a step is made of: u, and pi."""

    u: int
    permutation: list[int]


def step_secret(seed: bytes, count: int) -> StepSecret:
    """The scalar and the permutation that a seed gives for a list of points."""
    choices = Choices(seed)
    u = choices.number(384) % (N - 1) + 1
    return StepSecret(u, choices.permutation(count))


def step(secret_: StepSecret, points: Sequence[bytes], key: bytes) -> tuple[list[bytes], bytes]:
    """(Y, K') from (X, K)."""
    return [multiply(secret_.u, points[j]) for j in secret_.permutation], multiply(secret_.u, key)


def bridge(from_: StepSecret, to: StepSecret) -> tuple[bytes, bytes]:
    """The scalar w and the permutation sigma that lead from a step to a shadow, as they are sent."""
    w = to.u * pow(from_.u, -1, N) % N
    sigma = bytes(from_.permutation.index(place) for place in to.permutation)
    return w.to_bytes(32, "big"), sigma


@dataclass(frozen=True)
class Step:
    """What a seat publishes with a shuffle or a refresh, what it was made from, and where it stands."""

    purpose: str  # "shuffle" or "refresh"
    table_id: bytes
    head: bytes
    round: int
    seat: int
    epoch: int
    X: Sequence[bytes]
    K: bytes
    Y: Sequence[bytes]
    key: bytes  # K'
    shadows: Sequence[bytes]

    @property
    def context(self) -> bytes:
        """What the commitments to the shadows are bound to."""
        return H(self.purpose, self.table_id, self.head, u32(self.round), u32(self.seat), u32(self.epoch))


def is_right_response(
    published: Step, index: int, bit: int, response: wire.Response, check_proofs: bool
) -> bool:
    """Whether the response to one bit is of the right kind and form, and leads to the published shadow."""
    count = len(published.Y)
    if bit == 0:
        if not response.HasField("seed") or len(response.seed) != 32:
            return False
        if not check_proofs:
            return True
        Z, L = step(step_secret(response.seed, count), published.X, published.K)
    else:
        if not response.HasField("bridge"):
            return False
        w, sigma = scalar(response.bridge.scalar), list(response.bridge.permutation)
        if w is None or sorted(sigma) != list(range(count)):
            return False
        if not check_proofs:
            return True
        Z, L = step(StepSecret(w, sigma), published.Y, published.key)
    return H("shadow", published.context, L, *Z) == published.shadows[index]


# Epochs and shuffles


@dataclass
class Epoch:
    """One pile, from its shuffles to its last card."""

    game: str
    number: int
    cards: tuple[int, ...]  # ascending
    steps: list[Step] = field(default_factory=list)  # of the seats, in order
    dealt: int = 0  # positions that are dealt

    @property
    def points(self) -> Sequence[bytes]:
        """The list as the seat before left it; after the last shuffle, the positions."""
        if self.steps:
            return self.steps[-1].Y
        return [card_point(self.game, card) for card in self.cards]


def epoch_of(round_: Round) -> Epoch:
    """The epoch of a round of a shuffle or of refreshes."""
    assert round_.epoch is not None
    return round_.epoch


def judge_step(
    kind: str, shuffle: wire.Shuffle, count: int, cards: frozenset[bytes], other_keys: Iterable[bytes]
) -> None:
    """The form of a shuffle, in the order in which the document checks it, or of the step of a refresh; else Wrong.

    It needs the points of all cards of the deck, and the key points that were published before.
    """

    def demand(holds: bool, why: str) -> None:
        if not holds:
            raise Wrong(kind, why)

    points, shadows = list(shuffle.points), list(shuffle.shadows)
    demand(len(points) == count, f"{len(points)} points for {count} cards")
    demand(len(shadows) == SHADOWS, f"{len(shadows)} shadows")
    demand(all(len(shadow) == 32 for shadow in shadows), "a shadow has not 32 bytes")
    demand(len(set(shadows)) == SHADOWS, "two shadows are equal")
    demand(len(set(points)) == len(points), "two points are equal")
    demand(is_point(shuffle.key), "the key is no point")
    demand(shuffle.key != G, "the key is G")
    demand(all(is_point(point) for point in points), "a point is none")
    demand(cards.isdisjoint(points), "the point of a card is in the list")
    demand(shuffle.key not in other_keys, "the key was used before")


def judge_responses(
    responses: wire.Responses, published: Step, bits: Sequence[int], check_proofs: bool
) -> None:
    """The responses of a seat; else Wrong."""
    given = list(responses.responses)
    if len(given) != SHADOWS:
        raise Wrong("responses", f"{len(given)} responses")
    for index, (bit, response) in enumerate(zip(bits, given, strict=True)):
        if not is_right_response(published, index, bit, response, check_proofs):
            raise Wrong("responses", f"the response to challenge {index} does not hold")


# Dealing and hands


@dataclass
class Slot:
    """A place for a card in a hand: whose it is, whence its card was dealt, its point as far as the masks are off."""

    number: int
    owner: int
    epoch: Epoch
    position: int
    point: bytes
    key: bytes  # the key point that the last mask belongs to
    masks: set[int]  # the other seats whose masks are still on
    refreshed: bool = False
    opened: bool = False
    in_hand: bool = True

    @property
    def hidden(self) -> bool:
        """Whether it is in a hand and was not opened."""
        return self.in_hand and not self.opened


# ---------------------------------------------------------------------------------------------- 12 Equality

NO_FACE = 2**32 - 1


@dataclass(frozen=True)
class Place:
    """Where a proof stands: what binds it to its table, round, seat, purpose and slot."""

    table_id: bytes
    head: bytes
    round: int
    seat: int
    purpose: str  # "unmask", "rekey" or "open"
    epoch: int
    slot: int
    face: int  # NO_FACE, or the card


@dataclass(frozen=True)
class Pairs:
    """The statement that C = u * B and K' = u * K for one u."""

    B: bytes
    C: bytes
    K: bytes
    K_new: bytes  # K'


def statement_of(place: Place, pairs: Pairs) -> bytes:
    """S."""
    numbers = (u32(place.epoch), u32(place.slot), u32(place.face))
    where = (place.table_id, place.head, u32(place.round), u32(place.seat), place.purpose.encode())
    return B("statement", *where, *numbers, pairs.B, pairs.C, pairs.K, pairs.K_new)


def summation(x1: int, x2: int, x3: int) -> int:
    """The third summation polynomial f of the curve, modulo p; zero if the points can be chosen to sum to zero."""
    a = -3
    total = (x1 - x2) ** 2 * x3 * x3
    total -= 2 * ((x1 + x2) * (x1 * x2 + a) + 2 * CURVE_B) * x3
    total += (x1 * x2 - a) ** 2 - 4 * CURVE_B * (x1 + x2)
    return total % P


def is_right_equality(proof: wire.Equality, place: Place, pairs: Pairs, check_proofs: bool) -> bool:
    """Whether a proof is right. Its form is checked always, the equations only if proofs are checked."""
    s = scalar(proof.answer)
    R1, R2 = int.from_bytes(proof.first, "big"), int.from_bytes(proof.second, "big")
    if s is None or len(proof.first) != 32 or len(proof.second) != 32 or R1 >= P or R2 >= P:
        return False
    if not check_proofs:
        return True
    c = int.from_bytes(H("equality", statement_of(place, pairs), proof.first, proof.second), "big") % N
    if c == 0:
        return False

    def times(k: int, x: bytes) -> int:
        return int.from_bytes(multiply(k, x), "big")

    return (
        summation(times(s, pairs.B), times(c, pairs.C), R1) == 0
        and summation(times(s, pairs.K), times(c, pairs.K_new), R2) == 0
    )


# ---------------------------------------------------------------------------------------- 13 Sealed choices


def seal_of(
    table_id: bytes, round_number: int, head: bytes, seat: int, identity: bytes, unseal: wire.Unseal
) -> bytes:
    """The commitment that an opening gives; round and head are those of the round of the commitments."""
    where = (table_id, u32(round_number), head, u32(seat), identity)
    return H("seal", *where, unseal.choice.encode(), unseal.salt)


# --------------------------------------------------------------------------------- 14 The course of a table

# What a game needs, and what a game is


@dataclass(frozen=True)
class NeedShuffle:
    """A shuffle of these cards, ascending."""

    cards: tuple[int, ...]


@dataclass(frozen=True)
class NeedChance:
    """Choices from the beacon."""


@dataclass(frozen=True)
class NeedDeal:
    """The next cards of the pile to these seats, one each."""

    seats: tuple[int, ...]


@dataclass(frozen=True)
class NeedDecision:
    """An action of a seat."""

    seat: int


@dataclass(frozen=True)
class NeedChoice:
    """An action of each of these seats, sealed until all have chosen."""

    seats: tuple[int, ...]


@dataclass(frozen=True)
class Result:
    """How a game ended."""

    winners: tuple[int, ...]
    reason: str


@dataclass(frozen=True)
class Over:
    """Nothing: the game is over."""

    result: Result


class Action:
    """What a seat decides or chooses; each game has its own."""


A = TypeVar("A", bound=Action)

Chosen = dict[int, Action]
"""What each seat has chosen."""


@dataclass(frozen=True)
class Left:
    """In place of what a game needs: these seats have resigned, two or more go on, and it is asked anew."""

    seats: frozenset[int]


Need = NeedShuffle | NeedChance | NeedDeal | NeedDecision | NeedChoice | Over
Answer = Choices | Action | Chosen | Left | None
Needs = Generator[Need, Answer, None]


class Game:
    """The rules of a game: its state as everybody knows it, and its course as a generator of needs."""

    NAME: ClassVar[str]
    SEATS: ClassVar[range]
    OPTIONS: ClassVar[dict[str, tuple[str, ...]]]
    CARDS: ClassVar[int] = 0  # of its deck

    def __init__(self, seats: int) -> None:
        self.playing = list(range(seats))  # the seats that take part, ascending
        self.hand = [0] * seats  # how many cards each holds
        self.shown: list[set[int]] = [set() for _ in range(seats)]  # those of them that are known

    def course(self) -> Needs:
        """All needs of a game, in their order; the last is Over."""
        raise NotImplementedError

    def parse(self, text: str) -> Action:
        """Read an action in its one spelling; else Wrong."""
        raise NotImplementedError

    def check(self, seat: int, action: Action, hand: set[int]) -> None:
        """The rules allow the action to a seat that is asked, with what is known of its hand; else Wrong."""
        raise NotImplementedError

    def leave(self, seats: frozenset[int]) -> None:
        """Seats take part no more; two or more go on."""
        self.playing = [seat for seat in self.playing if seat not in seats]

    def is_elsewhere(self, card: int, seat: int) -> bool:
        """Whether a card of the deck is known to be elsewhere than in the hand of a seat."""
        raise NotImplementedError

    def cards_to_show(self, action: Action, hand: set[int]) -> set[int]:
        """The cards of the hand, which is known as far as it must be, that an action has to show."""
        del action, hand
        return set()

    def cards_that_leave(self, action: Action) -> tuple[int, ...]:
        """The cards that leave the hand with an action."""
        del action
        return ()

    # What a course of more than two seats asks with: None where somebody has resigned instead, who is gone now.

    def ask_chance(self) -> Generator[Need, Answer, Choices | None]:
        """Choices from the beacon."""
        answer = yield NeedChance()
        if isinstance(answer, Choices):
            return answer
        self._who_left(answer)
        return None

    def ask_decision(self, seat: int) -> Generator[Need, Answer, Action | None]:
        """The action of a seat."""
        answer = yield NeedDecision(seat)
        if isinstance(answer, Action):
            return answer
        self._who_left(answer)
        return None

    def ask_choice(self, seats: Sequence[int]) -> Generator[Need, Answer, Chosen | None]:
        """What these seats choose."""
        answer = yield NeedChoice(tuple(seats))
        if isinstance(answer, dict):
            return answer
        self._who_left(answer)
        return None

    def _who_left(self, answer: Answer) -> None:
        assert isinstance(answer, Left), "a need is met, or somebody has resigned"
        self.leave(answer.seats)


def demand(holds: bool, why: str) -> None:
    """What the rules ask of an action holds; else Wrong."""
    if not holds:
        raise Wrong("illegal-action", why)


# What the table does


class Resigned(Exception):
    """Thrown into the course of a table when a round closes in which seats resigned."""

    def __init__(self, seeds: dict[int, bytes]) -> None:
        super().__init__(f"resigned: {sorted(seeds)}")
        self.seeds = seeds


MOST_ROUNDS = 8192  # closed; then none is opened for what the game needs


class OneLeft(Exception):
    """By resignation one seat is left, or none, and the game does not go on."""

    def __init__(self, seats: tuple[int, ...]) -> None:
        super().__init__(f"left: {seats}")
        self.seats = seats


class Exhausted(Exception):
    """There is no draw 4097, or there were too many rounds."""


Rounds = Generator[Round, None, None]
"""Opens round after round; goes on when the round is closed."""


class Course:
    """Which rounds follow one another, and what they lead to: one generator that opens round after round.

    Everything said in a round is judged by a method given to that round, and taken only when the round has closed.
    """

    game: Game  # from the offer on

    def __init__(self, log: Log, check_proofs: bool) -> None:
        self.log = log
        self.check_proofs = check_proofs
        self.result: Result | None = None
        self.draws = 0
        self.links: dict[
            int, tuple[int, bytes]
        ] = {}  # of each seat: its latest draw and link; at first 0, the tip
        self.epochs: list[Epoch] = []
        self.slots: list[Slot] = []
        self.shown: dict[int, Slot] = {}  # the shown cards that are in a hand
        self.private_hands = False
        self.hand_keys: list[bytes] = []  # of each seat
        self.published_keys: set[bytes] = set()  # in shuffles and refreshes of earlier rounds
        self.seats: tuple[int, ...] = (0,)  # those that take part; until there is an offer, the host
        self.handed_over: dict[int, bytes] = {}  # the seeds of those that take part no more

    def rounds(self) -> Rounds:
        """All rounds of a table from the offer on; the last awaits nobody."""
        yield from self._sit_down()
        try:
            yield from self._play()
        except OneLeft as left:
            self.result = Result(left.seats, "resignation")
        except Exhausted:
            self.result = Result((), "standstill")
        yield self._round("reveal", self.seats, self._judge_reveal)
        yield self._round("", (), self._judge_nothing)

    def _round(self, kind: str, awaited: tuple[int, ...], judge: Judge) -> Round:
        """The next round, with its number and the head at its start."""
        rounds = self.log.rounds
        head = next_head(rounds[-1]) if rounds else b""
        return Round(len(rounds), head, kind, awaited, judge)

    @property
    def table_id(self) -> bytes:
        """Of a table at which all have sat down."""
        assert self.log.table_id is not None, "entries of later rounds are noise until there is a table id"
        return self.log.table_id

    # Sitting down (section 7)

    def _sit_down(self) -> Rounds:
        log = self.log
        offering = self._round("offer", (0,), self._judge_offer)
        yield offering
        offer = offering.said[0].body.offer
        host = check_member(offer.host, ())
        log.members.append(host)
        log.terms_hash = terms_hash(offer.terms)
        log.offer_id = H("offer", log.terms_hash, host.identity, host.nonce, host.commitment)
        options = {option.key: option.value for option in offer.terms.options}
        self.seats = tuple(range(offer.terms.seats))
        self.game = GAMES[offer.terms.game](len(self.seats), options)
        self.private_hands = PRIVATE_HANDS in options

        joining = self._round("join", self.seats[1:], self._judge_join)
        yield joining
        for seat in self.seats[1:]:
            log.members.append(check_member(joining.said[seat].body.join.guest, log.members))
        guests = (part for m in log.members[1:] for part in (m.identity, m.nonce, m.commitment))
        log.table_id = H("table", log.offer_id, *guests)

        ready = self._round("ready", self.seats, self._judge_ready)
        yield ready
        self.links = {seat: (0, ready.said[seat].body.ready.tip) for seat in self.seats}

    def _judge_offer(self, seat: int, body: wire.Body) -> None:
        del seat
        check_terms(body.offer.terms)
        check_member(body.offer.host, ())

    def _judge_join(self, seat: int, body: wire.Body) -> None:
        del seat
        check_member(body.join.guest, self.log.members)

    def _judge_ready(self, seat: int, body: wire.Body) -> None:
        del seat
        if len(body.ready.tip) != 32:
            raise Wrong("chain", "a tip that has not 32 bytes")
        if any(body.ready.tip == other.body.ready.tip for other in self.log.open.said.values()):
            raise Noise("the tip of another seat")

    # What the game needs (section 14)

    def _play(self) -> Rounds:
        needs = self.game.course()
        need = next(needs)
        draw_again = False
        while not isinstance(need, Over):
            if len(self.log.rounds) >= MOST_ROUNDS:
                raise Exhausted
            try:
                if draw_again:
                    draw = yield from self._draw()
                    need = self._chance(draw, needs, need)
                else:
                    need = yield from self._meet(need, needs)
                draw_again = False
            except Resigned as resigned:
                left = tuple(seat for seat in self.seats if seat not in resigned.seeds)
                if len(left) < 2:
                    raise OneLeft(left) from resigned
                draw_again = self.log.open.kind == "share"  # whatever the game needs then
                need = needs.send(Left(frozenset(resigned.seeds)))
                if not isinstance(need, Over):  # the game goes on
                    self.seats = left
                    self.handed_over |= resigned.seeds
        self.result = need.result

    def _meet(self, need: Need, needs: Needs) -> Generator[Round, None, Need]:
        """The rounds that meet a need, and what the game needs after it."""
        match need:
            case NeedShuffle(cards):
                epoch = yield from self._shuffles(cards)
                draw = yield from self._draw()
                need = self._chance(draw, needs, needs.send(None))
                yield self._responses(dict(enumerate(epoch.steps)), draw)
                return need
            case NeedChance():
                draw = yield from self._draw()
                return self._chance(draw, needs, need)
            case NeedDeal(owners):
                yield from self._deal(owners)
                return needs.send(None)
            case NeedDecision() if self._unrefreshed():
                yield from self._refresh()
                return need
            case NeedDecision(seat):
                action = yield from self._act(seat)
                return needs.send(action)
            case NeedChoice(seats):
                chosen = yield from self._choice(seats)
                return needs.send(chosen)
            case Over():
                return need

    def _shuffles(self, cards: tuple[int, ...]) -> Generator[Round, None, Epoch]:
        """A new epoch: a shuffle of each seat in turn."""
        epoch = Epoch(self.game.NAME, len(self.epochs) + 1, cards)
        self.epochs.append(epoch)
        for seat in self.seats:
            round_ = self._round("shuffle", (seat,), self._judge_shuffle)
            round_.epoch = epoch
            yield round_
            epoch.steps.append(self.shuffled(round_, seat))
            self.published_keys.add(epoch.steps[-1].key)
        if not self.hand_keys:
            self.hand_keys = [published.key for published in epoch.steps]
        return epoch

    def shuffled(self, round_: Round, seat: int) -> Step:
        """What a seat has published in a round of a shuffle."""
        epoch, shuffle = epoch_of(round_), round_.said[seat].body.shuffle
        X = epoch.steps[seat - 1].Y if seat else [card_point(epoch.game, card) for card in epoch.cards]
        return self._step("shuffle", round_, seat, X, G, shuffle)

    def _step(
        self, purpose: str, round_: Round, seat: int, X: Sequence[bytes], K: bytes, said: wire.Shuffle
    ) -> Step:
        where = (self.table_id, round_.head, round_.number, seat, epoch_of(round_).number)
        return Step(purpose, *where, X, K, list(said.points), said.key, list(said.shadows))

    def _judge_shuffle(self, seat: int, body: wire.Body) -> None:
        del seat
        judge_step("shuffle", body.shuffle, len(self.epochs[-1].cards), self._cards, self.published_keys)

    @property
    def _cards(self) -> frozenset[bytes]:
        """The points of all cards of the deck."""
        return frozenset(card_point(self.game.NAME, card) for card in range(self.game.CARDS))

    def _draw(self) -> Generator[Round, None, Draw]:
        """A draw of the beacon."""
        if self.draws == CHAIN:
            raise Exhausted
        self.draws += 1
        round_ = self._round("share", self.seats, self._judge_share)
        try:
            yield round_
        finally:  # though somebody has resigned
            for seat, statement in round_.said.items():
                if statement.kind == "share":
                    self.links[seat] = (self.draws, statement.body.share.link)
        links = tuple(self.links[seat][1] for seat in self.seats)
        return Draw(self.table_id, round_.number, round_.head, links)

    def _judge_share(self, seat: int, body: wire.Body) -> None:
        link, identity = body.share.link, self.log.members[seat].identity
        if len(link) != 32:
            raise Wrong("chain", "a link that has not 32 bytes")
        latest, before = self.links[seat]
        for index in range(self.draws, latest, -1):
            link = link_before(self.table_id, seat, identity, index, link)
        if link != before:
            raise Wrong("chain", "a link that does not continue the chain")

    def _chance(self, draw: Draw, needs: Needs, need: Need) -> Need:
        """Answer all needs of chance that follow one another from one draw; what the game needs after them."""
        answered = 0
        while isinstance(need, NeedChance):
            need = needs.send(draw.choices(f"chance-{answered}"))
            answered += 1
        return need

    def _responses(self, steps: dict[int, Step], draw: Draw) -> Round:
        """The round in which all steps are proven whose challenges a draw has given."""
        round_ = self._round("responses", tuple(sorted(steps)), self._judge_responses)
        round_.steps = steps
        for seat in steps:
            challenge = draw.choices("challenge", seat)
            round_.bits[seat] = [challenge.number(1) for _ in range(SHADOWS)]
        return round_

    def _judge_responses(self, seat: int, body: wire.Body) -> None:
        round_ = self.log.open
        judge_responses(body.responses, round_.steps[seat], round_.bits[seat], self.check_proofs)

    # Dealing and unmasking (section 11)

    def _deal(self, owners: Sequence[int]) -> Rounds:
        epoch = self.epochs[-1]
        dealt: list[Slot] = []
        for owner in owners:
            key, others = epoch.steps[owner].key, {seat for seat in self.seats if seat != owner}
            point = epoch.points[epoch.dealt]
            slot = Slot(len(self.slots) + len(dealt), owner, epoch, epoch.dealt, point, key, others)
            epoch.dealt += 1
            dealt.append(slot)
        self.slots += dealt
        count = len(self.seats)
        for turn in range(1, count):
            due: dict[int, Points] = {}
            for slot in dealt:
                due.setdefault((slot.owner + turn) % count, []).append((slot, slot.point))
            round_ = self._round("unmask", tuple(sorted(due)), self._judge_unmask)
            round_.due = due
            yield round_
            for seat, slots in due.items():
                for (slot, _), unmasked in zip(slots, round_.said[seat].body.unmask.cards, strict=True):
                    slot.point = unmasked.point
                    slot.masks.remove(seat)

    def _judge_unmask(self, seat: int, body: wire.Body) -> None:
        due, given = self.log.open.due[seat], list(body.unmask.cards)
        if len(given) != len(due):
            raise Wrong("unmask", f"{len(given)} cards where {len(due)} are due")
        for (slot, before), unmasked in zip(due, given, strict=True):
            if not is_point(unmasked.point):
                raise Wrong("unmask", f"slot {slot.number} becomes no point")
            pairs = Pairs(unmasked.point, before, G, slot.epoch.steps[seat].key)
            place = self.place(seat, "unmask", slot, NO_FACE)
            if not is_right_equality(unmasked.proof, place, pairs, self.check_proofs):
                raise Wrong("unmask", f"the proof for slot {slot.number} does not hold")

    def place(self, seat: int, purpose: str, slot: Slot, face: int) -> Place:
        """Where a proof in the open round stands."""
        round_, epoch = self.log.open, 0 if slot.refreshed else slot.epoch.number
        return Place(self.table_id, round_.head, round_.number, seat, purpose, epoch, slot.number, face)

    # Private hands (section 11)

    def _unrefreshed(self) -> dict[int, Points]:
        """The hidden slots of every seat that has an unrefreshed one; none at a table without private hands."""
        hands: dict[int, Points] = {}
        for slot in self.slots:
            if self.private_hands and slot.hidden:
                hands.setdefault(slot.owner, []).append((slot, slot.point))
        return {seat: hands[seat] for seat in sorted(hands) if not all(s.refreshed for s, _ in hands[seat])}

    def _refresh(self) -> Rounds:
        round_ = self._round("refresh", tuple(self._unrefreshed()), self._judge_refresh)
        round_.epoch = self.epochs[-1]
        round_.hidden = self._unrefreshed()
        for seat, hand in round_.hidden.items():
            round_.hand_keys[seat] = self.hand_keys[seat]
            round_.due[seat] = [(slot, point) for slot, point in hand if slot.key != self.hand_keys[seat]]
        yield round_
        steps = {seat: self.refreshed(round_, seat) for seat in round_.hidden}
        self.published_keys.update(published.key for published in steps.values())
        draw = yield from self._draw()
        proven = self._responses(steps, draw)
        proven.hidden = round_.hidden
        yield proven
        for seat, hand in round_.hidden.items():
            self.hand_keys[seat] = steps[seat].key
            for (slot, _), point in zip(hand, steps[seat].Y, strict=True):
                slot.point, slot.key, slot.refreshed = point, steps[seat].key, True

    def refreshed(self, round_: Round, seat: int) -> Step:
        """What a seat has published in a round of refreshes."""
        refresh = round_.said[seat].body.refresh
        new = {
            slot.number: card.point for (slot, _), card in zip(round_.due[seat], refresh.cards, strict=True)
        }
        X = [new.get(slot.number, before) for slot, before in round_.hidden[seat]]
        return self._step("refresh", round_, seat, X, round_.hand_keys[seat], refresh.step)

    def _judge_refresh(self, seat: int, body: wire.Body) -> None:
        round_, given = self.log.open, list(body.refresh.cards)
        due, K = round_.due[seat], round_.hand_keys[seat]
        if len(given) != len(due):
            raise Wrong("refresh", f"{len(given)} new cards where {len(due)} are due")
        for (slot, before), rekeyed in zip(due, given, strict=True):
            if not is_point(rekeyed.point):
                raise Wrong("refresh", f"slot {slot.number} becomes no point")
            pairs = Pairs(before, rekeyed.point, slot.key, K)
            place = self.place(seat, "rekey", slot, NO_FACE)
            if not is_right_equality(rekeyed.proof, place, pairs, self.check_proofs):
                raise Wrong("refresh", f"the proof for slot {slot.number} does not hold")
        count = len(round_.hidden[seat])
        judge_step("refresh", body.refresh.step, count, self._cards, self.published_keys)

    # Actions (section 15)

    def _act(self, seat: int) -> Generator[Round, None, Action]:
        game = self.game
        round_ = self._round("act", (seat,), self._judge_act)
        yield round_
        act = round_.said[seat].body.act
        action = game.parse(act.action)
        for opening in act.openings:
            slot = self.shown[opening.card] = self.slots[opening.slot]
            slot.opened = True
        game.shown[seat].update(opening.card for opening in act.openings)
        for card in game.cards_that_leave(action):
            self.shown.pop(card).in_hand = False
        return action

    def _judge_act(self, seat: int, body: wire.Body) -> None:
        """Section 15, whose numbers these are."""
        game = self.game
        # 1
        action = self._read(body.act.action)
        # 2
        openings = list(body.act.openings)
        if len(openings) > game.hand[seat]:
            raise Wrong("opening", f"{len(openings)} openings from a hand of {game.hand[seat]} cards")
        # 3
        known, named = set(game.shown[seat]), set[int]()
        for card in (opening.card for opening in openings):
            if card in named:
                raise Wrong("illegal-action", f"card {card} is named twice")
            if card >= game.CARDS or game.is_elsewhere(card, seat):
                raise Wrong("illegal-action", f"card {card} is no card of the deck, or known to be elsewhere")
            if card not in known and len(known) == game.hand[seat]:
                raise Wrong(
                    "illegal-action", f"all cards of the hand are known, and card {card} is none of them"
                )
            named.add(card)
            known.add(card)
        # 4
        game.check(seat, action, known)
        # 5
        due = sorted(game.cards_to_show(action, known) - game.shown[seat])
        if [opening.card for opening in openings] != due:
            raise Wrong("opening", "the cards that are opened are not those that the action has to show")
        # 6
        used = {self.shown[card].number for card in game.shown[seat]}
        for opening in openings:
            if opening.slot in used:
                raise Wrong("opening", f"slot {opening.slot} is that of another shown card")
            used.add(opening.slot)
            self._judge_opening(seat, opening)

    def _read(self, text: str) -> Action:
        """An action or a choice in the game's notation; else Wrong."""
        if len(text) > 200:
            raise Wrong("notation", "more than 200 characters")
        return self.game.parse(text)

    def _judge_opening(self, seat: int, opening: wire.Opening) -> None:
        """Section 11, "Hands"."""
        slot = self.slots[opening.slot] if opening.slot < len(self.slots) else None
        if slot is None or slot.owner != seat or not slot.in_hand:
            raise Wrong("opening", f"slot {opening.slot} is not in the hand")
        if slot.masks:
            raise Wrong("opening", f"another mask is on slot {opening.slot}")
        if not slot.refreshed and opening.card not in slot.epoch.cards:
            raise Wrong("opening", f"card {opening.card} was not in the pile of slot {opening.slot}")
        pairs = Pairs(card_point(self.game.NAME, opening.card), slot.point, G, slot.key)
        place = self.place(seat, "open", slot, opening.card)
        if not is_right_equality(opening.proof, place, pairs, self.check_proofs):
            raise Wrong("opening", f"the proof for slot {opening.slot} does not hold")

    # Sealed choices (section 13)

    def _choice(self, seats: tuple[int, ...]) -> Generator[Round, None, Chosen]:
        seals = self._round("seal", seats, self._judge_seal)
        yield seals
        round_ = self._round("unseal", seats, self._judge_unseal)
        round_.seals = seals
        yield round_
        return {seat: self.game.parse(round_.said[seat].body.unseal.choice) for seat in seats}

    def _judge_seal(self, seat: int, body: wire.Body) -> None:
        del seat
        if len(body.seal.commitment) != 32:
            raise Wrong("sealed-choice", "a seal that has not 32 bytes")

    def _judge_unseal(self, seat: int, body: wire.Body) -> None:
        seals, unseal = self.log.open.seals, body.unseal
        assert seals is not None
        if len(unseal.salt) != 32:
            raise Wrong("sealed-choice", "a salt that has not 32 bytes")
        where = (self.table_id, seals.number, seals.head, seat, self.log.members[seat].identity)
        if seal_of(*where, unseal) != seals.said[seat].body.seal.commitment:
            raise Wrong("sealed-choice", "the opening does not give the commitment")
        self.game.check(seat, self._read(unseal.choice), set())

    # The end

    def _judge_reveal(self, seat: int, body: wire.Body) -> None:
        if not self.is_seed_of(seat, body.reveal.seed):
            raise Wrong("seed", "the seed does not give the commitment")

    def is_seed_of(self, seat: int, seed: bytes) -> bool:
        """Whether a seed gives the commitment of a seat."""
        log, member = self.log, self.log.members[seat]
        context = H("host-context", log.terms_hash, member.nonce) if seat == 0 else log.offer_id
        return len(seed) == 32 and commitment(context, seat, member.identity, seed) == member.commitment

    def _judge_nothing(self, seat: int, body: wire.Body) -> None:
        raise AssertionError(f"no seat is awaited, neither {seat} nor another: {body.round}")


# --------------------------------------------------------------------------------------------- 16 Resigning

RESIGNABLE = frozenset({"shuffle", "share", "responses", "unmask", "refresh", "act", "seal", "unseal"})


def judge_resignation(log: Log, body: wire.Body) -> None:
    """A resign or a note in the open round, which is resignable, by an awaited seat; else Wrong."""
    if body.HasField("resign"):
        if not is_right_resign(log, body.seat, body.resign):
            raise Wrong("resignation", "a resignation with a seed that is not due, or not the seed")
        return
    round_ = log.open
    try:
        note = parse(wire.NoteBody, body.note.body)
    except NotCanonical as error:
        raise Wrong("note", f"the note is not canonical: {error}") from error
    if note.version != PROTOCOL_VERSION:
        raise Wrong("note", f"a note of version {note.version}")
    if (note.table, note.round, note.head) != (log.table_id, round_.number, round_.head):
        raise Wrong("note", "a note for another table, round or head")
    if note.seat not in log.course.seats or note.seat == body.seat:
        raise Wrong("note", "a note of the carrier, or of no seat that takes part")
    if not note.HasField("resign") or not is_right_resign(log, note.seat, note.resign):
        raise Wrong("note", "a note without a resignation, or with a seed that is not due, or not the seed")
    if not is_signed(log.members[note.seat].identity, "note", body.note.body, body.note.signature):
        raise Wrong("note", f"seat {note.seat} has not signed the note")


def is_right_resign(log: Log, seat: int, resign: wire.Resign) -> bool:
    """Whether a resignation hands over no seed at a table of two, and the seed at a larger one."""
    if len(log.members) == 2:
        return not resign.seed
    return log.course.is_seed_of(seat, resign.seed)


def resignations(round_: Round) -> dict[int, bytes]:
    """The seats that resigned in a round, by an entry or by a note, and the seeds that they handed over."""
    seeds = {}
    for seat, statement in round_.said.items():
        if statement.kind == "resign":
            seeds[seat] = statement.body.resign.seed
        elif statement.kind == "note":
            note = parse(wire.NoteBody, statement.body.note.body)
            seeds[note.seat] = note.resign.seed
    return seeds


# ------------------------------------------------------------------------------------------------- 18 Audit


class Audit:
    """What the seeds that are there must give, compared with what their seats have published."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.course = log.course
        self.seeds = dict(log.course.handed_over)
        for round_ in log.rounds:
            if round_.kind == "reveal":
                self.seeds.update({seat: said.body.reveal.seed for seat, said in round_.said.items()})
        self.deck: dict[tuple[int, int], StepSecret] = {}  # by epoch and seat: shuffles that the seeds give
        self.trusted: set[tuple[int, int]] = set()  # those whose responses are what the seeds give, too
        self.refreshes: dict[tuple[int, int], StepSecret] = {}  # by round and seat: refreshes that passed
        self.answered = {
            (published.round, seat): (body.responses, round_.bits[seat])
            for round_, seat, body in self._said("responses")
            for published in (round_.steps[seat],)
        }

    def difference(self) -> Fault | None:
        """The difference that counts, or None."""
        for seat in sorted(self.seeds):  # 1
            member, tip = self.log.members[seat], self.log.rounds[2].said[seat].body.ready.tip
            if chain_tip(self.seeds[seat], self.course.table_id, seat, member.identity) != tip:
                return Fault(seat, 2, "audit-chain", "the seed does not give the chain")
        found = [*self._shuffles(), *self._unmaskings(), *self._refreshes(), *self._openings()]
        return min(found, key=lambda fault: (fault.round, fault.seat), default=None)

    def _said(self, kind: str) -> Iterable[tuple[Round, int, wire.Body]]:
        """Everything of one kind that was said, with its round and seat."""
        for round_ in self.log.rounds:
            for seat, statement in sorted(round_.said.items()):
                if round_.kind == kind == statement.kind:
                    yield round_, seat, statement.body

    def _made(self, published: Step) -> StepSecret | None:
        """The secret of a step from its seat's seed, or None if it does not lead to what was published."""
        seed = secret(self.seeds[published.seat], published.purpose, *self._derive(published, 0))
        made = step_secret(seed, len(published.X))
        return made if step(made, published.X, published.K) == (published.Y, published.key) else None

    def _derive(self, published: Step, index: int) -> tuple[bytes, int, int, bytes]:
        return published.table_id, published.epoch, index, published.head

    def _answers(self, published: Step, made: StepSecret) -> bool:
        """Whether the responses to a step, if there are any, are those that the seeds give."""
        if (published.round, published.seat) not in self.answered:
            return True
        responses, bits = self.answered[published.round, published.seat]
        purpose = {"shuffle": "shadow", "refresh": "refresh-shadow"}[published.purpose]
        seed = self.seeds[published.seat]
        return [*responses.responses] == [
            expected_response(made, secret(seed, purpose, *self._derive(published, t)), bit)
            for t, bit in enumerate(bits)
        ]

    def _shuffles(self) -> Iterable[Fault]:
        """2."""
        for round_, seat, _ in self._said("shuffle"):
            if seat not in self.seeds:
                continue
            published = self.course.shuffled(round_, seat)
            made = self._made(published)
            if made is not None:
                self.deck[published.epoch, seat] = made
            if made is not None and self._answers(published, made):
                self.trusted.add((published.epoch, seat))
            else:
                yield Fault(seat, round_.number, "audit-shuffle", "the seed does not give the shuffle")

    def _unmaskings(self) -> Iterable[Fault]:
        """3."""
        for round_, seat, body in self._said("unmask"):
            for (slot, before), unmasked in zip(round_.due[seat], body.unmask.cards, strict=True):
                place = (slot.epoch.number, seat)
                if place in self.trusted:
                    off = pow(self.deck[place].u, -1, N)
                    if multiply(off, before) != unmasked.point:
                        why = f"the seed does not unmask slot {slot.number} so"
                        yield Fault(seat, round_.number, "audit-unmask", why)

    def _refreshes(self) -> Iterable[Fault]:
        """4."""
        scalars = {
            seat: made.u for (epoch, seat), made in self.deck.items() if epoch == 1
        }  # of the hand keys
        for round_, seat, body in self._said("refresh"):
            h = scalars.pop(seat, None)
            deck = [self.deck.get((slot.epoch.number, seat)) for slot, _ in round_.due[seat]]
            if seat not in self.seeds or h is None or None in deck:
                continue
            published = self.course.refreshed(round_, seat)
            made = self._made(published)
            if (
                made is None
                or not self._answers(published, made)
                or any(
                    multiply(h * pow(d.u, -1, N) % N, before) != rekeyed.point
                    for d, (_, before), rekeyed in zip(
                        deck, round_.due[seat], body.refresh.cards, strict=True
                    )
                    if d is not None
                )
            ):
                yield Fault(seat, round_.number, "audit-refresh", "the seed does not give the refresh")
                continue
            self.refreshes[round_.number, seat] = made
            scalars[seat] = h * made.u % N

    def _openings(self) -> Iterable[Fault]:
        """5."""
        holds: dict[int, int | None] = {}  # by slot: the card in it, or None where that is not known
        for round_ in self.log.rounds:
            for statement in round_.said.values():
                for opening in statement.body.act.openings:
                    slot = self.course.slots[opening.slot]
                    if holds.setdefault(slot.number, self._dealt(slot)) not in (None, opening.card):
                        why = f"another card was in slot {slot.number}"
                        yield Fault(statement.body.seat, round_.number, "audit-opening", why)
            if round_.kind == "responses" and not round_.missing:
                for seat, hand in round_.hidden.items():
                    held = [holds.get(slot.number, self._dealt(slot)) for slot, _ in hand]
                    made = self.refreshes.get((round_.steps[seat].round, seat))
                    for j, (slot, _) in enumerate(hand):
                        holds[slot.number] = None if made is None else held[made.permutation[j]]

    def _dealt(self, slot: Slot) -> int | None:
        """The card that was dealt to a slot, if the order of its pile is known."""
        order: Sequence[int] = slot.epoch.cards
        for seat in self.course.seats:
            made = self.deck.get((slot.epoch.number, seat))
            if made is None:
                return None
            order = [order[place] for place in made.permutation]
        return order[slot.position]


def expected_response(made: StepSecret, shadow_seed: bytes, bit: int) -> wire.Response:
    """The response that the seeds of a step and of a shadow give."""
    if bit == 0:
        return wire.Response(seed=shadow_seed)
    w, sigma = bridge(made, step_secret(shadow_seed, len(made.permutation)))
    return wire.Response(bridge=wire.Bridge(scalar=w, permutation=sigma))


# -------------------------------------------------------------------------------------------- 19 Transcript

FIRST_LINE = b"bcnet transcript 1\n"
MAX_ENTRIES = 131_072
MAX_FILE = 67_108_864


class Unreadable(Exception):
    """The bytes are no transcript, from this byte on."""

    def __init__(self, byte: int, why: str) -> None:
        super().__init__(why)
        self.byte = byte


def read_transcript(data: bytes) -> list[bytes]:
    """The entries of a transcript; else Unreadable."""
    if len(data) > MAX_FILE:
        raise Unreadable(0, "the file has more than 67,108,864 bytes")
    if not data.startswith(FIRST_LINE):
        cut = bool(data) and FIRST_LINE.startswith(data)
        raise Unreadable(
            len(data) if cut else 0, "the file does not begin as a transcript of this version does"
        )
    entries: list[bytes] = []
    at = len(FIRST_LINE)
    while at < len(data):
        if len(data) < at + 4:
            raise Unreadable(len(data), "the file ends within a length")
        size = int.from_bytes(data[at : at + 4], "big")
        if not 1 <= size <= MAX_ENTRY:
            raise Unreadable(at, f"an entry of {size} bytes")
        if len(data) < at + 4 + size:
            raise Unreadable(len(data), "the file ends within an entry")
        if len(entries) == MAX_ENTRIES:
            raise Unreadable(at, "more than 131,072 entries")
        entries.append(data[at + 4 : at + 4 + size])
        at += 4 + size
    if not entries:
        raise Unreadable(at, "there is no entry")
    return entries


# ---------------------------------------------------------------------------------------------- 20 Verdicts

EXIT_CODES = {"clean": 0, "cheated": 1, "unreadable": 2, "incomplete": 3}
WORST_FIRST = ("cheated", "unreadable", "incomplete", "clean")


@dataclass(frozen=True)
class Taken:
    """An entry that the play of a file took: it stands in the log, is a fault in it, or is set aside."""

    round: int
    seat: int
    body: bytes
    entry: bytes
    stands: bool


@dataclass
class Verdict:
    """What one file, or the files of one table, prove."""

    files: list[str]
    verdict: str
    why: str
    table: str | None = None
    fault: Fault | None = None
    entry: int | None = None  # unreadable: the first entry that cannot stand, from 1
    byte: int | None = None  # unreadable: from which byte on
    lacks: list[tuple[int, int, str]] = field(default_factory=list)  # incomplete: seat, round, kind
    result: Result | None = None
    closed_rounds: int = 0
    entries: int = 0  # that stand
    taken: list[Taken] = field(default_factory=list)

    def report(self) -> dict[str, object]:
        """The members of the JSON object."""
        fault, result = self.fault, self.result
        return {
            "files": self.files,
            "verdict": self.verdict,
            "seat": None if fault is None else fault.seat,
            "round": None if fault is None else fault.round,
            "kind": None if fault is None else fault.kind,
            "why": self.why,
            "table": self.table,
            "entry": self.entry,
            "byte": self.byte,
            "lacks": [{"seat": seat, "round": number, "kind": kind} for seat, number, kind in self.lacks],
            "result": None if result is None else {"winners": list(result.winners), "reason": result.reason},
        }

    def line(self) -> str:
        """The verdict in one line."""
        where = ""
        if self.fault is not None:
            where = f" seat {self.fault.seat} round {self.fault.round} {self.fault.kind}"
        elif self.entry is not None:
            where = f" from entry {self.entry} on"
        elif self.byte is not None:
            where = f" from byte {self.byte} on"
        elif self.lacks:
            lacks = (f"{kind} of seat {seat} in round {number}" for seat, number, kind in self.lacks)
            where = f" lacks {', '.join(lacks)}"
        return f"{' '.join(self.files)}: {self.verdict}{where} ({self.why})"


class Play:
    """A file's entries, received one after another on an empty table."""

    def __init__(self, entries: Sequence[bytes], check_proofs: bool) -> None:
        self.log = Log(check_proofs)
        self.fault: Fault | None = None
        self.unreadable: tuple[int, str] | None = None  # the number of the entry, and why
        self.taken: list[Taken] = []
        last = (-1, -1)
        for number, data in enumerate(entries, 1):
            try:
                received = self.log.receive(data)
            except Fault as fault:
                self.fault = fault
                if fault.kind != "malformed":
                    self._take(fault.round, fault.seat, data, stands=False)
                return
            except Noise as noise:
                self.unreadable = (number, str(noise))
                return
            body = received.statement.body
            if received.how == "other history":
                if number < len(entries) or self.log.complete:
                    self.unreadable = (
                        number,
                        "on top of another log, and not the last entry of a table that goes on",
                    )
                    return
            elif received.how == "repetition" or (body.round, body.seat) <= last:
                self.unreadable = (number, "a repetition, or out of the order of rounds and seats")
                return
            last = (body.round, body.seat)
            self._take(body.round, body.seat, data, stands=received.how == "stands")

    def _take(self, round_number: int, seat: int, entry: bytes, stands: bool) -> None:
        self.taken.append(Taken(round_number, seat, parse(wire.Entry, entry).body, entry, stands))


def verdict_on_entries(name: str, entries: Sequence[bytes]) -> Verdict:
    """The verdict on the entries of one file: "One file"."""
    play = Play(entries, check_proofs=False)
    log = play.log
    left_to_the_audit = play.fault is None and play.unreadable is None and log.complete
    if not left_to_the_audit:
        play = Play(entries, check_proofs=True)
        log = play.log
    verdict = Verdict(
        [name],
        "clean",
        "complete, every check passed, the audit of all seeds agrees",
        table=None if log.table_id is None else log.table_id.hex(),
        closed_rounds=len(log.rounds) - 1,
        entries=sum(entry.stands for entry in play.taken),
        taken=play.taken,
    )
    if play.unreadable is not None:
        verdict.verdict = "unreadable"
        verdict.entry, verdict.why = play.unreadable
        return verdict
    fault = play.fault or Audit(log).difference()
    if fault is not None:
        verdict.verdict, verdict.fault, verdict.why = "cheated", fault, str(fault)
        return verdict
    verdict.result = log.course.result
    if not left_to_the_audit:
        verdict.verdict = "incomplete"
        verdict.why = "valid as far as it goes; what is missing convicts nobody"
        verdict.lacks = [(seat, log.open.number, log.open.kind) for seat in log.open.missing]
    return verdict


def verdict_on_file(path: str) -> Verdict:
    """The verdict on one file."""
    try:
        entries = read_transcript(Path(path).read_bytes())
    except Unreadable as error:
        return Verdict([path], "unreadable", str(error), byte=error.byte)
    return verdict_on_entries(path, entries)


def together(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """The verdicts on files taken together: "Several files"."""
    groups: dict[object, list[Verdict]] = {}
    for verdict in verdicts:
        alone = verdict.verdict == "unreadable" or verdict.table is None
        groups.setdefault(id(verdict) if alone else verdict.table, []).append(verdict)
    return [group[0] if len(group) == 1 else _verdict_on_group(group) for group in groups.values()]


def _verdict_on_group(group: Sequence[Verdict]) -> Verdict:
    files = [name for verdict in group for name in verdict.files]
    # 1
    taken = [entry for verdict in group for entry in verdict.taken if entry.round >= 2]
    bodies: dict[tuple[int, int], set[bytes]] = {}
    for entry in taken:
        bodies.setdefault((entry.round, entry.seat), set()).add(entry.body)
    twice = min((place for place, different in bodies.items() if len(different) > 1), default=None)
    if twice is not None:
        fault = Fault(
            twice[1], twice[0], "equivocation", "two different bodies for one round, in several files"
        )
        return Verdict(files, "cheated", str(fault), table=group[0].table, fault=fault)
    # 2
    cheated = [(verdict.fault, verdict) for verdict in group if verdict.fault is not None]
    if cheated:
        _, verdict = min(cheated, key=lambda pair: (pair[0].round, pair[0].seat, pair[0].kind))
        return replace(verdict, files=files)
    # 3
    longest = max(group, key=lambda verdict: (verdict.closed_rounds, verdict.entries))
    sitting = [entry.entry for entry in longest.taken if entry.round < 2]
    standing = {(entry.round, entry.seat): entry.entry for entry in taken if entry.stands}
    put_together = [*sitting, *(standing[place] for place in sorted(standing))]
    if len(put_together) > longest.entries:
        verdict = verdict_on_entries(" ".join(files), put_together)
        if verdict.verdict != "unreadable":
            return replace(verdict, files=files)
    return replace(longest, files=files)


# ------------------------------------------------------------------------------------------- 22 Balloon Cup

# Material

COLOURS = ("red", "yellow", "green", "blue", "grey")
LETTERS = "rygbe"
CUBES = (13, 11, 9, 7, 5)
VALUES = (
    (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13),
    (1, 2, 3, 5, 6, 7, 8, 9, 11, 12, 13),
    (1, 2, 4, 6, 7, 8, 10, 12, 13),
    (1, 3, 5, 7, 9, 11, 13),
    (1, 4, 7, 10, 13),
)
PRICES = (7, 6, 5, 4, 3)
DECK = tuple(
    (colour, value) for colour in range(5) for value in VALUES[colour]
)  # card number -> colour, value
CARD_NAMES = {f"{LETTERS[colour]}{value}": card for card, (colour, value) in enumerate(DECK)}
CARDS_OF_COLOUR = tuple(len(values) for values in VALUES)


@dataclass
class Tile:
    """A tile: its number, the face that shows, its cubes, the cards on both sides; whether it is in the game."""

    number: int
    mountain: bool
    in_play: bool = True
    cubes: list[int] = field(default_factory=lambda: [0] * 5)
    sides: tuple[list[int], list[int]] = field(default_factory=lambda: ([], []))

    def cards_of(self, colour: int, side: int) -> int:
        """How many cards of a colour lie on a side."""
        return sum(DECK[card][0] == colour for card in self.sides[side])

    def has_room(self, colour: int, side: int) -> bool:
        """Whether a side has room for a colour."""
        return self.cards_of(colour, side) < self.cubes[colour]

    @property
    def full(self) -> bool:
        """Whether both sides together hold twice as many cards as the tile's number."""
        return len(self.sides[0]) + len(self.sides[1]) == 2 * self.number


# Notation


@dataclass(frozen=True)
class PlayCard(Action):
    """`play`: a card next to a tile, on a side of it."""

    card: int
    tile: int  # 1 .. 4
    side: int


@dataclass(frozen=True)
class Exchange(Action):
    """`exchange`: these cards."""

    cards: tuple[int, ...]


@dataclass(frozen=True)
class Pass(Action):
    """`pass`."""


@dataclass(frozen=True)
class Claim(Action):
    """`claim`: a trophy, for these numbers of cubes by colour."""

    colour: int
    payment: tuple[int, ...]


@dataclass(frozen=True)
class Decline(Action):
    """`decline`."""


def parse_payment(trophy: int, texts: Sequence[str]) -> tuple[int, ...] | None:
    """The payments of a claim: the trophy's own colour first, if it is there, then the others in order; else None."""
    payment = [0] * 5
    order = []
    for text in texts:
        name, _, count = text.partition("=")
        if name not in COLOURS or not re.fullmatch("[1-9][0-9]?", count, re.ASCII) or int(count) > 45:
            return None
        colour = COLOURS.index(name)
        payment[colour] = int(count)
        order.append((colour != trophy, colour))
    return tuple(payment) if order == sorted(set(order)) else None


class ThirdTrophy(Exception):
    """A seat has taken its third trophy."""

    def __init__(self, seat: int) -> None:
        super().__init__(f"seat {seat} has three trophies")
        self.seat = seat


def triples(cubes: Sequence[int], colours: Iterable[int]) -> int:
    """How many times three cubes of one colour there are in these colours."""
    return sum(cubes[colour] // 3 for colour in colours)


def fill_tile(number: int, bag: Sequence[int], limit: Sequence[int] | None, choices: Choices) -> list[int]:
    """The cubes that are drawn for a tile, by colour. The limit is waived where no draw could keep it."""
    if limit is not None and (min(limit) < 0 or sum(map(min, bag, limit)) < number):
        limit = None
    while True:
        cubes = [colour for colour in range(5) for _ in range(bag[colour])]
        drawn = [0] * 5
        for _ in range(number):
            drawn[cubes.pop(choices.below(len(cubes)))] += 1
        if limit is None or all(count <= most for count, most in zip(drawn, limit, strict=True)):
            return drawn


class BalloonCup(Game):
    """The rules of section 22."""

    NAME = "balloon-cup"
    SEATS = range(2, 3)
    OPTIONS: ClassVar = {"fill": ("designer", "blind", "capped")}
    CARDS = len(DECK)

    def __init__(self, seats: int, options: dict[str, str]) -> None:
        super().__init__(seats)
        self.fill = options["fill"]
        self.tiles = [Tile(number, mountain=number % 2 == 0) for number in (1, 2, 3, 4)]
        self.bag = list(CUBES)
        self.box = [0] * 5
        self.cubes = ([0] * 5, [0] * 5)  # before each seat
        self.trophies: list[int | None] = [None] * 5  # owners, by colour
        self.pile = 0
        self.discards: set[int] = set()
        self.asked = ""  # what the seat is asked for: "turn", "after exchange" or "claim"
        self.empty_exchanges = 0  # turns in succession that were exchanges of no card

    def parse(self, text: str) -> Action:
        """Read an action in its one spelling; else Wrong."""
        words = text.split(" ")
        match words:
            case ["play", card, "1" | "2" | "3" | "4" as tile, "0" | "1" as side] if card in CARD_NAMES:
                return PlayCard(CARD_NAMES[card], int(tile), int(side))
            case ["exchange", *names] if len(names) <= 4 and all(name in CARD_NAMES for name in names):
                cards = tuple(CARD_NAMES[name] for name in names)
                if list(cards) == sorted(set(cards)):
                    return Exchange(cards)
            case ["pass"]:
                return Pass()
            case ["claim", trophy, *payments] if trophy in COLOURS:
                payment = parse_payment(COLOURS.index(trophy), payments)
                if payment is not None:
                    return Claim(COLOURS.index(trophy), payment)
            case ["decline"]:
                return Decline()
            case _:
                pass
        raise Wrong("notation", f"no action: {text[:60]!r}")

    # The course of a game

    def course(self) -> Needs:
        """All needs of a game, in their order; the last is Over."""
        try:
            reason = yield from self._until_drawn()
            yield Over(Result((), reason))
        except ThirdTrophy as won:
            yield Over(Result((won.seat,), "third-trophy"))

    def _until_drawn(self) -> Generator[Need, Answer, str]:
        """Set-up and turns; ends with the reason of a drawn game, or with ThirdTrophy."""
        yield NeedShuffle(tuple(range(self.CARDS)))
        self.pile = self.CARDS
        mover = (yield from self._chance()).below(2)
        for tile in self.tiles:
            yield from self._fill(tile)
        yield from self._deal((0, 1) * 8)
        while (reason := self.drawn()) is None:
            mover = yield from self._turn(mover)
        return reason

    def _chance(self) -> Generator[Need, Answer, Choices]:
        choices = yield NeedChance()
        assert isinstance(choices, Choices)
        return choices

    def _decision(self, seat: int, asked: str) -> Generator[Need, Answer, Action]:
        self.asked = asked
        action = yield NeedDecision(seat)
        assert isinstance(action, Action)
        for card in self.cards_that_leave(action):
            self.shown[seat].remove(card)
            self.hand[seat] -= 1
        return action

    def _deal(self, seats: tuple[int, ...]) -> Needs:
        self.pile -= len(seats)
        yield NeedDeal(seats)
        for seat in seats:
            self.hand[seat] += 1

    def _fill(self, tile: Tile) -> Needs:
        """Chance: cubes for a tile."""
        choices = yield from self._chance()
        limit = None
        if self.fill == "designer":
            limit = [4, 4, 4, 3, 2]
        elif self.fill == "capped":
            limit = [
                most - sum(other.cubes[colour] for other in self.tiles if other is not tile)
                for colour, most in enumerate((6, 5, 4, 3, 2))
            ]
        tile.cubes = fill_tile(tile.number, self.bag, limit, choices)
        self.bag = [left - taken for left, taken in zip(self.bag, tile.cubes, strict=True)]

    def _turn(self, m: int) -> Generator[Need, Answer, int]:
        """A turn of seat m; the seat whose turn is next."""
        action = yield from self._decision(m, "turn")
        if isinstance(action, Exchange):
            if not action.cards:
                self.empty_exchanges += 1
                return 1 - m
            self.empty_exchanges = 0
            self.discards.update(action.cards)
            yield from self._draw(m, len(action.cards))
            action = yield from self._decision(m, "after exchange")
            if isinstance(action, Pass):
                return 1 - m
        self.empty_exchanges = 0
        assert isinstance(action, PlayCard)
        tile = self.tiles[action.tile - 1]
        tile.sides[action.side].append(action.card)
        follower = 1 - m
        if tile.full:
            follower = yield from self._score(tile, m)
        yield from self._draw(m, 1)
        return follower

    def _score(self, tile: Tile, m: int) -> Generator[Need, Answer, int]:
        """After a play of m that made a tile full; the seat whose turn is next."""
        # 1
        sums = [sum(DECK[card][1] for card in side) for side in tile.sides]
        w = m
        if sums[0] != sums[1]:
            w = int((sums[1] > sums[0]) == tile.mountain)
        # 2
        for colour in range(5):
            self.cubes[w][colour] += tile.cubes[colour]
        self.discards.update(*tile.sides)
        tile.cubes, tile.sides = [0] * 5, ([], [])
        # 3
        if sum(self.bag) < tile.number:
            tile.in_play = False
        else:
            tile.mountain = not tile.mountain
            yield from self._fill(tile)
        # 4
        while natural := [c for c in self.free() if self.cubes[w][c] >= PRICES[c]]:
            colour = natural[0]
            self._take(w, colour, [PRICES[c] if c == colour else 0 for c in range(5)])
        # 5
        asked, silent = w, 0
        while silent < 2:
            claimed = False
            if self.could_claim(asked):
                action = yield from self._decision(asked, "claim")
                if isinstance(action, Claim):
                    self._take(asked, action.colour, action.payment)
                    claimed = True
            silent = 0 if claimed else silent + 1
            asked = asked if claimed else 1 - asked
        return 1 - w

    def _draw(self, m: int, due: int) -> Needs:
        """Drawing one card, or as many as were exchanged."""
        while due:
            if self.pile == 0:
                cards, self.discards = tuple(sorted(self.discards)), set()
                yield NeedShuffle(cards)
                self.pile = len(cards)
            now = min(due, self.pile)
            yield from self._deal((m,) * now)
            due -= now

    # Trophies

    def free(self) -> list[int]:
        """The colours whose trophies are free."""
        return [colour for colour in range(5) if self.trophies[colour] is None]

    def taken(self) -> list[int]:
        """The colours whose trophies are taken, by whomever."""
        return [colour for colour in range(5) if self.trophies[colour] is not None]

    def _take(self, seat: int, colour: int, payment: Sequence[int]) -> None:
        """A seat takes a trophy and pays for it; ThirdTrophy if it is its third."""
        self.trophies[colour] = seat
        for c in range(5):
            self.cubes[seat][c] -= payment[c]
            self.box[c] += payment[c]
        if self.trophies.count(seat) == 3:
            raise ThirdTrophy(seat)

    def could_claim(self, seat: int) -> bool:
        """Whether a seat could claim some trophy."""
        more = triples(self.cubes[seat], self.taken())
        return any(self.cubes[seat][colour] + more >= PRICES[colour] for colour in self.free())

    def _check_claim(self, seat: int, claim: Claim) -> None:
        """A claim takes a free trophy and pays exactly what it costs; else Wrong."""
        have, price, taken = self.cubes[seat], PRICES[claim.colour], self.taken()
        if claim.colour in taken:
            raise Wrong("illegal-action", "that trophy is taken")
        own = min(have[claim.colour], price)
        if claim.payment[claim.colour] != own:
            raise Wrong(
                "illegal-action", "not as many cubes of the trophy's own colour as there are, or as it costs"
            )
        others = {c: claim.payment[c] for c in range(5) if c != claim.colour and claim.payment[c]}
        if any(c not in taken or count % 3 or count > have[c] for c, count in others.items()):
            raise Wrong(
                "illegal-action",
                "not three for one, of cubes that are there, in colours whose trophies are taken",
            )
        if own + sum(others.values()) // 3 != price:
            raise Wrong("illegal-action", "more or less than the trophy costs")

    # What is allowed and known

    def is_elsewhere(self, card: int, seat: int) -> bool:
        """Whether a card is known to be elsewhere than in the hand of a seat."""
        on_tiles = any(card in side for tile in self.tiles for side in tile.sides)
        return on_tiles or card in self.discards or card in self.shown[1 - seat]

    def check(self, seat: int, action: Action, hand: set[int]) -> None:
        """The rules allow the action to the seat that is asked, with what is known of its hand; else Wrong."""
        match action:
            case PlayCard(card, tile, side):
                demand(self.asked in ("turn", "after exchange"), "nobody is asked for a card")
                demand(card in hand, "the card is not known to be in the hand")
                demand(
                    self.tiles[tile - 1].has_room(DECK[card][0], side), "the tile has no room for it there"
                )
            case Exchange(cards):
                demand(self.asked == "turn", "nobody is asked for an exchange")
                self._demand_stuck(seat, hand)
                demand(hand.issuperset(cards), "a card is not in the hand")
            case Pass():
                demand(self.asked == "after exchange", "nobody may pass now")
                self._demand_stuck(seat, hand)
            case Claim():
                demand(self.asked == "claim", "nobody is asked for a claim")
                self._check_claim(seat, action)
            case Decline():
                demand(self.asked == "claim", "nothing is offered")
            case _:
                raise AssertionError(action)

    def cards_to_show(self, action: Action, hand: set[int]) -> set[int]:
        """The cards of the hand, which is known as far as it must be, that an action has to show."""
        match action:
            case PlayCard(card):
                return {card}
            case Exchange() | Pass():
                return set(hand)
            case _:
                return set()

    def cards_that_leave(self, action: Action) -> tuple[int, ...]:
        """The cards that leave the hand with an action."""
        match action:
            case PlayCard(card):
                return (card,)
            case Exchange(cards):
                return cards
            case _:
                return ()

    def _demand_stuck(self, seat: int, hand: set[int]) -> None:
        """The whole hand is known, and no card of it has room anywhere; else Wrong."""
        if len(hand) != self.hand[seat]:
            raise Wrong("illegal-action", "not the whole hand is known")
        colours = {DECK[card][0] for card in hand}
        if any(tile.has_room(colour, side) for tile in self.tiles for side in (0, 1) for colour in colours):
            raise Wrong("illegal-action", "a card of the hand has room")

    # Drawn

    def drawn(self) -> str | None:
        """Why the game is drawn at the start of a turn, or None."""
        if not any(self._can_be_laid(colour) for colour in range(5)):
            return "no-play-left"
        if not any(self._could_reach_three(seat) for seat in (0, 1)):
            return "no-third-trophy"
        if self.empty_exchanges == 4:
            return "standstill"
        return None

    def _on_tiles(self, colour: int, tiles: Iterable[Tile]) -> int:
        """How many cards of a colour lie next to these tiles."""
        return sum(tile.cards_of(colour, side) for tile in tiles for side in (0, 1))

    def _can_be_laid(self, colour: int) -> bool:
        """Whether there is room for a colour, and a card of it that lies next to no tile."""
        room = any(tile.has_room(colour, side) for tile in self.tiles for side in (0, 1))
        return room and self._on_tiles(colour, self.tiles) < CARDS_OF_COLOUR[colour]

    def _blocked(self) -> list[Tile]:
        """The blocked tiles."""
        blocked = [tile for tile in self.tiles if tile.in_play]
        while True:
            left = [CARDS_OF_COLOUR[colour] - self._on_tiles(colour, blocked) for colour in range(5)]
            still = [
                tile
                for tile in blocked
                if any(2 * tile.cubes[c] - self._on_tiles(c, [tile]) > left[c] for c in range(5))
            ]
            if len(still) == len(blocked):
                return blocked
            blocked = still

    def _could_reach_three(self, j: int) -> bool:
        """Whether seat j could reach three trophies with all cubes that it could come to have."""
        blocked = self._blocked()
        out_of_reach = [self.box, self.cubes[1 - j], *(tile.cubes for tile in blocked)]
        if all(tile in blocked for tile in self.tiles if tile.in_play):
            out_of_reach.append(self.bag)
        cubes = [CUBES[c] - sum(place[c] for place in out_of_reach) for c in range(5)]
        wanted = 3 - self.trophies.count(j)
        costs = sorted(
            PRICES[c] - cubes[c] if PRICES[c] > cubes[c] else -((cubes[c] - PRICES[c]) // 3)
            for c in self.free()
        )
        return len(costs) >= wanted and sum(costs[:wanted]) <= triples(cubes, self.taken())


# ---------------------------------------------------------------------------------------------- 28 Stones

STONE_COLOURS = ("red", "black", "grey", "white")
STONES_OF_A_COLOUR = 3
PAIRS = {  # the points of a stone (row) for a stone next to it (column, in the order of the colours)
    "red": (0, 12, 8, 10),
    "black": (11, 0, 5, 7),
    "grey": (9, 6, 0, 3),
    "white": (4, 2, 1, 0),
}
FIRST_STONE = 10
PENALTY = 10
SPANS = {2: 6, 3: 7, 4: 8}  # by the number of seats
Spot = tuple[int, int]  # column and row
SIDES = ((1, 0), (0, 1), (-1, 0), (0, -1))


@dataclass(frozen=True)
class Lay(Action):
    """`lay`: a stone of a colour at a place."""

    colour: str
    at: Spot


@dataclass(frozen=True)
class PassTurn(Action):
    """`pass`: nothing fits by the rules."""


@dataclass(frozen=True)
class Objection(Action):
    """`object`, or `agree`."""

    objects: bool


class Stones(Game):
    """The rules of section 28."""

    NAME = "stones"
    SEATS = range(2, 5)
    OPTIONS: ClassVar = {"penalties": ("off", "on")}

    def __init__(self, seats: int, options: dict[str, str]) -> None:
        super().__init__(seats)
        self.penalties = options["penalties"] == "on"
        self.span = SPANS[seats]
        self.field: dict[Spot, str] = {}
        self.left = [dict.fromkeys(STONE_COLOURS, STONES_OF_A_COLOUR) for _ in range(seats)]
        self.points = [0] * seats
        self.asked: frozenset[Action] = frozenset()  # what may be decided or chosen now

    def parse(self, text: str) -> Action:
        """Read an action in its one spelling; else Wrong."""
        number = "(0|-?[1-7])"
        if laid := re.fullmatch(f"lay ({'|'.join(STONE_COLOURS)}) {number} {number}", text, re.ASCII):
            return Lay(laid[1], (int(laid[2]), int(laid[3])))
        if text == "pass":
            return PassTurn()
        if text in ("object", "agree"):
            return Objection(text == "object")
        raise Wrong("notation", f"no action: {text[:60]!r}")

    def check(self, seat: int, action: Action, hand: set[int]) -> None:
        """The rules allow the action to the seat that is asked; else Wrong."""
        del seat, hand
        demand(action in self.asked, "not among what may be done now")

    # The course of a game

    def course(self) -> Needs:
        """All needs of a game, in their order; the last is Over."""
        while (choices := (yield from self.ask_chance())) is None:
            pass
        seat = self.playing[choices.below(len(self.playing))]
        while (reason := self.ended()) is None:
            if seat in self.playing:
                yield from self._turn(seat)
            seat = (seat + 1) % len(self.points)
        most = max(self.points[seat] for seat in self.playing)
        yield Over(Result(tuple(seat for seat in self.playing if self.points[seat] == most), reason))

    def ended(self) -> str | None:
        """Why the game is over before a turn, or None."""
        if not any(any(self.left[seat].values()) for seat in self.playing):
            return "all-laid"
        if not any(self.fitting(seat) for seat in self.playing):
            return "nothing-fits"
        return None

    def _turn(self, seat: int) -> Generator[Need, Answer, None]:
        """A turn of a seat, with all that others say of its stone."""
        while seat in self.playing and self.ended() is None:
            fitting = self.fitting(seat)
            may: set[Action] = set(fitting)
            if self.penalties:
                may = {lay for lay in self.lays(seat) if self.may_lie(lay.at)}
                if may and not fitting:
                    may.add(PassTurn())
            if not may:
                return
            action = yield from self._decision(seat, may)
            if action is None:
                continue
            if isinstance(action, Lay):
                against = action not in fitting
                scored = self._lay(seat, action)
                if self.penalties:
                    yield from self._objections(seat, action, scored, against)
            return

    def _objections(self, seat: int, lay: Lay, scored: int, against: bool) -> Generator[Need, Answer, None]:
        """All others say whether they object; a stone that lies against the rules is taken back then."""
        chosen = None
        while chosen is None:
            if seat not in self.playing:
                return
            self.asked = frozenset((Objection(True), Objection(False)))
            chosen = yield from self.ask_choice([other for other in self.playing if other != seat])
        if not against or Objection(True) not in chosen.values():
            return
        del self.field[lay.at]
        self.left[seat][lay.colour] += 1
        self.points[seat] -= scored + PENALTY
        while seat in self.playing:
            fitting = self.fitting(seat)
            again = {other for other in fitting if other.colour == lay.colour} or fitting
            if not again:
                return
            action = yield from self._decision(seat, set(again))
            if isinstance(action, Lay):
                self._lay(seat, action)
                return

    def _decision(self, seat: int, may: set[Action]) -> Generator[Need, Answer, Action | None]:
        self.asked = frozenset(may)
        return (yield from self.ask_decision(seat))

    def _lay(self, seat: int, lay: Lay) -> int:
        """A stone is laid; the points that it scores."""
        scored = sum(PAIRS[lay.colour][STONE_COLOURS.index(self.field[at])] for at in self.beside(lay.at))
        if not self.field:
            scored = FIRST_STONE
        self.left[seat][lay.colour] -= 1
        if self.left[seat][lay.colour] == 0:
            scored *= 2
        self.field[lay.at] = lay.colour
        self.points[seat] += scored
        return scored

    # Where a stone may lie

    def beside(self, at: Spot) -> list[Spot]:
        """The places of the neighbours."""
        return [near for near in ((at[0] + x, at[1] + y) for x, y in SIDES) if near in self.field]

    def lays(self, seat: int) -> list[Lay]:
        """Every colour that a seat has left, at every place next to a stone; at first at 0 0."""
        near = {(x + dx, y + dy) for x, y in self.field for dx, dy in SIDES} or {(0, 0)}
        return [Lay(colour, at) for colour, left in self.left[seat].items() if left for at in near]

    def may_lie(self, at: Spot) -> bool:
        """Whether a place is free, and in the field."""
        return at not in self.field and all(
            max(numbers) - min(numbers) < self.span for numbers in zip(at, *self.field, strict=True)
        )

    def fitting(self, seat: int) -> set[Lay]:
        """What a seat can lay by the rules."""
        return {lay for lay in self.lays(seat) if self.may_lie(lay.at) and self.keeps_the_rules(lay)}

    def keeps_the_rules(self, lay: Lay) -> bool:
        """The laying rules, of a stone that may lie where it is."""
        field, beside = self.field, self.beside(lay.at)
        near = [field[at] for at in beside]
        # 1
        if lay.colour in near:
            return False
        # 2
        if any(near.count(colour) > 2 for colour in STONE_COLOURS):
            return False
        for at in beside:
            if [field[other] for other in self.beside(at)].count(lay.colour) + 1 > 2:
                return False
        # 3
        for step_x, step_y in ((1, 1), (1, -1)):
            run = 1
            for sign in (1, -1):
                x, y = lay.at
                while field.get((x := x + sign * step_x, y := y + sign * step_y)) == lay.colour:
                    run += 1
            if run > 3:
                return False
        return True


# ----------------------------------------------------------------------------------- 29 Edel, Stein & Reich

GEM_COLOURS = ("red", "yellow", "green", "blue")
GEMS_OF_A_COLOUR = 22
FIRST_GEMS = 3
ACTION_CARDS = ("money", "event", "gems", "free")
GEM_CARDS = tuple(
    (money, tuple(gems.count(letter) for letter in "RYGB"))
    for money, cards in (
        (7, "RB RB YG YG YB GG BB"),
        (6, "RR RY RG YY YBB GGB GBB BBB"),
        (5, "RYB RYB RGB RGG RGG YYG YGG YGB"),
        (4, "RRY RRG RRB RYY RYG YYY RGBB"),
    )
    for gems in cards.split()
)
EVENT_CARDS = {
    "certificate": 15,
    **{f"surcharge-{colour}": 1 for colour in GEM_COLOURS},
    **{f"doubler-{colour}": 1 for colour in GEM_COLOURS},
    "vault": 4,
    "cash": 3,
    "jewel-box": 3,
    "swap": 3,
    "levy": 3,
}
AT_ONCE = ("cash", "jewel-box", "swap", "levy")
ROUNDS_OF_A_PASS = {3: 8, 4: 7, 5: 6}  # by the number of seats
PASSES = 3
PAYOUTS = (14, 12, 10, 8)
RANKS = (4, 3, 2, 1)  # what a gem of each colour counts in an offer
SURCHARGE = 6
CASH = 8
CERTIFICATES = (10, 4)

Gems = tuple[int, ...]  # how many of each colour


@dataclass(frozen=True)
class Choose(Action):
    """`choose`: an action card."""

    card: str


@dataclass(frozen=True)
class Offer(Action):
    """`offer`: these gems."""

    gems: Gems


@dataclass(frozen=True)
class Accept(Action):
    """`accept`."""


@dataclass(frozen=True)
class TakeEvent(Action):
    """`event`: the open event card, or the top one that lies face down."""

    face_down: bool


@dataclass(frozen=True)
class Take(Action):
    """`take`: these gems from the supply."""

    gems: Gems


@dataclass(frozen=True)
class Swap(Action):
    """`swap`: a gem of a colour for one of another seat."""

    give: int
    seat: int
    take: int


@dataclass(frozen=True)
class Give(Action):
    """`give`: a gem of a colour."""

    colour: int


@dataclass(frozen=True)
class Vault(Action):
    """`vault`: use it for the colour just paid, or save it."""

    use: bool


def offer_rank(gems: Gems) -> tuple[int, int]:
    """What makes an offer higher than another: more gems, or as many with a higher sum."""
    return sum(gems), sum(count * rank for count, rank in zip(gems, RANKS, strict=True))


def highest_offer(gems: Gems, count: int) -> tuple[int, int]:
    """The highest offer of so many of these gems."""
    ranks = sorted((rank for n, rank in zip(gems, RANKS, strict=True) for _ in range(n)), reverse=True)
    return count, sum(ranks[:count])


def one_of(colour: int) -> Gems:
    """One gem."""
    return tuple(int(colour == c) for c in range(4))


class EdelSteinReich(Game):
    """The rules of section 29."""

    NAME = "edel"
    SEATS = range(3, 6)
    OPTIONS: ClassVar = {}

    def __init__(self, seats: int, options: dict[str, str]) -> None:
        del options
        super().__init__(seats)
        self.seats = seats
        self.gems = [[FIRST_GEMS] * 4 for _ in range(seats)]
        self.money = [0] * seats
        self.supply = [GEMS_OF_A_COLOUR - FIRST_GEMS * seats] * 4
        self.gem_cards: list[int] = []  # of this pass that are not dealt yet, ascending
        self.dealt: dict[int, int] = {}  # the gem card of each seat
        self.events = [event for event, count in EVENT_CARDS.items() for _ in range(count)]  # face down
        self.discards: list[str] = []  # with the covered ones
        self.open_event: str | None = None
        self.kept: list[list[str]] = [[] for _ in range(seats)]
        self.chosen: dict[int, str] = {}  # action cards
        self.allowed: Callable[[Action], bool] = lambda _: False  # what may be decided or chosen now

    def parse(self, text: str) -> Action:
        """Read an action in its one spelling; else Wrong."""
        match text.split(" "):
            case ["choose", card] if card in ACTION_CARDS:
                return Choose(card)
            case ["offer", *parts] if gems := parse_gems(parts):
                return Offer(gems)
            case ["accept"]:
                return Accept()
            case ["event", "open" | "face-down" as which]:
                return TakeEvent(which == "face-down")
            case ["take", *parts] if gems := parse_gems(parts):
                return Take(gems)
            case ["swap", give, "0" | "1" | "2" | "3" | "4" as seat, take] if {give, take} <= {*GEM_COLOURS}:
                return Swap(GEM_COLOURS.index(give), int(seat), GEM_COLOURS.index(take))
            case ["give", colour] if colour in GEM_COLOURS:
                return Give(GEM_COLOURS.index(colour))
            case ["vault", "use" | "save" as use]:
                return Vault(use == "use")
            case _:
                pass
        raise Wrong("notation", f"no action: {text[:60]!r}")

    def check(self, seat: int, action: Action, hand: set[int]) -> None:
        """The rules allow the action to the seat that is asked; else Wrong."""
        del seat, hand
        demand(self.allowed(action), "not among what may be done now")

    def leave(self, seats: frozenset[int]) -> None:
        """Gems go to the supply, event cards to the discards, money away."""
        super().leave(seats)
        for seat in seats:
            self._pay_back(seat, tuple(self.gems[seat]))
            self.discards += self.kept[seat]
            self.kept[seat] = []
            self.money[seat] = 0
            self.chosen.pop(seat, None)

    # The course of a game

    def course(self) -> Needs:
        """All needs of a game, in their order; the last is Over."""
        for _ in range(PASSES):
            self.gem_cards = list(range(len(GEM_CARDS)))
            for _ in range(ROUNDS_OF_A_PASS[self.seats]):
                yield from self._round()
            yield from self._scoring()
        wealth = {seat: (self.money[seat], *self.gems[seat]) for seat in self.playing}
        richest = max(wealth.values())
        yield Over(Result(tuple(seat for seat in self.playing if wealth[seat] == richest), "richest"))

    def _round(self) -> Generator[Need, Answer, None]:
        choices = yield from self._chance()
        self.dealt = {seat: self.gem_cards.pop(choices.below(len(self.gem_cards))) for seat in self.playing}
        opened = self._draw_event((yield from self._chance()))
        if self.open_event is not None:  # it is covered now
            self.discards.append(self.open_event)
        self.open_event = opened
        cards = ACTION_CARDS if self.seats == 5 else ACTION_CARDS[:3]
        chosen = None
        while chosen is None:
            self.allowed = lambda action: isinstance(action, Choose) and action.card in cards
            chosen = yield from self.ask_choice(self.playing)
        self.chosen = {seat: action.card for seat, action in chosen.items() if isinstance(action, Choose)}
        for card in ACTION_CARDS:
            seats = [seat for seat in self.playing if self.chosen[seat] == card]
            if len(seats) == 1:
                yield from self._perform(seats[0], card)
            elif len(seats) == 2:
                yield from self._trade(seats, card)

    def _chance(self) -> Generator[Need, Answer, Choices]:
        while (choices := (yield from self.ask_chance())) is None:
            pass
        return choices

    def _draw_event(self, choices: Choices) -> str:
        """The top event card: one of those that it can be."""
        if not self.events:
            self.events = sorted(self.discards, key=[*EVENT_CARDS].index)
            self.discards = []
        return self.events.pop(choices.below(len(self.events)))

    def _decision(self, seat: int, options: Callable[[], Sequence[A]]) -> Generator[Need, Answer, A | None]:
        """One of the options, which are others when somebody has left; None if there is none, or the seat has left.

        An only one is taken without asking.
        """
        while seat in self.playing:
            now = options()
            if len(now) < 2:
                return now[0] if now else None
            self.allowed = now.__contains__
            action = yield from self.ask_decision(seat)
            if action is not None:
                return next(option for option in now if option == action)
        return None

    # Trades

    def _trade(self, seats: list[int], card: str) -> Generator[Need, Answer, None]:
        """Two have chosen an action card; one who is left alone performs the action."""
        first, second = sorted(seats, key=lambda seat: (*self.gems[seat], self.money[seat]))
        if not any(self.gems[first]) and not any(self.gems[second]):
            return
        tied = (self.gems[first], self.money[first]) == (self.gems[second], self.money[second])
        while tied and {*seats} <= {*self.playing}:
            choices = yield from self.ask_chance()
            if choices is not None:
                first = seats[choices.below(2)]
                second = sum(seats) - first
                tied = False
        if not any(self.gems[first]):
            first, second = second, first
        speaker, other = first, second
        offered: Gems = (0, 0, 0, 0)  # by the other
        while {*seats} <= {*self.playing}:
            action: Action | None = Accept()
            if not any(offered) or self._can_raise(speaker, offered):
                self.allowed = self._offers(speaker, offered)
                action = yield from self.ask_decision(speaker)
            match action:
                case Offer(gems):
                    offered, speaker, other = gems, other, speaker
                case Accept():
                    self._move(other, speaker, offered)
                    yield from self._perform(other, card)
                    return
                case _:
                    pass
        for seat in seats:
            if seat in self.playing:
                yield from self._perform(seat, card)

    def _can_raise(self, seat: int, offered: Gems) -> bool:
        have = tuple(self.gems[seat])
        return sum(have) > sum(offered) or (
            sum(have) == sum(offered) and highest_offer(have, sum(have)) > offer_rank(offered)
        )

    def _offers(self, seat: int, offered: Gems) -> Callable[[Action], bool]:
        """What a seat may say to an offer, or, where there is none yet, offer."""

        def allowed(action: Action) -> bool:
            match action:
                case Offer(gems):
                    has = all(n <= have for n, have in zip(gems, self.gems[seat], strict=True))
                    return has and offer_rank(gems) > offer_rank(offered)
                case Accept():
                    return any(offered)
                case _:
                    return False

        return allowed

    # Performing an action

    def _perform(self, seat: int, card: str) -> Generator[Need, Answer, None]:
        money, gems = GEM_CARDS[self.dealt[seat]]
        match card:
            case "money":
                self.money[seat] += money
            case "gems":
                self._take(seat, tuple(map(min, gems, self.supply)))
            case "event":
                yield from self._event(seat)
            case "free":
                yield from self._pick(seat, 2, 2)
            case _:
                raise AssertionError(card)

    def _pick(self, seat: int, count: int, most: int) -> Generator[Need, Answer, None]:
        """A seat takes so many gems from the supply, at most so many of a colour; if it is short, what it has."""

        def takes() -> list[Take]:
            have = [min(most, n) for n in self.supply]
            every = product(*(range(n + 1) for n in have))
            return [Take(gems) for gems in every if sum(gems) == min(count, sum(have)) > 0]

        take = yield from self._decision(seat, takes)
        if take is not None:
            self._take(seat, take.gems)

    def _take(self, seat: int, gems: Gems) -> None:
        for c in range(4):
            self.supply[c] -= gems[c]
            self.gems[seat][c] += gems[c]

    def _pay_back(self, seat: int, gems: Gems) -> None:
        self._take(seat, tuple(-n for n in gems))

    def _event(self, seat: int) -> Generator[Need, Answer, None]:
        which = yield from self._decision(seat, lambda: [TakeEvent(False), TakeEvent(True)])
        if which is None:
            return
        if which.face_down:
            choices = None
            while choices is None:
                choices = yield from self.ask_chance()
                if seat not in self.playing:
                    return
            event = self._draw_event(choices)
        else:
            assert self.open_event is not None, "one is opened in every round"
            event, self.open_event = self.open_event, None
        if event not in AT_ONCE:
            self.kept[seat].append(event)
            return
        self.discards.append(event)
        match event:
            case "cash":
                self.money[seat] += CASH
            case "jewel-box":
                yield from self._pick(seat, 3, 1)
            case "swap":
                yield from self._swap(seat)
            case _:
                yield from self._levy(seat)

    def _swap(self, seat: int) -> Generator[Need, Answer, None]:
        def swaps() -> list[Swap]:
            return [
                Swap(give, other, take)
                for give in range(4)
                for other in self.playing
                for take in range(4)
                if other != seat and self.gems[seat][give] and self.gems[other][take]
            ]

        swap = yield from self._decision(seat, swaps)
        if swap is not None:
            self._move(seat, swap.seat, one_of(swap.give))
            self._move(swap.seat, seat, one_of(swap.take))

    def _levy(self, seat: int) -> Generator[Need, Answer, None]:
        def gives(giver: int) -> list[Give]:
            return [Give(c) for c in range(4) if self.gems[giver][c] and seat in self.playing]

        for giver in [(seat + n) % self.seats for n in range(1, self.seats)]:
            give = yield from self._decision(giver, partial(gives, giver))
            if give is not None:
                self._move(giver, seat, one_of(give.colour))

    def _move(self, giver: int, taker: int, gems: Gems) -> None:
        self._pay_back(giver, gems)
        self._take(taker, gems)

    # Scoring

    def _scoring(self) -> Generator[Need, Answer, None]:
        for c, colour in enumerate(GEM_COLOURS):
            most = max(self.gems[seat][c] for seat in self.playing)
            paid = [seat for seat in self.playing if self.gems[seat][c] == most > 0]
            for seat in paid:
                payout = PAYOUTS[c] // len(paid)
                payout *= 2 ** self.kept[seat].count(f"doubler-{colour}")
                self.money[seat] += payout + SURCHARGE * self.kept[seat].count(f"surcharge-{colour}")
            back = (most + 1) // 2 if len(paid) == 1 else min(2, most)
            for seat in paid:
                if "vault" in self.kept[seat]:
                    vault = yield from self._decision(seat, lambda: [Vault(True), Vault(False)])
                    if vault == Vault(True):
                        self.kept[seat].remove("vault")
                        self.discards.append("vault")
                        continue
                if seat in self.playing:
                    self._pay_back(seat, tuple(back * n for n in one_of(c)))
        self._pay_certificates()
        for seat in self.playing:
            self.discards += self.kept[seat]
            self.kept[seat] = []

    def _pay_certificates(self) -> None:
        counts = {seat: self.kept[seat].count("certificate") for seat in self.playing}
        numbers = sorted({count for count in counts.values() if count}, reverse=True)
        places = [[seat for seat in self.playing if counts[seat] == count] for count in numbers]
        if not places:
            return
        if len(places[0]) > 1:
            payouts = [(places[0], sum(CERTIFICATES))]
        else:
            payouts = list(zip(places, CERTIFICATES, strict=False))
        for seats, payout in payouts:
            for seat in seats:
                self.money[seat] += payout // len(seats)


def parse_gems(parts: Sequence[str]) -> Gems | None:
    """Gems as they are written, each colour at most once, in the order of the colours, at least one; else None."""
    gems, order = [0] * 4, []
    for part in parts:
        name, _, count = part.partition("=")
        if name not in GEM_COLOURS or not re.fullmatch("[1-9]|1[0-9]|2[0-2]", count, re.ASCII):
            return None
        gems[GEM_COLOURS.index(name)] = int(count)
        order.append(GEM_COLOURS.index(name))
    return tuple(gems) if order and order == sorted(set(order)) else None


# All games

GAMES: dict[str, type[BalloonCup] | type[Stones] | type[EdelSteinReich]] = {
    game.NAME: game for game in (BalloonCup, Stones, EdelSteinReich)
}


# ---------------------------------------------------------------------------------------- The command line


class Parser(argparse.ArgumentParser):
    """Wrong usage ends with 64: 2 would be a verdict."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and end."""
        self.print_usage(sys.stderr)
        self.exit(64, f"{self.prog}: {message}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Verify files, print the verdicts, give the exit code."""
    parser = Parser(
        description="A second verifier of bcnet's transcripts, written from docs/protocol.md alone.",
        epilog="Exit codes: 0 clean, 1 cheated, 2 unreadable, 3 incomplete; of several the worst (1 2 3 0).",
    )
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--json", action="store_true", help="a JSON object on a line for each verdict")
    parser.add_argument("--together", action="store_true", help="judge the files of one table together")
    options = parser.parse_args(arguments)
    verdicts = []
    for path in options.files:
        try:
            verdicts.append(verdict_on_file(path))
        except OSError as error:
            parser.error(f"{path} cannot be read: {error.strerror}")
    if options.together:
        verdicts = together(verdicts)
    for verdict in verdicts:
        print(json.dumps(verdict.report()) if options.json else verdict.line())
    return EXIT_CODES[min((verdict.verdict for verdict in verdicts), key=WORST_FIRST.index)]


if __name__ == "__main__":
    sys.exit(main())
