"""The text of a kernel that multiplies matrices: c = a @ b, panel by panel of b's columns.

Each panel, DEPTH rows of b at most and a few vectors wide, is copied into memory of the call, where it stays in
the first cache while rows of a pass by it in tiles.
"""

from __future__ import annotations

from ....core.sizes import Size
from .tile_shapes import block_heights, panel_vectors, tile_loops
from .tiles import DEPTH, lanes

_KERNEL = """
def kernel(addresses, sizes, start, stop):
    all_rows, n, depth, panels = sizes[0], sizes[1], sizes[2], sizes[3]
    a_row, a_k, b_row, c_row = sizes[4], sizes[5], sizes[6], sizes[7]
    a_step, b_step, c_step = sizes[8], sizes[9], sizes[10]
    blocks, block = sizes[11], sizes[12]
    panel = stack_{code}_1x{vectors}()
    for item in range(start, stop):
        batch = item // (panels * blocks)
        rest = item - batch * (panels * blocks)
        column = rest // blocks
        top = (rest - column * blocks) * block
        column = column * {width}
        m = min(block, all_rows - top)
        width = min({width}, n - column)
        for first in range(0, max(depth, 1), {depth}):
            rows = min({depth}, depth - first)
            {pack}
            a = addresses[0] + batch * a_step + top * a_row + first * a_k
            c = addresses[2] + batch * c_step + top * c_row + column * {size}
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
_TILE = "tile_{code}_ROWSx{vectors}(a + row * a_row, a_row, a_k, panel, c + row * c_row, c_row, rows, width, first)"


def product_text(
    code: str, columns: int, turned: bool, rows: int | Size, block: int = 0, *, is_small: bool = False
) -> str:
    """The kernel for matrices of `code` whose b has `columns` columns, stored column after column if `turned`.

    rows: of a; tiles that they are known not to fill are left out. block: of these, how many are multiplied by a panel;
    0 for all. is_small: see `block_heights`. Extent: blocks of rows, times panels, times matrices.
    Operands: a, b, c. Sizes: m, n, depth, panels; bytes from row to row of a, from k to k of a, from line to line of b,
    from row to row of c; bytes from matrix to matrix of a, b and c; blocks, and rows of one. c is written row by row.
    """
    vectors = panel_vectors(code, columns)
    width, size = vectors * lanes(code), 4 if code == "f32" else 8
    facts = {"code": code, "width": width, "size": size, "lanes": lanes(code), "vectors": vectors, "depth": DEPTH}
    facts["row_bytes"] = width * size
    pack = (_TURNED if turned else _STRAIGHT).format(**facts).strip().replace("\n", "\n" + " " * 12)
    tiles = tile_loops(_TILE.format(**facts), block_heights(rows, block, vectors, is_small=is_small), "m", 12)
    return _KERNEL.format(**facts, pack=pack, tiles=tiles)
