"""Products by cuBLASLt: what one of them hands over, made once, and how native code starts it."""

# Note [Library products]
# A product of the library is a step of a plan as the launch of a kernel is: addresses, then numbers, which are those of
# descriptors and algorithms made when the plan was. What starts it has the interface of cuLaunchKernel, so the builtin
# that issues a plan calls it in the place of that: a launch whose grid is empty along x is a product, whose function is
# in the place of the kernel. No Python runs in between, and nothing of the builtin knows of it. A plan with such a
# product has no graph of launches: a graph's nodes take new addresses, and those of the library's kernels are not ours
# to find.
#
# The library reads matrices by columns. A result by rows is one by columns of the transposed product, so `b` comes
# first. It is asked for two algorithms: for operands that all begin at multiples of 16 bytes, and for any. Which of
# them runs is decided by the addresses of each call. Sums of parts are added in its workspace, never by atomics, so a
# product repeats bit for bit on one kind of GPU; for other GPUs the library may choose to add in another order.
#
# A row that is added to each row of a result of float32 is the library's to add: one rounding more, as of a kernel. Its
# address is a fact of the descriptor, which what starts a product sets just before, under the interpreter's lock. Other
# epilogues are none that we know to mean the same: what becomes of a NaN in its ReLU is not said, its GELU is that with
# tanh in an accuracy that is not said, and in what order it adds up the gradients of a row is not said either.

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

from ....core.dtypes import float64
from ..driver_library import LIBRARY_STATUS
from ..launch_grid import Launch
from .blas_library import (
    BATCH_COUNT,
    BATCH_OFFSET,
    BIAS_POINTER,
    COMPUTE_32F,
    COMPUTE_64F,
    COMPUTE_TF32,
    DATA_TYPES,
    EPILOGUE,
    EPILOGUE_BIAS,
    TRANS_A,
    TRANS_B,
    WORKSPACE,
    BlasLibrary,
    blas_library,
    multiplies,
)
from .launches import Matrices, Product

NO_GRID = Launch((0, 1, 1), (1, 1, 1))
"""The sizes by which a launch is known to be a product of the library."""
LIBRARY_FROM = 1 << 22
"""The multiply-adds from which a product is the library's. Of smaller ones a graph of launches may hold many."""
FEWEST = 4
"""The rows or columns of a result up to which our own kernel for thin products is taken."""
ALIGNED = 16
"""Units: bytes."""
_PARAMETERS = (
    "b",
    "a",
    "c",
    "workspace",
    "row",
    "set_attribute",
    "handle",
    "product",
    "alpha",
    "beta",
    "B",
    "A",
    "C",
    "aligned",
    "any",
    "size",
)

_START = """
define i32 @start(ptr %kernel, i32 %x, i32 %y, i32 %z, i32 %p, i32 %q, i32 %r, i32 %shared, ptr %stream, ptr %given,
                  ptr %extra) {{
  %launches = icmp ne i32 %x, 0
  br i1 %launches, label %launch, label %multiply
launch:
  %driver = inttoptr i64 {launch} to ptr
  %launched = call i32 %driver(ptr %kernel, i32 %x, i32 %y, i32 %z, i32 %p, i32 %q, i32 %r, i32 %shared, ptr %stream,
                               ptr %given, ptr %extra)
  ret i32 %launched
multiply:
{loads}
  %adds = icmp ne i64 %row, 0
  br i1 %adds, label %tell, label %begin
tell:
  %set = inttoptr i64 %set_attribute to ptr
  %refused = call i32 %set(i64 %product, i32 {place_of_row}, ptr %row_at, i64 8)
  %taken = icmp eq i32 %refused, 0
  br i1 %taken, label %begin, label %fail
fail:
  %reason = add i32 %refused, {told}
  ret i32 %reason
begin:
  %met = or i64 %b, %a
  %results = or i64 %c, %row
  %all = or i64 %met, %results
  %over = and i64 %all, {over}
  %fits = icmp eq i64 %over, 0
  %algorithm = select i1 %fits, i64 %aligned, i64 %any
  %status = call i32 %kernel(i64 %handle, i64 %product, i64 %alpha, i64 %b, i64 %B, i64 %a, i64 %A, i64 %beta, i64 %c,
                             i64 %C, i64 %c, i64 %C, i64 %algorithm, i64 %workspace, i64 %size, ptr %stream)
  %done = icmp eq i32 %status, 0
  %told = add i32 %status, {told}
  %answer = select i1 %done, i32 0, i32 %told
  ret i32 %answer
}}
"""


class LibraryProduct:
    """One product by the library, with all that it is handed over but the addresses. value: of the function.

    adds_row: whether a row is added to each row of the result; its address stands behind that of the workspace."""

    def __init__(self, library: BlasLibrary, product: Product, adds_row: bool = False) -> None:
        self.library, self.value, self.product, self.adds_row = library, library.matmul, product, adds_row
        wide = product.summed is float64
        scale, self._number = DATA_TYPES[product.summed], ctypes.c_double if wide else ctypes.c_float
        compute = COMPUTE_64F if wide else COMPUTE_TF32 if product.tf32 else COMPUTE_32F
        self._product = library.made(self, "MatmulDesc", ctypes.c_int(compute), ctypes.c_int(scale))
        for attribute, turned in ((TRANS_A, product.b.turned), (TRANS_B, product.a.turned)):
            library.set("MatmulDesc", self._product, attribute, ctypes.c_int32(turned))
        if adds_row:
            library.set("MatmulDesc", self._product, EPILOGUE, ctypes.c_int32(EPILOGUE_BIAS))
        self._layouts = [
            self._layout(each, *size, product.batch)
            for each, size in (
                (product.b, (product.k, product.n)),
                (product.a, (product.m, product.k)),
                (product.c, (product.m, product.n)),
            )
        ]
        smallest = min(product.a.dtype.itemsize, product.c.dtype.itemsize)
        self._algorithms = [library.algorithm(self, self._product, self._layouts, each) for each in (ALIGNED, smallest)]
        self._scales = self._number(1.0), self._number(0.0)

    def _layout(self, matrices: Matrices, rows: int, columns: int, batch: int) -> ctypes.c_void_p:
        """The layout of matrices of `rows` by `columns`, whose lines are columns to the library."""
        line, lines = (rows, columns) if matrices.turned else (columns, rows)
        given = (ctypes.c_int(DATA_TYPES[matrices.dtype]), ctypes.c_uint64(line), ctypes.c_uint64(lines))
        layout = self.library.made(self, "MatrixLayout", *given, ctypes.c_int64(matrices.line))
        if batch > 1:
            self.library.set("MatrixLayout", layout, BATCH_COUNT, ctypes.c_int32(batch))
            self.library.set("MatrixLayout", layout, BATCH_OFFSET, ctypes.c_int64(matrices.step))
        return layout

    @property
    def is_possible(self) -> bool:
        """Whether the library has an algorithm for any addresses."""
        return self._algorithms[1] is not None

    @property
    def numbers(self) -> tuple[int, ...]:
        """The parameters behind the addresses of `b`, `a`, `c`, the workspace and, where there is one, the row."""
        aligned, general = self._algorithms
        b, a, c = (each.value or 0 for each in self._layouts)
        alpha, beta = map(ctypes.addressof, self._scales)
        assert general is not None
        algorithms = [ctypes.addressof(each) for each in (aligned or general, general)]
        row = (self.library.set_product,) if self.adds_row else (0, 0)
        return (
            *row,
            self.library.handle.value or 0,
            self._product.value or 0,
            alpha,
            beta,
            b,
            a,
            c,
            *algorithms,
            WORKSPACE,
        )

    def run(self, launch: int, arguments: Sequence[int], stream: Any) -> int:
        """The status of the product over these parameters on a stream. launch: the address of cuLaunchKernel."""
        values = (ctypes.c_int64 * len(arguments))(*arguments)
        first = ctypes.addressof(values)
        given = (ctypes.c_void_p * len(arguments))(*(first + 8 * k for k in range(len(arguments))))
        sizes = [ctypes.c_uint(size) for size in (*NO_GRID.grid, *NO_GRID.block, 0)]
        start = ctypes.PYFUNCTYPE(ctypes.c_int)(starting_function(launch))  # which keeps the interpreter's lock
        return int(start(ctypes.c_void_p(self.value), *sizes, stream, given, None))


def library_product(product: Product, adds_row: bool = False) -> LibraryProduct | None:
    """The product by the library; None where a kernel of ours computes it. Errors: CudaError.

    adds_row: whether a row is added to each row of the result."""
    is_its = is_large(product.batch, product.m, product.n, product.k)
    return _library_product(product, adds_row) if is_its else None


def is_large(batch: int, m: int, n: int, k: int) -> bool:
    """Whether a product of these sizes is the library's, where there is one."""
    return batch * m * n * k >= LIBRARY_FROM and min(m, n) > FEWEST


def has_library() -> bool:
    """Whether the library is there."""
    return blas_library() is not None


@lru_cache(maxsize=1024)
def _library_product(product: Product, adds_row: bool) -> LibraryProduct | None:
    library = blas_library()
    dtypes = (product.a.dtype, product.b.dtype, product.c.dtype)
    if library is None or not multiplies(*dtypes):
        return None
    made = LibraryProduct(library, product, adds_row)
    return made if made.is_possible else None


@cache
def starting_function(launch: int) -> int:
    """The address of a function like cuLaunchKernel, which `launch` is the address of. See Note [Library products]."""
    from ...cpu.compiler.kernel_object import KernelObject
    from ...cpu.compiler.loader import load
    from ...llvm.object_code import assembled_object

    loads = "\n".join(
        f"  %{name}_at_at = getelementptr ptr, ptr %given, i64 {k}\n  %{name}_at = load ptr, ptr %{name}_at_at\n"
        f"  %{name} = load i64, ptr %{name}_at"
        for k, name in enumerate(_PARAMETERS)
    )
    given = {"over": ALIGNED - 1, "told": LIBRARY_STATUS, "place_of_row": BIAS_POINTER}
    text = _START.format(launch=launch, loads=loads, **given)
    return load(KernelObject(assembled_object(text), "start", (), "")).address
