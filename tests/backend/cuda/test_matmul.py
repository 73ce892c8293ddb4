"""The text of products, by reading and, for small sizes, in `cases_graphs.py`."""

import pytest

from guardlift.backend.cuda.launch_grid import Launch
from guardlift.backend.cuda.matmul import PARAMETERS, Tiling, product_launch, product_text
from guardlift.core import dtypes

SMALL = Tiling(threads=2, each=1, depth=4)


def test_a_product_of_small_tiles_reads_like_this():
    assert product_text(dtypes.float32, SMALL).splitlines()[1:] == [
        "    a_tile = cuda.shared.array((4, 3), float32)",
        "    b_tile = cuda.shared.array((4, 3), float32)",
        "    pa = pointer_f32(a)",
        "    pb = pointer_f32(b)",
        "    pc = pointer_f32(c)",
        "    x = cuda.threadIdx.x",
        "    y = cuda.threadIdx.y",
        "    lane = y * 2 + x",
        "    across = (n + 1) // 2",
        "    row = cuda.blockIdx.x // across * 2",
        "    column = cuda.blockIdx.x % across * 2",
        "    matrix = cuda.blockIdx.z",
        "    while matrix < batch:",
        "        sum_00 = float32(0.0)",
        "        for first in range(0, k, 4):",
        "            for cell in range(lane, 8, 4):",
        "                inner = a_column == 1",
        "                du = cell // 4 if inner else cell % 2",
        "                dv = cell % 4 if inner else cell // 2",
        "                u = row + du",
        "                v = first + dv",
        "                if (u < m) & (v < k):",
        "                    a_tile[dv, du] = pa[matrix * a_step + u * a_row + v * a_column]",
        "                else:",
        "                    a_tile[dv, du] = float32(0.0)",
        "            for cell in range(lane, 8, 4):",
        "                inner = b_row == 1",
        "                du = cell // 4 if inner else cell % 2",
        "                dv = cell % 4 if inner else cell // 2",
        "                u = column + du",
        "                v = first + dv",
        "                if (u < n) & (v < k):",
        "                    b_tile[dv, du] = pb[matrix * b_step + v * b_row + u * b_column]",
        "                else:",
        "                    b_tile[dv, du] = float32(0.0)",
        "            cuda.syncthreads()",
        "            for step in range(4):",
        "                a0 = a_tile[step, y + 0]",
        "                b0 = b_tile[step, x + 0]",
        "                sum_00 = multiply_add_f32(a0, b0, sum_00)",
        "            cuda.syncthreads()",
        "        r = row + y + 0",
        "        q = column + x + 0",
        "        if (r < m) & (q < n):",
        "            pc[matrix * c_step + r * c_row + q] = sum_00",
        "        matrix += cuda.gridDim.z",
    ]


def test_addresses_come_first_and_the_result_has_no_column_step():
    assert PARAMETERS[:3] == ("a", "b", "c") and PARAMETERS[-2:] == ("c_step", "c_row")


@pytest.mark.parametrize(
    ("m", "n", "batch", "grid"),
    [(64, 64, 1, (1, 1, 1)), (65, 200, 3, (8, 1, 3)), (10**7, 64, 1, (156_250, 1, 1)), (1, 1, 10**5, (1, 1, 65_535))],
)
def test_blocks_cover_the_result(m, n, batch, grid):
    assert product_launch(m, n, batch, Tiling()) == Launch(grid, (16, 16, 1))
