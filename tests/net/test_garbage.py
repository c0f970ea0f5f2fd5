"""Strangers who send anything but bcnet to the port: they neither disturb a game nor fill memory."""

from __future__ import annotations

import os
import random
import socket
import ssl
import struct
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import grpc
import pytest

from bcnet.certificate import HOST_NAME
from bcnet.verify import Verdict, verify_file
from bcnet.wire.v1 import table_pb2 as pb
from bcnet_client.address import parse_address
from bcnet_client.line import MAX_MESSAGE
from tests.net.people import APART
from tests.net.processes import Bcnet, Start, guest, host, transcripts

pytestmark = [
    pytest.mark.end_to_end,
    # Python's wrap_socket leaves a socket whose other end was reset before the handshake to the collector.
    pytest.mark.filterwarnings("ignore:unclosed <ssl.SSLSocket:ResourceWarning"),
]

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SETTINGS = b"\x00\x00\x00\x04\x00\x00\x00\x00\x00"


def header(length: int, kind: int, flags: int = 0, stream: int = 0) -> bytes:
    """An HTTP/2 frame header."""
    return struct.pack(">I", length)[1:] + bytes([kind, flags]) + struct.pack(">I", stream)


def raw(rng: random.Random) -> bytes:
    """What comes over a socket from programs that are no bcnet."""
    noise = rng.randbytes(rng.randrange(1, 4000))
    return rng.choice(
        [
            noise,
            b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + noise,
            b"SSH-2.0-OpenSSH_9.2\r\n" + noise,
            PREFACE,
            PREFACE + noise,
            PREFACE + SETTINGS + header(0xFFFFFF, 0, stream=1),
            PREFACE + SETTINGS + header(len(noise), 1, 4, 1) + noise,
            PREFACE + SETTINGS + header(8, 6) * 200,
            PREFACE + SETTINGS * 500,
            PREFACE + SETTINGS + b"".join(header(4, 3, stream=n) + bytes(4) for n in range(1, 400, 2)),
            b"",
        ]
    )


def speak(address: tuple[str, int], data: bytes) -> None:
    with suppress(OSError), socket.create_connection(address, timeout=2) as line:
        line.settimeout(0.05)
        line.sendall(data)
        with suppress(OSError):
            line.recv(1000)


def secured(address: tuple[str, int]) -> grpc.Channel:
    """A connection that takes whatever certificate the host has."""
    with socket.create_connection(address, timeout=5) as line:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.set_alpn_protocols(["h2"])
        with context.wrap_socket(line) as tls:
            der = tls.getpeercert(binary_form=True) or b""
    root = ssl.DER_cert_to_PEM_cert(der).encode("ascii")
    return grpc.secure_channel(
        f"{address[0]}:{address[1]}",
        grpc.ssl_channel_credentials(root),
        options=(*APART, ("grpc.ssl_target_name_override", HOST_NAME)),
    )


def call(address: tuple[str, int], messages: list[bytes]) -> None:
    """A stream to the table over true gRPC, with bytes for messages."""
    with suppress(OSError), secured(address) as channel:
        play: Any = channel.stream_stream("/bcnet.wire.v1.Table/Play")
        with suppress(grpc.RpcError):
            for _ in play(iter(messages), timeout=3):
                pass


def plague(address: tuple[str, int], rng: random.Random, rounds: int) -> None:
    """So many rounds of everything."""
    for _ in range(rounds):
        speak(address, raw(rng))
        call(
            address,
            rng.choice(
                [
                    [rng.randbytes(300)],
                    [b"\xff" * 1000],
                    [bytes(MAX_MESSAGE + 1)],
                    [pb.Frame(entry=bytes(MAX_MESSAGE - 100)).SerializeToString()] * 3,
                    [pb.Frame(hello=pb.Hello(protocol=1, program="x" * 100_000)).SerializeToString()],
                    [b""] * 50,
                ]
            ),
        )


def endpoint(shown: str) -> tuple[str, int]:
    address = parse_address(shown)
    return address.host, address.port


@contextmanager
def beside(work: Callable[[], None]) -> Iterator[None]:
    """Something goes on beside."""
    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        thread.join()


def resident(process: Bcnet) -> int:
    """Bytes of memory that a process holds."""
    with Path(f"/proc/{process.process.pid}/statm").open() as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_garbage_before_and_during_a_game_disturbs_nobody(start: Start, tmp_path: Path) -> None:
    ann = host(start)
    shown = ann.address()
    where = endpoint(shown)
    plague(where, random.Random(1), 10)
    half_open = [socket.create_connection(where) for _ in range(30)]
    bob = guest(start, shown)
    with beside(lambda: plague(where, random.Random(2), 10)):
        assert (bob.finish(), ann.finish()) == (0, 0)
    for line in half_open:
        line.close()
    (hers,), (his,) = transcripts(tmp_path, "host"), transcripts(tmp_path, "guest")
    assert hers.read_bytes() == his.read_bytes()
    assert verify_file(hers).verdict is Verdict.CLEAN
    assert ann.complaint == bob.complaint == ""
    assert "turned away" not in ann.output  # garbage is not worth a word


@pytest.mark.skipif(sys.platform != "linux", reason="reads the memory of a process as Linux shows it")
def test_the_memory_of_a_host_stays_flat_under_garbage(start: Start) -> None:
    ann = host(start)
    shown = ann.address()
    where = endpoint(shown)
    large = [pb.Frame(entry=bytes(MAX_MESSAGE - 100)).SerializeToString()] * 3
    plague(where, random.Random(3), 25)  # what is allocated once
    call(where, large)
    before = resident(ann)
    plague(where, random.Random(4), 40)
    for _ in range(40):
        call(where, large)
    assert resident(ann) - before < 24 << 20  # of 120 MB that were sent; the allocator keeps some
    assert ann.process.poll() is None
