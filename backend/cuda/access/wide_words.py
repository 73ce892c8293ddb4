"""The functions of kernel text for several elements at once: `load_4_f32(pointer, index)` and `store_4_f32`.

An access is of 16 bytes, or of as many as the elements have, and several accesses where they have more. The address of
the first element is a multiple of that: who writes the text sees to it. Imports llvmlite, so only code generators
import this module.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from llvmlite import ir

from ...llvm.native_functions import VOID, NativeFunction
from ...llvm.values import PointerKind
from .wide_loops import ACCESS_BYTES, WIDE_WORD

GLOBAL = 1
"""The address space of NVVM for the memory of the device."""


def wide_named(name: str) -> NativeFunction | None:
    """``a, b = load_2_f64(pointer, index)`` and ``store_2_f64(pointer, index, a, b)``."""
    found = WIDE_WORD.fullmatch(name)
    if found is None:
        return None
    count, code = int(found[2]), found[3]
    place = PointerKind(code, space=GLOBAL), "i64"
    if found[1] == "load":
        return NativeFunction(name, place, (code,) * count, partial(_load, count))
    return NativeFunction(name, (*place, *(code,) * count), VOID, _store)


def _load(count: int, builder: Any, operands: Sequence[Any]) -> list[Any]:
    pointer, index = operands
    return load_elements(builder, pointer, index, count)


def _store(builder: Any, operands: Sequence[Any]) -> None:
    store_elements(builder, operands[0], operands[1], operands[2:])


def load_elements(builder: Any, pointer: Any, index: Any, count: int) -> list[Any]:
    """The `count` elements from `index` on, for a pointer to elements and an index of 64 bits."""
    element, found = pointer.type.pointee, list[Any]()
    for first, elements, words, word in _accesses(element, count):
        place = _place(builder, pointer, index, first, words, word)
        whole = builder.load(place)
        whole.align = elements * _bytes(element)
        for k in range(words):
            one = builder.extract_element(whole, ir.IntType(32)(k)) if words > 1 else whole
            found += _unpacked(builder, one, element)
    return found


def store_elements(builder: Any, pointer: Any, index: Any, values: Sequence[Any]) -> None:
    """Stores the elements from `index` on."""
    element = pointer.type.pointee
    for first, elements, words, word in _accesses(element, len(values)):
        each = elements // words
        packed = [_packed(builder, values[first + k * each : first + (k + 1) * each], word) for k in range(words)]
        whole = packed[0]
        if words > 1:
            whole = ir.Constant(ir.VectorType(word, words), ir.Undefined)
            for k, one in enumerate(packed):
                whole = builder.insert_element(whole, one, ir.IntType(32)(k))
        made = builder.store(whole, _place(builder, pointer, index, first, words, word))
        made.align = elements * _bytes(element)


def _bytes(element: Any) -> int:
    return {ir.FloatType(): 4, ir.DoubleType(): 8}.get(element) or element.width // 8


def _accesses(element: Any, count: int) -> list[tuple[int, int, int, Any]]:
    """The first element of each access, how many it takes, in how many words, and the type of a word."""
    size = _bytes(element)
    each = min(count, ACCESS_BYTES // size)
    assert count % each == 0 and each * size in (1, 2, 4, 8, 16)
    word = element if size >= 4 else ir.IntType(8 * min(4, each * size))
    words = each * size // _bytes(word)
    return [(first, each, words, word) for first in range(0, count, each)]


def _place(builder: Any, pointer: Any, index: Any, first: int, words: int, word: Any) -> Any:
    place = builder.gep(pointer, [builder.add(index, index.type(first)) if first else index])
    whole = ir.VectorType(word, words) if words > 1 else word
    return builder.bitcast(place, ir.PointerType(whole, pointer.type.addrspace))


def _unpacked(builder: Any, word: Any, element: Any) -> list[Any]:
    """The elements that lie in one word, the lowest first."""
    if word.type == element:
        return [word]
    size = element.width
    shifted = (builder.lshr(word, word.type(k)) if k else word for k in range(0, word.type.width, size))
    return [builder.trunc(each, element) for each in shifted]


def _packed(builder: Any, values: Sequence[Any], word: Any) -> Any:
    """The word of elements, the first the lowest."""
    if len(values) == 1:
        return values[0]
    size = values[0].type.width
    whole = builder.zext(values[0], word)
    for k, value in enumerate(values[1:], 1):
        whole = builder.or_(whole, builder.shl(builder.zext(value, word), word(k * size)))
    return whole
