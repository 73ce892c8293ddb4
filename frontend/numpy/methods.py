"""Attributes and methods of arrays and NumPy scalars."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ...core import dtypes
from ...guards.sources import ConstantSource
from ..breaks import ARRAY_VALUE, NUMPY_ARGUMENT, RAISES, UNKNOWN_CALL, ProgramRaised
from ..regions.numbers.arithmetic import KINDS
from ..tracing import complex_numbers
from ..tracing.nodes import cast
from ..tracing.rules import checked_call, fitting, numpy_errors, with_other
from ..values.arrays.array import ArrayValue, result
from ..values.arrays.bit_views import bits_as, seen_as
from ..values.arrays.view_steps import PartStep, SliceStep
from ..values.arrays.view_steps import reshape as to_shape
from ..values.base import Value, wrap
from ..values.constant import NONE, TRUE, Constant, is_none
from ..values.containers.element_protocol import constant_value
from ..values.containers.sequences import TupleValue
from ..values.numbers.computed import ComputedNumber
from ..values.objects.builtin_methods import BuiltinMethod
from . import (
    clipping,
    creation,
    element_iterators,
    indexing,
    joining,
    linear,
    reductions,
    selection,
    shaping,
    structured,
    unsupported,
    views,
)
from .callouts import names
from .creation import C, dtype_of, order_strides
from .ufuncs import call_ufunc

if TYPE_CHECKING:
    from ..tracing.trace import Trace

UNSAFE = Constant("unsafe")
Attribute = Callable[["Trace", ArrayValue], Value]


def _part(name: str) -> Attribute:
    """The rule for `real` or `imag`: a view of the numbers' parts; of real numbers themselves, or zeros."""

    def rule(trace: Trace, array: ArrayValue) -> Value:
        if not array.dtype.is_complex:
            if name == "imag":
                return views.zeros_seen(trace, array)
            return array
        if array.is_numpy_scalar:
            node = complex_numbers.parts(trace, array.read(trace))[name == "imag"]
            return result(trace, node, is_numpy_scalar=True)
        return array.view(PartStep(name, array), getattr(array.fake, name))

    return rule


class ArrayFlags(Value):
    """The flags of an array that the call made, whose layout is known."""

    def __init__(self, array: ArrayValue) -> None:
        self.array = array

    @property
    def python_type(self) -> type:
        return type(np.empty(0).flags)

    def attribute(self, trace: Trace, name: str) -> Value:
        if name not in ("writeable", "c_contiguous", "f_contiguous") or self.array.storage.input is not None:
            raise self.array.unsupported(f"the attribute 'flags.{name}'")
        return Constant(bool(getattr(self.array.fake.flags, name)))


ATTRIBUTES: dict[str, Attribute] = {
    "shape": lambda trace, array: constant_value(array.shape),
    "ndim": lambda trace, array: Constant(len(array.shape)),
    "size": lambda trace, array: constant_value(array.type.size),
    "dtype": lambda trace, array: Constant(array.fake.dtype),
    "itemsize": lambda trace, array: Constant(array.fake.itemsize),
    "nbytes": lambda trace, array: constant_value(array.type.nbytes),
    "strides": lambda trace, array: constant_value(array.fake.strides),
    "T": lambda trace, array: shaping.transpose(trace, array),
    "mT": lambda trace, array: shaping.swapaxes(trace, array, Constant(-1), Constant(-2)),
    "real": _part("real"),
    "imag": _part("imag"),
    "flat": element_iterators.flat,
    "device": lambda trace, array: Constant("cpu"),
    "flags": lambda trace, array: ArrayFlags(array),
}


def astype(
    trace: Trace,
    array: ArrayValue,
    dtype: Value,
    order: Value = creation.K,
    casting: Value = UNSAFE,
    *,
    copy: Value = TRUE,
) -> Value:
    wanted = dtype_of(trace, dtype, float)
    if not np.can_cast(array.fake.dtype, wanted.numpy, casting.constant(trace)):
        raise RAISES.stop(error=f"TypeError: cannot cast from {array.dtype} to {wanted} by this rule")
    if array.is_numpy_scalar and array.dtype is wanted and not copy.constant(trace):
        return array
    if array.is_numpy_scalar:
        return result(trace, cast(trace, array.read(trace), wanted), is_numpy_scalar=True)
    if not copy.constant(trace) and array.dtype is wanted:
        if order.constant(trace) != "K":
            raise NUMPY_ARGUMENT.stop(name="astype", argument="an order together with copy=False")
        return array
    node = cast(trace, array.read(trace), wanted)
    return result(trace, node, order_strides(trace, order, array.shape, array), is_numpy_scalar=array.is_numpy_scalar)


def copy(trace: Trace, array: ArrayValue, order: Value = C) -> Value:
    if array.is_numpy_scalar:
        return result(trace, array.read(trace), is_numpy_scalar=True)
    return result(trace, array.read(trace), order_strides(trace, order, array.shape, array))


def fill(trace: Trace, array: ArrayValue, value: Value) -> Value:
    if array.is_numpy_scalar:
        raise array.unsupported("the method fill")
    indexing.set_item(trace, array, Constant(Ellipsis), value)
    return NONE


def reshape(trace: Trace, array: ArrayValue, *shape: Value, order: Value = C, copy: Value = NONE) -> Value:
    if not shape:
        raise RAISES.stop(error="TypeError: reshape() takes exactly 1 argument (0 given)")
    given = shape[0] if len(shape) == 1 else TupleValue(list(shape))
    return shaping.np_reshape(trace, array, given, order, copy=copy)


def to_device(trace: Trace, array: ArrayValue, device: Value, /, *, stream: Value = NONE) -> Value:
    """The array itself: there is but one device."""
    if device.constant(trace) != "cpu" or not is_none(stream) or array.is_numpy_scalar:
        raise RAISES.stop(error="ValueError: unsupported device or stream")
    return array


def transpose(trace: Trace, array: ArrayValue, *axes: Value) -> Value:
    if not axes:
        return shaping.transpose(trace, array)
    return shaping.transpose(trace, array, axes[0] if len(axes) == 1 else TupleValue(list(axes)))


def conjugate(trace: Trace, array: ArrayValue) -> Value:
    """The conjugate numbers; of real ones the array itself."""
    return call_ufunc(trace, np.conjugate, [array]) if array.dtype.is_complex else array


def view(trace: Trace, array: ArrayValue, dtype: Value | None = None) -> Value:
    """The memory seen as elements of another dtype; with no argument, or the class of arrays, as what they are."""
    if dtype is None or dtype.python_type is type and dtype.constant(trace) is np.ndarray:
        if array.is_numpy_scalar:
            raise array.unsupported("the method view")
        return array.view(SliceStep.whole(array.shape), array.fake.view())
    if is_none(dtype):
        raise NUMPY_ARGUMENT.stop(name="the method view", argument="dtype=None")
    wanted = dtype_of(trace, dtype, float)
    if not array.is_numpy_scalar:
        return seen_as(array, wanted)
    if array.dtype.is_complex or wanted.itemsize != array.dtype.itemsize:
        raise NUMPY_ARGUMENT.stop(name="the method view", argument=f"{wanted}, of a number of dtype {array.dtype}")
    return result(trace, bits_as(trace, array.read(trace), wanted), is_numpy_scalar=True)


def swapaxes(trace: Trace, array: ArrayValue, axis1: Value, axis2: Value) -> Value:
    return shaping.swapaxes(trace, array, axis1, axis2)


def squeeze(trace: Trace, array: ArrayValue, axis: Value = NONE) -> Value:
    return shaping.squeeze(trace, array, axis)


def item(trace: Trace, array: ArrayValue, *index: Value) -> Value:
    """One element as a Python number; it is made after the plan has run."""
    picked: Value = array
    if len(index) == 1 and index[0].python_type is not tuple:
        picked = indexing.get_item(trace, shaping.reshaped(trace, array, (-1,)), index[0])
    elif index:
        picked = indexing.get_item(trace, array, TupleValue(list(index)))
    if not isinstance(picked, ArrayValue) or picked.type.size != 1:
        raise ARRAY_VALUE.stop(wanted="number")
    return host_number(trace, picked)


def host_number(trace: Trace, array: ArrayValue) -> ComputedNumber:
    """The Python number that is the only element of `array`."""
    dtype = array.dtype if array.dtype is dtypes.uint64 else KINDS[array.fake.dtype.type(0).item().__class__]
    return ComputedNumber(
        result(trace, cast(trace, to_shape(trace, array.read(trace), ()), dtype), is_numpy_scalar=True)
    )


def array_namespace(trace: Trace, array: ArrayValue, *, api_version: Value = NONE) -> Value:
    """`array.__array_namespace__(api_version=...)`: NumPy itself."""
    with numpy_errors():
        module = array.fake.__array_namespace__(api_version=api_version.constant(trace))
    return wrap(trace, module, ConstantSource(module, "numpy"))


METHODS: dict[str, Callable[..., Value]] = {
    "__array_namespace__": array_namespace,
    "astype": astype,
    "copy": copy,
    "fill": fill,
    "flatten": shaping.flatten,
    "item": item,
    "reshape": reshape,
    "to_device": to_device,
    "transpose": transpose,
    "ravel": shaping.ravel,
    "squeeze": squeeze,
    "swapaxes": swapaxes,
    "diagonal": views.diagonal,
    "tolist": views.tolist,
    "view": view,
    "repeat": joining.repeat,
    "trace": structured.trace_of,
    "conj": conjugate,
    "conjugate": conjugate,
    "clip": clipping.clip,
    "round": clipping.round_,
    "dot": linear.dot,
    "take": selection.take,
    "nonzero": selection.nonzero,
    "compress": lambda trace, array, condition, axis=NONE, out=NONE: selection.compress(
        trace, condition, array, axis, out
    ),
    "sum": reductions.sum,
    "prod": reductions.prod,
    "mean": reductions.mean,
    "std": reductions.std,
    "var": reductions.var,
    "max": reductions.max,
    "min": reductions.min,
    "any": reductions.any_,
    "all": reductions.all_,
    "argmax": reductions.argmax,
    "argmin": reductions.argmin,
    "ptp": reductions.ptp,
}


class ArrayMethod(BuiltinMethod):
    """A method of an array."""

    __slots__ = ()

    def describe(self) -> str:
        return f"ndarray.{self.name}"

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        own = METHODS.get(self.name)
        if own is not None:
            own = functools.partial(checked_call, f"ndarray.{self.name}", own)
        other = names.method(self.name) or unsupported.method(self.name)
        rule = with_other(own, other and fitting(self.describe(), other))
        if rule is None:
            raise UNKNOWN_CALL.stop(name=self.describe())
        return rule(trace, self.receiver, *args, **kwargs)


def attribute(trace: Trace, array: ArrayValue, name: str) -> Value:
    """`array.name`."""
    kind = array.python_type
    if not hasattr(kind, name):  # a NumPy scalar has no `__len__`, say
        raise ProgramRaised(AttributeError(f"'numpy.{kind.__name__}' object has no attribute {name!r}"))
    if name in ATTRIBUTES:
        with numpy_errors():
            return ATTRIBUTES[name](trace, array)
    if callable(getattr(kind, name)) and hasattr(np.ndarray, name):
        return ArrayMethod(array, name)
    raise array.unsupported(f"the attribute {name!r}")
