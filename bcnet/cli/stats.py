"""``bcnet stats``: what the games of a home add up to."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bcnet.cli.files import Progress
from bcnet.cli.options import home_option, locate

if TYPE_CHECKING:
    from bcnet.scorebook import LeftOut, Played, Sums, Tally


@click.command()
@click.option("--rebuild", is_flag=True, help="Verify all transcripts again, also those that are known.")
@click.option("--json", "as_json", is_flag=True, help="Print the same for machines.")
@home_option
def stats(home: Path | None, *, rebuild: bool, as_json: bool) -> None:
    """Say what your games add up to: opponents, wins, streaks, lengths.

    Only finished games whose transcript verifies as clean count. Opponents are told apart by their keys and called by
    the name they had last. What was verified is remembered (scorebook.sqlite in bcnet's folder), so that the next time
    is quick; the transcripts alone count, and the file can be removed at any time.
    """
    from bcnet.scorebook import Scorebook, add_up

    place = locate(home)
    finished = place.finished()
    games: list[Played] = []
    left_out: list[LeftOut] = []
    if finished:
        with Scorebook(place.scorebook_path) as scorebook, Progress(len(finished)) as progress:
            games, left_out = scorebook.games(finished, rebuild=rebuild, progress=progress.add)
    sums = add_up(games)
    if as_json:
        out = [{"file": str(each.path), "verdict": each.verdict.value} for each in left_out]
        click.echo(json.dumps({**sums.as_json(), "left_out": out}, indent=2, ensure_ascii=False))
        return
    if not sums.tally.games:
        click.echo(f"There are no finished games with others in {place.path} yet.")
    for line in _told(sums, left_out):
        click.echo(line)


def _told(sums: Sums, left_out: list[LeftOut]) -> Iterator[str]:
    if sums.tally.games:
        yield f"{_tally(sums.tally)}."
    if sums.streak is not None:
        result, count = sums.streak
        yield f"Streak: the last {f'{count} games were' if count > 1 else 'game was'} {result}."
        yield f"Longest winning streak: {sums.longest}."
    if sums.moves is not None:
        shortest, median, longest = sums.moves
        yield f"Moves in a game: {shortest} to {longest}, median {median:g}."
    for each in sums.opponents:
        day = time.strftime("%Y-%m-%d", time.localtime(each.last))
        yield f"{each.fingerprint}  {each.player.name}"
        yield f"    {_tally(each.tally)}; last on {day}"
    if sums.with_oneself:
        yield f"Not counted: {_games(sums.with_oneself)} with yourself."
    for out in left_out:
        yield f"Not counted: {out.path} ({out.verdict.value})"


def _tally(tally: Tally) -> str:
    share = f" ({tally.share:.0%} won)" if tally.share is not None else ""
    return f"{_games(tally.games)}: {tally.won} won, {tally.drawn} drawn, {tally.lost} lost{share}"


def _games(count: int) -> str:
    return f"{count} game{'' if count == 1 else 's'}"
