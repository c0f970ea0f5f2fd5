"""Who sits at a table under which terms, and the two ids that follow from it.

Pure data and hashes of docs/protocol.md, section "Sitting down".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bcnet.entry import Noise
from bcnet.errors import Phrase
from bcnet.games.interface import Game
from bcnet.hashing import HASH_SIZE, PROTOCOL_VERSION, tagged_hash, u32
from bcnet.names import BadName, check_name
from bcnet.signing import BadKey, check_public
from bcnet.wire.v1 import log_pb2 as pb

GameLookup = Callable[[str], Game]
"""Finds the rules of a game by the name in the terms; raises UsageError for one it does not have."""


PRIVATE_HANDS = "private-hands"
"""The option of the table by which hands are refreshed: played cards do not show when they were drawn."""
TABLE_OPTIONS: Mapping[str, str] = {PRIVATE_HANDS: "on"}
"""What a table can agree on whatever the game: in the terms with this value, or not at all."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What is agreed before the game. ``options`` holds all of the game's options, and those of the table that are on,
    ascending by key.
    """

    game: str
    seats: int
    options: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, game: Game, seats: int, options: Mapping[str, str], *, private_hands: bool = False) -> Terms:
        """The terms of a game with these options, others by default. Raises `Noise` if impossible."""
        chosen = {key: values[0] for key, values in game.options.items()} | dict(options)
        if private_hands:
            chosen[PRIVATE_HANDS] = TABLE_OPTIONS[PRIVATE_HANDS]
        terms = cls(game.name, seats, tuple(sorted(chosen.items())))
        terms.check(game)
        return terms

    def check(self, game: Game) -> None:
        """Raise `Noise` unless ``game`` can be played under these terms."""
        if self.seats not in game.seats:
            raise Noise("{game} is not for {seats} players.", game=game.title, seats=self.seats)
        allowed = dict(game.options)
        if self.private_hands and game.deck:
            allowed[PRIVATE_HANDS] = (TABLE_OPTIONS[PRIVATE_HANDS],)
        if [key for key, _ in self.options] != sorted(allowed):
            raise Noise("The terms do not name the options of {game}, each once.", game=game.title)
        for key, value in self.options:
            if value not in allowed[key]:
                raise Noise(
                    "{game} has no option {key}={value}.", game=game.title, key=key, value=repr(value[:40])
                )

    @property
    def private_hands(self) -> bool:
        """Whether hands are refreshed."""
        return any(key == PRIVATE_HANDS for key, _ in self.options)

    @property
    def game_options(self) -> dict[str, str]:
        """The options of the game alone."""
        return {key: value for key, value in self.options if key not in TABLE_OPTIONS}

    @property
    def hash(self) -> bytes:
        """The hash of the terms; 32 bytes."""
        flat = [part.encode() for option in self.options for part in option]
        return tagged_hash("terms", u32(PROTOCOL_VERSION), self.game.encode(), u32(self.seats), *flat)

    def message(self) -> pb.Terms:
        """The terms as they are sent."""
        options = [pb.Option(key=key, value=value) for key, value in self.options]
        return pb.Terms(game=self.game, seats=self.seats, options=options)

    @classmethod
    def from_message(cls, message: pb.Terms) -> Terms:
        """The terms as they came; `check` judges them."""
        return cls(
            message.game, message.seats, tuple((option.key, option.value) for option in message.options)
        )


@dataclass(frozen=True, slots=True)
class Member:
    """Who takes a seat: identity key, nonce and commitment of 32 bytes each, and the name to show."""

    identity: bytes
    nonce: bytes
    commitment: bytes
    name: str

    def check(self) -> None:
        """Raise `Noise` unless everything has its size, the key is sound and the name can be shown."""
        for what, value in ((Phrase("A nonce"), self.nonce), (Phrase("A commitment"), self.commitment)):
            if len(value) != HASH_SIZE:
                raise Noise(
                    "{what} has {right} bytes, not {size}.", what=what, right=HASH_SIZE, size=len(value)
                )
        try:
            check_public(self.identity)
            check_name(self.name)
        except (BadKey, BadName) as error:
            raise Noise("This player cannot sit down: {why}", why=error.args[0]) from None

    def message(self) -> pb.Member:
        """The member as it is sent."""
        return pb.Member(identity=self.identity, nonce=self.nonce, commitment=self.commitment, name=self.name)

    @classmethod
    def from_message(cls, message: pb.Member) -> Member:
        """The member as it came; `check` judges it."""
        return cls(message.identity, message.nonce, message.commitment, message.name)


def host_context(terms: Terms, nonce: bytes) -> bytes:
    """What the host's commitment is bound to: the terms with the host's nonce; 32 bytes."""
    return tagged_hash("host-context", terms.hash, nonce)


def offer_id(terms: Terms, host: Member) -> bytes:
    """The id of an offer, 32 bytes: what the guests' commitments and joins are bound to."""
    return tagged_hash("offer", terms.hash, host.identity, host.nonce, host.commitment)


def table_id(offer: bytes, guests: list[Member]) -> bytes:
    """The id of a table, 32 bytes. It holds something fresh from every seat."""
    parts = [part for guest in guests for part in (guest.identity, guest.nonce, guest.commitment)]
    return tagged_hash("table", offer, *parts)
