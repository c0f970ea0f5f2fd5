"""``bcnet demo``: two real processes play over loopback, and what they leave behind is verified."""

from __future__ import annotations

from pathlib import Path

import click

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
def demo(count: int, out: Path | None) -> int:
    """Let two bots play over the network on this machine, and verify the transcripts.

    Host and guest are two processes of this program, as on two machines. Their transcripts end up in DIR/host and
    DIR/guest; without --out in a new folder here.
    """
    from bcnet.cli.pair import play_and_verify
    from bcnet.cli.running import run

    return run(lambda _: play_and_verify(count, out))
