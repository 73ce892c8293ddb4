"""Complex numbers in native loops: Python's own and NumPy's, in arrays, and views of their parts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from frontend.control_flow.elements.test_loops import native
from oracle import check

RANDOM = np.random.default_rng(32)
NUMBERS = RANDOM.standard_normal(12) + 1j * RANDOM.standard_normal(12)


def test_elements_are_computed_with() -> None:
    def turned(z: Any, w: Any) -> Any:
        for i in range(1, len(z)):
            z[i] = z[i] * z[i - 1] / w[i] + 2.5 - w[i - 1] * 1j
            if z[i] == w[i]:
                z[i] = 0
            if z[i] != 0:
                w[i] = -z[i]
        return z, w

    native(turned, NUMBERS, NUMBERS[::-1].copy())
    native(turned, NUMBERS.astype(np.complex64), NUMBERS[::-1].astype(np.complex64))


def test_pythons_own_numbers() -> None:
    def summed(x: Any, out: Any, c: complex) -> Any:
        total = 0.5j
        for i in range(len(x)):
            step = complex(1.0, 2.0) * i + c
            total = total * c + step / (c + i)
            out[i] = total + x[i]
        return total

    native(summed, RANDOM.standard_normal(9), np.zeros(9, complex), 0.3 - 0.8j)


def test_a_number_that_is_pythons_first_and_numpys_then() -> None:
    def continued(x: Any, w: Any, load: float) -> Any:
        z = complex(load)
        for i in range(len(x)):
            z = x[i] / (1 / z + x[i] * 1j) + w[i]
        return z

    native(continued, RANDOM.random(9) + 0.1, NUMBERS, 50.0)
    check(continued, np.zeros(0), NUMBERS, 50.0, backend="reference")


def test_a_float64_beside_a_complex_number_of_pythons() -> None:
    def ladder(x: Any, load: float) -> Any:
        z = complex(load)
        for i in range(len(x)):
            z = 1 / (1 / z + 1j * x[i] * x[i]) + x[i] - 0.5j
        return z

    native(ladder, RANDOM.random(9) + 0.1, 50.0)
    check(ladder, RANDOM.random(9).astype(np.float32) + 0.1, 50.0, backend="reference")
    check(
        lambda x: (1j * x[0], 1j + x[1], x[0] * 1j, 1j / x[0], 1j == x[0], x[0] == 1j),
        NUMBERS.real.copy(),
        backend="reference",
    )


def test_a_divisor_of_zero_raises_for_pythons_numbers_only() -> None:
    def divided(x: Any, out: Any, c: complex) -> Any:
        for i in range(len(x)):
            out[i] = i
            out[i] = x[i] + 1 / (c * i)
        return out

    def numpys(x: Any, out: Any) -> Any:
        for i in range(len(x)):
            with_zero = x[i] * 0
            out[i] = x[i] / with_zero
        return out

    check(divided, NUMBERS, np.zeros(12, complex), 1j, calls=1, backend="reference")
    with np.errstate(all="ignore"):
        native(numpys, NUMBERS, np.zeros(12, complex))


def test_arrays_masks_and_parts() -> None:
    def escaping(z: Any, c: complex, limit: int) -> Any:
        escaped = np.full(z.shape, limit)
        inside = np.ones(z.shape, dtype=bool)
        for step in range(limit):
            z[inside] = z[inside] * z[inside] + c
            left = inside & (z.real * z.real + z.imag * z.imag > 4.0)
            escaped[left] = step
            inside &= ~left
            if not inside.any():
                break
        return escaped

    native(escaping, NUMBERS.reshape(3, 4), -0.8 + 0.156j, 9)


def test_parts_are_views_in_a_loop_too() -> None:
    def written(z: Any, out: Any) -> Any:
        for i in range(1, len(z)):
            real, rest = z.real, z[i:].imag
            z[i] = i - 2j
            real[0] += real[i]
            rest[0] *= 2
            out[i] = real[:2].sum() + rest[0]
        return z, out

    native(written, NUMBERS, np.zeros(12))


@pytest.mark.parametrize("kind", [np.complex128, np.complex64])
def test_what_a_loop_cannot_hold_is_left_to_other_code(kind: Any) -> None:
    def summed(z: Any, out: Any) -> Any:
        for i in range(1, len(z)):
            out[i] = z[:i].sum()
        return out

    check(summed, NUMBERS.astype(kind), np.zeros(12, kind), backend="reference")
