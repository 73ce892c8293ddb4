"""Python's built-in functions and `math` over traced values."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.records import dataclass
from ..breaks import ARRAY_VALUE, UNKNOWN_CALL
from ..regions.numbers import functions
from ..regions.standalone import by_kernels, standalone_number
from ..tracing.rules import Rule, asked, traces, traces_family
from ..values import protocols
from ..values.arrays.array import ArrayValue, result
from ..values.base import Value
from ..values.constant import LITERALS, NONE, Constant, is_none
from ..values.containers.element_protocol import constant_value
from ..values.containers.ranges import SliceValue
from ..values.containers.sequences import ListValue, TupleValue
from ..values.numbers import input_scalar
from ..values.numbers.symbolic_int import SymInt, as_scalar, number
from ..values.objects.user_object import UserObject
from ..values.tensors.tensor import TensorValue
from ..values.text import pure
from . import dunder_operators
from .conversions import as_number, call_built_in
from .iteration import list_items, tuple_items
from .operators import compare, operate, truth

if TYPE_CHECKING:
    from ..tracing.trace import Trace


@traces(len)
def length(trace: Trace, value: Value, /) -> Value:
    return constant_value(value.length(trace))


@traces(tuple)
def tuple_(trace: Trace, iterable: Value | None = None, /) -> Value:
    if type(iterable) is TupleValue:
        return iterable
    return TupleValue([] if iterable is None else tuple_items(trace, iterable))


@traces(list)
def list_(trace: Trace, iterable: Value | None = None, /) -> Value:
    return ListValue([] if iterable is None else list_items(trace, iterable))


def _number(kind: type) -> Rule:
    def convert(trace: Trace, value: Value = Constant(0), /, base: Value | None = None) -> Value:  # noqa: B008
        computed = base is None and by_kernels(trace, value)
        if computed and trace.region is not None:
            return functions.converted(trace, kind, value)
        if base is not None and kind is int:
            return pure(int, [value.constant(trace), base.constant(trace)], {})
        if isinstance(value, ArrayValue):
            if value.type.size != 1 or (value.shape and not value.is_numpy_scalar):
                raise ARRAY_VALUE.stop(wanted=kind.__name__)
            known = value.outside_number(trace)
            if known is not None:
                if known.python_type is kind:
                    return known
                computed, value = False, known
            elif kind is value.fake.dtype.type(0).item().__class__:
                return protocols.host_number(trace, value)
        if computed:
            return standalone_number(trace, lambda: functions.converted(trace, kind, value))
        if isinstance(value, ArrayValue):
            raise ARRAY_VALUE.stop(wanted=kind.__name__)
        if isinstance(value, TensorValue):
            number = protocols.tensor_item(trace, value)
            if number.python_type is not kind:
                raise ARRAY_VALUE.stop(wanted=kind.__name__)
            return number
        if isinstance(value, UserObject) and kind is not bool:
            return as_number(trace, kind, value)
        if type(value) is SymInt and kind is int:
            return value
        if kind is bool:
            return Constant(truth(trace, value))
        value = as_scalar(trace, value)
        if isinstance(value, input_scalar.InputNumber):
            return input_scalar.apply(trace, kind, kind.__name__, [value])
        return pure(kind, [value.constant(trace)], {})

    return convert


for _kind in (float, int, bool):
    traces(_kind)(_number(_kind))


@traces(complex)
def complex_(trace: Trace, real: Value = Constant(0), imag: Value | None = None) -> Value:  # noqa: B008
    given = [real] if imag is None else [real, imag]
    if trace.region is not None and by_kernels(trace, *given):
        return functions.complex_of(trace, real, imag)
    return pure(complex, [each.constant(trace) for each in given], {})


@traces(abs)
def abs_(trace: Trace, value: Value, /) -> Value:
    if isinstance(value, ArrayValue):
        return protocols.call_ufunc(trace, np.absolute, [value])
    if by_kernels(trace, value):
        return standalone_number(trace, lambda: functions.absolute(trace, value))
    if isinstance(value, TensorValue):
        return value.attribute(trace, "abs").call(trace, [], {})
    if type(value) is SymInt:
        return number(abs(value.size))
    return _pure(abs)(trace, value)


@traces(slice)
def slice_(trace: Trace, *parts: Value) -> Value:
    given = asked(slice, *range(len(parts)))
    start, stop, step = (NONE if each is None else parts[each] for each in (given.start, given.stop, given.step))
    return SliceValue(start, stop, step)


@dataclass(frozen=True)
class Keywords:
    """A function whose last arguments are handed on by these names."""

    function: Callable[..., Any]
    names: tuple[str, ...]

    def __call__(self, *values: Any) -> Any:
        first = len(values) - len(self.names)
        return self.function(*values[:first], **dict(zip(self.names, values[first:], strict=True)))


@dataclass(frozen=True)
class NumberPart:
    """One of the numbers that a function gives as a tuple."""

    function: Callable[..., Any]
    index: int

    def __call__(self, *values: Any) -> Any:
        return self.function(*values)[self.index]


def _pure(function: Callable[..., Any]) -> Rule:
    """The rule of a pure function of Python numbers."""
    name = function.__name__

    def rule(trace: Trace, *args: Value, **kwargs: Value) -> Value:
        if args and isinstance(args[0], UserObject) and not kwargs:
            return call_built_in(trace, function, args[0], *args[1:])
        native = functions.of_math(function) if by_kernels(trace, *args) and not kwargs else None
        if native is not None:
            return standalone_number(trace, lambda: native(trace, list(args)))
        values = [as_scalar(trace, each) for each in (*args, *kwargs.values())]
        called = Keywords(function, tuple(kwargs)) if kwargs else function
        if any(isinstance(each, input_scalar.InputNumber) for each in values) and all(
            input_scalar.is_number(each) for each in values
        ):
            return _of_numbers(trace, called, name, values)
        if not all(isinstance(each, Constant) and type(each.value) in LITERALS for each in values):
            if any(isinstance(each, ArrayValue) for each in values):
                raise ARRAY_VALUE.stop(wanted=f"argument of {name}")
            raise UNKNOWN_CALL.stop(name=name)
        return constant_value(asked(called, *(each.constant(trace) for each in values)))

    return rule


def _of_numbers(trace: Trace, function: Callable[..., Any], name: str, values: list[Value]) -> Value:
    """The result of a pure function of numbers, some of which may be others at another call."""
    if function not in _IN_PARTS:
        return input_scalar.apply(trace, function, name, values)
    return TupleValue([input_scalar.apply(trace, NumberPart(function, k), f"{name}[{k}]", values) for k in range(2)])


_IN_PARTS: tuple[Callable[..., Any], ...] = (math.frexp, math.modf)
"""Functions that give two numbers."""


@traces(divmod)
def divmod_(trace: Trace, left: Value, right: Value, /) -> Value:
    if dunder_operators.concerns(left, right):
        return dunder_operators.operate(trace, "divmod()", left, right, in_place=False)
    if by_kernels(trace, left, right):
        return TupleValue([operate(trace, "//", left, right), operate(trace, "%", left, right)])
    if not (input_scalar.is_number(left) and input_scalar.is_number(right)):
        return _pure(divmod)(trace, left, right)
    if truth(trace, compare(trace, "==", right, Constant(0))):
        return pure(divmod, [left.constant(trace), right.constant(trace)], {})
    return TupleValue([operate(trace, "//", left, right), operate(trace, "%", left, right)])


PURE = [each for name, each in vars(math).items() if callable(each) and name not in ("fsum", "prod", "dist", "sumprod")]
PURE += [builtins.round, builtins.ord]
for _function in PURE:
    traces(_function)(_pure(_function))


@traces(pow)
def pow_(trace: Trace, base: Value, exp: Value, mod: Value = NONE) -> Value:
    if is_none(mod) and (dunder_operators.concerns(base, exp) or by_kernels(trace, base, exp)):
        return operate(trace, "**", base, exp)
    return _pure(pow)(trace, base, exp, *([] if is_none(mod) else [mod]))


_NUMBER_SCALARS = frozenset(np.sctypeDict.values())
"""NumPy's scalar types but for those that only others are derived from."""


@traces_family
def find_number_scalar(function: Any) -> Rule | None:
    """The rule for a NumPy scalar type used as a function: `np.float32(x)`."""
    if not isinstance(function, type) or function not in _NUMBER_SCALARS:
        return None

    def rule(trace: Trace, value: Value = Constant(0), /) -> Value:  # noqa: B008
        dtype = protocols.kernel_dtype(np.dtype(function))
        operand = protocols.ufunc_operand(trace, value)
        if isinstance(operand, ArrayValue) and operand.shape:
            raise UNKNOWN_CALL.stop(name=f"np.{function.__name__} of an array")
        if dtype.is_integer and operand.python_type is float:
            raise UNKNOWN_CALL.stop(name=f"np.{function.__name__} of a float")
        return result(trace, protocols.ufunc_operand_node(trace, operand, dtype, ()), is_numpy_scalar=True)

    return rule
