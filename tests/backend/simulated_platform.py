"""Pretends to be another platform, named by the first argument, and then runs the program that is the second."""

from __future__ import annotations

import ctypes.util  # noqa: F401  # what guardlift builds on is loaded as on this machine
import os
import sys
from collections import namedtuple
from collections.abc import Callable
from typing import Any

import bytecode  # noqa: F401
import jinja2  # noqa: F401
import ml_dtypes  # noqa: F401
import networkx  # noqa: F401
import numba  # noqa: F401
import numpy  # noqa: F401
import rich.console  # noqa: F401

Version = namedtuple("Version", "major minor micro releaselevel serial")


def _without(module: Any, *names: str) -> None:
    for name in names:
        if hasattr(module, name):
            delattr(module, name)


def _system(name: str, machine: str) -> None:
    sys.platform = name
    real = tuple(os.uname())
    os.uname = lambda: os.uname_result((*real[:4], machine))  # type: ignore[attr-defined]


def _windows() -> None:
    """CPython 3.13 and older have no `sys.abiflags` there."""
    sys.platform = "win32"
    os.environ["PROCESSOR_ARCHITECTURE"] = "AMD64"
    _without(os, "uname", "register_at_fork", "sched_getaffinity", "getuid", "fork")
    _without(sys, "abiflags")


def _free_threaded() -> None:
    sys.abiflags, sys._is_gil_enabled = "t", lambda: True  # type: ignore[attr-defined]  # numba turned it on


def _version(minor: int) -> None:
    sys.version_info = Version(3, minor, 0, "final", 0)  # type: ignore[assignment]
    sys.version = f"3.{minor}.0 (main)"


PLATFORMS: dict[str, Callable[[], None]] = {
    "this": lambda: None,
    "Linux on ARM": lambda: _system("linux", "aarch64"),
    "macOS": lambda: _system("darwin", "arm64"),
    "Windows": _windows,
    "free-threaded": _free_threaded,
    "debug": lambda: setattr(sys, "abiflags", "d"),
    "32 bits": lambda: setattr(sys, "maxsize", 2**31 - 1),
    "big-endian": lambda: setattr(sys, "byteorder", "big"),
    "PyPy": lambda: setattr(sys.implementation, "name", "pypy"),
    "CPython 3.99": lambda: _version(99),
}

if __name__ == "__main__":
    PLATFORMS[sys.argv[1]]()
    exec(sys.argv[2], {"__name__": "__main__"})
