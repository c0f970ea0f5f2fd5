"""`bcnet verify` and the verifier that was written from docs/protocol.md alone say the same of the same bytes.

Neither is asked what the right answer is: tests/test_vectors.py does that. Where the two differ, one of them or the
document is wrong.
"""

import contextlib
import importlib.util
import io
import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from google.protobuf.message import Message

from bcnet.cli import main as bcnet
from bcnet.wire.v1 import log_pb2
from tests.verify.second_program import SecondProgram

ROOT = Path(__file__).parents[2]
VECTORS = ROOT / "tests" / "vectors"
TRANSCRIPTS = VECTORS / "transcripts"
INDEX = json.loads((TRANSCRIPTS / "index.json").read_text())
DERIVATIONS = {path.stem: json.loads(path.read_text()) for path in (VECTORS / "derivations").iterdir()}
ACTIONS = [*DERIVATIONS["notation"]["allowed"], *(no["text"] for no in DERIVATIONS["notation"]["refused"])]
SEATS = [  # who sits in the vectors
    Ed25519PrivateKey.from_private_bytes(bytes.fromhex(private))
    for private in (DERIVATIONS["certificate"]["private"], DERIVATIONS["signatures"]["entry"]["private"])
]
FIRST_LINE = b"bcnet transcript 1\n"

Answer = tuple[Any, ...]
"""Exit code, verdict, the fault's seat, round and kind, what is lacking, winners and reason."""


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # its dataclasses look there for their types
    spec.loader.exec_module(module)
    return module


independent = load(ROOT / "scripts" / "verify_independent.py")


def said_by_bcnet(*files: Path) -> Answer:
    output, code = io.StringIO(), None
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(output):
        patch.setattr(sys, "argv", ["bcnet", "verify", "--json", *map(str, files)])
        try:
            bcnet()
        except SystemExit as ended:
            code = ended.code
    [table] = json.loads(output.getvalue())["tables"]
    fault = table["fault"] or {"seat": None, "round": None, "kind": None}
    result = table["result"] if table["verdict"] == "clean" else None
    lacks = table["lacks"] if table["verdict"] == "incomplete" else []
    return code, table["verdict"], fault["seat"], fault["round"], fault["kind"], lacks, result


def said_independently(*files: Path) -> Answer:
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        code = independent.main(["--json", "--together", *map(str, files)])
    report = json.loads(output.getvalue())
    result = report["result"] if report["verdict"] == "clean" else None
    return code, report["verdict"], report["seat"], report["round"], report["kind"], report["lacks"], result


def file_of(entries: Iterable[bytes]) -> bytes:
    return FIRST_LINE + b"".join(len(entry).to_bytes(4, "big") + entry for entry in entries)


def entries_of(name: str) -> list[bytes]:
    entries: list[bytes] = independent.read_transcript((TRANSCRIPTS / name).read_bytes())
    return entries


# ------------------------------------------------------------------------------------------------ the vectors


@pytest.mark.parametrize("name", [vector["file"] for vector in INDEX["transcripts"]])
def test_one_file(name: str) -> None:
    assert said_independently(TRANSCRIPTS / name) == said_by_bcnet(TRANSCRIPTS / name)


@pytest.mark.parametrize("files", [vector["files"] for vector in INDEX["together"]])
def test_several_files(files: list[str]) -> None:
    paths = [TRANSCRIPTS / name for name in files]
    assert said_independently(*paths) == said_by_bcnet(*paths)
    assert said_independently(*reversed(paths)) == said_by_bcnet(*reversed(paths))


def test_it_shares_no_code_with_bcnet() -> None:
    script = ROOT / "scripts" / "verify_independent.py"
    asked = "import runpy, sys; runpy.run_path(sys.argv[1]); print(*sorted(sys.modules))"
    output = subprocess.run([sys.executable, "-c", asked, script], capture_output=True, check=True, text=True)
    modules = output.stdout.split()
    assert [name for name in modules if name.partition(".")[0].startswith("bcnet")] == [
        "bcnet",
        "bcnet.wire",
        "bcnet.wire.v1",
        "bcnet.wire.v1.log_pb2",
    ]
    others = {name.partition(".")[0] for name in modules} - sys.stdlib_module_names
    assert {"cryptography", "google"} <= others
    assert not others & {"click", "grpc", "bcnet_client", "bcnet_host", "tests"}


def test_no_game_but_balloon_cup_can_be_checked() -> None:
    verdict = independent.verdict_on_file(str(TRANSCRIPTS / "unreadable-offer-unknown-game.bct"))
    assert verdict.verdict == "unreadable"
    assert "this verifier cannot check the game" in verdict.why


def test_wrong_usage_is_no_verdict(tmp_path: Path) -> None:
    for arguments in ([], ["--no-such-option"], [str(tmp_path / "no-such-file")], [str(tmp_path)]):
        with pytest.raises(SystemExit) as ended:
            independent.main(arguments)
        assert ended.value.code == 64


# ------------------------------------------------------------------------------------------- mutated transcripts

SMALL = (
    "clean-cut-off.bct",
    "clean-resigned-at-once.bct",
    "clean-resigned-by-note.bct",
    "cheated-chain-entry-after.bct",
    "cheated-not-awaited-after-the-end.bct",
    "incomplete-other-history.bct",
    "incomplete-reveal.bct",
)
LARGE = (
    "clean-both-resigned.bct",
    "clean-resigned-on-turn.bct",
    "cheated-audit-opening.bct",
    "incomplete-draw.bct",
    "incomplete-responses.bct",
    "incomplete-refresh.bct",
    "clean-resigned-in-refresh.bct",
)


def flip(chance: random.Random, entries: Sequence[bytes]) -> bytes:
    data = bytearray(file_of(entries))
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(data)


def cut(chance: random.Random, entries: Sequence[bytes]) -> bytes:
    if chance.randrange(4):
        return file_of(entries[: chance.randrange(len(entries))])
    data = file_of(entries)
    return data[: chance.randrange(len(data))]


def drop(chance: random.Random, entries: Sequence[bytes]) -> bytes:
    left = list(entries)
    del left[chance.randrange(len(left))]
    return file_of(left)


def swap(chance: random.Random, entries: Sequence[bytes]) -> bytes:
    mixed = list(entries)
    i, j = chance.sample(range(len(mixed)), 2)
    mixed[i], mixed[j] = mixed[j], mixed[i]
    return file_of(mixed)


def duplicate(chance: random.Random, entries: Sequence[bytes]) -> bytes:
    more = list(entries)
    more.insert(chance.randrange(len(more) + 1), chance.choice(more))
    return file_of(more)


def altered(chance: random.Random, message: Message) -> None:
    """Change one thing somewhere in a message."""
    fields = message.ListFields()
    if not fields:
        return
    descriptor, value = chance.choice(fields)
    name = descriptor.name
    if isinstance(value, Message):
        if chance.randrange(8):
            altered(chance, value)
        else:
            message.ClearField(name)
    elif isinstance(value, int):
        setattr(message, name, chance.choice([value + 1, max(value - 1, 0), 0, chance.getrandbits(32)]))
    elif isinstance(value, str):
        setattr(message, name, chance.choice([*ACTIONS, "", value + " ", value.upper(), value * 30]))
    elif isinstance(value, bytes):
        setattr(message, name, altered_bytes(chance, value))
    else:
        i, j = chance.randrange(len(value)), chance.randrange(len(value))
        how = chance.randrange(4)
        if how == 0:
            del value[i]
        elif how == 1:
            value.append(value[i])
        elif isinstance(value[i], Message):
            altered(chance, value[i])
        elif how == 2:
            value[i], value[j] = value[j], value[i]
        else:
            value[i] = altered_bytes(chance, value[i])


def altered_bytes(chance: random.Random, data: bytes) -> bytes:
    at = chance.randrange(len(data))
    flipped = data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]
    return chance.choice(
        [flipped, flipped, data[:-1], data + b"\0", b"", bytes(len(data)), b"\xff" * len(data)]
    )


def sign_anew(chance: random.Random, entries: Sequence[bytes]) -> bytes:
    """Somebody signs another body than was said: what comes before it stands, what comes after it may be gone."""
    at = chance.randrange(len(entries))
    entry = log_pb2.Entry.FromString(entries[at])
    body = log_pb2.Body.FromString(entry.body)
    signer = body.seat if chance.randrange(10) else 1 - body.seat
    how = chance.randrange(10)
    if how == 0:
        entry.body = altered_bytes(chance, entry.body)
    else:
        if how == 1:
            other = log_pb2.Body.FromString(log_pb2.Entry.FromString(chance.choice(entries)).body)
            other.round, other.head, other.table, other.seat = body.round, body.head, body.table, body.seat
            body = other
        elif how == 2:
            body.ClearField("seat")
            body.seat = signer
            body.resign.SetInParent()
        altered(chance, getattr(body, body.WhichOneof("payload") or "") if chance.randrange(2) else body)
        entry.body = body.SerializeToString(deterministic=True)
    entry.signature = SEATS[signer].sign(independent.B("entry", entry.body))
    before = entries[: at + (chance.randrange(8) == 0)]
    return file_of(
        [*before, entry.SerializeToString(), *entries[at + 1 : at + 1 + (chance.randrange(8) == 0)]]
    )


MUTATIONS = (flip, cut, drop, swap, duplicate, sign_anew)


@pytest.mark.parametrize("mutation", MUTATIONS)
@pytest.mark.parametrize(("names", "count"), [(SMALL, 50), (LARGE, 4)], ids=["small", "large"])
def test_mutated(
    mutation: Callable[[random.Random, Sequence[bytes]], bytes],
    names: Sequence[str],
    count: int,
    tmp_path: Path,
) -> None:
    chance = random.Random(mutation.__name__)
    path = tmp_path / "mutated.bct"
    said = set()
    for _ in range(count):
        name = chance.choice(names)
        path.write_bytes(mutation(chance, entries_of(name)))
        answer = said_independently(path)
        assert said_by_bcnet(path) == answer, name
        said.add(answer[1])
    assert "unreadable" in said


# ------------------------------------------------------------------------------------------- a second program


DESIGNER = {"fill": "designer"}
PRIVATE = {"fill": "designer", "private-hands": "on"}


def agreed(path: Path, entries: Sequence[bytes]) -> Answer:
    path.write_bytes(file_of(entries))
    answer = said_independently(path)
    assert said_by_bcnet(path) == answer
    return answer


def table_at(kind: str, seed: int = 5, options: dict[str, str] = DESIGNER) -> SecondProgram:
    table = SecondProgram(independent, SEATS, options, random.Random(seed))
    table.go_on(lambda table: table.log.open.kind == kind)
    return table


@pytest.mark.parametrize(
    "options",
    [
        DESIGNER,
        {"fill": "blind"},
        {"fill": "capped"},
        PRIVATE,
        {"fill": "capped", "private-hands": "on"},
    ],
    ids=lambda options: "-".join(options.values()),
)
def test_games_of_a_second_program(options: dict[str, str], tmp_path: Path) -> None:
    table = SecondProgram(independent, SEATS, options, random.Random(str(options)))
    table.go_on()
    path, result = tmp_path / "game.bct", table.log.course.result
    code, verdict, *_, ended = agreed(path, table.entries)
    assert (code, verdict) == (0, "clean")
    assert ended == {"winners": list(result.winners), "reason": result.reason}
    # Without the last seed every proof is checked.
    code, verdict, *_ = agreed(path, table.entries[:-1])
    assert (code, verdict) == (3, "incomplete")


def other_history_of_an_earlier_round(table: SecondProgram) -> list[bytes]:
    body = table.blank(1)
    body.round, body.head = 3, bytes(32)
    body.resign.SetInParent()
    return [table.signed(body)]


def other_history_out_of_order(table: SecondProgram) -> list[bytes]:
    body = table.owed(0)
    body.head = bytes(32)
    return [table.signed(table.owed(1)), table.signed(body)]


def fault_out_of_order(table: SecondProgram) -> list[bytes]:
    body = table.owed(0)
    body.share.link = bytes(32)
    return [table.signed(table.owed(1)), table.signed(body)]


def right_out_of_order(table: SecondProgram) -> list[bytes]:
    return [table.signed(table.owed(1)), table.signed(table.owed(0))]


def note_of_a_seat_that_owes(table: SecondProgram) -> list[bytes]:
    body = table.blank(0)
    body.note.CopyFrom(table.note(1))
    return [table.signed(body), table.signed(table.owed(1))]


def notes_across_each_other(table: SecondProgram) -> list[bytes]:
    bodies = [table.blank(0), table.blank(1)]
    for seat, body in enumerate(bodies):
        body.note.CopyFrom(table.note(1 - seat))
        table.say(body)
    table.go_on()
    return table.entries


@pytest.mark.parametrize(
    ("ending", "verdict"),
    [
        (other_history_of_an_earlier_round, "incomplete"),
        (other_history_out_of_order, "incomplete"),
        (fault_out_of_order, "cheated"),
        (right_out_of_order, "unreadable"),
        (note_of_a_seat_that_owes, "incomplete"),
        (notes_across_each_other, "clean"),
    ],
)
def test_what_was_left_open(
    ending: Callable[[SecondProgram], list[bytes]], verdict: str, tmp_path: Path
) -> None:
    table = table_at("share")
    said = list(table.entries)
    last = ending(table)
    assert agreed(tmp_path / "ending.bct", last if table.log.complete else [*said, *last])[1] == verdict


def test_files_that_end_in_the_same_round(tmp_path: Path) -> None:
    table = table_at("share")
    halves = [[*table.entries, table.signed(table.owed(seat))] for seat in (0, 1)]
    body = table.owed(1)
    body.head = bytes(32)
    aside = [*table.entries, table.signed(body)]
    for files, lacks in (
        (halves, [(0, 6), (1, 6)]),  # each holds what the other lacks
        ([aside, halves[0]], [(1, 5)]),  # what is set aside does not make a file the longer one
        ([aside, table.entries], [(0, 5), (1, 5)]),
    ):
        paths = [tmp_path / "one.bct", tmp_path / "other.bct"]
        for path, entries in zip(paths, files, strict=True):
            path.write_bytes(file_of(entries))
        for order in (paths, paths[::-1]):
            answer = said_independently(*order)
            assert said_by_bcnet(*order) == answer
            assert [(lack["seat"], lack["round"]) for lack in answer[5]] == lacks


def false_response(body: log_pb2.Body) -> None:
    response = next(response for response in body.responses.responses if response.HasField("seed"))
    response.seed = bytes(32)


def false_point(body: log_pb2.Body) -> None:
    body.unmask.cards[2].point = body.unmask.cards[3].point


def false_proof(body: log_pb2.Body) -> None:
    body.unmask.cards[2].proof.first = bytes(32)


@pytest.mark.parametrize(
    ("kind", "spoil", "found"),
    [
        ("responses", false_response, "audit-shuffle"),
        ("unmask", false_point, "audit-unmask"),
        ("unmask", false_proof, None),
    ],
)
def test_proofs_left_to_the_audit(
    kind: str, spoil: Callable[[log_pb2.Body], None], found: str | None, tmp_path: Path
) -> None:
    """One seat resigns, the other's proof in the same round does not hold, and both reveal their seeds."""
    table = table_at(kind)
    resigns, spoilt = table.blank(0), table.owed(1)
    resigns.resign.SetInParent()
    spoil(spoilt)
    table.say(resigns)
    table.say(spoilt)
    table.go_on()
    answer = agreed(tmp_path / "resigned.bct", table.entries)
    assert answer[4] == found
    # Where the seeds are not there, the proof itself convicts.
    assert agreed(tmp_path / "cut.bct", table.entries[:-2])[2:5] == (1, table.log.open.number - 2, kind)


NO_POINT = (1).to_bytes(32, "big")


def no_card(body: log_pb2.Body) -> None:
    body.unmask.cards[2].point = NO_POINT


def no_hidden_card(body: log_pb2.Body) -> None:
    body.refresh.step.points[1] = NO_POINT


def no_key(body: log_pb2.Body) -> None:
    body.refresh.step.key = NO_POINT


@pytest.mark.parametrize(
    ("kind", "spoil"),
    [("unmask", no_card), ("refresh", no_hidden_card), ("refresh", no_key)],
)
def test_what_is_no_point_convicts_on_arrival(
    kind: str, spoil: Callable[[log_pb2.Body], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a complete file as well, whose points the audit computes again: one seat resigns, and all seeds are there."""
    table = table_at(kind, options=PRIVATE)
    resigns, spoilt = table.blank(0), table.owed(1)
    resigns.resign.SetInParent()
    spoil(spoilt)
    number = table.log.open.number
    with monkeypatch.context() as two_who_do_not_look:
        two_who_do_not_look.setattr(independent, "is_point", lambda _: True)
        table.say(resigns)
        table.say(spoilt)
        table.go_on()
    for count in (len(table.entries), len(table.entries) - 2):
        assert agreed(tmp_path / f"{count}.bct", table.entries[:count])[1:5] == ("cheated", 1, number, kind)


def test_a_refresh_left_to_the_audit(tmp_path: Path) -> None:
    """A hand in another order than its seed gives, which is not proven any more: the other seat resigns."""
    table = table_at("refresh", options=PRIVATE)
    resigns, spoilt = table.blank(0), table.owed(1)
    resigns.resign.SetInParent()
    points = spoilt.refresh.step.points
    points[0], points[1] = points[1], points[0]
    table.say(resigns)
    table.say(spoilt)
    table.go_on()
    assert agreed(tmp_path / "resigned.bct", table.entries)[4] == "audit-refresh"
    assert agreed(tmp_path / "cut.bct", table.entries[:-2])[1] == "incomplete"


def some_action(table: SecondProgram, seat: int) -> object:
    """An action in the right spelling, whether allowed or not."""
    chance, hand = table.chance, sorted(table.hand(seat))
    card = chance.choice([*hand, chance.randrange(independent.CARDS)])
    return chance.choice(
        [
            independent.PlayCard(card, chance.randrange(1, 5), chance.randrange(2)),
            independent.Exchange(tuple(sorted(chance.sample(hand, chance.randrange(5))))),
            independent.Pass(),
            independent.Decline(),
            independent.Claim(chance.randrange(5), (0, 0, 3, 0, chance.randrange(4))),
            *table.moves(seat),
        ]
    )


@pytest.mark.parametrize("seed", range(3))
def test_actions_with_honest_proofs(seed: int, tmp_path: Path) -> None:
    table = table_at("act", seed=seed)
    [seat] = table.log.open.awaited
    kinds = set()
    for _ in range(6):
        action, hand = some_action(table, seat), sorted(table.hand(seat))
        shown = sorted(table.shown_by(seat, action))
        body = table.blank(seat)
        table.fill_act(
            seat, body.act, action, table.chance.choice([shown, shown, shown[1:], hand, hand[::-1]])
        )
        answer = agreed(tmp_path / "act.bct", [*table.entries, table.signed(body)])
        kinds.add(answer[4])
    assert kinds <= {None, "illegal-action", "opening"}
    assert len(kinds) > 1
