"""``bcnet id`` and ``bcnet players``: who one is, and whom one has met."""

from __future__ import annotations

from pathlib import Path

import click

from bcnet.cli import program, settings
from bcnet.cli.options import home_option, locate, player_name
from bcnet.errors import visible
from bcnet.language import _


@click.command("id")
@click.option("--name", type=player_name, metavar="NAME", help="Be called NAME from now on.")
@click.option("--export", is_flag=True, help="Print the public part of the key (PEM) and nothing else.")
@home_option
@click.pass_context
def identity(context: click.Context, name: str | None, home: Path | None, *, export: bool) -> None:
    """Show who you are to others: your name and your key.

    The key is made on first use. Others know you by its fingerprint; the name is only what they see you called.
    """
    from bcnet.identity import public_pem

    place = locate(home)
    key = place.identity()
    chosen = settings.in_force(context)
    if name is not None:
        place.set_name(name)
        if chosen.values.get("name") not in {None, name}:
            click.echo(_("{path} says otherwise, and holds.").format(path=visible(chosen.path)), err=True)
    if export:
        click.echo(public_pem(key.public), nl=False)
        return
    from bcnet.cli.play import own_name

    click.echo(f"{_('name'):<5} {chosen.values.get('name') or own_name(place)}")
    click.echo(f"{_('key'):<5} {key.fingerprint}")


@click.group(invoke_without_command=True)
@home_option
@click.pass_context
def players(context: click.Context, home: Path | None) -> None:
    """List the players you have met, by name and key.

    A known name that comes with another key is refused. If your friend really has a new key (on a new machine, say),
    forget the old one: bcnet players forget NAME
    """
    context.obj = home or context.obj
    if context.invoked_subcommand is not None:
        return
    known = locate(home).players.all()
    if not known:
        click.echo(_("You have met nobody yet."))
    for each in known:
        called = _("{name}, also {others}") if each.names[1:] else "{name}"
        names = called.format(name=each.name, others=", ".join(each.names[1:]))
        click.echo(f"{each.fingerprint}  {names}")
        met = _("met {first}, last on {last}").format(first=each.first_met.date(), last=each.last_met.date())
        click.echo(f"    {met}")


@players.command()
@click.argument("who", metavar="NAME|KEY")
@home_option
@click.pass_context
def forget(context: click.Context, who: str, home: Path | None) -> None:
    """Forget a player: by name, or by key where several have had the name.

    Whoever comes by that name next is a first meeting.
    """
    place = locate(home or context.obj)
    place.prepare()
    gone = place.players.forget(who)
    said = _("{name}, key {fingerprint}, is forgotten.")
    click.echo(said.format(name=gone.name, fingerprint=gone.fingerprint))
    again = _("To meet again: {command}, and compare the keys.")
    click.echo(again.format(command=f"{program.at_home(place)} host"))
