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
from bcnet.errors import visible
from bcnet.language import _, ngettext, told

if TYPE_CHECKING:
    from bcnet.scorebook import LeftOut, Played, Result, Sums, Tally


@click.command()
@click.option("--rebuild", is_flag=True, help="Verify all transcripts again, also those that are known.")
@click.option("--json", "as_json", is_flag=True, help="Print the same for machines.")
@home_option
def stats(home: Path | None, *, rebuild: bool, as_json: bool) -> None:
    """Say what your games add up to: opponents, wins, streaks, lengths.

    Only finished games whose transcript verifies as clean count, and none in which one player had several seats.
    Opponents are told apart by their keys and called by the name they had last. What was verified is remembered
    (scorebook.sqlite in bcnet's folder), so that the next time is quick; the transcripts alone count, and the file can
    be removed at any time.
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
    if not sums.tally.games and not sums.several_seats:
        click.echo(
            _("There are no finished games with others in {path} yet.").format(path=visible(place.path))
        )
    for line in _told(sums, left_out):
        click.echo(line)


def _told(sums: Sums, left_out: list[LeftOut]) -> Iterator[str]:
    if sums.tally.games:
        yield f"{_tally(sums.tally)}."
    if sums.streak is not None:
        result, count = sums.streak
        yield _streak(result, count)
        yield _("Longest winning streak: {count}.").format(count=sums.longest)
    if sums.moves is not None:
        shortest, median, longest = sums.moves
        yield _("Moves in a game: {shortest} to {longest}, median {median:g}.").format(
            shortest=shortest, longest=longest, median=median
        )
    for each in sums.opponents:
        day = time.strftime("%Y-%m-%d", time.localtime(each.last))
        yield f"{each.fingerprint}  {each.player.name}"
        yield "    " + _("{tally}; last on {date}").format(tally=_tally(each.tally), date=day)
    if sums.several_seats:
        yield _("Not counted, for one player had several seats: {games}.").format(
            games=_games(sums.several_seats)
        )
    for out in left_out:
        yield _("Not counted: {path} ({verdict})").format(
            path=visible(out.path), verdict=told(out.verdict.word)
        )


def _streak(result: Result, count: int) -> str:
    match result.value:
        case "won":
            text = ngettext(
                "Streak: you won the last game.", "Streak: you won the last {count} games.", count
            )
        case "lost":
            text = ngettext(
                "Streak: you lost the last game.", "Streak: you lost the last {count} games.", count
            )
        case _:
            text = ngettext(
                "Streak: the last game was drawn.", "Streak: the last {count} games were drawn.", count
            )
    return text.format(count=count)


def _tally(tally: Tally) -> str:
    text = (
        _("{games}: {won} won, {drawn} drawn, {lost} lost")
        if tally.share is None
        else _("{games}: {won} won, {drawn} drawn, {lost} lost ({share:.0%} won)")
    )
    return text.format(
        games=_games(tally.games), won=tally.won, drawn=tally.drawn, lost=tally.lost, share=tally.share
    )


def _games(count: int) -> str:
    return ngettext("{count} game", "{count} games", count).format(count=count)
