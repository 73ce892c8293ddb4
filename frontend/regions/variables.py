"""Variables of the user's function that change while a region runs: what they hold, and where branches meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...core.dtypes import DType
from ...graph.node import Node
from ..nodes import cast, constant_node
from ..values.array import ArrayValue, result
from ..values.base import Value
from ..values.constant import Constant
from ..values.host_number import INT64, Bounds, HostNumber
from .knowledge import Kind, refused
from .loose import Loose
from .numbers import KINDS, bounds_of, is_python_number, number_node

if TYPE_CHECKING:
    from ..trace import Trace


def kind_of(value: Value) -> Kind | None:
    """What a number is; None for anything else."""
    if isinstance(value, Loose):
        return Kind(None, value.array.dtype, loose=True)
    if is_python_number(value):
        return Kind(value.python_type, KINDS[value.python_type])
    if isinstance(value, ArrayValue) and value.generic:
        return Kind(None, value.dtype)
    return None


def joined(one: Kind, other: Kind) -> Kind | None:
    """The kind of a variable that holds now this, now that; None when no kind stands for both."""
    if one == other:
        return one
    numpy = [each for each in (one, other) if each.python is None]
    dtypes = {each.dtype for each in numpy}
    if len(dtypes) != 1 or any(each.python is bool for each in (one, other)):
        return None
    return Kind(None, dtypes.pop(), loose=True)


def as_kind(trace: Trace, value: Value, kind: Kind) -> Node:
    """The node of a value, as a variable of this kind holds it.

    Errors: a break where a Python number has no exact form in the dtype.
    """
    if isinstance(value, Loose):
        value = value.array
    if isinstance(value, ArrayValue):
        return value.read(trace)
    if kind.python is None and isinstance(value, Constant):
        if not is_exact(value.value, kind.dtype):
            raise refused("a variable that starts as a number which its later dtype does not hold")
        return constant_node(trace, value.value, (), kind.dtype)
    if kind.python is None and value.python_type is int:
        low, high = bounds_of(value)
        if low < -(2**24) or high > 2**24:
            raise refused("a variable that starts as an int and becomes a NumPy number")
    return cast(trace, number_node(trace, value), kind.dtype)


def is_exact(value: bool | int | float, dtype: DType) -> bool:
    """Whether a number of this dtype can be the very value; its sign if it is zero, too."""
    if dtype.is_integer:
        info = np.iinfo(dtype.numpy)
        return isinstance(value, int) and info.min <= value <= info.max
    if not dtype.is_float:
        return False
    try:
        there = dtype.numpy.type(float(value))
    except OverflowError:
        return False
    return bool(float(there) == value)


def of_kind(trace: Trace, node: Node, kind: Kind, bounds: Bounds = INT64) -> Value:
    """The traced value of a variable of this kind."""
    array = result(trace, node, generic=True)
    if kind.loose:
        return Loose(array)
    return array if kind.python is None else HostNumber(array, bounds)
