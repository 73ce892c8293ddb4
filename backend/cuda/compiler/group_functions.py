"""The native functions of kernel text for groups of neighbouring elements, which are one access where they can be.

``load_up_to_4_f32(pointer, index, count, wide)`` gives four elements, of which those from `count` on are zero and not
loaded; `wide` says whether a whole group may be one access. ``store_up_to_4_f32`` takes four values behind these, and
stores the first `count`. ``shared_load_4_f32(array, index)`` and ``shared_store_4_f32(array, index, a, b, c, d)`` are
for arrays in shared memory, where every index is a multiple of the group and inside. A group has 16 bytes at most.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from llvmlite import ir

from ...llvm.native_functions import VOID, NativeFunction
from ...llvm.values import Kind, PointerKind
from ..products.tiles import GROUP_WORD

GLOBAL, SHARED = 1, 3
"""The address spaces of NVVM."""
ALIGNMENT = 16
"""Units: bytes. That of arrays in shared memory."""
PLACE = ir.IntType(32)


def group_named(name: str) -> NativeFunction | None:
    """The functions of this module."""
    found = GROUP_WORD.fullmatch(name)
    if found is None:
        return None
    shared, what, partial_group, digits, code = found.groups()
    if bool(shared) is bool(partial_group):
        return None
    count, loads = int(digits), what == "load"
    place: tuple[Kind, ...] = (PointerKind(code, space=SHARED if shared else GLOBAL), "i64")
    place += () if shared else ("i64", "b1")
    if loads:
        return NativeFunction(name, place, (code,) * count, partial(_shared_load if shared else load_up_to, count))
    return NativeFunction(name, (*place, *(code,) * count), VOID, _shared_store if shared else _store_up_to)


def load_up_to(most: int, builder: Any, operands: Sequence[Any]) -> list[Any]:
    """The elements of a group, zeros from a count on. operands: pointer, index, count, whether it may be one access."""
    pointer, index, count, wide = operands
    element = pointer.type.pointee
    with builder.if_else(_is_whole(builder, count, wide, most)) as (whole, some):
        with whole:
            found = _loaded(builder, pointer, index, most)
            after_whole = builder.block
        with some:
            one_by_one = []
            for k in range(most):
                before = builder.block
                with builder.if_then(builder.icmp_signed(">", count, count.type(k))):
                    loaded = builder.load(builder.gep(pointer, [builder.add(index, index.type(k))]))
                    inside = builder.block
                one_by_one.append(_either(builder, (ir.Constant(element, 0), before), (loaded, inside)))
            after_some = builder.block
    return [_either(builder, (a, after_whole), (b, after_some)) for a, b in zip(found, one_by_one, strict=True)]


def _store_up_to(builder: Any, operands: Sequence[Any]) -> None:
    pointer, index, count, wide, *values = operands
    with builder.if_else(_is_whole(builder, count, wide, len(values))) as (whole, some):
        with whole:
            store_group(builder, pointer, index, values)
        with some:
            for k, value in enumerate(values):
                with builder.if_then(builder.icmp_signed(">", count, count.type(k))):
                    builder.store(value, builder.gep(pointer, [builder.add(index, index.type(k))]))


def _shared_load(count: int, builder: Any, operands: Sequence[Any]) -> list[Any]:
    align_arrays(builder)
    return _loaded(builder, operands[0], operands[1], count)


def _shared_store(builder: Any, operands: Sequence[Any]) -> None:
    align_arrays(builder)
    pointer, index, *values = operands
    store_group(builder, pointer, index, values)


def _is_whole(builder: Any, count: Any, wide: Any, most: int) -> Any:
    return builder.and_(wide, builder.icmp_signed(">=", count, count.type(most)))


def _either(builder: Any, *ways: tuple[Any, Any]) -> Any:
    """The value of the way that was taken: pairs of a value and the block it comes from."""
    found = builder.phi(ways[0][0].type)
    for value, block in ways:
        found.add_incoming(value, block)
    return found


def _loaded(builder: Any, pointer: Any, index: Any, count: int) -> list[Any]:
    """The elements of a group by one access."""
    place, nbytes = _group(builder, pointer, index, count)
    whole = builder.load(place)
    whole.align = nbytes
    return [builder.extract_element(whole, PLACE(k)) for k in range(count)] if count > 1 else [whole]


def store_group(builder: Any, pointer: Any, index: Any, values: Sequence[Any]) -> None:
    """Stores a group by one access."""
    place, nbytes = _group(builder, pointer, index, len(values))
    whole = values[0]
    if len(values) > 1:
        whole = ir.Constant(ir.VectorType(values[0].type, len(values)), ir.Undefined)
        for k, value in enumerate(values):
            whole = builder.insert_element(whole, value, PLACE(k))
    builder.store(whole, place).align = nbytes


def _group(builder: Any, pointer: Any, index: Any, count: int) -> tuple[Any, int]:
    """The pointer to a group as one vector, and its bytes."""
    element = pointer.type.pointee
    size = {ir.FloatType(): 4, ir.DoubleType(): 8}.get(element) or element.width // 8
    place = builder.gep(pointer, [index])
    if count > 1:
        place = builder.bitcast(place, ir.PointerType(ir.VectorType(element, count), pointer.type.addrspace))
    return place, count * size


def align_arrays(builder: Any) -> None:
    """Has all arrays in shared memory lie at multiples of 16 bytes."""
    for each in builder.module.global_values:
        if getattr(each, "addrspace", 0) == SHARED and (getattr(each, "align", None) or 0) < ALIGNMENT:
            each.align = ALIGNMENT
