"""`collections.defaultdict` over traced values, and `Counter`'s function in C."""

from __future__ import annotations

import collections
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from ...breaks import ProgramRaised
from ...bytecode.versions import current
from ...tracing.rules import traces
from ...values.base import Value
from ...values.constant import NONE, Constant, is_none
from ...values.containers.builtin_subclasses import FACTORY, BuiltinSubclassInstance
from ...values.containers.dicts import DictValue
from ...values.containers.element_protocol import key_for, key_of
from ...values.objects.classes import class_attribute, class_itself
from ...values.text import text_of
from .. import operators
from ..builtin_subclass_construction import update
from ..builtin_subclass_methods import native_method
from ..dunder_operators import NOT_IMPLEMENTED, answers
from ..iteration import iterator_of
from ..mappings import merge

if TYPE_CHECKING:
    from ...tracing.trace import Trace

_COUNT_ELEMENTS: Any = vars(collections)["_count_elements"]


@native_method("__init__", defaultdict)
def initialise(
    trace: Trace, owner: BuiltinSubclassInstance, factory: Value = NONE, /, *args: Value, **items: Value
) -> Value:
    """`defaultdict.__init__`."""
    if not is_none(factory) and not any("__call__" in vars(base) for base in factory.python_type.__mro__):
        raise ProgramRaised(TypeError("first argument must be callable or None"))
    owner.put_slot(trace, FACTORY, "default_factory", factory)
    return update(trace, owner, *args, **items)


def _factory(trace: Trace, owner: BuiltinSubclassInstance) -> Value:
    return owner.slot(trace, FACTORY, "default_factory")


@native_method("__missing__", defaultdict)
def missing(trace: Trace, owner: BuiltinSubclassInstance, key: Value, /) -> Value:
    """`defaultdict.__missing__`."""
    factory = _factory(trace, owner)
    if is_none(factory):
        raise ProgramRaised(KeyError(key_of(trace, key)))
    made = factory.call(trace, [], {})
    if current().missing_sets_item:
        owner.set_item(trace, key, made)
        return made
    held = owner.held
    assert isinstance(held, DictValue)
    known = key_for(trace, key, "dict key")
    if known not in held.items:  # the factory may have put it in
        held.set_item(trace, key, made)
    return held.items[known]


@native_method("copy", defaultdict)
@native_method("__copy__", defaultdict)
def copy(trace: Trace, owner: BuiltinSubclassInstance, /) -> Value:
    """`defaultdict.copy`, which calls the class."""
    return class_itself(owner.python_type).call(trace, [_factory(trace, owner), owner], {})


@native_method("__or__", defaultdict)
def join(trace: Trace, owner: BuiltinSubclassInstance, other: Value, /) -> Value:
    """`left | right` of a defaultdict on the left."""
    return _joined(trace, owner, owner, other)


@native_method("__ror__", defaultdict)
def join_reflected(trace: Trace, owner: BuiltinSubclassInstance, other: Value, /) -> Value:
    """`left | right` of a defaultdict on the right."""
    return _joined(trace, owner, other, owner)


def _joined(trace: Trace, owner: BuiltinSubclassInstance, left: Value, right: Value) -> Value:
    if not all(answers(dict, each) for each in (left, right)):
        return NOT_IMPLEMENTED
    made = class_itself(owner.python_type).call(trace, [_factory(trace, owner), left], {})
    if not isinstance(made, BuiltinSubclassInstance):
        raise owner.unsupported("the operator `|`")
    merge(trace, made.held.set_item, right)
    return made


@native_method("__repr__", defaultdict)
def spell(trace: Trace, owner: BuiltinSubclassInstance, /) -> Value:
    """`repr`, which shows the factory. Errors: a break for one that is neither None nor a built-in type."""
    if owner.python_type is not defaultdict:
        raise owner.unsupported("repr()")
    factory = _factory(trace, owner).constant(trace)
    if factory not in _SHOWN:
        raise owner.unsupported("repr()")
    return text_of(lambda held: repr(defaultdict(factory, held)), [owner.held.constant(trace)], {})


_SHOWN = (None, int, float, str, list, dict, set, tuple, bool)


# Counter.
@traces(_COUNT_ELEMENTS)
def count_elements(trace: Trace, mapping: Value, iterable: Value, /) -> Value:
    """`collections._count_elements`, which looks past the class where that has the dict's own methods."""
    if isinstance(mapping, DictValue):
        raise mapping.unsupported("collections._count_elements")
    plainly = isinstance(mapping, BuiltinSubclassInstance) and mapping.native is dict and _is_dicts(trace, mapping)
    items: Any = mapping.held if plainly else None  # type: ignore[attr-defined]
    steps = iterator_of(trace, iterable)
    if plainly:
        for each in steps:
            known = key_of(trace, each)
            count = items.items.get(known, Constant(0))
            items.changing()[known] = operators.operate(trace, "+", count, Constant(1))
        return NONE
    get = mapping.attribute(trace, "get")
    for each in steps:
        found = get.call(trace, [each, Constant(0)], {})
        mapping.set_item(trace, each, operators.operate(trace, "+", found, Constant(1)))
    return NONE


def _is_dicts(trace: Trace, mapping: BuiltinSubclassInstance) -> bool:
    return all(
        class_attribute(trace, mapping.python_type, name)[0] is vars(dict)[name] for name in ("get", "__setitem__")
    )
