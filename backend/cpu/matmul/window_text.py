"""The texts of kernels that multiply windows: panels are copied from where the windows lie, and multiplied in tiles.

Sizes that are steps count bytes. See `kernel_text` for panels, `schedule.window_products` for the forms.
"""

from __future__ import annotations

from typing import Any

from .tile_shapes import block_heights, panel_vectors, tile_heights, tile_loops
from .tiles import DEPTH, lanes

MOST_ROWS = 64
"""Rows of the result up to which windows are multiplied in place."""
MOST_ALONG = 7
"""Entries of a line of a window up to which they are: the text has code for each."""
_BEGINNING = """
def kernel(addresses, sizes, start, stop):
    m, columns, panels, inner = sizes[0], sizes[1], sizes[2], sizes[3]
    outer_rows, rows_1, rows_2, rows_3 = sizes[4], sizes[5], sizes[6], sizes[7]
    step_0, step_1, step_2, step_3 = sizes[8], sizes[9], sizes[10], sizes[11]
    lines_1, lines_2, run = sizes[12], sizes[13], sizes[14]
    line_0, line_1, line_2 = sizes[15], sizes[16], sizes[17]
    a_row, a_k, a_outer, a_inner = sizes[18], sizes[19], sizes[20], sizes[21]
    b_outer, b_inner, c_row, c_step, at_once = sizes[22], sizes[23], sizes[24], sizes[25], sizes[26]
"""
"""The kernels whose items are columns of the result begin so."""
_COLUMNS = (
    _BEGINNING
    + """\
    panel = stack_{code}_1x{vectors}()
    for item in range(start, stop):
        batch = item // panels
        column = (item - batch * panels) * {width}
        width = min({width}, columns - column)
        outer = batch // inner
        within = batch - outer * inner
        for first in range(0, outer_rows, at_once):
            count = min(at_once, outer_rows - first)
            each = rows_1 * rows_2 * rows_3
            rows = count * each
            origin = addresses[1] + outer * b_outer + within * b_inner + first * step_0
            if width < {width}:
                pack_{code}_1x{vectors}(origin, 0, panel, rows, 0)
            done = 0
            while done < width:
                place = column + done
                line = place // run
                along = place - line * run
                part = min(run - along, width - done)
                high = line // lines_2
                higher = high // lines_1
                source = origin + higher * line_0 + (high - higher * lines_1) * line_1
                source = source + (line - high * lines_2) * line_2 + along * {apart}
                target = panel + done * {size}
                for k_0 in range(0, count):
                    for k_1 in range(0, rows_1):
                        for k_2 in range(0, rows_2):
                            here = source + k_0 * step_0 + k_1 * step_1 + k_2 * step_2
                            {copies}
                            target = target + rows_3 * {row_bytes}
                done = done + part
            a = addresses[0] + outer * a_outer + within * a_inner + first * each * a_k
            c = addresses[2] + batch * c_step + column * {size}
            row = 0
            {tiles}
    return 0
"""
)
_COPY = """
if part <= {columns}:
    {copy}_{code}_1x{count}(here, step_3, target, {row_bytes}, rows_3, part)
"""
_COLUMN_TILE = """
tile_{code}_ROWSx{vectors}(a + row * a_row, a_row, a_k, panel, c + row * c_row, c_row, rows, width, first)
"""
_IN_PLACE = (
    _BEGINNING
    + """\
    each = rows_1 * rows_2 * rows_3
    for item in range(start, stop):
        batch = item // panels
        column = (item - batch * panels) * {width}
        width = min({width}, columns - column)
        outer = batch // inner
        within = batch - outer * inner
        b = addresses[1] + outer * b_outer + within * b_inner
        {places}
        for first in range(0, outer_rows, at_once):
            count = min(at_once, outer_rows - first)
            a = addresses[0] + outer * a_outer + within * a_inner + first * each * a_k
            c = addresses[2] + batch * c_step + column * {size}
            row = 0
            {tiles}
            {moves}
    return 0
"""
)
_PLACE = """
place = min(column + {at}, columns - {piece})
line = place // run
high = line // lines_2
higher = high // lines_1
place_{n} = b + higher * line_0 + (high - higher * lines_1) * line_1
place_{n} = place_{n} + (line - high * lines_2) * line_2 + (place - line * run) * {size}
"""
_TILE_IN_PLACE = """
up, down = a + row * a_row, c + row * c_row
{form}_{code}_ROWSx{vectors}x{along}(up, a_row, {places}, {steps}, {counts}, down, c_row, width, first)
"""
_ROWS = """
def kernel(addresses, sizes, start, stop):
    all_heights, rows_1, rows_2, rows_3 = sizes[0], sizes[1], sizes[2], sizes[3]
    step_0, step_1, step_2, step_3 = sizes[4], sizes[5], sizes[6], sizes[7]
    many_0, many_1, lines, run = sizes[8], sizes[9], sizes[10], sizes[11]
    a_0, a_1, a_line, a_k = sizes[12], sizes[13], sizes[14], sizes[15]
    b_0, b_1, b_line, b_column = sizes[16], sizes[17], sizes[18], sizes[19]
    columns, panels, a_batch, b_batch = sizes[20], sizes[21], sizes[22], sizes[23]
    c_batch, c_row, at_once = sizes[24], sizes[25], sizes[26]
    groups, group = sizes[27], sizes[28]
    goal = rows_1 * rows_2 * rows_3 * c_row
    panel = stack_{code}_1x{vectors}()
    for item in range(start, stop):
        batch = item // (panels * groups)
        rest = item - batch * (panels * groups)
        top = rest // panels
        column = (rest - top * panels) * {width}
        width = min({width}, columns - column)
        top = top * group
        heights = min(group, all_heights - top)
        c = addresses[2] + batch * c_batch + column * {size} + top * goal
        add = 0
        for i_0 in range(0, many_0):
            for i_1 in range(0, many_1):
                for line in range(0, lines, at_once):
                    taken = min(at_once, lines - line)
                    rows = taken * run
                    source = addresses[1] + batch * b_batch + i_0 * b_0 + i_1 * b_1 + line * b_line + column * b_column
                    for x in range(0, {width}, {lanes}):
                        for k in range(0, rows, {lanes}):
                            place = panel + k * {row_bytes} + x * {size}
                            there = source + x * b_column + k * {size}
                            turn_{code}(there, b_column, place, {row_bytes}, width - x, rows - k)
                    origin = addresses[0] + batch * a_batch + i_0 * a_0 + i_1 * a_1 + line * a_line + top * step_0
                    for k_1 in range(0, rows_1):
                        for k_2 in range(0, rows_2):
                            for k_3 in range(0, {outside}):
                                a = origin + k_1 * step_1 + k_2 * step_2 + k_3 * step_3
                                here = c + ((k_1 * rows_2 + k_2) * rows_3 + k_3) * c_row
                                row = 0
                                {tiles}
                    add = 1
    return 0
"""
_ROW_TILE = """
up, down = a + row * step_0, here + row * goal
runs_{code}_ROWSx{vectors}(up, step_0, a_k, a_line, run, panel, down, goal, taken, width, add)
"""
_ROW_TILE_OF_TAPS = """
up, down = a + row * step_0, here + row * goal
taps_{code}_ROWSx{vectors}x{taps}(up, step_0, a_line, run, panel, down, goal, c_row, taken, width, add)
"""


def _facts(code: str, columns: int) -> dict[str, Any]:
    vectors, size = panel_vectors(code, columns), 4 if code == "f32" else 8
    width = vectors * lanes(code)
    facts = {"code": code, "width": width, "size": size, "lanes": lanes(code), "vectors": vectors}
    return facts | {"row_bytes": width * size}


def columns_text(code: str, rows: int, columns: int, step: int = 1) -> str:
    """The kernel of the form "columns" for so many rows and columns of the result. Extent: panels of all matrices.

    step: from one entry of the last part of b's columns to the next, 1 or 2 elements.

    Operands: a, b, c. Sizes: rows and columns of c, panels of a matrix, matrices of the inner batch; sizes of the four
    parts of b's rows, and their steps; sizes of the last three parts of its columns, and the steps of the first three;
    steps of a's rows, columns and batches; steps of b's batches, c's rows, c's matrices; entries of the first part of
    b's rows that are copied at a time.
    """
    facts = _facts(code, columns)
    vectors = facts["vectors"]
    copies = [
        _COPY.format(**facts, copy="copy" if step == 1 else "every", count=count, columns=count * lanes(code)).strip()
        for count in sorted({1, min(2, vectors), vectors})
    ]
    tiles = tile_loops(_COLUMN_TILE.format(**facts), tile_heights(rows, vectors), "m", 12)
    return _COLUMNS.format(**facts, copies=_indented("\nel".join(copies), 28), tiles=tiles, apart=step * facts["size"])


def in_place_text(code: str, rows: int, columns: int, form: str, along: int) -> str:
    """The kernel of `columns_text` for columns that one reads where they lie: the same sizes, the same bits.

    form: "direct" if the last part of b's columns is of whole vectors, "halves" if of whole halves of one."""
    facts = _facts(code, columns) | {"form": form, "along": along}
    piece = lanes(code) // (2 if form == "halves" else 1)
    count = facts["width"] // piece
    names = [f"place_{n}" for n in range(count)]
    places = "".join(_PLACE.format(n=n, at=n * piece, piece=piece, **facts) for n in range(count))
    moves = "".join(f"{name} += count * step_0\n" for name in names)
    facts |= {"steps": "(step_0, step_1, step_2)", "counts": "(count, rows_1, rows_2)"}
    tile = _TILE_IN_PLACE.format(**facts, places=f"({', '.join(names)},)")
    tiles = tile_loops(tile, tile_heights(rows, facts["vectors"]), "m", 12)
    return _IN_PLACE.format(**facts, places=_indented(places, 8), tiles=tiles, moves=_indented(moves, 12))


def _indented(text: str, indent: int) -> str:
    return text.strip().replace("\n", "\n" + " " * indent)


def rows_text(code: str, height: int, group: int, columns: int, taps: int) -> str:
    """The kernel of the form "rows", where the first part of the rows has `height` entries.

    group: of these, how many are multiplied by a panel. taps: entries of the last part of rows that share elements of
    a, 1 where they do not: see Note [Taps] in `window_tiles`.
    Operands: a, b, c. Extent: matrices, times groups of rows, times panels of columns.
    Sizes: sizes of the four parts of a's rows, and their steps; sizes of the four parts of the sum, their steps in a;
    the steps of the first three in b, and that of its columns; columns; panels; steps from matrix to matrix of a, b and
    c; that of c's rows; entries of the third part of the sum that make a panel; groups, and entries of one.
    """
    facts = _facts(code, columns)
    vectors = facts["vectors"]
    tile = _ROW_TILE if taps == 1 else _ROW_TILE_OF_TAPS
    tiles = tile_loops(tile.format(**facts, taps=taps), block_heights(height, group, vectors, taps), "heights", 32)
    return _ROWS.format(**facts, tiles=tiles, outside="rows_3" if taps == 1 else 1)


def piece_form(code: str, rows: int, run: int, along: int) -> str | None:
    """The form of `in_place_text` for so many rows, and columns in runs of so many; None where panels are better.

    along: entries of the last part of b's rows."""
    if rows > MOST_ROWS or along > MOST_ALONG or run % (lanes(code) // 2):
        return None
    return "halves" if run % lanes(code) else "direct"


DEEPEST = DEPTH
"""Rows of a panel at most."""
