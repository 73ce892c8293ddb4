"""The platforms that native code is written for. On any other, nothing is compiled.

A new platform is a change of the records here and of what they name. Whether objects look as native code assumes is
asked of live objects, before the first plan (`backend/cpu/plan/cpython_api.py`).
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable

from ..core.errors import UnsupportedPlatformWarning
from ..core.once import once
from ..core.user_line import user_line

# Note [Requirements]
# CPython:   guards are bytecode, and plans read objects by CPython's layouts (guards/class_facts.py, table_layout.py).
# GIL:       a guard and the plan behind it run with nobody else in between; a free-threaded build also lays objects
#            out differently, and says so whether its GIL is on or not.
# release:   a debug build has more words in front of each object.
# 64 bits:   a word of a plan's table holds an address, an int64 or a float64, its low byte first.
# Linux:     kernels are ELF objects (compiler/elf.py), C functions are found in glibc's libraries (compiler/loader.py),
#            and helper threads sleep on its semaphores (runner/thread_team.py).
# x86-64:    no other processor has ever run a plan.


def _implementation() -> str:
    name = sys.implementation.name
    return "" if name == "cpython" else name


def _lock() -> str:
    return "a free-threaded build" if "t" in _build() else ""


def _release() -> str:
    return "a debug build" if "d" in _build() or hasattr(sys, "gettotalrefcount") else ""


def _build() -> str:
    """The letters for the kind of build. Source: sys.abiflags, PEP 3149; Windows before CPython 3.14 has none."""
    return getattr(sys, "abiflags", "")


def _words() -> str:
    if sys.maxsize <= 2**32:
        return "32-bit words"
    return "" if sys.byteorder == "little" else "words with the high byte first"


def _system() -> str:
    return "" if sys.platform == "linux" else {"darwin": "macOS", "win32": "Windows"}.get(sys.platform, sys.platform)


def _machine() -> str:
    machine = os.uname().machine if hasattr(os, "uname") else os.environ.get("PROCESSOR_ARCHITECTURE", "unknown")
    return "" if machine.lower() in ("x86_64", "amd64") else machine


REQUIREMENTS: tuple[tuple[str, Callable[[], str]], ...] = (
    ("CPython", _implementation),
    ("a build with the global interpreter lock", _lock),
    ("a release build", _release),
    ("64-bit words, low byte first", _words),
    ("Linux", _system),
    ("an x86-64 processor", _machine),
)
"""The needs of compiled functions, in the order of telling; and what there is instead, empty where one is met."""


@once
def why_unsupported() -> str:
    """Why nothing is compiled in this process, as words for a report; empty where this platform is supported."""
    unmet = [(needed, found) for needed, look in REQUIREMENTS if (found := look())]
    if not unmet:
        return ""
    needed, found = (" and ".join(words) for words in zip(*unmet, strict=True))
    return f"compiled code needs {needed}; found {found}"


@once
def warn_unsupported() -> None:
    """Tell the user, once a process, that nothing is compiled here."""
    line = user_line()
    message = (
        f"guardlift compiles nothing here: {why_unsupported()}. Jitted functions run as plain Python, with the same "
        "results. Set GUARDLIFT_DISABLE=1 to run so without this warning."
    )
    warnings.warn_explicit(message, UnsupportedPlatformWarning, line.file or "<unknown>", line.line)
