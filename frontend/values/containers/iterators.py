"""Iterators as traced values: Python's own iterators, running over traced values while tracing."""

# Note [Real iterators over traced values]
# What an iterator does at its end, after an error, or when what it runs over changes is CPython's to say. So the steps
# of a traced iterator are a real one (a list's, `zip`, `itertools.groupby`, …) whose elements are `Value`s and whose
# functions evaluate the user's functions. Python generators of our own would be wrong here: they are dead after an
# error, which the user's program may catch, where `map` goes on with the next element.

from __future__ import annotations

import itertools
import operator
import threading
from collections.abc import Callable, Collection
from collections.abc import Iterator as Iterating
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeGuard

from ....core.config import config
from ...breaks import CHANGED_KEYS, LONG_TRACE, UNKNOWN_VALUE, GraphBreak, ProgramRaised, Unwinding
from .. import protocols
from ..base import Value
from ..constant import Constant

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...regions.numbers.ranges import IterationSpace
    from ...tracing.trace import Trace
    from ..objects.user_object import UserObject

Remake = Callable[["EntryWriter"], str]


_PLACE = threading.local()


@contextmanager
def made_in(place: object) -> Iterating[None]:
    """A context in which only iterators made in it are advanced: what is evaluated there stands for many rounds."""
    before, _PLACE.place = getattr(_PLACE, "place", None), place
    try:
        yield
    finally:
        _PLACE.place = before


class Iterator(Value):
    """An iterator made in the trace, advanced while tracing. `advanced` counts its steps.

    kind:   the type the real object has; None when it is not known.
    remake: writes the expression for an iterator that stands where this one stands; None when there is no such.
    """

    is_one_object = True

    def __init__(self, steps: Iterating[Value], kind: type | None = None, remake: Remake | None = None) -> None:
        self.steps = steps
        self.kind = kind
        self.remake = remake
        self.advanced = 0
        self.skipped = 0
        """The number of its steps for which a node stands."""
        self.made_in = getattr(_PLACE, "place", None)
        self.space: IterationSpace | None = None
        """The iteration space that it runs over, where a native loop may run over that; else None."""
        self._gave_numbers = False

    @property
    def gives_numbers(self) -> bool:
        """Whether it surely leads to no array: it runs over a range, or did so before a native loop spent it."""
        return self._gave_numbers if self.space is None else not self.space.holds

    def spend(self) -> list[tuple[Iterator, tuple[Any, ...]]]:
        """A native loop runs over it: nobody knows any more where it stands. This and inner ones, as they stood."""
        spent = [(self, (self._gave_numbers, self.made_in, self.remake, self.space))]
        self._gave_numbers = self.gives_numbers
        self.made_in, self.remake = self, None
        for each in self.space.inner if self.space is not None else ():
            spent += each.spend()
        self.space = None
        return spent

    def stand(self, stood: tuple[Any, ...]) -> None:
        """Lets it stand where it stood when a native loop spent it."""
        self._gave_numbers, self.made_in, self.remake, self.space = stood

    @property
    def python_type(self) -> type:
        if self.kind is None:
            raise self.unsupported("the type")
        return self.kind

    def describe(self) -> str:
        return "an iterator"

    def unsupported(self, operation: str) -> GraphBreak:
        return UNKNOWN_VALUE.stop(operation=operation, name=self.describe())

    def truth(self, trace: Trace) -> bool:
        return True

    def __iter__(self) -> Iterator:
        return self

    def __next__(self) -> Value:
        if self.made_in is not getattr(_PLACE, "place", None):
            raise UNKNOWN_VALUE.stop(operation="the next element in a native loop", name=self.describe())
        self.advanced += 1
        try:
            return next(self.steps)
        except ProgramRaised as raised:
            if ends_iteration(raised):  # whoever raises it
                raise StopIteration(*_carried(raised)) from None
            raise

    def advance(self) -> Value | None:
        """The next element; None at the end. Errors: a break where Python raises."""
        return next(self, None)

    def skip(self, count: int) -> None:
        """Advances as many times at once."""
        for _ in range(count):
            self.advance()
        self.skipped += count

    def elements(self, trace: Trace) -> list[Value]:
        return list(self)

    def iterate(self, trace: Trace) -> Iterating[Value]:
        return self

    def contains(self, trace: Trace, element: Value) -> bool:
        return any(protocols.equal(trace, each, element) for each in self)

    def attribute(self, trace: Trace, name: str) -> Value:
        if name in protocols.iterator_method.load().RULES:
            return protocols.iterator_method(self, name)
        raise self.unsupported(f"the attribute {name!r}")

    def rebuild(self, writer: EntryWriter) -> str:
        remake = self.remake
        if remake is None:
            raise self.unsupported("a return")
        return writer.once(self, lambda: remake(writer))


def _asked(trace: Trace, owner: UserObject) -> Value:
    """The element that the `__next__` of an object of a user's class gives."""
    count_step(trace)
    value = owner.special(trace, "__next__")
    if value is None:  # the program has taken it away
        raise owner.unsupported("the next element")
    return value


class OwnIterator(Iterator):
    """An object of a user's class (`owner`) that is iterated over by its `__next__`, as loops hold it."""

    def __init__(self, trace: Trace, owner: UserObject) -> None:
        # The steps know the owner, not this iterator: a cycle would keep the object until it is collected.
        super().__init__(map(_asked, itertools.repeat(trace), itertools.repeat(owner)), owner.python_type)
        self.owner = owner

    def describe(self) -> str:
        return self.owner.describe()

    def attribute(self, trace: Trace, name: str) -> Value:
        return self.owner.attribute(trace, name)

    def rebuild(self, writer: EntryWriter) -> str:
        return self.owner.rebuild(writer)


class IndexSteps:
    """The old protocol of iteration: `owner[0]`, `owner[1]` and so on until IndexError, or StopIteration.

    Backwards it begins at the `last` index, and ends below 0 as well.
    """

    def __init__(self, trace: Trace, owner: Value, last: int | None = None) -> None:
        self.trace = trace
        self.owner: Value | None = owner
        self.index, self.step = (0, 1) if last is None else (last, -1)

    def __iter__(self) -> IndexSteps:
        return self

    def __next__(self) -> Value:
        if self.owner is None or self.index < 0:
            raise StopIteration
        count_step(self.trace)
        try:
            value = self.owner.item(self.trace, Constant(self.index))
        except ProgramRaised as raised:
            if isinstance(raised.error, (IndexError, StopIteration)):
                self.owner = None
                raise StopIteration from None
            raise
        self.index += self.step
        return value


class Leaf:
    """A real iterator that runs no user code; its errors are Python's, and an endless one meets the trace's limit."""

    def __init__(self, trace: Trace, inner: Iterating[Value]) -> None:
        self.trace = trace
        self.inner = inner

    def __iter__(self) -> Leaf:
        return self

    def __next__(self) -> Value:
        count_step(self.trace)
        try:
            return next(self.inner)
        except RuntimeError as error:  # a dict or a set that changed its size
            raise ProgramRaised(error) from None


class TableLeaf(Leaf):
    """A real iterator over a dict, the `owner`; it runs no user code.

    Where the body of the loop takes keys away and adds as many, what comes next, or whether CPython raises, depends on
    the places in the real object's table, which nobody knows while tracing, and which a dict that a split makes anew
    does not have: such a call is Python's as a whole. (An OrderedDict has a list.)
    """

    def __init__(self, trace: Trace, inner: Iterating[Value], owner: Value, items: Collection[Any]) -> None:
        super().__init__(trace, inner)
        self.owner = owner
        self.items = items
        self.keys = list(items)

    def __next__(self) -> Value:
        same_size = type(self.items) is dict and len(self.items) == len(self.keys)
        if same_size and any(map(operator.is_not, self.items, self.keys)):
            raise CHANGED_KEYS.stop(name=self.owner.describe())
        return super().__next__()


def count_step(trace: Trace) -> None:
    """Counts a step of an iterator as an instruction. Errors: a break when the trace has become too long."""
    trace.progress.instructions += 1
    if trace.progress.instructions > config.trace_limit:
        raise LONG_TRACE.stop(limit=config.trace_limit)


def ends_iteration(stop: Unwinding) -> TypeGuard[ProgramRaised]:
    """Whether the program raises StopIteration here, which ends the iterator that asked."""
    return isinstance(stop, ProgramRaised) and isinstance(stop.error, StopIteration)


def _carried(raised: ProgramRaised) -> list[Value]:
    from .element_protocol import constant_value

    return [each if isinstance(each, Value) else constant_value(each) for each in raised.error.args[:1]]


def calling(trace: Trace, function: Value) -> Callable[..., Value]:
    """A traced function for use inside a real iterator, which a StopIteration of the program's ends."""

    def run(*args: Value) -> Value:
        count_step(trace)
        try:
            return function.call(trace, list(args), {})
        except ProgramRaised as raised:
            if ends_iteration(raised):
                raise StopIteration from None
            raise

    return run


def testing(trace: Trace, predicate: Value | None) -> Callable[[Value], bool]:
    """The truth of `predicate(element)`, for use inside a real iterator; without a predicate, of the element."""
    if predicate is None:
        return lambda element: protocols.truth(trace, element)
    call = calling(trace, predicate)
    return lambda element: protocols.truth(trace, call(element))


def stop_iteration(value: Value | None) -> ProgramRaised:
    """The StopIteration of a program; its value is a traced one."""
    empty = value is None or isinstance(value, Constant) and value.value is None
    return ProgramRaised(StopIteration() if empty else StopIteration(value), "StopIteration")
