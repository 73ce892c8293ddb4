"""Ufuncs over complex numbers, in primitives over their parts."""

# Note [Complex products]
# NumPy's loop over arrays multiplies with one rounding for a product and the sum it goes into, where the machine has
# such an instruction, and its operator over two NumPy numbers with two. What it does here is seen at import.

# Note [Complex powers]
# NumPy and Python make products of a power by a small whole number, by squaring: NumPy up to 99, Python up to 100.
# Others they leave to the C library. Their loops differ where a zero has a sign. NumPy starts from the number itself
# up to the third power, else from one, and gives zero for a zero at once. Python starts from one, or in newer versions
# from the number itself. To multiply by one changes the sign of a zero. What NumPy and Python at hand do is seen at
# first use.

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.dtypes import DType
from ....graph.node import Node
from ....ops import pointwise as p
from ....ops.complex_numbers import FUSED_MULTIPLY_ADD, MODULUS
from ....ops.registry import OpDef
from ...breaks import DTYPE
from ...tracing.complex_numbers import cast_to_bool, constant, joined, parts, zero
from ...tracing.nodes import constant_node
from ...values.base import Value
from ...values.constant import Constant
from ...values.numbers.input_scalar import InputNumber

if TYPE_CHECKING:
    from ...numpy.ufunc_table import Lowered
    from ...tracing.trace import Trace


@cache
def fuses(dtype: DType) -> bool:
    """Whether NumPy's loop over arrays rounds once. Errors: a break where it does something else."""
    epsilon = float(np.finfo(dtype.numpy).eps)
    ones = np.ones(5, dtype.numpy)
    one = ones * (1 + epsilon) + ones * 1j
    real = (one * (ones * (1 - epsilon) + ones * 1j)).real  # 1 - epsilon**2, less 1
    imag = (one * (ones * -1 + ones * (1j - 1j * epsilon))).imag
    for answer, expected in ((True, -(epsilon**2)), (False, 0.0)):
        if (real == expected).all() and (imag == expected).all():
            return answer
    raise DTYPE.stop(dtype=dtype)


def multiply(trace: Trace, left: Node, right: Node) -> Node:
    """Products as NumPy's loops over arrays compute them. See Note [Complex products]."""
    if not fuses(left.type.dtype):
        return plain_multiply(trace, left, right)
    (a, b), (c, d) = parts(trace, left), parts(trace, right)
    low = trace.add(p.NEGATIVE, trace.add(p.MULTIPLY, b, d))
    real = trace.add(FUSED_MULTIPLY_ADD, a, c, low)
    return joined(trace, real, trace.add(FUSED_MULTIPLY_ADD, a, d, trace.add(p.MULTIPLY, b, c)))


def plain_multiply(trace: Trace, left: Node, right: Node) -> Node:
    """Products as Python and NumPy's operators over two numbers compute them."""
    (a, b), (c, d) = parts(trace, left), parts(trace, right)
    real = trace.add(p.SUBTRACT, trace.add(p.MULTIPLY, a, c), trace.add(p.MULTIPLY, b, d))
    return joined(trace, real, trace.add(p.ADD, trace.add(p.MULTIPLY, a, d), trace.add(p.MULTIPLY, b, c)))


def smith_quotient(trace: Trace, left: Node, right: Node) -> tuple[Node, Node, Node]:
    """By Smith's rule (Smith 1962, Algorithm 116) two numbers and a third that either is yet to be divided by."""
    (a, b), (c, d) = parts(trace, left), parts(trace, right)
    flat = trace.add(p.LESS_EQUAL, trace.add(p.ABSOLUTE, d), trace.add(p.ABSOLUTE, c))

    def choose(one: Node, other: Node) -> Node:
        return trace.add(p.WHERE, flat, one, other)

    def times(one: Node, other: Node) -> Node:
        return trace.add(p.MULTIPLY, one, other)

    large, small = choose(c, d), choose(d, c)
    ratio = trace.add(p.DIVIDE, small, large)
    real = choose(trace.add(p.ADD, a, times(b, ratio)), trace.add(p.ADD, times(a, ratio), b))
    imag = choose(trace.add(p.SUBTRACT, b, times(a, ratio)), trace.add(p.SUBTRACT, times(b, ratio), a))
    return real, imag, trace.add(p.ADD, large, times(small, ratio))


def divide(trace: Trace, left: Node, right: Node) -> Node:
    """Quotients as NumPy computes them: by Smith's rule, with one reciprocal."""
    (a, b), (c, d) = parts(trace, left), parts(trace, right)
    real, imag, under = smith_quotient(trace, left, right)
    size_c, size_d = trace.add(p.ABSOLUTE, c), trace.add(p.ABSOLUTE, d)
    scale = trace.add(p.DIVIDE, constant_node(trace, 1.0, a.shape, a.type.dtype), under)
    none = trace.add(
        p.BITWISE_AND,
        *(trace.add(p.EQUAL, each, zero(trace, each.shape, each.type.dtype)) for each in (size_c, size_d)),
    )
    made = (
        trace.add(p.WHERE, none, trace.add(p.DIVIDE, over, size_c), trace.add(p.MULTIPLY, each, scale))
        for over, each in ((a, real), (b, imag))
    )
    return joined(trace, *made)


def _each(op: OpDef) -> Lowered:
    """The op on the real and on the imaginary parts."""

    def lower(trace: Trace, *nodes: Node) -> Node:
        real, imag = zip(*(parts(trace, node) for node in nodes), strict=True)
        return joined(trace, trace.add(op, *real), trace.add(op, *imag))

    return lower


def _conjugate(trace: Trace, node: Node) -> Node:
    real, imag = parts(trace, node)
    return joined(trace, real, trace.add(p.NEGATIVE, imag))


def _absolute(trace: Trace, node: Node) -> Node:
    return trace.add(MODULUS, *parts(trace, node))


def _compared(op: OpDef, together: OpDef) -> Lowered:
    def lower(trace: Trace, left: Node, right: Node) -> Node:
        both = zip(parts(trace, left), parts(trace, right), strict=True)
        return trace.add(together, *(trace.add(op, one, other) for one, other in both))

    return lower


def _classified(op: OpDef, together: OpDef) -> Lowered:
    return lambda trace, node: trace.add(together, *(trace.add(op, each) for each in parts(trace, node)))


def _logical(op: OpDef) -> Lowered:
    return lambda trace, *nodes: trace.add(op, *(cast_to_bool(trace, node) for node in nodes))


COMPLEX_UFUNCS: dict[np.ufunc, Lowered] = {
    np.add: _each(p.ADD),
    np.subtract: _each(p.SUBTRACT),
    np.multiply: multiply,
    np.true_divide: divide,
    np.negative: _each(p.NEGATIVE),
    np.positive: lambda trace, node: node,
    np.square: lambda trace, node: multiply(trace, node, node),
    np.conjugate: _conjugate,
    np.absolute: _absolute,
    np.equal: _compared(p.EQUAL, p.BITWISE_AND),
    np.not_equal: _compared(p.NOT_EQUAL, p.BITWISE_OR),
    np.isnan: _classified(p.ISNAN, p.BITWISE_OR),
    np.isinf: _classified(p.ISINF, p.BITWISE_OR),
    np.isfinite: _classified(p.ISFINITE, p.BITWISE_AND),
    np.logical_and: _logical(p.BITWISE_AND),
    np.logical_or: _logical(p.BITWISE_OR),
    np.logical_xor: _logical(p.BITWISE_XOR),
    np.logical_not: _logical(p.INVERT),
}


# Powers. See Note [Complex powers].
MOST = 99
"""The largest exponent of which NumPy and Python make products."""


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


__all__ = ["COMPLEX_UFUNCS", "divide", "multiply", "numpys_power", "plain_multiply", "pythons_power", "whole_exponent"]
