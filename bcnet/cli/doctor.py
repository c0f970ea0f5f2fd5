"""``bcnet doctor``: whether a friend could reach this machine, and what would stop him."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from bcnet.cli import program
from bcnet.cli.options import home_option, listen_address, locate


@click.command()
@click.option(
    "--listen",
    type=listen_address,
    default="",
    metavar="ADDR:PORT",
    help="Where bcnet host would wait; as there, by default.",
)
@home_option
def doctor(listen: str, home: Path | None) -> int:
    """Find out what would stop a friend from joining you.

    Listens as bcnet host does, tries to reach itself on every address of this machine, looks for firewalls, and says
    what to send to your friend. Exit code 69 if nobody could come.
    """
    from bcnet.cli.running import run, say
    from bcnet.errors import Exit
    from bcnet.language import _, told
    from bcnet_client.address import DEFAULT_PORT, parse_address, written
    from bcnet_host.doctor import examine

    address = parse_address(listen, listening=True)
    place = locate(home)
    place.prepare()
    identity = place.identity()

    async def look() -> int:
        say(_("This takes some seconds …"))
        diagnosis = await examine(address, identity)
        for finding in diagnosis.findings:
            say(f"{told(finding.weight.word):<5} {told(finding.text)}")
            if finding.advice:
                say(f"      {told(finding.advice)}")
        say()
        if not diagnosis.is_well:
            say(_("As it is, nobody could join you."))
            return Exit.NETWORK
        options = f" --listen {shlex.quote(listen)}" if listen else ""
        say(_("To play, start: {command}").format(command=f"{program.at_home(place)} host{options}"))
        say(
            _(
                "Send your friend the line that it shows. It will have the address that leads here, most likely"
            )
        )
        for way in diagnosis.ways:
            # A port that was free by chance will be another one next time.
            port = way.port if address.port else DEFAULT_PORT
            say(f"  {written(way.host, port) if address.port else way.host}")
        return Exit.OK

    return run(lambda _deadline: look())
