"""The kernels of running sums and products: one launch and one pass, but for few long rows.

Elements go from memory into registers, several to a thread, and back with what came before them added. Tiles of a row
follow one another in one block, which carries the sum along.
"""

# Note [Scans by parts]
# A row that is long, where rows are too few to fill a device, is cut into parts whose number follows from its sizes.
# One launch reduces the parts. In the next one each block adds up the parts before its own, always in one order, and
# scans. That is one pass more than by decoupled look-back, in which blocks wait for those before them: there a block
# adds whatever sums it finds, so the order of additions, and with it the bits, go by chance.

from __future__ import annotations

from collections.abc import Iterable

from ....core.dtypes import DType
from ....core.records import dataclass
from ....loop_ir.source_text import literal
from ...schedule.scans import RowAxis, ScanCall, row_axes
from ..launch_grid import WARP, DeviceLimits, Launch
from .part_counts import BLOCKS, CELL_BYTES

ITEMS = 8
"""Elements that a thread holds."""
LINES = 16
"""Threads above each other that share a column."""
ROW_THREADS = 256
"""Threads of a row at most: they hold many registers."""
FEWEST_COLUMNS = 8
"""Rows that lie beside each other from which they are columns."""
FULL = BLOCKS // 4
"""Blocks that leave no need for parts."""
PART_OF_ROW, PART_OF_COLUMN = 1 << 12, 1 << 10
"""The fewest elements of a part."""


@dataclass(frozen=True, slots=True)
class ScanForm:
    """The work of a block. down: 32 columns, each by `threads` threads above each other; else a row by `threads`
    threads, or where that is one warp, `rows` rows. by_parts: a part of that."""

    down: bool
    threads: int
    rows: int = 1
    by_parts: bool = False

    @property
    def block(self) -> tuple[int, int, int]:
        return (WARP, self.threads, 1) if self.down else (self.threads, self.rows, 1)


@dataclass(frozen=True, slots=True)
class Scan:
    """A scan with its sizes. axes: outer and inner one of its rows. count, chunk: parts, and elements of each; blocks:
    those of a launch, for one part. Units: elements."""

    dtype: DType
    combine: str
    form: ScanForm
    size: int
    steps: tuple[int, int]
    axes: tuple[RowAxis, RowAxis]
    blocks: int
    count: int

    @property
    def chunk(self) -> int:
        return -(-self.size // self.count)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers that the kernels take behind the addresses."""
        outer, inner = self.axes
        source, result = (outer.source, inner.source, self.steps[0]), (outer.result, inner.result, self.steps[1])
        parts = (self.count, self.chunk) if self.form.by_parts else ()
        return (outer.size, inner.size, self.size, *source, *result, *parts)

    @property
    def scratch(self) -> int:
        """Bytes for parts."""
        cells = self.blocks * WARP if self.form.down else self.blocks
        return cells * self.count * CELL_BYTES if self.form.by_parts else 0

    def launch(self, limits: DeviceLimits) -> Launch:
        """The sizes of a launch."""
        grid = max(1, min(self.blocks, limits.blocks // self.count)) * self.count
        return Launch((grid, 1, 1), self.form.block)


def scan_of(call: ScanCall, limits: DeviceLimits) -> Scan:
    """The form and the sizes of a scan."""
    nothing = RowAxis(1, 0, 0)
    *_, outer, inner = nothing, nothing, *row_axes(call.source, call.result, call.axis)
    if abs(outer.source) < abs(inner.source) and outer.size > 1:
        outer, inner = inner, outer
    size = call.source.shape[call.axis]
    steps = call.source.strides[call.axis], call.result.strides[call.axis]
    rows = outer.size * inner.size
    if size > 1 and inner.size >= FEWEST_COLUMNS and abs(inner.source) < abs(steps[0]):
        blocks, part = outer.size * -(-inner.size // WARP), PART_OF_COLUMN
        form = ScanForm(True, min(LINES, limits.row_lanes))
    else:
        threads = WARP
        while threads < min(size // ITEMS, limits.row_threads, ROW_THREADS):
            threads *= 2
        form = ScanForm(False, threads, limits.warps if threads == WARP else 1)
        blocks, part = -(-rows // form.rows), PART_OF_ROW
    count = min(size // part, -(-BLOCKS // blocks)) if blocks < FULL else 1
    if count > 1:
        form = ScanForm(form.down, form.threads, 1, by_parts=True)
    return Scan(call.source.buffer.dtype, call.combine, form, size, steps, (outer, inner), blocks, max(count, 1))


# -- text --------------------------------------------------------------------------------------------------------------
_NUMBERS = ("outer", "inner", "n", "x_outer", "x_inner", "x_step", "y_outer", "y_inner", "y_step")


def scan_text(scan: Scan) -> str:
    """Python source that defines `kernel`: addresses of source and result, and of parts if there are any, then
    `Scan.numbers`."""
    return _Text(scan).scan()


def parts_text(scan: Scan) -> str:
    """Python source that defines `kernel`, which stores the reduction of each part; its parameters are the same."""
    return _Text(scan).parts()


class _Text:
    """The lines that depend on the form of a scan."""

    def __init__(self, scan: Scan) -> None:
        self.dtype, self.form, self.combine = scan.dtype, scan.form, scan.combine
        first = 1 if scan.combine == "prod" else -0.0 if scan.dtype.is_float else 0
        self.nothing = literal(first, scan.dtype)
        """A number that changes no element, not the sign of a zero either."""
        self.beside = scan.steps == (1, 1)
        """Whether elements of a row lie beside each other: places then differ by what the compiler knows."""
        self.warps = 1 if self.form.down else self.form.threads // WARP

    def both(self, one: str, other: str) -> str:
        """The combination of two, the earlier one first."""
        text = f"{one} {'*' if self.combine == 'prod' else '+'} {other}"
        return text if self.dtype.is_float else f"{self.dtype.name}({text})"

    def kernel(self, shared: list[str], body: Iterable[str]) -> str:
        """The whole text. body: the lines for one row, or 32 columns."""
        by_parts = self.form.by_parts
        parameters = ["x", "y", *["parts"] * by_parts, *_NUMBERS, *["count", "chunk"] * by_parts]
        code, block = self.dtype.code, "cuda.blockIdx.x"
        lines = [*shared, f"px = pointer_{code}(x)", f"py = pointer_{code}(y)"]
        if self.form.down:
            lines += ["lane = cuda.threadIdx.x", "line = cuda.threadIdx.y", f"across = (inner + {WARP - 1}) // {WARP}"]
        else:
            lines += [f"lane = cuda.threadIdx.x % {WARP}", f"warp = cuda.threadIdx.x // {WARP}"]
        if by_parts:
            lines += [f"place = {block} // count", f"part = {block} % count", "width = cuda.gridDim.x // count"]
        elif self.form.rows > 1:
            lines += [
                f"place = {block} * {self.form.rows} + cuda.threadIdx.y",
                f"width = cuda.gridDim.x * {self.form.rows}",
            ]
        else:
            lines += [f"place = {block}", "width = cuda.gridDim.x"]
        places = "outer * across" if self.form.down else "outer * inner"
        rows = ["row = place // across", f"column = place % across * {WARP} + lane", "is_there = column < inner"]
        lines += [f"places = {places}", "while place < places:"]
        inside = rows if self.form.down else ["row = place // inner", "column = place % inner"]
        inside += [f"{each}_row = row * {each}_outer + column * {each}_inner" for each in "xy"]
        inside += ["first = part * chunk", "stop = min(n, first + chunk)"] if by_parts else ["first = 0", "stop = n"]
        lines += [f"    {line}" for line in (*inside, *body, "place += width")]
        return "\n    ".join([f"def kernel({', '.join(parameters)}):", *lines]) + "\n"

    @property
    def shared(self) -> list[str]:
        """The memory through which threads of a block hand on what they have reduced."""
        if self.form.down:
            return [f"totals = cuda.shared.array(({self.form.threads}, {WARP}), {self.dtype.name})"]
        return [f"totals = cuda.shared.array({self.warps}, {self.dtype.name})"] if self.warps > 1 else []

    def across_warp(self, names: list[str], running: list[str]) -> list[str]:
        """The lines by which `names` become what all lanes of a warp make, and `running` what the lanes up to each
        one do."""
        lines = ["apart = 1", f"while apart < {WARP}:", *["    is_higher = lane & apart != 0"] * bool(running)]
        for k, name in enumerate(names):
            lines.append(f"    other = exchanged_{self.dtype.code}({name}, apart)")
            if running:
                own = running[k]
                lines.append(f"    higher = {self.both('other', own)}")
                lines.append(f"    {own} = higher if is_higher else {own}")
            lines.append(f"    {name} = {self.both(name, 'other')}")
        return [*lines, "    apart = apart * 2"]

    def hand_on(self, name: str) -> list[str]:
        """The lines by which each warp, or each line of threads, tells the block what it has. Before it, all have
        come to the end of reading what was told before."""
        if self.form.down:
            return ["cuda.syncthreads()", f"totals[line, lane] = {name}", "cuda.syncthreads()"]
        if self.warps == 1:
            return []
        return ["cuda.syncthreads()", "if lane == 0:", f"    totals[warp] = {name}", "cuda.syncthreads()"]

    def after_all(self, name: str, carry: str, before: str = "") -> list[str]:
        """The lines that combine `carry` with what all have told, in order; `before` keeps what it was at one's turn.

        name: what one has told oneself."""
        if not self.form.down and self.warps == 1:
            return [*([f"{before} = {carry}"] if before else []), f"{carry} = {self.both(carry, name)}"]
        count, mine = (self.form.threads, "line") if self.form.down else (self.warps, "warp")
        total = "totals[k, lane]" if self.form.down else "totals[k]"
        lines = [f"{before} = {carry}"] if before else []
        lines.append(f"for k in range({count}):")
        if before:
            lines.append(f"    {before} = {carry} if k == {mine} else {before}")
        return [*lines, f"    {carry} = {self.both(carry, total)}"]

    def scan(self) -> str:
        names = [f"v{k}" for k in range(ITEMS)]
        there = ["at < stop", *(f"at + {k * self.apart} < stop" for k in range(1, ITEMS))]
        if self.form.down:
            there = [f"is_there & ({each})" for each in there]
        tile = [f"at = tile + {self.offset}"]
        tile += [f"{each}_at = {each}_row + at" + f" * {each}_step" * (not self.beside) for each in "xy"]
        tile += [f"{name} = px[{self.item('x', k)}] if {there[k]} else {self.nothing}" for k, name in enumerate(names)]
        if self.form.down:
            tile += [f"{name} = {self.both(one, name)}" for one, name in zip(names, names[1:], strict=False)]
            held = names[-1]
        else:
            wholes = [f"w{k}" for k in range(ITEMS)]
            tile += [f"{whole} = {name}" for whole, name in zip(wholes, names, strict=True)]
            tile += self.across_warp(wholes, names)
            tile.append("held = w0")
            for name, whole in zip(names[1:], wholes[1:], strict=True):
                tile += [f"{name} = {self.both('held', name)}", f"held = {self.both('held', whole)}"]
            held = "held"
        tile += [*self.hand_on(held), *self.after_all(held, "carry", "before")]
        for k, name in enumerate(names):
            tile += [f"if {there[k]}:", f"    py[{self.item('y', k)}] = {self.both('before', name)}"]
        tile.append(f"tile += {ITEMS * self.form.threads}")
        body = [f"carry = {self.nothing}", *(self.carry() if self.form.by_parts else [])]
        body += ["tile = first", "while tile < stop:", *(f"    {line}" for line in tile)]
        return self.kernel(self.shared, body)

    def item(self, array: str, k: int) -> str:
        """The index of the element that a thread holds as its number `k`."""
        return f"{array}_at + {k * self.apart}" + f" * {array}_step" * (not self.beside)

    @property
    def apart(self) -> int:
        """Elements from one that a thread holds to the next."""
        return 1 if self.form.down else WARP

    @property
    def offset(self) -> str:
        """The place of a thread's first element in a tile."""
        return f"line * {ITEMS}" if self.form.down else f"warp * {WARP * ITEMS} + lane"

    @property
    def cell(self) -> str:
        """The pointer to the parts of a row, or of 32 columns, and the place there of part `k`."""
        pointer = f"pointer_{self.dtype.code}(parts)"
        return f"{pointer}[(place * count + k) * {WARP} + lane]" if self.form.down else f"{pointer}[place * count + k]"

    def carry(self) -> list[str]:
        """The lines that combine the parts before one's own."""
        first, step = ("line", self.form.threads) if self.form.down else ("cuda.threadIdx.x", self.form.threads)
        lines = [f"held = {self.nothing}", f"for k in range({first}, part, {step}):"]
        lines.append(f"    held = {self.both('held', self.cell)}")
        if not self.form.down:
            lines += self.across_warp(["held"], [])
        return [*lines, *self.hand_on("held"), *self.after_all("held", "carry")]

    def parts(self) -> str:
        """Threads take every so many elements; what they have is combined as the totals of a tile are."""
        first = "line" if self.form.down else "cuda.threadIdx.x"
        lines = [f"held = {self.nothing}"]
        lines.append(f"for at in range(first + {first}, stop, {self.form.threads}):")
        element = "px[x_row + at * x_step]"
        if self.form.down:
            element = f"({element} if is_there else {self.nothing})"
        lines.append(f"    held = {self.both('held', element)}")
        if not self.form.down:
            lines += self.across_warp(["held"], [])
        lines += [*self.hand_on("held"), f"carry = {self.nothing}", *self.after_all("held", "carry")]
        lines += [f"if {first} == 0:", "    k = part", f"    {self.cell} = carry"]
        return self.kernel(self.shared, lines)
