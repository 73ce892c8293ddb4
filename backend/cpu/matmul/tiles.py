"""Vector code for matrix products: intrinsics that kernel text calls by name, as wide as the processor's registers.

    tile_f32_8x2(a, a_row, a_k, panel, c, c_row, depth, width, add)     8 rows by 2 vectors of c (+)= a @ panel
    runs_f32_8x2(a, a_row, a_k, a_run, run, panel, c, c_row, count, width, add)     the same, k in `count` runs of `run`

Addresses and steps are int64 and count bytes. Importing this module imports neither numba nor llvmlite.
"""

# Note [A tile]
# A tile of the result stays in registers while k runs: each k loads one row of the panel (`vectors` vectors), and for
# every row of the tile one element of `a`, broadcast, that is multiplied and added to each. Sums run over k in order,
# by fused multiply-add: the same bits on every machine, however wide its registers are.

# Note [Addresses of rows]
# A round reads an element of each row of `a`. A processor adds a register, or twice a register, to an address as it
# loads; so the address of every third row is kept, and the others are one and two steps from there. LLVM does not know
# how these hang together (`hidden`): it would add the step row after row, in a chain as long as the round, and keep the
# step on the stack where the text around has need of registers.

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

from ...llvm.native_functions import VOID, NativeFunction, declared
from ...llvm.values import hidden, mark_loop, mark_vectors

DEPTH = 256
"""Rows of a panel at most. Its memory is that of the call's stack."""
_NAME = re.compile(r"\b(tile|runs)_(f32|f64)_(\d+)x(\d+)\b")
_BYTES = {"f32": 4, "f64": 8}
_WORD_BITS = 64


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


def tile_function_named(name: str) -> NativeFunction | None:
    """The function of this name."""
    found = _NAME.fullmatch(name)
    if found is None:
        return None
    kind, code, rows, vectors = found[1], found[2], int(found[3]), int(found[4])
    arity, generate = (9, _tile) if kind == "tile" else (11, _runs)
    return NativeFunction(name, ("i64",) * arity, VOID, partial(generate, code, rows, vectors))


def _element(code: str) -> Any:
    from llvmlite import ir

    return ir.FloatType() if code == "f32" else ir.DoubleType()


def _tile(code: str, rows: int, vectors: int, builder: Any, operands: Sequence[Any]) -> None:
    a, a_row, a_k, panel, c, c_row, depth, width, add = operands
    sums = _products(builder, code, (rows, vectors), (a, a_row, a_k), panel, depth)
    put_tile(builder, code, sums, (c, c_row), width, add)


def _runs(code: str, rows: int, vectors: int, builder: Any, operands: Sequence[Any]) -> None:
    a, a_row, a_k, a_run, run, panel, c, c_row, count, width, add = operands

    a_row, a_k, *bases = row_addresses(builder, rows, a, a_row, a_k)

    def add_run(carried: Sequence[Any]) -> list[Any]:
        turn = _panel_round(builder, code, (rows, vectors), a_row, a_k)
        moved = rounds_of(builder, run, carried, turn)
        return [*(builder.add(each, a_run) for each in carried[: len(bases)]), *moved[len(bases) :]]

    zeros = [zero_vector(code)] * (rows * vectors)
    sums = rounds_of(builder, count, [*bases, panel, *zeros], add_run)[len(bases) + 1 :]
    put_tile(builder, code, [sums[r * vectors : (r + 1) * vectors] for r in range(rows)], (c, c_row), width, add)


def _products(builder: Any, code: str, shape: tuple[int, int], a: tuple[Any, Any, Any], panel: Any, depth: Any) -> Any:
    """The tile's sums over k, as rows of vectors. Note [A tile]."""

    rows, vectors = shape
    a_row, a_k, *bases = row_addresses(builder, rows, *a)
    zeros = [zero_vector(code)] * (rows * vectors)
    turn = _panel_round(builder, code, shape, a_row, a_k)
    sums = rounds_of(builder, depth, [*bases, panel, *zeros], turn)[len(bases) + 1 :]
    return [sums[r * vectors : (r + 1) * vectors] for r in range(rows)]


def row_addresses(builder: Any, rows: int, start: Any, a_row: Any, a_k: Any) -> list[Any]:
    """The steps from row to row and from k to k, and the address of every third row: see Note [Addresses of rows]."""
    a_row, a_k = hidden(builder, a_row), hidden(builder, a_k)
    return [a_row, a_k, *(hidden(builder, builder.add(start, builder.mul(a_row, word(r)))) for r in range(0, rows, 3))]


def products_round(
    builder: Any,
    code: str,
    shape: tuple[int, int],
    a_row: Any,
    a_k: Any,
    right: Callable[[Any], Sequence[Any]],
    b_step: Any,
) -> Any:
    """A round that adds one k's products to the tile's sums, carried behind the addresses in a and in b.

    right: emits the loads of the vectors of b at an address, which moves on by `b_step`."""
    rows, vectors = shape
    count = -(-rows // 3)

    def add_products(carried: Sequence[Any]) -> list[Any]:
        bases, at_b, sums = carried[:count], carried[count], list(carried[count + 1 :])
        b = right(at_b)
        for r in range(rows):
            left = broadcast_element(builder, code, builder.add(bases[r // 3], builder.mul(a_row, word(r % 3))))
            row = slice(r * vectors, (r + 1) * vectors)
            sums[row] = multiplied_add(builder, code, left, b, sums[row])
        return [
            *(builder.add(each, a_k) for each in bases),
            builder.add(at_b, b_step),
            *sums,
        ]

    return add_products


def _panel_round(builder: Any, code: str, shape: tuple[int, int], a_row: Any, a_k: Any) -> Any:
    places = [word(v * vector_bytes()) for v in range(shape[1])]

    def row_of_panel(at: Any) -> list[Any]:
        return [load_vector(builder, code, builder.add(at, each)) for each in places]

    step = word(shape[1] * vector_bytes())
    return products_round(builder, code, shape, a_row, a_k, row_of_panel, step)


def rounds_of(
    builder: Any, count: Any, first: Sequence[Any], turn: Callable[[Sequence[Any]], Sequence[Any]]
) -> Sequence[Any]:
    """A loop of `count` rounds, in which `turn` emits what gives the carried values of the next one. Gives the last."""
    mark_vectors(builder.module)
    before = builder.block
    head, body, after = (builder.append_basic_block(f"rounds.{name}") for name in ("head", "body", "after"))
    builder.branch(head)
    builder.position_at_end(head)
    k, *carried = phis = [builder.phi(each.type) for each in (word(0), *first)]
    for phi, value in zip(phis, (word(0), *first), strict=True):
        phi.add_incoming(value, before)
    builder.cbranch(builder.icmp_signed("<", k, count), body, after)
    builder.position_at_end(body)
    following = turn(carried)
    for phi, value in zip(phis, (builder.add(k, word(1)), *following), strict=True):
        phi.add_incoming(value, builder.block)
    mark_loop(builder.branch(head), "llvm.loop.unroll.disable")  # a round is long enough
    builder.position_at_end(after)
    return carried


def _broadcast(builder: Any, scalar: Any, vector: Any) -> Any:
    from llvmlite import ir

    undefined = ir.Constant(vector, ir.Undefined)
    one = builder.insert_element(undefined, scalar, ir.IntType(32)(0))
    return builder.shuffle_vector(one, undefined, order(*[0] * vector.count))


def put_tile(builder: Any, code: str, sums: Any, c: tuple[Any, Any], width: Any, add: Any) -> None:
    """Stores the first `width` columns, or adds them to what is there."""
    choose = masks_where(builder, code, len(sums[0]), width)
    masks, seen = choose(None), choose(builder.icmp_signed("!=", add, word(0)))
    here = hidden(builder, c[0])
    for row in sums:
        for v, value in enumerate(row):
            place = builder.add(here, word(v * vector_bytes()))
            total = builder.fadd(value, masked_load(builder, code, place, seen[v]))
            masked_store(builder, code, total, place, masks[v])
        here = builder.add(here, c[1])


# -- vectors in memory -------------------------------------------------------------------------------------------------
# Constants are kept, since each keeps the text that LLVM reads.
@cache
def word(number: int) -> Any:
    """The number as an LLVM constant of 64 bits."""
    from llvmlite import ir

    return ir.Constant(ir.IntType(64), number)


@cache
def order(*elements: int) -> Any:
    """The constant that says which elements of two vectors a third one has."""
    from llvmlite import ir

    return ir.Constant(ir.VectorType(ir.IntType(32), len(elements)), elements)


def vector_type(code: str) -> Any:
    """LLVM's type of a vector."""
    return _vector_type(code, lanes(code))


def zero_vector(code: str) -> Any:
    """The vector of zeros."""
    return _zeros(code, lanes(code))


@cache
def _vector_type(code: str, count: int) -> Any:
    from llvmlite import ir

    return ir.VectorType(_element(code), count)


@cache
def _zeros(code: str, count: int) -> Any:
    from llvmlite import ir

    zeros = ir.FormattedConstant(_element(code), "zeroinitializer")
    zeros.type = _vector_type(code, count)  # of which llvmlite writes each element
    return zeros


def broadcast_element(builder: Any, code: str, address: Any) -> Any:
    """The vector whose elements are all that at an address."""
    return _broadcast(builder, builder.load(builder.inttoptr(address, _element(code).as_pointer())), vector_type(code))


def multiplied_add(builder: Any, code: str, left: Any, right: Sequence[Any], sums: Sequence[Any]) -> list[Any]:
    """Each sum plus `left` times the vector of `right`, rounded once."""
    vector = vector_type(code)
    fma = declared(builder, f"llvm.fma.v{lanes(code)}{code}", vector, [vector] * 3)
    return [builder.call(fma, [left, each, total]) for each, total in zip(right, sums, strict=True)]


def load_vector(builder: Any, code: str, address: Any) -> Any:
    """The vector at an address, which is that of any element."""
    return builder.load(builder.inttoptr(address, vector_type(code).as_pointer()), align=_BYTES[code])


def masks_of(builder: Any, code: str, vectors: int, width: Any) -> list[Any]:
    """For each vector of a row, which of its elements are among the first `width` of the row."""
    return masks_where(builder, code, vectors, width)(None)


def masks_where(builder: Any, code: str, vectors: int, width: Any) -> Callable[[Any], list[Any]]:
    """Gives `masks_of`, or those that hold nothing where its operand, an LLVM bool, is false."""
    from llvmlite import ir

    count = lanes(code)
    if vector_bytes() == 64:  # a mask is made of a number there: comparisons would take registers from tiles
        numbers = [_ones(builder, builder.sub(width, word(k))) for k in range(0, vectors * count, _WORD_BITS)]

        def of_numbers(where: Any) -> list[Any]:
            chosen = numbers if where is None else [builder.select(where, each, word(0)) for each in numbers]
            places = (divmod(first, _WORD_BITS) for first in range(0, vectors * count, count))
            parts = (builder.lshr(chosen[k], word(place)) for k, place in places)
            mask = ir.VectorType(ir.IntType(1), count)
            return [builder.bitcast(builder.trunc(each, ir.IntType(count)), mask) for each in parts]

        return of_numbers
    indices = ir.VectorType(ir.IntType(64), count)
    wide = _broadcast(builder, width, indices)
    columns = [ir.Constant(indices, [v * count + k for k in range(count)]) for v in range(vectors)]
    masks = [builder.icmp_signed("<", each, wide) for each in columns]

    def of_comparisons(where: Any) -> list[Any]:
        none = ir.Constant(masks[0].type, None)
        return masks if where is None else [builder.select(where, each, none) for each in masks]

    return of_comparisons


def _ones(builder: Any, width: Any) -> Any:
    """The word whose first `width` bits are set, which may be less than none and more than all."""
    some = builder.select(builder.icmp_signed("<", width, word(0)), word(0), width)
    all_of_them = builder.icmp_signed(">=", width, word(_WORD_BITS))
    return builder.select(all_of_them, word(-1), builder.not_(builder.shl(word(-1), some)))


def _masked(code: str) -> tuple[str, Any, Any]:
    """The end of the name of a masked access, its alignment, and the type of its mask."""
    from llvmlite import ir

    count = lanes(code)
    return f"v{count}{code}.p0", ir.Constant(ir.IntType(32), _BYTES[code]), ir.VectorType(ir.IntType(1), count)


def masked_load(builder: Any, code: str, address: Any, mask: Any) -> Any:
    """The elements at an address; zero where the mask is false, and nothing is read there."""

    (suffix, align, bits), vector = _masked(code), vector_type(code)
    pointer = vector.as_pointer()
    load = declared(builder, f"llvm.masked.load.{suffix}", vector, [pointer, align.type, bits, vector])
    return builder.call(load, [builder.inttoptr(address, pointer), align, mask, zero_vector(code)])


def masked_store(builder: Any, code: str, value: Any, address: Any, mask: Any) -> None:
    """Stores the elements of a vector where the mask is true."""
    from llvmlite import ir

    (suffix, align, bits), pointer = _masked(code), value.type.as_pointer()
    store = declared(builder, f"llvm.masked.store.{suffix}", ir.VoidType(), [value.type, pointer, align.type, bits])
    builder.call(store, [value, builder.inttoptr(address, pointer), align, mask])


def store_vector(builder: Any, code: str, value: Any, address: Any) -> None:
    """Stores a vector at an address, which is that of any element."""
    builder.store(value, builder.inttoptr(address, value.type.as_pointer()), align=_BYTES[code])
