"""Named tuples, from outside or made by the call: tuples that know their class."""

from __future__ import annotations

import collections
import types
from typing import TYPE_CHECKING, Any

from ....guards.computed_sources import CallSource
from ....guards.guard import Equals, Is, TypeIs
from ....guards.sources import Source
from ...breaks import SIDE_EFFECT, UNKNOWN_CALL
from ...tracing.rules import traces
from ..base import Value, wrap, wraps_when
from ..builtin_callable import BuiltinCallable
from ..objects.classes import ABSENT, class_attribute, has_dict, reads_ordinarily
from ..objects.type_flags import HEAP_TYPE
from ..objects.user_object import UserObject
from .builtin_subclasses import new_holder
from .sequences import TupleValue

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace

GETTER: type = type(vars(collections.namedtuple("GETTER", "first"))["first"])  # noqa: PYI024
_AS_TUPLES_DO = ("__len__", "__iter__", "__getitem__", "__contains__", "__getattribute__")


class NamedTupleValue(TupleValue, UserObject):
    """A tuple of a class that adds names and methods, and leaves to `tuple` what a tuple is."""

    __slots__ = ("cls",)

    def __init__(self, cls: type, items: list[Value], source: Source | None = None) -> None:
        TupleValue.__init__(self, items, source)
        self.cls = cls

    @property
    def python_type(self) -> type:
        return self.cls

    def plain(self) -> TupleValue:
        """An ordinary tuple of the same elements."""
        return TupleValue(list(self.items))

    def acts_as_tuple(self, trace: Trace, *names: str) -> bool:
        """Whether these special methods are the ones that `tuple` has, or none."""
        for name in names:
            found, source = class_attribute(trace, self.cls, name)
            if found is ABSENT and name not in vars(tuple) and name not in vars(object):
                continue
            if found is not vars(tuple).get(name, vars(object).get(name)):
                return False
            trace.guard(Is, source, expected=found)
        return True

    def is_constant(self) -> bool:
        return False

    def constant(self, trace: Trace) -> Any:
        raise self.unsupported("the value of it as a constant")

    def item(self, trace: Trace, key: Value) -> Value:
        return self.plain().item(trace, key)

    def attribute(self, trace: Trace, name: str) -> Value:
        if name in ("count", "index") and class_attribute(trace, self.cls, name)[0] is vars(tuple)[name]:
            return self.plain().attribute(trace, name)
        found, source = class_attribute(trace, self.cls, name)
        if type(found) is GETTER:
            trace.guard(Is, source, expected=found)
            place: Any = found.__reduce__()  # type: ignore[attr-defined]
            return self.items[place[1][0]]
        return UserObject.attribute(self, trace, name)

    def own(self, trace: Trace, name: str) -> Value | None:
        return None

    def put(self, trace: Trace, name: str, value: Value) -> None:
        raise SIDE_EFFECT.stop(name=f"{self.describe()}.{name}")

    def rebuild(self, writer: EntryWriter) -> str:
        if self.source is not None:
            return self.source.text(writer.pool)
        known = writer.name_of(self)
        if known is None:
            text = f"{writer.pool.add(tuple.__new__)}({writer.pool.add(self.cls)}, {self.plain().rebuild(writer)})"
            known = writer.name_for(self)
            writer.statements.append(f"{known} = {text}")
        return known


def adds_names_only(cls: type) -> bool:
    """Whether a class leaves to `tuple` what its instances are and hold."""
    bases = [base for base in cls.__mro__ if base not in (tuple, object)]
    own = {name for base in bases for name in vars(base)}
    made = [vars(base)["__new__"] for base in bases if "__new__" in vars(base)]
    return (
        type(cls) is type
        and issubclass(cls, tuple)
        and cls is not tuple
        and all(base.__flags__ & HEAP_TYPE for base in bases)
        and own.isdisjoint({*_AS_TUPLES_DO, "__bool__", "__del__", "__class__"})
        and all(isinstance(each, staticmethod) and type(each.__func__) is types.FunctionType for each in made)
        and "_fields" in own
        and reads_ordinarily(cls)
    )


def named(trace: Trace, cls: type, items: list[Value], source: Source | None = None) -> NamedTupleValue:
    """A named tuple of a class that adds names only. Errors: a break where its instances do otherwise than tuples."""
    value = NamedTupleValue(cls, items, source)
    if not value.acts_as_tuple(trace, *_AS_TUPLES_DO, "__bool__", "__del__"):
        raise value.unsupported("any use")
    return value


@wraps_when(lambda value: adds_names_only(type(value)) and not has_dict(type(value)), first=True)
def wrap_named_tuple(trace: Trace, value: Any, source: Source) -> Value:
    """A named tuple, its elements wrapped one by one."""
    trace.guard(TypeIs, source, expected=type(value))
    trace.guard(
        Equals, CallSource(tuple.__len__, f"len({source})", (source,), is_read=True), expected=tuple.__len__(value)
    )
    items = [
        wrap(trace, each, CallSource(tuple.__getitem__, f"{source}[{place}]", (source, place), is_read=True))
        for place, each in enumerate(tuple.__iter__(value))
    ]
    return named(trace, type(value), items, source)


@traces(tuple.__new__)
def new_tuple(trace: Trace, cls: Value, iterable: Value | None = None, /) -> Value:
    """`tuple.__new__(cls, iterable)`."""
    kind = cls.function if isinstance(cls, BuiltinCallable) else None
    items = [] if iterable is None else iterable.elements(trace)
    if kind is tuple:
        return TupleValue(items)
    if not isinstance(kind, type) or not issubclass(kind, tuple):
        raise UNKNOWN_CALL.stop(name="tuple.__new__ of this class")
    if not adds_names_only(kind):
        return new_holder(trace, kind, TupleValue(items))
    return named(trace, kind, items)
