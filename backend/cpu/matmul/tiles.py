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
from functools import cache
from typing import Any

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


def functions_named_in(text: str) -> dict[str, object]:
    """The functions that occur by name in `text`."""
    return {match[0]: _function(match[1], match[2], match[3], match[4]) for match in _NAME.finditer(text)}


@cache
def _function(kind: str, code: str, rows: str | None, vectors: str | None) -> object:
    if kind == "tile":
        return _tile(code, int(rows or 1), int(vectors or 1))
    return _turn(code) if kind == "turn" else _stack(code)


def _element(code: str) -> Any:
    from llvmlite import ir

    return ir.FloatType() if code == "f32" else ir.DoubleType()


def _intrinsic(name: str, arity: int, generate: Any, result: str = "void") -> object:
    """An intrinsic of `arity` int64 operands."""
    from numba import types
    from numba.core.extending import intrinsic

    returned = types.void if result == "void" else types.int64

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        found = generate(builder, *arguments)
        return context.get_dummy_value() if result == "void" else found

    names = ", ".join(f"x{k}" for k in range(arity))
    namespace = {"signature": returned(*[types.int64] * arity), "codegen": codegen}
    separator = ", " if names else ""
    exec(f"def {name}(typingctx{separator}{names}):\n    return signature, codegen", namespace)
    return intrinsic(namespace[name])


def _stack(code: str) -> object:
    from llvmlite import ir

    count = DEPTH * VECTORS * lanes(code)

    def generate(builder: Any) -> Any:
        # Numba's own alloca would store a zero in each element: seconds of compiling.
        with builder.goto_entry_block():
            memory = builder.alloca(ir.ArrayType(_element(code), count))
        memory.align = 64
        return builder.ptrtoint(memory, ir.IntType(64))

    return _intrinsic(f"stack_{code}", 0, generate, "int64")


def _turn(code: str) -> object:
    from llvmlite import ir

    count = lanes(code)
    vector, word = ir.VectorType(_element(code), count), ir.IntType(64)

    def at(builder: Any, start: Any, step: Any, k: int) -> Any:
        return builder.inttoptr(builder.add(start, builder.mul(step, word(k))), vector.as_pointer())

    def generate(builder: Any, source: Any, source_row: Any, target: Any, target_row: Any) -> None:
        align = _BYTES[code]
        rows = [builder.load(at(builder, source, source_row, k), align=align) for k in range(count)]
        for k, row in enumerate(_turned(builder, rows)):
            builder.store(row, at(builder, target, target_row, k), align=align)

    return _intrinsic(f"turn_{code}", 4, generate)


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


def _tile(code: str, rows: int, vectors: int) -> object:
    def generate(builder: Any, *operands: Any) -> None:
        a, a_row, a_k, panel, c, c_row, depth, width, add = operands
        sums = _products(builder, code, (rows, vectors), (a, a_row, a_k), panel, depth)
        _put(builder, code, sums, (c, c_row), width, add)

    return _intrinsic(f"tile_{code}_{rows}x{vectors}", 9, generate)


def _products(builder: Any, code: str, shape: tuple[int, int], a: tuple[Any, Any, Any], panel: Any, depth: Any) -> Any:
    """The tile's sums over k, as rows of vectors. Note [A tile]."""
    from llvmlite import ir
    from numba.core import cgutils

    rows, vectors = shape
    element, word = _element(code), ir.IntType(64)
    vector = ir.VectorType(element, lanes(code))
    fma = cgutils.get_or_insert_function(
        builder.module, ir.FunctionType(vector, [vector] * 3), f"llvm.fma.v{lanes(code)}{code}"
    )
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
    builder.branch(head)
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
    from numba.core import cgutils

    word, count = ir.IntType(64), lanes(code)
    vector, bits = ir.VectorType(_element(code), count), ir.VectorType(ir.IntType(1), count)
    suffix, align = f"v{count}{code}.p0", ir.IntType(32)(_BYTES[code])
    pointer = vector.as_pointer()
    loads = ir.FunctionType(vector, [pointer, align.type, bits, vector])
    stores = ir.FunctionType(ir.VoidType(), [vector, pointer, align.type, bits])
    load = cgutils.get_or_insert_function(builder.module, loads, f"llvm.masked.load.{suffix}")
    store = cgutils.get_or_insert_function(builder.module, stores, f"llvm.masked.store.{suffix}")
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
