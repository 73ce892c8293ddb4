"""`iter`, `next` and the built-in functions that give iterators, over traced values.

See Note [Real iterators over traced values].
"""

from __future__ import annotations

import itertools
import types
from collections.abc import Callable
from collections.abc import Iterator as Iterating
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from ...runtime.iterators import standing
from ..breaks import NUMPY_ARGUMENT, RAISES, ProgramRaised, Unwinding
from ..bytecode.versions import current
from ..regions.numbers.arithmetic import is_symbolic
from ..regions.numbers.iteration import numbered, over_array, together
from ..regions.numbers.ranges import IterationSpace, are_bounds, run_range
from ..tracing.rules import checked_call, traces
from ..values import protocols
from ..values.arrays.array import ArrayValue
from ..values.base import Value
from ..values.builtin_callable import BuiltinCallable
from ..values.constant import FALSE, NONE, Constant
from ..values.containers.builtin_subclasses import plain
from ..values.containers.deques import DequeValue
from ..values.containers.dicts import DictValue, DictView
from ..values.containers.iterators import (
    Iterator,
    Leaf,
    OwnIterator,
    Remake,
    TableLeaf,
    calling,
    stop_iteration,
    testing,
)
from ..values.containers.ranges import RangeValue, SizedRange
from ..values.containers.sequences import ListValue, Sequence, TupleValue
from ..values.functions.generators import GeneratorValue
from ..values.numbers import symbolic_int
from ..values.numbers.input_scalar import InputNumber
from ..values.objects.classes import class_attribute
from ..values.objects.exceptions import ExceptionValue
from ..values.objects.raise_exception import as_raised, instantiate
from ..values.objects.user_object import UserObject
from ..values.objects.wrong_answers import error_of
from ..values.tensors.tensor import TensorValue
from .operators import equal

if TYPE_CHECKING:
    from ..codegen.reconstruct import EntryWriter
    from ..tracing.trace import Trace


def list_items(trace: Trace, iterable: Value) -> list[Value]:
    """The elements of an iterable, for a new list; an object of the user's is asked for their number first."""
    return iterable.elements(trace) if isinstance(iterable, UserObject) else list(steps(trace, iterable))


def tuple_items(trace: Trace, iterable: Value) -> list[Value]:
    """The elements of an iterable, for a new tuple."""
    asks = current().tuples_ask_length or not isinstance(iterable, UserObject)
    return list_items(trace, iterable) if asks else list(steps(trace, iterable))


def iterator_of(trace: Trace, value: Value) -> Iterator:
    """`iter(value)`. Errors: a break where there is no rule, or where Python raises TypeError."""
    if isinstance(value, Iterator):
        return value
    if isinstance(value, UserObject) and not _iterates_as_a_tuple(trace, value):
        return _iterated(trace, value)
    if (
        isinstance(value, InputNumber)
        or isinstance(value, Constant)
        and type(value.value) in (int, float, bool, type(None))
    ):
        raise ProgramRaised(TypeError(f"{value.python_type.__name__!r} object is not iterable"))
    if isinstance(value, ListValue):
        return over_real(trace, iter(value.items), value)
    if isinstance(value, Sequence):
        made = over_real(trace, iter(tuple(value.items)), value)
        made.space = space_over_parts(trace, value, value.items)
        return made
    if isinstance(value, SizedRange):
        later = _Later(trace, value)
        made = Iterator(Leaf(trace, later), type(iter(range(0))), lambda writer: at(writer, later.numbers, value))
        made.space = IterationSpace(*value.bounds)
        return made
    if isinstance(value, RangeValue):
        numbers = iter(value.range)
        made = Iterator(Leaf(trace, map(Constant, numbers)), type(numbers), lambda writer: at(writer, numbers, value))
        over = value.range
        made.space = IterationSpace(Constant(over.start), Constant(over.stop), Constant(over.step))
        return made
    return _iterated(trace, value)


def space_over_parts(trace: Trace, value: Value, items: list[Value]) -> IterationSpace | None:
    """The iteration space of a loop over a tuple of a tensor's parts, in the order of `items`; None for any other."""
    if type(value) is not TupleValue or not trace.parts:
        return None
    return protocols.space_over_parts_of(trace, items)


_FIRST = 2
"""The numbers that a range with sizes gives before its length is relied on; a loop over tensors may need as many."""


class _Later:
    """The numbers of a range with sizes, which are relied on when somebody asks for more than the first."""

    def __init__(self, trace: Trace, over: SizedRange) -> None:
        self._trace = trace
        self._over = over
        self._given = 0

    @cached_property
    def numbers(self) -> Any:
        found = iter(self._over.range)
        for _ in range(self._given):
            next(found)
        return found

    def __iter__(self) -> _Later:
        return self

    def __next__(self) -> Value:
        first, _, pace = self._over.bounds
        if "numbers" in vars(self) or self._given >= _FIRST or not type(first) is type(pace) is Constant:
            return Constant(next(self.numbers))
        start, step = first.value, pace.value
        if self._over.length(self._trace) <= self._given:
            raise StopIteration
        self._given += 1
        return Constant(start + (self._given - 1) * step)


def _iterated(trace: Trace, value: Value) -> Iterator:
    made = value.iterate(trace)
    if isinstance(made, Iterator):
        return made
    table = value.owner if isinstance(value, DictView) else value
    if isinstance(table, DictValue):
        return Iterator(TableLeaf(trace, made, table, table.items), _kind_over(value))
    made = Iterator(Leaf(trace, made), _kind_over(value))
    if isinstance(value, (ArrayValue, TensorValue)):
        made.space = over_array(value, symbolic_int.number(value.length(trace)))
    return made


def _iterates_as_a_tuple(trace: Trace, value: UserObject) -> bool:
    return isinstance(value, TupleValue) and class_attribute(trace, value.python_type, "__iter__")[0] is tuple.__iter__


def steps(trace: Trace, value: Value) -> Iterating[Value]:
    """`iter(value)` as what a real iterator may run over."""
    return iterator_of(trace, value)


def _kind_over(value: Value) -> type | None:
    if isinstance(value, DequeValue):
        return type(iter(value.items))
    if isinstance(value, DictValue):
        return type(iter({}))
    if isinstance(value, DictView):
        return type(iter(getattr({}, value.name)()))
    return type(iter(value.value)) if isinstance(value, Constant) and type(value.value) in (str, bytes) else None


def over_real(trace: Trace, real: Iterating[Value], owner: Value) -> Iterator:
    """The traced form of a real iterator over the items of `owner`."""
    return Iterator(Leaf(trace, real), type(real), lambda writer: at(writer, real, owner))


def at(writer: EntryWriter, real: Any, owner: Value) -> str:
    """The expression for an iterator over the rebuilt `owner` that stands where `real` stands."""
    make, arguments, *place = real.__reduce__()
    pool = writer.pool
    if isinstance(arguments[0], range):
        owner = RangeValue(arguments[0])
    elif not place:  # at its end it holds its list no more, whatever that will grow to
        make, empty = _ENDED[type(real)]
        return f"{pool.add(standing)}({pool.add(make)}({empty}), None)"
    elif place[0] > len(arguments[0]):
        raise owner.unsupported("returning an iterator that stands behind the end")
    made = f"{pool.add(make)}({owner.rebuild(writer)})"
    return f"{pool.add(standing)}({made}, {place[0]})" if place and place[0] is not None else made


_ENDED: dict[type, tuple[Any, str]] = {
    type(iter([])): (iter, "[]"),
    type(iter(())): (iter, "()"),
    type(reversed([])): (reversed, "[]"),
}
"""The maker and the text of its argument, for an iterator of each type that has nothing left to give."""


def made_of(real: Any, *parts: Value, place: Callable[[Any], str] = lambda real: "") -> Remake:
    """Writes a call of the real iterator's class on its rebuilt parts; `place` gives further arguments."""

    def write(writer: EntryWriter) -> str:
        arguments = [part.rebuild(writer) for part in parts] + [each for each in [place(real)] if each]
        return f"{writer.pool.add(type(real))}({', '.join(arguments)})"

    return write


def real(make: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """A real iterator. Errors: the break for what its class raises over these arguments."""
    try:
        return make(*args, **kwargs)
    except (TypeError, ValueError, OverflowError) as error:
        raise ProgramRaised(error) from None


def tuples(rows: Iterating[tuple[Value, ...]]) -> Iterating[Value]:
    """The rows of a real iterator as traced tuples."""
    return map(_tuple, rows)


def _tuple(row: tuple[Value, ...]) -> Value:
    return TupleValue(list(row))


# What one asks of an iterator.
@traces(iter)
def iter_(trace: Trace, iterable: Value, sentinel: Value | None = None, /) -> Value:
    """`iter(iterable)`, or `iter(function, sentinel)`."""
    if sentinel is None:
        made = iterator_of(trace, iterable)
        return made.owner if isinstance(made, OwnIterator) else made
    if isinstance(iterable, (Constant, InputNumber, Sequence, DictValue)):
        raise ProgramRaised(error_of(lambda: iter(3, 4)))  # type: ignore[call-overload]
    values = iter(calling(trace, iterable), object())
    until = itertools.takewhile(lambda value: not equal(trace, value, sentinel), values)
    return Iterator(until, type(iter(int, 1)))


def _no_iterator(value: Value) -> ProgramRaised:
    return ProgramRaised(TypeError(f"{value.python_type.__name__!r} object is not an iterator"))


@traces(next)
def next_(trace: Trace, iterator: Value, default: Value | None = None, /) -> Value:
    """`next(iterator, default)`."""
    if isinstance(iterator, UserObject):
        iterator = iterator.as_iterator(trace, lambda: _no_iterator(iterator))
    if not isinstance(iterator, Iterator):
        if isinstance(iterator, (Constant, InputNumber, Sequence, DictValue, RangeValue)):
            raise _no_iterator(iterator)
        raise iterator.unsupported("next()")
    try:
        return _asked(lambda: next(iterator))
    except ProgramRaised as raised:
        if default is None or not isinstance(raised.error, StopIteration):
            raise
        return default


def _asked(ask: Callable[[], Value]) -> Value:
    try:
        return ask()
    except StopIteration as end:
        raise stop_iteration(end.value) from None


class IteratorMethod(Value):
    """A method of an iterator or a generator."""

    RULES: ClassVar[dict[str, Callable[..., Value]]] = {
        "__next__": lambda trace, owner: _asked(lambda: next(owner)),
        "__iter__": lambda trace, owner: owner,
    }
    GENERATOR: ClassVar[dict[str, Callable[..., Value]]] = {
        "send": lambda trace, owner, value: _asked(lambda: owner.send(value)),
        "throw": lambda trace, owner, *parts: _asked(lambda: owner.throw(thrown(trace, *parts))),
        "close": lambda trace, owner: owner.close(),
    }
    __slots__ = ("name", "receiver")

    def __init__(self, receiver: Iterator, name: str) -> None:
        self.receiver = receiver
        self.name = name

    @property
    def python_type(self) -> type:
        return types.BuiltinMethodType if self.name in self.GENERATOR else types.MethodWrapperType

    def describe(self) -> str:
        return f"{self.receiver.describe()}.{self.name}"

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        rules = {**self.RULES, **self.GENERATOR} if isinstance(self.receiver, GeneratorValue) else self.RULES
        return checked_call(self.describe(), rules[self.name], trace, self.receiver, *args, **kwargs)


def thrown(trace: Trace, error: Value, *parts: Value) -> Unwinding:
    """The exception that `generator.throw(error)` raises, or `throw(kind, value, traceback)`."""
    exception = instantiate(trace, _one(error, *parts) if parts else error)
    if isinstance(exception, ExceptionValue):
        exception.raised = as_raised(trace, exception)
        return exception.raised
    return RAISES.stop(error=error.describe())


def _one(kind: Value, value: Value, traceback: Value = NONE) -> Value:
    """The exception that its three parts stand for. Errors: a break where one is made anew, or a warning is given."""
    fits = isinstance(value, ExceptionValue) and isinstance(kind, BuiltinCallable) and kind.function is value.kind
    if not fits or not current().throws_three_parts:
        raise NUMPY_ARGUMENT.stop(name="throw", argument="a class")
    assert isinstance(value, ExceptionValue)
    value.set_traceback(traceback)
    return value


# The functions that give one.
@traces(range)
def range_(trace: Trace, *bounds: Value) -> Value:
    bounds = tuple(each.index_number(trace) for each in bounds)
    if any(is_symbolic(trace, each) for each in bounds) or are_bounds(trace, list(bounds)):
        return run_range(trace, list(bounds))
    if any(isinstance(each, InputNumber) for each in bounds):
        bounds = tuple(symbolic_int.concretized(trace, each, bounds=True) for each in bounds)
    if symbolic_int.concerns(*bounds) and len(bounds) <= 3:
        given = [each for each in bounds if isinstance(each, Constant)]
        start, stop, step = [Constant(0), *given, Constant(1)] if len(given) == 1 else [*given, Constant(1)][:3]
        if not isinstance(step, symbolic_int.SymInt) and step.value:
            return SizedRange(start, stop, step)
    return RangeValue(real(range, *(plain(each).constant(trace) for each in bounds)))


@traces(enumerate)
def enumerate_(trace: Trace, iterable: Value, start: Value = Constant(0)) -> Value:  # noqa: B008
    inner = iterator_of(trace, iterable)
    rows: Any = real(enumerate, inner, start.constant(trace))
    pairs = map(lambda pair: TupleValue([Constant(pair[0]), pair[1]]), rows)
    made = Iterator(pairs, enumerate, made_of(rows, inner, place=lambda rows: repr(rows.__reduce__()[1][1])))
    made.space = numbered(trace, inner, rows.__reduce__()[1][1])
    return made


@traces(zip)
def zip_(trace: Trace, *iterables: Value, strict: Value = FALSE) -> Value:
    inner = [iterator_of(trace, each) for each in iterables]
    checked = strict.truth(trace)
    rows = zip(*inner, strict=checked)
    pairs = tuples(Strict(rows) if checked else rows)
    made = Iterator(pairs, zip, made_of(rows, *inner, place=lambda rows: "strict=True" if checked else ""))
    made.space = together(trace, inner, strict=checked)
    return made


class Strict:
    """A real `zip(…, strict=True)`, whose ValueError is the program's."""

    def __init__(self, inner: Iterating[Any]) -> None:
        self.inner = inner

    def __iter__(self) -> Strict:
        return self

    def __next__(self) -> Any:
        try:
            return next(self.inner)
        except ValueError as error:
            raise ProgramRaised(error) from None


@traces(map)
def map_(trace: Trace, function: Value, iterable: Value, /, *more: Value) -> Value:
    inner = [iterator_of(trace, each) for each in (iterable, *more)]
    values = map(calling(trace, function), *inner)
    return Iterator(values, map, made_of(values, function, *inner))


@traces(filter)
def filter_(trace: Trace, function: Value, iterable: Value, /) -> Value:
    inner = iterator_of(trace, iterable)
    kept = filter(testing(trace, given(function)), inner)
    return Iterator(kept, filter, made_of(kept, function, inner))


def given(function: Value) -> Value | None:
    """A function argument for which None may stand."""
    return None if isinstance(function, Constant) and function.value is None else function
