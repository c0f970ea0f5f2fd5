"""What an eavesdropper looks for: everything secret, in all that is sent, before the rules open it.

Knows the seeds of all seats, and so every secret; and for each the entry, if there is one, that may say it. Anything
of it in an earlier entry, whole or eight bytes of it, plain, backwards, in hex or in base64, is a leak; and so is a
card that is named when it need not be. The honest programs have no part in this: only what they have sent is looked at.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bcnet.fairness.beacon import Chain, Choices, output
from bcnet.fairness.group import Multiplier, card_points, encode_scalar, inverse
from bcnet.fairness.steps import SHADOWS, Move
from bcnet.games.interface import Game
from bcnet.secrets import Secrets
from bcnet.wire.v1 import log_pb2 as pb

WINDOW = 8
"""Bytes of a secret that must not be seen: by accident they are, once in 2**64 looks."""
LINKS_AHEAD = 40
"""How many links beyond the last one said are looked for, besides the last of the chain."""
NEVER = 1 << 30


@dataclass(frozen=True)
class Secret:
    """A secret, and the number of the entry that may say it for the first time (`NEVER`: none)."""

    name: str
    value: bytes
    opened: int
    only: int | None = None
    """The seat in whose entries it is looked for; None: in everybody's."""


@dataclass(frozen=True)
class Leak:
    """A secret that an entry gives away too early."""

    entry: int
    seat: int
    secret: str


class Scan:
    """Everything that was sent at one table, in its order, and all secrets behind it."""

    def __init__(
        self,
        game: Game,
        secrets: Sequence[Secrets],
        identities: Sequence[bytes],
        sent: Sequence[tuple[int, bytes]],
    ) -> None:
        self.game = game
        self.secrets = secrets
        self.identities = identities
        self.sent = sent
        self.bodies = [pb.Body.FromString(pb.Entry.FromString(data).body) for _, data in sent]
        self.table_id = next((body.table for body in self.bodies if body.round >= 2), b"")
        self.moves: dict[tuple[int, int], Move] = {}
        """By epoch (counted from 1) and seat."""

    def leaks(self) -> list[Leak]:
        """All leaks of bytes, and of cards."""
        return [*self._leaked_bytes(), *self._leaked_cards()]

    # --- bytes ---

    def _leaked_bytes(self) -> Iterator[Leak]:
        patterns: dict[int, dict[bytes, Secret]] = {}
        for secret in self.all_secrets():
            for pattern in _patterns(secret.value):
                kept = patterns.setdefault(len(pattern), {}).setdefault(pattern, secret)
                if kept.opened > secret.opened:  # what one secret opens is open, whatever else it is part of
                    patterns[len(pattern)][pattern] = secret
        for number, (seat, data) in enumerate(self.sent):
            found = set()
            for size, known in patterns.items():
                for at in range(len(data) - size + 1):
                    secret_ = known.get(data[at : at + size])
                    if secret_ is not None and number < secret_.opened and secret_.only in (None, seat):
                        found.add(secret_.name)
            for name in sorted(found):
                yield Leak(number, seat, name)

    def all_secrets(self) -> Iterator[Secret]:
        """Every secret of this table."""
        for seat, own in enumerate(self.secrets):
            ends = self._first(seat, "reveal")
            yield Secret(f"seed of seat {seat}", own.seed, ends)
            if self.table_id:
                yield from self._chain(seat, own, ends)
                yield from self._steps(seat, own, ends)
        yield from self._bare_cards()

    def _chain(self, seat: int, own: Secrets, ends: int) -> Iterator[Secret]:
        chain = Chain(own, self.table_id, seat, self.identities[seat])
        shares = self._all(seat, "share")
        for draw in range(1, len(shares) + LINKS_AHEAD):
            opened = shares[draw - 1] if draw <= len(shares) else ends
            yield Secret(f"link {draw} of seat {seat}", chain.link(draw), opened)
        yield Secret(f"root of the chain of seat {seat}", own.derive("chain", context=self.table_id), ends)

    def _steps(self, seat: int, own: Secrets, ends: int) -> Iterator[Secret]:
        responses = self._all(seat, "responses")
        for epoch, number in enumerate(self._all(seat, "shuffle"), 1):
            body = self.bodies[number]
            count = len(self._cards(epoch))
            seed = own.derive("shuffle", context=self.table_id, epoch=epoch, head=body.head)
            move = self.moves[epoch, seat] = Move.from_seed(seed, count)
            where = f"of seat {seat} in epoch {epoch}"
            yield Secret(f"step seed {where}", seed, ends)
            yield Secret(f"deck key {where}", encode_scalar(move.scalar), ends)
            yield Secret(f"inverse of the deck key {where}", encode_scalar(inverse(move.scalar)), ends)
            if count > 10:  # shorter ones turn up by accident
                yield Secret(f"permutation {where}", bytes(move.permutation), ends)
            answered = responses[epoch - 1] if epoch <= len(responses) else ends
            bits = self._challenge(seat, epoch)
            for index in range(SHADOWS):
                shadow_seed = own.derive(
                    "shadow", context=self.table_id, epoch=epoch, index=index, head=body.head
                )
                shadow = Move.from_seed(shadow_seed, count)
                bridge = move.back().then(shadow)
                is_seed = bits is not None and bits[index] == 0
                is_bridge = bits is not None and bits[index] == 1
                what = f"shadow {index} {where}"
                yield Secret(f"seed of {what}", shadow_seed, answered if is_seed else ends)
                yield Secret(f"scalar of {what}", encode_scalar(shadow.scalar), ends)
                yield Secret(
                    f"bridge to {what}", encode_scalar(bridge.scalar), answered if is_bridge else ends
                )

    def _challenge(self, seat: int, epoch: int) -> tuple[int, ...] | None:
        """The challenge of a seat's shuffle, from the shares that followed the last shuffle of the epoch."""
        shuffles = [self._all(other, "shuffle") for other in range(len(self.secrets))]
        if any(len(made) < epoch for made in shuffles):
            return None
        last = max(made[epoch - 1] for made in shuffles)
        rounds = [b.round for number, b in enumerate(self.bodies) if b.HasField("share") and number > last]
        if not rounds:
            return None
        shares = [body for body in self.bodies if body.HasField("share") and body.round == rounds[0]]
        links = [body.share.link for body in sorted(shares, key=lambda body: body.seat)]
        if len(links) < len(self.secrets):
            return None
        key = output(self.table_id, "challenge", seat, rounds[0], shares[0].head, links)
        return Choices(key).bits(SHADOWS)

    def _cards(self, epoch: int) -> Sequence[int]:
        """How many points the shuffles of an epoch have (the cards themselves do not matter here)."""
        for seat in range(len(self.secrets)):
            shuffles = self._all(seat, "shuffle")
            if epoch <= len(shuffles):
                return range(len(self.bodies[shuffles[epoch - 1]].shuffle.points))
        return ()

    def _bare_cards(self) -> Iterator[Secret]:
        """The point of a card, which nobody ever sends; and with two seats a card under the mask of one of them.

        That is what the other's unmasking leaves of it: to be seen when it is dealt. (Under the first seat's mask all
        cards are in its shuffle, in an order of its own; so there it matters only what the second seat says.)
        """
        points = card_points(self.game.name, "main", len(self.game.deck))
        for card, point in enumerate(points):
            yield Secret(f"card {card}", point.x, NEVER)
        if len(self.secrets) != 2:
            return
        for (epoch, seat), move in self.moves.items():
            mask = Multiplier(move.scalar)
            for card, point in enumerate(points):
                masked = mask.mask(point).x
                name = f"card {card} under the mask of seat {seat} in epoch {epoch}"
                yield Secret(name, masked, self._dealt(seat, masked), None if seat else 1)

    def _dealt(self, seat: int, masked: bytes) -> int:
        """The entry by which the other seat deals a card to ``seat``."""
        return next(
            (
                number
                for number in self._all(1 - seat, "unmask")
                if any(card.point == masked for card in self.bodies[number].unmask.cards)
            ),
            NEVER,
        )

    # --- cards by name ---

    def _leaked_cards(self) -> Iterator[Leak]:
        """Openings of more cards than an action shows, and cards named in any text where none is due."""
        for number, body in enumerate(self.bodies):
            if body.HasField("act"):
                named = cards_named(self.game, body.act.action)
                opened = {opening.card for opening in body.act.openings}
                if not self._shows_hand(body.act.action) and not opened <= named:
                    for card in sorted(opened - named):
                        yield Leak(number, body.seat, f"card {card}, opened early")
            for text in _texts(body):
                for card in sorted(cards_named(self.game, text)):
                    yield Leak(number, body.seat, f"card {card}, named in a text")

    @staticmethod
    def _shows_hand(action: str) -> bool:
        return action.partition(" ")[0] in ("exchange", "pass")

    # --- entries ---

    def _all(self, seat: int, kind: str) -> list[int]:
        return [
            number
            for number, body in enumerate(self.bodies)
            if body.seat == seat and body.WhichOneof("payload") == kind
        ]

    def _first(self, seat: int, kind: str) -> int:
        return next(iter(self._all(seat, kind)), NEVER)


def cards_named(game: Game, text: str) -> set[int]:
    """The cards that a text names, in the long or the short way."""
    short: Mapping[str, int]
    if game.name == "balloon-cup":
        from bcnet.games.balloon_cup.notation import write_card

        short = {write_card(card): card for card in range(len(game.deck))}
    else:
        short = {f"play {card}": card for card in range(len(game.deck))}
        text = text if text not in short else f"{text}\n"
        return {card for name, card in short.items() if f"{name}\n" in f"{text}\n"}
    long = {name: card for card, name in enumerate(game.deck)}
    words = text.replace(",", " ").split()
    return {(short | long)[word] for word in words if word in short or word in long}


def _texts(body: pb.Body) -> Iterator[str]:
    """All texts of an entry but actions."""
    if body.HasField("offer"):
        yield body.offer.host.name
        yield body.offer.terms.game
        for option in body.offer.terms.options:
            yield option.key
            yield option.value
    if body.HasField("join"):
        yield body.join.guest.name


def _patterns(value: bytes) -> Iterator[bytes]:
    """What of a secret must not be seen: eight bytes of it, in any of the usual spellings."""
    for raw in (value, value[::-1]):
        for at in range(len(raw) - WINDOW + 1):
            window = raw[at : at + WINDOW]
            yield window
            yield window.hex().encode()
            yield window.hex().upper().encode()
        for shift in range(3):
            text = b64encode(bytes(shift) + raw)[4:-4]
            for at in range(len(text) - 11):
                yield text[at : at + 12]
