"""Whether a friend could reach a table on this machine, and if not, what stops him.

It listens as a host does, goes to itself on every address, and looks for what only others would run into. A machine
that speaks to itself does not pass its own firewall; so what is seen of one is said, and what cannot be seen, too.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from bcnet.errors import BcnetError, Phrase
from bcnet.signing import Identity
from bcnet_client.address import Address, written
from bcnet_client.discovery import Browser, Notice
from bcnet_client.pinning import fetch_certificate
from bcnet_client.reach import reach
from bcnet_host.addresses import Kind, Reachable, of_this_machine
from bcnet_host.announce import Announcement
from bcnet_host.certificate import make_certificate
from bcnet_host.server import PortTaken, listen

LISTEN_TIME = 4.0
"""Seconds in which the own announcement should come back."""
COMMAND_TIME = 3.0

_NETWORKS = {
    Kind.LAN: Phrase("local network"),
    Kind.VPN: Phrase("VPN"),
    Kind.VIRTUAL: Phrase("container or virtual machine"),
    Kind.LINK_LOCAL: Phrase("same cable or WLAN only"),
    Kind.LOOPBACK: Phrase("this machine only"),
}
_EVERYWHERE = frozenset({"", "::", "0.0.0.0"})  # noqa: S104 (compared, not bound)


class Weight(Enum):
    """What a finding means for a friend who wants to join."""

    GOOD = "ok"
    NOTE = "note"
    BAD = "!!"

    @property
    def word(self) -> str:
        """What is shown beside a finding."""
        return _NOTE if self is Weight.NOTE else self.value


_NOTE = Phrase("note")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    weight: Weight
    text: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All findings, and the addresses by which a friend could come, the likely one first."""

    findings: Sequence[Finding]
    ways: Sequence[Address]

    @property
    def is_well(self) -> bool:
        """Whether nothing was found that stops everybody."""
        return bool(self.ways)


async def examine(
    address: Address,
    identity: Identity,
    *,
    addresses: Callable[[], list[Reachable]] = of_this_machine,
    firewall: Callable[[], str] | None = None,
    multicast: bool = True,
) -> Diagnosis:
    """Listen at ``address`` as a host would, and look at everything. Nobody can sit down meanwhile."""
    certificate = make_certificate(identity)
    try:
        server = await listen(address, certificate)
    except PortTaken as error:
        return Diagnosis([Finding(Weight.BAD, error.message, error.hint)], [])
    findings = [Finding(Weight.GOOD, Phrase("bcnet can listen at port {port}.", port=server.port))]
    try:
        await server.start(None)
        wanted = [each for each in addresses() if address.host in {*_EVERYWHERE, each.host}] or [
            Reachable(address.host, "", Kind.LAN)
        ]
        tried = await asyncio.gather(*(_try(each, server.port, certificate.fingerprint) for each in wanted))
        findings += tried
        ways = [
            Address(each.host, server.port)
            for each, finding in zip(wanted, tried, strict=True)
            if finding.weight is Weight.GOOD and each.kind is not Kind.LOOPBACK
        ]
        findings += _about_networks(wanted, ways)
        findings += await asyncio.to_thread(
            lambda: list(_about_firewalls(firewall or seen_firewall, server.port))
        )
        if multicast and ways:
            findings.append(await _about_multicast(identity, server.port, [way.host for way in ways]))
    finally:
        await server.stop()
    return Diagnosis(findings, ways)


async def _try(way: Reachable, port: int, fingerprint: bytes) -> Finding:
    """Go there as a joiner does, and see that it is this program that answers."""
    shown = Phrase("{address} ({network})", address=written(way.host, port), network=_NETWORKS[way.kind])
    try:
        found = await fetch_certificate(await reach(Address(way.host, port)), written(way.host, port))
    except BcnetError as error:
        text = Phrase("{address} cannot be reached, even from here: {why}", address=shown, why=error.message)
        return Finding(Weight.BAD, text, error.hint)
    if found.fingerprint != fingerprint:
        return Finding(
            Weight.BAD,
            Phrase("At {address} another program answers, not this one.", address=shown),
            Phrase("Something sits in between, or has the same port: choose another with --listen."),
        )
    return Finding(Weight.GOOD, Phrase("{address} answers.", address=shown))


def _about_networks(tried: Sequence[Reachable], ways: Sequence[Address]) -> Iterator[Finding]:
    if any(each.kind in {Kind.LAN, Kind.VPN} for each in tried) and ways:
        return
    if all(each.kind is Kind.LOOPBACK for each in tried):
        yield Finding(
            Weight.BAD,
            Phrase(
                "Nobody but this machine can come here: it has no other address, or bcnet listens at none."
            ),
            Phrase("Connect to a network or start the VPN, and leave --listen out to use all addresses."),
        )
    else:
        yield Finding(
            Weight.NOTE,
            Phrase("There is no address of a local network or a VPN."),
            Phrase("A friend elsewhere needs one: join the same network, or a common VPN."),
        )


def _about_firewalls(look: Callable[[], str], port: int) -> Iterator[Finding]:
    if name := look():
        yield Finding(
            Weight.NOTE,
            Phrase("A firewall is at work here ({name}); it may keep others out.", name=name),
            Phrase("Let TCP port {port} in.", port=port),
        )
    else:
        yield Finding(
            Weight.NOTE,
            Phrase("No firewall is seen from here; there may be one all the same, here or on the way."),
            Phrase("If a friend waits in vain, let TCP port {port} in.", port=port),
        )


def seen_firewall(root: Path = Path("/")) -> str:
    """The name of a firewall that is switched on, as far as any account may see it; empty if none is seen."""
    ufw = root / "etc/ufw/ufw.conf"
    try:
        if "ENABLED=yes" in ufw.read_text(errors="replace").splitlines():
            return "ufw"
    except OSError:
        pass
    if (root / "run/firewalld.pid").exists() or (root / "run/firewalld").exists():
        return "firewalld"
    return Phrase("the firewall of macOS") if sys.platform == "darwin" and _mac_firewall() else ""


def _mac_firewall() -> bool:
    import subprocess

    command = shutil.which("/usr/libexec/ApplicationFirewall/socketfilterfw")
    if command is None:
        return False
    try:
        ran = subprocess.run(
            [command, "--getglobalstate"], capture_output=True, text=True, timeout=COMMAND_TIME, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return "enabled" in ran.stdout


async def _about_multicast(identity: Identity, port: int, hosts: Sequence[str]) -> Finding:
    """Whether a table that is announced is found by its own machine; no proof that others hear it."""
    notice = Notice("bcnet doctor", identity.fingerprint)
    found = asyncio.Event()

    def look(tables: Sequence[object]) -> None:
        if any(getattr(table, "notice", None) == notice for table in tables):
            found.set()

    async with Browser(look) as browser, Announcement(notice, port, lambda: hosts) as announcement:
        try:
            async with asyncio.timeout(LISTEN_TIME):
                await found.wait()
        except TimeoutError:
            why = announcement.trouble or browser.trouble or Phrase("nothing came back")
            return Finding(
                Weight.NOTE,
                Phrase("Tables do not announce themselves here: {why}.", why=why),
                Phrase("`bcnet join` will list nothing; the line with the address works all the same."),
            )
    return Finding(Weight.GOOD, Phrase("Tables announce themselves on the local network."))
