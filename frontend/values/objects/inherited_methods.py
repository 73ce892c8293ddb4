"""Methods that built-in types define, bound to objects and classes of users."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any

from ....guards.sources import Source
from .. import protocols
from ..base import Value
from ..builtin_callable import BuiltinCallable
from .builtin_methods import BuiltinMethod

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace


class NativeMethod(BuiltinMethod):
    """A method in C, as a class has it, bound to an object of a user's class or to such a class itself.

    place: where the class has it.
    """

    __slots__ = ("found", "place")

    def __init__(self, receiver: Value, found: Any, place: Source | None = None) -> None:
        super().__init__(receiver, found.__name__)
        self.found = found
        self.place = place

    @property
    def definition(self) -> Any:
        return self.found

    def attribute(self, trace: Trace, name: str) -> Value:
        kind = self.python_type
        if name in ("__self__", "__name__") or not hasattr(kind, name):
            return super().attribute(trace, name)
        raise self.unsupported(f"the attribute {name!r}")

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        from ..containers.builtin_subclasses import PLAIN, BuiltinSubclassInstance

        if isinstance(self.receiver, BuiltinSubclassInstance) and self.found.__objclass__ in PLAIN:
            return protocols.call_native(trace, self.found, self.receiver, args, kwargs)
        return BuiltinCallable(self.found, self.place).call(trace, [self.receiver, *args], kwargs)

    def rebuild(self, writer: EntryWriter) -> str:
        of_class = isinstance(self.found, types.ClassMethodDescriptorType)
        to = ("None, " if of_class else "") + self.receiver.rebuild(writer)
        return writer.once(self, lambda: f"{writer.pool.add(self.found)}.__get__({to})")
