"""Whether an entry may come from where it has come: over this wire, from a side that has proven who it is.

What an entry says is for the table to judge; this is about who may bring it. Pure.
"""

from __future__ import annotations

from bcnet.entry import MalformedBody, Noise, read_body, read_entry
from bcnet.gathering import Gathering
from bcnet.table.membership import Member, Terms, table_id
from bcnet.table.player import Player
from bcnet.table.table import FIRST_TABLE_ROUND
from bcnet.wire.v1.log_pb2 import Body
from bcnet.wires import Wire


def check_origin(player: Player, wire: Wire, data: bytes, gathering: Gathering | None) -> None:
    """Raise `Noise` for entries of others than sit there, and for an offer or a join that is not as the hello was.

    A side that catches up gives back what it has of everybody: a log that is lost here comes from there. ``gathering``:
    what the host has told of who is to sit where, if it has.
    """
    try:
        body = read_body(read_entry(data).body)
    except MalformedBody:
        return  # a fault, if it is signed
    own = body.seat == player.number
    is_given_back = not wire.has_caught_up and (
        own or body.round >= FIRST_TABLE_ROUND or wire.table not in {b"", player.table.course.offer_id}
    )
    if body.seat not in wire.seats and not is_given_back:
        is_sitting_down = not wire.has_caught_up and body.round < FIRST_TABLE_ROUND
        if is_sitting_down and any(entry.data == data for entry in player.table.log.entries()):
            return  # the join of another guest, that this one was sent: it gives back what stands here
        raise Noise("An entry of seat {seat} does not come from there.", seat=body.seat)
    if body.round >= FIRST_TABLE_ROUND:
        return
    member = body.offer.host if body.HasField("offer") else body.join.guest
    if own:
        # Taken back from the other side, whose copy might be of another table.
        terms = Terms.from_message(body.offer.terms) if body.HasField("offer") else None
        if not player.has_said(Member.from_message(member), terms):
            raise Noise("The other side gives back a seat that this side has not taken.")
    if gathering is not None:
        _check_gathered(gathering, body)
    if body.HasField("join") and wire.table:
        _check_table(player, wire.table, body)
    if body.seat != min(wire.seats):
        return
    if wire.identity and member.identity != wire.identity:
        raise Noise("Seat {seat} sits down with another key than it has proven.", seat=body.seat)
    if wire.name and member.name != wire.name:
        raise Noise("Seat {seat} sits down under another name than it has given.", seat=body.seat)


def _check_gathered(gathering: Gathering, body: Body) -> None:
    """Raise `Noise` for an offer or a join of another table than the host has told of when it began.

    Names are not compared: that of whoever has come back may be another than when it sat down last.
    """
    sitters, terms = gathering.sitters, body.offer.terms
    if body.HasField("offer") and (terms.game, terms.seats) != (gathering.game, gathering.seats):
        raise Noise("The host offers another table than it has told of.")
    member = body.offer.host if body.HasField("offer") else body.join.guest
    if body.seat >= len(sitters) or member.identity != sitters[body.seat].identity:
        raise Noise("Seat {seat} is taken by another key than the host has told of.", seat=body.seat)


def _check_table(player: Player, named: bytes, last: Body) -> None:
    """Raise `Noise` if this join is the last, and makes another table than the side has come back to."""
    course, joins = player.table.course, {last.seat: last.join.guest}
    for seat, entry in player.table.log.open.entries.items():
        joins.setdefault(seat, read_body(entry.body).join.guest)
    if course.table_id or len(joins) < course.seats - 1 or named == course.offer_id:
        return
    guests = [Member.from_message(joins[seat]) for seat in sorted(joins)]
    if table_id(course.offer_id, guests) != named:
        raise Noise("The other side has come back to another table than it has named.")
