"""The words of kernel text for groups of neighbouring elements, whole or not, and for those in shared memory.

`load_up_to_4_f32(pointer, index, count, wide)` gives four elements of which the first `count` are loaded and the others
are zero; `wide` says that a whole group may be one access. `shared_load_4_f32(array, index)` reads an array in shared
memory, of which every index is taken as it is. The same with `store` take a tuple of values last.

Each function takes a builder of llvmlite and operands. Imports llvmlite, so only code generators import this module.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llvmlite import ir

from ..wide_words import load_elements, store_elements

SHARED = 3
"""The address space of shared memory."""
ALIGNMENT = 16
"""Units: bytes. That of arrays in shared memory."""


def load_up_to(builder: Any, pointer: Any, index: Any, count: Any, wide: Any, most: int) -> list[Any]:
    """`most` elements from an index of 64 bits on, of which those from the int64 `count` on are zero, not loaded."""
    element = pointer.type.pointee
    with builder.if_else(_is_whole(builder, count, wide, most)) as (whole, some):
        with whole:
            found = load_elements(builder, pointer, index, most)
            after_whole = builder.block
        with some:
            one_by_one = []
            for k in range(most):
                before, value = builder.block, ir.Constant(element, 0)
                with builder.if_then(builder.icmp_signed(">", count, count.type(k))):
                    loaded = builder.load(builder.gep(pointer, [builder.add(index, index.type(k))]))
                    inside = builder.block
                one_by_one.append(_either(builder, (value, before), (loaded, inside)))
            after_some = builder.block
    return [_either(builder, (a, after_whole), (b, after_some)) for a, b in zip(found, one_by_one, strict=True)]


def store_up_to(builder: Any, pointer: Any, index: Any, count: Any, wide: Any, values: Sequence[Any]) -> None:
    """Stores the first `count` of the values from an index of 64 bits on."""
    with builder.if_else(_is_whole(builder, count, wide, len(values))) as (whole, some):
        with whole:
            store_elements(builder, pointer, index, values)
        with some:
            for k, value in enumerate(values):
                with builder.if_then(builder.icmp_signed(">", count, count.type(k))):
                    builder.store(value, builder.gep(pointer, [builder.add(index, index.type(k))]))


def _is_whole(builder: Any, count: Any, wide: Any, most: int) -> Any:
    return builder.and_(wide, builder.icmp_signed(">=", count, count.type(most)))


def _either(builder: Any, *ways: tuple[Any, Any]) -> Any:
    """The value of the way that was taken: pairs of a value and the block it comes from."""
    found = builder.phi(ways[0][0].type)
    for value, block in ways:
        found.add_incoming(value, block)
    return found


def shared_load(builder: Any, pointer: Any, index: Any, count: int) -> list[Any]:
    """The elements of an array, given as the pointer to its first, from an index of 64 bits on."""
    _align(builder)
    return load_elements(builder, pointer, index, count)


def shared_store(builder: Any, pointer: Any, index: Any, values: Sequence[Any]) -> None:
    """Stores the elements from the index on."""
    _align(builder)
    store_elements(builder, pointer, index, values)


def _align(builder: Any) -> None:
    """Has all arrays in shared memory lie at multiples of 16 bytes."""
    for each in builder.module.global_values:
        if getattr(each, "addrspace", 0) == SHARED and (getattr(each, "align", None) or 0) < ALIGNMENT:
            each.align = ALIGNMENT
