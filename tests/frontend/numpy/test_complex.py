"""Complex numbers: arithmetic, views of their parts, promotion, in place, from outside; what is left to NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check

RANDOM = np.random.default_rng(31)
KINDS = (np.complex128, np.complex64)


def numbers(*shape: int, kind: Any = np.complex128) -> Any:
    return (RANDOM.standard_normal(shape) + 1j * RANDOM.standard_normal(shape)).astype(kind)


def whole(function: Any, *args: Any, backend: str = "reference", **options: Any) -> Any:
    return check(function, *args, backend=backend, expect="compiled", **options)


@pytest.mark.parametrize("kind", KINDS)
def test_arithmetic_has_numpys_bits(kind: Any) -> None:
    def computed(z: Any, w: Any, x: Any) -> Any:
        return (
            z + w,
            z - w,
            z * w,
            z / w,
            -z,
            z == w,
            z != w,
            z**2,
            np.conj(z),
            z * x,
            x / w,
            z * 2.5,
            3 - z,
            z * (1 - 2j),
        )

    report = whole(computed, numbers(4, 5, kind=kind), numbers(4, 5, kind=kind), RANDOM.random((4, 5)).astype("f4"))
    assert "modulus" not in report.op_names
    whole(computed, numbers(3, 7, kind=kind), numbers(3, 7, kind=kind), np.ones((3, 7), "f4"), backend="numba")


def test_awkward_numbers() -> None:
    special = [0.0, -0.0, 1.0, np.inf, -np.inf, np.nan, 1e308, 5e-324, -2.5]
    parts = np.array(np.meshgrid(special, special)).reshape(2, -1)
    z = np.empty(81, complex)
    z.real, z.imag = parts

    def computed(z: Any, w: Any) -> Any:
        with np.errstate(all="ignore"):
            return z + w, z / w, abs(z), z == w, np.isnan(z), np.isinf(z), np.isfinite(z), z.astype(bool)

    check(computed, z[:, None], z[None, :], backend="reference")


def test_absolute_values_and_angles() -> None:
    whole(lambda z: (abs(z), np.abs(z), np.angle(z)), numbers(30))
    whole(lambda z: (abs(z), np.abs(z)), numbers(30, kind=np.complex64), backend="numba")


def test_numbers_without_axes_are_multiplied_as_numpys_operators_do() -> None:
    def computed(z: Any, c: Any) -> Any:
        return z[0] * z[1], z[0] / z[1], z[2] * 2.0, np.multiply(z[0], z[1]), c * c, c / z[0], c + 1, abs(c)

    whole(computed, numbers(40), np.complex128(0.3 - 1.7j), ulp=2)


def test_views_of_the_parts_share_memory() -> None:
    def views(z: Any) -> Any:
        return z.real, z.imag, z[1:].real, z.T.imag, z.real * 2, np.real(z), np.imag(z), z.conj()

    def written(z: Any, w: Any) -> Any:
        real = w.real
        z.real[:] = 1.0
        z.imag[0] += w.real[1]
        w += 1
        return z, real, z.imag

    whole(views, numbers(4, 5))
    whole(written, numbers(4, 5), numbers(4, 5))


def test_in_place() -> None:
    def changed(z: Any, w: Any, c: complex) -> Any:
        z *= w
        z += c
        z[0] = 2
        z[1] = 3 + 1j
        z[w.real > 0] = c
        np.multiply(z, w, out=w)
        return z

    whole(changed, numbers(4, 5), numbers(4, 5), 2 - 1j)


def test_another_complex_number_from_outside_is_only_another_argument() -> None:
    jitted = whole(lambda z, c: z * c + c.real, numbers(5), 2 - 1j).entries[0]
    assert "c == (2-1j)" not in str(jitted.details)


def test_a_complex_number_that_decides_is_looked_at() -> None:
    whole(lambda z, c: z + 1 if c == 2j else z - 1, numbers(5), 2j)


def test_new_arrays_and_conversions() -> None:
    def made(x: Any, n: int) -> Any:
        arrays = np.zeros(n, complex), np.full(n, 1j), np.ones((2, n), np.complex64), np.zeros_like(x, dtype=complex)
        return (
            *arrays,
            x.astype(complex),
            np.where(x > 0, 1j, x),
            np.iscomplexobj(x * 1j),
            (x * 1j).astype(np.complex64),
        )

    whole(made, RANDOM.standard_normal(6), 4)


def test_arrays_are_moved_and_joined() -> None:
    def moved(z: Any, w: Any, k: Any) -> Any:
        return np.concatenate([z, w]), z.reshape(-1), np.stack([z, w], axis=1), z[k], np.roll(w, 1), z[::-1].copy()

    whole(moved, numbers(4, 5), numbers(4, 5), np.array([1, 0, 3]))


@pytest.mark.parametrize(
    "function",
    [np.exp, np.sqrt, np.sum, lambda z: z @ z, lambda z: z**3, lambda z: z.astype(float), np.argmax, lambda z: z.max()],
)
def test_what_has_no_form_is_left_to_numpy(function: Any) -> None:
    report = check(lambda z: function(z) * 2, numbers(5), backend="reference")
    assert "B900" not in report.breaks and "B901" not in report.breaks


@pytest.mark.parametrize("value", [2j, np.complex128(1j)])
def test_a_complex_number_stored_in_an_array_of_floats(value: Any) -> None:
    def stored(x: Any, c: Any) -> Any:
        x[0] = 1.0
        x[1] = c
        return x

    check(stored, np.zeros(3), value, calls=1, backend="reference")
