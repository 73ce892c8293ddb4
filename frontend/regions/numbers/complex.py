"""Python's complex numbers in a region: arithmetic exactly as Python's, or the call goes back to Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....core import dtypes
from ....graph.node import Node
from ....ops import pointwise as p
from ...breaks import LOOP_ARITHMETIC, UNKNOWN_VALUE
from ...tracing.complex_numbers import joined, parts, zero
from ...tracing.nodes import cast
from ...tracing.speculation import unsupported_in_region
from ...values import protocols
from ...values.arrays.array import ArrayValue, result
from ...values.base import Value
from ...values.numbers.computed import ComputedNumber
from .arithmetic import as_float, host_number, is_python_number, number_node
from .complex_ufuncs import (
    COMPLEX_UFUNCS,
    divide,
    numpys_power,
    plain_multiply,
    pythons_power,
    smith_quotient,
    whole_exponent,
)
from .python_or_numpy import PythonOrNumpyNumber

if TYPE_CHECKING:
    from ...tracing.trace import Trace
    from ..builder import Region

# Note [Quotients]
# Python and NumPy both divide by Smith's rule, but NumPy multiplies by a reciprocal where Python divides twice, and
# Python raises for a divisor of zero.


def operate(trace: Trace, region: Region, name: str, left: Value, right: Value) -> Value:
    """`left <name> right` of Python numbers of which one is complex."""
    if name == "**":
        return _power(trace, region, left, right)
    one, other = (_as_complex(trace, region, each) for each in (left, right))
    if name in ("==", "!="):
        return host_number(trace, _of_ufunc(trace, name, one, other))
    if name == "/":
        region.leave_if(trace.add(p.INVERT, region.let_of(cast(trace, region.let_of(other), dtypes.bool_))))
        return host_number(trace, _quotient(trace, one, other))
    if name not in ("+", "-", "*"):
        raise unsupported_in_region(f"the operator `{name}` of complex numbers")
    return host_number(trace, _of_ufunc(trace, name, one, other))


def _power(trace: Trace, region: Region, base: Value, exponent: Value) -> Value:
    """`base ** exponent`; what is not finite is left to Python, which raises for most of it."""
    made = pythons_power(trace, _as_complex(trace, region, base), _whole(trace, exponent))
    _leave_unless_finite(trace, region, made)
    return host_number(trace, made)


def _whole(trace: Trace, exponent: Value) -> int:
    known = whole_exponent(trace, exponent)
    if known is None:
        raise LOOP_ARITHMETIC.stop(what="a power of a complex number by other than a small whole number")
    return known


def _leave_unless_finite(trace: Trace, region: Region, number: Node, but: Node | None = None) -> None:
    """Leaves the region for a number with an infinite part or NaN, where the bool `but` is not true."""
    real, imag = (trace.add(p.ISFINITE, region.let_of(each)) for each in parts(trace, number))
    finite = trace.add(p.BITWISE_AND, real, imag)
    region.leave_if(trace.add(p.INVERT, finite if but is None else trace.add(p.BITWISE_OR, but, finite)))


def operate_beside_float(trace: Trace, name: str, left: Value, right: ArrayValue) -> Value:
    """`left <name> right` of a Python complex number and a float64, which Python takes for a float of its own.

    The result is Python's.
    """
    if trace.region is not None:
        return operate(trace, trace.region, name, left, ComputedNumber(right))
    if name not in ("+", "-", "*"):
        raise UNKNOWN_VALUE.stop(operation=f"the operator `{name}` of a complex number", name=right.describe())
    number, part = number_node(trace, left), right.read(trace)
    made = _of_ufunc(trace, name, number, joined(trace, part, zero(trace, (), dtypes.float64)))
    return host_number(trace, made)


def operate_python_or_numpy(trace: Trace, name: str, left: Value, right: Value) -> Value:
    """`left <name> right` of complex numbers of which one may be NumPy's.

    The results differ for quotients alone. See Note [Quotients].
    """
    region = trace.region
    assert region is not None
    if name == "**" and isinstance(left, PythonOrNumpyNumber):
        return _power_of_either(trace, region, left, right)
    for each in (left, right):
        known = (
            each.array.dtype is dtypes.complex128 if isinstance(each, PythonOrNumpyNumber) else is_python_number(each)
        )
        if not known or name not in ("+", "-", "*", "/"):
            raise unsupported_in_region(f"the operator `{name}` of such complex numbers")
    one, other = (
        region.let_of(
            each.array.read(trace) if isinstance(each, PythonOrNumpyNumber) else _as_complex(trace, region, each)
        )
        for each in (left, right)
    )
    numpys = [region.let_of(each.numpy) for each in (left, right) if isinstance(each, PythonOrNumpyNumber)]
    whose = numpys[0] if len(numpys) == 1 else trace.add(p.BITWISE_OR, *numpys)
    if name != "/":
        return PythonOrNumpyNumber(
            result(trace, _of_ufunc(trace, name, one, other), is_numpy_scalar=True), complex, whose
        )
    ends = trace.add(p.BITWISE_OR, whose, cast(trace, other, dtypes.bool_))
    region.leave_if(trace.add(p.INVERT, ends))
    choices = zip(parts(trace, divide(trace, one, other)), parts(trace, _quotient(trace, one, other)), strict=True)
    real, imag = (trace.add(p.WHERE, whose, theirs, pythons) for theirs, pythons in choices)
    return PythonOrNumpyNumber(result(trace, joined(trace, real, imag), is_numpy_scalar=True), complex, whose)


def _power_of_either(trace: Trace, region: Region, base: PythonOrNumpyNumber, exponent: Value) -> Value:
    """The power of a number that may be NumPy's: what either makes of it, of which one is picked."""
    node, whose, times = region.let_of(base.array.read(trace)), region.let_of(base.numpy), _whole(trace, exponent)
    pythons = pythons_power(trace, node, times)
    _leave_unless_finite(trace, region, pythons, but=whose)
    choices = zip(parts(trace, numpys_power(trace, node, times)), parts(trace, pythons), strict=True)
    real, imag = (trace.add(p.WHERE, whose, theirs, own) for theirs, own in choices)
    return PythonOrNumpyNumber(result(trace, joined(trace, real, imag), is_numpy_scalar=True), complex, whose)


def _as_complex(trace: Trace, region: Region, value: Value) -> Node:
    if value.python_type is complex:
        return number_node(trace, value)
    real = region.let_of(as_float(trace, region, value))
    return joined(trace, real, zero(trace, (), dtypes.float64))


def _of_ufunc(trace: Trace, name: str, one: Node, other: Node) -> Node:
    return (
        plain_multiply(trace, one, other)
        if name == "*"
        else COMPLEX_UFUNCS[protocols.UFUNC_OPERATORS.load()[name]](trace, one, other)
    )


def _quotient(trace: Trace, left: Node, right: Node) -> Node:
    """Python's quotient. Source: _Py_c_quot in CPython's Objects/complexobject.c."""
    real, imag, under = smith_quotient(trace, left, right)
    return joined(trace, trace.add(p.DIVIDE, real, under), trace.add(p.DIVIDE, imag, under))
