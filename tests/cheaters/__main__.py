"""Run a cheating bcnet, or print the tables of all cheats for docs/threats.md.

python -m tests.cheaters NAME host|join|resume …
python -m tests.cheaters
"""

from __future__ import annotations

import sys

import click

from tests.cheaters.cheats import cheat_of
from tests.cheaters.program import run
from tests.cheaters.tables import tables

REHEARSAL = "--rehearsal"

if __name__ == "__main__":
    match sys.argv[1:]:
        case [name, *arguments] if REHEARSAL in arguments:
            rehearsal = cheat_of(name).rehearsal
            assert rehearsal is not None
            run(rehearsal(), [each for each in arguments if each != REHEARSAL])
        case [name, *arguments]:
            run(cheat_of(name).make(), arguments)
        case _:
            click.echo(tables())
