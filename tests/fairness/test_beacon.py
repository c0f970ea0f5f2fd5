"""The beacon: chains that cannot be changed, copied or replayed, and choices that favour nothing."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bcnet.fairness import beacon
from bcnet.fairness.beacon import LINKS, Chain, Choices, Revealed, output
from bcnet.fairness.errors import Flaw, Invalid
from bcnet.secrets import Secrets
from tests.fairness.joint import some_bytes
from tests.fairness.plain import plain_hash

TABLE, IDENTITY = some_bytes("table"), some_bytes("identity")
CHAIN = Chain(Secrets(some_bytes("seed")), TABLE, 1, IDENTITY)


def public(chain: Chain = CHAIN) -> Revealed:
    """What everybody knows before the first draw."""
    return Revealed(TABLE, 1, IDENTITY, chain.tip)


def kind_of(revealed: Revealed, link: bytes) -> Flaw:
    """The flaw of a link."""
    with pytest.raises(Invalid) as caught:
        revealed.after(link)
    return caught.value.kind


# --- chains ---


def test_a_chain_serves_all_its_draws_and_then_none() -> None:
    revealed = public()
    assert LINKS == 4096
    for draw in range(1, LINKS + 1):
        assert revealed.left == LINKS - draw + 1
        revealed = revealed.after(CHAIN.link(draw))
    assert revealed.left == 0
    with pytest.raises(ValueError, match="does not serve"):
        revealed.after(CHAIN.link(LINKS))


@pytest.mark.parametrize("draw", [0, -1, LINKS + 1])
def test_a_chain_has_no_link_for_other_draws(draw: int) -> None:
    with pytest.raises(ValueError, match="draws 1 to"):
        CHAIN.link(draw)


def test_a_chain_is_hashed_with_seat_identity_and_index() -> None:
    link = CHAIN.link(LINKS)
    for index in range(LINKS, 0, -1):
        link = plain_hash("link", TABLE, bytes([0, 0, 0, 1]), IDENTITY, index.to_bytes(4, "big"), link)
    assert link == CHAIN.tip


def test_a_restarted_program_has_the_same_chain_and_nobody_else_has() -> None:
    seed = Secrets(some_bytes("seed"))
    assert Chain(seed, TABLE, 1, IDENTITY).tip == CHAIN.tip
    others = [
        Chain(Secrets(some_bytes("another seed")), TABLE, 1, IDENTITY),
        Chain(seed, some_bytes("another table"), 1, IDENTITY),
        Chain(seed, TABLE, 0, IDENTITY),
        Chain(seed, TABLE, 1, some_bytes("another identity")),
    ]
    assert len({chain.tip for chain in [CHAIN, *others]}) == 5


def test_links_out_of_turn_are_refused() -> None:
    after_two = public().after(CHAIN.link(1)).after(CHAIN.link(2))
    for draw in (1, 2, 4, 5, LINKS):
        assert kind_of(after_two, CHAIN.link(draw)) is Flaw.BAD_LINK
    assert kind_of(after_two, CHAIN.tip) is Flaw.BAD_LINK
    assert after_two.after(CHAIN.link(3)).draws == 3


def test_a_seat_may_skip_draws_that_it_was_not_part_of() -> None:
    after_two = public().after(CHAIN.link(1)).after(CHAIN.link(2))
    assert after_two.after(CHAIN.link(5), 5).draws == 5
    with pytest.raises(Invalid):
        after_two.after(CHAIN.link(4), 5)
    for past in (1, 2):
        with pytest.raises(ValueError, match="does not serve"):
            after_two.after(CHAIN.link(past), past)


@given(st.binary(max_size=64))
def test_garbage_is_one_typed_error(link: bytes) -> None:
    assert kind_of(public(), link) is (Flaw.BAD_LINK if len(link) == 32 else Flaw.WRONG_LENGTH)


@given(st.integers(0, 32 * 8 - 1))
def test_no_bit_of_a_link_can_be_chosen(bit: int) -> None:
    link = int.from_bytes(CHAIN.link(1), "big") ^ 1 << bit
    assert kind_of(public(), link.to_bytes(32, "big")) is Flaw.BAD_LINK


def test_a_tip_of_the_wrong_length() -> None:
    with pytest.raises(Invalid) as caught:
        Revealed(TABLE, 1, IDENTITY, CHAIN.tip[:-1])
    assert caught.value.kind is Flaw.WRONG_LENGTH


@pytest.mark.parametrize(
    "change", [{"seat": 0}, {"identity": some_bytes("mallory")}, {"table_id": some_bytes("x")}]
)
def test_copied_chain(change: dict[str, object]) -> None:
    """The copier publishes the other's tip as his own and waits for each link: it does not fit under his
    name."""
    copier = dataclasses.replace(public(), **change)  # type: ignore[arg-type]
    assert kind_of(copier, CHAIN.link(1)) is Flaw.BAD_LINK


def test_copied_inner_part_of_a_chain() -> None:
    """Another's fifth link as own tip: the sixth would be the first, but the index is hashed too."""
    assert kind_of(dataclasses.replace(public(), latest=CHAIN.link(5)), CHAIN.link(6)) is Flaw.BAD_LINK


# --- outputs ---


def test_an_output_depends_on_everything() -> None:
    links = [CHAIN.link(1), CHAIN.link(2)]
    outputs = [
        output(TABLE, "cubes", None, 7, IDENTITY, links),
        output(IDENTITY, "cubes", None, 7, IDENTITY, links),
        output(TABLE, "challenge", None, 7, IDENTITY, links),
        output(TABLE, "cubes", 0, 7, IDENTITY, links),
        output(TABLE, "cubes", 1, 7, IDENTITY, links),
        output(TABLE, "cubes", None, 8, IDENTITY, links),
        output(TABLE, "cubes", None, 7, TABLE, links),
        output(TABLE, "cubes", None, 7, IDENTITY, links[::-1]),
        output(TABLE, "cubes", None, 7, IDENTITY, links[:1]),
    ]
    assert len(set(outputs)) == len(outputs)


# --- choices ---


def test_the_stream_is_as_documented() -> None:
    key = some_bytes("key")
    blocks = b"".join(plain_hash("stream", key, index.to_bytes(4, "big")) for index in range(4))
    choices = Choices(key)
    assert choices.number(3) == blocks[0] >> 5
    assert choices.bits(5) == tuple(int(bit) for bit in f"{blocks[0]:08b}"[3:])
    assert choices.number(256) == int.from_bytes(blocks[1:33], "big")  # over the edge of a block
    assert choices.number(0) == 0
    assert choices.number(8) == blocks[33]
    assert choices.number(600) == int.from_bytes(blocks[34 : 34 + 75], "big")


def test_a_number_that_does_not_fit_is_thrown_away() -> None:
    key = some_bytes("rejection")
    raw = Choices(key)
    threes = [number for _ in range(400) if (number := raw.number(3)) < 5]
    choices = Choices(key)
    assert [choices.below(5) for _ in threes] == threes
    assert len(threes) < 300


def test_below_one_takes_nothing() -> None:
    choices = Choices(some_bytes("one"))
    assert {choices.below(1) for _ in range(10)} == {0}
    assert choices.number(64) == Choices(some_bytes("one")).number(64)
    with pytest.raises(ValueError, match="no number"):
        choices.below(0)


@given(st.binary(min_size=32, max_size=32), st.integers(1, 2**80))
def test_choices_lie_below_their_bound(key: bytes, bound: int) -> None:
    assert 0 <= Choices(key).below(bound) < bound


@given(st.binary(min_size=32, max_size=32), st.integers(0, 255))
def test_permutations_are_bijections(key: bytes, count: int) -> None:
    assert sorted(Choices(key).permutation(count)) == list(range(count))


def test_fisher_and_yates_as_documented() -> None:
    choices, count = Choices(some_bytes("shuffle")), 45
    order = list(range(count))
    for last in reversed(range(1, count)):
        chosen = choices.below(last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    assert Choices(some_bytes("shuffle")).permutation(count) == tuple(order)


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_stream_starts_from_32_bytes(size: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        beacon.Choices(bytes(size))
