"""The memory of large results natively: what NumPy calls to get memory for one, and to give it back.

A part of the runtime's source. See `plan.result_memory` for what it is all for.
"""

# The functions below are typed by Numba, not by annotations. Constants come from `table_layout` by a star.
# mypy: ignore-errors
# ruff: noqa: F403, F405

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core.extending import intrinsic

from ..compiler.object_library import linked
from ..compiler.pointers import pointer_i64
from ..plan.table_layout import *
from .checks import WORD, external
from .team import exchange, replaced

inner = linked()
usable_size = external("malloc_usable_size", WORD, WORD)


@intrinsic  # type: ignore[untyped-decorator]
def call_allocator(typingctx: Any, address: Any, context: Any, size: Any) -> Any:
    """The memory that the C function `malloc(context, size)` at `address` gives."""

    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        word = ir.IntType(64)
        function = builder.inttoptr(values[0], ir.FunctionType(word, [word, word]).as_pointer())
        return builder.call(function, values[1:])

    return WORD(WORD, WORD, WORD), codegen


@intrinsic  # type: ignore[untyped-decorator]
def call_release(typingctx: Any, address: Any, context: Any, block: Any, size: Any) -> Any:
    """Nothing, once the C function `free(context, block, size)` at `address` has the block."""

    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        word = ir.IntType(64)
        function = builder.inttoptr(values[0], ir.FunctionType(ir.VoidType(), [word] * 3).as_pointer())
        builder.call(function, values[1:])
        return context.get_dummy_value()

    return types.void(WORD, WORD, WORD, WORD), codegen


def take_result_memory(memory, size):
    """Address of a block for `size` bytes: one that is kept and fits, else a new one; 0 without memory."""
    words = pointer_i64(memory)
    block = 0
    # Who finds the lock taken does without the blocks: nobody waits here.
    if replaced(memory + 8 * MEMORY_LOCK, 0, 1):
        chosen = -1
        for number in range(words[MEMORY_COUNT]):
            found = words[MEMORY_BLOCKS + 2 * number + 1]
            if size <= found <= size + size // MEMORY_SLACK:
                if chosen < 0 or found < words[MEMORY_BLOCKS + 2 * chosen + 1]:
                    chosen = number
        if chosen >= 0:
            block = words[MEMORY_BLOCKS + 2 * chosen]
            forgotten(words, chosen)
            words[MEMORY_REUSED] += 1
        else:
            words[MEMORY_NEW] += 1
        exchange(memory + 8 * MEMORY_LOCK, 0)
    if block != 0:
        return block
    return call_allocator(words[MEMORY_MALLOC], words[MEMORY_CONTEXT], size)


def give_result_memory(memory, block, size):
    """Nothing, once the block is kept for another result, or freed. Without a block: once no more is kept than may."""
    words = pointer_i64(memory)
    if not replaced(memory + 8 * MEMORY_LOCK, 0, 1):
        if block != 0:
            call_release(words[MEMORY_FREE], words[MEMORY_CONTEXT], block, size)
        return 0
    nbytes = usable_size(block) if block != 0 else 0  # `size` is what the array has now: it may have been resized
    keep = block != 0 and words[MEMORY_LEAST] <= nbytes <= words[MEMORY_LIMIT]
    while words[MEMORY_COUNT] > 0 and (
        words[MEMORY_KEPT] + nbytes * keep > words[MEMORY_LIMIT] or words[MEMORY_COUNT] == MOST_BLOCKS
    ):
        call_release(words[MEMORY_FREE], words[MEMORY_CONTEXT], words[MEMORY_BLOCKS], words[MEMORY_BLOCKS + 1])
        forgotten(words, 0)
    if keep:
        number = words[MEMORY_COUNT]
        words[MEMORY_BLOCKS + 2 * number] = block
        words[MEMORY_BLOCKS + 2 * number + 1] = nbytes
        words[MEMORY_COUNT] = number + 1
        words[MEMORY_KEPT] += nbytes
    exchange(memory + 8 * MEMORY_LOCK, 0)
    if block != 0 and not keep:
        call_release(words[MEMORY_FREE], words[MEMORY_CONTEXT], block, size)
    return 0


@inner
def forgotten(words, number):
    """Nothing, once the kept block of that number is somebody else's. The others stay in the order they came in."""
    words[MEMORY_KEPT] -= words[MEMORY_BLOCKS + 2 * number + 1]
    last = words[MEMORY_COUNT] - 1
    for each in range(number, last):
        words[MEMORY_BLOCKS + 2 * each] = words[MEMORY_BLOCKS + 2 * each + 2]
        words[MEMORY_BLOCKS + 2 * each + 1] = words[MEMORY_BLOCKS + 2 * each + 3]
    words[MEMORY_COUNT] = last
