"""Elementwise limits and repairs: clip, round, nan_to_num, isclose, allclose, array_equal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...core import dtypes
from ...ops import pointwise as p
from ..breaks import NUMPY_ARGUMENT, RAISES
from ..python.operators import compare, operate
from ..tracing import half_floats
from ..tracing.nodes import constant_node
from ..tracing.numpy_versions import NUMPY
from ..tracing.rules import traces
from ..values.arrays.array import ArrayValue, result
from ..values.base import Value
from ..values.constant import FALSE, NONE, TRUE, Constant, is_none
from ..values.containers.sequences import TupleValue
from ..values.numbers.computed import ComputedNumber
from ..values.numbers.input_scalar import InputNumber, is_number
from .creation import as_array
from .indexing import get_item
from .memory_order import copied_order
from .reductions import all_
from .shaping import ZERO, array_operand
from .ufunc_table import CLIP, clip_to_numbers
from .ufuncs import as_operand, call_ufunc

if TYPE_CHECKING:
    from ..tracing.trace import Trace

ABSENT = Constant(np._NoValue)
RTOL, ATOL, ZERO_FLOAT = Constant(1e-05), Constant(1e-08), Constant(0.0)


@traces(np.clip)
def np_clip(
    trace: Trace,
    a: Value,
    a_min: Value = ABSENT,
    a_max: Value = ABSENT,
    out: Value = NONE,
    *,
    min: Value = ABSENT,
    max: Value = ABSENT,  # noqa: A002
) -> Value:
    named, older = (min, max), (a_min, a_max)
    if not NUMPY.clip_bounds_are_free and any(each is ABSENT for each in older):
        raise RAISES.stop(error="TypeError: np.clip needs both bounds")
    if all(each is ABSENT for each in older):
        older = (NONE if min is ABSENT else min, NONE if max is ABSENT else max)
    elif any(each is ABSENT for each in older) or any(each is not ABSENT for each in named):
        raise RAISES.stop(error="TypeError or ValueError: the bounds of np.clip are given in two ways, or in part")
    operand = as_operand(trace, a)
    array = operand if isinstance(operand, ArrayValue) else as_array(trace, operand, NONE)
    return clip(trace, array, *older, out)


def clip(trace: Trace, array: ArrayValue, min: Value = NONE, max: Value = NONE, out: Value = NONE) -> Value:  # noqa: A002
    low, high = _effective(trace, array, min, below=True), _effective(trace, array, max, below=False)
    if low is None and high is None:
        if not NUMPY.clip_bounds_are_free:
            raise RAISES.stop(error="ValueError: One of max or min must be given")
        return call_ufunc(trace, np.positive, [array], out=out)
    if low is None or high is None:
        ufunc, bound = (np.minimum, high) if low is None else (np.maximum, low)
        assert bound is not None
        return call_ufunc(trace, ufunc, [array, bound], out=out)
    by_numbers = NUMPY.clip_keeps_equal_numbers and _is_one_number(low) and _is_one_number(high)
    lowered = clip_to_numbers if by_numbers or array.dtype.is_half else None
    return call_ufunc(trace, CLIP, [array, low, high], out=out, lowered=lowered)


def _is_one_number(bound: Value) -> bool:
    """Whether NumPy's loop sees the same number at every step."""
    return (
        is_number(bound) or isinstance(bound, ComputedNumber) or isinstance(bound, ArrayValue) and bound.type.size == 1
    )


def _effective(trace: Trace, array: ArrayValue, bound: Value, *, below: bool) -> Value | None:
    """The bound, or None when it is absent or lies beyond what the integers of the array can hold."""
    if isinstance(bound, Constant) and bound.value is None:
        return None
    if not NUMPY.clip_bounds_are_free or not array.dtype.is_integer or bound.python_type is not int:
        return bound
    info = np.iinfo(array.fake.dtype)
    name, limit = ("<=", int(info.min)) if below else (">=", int(info.max))
    if isinstance(bound, InputNumber):
        return None if compare(trace, name, bound, Constant(limit)).truth(trace) else bound
    value = bound.constant(trace)
    return None if (value <= limit if below else value >= limit) else bound


@traces(np.round, np.around)
def round_(trace: Trace, a: Value, decimals: Value = ZERO, out: Value = NONE) -> Value:
    array, places = array_operand(trace, a), decimals.constant(trace)
    integers = array.dtype.is_integer and is_none(out)
    if places != 0 and not (integers and type(places) is int and places > 0):
        raise NUMPY_ARGUMENT.stop(name="np.round", argument="decimals other than 0")
    if integers and array.shape and not NUMPY.round_copies_integers:
        return array
    return call_ufunc(trace, np.positive if array.dtype.is_integer else np.rint, [array], out=out)


def fix(trace: Trace, x: Value, out: Value = NONE) -> Value:
    return call_ufunc(trace, np.trunc, [array_operand(trace, x)], out=out)


if not NUMPY.fix_is_deprecated:  # the warning is left to NumPy itself
    traces(np.fix)(fix)


@traces(np.isposinf)
def isposinf(trace: Trace, x: Value) -> Value:
    return _is_infinite(trace, x, float("inf"))


@traces(np.isneginf)
def isneginf(trace: Trace, x: Value) -> Value:
    return _is_infinite(trace, x, float("-inf"))


def _is_infinite(trace: Trace, x: Value, which: float) -> Value:
    array = array_operand(trace, x)
    if not array.dtype.is_float:
        raise NUMPY_ARGUMENT.stop(name="np.isposinf or np.isneginf", argument="an array of integers")
    return call_ufunc(trace, np.equal, [array, Constant(which)])


@traces(np.nan_to_num)
def nan_to_num(
    trace: Trace,
    x: Value,
    copy: Value = TRUE,
    nan: Value = ZERO_FLOAT,
    posinf: Value = NONE,
    neginf: Value = NONE,
) -> Value:
    array = array_operand(trace, x)
    if copy.constant(trace) is not True:
        raise NUMPY_ARGUMENT.stop(name="np.nan_to_num", argument="a `copy` that is not True")
    node, strides = array.read(trace), copied_order(array.shape, array.fake)
    if array.dtype.is_float:
        info = np.finfo(array.fake.dtype)
        largest, smallest = posinf.constant(trace), neginf.constant(trace)
        places: list[tuple[float, Any]] = [
            (float("inf"), float(info.max) if largest is None else largest),
            (float("-inf"), float(info.min) if smallest is None else smallest),
        ]
        kept, shape, dtype = half_floats.widened(trace, node), node.shape, array.dtype
        for place, value in places:
            found = trace.add(p.EQUAL, kept, constant_node(trace, place, shape, kept.type.dtype))
            node = trace.add(p.WHERE, found, constant_node(trace, _number(value), shape, dtype), node)
        node = trace.add(
            p.WHERE, trace.add(p.ISNAN, kept), constant_node(trace, _number(nan.constant(trace)), shape, dtype), node
        )
    return result(trace, node, strides, is_numpy_scalar=not array.shape)


def _number(value: Any) -> Any:
    if type(value) not in (bool, int, float):
        raise NUMPY_ARGUMENT.stop(name="np.nan_to_num", argument="a value that is not a Python number")
    return value


@traces(np.isclose)
def isclose(
    trace: Trace,
    a: Value,
    b: Value,
    rtol: Value = RTOL,
    atol: Value = ATOL,
    equal_nan: Value = FALSE,
) -> Value:
    for tolerance in (rtol, atol):
        if type(tolerance.constant(trace)) not in (int, float) or not np.isfinite(tolerance.constant(trace)):
            raise NUMPY_ARGUMENT.stop(name="np.isclose", argument="a tolerance that is not a finite Python number")
    x, y = as_operand(trace, a), as_operand(trace, b)
    if not isinstance(x, ArrayValue) or not isinstance(y, ArrayValue):
        x, y = (each if isinstance(each, ArrayValue) else _as_float(each, k) for k, each in enumerate((x, y)))
    if isinstance(y, ArrayValue) and not y.dtype.is_float:
        y = as_array(trace, y, Constant(np.result_type(y.fake.dtype, 1.0)))
    distance = call_ufunc(trace, np.absolute, [operate(trace, "-", x, y)])
    size = call_ufunc(trace, np.absolute, [y])
    near = compare(trace, "<=", distance, operate(trace, "+", atol, operate(trace, "*", rtol, size)))
    close = operate(
        trace, "|", operate(trace, "&", near, call_ufunc(trace, np.isfinite, [y])), compare(trace, "==", x, y)
    )
    if equal_nan.constant(trace):
        close = operate(
            trace, "|", close, operate(trace, "&", *(call_ufunc(trace, np.isnan, [each]) for each in (x, y)))
        )
    return get_item(trace, close, TupleValue([])) if isinstance(close, ArrayValue) else close  # NumPy's own last step


def _as_float(number: Value, place: int) -> Value:
    """A Python number as `isclose` takes it: the second one as a float."""
    if place == 0 or number.python_type is float:
        return number
    if isinstance(number, Constant) and number.python_type is int:
        return Constant(float(number.value))
    raise number.unsupported("np.isclose")


@traces(np.allclose)
def allclose(
    trace: Trace,
    a: Value,
    b: Value,
    rtol: Value = RTOL,
    atol: Value = ATOL,
    equal_nan: Value = FALSE,
) -> Value:
    return _python_bool(trace, isclose(trace, a, b, rtol, atol, equal_nan))


@traces(np.array_equal)
def array_equal(trace: Trace, a1: Value, a2: Value) -> Value:
    one, two = (as_array(trace, each, NONE) for each in (a1, a2))
    if one.shape != two.shape:
        return FALSE
    return _python_bool(trace, call_ufunc(trace, np.equal, [one, two]))


def _python_bool(trace: Trace, value: Value) -> Value:
    from .methods import host_number

    whole = all_(trace, value)
    assert isinstance(whole, ArrayValue) and whole.dtype is dtypes.bool_
    return host_number(trace, whole)
