"""The text of products by tensor cores, by reading; `cases_products.py` runs them."""

import pytest

from guardlift.backend.cuda.launch_grid import DeviceLimits, Launch
from guardlift.backend.cuda.products.launches import TILINGS, Matrices, Product, product_kernels
from guardlift.backend.cuda.products.tensor_tiles import TensorTiling, _Panel, tensor_text
from guardlift.backend.cuda.products.tiles import ProductForm
from guardlift.core import dtypes

BF16 = dtypes.bfloat16


def test_a_step_of_a_tiny_tile_reads_like_this():
    tiny = TensorTiling(warps_down=1, warps_across=1, down=1, across=2, depth=16)
    lines = tensor_text(ProductForm(BF16, BF16, dtypes.float32, False, True), tiny).splitlines()
    start = lines.index("    while first < end:")
    assert lines[start + 1 : start + 4] == [
        "        wait_for_copies_1()",
        "        cuda.syncthreads()",
        "        later = (slot + 2) % 3",
    ]
    step = lines[lines.index("        for inner in range(0, 16, 16):") :]
    assert [line.strip() for line in step[1:5]] == [
        "a_0_0, a_0_1, a_0_2, a_0_3 = matrices(a_tile, slot * 256 + (warp_row + 0 + lane % 16) * 16 + "
        "((inner // 8 + lane // 16) ^ ((warp_row + 0 + lane % 16) // 4 % 2)) * 8)",
        "b_0_0, b_0_1, b_0_2, b_0_3 = matrices(b_tile, "
        "slot * 256 + (warp_column + 0 + lane // 16 * 8 + lane % 8) * 16 + "
        "((inner // 8 + lane // 8 % 2) ^ ((warp_column + 0 + lane // 16 * 8 + lane % 8) // 4 % 2)) * 8)",
        "sum_0_0_0, sum_0_0_1, sum_0_0_2, sum_0_0_3 = multiply_matrices_bf16(a_0_0, a_0_1, a_0_2, a_0_3, b_0_0, b_0_1, "
        "sum_0_0_0, sum_0_0_1, sum_0_0_2, sum_0_0_3)",
        "sum_0_1_0, sum_0_1_1, sum_0_1_2, sum_0_1_3 = multiply_matrices_bf16(a_0_0, a_0_1, a_0_2, a_0_3, b_0_2, b_0_3, "
        "sum_0_1_0, sum_0_1_1, sum_0_1_2, sum_0_1_3)",
    ]


@pytest.mark.parametrize("turned", [False, True])
def test_groups_of_eight_lines_lie_in_different_banks(turned):
    panel = _Panel("a", turned, 128, TensorTiling())
    for group in range(panel._groups):
        for first in range(0, panel.elements // (panel._groups * 8), 8):
            places = [eval(panel.place("0", str(first + k), str(group))) for k in range(8)]
            assert len({place * 2 % 128 // 16 for place in places}) == 8


def test_only_narrow_floats_of_one_dtype_take_tensor_cores():
    for a, b, form in (
        (BF16, BF16, "tensor cores"),
        (BF16, dtypes.float16, "tiles of 64"),
        (dtypes.float32,) * 2 + ("tiles of 64",),
    ):
        matrices = (Matrices(each, 0, 200) for each in (a, b, dtypes.float32))
        (found,) = product_kernels(Product(200, 200, 200, 1, *matrices), TILINGS, DeviceLimits(), TensorTiling())
        assert found.form == form
        assert found.sizes == (
            Launch((4, 1, 1), (256, 1, 1)) if form == "tensor cores" else Launch((16, 1, 1), (256, 1, 1))
        )
