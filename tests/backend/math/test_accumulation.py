"""A sum that may be reordered vectorises; what stands beside it in the kernel stays exact."""

from __future__ import annotations

import numpy as np
import pytest
from numba import njit, types

from guardlift.backend.cpu.compiler.numba_functions import numba_function

CODES = {"f32": types.float32, "f64": types.float64}


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("operation", ["add", "multiply"])
def test_reduction_by_a_reassociated_operation_is_vectorised(operation: str, code: str) -> None:
    combine, scalar = numba_function(f"reassociated_{operation}_{code}"), CODES[code]

    def reduce(x, start):
        total = start
        for i in range(np.uint64(x.size)):
            total = combine(total, x[i])
        return total

    compiled = njit(scalar(scalar[::1], scalar), error_model="numpy")(reduce)
    x = np.random.default_rng(0).uniform(0.99, 1.01, 1000).astype(np.dtype(scalar.name))
    start = x.dtype.type(operation == "multiply")
    exact = getattr(np, operation).reduce(x.astype(np.longdouble))
    np.testing.assert_allclose(compiled(x, start), float(exact), rtol=1e-4 if code == "f32" else 1e-12)
    assert f"llvm.vector.reduce.f{operation[:3]}" in next(iter(compiled.inspect_llvm().values()))


def test_a_plain_sum_is_not_reordered() -> None:
    def reduce(x):
        total = x[0] - x[0]
        for i in range(np.uint64(x.size)):
            total += x[i]
        return total

    compiled = njit(types.float32(types.float32[::1]), error_model="numpy")(reduce)
    x = np.random.default_rng(0).uniform(-1, 1, 1000).astype(np.float32)
    assert compiled(x) == np.add.accumulate(x)[-1]


def test_arithmetic_beside_a_contracted_function_and_a_reassociated_sum_stays_exact() -> None:
    exp, add = numba_function("exp_f64"), numba_function("reassociated_add_f64")

    def kernel(x, y, differences):
        total = x[0] - x[0]
        for i in range(np.uint64(x.size)):
            differences[i] = x[i] * x[i] - y[i] * y[i]
            total = add(total, exp(x[i]))
        return total

    array = types.float64[::1]
    compiled = njit(types.float64(array, array, array), error_model="numpy")(kernel)
    x = np.random.default_rng(0).uniform(-1, 1, 1000)
    differences = np.full_like(x, np.nan)
    total = compiled(x, x.copy(), differences)
    assert not differences.any()
    np.testing.assert_allclose(total, np.exp(x).sum(), rtol=1e-13)
