"""How large kernels are cut into chunks, which a team of threads shares out.

# Note [Chunks]
Iterations of a kernel's range are independent, so chunks of it may run in any order, on any thread. Results must not
tell how many threads there were: folds stay within an iteration, and where an iteration is a single element, chunks
begin where the vectors and unrolled rounds of the whole range do, so that each element is computed by the same
instructions as in one go.

A team costs a microsecond or two where its threads are awake, and ten to fifty where they have to be woken. What a
chunk does takes about as long as the latter, so sharing out two of them does not lose much at worst.
"""

from __future__ import annotations

from .loops import Kernel, Loop, Sweep, walk

CHUNK_WORK = 300_000.0
"""Additions of a chunk at least."""
MOST_CHUNKS = 256
"""Of a kernel: a few for each of many threads."""
ROUND = 1024
"""Elements of which a chunk of single elements is a multiple: whole rounds of any vector loop."""


def chunk_of(kernel: Kernel, extent: int, work: float) -> int:
    """How much of a kernel's range makes a chunk; 0 where it is not worth sharing out, or must not be."""
    count = min(int(work / CHUNK_WORK), MOST_CHUNKS)
    if count < 2 or not kernel.independent:
        return 0
    unit = ROUND if _by_elements(kernel) else 1
    chunk = -(-extent // (count * unit)) * unit
    return chunk if chunk < extent else 0


def _by_elements(kernel: Kernel) -> bool:
    """Whether one step of the kernel's range is one step of its innermost loop."""
    return sum(isinstance(each, Loop | Sweep) for each in walk(kernel.body)) <= 1
