"""The number of threads that large kernels run on, where nobody has said it; and what CPython does badly on several."""

from __future__ import annotations

import ast
import os
from pathlib import Path

from .locks import ForkSafeLock

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


TRIES = 100


def parsed(text: str, filename: str = "<unknown>", mode: str = "exec") -> ast.AST:
    """`ast.parse`, also beside other threads that call it.

    CPython 3.11 counts in one place for all threads how deep it is in a tree that it makes. It raises SystemError where
    another thread has counted meanwhile, as may be when memory is collected; nothing is wrong with the text then.
    Errors: SyntaxError for text that is not Python's.
    """
    with _lock:
        for _ in range(TRIES - 1):
            try:
                return ast.parse(text, filename, mode)
            except SystemError:
                continue
        return ast.parse(text, filename, mode)


_lock = ForkSafeLock()
