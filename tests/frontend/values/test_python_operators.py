"""Operands that are asked about an operator, and what comes of it where the order of asking matters."""

# ruff: noqa: UP031 (the operator is what is tested)

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from frontend.control_flow.elements.test_loops import native
from frontend.language import X, compiled, plain

from guardlift.frontend.regions.arrays.views import RegionArray, RegionView
from guardlift.frontend.regions.numbers.python_or_numpy import PythonOrNumpyNumber
from guardlift.frontend.tensors.surface.numpy_numbers import NumpyNumber
from guardlift.frontend.values.arrays.array import ArrayValue
from guardlift.frontend.values.base import Value
from guardlift.frontend.values.constant import Constant
from guardlift.frontend.values.containers.named_tuples import NamedTupleValue
from guardlift.frontend.values.numbers.computed import ComputedNumber
from guardlift.frontend.values.numbers.input_complex import InputComplex
from guardlift.frontend.values.numbers.input_scalar import InputNumber
from guardlift.frontend.values.numbers.loop_varying import InductionVariable, LoopVaryingNumber
from guardlift.frontend.values.numbers.symbolic_int import SymInt
from guardlift.frontend.values.objects.objects import Instance
from guardlift.frontend.values.objects.user_object import UserObject
from guardlift.frontend.values.tensors.tensor import TensorValue

I = np.array([5, -7, 2, 9])  # noqa: E741
Z = X * (1 + 2j)


class Adding:
    """An object that knows what to do with others on its left and on its right."""

    def __add__(self, other: Any) -> str:
        return f"add {type(other).__name__}"

    def __radd__(self, other: Any) -> str:
        return f"radd {type(other).__name__}"

    def __lt__(self, other: Any) -> bool:
        return True

    def __gt__(self, other: Any) -> bool:
        return False

    def __neg__(self) -> str:
        return "neg"


def every_class_below(kind: type) -> set[type]:
    """The subclasses of a class, and theirs."""
    return {kind}.union(*(every_class_below(each) for each in kind.__subclasses__()))


def test_the_order_of_asking_is_that_of_the_number_tower() -> None:
    tower: list[type[Value]] = [
        *(Value, Constant, InputNumber, SymInt, InductionVariable, ComputedNumber, ArrayValue, TensorValue),
        *(PythonOrNumpyNumber, UserObject),
    ]
    ranks = [each.operator_rank for each in tower]
    assert ranks == sorted(set(ranks))
    assert InputComplex.operator_rank == Constant.operator_rank
    assert RegionView.operator_rank == RegionArray.operator_rank == ArrayValue.operator_rank


@pytest.mark.parametrize("kind", [ArrayValue, RegionArray, TensorValue, UserObject, LoopVaryingNumber])
def test_subclasses_answer_as_their_class_does(kind: type[Value]) -> None:
    for each in every_class_below(kind) - {NumpyNumber}:  # whose number is asked for first
        for name in ("operator_rank", "unary", "binary", "compare"):
            assert getattr(each, name) == getattr(kind, name), (each, name)
    assert NamedTupleValue in every_class_below(UserObject)
    assert Instance in every_class_below(UserObject)


# What is written here once stood in the order of a ladder of tests; the functions take (x, i, z, a, f, c).
CASES: dict[str, Callable[..., Any]] = {
    "a NumPy scalar beside numbers of Python": lambda x, i, z, a, f, c: (
        x[0] + a, a - x[0], f * i[0], i[0] // 2, 7 % i[2],
    ),
    "a float32 beside a Python float": lambda x, i, z, a, f, c: (
        np.float32(2) * f, 2.5 + np.float32(1), np.float32(2) < f,
    ),
    "an array beside a size": lambda x, i, z, a, f, c: (x * len(x), len(x) - i, len(x) < i, x + x.shape[0] * a),
    "complex numbers beside all others": lambda x, i, z, a, f, c: (c * x, x + 2j, z[0] * 1j, 1j + a, c == c, 2j * True),
    "bools beside numbers": lambda x, i, z, a, f, c: (x + True, True + a, (x[0] > 0) + a, True & True, False | (a > 2)),
    "a computed number beside each other kind": lambda x, i, z, a, f, c: (
        int(i.sum()) + a, f * float(x.sum()), len(x) + int(i.sum()), 3 - int(i.sum()), x * float(x.sum()),
        float(x.sum()) * x[0], -float(x.sum()), ~int(i.sum()), int(i.sum()) < len(x), float(x.sum()) > f,
    ),
    "a size beside numbers": lambda x, i, z, a, f, c: (
        x * 1, len(x) + a, len(x) * 2.5, len(x) ** 2, ~len(x), len(x) == a,
    ),
    "known numbers alone": lambda x, i, z, a, f, c: (x + 1, 7 // 2, -7 % 3, 2**-1, 1 < 2.0, ~5, -True, +2j),
    "texts, which `%` fills": lambda x, i, z, a, f, c: (
        x + 1, "%d of %s" % (a, f), "a" * 3, "a" + "b", "a" < "b", b"x" * 2,
    ),
    "sequences beside numbers": lambda x, i, z, a, f, c: (
        x + 1, [1] * a, 2 * (1, 2), [0] * len(x), [1] + [a], (1,) < (a,),
    ),
    "sets, dicts, deques": lambda x, i, z, a, f, c: (
        x + 1, {1, 2} | {3}, {1: 2} | {3: a}, {1: 2}.keys() & {1}, list(deque([1]) + deque([a])), list(deque([1]) * 2),
    ),
    "classes in a union": lambda x, i, z, a, f, c: (x + 1, isinstance(a, int | None), (int | str) is not None),
    "an identity beside another": lambda x, i, z, a, f, c: (x + 1, id(x) == id(x), id(x) != id(i)),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_operators_give_of(name: str) -> None:
    compiled(CASES[name], X, I, Z, 3, 2.5, 1 + 2j)


def test_an_object_of_a_users_class_is_asked_beside_numbers_and_containers() -> None:
    def function(x: Any, a: Any, f: Any) -> Any:
        v = Adding()
        return x + 1, v + a, f + v, v + x.shape[0], len(x) + v, v + [1], (1,) + v, v + v, v < a, a < v, -v  # noqa: RUF005

    compiled(function, X, 3, 2.5)


def test_an_array_before_an_object_of_a_users_class_is_left_to_python() -> None:
    compiled(lambda x: (Adding() + x, x.sum()), X)
    plain(lambda x: (x + Adding(), x.sum()), X, code="B401")


def test_a_computed_float_beside_an_int_of_any_size_is_compared_by_python() -> None:
    for number in (3, 10**30):
        plain(lambda x, a: (x + 1, float(x.sum()) > a), X, number, code="B102")


def test_a_matrix_product_of_numbers_is_left_to_python() -> None:
    plain(lambda x, a: (x + 1, a @ 2), X, 3, code="B401")
    plain(lambda x, a: (x + 1, len(x) @ a), X, 2.5, code="B401")


def test_lists_change_in_place() -> None:
    def function(x: Any, a: Any) -> Any:
        first = items = [1]
        items += (2, a)
        items += {4}
        items *= 2
        pair = same = (1,)
        same += (a,)
        return x + 1, first, items is first, pair, same

    compiled(function, X, 3)


def test_arrays_and_tensors_change_in_place() -> None:
    def function(x: Any, i: Any, a: Any) -> Any:
        before = x
        x += a
        x *= len(x)
        x -= i[0]
        return before, x is before

    compiled(function, X, I, 3)


def test_a_number_that_may_be_pythons_or_numpys_decides_beside_both() -> None:
    def function(x: Any, y: Any) -> Any:
        total = 0.0
        largest = -1.0
        for k in range(len(x)):
            total += x[k]
            if total * 0.5 > largest and total - x[k] < 100.0:
                largest = total + 1
            y[k] = total * y[k] - largest
        return total, largest, y

    native(function, np.arange(20.0), np.ones(20))
