"""The texts of kernels that pick elements by rank from rows in order, count NaNs, and follow the largest so far."""

from __future__ import annotations

from ....core.dtypes import DType
from .keys import SortedRows, all_ones, key_lines, pointer_name
from .launches import each_of, indented, kernel_of, running_sums

MEDIAN = "good if good < n else (n - 1) // 2"
"""The lower of the two in the middle; the first NaN, where there is one."""
NANMEDIAN = "(good - 1) // 2 if good > 0 else 0"
SIDES = {
    "low": ["chosen = whole"],
    "high": ["chosen = whole + 1 if part > float64(0.0) else whole"],
    "near": [
        "up = (part > float64(0.5)) | ((part == float64(0.5)) & (whole % 2 == 1))",
        "chosen = whole + 1 if up else whole",
    ],
}
"""The rank that a share falls on, of `whole` and the `part` of the way to the next one."""


def _share_lines(ignoring: bool) -> list[str]:
    """The lines that say where a share falls in a row with `good` elements that are no NaN."""
    lines = ["last = good - 1 if good > 0 else 0", "between = f64_of_word(share) * float64(last)"]
    if not ignoring:
        lines.append("between = float64(n - 1) if good < n else between")
    return [*lines, "whole = int64(between)", "part = between - float64(whole)"]


def _good_lines(dtype: DType) -> list[str]:
    """The lines that count what is no NaN in a row, by halving: NaNs stand at its end."""
    if not dtype.is_float:
        return ["good = n"]
    halve = [
        "middle = (good + end) // 2",
        *key_lines(dtype, "px[x_row + pf[row * n + middle] * x_step]"),
        f"if key == {all_ones(dtype)}:",
        "    end = middle",
        "else:",
        "    good = middle + 1",
    ]
    return ["good = int64(0)", "end = n", "while good < end:", *indented(halve)]


def rank_text(dtype: DType, rank: str, rows: SortedRows) -> str:
    """Python source that defines `kernel`, which stores for each row the place of the element of a rank.

    order: the places of the elements of each row in order.   rank: "median", "nanmedian", or "fixed", then the rank is
    the parameter `share`."""
    chosen = {"median": MEDIAN, "nanmedian": NANMEDIAN}.get(rank)
    good = [] if chosen is None else _good_lines(dtype)
    return _picking(dtype, [*good, f"chosen = {chosen or 'share'}"], rows)


def share_text(dtype: DType, side: str, ignoring: bool, rows: SortedRows) -> str:
    """Python source that defines `kernel`, which stores the place of the element at a share: see `PLACE_OF_SHARE`.

    share: the bytes of a float64, as a number."""
    return _picking(dtype, [*_good_lines(dtype), *_share_lines(ignoring), *SIDES[side]], rows)


def _picking(dtype: DType, choose: list[str], rows: SortedRows) -> str:
    lines = [
        f"px = {pointer_name(dtype)}(x)",
        "pf = pointer_i64(order)",
        "po = pointer_i64(out)",
        "row = cuda.grid(1)",
        "while row < rows:",
        *indented(rows.lines),
        *indented(choose),
        "    po[out_row] = pf[row * n + chosen]",
        "    row += cuda.gridsize(1)",
    ]
    return kernel_of(["x", "order", "out", "rows", "n", "share", *rows.parameters], lines)


def weight_text(dtype: DType, ignoring: bool, threads: int, rows: SortedRows) -> str:
    """Python source that defines `kernel`, which stores how far between two elements a share falls, as float64.

    A block counts the NaNs of a row."""
    nan = key_lines(dtype, "px[x_row + place * x_step]")
    count = [*nan, f"found += 1 if key == {all_ones(dtype)} else 0"] if dtype.is_float else ["found += 0"]
    store = ["good = n - sums[half, " + str(threads - 1) + "]", *_share_lines(ignoring), "po[out_row] = part"]
    lines = [
        f"sums = cuda.shared.array((2, {threads}), int64)",
        f"px = {pointer_name(dtype)}(x)",
        "po = pointer_f64(out)",
        "me = cuda.threadIdx.x",
        "row = cuda.blockIdx.x",
        "while row < rows:",
        *indented(rows.lines),
        "    found = int64(0)",
        *indented(each_of("place", "me", "n", threads, count)),
        "    sums[0, me] = found",
        "    cuda.syncthreads()",
        *indented(running_sums(threads, threads)),
        "    if me == 0:",
        *indented(store, 2),
        "    cuda.syncthreads()",
        "    row += cuda.gridDim.x",
    ]
    return kernel_of(["x", "out", "rows", "n", "share", *rows.parameters], lines)


def extreme_text(dtype: DType, largest: bool, threads: int, rows: SortedRows) -> str:
    """Python source that defines `kernel`, which stores the place of the largest (or smallest) element so far, the last
    of several. A block goes through a row, `threads` elements at a time. NaN is beyond all others."""
    fetch = key_lines(dtype, "px[x_row + place * x_step]", not largest, nan_first=False)
    chunk = [
        "place = first + me",
        "key = uint64(0)",
        "if place < n:",
        *indented(fetch),
        "held = place",
        "if (me == 0) & (key < best):",
        "    key = best",
        "    held = best_place",
        "keys[0, me] = key",
        "places[0, me] = held",
        "cuda.syncthreads()",
        "half = 0",
        "step = 1",
        f"while step < {threads}:",
        "    key = keys[half, me]",
        "    held = places[half, me]",
        "    if me >= step:",
        "        if keys[half, me - step] > key:",
        "            key = keys[half, me - step]",
        "            held = places[half, me - step]",
        "    keys[1 - half, me] = key",
        "    places[1 - half, me] = held",
        "    cuda.syncthreads()",
        "    half = 1 - half",
        "    step = step * 2",
        "if place < n:",
        "    po[out_row + place * out_step] = places[half, me]",
        f"best = keys[half, {threads - 1}]",
        f"best_place = places[half, {threads - 1}]",
        "cuda.syncthreads()",
    ]
    lines = [
        f"keys = cuda.shared.array((2, {threads}), uint64)",
        f"places = cuda.shared.array((2, {threads}), int64)",
        f"px = {pointer_name(dtype)}(x)",
        "po = pointer_i64(out)",
        "me = cuda.threadIdx.x",
        "row = cuda.blockIdx.x",
        "while row < rows:",
        *indented(rows.lines),
        "    best = uint64(0)",
        "    best_place = int64(0)",
        *indented(each_of("first", "int64(0)", "n", threads, chunk)),
        "    row += cuda.gridDim.x",
    ]
    return kernel_of(["x", "out", "rows", "n", *rows.parameters], lines)
