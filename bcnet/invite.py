"""The invite code: what a host gives to friends, so that they meet this host and nobody else gets their seats.

It reads ``k5ma7-8qd2x-w4ch9-nt60z-3vbe2``: 25 letters and digits, that is 125 bits in this order:

======  ====  ========================================================================================================
part    bits  what for
======  ====  ========================================================================================================
pin       80  the start of the hash of the host's identity key; the same bits that its fingerprint shows
token     35  a secret that admits as many as the table awaits, and nobody after them
check     10  two symbols that tell a typo from a wrong code
======  ====  ========================================================================================================

**The pin** names the host's identity key and, through it, the certificate: the key signs for the certificate inside it
(`bcnet.certificate`), which the joiner reads before anything is said, and once more, with the nonces of both sides, in
the hello. So a certificate of anybody else is refused at once. To pin the certificate as well would only make the code
longer, and void as soon as the host's program is started anew. Another key with the same pin costs 2**80 key pairs.

**The token** can only be tried at the host, one try a connection, each with a TLS handshake and a signed hello. A host
that answers 500 strangers a second, more than it does, and that for a day, would let the right one of 2**35 in with
chance 0.13 %; `Turnstile` allows an address five wrong codes, then one every ten seconds, so that a LAN full of
guessers (254) has 0.006 % in that day. What they win is a seat at a game, in the sight of the host. The token is never
said: the guest proves it by a hash over the greeting of this very connection, once the host has proven that it is the
pinned one. The order matters, for whoever is shown such a hash can try all tokens on it in a minute.

**The check** is a Reed-Solomon code over GF(32) with distance 3: one or two wrong symbols are always noticed, two that
have changed places among them; of worse typos, one in 1024 passes. A single wrong symbol shows which group it is in.

The alphabet is Crockford's base32: ``o`` is read as 0, ``i`` and ``l`` as 1; case, spaces and all kinds of dashes mean
nothing. Pure: tokens are handed in, and so is the time. docs/protocol.md, section "Invite".
"""

from __future__ import annotations

import hmac
import unicodedata
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Self

from bcnet.errors import Phrase, UsageError
from bcnet.hashing import tagged_hash
from bcnet.signing import FINGERPRINT_BITS, fingerprint_bytes

TOKEN_BITS = 35
PROOF_SIZE = 32

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_VALUES = {letter: value for value, letter in enumerate(_ALPHABET)} | {"o": 0, "i": 1, "l": 1}
_BITS = 5
_DATA = (FINGERPRINT_BITS + TOKEN_BITS) // _BITS
_CHECK = 2
_GROUP = 5
LENGTH = _DATA + _CHECK
"""Letters and digits of a code; the dashes between the groups are not counted."""

_EXAMPLE = "k5ma7-8qd2x-w4ch9-nt60z-3vbe2"

_MAX_TEXT = 256
"""A longer text is not looked at."""


class BadCode(UsageError):
    """A text that is no invite code: mistyped, cut off, or something else altogether."""


@dataclass(frozen=True, slots=True)
class Invite:
    """An invite: whom it leads to, and the secret that opens the door there."""

    pin: bytes
    """10 bytes: the fingerprint of the host's identity key."""
    token: int = field(repr=False)
    """35 bits from the operating system, new for every invite."""

    def __post_init__(self) -> None:
        if len(self.pin) * 8 != FINGERPRINT_BITS or not 0 <= self.token < 1 << TOKEN_BITS:
            raise ValueError("a pin has 10 bytes, a token 35 bits")

    @classmethod
    def make(cls, identity: bytes, token: int) -> Self:
        """An invite to the host with this identity key (32 bytes), with a token below 2**35 never used before."""
        return cls(fingerprint_bytes(identity), token)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a code as somebody has typed or pasted it. Raises `BadCode`, which says what is wrong with it."""
        symbols = _symbols(text)
        if syndromes := _syndromes(symbols):
            raise _typo(symbols, syndromes)
        number = 0
        for symbol in symbols[:_DATA]:
            number = number << _BITS | symbol
        return cls((number >> TOKEN_BITS).to_bytes(FINGERPRINT_BITS // 8, "big"), number % (1 << TOKEN_BITS))

    @property
    def code(self) -> str:
        """The code as it is shown: lower case, five groups of five. It is secret: never log it."""
        number = int.from_bytes(self.pin, "big") << TOKEN_BITS | self.token
        data = [number >> _BITS * place & (1 << _BITS) - 1 for place in reversed(range(_DATA))]
        return _written(data + _check_symbols(data))

    def matches(self, identity: bytes) -> bool:
        """Whether the code leads to the host with this identity key. The key must have been proven."""
        return fingerprint_bytes(identity) == self.pin

    def proof(self, greeting: bytes) -> bytes:
        """What a guest shows in place of the token, 32 bytes, good for one connection.

        ``greeting`` is ``bcnet.hello.greeting`` of that connection. Only for a host that has proven to match, there.
        """
        return tagged_hash("admission", self.token.to_bytes((TOKEN_BITS + 7) // 8, "big"), greeting)


# --- the host's door ---


class Pass(Enum):
    """What the turnstile says to a guest who shows a proof."""

    ADMITTED = "admitted"
    WRONG = "wrong"
    """Not the code of this invite."""
    USED = "used"
    """The right code, but as many others as it is for have come in with it."""
    LATER = "later"
    """Too many wrong codes from there; this one was not looked at."""


class Turnstile:
    """The host's side of one invite: lets so many guests in, those again after a dropped line, and nobody else."""

    TRIES = 5
    """Wrong codes that an address has free."""
    PAUSE = 10.0
    """Seconds after which an address gets one more."""
    MAX_ADDRESSES = 1024
    """Addresses whose wrong codes are remembered; the one that has been quiet for longest is forgotten first."""

    def __init__(self, invite: Invite, guests: int = 1) -> None:
        self.invite = invite
        self._guests = guests
        self.used_by: set[bytes] = set()
        """The identity keys of the guests who came in with the code."""
        self._wrong: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """By address: how many wrong codes it has had, less what time has taken off, and as of when."""

    def admit(self, guest: bytes, proof: bytes, greeting: bytes, address: str, now: float) -> Pass:
        """Judge a guest.

        ``guest`` is the key that it has proven on the connection with this ``greeting``, ``address`` where it comes
        from (for IPv6, the network: its first 64 bits), ``now`` a clock in seconds that never goes back.
        """
        wrong = self._wrong_codes(address, now)
        if wrong > self.TRIES - 1:
            return Pass.LATER
        if not hmac.compare_digest(self.invite.proof(greeting), proof):
            self._wrong[address] = (wrong + 1, now)
            self._wrong.move_to_end(address)
            if len(self._wrong) > self.MAX_ADDRESSES:
                self._wrong.popitem(last=False)
            return Pass.WRONG
        if len(self.used_by | {guest}) > self._guests:
            return Pass.USED
        self.used_by.add(guest)
        return Pass.ADMITTED

    def _wrong_codes(self, address: str, now: float) -> float:
        count, then = self._wrong.get(address, (0.0, now))
        return max(0.0, count - (now - then) / self.PAUSE)


# --- reading what was typed ---


def _symbols(text: str) -> list[int]:
    letters = [
        letter
        for letter in unicodedata.normalize("NFKC", text[:_MAX_TEXT]).lower()
        if not letter.isspace()
        and unicodedata.category(letter) not in {"Pd", "Pc", "Cf"}
        and letter != "\N{MINUS SIGN}"
    ]
    for letter in letters:
        if letter not in _VALUES:
            raise BadCode(
                "There is no {letter} in an invite code.",
                hint="It has {length} letters and digits, as in {example}; there is no U among them (it may be a V).",
                letter=repr(letter),
                length=LENGTH,
                example=_EXAMPLE,
            )
    if len(letters) != LENGTH:
        raise BadCode(
            "An invite code has {length} letters and digits; this one has {count}.",
            hint="Something is missing or doubled. Copy the whole line that the host's program shows.",
            length=LENGTH,
            count=len(letters) if len(text) <= _MAX_TEXT else Phrase("many more"),
        )
    return [_VALUES[letter] for letter in letters]


def _written(symbols: Sequence[int]) -> str:
    letters = "".join(_ALPHABET[symbol] for symbol in symbols)
    return "-".join(letters[start : start + _GROUP] for start in range(0, len(letters), _GROUP))


def _typo(symbols: Sequence[int], syndromes: tuple[int, int]) -> BadCode:
    first, second = syndromes
    # A single wrong symbol, d too much at the place of x**k, leaves d * a**k and d * a**2k.
    degree = (_LOG[second] - _LOG[first]) % len(_LOG) if first and second else LENGTH
    if degree >= LENGTH:
        return BadCode(
            "There is a typo in the invite code.",
            hint="Compare it with what the host's program shows, letter by letter.",
        )
    group = (LENGTH - 1 - degree) // _GROUP
    return BadCode(
        "There is a typo in the invite code, it seems in group {number}: {group}.",
        hint="Compare it with what the host's program shows, letter by letter.",
        number=group + 1,
        group=_written(symbols).split("-")[group],
    )


# --- the check: Reed-Solomon over GF(32), modulo x**5 + x**2 + 1, with a = x ---
# The symbols are the coefficients of a polynomial, the first of the highest power; it is zero at a and at a*a.

_POWERS = [1]
while len(_POWERS) < (1 << _BITS) - 1:
    _POWERS.append(_POWERS[-1] << 1 if _POWERS[-1] < 1 << _BITS - 1 else _POWERS[-1] << 1 ^ 0b100101)
_LOG = {power: exponent for exponent, power in enumerate(_POWERS)}


def _times(a: int, b: int) -> int:
    return _POWERS[(_LOG[a] + _LOG[b]) % len(_POWERS)] if a and b else 0


def _value_at(symbols: Sequence[int], exponent: int) -> int:
    """The polynomial's value at a**exponent."""
    value = 0
    for symbol in symbols:
        value = _times(value, _POWERS[exponent]) ^ symbol
    return value


def _syndromes(symbols: Sequence[int]) -> tuple[int, int] | None:
    found = _value_at(symbols, 1), _value_at(symbols, 2)
    return found if any(found) else None


def _check_symbols(data: Sequence[int]) -> list[int]:
    """The two that make the polynomial zero at a and a*a: two linear equations."""
    padded = [*data, 0, 0]
    first, second = _value_at(padded, 1), _value_at(padded, 2)
    # first = u*a + v and second = u*a*a + v
    u = _times(first ^ second, _POWERS[-_LOG[_POWERS[1] ^ _POWERS[2]] % len(_POWERS)])
    return [u, first ^ _times(u, _POWERS[1])]
