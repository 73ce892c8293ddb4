"""`collections.OrderedDict` over traced values: the held dict keeps its items in one, whose order is Python's."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from ....guards.guard import Equals
from ....guards.sources import Attribute, ConstantSource
from ...breaks import RAISES, ProgramRaised
from ...values.base import Value
from ...values.constant import FALSE, NONE, TRUE, Constant
from ...values.containers.builtin_subclasses import BuiltinSubclassInstance, NewHolder
from ...values.containers.dicts import DictValue, DictView
from ...values.containers.element_protocol import constant_value, key_of
from ...values.containers.iterators import Iterator
from ...values.containers.sequences import TupleValue
from ...values.objects.classes import ABSENT, SLOT_WRAPPERS, class_attribute, class_itself
from ...values.objects.user_object import UserObject
from .. import operators
from ..builtin_subclass_methods import native_method
from ..container_operators import is_or_equals
from ..dunder_operators import NOT_IMPLEMENTED, answers
from ..iteration import iterator_of
from ..mappings import merge_mapping, merge_pairs

if TYPE_CHECKING:
    from ...tracing.trace import Trace


class OrderedView(DictView):
    """The view that `keys()`, `values()` and `items()` of an OrderedDict give."""

    __slots__ = ()

    @property
    def python_type(self) -> type:
        return type(getattr(OrderedDict(), self.name)())


def _view(name: str) -> None:
    native_method(name, OrderedDict)(lambda trace, owner, /: OrderedView(owner.held, name))


for _name in ("keys", "values", "items"):
    _view(_name)


@native_method("__iter__", OrderedDict)
def iterate(trace: Trace, owner: BuiltinSubclassInstance, /) -> Value:
    """`OrderedDict.__iter__`."""
    return Iterator(iterator_of(trace, owner.held).steps, type(iter(OrderedDict())))


def _reads_and_deletes_plainly(trace: Trace, owner: BuiltinSubclassInstance) -> None:
    """Errors: a break where a subclass has a say in reading and changing items: these methods ask it."""
    for name in ("__getitem__", "__setitem__", "__delitem__", "__contains__", "__missing__"):
        found, _ = class_attribute(trace, owner.python_type, name)
        if found is not ABSENT and type(found) not in SLOT_WRAPPERS:
            raise owner.unsupported(f"a method of OrderedDict beside a {name} of its own")


@native_method("move_to_end", OrderedDict)
def move_to_end(trace: Trace, owner: BuiltinSubclassInstance, key: Value, last: Value = TRUE) -> Value:
    """`OrderedDict.move_to_end`."""
    wanted, to_end = key_of(trace, key), operators.truth(trace, last)
    items = owner.held.changing()
    try:
        items.move_to_end(wanted, to_end)
    except KeyError as error:
        raise ProgramRaised(error) from None
    owner.held.note_gone(items if not to_end else [wanted])
    return NONE


@native_method("popitem", OrderedDict)
def pop_item(trace: Trace, owner: BuiltinSubclassInstance, last: Value = TRUE) -> Value:
    """`OrderedDict.popitem`."""
    _reads_and_deletes_plainly(trace, owner)
    if not owner.held.items:
        raise ProgramRaised(KeyError("dictionary is empty"))
    items = owner.held.items
    key = next(reversed(items) if operators.truth(trace, last) else iter(items))
    return TupleValue([constant_value(key), owner.held.take(key)])


@native_method("pop", OrderedDict)
def pop(trace: Trace, owner: BuiltinSubclassInstance, key: Value, default: Value | None = None) -> Value:
    """`OrderedDict.pop`."""
    _reads_and_deletes_plainly(trace, owner)
    wanted = key_of(trace, key)
    if default is not None and wanted not in owner.held.items:
        return default
    return owner.held.take(wanted)  # type: ignore[no-any-return]


@native_method("setdefault", OrderedDict)
def set_default(trace: Trace, owner: BuiltinSubclassInstance, key: Value, default: Value = NONE) -> Value:
    """`OrderedDict.setdefault`."""
    _reads_and_deletes_plainly(trace, owner)
    if not owner.held.contains(trace, key):
        owner.held.set_item(trace, key, default)
    return owner.held.item(trace, key)  # type: ignore[no-any-return]


@native_method("__eq__", OrderedDict)
def equal(trace: Trace, owner: BuiltinSubclassInstance, other: Value, /) -> Value:
    """`OrderedDict.__eq__`: by order where both are ordered."""
    mine = owner.held
    theirs = other.held if isinstance(other, BuiltinSubclassInstance) else other
    if not isinstance(theirs, DictValue):
        return NOT_IMPLEMENTED
    if len(mine.items) != len(theirs.items):
        return FALSE
    if (
        isinstance(other, BuiltinSubclassInstance)
        and other.native is OrderedDict
        and list(mine.items) != list(theirs.items)
    ):
        for key, each in mine.items.items():  # compared all the same, until one differs
            if key not in theirs.items or not is_or_equals(trace, each, theirs.items[key]):
                break
        return FALSE
    return operators.compare(trace, "==", mine, theirs)


@native_method("__ne__", OrderedDict)
def unequal(trace: Trace, owner: BuiltinSubclassInstance, other: Value, /) -> Value:
    """`OrderedDict.__ne__`."""
    answer = equal(trace, owner, other)
    return answer if answer is NOT_IMPLEMENTED else Constant(not operators.truth(trace, answer))


@native_method("__init__", OrderedDict)
@native_method("update", OrderedDict)
def update(trace: Trace, owner: BuiltinSubclassInstance, other: Value | None = None, /, **items: Value) -> Value:
    """`OrderedDict.update`, which stores as the class says."""
    if other is not None and not merge_mapping(trace, owner.set_item, other, by_protocol=True):
        if isinstance(other, UserObject):
            raise other.unsupported("OrderedDict.update()")  # it may have an `items`
        try:
            merge_pairs(trace, owner.set_item, other)
        except ProgramRaised as raised:
            raise RAISES.stop(error=str(raised.error)) from None  # in words of its own
    for name, each in items.items():
        owner.set_item(trace, Constant(name), each)
    return NONE


@native_method("copy", OrderedDict)
def copy_ordered(trace: Trace, owner: BuiltinSubclassInstance, /) -> Value:
    """`OrderedDict.copy`."""
    if owner.python_type is not OrderedDict:
        raise owner.unsupported("copy()")
    return NewHolder(OrderedDict, DictValue(OrderedDict(owner.held.items)))


@native_method("__or__", OrderedDict)
def join(trace: Trace, owner: BuiltinSubclassInstance, other: Value, /) -> Value:
    """`left | right` of an OrderedDict on the left."""
    return _joined(trace, owner, owner, other)


@native_method("__ror__", OrderedDict)
def join_reflected(trace: Trace, owner: BuiltinSubclassInstance, other: Value, /) -> Value:
    """`left | right` of an OrderedDict on the right."""
    return _joined(trace, owner, other, owner)


def _joined(trace: Trace, owner: BuiltinSubclassInstance, left: Value, right: Value) -> Value:
    if not all(answers(dict, each) for each in (left, right)):
        return NOT_IMPLEMENTED
    made = class_itself(owner.python_type).call(trace, [left], {})
    if not isinstance(made, BuiltinSubclassInstance):
        raise owner.unsupported("the operator `|`")
    update(trace, made, right)
    return made


@native_method("__ior__", OrderedDict)
def join_in_place(trace: Trace, owner: BuiltinSubclassInstance, other: Value, /) -> Value:
    """`owner |= other`."""
    update(trace, owner, other)
    return owner


@native_method("__repr__", OrderedDict)
def spell(trace: Trace, owner: BuiltinSubclassInstance, /) -> Value:
    """`repr`, which differs between versions."""
    cls = owner.python_type
    trace.guard(Equals, Attribute(ConstantSource(cls, cls.__qualname__), "__name__"), expected=cls.__name__)
    text = owner.held.spelled(trace, lambda items: repr(OrderedDict(items)))
    shown = text.constant(trace).replace("OrderedDict", cls.__name__, 1)
    return Constant(shown)
