"""float16 arrays and numbers: NumPy's bits, its promotion, views and writes; what is left to NumPy, what breaks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check

RANDOM = np.random.default_rng(16)
SPECIAL = np.array(
    [0, -0.0, 1, -1, 0.333, -2.5, 300, 2049, 65504, -65504, 6e-8, -6e-8, 6.1e-5, 6.104e-5, np.inf, -np.inf, np.nan],
    np.float16,
)


def halves(*shape: int) -> Any:
    return (RANDOM.standard_normal(shape) * 3).astype(np.float16)


def whole(function: Any, *args: Any, backend: str = "reference", **options: Any) -> Any:
    with np.errstate(all="ignore"):
        return check(function, *args, backend=backend, expect="compiled", **options)


def test_arithmetic_rounds_after_each_operation() -> None:
    def computed(x: Any) -> Any:
        return x * 2 + 1, x / 3 * 3, (x + 1000) - 1000, -x, abs(x)

    report = whole(computed, halves(5, 7), backend="numba")
    assert report.op_names <= {"cast", "full", "multiply", "add", "subtract", "divide", "negative", "absolute"}


@pytest.mark.parametrize("backend", ["reference", "numba"])
def test_all_pairs_of_special_numbers(backend: str) -> None:
    def computed(a: Any, b: Any) -> Any:
        arithmetic = a + b, a - b, a * b, a / b, a // b, a % b
        compared = a < b, a <= b, a == b, a != b, a > b, a >= b
        return *arithmetic, *compared, np.fmax(a, b), np.fmin(a, b), np.copysign(a, b), np.fmod(a, b)

    a, b = (each.copy() for each in np.meshgrid(SPECIAL, SPECIAL))
    whole(computed, a, b, backend=backend)
    whole(lambda a, b: (np.maximum(a, b), np.minimum(a, b)), a, b, backend=backend)


@pytest.mark.parametrize("backend", ["reference", "numba"])
def test_functions_that_are_exact(backend: str) -> None:
    def computed(a: Any) -> Any:
        return (
            -a, +a, abs(a), np.sqrt(a), np.sign(a), np.floor(a), np.ceil(a), np.trunc(a), np.rint(a), np.square(a),
            np.isnan(a), np.isinf(a), np.isfinite(a), np.signbit(a), np.reciprocal(a), np.logical_not(a),
            np.nan_to_num(a), np.clip(a, -1, 1), np.clip(a, a[0], 2), np.heaviside(a, a), a**2, a**0.5, a**-1,
        )  # fmt: skip

    whole(computed, SPECIAL, backend=backend)


@pytest.mark.parametrize("backend", ["reference", "numba"])
def test_functions_within_an_ulp(backend: str) -> None:
    def computed(a: Any) -> Any:
        return (
            np.exp(a), np.log(a), np.sin(a), np.cos(a), np.tan(a), np.tanh(a), np.exp2(a), np.expm1(a), np.log1p(a),
            np.log2(a), np.log10(a), np.arctan(a), np.sinh(a), np.cosh(a), np.arcsin(a), np.arccos(a), a**1.7,
            np.power(a, a), np.logaddexp(a, a), np.arctan2(a, a), np.deg2rad(a), np.power(a, 0.5),
        )  # fmt: skip

    # NumPy 2.3 itself is up to three units off: np.tanh(np.float16(3.5)) is 0.9985 there.
    ulp = 1 if np.lib.NumpyVersion(np.__version__) >= "2.4.0" else 4
    for a in (SPECIAL, halves(200)):
        whole(computed, a, backend=backend, ulp=ulp)


def test_powers_by_one_exponent_are_those_of_numpys_operator_or_of_its_loop() -> None:
    a = np.array([-0.0, -np.inf, 4.0], np.float16)
    for exponent in (0.5, np.float16(0.5), np.array(0.5, np.float16), -1.0, 2):
        whole(lambda a, e: (a**e, np.power(a, e)), a, exponent, ulp=1)
        whole(lambda a, e: (a[0] ** e, a[1] ** e), a, exponent, ulp=1, backend="numba")
    whole(lambda a: (a**0.5, np.power(a, 0.5), a[0] ** 0.5, np.power(a, np.float16(0.5))), a, ulp=1)


OTHERS = [np.dtype(each) for each in "? b B h H i I l L e f d F D".split()]


@pytest.mark.parametrize("other", OTHERS, ids=str)
def test_promotion_with_arrays_and_numbers(other: Any) -> None:
    x, y = halves(6), np.arange(6).astype(other)
    whole(lambda x, y: (x + y, y * x, x + y[1], x[1] + y, x[1] * y[2], x == y, np.where(y != 1, x, y)), x, y)


def test_promotion_with_python_numbers() -> None:
    def computed(x: Any, n: int, f: float) -> Any:
        return x + 1, x * 2.5, x + True, x + n, x * f, x * 1e6, x + 70000, x * 1e-9, x[0] + 1, x[0] * f, x * 0.1

    whole(computed, halves(6), 3, 0.1, backend="numba")


def test_numbers_stay_numbers_of_float16() -> None:
    def computed(s: Any, x: Any, f: float) -> Any:
        return s + 1, s * x, s + f, s * s, -s, abs(s), s < 2, x[0], x[1] * 2.5, s**2, np.sqrt(s), s // 1, s % 1, s

    report = whole(computed, np.float16(1.7), halves(4), 0.1, backend="numba")
    assert type(report.results[0][0]) is np.float16


def test_conversions() -> None:
    rng = np.random.default_rng(5)
    wide = rng.standard_normal(2000) * 10.0 ** rng.integers(-9, 7, 2000)
    ties = [1 + 2**-11 + 2**-40, 1 + 2**-11, 2049.0000001, 65519.999, 65520, 2**-25, 2**-25 + 2**-60, 1e300, np.nan]

    def converted(x: Any, d: Any, i: Any) -> Any:
        kinds = np.float32, np.float64, np.int8, np.int32, np.int64, np.uint8, bool, complex
        return [x.astype(kind) for kind in kinds], d.astype(np.float16), i.astype(np.float16), np.float32(x[0])

    for backend in ("reference", "numba"):
        whole(converted, halves(9), np.concatenate([wide, ties]), np.array([2049, 2051, 65519, 65520]), backend=backend)


@pytest.mark.parametrize("backend", ["reference", "numba"])
def test_reductions_round_once(backend: str) -> None:
    def reduced(x: Any) -> Any:
        return (
            x.sum(), x.sum(0), x.sum(1), x.mean(), x.mean(0), x.mean(1, keepdims=True), x.prod(), np.nansum(x),
            x.sum(dtype=np.float32), x.mean(dtype=np.float64),
        )  # fmt: skip

    whole(reduced, halves(6, 7), backend=backend)
    whole(lambda x: (x.sum(), x.mean()), np.full(70, 60000, np.float16), backend=backend)  # the sum alone is infinite


@pytest.mark.parametrize("backend", ["reference", "numba"])
def test_reductions_that_round_nothing(backend: str) -> None:
    def reduced(x: Any) -> Any:
        return x.max(), x.min(1), x.argmax(), x.argmin(0), x.any(), x.all(0), np.ptp(x)

    whole(reduced, halves(4, 3), backend=backend)


def test_a_sum_is_the_rounded_exact_one() -> None:
    x = np.full(5000, 1.001, np.float16)
    assert check(lambda x: x.sum(), x, expect="compiled").results[0] == np.float16(x.astype(float).sum())


def test_products_round_once() -> None:
    def products(x: Any, y: Any) -> Any:
        return x @ y.T, np.dot(x[0], y[0]), np.vdot(x, y), np.outer(x[0], y[0]), np.inner(x[0], y[1])

    whole(products, halves(4, 5), halves(4, 5))
    whole(products, halves(4, 5), halves(4, 5), backend="numba")


@pytest.mark.parametrize("backend", ["reference", "numba"])
def test_movement_leaves_the_bits(backend: str) -> None:
    def moved(x: Any, y: Any) -> Any:
        return (
            x.T, x[::-1], x.reshape(-1), x[None], x.copy(), x[[0, 2]], np.take(x, [1, 0], axis=1), np.pad(x, 1),
            np.concatenate([x, y]), np.stack([x, y]), np.where(x > y, x, y), np.roll(x, 1), np.repeat(x, 2), np.tril(x),
            np.tile(x, 2), np.broadcast_to(x, (2, 3, 4)), x.real, x.imag, np.diff(x), x[x > 0], x.view(),
        )  # fmt: skip

    whole(moved, halves(3, 4), halves(3, 4), backend=backend)


@pytest.mark.parametrize("backend", ["reference", "numba"])
def test_in_place(backend: str) -> None:
    def changed(x: Any, y: Any, s: Any) -> Any:
        x += y
        x *= 2
        x[0] = s
        x[1, :2] = 1.1
        x[x > 1] = 0.1
        np.add(x, y, out=y)
        x[:, 1] -= y[:, 2]
        x[1:] = x[:-1].astype(np.float64) / 3
        return x

    whole(changed, halves(3, 4), halves(3, 4), np.float16(1.7), backend=backend)


def test_new_arrays() -> None:
    def made(n: int) -> Any:
        kind = np.float16
        filled = np.zeros(n, kind), np.ones((2, n), kind), np.full(n, 1.1, kind), np.array([1.1, 2], kind)
        ramps = np.arange(n, dtype=kind), np.arange(0, 3, 0.3, dtype=kind), np.linspace(0, 1, 5, dtype=kind)
        return *filled, *ramps, np.eye(3, dtype=kind), np.zeros_like(filled[0])

    whole(made, 5, backend="numba")


def test_what_kernels_do_not_compute_is_numpys_own() -> None:
    def called(x: Any) -> Any:
        return np.sort(x), np.argsort(x), np.cumsum(x), x.std(), x.var(0), np.median(x), np.nextafter(x, x + 1)

    report = whole(called, halves(3, 4))
    assert "call_out" in report.op_names


def test_attributes_and_python_numbers() -> None:
    whole(lambda x: (x.dtype == np.float16, x.itemsize, x.nbytes, float(x[0]), x[1].item(), sum(x)), halves(3))
    whole(lambda x, y: y * float(x[0]) + x[1].item(), halves(3), np.arange(4.0))


def test_arrays_of_other_sizes() -> None:
    import guardlift as gl

    def scaled(x: Any) -> Any:
        return (x * 2 + 1).sum(), x[1:] - x[:-1], x / len(x)

    jitted = gl.jit(dynamic=True)(scaled)
    for size in (3, 4, 9, 100):
        x = halves(size)
        for mine, numpys in zip(jitted(x), scaled(x), strict=True):
            np.testing.assert_array_equal(mine, numpys)
            assert mine.dtype == np.float16


def test_a_loop_over_elements_is_no_native_one_yet() -> None:
    def smoothed(x: Any) -> Any:
        for i in range(1, len(x)):
            x[i] = (x[i] + x[i - 1]) / 2
        return x

    check(smoothed, halves(70), backend="reference")


def test_an_array_of_another_byte_order_breaks() -> None:
    check(lambda x: x + 1, halves(3).astype(">f2"), expect="plain")


def test_numbers_beyond_its_range_do_not_warn_while_tracing() -> None:
    import warnings

    def beyond(x: Any) -> Any:
        return x * 1e6, np.where(x > 0, x, 1e9), x == 70000

    with warnings.catch_warnings(), np.errstate(over="ignore"):
        warnings.simplefilter("error")
        whole(beyond, halves(5), backend="numba")
