"""Where bcnet's files lie on this machine: what was asked for, else what is usual on the platform.

Knows names and the environment; touches no file.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

HOME_VARIABLE = "BCNET_HOME"
SETTINGS_FILE = "settings.toml"

_PROGRAM = "bcnet"


def asked_for(option: Path | None, environment: Mapping[str, str] = os.environ) -> Path | None:
    """The folder that ``--home`` names, else ``BCNET_HOME``; None if neither does."""
    if option is not None:
        return absolute(option)
    if variable := environment.get(HOME_VARIABLE):
        return absolute(Path(variable))
    return None


def usual() -> Path:
    """The platform's folder for data: ``~/.local/share/bcnet``, ``~/Library/Application Support/bcnet``."""
    from platformdirs import user_data_path

    return user_data_path(_PROGRAM, appauthor=False)


def settings_file(option: Path | None, environment: Mapping[str, str] = os.environ) -> Path:
    """The file with the settings: in the folder that was asked for, else in the platform's folder for configuration
    (``~/.config/bcnet``, ``~/Library/Application Support/bcnet``).
    """
    folder = asked_for(option, environment)
    if folder is None:
        from platformdirs import user_config_path

        folder = user_config_path(_PROGRAM, appauthor=False)
    return folder / SETTINGS_FILE


def absolute(path: Path) -> Path:
    """The whole path, with ``~`` for somebody's own folder."""
    with suppress(RuntimeError):  # ~ of somebody who does not exist: then it is a name like any other
        path = path.expanduser()
    return path.absolute()
