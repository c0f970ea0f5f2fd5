"""Tables on the local network: found, gone again, and nobody's garbage on anybody's screen.

Multicast goes over the loopback interface, or between network namespaces of our own.
"""

from __future__ import annotations

import asyncio
import json
import socket
import struct
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from ipaddress import ip_network
from secrets import token_hex

import pytest
import zeroconf
from hypothesis import given
from hypothesis import strategies as st
from zeroconf.asyncio import AsyncZeroconf

from bcnet.hashing import PROTOCOL_VERSION
from bcnet.names import check_name
from bcnet.signing import fingerprint
from bcnet_client import discovery
from bcnet_client.address import Address
from bcnet_client.discovery import (
    MAX_ADDRESSES,
    MAX_SEEN,
    Browser,
    Found,
    Notice,
    in_order,
    own_networks,
    read_notice,
)
from bcnet_host import announce
from bcnet_host.announce import Announcement, reachable_hosts
from tests.meeting.lines import HOST
from tests.meeting.networks import Cable, machines
from tests.storage.processes import python

LOOPBACK = ["127.0.0.1"]
ANNA = Notice("Anna", fingerprint(HOST.public))


@pytest.fixture(autouse=True)
def on_our_own(monkeypatch: pytest.MonkeyPatch) -> str:
    """Tests that run at the same time hear each other, so each looks for a kind of service of its own."""
    service = f"_bcnet-{token_hex(4)}._tcp.local."
    for module in (discovery, announce):
        monkeypatch.setattr(module, "SERVICE", service)
    return service


def announcement(notice: Notice = ANNA, port: int = 4680, *hosts: str) -> Announcement:
    return Announcement(notice, port, lambda: hosts or LOOPBACK, interfaces=LOOPBACK)


async def until(condition: Callable[[], object], seconds: float = 40) -> None:
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - what is waited for knows of no events
            await asyncio.sleep(0.02)


# --- the record ---


def test_a_notice_reads_back() -> None:
    properties: dict[bytes, bytes | None] = {key.encode(): value for key, value in ANNA.properties().items()}
    assert properties == {
        b"txtvers": b"1",
        b"proto": b"%d" % PROTOCOL_VERSION,
        b"name": b"Anna",
        b"key": fingerprint(HOST.public).encode(),
    }
    assert read_notice(properties) == ANNA


def test_every_name_fits_into_a_record() -> None:
    longest = Notice("\N{GRINNING FACE}" * 32, ANNA.fingerprint)
    assert all(len(key) + 1 + len(value) <= 255 for key, value in longest.properties().items())


RIGHT: dict[bytes, bytes | None] = {key.encode(): value for key, value in ANNA.properties().items()}


@pytest.mark.parametrize(
    "wrong",
    [
        {b"txtvers": b"2"},
        {b"txtvers": None},
        {b"proto": b""},
        {b"proto": None},
        {b"proto": b"0"},
        {b"proto": b"-1"},
        {b"proto": b"1" * 20},
        {b"proto": "١".encode()},
        {b"key": None},
        {b"key": b"k5ma-7qd2-xw4c"},
        {b"key": b"K5MA-7QD2-XW4C-HNT6"},
        {b"key": b"k5ma-7qd2-xw4c-hnt6\n"},
        {b"key": b"k5ma-7qd2-xw4c-hnt\xff"},
    ],
    ids=repr,
)
def test_what_makes_no_sense_is_no_notice(wrong: dict[bytes, bytes | None]) -> None:
    assert read_notice(RIGHT) == ANNA
    assert read_notice(RIGHT | wrong) is None


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        (b"An\x1b[2Jna", "An[2Jna"),
        ("An\N{RIGHT-TO-LEFT OVERRIDE}na".encode(), "Anna"),
        (b"x" * 300, "x" * 32),
        (b"\xff\xfe", "\ufffd\ufffd"),
        (b"  Anna \n", "Anna"),
        (b"", "player"),
        (None, "player"),
    ],
)
def test_names_are_cleaned(sent: bytes | None, shown: str) -> None:
    assert read_notice(RIGHT | {b"name": sent}) == Notice(shown, ANNA.fingerprint)


def test_a_table_of_another_version_says_so() -> None:
    assert read_notice(RIGHT | {b"proto": b"7"}) == replace(ANNA, protocol=7)


@given(
    st.dictionaries(
        st.sampled_from([*RIGHT, b"other"]),
        st.none() | st.binary(max_size=255) | st.sampled_from(list(RIGHT.values())),
    )
)
def test_no_record_breaks_the_reader(properties: dict[bytes, bytes | None]) -> None:
    if notice := read_notice(properties):
        check_name(notice.name)
        assert notice.protocol > 0


# --- addresses ---

NETWORKS = [ip_network("192.168.1.0/24"), ip_network("10.8.0.0/24"), ip_network("fd00::/64")]


def test_the_likeliest_address_comes_first() -> None:
    hosts = [
        "::1",
        "127.0.0.1",
        "2001:db8::1",
        "172.17.0.1",
        "fe80::1%2",
        "fd00::1",
        "10.8.0.1",
        "192.168.1.5",
    ]
    assert in_order(hosts, NETWORKS) == [
        "10.8.0.1",
        "192.168.1.5",
        "fd00::1",
        "172.17.0.1",
        "2001:db8::1",
        "fe80::1%2",
        "127.0.0.1",
        "::1",
    ]


@pytest.mark.parametrize(
    "host",
    ["", "anna.local", "224.0.0.251", "ff02::fb", "0.0.0.0", "::", "255.255.255.255", "fe80::1"],
)
def test_what_nobody_can_connect_to_is_left_out(host: str) -> None:
    assert in_order([host, "192.168.1.5"], NETWORKS) == ["192.168.1.5"]


def test_one_table_has_so_many_addresses_and_no_more() -> None:
    hosts = [f"172.16.0.{number}" for number in range(100)] + ["192.168.1.5"]
    kept = in_order(hosts, NETWORKS)
    assert len(kept) == MAX_ADDRESSES
    assert kept[0] == "192.168.1.5"


def test_own_networks_and_addresses() -> None:
    assert ip_network("127.0.0.0/8") in own_networks()
    assert reachable_hosts()


# --- on loopback ---


async def test_a_table_is_listed_while_it_is_announced() -> None:
    lists: list[tuple[Found, ...]] = []
    async with Browser(lists.append, interfaces=LOOPBACK) as browser:
        async with announcement() as said:
            await until(lambda: browser.tables)
            assert [(each.notice, each.addresses) for each in browser.tables] == [
                (ANNA, (Address("127.0.0.1", 4680),))
            ]
            assert (said.trouble, browser.trouble) == ("", "")
        await until(lambda: not browser.tables)
    assert [len(each) for each in lists] == [1, 0]


async def test_who_looks_later_finds_it_too() -> None:
    async with announcement():
        await asyncio.sleep(2)
        async with Browser(interfaces=LOOPBACK) as browser:
            await until(lambda: browser.tables)


async def test_several_tables_are_listed_by_name() -> None:
    async with (
        announcement(Notice("Ben", ANNA.fingerprint), 4681),
        announcement(Notice("anna", ANNA.fingerprint), 4682),
        announcement(Notice("\N{GRINNING FACE}" * 32, ANNA.fingerprint, 9), 4683),
        Browser(interfaces=LOOPBACK) as browser,
    ):
        await until(lambda: len(browser.tables) == 3)
        found = [(each.notice.name, each.notice.protocol, each.addresses[0].port) for each in browser.tables]
        assert found == [("anna", 1, 4682), ("Ben", 1, 4681), ("\N{GRINNING FACE}" * 32, 9, 4683)]


async def test_a_host_that_gets_another_address_is_found_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(announce, "RESCAN", 0.5)
    hosts = ["127.0.0.1"]
    async with (
        Announcement(ANNA, 4680, lambda: hosts, interfaces=LOOPBACK),
        Browser(interfaces=LOOPBACK) as browser,
    ):
        await until(lambda: browser.tables)
        hosts[:] = ["127.0.0.2"]
        await until(lambda: Address("127.0.0.2", 4680) in browser.tables[0].addresses)


async def test_closing_is_quick_and_may_come_at_once() -> None:
    async with asyncio.timeout(5):
        for _ in range(3):
            async with Browser(interfaces=LOOPBACK), announcement():
                pass


@contextmanager
def multicast() -> Iterator[Callable[[bytes], object]]:
    """Sends bytes to whoever listens to multicast DNS on the loopback interface."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
        sender.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sender.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        sender.bind(("127.0.0.1", 5353))
        yield lambda data: sender.sendto(data, ("224.0.0.251", 5353))


def name(*labels: bytes) -> bytes:
    return b"".join(bytes([len(label)]) + label for label in labels) + b"\0"


def pointers(*labels: bytes) -> bytes:
    """An answer (RFC 1035, section 4.1) that says that there are tables of these names."""
    service = discovery.SERVICE.encode().strip(b".").split(b".")
    records = [
        name(*service) + struct.pack(">HHIH", 12, 1, 4500, len(name(label, *service))) + name(label, *service)
        for label in labels
    ]
    return struct.pack(">6H", 0, 0x8400, 0, len(records), 0, 0) + b"".join(records)


async def test_garbage_is_passed_over(on_our_own: str) -> None:
    def service(label: str, port: int, properties: dict[str, bytes], host: str) -> zeroconf.ServiceInfo:
        return zeroconf.ServiceInfo(
            on_our_own,
            f"{label}.{on_our_own}",
            port,
            properties=properties,
            server=f"{label}.local.",
            parsed_addresses=[host],
        )

    good = ANNA.properties()
    bad = [
        service("empty", 4680, {}, "127.0.0.1"),
        service("no-key", 4680, good | {"key": b"x" * 200}, "127.0.0.1"),
        service("no-port", 0, good, "127.0.0.1"),
        service("nowhere", 4680, good, "224.0.0.1"),
    ]
    async with (
        Browser(interfaces=LOOPBACK) as browser,
        AsyncZeroconf(interfaces=LOOPBACK) as liar,
    ):
        await asyncio.sleep(0.5)
        with multicast() as send:
            for junk in (b"", b"\0", b"\xff" * 600, b"\0" * 12 + b"\xc0\x0c" * 300, bytes(range(256)) * 5):
                send(junk)
            for packet in (pointers(b"no records", b"\x1b[2J\xff", b"x" * 63), pointers(b"again")):
                for end in range(len(packet)):
                    send(packet[:end])
                    await asyncio.sleep(0.001)  # or the system drops some
                send(packet)
        await asyncio.gather(*[await liar.async_register_service(each) for each in bad])
        async with announcement():
            await until(lambda: browser.tables)
            heard = [f"{label}.{on_our_own}" for label in ("again", "no records", "empty", "nowhere")]
            await until(lambda: all(each in browser._seen for each in heard))
            await asyncio.sleep(0.5)
            assert [each.notice for each in browser.tables] == [ANNA]
        assert browser.trouble == ""


async def test_a_flood_of_services_stays_bounded() -> None:
    async with Browser(interfaces=LOOPBACK) as browser:
        await asyncio.sleep(0.5)
        with multicast() as send:
            for start in range(0, 2000, 20):
                send(pointers(*(b"flood-%d" % (start + number) for number in range(20))))
                await asyncio.sleep(0)
        await until(lambda: browser.is_crowded)
        assert len(browser._seen) == MAX_SEEN
        assert browser.tables == ()


# --- a host that was killed ---

ANNOUNCE = """
import asyncio, sys, json
from bcnet_client.discovery import Notice
from bcnet_host import announce

async def main():
    rescan, interfaces = json.loads(sys.argv[1])
    announce.RESCAN, announce.SERVICE = rescan, sys.argv[2]
    announce.TIME_TO_LIVE = 2
    options = {"interfaces": interfaces} if interfaces else {}
    if interfaces:
        options["hosts"] = lambda: interfaces
    async with announce.Announcement(Notice("Anna", "k5ma-7qd2-xw4c-hnt6"), 4680, **options) as said:
        while True:
            await asyncio.sleep(0.2)
            print(json.dumps(said.trouble), flush=True)

asyncio.run(main())
"""


async def test_a_host_that_was_killed_leaves_the_list(
    monkeypatch: pytest.MonkeyPatch, on_our_own: str
) -> None:
    monkeypatch.setattr(discovery, "RESCAN", 1.0)
    monkeypatch.setattr(discovery, "LOOKUP_TIME", 1.0)
    async with Browser(interfaces=LOOPBACK) as browser:
        with python(ANNOUNCE, json.dumps([10, LOOPBACK]), on_our_own) as process:
            await until(lambda: browser.tables)
            process.kill()
        await until(lambda: not browser.tables)


# --- between two machines ---

BROWSE = """
import asyncio, json, sys
from bcnet_client import discovery

discovery.RESCAN, discovery.SERVICE = 1.0, sys.argv[1]

def show(tables):
    print(json.dumps([[each.notice.name, [address.host for address in each.addresses]] for each in tables]), flush=True)

async def main():
    async with discovery.Browser(show) as browser:
        while True:
            await asyncio.sleep(1.5)
            print(json.dumps(browser.trouble), flush=True)

asyncio.run(main())
"""


def lines(process: subprocess.Popen[str]) -> Iterator[object]:
    assert process.stdout
    for line in process.stdout:
        yield json.loads(line)


def lists(process: subprocess.Popen[str]) -> Iterator[list[tuple[str, list[str]]]]:
    return (each for each in lines(process) if isinstance(each, list))


@pytest.mark.end_to_end
def test_on_two_machines_with_two_networks_every_address_is_found_and_a_late_one_too() -> None:
    with machines() as (anna, ben):
        Cable(anna, ben, "lan0", "192.168.77")
        anna.interface("docker0", "172.17.0.1/16")
        with (
            anna.python(ANNOUNCE, json.dumps([1, None]), discovery.SERVICE),
            ben.python(BROWSE, discovery.SERVICE) as browser,
        ):
            found = lists(browser)
            (name, hosts), *others = next(each for each in found if each and "172.17.0.1" in each[0][1])
            assert (name, others) == ("Anna", [])
            assert hosts[0] == "192.168.77.1"
            assert "127.0.0.1" not in hosts
            Cable(anna, ben, "wg0", "10.8.0")  # a VPN that comes up
            assert next(each for each in found if each and "10.8.0.1" in each[0][1])


@pytest.mark.end_to_end
def test_where_multicast_goes_nowhere_nothing_is_found_and_nothing_is_wrong() -> None:
    with machines() as (anna, ben):
        for machine, host in ((anna, "10.8.0.1"), (ben, "10.8.0.2")):
            machine.interface("tun0", f"{host}/24")
        with (
            anna.python(ANNOUNCE, json.dumps([1, None]), discovery.SERVICE) as announcing,
            ben.python(BROWSE, discovery.SERVICE) as browser,
        ):
            assert [next(lines(announcing)) for _ in range(15)] == [""] * 15
            assert [next(lines(browser)) for _ in range(3)] == [""] * 3


@pytest.mark.end_to_end
def test_without_any_network_both_wait_quietly_until_there_is_one() -> None:
    with (
        machines(loopback=False) as (anna, ben),
        anna.python(ANNOUNCE, json.dumps([1, None]), discovery.SERVICE) as announcing,
        ben.python(BROWSE, discovery.SERVICE) as browser,
    ):
        assert "No interfaces" in str(next(lines(announcing)))
        assert "No interfaces" in str(next(lines(browser)))
        Cable(anna, ben, "lan0", "192.168.77")
        assert next(each for each in lists(browser) if each)[0][0] == "Anna"


# --- link-local addresses ---

SERVE = """
import asyncio
from bcnet_host.certificate import make_certificate
from tests.meeting.lines import HOST, host

async def main():
    async with host(make_certificate(HOST), "[::]:4680"):
        print('"ready"', flush=True)
        await asyncio.sleep(60)

asyncio.run(main())
"""

VISIT = """
import asyncio, json, sys
from bcnet.wire.v1 import table_pb2 as pb
from bcnet_client.address import parse_address
from bcnet_client.pinning import fetch_certificate
from bcnet_client.reach import reach
from tests.meeting.lines import HOST, say_pinned

async def main():
    endpoint = await reach(parse_address(sys.argv[1]))
    found = await fetch_certificate(endpoint, sys.argv[1])
    assert found.identity == HOST.public
    frame = pb.Frame(entry=b"hi")
    print(json.dumps(await say_pinned(endpoint, found, frame) == frame), flush=True)

asyncio.run(main())
"""


@pytest.mark.end_to_end
@pytest.mark.parametrize(
    "address", ["fe80::77%lan0", "[fe80::77%lan0]:4680", "192.168.77.1", "[::ffff:192.168.77.1]:4680"]
)
def test_a_pinned_line_over_every_kind_of_address(address: str) -> None:
    with machines() as (anna, ben):
        Cable(anna, ben, "lan0", "192.168.77")
        anna.ip("addr", "add", "fe80::77/64", "dev", "lan0", "nodad")
        ben.ip("addr", "add", "fe80::78/64", "dev", "lan0", "nodad")
        with anna.python(SERVE) as serving:
            assert next(lines(serving)) == "ready"
            with ben.python(VISIT, address) as visiting:
                assert next(lines(visiting)) is True
