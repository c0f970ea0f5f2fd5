"""Nothing secret is sent before the rules open it: all that passes in a whole game, looked through by `Scan`."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256

import pytest

from bcnet.fairness.beacon import Chain
from bcnet.fairness.group import encode_scalar, inverse
from bcnet.fairness.steps import Move
from bcnet.games import registry
from bcnet.games.interface import Game
from bcnet.secrets import Secrets
from bcnet.signing import Identity
from bcnet.table.player import Player
from bcnet.table.rounds import Kind
from bcnet.wire.v1 import log_pb2 as pb
from tests.attacks import attackers
from tests.attacks.arena import Arena
from tests.attacks.cheats import Cheat, Cheater, Spoiler
from tests.attacks.scan import Scan
from tests.table.room import Room, honest, identity_of
from tests.toy import Toy

SECRETS = [Secrets(sha256(f"seat {seat}".encode()).digest()) for seat in range(3)]
"""Seeds in which no eight bytes are like anything else."""


def seated(seat: int, _: Secrets, identity: Identity) -> Player:
    return honest(seat, SECRETS[seat], identity)


def scan(room: Room, game: Game) -> Scan:
    seats = len(room.players)
    identities = [identity_of(seat).public for seat in range(seats)]
    return Scan(game, SECRETS[:seats], identities, room.sent)


@pytest.mark.parametrize(
    ("game", "seats"),
    [(Toy(), 2), (Toy(), 3), (registry.get("balloon-cup"), 2)],
    ids=["toy-2", "toy-3", "balloon-cup"],
)
def test_nothing_secret_is_sent_early(game: Game, seats: int) -> None:
    room = Room.of(game, seats, seated=dict.fromkeys(range(seats), seated))
    room.play()
    assert room.complete
    looked = scan(room, game)
    names = {secret.name for secret in looked.all_secrets()}
    assert len(names) > 300
    assert looked.leaks() == []


def test_a_resignation_opens_nothing_but_the_seeds() -> None:
    room = Room.of(Toy(), 2, seated=dict.fromkeys(range(2), seated))
    room.settle()
    loser = next(player for player in room.players if not player.decision)
    room.react(loser.number, loser.resign())
    room.play()
    assert scan(room, Toy()).leaks() == []


# --- programs that leak: the scan can fail ---


def own_step(me: Cheater) -> Move:
    deck = me.table.course.deck
    assert deck is not None
    made = deck.epoch.shuffles.get(me.number)
    head = made.head if made else me.table.log.open.head
    step, _ = deck.step_seeds(me.seat.secrets, deck.epoch.number, head)
    return Move.from_seed(step, len(deck.epoch.points))


def seed_for_a_nonce(me: Cheater, join: pb.Join) -> None:
    join.guest.nonce = me.seat.secrets.seed


def half_a_seed_in_the_name(me: Cheater, join: pb.Join) -> None:
    join.guest.name = me.seat.secrets.seed[3:17].hex()


def seed_in_base64_in_the_name(me: Cheater, join: pb.Join) -> None:
    join.guest.name = b64encode(me.seat.secrets.seed)[:20].decode()


def card_in_the_name(me: Cheater, join: pb.Join) -> None:
    join.guest.name = "I play 3"


def a_link_for_a_tip(me: Cheater, ready: pb.Ready) -> None:
    chain = Chain(me.seat.secrets, me.table.course.table_id, me.number, me.identity.public)
    ready.tip = chain.link(2)


def deck_key_for_a_shadow(me: Cheater, shuffle: pb.Shuffle) -> None:
    shuffle.shadows[7] = encode_scalar(own_step(me).scalar)


def inverse_of_the_deck_key_backwards(me: Cheater, shuffle: pb.Shuffle) -> None:
    shuffle.shadows[7] = encode_scalar(inverse(own_step(me).scalar))[::-1]


def permutation_for_a_shadow(me: Cheater, shuffle: pb.Shuffle) -> None:
    shuffle.shadows[7] = bytes(own_step(me).permutation) + bytes(19)


def shadow_seed_of_the_wrong_bit(me: Cheater, responses: pb.Responses) -> None:
    deck = me.table.course.deck
    assert deck is not None
    made = deck.epoch.shuffles[me.number]
    _, seeds = deck.step_seeds(me.seat.secrets, deck.epoch.number, made.head)
    bit_one = me.table.course.challenges[me.number].index(1)
    responses.responses[bit_one].seed = seeds[bit_one]


def card_laid_open(me: Cheater, unmask: pb.Unmask) -> None:
    deck = me.table.course.deck
    assert deck is not None
    unmask.cards[0].point = deck.card_points[5].x


def card_that_is_still_in_the_pile(me: Cheater, unmask: pb.Unmask) -> None:
    deck = me.table.course.deck
    assert deck is not None
    unmask.cards[0].proof.first = attackers.times(inverse(own_step(me).scalar), deck.epoch.points[-1].x)


def next_link_too(me: Cheater, share: pb.Share) -> None:
    chain = Chain(me.seat.secrets, me.table.course.table_id, me.number, me.identity.public)
    share.link = share.link + chain.link(2)


def second_card_opened(me: Cheater, act: pb.Act) -> None:
    attackers.card_shown_early(me, act)


class HiddenField(Cheat):
    """Sends its seed in a field that no honest program looks at."""

    def body(self, me: Cheater, body: pb.Body) -> bytes:
        right = super().body(me, body)
        return right + b"\xfa\x3f\x20" + me.seat.secrets.seed if body.HasField("unmask") else right


LEAKS: dict[str, tuple[Callable[[], Cheat], str]] = {
    "seed for a nonce": (lambda: Spoiler(Kind.JOIN, seed_for_a_nonce), "seed of seat 1"),
    "half a seed in the name": (lambda: Spoiler(Kind.JOIN, half_a_seed_in_the_name), "seed of seat 1"),
    "seed in base64": (lambda: Spoiler(Kind.JOIN, seed_in_base64_in_the_name), "seed of seat 1"),
    "card in the name": (lambda: Spoiler(Kind.JOIN, card_in_the_name), "card 3, named in a text"),
    "link for a tip": (lambda: Spoiler(Kind.READY, a_link_for_a_tip), "link 2 of seat 1"),
    "deck key": (lambda: Spoiler(Kind.SHUFFLE, deck_key_for_a_shadow), "deck key of seat 1 in epoch 1"),
    "deck key backwards": (
        lambda: Spoiler(Kind.SHUFFLE, inverse_of_the_deck_key_backwards),
        "inverse of the deck key of seat 1 in epoch 1",
    ),
    "permutation": (
        lambda: Spoiler(Kind.SHUFFLE, permutation_for_a_shadow),
        "permutation of seat 1 in epoch 1",
    ),
    "shadow seed": (lambda: Spoiler(Kind.RESPONSES, shadow_seed_of_the_wrong_bit), "seed of shadow"),
    "bare card": (lambda: Spoiler(Kind.UNMASK, card_laid_open), "card 5"),
    "card of the pile": (
        lambda: Spoiler(Kind.UNMASK, card_that_is_still_in_the_pile),
        "under the mask of seat 0 in epoch 1",
    ),
    "next link": (lambda: Spoiler(Kind.SHARE, next_link_too), "link 2 of seat 1"),
    "second card": (lambda: Spoiler(Kind.ACT, second_card_opened), "opened early"),
    "hidden field": (HiddenField, "seed of seat 1"),
}


@pytest.mark.parametrize("name", LEAKS)
def test_the_scan_finds_a_program_that_leaks(name: str) -> None:
    make, what = LEAKS[name]
    arena = Arena.of(
        Toy(),
        seated={0: seated, 1: lambda seat, _, identity: Cheater(make(), seat, SECRETS[seat], identity)},
    )
    arena.play()
    leaks = scan(arena, Toy()).leaks()
    assert any(what in leak.secret and leak.seat == 1 for leak in leaks), leaks
    assert all(leak.seat == 1 for leak in leaks)
