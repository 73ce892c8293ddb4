"""The text of a kernel that multiplies matrices: c = a @ b, panel by panel of b's columns.

Each panel, DEPTH rows of b at most and one or two vectors wide, is copied into memory of the call, where it stays in
the first cache while all rows of a pass by it in tiles. Extent: the panels of all matrices of the batch.
"""

from __future__ import annotations

from ....core.sizes import Size
from .tiles import DEPTH, VECTORS, lanes, tile_rows

_KERNEL = """
def kernel(addresses, sizes, start, stop):
    m, n, depth, panels = sizes[0], sizes[1], sizes[2], sizes[3]
    a_row, a_k, b_row, c_row = sizes[4], sizes[5], sizes[6], sizes[7]
    a_step, b_step, c_step = sizes[8], sizes[9], sizes[10]
    panel = stack_{code}()
    for item in range(start, stop):
        batch = item // panels
        column = (item - batch * panels) * {width}
        width = min({width}, n - column)
        for first in range(0, max(depth, 1), {depth}):
            rows = min({depth}, depth - first)
            {pack}
            a = addresses[0] + batch * a_step + first * a_k
            c = addresses[2] + batch * c_step + column * {size}
            row = 0
            {tiles}
    return 0
"""
_STRAIGHT = """
source = addresses[1] + batch * b_step + column * {size} + first * b_row
pack_{code}_1x{vectors}(source, b_row, panel, rows, width)
"""
_TURNED = """
source = addresses[1] + batch * b_step + column * b_row + first * {size}
for x in range(0, {width}, {lanes}):
    for k in range(0, rows, {lanes}):
        place = panel + k * {row_bytes} + x * {size}
        turn_{code}(source + x * b_row + k * {size}, b_row, place, {row_bytes}, width - x, rows - k)
"""
_TILES = """
while row + {rows} <= m:
    tile_{code}_{rows}x{vectors}(a + row * a_row, a_row, a_k, panel, c + row * c_row, c_row, rows, width, first)
    row += {rows}
"""


def product_text(code: str, columns: int, turned: bool, even: bool) -> str:
    """The kernel for matrices of `code` whose b has `columns` columns, stored column after column if `turned`.

    even: the rows of a are known to fill the largest tiles, so that there are no others, which take long to compile.
    Operands: a, b, c. Sizes: m, n, depth, panels; bytes from row to row of a, from k to k of a, from line to line of b,
    from row to row of c; bytes from matrix to matrix of a, b and c. c is written row after row.
    """
    vectors = 1 if columns <= lanes(code) else VECTORS
    width, size = vectors * lanes(code), 4 if code == "f32" else 8
    facts = {"code": code, "width": width, "size": size, "lanes": lanes(code), "vectors": vectors, "depth": DEPTH}
    facts["row_bytes"] = width * size
    pack = (_TURNED if turned else _STRAIGHT).format(**facts)
    tiles = "".join(_TILES.format(**facts, rows=rows) for rows in tile_rows()[: 1 if even else None])
    return _KERNEL.format(**facts, pack=_indented(pack), tiles=_indented(tiles))


def fills_tiles(rows: int | Size) -> bool:
    """Whether so many rows are known to fill the largest tiles."""
    return isinstance(rows, int) and rows % tile_rows()[0] == 0


def panels_of(code: str, columns: int) -> int:
    """The number of panels that b is cut into."""
    width = lanes(code) * (1 if columns <= lanes(code) else VECTORS)
    return -(-columns // width)


def _indented(text: str) -> str:
    return text.strip().replace("\n", "\n" + " " * 12)
