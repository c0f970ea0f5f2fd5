"""Offers that no honest host makes: noise, said in few words, and no table comes of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bcnet.entry import Noise, sign_entry
from bcnet.games import registry
from bcnet.table.membership import Terms
from bcnet.wire.v1 import log_pb2 as pb
from tests.table.room import honest, identity_of, secrets_of

BALLOON_CUP = registry.get("balloon-cup")


def offer(change: Callable[[pb.Offer], object]) -> bytes:
    """An offer of Balloon Cup with a change, signed by its host."""
    host = honest(0, secrets_of(0), identity_of(0))
    data = host.offer(Terms.of(BALLOON_CUP, 2, {})).entries[0].data
    body = pb.Body.FromString(pb.Entry.FromString(data).body)
    change(body.offer)
    return sign_entry(body.SerializeToString(deterministic=True), identity_of(0).sign_message)


def option(key: str, value: str) -> pb.Option:
    return pb.Option(key=key, value=value)


BAD_OFFERS: dict[str, Callable[[pb.Offer], object]] = {
    "unknown game": lambda offer: setattr(offer.terms, "game", "chess"),
    "no game": lambda offer: setattr(offer.terms, "game", ""),
    "game of half a megabyte": lambda offer: setattr(offer.terms, "game", "x" * 500_000),
    "game with braces": lambda offer: setattr(offer.terms, "game", "{game}{0}"),
    "no seats": lambda offer: setattr(offer.terms, "seats", 0),
    "one seat": lambda offer: setattr(offer.terms, "seats", 1),
    "three seats": lambda offer: setattr(offer.terms, "seats", 3),
    "very many seats": lambda offer: setattr(offer.terms, "seats", 2**32 - 1),
    "no options": lambda offer: offer.terms.ClearField("options"),
    "option twice": lambda offer: offer.terms.options.append(option("fill", "blind")),
    "option more": lambda offer: offer.terms.options.append(option("zeal", "1")),
    "another option": lambda offer: setattr(offer.terms.options[0], "key", "full"),
    "another value": lambda offer: setattr(offer.terms.options[0], "value", "mine"),
    "value of half a megabyte": lambda offer: setattr(offer.terms.options[0], "value", "x" * 500_000),
    "no terms": lambda offer: offer.ClearField("terms"),
    "no host": lambda offer: offer.ClearField("host"),
    "short commitment": lambda offer: setattr(offer.host, "commitment", bytes(31)),
    "no commitment": lambda offer: setattr(offer.host, "commitment", b""),
    "short nonce": lambda offer: setattr(offer.host, "nonce", bytes(31)),
    "no name": lambda offer: setattr(offer.host, "name", ""),
    "long name": lambda offer: setattr(offer.host, "name", "x" * 33),
    "name with a line end": lambda offer: setattr(offer.host, "name", "a\nb"),
    "name with an escape": lambda offer: setattr(offer.host, "name", "\x1b[2J"),
    "somebody else's key": lambda offer: setattr(offer.host, "identity", identity_of(5).public),
}


@pytest.mark.parametrize("name", BAD_OFFERS)
def test_no_table_comes_of_it(name: str) -> None:
    guest = honest(1, secrets_of(1), identity_of(1))
    with pytest.raises(Noise) as caught:
        guest.receive(offer(BAD_OFFERS[name]))
    assert len(caught.value.message) < 300
    assert guest.position.rounds == 0
    assert guest.receive(offer(lambda offer: None)).entries, "and a good offer is answered after it"
