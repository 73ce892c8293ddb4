"""Products with windows: those that are multiplied where they lie, and those that are ordinary products."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.backend.cpu.matmul import tiles
from guardlift.backend.evaluate.buffers import Buffer, BufferView
from guardlift.backend.schedule import window_products as w
from guardlift.backend.schedule.matmul import ProductCall
from guardlift.core import dtypes
from guardlift.frontend import state_of

F = gl.nn.functional
pytestmark = pytest.mark.skipif(not tiles.vector_bytes(), reason="the processor has no fused multiply-add on vectors")


@pytest.fixture(autouse=True)
def nothing_compiled_before() -> None:
    """A plan made under other settings of a test before could be shared, were its entry still there."""
    gl.reset()


def products(*shapes: tuple[int, ...], dtype: str = "float32", **settings: Any) -> list[str]:
    """The products in the plan of a convolution and its gradients, whose results are those of eager mode.

    "columns" or "rows" for windows of that form, "matrices" for an ordinary one.
    """
    rng = np.random.default_rng(0)
    arrays = [rng.standard_normal(shape).astype(dtype) for shape in shapes]

    def run(x: Any, weight: Any) -> Any:
        x, weight = x.requires_grad_(), weight.requires_grad_()
        y = F.conv2d(x, weight, **settings)
        return y, *gl.autograd.grad((y * y).sum(), (x, weight))

    fast = gl.jit(run)
    found, expected = (function(*map(gl.tensor, arrays)) for function in (fast, run))
    for one, other in zip(found, expected, strict=True):
        theirs = other.detach().numpy()
        tolerance = 100 * np.finfo(theirs.dtype).eps * np.abs(theirs).max()
        np.testing.assert_allclose(one.detach().numpy(), theirs, rtol=0, atol=tolerance)
    (entry,) = state_of(fast).entries
    calls = entry.details["compiled"].calls
    return [
        call.form if isinstance(call, w.WindowProduct) else "matrices"
        for call in calls
        if isinstance(call, (w.WindowProduct, ProductCall))
    ]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.slow
def test_windows_of_a_convolution_are_multiplied_where_they_lie(dtype: str) -> None:
    assert products((2, 8, 10, 9), (16, 8, 3, 3), dtype=dtype, padding=1) == ["columns", "columns", "rows"]
    assert products((2, 8, 10, 9), (16, 4, 3, 2), dtype=dtype, groups=2) == ["columns", "columns", "rows"]


def test_windows_that_are_apart_are_copied_out_for_their_product() -> None:
    assert products((2, 8, 10, 10), (16, 8, 3, 3), stride=2)[0] == "columns"
    assert products((2, 8, 10, 10), (16, 8, 3, 3), stride=(2, 3))[0] == "matrices"


def test_the_gradient_of_an_input_under_strides_is_a_product_for_each_phase() -> None:
    assert products((2, 8, 10, 10), (16, 8, 3, 3), stride=2)[1:] == [*["columns"] * 4, "rows"]
    assert products((2, 8, 10, 10), (16, 8, 1, 1), stride=2)[1:-1] == ["matrices"]
    assert products((1, 2, 9, 70), (16, 2, 3, 3), stride=2, padding=1)[0] == "columns"
    # Windows that do not overlap are one product, and so are those whose phases would be many.
    assert products((2, 3, 8, 8), (16, 3, 4, 4), stride=4)[1] == "matrices"
    assert products((2, 3, 19, 19), (4, 3, 5, 5), stride=4)[1] == "matrices"


def test_windows_larger_than_a_panel_are_copied_out() -> None:
    assert products((1, 2, 40, 40), (10, 2, 17, 17))[0] == "matrices"


def test_rows_longer_than_a_panel_are_cut() -> None:
    assert products((1, 2, 4, 600), (10, 2, 3, 3))[-1] == "rows"
    assert products((1, 2, 4, 2 * 257 + 2), (10, 2, 3, 3))[-1] == "matrices"


def test_without_fused_multiply_add_they_are_ordinary_products(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiles, "vector_bytes", lambda: 0)
    assert products((2, 8, 10, 9), (16, 8, 3, 3)) == ["matrices"] * 3


def test_a_weight_that_depends_on_others_and_an_image_in_another_order_are_right() -> None:
    def run(x: Any, weight: Any) -> Any:
        return F.conv2d(x.transpose(2, 3) * 2, weight.permute(1, 0, 3, 2) + 1, padding=1)

    rng = np.random.default_rng(0)
    x, weight = gl.tensor(rng.standard_normal((2, 8, 6, 5))), gl.tensor(rng.standard_normal((8, 9, 3, 2)))
    np.testing.assert_allclose(gl.jit(run)(x, weight).numpy(), run(x, weight).numpy(), rtol=1e-11, atol=1e-11)


def view(shape: tuple[int, ...], strides: tuple[int, ...]) -> BufferView:
    return BufferView(Buffer("input", 0, dtypes.float32), shape, strides)


def test_axes_fall_into_parts() -> None:
    assert w._grouped(view((4, 3, 3, 5, 6), (80, 8, 1, 8, 1)), (36, 30)) == [
        ((4, 80), (3, 8), (3, 1)),
        ((5, 8), (6, 1)),
    ]
    assert w._grouped(view((4, 5, 6), (30, 6, 1)), (4, 30)) == [((4, 30),), ((30, 1),)]
    assert w._grouped(view((4, 5, 6), (30, 6, 1)), (20, 6)) == [((20, 6),), ((6, 1),)]
    assert w._grouped(view((4, 6), (6, 1)), (3, 8)) is None


def test_axes_agree_in_parts_that_both_have() -> None:
    assert w._agreeing(((2, 100), (12, 1)), ((2, 9), (3, 50), (4, 2))) == (
        ((2, 100), (3, 4), (4, 1)),
        ((2, 9), (3, 50), (4, 2)),
    )
    assert w._agreeing(((6, 1),), ((4, 1),)) is None
    assert w._agreeing(((6, 1),), ((5, 2), (4, 1))) is None
