"""Scattered values that threads add to memory in any order, by the atomic sums of the memory system."""

# Note [Atomic sums]
# A sum of integers is the same in any order. One of floats is rounded otherwise in each run, so it is made this way
# only where a program has said so: `gl.use_deterministic_algorithms(False)`. Then each thread adds its own value, and
# no warp looks through the indices of others. Nothing waits for an answer (red and not atom). In float32 the memory
# system takes subnormal numbers, operands and results alike, for zeros of their sign.
#
# Source: PTX ISA, red.

from __future__ import annotations

from ....core.config import config
from ....core.dtypes import DType, float32, float64, int32, int64, uint32, uint64
from ....loop_ir.ordered_sums import ordered_sum
from ...lowering.lower import BoundKernel
from .part_counts import amount

INSTRUCTIONS: dict[DType, str] = {
    float32: "red.global.add.f32 [$0], $1;",
    float64: "red.global.add.f64 [$0], $1;",
    int32: "red.global.add.u32 [$0], $1;",
    uint32: "red.global.add.u32 [$0], $1;",
    int64: "red.global.add.u64 [$0], $1;",
    uint64: "red.global.add.u64 [$0], $1;",
}
"""The instruction that adds to the element at an address, by its dtype. Narrow floats are summed in float32."""


def spread_sums(bound: BoundKernel) -> tuple[str, ...]:
    """The loops that run in any order, all of them, if what they do is to add values up; else none.

    Whether the kernel reads elsewhere what it stores is not looked at. See Note [Atomic sums]."""
    found = ordered_sum(bound.kernel)
    if found is None or found.dtype not in INSTRUCTIONS or (found.dtype.is_float and config.deterministic_algorithms):
        return ()
    stored = [amount(bound, stride) for _, stride in found.sum.access.terms]
    loaded = [amount(bound, stride) for _, stride in found.loaded.terms]
    return tuple(loop.var for loop in found.loops) if stored == loaded else ()
