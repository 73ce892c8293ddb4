"""The text of a kernel that multiplies matrices: tiles in shared memory, a small block of results in each thread.

For where no BLAS of the device is at hand. `c[row, column]` is the sum over k in order, each step one multiply-add.
Narrow floats are multiplied and summed in float32, and the sum is rounded once.
"""

# Note [Tiles of products]
# A block makes a square of results. It goes along the inner axis in steps of `depth`, for each of which it has a tile
# of both operands in shared memory, `depth` lines of `size` elements each; while it multiplies one pair of tiles, it
# fetches the next, which goes into the other half of the memory. So there is one barrier a step.
#
# A thread fetches groups of neighbouring elements: along the inner axis, or across it where the operand lies so. A
# group is one access where the address and the steps of the operand allow it, which the kernel asks of them once, and
# all of it lies within the matrix; else each element is fetched alone, and is zero beyond the edge (`load_up_to`). So
# nothing is assumed of where a matrix begins. Lines in shared memory have room for a group more, so that groups that
# are turned meet few banks twice.
#
# A thread has as many results across as down, in groups again: its lines are those of several corners of the tile, so
# that neighbouring threads read neighbouring groups. How they are stored: Note [Staged results].

from __future__ import annotations

import re
from collections.abc import Iterator

from ....core.dtypes import DType, float32
from ....core.records import dataclass
from ....loop_ir.source_text import cast_text, literal, memory_code
from .epilogues import Epilogue, Staged

PARAMETERS = (
    *("a", "b", "c", "m", "n", "k", "share"),
    *("a_step", "a_line", "b_step", "b_line", "c_part", "c_step", "c_line"),
)
"""Addresses, sizes, the part of k that a block goes through, and how many elements lie from one matrix, line or part of
the result to the next. The elements of a line are neighbours."""
GROUP_WORD = re.compile(r"\b(shared_)?(load|store)_(up_to_)?(\d+)_([a-z]\d+)\b")
"""A word for a group of elements: whether they lie in shared memory, whether it loads, whether they may be fewer, how
many they are, and the code of their dtype. See `compiler.group_functions`."""
WRITTEN_OUT = 2
"""The steps of a tile that are one round of its loop. With four, tiles of 128 take 159 registers, so that one block
fits where with these, which take 128, two do."""
GROUP_BYTES = 16
"""Units: bytes of a group of results, as they are summed."""


@dataclass(frozen=True, slots=True)
class Tiling:
    """A block has `threads` squared threads, of which `across` times `down` are a warp.

    A thread makes `each` squared results, and the block goes through `depth` of the inner axis at a time."""

    threads: int = 16
    across: int = 8
    down: int = 4
    each: int = 8
    depth: int = 8

    @property
    def size(self) -> int:
        """The results along a side of the block's square."""
        return self.threads * self.each

    rows = columns = size

    @property
    def block(self) -> int:
        """The threads of a block."""
        return self.threads**2


LARGE, SMALL = Tiling(), Tiling(each=4, depth=16)


@dataclass(frozen=True, slots=True)
class ProductForm:
    """The facts that the text of a product depends on: dtypes, and along which axis the lines of operands go.

    a_turned: whether a line of `a` is a column of it.   b_turned: whether a line of `b` is a column of it."""

    a: DType
    b: DType
    c: DType
    a_turned: bool = False
    b_turned: bool = False

    @property
    def summed(self) -> DType:
        """The dtype of the sums."""
        return float32 if self.c.is_narrow else self.c

    @property
    def group(self) -> int:
        """The elements of a group."""
        return GROUP_BYTES // self.summed.itemsize


def product_text(form: ProductForm, tiling: Tiling, epilogue: Epilogue | None = None) -> str:
    """Python source that defines `kernel`, with the parameters of a product. See Note [Tiles of products].

    epilogue: the map of its results, if they are mapped before they are stored."""
    group, size, depth = form.group, tiling.size, tiling.depth
    line = size + group
    half, summed = line * depth, form.summed
    across = tiling.threads // tiling.across
    a, b = _Operand("a", form.a, form.a_turned, form, tiling), _Operand("b", form.b, not form.b_turned, form, tiling)
    lines = [
        f"a_tile = cuda.shared.array({2 * half}, {summed.name})",
        f"b_tile = cuda.shared.array({2 * half}, {summed.name})",
        *(f"p{each.name} = pointer_{memory_code(each.dtype)}({each.name})" for each in (a, b)),
        *result_pointer(form.c, epilogue),
        "lane = cuda.threadIdx.x",
        f"warp = lane // {tiling.across * tiling.down}",
        f"x = (warp % {across} * {tiling.across} + lane % {tiling.across}) * {group}",
        f"y = (warp // {across} * {tiling.down} + lane % {tiling.across * tiling.down} // {tiling.across}) * {group}",
        f"squares = (n + {size - 1}) // {size}",
        f"of_matrix = squares * ((m + {size - 1}) // {size})",
        "matrix = cuda.blockIdx.x // of_matrix",
        "square = cuda.blockIdx.x % of_matrix",
        f"row = square // squares * {size}",
        f"column = square % squares * {size}",
        "begin = cuda.blockIdx.y * share",
        "end = min(begin + share, k)",
        *a.prepare(),
        *b.prepare(),
        *result_width(form.c, group, epilogue),
        *_sums(form, tiling, (a, b), half),
        *_store(form, tiling, epilogue, 2 * half),
    ]
    return "\n    ".join([f"def kernel({', '.join(parameters_of(epilogue))}):", *lines]) + "\n"


def parameters_of(epilogue: Epilogue | None) -> tuple[str, ...]:
    """The parameters of a product whose results are mapped, or not: addresses, then numbers."""
    if epilogue is None:
        return PARAMETERS
    results = ("c",) if epilogue.kept else ()
    numbers = [each for each in PARAMETERS[3:] if epilogue.kept or not each.startswith("c_")]
    return ("a", "b", *results, *epilogue.addresses, *numbers, *epilogue.size_names)


def result_pointer(c: DType, epilogue: Epilogue | None) -> list[str]:
    """The lines for the pointers to results."""
    kept = [f"pc = pointer_{memory_code(c)}(c)"] if epilogue is None or epilogue.kept else []
    return kept if epilogue is None else [*kept, *epilogue.pointer_lines()]


def result_width(c: DType, group: int, epilogue: Epilogue | None) -> list[str]:
    """The lines that ask whether groups of results can be stored at once, and mapped."""
    wide = f"c_wide = {is_wide('c', 'c_part, c_step, c_line', c, group)}"
    if epilogue is None:
        return [wide]
    return [*([wide] if epilogue.kept else []), epilogue.width_line(group)]


def _sums(form: ProductForm, tiling: Tiling, operands: tuple[_Operand, _Operand], half: int) -> Iterator[str]:
    """The lines that sum the block's square."""
    each, zero = range(tiling.each), literal(0.0, form.summed)
    yield from (f"sum_{i}_{j} = {zero}" for i in each for j in each)
    yield "first = begin"
    for operand in operands:
        yield from operand.fetch()
    for operand in operands:
        yield from operand.put("0")
    yield "cuda.syncthreads()"
    yield "at = 0"
    yield "while first < end:"
    yield f"    first += {tiling.depth}"
    for operand in operands:
        yield from _indented(1, operand.fetch())
    yield f"    for step in range(0, {tiling.depth}, {WRITTEN_OUT}):"
    for further in range(WRITTEN_OUT):
        yield f"        place = at + (step + {further}) * {half // tiling.depth}"
        yield from _indented(2, _read("left", "a_tile", "y", form, tiling))
        yield from _indented(2, _read("right", "b_tile", "x", form, tiling))
        for i in each:
            for j in each:
                yield f"        sum_{i}_{j} = multiply_add_{form.summed.code}(left_{i}, right_{j}, sum_{i}_{j})"
    yield f"    at = {half} - at"
    for operand in operands:
        yield from _indented(1, operand.put("at"))
    yield "    cuda.syncthreads()"


def _read(name: str, tile: str, place: str, form: ProductForm, tiling: Tiling) -> Iterator[str]:
    """The lines by which a thread has its elements of one line of a tile."""
    group, groups = form.group, tiling.each // form.group
    for k in range(groups):
        names = ", ".join(f"{name}_{k * group + i}" for i in range(group))
        shift = f" + {k * tiling.size // groups}" if k else ""
        yield f"{names} = shared_load_{group}_{form.summed.code}({tile}, place + {place}{shift})"


def _store(form: ProductForm, tiling: Tiling, epilogue: Epilogue | None, room: int) -> Iterator[str]:
    """The lines that store a block's results: a row of each thread after the other, by way of `a_tile`.

    room: the elements of `a_tile`."""
    group, groups, code, size = form.group, tiling.each // form.group, form.summed.code, tiling.size
    apart = size // groups
    assert tiling.threads * size <= room, f"{tiling} leaves no room for its results"
    yield f"for held in range({tiling.each}):"
    for i in range(tiling.each):
        yield f"    if held == {i}:"
        for part in range(groups):
            values = ", ".join(f"sum_{i}_{part * group + j}" for j in range(group))
            place = f"y // {group} * {size} + x + {part * apart}"
            yield f"        shared_store_{group}_{code}(a_tile, {place}, {values})"
    yield "    cuda.syncthreads()"
    row = f"{{0}} * {group} + held // {group} * {apart} + held % {group}"
    staged = Staged("a_tile", size, tiling.threads, size, row, "lane", tiling.block, group, form.summed, form.c)
    yield from _indented(1, staged.lines(epilogue))
    yield "    cuda.syncthreads()"


@dataclass(frozen=True, slots=True)
class _Operand:
    """An operand on its way into the tiles. across: whether its lines in memory are lines of a tile too."""

    name: str
    dtype: DType
    across: bool
    form: ProductForm
    tiling: Tiling

    @property
    def _groups(self) -> int:
        """The groups that a thread fetches."""
        count, rest = divmod(self.tiling.size * self.tiling.depth, self.form.group * self.tiling.block)
        assert count and not rest, f"{self.tiling} leaves threads without a group"
        return count

    @property
    def _outer(self) -> tuple[str, str]:
        """The first index of the block's tile along the outer axis, and the size of that axis."""
        return ("row", "m") if self.name == "a" else ("column", "n")

    def prepare(self) -> Iterator[str]:
        """The lines that say what the thread fetches, whatever the step."""
        name, group, tiling = self.name, self.form.group, self.tiling
        yield f"{name}_wide = {is_wide(name, f'{name}_step, {name}_line', self.dtype, group)}"
        for k in range(self._groups):
            cell = f"lane + {k * tiling.block}" if k else "lane"
            groups = (tiling.size if self.across else tiling.depth) // group
            along, beside = f"({cell}) % {groups} * {group}", f"({cell}) // {groups}"
            outer, inner = (along, beside) if self.across else (beside, along)
            yield f"{name}_outer_{k} = {outer}"
            yield f"{name}_inner_{k} = {inner}"

    def fetch(self) -> Iterator[str]:
        """The lines by which the thread has its groups of the step at `first`; zeros beyond the edge."""
        name, group, code = self.name, self.form.group, memory_code(self.dtype)
        start, limit = self._outer
        for k in range(self._groups):
            names = ", ".join(f"{name}_{k}_{i}" for i in range(group))
            yield f"u = {start} + {name}_outer_{k}"
            yield f"v = first + {name}_inner_{k}"
            along, beside = ("u", "v") if self.across else ("v", "u")
            limits = {"u": limit, "v": "end"}
            place = f"matrix * {name}_step + {beside} * {name}_line + {along}"
            there = f"({limits[along]} - {along}) * int64({beside} < {limits[beside]})"
            yield f"{names} = load_up_to_{group}_{code}(p{name}, {place}, {there}, {name}_wide)"

    def put(self, at: str) -> Iterator[str]:
        """The lines that put these groups into the half of the tile that begins `at`."""
        name, group, code = self.name, self.form.group, self.form.summed.code
        line = self.tiling.size + group
        cast = cast_text(self.dtype, self.form.summed) if self.dtype is not self.form.summed else "{0}"
        for k in range(self._groups):
            values = [cast.format(f"{name}_{k}_{i}") for i in range(group)]
            place = f"{at} + {name}_inner_{k} * {line} + {name}_outer_{k}"
            if self.across:
                yield f"shared_store_{group}_{code}({name}_tile, {place}, {', '.join(values)})"
                continue
            for i, value in enumerate(values):
                shift = f" + {i * line}" if i else ""
                yield f"shared_store_1_{code}({name}_tile, {place}{shift}, {value})"


def is_wide(name: str, steps: str, dtype: DType, group: int) -> str:
    """The condition that a group of a matrix can be one access, wherever it begins at a multiple of a group."""
    nbytes = group * dtype.itemsize
    return f"({name} % {nbytes} == 0) & " + " & ".join(f"({each} % {group} == 0)" for each in steps.split(", "))


def _indented(levels: int, lines: Iterator[str]) -> Iterator[str]:
    return ("    " * levels + line for line in lines)
