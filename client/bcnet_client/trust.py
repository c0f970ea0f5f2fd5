"""Whether the joiner trusts the host that answers: by an invite code, by an earlier meeting, or by a person's yes.

Asked before a word is said on the line, with nothing at hand but the key that vouches for the host's certificate
(`bcnet_client.pinning`). That the host has that key at this moment, the hello proves later.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum

from bcnet.certificate import Presented
from bcnet.errors import NetworkError
from bcnet.invite import Invite
from bcnet.players import Players
from bcnet.signing import fingerprint
from bcnet_client.address import Address
from bcnet_client.pinning import expect


class NotTrusted(NetworkError):
    """Nothing says who the host is, and nobody took its key upon his word."""


class Ground(Enum):
    """Why a host is trusted to be who it should be."""

    SELF = "self"
    """It has the own key: one person, both seats."""
    CODE = "code"
    LIST = "list"
    """It has the fingerprint that the list of tables showed; who is behind that, nobody has said."""
    KNOWN = "known"
    CONFIRMED = "confirmed"
    """The first meeting; the person has seen the fingerprint and said yes."""
    TABLE = "table"
    """It is the host of the table that one comes back to, or will have to show that it is."""
    NOTHING = "nothing"
    """It speaks another version of the protocol, and no word will be believed."""


@dataclass(frozen=True, slots=True)
class Stranger:
    """A host whose key nobody here has met."""

    address: Address
    fingerprint: str


Confirm = Callable[[Stranger], Awaitable[bool]]
"""Asks the person whether this is the host that is meant."""


@dataclass(frozen=True, slots=True)
class Trust:
    """What the joiner has in hand, to judge a host by."""

    invite: Invite | None = None
    fingerprint: str = ""
    """As a list of tables showed it."""
    confirm: Confirm | None = None
    """None: there is nobody to ask."""
    table_host: bytes | None = None
    """For whoever comes back to a table: the key of its host; empty where the log that names it was lost.

    Then the table's id vouches for it: only the right host can give back a log that has this id, and that log has to
    name the key that the host has proven.
    """

    async def judge(self, presented: Presented, address: Address, own: bytes, players: Players) -> Ground:
        """Why the host that presents this certificate can be trusted. Raises `WrongHost` and `NotTrusted`."""
        host, shown = presented.identity, str(address)
        if not host:
            return Ground.NOTHING
        if self.table_host is not None:
            expect(presented, lambda key: self.table_host in {key, b""}, shown)
            return Ground.TABLE
        if self.invite is not None:
            expect(presented, self.invite.matches, shown)
            return Ground.SELF if host == own else Ground.CODE
        if self.fingerprint:
            expect(presented, lambda key: fingerprint(key) == self.fingerprint, shown)
        if host == own:
            return Ground.SELF
        if players.by_key(host) is not None:
            return Ground.KNOWN
        if self.fingerprint:
            return Ground.LIST
        if self.confirm is None:
            raise NotTrusted(
                "You have never met the host at {address}: its key is {key}.",
                hint="Join with the code that the host's program shows: bcnet join ADDR CODE. Or, if it does not "
                "matter who that is: --trust-first.",
                address=shown,
                key=fingerprint(host),
            )
        if not await self.confirm(Stranger(address, fingerprint(host))):
            raise NotTrusted(
                "You have not joined the host at {address} with the key {key}.",
                hint="Ask the host for its key, or for the whole line with the code.",
                address=shown,
                key=fingerprint(host),
            )
        return Ground.CONFIRMED


NOTHING_IN_HAND = Trust()
"""Only the own key, and those that one has met."""
