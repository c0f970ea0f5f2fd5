"""The challenge cannot be known before the shadows are fixed, nor any secret be used for two things."""

from __future__ import annotations

from collections.abc import Sequence

from bcnet.fairness.steps import SHADOWS, Move
from bcnet.games import registry
from bcnet.table.faults import FaultKind
from bcnet.table.rounds import Kind
from bcnet.wire.v1 import log_pb2 as pb
from tests.attacks.arena import arena_with, check_conviction, kind_of
from tests.attacks.cheats import Cheat, Cheater, Silent
from tests.table.quick import quick_proofs
from tests.table.room import Room
from tests.toy import ShortToy, Toy


def test_no_link_before_all_shuffles_stand() -> None:
    """Keeps its shuffle back, to make the shadows for a challenge that it knows: the honest seat says no link."""
    arena = arena_with(Silent(Kind.SHUFFLE))
    arena.play()
    assert [kind_of(data) for data in arena.said_by(0)] == [Kind.OFFER, Kind.READY, Kind.SHUFFLE]
    me = arena.cheater(1)
    for kind, message in (
        (Kind.SHARE, pb.Share(link=me.seat._own_chain().link(1))),
        (Kind.RESPONSES, pb.Responses()),
    ):
        arena.hand_over(0, me.entry(kind, message, round=me.table.log.open.number + 1))
    assert Kind.SHARE not in [kind_of(data) for data in arena.said_by(0)]
    assert len(arena.noise) == 2


class NewShuffle(Cheat):
    """Shuffles anew when it has seen the challenge."""

    def sent(self, me: Cheater, data: bytes) -> Sequence[bytes]:
        if kind_of(data) is not Kind.RESPONSES:
            return [data]
        deck = me.table.course.deck
        assert deck is not None
        old = next(
            me.table.log[number].entries[me.number].body
            for number in range(2, len(me.table.log))
            if me.number in me.table.log[number].entries
            and kind_of(me.table.log[number].entries[me.number].data) is Kind.SHUFFLE
        )
        body = pb.Body.FromString(old)
        body.shuffle.shadows[0] = bytes(32)
        return [me.sign(body)]


def test_a_new_shuffle_when_the_challenge_is_known() -> None:
    arena = arena_with(NewShuffle())
    arena.play()
    fault = check_conviction(arena, 0, 1, FaultKind.EQUIVOCATION)
    assert fault.round == 4


class WaitsForTheLink(Cheat):
    """Hears the other's link before it says its own."""

    def waits(self, me: Cheater, kind: Kind) -> bool:
        return kind is Kind.SHARE


def test_hearing_the_other_s_link_first_gives_nothing_to_choose() -> None:
    """Its own link is fixed since the tip: whoever speaks last says the same as whoever speaks first."""
    with quick_proofs():
        last, first = arena_with(WaitsForTheLink()), arena_with(Cheat())
        for arena in (last, first):
            arena.play()
            assert arena.complete
        shares = [
            next(data for data in arena.said_by(1) if kind_of(data) is Kind.SHARE) for arena in (last, first)
        ]
        assert shares[0] == shares[1]


# --- one secret, one use ---


def bodies(room: Room) -> list[pb.Body]:
    return [pb.Body.FromString(pb.Entry.FromString(data).body) for _, data in room.sent]


def test_no_scalar_serves_for_two_steps_or_shadows() -> None:
    """Deck keys, and the scalars of all shadows, of all seats in all epochs: every one is another."""
    with quick_proofs():
        room = Room.of(registry.get("balloon-cup"))
        room.play()
    scalars: list[int] = []
    seeds: list[bytes] = []
    for player in room.players:
        deck = player.table.course.deck
        assert deck is not None
        assert len(deck.epochs) > 1
        for epoch in deck.epochs:
            made = epoch.shuffles[player.number]
            step, shadows = deck.step_seeds(player.seat.secrets, epoch.number, made.head)
            seeds += [step, *shadows]
            scalars += [Move.from_seed(seed, len(epoch.cards)).scalar for seed in (step, *shadows)]
    assert len(scalars) == len(seeds) >= 4 * (SHADOWS + 1)
    assert len(set(scalars)) == len(scalars)
    assert len(set(seeds)) == len(seeds)


def test_no_nonce_serves_for_two_proofs() -> None:
    """R2 = r * G in every proof: two proofs with one r would show it, and give the key away."""
    for game in (Toy(), registry.get("balloon-cup")):
        with quick_proofs():
            room = Room.of(game)
            room.play()
        proofs = []
        for body in bodies(room):
            proofs += [card.proof for card in body.unmask.cards]
            proofs += [opening.proof for opening in body.act.openings]
        assert len(proofs) >= 12
        for part in ("first", "second", "answer"):
            assert len({getattr(proof, part) for proof in proofs}) == len(proofs)


def test_the_same_people_at_a_second_table_share_no_secret_with_the_first() -> None:
    """A rematch (N8): new seeds, and nothing in the first game's bytes turns up in the second's."""
    with quick_proofs():
        rooms = [Room.of(ShortToy(), seed=seed) for seed in (1, 2)]
        for room in rooms:
            room.play()
    values = [set(), set()]  # type: list[set[bytes]]
    for number, room in enumerate(rooms):
        for body in bodies(room):
            values[number] |= {*body.shuffle.points, body.shuffle.key, *body.shuffle.shadows}
            values[number] |= {body.share.link, body.ready.tip, body.seal.commitment, body.reveal.seed}
            values[number] |= {response.seed for response in body.responses.responses}
            values[number] |= {card.point for card in body.unmask.cards}
    assert values[0] & values[1] == {b""}


def test_even_the_same_seed_gives_other_secrets_at_another_table() -> None:
    """Every derivation names the table: a seed that served twice (it must not) would still not shuffle the same way."""
    with quick_proofs():
        one = Room.of(ShortToy())
        other = Room.of(ShortToy())
        other.players[1]._name = "another"
        for room in (one, other):
            room.play()
        assert one.players[0].table.course.table_id == other.players[0].table.course.table_id
        shuffles = [next(b for b in bodies(room) if b.HasField("shuffle")) for room in (one, other)]
        assert shuffles[0].head != shuffles[1].head
        assert shuffles[0].shuffle.key != shuffles[1].shuffle.key
