"""What a player can read about the game: the rules on one page, and how moves are written."""

from __future__ import annotations

from bcnet.errors import Phrase

RULES = Phrase("""\
EDEL, STEIN & REICH, for three to five

Collect gems, and have most of a colour when it is paid. Everything lies open but what all choose in secret.
What is marked * is a house rule: the source of the game does not say it, and we have filled it in.

THE TABLE  22 gems in each of red, yellow, green and blue; money without limit*. Everybody starts with three
gems of each colour and has the action cards Money, Event and Gems; five players have Free Choice too. 30
gem cards show money, 4 to 7, and two to four gems*; there are 39 event cards*.

THREE PASSES of 8, 7 or 6 rounds with three, four or five players, and a scoring after each. For each pass the
gem cards are shuffled anew.

A ROUND  Each gets an open gem card. The top event card is opened and covers an older one that nobody took.
All choose an action card in secret and open them at once. Money is performed first, then Event, Gems, Free
Choice. An action that one has chosen is performed. Two who have chosen it trade. Of three or more nobody
gets anything.
  Money        as much as your gem card shows
  Event        the open event card, or the top one of the deck, unseen
  Gems         the gems on your gem card
  Free Choice  two gems as you like*
If the supply is short it gives what it has*.

A TRADE  Who has fewer red gems makes an offer of at least one own gem (if equal: fewer yellow, green, blue,
then less money, then chance*). The other accepts, or offers more: more gems, or as many with a higher sum of
red 4, yellow 3, green 2, blue 1*. Who cannot must accept*. Whoever accepts takes the gems; the one who
offered them performs the action. Has one no gems, the other begins; have both none, the action lapses*.

EVENT CARDS*  Some work at once and are discarded; the others lie before you until the next scoring.
  15 certificate            see below
   4 surcharge, one a colour  +6 if you win or share that colour
   4 doubler, one a colour    your own payout of that colour twice, before the surcharge
   4 vault                  give nothing back for one colour that you win or share
   3 cash                   at once: 8 money
   3 jewel box              at once: three gems of three colours
   3 swap                   at once: one gem of yours for one of any other player's
   3 levy                   at once: each other player in turn gives you a gem of their own choice
Is the deck empty, the discards and the covered cards are shuffled*.

A SCORING  In this order: red 14, yellow 12, green 10, blue 8. Who has most gems of the colour gets the payout
and gives half of them back, rounded up. Tied players divide it, rounded down*, and give back two each. Then
the certificates: most 10, second most 4. Tied for most divide 14, and there is no second; tied for second
divide 4; it takes at least one certificate*. Then all event cards are given back.

THE END  After the third scoring the richest wins; if equal, who has more red, yellow, green, blue gems; else
the win is shared*. A player may resign at any time, and gives all back. The others go on: an action card of
the one who left counts no more, and of two who traded the other performs the action. The last one left wins*.
""")

NOTATION = Phrase("""\
choose money          choose an action card: money, event, gems or free
offer red=1 blue=2    offer these gems
accept                take the gems offered
event open            take the open event card
event face-down       take the top one of the deck, unseen
take red=1 blue=1     take these gems from the supply (Free Choice, jewel box)
swap red 2 blue       give a red gem for a blue one of seat 2
give red              give a red gem (levy)
vault use             use a vault for the colour just paid
vault save            save it for a later colour

Gems are named in the order red, yellow, green, blue.
""")
