"""What holds for every test."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from bcnet import files

# Deadlines measure the machine. In CI the examples are the same each time, so that a red run means a change.
settings.register_profile(
    "bcnet", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.register_profile("bcnet-ci", settings.get_profile("bcnet"), derandomize=True, database=None)
settings.load_profile("bcnet-ci" if os.environ.get("CI") else "bcnet")


# Whoever started this may have signals ignored (nohup, a shell's background job); programs of the tests inherit that.
for number, handler in ((signal.SIGHUP, signal.SIG_DFL), (signal.SIGINT, signal.default_int_handler)):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, handler)


@pytest.fixture(scope="session", autouse=True)
def no_trace_of_this_machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test reads or writes the home folder of whoever runs it, nor goes through a proxy.

    Seeds of the tests are always the same, so each worker has its own folder for passing files, where they are locked.
    """
    with pytest.MonkeyPatch.context() as patch:
        passing = tmp_path_factory.mktemp("passing")
        patch.setattr(files, "passing_folder", lambda: passing)
        patch.setenv("BCNET_HOME", str(tmp_path_factory.mktemp("bcnet-home")))
        patch.delenv("BCNET_PROG", raising=False)
        patch.setenv("BCNET_LANG", "en")  # whatever the machine speaks
        for name in ("http_proxy", "https_proxy", "all_proxy", "grpc_proxy", "no_proxy", "no_grpc_proxy"):
            patch.delenv(name, raising=False)
            patch.delenv(name.upper(), raising=False)
        yield
