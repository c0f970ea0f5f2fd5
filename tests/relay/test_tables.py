"""Hosts that make more of one table than there is: begun twice, offered twice; and guests that would frame the host."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bcnet.entry import Noise, place_of
from bcnet.table.player import Player
from bcnet.verify import Verdict, verify
from tests.attacks.arena import check_not_convicted, groups
from tests.attacks.cheats import body_of
from tests.relay.liars import another, signed
from tests.table.room import Room, honest, identity_of, lookup, secrets_of

EDEL = lookup("edel")
SEATS = pytest.mark.parametrize("seats", [3, 5])


def guests(seats: int, seed: int) -> dict[int, Player]:
    """Guests with fresh seeds: a program makes one for every join."""
    return {seat: honest(seat, secrets_of(seat, seed), identity_of(seat)) for seat in range(1, seats)}


def joins(offer: bytes, group: dict[int, Player]) -> dict[int, bytes]:
    """What each says when it is shown an offer."""
    return {seat: guest.receive(offer).entries[1].data for seat, guest in group.items()}


def gathered(offer: bytes, group: dict[int, Player]) -> tuple[dict[int, bytes], dict[int, bytes]]:
    """All sit down at an offer: their joins, and the chain tips that they publish then."""
    said = joins(offer, group)
    ready: dict[int, bytes] = {}
    for seat, guest in group.items():
        for other, join in said.items():
            if other != seat:
                for standing in guest.receive(join).entries:
                    if standing.seat == seat:
                        ready[seat] = standing.data
    return said, ready


def check_nothing_fits(host_or_guests: Sequence[Player], strange: dict[int, bytes]) -> None:
    """Nothing that was said at one table means anything at another."""
    for player in host_or_guests:
        before = player.position
        for data in strange.values():
            with pytest.raises(Noise):
                player.receive(data)
        assert player.position == before
        assert player.table.fault is None


@SEATS
def test_begun_twice_with_the_same_guests(seats: int) -> None:
    """Takes the offer back when all have joined and shown their tips, and begins again: with other seeds all round.

    Nothing of the first table can be carried over to the second, nor has anybody shown more than hashes there.
    """
    first = gathered(Room.of(EDEL, seats).sent[0][1], guests(seats, 1))
    again = guests(seats, 2)
    second = gathered(Room.of(EDEL, seats, seed=3).sent[0][1], again)
    for seat in again:
        one, other = (body_of(said[0][seat]).join.guest for said in (first, second))
        assert one.identity == other.identity
        assert one.nonce != other.nonce
        assert one.commitment != other.commitment
        assert body_of(first[1][seat]).ready.tip != body_of(second[1][seat]).ready.tip
    check_nothing_fits(list(again.values()), first[0] | first[1])


@SEATS
def test_one_offer_begun_twice_with_the_same_guests(seats: int) -> None:
    """Shows the very same offer once more: the guests bring fresh seeds, so it is another table all the same."""
    offer = Room.of(EDEL, seats).sent[0][1]
    first = gathered(offer, guests(seats, 1))
    again = guests(seats, 2)
    gathered(offer, again)
    check_nothing_fits(list(again.values()), first[1])


@SEATS
def test_one_offer_shown_to_two_groups(seats: int) -> None:
    """Two tables with two ids. Nobody is shown the other group's words as his own table's."""
    offer = Room.of(EDEL, seats).sent[0][1]
    here, there = guests(seats, 1), guests(seats, 2)
    one, other = gathered(offer, here), gathered(offer, there)
    ids = {guest.table.course.table_id for group in (here, there) for guest in group.values()}
    assert len(ids) == 2
    check_nothing_fits(list(here.values()), other[1])
    check_nothing_fits(list(there.values()), one[1])
    host = honest(0, secrets_of(0), identity_of(0))
    host.restore([offer])
    for data in one[0].values():
        host.receive(data)
    check_nothing_fits([host], other[0] | other[1])


@SEATS
def test_two_groups_that_are_mixed(seats: int) -> None:
    """Tells each guest of other joins: then each is at a table of its own, and takes nobody's next word."""
    offer = Room.of(EDEL, seats).sent[0][1]
    group, puppets = guests(seats, 1), joins(offer, guests(seats, 2))
    said = joins(offer, group)
    last = seats - 1
    ready: dict[int, bytes] = {}
    for seat, guest in group.items():
        for other in group:
            if other != seat:
                shown = puppets[other] if seat == last else said[other]
                ready |= {s.seat: s.data for s in guest.receive(shown).entries if s.seat == seat}
    ids = [guest.table.course.table_id for guest in group.values()]
    assert ids[last - 1] not in ids[: last - 1]
    assert len(set(ids)) == 2
    check_nothing_fits([group[last]], {seat: ready[seat] for seat in range(1, last)})
    check_nothing_fits([group[seat] for seat in range(1, last)], {last: ready[last]})


# --- framing the host ---


@SEATS
def test_a_guest_cannot_frame_the_host(seats: int) -> None:
    """Whatever a guest hands in of a game with an honest host, in a file of its own or with the others': cut off,
    changed, signed by itself in the host's name, or with a second entry of its own. At most it convicts itself."""
    room = Room.of(EDEL, seats)
    room.play(until=lambda room: len(room.players[0].table.log) > 6)
    true, guest = room.file(0), seats - 1
    identity = identity_of(guest)
    forged: list[list[bytes]] = []
    for at, data in enumerate(true):
        number, seat = place_of(data)
        if number < 2:
            continue
        forged.append(true[:at])
        body = body_of(data)
        if seat == 0:
            forged += [
                [*true[:at], *true[at + 1 :]],
                [*true[:at], signed(body, identity).entry],
            ]
        if seat == guest and (body.HasField("ready") or body.HasField("seal")):
            another(body)
            other = signed(body, identity).entry
            forged += [[*true[:at], other], [*true, other]]
    assert len(forged) > 3 * seats
    named = set()
    for file in forged:
        for report in (verify(file, games=lookup), *groups(true, file)):
            check_not_convicted(report, 0)
            named |= {report.fault.seat} if report.fault else set()
            assert report.verdict is not Verdict.CHEATED or report.fault
    assert named == {guest}
