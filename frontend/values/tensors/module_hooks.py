"""The hooks of a module, as the calls of `nn.hooks` read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....guards.sources import Attribute, Item, Named, Source, WeakSource
from ....nn.hooks import ModuleHooks
from ..base import Value, wrap
from ..constant import Constant
from ..containers.dicts import DictValue
from ..containers.sequences import TupleValue

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace


class ModuleHooksValue(Value):
    """The hooks of a module: an object that never changes, and is known to be the same."""

    __slots__ = ("hooks", "source")
    source: WeakSource

    def __init__(self, hooks: ModuleHooks, source: WeakSource) -> None:
        self.hooks = hooks
        self.source = source

    @property
    def python_type(self) -> type:
        return ModuleHooks

    def attribute(self, trace: Trace, name: str) -> Value:
        if name == "always":
            return TupleValue([Constant(key) for key in self.hooks.always])
        listed: dict[int, tuple[Any, bool]] = getattr(self.hooks, name)
        place = Named(Attribute(self.source, name), f"{self.source}.{name}")
        return DictValue({key: self._entry(trace, Item(place, key), *entry) for key, entry in listed.items()}, place)

    def _entry(self, trace: Trace, place: Source, hook: Any, with_kwargs: bool) -> Value:
        found: Source = Named(Item(place, 0), f"a hook of {self.source.label}")
        try:
            found = WeakSource(trace.facts.anchor(hook), str(found))
        except TypeError:
            pass  # an object that has no weak references
        return TupleValue([wrap(trace, hook, found), Constant(with_kwargs)], place)

    def rebuild(self, writer: EntryWriter) -> str:
        return self.source.text(writer.pool)
