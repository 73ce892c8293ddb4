"""Operators of the language, plain against jitted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from frontend.language import X, Y, compiled, plain

import guardlift as gl

I = np.array([5, -7, 2, 9])  # noqa: E741
J = np.array([2, 3, 1, 4])

BINARY: list[Callable[[Any, Any], Any]] = [
    lambda a, b: a + b,
    lambda a, b: a - b,
    lambda a, b: a * b,
    lambda a, b: a / b,
    lambda a, b: a // b,
    lambda a, b: a % b,
    lambda a, b: a**b,
    lambda a, b: a < b,
    lambda a, b: a <= b,
    lambda a, b: a == b,
    lambda a, b: a != b,
    lambda a, b: a > b,
    lambda a, b: a >= b,
]
BITS: list[Callable[[Any, Any], Any]] = [
    lambda a, b: a & b,
    lambda a, b: a | b,
    lambda a, b: a ^ b,
    lambda a, b: a << b,
    lambda a, b: a >> b,
]


@pytest.mark.parametrize("place", range(len(BINARY)))
def test_a_binary_operator_on_arrays(place: int) -> None:
    compiled(BINARY[place], np.abs(X), Y)


@pytest.mark.parametrize("place", range(len(BITS)))
def test_a_bit_operator_on_integer_arrays(place: int) -> None:
    compiled(BITS[place], I, J)


@pytest.mark.parametrize("place", range(len(BINARY)))
@pytest.mark.parametrize("pair", [(3, 2), (3.0, 2), (7, 2.5), (-7.5, 2.0), (True, 2), (-3, 2)])
def test_a_binary_operator_on_python_numbers(place: int, pair: tuple[Any, Any]) -> None:
    operate = BINARY[place]

    def function(x: Any, a: Any, b: Any) -> Any:
        return x + 1, operate(a, b)

    compiled(function, X, *pair)


@pytest.mark.parametrize("place", range(len(BITS)))
def test_a_bit_operator_on_python_integers(place: int) -> None:
    operate = BITS[place]
    compiled(lambda x, a, b: (x + 1, operate(a, b)), X, 13, 2)


@pytest.mark.parametrize("value", [3, 2.5, -0.0, True])
def test_unary_operators_on_python_numbers(value: Any) -> None:
    compiled(lambda x, a: (x * 2, -a, +a, not a, abs(a)), X, value)


def test_unary_operators_on_arrays() -> None:
    compiled(lambda x, i: (-x, +x, abs(x), ~i), X, I)


def test_matmul() -> None:
    compiled(lambda a, b: a @ b, np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4))


def test_augmented_assignment_writes_into_the_array() -> None:
    def function(x: Any, y: Any) -> Any:
        x += y
        x -= 1
        x *= 2
        x /= 3
        return x

    compiled(function, X, Y)


def test_augmented_assignment_of_every_integer_operator() -> None:
    def function(i: Any, j: Any) -> Any:
        i //= j
        i %= 7
        i **= 2
        i <<= 1
        i >>= 1
        i &= 255
        i |= 1
        i ^= j
        return i

    compiled(function, I, J)


def test_augmented_assignment_of_python_numbers_makes_new_ones() -> None:
    def function(x: Any, a: Any, b: Any) -> Any:
        c = a
        a += 2
        a *= b
        a -= 1.5
        a /= 2
        return x * a, c, a

    compiled(function, X, 3, 4.0)


def test_chained_comparison_evaluates_the_middle_once() -> None:
    def function(x: Any, n: Any) -> Any:
        seen = []

        def middle() -> Any:
            seen.append(1)
            return n

        if 0 < middle() <= 10:
            x = x + len(seen)
        if 0 < middle() < 1 < middle():
            x = x * 100
        return x + len(seen)

    compiled(function, X, 5)
    compiled(function, X, 11)


def test_and_or_not_give_operands() -> None:
    def function(x: Any, a: Any, b: Any) -> Any:
        return x * (a or 2.0), (a and b), (b or a), not a, (not (a and b)) or 7, None or (), "" or "text", x + (0 or 3)

    compiled(function, X, 0.0, 1.5)
    compiled(function, X, 3.0, 0.0)


def test_conditional_expressions() -> None:
    compiled(lambda x, n: (x + 1 if n > 2 else x - 1) * (2 if n else 3), X, 3)
    compiled(lambda x, n: (x + 1 if n > 2 else x - 1) * (2 if n else 3), X, 0)


def test_identity_with_none_true_and_false() -> None:
    def function(x: Any, a: Any = None, b: Any = True) -> Any:
        y = x + 1 if a is None else x - 1
        y = y * 2 if b is True else y * 3
        y = y + 5 if b is not False else y + 6
        return y if a is not None else y - 100

    compiled(function, X)
    compiled(function, X, 2.0, False)
    compiled(function, X, 2, 1)


def test_identity_of_arrays() -> None:
    def function(x: Any, y: Any) -> Any:
        z = x
        return z is x, x is y, x is not y, x[:] is x, x + y

    compiled(function, X, Y)
    compiled(function, X, X)


def test_identity_of_small_integers_breaks() -> None:
    small = 5
    plain(lambda x, n: (x + 1, n is small), X, 5, code="B401")


def test_membership() -> None:
    def function(x: Any, mode: str, n: int) -> Any:
        if (
            mode in ("a", "b")
            and n not in [1, 2]
            and "e" in "help"
            and mode in {"a": 1}
            and n in range(3, 9)
            and mode in {"a", "q"}
        ):
            return x + 1
        return x - 1

    compiled(function, X, "a", 3)
    compiled(function, X, "c", 3)
    compiled(function, X, "a", 2)


def test_text_operations_on_constants() -> None:
    def function(x: Any, name: str) -> Any:
        full = name + "_" + "w" * 2
        parts = full.upper().split("_")
        return (
            {full: x + 1, f"{name}-{len(parts)}": x * 2, f"{name!r:>8}": x, f"{name}:{3}": x - 1},
            parts[0][1:],
            full.count("a"),
        )

    compiled(function, X, "ab")


def test_formatted_text_of_numbers_follows_the_number() -> None:
    report = compiled(lambda x, n: {f"layer{n}": x + n}, X, 3)
    assert report.results[0].keys() == {"layer3"}


def test_walrus() -> None:
    def function(x: Any, n: int) -> Any:
        if (m := n + 1) > 3:
            return x * m
        return [y := x + m, y * 2]

    compiled(function, X, 4)
    compiled(function, X, 1)


def test_numbers_of_equal_value_but_other_type_stay_apart() -> None:
    compiled(lambda x, n: (x + n, n * 1, n * 1.0, n * True, n + 0.0, n + 0), X, 3)


def test_signed_zeros_stay_apart() -> None:
    compiled(lambda x, n: (n * 0.0, n * -0.0, x + 1, 0.0, -0.0), X, 2.0)
    compiled(lambda x, n: (x * (n * 0.0), x * (n * -0.0)), X, 2.0)


def test_nan_compares_as_in_python() -> None:
    compiled(lambda x, n: x + 1 if n == n else x - 1, X, float("nan"))


def test_a_number_that_turns_complex_breaks() -> None:
    plain(lambda x, a: (x + 1, a**0.5), X, -2.0, code="B401")


def test_division_by_a_number_that_becomes_zero_raises_as_python_does() -> None:
    import guardlift as gl

    def function(x: Any, a: float) -> Any:
        x += 1
        unused = 1.0 / a  # noqa: F841
        return 2.0 / a

    jitted, array = gl.jit(function), np.zeros(2)
    assert jitted(array, 2.0) == 1.0
    assert jitted(array, 4.0) == 0.5
    with pytest.raises(ZeroDivisionError):
        jitted(array, 0.0)
    assert array.tolist() == [3.0, 3.0]


def test_dead_arithmetic_still_raises() -> None:
    import guardlift as gl

    def function(x: Any, n: int) -> Any:
        10 // n
        1 << n
        return x + 1

    jitted = gl.jit(function)
    assert jitted(np.zeros(1), 3)[0] == 1
    assert jitted(np.zeros(1), 4)[0] == 1
    with pytest.raises(ZeroDivisionError):
        jitted(np.zeros(1), 0)
    with pytest.raises(ValueError, match="negative shift"):
        jitted(np.zeros(1), -1)


def double(x: Any) -> Any:
    return x * 2


def triple(x: Any) -> Any:
    return x * 3


def test_functions_are_one_object_or_two() -> None:
    def program(x: Any, chosen: Any) -> Any:
        def inner(y: Any) -> Any:
            return y

        alias = inner
        return x + (chosen is double) * 1 + (chosen is not triple) * 2 + (alias is inner) * 4 + (inner is chosen) * 8

    fast = gl.jit(program)
    for chosen in (double, triple, double, lambda y: y):
        np.testing.assert_array_equal(fast(X, chosen), program(X, chosen))
    assert not gl.explain(fast).breaks
