"""Vector code for matrix products: intrinsics that kernel text calls by name, as wide as the processor's registers.

    tile_f32_8x2(a, a_row, a_k, panel, c, c_row, depth, width, add)     8 rows by 2 vectors of c (+)= a @ panel
    turn_f32(source, source_row, target, target_row)                     a square of one vector each way, transposed
    stack_f32()                                                          memory for a panel, of the call

Addresses and steps are int64 and count bytes. Importing this module imports neither numba nor llvmlite.
"""

# Note [A tile]
# A tile of the result stays in registers while k runs: each k loads one row of the panel (`vectors` vectors), and for
# every row of the tile one element of `a`, broadcast, that is multiplied and added to each. Sums run over k in order,
# by fused multiply-add: the same bits on every machine, however wide its registers are.

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from functools import cache, partial
from typing import Any

from ...llvm.native_functions import VOID, NativeFunction, declared
from ...llvm.values import mark_loop, stack_memory

DEPTH = 256
"""Rows of a panel at most. Its memory is that of the call's stack."""
VECTORS = 2
"""Vectors in a row of a panel at most."""

_NAME = re.compile(r"\b(tile|turn|stack)_(f32|f64)(?:_(\d+)x(\d+))?\b")
_BYTES = {"f32": 4, "f64": 8}


@cache
def vector_bytes() -> int:
    """The width of the registers that fused multiply-add works in; 0 for a processor without it."""
    import llvmlite.binding as llvm

    if os.environ.keys() & {"NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES"}:
        return 0  # Numba compiles for another processor than this one
    features = llvm.get_host_cpu_features()
    if features.get("avx512f"):
        return 64
    return 32 if features.get("avx2") and features.get("fma") else 0


def lanes(code: str) -> int:
    """Elements in a vector."""
    return vector_bytes() // _BYTES[code]


def tile_rows() -> tuple[int, ...]:
    """The numbers of rows that tiles come in, largest first; sixteen registers hold half of what thirty-two do."""
    return (8, 4, 2, 1) if vector_bytes() == 64 else (4, 2, 1)


def vector_function_named(name: str) -> NativeFunction | None:
    """The function of this name."""
    found = _NAME.fullmatch(name)
    return None if found is None else _function(found[1], found[2], int(found[3] or 1), int(found[4] or 1))


def _function(kind: str, code: str, rows: int, vectors: int) -> NativeFunction:
    if kind == "tile":
        return _native(f"tile_{code}_{rows}x{vectors}", 9, VOID, partial(_tile, code, rows, vectors))
    if kind == "turn":
        return _native(f"turn_{code}", 4, VOID, partial(_turn, code))
    return _native(f"stack_{code}", 0, "i64", partial(_stack, code))


def _native(name: str, arity: int, result: str, generate: Any) -> NativeFunction:
    return NativeFunction(name, ("i64",) * arity, result, generate)


def _element(code: str) -> Any:
    from llvmlite import ir

    return ir.FloatType() if code == "f32" else ir.DoubleType()


def _stack(code: str, builder: Any, operands: Sequence[Any]) -> Any:
    from llvmlite import ir

    memory = stack_memory(builder, _element(code), DEPTH * VECTORS * lanes(code))
    return builder.ptrtoint(memory, ir.IntType(64))


def _turn(code: str, builder: Any, operands: Sequence[Any]) -> None:
    from llvmlite import ir

    source, source_row, target, target_row = operands
    count, align = lanes(code), _BYTES[code]
    vector, word = ir.VectorType(_element(code), count), ir.IntType(64)

    def at(start: Any, step: Any, k: int) -> Any:
        return builder.inttoptr(builder.add(start, builder.mul(step, word(k))), vector.as_pointer())

    rows = [builder.load(at(source, source_row, k), align=align) for k in range(count)]
    for k, row in enumerate(_turned(builder, rows)):
        builder.store(row, at(target, target_row, k), align=align)


def _turned(builder: Any, rows: list[Any]) -> list[Any]:
    """The columns of a square, by exchanging ever smaller blocks across its diagonal."""
    from llvmlite import ir

    count = len(rows)
    mask_type = ir.VectorType(ir.IntType(32), count)
    step = count // 2
    while step:
        upper = ir.Constant(mask_type, [k if not k & step else count + (k ^ step) for k in range(count)])
        lower = ir.Constant(mask_type, [k | step if not k & step else count + k for k in range(count)])
        new = list(rows)
        for k in range(count):
            if not k & step:
                new[k] = builder.shuffle_vector(rows[k], rows[k | step], upper)
                new[k | step] = builder.shuffle_vector(rows[k], rows[k | step], lower)
        rows, step = new, step // 2
    return rows


def _tile(code: str, rows: int, vectors: int, builder: Any, operands: Sequence[Any]) -> None:
    a, a_row, a_k, panel, c, c_row, depth, width, add = operands
    sums = _products(builder, code, (rows, vectors), (a, a_row, a_k), panel, depth)
    _put(builder, code, sums, (c, c_row), width, add)


def _products(builder: Any, code: str, shape: tuple[int, int], a: tuple[Any, Any, Any], panel: Any, depth: Any) -> Any:
    """The tile's sums over k, as rows of vectors. Note [A tile]."""
    from llvmlite import ir

    rows, vectors = shape
    element, word = _element(code), ir.IntType(64)
    vector = ir.VectorType(element, lanes(code))
    fma = declared(builder, f"llvm.fma.v{lanes(code)}{code}", vector, [vector] * 3)
    start, a_row, a_k = a
    before = builder.block
    head, body, after = (builder.append_basic_block(f"tile.{name}") for name in ("head", "body", "after"))
    builder.branch(head)
    builder.position_at_end(head)
    k, at_a, at_b = (builder.phi(word) for _ in range(3))
    for phi, value in ((k, word(0)), (at_a, start), (at_b, panel)):
        phi.add_incoming(value, before)
    sums = [[builder.phi(vector) for _ in range(vectors)] for _ in range(rows)]
    for phi in (each for row in sums for each in row):
        phi.add_incoming(ir.Constant(vector, [0.0] * lanes(code)), before)
    builder.cbranch(builder.icmp_signed("<", k, depth), body, after)
    builder.position_at_end(body)
    place = [builder.add(at_b, word(v * vector_bytes())) for v in range(vectors)]
    right = [builder.load(builder.inttoptr(each, vector.as_pointer()), align=_BYTES[code]) for each in place]
    for r in range(rows):
        address = builder.add(at_a, builder.mul(a_row, word(r)))
        left = _broadcast(builder, builder.load(builder.inttoptr(address, element.as_pointer())), vector)
        for v in range(vectors):
            sums[r][v].add_incoming(builder.call(fma, [left, right[v], sums[r][v]]), body)
    k.add_incoming(builder.add(k, word(1)), body)
    at_a.add_incoming(builder.add(at_a, a_k), body)
    at_b.add_incoming(builder.add(at_b, word(vectors * vector_bytes())), body)
    mark_loop(builder.branch(head), "llvm.loop.unroll.disable")  # a round is long enough
    builder.position_at_end(after)
    return sums


def _broadcast(builder: Any, scalar: Any, vector: Any) -> Any:
    from llvmlite import ir

    undefined = ir.Constant(vector, ir.Undefined)
    one = builder.insert_element(undefined, scalar, ir.IntType(32)(0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), vector.count), [0] * vector.count)
    return builder.shuffle_vector(one, undefined, zeros)


def _put(builder: Any, code: str, sums: Any, c: tuple[Any, Any], width: Any, add: Any) -> None:
    """Stores the first `width` columns, or adds them to what is there."""
    from llvmlite import ir

    word, count = ir.IntType(64), lanes(code)
    vector, bits = ir.VectorType(_element(code), count), ir.VectorType(ir.IntType(1), count)
    suffix, align = f"v{count}{code}.p0", ir.IntType(32)(_BYTES[code])
    pointer = vector.as_pointer()
    load = declared(builder, f"llvm.masked.load.{suffix}", vector, [pointer, align.type, bits, vector])
    stored = [vector, pointer, align.type, bits]
    store = declared(builder, f"llvm.masked.store.{suffix}", ir.VoidType(), stored)
    indices = ir.VectorType(word, count)
    masks = []
    for v in range(len(sums[0])):
        columns = ir.Constant(indices, [v * count + k for k in range(count)])
        masks.append(builder.icmp_signed("<", columns, _broadcast(builder, width, indices)))
    adds = builder.icmp_signed("!=", add, word(0))
    zeros = ir.Constant(vector, [0.0] * count)
    none = ir.Constant(bits, [0] * count)
    for r, row in enumerate(sums):
        for v, value in enumerate(row):
            offset = builder.add(builder.mul(c[1], word(r)), word(v * vector_bytes()))
            address = builder.inttoptr(builder.add(c[0], offset), pointer)
            seen = builder.select(adds, masks[v], none)
            old = builder.call(load, [address, align, seen, zeros])
            builder.call(store, [builder.fadd(value, old), address, align, masks[v]])
