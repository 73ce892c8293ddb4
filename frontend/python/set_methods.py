"""`set`, `frozenset` and their methods over traced values."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..breaks import UNKNOWN_CALL, Unwinding
from ..tracing.rules import traces
from ..values.base import Value
from ..values.constant import NONE, Constant
from ..values.containers.sets import SetValue, add, element_of, extend, made, operand
from .sequence_methods import method

if TYPE_CHECKING:
    from ..tracing.trace import Trace


@traces(set)
def set_(trace: Trace, iterable: Value | None = None, /) -> Value:
    """`set`."""
    result = made(trace, set)
    if iterable is not None:
        extend(trace, result, iterable)
    return result


@traces(frozenset)
def frozenset_(trace: Trace, iterable: Value | None = None, /) -> Value:
    """`frozenset`; of a frozenset it is that itself."""
    if isinstance(iterable, SetValue) and iterable.python_type is frozenset:
        return iterable
    return made(trace, frozenset, *([] if iterable is None else [operand(trace, iterable)]))


@method("add", set)
def add_one(trace: Trace, owner: SetValue, element: Value) -> Value:
    """`set.add`."""
    add(trace, owner, element)
    return NONE


@method("update", set)
def update(trace: Trace, owner: SetValue, *others: Value) -> Value:
    """`set.update`."""
    for each in others:
        extend(trace, owner, each)
    return NONE


@method("discard", set)
def discard(trace: Trace, owner: SetValue, element: Value) -> Value:
    """`set.discard`."""
    known = element_of(trace, element, lookup=True)
    owner.change(trace, _discard, (known, known))
    return NONE


@method("remove", set)
def remove(trace: Trace, owner: SetValue, element: Value) -> Value:
    """`set.remove`."""
    known = element_of(trace, element, lookup=True)
    owner.change(trace, _remove, (known, known))
    return NONE


@method("pop", set)
def pop(trace: Trace, owner: SetValue) -> Value:
    """`set.pop`."""
    raise UNKNOWN_CALL.stop(name="set.pop, which takes any element")


@method("clear", set)
def clear(trace: Trace, owner: SetValue) -> Value:
    """`set.clear`."""
    owner.change(trace, _clear)
    return NONE


@method("copy", set, frozenset)
def copy(trace: Trace, owner: SetValue) -> Value:
    """`set.copy`; a frozenset is its own copy."""
    return owner if owner.python_type is frozenset else made(trace, set.copy, operand(trace, owner))


@method("__contains__", set, frozenset)
def contains(trace: Trace, owner: SetValue, element: Value) -> Value:
    """`set.__contains__`."""
    return Constant(owner.contains(trace, element))


def _discard(target: set[Any], element: Any) -> set[Any]:
    target.discard(element)
    return target


def _remove(target: set[Any], element: Any) -> set[Any]:
    target.remove(element)
    return target


def _clear(target: set[Any]) -> set[Any]:
    target.clear()
    return target


def _making(name: str) -> Callable[..., Value]:
    """The rule for a method that makes a new set."""

    def rule(trace: Trace, owner: SetValue, *others: Value) -> Value:
        if not others and owner.python_type is frozenset:
            return owner
        function = getattr(owner.python_type, name)
        return made(trace, function, operand(trace, owner), *(operand(trace, each) for each in others))

    return rule


for _name in ("union", "intersection", "difference", "symmetric_difference"):
    method(_name, set, frozenset)(_making(_name))


def _changing(name: str) -> Callable[..., Value]:
    """The rule for a method that changes the set."""
    in_place = _step(getattr(set, name))

    def rule(trace: Trace, owner: SetValue, *others: Value) -> Value:
        try:
            operands = [operand(trace, each) for each in others]
        except Unwinding as stop:
            if stop.program_raises:  # Python would have changed a part by then
                raise UNKNOWN_CALL.stop(name=f"set.{name} of what cannot be in a set") from None
            raise
        owner.change(trace, in_place, *operands)
        return NONE

    return rule


def _step(change: Callable[..., Any]) -> Callable[..., Any]:
    def step(target: set[Any], *others: Any) -> set[Any]:
        change(target, *others)
        return target

    return step


for _name in ("intersection_update", "difference_update", "symmetric_difference_update"):
    method(_name, set)(_changing(_name))


def _asking(name: str) -> Callable[..., Value]:
    """The rule for a method that says how two sets lie to each other."""

    def rule(trace: Trace, owner: SetValue, other: Value) -> Value:
        return Constant(getattr(owner.real, name)(operand(trace, other)[0]))

    return rule


for _name in ("issubset", "issuperset", "isdisjoint"):
    method(_name, set, frozenset)(_asking(_name))
