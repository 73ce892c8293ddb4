"""Settings that say how a device computes: whether products of float32 are rounded to TF32, and whether scattered sums
are added in their order. `test_simulated.py` runs this file.

Elements of products are 1 + 2**-12, which TF32 has not: each of these products is exact in float32, and rounded is
another."""

import numpy as np
import pytest

import guardlift as gl
from guardlift.backend.cuda.device import is_simulated
from guardlift.backend.cuda.products import launches
from guardlift.frontend import state_of

EXACT, ROUNDED = 1 + 2.0**-12, 1.0
"""Sums, divided by the number of their terms."""


@pytest.fixture(autouse=True)
def small_products(monkeypatch):
    if is_simulated():
        monkeypatch.setattr(launches, "FEW", 3)
    with gl.config.patch(float32_matmul_precision="highest", raise_internal_errors=True):
        yield


@pytest.fixture
def operands():
    size = launches.FEW + 1
    return gl.full((size, size), EXACT, device="cuda"), gl.ones(size, size, device="cuda")


def only(x):
    (value,) = set(x.cpu().numpy().ravel().tolist())
    return value / x.shape[0]


def test_eager_products_follow_the_setting(operands):
    x, w = operands
    assert gl.get_float32_matmul_precision() == "highest" and only(x @ w) == EXACT
    for precision, expected in (("high", ROUNDED), ("medium", ROUNDED), ("highest", EXACT)):
        gl.set_float32_matmul_precision(precision)
        assert gl.config.float32_matmul_precision == gl.get_float32_matmul_precision() == precision
        assert only(x @ w) == expected
    wide = (x.to(gl.float64) @ w.to(gl.float64)).cpu()
    with gl.config.patch(float32_matmul_precision="high"):
        assert only(x.to(gl.float64) @ w.to(gl.float64)) == only(wide) == EXACT
        assert only(x.cpu() @ w.cpu()) == EXACT  # there is no TF32 on the CPU


def test_a_jitted_product_is_compiled_again_with_a_reason_that_is_told(operands):
    x, w = operands
    double = gl.jit(fullgraph=True)(lambda x, w: x @ w * 2)
    assert only(double(x, w)) == 2 * EXACT
    with gl.config.patch(float32_matmul_precision="high"):
        assert only(double(x, w)) == only(double(x, w)) == 2 * ROUNDED
        assert "gl.config.float32_matmul_precision was 'highest', now 'high'" in str(gl.explain(double))
    assert only(double(x, w)) == 2 * EXACT
    assert len(state_of(double).entries) == 2
    other = gl.jit(fullgraph=True)(lambda x: x * 2)
    other(x)
    with gl.config.patch(float32_matmul_precision="high"):
        other(x)
    assert len(state_of(other).entries) == 1


def test_a_backward_outside_of_the_call_follows_the_setting_too(operands):
    x, w = operands
    x.requires_grad_()
    forward = gl.jit(fullgraph=True)(lambda x, w: x @ w)
    slope = gl.full(w.shape, EXACT, device="cuda")
    for precision, expected in (("highest", EXACT), ("high", ROUNDED), ("highest", EXACT)):
        found = forward(x, w)
        with gl.config.patch(float32_matmul_precision=precision):
            (gradient,) = gl.autograd.grad(found, [x], slope)
        assert only(gradient) == expected


def test_what_is_not_a_precision_is_refused():
    with pytest.raises(ValueError, match="was given 'low'; it takes 'highest', 'high' or 'medium'"):
        gl.set_float32_matmul_precision("low")


@pytest.fixture
def any_order():
    with gl.config.patch(deterministic_algorithms=True, raise_internal_errors=True):
        yield lambda: gl.config.patch(deterministic_algorithms=False)


def counted(rows, columns, dtype):
    """Whole numbers: their sums are exact, so they are the same in any order."""
    return gl.tensor(np.random.default_rng(rows).integers(-9, 9, (rows, columns)).astype(dtype), device="cuda")


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int64"])
def test_scattered_sums_in_any_order_are_the_sums(any_order, dtype):
    rows, places = counted(70, 5, dtype), gl.tensor(np.arange(70) * 7 % 6, device="cuda")
    base = gl.ones(6, 5, dtype=getattr(gl, dtype), device="cuda")
    expected = gl.index_add(base, 0, places, rows).cpu()
    with any_order():
        assert not gl.are_deterministic_algorithms_enabled()
        assert gl.index_add(base, 0, places, rows).cpu().equal(expected)
        with pytest.raises(IndexError):
            gl.index_add(base, 0, places + 1, rows).cpu()
    gl.use_deterministic_algorithms(False)
    assert gl.config.deterministic_algorithms is False
    with pytest.raises(ValueError, match="gl.config.deterministic_algorithms was set to 'warn'; it takes a value of"):
        gl.use_deterministic_algorithms("warn")


def test_gradients_of_an_embedding_follow_the_setting_with_a_reason_that_is_told(any_order):
    table = counted(12, 4, np.float32).requires_grad_()
    index = gl.tensor(np.arange(72).reshape(8, 9) % 11, device="cuda")

    @gl.jit(fullgraph=True)
    def step(table, index):
        found = gl.nn.functional.embedding(index, table)
        return gl.autograd.grad((found * found).sum(), [table])[0]

    in_order = step(table, index)
    with any_order():
        assert step(table, index).equal(in_order) and step(table, index).equal(in_order)
        assert "gl.config.deterministic_algorithms was True, now False" in str(gl.explain(step))
    assert step(table, index).equal(in_order)
    assert len(state_of(step).entries) == 2
    other = gl.jit(fullgraph=True)(lambda x, i: gl.nn.functional.embedding(i, x) * 2)  # which scatters nothing
    other(table.detach(), index)
    with any_order():
        other(table.detach(), index)
    assert len(state_of(other).entries) == 1
