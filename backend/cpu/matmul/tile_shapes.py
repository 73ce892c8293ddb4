"""The shapes of tiles: how many rows and vectors of a product stay in registers, by the sizes of the product."""

# Note [Shapes of tiles]
# A tile of r rows by v vectors loads r + v times for r * v fused multiply-adds, and the loads set its pace. Of 32
# registers of 512 bits 6 x 4 and 8 x 3 take 24 for sums, and reach 150 to 170 of 174 billion additions and products a
# second that a core of an Ice Lake has; 8 x 2 reaches 140, one vector 95. A rest of 8 or 9 rows is two tiles of four.

from __future__ import annotations

from ....core.sizes import Size
from . import tiles
from .tiles import lanes

_ROWS: dict[int, dict[int, tuple[int, ...]]] = {
    64: {1: (8, 4, 2, 1), 2: (8, 4, 2, 1), 3: (8, 4, 2, 1), 4: (6, 4, 2, 1)},
    32: {1: (4, 2, 1), 2: (4, 2, 1)},
}
"""By the bytes of a register and the vectors of a row: the rows of tiles, largest first."""
MOST_SUMS = {64: 24, 32: 12}
"""By the bytes of a register: vectors of sums in a tile at most."""
_IN_FOURS = (8, 9)
"""The rests of rows that tiles of six leave to those of four: a tile of six would leave two or three."""
_LEAST_SOLE = 4
"""Rows of tiles that may be the only ones of a small product, at least: lower ones are far slower."""
_COSTS = {1: 1.7, 2: 1.2, 3: 1.05, 4: 1.0}
"""By the vectors of a row: the time for each of them, as a multiple of that in the best tiles."""


def panel_vectors(code: str, columns: int) -> int:
    """The vectors in a row of a panel, for a product of so many columns. See Note [Shapes of tiles]."""
    count = -(-columns // lanes(code))

    def cost(vectors: int) -> tuple[float, int]:
        return -(-count // vectors) * vectors * _COSTS[vectors], -vectors

    return min(_ROWS[tiles.vector_bytes()], key=cost)


def panel_width(code: str, columns: int) -> int:
    """The columns of a panel."""
    return lanes(code) * panel_vectors(code, columns)


def panels_of(code: str, columns: int) -> int:
    """The number of panels that b is cut into."""
    return -(-columns // panel_width(code, columns))


def tile_heights(rows: int | Size, vectors: int, taps: int = 1) -> tuple[int, ...]:
    """The rows of the tiles that so many rows of a product are cut into, largest first; of all tiles if unknown.

    What is not needed is left out of a kernel, since each tile takes long to compile. taps: what makes so many rows of
    each, of which some are summed at a time."""
    heights = _ROWS[tiles.vector_bytes()][vectors] if taps == 1 else _heights_of_taps(vectors * taps)
    if not isinstance(rows, int):
        return heights
    used = set()
    while rows:
        height = next(each for each in heights if each <= rows and not _leaves_two(each, rows))
        used.add(height)
        rows -= height
    return tuple(sorted(used, reverse=True))


def block_heights(
    rows: int | Size, block: int, vectors: int, taps: int = 1, *, is_small: bool = False
) -> tuple[int, ...]:
    """`tile_heights` of rows that are taken `block` at a time; 0: all at once.

    is_small: whether the product takes so little time that one height which fills all rows is better than two, of which
    one is a little faster and both have to be compiled."""
    if is_small and isinstance(rows, int) and (sole := _sole_height(rows, block or rows, vectors)):
        return (sole,)
    if not isinstance(rows, int) or not block or block >= rows:
        return tile_heights(rows, vectors, taps)
    heights = {*tile_heights(block, vectors, taps), *tile_heights(rows % block, vectors, taps)}
    return tuple(sorted(heights, reverse=True))


def _sole_height(rows: int, block: int, vectors: int) -> int | None:
    """The height of tiles, four rows at least, that fill all blocks of rows; None where there is none."""
    heights = _ROWS[tiles.vector_bytes()][vectors]
    return next((each for each in heights if each >= _LEAST_SOLE and not (rows % each or block % each)), None)


def _heights_of_taps(each: int) -> tuple[int, ...]:
    """The rows of tiles in which a row has so many vectors of sums."""
    most = MOST_SUMS[tiles.vector_bytes()]
    return tuple(height for height in (8, 4, 3, 2, 1) if height == 1 or height * each <= most)


def takes_taps(vectors: int, taps: int) -> bool:
    """Whether tiles of so many taps load less than those of one. See Note [Taps] in `window_tiles`."""
    if taps == 1 or vectors * taps > MOST_SUMS[tiles.vector_bytes()]:
        return False
    rows, usual = _heights_of_taps(vectors * taps)[0], _ROWS[tiles.vector_bytes()][vectors][0]
    return (rows + taps * vectors) / (rows * taps * vectors) < (usual + vectors) / (usual * vectors)


def _leaves_two(height: int, rows: int) -> bool:
    return height == 6 and rows in _IN_FOURS


def tile_loops(tile: str, heights: tuple[int, ...], total: str, indent: int) -> str:
    """The text of loops over the rows of a product, `total` of them: `tile` for each height, as far as it fits."""
    loops = []
    for height in heights:
        rest = "".join(f" and {total} - row != {count}" for count in _IN_FOURS) if height == 6 else ""
        body = tile.replace("ROWS", str(height)).strip().replace("\n", "\n    ")
        loops.append(f"while row + {height} <= {total}{rest}:\n    {body}\n    row += {height}")
    return "\n".join(loops).replace("\n", "\n" + " " * indent)
