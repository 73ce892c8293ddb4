"""The texts of kernels that multiply a matrix with few rows and a large one, which they read once."""

# Note [Thin products]
# With few rows on one side a product is as fast as the other side is read; a tile would mostly be empty. So each result
# is a row's: where the lines of the large matrix go along the inner axis, a warp shares out a line, and merges its
# parts in pairs; where they go across it, each thread has a group of neighbouring columns. All rows of the small matrix
# are multiplied with an element that is there, so their number is a part of the text.

from __future__ import annotations

from collections.abc import Iterator

from ....core.dtypes import DType, float32
from ....core.records import dataclass
from ....loop_ir.source_text import cast_text, literal, memory_code
from ..launch_grid import WARP
from .epilogues import Epilogue
from .tiles import GROUP_BYTES, is_wide, result_pointer

PARAMETERS = (
    *("a", "b", "c", "batch", "n", "k", "share"),
    *("a_step", "a_row", "a_column", "b_step", "b_line", "c_part", "c_step", "c_row", "c_column"),
)
"""Addresses, sizes, the part of k that a block goes through, and how many elements lie from one matrix, row, column,
line or part to the next. The elements of a line of `b` are neighbours."""


@dataclass(frozen=True, slots=True)
class ThinForm:
    """The facts that the text of a thin product depends on.

    rows: those of `a`.   along, a_along: whether the lines of `b`, and of `a`, go along the inner axis."""

    a: DType
    b: DType
    c: DType
    rows: int
    along: bool
    a_along: bool

    @property
    def summed(self) -> DType:
        """The dtype of the sums."""
        return float32 if self.c.is_narrow else self.c

    @property
    def group(self) -> int:
        """The elements that a thread reads at once."""
        return GROUP_BYTES // self.summed.itemsize


def thin_text(form: ThinForm) -> str:
    """Python source that defines `kernel`, with `PARAMETERS`. See Note [Thin products]."""
    group = form.group
    lines = [
        *(f"p{name} = pointer_{memory_code(dtype)}({name})" for name, dtype in zip("abc", (form.a, form.b, form.c))),
        "begin = cuda.blockIdx.y * share",
        "end = min(begin + share, k)",
        f"wide = {is_wide('b', 'b_step, b_line', form.b, group)}",
        *([f"a_wide = {is_wide('a', 'a_step, a_row', form.a, group)}"] if form.along and form.a_along else []),
        "matrix = cuda.blockIdx.z",
        "while matrix < batch:",
        *("    " + line for line in (_along if form.along else _across)(form)),
        "    matrix += cuda.gridDim.z",
    ]
    return "\n    ".join([f"def kernel({', '.join(PARAMETERS)}):", *lines]) + "\n"


def _along(form: ThinForm) -> Iterator[str]:
    """A warp for each column."""
    rows, group, code = range(form.rows), form.group, form.summed.code
    names = [f"b{i}" for i in range(group)]
    yield "lane = cuda.threadIdx.x"
    yield "column = cuda.blockIdx.x * cuda.blockDim.y + cuda.threadIdx.y"
    yield "if column < n:"
    yield from (f"    sum_{r} = {literal(0.0, form.summed)}" for r in rows)
    yield "    line = matrix * b_step + column * b_line"
    yield f"    v = begin + lane * {group}"
    yield "    while v < end:"
    yield "        place = matrix * a_step + v * a_column"
    load = f"load_up_to_{group}"
    yield f"        {', '.join(names)} = {load}_{memory_code(form.b)}(pb, line + v, end - v, wide)"
    yield from (f"        {name}_wide = {_widened(name, form.b, form)}" for name in names)
    for r in rows:
        row = [f"a{i}" for i in range(group)]
        if form.a_along:
            taken = f"pa, place + {r} * a_row, end - v, a_wide"
            yield f"        {', '.join(row)} = {load}_{memory_code(form.a)}({taken})"
        else:  # elements beyond the end are others of the row, and no numbers to multiply zeros with
            zero = literal(0.0, form.a)
            for i, one in enumerate(row):
                yield f"        {one} = pa[place + {i} * a_column + {r} * a_row] if v + {i} < end else {zero}"
        for one, name in zip(row, names, strict=True):
            product = f"{_widened(one, form.a, form)}, {name}_wide"
            yield f"        sum_{r} = multiply_add_{code}({product}, sum_{r})"
    yield f"        v += {WARP * group}"
    yield f"    apart = {WARP // 2}"
    yield "    while apart > 0:"
    yield from (f"        sum_{r} = sum_{r} + exchanged_{code}(sum_{r}, apart)" for r in rows)
    yield "        apart >>= 1"
    yield "    if lane == 0:"
    yield "        into = cuda.blockIdx.y * c_part + matrix * c_step + column * c_column"
    yield from (f"        pc[into + {r} * c_row] = {_rounded(f'sum_{r}', form)}" for r in rows)


def _across(form: ThinForm) -> Iterator[str]:
    """A thread for each group of columns; the last one may have fewer."""
    rows, each = range(form.rows), range(form.group)
    names = [f"b{i}" for i in each]
    yield f"q = cuda.grid(1) * {form.group}"
    yield "if q < n:"
    yield from (f"    sum_{r}_{i} = {literal(0.0, form.summed)}" for r in rows for i in each)
    yield "    for v in range(begin, end):"
    yield "        place = matrix * a_step + v * a_column"
    read = f"load_up_to_{form.group}_{memory_code(form.b)}(pb, matrix * b_step + v * b_line + q, n - q, wide)"
    yield f"        {', '.join(names)} = {read}"
    yield from ("        " + line for line in _column_steps(form, names))
    yield "    into = cuda.blockIdx.y * c_part + matrix * c_step + q * c_column"
    for i in each:
        yield f"    if q + {i} < n:"
        yield from (f"        pc[into + {i} * c_column + {r} * c_row] = {_rounded(f'sum_{r}_{i}', form)}" for r in rows)


def _column_steps(form: ThinForm, names: list[str]) -> Iterator[str]:
    code = form.summed.code
    yield from (f"{name}_wide = {_widened(name, form.b, form)}" for name in names)
    for r in range(form.rows):
        yield f"a{r} = {_widened(f'pa[place + {r} * a_row]', form.a, form)}"
        for i, name in enumerate(names):
            yield f"sum_{r}_{i} = multiply_add_{code}(a{r}, {name}_wide, sum_{r}_{i})"


def _widened(value: str, dtype: DType, form: ThinForm) -> str:
    return cast_text(dtype, form.summed).format(value) if dtype is not form.summed else value


def _rounded(value: str, form: ThinForm) -> str:
    return cast_text(form.summed, form.c).format(value) if form.c is not form.summed else value


MERGED = ("parts", "c", "count", "cells", "m", "n", "c_step", "c_row", "c_column")
"""The parameters of a kernel that merges: addresses, the number of parts, of elements of each, and where they go."""


def merging_parameters(epilogue: Epilogue | None) -> tuple[str, ...]:
    """The parameters of a kernel that merges and maps, or merges alone: addresses, then numbers."""
    if epilogue is None:
        return MERGED
    results = ("c",) if epilogue.kept else ()
    numbers = [each for each in MERGED[2:] if epilogue.kept or not each.startswith("c_")]
    return ("parts", *results, *epilogue.addresses, *numbers, *epilogue.size_names)


def merging_text(summed: DType, c: DType, epilogue: Epilogue | None = None, turned: bool = False) -> str:
    """Python source of a kernel that adds the parts of each sum, in order, and rounds once.

    epilogue: the map of its results, if they are mapped.   turned: whether the parts are those of columns."""
    total = cast_text(summed, c).format("total") if c is not summed else "total"
    lines = [
        f"pp = pointer_{summed.code}(parts)",
        *result_pointer(c, epilogue),
        "cell = cuda.grid(1)",
        "while cell < cells:",
        "    total = pp[cell]",
        "    for part in range(1, count):",
        "        total = total + pp[part * cells + cell]",
        "    line = cell // n",
    ]
    if epilogue is None or epilogue.kept:
        lines.append(f"    pc[line // m * c_step + line % m * c_row + cell % n * c_column] = {total}")
    if epilogue is not None:
        row, column = epilogue.variables
        across = ("line // m * n + cell % n", "line % m") if turned else ("line", "cell % n")
        lines += [f"    {name} = {value}" for name, value in zip((row, column), across, strict=True)]
        lines += ["    " + each for each in epilogue.for_one(total)]
    lines.append("    cell += cuda.gridsize(1)")
    return "\n    ".join([f"def kernel({', '.join(merging_parameters(epilogue))}):", *lines]) + "\n"
