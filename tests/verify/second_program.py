"""Honest players that share no code with bcnet: what docs/protocol.md lets a player write, as a transcript.

Everything is judged by the log of scripts/verify_independent.py, whose derivations and proofs are used the other way
round. So the whole chain from seeds to seeds is bcnet's only where the document says what it is.
"""

import itertools
import random
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from types import ModuleType
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from bcnet.wire.v1 import log_pb2

NAMES = ("Ada", "Grace", "Edith", "Mary", "Emmy")


class SecondProgram:
    """All seats of a table, one for each key, and the entries that they have said so far."""

    def __init__(
        self,
        verifier: ModuleType,
        keys: Sequence[Ed25519PrivateKey],
        options: dict[str, str],
        chance: random.Random,
        game: str = "balloon-cup",
    ) -> None:
        self.v = verifier
        self.keys = keys
        self.game = game
        self.options = options
        self.chance = chance
        self.seeds = [chance.randbytes(32) for _ in keys]
        self.log = verifier.Log(check_proofs=False)
        self.entries: list[bytes] = []
        self.steps: dict[
            tuple[int, int], tuple[Any, list[bytes]]
        ] = {}  # by round and seat: step, shadows' seeds
        self.scalars: dict[bytes, int] = {}  # by key point
        self.chains: dict[int, list[bytes]] = {}
        self.salts: dict[tuple[int, int], tuple[str, bytes]] = {}  # by round and seat: sealed choice, salt
        self.commitment_of_shadow = lru_cache(maxsize=None)(self._commitment_of_shadow)

    # ------------------------------------------------------------------------------------------------- speaking

    def go_on(self, until: Callable[["SecondProgram"], bool] = lambda table: table.log.complete) -> None:
        """Say what is owed until the open round is the one that is looked for, or nothing is owed any more."""
        while not self.log.complete and not until(self):
            for seat in self.log.open.missing:
                self.say(self.owed(seat))

    def say(self, body: log_pb2.Body) -> None:
        """Sign a body, put it into the log, keep it."""
        entry = self.signed(body)
        self.log.receive(entry)
        self.entries.append(entry)

    def signed(self, body: log_pb2.Body) -> bytes:
        """The entry of a body."""
        data = body.SerializeToString(deterministic=True)
        signature = self.keys[body.seat].sign(self.v.B("entry", data))
        return log_pb2.Entry(body=data, signature=signature).SerializeToString(deterministic=True)

    def resign(self, seat: int) -> log_pb2.Resign:
        """A resignation: at a larger table than one of two it hands over the seed."""
        return log_pb2.Resign(seed=self.seeds[seat] if len(self.keys) > 2 else b"")

    def note(self, author: int) -> log_pb2.CarriedNote:
        """A note of resignation for the open round."""
        round_ = self.log.open
        where = {"table": self.log.table_id, "round": round_.number, "head": round_.head}
        data = log_pb2.NoteBody(
            version=1, seat=author, resign=self.resign(author), **where
        ).SerializeToString()
        return log_pb2.CarriedNote(body=data, signature=self.keys[author].sign(self.v.B("note", data)))

    def blank(self, seat: int) -> log_pb2.Body:
        """A body for the open round without a payload."""
        round_ = self.log.open
        table = self.log.offer_id if self.log.table_id is None else self.log.table_id
        return log_pb2.Body(version=1, table=table, round=round_.number, seat=seat, head=round_.head)

    def owed(self, seat: int) -> log_pb2.Body:
        """What an honest seat says in the open round."""
        body = self.blank(seat)
        kind = self.log.open.kind
        getattr(self, f"_{kind}")(seat, getattr(body, kind))
        return body

    # ------------------------------------------------------------------------------------------------- payloads

    def _member(self, seat: int, member: log_pb2.Member, context: Callable[[bytes], bytes]) -> None:
        member.identity = self.keys[seat].public_key().public_bytes_raw()
        member.nonce = self.chance.randbytes(32)
        member.commitment = self.v.commitment(context(member.nonce), seat, member.identity, self.seeds[seat])
        member.name = NAMES[seat]

    def _offer(self, seat: int, offer: log_pb2.Offer) -> None:
        offer.terms.game, offer.terms.seats = self.game, len(self.keys)
        for key, value in sorted(self.options.items()):
            offer.terms.options.add(key=key, value=value)
        terms = self.v.terms_hash(offer.terms)
        self._member(seat, offer.host, lambda nonce: self.v.H("host-context", terms, nonce))

    def _join(self, seat: int, join: log_pb2.Join) -> None:
        self._member(seat, join.guest, lambda _: self.log.offer_id)

    def _ready(self, seat: int, ready: log_pb2.Ready) -> None:
        chain = [self.v.secret(self.seeds[seat], "chain", self.log.table_id)]
        identity = self.log.members[seat].identity
        for index in range(self.v.CHAIN, 0, -1):
            chain.append(self.v.link_before(self.log.table_id, seat, identity, index, chain[-1]))
        self.chains[seat] = chain[::-1]
        ready.tip = chain[-1]

    def _share(self, seat: int, share: log_pb2.Share) -> None:
        share.link = self.chains[seat][self.log.course.draws]

    def _shuffle(self, seat: int, shuffle: log_pb2.Shuffle) -> None:
        epoch = self.log.course.epochs[-1]
        made = self.step("shuffle", "shadow", seat, (epoch.points, self.v.G), shuffle)
        self.scalars[shuffle.key] = made.u

    def _refresh(self, seat: int, refresh: log_pb2.Refresh) -> None:
        round_ = self.log.open
        K, points = round_.hand_keys[seat], {slot.number: before for slot, before in round_.hidden[seat]}
        h = self.scalars[K]
        for slot, before in round_.due[seat]:
            u = h * pow(self.scalars[slot.key], -1, self.v.N) % self.v.N
            points[slot.number] = point = self.v.multiply(u, before)
            place = self.log.course.place(seat, "rekey", slot, self.v.NO_FACE)
            proof = self.proof(seat, place, self.v.Pairs(before, point, slot.key, K), u)
            refresh.cards.add(point=point, proof=proof)
        made = self.step("refresh", "refresh-shadow", seat, (list(points.values()), K), refresh.step)
        self.scalars[refresh.step.key] = h * made.u % self.v.N

    def step(
        self,
        purpose: str,
        shadow: str,
        seat: int,
        before: tuple[Sequence[bytes], bytes],
        shuffle: log_pb2.Shuffle,
    ) -> Any:
        """A step from (X, K) with its shadows, from the seat's seed."""
        round_, (X, K) = self.log.open, before
        epoch = len(self.log.course.epochs)
        numbers = (self.v.u32(round_.number), self.v.u32(seat), self.v.u32(epoch))
        context = self.v.H(purpose, self.log.table_id, round_.head, *numbers)

        def derived(purpose: str, index: int) -> bytes:
            where = (self.log.table_id, epoch, index, round_.head)
            seed: bytes = self.v.secret(self.seeds[seat], purpose, *where)
            return seed

        made = self.v.step_secret(derived(purpose, 0), len(X))
        shadows = [derived(shadow, t) for t in range(self.v.SHADOWS)]
        self.steps[round_.number, seat] = (made, shadows)
        points, shuffle.key = self.v.step(made, X, K)
        shuffle.points.extend(points)
        shuffle.shadows.extend(self.commitment_of_shadow(context, shadow, tuple(X), K) for shadow in shadows)
        return made

    def _commitment_of_shadow(self, context: bytes, seed: bytes, X: tuple[bytes, ...], K: bytes) -> bytes:
        Z, L = self.v.step(self.v.step_secret(seed, len(X)), X, K)
        commitment: bytes = self.v.H("shadow", context, L, *Z)
        return commitment

    def _responses(self, seat: int, responses: log_pb2.Responses) -> None:
        round_ = self.log.open
        made, shadows = self.steps[round_.steps[seat].round, seat]
        bits = round_.bits[seat]
        responses.responses.extend(map(self.v.expected_response, [made] * len(bits), shadows, bits))

    def _unmask(self, seat: int, unmask: log_pb2.Unmask) -> None:
        for slot, before in self.log.open.due[seat]:
            key = slot.epoch.steps[seat].key
            u = self.scalars[key]
            point = self.v.multiply(pow(u, -1, self.v.N), before)
            pairs = self.v.Pairs(point, before, self.v.G, key)
            place = self.log.course.place(seat, "unmask", slot, self.v.NO_FACE)
            unmask.cards.add(point=point, proof=self.proof(seat, place, pairs, u))

    def _act(self, seat: int, act: log_pb2.Act) -> None:
        game = self.log.course.game
        action = self.chance.choice(self.moves(seat))
        self.fill_act(seat, act, action, sorted(self.shown_by(seat, action) - game.shown[seat]))

    def _seal(self, seat: int, seal: log_pb2.Seal) -> None:
        seal.commitment = self.sealed(seat, self.spelt(self.chance.choice(self.moves(seat))))

    def sealed(self, seat: int, choice: str) -> bytes:
        """The commitment to a choice in the open round, which is kept for the next."""
        round_, salt = self.log.open, self.chance.randbytes(32)
        self.salts[round_.number, seat] = (choice, salt)
        where = (self.log.table_id, round_.number, round_.head, seat, self.log.members[seat].identity)
        seal: bytes = self.v.seal_of(*where, log_pb2.Unseal(choice=choice, salt=salt))
        return seal

    def _unseal(self, seat: int, unseal: log_pb2.Unseal) -> None:
        unseal.choice, unseal.salt = self.salts[self.log.open.seals.number, seat]

    def _reveal(self, seat: int, reveal: log_pb2.Reveal) -> None:
        reveal.seed = self.seeds[seat]

    # ------------------------------------------------------------------------------------------------- the hand

    def hand(self, seat: int) -> dict[int, int]:
        """The cards of a hand, which their owner alone knows, and their slots."""
        found = {}
        for slot in self.log.course.slots:
            if slot.owner == seat and slot.in_hand:
                point = self.v.multiply(pow(self.scalars[slot.key], -1, self.v.N), slot.point)
                deck = range(self.log.course.game.CARDS)
                [card] = [card for card in deck if self.v.card_point(self.game, card) == point]
                found[card] = slot.number
        return found

    def shown_by(self, seat: int, action: object) -> set[int]:
        """The cards that an action has to show."""
        cards: set[int] = self.log.course.game.cards_to_show(action, set(self.hand(seat)))
        return cards

    def moves(self, seat: int) -> list[object]:
        """Actions that are allowed; of exchanges, claims and offers some."""
        game = self.log.course.game
        if isinstance(game, self.v.Stones):
            return sorted(game.asked, key=repr)
        if isinstance(game, self.v.EdelSteinReich):
            return [action for action in self.gem_actions(seat) if game.allowed(action)]
        hand = sorted(self.hand(seat))
        if game.asked == "claim":
            return [self.v.Decline(), *(claim for claim in map(self.claim, [seat] * 9) if claim is not None)]
        plays = [
            self.v.PlayCard(card, tile.number, side)
            for card in hand
            for tile in game.tiles
            for side in (0, 1)
            if tile.has_room(self.v.DECK[card][0], side)
        ]
        if plays:
            return plays
        if game.asked == "after exchange":
            return [self.v.Pass()]
        count = self.chance.randrange(5)
        return [self.v.Exchange(tuple(sorted(self.chance.sample(hand, count))))]

    def gem_actions(self, seat: int) -> list[object]:
        """Actions of Edel, Stein & Reich that may be allowed somewhere."""
        v, chance = self.v, self.chance
        have = self.log.course.game.gems[seat]
        few = [gems for gems in itertools.product(range(4), repeat=4) if 0 < sum(gems) <= 3]
        offers = {tuple(chance.randint(0, n) if chance.random() < 0.4 else 0 for n in have) for _ in range(9)}
        return [
            *map(v.Choose, v.ACTION_CARDS),
            *(v.Offer(gems) for gems in [*sorted(offers), tuple(have)] if any(gems)),
            v.Accept(),
            v.TakeEvent(False),
            v.TakeEvent(True),
            *map(v.Take, few),
            *(v.Swap(*swap) for swap in itertools.product(range(4), range(5), range(4))),
            *map(v.Give, range(4)),
            v.Vault(True),
            v.Vault(False),
        ]

    def claim(self, seat: int) -> object | None:
        """Some claim that can be paid, or None."""
        game = self.log.course.game
        have = list(game.cubes[seat])
        colour = self.chance.choice(game.free())
        payment = [0] * 5
        payment[colour] = min(have[colour], self.v.PRICES[colour])
        for _ in range(self.v.PRICES[colour] - payment[colour]):
            payable = [c for c in game.taken() if have[c] - payment[c] >= 3]
            if not payable:
                return None
            payment[self.chance.choice(payable)] += 3
        claim: object = self.v.Claim(colour, tuple(payment))
        return claim

    # --------------------------------------------------------------------------------------------------- proofs

    def fill_act(self, seat: int, act: log_pb2.Act, action: object, cards: Iterable[int]) -> None:
        """An action, and openings of cards; of those that are not in the hand, false ones."""
        act.action = self.spelt(action)
        hand = self.hand(seat)
        for card in cards:
            slot = self.log.course.slots[hand.get(card, next(iter(hand.values())))]
            u = self.scalars[slot.key]
            point = self.v.card_point(self.game, card)
            place = self.log.course.place(seat, "open", slot, card)
            pairs = self.v.Pairs(point, slot.point, self.v.G, slot.key)
            act.openings.add(slot=slot.number, card=card, proof=self.proof(seat, place, pairs, u))

    def proof(self, seat: int, place: object, pairs: object, u: int) -> log_pb2.Equality:
        """The proof of section 12 by its recipe."""
        v, statement = self.v, self.v.statement_of(place, pairs)
        info = v.B("secret", b"equality", statement, v.u32(0), v.u32(0), b"")
        r = int.from_bytes(v.hkdf(self.seeds[seat], info, 48), "big") % (v.N - 1) + 1
        first, second = v.multiply(r, pairs.B), v.multiply(r, pairs.K)  # type: ignore[attr-defined]
        c = int.from_bytes(v.H("equality", statement, first, second), "big") % v.N
        return log_pb2.Equality(first=first, second=second, answer=((r + c * u) % v.N).to_bytes(32, "big"))

    def spelt(self, action: object) -> str:
        """An action in the game's notation."""
        v = self.v
        names = {card: name for name, card in v.CARD_NAMES.items()}
        match action:
            case v.PlayCard(card, tile, side):
                return f"play {names[card]} {tile} {side}"
            case v.Exchange(cards):
                return " ".join(["exchange", *(names[card] for card in cards)])
            case v.Pass():
                return "pass"
            case v.Decline():
                return "decline"
            case v.Claim(colour, payment):
                order = sorted(range(5), key=lambda c: (c != colour, c))
                paid = [f"{v.COLOURS[c]}={payment[c]}" for c in order if payment[c]]
                return " ".join(["claim", v.COLOURS[colour], *paid])
            case v.Lay(colour, (column, row)):
                return f"lay {colour} {column} {row}"
            case v.PassTurn():
                return "pass"
            case v.Objection(objects):
                return "object" if objects else "agree"
            case v.Choose(card):
                return f"choose {card}"
            case v.Offer(gems):
                return " ".join(["offer", *self.gems(gems)])
            case v.Accept():
                return "accept"
            case v.TakeEvent(face_down):
                return "event face-down" if face_down else "event open"
            case v.Take(gems):
                return " ".join(["take", *self.gems(gems)])
            case v.Swap(give, other, take):
                return f"swap {v.GEM_COLOURS[give]} {other} {v.GEM_COLOURS[take]}"
            case v.Give(colour):
                return f"give {v.GEM_COLOURS[colour]}"
            case v.Vault(use):
                return "vault use" if use else "vault save"
            case _:
                raise AssertionError(action)

    def gems(self, gems: Sequence[int]) -> list[str]:
        """Gems as they are written."""
        return [f"{colour}={n}" for colour, n in zip(self.v.GEM_COLOURS, gems, strict=True) if n]
