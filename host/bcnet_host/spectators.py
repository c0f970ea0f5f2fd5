"""Onlookers at a host's table: who may watch, and what they get.

An onlooker gets what everybody may see, the entries of closed rounds, and checks them himself. He is never waited for:
each has a place in the log and nothing else, so whoever reads slowly sees the game later, and whoever sends anything
has to go. They can be there before the game begins; the offer they are not shown.

This module knows lines and sessions, and nothing of gRPC.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from secrets import token_bytes
from typing import Any

from bcnet import __version__
from bcnet.entry import Noise
from bcnet.hello import NONCE_SIZE, OtherVersion, Role, check_hello, check_proof, make_hello, sign_hello
from bcnet.session import Session
from bcnet.signing import Identity
from bcnet.wire.v1 import table_pb2 as pb
from bcnet_client.line import Line
from bcnet_host.gate import Caller

HELLO_TIME = 10.0
"""Seconds in which an onlooker has to say who it is."""
MAX_GREETING = 4
"""Onlookers who may be saying hello at once."""
STALL_TIME = 60.0
"""Seconds that an entry may wait for an onlooker who does not take it."""

_log = logging.getLogger(__name__)


class Spectators:
    """The onlookers of one host's table."""

    def __init__(
        self,
        identity: Identity,
        name: str,
        certificate: bytes,
        most: int,
        game: Callable[[], asyncio.Future[Session]],
    ) -> None:
        """``certificate`` is the fingerprint of the host's, ``game`` gives the session once all have sat down."""
        self._identity = identity
        self._name = name
        self._certificate = certificate
        self._most = most
        self._game = game
        self._greeting = 0
        self._watching: set[object] = set()

    async def meet(self, line: Line, caller: Caller) -> None:
        """Take one onlooker from its first word to the end of its line."""
        if self._greeting >= MAX_GREETING or len(self._watching) >= self._most:
            await _turn_away(
                line, pb.REASON_LATER if self._most > len(self._watching) else pb.REASON_NO_WATCHERS
            )
            return
        self._greeting += 1
        try:
            async with asyncio.timeout(HELLO_TIME):
                await self._greet(line)
        except TimeoutError:
            await _turn_away(line, pb.REASON_IDLE)
            return
        except OtherVersion:
            await _turn_away(line, pb.REASON_VERSION)
            return
        except Noise as noise:
            _log.info("an onlooker from %s was turned away: %s", caller.origin, noise.message)
            await _turn_away(line, pb.REASON_NOISE)
            return
        finally:
            self._greeting -= 1
        if len(self._watching) >= self._most:
            await _turn_away(line, pb.REASON_NO_WATCHERS)
            return
        place = object()
        self._watching.add(place)
        caller.admit()
        try:
            await self._show(line)
        finally:
            self._watching.discard(place)
            self._count()

    async def _greet(self, line: Line) -> None:
        watcher = await _read(line, "hello")
        ours = make_hello(
            Role.HOST, self._identity.public, token_bytes(NONCE_SIZE), b"", __version__, self._name
        )
        try:
            check_hello(watcher.hello, Role.WATCHER, __version__)
        except OtherVersion:
            await line.write(pb.Frame(hello=ours))  # so that the other can name both versions as well
            raise
        await line.write(pb.Frame(hello=ours))
        proof = sign_hello(watcher.hello, ours, Role.HOST, self._certificate, self._identity.sign_message)
        await line.write(pb.Frame(proof=proof))
        theirs = await _read(line, "proof")
        check_proof(watcher.hello, ours, Role.WATCHER, self._certificate, theirs.proof)

    async def _show(self, line: Line) -> None:
        """All of the game, until it ends or the onlooker goes."""
        gone = line.ahead()
        game = asyncio.ensure_future(asyncio.shield(self._game()))
        either: set[asyncio.Future[Any]] = {gone, game}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if gone.done() or game.cancelled() or game.exception() is not None:
            game.cancel()
            return
        session = game.result()
        self._count()
        showing = asyncio.create_task(_carry(session, line))
        try:
            either = {gone, showing}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        finally:
            showing.cancel()
            with suppress(asyncio.CancelledError):
                await showing

    def _count(self) -> None:
        """Tell the players how many watch."""
        game = self._game()
        if game.done() and not game.cancelled() and game.exception() is None:
            game.result().set_audience(len(self._watching))


async def _carry(session: Session, line: Line) -> None:
    async for data in session.public():
        try:
            async with asyncio.timeout(STALL_TIME):
                if not await line.write(pb.Frame(entry=data)):
                    return
        except TimeoutError:
            return
    await _turn_away(line, pb.REASON_FINISHED if session.ended is not None else pb.REASON_LEAVING)


async def _read(line: Line, kind: str) -> pb.Frame:
    frame = await line.read()
    if frame is None or not frame.HasField(kind):
        raise Noise("The words of an onlooker are no {kind}.", kind=kind)
    return frame


async def _turn_away(line: Line, reason: int) -> None:
    with suppress(asyncio.CancelledError):
        await line.write(pb.Frame(goodbye=pb.Goodbye(reason=pb.Reason.Name(reason))))
