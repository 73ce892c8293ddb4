"""The texts of kernels that multiply windows: panels are copied from where the windows lie, and multiplied in tiles.

Sizes that are steps count bytes. See `kernel_text` for panels, `schedule.window_products` for the forms.
"""

from __future__ import annotations

from .tiles import DEPTH, VECTORS, lanes, tile_rows

_COLUMNS = """
def kernel(addresses, sizes, start, stop):
    m, columns, panels, inner = sizes[0], sizes[1], sizes[2], sizes[3]
    outer_rows, rows_1, rows_2, rows_3 = sizes[4], sizes[5], sizes[6], sizes[7]
    step_0, step_1, step_2, step_3 = sizes[8], sizes[9], sizes[10], sizes[11]
    lines_1, lines_2, run = sizes[12], sizes[13], sizes[14]
    line_0, line_1, line_2 = sizes[15], sizes[16], sizes[17]
    a_row, a_k, a_outer, a_inner = sizes[18], sizes[19], sizes[20], sizes[21]
    b_outer, b_inner, c_row, c_step, at_once = sizes[22], sizes[23], sizes[24], sizes[25], sizes[26]
    panel = stack_{code}()
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
                            if part <= {lanes}:
                                {copy}_{code}_1x1(here, step_3, target, {row_bytes}, rows_3, part)
                            else:
                                {copy}_{code}_1x{vectors}(here, step_3, target, {row_bytes}, rows_3, part)
                            target = target + rows_3 * {row_bytes}
                done = done + part
            a = addresses[0] + outer * a_outer + within * a_inner + first * each * a_k
            c = addresses[2] + batch * c_step + column * {size}
            row = 0
            {tiles}
    return 0
"""
_COLUMN_TILES = """
while row + {rows} <= m:
    tile_{code}_{rows}x{vectors}(a + row * a_row, a_row, a_k, panel, c + row * c_row, c_row, rows, width, first)
    row += {rows}
"""
_ROWS = """
def kernel(addresses, sizes, start, stop):
    heights, rows_1, rows_2, rows_3 = sizes[0], sizes[1], sizes[2], sizes[3]
    step_0, step_1, step_2, step_3 = sizes[4], sizes[5], sizes[6], sizes[7]
    many_0, many_1, lines, run = sizes[8], sizes[9], sizes[10], sizes[11]
    a_0, a_1, a_line, a_k = sizes[12], sizes[13], sizes[14], sizes[15]
    b_0, b_1, b_line, b_column = sizes[16], sizes[17], sizes[18], sizes[19]
    columns, panels, a_batch, b_batch = sizes[20], sizes[21], sizes[22], sizes[23]
    c_batch, c_row, at_once = sizes[24], sizes[25], sizes[26]
    panel = stack_{code}()
    for item in range(start, stop):
        batch = item // (panels * rows_1)
        rest = item - batch * (panels * rows_1)
        k_1 = rest // panels
        column = (rest - k_1 * panels) * {width}
        width = min({width}, columns - column)
        c = addresses[2] + batch * c_batch + column * {size} + k_1 * (rows_2 * rows_3 * c_row)
        goal = rows_1 * rows_2 * rows_3 * c_row
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
                    origin = addresses[0] + batch * a_batch + i_0 * a_0 + i_1 * a_1 + line * a_line + k_1 * step_1
                    for k_2 in range(0, rows_2):
                        for k_3 in range(0, rows_3):
                            a = origin + k_2 * step_2 + k_3 * step_3
                            here = c + (k_2 * rows_3 + k_3) * c_row
                            row = 0
                            {tiles}
                    add = 1
    return 0
"""
_ROW_TILES = """
while row + {rows} <= heights:
    up, down = a + row * step_0, here + row * goal
    runs_{code}_{rows}x{vectors}(up, step_0, a_k, a_line, run, panel, down, goal, taken, width, add)
    row += {rows}
"""


def _text(kernel: str, tile: str, code: str, columns: int, indent: int, height: int, step: int = 1) -> str:
    vectors = 1 if columns <= lanes(code) else VECTORS
    width, size = vectors * lanes(code), 4 if code == "f32" else 8
    facts = {"code": code, "width": width, "size": size, "lanes": lanes(code), "vectors": vectors}
    facts |= {"row_bytes": width * size, "apart": step * size, "copy": "copy" if step == 1 else "every"}
    even = height % tile_rows()[0] == 0
    tiles = "".join(tile.format(**facts, rows=rows) for rows in tile_rows()[: 1 if even else None])
    return kernel.format(**facts, tiles=tiles.strip().replace("\n", "\n" + " " * indent))


def columns_text(code: str, rows: int, columns: int, step: int = 1) -> str:
    """The kernel of the form "columns" for so many rows and columns of the result. Extent: panels of all matrices.

    step: from one entry of the last part of b's columns to the next, 1 or 2 elements.

    Operands: a, b, c. Sizes: rows and columns of c, panels of a matrix, matrices of the inner batch; sizes of the four
    parts of b's rows, and their steps; sizes of the last three parts of its columns, and the steps of the first three;
    steps of a's rows, columns and batches; steps of b's batches, c's rows, c's matrices; entries of the first part of
    b's rows that are copied at a time.
    """
    return _text(_COLUMNS, _COLUMN_TILES, code, columns, 12, rows, step)


def rows_text(code: str, height: int, columns: int) -> str:
    """The kernel of the form "rows", where the first part of the rows has `height` entries.

    Operands: a, b, c. Extent: matrices, times entries of the second part of rows, times panels of columns.
    Sizes: sizes of the four parts of a's rows, and their steps; sizes of the four parts of the sum, their steps in a;
    the steps of the first three in b, and that of its columns; columns; panels; steps from matrix to matrix of a, b and
    c; that of c's rows; entries of the third part of the sum that make a panel.
    """
    return _text(_ROWS, _ROW_TILES, code, columns, 28, height)


def panel_width(code: str, columns: int) -> int:
    """The columns of a panel."""
    return lanes(code) * (1 if columns <= lanes(code) else VECTORS)


DEEPEST = DEPTH
"""Rows of a panel at most."""
