"""Digests of guardlift's own code and of what makes native code, remembered for the mark of the installation."""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from ...core.config import config
from ..disk_cache.installation import ROOT, add_sources, installation_mark
from ..disk_cache.kernel_store import KernelStore

MAGIC = b"GLIFTSEL"
SUFFIX = ".seal"
_BYTES = 20
_FLOORS = ("core", "ops", "graph", "loop_ir", "backend")
"""The folders whose code has a part in what becomes of graphs."""
_ABOVE = ("autograd", "frontend", "guards", "nn", "optim", "runtime", "tensor", "tools")
"""The folders whose code besides has a part in what becomes of functions."""


class Seal(NamedTuple):
    """Digests, each of 20 bytes.

    kernels: of all that shapes native code (see `fingerprint.code_fingerprint`).   graphs: of that, and of our code for
    graphs.   functions: of these, and of all other code of ours.
    """

    kernels: bytes
    graphs: bytes
    functions: bytes


_mark = cache(installation_mark)
_known: list[Seal] = []


def seal() -> Seal:
    """The digests of this installation on this machine."""
    found = remembered_seal()
    if found is None:
        mark = _mark() if config.artifact_cache else b""
        found = _made()
        _known.append(found)
        if mark:
            KernelStore(config.cache_folder, SUFFIX, MAGIC).write(mark.hex(), b"".join(found))
    return found


def remembered_seal() -> Seal | None:
    """The digests, if they are known without reading everything. Whoever looks for kernels is told of them."""
    if _known:
        return _known[0]
    mark = _mark() if config.artifact_cache else b""
    found = KernelStore(config.cache_folder, SUFFIX, MAGIC).read(mark.hex()) if mark else None
    if found is None or len(found) != 3 * _BYTES:
        return None
    from ..cpu.compiler import fingerprint

    known = Seal(found[:_BYTES], found[_BYTES : 2 * _BYTES], found[2 * _BYTES :])
    fingerprint.remember(known.kernels)
    _known.append(known)
    return known


def _made() -> Seal:
    from ..cpu.compiler.fingerprint import CODE_FOLDERS, code_fingerprint

    kernels = code_fingerprint()
    elsewhere = (*CODE_FOLDERS, ROOT / "backend" / "cuda")  # in the fingerprint already, or no part of any artifact
    graphs = _digest(kernels, _FLOORS, elsewhere)
    return Seal(kernels, graphs, _digest(graphs, _ABOVE, ()))


def _digest(first: bytes, floors: tuple[str, ...], elsewhere: tuple[Path, ...]) -> bytes:
    """A digest of the source of whole floors."""
    state = blake2b(first, digest_size=_BYTES)
    for floor in floors:
        add_sources(state, ROOT / floor, elsewhere)
    return state.digest()
