"""The one error that another seat's bytes can cause here, and the kinds of it.

Whatever is wrong with what another seat sent surfaces as `Invalid`; the table makes a fault of it. Anything
else that garbage can raise is a defect of ours. Misuse by our own side is a ValueError and never stands for a
cheat.
"""

from __future__ import annotations

from enum import StrEnum

from bcnet.errors import BcnetError, Phrase


class Flaw(StrEnum):
    """What exactly is wrong; stable names, listed in docs/protocol.md, section "Faults"."""

    WRONG_LENGTH = "wrong-length"
    POINT_NON_CANONICAL = "point-non-canonical"
    POINT_OFF_CURVE = "point-off-curve"
    SCALAR_OUT_OF_RANGE = "scalar-out-of-range"
    DUPLICATE_POINT = "duplicate-point"
    DUPLICATE_SHADOW = "duplicate-shadow"
    CARD_POINT_IN_LIST = "card-point-in-list"
    KEY_REUSED = "key-reused"
    BAD_PERMUTATION = "bad-permutation"
    WRONG_ANSWER = "wrong-answer"
    BAD_SHADOW_SEED = "bad-shadow-seed"
    BAD_BRIDGE = "bad-bridge"
    BAD_EQUALITY = "bad-equality"
    BAD_OPENING = "bad-opening"
    BAD_LINK = "bad-link"
    BAD_SEAL = "bad-seal"
    BAD_SEED = "bad-seed"


class Invalid(BcnetError):
    """Another seat sent something that an honest program never sends. Nothing has changed here."""

    def __init__(self, kind: Flaw, template: str, **values: object) -> None:
        self.kind = kind
        super().__init__(template, hint="", **values)


def check_size(what: str, data: bytes, right: int) -> None:
    """Check that ``data``, which is ``what`` ("a point"), has as many bytes as it must. Raises `Invalid`."""
    if len(data) != right:
        raise Invalid(
            Flaw.WRONG_LENGTH,
            "{what} has {right} bytes, not {size}",
            what=Phrase(what),
            right=right,
            size=len(data),
        )


def check_count(what: str, count: int, right: int) -> None:
    """Check that there are as many of ``what`` ("points") as there must be. Raises `Invalid`."""
    if count != right:
        raise Invalid(
            Flaw.WRONG_LENGTH,
            "{count} {what} where {right} are due",
            what=Phrase(what),
            count=count,
            right=right,
        )
