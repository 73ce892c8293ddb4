"""The text of a kernel that sorts short rows: a block sorts one or several of them in shared memory.

Batcher's bitonic network over words, or keys and places, that all differ: see Note [Words and places]. Elements up to
32 apart are exchanged by the threads of one warp, which then wait for no other one.
Source: Batcher 1968, Sorting networks and their applications.
"""

from __future__ import annotations

from ....core.dtypes import DType
from ....core.records import dataclass
from ..launch_grid import WARP, DeviceLimits, Launch
from .keys import PLACE_BITS, SortedRows, is_wide, key_lines, pointer_name
from .launches import each_of, indented, kernel_of


@dataclass(frozen=True, slots=True)
class BlockSort:
    """A block sorts `rows` rows of up to `size` elements, a power of two, each by `threads` threads."""

    size: int
    rows: int
    threads: int


def block_sort_of(length: int, limits: DeviceLimits) -> BlockSort:
    """The form for rows of a length."""
    size = max(2, 1 << (length - 1).bit_length())
    threads = min(size // 2, limits.row_threads)
    return BlockSort(size, max(1, limits.threads // threads), threads)


def block_sort_text(dtype: DType, descending: bool, form: BlockSort, rows: SortedRows) -> str:
    """Python source that defines `kernel`, which stores the places of the elements of each row in order."""
    wide, size, threads = is_wide(dtype), form.size, form.threads
    fetch = key_lines(dtype, "px[x_row + place * x_step]", descending)
    beyond = "key = uint64(0xffffffffffffffff)"
    if wide:
        shared = [
            f"keys = cuda.shared.array(({form.rows}, {size}), uint64)",
            f"places = cuda.shared.array(({form.rows}, {size}), int32)",
        ]
        fill = ["keys[line, place] = key", "places[line, place] = int32(place)"]
        packed: list[str] = []
        compare = [
            "one = keys[line, low]",
            "other = keys[line, high]",
            "first_place = places[line, low]",
            "second_place = places[line, high]",
            "turned = (other < one) | ((other == one) & (second_place < first_place))",
        ]
        swap = [
            "keys[line, low] = other",
            "keys[line, high] = one",
            "places[line, low] = second_place",
            "places[line, high] = first_place",
        ]
        result = "int64(places[line, place])"
    else:
        shared = [f"words = cuda.shared.array(({form.rows}, {size}), uint64)"]
        fill = ["words[line, place] = key"]
        packed = [f"key = (key << uint64({PLACE_BITS})) | uint64(place)"]
        compare = ["one = words[line, low]", "other = words[line, high]", "turned = other < one"]
        swap = ["words[line, low] = other", "words[line, high] = one"]
        result = "int64(words[line, place] & uint64(0xffffffff))"
    load = [beyond, "if (row < rows) & (place < n):", *indented([*fetch, *packed]), *fill]
    exchange = [
        "low = 2 * pair - (pair & (apart - 1))",
        "high = low + apart",
        *compare,
        "if turned == ((low & span) == 0):",
        *indented(swap),
    ]
    lines = [
        *shared,
        f"px = {pointer_name(dtype)}(x)",
        "po = pointer_i64(out)",
        "lane = cuda.threadIdx.x",
        "line = cuda.threadIdx.y",
        f"first = cuda.blockIdx.x * {form.rows}",
        "while first < rows:",
        "    row = first + line",
        *indented(rows.lines),
        *indented(each_of("place", "lane", size, threads, load)),
        "    cuda.syncthreads()",
        "    span = 2",
        f"    while span <= {size}:",
        "        apart = span // 2",
        "        while apart > 0:",
        *indented(each_of("pair", "lane", size // 2, threads, exchange), 3),
        f"            if (apart > {WARP}) | ((apart == 1) & (span > {WARP})):",
        "                cuda.syncthreads()",
        "            else:",
        "                join_warp()",
        "            apart = apart // 2",
        "        span = span * 2",
        "    if row < rows:",
        *indented(each_of("place", "lane", "n", threads, [f"po[out_row + place * out_step] = {result}"]), 2),
        "    cuda.syncthreads()",
        f"    first += cuda.gridDim.x * {form.rows}",
    ]
    return kernel_of(["x", "out", "rows", "n", *rows.parameters], lines)


def block_sort_launch(count: int, form: BlockSort, limits: DeviceLimits) -> Launch:
    """The sizes of a launch for so many rows, one at least."""
    return Launch((min(-(-count // form.rows), limits.blocks), 1, 1), (form.threads, form.rows, 1))
