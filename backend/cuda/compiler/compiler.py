"""Kernel text to PTX, by Numba CUDA's front end and NVVM; needs no GPU. Importing this module does not import numba.

Arithmetic is IEEE's: no contraction but where a scalar function allows it, division and square root rounded correctly,
subnormals kept.
"""

from __future__ import annotations

import inspect
import linecache
import os
import re
from functools import cache, lru_cache
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ....core.errors import KernelError
from ....core.records import dataclass

NVVM_OPTIONS = {"opt": 3, "fma": 0, "ftz": 0, "prec_div": 1, "prec_sqrt": 1}
MISSING = "CUDA kernels need numba-cuda and its toolkit: pip install 'guardlift[cuda13]'"
PREFIX = "guardlift_"
_NOTES = ".dist-info"
_SHAPES_CODE = re.compile(r"numba_cuda|nvidia_(nvvm|nvjitlink|cuda_nvcc)(_cu\d+)?")
_ENTRY = re.compile(r"\.visible \.entry (\w+)\(")


@dataclass(frozen=True, slots=True)
class DeviceCode:
    """PTX, the name of its entry, and how many parameters (int64 each) that takes."""

    ptx: str
    entry: str
    parameters: int


@lru_cache(maxsize=512)
def compile_text(text: str, capability: tuple[int, int] = (9, 0)) -> DeviceCode:
    """The PTX of a text that defines `kernel`, whose parameters are int64. The text is registered as `<cuda DIGEST>`.

    Errors: KernelError when numba-cuda is missing or the text does not compile, with the reason.
    """
    name = entry_of(text)
    filename = f"<cuda {name.removeprefix(PREFIX)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    if find_spec("numba_cuda") is None:  # numba itself still brings a numba.cuda, an older one
        raise KernelError(MISSING)
    _import_numba_cuda()
    from .numba_functions import namespace_for

    namespace = namespace_for(text)
    exec(compile(text, filename, "exec"), namespace)
    kernel = namespace["kernel"]
    kernel.__name__ = kernel.__qualname__ = name
    parameters = len(inspect.signature(kernel).parameters)
    ptx = _ptx(kernel, parameters, capability, filename)
    entry = _ENTRY.search(ptx)
    if entry is None:
        raise KernelError(f"the PTX of {filename} has no entry")
    return DeviceCode(ptx.replace(entry.group(1), name), name, parameters)


def entry_of(text: str) -> str:
    """The name of the kernel that a text becomes."""
    return PREFIX + blake2b(text.encode(), digest_size=6).hexdigest()


@cache
def _import_numba_cuda() -> None:
    """Imports it. It asks NumPy for `row_stack` then, which NumPy 2.5 has no more: for so long it is there again.

    Errors: KernelError when it cannot be imported."""
    import numpy as np

    missing = not hasattr(np, "row_stack")
    if missing:
        np.row_stack = np.vstack
    try:
        import numba.cuda.compiler
        import numba.cuda.cudaimpl  # noqa: F401  # by which it is asked for
    except (ImportError, AttributeError) as error:
        raise KernelError(f"numba-cuda cannot be imported: {error}") from error
    finally:
        if missing:
            del np.row_stack


@cache
def compiler_versions() -> str:
    """The compiler's packages with versions, such as ``numba-cuda 0.30.4, nvidia-nvvm 13.0.88``; empty without it.

    They are those of the folder that numba-cuda lies in, by the names of their notes there: to ask Python's own
    register of packages takes longer than to load a kernel.
    """
    spec = find_spec("numba_cuda")
    if spec is None or spec.origin is None:
        return ""
    found = {"numba-cuda": ""}
    for name in os.listdir(Path(spec.origin).parents[1]):
        package, _, version = name.removesuffix(_NOTES).partition("-")
        if name.endswith(_NOTES) and _SHAPES_CODE.fullmatch(package):
            found[package.replace("_", "-")] = version
    return ", ".join(f"{package} {version}".strip() for package, version in sorted(found.items()))


def _ptx(kernel: Any, parameters: int, capability: tuple[int, int], filename: str) -> str:
    from numba.cuda import types
    from numba.cuda.compiler import compile_cuda, kernel_fixup
    from numba.cuda.core.errors import NumbaError

    from .nvvm_builder import target

    arguments = (types.int64,) * parameters
    before = target.set(capability)
    try:
        result = compile_cuda(kernel, types.void, arguments, cc=capability, nvvm_options=dict(NVVM_OPTIONS))
    except NumbaError as error:
        raise KernelError(f"Numba refused {filename}:\n{error}") from error
    finally:
        target.reset(before)
    library = result.library
    kernel_fixup(library.get_function(result.fndesc.llvm_func_name), False)
    return str(library.get_asm_str(cc=capability))
