"""The functions of `itertools` over traced values: the real ones, as lazy as they are.

See Note [Real iterators over traced values].
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...breaks import ProgramRaised
from ...tracing.rules import newer, traces
from ...values.base import Value
from ...values.constant import NONE, Constant
from ...values.containers.iterators import Iterator, Leaf, calling, testing
from ...values.containers.sequences import TupleValue
from ...values.numbers import input_scalar
from ..iteration import Strict, given, iterator_of, real, steps, tuples
from ..operators import equal, operate

if TYPE_CHECKING:
    from ...tracing.trace import Trace


# Endless ones.
@traces(itertools.count)
def count(trace: Trace, start: Value = Constant(0), step: Value = Constant(1)) -> Value:  # noqa: B008
    if (
        start.python_type is int
        and step.python_type is int
        and input_scalar.is_number(start)
        and input_scalar.is_number(step)
    ):
        numbers = map(lambda k: operate(trace, "+", start, operate(trace, "*", step, Constant(k))), itertools.count())
        return Iterator(Leaf(trace, numbers), itertools.count)
    if isinstance(start, Constant) and isinstance(step, Constant):
        return Iterator(Leaf(trace, map(Constant, real(itertools.count, start.value, step.value))), itertools.count)
    if bool in (start.python_type, step.python_type):
        raise start.unsupported("itertools.count()")
    sums = itertools.accumulate(
        itertools.repeat(step), lambda one, other: operate(trace, "+", one, other), initial=start
    )
    return Iterator(Leaf(trace, sums), itertools.count)


@traces(itertools.repeat)
def repeat(trace: Trace, object: Value, times: Value | None = None) -> Value:
    given_times = [] if times is None else [times.constant(trace)]
    return Iterator(Leaf(trace, real(itertools.repeat, object, *given_times)), itertools.repeat)


@traces(itertools.cycle)
def cycle(trace: Trace, iterable: Value, /) -> Value:
    return Iterator(Leaf(trace, itertools.cycle(steps(trace, iterable))), itertools.cycle)


# Those that go through one iterator, or several one after the other.
@traces(itertools.accumulate)
def accumulate(trace: Trace, iterable: Value, func: Value = NONE, *, initial: Value = NONE) -> Value:
    function = given(func)
    join = calling(trace, function) if function else lambda total, each: operate(trace, "+", total, each)
    return Iterator(itertools.accumulate(steps(trace, iterable), join, initial=given(initial)), itertools.accumulate)


@traces(itertools.chain)
def chain(trace: Trace, *iterables: Value) -> Value:
    return Iterator(itertools.chain.from_iterable(map(lambda each: steps(trace, each), iterables)), itertools.chain)


@traces(itertools.chain.from_iterable)
def chain_from_iterable(trace: Trace, iterable: Value, /) -> Value:
    inner = map(lambda each: steps(trace, each), steps(trace, iterable))
    return Iterator(itertools.chain.from_iterable(inner), itertools.chain)


@traces(itertools.compress)
def compress(trace: Trace, data: Value, selectors: Value) -> Value:
    inner = steps(trace, data)
    return Iterator(itertools.compress(inner, map(testing(trace, None), steps(trace, selectors))), itertools.compress)


@traces(itertools.dropwhile)
def dropwhile(trace: Trace, predicate: Value, iterable: Value, /) -> Value:
    return Iterator(itertools.dropwhile(testing(trace, predicate), steps(trace, iterable)), itertools.dropwhile)


@traces(itertools.takewhile)
def takewhile(trace: Trace, predicate: Value, iterable: Value, /) -> Value:
    return Iterator(itertools.takewhile(testing(trace, predicate), steps(trace, iterable)), itertools.takewhile)


@traces(itertools.filterfalse)
def filterfalse(trace: Trace, function: Value, iterable: Value, /) -> Value:
    left = itertools.filterfalse(testing(trace, given(function)), steps(trace, iterable))
    return Iterator(left, itertools.filterfalse)


@traces(itertools.islice)
def islice(trace: Trace, iterable: Value, first: Value, /, *more: Value) -> Value:
    bounds = [each.constant(trace) for each in (first, *more)]
    return Iterator(real(itertools.islice, steps(trace, iterable), *bounds), itertools.islice)


@traces(itertools.pairwise)
def pairwise(trace: Trace, iterable: Value, /) -> Value:
    return Iterator(tuples(itertools.pairwise(steps(trace, iterable))), itertools.pairwise)


@traces(itertools.starmap)
def starmap(trace: Trace, function: Value, iterable: Value, /) -> Value:
    call = calling(trace, function)
    values = map(lambda row: call(*steps(trace, row)), steps(trace, iterable))
    return Iterator(values, itertools.starmap)


@traces(itertools.tee)
def tee(trace: Trace, iterable: Value, n: Value = Constant(2), /) -> Value:  # noqa: B008
    inner = iterator_of(trace, iterable)
    times = n.constant(trace)
    if inner.kind is None or inner.kind is _TEE:  # which may come with a way to copy itself
        raise inner.unsupported("tee()")
    return TupleValue([_Twin(each, _TEE) for each in real(itertools.tee, inner, times)])


class _Twin(Iterator):
    """One of the iterators that `tee` gives. Python refuses to ask them for an element from within asking."""

    def __next__(self) -> Value:
        try:
            return super().__next__()
        except RuntimeError as error:
            raise ProgramRaised(error) from None


_TEE: type = type(itertools.tee(())[0])


class GroupIterator:
    """A key of `groupby`, which Python compares by identity, else by `==`."""

    __slots__ = ("key", "trace")

    def __init__(self, trace: Trace, key: Value) -> None:
        self.trace = trace
        self.key = key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GroupIterator) and equal(self.trace, self.key, other.key)

    __hash__ = None  # type: ignore[assignment]


@traces(itertools.groupby)
def groupby(trace: Trace, iterable: Value, key: Value = NONE) -> Value:
    function = given(key)
    call: Callable[[Value], Value] = calling(trace, function) if function else lambda element: element
    rows = itertools.groupby(steps(trace, iterable), lambda element: GroupIterator(trace, call(element)))
    return Iterator(map(lambda row: TupleValue([row[0].key, Iterator(row[1], _GROUPER)]), rows), itertools.groupby)


_GROUPER = type(next(itertools.groupby("a"))[1])


# Those that go through several at once.
@traces(itertools.zip_longest)
def zip_longest(trace: Trace, *iterables: Value, fillvalue: Value = NONE) -> Value:
    rows = itertools.zip_longest(*(steps(trace, each) for each in iterables), fillvalue=fillvalue)
    return Iterator(tuples(rows), itertools.zip_longest)


@traces(itertools.product)
def product(trace: Trace, *iterables: Value, repeat: Value = Constant(1)) -> Value:  # noqa: B008
    times = repeat.constant(trace)
    real(itertools.product, repeat=times)  # a wrong number is found out before anything is asked for elements
    return Iterator(_rows(trace, itertools.product, *iterables, repeat=times), itertools.product)


def _rows(trace: Trace, make: Any, *iterables: Value, **options: Any) -> Leaf:
    """The items of a real iterator that goes through all it is given before its first step."""
    return Leaf(trace, tuples(real(make, *[list(steps(trace, each)) for each in iterables], **options)))


@traces(itertools.permutations)
def permutations(trace: Trace, iterable: Value, r: Value = NONE) -> Value:
    return Iterator(_rows(trace, itertools.permutations, iterable, r=r.constant(trace)), itertools.permutations)


def _combinations(make: Any) -> Callable[..., Value]:
    def rule(trace: Trace, iterable: Value, r: Value) -> Value:
        return Iterator(_rows(trace, make, iterable, r=r.constant(trace)), make)

    return rule


traces(itertools.combinations)(_combinations(itertools.combinations))
traces(itertools.combinations_with_replacement)(_combinations(itertools.combinations_with_replacement))


@traces(*newer(itertools, "batched"))  # CPython 3.12
def _batched(trace: Trace, iterable: Value, n: Value, **options: Value) -> Value:
    known = {name: each.constant(trace) for name, each in options.items()}
    kind: type = itertools.batched  # type: ignore[attr-defined]
    rows = real(kind, steps(trace, iterable), n.constant(trace), **known)
    return Iterator(tuples(Strict(rows)), kind)
