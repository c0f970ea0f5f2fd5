"""``bcnet replay``: step through a finished game."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--plain", is_flag=True, help="Print every step once as lines, also in a terminal.")
def replay(file: Path, *, plain: bool) -> int:
    """Step through a finished game, both hands open.

    Cards and draws that were secret when they happened are marked with *. On a terminal: right and left (or space, n
    and p) step, a number and Enter jump to a move, Page Up and Down go ten moves, Home and End to both ends; a lets
    the game go on by itself, up and down scroll what has happened, q leaves. Without a terminal every step is printed.

    The file is verified first. What is cheated or incomplete says so at the beginning, and is shown as far as it can
    be known. Exit codes as of `bcnet verify`.
    """
    import asyncio

    from bcnet.replay import play_back
    from bcnet.verify import examine_file
    from bcnet_client.console import replaying

    playback = play_back(*examine_file(file))
    asyncio.run(replaying.run(playback, plain=plain))
    return playback.report.verdict.exit_code
