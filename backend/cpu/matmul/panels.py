"""Vector code that fills panels: rows of b are copied, or columns turned, to where tiles read them.

    pack_f32_1x2(source, source_row, target, rows, width)                the first columns of rows of 2 vectors
    copy_f32_1x2(source, source_row, target, target_row, rows, width)    as pack, and what is behind is left as it is
    every_f32_1x2(source, source_row, target, target_row, rows, width)   as copy, of every second element
    turn_f32(source, source_row, target, target_row, height, width)      a square of one vector each way, transposed
    stack_f32_1x2()                                                      memory for a panel, of the call

Addresses and steps are int64 and count bytes, as those of `tiles`.
"""

# Note [Turned squares]
# A square is transposed in groups first: elements of two rows are interleaved, group by group, so that vectors come out
# whose groups are pieces of columns; then groups of several vectors are gathered, those of even and those of odd
# places, until each vector is one column. All of it is instructions that have no operand for the order in memory.

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Any

from ...llvm.native_functions import VOID, NativeFunction
from ...llvm.values import hidden, stack_memory
from . import tiles
from .tiles import (
    DEPTH,
    lanes,
    masked_load,
    masked_store,
    masks_of,
    masks_where,
    order,
    rounds_of,
    store_vector,
    vector_type,
    word,
)

_NAME = re.compile(r"\b(?:turn_(f32|f64)|(pack|copy|every|stack)_(f32|f64)_1x(\d+))\b")
_GROUP_BYTES = 16
"""Within these one instruction exchanges elements of two registers; another one exchanges whole groups."""


def panel_function_named(name: str) -> NativeFunction | None:
    """The function of this name."""
    found = _NAME.fullmatch(name)
    if found is None:
        return None
    if found[1]:
        return NativeFunction(name, ("i64",) * 6, VOID, partial(_turn, found[1]))
    arity, result, generate = _KINDS[found[2]]
    return NativeFunction(name, ("i64",) * arity, result, partial(generate, found[3], int(found[4])))


def _stack(code: str, vectors: int, builder: Any, operands: Sequence[Any]) -> Any:
    from llvmlite import ir

    memory = stack_memory(builder, vector_type(code).element, DEPTH * vectors * lanes(code))
    return builder.ptrtoint(memory, ir.IntType(64))


def _pack(code: str, vectors: int, builder: Any, operands: Sequence[Any]) -> None:
    """Copies the first `width` columns of rows, which then follow one another; zeros stand behind them."""
    source, source_row, target, rows, width = operands
    _copy_rows(
        code, vectors, builder, (source, source_row), (target, word(vectors * tiles.vector_bytes())), rows, width
    )


def _copy(code: str, vectors: int, builder: Any, operands: Sequence[Any]) -> None:
    """Copies the first `width` columns of rows."""
    source, source_row, target, target_row, rows, width = operands
    _copy_rows(code, vectors, builder, (source, source_row), (target, target_row), rows, width, keeps_rest=True)


def _copy_rows(
    code: str,
    vectors: int,
    builder: Any,
    source: tuple[Any, Any],
    target: tuple[Any, Any],
    rows: Any,
    width: Any,
    *,
    keeps_rest: bool = False,
) -> None:
    """Copies rows. source, target: where they begin, and how far apart they are.

    keeps_rest: whether what stands behind the columns stays as it is; otherwise zeros are written there.
    """
    masks = masks_of(builder, code, vectors, width)

    def copy(moving: Sequence[Any]) -> list[Any]:
        there, here = moving
        for v, mask in enumerate(masks):
            step = word(v * tiles.vector_bytes())
            loaded, place = masked_load(builder, code, builder.add(there, step), mask), builder.add(here, step)
            if keeps_rest:
                masked_store(builder, code, loaded, place, mask)
            else:
                store_vector(builder, code, loaded, place)
        return [builder.add(there, source[1]), builder.add(here, target[1])]

    rounds_of(builder, rows, [source[0], target[0]], copy)


def _every(code: str, vectors: int, builder: Any, operands: Sequence[Any]) -> None:
    """Copies every second element of rows, `width` of them: from two vectors one. Nothing behind the last is read."""
    source, source_row, target, target_row, rows, width = operands
    count = lanes(code)
    spread = builder.sub(builder.shl(width, word(1)), word(1))
    there_masks, here_masks = masks_of(builder, code, 2 * vectors, spread), masks_of(builder, code, vectors, width)
    even = order(*range(0, 2 * count, 2))

    def copy(moving: Sequence[Any]) -> list[Any]:
        there, here = moving
        for v, mask in enumerate(here_masks):
            first, second = (
                masked_load(builder, code, builder.add(there, word(k * tiles.vector_bytes())), there_masks[k])
                for k in (2 * v, 2 * v + 1)
            )
            picked = builder.shuffle_vector(first, second, even)
            masked_store(builder, code, picked, builder.add(here, word(v * tiles.vector_bytes())), mask)
        return [builder.add(there, source_row), builder.add(here, target_row)]

    rounds_of(builder, rows, [source, target], copy)


def _turn(code: str, builder: Any, operands: Sequence[Any]) -> None:
    """Transposes the first `height` rows and `width` columns of a square; zeros stand in place of the others."""
    source, source_row, target, target_row, height, width = operands
    choose = masks_where(builder, code, 1, width)
    rows, there = [], hidden(builder, source)
    for k in range(lanes(code)):
        (known,) = choose(builder.icmp_signed("<", word(k), height))
        rows.append(masked_load(builder, code, there, known))
        there = builder.add(there, source_row)
    here = hidden(builder, target)
    for row in _turned(builder, rows, _GROUP_BYTES // (tiles.vector_bytes() // lanes(code))):
        store_vector(builder, code, row, here)
        here = builder.add(here, target_row)


def _turned(builder: Any, rows: Sequence[Any], group: int) -> list[Any]:
    """The columns of a square. See Note [Turned squares]; `group` is how many elements a group has."""
    count = len(rows)
    halves = [_interleaved(count, group, half) for half in (0, 1)]
    within = list(rows)
    for _ in range(group.bit_length() - 1):  # rows of a block, `group` of them
        within = [
            builder.shuffle_vector(within[first], within[first + group // 2], half)
            for block in range(0, count, group)
            for first in range(block, block + group // 2)
            for half in halves
        ]
    columns = [_gathered(builder, within[k::group], group) for k in range(group)]
    return [columns[k % group][k // group] for k in range(count)]


def _gathered(builder: Any, vectors: list[Any], group: int) -> list[Any]:
    """A vector of the first group of each of these, then one of the second group of each, and so on."""
    if len(vectors) == 1:
        return vectors
    found = []
    for odd in (0, 1):
        mask = order(*(k for k in range(2 * vectors[0].type.count) if k // group % 2 == odd))
        pairs = zip(vectors[::2], vectors[1::2], strict=True)
        found.append(_gathered(builder, [builder.shuffle_vector(*pair, mask) for pair in pairs], group))
    return [each for both in zip(*found, strict=True) for each in both]


def _interleaved(count: int, group: int, half: int) -> Any:
    """The elements of one half of each group of two vectors, by turns."""
    return order(*(k // group * group + half * group // 2 + k % group // 2 + k % 2 * count for k in range(count)))


_KINDS = {"pack": (5, VOID, _pack), "copy": (6, VOID, _copy), "every": (6, VOID, _every), "stack": (0, "i64", _stack)}
"""By the beginning of the name: the number of operands, the result, and what emits the instructions."""
