"""What a player can read about the game: the rules on one page, and how moves are written."""

from __future__ import annotations

from bcnet.errors import Phrase

RULES = Phrase("""\
BALLOON CUP, for two

Win three of the five trophies. A trophy costs cubes of its colour; cubes are won at the four tiles.

              red  yellow  green  blue  grey
  cubes        13      11      9     7     5     in the bag at first
  cards        13      11      9     7     5     values from 1 to 13
  trophy        7       6      5     4     3     cubes to pay

THE TABLE  Tile 1 takes one cube, tile 4 four. Each tile shows plains or mountain. Each player has a side
of every tile and eight cards in hand. A coin says who starts.

YOUR TURN
1. Play one card next to a tile, on your side or on the other's. A side takes as many cards of each colour
   as there are cubes of that colour on the tile. While any card fits anywhere you must play, even where it
   only helps the other player.
2. If both sides of the tile are full it is scored. On a mountain the higher sum wins, on plains the lower;
   if the sums are equal, whoever laid the last card wins. The winner takes the cubes. The tile is flipped
   and filled again; if the bag holds too few cubes for it, it leaves the game.
3. Draw a card. Is the pile empty, the discards are shuffled.
4. Now the other player is on turn; after a scoring it is the one who lost it, which can be you again.

NOTHING FITS?  Show your hand, discard none to four cards and draw as many. If a card fits now, play it. If
not, show your hand again, and the turn passes. If you discard nothing the turn passes at once.

TROPHIES  Whoever wins a tile and has the cubes for a free trophy takes it at once, in the order of the
table above. After that the winner, then the other player, and so on in turn, may pay for trophies with
three for one: each missing cube is replaced by three cubes of one colour whose trophy is already taken, by
whomever. The trophy's own cubes are used first. Nobody must do this, and what you decline now you may do
later. Paid cubes are out of the game. A trophy is never lost; a third one wins at once.

A DRAW  At the start of a turn the game is drawn if no card can ever be played again (no-play-left), if
neither player can still reach three trophies, counting only cubes on tiles that can still be filled
(no-third-trophy), or after four passes in a row with nothing exchanged (standstill). A player may resign at
any time; the other wins.

FILLING TILES  Agreed before the game. designer: never three or four grey, nor four blue cubes on one tile.
blind: as they come. capped: on all tiles together at most 2 grey, 3 blue, 4 green, 5 yellow, 6 red. A draw
that breaks the limit goes back into the bag; where no draw could keep it, it does not count.
""")

NOTATION = Phrase("""\
play r13 2 0               lay the red 13 next to tile 2, on the side of seat 0
exchange r1 e4             nothing fits: discard red 1 and grey 4 and draw two
exchange                   nothing fits: discard nothing, and the turn passes
pass                       still nothing fits after an exchange
claim blue blue=3 red=3    take the blue trophy for three blue cubes and, for the fourth, three red ones
decline                    claim nothing now

A card is the letter of its colour and its value: r red, y yellow, g green, b blue, e grey.
""")
