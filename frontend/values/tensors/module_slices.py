"""Slices of lists of modules, as in ``for layer in self.layers[:-1]``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....nn.modules.container import ModuleList, Sequential
from ..base import Value
from ..containers.ranges import SliceValue
from ..containers.sequences import ListValue
from ..objects.objects import class_attribute

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace
    from .watched_modules import LayerValue


class LayerSlice(Value):
    """A part of a `ModuleList` or `Sequential`: a new one, with some of its modules and nothing else."""

    __slots__ = ("key", "kind", "members", "owner")

    def __init__(self, owner: Value, key: SliceValue, kind: type, members: list[Value]) -> None:
        self.owner = owner
        self.key = key
        self.kind = kind
        self.members = ListValue(members)

    @property
    def python_type(self) -> type:
        return self.kind

    def describe(self) -> str:
        return f"a slice of {self.owner.describe()}"

    def truth(self, trace: Trace) -> bool:
        return bool(self.members.items)

    def length(self, trace: Trace) -> int:
        return len(self.members.items)

    def iterate(self, trace: Trace) -> Any:
        return iter(list(self.members.items))

    def elements(self, trace: Trace) -> list[Value]:
        return list(self.members.items)

    def item(self, trace: Trace, key: Value) -> Value:
        if isinstance(key, SliceValue):
            found = self.members.item(trace, key)
            return LayerSlice(self, key, self.kind, found.elements(trace))
        return self.members.item(trace, key)

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        if self.kind is not Sequential or len(args) != 1 or kwargs:
            raise self.unsupported("a call")
        result = args[0]
        for member in self.members.items:
            result = member.call(trace, [result], {})
        return result

    def rebuild(self, writer: EntryWriter) -> str:
        return writer.once(self, lambda: f"{self.owner.rebuild(writer)}[{self.key.rebuild(writer)}]")


def slice_of(trace: Trace, layers: LayerValue, key: SliceValue) -> LayerSlice | None:
    """``layers[key]``; None where the class of the module says otherwise, or the bounds are not known."""
    for kind in (ModuleList, Sequential):
        if issubclass(type(layers.value), kind) and key.is_constant():
            same = all(
                class_attribute(trace, type(layers.value), name)[0] is getattr(kind, name)
                for name in ("__getitem__", "_like")
            )
            if same:
                held = layers.attribute(trace, "_modules")
                members = ListValue(list(held.items.values()))  # type: ignore[attr-defined]
                return LayerSlice(layers, key, kind, members.item(trace, key).elements(trace))
    return None
