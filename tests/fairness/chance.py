"""Chi-square tests with a bound that has a reason.

The seeds are fixed, so each statistic is one number, and a test passes always or never. What the bound means:
had the fixed seeds been drawn anew, a sound implementation would exceed it once in a million (`FALSE_ALARM`).
So a change of a derivation, which draws anew, almost never breaks a sound test; and each test has a biased
twin, a mistake that people make, whose statistic lies beyond the bound. Without the twin a test might have no
power at all."""

from __future__ import annotations

import math
from collections.abc import Iterable

FALSE_ALARM = 1e-6


def chi_square(counts: Iterable[int], expected: float) -> float:
    """Pearson's statistic of counts that should all be ``expected``."""
    return sum((count - expected) ** 2 for count in counts) / expected


def tail(statistic: float, freedom: float) -> float:
    """The chance that a chi-square variable with ``freedom`` degrees of freedom exceeds ``statistic``.

    By Wilson and Hilferty: the cube root of chi-square over its freedom is nearly normal; good to a few per
    cent of the exponent for the freedoms used here."""
    spread = 2 / (9 * freedom)
    normal = ((statistic / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
    return 0.5 * math.erfc(normal / math.sqrt(2))


def plausible(statistic: float, freedom: float) -> bool:
    """Whether a sound implementation could have given this statistic, and one not too even either."""
    return FALSE_ALARM < tail(statistic, freedom) < 1 - FALSE_ALARM
