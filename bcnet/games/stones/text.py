"""What a player can read about the game: the rules on one page, and how moves are written."""

from __future__ import annotations

from bcnet.errors import Phrase

RULES = Phrase("""\
STONES, for two to four

Lay your twelve stones, three each of red, black, grey and white, where they bring most points. Nothing is
hidden, and nothing is left to chance but who starts. What is marked * is a house rule: the source of the
game does not say it, and we have filled it in.

THE FIELD  It begins with the first stone and grows. All stones together never span more than 6 by 6 with
two players, 7 by 7 with three, 8 by 8 with four*; where the middle is, the stones decide.

YOUR TURN  Lay one stone next to at least one other, side to side*. Then the next player is on turn. If you
can lay something you must; if not, you are passed over, and may lay again later.

LAYING RULES
1. No stone lies next to one of its own colour.
2. No stone, the new one or an old one, has more than two neighbours of one colour.
3. At most three stones of one colour lie in an unbroken diagonal*.

POINTS  The first stone of the game scores 10. Every other scores for each neighbour, all added up*;
a row for the stone that you lay, a column for the neighbour:

         red  black  grey  white
  red      -     12     8     10
  black   11      -     5      7
  grey     9      6     -      3
  white    4      2     1      -

(All values * but that red at black is the best pair and white at grey the poorest.) Your own last stone of
a colour scores double, so four of your stones do*.

THE END  When all stones are laid, or nobody can lay one. Most points win; who has equally many shares the
win*. A player may resign at any time. With two players the other wins; with more the others go on without
the stones that the one who left still had, and the last one left has won*.

WITH PENALTIES  Agreed before the game; otherwise the table checks every stone. You may lay a stone against
the laying rules (but next to another, and within the field). After every stone all others say at once
whether they object. Does anybody, and the stone breaks a rule, it is taken back with its points and costs
10 points; you lay it again by the rules if that is possible. A stone that nobody objects to stays. Two
neighbours of one colour bring nothing*, and an objection without ground costs nothing*. If nothing fits by
the rules you may pass*.
""")

NOTATION = Phrase("""\
lay red 2 -1    lay a red stone in column 2, row -1
pass            nothing fits by the rules (with penalties)
object          the stone just laid breaks a rule
agree           it may lie

The first stone of the game lies at 0 0: column 0, row 0. Columns count to the right and rows upwards; to the
left of the first stone and below it they are negative. Only with penalties does anybody pass, object or
agree.
""")
