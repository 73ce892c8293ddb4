"""Whole powers of complex numbers, in the products that NumPy and Python make of them."""

# Note [Complex powers]
# Both make products of a power by a small whole number, by squaring: NumPy up to 99, Python up to 100; others are
# left to the C library. Their loops differ where a zero has a sign. NumPy starts from the number itself up to the
# third power, else from one, and gives zero for a zero at once. Python starts from one, or in newer versions from the
# number itself. To multiply by one changes the sign of a zero. What NumPy and Python at hand do is seen at first use.

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.dtypes import DType
from ....graph.node import Node
from ....ops import pointwise as p
from ...breaks import DTYPE
from ...tracing.complex_numbers import cast_to_bool, constant, joined, parts, zero
from ...values.base import Value
from ...values.constant import Constant
from ...values.numbers.input_scalar import InputNumber
from .complex_ufuncs import plain_multiply

if TYPE_CHECKING:
    from ...tracing.trace import Trace

MOST = 99
"""The largest exponent of which both make products."""


def whole_exponent(trace: Trace, value: Value) -> int | None:
    """The number that an exponent is, where a power by it is made of products; else None.

    Of a number from outside, that value is relied on.
    """
    if not isinstance(value, (Constant, InputNumber)):
        return None
    known: Any = value.value if isinstance(value, Constant) else value.example
    if type(known) not in (int, float) or not 1 <= known <= MOST or known != int(known):
        return None
    return int(value.constant(trace))


def numpys_power(trace: Trace, base: Node, exponent: int) -> Node:
    """The power as `np.power` and the operator of NumPy's complex numbers compute it.

    Errors: a break where NumPy does something else.
    """
    if not _numpy_makes_products(base.type.dtype):
        raise DTYPE.stop(dtype=f"{base.type.dtype} in np.power")
    made = base if exponent == 1 else plain_multiply(trace, base, base)
    if exponent == 3:
        made = plain_multiply(trace, base, made)
    elif exponent > 3:
        made = _by_squaring(trace, base, exponent)
    none = zero(trace, base.shape, parts(trace, base)[0].type.dtype)
    some = cast_to_bool(trace, base)
    return joined(trace, *(trace.add(p.WHERE, some, each, none) for each in parts(trace, made)))


def pythons_power(trace: Trace, base: Node, exponent: int) -> Node:
    """The power as Python computes it, where it is finite. Source: c_powu in CPython's Objects/complexobject.c."""
    if _python_starts_from_one():
        return _by_squaring(trace, base, exponent)
    return _by_squaring(trace, base, exponent - 1, base)


def _by_squaring(trace: Trace, base: Node, exponent: int, start: Node | None = None) -> Node:
    """`start * base ** exponent`, from the lowest bit of the exponent on; `start` is one if it is not given."""
    made = constant(trace, 1, base.shape, base.type.dtype) if start is None else start
    while exponent:
        if exponent & 1:
            made = plain_multiply(trace, made, base)
        exponent >>= 1
        if exponent:
            base = plain_multiply(trace, base, base)
    return made


@cache
def _python_starts_from_one() -> bool:
    """Whether Python's loop multiplies by one first, which makes 0.0 of this -0.0."""
    return math.copysign(1.0, (complex(-0.0, -1.0) ** 1).real) > 0


@cache
def _numpy_makes_products(dtype: DType) -> bool:
    """Whether NumPy's powers of this dtype are the products of Note [Complex powers], its loops' and its scalars'."""
    numbers = np.array([0.8 - 0.7j, -1.3 + 0.2j, complex(-0.0, -1.0), complex(-0.0, 0.0)], dtype.numpy)
    with np.errstate(all="ignore"):
        for exponent in (2, 3, 5, 6, MOST):
            expected = np.array([_product(each, exponent) for each in numbers], dtype.numpy)
            loop = np.power(numbers, exponent)
            scalars = np.array([each**exponent for each in numbers], dtype.numpy)
            if any(each.tobytes() != expected.tobytes() for each in (loop, scalars)):
                return False
    return True


def _product(number: np.complexfloating, exponent: int) -> np.complexfloating:
    """The power of one of NumPy's numbers by its `*`, which is the plain product."""
    if not number:
        return type(number)(0)
    if exponent <= 3:
        return number * number if exponent == 2 else number * (number * number)
    made = type(number)(1)
    while exponent:
        made = made * number if exponent & 1 else made
        number, exponent = number * number, exponent >> 1
    return made
