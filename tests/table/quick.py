"""Tables without the cost of proofs, for tests of everything else.

Proofs are made, sent and checked in their form as ever (T stays 40), but the shadows are never computed and no proof
is verified: a set-up takes a twentieth of the time. The audit of the seeds works as ever.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from bcnet.fairness import equality, steps
from bcnet.fairness.equality import Equality, Statement
from bcnet.fairness.group import Point
from bcnet.fairness.steps import Claim, Move, Published
from bcnet.hashing import tagged_hash


def _publish(
    context: bytes, step_seed: bytes, shadow_seeds: Sequence[bytes], points: Sequence[Point], key: Point
) -> Published:
    """A true step, and commitments to nothing."""
    new_points, new_key = Move.from_seed(step_seed, len(points)).apply(points, key)
    shadows = tuple(tagged_hash("no-shadow", context, seed) for seed in shadow_seeds)
    return Published(tuple(point.x for point in new_points), new_key.x, shadows)


def _verify(_statement: Statement, proof: Equality) -> None:
    equality.check_form(proof)


@contextmanager
def quick_proofs() -> Iterator[None]:
    """Within this, all tables of this process are quick."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(steps, "publish", _publish)
        patch.setattr(Claim, "check", Claim.check_form)
        patch.setattr(equality, "verify", _verify)
        yield
