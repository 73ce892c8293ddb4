"""The text of a kernel that multiplies matrices of narrow floats, or of float32 rounded to TF32, by tensor cores.

Sums are float32."""

# Note [Tensor cores]
# A block goes along the inner axis in steps of `depth`, with panels of both operands in shared memory for several
# steps: while one is multiplied, the next ones are on their way, copied by the memory system without a register in
# between (`copy_up_to_8`). Before a step each thread waits for its own copies, and all for each other.
#
# A panel lies as its operand does: lines along the inner axis, or across it. Its groups of 8 elements are permuted by
# the number of the line, so that eight lines of one column of groups lie in different banks: `matrices` reads such
# columns, as they are or turned, whichever the other form needs. So every layout costs the same.
#
# Where float32 is rounded to TF32 (10 bits behind the point, the exponents of float32), a group is four elements, and
# an instruction takes half as many of the inner axis. A lane holds one element where it held two neighbours, so panels
# along the inner axis are read as they were; of those across it each lane reads its elements, as nothing turns matrices
# of words. Then groups are permuted such that these lie in different banks.
#
# A warp makes `down` times `across` results of 16 by 8 each, of which a thread holds four: two neighbours in a row, and
# two in the row eight below. Products of narrow floats are exact in float32; tensor cores add them in an order of their
# own, which is the same in every run.

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....core.records import dataclass
from .epilogues import Epilogue, Staged
from .tiles import ProductForm, is_wide, parameters_of, result_pointer, result_width

GROUP = 8
"""The half floats of an access of 16 bytes."""
TENSOR_CAPABILITY = (8, 0)
"""The first compute capability that has the instructions."""
INNER = 16
"""The half floats of the inner axis that one instruction takes."""
STAGED_GROUP = 4
"""The results that a thread stores at once."""


@dataclass(frozen=True, slots=True)
class TensorTiling:
    """A block has `warps_down` times `warps_across` warps, each with `down` times `across` results of 16 by 8.

    It goes through `depth` half floats of the inner axis at a time, with panels for `stages` such steps in shared
    memory."""

    warps_down: int = 2
    warps_across: int = 4
    down: int = 4
    across: int = 4
    depth: int = 32
    stages: int = 3

    @property
    def rows(self) -> int:
        """The rows of the block's results."""
        return self.warps_down * self.down * 16

    @property
    def columns(self) -> int:
        """The columns of the block's results."""
        return self.warps_across * self.across * 8

    @property
    def block(self) -> int:
        """The threads of a block."""
        return 32 * self.warps_down * self.warps_across


def tensor_text(form: ProductForm, tiling: TensorTiling, epilogue: Epilogue | None = None) -> str:
    """Python source that defines `kernel`, with `tiles.parameters_of` the epilogue. See Note [Tensor cores]."""
    unit = form.a.itemsize // 2
    a = _Panel("a", form.a_turned, tiling.rows, tiling, unit)
    b = _Panel("b", not form.b_turned, tiling.columns, tiling, unit)
    rows, columns = tiling.rows, tiling.columns
    lines = [
        f"a_tile = cuda.shared.array({tiling.stages * a.elements}, uint16)",
        f"b_tile = cuda.shared.array({tiling.stages * b.elements}, uint16)",
        "pa = pointer_u16(a)",
        "pb = pointer_u16(b)",
        *result_pointer(form.c, epilogue),
        "thread = cuda.threadIdx.x",
        "lane = thread % 32",
        f"warp_row = thread // 32 // {tiling.warps_across} * {tiling.down * 16}",
        f"warp_column = thread // 32 % {tiling.warps_across} * {tiling.across * 8}",
        f"squares = (n + {columns - 1}) // {columns}",
        f"of_matrix = squares * ((m + {rows - 1}) // {rows})",
        "matrix = cuda.blockIdx.x // of_matrix",
        "square = cuda.blockIdx.x % of_matrix",
        f"row = square // squares * {rows}",
        f"column = square % squares * {columns}",
        "begin = cuda.blockIdx.y * share",
        "end = min(begin + share, k)",
        f"a_wide = {is_wide('a', 'a_step, a_line', form.a, GROUP // unit)}",
        f"b_wide = {is_wide('b', 'b_step, b_line', form.b, GROUP // unit)}",
        *result_width(form.c, STAGED_GROUP, epilogue),
        *_steps(form, tiling, a, b),
        *_store(form, tiling, epilogue, a.elements),
    ]
    return "\n    ".join([f"def kernel({', '.join(parameters_of(epilogue))}):", *lines]) + "\n"


def _steps(form: ProductForm, tiling: TensorTiling, a: _Panel, b: _Panel) -> Iterator[str]:
    """The lines that sum the block's results."""
    ahead, depth = tiling.stages - 1, tiling.depth // a.unit
    yield from (f"{each.name}_words = words_over({each.name}_tile)" for each in (a, b) if each.by_words)
    for i in range(tiling.down):
        for j in range(tiling.across):
            yield from (f"sum_{i}_{j}_{e} = float32(0.0)" for e in range(4))
    yield "fetched = begin"
    for stage in range(ahead):
        yield from a.copies(str(stage))
        yield from b.copies(str(stage))
        yield "commit_copies()"
        yield f"fetched += {depth}"
    yield "slot = 0"
    yield "first = begin"
    yield "while first < end:"
    yield f"    wait_for_copies_{ahead - 1}()"
    yield "    cuda.syncthreads()"
    yield f"    later = (slot + {ahead}) % {tiling.stages}"
    for panel in (a, b):
        yield from ("    " + line for line in panel.copies("later"))
    yield "    commit_copies()"
    yield f"    fetched += {depth}"
    yield f"    for inner in range(0, {tiling.depth}, {INNER}):"
    yield from ("        " + line for line in _multiply(form, tiling, a, b))
    yield f"    slot = (slot + 1) % {tiling.stages}"
    yield f"    first += {depth}"


def _multiply(form: ProductForm, tiling: TensorTiling, a: _Panel, b: _Panel) -> Iterator[str]:
    """The lines by which a warp takes in one step of its instruction along the inner axis."""
    for i in range(tiling.down):
        outer, names = f"warp_row + {i * 16}", [f"a_{i}_{e}" for e in range(4)]
        if a.by_words:
            for e, name in enumerate(names):
                place = a.word("slot", str(e // 2 * 4), f"{outer} + {e % 2 * 8}")
                yield f"{name} = {place}"
        elif a.across:
            place = a.place("slot", "inner + lane // 16 * 8 + lane % 8", f"({outer}) // 8 + lane // 8 % 2")
            yield f"{', '.join(names)} = turned_matrices(a_tile, {place})"
        else:
            place = a.place("slot", f"{outer} + lane % 16", "inner // 8 + lane // 16")
            yield f"{', '.join(names)} = matrices(a_tile, {place})"
        yield from a.rounded(names)
    for p in range(tiling.across // 2):
        outer, names = f"warp_column + {p * 16}", [f"b_{p}_{e}" for e in range(4)]
        if b.by_words:
            for e, name in enumerate(names):
                place = b.word("slot", str(e % 2 * 4), f"{outer} + {e // 2 * 8}")
                yield f"{name} = {place}"
        elif b.across:
            place = b.place("slot", "inner + lane // 8 % 2 * 8 + lane % 8", f"({outer}) // 8 + lane // 16")
            yield f"{', '.join(names)} = turned_matrices(b_tile, {place})"
        else:
            place = b.place("slot", f"{outer} + lane // 16 * 8 + lane % 8", "inner // 8 + lane // 8 % 2")
            yield f"{', '.join(names)} = matrices(b_tile, {place})"
        yield from b.rounded(names)
    for i in range(tiling.down):
        for j in range(tiling.across):
            sums = ", ".join(f"sum_{i}_{j}_{e}" for e in range(4))
            left = ", ".join(f"a_{i}_{e}" for e in range(4))
            right = f"b_{j // 2}_{j % 2 * 2}, b_{j // 2}_{j % 2 * 2 + 1}"
            yield f"{sums} = multiply_matrices_{form.a.code}({left}, {right}, {sums})"


def _store(form: ProductForm, tiling: TensorTiling, epilogue: Epilogue | None, room: int) -> Iterator[str]:
    """The lines that store a block's results: 16 rows of each warp at a time, by way of `a_tile`.

    room: the half floats of a step in `a_tile`. Lines are 8 longer than they need to be, so that neighbouring rows lie
    in different banks."""
    columns, line = tiling.columns, tiling.columns + 8
    rows = tiling.warps_down * 16
    assert 2 * rows * line <= tiling.stages * room, f"{tiling} leaves no room for its results"
    yield "wait_for_copies_0()"
    yield "cuda.syncthreads()"
    yield "held_tile = floats_over(a_tile)"
    yield f"for held in range({tiling.down}):"
    for i in range(tiling.down):
        yield f"    if held == {i}:"
        for below in (0, 1):
            for j in range(tiling.across):
                row = f"(warp_row // {tiling.down * 16} * 16 + {below * 8} + lane // 4)"
                values = ", ".join(f"sum_{i}_{j}_{below * 2 + e}" for e in (0, 1))
                place = f"{row} * {line} + warp_column + {j * 8} + lane % 4 * 2"
                yield f"        shared_store_2_f32(held_tile, {place}, {values})"
    yield "    cuda.syncthreads()"
    row = f"{{0}} // 16 * {tiling.down * 16} + held * 16 + {{0}} % 16"
    staged = Staged("held_tile", line, rows, columns, row, "thread", tiling.block, STAGED_GROUP, form.summed, form.c)
    yield from ("    " + each for each in staged.lines(epilogue))
    yield "    cuda.syncthreads()"


@dataclass(frozen=True, slots=True)
class _Panel:
    """An operand's part of a step in shared memory. across: whether its lines lie across the inner axis.

    unit: the half floats that an element has the size of."""

    name: str
    across: bool
    size: int
    tiling: TensorTiling
    unit: int = 1

    @property
    def elements(self) -> int:
        return self.size * self.tiling.depth

    @property
    def by_words(self) -> bool:
        """Whether a lane reads each of its elements by itself."""
        return self.across and self.unit == 2

    @property
    def _groups(self) -> int:
        """The groups of a line."""
        return (self.size * self.unit if self.across else self.tiling.depth) // GROUP

    def word(self, slot: str, inner: str, outer: str) -> str:
        """The text for the element of a lane in a matrix of 8 by 4, by the places where that begins."""
        line, place = f"inner // 2 + {inner} + lane % 4", f"({outer} + lane // 4)"
        return f"shared_element_u32({self.name}_words, ({self.place(slot, line, f'{place} // 4')}) // 2 + {place} % 4)"

    def rounded(self, names: Sequence[str]) -> Iterator[str]:
        """The lines that round elements to what tensor cores take."""
        return (f"{name} = rounded_to_tf32({name})" for name in names if self.unit == 2)

    def place(self, slot: str, line: str, group: str) -> str:
        """The index of a group of a line, as text: permuted by the line's number."""
        length = self._groups * GROUP
        lines_a_row = max(1, 8 // self._groups)
        turn = f"({line}) // {lines_a_row} % {min(8, self._groups)}"
        if self.by_words:
            turn = f"({line}) % 4 * 2 % {min(8, self._groups)}"
        return f"{slot} * {self.elements} + ({line}) * {length} + (({group}) ^ ({turn})) * {GROUP}"

    def copies(self, slot: str) -> Iterator[str]:
        """The lines by which a thread has its groups of the step at `fetched` copied."""
        name, block = self.name, self.tiling.block
        start, limit = ("row", "m") if name == "a" else ("column", "n")
        count, rest = divmod(self.elements, GROUP * block)
        assert count and not rest, f"{self.tiling} leaves threads without a group"
        group, times = GROUP // self.unit, " * 2" if self.unit == 2 else ""
        for k in range(count):
            cell = f"(thread + {k * block})" if k else "thread"
            yield f"line = {cell} // {self._groups}"
            yield f"group = {cell} % {self._groups}"
            if self.across:
                yield f"u = {start} + group * {group}"
                yield "v = fetched + line"
                there, place = f"({limit} - u) * int64(v < end)", f"matrix * {name}_step + v * {name}_line + u"
            else:
                yield f"u = {start} + line"
                yield f"v = fetched + group * {group}"
                there, place = f"(end - v) * int64(u < {limit})", f"matrix * {name}_step + u * {name}_line + v"
            into = self.place(slot, "line", "group")
            if times:
                there, place = f"({there}){times}", f"({place}){times}"
            yield f"copy_up_to_8_u16({name}_tile, {into}, p{name}, {place}, {there}, {name}_wide)"
