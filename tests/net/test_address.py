"""Addresses as people write them, and the order in which a host shows its own."""

from __future__ import annotations

import pytest

from bcnet_client.address import Address, BadAddress, parse_address, written
from bcnet_host import addresses
from bcnet_host.addresses import Kind, Reachable, in_order


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("192.168.1.5", "192.168.1.5", 4680),
        ("192.168.1.5:5000", "192.168.1.5", 5000),
        ("localhost", "localhost", 4680),
        ("ann.local:1", "ann.local", 1),
        ("münchen.example", "münchen.example", 4680),
        ("::1", "::1", 4680),
        ("[::1]", "::1", 4680),
        ("[::1]:65535", "::1", 65535),
        ("fe80::1%eth0", "fe80::1%eth0", 4680),
        ("[fe80::1%eth0]:5000", "fe80::1%eth0", 5000),
        ("  fd00::7\n", "fd00::7", 4680),
    ],
)
def test_addresses_that_can_be_joined(text: str, host: str, port: int) -> None:
    found = parse_address(text)
    assert found == Address(host, port)
    assert parse_address(str(found)) == found


@pytest.mark.parametrize(
    "text",
    [
        "", ":4680", "a b", "ann:", "ann:0", "ann:65536", "ann:-1", "ann:80x", "ann:٤٦٨٠", "[::1", "[ann]:80",
        "[::1]80", "::1::", "fe80::1%eth0:5000:z", "http://ann", "bob@ann", "ann/x", "'ann'", "[]:1", "1:2:3",
    ],
)  # fmt: skip
def test_texts_that_are_no_address(text: str) -> None:
    with pytest.raises(BadAddress) as caught:
        parse_address(text)
    assert repr(text.strip()) in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("", "", 4680),
        (":0", "", 0),
        (":5000", "", 5000),
        ("[::]:0", "::", 0),
        ("127.0.0.1:0", "127.0.0.1", 0),
    ],
)
def test_addresses_to_listen_at(text: str, host: str, port: int) -> None:
    assert parse_address(text, listening=True) == Address(host, port)


def test_the_default_port_is_not_written() -> None:
    assert written("fd00::7", 4680) == "fd00::7"
    assert written("fd00::7", 5000) == "[fd00::7]:5000"


def test_the_likely_address_comes_first_and_none_is_left_out() -> None:
    """Case N10, without a network."""
    found = [
        addresses._classified(host, zone, interface)
        for host, zone, interface in [
            ("127.0.0.1", 0, "lo"),
            ("::1", 0, "lo"),
            ("172.17.0.1", 0, "docker0"),
            ("10.8.0.6", 0, "tun0"),
            ("fe80::1", 2, "eth0"),
            ("2001:db8::5", 0, "eth0"),
            ("192.168.7.5", 0, "eth1"),
            ("192.168.1.5", 0, "eth0"),
        ]
    ]
    ordered = in_order([*found, found[0]], ["192.168.1.5", "2001:db8::5"])
    assert [each.host for each in ordered] == [
        "192.168.1.5", "2001:db8::5", "192.168.7.5", "10.8.0.6", "172.17.0.1", "fe80::1%eth0", "127.0.0.1", "::1",
    ]  # fmt: skip


def test_this_machine_can_at_least_reach_itself() -> None:
    here = addresses.of_this_machine()
    assert Reachable("127.0.0.1", "lo", Kind.LOOPBACK) in here or any(e.kind is Kind.LOOPBACK for e in here)
    assert [each.kind for each in here] == sorted(each.kind for each in here)
