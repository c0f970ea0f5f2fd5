"""``bcnet completion``: shells complete bcnet's commands and options, once or for good.

For good means a script where the shell looks for such, and for bash and zsh a few marked lines in the file that every
new shell reads. Whatever else stands in that file stays as it is, to the byte, and its rights; a second time changes
nothing. What was set up is taken away without a trace.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from bcnet.errors import UsageError, visible
from bcnet.language import N_, _

VARIABLE = "_BCNET_COMPLETE"
"""By this a shell asks."""
MARKS = (b"# >>> bcnet completion >>>", b"# <<< bcnet completion <<<")
"""Between these stand bcnet's lines in a file of the player's."""

_RETRY = N_("Mend that and try again.")
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
    changes = [_script_to(place.script, text.encode())]
    if place.start is not None:
        lines = _READ[shell].format(file=shlex.quote(str(place.script)))
        block = b"\n".join((MARKS[0], os.fsencode(lines), MARKS[1]))
        content = _content(place.start)
        changes.append(_Change(place.start, content, _with(block, content, place.start)))
    done = _make(changes)
    click.echo(_("Every new shell completes bcnet now.") if done else _("It was set up already."))


def _uninstall(place: Place) -> None:
    changes = [_script_to(place.script, None)]
    if place.start is not None:
        content = _content(place.start)
        changes.insert(0, _Change(place.start, content, _without(content, place.start)))
    if not _make(changes):
        click.echo(_("It was not set up."))


@dataclass(frozen=True, slots=True)
class _Change:
    """A file that is to be made, changed or removed, unless it is as it should be."""

    path: Path
    before: bytes | None
    after: bytes | None
    """None where there is no file."""

    def refuse(self) -> None:
        """Raise `UsageError` if the player does not want that file changed: a rename asks for no right to write it."""
        if self.before is not None and not os.access(self.path, os.W_OK):
            raise UsageError(
                N_("{path} is read-only; it was left as it is."),
                hint=N_("Make it writable (chmod u+w) and try again; nothing was changed."),
                path=self.path,
            )

    def make(self) -> None:
        """Change the file, where a link leads. Raises `StorageError`."""
        from bcnet.files import rewrite, storage_errors

        target = Path(os.path.realpath(self.path))
        if self.after is None:
            with storage_errors("remove", self.path, _RETRY):
                target.unlink()
            click.echo(_("Removed: {path}").format(path=visible(self.path)))
            return
        with storage_errors("write", self.path, _RETRY):
            target.parent.mkdir(parents=True, exist_ok=True)
            rewrite(target, [self.after], 0o644)
        click.echo(_("Written: {path}").format(path=visible(self.path)))


def _make(changes: Sequence[_Change]) -> bool:
    """Make those that are none yet; gives whether there was one. All are looked at before the first is made."""
    changes = [change for change in changes if change.before != change.after]
    for change in changes:
        change.refuse()
    for change in changes:
        change.make()
    return bool(changes)


def _script_to(path: Path, after: bytes | None) -> _Change:
    """The script made, or removed. Raises `UsageError` if what is there is somebody else's."""
    before = _content(path)
    if before is not None and VARIABLE.encode() not in before:
        raise UsageError(
            N_("{path} does not come from here; it was left as it is."),
            hint=N_("Move it away, and try again."),
            path=path,
        )
    return _Change(path, before, after)


def _content(path: Path) -> bytes | None:
    """What stands in a file; None if there is none. Raises `StorageError`."""
    from bcnet.files import storage_errors

    with storage_errors("read", path, _RETRY):
        try:
            return path.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None


# What stands before bcnet's lines in a file says what the file was like, so that it can be so again: nothing where the
# file was made for them, else an empty line, and one with a blank where the last line had no end. So a last line that
# is to be continued, or is not ended, swallows nothing of them.
_AFTER_A_LINE, _AFTER_AN_OPEN_LINE = b"\n", b"\n \n"


def _with(block: bytes, content: bytes | None, path: Path) -> bytes:
    """The file with bcnet's lines: where they stood, else at its end."""
    if content is None:
        return block + b"\n"
    if (found := _parts(content, path)) is not None:
        before, after = found
        return before + block + after
    is_open = content and not content.endswith(b"\n")
    return content + (_AFTER_AN_OPEN_LINE if is_open else _AFTER_A_LINE) + block + b"\n"


def _without(content: bytes | None, path: Path) -> bytes | None:
    """The file as it would be without bcnet's lines; None if there would be none."""
    if content is None or (found := _parts(content, path)) is None:
        return content
    before, after = found
    after = after.removeprefix(b"\n")
    if not before and not after:
        return None
    if before.endswith(_AFTER_AN_OPEN_LINE):
        before = before.removesuffix(_AFTER_AN_OPEN_LINE)
    elif before == _AFTER_A_LINE or before.endswith(b"\n" + _AFTER_A_LINE):
        before = before.removesuffix(_AFTER_A_LINE)
    is_open = before and not before.endswith(b"\n")
    return before + (b"\n" if is_open and after else b"") + after


def _parts(content: bytes, path: Path) -> tuple[bytes, bytes] | None:
    """What stands before and after bcnet's lines; None where there are none. Raises `UsageError`."""
    first, last = MARKS
    counts = content.count(first), content.count(last)
    if counts == (0, 0):
        return None
    before, _mark, rest = content.partition(first)
    _lines, end, after = rest.partition(last)
    if counts != (1, 1) or not end:
        raise UsageError(
            N_("The lines of bcnet in {path} are not as they were made; the file was left as it is."),
            hint=N_("Remove them with an editor (they are marked: {mark}), and try again."),
            path=path,
            mark=first.decode(),
        )
    return before, after
