"""What the console says about any game: all its sentences, as templates with named values.

One place, from which the catalogues take them: whoever shows a sentence goes through `say`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bcnet.language import N_, _, ngettext, told
from bcnet_client.console.text import joined


class Forms(NamedTuple):
    """A sentence about one (player, as a rule) or several: which it is, ``count`` among its values says."""

    one: str
    many: str


def say(template: str | Forms, **values: object) -> str:
    """A sentence in the player's language, with its values put in."""
    shown = {name: told(value) if isinstance(value, str) else value for name, value in values.items()}
    if isinstance(template, str):
        return _(template).format(**shown)
    count = values["count"]
    assert isinstance(count, int)
    return ngettext(template.one, template.many, count).format(**shown)


def say_of(names: Sequence[str], template: str | Forms, **values: object) -> str:
    """A sentence about these, ``{names}``, in the form that belongs to how many they are."""
    return say(template, names=joined(names, say(AND)), count=len(names), **values)


def answers(known: tuple[str, ...]) -> tuple[str, ...]:
    """What can be typed as an answer: the English words, and those of the player's language."""
    return (*known, *map(_, known))


AND = "and"

# --- the table ---

WAITING = "Waiting until all have sat down …"
SETTING_UP = Forms(
    "Setting up: both programs shuffle, and prove it …", "Setting up: all programs shuffle, and prove it …"
)
SETTING_UP_PLAIN = N_("Setting up …")
SHUFFLING = "Both programs shuffle the discards, and prove it …"
WAITING_FOR = "Waiting for {names} …"
CHAT = N_("{name}: {text}")
CHAT_OWN = N_("You: {text}")
CHAT_OFF = N_("{name} has chat off.")
TITLE = N_("bcnet")
TITLE_YOUR_TURN = N_("Your turn at bcnet")
CHECKING = "The game is over; everything is checked …"
SENDING = "One moment …"
LEAVE_WAITING = "quit or Ctrl-C leaves."

WELCOME = "Your key is {own}. The key of {name} is {fingerprint}."
WELCOME_TOO = N_("The key of {name} is {fingerprint}.")
COMPARE = "Compare them by voice if you want to be sure who is there."
WATCHED = Forms("{count} watches", "{count} watch")
WATCHED_BY_NOBODY = "Nobody watches any more"
FOUR_WORDS = "Words of this table: {words}. They are the same on every screen if nobody sits in between."
KEYS_OWN = "{fingerprint}  you, {name}"
KEYS_OTHER = "{fingerprint}  {name}"

LOST = "The line is down: {why}."
LOST_SOME = N_("The line to {names} is down: {why}.")
LOST_TOLD = "The line is down. {why}"
LOST_SEEKING = "Trying to get back to {names}; the game goes on by itself then."
LOST_AWAITING = Forms(
    "The seat of {names} is kept; the game goes on by itself when {names} comes back.",
    "The seats of {names} are kept; the game goes on by itself when all of them come back.",
)
HELD = Forms("Waiting for {names} to come back …", "Waiting for {names} to come back …")
LINE_UP = "The line is up again; all sides have the same game."
LINE_UP_FIRST = "The line is up again."
"""Others are awaited before anybody knows whether all have the same."""
LOST_OVER = Forms(
    "The game is over, but the seed of {names} is missing, so it cannot be audited.",
    "The game is over, but the seeds of {names} are missing, so it cannot be audited.",
)
KEPT = "What was played is kept in {path}"
LOST_LEAVE = "Type quit to leave the table."
LOST_WAIT = "The line is down; waiting. Type quit to pause the game."
TROUBLE_WAIT = N_("The game waits for the disk. Type quit to pause it.")
TROUBLE_OVER = "The disk takes it again; the game goes on."
TROUBLE = "{what} The game waits and tries again. {hint}"

THINKING_FOR = Forms("{names} is thinking, {time}", "{names} are thinking, {time}")

# --- the end ---

WON = "You win!"
LOST_GAME = Forms("{names} won.", "{names} won.")
DRAWN = "The game is drawn."
CHEATED = "{name} cheated in round {round}: {what}."
CHEATED_SELF = "This program itself is accused, in round {round}: {what}."
CLEAN = "Fair: every step was checked, and the audit of all seeds agrees."
VERDICT = "Verdict: {verdict}. {message}"
PROOF = "The proof lies in {path}"
TRANSCRIPT = "Transcript: {path}"
CHECK_IT = "Anyone can check it: {program} verify {file}"
LOOK_AGAIN = N_("Look at it again: {program} replay {file}")
ANY_FILE = "FILE"
LEAVE = "Press Enter to leave."
LEAVE_OR_AGAIN = "Press Enter to leave, or type again for another game."
AGAIN_ASKED = "Another game: waiting for {names} …"
AGAIN_WANTED = Forms(
    "{names} would like another game: type again, or press Enter to leave.",
    "{names} would like another game: type again, or press Enter to leave.",
)
AGAIN_CUT = "The line to {names} is down; another game can begin when it is back."
AGAIN_GONE = Forms(
    "{names} has left; there is no other game here.", "{names} have left; there is no other game here."
)
ENDED = "The table has ended."

# --- a finished game, looked at ---

REPLAY_ROUND = "{heading} (round {round})"
REPLAY_HINT = "* secret then"
REPLAY_MORE = "{first}–{last} of {count}, up/down · * secret then"
REPLAY_MORE_OPEN = "{first}–{last} of {count}, up/down"
REPLAY_KEYS = "left/right, number Enter, home/end, a plays, q"
REPLAY_GO = "Go to move {move}: Enter"
REPLAY_AUTO = "The game goes on by itself: a stops it"
REPLAY_PLAYERS = "A game of {names}, with every card that is known by now."
REPLAY_PLAYERS_OPEN = "A game of {names}, in which nothing was hidden."
REPLAY_LEGEND = "{mark} marks what was secret then: a card in hand to all but its player, the pile to all."
REPLAY_NEXT = "Next: {names}."

# --- typing ---

TOO_SMALL = (
    "bcnet needs 60 columns and 20 lines; this window has {columns} and {rows}. Please make it larger."
)
UNKNOWN = "I do not know what {text} means."
UNKNOWN_HINT = "Type help to see what you can do."
DID_YOU_MEAN = "Did you mean {word}? Type help to see what you can do."
NOT_YOUR_TURN = "It is not your turn: {names} to move."
NOT_YOUR_TURN_HINT = "Your prompt stays; type your move when the table asks for it."
NOT_BEGUN = "The game has not begun yet."
GAME_OVER = "The game is over."
NO_SUMMARY = N_("There is a summary when the game has ended.")
NO_OTHER_GAME = "Another game can be asked for when this one has ended."
STILL_SENDING = "Your last decision is still on its way."
NOTHING_TO_LIST = "There is nothing to choose now."
NO_TOPIC = "There is no help about {topic}."
TOPICS = "There is: {topics}."
YES_OR_NO = "Please answer yes or no."
KEPT_ON = "The game goes on."
ASK_DECISION_PROMPT = N_("Enter or Esc? ")

THINKING = "Looking for a good move; you can go on meanwhile …"
ADVICE_LATER = "Ask for a hint when the table asks you."

ASK_RESIGN = "Really resign? Then {name} has won."
ASK_RESIGN_MANY = N_("Really resign? The others go on without you.")
ASK_RESIGN_PROMPT = "resign, yes or no? "
ASK_QUIT = (
    "Leave in mid-game? pause: both can go on later. resign: {name} has won. no: stay. {name} will be told."
)
ASK_QUIT_MANY = N_(
    "Leave in mid-game? pause: all can go on later. resign: the others go on without you. no: stay. All will be told."
)
ASK_QUIT_HOST = N_(
    "Leave in mid-game? All lines go through this program, so the others have to wait for it. pause: all can go on "
    "later. resign: give up, and stay for the others. no: stay."
)
IS_RESIGNING = Forms(
    "{names} has resigned; it counts as soon as all others have answered.",
    "{names} have resigned; it counts as soon as all others have answered.",
)
YOU_ARE_RESIGNING = N_("You have resigned; it counts as soon as all others have answered.")
HAS_RESIGNED = N_("You have resigned; the others go on.")
ASK_QUIT_PROMPT = "pause, resign or no? "
PAUSE_RESIGN_OR_NO = "Please answer pause, resign or no."
PAUSE = ("p", "pause")
RESIGN = ("r", "resign")
YES = ("y", "yes")
NO = ("n", "no")

LEFT = "You have left the table."
LEFT_OTHER = "The game is unfinished: {why}."
LEFT_WAITING = "You have left the table; nobody had sat down."
STOPPED = "bcnet was told to end."

MORE = "{first}–{last} of {count}, Page Up/Down"
MORE_ESC = "{first}–{last} of {count}, Page Up/Down, Esc"
ESC = "Esc closes"
KEYS_LINE = N_("Esc clears the line")
KEYS_LINE_PICKED = N_("up/down go on, Esc clears the line")
PROMPT = "> "

STORY_TITLE = "What has happened"
TITLES = {
    "moves": "Legal moves",
    "hand": "The hands",
    "score": "How it stands",
    "story": STORY_TITLE,
    "summary": "How it went",
    "keys": "Who sits here",
    "help": "What you can type",
    "rules": "The rules",
    "notation": "How moves are written",
}

COMMANDS = (
    ("moves", N_("list all legal moves with numbers; a number plays one")),
    ("hint", N_("what to do now, and why")),
    ("say", N_("write to those at the table: say TEXT, or 'TEXT")),
    ("hand", N_("what you hold, in words")),
    ("score", N_("how it stands, in words")),
    ("board", N_("back to the table")),
    ("story", N_("what has happened so far")),
    ("keys", N_("who sits here: names and key fingerprints")),
    ("rules", N_("the rules of the game")),
    ("notation", N_("how moves are written in a transcript")),
    ("help", N_("this page; help TOPIC for more: {topics}")),
    ("resign", N_("give up the game (asks first)")),
    ("quit", N_("pause or resign, and leave (asks first); so do Ctrl-C and Ctrl-D")),
    ("summary", N_("after a game: how it went")),
    ("again", N_("after a game: another one with the same players")),
)
KEYS_HELP = N_(
    "While you are asked and nothing is typed, the arrows, Tab, Space and Enter choose; the line above what has "
    "happened says what they do. Else Tab completes, and up and down bring back what you typed. Page Up and Page Down "
    "turn pages, Esc goes back. What you decide is shown, with what comes of it, before it is final: Enter confirms it."
)
