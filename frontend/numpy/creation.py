"""New arrays: constants, ramps, copies, and Python sequences made into arrays."""

from __future__ import annotations

import functools
import inspect
import math
import operator
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core import dtypes
from ...core.sizes import Size, count_of, hinted, is_symbolic, is_whole
from ...ops.creation import ARANGE
from ...ops.indexing import CAT
from ...ops.pointwise import ADD, MULTIPLY
from ..breaks import NUMPY_ARGUMENT, RAISES
from ..tracing.nodes import cast, constant_node, ramp
from ..tracing.numpy_versions import NUMPY
from ..tracing.rules import Rule, asked, traces
from ..values.arrays.array import ArrayValue, result
from ..values.arrays.tables import array_if_table
from ..values.arrays.view_steps import Ints, reshape
from ..values.base import Value
from ..values.constant import FALSE, NONE, TRUE, Constant, is_none
from ..values.containers.sequences import Sequence
from ..values.numbers.symbolic_int import size_of
from .memory_order import copied_order, strides_in_order
from .ufuncs import as_operand, fits, operand_node, promotion_type, supported

if TYPE_CHECKING:
    from ..tracing.trace import Trace

C = Constant("C")
K = Constant("K")
ZERO = Constant(0)
_SHORT_NAME = re.compile(r"[<>=|]?[biufc][1-9]\d?|\?")


def on_host(rule: Rule) -> Rule:
    """The rule of a function, which takes `device` as well: "cpu" or None."""

    @functools.wraps(rule)
    def with_device(trace: Trace, *args: Value, device: Value = NONE, **kwargs: Value) -> Value:
        named = device.constant(trace)
        if named not in (None, "cpu"):
            raise RAISES.stop(error=f'ValueError: Device not understood. Only "cpu" is allowed, but received: {named}')
        return rule(trace, *args, **kwargs)

    known = inspect.signature(rule)
    added = inspect.Parameter("device", inspect.Parameter.KEYWORD_ONLY, default=NONE)
    with_device.__signature__ = known.replace(  # type: ignore[attr-defined]
        parameters=[*known.parameters.values(), added]
    )
    return with_device


def shape_of(trace: Trace, value: Value) -> Ints:
    """A shape argument: an int or a sequence of ints."""
    given = size_of(trace, value)
    entries = given if isinstance(given, (tuple, list)) else (given,)
    shape: Any = tuple(each if isinstance(each, Size) else asked(operator.index, each) for each in entries)
    if any(size < 0 for size in shape):
        raise ValueError("negative dimensions are not allowed")
    return shape  # type: ignore[no-any-return]


def dtype_of(trace: Trace, value: Value, default: Any) -> dtypes.DType:
    """A dtype argument, `default` for None."""
    given = value.constant(trace)
    if isinstance(given, str) and given not in np.sctypeDict and not _SHORT_NAME.fullmatch(given):
        raise NUMPY_ARGUMENT.stop(name="a dtype", argument=f"the name {given!r}")  # NumPy may warn of it
    return supported(asked(np.dtype, default if given is None else given))


def order_strides(trace: Trace, order: Value, shape: Ints, like: ArrayValue | None = None) -> Ints:
    """Strides of a new array for an `order` argument. Errors: a break for an unknown one."""
    given = order.constant(trace)
    rank = len(shape)
    if like is not None and given in ("K", "A", None):
        if given == "K" or given is None:
            return copied_order(shape, like.fake)
        given = "F" if like.fake.flags.f_contiguous and not like.fake.flags.c_contiguous else "C"
    if given == "F":
        return strides_in_order(shape, range(rank))
    if given in ("C", None):
        return strides_in_order(shape, range(rank - 1, -1, -1))
    raise NUMPY_ARGUMENT.stop(name="an array constructor", argument=f"order={given!r}")


def filled(trace: Trace, shape: Ints, value: Value, dtype: dtypes.DType, strides: Ints | None = None) -> ArrayValue:
    """A new array with one value everywhere, or an array broadcast to its shape."""
    operand = as_operand(trace, value)
    if dtype.is_integer and operand.python_type is float:
        raise NUMPY_ARGUMENT.stop(name="an array constructor", argument=f"a float to fill an array of {dtype}")
    if dtype.is_integer and isinstance(operand, Constant) and not NUMPY.full_checks_range:
        if type(operand.value) is int and not _holds(dtype, operand.value):
            raise NUMPY_ARGUMENT.stop(name="an array constructor", argument=f"a number beyond the range of {dtype}")
    if isinstance(operand, ArrayValue) and not fits(operand.shape, shape):
        raise RAISES.stop(error="ValueError: could not broadcast the fill value")
    return result(trace, operand_node(trace, operand, dtype, shape), strides)


@traces(np.zeros, np.empty)
@on_host
def zeros(trace: Trace, shape: Value, dtype: Value = NONE, order: Value = C) -> Value:
    sizes = shape_of(trace, shape)
    return filled(trace, sizes, Constant(0), dtype_of(trace, dtype, float), order_strides(trace, order, sizes))


@traces(np.ndarray)
def ndarray(trace: Trace, shape: Value, dtype: Value = NONE, *, order: Value = C) -> Value:
    return zeros(trace, shape, dtype, order)


@traces(np.ones)
@on_host
def ones(trace: Trace, shape: Value, dtype: Value = NONE, order: Value = C) -> Value:
    sizes = shape_of(trace, shape)
    return filled(trace, sizes, Constant(1), dtype_of(trace, dtype, float), order_strides(trace, order, sizes))


@traces(np.full)
@on_host
def full(trace: Trace, shape: Value, fill_value: Value, dtype: Value = NONE, order: Value = C) -> Value:
    sizes = shape_of(trace, shape)
    kind = promotion_type(as_operand(trace, fill_value))
    return filled(trace, sizes, fill_value, dtype_of(trace, dtype, kind), order_strides(trace, order, sizes))


def _like(trace: Trace, prototype: Value, value: Value, dtype: Value, order: Value, shape: Value) -> Value:
    model = as_operand(trace, prototype)
    if not isinstance(model, ArrayValue):
        raise NUMPY_ARGUMENT.stop(name="a *_like function", argument="a prototype that is not an array")
    given = shape.constant(trace)
    sizes = model.shape if given is None else shape_of(trace, shape)
    strides = order_strides(trace, order, sizes, model if sizes == model.shape else None)
    return filled(trace, sizes, value, dtype_of(trace, dtype, model.fake.dtype), strides)


@traces(np.zeros_like, np.empty_like)
@on_host
def zeros_like(trace: Trace, a: Value, dtype: Value = NONE, order: Value = K, *, shape: Value = NONE) -> Value:
    return _like(trace, a, Constant(0), dtype, order, shape)


@traces(np.ones_like)
@on_host
def ones_like(trace: Trace, a: Value, dtype: Value = NONE, order: Value = K, *, shape: Value = NONE) -> Value:
    return _like(trace, a, Constant(1), dtype, order, shape)


@traces(np.full_like)
@on_host
def full_like(
    trace: Trace, a: Value, fill_value: Value, dtype: Value = NONE, order: Value = K, *, shape: Value = NONE
) -> Value:
    return _like(trace, a, fill_value, dtype, order, shape)


@traces(np.arange)
@on_host
def arange(trace: Trace, start: Value, stop: Value = NONE, step: Value = NONE, dtype: Value = NONE) -> Value:
    first, last, delta = (size_of(trace, each) for each in (start, stop, step))
    if last is None:
        first, last = 0, first
    delta = 1 if delta is None else delta
    if not (is_symbolic((first, last)) and is_whole(first) and is_whole(last) and type(delta) is int):
        first, last, delta = (int(each) if isinstance(each, Size) else each for each in (first, last, delta))
    if any(type(each) not in (int, float, Size) for each in (first, last, delta)):
        raise NUMPY_ARGUMENT.stop(name="np.arange", argument="bounds that are not Python numbers")
    kind = dtype_of(trace, dtype, np.result_type(*hinted((first, last, delta))))
    size = _length(first, last, delta)
    if kind.is_bool or (kind.is_integer and not all(_holds(kind, each) for each in (first, delta, first + delta))):
        raise NUMPY_ARGUMENT.stop(name="np.arange", argument=f"dtype={kind}")
    if kind.is_half:
        return _half_ramp(trace, *(int(each) if isinstance(each, Size) else each for each in (first, last, delta)))
    return result(trace, ramp(trace, start=first, step=delta, size=size, dtype=kind))


def _half_ramp(trace: Trace, first: float, last: float, delta: float) -> Value:
    """A ramp of float16, which NumPy continues in float32 from its first two numbers."""
    with np.errstate(all="ignore"):
        plain = np.arange(first, last, delta, dtype=np.float16)
        start, second = np.float32(np.float16(first)), np.float32(np.float16(first + delta))
        step, count = second - start, plain.size
        same = np.array_equal((np.arange(count, dtype=np.float32) * step + start).astype(np.float16), plain)
    if not same:
        raise NUMPY_ARGUMENT.stop(name="np.arange", argument="bounds that float16 does not hold")
    node = trace.add(ARANGE, start=0.0, step=1.0, size=count, dtype=dtypes.float32)
    for op, value in ((MULTIPLY, step), (ADD, start)):
        node = trace.add(op, node, constant_node(trace, value, (count,), dtypes.float32))
    return result(trace, cast(trace, node, dtypes.float16))


def _length(first: Any, last: Any, delta: Any) -> int:
    """The number of elements of NumPy's arange. Source: _arange_safe_ceil_to_intp in NumPy's multiarray/ctors.c."""
    if not delta:
        raise ZeroDivisionError("division by zero")
    if is_symbolic((first, last)):
        return count_of(first, last, delta)
    size = (last - first) / delta
    if not np.isfinite(size) or size > 2**48:
        raise NUMPY_ARGUMENT.stop(name="np.arange", argument=f"{size} elements")
    return max(0, math.ceil(size))


def _holds(kind: dtypes.DType, value: float) -> bool:
    info = np.iinfo(kind.numpy)
    return is_whole(value) and info.min <= value <= info.max


@traces(np.copy)
def copy(trace: Trace, a: Value, order: Value = K) -> Value:
    array = as_operand(trace, a)
    if not isinstance(array, ArrayValue):
        return as_array(trace, array, NONE)
    return result(trace, array.read(trace), order_strides(trace, order, array.shape, array))


_COPY_MODES = {np._CopyMode.ALWAYS: True, np._CopyMode.IF_NEEDED: None, np._CopyMode.NEVER: False}


@traces(np.array)
def array(
    trace: Trace,
    object: Value,  # noqa: A002
    dtype: Value = NONE,
    *,
    copy: Value = TRUE,
    order: Value = K,
    subok: Value = FALSE,
    ndmin: Value = ZERO,
) -> Value:
    copied, layout = copy.constant(trace), order.constant(trace)
    copied = _COPY_MODES.get(copied, copied) if isinstance(copied, np._CopyMode) else copied
    layout = "K" if layout is None else layout
    if layout not in ("K", "C", "F") or (copied is not True and layout != "K"):
        raise NUMPY_ARGUMENT.stop(name="np.array", argument="an unknown order, or one that may need no copy")
    subok.constant(trace)  # arrays of subclasses have no form here
    given = array_if_table(trace, object)
    made = as_array(trace, given, dtype)
    if copied not in (True, None) and made is not object:
        raise NUMPY_ARGUMENT.stop(name="np.array", argument="`copy=False` where there has to be a copy")
    if (made is given and copied) or layout != "K":
        made = result(trace, made.read(trace), order_strides(trace, order, made.shape, made))
    return _with_axes(trace, made, ndmin.constant(trace))


def _with_axes(trace: Trace, array: ArrayValue, least: int) -> ArrayValue:
    """The array with so many axes at least, new ones of size 1 first."""
    from .shaping import reshaped

    missing = least - len(array.shape)
    return reshaped(trace, array, (1,) * missing + array.shape) if missing > 0 else array


@traces(np.asarray, *[np.asanyarray] * NUMPY.asanyarray_takes_copy)
@on_host
def asarray(trace: Trace, a: Value, dtype: Value = NONE, order: Value = NONE, *, copy: Value = NONE) -> Value:
    if not is_none(copy):
        return array(trace, a, dtype, copy=copy, order=order)
    made = as_array(trace, array_if_table(trace, a), dtype)
    wanted, flags = order.constant(trace), made.fake.flags
    if wanted in (None, "K") or (wanted == "C" and flags.c_contiguous) or (wanted == "F" and flags.f_contiguous):
        return made
    raise NUMPY_ARGUMENT.stop(name="np.asarray", argument=f"order={wanted!r} of an array that lies otherwise")


if not NUMPY.asanyarray_takes_copy:

    @traces(np.asanyarray)
    def asanyarray(trace: Trace, a: Value, dtype: Value = NONE, order: Value = NONE) -> Value:
        return asarray(trace, a, dtype, order)


@traces(np.ascontiguousarray)
def ascontiguousarray(trace: Trace, a: Value, dtype: Value = NONE) -> Value:
    made = as_array(trace, array_if_table(trace, a), dtype)
    if not made.shape:
        return _with_axes(trace, made, 1)
    return made if made.fake.flags.c_contiguous else result(trace, made.read(trace))


def as_array(trace: Trace, value: Value, dtype: Value) -> ArrayValue:
    """`np.asarray(value, dtype)`: the array itself when nothing has to change."""
    if isinstance(value, Sequence):
        return array_of(trace, value, None if dtype.constant(trace) is None else dtype_of(trace, dtype, float))
    operand = as_operand(trace, value)
    kind = promotion_type(operand)
    wanted = dtype_of(trace, dtype, kind)
    if isinstance(operand, ArrayValue) and not operand.is_numpy_scalar:
        if operand.dtype is wanted:
            return operand
        return result(trace, cast(trace, operand.read(trace), wanted), copied_order(operand.shape, operand.fake))
    if kind is int and wanted is dtypes.int64 and not _is_int64(operand):
        raise NUMPY_ARGUMENT.stop(name="np.array", argument="an integer beyond int64")
    if wanted.is_integer and kind is float:
        raise NUMPY_ARGUMENT.stop(name="np.array", argument=f"a float to be stored as {wanted}")
    return result(trace, operand_node(trace, operand, wanted, ()))


def _is_int64(number: Value) -> bool:
    value = number.value if isinstance(number, Constant) else getattr(number, "example", 0)
    return -(2**63) <= value < 2**63


def array_of(trace: Trace, sequence: Sequence, dtype: dtypes.DType | None = None) -> ArrayValue:
    """A (nested) sequence of numbers and arrays as a new array, of this dtype if one is given."""
    parts = [
        array_of(trace, each, dtype) if isinstance(each, Sequence) else as_operand(trace, each)
        for each in sequence.items
    ]
    if not parts:
        return result(trace, constant_node(trace, 0, (0,), dtype or dtypes.float64))
    kinds = [promotion_type(each) for each in parts]
    if dtype is None and any(kind is int and not _is_int64(part) for kind, part in zip(kinds, parts, strict=True)):
        raise NUMPY_ARGUMENT.stop(name="an array", argument="an integer beyond int64")
    if dtype is not None and dtype.is_integer and any(map(is_float_number, parts)):
        raise NUMPY_ARGUMENT.stop(name="an array", argument=f"a float to be stored as {dtype}")
    if dtype is not None and any(is_wider_number(each, dtype) for each in parts):
        raise NUMPY_ARGUMENT.stop(name="an array", argument=f"an integer to be stored as {dtype}")
    # In a sequence Python numbers count as arrays of their own dtype.
    strong = [np.dtype(kind) if kind in (int, float) else kind for kind in kinds]
    wanted = dtype or supported(np.result_type(*strong))
    shapes = {each.shape if isinstance(each, ArrayValue) else () for each in parts}
    if len(shapes) != 1:
        raise RAISES.stop(error="ValueError: the sequence has an inhomogeneous shape")
    shape = shapes.pop()
    nodes = [reshape(trace, operand_node(trace, each, wanted, shape), (1, *shape)) for each in parts]
    return result(trace, trace.add(CAT, *nodes, axis=0) if len(nodes) > 1 else nodes[0])


def is_wider_number(value: Value, dtype: dtypes.DType) -> bool:
    """Whether a value is a NumPy integer that may not fit the dtype it is to be stored as: NumPy raises then."""
    return (
        isinstance(value, ArrayValue)
        and value.is_numpy_scalar
        and value.dtype.is_integer
        and dtype.is_integer
        and not np.can_cast(value.dtype.numpy, dtype.numpy)
    )


def is_float_number(value: Value) -> bool:
    """Whether a value is one float, Python's or NumPy's: to store it as an integer, NumPy converts and checks it."""
    return (
        value.python_type is float or isinstance(value, ArrayValue) and value.is_numpy_scalar and value.dtype.is_float
    )
