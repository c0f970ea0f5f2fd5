"""What the console says about Stones: all its sentences, and an event as a player is told it."""

from __future__ import annotations

from collections.abc import Sequence

from bcnet.games.happened import RESIGNATION, STANDSTILL, PlayerResigned
from bcnet.games.interface import Event, Seat
from bcnet.games.stones import events as happened
from bcnet.games.stones.field import Place
from bcnet.games.stones.material import COLOURS
from bcnet.games.stones.state import ALL_LAID, NOTHING_FITS
from bcnet.language import N_, ngettext, told
from bcnet_client.console.text import joined
from bcnet_client.console.words import say

# --- the table ---

YOU = "you"
RESIGNED_SEAT = "has resigned"
PASS_ITEM = N_("pass")
LYING = "{count} of {all} stones lie"
COLUMNS = "columns {count} of {most}"
ROWS = "rows {count} of {most}"
WITH_PENALTIES = N_("with penalties")
LEGEND = (
    N_("{place} a stone may lie here"),
    N_("{points} what yours would bring"),
    N_("{points} against the rules"),
)
"""Of what stands in the field."""

# --- what is asked ---

CALL_LAY = "Your turn: lay a stone, as in {example}"
CALL_AGAIN = "Your stone was taken back: lay {colour} again, by the rules"
CALL_ANOTHER = "Taken back, and it fits nowhere: lay another, by the rules"
CALL_NOTHING_FITS = "Nothing of yours fits by the rules: pass, or lay against them"
CALL_OBJECT = "May {name}'s last stone lie? object or agree"
CALL_WHERE = N_("{colour} fits at {places} places, for {least} to {most}. Where?")
CALL_WHERE_SAME = N_("{colour} fits at {places} places, for {most} each. Where?")
CALL_WHERE_ONE = N_("{colour} fits at one place, for {most}.")
CALL_NOWHERE = N_("{colour} fits nowhere now.")
CALL_PASS = N_("Pass: you may lay again later.")
FORESEEN = N_("{colour} at {place}: {sum} = {points}. You would have {total}.")
FORESEEN_ONE = N_("{colour} at {place}: {points} ({neighbour}). You would have {total}.")
FORESEEN_FIRST = N_("{colour} at {place}, the first stone of all: {points}. You would have {total}.")
FORESEEN_DOUBLED = N_(
    "{colour} at {place}: {sum}, doubled as your last {colour}: {points}. You would have {total}."
)
FORESEEN_AGAINST = N_("Against the rules: {why}. If anybody objects, it is taken back and costs {penalty}.")
TERM = N_("{points} ({colour})")
KEYS_BEGIN = N_("left/right: a colour")
KEYS_COLOUR = N_("left/right, up: where, Esc")
KEYS_PLACE = N_("arrows, Space: colour, Enter, Esc")
KEYS_ANSWER = N_("up/down, Enter")
KEYS_PASS = N_("left/right, Enter passes, Esc")
CONFIRM_LAY = N_("Lay {colour} at {place}? Enter lays it, Esc goes back.")
CONFIRM_AGAINST = N_("Lay {colour} at {place}, against the rules? Enter lays it, Esc goes back.")
CONFIRM_PASS = N_("Pass, and lay nothing now? Enter does it, Esc goes back.")
CONFIRM_OBJECT = N_("Object to {name}'s stone? Enter does it, Esc goes back.")
PROMPT_ANSWER = "answer> "

ANSWER_TITLE = "{name} has laid {colour} at {place}. May it lie there, by the laying rules?"
ANSWER_OBJECT = N_("object: it breaks one; if so, it costs {name} {penalty} points")
ANSWER_AGREE = N_("agree: it may lie")

CASTING = "One moment: chance says who begins …"
OPENING = "One moment: what all have said is opened …"

USAGE = (
    (
        N_("left, right"),
        N_("while nothing is typed: pick a colour; up, Tab or Enter goes to the place that brings most"),
    ),
    (
        N_("arrows"),
        N_(
            "from place to place, Tab to the next best; Space takes another colour there; Enter lays the stone"
        ),
    ),
    ("red 2 -1", N_("lay red in column 2, row -1 (r 2 -1, lay red 2 -1 are the same)")),
    ("7", N_("the seventh move of the list that moves shows")),
    ("object", N_("when asked, with penalties: the stone just laid breaks a rule")),
    ("agree", N_("when asked, with penalties: it may lie")),
    ("pass", N_("with penalties, when nothing fits by the rules")),
)
"""What can be typed, for the page of help."""

ADVICE = N_("Hint: {action}. {why}.")

# --- what is explained ---

WHICH_COLOUR = N_("Which colour?")
NO_COLOUR = N_("{text} is no colour.")
EXAMPLE = N_("There are red, black, grey and white. Type {example}, say.")
NONE_LEFT = N_("You have no {colour} left.")
YOU_HAVE = N_("You have {stones}.")
WHERE = N_("Where does {stone} go?")
FITS_AT = N_("{stone} fits at {places}.")
AND_MORE = N_("{places} and {count} more")
FITS_NOWHERE = N_("{stone} fits nowhere now.")
TRY_OTHERS = N_("These fit somewhere: {stones}.")
NO_PLACE = N_("{text} is no place.")
PLACE_HINT = N_("A place is a column and a row, as in {example}.")
NO_NUMBER = N_("There is no move {number}: the list goes from 1 to {count}.")
NO_NUMBER_HINT = N_("Type moves to see them.")
MUST_LAY = N_("Something of yours fits, so you must lay.")
MUST_LAY_HINT = N_("For instance {example}. Type moves to see all.")
NOTHING_TO_ANSWER = N_("Nobody is asked about a stone now.")
NO_PENALTIES = N_("At this table every stone is checked: there is nothing to object to.")
ANSWER_FIRST = N_("First say whether the last stone may lie: type object or agree.")
LAY_AGAIN = N_("Your {colour} stone was taken back: lay that one again.")
AND = "and"

# --- scores in words ---

HAND_YOURS = N_("Your stones: {stones}.")
HAND_OTHER = N_("{name}'s stones: {stones}.")
NOTHING = N_("none")
SCORE_YOURS = N_("You: {points}, {stones} left.")
SCORE_OTHER = N_("{name}: {points}, {stones} left.")
SCORE_RESIGNED = N_("{name}: {points}, has resigned.")
FIELD_EMPTY = N_("No stone lies yet; all will lie within {span} by {span}.")
FIELD = N_("Columns {left} to {right}, rows {low} to {high}: {columns} by {rows}, at most {span} by {span}.")
FIELD_ROW = N_("Row {row}: {stones}.")
FIELD_STONE = N_("{colour} at {column}")
SUMMARY = (
    N_("You: {count} laid, the best of them {colour} at {place}, move {move}: {points}."),
    N_("{name}: {count} laid, the best of them {colour} at {place}, move {move}: {points}."),
)
TAKEN_BACK = (
    N_("Taken back from you: {count}, at {penalty} points each."),
    N_("Taken back from {name}: {count}, at {penalty} points each."),
)

# --- how games end ---

OUTCOMES = {
    ALL_LAID: N_("All stones are laid."),
    NOTHING_FITS: N_("Nobody can lay another stone."),
    STANDSTILL: N_("Nothing moves any more."),
    RESIGNATION: N_("All others have resigned."),
}
OTHER_RESIGNED = N_("The other side resigned.")
YOU_RESIGNED = N_("You resigned.")
ALL_RESIGNED = N_("All who were left resigned.")
SHARED = (N_("You share the win with {names}."), N_("They share the win."))

# --- events: (of the own player, of another) ---

STARTS = (N_("You begin."), N_("{name} begins."))
LAID_LAST = (
    N_("You lay your last {colour} at {place}: {points}, doubled."),
    N_("{name} lays the last {colour} at {place}: {points}, doubled."),
)
LAID = (N_("You lay {colour} at {place}: {points}."), N_("{name} lays {colour} at {place}: {points}."))
PASSED = (N_("Nothing of yours fits: you pass."), N_("{name} passes: nothing fits."))
TAKEN = (
    N_(
        "{others} objected to {colour} at {place}: you take it back, and lose its {points} and {penalty} more."
    ),
    N_(
        "{others} objected to {colour} at {place}: {name} takes it back, and loses its {points} and {penalty} more."
    ),
)
TAKEN_BY_YOU = N_(
    "You objected, and rightly: {name} takes {colour} at {place} back, and loses its {points} and {penalty} more."
)
IN_VAIN = N_("{others} objected, but the stone lies by the rules.")
IN_VAIN_BY_YOU = N_("You objected, but the stone lies by the rules.")
RESIGNED = (N_("You resign."), N_("{name} resigns."))


def place_in_words(place: Place) -> str:
    """A place as it is typed: column and row."""
    return f"{place[0]} {place[1]}"


def points_in_words(points: int) -> str:
    """``1 point``, ``12 points``."""
    return ngettext("{count} point", "{count} points", points).format(count=points)


def stones_in_words(supply: Sequence[int]) -> str:
    """How many stones of each colour: ``3 red and 1 white``."""
    parts = [f"{supply[colour]} {told(colour.word)}" for colour in COLOURS if supply[colour]]
    return joined(parts, say(AND)) or say(NOTHING)


def tell(event: Event, own: Seat | None, names: Sequence[str]) -> str:
    """An event as the player of seat ``own`` is told it; empty if the table shows it well enough."""
    match event:
        case happened.FirstPlayerChosen(seat):
            return _by(STARTS, seat, own, names)
        case happened.StoneLaid(seat, colour, column, row, points, doubled):
            return _by(
                LAID_LAST if doubled else LAID,
                seat,
                own,
                names,
                colour=colour.word,
                place=place_in_words((column, row)),
                points=points_in_words(points),
            )
        case happened.TurnPassed(seat):
            return _by(PASSED, seat, own, names)
        case happened.StoneTakenBack(seat, by):
            values: dict[str, object] = {
                "colour": event.colour.word,
                "place": place_in_words((event.column, event.row)),
                "points": event.points,
                "penalty": event.penalty,
            }
            if by == (own,):
                return say(TAKEN_BY_YOU, name=names[seat], **values)
            return _by(TAKEN, seat, own, names, others=_names(by, names), **values)
        case happened.ObjectionFailed(by):
            return say(IN_VAIN_BY_YOU) if by == (own,) else say(IN_VAIN, others=_names(by, names))
        case PlayerResigned(seat):
            return _by(RESIGNED, seat, own, names)
        case _:
            return ""


def _by(
    templates: tuple[str, str], seat: Seat, own: Seat | None, names: Sequence[str], **values: object
) -> str:
    return say(templates[seat != own], name=names[seat], **values)


def _names(seats: Sequence[Seat], names: Sequence[str]) -> str:
    return joined([names[seat] for seat in seats], say(AND))
