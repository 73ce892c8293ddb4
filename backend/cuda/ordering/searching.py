"""The texts of kernels that search sequences in order, by halving: one thread for each element that is asked for."""

from __future__ import annotations

from ....core.dtypes import DType
from .keys import SortedRows, all_ones, key_lines, pointer_name
from .launches import indented, kernel_of


def _halving(dtype: DType, element: str, right: bool) -> list[str]:
    """The lines that set `low` to the first place in `n` elements whose key is not less than `wanted`, or is greater.

    element: reads the bits of the element at `middle`."""
    return [
        "low = int64(0)",
        "high = n",
        "while low < high:",
        "    middle = (low + high) // 2",
        *indented(key_lines(dtype, element)),
        f"    if key {'<=' if right else '<'} wanted:",
        "        low = middle + 1",
        "    else:",
        "        high = middle",
    ]


def search_text(dtype: DType, right: bool, result: DType, rows: SortedRows) -> str:
    """Python source that defines `kernel`, which stores where each element of `asked` would go in its sequence.

    rows: those of the sequences, called x, of what is asked for, called asked, and of the result, called out; of
    `count` elements the latter two."""
    lines = [
        f"px = {pointer_name(dtype)}(x)",
        f"pa = {pointer_name(dtype)}(asked)",
        f"po = pointer_{result.code}(out)",
        "number = cuda.grid(1)",
        "while number < rows * count:",
        "    row = number // count",
        "    place = number % count",
        *indented(rows.lines),
        *indented(key_lines(dtype, "pa[asked_row + place * asked_step]")),
        "    wanted = key",
        *indented(_halving(dtype, "px[x_row + middle * x_step]", right)),
        f"    po[out_row + place * out_step] = {result.name}(low)",
        "    number += cuda.gridsize(1)",
    ]
    return kernel_of(["x", "asked", "out", "rows", "count", "n", *rows.parameters], lines)


def member_text(dtype: DType, invert: bool, rows: SortedRows) -> str:
    """Python source that defines `kernel`, which stores as a byte whether each element of `asked` is one of others.

    x: those, `n` of them, `x_step` apart; order: their places in order. A NaN is none of them."""
    is_one = "(low < n) & (wanted != " + all_ones(dtype) + ")" if dtype.is_float else "low < n"
    lines = [
        f"px = {pointer_name(dtype)}(x)",
        "pf = pointer_i64(order)",
        f"pa = {pointer_name(dtype)}(asked)",
        "po = pointer_u8(out)",
        "number = cuda.grid(1)",
        "while number < rows * count:",
        "    row = number // count",
        "    place = number % count",
        *indented(rows.lines),
        *indented(key_lines(dtype, "pa[asked_row + place * asked_step]")),
        "    wanted = key",
        *indented(_halving(dtype, "px[pf[middle] * x_step]", False)),
        "    found = False",
        f"    if {is_one}:",
        *indented(key_lines(dtype, "px[pf[low] * x_step]"), 2),
        "        found = key == wanted",
        f"    po[out_row + place * out_step] = uint8({0 if invert else 1}) if found else uint8({1 if invert else 0})",
        "    number += cuda.gridsize(1)",
    ]
    return kernel_of(["x", "order", "asked", "out", "rows", "count", "n", "x_step", *rows.parameters], lines)
