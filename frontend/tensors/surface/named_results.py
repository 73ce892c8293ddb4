"""Named tuples that surface functions give, such as the values and indices of `max`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...values.base import Value
from ...values.containers.sequences import TupleValue

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace


class RecordValue(TupleValue):
    """A named tuple made during the trace."""

    __slots__ = ("record",)

    def __init__(self, items: list[Value], record: Any) -> None:
        super().__init__(items)
        self.record = record

    @property
    def python_type(self) -> type:
        return self.record  # type: ignore[no-any-return]

    def attribute(self, trace: Trace, name: str) -> Value:
        if name in self.record._fields:
            return self.items[self.record._fields.index(name)]
        return super().attribute(trace, name)

    def item(self, trace: Trace, key: Value) -> Value:
        return TupleValue(self.items).item(trace, key)

    def is_constant(self) -> bool:
        return False

    def constant(self, trace: Trace) -> Any:
        return self.record(*super().constant(trace))

    def rebuild(self, writer: EntryWriter) -> str:
        return f"{writer.pool.add(self.record)}({', '.join(each.rebuild(writer) for each in self.items)})"


def is_record(result: Any) -> bool:
    """Whether `result` is a named tuple."""
    return isinstance(getattr(type(result), "_fields", None), tuple)


__all__ = ["RecordValue", "is_record"]
