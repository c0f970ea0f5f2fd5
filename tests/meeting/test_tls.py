"""TLS: nobody reads along, nobody else answers, and a clock that is wrong keeps nobody out."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import grpc
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from grpc import aio

from bcnet.certificate import HOST_NAME, NoVoucher, Presented, voucher
from bcnet.entry import Noise
from bcnet.hashing import PROTOCOL_VERSION
from bcnet.hello import Role, check_proof, greeting, make_hello, sign_hello
from bcnet.invite import Invite
from bcnet.signing import fingerprint
from bcnet.wire.v1 import table_pb2 as pb
from bcnet_client import pinning
from bcnet_client.pinning import NoTls, WrongHost, expect, fetch_certificate
from bcnet_client.reach import target
from bcnet_host.certificate import HostCertificate, make_certificate
from tests.meeting.lines import (
    GUEST,
    HOST,
    MALLORY,
    Behaviour,
    host,
    in_between,
    local,
    presented,
    say,
    say_pinned,
    serving,
    tapped,
    with_the_voucher_of,
)
from tests.storage.processes import ROOT

CERTIFICATE = make_certificate(HOST)
FRAME = pb.Frame(entry=b"Anna lays red 13 on tile 2")
INVITE = Invite.make(HOST.public, 0x1234)


def broken(error: grpc.RpcError) -> bool:
    return isinstance(error, aio.AioRpcError) and error.code() is grpc.StatusCode.UNAVAILABLE


# --- the line ---


async def test_a_joiner_fetches_the_certificate_and_speaks_over_nothing_else() -> None:
    async with host(CERTIFICATE) as (port, echo):
        found = await fetch_certificate(local(port), "here")
        assert found == presented(CERTIFICATE)
        expect(found, INVITE.matches, "here")
        assert echo.heard == []
        assert await say_pinned(local(port), found, FRAME) == FRAME


async def test_over_ipv6() -> None:
    async with host(CERTIFICATE, "[::1]:0") as (port, _):
        endpoint = socket.AF_INET6, ("::1", port, 0, 0)
        assert await say_pinned(endpoint, await fetch_certificate(endpoint, "here"), FRAME) == FRAME


@pytest.mark.parametrize(
    "other", [make_certificate(HOST), make_certificate(MALLORY)], ids=["same host", "another"]
)
async def test_another_certificate_is_refused_before_a_word_is_said(other: HostCertificate) -> None:
    async with host(CERTIFICATE) as (port, echo):
        with pytest.raises(grpc.RpcError, check=broken):
            await say_pinned(local(port), presented(other), FRAME)
        assert echo.heard == []


async def test_a_program_without_tls_is_no_host_to_a_pinned_line() -> None:
    async with host(None) as (port, echo):
        with pytest.raises(NoTls, match="another language"):
            await fetch_certificate(local(port), "here")
        with pytest.raises(grpc.RpcError, check=broken):
            await say_pinned(local(port), presented(CERTIFICATE), FRAME)
        assert echo.heard == []


async def test_a_host_hears_nobody_without_tls() -> None:
    async with host(CERTIFICATE) as (port, echo), aio.insecure_channel(target(local(port))) as channel:
        with pytest.raises(grpc.RpcError, check=broken):
            await say(channel, FRAME)
        assert echo.heard == []


# --- on the wire ---


async def test_recorded_traffic_shows_no_plaintext() -> None:
    hello = pb.Frame(hello=make_hello(Role.GUEST, GUEST.public, b"n" * 32, b"", "1.0", "Bob"))
    secret = [b"Anna lays", GUEST.public, b"n" * 32, HOST.public, b"bcnet.wire", b"grpc"]
    async with host(CERTIFICATE) as (port, _), tapped(port) as (wire, tap):
        found = await fetch_certificate(local(wire), "here")
        for frame in (hello, FRAME):
            assert await say_pinned(local(wire), found, frame) == frame
        assert tap.connections == 3
        assert len(tap.bytes) > 3000
        assert [each for each in secret if each in tap.bytes] == []


async def test_the_tap_would_have_shown_it() -> None:
    async with (
        host(None) as (port, _),
        tapped(port) as (wire, tap),
        aio.insecure_channel(target(local(wire))) as channel,
    ):
        assert await say(channel, FRAME) == FRAME
        assert FRAME.entry in tap.bytes
        assert b"bcnet.wire" in tap.bytes


# --- somebody in between ---


async def test_who_ends_tls_himself_has_another_fingerprint_and_is_caught_by_the_code() -> None:
    async with host(CERTIFICATE) as (port, echo), in_between(port, make_certificate(MALLORY)) as (wire, tap):
        found = await fetch_certificate(local(wire), "192.168.1.20")
        assert found.fingerprint != CERTIFICATE.fingerprint
        with pytest.raises(WrongHost) as caught:
            expect(found, INVITE.matches, "192.168.1.20")
        assert fingerprint(MALLORY.public) in caught.value.message
        assert "192.168.1.20" in caught.value.message
        assert "in between" in caught.value.hint
        assert (tap.bytes, echo.heard) == (b"", [])


async def test_he_would_have_read_everything_if_nobody_looked() -> None:
    async with host(CERTIFICATE) as (port, _), in_between(port, make_certificate(MALLORY)) as (wire, tap):
        found = await fetch_certificate(local(wire), "here")
        assert await say_pinned(local(wire), found, FRAME) == FRAME
        assert FRAME.entry in tap.bytes


async def test_he_cannot_take_over_the_hosts_voucher() -> None:
    stolen = with_the_voucher_of(CERTIFICATE.der)
    async with host(CERTIFICATE) as (port, _), in_between(port, stolen) as (wire, tap):
        with pytest.raises(NoVoucher, match="not signed by the identity"):
            await fetch_certificate(local(wire), "here")
        assert tap.bytes == b""


async def test_he_cannot_come_after_the_certificate_was_fetched() -> None:
    async with host(CERTIFICATE) as (port, echo), in_between(port, make_certificate(MALLORY)) as (wire, tap):
        found = await fetch_certificate(local(port), "here")
        with pytest.raises(grpc.RpcError, check=broken):
            await say_pinned(local(wire), found, FRAME)
        assert (tap.bytes, echo.heard) == (b"", [])


async def test_without_a_code_the_hello_catches_whoever_passes_on_the_hosts_own() -> None:
    """The host signs for its own certificate; the guest has seen another."""
    async with host(CERTIFICATE) as (port, _), in_between(port, make_certificate(MALLORY)) as (wire, _):
        seen = await fetch_certificate(local(wire), "here")
    guest = make_hello(Role.GUEST, GUEST.public, b"g" * 32, b"", "1.0", "Bob")
    answer = make_hello(Role.HOST, HOST.public, b"h" * 32, b"t" * 32, "1.0", "Ann")
    proof = sign_hello(guest, answer, Role.HOST, CERTIFICATE.fingerprint, HOST.sign_message)
    check_proof(guest, answer, Role.HOST, CERTIFICATE.fingerprint, proof)
    with pytest.raises(Noise, match="cannot prove"):
        check_proof(guest, answer, Role.HOST, seen.fingerprint, proof)


def test_a_greeting_is_that_of_one_connection() -> None:
    def hello(role: Role, nonce: bytes) -> pb.Hello:
        identity = HOST if role is Role.HOST else GUEST
        return make_hello(role, identity.public, nonce * 32, b"", "1.0", "Ann")

    a, b = hello(Role.GUEST, b"a"), hello(Role.HOST, b"b")
    greetings = [
        greeting(a, b, CERTIFICATE.fingerprint),
        greeting(a, b, make_certificate(HOST).fingerprint),
        greeting(hello(Role.GUEST, b"c"), b, CERTIFICATE.fingerprint),
        greeting(a, hello(Role.HOST, b"c"), CERTIFICATE.fingerprint),
    ]
    assert len(set(greetings)) == 4


def test_a_host_of_another_version_is_left_to_the_hellos() -> None:
    expect(Presented(b"", PROTOCOL_VERSION + 1, b""), INVITE.matches, "here")


# --- what is no host ---


async def banner(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"SSH-2.0-OpenSSH_9.2\r\n")
    await writer.drain()


async def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.transport.abort()


async def silence(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
    while await reader.read(1000):
        pass


async def drip(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """One byte of a handshake after the other."""
    for byte in b"\x16\x03\x03\x40\x00" + bytes(1000):
        writer.write(bytes([byte]))
        await writer.drain()
        await asyncio.sleep(0.05)


@pytest.mark.parametrize(
    ("behave", "says"),
    [
        (banner, "another language"),
        (hang_up, "another language"),
        (silence, "does not answer"),
        (drip, "does not answer"),
    ],
)
async def test_what_is_no_host_is_told_in_time(
    behave: Behaviour, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pinning, "FETCH_TIME", 0.5)
    async with serving(behave) as port, asyncio.timeout(5):
        with pytest.raises(NoTls, match=says) as caught:
            await fetch_certificate(local(port), "10.0.0.1:99")
        assert "10.0.0.1:99" in caught.value.message
        assert caught.value.hint


async def test_nobody_there() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(NoTls):
            await fetch_certificate(local(taken.getsockname()[1]), "here")


def open_descriptors() -> int:
    return len(list(Path("/dev/fd").iterdir()))


async def test_no_descriptor_stays_open() -> None:
    async with host(CERTIFICATE) as (port, _), serving(hang_up) as other:
        for _ in range(3):
            await fetch_certificate(local(port), "here")
        before = open_descriptors()
        for _ in range(20):
            await fetch_certificate(local(port), "here")
            with pytest.raises(NoTls):
                await fetch_certificate(local(other), "here")
        await asyncio.sleep(0.2)
        assert open_descriptors() <= before + 2


# --- clocks ---

JOIN = """
import asyncio, socket, sys
from datetime import datetime
import grpc
from bcnet.wire.v1 import table_pb2 as pb
from bcnet_client.pinning import fetch_certificate
from tests.meeting.lines import local, say_pinned

async def join():
    endpoint = local(int(sys.argv[1]))
    found = await fetch_certificate(endpoint, "here")
    try:
        print(datetime.now().year, (await say_pinned(endpoint, found, pb.Frame(entry=b"hi"))).entry)
    except grpc.RpcError as error:
        print(datetime.now().year, error.code().name)

asyncio.run(join())
"""


def ordinary_certificate() -> HostCertificate:
    """As most programs would make it: valid from now on, for a year."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, HOST_NAME)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=365))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST_NAME)]), critical=False)
        .add_extension(voucher(HOST, key.public_key()), critical=False)
        .sign(key, SHA256())
    )
    return HostCertificate(
        certificate.public_bytes(Encoding.DER),
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()),
    )


async def join_with_clock(port: int, clock: str) -> str:
    faketime = shutil.which("faketime")
    if not faketime:
        pytest.skip("faketime is not installed (Debian: apt-get install faketime)")
    paths = os.pathsep.join(str(ROOT / folder) for folder in (".", "client", "host"))
    process = await asyncio.create_subprocess_exec(
        faketime,
        clock,
        sys.executable,
        "-c",
        JOIN,
        str(port),
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": paths},
        stdout=asyncio.subprocess.PIPE,
    )
    output, _ = await process.communicate()
    return output.decode().strip()


@pytest.mark.end_to_end
@pytest.mark.parametrize("clock", ["-3 days", "+3 days", "1971-06-01 00:00:00", "2095-06-01 00:00:00"])
async def test_a_joiner_whose_clock_is_wrong_gets_in(clock: str) -> None:
    async with host(CERTIFICATE) as (port, _):
        assert (await join_with_clock(port, clock)).endswith("b'hi'")


@pytest.mark.end_to_end
async def test_an_ordinary_certificate_would_have_kept_that_joiner_out() -> None:
    async with host(ordinary_certificate()) as (port, _):
        assert await join_with_clock(port, "1971-06-01 00:00:00") == "1971 UNAVAILABLE"
        assert (await join_with_clock(port, "-3 days")).endswith("UNAVAILABLE")
        assert (await join_with_clock(port, "+3 days")).endswith("b'hi'")
