"""What a typed line does at a running table."""

from __future__ import annotations

import asyncio
import errno
import re
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path
from types import SimpleNamespace

import pytest

from bcnet.errors import Exit, StorageError
from bcnet.files import storage_error
from bcnet.games.balloon_cup.events import TileScored
from bcnet.games.balloon_cup.notation import write_card
from bcnet.replay import play_back
from bcnet.updates import LineDown, LineUp, Said, Trouble
from bcnet.verify import Verdict, examine_file
from bcnet.wire.v1 import table_pb2 as pb
from bcnet_client.console import desk as desks
from bcnet_client.console import view, words
from bcnet_client.console.balloon_cup.picked import Laying
from bcnet_client.console.desk import Desk
from bcnet_client.console.face import Frame, Key
from bcnet_client.console.lines import Lines
from bcnet_client.console.scene import TALK, Scene, Stage, changed
from bcnet_client.console.text import typeable
from bcnet_client.console.view import Pane
from bcnet_client.look import Look
from tests.console.pairs import Pair, pair


def has_left(desk: Desk) -> bool:
    return desk.left is not None


def seen(desk: Desk) -> Pane:
    return desk.pane


async def test_from_waiting_to_the_verdict(tmp_path: Path) -> None:
    async with pair(tmp_path) as table:
        desk = table.desk
        stages = [desk.scene.stage]
        await table.anns_turn()
        stages.append(desk.scene.stage)
        assert stages == [Stage.WAITING, Stage.PLAYING]
        moves = 0
        while not desk.scene.ended:
            if desk.scene.asked:
                await table.enter(table.first_move() if table.first_move() != "exchange" else "none")
                moves += 1
            else:
                await table.bob_acts()
        assert moves > 5
        assert not has_left(desk)
        desk.enter("moves")
        assert "nothing to choose now" in view.as_text(
            view.page(desk.pane.page, desk.scene, desk.face, 80)[1]
        )
        desk.enter("")
        assert desk.left is Exit.OK
        assert "the audit of all seeds agrees" in " ".join(desk.farewell)
        assert str(table.ann.ended.path if table.ann.ended else None) in " ".join(desk.farewell)


async def test_a_refused_line_changes_nothing(tmp_path: Path) -> None:
    async with pair(tmp_path) as table:
        await table.anns_turn()
        before = table.ann.snapshot
        for text in ("zzz", "play", "r1 9", "exchange", "99", "help zzz"):
            assert await table.enter(text)
            assert table.desk.pane.is_error
        assert table.ann.snapshot == before
        await table.enter(table.first_move())
        assert table.desk.pane.answer == ""


async def test_out_of_turn(tmp_path: Path) -> None:
    async with pair(tmp_path) as table:
        table.desk.enter("1")
        assert table.desk.pane.answer == "I do not know what 1 means. Type help to see what you can do."
        table.desk.enter("play r1 1 me")
        assert table.desk.pane.answer == "The game has not begun yet."
        await table.bobs_turn()
        assert (await table.enter("1")).startswith("It is not your turn: Bob to move.")


async def test_pages_open_and_close(tmp_path: Path) -> None:
    async with pair(tmp_path) as table:
        desk = table.desk
        desk.enter("score")
        assert desk.pane.answer == "The game has not begun yet."
        await table.anns_turn()
        pages = {
            "moves": view.MOVES, "hand": view.HAND, "score": view.SCORE, "story": view.STORY, "log": view.STORY,
            "keys": view.KEYS, "help": view.HELP, "?": view.HELP, "rules": "rules", "notation": "notation",
            "help rules": "rules", "help quit": view.HELP, "help play": view.HELP, "RULES": "rules",
        }  # fmt: skip
        for text, name in pages.items():
            desk.enter(text)
            assert desk.pane.page == name
            desk.turn_pages(5, most=3)
            assert desk.pane.scroll == (0 if name == view.STORY else 3)
            desk.enter("")
            assert (desk.pane.page, desk.pane.scroll) == ("", 0)
        desk.enter("rules")
        await table.enter(table.first_move())
        assert desk.pane.page == ""


async def test_a_page_stays_open_while_the_game_goes_on(tmp_path: Path) -> None:
    async with pair(tmp_path) as table:
        await table.bobs_turn()
        table.desk.enter("rules")
        await table.anns_turn()
        assert table.desk.pane.page == "rules"


@pytest.mark.parametrize("word", ["quit", "exit", "bye", "QUIT"])
async def test_quitting_asks_in_mid_game(tmp_path: Path, word: str) -> None:
    async with pair(tmp_path) as table:
        desk = table.desk
        await table.anns_turn()
        desk.enter(word)
        assert "Bob will be told" in desk.pane.ask
        desk.enter("well")
        assert not has_left(desk)
        assert desk.pane.answer == "Please answer pause, resign or no."
        desk.enter("no")
        assert (desk.pane.ask, desk.pane.answer) == ("", "The game goes on.")
        desk.enter(word)
        desk.escape()
        assert not desk.pane.ask
        assert not has_left(desk)
        desk.enter(word)
        desk.enter("pause")
        assert desk.left is Exit.INCOMPLETE
        assert desk.farewell == ["You have left the table."]


async def test_asked_twice_to_quit_it_quits(tmp_path: Path) -> None:
    async with pair(tmp_path) as table:
        await table.anns_turn()
        table.desk.ask_to_quit()
        assert table.desk.left is None
        table.desk.ask_to_quit()
        assert table.desk.left is Exit.INCOMPLETE


async def test_quitting_before_the_game_does_not_ask(tmp_path: Path) -> None:
    async with pair(tmp_path) as table:
        table.desk.enter("quit")
        assert table.desk.left is Exit.INCOMPLETE
        assert table.desk.farewell == ["You have left the table; nobody had sat down."]


async def test_resigning_asks(tmp_path: Path) -> None:
    async with pair(tmp_path) as table:
        desk = table.desk
        desk.enter("resign")
        assert desk.pane.answer == "The game has not begun yet."
        await table.anns_turn()
        desk.enter("resign")
        assert desk.pane.ask == "Really resign? Then Bob has won."
        desk.enter("n")
        assert not desk.pane.ask
        desk.enter("resign")
        desk.enter("yes")
        await table.until(lambda: desk.scene.ended)
        assert view.summary(desk.scene, desk.face)[0] == "Bob won. You resigned."
        desk.enter("resign")
        assert desk.pane.answer == "The game is over."


async def test_resigning_in_the_others_turn(tmp_path: Path) -> None:
    async with pair(tmp_path) as table:
        await table.bobs_turn()
        table.desk.enter("resign")
        table.desk.enter("yes")
        await table.until(lambda: table.desk.scene.ended)
        assert table.desk.scene.ended
        assert table.desk.scene.ended.result
        assert table.desk.scene.ended.result.winners == (1,)


async def test_nobody_is_asked_to_resign_twice(tmp_path: Path) -> None:
    async with pair(tmp_path) as table:
        await table.anns_turn()
        desk = table.desk
        desk.scene = replace(desk.scene, left=frozenset({desk.scene.seat}))
        desk.enter("resign")
        assert desk.pane.answer == "You have resigned; the others go on."
        assert desk.prompt == "> "
        desk.enter("yes")
        assert desk.pane.answer.startswith("I do not know what yes means.")


async def test_the_other_is_gone(tmp_path: Path) -> None:
    async with pair(tmp_path) as table:
        await table.anns_turn()
        await table.bob.close(pb.REASON_LEAVING)
        await table.until(lambda: table.desk.scene.lost)
        assert view.troubles(table.desk.scene)[0] == "The line is down: the other player has left."
        assert str(table.ann.folder) in view.troubles(table.desk.scene)[1]
        table.desk.ask_to_quit()
        assert table.desk.left is Exit.INCOMPLETE
        assert table.desk.farewell == ["The game is unfinished: the other player has left."]


async def test_a_second_decision_while_the_first_is_on_its_way(tmp_path: Path) -> None:
    async with pair(tmp_path) as table:
        await table.anns_turn()
        first = table.first_move()
        table.desk.enter(first)
        assert table.desk.pane.sending
        table.desk.enter(first)
        assert table.desk.pane.answer == "Your last decision is still on its way."


async def test_trouble_with_the_disk_comes_and_goes(tmp_path: Path) -> None:
    async with pair(tmp_path) as table:
        await table.anns_turn()
        table.desk.take(Trouble(StorageError("The disk is full.", hint="Make room.")))
        assert view.troubles(table.desk.scene) == [
            "The disk is full. The game waits and tries again. Make room."
        ]
        assert status(table.desk) == " The game waits for the disk. Type quit to pause it."
        table.desk.take(Trouble(None))
        assert not view.troubles(table.desk.scene)
        assert status(table.desk).startswith(" Your turn")


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_that_the_game_tries_again_is_said_once(number: int) -> None:
    told = view.trouble_in_words(storage_error("write the journal", Path("journal"), OSError(number, "")))
    assert re.findall(r"\b(?:try|tries) again\b", told) == ["tries again"]


@pytest.mark.parametrize("typed", ["nonsense", "resign", "quit", "play r14 1 me"])
async def test_nothing_from_before_stands_on_the_end(typed: str, tmp_path: Path) -> None:
    """Neither an answer to what was typed nor a question that nobody has to answer any more."""
    async with pair(tmp_path) as table:
        await table.bobs_turn()
        await table.enter(typed)
        assert table.desk.pane.answer or table.desk.pane.ask
        await table.bob.resign()
        await table.until(lambda: table.desk.scene.ended)
        assert (table.desk.pane.answer, table.desk.pane.ask) == ("", "")
        assert table.desk.prompt == "> "
        table.desk.enter("")
        assert table.desk.left is Exit.OK


async def test_the_line_comes_back_with_the_others_move(tmp_path: Path) -> None:
    async with pair(tmp_path) as table:
        await table.bobs_turn()
        table.desk.take(LineDown(frozenset({1}), pb.REASON_UNSPECIFIED))
        assert table.desk.scene.lost
        view_of_bob = table.bob.snapshot.view
        assert view_of_bob is not None
        await table.bob.act(view_of_bob.legal_actions(1)[0])
        await asyncio.wait_for(table.desk.next_update(), 10)
        assert table.desk.scene.lost is None


async def test_a_cut_line_is_told_and_comes_back(tmp_path: Path) -> None:
    async with pair(tmp_path) as table:
        await table.bobs_turn()
        desk = table.desk
        desk.take(LineDown(frozenset({1}), pb.REASON_UNSPECIFIED, None, "Nobody answers there."))
        told = view.troubles(desk.scene)
        assert told[0] == "The line is down. Nobody answers there."
        assert "The seat of Bob is kept" in told[1]
        desk.take(LineDown(frozenset({1}), pb.REASON_PAUSED))
        assert view.troubles(desk.scene)[0] == "The line is down: the other player has paused the game."
        desk.take(LineUp(frozenset({1}), same_log=True))
        assert not view.troubles(desk.scene)


@pytest.mark.parametrize("same_log", [True, False])
async def test_lines_say_that_all_have_the_same_where_that_is_known(
    same_log: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with pair(tmp_path) as table:
        await table.bobs_turn()
        capsys.readouterr()
        Lines(table.desk, Look(), ascii_only=False)._tell(LineUp(frozenset({1}), same_log=same_log))
        told = capsys.readouterr().out.strip()
    assert told == "The line is up again" + ("; all sides have the same game." if same_log else ".")


async def test_leaving_by_resigning(tmp_path: Path) -> None:
    async with pair(tmp_path) as table:
        await table.anns_turn()
        table.desk.enter("quit")
        table.desk.enter("resign")
        await table.until(lambda: table.desk.scene.ended)
        assert table.desk.scene.ended
        assert table.desk.scene.ended.result
        assert table.desk.scene.ended.result.winners == (1,)


async def test_another_game(tmp_path: Path) -> None:
    async with pair(tmp_path) as table:
        table.ann.keeps_lines = table.bob.keeps_lines = True
        table.desk.scene = replace(table.desk.scene, can_play_again=True)
        await table.anns_turn()
        assert await table.enter("again") == "Another game can be asked for when this one has ended."
        await table.bob.resign()
        await table.until(lambda: table.desk.scene.ended)
        assert "again for another game" in status(table.desk)
        await table.until(table.ann.delivered.is_set)
        table.desk.enter("again")
        assert "waiting for Bob" in status(table.desk)
        assert table.desk.left is None
        table.bob.another()
        await table.until(lambda: has_left(table.desk))
        assert table.ann.plays_on
        assert table.desk.left is Exit.OK


async def test_another_game_that_the_other_wants(tmp_path: Path) -> None:
    async with pair(tmp_path) as table:
        table.ann.keeps_lines = table.bob.keeps_lines = True
        table.desk.scene = replace(table.desk.scene, can_play_again=True)
        await table.anns_turn()
        await table.bob.resign()
        await table.until(lambda: table.desk.scene.ended and table.bob.ended)
        table.bob.another()
        await table.until(lambda: table.desk.scene.again_offered)
        for columns in (80, 60):
            lines = shown(table.desk, Frame(columns, 20)).split("\n")
            told = " ".join(line.strip() for line in lines)
            assert "Bob would like another game: type again, or press Enter to leave." in told
        await table.bob.close()
        await table.until(lambda: table.desk.scene.gone)
        gone = "Bob has left; there is no other game here."
        assert shown(table.desk, Frame(80, 20)).count(gone) == 1
        table.desk.enter("again")
        assert table.desk.pane.answer == gone
        assert shown(table.desk, Frame(80, 20)).count(gone) == 1
        table.desk.enter("")
        assert table.desk.left is Exit.OK


async def test_another_game_can_be_asked_for_while_the_line_is_down(tmp_path: Path) -> None:
    async with pair(tmp_path) as table:
        table.ann.keeps_lines = table.bob.keeps_lines = True
        table.desk.scene = replace(table.desk.scene, can_play_again=True)
        await table.anns_turn()
        await table.bob.resign()
        await table.until(lambda: table.desk.scene.ended and table.bob.ended)
        table.desk.take(LineDown(frozenset({1}), pb.REASON_UNSPECIFIED))
        assert "The line to Bob is down; another game can begin when it is back." in status(table.desk)
        table.desk.enter("again")
        assert table.desk.pane.answer == ""
        assert "The line to Bob is down" in status(table.desk)
        table.desk.take(LineUp(frozenset({1}), same_log=True))
        assert "Another game: waiting for Bob" in status(table.desk)


def status(desk: Desk) -> str:
    return view.as_text(view.status(desk.scene, desk.pane, desk.face, 80))


async def test_what_else_is_told_stays_until_the_next_line(tmp_path: Path) -> None:
    async with pair(tmp_path) as table:
        await table.bobs_turn()
        table.desk.hear("Somebody was turned away.")
        await table.anns_turn()
        text = view.as_text(view.render(table.desk.scene, table.desk.pane, table.desk.face, Frame(80, 24)))
        assert "Somebody was turned away." in text
        table.desk.enter("")
        assert table.desk.pane.heard == ""


async def test_completion_offers_what_can_be_typed_now(tmp_path: Path) -> None:
    async with pair(tmp_path) as table:
        desk = table.desk

        def offered(text: str) -> list[str]:
            return [candidate.text for candidate in desk.complete(text)]

        assert "quit" in offered("")
        await table.anns_turn()
        assert "rules" in offered("ru")
        assert offered("help n") == ["notation"]
        assert len(offered("")) == len(set(offered("")))
        assert desk.complete("")[0].text in {move.split()[1] for move in [table.first_move()]}
        desk.enter("quit")
        assert offered("") == ["pause", "resign", "no"]
        assert offered("p") == ["pause"]


async def advised(table: Pair) -> str:
    """Ann asks for a hint; gives it."""
    table.desk.enter("hint")
    assert table.desk.pane.answer == words.THINKING
    await table.until(lambda: not table.desk.is_thinking)
    assert not table.desk.pane.is_error
    return table.desk.pane.answer


async def test_a_hint_can_be_played_as_it_is_written(tmp_path: Path) -> None:
    async with pair(tmp_path) as table:
        await table.anns_turn()
        hint = await advised(table)
        found = re.fullmatch(r"Hint: (\w+ \d (?:me|them))\. [A-Z].* \(about \d+% to win\)\.", hint)
        assert found, hint
        await table.enter(found[1])
        assert not table.desk.pane.is_error
        assert not table.desk.scene.asked


async def test_there_is_a_hint_on_the_own_turn_alone(tmp_path: Path) -> None:
    async with pair(tmp_path) as table:
        table.desk.enter("hint")
        assert table.desk.pane.answer == words.NOT_BEGUN
        await table.bobs_turn()
        assert await table.enter("hint") == (
            "It is not your turn: Bob to move. Ask for a hint when the table asks you."
        )
        assert not table.desk.is_thinking


async def test_the_line_is_served_while_a_hint_is_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search is ended by the decision, and what it would have said comes no more."""
    async with pair(tmp_path) as table:
        await table.anns_turn()
        began, ended = threading.Event(), threading.Event()

        def advice(_scene: Scene, clock: Callable[[], float]) -> str:
            began.set()
            while clock() < inf:
                time.sleep(0.002)
            ended.set()
            return "too late"

        monkeypatch.setattr(table.desk.face, "advice", advice)
        table.desk.enter("hint")
        await table.until(began.is_set)
        table.desk.enter("hint")  # is looked for already
        table.desk.enter("hand")
        assert table.desk.pane.page == view.HAND
        await table.enter(table.first_move())
        await table.bobs_turn()
        await table.until(ended.is_set)
        assert "too late" not in table.desk.pane.answer
        assert not table.desk.is_thinking


async def test_whoever_leaves_does_not_wait_for_a_hint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with pair(tmp_path) as table:
        await table.anns_turn()
        ended = threading.Event()

        def advice(_scene: Scene, clock: Callable[[], float]) -> str:
            while clock() < inf:
                time.sleep(0.002)
            ended.set()
            return ""

        monkeypatch.setattr(table.desk.face, "advice", advice)
        table.desk.enter("hint")
        table.desk.leave()
        await table.until(ended.is_set)


async def test_advice_that_fails_leaves_the_table_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with pair(tmp_path) as table:
        await table.anns_turn()
        monkeypatch.setattr(table.desk.face, "advice", lambda *_: 1 / 0)
        table.desk.enter("hint")
        await table.until(lambda: not table.desk.is_thinking)
        assert table.desk.pane.answer == ""
        assert table.desk.is_asked


# --- chat, and whom the table waits for ---


def shown(desk: Desk, frame: Frame) -> str:
    return view.as_text(view.render(desk.scene, desk.pane, desk.face, frame))


WIDE = Frame(80, 24)


def has_appeared(desk: Desk, text: str) -> bool:
    return text in shown(desk, WIDE)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f468\U0001f469\U0001f467"),
        ("\u2764\ufe0f", "\u2764"),
        ("\U0001f1f3\U0001f1f1!", "NL!"),
        ("\U0001f44d\U0001f3fd", "\U0001f44d"),
        ("1\t2\n3 ", "1 2 3 "),
        ("\x1b\x07\u2029", ""),
        ("Zo\u00eb \u5f20", "Zo\u00eb \u5f20"),
    ],
)
def test_a_line_that_is_typed_is_as_wide_as_it_is_counted(text: str, line: str) -> None:
    assert typeable(text) == line


@pytest.mark.parametrize("line", ["say Good luck!", "'Good luck!", "/say Good luck!", "SAY  Good luck!\x1b"])
async def test_saying_something(tmp_path: Path, line: str) -> None:
    async with pair(tmp_path) as table:
        await table.anns_turn()
        before = table.ann.snapshot
        assert not await table.enter(line)
        await table.until(lambda: "You: Good luck!" in shown(table.desk, WIDE))
        assert table.ann.snapshot == before


@pytest.mark.parametrize("line", ["say", "say   ", "'", "say \u202e\u200b"])
async def test_saying_nothing(tmp_path: Path, line: str) -> None:
    async with pair(tmp_path) as table:
        await table.anns_turn()
        assert (await table.enter(line)).startswith(
            "There is nothing in that to be shown. Type say and a text"
        )


async def test_what_the_other_says_is_seen_whatever_is_open(tmp_path: Path) -> None:
    async with pair(tmp_path) as table:
        desk = table.desk
        desk.enter("say anybody?")
        assert desk.pane.answer == "Nobody is there who could hear you."
        await table.bobs_turn()
        table.bob.say("hello Ann")
        await table.until(lambda: "Bob: hello Ann" in shown(desk, WIDE))
        assert shown(desk, WIDE).count("hello Ann") == 1
        for page in ("rules", "score", "help"):
            desk.enter(page)
            told = f"Bob: about {page}"
            table.bob.say(f"about {page}")
            await table.until(partial(has_appeared, desk, told))
            assert shown(desk, Frame(60, 20)).count(told) == 1
        desk.enter("")
        assert desk.pane.said is None
        assert "Bob: about help" in shown(desk, WIDE)
        table.desk.enter("story")
        assert shown(desk, WIDE).count("Bob: hello Ann") == 1


async def test_whoever_has_chat_off_is_not_written_to(tmp_path: Path) -> None:
    async with pair(tmp_path) as table:
        table.bob.stay_out_of_the_chat()
        await table.anns_turn()
        await table.until(lambda: "Bob has chat off." in shown(table.desk, WIDE))
        assert await table.enter("say hello") == "Bob has chat off; nothing was sent."
        assert table.desk.pane.is_error


async def test_a_flood_of_chat_pushes_nothing_of_the_game_out_of_the_story(tmp_path: Path) -> None:
    async with pair(tmp_path) as table:
        await table.bobs_turn()
        scene = table.desk.scene
        events = [told for told in scene.story if not isinstance(told.event, Said)]
        for number in range(3 * TALK):
            scene = changed(scene, Said(1, f"line {number}"), table.ann.snapshot)
        assert [told for told in scene.story if not isinstance(told.event, Said)] == events
        assert len(scene.story) == len(events) + TALK
        assert scene.story[-1].event == Said(1, f"line {3 * TALK - 1}")


async def test_for_how_long_the_table_has_waited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(desks, "time", SimpleNamespace(monotonic=lambda: now))

    def status() -> str:
        return view.as_text(view.status(desk.scene, desk.pane, desk.face, 80)).strip()

    async with pair(tmp_path) as table:
        desk = table.desk
        await table.bobs_turn()
        assert status() == "Waiting for Bob …"
        for seconds, told in ((2.5, "Waiting for Bob …"), (80.2, "Bob is thinking, 1:20"),
                              (3725.9, "Bob is thinking, 1:02:05")):  # fmt: skip
            now = 1000.0 + seconds
            assert 0 < desk.tick() <= 1
            assert status() == told
        table.bob.say("I am still there")
        await table.until(lambda: desk.pane.said)
        assert status() == "Bob is thinking, 1:02:05"  # it goes on counting
        desk.take(LineDown(frozenset({1}), 0))
        desk.tick()
        assert status().startswith("The line is down; waiting.")
        now += 600
        desk.take(LineUp(frozenset({1}), same_log=True))
        assert status() == "Waiting for Bob …"  # nobody could think here while the line was down
        await table.bob_acts()
        await table.anns_turn()
        desk.tick()
        assert desk.pane.waited == 0
        assert status().startswith("Your turn")


async def test_a_summary_after_the_game_and_not_before(tmp_path: Path) -> None:
    async with pair(tmp_path) as table:
        desk = table.desk
        await table.anns_turn()
        assert await table.enter("summary") == "There is a summary when the game has ended."
        while not desk.scene.ended:
            if desk.scene.asked:
                await table.enter(table.first_move() if table.first_move() != "exchange" else "none")
            else:
                await table.bob_acts()
        desk.enter("summary")
        page = " ".join(shown(desk, Frame(100, 50)).split())
        ended = desk.scene.ended
        report, replay = examine_file(ended.path)
        assert report.verdict is Verdict.CLEAN
        moments = play_back(report, replay).moments
        scored = [
            (number, event)
            for number, moment in enumerate(moments)
            for event in moment.events
            if isinstance(event, TileScored)
        ]
        assert len(scored) > 3
        for number, event in scored:  # what the replay of the file shows at that move
            who = "you" if event.winner == 0 else "Bob"
            sums = f"{event.totals[event.winner]} to {event.totals[1 - event.winner]}"
            assert f"move {number} {who} {sums}" in page
        won = [event.winner for _, event in scored]
        assert f"Tiles won: you {won.count(0)}, Bob {won.count(1)}." in page
        desk.enter("")
        desk.enter("")
        file = str(ended.path)
        assert desk.farewell[-2:] == [
            f"Look at it again: bcnet replay {file}",
            f"Anyone can check it: bcnet verify {file}",
        ]


# --- a decision is confirmed ---


async def test_a_typed_decision_is_asked_about_and_enter_does_it(tmp_path: Path) -> None:
    async with pair(tmp_path, confirm=True) as table:
        desk = table.desk
        await table.anns_turn()
        before = table.ann.snapshot
        move = table.first_move()
        desk.enter(move)
        assert seen(desk).deciding
        assert seen(desk).ask.startswith("Lay ")
        assert seen(desk).ask.endswith("Enter lays it, Esc goes back.")
        assert seen(desk).picked is not None
        assert desk.prompt == words.ASK_DECISION_PROMPT
        assert not desk.picks
        assert table.ann.snapshot == before
        desk.enter("")
        assert seen(desk).sending
        assert (seen(desk).ask, seen(desk).deciding, seen(desk).picked) == ("", False, None)
        await table.settle()
        assert table.ann.snapshot.round > before.round


@pytest.mark.parametrize("back", ["no", "n", "Esc"])
async def test_a_decision_that_is_not_confirmed_is_not_done(tmp_path: Path, back: str) -> None:
    async with pair(tmp_path, confirm=True) as table:
        desk = table.desk
        await table.anns_turn()
        before = table.ann.snapshot
        desk.enter(table.first_move())
        picked = seen(desk).picked
        if back == "Esc":
            desk.escape()
        else:
            desk.enter(back)
        assert (seen(desk).ask, seen(desk).deciding, seen(desk).picked) == ("", False, picked)
        assert table.ann.snapshot == before
        desk.enter("")
        assert not seen(desk).sending


async def test_another_line_takes_the_place_of_a_decision_that_is_asked_about(tmp_path: Path) -> None:
    async with pair(tmp_path, confirm=True) as table:
        desk = table.desk
        await table.anns_turn()
        desk.enter("1")
        first = seen(desk).ask
        desk.enter("2")
        assert seen(desk).deciding
        assert seen(desk).ask != first
        desk.enter("zzz")
        assert seen(desk).answer.startswith("I do not know what zzz means.")
        assert not seen(desk).ask
        desk.enter("1")
        desk.enter("resign")
        assert seen(desk).ask == "Really resign? Then Bob has won."
        assert not seen(desk).deciding
        desk.enter("no")
        desk.enter("1")
        desk.ask_to_quit()
        assert "Bob will be told" in seen(desk).ask
        assert not seen(desk).deciding
        desk.enter("")
        assert seen(desk).answer == "Please answer pause, resign or no."


async def test_what_is_asked_about_goes_with_the_turn(tmp_path: Path) -> None:
    """Bob resigns while Ann is asked whether she means it."""
    async with pair(tmp_path, confirm=True) as table:
        desk = table.desk
        await table.anns_turn()
        desk.enter("1")
        assert seen(desk).deciding
        resigning = asyncio.create_task(table.bob.resign())
        desk.enter("")
        await table.until(lambda: desk.scene.ended)
        await resigning
        assert (seen(desk).ask, seen(desk).picked) == ("", None)
        assert desk.left is None


async def test_keys_pick_while_the_table_asks_and_is_in_sight(tmp_path: Path) -> None:
    async with pair(tmp_path, confirm=True) as table:
        desk, frame = table.desk, Frame(80, 24)
        assert desk.offer(Key.RIGHT, frame) is None
        await table.anns_turn()
        desk.pick(desk.offer(Key.RIGHT, frame))
        card = seen(desk).picked
        assert card is not None
        desk.type("r")
        assert seen(desk).picked is None
        desk.type("")
        desk.pick(desk.offer(Key.RIGHT, frame))
        desk.type("")  # the line was empty before
        assert seen(desk).picked == card
        desk.enter("rules")
        assert not desk.picks
        desk.escape()
        desk.pick(desk.offer(Key.RIGHT, frame))
        desk.pick(desk.offer(Key.UP, frame))
        desk.pick(desk.offer(Key.CHOOSE, frame))
        assert seen(desk).deciding
        desk.click("card:1")
        assert seen(desk).deciding
        desk.click(view.YES)
        assert seen(desk).sending
        desk.pick(desk.offer(Key.RIGHT, frame))
        assert seen(desk).picked is None
        await table.settle()


async def test_a_line_that_is_typed_before_the_own_turn_picks_when_it_comes(tmp_path: Path) -> None:
    async with pair(tmp_path) as table:
        desk = table.desk
        await table.bobs_turn()
        view_of_ann = table.ann.snapshot.view
        assert view_of_ann is not None
        card = view_of_ann.hand(0).known[0]
        desk.type(write_card(card))
        assert seen(desk).picked is None
        await table.anns_turn()
        picked = seen(desk).picked
        assert isinstance(picked, Laying)
        assert picked.card == card


async def test_a_card_without_a_place_is_picked_for_the_keys(tmp_path: Path) -> None:
    async with pair(tmp_path, confirm=True) as table:
        desk = table.desk
        await table.anns_turn()
        card = table.first_move().split()[1]
        desk.enter(card)
        assert seen(desk).answer.startswith("Where does ") or seen(desk).deciding
        assert seen(desk).picked is not None


async def test_a_line_of_chat_leaves_what_is_picked_and_asked(tmp_path: Path) -> None:
    async with pair(tmp_path, confirm=True) as table:
        desk, frame = table.desk, Frame(80, 24)
        await table.anns_turn()
        desk.pick(desk.offer(Key.RIGHT, frame))
        card = seen(desk).picked
        for text in ("s", "say", "say hello"):
            desk.type(text)
        desk.enter("say hello")
        assert seen(desk).picked == card is not None
        await table.until(lambda: has_appeared(desk, "You: hello"))
        for line in (table.first_move(), "resign", "quit"):
            desk.enter(line)
            before = seen(desk)
            assert before.ask
            desk.type("'well")
            assert seen(desk).picked == before.picked
            desk.enter("'" if line == "quit" else f"'well, {line}")
            after = seen(desk)
            assert (after.ask, after.deciding, after.picked) == (before.ask, before.deciding, before.picked)
            desk.enter("no")
            assert not seen(desk).ask
