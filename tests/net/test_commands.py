"""``host`` and ``join`` as commands: what they show, and how they end when it comes to nothing."""

from __future__ import annotations

import asyncio
import re
import socket
from pathlib import Path

import pytest

from bcnet.entry import sign_entry
from bcnet.errors import Exit
from bcnet.home import Home
from bcnet.invite import Invite
from bcnet.verify import Verdict, verify_file
from bcnet.wire.v1 import table_pb2 as pb
from bcnet_client.address import parse_address
from bcnet_client.join import Joiner, join
from bcnet_client.trust import Trust
from tests.net.processes import THINKS, Bcnet, Start, guest, host
from tests.net.test_joining import addresses_here

pytestmark = pytest.mark.end_to_end


def test_a_host_shows_a_whole_line_for_every_address(start: Start) -> None:
    ann = host(start, listen=":0", prog="scripts/bcnet")
    ann.wait_for("^Waiting for the other player")
    lines = [
        found[1]
        for line in ann.lines
        if (found := re.fullmatch(r"  scripts/bcnet join (\S+) [0-9a-z-]{29}", line))
    ]
    addresses = [parse_address(line.strip("'")) for line in lines]
    assert {"127.0.0.1", "::1"} <= {address.host for address in addresses} | {"::1"}
    assert addresses[0].host not in {"127.0.0.1", "::1"} or len(addresses) <= 2
    assert len({address.port for address in addresses}) == 1
    assert ann.wait_for("You are Ann, key (.*)")[1].count("-") == 3
    assert max(map(len, ann.lines)) < 120
    bob = guest(start, lines[-1].strip("'"))
    bob.wait_for("^You play with Ann")


def test_joining_by_names_and_addresses_of_every_kind(start: Start) -> None:
    """Case N2: it works, or one line says why not, with another that says what to do."""
    ann = host(start, listen=":0", code=THINKS)
    port = parse_address(ann.address()).port
    bob = guest(start, f"127.0.0.1:{port}")
    bob.wait_for("^You play with Ann")
    found = [each for each in addresses_here() if each != "127.0.0.1"]
    assert "localhost" in found
    joiners = [
        (each, guest(start, f"[{each}]:{port}" if ":" in each else f"{each}:{port}", home="eve"))
        for each in found
    ]
    for each, eve in joiners:
        assert eve.finish() == Exit.NETWORK
        if each != socket.gethostname():  # a machine's own name need not lead anywhere
            assert eve.errors[0] == "bcnet: The table is taken: somebody else sits there already.", each
        assert len(eve.errors) == 2
    for wrong, said in (
        ("no-such-name.invalid", "no-such-name.invalid"),
        ("[fe80::1]", "fe80::1"),
        ("[fe80::1%nowhere0]", "nowhere0"),
        ("[::1", "::1"),
    ):
        eve = guest(start, wrong, home="eve")
        assert eve.finish() in {Exit.NETWORK, Exit.USAGE}
        assert said in eve.errors[0]
        assert len(eve.errors) == 2


def test_a_second_host_on_the_port_ends_at_once_and_the_first_goes_on(start: Start) -> None:
    """Case N1."""
    ann = host(start)
    address = ann.address()
    for listen in (address, f":{parse_address(address).port}"):
        eve = start("host", "--listen", listen, "--bot", "random", home="eve")
        assert eve.finish() == Exit.NETWORK
        assert "in use" in eve.errors[0]
        assert "--listen" in eve.errors[1]
        assert eve.output == ""
    bob = guest(start, address)
    bob.wait_for("^You play with Ann")


def test_a_third_joiner_is_told_that_the_table_is_taken(start: Start, tmp_path: Path) -> None:
    ann = host(start)
    address, code = ann.invitation()

    async def sit_and_be_silent() -> None:
        home = Home(tmp_path / "bob")
        home.prepare()
        trust = Trust(Invite.parse(code))
        visit = await join(Joiner(home, home.identity(), "Bob", trust), parse_address(address))
        eve = await asyncio.to_thread(lambda: _finished(guest(start, address, home="eve")))
        assert eve[0] == Exit.NETWORK
        assert eve[1] == "bcnet: The table is taken: somebody else sits there already."
        await visit.session.close()
        await visit.close()

    asyncio.run(sit_and_be_silent())
    assert ann.finish(10) == Exit.INCOMPLETE


def _finished(process: Bcnet) -> tuple[int, str]:
    return process.finish(), process.errors[0]


def test_nobody_listens(start: Start) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        bob = guest(start, f"127.0.0.1:{probe.getsockname()[1]}", http_proxy="http://127.0.0.1:9")
        assert bob.finish() == Exit.NETWORK
    assert len(bob.errors) == 2
    assert "refuses the connection" in bob.errors[0]
    assert "firewall" in bob.errors[1]


def test_a_dead_proxy_is_not_asked(start: Start) -> None:
    proxies = dict.fromkeys(("http_proxy", "https_proxy", "all_proxy", "grpc_proxy"), "http://127.0.0.1:9")
    ann = host(start, **proxies)
    bob = guest(start, ann.address(), **proxies)
    bob.wait_for("^You play with Ann")
    assert bob.complaint == ""


def test_no_library_writes_to_the_screen(start: Start) -> None:
    """Case N4."""
    loud = {
        "GRPC_VERBOSITY": "DEBUG",
        "GRPC_TRACE": "all",
        "PYTHONWARNINGS": "default",
        "PYTHONASYNCIODEBUG": "1",
    }
    ann = host(start, "--patience", "1", **loud)
    bob = guest(start, ann.address(), **loud)
    bob.wait_for(" lays ")
    bob.process.kill()
    assert ann.finish(20) == Exit.INCOMPLETE
    assert ann.complaint == ""
    assert bob.complaint == ""


def test_who_cheats_is_named_and_the_exit_code_says_so(start: Start, tmp_path: Path) -> None:
    ann = host(start)
    address, code = ann.invitation()

    async def cheat() -> None:
        home = Home(tmp_path / "mallory")
        home.prepare()
        identity = home.identity()
        joiner = Joiner(home, identity, "Mallory", Trust(Invite.parse(code)))
        visit = await join(joiner, parse_address(address))
        (wire,) = visit.session._wires
        wire.put(pb.Frame(entry=sign_entry(b"no statement of this protocol", identity.sign_message)))
        await asyncio.wait_for(wire.closed.wait(), 30)
        await visit.session.close()
        await visit.close()

    asyncio.run(cheat())
    assert ann.finish(20) == Exit.CHEATED
    ann.wait_for("^Mallory cheated in round")
    ann.wait_for("^Verdict: cheated")
    path = Path(ann.wait_for("^Transcript: (.*)")[1])
    report = verify_file(path)
    assert report.verdict is Verdict.CHEATED
    assert report.fault is not None
    assert report.fault.seat == 1
    assert ann.complaint == ""
