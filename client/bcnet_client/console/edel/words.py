"""What the console says about Edel, Stein & Reich: all its sentences, and an event as a player is told it."""

from __future__ import annotations

from collections.abc import Sequence

from bcnet.games.edel import events as happened
from bcnet.games.edel.material import GEM_CARDS, PASSES, ActionCard
from bcnet.games.edel.naming import ACTION_NAMES, event_card, gems_in_words, letters, what_it_does
from bcnet.games.edel.scoring import Payout
from bcnet.games.edel.state import RICHEST
from bcnet.games.happened import RESIGNATION, STANDSTILL, PlayerResigned
from bcnet.games.interface import Event, Seat
from bcnet.language import N_
from bcnet_client.console.text import joined
from bcnet_client.console.words import say

AND = "and"
NONE = "none"
YOU = "you"

# --- the table ---

WHEN = "pass {passing} of {passes} · round {round} of {rounds}"
OPEN_EVENT = "open event: "
DECK = " · deck {count} "
SUPPLY = "supply "
HEAD_MONEY = "money"
HEAD_GEMS = "gems"
HEAD_NOW = "now"
HEAD_CARD = "gem card"
HEAD_CARD_SHORT = "card"
HEAD_CHOICE = "choice"
HEAD_EVENTS = "events"
CHOICES = {
    ActionCard.MONEY: N_("money"),
    ActionCard.EVENT: N_("event"),
    ActionCard.GEMS: N_("gems"),
    ActionCard.FREE: N_("free"),
}
SEALED = "sealed"
RESIGNS = "resigns"
CHOOSING = "choosing"
RESIGNED = "resigned"

# --- what is going on ---

ALL_SEALED = N_("All have chosen: the action cards are opened …")
ALL_CHOOSE = N_("All choose an action card in secret.")
TRADE_OWN = N_("{action}: you and {name} trade for it.")
TRADE = N_("{action}: {name} and {other} trade for it.")
NO_OFFER = N_("There is no offer yet.")
OFFERED = N_("{name} {gems}")
ON_THE_TABLE = N_("on the table")
TO_OPEN = N_("{name} makes the first offer.")
TO_ANSWER = N_("{name} accepts and takes {gems}, or offers more.")
PERFORMS = {
    "event": N_("{name} performs Event: takes an event card."),
    "gems": N_("{name} takes gems of their choice."),
    "swap": N_("{name} swaps a gem for one of another player's."),
    "levy": N_("A levy: {name} gives {other} a gem."),
    "vault": N_("Scoring {colour}: {name} uses a vault, or saves it."),
}
LEVY_TO_YOU = N_("A levy: {name} gives you a gem.")
DEALING = "One moment: gem cards are dealt …"
OPENING = "One moment: the top event card is opened …"
TURNING = "One moment: the top event card is turned over …"
TOSSING = "One moment: chance says who makes the first offer …"
CHOSEN_WAITING = N_("Your choice is sealed. Waiting for {names} …")

# --- what is asked ---

CALL_CHOOSE = "Choose an action card in secret, as in {example}"
CALL_OPEN = "Make {name} a first offer for {action}, as in {example}"
CALL_ANSWER = "{name} offers {gems} for {action}: accept, or more"
CALL_EVENT = "Take an event card: open, or face-down"
CALL_FREE = "Free Choice: take two gems, as in {example}"
CALL_JEWELS = "Jewel box: take three gems, as in {example}"
CALL_SWAP = "Swap a gem, as in {example}"
CALL_LEVY = "Levy: give {name} a gem, as in {example}"
CALL_VAULT = "Use a vault for {colour}, or save it"
PROMPT_CHOOSE = "action> "
PROMPT_TRADE = "offer> "

KEYS_LIST = N_("up/down, Enter")
KEYS_OFFER = N_("left/right, Space or up/down, Enter")
KEYS_SWAP = N_("left/right, up/down, Enter")

OFFER_IT = N_("offer")
ACCEPT_IT = N_("accept")
SWAP_IT = N_("swap")
YOUR_OFFER = N_("Your offer:")
GIVE_GEM = N_("You give")
TO_WHOM = N_("to")
FOR_GEM = N_("for")

WHAT_MONEY = N_("{money} money")
WHAT_EVENT = N_("{card}, or the top face-down one")
WHAT_FREE = N_("two gems as you like")
TAKE_OPEN = N_("open: {card}")
TAKE_FACE_DOWN = N_("face-down: one of {count}, unseen")
USE = N_("use it: nothing goes back")
SAVE = N_("save it: {count} {colour} go back")

CONFIRM_CHOOSE = N_("Choose {action}? Enter seals it, Esc goes back.")
CONFIRM_OFFER = N_("Offer {gems} for {action}? Enter offers it, Esc goes back.")
CONFIRM_ACCEPT = N_("Take {gems}, and leave {action} to {name}? Enter accepts, Esc goes back.")
CONFIRM_OPEN = N_("Take the open event card, {card}? Enter takes it, Esc goes back.")
CONFIRM_FACE_DOWN = N_("Take a face-down event card, unseen? Enter takes it, Esc goes back.")
CONFIRM_TAKE = N_("Take {gems}? Enter takes them, Esc goes back.")
CONFIRM_SWAP = N_("Give {name} a {give} gem for a {take} one? Enter does it, Esc goes back.")
CONFIRM_GIVE = N_("Give {name} a {colour} gem? Enter gives it, Esc goes back.")
CONFIRM_USE = N_("Use a vault for {colour}? Enter does it, Esc goes back.")
CONFIRM_SAVE = N_("Save the vault, and give {count} {colour} back? Enter does it, Esc goes back.")

FORESEEN_CHOOSE = N_(
    "{action}: {what}. Two who choose it trade for it; of three or more nobody gets anything."
)
FORESEEN_OFFER = N_("{gems}, a sum of {sum}: {name} takes them and leaves {action} to you, or offers more.")
FORESEEN_FORCED = N_(
    "{gems}, a sum of {sum}: {name} cannot offer more, takes them, and you perform {action}."
)
TOO_LOW = N_(
    "{gems}, a sum of {sum}, is too low: it takes more than {count} gems, or {count} with more than {least}."
)
NOTHING_MARKED = N_("Mark the gems of your offer: Space adds one of the colour.")
FORESEEN_ACCEPT = N_("You take {gems}; {name} performs {action}: {what}.")
FORESEEN_CARD = N_("{card}: {what}.")
FORESEEN_FACE_DOWN = N_("Nobody knows which; the deck holds {cards}.")
FORESEEN_GEMS = N_("You would have {gems}.")
FORESEEN_MOST = N_("You would have {gems}, and most {colours}.")
FORESEEN_USE = N_("You keep all your {colour} gems; the vault is used up.")
FORESEEN_SAVE = N_("{count} {colour} go back; the vault stays for a later colour of this scoring.")

ADVICE = "Hint: {action}. {why}."
ACCEPT_WORD = "accept"
SWAP_LINE = "a {give} gem to {name} for a {take} one"
MORE_OFFERS = N_("… and {count} higher ones, up to number {last}; any offer can be typed, as in {example}.")

USAGE = (
    (N_("arrows"), N_("while nothing is typed: go through what you can choose; Enter chooses")),
    (N_("Space"), N_("in an offer: one more gem of the colour; up and down change how many")),
    ("money", N_("choose an action card: money, event, gems, with five players free")),
    ("r2 b1", N_("offer two red gems and a blue one (2 red 1 blue and rrb are the same)")),
    ("accept", N_("take the gems offered, and leave the action to the other")),
    ("open", N_("take the open event card; face-down takes the top one of the deck")),
    ("r y", N_("when asked: take a red gem and a yellow one")),
    ("r 1 b", N_("when asked: swap a red gem for a blue one of seat 1; a name is understood too")),
    ("red", N_("when asked: give a red gem")),
    ("use", N_("when asked: use a vault; save keeps it for later")),
    ("7", N_("the seventh of what moves lists")),
    (
        "C V +R xR",
        N_(
            "event cards in the table: certificate, vault, red surcharge, red doubler; now is what a scoring would pay"
        ),
    ),
)
"""What can be typed, for the page of help."""

# --- what is explained ---

NO_NUMBER = "There is no move {number}: the list goes from 1 to {count}."
NO_NUMBER_HINT = "Type moves to see them."
NOT_NOW = "That cannot be decided now."
NO_ACTION = "There is no action card {text} in this game."
ACTIONS = "There is: {actions}."
SAY_INSTEAD = "Type what is asked, as in {example}; moves lists all."
WHICH_GEMS = "Which gems? {text} says none."
GEMS_EXAMPLE = "Type colours and numbers, as in {example}."
NOT_YOURS = "You do not have {gems}."
YOU_HAVE = "You have {own}."
TOO_LOW_TYPED = "{gems} is too low: {name} offers {standing}."
TOO_LOW_HINT = "It takes more gems, or as many with a higher sum: red counts 4, yellow 3, green 2, blue 1."
NO_OFFER_YET = "There is no offer to accept yet: you make the first one."
CANNOT_TAKE = "{gems} cannot be taken now."
TAKE_TWO = "Take two gems that the supply has."
TAKE_THREE = "Take three gems of three different colours."
CANNOT_SWAP = "That swap cannot be made."
SWAP_HINT = "Say your gem, whose, and theirs, as in {example}."
ONE_GEM = "Give one gem, as in {example}."

# --- how it stands, in words ---

HOLDS_OWN = N_("You: {money} money; {gems}; event cards: {cards}.")
HOLDS = N_("{name}: {money} money; {gems}; event cards: {cards}.")
HAS_RESIGNED = N_("{name} has resigned.")
GEM_CARD_OWN = N_("Your gem card: {money} money, or {gems}.")
GEM_CARD = N_("{name}'s gem card: {money} money, or {gems}.")
NOW_PAID = N_("If it were scored now: {payouts}.")
NOW_COLOUR = N_("{colour}: {payouts}")
NOW_CERTIFICATES = N_("certificates: {payouts}")
PAID_ONE = N_("{name} {money}")
NOBODY = N_("nobody")
LIES_OUT = N_("Open event card: {card}: {what}. {count} face-down, {discards} discarded. Supply: {supply}.")
LIES_NONE = N_("No event card lies open. {count} face-down, {discards} discarded. Supply: {supply}.")
ROUND_WORDS = N_("Pass {passing} of {passes}, round {round} of {rounds}; a scoring follows each pass.")
RANKED = N_("{place}. {name}: {money} money.")
SCORED_IN = N_("Scoring {number}: {payouts}.")
TRADES = N_("Trades: {count}; performed after one, and gems taken instead: {trades}.")
TRADED = (N_("you {performed} and {taken}"), N_("{name} {performed} and {taken}"))

# --- how games end ---

OUTCOMES = {
    RICHEST: N_("The richest after three scorings wins."),
    RESIGNATION: N_("All others resigned."),
    STANDSTILL: N_("There is no more public chance."),
}
YOU_RESIGNED = "You resigned."
ALL_RESIGNED = "All resigned."

# --- events: (of the own player, of another) ---

ROUND = "Pass {passing} of {passes}, round {round}. Gem cards: {cards}."
ROUND_CARD = N_("{name} {money} or {gems}")
EVENT_OPENED = "The open event card is {card}: {what}."
SHUFFLED = "The event deck is made of {number} used cards anew."
OPENED = "All action cards are opened: {choices}."
OPENED_ONE = N_("{name} {action}")
LAPSED = "{action}: nothing happens for {names}."
TRADE_OPENED = ("{action}: you and {other} trade, and you make the first offer.",
                "{action}: {name} and {other} trade, and {name} makes the first offer.")  # fmt: skip
OFFER_MADE = ("You offer {gems}.", "{name} offers {gems}.")
ACCEPTED = ("You accept and take {gems}: {other} performs the action.",
            "{name} accepts and takes {gems}: {other} performs the action.")  # fmt: skip
ACCEPTED_FROM_YOU = "{name} accepts and takes {gems}: you perform the action."
FORCED = ("You cannot offer more and take {gems}: {other} performs the action.",
          "{name} cannot offer more and takes {gems}: {other} performs the action.")  # fmt: skip
FORCED_FROM_YOU = "{name} cannot offer more and takes {gems}: you perform the action."
MONEY_TAKEN = ("You get {money} money.", "{name} gets {money} money.")
GEMS_TAKEN = ("You get {gems} from the supply.", "{name} gets {gems} from the supply.")
TOOK_OPEN = ("You take the open event card, {card}: {what}.",
             "{name} takes the open event card, {card}: {what}.")  # fmt: skip
TOOK_FACE_DOWN = ("You take a face-down event card, {card}: {what}.",
                  "{name} takes a face-down event card, {card}: {what}.")  # fmt: skip
SWAPPED = (
    "You give {other} a {gave} gem for a {took} one.",
    "{name} gives {other} a {gave} gem for a {took} one.",
)
SWAPPED_WITH_YOU = "{name} gives you a {gave} gem for a {took} one."
GAVE_YOU = "{name} gives you a {colour} gem."
GAVE = ("You give {other} a {colour} gem.", "{name} gives {other} a {colour} gem.")
SCORED = "Scoring {colour}: {payouts}."
SCORED_NOBODY = "Scoring {colour}: nobody has any."
RETURNED = ("You give back {count} {colour}.", "{name} gives back {count} {colour}.")
VAULT_USED = ("You use a vault and keep all {colour}.", "{name} uses a vault and keeps all {colour}.")
CERTIFICATES = "Scoring certificates: {payouts}. All event cards are given back."
CERTIFICATES_NOBODY = "Scoring certificates: nobody has any. All event cards are given back."
RESIGN = ("You resign and give all back.", "{name} resigns and gives all back.")


def called(seat: Seat, own: Seat | None, names: Sequence[str]) -> str:
    """What a seat is called: "you", if it is the own one."""
    return say(YOU) if seat == own else names[seat]


def paid_out(payouts: Sequence[Payout], own: Seat | None, names: Sequence[str]) -> str:
    """Who gets how much: "you 14, Bob 4"; nobody, if so."""
    parts = [say(PAID_ONE, name=called(seat, own, names), money=money) for seat, money in payouts]
    return ", ".join(parts) or say(NOBODY)


def tell(event: Event, own: Seat | None, names: Sequence[str]) -> str:
    """An event as the player of seat ``own`` is told it (None: as an onlooker is)."""

    def by(templates: tuple[str, str], seat: Seat, **values: object) -> str:
        return say(templates[seat != own], name=names[seat], **values)

    def to(seat: Seat) -> str:
        return called(seat, own, names)

    match event:
        case happened.RoundBegun(passing, number, seats, cards):
            dealt = [
                say(
                    ROUND_CARD, name=to(seat), money=GEM_CARDS[card].money, gems=letters(GEM_CARDS[card].gems)
                )
                for seat, card in zip(seats, cards, strict=True)
            ]
            return say(ROUND, passing=passing, passes=PASSES, round=number, cards=", ".join(dealt))
        case happened.EventOpened(card):
            return say(EVENT_OPENED, card=event_card(card), what=what_it_does(card))
        case happened.EventsShuffled(used):
            return say(SHUFFLED, number=len(used))
        case happened.CardsChosen(seats, choices):
            chosen = [
                say(OPENED_ONE, name=to(seat), action=ACTION_NAMES[action])
                for seat, action in zip(seats, choices, strict=True)
            ]
            return say(OPENED, choices=", ".join(chosen))
        case happened.ActionLapsed(action, seats):
            return say(
                LAPSED, action=ACTION_NAMES[action], names=joined([to(seat) for seat in seats], say(AND))
            )
        case happened.TradeOpened(action, opener, other):
            return by(TRADE_OPENED, opener, action=ACTION_NAMES[action], other=to(other))
        case happened.OfferMade(seat, gems):
            return by(OFFER_MADE, seat, gems=gems_in_words(gems))
        case happened.OfferAccepted(seat, giver, gems, forced):
            if giver == own:
                template = FORCED_FROM_YOU if forced else ACCEPTED_FROM_YOU
                return say(template, name=names[seat], gems=gems_in_words(gems))
            return by(FORCED if forced else ACCEPTED, seat, gems=gems_in_words(gems), other=names[giver])
        case happened.MoneyTaken(seat, money):
            return by(MONEY_TAKEN, seat, money=money)
        case happened.GemsTaken(seat, gems):
            return by(GEMS_TAKEN, seat, gems=gems_in_words(gems))
        case happened.EventTaken(seat, card, face_down):
            templates = TOOK_FACE_DOWN if face_down else TOOK_OPEN
            return by(templates, seat, card=event_card(card), what=what_it_does(card))
        case happened.GemsSwapped(seat, gave, other, took):
            if other == own:
                return say(SWAPPED_WITH_YOU, name=names[seat], gave=gave.word, took=took.word)
            return by(SWAPPED, seat, other=names[other], gave=gave.word, took=took.word)
        case happened.GemGiven(seat, receiver, colour):
            if receiver == own:
                return say(GAVE_YOU, name=names[seat], colour=colour.word)
            return by(GAVE, seat, other=names[receiver], colour=colour.word)
        case happened.ColourScored(colour, payouts):
            if not payouts:
                return say(SCORED_NOBODY, colour=colour.word)
            return say(SCORED, colour=colour.word, payouts=paid_out(payouts, own, names))
        case happened.GemsReturned(seat, colour, count):
            return by(RETURNED, seat, count=count, colour=colour.word)
        case happened.VaultUsed(seat, colour):
            return by(VAULT_USED, seat, colour=colour.word)
        case happened.CertificatesScored(payouts):
            return (
                say(CERTIFICATES, payouts=paid_out(payouts, own, names))
                if payouts
                else say(CERTIFICATES_NOBODY)
            )
        case PlayerResigned(seat):
            return by(RESIGN, seat)
        case _:
            return ""
