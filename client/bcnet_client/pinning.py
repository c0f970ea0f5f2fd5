"""The joiner's side of TLS: take the host's certificate, see whose it is, and speak over nothing else.

No authority vouches for a host. So the joiner first asks for the certificate alone, says nothing, and reads from it
which identity vouches for it (`bcnet.certificate`). Held against the invite code, the known player or the person's
own yes, that certificate becomes the only root of the real connection: another one, of whoever sits in between or has
taken the address meanwhile, ends the handshake before a word is said.

docs/protocol.md, section "TLS". This module knows no names and no players: whoever calls says what is expected.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable, Sequence

import grpc
from grpc import aio

from bcnet.certificate import HOST_NAME, Presented, read_certificate
from bcnet.errors import NetworkError, Phrase
from bcnet.signing import fingerprint
from bcnet_client.reach import Endpoint, target

FETCH_TIME = 4.0
"""Seconds for the connection and the handshake that brings the certificate."""


class NoTls(NetworkError):
    """What listens there does not speak TLS, or ends it."""


class WrongHost(NetworkError):
    """The host is not the one that was expected: the wrong address, or somebody in between."""


async def fetch_certificate(endpoint: Endpoint, shown: str) -> Presented:
    """The certificate of the host at ``endpoint`` (``shown`` to people so), and who vouches for it.

    Nothing is said and nobody is trusted; the connection is closed at once. Raises `NoTls` and
    `bcnet.certificate.NoVoucher`.
    """
    try:
        async with asyncio.timeout(FETCH_TIME):
            return read_certificate(await _handshake(endpoint))
    except TimeoutError:
        why: str = Phrase("it does not answer")
    except (ConnectionError, ssl.SSLError, EOFError):
        why = Phrase("it speaks another language")
    except OSError as error:
        why = (error.strerror or str(error)).lower()
    raise NoTls(
        "What listens at {address} is no bcnet host, or one that is just ending: {why}.",
        hint="Check the address and the port. If they are right, ask whether `bcnet host` is running there, and in the "
        "same version.",
        address=shown,
        why=why,
    )


def expect(presented: Presented, is_right: Callable[[bytes], bool], shown: str) -> None:
    """Raise `WrongHost` unless ``is_right`` accepts the identity that vouches for the certificate.

    For an invite that is ``invite.matches``. A host of another protocol version vouches for nothing that we could
    check, and passes: its hello ends it.
    """
    if presented.identity and not is_right(presented.identity):
        raise WrongHost(
            "The host at {address} is not the one that you expect: its key is {key}.",
            hint="Do not play over this line. If the code is an old one, or meant for another address, ask for the "
            "line that the host's program shows now. Otherwise somebody may be in between.",
            address=shown,
            key=fingerprint(presented.identity),
        )


def pinned_channel(
    endpoint: Endpoint, presented: Presented, options: Sequence[tuple[str, object]] = ()
) -> aio.Channel:
    """A channel to ``endpoint`` that takes this certificate and no other. Nothing is connected yet."""
    root = ssl.DER_cert_to_PEM_cert(presented.der).encode("ascii")
    return aio.secure_channel(
        target(endpoint),
        grpc.ssl_channel_credentials(root_certificates=root),
        options=(*options, ("grpc.ssl_target_name_override", HOST_NAME)),
    )


async def _handshake(endpoint: Endpoint) -> bytes:
    family, place = endpoint
    connection = socket.socket(family, socket.SOCK_STREAM)
    try:
        connection.setblocking(False)
        await asyncio.get_running_loop().sock_connect(connection, place)
    except BaseException:
        connection.close()
        raise
    # From here on the transport owns the socket, and closes it however the handshake ends.
    _, writer = await asyncio.open_connection(sock=connection, ssl=_unverified(), server_hostname=HOST_NAME)
    try:
        tls: ssl.SSLObject = writer.get_extra_info("ssl_object")
        return tls.getpeercert(binary_form=True) or b""
    finally:
        writer.transport.abort()


def _unverified() -> ssl.SSLContext:
    """Takes any certificate: it is only looked at here."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["h2"])
    return context
