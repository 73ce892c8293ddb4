"""The chunks into which large kernels are cut, and which a team of threads shares out.

# Note [Chunks]
Iterations of a kernel's range are independent, so chunks of it may run in any order, on any thread. Results must not
tell how many threads there were: reductions stay within an iteration, and where an iteration is a single element,
chunks begin where the vectors and unrolled rounds of the whole range do, so that each element is computed by the same
instructions as in one go.

A chunk is work enough that sharing out two of them pays where the threads are awake, as they are in the midst of a
step. To wake one takes longer than such a kernel, so for that there has to be more to do: see Note [A team] in
`cpu.runner.team`. Of a larger kernel each thread takes some chunks, first large ones, so that one that is held up
leaves the rest to the others, and then smaller ones, so that all end together. Of columns it takes one: they are read
row by row, and the wider the rows the faster. Those of narrow matrices are cut in another way: see `lowering.parts`.
"""

from __future__ import annotations

from ...core.sizes import is_symbolic
from ...loop_ir.ir import ColumnReduction, Count, InnerLoop, Kernel, Loop, Repeat, walk
from ..codegen.kernel_text import COLUMN_BLOCK
from ..cpu.plan.parallel_split import CHUNKS_PER_THREAD, ONE_THREAD, ROUND, ParallelSplit

CHUNK_WORK = 80_000
"""Additions of a chunk at least: some microseconds."""
WAKING_WORK = 600_000
"""Additions of a kernel from which on threads that sleep are woken for it."""
COLUMNS = COLUMN_BLOCK
"""Columns of which a chunk of columns is a multiple: narrower strips of a matrix take longer to read than all of it."""


def split_of(kernel: Kernel, extent: int, work: int) -> ParallelSplit:
    """The way to share out a kernel that does so many additions over its range."""
    count = work // CHUNK_WORK
    if count < 2 or not kernel.independent:
        return ONE_THREAD
    unit, chunks_per_thread = _unit(kernel)
    chunk = -(-extent // (count * unit)) * unit
    if chunk >= extent:
        return ONE_THREAD
    return ParallelSplit(chunk, chunks_per_thread, kernel.asks, is_symbolic([work]) or work >= WAKING_WORK)


def _unit(kernel: Kernel) -> tuple[int, int]:
    """The number of which a chunk of the kernel's range has to be a multiple, and how large a share a thread takes."""
    statements = list(walk(kernel.body))
    if any(isinstance(each, ColumnReduction) and each.parallel for each in statements):
        return COLUMNS, 1
    loops = (Loop, InnerLoop, ColumnReduction, Count, Repeat)
    by_elements = sum(isinstance(each, loops) for each in statements) == 1
    return (ROUND if by_elements else 1), CHUNKS_PER_THREAD
