"""``bcnet replay``: step through a finished game."""

from __future__ import annotations

from pathlib import Path

import click

from bcnet.cli.options import NamedPath
from bcnet.cli.output import put_out
from bcnet.errors import Phrase, visible
from bcnet.language import _, told


@click.command()
@click.argument("file", type=NamedPath())
@click.option(
    "--plain/--no-plain",
    default=False,
    show_default=True,
    help="Print every step once as lines, also in a terminal.",
)
@click.option(
    "--html",
    "page",
    type=NamedPath(),
    metavar="OUT",
    help="Write one page for a browser to OUT instead.",
)
@click.option("--force", is_flag=True, help="Replace OUT if it is there already.")
def replay(file: Path, *, plain: bool, page: Path | None, force: bool) -> int:
    """Step through a finished game, both hands open.

    Cards and draws that were secret when they happened are marked with *. On a terminal: right and left (or space, n
    and p) step, a number and Enter jump to a move, Page Up and Down go ten moves, Home and End to both ends; a lets
    the game go on by itself, up and down scroll what has happened, q leaves. Without a terminal every step is printed.

    The file is verified first. What is cheated or incomplete says so at the beginning, and is shown as far as it can
    be known. Exit codes as of `bcnet verify`.

    The page of --html holds everything: it fetches nothing, needs no network and can be sent to anybody.
    """
    import asyncio

    from bcnet.replay import play_back
    from bcnet.verify import examine_file

    playback = play_back(*examine_file(file))
    if page is not None:
        from bcnet_client.page import page_of

        playback.check_shown()
        if put_out(page_of(playback), page, Phrase("the page"), force=force):
            click.echo(told(playback.verdict))
            click.echo(_("The game is in {path}: open it in a browser.").format(path=visible(page)))
        return playback.report.verdict.exit_code
    from bcnet_client.console import replaying

    asyncio.run(replaying.run(playback, plain=plain))
    return playback.report.verdict.exit_code
