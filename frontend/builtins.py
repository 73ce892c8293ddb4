"""Python's built-in functions and `math` over traced values."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from . import special_methods
from .breaks import ARRAY_VALUE, RAISES, UNKNOWN_CALL
from .callables import Rule, traces, traces_family
from .operators import operate, truth
from .values import scalar
from .values.array import ArrayValue, result
from .values.base import Value
from .values.constant import FALSE, LITERALS, NONE, Constant
from .values.containers import DictValue, Iterator, ListValue, RangeValue, TupleValue, constant_value
from .values.tensor import TensorValue
from .values.user_object import UserObject

if TYPE_CHECKING:
    from .trace import Trace


@traces(len)
def length(trace: Trace, value: Value, /) -> Value:
    return Constant(value.length(trace))


@traces(range)
def range_(trace: Trace, *bounds: Value) -> Value:
    return RangeValue(range(*(each.constant(trace) for each in bounds)))


@traces(enumerate)
def enumerate_(trace: Trace, iterable: Value, start: Value = Constant(0)) -> Value:  # noqa: B008
    pairs = enumerate(iterable.iterate(trace), start.constant(trace))
    return Iterator(TupleValue([Constant(place), each]) for place, each in pairs)


@traces(zip)
def zip_(trace: Trace, *iterables: Value, strict: Value = FALSE) -> Value:
    rows = zip(*(each.iterate(trace) for each in iterables), strict=strict.constant(trace))
    return Iterator(TupleValue(list(row)) for row in rows)


@traces(reversed)
def reversed_(trace: Trace, sequence: Value, /) -> Value:
    if isinstance(sequence, (ListValue, TupleValue)):
        return Iterator(reversed(sequence.items))
    if isinstance(sequence, DictValue):
        return Iterator(constant_value(key) for key in reversed(sequence.items))
    if isinstance(sequence, (RangeValue, ArrayValue)):
        return Iterator(sequence.item(trace, Constant(k)) for k in range(sequence.length(trace) - 1, -1, -1))
    raise sequence.unsupported("reversed()")


@traces(map)
def map_(trace: Trace, function: Value, /, *iterables: Value) -> Value:
    rows = zip(*(each.iterate(trace) for each in iterables), strict=False)
    return Iterator(function.call(trace, list(row), {}) for row in rows)


@traces(iter)
def iter_(trace: Trace, iterable: Value, /) -> Value:
    return iterable if isinstance(iterable, Iterator) else Iterator(iterable.iterate(trace))


@traces(next)
def next_(trace: Trace, iterator: Value, default: Value | None = None, /) -> Value:
    if not isinstance(iterator, Iterator):
        raise iterator.unsupported("next()")
    value = iterator.advance()
    if value is None and default is None:
        raise RAISES.stop(error="StopIteration")
    return default if value is None else value  # type: ignore[return-value]


@traces(tuple)
def tuple_(trace: Trace, iterable: Value | None = None, /) -> Value:
    return TupleValue([] if iterable is None else iterable.elements(trace))


@traces(list)
def list_(trace: Trace, iterable: Value | None = None, /) -> Value:
    return ListValue([] if iterable is None else iterable.elements(trace))


@traces(dict)
def dict_(trace: Trace, mapping: Value | None = None, /, **items: Value) -> Value:
    built = DictValue(dict(mapping.items) if isinstance(mapping, DictValue) else {})
    if mapping is not None and not isinstance(mapping, DictValue):
        for pair in mapping.elements(trace):
            key, value = pair.elements(trace)
            built.set_item(trace, key, value)
    built.items.update(items)
    return built


def _number(kind: type) -> Rule:
    def convert(trace: Trace, value: Value = Constant(0), /) -> Value:  # noqa: B008
        if isinstance(value, ArrayValue):
            if value.type.size != 1 or (value.shape and not value.generic):
                raise ARRAY_VALUE.stop(wanted=kind.__name__)
            if kind is not value.twin.dtype.type(0).item().__class__:
                raise ARRAY_VALUE.stop(wanted=kind.__name__)
            from .numpy.methods import HostNumber

            return HostNumber(trace, value)
        if isinstance(value, TensorValue):
            from .tensors.attributes import item

            number = item(trace, value)
            if number.python_type is not kind:
                raise ARRAY_VALUE.stop(wanted=kind.__name__)
            return number
        if isinstance(value, UserObject) and kind is not bool:
            return special_methods.as_number(trace, kind, value)
        if isinstance(value, scalar.Scalar):
            if kind is bool:
                return Constant(truth(trace, value))
            return scalar.apply(trace, kind, kind.__name__, [value])
        if kind is bool:
            return Constant(truth(trace, value))
        return Constant(kind(value.constant(trace)))

    return convert


for _kind in (float, int, bool):
    traces(_kind)(_number(_kind))


@traces(str)
def text(trace: Trace, value: Value = Constant(""), /) -> Value:  # noqa: B008
    if isinstance(value, UserObject):
        return special_methods.as_text(trace, value)
    return Constant(str(value.constant(trace)))


@traces(repr)
def repr_(trace: Trace, value: Value, /) -> Value:
    if isinstance(value, UserObject):
        return special_methods.as_text(trace, value, "__repr__")
    return Constant(repr(value.constant(trace)))


@traces(abs)
def abs_(trace: Trace, value: Value, /) -> Value:
    if isinstance(value, ArrayValue):
        from .numpy.ufuncs import call_ufunc

        return call_ufunc(trace, np.absolute, [value])
    if isinstance(value, TensorValue):
        return value.attribute(trace, "abs").call(trace, [], {})
    return _pure(abs)(trace, value)


@traces(sum)
def sum_(trace: Trace, iterable: Value, /, start: Value = Constant(0)) -> Value:  # noqa: B008
    total = start
    for each in iterable.iterate(trace):
        total = operate(trace, "+", total, each)
    return total


def _extreme(name: str, function: Callable[..., Any]) -> Rule:
    def rule(trace: Trace, *values: Value, key: Value = NONE) -> Value:
        if key.constant(trace) is not None:
            raise UNKNOWN_CALL.stop(name=f"{name} with a key")
        items = values[0].elements(trace) if len(values) == 1 else list(values)
        if any(isinstance(each, ArrayValue) for each in items):
            raise ARRAY_VALUE.stop(wanted=f"argument of {name}")
        if any(isinstance(each, scalar.Scalar) for each in items) and all(scalar.is_number(each) for each in items):
            return scalar.apply(trace, function, name, items)
        return constant_value(function([each.constant(trace) for each in items]))

    return rule


traces(max)(_extreme("max", max))
traces(min)(_extreme("min", min))


@traces(any)
def any_(trace: Trace, iterable: Value, /) -> Value:
    return Constant(any(truth(trace, each) for each in iterable.iterate(trace)))


@traces(all)
def all_(trace: Trace, iterable: Value, /) -> Value:
    return Constant(all(truth(trace, each) for each in iterable.iterate(trace)))


@traces(sorted)
def sorted_(trace: Trace, iterable: Value, /, *, key: Value = NONE, reverse: Value = FALSE) -> Value:
    if key.constant(trace) is not None:
        raise UNKNOWN_CALL.stop(name="sorted with a key")
    items = sorted((each.constant(trace) for each in iterable.elements(trace)), reverse=reverse.constant(trace))
    return ListValue([constant_value(each) for each in items])


@traces(slice)
def slice_(trace: Trace, *parts: Value) -> Value:
    from .values.containers import SliceValue

    given = slice(*range(len(parts)))
    start, stop, step = (NONE if each is None else parts[each] for each in (given.start, given.stop, given.step))
    return SliceValue(start, stop, step)


def _pure(function: Callable[..., Any]) -> Rule:
    """The rule of a pure function of Python numbers."""
    name = function.__name__

    def rule(trace: Trace, *values: Value) -> Value:
        if values and isinstance(values[0], UserObject):
            return special_methods.call_built_in(trace, function, values[0], *values[1:])
        if any(isinstance(each, scalar.Scalar) for each in values) and all(scalar.is_number(each) for each in values):
            return scalar.apply(trace, function, name, list(values))
        if not all(isinstance(each, Constant) and type(each.value) in LITERALS for each in values):
            if any(isinstance(each, ArrayValue) for each in values):
                raise ARRAY_VALUE.stop(wanted=f"argument of {name}")
            raise UNKNOWN_CALL.stop(name=name)
        return constant_value(function(*(each.constant(trace) for each in values)))

    return rule


PURE = [each for name, each in vars(math).items() if callable(each) and name not in ("fsum", "prod", "dist", "sumprod")]
PURE += [builtins.round, builtins.divmod, builtins.pow, builtins.ord, builtins.chr]
for _function in PURE:
    traces(_function)(_pure(_function))


@traces_family
def find_number_scalar(function: Any) -> Rule | None:
    """The rule for a NumPy scalar type used as a function: `np.float32(x)`."""
    if not (isinstance(function, type) and issubclass(function, np.generic)):
        return None

    def rule(trace: Trace, value: Value = Constant(0), /) -> Value:  # noqa: B008
        from .numpy.ufuncs import as_operand, operand_node, supported

        dtype = supported(np.dtype(function))
        operand = as_operand(trace, value)
        if isinstance(operand, ArrayValue) and operand.shape:
            raise UNKNOWN_CALL.stop(name=f"np.{function.__name__} of an array")
        if dtype.is_integer and operand.python_type is float:
            raise UNKNOWN_CALL.stop(name=f"np.{function.__name__} of a float")
        return result(trace, operand_node(trace, operand, dtype, ()), generic=True)

    return rule
