"""Who has come to a table that is still being filled, as its host tells everybody who waits there.

Nothing of it is proven: who really sits down stands in the offer and the joins. docs/protocol.md, section "Gathering".
"""

from __future__ import annotations

from dataclasses import dataclass

from bcnet.entry import Noise
from bcnet.names import BadName, check_name
from bcnet.signing import BadKey, check_public
from bcnet.wire.v1 import table_pb2 as pb

MOST_SEATS = 16
"""No game is for more; whoever tells of more is no host of ours."""
MAX_GAME = 32
"""Characters of the name of a game."""


@dataclass(frozen=True, slots=True)
class Sitter:
    """Somebody who has been let in: the name to show, and the identity key (32 bytes)."""

    name: str
    identity: bytes


@dataclass(frozen=True, slots=True)
class Gathering:
    """How far a table is filled. ``sitters`` are by seat as it would be now, the host first."""

    game: str
    seats: int
    sitters: tuple[Sitter, ...]

    @property
    def missing(self) -> int:
        """How many have still to come."""
        return self.seats - len(self.sitters)

    def message(self, seat: int, *, begins: bool = False) -> pb.Gathering:
        """What the guest at ``seat`` is sent; ``begins``: all are here."""
        sitters = [pb.Sitter(name=sitter.name, identity=sitter.identity) for sitter in self.sitters]
        return pb.Gathering(game=self.game, seats=self.seats, sitters=sitters, seat=seat, begins=begins)

    @classmethod
    def from_message(cls, message: pb.Gathering) -> Gathering:
        """What a host tells. Raises `Noise` for what no host of ours would; ``message.seat`` is then a guest's."""
        game = message.game
        if not (0 < len(game) <= MAX_GAME and game.isascii() and game.isprintable()):
            raise Noise("The host names a game that there cannot be.")
        sitters = tuple(Sitter(each.name, each.identity) for each in message.sitters)
        if not 1 < len(sitters) <= message.seats <= MOST_SEATS or not 0 < message.seat < len(sitters):
            raise Noise("The host tells of a table that there cannot be.")
        if message.begins and len(sitters) < message.seats:
            raise Noise("The host begins with fewer than it has told of.")
        for sitter in sitters:
            try:
                check_name(sitter.name)
                check_public(sitter.identity)
            except (BadName, BadKey) as error:
                raise Noise(
                    "The host tells of somebody who cannot sit down: {why}", why=error.args[0]
                ) from None
        return cls(game, message.seats, sitters)
