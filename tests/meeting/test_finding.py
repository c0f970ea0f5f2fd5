"""What the list of tables says of each, and what the doctor finds."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bcnet.cli import asking
from bcnet.cli import table as sitting
from bcnet.cli.evening import Person, Self
from bcnet.cli.running import Deadline
from bcnet.cli.table import Joining
from bcnet.errors import Exit
from bcnet.hashing import PROTOCOL_VERSION
from bcnet.home import Home
from bcnet.players import Known
from bcnet.signing import Identity
from bcnet_client.address import Address
from bcnet_client.console import tables
from bcnet_client.console.tables import Chooser, as_text, remark, rows
from bcnet_client.console.text import plain, width
from bcnet_client.discovery import Browser, Found, Notice
from bcnet_client.look import Look
from bcnet_host.addresses import Kind, Reachable
from bcnet_host.doctor import Diagnosis, Weight, examine, seen_firewall

ANNA, BEN = Identity(b"a" * 32), Identity(b"b" * 32)
NOW = datetime(2026, 3, 1, tzinfo=UTC)
KNOWN = [Known(ANNA.public, ("Anna", "Annie"), NOW, NOW)]


def found(name: str, key: str, number: int = 1, protocol: int = PROTOCOL_VERSION) -> Found:
    return Found(Notice(name, key, protocol), (Address(f"192.168.1.{number}", 4680),), f"table-{number}")


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (found("Anna", ANNA.fingerprint), "you know each other"),
        (found("ANNIE", ANNA.fingerprint), "you know each other"),
        (found("Bella", ANNA.fingerprint), "you know this key as Anna"),
        (found("anna", BEN.fingerprint), "NOT the key of the anna you know"),
        (found("Ben", BEN.fingerprint), ""),
        (found("Anna", ANNA.fingerprint, protocol=99), "another version (protocol 99)"),
    ],
)
def test_known_players_are_marked_and_impostors_too(table: Found, said: str) -> None:
    assert remark(table, KNOWN) == said


def browser(*listed: Found) -> Browser:
    made = Browser()
    made.tables = listed
    return made


def test_the_list_keeps_to_its_room_and_shows_what_is_chosen() -> None:
    many = browser(*(found(f"Player {number:02}", BEN.fingerprint, number) for number in range(40)))
    for number in (0, 17, 39):
        lines = rows(many, KNOWN, f"table-{number}", 60, 10)
        assert len(lines) == 11
        assert all(width(line) == 60 for line in lines)
        (chosen,) = [plain(line) for line in lines if plain(line).startswith(tables.CHOSEN)]
        assert f"Player {number:02}" in chosen
    assert len(as_text(many, KNOWN)) == 40


def test_arrows_move_and_a_table_that_is_gone_is_not_chosen() -> None:
    here = browser(*(found("Ann", BEN.fingerprint, number) for number in range(3)))
    chooser = Chooser(here, lambda: KNOWN)
    assert chooser.table() == here.tables[0]
    for step, at in ((1, 1), (1, 2), (1, 2), (-1, 1)):
        chooser.move(step)
        assert chooser.table() == here.tables[at]
    here.tables = (here.tables[0], here.tables[2])
    assert chooser.table() == here.tables[0]
    here.tables = ()
    chooser.move(1)
    assert chooser.table() is None


def test_an_empty_list_says_what_else_there_is() -> None:
    nothing = browser()
    nothing.trouble = "No such device"
    nothing.is_crowded = True
    text = " ".join(plain(line).strip() for line in rows(nothing, [], "", 70, 10))
    for part in ("Looking for tables", "type the line that the host shows", "No such device", "flooding"):
        assert part in text


# --- the doctor ---


def said(diagnosis: Diagnosis, weight: Weight) -> str:
    return " ".join(
        f"{finding.text} {finding.advice}" for finding in diagnosis.findings if finding.weight is weight
    )


async def examined(*ways: Reachable, firewall: str = "") -> Diagnosis:
    return await examine(
        Address("", 0), ANNA, addresses=lambda: list(ways), firewall=lambda: firewall, multicast=False
    )


async def test_all_is_well() -> None:
    diagnosis = await examined(Reachable("127.0.0.1", "eth0", Kind.LAN))  # stands for an address of the LAN
    assert diagnosis.is_well
    assert [way.host for way in diagnosis.ways] == ["127.0.0.1"]
    assert not said(diagnosis, Weight.BAD)
    assert "No firewall is seen" in said(diagnosis, Weight.NOTE)


async def test_only_this_machine() -> None:
    diagnosis = await examined(Reachable("127.0.0.1", "lo", Kind.LOOPBACK))
    assert not diagnosis.is_well
    assert "Nobody but this machine" in said(diagnosis, Weight.BAD)


async def test_an_address_that_is_not_reached_even_from_here() -> None:
    diagnosis = await examined(
        Reachable("127.0.0.1", "eth0", Kind.LAN), Reachable("nobody.invalid", "tun0", Kind.VPN)
    )
    assert diagnosis.is_well
    assert "nobody.invalid" in said(diagnosis, Weight.BAD)
    assert "cannot be reached, even from here" in said(diagnosis, Weight.BAD)


async def test_a_firewall_is_named_with_the_port() -> None:
    diagnosis = await examined(Reachable("127.0.0.1", "eth0", Kind.LAN), firewall="ufw")
    assert "A firewall is at work here (ufw)" in said(diagnosis, Weight.NOTE)
    assert f"TCP port {diagnosis.ways[0].port}" in said(diagnosis, Weight.NOTE)


async def test_no_route_to_a_friend() -> None:
    diagnosis = await examined(Reachable("127.0.0.1", "docker0", Kind.VIRTUAL))
    assert "no address of a local network or a VPN" in said(diagnosis, Weight.NOTE)


def test_firewalls_that_show_themselves(tmp_path: Path) -> None:
    assert not seen_firewall(tmp_path)
    (tmp_path / "etc/ufw").mkdir(parents=True)
    (tmp_path / "etc/ufw/ufw.conf").write_text("# ENABLED=yes\nENABLED=no\n")
    assert not seen_firewall(tmp_path)
    (tmp_path / "etc/ufw/ufw.conf").write_text("ENABLED=yes\n")
    assert seen_firewall(tmp_path) == "ufw"
    (tmp_path / "etc/ufw/ufw.conf").unlink()
    (tmp_path / "run/firewalld").mkdir(parents=True)
    assert seen_firewall(tmp_path) == "firewalld"


# --- without a screen: by number ---


@pytest.mark.parametrize(
    ("answer", "chosen"), [("2", 1), ("1", 0), ("", None), ("3", None), ("0", None), ("x", None), ("²", None)]
)
async def test_a_table_is_chosen_by_its_number(
    answer: str,
    chosen: int | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    home = Home(tmp_path)
    us = Self(home, home.identity(), "Ben")
    listed = (found("Anna", ANNA.fingerprint, 1), found("Bea", BEN.fingerprint, 2))
    joined: list[Joining] = []

    async def answered(_question: str) -> str:
        return answer

    async def join_table(_us: Self, joining: Joining, *_: object) -> Exit:
        joined.append(joining)
        return Exit.OK

    class Looked(Browser):
        async def __aenter__(self) -> Any:
            self.tables = listed
            return self

        async def close(self) -> None:
            return

    monkeypatch.setattr(asking, "line", answered)
    monkeypatch.setattr(asking, "is_possible", lambda: True)
    monkeypatch.setattr(sitting, "Browser", Looked)
    monkeypatch.setattr(sitting, "LOOK_TIME", 0)
    monkeypatch.setattr(sitting, "join_table", join_table)
    assert await sitting.choose_table(us, Person(Look(plain=True)), Deadline()) is Exit.OK
    out = capsys.readouterr().out
    assert [line.split()[:2] for line in out.splitlines()[1:3]] == [["1", "Anna"], ["2", "Bea"]]
    assert [each.addresses for each in joined] == ([] if chosen is None else [listed[chosen].addresses])
