"""Judging samples: Pearson's chi-square test against exact probabilities."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping
from typing import TypeVar

T = TypeVar("T", bound=Hashable)

LEAST_EXPECTED = 8
"""Outcomes expected more seldom than this are taken together; below about five the approximation is no good."""


def tail(statistic: float, freedom: int) -> float:
    """The chance that a chi-square variable with so many degrees of freedom is at least this large.

    Q(1/2, x) = erfc(sqrt(x)) and Q(1, x) = exp(-x), then Q(a + 1, x) = Q(a, x) + x^a exp(-x) / Gamma(a + 1).
    """
    x = statistic / 2
    a = 0.5 if freedom % 2 else 1.0
    result = math.erfc(math.sqrt(x)) if freedom % 2 else math.exp(-x)
    while a < freedom / 2:
        result += math.exp(a * math.log(x) - x - math.lgamma(a + 1)) if x else 0.0
        a += 1
    return result


def how_likely(seen: Counter[T], probabilities: Mapping[T, float]) -> float:
    """The chance of counts at least as far from the expected ones as these, if the probabilities are right."""
    assert math.isclose(sum(probabilities.values()), 1)
    if any(seen[outcome] for outcome in seen if probabilities.get(outcome, 0) == 0):
        return 0.0  # something happened that cannot
    trials = seen.total()
    groups: list[tuple[int, float]] = []
    rest_seen, rest_expected = 0, 0.0
    for outcome, probability in probabilities.items():
        if probability * trials < LEAST_EXPECTED:
            rest_seen += seen[outcome]
            rest_expected += probability * trials
        else:
            groups.append((seen[outcome], probability * trials))
    if rest_expected >= LEAST_EXPECTED:
        groups.append((rest_seen, rest_expected))
    elif rest_expected:
        last_seen, last_expected = groups.pop()
        groups.append((last_seen + rest_seen, last_expected + rest_expected))
    statistic = sum((count - expected) ** 2 / expected for count, expected in groups)
    return tail(statistic, len(groups) - 1)
