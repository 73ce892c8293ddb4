"""Kernel text to PTX, by guardlift's own emitter of LLVM IR and libNVVM or, where a setting says so, by Numba CUDA.

Arithmetic is IEEE's: no contraction but where a scalar function allows it, division and square root rounded correctly,
subnormals kept. Needs no GPU. Importing this module imports neither llvmlite nor numba; compiling imports llvmlite.
"""

from __future__ import annotations

import linecache
import os
import re
from functools import cache, lru_cache
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path

from ....core.config import config
from ....core.records import dataclass
from .nvvm import LIBRARY
from .toolkit import NOTES, found_in, package_versions

PREFIX = "guardlift_"
_BOUND = re.compile(r"# blocks of (\d+) threads at most\n")
"""The beginning of the text of a kernel for large blocks: see `launch_grid.with_bound`."""
_ENTRY = re.compile(r"(\.entry\s+\w+\([^)]*\))\s*(?=\{)")


@dataclass(frozen=True, slots=True)
class DeviceCode:
    """PTX, the name of its entry, and how many parameters (int64 each) that takes."""

    ptx: str
    entry: str
    parameters: int


def compile_text(text: str, capability: tuple[int, int] = (9, 0)) -> DeviceCode:
    """The PTX of a text that defines `kernel`, whose parameters are int64. The text is registered as `<cuda DIGEST>`.

    Errors: KernelError when the compiler is missing or the text does not compile, with the reason.
    """
    return _compiled(text, capability, config.kernel_compiler)


@lru_cache(maxsize=512)
def _compiled(text: str, capability: tuple[int, int], maker: str) -> DeviceCode:
    name = entry_of(text)
    filename = f"<cuda {name.removeprefix(PREFIX)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    if maker == "numba":
        from .numba_compiler import compiled
    else:
        from .nvvm_compiler import compiled
    ptx, parameters = compiled(text, name, filename, capability)
    bound = _BOUND.match(text)
    if bound is not None:
        ptx = _ENTRY.sub(rf"\1\n.maxntid {bound[1]}\n.minnctapersm 1\n", ptx, count=1)
    return DeviceCode(ptx, name, parameters)


def entry_of(text: str) -> str:
    """The name of the kernel that a text becomes; another text has another one."""
    return PREFIX + blake2b(text.encode(), digest_size=16).hexdigest()


def compiler_versions() -> str:
    """The compiler's packages with versions, such as ``nvidia-nvjitlink 13.0.88, nvidia-nvvm 13.0.88``; empty without
    a compiler. Of a toolkit of the system's it names the place of libNVVM."""
    return _versions(config.kernel_compiler)


@cache
def _versions(maker: str) -> str:
    found = dict(package_versions())
    if maker == "numba":
        spec = find_spec("numba_cuda")
        if spec is None or spec.origin is None:
            return ""
        folder = Path(spec.origin).parents[1]
        notes = (name for name in os.listdir(folder) if name.startswith("numba_cuda-") and name.endswith(NOTES))
        found["numba-cuda"] = next(notes, "").removesuffix(NOTES).partition("-")[2]
    else:
        place = next(iter(found_in(LIBRARY)), None)
        if place is None:
            return ""
        if not found:
            found["libnvvm"] = str(place.resolve())
    return ", ".join(f"{package} {version}".strip() for package, version in sorted(found.items()))
