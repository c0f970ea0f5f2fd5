"""The whole screen as lines: a pure function of a scene, of what the player has opened and typed, and of the size.

From top to bottom: the table (the game's face), a pane (what has happened, a page that was opened, what is to be
chosen), notices and answers, one line of status. The line that is typed in comes below, and is not drawn here.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from bcnet.errors import StorageError
from bcnet.games import registry
from bcnet.games.interface import Event, deciding
from bcnet.language import told
from bcnet.session import HOST_SEAT
from bcnet.table.membership import Terms
from bcnet.updates import ChatOff, Said
from bcnet.verify import Verdict
from bcnet_client import reasons
from bcnet_client.console import words
from bcnet_client.console.face import Face, Frame, Picked
from bcnet_client.console.pages import reflow
from bcnet_client.console.scene import Scene, Stage, Told
from bcnet_client.console.text import (
    Line,
    clickable,
    fit,
    joined,
    line,
    pad,
    plain,
    spread,
    to_ascii,
    width,
    wrap,
)
from bcnet_client.console.words import say, say_of
from bcnet_client.telling import about_shared_keys, about_terms, what_was_done, with_names

MIN_COLUMNS = 60
MIN_ROWS = 20
THINKING_FROM = 3
"""Seconds after which it is told for how long the table has waited: most moves of a bot are quicker."""
MOST_ANSWER = 4
"""Lines of an answer that are shown; no answer needs more at 60 columns."""
_USAGE = 12

STORY, MOVES, HAND, SCORE, KEYS, HELP = "story", "moves", "hand", "score", "keys", "help"
SUMMARY = "summary"
BESIDE_TABLE = frozenset({"", MOVES, HAND})
"""Pages that leave the table in sight."""
YES = "yes"
"""What a click on a decision that is to be confirmed means."""


@dataclass(frozen=True, slots=True)
class Pane:
    """What the player has opened, what was answered, and what is being picked and typed."""

    page: str = ""
    """The page that is open; empty for none."""
    scroll: int = 0
    """Lines of the page above the first one that is seen."""
    ask: str = ""
    """A question that is to be answered with yes or no."""
    deciding: bool = False
    """Whether what is asked is to confirm a decision."""
    picked: Picked | None = None
    """What has been picked, by keys or by the line that is being typed."""
    answer: str = ""
    is_error: bool = False
    said: Told | None = None
    """What another player has said last, until the own player enters the next line."""
    waited: int = 0
    """For how many seconds the table has waited for another player."""
    heard: str = ""
    """What somebody else in this program had to tell, until the player enters the next line."""
    typed: str = ""
    sending: bool = False
    """Whether a decision is on its way."""


def render(scene: Scene, pane: Pane, face: Face, frame: Frame, *, ascii_only: bool = False) -> list[Line]:
    """All lines of the screen above the one that is typed in: one fewer than ``frame`` has rows."""
    rows = frame.rows - 1
    if not is_large_enough(frame):
        text = say(words.TOO_SMALL, columns=frame.columns, rows=frame.rows)
        lines = wrap(text, max(1, frame.columns))
    else:
        lines = _screen(scene, pane, face, frame)
    lines = [fit(each, frame.columns) for each in lines[:rows]]
    lines += [()] * (rows - len(lines))
    return to_ascii(lines) if ascii_only else lines


def is_large_enough(frame: Frame) -> bool:
    """Whether there is room for the table."""
    return frame.columns >= MIN_COLUMNS and frame.rows >= MIN_ROWS


def render_waiting(
    scene: Scene, pane: Pane, face: Face | None, frame: Frame, *, ascii_only: bool = False
) -> list[Line]:
    """The few lines that are shown below what the command line has printed, until there is a table."""
    lines: list[Line] = []
    if pane.page:
        lines = page(pane.page, scene, face, frame.columns - 2)[1]
    lines += _notices(scene, pane, frame.columns, face)
    text = pane.ask or f"{say(words.WAITING)} {say(words.LEAVE_WAITING)}"
    lines.append(line(("class:waiting", text)))
    lines = [fit(each, frame.columns - 1) for each in lines[-max(1, frame.rows - 2) :]]
    return to_ascii(lines) if ascii_only else lines


@dataclass(frozen=True, slots=True)
class _Parts:
    """The parts of a screen, and the room that is left for the pane."""

    table: list[Line]
    title: str
    lines: list[Line]
    """All of the pane, also what is not seen."""
    room: int
    foot: list[Line]

    @property
    def most(self) -> int:
        """How far the pane can be scrolled."""
        return max(0, len(self.lines) - self.room)


def most_scroll(scene: Scene, pane: Pane, face: Face, frame: Frame) -> int:
    """How far the pane can be scrolled."""
    return _parts(scene, pane, face, frame).most


def _parts(scene: Scene, pane: Pane, face: Face, frame: Frame) -> _Parts:
    foot = [*_notices(scene, pane, frame.columns, face), *status(scene, pane, face, frame.columns)]
    table: list[Line] = []
    if scene.state is not None and pane.page in BESIDE_TABLE:
        table = face.board(scene, frame, pane.picked)
    room = max(0, frame.rows - 1 - len(table) - 1 - len(foot))
    title, lines = _content(scene, pane, face, frame.columns - 2)
    return _Parts(table, title, lines, room, foot)


def _screen(scene: Scene, pane: Pane, face: Face, frame: Frame) -> list[Line]:
    parts = _parts(scene, pane, face, frame)
    from_end = is_read_from_end(scene, pane, face)
    scrolled = min(pane.scroll, parts.most)
    first = parts.most - scrolled if from_end else scrolled
    if not pane.page and (at := _picked_line(parts.lines)) is not None:
        first = min(max(first, at - parts.room + 1), at)
    seen = parts.lines[first : first + parts.room]
    hint = say(words.ESC) if pane.page else ""
    if scene.asked and not pane.page and not pane.ask:
        hint = face.picking.keys(pane.picked, scene)
        if pane.typed:
            hint = say(words.KEYS_LINE if pane.picked is None else words.KEYS_LINE_PICKED)
    if parts.most and (pane.page or not from_end):
        more = words.MORE_ESC if pane.page else words.MORE
        hint = say(more, first=first + 1, last=first + len(seen), count=len(parts.lines))
    middle = [line(" ", *each) for each in seen]
    middle += [()] * (parts.room - len(middle))
    return [*parts.table, rule(parts.title, hint, frame.columns), *middle, *parts.foot]


def _picked_line(lines: list[Line]) -> int | None:
    """Where in the pane something is picked."""
    found = (at for at, each in enumerate(lines) if any("class:picked" in style for style, _ in each))
    return next(found, None)


def rule(title: str, hint: str, columns: int) -> Line:
    """The line between the table and the pane, with a title and a hint in it."""
    left = line(("class:edge", "─ "), ("class:heading", title), ("class:edge", " ")) if title else ()
    right = line(("class:dim", f" {hint} "), ("class:edge", "─")) if hint else ()
    between = max(0, columns - width(left) - width(right))
    return (*left, *line(("class:edge", "─" * between)), *right)


# --- the pane ---


def _content(scene: Scene, pane: Pane, face: Face, columns: int) -> tuple[str, list[Line]]:
    if pane.page:
        return page(pane.page, scene, face, columns)
    if scene.stage is Stage.ENDED:
        return "", _ending(scene, face, columns)
    if question := face.question(scene, columns, pane.picked):
        return "", question
    return say(words.STORY_TITLE), story(scene, face, columns)


def is_read_from_end(scene: Scene, pane: Pane, face: Face) -> bool:
    """Whether the last lines are the ones that matter."""
    if pane.page:
        return pane.page == STORY
    return scene.stage is not Stage.ENDED and not face.question(scene, MIN_COLUMNS)


def page(name: str, scene: Scene, face: Face | None, columns: int) -> tuple[str, list[Line]]:
    """A page to read: its title and its lines."""
    return say(words.TITLES.get(name, name)), _page(name, scene, face, columns)


def _page(name: str, scene: Scene, face: Face | None, columns: int) -> list[Line]:
    if name == KEYS:
        return wrap_all(keys(scene), columns)
    if face is None:
        return wrap(say(words.NOT_BEGUN), columns)
    if name == MOVES:
        return face.moves(scene, columns)
    if name == STORY:
        return story(scene, face, columns)
    if name == HELP:
        return _help(face, columns)
    if name == SUMMARY:
        return _ending(scene, face, columns)
    if name in face.topics:
        return reflow(told(face.topics[name]), columns)
    if scene.state is None:
        return wrap(say(words.NOT_BEGUN), columns)
    return wrap_all(face.hand(scene) if name == HAND else face.score(scene), columns)


def wrap_all(texts: list[str], columns: int) -> list[Line]:
    """Sentences, each beginning a line of its own."""
    return [each for text in texts for each in wrap(text, columns, indent="  ")]


def story(scene: Scene, face: Face, columns: int) -> list[Line]:
    """What has happened, the last at the end; what is new since the own last decision stands out."""
    lines = [each for text in welcome(scene) for each in wrap(text, columns, indent="  ", style="class:dim")]
    old = len(scene.story) - scene.fresh
    for index, each in enumerate(scene.story):
        if text := tell(each.event, scene, face):
            style = "class:dim" if index < old else "class:news"
            if isinstance(each.event, Said):
                style = "class:said"
            lines += wrap(text, columns, indent="  ", style=style)
    return lines


def tell(event: Event | Said | ChatOff, scene: Scene, face: Face) -> str:
    """An event in words, or what a player has said; empty if it says nothing to a player."""
    match event:
        case Said(seat, text):
            return say(
                words.CHAT_OWN if seat == scene.seat else words.CHAT, name=scene.names[seat], text=text
            )
        case ChatOff(seat):
            return say(words.CHAT_OFF, name=scene.names[seat])
        case _:
            return face.tell(event, scene)


def welcome(scene: Scene, *, terms: bool = True) -> list[str]:
    """Who sits here, the terms unless they stand above already, and the words by which one can be sure of it all."""
    if not scene.seated:
        return []
    own, *others = [
        {"name": scene.names[seat], "fingerprint": scene.sitters[seat].fingerprint}
        for seat in (scene.seat, *scene.others)
    ]
    greetings = [say(words.WELCOME, own=own["fingerprint"], **others[0])]
    greetings += [say(words.WELCOME_TOO, **other) for other in others[1:]]
    greetings += shared_keys(scene)
    return [*greetings, *(agreed(scene) if terms else ()), *four_words(scene)]


def shared_keys(scene: Scene) -> list[str]:
    """Who of those who sit here is one person, if there are others as well."""
    return list(about_shared_keys(scene.names, [sitter.fingerprint for sitter in scene.sitters]))


def agreed(scene: Scene) -> list[str]:
    """The terms of the table, and what they mean."""
    return about_terms(Terms(scene.game, len(scene.sitters), scene.options))


def four_words(scene: Scene) -> list[str]:
    """The four words of the table, once there are any."""
    return [say(words.FOUR_WORDS, words=" ".join(scene.words))] if scene.words else []


def keys(scene: Scene) -> list[str]:
    """Names and fingerprints of all who sit here."""
    lines = [
        say(
            words.KEYS_OWN if seat == scene.seat else words.KEYS_OTHER,
            fingerprint=sitter.fingerprint,
            name=scene.names[seat],
        )
        for seat, sitter in enumerate(scene.sitters)
    ]
    return [*lines, *shared_keys(scene), *four_words(scene), say(words.COMPARE), *agreed(scene)]


def _help(face: Face, columns: int) -> list[Line]:
    topics = ", ".join(face.topics)
    rows = [(say(name), say(meaning, topics=topics)) for name, meaning in (*face.usage, *words.COMMANDS)]
    lines: list[Line] = []
    for usage, meaning in rows:
        first, *rest = wrap(meaning, columns - _USAGE)
        lines.append(line(("class:command", pad(usage, _USAGE)), *first))
        lines += [line(" " * _USAGE, *each) for each in rest]
    return [*lines, *wrap(say(words.KEYS_HELP), columns)]


# --- notices and status ---


def _notices(scene: Scene, pane: Pane, columns: int, face: Face | None) -> list[Line]:
    lines = []
    if pane.said is not None and face is not None and not is_read_from_end(scene, pane, face):
        lines += wrap(tell(pane.said.event, scene, face), columns - 1, style="class:said")
    for text in troubles(scene):
        lines += wrap(text, columns - 1, style="class:alert")
    if pane.heard:
        lines += wrap(pane.heard, columns - 1, style="class:answer")
    if pane.answer:
        style = "class:error" if pane.is_error else "class:answer"
        lines += wrap(pane.answer, columns - 1, style=style)[:MOST_ANSWER]
    return [line(" ", *each) for each in lines]


def troubles(scene: Scene) -> list[str]:
    """What is wrong with the line or the disk, and what the player can do."""
    texts = []
    if scene.trouble is not None:
        texts.append(trouble_in_words(scene.trouble))
    if scene.lost is not None and scene.stage is not Stage.ENDED:
        lost = scene.lost
        missing = joined(scene.named(lost.seats), say(words.AND))
        if lost.why:
            texts.append(say(words.LOST_TOLD, why=told(lost.why)))
        else:
            some = len(lost.seats) < len(scene.others)
            why = reasons.why(lost.reason, lost.noise)
            texts.append(say(words.LOST_SOME if some else words.LOST, why=why, names=missing))
        if reasons.passes(lost.reason, lost.noise):
            if scene.seat and HOST_SEAT in lost.seats:
                texts.append(say(words.LOST_SEEKING, names=scene.names[HOST_SEAT]))
            else:
                texts.append(say_of(scene.named(lost.seats), words.LOST_AWAITING))
        if scene.stage is Stage.OVER:
            texts.append(say_of(scene.awaited_others, words.LOST_OVER))
        if scene.folder is not None:
            texts.append(say(words.KEPT, path=scene.folder))
    return texts


def trouble_in_words(error: StorageError) -> str:
    """What the disk does not take."""
    return say(words.TROUBLE, what=error.message, hint=error.hint).rstrip()


def status(scene: Scene, pane: Pane, face: Face, columns: int) -> list[Line]:
    """What is going on, in one line; what is to be answered with yes or no, in as many as it takes."""
    if pane.ask:
        foreseen = _block(face.call(scene, pane.picked), columns, "class:call") if pane.deciding else []
        style = clickable("class:ask", YES) if pane.deciding else "class:ask"
        return [*foreseen, *_block(pane.ask, columns, style)]
    text, style = _status(scene, pane, face)
    if (pane.picked is not None or scene.stage is Stage.ENDED) and width(text) > columns - 2:
        return _block(text, columns, style)
    watched = audience(scene)
    right = line((style, f"{watched} ")) if watched else ()
    return [spread(line((style, f" {text} ")), right, columns, style)]


def _block(text: str, columns: int, style: str) -> list[Line]:
    """A text on a ground of its own, in as many lines as it takes."""
    lines = wrap(text, columns - 2, style=style)
    return [fit(line((style, " "), *each), columns, style) for each in lines]


def audience(scene: Scene) -> str:
    """How many watch; empty if nobody does."""
    if not scene.audience:
        return ""
    return say(words.WATCHED, count=scene.audience)


def _status(scene: Scene, pane: Pane, face: Face) -> tuple[str, str]:
    quiet = "class:status"
    if scene.stage is Stage.ENDED:
        if not scene.can_play_again or (scene.ended is not None and scene.ended.report.fault is not None):
            return say(words.LEAVE), "class:call"
        if scene.gone:
            gone = "" if pane.answer == again_gone(scene) else again_gone(scene)
            return f"{gone} {say(words.LEAVE)}".lstrip(), "class:call"
        if scene.lost is not None:
            return again_cut(scene), "class:ask"
        if scene.again_wanted:
            return again_asked(scene), quiet
        if scene.again_offered:
            return again_offered(scene), "class:call"
        return say(words.LEAVE_OR_AGAIN), "class:call"
    if scene.lost is not None and not reasons.passes(scene.lost.reason, scene.lost.noise):
        return say(words.LOST_LEAVE), "class:ask"
    if scene.resigning and not scene.asked and scene.stage is Stage.PLAYING:
        return resigning(scene), quiet
    if scene.lost is not None and not scene.asked and _is_held_up(scene):
        return say(words.LOST_WAIT), "class:ask"
    if scene.trouble is not None:
        return say(words.TROUBLE_WAIT), "class:ask"
    if scene.held:
        return held(scene), quiet
    if pane.sending:
        return say(words.SENDING), quiet
    if scene.asked:
        return face.call(scene, pane.picked), "class:call"
    if pane.waited >= THINKING_FROM and scene.awaits_other:
        return thinking(scene, pane.waited), quiet
    return waiting(scene, face), quiet


def _is_held_up(scene: Scene) -> bool:
    """Whether the table waits for somebody who cannot be reached."""
    awaited = set(scene.awaited or scene.others) - {scene.seat}
    return scene.lost is not None and (not awaited or bool(awaited & scene.lost.seats))


def thinking(scene: Scene, seconds: int) -> str:
    """Who has to decide, and for how long the table has waited."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    time = f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
    return say_of(scene.awaited_others, words.THINKING_FOR, time=time)


def again_asked(scene: Scene) -> str:
    """That the own player wants another game, and who has not said so."""
    awaited = set(scene.others) - scene.again_offered
    return say_of(scene.named(awaited), words.AGAIN_ASKED)


def again_offered(scene: Scene) -> str:
    """That others want another game."""
    return say_of(scene.named(scene.again_offered), words.AGAIN_WANTED)


def again_gone(scene: Scene) -> str:
    """That somebody has left, so that there is no other game."""
    return say_of(scene.named(scene.gone), words.AGAIN_GONE)


def again_cut(scene: Scene) -> str:
    """That the line is down after a game, and what that means for another."""
    lost = scene.named(scene.lost.seats if scene.lost is not None else scene.others)
    leaving = words.LEAVE if scene.again_wanted else words.LEAVE_OR_AGAIN
    return f"{say_of(lost, words.AGAIN_CUT)} {say(leaving)}"


def resigning(scene: Scene) -> str:
    """That somebody has resigned, and what that waits for."""
    if scene.seat in scene.resigning:
        return say(words.YOU_ARE_RESIGNING)
    return say_of(scene.named(scene.resigning), words.IS_RESIGNING)


def held(scene: Scene) -> str:
    """That nothing goes on before the others have come back."""
    return say_of(scene.named(scene.away or scene.others), words.HELD)


def waiting(scene: Scene, face: Face) -> str:
    """What the table waits for, where it is not the own player."""
    match scene.stage:
        case Stage.WAITING:
            return say(words.WAITING)
        case Stage.SETTING_UP:
            return setting_up(scene)
        case Stage.OVER:
            return say(words.CHECKING)
        case Stage.ENDED:
            return say(words.ENDED)
        case Stage.PLAYING:
            assert scene.state is not None
            if scene.deciders and scene.seat not in deciding(scene.state.need):
                return say_of(scene.awaited_others, words.WAITING_FOR)
            return face.progress(scene)


def setting_up(scene: Scene) -> str:
    """What is done before anybody decides."""
    if not registry.get(scene.game).deck:
        return say(words.SETTING_UP_PLAIN)
    return say(words.SETTING_UP, count=len(scene.others))


# --- the end ---


def _ending(scene: Scene, face: Face, columns: int) -> list[Line]:
    first, *rest = summary(scene, face)
    assert scene.ended is not None
    style = "class:heading" if scene.ended.report.fault is None else "class:alert"
    return [*wrap(first, columns, indent="  ", style=style), *wrap_all(rest, columns)]


def farewell(scene: Scene, face: Face) -> list[str]:
    """What stays on the terminal when the table is left after its end."""
    assert scene.ended is not None
    has_score = scene.state is not None and scene.ended.report.fault is None
    score = face.score(scene)[: len(scene.sitters)] if has_score else []
    first, *rest = summary(scene, face, shlex.quote(str(scene.ended.path)))
    return [first, *score, *rest]


def summary(scene: Scene, face: Face, file: str = "") -> list[str]:
    """How the table has ended: result, verdict, how the game went, and where the proof lies. ``file``: what to type
    to look at it again, and to check it.
    """
    ended = scene.ended
    assert ended is not None
    file = file or say(words.ANY_FILE)
    report = ended.report
    if report.fault is not None:
        fault = report.fault
        template = words.CHEATED_SELF if fault.seat == scene.seat else words.CHEATED
        return [
            say(template, name=scene.names[fault.seat], round=fault.round, what=what_was_done(fault.kind)),
            with_names(told(fault.message), scene.names),
            say(words.PROOF, path=ended.path),
            *_look_again(scene, file),
        ]
    lines = []
    if ended.result is not None:
        if not ended.result.winners:
            result = say(words.DRAWN)
        elif scene.seat in ended.result.winners:
            result = say(words.WON)
        else:
            result = say_of(scene.named(ended.result.winners), words.LOST_GAME)
        lines.append(f"{result} {face.outcome(ended.result, scene)}".rstrip())
    if report.verdict is Verdict.CLEAN:
        lines.append(say(words.CLEAN))
    else:
        lines.append(say(words.VERDICT, verdict=report.verdict.word, message=report.message))
    if scene.state is not None:
        lines += face.summary(scene)
    return [*lines, say(words.TRANSCRIPT, path=ended.path), *_look_again(scene, file)]


def _look_again(scene: Scene, file: str) -> list[str]:
    templates = (words.LOOK_AGAIN, words.CHECK_IT) if scene.moves else (words.CHECK_IT,)
    return [say(template, program=scene.program, file=file) for template in templates]


def as_text(lines: list[Line]) -> str:
    """Lines without their styles, without blanks at their ends."""
    return "\n".join(plain(each).rstrip() for each in lines)
