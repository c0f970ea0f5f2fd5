"""Verifies the files that are named, on one core, in a process of its own that scripts/lib/bench.py starts.

Each file three times, the least counts: what else the machine does can only add to it. Prints the seconds by the clock
and of the processor for all files, and the peak memory in bytes.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from bcnet.fairness.group import on_this_core
from bcnet.several import verify_files

RUNS = 3


def took(path: Path) -> tuple[float, float]:
    """The seconds for one file, by the clock and of the processor."""
    began, busy = time.perf_counter(), time.process_time()
    for _ in verify_files([path]):
        pass
    return time.perf_counter() - began, time.process_time() - busy


def peak_bytes(pid: int) -> int:
    """The most memory that a process has had in use so far (Linux); 0 where the system does not tell."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    return int(status.split("VmHWM:")[1].split()[0]) * 1024


if __name__ == "__main__":
    on_this_core()
    runs = [[took(Path(name)) for _ in range(RUNS)] for name in sys.argv[1:]]
    clock, processor = (sum(min(run[which] for run in file) for file in runs) for which in (0, 1))
    print(clock, processor, peak_bytes(os.getpid()))
