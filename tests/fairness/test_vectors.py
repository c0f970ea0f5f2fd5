"""Constants for every derivation: what another implementation has to arrive at, and what must never change by
itself.

A change of any of these is a new protocol version. ``.venv/bin/python -m tests.fairness.test_vectors`` prints
them. The inputs: seed = 00 01 .. 1f, table id = 20 .. 3f, head = 40 .. 5f, identity key = 60 .. 7f."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from bcnet.fairness.beacon import Chain, Choices, output
from bcnet.fairness.deck import Deck
from bcnet.fairness.equality import Purpose, Statement, prove
from bcnet.fairness.group import GENERATOR, Multiplier, card_points
from bcnet.fairness.keeper import DeckKeeper
from bcnet.fairness.sealed import Place, seal
from bcnet.fairness.steps import Bridge, Move, ShadowSeed
from bcnet.hashing import tagged_hash
from bcnet.secrets import Secrets

SEED, TABLE, HEAD, IDENTITY = (bytes(range(start, start + 32)) for start in (0, 32, 64, 96))
SECRETS = Secrets(SEED)
CARDS = card_points("balloon-cup", "balloon", 45)
CHAIN = Chain(SECRETS, TABLE, 1, IDENTITY)
PLACE = Place(TABLE, 7, HEAD, 1, IDENTITY)


def a_deck() -> tuple[Deck, DeckKeeper]:
    """Three cards, one seat's shuffle published in round 3."""
    deck = Deck("balloon-cup", "balloon", 3, 2, TABLE)
    keeper = DeckKeeper(deck, 0, SECRETS)
    deck.begin(range(3))
    deck.add_shuffle(0, 3, HEAD, keeper.make_shuffle(3, HEAD))
    return deck, keeper


def a_statement() -> Statement:
    """That the first card was opened under the key 5."""
    five = Multiplier(5)
    return Statement(
        TABLE,
        HEAD,
        9,
        1,
        Purpose.OPEN,
        1,
        4,
        0,
        CARDS[0],
        five.mask(CARDS[0]),
        GENERATOR,
        five.mask(GENERATOR),
    )


def a_step() -> bytes:
    """All of a published step, hashed: points, key, commitments."""
    claim = a_deck()[0].epoch.shuffles[0].claim
    return tagged_hash("vector", *(point.x for point in claim.new_points), claim.new_key.x, *claim.shadows)


def its_responses() -> bytes:
    """The answers to the challenge 0101..., hashed."""
    answers = a_deck()[1].respond((0, 1) * 20)
    parts: list[bytes] = []
    for answer in answers:
        match answer:
            case ShadowSeed(seed):
                parts.append(seed)
            case Bridge(scalar, permutation):
                parts += [scalar, permutation]
    return tagged_hash("vector", *parts)


def a_proof() -> bytes:
    """The proof of the statement: R1, R2, s."""
    proof = prove(SECRETS, a_statement(), 5)
    return proof.first + proof.second + proof.answer


COMPUTED: dict[str, Callable[[], bytes]] = {
    "hash": lambda: tagged_hash("vector", b"", b"one", bytes(2)),
    "secret": lambda: SECRETS.derive("vector", context=TABLE, epoch=2, index=3, head=HEAD, size=48),
    "card 0": lambda: CARDS[0].x,
    "card 44": lambda: CARDS[44].x,
    "mask": lambda: Multiplier(int.from_bytes(SEED, "big")).mask(CARDS[0]).x,
    "chain tip": lambda: CHAIN.tip,
    "chain link 1": lambda: CHAIN.link(1),
    "chain link 4096": lambda: CHAIN.link(4096),
    "beacon": lambda: output(TABLE, "cubes", None, 7, HEAD, [CHAIN.link(1), SEED]),
    "beacon for seat 1": lambda: output(TABLE, "challenge", 1, 7, HEAD, [CHAIN.link(1), SEED]),
    "stream": lambda: Choices(SEED).number(512).to_bytes(64, "big"),
    "choices below 45": lambda: bytes(Choices(SEED).below(45) for _ in range(16)),
    "permutation of 45": lambda: bytes(Choices(SEED).permutation(45)),
    "move, scalar": lambda: Move.from_seed(SEED, 45).scalar.to_bytes(32, "big"),
    "move, permutation": lambda: bytes(Move.from_seed(SEED, 45).permutation),
    "shuffle context": lambda: a_deck()[0].step_context(0, 3, HEAD),
    "shuffle seed": lambda: a_deck()[0].step_seeds(SECRETS, 1, HEAD)[0],
    "shadow seed 39": lambda: a_deck()[0].step_seeds(SECRETS, 1, HEAD)[1][39],
    "shuffle": a_step,
    "responses": its_responses,
    "statement": lambda: tagged_hash("vector", a_statement().encode()),
    "equality": a_proof,
    "seal": lambda: b"".join(seal(SECRETS, PLACE, b"rock")),
}
VECTORS = {
    "hash": "beedb9ce7c7d9f4325a0cfa31a3a3f0e358fb3cdaf4b6504d7a4d157267ad4dd",
    "secret": (
        "5cfc04a9b05be2fb7fda67572ec2f2219bdaba87fc7224669fb6b5816a8d79a7a205cf23e03868f4365a38676226cf8c"
    ),
    "card 0": "c8e5dd9de921f763ad98260d59a9cfe9fa61915220c69e3068c6b07ced26d6e8",
    "card 44": "505fde112250345f938f30a1b2bec1d971f7e93ea48238bd86bed143fc9c39b7",
    "mask": "502feae629747656bf789c32cb5e62fdaf793d0371388feb5d39ecccb85609e0",
    "chain tip": "c700dbb66f09ae80ce086b9b5033613253d9a069526fca1ff7130a82d1355df5",
    "chain link 1": "8078c41a44c9673950513de5e26867621dc63a1dfc73567cbbea53821536f39d",
    "chain link 4096": "8417fca839fb62cba379ed15f3bc4f64b46387b684851c7d342bbdd2d6e0483c",
    "beacon": "f04715f0986fb4681e5c45e9d715eb004a64a92ae5a4a61d3f6bf8cb9ebcc2da",
    "beacon for seat 1": "37122bfe2a6d21bec695533c75722796f46f47b7619262dadbd92f99fd133708",
    "stream": (
        "67f402cfab2f19378e790433b3e4ada6175fc497c848816d2f1966974dc55126"
        "614322128dd27dae0ee8cb25b308b6a0deb22e126f26bc0c55ae0065f33f7cad"
    ),
    "choices below 45": "19191919191919191919191919191919",
    "permutation of 45": (
        "0118140725031a260d2223291b2c1f1504280a11170c0b16002a200805091c0f1d2112242b270e1e1306021019"
    ),
    "move, scalar": "d3605befdd8415dd201fb34c17a23d8ae344471312c455a43e17ea329f3ab6d1",
    "move, permutation": (
        "0e271f1e0b1c18022a0c0f282c12131d230716241a09062514170a100d111b210305221901201500292604082b"
    ),
    "shuffle context": "b777ff73bdb84c4459865d11130b9c212c5d8018d1e56b3c2983bff87d55376a",
    "shuffle seed": "3b5099a40b90da373351465cb121428531f2dfccbbf5e6d01c506460a1a5af37",
    "shadow seed 39": "688aaf11848b6a1af4452d9a1e8ca7dc3b723572acd5e48523b27f688ac677ed",
    "shuffle": "fd9c2eaeb13cb4bb8e0b87a1493e434256d11d107c048f1555ea93b8d1675571",
    "responses": "1b542285e148dd19da47f187eb0073035bc983c1364674227188e89b1ba2aae3",
    "statement": "16935d09f7520354aff6548cc09419e9041610b17618dd35e18956937fcfc042",
    "equality": (
        "3f5f7fcba68569289ff5f4fafdf2368fc085f17e9adebb05b95bf452f5f3837a"
        "d4a04e29315c17f66b93e1aa234d8966080dbf3c260f3d8b9d0e62b2453242ff"
        "6c78242b7ec31e00c070d5688e0be8308d9b34d8d578d63f71389dac8896731a"
    ),
    "seal": (
        "950f499d75a4e8a76a7f674f7e197af13644876cb16a8c1e15b5c2d11cc63634"
        "a3fb579c07d298e3ba5894b868dbab317f877f95d787b2dc8f62f2d02d2aafc0"
    ),
}


def test_every_derivation_has_a_constant() -> None:
    assert VECTORS.keys() == COMPUTED.keys()


@pytest.mark.parametrize("name", COMPUTED)
def test_vector(name: str) -> None:
    assert COMPUTED[name]().hex() == VECTORS[name]


if __name__ == "__main__":
    for each, compute in COMPUTED.items():
        sys.stdout.write(f'    "{each}": "{compute().hex()}",\n')
