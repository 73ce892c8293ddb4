"""Built-in functions that ask about objects, classes and attributes."""

from __future__ import annotations

import abc
import inspect
import types
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...core.records import part_names
from ...guards.computed_sources import CallSource
from ...guards.guard import Equals, Is, TypeIs
from ...guards.sources import Attribute, ConstantSource
from ..breaks import UNKNOWN_CALL, ProgramRaised
from ..tracing.rules import traces
from ..values.arrays.array import ArrayValue
from ..values.base import Value
from ..values.builtin_callable import BuiltinCallable
from ..values.constant import FALSE, LITERALS, NONE, TRUE, Constant
from ..values.containers.dicts import DictValue
from ..values.containers.sequences import Sequence, TupleValue
from ..values.functions.scopes import CellValue
from ..values.numbers import input_scalar
from ..values.numbers.object_id import IdentityValue, require_kept
from ..values.objects.classes import (
    ABSENT,
    ORDINARY_METACLASSES,
    attribute_among,
    class_attribute,
    class_itself,
    has_dict,
)
from ..values.objects.super_object import super_of
from ..values.objects.type_flags import HEAP_TYPE
from ..values.objects.user_object import UserObject

if TYPE_CHECKING:
    from ..tracing.trace import Trace


def type_of(trace: Trace, value: Value) -> type:
    """The type of a value, relied on where it could be another one at another call."""
    if isinstance(value, input_scalar.InputNumber):
        input_scalar.rely_on_type(trace, value)
    return value.python_type


@traces(isinstance)
def isinstance_(trace: Trace, value: Value, kinds: Value, /) -> Value:
    """`isinstance(value, kinds)`."""
    return Constant(_is_among(trace, type_of(trace, value), _classes(kinds)))


@traces(issubclass)
def issubclass_(trace: Trace, cls: Value, kinds: Value, /) -> Value:
    """`issubclass(cls, kinds)`."""
    if not isinstance(cls, BuiltinCallable) or not isinstance(cls.function, type):
        raise cls.unsupported("issubclass()")
    return Constant(_is_among(trace, cls.function, _classes(kinds), exact=False))


def _classes(kinds: Value) -> list[type]:
    """The classes of a class, a tuple of them or a union."""
    if isinstance(kinds, TupleValue):
        return [each for item in kinds.items for each in _classes(item)]
    found = kinds.function if isinstance(kinds, BuiltinCallable) else getattr(kinds, "value", None)
    listed = found.__args__ if isinstance(found, types.UnionType) else (found,)
    if not all(isinstance(each, type) for each in listed):
        raise kinds.unsupported("isinstance()")
    return list(listed)


def _is_among(trace: Trace, cls: type, kinds: list[type], *, exact: bool = True) -> bool:
    """Whether a class is one of these or below one: the first of them that says so ends the search."""
    if cls.__flags__ & HEAP_TYPE:
        trace.guard(Is, Attribute(ConstantSource(cls, cls.__qualname__), "__mro__"), expected=cls.__mro__)
    return any(_is_below(trace, cls, kind, exact=exact) for kind in kinds)


def _is_below(trace: Trace, cls: type, kind: type, *, exact: bool) -> bool:
    """`issubclass(cls, kind)`. Errors: a break where a metaclass would be asked and may run code of the user's."""
    if exact and cls is kind:
        return True
    if _is_asked_by_none(trace, kind):
        return kind in cls.__mro__
    hooked = any("__subclasshook__" in vars(base) for base in kind.__mro__ if base is not object)
    if _is_library(type(kind)) and not hooked and kind in cls.__mro__:
        return True
    if _is_library(kind) and (not cls.__flags__ & HEAP_TYPE or _is_library(cls)):
        return issubclass(cls, kind)
    if type(kind) is abc.ABCMeta and not any(_asks_the_user(each) for each in _tree(kind)):
        return _registered(trace, cls, kind)
    raise UNKNOWN_CALL.stop(name=f"isinstance of a {cls.__name__} and the abstract class {kind.__name__}")


def _is_asked_by_none(trace: Trace, kind: type) -> bool:
    """Whether a metaclass leaves the question to `type`; relied on where it is one that a program can change."""
    asked: type = type(kind)
    if asked is type:
        return True
    trace.guard(TypeIs, ConstantSource(kind, kind.__qualname__), expected=asked)
    own = [base for base in asked.__mro__ if base not in (type, object)]
    hooks = (attribute_among(trace, asked, own, name) for name in ("__instancecheck__", "__subclasscheck__"))
    return all(found is ABSENT for found, _ in hooks)


def _registered(trace: Trace, cls: type, kind: type) -> bool:
    """`issubclass(cls, kind)` of an abstract class, which keeps its answer until the next `register` of any class."""
    found = issubclass(cls, kind)
    count = CallSource(abc.get_cache_token, "abc.get_cache_token", ())
    trace.guard(Equals, count, expected=abc.get_cache_token())
    return found


def _tree(kind: type) -> Iterator[type]:
    """All classes that an abstract class asks: its bases, and whatever is below it."""
    yield from kind.__mro__
    below: list[type] = type.__subclasses__(kind)
    for each in below:
        yield from _tree(each)


def _asks_the_user(cls: type) -> bool:
    """Whether a class answers `issubclass` by code of the user's."""
    if _is_library(cls):
        return False
    return type(cls) not in ORDINARY_METACLASSES or "__subclasshook__" in vars(cls)


_LIBRARY = ("abc", "builtins", "collections", "numbers", "numpy", "typing", "enum", "os")


def _is_library(cls: type) -> bool:
    module = vars(cls).get("__module__", "builtins")
    return type(module) is str and module.partition(".")[0] in _LIBRARY


@traces(type)
def type_(trace: Trace, value: Value, /) -> Value:
    """`type(value)`."""
    return (
        class_itself(type_of(trace, value)) if isinstance(value, UserObject) else BuiltinCallable(type_of(trace, value))
    )


@traces(id)
def id_(trace: Trace, value: Value, /) -> Value:
    """`id(value)`, to be compared with another."""
    require_kept(trace, value)
    return IdentityValue(value)


@traces(callable)
def callable_(trace: Trace, value: Value, /) -> Value:
    """`callable(value)`."""
    found, source = class_attribute(trace, type_of(trace, value), "__call__")
    if found is ABSENT:
        return FALSE
    trace.guard(Is, source, expected=found)
    return TRUE


@traces(getattr)
def getattr_(trace: Trace, owner: Value, name: Value, default: Value | None = None, /) -> Value:
    """`getattr(owner, name)`, with or without a default."""
    found = _attribute(trace, owner, name, optional=default is not None)
    return found if found is not None else default  # type: ignore[return-value]


@traces(hasattr)
def hasattr_(trace: Trace, owner: Value, name: Value, /) -> Value:
    """`hasattr(owner, name)`."""
    return FALSE if _attribute(trace, owner, name, optional=True) is None else TRUE


def attribute_of(trace: Trace, owner: Value, name: str) -> Value:
    """`owner.name`, for any value: `__class__` of a built-in one is its type."""
    built_in = isinstance(owner, (Constant, input_scalar.InputNumber, Sequence, DictValue)) and not isinstance(
        owner, UserObject
    )
    if name == "__class__" and built_in:
        return BuiltinCallable(type_of(trace, owner))
    return owner.attribute(trace, name)


def _attribute(trace: Trace, owner: Value, name: Value, *, optional: bool) -> Value | None:
    """The attribute; None where the program would get an AttributeError and does not mind."""
    try:
        return attribute_of(trace, owner, _name(trace, name))
    except ProgramRaised as raised:
        if optional and isinstance(raised.error, AttributeError):
            return None
        raise


def _name(trace: Trace, name: Value) -> str:
    known = name.constant(trace)
    if type(known) is not str:
        raise ProgramRaised(TypeError(f"attribute name must be string, not '{type(known).__name__}'"))
    return known


@traces(setattr)
def setattr_(trace: Trace, owner: Value, name: Value, value: Value, /) -> Value:
    """`setattr(owner, name, value)`."""
    trace.refuse_in_iterations("setattr()")
    owner.set_attribute(trace, _name(trace, name), value)
    return NONE


@traces(delattr)
def delattr_(trace: Trace, owner: Value, name: Value, /) -> Value:
    """`delattr(owner, name)`."""
    trace.refuse_in_iterations("delattr()")
    owner.delete_attribute(trace, _name(trace, name))
    return NONE


@traces(vars)
def vars_(trace: Trace, owner: Value, /) -> Value:
    """`vars(owner)`."""
    try:
        return owner.attribute(trace, "__dict__")
    except ProgramRaised as raised:
        if isinstance(raised.error, AttributeError):
            raise ProgramRaised(TypeError("vars() argument must have __dict__ attribute")) from None
        raise


@traces(super)
def super_(trace: Trace, start: Value | None = None, owner: Value | None = None, /) -> Value:
    """`super()`, of the frame that calls it, or `super(start, owner)`."""
    if start is None:
        frame = trace.progress.frames[-1]
        cell = frame.cell("__class__").value if "__class__" in frame.code.raw.co_freevars else None
        first: Any = frame.variables.get(frame.code.raw.co_varnames[0]) if frame.code.raw.co_argcount else None
        first = first.cell.value if isinstance(first, CellValue) else first
        if cell is None or first is None:
            raise UNKNOWN_CALL.stop(name="super() here")
        return super_of(cell, first)
    if owner is None:
        raise UNKNOWN_CALL.stop(name="super of one argument")
    return super_of(start, owner)


# -- module `inspect` --------------------------------------------------------------------------------------------------
@traces(inspect.getattr_static)
def getattr_static(trace: Trace, obj: Value, attr: Value, default: Value | None = None) -> Value:
    """The default, for an attribute that no class of an array, a tensor or a literal has.

    Errors: a break for others."""
    kind, name = type_of(trace, obj), attr.constant(trace)
    literal = isinstance(obj, Constant) and type(obj.value) in LITERALS
    array = isinstance(obj, ArrayValue) or hasattr(type(obj), "__guardlift_apply__")
    if not (array or literal) or has_dict(kind) or default is None or type(name) is not str:
        raise UNKNOWN_CALL.stop(name=f"inspect.getattr_static({obj.describe()}, {name!r})")
    if class_attribute(trace, kind, name)[0] is not ABSENT:
        raise UNKNOWN_CALL.stop(name=f"inspect.getattr_static({obj.describe()}, {name!r})")
    return default


@traces(inspect.isclass)
def isclass(trace: Trace, object: Value) -> Value:  # noqa: A002
    """Whether it is a class."""
    return Constant(issubclass(type_of(trace, object), type))


@traces(part_names)
def trace_part_names(trace: Trace, kind: Value) -> Value:
    """The names of a dataclass's fields that are parts, as long as the class has these fields."""
    cls = kind.constant(trace)
    found, source = class_attribute(trace, cls, "__dataclass_fields__")
    trace.guard(Is, source, expected=found)
    return TupleValue([Constant(name) for name in part_names(cls)])
