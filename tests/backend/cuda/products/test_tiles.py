"""The text of products by reading; `cases_products.py` runs them."""

import pytest

from guardlift.backend.cuda.products.tiles import LARGE, PARAMETERS, SMALL, ProductForm, Tiling, product_text
from guardlift.core import dtypes

TINY = Tiling(threads=2, across=2, down=2, each=4, depth=4)


def test_a_product_of_tiny_tiles_reads_like_this():
    lines = product_text(ProductForm(dtypes.bfloat16, dtypes.bfloat16, dtypes.float32), TINY).splitlines()
    for start, expected in (
        (
            1,
            [
                "    a_tile = cuda.shared.array(96, float32)",
                "    b_tile = cuda.shared.array(96, float32)",
                "    pa = pointer_u16(a)",
                "    pb = pointer_u16(b)",
                "    pc = pointer_f32(c)",
                "    lane = cuda.threadIdx.x",
                "    warp = lane // 4",
                "    x = (warp % 1 * 2 + lane % 2) * 4",
                "    y = (warp // 1 * 2 + lane % 4 // 2) * 4",
                "    squares = (n + 7) // 8",
                "    of_matrix = squares * ((m + 7) // 8)",
                "    matrix = cuda.blockIdx.x // of_matrix",
                "    square = cuda.blockIdx.x % of_matrix",
                "    row = square // squares * 8",
                "    column = square % squares * 8",
                "    begin = cuda.blockIdx.y * share",
                "    end = min(begin + share, k)",
                "    a_wide = (a % 8 == 0) & (a_step % 4 == 0) & (a_line % 4 == 0)",
            ],
        ),
        (
            lines.index("    while first < end:"),
            [
                "    while first < end:",
                "        first += 4",
                "        u = row + a_outer_0",
                "        v = first + a_inner_0",
                "        a_0_0, a_0_1, a_0_2, a_0_3 = load_up_to_4_u16(pa, "
                "matrix * a_step + u * a_line + v, (end - v) * int64(u < m), a_wide)",
            ],
        ),
        (
            lines.index("        for step in range(0, 4, 2):"),
            [
                "        for step in range(0, 4, 2):",
                "            place = at + (step + 0) * 12",
                "            left_0, left_1, left_2, left_3 = shared_load_4_f32(a_tile, place + y)",
                "            right_0, right_1, right_2, right_3 = shared_load_4_f32(b_tile, place + x)",
                "            sum_0_0 = multiply_add_f32(left_0, right_0, sum_0_0)",
            ],
        ),
    ):
        assert lines[start : start + len(expected)] == expected
    assert "        shared_store_1_f32(a_tile, at + a_inner_0 * 12 + a_outer_0, cast_bf16_f32(a_0_0))" in lines
    end = lines.index("    for held in range(4):")
    assert lines[end + 1 : end + 3] == [
        "        if held == 0:",
        "            shared_store_4_f32(a_tile, y // 4 * 8 + x + 0, sum_0_0, sum_0_1, sum_0_2, sum_0_3)",
    ]
    assert lines[-11:] == [
        "        cuda.syncthreads()",
        "        cell = lane",
        "        while cell < 4:",
        "            r = row + (cell // 2) * 4 + held // 4 * 8 + held % 4",
        "            q = column + cell % 2 * 4",
        "            if (r < m) & (q < n):",
        "                sum_0, sum_1, sum_2, sum_3 = shared_load_4_f32(a_tile, cell // 2 * 8 + cell % 2 * 4)",
        "                into = cuda.blockIdx.y * c_part + matrix * c_step + r * c_line + q",
        "                store_up_to_4_f32(pc, into, n - q, c_wide, sum_0, sum_1, sum_2, sum_3)",
        "            cell += 4",
        "        cuda.syncthreads()",
    ]


def test_addresses_come_first_and_each_text_has_one_barrier_a_step_and_two_for_results():
    assert PARAMETERS[:3] == ("a", "b", "c")
    for tiling, dtype in ((LARGE, dtypes.float32), (SMALL, dtypes.float32), (SMALL, dtypes.float64)):
        text = product_text(ProductForm(dtype, dtype, dtype, True, False), tiling)
        assert text.count("cuda.syncthreads()") == 4 and text.count(f"multiply_add_{dtype.code}") == 2 * tiling.each**2


def test_threads_that_would_have_no_group_are_refused():
    with pytest.raises(AssertionError, match="leaves threads without a group"):
        product_text(ProductForm(*(dtypes.float32,) * 3), Tiling(threads=16, each=4, depth=4))
