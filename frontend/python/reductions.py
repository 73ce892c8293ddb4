"""Functions of all elements: `sum`, `min`, `sorted`, `dict`, `functools.reduce`, `math.prod` and their like."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable
from collections.abc import Iterator as Iterating
from typing import TYPE_CHECKING, Any

from ..breaks import UNKNOWN_CALL, ProgramRaised
from ..regions.numbers import functions
from ..regions.numbers.arithmetic import condition
from ..regions.standalone import by_kernels, standalone_number
from ..tracing.rules import Rule, traces
from ..values.base import Value
from ..values.constant import FALSE, NONE, Constant
from ..values.containers.dicts import DictValue
from ..values.containers.element_protocol import constant_value
from ..values.containers.sequences import ListValue
from ..values.numbers import input_scalar
from ..values.numbers.symbolic_int import SymInt, as_scalar, concerns
from ..values.objects.user_object import UserObject
from ..values.objects.wrong_answers import error_of
from .iteration import given, steps
from .mappings import merge
from .operators import compare, operate, truth

if TYPE_CHECKING:
    from ..tracing.trace import Trace


def numbers(trace: Trace, function: Callable[..., Any], label: str, values: list[Value]) -> Value:
    """`function(*values)` of Python numbers, some of which may change between calls."""
    values = [as_scalar(trace, each) for each in values]
    if any(isinstance(each, input_scalar.InputNumber) for each in values):
        return input_scalar.apply(trace, function, label, values)
    try:
        return constant_value(function(*(each.constant(trace) for each in values)))
    except (ArithmeticError, ValueError, TypeError) as error:
        raise ProgramRaised(error) from None


def _leading_numbers(values: Iterating[Value]) -> tuple[list[Value], Iterating[Value]]:
    """The numbers that come first, and the iterator over what follows them."""
    found: list[Value] = []
    for each in values:
        if not input_scalar.is_number(each):
            return found, itertools.chain([each], values)
        found.append(each)
    return found, iter(())


def _reduce_numbers(
    trace: Trace, name: str, function: Callable[..., Any], operator: str, start: Value, values: Iterating[Value]
) -> Value:
    # As long as there are numbers only, Python adds them in a way of its own (3.12 keeps the rounding error).
    total, rest = start, values
    if input_scalar.is_number(start):
        leading, rest = _leading_numbers(values)
        if concerns(start, *leading):  # sizes stay sizes
            leading, rest = [], itertools.chain(leading, rest)
        total = numbers(trace, function, name, [start, *leading]) if leading else start
    for each in rest:
        total = operate(trace, operator, total, each)
    return total


def add_up(start: Any, *values: Any) -> Any:
    """`sum(values, start)`."""
    return sum(values, start)


def multiply_up(start: Any, *values: Any) -> Any:
    """`math.prod(values, start=start)`."""
    return math.prod(values, start=start)


def add_exactly(*values: Any) -> float:
    """`math.fsum(values)`."""
    return math.fsum(values)


def distance(*values: Any) -> float:
    """`math.dist` of two points, one written behind the other."""
    return math.dist(values[: len(values) // 2], values[len(values) // 2 :])


@traces(sum)
def sum_(trace: Trace, iterable: Value, /, start: Value = Constant(0)) -> Value:  # noqa: B008
    values = steps(trace, iterable)
    if start.python_type in (str, bytes):
        raise ProgramRaised(error_of(lambda: sum([], start.python_type())))
    return _reduce_numbers(trace, "sum", add_up, "+", start, values)


@traces(math.prod)
def prod(trace: Trace, iterable: Value, /, *, start: Value = Constant(1)) -> Value:  # noqa: B008
    return _reduce_numbers(trace, "prod", multiply_up, "*", start, steps(trace, iterable))


@traces(math.fsum)
def fsum(trace: Trace, iterable: Value, /) -> Value:
    return numbers(trace, add_exactly, "fsum", _numbers(trace, "math.fsum", iterable))


@traces(math.dist)
def dist(trace: Trace, p: Value, q: Value, /) -> Value:
    first, second = _numbers(trace, "math.dist", p), _numbers(trace, "math.dist", q)
    if len(first) != len(second):
        raise ProgramRaised(ValueError("both points must have the same number of dimensions"))
    return numbers(trace, distance, "dist", [*first, *second])


if hasattr(math, "sumprod"):

    def add_products(*values: Any) -> Any:
        """`math.sumprod` of two rows of numbers, one written behind the other."""
        half = len(values) // 2
        return math.sumprod(values[:half], values[half:])  # type: ignore[attr-defined]

    @traces(math.sumprod)  # type: ignore[attr-defined]
    def sumprod(trace: Trace, p: Value, q: Value, /) -> Value:
        first, second = _numbers(trace, "math.sumprod", p), _numbers(trace, "math.sumprod", q)
        if len(first) != len(second):
            raise ProgramRaised(ValueError("Inputs are not the same length"))
        return numbers(trace, add_products, "sumprod", [*first, *second])


def _numbers(trace: Trace, name: str, iterable: Value) -> list[Value]:
    values = list(steps(trace, iterable))
    if not all(input_scalar.is_number(each) for each in values):
        raise UNKNOWN_CALL.stop(name=f"{name} of other things than numbers")
    return values


def _extreme(name: str, function: Callable[..., Any], operator: str) -> Rule:
    def rule(trace: Trace, first: Value, /, *more: Value, key: Value = NONE, default: Value | None = None) -> Value:
        if more and default is not None:
            raise UNKNOWN_CALL.stop(name=f"{name} with arguments and a default")
        rest: Iterating[Value] = iter([first, *more]) if more else steps(trace, first)
        leading: list[Value] = []
        if given(key) is None:
            leading, rest = _leading_numbers(rest)
            if any(type(each) is SymInt for each in leading):  # which of them it is becomes a fact about sizes
                leading, rest = [], itertools.chain(leading, rest)
        best = numbers(trace, function, name, leading) if len(leading) > 1 else next(iter(leading), None)
        best = best or next(rest, None) or default
        if best is None:
            raise ProgramRaised(error_of(lambda: function([])))
        return _most(trace, operator, best, rest, given(key))

    return rule


def _most(trace: Trace, operator: str, best: Value, rest: Iterating[Value], key: Value | None) -> Value:
    rank = None
    for each in rest:
        if rank is None:
            rank = key.call(trace, [best], {}) if key else best
        other = key.call(trace, [each], {}) if key else each
        if key is None and by_kernels(trace, best, each):
            best = rank = standalone_number(trace, functools.partial(_greater, trace, operator, each, best))
        elif ranks_before(trace, operator, other, rank):
            best, rank = each, other
    return best


def _greater(trace: Trace, operator: str, value: Value, best: Value) -> Value:
    test = condition(trace, compare(trace, operator, value, best))
    return functions.chosen(trace, test, value, best)


traces(max)(_extreme("max", max, ">"))
traces(min)(_extreme("min", min, "<"))


@traces(any)
def any_(trace: Trace, iterable: Value, /) -> Value:
    return Constant(any(truth(trace, each) for each in steps(trace, iterable)))


@traces(all)
def all_(trace: Trace, iterable: Value, /) -> Value:
    return Constant(all(truth(trace, each) for each in steps(trace, iterable)))


class ComparedRank(Value):
    """The key that a key function of `functools.cmp_to_key(function)` gives: in the order that `function` tells."""

    def __init__(self, function: Value, value: Value) -> None:
        self.function = function
        self.value = value

    @property
    def python_type(self) -> type:
        return type(functools.cmp_to_key(max)(0))


class ComparisonKey(Value):
    """A `functools.cmp_to_key(function)`."""

    def __init__(self, function: Value) -> None:
        self.function = function

    @property
    def python_type(self) -> type:
        return type(functools.cmp_to_key(max))

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        if len(args) != 1 or kwargs:
            raise UNKNOWN_CALL.stop(name="a key function with other than one argument")
        return ComparedRank(self.function, args[0])


@traces(functools.cmp_to_key)
def cmp_to_key(trace: Trace, mycmp: Value) -> Value:
    return ComparisonKey(mycmp)


def ranks_before(trace: Trace, operator: str, one: Value, other: Value) -> bool:
    """The truth of `one <operator> other` where they are sorted by."""
    if isinstance(one, ComparedRank) and isinstance(other, ComparedRank):
        one, other = one.function.call(trace, [one.value, other.value], {}), Constant(0)
    return truth(trace, compare(trace, operator, one, other))


class Ranked:
    """A value in the order that the traced `<` gives: what Python's own sorting asks for."""

    __slots__ = ("rank", "trace", "value")

    def __init__(self, trace: Trace, value: Value, rank: Value) -> None:
        self.trace = trace
        self.value = value
        self.rank = rank

    def __lt__(self, other: Ranked) -> bool:
        return ranks_before(self.trace, "<", self.rank, other.rank)


def in_order(trace: Trace, values: list[Value], key: Value, reverse: Value) -> list[Value]:
    """The values as `sorted` puts them."""
    if reverse.python_type not in (bool, int):
        raise reverse.unsupported("reverse=")
    call = given(key)
    ranks = [call.call(trace, [each], {}) for each in values] if call else values
    ranked = [Ranked(trace, value, rank) for value, rank in zip(values, ranks, strict=True)]
    return [each.value for each in sorted(ranked, reverse=truth(trace, reverse))]


@traces(sorted)
def sorted_(trace: Trace, iterable: Value, /, *, key: Value = NONE, reverse: Value = FALSE) -> Value:
    items = iterable.elements(trace) if isinstance(iterable, UserObject) else list(steps(trace, iterable))
    return ListValue(in_order(trace, items, key, reverse))


@traces(functools.reduce)
def reduce(trace: Trace, function: Value, sequence: Value, initial: Value | None = None, /) -> Value:
    values = steps(trace, sequence)
    total = next(values, None) if initial is None else initial
    if total is None:
        raise ProgramRaised(error_of(lambda: functools.reduce(max, [])))
    for each in values:
        total = function.call(trace, [total, each], {})
    return total


@traces(dict)
def dict_(trace: Trace, mapping: Value | None = None, /, **items: Value) -> Value:
    built = DictValue(dict(mapping.items) if isinstance(mapping, DictValue) else {})
    if mapping is not None and not isinstance(mapping, DictValue):
        merge(trace, built.set_item, mapping)
    built.items.update(items)
    return built
