"""Objects of users' classes that the trace makes: kept in tables of traced values, built when they leave the call."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any

from ....core.package import PACKAGE, is_made_in_graphs
from ....guards.guard import Is
from ...breaks import RAISES, ProgramRaised
from ..base import Value
from ..containers.dicts import DictValue
from .classes import ABSENT, class_attribute, has_dict, reads_ordinarily
from .descriptors import missing, no_room
from .type_flags import HEAP_TYPE
from .user_object import UserObject

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace

ABSTRACT = 1 << 20
"""Py_TPFLAGS_ISABSTRACT."""


class NewInstance(UserObject):
    """An object that the trace made. `table` is its dict, which is what `vars` gives; `slots` goes by descriptor."""

    __slots__ = ("cls", "slots", "table")

    def __init__(self, cls: type) -> None:
        self.cls = cls
        self.table = DictValue({})
        self.slots: dict[Any, Value] = {}

    @property
    def python_type(self) -> type:
        return self.cls

    def own(self, trace: Trace, name: str) -> Value | None:
        return self.table.items.get(name)

    def put(self, trace: Trace, name: str, value: Value) -> None:
        if not has_dict(self.cls):
            raise no_room(trace, self, name)
        self.table.items[name] = value

    def remove(self, trace: Trace, name: str) -> None:
        if not has_dict(self.cls):
            raise no_room(trace, self, name, deletes=True)
        if name not in self.table.items:
            raise missing(self, name)
        del self.table.items[name]

    def slot(self, trace: Trace, descriptor: Any, name: str) -> Value:
        if descriptor not in self.slots:
            raise missing(self, name)
        return self.slots[descriptor]

    def put_slot(self, trace: Trace, descriptor: Any, name: str, value: Value | None) -> None:
        if value is not None:
            self.slots[descriptor] = value
        elif self.slots.pop(descriptor, None) is None:
            raise ProgramRaised(AttributeError(name))

    def takes_new_attributes(self, trace: Trace) -> bool:
        return has_dict(self.cls)

    def namespace(self, trace: Trace) -> Value:
        if not has_dict(self.cls):
            raise missing(self, "__dict__")
        return self.table

    def rebuild(self, writer: EntryWriter) -> str:
        return writer.made_object(self)

    def maker(self, writer: EntryWriter) -> str:
        """The expression for the object before it holds anything."""
        cls = writer.pool.add(self.cls)
        return f"{cls}()" if self.cls is types.SimpleNamespace else f"{writer.pool.add(object.__new__)}({cls})"

    def fill(self, writer: EntryWriter, name: str) -> list[str]:
        """The statements that give the new object in the variable `name` what it holds."""
        lines = [
            f"{writer.pool.add(descriptor)}.__set__({name}, {value.rebuild(writer)})"
            for descriptor, value in self.slots.items()
        ]
        if has_dict(self.cls):
            lines += writer.fill_dict(self.table, f"{name}.__dict__")
        return lines


def new_instance(trace: Trace, cls: type) -> NewInstance:
    """The result of `object.__new__(cls)`. Errors: a break for classes whose objects hold more than attributes."""
    made = NewInstance(cls)
    for base in cls.__mro__[:-1]:
        own = vars(base).get("__new__")
        python = own is None or isinstance(own, staticmethod) and isinstance(own.__func__, types.FunctionType)
        module = vars(base).get("__module__", "")
        ours = module.partition(".")[0] == PACKAGE and not is_made_in_graphs(module)
        if ours or not python or not base.__flags__ & HEAP_TYPE:
            raise made.unsupported("a new object")
    class_attribute(trace, cls, "__getattribute__")  # guards that no class comes to define one
    if not reads_ordinarily(cls):
        raise made.unsupported("an attribute")
    if class_attribute(trace, cls, "__del__")[0] is not ABSENT:
        raise made.unsupported("the finalizer")
    abstract, source = class_attribute(trace, cls, "__abstractmethods__")
    if abstract is not ABSENT:
        trace.guard(Is, source, expected=abstract)
    if cls.__flags__ & ABSTRACT:
        raise RAISES.stop(error=f"TypeError: {cls.__name__} is abstract")
    return made
