"""One console against a bot, both in this process, joined by the wires of their sessions: a program for the tests.

    python -m tests.console.alone [--seat N] [--bot LEVEL] [--home DIR] [--late SECONDS] …

It stands for `bcnet host` and `bcnet join` where no network is wanted, and for what cannot be had from them: a line
that goes down at a given move, a disk that is full, a cheating side, a bot that takes its time.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
import tempfile
from contextlib import nullcontext, suppress
from pathlib import Path

import click

from bcnet import language
from bcnet.entry import sign_entry
from bcnet.errors import Refusal, StorageError
from bcnet.games import registry
from bcnet.home import Home
from bcnet.session import Session
from bcnet.signing import Identity
from bcnet.table.membership import Terms
from bcnet.table.payloads import Payload
from bcnet.table.rounds import Kind
from bcnet.updates import Asked, Ended, Trouble
from bcnet.wire.v1 import log_pb2
from bcnet.wire.v1 import table_pb2 as pb
from bcnet.wires import Wire
from bcnet_client.console import run
from bcnet_client.look import Look
from tests.table.quick import quick_proofs


async def carry(source: Session, wire: Wire, other: Session, other_wire: Wire) -> None:
    """Carry frames one way until either side has ended."""
    while (frame := await wire.get()) is not None:
        if frame.HasField("goodbye"):
            other.detach(other_wire, int(frame.goodbye.reason))
            return
        await other.receive(other_wire, frame)


def cheat(session: Session) -> bytes:
    """A signed entry in which the own player does what cannot be done now."""
    player = session.player
    payload = Payload(Kind.ACT, log_pb2.Act(action="claim red red=7"))
    identity = Identity(bytes([player.number + 1]) * 32)
    return sign_entry(player.table.body(player.number, payload), identity.sign_message)


class Bot:
    """Plays the other seat."""

    wire: Wire

    def __init__(self, session: Session, args: argparse.Namespace) -> None:
        self.session = session
        self._args = args
        self._rng = random.Random(args.seed)
        self._choose = registry.get(args.game).bots[args.bot]
        self.moves = 0

    async def play(self) -> None:
        """Play until the table ends, or until this bot has to leave, resign or stay silent."""
        updates = self.session.updates(past=True)
        args = self._args
        while True:
            update = await updates.get()
            if isinstance(update, Ended):
                return
            if not isinstance(update, Asked):
                continue
            self.moves += 1
            if self.moves == args.leave_at:
                await self.session.close(pb.REASON_LEAVING)
                return
            if self.moves == args.cheat_at:
                self.wire.put(pb.Frame(entry=cheat(self.session)))
                continue
            if self.moves == args.say_at:
                with suppress(Refusal):  # where the console has chat off
                    self.session.say(args.says)
            if self.moves == args.silent_at:
                self.session.stay_out_of_the_chat()
            if self.moves == args.resign_at:
                await self.session.resign()
                continue
            await asyncio.sleep(args.think)
            snapshot = update.snapshot
            assert snapshot.view is not None
            await self.session.act(self._choose(snapshot.view, snapshot.seat, self._rng))


async def main(args: argparse.Namespace) -> int:
    home: Path = args.home
    terms = Terms.of(registry.get(args.game), 2, dict(each.split("=") for each in args.option))
    names = [args.name, args.other]
    if args.seat == 1:
        names.reverse()
    sessions = [
        await Session.host(Home(home / "0"), Identity(b"\1" * 32), names[0], terms),
        await Session.join(Home(home / "1"), Identity(b"\2" * 32), names[1], 1),
    ]
    own, other = sessions[args.seat], sessions[1 - args.seat]
    bot = Bot(other, args)

    async def connect() -> None:
        await asyncio.sleep(args.late)
        wires = [
            await sessions[0].attach(frozenset({1}), certificate=bytes(32)),
            await sessions[1].attach(frozenset({0}), certificate=bytes(32)),
        ]
        bot.wire = wires[1 - args.seat]
        async with asyncio.TaskGroup() as group:
            group.create_task(carry(sessions[0], wires[0], sessions[1], wires[1]))
            group.create_task(carry(sessions[1], wires[1], sessions[0], wires[0]))
            group.create_task(bot.play())
            group.create_task(disturb(own, wires[args.seat]))

    async def disturb(session: Session, wire: Wire) -> None:
        """Cut the line, fill the disk, or break the program, once the console has been asked so many times."""
        asked = 0
        updates = session.updates(past=True)
        while True:
            update = await updates.get()
            asked += isinstance(update, Asked)
            if isinstance(update, Asked) and asked == args.cut_at:
                session.detach(wire)
                return
            if isinstance(update, Asked) and asked == args.trouble_at:
                error = StorageError("The disk is full.", hint="Make room.")
                session._tell(Trouble(error))
                await asyncio.sleep(args.trouble_for)
                session._tell(Trouble(None))
            if isinstance(update, Asked) and asked == args.noise_at:
                sys.stderr.write("E0000 00:00:01.000000 noise.cc:1] a library speaks\n")
                sys.stderr.flush()
            if isinstance(update, Asked) and asked == args.print_at:
                click.echo("Somebody was turned away: the table is taken.")
            if isinstance(update, Asked) and asked == args.signal_at:
                os.kill(os.getpid(), args.signal)
            if isinstance(update, Asked) and asked == args.defect_at:
                session.failure.set_exception(RuntimeError("a defect"))

    if args.seat == 1:  # a guest's console begins when all sit
        working = asyncio.create_task(connect())
        await own.seated.wait()
    else:
        sys.stdout.write("Tell the other: bcnet join 192.0.2.7\n")
        sys.stdout.flush()
        working = asyncio.create_task(connect())
    try:
        return await run(
            own,
            Look(
                bell=not args.no_bell,
                title=not args.no_title,
                chat=not args.no_chat,
                plain=args.plain,
                confirm=args.confirm,
                mouse=args.mouse,
            ),
        )
    finally:
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
        await own.close()
        await other.close()


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seat", type=int, default=0)
    parser.add_argument("--game", default="balloon-cup")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--bot", default="random")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--home", type=Path, default=None)
    parser.add_argument("--name", default="Ann")
    parser.add_argument("--other", default="Bob")
    parser.add_argument("--late", type=float, default=0.0)
    parser.add_argument("--think", type=float, default=0.0)
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--proofs", action="store_true", help="make and check them as ever")
    for off in ("bell", "title", "chat"):
        parser.add_argument(f"--no-{off}", action="store_true")
    parser.add_argument("--confirm", action="store_true", help="ask before a decision is final")
    parser.add_argument("--mouse", action="store_true")
    parser.add_argument("--signal", type=int, default=15)
    for event in (
        "leave",
        "resign",
        "say",
        "silent",
        "cheat",
        "cut",
        "trouble",
        "noise",
        "print",
        "signal",
        "defect",
    ):
        parser.add_argument(f"--{event}-at", type=int, default=0)
    parser.add_argument("--says", default="Good luck!")
    parser.add_argument("--trouble-for", type=float, default=1.0)
    args = parser.parse_args()
    args.home = args.home or Path(tempfile.mkdtemp(prefix="bcnet-"))
    args.home.mkdir(exist_ok=True)
    return args


if __name__ == "__main__":
    given = arguments()
    language.use(os.environ[language.VARIABLE])
    with nullcontext() if given.proofs else quick_proofs():
        code = asyncio.run(main(given))
    sys.exit(code)
