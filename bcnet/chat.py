"""What players say to each other beside the game: how a line is cleaned, how often somebody may speak, who stays out.

Both sides use this for every line, for what they send and for what they get: a modified program sends what it likes.
Chat is not signed and is kept nowhere (docs/protocol.md, "Chat"). This module is pure; time is told to it, as seconds
of a clock that never goes back.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping

from bcnet.errors import Refusal
from bcnet.language import N_
from bcnet.names import clean_text

MAX_LENGTH = 200
"""Characters (code points) of a line; what is longer is cut off."""
MAX_BYTES = 4 * MAX_LENGTH
"""Bytes of a line on the wire, in UTF-8: a longer one comes from no honest program."""
MAX_MARKS = 2
"""Combining marks on one character: more of them climb over the lines above and below."""

SPEAK_BURST, SPEAK_SECONDS = 5, 1.0
"""Lines that a player may send at once, and the seconds after which there is one more."""
HEAR_BURST, HEAR_SECONDS = 30, 1.0
"""The same for lines that come: as many as an honest program can have sent while its connection hung."""

OFF_HERE = N_("Chat is off on this side; nothing was sent.")
OFF_THERE = N_("{name} has chat off; nothing was sent.")
NOTHING_SAID = N_("There is nothing in that to be shown.")
NOTHING_SAID_HINT = N_("Type say and a text, as in: say good game")
TOO_FAST = N_("Not so fast: one line a second.")


def clean(text: str) -> str:
    """The line as it is sent and shown: at most 200 characters, each visible; empty if nothing of it is.

    Controls, format and bidi characters, private ones and those that this Python does not know are left out; any
    space becomes one, and piled-up combining marks are thinned out.
    """
    thinned = "".join(_few_marks(clean_text(text[: 2 * MAX_BYTES])))
    return thinned[:MAX_LENGTH].strip(" ")


def _few_marks(text: str) -> Iterator[str]:
    marks = 0
    for character in text:
        marks = marks + 1 if unicodedata.category(character).startswith("M") else 0
        if marks <= MAX_MARKS:
            yield character


class Allowance:
    """So many lines at once, and one more after every so many seconds (a token bucket)."""

    def __init__(self, burst: int, seconds: float) -> None:
        self._burst = burst
        self._seconds = seconds
        self._left = float(burst)
        self._seen: float | None = None

    def take(self, now: float) -> bool:
        """Use up one, if there is any."""
        passed = 0.0 if self._seen is None else now - self._seen
        self._seen = now
        self._left = min(float(self._burst), self._left + passed / self._seconds)
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Conversation:
    """Who may say what at one table, as one side knows it."""

    def __init__(self, own: int) -> None:
        self._own = own
        self._speaking = Allowance(SPEAK_BURST, SPEAK_SECONDS)
        self._hearing: dict[int, Allowance] = {}
        self.silent: set[int] = set()
        """The seats that take no part, the own one among them."""

    @property
    def is_off(self) -> bool:
        """Whether the own player takes no part."""
        return self._own in self.silent

    def speak(self, text: str, others: Mapping[int, str], now: float) -> str:
        """What is to be sent of a line to the others, whose names are by seat. Raises `Refusal`."""
        if self.is_off:
            raise Refusal(OFF_HERE)
        if set(others) <= self.silent:
            raise Refusal(OFF_THERE, name=next(iter(others.values())))
        cleaned = clean(text)
        if not cleaned:
            raise Refusal(NOTHING_SAID, hint=NOTHING_SAID_HINT)
        if not self._speaking.take(now):
            raise Refusal(TOO_FAST)
        return cleaned

    def hear(self, seat: int, text: str, now: float) -> bool:
        """Whether what comes from a seat says anything new, and does not come too fast; no text: the seat stays out."""
        if not text:
            is_new = seat not in self.silent
            self.silent.add(seat)
            return is_new
        allowance = self._hearing.setdefault(seat, Allowance(HEAR_BURST, HEAR_SECONDS))
        return allowance.take(now)
