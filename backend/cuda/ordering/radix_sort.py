"""The texts of kernels that sort long rows by their keys, eight bits at a time, the lowest first.

A pass is three launches. Each warp has a part of a row of its own. First it counts the elements of its part that have
each digit; then the counts of all parts before it are summed up, digit by digit; then it goes through its part again,
in order, and stores each element behind those of its digit that came before. So a pass keeps the order of equal digits,
and what comes out depends on the elements alone, not on who was first.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....core.dtypes import DType
from ..launch_grid import AXIS_BLOCKS, WARP, DeviceLimits, Launch
from .keys import PLACE_BITS, SortedRows, is_wide, key_bits, key_lines, pointer_name
from .launches import DeviceForm, Operand, each_of, indented, kernel_of, running_sums

DIGIT_BITS = 8
DIGITS = 1 << DIGIT_BITS


def rounds_of(length: int) -> int:
    """The elements of a part that each lane goes through: more of them in longer rows."""
    return 8 if length <= 1 << 16 else 16 if length <= 1 << 20 else 32


def part_count(length: int) -> int:
    """The parts of a row."""
    return -(-length // (WARP * rounds_of(length)))


def _source(dtype: DType, first: bool, descending: bool) -> tuple[list[str], list[str], list[str]]:
    """The parameters of a pass for what it reads, the lines that make pointers of them, and the lines that set `key`.

    `key` is the element `place` of the row; where both fit into one word, the key and its place together."""
    if first:
        fetch = key_lines(dtype, "px[x_row + place * x_step]", descending)
        if not is_wide(dtype):
            fetch.append(f"key = (key << uint64({PLACE_BITS})) | uint64(place)")
        return ["x"], [f"px = {pointer_name(dtype)}(x)"], fetch
    return ["x"], ["px = pointer_u64(x)"], ["key = px[row * n + place]"]


def _digit_lines(fetch: Sequence[str]) -> list[str]:
    """The lines of one round of a warp, up to the lanes that have the same digit."""
    return [
        f"place = (part * rounds + round) * {WARP} + lane",
        f"digit = {DIGITS}",
        "key = uint64(0)",
        "if place < n:",
        *indented(fetch),
        f"    digit = int64((key >> uint64(shift)) & uint64({DIGITS - 1}))",
        "alike = lanes_alike(digit)",
    ]


def count_text(dtype: DType, descending: bool, warps: int, rows: SortedRows, first: bool) -> str:
    """Python source that defines `kernel`, which counts the digits in each part."""
    given, pointers, fetch = _source(dtype, first, descending)
    rows = rows.only("x") if first else rows.only()
    counted = f"(row * {DIGITS} + digit) * parts + part"
    count = [
        *_digit_lines(fetch),
        "if (alike & below) == 0:",
        "    tally[warp, digit] = int32(tally[warp, digit] + count_bits(alike))",
        "join_warp()",
    ]
    lines = [
        f"tally = cuda.shared.array(({warps}, {DIGITS + 1}), int32)",
        *pointers,
        "pc = pointer_i32(counts)",
        "lane = cuda.threadIdx.x",
        "warp = cuda.threadIdx.y",
        "below = (1 << lane) - 1",
        f"part = cuda.blockIdx.x * {warps} + warp",
        "row = cuda.blockIdx.y",
        "while row < rows:",
        *indented(rows.lines),
        *indented(each_of("digit", "lane", DIGITS + 1, WARP, ["tally[warp, digit] = int32(0)"])),
        "    join_warp()",
        *indented(each_of("round", "0", "rounds", 1, count)),
        "    if part < parts:",
        *indented(each_of("digit", "lane", DIGITS, WARP, [f"pc[{counted}] = tally[warp, digit]"]), 2),
        "    join_warp()",
        "    row += cuda.gridDim.y",
    ]
    parameters = [*given, "counts", "rows", "n", "parts", "rounds", "shift"]
    return kernel_of([*parameters, *rows.parameters], lines)


def sums_text(threads: int) -> str:
    """Python source that defines `kernel`, which makes of the counts in each line the sums of those before them.

    threads: a power of two. `totals` gets the sum of each line."""
    share = [
        "place = first + me",
        "own = int64(0)",
        "if place < parts:",
        "    own = int64(pc[line * parts + place])",
        "sums[0, me] = own",
        "cuda.syncthreads()",
        *running_sums(threads, threads),
        "whole = sums[half, me]",
        f"every = sums[half, {threads - 1}]",
        "if place < parts:",
        "    pc[line * parts + place] = int32(carry + whole - own)",
        "carry += every",
        "cuda.syncthreads()",
    ]
    lines = [
        f"sums = cuda.shared.array((2, {threads}), int64)",
        "pc = pointer_i32(counts)",
        "pt = pointer_i64(totals)",
        "me = cuda.threadIdx.x",
        "line = cuda.blockIdx.x",
        "while line < lines:",
        "    carry = int64(0)",
        *indented(each_of("first", "0", "parts", threads, share)),
        "    if me == 0:",
        "        pt[line] = carry",
        "    line += cuda.gridDim.x",
    ]
    return kernel_of(["counts", "totals", "lines", "parts"], lines)


def scatter_text(dtype: DType, descending: bool, warps: int, rows: SortedRows, first: bool, last: bool) -> str:
    """Python source that defines `kernel`, which stores the elements of each part at their places of a pass.

    first: it reads the elements, else what an earlier pass stored; last: it stores the elements' places in the row,
    along `out`, else their words, or keys and places."""
    given, pointers, fetch = _source(dtype, first, descending)
    wide, threads = is_wide(dtype), WARP * warps
    rows = rows.only(*(name for name, own in (("x", first), ("out", last)) if own))
    parameters = [*given, *(["x_places"] if wide and not first else []), "counts", "totals", "out"]
    pointers = [*pointers, "pc = pointer_i32(counts)", "pt = pointer_i64(totals)"]
    if wide and not first:
        pointers.append("pf = pointer_u32(x_places)")
    from_row = ("place" if first else "int64(pf[row * n + place])") if wide else "int64(key & uint64(0xffffffff))"
    if last:
        pointers.append("po = pointer_i64(out)")
        store = [f"po[out_row + target * out_step] = int64({from_row})"]
    elif wide:
        parameters.append("out_places")
        pointers += ["po = pointer_u64(out)", "pg = pointer_u32(out_places)"]
        store = ["po[row * n + target] = key", f"pg[row * n + target] = uint32({from_row})"]
    else:
        pointers.append("po = pointer_u64(out)")
        store = ["po[row * n + target] = key"]
    begin = [
        f"start = sums[half, each] - pt[row * {DIGITS} + each]",
        "if part < parts:",
        f"    start += int64(pc[(row * {DIGITS} + each) * parts + part])",
        "starts[warp, each] = start",
    ]
    place = [
        *_digit_lines(fetch),
        "earlier = count_bits(alike & below)",
        "target = int64(0)",
        "if place < n:",
        "    target = starts[warp, digit] + earlier",
        "join_warp()",
        "if place < n:",
        "    if earlier == 0:",
        "        starts[warp, digit] = target + count_bits(alike)",
        *indented(store, 1),
        "join_warp()",
    ]
    lines = [
        f"starts = cuda.shared.array(({warps}, {DIGITS}), int64)",
        f"sums = cuda.shared.array((2, {DIGITS}), int64)",
        *pointers,
        "lane = cuda.threadIdx.x",
        "warp = cuda.threadIdx.y",
        f"me = warp * {WARP} + lane",
        "below = (1 << lane) - 1",
        f"part = cuda.blockIdx.x * {warps} + warp",
        "row = cuda.blockIdx.y",
        "while row < rows:",
        *indented(rows.lines),
        *indented(each_of("each", "me", DIGITS, threads, [f"sums[0, each] = pt[row * {DIGITS} + each]"])),
        "    cuda.syncthreads()",
        *indented(running_sums(DIGITS, threads)),
        *indented(each_of("each", "lane", DIGITS, WARP, begin)),
        "    join_warp()",
        *indented(each_of("round", "0", "rounds", 1, place)),
        "    cuda.syncthreads()",
        "    row += cuda.gridDim.y",
    ]
    return kernel_of([*parameters, "rows", "n", "parts", "rounds", "shift", *rows.parameters], lines)


def add_radix_sort(
    form: DeviceForm,
    dtype: DType,
    descending: bool,
    rows: SortedRows,
    length: int,
    source: Operand,
    target: Operand,
    limits: DeviceLimits,
) -> None:
    """Appends the launches that store the places of the elements of each row in order, as int64.

    rows: those of `source`, called x, and of `target`, called out."""
    wide, warps, parts = is_wide(dtype), limits.warps, part_count(length)
    passes = key_bits(dtype) // DIGIT_BITS
    counts = form.reserve(4 * rows.count * DIGITS * parts)
    totals = form.reserve(8 * rows.count * DIGITS)
    halves: list[tuple[Operand, ...]] = []
    for _ in range(min(passes - 1, 2)):
        words = form.reserve(8 * rows.count * length)
        halves.append((words, form.reserve(4 * rows.count * length)) if wide else (words,))
    over_parts = Launch((-(-parts // warps), min(rows.count, AXIS_BLOCKS), 1), (WARP, warps, 1))
    lines, sharing = rows.count * DIGITS, limits.threads
    for k in range(passes):
        first, last = k == 0, k == passes - 1
        shift = DIGIT_BITS * k + (0 if wide else PLACE_BITS)
        numbers = (rows.count, length, parts, rounds_of(length), shift)
        given = (source,) if first else halves[(k - 1) % 2]
        taking = (target,) if last else halves[k % 2]
        own = rows.only("x") if first else rows.only()
        text = count_text(dtype, descending, warps, rows, first)
        form.add("count", text, (given[0], counts), (*numbers, *own.numbers), over_parts)
        form.add("sums", sums_text(sharing), (counts, totals), (lines, parts), lines_launch(lines, limits))
        own = rows.only(*(name for name, mine in (("x", first), ("out", last)) if mine))
        text = scatter_text(dtype, descending, warps, rows, first, last)
        form.add("place", text, (*given, counts, totals, *taking), (*numbers, *own.numbers), over_parts)


def lines_launch(lines: int, limits: DeviceLimits) -> Launch:
    """The sizes of a launch of `sums_text`: a block for each line."""
    return Launch((min(lines, limits.blocks), 1, 1), (limits.threads, 1, 1))
