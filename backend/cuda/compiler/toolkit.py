"""The places of the parts of NVIDIA's toolkit: in its packages for Python, else in the toolkit that the system has."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from ....core.records import dataclass

NOTES = ".dist-info"
_PACKAGE = re.compile(r"nvidia_(nvvm|nvjitlink|cuda_nvcc)(_cu\d+)?")


@dataclass(frozen=True, slots=True)
class ToolkitFile:
    """One file of the toolkit.

    names:   it has one of them.   wheels, system: folders below those of the packages, and of the system's toolkit.
    """

    names: tuple[str, ...]
    wheels: tuple[str, ...]
    system: tuple[str, ...]


def found_in(part: ToolkitFile) -> Iterator[Path]:
    """The places where a part lies, the packages' first."""
    for roots, folders in ((_package_folders(), part.wheels), (_system_folders(), part.system)):
        for root in roots:
            for folder in folders:
                yield from (path for name in part.names if (path := root / folder / name).exists())


@cache
def _package_folders() -> tuple[Path, ...]:
    spec = find_spec("nvidia")
    return () if spec is None else tuple(Path(each) for each in spec.submodule_search_locations or ())


@cache
def _system_folders() -> tuple[Path, ...]:
    """The folders that variables name, else the usual one."""
    named = [each for name in ("CUDA_HOME", "CUDA_PATH") if (each := os.environ.get(name))]
    return tuple(Path(each) for each in named or ("/usr/local/cuda",))


@cache
def package_versions() -> dict[str, str]:
    """The versions of NVIDIA's packages that make code, by name.

    They are read off the names of the packages' notes: to ask Python's own register of packages takes longer than to
    load a kernel.
    """
    found = {}
    for folder in _package_folders():
        for name in os.listdir(folder.parent):
            package, _, version = name.removesuffix(NOTES).partition("-")
            if name.endswith(NOTES) and _PACKAGE.fullmatch(package):
                found[package.replace("_", "-")] = version
    return found
