"""The number of threads that large kernels run on, where nobody has said it."""

from __future__ import annotations

import os
from pathlib import Path

_QUOTA = Path("/sys/fs/cgroup/cpu.max")
"""Microseconds of processor time that a container may use in a period, and the period. Source: Linux, cgroup-v2."""


def default_threads() -> int:
    """The number of threads that OMP_NUM_THREADS says, else the number of cores that this process may use."""
    first = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    return max(int(first), 1) if first.isdecimal() else usable_cores()


def usable_cores() -> int:
    """The number of cores that the system lets this process keep busy, one at least."""
    found = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = _QUOTA.read_text().split()
    except (OSError, ValueError):  # another system, or another version of its control groups
        return found
    if not (quota.isdecimal() and period.isdecimal() and int(period)):  # "max": no limit
        return found
    return max(min(found, int(quota) // int(period)), 1)
