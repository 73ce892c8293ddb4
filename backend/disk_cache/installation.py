"""A mark of this installation and this machine that is quick to take, and that changes whenever either may have."""

# Note [Marks]
# What compiled code depends on besides the program is the text of our own modules, the libraries that make native code,
# and the processor. To read all of that takes longer than to run a small program. So it is read once, and remembered
# under a mark: for each file its size, its inode and the times of its last changes, as CPython's own cache of bytecode
# goes by the size and one of these times; and what the system says of the processor. Nobody can set the time of a
# change of status back, so a file that was edited gives another mark. One that was only touched does, too: then
# everything is read again, and found to be as it was.

from __future__ import annotations

import os
import sys
from hashlib import blake2b
from importlib.util import find_spec
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[2]
"""The package's own folder."""
LIBRARIES = ("llvmlite", "numba")
"""The libraries that make native code; only the processes that make some import them."""
_CPU_FACTS = Path("/proc/cpuinfo")
_CHANGING = ("cpu MHz", "bogomips", "BogoMIPS", "processor", "apicid", "initial apicid", "core id", "physical id")
"""Facts about a processor that tell nothing of its instructions, and differ from core to core."""


def installation_mark() -> bytes:
    """The mark; empty where the system does not say which processor it runs on."""
    try:
        facts = [*_processor(), *variables(), sys.version, np.__version__]
        facts += [_stamp(entry.path, entry.stat()) for entry in python_files(str(ROOT))]
        for name in LIBRARIES:
            spec = find_spec(name)
            found = None if spec is None else spec.origin
            facts += [f"no {name}"] if found is None else [found, *_stamps(Path(found).parent)]
        facts += _stamps(Path(np.__file__).parent)
    except OSError:
        return b""
    return blake2b("\0".join(facts).encode("utf-8", "surrogateescape"), digest_size=20).digest()


def variables() -> list[str]:
    """The variables of the environment by which the libraries choose other code."""
    return sorted(f"{name}={value}" for name, value in os.environ.items() if name.startswith(("NUMBA_", "NPY_")))


def _processor() -> list[str]:
    """The lines of the system about the first core. Errors: OSError."""
    first = _CPU_FACTS.read_text(errors="replace").partition("\n\n")[0]
    return [line for line in first.splitlines() if line.partition("\t")[0].strip() not in _CHANGING]


def python_files(folder: str) -> list[os.DirEntry[str]]:
    """The Python files below a folder, in an order that depends on their names alone."""
    found, waiting = list[os.DirEntry[str]](), [folder]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            here = sorted(entries, key=attrgetter("name"))
        folders = []
        for entry in here:
            name = entry.name
            if name.endswith(".py"):
                found.append(entry)
            elif name.isidentifier() and name not in _NO_PART and entry.is_dir(follow_symlinks=False):
                folders.append(entry.path)
        waiting.extend(reversed(folders))
    return found


def add_sources(digest: Any, folder: Path, left_out: tuple[Path, ...] = ()) -> None:
    """Takes the names and the text of all Python files below a folder into a digest: no file can be forgotten.

    left_out: folders below it whose files do not count.
    """
    beginnings = tuple(f"{each}{os.sep}" for each in left_out)
    for entry in python_files(str(folder)):
        if not entry.path.startswith(beginnings):
            digest.update(f"\0{entry.path.removeprefix(str(ROOT))}\0".encode())
            with open(entry.path, "rb", buffering=0) as file:
                digest.update(file.read())


_NO_PART = frozenset({"tests", "docs", "examples", "benchmarks", "__pycache__"})
"""Folders of a checkout that are no part of the package."""


def _stamps(folder: Path) -> list[str]:
    """Lines for the files that name a library's version, and for its folder."""
    names = ("", "__init__.py", "_version.py", "version.py")
    return [_stamp(str(path), path.stat()) for path in (folder / name for name in names) if path.exists()]


def _stamp(path: str, status: os.stat_result) -> str:
    return f"{path} {status.st_size} {status.st_ino} {status.st_mtime_ns} {status.st_ctime_ns}"
