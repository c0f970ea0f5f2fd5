"""``bcnet demo``: real processes play over loopback, and what they leave behind is verified."""

from __future__ import annotations

from pathlib import Path

import click

from bcnet.cli.agreeing import terms_of, terms_options
from bcnet.cli.options import NamedPath


@click.command()
@click.option(
    "--games",
    "count",
    type=click.IntRange(1, 1000),
    default=1,
    show_default=True,
    metavar="N",
    help="How many.",
)
@click.option("--out", type=NamedPath(file_okay=False), metavar="DIR", help="Where the transcripts go.")
@terms_options
def demo(
    count: int,
    out: Path | None,
    game: str,
    seats: int | None,
    *,
    private_hands: bool,
    **chosen: str,
) -> int:
    """Let bots play over the network on this machine, and verify the transcripts.

    Host and guests are processes of this program, as on machines of their own: two, or with --seats as many as are to
    play. Their transcripts end up in DIR/host and DIR/guest; without --out in a new folder here.

    \b
    bcnet demo
    bcnet demo --game edel --seats 5
    """
    terms = terms_of(game, seats, chosen, private_hands=private_hands, fewest=True)

    from bcnet.cli.pair import play_and_verify
    from bcnet.cli.running import run

    return run(lambda _: play_and_verify(terms, count, out))
