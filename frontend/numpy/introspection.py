"""Facts that NumPy tells of dtypes and shapes without looking at an element: shape, ndim, size, finfo, result_type."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ...guards.sources import ConstantSource
from ..breaks import NUMPY_ARGUMENT
from ..tracing.nodes import constant_node
from ..tracing.rules import Rule, asked, traces, traces_family
from ..values.arrays.array import ArrayValue, result
from ..values.base import Value
from ..values.constant import FALSE, NONE, TRUE, Constant
from ..values.containers.element_protocol import constant_value
from ..values.objects.objects import Instance
from .methods import attribute
from .shaping import array_operand
from .ufuncs import as_operand, call_ufunc, promotion_type, supported

if TYPE_CHECKING:
    from ..tracing.trace import Trace


@traces(np.shape)
def shape(trace: Trace, a: Value) -> Value:
    operand = as_operand(trace, a)
    return constant_value(operand.shape if isinstance(operand, ArrayValue) else ())


@traces(np.ndim)
def ndim(trace: Trace, a: Value) -> Value:
    operand = as_operand(trace, a)
    return Constant(len(operand.shape) if isinstance(operand, ArrayValue) else 0)


@traces(np.size)
def size(trace: Trace, a: Value, axis: Value = NONE) -> Value:
    operand, along = as_operand(trace, a), axis.constant(trace)
    if along is None:
        return constant_value(operand.type.size if isinstance(operand, ArrayValue) else 1)
    if not isinstance(operand, ArrayValue) or type(along) is not int:
        raise NUMPY_ARGUMENT.stop(name="np.size", argument="an axis of no array, or several axes")
    return constant_value(operand.shape[along])


@traces(np.isscalar)
def isscalar(trace: Trace, element: Value) -> Value:
    if isinstance(element, ArrayValue):
        return Constant(element.is_numpy_scalar)
    if isinstance(element, Constant) and not isinstance(element.value, (bool, int, float, str, bytes, type(None))):
        raise element.unsupported("np.isscalar")
    return Constant(element.python_type in (bool, int, float, complex, str, bytes))


@traces(np.iscomplexobj)
def iscomplexobj(trace: Trace, x: Value) -> Value:
    return TRUE if _is_complex(as_operand(trace, x)) else FALSE


@traces(np.isrealobj)
def isrealobj(trace: Trace, x: Value) -> Value:
    return FALSE if _is_complex(as_operand(trace, x)) else TRUE


def _is_complex(value: Value) -> bool:
    return value.dtype.is_complex if isinstance(value, ArrayValue) else value.python_type is complex


@traces(np.real)
def real(trace: Trace, val: Value) -> Value:
    return _part(trace, val, "real")


@traces(np.imag)
def imag(trace: Trace, val: Value) -> Value:
    return _part(trace, val, "imag")


@traces(np.angle)
def angle(trace: Trace, z: Value, deg: Value = FALSE) -> Value:
    operand = as_operand(trace, z)
    if deg.constant(trace) or not (isinstance(operand, ArrayValue) and operand.dtype.is_complex):
        raise NUMPY_ARGUMENT.stop(name="np.angle", argument="degrees, or numbers that are not complex")
    return call_ufunc(trace, np.arctan2, [attribute(trace, operand, "imag"), attribute(trace, operand, "real")])


def _part(trace: Trace, val: Value, name: str) -> Value:
    if not isinstance(val, ArrayValue) or val.is_numpy_scalar:
        raise val.unsupported(f"np.{name}")
    return attribute(trace, val, name)


@traces(np.result_type)
def result_type(trace: Trace, *arrays_and_dtypes: Value) -> Value:
    kinds = [_kind(trace, each) for each in arrays_and_dtypes]
    return Constant(np.result_type(*(kind(0) if isinstance(kind, type) else kind for kind in kinds)))


@traces(np.promote_types)
def promote_types(trace: Trace, type1: Value, type2: Value) -> Value:
    return Constant(asked(np.promote_types, type1.constant(trace), type2.constant(trace)))


@traces(np.can_cast)
def can_cast(trace: Trace, from_: Value, to: Value, casting: Value = Constant("safe")) -> Value:  # noqa: B008
    return Constant(asked(np.can_cast, _named(trace, from_), to.constant(trace), casting.constant(trace)))


@traces(np.isfortran)
def isfortran(trace: Trace, a: Value) -> Value:
    return Constant(bool(np.isfortran(array_operand(trace, a).fake)))


@traces(np.broadcast_shapes)
def broadcast_shapes(trace: Trace, *args: Value) -> Value:
    return constant_value(np.broadcast_shapes(*(each.constant(trace) for each in args)))


@traces(np.min_scalar_type)
def min_scalar_type(trace: Trace, a: Value) -> Value:
    if isinstance(a, ArrayValue) and not a.is_numpy_scalar and a.shape:
        return Constant(a.fake.dtype)
    return Constant(np.min_scalar_type(a.constant(trace)))


@traces(np.isdtype)
def isdtype(trace: Trace, dtype: Value, kind: Value) -> Value:
    return Constant(bool(np.isdtype(dtype.constant(trace), kind.constant(trace))))


@traces(np.common_type)
def common_type(trace: Trace, *arrays: Value) -> Value:
    return Constant(np.common_type(*(array_operand(trace, each).fake for each in arrays)))


@traces(np.issubdtype)
def issubdtype(trace: Trace, arg1: Value, arg2: Value) -> Value:
    return Constant(bool(np.issubdtype(arg1.constant(trace), arg2.constant(trace))))


@traces(np.dtype)
def dtype(trace: Trace, dtype: Value) -> Value:
    return Constant(_named(trace, dtype))


def _named(trace: Trace, dtype: Value) -> np.dtype[Any]:
    """The dtype that a value stands for. Errors: a break where NumPy knows none."""
    found: np.dtype[Any] = asked(np.dtype, dtype.constant(trace))
    return found


def _kind(trace: Trace, value: Value) -> Any:
    """The type that an argument of `result_type` counts as: a dtype, or the type of a Python number."""
    if isinstance(value, ArrayValue) or value.python_type in (bool, int, float):
        return promotion_type(value)
    return _named(trace, value)


class LimitsOfDtype(Value):
    """The limits of a dtype that `np.finfo` or `np.iinfo` gives."""

    __slots__ = ("info",)

    def __init__(self, info: Any) -> None:
        self.info = info

    @property
    def python_type(self) -> type:
        return type(self.info)

    def attribute(self, trace: Trace, name: str) -> Value:
        found = getattr(self.info, name)
        if isinstance(found, np.generic):
            return result(trace, constant_node(trace, found.item(), (), supported(found.dtype)), is_numpy_scalar=True)
        if type(found) not in (bool, int, float, str):
            raise self.unsupported(f"the attribute {name!r}")
        return Constant(found)


@traces(np.finfo)
def finfo(trace: Trace, dtype: Value) -> Value:
    return LimitsOfDtype(asked(np.finfo, _kind(trace, dtype)))


@traces(np.iinfo)
def iinfo(trace: Trace, type: Value) -> Value:  # noqa: A002
    return LimitsOfDtype(asked(np.iinfo, _kind(trace, type)))


@traces_family
def find_namespace_info(function: Any) -> Rule | None:
    """The rule for `__array_namespace_info__` of NumPy, and of what wraps it: a class whose objects hold nothing."""
    if type(function) is not type or vars(type)["__module__"].__get__(function) != "numpy":
        return None
    return partial(_namespace_info, function) if function.__name__ == "__array_namespace_info__" else None


def _namespace_info(cls: type, trace: Trace) -> Value:
    real = cls()
    return Instance(real, ConstantSource(real, "__array_namespace_info__()"))


@traces(np.may_share_memory, np.shares_memory)
def may_share_memory(trace: Trace, a: Value, b: Value) -> Value:
    if not isinstance(a, ArrayValue) or not isinstance(b, ArrayValue):
        raise NUMPY_ARGUMENT.stop(name="np.may_share_memory", argument="what is no array")
    if a is b and a.type.size:
        return TRUE
    if a.storage is not b.storage and None in (a.storage.input, b.storage.input):
        return FALSE
    raise NUMPY_ARGUMENT.stop(name="np.may_share_memory", argument="arrays that may be views of one")
