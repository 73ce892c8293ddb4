"""Python's own functions of numbers that a region computes: `abs`, `int`, `min`, `math.sqrt` and their like.

Where Python raises for some numbers, the region is left for them. See Note [Leaving a region].
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from ....core import dtypes
from ....core.dtypes import DType
from ....graph.node import Node
from ....ops import pointwise as p
from ....ops.complex_numbers import MODULUS
from ....ops.registry import OpDef
from ...tracing.complex_numbers import joined as together
from ...tracing.complex_numbers import parts
from ...tracing.nodes import cast, constant_node
from ...tracing.speculation import unsupported_in_region
from ...values import protocols
from ...values.arrays.array import ArrayValue, result
from ...values.base import Value
from ...values.constant import Constant
from ...values.numbers.computed import ComputedNumber
from ..variables import as_kind, is_numpys, joined, kind_of, of_kind
from .arithmetic import (
    as_float,
    as_int,
    bounds_of,
    condition,
    host_number,
    is_python_number,
    is_symbolic,
    negate,
    number_node,
    operate,
)
from .python_or_numpy import PythonOrNumpyNumber

if TYPE_CHECKING:
    from ...tracing.trace import Trace
    from ..builder import Region


def chosen(trace: Trace, test: Node, value: Value, otherwise: Value) -> Value:
    """`value if test else otherwise`, both known. Errors: a break for values of different kinds."""
    kinds = kind_of(value), kind_of(otherwise)
    kind = joined(kinds[0], kinds[1]) if kinds[0] and kinds[1] else None
    if kind is None:
        raise unsupported_in_region("a choice between values of different kinds")
    one, other = as_kind(trace, value, kind), as_kind(trace, otherwise, kind)
    test = _own(trace, test)
    made = trace.add(p.WHERE, test, one, other)
    if kind.python_or_numpy:
        assert kind.python is not None
        numpys = trace.add(p.WHERE, test, is_numpys(trace, value), is_numpys(trace, otherwise))
        return PythonOrNumpyNumber(result(trace, made, is_numpy_scalar=True), kind.python, numpys)
    if kind.python is not int:
        return of_kind(trace, made, kind)
    (a, b), (c, d) = bounds_of(value), bounds_of(otherwise)
    return of_kind(trace, made, kind, (min(a, c), max(b, d)))


def _own(trace: Trace, node: Node) -> Node:
    assert trace.region is not None
    return trace.region.let_of(node)


def absolute(trace: Trace, value: Value) -> Value:
    """`abs(value)` of a Python number."""
    if value.python_type is float:
        return host_number(trace, trace.add(p.ABSOLUTE, number_node(trace, value)))
    if value.python_type is complex:
        return _modulus(trace, value)
    negative = condition(trace, _compare(trace, "<", value, 0))
    made = chosen(trace, negative, negate(trace, value), value)
    if isinstance(made, ComputedNumber):
        low, high = bounds_of(value)
        made.bounds = (0, max(abs(low), abs(high)))
    return made


def _modulus(trace: Trace, value: Value) -> Value:
    """The size of a complex number of Python's, which raises where it is too large."""
    region = trace.region
    assert region is not None
    size = region.let_of(trace.add(MODULUS, *parts(trace, number_node(trace, value))))
    region.leave_if(trace.add(p.ISINF, size))
    return host_number(trace, size)


def complex_of(trace: Trace, real: Value, imag: Value | None) -> Value:
    """`complex(real, imag)` of numbers of which the region computes one."""
    real = real.array if isinstance(real, PythonOrNumpyNumber) else real
    if isinstance(real, ArrayValue) and not real.shape and real.dtype.is_complex and imag is None:
        return host_number(trace, cast(trace, real.read(trace), dtypes.complex128))
    if imag is None and real.python_type is complex:
        return real
    given = [converted(trace, float, each) for each in (real, Constant(0.0) if imag is None else imag)]
    return host_number(trace, together(trace, *(_own(trace, number_node(trace, each)) for each in given)))


def among(trace: Trace, value: Value, items: list[Value], *, negated: bool) -> Value:
    """`value in items`, all of them numbers. Errors: a break for others."""
    found: Node = constant_node(trace, False, (), dtypes.bool_)
    for each in items:
        if kind_of(each) is None or kind_of(value) is None:
            raise unsupported_in_region("the operator `in` with other things than numbers")
        found = trace.add(
            p.BITWISE_OR, _own(trace, found), condition(trace, protocols.compare(trace, "==", value, each))
        )
    return host_number(trace, trace.add(p.INVERT, _own(trace, found)) if negated else _own(trace, found))


def _compare(trace: Trace, name: str, value: Value, number: int) -> Value:
    return operate(trace, name, value, Constant(number))


def converted(trace: Trace, kind: type, value: Value) -> Value:
    """`int(value)`, `float(value)` or `bool(value)`."""
    region = trace.region
    assert region is not None
    if isinstance(value, PythonOrNumpyNumber):
        value = value.array
    if kind is bool:
        return host_number(trace, condition(trace, value))
    if isinstance(value, ArrayValue):
        if value.shape:
            raise unsupported_in_region(f"{kind.__name__} of an array")
        node = value.read(trace)
        if node.type.dtype is dtypes.uint64:
            raise unsupported_in_region("a Python int of a uint64")
        wide = dtypes.float64 if node.type.dtype.is_float else dtypes.int64
        value = host_number(trace, cast(trace, node, wide))
    if not is_python_number(value):
        raise unsupported_in_region(f"{kind.__name__} of something that is no number")
    if value.python_type is kind:
        return value
    if kind is float:
        return host_number(trace, as_float(trace, region, value))
    if value.python_type is bool:
        return host_number(trace, as_int(trace, region, value), (0, 1))
    return _whole(trace, region, trace.add(p.TRUNC, number_node(trace, value)))


def _whole(trace: Trace, region: Region, node: Node) -> Value:
    """A float64 without a fraction as a Python int; the region is left for what int64 does not hold, and for NaN."""
    limit = constant_node(trace, 2.0**62, (), dtypes.float64)
    fits = trace.add(p.LESS, trace.add(p.ABSOLUTE, node), limit)
    region.leave_if(trace.add(p.INVERT, fits))
    return host_number(trace, cast(trace, node, dtypes.int64), (-(2**62), 2**62))


def of_math(function: Any) -> Callable[[Trace, list[Value]], Value] | None:
    """The way in which a region computes a function of `math`, or `round` to a whole number; None where it does not."""
    if function in _ROUNDINGS:
        return lambda trace, values: _rounded(trace, function, values)
    if function in _FLOATS:
        return lambda trace, values: _of_floats(trace, function, values)
    return None


def _rounded(trace: Trace, function: Any, values: list[Value]) -> Value:
    region, op = trace.region, _ROUNDINGS[function]
    assert region is not None
    if len(values) != 1:
        raise unsupported_in_region("rounding to so many digits")
    (value,) = values
    if (
        isinstance(value, PythonOrNumpyNumber)
        or isinstance(value, ArrayValue)
        and not _gives_an_int(function, value.dtype)
    ):
        raise unsupported_in_region(f"{function.__name__} of such a NumPy number")
    if is_python_number(value) and value.python_type is not float:
        return converted(trace, int, value)
    return _whole(trace, region, trace.add(op, _float(trace, region, value)))


@cache
def _gives_an_int(function: Any, dtype: DType) -> bool:
    """Whether a function rounds NumPy's numbers of this dtype; some have no method for it."""
    try:
        return type(function(dtype.numpy.type(1))) is int
    except TypeError:
        return False


def _float(trace: Trace, region: Region, value: Value) -> Node:
    made = converted(trace, float, value) if is_symbolic(trace, value) else value
    return _own(trace, as_float(trace, region, made))


def _of_floats(trace: Trace, function: Any, values: list[Value]) -> Value:
    region = trace.region
    assert region is not None
    op, refuse = _FLOATS[function]
    if len(values) != (2 if function in _OF_TWO else 1):
        raise unsupported_in_region(f"math.{function.__name__} of so many numbers")
    nodes = [_float(trace, region, each) for each in values]
    if refuse is not None:
        region.leave_if(refuse(trace, nodes[0]))
    made = trace.add(op, *nodes)
    if function in _OVERFLOWING:
        region.leave_if(trace.add(p.INVERT, trace.add(p.ISFINITE, made)))
    return host_number(trace, made)


def _negative(trace: Trace, node: Node) -> Node:
    return trace.add(p.LESS, node, constant_node(trace, 0.0, (), dtypes.float64))


def _not_positive(trace: Trace, node: Node) -> Node:
    return trace.add(p.LESS_EQUAL, node, constant_node(trace, 0.0, (), dtypes.float64))


def _beyond_one(trace: Trace, node: Node) -> Node:
    return trace.add(p.LESS, constant_node(trace, 1.0, (), dtypes.float64), _own(trace, trace.add(p.ABSOLUTE, node)))


def _not_above_minus_one(trace: Trace, node: Node) -> Node:
    return trace.add(p.LESS_EQUAL, node, constant_node(trace, -1.0, (), dtypes.float64))


def _infinite(trace: Trace, node: Node) -> Node:
    return trace.add(p.ISINF, node)


_ROUNDINGS: dict[Any, OpDef] = {math.floor: p.FLOOR, math.ceil: p.CEIL, math.trunc: p.TRUNC, round: p.RINT}
_FLOATS: dict[Any, tuple[OpDef, Callable[[Any, Node], Node] | None]] = {
    math.sqrt: (p.SQRT, _negative),
    math.fabs: (p.ABSOLUTE, None),
    math.exp: (p.EXP, None),
    math.log: (p.LOG, _not_positive),
    math.log2: (p.LOG2, _not_positive),
    math.log10: (p.LOG10, _not_positive),
    math.sin: (p.SIN, _infinite),
    math.cos: (p.COS, _infinite),
    math.tan: (p.TAN, _infinite),
    math.tanh: (p.TANH, None),
    math.atan: (p.ARCTAN, None),
    math.atan2: (p.ARCTAN2, None),
    math.copysign: (p.COPYSIGN, None),
    math.asin: (p.ARCSIN, _beyond_one),
    math.acos: (p.ARCCOS, _beyond_one),
    math.sinh: (p.SINH, None),
    math.cosh: (p.COSH, None),
    math.expm1: (p.EXPM1, None),
    math.log1p: (p.LOG1P, _not_above_minus_one),
    math.isnan: (p.ISNAN, None),
    math.isinf: (p.ISINF, None),
    math.isfinite: (p.ISFINITE, None),
}
"""Functions of floats: the op, and where Python raises ValueError."""
_OF_TWO = (math.atan2, math.copysign)
_OVERFLOWING = (math.exp, math.expm1, math.sinh, math.cosh)
"""The functions that raise where the result is too large."""
