"""Run a cheating bcnet, or print the tables of all cheats for docs/threats.md.

python -m tests.cheaters NAME host|join|resume …
python -m tests.cheaters NAME host --game edel --seats N …
python -m tests.cheaters
"""

from __future__ import annotations

import sys

import click

from tests.cheaters.cheats import cheat_of
from tests.cheaters.program import Lies, run
from tests.cheaters.tables import tables
from tests.relay.lies import lie_of

REHEARSAL = "--rehearsal"
SEATS = "--seats"
"""A host that lies about what it passes on says for how many it does."""

if __name__ == "__main__":
    match sys.argv[1:]:
        case [name, *arguments] if REHEARSAL in arguments:
            rehearsal = cheat_of(name).rehearsal
            assert rehearsal is not None
            run(rehearsal(), [each for each in arguments if each != REHEARSAL])
        case [name, *arguments] if SEATS in arguments:
            seats = int(arguments[arguments.index(SEATS) + 1])
            run(Lies(lie_of(name).make(seats)), arguments)
        case [name, *arguments]:
            run(cheat_of(name).make(), arguments)
        case _:
            click.echo(tables())
