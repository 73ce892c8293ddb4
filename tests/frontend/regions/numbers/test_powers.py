"""Powers in native loops: of ints of any size, of NumPy's integers, and of complex numbers by whole exponents."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from frontend.control_flow.elements.test_loops import native
from oracle import check

RANDOM = np.random.default_rng(46)
DIGITS = RANDOM.integers(0, 10, 70)
NUMBERS = RANDOM.standard_normal(70) + 1j * RANDOM.standard_normal(70)


def through_kernels(function: Any, *args: Any, **options: Any) -> None:
    """`native`, and the same through kernels."""
    native(function, *args, **options)
    check(function, *args, expect="compiled", **options)


def test_powers_of_ints_that_change() -> None:
    def summed(digits: Any, base: int) -> Any:
        total = 0
        for i in range(len(digits)):
            digit = int(digits[i])
            total += digit ** (i % 12) + base ** (i & 15) + (-3) ** digit + i**9 + pow(i, digit) + digit**0
        return total

    through_kernels(summed, DIGITS, 7)
    through_kernels(summed, DIGITS[::-1], -5)


@pytest.mark.parametrize("base", [3, -3, 10**9, 0, 1, -1])
def test_an_int_that_int64_does_not_hold_is_pythons(base: int) -> None:
    def powers(x: Any, base: int, count: int) -> Any:
        last = 0
        for i in range(count):
            last = base ** (i + int(x[0]))
            x[i % 4] = i
        return last

    for count in (2, 36, 41, 64, 80):
        check(powers, np.zeros(4), base, count)
        check(powers, np.full(4, 3), base, count, backend="reference")


def test_a_negative_power_is_a_float() -> None:
    def powers(x: Any, base: int) -> Any:
        last: Any = 0
        for i in range(len(x)):
            last = base ** int(x[i])
        return last

    for last in (0, -1):
        check(powers, np.array([2, 1, 3, last]), 3, backend="reference")
        check(powers, np.array([2, 1, 3, last]), 0)


@pytest.mark.parametrize("dtype", ["int64", "int32", "int8", "uint8", "uint64"])
def test_powers_of_numpys_integers_wrap(dtype: str) -> None:
    def wrapped(a: Any, b: Any) -> Any:
        for i in range(len(a)):
            a[i] = a[i] ** b[i]
            a[i] += np.power(b[i], b[-i])
        return a

    def rows(a: Any, b: Any) -> Any:
        for i in range(3):
            a[i:] = a[i:] ** b[: len(b) - i]
        return a

    base, exponent = DIGITS.astype(dtype), RANDOM.integers(0, 40, 70).astype(dtype)
    through_kernels(wrapped, base, exponent)
    through_kernels(rows, base, exponent)


def test_a_negative_power_of_numpys_integers_raises() -> None:
    def powers(a: Any, b: Any) -> Any:
        for i in range(len(a)):
            a[i] = a[i] ** b[i]
        return a

    exponent = np.arange(70) % 5
    check(powers, DIGITS, exponent, expect="compiled")
    exponent[60] = -1
    for backend in ("numba", "reference"):
        check(powers, DIGITS, exponent, backend=backend)


ZEROS = np.array([complex(a, b) for a in (0.0, -0.0, 1.0, -1.0, 0.5) for b in (0.0, -0.0, 1.0, -2.0)])


@pytest.mark.parametrize("exponent", [1, 2, 3, 4, 5.0, 7, 64, 99])
def test_powers_of_complex_numbers_in_every_bit(exponent: Any) -> None:
    def pythons(numbers: Any, out: Any) -> Any:
        for i in range(len(numbers)):
            out[i] = complex(numbers[i]) ** exponent
        return out

    def numpys(numbers: Any, out: Any) -> Any:
        for i in range(len(numbers)):
            out[i] = numbers[i] ** exponent
        return out

    def loops(numbers: Any, out: Any) -> Any:
        for i in range(5):
            out[i:] = np.power(numbers[i:], exponent) - out[i:] ** 3 + (numbers[i:] * 0.5) ** 2
        return out

    for numbers in (ZEROS, NUMBERS):
        through_kernels(pythons, numbers, np.zeros(len(numbers), complex))
        through_kernels(numpys, numbers, np.zeros(len(numbers), complex))
    with np.errstate(all="ignore"):
        through_kernels(loops, ZEROS, np.zeros(len(ZEROS), complex))
        through_kernels(numpys, ZEROS.astype(np.complex64), np.zeros(len(ZEROS), np.complex64))


def test_whole_powers_of_complex_arrays_outside_of_loops() -> None:
    with np.errstate(all="ignore"):
        for numbers in (NUMBERS, ZEROS, NUMBERS.astype(np.complex64).reshape(7, 10).T):
            check(lambda z: (z**3, np.power(z, 2), z**5.0, np.power(z, 1), z**100, z**0.5, z**-1), numbers)


def test_an_orbit_that_is_pythons_first_and_numpys_then() -> None:
    def escapes(points: Any, counts: Any) -> Any:
        for j in range(len(points)):
            z = 0j
            for _ in range(40):
                z = z**2 + points[j]
                if abs(z) > 2:
                    break
                counts[j] += 1
        return counts

    def own(points: Any, counts: Any) -> Any:
        for j in range(len(points)):
            z, c = 0j, complex(points[j])
            for _ in range(40):
                z = z**2 + c
                if abs(z) > 2.0:
                    break
                counts[j] += 1
        return counts

    for function in (escapes, own):
        through_kernels(function, NUMBERS, np.zeros(70, int))


def test_a_power_that_is_too_large_raises_as_python_does() -> None:
    def powers(numbers: Any, out: Any) -> Any:
        for i in range(len(numbers)):
            out[i] = abs(complex(numbers[i]) ** 3)
        return out

    for last in (1e200, 1e103, complex(1.5e308, 1.5e308), np.nan):
        check(powers, np.array([1j, 2.0, last]), np.zeros(3))


def test_complex_numbers_of_parts() -> None:
    def turned(x: Any, out: Any) -> Any:
        for i in range(1, len(x)):
            z = complex(x[i], x[i - 1]) * complex(i) + complex(i, 2) + complex(x[i])
            out[i] = abs(z) + abs(complex(z) - 1j)
        return out

    through_kernels(turned, RANDOM.standard_normal(20), np.zeros(20), rtol=1e-14)
