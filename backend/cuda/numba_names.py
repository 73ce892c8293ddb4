"""The meaning of names in kernel text to Numba CUDA: types, pointer makers, exchanges between threads of a warp.

Imports numba-cuda, so only the compiler imports this module.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from llvmlite import ir
from numba import cuda
from numba.cuda.extending import intrinsic

from ...core import dtypes
from .device_functions import functions_named_in, numba_type
from .launch_grid import WORDS
from .ordering.words import LANE_WORDS

GLOBAL_SPACE = 1
WORD = ir.IntType(32)
EVERY_LANE, LAST_LANE = 0xFFFFFFFF, 31


def namespace_for(text: str) -> dict[str, Any]:
    """Globals for a kernel text."""
    return {**_fixed_names(), **functions_named_in(text)}


@cache
def _fixed_names() -> dict[str, Any]:
    found: dict[str, Any] = {"cuda": cuda, "join_warp": _join_warp}
    for dtype in dtypes.ALL:
        kind = numba_type(dtype.code)
        found["boolean" if dtype.is_bool else dtype.name] = kind
        if not dtype.is_bool:
            found[f"pointer_{dtype.code}"] = _pointer_maker(kind)
        found[f"exchanged_{dtype.code}"] = _exchange(kind)
    for name, emitted in LANE_WORDS.items():
        found[name] = _lane_word(emitted)
    for dtype in WORDS:
        found[f"{dtype.code}_of_word"] = _of_word(numba_type(dtype.code))
    for dtype in dtypes.FLOATS:
        found[f"multiply_add_{dtype.code}"] = _multiply_add(numba_type(dtype.code))
    return found


def _pointer_maker(element: Any) -> Any:
    """The intrinsic `address -> CPointer(element)`; through the global address space, so that accesses are of it."""
    from numba.cuda import types

    @intrinsic  # type: ignore[untyped-decorator]
    def pointer(typingctx: Any, address: Any) -> Any:
        if not isinstance(address, types.Integer):
            return None
        pointer_type = types.CPointer(element)

        def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            in_global = ir.PointerType(context.get_data_type(element), GLOBAL_SPACE)
            value_type = context.get_value_type(pointer_type)
            return builder.addrspacecast(builder.inttoptr(arguments[0], in_global), value_type)

        return pointer_type(types.int64), codegen

    return pointer


def _of_word(kind: Any) -> Any:
    """The intrinsic `word -> value` of the same eight bytes."""
    from numba.cuda import types

    @intrinsic  # type: ignore[untyped-decorator]
    def of_word(typingctx: Any, word: Any) -> Any:
        if not isinstance(word, types.Integer):
            return None

        def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.bitcast(arguments[0], context.get_value_type(kind))

        return kind(types.int64), codegen

    return of_word


def _lane_word(emitted: Any) -> Any:
    """The intrinsic of one of `LANE_WORDS`: an int64 of an int64."""
    from numba.cuda import types

    @intrinsic  # type: ignore[untyped-decorator]
    def word(typingctx: Any, value: Any) -> Any:
        if not isinstance(value, types.Integer):
            return None

        def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return emitted(builder, arguments)

        return types.int64(types.int64), codegen

    return word


def _exchange(kind: Any) -> Any:
    """The intrinsic `value, apart -> value` of the thread whose lane differs by the bit `apart`.

    The whole warp must come by. Threads exchange 32 bits at a time."""
    from numba.cuda import types

    @intrinsic  # type: ignore[untyped-decorator]
    def exchanged(typingctx: Any, value: Any, apart: Any) -> Any:
        if value != kind or not isinstance(apart, types.Integer):
            return None

        def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            own, distance = arguments
            return _exchanged_bits(builder, own, builder.trunc(distance, WORD))

        return kind(kind, types.int64), codegen

    return exchanged


def _exchanged_bits(builder: Any, own: Any, distance: Any) -> Any:
    """`own` of the other thread, for a value of up to 64 bits."""
    size = {ir.FloatType(): 32, ir.DoubleType(): 64}.get(own.type) or own.type.width
    bits = builder.bitcast(own, ir.IntType(size)) if not isinstance(own.type, ir.IntType) else own
    if size < 64:
        word = builder.zext(bits, WORD) if size < 32 else bits
        other = _exchanged_word(builder, word, distance)
        whole = builder.trunc(other, own.type) if size < 32 else other
    else:
        wide = ir.IntType(64)
        low, high = builder.trunc(bits, WORD), builder.trunc(builder.lshr(bits, wide(32)), WORD)
        parts = [builder.zext(_exchanged_word(builder, part, distance), wide) for part in (low, high)]
        whole = builder.or_(parts[0], builder.shl(parts[1], wide(32)))
    return builder.bitcast(whole, own.type) if not isinstance(own.type, ir.IntType) else whole


def _exchanged_word(builder: Any, word: Any, distance: Any) -> Any:
    name = "llvm.nvvm.shfl.sync.bfly.i32"
    exchange = builder.module.globals.get(name) or ir.Function(
        builder.module, ir.FunctionType(WORD, [WORD, WORD, WORD, WORD]), name
    )
    return builder.call(exchange, [WORD(EVERY_LANE), word, distance, WORD(LAST_LANE)])


@intrinsic  # type: ignore[untyped-decorator]
def _join_warp(typingctx: Any) -> Any:
    """A barrier of the warp, after which each thread sees what the others have stored."""
    from numba.cuda import types

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        name = "llvm.nvvm.bar.warp.sync"
        barrier = builder.module.globals.get(name) or ir.Function(
            builder.module, ir.FunctionType(ir.VoidType(), [WORD]), name
        )
        builder.call(barrier, [WORD(EVERY_LANE)])
        return context.get_dummy_value()

    return types.void(), codegen


def _multiply_add(kind: Any) -> Any:
    """The intrinsic `a * b + c`, rounded once."""

    @intrinsic  # type: ignore[untyped-decorator]
    def multiply_add(typingctx: Any, a: Any, b: Any, c: Any) -> Any:
        if not a == b == c == kind:
            return None

        def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            product = builder.fmul(arguments[0], arguments[1], flags=("contract",))
            return builder.fadd(product, arguments[2], flags=("contract",))

        return kind(kind, kind, kind), codegen

    return multiply_add
