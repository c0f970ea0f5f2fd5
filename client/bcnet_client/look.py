"""How the console behaves, as a player wants it: each field is an option of the commands that show it.

Importing this is cheap; nothing that draws is needed to know what is wanted.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Look:
    """What a player wants of the console."""

    chat: bool = True
    """Whether the players can write to each other."""
    bell: bool = True
    """Whether it rings when the own player is asked."""
    title: bool = True
    """Whether the terminal's title says that the own player is asked."""
    plain: bool = False
    """Lines instead of a screen, also in a terminal."""
    confirm: bool = True
    """Whether the screen asks before a decision is final."""
    mouse: bool = False
    """Whether the screen takes the mouse; then the terminal's own selecting and copying needs Shift."""
