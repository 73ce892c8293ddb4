"""Attributes and methods of arrays and NumPy scalars."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ...graph.node import Node
from ..breaks import ARRAY_VALUE, NUMPY_ARGUMENT, UNKNOWN_CALL
from ..values.array import ArrayValue, result
from ..values.base import Value
from ..values.constant import Constant
from ..values.containers import TupleValue, constant_value
from . import creation, indexing, linear, reductions, shaping
from .creation import C, NONE, dtype_of, order_strides
from .ufuncs import cast

if TYPE_CHECKING:
    from ..trace import Trace

Attribute = Callable[["Trace", ArrayValue], Value]


def _real(trace: Trace, array: ArrayValue) -> Value:
    return array


ATTRIBUTES: dict[str, Attribute] = {
    "shape": lambda trace, array: constant_value(array.shape),
    "ndim": lambda trace, array: Constant(len(array.shape)),
    "size": lambda trace, array: Constant(array.type.size),
    "dtype": lambda trace, array: Constant(array.twin.dtype),
    "itemsize": lambda trace, array: Constant(array.twin.itemsize),
    "nbytes": lambda trace, array: Constant(array.type.nbytes),
    "strides": lambda trace, array: constant_value(array.twin.strides),
    "T": lambda trace, array: shaping.transpose(trace, array),
    "mT": lambda trace, array: shaping.swapaxes(trace, array, Constant(-1), Constant(-2)),
    "real": _real,
}


def astype(trace: Trace, array: ArrayValue, dtype: Value, order: Value = creation.K, *, copy: Value = Constant(True)) -> Value:  # noqa: B008
    wanted = dtype_of(trace, dtype, float)
    if not copy.constant(trace) and array.dtype is wanted:
        return array
    node = cast(trace, array.read(trace), wanted)
    return result(trace, node, order_strides(trace, order, array.shape, array), generic=array.generic)


def copy(trace: Trace, array: ArrayValue, order: Value = C) -> Value:
    if array.generic:
        return result(trace, array.read(trace), generic=True)
    return result(trace, array.read(trace), order_strides(trace, order, array.shape, array))


def fill(trace: Trace, array: ArrayValue, value: Value) -> Value:
    indexing.set_item(trace, array, Constant(Ellipsis), value)
    return Constant(None)


def reshape(trace: Trace, array: ArrayValue, *shape: Value) -> Value:
    given = shape[0] if len(shape) == 1 else TupleValue(list(shape))
    return shaping.np_reshape(trace, array, given)


def transpose(trace: Trace, array: ArrayValue, *axes: Value) -> Value:
    if not axes:
        return shaping.transpose(trace, array)
    return shaping.transpose(trace, array, axes[0] if len(axes) == 1 else TupleValue(list(axes)))


def flatten(trace: Trace, array: ArrayValue, order: Value = C) -> Value:
    if order.constant(trace) != "C":
        raise NUMPY_ARGUMENT.stop(name="flatten", argument=f"order={order.constant(trace)!r}")
    flat = result(trace, array.read(trace))
    return result(trace, shaping.reshaped(trace, flat, (-1,)).read(trace))


def item(trace: Trace, array: ArrayValue, *index: Value) -> Value:
    """One element as a Python number; it is made after the plan has run."""
    picked: Value = array
    if index:
        picked = indexing.get_item(trace, array, TupleValue(list(index)))
    if not isinstance(picked, ArrayValue) or picked.type.size != 1:
        raise ARRAY_VALUE.stop(wanted="number")
    return HostNumber(trace, picked)


class HostNumber(Value):
    """A Python number that is the value of one array element. It can be returned and stored; arithmetic on it breaks."""

    __slots__ = ("array",)

    def __init__(self, trace: Trace, array: ArrayValue) -> None:
        node: Node = array.read(trace)
        self.array = result(trace, shaping.reshape(trace, node, ()), generic=True)

    @property
    def python_type(self) -> type:
        return type(np.zeros((), self.array.twin.dtype).item())

    def describe(self) -> str:
        return "the value of an array element"

    def truth(self, trace: Trace) -> bool:
        raise ARRAY_VALUE.stop(wanted="condition")

    def constant(self, trace: Trace) -> object:
        raise ARRAY_VALUE.stop(wanted="number")

    def rebuild(self, writer: object) -> str:
        return f"{writer.array(self.array)}.item()"  # type: ignore[attr-defined]


METHODS: dict[str, Callable[..., Value]] = {
    "astype": astype,
    "copy": copy,
    "fill": fill,
    "flatten": flatten,
    "item": item,
    "reshape": reshape,
    "transpose": transpose,
    "ravel": shaping.ravel,
    "squeeze": shaping.squeeze,
    "swapaxes": shaping.swapaxes,
    "clip": shaping.clip,
    "round": shaping.round_,
    "dot": linear.dot,
    "take": indexing.take,
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


class ArrayMethod(Value):
    """A method of an array, about to be called."""

    __slots__ = ("array", "name")

    def __init__(self, array: ArrayValue, name: str) -> None:
        self.array = array
        self.name = name

    @property
    def python_type(self) -> type:
        return type(np.zeros(1).sum)

    def describe(self) -> str:
        return f"ndarray.{self.name}"

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        from ..callables import checked_call

        if self.name not in METHODS:
            raise UNKNOWN_CALL.stop(name=self.describe())
        return checked_call(f"ndarray.{self.name}", METHODS[self.name], trace, self.array, *args, **kwargs)


def attribute(trace: Trace, array: ArrayValue, name: str) -> Value:
    """`array.name`."""
    if name in ATTRIBUTES:
        return ATTRIBUTES[name](trace, array)
    if hasattr(np.ndarray, name) and callable(getattr(np.ndarray, name)):
        return ArrayMethod(array, name)
    raise array.unsupported(f"the attribute {name!r}")
