"""`reversed` over traced values."""

from __future__ import annotations

from collections.abc import Iterator as Iterating
from typing import TYPE_CHECKING

from ...core.sizes import is_whole
from ...guards.guard import Is
from ..breaks import ProgramRaised
from ..regions.arrays.views import RegionArray
from ..regions.numbers.iteration import over_array
from ..regions.numbers.ranges import IterationSpace, RunRange, never
from ..tracing.rules import traces
from ..values.arrays.array import ArrayValue
from ..values.base import Value
from ..values.constant import Constant
from ..values.containers.deques import DequeValue
from ..values.containers.dicts import DictValue, DictView
from ..values.containers.element_protocol import constant_value
from ..values.containers.iterators import IndexSteps, Iterator, Leaf, TableLeaf
from ..values.containers.ranges import RangeValue
from ..values.containers.sequences import ListValue, TupleValue
from ..values.numbers.symbolic_int import number
from ..values.objects.classes import ABSENT, class_attribute
from ..values.objects.user_object import UserObject
from .iteration import at, over_real, space_over_parts

if TYPE_CHECKING:
    from ..tracing.trace import Trace


@traces(reversed)
def reversed_(trace: Trace, sequence: Value, /) -> Value:
    if isinstance(sequence, DequeValue):
        backwards = reversed(sequence.items)
        return Iterator(Leaf(trace, backwards), type(backwards))
    if isinstance(sequence, ListValue):
        return over_real(trace, reversed(sequence.items), sequence)
    if isinstance(sequence, TupleValue):
        made = Iterator(Leaf(trace, reversed(tuple(sequence.items))), reversed)
        made.space = space_over_parts(trace, sequence, sequence.items[::-1])
        return made
    if isinstance(sequence, DictValue):
        steps = map(constant_value, reversed(sequence.items))
        return Iterator(TableLeaf(trace, steps, sequence, sequence.items), type(reversed({})))
    if isinstance(sequence, DictView):
        return _reversed_view(trace, sequence)
    if isinstance(sequence, RangeValue):
        numbers, over = reversed(sequence.range), sequence.range[::-1]
        made = Iterator(
            Leaf(trace, map(Constant, numbers)), type(numbers), lambda writer: at(writer, numbers, sequence)
        )
        made.space = IterationSpace(Constant(over.start), Constant(over.stop), Constant(over.step))
        return made
    if isinstance(sequence, RunRange):
        return sequence.backwards(trace)
    if isinstance(sequence, RegionArray) and is_whole(sequence.shape[0]):
        return never(over_array(sequence, number(sequence.shape[0]), backwards=True), reversed)
    if isinstance(sequence, ArrayValue) and sequence.shape:
        places = range(sequence.length(trace) - 1, -1, -1)
        made = Iterator(Leaf(trace, map(lambda k: sequence.item(trace, Constant(k)), places)), reversed)
        made.space = over_array(sequence, Constant(len(places)), backwards=True)
        return made
    if isinstance(sequence, Constant) and type(sequence.value) in (str, bytes):
        return Iterator(Leaf(trace, map(constant_value, reversed(sequence.value))), reversed)
    if isinstance(sequence, Iterator) and sequence.kind is not None:
        raise ProgramRaised(TypeError(f"{sequence.kind.__name__!r} object is not reversible"))
    if isinstance(sequence, UserObject):
        return _reversed_object(trace, sequence)
    raise sequence.unsupported("reversed()")


def _reversed_object(trace: Trace, owner: UserObject) -> Value:
    """By `__reversed__` of its class, or else by index."""
    kind = owner.python_type
    found, source = class_attribute(trace, kind, "__reversed__")
    if found is None:
        trace.guard(Is, source, expected=None)
    elif found is not ABSENT:
        turned = owner.special(trace, "__reversed__")
        assert turned is not None
        return turned
    if found is None or class_attribute(trace, kind, "__getitem__")[0] is ABSENT:
        raise ProgramRaised(TypeError(f"{kind.__name__!r} object is not reversible"))
    if class_attribute(trace, kind, "__len__")[0] is ABSENT:
        raise ProgramRaised(TypeError(f"object of type {kind.__name__!r} has no len()"))
    return Iterator(IndexSteps(trace, owner, owner.length(trace) - 1), reversed)


def _reversed_view(trace: Trace, view: DictView) -> Value:
    items = view.owner.items
    kind = type(reversed(getattr({}, view.name)()))
    if view.name == "values":
        steps: Iterating[Value] = reversed(items.values())
    elif view.name == "keys":
        steps = map(constant_value, reversed(items.keys()))
    else:
        steps = map(lambda pair: TupleValue([constant_value(pair[0]), pair[1]]), reversed(items.items()))
    return Iterator(TableLeaf(trace, steps, view.owner, items), kind)
