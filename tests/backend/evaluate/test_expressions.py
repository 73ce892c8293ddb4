"""Values of nodes as items of a loop nest."""

from __future__ import annotations

import numpy as np
import pytest

import guardlift as gl


def looked_up(table: np.ndarray, index: np.ndarray) -> np.ndarray:
    return table[index]


@pytest.mark.parametrize(("size", "dtype", "asks"), [(256, "uint8", False), (255, "uint8", True), (256, "int8", True)])
def test_an_index_that_cannot_be_out_of_range_is_not_asked_for_it(size: int, dtype: str, asks: bool) -> None:
    table, index = np.arange(size) * 3, np.arange(-128, 127).astype(dtype)
    index[index >= size] = 0
    function = gl.jit(looked_up)
    for _ in range(2):
        np.testing.assert_array_equal(function(table, index), looked_up(table, index))
    (kernel,) = gl.explain(function).entries[0].kernels
    assert ("status" in kernel.text) is asks
    if size < 256:
        with pytest.raises(IndexError, match="255 is out of bounds"):
            function(table, np.full(index.shape, 255, np.uint8))
