"""Between the messages of ``proto/`` and the plain objects of ``bcnet.fairness``, in both directions.

Only shapes change here. Sizes and values are judged by whoever receives the objects.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from google.protobuf.message import Message

from bcnet.fairness.deck import Refresh, Rekeyed, Unmasked
from bcnet.fairness.equality import Equality
from bcnet.fairness.steps import Bridge, Published, Response, ShadowSeed
from bcnet.table.faults import FaultKind, Violation
from bcnet.table.rounds import Kind
from bcnet.wire.v1 import log_pb2 as pb


@dataclass(frozen=True, slots=True)
class Payload:
    """What a seat says in an entry: the message and its kind, which is the name of its field in ``Body``."""

    kind: Kind
    message: Message


def write_shuffle(published: Published) -> pb.Shuffle:
    """A step as it is sent."""
    return pb.Shuffle(points=published.points, key=published.key, shadows=published.shadows)


def read_shuffle(message: pb.Shuffle) -> Published:
    """A step as it came."""
    return Published(tuple(message.points), message.key, tuple(message.shadows))


def write_responses(responses: Sequence[Response]) -> pb.Responses:
    """The answers to a challenge as they are sent."""
    return pb.Responses(responses=[_write_response(response) for response in responses])


def _write_response(response: Response) -> pb.Response:
    match response:
        case ShadowSeed(seed):
            return pb.Response(seed=seed)
        case Bridge(scalar, permutation):
            return pb.Response(bridge=pb.Bridge(scalar=scalar, permutation=permutation))


def read_responses(message: pb.Responses) -> tuple[Response, ...]:
    """The answers to a challenge as they came. Raises `Violation` for an empty one."""
    return tuple(_read_response(response) for response in message.responses)


def _read_response(message: pb.Response) -> Response:
    if message.HasField("seed"):
        return ShadowSeed(message.seed)
    if message.HasField("bridge"):
        bridge = message.bridge
        return Bridge(bridge.scalar, bridge.permutation)
    raise Violation(FaultKind.RESPONSES, "A response is empty.")


def write_unmask(unmasked: Sequence[Unmasked]) -> pb.Unmask:
    """Unmasked cards as they are sent."""
    return pb.Unmask(
        cards=[pb.Unmasked(point=card.point, proof=write_equality(card.proof)) for card in unmasked]
    )


def read_unmask(message: pb.Unmask) -> tuple[Unmasked, ...]:
    """Unmasked cards as they came."""
    return tuple(Unmasked(card.point, read_equality(card.proof)) for card in message.cards)


def write_refresh(refresh: Refresh) -> pb.Refresh:
    """A refresh as it is sent."""
    cards = [pb.Rekeyed(point=card.point, proof=write_equality(card.proof)) for card in refresh.cards]
    return pb.Refresh(cards=cards, step=write_shuffle(refresh.step))


def read_refresh(message: pb.Refresh) -> Refresh:
    """A refresh as it came."""
    cards = tuple(Rekeyed(card.point, read_equality(card.proof)) for card in message.cards)
    return Refresh(cards, read_shuffle(message.step))


def write_equality(proof: Equality) -> pb.Equality:
    """A proof as it is sent."""
    return pb.Equality(first=proof.first, second=proof.second, answer=proof.answer)


def read_equality(message: pb.Equality) -> Equality:
    """A proof as it came."""
    return Equality(message.first, message.second, message.answer)
