"""Vector code for products of windows an element apart from each other: read where they lie, or once for several.

    direct_f32_8x2x3(a, a_row, places, steps, counts, c, c_row, width, add)       8 rows by 2 vectors of c (+)= a @ b
    halves_f32_8x2x3(a, a_row, places, steps, counts, c, c_row, width, add)       the same, each vector from two places
    taps_f32_8x1x3(a, a_row, a_run, run, panel, c, c_row, c_tap, count, width, add)     as `runs`: 8 rows of 3 taps

Addresses and steps are int64 and count bytes; `places` is the tuple of where the columns of each vector, or half of
one, begin. `counts` are the sizes of the first three parts of k, `steps` how far columns lie from the next ones along
each; the last part has 3 entries here. These follow one another in memory, and so do all k of a.
"""

# Note [Windows in place]
# A tile that reads windows where they lie loads vectors that begin anywhere: one that meets two lines of the cache
# counts as two loads. A panel of windows takes as long to copy as some six rows of the result, since it is copied line
# by line, and lines of windows are short. The sums run in the same order, in the same parts: no bit is another.

# Note [Taps]
# Rows of windows that differ by one element along a line are products of the same elements with another row of the
# panel. A tile of 8 such rows by 3 taps loads 8 + 3 times for 24 products where one of 8 rows loads 27 times. At the
# ends of a run some taps have no element, and are left out, so each sum is of the same products in the same order.

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ...llvm.native_functions import VOID, NativeFunction
from . import tiles
from .tiles import (
    broadcast_element,
    lanes,
    load_vector,
    multiplied_add,
    order,
    products_round,
    put_tile,
    rounds_of,
    row_addresses,
    vector_type,
    word,
    zero_vector,
)

_NAME = re.compile(r"\b(direct|halves|taps)_(f32|f64)_(\d+)x(\d+)x(\d+)\b")
_PIECES = {"direct": 1, "halves": 2}


def window_function_named(name: str) -> NativeFunction | None:
    """The function of this name."""
    found = _NAME.fullmatch(name)
    if found is None:
        return None
    kind, code, rows, vectors, run = found[1], found[2], int(found[3]), int(found[4]), int(found[5])
    if kind == "taps":
        return NativeFunction(name, ("i64",) * 11, VOID, partial(_taps, code, (rows, vectors), run))
    three = ("i64",) * 3
    operands = ("i64", "i64", ("i64",) * (vectors * _PIECES[kind]), three, three, "i64", "i64", "i64", "i64")
    return NativeFunction(name, operands, VOID, partial(_tile, code, (rows, vectors), run, _PIECES[kind]))


def _tile(code: str, shape: tuple[int, int], run: int, pieces: int, builder: Any, operands: Sequence[Any]) -> None:
    """Note [Windows in place]."""
    a, a_row, places, steps, counts, c, c_row, width, add = operands
    rows, vectors = shape
    element = word(tiles.vector_bytes() // lanes(code))
    a_row, _, *bases = row_addresses(builder, rows, a, a_row, element)
    apart = [builder.sub(each, places[0]) for each in places[1:]]

    def windows(at: Any) -> list[Any]:
        found = [at, *(builder.add(at, each) for each in apart)]
        if pieces == 1:
            return [load_vector(builder, code, each) for each in found]
        return [_of_halves(builder, code, found[v], found[v + 1]) for v in range(0, 2 * vectors, 2)]

    turn = products_round(builder, code, shape, a_row, element, windows, element)

    def along(part: int) -> Callable[[Sequence[Any]], Sequence[Any]]:
        def one_more(carried: Sequence[Any]) -> list[Any]:
            if part < len(counts) - 1:
                moved = list(rounds_of(builder, counts[part + 1], carried, along(part + 1)))
            else:
                moved = list(carried)
                for _ in range(run):
                    moved = turn(moved)
            moved[len(bases)] = builder.add(carried[len(bases)], steps[part])
            return moved

        return one_more

    zeros = [zero_vector(code)] * (rows * vectors)
    sums = rounds_of(builder, counts[0], [*bases, places[0], *zeros], along(0))[len(bases) + 1 :]
    put_tile(builder, code, [sums[r * vectors : (r + 1) * vectors] for r in range(rows)], (c, c_row), width, add)


def _taps(code: str, shape: tuple[int, int], taps: int, builder: Any, operands: Sequence[Any]) -> None:
    """Note [Taps]."""
    a, a_row, a_run, run, panel, c, c_row, c_tap, count, width, add = operands
    rows, vectors = shape
    element, line = tiles.vector_bytes() // lanes(code), vectors * tiles.vector_bytes()
    a_row, _, *bases = row_addresses(builder, rows, a, a_row, word(element))
    last = taps - 1

    def products(moving: Sequence[Any], at: int, which: Sequence[int]) -> list[Any]:
        """The sums and the products of an element of each row, `at` from the addresses, with rows of the panel."""
        here = [builder.add(each, word(at * element)) for each in moving[: len(bases)]]
        sums = list(moving[len(bases) + 1 :])
        for tap in which:
            places = (word((at - tap) * line + v * tiles.vector_bytes()) for v in range(vectors))
            right = [load_vector(builder, code, builder.add(moving[len(bases)], each)) for each in places]
            for r in range(rows):
                left = broadcast_element(builder, code, builder.add(here[r // 3], builder.mul(a_row, word(r % 3))))
                own = slice((r * taps + tap) * vectors, (r * taps + tap + 1) * vectors)
                sums[own] = multiplied_add(builder, code, left, right, sums[own])
        return sums

    def whole(moving: Sequence[Any]) -> list[Any]:
        sums = products(moving, last, range(taps))
        following = [builder.add(each, word(element)) for each in moving[: len(bases)]]
        return [*following, builder.add(moving[len(bases)], word(line)), *sums]

    def add_run(carried: Sequence[Any]) -> list[Any]:
        begin = list(carried[: len(bases) + 1])
        sums = list(carried[len(bases) + 1 :])
        for at in range(last):
            sums = products([*begin, *sums], at, range(at + 1))
        end = list(rounds_of(builder, builder.sub(run, word(last)), [*begin, *sums], whole))
        for at in range(last):
            end = [*end[: len(bases) + 1], *products(end, last + at, range(at + 1, taps))]
        following = [builder.add(each, a_run) for each in begin[:-1]]
        return [*following, builder.add(begin[-1], builder.mul(run, word(line))), *end[len(bases) + 1 :]]

    zeros = [zero_vector(code)] * (rows * taps * vectors)
    sums = rounds_of(builder, count, [*bases, panel, *zeros], add_run)[len(bases) + 1 :]
    for tap in range(taps):
        made = [sums[(r * taps + tap) * vectors : (r * taps + tap + 1) * vectors] for r in range(rows)]
        put_tile(builder, code, made, (builder.add(c, builder.mul(c_tap, word(tap))), c_row), width, add)


def _of_halves(builder: Any, code: str, first: Any, second: Any) -> Any:
    """The vector of half a vector at each of two addresses."""
    from llvmlite import ir

    count = lanes(code) // 2
    half = ir.VectorType(vector_type(code).element, count)
    size = tiles.vector_bytes() // lanes(code)
    one, two = (builder.load(builder.inttoptr(each, half.as_pointer()), align=size) for each in (first, second))
    return builder.shuffle_vector(one, two, order(*range(2 * count)))
