"""Many files at once: order, processes, interruption, folders, expected players, what the verifier must not load."""

from __future__ import annotations

import itertools
import json
import os
import pickle
import pty
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bcnet import cli, transcript
from bcnet.errors import Exit, StorageError
from bcnet.several import MANY, exit_code, verify_files
from bcnet.verify import Verdict, verify

TRANSCRIPTS = Path(__file__).resolve().parents[1] / "vectors" / "transcripts"
ADA, GRACE = "dpb7-t346-cywy-bafc", "7xe5-m4rj-3olm-lzii"
SMALL = sorted(TRANSCRIPTS.glob("clean-*.bct"), key=lambda path: path.stat().st_size)[:6] + sorted(
    TRANSCRIPTS.glob("unreadable-*.bct")
)
"""Files of different tables that are quickly verified, more than `MANY`."""


def run(*arguments: object) -> int:
    return cli._code([str(each) for each in arguments])


def bcnet(*arguments: object, **options: object) -> subprocess.Popen[str]:
    return subprocess.Popen(  # type: ignore[call-overload,no-any-return]
        [sys.executable, "-m", "bcnet", *map(str, arguments)],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **options,
    )


# --- order and processes ---


def test_several_processes_say_the_same_in_the_same_order() -> None:
    assert len(SMALL) > MANY
    paths = [*SMALL[::-1], *SMALL[:3]]
    done: list[int] = []
    alone = list(verify_files(paths))
    spread = list(verify_files(paths, jobs=2, progress=done.append))
    assert spread == alone
    assert [group.files[0] for group in alone] == SMALL[::-1]
    assert sum(done) == len(paths)


def test_a_file_that_stands_alone_keeps_its_place(tmp_path: Path) -> None:
    """It begins like a file of its table, but is unreadable further on."""
    whole = TRANSCRIPTS / "clean-resigned-at-once.bct"
    damaged, copy = tmp_path / "damaged.bct", tmp_path / "copy.bct"
    damaged.write_bytes(whole.read_bytes()[:-1])
    shutil.copy(whole, copy)
    other = TRANSCRIPTS / "clean-cut-off.bct"
    for order in itertools.permutations([damaged, copy, other, whole]):
        groups = list(verify_files(order))
        firsts = [order.index(group.files[0]) for group in groups]
        assert firsts == sorted(firsts)
        by_file = {path: group.report.verdict for group in groups for path in group.files}
        assert by_file[damaged] is Verdict.UNREADABLE
        assert by_file[copy] is by_file[whole] is Verdict.CLEAN


def test_a_file_that_is_missing_is_said_before_any_verdict(tmp_path: Path) -> None:
    for jobs in (1, 2):
        with pytest.raises(StorageError):
            next(verify_files([*SMALL, tmp_path / "nothing.bct"], jobs=jobs))


def test_errors_come_whole_from_another_process() -> None:
    error = StorageError("{path} {odd}", hint="Look at {path}.", path=Path("/a{b}"), odd="{}")
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.message, again.hint) == (StorageError, error.message, error.hint)


def children(process: int) -> set[int]:
    """All processes of the session that ``process`` leads."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == process and fields[0] != "Z":
            found.add(int(path.parent.name))
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks into /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_interrupted_it_is_gone_with_all_its_processes(number: signal.Signals, tmp_path: Path) -> None:
    """As a terminal does it, which signals all of them at once; and as somebody who kills the first one alone."""
    heavy = sorted(TRANSCRIPTS.glob("incomplete-*.bct")) + sorted(TRANSCRIPTS.glob("cheated-[a-p]*.bct"))
    errors = tmp_path / "errors"
    with errors.open("w") as file, bcnet("verify", "-q", "-j", 2, *heavy, stderr=file) as process:
        assert process.stdout is not None
        process.stdout.readline()  # at work
        assert len(children(process.pid)) >= 3
        if number is signal.SIGINT:
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)
        code = process.wait(timeout=30)
    assert code == (130 if number is signal.SIGINT else -number)
    deadline = time.monotonic() + 20
    while children(process.pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert children(process.pid) == set()
    assert "Traceback" not in errors.read_text()


# --- progress ---


def test_progress_is_for_a_terminal_alone() -> None:
    ours, theirs = pty.openpty()
    process = bcnet("verify", "-q", *SMALL[:3], stderr=theirs)
    os.close(theirs)
    out = process.communicate(timeout=50)[0]
    shown = b""
    try:
        while piece := os.read(ours, 4096):
            shown += piece
    except OSError:  # the terminal is gone
        pass
    os.close(ours)
    assert re.search(rb"0 of 3 files.*1 of 3 files.*3 of 3 files", shown)
    assert shown.endswith(b"\r\x1b[K")
    assert len(out.splitlines()) == 3
    quiet = bcnet("verify", "-q", *SMALL[:3], stderr=subprocess.PIPE)
    assert quiet.communicate(timeout=50) == (out, "")


# --- folders ---


def test_a_folder_means_the_transcripts_in_it_and_below(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("b/one.bct", "a/deep/two.bct", "zero.bct", "a/readme.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(TRANSCRIPTS / "clean-resigned-at-once.bct", tmp_path / name)
    assert run("verify", "-q", tmp_path) == 0
    files = ", ".join(str(tmp_path / name) for name in ("a/deep/two.bct", "b/one.bct", "zero.bct"))
    assert capsys.readouterr().out == f"clean: {files}\n"


# --- who was expected ---


def test_expected_players(capsys: pytest.CaptureFixture[str]) -> None:
    path = TRANSCRIPTS / "clean-resigned-at-once.bct"
    assert run("verify", path, "--expect-identity", f"0={ADA}", "--expect-identity", f"1={GRACE}") == 0
    assert "Whose keys these are" not in capsys.readouterr().out
    assert (
        run("verify", "--json", path, "--expect-identity", f"0={GRACE}", "--expect-identity", f"2={ADA}") == 4
    )
    (table,) = json.loads(capsys.readouterr().out)["tables"]
    assert table["verdict"] == "clean"
    assert table["strangers"] == [
        {"seat": 0, "expected": GRACE, "found": ADA},
        {"seat": 2, "expected": ADA, "found": None},
    ]
    assert run("verify", "-q", path, "--expect-identity", f"1={ADA}") == 4
    assert capsys.readouterr().out == f"other players: {path}\n"


def test_a_cheat_of_strangers_is_nothing_against_who_was_expected(capsys: pytest.CaptureFixture[str]) -> None:
    path = TRANSCRIPTS / "cheated-chain-entry-after.bct"
    assert run("verify", path) == 1
    assert run("verify", path, "--expect-identity", f"0={ADA}") == 1
    assert run("verify", path, "--expect-identity", f"0={GRACE}") == Exit.OTHER_PLAYERS
    assert run("verify", TRANSCRIPTS / "unreadable-entry-of-seat-2.bct", "--expect-identity", f"0={ADA}") == 2
    assert exit_code([(Verdict.CHEATED, False), (Verdict.CLEAN, True)]) is Exit.OTHER_PLAYERS
    assert exit_code([(Verdict.CLEAN, False), (Verdict.INCOMPLETE, False)]) is Exit.INCOMPLETE


@pytest.mark.parametrize(
    "words", [ADA, f"x={ADA}", "0=dpb7", f"-1={ADA}", f"0={ADA[:-1]}1", f"0={ADA},1={GRACE}"]
)
def test_what_names_no_seat_and_key(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("verify", SMALL[0], "--expect-identity", words) == Exit.USAGE
    assert "SEAT=KEY" in capsys.readouterr().err


def test_one_seat_with_two_keys(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--expect-identity", f"0={ADA}", "--expect-identity", f"0={GRACE}"]
    assert run("verify", SMALL[0], *words) == Exit.USAGE
    assert "two keys" in capsys.readouterr().err


# --- proofs ---


def test_all_proofs_run_again_where_they_need_not() -> None:
    entries = transcript.read(TRANSCRIPTS / "clean-resigned-on-turn.bct")
    assert not verify(entries).proofs_checked
    report = verify(entries, proofs=True)
    assert report.verdict is Verdict.CLEAN
    assert report.proofs_checked
    assert report.unchecked == ()


def test_a_false_proof_of_something_true_is_told_and_convicts_nobody(
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = TRANSCRIPTS / "clean-false-proof-audited.bct"
    assert run("verify", "--json", "--proofs", path) == 0
    (table,) = json.loads(capsys.readouterr().out)["tables"]
    assert table["fault"] is None
    assert (table["false_proof"]["seat"], table["false_proof"]["round"]) == (0, 7)
    assert not table["proofs_checked"]
    assert {each["what"] for each in table["unchecked"]} == {"proofs", "identities"}


# --- where things stand ---


@pytest.mark.parametrize("name", ["cheated-audit-unmask", "cheated-opening-other-card"])
def test_where_the_evidence_stands(name: str) -> None:
    path = TRANSCRIPTS / f"{name}.bct"
    (group,) = verify_files([path])
    fault = group.as_json()["fault"]
    file = path.read_bytes()
    assert len(fault["places"]) == len(fault["evidence"])
    for place, data in zip(fault["places"], fault["evidence"], strict=True):
        assert place["file"] == str(path)
        assert file[place["byte"] : place["byte"] + place["size"]].hex() == data
        assert transcript.read(path)[place["entry"] - 1].hex() == data


def test_where_an_unreadable_file_ends(tmp_path: Path) -> None:
    entries = transcript.read(TRANSCRIPTS / "clean-resigned-at-once.bct")
    path = tmp_path / "it.bct"
    transcript.write(path, [*entries, entries[3]])
    (group,) = verify_files([path])
    data = group.as_json()
    assert (data["verdict"], data["entry"]) == ("unreadable", len(entries) + 1)
    assert path.read_bytes()[data["byte"] :] == entries[3]
    cut = tmp_path / "cut.bct"
    cut.write_bytes(path.read_bytes()[:300])
    data = next(verify_files([cut])).as_json()
    assert (data["verdict"], data["byte"]) == ("unreadable", 300)
    assert data["entry"] == 2
    cut.write_bytes(b"GIF89a")
    data = next(verify_files([cut])).as_json()
    assert (data["verdict"], data["byte"], data["entry"]) == ("unreadable", 0, None)


# --- independence ---


@pytest.mark.parametrize("how", ["library", "command"])
def test_the_verifier_loads_nothing_of_what_plays(how: str) -> None:
    """Neither session nor journal, neither side of the network: what made a log has no say in what it proves."""
    path = TRANSCRIPTS / "clean-resigned-at-once.bct"
    program = {
        "library": "from bcnet.several import *; list(verify_files([Path(sys.argv[1])], asked=Asked(story=True)))",
        "command": "from bcnet import cli; assert cli._code(['verify', '--explain', sys.argv[1]]) == 0",
    }[how]
    names = "print(); print('LOADED', *sys.modules)"
    found = subprocess.run(
        [sys.executable, "-c", f"import sys; from pathlib import Path; {program}; {names}", str(path)],
        capture_output=True,
        text=True,
        check=True,
        timeout=50,
    )
    loaded = set(found.stdout.rpartition("LOADED ")[2].split())
    assert "bcnet.verify" in loaded
    plays = re.compile(
        r"bcnet\.(session|journal|home|hello|invite|table\.(player|seat))|bcnet_(client|host)|grpc"
    )
    assert not {name for name in loaded if plays.match(name)}
