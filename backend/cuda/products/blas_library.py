"""cuBLASLt, NVIDIA's library of matrix products: its functions by name, and descriptors of one product.

It comes with NVIDIA's package nvidia-cublas, with PyTorch, or with the toolkit, and is asked of the process, of
cuda-pathfinder, and of the folders of such packages. Nothing here needs it to be there.
"""

from __future__ import annotations

import ctypes
import sys
import weakref
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ....core import dtypes
from ....core.dtypes import DType
from ....core.errors import CudaError

NAMES = ("libcublasLt.so.13", "libcublasLt.so.12")
"""The files of the major versions whose interface is the one that is used here."""
FOLDERS = ("nvidia/cu13/lib", "nvidia/cublas/lib", "torch/lib")
"""The folders in which packages for Python have it."""
WORKSPACE = 32 << 20
"""Units: bytes that a product may use beside its result."""

# The numbers below are those of cublasLt.h and library_types.h.
DATA_TYPES = {dtypes.float32: 0, dtypes.float64: 1, dtypes.float16: 2, dtypes.bfloat16: 14}
COMPUTE_32F, COMPUTE_64F, COMPUTE_TF32 = 68, 70, 77
TRANS_A, TRANS_B, EPILOGUE, BIAS_POINTER = 3, 4, 7, 8
EPILOGUE_BIAS = 4
BATCH_COUNT, BATCH_OFFSET = 5, 6
REDUCTION_SCHEMES, WORKSPACE_BYTES = 3, 1
ALIGNMENTS = (5, 6, 7, 8)
"""The attributes of a preference that say to what the addresses of A, B, C and D are multiples."""
REDUCED_IN_WORKSPACE = 2
"""CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE: parts of a sum lie in the workspace, and are added in order."""


class Heuristic(ctypes.Structure):
    """cublasLtMatmulHeuristicResult_t; its first 64 bytes are the algorithm."""

    _fields_ = (
        ("algorithm", ctypes.c_uint64 * 8),
        ("workspace", ctypes.c_size_t),
        ("state", ctypes.c_int),
        ("waves", ctypes.c_float),
        ("reserved", ctypes.c_int * 4),
    )


class BlasLibrary:
    """The functions of the library with a handle. Errors: CudaError where it does not begin."""

    def __init__(self, library: Any) -> None:
        self._library = library
        self.handle = ctypes.c_void_p()
        self("cublasLtCreate", ctypes.byref(self.handle))
        self.matmul = int(ctypes.cast(library.cublasLtMatmul, ctypes.c_void_p).value or 0)
        """The address of the function that multiplies."""
        self.set_product = int(ctypes.cast(library.cublasLtMatmulDescSetAttribute, ctypes.c_void_p).value or 0)
        """The address of the function that sets an attribute of a product."""

    def __call__(self, name: str, *arguments: Any) -> None:
        """Calls a function. Errors: CudaError."""
        status = self.status(name, *arguments)
        if status:
            raise CudaError(f"{name} of cuBLASLt failed with status {status}")

    def status(self, name: str, *arguments: Any) -> int:
        """The answer of a function: 0, or the number of an error."""
        return int(getattr(self._library, name)(*arguments))

    def made(self, owner: object, kind: str, *arguments: Any) -> ctypes.c_void_p:
        """A descriptor that is destroyed when its owner is. kind: ``MatmulDesc`` and its like."""
        found = ctypes.c_void_p()
        self(f"cublasLt{kind}Create", ctypes.byref(found), *arguments)
        weakref.finalize(owner, self.status, f"cublasLt{kind}Destroy", found).atexit = False
        return found

    def set(self, kind: str, descriptor: ctypes.c_void_p, attribute: int, value: Any) -> None:
        """Sets an attribute of a descriptor."""
        size = ctypes.c_size_t(ctypes.sizeof(value))
        self(f"cublasLt{kind}SetAttribute", descriptor, ctypes.c_int(attribute), ctypes.byref(value), size)

    def algorithm(
        self, owner: object, product: Any, layouts: list[ctypes.c_void_p], alignment: int
    ) -> Heuristic | None:
        """The library's choice for operands at multiples of `alignment` bytes; None where it has none."""
        preference = self.made(owner, "MatmulPreference")
        for attribute, value in (
            (WORKSPACE_BYTES, ctypes.c_size_t(WORKSPACE)),
            (REDUCTION_SCHEMES, ctypes.c_uint32(REDUCED_IN_WORKSPACE)),
            *((each, ctypes.c_uint32(alignment)) for each in ALIGNMENTS),
        ):
            self.set("MatmulPreference", preference, attribute, value)
        found, count = Heuristic(), ctypes.c_int()
        a, b, c = layouts
        given = (
            self.handle,
            product,
            a,
            b,
            c,
            c,
            preference,
            ctypes.c_int(1),
            ctypes.byref(found),
            ctypes.byref(count),
        )
        status = self.status("cublasLtMatmulAlgoGetHeuristic", *given)
        return found if status == 0 and count.value and found.state == 0 else None


@cache
def blas_library() -> BlasLibrary | None:
    """The library of this process; None where there is none that begins. Called where a GPU is in use."""
    for load in _loaders():
        try:
            return BlasLibrary(load)
        except (OSError, AttributeError, CudaError):
            continue
    return None


def _loaders() -> Iterator[Any]:
    """The libraries that can be loaded: one that the process has, then those of packages and of the system."""
    if sys.platform != "linux":
        return
    for name in NAMES:
        loaded = _opened(name)
        if loaded is not None:
            yield loaded
    if find_spec("cuda") is not None and find_spec("cuda.pathfinder") is not None:
        try:
            yield ctypes.CDLL(import_module("cuda.pathfinder").load_nvidia_dynamic_lib("cublasLt").abs_path)
        except (OSError, RuntimeError):  # it has errors of its own, which are of the latter kind
            pass
    for folder in sys.path:
        for inside in FOLDERS:
            for name in NAMES:
                path = Path(folder) / inside / name
                if path.is_file() and (loaded := _opened(str(path))) is not None:
                    yield loaded


def _opened(name: str) -> Any:
    try:
        return ctypes.CDLL(name)
    except OSError:
        return None


def multiplies(a: DType, b: DType, c: DType) -> bool:
    """Whether the library multiplies these dtypes as we do: operands of one, and sums that are rounded to it or not."""
    return a is b and a in DATA_TYPES and (c is a or (a.is_half and c is dtypes.float32))
