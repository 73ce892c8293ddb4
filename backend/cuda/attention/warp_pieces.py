"""The pieces of attention kernels that multiply half floats by tensor cores."""

# Note [Attention on tensor cores]
# A warp has 16 rows of the matrix that stays, and makes their scores with all rows that are there of the one passed, 16
# by 8 of them with one instruction: lane x has those of rows x // 4 and x // 4 + 8 with columns x % 4 * 2 and the next
# one, of each group of 8 columns. So four lanes share a row, and what they have as scores is, rounded to half floats
# and packed in pairs, what the next product takes as its left operand: scores never leave registers.
#
# Rows are copied into shared memory as they are, by the memory system on its own: where there is room for two times as
# many, the next ones are on their way while these are multiplied. Shares are rounded to half floats before they are
# multiplied, as the results are after it; for results of float32 a share is the sum of two or three half floats. What
# is summed up, largest scores, sums and slopes are float32. Slopes of float16 are brought to a common size first, so
# that none becomes infinite and none that counts becomes zero.

from __future__ import annotations

from collections.abc import Callable, Iterable

from ....core.dtypes import DType, float16, float32
from ....loop_ir.source_text import Lines, cast_text, memory_code
from ..products.tiles import is_wide
from . import pieces
from .tiles import AttentionForm, WarpTiles, warp_pitch, whole_steps

GROUP = 8
"""Half floats of an access of 16 bytes."""
SQUARE = 16
"""Rows and columns of the left operand of the instruction."""


def block_start(
    body: Lines, matrices: Iterable[str], rows: str, tiles: WarpTiles, form: AttentionForm, last: bool
) -> None:
    """The names that all of a block share, of which there is one for each row of the batch and part of its rows.

    There is no loop around it, out of which a compiler would take more than registers hold. last: the blocks of the
    last rows come first."""
    body.put_all(["x = cuda.threadIdx.x", "y = cuda.threadIdx.y", f"lane = y * {tiles.across} + x"])
    body.put_all([f"blocks = ({rows} + {tiles.kept - 1}) // {tiles.kept}", "n = cuda.blockIdx.x // blocks"])
    block = "cuda.blockIdx.x % blocks"
    body.put(f"kept_row = ({f'blocks - 1 - {block}' if last else block}) * {tiles.kept}")
    pieces.draws(body, form)
    pieces.firsts(body, matrices, form)


def word_pointers(body: Lines, names: Iterable[str], form: AttentionForm) -> None:
    """Binds the memory of half floats, as their bits, and whether groups of it may be one access."""
    for name in names:
        body.put(f"{name}_words = pointer_u16({name}_address)")
        body.put(wide_line(name, form.dtype(name), GROUP))


def wide_line(name: str, dtype: DType, group: int) -> str:
    """The line that asks whether groups of a matrix may be one access."""
    steps = ", ".join(f"{name}_{which}" for which in ("outer", "head", "row"))
    return f"{name}_wide = {is_wide(f'{name}_address', steps, dtype, group)}"


def copies(
    body: Lines, at: str, matrix: str, first: str, limit: str, rows: int, features: int, tiles: WarpTiles
) -> None:
    """The lines by which the block has rows of a matrix from `first` on copied to `at`; zeros from `limit` on."""
    groups, pitch = whole_steps(features) // GROUP, warp_pitch(features)
    step, cells = tiles.threads // groups, rows * groups
    if tiles.threads % groups == 0 and cells % tiles.threads == 0:
        body.put(f"if {matrix}_wide:")
        body.depth += 1
        body.put_all([f"u = lane // {groups}", f"w = lane % {groups} * {GROUP}", f"line = {first} + u"])
        body.put_all([f"source = {matrix}_first + line * {matrix}_row + w", f"to = {at} + u * {pitch} + w"])
        body.put(f"count = min({features} - w, {GROUP})")
        for k in range(rows // step):
            known = f"count if line + {k * step} < {limit} else 0"
            body.put(f"copy_up_to_8_u16(tile, to + {k * step * pitch}, {matrix}_words, source, {known}, boolean(True))")
            body.put(f"source = source + {step} * {matrix}_row")
        body.depth -= 1
        body.put("else:")
        wide = "boolean(False)"
    else:
        body.put("if boolean(True):")
        wide = f"{matrix}_wide"
    body.put_all(["    cell = lane", f"    while cell < {cells}:"])
    body.depth += 2
    body.put_all([f"u = cell // {groups}", f"w = cell % {groups} * {GROUP}", f"line = {first} + u"])
    place, count = f"{matrix}_first + line * {matrix}_row + w", f"({features} - w) * int64(line < {limit})"
    body.put(f"copy_up_to_8_u16(tile, {at} + u * {pitch} + w, {matrix}_words, {place}, {count}, {wide})")
    body.put(f"cell = cell + {tiles.threads}")
    body.depth -= 2


def left_operand(body: Lines, name: str, at: str, k: int) -> None:
    """The line that reads one step of the left operand: the warp's rows of a tile, where its lane has `at`."""
    names = ", ".join(f"{name}_{e}" for e in range(4))
    body.put(f"{names} = matrices(tile, {at} + {k * SQUARE})")


def left_place(at: str, features: int) -> str:
    """The text for a lane's place in a tile of kept rows that begins at `at`."""
    return f"{at} + (y * 16 + x % 16) * {warp_pitch(features)} + x // 16 * 8"


def product(
    body: Lines, to: str, left: str, kept_at: str, at: str, features: int, tiles: WarpTiles, dtype: DType
) -> None:
    """Scores `to`: products of the left operand with the rows passed, which lie at `at`.

    kept_at: the lane's place of the left operand, if it is still to be read: `left0`, `left1` and so on else."""
    body.put_all(f"{to}{i}_{j} = {pieces.ZERO}" for i, j in pieces.each_score(tiles))
    body.put(f"right = {at} + (x // 16 * 8 + x % 8) * {warp_pitch(features)} + x // 8 % 2 * 8")
    for k in range(whole_steps(features) // SQUARE):
        if kept_at:
            left_operand(body, f"{left}{k}", kept_at, k)
        for p in range(tiles.passed // SQUARE):
            body.put(f"{_right('b')} = matrices(tile, right + {p * SQUARE * warp_pitch(features) + k * SQUARE})")
            body.put_all(_multiplied(to, 2 * p + half, f"{left}{k}", half, dtype) for half in (0, 1))


def accumulate(
    body: Lines, to: str, weights: str, at: str, features: int, tiles: WarpTiles, dtype: DType, parts: int = 1
) -> None:
    """Adds to the results `to` the product of the warp's weights with the rows passed, which lie at `at`.

    parts: how many half floats a weight becomes: the nearest one, then that of what is left."""
    narrow = cast_text(float32, dtype).format
    wide = cast_text(dtype, float32).format
    body.put(f"right = {at} + (x // 8 % 2 * 8 + x % 8) * {warp_pitch(features)} + x // 16 * 8")
    for k in range(tiles.passed // SQUARE):
        columns = range(4 * k, 4 * k + 4)
        for part in range(parts):
            rounded = weights if part == parts - 1 else "rounded"
            if part < parts - 1:
                for i, j in ((i, j) for i in range(tiles.rows) for j in columns):
                    body.put(f"rounded{i}_{j} = {wide(narrow(f'{weights}{i}_{j}'))}")
                    body.put(f"{weights}{i}_{j} = {weights}{i}_{j} - rounded{i}_{j}")
            for e in range(4):
                i, j = e % 2, 4 * k + e // 2 * 2
                body.put(f"packed{part}_{e} = two_halves_{dtype.code}({rounded}{i}_{j}, {rounded}{i}_{j + 1})")
        for p in range(whole_steps(features) // SQUARE):
            body.put(f"{_right('b')} = turned_matrices(tile, right + {(k * warp_pitch(features) + p) * SQUARE})")
            for part in range(parts):
                body.put_all(_multiplied(to, 2 * p + half, f"packed{part}", half, dtype) for half in (0, 1))


def parts_of(narrow: DType, result: DType) -> int:
    """The half floats that a weight becomes, so that a result that is stored as float32 is as accurate as others."""
    return 1 if result is not float32 else 2 if narrow is float16 else 3


def _right(name: str) -> str:
    return ", ".join(f"{name}_{e}" for e in range(4))


def _multiplied(to: str, group: int, left: str, half: int, dtype: DType) -> str:
    """The line that adds one product to the 16 by 8 results of a group of columns."""
    sums = ", ".join(f"{to}{i}_{2 * group + e}" for i in (0, 1) for e in (0, 1))
    operands = ", ".join(f"{left}_{e}" for e in range(4))
    return f"{sums} = multiply_matrices_{dtype.code}({operands}, b_{half * 2}, b_{half * 2 + 1}, {sums})"


def start_results(body: Lines, to: str, features: int, tiles: WarpTiles) -> None:
    """The lines that start results at zero."""
    body.put_all(f"{to}{i}_{k} = {pieces.ZERO}" for i in range(tiles.rows) for k in range(tiles.results(features)))


def store(
    body: Lines, to: str, target: str, limit: str, features: int, tiles: WarpTiles, dtype: DType, value: str
) -> None:
    """Stores results, `value` of each name and row, two neighbours at a time."""
    body.put_all([pieces.first_line(target), wide_line(target, dtype, 2)])
    for i in range(tiles.rows):
        body.put(f"r = kept_row + {tiles.row(i)}")
        body.put(f"to = {target}_first + r * {target}_row")
        for k in range(0, -(-features // GROUP) * 2, 2):
            q = f"{k * 4} + x % 4 * 2"
            pair = [pieces.in_memory(value.format(f"{to}{i}_{k + e}", i), dtype) for e in (0, 1)]
            count = f"({features} - ({q})) * int64(r < {limit})"
            word = f"store_up_to_2_{memory_code(dtype)}"
            body.put(f"{word}({target}, to + {q}, {count}, {target}_wide, {', '.join(pair)})")


def passing(
    body: Lines,
    start: str,
    stop: str,
    fetch: Callable[[str, str], None],
    slot_size: int,
    tiles: WarpTiles,
    compute: Callable[[], None],
) -> None:
    """The loop over the rows to pass by, from `start` to `stop`, of which `compute` finds as many as tiles hold at
    `slot`. fetch: has rows from one on copied to a place. What was begun to be copied before the loop is there, too."""
    body.put_all([f"begin = {start}", f"last = {stop}", "slot = 0"])
    if tiles.stages == 2:
        fetch("begin", "slot")
    body.put("commit_copies()")
    body.put(f"for first in range(begin, last, {tiles.passed}):")
    body.depth += 1
    if tiles.stages == 1:
        body.put("cuda.syncthreads()")
        fetch("first", "slot")
        body.put_all(["commit_copies()", "wait_for_copies_0()", "cuda.syncthreads()"])
    else:
        body.put_all(["wait_for_copies_0()", "cuda.syncthreads()", f"later = first + {tiles.passed}"])
        body.put(f"other = {slot_size} - slot")
        body.put("if later < last:")
        body.depth += 1
        fetch("later", "other")
        body.depth -= 1
        body.put("commit_copies()")
    compute()
    if tiles.stages == 2:
        body.put("slot = other")
    body.depth -= 1
    body.put("wait_for_copies_0()")
