"""Kernel text to PTX by Numba CUDA, to which guardlift's own emitter is held. Importing this imports no numba."""

from __future__ import annotations

import inspect
import re
from functools import cache
from importlib.util import find_spec
from typing import Any

from ....core.errors import KernelError

NVVM_OPTIONS = {"opt": 3, "fma": 0, "ftz": 0, "prec_div": 1, "prec_sqrt": 1}
MISSING = "gl.config.kernel_compiler is 'numba', and there is no numba-cuda: pip install 'guardlift[numba-cuda]'"
_ENTRY = re.compile(r"\.visible \.entry (\w+)\(")


def compiled(text: str, symbol: str, filename: str, capability: tuple[int, int]) -> tuple[str, int]:
    """The PTX of a text that defines `kernel`, with the entry `symbol`, and the number of its parameters.

    Errors: KernelError when numba-cuda is missing or the text does not compile, with the reason.
    """
    if find_spec("numba_cuda") is None:  # numba itself still brings a numba.cuda, an older one
        raise KernelError(MISSING)
    import_numba_cuda()
    from .numba_functions import namespace_for

    namespace = namespace_for(text)
    exec(compile(text, filename, "exec"), namespace)
    kernel = namespace["kernel"]
    kernel.__name__ = kernel.__qualname__ = symbol
    parameters = len(inspect.signature(kernel).parameters)
    ptx = _ptx(kernel, parameters, capability, filename)
    entry = _ENTRY.search(ptx)
    if entry is None:
        raise KernelError(f"the PTX of {filename} has no entry")
    return ptx.replace(entry.group(1), symbol), parameters


@cache
def import_numba_cuda() -> None:
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
