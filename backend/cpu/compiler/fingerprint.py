"""Causes of a kernel's native code besides its text: our generator, Numba, LLVM, and the host's processor."""

from __future__ import annotations

import os
from functools import cache
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path

from ...disk_cache.installation import add_sources

CODE_FOLDERS = (Path(__file__).parents[1], Path(__file__).parents[2] / "math", Path(__file__).parents[2] / "llvm")
"""The places of the modules that turn kernel text into native code."""


_remembered: dict[tuple[str, ...], bytes] = {}
"""By Numba's variables, the fingerprint that another process of this installation made."""


def remember(fingerprint: bytes) -> None:
    """Takes the word of another process, so that this one imports no LLVM to find a kernel."""
    _remembered[_variables()] = fingerprint


def _variables() -> tuple[str, ...]:
    """The settings that Numba reads by itself: optimisation level, vectorisation, processor name and more."""
    return tuple(sorted(f"{name}={value}" for name, value in os.environ.items() if name.startswith("NUMBA_")))


@cache
def code_fingerprint() -> bytes:
    """A digest of everything that shapes native code; the same for every supported Python.

    Whole folders count, so no list of relevant files can fall behind. Numba is not imported.
    """
    variables = _variables()
    if variables in _remembered:
        return _remembered[variables]
    import llvmlite
    import llvmlite.binding as llvm

    digest = blake2b(digest_size=20)
    for folder in CODE_FOLDERS:
        add_sources(digest, folder)
    features = llvm.get_host_cpu_features().flatten()
    facts = (llvmlite.__version__, _numba_version(), llvm.get_process_triple(), llvm.get_host_cpu_name(), features)
    digest.update("\0".join((*facts, *variables)).encode())
    return digest.digest()


def _numba_version() -> str:
    """Numba's version file as text, found without importing numba; empty where it is not installed."""
    spec = find_spec("numba")
    if spec is None or spec.origin is None:
        return ""
    version_file = Path(spec.origin).with_name("_version.py")
    if version_file.exists():
        return version_file.read_text()
    from importlib.metadata import version  # slower: it searches every installed distribution

    return version("numba")
