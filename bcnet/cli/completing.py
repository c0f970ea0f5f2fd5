"""``bcnet completion``: shells complete bcnet's commands and options, once or for good.

For good means a script where the shell looks for such, and for bash and zsh a few marked lines in the file that every
new shell reads. Whatever else stands in that file stays as it is, to the byte; a second time changes nothing.
"""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from pathlib import Path

import click

from bcnet.errors import UsageError
from bcnet.language import N_, _

VARIABLE = "_BCNET_COMPLETE"
"""By this a shell asks."""
MARKS = (b"# >>> bcnet completion >>>", b"# <<< bcnet completion <<<")
"""Between these stand bcnet's lines in a file of the player's."""

_OURS = b"_BCNET_COMPLETE"
_RETRY = N_("Mend that and try again; nothing else was changed.")
_READ = {
    # Older ones, such as that of macOS, know less than the script asks of them.
    "bash": "if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)) && [ -r {file} ]; then . {file}; fi",
    "zsh": "(( $+functions[compdef] )) || {{ autoload -Uz compinit && compinit -i; }}\n"
    "if [[ -r {file} ]]; then . {file}; fi",
}
"""How the file that every new shell reads gets to the script."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the completion of a shell is kept."""

    script: Path
    start: Path | None
    """The file that every new shell reads; None where the shell finds the script by itself."""


def place_of(shell: str) -> Place:
    """Where it goes for whoever runs this."""
    home = Path.home()
    data = _folder("XDG_DATA_HOME", home / ".local/share")
    if shell == "bash":
        return Place(data / "bash-completion/completions/bcnet", home / ".bashrc")
    if shell == "zsh":
        return Place(data / "zsh/site-functions/_bcnet", _folder("ZDOTDIR", home) / ".zshrc")
    return Place(_folder("XDG_CONFIG_HOME", home / ".config") / "fish/completions/bcnet.fish", None)


def _folder(variable: str, usual: Path) -> Path:
    given = Path(os.environ.get(variable, ""))
    return given if given.is_absolute() else usual


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.option("--install", is_flag=True, help="Set it up for good, for you alone.")
@click.option("--uninstall", is_flag=True, help="Take away what --install has set up.")
@click.pass_context
def completion(context: click.Context, /, shell: str, *, install: bool, uninstall: bool) -> None:
    """Make SHELL complete bcnet's commands and options.

    \b
    bcnet completion bash --install        for good; says what it has changed
    bcnet completion bash --uninstall      and takes it away again
    eval "$(bcnet completion bash)"        for this shell alone (zsh likewise)
    bcnet completion fish | source         the same for fish
    """
    if install and uninstall:
        raise click.UsageError(_("--install and --uninstall cannot go together."))
    place = place_of(shell)
    if uninstall:
        _uninstall(place)
        return
    text = _script(context.find_root().command, shell)
    if install:
        _install(place, shell, text)
    else:
        click.echo(text)


def _script(command: click.Command, shell: str) -> str:
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    assert found is not None
    return found(command, {}, "bcnet", VARIABLE).source()


def _install(place: Place, shell: str, text: str) -> None:
    _refuse_strange(place.script)
    changed = _put(place.script, text.encode())
    if place.start is not None:
        lines = _READ[shell].format(file=shlex.quote(str(place.script)))
        block = b"\n".join((MARKS[0], lines.encode(), MARKS[1]))
        before, after = _around(place.start)
        changed |= _put(place.start, before + b"\n" + block + b"\n" + after)
    click.echo(_("Every new shell completes bcnet now.") if changed else _("It was set up already."))


def _uninstall(place: Place) -> None:
    from bcnet.files import storage_errors

    if place.start is not None and place.start.exists():
        before, after = _around(place.start)
        _put(place.start, before + after)
    if place.script.exists():
        _refuse_strange(place.script)
        with storage_errors("remove", place.script, _RETRY):
            place.script.unlink()
        click.echo(_("Removed: {path}").format(path=place.script))


def _refuse_strange(path: Path) -> None:
    """Raise `UsageError` if the script is somebody else's."""
    if path.exists() and _OURS not in _content(path):
        raise UsageError(
            N_("{path} does not come from here; it was left as it is."),
            hint=N_("Move it away, and try again."),
            path=path,
        )


def _content(path: Path) -> bytes:
    from bcnet.files import storage_errors

    with storage_errors("read", path, _RETRY):
        try:
            return path.read_bytes()
        except FileNotFoundError:
            return b""


def _around(path: Path) -> tuple[bytes, bytes]:
    """What stands before and after bcnet's lines; all of it before where there are none. Raises `UsageError`."""
    content = _content(path)
    first, last = MARKS
    counts = content.count(first), content.count(last)
    if counts == (0, 0):
        # Their first line is empty: a last line that is to be continued, or is not ended, swallows nothing of them.
        return content + (b"\n" if content and not content.endswith(b"\n") else b""), b""
    before, _mark, rest = content.partition(first)
    _lines, end, after = rest.partition(last)
    if counts != (1, 1) or not end:
        raise UsageError(
            N_("The lines of bcnet in {path} are not as they were made; the file was left as it is."),
            hint=N_("Remove them with an editor (they are marked: {mark}), and try again."),
            path=path,
            mark=first.decode(),
        )
    return before.removesuffix(b"\n"), after.removeprefix(b"\n")


def _put(path: Path, content: bytes) -> bool:
    """Write a file, where a link leads, with the rights it had, unless it says so already; gives whether it was
    written. Raises `StorageError`.
    """
    from bcnet.files import storage_errors, write_over

    if path.exists() and _content(path) == content:
        return False
    with storage_errors("write", path, _RETRY):
        path.parent.mkdir(parents=True, exist_ok=True)
        target = Path(os.path.realpath(path))
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o644
        write_over(target, [content], mode)
    click.echo(_("Written: {path}").format(path=path))
    return True
