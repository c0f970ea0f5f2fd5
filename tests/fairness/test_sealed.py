"""Sealed choices: hidden until opened, bound to one seat, round and table."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bcnet.fairness.errors import Flaw, Invalid
from bcnet.fairness.sealed import Place, check_commitment, check_opening, seal
from bcnet.secrets import Secrets
from tests.fairness.joint import some_bytes

SECRETS = Secrets(some_bytes("seed"))
PLACE = Place(some_bytes("table"), 9, some_bytes("head"), 1, some_bytes("identity"))
ELSEWHERE = [
    dataclasses.replace(PLACE, table_id=some_bytes("another table")),
    dataclasses.replace(PLACE, round=10),
    dataclasses.replace(PLACE, head=some_bytes("another head")),
    dataclasses.replace(PLACE, seat=0),
    dataclasses.replace(PLACE, identity=some_bytes("another identity")),
]


def kind_of(place: Place, commitment: bytes, choice: bytes, salt: bytes) -> Flaw:
    """The flaw of an opening."""
    with pytest.raises(Invalid) as caught:
        check_opening(place, commitment, choice, salt)
    return caught.value.kind


@given(st.binary(max_size=200))
def test_a_choice_opens_as_it_was_sealed(choice: bytes) -> None:
    commitment, salt = seal(SECRETS, PLACE, choice)
    assert (len(commitment), len(salt)) == (32, 32)
    check_commitment(commitment)
    check_opening(PLACE, commitment, choice, salt)
    assert seal(SECRETS, PLACE, choice) == (commitment, salt)


@given(st.binary(max_size=40), st.binary(max_size=40), st.binary(max_size=40))
def test_no_other_choice_opens_it(choice: bytes, other: bytes, salt: bytes) -> None:
    commitment, right = seal(SECRETS, PLACE, choice)
    if other != choice:
        assert kind_of(PLACE, commitment, other, right) is Flaw.BAD_SEAL
    if salt != right:
        assert kind_of(PLACE, commitment, choice, salt) in (Flaw.BAD_SEAL, Flaw.WRONG_LENGTH)


@pytest.mark.parametrize("elsewhere", ELSEWHERE)
def test_copied_commitment(elsewhere: Place) -> None:
    """Copied from another seat, round or table it cannot be opened, even when choice and salt become
    known."""
    commitment, salt = seal(SECRETS, PLACE, b"rock")
    assert kind_of(elsewhere, commitment, b"rock", salt) is Flaw.BAD_SEAL


def test_a_salt_serves_once() -> None:
    salts = [seal(SECRETS, place, b"rock")[1] for place in [PLACE, *ELSEWHERE]]
    salts.append(seal(SECRETS, PLACE, b"paper")[1])
    assert len(set(salts)) == len(salts)


def test_equal_choices_look_different() -> None:
    commitments = {seal(Secrets(some_bytes(seed)), PLACE, b"rock")[0] for seed in range(5)}
    assert len(commitments) == 5


@pytest.mark.parametrize("size", [0, 31, 33, 64])
def test_wrong_sizes(size: int) -> None:
    commitment, _ = seal(SECRETS, PLACE, b"rock")
    assert kind_of(PLACE, commitment, b"rock", bytes(size)) is Flaw.WRONG_LENGTH
    with pytest.raises(Invalid) as caught:
        check_commitment(bytes(size))
    assert caught.value.kind is Flaw.WRONG_LENGTH
