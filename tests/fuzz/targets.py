"""What a coverage-guided fuzzer may feed: everything that reads another's bytes, each with what must hold of it.

A target takes any bytes and gives the outcome by name; an exception out of it is a find. What it may refuse with is
caught in it, by name: nothing else may ever come out. `scripts/fuzz --guided` drives them, the tests replay the corpus.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from google.protobuf.message import DecodeError

from bcnet import transcript
from bcnet.certificate import NoVoucher, read_certificate
from bcnet.entry import MalformedBody, Noise, read_body, read_carried_note, read_entry, read_note, write_body
from bcnet.errors import BcnetError, UnreadableError
from bcnet.hello import OtherVersion, Role, check_hello
from bcnet.home import Home
from bcnet.invite import BadCode, Invite
from bcnet.session import Session
from bcnet.table.membership import Terms
from bcnet.verify import Verdict, examine
from bcnet.wire.v1 import log_pb2 as pb
from bcnet.wire.v1 import table_pb2
from tests.fuzz.entries import LONGEST_MESSAGE
from tests.table.room import identity_of, lookup
from tests.toy import Toy

CORPUS = Path(__file__).parent / "corpus"
VECTORS = Path(__file__).parents[1] / "vectors" / "transcripts"
LARGEST_SEED = 4_000
"""Bytes of the largest transcript that a fuzzer begins with: a longer one costs it a second, and teaches little."""

Target = Callable[[bytes], str]


def entry(data: bytes) -> str:
    """An entry and its body: what is accepted is the one encoding of what it says."""
    try:
        read = read_entry(data)
    except Noise:
        return "noise"
    assert write_body(pb.Entry(body=read.body, signature=read.signature)) == data == read.data
    try:
        body = read_body(read.body)
    except MalformedBody:
        return "malformed"
    assert write_body(body) == read.body
    return str(body.WhichOneof("payload"))


def note(data: bytes) -> str:
    """A note and its body."""
    try:
        carried = read_carried_note(data)
        body = read_note(carried.body)
    except (Noise, MalformedBody):
        return "noise"
    assert write_body(carried) == data
    assert write_body(body) == carried.body
    return "note"


def file(data: bytes) -> str:
    """A transcript: there is a verdict, and it is clean only if the same entries make the same file."""
    try:
        entries = transcript.read(data)
    except UnreadableError as error:
        return _refused(error, "no transcript")
    assert b"".join(transcript.encode(entries)) == data
    report, replay = examine(entries)
    assert report.message
    assert (replay is None) == (report.verdict is Verdict.UNREADABLE)
    assert (report.fault is not None) == (report.verdict is Verdict.CHEATED)
    return report.verdict.value


def frame(data: bytes) -> str:
    """A frame, and the hello in it."""
    try:
        read = table_pb2.Frame.FromString(data)
    except DecodeError:
        return "no frame"
    if not read.HasField("hello"):
        return read.WhichOneof("kind") or "empty"
    try:
        check_hello(read.hello, Role.GUEST, "1.0")
    except Noise:
        return "noise"
    except OtherVersion as error:
        return _refused(error, "version")
    return "hello"


def certificate(data: bytes) -> str:
    """What a host presents before anything is said."""
    try:
        presented = read_certificate(data)
    except NoVoucher:
        return "no voucher"
    assert len(presented.fingerprint) == 32
    return "presented"


def code(data: bytes) -> str:
    """An invite as somebody has typed it: what is accepted is shown as the same code again."""
    text = data.decode("utf-8", "surrogateescape")
    try:
        invite = Invite.parse(text)
    except BadCode as error:
        return _refused(error, "typo")
    assert Invite.parse(invite.code) == invite
    return "code"


@cache
def _host() -> tuple[asyncio.AbstractEventLoop, Session, TemporaryDirectory[str]]:
    """A host with an open table, for as long as the process lives."""
    loop, folder = asyncio.new_event_loop(), TemporaryDirectory()
    home = Home(Path(folder.name))
    home.prepare()
    terms = Terms.of(Toy(), 2, {})
    made = Session.host(home, identity_of(0), "Ann", terms, games=lookup)
    return loop, loop.run_until_complete(made), folder


def conversation(data: bytes) -> str:
    """What a guest says after its hello, frame by frame, each after its length in two bytes; nobody sits down by it."""
    loop, session, _ = _host()

    async def talk() -> str:
        wire = await session.attach(frozenset({1}), identity=identity_of(1).public, name="Bob")
        source, said = BytesIO(data), "nothing"
        while length := source.read(2):
            try:
                read = table_pb2.Frame.FromString(source.read(int.from_bytes(length, "big")))
            except DecodeError:
                return "no frame"
            try:
                await session.receive(wire, read)
            except Noise as noise:
                session.detach(wire, noise=noise)
                return "noise"
            said = read.WhichOneof("kind") or "nothing"
        session.detach(wire)
        return said

    before = session.player.position
    outcome = loop.run_until_complete(talk())
    assert session.player.position == before
    return outcome


def _refused(error: BcnetError, outcome: str) -> str:
    """Whatever was sent, what a person reads stays short."""
    assert len(str(error)) < LONGEST_MESSAGE
    return outcome


TARGETS: dict[str, Target] = {
    each.__name__: each for each in (entry, note, file, frame, conversation, certificate, code)
}


def seeds(target: str) -> Iterator[tuple[str, bytes]]:
    """What a fuzzer begins with, by name: the corpus in the tree, and what the vectors have for this target."""
    for path in sorted((CORPUS / target).glob("*")):
        yield path.name, path.read_bytes()
    if target not in {"entry", "file"}:
        return
    for path in sorted(VECTORS.glob("*.bct")):
        data = path.read_bytes()
        if len(data) > LARGEST_SEED:
            continue
        if target == "file":
            yield path.name, data
        elif path.name.startswith(("clean", "cheated-malformed")):
            for number, each in enumerate(transcript.read(data)):
                yield f"{path.name}-{number}", each


def outcomes(target: str) -> Counter[str]:
    """How often the seeds of a target end how."""
    run = TARGETS[target]
    return Counter(run(data) for _, data in seeds(target))
