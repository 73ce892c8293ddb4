"""Pointer makers: an address in, a typed pointer out, for use inside compiled text.

Pointers, not arrays: indexing one has no wraparound for negative indices, needs no reference counts and costs no
argument unpacking. Imports numba, so only the compiler and the runner's source import this module.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core.extending import intrinsic

ELEMENTS = {
    "f32": types.float32,
    "f64": types.float64,
    "i8": types.int8,
    "i16": types.int16,
    "i32": types.int32,
    "i64": types.int64,
    "u8": types.uint8,
    "u16": types.uint16,
    "u32": types.uint32,
    "u64": types.uint64,
    "c64": types.complex64,
    "c128": types.complex128,
}


def pointer_maker(pointer_type: Any) -> Any:
    """The intrinsic `address -> pointer_type`, a single inttoptr."""

    @intrinsic  # type: ignore[untyped-decorator]
    def pointer(typingctx: Any, address: Any) -> Any:
        if not isinstance(address, types.Integer):
            return None

        def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], context.get_value_type(pointer_type))

        return pointer_type(types.int64), codegen

    return pointer


MAKERS = {f"pointer_{suffix}": pointer_maker(types.CPointer(element)) for suffix, element in ELEMENTS.items()}

pointer_f32 = MAKERS["pointer_f32"]
pointer_f64 = MAKERS["pointer_f64"]
pointer_i32 = MAKERS["pointer_i32"]
pointer_i64 = MAKERS["pointer_i64"]
pointer_u8 = MAKERS["pointer_u8"]
