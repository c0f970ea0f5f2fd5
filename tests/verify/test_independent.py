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
ACTIONS = [
    *DERIVATIONS["notation"]["allowed"],
    *(no["text"] for no in DERIVATIONS["notation"]["refused"]),
    *("lay red 1 0", "lay white -7 7", "lay red 8 0", "pass", "object", "agree"),
    *("choose event", "choose free", "offer red=1 blue=2", "offer red=23", "accept", "event open"),
    *("take red=2", "swap red 2 blue", "give red", "vault use"),
]
PRIVATES = (DERIVATIONS["certificate"]["private"], DERIVATIONS["signatures"]["entry"]["private"])
SEATS = [  # the first two sit in the vectors
    Ed25519PrivateKey.from_private_bytes(private)
    for private in (*map(bytes.fromhex, PRIVATES), *(bytes([seat]) * 32 for seat in (2, 3, 4)))
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


def test_no_other_game_can_be_checked() -> None:
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
    seats = 1 + sum(log_pb2.Body.FromString(log_pb2.Entry.FromString(e).body).round == 1 for e in entries)
    signer = body.seat if chance.randrange(10) else (body.seat + 1) % seats
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
    table = SecondProgram(independent, SEATS[:2], options, random.Random(seed))
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
    table = SecondProgram(independent, SEATS[:2], options, random.Random(str(options)))
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
    card = chance.choice([*hand, chance.randrange(independent.BalloonCup.CARDS)])
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


# ------------------------------------------------------------------ Stones, and Edel, Stein & Reich, for up to five


OFF, ON = {"penalties": "off"}, {"penalties": "on"}
TABLES: list[tuple[str, int, dict[str, str]]] = [
    *(("stones", seats, options) for seats in (2, 3, 4) for options in (OFF, ON)),
    *(("edel", seats, {}) for seats in (3, 4, 5)),
]
CHOOSING = [table for table in TABLES if table[2] != OFF]
LARGER = [table for table in CHOOSING if table[1] > 2]
CHEATED: list[tuple[str, int, dict[str, str]]] = [
    ("stones", 2, ON),
    ("stones", 4, ON),
    ("edel", 3, {}),
    ("edel", 5, {}),
]
MUTATED: list[tuple[str, int, dict[str, str]]] = [("stones", 3, ON), ("edel", 4, {})]

all_tables = pytest.mark.parametrize(("game", "seats", "options"), TABLES)
choosing = pytest.mark.parametrize(("game", "seats", "options"), CHOOSING)
larger = pytest.mark.parametrize(("game", "seats", "options"), LARGER)


def sit(game: str, seats: int, options: dict[str, str], seed: object = 1) -> SecondProgram:
    return SecondProgram(independent, SEATS[:seats], options, random.Random(f"{game} {seats} {seed}"), game)


def is_open(*kinds: str, at_least: int = 0) -> Callable[[SecondProgram], bool]:
    return lambda table: table.log.open.kind in kinds and table.log.open.number >= at_least


@all_tables
def test_open_games_of_a_second_program(
    game: str, seats: int, options: dict[str, str], tmp_path: Path
) -> None:
    table = sit(game, seats, options)
    table.go_on()
    code, verdict, *_, ended = agreed(tmp_path / "game.bct", table.entries)
    result = table.log.course.result
    assert (code, verdict) == (0, "clean")
    assert ended == {"winners": list(result.winners), "reason": result.reason}
    assert agreed(tmp_path / "cut.bct", table.entries[:-1])[:2] == (3, "incomplete")


def some_resign(table: SecondProgram, chance: random.Random) -> None:
    """Play to the end; now and then a seat resigns, or carries the resignation of another."""
    while not table.log.complete:
        kind = table.log.open.kind
        for seat in table.log.open.missing:
            body = table.owed(seat)
            if kind in independent.RESIGNABLE and chance.random() < 0.04:
                body = table.blank(seat)
                if chance.randrange(2):
                    others = [other for other in table.log.course.seats if other != seat]
                    body.note.CopyFrom(table.note(chance.choice(others)))
                else:
                    body.resign.CopyFrom(table.resign(seat))
            table.say(body)


@all_tables
def test_seats_resign(game: str, seats: int, options: dict[str, str], tmp_path: Path) -> None:
    path, fewer = tmp_path / "game.bct", 0
    for seed in range(4):
        table, chance = sit(game, seats, options, seed), random.Random(seed)
        table.go_on(is_open("share", "act", "seal", at_least=chance.randrange(60)))
        some_resign(table, chance)
        assert agreed(path, table.entries)[:2] == (0, "clean")
        fewer += len(table.log.rounds[-2].awaited) < seats
    assert fewer or seats == 2  # the others went on


def not_in_the_notation(table: SecondProgram, seat: int, body: log_pb2.Body) -> None:
    body.act.action = {"stones": "lay red 8 0", "edel": "offer red=23"}[table.game]


def not_allowed(table: SecondProgram, seat: int, body: log_pb2.Body) -> None:
    body.act.action = {"stones": "lay red -7 7", "edel": "offer red=22"}[table.game]


def shows_a_card(table: SecondProgram, seat: int, body: log_pb2.Body) -> None:
    body.act.openings.add(card=1)


def another_choice(table: SecondProgram, seat: int, body: log_pb2.Body) -> None:
    choices = {"stones": ("object", "agree"), "edel": ("choose money", "choose event")}[table.game]
    body.unseal.choice = choices[body.unseal.choice == choices[0]]


def another_salt(table: SecondProgram, seat: int, body: log_pb2.Body) -> None:
    body.unseal.salt = bytes(32)


def short_salt(table: SecondProgram, seat: int, body: log_pb2.Body) -> None:
    body.unseal.salt = body.unseal.salt[:31]


def short_seal(table: SecondProgram, seat: int, body: log_pb2.Body) -> None:
    body.seal.commitment = body.seal.commitment[:31]


def false_link(table: SecondProgram, seat: int, body: log_pb2.Body) -> None:
    body.share.link = bytes(32)


def link_after_the_next(table: SecondProgram, seat: int, body: log_pb2.Body) -> None:
    body.share.link = table.chains[seat][table.log.course.draws + 1]


def false_seed(table: SecondProgram, seat: int, body: log_pb2.Body) -> None:
    body.reveal.seed = table.seeds[seat - 1]


def resigns_with_a_seed_that_is_not_right(table: SecondProgram, seat: int, body: log_pb2.Body) -> None:
    body.resign.seed = table.seeds[seat - 1]


def note_of_itself(table: SecondProgram, seat: int, body: log_pb2.Body) -> None:
    body.note.CopyFrom(table.note(seat))


@pytest.mark.parametrize(("game", "seats", "options"), CHEATED)
@pytest.mark.parametrize(
    ("kind", "spoil", "found"),
    [
        ("act", not_in_the_notation, "notation"),
        ("act", not_allowed, "illegal-action"),
        ("act", shows_a_card, "opening"),
        ("act", resigns_with_a_seed_that_is_not_right, "resignation"),
        ("act", note_of_itself, "note"),
        ("seal", short_seal, "sealed-choice"),
        ("seal", resigns_with_a_seed_that_is_not_right, "resignation"),
        ("unseal", another_choice, "sealed-choice"),
        ("unseal", another_salt, "sealed-choice"),
        ("unseal", short_salt, "sealed-choice"),
        ("unseal", note_of_itself, "note"),
        ("share", false_link, "chain"),
        ("share", link_after_the_next, "chain"),
        ("reveal", false_seed, "seed"),
    ],
)
def test_cheats_in_open_games(
    game: str,
    seats: int,
    options: dict[str, str],
    kind: str,
    spoil: Callable[[SecondProgram, int, log_pb2.Body], None],
    found: str,
    tmp_path: Path,
) -> None:
    table = sit(game, seats, options)
    table.go_on(is_open(kind, at_least={"act": 20, "seal": 10, "unseal": 10}.get(kind, 0)))
    seat = table.log.open.missing[-1]
    number = table.log.open.number
    entries = [table.signed(table.owed(other)) for other in table.log.open.missing if other != seat]
    body = table.owed(seat)
    spoil(table, seat, body)
    answer = agreed(tmp_path / "cheat.bct", [*table.entries, *entries, table.signed(body)])
    assert answer[:5] == (1, "cheated", seat, number, found)


@choosing
@pytest.mark.parametrize(
    ("text", "found"), [("choose all", "notation"), ("pass", None), ("x" * 201, "notation")]
)
def test_a_choice_is_judged_when_it_is_opened(
    game: str, seats: int, options: dict[str, str], text: str, found: str | None, tmp_path: Path
) -> None:
    table = sit(game, seats, options)
    table.go_on(is_open("seal", at_least=10))
    seat = table.log.open.missing[-1]
    for other in table.log.open.missing[:-1]:
        table.say(table.owed(other))
    body = table.blank(seat)
    body.seal.commitment = table.sealed(seat, text)
    table.say(body)
    last = [table.signed(table.owed(seat)) for seat in table.log.open.missing]
    # A pass is an action of Stones, but no answer to a stone; in the other game it is none at all.
    found = found or {"stones": "illegal-action", "edel": "notation"}[game]
    answer = agreed(tmp_path / "choice.bct", [*table.entries, *last])
    assert answer[:5] == (1, "cheated", seat, table.log.open.number, found)


def all_speak_and_one_resigns(table: SecondProgram, gone: int) -> None:
    for seat in table.log.open.missing:
        body = table.owed(seat)
        if seat == gone:
            body.resign.CopyFrom(table.resign(seat))
        table.say(body)


@larger
def test_who_has_resigned_owes_nothing(
    game: str, seats: int, options: dict[str, str], tmp_path: Path
) -> None:
    table = sit(game, seats, options)
    table.go_on(is_open("seal", at_least=10))
    seat = table.log.open.missing[0]
    all_speak_and_one_resigns(table, seat)
    path, number = tmp_path / "gone.bct", table.log.open.number
    speaks = table.blank(seat)
    speaks.resign.CopyFrom(table.resign(seat))
    answer = agreed(path, [*table.entries, table.signed(speaks)])
    assert answer[:5] == (1, "cheated", seat, number, "not-awaited")
    carrier = table.log.open.missing[0]
    carries = table.blank(carrier)
    carries.note.CopyFrom(table.note(seat))
    answer = agreed(path, [*table.entries, table.signed(carries)])
    assert answer[:5] == (1, "cheated", carrier, number, "note")


@larger
def test_the_chain_of_who_has_resigned_is_audited(
    game: str, seats: int, options: dict[str, str], tmp_path: Path
) -> None:
    """Its seed is there from then on: in a file that ends there as well as in a complete one."""
    table = sit(game, seats, options)
    table.go_on(is_open("ready"))
    seed, table.seeds[1] = table.seeds[1], bytes(32)
    ready = [table.owed(seat) for seat in range(seats)]
    table.seeds[1] = seed
    for body in ready:
        table.say(body)
    table.go_on(is_open("act", "seal"))
    for seat in table.log.open.missing:
        body = table.blank(seat)
        if seat == 1:
            body.resign.CopyFrom(table.resign(1))
        else:
            body.note.CopyFrom(table.note(1))
        table.say(body)
    ended = len(table.entries)
    table.go_on()
    for count in (ended, len(table.entries)):
        answer = agreed(tmp_path / "chain.bct", table.entries[:count])
        assert answer[:5] == (1, "cheated", 1, 2, "audit-chain")


def test_who_ends_the_game_by_resigning_reveals(tmp_path: Path) -> None:
    """The last stone is that of a seat that resigns: the others have none, and nobody goes on."""
    table = sit("stones", 3, OFF)
    table.go_on(
        lambda table: (
            table.log.open.kind == "act"
            and sum(sum(left.values()) for left in table.log.course.game.left) == 1
        )
    )
    [seat] = table.log.open.awaited
    body = table.blank(seat)
    body.resign.CopyFrom(table.resign(seat))
    table.say(body)
    assert table.log.open.awaited == (0, 1, 2)
    table.go_on()
    answer = agreed(tmp_path / "last.bct", table.entries)
    assert answer[1] == "clean"
    assert answer[-1]["reason"] == "all-laid"
    assert seat not in answer[-1]["winners"]


@larger
def test_a_draw_is_made_again(game: str, seats: int, options: dict[str, str], tmp_path: Path) -> None:
    """docs/protocol.md, section 16: who resigns in place of a share must not have had two outcomes to choose from."""
    table = sit(game, seats, options)
    table.go_on(is_open("share"))
    all_speak_and_one_resigns(table, 1)
    assert table.log.open.kind == "share"
    answer = agreed(tmp_path / "draw.bct", table.entries)
    assert {lack["kind"] for lack in answer[5]} == {"share"}
    table.go_on()
    assert agreed(tmp_path / "game.bct", table.entries)[1] == "clean"


@larger
def test_a_draw_is_made_again_where_a_note_was_carried(
    game: str, seats: int, options: dict[str, str], tmp_path: Path
) -> None:
    table = sit(game, seats, options)
    table.go_on(is_open("share"))
    for seat in table.log.open.missing:
        body = table.owed(seat)
        if seat == 0:
            body = table.blank(seat)
            body.note.CopyFrom(table.note(2))
        table.say(body)
    assert table.log.open.kind == "share"
    assert table.log.open.awaited == tuple(seat for seat in range(seats) if seat != 2)
    table.go_on()
    assert agreed(tmp_path / "game.bct", table.entries)[1] == "clean"


def say_act(table: SecondProgram, text: str) -> None:
    [seat] = table.log.open.awaited
    body = table.blank(seat)
    body.act.action = text
    table.say(body)


def say_choices(table: SecondProgram, text: str) -> None:
    for seat in table.log.open.missing:
        body = table.blank(seat)
        body.seal.commitment = table.sealed(seat, text)
        table.say(body)
    for seat in table.log.open.missing:
        table.say(table.owed(seat))


@pytest.mark.parametrize(
    ("stones", "stays"),
    [
        # The grey stone has three black neighbours, which nobody minded; a red one next to it breaks no rule.
        (("grey 0 0", "black 1 0", "black -1 0", "black 0 1", "red 0 -1"), True),
        # Two red ones lie side by side, which nobody minded; a black one next to them breaks no rule.
        (("red 0 0", "red 1 0", "black 0 1"), True),
        (("grey 0 0", "black 1 0", "black -1 0", "black 0 1"), False),
        (("red 0 0", "red 1 0"), False),
        # Four in a diagonal.
        (
            ("red 0 0", "grey 1 0", "red 1 1", "grey 2 1", "white 2 0", "red 2 2", "grey 3 2", "red 3 3"),
            False,
        ),
    ],
)
def test_what_breaks_a_laying_rule(stones: Sequence[str], stays: bool, tmp_path: Path) -> None:
    table = sit("stones", 2, ON)
    table.go_on(is_open("act"))
    for stone in stones:
        say_act(table, f"lay {stone}")
        say_choices(table, "object" if stone == stones[-1] else "agree")
    assert len(table.log.course.game.field) == len(stones) - (not stays)
    table.go_on()
    assert agreed(tmp_path / "stones.bct", table.entries)[1] == "clean"


class EachItsOwnCard(SecondProgram):
    """Of Edel, Stein & Reich: each always chooses another action card, and event cards are taken unseen."""

    def moves(self, seat: int) -> list[object]:
        moves = super().moves(seat)
        own = independent.Choose(independent.ACTION_CARDS[(seat + 1) % 4])
        return [move for move in moves if move in (own, independent.TakeEvent(True))] or moves


@pytest.mark.parametrize("seed", range(2))
def test_used_event_cards_come_again(seed: int, tmp_path: Path) -> None:
    table = EachItsOwnCard(independent, SEATS[:3], {}, random.Random(seed), "edel")
    table.go_on()
    acts = [said.body.act.action for round_ in table.log.rounds for said in round_.said.values()]
    assert 24 + acts.count("event face-down") > 39
    assert agreed(tmp_path / "game.bct", table.entries)[1] == "clean"


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("stones", 1, OFF),
        ("stones", 5, OFF),
        ("stones", 2, {}),
        ("stones", 2, {"penalties": "maybe"}),
        ("stones", 3, {**OFF, "private-hands": "on"}),
        ("edel", 2, {}),
        ("edel", 6, {}),
        ("edel", 3, OFF),
        ("edel", 3, {"private-hands": "on"}),
    ],
)
def test_terms_that_are_not_allowed(game: str, seats: int, options: dict[str, str], tmp_path: Path) -> None:
    table = sit(game, 5, options)
    body = table.owed(0)
    body.offer.terms.seats = seats
    assert agreed(tmp_path / "offer.bct", [table.signed(body)])[:2] == (2, "unreadable")


@larger
def test_files_of_a_larger_table(game: str, seats: int, options: dict[str, str], tmp_path: Path) -> None:
    table = sit(game, seats, options)
    table.go_on(is_open("seal", at_least=10))
    paths = []
    for seat in table.log.open.missing:
        paths.append(tmp_path / f"{seat}.bct")
        paths[-1].write_bytes(file_of([*table.entries, table.signed(table.owed(seat))]))
    answer = said_independently(*paths)
    assert said_by_bcnet(*paths) == answer
    assert {lack["kind"] for lack in answer[5]} == {"unseal"}
    twice = table.owed(table.log.open.missing[0])
    twice.seal.commitment = bytes(32)
    paths.append(tmp_path / "twice.bct")
    paths[-1].write_bytes(file_of([*table.entries, table.signed(twice)]))
    answer = said_independently(*paths)
    assert said_by_bcnet(*paths) == answer
    assert answer[:5] == (1, "cheated", twice.seat, table.log.open.number, "equivocation")


@pytest.mark.parametrize("mutation", MUTATIONS)
@pytest.mark.parametrize(("game", "seats", "options"), MUTATED)
def test_mutated_open_games(
    mutation: Callable[[random.Random, Sequence[bytes]], bytes],
    game: str,
    seats: int,
    options: dict[str, str],
    tmp_path: Path,
) -> None:
    chance = random.Random(mutation.__name__)
    table = sit(game, seats, options)
    table.go_on(is_open("act", at_least=20))
    some = list(table.entries)
    [seat] = table.log.open.awaited
    body = table.blank(seat)
    body.resign.CopyFrom(table.resign(seat))
    table.say(body)
    table.go_on()
    for number in range(6):
        path = tmp_path / f"{number}.bct"
        path.write_bytes(mutation(chance, some if number % 3 else table.entries))
        assert said_by_bcnet(path) == said_independently(path)
