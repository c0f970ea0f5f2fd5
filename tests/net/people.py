"""A host in the test's own process, and whoever comes to its port; no process, but real sockets and real gRPC."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from secrets import token_bytes
from typing import Any

import grpc
from grpc import aio

from bcnet import __version__
from bcnet.certificate import HOST_NAME
from bcnet.hello import NONCE_SIZE, Role, greeting, make_hello, sign_hello
from bcnet.home import Home
from bcnet.invite import Invite, Turnstile
from bcnet.session import Session
from bcnet.signing import Identity
from bcnet.table.membership import Terms
from bcnet.wire.v1 import table_pb2 as pb
from bcnet.wire.v1.table_pb2_grpc import TableStub
from bcnet_client.address import Address
from bcnet_client.join import Joiner, Visit, join
from bcnet_client.trust import Stranger, Trust
from bcnet_host.admission import Admission, Applicant, Door, Notice
from bcnet_host.certificate import HostCertificate, make_certificate
from bcnet_host.server import Server, listen
from bcnet_host.spectators import Spectators
from tests.table.room import lookup
from tests.toy import Toy

TERMS = Terms.of(Toy(), 2, {})
APART = (("grpc.use_local_subchannel_pool", 1),)
"""A connection of its own for each channel: strangers do not know each other."""
ANY_PORT = Address("127.0.0.1", 0)
TOKEN = 0x123456789
UNTIL = 90
"""Seconds for anything to come about on a machine that has much else to do."""


@dataclass
class Inn:
    """A host's open table."""

    folder: Path
    server: Server
    admission: Admission
    certificate: HostCertificate
    invite: Invite
    notices: list[Notice] = field(default_factory=list)
    guests: int = 0
    watched: Session | None = None
    """What onlookers are shown in place of this table."""

    @property
    def address(self) -> Address:
        return Address("127.0.0.1", self.server.port)

    def joiner(self, **trust: Any) -> Joiner:
        """Somebody new who wants to sit down; without any ``trust``, with the code."""
        self.guests += 1
        joiner = stranger_from(self.folder / f"guest-{self.guests}", f"guest {self.guests}")
        return replace(joiner, trust=Trust(**trust or {"invite": self.invite}))

    async def guest(self, address: Address | None = None, **trust: Any) -> Visit:
        """Somebody new sits down; without any ``trust``, with the code."""
        return await join(self.joiner(**trust), address or self.address)

    @asynccontextmanager
    async def stranger(self) -> AsyncIterator[aio.StreamStreamCall[pb.Frame, pb.Frame]]:
        """A bare stream to the table, for whoever does not do as bcnet does."""
        async with self.channel() as channel:
            call = TableStub(channel).Play()
            try:
                yield call
            finally:
                call.cancel()

    def channel(self) -> aio.Channel:
        """A connection of its own that takes the host's certificate."""
        root = ssl.DER_cert_to_PEM_cert(self.certificate.der).encode("ascii")
        return aio.secure_channel(
            str(self.address),
            grpc.ssl_channel_credentials(root),
            options=(*APART, ("grpc.ssl_target_name_override", HOST_NAME)),
        )

    async def greet_as_watcher(
        self, call: aio.StreamStreamCall[pb.Frame, pb.Frame], identity: Identity
    ) -> None:
        """Both hellos and proofs, as an onlooker says them."""
        ours = hello(identity, role="ROLE_WATCHER")
        await call.write(pb.Frame(hello=ours))
        theirs = await read(call)
        assert (await read(call)).HasField("proof")
        certificate = self.certificate.fingerprint
        proof = sign_hello(ours, theirs.hello, Role.WATCHER, certificate, identity.sign_message)
        await call.write(pb.Frame(proof=proof))

    def shown(self) -> asyncio.Future[Session]:
        """What onlookers are shown."""
        if self.watched is None:
            return self.admission.game
        found: asyncio.Future[Session] = asyncio.get_running_loop().create_future()
        found.set_result(self.watched)
        return found

    async def game(self) -> Session:
        return await asyncio.shield(self.admission.game)


async def anybody(_: Stranger) -> bool:
    """The answer of a joiner who does not mind who the host is."""
    return True


def home_in(folder: Path, name: str) -> Home:
    """A home that is ready."""
    folder.mkdir(exist_ok=True)
    home = Home(folder / name)
    home.prepare()
    return home


def stranger_from(folder: Path, name: str) -> Joiner:
    """Somebody with a home of his own, who joins whatever host there is."""
    home = Home(folder)
    home.prepare()
    return Joiner(home, home.identity(), name, Trust(confirm=anybody), lookup)


@asynccontextmanager
async def inn(
    folder: Path,
    address: Address = ANY_PORT,
    *,
    is_open: bool = False,
    ask: Callable[[Applicant], Awaitable[bool]] | None = None,
    identity: Identity | None = None,
    spectators: int = 0,
    terms: Terms = TERMS,
) -> AsyncIterator[Inn]:
    """A table of the toy game for two, or of other ``terms``, open at a free port."""
    home = home_in(folder, "host")
    identity = identity or home.identity()
    certificate = make_certificate(identity)
    server = await listen(address, certificate)
    notices: list[Notice] = []
    invite = Invite.make(identity.public, TOKEN)
    door = Door(certificate.fingerprint, Turnstile(invite, terms.seats - 1), is_open, ask)
    admission = Admission(home, identity, "the host", terms, door, notices.append, games=lookup)
    await admission.open()
    here = Inn(folder, server, admission, certificate, invite, notices)
    watchers = Spectators(identity, "the host", certificate.fingerprint, spectators, here.shown)
    await server.start(admission, watchers if spectators else None)
    try:
        yield here
    finally:
        if admission.game.done() and not admission.game.cancelled() and not admission.game.exception():
            await admission.game.result().close()
        await admission.close()
        await server.stop()


def hello(guest: Identity, **changed: object) -> pb.Hello:
    """A guest's hello, true but for what is changed."""
    made = make_hello(Role.GUEST, guest.public, token_bytes(NONCE_SIZE), b"", __version__, "stranger")
    made.MergeFrom(pb.Hello(**changed))  # type: ignore[arg-type]
    return made


async def shake_hands(
    here: Inn,
    call: aio.StreamStreamCall[pb.Frame, pb.Frame],
    identity: Identity,
    invite: Invite | None = None,
    *,
    no_code: bool = False,
    waits: bool = False,
) -> pb.Hello:
    """Both hellos and proofs, as a guest says them, with the table's code or another; gives the host's.

    With ``waits``, all that follows is left to the caller.
    """
    ours = hello(identity)
    await call.write(pb.Frame(hello=ours))
    theirs = await read(call)
    assert theirs.HasField("hello")
    assert (await read(call)).HasField("proof")
    certificate = here.certificate.fingerprint
    admission = (invite or here.invite).proof(greeting(ours, theirs.hello, certificate))
    if no_code:
        admission = b""
    proof = sign_hello(ours, theirs.hello, Role.GUEST, certificate, identity.sign_message, admission)
    await call.write(pb.Frame(proof=proof))
    if not no_code and not waits:  # without a code the host's player is asked first
        await come_together(call)
    return theirs.hello


async def come_together(call: aio.StreamStreamCall[pb.Frame, pb.Frame]) -> pb.Gathering:
    """Wait until all are here, and exchange the positions; gives who they are."""
    while not (gathering := (await read(call)).gathering).begins:
        assert gathering.sitters
    await call.write(pb.Frame(position=pb.Position(seat=gathering.seat)))
    assert (await read(call)).HasField("position")
    return gathering


async def until(true: Callable[[], object]) -> None:
    """Wait until it is so. Raises TimeoutError, in good time before the whole test's."""
    async with asyncio.timeout(UNTIL):
        while not true():  # noqa: ASYNC110 (what is asked tells nobody when it changes)
            await asyncio.sleep(0.01)


async def read(call: aio.StreamStreamCall[pb.Frame, pb.Frame], patience: float = 20) -> pb.Frame:
    """The next frame; there must be one."""
    frame = await asyncio.wait_for(call.read(), patience)
    assert isinstance(frame, pb.Frame), frame
    return frame


async def farewell(call: aio.StreamStreamCall[pb.Frame, pb.Frame], patience: float = 20) -> int:
    """The reason with which the host ends the stream, after whatever else it says."""
    while True:
        frame = await read(call, patience)
        if frame.HasField("goodbye"):
            assert await asyncio.wait_for(call.read(), patience) is aio.EOF
            return int(frame.goodbye.reason)
