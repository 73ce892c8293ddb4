"""The kernels that a product takes, by its sizes."""

import pytest

from guardlift.backend.cuda.launch_grid import DeviceLimits, Launch
from guardlift.backend.cuda.products.launches import TILINGS, Matrices, Product, parts_nbytes, product_kernels
from guardlift.core import dtypes


def kernels(m, n, k, batch=1, dtype=dtypes.float32, **turned):
    sides = {"a": k, "b": n, "c": n}
    product = Product(
        m, n, k, batch, *(Matrices(dtype, 0, line, turned.get(name, False)) for name, line in sides.items())
    )
    return product, product_kernels(product, TILINGS, DeviceLimits())


@pytest.mark.parametrize(
    ("sizes", "forms", "grid"),
    [
        ((4096, 4096, 4096), ["tiles of 128"], (1024, 1, 1)),
        ((512, 512, 512), ["tiles of 64", "merged parts"], (64, 2, 1)),
        ((768, 768, 768, 4), ["tiles of 128"], (144, 1, 1)),
        ((512, 512, 8192), ["tiles of 64", "merged parts"], (64, 4, 1)),
        ((64, 64, 8192), ["tiles of 64", "merged parts"], (1, 32, 1)),
        ((17, 65, 100, 70_000), ["tiles of 128"], (70_000, 1, 1)),
        ((1, 4096, 4096), ["thin", "merged parts"], (8, 64, 1)),
        ((16, 100_000, 64), ["thin"], (196, 1, 1)),
        ((1, 1, 1), ["thin"], (1, 1, 1)),
    ],
)
def test_launches_follow_from_sizes_alone(sizes, forms, grid):
    product, found = kernels(*sizes)
    assert [each.form for each in found] == forms and found[0].sizes.grid == grid
    parts = found[0].sizes.grid[1]
    assert parts_nbytes(product, found) == (4 * parts * product.m * product.n * product.batch if parts > 1 else 0)
    share = found[0].numbers[3]
    assert (parts - 1) * share < product.k <= parts * share


def test_wide_floats_take_small_tiles_and_columns_that_are_few_are_rows_of_the_turned_product():
    _, (first,) = kernels(4096, 4096, 64, dtype=dtypes.float64)
    assert first.form == "tiles of 64" and first.sizes == Launch((4096, 1, 1), (256, 1, 1))
    _, found = kernels(4096, 3, 64)
    assert [each.operands for each in found] == [("b", "a", "c")]
    assert "sum_2 " in found[0].text and "sum_3 " not in found[0].text
