"""Products by cuBLASLt in plans, eager and jitted. `make ptx-run` runs this file, on the stand-in alone."""

import ctypes
import itertools
import os

import numpy as np
import pytest

import guardlift as gl
from guardlift.backend.cuda.products import library_products
from guardlift.backend.cuda.products.blas_library import blas_library
from guardlift.core.errors import CudaError

if "STAND_IN_SEED" not in os.environ:
    pytest.skip("only the stand-in for cuBLASLt counts its calls", allow_module_level=True)

NEAR = {gl.float64: 1e-13, gl.float32: 1e-6, gl.float16: 2e-3, gl.bfloat16: 1.6e-2}


@pytest.fixture(autouse=True)
def all_products(monkeypatch):
    """Every product that the library can compute is its own."""
    monkeypatch.setattr(library_products, "LIBRARY_FROM", 0)
    monkeypatch.setattr(library_products, "FEWEST", 0)


def count(name):
    library = ctypes.CDLL("libcuda.so.1")
    library.stand_in_count.restype = ctypes.c_uint64
    return library.stand_in_count(name.encode())


def near(found, expected, dtype):
    found, expected = (np.asarray(each.to(gl.float64).cpu()) for each in (found, expected))
    near_zero = NEAR[dtype] * max(1.0, float(np.abs(expected).max(initial=0.0)))
    np.testing.assert_allclose(found, expected, rtol=NEAR[dtype], atol=near_zero)


def test_the_library_that_is_found_is_the_stand_in():
    assert blas_library() is not None and blas_library().matmul


@pytest.mark.parametrize("dtype", list(NEAR), ids=str)
def test_products_of_all_layouts(dtype):
    before, done = count("products"), 0
    for (turn_a, turn_b), batch in itertools.product(itertools.product((False, True), repeat=2), (None, 3)):
        lead = () if batch is None else (batch,)
        a = gl.randn(*lead, *((7, 5) if turn_a else (5, 7))).to(dtype)
        b = gl.randn(*lead, *((6, 7) if turn_b else (7, 6))).to(dtype)
        there = [each.to("cuda") for each in (a, b)]
        for k, turned in enumerate((turn_a, turn_b)):
            if turned:
                a, b = (a.mT, b) if k == 0 else (a, b.mT)
                there[k] = there[k].mT
        near(there[0] @ there[1], a.to(gl.float64) @ b.to(gl.float64), dtype)
        done += 1
    assert count("products") - before == done


def test_a_step_repeats_with_products_in_between_and_no_python():
    @gl.jit(fullgraph=True)
    def step(x, w, v):
        return gl.relu(x @ w) @ v + 1

    w, v = gl.randn(8, 6, device="cuda"), gl.randn(6, 9, device="cuda")
    before = count("products")
    for _ in range(4):
        x = gl.randn(12, 8, device="cuda")
        expected = gl.relu(x.cpu() @ w.cpu()) @ v.cpu() + 1
        near(step(x, w, v), expected, gl.float32)
    assert count("products") - before == 8


def test_operands_that_begin_anywhere_take_the_algorithm_for_any_place():
    a, b = gl.randn(1 + 5 * 8, device="cuda"), gl.randn(8, 6, device="cuda")
    double = gl.jit(lambda x, y: x @ y * 2)
    for shift in (0, 1, 0, 1):
        before = count("aligned products"), count("products of any alignment")
        x = a[shift : shift + 40].reshape(5, 8)
        near(double(x, b), x.cpu() @ b.cpu() * 2, gl.float32)
        aligned, other = count("aligned products") - before[0], count("products of any alignment") - before[1]
        assert (aligned, other) == ((1, 0) if shift == 0 else (0, 1))


def test_products_on_another_stream_are_done_in_its_order():
    stream, step = gl.cuda.Stream(), gl.jit(lambda x, y: (x + 1) @ y - 1)
    x, y = gl.randn(6, 7, device="cuda"), gl.randn(7, 5, device="cuda")
    expected = (x.cpu() + 1) @ y.cpu() - 1
    for _ in range(3):
        with gl.cuda.stream(stream):
            found = step(x, y)
        stream.synchronize()
        near(found, expected, gl.float32)


def test_a_product_that_fails_says_so(monkeypatch):
    (made,) = [
        library_products.library_product(
            library_products.Product(
                5, 6, 7, 1, *(library_products.Matrices(gl.float32, 0, line) for line in (7, 6, 6))
            )
        )
    ]
    made._scales[0].value = 3.0  # which the stand-in does not take
    with pytest.raises(CudaError, match="cublasLtMatmul of cuBLASLt failed with status 15"):
        gl.randn(5, 7, device="cuda") @ gl.randn(7, 6, device="cuda")
    made._scales[0].value = 1.0
    near(gl.ones(5, 7, device="cuda") @ gl.ones(7, 6, device="cuda"), gl.full((5, 6), 7.0), gl.float32)


def test_a_row_is_added_by_the_library_and_other_maps_are_kernels_behind_it():
    x, w, b = gl.randn(5, 8, device="cuda"), gl.randn(8, 6, device="cuda"), gl.randn(1 + 6, device="cuda")
    add, more = gl.jit(lambda x, w, b: x @ w + b), gl.jit(lambda x, w, b: gl.tanh(x @ w + b))
    done = []
    for shift in (0, 1, 0):
        row = b[shift : shift + 6]
        gl.cuda.synchronize()  # what draws the operands is counted when it runs
        before = count("products with a row"), count("launches")
        found = add(x, w, row)
        done.append((count("products with a row") - before[0], count("launches") - before[1]))
        near(found, x.cpu() @ w.cpu() + row.cpu(), gl.float32)
    assert done == [(1, 0)] * 3
    before = count("products"), count("products with a row")
    near(more(x, w, b[:6]), gl.tanh(x.cpu() @ w.cpu() + b[:6].cpu()), gl.float32)
    assert (count("products") - before[0], count("products with a row") - before[1]) == (1, 0)
    with gl.config.patch(float32_matmul_precision="high"):
        exact, rounded = gl.full((5, 8), 1 + 2.0**-12, device="cuda"), gl.ones(5, 6)
        near(add(exact, gl.ones(8, 6, device="cuda"), gl.zeros(6, device="cuda")), rounded * 8, gl.float32)


def test_rows_of_batches_and_of_turned_results_are_added():
    x, w, b = gl.randn(3, 5, 8, device="cuda"), gl.randn(3, 8, 6, device="cuda"), gl.randn(6, device="cuda")
    near(gl.jit(lambda x, w, b: x @ w + b)(x, w, b), x.cpu() @ w.cpu() + b.cpu(), gl.float32)
    near(gl.jit(lambda x, w, b: (x @ w + b).mT)(x, w, b), (x.cpu() @ w.cpu() + b.cpu()).mT, gl.float32)
    near(gl.jit(lambda x, w, b: (x @ w).mT + b[:5])(x, w, b), (x.cpu() @ w.cpu()).mT + b[:5].cpu(), gl.float32)
