"""Products of matrices in native loops: by BLAS and one by one, in every layout, with sizes that change."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from frontend.control_flow.elements.test_loops import native
from oracle import check

RANDOM = np.random.default_rng(22)
SQUARE = RANDOM.random((20, 20))
WIDE = RANDOM.random((44, 44))
LAYOUTS = {
    "rows": SQUARE,
    "columns": np.asfortranarray(SQUARE),
    "turned": WIDE[:20, 5:25].T,
    "part": WIDE[:20, 5:25],
    "steps": WIDE[:40:2, :40:2],
    "backwards": SQUARE[::-1, ::-1],
    "narrow": SQUARE.astype(np.float32),
}


def applied(A: Any, v: Any) -> Any:
    """A matrix applied again and again, from both sides."""
    for i in range(9):
        v[i] += 0.5
        w = A @ v
        v[:] = (w / np.linalg.norm(w)) @ A
    return v


def squared(A: Any, B: Any) -> Any:
    """Products of matrices, the operands written in between."""
    X = np.zeros_like(B)
    for i in range(8):
        X[...] = A @ B + X * 0.1
        B[i, 0] = X[i, i] / 10
    return X


def shrinking(A: Any, v: Any) -> Any:
    """Products of parts whose sizes change, down to none."""
    for k in range(len(v) + 1):
        v[k:] -= A[k:, k:] @ v[k:] * 0.01
        v[k:] += v[k:] @ A[k:, k:] * 0.01
    return v


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout(layout: str) -> None:
    A = LAYOUTS[layout]
    rtol = 1e-5 if A.dtype == np.float32 else 1e-12
    for function in (applied, shrinking):
        report = check(function, A, RANDOM.random(20).astype(A.dtype), expect="compiled", rtol=rtol)
        assert "region" in report.op_names
    check(squared, A, SQUARE.astype(A.dtype), expect="compiled", rtol=rtol)


def test_vectors_of_any_step() -> None:
    check(applied, SQUARE, RANDOM.random(40)[::2], expect="compiled", rtol=1e-12)
    check(shrinking, SQUARE, RANDOM.random(40)[::2], expect="compiled", rtol=1e-12)
    check(shrinking, SQUARE, RANDOM.random(20)[::-1], expect="compiled", rtol=1e-12)


def test_tiny_matrices_and_two_dtypes() -> None:
    def filtered(x: Any, F: Any, P: Any) -> Any:
        for i in range(len(x)):
            x[i] = F @ x[i] + (F @ P @ F.T)[0]
            P[i % 4, 0] = x[i, 1]
        return x

    native(filtered, RANDOM.random((6, 4)), RANDOM.random((4, 4)), RANDOM.random((4, 4)), rtol=1e-12)
    native(filtered, RANDOM.random((6, 4)), RANDOM.random((4, 4)).astype(np.float32), np.eye(4), rtol=1e-12)


def test_the_plain_program_of_a_region_calls_blas_too() -> None:
    native(applied, SQUARE, RANDOM.random(20), rtol=1e-12)
    native(squared, SQUARE, SQUARE, rtol=1e-12)


def test_reflections() -> None:
    def qr(A: Any) -> Any:
        R = A.copy()
        for k in range(A.shape[1]):
            x = R[k:, k]
            v = x.copy()
            v[0] += np.copysign(np.linalg.norm(x), x[0])
            v /= np.linalg.norm(v)
            R[k:, k:] -= 2.0 * np.outer(v, v @ R[k:, k:])
        return R

    native(qr, RANDOM.random((7, 5)), rtol=1e-12)


def test_a_product_stays_what_it_was_when_its_operands_are_written() -> None:
    def kept(A: Any, v: Any, out: Any) -> Any:
        for i in range(len(out)):
            w = A @ v
            A[i] *= 0.5
            v[i] += 1.0
            out[i] = w
        return out

    native(kept, SQUARE, RANDOM.random(20), np.zeros((9, 20)), rtol=1e-12)


INTEGERS = RANDOM.integers(-100, 100, (20, 20))


@pytest.mark.parametrize("dtype", ["int64", "int32", "int8", "uint16", "uint64", "bool"])
@pytest.mark.slow
def test_products_of_integers_wrap_and_those_of_bools_are_bools(dtype: str) -> None:
    def products(a: Any, v: Any) -> Any:
        r = np.zeros_like(a)
        for i in range(len(a)):
            r[i, i] = 1
        for i in range(9):
            r = r @ a[: len(v)]
            v[...] = np.dot(a, v)
            a[i] = v[::-1]
        return r, v, np.dot(v, v), v[:0] @ v[:0]

    a, v = (INTEGERS > 95, INTEGERS[0] > 50) if dtype == "bool" else (INTEGERS.astype(dtype), INTEGERS[0].astype(dtype))
    native(products, a, v)
    check(products, a, v, expect="compiled")
    check(products, np.asfortranarray(a), v, expect="compiled")


def test_products_of_two_kinds_of_integers_and_large_ones() -> None:
    def products(a: Any, b: Any) -> Any:
        for i in range(3):
            b[:] = (a @ b + b[i]) % 1000
        return b

    large = RANDOM.integers(-100, 100, (70, 70))
    check(products, large, large.T.copy(), expect="compiled")
    check(products, INTEGERS.astype(np.int8), INTEGERS.astype(np.uint8), backend="reference")
    check(products, INTEGERS > 0, INTEGERS, expect="compiled")


def test_products_in_place() -> None:
    def powers(a: Any, r: Any) -> Any:
        for i in range(6):
            r @= a
            r[i % 3] += i
        return r

    for dtype in (np.int64, np.float64):
        a = (INTEGERS[:7, :7] % 3).astype(dtype)
        native(powers, a, np.eye(7, dtype=dtype))
        check(powers, a, np.eye(7, dtype=dtype), expect="compiled")
    check(powers, np.ones((7, 1)), np.eye(7), backend="reference")
    check(powers, np.ones((7, 7)), np.eye(7, dtype=int), backend="reference")


def test_products_of_bools_outside_of_loops() -> None:
    a = INTEGERS > 70
    check(lambda a, v: (a @ a, np.dot(a, v), v @ a, np.matmul(v, v), np.stack([a, ~a]) @ a), a, a[3], expect="compiled")


@pytest.mark.parametrize(("size", "rounds", "is_native"), ((100, 3, True), (140, 3, False), (140, 80, True)))
def test_a_short_loop_around_products_of_many_elements_is_unrolled(size: int, rounds: int, is_native: bool) -> None:
    def products(a: Any, r: Any) -> Any:
        for i in range(rounds):
            r[:] = a @ r
            r[i, 0] = r[0, i] * 0.5
        return r

    a = RANDOM.random((size, size)) / size
    report = check(products, a, a.copy(), backend="reference", expect="compiled")
    assert is_native == ("region" in report.op_names)
