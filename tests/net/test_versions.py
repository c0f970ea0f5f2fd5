"""What another version of bcnet has left on disk is refused with a line that says what to do, and never guessed at."""

from __future__ import annotations

from pathlib import Path

import pytest

from bcnet.errors import Exit
from tests.console.pairs import pair
from tests.meeting.test_evening import LATER
from tests.net.processes import Start, guest, host, resume
from tests.net.test_recovery import kill

pytestmark = pytest.mark.end_to_end


async def abandoned(folder: Path) -> Path:
    """A home with one table that was left in mid-game."""
    async with pair(folder) as two:
        await two.anns_turn()
        await two.ann.close()
    return folder / "ann"


def contents(folder: Path) -> dict[str, bytes]:
    """What stands in a table's folder; the lock names whoever had it last."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "lock"}


@pytest.mark.parametrize(("version", "hint"), [(0, "Use the older bcnet"), (2, "Use a newer bcnet")])
async def test_a_journal_of_another_format(version: int, hint: str, start: Start, tmp_path: Path) -> None:
    home = await abandoned(tmp_path)
    (journal,) = home.glob("tables/*/journal")
    data = journal.read_bytes().replace(b"bcnet journal 1\n", f"bcnet journal {version}\n".encode(), 1)
    journal.write_bytes(data)
    before = contents(journal.parent)
    table = journal.parent.name[:8]
    said = f"has format version {version}; this bcnet reads version 1"
    for words in (["resume"], ["close", table, "--yes"]):
        command = start(*words, home="ann")
        assert command.finish() == Exit.UNREADABLE
        assert said in command.complaint
        assert hint in command.complaint
        assert "Traceback" not in command.complaint
    listed = start("games", home="ann")
    assert listed.finish() == 0
    assert said in listed.output
    assert hint in listed.output
    assert contents(journal.parent) == before
    # The player decides what becomes of it; until then it stays.
    assert start("forget", table, "--yes", home="ann").finish() == 0
    assert not list(home.glob("tables/*"))


def test_a_game_of_another_protocol(start: Start, tmp_path: Path) -> None:
    """The journal's form is known, but not what stands in it."""
    ann = host(start, code=LATER)
    bob = guest(start, ann.address(), code=LATER)
    bob.wait_for(" lays ")
    kill(ann)
    kill(bob)
    (journal,) = tmp_path.glob("guest/tables/*/journal")
    before = journal.read_bytes()
    said = "An entry of protocol version 2; this bcnet speaks version 1."
    refused = resume(start, "guest")
    assert refused.finish() == Exit.UNREADABLE
    assert said in refused.complaint
    assert "Use a newer bcnet." in refused.complaint
    assert "--restore" not in refused.complaint  # no copy would help
    listed = start("games", home="guest")
    assert listed.finish() == 0
    assert said in listed.output
    closed = start("close", journal.parent.name[:8], "--yes", home="guest")
    assert closed.finish() == Exit.UNREADABLE
    assert said in closed.complaint
    assert journal.read_bytes() == before
    # With the version that wrote it, it goes on.
    ann = start("resume", "--bot", "random", home="host", code=LATER)
    bob = start("resume", "--bot", "random", home="guest", code=LATER)
    assert (bob.finish(), ann.finish()) == (0, 0)
