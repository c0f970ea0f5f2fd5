"""A host in the test's own process, and whoever comes to its port; no process, but real sockets and real gRPC."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_bytes

from grpc import aio

from bcnet import __version__
from bcnet.hello import NONCE_SIZE, Role, make_hello, sign_hello
from bcnet.home import Home
from bcnet.session import Session
from bcnet.signing import Identity
from bcnet.table.membership import Terms
from bcnet.wire.v1 import table_pb2 as pb
from bcnet.wire.v1.table_pb2_grpc import TableStub
from bcnet_client.address import Address
from bcnet_client.join import Visit, join
from bcnet_host.admission import Admission, Notice
from bcnet_host.server import Server, listen
from tests.table.room import lookup
from tests.toy import Toy

TERMS = Terms.of(Toy(), 2, {})
APART = (("grpc.use_local_subchannel_pool", 1),)
"""A connection of its own for each channel: strangers do not know each other."""
ANY_PORT = Address("127.0.0.1", 0)


@dataclass
class Inn:
    """A host's open table."""

    folder: Path
    server: Server
    admission: Admission
    notices: list[Notice] = field(default_factory=list)
    guests: int = 0

    @property
    def address(self) -> Address:
        return Address("127.0.0.1", self.server.port)

    async def guest(self, address: Address | None = None) -> Visit:
        """Somebody new sits down."""
        self.guests += 1
        home = Home(self.folder / f"guest-{self.guests}")
        home.prepare()
        return await join(
            home, home.identity(), f"guest {self.guests}", address or self.address, games=lookup
        )

    @asynccontextmanager
    async def stranger(self) -> AsyncIterator[aio.StreamStreamCall[pb.Frame, pb.Frame]]:
        """A bare stream to the table, for whoever does not do as bcnet does."""
        async with aio.insecure_channel(str(self.address), options=APART) as channel:
            call = TableStub(channel).Play()
            try:
                yield call
            finally:
                call.cancel()

    async def game(self) -> Session:
        return await asyncio.shield(self.admission.game)


@asynccontextmanager
async def inn(folder: Path, address: Address = ANY_PORT) -> AsyncIterator[Inn]:
    """A table of the toy game, open at a free port."""
    home = Home(folder / "host")
    home.prepare()
    server = await listen(address)
    notices: list[Notice] = []
    admission = Admission(home, home.identity(), "the host", TERMS, notices.append, games=lookup)
    await admission.open()
    await server.start(admission)
    try:
        yield Inn(folder, server, admission, notices)
    finally:
        if admission.game.done() and not admission.game.cancelled() and not admission.game.exception():
            await admission.game.result().close()
        await admission.close()
        await server.stop()


def hello(guest: Identity, **changed: object) -> pb.Hello:
    """A guest's hello, true but for what is changed."""
    made = make_hello(Role.GUEST, guest.public, token_bytes(NONCE_SIZE), b"", __version__)
    made.MergeFrom(pb.Hello(**changed))  # type: ignore[arg-type]
    return made


async def shake_hands(call: aio.StreamStreamCall[pb.Frame, pb.Frame], identity: Identity) -> pb.Hello:
    """Both hellos and proofs, as a guest says them; gives the host's."""
    ours = hello(identity)
    await call.write(pb.Frame(hello=ours))
    theirs = await read(call)
    assert theirs.HasField("hello")
    assert (await read(call)).HasField("proof")
    proof = sign_hello(ours, theirs.hello, Role.GUEST, b"", identity.sign_message)
    await call.write(pb.Frame(proof=proof))
    assert (await read(call)).HasField("position")
    await call.write(pb.Frame(position=pb.Position()))
    return theirs.hello


async def until(true: Callable[[], object]) -> None:
    """Wait until it is so."""
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
