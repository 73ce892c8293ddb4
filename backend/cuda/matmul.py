"""The text of a kernel that multiplies matrices: tiles in shared memory, a small block of results in each thread.

For where no BLAS of the device is at hand. `c[row, column]` is the sum over k in order, each step one multiply-add.
"""

from __future__ import annotations

from ...core.dtypes import DType
from ...core.records import dataclass
from .launch_grid import AXIS_BLOCKS, Launch

PARAMETERS = (
    *("a", "b", "c", "batch", "m", "n", "k"),
    *("a_step", "a_row", "a_column", "b_step", "b_row", "b_column", "c_step", "c_row"),
)
"""Addresses, sizes, and how many elements lie from one matrix, row or column to the next."""


@dataclass(frozen=True, slots=True)
class Tiling:
    """A block makes `threads * each` squared results, and goes through `depth` of the inner axis at a time."""

    threads: int = 16
    each: int = 4
    depth: int = 16

    @property
    def size(self) -> int:
        return self.threads * self.each


def product_text(dtype: DType, tiling: Tiling) -> str:
    """Python source that defines `kernel`, with `PARAMETERS`."""
    name, code, size, depth = dtype.name, dtype.code, tiling.size, tiling.depth
    each = range(tiling.each)
    lines = [
        f"a_tile = cuda.shared.array(({depth}, {size + 1}), {name})",
        f"b_tile = cuda.shared.array(({depth}, {size + 1}), {name})",
        f"pa = pointer_{code}(a)",
        f"pb = pointer_{code}(b)",
        f"pc = pointer_{code}(c)",
        "x = cuda.threadIdx.x",
        "y = cuda.threadIdx.y",
        f"lane = y * {tiling.threads} + x",
        f"across = (n + {size - 1}) // {size}",
        f"row = cuda.blockIdx.x // across * {size}",
        f"column = cuda.blockIdx.x % across * {size}",
        "matrix = cuda.blockIdx.z",
        "while matrix < batch:",
        *(f"    sum_{i}{j} = {name}(0.0)" for i in each for j in each),
        f"    for first in range(0, k, {depth}):",
        *("        " + line for line in _fill("a", "row", tiling, name)),
        *("        " + line for line in _fill("b", "column", tiling, name)),
        "        cuda.syncthreads()",
        f"        for step in range({depth}):",
        *(f"            a{i} = a_tile[step, y + {i * tiling.threads}]" for i in each),
        *(f"            b{j} = b_tile[step, x + {j * tiling.threads}]" for j in each),
        *(f"            sum_{i}{j} = multiply_add_{code}(a{i}, b{j}, sum_{i}{j})" for i in each for j in each),
        "        cuda.syncthreads()",
    ]
    for i in each:
        lines.append(f"    r = row + y + {i * tiling.threads}")
        for j in each:
            lines.append(f"    q = column + x + {j * tiling.threads}")
            lines.append("    if (r < m) & (q < n):")
            lines.append(f"        pc[matrix * c_step + r * c_row + q] = sum_{i}{j}")
    lines.append("    matrix += cuda.gridDim.z")
    return "\n    ".join([f"def kernel({', '.join(PARAMETERS)}):", *lines]) + "\n"


def _fill(which: str, outer: str, tiling: Tiling, name: str) -> list[str]:
    """The lines by which a block fetches a tile, zeros beyond the edge.

    Neighbouring threads fetch neighbouring elements along the axis whose step is 1, whichever it is."""
    size, depth, threads = tiling.size, tiling.depth, tiling.threads**2
    rows = which == "a"
    limit, along = ("m", "a_column") if rows else ("n", "b_row")
    place = "u * a_row + v * a_column" if rows else "v * b_row + u * b_column"
    return [
        f"for cell in range(lane, {size * depth}, {threads}):",
        f"    inner = {along} == 1",
        f"    du = cell // {depth} if inner else cell % {size}",
        f"    dv = cell % {depth} if inner else cell // {size}",
        f"    u = {outer} + du",
        "    v = first + dv",
        f"    if (u < {limit}) & (v < k):",
        f"        {which}_tile[dv, du] = p{which}[matrix * {which}_step + {place}]",
        "    else:",
        f"        {which}_tile[dv, du] = {name}(0.0)",
    ]


def product_launch(m: int, n: int, batch: int, tiling: Tiling) -> Launch:
    """The sizes of a launch for `batch` products of m by n, none of them 0: tiles along x, matrices along z."""
    tiles = -(-n // tiling.size) * -(-m // tiling.size)
    return Launch((tiles, 1, min(batch, AXIS_BLOCKS)), (tiling.threads, tiling.threads, 1))
